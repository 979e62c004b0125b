--- Drawing of 2D characters with LÖVE. Sprites and rigid polygons are drawn with the matrix of their joint; meshes
--- that bend are deformed by a vertex shader, which gets the matrices of its joints as an array of vec4, from a
--- ByteData. What is drawn is made when it is drawn first; from then on nothing is allocated.
local check = require("anim.love.check")
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local joints = require("anim.love.rig2d.joints")
local sprites = require("anim.love.rig2d.sprites")

local draw = {}

local shaderCode = [[
attribute vec4 VertexJoints;
attribute vec4 VertexShares;
uniform vec4 joints[64]; // two rows of a matrix each

vec4 position(mat4 transform_projection, vec4 vertex)
{
    vec4 x = vec4(0.0), y = vec4(0.0);
    for (int i = 0; i < 4; i++) {
        int at = 2 * int(VertexJoints[i] + 0.5);
        x += VertexShares[i] * joints[at];
        y += VertexShares[i] * joints[at + 1];
    }
    vec4 point = vec4(vertex.x, vertex.y, 1.0, 0.0);
    return transform_projection * vec4(dot(x, point), dot(y, point), vertex.z, vertex.w);
}
]]

local rigidFormat = { { "VertexPosition", "float", 2 }, { "VertexTexCoord", "float", 2 } }
local bentFormat = { { "VertexPosition", "float", 2 }, { "VertexTexCoord", "float", 2 },
  { "VertexJoints", "float", 4 }, { "VertexShares", "float", 4 } }

-- Shared by all characters, since drawing is one thing after the other.
local matrices = {} -- of the joints of the one that is drawn, six numbers each
local tools -- shader, ByteData, pointer, Transform

local function prepare()
  if tools then return tools end
  local love = rawget(_G, "love")
  if not (love and love.graphics and love.graphics.isCreated and love.graphics.isCreated()) then
    check.fail("drawing needs LÖVE with a window (love.graphics)")
  end
  local ffi = require("ffi")
  local data = love.data.newByteData(sprites.mostJoints * 2 * 4 * 4)
  tools = { graphics = love.graphics, math = love.math, data = data, pointer = ffi.cast("float*", data:getFFIPointer()),
    shader = love.graphics.newShader(shaderCode), transform = love.math.newTransform() }
  return tools
end

-- What is made once ------------------------------------------------------------------------------------

local function isTexture(value)
  return type(value) == "userdata" and core.kindOf(value) == nil and value:typeOf("Texture")
end

-- From the rig's `images`, or a file of the game.
local function find(rig, name, sprite)
  local given
  if type(rig.images) == "table" then given = rig.images[name] end
  if type(rig.images) == "function" then given = rig.images(name) end
  if given ~= nil and not isTexture(given) then
    check.fail("sprite '%s': images has %s for '%s', an Image expected", sprite, fault.describe(given), name)
  end
  if given ~= nil then return given end
  local ran, image = pcall(tools.graphics.newImage, name)
  if not ran then
    check.fail("sprite '%s': no image '%s' in the rig's images, and no file: %s", sprite, name, tostring(image))
  end
  return image
end

local function imageOf(rig, image, sprite)
  if type(image) ~= "string" then
    if not isTexture(image) then check.fail("sprite '%s': Image expected, got %s", sprite, fault.describe(image)) end
    return image
  end
  rig.made = rig.made or {}
  rig.made[image] = rig.made[image] or find(rig, image, sprite)
  return rig.made[image]
end

-- Six numbers of which a matrix inverts another one.
local function inverse(m)
  local a, b, c, d = m[1], m[2], m[3], m[4]
  local det = a * d - b * c
  if det == 0 then return { 0, 0, 0, 0, 0, 0 } end
  a, b, c, d = d / det, -b / det, -c / det, a / det
  return { a, b, c, d, -(a * m[5] + c * m[6]), -(b * m[5] + d * m[6]) }
end

local function newMesh(look, image)
  local vertices, bent = {}, look.joints ~= nil
  for i = 1, #look.points / 2 do
    local u, v = 0, 0
    if look.uvs then u, v = look.uvs[2 * i - 1], look.uvs[2 * i] end
    vertices[i] = { look.points[2 * i - 1], look.points[2 * i], u, v }
    for k = 1, bent and 4 or 0 do vertices[i][4 + k], vertices[i][8 + k] = look.slots[i][k], look.shares[i][k] end
  end
  local mesh = tools.graphics.newMesh(bent and bentFormat or rigidFormat, vertices, "triangles", "static")
  mesh:setVertexMap(look.triangles)
  if image then mesh:setTexture(image) end
  return mesh
end

-- Makes what a look is drawn with.
local function make(rig, look, sprite)
  local image = look.image and imageOf(rig, look.image, sprite)
  if look.points then
    look.back = {}
    for i, joint in ipairs(look.joints or {}) do look.back[i] = inverse(joint.world) end
    look.drawable = newMesh(look, image)
    return
  end
  local width, height = image:getDimensions()
  if type(look.quad) == "table" then
    look.part = tools.graphics.newQuad(look.quad[1], look.quad[2], look.quad[3], look.quad[4], width, height)
  else
    look.part = look.quad
    if look.part and not look.part:typeOf("Quad") then check.fail("sprite '%s': quad: Quad expected", sprite) end
  end
  if look.part then
    local _, _, w, h = look.part:getViewport()
    width, height = w, h
  end
  local m, ox, oy = look.place, look.ox or width / 2, look.oy or height / 2
  m[5], m[6] = m[5] - m[1] * ox - m[3] * oy, m[6] - m[2] * ox - m[4] * oy
  look.drawable = image -- last: it tells that all is made
