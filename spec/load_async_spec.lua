-- Loading in the background: the same as anim.load, and what is asked of the script is asked by the Loading.
local anim = require("anim")
local core = require("anim.core")
local data = require("spec.support.data")
local raises = require("spec.support.raises")
local scratch = require("spec.support.scratch")

-- A glTF file with two joints and a clip for each second word; its buffer is another file, or inside.
local function buffer()
  local bytes = {}
  for _, x in ipairs({ "\0\0\0\0", "\0\0\128\63" }) do bytes[#bytes + 1] = x end -- 0, 1
  for _, x in ipairs({ 0, 0, 0, 0, 1, 0 }) do bytes[#bytes + 1] = x == 1 and "\0\0\128\63" or "\0\0\0\0" end
  return table.concat(bytes)
end

local function gltf(uri, ...)
  local clips = {}
  for i, name in ipairs({ ... }) do
    clips[i] = ('{"name":"%s","channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}],' ..
      '"samplers":[{"input":0,"output":1}]}'):format(name)
  end
  return ([[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},{"name":"tip"}],
    "skins":[{"joints":[0,1]}],"buffers":[{"uri":"%s","byteLength":32}],
    "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
      {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
    "animations":[%s]}]]):format(uri, table.concat(clips, ","))
end

local function saved(model)
  local path = scratch.path(".anim")
  assert(anim.save(model, path))
  return scratch.read(path)
end

local function finish(loading)
  repeat until loading:isDone()
  return loading:get()
end

-- Blocks of the core that are alive when nothing is on its way any more.
local function settle(expected)
  local blocks
  for _ = 1, 2000 do
    collectgarbage()
    blocks = core.memory()
    if blocks <= expected then return blocks end
    anim.loadAsync({ bytes = "" }):get()
  end
  return blocks
end

-- Until it is done; how often its progress was seen to rise.
local function watch(loading)
  local last, steps = -1, 0
  while not loading:isDone() do
    local progress = loading:getProgress()
    assert.is_true(progress >= last and progress >= 0 and progress <= 1)
    steps = steps + (progress > last and 1 or 0)
    last = progress
  end
  assert.are.equal(1, loading:getProgress())
  return steps
end

