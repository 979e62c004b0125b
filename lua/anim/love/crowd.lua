--- Many characters of one model, drawn with one call for each of its parts: their rows are the lines of a texture.
local anim = require("anim")
local ffi = require("ffi")
local Character = require("anim.love.character")
local Row = require("anim.love.row")
local being = require("anim.love.being")
local drawing = require("anim.love.drawing")
local shader = require("anim.love.shader")
local stage = require("anim.love.stage")

local Crowd = {}
Crowd.__index = Crowd

-- A character but for what its crowd does.
local Member = { play = Character.play, on = Character.on, setPlace = Character.setPlace,
  getPosition = Character.getPosition }
Member.__index = Member

local function newTexture(self, room)
  local width = self.model.row.texels
  self.room, self.data = room, love.image.newImageData(width, room, "rgba32f")
  self.floats = ffi.cast("float*", self.data:getFFIPointer())
  self.image = love.graphics.newImage(self.data)
  self.image:setFilter("nearest", "nearest")
  for i = 0, room - 1 do self.model.row:init(self.floats, 4 * width * i) end
end

--- See anim.love.newCrowd.
function Crowd.new(model, options)
  options = options or {}
  if not love.graphics.getSupported().instancing then
    error("anim.love: this machine's graphics driver cannot draw instances", 2)
  end
  local self = setmetatable({ model = model, crowd = anim.newCrowd({ threads = options.threads }), members = {},
    hidden = drawing.hidden(model, options.hide) }, Crowd)
  newTexture(self, options.room or 16)
  return self
end

--- A character that the crowd updates and draws; the options are those of newCharacter but `hide` and `moved`.
function Crowd:add(options)
  if options and (options.hide or options.moved) then
    error("bad argument #1 to 'add' (`hide` is an option of the crowd, `moved` of single characters)", 2)
  end
  local member = being.new(Member, self.model, options)
  self.crowd:add(member.graph)
  self.members[#self.members + 1] = member
  if #self.members > self.room then newTexture(self, 2 * self.room) end
  being.settle(member)
  self.stale = true
  return member
end

function Crowd:remove(member)
  for i, other in ipairs(self.members) do
    if other == member then
      self.crowd:remove(member.graph)
      table.remove(self.members, i)
      self.stale = true
      return
    end
  end
  error("bad argument #1 to 'remove' (it is not in this crowd)", 2)
end

function Crowd:getCount() return #self.members end

--- `on` of the anim.Crowd: one callback for all.
function Crowd:on(...) return self.crowd:on(...) end

--- All of them, on the machine's cores; then they are moved by their root motion.
function Crowd:update(dt)
  local members = self.members
  for i = 1, #members do being.hold(members[i]) end
  self.crowd:update(dt)
  for i = 1, #members do
    local member = members[i]
    if member.rootMotion then being.move(member, member.graph:getRootMotion()) end
    being.settle(member)
  end
  self.stale = true
end

-- Places may change without an update, poses do not.
local function fill(self)
  local row, data, floats, members = self.model.row, self.data, self.floats, self.members
  local width = 4 * row.texels
  for i = 1, #members do
    local member, first = members[i], width * (i - 1)
    Row.place(floats, first, member.x, member.y, member.z, member.heading, member.scale)
    Row.tint(floats, first, member.tint)
    if self.stale then row:write(member.graph, data, floats, first) end
  end
  self.image:replacePixels(data)
  self.stale = false
end

--- Draws them, inside of camera:render, with morph targets at rest.
function Crowd:draw()
  local variant = stage.use("texture")
  if #self.members == 0 then return end
  if self.filled ~= stage.camera or stage.pass ~= "color" or self.stale then fill(self) end
  self.filled = stage.pass == "shadow" and stage.camera or nil
  shader.send(variant, "rows", self.image)
  drawing.submit(self.model, variant, self.hidden, nil, #self.members)
end

return Crowd
