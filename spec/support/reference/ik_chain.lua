-- What is known of chains (semantics 9) without any solver of ours: where a chain reaches, where its tip ends beyond
-- that, what limits mean, and FABRIK as in A. Aristidou, J. Lasenby 2011, "FABRIK: a fast, iterative solver for the
-- inverse kinematics problem", for one target. Rigs and poses are those of reference/pose.lua, joints are indices.
local algebra = require("spec.support.reference.vec")
local poses = require("spec.support.reference.pose")
local vec, quat, mat = algebra.vec, algebra.quat, algebra.mat
local atan2 = math.atan2 or math.atan

local chain = {}

-- The joints from `root` down to `tip`.
function chain.path(rig, root, tip)
  local up, path = {}, {}
  local joint = tip
  while joint do
    up[#up + 1] = joint
    if joint == root then break end
    joint = rig[joint].parent
  end
  assert(joint == root, "the tip is not below the root")
  for i = #up, 1, -1 do path[#path + 1] = up[i] end
  return path
end

-- Model-space positions of all joints.
function chain.positions(rig, pose)
  local out = {}
  for j, m in ipairs(poses.toModel(rig, pose)) do out[j] = mat.position(m) end
  return out
end

local function distance(a, b) return vec.length(vec.sub(a, b)) end

-- Positions along a path, and the lengths of its bones.
function chain.along(positions, path)
  local points, lengths = {}, {}
  for i, joint in ipairs(path) do
    points[i] = positions[joint]
    if i > 1 then lengths[i - 1] = distance(points[i - 1], points[i]) end
  end
  return points, lengths
end

-- How near and how far from its root a chain reaches: all bones in line, or all others against the longest.
function chain.reach(lengths)
  local sum, longest = 0, 0
  for _, length in ipairs(lengths) do
    sum, longest = sum + length, math.max(longest, length)
  end
  return math.max(0, 2 * longest - sum), sum
end

-- The nearest point to the target that the tip of an unlimited chain can be at. None is nearest for a target on the
-- root of a chain that does not reach it: nil, and how near it reaches.
function chain.nearest(root, lengths, target)
  local near, far = chain.reach(lengths)
  local way = vec.sub(target, root)
  local d = vec.length(way)
  if d == 0 then
    if near > 0 then return nil, near end
    return target
  end
  return vec.add(root, vec.scale(way, math.min(math.max(d, near), far) / d))
end

-- The largest distance between tips and targets: effectors = { { joint =, target = {x, y, z}, weight = }, ... }; those
-- of weight 0 do not count.
function chain.residual(rig, pose, effectors)
  local positions, worst = chain.positions(rig, pose), 0
  for _, e in ipairs(effectors) do
    if (e.weight or 1) > 0 then worst = math.max(worst, distance(positions[e.joint], e.target)) end
  end
  return worst
end

-- FABRIK on points with fixed distances; gives the points, the passes it took and whether it came near enough. Out of
-- reach the bones lie in line.
function chain.fabrik(points, lengths, target, iterations, tolerance)
  local p, n = {}, #points
  for i = 1, n do p[i] = points[i] end
  local function toward(from, to, length)
    local way = vec.sub(to, from)
    return vec.add(from, vec.scale(way, length / vec.length(way)))
  end
  if distance(p[1], target) >= select(2, chain.reach(lengths)) then
    for i = 2, n do p[i] = toward(p[i - 1], target, lengths[i - 1]) end
    return p, 0, distance(p[n], target) <= tolerance
  end
  local passes = 0
  while distance(p[n], target) > tolerance and passes < iterations do
    local root = p[1]
    p[n] = target
    for i = n - 1, 1, -1 do p[i] = toward(p[i + 1], p[i], lengths[i]) end
    p[1] = root
    for i = 2, n do p[i] = toward(p[i - 1], p[i], lengths[i - 1]) end
    passes = passes + 1
  end
  return p, passes, distance(p[n], target) <= tolerance
end

local function outside(angle, low, high)
  local least = math.huge
  for turns = -3, 3 do
    local a = angle + turns * 2 * math.pi
    least = math.min(least, math.max(low - a, a - high, 0))
  end
  return least
end

-- Swing and twist of a local rotation against the joint's rest: the angle that the axis has moved by, and the angle
-- about it that is left once the least turn has brought it back.
function chain.swingTwist(axis, rest, q)
  axis = vec.scale(axis, 1 / vec.length(axis))
  local turn = quat.mul(quat.conjugate(rest), q)
  local moved = quat.rotate(turn, axis)
  local cross, dot = vec.cross(moved, axis), vec.dot(moved, axis)
  local back = { cross[1], cross[2], cross[3], 1 + dot }
  if quat.dot(back, back) < 1e-12 then return math.pi, nil end -- half a turn: no twist can be told
  local twist = quat.mul(quat.normalize(back), turn)
  return atan2(vec.length(cross), dot), 2 * atan2(vec.dot({ twist[1], twist[2], twist[3] }, axis), twist[4])
end

-- By how many radians a local rotation is outside of a limit: { axis =, min =, max = } (a hinge) or { axis =, cone =,
-- twist = { min, max } or nil }.
function chain.excess(limit, rest, q)
  local swing, twist = chain.swingTwist(limit.axis, rest, q)
  if not limit.cone then return math.max(swing, twist and outside(twist, limit.min, limit.max) or 0) end
  local off = math.max(0, swing - limit.cone)
  if not limit.twist or not twist then return off end
  return math.max(off, outside(twist, limit.twist[1], limit.twist[2]))
end

return chain
