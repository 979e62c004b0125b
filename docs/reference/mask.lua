local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local arm = anim.newMask(model.skeleton, { ["shoulder.L"] = .5, ["hand.L"] = 1 })

-- ## Mask:getWeight
print(arm:getWeight("upper_arm.L"), arm:getWeight("thumb.01.L"), arm:getWeight("head")) --> 0.5  1.0  0.0

-- ## Mask:getSkeleton
print(#arm:getSkeleton()) --> 64

-- ## Mask:release
local hero = anim.newGraph(model, { root = { type = "layers", base = "walk", { "wave", mask = arm } } })
arm:release() -- the graph keeps what it uses
hero:update(1 / 60)
print(hero:getRoot():getType()) --> layers
