-- Aim (semantics 9), by angles: each joint in the space of its parent, one after the other from above. Any scale above
-- the joints and of them will do that can be inverted; with a limit there is to be no uneven scale between them.
local algebra = require("spec.support.reference.vec")
local poses = require("spec.support.reference.pose")
local twoBone = require("spec.support.reference.ik_two_bone")
local vec, quat, mat = algebra.vec, algebra.quat, algebra.mat

local aim = {}

local atan2 = math.atan2 or math.atan
local CONE = math.rad(5)

local function unit(v) return vec.scale(v, 1 / vec.length(v)) end
local function square(v, axis) return vec.sub(v, vec.scale(axis, vec.dot(v, axis))) end
local function angleBetween(a, b) return atan2(vec.length(vec.cross(a, b)), vec.dot(a, b)) end
local function angleAbout(axis, a, b) return atan2(vec.dot(axis, vec.cross(a, b)), vec.dot(a, b)) end
local function inverse(q) return quat.conjugate(q) end

-- A rotation as axis times angle (0 to pi), and back.
local function vectorOf(q)
  if q[4] < 0 then q = quat.scale(q, -1) end
  local v = { q[1], q[2], q[3] }
  local sine = vec.length(v)
  return sine == 0 and { 0, 0, 0 } or vec.scale(v, 2 * atan2(sine, q[4]) / sine)
end

local function rotationOf(v)
  local angle = vec.length(v)
  return angle == 0 and quat.identity or quat.fromAxisAngle(v, angle)
end

local function leastTurn(a, b)
  local c = vec.cross(a, b)
  return vec.length(c) == 0 and quat.identity or quat.fromAxisAngle(c, angleBetween(a, b))
end

-- Some unit vector square to v: the axis of which it has least, crossed with it.
local function anySquare(v)
  local x, y, z = math.abs(v[1]), math.abs(v[2]), math.abs(v[3])
  local axis = { 0, 0, 1 }
  if x <= y and x <= z then axis = { 1, 0, 0 } elseif y <= z then axis = { 0, 1, 0 } end
  return unit(vec.cross(axis, v))
end

-- What remains of the angle between what is kept and what is wanted: 1 - smoothstep.
local function open(spread) return 1 - spread * spread * (3 - 2 * spread) end

local function handOver(axis, kept, keptSpread, wanted, spread)
  if spread <= keptSpread or spread == 0 then return kept end
  local angle = angleAbout(axis, kept, wanted) * (1 - open(spread) / open(keptSpread))
  return quat.rotate(quat.fromAxisAngle(axis, angle), kept)
end

-- The direction in the memory that is square to `axis`; nil where there is none.
local function keptOf(state, name, axis)
  local before = state.before
  if not (before and before[name]) then return nil end
  local v = square(quat.rotate(inverse(state.above), before[name]), axis)
  return vec.length(v) > 1e-3 and unit(v) or nil
end

-- The point of the ray that is as far from the joint as the target; else the nearest.
local function sighting(start, axis, distance)
  local along = vec.dot(start, axis)
  local passes = vec.length(square(start, axis))
  local beyond = distance > passes and math.sqrt(distance ^ 2 - passes ^ 2) or 0
  return vec.add(start, vec.scale(axis, beyond - along))
end

-- The axis from one direction to another that is nearly opposite.
local function axisBehind(state, from, to, up)
  local c = vec.cross(from, to)
  local spread = math.min(1, vec.length(c) / math.sin(CONE))
  local kept, keptSpread = keptOf(state, "axis", from), 0
  local isKept = kept ~= nil
  if isKept then
    keptSpread = state.before.axisSpread
  else
    local side = up and square(unit(up), from)
    kept = side and vec.length(side) > 1e-3 and unit(side) or anySquare(from)
  end
  if vec.length(c) <= 1e-9 or state.limit and isKept and spread < .5 then return kept, spread end
  local wanted = unit(c)
  if state.limit then return wanted, spread end
  if vec.dot(wanted, kept) < 0 then wanted = vec.scale(wanted, -1) end
  return handOver(from, kept, keptSpread, wanted, spread), spread
end

-- From one direction to another; behind, by half a turn about an axis that may be kept, and the rest.
local function swing(state, from, to, up)
  if vec.dot(from, to) > -math.cos(CONE) then
    local turn = leastTurn(from, to)
    return turn, { turn[1], turn[2], turn[3] }, 1
  end
  local side, spread = axisBehind(state, from, to, up)
  return quat.mul(leastTurn(vec.scale(from, -1), to), quat.fromAxisAngle(side, math.pi)), side, spread
