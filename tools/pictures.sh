#!/usr/bin/env bash
# The pictures in docs/pictures, made anew from what the examples do: tools/pictures.sh [DIRECTORY]
# Photographs show the stage of the pages of anim.view, without lists and buttons, at the moments below. Needs Chromium.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$here/docs/pictures}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"

# Only the stage is left of a page.
bare='<style>#panel, #bar, #head, #legend, #flash { display: none !important; } #app { display: block !important; }'
bare+=' #stage { position: absolute !important; inset: 0; }</style>'

page() { # NAME EXAMPLE ARGUMENTS...
  local name=$1
  shift
  "$here/dev" lua "$@" "$scratch/$name.full.html" >/dev/null
  sed "s|</head>|$bare</head>|" "$scratch/$name.full.html" >"$scratch/$name.html"
}

picture() { # FILE PAGE LINK WIDTH HEIGHT
  "$here/tools/screenshot.sh" "$scratch/$2.html#paused&theme=light&$3" "$out/$1.png" "$4" "$5"
  echo "$out/$1.png: $(stat -c %s "$out/$1.png") bytes"
}

(cd "$here" && ./dev lua tools/diagrams.lua "$(realpath "$out")") # the drawings of the concepts

page demo examples/demo.lua -o
page ik examples/ik.lua
picture ik_steps demo "t=26.1&view=28,9" 640 480
picture ik_slope demo "t=30&view=-8,6" 640 480
picture ik_reach ik "t=1.3&view=84,7" 640 480
