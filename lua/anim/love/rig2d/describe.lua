--- Descriptions of graphs for 2D: points of two numbers become anim's three, `aim` looks along x, and limbs that would
--- bend out of the plane are refused.
local fault = require("anim.graph.fault")

local points = { target = true, pole = true, axis = true, offset = true, gravity = true, wind = true, from = true,
  to = true, center = true, tip = true, direction = true }

local straight = math.rad(5) -- below, a limb takes the side of its rest pose

local function isPlain(value) return type(value) == "table" and getmetatable(value) == nil end

local function flat(value)
  return #value == 2 and type(value[1]) == "number" and type(value[2]) == "number"
end

local function worldOf(rig, name)
  for _, joint in ipairs(rig.joints) do
    if joint.name == name or joint.index == name then return joint end
  end
end

local function parentOf(rig, joint) return joint and joint.parent and rig.joints[joint.parent] end

-- The angle by which a limb is bent at rest; nil where it has none, or no joints: anim says what is wrong then.
local function bendOf(rig, node)
  local tip = worldOf(rig, node.joint)
  local mid = node.mid ~= nil and worldOf(rig, node.mid) or node.mid == nil and parentOf(rig, tip)
  local root = node.root ~= nil and worldOf(rig, node.root) or node.root == nil and parentOf(rig, mid)
  if not (tip and mid and root) then return nil end
  local a, b, c = root.world, mid.world, tip.world
  local ux, uy, vx, vy = b[5] - a[5], b[6] - a[6], c[5] - b[5], c[6] - b[6]
  local cross, dot = math.abs(ux * vy - uy * vx), ux * vx + uy * vy
  if cross == 0 and dot == 0 then return nil end
  return (math.atan2 or math.atan)(cross, dot)
end

local function checkLimb(rig, node, path)
  local bend = bendOf(rig, node)
  if node.pole ~= nil or not bend or (bend >= straight and bend <= math.pi - straight) then return end
  fault.raise(path, "the limb to '%s' is straight at rest, so no side is told to bend to: bend the joint in its " ..
    "middle by 0.1 or more in the rig, or give a pole", tostring(node.joint))
end

local function checkLegs(rig, node, path)
  if not isPlain(node.legs) then return end
  for i, leg in ipairs(node.legs) do
    if isPlain(leg) then checkLimb(rig, leg, fault.join(path .. ".legs", i)) end
  end
end

local function child(path, key)
  if type(key) == "string" or type(key) == "number" then return fault.join(path, key) end
  return path
end

-- With z toward a point far out along z an aim that begins straight behind turns in the plane, too.
local function keepFlat(node)
  if node.axis == nil then node.axis = { 1, 0, 0 } end
  local isFlat = isPlain(node.axis) and node.axis[3] == 0
  if not isFlat or node.up ~= nil or node.pole ~= nil or node.space == "world" then return end
  node.up, node.pole = { 0, 0, 1 }, { 0, 0, 1e12 }
end

local copy

local function convert(rig, key, value, path)
  if not isPlain(value) then return value end
  if points[key] and flat(value) then return { value[1], -value[2], 0 } end
  return copy(rig, value, path)
end

function copy(rig, description, path)
  local out = {}
  for key, value in next, description do out[key] = convert(rig, key, value, child(path, key)) end
  if out.type == "aim" then keepFlat(out) end
  if out.type == "twoBone" then checkLimb(rig, out, path) end
  if out.type == "foot" or out.type == "stride" then checkLegs(rig, out, path) end
  if out.type == "stride" and out.direction == nil then out.direction = { 1, 0, 0 } end
  return out
end

--- A copy of a description, for anim.newGraph and graph:reload. What is no plain table stays as it is.
return function(description, path, rig)
  return isPlain(description) and copy(rig, description, path) or description
end
