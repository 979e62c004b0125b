-- Vectors { x, y, z } and rotations { x, y, z, w }: the little of it that posing a body takes.
local space = {}

local sin, cos, sqrt = math.sin, math.cos, math.sqrt

-- ---- vectors

function space.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end

function space.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

function space.scale(a, s) return { a[1] * s, a[2] * s, a[3] * s } end

function space.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

function space.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

function space.length(a) return sqrt(space.dot(a, a)) end

function space.unit(a) return space.scale(a, 1 / space.length(a)) end

function space.mix(a, b, t)
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t }
end

-- ---- rotations

local IDENTITY = { 0, 0, 0, 1 }

-- First b, then a: the rotation of a child b under its parent a.
local function mul(a, b)
  local ax, ay, az, aw = a[1], a[2], a[3], a[4]
  local bx, by, bz, bw = b[1], b[2], b[3], b[4]
  return {
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  }
end

function space.mul(a, b, ...)
  if ... then return space.mul(mul(a, b), ...) end
  return mul(a, b)
end

function space.inverse(q) return { -q[1], -q[2], -q[3], q[4] } end

function space.rotate(q, v)
  local x, y, z, w = q[1], q[2], q[3], q[4]
  local vx, vy, vz = v[1], v[2], v[3]
  local tx, ty, tz = 2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)
  return { vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx }
end

-- Turns about one axis, in degrees: all angles of the hero are written in degrees.
local HALF = math.pi / 360

function space.aboutX(degrees) return { sin(degrees * HALF), 0, 0, cos(degrees * HALF) } end

function space.aboutY(degrees) return { 0, sin(degrees * HALF), 0, cos(degrees * HALF) } end

function space.aboutZ(degrees) return { 0, 0, sin(degrees * HALF), cos(degrees * HALF) } end

-- The part of a rotation that turns about +Y.
function space.aboutYOf(q)
  local size = sqrt(q[2] ^ 2 + q[4] ^ 2)
  if size < 1e-9 then return IDENTITY end
  return { 0, q[2] / size, 0, q[4] / size }
end

-- A body part's attitude: yaw turns it left, pitch bows it forward, roll lifts its left side.
function space.attitude(t)
  return mul(mul(space.aboutY(t.yaw), space.aboutX(t.pitch)), space.aboutZ(t.roll))
end

-- The rotation whose +Y is `along` and whose +X is as near to `hinge` as that allows.
function space.frame(along, hinge)
  local y = space.unit(along)
  local x = space.unit(space.sub(hinge, space.scale(y, space.dot(hinge, y))))
  local z = space.cross(x, y)
  local trace = x[1] + y[2] + z[3]
  if trace > 0 then
    local s = 2 * sqrt(1 + trace)
    return { (y[3] - z[2]) / s, (z[1] - x[3]) / s, (x[2] - y[1]) / s, s / 4 }
  elseif x[1] > y[2] and x[1] > z[3] then
    local s = 2 * sqrt(1 + x[1] - y[2] - z[3])
    return { s / 4, (y[1] + x[2]) / s, (z[1] + x[3]) / s, (y[3] - z[2]) / s }
  elseif y[2] > z[3] then
    local s = 2 * sqrt(1 + y[2] - x[1] - z[3])
    return { (y[1] + x[2]) / s, s / 4, (z[2] + y[3]) / s, (z[1] - x[3]) / s }
  end
  local s = 2 * sqrt(1 + z[3] - x[1] - y[2])
  return { (z[1] + x[3]) / s, (z[2] + y[3]) / s, s / 4, (x[2] - y[1]) / s }
end

-- The part t of the turn from a to b, the short way.
function space.slerp(a, b, t)
  local turn = mul(space.inverse(a), b)
  if turn[4] < 0 then turn = { -turn[1], -turn[2], -turn[3], -turn[4] } end
  local size = sqrt(turn[1] ^ 2 + turn[2] ^ 2 + turn[3] ^ 2)
  if size < 1e-12 then return a end
  local half = t * (math.atan2 or math.atan)(size, turn[4]) -- atan takes two arguments from Lua 5.3 on
  local s = sin(half) / size
  return mul(a, { turn[1] * s, turn[2] * s, turn[3] * s, cos(half) })
end

space.IDENTITY = IDENTITY

return space
