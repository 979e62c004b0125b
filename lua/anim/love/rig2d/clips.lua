--- Clips of a 2D rig as clips of its skeleton.
local anim = require("anim")
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local joints = require("anim.love.rig2d.joints")
local keys = require("anim.love.rig2d.keys")

local clips = {}

local clipKeys = { duration = true, loop = true, ease = true, joints = true, sprites = true, curves = true,
  events = true, markers = true, root = true }
local channelKeys = { angle = true, x = true, y = true, scale = true, scaleX = true, scaleY = true }
local eventKeys = { time = true, name = true, data = true, duration = true }

-- Reading ---------------------------------------------------------------------------------------------

local function readJoint(description, ease, path)
  fault.record(description, channelKeys, 0, path)
  local channels = {}
  for _, name in ipairs(fault.names(description, path)) do
    channels[name] = keys.read(rawget(description, name), ease, fault.join(path, name))
  end
  if channels.angle then keys.checkTurns(channels.angle, path .. ".angle") end
  if channels.scale and (channels.scaleX or channels.scaleY) then
    fault.raise(path, "either scale, or scaleX and scaleY")
  end
  return channels
end

local function lastOf(times, last) return math.max(last, times[#times]) end

-- Events and markers: { time, name [, data] } or with names.
local function readMoments(list, withData, path)
  local out, last = {}, 0
  for i = 1, fault.list(list, path) do
    local place, given = fault.join(path, i), list[i]
    fault.record(given, eventKeys, withData and 3 or 2, place)
    local time, name = rawget(given, "time") or rawget(given, 1), rawget(given, "name") or rawget(given, 2)
    local moment = { time = time, name = name }
    fault.atLeast0(moment.time, place .. ".time")
    fault.name(moment.name, place .. ".name")
    if withData then
      moment.data, moment.duration = rawget(given, "data"), rawget(given, "duration")
      if moment.data == nil then moment.data = rawget(given, 3) end
      if moment.duration ~= nil then fault.atLeast0(moment.duration, place .. ".duration") end
    end
    last = math.max(last, moment.time + (moment.duration or 0))
    out[i] = moment
  end
  return out, last
end

local function choiceOf(sprite)
  return function(value, path)
    if type(value) == "boolean" then return value end -- hidden, or what it shows unless told otherwise
    if type(value) ~= "string" or not sprite.choices[value] then
      local names = {}
      for name in pairs(sprite.choices) do names[#names + 1] = name end
      table.sort(names)
      fault.expected(path, ('true, false, "%s"'):format(table.concat(names, '", "')), value)
    end
    return value
  end
end

local function readSprites(clip, description, sprites, path)
  for _, name in ipairs(fault.names(description, path)) do
    local place = fault.join(path, name)
    local sprite = sprites[name]
    if not sprite then
      local names = {}
      for i, known in ipairs(sprites) do names[i] = known.name end
      fault.raise(place, "no sprite '%s'%s", name, core.didYouMean(name, names))
    end
    local times, values = keys.readSteps(rawget(description, name), choiceOf(sprite), place)
    clip.properties[name] = { times = times, values = values }
    clip.last = lastOf(times, clip.last)
  end
end

local function read(description, list, sprites, path)
  fault.record(description, clipKeys, 0, path)
  local clip = { joints = {}, curves = {}, properties = {}, last = 0, path = path }
  local function part(key) return fault.table(rawget(description, key) or {}, fault.join(path, key)) end
  local ease = rawget(description, "ease")
  ease = keys.ease(ease == nil and "linear" or ease, path .. ".ease")
  for _, name in ipairs(fault.names(part("joints"), path .. ".joints")) do
    local place = fault.join(path .. ".joints", name)
    joints.find(list, name, place)
    clip.joints[name] = readJoint(part("joints")[name], ease, place)
    for _, channel in pairs(clip.joints[name]) do clip.last = lastOf(channel.times, clip.last) end
  end
  for _, name in ipairs(fault.names(part("curves"), path .. ".curves")) do
    clip.curves[name] = keys.read(part("curves")[name], ease, fault.join(path .. ".curves", name))
    clip.last = lastOf(clip.curves[name].times, clip.last)
  end
  readSprites(clip, part("sprites"), sprites, path .. ".sprites")
  local last
  clip.events, last = readMoments(part("events"), true, path .. ".events")
  clip.last = math.max(clip.last, last)
  clip.markers, last = readMoments(part("markers"), false, path .. ".markers")
  clip.last = math.max(clip.last, last)
  clip.loop = rawget(description, "loop")
  if clip.loop == nil then clip.loop = true end
  fault.loop(clip.loop, path .. ".loop")
  clip.duration = rawget(description, "duration")
  if clip.duration == nil then clip.duration = clip.last end
  fault.atLeast0(clip.duration, path .. ".duration")
  if clip.duration < clip.last then
    fault.raise(path .. ".duration", "%.14g is before the last key, event or marker at %.14g", clip.duration, clip.last)
  end
  return clip
end

-- Writing ---------------------------------------------------------------------------------------------

local function track(channels, value)
  if not next(channels) then return nil end
  local times, mode = keys.times(channels)
  local values = {}
  for _, time in ipairs(times) do
    local row = value(function(name, missing)
      return channels[name] and keys.at(channels[name], time) or missing
    end)
    for _, number in ipairs(row) do values[#values + 1] = number end
  end
  return { times = times, values = values, mode = mode }
end

local function pick(channels, ...)
  local out = {}
  for _, name in ipairs({ ... }) do out[name] = channels[name] end
  return out
end

local function tracksOf(joint, channels)
  return {
    rotation = track(pick(channels, "angle"), function(at) return joints.turn(joint.angle + at("angle", 0)) end),
    translation = track(pick(channels, "x", "y"),
      function(at) return { joint.x + at("x", 0), -(joint.y + at("y", 0)), 0 } end),
    scale = track(pick(channels, "scale", "scaleX", "scaleY"), function(at)
      local both = at("scale", 1)
      return { joint.sx * at("scaleX", both), joint.sy * at("scaleY", both), 1 }
    end),
  }
end

local function write(name, clip, list, skeleton)
  local tracks, curves = {}, {}
  local function close(channels)
    if clip.loop ~= true then return end
    for _, channel in pairs(channels) do keys.close(channel, clip.duration) end
  end
  for joint, channels in pairs(clip.joints) do
    close(channels)
    tracks[joint] = tracksOf(list[joint], channels)
  end
  close(clip.curves)
  for curve, channel in pairs(clip.curves) do
    curves[curve] = track({ value = channel }, function(at) return { at("value") } end)
  end
  return anim.newClip({ name = name, skeleton = skeleton, duration = clip.duration, loop = clip.loop, tracks = tracks,
    curves = curves, properties = clip.properties, events = clip.events, markers = clip.markers })
end

local function rootMotion(clip, description, list, path)
  fault.record(description, { joint = true, translation = true, rotation = true }, 0, path)
  joints.find(list, rawget(description, "joint"), path .. ".joint")
  local rotation, translation = rawget(description, "rotation"), rawget(description, "translation")
  if rotation ~= nil then fault.boolean(rotation, path .. ".rotation") end
  if translation ~= nil then fault.choice(translation, { "x", "y", "xy" }, path .. ".translation") end
  if not rotation and translation == nil then fault.raise(path, "translation or rotation expected") end
  local axis = rotation and "z" or nil
  return clip:withRootMotion({ joint = description.joint, translation = translation, rotation = axis })
end

--- All clips: in byte order of their names, and by name.
function clips.build(description, list, skeleton, sprites)
  local out = {}
  for i, name in ipairs(fault.names(description, "clips")) do
    local path = fault.join("clips", name)
    local given = rawget(description, name)
    local clip = write(name, read(given, list, sprites, path), list, skeleton)
    local root = rawget(given, "root")
    if root ~= nil then clip = rootMotion(clip, root, list, path .. ".root") end
    out[i], out[name] = clip, clip
  end
  return out
end

return clips