end

-- Each frame ------------------------------------------------------------------------------------------

--- What a sprite of a character shows: the name of a choice, or false.
function draw.choice(character, sprite)
  local shown = character.shown[sprite.name]
  if shown == nil then shown = character.graph:getProperty(sprite.name) end
  if shown == nil then return sprite.choice end
  if shown == true then return sprite.main end
  return shown
end

local function read(graph, count)
  for i = 1, count do
    local a, b, _, _, c, d, _, _, _, _, _, _, x, y = graph:getMatrix(i)
    local at = 6 * i
    matrices[at - 5], matrices[at - 4], matrices[at - 3], matrices[at - 2] = a, -b, -c, d
    matrices[at - 1], matrices[at] = x, -y
  end
end

local function drawRigid(look, joint)
  local at, p, graphics, transform = 6 * joint.index, look.place, tools.graphics, tools.transform
  local a, b, c, d, x, y = joints.multiply(matrices[at - 5], matrices[at - 4], matrices[at - 3], matrices[at - 2],
    matrices[at - 1], matrices[at], p[1], p[2], p[3], p[4], p[5], p[6])
  transform:setMatrix(a, c, 0, x, b, d, 0, y, 0, 0, 1, 0, 0, 0, 0, 1)
  if look.part then
    graphics.draw(look.drawable, look.part, transform)
  else
    graphics.draw(look.drawable, transform)
  end
  if not look.outline then return end
  local red, green, blue, alpha = graphics.getColor()
  local width = graphics.getLineWidth()
  graphics.push()
  graphics.applyTransform(transform)
  graphics.setColor(look.outline[1], look.outline[2], look.outline[3], look.outline[4] * alpha)
  graphics.setLineWidth(look.outlineWidth)
  graphics.polygon("line", look.points)
  graphics.setLineWidth(width)
  graphics.setColor(red, green, blue, alpha)
  graphics.pop()
end

local function drawBent(look)
  local pointer, graphics = tools.pointer, tools.graphics
  for i, joint in ipairs(look.joints) do
    local at, k, m = 6 * joint.index, 8 * (i - 1), look.back[i]
    local a, b, c, d, x, y = joints.multiply(matrices[at - 5], matrices[at - 4], matrices[at - 3], matrices[at - 2],
      matrices[at - 1], matrices[at], m[1], m[2], m[3], m[4], m[5], m[6])
    pointer[k], pointer[k + 1], pointer[k + 2] = a, c, x
    pointer[k + 4], pointer[k + 5], pointer[k + 6] = b, d, y
  end
  local before = graphics.getShader()
  tools.shader:send("joints", tools.data)
  graphics.setShader(tools.shader)
  graphics.draw(look.drawable)
  graphics.setShader(before)
end

local function enter(character)
  local graphics = tools.graphics
  graphics.push()
  graphics.translate(character.x, character.y)
  graphics.rotate(character.angle)
  graphics.scale(character.sx * character.facing, character.sy)
end

-- Colours are passed: what is drawn is multiplied with the color that was set.
local function drawSprites(character, red, green, blue, alpha)
  local graphics, rig = tools.graphics, character.rig
  for _, sprite in ipairs(rig.sprites) do
    local choice = draw.choice(character, sprite)
    local look = choice and sprite.choices[choice]
    if look then
      if not look.drawable then make(rig, look, sprite.name) end
      local tint = look.color
      if tint then
        graphics.setColor(red * tint[1], green * tint[2], blue * tint[3], alpha * tint[4])
      else
        graphics.setColor(red, green, blue, alpha)
      end
      if look.joints then drawBent(look) else drawRigid(look, sprite.joint) end
    end
  end
end

-- Pops what was pushed, whatever went wrong.
local function leave(depth, ran, why)
  local graphics = tools.graphics
  for _ = depth + 1, graphics.getStackDepth() do graphics.pop() end
  if not ran then check.rethrow(why) end
end

function draw.character(character)
  prepare()
  if not check.isAlive(character.graph) then check.fail("attempt to use a released anim.Graph") end
  local graphics = tools.graphics
  local red, green, blue, alpha = graphics.getColor()
  local depth, shader = graphics.getStackDepth(), graphics.getShader()
  read(character.graph, #character.rig.joints)
  enter(character)
  local ran, why = pcall(drawSprites, character, red, green, blue, alpha)
  graphics.setColor(red, green, blue, alpha)
  if not ran then graphics.setShader(shader) end
  leave(depth, ran, why)
end

function draw.skeleton(character)
  prepare()
  if not check.isAlive(character.graph) then check.fail("attempt to use a released anim.Graph") end
  local graphics, rig = tools.graphics, character.rig
  read(character.graph, #rig.joints)
  enter(character)
  local width = graphics.getLineWidth()
  graphics.setLineWidth(1 / math.max(1e-3, math.abs(character.sy)))
  for _, joint in ipairs(rig.joints) do
    local at = 6 * joint.index
    local x, y = matrices[at - 1], matrices[at]
    graphics.circle("line", x, y, 3)
    if joint.length ~= 0 then
      graphics.line(x, y, x + matrices[at - 5] * joint.length, y + matrices[at - 4] * joint.length)
    end
  end
  graphics.setLineWidth(width)
  graphics.pop()
end

return draw
