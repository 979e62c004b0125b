--- State machines: their descriptions, read (a row of kinds.lua) and written again.
local core = require("anim.core").graph
local conditions = require("anim.graph.conditions")
local fault = require("anim.graph.fault")
local values = require("anim.graph.values")
local get, join = rawget, fault.join

local machine = {}
local kinds, build -- set by machine.use

local function check(done, message, path)
  if not done then fault.raise(path, message) end
end

-- States ----------------------------------------------------------------------------------------------

local entryKeys = { speed = true, loop = true }

-- { node, speed =, loop = }: the loop mode is the clip node's own, which stands here and nowhere else.
local function readLoop(b, child, loop, path)
  fault.loop(loop, path)
  local node = core.readNode(b.graph, child)
  if node.type ~= "clip" or not node.inlined then
    fault.raise(path, "loop is for a clip that stands in this state; %s has its own",
      node.name ~= "" and ("node '%s'"):format(node.name) or ("a %s node"):format(node.type))
  end
  kinds.set(b, child, "loop", loop, path)
end

local function isEntry(state) return type(state) == "table" and get(state, "type") == nil and get(state, 1) ~= nil end

local function insertState(b, place, at, name, state, path)
  if name == "*" then fault.raise(path, "a state can't be named '*', which means any state") end
  local entry = isEntry(state) and fault.record(state, entryKeys, 1, path) or nil
  local child = build.child(b, entry and entry[1] or state, path, entry and join(path, 1))
  local done, message = core.insertInput(b.graph, place, at, child)
  check(done, message, path)
  done, message = core.setStateName(b.graph, place, at, name)
  check(done, message, path)
  if not entry then return end
  local speed, loop = get(entry, "speed"), get(entry, "loop")
  if loop ~= nil then readLoop(b, child, loop, join(path, "loop")) end
  if speed ~= nil then
    core.setOfInput(b.graph, place, at, "speed", fault.number(speed, join(path, "speed")))
  end
end

-- Number of each state by name, and their names.
local function readStates(b, place, description, path)
  local states = get(description, "states")
  if states == nil then fault.raise(path, "states expected") end
  local at = join(path, "states")
  local names, index = fault.names(states, at), {}
  if #names == 0 then fault.raise(at, "at least one state expected") end
  for i, name in ipairs(names) do
    insertState(b, place, i, name, get(states, name), join(at, name))
    index[name] = i
  end
  return { names = names, index = index }
end

local function stateAt(states, name, path)
  if type(name) ~= "string" then fault.expected(path, "name of a state", name) end
  local state = states.index[name]
  if not state then fault.raise(path, "no state '%s'%s", name, core.didYouMean(name, states.names)) end
  return state
end

-- Transitions -----------------------------------------------------------------------------------------

local transitionKeys = {}
for key in ("from to when exit fade curve offset keep interrupt mode self sync profile"):gmatch("%a+") do
  transitionKeys[key] = true
end

local shapes = { "linear", "smooth", "easeIn", "easeOut" }

