-- Motions written as an animator writes them: postures at times, each naming only what it changes.
--
-- A motion is { duration =, loop =, rate =, keys = { { time, posture }, ... }, events =, curves =,
--   delay = { group = seconds }: that group does what is written a little later, because nothing in a body starts or
--     stops all at once,
--   falling = true: nobody keeps the balance, the hips are where the keys say }.
-- A channel goes calmly from key to key that names it and begins as in `stand`. In postures "arm", "hand" and "foot"
-- mean both sides; what is said of one side goes before what is said of both.
local curve = require("hero.curve")

local keyed = {}

keyed.stand = {
  hips = { y = -.006, pitch = 2 },
  weight = { x = 0, z = .035 },
  ["arm.L"] = { swing = -2, abduct = 8, twist = 3, elbow = 17, pronate = 18, wrist = 6 },
  ["arm.R"] = { swing = -3, abduct = 8, twist = 4, elbow = 19, pronate = 20, wrist = 5 },
  hand = { curl = 26, thumb = 14, spread = 4 },
  ["foot.L"] = { x = .1, z = .01, yaw = 9 },
  ["foot.R"] = { x = -.1, z = -.015, yaw = 10 },
}

-- The same with everything named that a motion may have changed: its last key.
keyed.rest = {
  face = { jaw = 0 }, chest = { yaw = 0, pitch = 0, roll = 0 }, head = { yaw = 0, pitch = 0, roll = 0 },
  hips = { y = -.006, yaw = 0, pitch = 2, roll = 0 }, arm = { deviate = 0, shrug = 0 }, foot = { pitch = 0 },
}

-- Postures laid over each other: what a later one names replaces what an earlier one says.
function keyed.over(...)
  local sum = {}
  for _, posture in ipairs({ ... }) do
    for group, channels in pairs(posture) do
      sum[group] = sum[group] or {}
      for channel, value in pairs(channels) do sum[group][channel] = value end
    end
  end
  return sum
end

keyed.rest = keyed.over(keyed.stand, keyed.rest)

-- The curve of a foot lock: 1 but while the foot is in the air, in each { up, down } of the list.
function keyed.lock(steps)
  return function(t)
    local lock = 1
    for _, step in ipairs(steps) do lock = math.min(lock, math.max(step[1] - t, t - step[2]) / .02) end
    return math.max(0, lock)
  end
end

local BOTH = { arm = { "arm.L", "arm.R" }, hand = { "hand.L", "hand.R" }, foot = { "foot.L", "foot.R" } }

-- The posture with both sides written out.
local function expanded(posture)
  local groups = {}
  local function merge(name, channels)
    groups[name] = groups[name] or {}
    for channel, value in pairs(channels) do
      if groups[name][channel] == nil then groups[name][channel] = value end
    end
  end
  for name, channels in pairs(posture) do
    if not BOTH[name] then merge(name, channels) end
  end
  for name, sides in pairs(BOTH) do
    for _, side in ipairs(sides) do merge(side, posture[name] or {}) end
  end
  return groups
end

local STAND = expanded(keyed.stand)

-- Per group and channel the knots { time, value } of all keys.
local function knotsOf(motion)
  local tracks = {}
  local function begin(group, channel)
    tracks[group] = tracks[group] or {}
    tracks[group][channel] = tracks[group][channel] or { { 0, STAND[group] and STAND[group][channel] or 0 } }
    return tracks[group][channel]
  end
  for group, channels in pairs(STAND) do
    for channel in pairs(channels) do begin(group, channel) end
  end
  local delay = motion.delay or {}
  for _, key in ipairs(motion.keys) do
    for group, channels in pairs(expanded(key[2])) do
      local time = key[1]
      if time > 0 and time < motion.duration then time = time + (delay[group] or 0) end
      for channel, value in pairs(channels) do
        local knots = begin(group, channel)
        knots[time == 0 and 1 or #knots + 1] = { time, value }
      end
    end
  end
  return tracks
end

-- Adds pose(t) to the motion.
function keyed.motion(motion)
  local tracks = knotsOf(motion)
  for _, channels in pairs(tracks) do
    for channel, knots in pairs(channels) do
      channels[channel] = motion.loop and curve.loop(knots, motion.duration) or curve.keys(knots)
    end
  end
  function motion.pose(t)
    local posture = {}
    for group, channels in pairs(tracks) do
      posture[group] = {}
      for channel, f in pairs(channels) do posture[group][channel] = f(t) end
    end
    if motion.falling then posture.weight = nil end
    return posture
  end
  return motion
end

return keyed
