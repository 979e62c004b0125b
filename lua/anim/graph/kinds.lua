--- Kinds of nodes, one row each: the keys of its description and how it is read, one entry of its inputs (what
--- addInput takes, too), and how it is described again (describe.lua).
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local machine = require("anim.graph.machine")
local players = require("anim.graph.players")
local solvers = require("anim.graph.solvers")
local values = require("anim.graph.values")
local get, join = rawget, fault.join

local kinds = { "clip", "pose", "mixer", "blend1D", "blend2D", "direct", "layers", "script", "machine", "oneShot",
  "random", "queue", "twoBone", "chain", "aim", "foot", "spring", "stride", "orient" }
local build -- set by build.lua, which needs this file

function kinds.use(module)
  build = module
  machine.use(kinds, module)
  players.use(kinds, module)
  solvers.use(module)
end

local function set(b, place, key, value, path)
  local done, message = core.set(b.graph, place, key, value)
  if not done then fault.raise(path, message) end
end

-- A refusal of the core concerns the node, not the key.
function kinds.set(b, place, key, value, path) set(b, place, key, value, path) end

local function setOfInput(b, place, at, key, path, ...)
  local done, message = core.setOfInput(b.graph, place, at, key, ...)
  if not done then fault.raise(path, message) end
end

local function insert(b, place, at, child, path)
  local done, message = core.insertInput(b.graph, place, at, child)
  if not done then fault.raise(path, message) end
end

-- Reads the keys in `checks` that are there and sets them.
function kinds.setKeys(b, place, description, checks, path)
  for _, key in ipairs(kinds[core.readNode(b.graph, place).type].keys) do
    local check, value = checks[key], get(description, key)
    if check and value ~= nil then set(b, place, key, check(value, join(path, key)), path) end
  end
end

local function paramKey(b, place, description, key, field, path)
  local value = get(description, key)
  if value == nil then fault.raise(path, "%s (a parameter) expected", key) end
  set(b, place, field, values.param(b, value, join(path, key)), path)
end

local function fallback(value, path) return fault.choice(value, { "first", "rest" }, path) end

-- Calls the row's `entry` for each item of a list.
local function readEntries(b, place, row, list, path)
  for i = 1, fault.length(list) do
    local item = get(list, i)
    if item == nil then fault.raise(path, "list without gaps expected") end
    row.entry(b, place, i, item, join(path, i))
  end
end

-- An entry { ..., node, key = value }: `items` of them are there.
local function readEntry(entry, items, keys, path)
  fault.record(entry, keys, items, path)
  for i = 1, items do
    if get(entry, i) == nil then fault.raise(path, "entry of %d values expected, got %d", items, i - 1) end
  end
end

-- clip, pose ------------------------------------------------------------------------------------------

local clipChecks = {
  loop = fault.loop,
  start = fault.atLeast0,
  minWeight = fault.atLeast0,
  followers = fault.boolean,
}

kinds.clip = {
  keys = { "clip", "loop", "start", "minWeight", "followers" },
  -- `at`: the path that complaints about the clip give, where it is not that of a key.
  read = function(b, place, description, path, at)
    local clip = get(description, "clip")
    if clip == nil then fault.raise(path, "clip expected") end
    at = at or join(path, "clip")
    set(b, place, "clip", values.clip(b, clip, at), at)
    kinds.setKeys(b, place, description, clipChecks, path)
  end,
}

kinds.pose = {
  keys = { "pose" },
  read = function(b, place, description, path)
    local pose = get(description, "pose")
    if pose ~= nil then set(b, place, "pose", fault.object(pose, "Pose", join(path, "pose")), join(path, "pose")) end
  end,
}

-- mixer, script ---------------------------------------------------------------------------------------

local function mixerEntry(b, place, at, child, path) insert(b, place, at, build.child(b, child, path), path) end

