#!/usr/bin/env bash
# Runs what ./dev bench has built, all or what contains NAME: csrc/bench (core, threads) and bench/*.lua on both
# interpreters. One core, but where threads are measured. Prints tables; the same as rows in BUILD/bench.csv.
#   tools/bench.sh BUILD [NAME [ARGS]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 name=${2:-}
shift $(($# < 2 ? $# : 2))
csv=$build/bench.csv
core=$(($(nproc) - 1))
found=0

# c_part PART COMMAND...: a program of csrc/bench, if it is wanted.
c_part() {
  local part=$1
  shift
  [[ $part == *"$name"* ]] || return 0
  found=1
  printf '\n-- csrc/bench, %s\n' "$part"
  "$@" --csv "$csv" || echo "skipped"
}

# lua_part API INTERPRETER FILE ARGS...
lua_part() {
  local api=$1 lua=$2 file=$3 pin=(taskset -c "$core")
  shift 3
  [[ $file != */crowd.lua ]] || pin=()
  printf '\n-- %s (%s)\n' "$file" "$lua"
  env -u LUA_PATH_5_4 -u LUA_CPATH_5_4 -u LUA_INIT -u LUA_INIT_5_4 ANIM_BENCH_CSV="$csv" \
    LUA_PATH="lua/?.lua;lua/?/init.lua;;" LUA_CPATH="$build/release/bench$api/?.so;;" "${pin[@]}" "$lua" "$file" "$@"
}

echo "source,group,name,unit,median,p10,best,runs" >"$csv"
echo "$(uname -sr), $(nproc) cores, $(git describe --always --dirty 2>/dev/null || true)"
c_part core taskset -c "$core" "$build/release/anim_bench" "$@"
c_part threads "$build/release/anim_bench" threads "$@"
for file in bench/*"$name"*.lua; do
  [[ -f $file && $file != */support.lua && $file != */feet.lua ]] || continue
  found=1
  lua_part 54 lua5.4 "$file" "$@"
  lua_part 51 luajit "$file" "$@"
done
((found)) || { echo "no bench/*$name*.lua; also: core, threads" >&2; exit 1; }
echo "as rows: $csv"
