#!/usr/bin/env bash
# The layers of csrc: base <- math <- pose <- { graph, import } <- anim.h <- lua; test, fuzz and bench may include all.
#   tools/check_layers.sh [DIRECTORY]     checks DIRECTORY/csrc (default: this repository)
#   tools/check_layers.sh --self-test     shows on planted faults that the check can fail
# Also: includes are written from csrc/, headers compile alone, files have at most 600 lines.
set -euo pipefail
self=$(realpath "${BASH_SOURCE[0]}")
longest=600

# check_includes: prints "file:line: fault" for each include that the layers forbid.
check_includes() {
  grep -rnE '^[[:space:]]*#[[:space:]]*include' csrc --include='*.[ch]' | awk -F: '
    BEGIN {
      below["base"] = " base "
      below["math"] = below["base"] "math "
      below["pose"] = below["math"] "pose "
      below["graph"] = below["pose"] "graph "
      below["import"] = below["pose"] "import "
      below["anim.h"] = below["pose"] "graph import "
      below["lua"] = below["anim.h"] "anim.h lua "
      below["test"] = below["lua"] "test "
      below["fuzz"] = below["lua"] "fuzz "
      below["bench"] = below["lua"] "bench "
    }
    function layer(path) { sub(/\/.*/, "", path); return path }
    function fault(text) { print $1 ":" $2 ": " text }
    {
      from = layer(substr($1, length("csrc/") + 1))
      target = $0
      sub(/^[^:]*:[^:]*:[^<"]*/, "", target)
      system_header = target ~ /^</
      target = substr(target, 2)
      sub(/[>"].*/, "", target)
      if (!(from in below)) {
        fault("csrc/" from " is not a layer")
      } else if (target ~ /^(lua|lauxlib|lualib|luajit)[.]h/) {
        if (from != "lua" && from != "test" && from != "fuzz" && from != "bench") fault(from " knows Lua: " target)
      } else if (!system_header && target != "jsmn.h" && target != "meshoptimizer.h" && target !~ /^cglm\//) {
        if (system("test -f csrc/" target) != 0) fault("write the include from csrc/: " target)
        else if (index(below[from], " " layer(target) " ") == 0) fault(from " includes " target)
      }
    }'
}

# Each header, included twice and with nothing before it.
check_headers() {
  local header output
  while read -r header; do
    output=$(printf '#include "%s"\n#include "%s"\n' "${header#csrc/}" "${header#csrc/}" |
      "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror -Wno-psabi -Wno-unused-function -fsyntax-only \
        -Icsrc -isystem /usr/include/lua5.4 -x c - 2>&1) ||
      echo "$header: does not compile alone: $(grep -m 1 error <<<"$output")"
  done < <(find csrc -name '*.h' | sort)
}

check_lengths() {
  local places=(csrc) place
  for place in lua spec dev; do [[ ! -e $place ]] || places+=("$place"); done
  find "${places[@]}" -type f \( -name '*.[ch]' -o -name '*.lua' -o -name dev \) -exec wc -l {} + |
    awk -v most=$longest '$2 != "total" && $1 > most { print $2 ": " $1 " lines, at most " most }'
}

check() {
  cd "$1"
  local faults
  faults=$(check_includes && check_headers && check_lengths)
  [[ -z $faults ]] && return
  printf '%s\n' "$faults"
  return 1
}

# plant FILE TEXT: in a small tree without a fault; the check has to name FILE.
plant() {
  local tree output
  tree=$(mktemp -d)
  mkdir -p "$tree"/csrc/{base,math,pose,graph,import,lua,test}
  echo '#pragma once' | tee "$tree"/csrc/{base/b,math/m,pose/p,graph/g,import/i,lua/l}.h >"$tree/csrc/anim.h"
  printf '#include "base/b.h"\n#include "math/m.h"\n#include <math.h>\n' >"$tree/csrc/pose/p.c"
  printf '#include "lua/l.h"\n#include "anim.h"\n#include <lua.h>\n' >"$tree/csrc/lua/l.c"
  output=$("$self" "$tree") || { echo "self-test: a tree without fault fails: $output"; exit 1; }
  printf "$2" >"$tree/$1"
  if output=$("$self" "$tree") || [[ $output != *"$1"* ]]; then
    echo "self-test: not seen: $1 with $2"
    exit 1
  fi
  rm -rf "$tree"
}

if [[ ${1:-} == --self-test ]]; then
  plant csrc/base/x.c '#include "math/m.h"\n'
  plant csrc/math/x.c '#  include "pose/p.h" // up\n'
  plant csrc/pose/x.h '#pragma once\n#include "import/i.h"\n'
  plant csrc/graph/x.c '#include "import/i.h"\n'
  plant csrc/import/x.c '#include "graph/g.h"\n'
  plant csrc/import/x.c '#include "anim.h"\n'
  plant csrc/graph/x.c '#include "lua/l.h"\n'
  plant csrc/pose/x.c '#include <lua.h>\n'
  plant csrc/pose/x.c '#include "p.h"\n'
  plant csrc/pose/x.c '#include "../base/b.h"\n'
  plant csrc/pose/x.h '#pragma once\nsize_t x;\n'
  plant csrc/pose/x.h 'typedef struct x { int x; } x;\n'
  plant csrc/util.h '#pragma once\n#include "base/b.h"\n'
  plant csrc/pose/x.c "$(printf '\\n%.0s' {0..600})"
  exit 0
fi
check "${1:-$(dirname "$self")/..}"
