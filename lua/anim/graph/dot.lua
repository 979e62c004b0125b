--- A graph as Graphviz text: nodes and inputs with the weights they have now, machines with their transitions.
local core = require("anim.core").graph

local function quoted(text)
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
end

local function labelOf(node, read)
  local lines = { read.type .. (read.name ~= "" and " '" .. read.name .. "'" or "") }
  if read.clip then lines[2] = read.clip:getName() end
  lines[#lines + 1] = ("%.2f"):format(node:getWeight())
  return table.concat(lines, "\n")
end

local function nodeLine(graph, place, read)
  local node = core.nodeAt(graph, place)
  local weight = node:getWeight()
  return ("  n%d [label=%s, penwidth=%.2f%s];"):format(place, quoted(labelOf(node, read)), 1 + 2 * weight,
    weight > 0 and "" or ", color=gray, fontcolor=gray")
end

-- An edge a transition, between the nodes of the states; from any state: from the machine itself.
local function addTransitions(graph, place, read, lines)
  local machine = core.readMachine(graph, place)
  for _, t in ipairs(machine.transitions) do
    local from = t.from == 0 and place or read.inputs[t.from].node
    local to = read.inputs[t.to].node
    local label = type(t.when) == "function" and "function" or t.when or ""
    if t.exit then label = label .. (label ~= "" and ", " or "") .. ("exit %.3g"):format(t.exit) end
    if from and to then
      lines[#lines + 1] = ("  n%d -> n%d [style=dashed, constraint=false, label=%s];"):format(from, to, quoted(label))
    end
  end
end

local function visit(graph, place, lines)
  local read = core.readNode(graph, place)
  lines[#lines + 1] = nodeLine(graph, place, read)
  local states = read.type == "machine" and core.readMachine(graph, place).states
  for i, input in ipairs(read.inputs) do
    if input.node then
      visit(graph, input.node, lines)
      local share = ("%.2f"):format(core.inputShare(graph, place, i))
      lines[#lines + 1] = ("  n%d -> n%d [label=%s];"):format(place, input.node,
        quoted(states and states[i] .. " " .. share or share))
    end
  end
  if states then addTransitions(graph, place, read, lines) end
end

return function(graph)
  local lines, root = { "digraph anim {", "  node [shape=box];" }, core.rootPlace(graph)
  if root then visit(graph, root, lines) end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end
