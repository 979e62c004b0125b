# Read by dev: what leaves this repository (rocks, archives, prebuilt modules) and the machines it goes to.
# shellcheck shell=bash disable=SC2154

cross_packages=(xz-utils lua-luassert lua-say qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  gcc-mingw-w64-x86-64 wine64 emscripten nodejs)
dist_packages=(zip unzip "${luajit_packages[@]}")
cross=$build/cross

anim_version() { sed -n 's/^ *version = "\(.*\)",$/\1/p' lua/anim/init.lua; }

# ---- rocks ------------------------------------------------------------------------------------------

# with_tree VERSION TREE COMMAND...: only what LuaRocks installed is found.
with_tree() {
  local version=$1 tree=$2
  shift 2
  env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 -u LUA_INIT LUA_CPATH="$tree/lib/lua/$version/?.so" \
    LUA_PATH="$tree/share/lua/$version/?.lua;$tree/share/lua/$version/?/init.lua" "$@"
}

# rock VERSION INTERPRETER...: makes it from a copy of the sources in an empty tree, packs it, installs the packed
# rock into another tree, and runs the README's first example and the command from there.
rock() {
  local version=$1 dir=$log/rock-$1 interpreter release
  release=$(anim_version)
  shift
  mkdir -p "$dir/source"
  cp -r csrc lua rockspec README.md LICENSE bin "$dir/source"
  local rocks=(luarocks --lua-version="$version")
  (
    cd "$dir/source"
    "${rocks[@]}" make --tree="$dir/made" "rockspec/anim-$release-1.rockspec"
    cd "$dir"
    "${rocks[@]}" pack --tree="$dir/made" anim "$release-1"
    "${rocks[@]}" install --tree="$dir/tree" anim-"$release"-1.*.rock
  )
  lua5.4 tools/readme_example.lua README.md >"$dir/example.lua"
  for interpreter in "$@"; do
    echo "-- $interpreter"
    with_tree "$version" "$dir/tree" "$interpreter" "$dir/example.lua"
    grep -qF "$dir/tree" "$dir/tree/bin/anim"
    [[ $(env -u LUA_PATH -u LUA_CPATH "$dir/tree/bin/anim" --version) == "anim $release" ]]
  done
}

# What somebody reads who lacks the headers: the names of the Debian packages.
rock_without_headers() {
  local dir=$log/rock-without output
  mkdir -p "$dir/empty"
  output=$(luarocks --lua-version=5.4 make --tree="$dir/tree" "rockspec/anim-$(anim_version)-1.rockspec" \
    LIBCGLM_DEV_INCDIR="$dir/empty" 2>&1) && { echo "it was made without headers"; return 1; }
  printf '%s\n' "$output"
  grep -q 'You may have to install LIBCGLM_DEV' <<<"$output"
}

# ---- other machines ---------------------------------------------------------------------------------

# Debian's sources of the Lua that runs there, and of cmocka; the machine's own lists are left alone.
fetch_sources() {
  [[ ! -f $cross/src/complete ]] || return 0
  local release lists package
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mkdir -p "$cross/src/lists/partial"
  printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
    "${ANIM_DEBIAN:-http://deb.debian.org/debian}" "$release" >"$cross/src/sources.list"
  lists=(-o Dir::Etc::sourcelist="$cross/src/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$cross/src/lists" -o APT::Sandbox::User=root)
  (
    cd "$cross/src"
    apt-get -q "${lists[@]}" update
    apt-get -q "${lists[@]}" source --download-only lua5.4 luajit cmocka
    for package in lua5.4 luajit cmocka; do
      mkdir -p $package
      tar xf ${package}_*.orig.tar.[gx]z -C $package
    done
    touch complete
  )
}

# The directory of a source, which lies in one of its own or not.
source_of() { dirname "$(find "$cross/src/$1" -maxdepth 2 -type d -name src)"; }

cross_compiler() {
  case $1 in
    windows) echo x86_64-w64-mingw32-gcc ;;
    aarch64) echo aarch64-linux-gnu-gcc ;;
    wasm) echo emcc ;;
  esac
}

