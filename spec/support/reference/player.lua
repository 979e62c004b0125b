-- What a state plays, for the reference machine: a clip or another machine (semantics 1 and 7). A definition is
-- { kind = "clip", length =, loop =, events =, speed =, start =, minWeight = } or the definition of a machine; what
-- runs is a plain table { def =, ... } that can be copied to look ahead.
local lookahead = require("spec.support.reference.lookahead")
local timeline = require("spec.support.reference.timeline")

local player = { kinds = {} }

local clip = {}
player.kinds.clip = clip

function clip.new(def)
  return { def = def, weight = 0, before = 0, open = {}, closed = true, done = false,
    u = timeline.startOf(def.length, def.loop, def.speed, def.start) }
end

function clip.copy(self)
  local out = {}
  for k, v in pairs(self) do out[k] = v end
  out.open = {} -- which ranges were begun matters for what is told
  return out
end

-- It goes on in the middle; `anew`: as a copy that nobody has heard yet.
function clip.join(self, anew)
  self.joins = true
  if anew then self.weight, self.before = 0, 0 end
end

-- It is left, `at` that: what it is inside of ends. tell(event) tells it.
function clip.leave(self, tell, at)
  for _, event in ipairs(self.def.events or {}) do
    if event.duration then
      tell({ name = event.name, data = event.data, edge = "end", range = event, inst = self, node = self.def, at = at })
    end
  end
end

function clip.inherit() end
function clip.isFresh() return false end
function clip.visit(self, visit) visit(self) end
function clip.begin(self) self.ranTo = nil end
function clip.place(self, t) return self.u + self.def.speed * t end
function clip.time(self) return timeline.timeAt(self.u, self.def.length, self.def.loop) end
function clip.isDone(self) return self.done end

function clip.phase(self)
  return self.def.length > 0 and clip.time(self) / self.def.length or 0
end

function clip.seek(self, phase)
  self.u = timeline.seek(phase * self.def.length, self.def.length, self.def.loop)
  self.closed, self.done = true, false
end

function clip.step(self, dt)
  local def = self.def
  return timeline.step(self.u, def.length, def.loop, dt * def.speed, self.closed, def.speed < 0)
end

-- Seconds, in the clock of the machine that holds the clip, until the step reaches place u.
function clip.instant(self, step, u)
  if u == step.from or self.def.speed == 0 then return 0 end
  return (u - step.from) / self.def.speed
end

