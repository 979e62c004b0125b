--- Graphs: newGraph, and the methods of Graph, Node and Param that build and edit. What runs is in C.
local core = require("anim.core").graph
local build = require("anim.graph.build")
local describe = require("anim.graph.describe")
local dot = require("anim.graph.dot")
local fault = require("anim.graph.fault")
local inspect = require("anim.graph.inspect")
local kinds = require("anim.graph.kinds")
local play = require("anim.graph.play")
local reload = require("anim.graph.reload")
local players = require("anim.graph.players")
local solvers = require("anim.graph.solvers")
local values = require("anim.graph.values")

local Graph, Node, Param = core.methods()

-- Edits -----------------------------------------------------------------------------------------------

local function checkSelf(self, kind, name, level)
  if core.kindOf(self) ~= kind then
    error(("calling '%s' on bad self (anim.%s expected, got %s)"):format(name, kind, fault.describe(self)), level + 1)
  end
end

local function newBuilder(graph)
  return { graph = graph, user = core.user(graph), skeleton = graph:getSkeleton(), paths = {}, building = {},
    depth = 0 }
end

--- Runs change(builder, ...) as one edit: all of it or nothing. `name` and `argument` are what the user called and
--- what complaints are about; `level` is where (1: the caller of this function).
local function edit(graph, name, argument, level, change, ...)
  local b = newBuilder(graph)
  local began, refused = core.begin(graph)
  if not began then error(refused, level + 1) end
  local ran, result = pcall(change, b, ...)
  if ran then
    local done, message, place = core.finish(graph)
    if done then return result end
    result = fault.new(place and b.paths[place] or "", message)
  else
    core.cancel(graph)
  end
  fault.rethrow(result, name, argument, level + 1)
end

-- The place of a Node that stands alone or not, of the graph it is in.
local function placeOf(node, name, level)
  checkSelf(node, "Node", name, level + 1)
  return core.placeOf(node)
end

-- newGraph --------------------------------------------------------------------------------------------

local function skeletonOf(model)
  if core.kindOf(model) == "Skeleton" then return model, nil end
  local skeleton = type(model) == "table" and rawget(model, "skeleton")
  if core.kindOf(skeleton) == "Skeleton" then return skeleton, model end
  error(("bad argument #1 to 'newGraph' (model or anim.Skeleton expected, got %s)"):format(fault.describe(model)), 3)
end

local function readTables(b, tables)
  fault.record(tables, { clips = true, masks = true }, 0, "")
  local clips, masks = rawget(tables, "clips"), rawget(tables, "masks")
  if clips ~= nil then b.user.clips = fault.table(clips, "clips") end
  if masks ~= nil then
    build.masks(b, fault.table(masks, "masks"))
    b.user.maskSpecs = {}
  end
end

local function newGraph(model, description, tables)
  local skeleton, owner = skeletonOf(model)
  local graph = core.new(skeleton)
  local user = core.user(graph)
  user.model, user.masks, user.maskSpecs = owner, {}, {}
  if tables ~= nil then
    local ran, result = pcall(readTables, newBuilder(graph), tables)
    if not ran then fault.rethrow(result, "newGraph", 3, 2) end
  end
  if description ~= nil then edit(graph, "newGraph", 2, 2, build.graph, description) end
  return graph
end

-- Nodes -----------------------------------------------------------------------------------------------

local function addNode(graph, name, description)
  checkSelf(graph, "Graph", name, 3)
  local place = edit(graph, name, 1, 3, build.node, description, "", nil, false)
  return core.nodeAt(graph, place)
end

function Graph:add(description) return (addNode(self, "add", description)) end

local function typed(kind, description)
  if type(description) ~= "table" then return description end
  local copy = {}
  for key, value in next, description do copy[key] = value end
  if copy.type == nil then copy.type = kind end
  return copy
end

for _, kind in ipairs(kinds) do
  Graph[kind] = function(self, description)
    if kind == "clip" and type(description) ~= "table" then description = { clip = description } end
    if kind == "pose" and core.kindOf(description) == "Pose" then description = { pose = description } end
    return (addNode(self, kind, typed(kind, description)))
  end
end

local function setRoot(b, root)
  local before = core.rootPlace(b.graph)
  local place = root ~= nil and build.child(b, root, "") or nil
  if place == before then return end
  local done, message = core.setRoot(b.graph, place)
  if not done then fault.raise("", message) end
  if before then build.drop(b, before) end
end

function Graph:setRoot(root)
  checkSelf(self, "Graph", "setRoot", 2)
  edit(self, "setRoot", 1, 2, setRoot, root)
end

local function describeNode(graph, place)
  local name = core.readNode(graph, place).name
  return name ~= "" and ("'%s'"):format(name) or "a " .. core.readNode(graph, place).type .. " node"
end

