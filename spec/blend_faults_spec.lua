-- Faults of weights, additive layers, synchronisation, root motion and blend spaces (kinds W, A, S, M, B of the
-- catalogue) that show in a graph, by number.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-5) end
local function x(graph) return (graph:getPosition("tip")) end

local function rooted(clips, root, params)
  local graph = anim.newGraph(tiny.model(clips), { params = params, root = root })
  graph:update(0)
  return graph
end

describe("faults of weights", function()
  it("50: a layer lies over its base by weight and mask, whatever the signs", function()
    for _, sign in ipairs({ 1, -1 }) do
      local q = tiny.about("y", 90)
      for i = 1, 4 do q[i] = q[i] * sign end
      local over = tiny.clip("over", { tracks = { tip = { rotation = { times = { 0 }, values = q } } } })
      for weight, angle in pairs({ [0] = 0, [.5] = 45, [1] = 90 }) do
        local graph = rooted({ tiny.clip("base", { angle = 0 }), over },
          { type = "layers", base = "base", { "over", weight = weight } })
        near(angle, tiny.turned(graph), 1e-3)
        check.near({ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }, { graph:getJoint("root") }, 0)
      end
    end
  end)

  it("51: a joint that the new clip does not move goes to rest", function()
    local graph = anim.newGraph(tiny.model({ tiny.clip("one", { angle = 40 }), tiny.clip("two", { tracks = {} }) }))
    graph:play("one")
    tiny.run(graph, 50, .1)
    graph:play("two", .2)
    local last = 40
    for _ = 1, 4 do
      graph:update(.05)
      assert.is_true(tiny.turned(graph) < last)
      last = tiny.turned(graph)
    end
    near(0, last)
  end)

  it("52, 53: exactly on a threshold is that entry alone; equal ones are refused", function()
    local clips = { tiny.clip("a"), tiny.clip("b"), tiny.clip("c") }
    local graph = rooted(clips, { type = "blend1D", param = "p", { 0, "a" }, { 1, "b" }, { 2, "c" } }, { p = 1 })
    local root = graph:getRoot()
    assert.are.same({ 0, 1, 0 }, { root:getInputWeight(1), root:getInputWeight(2), root:getInputWeight(3) })
    assert.matches("root%[2%]: threshold 0 is not above 0", raises.message(rooted, clips,
      { type = "blend1D", param = "p", { 0, "a" }, { 0, "b" }, { 1, "c" } }, { p = 1 }))
  end)

  it("54: one input of any weight is shown in full; a layer is not", function()
    local clips = { tiny.clip("rest", { angle = 0 }), tiny.clip("c", { angle = 60 }), tiny.clip("d", { angle = 20 }) }
    near(60, tiny.turned(rooted(clips, { type = "mixer", inputs = { "c" }, weights = { .5 } })), 1e-3)
    near(60, tiny.turned(rooted(clips, { type = "mixer", inputs = { "c", "d" }, weights = { .5, 0 } })), 1e-3)
    near(60, tiny.turned(rooted(clips, { type = "mixer", inputs = { "c", "d" }, weights = { 0, 0 } })), 1e-3)
    near(30, tiny.turned(rooted(clips, { type = "layers", base = "rest", { "c", weight = .5 } })), 1e-3)
  end)

  it("55: a composite is normalised before its parent uses it", function()
    local graph = rooted({ tiny.clip("a", { from = 1 }), tiny.clip("b", { from = 2 }) }, { type = "mixer",
      inputs = { { type = "mixer", inputs = { "a" }, weights = { .5 } }, "b" }, weights = { .5, .75 } })
    near((.5 * 1 + .75 * 2) / 1.25, x(graph))
  end)

  it("56: fading between two alike shows nothing else", function()
    local graph = anim.newGraph(tiny.model({ tiny.clip("a", { angle = 60 }), tiny.clip("b", { angle = 60 }) }))
    graph:play("a")
    for i, name in ipairs({ "b", "b", "a" }) do
      graph:play(name, { fade = .5, restart = i == 2 })
      for _ = 1, 4 do
        graph:update(.1)
        near(60, tiny.turned(graph), 1e-3)
      end
    end
  end)

  it("111: discrete values are never mixed", function()
    local function mouth(name, value)
      return tiny.clip(name, { properties = { mouth = { times = { 0 }, values = { value } } } })
    end
    local clips = { mouth("a", "open"), mouth("b", "shut") }
    for weights, expected in pairs({ [{ .5, .5 }] = "open", [{ .4, .6 }] = "shut", [{ .6, .4 }] = "open" }) do
      local graph = rooted(clips, { type = "mixer", inputs = { "a", "b" }, weights = weights })
      assert.are.equal(expected, graph:getProperty("mouth"))
    end
  end)
end)

