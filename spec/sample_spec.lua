-- clip:sample: keys of the three modes, against the oracle and by hand (semantics 3).
local anim = require("anim")
local check = require("spec.support.check")
local reference = require("spec.support.reference")
local keys, quat, vec = reference.keys, reference.quat, reference.vec
local unpack = table.unpack or unpack

local X, Y, Z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }

local function turn(axis, degrees) return quat.fromAxisAngle(axis, math.rad(degrees)) end

local function flat(...)
  local out = {}
  for _, list in ipairs({ ... }) do
    for _, x in ipairs(list) do out[#out + 1] = x end
  end
  return out
end

local skeleton = anim.newSkeleton({ { name = "joint" } })

local function newClip(tracks, duration)
  return anim.newClip({ name = "clip", skeleton = skeleton, duration = duration, tracks = { joint = tracks } })
end

local function sampled(clip, time)
  local pose = anim.newPose(clip:getSkeleton())
  clip:sample(time, pose)
  return check.read(pose, 1)[1]
end

-- A clip that moves the one joint along x through `values` at `times`.
local function moving(times, values, mode, duration)
  local list = {}
  for _, v in ipairs(values) do list[#list + 1] = { v, 0, 0 } end
  return newClip({ translation = { times = times, values = flat(unpack(list)), mode = mode } }, duration)
end

local function turning(times, rotations, mode)
  return newClip({ rotation = { times = times, values = flat(unpack(rotations)), mode = mode } })
end

local function xAt(clip, time) return sampled(clip, time).t[1] end

local function expectX(clip, list)
  for time, x in pairs(list) do check.near({ x }, { xAt(clip, time) }, 1e-6, "at " .. time) end
end

local function expectTurn(axis, degrees, clip, time)
  local q = sampled(clip, time).q
  check.near({ 1 }, { math.sqrt(quat.dot(q, q)) }, 1e-6, "length at " .. time)
  check.sameRotation(turn(axis, degrees), q, 2e-6 + check.packedTurn, "at " .. time)
end

describe("clip:sample against the oracle", function()
  for seed = 1, 40 do
    it("random rig and clip, seed " .. seed, function()
      local r = check.random(seed)
      local random = anim.newSkeleton(check.randomSkeleton(r, r.integer(1, 40)))
      local rig = check.rig(random)
      local description = check.randomClip(r, random)
      local clip, pose = anim.newClip(description), anim.newPose(random)
      for _, time in ipairs(check.times(r, clip:getDuration(), 30)) do
        clip:sample(time, pose)
        local expected = reference.pose.sample(rig, description, time)
        check.samePose(expected, check.read(pose, #rig), 1e-5, ("seed %d at %.9g"):format(seed, time))
      end
    end)
  end

  for _, mode in ipairs({ "step", "linear", "cubic" }) do
    for _, path in ipairs({ "translation", "rotation", "scale" }) do
      it(("%s %s on, beside, before and after every key"):format(mode, path), function()
        local r = check.random(#mode * 10 + #path)
        for round = 1, 20 do
          local channel = check.randomChannel(r, path, mode)
          local clip = newClip({ [path] = channel })
          for _, key in ipairs(channel.times) do
            for _, offset in ipairs({ -1, -1 / 128, 0, 1 / 128, 1 }) do
              local got = sampled(clip, key + offset)
              local value = got[({ translation = "t", rotation = "q", scale = "s" })[path]]
              local expected = keys.sample(channel, path, key + offset)
              local compare = path == "rotation" and check.sameRotation or check.near
              compare(expected, value, 1e-5, ("round %d, key %g %+g"):format(round, key, offset))
            end
          end
        end
      end)
    end
  end

  it("in any order of times: a sample does not depend on the one before", function()
    local r = check.random(77)
    local random = anim.newSkeleton(check.randomSkeleton(r, 12))
    local clip, pose, again = anim.newClip(check.randomClip(r, random)), anim.newPose(random), anim.newPose(random)
    local times = check.times(r, clip:getDuration(), 40)
    local first = {}
    for i, time in ipairs(times) do
      clip:sample(time, pose)
      first[i] = check.read(pose, 12)
    end
    for i = #times, 1, -1 do
      clip:sample(times[i], again)
      check.identical(first[i], check.read(again, 12), "at " .. times[i])
    end
  end)

  it("long tracks: every key is found", function()
    local times, values = {}, {}
    for i = 0, 4000 do times[#times + 1], values[#values + 1] = i / 32, i end
    local clip = moving(times, values, "step")
    for i = 0, 4000 do
      assert.are.equal(i, xAt(clip, i / 32))
      assert.are.equal(i, xAt(clip, i / 32 + 1 / 64))
    end
  end)

  it("unevenly spaced keys: every key is found", function()
    local times, values, t = {}, {}, 0
    local r = check.random(5)
    for i = 1, 500 do
      times[i], values[i] = t, i
      t = t + r.pick({ 1, 2, 3, 64, 1000 }) / 256
    end
    local clip = moving(times, values, "step")
    for i = 1, 500 do assert.are.equal(i, xAt(clip, times[i] + 1 / 1024)) end
  end)
end)

describe("curves and properties", function()
  local function curveClip(channel)
    return anim.newClip({ name = "c", skeleton = skeleton, curves = { blink = channel },
      properties = { mouth = { times = { .25, .5, 1 }, values = { "open", false, 3 } } } })
  end

  it("curves against the oracle", function()
    local r = check.random(30)
    for round = 1, 60 do
      local channel = check.randomChannel(r, "curve", r.pick({ "step", "linear", "cubic" }))
      local clip = curveClip(channel)
      for _, time in ipairs(check.times(r, clip:getDuration(), 20)) do
        check.near(keys.sample(channel, "curve", time), { clip:getCurve("blink", time) }, 1e-5,
          ("round %d, %s at %g"):format(round, channel.mode, time))
      end
    end
  end)

  it("properties are those of the key at or before", function()
    local clip = curveClip({ times = { 0 }, values = { 1 } })
    for time, value in pairs({ [0] = "open", [.25] = "open", [.49] = "open", [.5] = false, [.99] = false, [1] = 3,
      [2] = 3 }) do
      assert.are.equal(value, clip:getProperty("mouth", time))
    end
  end)
end)

describe("keys by hand", function()
  it("a time written as a decimal hits the key written as the same decimal", function()
    local times, values = {}, {}
    for i = 1, 60 do times[i], values[i] = i / 10, i end
    local clip = moving(times, values, "step")
    for i = 1, 60 do assert.are.equal(i, xAt(clip, i / 10)) end
    assert.are.equal(60, xAt(clip, clip:getDuration()))
  end)

  it("cubic: v 0 to 4, out-tangent 3, in-tangent 1, distance 2, middle: 2.5 (faults 71, 72)", function()
    local clip = newClip({ translation = { times = { 0, 2 }, mode = "cubic",
      values = { 9, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 4, 0, 0, 9, 0, 0 } } })
    check.near({ 2.5 }, { xAt(clip, 1) }, 1e-6)
  end)

  it("absent channels and joints are at rest", function()
    local rig = anim.newSkeleton({ { name = "a", translation = { 1, 2, 3 }, rotation = turn(Y, 30) },
      { name = "b", parent = "a", scale = { 2, 2, 2 } } })
    local clip = anim.newClip({ name = "c", skeleton = rig,
      tracks = { a = { rotation = { times = { 0 }, values = turn(X, 10) } } } })
    local pose = anim.newPose(rig)
    pose:set(2, 9, 9, 9, 0, 0, 0, 1, 9, 9, 9)
    clip:sample(0, pose)
    local got = check.read(pose, 2)
    check.near({ 1, 2, 3 }, got[1].t, 0)
    check.sameRotation(turn(X, 10), got[1].q, 1e-6)
    check.near({ 0, 0, 0 }, got[2].t, 0)
    check.near({ 2, 2, 2 }, got[2].s, 0)
  end)

  it("a clip longer than its keys holds the last key", function()
    expectX(moving({ .5, 1 }, { 1, 2 }, nil, 4), { [0] = 1, [.5] = 1, [.75] = 1.5, [1] = 2, [3] = 2, [4] = 2 })
  end)

  it("fault 63: neighbouring keys of opposite sign turn the short way", function()
    expectTurn(Y, 10, turning({ 0, 1 }, { { 0, 0, 0, 1 }, quat.scale(turn(Y, 20), -1) }), .5)
    local round = turning({ 0, 1, 2, 3, 4 }, { { 0, 0, 0, 1 }, turn(Y, 90), turn(Y, 180),
      { 0, .70710678, 0, -.70710678 }, { 0, 0, 0, 1 } })
    for i, degrees in ipairs({ 45, 135, 225, 315 }) do expectTurn(Y, degrees, round, i - .5) end
  end)

  local function splineTo(degrees)
    local none = { 0, 0, 0, 0 }
    return turning({ 0, 1 }, { none, { 0, 0, 0, 1 }, none, none, turn(Z, degrees), none }, "cubic")
  end

  it("fault 65: cubic rotation is normalised", function()
    expectTurn(Z, 45, splineTo(90), .5)
    expectTurn(Z, 85, splineTo(170), .5)
  end)

  it("fault 66: a cubic key stored with the other sign is the same rotation", function()
    local r = check.random(66)
    local channel = check.randomChannel(r, "rotation", "cubic")
    while #channel.times < 4 do channel = check.randomChannel(r, "rotation", "cubic") end
    local clip = newClip({ rotation = channel })
    for key = 1, #channel.times do
      local values = flat(channel.values)
      for i = (key - 1) * 12 + 1, key * 12 do values[i] = -values[i] end
      local other = newClip({ rotation = { times = channel.times, values = values, mode = "cubic" } })
      for _, time in ipairs(check.times(r, clip:getDuration(), 30)) do
        check.sameRotation(sampled(clip, time).q, sampled(other, time).q, 1e-6, ("key %d at %g"):format(key, time))
      end
    end
  end)

  it("fault 67: keys that are not unit are normalised, a zero one is an error", function()
    expectTurn(Z, 0, turning({ 0 }, { { 0, 0, 0, 2 } }), 0)
    expectTurn(Y, 40, turning({ 0, 1 }, { { 0, 0, 0, 5 }, quat.scale(turn(Y, 80), .25) }), .5)
    assert.has_error(function() turning({ 0 }, { { 0, 0, 0, 0 } }) end)
  end)

  it("fault 68: before a first key later than 0 that key holds", function()
    local clip = moving({ 1.5, 2.5 }, { 10, 20 })
    expectX(clip, { [0] = 10, [2] = 15, [3] = 20 })
    assert.are.equal(2.5, clip:getDuration())
  end)

  it("fault 69: a single key is the value at every time", function()
    for _, mode in ipairs({ "step", "linear" }) do
      expectX(moving({ .4 }, { 5 }, mode), { [-1] = 5, [0] = 5, [.4] = 5, [2] = 5 })
    end
    local cubic = newClip({ translation = { times = { .4 }, values = { 7, 0, 0, 5, 0, 0, 7, 0, 0 }, mode = "cubic" } })
    expectX(cubic, { [-1] = 5, [0] = 5, [.4] = 5, [2] = 5 })
  end)

  it("fault 70: STEP is the key at or before", function()
    expectX(moving({ 0, 1 }, { 1, 2 }, "step"), { [.49] = 1, [.51] = 1, [.999] = 1, [1] = 2 })
  end)

  it("fault 73: STEP beyond the last key is the last key", function()
    expectX(moving({ 0, 1 }, { 1, 2 }, "step"), { [1] = 2, [5] = 2 })
  end)

  it("fault 74: sample clamps at both ends and never wraps", function()
    expectX(moving({ 0, 1 }, { 1, 2 }), { [-.25] = 1, [1] = 2, [1.25] = 2, [1e9] = 2 })
    expectX(moving({ 0 }, { 3 }), { [-.25] = 3, [0] = 3, [1] = 3 })
  end)

  it("fault 75: outside the keys nothing is extrapolated", function()
    expectX(moving({ .1, .9 }, { 1, 2 }, nil, 1), { [.05] = 1, [.95] = 2, [.5] = 1.5 })
  end)

  it("fault 76: 48 frames at 12 per second last 3.917 s", function()
    local text = { "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n",
      "MOTION\nFrames: 48\nFrame Time: 0.0833333\n" }
    for i = 1, 48 do text[#text + 1] = ("%d 0 0\n"):format(i) end
    local model = assert(anim.decode(table.concat(text), "clip.bvh"))
    check.near({ 47 / 12 }, { model.clips[1]:getDuration() }, 1e-3)
  end)

  it("fault 77: cubic outputs are triplets, and tangents no rotations", function()
    local none, y5 = { 0, 0, 0, 0 }, turn(Y, 5)
    local clip = turning({ 0, 1 }, { none, { 0, 0, 0, 1 }, none, none, y5, none }, "cubic")
    expectTurn(Y, 0, clip, 0)
    expectTurn(Y, 5, clip, 1)
    assert.has_error(function() turning({ 0, 1 }, { none, y5, none }, "cubic") end)
  end)

  it("fault 118: keys that are not finite are refused", function()
    for _, bad in ipairs({ 0 / 0, 1 / 0, -1 / 0 }) do
      assert.has_error(function() moving({ 0 }, { bad }) end)
      assert.has_error(function() moving({ bad }, { 0 }) end)
      assert.has_error(function() turning({ 0 }, { { 0, bad, 0, 1 } }) end)
    end
  end)

  it("fault 118: huge and tiny keys give finite poses or an error", function()
    for _, big in ipairs({ 1e30, 1e38, 1e-30, 1e-45, 1e300, -1e38 }) do
      local made, clip = pcall(turning, { 0, 1 }, { { big, 0, 0, big }, { 0, big, 0, 0 } })
      if made then
        local q = sampled(clip, .5).q
        check.near({ 1 }, { math.sqrt(quat.dot(q, q)) }, 1e-5, "length for keys of " .. big)
      end
      made, clip = pcall(moving, { 0, 1 }, { big, -big })
      if made then assert.is_true(math.abs(xAt(clip, .5)) <= math.abs(big)) end
    end
  end)

  it("keys out of order or twice at one time: stable order, the later wins", function()
    local clip = moving({ 1, 0, 1 }, { 5, 1, 3 })
    expectX(clip, { [0] = 1, [.5] = 2, [1] = 3 })
  end)

  it("times that are not finite are refused", function()
    local clip, pose = moving({ 0, 1 }, { 1, 2 }), anim.newPose(skeleton)
    for _, bad in ipairs({ 0 / 0, 1 / 0, -1 / 0 }) do
      assert.has_error(function() clip:sample(bad, pose) end)
    end
    assert.has_error(function() clip:sample("x", pose) end)
    assert.has_error(function() clip:sample(0) end)
  end)

  it("a pose of another skeleton is refused", function()
    local other = anim.newPose(anim.newSkeleton({ { name = "other" } }))
    assert.has_error(function() moving({ 0 }, { 1 }):sample(0, other) end)
  end)
end)

describe("keys in files", function()
  local function rotationFile(times, rotations)
    local n = #times
    local numbers = flat(times, unpack(rotations))
    return ([[{"asset":{"version":"2.0"},"nodes":[{"name":"joint"}],"buffers":[%s],"bufferViews":[
      {"buffer":0,"byteLength":%d},{"buffer":0,"byteOffset":%d,"byteLength":%d}],"accessors":[
      {"bufferView":0,"componentType":5126,"count":%d,"type":"SCALAR","min":[%.9g],"max":[%.9g]},
      {"bufferView":1,"componentType":5126,"count":%d,"type":"VEC4"}],"animations":[{"channels":[
      {"sampler":0,"target":{"node":0,"path":"rotation"}}],"samplers":[{"input":0,"output":1}]}]}]]):format(
      check.buffer(numbers), 4 * n, 4 * n, 16 * n, n, times[1], times[n], n)
  end

  local function warned(model, word)
    for _, text in ipairs(model.warnings) do
      if text:find(word, 1, true) then return true end
    end
    return false
  end

  it("fault 67: a rotation key of length zero is a load error, a long one a warning", function()
    local model, message = anim.decode(rotationFile({ 0, 1 }, { { 0, 0, 0, 0 }, { 0, 0, 0, 1 } }), "zero.gltf")
    assert.is_nil(model)
    assert.is_string(message)
    model = assert(anim.decode(rotationFile({ 0, 1 }, { { 0, 0, 0, 2 }, { 0, 0, 0, 1 } }), "long.gltf"))
    assert.is_true(#model.warnings > 0)
    check.sameRotation({ 0, 0, 0, 1 }, sampled(model.clips[1], 0).q, 1e-6)
  end)

  it("fault 78: 0 and 359 degrees: half way is -0.5, and the loader warns of more than 180", function()
    local model = assert(anim.decode(rotationFile({ 0, 1 }, { { 0, 0, 0, 1 }, turn(Y, 359) }), "turn.gltf"))
    expectTurn(Y, -.5, model.clips[1], .5)
    assert.is_true(warned(model, "180"), "a warning that names 180 degrees")
  end)

  it("fault 118: keys that are not finite are a load error", function()
    for _, bad in ipairs({ 1 / 0, 0 / 0, -1 / 0 }) do
      local model = anim.decode(rotationFile({ 0, 1 }, { { 0, 0, 0, 1 }, { bad, 0, 0, 1 } }), "endless.gltf")
      assert.is_nil(model)
    end
  end)
end)

describe("the oracle itself", function()
  it("gives the figures of semantics 3", function()
    local cubic = { times = { 0, 2 }, values = { 9, 0, 3, 1, 4, 9 }, mode = "cubic" }
    check.near({ 2.5 }, keys.sample(cubic, "curve", 1), 1e-15)
    local step = { times = { 0, 1 }, values = { 1, 2 }, mode = "step" }
    check.near({ 1, 2, 2 }, { keys.sample(step, "curve", .999)[1], keys.sample(step, "curve", 1)[1],
      keys.sample(step, "curve", 5)[1] }, 0)
  end)

  it("turns points as matrices do", function()
    local r = check.random(3)
    for _ = 1, 100 do
      local q, v = r.rotation(3), r.vector(2)
      local m = reference.mat.compose({ 0, 0, 0 }, q, { 1, 1, 1 })
      check.near(reference.mat.point(m, v), quat.rotate(q, v), 1e-14)
      local b = r.rotation(3)
      check.near(quat.rotate(quat.mul(q, b), v), quat.rotate(q, quat.rotate(b, v)), 1e-14)
      check.near({ vec.length(v) }, { vec.length(quat.rotate(q, v)) }, 1e-14)
    end
  end)

  it("slerp turns evenly, the short way", function()
    for w = 0, 1, .125 do
      check.sameRotation(turn(X, 170 * w), quat.slerp(turn(X, 0), quat.scale(turn(X, 170), -1), w), 1e-14)
    end
  end)
end)

it("what turns by less than a float can tell is 0, in rest poses and in keys: squares of it would be slow", function()
  local tiny = { 1e-22, -1e-17, 0, 1 }
  local rest = anim.newSkeleton({ { name = "joint", rotation = tiny } })
  local clip = newClip({ rotation = { times = { 0 }, values = tiny } }, 1)
  assert.same({ 0, 0, 0, 1 }, check.read(anim.newPose(rest), 1)[1].q)
  assert.same({ 0, 0, 0, 1 }, sampled(clip, .5).q)
  assert.same({ 0, 0, 0, 1 }, sampled(clip:pack({ form = "fast" }), .5).q)
end)
