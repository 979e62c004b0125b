-- Root motion (semantics 8): what withRootMotion takes out of a clip, and what graphs make of it.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local reference = require("spec.support.reference")
local motion = require("spec.support.reference.motion")
local oracle, quat, vec = reference.pose, reference.quat, reference.vec

local function rounds(n) return data.slow and n or math.ceil(n / 10) end

local figure = anim.newSkeleton({ { name = "root" }, { name = "hips", parent = "root", translation = { 0, 1, 0 } },
  { name = "arm", parent = "hips", translation = { .3, 0, 0 } } })

local function turn(axis, degrees)
  local along = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }
  return quat.fromAxisAngle(along[axis], math.rad(degrees))
end

local function flat(list)
  local out = {}
  for _, item in ipairs(list) do for _, x in ipairs(item) do out[#out + 1] = x end end
  return out
end

-- A clip whose joint goes along `places` and turns by `angles` about y, at even times up to `duration`.
local function walk(options)
  local n, times, turns, tracks = #options.places, {}, {}, {}
  local duration = options.duration or 1
  for i = 1, n do
    times[i] = n > 1 and duration * (i - 1) / (n - 1) or 0
    turns[i] = turn("y", (options.angles or {})[i] or 0)
  end
  tracks[options.joint or "root"] = { translation = { times = times, values = flat(options.places) },
    rotation = { times = times, values = flat(turns) } }
  local clip = anim.newClip({ name = options.name or "walk", skeleton = figure, duration = duration,
    loop = options.loop, tracks = tracks })
  return clip:withRootMotion({ joint = options.joint or "root", translation = "xz", rotation = options.turns or "y" })
end

local function graphOf(root, clips, params)
  return anim.newGraph(figure, { root = root, params = params }, { clips = clips })
end

local function motionOf(graph)
  local x, y, z, qx, qy, qz, qw = graph:getRootMotion()
  return { t = { x, y, z }, q = { qx, qy, qz, qw } }
end

local function same(expected, got, tolerance, what)
  check.near(expected.t, got.t, tolerance, what)
  check.sameRotation(expected.q, got.q, tolerance, what)
end

local still = motion.identity

-- ---- extraction

local function randomRig(r)
  return anim.newSkeleton({ { name = "root", translation = r.vector(.5), rotation = r.rotation(.5) },
    { name = "hips", parent = "root", translation = r.vector(.5), rotation = r.rotation(.5) },
    { name = "leg", parent = "hips", translation = { 0, -1, 0 } }, { name = "tail", parent = "root" } })
end

-- Rotations turn about `axis` by up to 60 degrees from key to key and tilt by up to 30: where a joint lies on its head
-- the turn about its axis is not defined.
local function randomTurns(r, channel, axis)
  local angle, values = 0, {}
  local function tangent() return { r.number(-.3, .3), r.number(-.3, .3), r.number(-.3, .3), r.number(-.3, .3) } end
  for _ = 1, #channel.times do
    if channel.mode == "cubic" then values[#values + 1] = tangent() end
    values[#values + 1] = quat.mul(turn(axis, angle), r.rotation(.5))
    if channel.mode == "cubic" then values[#values + 1] = tangent() end
    angle = angle + r.number(-60, 60)
  end
  channel.values = flat(values)
  return channel
end

local function randomKeys(r, path, axis)
  local channel = check.randomChannel(r, path, r.pick({ "linear", "linear", "cubic", "step" }))
  return path == "rotation" and randomTurns(r, channel, axis) or channel
end

local function randomClip(r, skeleton, axis)
  local tracks = {}
  for _, joint in ipairs({ "root", "hips", "leg", "tail" }) do
    if joint == "hips" or r.unit() < .4 then
      tracks[joint] = { translation = randomKeys(r, "translation"), rotation = randomKeys(r, "rotation", axis) }
    end
  end
  return anim.newClip({ name = "c", skeleton = skeleton, loop = false, tracks = tracks })
end

local function sampled(clip, time, n)
  local pose = anim.newPose(clip:getSkeleton())
  clip:sample(time, pose)
  return check.read(pose, n)
end

-- The motion up to `time`, as a graph tells it.
local function motionAt(clip, time)
  local graph = anim.newGraph(clip:getSkeleton(), { root = { type = "clip", clip = "c" } }, { clips = { c = clip } })
  graph:update(time)
  return motionOf(graph)
end

local function modelOf(rig, pose, joint)
  return { t = reference.mat.position(oracle.toModel(rig, pose)[joint]), q = oracle.modelRotations(rig, pose)[joint] }
end

local axes = { "x", "y", "z" }

local function isTaken(options, i) return (options.translation or ""):find(axes[i], 1, true) ~= nil end

-- Keys are added until both tracks are within 1e-5 of the joint's reach where it is looked, 256 parts at most: between
-- cubic keys that fling the joint about a little more is left.
local tolerance = 1e-4

local function checkExtraction(seed, options)
  local r = check.random(seed)
  local skeleton = randomRig(r)
  local rig, clip = check.rig(skeleton), randomClip(r, skeleton, options.rotation or "y")
  options.joint = "hips"
  local moving, joint = clip:withRootMotion(options), skeleton:find("hips")
  local first = modelOf(rig, sampled(moving, 0, #rig), joint)
  local reach = 1
  for k = 0, 40 do
    local place = modelOf(rig, sampled(clip, clip:getDuration() * k / 40, #rig), joint).t
    reach = math.max(reach, vec.length(place) + vec.length(first.t))
  end
  for k = 0, 40 do
    local time = clip:getDuration() * k / 40
    local where = ("seed %d, at %g"):format(seed, time)
    local before, after = sampled(clip, time, #rig), sampled(moving, time, #rig)
    local inPlace = modelOf(rig, after, joint)
    local putBack = motion.mul(motionAt(moving, time), inPlace)
    same(modelOf(rig, before, joint), putBack, tolerance * reach, where .. ": put back")
    for i = 1, 3 do
      local stays = isTaken(options, i) and first.t[i] or inPlace.t[i]
      check.near({ stays }, { inPlace.t[i] }, tolerance * reach, where .. ": in place")
    end
    local turned = quat.mul(inPlace.q, quat.conjugate(first.q))
    if options.rotation then
      local axis = options.rotation == "x" and 1 or options.rotation == "y" and 2 or 3
      check.sameRotation(quat.identity, motion.twist(turned, axis), 2 * tolerance, where .. ": does not turn")
    end
    before[joint], after[joint] = nil, nil
    for j in pairs(before) do check.identical({ before[j] }, { after[j] }, where .. ", joint " .. j) end
  end
end

describe("withRootMotion", function()
  for i, options in ipairs({ { translation = "xz", rotation = "y" }, { translation = "xyz" }, { translation = "x" },
    { rotation = "z" }, { translation = "yz", rotation = "x" } }) do
    local name = (options.translation or "no move") .. ", " .. (options.rotation or "no turn")
    it("takes out what put back gives the clip: " .. name, function()
      for seed = 1, rounds(50) do
        checkExtraction(1000 * i + seed, { translation = options.translation, rotation = options.rotation })
      end
    end)
  end

  it("of straight keys adds none", function()
    local function clip(n)
      local times, values = {}, {}
      for i = 1, n do times[i], values[i] = i / 30, { 0, 0, i * .05 } end
      return anim.newClip({ name = "c", skeleton = figure, tracks = { root = { translation = { times = times,
        values = flat(values) } } } })
    end
    local function growth(n)
      return clip(n):withRootMotion({ joint = "root", translation = "xz" }):getSize() - clip(n):getSize()
    end
    assert.is_true(growth(500) - growth(100) <= 400 * 40, "bytes a key: " .. (growth(500) - growth(100)) / 400)
  end)

  it("keeps events, markers, loop and length; a second time is an error", function()
    local clip = anim.newClip({ name = "c", skeleton = figure, duration = 2, loop = "pingpong",
      events = { { time = .5, name = "e", data = "x" } }, markers = { { time = .25, name = "L" } },
      tracks = { root = { translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 1 } } } } })
    local moving = clip:withRootMotion({ joint = "root", translation = "z" })
    assert.are.equal(2, moving:getDuration())
    assert.are.equal("pingpong", moving:getLoop())
    assert.are.same(clip:getEvents(), moving:getEvents())
    assert.are.same(clip:getMarkers(), moving:getMarkers())
    assert.has_error(function() moving:withRootMotion({ joint = "root", translation = "z" }) end)
  end)

  it("fault 91: the joint need not be the root", function()
    local clip = walk({ joint = "hips", places = { { 0, 1, 0 }, { 1, 1, 2 } } })
    local graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    local sum = still
    for _ = 1, 8 do
      graph:update(.125)
      sum = motion.mul(sum, motionOf(graph))
      check.near({ 0, 1, 0 }, { graph:getPosition("hips") }, 1e-6)
      check.near({ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { graph:getJoint("root") }, 0)
    end
    check.near({ 1, 0, 2 }, sum.t, 1e-5)
  end)
end)

-- ---- in a graph

describe("root motion", function()
  it("of a metre and a quarter turn a pass is back after four, for any step", function()
    local clip = walk({ places = { { 0, 0, 0 }, { 0, 0, 1 } }, angles = { 0, 90 } })
    for _, dt in ipairs({ 4, 1, .5, .3, 1 / 15, 1 / 60, 1 / 144, .0107 }) do
      for _, speed in ipairs({ 1, -1 }) do
        local graph, sum = graphOf({ type = "clip", clip = "walk", speed = speed }, { walk = clip }), still
        local steps = math.floor(4 / dt + 1e-9)
        for _ = 1, steps do
          graph:update(dt)
          sum = motion.mul(sum, motionOf(graph))
        end
        graph:update(4 - steps * dt)
        same(still, motion.mul(sum, motionOf(graph)), 2e-5 + 1e-7 * steps, "steps of " .. dt)
      end
    end
  end)

  it("counts all passes of a long step", function()
    local clip = walk({ places = { { 0, 0, 0 }, { 0, 0, 1 } } })
    local graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    graph:update(1000.5)
    check.near({ 0, 0, 1000.5 }, motionOf(graph).t, 1e-3)
    clip = walk({ places = { { 0, 0, 0 }, { 0, 0, 1 } }, angles = { 0, 90 } })
    graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    graph:update(400)
    same(still, motionOf(graph), 1e-4)
  end)

  it("backwards undoes what forwards did", function()
    local clip = walk({ places = { { .2, 0, 0 }, { 1, .5, 1 }, { -1, 0, 3 } }, angles = { 0, 70, -40 } })
    local r = check.random(8)
    local graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    for _ = 1, rounds(100) do
      local dt = r.number(0, 3)
      graph:setSpeed(1)
      graph:update(dt)
      local there = motionOf(graph)
      graph:setSpeed(-1)
      graph:update(dt)
      same(still, motion.mul(there, motionOf(graph)), 1e-5)
    end
  end)

  it("comes back in ping-pong, and ends with a clip that plays once", function()
    local places = { { 0, 0, 0 }, { 0, 0, 2 } }
    local graph = graphOf({ type = "clip", clip = "walk" }, { walk = walk({ places = places, loop = "pingpong" }) })
    local sum = 0
    for i = 1, 64 do
      graph:update(1 / 32)
      sum = sum + motionOf(graph).t[3]
      check.near({ 2 - math.abs(2 - i / 16) }, { sum }, 1e-5)
    end
    graph:update(10)
    check.near({ 0 }, { motionOf(graph).t[3] }, 1e-5)
    graph = graphOf({ type = "clip", clip = "walk" }, { walk = walk({ places = places, loop = false }) })
    graph:update(.75)
    graph:update(5)
    check.near({ 0, 0, .5 }, motionOf(graph).t, 1e-6)
    for _ = 1, 5 do
      graph:update(1)
      same(still, motionOf(graph), 0)
    end
  end)

  it("is none while nothing moves: seeks, pauses, speed 0, no time", function()
    local clip = walk({ places = { { 0, 0, 0 }, { 0, 0, 1 } }, angles = { 0, 30 } })
    local graph = graphOf({ type = "clip", clip = "walk", name = "walk" }, { walk = clip })
    local node = graph:find("walk")
    same(still, motionOf(graph), 0, "before the first update")
    graph:update(.3)
    graph:update(0)
    same(still, motionOf(graph), 0, "no time")
    node:setTime(.9)
    graph:update(0)
    same(still, motionOf(graph), 0, "a seek")
    node:setTime(.1, true)
    graph:update(0)
    same(still, motionOf(graph), 0, "a firing seek")
    node:pause()
    graph:update(.5)
    same(still, motionOf(graph), 0, "paused")
    node:play()
    node:setSpeed(0)
    graph:update(.5)
    same(still, motionOf(graph), 0, "speed 0")
  end)

  it("comes out with w >= 0 and stays in the character's frame", function()
    local clip = walk({ places = { { 0, 0, 0 }, { 0, 0, 1 } }, angles = { 0, 170 } })
    local graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    for _ = 1, 50 do
      graph:update(.21)
      assert.is_true(motionOf(graph).q[4] >= 0)
    end
    -- Half a pass later the character looks the other way, and forward is still forward.
    graph = graphOf({ type = "clip", clip = "walk" }, { walk = clip })
    graph:update(.5)
    local first = motionOf(graph)
    graph:update(.5)
    local both = motion.mul(first, motionOf(graph))
    check.near({ 0, 0, 1 }, both.t, 1e-5)
    check.sameRotation(turn("y", 170), both.q, 1e-5)
  end)
end)

describe("blended root motion", function()
  local slow = walk({ name = "slow", places = { { 0, 0, 0 }, { 0, 0, 1 } }, angles = { 0, 20 } })
  local fast = walk({ name = "fast", places = { { 0, 0, 0 }, { .5, 0, 3 } }, angles = { 0, -30 } })
  local stand = anim.newClip({ name = "stand", skeleton = figure, tracks = { arm = { rotation = { times = { 0 },
    values = turn("z", 40) } } } })
  local clips = { slow = slow, fast = fast, stand = stand }

  local function moved(root, dt, params)
    local graph = graphOf(root, clips, params)
    graph:update(dt)
    return motionOf(graph)
  end

  local function of(name, dt) return moved({ type = "clip", clip = name }, dt) end

  it("is the weighted mean; what has none stands still", function()
    local a, b = of("slow", .2), of("fast", .2)
    local root = { type = "mixer", inputs = { "slow", "fast" }, weights = { .25, .75 } }
    same(motion.mix({ a, b }, { .25, .75 }), moved(root, .2), 1e-6)
    root = { type = "mixer", inputs = { "slow", "stand" }, weights = { .5, .5 } }
    same(motion.mix({ a, still }, { .5, .5 }), moved(root, .2), 1e-6)
    root = { type = "direct", { "w", "slow" } }
    same(motion.mix({ a, still }, { .3, .7 }), moved(root, .2, { w = .3 }), 1e-6)
  end)

  it("of layers: an override takes over by weight and mask, where it moves at all", function()
    local a, b = of("slow", .2), of("fast", .2)
    local function layered(entry) return moved({ type = "layers", base = "slow", entry }, .2) end
    local half, arm = anim.newMask(figure, { root = .5 }), anim.newMask(figure, { "arm" })
    same(a, layered({ "fast", weight = 0 }), 1e-6, "no weight")
    same(b, layered({ "fast", weight = 1 }), 1e-6, "full weight")
    same(motion.mix({ a, b }, { .4, .6 }), layered({ "fast", weight = .6 }), 1e-6, "some weight")
    same(motion.mix({ a, b }, { .7, .3 }), layered({ "fast", weight = .6, mask = half }), 1e-6, "half masked")
    same(a, layered({ "fast", weight = 1, mask = arm }), 1e-6, "masked")
    same(a, layered({ "stand", weight = 1 }), 1e-6, "sparse, without motion")
    same(motion.mix({ a, still }, { .2, .8 }), layered({ "stand", weight = .8, sparse = false }), 1e-6, "not sparse")
  end)

  it("of additive layers adds nothing", function()
    same(of("slow", .2), moved({ type = "layers", base = "slow", { "fast", mode = "additive" } }, .2), 0)
  end)

  it("matchSpeed: the blended root speed is the parameter, from half to twice the clips'", function()
    local straight = { a = walk({ places = { { 0, 0, 0 }, { 0, 0, 1.5 } } }),
      b = walk({ places = { { 0, 0, 0 }, { 0, 0, 3 } }, duration = .75 }) }
    for _, case in ipairs({ { 1.5, 1.5 }, { 1.6, 1.6 }, { 2.75, 2.75 }, { 4, 4 }, { .5, .75 }, { 10, 8 } }) do
      local root = { type = "blend1D", param = "speed", matchSpeed = true, { 1.5, "a" }, { 4, "b" } }
      local graph = graphOf(root, straight, { speed = case[1] })
      local way = 0
      for _ = 1, 60 do
        graph:update(1 / 60)
        way = way + motionOf(graph).t[3]
      end
      check.near({ case[2] }, { way }, 1e-4, "asked for " .. case[1])
    end
  end)
end)
