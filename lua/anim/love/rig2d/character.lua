--- A character of a 2D rig: a graph, and where it stands on the screen.
local check = require("anim.love.check")
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

function Character:getGraph() return self.graph end

function Character:getRig() return self.rig end

-- Where it stands -------------------------------------------------------------------------------------

local places = { [2] = "x in units of the rig", [3] = "y in units of the rig" } -- of the graph's setTransform

-- Looking left is half a turn about y to anim, which in the plane is the same as a mirror. Its world is in units of the
-- rig, y up. Raises before anything is kept.
local function tell(self, name, x, y, angle, side, sy)
  local half, scale, graph = -angle / 2, math.abs(sy), self.graph
  local sin, cos = math.sin(half), math.cos(half)
  if not check.isAlive(graph) then check.fail("attempt to use a released anim.Graph") end
  if scale == 0 then return end -- nothing is seen of it
  if side < 0 then
    check.through(name, 1, places, graph.setTransform, graph, x / scale, -y / scale, 0, -sin, cos, 0, 0)
  else
    check.through(name, 1, places, graph.setTransform, graph, x / scale, -y / scale, 0, 0, 0, sin, cos)
  end
end

-- Springs would swing through half a turn in the third dimension.
local function settle(node)
  if not node then return end
  if node:getType() == "spring" then node:teleport() end
  local first = (node:getType() == "layers" or node:getType() == "oneShot") and 0 or 1
  for i = first, node:getInputCount() do settle(node:getInput(i)) end
end

-- All have been checked.
local function move(self, name, x, y, angle, sx, sy, facing)
  local before, now = self.facing * self.sx, facing * sx
  tell(self, name, x, y, angle, now, sy)
  self.x, self.y, self.angle, self.sx, self.sy, self.facing = x, y, angle, sx, sy, facing
  if before * now < 0 then settle(self.graph:getRoot()) end
end

local function transform(self, name, x, y, angle, sx, sy)
  sx = sx or 1
  move(self, name, x, y, angle or 0, sx, sy or sx, self.facing)
end

--- Place, turn and scale as love.graphics.draw takes them.
function Character:setTransform(x, y, angle, sx, sy) transform(self, "setTransform", x, y, angle, sx, sy) end

--- Place only; turn and scale stay.
function Character:setPosition(x, y)
  move(self, "setPosition", x, y, self.angle, self.sx, self.sy, self.facing)
end

--- x, y, angle, sx, sy.
function Character:getTransform() return self.x, self.y, self.angle, self.sx, self.sy end

--- 1: as the rig is drawn, to the right; -1: mirrored.
function Character:setFacing(facing)
  move(self, "setFacing", self.x, self.y, self.angle, self.sx, self.sy, facing)
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
  for name, value in next, self.pins do
    if not pcall(self.graph.set, self.graph, name, value) then self.pins[name] = nil end -- another graph by now
  end
end

--- graph:update.
function Character:update(dt, mute)
  if self.pins then hold(self) end
  return self.graph:update(dt, mute)
end

--- graph:advance.
function Character:advance(dt, mute)
  if self.pins then hold(self) end
  return self.graph:advance(dt, mute)
end

function Character:evaluate() return self.graph:evaluate() end

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
  local x, y = check.method(self.graph, "getPosition", joint)
  return self:toWorld(x, -y)
end

local first = { [2] = "" } -- the first argument of a method of C

--- Place, direction of x and scale of a joint on the screen: x, y, angle, sx, sy (below 0 where mirrored).
function Character:getJoint(joint)
  local a, b, _, _, c, d, _, _, _, _, _, _, x, y = check.through("getJoint", 1, first, self.graph.getMatrix,
    self.graph, joint)
  local ox, oy = self:toWorld(x, -y)
  local ax, ay = self:toWorld(x + a, -y - b)
  local bx, by = self:toWorld(x - c, -y + d)
  ax, ay, bx, by = ax - ox, ay - oy, bx - ox, by - oy
  local sx = math.sqrt(ax * ax + ay * ay)
  local side = ax * by - ay * bx < 0 and -1 or 1
  return ox, oy, (math.atan2 or math.atan)(ay, ax), sx, side * math.sqrt(bx * bx + by * by)
