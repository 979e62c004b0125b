-- Runs the programs of a guide, for spec/love_spec.lua: love spec/love/guide FILE.md. Those are its blocks that begin
-- with "lua love"; each is a main.lua, and `anim`, `model`, `hero` and `camera` are there as the first one makes them.
-- Prints "ok LINE" or "not ok LINE: why".
package.path = "examples/love/arena/?.lua;examples/?.lua;./?.lua;" .. package.path
local anim = require("anim")
require("anim.love")
local snippets = require("spec.support.snippets")

local callbacks = { "load", "update", "draw", "keypressed", "mousepressed", "mousemoved", "mousereleased" }
local own = {}

local function clear()
  for _, name in ipairs(callbacks) do love[name] = nil end
end

local function begin()
  local camera = anim.love.newCamera({ msaa = 0 })
  local model = assert(anim.love.load("hero.glb"))
  return setmetatable({ anim = anim, model = model, hero = model:newCharacter(), camera = camera }, { __index = _G })
end

local function run(block)
  clear()
  local chunk = assert(loadstring(block.text, "=line " .. block.line))
  setfenv(chunk, begin())
  chunk()
  if love.load then love.load({}) end
  for _ = 1, 3 do
    if love.update then love.update(1 / 60) end
    if love.draw then love.draw() end
  end
  love.graphics.reset()
end

function love.load(files)
  love.filesystem.write("hero.glb", require("body").write(dofile("examples/hero.lua").build().clips))
  love.filesystem.write("hero_graph.lua", 'return { params = { speed = 0 }, root = { type = "blend1D", param = "speed",'
    .. '{ 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } } }')
  for _, block in ipairs(snippets.blocks(files[1])) do
    if block.language == "lua love" then own[#own + 1] = block end
  end
  for _, block in ipairs(own) do
    local ran, why = xpcall(run, debug.traceback, block)
    print(ran and "ok " .. block.line or ("not ok %d: %s"):format(block.line, tostring(why)))
    io.flush()
  end
  clear()
  love.event.quit()
end
