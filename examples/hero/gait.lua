-- Walking and running, sideways and on the spot, made from a style.
--
-- One pass is a stride: the left foot touches down at phase 0, the right one at 0.5. A foot's own phase begins at its
-- touch-down; until `stance` it is fixed to the ground, which moves back under the body at the speed of the gait,
-- and rolls from heel to toe as `pitch` says; then it swings to where it touches down again, leaving and meeting the
-- ground at the ground's own speed. A style is a table:
--   duration, speed          seconds a stride, metres a second
--   heading, turn            direction of travel, from ahead to the left; turn to the left in a stride (degrees)
--   facing, out              where feet and hips look (to the left), how far each foot turns outward
--   stance                   share of the stride a foot is on the ground
--   ahead, width             where a foot is half-way through its stance: along the travel, and off to its side
--   lead                     by how much the left foot is further along the travel than the middle of both
--   pitch, grip              of a foot over its phase; how flat the toes lie on the ground when the heel is up (0 to 1)
--   swing                    places the ankle passes: { part of the swing, part of the way, height, to the side }
--   middle                   { group = { channel = f(phase) or number } }
--   side                     the same for arms and hands, by the phase of the foot on the same side
local body = require("hero.body")
local curve = require("hero.curve")

local gait = {}

local function rotated(x, z, degrees)
  local a = math.rad(degrees)
  return x * math.cos(a) + z * math.sin(a), z * math.cos(a) - x * math.sin(a)
end

local function valueOf(channel, phase)
  if type(channel) == "number" then return channel end
  return channel(phase)
end

local function fill(group, channels, phase)
  for name, channel in pairs(channels) do group[name] = (group[name] or 0) + valueOf(channel, phase) end
  return group
end

-- Which side of the travel a foot is on: going backwards, the left foot is to the right of the way.
local function leftward(style, side)
  local backwards = math.cos(math.rad((style.heading or 0) - (style.facing or 0))) < 0
  return backwards and -side or side
end

-- The foot on the ground at its phase p, held there while the body moves on.
local function standing(style, side)
  local along = style.ahead + side * (style.lead or 0)
  local x0, z0 = rotated(style.width * leftward(style, side), along, style.heading or 0)
  return function(p)
    local part = p - style.stance / 2
    local yaw = -(style.turn or 0) * part
    local x, z = rotated(x0, z0, yaw)
    local dx, dz = rotated(0, style.speed * style.duration * part, style.heading or 0)
    return { x = x - dx, z = z - dz, yaw = style.out + side * ((style.facing or 0) + yaw), pitch = style.pitch(p) }
  end
end

-- The ankle's place and the foot's yaw as four numbers.
local function ankleOf(side, foot)
  local place = body.anklePlace(side, foot)
  return { place[1], place[2], place[3], foot.yaw }
end

-- The way through the air from one stance to the next, as curves of the four numbers over p.
local function swinging(style, side, stand)
  local from, to, h = style.stance, 1, 1e-4
  local first, last = ankleOf(side, stand(from)), ankleOf(side, stand(0))
  local before, after = ankleOf(side, stand(from - h)), ankleOf(side, stand(h))
  local sideX, sideZ = rotated(leftward(style, side), 0, style.heading or 0)
  local paths = {}
  for i = 1, 4 do
    local knots = { { from, first[i] } }
    for _, row in ipairs(style.swing) do
      local value = first[i] + (last[i] - first[i]) * row[2]
      if i == 2 then value = row[3] end
      if i == 1 then value = value + sideX * (row[4] or 0) end
      if i == 3 then value = value + sideZ * (row[4] or 0) end
      knots[#knots + 1] = { from + (to - from) * row[1], value }
    end
    knots[#knots + 1] = { to, last[i] }
    paths[i] = curve.path(knots, (first[i] - before[i]) / h, (after[i] - last[i]) / h)
  end
  return function(p)
    local foot = { yaw = paths[4](p), pitch = style.pitch(p), x = 0, z = 0 }
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

-- What hero.bake takes: duration, loop, pose(t), events, markers, curves; and speed and turn, to move the root by.
function gait.new(style)
  local left, right = legOf(style, 1), legOf(style, -1)
  local T = style.duration
  local function pose(t)
    local phase = t / T % 1
    local other = (phase + .5) % 1
    local posture = { ["foot.L"] = left(phase), ["foot.R"] = right(other) }
    for name, channels in pairs(style.middle) do posture[name] = fill({}, channels, phase) end
    for name, channels in pairs(style.side) do
      posture[name .. ".L"] = fill({}, channels, phase)
      posture[name .. ".R"] = fill({}, channels, other)
    end
    local hips = posture.hips
    hips.yaw = (hips.yaw or 0) + (style.facing or 0)
    return posture
  end
  return {
    duration = T, loop = true, rate = 60, pose = pose, speed = style.speed, heading = style.heading or 0,
    turn = style.turn or 0,
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
