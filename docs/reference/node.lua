local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local hero = anim.newGraph(model, { params = { speed = 0 }, root = { type = "clip", name = "steps", clip = "walk" } })
local steps = hero:getRoot()

-- ## Node:getTime Node:setTime
hero:update(.2)
print(("%.1f"):format(steps:getTime())) --> 0.2
hero:on("footstep", function(_, _, _, _, time) print("step", time) end)
steps:setTime(.7, true) -- tells what lies between, with the next update
hero:update(0) --> step  0.5

-- ## Node:getPhase Node:setPhase
steps:setPhase(.25)
print(steps:getPhase()) --> 0.25

-- ## Node:getSpeed Node:setSpeed
steps:setSpeed(-1) -- backwards
hero:update(.25)
print(steps:getSpeed(), steps:getTime()) --> -1.0  0.75

-- ## Node:getDuration Node:getRemaining
hero:setRoot("wave")
hero:update(.4)
print(("%.1f of %.1f s are left"):format(hero:getRoot():getRemaining(), hero:getRoot():getDuration()))
--> 2.0 of 2.4 s are left

-- ## Node:play Node:pause Node:isPlaying
steps:pause()
hero:update(.5)
print(steps:isPlaying(), steps:getTime()) --> false  0.0
steps:play()
hero:update(.5)
print(steps:isPlaying(), steps:getTime()) --> true  0.5

-- ## Node:isDone
hero:setRoot("hit")
hero:update(1)
print(hero:getRoot():isDone(), hero:getRoot():getTime()) --> true  0.8

-- ## Node:getWeight Node:getInputWeight Node:setWeight
local mix = hero:mixer({ inputs = { "idle", "walk" } })
hero:setRoot(hero:mixer({ inputs = { mix, "run" }, weights = { 1, 1 } }))
mix:setWeight(2, 1)
hero:update(1 / 60)
print(mix:getWeight(), mix:getInputWeight(2), mix:getInput(2):getWeight()) --> 0.5  0.5  0.25

-- ## Node:getType Node:getName
print(steps:getType(), steps:getName()) --> clip  steps

-- ## Node:getGraph
print(steps:getGraph() == hero) --> true

-- ## Node:reset
hero:update(.3)
steps:reset()
print(steps:getTime()) --> 0.0

-- ## Node:on
steps:on("footstep", function(name, _, node) print(name, node:getName()) end)
hero:update(.1) --> footstep  steps

-- ## Node:getInput Node:getInputCount
local move = hero:blend1D({ param = "speed", { 0, "idle" }, { 1.4, "walk" } })
print(move:getInputCount(), move:getInput(2):getClip():getName()) --> 2  walk

-- ## Node:setInput
local blend = hero:blend1D({ param = "speed", { 0, "idle" }, { 1.4, "walk" } })
blend:setInput(1, "aim")
print(blend:getInput(1):getClip():getName()) --> aim

-- ## Node:addInput Node:removeInput
local gaits = hero:blend1D({ param = "speed", { 0, "idle" }, { 3.6, "run" } })
print(gaits:addInput({ 1.4, "walk" })) --> 2
gaits:removeInput(3)
print(gaits:getInputCount(), gaits:getInput(2):getClip():getName()) --> 2  walk

-- ## Node:setLayerWeight
local layers = hero:layers({ base = "walk", { "aim", mask = anim.newMask(model.skeleton, { "spine" }) } })
hero:setRoot(layers)
hero:update(0)
layers:setLayerWeight(1, 0, .2) -- lowers the gun in .2 s
hero:update(.1)
print(("%.1f"):format(layers:getInputWeight(1))) --> 0.5

-- ## Node:fadeTo Node:isFading Node:getTarget
local stances = hero:mixer({ inputs = { "idle", "walk", "run" } })
hero:setRoot(stances)
hero:update(0)
stances:fadeTo(3, .4)
hero:update(.1)
print(stances:isFading(), stances:getTarget(), ("%.2f"):format(stances:getInputWeight(3))) --> true  3  0.25

-- ## Node:getState Node:getSource Node:getProgress
local machine = hero:machine({ initial = "stand", states = { stand = "idle", go = "walk" },
  transitions = { { from = "stand", to = "go", when = "speed > 0.1", fade = .4 } } })
hero:setRoot(machine)
hero:update(.1)
hero:set("speed", 1)
hero:update(.1)
print(machine:getSource(), machine:getState(), ("%.2f"):format(machine:getProgress())) --> stand  go  0.25

-- ## Node:travel
local ways = { { from = "floor", to = "knees" }, { from = "knees", to = "up" } } -- a fade of .2 s each
local rise = hero:machine({ initial = "floor", states = { floor = "death", knees = "jump_land", up = "idle" },
  transitions = { { from = "floor", to = "knees", when = "speed > 9" }, { from = ways[2].from, to = ways[2].to,
    when = "speed > 9" } } })
hero:setRoot(rise)
hero:update(.1)
rise:travel("up") -- through knees, whatever the conditions say
for _ = 1, 60 do hero:update(1 / 60) end
print(rise:getState()) --> up

