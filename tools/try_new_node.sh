#!/usr/bin/env bash
# Does what docs/new_node.md says, in a copy of the tree: tools/try_new_node.sh [DIRECTORY]
# Blocks that begin with ```c FILE are written, ```diff are applied, ```lua FILE are run. Takes a build.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
copy=${1:-$(mktemp -d)}
[[ -n ${1:-} ]] || trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy"
(cd "$here" && tar cf - CMakeLists.txt csrc lua examples docs tools $(ls -d cmake 2>/dev/null)) | tar xf - -C "$copy"
cd "$copy"

lua5.4 - <<'LUA'
local name, lines
local patches, scripts = {}, {}
for line in io.lines("docs/new_node.md") do
  local language, path = line:match("^```(%w*)%s*(%S*)$")
  if line == "```" and name then
    local text = table.concat(lines, "\n") .. "\n"
    if name == "diff" then patches[#patches + 1] = text
    else
      local file = assert(io.open(name, "w"))
      file:write(text)
      file:close()
      if name:match("%.lua$") then scripts[#scripts + 1] = name end
    end
    name = nil
  elseif language == "diff" then name, lines = "diff", {}
  elseif language and path ~= "" then name, lines = path, {}
  elseif name then lines[#lines + 1] = line end
end
local file = assert(io.open("changes.patch", "w"))
file:write(table.concat(patches))
file:close()
file = assert(io.open("scripts", "w"))
file:write(table.concat(scripts, "\n"), "\n")
file:close()
LUA

patch -p1 --no-backup-if-mismatch <changes.patch
cmake -S . -B build -DANIM_TESTS=OFF -DANIM_LUA=54 >/dev/null
cmake --build build -j "$(nproc)" --target anim_lua54 | tail -n 1
while read -r script; do
  LUA_PATH="$copy/lua/?.lua;$copy/lua/?/init.lua;;" LUA_CPATH="$copy/build/lua54/?.so;;" lua5.4 "$script"
done <scripts
