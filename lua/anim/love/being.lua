--- What single characters and those of a crowd have in common: a graph and a place.
local anim = require("anim")
local drawing = require("anim.love.drawing")

local being = {}

local keys = { graph = true, x = true, y = true, z = true, heading = true, scale = true, tint = true,
  rootMotion = true, moved = true, hide = true }

local function isGraph(value)
  local meta = type(value) == "userdata" and getmetatable(value)
  return type(meta) == "table" and meta.__name == "anim.Graph"
end

-- A graph, a description of one, or nothing: then one that `play` works on.
local function toGraph(model, graph)
  if isGraph(graph) then return graph end
  if graph == nil then return anim.newGraph(model) end
  return anim.newGraph(model, graph)
end

--- One of `class`, with the options of newCharacter.
function being.new(class, model, options)
  options = options or {}
  for key in pairs(options) do
    if not keys[key] then error(("bad argument #1 to 'newCharacter' (unknown key '%s')"):format(tostring(key)), 4) end
  end
  return setmetatable({
    model = model, graph = toGraph(model, options.graph), x = options.x or 0, y = options.y or 0, z = options.z or 0,
    heading = options.heading or 0, scale = options.scale or 1, tint = options.tint or { 1, 1, 1 },
    rootMotion = options.rootMotion or false, moved = options.moved, hidden = drawing.hidden(model, options.hide),
  }, class)
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
  for name, value in pairs(self.pins) do self.graph:set(name, value) end
end

return being
