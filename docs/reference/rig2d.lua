local anim = require("anim")
local rig2d = require("anim.love.rig2d")
local rig = rig2d.newRig({
  joints = {
    { name = "hips", y = -60 },
    { name = "thigh", parent = "hips", x = 0, angle = 1.4, length = 30 },
    { name = "shin", parent = "thigh", angle = .3, length = 30 },
    { name = "foot", parent = "shin" },
  },
  sprites = {
    { name = "leg", joint = "thigh", polygon = rig2d.limb(30, 6, 4) },
    { name = "face", joint = "hips", choices = { calm = { polygon = { -5, -20, 5, -20, 0, -8 } },
      angry = { polygon = { -5, -8, 5, -8, 0, -20 } } }, choice = "calm" },
  },
  clips = {
    stand = { duration = 1 },
    kick = { loop = false, joints = { thigh = { angle = { { 0, 0 }, { .2, -1, "smooth" }, { .5, 0 } } } },
      events = { { .2, "hit" } }, sprites = { face = { { 0, "angry" } } } },
  },
})
local hero = rig:newCharacter({ x = 100, y = 200 })

-- ## love.rig2d.newRig
print(#rig.skeleton, rig.clips.kick:getDuration()) --> 4  0.5

-- ## love.rig2d.limb
print(#rig2d.limb(30, 6, 4)) -- x and y of each of eighteen points
--> 36

-- ## love.rig2d.ground
local ground = rig2d.ground(function(x) return x > 100 and 180 or 200 end) -- a step up, in pixels of the screen
print(ground(50, 0, 0), (ground(150, 0, 0))) --> -200.0  -180.0

-- ## love.Rig2D:newCharacter
local fighter = rig:newCharacter({ graph = { root = "stand" }, x = 10, y = 20, facing = -1 })
fighter:update(1 / 60)
print(fighter:getFacing()) --> -1

-- ## love.Rig2D:describe
local graph = anim.newGraph(rig, rig:describe({ root = { type = "twoBone", input = "stand", joint = "foot",
  target = { 10, -5 } } })) -- y is down here; anim's own is up
print(graph:describe().root.target[2]) --> 5

-- ## love.Character2D:getGraph
hero:getGraph():play("kick")
hero:getGraph():on("hit", function() print("hit") end)
for _ = 1, 20 do hero:update(1 / 60) end --> hit

-- ## love.Character2D:getRig
print(hero:getRig() == rig) --> true

-- ## love.Character2D:setTransform love.Character2D:getTransform
hero:setTransform(300, 400, 0, 2)
print(hero:getTransform()) --> 300  400  0  2  2

-- ## love.Character2D:setPosition
hero:setPosition(120, 200)
print(hero:getTransform()) --> 120  200  0  1  1

-- ## love.Character2D:setFacing love.Character2D:getFacing
hero:setFacing(-1)
print(hero:getFacing()) --> -1

-- ## love.Character2D:toWorld
print(hero:toWorld(0, -60)) --> 100.0  140.0

-- ## love.Character2D:toRig
print(hero:toRig(100, 140)) --> 0.0  -60.0

-- ## love.Character2D:update
hero.graph:play("kick")
hero:update(.1)
print(("%.0f %.0f"):format(hero:getPosition("foot"))) --> 130 191

-- ## love.Character2D:advance love.Character2D:evaluate
hero.graph:play("kick")
hero:advance(.1) -- time and events
hero:setPosition(105, 200) -- what the physics says
hero:evaluate() -- the pose
print(("%.0f %.0f"):format(hero:getPosition("hips"))) --> 105 140

-- ## love.Character2D:getRootMotion
hero.graph:play("stand")
hero:update(1 / 60)
local dx, dy = hero:getRootMotion() -- of clips with `root`
print(dx == 0, dy == 0) --> true  true

-- ## love.Character2D:getPosition
hero:update(0)
print(hero:getPosition("hips")) --> 100.0  140.0

-- ## love.Character2D:getJoint
hero:update(0)
local x, y, angle = hero:getJoint("thigh")
print(("%.0f %.0f, turned by %.1f"):format(x, y, angle)) --> 100 140, turned by 1.4

-- ## love.Character2D:setTarget love.Character2D:setPole
local stepper = rig:newCharacter({ x = 100, y = 200, graph = { root = { type = "twoBone", name = "step",
  input = "stand", joint = "foot", target = { 0, 0 } } } })
stepper:setTarget("step", 115, 190) -- in pixels of the screen
stepper:setPole("step", 200, 170) -- the knee goes ahead
stepper:update(1 / 60)
print(("%.0f %.0f"):format(stepper:getPosition("foot"))) --> 115 190

-- ## love.Character2D:setSprite love.Character2D:getSprite
hero.graph:play("kick")
hero:update(.1)
print(hero:getSprite("face")) --> angry
hero:setSprite("face", "calm")
print(hero:getSprite("face")) --> calm

-- ## love.Character2D:reload
hero:reload({ root = { type = "clip", clip = "kick", speed = 2 } })
hero:update(.1)
print(("%.1f"):format(hero.graph:getRoot():getTime())) --> 0.2

-- ## love.Character2D:clone
local twin = hero:clone()
twin:setPosition(300, 200)
print(hero:getTransform()) --> 100  200  0  1  1
