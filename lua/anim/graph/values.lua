--- What descriptions name: parameters, clips, masks, references. All work on a builder (build.lua).
local anim = require("anim.core")
local core = anim.graph
local fault = require("anim.graph.fault")
local get, join = rawget, fault.join

local values = {}

-- Parameters ------------------------------------------------------------------------------------------

local reserved = {}
for word in ("time phase remaining done true false and or not event during"):gmatch("%a+") do reserved[word] = true end

local function paramNames(graph)
  local list = {}
  for i, param in ipairs(core.readParams(graph)) do list[i] = param.name end
  return list
end

--- Index of a parameter given by name or as a Param.
function values.param(b, value, path)
  if core.kindOf(value) == "Param" then
    local graph, index = core.indexOf(value)
    if graph ~= b.graph then fault.raise(path, "parameter of this graph expected, got one of another") end
    return index
  end
  if type(value) ~= "string" then fault.expected(path, "parameter or its name", value) end
  local index = not value:find("\0", 1, true) and core.findParam(b.graph, value)
  if not index then
    fault.raise(path, "no parameter '%s'%s", value, core.didYouMean(value, paramNames(b.graph)))
  end
  return index
end

--- A number, or { index of a parameter }: what the core takes for things that may follow one.
function values.source(b, value, path)
  if type(value) == "number" then return fault.number(value, path) end
  if type(value) ~= "string" and core.kindOf(value) ~= "Param" then
    fault.expected(path, "finite number or parameter", value)
  end
  return { values.param(b, value, path) }
end

local function readPoints(list, path)
  local points, count = {}, fault.list(list, path)
  for i = 1, count do
    local at, item = join(path, i), get(list, i)
    if type(item) == "table" then
      if fault.list(item, at) ~= 2 then fault.raise(at, "point {x, y} expected") end
      points[#points + 1] = fault.number(get(item, 1), join(at, 1))
      points[#points + 1] = fault.number(get(item, 2), join(at, 2))
    else
      points[#points + 1] = fault.number(item, at)
    end
  end
  if #points % 2 ~= 0 or #points < 2 then fault.raise(path, "points {x, y} expected") end
  for i = 3, #points, 2 do
    if points[i] <= points[i - 2] then
      fault.raise(path, "x must rise: %.14g is not above %.14g", points[i], points[i - 2])
    end
  end
  return points
end

local shapes = {
  smooth = fault.atLeast0,
  life = fault.atLeast0,
  curve = readPoints,
  deadZone = function(value, path)
    if fault.number(value, path) < 0 or value >= 1 then fault.expected(path, "number from 0 to below 1", value) end
    return value
  end,
}

--- One of smooth, deadZone, curve, life of the parameter `index`.
function values.shape(b, index, key, value, path)
  local done, message = core.shapeParam(b.graph, index, key, shapes[key](value, path))
  if not done then fault.raise(path, message) end
end

local numberKeys, triggerKeys, noKeys = { smooth = true, deadZone = true, curve = true }, { life = true }, {}

local function kindOfParam(value, path)
  if type(value) == "number" then return "number", fault.number(value, path) end
  if type(value) == "boolean" then return "boolean", value and 1 or 0 end
  if value ~= "trigger" then fault.expected(path, 'number, true, false or "trigger"', value) end
  return "trigger", 0
end

--- Makes a parameter, or finds the one there is; `value` may be { value, smooth = ... }.
function values.newParam(b, name, value, options, path)
  fault.name(name, path)
  if reserved[name] then fault.raise(path, "'%s' means something else in conditions; choose another name", name) end
  if type(value) == "table" then options, value = value, get(value, 1) end
  local index, known = core.findParam(b.graph, name)
  if index and value == nil then return index end
  local kind, initial = kindOfParam(value, path)
  local keys = kind == "number" and numberKeys or kind == "trigger" and triggerKeys or noKeys
  if options ~= nil then fault.record(options, keys, 1, path) end
  if known and known ~= kind then fault.raise(path, "parameter '%s' is a %s, not a %s", name, known, kind) end
  if not index then
    local message
    index, message = core.addParam(b.graph, name, kind, initial)
    if not index then fault.raise(path, message) end
  end
  for _, key in ipairs({ "smooth", "deadZone", "curve", "life" }) do
    local option = options and get(options, key)
    if option ~= nil then values.shape(b, index, key, option, join(path, key)) end
  end
  return index
end

-- Clips -----------------------------------------------------------------------------------------------

--- The clip of this name, or nil: of the tables given to newGraph, else of the model.
function values.findClip(b, name)
  local given, model = b.user.clips, b.user.model
  local clip = given and get(given, name)
  local clips = clip == nil and model and get(model, "clips")
  return clip or clips and get(clips, name) or nil
end

function values.noClip(b, name, path)
  local names = {}
  for _, clips in ipairs({ b.user.clips or {}, b.user.model and get(b.user.model, "clips") or {}, b.nodes or {} }) do
    for key in next, clips do
      if type(key) == "string" then names[#names + 1] = key end
    end
  end
  fault.raise(path, "no clip '%s'%s", name, core.didYouMean(name, names))
end

function values.clip(b, value, path)
  if type(value) == "string" then
    local clip = values.findClip(b, value)
    if clip == nil then values.noClip(b, value, path) end
    return fault.object(clip, "Clip", path)
  end
  if core.kindOf(value) ~= "Clip" then fault.expected(path, "clip or its name", value) end
  return value
end

-- Masks -----------------------------------------------------------------------------------------------

--- A mask from what anim.newMask takes; its complaints are told with the path of the description.
function values.newMask(skeleton, spec, path)
  return fault.within(path, anim.newMask, skeleton, fault.table(spec, path))
end

function values.mask(b, value, path)
  if type(value) == "string" then
    local mask = b.user.masks[value]
    if not mask then
      local names = {}
      for name in next, b.user.masks do names[#names + 1] = name end
      fault.raise(path, "no mask '%s'%s", value, core.didYouMean(value, names))
    end
    return mask
  end
  if core.kindOf(value) ~= "Mask" then fault.expected(path, "mask or its name", value) end
  return value
end

-- References of additive layers -----------------------------------------------------------------------

-- A clip that is this pose all the time.
local function clipOfPose(skeleton, pose)
  local tracks = {}
  for joint = 1, #skeleton do
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(joint)
    local function key(...) return { times = { 0 }, values = { ... } } end
    tracks[joint] = { translation = key(tx, ty, tz), rotation = key(qx, qy, qz, qw), scale = key(sx, sy, sz) }
  end
  return anim.newClip({ name = "reference", skeleton = skeleton, tracks = tracks })
end

--- clip, time of a Pose, a clip or its name, or { clip, time }.
function values.reference(b, value, path)
  if core.kindOf(value) == "Pose" then
    if value:isAdditive() then fault.raise(path, "pose of transforms expected, got one of additive deltas") end
    return clipOfPose(value:getSkeleton(), value), 0
  end
  if type(value) ~= "table" then return values.clip(b, value, path), 0 end
  fault.record(value, {}, 2, path)
  local time = get(value, 2)
  return values.clip(b, get(value, 1), join(path, 1)), time == nil and 0 or fault.number(time, join(path, 2))
end

--- A table with all tables in it as new ones.
function values.copy(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, item in next, value do out[key] = values.copy(item) end
  return out
end

--- The value, nil where it is the default: what a description need not say.
function values.unless(value, default)
  if value ~= default then return value end
end

return values
