--- A model to be drawn: what all its characters share.
local anim = require("anim")
local fault = require("anim.graph.fault")
local ffi = require("ffi")
local Character = require("anim.love.character")
local Row = require("anim.love.row")
local bones = require("anim.love.bones")
local check = require("anim.love.check")
local drawing = require("anim.love.drawing")
local mesh = require("anim.love.mesh")

local Model = {}
Model.__index = Model
Model.__name = "anim.love.Model"

-- ---- making one

local plain = { baseColor = { 1, 1, 1, 1 }, emissive = { 0, 0, 0 }, alphaMode = "opaque", alphaCutoff = .5,
  doubleSided = false, unlit = false }

local function newLook(model, material, warnings)
  local image
  if material.image then
    local message
    image, message = mesh.image(model.images[material.image], material)
    warnings[#warnings + 1] = message
  end
  return { image = image or mesh.white(), factor = material.baseColor, emissive = material.emissive,
    cutoff = material.alphaMode == "mask" and material.alphaCutoff or material.alphaMode == "blend" and .004 or 0,
    lit = material.unlit and 0 or 1, blends = material.alphaMode == "blend",
    cull = material.doubleSided and "none" or "back" }
end

-- Parts are shared by all uses of their mesh.
local function newParts(source, looks)
  local parts = {}
  for _, part in ipairs(source.parts) do
    if part.indexCount > 0 then
      local look = looks[part.material or 0]
      local out = { mesh = mesh.new(part), look = look, vertexCount = part.vertexCount,
        targets = part.targets and mesh.targets(part, source.targetCount) }
      out.mesh:setTexture(look.image)
      parts[#parts + 1] = out
    end
  end
  return parts
end

-- What is drawn, in the order of drawing: what can be seen through comes last.
local function listItems(self, source, looks)
  local parts, solid, glassy = {}, {}, {}
  for i, use in ipairs(source.uses) do
    parts[use.mesh] = parts[use.mesh] or newParts(source.meshes[use.mesh], looks)
    for _, part in ipairs(parts[use.mesh]) do
      local list = part.look.blends and glassy or solid
      list[#list + 1] = { part = part, use = use, base = self.row.bases[i],
        morph = part.targets and use.morph, names = { use.name, source.meshes[use.mesh].name } }
    end
  end
  for _, item in ipairs(glassy) do solid[#solid + 1] = item end
  return solid
end

local function boundsOf(source)
  local pose = anim.newPose(source.skeleton)
  local least, most = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for j = 1, #source.skeleton do
    local at = { pose:getPosition(j) }
    for k = 1, 3 do least[k], most[k] = math.min(least[k], at[k]), math.max(most[k], at[k]) end
  end
  return least, most
end

local function readSource(source, path)
  if type(source) ~= "table" or type(source.meshUses) ~= "table" then
    fault.expected(path, "model loaded with meshes = true", source)
  end
end

--- `source` as anim.load and anim.decode give it with the option meshes = true.
function Model.new(source)
  check.argument("newModel", 1, readSource, source)
  local self = setmetatable({ name = source.name, skeleton = source.skeleton, clips = source.clips,
    skins = source.skins, morphs = source.morphs, warnings = {} }, Model)
  for i, warning in ipairs(source.warnings) do self.warnings[i] = warning end
  local drawn = { skeleton = source.skeleton, skins = source.skins, meshes = source.meshes, uses = source.meshUses }
  if #drawn.uses == 0 then drawn.meshes, drawn.uses = bones.describe(source.skeleton) end
  self.row = Row.new(drawn)
  local looks = { [0] = newLook(source, plain, self.warnings) }
  for i, material in ipairs(source.materials) do looks[i] = newLook(source, material, self.warnings) end
  self.items = listItems(self, drawn, looks)
  self.least, self.most = boundsOf(source)
  local data = love.data.newByteData(drawing.mostMorphs * 8)
  self.morphData, self.morphFloats = data, ffi.cast("float*", data:getFFIPointer())
  return self
end

--- A character of this model; see Character.new.
function Model:newCharacter(options) return Character.new(self, options) end

--- Names of what is drawn, for `hide` and setVisible.
function Model:getParts()
  local out, seen = {}, {}
  for _, item in ipairs(self.items) do
    if not seen[item.use] then out[#out + 1], seen[item.use] = item.names[1], true end
  end
  return out
end

check.methods(Model, { newCharacter = {}, getParts = {} })

return Model