describe("faults of additive layers", function()
  local function turn(name, list)
    local times, values = {}, {}
    for i, q in ipairs(list) do
      times[i] = i - 1
      for _, v in ipairs(q) do values[#values + 1] = v end
    end
    return tiny.clip(name, { duration = #list - 1, loop = false,
      tracks = { tip = { rotation = { times = times, values = values } } } })
  end

  it("57: base = reference and weight 1 give the clip back", function()
    local a = tiny.about("x", 90)
    local s = math.sqrt(.5) -- x 90 then y 90 in the joint's own frame
    local b = { a[1] * s, a[4] * s, a[1] * s, a[4] * s }
    local graph = anim.newGraph(tiny.model({ turn("base", { a, a }), turn("clip", { a, b }) }),
      { root = { type = "layers", base = "base", { "clip", mode = "additive" } } })
    graph:update(1)
    local _, _, _, qx, qy, qz, qw = graph:getJoint("tip")
    check.near({ 1 }, { math.abs(qx * b[1] + qy * b[2] + qz * b[3] + qw * b[4]) }, 1e-6)
  end)

  it("58: a full pose in an additive layer is turned into deltas", function()
    local one = tiny.clip("one", { tracks = { tip = { scale = { times = { 0 }, values = { 1, 1, 1 } } } } })
    for _, weight in ipairs({ 0, .5, 1 }) do
      local graph = rooted({ one, tiny.clip("base") }, { type = "layers", base = "base",
        { "one", mode = "additive", weight = weight } })
      near(1, (select(8, graph:getJoint("tip"))))
    end
  end)

  it("61: the reference is the first key unless another is named", function()
    local lean, base = tiny.clip("lean", { angle = 30 }), tiny.clip("base", { angle = 10 })
    local entry = { "lean", mode = "additive" }
    near(10, tiny.turned(rooted({ lean, base }, { type = "layers", base = "base", entry })), 1e-3)
    entry.reference = anim.newPose(tiny.skeleton)
    near(40, tiny.turned(rooted({ lean, base }, { type = "layers", base = "base", entry })), 1e-3)
  end)
end)

describe("faults of synchronisation", function()
  local function gaits(value)
    return rooted({ tiny.clip("walk"), tiny.clip("run", { duration = .6 }) },
      { type = "blend1D", param = "p", { 0, "walk" }, { 1, "run" } }, { p = value })
  end

  it("79: members share a phase; its rate is one over the mean of the lengths", function()
    for value, rate in pairs({ [0] = 1, [.5] = 1.25, [1] = 1 / .6 }) do
      local graph = gaits(value)
      local root = graph:getRoot()
      graph:update(.1)
      near(.1 * rate, root:getPhase())
      near(root:getPhase(), root:getInput(1):getPhase())
      near(root:getPhase(), root:getInput(2):getPhase())
    end
  end)

  it("81: a sub-tree of no weight keeps the phase, too", function()
    local graph = rooted({ tiny.clip("walk"), tiny.clip("run"), tiny.clip("idle") }, { type = "blend1D", param = "p",
      { 0, { type = "blend1D", param = "p", { 0, "walk" }, { 1, "run" } } }, { 1, "idle" } }, { p = 1 })
    local root = graph:getRoot()
    tiny.run(graph, 103, .1)
    near(.3, root:getInput(1):getInput(1):getPhase(), 1e-4)
    near(.3, root:getInput(2):getPhase(), 1e-4)
  end)

  it("83: weights that cross back and forth do not make the phase jitter", function()
    local graph = gaits(.5)
    local root, before = graph:getRoot(), 0
    for i = 1, 60 do
      graph:set("p", .5 + (i % 2 == 0 and .001 or -.001))
      graph:update(.01)
      local moved = (root:getPhase() - before) % 1
      before = root:getPhase()
      near(.0125, moved, .0125 * .01)
    end
  end)
end)

describe("faults of root motion", function()
  local function travel(options)
    local translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 2 } }
    local rotation = options.turn and { times = { 0, 1 },
      values = { 0, 0, 0, 1, unpack(tiny.about("y", options.turn)) } }
    return tiny.player(tiny.clip("c", { loop = options.loop, tracks = { root = { translation = translation,
      rotation = rotation } } }):withRootMotion({ joint = "root", translation = "xz", rotation = rotation and "y" }))
  end

  local function advance(graph, steps, dt)
    local z, angle, list = 0, 0, {}
    for i = 1, steps do
      graph:update(dt)
      local _, _, dz, _, qy, _, qw = graph:getRootMotion()
      z, list[i] = z + dz, dz
      angle = angle + math.deg(2 * math.asin(qw < 0 and -qy or qy))
    end
    return z, angle, list
  end

  it("84, 86: the last part of a step counts, and nothing after the end", function()
    local _, angle = advance(travel({ loop = false, turn = 90 }), 20, .07)
    near(90, angle, 1e-3)
    local graph = travel({ loop = false })
    near(2, (advance(graph, 15, .07)))
    near(0, (advance(graph, 30, .1)))
  end)

  it("85: ping-pong comes back", function()
    local graph = travel({ loop = "pingpong" })
    near(2, (advance(graph, 100, .01)), 1e-4)
    near(-2, (advance(graph, 100, .01)), 1e-4)
  end)

  it("87: a seek moves nothing", function()
    local graph, node = travel({})
    advance(graph, 9, .1)
    node:setTime(.5)
    near(0, (advance(graph, 1, 0)))
    near(.2, (advance(graph, 1, .1)))
  end)

  it("89, 90: the same for any frame rate, each step its part, over the wrap too", function()
    for _, hertz in ipairs({ 15, 60, 144 }) do near(20, (advance(travel({}), 10 * hertz, 1 / hertz)), 1e-3) end
    local z, _, list = advance(travel({}), 10, .3)
    near(6, z)
    for _, dz in ipairs(list) do near(.6, dz) end
  end)
