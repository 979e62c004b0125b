--- All that the page knows of a model, as a table for JSON.
local core = require("anim.core")
local figure = require("anim.view.figure")
local Frame = require("anim.view.frame")
local json = require("anim.view.json")
local parts = require("anim.view.parts")
local take = require("anim.view.take")

local sightings = { few = 32, many = 200, longTake = 2000 } -- frames of a take that framing looks at

-- What gives the pose of a clip at a time: `pose` itself, or the rest pose with the deltas added.
local function sampler(clip, skeleton)
  local pose = core.newPose(skeleton)
  if not clip:isAdditive() then
    return function(time)
      clip:sample(time, pose)
      return pose
    end
  end
  local delta = core.newPose(skeleton)
  return function(time)
    clip:sample(time, delta)
    pose:toRest()
    pose:add(delta, 1)
    return pose
  end
end

-- The size of the figure: the middle one over the beginnings of all clips, so that one odd clip counts little.
local function figureSize(model, map)
  local sizes = {}
  for i, item in ipairs(model.clips) do
    local frame = Frame.new(map)
    frame:add(sampler(item.clip, model.skeleton)(0))
    sizes[i] = frame:size()
  end
  if #sizes == 0 then
    local frame = Frame.new(map)
    frame:add(core.newPose(model.skeleton))
    sizes[1] = frame:size()
  end
  table.sort(sizes)
  local size = sizes[math.ceil(#sizes / 2)]
  return size > 0 and size < 1e30 and size or 1
end

local function describeEvents(clip)
  local events, markers = {}, {}
  for i, event in ipairs(clip:getEvents()) do
    events[i] = { event.time, event.duration or -1, event.name, json.plain(event.data) }
  end
  for i, marker in ipairs(clip:getMarkers()) do markers[i] = { marker.time, marker.name } end
  return events, markers
end

local function describeTake(item, model, map, unit, tick)
  local clip, frame = item.clip, Frame.new(map)
  local frames = take.frames(clip:getDuration(), #model.skeleton)
  local wanted = frames > sightings.longTake and sightings.many or sightings.few
  local every = math.max(1, math.floor(frames / wanted))
  local blocks = take.write(clip, frames, unit, sampler(clip, model.skeleton), function(pose, f)
    if (f - 1) % every == 0 or f == frames then frame:add(pose) end
    tick()
  end)
  local events, markers = describeEvents(clip)
  return {
    name = item.name, seconds = clip:getDuration(), loop = clip:getLoop(), additive = clip:isAdditive(),
    frames = frames, events = events, markers = markers, blocks = blocks,
    box = figure.box(frame.box), near = figure.box(frame.near), path = figure.box(frame.path), across = frame.across,
  }, frame
end

-- glTF says which axis is up; BVH, and what was converted from it, does not.
local function isGltf(name) return name:lower():find("%.gltf$") ~= nil or name:lower():find("%.glb$") ~= nil end

--- `model` as view/model.lua gives it; `progress(frames done, frames in all)` may be nil.
return function(model, progress)
  local map = parts.find(model)
  local size = figureSize(model, map)
  local unit = size / 16384
  local total, done = 0, 0
  for _, item in ipairs(model.clips) do
    total = total + take.frames(item.clip:getDuration(), #model.skeleton)
  end
  local function tick()
    done = done + 1
    if progress then progress(done, total) end
  end
  local takes, frames = {}, {}
  for i, item in ipairs(model.clips) do takes[i], frames[i] = describeTake(item, model, map, unit, tick) end
  local pose = model.clips[1] and sampler(model.clips[1].clip, model.skeleton)(0) or core.newPose(model.skeleton)
  local out, rest = figure.describe(model.skeleton, map, size, unit, pose)
  out.name, out.warnings, out.takes = model.name, model.warnings, takes
  out.up = isGltf(model.name) and "y" or Frame.upAxis(#frames > 0 and frames or { rest })
  return out
end
