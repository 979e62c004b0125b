--- A character of a 2D rig: a graph, and where it stands on the screen.
local describe = require("anim.love.rig2d.describe")
local draw = require("anim.love.rig2d.draw")
local fault = require("anim.graph.fault")

local Character = {}
Character.__index = Character
Character.__name = "anim.love.Character2D"
Character.__tostring = function(self)
  local side = self.facing > 0 and "right" or "left"
  return ("anim.love.Character2D at %.14g, %.14g, looking %s"):format(self.x, self.y, side)
end

function Character.new(rig, graph)
  return setmetatable({ rig = rig, graph = graph, x = 0, y = 0, angle = 0, sx = 1, sy = 1, facing = 1, shown = {} },
    Character)
end

local function number(value, argument, name)
  if type(value) == "number" and value - value == 0 then return value end
  error(("bad argument #%d to '%s' (finite number expected, got %s)"):format(argument, name, fault.describe(value)), 3)
end

function Character:getGraph() return self.graph end

function Character:getRig() return self.rig end

-- Where it stands -------------------------------------------------------------------------------------

-- Looking left is half a turn about y to anim, which in the plane is the same as a mirror. Its world is in units of the
-- rig, y up.
local function tell(self)
  local half, scale = -self.angle / 2, math.abs(self.sy)
  local sin, cos = math.sin(half), math.cos(half)
  if scale == 0 then return end -- nothing is seen of it
  if self.facing * self.sx < 0 then
    self.graph:setTransform(self.x / scale, -self.y / scale, 0, -sin, cos, 0, 0)
  else
    self.graph:setTransform(self.x / scale, -self.y / scale, 0, 0, 0, sin, cos)
  end
end

-- Springs would swing through half a turn in the third dimension.
local function settle(node)
  if not node then return end
  if node:getType() == "spring" then node:teleport() end
  local first = (node:getType() == "layers" or node:getType() == "oneShot") and 0 or 1
  for i = first, node:getInputCount() do settle(node:getInput(i)) end
end

local function turn(self, before)
  tell(self)
  if before * self.facing * self.sx < 0 then settle(self.graph:getRoot()) end
end

--- Place, turn and scale as love.graphics.draw takes them.
function Character:setTransform(x, y, angle, sx, sy)
  local before = self.facing * self.sx
  self.x, self.y = number(x, 1, "setTransform"), number(y, 2, "setTransform")
  self.angle = angle == nil and 0 or number(angle, 3, "setTransform")
  self.sx = sx == nil and 1 or number(sx, 4, "setTransform")
  self.sy = sy == nil and self.sx or number(sy, 5, "setTransform")
  turn(self, before)
end

--- Place only; turn and scale stay.
function Character:setPosition(x, y)
  self.x, self.y = number(x, 1, "setPosition"), number(y, 2, "setPosition")
  tell(self)
end

--- x, y, angle, sx, sy.
function Character:getTransform() return self.x, self.y, self.angle, self.sx, self.sy end

--- 1: as the rig is drawn, to the right; -1: mirrored.
function Character:setFacing(facing)
  if facing ~= 1 and facing ~= -1 then
    error(("bad argument #1 to 'setFacing' (1 or -1 expected, got %s)"):format(fault.describe(facing)), 2)
  end
  local before = self.facing * self.sx
  self.facing = facing
  turn(self, before)
end

function Character:getFacing() return self.facing end

--- From the rig's coordinates to the screen.
function Character:toWorld(x, y)
  local cos, sin = math.cos(self.angle), math.sin(self.angle)
  x, y = x * self.sx * self.facing, y * self.sy
  return self.x + cos * x - sin * y, self.y + sin * x + cos * y
end

--- And back. Where the scale is 0: 0, 0.
function Character:toRig(x, y)
  local cos, sin = math.cos(self.angle), math.sin(self.angle)
  if self.sx == 0 or self.sy == 0 then return 0, 0 end
  x, y = x - self.x, y - self.y
  return (cos * x + sin * y) / (self.sx * self.facing), (cos * y - sin * x) / self.sy
end

-- Time ------------------------------------------------------------------------------------------------

-- Parameters that the overlay was dragged to, over what the game has set.
local function hold(self)
  for name, value in next, self.pins do self.graph:set(name, value) end
end

--- graph:update.
function Character:update(dt, mute)
  if self.pins then hold(self) end
  self.graph:update(dt, mute)
end

