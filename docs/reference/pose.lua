local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local pose = anim.newPose(model.skeleton)

-- ## Pose:get
local x, y, z, _, _, _, qw, sx = pose:get("neck")
print(("%.3f %.3f %.3f, turned by %.0f degrees, %.0f times as large"):format(x, y, z,
  math.deg(2 * math.acos(math.min(qw, 1))), sx)) --> 0.000 0.155 -0.004, turned by 0 degrees, 1 times as large

-- ## Pose:set
pose:set("head", 0, .1, 0, 0, .38, 0, .92, 1, 1, 1) -- the rotation is normalised
print(("%.3f"):format(select(7, pose:get("head")))) --> 0.924

-- ## Pose:toRest
model.clips.wave:sample(1, pose)
pose:toRest()
print(select(2, pose:get("hips")) == select(2, model.skeleton:getRest("hips"))) --> true

-- ## Pose:copy
local before = anim.newPose(model.skeleton)
model.clips.wave:sample(1, pose)
before:copy(pose)
print(before:getPosition("hand.R") == pose:getPosition("hand.R")) --> true

-- ## Pose:blend
local other = anim.newPose(model.skeleton)
model.clips.idle:sample(0, pose)
model.clips.wave:sample(1, other)
pose:blend(other, .5, anim.newMask(model.skeleton, { "shoulder.R" })) -- half way there, this arm alone
print(("the hand is %.2f m high"):format(select(2, pose:getPosition("hand.R")))) --> the hand is 1.21 m high

-- ## Pose:add Pose:isAdditive
local recoil = anim.newPose(model.skeleton)
model.clips.hit:toAdditive():sample(.15, recoil)
model.clips.idle:sample(0, pose)
pose:add(recoil, .5)
print(recoil:isAdditive(), pose:isAdditive()) --> true  false

-- ## Pose:getMatrix
local m = { pose:getMatrix("hand.R") } -- the last column is where it is
print(#m, m[16]) --> 16  1.0

-- ## Pose:getPosition
print(("%.2f %.2f %.2f"):format(pose:getPosition("head"))) --> 0.00 1.57 -0.01

-- ## Pose:setMatrix
pose:setMatrix("hand.R", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -.4, 1.2, .3, 1)
print(("%.2f %.2f %.2f"):format(pose:getPosition("hand.R"))) --> -0.40 1.20 0.30

-- ## Pose:twoBone
local residual = pose:twoBone({ joint = "hand.R", target = { -.3, 1.2, .4 } })
local hx, hy, hz = pose:getPosition("hand.R")
print(("%.2f %.2f %.2f, off by %.3f m"):format(hx, hy, hz, residual)) --> -0.30 1.20 0.40, off by 0.000 m

-- ## Pose:chain
local left = pose:chain({ root = "spine", joint = "hand.L", target = { .5, 1.4, .5 }, tolerance = 1e-3 })
print(left <= 1e-3) --> true

-- ## Pose:aim
pose:aim({ joints = { { "neck", .4 }, "head" }, target = { 2, 1.5, 2 } }) -- ahead to the left
local h = { pose:getMatrix("head") }
print(("the face looks %.0f degrees to the left"):format(math.deg((math.atan2 or math.atan)(h[9], h[11]))))
--> the face looks 45 degrees to the left

-- ## Pose:stride
model.clips.walk:sample(0, pose)
local function step() return select(3, pose:getPosition("foot.L")) - select(3, pose:getPosition("foot.R")) end
local short = step()
pose:stride({ pelvis = "hips", factor = 1.3, legs = { { joint = "foot.L" }, { joint = "foot.R" } } })
print(("%.2f m became %.2f m"):format(short, step())) --> 0.65 m became 0.84 m

-- ## Pose:orient
pose:orient({ pelvis = "hips", spine = { "spine", "chest" }, angle = .5 }) -- legs to the left, chest ahead
local hips, chest = { pose:getMatrix("hips") }, { pose:getMatrix("upper_chest") }
local atan2 = math.atan2 or math.atan
print(("hips %.0f degrees, chest %.0f degrees"):format(math.deg(atan2(hips[9], hips[11])),
  math.deg(atan2(chest[9], chest[11])))) --> hips 29 degrees, chest 0 degrees

-- ## Pose:getPaletteString
local legs = [[{ "asset": { "version": "2.0" }, "scenes": [ { "nodes": [ 0 ] } ], "skins": [ { "joints": [ 0, 1 ] } ],
  "nodes": [ { "name": "hips", "children": [ 1 ] }, { "name": "knee", "translation": [ 0, -0.5, 0 ] } ] }]]
local skinned = assert(anim.decode(legs, "legs.gltf"))
print(#anim.newPose(skinned.skeleton):getPaletteString(skinned.skins[1])) --> 96

-- ## Pose:getSkeleton
print(#pose:getSkeleton()) --> 64

-- ## Pose:release
local spare = anim.newPose(model.skeleton)
spare:release()
print(pcall(spare.toRest, spare)) --> false  attempt to use a released anim.Pose
