-- A graph description, the table that anim.newGraph takes, as a tree of plain nodes:
-- { kind =, name =, parent =, order =, inputs = { { node =, weight =, ... } }, ... } with what the kind needs.
local keys = require("spec.support.reference.keys")
local motion = require("spec.support.reference.motion")
local pose = require("spec.support.reference.pose")

local tree = {}

local fields = { translation = "t", rotation = "q", scale = "s" }

local function channelsOf(description)
  local out = {}
  for _, tracks in pairs(description.tracks or {}) do
    for _, channel in pairs(tracks) do out[#out + 1] = channel end
  end
  for _, channel in pairs(description.curves or {}) do out[#out + 1] = channel end
  for _, channel in pairs(description.properties or {}) do out[#out + 1] = channel end
  return out
end

-- duration not given: the last key of all channels.
function tree.durationOf(description)
  local last = 0
  for _, channel in ipairs(channelsOf(description)) do last = math.max(last, channel.times[#channel.times]) end
  return description.duration or last
end

local function byTime(list)
  local out = {}
  for i, item in ipairs(list or {}) do out[i] = { item = item, at = i } end
  table.sort(out, function(a, b)
    if a.item.time ~= b.item.time then return a.item.time < b.item.time end
    return a.at < b.at
  end)
  for i, entry in ipairs(out) do out[i] = entry.item end
  return out
end

-- Which channels of which joints a clip animates: keyed[j] = { t =, q =, s = }.
local function keyedBy(rig, description)
  return pose.map(#rig, function(j)
    local out = {}
    for path in pairs((description.tracks or {})[rig[j].name] or {}) do out[fields[path]] = true end
    return out
  end)
end

-- The delta of a pose, in the channels that the clip has; the others change nothing.
local function deltaOf(keyed, p, reference)
  local delta = pose.delta(p, reference)
  return pose.map(#p, function(j)
    local joint = pose.identity()
    for field in pairs(keyed[j]) do joint[field] = delta[j][field] end
    return joint
  end)
end

-- A clip as functions of time. `rootMotion = { joint =, translation =, rotation = }` in the description stands for
-- clip:withRootMotion.
function tree.clip(rig, description)
  local source = { tracks = description.tracks or {}, additive = description.additive }
  local clip = { name = description.name, length = tree.durationOf(description), loop = description.loop,
    events = byTime(description.events), markers = byTime(description.markers),
    curves = description.curves or {}, properties = description.properties or {},
    keyed = keyedBy(rig, description), isDelta = description.additive }
  if clip.loop == nil then clip.loop = true end
  function clip.pose(time) return pose.sample(rig, source, time) end
  local taken = description.rootMotion
  if taken then
    clip.motion = motion.of(rig, source, taken.joint, taken.translation, taken.rotation)
    clip.motionJoint = taken.joint
    function clip.pose(time)
      return motion.inPlace(rig, pose.sample(rig, source, time), taken.joint, clip.motion(time))
    end
  end
  -- The delta against `reference`, else against the clip's own first key.
  function clip.delta(time, reference)
    if clip.isDelta then return clip.pose(time) end
    return deltaOf(clip.keyed, clip.pose(time), reference or clip.pose(-math.huge))
  end
  return clip
end

function tree.curveAt(clip, name, time)
  local channel = clip.curves[name]
  return channel and keys.sample(channel, "curve", time)[1]
end

function tree.propertyAt(clip, name, time)
  local channel = clip.properties[name]
  if not channel then return nil end
  local value = channel.values[1]
  for i, t in ipairs(channel.times) do if t <= time then value = channel.values[i] end end
  return value
end

local builders = {}

local function link(build, node, child, entry)
  entry.node = child and build.child(child)
  if entry.node then
    assert(not entry.node.parent, "a node has one parent")
    entry.node.parent = node
  end
  node.inputs[#node.inputs + 1] = entry
end

function builders.clip(build, node, d)
  node.clip = build.clip(d.clip)
  node.loop = d.loop
  if node.loop == nil then node.loop = node.clip.loop end
  node.length, node.start = node.clip.length, d.start
  node.minWeight, node.followers = d.minWeight or 0, d.followers
end

function builders.pose(_, node, d) node.pose = d.pose end

function builders.mixer(build, node, d)
  node.sync = d.sync or false
  node.normalize = d.normalize ~= false
  node.fallback = d.fallback or "first"
  for i, child in ipairs(d.inputs) do
    link(build, node, child, { weight = d.weights and d.weights[i] or 0, fade = d.fades and d.fades[i] })
  end
end

function builders.script(build, node, d)
  node.normalize, node.fallback = true, "first"
  node.update, node.write = d.update, d.pose
  for i, child in ipairs(d.inputs or {}) do
    link(build, node, child, { weight = d.weights and d.weights[i] or 0 })
  end
end

function builders.blend1D(build, node, d)
  node.sync, node.param, node.matchSpeed = d.sync ~= false, d.param, d.matchSpeed
  for _, entry in ipairs(d) do link(build, node, entry[2], { x = entry[1], speed = entry.speed or 1 }) end
end

function builders.blend2D(build, node, d)
  node.sync, node.x, node.y = d.sync ~= false, d.x, d.y
  node.mode, node.power, node.metric = d.mode or "directional", d.power or 2, d.metric or "euclidean"
  for _, entry in ipairs(d) do
    link(build, node, entry[3], { x = entry[1], y = entry[2], speed = entry.speed or 1 })
  end
end

function builders.direct(build, node, d)
  node.normalize, node.fallback = d.normalize or false, d.fallback or "rest"
  for _, entry in ipairs(d) do link(build, node, entry[2], { weight = entry[1] }) end
end

function builders.layers(build, node, d)
  link(build, node, d.base, { isBase = true, weight = 1 })
  for _, entry in ipairs(d) do
    link(build, node, entry[1], { weight = entry.weight or 1, mask = entry.mask and build.mask(entry.mask),
      mode = entry.mode or "override", space = entry.space or "local", sparse = entry.sparse ~= false,
      reference = entry.reference and build.clip(entry.reference) })
  end
end

local function number(node, out)
  node.order = #out + 1
  out[node.order] = node
  for _, input in ipairs(node.inputs) do
    if input.node then number(input.node, out) end
  end
end

-- options.clips: descriptions by name; options.masks: what anim.newMask takes, by name. Gives the root, the list of all
-- nodes under it in order (depth first, inputs in order), and those with names.
function tree.build(rig, description, options)
  local known, named, build = {}, {}, {}
  local masks = description.masks or options.masks or {}
  function build.clip(name)
    if not known[name] then
      known[name] = tree.clip(rig, type(name) == "table" and name or assert(options.clips[name], name))
    end
    return known[name]
  end
  function build.mask(mask) return pose.mask(rig, type(mask) == "table" and mask or assert(masks[mask], mask)) end
  function build.node(d, name)
    local node = { kind = d.type, name = d.name or name, inputs = {}, speed = d.speed or 1, playing = true,
      weight = 0, before = 0, description = d }
    if node.name then named[node.name] = node end
    builders[d.type](build, node, d)
    return node
  end
  function build.child(child)
    if type(child) == "table" then return build.node(child) end
    local d = (description.nodes or {})[child]
    if d or named[child] then return named[child] or build.node(d, child) end
    return build.node({ type = "clip", clip = child })
  end
  local root, nodes = build.child(description.root), {}
  number(root, nodes)
  return root, nodes, named
end

return tree
