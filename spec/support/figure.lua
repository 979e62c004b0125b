-- One figure as many skeletons: with other axes, rest poses, sizes and model spaces. A motion is told without any
-- skeleton, as what each bone does in the figure's own space (y is up, it looks along z) away from a T-pose, and
-- written for a skeleton by `figure.clip`: so it is known what a clip of one is on another.
local anim = require("anim")
local check = require("spec.support.check")
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local figure = {}

-- Name, parent, place in the T-pose.
local middle = { { "hips", nil, { 0, 1, 0 } }, { "spine", "hips", { 0, 1.15, .01 } },
  { "chest", "spine", { 0, 1.3, 0 } }, { "neck", "chest", { 0, 1.5, -.02 } }, { "head", "neck", { 0, 1.6, .01 } } }
local limbs = { { "shoulder", "chest", { .05, 1.45, 0 } }, { "upperArm", "shoulder", { .2, 1.45, 0 } },
  { "lowerArm", "upperArm", { .5, 1.45, 0 } }, { "hand", "lowerArm", { .76, 1.45, 0 } },
  { "upperLeg", "hips", { .1, .95, 0 } }, { "lowerLeg", "upperLeg", { .1, .5, .02 } },
  { "foot", "lowerLeg", { .1, .1, 0 } }, { "toes", "foot", { .1, .02, .14 } },
  { "index", "hand", { .86, 1.45, .04 } }, { "pinky", "hand", { .85, 1.45, -.04 } } }

figure.joints = {}
for _, joint in ipairs(middle) do
  table.insert(figure.joints, { name = joint[1], parent = joint[2], at = joint[3] })
end
for _, side in ipairs({ ".L", ".R" }) do
  for _, joint in ipairs(limbs) do
    local parent = (joint[2] == "chest" or joint[2] == "hips") and joint[2] or joint[2] .. side
    local at = joint[3]
    table.insert(figure.joints, { name = joint[1] .. side, parent = parent,
      at = { side == ".L" and at[1] or -at[1], at[2], at[3] } })
  end
end

-- The least turn from one direction to another.
function figure.least(from, to)
  from, to = vec.scale(from, 1 / vec.length(from)), vec.scale(to, 1 / vec.length(to))
  local c = vec.cross(from, to)
  return quat.normalize({ c[1], c[2], c[3], 1 + vec.dot(from, to) })
end

local function always(value) return function() return value end end

local function isLeg(name) return name:find("Leg") or name:find("foot") or name:find("toes") end

-- Where a joint is in the T-pose of a figure with these legs.
local function place(name, at, options)
  local long, shin = options.legs or 1, (options.legs or 1) * (options.shins or 1)
  local lift = (long - 1) * .45 + (shin - 1) * .4 -- of the hips, so that the feet stay where they are
  if isLeg(name) then
    local x = name:match("%.L$") and .1 or -.1
    local knee, ankle = { x, .1 + .4 * shin, .02 * long }, { x, .1, .02 * (long - shin) }
    if name:find("upperLeg") then return { x, .95 + lift, 0 } end
    if name:find("lowerLeg") then return knee end
    return name:find("foot") and ankle or vec.add(ankle, { 0, -.08, .14 })
  end
  return vec.add(at, { 0, lift, 0 })
end

-- Turns of joints that begin a limb, in the rest pose: the least that bring its bone down or apart.
local function restTurn(rig, name, options)
  local bone, side = name:match("^(%a+)%.([LR])$")
  local sign = side == "L" and 1 or -1
  local turn = ({ upperArm = -(options.armsDown or 0), upperLeg = options.legsApart or 0 })[bone]
  local child = ({ upperArm = "lowerArm.", upperLeg = "lowerLeg." })[bone]
  if turn then
    local v = vec.sub(rig.at[child .. side], rig.at[name])
    return figure.least(v, quat.rotate(quat.fromAxisAngle({ 0, 0, 1 }, math.rad(sign * turn)), v))
  end
  if bone == "hand" then return quat.fromAxisAngle({ 1, 0, 0 }, math.rad(options.palms or 0)) end
  return quat.identity
end

