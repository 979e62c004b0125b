--- All that the page knows of a recording, as a table for JSON: one take of poses, the tracks of the time line, and
--- where targets and poles were.
---
--- A track of numbers is { unit =, text = }: per change two numbers as in view/digits.lua, namely frames since the one
--- before (the first frame is 0), and by how many units the value differs from it, at first from 0.
local digits = require("anim.view.digits")
local figure = require("anim.view.figure")
local Frame = require("anim.view.frame")
local take = require("anim.view.take")

local levels = 4000 -- steps between a track's least and most value
local timeLevels = 2 ^ 26
local text, floor = digits.text, math.floor

local function writeSeries(series, low, high)
  local unit = math.max((high - low) / levels, math.max(high, -low) / digits.most)
  if unit == 0 then unit = 1 end
  local out, frame, level = {}, 0, 0
  for i, at in ipairs(series.frames) do
    local now = floor(series.values[i] / unit + .5)
    out[#out + 1] = text[at - 1 - frame] .. text[now - level]
    frame, level = at - 1, now
  end
  return { unit = unit, text = table.concat(out) }
end

local function isBefore(a, b)
  for i = 1, math.min(#a.way, #b.way) do
    if a.way[i] ~= b.way[i] then return a.way[i] < b.way[i] end
  end
  if #a.way ~= #b.way then return #a.way < #b.way end
  return a.order < b.order
end

-- In the order of the tree.
local function inOrder(nodes)
  local sorted = {}
  for i, node in ipairs(nodes) do sorted[i], node.order = node, i end
  table.sort(sorted, isBefore)
  return sorted
end

local function describeNodes(nodes)
  local out = {}
  for i, node in ipairs(inOrder(nodes)) do
    local track = writeSeries(node.series, 0, 1)
    track.label, track.type, track.clip = node.name or node.clip or node.type, node.type, node.clip or ""
    track.leaf, track.within = node.isLeaf, node.within or ""
    out[i] = track
  end
  return out
end

local function describeParams(params)
  local out = {}
  for i, param in ipairs(params) do
    local low, high = param.series:range()
    if param.kind ~= "number" then low, high = 0, 1 end
    local track = writeSeries(param.series, low, high)
    track.label, track.kind, track.low, track.high = param.name, param.kind, low, high
    out[i] = track
  end
  return out
end

local function describeMachines(machines)
  local out = {}
  for i, machine in ipairs(machines) do
    local spans, transitions = {}, {}
    for k, span in ipairs(machine.spans) do spans[k] = { span.frame - 1, span.state or "", span.source or "" } end
    for k, t in ipairs(machine.transitions) do transitions[k] = { t.time, t.from or "", t.to or "", t.reason } end
    out[i] = { label = machine.name or "machine", spans = spans, transitions = transitions,
      progress = writeSeries(machine.progress, 0, 1) }
  end
  return out
end

-- One entry a node; nil where there are none. Joints are counted from 0, -1 is none.
local function describeTargets(nodes)
  local out = {}
  for _, node in ipairs(inOrder(nodes)) do
    local points = {}
    for i, point in ipairs(node.points or {}) do
      points[i] = { pole = point.isPole, joint = (point.joint or 0) - 1, shown = writeSeries(point.shown, 0, 1),
        blocks = point.blocks }
    end
    if #points > 0 then
      out[#out + 1] = { label = node.name or node.type, named = node.name ~= nil, points = points }
    end
  end
  return #out > 0 and out or nil
end

local function describeEvents(events)
  local out = {}
  for i, e in ipairs(events) do out[i] = { e.time, e.name, e.data, e.clip, e.node, e.weight, e.edge or "" } end
  return out
end

local function writeTimes(times, unit)
  local out = {}
  for i, time in ipairs(times) do out[i] = floor(time / unit + .5) end
  return take.stream(out)
end

local function describeTake(recorder)
  local first, frame, times = Frame.new(recorder.map), recorder.frame, recorder.times
  first:add(recorder.first) -- it says where the body looks: later it may turn
  local unit = math.max(recorder.time, 1e-9) / timeLevels
  return {
    name = recorder.name, seconds = recorder.time, loop = true, additive = false, frames = #times, events = {},
    markers = {}, blocks = recorder.blocks, timeUnit = unit, times = writeTimes(times, unit),
    box = figure.box(frame.box), near = figure.box(frame.near), path = figure.box(frame.path), across = first.across,
  }
end

return function(recorder)
  local isEmpty = #recorder.times == 0
  local out, rest = figure.describe(recorder.skeleton, recorder.map, recorder.size, recorder.unit,
    recorder.first or recorder.pose)
  out.name, out.warnings = recorder.name, {}
  out.up = Frame.upAxis({ isEmpty and rest or recorder.frame })
  out.takes = isEmpty and {} or { describeTake(recorder) }
  local tracks = recorder.tracks
  out.recording = { nodes = describeNodes(tracks.nodes), params = describeParams(tracks.params),
    machines = describeMachines(tracks.machines), events = describeEvents(recorder.events),
    targets = describeTargets(tracks.solvers) }
  return out
end
