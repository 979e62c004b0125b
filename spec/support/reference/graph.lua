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
  local g = setmetatable({ rig = rig, params = {}, events = {}, speed = 1, rootMotion = motion.identity }, graph)
  for name, param in pairs(description.params or {}) do g.params[name] = params.new(param) end
  g.root, g.nodes, g.named = tree.build(rig, description, options or {})
  function g.numberOf(x)
    if type(x) == "string" then return g.params[x].value end
    return x
  end
  for _, node in ipairs(g.nodes) do g:rewind(node) end
  return g
end

function graph:find(name) return self.named[name] end
function graph:set(name, value) params.set(self.params[name], value) end

-- A clip stands at its start again; the way it goes then decides where that is (semantics 1).
function graph:rewind(node)
  node.u, node.fresh, node.done, node.place, node.leader, node.active = nil, true, false, nil, nil, {}
  for _, input in ipairs(node.inputs) do
    if input.node then self:rewind(input.node) end
  end
end

function graph:setTime(node, time)
  node.u, node.fresh, node.done = timeline.seek(time, node.length, node.loop), true, false
end

function graph.play(_, node)
  node.playing = true
  if node.done then node.u, node.done, node.fresh = nil, false, true end
end

function graph.time(_, node) return timeline.timeAt(node.u or 0, node.length, node.loop) end
function graph.passOf(_, node) return timeline.passOf(node.u or 0, node.length, node.loop) end

-- The effective weight that decides whether a node is heard: that at the end of the step or, where it is 0, at its
-- start.
local function heard(node)
  local weight = node.weight > 0 and node.weight or node.before
  return weight > 0 and weight >= node.minWeight, weight
end