-- A skeleton. Options: `axes` (a random source: joints get any axes), `armsDown`, `legsApart`, `palms` (degrees, of the
-- rest pose), `size`, `legs`, `shins` (factors of their bones), `moved` (name -> offset in the T-pose), `fingers`,
-- `space` (rotation of its model space), `root` (rotation and scale of a joint above that does not show), `stand`
-- (place of the hips at rest; else its feet are on the floor), `rename` (name -> name), `without` (names left out),
-- `free` (names that hang on the root).
function figure.rig(options)
  options = options or {}
  local rig = { size = options.size or 1, space = options.space or quat.identity, frames = {}, at = {}, rest = {},
    options = options, rename = options.rename or function(name) return name end, without = {} }
  for name in pairs(options.without or {}) do rig.without[name] = true end
  for _, joint in ipairs(figure.joints) do
    local name = joint.name
    if not options.fingers and (name:find("index") or name:find("pinky")) then rig.without[name] = true end
    local at = vec.add(place(name, joint.at, options), (options.moved or {})[name] or { 0, 0, 0 })
    rig.at[name] = vec.scale(at, rig.size)
    rig.frames[name] = options.axes and options.axes.rotation(3) or quat.identity
  end
  for _, joint in ipairs(figure.joints) do
    local own = restTurn(rig, joint.name, options)
    rig.rest[joint.name] = joint.parent and quat.mul(rig.rest[joint.parent], own) or own
    if joint.name:find("foot") then rig.rest[joint.name] = quat.identity end -- soles stay flat
  end
  rig.stand = options.stand or rig.at.hips
  if not options.stand then
    local places = figure.place(rig, function(name) return rig.rest[name] end)
    rig.stand = vec.add(rig.stand, { 0, rig.at["foot.L"][2] - places["foot.L"][2], 0 })
  end
  rig.skeleton = anim.newSkeleton(figure.describe(rig))
  return rig
end

-- Places and rotations (model space of the figure) of a pose: `turn(name)` away from the T-pose, `hips` place.
function figure.place(rig, turn, hips)
  local places, rotations = {}, {}
  for _, joint in ipairs(figure.joints) do
    rotations[joint.name] = turn(joint.name)
    if not joint.parent then
      places[joint.name] = hips or rig.at[joint.name]
    else
      local bone = vec.sub(rig.at[joint.name], rig.at[joint.parent])
      places[joint.name] = vec.add(places[joint.parent], quat.rotate(rotations[joint.parent], bone))
    end
  end
  return places, rotations
end

-- The joint's parent among those that the skeleton has.
local function parentOf(rig, joint)
  local parent = joint.parent
  if (rig.options.free or {})[joint.name] then return nil end
  while parent and rig.without[parent] do
    for _, other in ipairs(figure.joints) do
      if other.name == parent then
        parent = other.parent
        break
      end
    end
  end
  return parent
end

-- Local transforms by name, of those joints that the skeleton has.
function figure.locals(rig, turn, hips)
  local places, rotations = figure.place(rig, turn, hips)
  local root = rig.options.root or { rotation = quat.identity, scale = 1 }
  local out = {}
  for _, joint in ipairs(figure.joints) do
    local name, parent = joint.name, parentOf(rig, joint)
    local own = quat.mul(quat.mul(rig.space, rotations[name]), rig.frames[name])
    local at = quat.rotate(rig.space, places[name])
    local above, from, scale = root.rotation, { 0, 0, 0 }, root.scale
    if parent then
      above = quat.mul(quat.mul(rig.space, rotations[parent]), rig.frames[parent])
      from = quat.rotate(rig.space, places[parent])
    end
    local back = quat.conjugate(above)
    out[name] = { q = quat.mul(back, own), t = vec.scale(quat.rotate(back, vec.sub(at, from)), 1 / scale) }
  end
  return out
end

function figure.describe(rig)
  local root = rig.options.root or { rotation = quat.identity, scale = 1 }
  local list = { { name = "Armature", rotation = root.rotation, scale = { root.scale, root.scale, root.scale } } }
  local rest = figure.locals(rig, function(name) return rig.rest[name] end, rig.stand)
  for _, joint in ipairs(figure.joints) do
    if not rig.without[joint.name] then
      local parent = parentOf(rig, joint)
      table.insert(list, { name = rig.rename(joint.name), parent = parent and rig.rename(parent) or "Armature",
        translation = rest[joint.name].t, rotation = rest[joint.name].q })
    end
  end
  return list
