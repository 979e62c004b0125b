-- Models in and out of files: save, load, `read`, the option loop, out of memory.
local anim = require("anim")
local core = require("anim.core")
local check = require("spec.support.check")
local data = require("spec.support.data")
local raises = require("spec.support.raises")

local rig = anim.newSkeleton({ { name = "hips", translation = { 0, 1, 0 } },
  { name = "arm.L", parent = "hips", translation = { .3, .5, 0 } },
  { name = "arm.R", parent = "hips", translation = { -.3, .5, 0 } } })

local move = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 0 } }

local function newWave(extra)
  local description = { name = "wave", skeleton = rig, tracks = { ["arm.L"] = {
    rotation = { times = { 0, .5, 1 }, values = { 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1 } } } } }
  for key, value in pairs(extra or {}) do description[key] = value end
  return anim.newClip(description)
end

local made = {}

-- A path for this test; `files` are written beside it.
local function temporary(ending, files)
  local path = os.tmpname()
  made[#made + 1] = path
  for name, bytes in pairs(files or {}) do
    local beside = path:match("^.*[/\\]") .. name
    made[#made + 1] = beside
    local file = assert(io.open(beside, "wb"))
    file:write(bytes)
    file:close()
  end
  made[#made + 1] = path .. ending
  return path .. ending
end

local function readAll(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("*a")
  file:close()
  return bytes
end

local function newModel()
  local run = anim.newClip({ name = "run", skeleton = rig, duration = 2, loop = "pingpong",
    tracks = { hips = { translation = move }, ["arm.R"] = { scale = { times = { 0, .5 }, values = { 1, 1, 1, 2, 1, 1 },
      mode = "step" } } }, curves = { ["face.smile"] = { times = { 0, 1 }, values = { 0, 1 } } },
    properties = { mouth = { times = { 0, 1 }, values = { "a\0b", true } } },
    events = { { time = .25, name = "step", data = "left" }, { time = 1, name = "dust", data = 2.5, duration = .5 },
      { time = 1, name = "flag", data = false }, { time = 2, name = "end" } },
    markers = { { time = 0, name = "L" } } })
  return { skeleton = rig, clips = { newWave(), run, lean = newWave({ loop = false }):toAdditive() },
    morphs = { { name = "face", targets = { "smile", "frown" }, weights = { 0, .5 } } } }
end

local function equalClips(expected, got)
  for _, getter in ipairs({ "getName", "getDuration", "getLastKey", "getLoop", "isAdditive", "getCurves",
    "getProperties", "getEvents", "getMarkers" }) do
    assert.are.same(expected[getter](expected), got[getter](got), getter)
  end
  for j = 1, #rig do
    assert.are.same({ expected:getChannels(j) }, { got:getChannels(j) })
    for _, channel in ipairs(check.isPacked and {} or { expected:getChannels(j) }) do
      assert.are.same(expected:getTrack(j, channel), got:getTrack(j, channel))
    end
  end
  for time = 0, 2, .25 do
    assert.are.same(expected:getProperty("mouth", time), got:getProperty("mouth", time))
    assert.are.equal(expected:getCurve("face.smile", time), got:getCurve("face.smile", time))
  end
end

describe("save", function()
  teardown(function()
    for _, path in ipairs(made) do os.remove(path) end
  end)

  it("and load give the same model back, and the same file", function()
    local path, model = temporary(".anim"), newModel()
    assert.is_true(anim.save(model, path))
    local loaded = assert(anim.load(path))
    assert.are.equal(path:match("[^/\\]+$"), loaded.name)
    assert.are.equal(#rig, #loaded.skeleton)
    for j = 1, #rig do
      assert.are.equal(rig:getName(j), loaded.skeleton:getName(j))
      assert.are.equal(rig:getParent(j), loaded.skeleton:getParent(j))
      assert.are.same({ rig:getRest(j) }, { loaded.skeleton:getRest(j) })
    end
    assert.are.equal(3, #loaded.clips)
    equalClips(model.clips[1], loaded.clips.wave)
    equalClips(model.clips[2], loaded.clips.run)
    assert.are.equal("lean", loaded.clips[3]:getName())
    assert.is_true(loaded.clips[3]:isAdditive())
    assert.are.same({ { name = "face", targets = { "smile", "frown" }, curves = { "face.smile", "face.frown" },
      weights = { 0, .5 } } }, loaded.morphs)
    assert.are.same({}, loaded.warnings)
    local bytes = readAll(path)
    assert.is_true(anim.save(loaded, path))
    assert.is_true(check.isPacked or bytes == readAll(path))
    assert.is_true(anim.save(assert(anim.decode(bytes, "x")), path))
    assert.is_true(check.isPacked or bytes == readAll(path))
    assert.is_nil(readAll(path .. ".tmp"))
  end)

  it("of what cannot be kept: nil, a message, and the old file stays", function()
    local path, model = temporary(".anim"), newModel()
    assert.is_true(anim.save(model, path))
    local bytes = readAll(path)
    model.clips[1] = model.clips[1]:addEvent(0, "fire", {})
    local saved, message = anim.save(model, path)
    assert.is_nil(saved)
    assert.truthy(message:find("wave", 1, true) and message:find("fire", 1, true), message)
    assert.is_true(bytes == readAll(path))
    saved, message = anim.save(newModel(), "/nowhere/at/all.anim")
    assert.is_nil(saved)
    assert.truthy(message:find("/nowhere/at/all.anim", 1, true), message)
    saved, message = anim.save(newModel(), "spec")
    assert.is_nil(saved)
    assert.is_string(message)
    assert.is_nil(readAll("spec.tmp"))
  end)

  it("of a table that is no model is an error", function()
    local other = anim.newSkeleton({ { name = "x" } })
    local function refused(text, change)
      local model = newModel()
      for key, value in pairs(change) do model[key] = value end
      raises.exactly("bad argument #1 to 'save' (" .. text .. ")", anim.save, model, "never.anim")
    end
    refused("skeleton: anim.Skeleton expected, got boolean", { skeleton = false })
    refused("clips[1]: anim.Clip expected, got string", { clips = { "wave" } })
    refused("clips[1]: clip of the model's skeleton expected, got one of another",
      { clips = { anim.newClip({ skeleton = other }) } })
    refused("clips: two clips are named 'wave' (a clip is in the list and by name: replace both)",
      { clips = { newWave(), wave = newWave() } })
    refused("skins[1]: anim.Skin expected, got anim.Clip", { skins = { newWave() } })
    refused("morphs[1].name: string expected, got nil", { morphs = { { targets = {} } } })
    refused("morphs[1].weights: list of 1 numbers expected, got 2",
      { morphs = { { name = "m", targets = { "a" }, weights = { 0, 0 } } } })
    raises.exactly("bad argument #1 to 'save' (table of a model expected, got anim.Clip)", anim.save, newWave(), "x")
    raises.exactly("bad argument #2 to 'save' (string expected, got no value)", anim.save, newModel())
  end)
end)

-- A glTF file whose buffer is `uri`, and the buffer's bytes.
local bytes = ("\0"):rep(4) .. "\0\0\128\63" .. ("\0"):rep(12) .. "\0\0\128\63" .. ("\0"):rep(8)
local function gltf(uri)
  return ([[{"asset":{"version":"2.0"},"nodes":[{"name":"joint"}],"buffers":[{"uri":"%s","byteLength":32}],
    "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],"accessors":[
    {"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
    {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],"animations":[
    {"name":"a","samplers":[{"input":0,"output":1}],
     "channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},
    {"name":"b","samplers":[{"input":0,"output":1}],
     "channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}]}]]):format(uri)
end

describe("other files", function()
  local function decode(read, uri) return anim.decode(gltf(uri or "some%20file.bin"), "hero.gltf", { read = read }) end

  local function fails(text, read, uri)
    local model, message = decode(read, uri)
    assert.is_nil(model)
    assert.truthy(message:find(text, 1, true), message)
    assert.truthy(message:find("hero.gltf", 1, true), message)
  end

  it("come from `read`", function()
    local asked
    local model = assert(decode(function(uri)
      asked = uri
      assert(anim.decode(gltf("x"), "inner", { read = function() return bytes end })) -- reading while reading
      collectgarbage()
      return bytes
    end))
    assert.are.equal("some file.bin", asked)
    check.near({ 1 }, { model.clips.a:getTrack(1, "translation").values[4] }, check.packedPlace)
  end)

  it("whatever `read` does is a message", function()
    fails("no such luck", function() error("no such luck") end)
    fails("no such luck", function() error("no such luck", 0) end)
    fails("error object is a table value", function() error({}) end)
    fails("gone for good", function() return nil, "gone for good" end)
    fails("`read` found nothing", function() return nil end)
    fails("`read` found nothing", function() end)
    fails("`read` gave a table", function() return {} end)
    fails("`read` gave a number", function() return 12 end)
    fails("`read` failed", function() coroutine.yield() end)
    fails("32", function() return "short" end)
    fails("buffers", function() return "" end)
    local thread = coroutine.create(function() return decode(function() return coroutine.yield() end) end)
    local ran, model, message = coroutine.resume(thread)
    assert.is_true(ran)
    assert.is_nil(model)
    assert.is_string(message)
  end)

  it("without `read`: the message asks for it", function()
    fails("read = function(uri)", nil)
  end)

  it("of a loaded file lie beside it; nothing else is opened", function()
    local name = "anim_spec_" .. tostring({}):match("%x+$") .. ".bin"
    local path = temporary(".gltf", { [name] = bytes })
    local function load(uri)
      local file = assert(io.open(path, "wb"))
      file:write(gltf(uri))
      file:close()
      return anim.load(path)
    end
    assert.are.equal(2, #assert(load(name)).clips)
    for uri, word in pairs({ [name .. ".no"] = "No such file", ["."] = "is a directory", ["/etc/passwd"] = "`read`",
      ["%2Fetc/passwd"] = "`read`", ["C:/x.bin"] = "`read`", ["file:///etc/passwd"] = "beside",
      ["http://example.org/x.bin"] = "beside" }) do
      local model, message = load(uri)
      assert.is_nil(model)
      assert.truthy(message:find(word, 1, true), message)
    end
  end)

  it("the option loop", function()
    local function modes(loop)
      local model = assert(anim.decode(gltf("x"), "hero.gltf", { loop = loop, read = function() return bytes end }))
      assert.is_true(rawequal(model.clips[1], model.clips.a))
      return { model.clips.a:getLoop(), model.clips.b:getLoop() }, model.warnings
    end
    assert.are.same({ true, true }, (modes(nil)))
    assert.are.same({ false, false }, (modes(false)))
    assert.are.same({ "pingpong", "pingpong" }, (modes("pingpong")))
    assert.are.same({ false, true }, (modes({ "b" })))
    assert.are.same({ "pingpong", false }, (modes(function(name) if name == "a" then return "pingpong" end end)))
    local _, warnings = modes({ "a", "c" })
    assert.are.same({ "option loop: there is no clip 'c'" }, warnings)
    assert.truthy(raises.message(modes, function() error("mine") end):find("mine", 1, true))
    assert.truthy(raises.message(modes, function() return 3 end):find("got 3", 1, true))
  end)
end)

describe("out of memory", function()
  teardown(function() core.failAllocation(0) end)

  it("anywhere: an error or a message, and nothing is lost", function()
    local model, path = newModel(), temporary(".anim")
    local clip, pose = model.clips[2], anim.newPose(rig)
    local list = {
      function() return anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a" } }) end,
      function() return newModel() end,
      function() return anim.newMask(rig, { "hips" }) end,
      function() return clip:addEvent(0, "e", {}), clip:withLoop(true), clip:slice(0, .5), clip:reverse() end,
      function() return clip:mirror("x"), clip:retarget(rig), clip:toAdditive(pose), clip:toAdditive() end,
      function() return assert(anim.save(model, path)) end,
      function() return assert(anim.load(path)) end,
      function() return assert(anim.decode(gltf("x"), "x", { read = function() return bytes end, loop = false })) end,
    }
    for i, build in ipairs(list) do
      collectgarbage()
      collectgarbage()
      local before, done = core.memory(), false
      for n = 1, 400 do
        core.failAllocation(n)
        local ran, message = pcall(build)
        core.failAllocation(0)
        done = ran
        if ran then break end
        assert.truthy(tostring(message):find("memory", 1, true), i .. ": " .. tostring(message))
      end
      assert.is_true(done, i .. ": never succeeded")
      collectgarbage()
      collectgarbage()
      assert.are.equal(before, (core.memory()), "blocks lost by " .. i)
    end
  end)
end)

describe("real files", function()
  local file = "humanoid/kaykit_adventurers/Knight.glb"
  data.it(it, pending, file, "come back from an .anim", function()
    local path = temporary(".anim")
    local model = assert(anim.load(data.path(file)))
    assert.is_true(anim.save(model, path))
    local loaded = assert(anim.load(path))
    assert.are.equal(#model.clips, #loaded.clips)
    assert.are.equal(#model.skins[1], #loaded.skins[1])
    local a, b = anim.newPose(model.skeleton), anim.newPose(loaded.skeleton)
    for i, clip in ipairs(model.clips) do
      clip:sample(clip:getDuration() * .37, a)
      loaded.clips[i]:sample(clip:getDuration() * .37, b)
      assert.is_true(a:getPaletteString(model.skins[1]) == b:getPaletteString(loaded.skins[1]), clip:getName())
    end
    for k = 1, #model.skins[1] do
      local joint = model.skins[1]:getJoint(k)
      assert.are.equal(joint, loaded.skins[1]:getJoint(k))
      local palette = a:getPaletteString(model.skins[1], "4x4")
      assert.are.equal(64 * #model.skins[1], #palette)
      check.near({ model.skins[1]:getInverseBind(k) }, { loaded.skins[1]:getInverseBind(k) }, 0)
    end
    os.remove(path)
  end)
end)
