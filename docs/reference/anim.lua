local anim = require("anim")
local model = dofile("examples/hero.lua").build() -- 64 joints, 20 clips; what anim.load gives is used in the same way

-- ## anim.newSkeleton
local skeleton = anim.newSkeleton({
  { name = "hips", translation = { 0, 1, 0 } },
  { name = "hand", parent = "arm", translation = { .6, 0, 0 } }, -- in any order
  { name = "arm", parent = "hips", translation = { .2, .5, 0 } },
})
print(#skeleton, skeleton:getName(2), skeleton:getName(3)) --> 3  arm  hand

-- ## anim.newClip
local clip = anim.newClip({
  name = "nod",
  skeleton = model.skeleton,
  loop = false,
  tracks = { head = { rotation = { times = { 0, .4 }, values = { 0, 0, 0, 1, .2, 0, 0, .98 } } } },
  curves = { frown = { times = { 0, .4 }, values = { 0, 1 } } },
  events = { { time = .2, name = "grunt", data = { volume = .5 } } },
})
print(clip:getName(), clip:getDuration(), clip:getCurve("frown", .4)) --> nod  0.4  1.0

-- ## anim.newMask
local upper = anim.newMask(model.skeleton, { "spine" })
local arm = anim.newMask(model.skeleton, { ["upper_arm.L"] = 1, ["hand.L"] = .5, head = { .25, only = true } })
print(upper:getWeight("head"), arm:getWeight("thumb.01.L"), arm:getWeight("jaw")) --> 1.0  0.5  0.0

-- ## anim.newPose
local pose = anim.newPose(model.skeleton)
model.clips.wave:sample(1, pose)
print(("the hand is %.2f m high"):format(select(2, pose:getPosition("hand.R")))) --> the hand is 1.64 m high

-- ## anim.newBuffer
local buffer = anim.newBuffer(48 * #model.skeleton) -- three rows of four floats a joint
print(buffer:getSize()) --> 3072

-- ## anim.newGraph
local hero = anim.newGraph(model, {
  params = { speed = 0 },
  root = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } },
})
hero:set("speed", 2.5)
hero:update(1 / 60)
print(hero:getRoot()) --> anim.Node: blend1D

-- ## anim.newCrowd
local crowd, walker = anim.newCrowd({ threads = 2 }), anim.newGraph(model, { root = "walk" })
for _ = 1, 10 do crowd:add(walker:clone()) end
crowd:update(1 / 60)
print(#crowd, crowd:getThreads()) --> 10  2

-- ## anim.load
local loaded, problem = anim.load("missing.glb")
print(loaded, problem) --> nil  missing.glb: No such file or directory

-- ## anim.loadAsync
local loading = anim.loadAsync("missing.glb")
while not loading:isDone() do
  assert(loading:getProgress() <= 1) -- the game's loading screen goes here
end
print(loading:get()) --> nil  missing.glb: No such file or directory

-- ## anim.decode
local bytes = [[{ "asset": { "version": "2.0" },
  "nodes": [ { "name": "hips", "children": [ 1 ] }, { "name": "knee" } ] }]]
local decoded = assert(anim.decode(bytes, "legs.gltf"))
print(decoded.name, #decoded.skeleton, decoded.skeleton:getName(1)) --> legs.gltf  2  hips

-- ## anim.save
local path = os.tmpname()
assert(anim.save({ skeleton = model.skeleton, clips = model.clips, skins = {}, morphs = {} }, path))
local again = assert(anim.load(path))
os.remove(path)
print(#again.clips, again.clips.walk:getDuration()) --> 20  1.0

-- ## anim.validate
local lame = anim.newClip({ name = "lame", skeleton = model.skeleton,
  tracks = { hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 0, .8, 0 } } } } })
for _, finding in ipairs(anim.validate({ skeleton = model.skeleton, clips = { lame } })) do
  if finding.kind ~= "unused" then print(finding) end
  --> clip 'lame': ends 0.2 from where it begins, so it jumps back when it repeats
  --> clip 'lame', joint 'root': does not end as it begins
end

-- ## anim.guessMap
local joints = {}
for name, parent in ("Hips- Spine-Hips Head-Spine LeftUpLeg-Hips LeftLeg-LeftUpLeg LeftFoot-LeftLeg " ..
  "RightUpLeg-Hips RightLeg-RightUpLeg RightFoot-RightLeg"):gmatch("(%w+)%-(%w*)") do
  joints[#joints + 1] = { name = "mixamorig:" .. name, parent = parent ~= "" and "mixamorig:" .. parent or nil }
end
local map = anim.guessMap(model.skeleton, anim.newSkeleton(joints))
print(map.hips, map["upper_leg.L"], map["hand.L"]) --> mixamorig:Hips  mixamorig:LeftUpLeg  nil

-- ## anim.record anim.view
local actor = anim.newGraph(model)
actor:play("wave")
local recording = anim.record(actor)
for _ = 1, 60 do actor:update(1 / 60) end
recording:stop()
local page = os.tmpname()
assert(anim.view(recording, page)) -- one HTML file: open it in a browser
os.remove(page)
print(recording:getFrameCount()) --> 60
