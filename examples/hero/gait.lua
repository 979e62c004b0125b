-- Walking and running, sideways and on the spot, made from a style.
--
-- One pass is a stride: the left foot touches down at phase 0, the right one at 0.5. A foot's own phase begins at its
-- touch-down; until `stance` the foot stands on the ground, which moves back under the body at the speed of the gait,
-- and rolls from heel to toe as `pitch` says; then it swings to where it touches down again, leaving and meeting the
-- ground at the ground's own speed. A style is a table:
--   duration, speed     seconds a stride, metres a second
--   heading, turn       direction of travel, from ahead to the left; turn to the left in a stride (degrees)
--   facing, out         how far hips and feet look to the left, and each foot outward
--   stance              share of the stride a foot is on the ground
--   ahead, width        where a foot is half-way through its stance: along the travel, and off to its side
--   lead                by how much the left foot is further along the travel than the middle of both
--   pitch, grip         of a foot over its phase; how flat the toes lie on the ground when the heel is up (0 to 1)
--   swing               places the ankle passes: { part of the swing, part of the way, height }
--   middle              { group = { channel = f(phase) or number } } of the posture (see body.lua)
--   side                the same for "arm" and "hand", by the phase of the foot on the same side
local body = require("hero.body")
local curve = require("hero.curve")

local gait = {}

local DEFAULTS = { __index = { heading = 0, turn = 0, facing = 0, lead = 0 } }

local function rotated(x, z, degrees)
  local a = math.rad(degrees)
  return x * math.cos(a) + z * math.sin(a), z * math.cos(a) - x * math.sin(a)
end

-- Which side of the way a foot is on: going backwards, the left foot is to the right of it.
local function sideOfWay(style, side)
  return math.cos(math.rad(style.heading - style.facing)) < 0 and -side or side
end

-- The foot on the ground at its phase p, held there while the body moves on.
local function standing(style, side)
  local x0, z0 = rotated(style.width * sideOfWay(style, side), style.ahead + side * style.lead, style.heading)
  return function(p)
    local part = p - style.stance / 2
    local yaw = -style.turn * part
    local x, z = rotated(x0, z0, yaw)
    local dx, dz = rotated(0, style.speed * style.duration * part, style.heading)
    return { x = x - dx, y = 0, z = z - dz, yaw = style.out + side * (style.facing + yaw), pitch = style.pitch(p) }
  end
end

-- The ankle's place and the foot's yaw, as a list.
local function ankleOf(side, foot)
  local place = body.anklePlace(side, foot)
  return { place[1], place[2], place[3], foot.yaw }
end

-- The foot on its way through the air: one curve over p for each of the four numbers.
local function swinging(style, side, stand)
  local from, to, h = style.stance, 1, 1e-4
  local first, last = ankleOf(side, stand(from)), ankleOf(side, stand(0))
  local before, after = ankleOf(side, stand(from - h)), ankleOf(side, stand(h))
  local paths = {}
  for i = 1, 4 do
    local knots = { { from, first[i] } }
    for _, row in ipairs(style.swing) do
      local value = i == 2 and row[3] or first[i] + (last[i] - first[i]) * row[2]
      knots[#knots + 1] = { from + (to - from) * row[1], value }
    end
    knots[#knots + 1] = { to, last[i] }
    paths[i] = curve.path(knots, (first[i] - before[i]) / h, (after[i] - last[i]) / h)
  end
  return function(p)
    local foot = { x = 0, y = 0, z = 0, yaw = paths[4](p), pitch = style.pitch(p) }
    local offset = body.anklePlace(side, foot)
    foot.x, foot.y, foot.z = paths[1](p) - offset[1], paths[2](p) - offset[2], paths[3](p) - offset[3]
    return foot
  end
end

local function legOf(style, side)
  local stand = standing(style, side)
  local swing = swinging(style, side, stand)
  return function(p)
    local foot = p < style.stance and stand(p) or swing(p)
    foot.toe = math.max(0, foot.pitch) * style.grip(p) + .4 * math.max(0, -foot.pitch)
    return foot
  end
end

local LOCK = .02 -- of a stride: how fast a foot lock comes and goes

local function lockOf(style, offset)
  local lock = curve.loop({ { 0, 0 }, { LOCK, 1 }, { style.stance - LOCK, 1 }, { style.stance, 0 } })
  return function(t) return lock(t / style.duration + offset) end
end

local function sampled(channels, phase)
  local values = {}
  for name, channel in pairs(channels) do values[name] = type(channel) == "number" and channel or channel(phase) end
  return values
end

-- A motion for hero/bake.lua: duration, loop, rate, pose(t), events, markers, curves; and speed, heading and turn.
function gait.new(style)
  setmetatable(style, DEFAULTS)
  local left, right = legOf(style, 1), legOf(style, -1)
  local T = style.duration
  local function pose(t)
    local phase = t / T % 1
    local other = (phase + .5) % 1
    local posture = { ["foot.L"] = left(phase), ["foot.R"] = right(other) }
    for name, channels in pairs(style.middle) do posture[name] = sampled(channels, phase) end
    for name, channels in pairs(style.side) do
      posture[name .. ".L"], posture[name .. ".R"] = sampled(channels, phase), sampled(channels, other)
    end
    posture.hips.yaw = posture.hips.yaw + style.facing
    return posture
  end
  return {
    duration = T, loop = true, rate = 60, pose = pose,
    speed = style.speed, heading = style.heading, turn = style.turn,
    events = { { time = 0, name = "footstep", data = "L" }, { time = T / 2, name = "footstep", data = "R" } },
    markers = { { time = 0, name = "L" }, { time = T / 2, name = "R" } },
    curves = { ["foot_lock.L"] = lockOf(style, 0), ["foot_lock.R"] = lockOf(style, .5) },
  }
end

-- The same to the other side: the left foot does what the right one did.
function gait.mirror(motion)
  local half = motion.duration / 2
  local mirrored = {}
  for key, value in pairs(motion) do mirrored[key] = value end
  mirrored.heading, mirrored.turn = -motion.heading, -motion.turn
  mirrored.pose = function(t) return body.mirror(motion.pose(t + half)) end
  mirrored.curves = {
    ["foot_lock.L"] = function(t) return motion.curves["foot_lock.R"](t + half) end,
    ["foot_lock.R"] = function(t) return motion.curves["foot_lock.L"](t + half) end,
  }
  return mirrored
end

return gait
