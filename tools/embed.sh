#!/usr/bin/env bash
# Installs a build into a prefix, moves the prefix elsewhere, and builds the programs of examples/c against it with
# pkg-config and with CMake: C with the core alone, C with Lua and LuaJIT inside, and C++. All print the same.
#   tools/embed.sh BUILD_DIRECTORY [WORK_DIRECTORY]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "$1")
work=${2:-}
if [[ -z $work ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")
unset LUA_PATH LUA_CPATH LUA_PATH_5_4 LUA_CPATH_5_4 LUA_INIT LUA_INIT_5_4

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
rm -rf "$work/prefix"
mv "$work/first" "$work/prefix"
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
flags=$(pkg-config --cflags anim)

echo "-- anim.h alone"
for language in "c c11 ${CC:-gcc}" "c c17 ${CC:-gcc}" "c++ c++11 ${CXX:-g++}" "c++ c++20 ${CXX:-g++}"; do
  read -r name standard compiler <<<"$language"
  # shellcheck disable=SC2086
  printf '#include <anim.h>\n#include <anim_lua.h>\nint main(void) { return anim_mem_get_counts().blocks != 0; }\n' |
    $compiler -std="$standard" -Wall -Wextra -pedantic -Werror $flags -x "$name" - -o "$work/alone" $(pkg-config --libs anim)
  "$work/alone"
done

rm -rf "$work/c"
cp -r "$root/examples/c" "$work/c"
lua5.4 -e "package.path = '$work/prefix/share/lua/5.4/?.lua;$work/prefix/share/lua/5.4/?/init.lua'
  package.cpath = '$work/prefix/lib/lua/5.4/?.so'
  local hero = dofile('$root/examples/hero.lua').build()
  assert(require('anim').save(hero, '$work/c/hero.anim'))"
cd "$work/c"

echo "-- with pkg-config"
make -s -C core
make -s -C lua
core/core hero.anim | tee expected
lua/host lua/walk.lua hero.anim | diff expected -
if pkg-config --exists luajit; then
  make -s -B -C lua LUA=luajit API=51
  lua/host lua/walk.lua hero.anim | diff expected -
fi
if core/core hero.anim walk no-such-clip >/dev/null 2>problem; then exit 1; fi
grep -q "no clip 'no-such-clip'" problem

echo "-- with CMake"
for example in core lua; do
  cmake -S $example -B $example/build -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
  cmake --build $example/build >/dev/null
done
core/build/core hero.anim | diff expected -
lua/build/host lua/walk.lua hero.anim | diff expected -

echo "-- as a part of another build"
mkdir -p engine
cat >engine/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.18)
project(engine LANGUAGES C)
add_subdirectory($root anim)
TEXT
cmake -S engine -B engine/build >/dev/null # configures; the same sources need not be compiled once more
cmake --build engine/build --target help | grep -q ' anim_core$'
if cmake --build engine/build --target help | grep -q ' test_'; then
  echo "the tests are part of an engine's build"
  exit 1
fi
grep -q 'event footstep' expected
echo "all print the same"
