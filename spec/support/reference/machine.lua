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

-- Each entry of a state is a play of it: `last` holds the newest of each state, `plays` all that count in this update.
local function add(self, state, play)
  self.last[state] = play
  self.plays[#self.plays + 1] = { state = state, play = play }
  return play
end

function machine.new(def)
  local self = { def = def, weight = 0, before = 0, plays = {}, taken = 0, used = {} }
  machine.reset(self)
  return self
end

-- As built; what played until now is over.
function machine.reset(self)
  self.last = {}
  for name, state in pairs(self.def.states) do add(self, name, player.new(state)) end
  self.current = { state = self.def.initial, play = self.last[self.def.initial] }
  self.source, self.fade, self.call, self.path = nil, nil, nil, nil
  self.entered, self.judged, self.faded = false, false, false
end

local function shallow(t)
  if not t then return nil end
  local out = {}
  for k, v in pairs(t) do out[k] = v end
  return out
end

-- A play takes over what its machines did in this update from the one before it.
function machine.inherit(self, old)
  self.taken, self.faded, self.used = old.taken, old.faded, shallow(old.used)
  for name, play in pairs(self.last) do player.inherit(play, old.last[name]) end
end

-- For a look ahead, and for what goes on from there elsewhere.
function machine.copy(self)
  local out, twins = shallow(self), {}
  out.current, out.source, out.fade = shallow(self.current), shallow(self.source), shallow(self.fade)
  out.used, out.path, out.last, out.plays = shallow(self.used), shallow(self.path), {}, {}
  for i, entry in ipairs(self.plays) do
    twins[entry.play] = player.copy(entry.play)
    out.plays[i] = { state = entry.state, play = twins[entry.play] }
  end
  for name, play in pairs(self.last) do out.last[name] = twins[play] end
  out.current.play = twins[self.current.play]
  if out.source then out.source.play = twins[self.source.play] end
  return out
end

local function each(self, f, ...)
  for _, entry in ipairs(self.plays) do f(entry.play, ...) end
end

-- A copy that begins to play in the middle: nobody has heard it yet.
function machine.join(self, anew)
  if anew then self.weight, self.before = 0, 0 end
  each(self, player.join, anew)
end

local function now(self) return self.current.play end
local function isAlive(source) return source ~= nil and source.play ~= nil end
local function moves(self) return isAlive(self.source) and self.fade.mode == "crossfade" end

-- An update begins: older plays go.
function machine.begin(self)
  self.judged, self.taken, self.faded, self.used, self.capped = false, 0, false, {}, false
  local kept = {}
  for _, entry in ipairs(self.plays) do
    local counts = self.last[entry.state] == entry.play or isAlive(self.source) and self.source.play == entry.play
    if counts then
      kept[#kept + 1] = entry
      player.begin(entry.play)
    end
  end
  self.plays = kept
end

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
  for _, entry in ipairs(self.plays) do
    local w = 0
    if entry.play == now(self) then w = share end
    if isAlive(self.source) and entry.play == self.source.play then w = 1 - share end
    player.weigh(entry.play, weight * w)
  end
end

function machine.remember(self)
  self.before = self.weight
  each(self, player.remember)
end

-- visit(inst): all that plays in it, and itself.
function machine.visit(self, visit)
  visit(self)
  each(self, player.visit, visit)
end

function machine.leave(self, tell, at) each(self, player.leave, tell, at) end
function machine.settle(self, tell) each(self, player.settle, tell) end

-- ---- taking transitions

local function tell(self, ctx, event)
  event.inst, event.node, event.at = self, self.def, ctx.now
  ctx.out[#ctx.out + 1] = event
end

-- From `at` on a play, if there is one, is not heard any more.
local function drop(ctx, play, at)
  if not play then return end
  player.leave(play, function(event) ctx.out[#ctx.out + 1] = event end, at or ctx.now)
end

-- The play with which a state is entered: with `keep` it goes on where it was left, in a play of its own where it plays
-- already, or is sought.
local function playOf(self, t)
  local before = self.last[t.to]
  if not t.keep then
    local play = add(self, t.to, player.new(self.def.states[t.to]))
    player.inherit(play, before)
    return play
  end
  local anew = before == now(self) or t.sync or t.offset
  local play = anew and add(self, t.to, player.copy(before)) or before
  player.join(play, anew)
  return play
end

-- Where the target starts. `phase`: that of the state that is left.
local function enter(self, t, phase)
  local play = playOf(self, t)
  if t.sync then
    player.seek(play, phase)
  elseif t.offset then
    player.seek(play, t.offset - math.floor(t.offset))
  end
  self.current = { state = t.to, play = play, fresh = true }
end

-- Back to the state being left: the two change places, times are kept.
local function exchange(self, t)
  local share = machine.share(self)
  self.source, self.current = self.current, self.source
  self.source.fresh = nil
  if t.mode == "inertial" then return { base = 0, duration = t.fade } end
  local duration = t.fade * share
  return { base = 1 - share, duration = duration > lookahead.close and duration or 0 }
end

local function leave(self, ctx, t)
  local left, phase, interrupted = self.current, player.phase(now(self)), self.fade ~= nil
  if interrupted then drop(ctx, left.play) end
  drop(ctx, self.source and self.source.play)
  enter(self, t, phase)
  -- Interrupted, the machine's own output goes on by itself: a snapshot.
  self.source = { state = left.state, play = not interrupted and left.play or nil }
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
  if fade.duration == 0 or t.mode == "inertial" then drop(ctx, self.source.play) end
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

-- The earliest timed transition within `span` seconds, then the list. `more`: the step goes on after that.
local function earliest(self, ctx, span, more)
  local best, views = nil, {}
  local fadeEnds = self.fade and self.fade.duration - self.fade.elapsed
  local function viewOf(place)
    local still = place == self.source and not moves(self)
    views[place] = views[place] or player.view(place.play, span, still, ctx, more)
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
local function run(self, ctx, span, base, scale, leaving, more)
  local fade = self.fade
  local lasts = fade and math.min(span, fade.duration - fade.elapsed)
  if moves(self) then
    player.advance(self.source.play, lasts, ctx, base, scale, true, more and lasts == span)
  end
  player.advance(now(self), span, ctx, base, scale, leaving, more)
  self.current.fresh = nil
  if not fade then return end
  fade.elapsed = fade.elapsed + span
  if fade.elapsed < fade.duration - lookahead.close then return end
  drop(ctx, self.source.play, base + lasts / scale)
  self.fade, self.source = nil, nil
end

-- Whether it has just been entered, or what plays in it: then it takes its first step before anything is decided.
function machine.isFresh(self) return self.current.fresh or player.isFresh(now(self)) end

-- dt seconds of the clock of who holds the machine; base and scale: see player.lua. `more`: the holder's step goes on
-- after them. `record(from)` is told from when on another state plays.
function machine.advance(self, dt, ctx, base, scale, leaving, more, record)
  local at, left = 0, dt * self.def.speed
  scale = scale * self.def.speed
  local function moment() ctx.now = base + at / scale end
  moment()
  if not self.judged then decideAtStart(self, ctx) end
  while true do
    local ends = left <= 0 and not more
    if self.current.fresh and ends then return end
    if record then record(at) end
    local decides = mayTake(self) and not (ends and machine.isFresh(self))
    local found = decides and earliest(self, ctx, left, more) or nil
    local span = found and found.at or left
    run(self, ctx, span, base + at / scale, scale, leaving, more or span < left)
    at, left = at + span, left - span
    if left < lookahead.close then left = 0 end -- of instants that are one
    if not found then return end
    moment()
    if found.transition.any then self.path = nil end
    take(self, ctx, found.transition)
    takeUntimed(self, ctx)
  end
end

-- ---- a look ahead from outside

-- What a part of a nested machine's way shows, `from` that on in the clock of its holder, `rate` times as fast.
local function placed(part, from, rate)
  local out = { from = from + part.from / rate, to = from + part.to / rate, changes = part.changes,
    goesOn = part.goesOn, events = {} }
  local function inHoldersClock(list)
    for i, t in ipairs(list) do list[i] = from + t / rate end
    return list
  end
  for i, event in ipairs(part.events) do out.events[i] = { name = event.name, at = from + event.at / rate } end
  function out.at(t)
    local context = part.at((t - from) * rate)
    context.remaining = context.remaining / rate
    return context
  end
  function out.during(name, t) return part.during(name, (t - from) * rate) end
  function out.crossings(phase) return inHoldersClock(part.crossings(phase)) end
  function out.breaks(sought)
    local thresholds = {}
    for i, threshold in ipairs(sought.thresholds) do
      local value = threshold.name == "remaining" and threshold.value * rate or threshold.value
      thresholds[i] = { name = threshold.name, value = value }
    end
    return inHoldersClock(part.breaks({ thresholds = thresholds, names = sought.names, exit = sought.exit }))
  end
  return out
end

-- What fades out inside is heard, too: its events and ranges.
local function alsoHeard(part, others)
  local during, breaks = part.during, part.breaks
  for _, other in ipairs(others) do
    for _, event in ipairs(other.events) do
      if event.at >= part.from and event.at <= part.to then part.events[#part.events + 1] = event end
    end
  end
  function part.during(name, t)
    for _, other in ipairs(others) do
      if t >= other.from and t < other.to and other.during(name, t) then return true end
    end
    return during(name, t)
  end
  function part.breaks(sought)
    local out = breaks(sought)
    for _, other in ipairs(others) do
      for _, t in ipairs(other.breaks({ thresholds = {}, names = sought.names })) do out[#out + 1] = t end
      out[#out + 1] = other.to
    end
    return out
  end
end

-- What lies ahead of a nested machine, for the one that holds it: a copy is sent ahead, and what its states show comes
-- one after the other (player.lua says how).
function machine.view(self, dt, still, ctx, more)
  local rate = self.def.speed
  if still then
    local parts = player.view(now(self), 0, true, ctx)
    alsoHeard(parts[1], moves(self) and player.view(self.source.play, 0, true, ctx) or {})
    return { placed(parts[1], 0, rate) }
  end
  local ahead, seen, out = machine.copy(self), {}, {}
  local dry = { out = {}, params = ctx.params, triggers = ctx.triggers, spent = {}, graph = ctx.graph }
  machine.advance(ahead, dt, dry, 0, 1, true, more, function(from)
    local fade = moves(ahead) and ahead.fade
    seen[#seen + 1] = { from = from, play = player.copy(now(ahead)), source = fade and player.copy(ahead.source.play),
      fades = fade and fade.duration - fade.elapsed }
  end)
  local blocked = not more and machine.isFresh(ahead)
  for i, way in ipairs(seen) do
    local to = seen[i + 1] and seen[i + 1].from or dt * rate
    local parts = player.view(way.play, math.max(0, to - way.from), false, ctx, more or seen[i + 1] ~= nil)
    local others = way.source and player.view(way.source, math.min(to - way.from, way.fades), false, ctx) or {}
    if others[1] then others[#others].to = way.fades end
    for _, part in ipairs(parts) do
      alsoHeard(part, others)
      out[#out + 1] = placed(part, way.from / rate, rate)
    end
    if #out > 0 and (seen[i + 1] or blocked) then out[#out].changes = true end
  end
  return out
end

return machine
