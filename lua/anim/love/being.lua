--- What single characters and those of a crowd have in common: a graph and a place.
local anim = require("anim")
local check = require("anim.love.check")
local core = require("anim.core").graph
local drawing = require("anim.love.drawing")
local fault = require("anim.graph.fault")

local being = {}

local number, tint = fault.number, check.numbers(3, 4)

local options = { graph = check.any, x = number, y = number, z = number, heading = number, scale = number,
  tint = tint, rootMotion = fault.boolean }

--- Kinds of the options of newCharacter, and of those that a crowd's `add` takes.
being.ofCharacter, being.ofMember = { moved = fault.callable, hide = check.any }, options
for key, kind in pairs(options) do being.ofCharacter[key] = kind end

-- A graph, a description of one, or nothing: then one that `play` works on.
local function toGraph(caller, model, graph)
  if core.kindOf(graph) == "Graph" then
    return check.argument(caller, 1, check.fits, graph, "graph", model.skeleton, "model")
  end
  if graph == nil then return anim.newGraph(model) end
  return check.through(caller, 1, { [2] = "graph" }, anim.newGraph, model, graph)
end

--- One of `class`, with options that were checked as an argument of `caller`.
function being.new(caller, class, model, given)
  return setmetatable({
    model = model, hidden = drawing.hidden(caller, 1, model, given.hide), graph = toGraph(caller, model, given.graph),
    x = given.x or 0, y = given.y or 0, z = given.z or 0, heading = given.heading or 0, scale = given.scale or 1,
    tint = given.tint or { 1, 1, 1 }, rootMotion = given.rootMotion or false, moved = given.moved,
  }, class)
end

local fields = { "x", "y", "z", "heading", "scale" }

local function readFields(self)
  for i = 1, 5 do
    number(self[fields[i]], fields[i])
  end
  tint(self.tint, "tint")
  if self.moved ~= nil then fault.callable(self.moved, "moved") end
end

--- Fields are the game's to set: what is wrong with them is said before they are used. So it is of a graph.
function being.check(self)
  check.fields(self, readFields)
  if not check.isAlive(self.graph) then check.fail("attempt to use a released anim.Graph") end
end

--- Tells the graph where the character stands.
function being.settle(self)
  local half = self.heading / 2
  self.graph:setTransform(self.x, self.y, self.z, 0, math.sin(half), 0, math.cos(half))
end

--- Moves it as its root motion says: dx, dy, dz in its own frame, turned by a quaternion (about the vertical only).
function being.move(self, dx, dy, dz, _, qy, _, qw)
  local s, c, scale = math.sin(self.heading), math.cos(self.heading), self.scale
  self.x, self.y, self.z = self.x + scale * (c * dx + s * dz), self.y + scale * dy,
    self.z + scale * (c * dz - s * dx)
  self.heading = self.heading + 2 * math.atan2(qy, qw)
end

--- Parameters that the overlay was dragged to, over what the game has set.
function being.hold(self)
  if not self.pins then return end
  for name, value in next, self.pins do
    if not pcall(self.graph.set, self.graph, name, value) then self.pins[name] = nil end -- another graph by now
  end
end

-- Methods of both ---------------------------------------------------------------------------------------

local methods = {}

--- `play` of its graph.
function methods:play(clip, how) return check.method(self.graph, "play", clip, how) end

--- `on` of its graph.
function methods:on(name, fn) return check.method(self.graph, "on", name, fn) end

--- Where it stands and looks: radians about the vertical, 0 along +Z, a quarter turn along +X.
function methods:setPlace(x, y, z, heading)
  self.x, self.y, self.z, self.heading = x, y, z, heading or self.heading
  being.check(self)
  being.settle(self)
end

--- A joint in the world, as far as place, heading and scale bring it there.
function methods:getPosition(joint)
  being.check(self)
  local x, y, z = check.method(self.graph, "getPosition", joint)
  local s, c, scale = math.sin(self.heading), math.cos(self.heading), self.scale
  return self.x + scale * (c * x + s * z), self.y + scale * y, self.z + scale * (c * z - s * x)
end

local signatures = { play = {}, on = {}, getPosition = {},
  setPlace = { number, number, number, check.optional(number) } }

--- Gives a class these methods.
function being.share(class)
  for name, method in pairs(methods) do class[name] = method end
  check.methods(class, signatures)
end

return being
