-- Root motion (semantics 8). A rigid motion is { t = {x,y,z}, q = {x,y,z,w} }: x' = q x + t.
local algebra = require("spec.support.reference.vec")
local pose = require("spec.support.reference.pose")
local timeline = require("spec.support.reference.timeline")
local vec, quat = algebra.vec, algebra.quat

local motion = { identity = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 } } }

local names = { "x", "y", "z" }

function motion.mul(a, b) return { t = vec.add(a.t, quat.rotate(a.q, b.t)), q = quat.mul(a.q, b.q) } end

function motion.inverse(a)
  local q = quat.conjugate(a.q)
  return { t = vec.scale(quat.rotate(q, a.t), -1), q = q }
end

-- The part of a rotation that turns about an axis (1, 2, 3): swing-twist decomposition.
function motion.twist(q, axis)
  local part = { 0, 0, 0, q[4] }
  part[axis] = q[axis]
  if quat.dot(part, part) < 1e-20 then return quat.identity end
  return quat.normalize(part)
end

-- The model-space place and turn of a joint (scale of the joints above counts for the place).
local function modelOf(rig, p, joint)
  local rotations, matrices = pose.modelRotations(rig, p), pose.toModel(rig, p)
  return { t = algebra.mat.position(matrices[joint]), q = rotations[joint] }
end

local function axisOf(name)
  for i = 1, 3 do if names[i] == name then return i end end
end

-- M(t) of a clip description: the change of the joint since the clip's first keys. The turn is the twist about the
-- axis; the move is what is left then, along the axes that are taken out.
function motion.of(rig, clip, joint, translation, rotation)
  local first = modelOf(rig, pose.sample(rig, clip, -math.huge), joint)
  return function(time)
    local now = modelOf(rig, pose.sample(rig, clip, time), joint)
    local q = quat.identity
    if rotation then q = motion.twist(quat.mul(now.q, quat.conjugate(first.q)), axisOf(rotation)) end
    local moved, t = vec.sub(now.t, quat.rotate(q, first.t)), { 0, 0, 0 }
    for i = 1, 3 do if (translation or ""):find(names[i], 1, true) then t[i] = moved[i] end end
    return { t = t, q = q }
  end
end

-- The pose with M taken out of the joint: its place and turn in the model are M^-1 times what they were. Joints above
-- have no scale here.
function motion.inPlace(rig, p, joint, m)
  local out = pose.map(#rig, function(j) return p[j] end)
  local back = motion.inverse(m)
  local above = rig[joint].parent and modelOf(rig, p, rig[joint].parent) or motion.identity
  local moved = motion.mul(motion.inverse(above), motion.mul(back, modelOf(rig, p, joint)))
  out[joint] = pose.joint(moved.t, moved.q, p[joint].s)
  return out
end

local function power(m, n)
  local out = motion.identity
  if n < 0 then m, n = motion.inverse(m), -n end
  for _ = 1, n do out = motion.mul(out, m) end
  return out
end

-- From the start of pass 0 to place u: whole passes, then M(0)^-1 M(t). Ping-pong is where the place in the clip is.
local function upTo(M, u, length, loop)
  local part = motion.mul(motion.inverse(M(0)), M(timeline.timeAt(u, length, loop)))
  if loop ~= true then return part end
  local whole = motion.mul(motion.inverse(M(0)), M(length))
  return motion.mul(power(whole, timeline.passOf(u, length, loop)), part)
end

-- What a step moves the character by, in its frame before the step.
function motion.ofStep(M, step)
  if step.length == 0 then return motion.identity end
  return motion.mul(motion.inverse(upTo(M, step.from, step.length, step.loop)),
    upTo(M, step.to, step.length, step.loop))
end

-- Weighted: translations by the mean, rotations as poses are blended; what is missing to a sum of 1 stands still.
function motion.mix(list, weights)
  local poses, shares, rest = {}, {}, 1
  for i, m in ipairs(list) do
    poses[i], shares[i] = { pose.joint(m.t, m.q, { 1, 1, 1 }) }, weights[i]
    rest = rest - weights[i]
  end
  if rest > 1e-6 then
    poses[#poses + 1], shares[#shares + 1] = { pose.joint({ 0, 0, 0 }, quat.identity, { 1, 1, 1 }) }, rest
  end
  local mixed = pose.mix(poses, shares)[1]
  return { t = mixed.t, q = mixed.q }
end

return motion
