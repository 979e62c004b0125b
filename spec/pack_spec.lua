-- clip:pack: the error bound against the exact clip and against the oracle, what stays exact, files, sizes.
local anim = require("anim")
local core = require("anim.core")
local check = require("spec.support.check")
local data = require("spec.support.data")
local raises = require("spec.support.raises").message
local reference = require("spec.support.reference")
local scratch = require("spec.support.scratch")

local forms = { "small", "fast" }
local shell = 0.03 -- metres: where errors are measured around a joint

-- A clip as the oracle takes it.
local function describe_(clip)
  local rig, tracks = clip:getSkeleton(), {}
  for j = 1, #rig do
    local channels = {}
    for _, channel in ipairs({ clip:getChannels(j) }) do channels[channel] = clip:getTrack(j, channel) end
    if next(channels) then tracks[rig:getName(j)] = channels end
  end
  return { tracks = tracks }
end

local function assertRaises(part, body)
  local message = raises(body)
  assert.is_truthy(message:find(part, 1, true), message)
end

-- Largest distance of the three points around each joint between lists of matrices, 16 numbers each.
local function distance(a, b)
  local most = 0
  for j = 1, #a do
    local m, n = a[j], b[j]
    for axis = 0, 2 do
      local square = 0
      for i = 1, 3 do
        local d = m[12 + i] - n[12 + i] + shell * (m[4 * axis + i] - n[4 * axis + i])
        square = square + d * d
      end
      most = math.max(most, math.sqrt(square))
    end
  end
  return most
end

local function matrices(pose, count)
  local out = {}
  for j = 1, count do out[j] = { pose:getMatrix(j) } end
  return out
end

local function sampled(clip, time)
  local pose = anim.newPose(clip:getSkeleton())
  clip:sample(time, pose)
  return pose
end

local function extent(list)
  local most = 0
  for _, m in ipairs(list) do most = math.max(most, math.abs(m[13]), math.abs(m[14]), math.abs(m[15])) end
  return most
end

-- Single precision, down a chain of joints: what comes on top of an error in model space.
local function slack(list) return 4e-6 * (1 + extent(list)) end