local function remove(b, node)
  local place = core.placeOf(fault.object(node, "Node", ""), b.graph)
  if not place then fault.raise("", "node of this graph expected, got one of another") end
  local parent = core.readNode(b.graph, place).parent
  if parent then fault.raise("", "the node is an input of %s", describeNode(b.graph, parent)) end
  if core.rootPlace(b.graph) == place then fault.raise("", "the node is the root of its graph") end
  build.remove(b, place)
end

function Graph:remove(node)
  checkSelf(self, "Graph", "remove", 2)
  edit(self, "remove", 1, 2, remove, node)
end

-- Inputs ----------------------------------------------------------------------------------------------

local function rowOf(b, place)
  local node = core.readNode(b.graph, place)
  local row = kinds[node.type]
  if not row.entry then fault.raise("", "a %s node has no inputs", node.type) end
  return row, node
end

-- Entries as a table, or the values of one after the other.
local function entryOf(row, first, ...)
  if row.add or (type(first) == "table" and rawget(first, "type") == nil) then return first end
  local entry = { first, ... }
  local last = entry[#entry]
  if row ~= kinds.layers or #entry < 2 then return entry end
  entry = {} -- a layer: its node, then a table of the rest
  for key, value in next, fault.table(last, "") do entry[key] = value end
  entry[1] = first
  return entry
end

local function checkSettable(row, node)
  if not row.fixed then return end
  fault.raise("", "the inputs of a %s node are %s", node.type, node.type == "oneShot" and "its base and its shot" or
    "fixed: it has one")
end

local function addInput(b, place, ...)
  local row, node = rowOf(b, place)
  checkSettable(row, node)
  local at = #node.inputs + 1
  if row == kinds.layers then at = at - 1 end
  if row.add then
    return row.add(b, place, at, "", ...) or at
  end
  local entry = entryOf(row, ...)
  if row.placeOf then at = row.placeOf(node.inputs, fault.table(entry, "")) end
  row.entry(b, place, at, entry, "")
  if node.type == "blend2D" then kinds.checkSpace(b, place, "") end
  return at
end

-- The core's number of an input; layers and shots count from 1 behind their base, which is 0.
local function inputAt(node, index, lowest)
  local hasBase = node.type == "layers" or node.type == "oneShot"
  local count, offset = #node.inputs - (hasBase and 1 or 0), hasBase and 1 or 0
  local low = hasBase and lowest or 1
  if type(index) ~= "number" or index % 1 ~= 0 or index < low or index > count then
    fault.expected("", ("index from %d to %d"):format(low, count), index)
  end
  return index + offset
end

-- Machines have names for theirs.
local function indexOf(b, place, row, index)
  if type(index) ~= "string" or not row.find then return index end
  return row.find(b, place, index) or fault.raise("", "no state '%s'", index)
end

local function setInput(b, place, index, child)
  local row, node = rowOf(b, place)
  index = indexOf(b, place, row, index)
  local at = inputAt(node, index, 0)
  local before, after = node.inputs[at].node, build.child(b, child, "")
  local done, message = core.setChild(b.graph, place, at, after)
  if not done then fault.raise("", message) end
  if before and before ~= after then build.drop(b, before) end
end

local function removeInput(b, place, index)
  local row, node = rowOf(b, place)
  checkSettable(row, node)
  local at = inputAt(node, indexOf(b, place, row, index), 1)
  local held = row.holds and row.holds(b, place, at)
  if held then fault.raise("", held) end
  core.removeInput(b.graph, place, at)
  if node.inputs[at].node then build.drop(b, node.inputs[at].node) end
  if node.type == "blend2D" then kinds.checkSpace(b, place, "") end
end

function Node:addInput(...)
  local graph, place = placeOf(self, "addInput", 2)
  local at = edit(graph, "addInput", 1, 2, addInput, place, ...)
  return at
end

function Node:setInput(index, child)
  local graph, place = placeOf(self, "setInput", 2)
  edit(graph, "setInput", 2, 2, setInput, place, index, child)
end

function Node:removeInput(index)
  local graph, place = placeOf(self, "removeInput", 2)
  edit(graph, "removeInput", 1, 2, removeInput, place, index)
end

-- clip and pose ---------------------------------------------------------------------------------------

local function expectKind(node, name, kind)
  local own = node:getType()
  if own ~= kind then
    error(("a %s node has no such method; '%s' belongs to %s nodes"):format(own, name, kind), 3)
  end
end

local function setClip(b, place, clip)
  kinds.set(b, place, "clip", values.clip(b, clip, ""), "")
end

function Node:setClip(clip, keepPhase)
  local graph, place = placeOf(self, "setClip", 2)
  expectKind(self, "setClip", "clip")
  if keepPhase ~= nil and type(keepPhase) ~= "boolean" then
    error(("bad argument #2 to 'setClip' (true or false expected, got %s)"):format(fault.describe(keepPhase)), 2)
  end
  local phase = self:getPhase()
  edit(graph, "setClip", 1, 2, setClip, place, clip)
  if keepPhase then core.refit(graph, place, phase) else self:reset() end
end

local function setLoop(b, place, loop) kinds.set(b, place, "loop", fault.loop(loop, ""), "") end

function Node:setLoop(loop)
  local graph, place = placeOf(self, "setLoop", 2)
  expectKind(self, "setLoop", "clip")
  local phase = self:getPhase()
  edit(graph, "setLoop", 1, 2, setLoop, place, loop)
  core.refit(graph, place, phase)
end

local function setPose(b, place, pose) kinds.set(b, place, "pose", fault.object(pose, "Pose", ""), "") end

function Node:setPose(pose)
  local graph, place = placeOf(self, "setPose", 2)
  expectKind(self, "setPose", "pose")
  if core.kindOf(pose) == "Pose" and core.writePose(graph, place, pose) then return end
  edit(graph, "setPose", 1, 2, setPose, place, pose)
end

-- Parameters ------------------------------------------------------------------------------------------

local function newParam(b, name, value, options) return values.newParam(b, name, value, options, "") end

-- Whether it is there already and nothing is to be changed: no edit then.
local function isKnown(graph, name, value, options)
  local index, kind = core.findParam(graph, name)
  if not index or options ~= nil or type(value) == "table" then return end
  if value == nil or type(value) == kind or (kind == "trigger" and value == "trigger") then return index end
end

function Graph:param(name, value, options)
  checkSelf(self, "Graph", "param", 2)
  local index = type(name) == "string" and not name:find("\0", 1, true) and isKnown(self, name, value, options)
  index = index or edit(self, "param", 1, 2, newParam, name, value, options)
  return core.paramAt(self, index)
end

--- All of them: in order and by name.
function Graph:getParams()
  checkSelf(self, "Graph", "getParams", 2)
  local out = {}
  for i, param in ipairs(core.readParams(self)) do
    out[i] = core.paramAt(self, i)
    out[param.name] = out[i]
  end
  return out
end

local function shape(b, index, key, value) values.shape(b, index, key, value, "") end

for key, method in pairs({ smooth = "smooth", deadZone = "deadZone", curve = "curve" }) do
  Param[method] = function(self, value)
    checkSelf(self, "Param", method, 2)
    local graph, index = core.indexOf(self)
    if core.readParams(graph)[index].kind ~= "number" then error("only numbers have a " .. key, 2) end
    edit(graph, method, 1, 2, shape, index, key, value)
    core.reshapeParam(graph, index)
    return self
  end
end

-- Copies ----------------------------------------------------------------------------------------------

function Graph:clone(options)
  checkSelf(self, "Graph", "clone", 2)
  local seed
  if options ~= nil then
    local ran, result = pcall(function()
      local given = rawget(fault.record(options, { seed = true }, 0, ""), "seed")
      return given ~= nil and fault.number(given, "seed") or nil
    end)
    if not ran then fault.rethrow(result, "clone", 1, 2) end
    seed = result
  end
  local copy = core.clone(self)
  if seed then core.seedGraph(copy, seed) end
  local from, to = core.user(self), core.user(copy)
  for key, value in next, from do to[key] = value end
  to.record, to.recording = nil, nil
  play.copy(to)
  return copy
end

-- Outputs ---------------------------------------------------------------------------------------------

local function morphOf(graph, mesh, target)
  local model = core.user(graph).model
  local morphs = model and rawget(model, "morphs") or {}
  local morph = morphs[mesh]
  for _, candidate in ipairs(type(mesh) == "string" and morphs or {}) do
    if candidate.name == mesh then morph = candidate end
  end
  if not morph then
    error(("bad argument #1 to 'getMorph' (mesh with morph targets expected, got %s)"):format(fault.describe(mesh)), 3)
  end
  for i, name in ipairs(type(target) == "string" and morph.targets or {}) do
    if name == target then target = i end
  end
  if not morph.curves[target] then
    error(("bad argument #2 to 'getMorph' (index from 1 to %d or name of a target expected, got %s)")
      :format(#morph.curves, fault.describe(target)), 3)
  end
  return morph.curves[target], morph.weights[target]
end

--- The weight of a mesh's morph target: blended like the pose, the mesh's own where no clip has it.
function Graph:getMorph(mesh, target)
  checkSelf(self, "Graph", "getMorph", 2)
  local curve, rest = morphOf(self, mesh, target)
  return (self:getCurve(curve, rest))
end

function Graph:describe()
  checkSelf(self, "Graph", "describe", 2)
  return (describe(self))
end

function Graph:inspect()
  checkSelf(self, "Graph", "inspect", 2)
  return (inspect(self))
end

--- Another description, live: see anim.graph.reload.
function Graph:reload(description)
  checkSelf(self, "Graph", "reload", 2)
  if core.isUpdating(self) then error("a graph can't be changed while it is updated", 2) end
  reload(self, description, edit)
end

--- Graphviz text of the nodes and machines, with the weights they have now.
function Graph:toDot()
  checkSelf(self, "Graph", "toDot", 2)
  return (dot(self))
end

play.install(Graph, edit, checkSelf)
players.install(Node, edit, placeOf, expectKind)
solvers.install(Node, edit, placeOf, expectKind)

return newGraph
