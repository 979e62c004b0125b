--- A graph as a description that builds an equal one.
local core = require("anim.core").graph
local machine = require("anim.graph.machine")
local players = require("anim.graph.players")
local solvers = require("anim.graph.solvers")
local values = require("anim.graph.values")
local unless = values.unless

-- Names of the objects in a table by name.
local function namesOf(...)
  local names = {}
  for i = 1, select("#", ...) do
    for name, object in next, (select(i, ...)) or {} do
      if type(name) == "string" then names[object] = name end
    end
  end
  return names
end

local child

local function clipOf(d, clip) return d.clips[clip] or clip end

local function inputsOf(d, node)
  local inputs, weights, fades, faded = {}, {}, {}, false
  for i, input in ipairs(node.inputs) do
    inputs[i], weights[i], fades[i] = child(d, input.node), input.weight, input.fade
    faded = faded or input.fade ~= .2
  end
  return inputs, #inputs > 0 and weights or nil, faded and fades or nil
end

local function layerOf(d, input)
  local reference = input.reference and clipOf(d, input.reference)
  if reference and input.referenceTime ~= 0 then reference = { reference, input.referenceTime } end
  return { child(d, input.node), mask = d.masks[input.mask or 0] or input.mask, weight = unless(input.weight, 1),
    mode = input.additive and "additive" or nil, space = input.modelSpace and "model" or nil,
    sparse = unless(input.sparse, true), reference = reference }
end

-- What the description of a kind holds beside type, name and speed.
local write = {}

function write.clip(d, node, out)
  out.clip, out.loop, out.start = clipOf(d, node.clip), node.loop, node.start
  out.minWeight, out.followers = unless(node.minWeight, 0), unless(node.followers, false)
end

function write.pose(_, node, out) out.pose = node.pose end

function write.mixer(d, node, out)
  out.normalize, out.fallback = unless(node.normalize, true), unless(node.fallback, "first")
  out.sync = unless(node.sync, false)
  out.inputs, out.weights, out.fades = inputsOf(d, node)
end

function write.script(d, node, out)
  out.update, out.pose = node.update, node.pose
  out.inputs, out.weights = inputsOf(d, node)
end

function write.blend1D(d, node, out)
  out.param, out.sync, out.matchSpeed = node.x, unless(node.sync, true), unless(node.matchSpeed, false)
  for i, input in ipairs(node.inputs) do
    out[i] = { input.x, child(d, input.node), speed = unless(input.speed, 1) }
  end
end

function write.blend2D(d, node, out)
  out.x, out.y, out.sync = node.x, node.y, unless(node.sync, true)
  out.mode, out.power, out.metric = node.mode, unless(node.power, 2), node.manhattan and "manhattan" or nil
  for i, input in ipairs(node.inputs) do
    out[i] = { input.x, input.y, child(d, input.node), speed = unless(input.speed, 1) }
  end
end

function write.direct(d, node, out)
  out.normalize, out.fallback = unless(node.normalize, false), unless(node.fallback, "rest")
  for i, input in ipairs(node.inputs) do out[i] = { input.weight, child(d, input.node) } end
end

function write.layers(d, node, out)
  for i, input in ipairs(node.inputs) do
    if i == 1 then out.base = child(d, input.node) else out[i - 1] = layerOf(d, input) end
  end
end

function write.machine(d, node, out, place)
  machine.write(d.graph, place, node, out, function(below) return child(d, below) end, d.masks)
end

for _, kind in ipairs({ "oneShot", "random", "queue" }) do
  write[kind] = function(d, node, out)
    players[kind].write(node, out, function(below) return child(d, below) end, d.masks)
  end
end

for kind in pairs(solvers.rows) do
  write[kind] = function(d, node, out, place)
    out.input = child(d, node.inputs[1] and node.inputs[1].node)
    solvers.write(d.graph, place, out, d.masks)
  end
end

local function nodeOf(d, node, place)
  local out = { type = node.type, speed = unless(node.speed, 1) }
  write[node.type](d, node, out, place)
  return out
end

-- A clip node without anything of its own is its clip's name, unless a node has that name.
local function bareClip(node, out)
  if node.type ~= "clip" or not node.inlined or type(out.clip) ~= "string" then return end
  for key in pairs(out) do
    if key ~= "type" and key ~= "clip" then return end
  end
  return out.clip
end

function child(d, place)
  if not place then return end
  local node = core.readNode(d.graph, place)
  if node.name ~= "" then return node.name end
  local out = nodeOf(d, node, place)
  local clip = bareClip(node, out)
  return clip and not core.findPlace(d.graph, clip) and clip or out
end

local function paramOf(param)
  if param.kind == "trigger" then return param.life and { "trigger", life = param.life } or "trigger" end
  if param.kind == "boolean" then return param.initial ~= 0 end
  local curve = #param.curve > 0 and param.curve or nil
  if param.smooth == 0 and param.deadZone == 0 and not curve then return param.initial end
  return { param.initial, smooth = unless(param.smooth, 0), deadZone = unless(param.deadZone, 0), curve = curve }
end

local function filled(map) return next(map) ~= nil and map or nil end

return function(graph)
  local user = core.user(graph)
  local model = user.model and rawget(user.model, "clips")
  local d = { graph = graph, clips = namesOf(model, user.clips), masks = namesOf(user.masks) }
  local params, nodes, masks = {}, {}, {}
  for _, param in ipairs(core.readParams(graph)) do params[param.name] = paramOf(param) end
  for place = 1, core.countNodes(graph) do
    local node = core.readNode(graph, place)
    if node and node.name ~= "" then nodes[node.name] = nodeOf(d, node, place) end
  end
  for name, spec in pairs(user.maskSpecs) do masks[name] = values.copy(spec) end
  return { params = filled(params), masks = filled(masks), nodes = filled(nodes),
    root = child(d, core.rootPlace(graph)) }
end
