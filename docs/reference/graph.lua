local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local hero = anim.newGraph(model)

-- ## Graph:add
local node = hero:add({ type = "mixer", name = "mix", inputs = { "idle", "walk" }, weights = { .5, .5 } })
print(node:getType(), node:getName(), node:getInputCount()) --> mixer  mix  2

-- ## Graph:clip
hero:setRoot(hero:clip({ clip = "walk", speed = 1.2 }))
hero:update(.5)
print(("%.2f"):format(hero:getRoot():getTime())) --> 0.60

-- ## Graph:pose
local pose = anim.newPose(model.skeleton)
model.clips.wave:sample(1, pose)
hero:setRoot(hero:pose(pose))
hero:update(0)
print(("the hand is %.2f m high"):format(select(2, hero:getPosition("hand.R")))) --> the hand is 1.64 m high

-- ## Graph:mixer
local mixer = hero:mixer({ inputs = { "idle", "walk" } }) -- the first has all the weight
hero:setRoot(mixer)
mixer:fadeTo(2, .3)
hero:update(.15)
print(("%.1f %.1f"):format(mixer:getInputWeight(1), mixer:getInputWeight(2))) --> 0.5 0.5

-- ## Graph:blend1D
local speed = hero:param("speed", 0)
hero:setRoot(hero:blend1D({ param = speed, { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } }))
speed:set(2.5)
hero:update(1 / 60)
print(("walk %.1f, run %.1f"):format(hero:getRoot():getInputWeight(2), hero:getRoot():getInputWeight(3)))
--> walk 0.5, run 0.5

-- ## Graph:blend2D
hero:param("vx", 0)
hero:param("vy", 0)
local move = hero:blend2D({ x = "vx", y = "vy", { 0, 0, "idle" }, { 0, 1.4, "walk" }, { 0, -1.2, "walk_back" },
  { 1.4, 0, "strafe_left" }, { -1.4, 0, "strafe_right" } })
hero:setRoot(move)
hero:set("vx", .7)
hero:set("vy", .7)
hero:update(1 / 60)
print(("ahead %.1f, to the left %.1f"):format(move:getInputWeight(2), move:getInputWeight(4)))
--> ahead 0.5, to the left 0.5

-- ## Graph:direct
hero:param("smile", .25)
hero:param("frown", .5)
local face = hero:direct({ { "smile", "wave" }, { "frown", "hit" } }) -- what is left of 1 is rest
hero:setRoot(face)
hero:update(1 / 60)
print(face:getInputWeight(1), face:getInputWeight(2)) --> 0.25  0.5

-- ## Graph:layers
local upper = anim.newMask(model.skeleton, { "spine" })
hero:setRoot(hero:layers({ base = "walk", { "aim", mask = upper, weight = .8 }, { "hit", mode = "additive" } }))
hero:update(1 / 60)
print(("%.1f"):format(hero:getRoot():getInputWeight(1))) --> 0.8

-- ## Graph:script
local nod = hero:script({
  inputs = { "idle" },
  pose = function(_, p) p:aim({ joint = "head", target = { 0, 0, 1 } }) end, -- looks at the floor
})
hero:setRoot(nod)
hero:update(1 / 60)
local head = { hero:getMatrix("head") }
print(head[10] < -.5) --> true

-- ## Graph:machine
hero:param("speed", 0)
hero:setRoot(hero:machine({
  initial = "stand",
  states = { stand = "idle", go = "walk" },
  transitions = {
    { from = "stand", to = "go", when = "speed > 0.1", fade = .2 },
    { from = "go", to = "stand", when = "speed <= 0.1", fade = .2 },
  },
}))
hero:update(1 / 60)
hero:set("speed", 1)
hero:update(1 / 60)
print(hero:getRoot():getState(), hero:getRoot():getSource()) --> go  stand

-- ## Graph:oneShot
local act = hero:oneShot({ base = "walk", mask = anim.newMask(model.skeleton, { "spine" }) })
hero:setRoot(act)
act:fire("wave")
hero:update(1 / 60)
print(act:isActive()) --> true

-- ## Graph:random
hero:setRoot(hero:random({ inputs = { "idle", "wave" }, weights = { 3, 1 }, seed = 7, fade = .2 }))
hero:on("enter", function(_, index) print("input", index) end)
hero:update(1 / 60) --> input  2

-- ## Graph:queue
local queue = hero:queue({ inputs = { "jump_start", "jump_land" }, fade = .1 })
hero:setRoot(queue)
hero:update(.7)
print(queue:getIndex()) --> 2

