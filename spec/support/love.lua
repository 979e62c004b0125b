-- LÖVE on a virtual screen, for specs.
local data = require("spec.support.data")
local scratch = require("spec.support.scratch")

local love = {}

local function has(program)
  local pipe = io.popen("command -v " .. program)
  local path = pipe:read("*l")
  pipe:close()
  return path
end

-- LÖVE brings its own Lua: one run is enough. Its module is the one for Lua 5.1, which is built beside this one.
local function find()
  if _VERSION ~= "Lua 5.4" then return nil, "Lua 5.4 runs it" end
  if not data.slow then return nil, "ANIM_SLOW=0" end
  if os.getenv("LD_PRELOAD") then return nil, "LD_PRELOAD" end
  if not has("love") then return nil, "no love" end
  if not has("xvfb-run") then return nil, "no xvfb-run" end
  local path = package.searchpath("anim.core", package.cpath)
  local directory = path and path:match("^(.*)lua54/anim/core%.so$")
  local file = directory and io.open(directory .. "lua51/anim/core.so", "rb")
  if not file then return nil, "no module for Lua 5.1" end
  file:close()
  return directory .. "lua51/?.so"
end

local module, whyNot = find()

function love.whyNot() return not module and whyNot or nil end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- What `love DIRECTORY ...` prints; 120 seconds at most. Files that it saves go into a scratch directory.
function love.run(directory, ...)
  local words = { quoted(directory) }
  for i = 1, select("#", ...) do words[#words + 1] = quoted(tostring((select(i, ...)))) end
  local home = scratch.path(".love")
  os.execute("mkdir -p " .. quoted(home))
  local pwd = io.popen("pwd")
  local root = pwd:read("*l")
  pwd:close()
  local command = table.concat({
    "env -u LUA_INIT XDG_DATA_HOME=" .. quoted(home), "LIBGL_ALWAYS_SOFTWARE=1", "ALSOFT_DRIVERS=null",
    "LUA_PATH=" .. quoted(root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;;"), "LUA_CPATH=" .. quoted(module .. ";;"),
    "timeout 120 xvfb-run -a -s '-screen 0 1280x800x24' love", table.concat(words, " "), "2>&1; echo \"outcome $?\"",
  }, " ")
  local pipe = io.popen(command)
  local text = pipe:read("*a")
  pipe:close()
  os.execute("rm -rf " .. quoted(home))
  return text
end

return love
