-- Writes binary glTF: nodes, skins, and meshes that shape.lua made. What it writes is read as any other file is.
local ffi = require("ffi")

local glb = {}

-- ---- JSON: lists, tables, strings, numbers, booleans

local function encode(value)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "number" then return ("%.9g"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local out = {}
  if #value > 0 or next(value) == nil then
    for i, item in ipairs(value) do out[i] = encode(item) end
    return "[" .. table.concat(out, ",") .. "]"
  end
  for key, item in pairs(value) do out[#out + 1] = ("%q:%s"):format(key, encode(item)) end
  table.sort(out)
  return "{" .. table.concat(out, ",") .. "}"
end

local function u32(n) return string.char(n % 256, math.floor(n / 256) % 256, math.floor(n / 65536) % 256,
  math.floor(n / 16777216)) end

-- ---- the file

local Writer = {}
Writer.__index = Writer

function glb.new()
  return setmetatable({ bytes = {}, size = 0, json = { asset = { version = "2.0" }, scene = 0,
    scenes = { { nodes = {} } }, nodes = {}, meshes = {}, materials = {}, accessors = {}, bufferViews = {},
    skins = {}, textures = {}, images = {}, animations = {} } }, Writer)
end

-- Bytes as a buffer view; its number, from 0 as everything in glTF.
function Writer:addView(bytes)
  local views = self.json.bufferViews
  views[#views + 1] = { buffer = 0, byteOffset = self.size, byteLength = #bytes }
  bytes = bytes .. ("\0"):rep(-#bytes % 4)
  self.bytes[#self.bytes + 1], self.size = bytes, self.size + #bytes
  return #views - 1
end

local codes = { float = 5126, uint8_t = 5121, uint16_t = 5123, uint32_t = 5125 }

-- A flat list of numbers as an accessor of elements of `width` of them.
function Writer:addNumbers(numbers, kind, width, options)
  local array = ffi.new(kind .. "[?]", #numbers)
  for i, x in ipairs(numbers) do array[i - 1] = x end
  local view = self:addView(ffi.string(array, ffi.sizeof(array)))
  local accessors = self.json.accessors
  local accessor = { bufferView = view, componentType = codes[kind], count = #numbers / width,
    type = ({ "SCALAR", "VEC2", "VEC3", "VEC4", [16] = "MAT4" })[width] }
  for key, value in pairs(options or {}) do accessor[key] = value end
  accessors[#accessors + 1] = accessor
  return #accessors - 1
end

local function add(list, item)
  list[#list + 1] = item
  return #list - 1
end

-- A PNG as a texture.
function Writer:addTexture(png)
  local image = add(self.json.images, { bufferView = self:addView(png), mimeType = "image/png" })
  return add(self.json.textures, { source = image })
end

function Writer:addMaterial(material) return add(self.json.materials, material) end

-- `parts`: { { shape, material }... }, shapes of shape.lua.
function Writer:addMesh(name, parts)
  local primitives = {}
  for i, part in ipairs(parts) do
    local s = part[1]
    local attributes = { POSITION = self:addNumbers(s.positions, "float", 3),
      NORMAL = self:addNumbers(s.normals, "float", 3), TEXCOORD_0 = self:addNumbers(s.texcoords, "float", 2),
      COLOR_0 = self:addNumbers(s.colors, "uint8_t", 4, { normalized = true }) }
    if s.joints[1] then
      attributes.JOINTS_0 = self:addNumbers(s.joints, "uint8_t", 4)
      attributes.WEIGHTS_0 = self:addNumbers(s.weights, "float", 4)
    end
    primitives[i] = { attributes = attributes, indices = self:addNumbers(s.indices, "uint32_t", 1),
      material = part[2] }
  end
  return add(self.json.meshes, { name = name, primitives = primitives })
end

function Writer:addNode(node, isRoot)
  local index = add(self.json.nodes, node)
  if isRoot then add(self.json.scenes[1].nodes, index) end
  return index
end

function Writer:addSkin(joints, inverseBinds)
  return add(self.json.skins, { joints = joints,
    inverseBindMatrices = self:addNumbers(inverseBinds, "float", 16) })
end

local paths = { "translation", "rotation", "scale" }
local modes = { linear = "LINEAR", step = "STEP", cubic = "CUBICSPLINE" }

-- The keys of a clip's joints; `nodes` are theirs, by the joint's name.
function Writer:addClip(clip, nodes)
  local animation = { name = clip:getName(), samplers = {}, channels = {} }
  local skeleton = clip:getSkeleton()
  for j = 1, #skeleton do
    for _, path in ipairs(paths) do
      local track = clip:getTrack(j, path)
      if track then
        local width = path == "rotation" and 4 or 3
        local sampler = add(animation.samplers, { interpolation = modes[track.mode],
          input = self:addNumbers(track.times, "float", 1, { min = { track.times[1] },
            max = { track.times[#track.times] } }),
          output = self:addNumbers(track.values, "float", width) })
        add(animation.channels, { sampler = sampler, target = { node = nodes[skeleton:getName(j)], path = path } })
      end
    end
  end
  if #animation.channels > 0 then add(self.json.animations, animation) end
end

-- The whole file.
function Writer:finish()
  local json = self.json
  json.buffers = { { byteLength = self.size } }
  for key, list in pairs(json) do
    if type(list) == "table" and next(list) == nil then json[key] = nil end
  end
  local text, bin = encode(json), table.concat(self.bytes)
  text = text .. (" "):rep(-#text % 4)
  return "glTF" .. u32(2) .. u32(28 + #text + #bin) .. u32(#text) .. "JSON" .. text .. u32(#bin) .. "BIN\0" .. bin
end

return glb
