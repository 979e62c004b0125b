-- THE REFERENCE MACHINE: semantics.md section 7, slow and obvious. A definition is
--   { kind = "machine", initial =, speed =, states = { name = definition of what it plays, .speed within },
--     transitions = { { from =, to =, when =, exit =, fade =, curve =, mode =, offset =, sync =, keep =, interrupt =,
--     self = }, ... } }
-- made by machine.define. Each state has two copies of what it plays, for transitions into itself.
local condition = require("spec.support.reference.condition")
local curve = require("spec.support.reference.curve")
local lookahead = require("spec.support.reference.lookahead")
local player = require("spec.support.reference.player")
local travel = require("spec.support.reference.travel")

local machine = {}
player.kinds.machine = machine

local most = 8 -- transitions of one machine in one update

-- ---- definitions

local function named(list)
  local out = {}
  for _, name in ipairs(type(list) == "table" and list or { list }) do out[name] = true end
  return out
end

local function defineTransition(t)
  local out = { from = named(t.from), any = t.from == "*", to = t.to, exit = t.exit, fade = t.fade or .2,
    curve = t.curve or "linear", mode = t.mode or "crossfade", offset = t.offset, sync = t.sync, keep = t.keep,
    interrupt = t.interrupt or "target", self = t.self, names = {} }
  if type(t.when) == "function" then
    out.decide = t.when
  elseif t.when then
    out.condition = condition.parse(t.when)
    out.names = condition.params(out.condition)
  end
  out.timed = t.exit ~= nil or out.condition ~= nil and condition.isTimed(out.condition)
  return out
end

-- `states` are definitions already: clips, or machines that machine.define gave.
function machine.define(description)
  local def = { kind = "machine", name = description.name, initial = description.initial,
    speed = description.speed or 1, states = description.states, transitions = {} }
  for i, t in ipairs(description.transitions or {}) do def.transitions[i] = defineTransition(t) end
  return def
end

-- ---- what runs

function machine.new(def)
  local self = { def = def, slots = {}, weight = 0, before = 0 }
  for name, state in pairs(def.states) do self.slots[name] = { player.new(state), player.new(state) } end
  self.taken, self.used = 0, {}
  machine.reset(self)
  return self
end

function machine.reset(self)
  self.current = { state = self.def.initial, slot = 1 }
  self.source, self.fade, self.call, self.path = nil, nil, nil, nil
  self.entered, self.judged, self.last = false, false, {}
  for _, slots in pairs(self.slots) do
    player.reset(slots[1])
    player.reset(slots[2])
  end
end

local function shallow(t)
  if not t then return nil end
  local out = {}
  for k, v in pairs(t) do out[k] = v end
  return out
end

function machine.copy(self)
  local out = shallow(self)
  out.current, out.source, out.fade = shallow(self.current), shallow(self.source), shallow(self.fade)
  out.used, out.last, out.path, out.slots = shallow(self.used), shallow(self.last), shallow(self.path), {}
  for name, slots in pairs(self.slots) do
    out.slots[name] = { player.copy(slots[1]), player.copy(slots[2]) }
  end
  return out
end

-- An update begins.
function machine.begin(self)
  self.judged, self.taken, self.faded, self.used, self.capped = false, 0, false, {}, false
  for _, slots in pairs(self.slots) do
    player.begin(slots[1])
    player.begin(slots[2])
  end
end

local function playing(self, place) return self.slots[place.state][place.slot] end
local function now(self) return playing(self, self.current) end

local function isAlive(source) return source ~= nil and source.slot ~= nil end
local function moves(self) return isAlive(self.source) and self.fade.mode == "crossfade" end

function machine.seek(self, phase) player.seek(now(self), phase) end
function machine.time(self) return player.time(now(self)) end
function machine.phase(self) return player.phase(now(self)) end
function machine.isDone(self) return player.isDone(now(self)) end

-- The share of the current state; the source, or the snapshot, has the rest.
function machine.share(self)
  local fade = self.fade
  if not fade or fade.mode == "inertial" then return 1 end
  return fade.base + (1 - fade.base) * curve.at(fade.curve, fade.elapsed / fade.duration)
end

function machine.progress(self)
  return self.fade and self.fade.elapsed / self.fade.duration or 1
end

