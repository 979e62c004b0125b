--- What a model's tables of meshes, materials and images become in LÖVE.
local ffi = require("ffi")

local mesh = {}

local layout = {
  { "VertexPosition", "float", 3 }, { "VertexNormal", "float", 3 }, { "VertexTexCoord", "float", 2 },
  { "VertexColor", "byte", 4 }, { "VertexJoints", "unorm16", 4 }, { "VertexWeights", "float", 4 },
}

--- The triangles of a part.
function mesh.new(part)
  local out = love.graphics.newMesh(layout, part.vertexCount, "triangles", "static")
  out:setVertices(love.data.newByteData(part.vertices))
  out:setVertexMap(love.data.newByteData(part.indices), "uint32")
  return out
end

--- Morph targets as a texture: position and normal of each vertex of each target, one after the other.
function mesh.targets(part, count)
  local width, texels = 1024, 2 * count * part.vertexCount
  local data = love.image.newImageData(width, math.max(1, math.ceil(texels / width)), "rgba32f")
  local out = ffi.cast("float*", data:getFFIPointer())
  local bytes = love.data.newByteData(part.targets)
  local from = ffi.cast("const float*", bytes:getFFIPointer())
  for i = 0, texels - 1 do
    for k = 0, 2 do out[4 * i + k] = from[3 * i + k] end
  end
  local image = love.graphics.newImage(data)
  image:setFilter("nearest", "nearest")
  return image
end

--- The texture of a material; nil and why where the image cannot be read.
function mesh.image(image, material)
  local data = love.filesystem.newFileData(image.bytes, image.name)
  local decoded, pixels = pcall(love.image.newImageData, data)
  if not decoded then return nil, ("image '%s': %s"):format(image.name, pixels) end
  local out = love.graphics.newImage(pixels, { mipmaps = true })
  out:setWrap(material.wrapS, material.wrapT)
  out:setFilter(material.filter, material.filter)
  if material.filter == "linear" and out:getMipmapCount() > 1 then out:setMipmapFilter("linear") end
  return out
end

local white

--- For materials without a texture.
function mesh.white()
  if not white then
    local pixel = love.image.newImageData(1, 1)
    pixel:setPixel(0, 0, 1, 1, 1, 1)
    white = love.graphics.newImage(pixel)
  end
  return white
end

return mesh
