--- graph:play and graph:stop, on top of layers, mixers and fadeTo. The root is a `layers` node; its base and each
--- layer is a mixer whose inputs are what was played there. The base's first input is the rest pose, which stop fades
--- to. Kept in the graph's Lua table as `play`: places of the root and of the mixers by layer.
local core = require("anim.core").graph
local build = require("anim.graph.build")
local fault = require("anim.graph.fault")
local kinds = require("anim.graph.kinds")
local values = require("anim.graph.values")

local play = {}
local defaultFade, lastLayer = .2, 8

-- Options ---------------------------------------------------------------------------------------------

local function anything(value) return value end

local checks = {
  fade = fault.atLeast0,
  speed = fault.number,
  loop = fault.loop,
  restart = fault.boolean,
  start = fault.atLeast0,
  onDone = fault.callable,
  mask = anything, -- read with the clip, by name or as an object
  additive = fault.boolean,
  layer = function(value, path)
    if type(value) ~= "number" or value % 1 ~= 0 or value < 0 or value > lastLayer then
      fault.expected(path, ("layer from 0 to %d"):format(lastLayer), value)
    end
    return value
  end,
}

local function readOptions(options)
  if options == nil then return { fade = defaultFade, layer = 0 } end
  if type(options) == "number" then return { fade = fault.atLeast0(options, ""), layer = 0 } end
  local out = {}
  for key, value in next, fault.record(options, checks, 0, "") do out[key] = checks[key](value, key) end
  out.fade = out.fade or defaultFade
  out.layer = out.layer or ((out.mask or out.additive) and 1 or 0)
  if out.layer == 0 and (out.mask or out.additive) then
    fault.raise(out.mask and "mask" or "additive", "layer 0 is the whole body; layers from 1 have masks and modes")
  end
  return out
end

-- The tree --------------------------------------------------------------------------------------------

-- The record, if the graph's root is still the one made here.
local function recordOf(graph)
  local record = core.user(graph).play
  return record and core.rootPlace(graph) == record.root and record or nil
end

local function makeRoot(b)
  local base = { type = "mixer", inputs = { { type = "pose" } } }
  local root = build.node(b, { type = "layers", base = base }, "", nil, false)
  local done, message = core.setRoot(b.graph, root)
  if not done then fault.raise("", message) end
  return { root = root, mixers = { [0] = core.readNode(b.graph, root).inputs[1].node } }
end

-- The core's number of a layer's input: layers lie in order of their numbers.
local function inputOf(record, layer)
  local at = 1
  for n = 1, layer do
    if record.mixers[n] then at = at + 1 end
  end
  return at
end

local function makeLayer(b, record, layer)
  kinds.layers.entry(b, record.root, inputOf(record, layer), { { type = "mixer" }, weight = 0 }, "")
  record.mixers[layer] = core.readNode(b.graph, record.root).inputs[inputOf(record, layer) + 1].node
end

-- Runs in one edit. Gives the record with whatever was made, place of the new node, its number in the mixer.
local function addPlayed(b, record, clip, options)
  record = record or makeRoot(b)
  local layer = options.layer
  if not record.mixers[layer] then makeLayer(b, record, layer) end
  local mixer, at = record.mixers[layer], inputOf(record, layer)
  if layer > 0 then
    core.setOfInput(b.graph, record.root, at, "mode", options.additive and "additive" or "override")
    if options.mask ~= nil then
      local done, message = core.setOfInput(b.graph, record.root, at, "mask", values.mask(b, options.mask, "mask"))
      if not done then fault.raise("mask", message) end
    end
  end
  local place = build.node(b, { type = "clip", clip = clip, loop = options.loop, start = options.start,
    speed = options.speed }, "", nil, true)
  local last = #core.readNode(b.graph, mixer).inputs + 1
  local done, message = core.insertInput(b.graph, mixer, last, place)
  if not done then fault.raise("", message) end
  return { record = record, place = place, input = last }
end

-- Sweeping --------------------------------------------------------------------------------------------

