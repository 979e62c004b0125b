-- Two bones (semantics 9), by angles: the law of cosines with acos, turns about axes, all in the space of the root's
-- parent. Chains whose own joints are scaled unevenly have no closed form and are refused; above the root any scale
-- that can be inverted will do.
local algebra = require("spec.support.reference.vec")
local poses = require("spec.support.reference.pose")
local vec, quat, mat = algebra.vec, algebra.quat, algebra.mat

local twoBone = {}

local atan2 = math.atan2 or math.atan
local CONE = math.rad(5)

local function unit(v) return vec.scale(v, 1 / vec.length(v)) end

-- The angle between two vectors, exact for small ones.
local function angleBetween(a, b) return atan2(vec.length(vec.cross(a, b)), vec.dot(a, b)) end

-- The angle that turns a to b about `axis`, -pi to pi; all square to each other and unit.
local function angleAbout(axis, a, b) return atan2(vec.dot(axis, vec.cross(a, b)), vec.dot(a, b)) end

-- The least turn from a to b; where they are opposite it is about `axis`.
local function leastTurn(a, b, axis)
  local c = vec.cross(a, b)
  if vec.length(c) < 1e-9 * vec.length(a) * vec.length(b) then
    if vec.dot(a, b) > 0 then return quat.identity end
    c = axis
  end
  return quat.fromAxisAngle(c, angleBetween(a, b))
end

local function square(v, axis) return vec.sub(v, vec.scale(axis, vec.dot(v, axis))) end

-- Back through an affine matrix: Cramer's rule. `at` 0: a direction.
function twoBone.unproject(m, p, at)
  local x, y, z = { m[1], m[2], m[3] }, { m[5], m[6], m[7] }, { m[9], m[10], m[11] }
  local r = vec.sub(p, vec.scale(mat.position(m), at or 1))
  local volume = vec.dot(x, vec.cross(y, z))
  return { vec.dot(r, vec.cross(y, z)) / volume, vec.dot(r, vec.cross(z, x)) / volume,
    vec.dot(r, vec.cross(x, y)) / volume }
end

-- The joints from `top` (nil: the root of the rig) down to `joint`, without `top`.
function twoBone.path(rig, top, joint)
  local list = {}
  while joint ~= top do
    table.insert(list, 1, joint)
    joint = rig[joint].parent
  end
  return list
end

local function localMatrix(j) return mat.compose(j.t, j.q, j.s) end

-- Matrix and rotation of `joint` in the space of `top`.
function twoBone.below(rig, pose, top, joint)
  local m, q = mat.identity, quat.identity
  for _, j in ipairs(twoBone.path(rig, top, joint)) do
    m, q = mat.mul(m, localMatrix(pose[j])), quat.mul(q, pose[j].q)
  end
  return m, q
end

-- What the solution needs of the chain, in the space of the root's parent.
local function chainOf(rig, pose, o)
  local top, chain = rig[o.root].parent, {}
  for _, j in ipairs(twoBone.path(rig, top, rig[o.mid].parent)) do
    local s = pose[j].s
    assert(s[1] == s[2] and s[2] == s[3], "uneven scale in the chain")
  end
  local function place(joint) return mat.position((twoBone.below(rig, pose, top, joint))) end
  local root, mid, tip = place(o.root), place(o.mid), place(o.tip)
  chain.root, chain.upper, chain.lower = root, vec.sub(mid, root), vec.sub(tip, mid)
  chain.l1, chain.l2 = vec.length(chain.upper), vec.length(chain.lower)
  local _
  _, chain.aboveMid = twoBone.below(rig, pose, top, rig[o.mid].parent)
  chain.midRotation = quat.mul(chain.aboveMid, pose[o.mid].q)
  local below = mat.position((twoBone.below(rig, pose, o.mid, o.tip)))
  chain.bone = vec.mul(pose[o.mid].s, below)
  return chain
end

local function leastAxis(v)
  local x, y, z = math.abs(v[1]), math.abs(v[2]), math.abs(v[3])
  if x <= y and x <= z then return { 1, 0, 0 } end
  return y <= z and { 0, 1, 0 } or { 0, 0, 1 }
end

-- The normal of the rest pose's bend; a straight one (sine below a thousandth) bends about the axis of the middle
-- joint that is least along the lower bone.
local function restNormal(rest)
  local n = vec.scale(vec.cross(rest.upper, rest.lower), 1 / (rest.l1 * rest.l2))
  if vec.length(n) > 1e-3 then return unit(n) end
  return unit(square(quat.rotate(rest.midRotation, leastAxis(rest.bone)), unit(rest.lower)))
end

-- The normal of the animated bend; below 5 degrees it leans to the rest pose's, carried along by the middle joint.
local function presentNormal(chain, rest)
  local n = vec.scale(vec.cross(chain.upper, chain.lower), 1 / (chain.l1 * chain.l2))
  local sine = vec.length(n)
  if sine >= math.sin(CONE) then return unit(n) end
  local carried = quat.rotate(quat.conjugate(rest.midRotation), restNormal(rest))
  carried = quat.rotate(chain.midRotation, carried)
  return unit(square(vec.add(n, vec.scale(carried, math.sin(CONE) - sine)), unit(chain.upper)))
end

-- What remains of the angle between the kept plane and the pole's: 1 - smoothstep.
local function open(spread) return 1 - spread * spread * (3 - 2 * spread) end

