#!/usr/bin/env bash
# A page as a picture: tools/screenshot.sh FILE.html[#LINK] OUT.png [WIDTH HEIGHT [MS]]
# With OUT "-" its document after the scripts have run goes to standard output instead. MS: milliseconds that its clock
# runs first. What the page's console says goes to standard error; the outcome is 1 if it said anything, 3 if there is
# no Chromium.
set -euo pipefail

usage="usage: screenshot.sh FILE.html[#LINK] OUT.png [WIDTH HEIGHT [MS]]"
page=${1:?$usage}
out=${2:?$usage}
width=${3:-1280} height=${4:-800} clock=${5:-}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "screenshot.sh: no chromium" >&2
  exit 3
}
file=${page%%#*} link=""
[[ $page != *"#"* ]] || link="#${page#*#}"
address=file://$(realpath -- "$file" | sed 's/%/%25/g; s/ /%20/g; s/#/%23/g; s/?/%3F/g')$link

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flags=(--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
  --disable-component-update --disable-sync --hide-scrollbars --enable-logging=stderr --v=0
  --user-data-dir="$scratch/profile" --window-size="$width,$height")
[[ -z $clock ]] || flags+=(--virtual-time-budget="$clock")
if [[ $out == - ]]; then
  flags+=(--dump-dom)
else
  flags+=(--screenshot="$(realpath -m -- "$out")")
fi
timeout 120 "$browser" "${flags[@]}" "$address" 2>"$scratch/log" || {
  cat "$scratch/log" >&2
  exit 1
}
if grep -a CONSOLE "$scratch/log" >&2; then exit 1; fi