-- Frames, halves and eighths, a few of each spread over the clip.
local function timesOf(report, duration, count)
  local times = { 0, duration, -1, duration + 1 }
  local frames = math.max(1, report.frames - 1)
  for i = 0, count - 1 do
    local eighths = math.floor(8 * frames * i / count)
    times[#times + 1] = eighths * duration / (8 * frames)
  end
  return times
end

local function assertWithin(clip, packed, report, bound, count, what)
  local joints = #clip:getSkeleton()
  assert.is_true(report.maxError <= bound, ("%s: %g reported"):format(what, report.maxError))
  local exact, pose = anim.newPose(clip:getSkeleton()), anim.newPose(clip:getSkeleton())
  for _, time in ipairs(timesOf(report, clip:getDuration(), count)) do
    clip:sample(time, exact)
    packed:sample(time, pose)
    local a, b = matrices(exact, joints), matrices(pose, joints)
    local off = distance(a, b)
    assert.is_true(off <= bound + slack(a), ("%s at %.6f: %g m off"):format(what, time, off))
  end
end

local function assertNearOracle(clip, packed, report, bound, count, what)
  local rig, description = check.rig(clip:getSkeleton()), describe_(clip)
  for _, time in ipairs(timesOf(report, clip:getDuration(), count)) do
    local expected = reference.pose.toModel(rig, reference.pose.sample(rig, description, time))
    local off = distance(expected, matrices(sampled(packed, time), #rig))
    assert.is_true(off <= bound + slack(expected), ("%s at %.6f: %g m from the oracle"):format(what, time, off))
  end
end

-- A rig of a few joints that swing and a clip of it; `ends` as it began where `closes`.
local skeleton = anim.newSkeleton({
  { name = "hips", translation = { 0, 1, 0 } },
  { name = "spine", parent = "hips", translation = { 0, 0.4, 0 } },
  { name = "arm", parent = "spine", translation = { 0.2, 0.3, 0 }, rotation = { 0, 0.6, 0, 0.8 } },
  { name = "hand", parent = "arm", translation = { 0, 0.5, 0 } },
  { name = "tip", parent = "hand", translation = { 0, 0.1, 0 } },
})

local function wave(count, width, f)
  local times, values = {}, {}
  for i = 0, count - 1 do
    times[i + 1] = i / 30
    local v = { f(2 * math.pi * (i % (count - 1)) / (count - 1)) }
    local length = 1
    if width == 4 then length = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2 + v[4] ^ 2) end
    for k = 1, width do values[#values + 1] = v[k] / length end
  end
  return { times = times, values = values }
end

local function swing(size, phase)
  return function(u) return size * math.sin(u + phase), 0.1 * math.cos(2 * u), size * math.cos(u) / 3, 1 end
end

local function waving(count, more, datum)
  local tracks = {
    hips = { translation = wave(count, 3, function(u) return 0.3 * math.sin(u), 1 + 0.05 * math.cos(2 * u), 0 end),
      rotation = wave(count, 4, swing(0.2, 0)) },
    spine = { rotation = wave(count, 4, swing(0.1, 1)),
      scale = wave(count, 3, function(u) return 1, 1 + 0.1 * math.sin(u), 1 end) },
    arm = { rotation = wave(count, 4, swing(0.5, 2)) },
    hand = { rotation = { times = { 0 }, values = { 0, 0.6, 0, 0.8 } } },
  }
  for joint, channels in pairs(more or {}) do tracks[joint] = channels end
  return anim.newClip({ name = "wave", skeleton = skeleton, tracks = tracks,
    events = { { time = 0.1, name = "step", data = datum or { 1 } } }, markers = { { time = 0.2, name = "L" } },
    curves = { smile = { times = { 0, 1 }, values = { 0, 1 } } },
    properties = { mouth = { times = { 0, 0.5 }, values = { "open", "shut" } } } })
end

describe("clip:pack", function()
  it("is a clip like any other, and reports", function()
    local clip = waving(61)
    local packed, report = clip:pack()
    assert.is_nil(clip:getForm())
    assert.are.equal("small", packed:getForm())
    assert.are.equal("small", report.form)
    assert.are.equal(clip:getDuration(), packed:getDuration())
    assert.are.equal(clip:getLastKey(), packed:getLastKey())
    assert.are.equal(clip:getLoop(), packed:getLoop())
    assert.are.same(clip:getEvents(), packed:getEvents())
    assert.are.same(clip:getMarkers(), packed:getMarkers())
    assert.are.equal(clip:getCurve("smile", 0.5), packed:getCurve("smile", 0.5))
    assert.are.equal("shut", packed:getProperty("mouth", 0.6))
    for j = 1, #skeleton do assert.are.same({ clip:getChannels(j) }, { packed:getChannels(j) }) end
    assert.are.equal(61, report.frames)
    assert.is_true(math.abs(report.rate - 30) < 1e-3)
    assert.is_true(report.bytes > 100 and report.ratio > 3)
    assert.is_true(report.maxError > 0 and report.maxError <= 1e-4 and report.meanError <= report.maxError)
    assert.is_truthy(skeleton:find(report.worstJoint))
    assert.is_true(report.worstTime >= 0 and report.worstTime <= 2 and report.seconds >= 0)
    assert.are.same({}, report.exact)
    assert.is_true(packed:getSize() < clip:getSize())
    assert.is_true(packed:getSize() > report.bytes)
  end)

  it("takes little memory where clips are long", function()
    local clip = waving(301)
    assert.is_true(clip:pack():getSize() < clip:getSize() / 3)
  end)

  it("refuses options that are none", function()
    local clip = waving(11)
    assertRaises("error", function() clip:pack({ error = 0 }) end)
    assertRaises("error", function() clip:pack({ error = -1 }) end)
    assertRaises("error", function() clip:pack({ error = 0 / 0 }) end)
    assertRaises("form", function() clip:pack({ form = "tiny" }) end)
    assertRaises("rate", function() clip:pack({ rate = 0 }) end)
    assertRaises("did you mean 'error'", function() clip:pack({ eror = 1 }) end)
    assertRaises("table", function() clip:pack(1) end)
  end)

  for _, form in ipairs(forms) do
    it(form .. ": keeps the bound, small or large, against the exact clip and the oracle", function()
      for _, count in ipairs({ 3, 6, 31, 32, 33, 34, 150 }) do
        local clip = waving(count)
        for _, bound in ipairs({ 1e-2, 1e-4, 1e-5 }) do
          local packed, report = clip:pack({ error = bound, form = form })
          local what = ("%d keys, %g"):format(count, bound)
          assertWithin(clip, packed, report, bound, 50, what)
          assertNearOracle(clip, packed, report, bound, 10, what)
        end
      end
    end)

    it(form .. ": keeps the bound for clips of all kinds of keys at any times", function()
      for seed = 1, 12 do
        local r = check.random(seed)
        local random = anim.newSkeleton(check.randomSkeleton(r, r.integer(1, 12)))
        local clip = anim.newClip(check.randomClip(r, random))
        local packed, report = clip:pack({ form = form })
        assertWithin(clip, packed, report, 1e-4, 40, "seed " .. seed)
      end
    end)

    it(form .. ": steps stay exact", function()
      local step = { times = { 0, 0.31, 0.73 }, values = { 0, 0, 0, 0, 0, 1, 2, 0, 1 }, mode = "step" }
      local clip = waving(31, { tip = { translation = step } })
      local packed, report = clip:pack({ form = form })
      assert.are.same({ { joint = "tip", channel = "translation" } }, report.exact)
      for _, time in ipairs({ 0, 0.3, 0.30999, 0.31, 0.5, 0.72999, 0.73, 1 }) do
        assert.are.same({ select(1, sampled(clip, time):get("tip")) }, { select(1, sampled(packed, time):get("tip")) })
      end
      assert.are.same(clip:getTrack("tip", "translation"), packed:getTrack("tip", "translation"))
    end)

    it(form .. ": a loop that closes still does", function()
      for count = 6, 30 do
        local packed = waving(count):pack({ form = form })
        local first, last = sampled(packed, 0), sampled(packed, packed:getDuration())
        for j = 1, #skeleton do assert.are.same({ first:get(j) }, { last:get(j) }) end
      end
    end)

    it(form .. ": additive clips", function()
      local clip = waving(31):toAdditive()
      local packed, report = clip:pack({ form = form })
      assert.is_true(packed:isAdditive())
      local a, b = anim.newPose(skeleton), anim.newPose(skeleton)
      for time = 0, 1, 1 / 77 do
        a:toRest()
        b:toRest()
        a:add(sampled(clip, time), 1)
        b:add(sampled(packed, time), 1)
        local m = matrices(a, #skeleton)
        assert.is_true(distance(m, matrices(b, #skeleton)) <= 1e-4 + slack(m))
      end
      assert.is_true(report.maxError <= 1e-4)
    end)

    it(form .. ": layers that add it, without exact deltas in memory", function()
      local arm = { rotation = wave(601, 4, swing(0.5, 2)),
        translation = wave(601, 3, function(u) return 0.2, u / 9, 0 end) }
      local over = anim.newClip({ name = "over", skeleton = skeleton, tracks = { arm = arm } })
      local walk = waving(31)
      local function layered(clip, datum)
        return anim.newGraph(skeleton, { root = { type = "layers", base = "walk",
          { "over", mode = "additive", weight = 0.7, reference = datum } } }, { clips = { walk = walk, over = clip } })
      end
      local packed = over:pack({ form = form })
      for _, datum in ipairs({ false, "walk" }) do
        local exact = layered(over, datum or nil)
        collectgarbage()
        local before = core.memory()
        local graph = layered(packed, datum or nil)
        assert.is_true(core.memory() - before < over:getSize() / 4)
        for _ = 1, 40 do
          exact:update(1 / 37)
          graph:update(1 / 37)
          for j = 1, #skeleton do
            local a, b = { exact:getMatrix(j) }, { graph:getMatrix(j) }
            assert.is_true(distance({ a }, { b }) <= 2e-4 + slack({ a }))
            if skeleton:getName(j) ~= "arm" then assert.are.same({ exact:getJoint(j) }, { graph:getJoint(j) }) end
          end
        end
      end
    end)

    it(form .. ": editing gives what editing the exact clip gives", function()
      local clip = waving(31)
      local packed = clip:pack({ form = form })
      assert.are.equal(form, packed:addEvent(0.5, "x", {}):getForm())
      assert.are.equal(2, #packed:addEvent(0.5, "x", {}):getEvents())
      assert.are.equal(form, packed:withLoop(false):getForm())
      local edits = {
        slice = function(c) return c:slice(0.25, 0.8) end,
        reverse = function(c) return c:reverse() end,
        mirror = function(c) return c:mirror("x") end,
        retarget = function(c) return (c:retarget(skeleton)) end,
        motion = function(c) return c:withRootMotion({ joint = "hips", translation = "xz" }) end,
      }
      for name, edit in pairs(edits) do
        local a, b = edit(clip), edit(packed)
        assert.is_nil(b:getForm())
        assert.are.equal(a:getDuration(), b:getDuration())
        assert.are.same(a:getEvents(), b:getEvents())
        for time = 0, a:getDuration(), 1 / 61 do
          local m = matrices(sampled(a, time), #skeleton)
          local off = distance(m, matrices(sampled(b, time), #skeleton))
          assert.is_true(off <= 2.5e-4, ("%s at %g: %g"):format(name, time, off))
        end
      end
    end)

    it(form .. ": getTrack gives a key a frame", function()
      local clip = waving(31)
      local packed, report = clip:pack({ form = form })
      local track = packed:getTrack("arm", "rotation")
      assert.are.equal(report.frames, #track.times)
      assert.are.equal(4 * report.frames, #track.values)
      assert.are.equal("linear", track.mode)
      assert.is_nil(packed:getTrack("tip", "scale"))
    end)

    it(form .. ": a file keeps it as it is", function()
      local path, again = scratch.path(".anim"), scratch.path(".anim")
      local packed = waving(31, nil, 7):pack({ form = form, error = 1e-3 })
      local still = anim.newClip({ name = "still", skeleton = skeleton, duration = 1 })
      assert(anim.save({ skeleton = skeleton, clips = { packed, still } }, path))
      local model = assert(anim.load(path))
      assert.are.equal(form, model.clips[1]:getForm())
      assert.are.equal(packed:getSize(), model.clips[1]:getSize())
      assert.are.same(packed:getEvents(), model.clips[1]:getEvents())
      assert(anim.save(model, again))
      local bytes = scratch.read(path)
      assert.are.equal(bytes, scratch.read(again))
      local older, message = anim.decode(bytes:sub(1, 4) .. "\2" .. bytes:sub(6), "older.anim")
      assert.is_nil(older)
      assert.matches("packed for .anim version 2; expected version 3", message, 1, true)
      -- what is in that form already is not packed again
      local kept = assert(anim.load(path, { pack = { form = form } }))
      for time = 0, 1, 0.03 do
        local a, b, c = sampled(packed, time), sampled(model.clips[1], time), sampled(kept.clips[1], time)
        for j = 1, #skeleton do
          assert.are.same({ a:get(j) }, { b:get(j) })
          assert.are.same({ a:get(j) }, { c:get(j) })
        end
      end
    end)
  end

  it("load packs: all clips, one form", function()
    local path = scratch.path(".anim")
    local plain = anim.newClip({ name = "plain", skeleton = skeleton,
      tracks = { arm = { rotation = wave(31, 4, swing(0.5, 2)) } } })
    assert(anim.save({ skeleton = skeleton, clips = { plain } }, path))
    assert.is_nil(assert(anim.load(path)).clips.plain:getForm())
    assert.is_nil(assert(anim.load(path, { pack = false })).clips.plain:getForm())
    assert.are.equal("small", assert(anim.load(path, { pack = true })).clips.plain:getForm())
    local fast = assert(anim.load(path, { pack = { form = "fast", error = 1e-3 }, rate = 60 }))
    assert.are.equal("fast", fast.clips.plain:getForm())
    assert.are.equal(61, #fast.clips.plain:getTrack("arm", "rotation").times)
    assertRaises("pack", function() anim.load(path, { pack = 1 }) end)
    assertRaises("rate", function() anim.load(path, { pack = true, rate = -1 }) end)
    assertRaises("pack", function() anim.load(path, { pack = { rate = 30 } }) end)
  end)

  it("a graph mixes exact, small and fast clips", function()
    local clip = waving(31)
    local small, fast = clip:pack(), clip:pack({ form = "fast" })
    local function pose(a, b)
      local graph = anim.newGraph(skeleton)
      graph:setRoot(graph:mixer({ inputs = { a, b }, weights = { 0.3, 0.7 }, sync = true }))
      graph:update(0.4)
      return matrices(graph:getPose(), #skeleton)
    end
    local exact = pose(clip, clip)
    for _, pair in ipairs({ { clip, small }, { small, fast }, { fast, clip } }) do
      assert.is_true(distance(exact, pose(pair[1], pair[2])) <= 1e-4 + slack(exact))
    end
  end)

  it("samples without garbage", function()
    for _, form in ipairs(forms) do
      local packed = waving(31):pack({ form = form })
      local pose = anim.newPose(skeleton)
      packed:sample(0.1, pose)
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      for i = 1, 1000 do packed:sample(i / 1000, pose) end
      local after = collectgarbage("count")
      collectgarbage("restart")
      assert.is_true(after - before < 1)
    end
  end)
end)

-- All clips that there are -------------------------------------------------------------------------------

local function clipFiles()
  local out = {}
  for _, name in ipairs(data.files({ "glb", "gltf", "bvh", "vrma" })) do
    if data.slow or name:find("^bench/") then out[#out + 1] = name end
  end
  return out
end

local function packAll(name, options)
  local total, seconds, clips = 0, 0, 0
  local model = anim.load(data.path(name))
  for _, clip in ipairs(model and model.clips or {}) do
    local packed, report = clip:pack(options)
    local bound = options and options.error or 1e-4
    local what = ("%s, %s, %s"):format(name, clip:getName(), report.form)
    assertWithin(clip, packed, report, bound, 16, what)
    if #clip:getSkeleton() < 100 then assertNearOracle(clip, packed, report, bound, 2, what) end
    total, seconds, clips = total + report.bytes, seconds + report.seconds, clips + 1
  end
  return total, seconds, clips
end

describe("clips that nobody would animate", function()
  local pair = anim.newSkeleton({ { name = "root" }, { name = "tip", parent = "root", translation = { 0, 1, 0 } } })

  local function clipOf(times, x, channel)
    local values = {}
    for i, value in ipairs(x) do
      for k = 0, 2 do values[3 * i - 2 + k] = k == 0 and value or channel == "scale" and 1 or 0 end
    end
    return anim.newClip({ name = "odd", skeleton = pair, tracks = { tip = { [channel or "translation"] = {
      times = times, values = values } } } })
  end

  for _, form in ipairs({ "small", "fast" }) do
    it(form .. ": values that no frame holds stay keys", function()
      for _, size in ipairs({ 3e6, 1e7, 1e8, 1e10, 1e12 }) do
        for _, channel in ipairs({ "translation", "scale" }) do
          local clip = clipOf({ 0, 1 }, { 0, size }, channel)
          local packed = clip:pack({ form = form })
          local a, b = anim.newPose(pair), anim.newPose(pair)
          for _, t in ipairs({ 0, .25, .7, 1 }) do
            clip:sample(t, a)
            packed:sample(t, b)
            local at = channel == "scale" and 8 or 1
            local want, got = select(at, a:get("tip")), select(at, b:get("tip"))
            assert.is_true(math.abs(want - got) <= 1e-4 + 1e-6 * math.abs(want))
          end
        end
      end
    end)

    it(form .. ": what happens between two frames is not lost", function()
      local clip = clipOf({ 0, .5, .53, .5313, .532, 1 }, { 0, 0, 0, 3, 0, 0 })
      local packed = clip:pack({ form = form })
      local a, b = anim.newPose(pair), anim.newPose(pair)
      for i = 0, 2000 do
        clip:sample(i / 2000, a)
        packed:sample(i / 2000, b)
        assert.is_true(math.abs((a:get("tip")) - (b:get("tip"))) < 1e-4)
      end
    end)

    it(form .. ": keys close together don't make frames as close", function()
      local _, report = clipOf({ 0, 2e-6, 3 }, { 0, .1, .2 }):pack({ form = form })
      assert.is_true(report.bytes < 1000, report.bytes)
    end)
  end
end)

describe("clips of real files", function()
  if not data.present or os.getenv("ANIM_PACK") then
    pending("need ANIM_DATA, and loading that is not forced to pack")
    return
  end

  for _, form in ipairs(forms) do
    it(form .. ": the bound holds for all of them", function()
      local total, clips = 0, 0
      for _, name in ipairs(clipFiles()) do
        local bytes, _, count = packAll(name, { form = form })
        total, clips = total + bytes, clips + count
      end
      print(("# %s form: %d clips, %d bytes"):format(form, clips, total))
      assert.is_true(clips >= 4)
    end)
  end

  it("small sizes", function()
    local moves, atlas, seconds = packAll("bench/pab_locomotion.glb"), packAll("bench/pab_atlas.glb")
    print(("# walk, jog, run and atlas: %d bytes, atlas in %.2f s"):format(moves + atlas, seconds))
    assert.is_true(moves + atlas <= 60000)
    if data.slow then
      local knight = packAll("humanoid/kaykit_adventurers/Knight.glb")
      print(("# Knight.glb: %d bytes"):format(knight))
      assert.is_true(knight <= 200000)
    end
  end)
end)