-- ## Graph:twoBone
local reach = hero:twoBone({ input = "idle", joint = "hand.R", target = { -.3, 1.2, .3 } })
hero:setRoot(reach)
hero:update(1 / 60)
print(("%.2f %.2f %.2f"):format(hero:getPosition("hand.R"))) --> -0.30 1.20 0.30

-- ## Graph:chain
local chain = hero:chain({ input = "idle", root = "spine", joint = "hand.L", target = { .4, 1.3, .4 } })
hero:setRoot(chain)
hero:update(1 / 60)
print(chain:getResidual() < 1e-3) --> true

-- ## Graph:aim
local look = hero:aim({ input = "idle", joints = { { "neck", .4 }, "head" }, target = { 2, 1.6, 2 }, limit = 1.2 })
hero:setRoot(look)
hero:update(1 / 60)
print(look:getResidual() < .01) --> true

-- ## Graph:foot
local feet = hero:foot({
  input = "idle", pelvis = "hips",
  legs = { { joint = "foot.L", heel = "heel.L", toe = "toe.L" }, { joint = "foot.R", heel = "heel.R", toe = "toe.R" } },
  ground = function(x) return x > 0 and .1 or 0, 0, 1, 0 end, -- a step of ten centimetres on the left
})
hero:setRoot(feet)
for _ = 1, 60 do hero:update(1 / 60) end
local _, left = hero:getPosition("heel.L")
local _, right = hero:getPosition("heel.R")
print(("%.2f m"):format(left - right)) --> 0.10 m

-- ## Graph:spring
hero:setRoot(hero:spring({ input = "walk", joint = "upper_arm.L", stiffness = 1.5, damping = .2 }))
local _, lowered = hero:getPosition("hand.L")
for _ = 1, 30 do
  hero:update(1 / 60)
  lowered = math.min(lowered, (select(2, hero:getPosition("hand.L"))))
end
print(lowered < select(2, anim.newPose(model.skeleton):getPosition("hand.L"))) --> true

-- ## Graph:stride
hero:param("factor", 1.2)
hero:setRoot(hero:stride({ input = "walk", pelvis = "hips", factor = "factor",
  legs = { { joint = "foot.L" }, { joint = "foot.R" } } }))
hero:update(1 / 60)
print(hero:getRoot():getResidual() < .01) --> true

-- ## Graph:orient
hero:param("heading", .5)
hero:setRoot(hero:orient({ input = "walk", pelvis = "hips", spine = { "spine", "chest" }, angle = "heading" }))
hero:update(1 / 60)
local m = { hero:getMatrix("hips") }
print(("the hips are turned by about %.1f"):format((math.atan2 or math.atan)(m[9], m[11])))
--> the hips are turned by about 0.4

-- ## Graph:remove
local spare = hero:clip("walk")
hero:remove(spare)
print(pcall(spare.getTime, spare)) --> false  attempt to use a node that was removed from its graph

-- ## Graph:setRoot Graph:getRoot
hero:setRoot("walk")
print(hero:getRoot():getType()) --> clip
hero:setRoot(nil)
print(hero:getRoot()) --> nil

-- ## Graph:find
hero:clip({ name = "steps", clip = "walk" })
print(hero:find("steps"):getClip():getName(), hero:find("hops")) --> walk  nil

-- ## Graph:getSkeleton
print(hero:getSkeleton() == model.skeleton) --> true

-- ## Graph:param
local vigour = hero:param("vigour", .5, { smooth = .1 })
hero:param("jump", "trigger", { life = .3 }) -- forgotten after .3 s if nothing used it
print(vigour:get(), hero:param("vigour") == vigour) --> 0.5  true

-- ## Graph:getParams
hero:param("speed", 0)
hero:param("aiming", false)
for _, param in ipairs(hero:getParams()) do print(param:getName(), param:get()) end
--> speed  0.0
--> aiming  false
print(hero:getParams().speed:get()) --> 0.0

-- ## Graph:set Graph:get
hero:param("speed", 0)
hero:set("speed", 2.5)
print(hero:get("speed")) --> 2.5

-- ## Graph:fire
hero:param("jump", "trigger")
hero:fire("jump")
print(hero:get("jump")) --> true

-- ## Graph:cancel
hero:param("jump", "trigger")
hero:fire("jump")
hero:cancel("jump") -- the player let go of the button
print(hero:get("jump")) --> false

