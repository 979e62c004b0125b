-- Meshes, materials and images of glTF files (the option `meshes`). What is expected is written here from the
-- specification: the layout that lua/anim/geometry_types.lua names, read byte by byte.
local anim = require("anim")
local bytes = require("spec.support.bytes")
local data = require("spec.support.data")

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

-- ---- files, put together here

local File = {}
File.__index = File

local function newFile() return setmetatable({ size = 0, parts = {}, views = {}, accessors = {} }, File) end

local codes = { f = 5126, u8 = 5121, u16 = 5123, u32 = 5125 }
local sizes = { u8 = 1, u16 = 2, u32 = 4 }

-- An accessor of numbers; its number, from 0.
function File:add(kind, type, count, numbers, more)
  local text = kind == "f" and bytes.floats(unpack(numbers)) or bytes.unsigned(sizes[kind], unpack(numbers))
  self.views[#self.views + 1] = ('{"buffer":0,"byteOffset":%d,"byteLength":%d}'):format(self.size, #text)
  text = text .. ("\0"):rep(-#text % 4)
  self.parts[#self.parts + 1], self.size = text, self.size + #text
  self.accessors[#self.accessors + 1] = ('{"bufferView":%d,"componentType":%d,"count":%d,"type":"%s"%s}'):format(
    #self.views - 1, codes[kind], count, type, more or "")
  return #self.accessors - 1
end

-- With the rest of the JSON: a binary file.
function File:finish(rest)
  local bin = table.concat(self.parts)
  local json = ('{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d}],"bufferViews":[%s],"accessors":[%s],%s}')
    :format(#bin, table.concat(self.views, ","), table.concat(self.accessors, ","), rest)
  json = json .. (" "):rep(-#json % 4)
  return "glTF" .. bytes.unsigned(4, 2, 28 + #json + #bin, #json) .. "JSON" .. json .. bytes.unsigned(4, #bin)
    .. "BIN\0" .. bin
end

local function decode(text, options)
  options = options or {}
  options.meshes = true
  return anim.decode(text, "test.glb", options)
end

local square = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 }

-- One node with one mesh of one primitive, whose other keys are given.
local function plain(file, primitive, rest)
  return file:finish(('"nodes":[{"name":"leaf","mesh":0}],"meshes":[{"name":"m","primitives":[{%s}]}]%s'):format(
    primitive, rest or ""))
end

-- ---- reading what came

local offsets = { position = { 0, 3 }, normal = { 12, 3 }, texcoord = { 24, 2 }, weights = { 44, 4 } }

local function read(part, i, what)
  local at, out = 60 * (i - 1), {}
  if what == "color" then
    for k = 1, 4 do out[k] = bytes.readUnsigned(part.vertices, at + 31 + k, 1) end
  elseif what == "joints" then
    for k = 1, 4 do out[k] = bytes.readUnsigned(part.vertices, at + 34 + 2 * k, 2) end
  else
    for k = 1, offsets[what][2] do
      out[k] = bytes.readFloat(part.vertices, at + offsets[what][1] + 4 * (k - 1))
    end
  end
  return out
end

local function readIndices(part)
  local out = {}
  for i = 1, part.indexCount do out[i] = bytes.readUnsigned(part.indices, 4 * (i - 1), 4) end
  return out
end

local function near(expected, got)
  assert.are.equal(#expected, #got)
  for i, x in ipairs(expected) do assert.is_near(x, got[i], 1e-6, ("number %d"):format(i)) end
end

describe("meshes of a file", function()
  it("are not there unless they are asked for", function()
    local file = newFile()
    local text = plain(file, ('"attributes":{"POSITION":%d}'):format(file:add("f", "VEC3", 4, square)))
    local model = assert(anim.decode(text, "test.glb"))
    assert.is_nil(model.meshes)
    assert.is_nil(model.images)
    assert.are.equal(1, #assert(decode(text)).meshes)
    assert.has_error(function() anim.decode(text, "x", { meshes = 1 }) end)
  end)

  it("have all attributes in one layout", function()
    local file = newFile()
    local p, n = file:add("f", "VEC3", 4, square), file:add("f", "VEC3", 4, { 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, -1 })
    local t = file:add("u16", "VEC2", 4, { 0, 0, 65535, 0, 65535, 13107, 0, 65535 }, ',"normalized":true')
    local c = file:add("f", "VEC3", 4, { 1, .5, 0, 0, 0, 0, 2, 1, 1, .25, 0, 1 })
    local i = file:add("u8", "SCALAR", 6, { 0, 1, 2, 0, 2, 3 })
    local model = assert(decode(plain(file,
      ('"attributes":{"POSITION":%d,"NORMAL":%d,"TEXCOORD_0":%d,"COLOR_0":%d},"indices":%d'):format(p, n, t, c, i))))
    local part = model.meshes[1].parts[1]
    assert.are.equal("m", model.meshes[1].name)
    assert.are.equal("leaf", model.meshUses[1].name)
    assert.are.equal(4, part.vertexCount)
    assert.are.equal(240, #part.vertices)
    near({ 1, 1, 0 }, read(part, 3, "position"))
    near({ 0, 0, 1 }, read(part, 1, "normal")) -- made unit
    near({ 0, 1, 0 }, read(part, 2, "normal"))
    near({ 0, 0, 0 }, read(part, 3, "normal"))
    near({ 1, .2 }, read(part, 3, "texcoord"))
    assert.are.same({ 255, 128, 0, 255 }, read(part, 1, "color"))
    assert.are.same({ 255, 255, 255, 255 }, read(part, 3, "color"))
    near({ 1, 0, 0, 0 }, read(part, 1, "weights"))
    assert.are.same({ 0, 1, 2, 0, 2, 3 }, readIndices(part))
    assert.is_true(part.hasNormals)
    assert.is_false(part.hasJoints)
    assert.is_nil(part.material)
  end)

  it("become triangles, whatever they are in the file", function()
    local function indices(mode, list)
      local file = newFile()
      local p = file:add("f", "VEC3", 5, { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0 })
      local more = list and (',"indices":%d'):format(file:add("u32", "SCALAR", #list, list)) or ""
      local model = assert(decode(plain(file, ('"attributes":{"POSITION":%d},"mode":%d%s'):format(p, mode, more))))
      local part = model.meshes[1].parts[1]
      return part and readIndices(part), model.warnings
    end
    -- 3.7.2.1 of the specification: strips (i, i + 1 + i % 2, i + 2 - i % 2), fans (0, i + 1, i + 2)
    assert.are.same({ 0, 1, 2, 1, 3, 2, 2, 3, 4 }, (indices(5)))
    assert.are.same({ 0, 1, 2, 0, 2, 3, 0, 3, 4 }, (indices(6)))
    assert.are.same({ 4, 3, 2, 3, 1, 2 }, (indices(5, { 4, 3, 2, 1 })))
    local got, warnings = indices(4) -- five corners
    assert.are.same({ 0, 1, 2 }, got)
    assert.matches("whole triangles", warnings[1])
    got, warnings = indices(1)
    assert.is_nil(got)
    assert.matches("points or lines", warnings[1])
  end)

  it("keep the four heaviest of eight joints, with a sum of one", function()
    local file = newFile()
    local p = file:add("f", "VEC3", 3, { 0, 0, 0, 1, 0, 0, 0, 1, 0 })
    local j0 = file:add("u8", "VEC4", 3, { 0, 1, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0 })
    local w0 = file:add("f", "VEC4", 3, { .1, .2, .05, .05, 4, 0, 0, 0, 0, 0, 0, 0 })
    local j1 = file:add("u8", "VEC4", 3, { 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 })
    local w1 = file:add("f", "VEC4", 3, { .4, .1, .1, 0, 0, 0, 0, 0, 0, 0, 0, 0 })
    local model = assert(decode(file:finish(([["nodes":[{"name":"a","children":[1]},{"name":"b","children":[2]},
      {"name":"c","children":[3]},{"name":"d"},{"mesh":0,"skin":0}],"skins":[{"joints":[0,1,2,3]}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":%d,"JOINTS_0":%d,"WEIGHTS_0":%d,"JOINTS_1":%d,
      "WEIGHTS_1":%d}}]}] ]]):format(p, j0, w0, j1, w1))))
    local part, use = model.meshes[1].parts[1], model.meshUses[1]
    local joints, weights = read(part, 1, "joints"), read(part, 1, "weights")
    assert.are.equal(3, joints[1])
    assert.are.equal(1, joints[2])
    near({ .5, .25, .125, .125 }, weights)
    assert.are.same({ 1, 0, 0, 0 }, read(part, 2, "joints"))
    near({ 1, 0, 0, 0 }, read(part, 2, "weights"))
    near({ 1, 0, 0, 0 }, read(part, 3, "weights")) -- none at all: the first one
    assert.are.equal(2, read(part, 3, "joints")[1])
    assert.are.equal(1, use.skin)
    assert.is_true(part.hasJoints)
    assert.matches("more than four joints", table.concat(model.warnings, "\n"))
  end)

  it("hang on a joint, or stand where the scene has them", function()
    local file = newFile()
    local p = file:add("f", "VEC3", 3, { 0, 0, 0, 1, 0, 0, 0, 1, 0 })
    local model = assert(decode(file:finish(([["nodes":[{"name":"hips"},{"name":"prop","children":[2],
      "translation":[1,2,3],"scale":[2,2,2]},{"name":"leaf","mesh":0,"translation":[0,1,0]},{"mesh":0,"skin":0},
      {"name":"elsewhere","mesh":0}],"scenes":[{"nodes":[0,1,3]}],"skins":[{"joints":[0]}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":%d}}]}] ]]):format(p))))
    assert.are.equal(2, #model.meshUses) -- "elsewhere" is in no scene
    local use = model.meshUses[1]
    assert.are.equal("leaf", use.name)
    assert.is_nil(use.joint)
    near({ 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 4, 3, 1 }, use.matrix)
    assert.is_nil(model.meshUses[2].skin) -- its mesh has no joints
    local all = assert(decode(file:finish(([["nodes":[{"name":"prop","mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":%d}}]}] ]]):format(p))))
    assert.are.equal(1, all.meshUses[1].joint)
  end)

  it("have morph targets in the order of the model's morphs", function()
    local file = newFile()
    local p = file:add("f", "VEC3", 3, { 0, 0, 0, 1, 0, 0, 0, 1, 0 })
    local a = file:add("f", "VEC3", 3, { 0, 0, 1, 0, 0, 2, 0, 0, 3 })
    local b = file:add("f", "VEC3", 3, { .5, 0, 0, 0, .5, 0, 0, 0, .5 })
    local model = assert(decode(plain(file,
      ('"attributes":{"POSITION":%d},"targets":[{"POSITION":%d},{"POSITION":%d,"NORMAL":%d}]'):format(p, a, b, a))))
    local mesh = model.meshes[1]
    local part = mesh.parts[1]
    assert.are.equal(2, mesh.targetCount)
    assert.are.equal(2 * 3 * 24, #part.targets)
    local function at(target, vertex, k) return bytes.readFloat(part.targets, 24 * (3 * target + vertex) + 4 * k) end
    assert.are.equal(2, at(0, 1, 2))
    assert.are.equal(0, at(0, 1, 5))
    assert.are.equal(.5, at(1, 2, 2))
    assert.are.equal(3, at(1, 2, 5))
    assert.are.equal(2, #model.morphs[model.meshUses[1].morph].targets)
  end)

  it("are refused where they are wrong, with the place", function()
    local function refused(message, primitive, rest, build)
      local file = newFile()
      file:add("f", "VEC3", 4, square) -- accessor 0, and so on
      file:add("f", "VEC2", 3, { 0, 0, 0, 0, 0, 0 })
      file:add("u8", "SCALAR", 3, { 0, 1, 4 })
      file:add("u8", "VEC4", 4, { 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0 })
      file:add("f", "VEC4", 4, { 1, 0, 0, 0, .5, 0, 0, .5, 1, 0, 0, 0, 1, 0, 0, 0 })
      local text = build and build(file) or plain(file, primitive, rest)
      local model, why = decode(text)
      assert.is_nil(model)
      assert.matches(message, why)
      assert.matches("test.glb", why, 1, true)
    end
    refused("index 4 is out of range: 4 vertices", '"attributes":{"POSITION":0},"indices":2')
    refused("3 elements for 4 vertices", '"attributes":{"POSITION":0,"TEXCOORD_0":1}')
    refused("type does not fit", '"attributes":{"POSITION":0,"NORMAL":1}')
    refused("indices must be unsigned", '"attributes":{"POSITION":0},"indices":0')
    refused("'attributes' is missing", '"mode":4')
    refused("out of range: there are 0", '"attributes":{"POSITION":0},"material":0')
    refused("targets", '"attributes":{"POSITION":0},"targets":[{"POSITION":0}]},{"attributes":{"POSITION":0}')
    refused("joint 9 of the skin, which has 1", nil, nil, function(file)
      return file:finish([["nodes":[{"mesh":0,"skin":0},{"name":"j"}],"skins":[{"joints":[1]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":3,"WEIGHTS_0":4}}]}] ]])
    end)
    refused("an object expected", nil, nil, function(file) return file:finish('"nodes":[{}],"meshes":[1]') end)
  end)

  it("compressed with Draco are left out, and the rest is there", function()
    local file = newFile()
    local p = file:add("f", "VEC3", 4, square)
    local model = assert(decode(plain(file, ([["attributes":{"POSITION":%d}},{"attributes":{"POSITION":%d},
      "extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{}}}]]):format(p, p))))
    assert.are.equal(1, #model.meshes[1].parts)
    assert.matches("Draco", table.concat(model.warnings, "\n"))
  end)
end)

describe("materials of a file", function()
  local function material(text, rest, options)
    local file = newFile()
    local p, t = file:add("f", "VEC3", 4, square), file:add("f", "VEC2", 4, { 0, 0, 1, 0, 1, 1, .5, .25 })
    local primitive = ('"attributes":{"POSITION":%d,"TEXCOORD_0":%d},"material":0'):format(p, t)
    local materials = (',"materials":[%s]%s'):format(text, rest or "")
    local model, message = decode(plain(file, primitive, materials), options)
    return model and model.materials[1], model or message
  end

  it("have glTF's defaults", function()
    local m = material("{}")
    near({ 1, 1, 1, 1 }, m.baseColor)
    near({ 0, 0, 0 }, m.emissive)
    assert.are.same({ "opaque", .5, false, false, "material0" },
      { m.alphaMode, m.alphaCutoff, m.doubleSided, m.unlit, m.name })
    assert.is_nil(m.image)
  end)

  it("have what the file says", function()
    local m, model = material([[{"name":"skin","alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,
      "emissiveFactor":[0,0.5,1],"extensions":{"KHR_materials_unlit":{}},
      "pbrMetallicRoughness":{"baseColorFactor":[0.5,0.25,0,0.75],"baseColorTexture":{"index":0}}}]],
      [[,"textures":[{"source":1,"sampler":0}],"samplers":[{"magFilter":9728,"wrapS":33071,"wrapT":33648}],
      "images":[{"uri":"unused.png"},{"uri":"data:image/png;base64,AAEC","name":"face"}] ]])
    near({ .5, .25, 0, .75 }, m.baseColor)
    near({ 0, .5, 1 }, m.emissive)
    assert.are.same({ "mask", .25, true, true, "skin", 2, "clamp", "mirroredrepeat", "nearest" },
      { m.alphaMode, m.alphaCutoff, m.doubleSided, m.unlit, m.name, m.image, m.wrapS, m.wrapT, m.filter })
    assert.are.equal("\0\1\2", model.images[2].bytes)
    assert.are.equal("face", model.images[2].name)
    assert.is_nil(model.images[1].bytes) -- nobody needs it, and nobody was asked for it
  end)

  it("fetch their images as other files", function()
    local asked
    local _, model = material('{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}',
      ',"textures":[{"source":0}],"images":[{"uri":"a%20b.png"}]', { read = function(uri)
        asked = uri
        return "bytes"
      end })
    assert.are.equal("a b.png", asked)
    assert.are.equal("bytes", model.images[1].bytes)
    local none, message = material('{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}',
      ',"textures":[{"source":0}],"images":[{"uri":"lost.png"}]', { read = function() return nil, "lost" end })
    assert.is_nil(none)
    assert.matches("image 'lost.png': lost", message)
  end)

  it("move texture coordinates as KHR_texture_transform says", function()
    -- translation * rotation * scale, and v runs downward: a quarter turn takes (1, 0) to (0, -1)
    local _, model = material(([[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":
      {"KHR_texture_transform":{"offset":[0.25,0.5],"rotation":%.9f,"scale":[2,4]}}}}}]]):format(math.pi / 2),
      ',"textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,AAEC"}]')
    local part = model.meshes[1].parts[1]
    near({ .25, .5 }, read(part, 1, "texcoord"))
    near({ .25, -1.5 }, read(part, 2, "texcoord"))
    near({ 4.25, -1.5 }, read(part, 3, "texcoord"))
  end)

  it("are refused where they are wrong, with the place", function()
    local function refused(message, text, rest)
      local none, why = material(text, rest)
      assert.is_nil(none)
      assert.matches(message, why)
    end
    refused("4 numbers expected, got 3", '{"pbrMetallicRoughness":{"baseColorFactor":[1,1,1]}}')
    refused("'index' is missing", '{"pbrMetallicRoughness":{"baseColorTexture":{}}}')
    refused("index 0 is out of range", '{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}')
    refused("neither a URI nor a buffer view", '{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}',
      ',"textures":[{"source":0}],"images":[{}]')
    refused("a string expected", '{"alphaMode":1}')
    refused("a boolean expected", '{"doubleSided":1}')
  end)
end)

describe("a model with meshes", function()
  it("can be saved, without its meshes", function()
    local file = newFile()
    local text = plain(file, ('"attributes":{"POSITION":%d}'):format(file:add("f", "VEC3", 4, square)))
    local model = assert(anim.decode(text, "plain.gltf", { meshes = true }))
    assert.are.equal(4, model.meshes[1].parts[1].vertexCount)
    local path = os.tmpname()
    assert(anim.save(model, path))
    local saved = assert(anim.load(path, { meshes = true }))
    assert.are.same({}, saved.meshes)
    os.remove(path)
  end)

  local knight = "humanoid/kaykit_adventurers/Knight.glb"
  data.it(it, pending, knight, "Knight.glb: triangles lie on the joints that carry them", function()
    local model = assert(anim.load(data.path(knight), { meshes = true }))
    assert.are.equal(15, #model.meshUses)
    assert.are.equal("\137PNG", model.images[1].bytes:sub(1, 4))
    local pose = anim.newPose(model.skeleton)
    -- Mean distance of vertices from the joint that carries most of them, or from the one `shift` places on.
    local function distance(shift)
      local sum, count = 0, 0
      for _, use in ipairs(model.meshUses) do
        local part, skin = model.meshes[use.mesh].parts[1], use.skin and model.skins[use.skin]
        for i = 1, skin and part.vertexCount or 0, 7 do
          local joint = skin:getJoint((read(part, i, "joints")[1] + shift) % #skin + 1)
          local x, y, z = pose:getPosition(joint)
          local p = read(part, i, "position")
          sum, count = sum + math.sqrt((p[1] - x) ^ 2 + (p[2] - y) ^ 2 + (p[3] - z) ^ 2), count + 1
        end
      end
      return sum / count
    end
    assert.is_true(distance(0) < .4, distance(0))
    for shift = 1, 40 do assert.is_true(distance(shift) > 1.3 * distance(0), shift) end
  end)
end)
