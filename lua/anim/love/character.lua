--- One character: a graph, a place in the world, and what draws it.
local ffi = require("ffi")
local core = require("anim.core").graph
local Row = require("anim.love.row")
local being = require("anim.love.being")
local check = require("anim.love.check")
local drawing = require("anim.love.drawing")
local fault = require("anim.graph.fault")
local shader = require("anim.love.shader")
local stage = require("anim.love.stage")

local Character = {}
Character.__index = Character
Character.__name = "anim.love.Character"

local function newRow(row)
  local texels = row.texels
  if texels <= shader.largestRow then
    local data = love.data.newByteData(16 * math.ceil(texels / 16) * 16)
    return { data = data, floats = ffi.cast("float*", data:getFFIPointer()), rows = texels }
  end
  row:most()
  local data = love.image.newImageData(texels, 1, "rgba32f")
  local image = love.graphics.newImage(data)
  image:setFilter("nearest", "nearest")
  return { data = data, floats = ffi.cast("float*", data:getFFIPointer()), rows = "texture", image = image }
end

function Character.new(model, options)
  options = check.options("newCharacter", 1, options, being.ofCharacter)
  local self = being.new("newCharacter", Character, model, options)
  self.row = newRow(model.row)
  model.row:init(self.row.floats, 0)
  self.stale = true
  being.settle(self)
  return self
end

--- One frame: the graph goes on, its events are told, root motion moves the character, `moved` may correct that, and
--- the pose is made.
function Character:update(dt)
  local graph = self.graph
  being.check(self)
  being.hold(self)
  graph:advance(dt)
  graph:deliver()
  if self.rootMotion then being.move(self, graph:getRootMotion()) end
  if self.moved then self.moved(self, dt) end
  being.settle(self)
  graph:evaluate()
  self.stale = true
end

--- A mesh or node of the file by its name: drawn or not.
function Character:setVisible(name, isVisible)
  drawing.hide("setVisible", self.model, self.hidden, name, not isVisible)
end

-- Sixteen numbers row after row, as LÖVE's Transform gives them.
local function putRows(floats, a, b, c, d, e, f, g, h, i, j, k, l)
  floats[0], floats[1], floats[2], floats[3] = a, b, c, d
  floats[4], floats[5], floats[6], floats[7] = e, f, g, h
  floats[8], floats[9], floats[10], floats[11] = i, j, k, l
end

local sixteen = check.numbers(16, 16)

-- A kind, see anim.love.check.
local function toTransform(value, path)
  local isTable = type(value) == "table"
  if isTable and #value == 16 then return sixteen(value, path) end
  if type(value) == "userdata" and core.kindOf(value) == nil and value:typeOf("Transform") then return value end
  local got = isTable and #value .. " numbers" or fault.describe(value)
  fault.raise(path, "Transform or table of 16 numbers expected, got %s", got)
end

local function place(self, floats, transform)
  if transform == nil then
    Row.place(floats, 0, self.x, self.y, self.z, self.heading, self.scale)
  elseif type(transform) == "userdata" then
    putRows(floats, transform:getMatrix())
  else
    Row.put(floats, 0, unpack(transform))
  end
end

--- Draws it, inside of camera:render. `transform` (16 numbers column by column, or a LÖVE Transform) in the place of
--- its own.
function Character:draw(transform)
  local row = self.row
  being.check(self)
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

being.share(Character)
check.methods(Character, { update = { fault.atLeast0 }, setVisible = { check.text, fault.boolean },
  draw = { check.optional(toTransform) } })

return Character
