-- When a timed condition becomes true in the step ahead (semantics 7, (c)): the truth is read at every instant at which
-- something may change. What happens at an instant, an event or a crossing, counts in the state in which it happened;
-- everything else as it is just after, so that no rounding at the instant itself matters.
local condition = require("spec.support.reference.condition")

local lookahead = {}

local close = 1e-9 -- seconds; instants nearer than that are one

local function sorted(list, from, to)
  local out = { from }
  table.sort(list)
  for _, t in ipairs(list) do
    if t > out[#out] + close and t <= to then
      out[#out + 1] = t
    elseif t > out[#out] and t <= to then
      out[#out] = t -- of several that are one, the last, which has come to what the others come to
    end
  end
  return out
end

-- Whether what happens `at` that has happened when all is looked at that is one with it.
local function isOne(at, t) return at <= t and at >= t - close end

-- What a condition reads just after t in a part, which comes to `later` without a change; what happens at t counts with
-- `exactly`.
local function contextAt(part, t, later, param, exactly)
  local context = part.at((t + later) / 2)
  context.param = param
  function context.event(name)
    if not exactly then return false end
    for _, event in ipairs(part.events) do
      if event.name == name and isOne(event.at, t) then return true end
    end
    return false
  end
  function context.during(name) return part.during(name, (t + later) / 2) end
  return context
end

local function isPast(exit, now)
  if now.done or now.empty then return true end
  if now.backward then return now.phase <= exit + close end
  return exit < 1 and now.phase >= exit - close -- 1 is its end
end

local function crosses(instants, t)
  for _, at in ipairs(instants) do
    if isOne(at, t) then return true end
  end
  return false
end

-- The truth of a transition at t: with what happens then, or just after it.
local function isTrue(transition, part, t, later, param, exactly, crossings)
  local context = contextAt(part, t, later, param, exactly)
  if transition.exit then
    local reached
    if context.loop == false then
      reached = isPast(transition.exit, context)
    else
      reached = exactly and crosses(crossings, t)
    end
    if not reached then return false end
  end
  if transition.answer ~= nil then return transition.answer end
  return not transition.condition or condition.isTrue(transition.condition, context)
end

-- What a transition looks for: numbers of the state at which its truth can change, names of events, an exit.
local function soughtBy(transition, param)
  local none = function() return false end
  local out = { thresholds = {}, names = {}, exit = transition.exit }
  if transition.condition then
    out.thresholds = condition.thresholds(transition.condition, { param = param, event = none, during = none })
    out.names = condition.names(transition.condition)
  end
  return out
end

local function firstIn(part, transition, from, to, param)
  local crossings = transition.exit and part.crossings(transition.exit) or {}
  local points = sorted(part.breaks(soughtBy(transition, param)), from, to)
  for i, t in ipairs(points) do
    local later = points[i + 1] or (part.goesOn and t >= part.to - close and t + 2 * close or to)
    local isSo = isTrue(transition, part, t, later, param, false, crossings)
    -- Where another state follows, it is for that one to say what is so just after.
    if isSo and not (part.changes and t >= part.to - close) then return t end
    if not isSo and isTrue(transition, part, t, later, param, true, crossings) then return t end
  end
end

-- The first instant in [from, to] at which `transition` can be taken, or nil. parts: what player.view gives.
function lookahead.first(transition, parts, from, to, param)
  for _, part in ipairs(parts) do
    local begin, finish = math.max(from, part.from), math.min(to, part.to)
    local at = begin <= finish and firstIn(part, transition, begin, finish, param)
    if at then return at end
  end
end

lookahead.close = close

return lookahead
