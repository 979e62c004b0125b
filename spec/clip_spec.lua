-- Clips: getters, events, and new clips out of old ones, against the oracle.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local reference = require("spec.support.reference")
local oracle, quat = reference.pose, reference.quat

local X = { 1, 0, 0 }

local function turn(axis, degrees) return quat.fromAxisAngle(axis, math.rad(degrees)) end

-- A random rig and clip as description and as Clip.
local function randomCase(seed, describe_)
  local r = check.random(seed)
  local skeleton = anim.newSkeleton(describe_ and describe_(r) or check.randomSkeleton(r, r.integer(2, 25)))
  local case = { r = r, skeleton = skeleton, rig = check.rig(skeleton) }
  case.description = check.randomClip(r, skeleton)
  case.clip = anim.newClip(case.description)
  case.duration = case.clip:getDuration()
  function case.times(count) return check.times(r, case.duration, count or 20) end
  function case.expect(time) return oracle.sample(case.rig, case.description, time) end
  return case
end

local function sampled(clip, time)
  local pose = anim.newPose(clip:getSkeleton())
  clip:sample(time, pose)
  return check.read(pose, #clip:getSkeleton())
end

local function names(list)
  local out = {}
  for i, item in ipairs(list) do out[i] = item.name end
  return out
end

local one = anim.newSkeleton({ { name = "joint" }, { name = "tip", parent = "joint", translation = { 0, 1, 0 } } })

local function walk(extra)
  local description = { name = "walk", skeleton = one,
    tracks = { joint = { rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, 1, 0, 0, 0 } } } },
    events = { { time = .75, name = "step.R", data = 7 }, { time = .25, name = "step.L" },
      { time = .5, name = "dust", duration = .125 } },
    markers = { { time = .1, name = "L" }, { time = .6, name = "R" } } }
  for key, value in pairs(extra or {}) do description[key] = value end
  return anim.newClip(description)
end

