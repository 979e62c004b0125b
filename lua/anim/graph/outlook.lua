--- What a machine may do next: each transition out of its current state, and what keeps it from being taken.
local core = require("anim.core").graph
local conditions = require("anim.graph.conditions")

local function numberOf(value)
  if type(value) == "boolean" then return value and 1 or 0 end
  return value
end

-- Reads for conditions.value what a transition sees that leaves the state whose node is at `child`.
local function lookAt(graph, child, speed)
  local node = child and core.nodeAt(graph, child)
  local watched = { event = 0, time = 0, phase = 0, remaining = 0, done = 0 } -- events fire inside updates only
  if node then
    local pace = math.abs(speed)
    watched.time, watched.phase, watched.done = node:getTime(), node:getPhase(), numberOf(node:isDone())
    watched.remaining = node:getRemaining() / (pace > 0 and pace or 1)
  end
  return function(leaf)
    if leaf.op == "param" then return numberOf(graph:get(leaf.name)) end
    if leaf.op == "during" then return child and core.isInside(graph, child, leaf.name) and 1 or 0 end
    return watched[leaf.op]
  end
end

local function waitsForExit(exit, node, speed)
  if not node or select(2, core.canEnd(node:getGraph(), select(2, core.placeOf(node)))) == false then return true end
  if node:isDone() then return false end
  if node:getSpeed() * speed < 0 then return node:getPhase() > exit end
  return node:getPhase() < exit
end

local function missingOf(graph, t, input, params)
  local node, missing = input.node and core.nodeAt(graph, input.node), {}
  if t.exit and waitsForExit(t.exit, node, input.speed) then missing[1] = ("exit = %.14g"):format(t.exit) end
  if type(t.when) ~= "string" then return missing end
  local tree = conditions.parse(t.when, params, "when")
  for _, part in ipairs(conditions.falseParts(tree, t.when, lookAt(graph, input.node, input.speed))) do
    missing[#missing + 1] = part
  end
  return missing
end

--- { state =, source =, progress =, capped =, transitions = { { to =, when =, missing = { parts as written } } } }
return function(graph, place)
  local read, inputs = core.readMachine(graph, place), core.readNode(graph, place).inputs
  local node, params = core.nodeAt(graph, place), {}
  for i, param in ipairs(core.readParams(graph)) do params[param.name] = i end
  local current, _, capped = core.readMachineState(graph, place)
  local out = { state = node:getState(), source = node:getSource(), progress = node:getProgress(), capped = capped,
    transitions = {} }
  for _, t in ipairs(read.transitions) do
    local open = (t.from == current or t.from == 0) and (t.to ~= current or t.self)
    if open then
      local when = type(t.when) == "function" and "function" or t.when
      out.transitions[#out.transitions + 1] = { to = read.states[t.to], when = when, exit = t.exit,
        missing = missingOf(graph, t, inputs[current], params) }
    end
  end
  return out
end
