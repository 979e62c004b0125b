--- From descriptions to nodes. A builder is what one edit works with: the graph, its Lua table, the nodes of the
--- description that are still to be built, and where each node was described.
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local kinds = require("anim.graph.kinds")
local values = require("anim.graph.values")
local get, join = rawget, fault.join
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local build = {}

local deepest = 200 -- as in the core, which checks when nodes are linked; here a table may hold itself
local common = { type = true, name = true, speed = true }

local function keysOf(kind)
  local keys = {}
  for key in pairs(common) do keys[key] = true end
  for _, key in ipairs(kinds[kind].keys) do keys[key] = true end
  return keys
end

local allowed = {}
for _, kind in ipairs(kinds) do allowed[kind] = keysOf(kind) end

local function newNode(b, kind, name, inlined, path)
  local place, message = core.addNode(b.graph, kind, name, inlined)
  if not place then fault.raise(path, message) end
  b.paths[place] = path
  return place
end

local function kindOf(description, path)
  local kind = get(description, "type")
  if kind == nil then fault.raise(path, "a node's description needs a type (%s)", table.concat(kinds, ", ")) end
  if type(kind) ~= "string" or not allowed[kind] then
    local hint = type(kind) == "string" and core.didYouMean(kind, { unpack(kinds) }) or ""
    fault.raise(join(path, "type"), "one of %s expected, got %s%s", table.concat(kinds, ", "), fault.describe(kind),
      hint)
  end
  return kind
end

local function nameOf(description, given, path)
  local name = get(description, "name")
  if name == nil then return given end
  fault.name(name, join(path, "name"))
  if given and given ~= name then fault.raise(join(path, "name"), "'%s' stands under the name '%s'", name, given) end
  return name
end

--- Place of a new node. `given`: its name under `nodes`. `inlined`: it stands in its parent's description.
function build.node(b, description, path, given, inlined)
  local kind = kindOf(fault.table(description, path), path)
  local row = kinds[kind]
  if b.depth >= deepest then fault.raise(path, "nodes nested more than %d deep", deepest) end
  fault.record(description, allowed[kind], row.entries and fault.length(description) or 0, path)
  local name = nameOf(description, given, path)
  local place = newNode(b, kind, name, inlined and not name, path)
  local speed = get(description, "speed")
  if speed ~= nil then kinds.set(b, place, "speed", values.source(b, speed, join(path, "speed")), path) end
  b.depth = b.depth + 1
  row.read(b, place, description, path)
  b.depth = b.depth - 1
  return place
end

-- A node under `nodes` of the description that is not built yet.
local function pending(b, name, path)
  if b.building[name] then fault.raise(path, "node '%s' would hold itself", name) end
  b.building[name] = true
  local place = build.node(b, get(b.nodes, name), join("nodes", name), name)
  b.building[name] = nil
  return place
end

local function byName(b, name, path)
  local place = not name:find("\0", 1, true) and core.findPlace(b.graph, name)
  if place then
    if b.building[name] then fault.raise(path, "node '%s' would hold itself", name) end
    return place
  end
  if b.nodes and get(b.nodes, name) ~= nil then return pending(b, name, path) end
  if values.findClip(b, name) == nil then values.noClip(b, name, path) end
  return build.clipNode(b, name, path)
end

function build.clipNode(b, clip, path, named)
  local place = newNode(b, "clip", nil, not named, path)
  kinds.clip.read(b, place, { clip = clip }, path, path)
  return place
end

--- Place of what stands for a child: a node, its name, a clip or its name, a pose, a description.
--- `inner`: path of the value itself where `path` is that of the entry it stands in.
function build.child(b, value, path, inner)
  local kind = core.kindOf(value)
  if kind == "Node" then
    local place = core.placeOf(value, b.graph)
    if not place then fault.raise(path, "node of this graph expected, got one of another") end
    return place
  end
  if kind == "Clip" then return build.clipNode(b, value, path) end
  if kind == "Pose" then return build.node(b, { type = "pose", pose = value }, path, nil, true) end
  if type(value) == "string" then return byName(b, value, path) end
  if type(value) ~= "table" then fault.expected(path, "node, description, clip or name", value) end
  return build.node(b, value, inner or path, nil, true)
end

--- Removes what was described in a place that it has no more, with all below it that was.
function build.drop(b, place)
  local node = core.readNode(b.graph, place)
  if not node.inlined or node.parent or core.rootPlace(b.graph) == place then return end
  build.remove(b, place)
end

function build.remove(b, place)
  local node = core.readNode(b.graph, place)
  core.removeNode(b.graph, place)
  for _, input in ipairs(node.inputs) do
    if input.node then build.drop(b, input.node) end
  end
end

-- Whole descriptions ----------------------------------------------------------------------------------

local topKeys = { params = true, masks = true, nodes = true, root = true }

function build.masks(b, masks)
  for _, name in ipairs(fault.names(masks, "masks")) do
    local spec, path = get(masks, name), join("masks", name)
    if core.kindOf(spec) == "Mask" then
      b.user.masks[name] = spec
    else
      b.user.masks[name] = values.newMask(b.skeleton, spec, path)
      b.user.maskSpecs[name] = values.copy(spec)
    end
  end
end

function build.graph(b, description)
  fault.record(description, topKeys, 0, "")
  local params, masks = get(description, "params"), get(description, "masks")
  local nodes, root = get(description, "nodes"), get(description, "root")
  for _, name in ipairs(params == nil and {} or fault.names(params, "params")) do
    values.newParam(b, name, get(params, name), nil, join("params", name))
  end
  if masks ~= nil then build.masks(b, masks) end
  local names = nodes == nil and {} or fault.names(nodes, "nodes")
  b.nodes = nodes
  for _, name in ipairs(names) do
    if not core.findPlace(b.graph, name) then pending(b, name, join("nodes", name)) end
  end
  if root == nil then return end
  local done, message = core.setRoot(b.graph, build.child(b, root, "root"))
  if not done then fault.raise("root", message) end
end

kinds.use(build)
return build
