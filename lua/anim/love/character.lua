--- One character: a graph, a place in the world, and what draws it.
local ffi = require("ffi")
local Row = require("anim.love.row")
local being = require("anim.love.being")
local drawing = require("anim.love.drawing")
local shader = require("anim.love.shader")
local stage = require("anim.love.stage")

local Character = {}
Character.__index = Character

local function newRow(texels)
  if texels <= shader.largestRow then
    local data = love.data.newByteData(16 * math.ceil(texels / 16) * 16)
    return { data = data, floats = ffi.cast("float*", data:getFFIPointer()), rows = texels }
  end
  local limit = love.graphics.getSystemLimits().texturesize
  if texels > limit then
    error(("anim.love: the model needs %d numbers in a row; textures have %d"):format(texels, limit), 0)
  end
  local data = love.image.newImageData(texels, 1, "rgba32f")
  local image = love.graphics.newImage(data)
  image:setFilter("nearest", "nearest")
  return { data = data, floats = ffi.cast("float*", data:getFFIPointer()), rows = "texture", image = image }
end

function Character.new(model, options)
  local self = being.new(Character, model, options)
  self.row = newRow(model.row.texels)
  model.row:init(self.row.floats, 0)
  self.stale = true
  being.settle(self)
  return self
end

--- `play` of its graph.
function Character:play(...) return self.graph:play(...) end

--- `on` of its graph.
function Character:on(...) return self.graph:on(...) end

--- One frame: the graph goes on, its events are told, root motion moves the character, `moved` may correct that, and
--- the pose is made.
function Character:update(dt)
  local graph = self.graph
  being.hold(self)
  graph:advance(dt)
  graph:deliver()
  if self.rootMotion then being.move(self, graph:getRootMotion()) end
  if self.moved then self.moved(self, dt) end
  being.settle(self)
  graph:evaluate()
  self.stale = true
end

--- Where it stands and looks: radians about the vertical, 0 along +Z, a quarter turn along +X.
function Character:setPlace(x, y, z, heading)
  self.x, self.y, self.z, self.heading = x, y, z, heading or self.heading
  being.settle(self)
end

--- A mesh or node of the file by its name: drawn or not.
function Character:setVisible(name, isVisible) drawing.hide(self.model, self.hidden, name, not isVisible) end

--- A joint in the world, as far as place, heading and scale bring it there.
function Character:getPosition(joint)
  local x, y, z = self.graph:getPosition(joint)
  local s, c, scale = math.sin(self.heading), math.cos(self.heading), self.scale
  return self.x + scale * (c * x + s * z), self.y + scale * y, self.z + scale * (c * z - s * x)
end

-- Sixteen numbers row after row, as LÖVE's Transform gives them.
local function putRows(floats, a, b, c, d, e, f, g, h, i, j, k, l)
  floats[0], floats[1], floats[2], floats[3] = a, b, c, d
  floats[4], floats[5], floats[6], floats[7] = e, f, g, h
  floats[8], floats[9], floats[10], floats[11] = i, j, k, l
end

local function place(self, floats, transform)
  if transform == nil then
    Row.place(floats, 0, self.x, self.y, self.z, self.heading, self.scale)
  elseif type(transform) == "userdata" then
    putRows(floats, transform:getMatrix())
  elseif type(transform) == "table" and #transform == 16 then
    Row.put(floats, 0, unpack(transform))
  else
    error("bad argument #1 to 'draw' (Transform or table of 16 numbers expected)", 3)
  end
end

--- Draws it, inside of camera:render. `transform` (16 numbers column by column, or a LÖVE Transform) in the place of
--- its own.
function Character:draw(transform)
  local row = self.row
  local variant = stage.use(row.rows)
  place(self, row.floats, transform)
  Row.tint(row.floats, 0, self.tint)
  if self.stale then self.model.row:write(self.graph, row.data, row.floats, 0) end
  if row.image then
    if self.stale or stage.pass == "color" then row.image:replacePixels(row.data) end
    shader.send(variant, "rows", row.image)
  else
    variant.program:send("row", row.data)
  end
  self.stale = false
  drawing.submit(self.model, variant, self.hidden, self.graph)
end

return Character
