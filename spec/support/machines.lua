-- Random machines, and random play with them, for the fast machine and the reference. Times are any real numbers, so
-- that no two instants fall together and the order of equals is not what a model check stumbles over. Speeds are exact
-- in single precision.
local machines = {}

machines.params = { n = 0, m = 0, flag = false, go = "trigger", back = "trigger", soon = { "trigger", life = .2 } }

-- Clips as anim.newClip takes them, about one axis each: what turns by how much is easy to bound.
local function describe(r, name, least)
  local length = not least and r.unit() < .05 and 0 or r.number(least or .2, 1.5)
  local angles, times, values = { r.number(-.7, .7), r.number(-.7, .7) }, { 0, length / 2, length }, {}
  angles[3] = angles[1]
  for i, angle in ipairs(angles) do
    for k, x in ipairs({ 0, math.sin(angle / 2), 0, math.cos(angle / 2) }) do values[(i - 1) * 4 + k] = x end
  end
  if length == 0 then times, values = { 0 }, { values[1], values[2], values[3], values[4] } end
  local clip = { name = name, duration = length, loop = r.pick({ true, true, false, false, "pingpong" }),
    tracks = { joint = { rotation = { times = times, values = values } } }, events = {} }
  if length > 0 then
    if r.unit() < .3 then clip.events[1] = { time = 0, name = "zero" } end
    clip.events[#clip.events + 1] = { time = r.number(.05, .9) * length, name = r.pick({ "hit", "step" }) }
    if r.unit() < .4 then
      local from = r.number(.1, .5) * length
      clip.events[#clip.events + 1] = { time = from, duration = r.number(.1, .4) * length, name = "window" }
    end
    table.sort(clip.events, function(a, b) return a.time < b.time end)
  end
  return clip
end

machines.skeleton = { { name = "joint" } }

-- Descriptions by name, without skeleton; machines.forReference(clips) is for the reference. `least`: the shortest
-- length; without it some have length 0.
function machines.clips(r, count, least)
  local out = {}
  for i = 1, count do out["clip" .. i] = describe(r, "clip" .. i, least) end
  return out
end

function machines.forReference(clips)
  local out = {}
  for name, clip in pairs(clips) do out[name] = { length = clip.duration, loop = clip.loop, events = clip.events } end
  return out
end

local untimed = {
  function() return "go" end,
  function() return "back" end,
  function() return "soon" end,
  function(r) return ("n > %.6f"):format(r.unit()) end,
  function(r) return ("n < %.6f and flag"):format(r.unit()) end,
  function(r) return ("m >= %.6f or go"):format(r.unit()) end,
  function(r) return ("go and n ~= m and not (m > %.6f)"):format(r.unit()) end,
  function() return "flag == false and back" end,
  function(r)
    local limit = r.unit()
    return function(graph) return graph:get("n") > limit and graph:get("flag") == true end
  end,
}

local timed = {
  function(r) return ("time > %.6f"):format(r.unit()) end,
  function(r) return ("phase >= %.6f and flag"):format(r.unit()) end,
  function(r) return ("remaining < %.6f and n > %.6f"):format(r.number(.01, .3), r.unit()) end,
  function() return "event('hit')" end,
  function(r) return ("event(\"step\") and m < %.6f"):format(r.unit()) end,
  function() return "during('window') and go" end,
  function() return "not during('window') and back" end,
  function(r) return ("time > n and n > %.6f"):format(r.unit()) end,
}

local function canBeDone(clips, state)
  if state.type == "machine" then
    for _, inner in pairs(state.states) do if not canBeDone(clips, inner) then return false end end
    return true
  end
  local loop = state.loop
  if loop == nil then loop = clips[state.clip].loop end
  return loop == false
end

-- Which states a transition from `from` leaves.
local function left(from, names)
  if from == "*" then return names end
  return type(from) == "table" and from or { from }
end

local function allDone(clips, states, from, names)
  for _, name in ipairs(left(from, names)) do
    if not canBeDone(clips, states[name]) then return false end
  end
  return true
end

local function randomFrom(r, names)
  local x = r.unit()
  if x < .12 then return "*" end
  if x < .25 then
    local list = {}
    for _, name in ipairs(names) do if r.unit() < .4 then list[#list + 1] = name end end
    if #list > 0 then return list end
  end
  return r.pick(names)
end

local function setCondition(r, t, mayBeDone)
  local x = r.unit()
  if x < .25 then
    t.exit = r.number(.05, .95)
    if r.unit() < .5 then t.when = r.pick({ "go", "flag", "n > .4", "m < .6" }) end
  elseif x < .4 and mayBeDone then
    t.when = r.pick({ "done", "done", "done and n > .3" })
  elseif x < .6 then
    t.when = r.pick(timed)(r)
  else
    t.when = r.pick(untimed)(r)
  end
end

local curves = { "linear", "linear", "smooth", "easeIn", "easeOut", "bezier" }

local function setOptions(r, t, options)
  t.fade = r.unit() < options.cuts and 0 or r.number(options.fade[1], options.fade[2])
  t.curve = r.pick(curves)
  if t.curve == "bezier" then t.curve = { r.unit(), r.unit(), r.unit(), r.unit() } end
  t.mode = r.pick({ "crossfade", "crossfade", "crossfade", "frozen", "inertial" })
  t.interrupt = r.pick({ "target", "target", "none", "source", "both" })
  local x = r.unit()
  if x < .15 then t.offset = r.number(0, 2) elseif x < .3 then t.sync = true elseif x < .45 then t.keep = true end
  t.self = (t.from == t.to or r.unit() < .2) or nil -- without it one from a state into itself can never be
end

local function randomState(r, clips, name, depth, options)
  if depth > 0 and r.unit() < .2 then
    local inner = machines.machine(r, clips, depth - 1, options, name .. ".")
    inner.name = name
    if r.unit() < .3 then inner.speed = r.integer(512, 2048) / 1024 end
    return inner
  end
  local state = { type = "clip", clip = "clip" .. r.integer(1, options.clipCount), name = name }
  if r.unit() < .4 then state.speed = r.integer(512, 2048) / 1024 end
  if r.unit() < .1 then state.speed = -r.integer(512, 1536) / 1024 end
  if r.unit() < .15 then state.loop = r.pick({ true, false }) end
  if r.unit() < .1 then state.minWeight = r.integer(1, 7) / 8 end
  return state
end

-- options: clipCount, cuts (the part of transitions without a fade), fade = { least, most }, states, transitions.
function machines.machine(r, clips, depth, options, prefix)
  prefix = prefix or "s"
  local names, out = {}, { type = "machine", states = {}, transitions = {} }
  for i = 1, r.integer(1, options.states) do
    names[i] = prefix .. i
    out.states[names[i]] = randomState(r, clips, names[i], depth, options)
  end
  out.initial = names[1]
  for i = 1, r.integer(1, options.transitions) do
    local t = { from = randomFrom(r, names), to = r.pick(names) }
    setCondition(r, t, allDone(clips, out.states, t.from, names))
    setOptions(r, t, options)
    local from = type(t.from) == "table" and #t.from == 1 and t.from[1] or t.from
    if from == t.to then t.self = true end
    out.transitions[i] = t
  end
  return out
end

machines.usual = { clipCount = 6, cuts = .25, fade = { .03, .6 }, states = 8, transitions = 20 }

-- One step of play: { dt =, { "set", name, value }, { "fire", name }, { "play", state, fade }, ... }.
function machines.step(r, names, longest)
  local step = {}
  local function call(...) step[#step + 1] = { ... } end
  if r.unit() < .3 then call("set", "n", r.unit()) end
  if r.unit() < .3 then call("set", "m", r.unit()) end
  if r.unit() < .1 then call("set", "flag", r.unit() < .5) end
  for _, trigger in ipairs({ "go", "back", "soon" }) do if r.unit() < .08 then call("fire", trigger) end end
  if r.unit() < .01 then call("cancel", r.pick({ "go", "back", "soon" })) end
  local which = r.unit()
  if which < .01 then call("play", r.pick(names), r.pick({ 0, r.number(.05, .5) })) end
  if which > .99 then call("travel", r.pick(names)) end
  if r.unit() < .002 then call("reset") end
  local x = r.unit()
  step.dt = x < .03 and 0 or x < .9 and r.number(.004, .05) or r.number(.05, longest or 1.2)
  return step
end

function machines.names(description)
  local out = {}
  for name in pairs(description.states) do out[#out + 1] = name end
  table.sort(out)
  return out
end

return machines
