-- A slow, obvious evaluator of graph descriptions, the tables that anim.newGraph takes (semantics 1, 2, 4, 5, 6, 8).
--   local g = graph.new(rig, description, { clips = descriptions by name, masks = by name })
--   g:set(name, value)  g:update(dt)  g.events  g:pose()  g.rootMotion  g:curve(name, missing)  g:property(name)
-- Nodes (g:find(name), g.nodes in order) have weight, u (unrolled time), time(), phase(), inputs[i].share.
local fade = require("spec.support.reference.fade")
local motion = require("spec.support.reference.motion")
local output = require("spec.support.reference.output")
local params = require("spec.support.reference.params")
local sync = require("spec.support.reference.sync")
local timeline = require("spec.support.reference.timeline")
local tree = require("spec.support.reference.tree")
local weigh = require("spec.support.reference.weigh")

local graph = {}
graph.__index = graph

function graph.new(rig, description, options)
  local g = setmetatable({ rig = rig, params = {}, events = {}, speed = 1.0, rootMotion = motion.identity }, graph)
  for name, param in pairs(description.params or {}) do g.params[name] = params.new(param) end
  g.root, g.nodes, g.named = tree.build(rig, description, options or {})
  function g.numberOf(x)
    if type(x) == "string" then return g.params[x].value end
    return x
  end
  for _, node in ipairs(g.nodes) do
    g:rewind(node)
    if node.sync and not node.inGroup then sync.mark(node) end
  end
  return g
end

function graph:find(name) return self.named[name] end
function graph:set(name, value) params.set(self.params[name], value, not self.started) end

-- Where a clip starts at this rate.
local function startAt(node, rate)
  return timeline.startOf(node.length, node.loop, rate, node.start)
end

-- What plays is at its start again; speeds and weights stay as they were set. The way that a clip goes in its first
-- step decides where its start is (semantics 1); until then it is where its own speed would begin.
function graph:restart(node)
  node.done, node.place, node.byPhase, node.sought, node.active = false, nil, nil, nil, {}
  if node.kind == "clip" then
    node.u, node.starts, node.fresh, node.its = startAt(node, self.numberOf(node.speed)), true, true, nil
  end
end

function graph:rewind(node)
  self:restart(node)
  node.playing, node.leader = true, nil
  for _, input in ipairs(node.inputs) do
    if input.node then self:rewind(input.node) end
  end
end

function graph.setTime(_, node, time)
  node.u, node.fresh, node.done, node.starts = timeline.seek(time, node.length, node.loop), true, false, false
  sync.enterSilently(node)
end

-- A seek of a whole group, to a phase of it.
function graph:setGroupPhase(group, phase)
  sync.seek(group, sync.collect(group, self.numberOf), phase)
end

-- Composites are done when their group is, their base (layers), or their heaviest input.
local function isDone(node)
  if node.sync and node.inGroup then return node.inGroup.done end
  if node.kind == "clip" or node.sync then return node.done end
  local speaker
  for _, input in ipairs(node.inputs) do
    if not speaker or node.kind ~= "layers" and (input.share or 0) > (speaker.share or 0) then speaker = input end
  end
  return speaker and speaker.node and isDone(speaker.node)
end

-- What is done starts again.
function graph:play(node)
  local done = isDone(node)
  node.playing = true
  if not done then return end
  if node.inGroup and node.kind ~= "layers" then return self:restart(node.inGroup) end
  if node.kind == "clip" or node.sync then return self:restart(node) end
  for _, input in ipairs(node.inputs) do
    if input.node then self:play(input.node) end
  end
end

function graph:groupPhase(group) return sync.phaseOf(group, sync.collect(group, self.numberOf)) end

function graph.pause(_, node) node.playing = false end

function graph.time(_, node) return timeline.timeAt(node.u, node.length, node.its or node.loop) end

