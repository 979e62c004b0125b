--- What a graph is doing, as a plain table, with a text form.
local core = require("anim.core").graph
local outlook = require("anim.graph.outlook")

local Inspection = {}

local function lineOf(node)
  local label = ("  "):rep(node.depth) .. node.type
  if node.name then label = label .. " '" .. node.name .. "'" end
  if node.clip then label = label .. " (" .. node.clip .. ")" end
  local state = node.done and " done" or not node.playing and " paused" or ""
  return ("%-40s %5.3f  %7.3f / %.3f s%s"):format(label, node.weight, node.time, node.duration, state)
end

-- The state of a machine, and for each way out of it what is still missing.
local function addMachine(lines, node)
  local indent, machine = ("  "):rep(node.depth + 1), node.machine
  local fading = machine.source and (" from '%s', %.0f%%"):format(machine.source, machine.progress * 100) or ""
  lines[#lines + 1] = ("%sin '%s'%s"):format(indent, machine.state, fading)
  for _, t in ipairs(machine.transitions) do
    local missing = #t.missing > 0 and "not yet: " .. table.concat(t.missing, "; ") or t.when or "at once"
    lines[#lines + 1] = ("%sto '%s': %s"):format(indent, t.to, missing)
  end
  if machine.capped > 0 then
    lines[#lines + 1] = ("%s%d chains of transitions cut off at 8"):format(indent, machine.capped)
  end
end

function Inspection.__tostring(report)
  local lines = { ("graph at %.3f s"):format(report.time) }
  for _, node in ipairs(report.nodes) do
    lines[#lines + 1] = lineOf(node)
    if node.machine then addMachine(lines, node) end
  end
  local names = core.names(report.params)
  for _, name in ipairs(names) do lines[#lines + 1] = ("param %s = %s"):format(name, tostring(report.params[name])) end
  for _, event in ipairs(report.events) do
    lines[#lines + 1] = ("event %s (%s at %.3f s)"):format(event.name, event.clip or "machine", event.time)
  end
  if report.lost > 0 then lines[#lines + 1] = ("%d events lost"):format(report.lost) end
  if report.skipped > 0 then lines[#lines + 1] = ("%d passes skipped"):format(report.skipped) end
  return table.concat(lines, "\n")
end

-- Appends the node at `place`, and what is active below it.
local function visit(graph, place, depth, out)
  local node = core.nodeAt(graph, place)
  if node:getWeight() <= 0 then return end
  local read = core.readNode(graph, place)
  out[#out + 1] = { depth = depth, type = read.type, name = node:getName(), clip = read.clip and read.clip:getName(),
    weight = node:getWeight(), time = node:getTime(), phase = node:getPhase(), duration = node:getDuration(),
    speed = node:getSpeed(), playing = node:isPlaying(), done = node:isDone(), node = node,
    machine = read.type == "machine" and outlook(graph, place) or nil }
  for _, input in ipairs(read.inputs) do
    if input.node then visit(graph, input.node, depth + 1, out) end
  end
end

return function(graph)
  local _, time = core.readClock(graph)
  local report = { time = time, nodes = {}, params = {} }
  report.events, report.lost, report.skipped = core.readEvents(graph)
  for _, param in ipairs(core.readParams(graph)) do report.params[param.name] = graph:get(param.name) end
  local root = core.rootPlace(graph)
  if root then visit(graph, root, 0, report.nodes) end
  return setmetatable(report, Inspection)
end