-- Numbers or parameters beside the inputs, one each.
local function readBeside(b, place, description, key, field, check, path)
  local list = get(description, key)
  if list == nil then return false end
  local count, inputs = fault.list(list, join(path, key)), #core.readNode(b.graph, place).inputs
  if count ~= inputs then fault.raise(join(path, key), "%d values expected, one an input, got %d", inputs, count) end
  for i = 1, count do
    local at = join(join(path, key), i)
    setOfInput(b, place, i, field, at, check(b, get(list, i), at))
  end
  return true
end

local function fadeTime(_, value, path) return fault.atLeast0(value, path) end

function kinds.readInputs(b, place, row, description, path)
  local inputs = get(description, "inputs")
  if inputs == nil then return end
  fault.list(inputs, join(path, "inputs"))
  readEntries(b, place, row, inputs, join(path, "inputs"))
end

-- Without weights the first input has all.
local function readWeights(b, place, description, path)
  local given = readBeside(b, place, description, "weights", "weight", values.source, path)
  if not given and #core.readNode(b.graph, place).inputs > 0 then setOfInput(b, place, 1, "weight", path, 1) end
end

kinds.mixer = {
  keys = { "inputs", "weights", "normalize", "fallback", "sync", "fades" },
  read = function(b, place, description, path)
    kinds.setKeys(b, place, description, { normalize = fault.boolean, fallback = fallback, sync = fault.boolean }, path)
    kinds.readInputs(b, place, kinds.mixer, description, path)
    readWeights(b, place, description, path)
    readBeside(b, place, description, "fades", "fade", fadeTime, path)
  end,
  entry = mixerEntry,
  -- addInput(child [, weight [, fade]])
  add = function(b, place, at, path, child, weight, fade)
    mixerEntry(b, place, at, child, path)
    if weight == nil then weight = at == 1 and 1 or 0 end
    setOfInput(b, place, at, "weight", path, values.source(b, weight, "weight"))
    if fade ~= nil then setOfInput(b, place, at, "fade", path, fault.atLeast0(fade, "fade")) end
  end,
}

kinds.script = {
  keys = { "inputs", "weights", "update", "pose" },
  read = function(b, place, description, path)
    local update, pose = get(description, "update"), get(description, "pose")
    if update ~= nil then fault.callable(update, join(path, "update")) end
    if pose ~= nil then fault.callable(pose, join(path, "pose")) end
    core.setScript(b.graph, place, update, pose)
    kinds.readInputs(b, place, kinds.script, description, path)
    readWeights(b, place, description, path)
  end,
  entry = mixerEntry,
  add = kinds.mixer.add,
}

-- Blends ----------------------------------------------------------------------------------------------

local withSpeed = { speed = true }

local function entrySpeed(b, place, at, entry, path)
  local speed = get(entry, "speed")
  if speed ~= nil then setOfInput(b, place, at, "speed", path, fault.number(speed, join(path, "speed"))) end
end

local function checkRise(b, place, at, threshold, path)
  local inputs = core.readNode(b.graph, place).inputs
  local before, after = inputs[at - 1], inputs[at]
  if before and threshold <= before.x then
    fault.raise(path, "threshold %.14g is not above %.14g", threshold, before.x)
  end
  if after and threshold >= after.x then
    fault.raise(path, "threshold %.14g is not below %.14g", threshold, after.x)
  end
end

kinds.blend1D = {
  entries = true,
  keys = { "param", "sync", "matchSpeed" },
  read = function(b, place, description, path)
    paramKey(b, place, description, "param", "x", path)
    kinds.setKeys(b, place, description, { sync = fault.boolean, matchSpeed = fault.boolean }, path)
    readEntries(b, place, kinds.blend1D, description, path)
  end,
  entry = function(b, place, at, entry, path)
    readEntry(entry, 2, withSpeed, path)
    local threshold = fault.number(get(entry, 1), join(path, 1))
    checkRise(b, place, at, threshold, path)
    insert(b, place, at, build.child(b, get(entry, 2), path, join(path, 2)), path)
    setOfInput(b, place, at, "x", path, threshold)
    entrySpeed(b, place, at, entry, path)
  end,
  -- Its place among the thresholds.
  placeOf = function(inputs, entry)
    local threshold, at = get(entry, 1), 1
    while type(threshold) == "number" and inputs[at] and inputs[at].x < threshold do at = at + 1 end
    return at
  end,
}