function graph:tell(node, offset, name, fields)
  if node.heard == 0 or node.heard < node.minWeight then return end
  local event = { name = name, node = node, clip = node.clip.name, offset = offset, weight = node.heard }
  for k, v in pairs(fields) do event[k] = v end
  event.serial = #self.events
  self.events[#self.events + 1] = event
end

-- A range is entered at one end and left at the other, and never twice.
function graph:tellRange(node, offset, event, time, edge)
  if (edge == "begin") == (node.active[event] or false) then return end
  node.active[event] = edge == "begin"
  if node.speaks(event.name) then
    self:tell(node, offset, event.name, { data = event.data, time = time, edge = edge })
  end
end

-- A range that a node is inside of begins when it starts or is first heard...
function graph:beginRanges(node, step)
  local time = timeline.timeAt(step.from, node.length, step.loop)
  for _, event in ipairs(node.clip.events) do
    local inside = timeline.isInside(step.from, node.length, step.loop, event)
    if inside then self:tellRange(node, 0, event, time, "begin") end
  end
end

-- ... and ends when it is heard no more.
function graph:endRanges(node, step)
  local time = timeline.timeAt(step.to, node.length, step.loop)
  for _, event in ipairs(node.clip.events) do
    if node.active[event] then self:tellRange(node, self.speed ~= 0 and self.dt or 0, event, time, "end") end
  end
end

function graph:tellMarks(node, step, offsetOf)
  for _, mark in ipairs(timeline.marks(step, node.clip.events)) do
    if mark.edge then
      self:tellRange(node, offsetOf(mark.u), mark.event, mark.time, mark.edge)
    elseif mark.event and node.speaks(mark.event.name) then
      self:tell(node, offsetOf(mark.u), mark.event.name, { data = mark.event.data, time = mark.time })
    elseif mark.loop and node.speaks(nil) then
      self:tell(node, offsetOf(mark.u), "loop", { data = mark.pass, time = mark.time })
    end
  end
end

-- A clip went along `step`. What decides whether it is heard: its effective weight at the end of the step or, where
-- that is 0, at its start.
function graph:moved(node, step, offsetOf, speaks)
  node.u, node.its, node.fresh, node.speaks = step.to, step.loop, false, speaks
  node.motion = node.clip.motion and motion.ofStep(node.clip.motion, step) or nil
  node.heard = node.weight > 0 and node.weight or node.before
  if node.heard > 0 then
    if node.before == 0 or step.closed then self:beginRanges(node, step) end
    self:tellMarks(node, step, offsetOf)
  end
  if node.weight == 0 then self:endRanges(node, step) end
  local ends = step.ended and (not node.done or step.from ~= step.to)
  if ends and not node.fadingOut and speaks(nil) then
    self:tell(node, offsetOf(step.to), "done", { time = timeline.timeAt(step.to, node.length, step.loop) })
  end
  node.done = step.ended or node.done and step.from == step.to
end

local function everything() return true end

-- Paused, or something above is: it stands still, and a start is still to come.
function graph:hold(node)
  local fresh, done = node.fresh, node.done
  local step = timeline.step(node.u, node.length, node.loop, 0, false)
  step.ended = false
  self:moved(node, step, function() return 0 end, everything)
  node.fresh, node.done = fresh, done
end

function graph:stepClip(node, rate)
  if node.starts then node.u, node.starts = startAt(node, rate), false end
  local step = timeline.step(node.u, node.length, node.loop, self.dt * rate, node.fresh)
  self:moved(node, step, function(u) return rate ~= 0 and math.abs((u - step.from) / rate) or 0 end, everything)
end

-- Weights go down the tree first, with what scripts and fades do to them on the way. `clock`: seconds of the step in
-- the clock of the parent, always forward.
function graph:weighDown(node, weight, clock, fadingOut)
  node.before, node.weight, node.fadingOut = node.weight, weight, fadingOut
  clock = node.playing and clock * math.abs(self.numberOf(node.speed)) or 0
  if node.update then node.update(self, node, clock) end
  local falling = node.fade and node.fade.fall or {}
  local stopped = node.fade and fade.advance(node.fade, clock) or {}
  local shares = weigh.shares(node, self.numberOf)
  for i, input in ipairs(node.inputs) do
    input.share = shares[i]
    if input.node then
      self:weighDown(input.node, weight * input.share, clock * math.abs(input.speed or 1),
        fadingOut or falling[i] or input.stops)
    end
  end
  for _, i in ipairs(stopped) do node.inputs[i].stops = true end
end

-- matchSpeed: the group goes faster or slower until the blended root speed, in the clock of its parent, is the
-- parameter, within 0.5 to 2.
local function matching(node, numberOf)
  return function(members, rate)
    if not node.matchSpeed then return 1 end
    local total, way = 0, { 0, 0, 0 }
    for _, member in ipairs(members) do
      local M = member.node.clip.motion
      total = total + member.weight
      if M then
        local t = M(member.node.length).t
        for k = 1, 3 do way[k] = way[k] + member.weight * t[k] * (member.speed < 0 and -1 or 1) end
      end
    end
    if total == 0 then return 1 end
    local distance = math.sqrt(way[1] ^ 2 + way[2] ^ 2 + way[3] ^ 2) / total
    local speed = distance * rate * math.abs(numberOf(node.speed))
    if speed == 0 then return 1 end
    return math.max(.5, math.min(2, math.abs(numberOf(node.param)) / speed))
  end
end

function graph:stepGroup(node, rate, held)
  local members, free = sync.collect(node, self.numberOf)
  local function moved(member, step, offsetOf, speaks)
    self:moved(member, step, function(u) return rate ~= 0 and offsetOf(u) / math.abs(rate) or 0 end, speaks)
  end
  sync.advance(node, members, self.dt * rate, held, matching(node, self.numberOf), moved)
  for _, member in ipairs(members) do member.node.done = node.done end
  for _, entry in ipairs(free) do self:step(entry.node, rate * entry.speed, held) end
end

-- Then time moves: `rate` seconds of the parent's clock in a second; `held`: something above is paused.
function graph:step(node, rate, held)
  held = held or not node.playing
  rate = held and 0 or rate * self.numberOf(node.speed)
  if node.kind == "clip" and held then return self:hold(node) end
  if node.kind == "clip" then return self:stepClip(node, rate) end
  if node.sync then return self:stepGroup(node, rate, held) end
  for _, input in ipairs(node.inputs) do
    if input.node then self:step(input.node, rate * (input.speed or 1), held) end
  end
end

-- What fadeTo brought to 0 is paused and rewound; a member of a group shares its place, heard or not.
function graph:rest()
  for _, node in ipairs(self.nodes) do
    for _, input in ipairs(node.inputs) do
      if input.stops then
        input.stops = nil
        if not input.keepsPlace and not input.node.inGroup then self:rewind(input.node) end
        input.node.playing = false
      end
    end
  end
end

function graph:fadeTo(node, i, seconds, rewind)
  if not node.fade then
    local weights = {}
    for k, input in ipairs(node.inputs) do weights[k] = self.numberOf(input.weight) end
    node.fade = { weights = weigh.normalise(weights, true, "first") }
  end
  local falling = node.fade.fall or {}
  local leaving = fade.to(node.fade, i, seconds or node.inputs[i].fade or .2)
  if not leaving then return end
  for k, input in ipairs(node.inputs) do
    if leaving[k] and (not falling[k] or k == node.fade.current) then input.keepsPlace = rewind == false end
  end
  node.inputs[i].stops = nil
  self:play(node.inputs[i].node)
  if node.fade.time > 0 then return end
  for _, k in ipairs(fade.advance(node.fade, 0)) do -- a cut
    node.inputs[k].stops, node.inputs[k].node.playing = true, false
  end
end

-- Time within the step, then node order, then as they came.
local function byTime(a, b)
  if a.offset ~= b.offset then return a.offset < b.offset end
  if a.node.order ~= b.node.order then return a.node.order < b.node.order end
  return a.serial < b.serial
end

function graph:update(dt)
  self.events, self.dt, self.started = {}, dt, true
  for _, param in pairs(self.params) do params.advance(param, dt) end
  self:weighDown(self.root, 1, dt * math.abs(self.speed), false)
  for _, node in ipairs(self.nodes) do node.motion = nil end
  self:step(self.root, self.speed, false)
  self.rootMotion = output.motion(self.root) or motion.identity
  self:rest()
  table.sort(self.events, byTime)
end

function graph:pose() return output.pose(self, self.root) end
function graph:curve(name, missing) return output.curve(self.root, name, missing) end
function graph:property(name) return output.property(self, name) end

return graph