end

-- The part of the turn at which `axis`, which begins in the cone about `animated`, leaves it: found by halving.
local function upToLimit(turn, axis, animated, limit)
  local v = { turn[1], turn[2], turn[3] }
  local whole, steps = 2 * atan2(vec.length(v), turn[4]), 720
  local function apart(angle) return angleBetween(animated, quat.rotate(quat.fromAxisAngle(v, angle), axis)) end
  if apart(whole) <= limit then return turn end
  local low, high = 0, whole
  for i = 1, steps do
    local angle = whole * i / steps
    if apart(angle) > limit then high = angle break end
    low = angle
  end
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if apart(middle) > limit then high = middle else low = middle end
  end
  return quat.fromAxisAngle(v, low)
end

local function backIntoCone(turn, axis, animated, limit)
  local now = quat.rotate(turn, axis)
  local over = angleBetween(animated, now) - limit
  if over <= 0 then return turn end
  local about = vec.cross(now, animated)
  return quat.mul(quat.fromAxisAngle(about, over), turn)
end

-- The turn about `line` that brings `up` into the half plane of the pole.
local function roll(state, line, up, pole)
  local from, goal = square(up, line), square(pole, line)
  if vec.length(from) <= 1e-6 * vec.length(up) then return quat.identity end
  from = unit(from)
  local sine = vec.length(pole) > 0 and vec.length(goal) / vec.length(pole) or 0
  local spread = 1
  if sine <= math.sin(CONE) then
    spread = sine / math.sin(CONE)
    local kept = keptOf(state, "up", line)
    local keptSpread = kept and state.before.upSpread or 0
    goal = handOver(line, kept or from, keptSpread, spread > 0 and unit(goal) or from, spread)
  end
  goal = unit(goal)
  state.after.up, state.after.upSpread = quat.rotate(state.above, goal), spread
  return quat.fromAxisAngle(line, angleAbout(line, from, goal))
end

-- Where the axis pointed before all turns.
local function animatedAxis(state, axis)
  local back = quat.mul(quat.mul(inverse(state.above), inverse(state.done)), state.above)
  return quat.rotate(back, axis)
end

-- The turn that is still needed about the joint at `pivot`. The ray is in the same space.
local function needed(state, pivot, ray, isFirst)
  local reach, o = vec.sub(state.target, pivot), state.options
  local distance = vec.length(reach)
  if vec.length(ray.axis) == 0 then return quat.identity end
  if distance <= 1e-6 * vec.length(pivot) or distance == 0 then
    local last = state.before and state.before.turn or quat.identity
    local rest = quat.mul(last, inverse(state.done))
    return quat.mul(quat.mul(inverse(state.above), rest), state.above)
  end
  local axis, to = unit(ray.axis), unit(reach)
  local from = unit(sighting(vec.sub(ray.start, pivot), axis, distance))
  local turn, side, spread = swing(state, from, to, ray.up)
  if isFirst then state.after.axis, state.after.axisSpread = quat.rotate(state.above, side), spread end
  local animated = animatedAxis(state, axis)
  if state.limit then turn = upToLimit(turn, axis, animated, state.limit) end
  if o.up then
    local pole = o.pole and vec.sub(state.pole, pivot) or state.pole
    turn = quat.mul(roll(state, quat.rotate(turn, from), quat.rotate(turn, ray.up), pole), turn)
  end
  if state.limit then turn = backIntoCone(turn, axis, animated, state.limit) end
  return turn
end

-- From the last correction toward the new one, by what the rate allows: with a limit straight from rotation vector to
-- rotation vector, else about one axis the short way.
local function slowed(state, goal)
  local last = state.before.turn or quat.identity
  local from = state.limit and vectorOf(last) or { 0, 0, 0 }
  local way = state.limit and vec.sub(vectorOf(goal), from) or vectorOf(quat.mul(goal, inverse(last)))
  local length = vec.length(way)
  if length <= state.step then return goal end
  way = vec.scale(way, state.step / length)
  if state.limit then return rotationOf(vec.add(from, way)) end
  return quat.mul(rotationOf(way), last)
end

