-- The fast machine and the reference machine side by side: the same description, the same calls, the same updates.
local anim = require("anim")
local animator = require("spec.support.reference.animator")
local machines = require("spec.support.machines")

local twin = {}
twin.__index = twin

local function copied(t)
  if type(t) ~= "table" then return t end
  local out = {}
  for k, v in pairs(t) do out[k] = copied(v) end
  return out
end

-- clips: as machines.clips gives them, without skeleton.
function twin.new(clips, description, params)
  params = params or machines.params
  local skeleton, built = anim.newSkeleton(machines.skeleton), {}
  for name, clip in pairs(clips) do
    local own = copied(clip)
    own.skeleton = skeleton
    built[name] = anim.newClip(own)
  end
  local graph = anim.newGraph(skeleton, { params = copied(params), nodes = { machine = copied(description) },
    root = "machine" }, { clips = built })
  return setmetatable({ graph = graph, machine = graph:find("machine"), description = description, params = params,
    oracle = animator.new({ params = params, clips = machines.forReference(clips) }, description) }, twin)
end

local calls = {}
function calls.set(self, name, value) self.graph:set(name, value) end
function calls.fire(self, name) self.graph:fire(name) end
function calls.cancel(self, name) self.graph:cancel(name) end
function calls.play(self, state, fade) self.machine:play(state, fade) end
function calls.travel(self, state) self.machine:travel(state) end
function calls.reset(self) self.machine:reset() end

-- Only `travel` may refuse, and then both do.
function twin:call(name, ...)
  local ran, message = pcall(self.oracle[name], self.oracle, ...)
  local alsoRan, fault = pcall(calls[name], self, ...)
  if ran == alsoRan then return end
  error(("%s: the reference %s, the machine %s"):format(name, tostring(message), tostring(fault)), 0)
end

function twin:update(dt)
  self.oracle:update(dt)
  self.graph:update(dt)
end

local function lineOf(name, data, edge, node)
  return ("%s %s %s of %s"):format(name, tostring(data), tostring(edge), node)
end

local function line(event)
  local data = event.data
  if data ~= nil and type(data) ~= "string" then data = ("%d"):format(data) end
  return lineOf(event.name, data, event.edge, event.node)
end

local function byLine(list)
  local out = {}
  for i, event in ipairs(list) do out[i] = event end
  table.sort(out, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    return a.weight < b.weight
  end)
  return out
end

-- In the order in which they are told.
function twin:theirEvents()
  local out = {}
  for name, data, node, _, _, weight, edge in self.graph:events() do
    out[#out + 1] = { name = name, data = data, node = node:getName(), edge = edge, weight = weight }
    out[#out].line = line(out[#out])
  end
  return out
end

function twin:ourEvents()
  local out = {}
  for i, event in ipairs(self.oracle.events) do
    local node = event.inst == self.oracle.root and "machine" or event.node.name
    out[i] = { name = event.name, data = event.data, node = node, edge = event.edge, weight = event.weight,
      at = event.at }
    out[i].line = line(out[i])
  end
  return out
end

local function show(list)
  local out = {}
  for i, event in ipairs(list) do out[i] = ("    %s, weight %.6f"):format(event.line, event.weight) end
  return table.concat(out, "\n")
end

local function differs(a, b)
  if #a ~= #b then return true end
  for i, event in ipairs(a) do
    local alike = event.line == b[i].line and math.abs(event.weight - b[i].weight) <= 1e-4
    if not alike then return true end
  end
  return false
end

-- The first that is told before another which happened earlier; nil where all come in time order.
local function outOfTime(expected, got)
  local times, last = {}, 0
  for _, event in ipairs(expected) do
    times[event.line] = times[event.line] or {}
    table.insert(times[event.line], event.at)
  end
  for _, event in ipairs(got) do
    local at = table.remove(times[event.line], 1)
    if at < last - 1e-6 then return ("%s of %.6f, after %.6f"):format(event.line, at, last) end
    last = math.max(last, at)
  end
end

local function expect(what, expected, got)
  if expected ~= got then error(("%s: expected %s, got %s"):format(what, tostring(expected), tostring(got)), 0) end
end

local function expectNear(what, expected, got, tolerance)
  if math.abs(expected - got) <= math.max(1e-5, tolerance or 0) then return end
  error(("%s: expected %.9g, got %.9g"):format(what, expected, got), 0)
end

-- Gathers the plays of each state of `copies`; which is the newest of the newest comes first.
local function playsOf(copies, name)
  local out = { copies[1].last[name] }
  for _, inst in ipairs(copies) do
    for _, entry in ipairs(inst.plays) do
      if entry.state == name and entry.play ~= out[1] then out[#out + 1] = entry.play end
    end
  end
  return out
end

-- A node counts all copies that play of it, and shows the state of the newest.
local function compareStates(graph, copies, description, where)
  for name, state in pairs(description.states) do
    local node, plays, weight = graph:find(name), playsOf(copies, name), 0
    for _, play in ipairs(plays) do weight = weight + play.weight end
    expectNear(where .. "weight of " .. name, weight, node:getWeight())
    if state.type == "machine" then
      if weight > 0 then expect(where .. "state of " .. name, plays[1].current.state, node:getState()) end
      compareStates(graph, plays, state, where .. name .. ": ")
    end
  end
end

-- Raises where they are not alike.
function twin:compare()
  local oracle, m = self.oracle, self.machine
  expect("state", oracle:state(), m:getState())
  expect("source", oracle:source(), m:getSource())
  expect("fading", oracle:isFading(), m:isFading())
  local fade = oracle.root.fade -- a microsecond is much of what is left of one that was turned back
  expectNear("progress", oracle:progress(), m:getProgress(), fade and 1e-6 / fade.duration)
  compareStates(self.graph, { oracle.root }, self.description, "")
  for name, value in pairs(self.params) do
    if value == "trigger" or type(value) == "table" and value[1] == "trigger" then
      expect("trigger " .. name, oracle:isSet(name), self.graph:get(name))
    end
  end
  local expected, got = self:ourEvents(), self:theirEvents()
  local ours, theirs = byLine(expected), byLine(got)
  if differs(ours, theirs) then
    error(("events\n  expected\n%s\n  got\n%s"):format(show(ours), show(theirs)), 0)
  end
  local late = outOfTime(expected, got)
  if late then error("order of events: " .. late, 0) end
end

return twin