function graph:tell(node, offset, name, fields)
  local event = { name = name, node = node, clip = node.clip.name, offset = offset, weight = select(2, heard(node)) }
  for k, v in pairs(fields) do event[k] = v end
  event.serial = #self.events
  self.events[#self.events + 1] = event
end

-- A range that a node is inside of when it becomes heard begins then; one that it is no longer heard in ends.
function graph:tellRanges(node, step)
  local audible = heard(node)
  for i, event in ipairs(node.clip.events) do
    if event.duration and audible and not node.active[i]
      and timeline.isInside(step.from, node.length, node.loop, event) and not step.closed then
      node.active[i] = true
    end
  end
end

function graph:tellMarks(node, step, offsetOf, speaks)
  local audible = heard(node)
  for _, mark in ipairs(timeline.marks(step, node.clip.events)) do
    if audible and mark.loop then
      self:tell(node, offsetOf(mark.u), "loop", { data = mark.pass, time = node.length })
    elseif audible and speaks(mark.event.name) then
      self:tell(node, offsetOf(mark.u), mark.event.name, { data = mark.event.data, time = mark.time, edge = mark.edge })
    end
  end
  if step.ended and not node.done then
    node.done = true
    if audible and not node.fadingOut then self:tell(node, offsetOf(step.to), "done", { time = node.length }) end
  end
end

-- A clip went along `step`.
function graph:moved(node, step, offsetOf, speaks)
  node.u, node.fresh = step.to, false
  node.motion = node.clip.motion and motion.ofStep(node.clip.motion, step) or nil
  self:tellMarks(node, step, offsetOf, speaks)
end

local function everything() return true end

function graph:stepClip(node, dt)
  local way = dt < 0 and -1 or 1
  if node.u == nil then
    local speed = node.rate ~= 0 and node.rate or 1
    node.u = timeline.startOf(node.length, node.loop, speed, node.start)
  end
  if node.done then
    node.motion = node.clip.motion and motion.identity or nil
    return
  end
  local step = timeline.step(node.u, node.length, node.loop, dt, node.fresh, way < 0)
  local from, seconds = step.from, self.dt
  self:moved(node, step, function(u) return dt ~= 0 and math.abs(u - from) / math.abs(dt) * seconds or 0 end, everything)
end

-- Weights go down the tree first, with what scripts and fades do to them on the way. `dt`: seconds in the clock of the
-- parent.
function graph:weighDown(node, weight, dt, fadingOut)
  node.before, node.weight, node.fadingOut = node.weight, weight, fadingOut
  dt = node.playing and dt * self.numberOf(node.speed) or 0
  if node.update then node.update(self, node, dt) end
  local stopped = node.fade and fade.advance(node.fade, math.abs(dt)) or {}
  local shares = weigh.shares(node, self.numberOf)
  for i, input in ipairs(node.inputs) do
    input.share = shares[i]
    local leaves = fadingOut or node.fade and node.fade.fall and node.fade.fall[i] and i ~= node.fade.target
    if input.node then self:weighDown(input.node, weight * input.share, dt, leaves) end
  end
  for _, i in ipairs(stopped) do node.inputs[i].stops = true end
end

-- matchSpeed: the group goes faster or slower until the blended root speed is the parameter, within 0.5 to 2.
local function matching(node, numberOf)
  return function(members, rate)
    if not node.matchSpeed then return 1 end
    local total, way = 0, { 0, 0, 0 }
    for _, member in ipairs(members) do
      local M = member.node.clip.motion
      total = total + member.weight
      if M then
        local t = M(member.node.length).t
        for k = 1, 3 do way[k] = way[k] + member.weight * t[k] end
      end
    end
    local speed = math.sqrt(way[1] ^ 2 + way[2] ^ 2 + way[3] ^ 2) / total * rate
    if speed < 1e-6 then return 1 end
    return math.max(.5, math.min(2, math.abs(numberOf(node.param)) / speed))
  end
end

function graph:stepGroup(node, dt)
  local members, free = sync.collect(node, self.numberOf)
  sync.advance(node, members, dt, matching(node, self.numberOf), function(member, step, offsetOf, speaks)
    local scale = dt ~= 0 and self.dt / math.abs(dt) or 0
    self:moved(member, step, function(u) return offsetOf(u) * scale end, speaks)
  end)
  for _, entry in ipairs(free) do self:step(entry.node, dt * entry.speed) end
end

-- Then time moves.
function graph:step(node, dt)
  dt = node.playing and dt * self.numberOf(node.speed) or 0
  node.rate = dt
  if node.kind == "clip" then return self:stepClip(node, dt) end
  if node.sync then return self:stepGroup(node, dt) end
  for _, input in ipairs(node.inputs) do
    if input.node and not input.still then self:step(input.node, dt * (input.speed or 1)) end
  end
end

-- What fadeTo brought to 0 stands still and is rewound.
function graph:rest()
  for _, node in ipairs(self.nodes) do
    for _, input in ipairs(node.inputs) do
      if input.stops then
        input.stops, input.still = nil, true
        if not input.keepsPlace then self:rewind(input.node) end
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
  for k, input in ipairs(node.inputs) do
    if k ~= i then input.keepsPlace = rewind == false end
  end
  fade.to(node.fade, i, seconds or node.inputs[i].fade or .2)
  node.inputs[i].still = false
  self:play(node.inputs[i].node)
end

-- Time within the step, then node order, then as they came.
local function byTime(a, b)
  if a.offset ~= b.offset then return a.offset < b.offset end
  if a.node.order ~= b.node.order then return a.node.order < b.node.order end
  return a.serial < b.serial
end

function graph:update(dt)
  self.events, self.dt = {}, dt
  for _, param in pairs(self.params) do params.advance(param, dt * math.abs(self.speed)) end
  self:weighDown(self.root, 1, dt * self.speed, false)
  self:step(self.root, dt * self.speed)
  self.rootMotion = output.motion(self.root) or motion.identity
  self:rest()
  table.sort(self.events, byTime)
end

function graph:pose() return output.pose(self, self.root) end
function graph:curve(name, missing) return output.curve(self.root, name, missing) end
function graph:property(name) return output.property(self, name) end

return graph
