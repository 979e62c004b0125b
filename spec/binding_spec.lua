-- The binding: what it refuses and in which words, identity of objects and event data, no garbage.
local anim = require("anim")
local core = require("anim.core")
local raises = require("spec.support.raises")

local nan, inf = 0 / 0, 1 / 0

local rig = anim.newSkeleton({ { name = "hips", translation = { 0, 1, 0 } },
  { name = "arm.L", parent = "hips", translation = { .3, .5, 0 } },
  { name = "arm.R", parent = "hips", translation = { -.3, .5, 0 } } })

local turn = { times = { 0, .5, 1 }, values = { 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1 } }
local move = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 0 } }

local function describeWave(extra)
  local description = { name = "wave", skeleton = rig, tracks = { ["arm.L"] = { rotation = turn } } }
  for key, value in pairs(extra or {}) do description[key] = value end
  return description
end

local function newWave(extra) return anim.newClip(describeWave(extra)) end

describe("an error names the argument", function()
  local clip, pose = newWave(), anim.newPose(rig)
  local cases = {
    { "bad argument #1 to 'sample' (finite number expected, got nan)", function() clip:sample(nan, pose) end },
    { "bad argument #1 to 'sample' (finite number expected, got -inf)", function() clip:sample(-inf, pose) end },
    { "bad argument #1 to 'sample' (finite number expected, got string '1')", function() clip:sample("1", pose) end },
    { "bad argument #2 to 'sample' (anim.Pose expected, got anim.Clip)", function() clip:sample(0, clip) end },
    { "bad argument #2 to 'sample' (anim.Pose expected, got no value)", function() clip:sample(0) end },
    { "bad argument #2 to 'sample' (anim.Pose expected, got number)", function() clip:sample(0, 3) end },
    { "bad argument #1 to 'get' (joint index from 1 to 3 expected, got 4)", function() pose:get(4) end },
    { "bad argument #1 to 'get' (joint index from 1 to 3 expected, got 1.5)", function() pose:get(1.5) end },
    { "bad argument #1 to 'get' (joint index from 1 to 3 expected, got nan)", function() pose:get(nan) end },
    { "bad argument #1 to 'get' (no joint 'arm_L'; did you mean 'arm.L'?)", function() pose:get("arm_L") end },
    { "bad argument #1 to 'get' (no joint 'wing')", function() pose:get("wing") end },
    { "bad argument #1 to 'get' (joint index or name expected, got nil)", function() pose:get(nil) end },
    { "bad argument #1 to 'get' (string without zero bytes expected)", function() pose:get("hips\0") end },
    { "bad argument #5 to 'set' (finite number expected, got inf)", function()
      pose:set(1, 0, 0, 0, inf, 0, 0, 1, 1, 1, 1)
    end },
    { "bad argument #2 to 'set' (number of single precision expected, got 1e+39)", function()
      pose:set(1, 1e39, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    end },
    { "bad argument #5 to 'set' (rotation expected, got one of length zero)", function()
      pose:set(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1)
    end },
    { "bad argument #3 to 'add' (anim.Mask expected, got table)", function() -- after the weight
      local delta = anim.newPose(rig)
      clip:toAdditive():sample(0, delta)
      pose:add(delta, 1, {})
    end },
    { "bad argument #1 to 'add' (pose of additive deltas expected, got one of transforms: sample clip:toAdditive())",
      function() pose:add(pose, 1) end },
    { "bad argument #5 to 'setMatrix' (last row 0 0 0 1 expected, got 1)", function()
      pose:setMatrix(1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    end },
    { 'bad argument #1 to \'withLoop\' (true, false or "pingpong" expected, got string \'twice\')',
      function() clip:withLoop("twice") end },
    { 'bad argument #1 to \'mirror\' ("x", "y" or "z" expected, got string \'w\')', function() clip:mirror("w") end },
    { "bad argument #1 to 'addEvent' (time from 0 to 1 expected, got 1.5)", function() clip:addEvent(1.5, "e") end },
    { "bad argument #2 to 'addEvent' (string expected, got nil)", function() clip:addEvent(.5, nil) end },
    { "bad argument #2 to 'addEvent' (name of 1 to 1024 bytes expected, got 0)", function() clip:addEvent(.5, "") end },
    { "bad argument #2 to 'slice' (time above 0.5 expected, got 0.5)", function() clip:slice(.5, .5) end },
    { "bad argument #1 to 'newPose' (anim.Skeleton expected, got nil)", function() anim.newPose(nil) end },
    { "bad argument #2 to 'newPose' (no further argument expected, got 1)", function() anim.newPose(rig, 1) end },
    { "bad argument #2 to 'newMask' (spine: no joint 'spine')", function() anim.newMask(rig, { spine = 1 }) end },
    { "bad argument #2 to 'newMask' (hips: weight from 0 to 1 expected, got 1.5)",
      function() anim.newMask(rig, { hips = 1.5 }) end },
    { "bad argument #2 to 'newMask' (hips: unknown key 'onyl'; did you mean 'only'?)",
      function() anim.newMask(rig, { hips = { 1, onyl = true } }) end },
    { "bad argument #2 to 'newMask' (hips: 'hips' stands twice)",
      function() anim.newMask(rig, { "hips", hips = 1 }) end },
    { "bad argument #1 to 'newSkeleton' ([2].parent: no joint 'hip'; did you mean 'hips'?)",
      function() anim.newSkeleton({ { name = "hips" }, { name = "leg", parent = "hip" } }) end },
    { "bad argument #1 to 'newSkeleton' ([2].name: two joints are named 'a')",
      function() anim.newSkeleton({ { name = "a" }, { name = "a" } }) end },
    { "bad argument #1 to 'newSkeleton' ([1].rotation: list of 4 numbers expected, got 3)",
      function() anim.newSkeleton({ { name = "a", rotation = { 0, 0, 0 } } }) end },
    { "bad argument #1 to 'newSkeleton' ([1].rotation: a rotation of length zero)",
      function() anim.newSkeleton({ { name = "a", rotation = { 0, 0, 0, 0 } } }) end },
    { "bad argument #1 to 'newSkeleton' ([1]: unknown key 'colour')",
      function() anim.newSkeleton({ { name = "a", colour = {} } }) end },
    { "bad argument #1 to 'newSkeleton' (list expected; it has the key 'name')",
      function() anim.newSkeleton({ name = "a" }) end },
    { "bad argument #1 to 'load' (string expected, got table)", function() anim.load({}) end },
    { "bad argument #2 to 'load' (unknown key 'node'; did you mean 'nodes'?)",
      function() anim.load("x", { node = "all" }) end },
    { 'bad argument #2 to \'load\' (nodes: "skin" or "all" expected, got string \'some\')',
      function() anim.load("x", { nodes = "some" }) end },
    { "bad argument #2 to 'load' (scale: number above 0 expected, got 0)",
      function() anim.load("x", { scale = 0 }) end },
    { "bad argument #3 to 'decode' (read: function expected, got boolean)",
      function() anim.decode("", "x", { read = true }) end },
    { "bad argument #3 to 'decode' (loop[2]: string expected, got number)",
      function() anim.decode("", "x", { loop = { "walk", 3 } }) end },
  }
  for _, case in ipairs(cases) do
    it(case[1], function() raises.exactly(case[1], case[2]) end)
  end

  it("under pcall too, counting self", function()
    raises.exactly("bad argument #2 to 'sample' (finite number expected, got nan)", clip.sample, clip, nan, pose)
    raises.exactly("bad argument #1 to 'sample' (anim.Clip expected, got anim.Pose)", clip.sample, pose)
  end)

  it("and a wrong self", function()
    local wrong = setmetatable({}, { __index = { sample = clip.sample } })
    raises.exactly("calling 'sample' on bad self (anim.Clip expected, got table)", function() wrong:sample(0, pose) end)
  end)

  it("with the place in the script", function()
    local _, message = pcall(function() clip:sample(nan, pose) end)
    assert.truthy(message:find("binding_spec.lua:", 1, true))
  end)
end)

describe("an error in a description names the path", function()
  local function refused(path, extra)
    local message = raises.message(anim.newClip, describeWave(extra))
    assert.are.equal("bad argument #1 to 'newClip' (" .. path .. ")", message)
  end

  local function tracks(keys, channel) return { tracks = { ["arm.L"] = { [channel or "rotation"] = keys } } } end

  it("of keys", function()
    refused('tracks["arm.L"].rotation.times[3]: finite number expected, got nan',
      tracks({ times = { 0, 1, nan }, values = {} }))
    refused('tracks["arm.L"].rotation.times[1]: time of 0 or more expected, got -1',
      tracks({ times = { -1 }, values = { 0, 0, 0, 1 } }))
    refused('tracks["arm.L"].rotation.times: at least one key expected', tracks({ times = {}, values = {} }))
    refused('tracks["arm.L"].rotation.times: table expected, got nil', tracks({ values = {} }))
    refused('tracks["arm.L"].rotation.values: 8 numbers expected (2 keys of 4), got 6',
      tracks({ times = { 0, 1 }, values = { 1, 2, 3, 4, 5, 6 } }))
    refused('tracks["arm.L"].scale.values: 9 numbers expected (1 keys of 9), got 3',
      tracks({ times = { 0 }, values = { 1, 1, 1 }, mode = "cubic" }, "scale"))
    refused('tracks["arm.L"].scale.values[2]: finite number expected, got false',
      tracks({ times = { 0 }, values = { 1, false, 1 } }, "scale"))
    refused('tracks["arm.L"].scale.values: list expected; it has the key \'x\'',
      tracks({ times = { 0 }, values = { 1, 1, 1, x = 1 } }, "scale"))
    refused('tracks["arm.L"].scale.mode: "step", "linear" or "cubic" expected, got string \'bezier\'',
      tracks({ times = { 0 }, values = { 1, 1, 1 }, mode = "bezier" }, "scale"))
    refused('tracks["arm.L"]: unknown key \'rotaton\'; did you mean \'rotation\'?', tracks(turn, "rotaton"))
    refused("joint 'arm.L': rotation key 1 has length zero", tracks({ times = { 0 }, values = { 0, 0, 0, 0 } }))
  end)

  it("of joints", function()
    refused('tracks["arm.X"]: no joint \'arm.X\'; did you mean \'arm.L\'?', { tracks = { ["arm.X"] = {} } })
    refused("tracks[9]: joint index from 1 to 3 expected, got 9", { tracks = { [9] = {} } })
    refused('tracks["arm.L"]: the joint stands twice, by name and by index',
      { tracks = { ["arm.L"] = {}, [rig:find("arm.L")] = {} } })
    refused("tracks: index or name as key expected, got 1.5", { tracks = { [1.5] = {} } })
  end)

  it("of curves, properties, events and markers", function()
    refused("curves.blink.values: 2 numbers expected (2 keys of 1), got 1",
      { curves = { blink = { times = { 0, 1 }, values = { 1 } } } })
    refused("properties.mouth: unknown key 'mode'",
      { properties = { mouth = { times = { 0 }, values = { "o" }, mode = "step" } } })
    refused("properties.mouth.values[1]: boolean, finite number or string expected, got inf",
      { properties = { mouth = { times = { 0 }, values = { inf } } } })
    refused("events[2].time: time from 0 to 1 expected, got 1.5",
      { events = { { time = 1, name = "a" }, { time = 1.5, name = "b" } } })
    refused("events[1].name: string expected, got nil", { events = { { time = 1 } } })
    refused("events[1].duration: the event ends at 1.5, after the clip's end at 1",
      { events = { { time = 1, name = "a", duration = .5 } } })
    refused("events[1]: unknown key 'value'", { events = { { time = 1, name = "a", value = 1 } } })
    refused("markers[1].time: finite number expected, got nil", { markers = { { name = "L" } } })
  end)

  it("of the rest", function()
    refused("unknown key 'track'; did you mean 'tracks'?", { track = {} })
    refused("skeleton: anim.Skeleton expected, got boolean", { skeleton = false })
    refused('loop: true, false or "pingpong" expected, got string \'no\'', { loop = "no" })
    refused("duration: duration of 0 or more expected, got -1", { duration = -1 })
    raises.exactly("bad argument #1 to 'newClip' (table expected, got nil)", anim.newClip)
  end)

  it("repairs are warnings of the clip", function()
    local clip = newWave({ tracks = { ["arm.L"] = {
      rotation = { times = { 1, 0 }, values = { 0, 0, 0, 2, 0, 0, 0, 1 } } } } })
    local warnings = clip:getWarnings()
    assert.are.equal(2, #warnings)
    assert.truthy(warnings[1]:find("arm.L", 1, true))
    warnings[1] = nil
    assert.are.equal(2, #clip:addEvent(0, "e"):reverse():getWarnings())
    assert.are.same({}, newWave():getWarnings())
  end)
end)

describe("identity", function()
  it("one object, one userdata", function()
    local clip = newWave()
    assert.is_true(rawequal(rig, clip:getSkeleton()))
    assert.is_true(rawequal(rig, anim.newPose(rig):getSkeleton()))
    assert.is_true(rawequal(rig, clip:mirror("x"):getSkeleton()))
    local seen = { [rig] = "mine" }
    assert.are.equal("mine", seen[anim.newMask(rig, {}):getSkeleton()])
  end)

  it("a released handle says so; the object lives on in what needs it", function()
    local skeleton = anim.newSkeleton({ { name = "a" } })
    local pose = anim.newPose(skeleton)
    skeleton:release()
    skeleton:release()
    assert.are.equal("anim.Skeleton: released", tostring(skeleton))
    raises.exactly("attempt to use a released anim.Skeleton", function() skeleton:getName(1) end)
    raises.exactly("attempt to use a released anim.Skeleton", function() return #skeleton end)
    raises.exactly("attempt to use a released anim.Skeleton", anim.newPose, skeleton)
    assert.are.equal("a", pose:getSkeleton():getName(1))
  end)

  it("a reload gives the same kinds", function()
    local names = { "anim", "anim.core", "anim.validate" }
    local kept = {}
    for _, name in ipairs(names) do kept[name], package.loaded[name] = package.loaded[name], nil end
    local again = require("anim")
    for _, name in ipairs(names) do package.loaded[name] = kept[name] end
    assert.are_not.equal(anim, again)
    newWave():sample(.5, again.newPose(rig))
    assert.is_true(rawequal(rig, again.newPose(rig):getSkeleton()))
  end)

  it("event data are the very same values", function()
    local cyclic = {}
    cyclic.self = cyclic
    local thread = coroutine.create(function() end)
    local values = { "a\0b", "", 3, -.5, 2 ^ 53, inf, true, false, cyclic, print, io.stdout, thread, rig }
    local events = {}
    for i, value in ipairs(values) do events[i] = { time = 0, name = "e", data = value } end
    local clip = newWave({ events = events }):addEvent(.5, "last", cyclic)
    for _, derived in ipairs({ clip, clip:withLoop(false), clip:slice(0, .5), clip:mirror("x"), clip:toAdditive(),
      (clip:retarget(rig)), clip:reverse():withLoop(false):reverse() }) do
      collectgarbage()
      for i, event in ipairs(derived:getEvents()) do
        local expected = cyclic
        if i <= #values then expected = values[i] end
        assert.is_true(rawequal(expected, event.data))
      end
      assert.are.equal(#values + 1, #derived:getEvents())
    end
    assert.is_nil(newWave({ events = { { time = 0, name = "e" } } }):getEvents()[1].data)
  end)

  it("integers stay integers, and none is rounded", function()
    if not math.type then return end
    local clip = newWave():addEvent(0, "e", 7):addEvent(0, "e", math.maxinteger)
    assert.are.equal("integer", math.type(clip:getEvents()[1].data))
    assert.are.equal(math.maxinteger, clip:getEvents()[2].data)
  end)

  it("addEvent does not hold on to what other clips carry", function()
    local base, weak = newWave():addEvent(0, "base", {}), setmetatable({}, { __mode = "v" })
    weak[1] = {}
    base:addEvent(.5, "e", weak[1])
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
  end)
end)

describe("clips", function()
  it("getTrack gives what newClip takes", function()
    local cubic = { times = { 0, 2 }, mode = "cubic",
      values = { 9, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 4, 0, 0, 9, 0, 0 } }
    local clip = newWave({ tracks = { hips = { translation = cubic, rotation = turn } } })
    assert.are.same(cubic, clip:getTrack("hips", "translation"))
    assert.is_nil(clip:getTrack("hips", "scale"))
    assert.are.same({ "translation", "rotation" }, { clip:getChannels(1) })
    assert.are.same({}, { clip:getChannels("arm.L") })
    assert.are.equal(2, clip:getLastKey())
  end)

  it("curves and properties", function()
    local clip = newWave({
      curves = { b = { times = { 0, 1 }, values = { 0, 2 } }, a = { times = { 0 }, values = { 5 } } },
      properties = { mouth = { times = { 0, .5, .75 }, values = { "open", 3, false } } } })
    assert.are.same({ "a", "b" }, clip:getCurves())
    assert.are.equal(1, clip:getCurve("b", .5))
    assert.are.equal(2, clip:getCurve("b", 9))
    assert.is_nil(clip:getCurve("c", 0))
    assert.are.same({ "mouth" }, clip:getProperties())
    assert.are.same({ "open", 3, false }, { clip:getProperty("mouth", .4), clip:getProperty("mouth", .5),
      clip:getProperty("mouth", 1) })
    assert.is_nil(clip:getProperty("nose", 0))
  end)

  it("an event at the decimal that the last key has", function()
    local clip = newWave({ tracks = { hips = { translation = { times = { 0, .7 }, values = move.values } } },
      events = { { time = .7, name = "end" } } })
    assert.are.equal(2, #clip:addEvent(.7, "too"):getEvents())
    assert.has_error(function() clip:addEvent(.701, "late") end)
  end)

  it("mirror: pairs by either form, once; what is in none stays", function()
    local clip, pose = newWave({ curves = { blinkL = { times = { 0 }, values = { 1 } } } }), anim.newPose(rig)
    local function turned(mirrored, joint)
      mirrored:sample(.5, pose)
      return math.abs((select(5, pose:get(joint)))) > .9
    end
    for _, pairs_ in ipairs({ { ["arm.L"] = "arm.R" }, { { "arm.R", "arm.L" } },
      { ["arm.L"] = "arm.R", ["arm.R"] = "arm.L" } }) do
      assert.is_true(turned(clip:mirror("x", pairs_), "arm.R"))
    end
    assert.is_true(turned(clip:mirror("x"), "arm.R"))
    assert.is_true(turned(clip:mirror("x", {}), "arm.L"))
    assert.are.same({ "blinkR" }, clip:mirror("x"):getCurves())
    local swapped = clip:addEvent(0, "step", 1):addEvent(0, "LEFT foot"):mirror("x", { step = "stamp" }):getEvents()
    assert.are.same({ "stamp", "RIGHT foot" }, { swapped[1].name, swapped[2].name })
    raises.exactly("bad argument #3 to 'mirror' (hips: 'arm.L' is in two pairs)", clip.mirror, clip, "x",
      { ["arm.L"] = "arm.R", hips = "arm.L" })
    raises.exactly("bad argument #3 to 'mirror' (leg: no joint, event or curve 'leg')", clip.mirror, clip, "x",
      { leg = "hips" })
    raises.exactly("bad argument #3 to 'mirror' ([1]: two names expected, got 1)", clip.mirror, clip, "x",
      { { "arm.L" } })
  end)

  it("retarget: false binds nothing and is no surprise", function()
    local other = anim.newSkeleton({ { name = "arm.L" } })
    local clip = newWave({ tracks = { ["arm.L"] = { rotation = turn }, ["arm.R"] = { rotation = turn } } })
    local bound, unbound = clip:retarget(other, { ["arm.R"] = false })
    assert.are.same({}, unbound)
    assert.are.same({ "rotation" }, { bound:getChannels(1) })
    bound, unbound = clip:retarget(other, { ["arm.L"] = false, ["arm.R"] = 1 })
    assert.are.same({}, unbound)
    assert.are.same({ "rotation" }, { bound:getChannels(1) })
    raises.exactly("bad argument #3 to 'retarget' (hips: two joints drive 'arm.L')", clip.retarget, clip, other,
      { ["arm.R"] = "arm.L", hips = 1 })
  end)
end)

describe("poses", function()
  it("know whether they hold deltas", function()
    local clip, pose, other = newWave(), anim.newPose(rig), anim.newPose(rig)
    clip:toAdditive():sample(.5, pose)
    assert.is_true(pose:isAdditive())
    for _, use in ipairs({ function() pose:getMatrix(1) end, function() pose:getPosition(1) end,
      function() other:blend(pose, 1) end, function() pose:blend(other, 1) end, function() pose:add(pose, 1) end,
      function() clip:toAdditive(pose) end }) do
      assert.has_error(use)
    end
    other:copy(pose)
    assert.is_true(other:isAdditive())
    clip:sample(0, other)
    assert.is_false(other:isAdditive())
    pose:toRest()
    assert.is_false(pose:isAdditive())
  end)

  it("allocate nothing", function()
    local clip, pose, other = newWave(), anim.newPose(rig), anim.newPose(rig)
    local mask, delta = anim.newMask(rig, { "arm.L" }), anim.newPose(rig)
    clip:toAdditive():sample(.5, delta)
    local function frame(i)
      clip:sample(i % 7 / 7, pose)
      other:copy(pose)
      other:blend(pose, .5, mask)
      other:add(delta, .5, mask)
      other:set("arm.L", pose:get("arm.L"))
      other:setMatrix("arm.R", pose:getMatrix("arm.R"))
      return other:getPosition(2)
    end
    local function grown(rounds)
      collectgarbage()
      collectgarbage("stop")
      local before, total = collectgarbage("count"), select(3, core.memory())
      for i = 1, rounds do frame(i) end
      local after, totalAfter = collectgarbage("count"), select(3, core.memory())
      collectgarbage("restart")
      return (after - before) * 1024, totalAfter - total
    end
    grown(500)
    local bytes, blocks = grown(5000)
    assert.are.equal(0, blocks)
    assert.is_true(bytes < 5000, bytes .. " bytes in 5,000 frames")
  end)
end)
