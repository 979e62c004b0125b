-- When a timed condition becomes true in the step ahead (semantics 7, (c)): the truth is read at every instant at which
-- something may change and between each two of them.
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

-- What a condition reads at t of a view; `param` gives parameters.
local function contextAt(view, t, param, exactly)
  local context = view.at(t)
  context.param = param
  function context.event(name)
    if not exactly then return false end
    for _, event in ipairs(view.events) do
      if event.name == name and math.abs(event.at - t) <= close then return true end
    end
    return false
  end
  function context.during(name) return view.during(name, t) end
  return context
end

local function isPast(exit, now)
  if now.done then return true end
  if now.backward then return now.phase <= exit + close end
  return exit < 1 and now.phase >= exit - close -- 1 is its end
end

local function crosses(instants, t)
  for _, at in ipairs(instants) do
    if math.abs(at - t) <= close then return true end
  end
  return false
end

-- The truth of a transition at t, or just after it.
local function isTrue(transition, view, t, param, exactly, crossings)
  local context = contextAt(view, t, param, exactly)
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

-- The first instant in [from, to] at which `transition` can be taken, or nil.
function lookahead.first(transition, view, from, to, param)
  local crossings, breaks = transition.exit and view.crossings(transition.exit) or {}, {}
  for _, t in ipairs(view.breaks) do breaks[#breaks + 1] = t end
  for _, t in ipairs(crossings) do breaks[#breaks + 1] = t end
  local points = sorted(breaks, from, to)
  for i, t in ipairs(points) do
    if isTrue(transition, view, t, param, true, crossings) then return t end
    local later = points[i + 1] or to
    if later > t + close and isTrue(transition, view, (t + later) / 2, param, false, crossings) then return t end
  end
end

lookahead.close = close

return lookahead
