-- Lifetime: garbage collection in any order, reload of the module, wrong types to every method, no growth.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local unpack = table.unpack or unpack

local core = require("anim.core")

local function collect()
  for _ = 1, 4 do collectgarbage() end
end

local gltf = [[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},{"name":"tip","translation":[0,1,0]}],
  "skins":[{"joints":[0,1]}],"buffers":[%s],"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,
  "byteLength":24}],"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
  {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],"animations":[{"name":"rise","channels":[{"sampler":0,
  "target":{"node":1,"path":"translation"}}],"samplers":[{"input":0,"output":1}]}]}]]
gltf = gltf:format(check.buffer({ 0, 1, 0, 1, 0, 0, 2, 0 }))

local bvh = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
  .. "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: .1\n0 0 0 0 0 0\n1 2 3 4 5 6\n"

local function newSkeleton()
  return anim.newSkeleton({ { name = "root" }, { name = "tip", parent = "root", translation = { 0, 1, 0 } } })
end

local function newClip(skeleton)
  return anim.newClip({ name = "clip", skeleton = skeleton, loop = false,
    tracks = { tip = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 0, 2, 0 } } } },
    events = { { time = .5, name = "e", data = { "payload" } } }, markers = { { time = 0, name = "L" } },
    curves = { c = { times = { 0 }, values = { 1 } } }, properties = { p = { times = { 0 }, values = { "on" } } } })
end

-- One of each kind of object.
local function objects()
  local skeleton = newSkeleton()
  local model = assert(anim.decode(gltf, "model.gltf"))
  return { skeleton = skeleton, clip = newClip(skeleton), pose = anim.newPose(skeleton),
    mask = anim.newMask(skeleton, { "tip" }), skin = model.skins[1] }
end

-- name -> function of all methods and metamethods that `object` has.
local function methodsOf(object)
  local methods, meta = {}, debug.getmetatable(object)
  local function take(list)
    for name, value in pairs(list) do
      if type(value) == "function" then methods[name] = value end
    end
  end
  take(meta)
  if type(meta.__index) == "table" then take(meta.__index) end
  return methods
end

