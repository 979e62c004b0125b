--- What the time line of a recording shows: weights of nodes, values of parameters, states of machines.
local core = require("anim.core").graph
local Series = require("anim.record.series")

local Tracks = {}
Tracks.__index = Tracks

function Tracks.new()
  return setmetatable({
    nodes = {},    -- in the order they were first heard
    byUid = {},    -- uid -> node
    params = {},
    machines = {}, -- nodes that are machines
    solvers = {},  -- nodes that may have targets
    entered = false, -- a machine told of a state since the last frame
    heard = {}, values = {}, triggers = {},
  }, Tracks)
end

-- Nodes ------------------------------------------------------------------------------------------------

-- Numbers of the inputs that lead to a node from the root, and the name of what it is in.
local function wayTo(graph, place, parent)
  local way, within = {}, nil
  while parent do
    local above = core.readNode(graph, parent)
    if above.name ~= "" then within = within or above.name end
    for i, input in ipairs(above.inputs) do
      if input.node == place then table.insert(way, 1, i) end
    end
    place, parent = parent, above.parent
  end
  return way, within
end

local function describe(graph, place, uid, serial)
  local read = core.readNode(graph, place)
  local way, within = wayTo(graph, place, read.parent)
  return { uid = uid, serial = serial, type = read.type, name = read.name ~= "" and read.name or nil,
    clip = read.clip and read.clip:getName(), way = way, within = within, isLeaf = #read.inputs == 0,
    series = Series.new() }
end

-- play() makes a node for each play: where one of the same kind has fallen silent, the new one goes on in its row.
local function isAlike(a, b)
  if a.type ~= b.type or a.clip ~= b.clip or a.name ~= b.name or #a.way ~= #b.way then return false end
  for i = 1, #a.way - 1 do
    if a.way[i] ~= b.way[i] then return false end
  end
  return true
end

local function silentTwin(self, node, frame)
  for _, other in ipairs(self.nodes) do
    if other.seen < frame - 1 and isAlike(other, node) then
      self.byUid[other.uid] = nil
      other.uid, other.serial = node.uid, node.serial
      return other
    end
  end
end

local function nodeOf(self, graph, place, uid, serial, frame)
  local node = self.byUid[uid]
  if node and node.serial == serial then return node end
  node = describe(graph, place, uid, serial)
  local twin = silentTwin(self, node, frame)
  if not twin then
    self.nodes[#self.nodes + 1] = node
    if node.type == "machine" then
      node.spans, node.transitions, node.progress = {}, {}, Series.new()
      self.machines[#self.machines + 1] = node
    elseif #core.solverKeys(node.type) > 0 then
      self.solvers[#self.solvers + 1] = node
    end
  end
  node = twin or node
  self.byUid[uid] = node
  return node
end

local function readNodes(self, graph, frame)
  local heard = self.heard
  local count = core.readHeard(graph, heard)
  for i = 1, 4 * count, 4 do
    local node = nodeOf(self, graph, heard[i], heard[i + 1], heard[i + 2], frame)
    node.place, node.seen = heard[i], frame
    node.series:add(frame, heard[i + 3])
  end
  for _, node in ipairs(self.nodes) do
    if node.seen ~= frame then node.series:add(frame, 0) end
  end
end

-- Parameters -------------------------------------------------------------------------------------------

local function describeParams(self, graph)
  for i, param in ipairs(core.readParams(graph)) do
    self.params[i] = self.params[i] or { name = param.name, kind = param.kind, series = Series.new() }
  end
end

--- Triggers are read before the update that may take them.
function Tracks:readTriggers(graph)
  local values, set = self.values, self.triggers
  for i = 1, core.readValues(graph, values) do set[i] = math.max(set[i] or 0, values[i]) end
end

local function readParams(self, graph, frame)
  local values = self.values
  local count = core.readValues(graph, values)
  if count > #self.params then describeParams(self, graph) end
  for i = 1, count do
    local param = self.params[i]
    param.series:add(frame, param.kind == "trigger" and self.triggers[i] or values[i])
    self.triggers[i] = 0
  end
end

-- Machines ---------------------------------------------------------------------------------------------

local function reasonOf(entry)
  local words = { entry.when or entry.exit and "" or "always" }
  if entry.exit then words[1] = (words[1] ~= "" and words[1] .. ", " or "") .. ("exit %.3g"):format(entry.exit) end
  local names = core.names(entry.params or {})
  for i, name in ipairs(names) do
    local value = entry.params[name]
    names[i] = name .. " = " .. (type(value) == "number" and ("%.4g"):format(value) or tostring(value))
  end
  if #names > 0 then words[2] = "(" .. table.concat(names, ", ") .. ")" end
  return table.concat(words, " ")
end

-- Transitions since the last look, oldest first; the trace has the newest first.
local function readTrace(machine, node, step, time)
  local low, high = math.min(step.base, step.after) - 1e-9, math.max(step.base, step.after) + 1e-9
  local trace, last = node:getTrace(), machine.lastTrace
  local fresh = 0
  for i, entry in ipairs(trace) do
    local isKnown = last and entry.time == last.time and entry.from == last.from and entry.to == last.to
    if isKnown or entry.time < low or entry.time > high then break end
    fresh = i
  end
  machine.lastTrace = trace[1] or last
  for i = fresh, 1, -1 do
    local entry = trace[i]
    local way = step.after - step.base
    local part = way ~= 0 and (entry.time - step.base) / way or 0
    machine.transitions[#machine.transitions + 1] = { time = step.baseTime + part * (time - step.baseTime),
      from = entry.from, to = entry.to, reason = reasonOf(entry) }
  end
end

local function addSpan(machine, frame, state, source)
  local spans = machine.spans
  local last = spans[#spans]
  if last and last.state == state and last.source == source then return false end
  spans[#spans + 1] = { frame = frame, state = state, source = source }
  return true
end

local function readMachine(machine, graph, frame, step, time, isEntered)
  local node = core.nodeAt(graph, machine.place)
  local progress = node:getProgress()
  local isNew = addSpan(machine, frame, node:getState() or false, node:getSource() or false)
  if step.base and (isNew or isEntered or progress < (machine.lastProgress or 0)) then
    readTrace(machine, node, step, time)
  end
  machine.lastProgress = progress
  machine.progress:add(frame, progress)
end

local function readMachines(self, graph, frame, step, time)
  for _, machine in ipairs(self.machines) do
    if machine.seen == frame then
      readMachine(machine, graph, frame, step, time, self.entered)
    else
      addSpan(machine, frame, false, false)
    end
  end
  self.entered = false
end

--- All of it after an update; `step` says where the graph's clock was before and after.
function Tracks:read(graph, frame, step, time)
  readNodes(self, graph, frame)
  readParams(self, graph, frame)
  readMachines(self, graph, frame, step, time)
end

return Tracks
