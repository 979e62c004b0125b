-- Poses as plain tables: pose[j] = { t = {x,y,z}, q = {x,y,z,w}, s = {x,y,z} }, local. A rig is a list of joints
-- { name =, parent = index or nil, rest = { t =, q =, s = } }, parents first.
local algebra = require("spec.support.reference.vec")
local keys = require("spec.support.reference.keys")
local vec, quat, mat = algebra.vec, algebra.quat, algebra.mat

local pose = {}

local fields = { translation = "t", rotation = "q", scale = "s" }

function pose.joint(t, q, s) return { t = t, q = q, s = s } end
function pose.identity() return pose.joint({ 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1 }) end

-- f(j) for every joint.
function pose.map(n, f)
  local out = {}
  for j = 1, n do out[j] = f(j) end
  return out
end

function pose.rest(rig)
  return pose.map(#rig, function(j) return rig[j].rest end)
end

-- The pose of a clip description at `time`. Channels that are absent take the rest pose; those of an additive clip
-- (a delta) take the delta that changes nothing.
function pose.sample(rig, clip, time)
  return pose.map(#rig, function(j)
    local base = clip.additive and pose.identity() or rig[j].rest
    local tracks = clip.tracks[rig[j].name] or {}
    local joint = pose.joint(base.t, base.q, base.s)
    for path, field in pairs(fields) do
      if tracks[path] then joint[field] = keys.sample(tracks[path], path, time) end
    end
    return joint
  end)
end

-- Forward kinematics: model = parent's model * local.
function pose.toModel(rig, local_)
  local model = {}
  for j = 1, #rig do
    local m = mat.compose(local_[j].t, local_[j].q, local_[j].s)
    model[j] = rig[j].parent and mat.mul(model[rig[j].parent], m) or m
  end
  return model
end

-- glTF 2.0, 3.7.3.3: the skin's matrix of a joint is its model matrix times its inverse bind matrix.
function pose.palette(model, joints, inverseBind)
  return pose.map(#joints, function(i) return mat.mul(model[joints[i]], inverseBind[i]) end)
end

-- Rotations of the joints in model space, without scale.
function pose.modelRotations(rig, local_)
  local out = {}
  for j = 1, #rig do
    out[j] = rig[j].parent and quat.mul(out[rig[j].parent], local_[j].q) or local_[j].q
  end
  return out
end

local function blendJoint(a, b, w)
  if w == 0 then return a end
  return pose.joint(vec.lerp(a.t, b.t, w), quat.nlerp(a.q, b.q, w), vec.lerp(a.s, b.s, w))
end

-- An override layer: lerp(below, layer, weight * mask), the shortest way.
function pose.blend(below, layer, weight, mask)
  return pose.map(#below, function(j) return blendJoint(below[j], layer[j], weight * (mask and mask[j] or 1)) end)
end

local function heaviest(weights)
  local best = 1
  for i = 2, #weights do if weights[i] > weights[best] then best = i end end
  return best
end

-- The weighted mean of N poses (semantics 4): rotations on the side of the heaviest, ties to the first; weights are
-- normalised.
function pose.mix(poses, weights)
  local reference, total = heaviest(weights), 0
  for _, w in ipairs(weights) do total = total + w end
  return pose.map(#poses[1], function(j)
    local t, q, s = { 0, 0, 0 }, { 0, 0, 0, 0 }, { 0, 0, 0 }
    for i, p in ipairs(poses) do
      local w = weights[i] / total
      t = vec.add(t, vec.scale(p[j].t, w))
      q = quat.add(q, quat.scale(quat.towards(p[j].q, poses[reference][j].q), w))
      s = vec.add(s, vec.scale(p[j].s, w))
    end
    return pose.joint(t, quat.normalize(q), s)
  end)
end

local function ratio(a, b) return b == 0 and 1 or a / b end

-- What must be added to `reference` to give `p`: qref^-1 q, T - Tref, S / Sref (1 where Sref is 0).
function pose.delta(p, reference)
  return pose.map(#p, function(j)
    local a, b = p[j], reference[j]
    return pose.joint(vec.sub(a.t, b.t), quat.mul(quat.conjugate(b.q), a.q),
      { ratio(a.s[1], b.s[1]), ratio(a.s[2], b.s[2]), ratio(a.s[3], b.s[3]) })
  end)
end

-- delta^w: whole deltas first, an nlerp from the identity for the rest, on the side where w >= 0.
local function power(delta, w)
  delta = quat.towards(delta, quat.identity)
  local q = quat.identity
  for _ = 1, math.floor(w) do q = quat.mul(q, delta) end
  return quat.mul(q, quat.nlerp(quat.identity, delta, w - math.floor(w)))
end

local function addJoint(base, delta, w)
  if w == 0 then return base end
  local grown = vec.add({ 1 - w, 1 - w, 1 - w }, vec.scale(delta.s, w))
  return pose.joint(vec.add(base.t, vec.scale(delta.t, w)), quat.mul(base.q, power(delta.q, w)),
    vec.mul(base.s, grown))
end

-- An additive layer.
function pose.add(base, delta, weight, mask)
  return pose.map(#base, function(j) return addJoint(base[j], delta[j], weight * (mask and mask[j] or 1)) end)
end

local function weightOf(entry)
  if type(entry) == "table" then return entry[1], entry.only end
  return entry, false
end

-- The weight per joint that anim.newMask gives: nearer the leaf wins, `only` does not reach the joints below.
function pose.mask(rig, description)
  local own, only = {}, {}
  for k, v in pairs(description) do
    if type(k) == "number" then own[v] = 1 else own[k], only[k] = weightOf(v) end
  end
  local inherited, mask = {}, {}
  for j, joint in ipairs(rig) do
    local above = joint.parent and inherited[joint.parent] or 0
    mask[j] = own[joint.name] or above
    inherited[j] = only[joint.name] and above or mask[j]
  end
  return mask
end

return pose