describe("garbage collection", function()
  it("an object keeps alive what it needs", function()
    local pose, mask, clip, derived
    do
      local skeleton = newSkeleton()
      clip, pose, mask = newClip(skeleton), anim.newPose(skeleton), anim.newMask(skeleton, { "tip" })
      derived = clip:addEvent(.2, "f", { "more" }):withLoop(true):slice(0, .75):mirror("x")
    end
    collect()
    clip:sample(.5, pose)
    pose:blend(pose, .5, mask)
    check.near({ 0, 1.5, 0 }, { pose:getPosition("tip") }, 1e-6)
    clip = nil -- luacheck: ignore
    collect()
    derived:sample(.25, pose)
    assert.are.same({ "payload" }, derived:getEvents()[2].data)
    assert.are.same({ "more" }, derived:getEvents()[1].data)
    assert.are.equal("root", derived:getSkeleton():getName(1))
  end)

  it("in any order", function()
    local r = check.random(9)
    for _ = 1, data.slow and 300 or 20 do
      local list = {}
      for _, object in pairs(objects()) do list[#list + 1] = object end
      list[#list + 1] = assert(anim.decode(gltf, "model.gltf"))
      list[#list + 1] = list[1]
      r.shuffle(list)
      while #list > 0 do
        list[#list] = nil
        if r.unit() < .3 then collectgarbage("step", 50) end
      end
    end
    collect()
  end)

  it("of cycles through event data", function()
    local weak = setmetatable({}, { __mode = "v" })
    do
      local skeleton, box = newSkeleton(), {}
      box.clip = newClip(skeleton):addEvent(.1, "self", box)
      weak[1] = box
    end
    collect()
    assert.is_nil(weak[1])
  end)

  it("of a half-built object after an error", function()
    for _ = 1, 50 do
      pcall(anim.newSkeleton, { { name = "a" }, { name = "a" } })
      pcall(anim.newClip, { name = "c", skeleton = newSkeleton(), tracks = { nobody = {} } })
      pcall(anim.newMask, newSkeleton(), { "nobody" })
    end
    collect()
  end)

  it("inside a collection: a finaliser that uses objects", function()
    local newproxy = rawget(_G, "newproxy")
    if not newproxy and _VERSION == "Lua 5.1" then return end
    local skeleton, ran = newSkeleton(), false
    local function finalise()
      local pose = anim.newPose(skeleton)
      newClip(skeleton):sample(.5, pose)
      ran = true
    end
    if newproxy then
      getmetatable(newproxy(true)).__gc = finalise
    else
      setmetatable({}, { __gc = finalise })
    end
    collect()
    assert.is_true(ran)
  end)
end)

describe("reload of the module", function()
  it("old and new objects live side by side", function()
    local old = objects()
    local loaded = {}
    for name in pairs(package.loaded) do
      if name == "anim" or name:find("^anim%.") then
        loaded[name], package.loaded[name] = package.loaded[name], nil
      end
    end
    local again = require("anim")
    local pose = again.newPose(again.newSkeleton({ { name = "root" } }))
    pcall(old.clip.sample, old.clip, 0, pose)
    pcall(pose.copy, pose, old.pose)
    old.clip:sample(.5, old.pose)
    pose:toRest()
    collect()
    for name, value in pairs(loaded) do package.loaded[name] = value end
    collect()
    old.clip:sample(.5, anim.newPose(old.skeleton))
  end)
end)

describe("wrong types", function()
  local function strange(except)
    local list = { 0, -1, 1.5, 1e300, 0 / 0, 1 / 0, "", "text", ("x"):rep(5000), true, false, {}, { 1, 2, 3 }, print,
      io.stdout, coroutine.create(function() end) }
    for _, object in pairs(objects()) do
      if object ~= except then list[#list + 1] = object end
    end
    return list
  end

  local skip = { __gc = true, __close = true, release = true, __index = true, __newindex = true }

  for kind, object in pairs(objects()) do
    it("as self of every method of a " .. kind .. " are errors", function()
      for name, method in pairs(methodsOf(object)) do
        for _, self in ipairs(strange(object)) do
          if debug.getmetatable(self) ~= debug.getmetatable(object) then
            local ran = pcall(method, self)
            assert.is_false(ran and not skip[name] and name ~= "__eq", name .. " took " .. tostring(self))
          end
        end
        pcall(method)
        pcall(method, nil)
      end
    end)

    it("as arguments of every method of a " .. kind .. " never crash it", function()
      local r = check.random(#kind)
      local values = strange()
      for name, method in pairs(methodsOf(object)) do
        if not skip[name] then
          for _ = 1, data.slow and 200 or 20 do
            local arguments = {}
            for i = 1, r.integer(0, 12) do arguments[i] = r.pick(values) end
            pcall(method, object, unpack(arguments))
          end
        end
      end
      collect()
      assert.is_string(tostring(object))
    end)
  end

  it("as arguments of every function of the module never crash it", function()
    local r = check.random(21)
    local values = strange()
    local waits = { load = true, save = true, view = true, loadAsync = true }
    for name, func in pairs(anim) do
      if type(func) == "function" and not waits[name] then
        for _ = 1, data.slow and 200 or 20 do
          local arguments = {}
          for i = 1, r.integer(0, 4) do arguments[i] = r.pick(values) end
          pcall(func, unpack(arguments))
        end
      end
    end
    collect()
  end)

  it("a metatable's finaliser called by hand, twice, leaves a handle that says so", function()
    for kind, object in pairs(objects()) do
      local meta = debug.getmetatable(object)
      if meta.__gc then
        meta.__gc(object)
        meta.__gc(object)
        assert.is_string(tostring(object))
        for name, method in pairs(methodsOf(object)) do
          if not skip[name] then pcall(method, object, object, 1, 2) end
        end
        assert.is_false((pcall(function() return object:getMatrix(1) end)), kind)
      end
    end
    collect()
  end)

  it("yielding and errors inside `read` leave nothing behind", function()
    local external = gltf:gsub('"uri":"[^"]*"', '"uri":"other.bin"')
    local before
    for round = 1, 20 do
      for _, read in ipairs({ function() error("no") end, function() return nil, "gone" end, function() return 5 end,
        function() return "short" end, function() coroutine.yield() end }) do
        local thread = coroutine.create(function() return anim.decode(external, "x.gltf", { read = read }) end)
        coroutine.resume(thread)
      end
      collect()
      if round == 3 then before = core.memory() end
    end
    assert.are.equal(before, (core.memory()))
  end)
end)

describe("memory", function()
  local function cycle()
    local model = assert(anim.decode(gltf, "model.gltf"))
    local motion = assert(anim.decode(bvh, "motion.bvh"))
    local pose = anim.newPose(model.skeleton)
    model.clips.rise:sample(.5, pose)
    motion.clips[1]:reverse()
    model.clips.rise:toAdditive()
    assert.is_nil((anim.decode(gltf:sub(1, 300), "cut.gltf")))
    assert.is_nil((anim.decode(bvh:sub(1, 100), "cut.bvh")))
    newClip(newSkeleton()):addEvent(.1, "e", {}):retarget(newSkeleton())
  end

  local function counts()
    collect()
    local blocks, bytes = core.memory()
    return blocks, bytes, collectgarbage("count")
  end

  it("1,000 load and drop cycles do not grow the process", function()
    local rounds = data.slow and 1000 or 20
    for _ = 1, rounds do cycle() end -- Lua's own tables find their size
    local blocks, bytes, lua = counts()
    for _ = 1, rounds do cycle() end
    local blocksAfter, bytesAfter, luaAfter = counts()
    assert.are.equal(blocks, blocksAfter)
    assert.are.equal(bytes, bytesAfter)
    assert.is_true(luaAfter - lua < 64, ("Lua's heap grew by %g KB"):format(luaAfter - lua))
  end)

  -- Lets the first, the second, ... allocation of `make` fail, until it needs no more; says how often that was.
  local function starve(make)
    for n = 1, 2000 do
      core.failAllocation(n)
      local ran, made, message = pcall(make)
      core.failAllocation(0)
      if ran and made then return n end
      assert.truthy(tostring(ran and message or made):find("memory", 1, true), tostring(ran and message or made))
    end
  end

  it("when it runs out: an error or nil and a message, and nothing is lost", function()
    local skeleton = newSkeleton()
    local clip = newClip(skeleton)
    local mixed = anim.newSkeleton({ { name = "tip" }, { name = "root", parent = "tip" } })
    local makers = {
      newSkeleton, function() return newClip(skeleton) end, function() return anim.newPose(skeleton) end,
      function() return anim.newMask(skeleton, { "tip" }) end, function() return anim.decode(gltf, "model.gltf") end,
      function() return anim.decode(bvh, "motion.bvh") end, function() return clip:slice(.25, .75) end,
      function() return clip:reverse() end, function() return clip:mirror("x") end,
      function() return clip:toAdditive() end, function() return clip:retarget(mixed) end,
      function() return clip:addEvent(.1, "e", {}) end,
    }
    for i, make in ipairs(makers) do
      make()
      local blocks, bytes = counts()
      assert.is_true(starve(make) > 1, "maker " .. i)
      local blocksAfter, bytesAfter = counts()
      assert.are.same({ i, blocks, bytes }, { i, blocksAfter, bytesAfter })
    end
  end)

  it("getSize of a clip is close to what it takes", function()
    local skeleton, clips = newSkeleton(), {}
    local times, values = {}, {}
    for i = 1, 2000 do times[i], values[3 * i - 2], values[3 * i - 1], values[3 * i] = i + i % 3 / 8, i, i, i end
    local tracks = { tip = { translation = { times = times, values = values } } }
    local _, before = counts()
    for i = 1, 10 do clips[i] = anim.newClip({ name = "c", skeleton = skeleton, tracks = tracks }) end
    local _, after = counts()
    local said = 10 * clips[1]:getSize()
    assert.is_true(math.abs(after - before - said) < .05 * said, ("%d for %d bytes"):format(said, after - before))
  end)

  it("real files: load and drop", function()
    local file = "khronos/CesiumMan/glTF-Binary/CesiumMan.glb"
    if not data.has(file) then return pending("skipped: no " .. data.path(file)) end
    local path = data.path(file)
    assert(anim.load(path))
    local blocks, bytes = counts()
    for _ = 1, data.slow and 100 or 3 do assert(anim.load(path)) end
    local blocksAfter, bytesAfter = counts()
    assert.are.equal(blocks, blocksAfter)
    assert.are.equal(bytes, bytesAfter)
  end)
end)
