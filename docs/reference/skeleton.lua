local anim = require("anim")
local skeleton = anim.newSkeleton({
  { name = "hips", translation = { 0, 1, 0 } },
  { name = "thigh", parent = "hips", translation = { .1, 0, 0 } },
  { name = "shin", parent = "thigh", translation = { 0, -.5, 0 } },
  { name = "spine", parent = "hips", translation = { 0, .2, 0 } },
})

-- ## Skeleton:find
print(skeleton:find("shin"), skeleton:find("tail")) --> 3  nil

-- ## Skeleton:getName
print(skeleton:getName(1), skeleton:getName(#skeleton)) --> hips  spine

-- ## Skeleton:getParent
print(skeleton:getParent("shin"), skeleton:getParent("hips")) --> 2  nil

-- ## Skeleton:getChildren
for _, joint in ipairs(skeleton:getChildren("hips")) do print(skeleton:getName(joint)) end --> thigh
--> spine

-- ## Skeleton:getRest
local x, y, z, _, _, _, w = skeleton:getRest("shin")
print(x, y, z, w) --> 0.0  -0.5  0.0  1.0

-- ## Skeleton:getSize
print(skeleton:getSize() > 0) --> true

-- ## Skeleton:release
local pose = anim.newPose(skeleton)
skeleton:release()
print(pose:getSkeleton():getName(1)) --> hips
