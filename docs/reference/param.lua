local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local hero = anim.newGraph(model)
local speed, jump = hero:param("speed", 0), hero:param("jump", "trigger")

-- ## Param:set Param:get
speed:set(1.5)
print(speed:get()) --> 1.5

-- ## Param:getTarget Param:smooth
speed:smooth(.2)
hero:update(0) -- what is set before the first update counts at once
speed:set(1)
hero:update(.1)
print(("%.2f on its way to %.0f"):format(speed:get(), speed:getTarget())) --> 0.26 on its way to 1

-- ## Param:fire
jump:fire()
print(jump:get()) --> true

-- ## Param:cancel
jump:fire()
jump:cancel()
print(jump:get()) --> false

-- ## Param:deadZone
local stick = hero:param("stick", 0):deadZone(.2)
stick:set(.1)
hero:update(0)
print(stick:get()) --> 0.0
stick:set(.6)
hero:update(0)
print(("%.2f"):format(stick:get())) --> 0.50

-- ## Param:curve
local gait = hero:param("gait", 0):curve({ { 0, 0 }, { .5, 1.4 }, { 1, 3.6 } }) -- half of the stick: a walk
gait:set(.75)
hero:update(0)
print(("%.2f"):format(gait:get())) --> 2.50

-- ## Param:getName
print(speed:getName()) --> speed

-- ## Param:getGraph
print(speed:getGraph() == hero) --> true

-- ## Param:release
speed:release()
print(hero:get("speed")) --> 0.0