-- ## Node:getTrace
local door = hero:machine({ initial = "shut", states = { shut = "idle", open = "wave" },
  transitions = { { from = "shut", to = "open", when = "speed > 0.5" } } })
hero:setRoot(door)
hero:update(.1)
hero:set("speed", 2)
hero:update(.1)
local last = door:getTrace(1)[1]
print(last.from, last.to, last.when, last.params.speed) --> shut  open  speed > 0.5  2.0

-- ## Node:setClip Node:getClip
hero:update(.25)
steps:setClip("run", true) -- at the same phase
print(steps:getClip():getName(), steps:getPhase()) --> run  0.25

-- ## Node:setLoop Node:getLoop
steps:setLoop(false)
print(steps:getLoop()) --> false

-- ## Node:setPose
local still = hero:pose(anim.newPose(model.skeleton))
local pose = anim.newPose(model.skeleton)
model.clips.wave:sample(1, pose)
still:setPose(pose)
hero:setRoot(still)
hero:update(0)
print(("%.2f"):format(select(2, hero:getPosition("hand.R")))) --> 1.64

-- ## Node:fire Node:isActive
local act = hero:oneShot({ base = "idle" })
hero:setRoot(act)
act:fire("hit", { speed = 1.5 })
hero:update(.1)
print(act:isActive()) --> true

-- ## Node:stop
local shot = hero:oneShot({ base = "idle" })
hero:setRoot(shot)
shot:fire("wave")
hero:update(.5)
shot:stop(.1)
hero:update(.2)
print(shot:isActive()) --> false

-- ## Node:pick
local moods = hero:random({ inputs = { "idle", "wave", "aim" }, seed = 3 })
hero:setRoot(moods)
moods:on("enter", function(_, index) print(index) end)
moods:pick(2)
hero:update(1 / 60) --> 2

-- ## Node:push Node:getIndex
local queue = hero:queue({ inputs = { "hit" } })
hero:setRoot(queue)
queue:push("wave")
hero:update(1)
print(queue:getIndex(), queue:getInputCount()) --> 2  2

-- ## Node:skip
local tour = hero:queue({ inputs = { "wave", "attack" } })
hero:setRoot(tour)
hero:update(.1)
tour:skip()
hero:update(.1)
print(tour:getIndex()) --> 2

-- ## Node:clear
local orders = hero:queue({ inputs = { "hit", "wave", "attack" } })
hero:setRoot(orders)
hero:update(.1)
orders:clear()
print(orders:getInputCount(), orders:getIndex()) --> 1  1

-- ## Node:setTarget
local reach = hero:twoBone({ input = "idle", joint = "hand.L", target = { .3, 1, .3 } })
hero:setRoot(reach)
reach:setTarget(.3, 1.4, .3)
hero:update(1 / 60)
print(("%.2f %.2f %.2f"):format(hero:getPosition("hand.L"))) --> 0.30 1.40 0.30
reach:setTarget(hero, "head") -- or a joint, of this character or another
hero:update(1 / 60)

-- ## Node:setPole
local elbow = hero:twoBone({ input = "idle", joint = "hand.L", target = { .3, 1.2, .3 } })
hero:setRoot(elbow)
elbow:setPole(1, 1.2, 0) -- the elbow goes out
hero:update(1 / 60)
local out = hero:getPosition("lower_arm.L")
elbow:setPole(0, 0, 0)
hero:update(1 / 60)
print(out > (hero:getPosition("lower_arm.L"))) --> true

-- ## Node:getResidual
local far = hero:twoBone({ input = "idle", joint = "hand.L", target = { 3, 1.4, 0 } })
hero:setRoot(far)
hero:update(1 / 60)
print(far:getResidual() > 2) --> true

-- ## Node:setGround
local feet = hero:foot({ input = "idle", pelvis = "hips", legs = { { joint = "foot.L" }, { joint = "foot.R" } } })
hero:setRoot(feet)
feet:setGround(1, 0, .1, 0) -- a ray of the game's physics hit ten centimetres up
feet:setGround(2, 0, 0, 0)
for _ = 1, 60 do hero:update(1 / 60) end
print(("%.2f m"):format(select(2, hero:getPosition("foot.L")) - select(2, hero:getPosition("foot.R")))) --> 0.10 m

-- ## Node:addCollider
local sleeve = hero:spring({ input = "idle", joint = "lower_arm.L", gravity = 9.8 })
sleeve:addCollider({ joint = "hips", radius = .15 })
hero:setRoot(sleeve)
hero:update(1 / 60)
print(sleeve:getType()) --> spring

-- ## Node:teleport
local tail = hero:spring({ input = "idle", joint = "lower_arm.L" })
hero:setRoot(tail)
hero:update(.1)
hero:setTransform(100, 0, 0) -- somewhere else: nothing shall swing
tail:teleport()
hero:update(0)
local after = hero:getPosition("hand.L")
hero:setRoot("idle")
hero:update(0)
print(math.abs(after - hero:getPosition("hand.L")) < .01) --> true

-- ## Node:release
steps:release()
print(hero:find("steps"):getTime()) --> 0.0
