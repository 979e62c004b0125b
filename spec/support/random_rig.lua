-- Random rigs for specs about IK, as the oracle has them (support/reference/pose.lua) and as anim has them: above
-- their chain stand joints with uneven and mirrored scale.
local anim = require("anim")
local reference = require("spec.support.reference")
local quat, vec = reference.quat, reference.vec

local randomRig = {}

-- A generator of its own, so that the numbers are the same on every Lua.
function randomRig.new(seed)
  local state = seed
  local random = {}
  function random.unit() -- 0 to below 1
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
  function random.between(low, high) return low + (high - low) * random.unit() end
  function random.vector(size)
    return { random.between(-size, size), random.between(-size, size), random.between(-size, size) }
  end
  function random.rotation()
    local v = { random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1) }
    return quat.normalize(vec.length(v) > .1 and v or { 0, 0, 0, 1 })
  end
  function random.direction()
    local v = random.vector(1)
    return vec.length(v) > .1 and vec.scale(v, 1 / vec.length(v)) or { 0, 1, 0 }
  end
  return random
end

local function joint(t, q, s) return { t = t, q = q, s = s } end

-- A chain of `count` joints below two others, the last of them with a child; rest and pose are random. `even`: scale 1
-- everywhere. Gives the rig, the pose, the skeleton, and anim's Pose.
function randomRig.chain(random, count, even)
  local function scale()
    if even then return { 1, 1, 1 } end
    local s = { random.between(.5, 2), random.between(.5, 2), random.between(.5, 2) }
    if random.unit() < .25 then s[1] = -s[1] end
    return s
  end
  local rig, pose = {}, {}
  for j = 1, count + 3 do
    local above = j <= 2
    local t = vec.scale(random.direction(), random.between(.2, 1))
    rig[j] = { name = "j" .. j, parent = j > 1 and j - 1 or nil,
      rest = joint(t, random.rotation(), above and scale() or { 1, 1, 1 }) }
    pose[j] = joint(t, random.rotation(), rig[j].rest.s)
  end
  return rig, pose, randomRig.build(rig, pose)
end

-- The skeleton and Pose of anim for a rig and pose of the oracle.
function randomRig.build(rig, pose)
  local list = {}
  for j, row in ipairs(rig) do
    list[j] = { name = row.name, parent = row.parent and rig[row.parent].name, translation = row.rest.t,
      rotation = row.rest.q, scale = row.rest.s }
  end
  local skeleton = anim.newSkeleton(list)
  local out = anim.newPose(skeleton)
  for j, row in ipairs(rig) do
    local p = pose[j]
    out:set(row.name, p.t[1], p.t[2], p.t[3], p.q[1], p.q[2], p.q[3], p.q[4], p.s[1], p.s[2], p.s[3])
  end
  return skeleton, out
end

-- What anim's Pose holds, as the oracle has it: for what single precision made of the numbers.
function randomRig.read(rig, pose)
  local out = {}
  for j, row in ipairs(rig) do
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(row.name)
    out[j] = joint({ tx, ty, tz }, { qx, qy, qz, qw }, { sx, sy, sz })
  end
  return out
end

-- The largest difference between two poses of the oracle: lengths, and angles between rotations.
function randomRig.gap(a, b)
  local worst = 0
  for j = 1, #a do
    worst = math.max(worst, vec.length(vec.sub(a[j].t, b[j].t)), quat.angle(a[j].q, b[j].q),
      vec.length(vec.sub(a[j].s, b[j].s)))
  end
  return worst
end

return randomRig
