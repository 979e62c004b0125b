-- A graph and its oracle side by side (see random_graph): the same calls, the same updates, compared after each.
local check = require("spec.support.check")

local pair = {}

-- Seconds, passes and weights: single precision in the weights that share out a group's time, at up to 50 passes a
-- second.
local far = 3e-5

local function near(expected, got, tolerance, what, node)
  if math.abs(expected - got) <= tolerance then return end
  error(("%s of %s %s: expected %.9g, got %.9g"):format(what, node.kind, node.name, expected, got), 0)
end

-- ---- calls

function pair.set(c, name, value)
  c.graph:set(name, value)
  c.oracle:set(name, value)
end

local calls = {}

local function ofKind(c, test)
  local out = {}
  for _, node in ipairs(c.oracle.nodes) do if test(node) then out[#out + 1] = node end end
  return #out > 0 and c.r.pick(out) or nil
end

local function isAlone(node) return node.kind == "clip" and not node.inGroup end
local function isGroup(node) return node.sync and not node.inGroup end
local function isMixer(node) return node.kind == "mixer" and #node.inputs > 0 end
local function isAny() return true end

function calls.param(c) pair.set(c, c.r.pick(c.paramNames), c.r.number(-1, 1.5)) end

function calls.graphSpeed(c)
  local speed = c.r.pick({ 1, 1, .5, 2, -1, 0 })
  c.graph:setSpeed(speed)
  c.oracle.speed = speed + 0.0
end

function calls.speed(c)
  local node, speed = ofKind(c, isAny), c.r.pick({ 1, .5, 2, -1, 0 })
  c.graph:find(node.name):setSpeed(speed)
  node.speed = speed
end

function calls.pause(c)
  local node = ofKind(c, isAny)
  c.graph:find(node.name):pause()
  c.oracle:pause(node)
end

function calls.play(c)
  local node = ofKind(c, isAny)
  c.graph:find(node.name):play()
  c.oracle:play(node)
end

function calls.seek(c)
  local node = ofKind(c, isAlone)
  if not node then return end
  local time = c.r.number(-1, 2) * node.length
  c.graph:find(node.name):setTime(time)
  c.oracle:setTime(node, time)
end

function calls.seekGroup(c)
  local node = ofKind(c, isGroup)
  if not node then return end
  local phase = c.r.number(-1, 2)
  c.graph:find(node.name):setPhase(phase)
  c.oracle:setGroupPhase(node, phase)
end

function calls.fade(c)
  local node = ofKind(c, isMixer)
  if not node then return end
  local i, seconds, rewind = c.r.integer(1, #node.inputs), c.r.pick({ 0, .1, .3, .7 }), c.r.pick({ true, false })
  c.graph:find(node.name):fadeTo(i, seconds, rewind)
  c.oracle:fadeTo(node, i, seconds, rewind)
end

-- One of the calls, the same on both sides.
function pair.call(c, names)
  local name = c.r.pick(names)
  calls[name](c)
  return name
end

-- ---- updates

function pair.update(c, dt)
  c.graph:advance(dt)
  c.dt, c.gone, c.told = dt, (c.gone or 0) + dt, {}
  for name, data, node, clip, time, weight, edge in c.graph:events() do
    c.told[#c.told + 1] = { name = name, data = data, node = node:getName(), clip = clip:getName(), time = time,
      weight = weight, edge = edge }
  end
  c.graph:evaluate()
  c.oracle:update(dt)
end

-- ---- comparison

local function compareWeights(c)
  for _, node in ipairs(c.oracle.nodes) do
    local weight = c.graph:find(node.name):getWeight()
    assert(weight == weight and weight >= 0 and weight < math.huge, "weight of " .. node.name)
    near(node.weight, weight, 1e-5, "weight", node)
  end
end

local filled = { blend1D = true, blend2D = true }

-- Inputs of blends, and of mixers that normalise, have all of the weight of their node.
local function compareSums(c)
  for _, node in ipairs(c.oracle.nodes) do
    local whole = filled[node.kind] or node.normalize and node.fallback == "first"
    if whole and #node.inputs > 0 then
      local sum = 0
      for _, input in ipairs(node.inputs) do sum = sum + c.graph:find(input.node.name):getWeight() end
      near(c.graph:find(node.name):getWeight(), sum, 1e-6 * math.max(1, sum), "sum of weights below", node)
    end
  end
end

-- A loop's end is its beginning: one side may be a little before it.
local function apart(a, b, length, loops)
  local d = math.abs(a - b)
  return loops and math.min(d, length - d) or d
end

-- Passes: the weights that a group's rate is made of are in single precision, so it drifts with each pass.
local function allowedOf(c, group)
  if not group then return far end
  c.shortest = c.shortest or {}
  local now, before = c.graph:find(group.name):getDuration(), c.shortest[group] or math.huge
  c.shortest[group] = math.max(math.min(now, before), .02)
  return far + 2e-6 * (c.gone or 0) / c.shortest[group]
end

-- Of the fastest group.
local function worstOf(c)
  local worst = far
  for _, node in ipairs(c.oracle.nodes) do
    if node.sync and not node.inGroup then worst = math.max(worst, allowedOf(c, node)) end
  end
  return worst
end

local function compareTimes(c)
  for _, node in ipairs(c.oracle.nodes) do
    local ours = c.graph:find(node.name)
    for _, x in ipairs({ ours:getTime(), ours:getPhase(), ours:getDuration(), ours:getRemaining() }) do
      assert(x - x == 0 and x >= 0, "time of " .. node.name)
    end
    if (node.kind == "clip" or node.sync and not node.inGroup) and ours:isDone() ~= (node.done or false) then
      error(("%s %s is %sdone"):format(node.kind, node.name, node.done and "" or "not "), 0)
    end
    if node.kind == "clip" then
      local loop, allowed = node.its or node.loop, allowedOf(c, node.inGroup) * math.max(1, node.length)
      near(0, apart(c.oracle:time(node), ours:getTime(), node.length, loop == true), allowed, "time", node)
    elseif node.sync then
      local group = node.inGroup or node
      near(0, apart(c.oracle:groupPhase(group), ours:getPhase(), 1, true), allowedOf(c, group), "phase", node)
    end
  end
end

local function show(event)
  local node = type(event.node) == "table" and event.node.name or event.node
  return ("%s%s of %s at %.6g, weight %.6g, data %s"):format(event.name, event.edge and " " .. event.edge or "", node,
    event.time, event.weight, tostring(event.data))
end

local function lines(title, events)
  local out = { title }
  for _, event in ipairs(events) do
    out[#out + 1] = show(event) .. (event.offset and " after " .. event.offset or "")
  end
  return table.concat(out, "\n  ")
end

local function isSame(expected, got)
  return got.name == expected.name and got.node == expected.node.name and got.edge == expected.edge
    and got.data == expected.data and got.clip == expected.clip and math.abs(got.time - expected.time) <= far
    and math.abs(got.weight - expected.weight) <= far
end

-- The same events in the same order; those at one instant may come in any order where the two sides round differently.
local function compareEvents(c)
  local expected, got, used = c.oracle.events, c.told, {}
  local function complain(what)
    error(("%s\n%s\n%s"):format(what, lines("expected", expected), lines("got", got)), 0)
  end
  if #expected ~= #got then complain(("%d events expected, got %d"):format(#expected, #got)) end
  for _, event in ipairs(expected) do
    local found
    for k = 1, #got do
      if not found and not used[k] and isSame(event, got[k]) then found = k end
    end
    if not found then complain("missing: " .. show(event)) end
    used[found] = true
    if math.abs(expected[found].offset - event.offset) > 2 * far then complain("out of order: " .. show(event)) end
  end
end

local function compareMotion(c)
  local x, y, z, qx, qy, qz, qw = c.graph:getRootMotion()
  local t = c.oracle.rootMotion.t
  local size = math.abs(t[1]) + math.abs(t[2]) + math.abs(t[3])
  local allowed = worstOf(c)
  local way = c.dt > 0 and 1e-5 * size / c.dt or 0 -- of a hundredth of a millisecond
  check.near(t, { x, y, z }, allowed + way, "root motion")
  check.sameRotation(c.oracle.rootMotion.q, { qx, qy, qz, qw }, allowed, "root motion")
end

local function compareHeard(c)
  local curve = c.graph:getCurve("blink") or 0
  check.near({ c.oracle:curve("blink", 0) or 0 }, { curve }, 2e-5, "curve")
  local expected, got = c.oracle:property("mouth"), c.graph:getProperty("mouth")
  if expected ~= got then error(("property: expected %s, got %s"):format(tostring(expected), tostring(got)), 0) end
end

function pair.comparePose(c)
  check.samePose(c.oracle:pose(), check.read(c.graph:getPose(), #c.rig), 2e-5 * worstOf(c) / far)
end

local parts = { compareWeights, compareSums, compareTimes, compareEvents, pair.comparePose, compareMotion,
  compareHeard }

function pair.compare(c, where)
  for _, part in ipairs(parts) do
    local fine, message = pcall(part, c)
    if not fine then error(where .. ": " .. tostring(message), 0) end
  end
end

return pair
