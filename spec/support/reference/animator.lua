-- A graph whose root is a reference machine: parameters, triggers, updates and events.
--   local a = animator.new({ params = { speed = 0, jump = "trigger" }, clips = { walk = { length = 1 } } }, machine)
-- `machine` is the table that graph:machine takes; its states are names of clips, { name, speed =, loop = }, clip nodes
-- { type = "clip", clip =, ... } or machines again, { type = "machine", ... }.
--   a:set(name, value)  a:fire(name)  a:play(state, fade)  a:travel(state)  a:update(dt)
--   a.events = { { name =, data =, edge =, node =, weight =, at = }, ... } of the last update, in order
--   a:state() a:source() a:isFading() a:weight(state) a:isSet(trigger)
local machine = require("spec.support.reference.machine")
local travel = require("spec.support.reference.travel")

local animator = {}
animator.__index = animator

local define

-- What a state plays.
local function play(clips, name, state)
  if type(state) == "string" then state = { state } end
  if state.type == "machine" then return define(clips, state, name) end
  local clip = assert(clips[state.clip or state[1]], state.clip or state[1])
  local function own(key, otherwise)
    if state[key] ~= nil then return state[key] end
    if clip[key] ~= nil then return clip[key] end
    return otherwise
  end
  return { kind = "clip", name = state.name or name, length = clip.length, loop = own("loop", true),
    events = clip.events, speed = own("speed", 1), start = own("start"), minWeight = own("minWeight", 0) }
end

function define(clips, description, name)
  local states = {}
  for key, state in pairs(description.states) do states[key] = play(clips, key, state) end
  return machine.define({ name = description.name or name, initial = description.initial, speed = description.speed,
    states = states, transitions = description.transitions })
end

function animator.new(options, description)
  local self = setmetatable({ params = {}, triggers = {}, life = {}, age = {}, events = {} }, animator)
  for name, value in pairs(options.params or {}) do
    local kind = type(value) == "table" and value[1] or value
    if kind == "trigger" then
      self.triggers[name], self.life[name] = false, type(value) == "table" and value.life or nil
    else
      self.params[name] = kind
    end
  end
  self.root = machine.new(define(options.clips, description))
  return self
end

function animator:set(name, value) self.params[name] = value end
function animator:get(name) return self.params[name] end
function animator:fire(name) self.triggers[name], self.age[name] = true, 0 end
function animator:cancel(name) self.triggers[name] = false end
function animator:isSet(name) return self.triggers[name] end

function animator:play(state, fade)
  local t = { to = state, fade = fade or .2, curve = "linear", mode = "crossfade", interrupt = "target", names = {} }
  self.root.call, self.root.path = t, nil
end

function animator:travel(state)
  local path = assert(travel.path(self.root.def, self.root.current.state, state), "no path")
  self.root.call, self.root.path = nil, #path > 0 and path or nil
end

-- What played until now is over, and nobody hears of it.
function animator:reset()
  self.root.plays = {}
  machine.reset(self.root)
end

function animator:state() return self.root.current.state end
function animator:source() return self.root.source and self.root.source.state end
function animator:isFading() return self.root.fade ~= nil end
function animator:progress() return machine.progress(self.root) end

-- The newest play of a state; path: the names of the states down to it.
function animator:newest(...)
  local inst = self.root
  for _, name in ipairs({ ... }) do inst = inst.last[name] end
  return inst
end

-- Of all that plays or has played in this update, by what it plays: weights at the end and at the start.
local function totals(self)
  local after, before = {}, {}
  machine.visit(self.root, function(inst)
    after[inst.def] = (after[inst.def] or 0) + inst.weight
    before[inst.def] = (before[inst.def] or 0) + inst.before
  end)
  return after, before
end

-- The effective weight of a state, all copies together.
function animator:weight(...) return totals(self)[self:newest(...).def] end

-- The weight that an event has: that of the copy that fired it at the end of the update or, where that is 0, at its
-- start; of a copy that came and went in between, that of the node.
local function weightOf(inst, after, before)
  for _, weight in ipairs({ inst.weight, inst.before, after[inst.def] }) do
    if weight > 0 then return weight end
  end
  return before[inst.def]
end

local function inOrder(events)
  for i, event in ipairs(events) do event.serial = i end
  table.sort(events, function(a, b)
    if math.abs(a.at - b.at) > 1e-9 then return a.at < b.at end
    return a.serial < b.serial
  end)
  return events
end

local function forget(self, spent, dt)
  for name in pairs(spent) do self.triggers[name] = false end
  for name, life in pairs(self.life) do
    self.age[name] = (self.age[name] or 0) + dt
    if self.age[name] >= life then self.triggers[name] = false end
  end
end

function animator:update(dt)
  local ctx = { out = {}, params = self.params, triggers = self.triggers, spent = {}, graph = self }
  if not self.root.entered then machine.weigh(self.root, 1) end -- heard from the start
  machine.remember(self.root)
  machine.begin(self.root)
  machine.advance(self.root, dt, ctx, 0, 1, false)
  machine.weigh(self.root, 1)
  forget(self, ctx.spent, dt)
  self.events = {}
  local after, before = totals(self)
  local function tell(event)
    local weight = weightOf(event.inst, after, before)
    local isHeard = weight > 0 and weight >= (event.node.minWeight or 0)
    local known = event.range and (event.inst.open[event.range] or false) == (event.edge == "begin")
    if not isHeard or known then return end
    event.weight = weight
    self.events[#self.events + 1] = event
    if event.range then event.inst.open[event.range] = event.edge == "begin" end
  end
  for _, event in ipairs(inOrder(ctx.out)) do tell(event) end
  machine.settle(self.root, function(inst, range, edge, at)
    tell({ name = range.name, data = range.data, edge = edge, inst = inst, node = inst.def, at = at or dt,
      range = range })
  end)
end

return animator
