--- Joints of a 2D rig as joints of a skeleton. Here y is down and angles turn clockwise, as in LÖVE; in a skeleton y is
--- up. Both lie in the plane z = 0: x, y, angle become x, -y, -angle.
local anim = require("anim")
local core = require("anim.core").graph
local fault = require("anim.graph.fault")

local joints = {}

local keys = { name = true, parent = true, x = true, y = true, angle = true, length = true, sx = true, sy = true }

--- The quaternion of a clockwise angle: about -z.
function joints.turn(angle) return { 0, 0, -math.sin(angle / 2), math.cos(angle / 2) } end

--- x, y, angle, scale to six numbers: x' = a x + c y + tx, y' = b x + d y + ty.
function joints.matrix(x, y, angle, sx, sy)
  local cos, sin = math.cos(angle), math.sin(angle)
  return cos * sx, sin * sx, -sin * sy, cos * sy, x, y
end

--- First the second one, then the first.
function joints.multiply(a, b, c, d, x, y, e, f, g, h, u, v)
  return a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h, a * u + c * v + x, b * u + d * v + y
end

local function optional(record, key, default, path)
  local value = rawget(record, key)
  if value == nil then return default end
  return fault.number(value, fault.join(path, key))
end
joints.optional = optional

local function read(record, path)
  fault.record(record, keys, 0, path)
  local joint = { name = fault.name(rawget(record, "name"), path .. ".name"), parent = rawget(record, "parent"),
    length = optional(record, "length", 0, path), angle = optional(record, "angle", 0, path),
    sx = optional(record, "sx", 1, path), sy = optional(record, "sy", 1, path), path = path }
  joint.x, joint.y = optional(record, "x", nil, path), optional(record, "y", 0, path)
  if joint.parent ~= nil then fault.name(joint.parent, path .. ".parent") end
  return joint
end

-- Where it lies at rest in the rig, its parents first.
local function place(joint, byName, depth)
  if joint.world then return end
  if depth > #byName then fault.raise(joint.path .. ".parent", "joint '%s' is below itself", joint.name) end
  local parent = joint.parent and byName[joint.parent]
  joint.x = joint.x or parent and parent.length or 0 -- a child begins where its parent ends
  local own = { joints.matrix(joint.x, joint.y, joint.angle, joint.sx, joint.sy) }
  if parent then
    place(parent, byName, depth + 1)
    local m = parent.world
    own = { joints.multiply(m[1], m[2], m[3], m[4], m[5], m[6], own[1], own[2], own[3], own[4], own[5], own[6]) }
  end
  joint.world = own
end

local function namesOf(list)
  local names = {}
  for i, joint in ipairs(list) do names[i] = joint.name end
  return names
end

--- Looks a joint up for something that names it.
function joints.find(list, name, path)
  local joint = list[fault.name(name, path)]
  if not joint then fault.raise(path, "no joint '%s'%s", name, core.didYouMean(name, namesOf(list))) end
  return joint
end

--- The list of a description, checked: in its order and by name. Each has `world`, its matrix in the rig at rest, and
--- `index`, its place in the skeleton. The second value is the skeleton.
function joints.build(description)
  local list = {}
  local count = fault.list(description, "joints")
  if count == 0 then fault.raise("joints", "at least one joint expected") end
  for i = 1, count do
    local joint = read(rawget(description, i), ("joints[%d]"):format(i))
    if list[joint.name] then fault.raise(joint.path .. ".name", "there is a joint '%s' already", joint.name) end
    list[i], list[joint.name] = joint, joint
  end
  local entries = {}
  for i, joint in ipairs(list) do
    if joint.parent ~= nil then joints.find(list, joint.parent, joint.path .. ".parent") end
    place(joint, list, 0)
    entries[i] = { name = joint.name, parent = joint.parent, translation = { joint.x, -joint.y, 0 },
      rotation = joints.turn(joint.angle), scale = { joint.sx, joint.sy, 1 } }
  end
  local skeleton = fault.within("joints", anim.newSkeleton, entries)
  for _, joint in ipairs(list) do joint.index = skeleton:find(joint.name) end
  return list, skeleton
end

return joints