end

local function namesOfNodes(graph)
  local names = {}
  for _, node in ipairs(graph:inspect().nodes) do names[#names + 1] = node.name end
  return names
end

local function toNode(node, path, graph)
  if type(node) ~= "string" then return fault.object(node, "Node", path) end
  local found = graph:find(node)
  if not found then fault.raise(path, "no node '%s'%s", node, check.hint(node, namesOfNodes(graph))) end
  return found
end

local effectors = { [5] = "" }

-- Calls setTarget or setPole of a node, or of the one of that name.
local function aim(self, name, node, x, y, ...)
  node = check.argument(name, 1, toNode, node, "", self.graph)
  x, y = self:toRig(x, y)
  return check.through(name, 4, effectors, node[name], node, x, -y, 0, ...)
end

--- Of an IK node (or its name) that has model space, its default: a point of the screen.
function Character:setTarget(node, x, y, effector) aim(self, "setTarget", node, x, y, effector) end

function Character:setPole(node, x, y) aim(self, "setPole", node, x, y) end

-- Sprites ---------------------------------------------------------------------------------------------

local function keysOf(map)
  local names = {}
  for key in pairs(map) do
    if type(key) == "string" then names[#names + 1] = key end
  end
  return names
end

local function toSprite(name, path, sprites)
  local sprite = type(name) == "string" and sprites[name]
  if not sprite then
    fault.raise(path, "no sprite '%s'%s", tostring(name), check.hint(name, keysOf(sprites)))
  end
  return sprite
end

local function toChoice(choice, path, sprite)
  if choice ~= nil and type(choice) ~= "boolean" and not sprite.choices[choice] then
    fault.raise(path, "sprite '%s' has no choice '%s'%s", sprite.name, tostring(choice),
      check.hint(choice, keysOf(sprite.choices)))
  end
end

--- What a sprite shows, whatever clips say: a choice, true, or false for nothing; nil: what clips say.
function Character:setSprite(name, choice)
  local sprite = check.argument("setSprite", 1, toSprite, name, "", self.rig.sprites)
  check.argument("setSprite", 2, toChoice, choice, "", sprite)
  self.shown[name] = choice
end

--- The choice that is shown now: a name ("" of a sprite without choices), or false.
function Character:getSprite(name)
  return draw.choice(self, check.argument("getSprite", 1, toSprite, name, "", self.rig.sprites))
end

--- Draws it; with arguments setTransform before.
function Character:draw(x, y, angle, sx, sy)
  if x ~= nil then
    if y == nil then check.argument("draw", 2, fault.number, y) end
    transform(self, "draw", x, y, angle, sx, sy)
  end
  draw.character(self)
end

--- The bones as lines, for looking for mistakes.
function Character:drawSkeleton() draw.skeleton(self) end

--- graph:reload with a description in 2D.
function Character:reload(description)
  description = check.argument("reload", 1, describe, description, "", self.rig)
  check.method(self.graph, "reload", description)
end

--- Another one with the same graph in the same place; see graph:clone.
function Character:clone(options)
  local copy = Character.new(self.rig, check.method(self.graph, "clone", options))
  copy.facing = self.facing
  transform(copy, "clone", self.x, self.y, self.angle, self.sx, self.sy)
  for name, choice in pairs(self.shown) do copy.shown[name] = choice end
  return copy
end

local number, optional = fault.number, check.optional(fault.number)

local function side(facing, path)
  if facing ~= 1 and facing ~= -1 then fault.expected(path, "1 or -1", facing) end
end

check.methods(Character, { setTransform = { number, number, optional, optional, optional },
  setPosition = { number, number }, setFacing = { side }, toWorld = { number, number }, toRig = { number, number },
  setTarget = { check.any, number, number }, setPole = { check.any, number, number }, update = { fault.atLeast0 },
  advance = { fault.atLeast0 }, draw = { optional, optional, optional, optional, optional }, getPosition = {},
  getJoint = {}, setSprite = {}, getSprite = {}, getGraph = {}, getRig = {}, getTransform = {}, getFacing = {},
  getRootMotion = {}, evaluate = {}, drawSkeleton = {}, reload = {}, clone = {} })

return Character
