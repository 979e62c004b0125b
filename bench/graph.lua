-- Characters: a blend of three synchronised clips, updated from Lua; what clones cost.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local core = require("anim.core")
local support = require("support")

local model = anim.load(support.data() .. "/bench/pab_locomotion.glb")
if not model then
  print("skipped, the test data are not there")
  return
end

local function walker()
  local graph = anim.newGraph(model)
  local speed = graph:param("speed", 2)
  graph:setRoot(graph:blend1D({ param = speed, { 0, "walk" }, { 2, "jog" }, { 4, "run" } }))
  graph:set("speed", 1.1)
  return graph
end

local each = support.each

print(("%d joints, %s, exact clips"):format(#model.skeleton, _VERSION))
local graph = walker()
local last = #model.skeleton
each("update, two clips of three with weight", 2000, function() graph:update(1 / 60) end)
each("update and one model-space matrix", 2000, function()
  graph:update(1 / 60)
  graph:getMatrix(last)
end)
each("advance alone", 2000, function() graph:advance(1 / 60) end)
each("set a parameter by name", 20000, function(i) graph:set("speed", i % 4) end)

local crowd = {}
for i = 1, 1000 do
  crowd[i] = graph:clone()
  crowd[i]:set("speed", i % 37 / 10)
  crowd[i]:update(i % 97 / 97)
end
each("update of 1,000 characters, each", 1, function()
  for i = 1, #crowd do crowd[i]:update(1 / 60) end
end)

local tree = anim.newGraph(model)
local inputs = {}
for i = 1, 19 do inputs[i] = ({ "walk", "jog", "run" })[i % 3 + 1] end
tree:setRoot(tree:mixer({ inputs = inputs }))
local clones = {} -- luacheck: ignore 241 (they are kept alive)
collectgarbage()
local _, before = core.memory()
local start = os.clock()
for i = 1, 10000 do clones[i] = tree:clone() end
local seconds = os.clock() - start
local _, after = core.memory()
print(("10,000 clones of a 20-node graph: %.3f s, %.0f bytes each"):format(seconds, (after - before) / 10000))
