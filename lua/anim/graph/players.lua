--- Nodes that play one thing and then another: oneShot, random, queue. Rows of kinds.lua, how they are written again,
--- and those of their methods that are edits.
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local values = require("anim.graph.values")
local get, join, unless = rawget, fault.join, values.unless

local players = {}
local kinds, build -- set by players.use

function players.use(kinds_, build_) kinds, build = kinds_, build_ end

local function check(path, done, message)
  if not done then fault.raise(path, message) end
end

local function insert(b, place, at, child, path) check(path, core.insertInput(b.graph, place, at, child)) end

local function childEntry(b, place, at, child, path) insert(b, place, at, build.child(b, child, path), path) end

local function inputsOf(node, child)
  local inputs = {}
  for i, input in ipairs(node.inputs) do inputs[i] = child(input.node) end
  return #inputs > 0 and inputs or nil
end

-- oneShot ---------------------------------------------------------------------------------------------

local fades = { fadeIn = fault.atLeast0, fadeOut = fault.atLeast0 }

--- Input 1 of the core is the base, 2 the shot, which `fire` sets.
players.oneShot = {
  keys = { "base", "mask", "fadeIn", "fadeOut", "mode" },
  fixed = true,
  entry = true,
  read = function(b, place, description, path)
    local base, mask, mode = get(description, "base"), get(description, "mask"), get(description, "mode")
    if base == nil then fault.raise(path, "base (a node) expected") end
    insert(b, place, 1, build.child(b, base, join(path, "base")), join(path, "base"))
    insert(b, place, 2, nil, path)
    kinds.setKeys(b, place, description, fades, path)
    if mask ~= nil then
      local at = join(path, "mask")
      check(at, core.setOfInput(b.graph, place, 2, "mask", values.mask(b, mask, at)))
    end
    if mode == nil then return end
    core.setOfInput(b.graph, place, 2, "mode", fault.choice(mode, { "override", "additive" }, join(path, "mode")))
  end,
  write = function(node, out, child, masks)
    local shot = node.inputs[2]
    out.base, out.mode = child(node.inputs[1].node), shot.additive and "additive" or nil
    out.mask = masks[shot.mask or 0] or shot.mask
    out.fadeIn, out.fadeOut = unless(node.fadeIn, .2), unless(node.fadeOut, .2)
  end,
}

local optionChecks = { speed = fault.number, fadeIn = fault.atLeast0, fadeOut = fault.atLeast0 }

local function readOptions(options)
  local out = {}
  for key, value in next, fault.record(options == nil and {} or options, optionChecks, 0, "") do
    out[key] = optionChecks[key](value, key)
  end
  return out
end

-- A clip's node that fire made and that has nothing of its own.
local function isPlain(node)
  return node.type == "clip" and node.inlined and node.loop == nil and node.start == nil and node.minWeight == 0 and
    node.speed == 1
end

-- The same node plays another clip where it can, so that snapshots fit whatever was fired.
local function setShot(b, place, what)
  local before = core.readNode(b.graph, place).inputs[2].node
  local isClip = core.kindOf(what) == "Clip" or type(what) == "string" and not core.findPlace(b.graph, what)
  if before and isClip and isPlain(core.readNode(b.graph, before)) then
    kinds.set(b, before, "clip", values.clip(b, what, ""), "")
    return
  end
  local after = build.child(b, what, "")
  check("", core.setChild(b.graph, place, 2, after))
  if before and before ~= after then build.drop(b, before) end
end

-- Whether the shot is this already.
local function isShot(graph, place, what)
  local shot = core.readNode(graph, place).inputs[2].node
  if what == nil or not shot then return shot ~= nil and what == nil end
  local node = core.readNode(graph, shot)
  if core.kindOf(what) == "Node" then return core.nodeAt(graph, shot) == what end
  return node.clip ~= nil and node.clip == what and isPlain(node)
end

-- random ----------------------------------------------------------------------------------------------

local randomChecks = {
  seed = fault.number,
  fade = fault.atLeast0,
  avoidRepeat = fault.boolean,
  every = function(value, path) return fault.choice(value, { "loop", "enter" }, path) end,
}

local function setChance(b, place, at, weight, path)
  core.setOfInput(b.graph, place, at, "weight", fault.atLeast0(weight, path))