--- graph:advance.
function Character:advance(dt, mute)
  if self.pins then hold(self) end
  self.graph:advance(dt, mute)
end

function Character:evaluate() self.graph:evaluate() end

--- What it moved by in the last update, on the screen: dx, dy and a clockwise angle.
function Character:getRootMotion()
  local dx, dy, _, _, _, qz, qw = self.graph:getRootMotion()
  local cos, sin = math.cos(self.angle), math.sin(self.angle)
  local mirror = self.facing * self.sx * self.sy < 0 and -1 or 1
  dx, dy = dx * self.sx * self.facing, -dy * self.sy
  return cos * dx - sin * dy, sin * dx + cos * dy, mirror * -2 * (math.atan2 or math.atan)(qz, qw)
end

-- Joints and targets ----------------------------------------------------------------------------------

--- Place of a joint on the screen.
function Character:getPosition(joint)
  local x, y = self.graph:getPosition(joint)
  return self:toWorld(x, -y)
end

--- Place, direction of x and scale of a joint on the screen: x, y, angle, sx, sy (below 0 where mirrored).
function Character:getJoint(joint)
  local a, b, _, _, c, d, _, _, _, _, _, _, x, y = self.graph:getMatrix(joint)
  local ox, oy = self:toWorld(x, -y)
  local ax, ay = self:toWorld(x + a, -y - b)
  local bx, by = self:toWorld(x - c, -y + d)
  ax, ay, bx, by = ax - ox, ay - oy, bx - ox, by - oy
  local sx = math.sqrt(ax * ax + ay * ay)
  local side = ax * by - ay * bx < 0 and -1 or 1
  return ox, oy, (math.atan2 or math.atan)(ay, ax), sx, side * math.sqrt(bx * bx + by * by)
end

local function nodeOf(self, node, name)
  if type(node) ~= "string" then return node end
  local found = self.graph:find(node)
  if not found then error(("bad argument #1 to '%s' (no node '%s')"):format(name, node), 3) end
  return found
end

--- Of an IK node (or its name) that has model space, its default: a point of the screen.
function Character:setTarget(node, x, y, effector)
  x, y = self:toRig(number(x, 2, "setTarget"), number(y, 3, "setTarget"))
  nodeOf(self, node, "setTarget"):setTarget(x, -y, 0, effector)
end

function Character:setPole(node, x, y)
  x, y = self:toRig(number(x, 2, "setPole"), number(y, 3, "setPole"))
  nodeOf(self, node, "setPole"):setPole(x, -y, 0)
end

-- Sprites ---------------------------------------------------------------------------------------------

--- What a sprite shows, whatever clips say: a choice, true, or false for nothing; nil: what clips say.
function Character:setSprite(name, choice)
  local sprite = self.rig.sprites[name]
  if not sprite or type(name) ~= "string" then
    error(("bad argument #1 to 'setSprite' (no sprite '%s')"):format(tostring(name)), 2)
  end
  if choice ~= nil and type(choice) ~= "boolean" and not sprite.choices[choice] then
    error(("bad argument #2 to 'setSprite' (sprite '%s' has no choice '%s')"):format(name, tostring(choice)), 2)
  end
  self.shown[name] = choice
end

--- The choice that is shown now: a name ("" of a sprite without choices), or false.
function Character:getSprite(name)
  local sprite = self.rig.sprites[name]
  if not sprite or type(name) ~= "string" then
    error(("bad argument #1 to 'getSprite' (no sprite '%s')"):format(tostring(name)), 2)
  end
  return draw.choice(self, sprite)
end

--- Draws it; with arguments setTransform before.
function Character:draw(x, y, angle, sx, sy)
  if x ~= nil then self:setTransform(x, y, angle, sx, sy) end
  draw.character(self)
end

--- The bones as lines, for looking for mistakes.
function Character:drawSkeleton() draw.skeleton(self) end

--- graph:reload with a description in 2D.
function Character:reload(description)
  local done, result = pcall(describe, self.rig, description)
  if not done then fault.rethrow(result, "reload", 1, 1) end
  self.graph:reload(result)
end

--- Another one with the same graph in the same place; see graph:clone.
function Character:clone(options)
  local copy = Character.new(self.rig, self.graph:clone(options))
  copy.facing = self.facing
  copy:setTransform(self.x, self.y, self.angle, self.sx, self.sy)
  for name, choice in pairs(self.shown) do copy.shown[name] = choice end
  return copy
end

return Character
