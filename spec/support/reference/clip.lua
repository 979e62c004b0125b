-- What is made of clips: each function takes a clip description (the table that anim.newClip takes) and gives another
-- pose as a function of time, or another description. Slow and direct: the pose is sampled, then changed.
local algebra = require("spec.support.reference.vec")
local pose = require("spec.support.reference.pose")
local vec, quat = algebra.vec, algebra.quat

local clip = {}

-- The delta of `c` at `time` against the reference pose; without one against the clip's own first keys. A channel
-- that the clip does not have is left alone.
function clip.additive(rig, c, time, reference)
  reference = reference or pose.sample(rig, c, -math.huge)
  local delta = pose.delta(pose.sample(rig, c, time), reference)
  return pose.map(#rig, function(j)
    local tracks, nothing = c.tracks[rig[j].name] or {}, pose.identity()
    return pose.joint(tracks.translation and delta[j].t or nothing.t, tracks.rotation and delta[j].q or nothing.q,
      tracks.scale and delta[j].s or nothing.s)
  end)
end

-- Names of the two sides: "left" and "right" in any case, "L" and "R" as a word of their own; "Body" has no side.
local sides = { { "left", "right" }, { "Left", "Right" }, { "LEFT", "RIGHT" } }
local letters = { L = "R", R = "L", l = "r", r = "l" }

local function replaced(name, from, to)
  local a, b = name:find(from, 1, true)
  return a and name:sub(1, a - 1) .. to .. name:sub(b + 1)
end

local function swapWord(name)
  for _, side in ipairs(sides) do
    local other = replaced(name, side[1], side[2]) or replaced(name, side[2], side[1])
    if other then return other end
  end
end

local function swapLetter(name)
  local padded = "." .. name .. "."
  local a = padded:find("[%._%- ][LRlr][%._%- ]")
  return a and (padded:sub(1, a) .. letters[padded:sub(a + 1, a + 1)] .. padded:sub(a + 2)):sub(2, -2)
end

-- The name of the other side, or the name itself.
function clip.otherSide(name) return swapWord(name) or swapLetter(name) or name end

local function indexOf(rig)
  local index = {}
  for j, joint in ipairs(rig) do index[joint.name] = j end
  return index
end

local function hangTogether(rig, pair, j)
  local above = rig[j].parent
  return rig[pair[j]].parent == (above and pair[above])
end

-- pair[j]: the joint that j changes places with, itself where there is none. `pairs_` is a list of { a, b }; guessed
-- pairs whose parents are no pair are none. False: alone below a joint that changes places (a sword in the left hand);
-- it keeps its place in its parent.
function clip.pairs(rig, pairs_)
  local index, pair = indexOf(rig), {}
  for j, joint in ipairs(rig) do pair[j] = not pairs_ and index[clip.otherSide(joint.name)] or j end
  for _, two in ipairs(pairs_ or {}) do
    local a, b = index[two[1]], index[two[2]]
    pair[a], pair[b] = b, a
  end
  for j = 1, #rig do
    local other = pair[j]
    if not hangTogether(rig, pair, j) then pair[j], pair[other] = j, other end
    if not hangTogether(rig, pair, j) then pair[j] = false end
  end
  return pair
end

-- C_j = (S R_pair S)^-1 R_j turns the mirror image of the pair's rest rotation into the rest rotation of j (model
-- space, rotations only), so that the rest pose mirrors to itself.
local function corrections(rig, pair, normal)
  local model = pose.modelRotations(rig, pose.rest(rig))
  return pose.map(#rig, function(j)
    return pair[j] and quat.mul(quat.conjugate(quat.reflect(model[pair[j]], normal)), model[j])
  end)
end

-- The mirror image of a pose: R'_j = S M_pair S C_j in model space, so locally C_parent^-1 (S L_pair S) C_j; what the
-- translation adds to the rest pose is reflected and turned in the same way; scale by the ratio to rest.
function clip.mirrorPose(rig, p, normal, pairs_)
  local pair = clip.pairs(rig, pairs_)
  local c = corrections(rig, pair, normal)
  return pose.map(#rig, function(j)
    if not pair[j] then return p[j] end
    local rest, theirs, theirRest = rig[j].rest, p[pair[j]], rig[pair[j]].rest
    local back = quat.conjugate(rig[j].parent and c[rig[j].parent] or quat.identity)
    local moved = vec.reflect(vec.sub(theirs.t, theirRest.t), normal)
    local grown = { theirs.s[1] / theirRest.s[1], theirs.s[2] / theirRest.s[2], theirs.s[3] / theirRest.s[3] }
    return pose.joint(vec.add(rest.t, quat.rotate(back, moved)),
      quat.mul(back, quat.mul(quat.reflect(theirs.q, normal), c[j])), vec.mul(rest.s, grown))
  end)
end

local function named(list, rename)
  local out = {}
  for i, item in ipairs(list or {}) do
    out[i] = { time = item.time, name = rename(item.name), data = item.data, duration = item.duration }
  end
  return out
end

-- Markers and events of a mirrored clip: a left step is a right step.
function clip.mirrorMarks(list) return named(list, clip.otherSide) end

-- The same marks from `t0` to `t1`, counted from t0.
function clip.sliceMarks(list, t0, t1)
  local out = {}
  for _, item in ipairs(list or {}) do
    if item.time >= t0 and item.time <= t1 then
      out[#out + 1] = { time = item.time - t0, name = item.name, data = item.data }
    end
  end
  return out
end

-- Played backwards: a mark of some length ends where it began.
function clip.reverseMarks(list, duration)
  local out = {}
  for i = #(list or {}), 1, -1 do
    local item = list[i]
    out[#out + 1] = { time = duration - item.time - (item.duration or 0), name = item.name, data = item.data,
      duration = item.duration }
  end
  return out
end

-- The pose on another rig: rotations and scales by name, translations scaled to the target's bone length, those of
-- the root (a joint without a parent in the target) as they are; unbound joints rest.
function clip.retargetPose(source, p, target, keyed)
  local index, out = indexOf(source), pose.rest(target)
  for j, joint in ipairs(target) do
    local from = index[joint.name]
    if from and keyed[source[from].name] then
      local k = 1
      if joint.parent then k = vec.length(joint.rest.t) / vec.length(source[from].rest.t) end
      local tracks = keyed[source[from].name]
      out[j] = pose.joint(tracks.translation and vec.scale(p[from].t, k) or joint.rest.t,
        tracks.rotation and p[from].q or joint.rest.q, tracks.scale and p[from].s or joint.rest.s)
    end
  end
  return out
end

return clip
