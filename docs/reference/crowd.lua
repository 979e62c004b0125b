local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local walker = anim.newGraph(model, { root = "walk" })
local crowd = anim.newCrowd({ threads = 2 })

-- ## Crowd:add
for i = 1, 100 do crowd:add(walker:clone()):getRoot():setPhase(i / 100) end
print(#crowd) --> 100

-- ## Crowd:remove
local one = crowd:add(walker:clone())
crowd:remove(one)
print(#crowd) --> 0

-- ## Crowd:update
local first = crowd:add(walker:clone())
crowd:update(.25)
print(first:getRoot():getPhase()) --> 0.25

-- ## Crowd:on
crowd:add(walker:clone())
local steps = 0
crowd:on("footstep", function(_, _, node) steps = steps + (node:getGraph() and 1 or 0) end)
crowd:update(.6)
print(steps) --> 2

-- ## Crowd:setRate Crowd:getRate
local far = crowd:add(walker:clone())
crowd:setRate(far, 1 / 10) -- its pose is made ten times a second
print(crowd:getRate(far), crowd:getRate(crowd:add(walker:clone()))) --> 0.1  0.0

-- ## Crowd:getPalettes Crowd:getOffset
local legs = assert(anim.decode([[{ "asset": { "version": "2.0" }, "scenes": [ { "nodes": [ 0 ] } ],
  "nodes": [ { "children": [ 1 ] }, {} ], "skins": [ { "joints": [ 0, 1 ] } ] }]], "legs.gltf"))
local a, b = crowd:add(anim.newGraph(legs)), crowd:add(anim.newGraph(legs))
crowd:update(1 / 60)
local palettes = crowd:getPalettes(legs.skins[1], "3x4") -- two joints of 48 bytes each
print(palettes:getSize(), crowd:getOffset(a, legs.skins[1]), crowd:getOffset(b, legs.skins[1])) --> 192  0  96

-- ## Crowd:getThreads
print(crowd:getThreads()) --> 2

-- ## Crowd:release
local graph = crowd:add(walker:clone())
crowd:release()
graph:update(1 / 60) -- by hand again
print(pcall(crowd.update, crowd, 1 / 60)) --> false  attempt to use a released anim.Crowd
