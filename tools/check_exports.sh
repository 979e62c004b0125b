#!/usr/bin/env bash
# The module exports luaopen_anim_core and nothing else.
#   tools/check_exports.sh MODULE.so...   checks
#   tools/check_exports.sh --self-test    shows on a planted second symbol that the check can fail
set -euo pipefail

check() {
  local exported
  exported=$(nm -D --defined-only "$1" | awk '{ print $NF }')
  [[ $exported == luaopen_anim_core ]] && return
  printf '%s exports: %s\n' "$1" "$(head -n 20 <<<"${exported:-nothing}" | xargs)"
  return 1
}

if [[ ${1:-} == --self-test ]]; then
  directory=$(mktemp -d)
  trap 'rm -rf "$directory"' EXIT
  build() { "${CC:-gcc}" -shared -fPIC -x c -o "$directory/$1.so" -; }
  build one <<<'int luaopen_anim_core(void); int luaopen_anim_core(void) { return 0; }'
  build two <<<'int luaopen_anim_core(void) { return 0; } int anim_other(void) { return 0; }'
  build none <<<'static int nothing; int *hidden(void) __attribute__((visibility("hidden"))); int *hidden(void) { return &nothing; }'
  check "$directory/one.so"
  if check "$directory/two.so" || check "$directory/none.so"; then
    echo "self-test: a wrong module passed"
    exit 1
  fi >/dev/null
  exit 0
fi
(($#)) || { echo "usage: check_exports.sh MODULE.so..."; exit 2; }
for module in "$@"; do check "$module"; done