end

local function readChances(b, place, description, path)
  local list, at = get(description, "weights"), join(path, "weights")
  local inputs = #core.readNode(b.graph, place).inputs
  local count = list == nil and inputs or fault.list(list, at)
  if count ~= inputs then fault.raise(at, "%d values expected, one an input, got %d", inputs, count) end
  for i = 1, count do
    local weight = 1
    if list ~= nil then weight = get(list, i) end
    setChance(b, place, i, weight, join(at, i))
  end
end

players.random = {
  keys = { "inputs", "weights", "seed", "fade", "avoidRepeat", "every" },
  entry = childEntry,
  read = function(b, place, description, path)
    kinds.setKeys(b, place, description, randomChecks, path)
    kinds.readInputs(b, place, players.random, description, path)
    readChances(b, place, description, path)
  end,
  -- addInput(child [, weight])
  add = function(b, place, at, path, child, weight)
    childEntry(b, place, at, child, path)
    setChance(b, place, at, weight == nil and 1 or weight, "weight")
  end,
  write = function(node, out, child)
    out.inputs, out.seed, out.fade = inputsOf(node, child), unless(node.seed, 0), unless(node.fadeIn, 0)
    out.avoidRepeat, out.every = unless(node.avoidRepeat, false), unless(node.every, "loop")
    if not out.inputs then return end
    out.weights = {}
    for i, input in ipairs(node.inputs) do out.weights[i] = input.weight end
  end,
}

-- queue -----------------------------------------------------------------------------------------------

players.queue = {
  keys = { "inputs", "loop", "fade" },
  entry = childEntry,
  read = function(b, place, description, path)
    kinds.setKeys(b, place, description, { loop = fault.boolean, fade = fault.atLeast0 }, path)
    kinds.readInputs(b, place, players.queue, description, path)
  end,
  add = function(b, place, at, path, child) childEntry(b, place, at, child, path) end,
  write = function(node, out, child)
    out.inputs, out.fade, out.loop = inputsOf(node, child), unless(node.fadeIn, 0), unless(node.repeats, false)
  end,
}

-- All but what plays.
local function clear(b, place, index)
  local inputs = core.readNode(b.graph, place).inputs
  for i = #inputs, 1, -1 do
    if i ~= index then
      core.removeInput(b.graph, place, i)
      if inputs[i].node then build.drop(b, inputs[i].node) end
    end
  end
end

-- Methods ---------------------------------------------------------------------------------------------

--- `edit`, `placeOf`, `expectKind`: as in anim/graph.lua.
function players.install(Node, edit, placeOf, expectKind)
  --- Plays a clip, a clip's name, a node or a description once over the base; nil: what was fired last.
  function Node:fire(what, options)
    local graph, place = placeOf(self, "fire", 2)
    expectKind(self, "fire", "oneShot")
    local ran, read = pcall(readOptions, options)
    if not ran then fault.rethrow(read, "fire", 2, 2) end
    if what == nil and not core.readNode(graph, place).inputs[2].node then
      error("bad argument #1 to 'fire' (clip, node or name expected, got nil: nothing was fired yet)", 2)
    end
    if not isShot(graph, place, what) then edit(graph, "fire", 1, 2, setShot, place, what) end
    local node = core.readNode(graph, place)
    if read.speed and type(core.readNode(graph, node.inputs[2].node).speed) == "string" then
      error("bad argument #2 to 'fire' (speed: that of the node follows a parameter)", 2)
    end
    core.fireShot(graph, place, read.speed or 1, read.fadeIn or node.fadeIn, read.fadeOut or node.fadeOut)
  end

  --- Puts something at the end of a queue.
  function Node:push(child)
    local graph, place = placeOf(self, "push", 2)
    expectKind(self, "push", "queue")
    edit(graph, "push", 1, 2, function(b)
      players.queue.add(b, place, #core.readNode(b.graph, place).inputs + 1, "", child)
    end)
  end

  --- Forgets what was played and what waits; what plays goes on, as the first.
  function Node:clear()
    local graph, place = placeOf(self, "clear", 2)
    expectKind(self, "clear", "queue")
    edit(graph, "clear", 1, 2, clear, place, self:getIndex())
  end
end

return players
