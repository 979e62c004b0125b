-- Every Lua block of README.md and docs/*.md runs as it stands, with its own globals: `model` is the person of
-- examples/hero.lua, who also stands in for files that are not there. What is saved goes to a temporary file.
local anim = require("anim")

local lfs = require("lfs")

local files = { "README.md" }
for name in lfs.dir("docs") do
  if name:match("%.md$") then files[#files + 1] = "docs/" .. name end
end
table.sort(files)

local model

local function hero()
  model = model or dofile("examples/hero.lua").build()
  model.name, model.skins, model.morphs, model.warnings = "hero", {}, {}, {}
  return model
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
    if not exists(path) then return hero() end
    return anim.load(path, ...)
  end
  function copy.save(what, path)
    saved[path] = os.tmpname()
    return anim.save(what, saved[path])
  end
  function copy.view(what, path)
    saved[path] = os.tmpname()
    return anim.view(what, saved[path])
  end
  return copy
end

local function run(code, name)
  local saved = {}
  local library = standIn(saved)
  local env = setmetatable({ model = hero(),
    require = function(module) return module == "anim" and library or require(module) end,
    print = function() end,
  }, { __index = _G })
  local chunk
  if setfenv then -- luacheck: ignore 113 143
    chunk = assert(loadstring(code, name)) -- luacheck: ignore 113
    setfenv(chunk, env) -- luacheck: ignore 113
  else
    chunk = assert(load(code, name, "t", env))
  end
  chunk()
  for _, path in pairs(saved) do os.remove(path) end
end

for _, path in ipairs(files) do
  describe(path, function()
    local code, start, number = nil, nil, 0
    for line in io.lines(path) do
      number = number + 1
      if line == "```lua" then
        code, start = {}, number
      elseif line:sub(1, 3) == "```" and code then
        local text, first = table.concat(code, "\n"), start
        it("line " .. first .. " runs", function() run(text, "=" .. path .. ":" .. first) end)
        code = nil
      elseif code then
        code[#code + 1] = line
      end
    end
  end)
end
