-- From a motion (a posture for every moment) to a clip (keys for every joint).
local body = require("hero.body")
local rig = require("hero.rig")
local space = require("hero.space")

-- The sign of a rotation that is nearest to the last one: keys must not flip between two that mean the same.
local function continued(q, last)
  if last and q[1] * last[1] + q[2] * last[2] + q[3] * last[3] + q[4] * last[4] < 0 then
    return { -q[1], -q[2], -q[3], -q[4] }
  end
  return q
end

-- No zero is negative after + 0: so every Lua makes the same bytes.
local function append(list, tuple)
  for i = 1, #tuple do list[#list + 1] = tuple[i] + 0 end
end

-- One key is enough for what does not move.
local function newTrack(times, values, size)
  for i = size + 1, #values do
    if math.abs(values[i] - values[i - size]) > 1e-9 then return { times = times, values = values } end
  end
  local first = {}
  for i = 1, size do first[i] = values[i] end
  return { times = { 0 }, values = first }
end

-- Where a gait that stays on the spot would be after t seconds.
local function travelled(motion, t)
  local way, heading = motion.speed * t, math.rad(motion.heading)
  return { way * math.sin(heading), 0, way * math.cos(heading) }, space.aboutY(motion.turn * t / motion.duration)
end

local function keyTimes(motion)
  local count = math.floor(motion.duration * (motion.rate or 30) + .5)
  local times = {}
  for key = 0, count do times[key + 1] = motion.duration * key / count end
  return times
end

-- Per joint the local rotations at all times, and where the hips are from the root.
local function sample(motion, times)
  local places, rotations, last = {}, {}, {}
  for _, joint in ipairs(rig.joints) do rotations[joint.name] = {} end
  for i, t in ipairs(times) do
    local figure = body.figure(motion.pose(motion.loop and i == #times and 0 or t))
    append(places, figure.hips.place)
    for _, joint in ipairs(rig.joints) do
      local q, parent = figure[joint.name].rotation, figure[joint.parent]
      if parent then q = space.mul(space.inverse(parent.rotation), q) end
      last[joint.name] = continued(q, last[joint.name])
      append(rotations[joint.name], last[joint.name])
    end
  end
  return places, rotations
end

local function curvesOf(motion, times)
  local curves = {}
  for name, f in pairs(motion.curves or {}) do
    local values = {}
    for i, t in ipairs(times) do values[i] = f(t) end
    curves[name] = { times = times, values = values }
  end
  return curves
end

return function(anim, skeleton, name, motion, options)
  local times = keyTimes(motion)
  local places, rotations = sample(motion, times)
  local tracks = {}
  for joint, values in pairs(rotations) do tracks[joint] = { rotation = newTrack(times, values, 4) } end
  tracks.hips.translation = newTrack(times, places, 3)
  if options.travel and motion.speed then
    local ways, turns = {}, {}
    for _, t in ipairs(times) do
      local way, turn = travelled(motion, t)
      append(ways, way)
      append(turns, turn)
    end
    tracks.root = { translation = newTrack(times, ways, 3), rotation = newTrack(times, turns, 4) }
  end
  return anim.newClip({
    name = name, skeleton = skeleton, duration = motion.duration, loop = motion.loop, tracks = tracks,
    curves = curvesOf(motion, times), events = motion.events, markers = motion.markers,
  })
end