-- ## Graph:advance Graph:evaluate
hero:play("walk")
hero:advance(.25) -- time moves, events are queued
hero:setTransform(0, 0, 1.5) -- what the pose depends on
hero:evaluate() -- the pose is made
print(("%.2f m"):format(select(2, hero:getPosition("foot.L")))) --> 0.09 m

-- ## Graph:deliver
hero:play("walk")
hero:on("footstep", function(_, _, _, _, time) print("a step at", time) end)
hero:advance(.3)
hero:setTransform(0, 0, .42)
hero:deliver() --> a step at  0.0
hero:evaluate()

-- ## Graph:update
hero:play("walk")
for _ = 1, 30 do hero:update(1 / 60) end
print(("%.2f"):format(hero:getRoot():getTime())) --> 0.50

-- ## Graph:reset
hero:setRoot("walk")
hero:update(.3)
hero:reset()
print(hero:getRoot():getTime()) --> 0.0

-- ## Graph:setSpeed Graph:getSpeed
hero:setRoot("walk")
hero:setSpeed(.5) -- slow motion
hero:update(.5)
print(hero:getSpeed(), hero:getRoot():getTime()) --> 0.5  0.25

-- ## Graph:play
hero:play("walk")
hero:update(.2)
local trunk = anim.newMask(model.skeleton, { "spine" })
hero:play("wave", { mask = trunk, fade = .1, onDone = function() print("it waved") end })
for _ = 1, 180 do hero:update(1 / 60) end --> it waved

-- ## Graph:stop
hero:play("walk")
hero:update(.2)
hero:stop(.3) -- to the rest pose
for _ = 1, 30 do hero:update(1 / 60) end
local count = 0
for _ in hero:active() do count = count + 1 end
print(count) --> 0

-- ## Graph:on
hero:play("walk")
hero:on("footstep", function(name, _, _, clip, time) print(name, clip:getName(), time) end)
for _ = 1, 45 do hero:update(1 / 60) end --> footstep  walk  0.0
--> footstep  walk  0.5

-- ## Graph:events
hero:play("attack")
hero:update(.3)
for name, _, _, clip, time, weight, edge in hero:events() do
  print(name, clip:getName(), time, weight, edge) --> footstep  attack  0.27  1.0  nil
  --> hit_window  attack  0.29  1.0  begin
end

-- ## Graph:active
hero:play("idle")
hero:update(.1)
hero:play("walk", .2)
hero:update(.1)
for clip, time, weight in hero:active() do
  print(("%s at %.1f s: %.1f"):format(clip:getName(), time, weight)) --> idle at 0.2 s: 0.5
  --> walk at 0.1 s: 0.5
end

-- ## Graph:isDuring
hero:play("attack")
hero:update(.1)
print(hero:isDuring("hit_window")) --> false
hero:update(.25)
print(hero:isDuring("hit_window")) --> true

-- ## Graph:getJoint
hero:play("walk")
hero:update(.1)
local _, y, _, qx, qy, qz, qw = hero:getJoint("hips")
print(("%.2f m high, length of the rotation %.3f"):format(y, qx * qx + qy * qy + qz * qz + qw * qw))
--> 0.93 m high, length of the rotation 1.000

-- ## Graph:getMatrix
hero:play("idle")
hero:update(0)
local matrix = { hero:getMatrix("head") }
print(("the head is %.2f m high"):format(matrix[14])) --> the head is 1.56 m high

-- ## Graph:getPosition
hero:play("wave")
hero:update(1)
print(("%.2f %.2f %.2f"):format(hero:getPosition("hand.R"))) --> -0.53 1.64 0.02

-- ## Graph:getPose
hero:play("wave")
hero:update(1)
local copy = hero:getPose() -- or into a pose that is there: hero:getPose(copy)
print(("%.2f"):format(select(2, copy:getPosition("hand.R")))) --> 1.64

-- ## Graph:getRootMotion
local travelling = dofile("examples/hero.lua").build({ travel = true }).clips
hero:setRoot(travelling.run:withRootMotion({ joint = "root", translation = "xz" }))
hero:update(.1)
local dx, dy, dz = hero:getRootMotion()
print(("%.2f %.2f %.2f"):format(dx, dy, dz)) --> 0.00 0.00 0.36

-- ## Graph:getCurve
hero:play("walk")
hero:update(.25)
print(hero:getCurve("foot_lock.L"), hero:getCurve("anger"), hero:getCurve("anger", .5)) --> 1.0  0.0  0.5

