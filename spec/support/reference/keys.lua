-- Sampling of one channel, after glTF 2.0 appendix C ("Animation Sampler Interpolation Modes"). A channel is
-- { times = {...}, values = {...flat...}, mode = "step" | "linear" | "cubic" }, the shape that anim.newClip takes;
-- cubic values hold in-tangent, value, out-tangent per key.
local quat = require("spec.support.reference.vec").quat

local keys = {}

local width = { translation = 3, rotation = 4, scale = 3 }

local function read(values, from, n)
  local out = {}
  for i = 1, n do out[i] = values[from + i] end
  return out
end

-- The parts of key k: its value and, for cubic channels, the tangents in and out.
local function keyAt(channel, k, n)
  if channel.mode ~= "cubic" then return read(channel.values, (k - 1) * n, n) end
  local from = (k - 1) * 3 * n
  local tangentIn, value = read(channel.values, from, n), read(channel.values, from + n, n)
  return value, tangentIn, read(channel.values, from + 2 * n, n)
end

-- The last key at or before `time`, and how far the way to the next one is gone; before the first and from the last
-- key on that key alone.
local function locate(times, time)
  local last = #times
  if time <= times[1] then return 1, 0 end
  if time >= times[last] then return last, 0 end
  local k = 1
  while times[k + 1] <= time do k = k + 1 end
  return k, (time - times[k]) / (times[k + 1] - times[k])
end

local function lerp(a, b, s)
  local out = {}
  for i = 1, #a do out[i] = a[i] + (b[i] - a[i]) * s end
  return out
end

-- C.5: the Hermite form; tangents are per second and so are multiplied by the distance of the keys.
local function hermite(v0, out0, in1, v1, distance, s)
  local s2, s3 = s * s, s * s * s
  local out = {}
  for i = 1, #v0 do
    out[i] = (2 * s3 - 3 * s2 + 1) * v0[i] + distance * (s3 - 2 * s2 + s) * out0[i]
      + (3 * s2 - 2 * s3) * v1[i] + distance * (s3 - s2) * in1[i]
  end
  return out
end

local function negated(list)
  local out = {}
  for i = 1, #list do out[i] = -list[i] end
  return out
end

-- q and -q turn alike, and appendix C.5 takes keys as they are stored. A neighbour stored with the other sign would
-- send the spline round the long way (fault 66), but a spline may also mean a long way: the sign is changed, tangents
-- and all, only where the way as stored is clearly the long one (219 degrees and more, against 141).
local farRound = -1 / 3

local function cubic(channel, k, s, n, isRotation)
  local v0, _, out0 = keyAt(channel, k, n)
  local v1, in1 = keyAt(channel, k + 1, n)
  if isRotation and quat.dot(quat.normalize(v0), quat.normalize(v1)) < farRound then
    v1, in1 = negated(v1), negated(in1)
  end
  return hermite(v0, out0, in1, v1, channel.times[k + 1] - channel.times[k], s)
end

local function between(channel, k, s, n, isRotation)
  if channel.mode == "cubic" then return cubic(channel, k, s, n, isRotation) end
  local a, b = keyAt(channel, k, n), keyAt(channel, k + 1, n)
  if not isRotation then return lerp(a, b, s) end
  return quat.slerp(quat.normalize(a), quat.normalize(b), s)
end

-- The value of a channel of `path` ("translation", "rotation", "scale"; anything else is a scalar) at `time`.
function keys.sample(channel, path, time)
  local n, isRotation = width[path] or 1, path == "rotation"
  local k, s = locate(channel.times, time)
  local value
  if s == 0 or channel.mode == "step" then
    value = keyAt(channel, k, n)
  else
    value = between(channel, k, s, n, isRotation)
  end
  return isRotation and quat.normalize(value) or value
end

return keys