local modes = { "simple", "directional", "cartesian", "triangulated", "grid", "idw" }

local function power(value, path)
  if fault.number(value, path) <= 0 then fault.expected(path, "number above 0", value) end
  return value
end

local blend2DChecks = {
  mode = function(value, path) return fault.choice(value, modes, path) end,
  metric = function(value, path) return fault.choice(value, { "euclidean", "manhattan" }, path) end,
  power = power,
  sync = fault.boolean,
}

function kinds.checkSpace(b, place, path)
  local fit, message = core.checkSpace(b.graph, place)
  if not fit then fault.raise(path, message) end
end

kinds.blend2D = {
  entries = true,
  keys = { "x", "y", "mode", "power", "metric", "sync" },
  read = function(b, place, description, path)
    paramKey(b, place, description, "x", "x", path)
    paramKey(b, place, description, "y", "y", path)
    kinds.setKeys(b, place, description, blend2DChecks, path)
    readEntries(b, place, kinds.blend2D, description, path)
    kinds.checkSpace(b, place, path)
  end,
  entry = function(b, place, at, entry, path)
    readEntry(entry, 3, withSpeed, path)
    local x, y = fault.number(get(entry, 1), join(path, 1)), fault.number(get(entry, 2), join(path, 2))
    insert(b, place, at, build.child(b, get(entry, 3), path, join(path, 3)), path)
    setOfInput(b, place, at, "x", path, x)
    setOfInput(b, place, at, "y", path, y)
    entrySpeed(b, place, at, entry, path)
  end,
}

kinds.direct = {
  entries = true,
  keys = { "normalize", "fallback" },
  read = function(b, place, description, path)
    kinds.setKeys(b, place, description, { normalize = fault.boolean, fallback = fallback }, path)
    readEntries(b, place, kinds.direct, description, path)
  end,
  entry = function(b, place, at, entry, path)
    readEntry(entry, 2, {}, path)
    local param = values.param(b, get(entry, 1), join(path, 1))
    insert(b, place, at, build.child(b, get(entry, 2), path, join(path, 2)), path)
    setOfInput(b, place, at, "weight", path, { param })
  end,
}

-- layers ----------------------------------------------------------------------------------------------

local layerKeys = { mask = true, weight = true, mode = true, space = true, sparse = true, reference = true }

local layerChecks = {
  mask = values.mask,
  weight = values.source,
  mode = function(_, value, path) return fault.choice(value, { "override", "additive" }, path) end,
  space = function(_, value, path) return fault.choice(value, { "local", "model" }, path) end,
  sparse = function(_, value, path) return fault.boolean(value, path) end,
  reference = values.reference,
}

-- Layer i is input i + 1 of the core; the base is the first.
kinds.layers = {
  entries = true,
  keys = { "base" },
  read = function(b, place, description, path)
    local base = get(description, "base")
    if base == nil then fault.raise(path, "base (a node) expected") end
    insert(b, place, 1, build.child(b, base, join(path, "base")), join(path, "base"))
    readEntries(b, place, kinds.layers, description, path)
  end,
  entry = function(b, place, at, entry, path)
    readEntry(entry, 1, layerKeys, path)
    insert(b, place, at + 1, build.child(b, get(entry, 1), path, join(path, 1)), path)
    for _, key in ipairs({ "mask", "weight", "mode", "space", "sparse", "reference" }) do
      local value = get(entry, key)
      if value ~= nil then
        setOfInput(b, place, at + 1, key, join(path, key), layerChecks[key](b, value, join(path, key)))
      end
    end
  end,
}

kinds.machine = machine
for kind, row in pairs(solvers.rows) do kinds[kind] = row end
kinds.oneShot, kinds.random, kinds.queue = players.oneShot, players.random, players.queue

return kinds
