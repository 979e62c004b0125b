--- Keys of a 2D clip: { time, value [, ease] }, a number that changes along them, and the times at which a linear track
--- must have a key to follow it.
local fault = require("anim.graph.fault")

local keys = {}

local pieces = 16 -- of a curved way between two keys: off by .3 % of it at most
local hold = 1e-3 -- seconds before its end at which a step jumps, where other parts of the track do not
local mostTurns = 1000
local quarter = math.pi / 2

local function bezier(points)
  local x1, y1, x2, y2 = points[1], points[2], points[3], points[4]
  local function at(t, a, b) return 3 * t * (1 - t) * (1 - t) * a + 3 * t * t * (1 - t) * b + t * t * t end
  return function(x)
    local low, high = 0, 1
    for _ = 1, 40 do -- x rises with t
      local middle = (low + high) / 2
      if at(middle, x1, x2) < x then low = middle else high = middle end
    end
    return at(low, y1, y2)
  end
end

-- A cubic through the keys whose slope at a key is that from the key before it to the one after it (E. Catmull, R. Rom,
-- "A class of local interpolating splines", 1974). In a clip that repeats the last key is followed by the second.
local function slope(channel, i)
  local times, values, n = channel.times, channel.values, #channel.times
  local before, after = i - 1, i + 1
  local early, late = 0, 0
  if channel.closes and (i == 1 or i == n) then
    before, after, early, late = n - 1, 2, i == 1 and times[n] or 0, i == n and times[n] or 0
  end
  before, after = math.max(before, 1), math.min(after, n)
  return (values[after] - values[before]) / (times[after] + late - times[before] + early)
end

local function spline(channel, i, s)
  local span = channel.times[i + 1] - channel.times[i]
  local a, b = channel.values[i], channel.values[i + 1]
  local u, v = slope(channel, i) * span, slope(channel, i + 1) * span
  return a + s * (u + s * (3 * (b - a) - 2 * u - v + s * (2 * (a - b) + u + v)))
end

local eases = {
  spline = function() error("of several keys") end,
  linear = function(s) return s end,
  step = function(s) return s < 1 and 0 or 1 end,
  smooth = function(s) return s * s * (3 - 2 * s) end,
  easeIn = function(s) return s * s end,
  easeOut = function(s) return 1 - (1 - s) * (1 - s) end,
}

--- A name or four numbers as what is between two keys: from 0 to 1, of 0 to 1.
function keys.ease(ease, path)
  if type(ease) ~= "table" then
    return eases[fault.choice(ease, { "linear", "step", "smooth", "easeIn", "easeOut", "spline" }, path)]
  end
  if fault.list(ease, path) ~= 4 then fault.raise(path, "four numbers x1, y1, x2, y2 expected") end
  for i = 1, 4 do
    local value = fault.number(ease[i], fault.join(path, i))
    if i % 2 == 1 and (value < 0 or value > 1) then fault.expected(fault.join(path, i), "number from 0 to 1", value) end
  end
  return bezier(ease)
end

local function readKey(record, before, path)
  fault.record(record, {}, 3, path)
  local time = fault.atLeast0(rawget(record, 1), path .. "[1]")
  if before and time <= before then
    fault.raise(path .. "[1]", "time %.14g is not after %.14g", time, before)
  end
  return time
end

--- What the keys of one channel say: times, values, an ease each, `last`. A number alone is the value of all times.
--- `ease` is that of keys that name none, as keys.ease gives it.
function keys.read(description, ease, path)
  if type(description) == "number" then
    return { times = { 0 }, values = { fault.number(description, path) }, eases = { eases.linear } }
  end
  local count = fault.length(fault.table(description, path))
  fault.record(description, { ease = true }, count, path)
  if count == 0 then fault.raise(path, "at least one key { time, value } expected") end
  local own = rawget(description, "ease")
  if own ~= nil then ease = keys.ease(own, path .. ".ease") end
  local channel = { times = {}, values = {}, eases = {} }
  for i = 1, count do
    local key, place = rawget(description, i), fault.join(path, i)
    channel.times[i] = readKey(key, channel.times[i - 1], place)
    channel.values[i] = fault.number(rawget(key, 2), place .. "[2]")
    channel.eases[i] = rawget(key, 3) ~= nil and keys.ease(rawget(key, 3), place .. "[3]") or ease
  end
  return channel
end

--- The same for values that are never mixed.
function keys.readSteps(description, check, path)
  local count = fault.list(description, path)
  if count == 0 then fault.raise(path, "at least one key { time, value } expected") end
  local times, values = {}, {}
  for i = 1, count do
    local key, place = rawget(description, i), fault.join(path, i)
    times[i] = readKey(key, times[i - 1], place)
    values[i] = check(rawget(key, 2), place .. "[2]")
  end
  return times, values
end

--- Angles must not turn too far from key to key: each quarter turn of a track is a key, and degrees are a mistake.
function keys.checkTurns(channel, path)
  for i = 2, #channel.times do
    local way = math.abs(channel.values[i] - channel.values[i - 1])
    if way > 2 * math.pi * mostTurns then
      fault.raise(fault.join(path, i) .. "[2]", "at most %d turns from key to key expected, got %.14g radians",
        mostTurns, way)
    end
  end
end

--- A clip that repeats comes back to its first key at its end, where it has no key there.
function keys.close(channel, duration)
  local n = #channel.times
  if n < 2 then return end
  if channel.times[n] < duration then
    n = n + 1
    channel.times[n], channel.values[n], channel.eases[n] = duration, channel.values[1], eases.linear
  end
  channel.closes = channel.times[1] == 0 and channel.values[n] == channel.values[1]
end

--- The value at a time, clamped to the keys.
function keys.at(channel, time)
  local times, values = channel.times, channel.values
  if time <= times[1] then return values[1] end
  for i = 1, #times - 1 do
    if time < times[i + 1] then
      local s = (time - times[i]) / (times[i + 1] - times[i])
      if channel.eases[i] == eases.spline then return spline(channel, i, s) end
      return values[i] + (values[i + 1] - values[i]) * channel.eases[i](s)
    end
  end
  return values[#values]
end

-- Times between two keys.
local function between(channel, i, isAngle, add)
  local ease, t0, t1 = channel.eases[i], channel.times[i], channel.times[i + 1]
  local way = math.abs(channel.values[i + 1] - channel.values[i])
  if ease == eases.step then
    add(math.max(t1 - hold, (t0 + t1) / 2))
    return
  end
  local count = ease == eases.linear and 1 or pieces
  if isAngle then count = math.max(count, math.ceil(way / quarter)) end -- less than half a turn from key to key
  for k = 1, count - 1 do add(t0 + (t1 - t0) * k / count) end
end

local function isSteps(channels)
  for _, channel in pairs(channels) do
    for i = 1, #channel.times - 1 do
      if channel.eases[i] ~= eases.step then return false end
    end
  end
  return true
end

--- Times at which a track has keys that follows all of `channels` (by name; "angle" is one that turns), and its mode.
function keys.times(channels)
  local steps = isSteps(channels)
  local times, seen = {}, {}
  local function add(time)
    if not seen[time] then times[#times + 1], seen[time] = time, true end
  end
  for name, channel in pairs(channels) do
    for i, time in ipairs(channel.times) do
      add(time)
      if not steps and i < #channel.times then between(channel, i, name == "angle", add) end
    end
  end
  table.sort(times)
  return times, steps and "step" or "linear"
end

return keys