function machine.weigh(self, weight)
  self.weight = weight
  local share = machine.share(self)
  for name, slots in pairs(self.slots) do
    for k, slot in ipairs(slots) do
      local w = 0
      if self.current.state == name and self.current.slot == k then w = share end
      if isAlive(self.source) and self.source.state == name and self.source.slot == k then w = 1 - share end
      player.weigh(slot, weight * w)
    end
  end
end

function machine.remember(self)
  self.before = self.weight
  for _, slots in pairs(self.slots) do
    player.remember(slots[1])
    player.remember(slots[2])
  end
end

function machine.take(self, other)
  for _, key in ipairs({ "entered", "judged", "taken", "faded", "call", "path" }) do self[key] = other[key] end
  for _, key in ipairs({ "current", "source", "fade", "last", "used" }) do self[key] = shallow(other[key]) end
  for name, slots in pairs(self.slots) do
    player.take(slots[1], other.slots[name][1])
    player.take(slots[2], other.slots[name][2])
  end
end

function machine.join(self)
  for _, slots in pairs(self.slots) do
    player.join(slots[1])
    player.join(slots[2])
  end
end

function machine.forget(self)
  for _, slots in pairs(self.slots) do
    player.forget(slots[1])
    player.forget(slots[2])
  end
end

function machine.restart(self, tell)
  for _, slots in pairs(self.slots) do
    player.restart(slots[1], tell)
    player.restart(slots[2], tell)
  end
end

-- What has yet to take its first step is settled after it.
function machine.settle(self, tell, waits)
  for name, slots in pairs(self.slots) do
    for k, slot in ipairs(slots) do
      local fresh = self.current.fresh and self.current.state == name and self.current.slot == k
      player.settle(slot, tell, waits or fresh)
    end
  end
end

-- ---- taking transitions