-- Inputs of a layer's mixer that are silent and will stay so, last first.
local function silentInputs(graph, record, layer)
  local mixer, list = record.mixers[layer], {}
  local target = core.nodeAt(graph, mixer):getTarget()
  local weight, goal = 1, 1
  if layer > 0 then weight, goal = core.inputWeight(graph, record.root, inputOf(record, layer)) end
  local whole = weight == 0 and goal == 0
  for i = core.nodeAt(graph, mixer):getInputCount(), layer == 0 and 2 or 1, -1 do
    if whole or (i ~= target and core.inputWeight(graph, mixer, i) == 0) then list[#list + 1] = i end
  end
  return list
end

local function removeInputs(b, record, lists)
  for layer, list in pairs(lists) do
    local mixer = record.mixers[layer]
    for _, i in ipairs(list) do
      local node = core.readNode(b.graph, mixer).inputs[i].node
      core.removeInput(b.graph, mixer, i)
      build.drop(b, node)
    end
  end
end

local function copyOf(record)
  local copy = { root = record.root, mixers = {} }
  for layer, mixer in pairs(record.mixers) do copy.mixers[layer] = mixer end
  return copy
end

--- A clone's own record.
function play.copy(user)
  user.lookup = nil
  if user.play then user.play = copyOf(user.play) end
end

-- The clip's own node, where it plays on the layer and is neither finished nor fading out.
local function playing(graph, record, layer, clip)
  local mixer = record.mixers[layer] and core.nodeAt(graph, record.mixers[layer])
  local target = mixer and mixer:getTarget()
  local node = target and mixer:getInput(target)
  if not node or node:getType() ~= "clip" or node:getClip() ~= clip or node:isDone() then return end
  if layer == 0 then return node end
  local _, goal = core.inputWeight(graph, record.root, inputOf(record, layer))
  return goal > 0 and node or nil
end

-- A layer that was silent takes its first clip at once and fades in as a whole.
local function fadeIn(graph, record, options, input)
  local mixer, layer = core.nodeAt(graph, record.mixers[options.layer]), options.layer
  local at = inputOf(record, layer)
  local weight = layer > 0 and core.inputWeight(graph, record.root, at) or 0
  local silent = layer > 0 and weight == 0 or layer == 0 and not core.readClock(graph) and input == 2
  mixer:fadeTo(input, silent and 0 or options.fade)
  if layer > 0 and weight ~= 1 then core.nodeAt(graph, record.root):setWeight(at - 1, 1, options.fade) end
end

local function stopLayer(graph, record, layer, fade)
  if not record.mixers[layer] then return end
  if layer == 0 then
    core.nodeAt(graph, record.mixers[0]):fadeTo(1, fade)
  else
    core.nodeAt(graph, record.root):setWeight(inputOf(record, layer) - 1, 0, fade)
  end
end

-- Methods ---------------------------------------------------------------------------------------------

local function protect(name, argument, level, check, ...)
  local ran, result = pcall(check, ...)
  if not ran then fault.rethrow(result, name, argument, level + 1) end
  return result
end

function play.install(Graph, edit, checkSelf)
  local function sweep(graph)
    local record = recordOf(graph)
    if not record then return end
    local lists, any = {}, false
    for layer in pairs(record.mixers) do
      lists[layer] = silentInputs(graph, record, layer)
      any = any or #lists[layer] > 0
    end
    if any then edit(graph, "play", 1, 2, removeInputs, record, lists) end
  end

  local function start(graph, clip, options)
    local user, known = core.user(graph), recordOf(graph)
    local made = edit(graph, "play", 2, 4, addPlayed, known and copyOf(known), clip, options)
    user.play, user.sweep = made.record, sweep
    core.enableSweep(graph)
    fadeIn(graph, made.record, options, made.input)
    local node, onDone = core.nodeAt(graph, made.place), options.onDone
    if onDone then node:on("done", function(_, _, ended) onDone(ended) end) end
    return node
  end

  --- Plays a clip, crossfading from what plays now on its layer. Gives the Node that stands for this play.
  function Graph:play(clip, options)
    checkSelf(self, "Graph", "play", 2)
    local user, record = core.user(self), recordOf(self)
    user.lookup = user.lookup or { user = user }
    clip = protect("play", 1, 2, values.clip, user.lookup, clip, "")
    if options == nil or type(options) == "number" then -- often called every frame: nothing is made then
      if options then protect("play", 2, 2, fault.atLeast0, options, "") end
      local node = record and playing(self, record, 0, clip)
      if node then return node end
    end
    options = protect("play", 2, 2, readOptions, options)
    if not record and core.rootPlace(self) then
      error("play works on a graph without a root of its own; this one has one", 2)
    end
    local node = record and not options.restart and playing(self, record, options.layer, clip)
    if node then return node end
    sweep(self)
    return (start(self, clip, options))
  end

  --- Fades out what `play` started: on one layer, or on all.
  function Graph:stop(fade, layer)
    checkSelf(self, "Graph", "stop", 2)
    fade = fade == nil and defaultFade or protect("stop", 1, 2, fault.atLeast0, fade, "")
    if layer ~= nil then protect("stop", 2, 2, checks.layer, layer, "") end
    local record = recordOf(self)
    if not record then return end
    sweep(self)
    for n = layer or 0, layer or lastLayer do stopLayer(self, record, n, fade) end
  end
end

return play