# on MACHINE COMMAND...: runs a program of that machine.
on() {
  local machine=$1
  shift
  case $machine in
    windows) WINEPREFIX=$cross/wine WINEDEBUG=-all timeout --foreground "$patience" /usr/lib/wine/wine64 "$@" ;;
    aarch64) timeout --foreground "$patience" qemu-aarch64 -L /usr/aarch64-linux-gnu "$@" ;;
    wasm) timeout --foreground "$patience" node --no-experimental-fetch --stack-size=4000 "$@" ;;
  esac
}

wasm_link_flags() { echo "-O1 -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1 --pre-js $cross/wasm/env.js"; }

# Interpreters, the library that host programs link, and cmocka.
build_tools_for() {
  local machine=$1 dir=$cross/$1 cc lua jit cmocka core
  cc=$(cross_compiler "$machine")
  lua=$(source_of lua5.4)/src jit=$(source_of luajit) cmocka=$(source_of cmocka)
  [[ ! -f $dir/tools ]] || return 0
  mkdir -p "$dir/objects"
  core=$(find "$lua" -name '*.c' ! -name lua.c ! -name luac.c)
  case $machine in
    windows)
      # shellcheck disable=SC2086
      $cc -O2 -shared -DLUA_BUILD_AS_DLL -static-libgcc -o "$dir/lua54.dll" $core
      $cc -O2 -DLUA_BUILD_AS_DLL -o "$dir/lua.exe" "$lua/lua.c" "$dir/lua54.dll"
      ;;
    *)
      # shellcheck disable=SC2086
      (cd "$dir/objects" && $cc -O2 -w -DLUA_USE_POSIX $([[ $machine == wasm ]] || echo -DLUA_USE_DLOPEN) -c $core)
      "$([[ $machine == wasm ]] && echo emar || echo aarch64-linux-gnu-ar)" rcs "$dir/liblua54.a" "$dir"/objects/*.o
      ;;
  esac
  case $machine in
    aarch64) $cc -O2 -Wl,-E -o "$dir/lua" "$lua/lua.c" "$dir/liblua54.a" -lm -ldl ;;
    wasm) echo 'Module.preRun = [() => Object.assign(ENV, process.env)];' >"$dir/env.js" ;;
  esac
  if [[ $machine != wasm ]]; then
    rm -rf "$dir/luajit"
    cp -r "$jit" "$dir/luajit"
    make -C "$dir/luajit/src" HOST_CC="${CC:-gcc}" CROSS="${cc%gcc}" \
      TARGET_SYS="$([[ $machine == windows ]] && echo Windows || echo Linux)" >"$dir/luajit.log" 2>&1
  fi
  # One file, and what its configure would have found; wasm's uintptr_t is none that cmocka knows.
  $cc -O1 -w -std=gnu99 -DHAVE_INTTYPES_H -DHAVE_MALLOC_H -DHAVE_STRUCT_TIMESPEC \
    $([[ $machine == windows ]] || echo -DHAVE_SIGNAL_H) $([[ $machine != wasm ]] || echo -D_UINTPTR_T_DEFINED) \
    -I"$cmocka/include" -c "$cmocka/src/cmocka.c" -o "$dir/cmocka.o"
  rm -f "$dir/libcmocka.a"
  "$([[ $machine == wasm ]] && echo emar || echo "${cc%gcc}ar")" rcs "$dir/libcmocka.a" "$dir/cmocka.o"
  touch "$dir/tools"
}

# The headers that know no machine, away from those of this one.
copy_headers() {
  mkdir -p "$cross/include"
  cp -rL /usr/include/cglm /usr/include/jsmn.h "$cross/include"
}

# build_cross MACHINE
build_cross() {
  local machine=$1 dir=$cross/$1 flags=()
  local lua cmocka
  fetch_sources
  build_tools_for "$machine"
  copy_headers
  lua=$(source_of lua5.4)/src cmocka=$(source_of cmocka)
  case $machine in
    windows) flags=(-DCMAKE_SYSTEM_NAME=Windows -DLUA54_LIBRARY="$dir/lua54.dll"
      -DLUA51_LIBRARY="$dir/luajit/src/lua51.dll") ;;
    aarch64) flags=(-DCMAKE_SYSTEM_NAME=Linux -DLUA54_LIBRARY="$dir/liblua54.a") ;;
    wasm) flags=(-DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake
      -DANIM_LUA=54 -DLUA54_LIBRARY="$dir/liblua54.a" -DCMAKE_C_FLAGS=-D_UINTPTR_T_DEFINED
      -DCMAKE_EXE_LINKER_FLAGS="$(wasm_link_flags)") ;;
  esac
  [[ $machine == wasm ]] || flags+=(-DCMAKE_C_COMPILER="$(cross_compiler "$machine")"
    -DCMAKE_SYSTEM_PROCESSOR="$([[ $machine == windows ]] && echo x86_64 || echo aarch64)")
  cmake -S . -B "$dir/build" -DANIM_WERROR="${ANIM_WERROR:-ON}" -DANIM_MESHOPT=OFF -DCGLM_INCLUDE_DIR="$cross/include" \
    -DJSMN_INCLUDE_DIR="$cross/include" -DLUA54_INCLUDE_DIR="$lua" -DLUA51_INCLUDE_DIR="$(source_of luajit)/src" \
    -DCMOCKA_INCLUDE_DIR="$cmocka/include" -DCMOCKA_LIBRARY="$dir/libcmocka.a" "${flags[@]}"
  cmake --build "$dir/build" -j "$cores"
  case $machine in
    windows)
      cp "$dir/lua54.dll" "$dir/build/test"
      on windows "$dir/lua.exe" -v # makes its directory, which jobs must not do at the same time
      ;;
    wasm) # modules are part of the program there
      # shellcheck disable=SC2046
      emcc -I"$lua" -Icsrc/lua -DANIM_LUA='"./lua"' examples/c/lua/main.c "$dir/build/libanim_lua54.a" \
        "$dir/build/libanim.a" "$dir/liblua54.a" $(wasm_link_flags) -o "$dir/host.js"
      ;;
  esac
}

# cross_program MACHINE NAME: the file that a C test became.
cross_program() {
  local suffix=
  case $1 in
    windows) suffix=.exe ;;
    wasm) suffix=.js ;;
  esac
  echo "$cross/$1/build/test/$2$suffix"
}

cross_c_test() {
  export CMOCKA_MESSAGE_OUTPUT=TAP ANIM_SLOW=0
  tap on "$1" "$(cross_program "$1" "$2")"
}

# cross_spec MACHINE LUA FILE: without busted, whose C modules are not there.
cross_spec() {
  local machine=$1 way=$2 file=$3 dir=$cross/$1 program api=54 version=5.4 suffix=so
  [[ $way != luajit ]] || api=51 version=5.1
  case $machine-$way in
    windows-lua5.4) program=$dir/lua.exe ;;
    windows-luajit) program=$dir/luajit/src/luajit.exe ;;
    aarch64-lua5.4) program=$dir/lua ;;
    aarch64-luajit) program=$dir/luajit/src/luajit ;;
    wasm-lua5.4) program=$dir/host.js ;;
  esac
  [[ $machine != windows ]] || suffix=dll
  local path="./?.lua;./spec/?.lua;/usr/share/lua/$version/?.lua;/usr/share/lua/$version/?/init.lua"
  export ANIM_DATA=/nowhere ANIM_SLOW=0 LUA_PATH="./lua/?.lua;./lua/?/init.lua;;"
  export LUA_CPATH="$dir/build/lua$api/?.$suffix"
  tap on "$machine" "$program" tools/plain_busted.lua "$file" "$path"
}

# Specs of the core: those that need no other program, no browser, no LÖVE and no C module of Lua but ours.
core_specs() {
  grep -LE 'lfs|data\.json|cjson|popen|os\.execute|support[./](browser|page)|[Ll]ove' spec/*_spec.lua
}

# What a machine cannot do, and why.
left_out() {
  case $1 in
    # Without threads nothing loads in the background, and a crowd has one thread, not three.
    wasm) echo 'test_crowd|test_loader|test_states|load_async_spec|/crowd_spec' ;;
    aarch64) echo 'nothing (with LuaJIT: oracle|reference)' ;;
    *) echo 'nothing' ;;
  esac
}

cross_rows() {
  local machine=$1 way ways=(lua5.4 luajit) file test serial_before=$serial
  check "build-$machine" build_cross "$machine"
  wait
  if [[ $(<"$log/build-$machine.$((serial_before + 1)).result") != "check 0 "* ]]; then return; fi
  [[ $machine != wasm ]] || ways=(lua5.4)
  for file in csrc/test/test_*.c; do
    test=$(basename "$file" .c)
    [[ $test =~ $(left_out "$machine") || ! -f $(cross_program "$machine" "$test") ]] ||
      job tap "$machine-c-tests:$test" cross_c_test "$machine" "$test"
  done
  for way in "${ways[@]}"; do
    while read -r file; do
      # LuaJIT for ARM64 rounds x % y and x * y + z once: the oracle, which is Lua, then decides ties otherwise.
      [[ $file =~ $(left_out "$machine") || ($machine-$way == aarch64-luajit && $file =~ oracle|reference) ]] ||
        job tap "$machine-specs-$way:$(basename "$file" _spec.lua)" cross_spec "$machine" "$way" "$file"
    done < <(core_specs)
  done
}

command_cross() {
  local machines=("$@") machine
  (($#)) || machines=(windows aarch64 wasm)
  say "cross: ${machines[*]}: C tests and the core's specs, without meshoptimizer"
  need "${build_packages[@]}"
  (need "${cross_packages[@]}") || say "some packages cannot be had: what needs them is skipped"
  begin_rows
  for machine in "${machines[@]}"; do
    case $machine in windows | aarch64 | wasm) ;; *) die "unknown machine $machine: windows, aarch64, wasm" ;; esac
    if ! command -v "$(cross_compiler "$machine")" >/dev/null; then
      say "SKIPPED $machine: there is no $(cross_compiler "$machine")"
      continue
    fi
    cross_rows "$machine"
    say "left out on $machine: $(left_out "$machine")"
  done
  end_rows
}

# ---- what is handed out -----------------------------------------------------------------------------

# The files that git knows, as they are, committed or not; the same bytes for the same files.
source_archive() {
  local name=$1 when
  when=$(git log -1 --format=%ct 2>/dev/null) || when=$(stat -c %Y CMakeLists.txt)
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files
  else
    find . -type f ! -path './build/*' -printf '%P\n'
  fi | LC_ALL=C sort | while read -r file; do [[ ! -f $file ]] || echo "$file"; done |
    tar -c --owner=0 --group=0 --numeric-owner --mtime="@$when" --mode=a+rX,u+w --transform "s|^|$name/|" -T - |
    gzip -n >"$build/dist/$name.tar.gz"
}

# without_network COMMAND...: or with it where the system does not let one take it away, which is said.
without_network() {
  if unshare -rn true 2>/dev/null; then
    unshare -rn "$@"
  else
    say "this system cannot take the network away: it is there while the archive is tried"
    "$@"
  fi
}

# Unpacked elsewhere it builds, installs and runs, from what lies in it and in Debian's packages.
try_source_archive() {
  local name=$1 dir=$build/dist/try
  rm -rf "$dir" && mkdir -p "$dir"
  tar xzf "$build/dist/$name.tar.gz" -C "$dir"
  (
    cd "$dir/$name"
    without_network cmake -S . -B out -DANIM_TESTS=OFF -DANIM_LUA=54 -DANIM_WERROR="${ANIM_WERROR:-ON}" >/dev/null
    without_network cmake --build out -j "$cores" >/dev/null
    without_network cmake --install out --prefix "$dir/prefix" >/dev/null
    lua5.4 tools/readme_example.lua README.md >"$dir/example.lua"
  )
  LUA_CPATH="$dir/prefix/lib/lua/5.4/?.so" without_network env -u LUA_CPATH_5_4 \
    LUA_PATH="$dir/prefix/share/lua/5.4/?.lua;$dir/prefix/share/lua/5.4/?/init.lua" lua5.4 "$dir/example.lua"
}

zip_readme() {
  cat <<TEXT
anim $(anim_version), built for LÖVE 11 and LuaJIT 2.1

Put the folder "anim" beside main.lua; then require("anim") works. In a .love archive the Lua files can stay
inside, but the library has to lie outside, beside the archive, since the system cannot load it from within:

  package.cpath = love.filesystem.getSourceBaseDirectory() .. "/?.so;" .. package.cpath -- "/?.dll" on Windows

with this file at anim/core.so (anim\\core.dll) there. Built without meshoptimizer: files with
EXT_meshopt_compression are refused with a message.
TEXT
}

# module_zip NAME MODULE STRIP: anim/ as a game's folder takes it.
module_zip() {
  local name=anim-$(anim_version)-love-$1 module=$2 strip=$3 dir=$build/dist/$1 file
  rm -rf "$dir" "$build/dist/$name.zip"
  mkdir -p "$dir/anim"
  cp -r lua/anim/. "$dir/anim"
  "$strip" -s -o "$dir/anim/core.${module##*.}" "$module"
  cp LICENSE "$dir/anim/LICENSE"
  zip_readme >"$dir/anim/README.txt"
  (cd "$dir" && find anim -type f | LC_ALL=C sort | TZ=UTC zip -qX "$build/dist/$name.zip" -@)
}

# try_zip NAME COMMAND...: the README's example, with what the zip holds and LuaJIT, of which LÖVE's is one.
try_zip() {
  local dir=$build/dist/try-$1 name=anim-$(anim_version)-love-$1
  shift
  rm -rf "$dir" && mkdir -p "$dir"
  (
    cd "$dir"
    unzip -q "$build/dist/$name.zip"
    lua5.4 "$root/tools/readme_example.lua" "$root/README.md" >main.lua
    LUA_PATH='./?.lua;./?/init.lua' LUA_CPATH='./?.so;./?.dll' "$@" main.lua
  )
}

command_dist() {
  local version machine
  version=$(anim_version)
  say "dist: anim-$version, into ${build#"$root"/}/dist"
  need "${build_packages[@]}" "${dist_packages[@]}"
  (need "${cross_packages[@]}") || say "some packages cannot be had: what needs them is skipped"
  mkdir -p "$build/dist"
  [[ -z $(git status --porcelain 2>/dev/null) ]] ||
    say "there are changes: those of files that git knows are in the archive, new files are not"
  source_archive "anim-$version"
  try_source_archive "anim-$version"
  # No meshoptimizer: one file that runs wherever LÖVE does.
  cmake -S . -B "$build/dist-linux" -DANIM_MESHOPT=OFF -DANIM_TESTS=OFF -DANIM_LUA=51 >/dev/null
  cmake --build "$build/dist-linux" -j "$cores" --target anim_lua51 >/dev/null
  module_zip "linux-$(uname -m)" "$build/dist-linux/lua51/anim/core.so" strip
  try_zip "linux-$(uname -m)" luajit
  for machine in windows aarch64; do
    if ! command -v "$(cross_compiler $machine)" >/dev/null; then
      say "SKIPPED $machine: there is no $(cross_compiler $machine)"
      continue
    fi
    build_cross $machine >"$build/dist/$machine.log" 2>&1 || {
      tail -n 40 "$build/dist/$machine.log" >&2
      die "the build for $machine failed"
    }
    case $machine in
      windows)
        module_zip windows-x86_64 "$cross/windows/build/lua51/anim/core.dll" x86_64-w64-mingw32-strip
        try_zip windows-x86_64 on windows "$cross/windows/luajit/src/luajit.exe"
        ;;
      aarch64)
        module_zip linux-aarch64 "$cross/aarch64/build/lua51/anim/core.so" aarch64-linux-gnu-strip
        try_zip linux-aarch64 on aarch64 "$cross/aarch64/luajit/src/luajit"
        ;;
    esac
  done
  ls -l "$build"/dist/*.tar.gz "$build"/dist/*.zip
}
