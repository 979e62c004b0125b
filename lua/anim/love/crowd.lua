--- Many characters of one model, drawn with one call for each of its parts: their rows are the lines of a texture.
local anim = require("anim")
local ffi = require("ffi")
local Row = require("anim.love.row")
local being = require("anim.love.being")
local check = require("anim.love.check")
local drawing = require("anim.love.drawing")
local fault = require("anim.graph.fault")
local shader = require("anim.love.shader")
local stage = require("anim.love.stage")

local Crowd = { __name = "anim.love.Crowd" }
Crowd.__index = Crowd

-- A character but for what its crowd does.
local Member = { __name = "anim.love.Member" }
Member.__index = Member
being.share(Member)

local options = { room = check.whole(1, 16384), threads = check.any, hide = check.any }

local function newTexture(self, room)
  local width = self.model.row.texels
  local data = love.image.newImageData(width, room, "rgba32f")
  self.image = love.graphics.newImage(data)
  self.image:setFilter("nearest", "nearest")
  self.room, self.data, self.floats = room, data, ffi.cast("float*", data:getFFIPointer())
  for i = 0, room - 1 do self.model.row:init(self.floats, 4 * width * i) end
end

--- See anim.love.newCrowd.
function Crowd.new(model, given)
  given = check.options("newCrowd", 2, given, options)
  local hidden = drawing.hidden("newCrowd", 2, model, given.hide)
  local crowd = check.through("newCrowd", 2, { "" }, anim.newCrowd, { threads = given.threads })
  if not love.graphics.getSupported().instancing then
    check.fail("anim.love: this machine's graphics driver cannot draw instances")
  end
  local self = setmetatable({ model = model, crowd = crowd, members = {}, hidden = hidden }, Crowd)
  newTexture(self, math.min(given.room or 16, model.row:most()))
  return self
end

-- Those whose graph was released have left the anim.Crowd by themselves.
local function tidy(self)
  local members = self.members
  if #self.crowd == #members then return end
  for i = #members, 1, -1 do
    if not check.isAlive(members[i].graph) then table.remove(members, i) end
  end
  self.stale = true
end

local function grow(self)
  if #self.members < self.room then return end
  local most = self.model.row:most()
  if self.room >= most then
    check.fail("the crowd is full: this machine's graphics card has room for %d characters", most)
  end
  newTexture(self, math.min(2 * self.room, most))
end

--- A character that the crowd updates and draws; the options are those of newCharacter but `hide` and `moved`.
function Crowd:add(given)
  if type(given) == "table" and (given.hide or given.moved) then
    check.fail("bad argument #1 to 'add' (`hide` is an option of the crowd, `moved` of single characters)")
  end
  tidy(self)
  local member = being.new("add", Member, self.model, check.options("add", 1, given, being.ofMember))
  grow(self)
  check.through("add", 1, { [2] = "graph" }, self.crowd.add, self.crowd, member.graph)
  self.members[#self.members + 1] = member
  being.settle(member)
  self.stale = true
  return member
end

--- Takes one out; one whose graph was released is out.
function Crowd:remove(member)
  for i, other in ipairs(self.members) do
    if other == member then
      if check.isAlive(member.graph) then self.crowd:remove(member.graph) end
      table.remove(self.members, i)
      self.stale = true
      return
    end
  end
  local isGone = type(member) == "table" and member.__name == Member.__name and not check.isAlive(member.graph)
  if not isGone then check.fail("bad argument #1 to 'remove' (it is not in this crowd)") end
end

function Crowd:getCount()
  tidy(self)
  return #self.members
end

--- `on` of the anim.Crowd: one callback for all.
function Crowd:on(name, fn) return check.method(self.crowd, "on", name, fn) end

--- All of them, on the machine's cores; then they are moved by their root motion.
function Crowd:update(dt)
  local members = self.members
  tidy(self)
  for i = 1, #members do being.check(members[i]) end
  for i = 1, #members do being.hold(members[i]) end
  self.crowd:update(dt)
  tidy(self) -- what callbacks have released
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
  tidy(self)
  for i = 1, #self.members do being.check(self.members[i]) end
  local variant = stage.use("texture")
  if #self.members == 0 then return end
  if self.filled ~= stage.camera or stage.pass ~= "color" or self.stale then fill(self) end
  self.filled = stage.pass == "shadow" and stage.camera or nil
  shader.send(variant, "rows", self.image)
  drawing.submit(self.model, variant, self.hidden, nil, #self.members)
end

check.methods(Crowd, { add = {}, remove = {}, getCount = {}, on = {}, update = { fault.atLeast0 }, draw = {} })

return Crowd