end)

describe("faults of blend spaces", function()
  local clips = { tiny.clip("a"), tiny.clip("b"), tiny.clip("c"), tiny.clip("d"), tiny.clip("e") }
  local names = { "a", "b", "c", "d", "e" }

  local function weights(mode, points, px, py)
    local root = { type = "blend2D", x = "x", y = "y", mode = mode }
    for i, p in ipairs(points) do root[i] = { p[1], p[2], names[i] } end
    local graph, out = rooted(clips, root, { x = px, y = py }), {}
    for i = 1, #points do out[i] = graph:getRoot():getInputWeight(i) end
    return out
  end

  it("106: a shared edge does not depend on the order of the points", function()
    local corners = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } }
    for _, p in ipairs({ { .3, .3 }, { .5, 0 }, { 1, .25 } }) do
      local first = weights("triangulated", corners, p[1], p[2])
      for shift = 1, 3 do
        local turned = {}
        for i = 1, 4 do turned[i] = corners[(i + shift - 1) % 4 + 1] end
        local got, back = weights("triangulated", turned, p[1], p[2]), {}
        for i = 1, 4 do back[(i + shift - 1) % 4 + 1] = got[i] end
        check.near(first, back, 1e-6)
      end
    end
  end)

  it("107: points along a line, two, one, none", function()
    check.near({ .5, .5, 0 }, weights("triangulated", { { 0, 0 }, { 1, 0 }, { 2, 0 } }, .5, 3), 1e-6)
    check.near({ .5, .5 }, weights("triangulated", { { 0, 0 }, { 1, 0 } }, .5, 3), 1e-6)
    check.near({ 1 }, weights("triangulated", { { 4, 4 } }, 0, 0), 1e-6)
    local graph = rooted(clips, { type = "blend2D", x = "x", y = "y", mode = "triangulated" }, { x = 0, y = 0 })
    check.near({ 0, 1, 0 }, { graph:getPosition("tip") }, 0)
  end)

  it("109: the middle of a simple space is its own sample", function()
    local points = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 }, { 0, 0 } }
    check.near({ 0, 0, 0, 0, 1 }, weights("simple", points, 0, 0), 0)
    check.near({ 0, 0, 0, 0, 1 }, weights("simple", points, 1e-9, 0), 1e-6)
    check.near({ .5, .25, 0, 0, .25 }, weights("simple", points, .25, .5), 1e-6)
  end)
end)