local function tell(self, ctx, event)
  event.inst, event.node, event.at = self, self.def, ctx.now
  ctx.out[#ctx.out + 1] = event
end

local function freeSlot(self, state)
  for slot = 1, 2 do
    local isCurrent = self.current.state == state and self.current.slot == slot
    local isSource = isAlive(self.source) and self.source.state == state and self.source.slot == slot
    if not isCurrent and not isSource then return slot end
  end
  return 1
end

-- Where the target starts. `phase`: that of the state that is left.
local function enter(self, ctx, t, phase)
  local slots, slot = self.slots[t.to], self.last[t.to] or 1
  if self.current.state == t.to then slot = freeSlot(self, t.to) end
  local target = slots[slot]
  local again = t.keep and self.current.state == t.to
  if not t.keep or t.sync or t.offset or (again and target ~= now(self)) then
    player.restart(target, function(event)
      event.at = ctx.now
      ctx.out[#ctx.out + 1] = event
    end)
  end
  if again and target ~= now(self) then player.take(target, now(self)) end
  if t.keep then player.join(target) else player.reset(target) end
  if t.sync then
    player.seek(target, phase)
  elseif t.offset then
    player.seek(target, t.offset - math.floor(t.offset))
  end
  self.current, self.last[t.to] = { state = t.to, slot = slot, fresh = true }, slot
end

-- Back to the state being left: the two change places, times are kept.
local function exchange(self, t)
  local share = machine.share(self)
  self.source, self.current = self.current, self.source
  self.source.fresh = nil
  if t.mode == "inertial" then return { base = 0, duration = t.fade } end
  return { base = 1 - share, duration = t.fade * share }
end

local function leave(self, ctx, t)
  local left, phase, interrupted = self.current, player.phase(now(self)), self.fade ~= nil
  enter(self, ctx, t, phase)
  if interrupted then
    self.source = { state = left.state } -- a snapshot: the machine's own output goes on by itself
  else
    self.source = { state = left.state, slot = left.slot }
  end
  return { base = 0, duration = t.fade }
end

local function canExchange(self, t)
  return self.fade and isAlive(self.source) and self.fade.mode ~= "inertial" and self.source.state == t.to
    and self.current.state ~= t.to
end

local function use(self, ctx, t)
  for name in pairs(t.names) do
    if ctx.triggers[name] and not self.used[name] then self.used[name], ctx.spent[name] = true, true end
  end
end

-- t.reason: the transition's number, or what was called.
local function take(self, ctx, t)
  use(self, ctx, t)
  self.taken = self.taken + 1
  local edge = player.isDone(now(self)) and "done" or "interrupted"
  tell(self, ctx, { name = "exit", data = self.current.state, edge = edge })
  local fade = canExchange(self, t) and exchange(self, t) or leave(self, ctx, t)
  tell(self, ctx, { name = "enter", data = self.current.state })
  if fade.duration > 0 then
    self.faded = true
    self.fade = { base = fade.base, duration = fade.duration, elapsed = 0, curve = t.curve, mode = t.mode,
      interrupt = t.interrupt }
  else
    self.fade, self.source = nil, nil
  end
  self.capped = self.taken >= most
end

-- ---- which transition

-- The states that `t` may leave now: the current one, and the one that fades out if the fade allows it (but not into
-- the current one: a condition that stays true would start the same fade for ever). `fading`: as if the fade were
-- still, or no longer, running.
local function leaves(self, t, fading)
  local out = {}
  if t.to == self.current.state and not t.self then return out end
  if t.any then return { self.current } end
  if self.path then return out end
  local allowed = fading and self.fade.interrupt or "target"
  if t.from[self.current.state] and (allowed == "target" or allowed == "both") then out[1] = self.current end
  local bySource = allowed == "source" or allowed == "both"
  if fading and bySource and isAlive(self.source) and t.from[self.source.state] and t.to ~= self.current.state then
    out[#out + 1] = self.source
  end
  return out
end

local function reader(self, ctx)
  return function(name)
    if ctx.triggers[name] ~= nil then return ctx.triggers[name] and not self.used[name] end
    return ctx.params[name]
  end
end

local function mayTake(self) return not self.faded and self.taken < most end

local function isUntimedTrue(self, ctx, t)
  if t.decide then return t.decide(ctx.graph) and true or false end
  return not t.condition or condition.isTrue(t.condition, { param = reader(self, ctx) })
end

local function takeUntimed(self, ctx)
  while mayTake(self) do
    local found
    for _, t in ipairs(self.def.transitions) do
      if not t.timed and #leaves(self, t, self.fade ~= nil) > 0 and isUntimedTrue(self, ctx, t) then
        found = t
        break
      end
    end
    if not found then return end
    if found.any then self.path = nil end
    take(self, ctx, found)
  end
end

local function takeCalls(self, ctx)
  local call = self.call
  self.call = nil
  if call and call.to ~= self.current.state then take(self, ctx, call) end
  while self.path and mayTake(self) and (self.path.first or not self.fade) do
    take(self, ctx, self.path[1])
    self.path = travel.rest(self.path)
  end
end

local function decideAtStart(self, ctx)
  self.judged = true
  if not self.entered then
    self.entered = true
    tell(self, ctx, { name = "enter", data = self.current.state })
  end
  for _, t in ipairs(self.def.transitions) do
    if t.timed and t.decide then t.answer = t.decide(ctx.graph) and true or false end
  end
  takeCalls(self, ctx)
  takeUntimed(self, ctx)
end

-- ---- timed transitions

local function thresholdsOf(self, ctx)
  local out = {}
  for _, t in ipairs(self.def.transitions) do
    if t.condition then
      for _, threshold in ipairs(condition.thresholds(t.condition, { param = reader(self, ctx),
        event = function() return false end, during = function() return false end })) do
        out[#out + 1] = threshold
      end
    end
  end
  return out
end

-- The part of the step in which `t` may leave `place`: from, to; nil where it may not.
local function window(self, t, place, span, fadeEnds)
  local function holds(fading)
    for _, allowed in ipairs(leaves(self, t, fading)) do if allowed == place then return true end end
    return false
  end
  if not self.fade then return holds(false) and 0 or nil, span end
  local during = fadeEnds > 0 and holds(true)
  local after = fadeEnds <= span and place == self.current and holds(false)
  if not during and not after then return nil end
  return during and 0 or fadeEnds, after and span or math.min(fadeEnds, span)
end

-- The earliest timed transition within `span` seconds, then the list.
local function earliest(self, ctx, span)
  local best, views, thresholds
  local fadeEnds = self.fade and self.fade.duration - self.fade.elapsed
  local function viewOf(place)
    thresholds, views = thresholds or thresholdsOf(self, ctx), views or {}
    local still = place == self.source and not moves(self)
    views[place] = views[place] or player.view(playing(self, place), span, still, thresholds, ctx)
    return views[place]
  end
  for _, t in ipairs(self.def.transitions) do
    for _, place in ipairs(t.timed and { self.current, isAlive(self.source) and self.source or nil } or {}) do
      local from, to = window(self, t, place, span, fadeEnds)
      if from and not (t.any and place == self.source) then
        local at = lookahead.first(t, viewOf(place), from, to, reader(self, ctx))
        if at and (not best or at < best.at - lookahead.close) then best = { transition = t, at = at } end
      end
    end
  end
  return best
end

-- ---- time

-- All go on by `span`; the fade's source only until the fade ends.
local function run(self, ctx, span, base, scale, leaving)
  local fade = self.fade
  if moves(self) then
    player.advance(playing(self, self.source), math.min(span, fade.duration - fade.elapsed), ctx, base, scale, true)
  end
  player.advance(now(self), span, ctx, base, scale, leaving)
  self.current.fresh = nil
  if not fade then return end
  fade.elapsed = fade.elapsed + span
  if fade.elapsed >= fade.duration - lookahead.close then self.fade, self.source = nil, nil end
end

-- dt seconds of the clock of who holds the machine; base and scale: see player.lua. `record(from, inst)` is told which
-- state plays from when on.
function machine.advance(self, dt, ctx, base, scale, leaving, record)
  local at, left = 0, dt * self.def.speed
  scale = scale * self.def.speed
  local function moment() ctx.now = base + at / scale end
  moment()
  if not self.judged then decideAtStart(self, ctx) end
  while true do
    if self.current.fresh and left <= 0 then return end
    if record then record(at, now(self)) end
    local found = mayTake(self) and earliest(self, ctx, left) or nil
    local span = found and found.at or left
    run(self, ctx, span, base + at / scale, scale, leaving)
    at, left = at + span, left - span
    if not found then return end
    moment()
    if found.transition.any then self.path = nil end
    take(self, ctx, found.transition)
    takeUntimed(self, ctx)
  end
end

-- What lies ahead of a nested machine, for the one that holds it: a copy is sent ahead, and what its states show is put
-- together. Instants are those of the holder.
function machine.view(self, dt, still, thresholds, ctx)
  local ahead, parts, rate = machine.copy(self), {}, self.def.speed
  local dry = { out = {}, params = ctx.params, triggers = ctx.triggers, spent = {}, graph = ctx.graph }
  local view = { breaks = {}, events = {} }
  if still then
    parts[1] = { from = 0, view = player.view(now(ahead), 0, true, thresholds, ctx) }
  else
    machine.advance(ahead, dt, dry, 0, 1, true, function(from, inst)
      parts[#parts + 1] = { from = from / rate, copy = player.copy(inst) }
    end)
  end
  for i, part in ipairs(parts) do
    local to = parts[i + 1] and parts[i + 1].from or dt
    part.view = part.view or player.view(part.copy, math.max(0, to - part.from) * rate, false, thresholds, ctx)
    view.breaks[#view.breaks + 1] = part.from
    for _, t in ipairs(part.view.breaks) do view.breaks[#view.breaks + 1] = part.from + t / rate end
  end
  for _, event in ipairs(dry.out) do
    if event.ofClip and event.edge ~= "end" then
      view.events[#view.events + 1] = { name = event.name, at = event.at }
    end
  end
  if #parts == 0 then parts[1] = { from = 0, view = player.view(now(ahead), 0, true, thresholds, ctx) } end
  local function partAt(t)
    local found = parts[1]
    for _, part in ipairs(parts) do if part.from <= t + lookahead.close then found = part end end
    return found.view, (t - found.from) * rate
  end
  function view.at(t)
    local inner, from = partAt(t)
    local context = inner.at(from)
    context.remaining = context.remaining / rate
    return context
  end
  function view.during(name, t)
    local inner, from = partAt(t)
    return inner.during(name, from)
  end
  function view.crossings(phase)
    local out = {}
    for _, part in ipairs(parts) do
      for _, t in ipairs(part.view.crossings(phase)) do out[#out + 1] = part.from + t / rate end
    end
    return out
  end
  return view
end

return machine