end

-- A clip: `motion.times`, `motion.turn(i, name)`, `motion.hips(i)` in the figure's own size (1).
function figure.clip(rig, motion, extra)
  local tracks = {}
  local function append(list, values)
    for _, x in ipairs(values) do list[#list + 1] = x end
  end
  for i = 1, #motion.times do
    local hips = motion.hips and vec.scale(motion.hips(i), rig.size)
    local locals = figure.locals(rig, function(name) return motion.turn(i, name) end, hips)
    for _, joint in ipairs(figure.joints) do
      local name = rig.rename(joint.name)
      if not rig.without[joint.name] then
        tracks[name] = tracks[name] or { rotation = { times = motion.times, values = {} } }
        append(tracks[name].rotation.values, locals[joint.name].q)
        if not joint.parent or (rig.options.free or {})[joint.name] then
          tracks[name].translation = tracks[name].translation or { times = motion.times, values = {} }
          append(tracks[name].translation.values, locals[joint.name].t)
        end
      end
    end
  end
  local description = { name = "motion", skeleton = rig.skeleton, tracks = tracks }
  for key, value in pairs(extra or {}) do description[key] = value end
  return anim.newClip(description)
end

-- A random motion: all joints turn, the hips wander and face anywhere.
function figure.randomMotion(r, count)
  local motion = { times = {} }
  local turns, hips = {}, {}
  for i = 1, count do
    motion.times[i] = (i - 1) / 32
    turns[i], hips[i] = {}, vec.add({ 0, 1, 0 }, vec.mul(r.vector(1), { 1, .1, 1 }))
    for _, joint in ipairs(figure.joints) do
      local own = r.rotation(.5)
      if not joint.parent then own = quat.mul(quat.fromAxisAngle({ 0, 1, 0 }, r.number(-3, 3)), own) end
      turns[i][joint.name] = joint.parent and quat.mul(turns[i][joint.parent], own) or own
    end
  end
  function motion.turn(i, name) return turns[i][name] end
  function motion.hips(i) return hips[i] end
  return motion
end

-- Standing still in the T-pose.
figure.still = { times = { 0 }, turn = always(quat.identity) }

-- The map by which joints of one rig drive those of another.
function figure.map(from, to)
  local map = {}
  for _, joint in ipairs(figure.joints) do
    if not from.without[joint.name] and not to.without[joint.name] then
      map[from.rename(joint.name)] = to.rename(joint.name)
    end
  end
  return map
end

-- --- checks --------------------------------------------------------------------------------------

function figure.sampled(clip, time)
  local pose = anim.newPose(clip:getSkeleton())
  clip:sample(time, pose)
  return pose
end

-- `made` is, at its keys, what the motion is on `rig`: rotations, and places of all joints where `hips(i, pose)` says
-- where the hips are.
function figure.assertMotion(made, rig, motion, tolerance, hips)
  for i, time in ipairs(motion.times) do
    local function turn(name) return motion.turn(i, name) end
    local expected, pose = figure.locals(rig, turn), figure.sampled(made, time)
    local places = hips and figure.place(rig, turn, hips(i, pose))
    for _, joint in ipairs(figure.joints) do
      local name = joint.name
      if not rig.without[name] then
        local _, _, _, qx, qy, qz, qw = pose:get(rig.rename(name))
        check.sameRotation(expected[name].q, { qx, qy, qz, qw }, tolerance, name .. " at key " .. i)
        if places then
          check.near(quat.rotate(rig.space, places[name]), { pose:getPosition(rig.rename(name)) },
            tolerance * rig.size, name .. "'s place at key " .. i)
        end
      end
    end
  end
end

-- For assertMotion: where the hips of the clip are, so that places are compared with that as it is; and those of the
-- motion, k times as far.
function figure.wherever(_, pose) return { pose:getPosition("hips") } end
function figure.scaled(motion, k)
  return function(i) return vec.scale(motion.hips(i), k) end
end

-- Other names, as `rename`.
function figure.other(name) return "b:" .. name:upper() end

return figure