-- dt seconds of the holder's clock. What happens goes to ctx.out, at base + seconds / scale of the whole update.
function clip.advance(self, dt, ctx, base, scale, leaving)
  local def, step = self.def, clip.step(self, self.done and 0 or dt)
  self.ranTo = base + dt / scale
  local function tell(u, event)
    event.at, event.inst, event.node = base + clip.instant(self, step, u) / scale, self, def
    ctx.out[#ctx.out + 1] = event
  end
  if self.closed or self.joins or self.before <= 0 then
    self.joins = nil
    for _, event in ipairs(def.events or {}) do -- inside of it from the start
      if event.duration and timeline.isInside(step.from, def.length, def.loop, event) then
        tell(step.from, { name = event.name, data = event.data, edge = "begin", range = event })
      end
    end
  end
  if self.done then return end
  for _, mark in ipairs(timeline.marks(step, def.events or {})) do
    if mark.loop then
      tell(mark.u, { name = "loop", data = mark.pass })
    else
      local event = mark.event
      tell(mark.u, { name = event.name, data = event.data, time = mark.time, edge = mark.edge, ofClip = true,
        range = mark.edge and event })
    end
  end
  if step.ended then
    self.done = true
    if not leaving then tell(step.to, { name = "done" }) end
  end
  self.u, self.closed = step.to, false
end

function clip.weigh(self, weight) self.weight = weight end

-- Ranges that are open at the end of an update end where the clip is not heard any more or stands elsewhere, and one
-- that it stands in when it becomes heard begins; what has yet to take its first step waits.
-- tell(inst, range, edge, at)
-- tells it; at: when the clip moved last, nil where it did not.
function clip.settle(self, tell)
  if self.weight > 0 and (self.closed or self.joins) then return end
  local def = self.def
  for _, event in ipairs(def.events or {}) do
    if event.duration then
      local inside = self.weight > 0 and timeline.isInside(self.u, def.length, def.loop, event)
      if self.open[event] and not inside then tell(self, event, "end", self.ranTo) end
      if inside and not self.open[event] then tell(self, event, "begin", self.ranTo) end
      self.open[event] = inside
    end
  end
end

function clip.remember(self) self.before = self.weight end

-- The same for a look ahead: so little later that a step which goes there surely passes the place.
local function surely(self, step, u)
  if u == step.from or self.def.speed == 0 then return 0 end
  return clip.instant(self, step, u) + 4e-15 * (self.def.length + math.abs(u)) / math.abs(self.def.speed)
end

-- What lies ahead in dt seconds, in parts one after the other: { from =, to =, changes = whether something else follows
-- there at once, goesOn = whether it is not the end of the step, breaks(sought) = the instants at which something may
-- change of what is looked for (see lookahead.lua), at(t) = what a condition reads then, events = { { name =, at = },
-- ... }, during(name, t), crossings(p) = the instants at which phase p is crossed }.
local ahead = {}

function ahead.at(self, step, t)
  local def = self.def
  local u = step.from + (t == 0 and 0 or def.speed * t)
  local time = timeline.timeAt(u, def.length, def.loop)
  local rate = math.abs(def.speed)
  local way = def.speed < 0 and time or def.length - time
  return { time = time, phase = def.length > 0 and time / def.length or 0,
    remaining = rate > 0 and way / rate or (way > 0 and math.huge or 0), loop = def.loop,
    backward = def.speed < 0, empty = def.length == 0 }
end

-- Where it stands it has been already.
local function addCrossing(list, self, step, u)
  local at = surely(self, step, u)
  if at > lookahead.close and at <= step.lasts + lookahead.close then list[#list + 1] = math.min(at, step.lasts) end
end

-- All unrolled places at which the clip stands at `time`.
local function placesOf(def, step, time)
  if def.loop == false or def.length == 0 then return { time } end
  local out, low = {}, math.min(step.from, step.to)
  local pass = math.floor(low / def.length) - 1
  while pass * def.length <= math.max(step.from, step.to) + def.length do
    local gone = def.loop == "pingpong" and pass % 2 ~= 0 and def.length - time or time
    out[#out + 1] = pass * def.length + gone
    pass = pass + 1
  end
  return out
end

function ahead.crossings(self, step, time)
  local out = {}
  for _, u in ipairs(placesOf(self.def, step, time)) do
    addCrossing(out, self, step, u)
  end
  return out
end

local function timeOfThreshold(def, threshold)
  if threshold.name == "time" then return threshold.value end
  if threshold.name == "phase" then return threshold.value * def.length end
  if threshold.name == "remaining" then
    local way = threshold.value * math.abs(def.speed)
    return def.speed < 0 and way or def.length - way
  end
end

-- `still`: the state does not move (frozen).
function clip.view(self, dt, still, _, more)
  local def = self.def
  local moves = not still and not self.done
  local step = clip.step(self, moves and dt or 0)
  step.lasts = dt
  if not moves then step.to, step.closed = step.from, false end
  local part, marks = { from = 0, to = still and math.huge or dt, goesOn = more, events = {} }, {}
  local doneAt = self.done and 0 or nil
  if moves then
    marks = timeline.marks(step, def.events or {})
    for _, mark in ipairs(marks) do
      mark.at = math.min(surely(self, step, mark.u), dt)
      if mark.event and mark.edge ~= "end" then
        part.events[#part.events + 1] = { name = mark.event.name, at = mark.at }
      end
    end
    local isAtEnd = def.loop == false and step.to == (def.speed < 0 and 0 or def.length)
    if step.ended or more and isAtEnd then doneAt = math.min(surely(self, step, step.to), dt) end
  end
  function part.breaks(sought)
    local out = { doneAt }
    for _, mark in ipairs(marks) do
      if mark.loop or sought.names[mark.event.name] then out[#out + 1] = mark.at end
    end
    if not moves then return out end
    local places = { sought.exit and sought.exit * def.length }
    for _, threshold in ipairs(sought.thresholds) do places[#places + 1] = timeOfThreshold(def, threshold) end
    for _, time in ipairs(places) do
      for _, at in ipairs(ahead.crossings(self, step, time)) do out[#out + 1] = at end
    end
    return out
  end
  function part.at(t)
    local now = ahead.at(self, step, moves and t or 0)
    now.done = doneAt ~= nil and t >= doneAt
    return now
  end
  function part.during(name, t)
    for _, event in ipairs(def.events or {}) do
      if event.name == name and event.duration
        and timeline.isInside(step.from + def.speed * (moves and t or 0), def.length, def.loop, event) then
        return true
      end
    end
    return false
  end
  function part.crossings(phase)
    if not moves then return {} end
    return ahead.crossings(self, step, phase * def.length)
  end
  return { part }
end

-- The functions of whatever `self` is.
function player.of(self) return player.kinds[self.def.kind] end

function player.new(def) return player.kinds[def.kind].new(def) end

for _, name in ipairs({ "inherit", "copy", "join", "leave", "begin", "advance", "view", "seek", "time", "phase",
  "isDone",
  "isFresh", "weigh", "remember", "visit", "settle" }) do
  player[name] = function(self, ...) return player.kinds[self.def.kind][name](self, ...) end
end

return player