-- The plane of the pole; within 5 degrees the previous one, else that of the rest pose. Gives the normal and how far
-- out of the cone the pole is, 0 to 1.
local function poleNormal(pole, ahead, before, rest)
  local n = vec.cross(pole, ahead)
  local sine = vec.length(pole) > 0 and vec.length(n) / vec.length(pole) or 0
  if sine > math.sin(CONE) then return unit(n), 1 end
  local spread, kept, keptSpread = sine / math.sin(CONE), nil, 0
  if before then
    local flat = square(before.normal, ahead)
    if vec.length(flat) > 1e-3 then kept, keptSpread = unit(flat), before.spread end
  end
  if not kept then
    local along, normal = unit(vec.add(rest.upper, rest.lower)), restNormal(rest)
    normal = unit(square(normal, along))
    kept = unit(square(quat.rotate(leastTurn(along, ahead, normal), normal), ahead))
  end
  if spread <= keptSpread or spread == 0 then return kept, spread end
  local angle = angleAbout(ahead, kept, unit(n)) * (1 - open(spread) / open(keptSpread))
  return quat.rotate(quat.fromAxisAngle(ahead, angle), kept), spread
end

local function soften(d, length, soft)
  local a = soft * length
  if soft >= 1 or d <= a then return d end
  return a + (length - a) * (1 - math.exp(-(d - a) / (length - a)))
end

local function acos(x) return math.acos(math.max(-1, math.min(1, x))) end

-- The chain as one bone, where one of them has no length.
local function solveStiff(chain, goal, o)
  local reach = vec.add(chain.upper, chain.lower)
  local length, d = vec.length(reach), vec.length(goal)
  if length < 1e-30 or d <= 1e-6 * length then return quat.identity, quat.identity, 1 end
  local stretch = math.max(1, math.min(o.stretch, d / length))
  return leastTurn(reach, goal, unit(vec.cross(leastAxis(reach), reach))), quat.identity, stretch
end

-- Turns of root and mid in the space of the root's parent, the factor of the lengths, the memory.
local function solve(chain, rest, goal, pole, o, before)
  local l1, l2, d = chain.l1, chain.l2, vec.length(goal)
  if math.min(l1, l2) <= 1e-6 * (l1 + l2) then
    local root, mid, stretch = solveStiff(chain, goal, o)
    return root, mid, stretch, before
  end
  local reached = math.max(math.abs(l1 - l2), math.min(l1 + l2, soften(d, l1 + l2, o.soft)))
  local stretch = d > reached and math.max(1, math.min(o.stretch, d / reached)) or 1
  local normal = presentNormal(chain, rest)
  local inner = acos((l1 * l1 + l2 * l2 - reached * reached) / (2 * l1 * l2)) -- the angle at mid
  local wanted = quat.rotate(quat.fromAxisAngle(normal, math.pi - inner), vec.scale(chain.upper, l2 / l1))
  local mid = leastTurn(chain.lower, wanted, normal)
  local reach = vec.add(chain.upper, wanted)
  if vec.length(reach) < 1e-9 * (l1 + l2) then reach = vec.cross(normal, chain.upper) end
  local ahead = d > 1e-6 * (l1 + l2) and unit(goal) or unit(reach)
  local root = leastTurn(reach, ahead, normal)
  local now, spread = quat.rotate(root, normal), 1
  if pole then
    local toward
    toward, spread = poleNormal(pole, ahead, before, rest)
    now = unit(square(now, ahead))
    root = quat.mul(quat.fromAxisAngle(ahead, angleAbout(ahead, now, toward)), root)
    now = toward
  end
  return root, mid, stretch, { normal = now, spread = spread }
end

-- rotation: "local", "model" or a quaternion for the tip in model space, products of rotations, without scale.
local function turnTip(rig, old, new, o)
  if o.rotation == "local" then return end
  local was, now = poses.modelRotations(rig, old), poses.modelRotations(rig, new)
  local goal = was[o.tip]
  if o.rotation ~= "model" then goal = quat.nlerp(goal, quat.normalize(o.rotation), o.weight) end
  new[o.tip].q = quat.normalize(quat.mul(quat.conjugate(now[rig[o.tip].parent]), goal))
end

-- options: root, mid, tip (indices), target, and if wanted pole, weight, soft, stretch, rotation. `before` is the
-- memory that an earlier call gave. Returns the new pose, the distance left, the memory.
function twoBone.solve(rig, pose, options, before)
  local o = { weight = 1, soft = 1, stretch = 1, rotation = "local" }
  for k, v in pairs(options) do o[k] = v end
  local space = rig[o.root].parent and poses.toModel(rig, pose)[rig[o.root].parent] or mat.identity
  local out = poses.map(#rig, function(j) return poses.joint(pose[j].t, pose[j].q, pose[j].s) end)
  if o.weight > 0 then
    local chain, rest = chainOf(rig, pose, o), chainOf(rig, poses.rest(rig), o)
    local function from(p) return p and vec.sub(twoBone.unproject(space, p), chain.root) end
    local root, mid, stretch, memory = solve(chain, rest, from(o.target), from(o.pole), o, before)
    mid = quat.mul(quat.mul(quat.conjugate(chain.aboveMid), mid), chain.aboveMid)
    out[o.root].q = quat.nlerp(pose[o.root].q, quat.mul(root, pose[o.root].q), o.weight)
    out[o.mid].q = quat.nlerp(pose[o.mid].q, quat.mul(mid, pose[o.mid].q), o.weight)
    for _, j in ipairs(twoBone.path(rig, o.root, o.tip)) do
      out[j].t = vec.scale(pose[j].t, 1 + o.weight * (stretch - 1))
    end
    turnTip(rig, pose, out, o)
    before = memory
  end
  local tip = mat.position(poses.toModel(rig, out)[o.tip])
  return out, vec.length(vec.sub(o.target, tip)), before
end

return twoBone
