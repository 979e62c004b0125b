-- What a script does by itself against what it asks this module for: three clips sampled and mixed in flat arrays,
-- translation and rotation only, no scale, no graph, no model space; and the whole update of a character. With the
-- argument "tables" LuaJIT has tables instead of its FFI's arrays, too.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local support = require("support")

local model = anim.load(support.data() .. "/bench/pab_locomotion.glb")
if not model then
  print("skipped, the test data are not there")
  return
end
local jit = rawget(_G, "jit")
local ffi = jit and arg[1] ~= "tables" and require("ffi")
local joints, sqrt, floor = #model.skeleton, math.sqrt, math.floor
local WIDTH = 7

local function array(count)
  if ffi then return ffi.new("float[?]", count) end
  local out = {}
  for i = 0, count - 1 do out[i] = 0 end
  return out
end

-- Frames at 30 a second, seven numbers a joint, one behind the other.
local function flatten(clip)
  local duration = clip:getDuration()
  local count = floor(duration * 30 + .5) + 1
  local keys, pose = array(count * joints * WIDTH), anim.newPose(model.skeleton)
  for frame = 0, count - 1 do
    clip:sample(duration * frame / (count - 1), pose)
    for j = 1, joints do
      local values, at = { pose:get(j) }, (frame * joints + j - 1) * WIDTH
      for k = 1, WIDTH do keys[at + k - 1] = values[k] end
    end
  end
  return { keys = keys, count = count }
end

local clips = { flatten(model.clips.walk), flatten(model.clips.jog), flatten(model.clips.run) }
local shares = { .2, .5, .3 }
local out = array(joints * WIDTH)

local function add(clip, phase, weight, first)
  local keys, place = clip.keys, phase * (clip.count - 1)
  local frame = floor(place)
  local u = place - frame
  local v = 1 - u
  local a, b = frame * joints * WIDTH, (frame + 1) * joints * WIDTH
  for o = 0, joints * WIDTH - 1, WIDTH do
    local tx, ty, tz = keys[a] * v + keys[b] * u, keys[a + 1] * v + keys[b + 1] * u, keys[a + 2] * v + keys[b + 2] * u
    local ax, ay, az, aw = keys[a + 3], keys[a + 4], keys[a + 5], keys[a + 6]
    local bx, by, bz, bw = keys[b + 3], keys[b + 4], keys[b + 5], keys[b + 6]
    local s = ax * bx + ay * by + az * bz + aw * bw < 0 and -u or u
    local x, y, z, w = ax * v + bx * s, ay * v + by * s, az * v + bz * s, aw * v + bw * s
    local scale = weight / sqrt(x * x + y * y + z * z + w * w)
    if first then
      out[o], out[o + 1], out[o + 2] = tx * weight, ty * weight, tz * weight
      out[o + 3], out[o + 4], out[o + 5], out[o + 6] = x * scale, y * scale, z * scale, w * scale
    else
      local px, py, pz, pw = out[o + 3], out[o + 4], out[o + 5], out[o + 6]
      if x * px + y * py + z * pz + w * pw < 0 then scale = -scale end
      out[o], out[o + 1], out[o + 2] = out[o] + tx * weight, out[o + 1] + ty * weight, out[o + 2] + tz * weight
      out[o + 3], out[o + 4], out[o + 5], out[o + 6] = px + x * scale, py + y * scale, pz + z * scale, pw + w * scale
    end
    a, b = a + WIDTH, b + WIDTH
  end
end

local function finish()
  for o = 3, joints * WIDTH - 1, WIDTH do
    local x, y, z, w = out[o], out[o + 1], out[o + 2], out[o + 3]
    local scale = 1 / sqrt(x * x + y * y + z * z + w * w)
    out[o], out[o + 1], out[o + 2], out[o + 3] = x * scale, y * scale, z * scale, w * scale
  end
end

local function update(phase)
  add(clips[1], phase, shares[1], true)
  add(clips[2], phase, shares[2], false)
  add(clips[3], phase, shares[3], false)
  finish()
end

local arrays = ffi and ", float arrays of its FFI" or ", tables"
print(("%d joints, %s"):format(joints, (jit and "LuaJIT" or _VERSION) .. arrays))
local flat = support.each("by hand: sample and mix three clips", jit and 500 or 20, function(i)
  update(i * .6180339887 % 1)
end)

-- They agree: the same clips with the same shares at one phase.
local graph = anim.newGraph(model, { root = { type = "mixer", sync = true, inputs = { "walk", "jog", "run" },
  weights = shares } })
graph:update(0)
local largest = 0
update(0)
for j = 1, joints do
  local tx, ty, tz, qx, qy, qz, qw = graph:getJoint(j)
  local o = (j - 1) * WIDTH
  local sign = qx * out[o + 3] + qy * out[o + 4] + qz * out[o + 5] + qw * out[o + 6] < 0 and -1 or 1
  local values = { tx, ty, tz, qx * sign, qy * sign, qz * sign, qw * sign }
  for k = 1, WIDTH do largest = math.max(largest, math.abs(values[k] - out[o + k - 1])) end
end
print(("largest difference from a mixer of the same clips: %.2g"):format(largest))
assert(largest < 1e-4, "what is compared is not the same")

local fast = anim.load(support.data() .. "/bench/pab_locomotion.glb", { pack = { form = "fast" } })
graph = anim.newGraph(fast, { root = { type = "mixer", sync = true, inputs = { "walk", "jog", "run" },
  weights = shares } })
local one = support.each("graph:update and model space, the same three clips", 500, function()
  graph:update(1 / 60)
  graph:getPosition(joints)
end)
local crowd, members = anim.newCrowd({ threads = 1 }), {}
for i = 1, 1000 do
  members[i] = graph:clone()
  members[i]:advance(i % 97 / 97)
  crowd:add(members[i])
end
local many = support.each("crowd:update of 1,000 of them, in all", 1, function() crowd:update(1 / 60) end) / 1000
local whole = support.each("crowd:update and model space of 1,000, in all", 1, function()
  crowd:update(1 / 60)
  for i = 1, #members do members[i]:getPosition(1) end
end) / 1000
print(("by hand takes %.1f times graph:update with model space, %.1f times a crowd's update (%.0f ns a character), " ..
  "%.1f times that with model space (%.0f ns)"):format(flat / one, flat / many, many, flat / whole, whole))
support.record("", "by hand against graph:update", "ratio", flat / one)
support.record("", "by hand against crowd:update", "ratio", flat / many)
