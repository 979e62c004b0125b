local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local walk, wave, attack = model.clips.walk, model.clips.wave, model.clips.attack

-- ## Clip:getName Clip:getDuration Clip:getLoop
print(walk:getName(), walk:getDuration(), walk:getLoop()) --> walk  1.0  true
print(wave:getName(), wave:getDuration(), wave:getLoop()) --> wave  2.4  false

-- ## Clip:getLastKey
local long = anim.newClip({ skeleton = model.skeleton, duration = 5,
  curves = { blink = { times = { 0, .5, 1 }, values = { 0, 1, 0 } } } })
print(long:getDuration(), long:getLastKey()) --> 5.0  1.0

-- ## Clip:getSkeleton
print(#walk:getSkeleton()) --> 64

-- ## Clip:getEvents
for _, event in ipairs(attack:getEvents()) do print(event.time, event.name, event.duration) end
--> 0.27  footstep  nil
--> 0.29  hit_window  0.15
--> 0.84  footstep  nil

-- ## Clip:getMarkers
for _, marker in ipairs(walk:getMarkers()) do print(marker.time, marker.name) end --> 0.0  L
--> 0.5  R

-- ## Clip:getWarnings
local repaired = anim.newClip({ skeleton = model.skeleton,
  tracks = { head = { rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, 0, 0, 2 } } } } })
print(repaired:getWarnings()[1]) --> joint 'head': rotation keys are not unit (off by up to 1); normalised

-- ## Clip:getSize
local small = walk:pack()
print(small:getSize() < walk:getSize() / 3) --> true

-- ## Clip:isAdditive Clip:toAdditive
local lean = model.clips.aim:toAdditive(model.clips.idle) -- what aiming does to one who stands
print(lean:isAdditive(), model.clips.aim:isAdditive()) --> true  false

-- ## Clip:getChannels
print(walk:getChannels("hips")) --> translation  rotation
print(walk:getChannels("jaw")) --> rotation

-- ## Clip:getTrack
local keys = walk:getTrack("hips", "translation")
print(#keys.times, #keys.values, keys.mode) --> 61  183  linear

-- ## Clip:getCurves
print(table.concat(walk:getCurves(), ", ")) --> foot_lock.L, foot_lock.R

-- ## Clip:getCurve
print(walk:getCurve("foot_lock.L", .25), walk:getCurve("frown", .25)) --> 1.0  nil

-- ## Clip:getProperties Clip:getProperty
local talk = anim.newClip({ skeleton = model.skeleton,
  properties = { mouth = { times = { 0, .5, 1 }, values = { "shut", "open", "shut" } } } })
print(talk:getProperties()[1], talk:getProperty("mouth", .7)) --> mouth  open

-- ## Clip:sample
local pose = anim.newPose(model.skeleton)
for frame = 0, 3 do
  walk:sample(frame / 4 * walk:getDuration(), pose)
  print(("%.2f m"):format(select(2, pose:getPosition("foot.L")))) --> 0.10 m
  --> 0.09 m
  --> 0.12 m
  --> 0.20 m
end

-- ## Clip:addEvent
local loud = attack:addEvent(.3, "shout", "ha!")
print(#attack:getEvents(), #loud:getEvents()) --> 3  4

-- ## Clip:withLoop
local sway = wave:withLoop("pingpong")
print(wave:getLoop(), sway:getLoop()) --> false  pingpong

-- ## Clip:slice
local windUp = attack:slice(0, .29)
print(windUp:getDuration(), #windUp:getEvents()) --> 0.29  2

-- ## Clip:reverse
local back = model.clips.jump_start:reverse()
print(model.clips.jump_start:getEvents()[1].time == back:getDuration(), back:getEvents()[1].time) --> true  0.0

-- ## Clip:mirror
local left = wave:mirror("x") -- the hero's joints are called hand.L and hand.R: that is enough
local a, b = anim.newPose(model.skeleton), anim.newPose(model.skeleton)
wave:sample(1, a)
left:sample(1, b)
local x, y = a:getPosition("hand.R")
local mirroredX, mirroredY = b:getPosition("hand.L")
print(math.abs(x + mirroredX) < 1e-5, math.abs(y - mirroredY) < 1e-5) --> true  true

-- ## Clip:retarget
local child = anim.newSkeleton({ { name = "hips", translation = { 0, .5, 0 } },
  { name = "head", parent = "hips", translation = { 0, .3, 0 } } })
local walkOfChild, unbound = walk:retarget(child)
print(walkOfChild:getSkeleton() == child, #unbound > 20) --> true  true

-- ## Clip:withRootMotion
local travelling = dofile("examples/hero.lua").build({ travel = true }).clips.walk
local inPlace = travelling:withRootMotion({ joint = "root", translation = "xz" })
local hero = anim.newGraph(model)
hero:setRoot(inPlace)
hero:update(.5)
print(("%.2f m in half a second"):format(select(3, hero:getRootMotion()))) --> 0.70 m in half a second

-- ## Clip:pack Clip:getForm
local packed, report = walk:pack({ form = "small", error = 1e-4 })
print(packed:getForm(), walk:getForm(), report.maxError <= 1e-4, report.ratio > 5) --> small  nil  true  true

-- ## Clip:release
local spare = walk:slice(0, .5)
spare:release()
print(pcall(spare.getName, spare)) --> false  attempt to use a released anim.Clip