local function readCurve(_, curve, path)
  if type(curve) ~= "table" then
    for _, shape in ipairs(shapes) do
      if shape == curve then return curve end
    end
    fault.expected(path, '"' .. table.concat(shapes, '", "') .. '" or {x1, y1, x2, y2}', curve)
  end
  if fault.list(curve, path) ~= 4 then fault.raise(path, "{x1, y1, x2, y2} expected, got %d values", #curve) end
  local points = {}
  for i = 1, 4 do points[i] = fault.number(curve[i], join(path, i)) end
  for i = 1, 3, 2 do
    if points[i] < 0 or points[i] > 1 then fault.expected(join(path, i), "number from 0 to 1", points[i]) end
  end
  return points
end

local function readExit(_, exit, path)
  if fault.number(exit, path) < 0 or exit > 1 then fault.expected(path, "phase from 0 to 1", exit) end
  return exit
end

local function simple(checkOf, ...)
  local extra = ...
  return function(_, value, path)
    if extra then return checkOf(value, extra, path) end
    return checkOf(value, path)
  end
end

-- Keys that are read by themselves.
local readers = {
  exit = readExit,
  fade = simple(fault.atLeast0),
  curve = readCurve,
  offset = function(_, offset, path) return fault.number(offset, path) % 1 end,
  keep = simple(fault.boolean),
  self = simple(fault.boolean),
  sync = simple(fault.boolean),
  interrupt = simple(fault.choice, { "target", "none", "source", "both" }),
  mode = simple(fault.choice, { "crossfade", "inertial", "frozen" }),
  profile = values.mask,
}
local readOrder = { "exit", "fade", "curve", "offset", "keep", "self", "sync", "interrupt", "mode", "profile" }

local function paramIndices(b)
  local out = {}
  for i, param in ipairs(core.readParams(b.graph)) do out[param.name] = i end
  return out
end

-- What the core knows of a condition, and its tree.
local function readWhen(when, params, path, out)
  if when == nil then return end
  out.when = when
  if type(when) == "function" then return end
  if type(when) ~= "string" then fault.expected(path, "condition (a string or a function)", when) end
  if when:find("\0", 1, true) then fault.raise(path, "text without zeros expected") end
  local tree = conditions.parse(when, params, path)
  local program = conditions.compile(tree)
  out.steps, out.names, out.timed = program.steps, program.names, program.timed
  return tree
end

-- Numbers of the states that a transition leaves; 0: any.
local function readFrom(states, from, path)
  if from == nil then fault.raise(path, "from expected: a state, a list of states or \"*\"") end
  path = join(path, "from")
  if from == "*" then return { 0 } end
  if type(from) ~= "table" then return { stateAt(states, from, path) } end
  local list = {}
  if fault.list(from, path) == 0 then fault.raise(path, "at least one state expected") end
  for i = 1, fault.length(from) do list[i] = stateAt(states, get(from, i), join(path, i)) end
  return list
end

-- A transition that waits for the end of what has none is a mistake. From any state: if it has none in all of them.
local function checkEnds(b, place, states, froms, t, tree, path)
  local needsDone = tree and conditions.needsDone(tree)
  local key = t.exit == 1 and "exit" or needsDone and "when"
  if not key then return end
  local inputs = core.readNode(b.graph, place).inputs
  local function never(state)
    local done, whole = false, false
    if inputs[state].node then done, whole = core.canEnd(b.graph, inputs[state].node) end
    return (needsDone and not done) or (t.exit == 1 and not whole)
  end
  local what = key == "exit" and "exit = 1" or "done"
  if froms[1] == 0 then
    for state in ipairs(states.names) do
      if not never(state) then return end
    end
    fault.raise(join(path, key), "this can never be: all states loop, so none comes to its end (%s)", what)
  end
  for _, state in ipairs(froms) do
    if never(state) then
      fault.raise(join(path, key), "this can never be: state '%s' loops, so it never comes to its end (%s)",
        states.names[state], what)
    end
  end
end

-- Appends to `list` what one description means: a transition for each state that it leaves.
local function readTransition(b, place, states, params, t, path, list)
  fault.record(t, transitionKeys, 0, path)
  local froms, to = readFrom(states, get(t, "from"), path), get(t, "to")
  if to == nil then fault.raise(path, "to expected: a state") end
  local out = { to = stateAt(states, to, join(path, "to")) }
  for _, key in ipairs(readOrder) do
    local value = get(t, key)
    if value ~= nil then out[key] = readers[key](b, value, join(path, key)) end
  end
  if #froms == 1 and froms[1] == out.to and not out.self then
    fault.raise(path, "a transition of '%s' into itself needs self = true", states.names[out.to])
  end
  local tree = readWhen(get(t, "when"), params, join(path, "when"), out)
  checkEnds(b, place, states, froms, out, tree, path)
  for i, from in ipairs(froms) do
    local one = {}
    for key, value in pairs(out) do one[key] = value end
    one.from, one.joined = from, i > 1
    list[#list + 1] = one
  end
end

local function readTransitions(b, place, description, states, path)
  local transitions = get(description, "transitions")
  if transitions == nil then return end
  path = join(path, "transitions")
  local list, params = {}, paramIndices(b)
  for i = 1, fault.list(transitions, path) do
    readTransition(b, place, states, params, get(transitions, i), join(path, i), list)
  end
  local done, message = core.setTransitions(b.graph, place, list)
  check(done, message, path)
end

-- The row ---------------------------------------------------------------------------------------------

machine.keys = { "initial", "states", "transitions" }

function machine.read(b, place, description, path)
  local states, initial = readStates(b, place, description, path), get(description, "initial")
  if initial == nil then fault.raise(path, "initial expected: a state") end
  core.setInitial(b.graph, place, stateAt(states, initial, join(path, "initial")))
  readTransitions(b, place, description, states, path)
end

--- addInput(name, state): states stay in byte order.
function machine.add(b, place, _, path, name, state)
  fault.name(name, path)
  local set = { [name] = true }
  for _, other in ipairs(core.readMachine(b.graph, place).states) do
    if other == name then fault.raise(path, "there is a state '%s' already", name) end
    set[other] = true
  end
  for at, other in ipairs(core.names(set)) do
    if other == name then
      insertState(b, place, at, name, state, path)
      return at
    end
  end
end

machine.entry = machine.add

--- Why a state can't be removed; nil: it can.
function machine.holds(b, place, at)
  local read = core.readMachine(b.graph, place)
  local name = read.states[at]
  if read.initial == at then return ("state '%s' is the initial one"):format(name) end
  for _, t in ipairs(read.transitions) do
    if t.from == at or t.to == at then return ("state '%s' is used by a transition"):format(name) end
  end
end

--- Number of a state by its name, nil where it is none.
function machine.find(b, place, name)
  for i, other in ipairs(core.readMachine(b.graph, place).states) do
    if other == name then return i end
  end
end

function machine.use(kindsTable, buildTable) kinds, build = kindsTable, buildTable end

-- Written again ---------------------------------------------------------------------------------------

local defaults = { fade = .2, curve = "linear", keep = false, self = false, sync = false, interrupt = "target",
  mode = "crossfade" }

local function transitionOf(t, names, masks)
  local out = { from = names[t.from] or "*", to = names[t.to], when = t.when }
  for _, key in ipairs(readOrder) do
    if t[key] ~= defaults[key] then out[key] = t[key] end
  end
  out.profile = t.profile and (masks[t.profile] or t.profile)
  return out
end

-- Its entry, where it has one.
local function stateOf(input, child)
  if input.speed == 1 then return child end
  return { child, speed = input.speed }
end

--- Puts initial, states and transitions into `out`. child(place): what stands for a node; masks: names by mask.
function machine.write(graph, place, node, out, child, masks)
  local read = core.readMachine(graph, place)
  out.initial, out.states, out.transitions = read.states[read.initial], {}, {}
  for i, name in ipairs(read.states) do out.states[name] = stateOf(node.inputs[i], child(node.inputs[i].node)) end
  local list = out.transitions
  for _, t in ipairs(read.transitions) do
    local last = list[#list]
    if t.joined and last then
      if type(last.from) ~= "table" then last.from = { last.from } end
      last.from[#last.from + 1] = read.states[t.from]
    else
      list[#list + 1] = transitionOf(t, read.states, masks)
    end
  end
end

return machine
