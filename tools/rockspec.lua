-- Prints the rockspec with the sources that the tree holds; ./dev rockspec writes them, ./dev lint compares.
--   rockspec.lua [VERSION]      scm-1 if none is given
local version = arg[1] or "scm-1"
local release = version:match("^(%d.*)%-%d+$")
local function files(pattern)
  local list = {}
  local listing = assert(io.popen("ls " .. pattern .. " 2>/dev/null"))
  for path in listing:lines() do
    list[#list + 1] = path
  end
  listing:close()
  table.sort(list)
  return list
end

local function quoted(list, indent)
  local lines = {}
  for i, path in ipairs(list) do
    lines[i] = ("%s%q,"):format(indent, path)
  end
  return table.concat(lines, "\n")
end

local sources = files("csrc/base/*.c csrc/math/*.c csrc/pose/*.c csrc/graph/*.c csrc/import/*.c csrc/lua/*.c")

local modules = {}
for _, path in ipairs(files("lua/anim/*.lua lua/anim/*/*.lua lua/anim/*/*/*.lua")) do
  local name = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
  modules[#modules + 1] = ("    [%q] = %q,"):format(name, path)
end

local commands = files("bin/*")
local install = #commands == 0 and "" or ([[

    install = {
      bin = {
%s
      },
    },]]):format(quoted(commands, "        "))

-- What ./dev dist makes, or the repository itself.
local source = release and ([[
  url = "https://example.org/anim-%s.tar.gz",
  dir = "anim-%s",]]):format(release, release) or [[
  url = "git+https://example.org/anim.git",]]

io.write(([[
package = "anim"
version = %q
source = {
%s
}
description = {
  summary = "Character animation: skeletons, clips, blending, state machines, IK",
  detailed = "Loads glTF and BVH characters, samples, blends and corrects their poses, for Lua, LuaJIT and LÖVE.",
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
}
-- Called like Debian's packages, since LuaRocks shows these names where a header is missing.
external_dependencies = {
  LIBCGLM_DEV = { header = "cglm/cglm.h" },
  LIBJSMN_DEV = { header = "jsmn.h" },
}
build = {
  type = "builtin",
  modules = {
    ["anim.core"] = {
      sources = {
%s
      },
      incdirs = { "csrc", "$(LIBCGLM_DEV_INCDIR)", "$(LIBJSMN_DEV_INCDIR)" },
      libraries = { "m", "pthread" },
      defines = { "ANIM_ROCK" }, -- csrc/base/config.h
    },
%s
  },%s
}
]]):format(version, source, quoted(sources, "        "), table.concat(modules, "\n"), install))
