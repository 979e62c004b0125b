-- Feet, strides, orientation and warped root motion in double precision, from semantics 9 and the formulas in
-- pose/ik_foot.h, ik_stride.h, ik_orient.h and warp.h. Closed forms: nothing here goes step by step.
local ref = require "spec.support.reference.vec"
local vec, quat = ref.vec, ref.quat
local foot, stride, orient, warp = {}, {}, {}, {}

local UP = { 0, 1, 0 }

local function clamp(x, low, high) return math.max(low, math.min(high, x)) end

local function step(x)
  x = clamp(x, 0, 1)
  return x * x * (3 - 2 * x)
end

local function unit(v) return vec.scale(v, 1 / vec.length(v)) end

-- The least turn from +Y to the unit vector n.
local function turnTo(n)
  local axis = vec.cross(UP, n)
  if vec.length(axis) < 1e-12 then return quat.identity end
  return quat.fromAxisAngle(axis, (math.atan2 or math.atan)(vec.length(axis), n[2]))
end

-- leg: ankle, ball, heel (places in the animated pose, model space), ballHeight, length. The lift is that of the lower
-- of heel and ball above the animation's ground.
function foot.lift(leg, level)
  level = level or 0
  return math.min(leg.heel[2] - level, leg.ball[2] - level - leg.ballHeight)
end

-- The ground's plane through `point`: its height at (x, z).
function foot.height(point, normal, x, z)
  return point[2] - (normal[1] * (x - point[1]) + normal[3] * (z - point[3])) / normal[2]
end

-- The normal the sole turns to: the ground's where the foot stands, +Y from a lift of a fifth of the leg on, never
-- farther than `tilt` from +Y.
function foot.sole(leg, normal, tilt, level)
  local near = 1 - step(foot.lift(leg, level) / (.2 * leg.length))
  local n = unit(vec.lerp(UP, unit(normal), near))
  local side = { n[1], 0, n[3] }
  if n[2] >= math.cos(tilt) or vec.length(side) == 0 then return n end
  return vec.add(vec.scale(unit(side), math.sin(tilt)), vec.scale(UP, math.cos(tilt)))
end

-- Where a foot goes that has no past (no offsets, not locked). point = nil: no ground. Returns a function
-- that takes points of the animated foot there, the turn (model space) and the height that the ankle is moved by.
function foot.place(leg, point, normal, options)
  local level, tilt = options.level or 0, options.tilt or math.pi / 4
  local origin = { leg.ball[1], level, leg.ball[3] }
  local height = point and foot.height(point, normal, origin[1], origin[3])
  if not point or math.abs(height - level) > options.reach then height, normal = level, UP end
  local sunk = clamp(-foot.lift(leg, level), 0, .05 * leg.length)
  local ground = { origin[1], height + sunk, origin[3] }
  local turn = turnTo(foot.sole(leg, normal, tilt, level))
  local function take(p) return vec.add(ground, quat.rotate(turn, vec.sub(p, origin))) end
  return take, turn, take(leg.ankle)[2] - leg.ankle[2]
end

-- How high the hip may stand above its place at most for the ankle to come to `target`.
function foot.most(leg, hip, knee, target)
  local length = vec.length(vec.sub(knee, hip)) + vec.length(vec.sub(leg.ankle, knee))
  local most = math.max(vec.length(vec.sub(leg.ankle, hip)), .999 * length)
  local x, z = target[1] - hip[1], target[3] - hip[3]
  return target[2] + math.sqrt(math.max(most * most - x * x - z * z, 0)) - hip[2]
end

-- The pelvis, without a past: legs = { { own, most }, ... } as given by the two above.
function foot.pelvis(legs, reach)
  local wanted, most = 0, math.huge
  for _, leg in ipairs(legs) do
    wanted, most = math.min(wanted, leg[1]), math.min(most, leg[2])
  end
  return math.max(math.min(math.max(wanted, -reach), most), -reach)
end

-- A swinging foot comes no nearer to its hip (where it is once the pelvis is moved) than in the animation or .4 of the
-- leg: the target, lowered. `hip` and `knee` as animated, `lift` of the pelvis.
function foot.keepOff(leg, hip, knee, target, lift, level)
  local length = vec.length(vec.sub(knee, hip)) + vec.length(vec.sub(leg.ankle, knee))
  local least = math.min(vec.length(vec.sub(leg.ankle, hip)), .4 * length)
  local x, z = target[1] - hip[1], target[3] - hip[3]
  local down = least * least - x * x - z * z
  local most = hip[2] + lift - math.sqrt(math.max(down, 0))
  if down <= 0 or target[2] <= most then return target end
  local high = step((foot.lift(leg, level) / leg.length - .006) / .034)
  return { target[1], target[2] + (most - target[2]) * high, target[3] }
end

-- What is left after t seconds of an offset x0 that goes by v0 a second: the critically damped spring of semantics 5.
function foot.offset(x0, v0, smooth, t)
  if smooth <= 0 then return 0 end
  local w = 2 / smooth
  return (x0 + (v0 + w * x0) * t) * math.exp(-w * t)
end

-- Where an ankle goes: what it lies away from the pelvis along the direction, times the factor.
function stride.target(ankle, pelvis, direction, factor, weight)
  local d = unit(direction)
  local along = vec.dot(vec.sub(ankle, pelvis), d)
  return vec.add(ankle, vec.scale(d, along * (factor - 1) * (weight or 1)))
end

-- The angle about +Y that the pelvis turns by, and those of the joints of the spine.
function orient.angles(angle, weight, count, shares)
  angle = ((angle + math.pi) % (2 * math.pi) - math.pi) * weight
  local sum, turns = 0, {}
  for i = 1, count do sum = sum + (shares and shares[i] or 1) end
  for i = 1, count do turns[i] = -angle * (sum > 0 and (shares and shares[i] or 1) / sum or 1 / count) end
  return angle, turns
end

-- Rigid transforms { t, q }.
local function mul(a, b) return { vec.add(a[1], quat.rotate(a[2], b[1])), quat.mul(a[2], b[2]) } end

local function inverse(a)
  local q = quat.conjugate(a[2])
  return { quat.rotate(q, vec.scale(a[1], -1)), q }
end

-- q^part about its own axis, the shorter way.
local function power(q, part) return quat.slerp(quat.identity, q, part) end

-- Where the character is in the world at u (0 to 1) of a window that it began at `from`, whose clip stands at `now` of
-- `whole` (both since the window's beginning, as rigid transforms) and whose target is `target` in the world.
function warp.at(from, whole, now, target, u)
  local e0, z0 = inverse(whole), mul(inverse(target), from)
  local e = mul(e0, now)
  local length = vec.length(e0[1])
  local d, k = { 0, 0, 0 }, 1
  if length > 1e-12 then
    d = vec.scale(e0[1], 1 / length)
    k = clamp(vec.dot(z0[1], d) / length, 0, 2)
  end
  local function scaled(v) return vec.add(v, vec.scale(d, (k - 1) * vec.dot(d, v))) end
  local gap = vec.sub(z0[1], scaled(e0[1]))
  local turn = quat.mul(z0[2], quat.conjugate(e0[2]))
  local z = { vec.add(scaled(e[1]), vec.scale(gap, 1 - u)), quat.mul(power(turn, 1 - u), e[2]) }
  return mul(target, z)
end

return { foot = foot, stride = stride, orient = orient, warp = warp }
