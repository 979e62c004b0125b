--- All that the page knows of a model, as a table for JSON. Joints are counted from 0 there.
local core = require("anim.core")
local digits = require("anim.view.digits")
local Frame = require("anim.view.frame")
local parts = require("anim.view.parts")
local take = require("anim.view.take")

local sightings = { few = 32, many = 200, longTake = 2000 } -- frames of a take that framing looks at

local function zeroBased(joints)
  local out = {}
  for i, j in ipairs(joints) do out[i] = j - 1 end
  return out
end

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

local function distance(pose, a, b)
  local ax, ay, az = pose:getPosition(a)
  local bx, by, bz = pose:getPosition(b)
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + (az - bz) ^ 2)
end

-- How the bone from its parent to each joint is drawn, a letter a joint: b as body, h faintly, n not at all. Bones
-- between roots that lie away from the hips, mostly on the ground, and what hangs on them are none of the body.
local function bones(model, map, size)
  local skeleton, pose, out, isAbove = model.skeleton, core.newPose(model.skeleton), {}, {}
  if model.clips[1] then pose = sampler(model.clips[1].clip, skeleton)(0) end
  local above, isFar = map.parent[map.hips], false
  while above do
    isFar = isFar or distance(pose, above, map.hips) > 0.2 * size
    isAbove[above] = isFar
    above = map.parent[above]
  end
  for j = 1, #skeleton do
    local parent = map.parent[j]
    local isBody = parent and map.body[j] and map.body[parent] and not isAbove[parent]
    out[j] = not parent and "n" or isBody and "b" or "h"
  end
  return table.concat(out)
end

local function describeJoints(model, map)
  local skeleton = model.skeleton
  local names, parents, rest, sides = {}, {}, {}, {}
  for j = 1, #skeleton do
    names[j] = skeleton:getName(j)
    parents[j] = (map.parent[j] or 0) - 1
    for _, x in ipairs({ skeleton:getRest(j) }) do rest[#rest + 1] = x end
    sides[j] = map.side[j] or "C"
  end
  return names, parents, rest, table.concat(sides)
end

local function plain(value)
  local kind = type(value)
  if kind == "string" then return value:sub(1, 80) end
  return (kind == "number" or kind == "boolean") and tostring(value) or ""
end

local function describeEvents(clip)
  local events, markers = {}, {}
  for i, event in ipairs(clip:getEvents()) do
    events[i] = { event.time, event.duration or -1, event.name, plain(event.data) }
  end
  for i, marker in ipairs(clip:getMarkers()) do markers[i] = { marker.time, marker.name } end
  return events, markers
end

local function boxOf(box) return box[1] <= box[4] and box or { 0, 0, 0, 0, 0, 0 } end

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
    box = boxOf(frame.box), near = boxOf(frame.near), path = boxOf(frame.path), across = frame.across,
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
  local rest = Frame.new(map)
  rest:add(core.newPose(model.skeleton))
  local names, parents, restValues, sides = describeJoints(model, map)
  return {
    name = model.name, warnings = model.warnings, size = size,
    names = names, parents = parents, rest = restValues, sides = sides, bones = bones(model, map, size),
    hips = map.hips - 1, head = (map.head or 0) - 1, feet = zeroBased(map.feet), hands = zeroBased(map.hands),
    box = boxOf(rest.box), near = boxOf(rest.near), across = rest.across,
    up = isGltf(model.name) and "y" or Frame.upAxis(#frames > 0 and frames or { rest }),
    takes = takes, blockFrames = take.blockFrames, mostRate = take.rate,
    units = { turn = take.turnUnit, move = unit, scale = take.scaleUnit },
    digits = { alphabet = digits.alphabet, forms = digits.forms },
  }
end