describe("a clip", function()
  it("comes alone, so that newClip can stand as an argument", function()
    local flipped = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, 0, 0, -1 } }
    assert.are.equal(1, select("#", anim.newClip({ name = "c", skeleton = one,
      tracks = { joint = { rotation = flipped } } })))
  end)

  it("says what it is", function()
    local clip = walk()
    assert.are.equal("walk", clip:getName())
    assert.are.equal(1, clip:getDuration())
    assert.are.equal(true, clip:getLoop())
    assert.are.equal(one, clip:getSkeleton())
    assert.truthy(tostring(clip):find("walk", 1, true))
    assert.are.equal(false, walk({ loop = false }):getLoop())
    assert.are.equal("pingpong", walk({ loop = "pingpong" }):getLoop())
    assert.are.equal(3, walk({ duration = 3 }):getDuration())
  end)

  it("lists events and markers by time", function()
    local events = walk():getEvents()
    assert.are.same({ "step.L", "dust", "step.R" }, names(events))
    assert.are.same({ .25, .5, .75 }, { events[1].time, events[2].time, events[3].time })
    assert.are.equal(7, events[3].data)
    assert.is_nil(events[1].data)
    assert.are.equal(.125, events[2].duration)
    assert.is_nil(events[1].duration)
    local markers = walk():getMarkers()
    assert.are.same({ "L", "R" }, names(markers))
    assert.are.equal(.6, markers[2].time)
  end)

  it("keeps event data of any type, the very same object", function()
    local object = {}
    local func = function() end
    for _, value in ipairs({ object, func, "text", 3.5, true, io.stdout }) do
      local clip = walk():addEvent(.3, "e", value)
      collectgarbage()
      local found
      for _, event in ipairs(clip:getEvents()) do if event.name == "e" then found = event.data end end
      assert.are.equal(value, found)
    end
    assert.are.equal(false, walk({ events = { { time = 0, name = "e", data = false } } }):getEvents()[1].data)
  end)

  it("addEvent gives a new clip and leaves the old one", function()
    local old = walk()
    local new = old:addEvent(.3, "whistle", { 1 })
    assert.are.equal(3, #old:getEvents())
    assert.are.same({ "step.L", "whistle", "dust", "step.R" }, names(new:getEvents()))
    assert.are.equal(old:getName(), new:getName())
    assert.are.equal(2, #new:getMarkers())
    check.identical(sampled(old, .4), sampled(new, .4))
    assert.are.equal("late", walk():addEvent(1, "late"):getEvents()[4].name)
    assert.has_error(function() old:addEvent(1.5, "late") end)
    assert.has_error(function() old:addEvent(-.1, "early") end)
    assert.has_error(function() old:addEvent(0 / 0, "never") end)
    assert.has_error(function() old:addEvent(.5) end)
  end)

  it("withLoop gives a new clip and leaves the old one", function()
    local old = walk()
    for _, mode in ipairs({ true, false, "pingpong" }) do assert.are.equal(mode, old:withLoop(mode):getLoop()) end
    assert.are.equal(true, old:getLoop())
    assert.are.equal(3, #old:withLoop(false):getEvents())
    for _, bad in ipairs({ "loop", 1, {} }) do assert.has_error(function() old:withLoop(bad) end) end
  end)

  it("getSize is what it holds: it grows with the keys, and derived clips share them", function()
    local function size(keys)
      local times, values = {}, {}
      for i = 1, keys do
        times[i] = i + i % 3 / 8
        for c = 1, 3 do values[3 * i + c - 3] = c * i end
      end
      return anim.newClip({ name = "c", skeleton = one,
        tracks = { joint = { translation = { times = times, values = values } } } }):getSize()
    end
    local small, large = size(10), size(1010)
    assert.is_true(small > 0 and small < 4096, "small: " .. small)
    local perKey = (large - small) / 1000
    assert.is_true(perKey >= 12 and perKey <= 20, "bytes a key: " .. perKey)
  end)

  it("mistakes in a description are errors that name the place", function()
    local function refused(description, word)
      description.name = description.name or "c"
      description.skeleton = description.skeleton or one
      local made, message = pcall(anim.newClip, description)
      assert.is_false(made, "accepted: " .. word)
      assert.truthy(tostring(message):find(word, 1, true), message)
    end
    local good = { times = { 0, 1 }, values = { 0, 0, 0, 1, 1, 1 } }
    refused({ tracks = { nobody = { translation = good } } }, "nobody")
    refused({ tracks = { joint = { position = good } } }, "position")
    refused({ tracks = { joint = { rotation = good } } }, "rotation")
    refused({ tracks = { joint = { translation = { times = { 0, 1 }, values = { 0, 0, 0 } } } } }, "translation")
    refused({ tracks = { joint = { translation = { times = {}, values = {} } } } }, "translation")
    refused({ tracks = { joint = { scale = { times = { 0 }, values = { 1, 1, "x" } } } } }, "scale")
    refused({ tracks = { joint = { scale = { times = { 0 }, values = { 1, 1, 1 }, mode = "bezier" } } } }, "bezier")
    refused({ tracks = { joint = { translation = { times = { -1 }, values = { 0, 0, 0 } } } } }, "translation")
    refused({ tracks = 3 }, "tracks")
    refused({ duration = -1 }, "duration")
    refused({ duration = 0 / 0 }, "duration")
    refused({ loop = "often" }, "loop")
    refused({ lop = true }, "lop")
    refused({ duration = 1, events = { { time = 2, name = "e" } } }, "events")
    refused({ duration = 1, events = { { time = .5 } } }, "events")
    refused({ duration = 1, markers = { { time = 2, name = "L" } } }, "markers")
    refused({ curves = { c = { times = { 0 }, values = { 0 / 0 } } } }, "curves")
    assert.has_error(function() anim.newClip({ name = "c" }) end)
    assert.has_error(function() anim.newClip() end)
  end)

  it("without keys: the given length, the rest pose", function()
    local clip = anim.newClip({ name = "pause", skeleton = one, duration = 2 })
    assert.are.equal(2, clip:getDuration())
    check.samePose(oracle.rest(check.rig(one)), sampled(clip, 1), 0)
    assert.are.equal(0, anim.newClip({ name = "nothing", skeleton = one }):getDuration())
  end)

  it("curves and properties count for the length", function()
    local clip = anim.newClip({ name = "c", skeleton = one,
      curves = { blink = { times = { 0, 2 }, values = { 0, 1 } } },
      properties = { mouth = { times = { 0, 3 }, values = { "open", "shut" } } } })
    assert.are.equal(3, clip:getDuration())
  end)
end)

describe("slice", function()
  for seed = 1, 20 do
    it("shows the part of the clip, seed " .. seed, function()
      local case = randomCase(seed)
      if case.duration == 0 then return end
      local t0 = case.r.integer(0, math.floor(case.duration * 32)) / 64
      local t1 = case.duration - case.r.integer(0, math.floor((case.duration - t0) * 32)) / 64
      local part = case.clip:slice(t0, t1)
      check.near({ t1 - t0 }, { part:getDuration() }, 1e-6)
      for _, time in ipairs(case.times(30)) do
        local inside = math.max(0, math.min(time, t1 - t0))
        local where = ("%g to %g at %g"):format(t0, t1, time)
        check.samePose(case.expect(t0 + inside), sampled(part, time), 1e-5, where)
      end
    end)
  end

  it("keeps the events and markers inside, counted from its start", function()
    local part = walk():slice(.25, .6)
    assert.are.same({ "step.L", "dust" }, names(part:getEvents()))
    check.near({ 0, .25 }, { part:getEvents()[1].time, part:getEvents()[2].time }, 1e-6)
    check.near({ .1 }, { part:getEvents()[2].duration }, 1e-6)
    assert.are.same({ "R" }, names(part:getMarkers()))
    check.near({ .35 }, { part:getMarkers()[1].time }, 1e-6)
  end)

  -- Half way this spline is a short quaternion on the way to a key stored with the other sign: the key made at a cut
  -- has to take the same side.
  it("of a spline through a sign change is the spline", function()
    local last = turn({ 0, 1, 0 }, 130)
    local slope = quat.scale(quat.add({ 0, 0, 0, 1 }, last), -2.4)
    local values = { 0, 0, 0, 0, 0, 0, 0, 1, slope[1], slope[2], slope[3], slope[4],
      slope[1], slope[2], slope[3], slope[4], -last[1], -last[2], -last[3], -last[4], 0, 0, 0, 0 }
    local clip = anim.newClip({ name = "c", skeleton = one,
      tracks = { joint = { rotation = { times = { 0, 1 }, values = values, mode = "cubic" } } } })
    local half = clip:slice(.5, 1)
    for i = 0, 8 do check.samePose(sampled(clip, .5 + i / 16), sampled(half, i / 16), 1e-5, "at " .. i / 16) end
  end)

  it("takes 0 <= t0 < t1 <= duration only", function()
    local clip = walk()
    for _, bad in ipairs({ { .5, .25 }, { -1, .5 }, { 0, 2 }, { 0 / 0, 1 }, { 0, "x" }, { .5, .5 } }) do
      assert.has_error(function() clip:slice(bad[1], bad[2]) end)
    end
    check.samePose(sampled(clip, .3), sampled(clip:slice(0, 1), .3), 1e-6)
  end)
end)

describe("reverse", function()
  -- A STEP key holds until the next one, so backwards a value begins where the next key was: on inner keys the two
  -- directions differ, and those times are left out. The first and the last pose are those of the clip.
  for seed = 1, 20 do
    it("shows the clip backwards, seed " .. seed, function()
      local case = randomCase(seed)
      local back = case.clip:reverse()
      check.near({ case.duration }, { back:getDuration() }, 1e-6)
      for _, time in ipairs(case.times(30)) do
        local off = math.max(0, math.min(time + 1 / 1024, case.duration))
        check.samePose(case.expect(case.duration - off), sampled(back, off), 1e-5, "at " .. off)
      end
    end)
  end

  it("twice is the clip", function()
    for seed = 1, 10 do
      local case = randomCase(seed)
      local again = case.clip:reverse():reverse()
      for _, time in ipairs(case.times(20)) do
        check.samePose(case.expect(time), sampled(again, time), 1e-5, ("seed %d at %g"):format(seed, time))
      end
    end
  end)

  it("turns events, ranges and markers round", function()
    local back = walk():reverse()
    assert.are.same({ "step.R", "dust", "step.L" }, names(back:getEvents()))
    local events = back:getEvents()
    check.near({ .25, .375, .75 }, { events[1].time, events[2].time, events[3].time }, 1e-6)
    assert.are.equal(.125, events[2].duration)
    assert.are.same({ "R", "L" }, names(back:getMarkers()))
    check.near({ .4, .9 }, { back:getMarkers()[1].time, back:getMarkers()[2].time }, 1e-6)
  end)
end)

describe("mirror", function()
  local normals = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }

  local function mirrored(case, normal, time, pairs_)
    return reference.clip.mirrorPose(case.rig, case.expect(time), normal, pairs_)
  end

  for seed = 1, 10 do
    it("against the oracle, seed " .. seed, function()
      local case = randomCase(seed, check.sidedSkeleton)
      for axis, normal in pairs(normals) do
        local clip = case.clip:mirror(axis)
        for _, time in ipairs(case.times()) do
          check.samePose(mirrored(case, normal, time), sampled(clip, time), 1e-5, axis .. " at " .. time)
        end
      end
    end)
  end

  it("twice is the clip", function()
    for seed = 1, 20 do
      local case = randomCase(seed, check.sidedSkeleton)
      local again = case.clip:mirror("x"):mirror("x")
      for _, time in ipairs(case.times()) do
        check.samePose(case.expect(time), sampled(again, time), 1e-5, ("seed %d at %g"):format(seed, time))
      end
    end
  end)

  it("leaves the rest pose as it is", function()
    local case = randomCase(3, check.sidedSkeleton)
    local tracks = {}
    for _, joint in ipairs(case.rig) do
      tracks[joint.name] = { rotation = { times = { 0 }, values = joint.rest.q },
        translation = { times = { 0 }, values = joint.rest.t } }
    end
    local clip = anim.newClip({ name = "rest", skeleton = case.skeleton, tracks = tracks })
    check.samePose(oracle.rest(case.rig), sampled(clip:mirror("x"), 0), 1e-6)
  end)

  it("with given pairs", function()
    local case = randomCase(4, check.sidedSkeleton)
    local two = { { "arm.L", "arm.R" }, { "hand.L", "hand.R" } }
    local clip = case.clip:mirror("x", two)
    for _, time in ipairs(case.times()) do
      check.samePose(mirrored(case, normals.x, time, two), sampled(clip, time), 1e-5, "at " .. time)
    end
  end)

  it("a joint of one side alone keeps its place in its parent", function()
    local function describe_(r)
      local list = check.sidedSkeleton(r)
      list[#list + 1] = { name = "sword", parent = "hand.L", translation = { 0, .2, 0 }, rotation = r.rotation(2) }
      list[#list + 1] = { name = "blade.L", parent = "sword", translation = { 0, .2, 0 } }
      list[#list + 1] = { name = "blade.R", parent = "hips", translation = { 0, .2, 0 } }
      return list
    end
    for seed = 1, 5 do
      local case = randomCase(seed, describe_)
      local clip = case.clip:mirror("x")
      local again = clip:mirror("x")
      for _, time in ipairs(case.times()) do
        check.samePose(mirrored(case, normals.x, time), sampled(clip, time), 1e-5, "at " .. time)
        check.samePose(case.expect(time), sampled(again, time), 1e-5, "twice, at " .. time)
      end
    end
  end)

  it("a raised left hand becomes a raised right hand", function()
    local rig = anim.newSkeleton({ { name = "hips" },
      { name = "hand.L", parent = "hips", translation = { 1, 0, 0 } },
      { name = "hand.R", parent = "hips", translation = { -1, 0, 0 } } })
    local clip = anim.newClip({ name = "raise", skeleton = rig, tracks = {
      ["hand.L"] = { translation = { times = { 0, 1 }, values = { 1, 0, 0, 1.25, 2, .5 } } } } })
    local pose = anim.newPose(rig)
    clip:mirror("x"):sample(1, pose)
    check.near({ -1.25, 2, .5 }, { pose:getPosition("hand.R") }, 1e-6)
    check.near({ 1, 0, 0 }, { pose:getPosition("hand.L") }, 1e-6)
  end)

  it("markers and events change sides", function()
    local clip = walk():mirror("x")
    assert.are.same({ "R", "L" }, names(clip:getMarkers()))
    assert.are.same({ "step.R", "dust", "step.L" }, names(clip:getEvents()))
    local sides = walk({ markers = { { time = 0, name = "footLeft" }, { time = .5, name = "footRight" },
      { time = .7, name = "left" }, { time = .8, name = "Lean" } } }):mirror("x")
    assert.are.same({ "footRight", "footLeft", "right", "Lean" }, names(sides:getMarkers()))
  end)

  it("mistakes are errors", function()
    local clip = randomCase(5, check.sidedSkeleton).clip
    assert.has_error(function() clip:mirror("w") end)
    assert.has_error(function() clip:mirror() end)
    assert.has_error(function() clip:mirror("x", { { "arm.L", "nobody" } }) end)
    assert.has_error(function() clip:mirror("x", { { "arm.L" } }) end)
    assert.has_error(function() clip:mirror("x", "arm.L") end)
  end)
end)

describe("toAdditive", function()
  local function against(case, time, pose)
    return reference.clip.additive(case.rig, case.description, time, pose)
  end

  for seed = 1, 20 do
    it("against the oracle, seed " .. seed, function()
      local case, other = randomCase(seed), check.random(seed + 1000)
      local pose = check.randomPose(other, case.rig)
      local second = check.randomClip(other, case.skeleton, "second")
      local first, toPose = case.clip:toAdditive(), case.clip:toAdditive(check.write(anim.newPose(case.skeleton), pose))
      local secondClip = anim.newClip(second)
      local toClip, later = case.clip:toAdditive(secondClip), case.clip:toAdditive(secondClip, .5)
      for _, time in ipairs(case.times()) do
        local where = "at " .. time
        check.samePose(against(case, time), sampled(first, time), 1e-5, "own first key, " .. where)
        check.samePose(against(case, time, pose), sampled(toPose, time), 1e-5, "pose, " .. where)
        check.samePose(against(case, time, oracle.sample(case.rig, second, 0)), sampled(toClip, time), 1e-5,
          "clip, " .. where)
        check.samePose(against(case, time, oracle.sample(case.rig, second, .5)), sampled(later, time), 1e-5,
          "clip at .5, " .. where)
      end
    end)
  end

  it("added to its reference gives the clip back", function()
    for seed = 1, 10 do
      local case = randomCase(seed)
      local delta = case.clip:toAdditive()
      local pose, layer = anim.newPose(case.skeleton), anim.newPose(case.skeleton)
      for _, time in ipairs(case.times()) do
        case.clip:sample(-1, pose)
        delta:sample(time, layer)
        pose:add(layer, 1)
        check.samePose(case.expect(time), check.read(pose, #case.rig), 1e-5, ("seed %d at %g"):format(seed, time))
      end
    end
  end)

  it("of a delta is an error, and so is what is no reference", function()
    local clip = walk()
    assert.has_error(function() clip:toAdditive():toAdditive() end)
    assert.has_error(function() clip:toAdditive(3) end)
    assert.has_error(function() clip:toAdditive(clip, 0 / 0) end)
    assert.has_error(function() clip:toAdditive(clip, 0, 1, "x") end)
    assert.has_error(function() clip:toAdditive(anim.newPose(anim.newSkeleton({ { name = "x" } }))) end)
    assert.are.equal("walk", clip:toAdditive():getName())
    assert.are.equal(3, #clip:toAdditive():getEvents())
  end)
end)

describe("retarget", function()
  -- The same joints in another order, with bones `k` times as long, one joint missing and one more.
  local function target(case, k, missing)
    local list = { { name = "extra", parent = case.rig[1].name, translation = { 1, 2, 3 } } }
    for j = #case.rig, 1, -1 do
      local joint = case.rig[j]
      local parent = joint.parent and case.rig[joint.parent].name
      if joint.name ~= missing then
        list[#list + 1] = { name = joint.name, parent = parent, rotation = joint.rest.q, scale = joint.rest.s,
          translation = reference.vec.scale(joint.rest.t, k) }
      end
    end
    return anim.newSkeleton(list)
  end

  local function leaf(case)
    for j = #case.rig, 2, -1 do
      local name, isParent = case.rig[j].name, false
      for _, joint in ipairs(case.rig) do isParent = isParent or joint.parent == j end
      if not isParent and case.description.tracks[name] then return name end
    end
  end

  for seed = 1, 10 do
    it("by name, translations by the length of the bone, seed " .. seed, function()
      local case = randomCase(seed)
      local missing = leaf(case)
      local skeleton = target(case, 2.5, missing)
      local rig = check.rig(skeleton)
      local clip, unbound = case.clip:retarget(skeleton)
      assert.are.equal(skeleton, clip:getSkeleton())
      assert.are.same({ missing }, unbound)
      for _, time in ipairs(case.times()) do
        local expected = reference.clip.retargetPose(case.rig, case.expect(time), rig, case.description.tracks)
        check.samePose(expected, sampled(clip, time), 1e-5, "at " .. time)
      end
    end)
  end

  it("to the same skeleton is the clip", function()
    local case = randomCase(11)
    local clip, unbound = case.clip:retarget(case.skeleton)
    assert.are.same({}, unbound)
    for _, time in ipairs(case.times()) do check.samePose(case.expect(time), sampled(clip, time), 1e-6) end
  end)

  it("fault 120: absent joints are reported, extra ones rest", function()
    local source = anim.newSkeleton({ { name = "root" }, { name = "hips", parent = "root", translation = { 0, 1, 0 } },
      { name = "tail", parent = "hips", translation = { 0, 1, 0 } } })
    local clip = anim.newClip({ name = "c", skeleton = source, tracks = {
      hips = { rotation = { times = { 0 }, values = turn(X, 30) } },
      tail = { rotation = { times = { 0 }, values = turn(X, 30) } } } })
    local other = anim.newSkeleton({ { name = "Armature" },
      { name = "hips", parent = "Armature", translation = { 0, 1, 0 } },
      { name = "hat", parent = "hips", rotation = turn(X, 5) } })
    local bound, unbound = clip:retarget(other)
    assert.are.same({ "tail" }, unbound)
    local got = sampled(bound, 0)
    check.sameRotation(turn(X, 30), got[2].q, 1e-6)
    check.sameRotation(turn(X, 5), got[3].q, 1e-6)
    check.sameRotation({ 0, 0, 0, 1 }, got[1].q, 0)
  end)

  it("with a map of names, clip's joint to skeleton's joint", function()
    local other = anim.newSkeleton({ { name = "Bone" }, { name = "Tip", parent = "Bone", translation = { 0, 2, 0 } } })
    local clip, unbound = walk():retarget(other, { joint = "Bone" })
    assert.are.same({}, unbound)
    check.sameRotation({ 1, 0, 0, 0 }, sampled(clip, 1)[1].q, 1e-6)
    assert.has_error(function() walk():retarget(other, { joint = "nobody" }) end)
    assert.has_error(function() walk():retarget(nil) end)
  end)

  it("keeps events and markers", function()
    local clip = walk():retarget(anim.newSkeleton({ { name = "joint" } }))
    assert.are.same({ "step.L", "dust", "step.R" }, names(clip:getEvents()))
    assert.are.same({ "L", "R" }, names(clip:getMarkers()))
  end)
end)

describe("real clips", function()
  local function withClip(file, index, body)
    data.it(it, pending, file, file, function()
      local model = assert(anim.load(data.path(file)))
      body(model.clips[index], model)
    end)
  end

  local function same(clip, other, map, what)
    for i = 0, 20 do
      local time = clip:getDuration() * (i + .013) / 20
      local expected, got = sampled(clip, math.min(time, clip:getDuration())), sampled(other, map(time))
      check.samePose(expected, got, 2e-5 + check.packedTurn, what)
    end
  end

  local function derive(clip)
    local duration = clip:getDuration()
    local function as(time) return math.min(time, duration) end
    same(clip, clip:mirror("x"):mirror("x"), as, "mirrored twice")
    same(clip, clip:reverse(), function(time) return duration - as(time) end, "reversed")
    same(clip, clip:slice(0, duration), as, "sliced whole")
    same(clip, clip:retarget(clip:getSkeleton()), as, "retargeted to itself")
    local delta, pose, layer = clip:toAdditive(), anim.newPose(clip:getSkeleton()), anim.newPose(clip:getSkeleton())
    for i = 0, 10 do
      clip:sample(0, pose)
      delta:sample(duration * i / 10, layer)
      pose:add(layer, 1)
      local got = check.read(pose, #clip:getSkeleton())
      check.samePose(sampled(clip, duration * i / 10), got, 2e-5 + check.packedTurn, "delta added")
    end
  end

  withClip("khronos/CesiumMan/glTF-Binary/CesiumMan.glb", 1, derive)
  withClip("humanoid/kaykit_adventurers/Knight.glb", 72, derive)
  withClip("nasty/gltfpack/CesiumMan_cc.glb", 1, derive)

  it("a mirrored walk of the Knight puts the left foot where the right one was", function()
    local file = "humanoid/kaykit_adventurers/Knight.glb"
    if not data.has(file) then return pending("skipped: no " .. file) end
    local model = assert(anim.load(data.path(file)))
    local clip = model.clips.Walking_A
    local other, pose, image = clip:mirror("x"), anim.newPose(model.skeleton), anim.newPose(model.skeleton)
    for i = 0, 10 do
      clip:sample(i / 10, pose)
      other:sample(i / 10, image)
      local x, y, z = pose:getPosition("foot.l")
      check.near({ -x, y, z }, { image:getPosition("foot.r") }, 1e-3, "at " .. i / 10)
    end
  end)
end)
