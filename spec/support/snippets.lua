-- Runs pieces of code as they stand in the docs, each with globals of its own. `model` is the person of
-- examples/hero.lua, who also stands in for files that are not there; what is saved goes to temporary files.
local anim = require("anim")
local gc = require("spec.support.gc")

local snippets = {}

-- The person, built once for each way of building it: that takes longer than all the rest.
local built = {}

local function hero(options)
  local key = options and options.travel or false
  built[key] = built[key] or gc.rest(dofile("examples/hero.lua").build, options)
  local model = built[key]
  local copy = { name = "hero", skins = {}, morphs = {}, warnings = {}, skeleton = model.skeleton, clips = {} }
  for name, clip in pairs(model.clips) do copy.clips[name] = clip end
  return copy
end

local function dofileOnce(path)
  local result = dofile(path)
  if not path:match("hero%.lua$") then return result end
  return setmetatable({ build = hero }, { __index = result })
end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local function standIn(saved)
  local copy = {}
  for key, value in pairs(anim) do copy[key] = value end
  function copy.load(path, ...)
    if saved[path] then return anim.load(saved[path], ...) end
    if not exists(path) and not path:match("^missing") then return hero() end
    return anim.load(path, ...)
  end
  function copy.save(what, path)
    saved[path] = os.tmpname()
    return anim.save(what, saved[path])
  end
  function copy.view(what, path, ...)
    saved[path] = os.tmpname()
    return anim.view(what, saved[path], ...)
  end
  return copy
end

--- Runs it, and gives the lines that it prints. `globals` are more of its own; `after` is called when it has run.
function snippets.run(code, name, globals, after)
  local saved, lines = {}, {}
  local library = standIn(saved)
  local env = setmetatable({ model = hero(), dofile = dofileOnce, arg = { [0] = name },
    require = function(module) return module == "anim" and library or require(module) end,
    print = function(...)
      local words = { ... }
      for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
      lines[#lines + 1] = table.concat(words, "  ")
    end,
  }, { __index = _G })
  for key, value in pairs(globals or {}) do env[key] = value end
  local chunk
  if setfenv then -- luacheck: ignore 113 143
    chunk = assert(loadstring(code, name)) -- luacheck: ignore 113
    setfenv(chunk, env) -- luacheck: ignore 113
  else
    chunk = assert(load(code, name, "t", env))
  end
  chunk()
  if after then after() end
  for _, path in pairs(saved) do os.remove(path) end
  return lines
end

-- Lua 5.1 and LuaJIT write whole floats without a fraction.
local function plain(text) return (text:gsub("(%d)%.0%f[^%d]", "%1"):gsub("%s+", " ")) end

--- What the code says that it prints: what stands behind "-->", in order.
function snippets.told(code)
  local list = {}
  for line in (code .. "\n"):gmatch("(.-)\n") do
    local text = line:match("%-%->%s*(.-)%s*$")
    if text then list[#list + 1] = plain(text) end
  end
  return list
end

--- Runs it; where it says what it prints, that must be so, line by line. Gives the number of lines compared.
function snippets.check(code, name, ...)
  local lines, told = snippets.run(code, name, ...), snippets.told(code)
  if #told == 0 then return 0 end
  for i = 1, math.max(#told, #lines) do
    local line = lines[i] and plain(lines[i])
    if told[i] ~= line then
      error(("%s: line %d of what it prints is\n  %s\nand should be\n  %s"):format(name, i, tostring(line),
        tostring(told[i])), 0)
    end
  end
  return #told
end

--- Whether code needs LÖVE: that of anim.love but for rig2d, and that of a game.
function snippets.needsLove(code)
  code = code:gsub("%-%-[^\n]*", ""):gsub("anim%.love%.rig2d", "")
  return code:find("%f[%w_]love%.%l") ~= nil or code:find("anim.love", 1, true) ~= nil
end

--- Whether a block of a page is run in LÖVE by spec/docs_spec.lua. The programs of docs/love.md belong together:
--- spec/love_spec.lua runs them.
function snippets.isForLove(path, block)
  if block.language == "lua love" then return path ~= "docs/love.md" end
  return block.language == "lua" and snippets.needsLove(block.text)
end

--- The ``` blocks of a Markdown file: { language, text, line }.
function snippets.blocks(path)
  local list, block, number = {}, nil, 0
  for line in io.lines(path) do
    number = number + 1
    local language = line:match("^```(.*)$")
    if language and block then
      block.text = table.concat(block, "\n")
      list[#list + 1], block = block, nil
    elseif language then
      block = { language = language, line = number }
    elseif block then
      block[#block + 1] = line
    end
  end
  return list
end

return snippets
