--- What is kept of each update: time, pose, targets, weights, parameters, events, states of machines. The pose is
--- written as the page plays it (view/take.lua), moved by the root motion so far.
local core = require("anim.core")
local Frame = require("anim.view.frame")
local json = require("anim.view.json")
local parts = require("anim.view.parts")
local path = require("anim.record.path")
local take = require("anim.view.take")
local targets = require("anim.record.targets")
local tracks = require("anim.record.tracks")

local Recorder = {}
Recorder.__index = Recorder

local sight = .1 -- seconds between two looks at where the figure is

-- The size of a figure whose rest pose may be all in one place.
local function sizeOf(map, pose)
  local frame = Frame.new(map)
  frame:add(core.newPose(pose:getSkeleton()))
  if frame:size() == 0 then frame:add(pose) end
  local size = frame:size()
  return size > 0 and size < 1e30 and size or 1
end

local function newRecorder(graph, model)
  local skeleton = graph:getSkeleton()
  local pose = graph:getPose()
  local map = parts.find({ skeleton = skeleton, skins = model and model.skins })
  local size = sizeOf(map, pose)
  local self = setmetatable({
    name = type(model) == "table" and type(model.name) == "string" and model.name or "recording",
    skeleton = skeleton, map = map, size = size, unit = size / 16384, frame = Frame.new(map),
    time = 0,   -- seconds recorded
    times = {}, -- of each frame
    path = path.new(skeleton), pose = pose, first = nil, seen = -1,
    events = {}, tracks = tracks.new(), step = {},
  }, Recorder)
  self.writer = take.writer(skeleton, self.unit)
  self.targets = targets.new(skeleton, self.unit, self.path)
  return self
end

--- Before time moves: what a trigger is set to is over afterwards.
function Recorder:begin(graph)
  local _, clock = core.graph.readClock(graph)
  local step = self.step
  step.before = clock
  step.base, step.baseTime = step.base or clock, step.baseTime or self.time -- there may be advances without a pose
  self.tracks:readTriggers(graph)
end

-- The user may have released either.
local function nameOf(object)
  if not object then return "" end
  local isThere, name = pcall(object.getName, object)
  return isThere and name or ""
end

local function addEvent(self, offset, name, data, node, clip, time, weight, edge)
  local step = self.step
  local part = step.seconds > 0 and math.max(0, math.min(1, offset / step.seconds)) or 0
  self.events[#self.events + 1] = { time = step.start + part * (self.time - step.start), frame = #self.times + 1,
    name = name, data = json.plain(data), node = nameOf(node), clip = nameOf(clip), at = time, weight = weight,
    edge = edge }
  if name == "enter" then self.tracks.entered = true end
end

--- After time moved, before anybody hears of the events.
function Recorder:advance(graph, dt)
  local _, clock = core.graph.readClock(graph)
  local step = self.step
  step.start, step.after = self.time, clock
  step.seconds = math.abs(clock - (step.before or clock))
  self.time = self.time + dt
  self.path:move(graph:getRootMotion())
  for i = 1, core.graph.countEvents(graph) do
    local offset, name, data, node, clip, time, weight, edge = core.graph.peekEvent(graph, i)
    if offset then addEvent(self, offset, name, data, node, clip, time, weight, edge) end
  end
end

--- When the pose is made: a frame.
function Recorder:commit(graph)
  local pose, n = self.pose, #self.times + 1
  graph:getPose(pose)
  local x, y, z, qx, qy, qz, qw = core.graph.readPlace(graph)
  if x then self.path:stand(x, y, z, qx, qy, qz, qw) end
  self.path:apply(pose)
  self.writer:add(pose)
  if not self.first then
    self.first = core.newPose(self.skeleton)
    self.first:copy(pose)
  end
  if self.time >= self.seen + sight then
    self.frame:add(pose)
    self.seen = self.time
  end
  self.times[n] = self.time
  self.tracks:read(graph, n, self.step, self.time)
  self.targets:read(graph, n, self.tracks.solvers)
  self.step.base, self.step.baseTime = nil, nil
end

function Recorder:finish()
  self.blocks = self.writer:finish()
  targets.finish(self.tracks.solvers)
  self.writer = nil
end

return newRecorder