describe("loadAsync", function()
  teardown(scratch.clear)

  it("gives what load gives", function()
    local path = scratch.write(scratch.path(".gltf"), gltf("other.bin", "walk", "walk", "run"))
    local beside = path:match("^.*[/\\]") .. "other.bin"
    scratch.write(beside, buffer())
    local expected = assert(anim.load(path, { loop = { "run", "nobody" } }))
    local got = assert(finish(anim.loadAsync(path, { loop = { "run", "nobody" } })))
    os.remove(beside)
    assert.are.equal(expected.name, got.name)
    assert.are.same(expected.warnings, got.warnings)
    assert.is_true(#got.warnings >= 2)
    assert.are.equal(saved(expected), saved(got))
    assert.is_false(got.clips.walk:getLoop())
    assert.is_true(got.clips.run:getLoop())
    assert.are.equal(#expected.skins, #got.skins)
    for key in pairs(expected) do assert.is_not_nil(got[key], key) end
    anim.newGraph(got):play("walk")
  end)

  it("gives it at once where it is waited for, and the same table each time", function()
    local bytes = saved({ skeleton = anim.newSkeleton({ { name = "a" } }), clips = {}, skins = {}, morphs = {} })
    local loading = anim.loadAsync({ bytes = bytes, name = "x/y.anim" })
    local model = assert(loading:get())
    assert.are.equal("y.anim", model.name)
    assert.are.equal(model, loading:get())
    assert.is_true(loading:isDone())
    assert.are.equal(1, loading:getProgress())
    assert.are.equal("anim.Loading: y.anim, 100%", tostring(loading))
    assert.are.equal("data", anim.loadAsync({ bytes = bytes }):get().name)
  end)

  it("says what load says of faults", function()
    local missing = scratch.path(".glb")
    for _, case in ipairs({ { missing }, { { bytes = "no file", name = "n" }, "no file", "n" }, { { bytes = "" }, "" },
      { { bytes = gltf("o.bin", "a"), name = "n.gltf" }, gltf("o.bin", "a"), "n.gltf" } }) do
      local expected
      if case[2] then
        expected = select(2, anim.decode(case[2], case[3]))
      else
        expected = select(2, anim.load(case[1]))
      end
      local loading = anim.loadAsync(case[1])
      local model, message = finish(loading)
      assert.is_nil(model)
      assert.are.equal(expected, message)
      assert.are.same({ nil, message }, { loading:get() })
      assert.are.equal(1, loading:getProgress())
    end
  end)

  it("reads other files beside the first, or by `read`, on the calling thread", function()
    local asked, thread = {}, coroutine.running()
    local function read(uri)
      asked[#asked + 1] = uri
      assert.are.equal(thread, coroutine.running())
      return buffer()
    end
    local text = gltf("sub/o.bin", "walk")
    for _, loading in ipairs({ anim.loadAsync({ bytes = text, read = read }),
      anim.loadAsync({ bytes = text }, { read = read }) }) do
      local before = #asked
      assert.are.equal(saved(anim.decode(text, "data", { read = function() return buffer() end })),
        saved(assert(loading:get())))
      assert.are.equal("sub/o.bin", asked[#asked])
      assert.are.equal(before + 1, #asked)
    end
    local path = scratch.write(scratch.path(".gltf"), text)
    assert.is_true(finish(anim.loadAsync(path, { read = read })).clips.walk:getDuration() == 1)
    local loading = anim.loadAsync(path, { read = read })
    repeat until loading:getProgress() == 1
    assert.are.equal(4, #asked)
    local inside = "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAA="
    assert(anim.loadAsync({ bytes = gltf(inside, "walk"), read = error }):get()) -- it is not asked
  end)

  it("tells what `read` says or raises", function()
    local function message(read)
      local bytes = gltf("o.bin", "walk")
      local expected = select(2, anim.decode(bytes, "data", { read = read }))
      local model, got = anim.loadAsync({ bytes = bytes, read = read }):get()
      assert.is_nil(model)
      assert.are.equal(expected, got)
      return got
    end
    assert.matches("it is gone", message(function() return nil, "it is gone" end))
    assert.matches("`read` failed: oh", message(function() error("oh", 0) end))
    assert.matches("error object is a table value", message(function() error({}) end))
    assert.matches("gave a number", message(function() return 1 end))
    local loading
    loading = anim.loadAsync({ bytes = gltf("o.bin", "walk"), read = function()
      assert.is_false(loading:isDone())
      assert.is_true(loading:getProgress() < 1)
      loading:get()
    end })
    assert.matches("the file waits for what `read` gives", select(2, loading:get()))
    loading = anim.loadAsync({ bytes = gltf("o.bin", "walk"), read = function()
      loading:release()
      return buffer()
    end })
    raises.exactly("attempt to use a released anim.Loading", function() loading:get() end)
  end)

  it("asks the option loop when the model is taken, and again if that raised", function()
    local fails, text = true, gltf("o.bin", "walk", "run")
    local loading = anim.loadAsync({ bytes = text, read = buffer }, { loop = function(name)
      if fails then error("not now", 0) end
      return name == "run"
    end })
    repeat until loading:isDone()
    raises.exactly("not now", function() loading:get() end)
    fails = false
    local model = assert(loading:get())
    assert.is_true(model.clips.run:getLoop())
    assert.is_false(model.clips.walk:getLoop())
    local names = { "walk" }
    loading = anim.loadAsync({ bytes = text, read = buffer }, { loop = names })
    names[1] = {} -- it was read when the call was made
    assert.is_true(loading:get().clips.walk:getLoop())
  end)

  it("shows how far it is, from 0 to 1 and never back", function()
    local clips = {}
    for i = 1, 300 do clips[i] = "clip" .. i end
    local text = gltf("o.bin", (table.unpack or unpack)(clips))
    for _, pack in ipairs({ false, true }) do
      local loading = anim.loadAsync({ bytes = text, read = buffer }, { pack = pack })
      watch(loading)
      assert.are.equal(300, #loading:get().clips)
    end
  end)

  it("packs there", function()
    local text = gltf("o.bin", "walk", "run")
    for _, form in ipairs({ "small", "fast" }) do
      local options = { pack = { form = form, error = 1e-3 }, read = buffer }
      local expected = assert(anim.decode(text, "data", options))
      assert.are.equal(saved(expected), saved(assert(anim.loadAsync({ bytes = text }, options):get())))
    end
  end)

  it("reads meshes, materials and images", function()
    local path = "csrc/fuzz/corpus/gltf/mesh.glb"
    local expected = assert(anim.load(path, { meshes = true }))
    local model = assert(anim.loadAsync(path, { meshes = true }):get())
    assert.is_true(#expected.meshes > 0)
    assert.are.equal(#expected.meshes, #model.meshes)
    assert.are.equal(expected.meshes[1].parts[1].vertexCount, model.meshes[1].parts[1].vertexCount)
    assert.are.equal(#expected.materials, #model.materials)
    assert.are.equal(#expected.images, #model.images)
  end)

  it("does not wait for answers: what asks keeps no thread from others", function()
    local text, asking = gltf("o.bin", "walk"), {}
    for i = 1, 40 do asking[i] = anim.loadAsync({ bytes = text, read = buffer }) end
    local last = anim.loadAsync({ bytes = text }, { read = buffer })
    repeat until last:isDone()
    assert(last:get())
    for i = 40, 1, -1 do assert(finish(asking[i])) end
  end)

  it("loads many at a time", function()
    local list, text = {}, gltf("o.bin", "walk", "run")
    for i = 1, 100 do
      list[i] = anim.loadAsync({ bytes = i % 7 == 0 and "broken" or text, name = "m" .. i, read = buffer })
    end
    local open = 100
    while open > 0 do
      open = 0
      for i = 1, 100 do open = open + (list[i]:isDone() and 0 or 1) end
    end
    for i = 1, 100 do
      local model, message = list[i]:get()
      assert.are.equal(i % 7 ~= 0, model ~= nil)
      assert.matches("m" .. i, model and model.name or message)
    end
  end)

  it("is given up with its handle", function()
    local text = gltf("o.bin", "walk", "run")
    anim.loadAsync({ bytes = text, read = buffer }):get()
    local before = settle(0)
    for i = 1, 50 do
      local loading = anim.loadAsync({ bytes = text, read = buffer }, { pack = i % 2 == 0 })
      if i % 3 == 0 then loading:isDone() end
      if i % 5 == 0 then loading:release() end
      if i % 11 == 0 then loading:get() end
    end
    assert.are.equal(before, settle(before))
    local loading = anim.loadAsync({ bytes = text })
    loading:release()
    loading:release()
    raises.exactly("attempt to use a released anim.Loading", function() loading:get() end)
    assert.are.equal("anim.Loading: released", tostring(loading))
  end)

  it("refuses what load refuses", function()
    raises.exactly("bad argument #1 to 'loadAsync' (path or table with bytes expected, got number)",
      function() anim.loadAsync(1) end)
    raises.exactly("bad argument #1 to 'loadAsync' (bytes: string of bytes expected, got nil)",
      function() anim.loadAsync({}) end)
    raises.exactly("bad argument #1 to 'loadAsync' (read: function expected, got number)",
      function() anim.loadAsync({ bytes = "", read = 1 }) end)
    raises.exactly("bad argument #2 to 'loadAsync' (read: it is given twice)",
      function() anim.loadAsync({ bytes = "", read = print }, { read = print }) end)
    raises.exactly("bad argument #2 to 'loadAsync' (scene: index from 1 to 2147483647 expected, got 0)",
      function() anim.loadAsync("x", { scene = 0 }) end)
    assert.matches("unknown key 'byte'", raises.message(function() anim.loadAsync({ byte = "" }) end))
    raises.exactly("bad argument #1 to 'get' (no further argument expected, got 1)",
      function() anim.loadAsync({ bytes = "" }):get(1) end)
  end)

  it("survives a failing allocator", function()
    local text, most = gltf("o.bin", "walk"), 400
    local got
    anim.loadAsync({ bytes = "" }):get()
    for n = 1, most do
      core.failAllocation(n)
      local ran, model, message = pcall(function() return anim.loadAsync({ bytes = text, read = buffer }):get() end)
      core.failAllocation(0)
      if ran and model then
        got = model
        break
      end
      assert.is_string(ran and message or model)
    end
    assert.are.equal("walk", got.clips[1]:getName())
  end)

  data.it(it, pending, "bench/pab_locomotion.glb", "gives the same for large files; packs", function()
    local path = data.path("bench/pab_locomotion.glb")
    assert.are.equal(saved(assert(anim.load(path))), saved(assert(finish(anim.loadAsync(path)))))
    if not data.slow then return end
    local loading = anim.loadAsync(path, { pack = true })
    assert.is_true(watch(loading) >= 3)
    assert.are.equal(saved(assert(anim.load(path, { pack = true }))), saved(assert(loading:get())))
  end)
end)