-- The ray in the space of the parent of `joint`.
local function rayOf(rig, pose, o, joint)
  local last = o.joints[#o.joints][1]
  local m = twoBone.below(rig, pose, rig[joint].parent, last)
  local origin = mat.position(m)
  local function direction(v) return v and vec.sub(mat.point(m, v), origin) end
  return { start = mat.point(m, o.offset), axis = direction(o.axis), up = direction(o.up) }
end

local function enter(state, m, q)
  local isPoint = state.options.pole and 1 or 0
  state.target = twoBone.unproject(m, state.target)
  state.pole = twoBone.unproject(m, state.pole, isPoint)
  state.above = quat.mul(state.above, q)
end

-- `turned`: the pose with whole turns, from which the next joint is seen.
local function turnAll(state, rig, turned)
  local o, isFirst = state.options, true
  for i, entry in ipairs(o.joints) do
    local joint, sum = entry[1], 0
    for k = i, #o.joints do sum = sum + (o.joints[k][2] or 1) end
    local share = i == #o.joints and 1 or sum > 0 and (entry[2] or 1) / sum or 0
    if share > 0 then
      local ray = rayOf(rig, turned, o, joint)
      local turn = needed(state, turned[joint].t, ray, isFirst)
      if state.step then
        local goal = quat.mul(quat.mul(quat.mul(state.above, turn), inverse(state.above)), state.done)
        goal = quat.mul(slowed(state, goal), inverse(state.done))
        turn = quat.mul(quat.mul(inverse(state.above), goal), state.above)
        if state.limit then
          local axis = unit(ray.axis)
          turn = backIntoCone(turn, axis, animatedAxis(state, axis), state.limit)
        end
      end
      if share < 1 then turn = rotationOf(vec.scale(vectorOf(turn), share)) end
      local made = quat.mul(quat.mul(state.above, turn), inverse(state.above))
      state.done = quat.mul(made, state.done)
      turned[joint] = poses.joint(turned[joint].t, quat.mul(turn, turned[joint].q), turned[joint].s)
      isFirst = false
    end
    if i < #o.joints then
      local above = rig[joint].parent
      enter(state, twoBone.below(rig, turned, above, rig[o.joints[i + 1][1]].parent))
    end
  end
end

-- How far the target is from the ray in model space; behind its start: from the start.
function aim.miss(rig, pose, o)
  local m = poses.toModel(rig, pose)[o.joints[#o.joints][1]]
  local start = mat.point(m, o.offset or { 0, 0, 0 })
  local axis = vec.sub(mat.point(m, o.axis), mat.position(m))
  local way = vec.sub(o.target, start)
  if vec.length(axis) == 0 or vec.dot(way, axis) < 0 then return vec.length(way) end
  return vec.length(vec.cross(way, axis)) / vec.length(axis)
end

-- options: joints = { { index, share }, ... } from above, axis, target, and if wanted up, offset, pole, weight, limit,
-- rate. `before` is what an earlier call gave ({}: nothing yet; nil: no memory, so no rate). Returns the new pose, the
-- distance left, the memory.
function aim.solve(rig, pose, options, before, dt)
  local o = { weight = 1, offset = { 0, 0, 0 } }
  for k, v in pairs(options) do o[k] = v end
  local top = rig[o.joints[1][1]].parent
  local out = poses.map(#rig, function(j) return poses.joint(pose[j].t, pose[j].q, pose[j].s) end)
  if o.weight == 0 then return out, aim.miss(rig, out, o), before end
  local state = { options = o, before = before, above = quat.identity, done = quat.identity, after = {} }
  for k, v in pairs(before or {}) do state.after[k] = v end
  local space = top and poses.toModel(rig, pose)[top] or mat.identity
  state.target = twoBone.unproject(space, o.target)
  state.pole = o.pole and twoBone.unproject(space, o.pole) or twoBone.unproject(space, { 0, 1, 0 }, 0)
  state.limit = o.limit and o.limit < math.pi and o.limit or nil
  state.step = before and o.rate and o.rate * dt or nil
  local turned = poses.map(#rig, function(j) return pose[j] end)
  turnAll(state, rig, turned)
  for _, entry in ipairs(o.joints) do
    local j = entry[1]
    out[j].q = quat.nlerp(pose[j].q, turned[j].q, o.weight)
  end
  state.after.turn = state.done
  return out, aim.miss(rig, out, o), state.after
end

return aim
