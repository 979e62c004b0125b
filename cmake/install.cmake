# cmake --install: the library with its headers, pkg-config files and CMake package, the Lua modules, the command.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/anim)

# A relocatable prefix: from where the .pc files lie.
file(RELATIVE_PATH up_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up_from_pkgconfig "${up_from_pkgconfig}")

set(private_libraries "-lm")
if(anim_has_meshopt)
  set(private_libraries "-lmeshoptimizer ${private_libraries}")
endif()
if(NOT WIN32)
  set(private_libraries "${private_libraries} -pthread")
endif()
set(targets anim_core)
if(ANIM_SHARED)
  list(APPEND targets anim_shared)
endif()
configure_file(cmake/anim.pc.in anim.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(CODE "execute_process(COMMAND \${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/csrc
  -DPREFIX=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}
  -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/headers.cmake RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR \"the headers could not be installed\")
endif()")

foreach(api IN LISTS ANIM_LUA)
  string(REGEX REPLACE "(.)(.)" "\\1.\\2" version ${api})
  set(lua_dir ${CMAKE_INSTALL_DATADIR}/lua/${version})
  configure_file(cmake/anim-lua.pc.in anim-lua${api}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anim-lua${api}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  # Where a Lua of the same prefix looks; lib, not lib64 or lib/<machine>.
  if(TARGET anim_lua${api})
    install(TARGETS anim_lua${api} LIBRARY DESTINATION lib/lua/${version}/anim)
  endif()
  install(DIRECTORY lua/anim DESTINATION ${lua_dir} FILES_MATCHING PATTERN "*.lua")
  list(APPEND targets anim_lua${api}_static)
endforeach()
if(ANIM_LUA)
  install(FILES csrc/lua/anim_lua.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(PROGRAMS bin/anim DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(TARGETS ${targets} EXPORT anim
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT anim NAMESPACE anim:: FILE anim-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/anim-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/anim-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/anim-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/anim-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/anim-config-version.cmake
  DESTINATION ${package_dir})