-- ## Graph:getProperty
hero:setRoot(anim.newClip({ skeleton = model.skeleton,
  properties = { mouth = { times = { 0, .5, 1 }, values = { "shut", "open", "shut" } } } }))
hero:update(.7)
print(hero:getProperty("mouth")) --> open

-- ## Graph:getMorph
local faces = { skeleton = model.skeleton, clips = model.clips, skins = {},
  morphs = { { name = "face", targets = { "shut_eyes" }, curves = { "blink" }, weights = { 0 } } } }
local blinking = anim.newGraph(faces, { root = "idle" })
local shut = 0
for _ = 1, 240 do
  blinking:update(1 / 60)
  shut = math.max(shut, blinking:getMorph("face", "shut_eyes"))
end
print(shut) --> 0.83333331346512

-- ## Graph:writePalette Graph:getPalette Graph:getPaletteString
local legs = assert(anim.decode([[{ "asset": { "version": "2.0" }, "scenes": [ { "nodes": [ 0 ] } ],
  "nodes": [ { "children": [ 1 ] }, {} ], "skins": [ { "joints": [ 0, 1 ] } ] }]], "legs.gltf"))
local walker, skin = anim.newGraph(legs), legs.skins[1]
walker:update(1 / 60)
local buffer = anim.newBuffer(2 * #skin * 64)
walker:writePalette(skin, buffer, #skin * 64) -- as the second of two
print(walker:getPalette(skin):getSize(), #walker:getPaletteString(skin, "3x4")) --> 128  96

-- ## Graph:setTransform
hero:setRoot(hero:twoBone({ input = "idle", joint = "hand.L", space = "world", target = { 5.3, 1.2, .4 } }))
hero:setTransform(5, 0, 0)
hero:update(1 / 60)
print(("%.2f %.2f %.2f"):format(hero:getPosition("hand.L"))) --> 0.30 1.20 0.40

-- ## Graph:warp Graph:isWarping
local clips = dofile("examples/hero.lua").build({ travel = true }).clips
hero:setRoot(clips.walk:withRootMotion({ joint = "root", translation = "xz", rotation = "y" }))
hero:warp({ position = { .3, 0, 1 }, facing = 0, seconds = 1 }) -- there in a second, though a walk goes elsewhere
local wx, wz = 0, 0
for _ = 1, 60 do
  hero:update(1 / 60)
  local mx, _, mz = hero:getRootMotion()
  wx, wz = wx + mx, wz + mz
end
print(("%.2f %.2f"):format(wx, wz), hero:isWarping()) --> 0.30 1.00  false

-- ## Graph:clone
hero:setRoot("walk")
local twin = hero:clone()
twin:getRoot():setPhase(.5)
print(hero:getRoot():getPhase(), twin:find(hero:getRoot()):getPhase()) --> 0.0  0.5

-- ## Graph:save Graph:restore
hero:setRoot("walk")
hero:update(.2)
local saved = hero:save()
hero:update(.5)
assert(hero:restore(saved))
print(("%.1f"):format(hero:getRoot():getTime())) --> 0.2
print(hero:restore("something else")) --> nil  not a saved graph

-- ## Graph:hash
hero:setRoot("walk")
local other = hero:clone()
for _ = 1, 10 do
  hero:update(1 / 60)
  other:update(1 / 60)
end
print(hero:hash() == other:hash(), hero:hash("state") == other:hash("state")) --> true  true

-- ## Graph:describe
hero:setRoot(hero:mixer({ inputs = { "idle", "walk" } }))
local description = hero:describe()
print(description.root.type, description.root.inputs[2]) --> mixer  walk

-- ## Graph:inspect
hero:setRoot("walk")
hero:update(.25)
print(hero:inspect().nodes[1].clip, hero:inspect().time) --> walk  0.25

-- ## Graph:reload
hero:setRoot("walk")
hero:update(.25)
hero:reload({ root = { type = "clip", clip = "walk", speed = 2 } }) -- the file was edited: the walk goes on
print(hero:getRoot():getPhase(), hero:getRoot():getSpeed()) --> 0.25  2.0

-- ## Graph:toDot
hero:setRoot("walk")
print(hero:toDot():match("^%a+")) --> digraph

-- ## Graph:release
hero:setRoot("walk")
local root = hero:getRoot()
hero:release()
print(pcall(root.getTime, root)) --> false  attempt to use a node of a released anim.Graph
