-- The pose layer one call at a time: exact keys to a local pose, local to model space, blending.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local support = require("support")

local path = support.data() .. "/bench/pab_locomotion.glb"
local model = anim.load(path)
if not model then
  print("skipped, the test data are not there")
  return
end

local pose, other = anim.newPose(model.skeleton), anim.newPose(model.skeleton)
local calls = 10000

local function each(name, body) support.each(name, calls, body) end

print(("%d joints, %s"):format(#model.skeleton, _VERSION))
for _, clip in ipairs(model.clips) do
  local length = clip:getDuration()
  each("sample " .. clip:getName() .. ", times in order", function(i) clip:sample(i / calls * length, pose) end)
  each("sample " .. clip:getName() .. ", random times", function(i)
    clip:sample((i * 0.6180339887 % 1) * length, pose)
  end)
end
model.clips[1]:sample(0.3, other)
each("blend", function() pose:blend(other, 0.5) end)
each("one model-space matrix", function() pose:getMatrix(#model.skeleton) end)
