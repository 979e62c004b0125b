-- graph:warp: root motion bent so that a window ends at a target.
local anim = require("anim")
local raises = require("spec.support.raises")
local reference = require("spec.support.reference")
local tiny = require("spec.support.tiny")
local vec, quat = reference.vec, reference.quat

-- One metre along z in a second, turning by `degrees` about y; a root motion clip.
local function walker(degrees, loop)
  local half = math.rad(degrees or 0) / 2
  local clip = anim.newClip({ name = "walk", skeleton = tiny.skeleton, duration = 1, loop = loop, tracks = { root = {
    translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 1 } },
    rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, math.sin(half), 0, math.cos(half) } } } } })
  clip = clip:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  local graph = anim.newGraph(tiny.skeleton)
  graph:setRoot(graph:clip(clip))
  return graph
end

local function start() return { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 } } end

local function step(place, graph, dt)
  graph:update(dt)
  local x, y, z, qx, qy, qz, qw = graph:getRootMotion()
  place.t = vec.add(place.t, quat.rotate(place.q, { x, y, z }))
  place.q = quat.normalize(quat.mul(place.q, { qx, qy, qz, qw }))
end

local function yaw(place) return 2 * (math.atan2 or math.atan)(place.q[2], place.q[4]) end -- luacheck: ignore 143

local function expectAt(place, x, z, facing, most)
  assert.is_true(math.abs(place.t[1] - x) < (most or 1e-5) and math.abs(place.t[3] - z) < (most or 1e-5),
    ("at %.7f %.7f, expected %.7f %.7f"):format(place.t[1], place.t[3], x, z))
  if facing then
    local off = (yaw(place) - facing + math.pi) % (2 * math.pi) - math.pi
    assert.is_true(math.abs(off) < 1e-5, ("facing %.7f, expected %.7f"):format(yaw(place), facing))
  end
end

describe("warping of root motion", function()
  for _, fps in ipairs({ 10, 30, 60, 144, 1000 }) do
    it(("reaches place and facing at the window's end, at %d frames a second"):format(fps), function()
      for _, degrees in ipairs({ 0, 90 }) do
        local graph, place = walker(degrees), start()
        graph:warp({ position = { .7, 0, 2.5 }, facing = 1.2, seconds = 1 })
        assert.is_true(graph:isWarping())
        for _ = 1, fps do step(place, graph, 1 / fps) end
        step(place, graph, 0)
        expectAt(place, .7, 2.5, 1.2, 2e-5)
      end
    end)
  end

  it("goes on with the clip's own motion after the end, within the step that it lies in", function()
    local graph, place = walker(), start()
    graph:warp({ position = { 0, 0, 2 }, seconds = .25 })
    for _ = 1, 10 do step(place, graph, .1) end
    expectAt(place, 0, 2.75)
    assert.is_false(graph:isWarping())
  end)

  it("is the same however time is cut", function()
    local rough, fine = start(), start()
    local a, b = walker(60), walker(60)
    for _, graph in ipairs({ a, b }) do graph:warp({ position = { 1, 0, 1.5 }, facing = -1, seconds = 1 }) end
    step(rough, a, .6)
    for _ = 1, 60 do step(fine, b, .01) end
    expectAt(fine, rough.t[1], rough.t[3], yaw(rough), 2e-3)
  end)

  it("warps place alone, facing alone", function()
    local graph, place = walker(90), start()
    graph:warp({ position = { 1, 0, 1 }, seconds = 1 })
    for _ = 1, 60 do step(place, graph, 1 / 60) end
    expectAt(place, 1, 1, math.pi / 2)
    graph, place = walker(), start()
    graph:warp({ facing = math.pi / 2, seconds = 1 })
    for _ = 1, 60 do step(place, graph, 1 / 60) end
    assert.is_true(math.abs(yaw(place) - math.pi / 2) < 1e-5)
    assert.is_true(vec.length(place.t) > .5)
  end)

  it("takes targets in the world", function()
    local graph, place = walker(), { t = { 5, 0, 5 }, q = quat.fromAxisAngle({ 0, 1, 0 }, math.pi / 2) }
    graph:setTransform(5, 0, 5, place.q[1], place.q[2], place.q[3], place.q[4])
    graph:warp({ position = { 7, 0, 5.5 }, facing = math.pi, seconds = .5, space = "world" })
    for _ = 1, 30 do step(place, graph, 1 / 60) end
    expectAt(place, 7, 5.5, math.pi)
  end)

  it("moves what stands still", function()
    local graph, place = anim.newGraph(tiny.model({ tiny.clip("idle") }), { root = "idle" }), start()
    graph:warp({ position = { 0, 0, 1 }, seconds = 1 })
    for i = 1, 4 do
      step(place, graph, .25)
      expectAt(place, 0, i / 4)
    end
  end)

  it("runs in the graph's time, is saved, restored and ended", function()
    local graph, place = walker(), start()
    graph:setSpeed(2)
    graph:warp({ position = { 0, 0, 3 }, seconds = 1 })
    for _ = 1, 30 do step(place, graph, 1 / 120) end
    local saved, before = graph:save(), { t = place.t, q = place.q }
    for _ = 1, 30 do step(place, graph, 1 / 120) end
    expectAt(place, 0, 3)
    assert.is_true(graph:restore(saved))
    place = before
    for _ = 1, 30 do step(place, graph, 1 / 120) end
    expectAt(place, 0, 3)
    graph, place = walker(), start()
    graph:warp({ position = { 0, 0, 30 }, seconds = 1 })
    graph:warp()
    for _ = 1, 60 do step(place, graph, 1 / 60) end
    expectAt(place, 0, 1)
  end)

  it("refuses what it can't be", function()
    local graph = walker()
    local function expect(text, options)
      assert.are.equal("bad argument #1 to 'warp' (" .. text .. ")", raises.message(function() graph:warp(options) end))
    end
    expect("position, facing or rotation expected", { seconds = 1 })
    expect("seconds: finite number expected, got nil", { facing = 1 })
    expect("seconds: number above 0 expected, got 0", { facing = 1, seconds = 0 })
    expect("rotation: facing or rotation expected, got both", { facing = 1, rotation = { 0, 0, 0, 1 }, seconds = 1 })
    expect("unknown key 'second'; did you mean 'seconds'?", { facing = 1, second = 1 })
    expect("position[2]: finite number expected, got string 'up'", { position = { 0, "up", 0 }, seconds = 1 })
  end)
end)
