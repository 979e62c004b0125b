-- Every file of the data directory: a model, or nil and a message. What each gives is written down in
-- support/outcomes.lua; ANIM_OUTCOMES=write writes that table again, to be read line by line before it is committed.
local anim = require("anim")
local data = require("spec.support.data")

local tablePath = "spec/support/outcomes.lua"
local known = {
  KHR_mesh_quantization = true, EXT_meshopt_compression = true, KHR_meshopt_compression = true,
}

local function summary(model)
  return ("ok %d joints, %d clips"):format(#model.skeleton, #model.clips)
end

-- Everything that can be asked of a model answers, and every pose is finite.
local function exercise(model)
  local pose = anim.newPose(model.skeleton)
  for _, clip in ipairs(model.clips) do
    for _, part in ipairs({ 0, .37, 1 }) do
      clip:sample(clip:getDuration() * part, pose)
      for j = 1, #model.skeleton do
        for _, x in ipairs({ pose:get(j) }) do assert(x - x == 0, "a number that is not finite") end
      end
    end
  end
end

-- A message without the places that differ from machine to machine.
local function start(message, file)
  local function plain(text) return (text:gsub("%p", "%%%0")) end
  message = message:gsub("^.-" .. plain(file:match("[^/]+$")) .. ":? ?", "")
  return message:gsub(plain(data.root) .. "/", ""):sub(1, 90)
end

-- The outcome of a file as text.
local function outcome(file)
  local began = os.clock()
  local model, message = anim.load(data.path(file))
  local seconds = os.clock() - began
  assert(seconds < 5, ("%s took %.1f s"):format(file, seconds))
  if model then
    exercise(model)
    return summary(model)
  end
  assert(type(message) == "string" and #message > 0, file .. ": no message")
  return start(message, file)
end

local function write(files)
  local out = assert(io.open(tablePath, "w"))
  out:write("-- What anim.load gives for each file of the data directory.\n")
  out:write("-- Written by ANIM_OUTCOMES=write, judged line by line.\n-- luacheck: no max line length\n")
  out:write("return {\n")
  for _, file in ipairs(files) do out:write(("  [%q] = %q,\n"):format(file, outcome(file))) end
  out:write("}\n")
  out:close()
end

-- The JSON of a glTF or GLB file; nil where it is none.
local function jsonOf(file)
  local bytes = data.bytes(file)
  if bytes:sub(1, 4) == "glTF" then
    local a, b, c, d = bytes:byte(13, 16)
    if not d then return nil end
    bytes = bytes:sub(21, 20 + a + 256 * b + 65536 * c + 16777216 * d)
  end
  local parsed, json = pcall(data.decode, (bytes:gsub("^\239\187\191", "")))
  return parsed and type(json) == "table" and json or nil
end

local function count(x) return type(x) == "table" and #x or 0 end

-- Whether the glTF validator calls the file valid: its report beside the file, else the column of the index ("V:
-- errors/warnings").
local function validFiles(files)
  local valid, index = {}, data.bytes("INDEX.md")
  for _, file in ipairs(files) do
    local report = file .. ".report.json"
    if data.has(report) then
      valid[file] = data.json(report).issues.numErrors == 0
    else
      local row = index:match("\n| " .. file:gsub("%p", "%%%0") .. " |([^\n]*)")
      valid[file] = row ~= nil and row:find("V: 0/", 1, true) ~= nil
    end
  end
  return valid
end

describe("files", function()
  if not data.present then
    pending("skipped: no data in " .. data.root)
    return
  end

  local files = {}
  for _, file in ipairs(data.files({ "gltf", "glb", "vrm", "vrma", "bvh" })) do
    if data.slow or data.size(file) < 30000 then files[#files + 1] = file end
  end
  if os.getenv("ANIM_OUTCOMES") == "write" then write(files) end
  local expected = require("spec.support.outcomes")

  for _, file in ipairs(files) do
    it(file, function() assert.are.equal(expected[file], outcome(file)) end)
  end

  it("valid files that hold nodes or animations load", function()
    local refused = {}
    local valid = validFiles(files)
    for _, file in ipairs(files) do
      local json = valid[file] and jsonOf(file)
      if json and count(json.nodes) + count(json.animations) > 0 then
        local model, message = anim.load(data.path(file))
        if not model then refused[#refused + 1] = message end
      end
    end
    assert.are.same({}, refused)
  end)

  it("BVH files load", function()
    for _, file in ipairs(files) do
      if file:find("%.bvh$") then assert(anim.load(data.path(file))) end
    end
  end)

  it("a required extension that is not known is named", function()
    for _, file in ipairs(files) do
      local json = jsonOf(file)
      for _, name in ipairs(json and type(json.extensionsRequired) == "table" and json.extensionsRequired or {}) do
        local model, message = anim.load(data.path(file))
        if not known[name] and not model then
          assert.truthy(message:find(tostring(name), 1, true), file .. ": " .. message)
        end
      end
    end
  end)

  it("the content counts, not the ending", function()
    local file = "khronos/SimpleSkin/glTF-Embedded/SimpleSkin.gltf"
    local model = assert(anim.decode(data.bytes(file), "simple.bvh"))
    assert.are.equal(1, #model.skins)
    assert.are.equal(2, #model.skeleton)
  end)

  it("cut off anywhere: a model or a message", function()
    for _, file in ipairs({ "khronos/RiggedSimple/glTF-Binary/RiggedSimple.glb", "bvh/small/bvhio_example.bvh",
      "khronos/SimpleSkin/glTF-Embedded/SimpleSkin.gltf" }) do
      local bytes = data.bytes(file)
      local step = math.max(1, math.floor(#bytes / (data.slow and 400 or 40)))
      for length = 0, #bytes, step do
        local model, message = anim.decode(bytes:sub(1, length), file)
        assert.is_true(model ~= nil or type(message) == "string")
      end
    end
  end)

  it("with any one byte changed: a model or a message", function()
    for _, file in ipairs({ "khronos/RiggedSimple/glTF-Binary/RiggedSimple.glb", "bvh/small/bvhio_example.bvh",
      "khronos/SimpleSkin/glTF-Embedded/SimpleSkin.gltf" }) do
      local bytes = data.bytes(file)
      local step = math.max(1, math.floor(#bytes / (data.slow and 700 or 40)))
      for i = 1, #bytes, step do
        for _, byte in ipairs({ 0, 255, 45 }) do
          local model, message = anim.decode(bytes:sub(1, i - 1) .. string.char(byte) .. bytes:sub(i + 1), file)
          assert.is_true(model ~= nil or type(message) == "string")
          if model then exercise(model) end
        end
      end
    end
  end)
end)

describe("files that are none", function()
  it("a required extension that is not known is named", function()
    local model, message = anim.decode('{"asset":{"version":"2.0"},"extensionsUsed":["ACME_bones"],'
      .. '"extensionsRequired":["ACME_bones"],"nodes":[{}]}', "acme.gltf")
    assert.is_nil(model)
    assert.truthy(message:find("ACME_bones", 1, true), message)
  end)

  it("give nil and a message", function()
    for _, bytes in ipairs({ "", "x", "{", "{}", "[]", "null", "glTF", "glTF\2\0\0\0", "HIERARCHY", "ANIM", "\0\0\0\0",
      ("["):rep(100000), ('{"a":'):rep(50000), "HIERARCHY\n" .. ("JOINT a {\n"):rep(50000) }) do
      local model, message = anim.decode(bytes, "none")
      assert.is_nil(model)
      assert.is_string(message)
      assert.truthy(message:find("none", 1, true), message)
    end
    local model, message = anim.load("/nowhere/hero.glb")
    assert.is_nil(model)
    assert.truthy(message:find("/nowhere/hero.glb", 1, true), message)
    assert.is_nil((anim.load("spec")))
    assert.is_nil((anim.load("/")))
  end)

  it("a wrong argument is an error of the script", function()
    for _, bad in ipairs({ 1, true, {}, print }) do
      if type(bad) ~= "number" then assert.has_error(function() anim.load(bad) end) end
      assert.has_error(function() anim.load("x.glb", { nodes = bad }) end)
    end
    assert.has_error(function() anim.load() end)
    assert.has_error(function() anim.load("x.glb", { node = "all" }) end)
    assert.has_error(function() anim.load("x.glb", { nodes = "some" }) end)
    assert.has_error(function() anim.load("x.glb", { scale = 0 / 0 }) end)
    assert.has_error(function() anim.decode() end)
    assert.has_error(function() anim.decode("{}", "x", { read = 3 }) end)
  end)
end)
