-- Building graphs as code and as data, describing them again, errors with their paths, editing, copies, snapshots.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local core = require("anim.core")

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-6) end
local function x(graph) return (graph:getPosition("tip")) end

local function model()
  return tiny.model({
    tiny.clip("idle"), tiny.clip("walk", { to = 1, events = tiny.events({ { .5, "step", data = { "left" } } }) }),
    tiny.clip("run", { to = 2, duration = .6 }), tiny.clip("aim", { from = 7 }), tiny.clip("lean", { to = 3 }),
    tiny.clip("one", { from = 1 }), tiny.clip("two", { from = 2 }), tiny.clip("four", { from = 4 }),
  })
end

local function describeAll()
  return {
    params = { speed = 0, aiming = 0, jump = "trigger", dodge = { "trigger", life = .3 }, armed = true,
      vx = { 0, smooth = .1, deadZone = .15, curve = { 0, 0, .5, .1, 1, 1 } }, vy = 0 },
    masks = { upper = { "tip" }, half = { tip = .5 } },
    nodes = {
      move = { type = "blend1D", param = "speed", matchSpeed = true, { 0, "idle" }, { 1.5, "walk" },
        { 4, "run", speed = 1.5 } },
      strafe = { type = "blend2D", x = "vx", y = "vy", mode = "cartesian", sync = false, { 0, 0, "idle" },
        { 1, 0, "walk" }, { 0, 1, { type = "clip", clip = "run", loop = "pingpong", start = .25, minWeight = .5,
          followers = true, speed = "speed" } } },
      weights = { type = "direct", normalize = true, { "aiming", "aim" }, { "speed", "lean" } },
      mix = { type = "mixer", sync = true, inputs = { "move", "strafe" }, weights = { .25, "aiming" },
        fades = { .5, 1 }, fallback = "rest", normalize = false, speed = -.5 },
    },
    root = { type = "layers", base = "mix", { "aim", mask = "upper", weight = "aiming", space = "model" },
      { "lean", mode = "additive", reference = { "idle", .5 }, mask = "half" }, { "weights", sparse = false } },
  }
end

describe("a description", function()
  it("builds what code builds", function()
    local data = anim.newGraph(model(), { params = { speed = 0 },
      nodes = { move = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.5, "walk" }, { 4, "run" } } },
      root = "move" })
    local code = anim.newGraph(model())
    local speed = code:param("speed", 0)
    local move = code:blend1D({ name = "move", param = speed, { 0, "idle" }, { 1.5, "walk" }, { 4, "run" } })
    code:setRoot(move)
    assert.are.equal(move, code:find("move"))
    assert.are.equal(move, code:getRoot())
    assert.are.equal(speed, code:param("speed", 0))
    for i = 1, 20 do
      data:set("speed", i * .2)
      code:set("speed", i * .2)
      data:update(.07)
      code:update(.07)
      assert.are.equal(code:hash(), data:hash())
    end
    assert.are.same(code:describe(), data:describe())
  end)

  it("comes back from describe()", function()
    local graph = anim.newGraph(model(), describeAll())
    local description = graph:describe()
    local again = anim.newGraph(model(), description)
    assert.are.same(describeAll().params.vx, description.params.vx)
    assert.are.same(describeAll().masks, description.masks)
    assert.are.same("mix", description.root.base)
    assert.are.same({ 4, "run", speed = 1.5 }, description.nodes.move[3])
    assert.are.same(again:describe(), description)
    for i = 1, 10 do
      for _, g in ipairs({ graph, again }) do
        g:set("speed", i * .3)
        g:set("vx", i * .1)
        g:set("aiming", i % 2)
        g:update(.1)
      end
      check.near({ graph:getMatrix("tip") }, { again:getMatrix("tip") }, 0)
    end
  end)

  it("round trips poses, scripts and clips that no table names", function()
    local pose, clip = anim.newPose(tiny.skeleton), tiny.clip("nameless", { from = 3 })
    local update = function() end
    local graph = anim.newGraph(tiny.skeleton)
    graph:setRoot(graph:script({ update = update, inputs = { graph:pose(pose), clip, graph:clip(clip) } }))
    local description = graph:describe()
    assert.are.equal(update, description.root.update)
    assert.are.equal(clip, description.root.inputs[2].clip)
    assert.are.equal("pose", description.root.inputs[1].type)
    assert.are.equal("script", anim.newGraph(tiny.skeleton, description):getRoot():getType())
  end)

  it("takes clips and masks from the third argument", function()
    local clips = { dance = tiny.clip("polka", { from = 6 }) }
    local mask = anim.newMask(tiny.skeleton, { tip = .5 })
    local graph = anim.newGraph(tiny.skeleton, { root = { type = "layers", base = "dance",
      { { type = "pose" }, mask = "m", sparse = false } } }, { clips = clips, masks = { m = mask } })
    graph:update(0)
    near(3, x(graph))
    local description = graph:describe()
    assert.are.equal("dance", description.root.base)
    assert.are.equal("m", description.root[1].mask)
  end)

  it("nodes may be named before they are described, but not hold themselves", function()
    local graph = anim.newGraph(model(), { nodes = { a = { type = "mixer", inputs = { "b" } },
      b = { type = "clip", clip = "one" } }, root = "a" })
    assert.are.equal("b", graph:getRoot():getInput(1):getName())
    assert.matches("nodes.b.inputs%[1%]: node 'a' would hold itself", raises.message(anim.newGraph, model(),
      { nodes = { a = { type = "mixer", inputs = { "b" } }, b = { type = "mixer", inputs = { "a" } } } }))
    local circle = { type = "mixer", inputs = {} }
    circle.inputs[1] = circle
    assert.matches("nested more than 200 deep", raises.message(anim.newGraph, model(), { root = circle }))
  end)
end)

describe("mistakes in a description", function()
  local function fails(expected, description, tables)
    raises.exactly(("bad argument #2 to 'newGraph' (%s)"):format(expected),
      function() anim.newGraph(model(), description, tables) end)
  end

  local function blend(...) return { params = { speed = 0 }, root = { type = "blend1D", param = "speed", ... } } end

  it("are told with their path", function()
    fails("root[2]: no clip 'wlak'; did you mean 'walk'?", blend({ 0, "idle" }, { 1, "wlak" }))
    fails("nodes.move[3]: threshold 1.5 is not above 1.5", { params = { speed = 0 }, nodes = { move = {
      type = "blend1D", param = "speed", { 0, "idle" }, { 1.5, "walk" }, { 1.5, "run" } } } })
    fails("root[1][2].inputs[2]: no clip 'x'", blend({ 0, { type = "mixer", inputs = { "idle", "x" } } }))
    fails("root[1][1]: finite number expected, got nan", blend({ 0 / 0, "idle" }))
    fails("root[1]: unknown key 'sped'; did you mean 'speed'?", blend({ 0, "idle", sped = 1 }))
    fails("root: unknown key 'parm'; did you mean 'param'?", { root = { type = "blend1D", parm = "speed" } })
    local known = table.concat(require("anim.graph.kinds"), ", ")
    fails(("root.type: one of %s expected, got string 'mixr'; did you mean 'mixer'?"):format(known),
      { root = { type = "mixr" } })
    fails(("root: a node's description needs a type (%s)"):format(known), { root = {} })
    fails("unknown key 'rot'; did you mean 'root'?", { rot = "idle" })
    fails("params.time: 'time' means something else in conditions; choose another name", { params = { time = 1 } })
    fails("params.vx.smooth: number of 0 or more expected, got -1", { params = { vx = { 0, smooth = -1 } } })
    fails('params.vx: number, true, false or "trigger" expected, got string \'triger\'', { params = { vx = "triger" } })
    fails("masks.upper[2]: no joint 'tap'; did you mean 'tip'?", { masks = { upper = { "root", "tap" } } })
    fails("masks.upper.tip: weight from 0 to 1 expected, got 2", { masks = { upper = { tip = 2 } } })
    fails("root[1].mask: no mask 'uper'; did you mean 'upper'?", { masks = { upper = { "tip" } },
      root = { type = "layers", base = "idle", { "walk", mask = "uper" } } })
    fails("root.param: no parameter 'sped'; did you mean 'speed'?",
      { params = { speed = 0 }, root = { type = "blend1D", param = "sped" } })
    fails("root.weights: 1 values expected, one an input, got 2",
      { root = { type = "mixer", inputs = { "idle" }, weights = { 1, 2 } } })
    fails("root: the grid of 2 by 2 samples has none at (1, 1)", { params = { a = 0, b = 0 },
      root = { type = "blend2D", x = "a", y = "b", mode = "grid", { 0, 0, "idle" }, { 1, 0, "walk" },
        { 0, 1, "run" } } })
    fails("nodes.c.inputs[1]: the node 'a' has a parent already", { nodes = { a = { type = "clip", clip = "idle" },
      b = { type = "mixer", inputs = { "a" } }, c = { type = "mixer", inputs = { "a" } } } })
  end)

  it("of additive clips outside additive layers too", function()
    local delta = model().clips.lean:toAdditive()
    raises.exactly("bad argument #2 to 'newGraph' (root.inputs[1]: clip 'lean' holds deltas; it belongs into an "
      .. "additive layer)", function()
      anim.newGraph(tiny.skeleton, { root = { type = "mixer", inputs = { delta } } })
    end)
  end)

  it("leave a graph as it was", function()
    local graph = anim.newGraph(model())
    graph:setRoot("one")
    local count, hash = core.graph.countNodes(graph), graph:hash()
    assert.is_false((pcall(graph.mixer, graph, { inputs = { "one", "two", "nope" } })))
    assert.is_false((pcall(graph.setRoot, graph, { type = "mixer", inputs = { "one", "nope" } })))
    assert.are.equal(count, core.graph.countNodes(graph))
    assert.are.equal(hash, graph:hash())
    graph:update(0)
    near(1, x(graph))
  end)

  it("of other skeletons", function()
    local skeleton = anim.newSkeleton({ { name = "other" } })
    local graph = anim.newGraph(model())
    raises.exactly("bad argument #1 to 'clip' (clip: clip 'c' belongs to another skeleton; clip:retarget makes one for "
      .. "this)", function() graph:clip(anim.newClip({ name = "c", skeleton = skeleton })) end)
    assert.matches("pose of the graph's skeleton", raises.message(graph.pose, graph, anim.newPose(skeleton)))
  end)

  it("in arguments", function()
    local graph = anim.newGraph(model())
    raises.exactly("bad argument #1 to 'newGraph' (model or anim.Skeleton expected, got table)",
      function() anim.newGraph({}) end)
    raises.exactly("bad argument #3 to 'newGraph' (unknown key 'clip'; did you mean 'clips'?)",
      function() anim.newGraph(model(), {}, { clip = {} }) end)
    raises.exactly("calling 'add' on bad self (anim.Graph expected, got 3)", function() graph.add(3, {}) end)
    raises.exactly("bad argument #1 to 'add' (table expected, got no value)", function() graph:add() end)
    raises.exactly("bad argument #1 to 'set' (no parameter 'p')", function() graph:set("p", 1) end)
    graph:param("number", 1)
    graph:param("flag", true)
    graph:param("go", "trigger")
    raises.exactly("bad argument #2 to 'set' (finite number expected, got true)",
      function() graph:set("number", true) end)
    raises.exactly("bad argument #2 to 'set' (true or false expected, got 1)", function() graph:set("flag", 1) end)
    raises.exactly("parameter 'flag' is no trigger", function() graph:fire("flag") end)
    raises.exactly("bad argument #1 to 'param' (parameter 'flag' is a boolean, not a number)",
      function() graph:param("flag", 1) end)
    local node = graph:mixer({ inputs = { "one" } })
    raises.exactly("bad argument #1 to 'getInput' (index from 1 to 1 expected, got 2)", function() node:getInput(2) end)
    raises.exactly("a mixer node has no such method; it belongs to clip nodes", function() node:getClip() end)
    raises.exactly("bad argument #1 to 'mixer' (inputs[1]: node of this graph expected, got one of another)",
      function() anim.newGraph(model()):mixer({ inputs = { node } }) end)
  end)
end)

describe("parameters", function()
  it("keep their value when named again", function()
    local graph = anim.newGraph(model())
    local speed = graph:param("speed", 1)
    speed:set(3)
    assert.are.equal(speed, graph:param("speed", 1))
    assert.are.equal(speed, graph:param("speed"))
    assert.are.equal(3, graph:get("speed"))
    assert.are.equal(speed, graph:getParams().speed)
    assert.are.equal(speed, graph:getParams()[1])
    assert.is_nil(select(2, pcall(graph.param, graph, "nothing")):match("^nothing"))
  end)

  it("smooth, with a dead zone and a curve", function()
    local graph = anim.newGraph(model())
    local p = graph:param("p", 0):deadZone(.5)
    p:set(.5)
    assert.are.equal(0, p:get())
    p:set(-.75)
    near(-.5, p:get())
    p:deadZone(0):curve({ { 0, 0 }, { 1, 10 }, { 2, 10 } })
    p:set(.25)
    near(2.5, p:get())
    near(.25, p:getTarget())
    p:set(5)
    near(10, p:get())
    p:curve({ 0, 0, 1, 1 })
    near(1, p:get())
    local q = graph:param("q", 0, { smooth = .3 })
    graph:update(0)
    q:set(1)
    for _ = 1, 18 do graph:update(.3 / 18) end
    near(.59399, q:get(), 1e-5)
    near(1, q:getTarget())
    raises.exactly("bad argument #1 to 'curve' (x must rise: 1 is not above 1)", function() p:curve({ 1, 0, 1, 1 }) end)
    raises.exactly("bad argument #1 to 'deadZone' (number from 0 to below 1 expected, got 1)",
      function() p:deadZone(1) end)
  end)

  it("triggers are set until they are taken, cancelled or too old", function()
    local graph = anim.newGraph(model(), { params = { go = "trigger", soon = { "trigger", life = .25 },
      now = { "trigger", life = 0 } } })
    for _, name in ipairs({ "go", "soon", "now" }) do
      assert.is_false(graph:get(name))
      graph:fire(name)
      assert.is_true(graph:get(name))
    end
    local seen = {}
    for i = 1, 3 do
      graph:update(.1)
      seen[i] = { graph:get("go"), graph:get("soon"), graph:get("now") }
    end
    assert.are.same({ { true, true, false }, { true, true, false }, { true, false, false } }, seen)
    graph:cancel("go")
    assert.is_false(graph:get("go"))
  end)
end)

describe("editing", function()
  it("a node has one parent", function()
    local graph = anim.newGraph(model())
    local one = graph:clip("one")
    local mixer = graph:mixer({ inputs = { one } })
    assert.matches("has a parent already", raises.message(graph.mixer, graph, { inputs = { one } }))
    assert.matches("has a parent already", raises.message(graph.setRoot, graph, one))
    raises.exactly("bad argument #1 to 'remove' (the node is an input of a mixer node)",
      function() graph:remove(one) end)
    graph:setRoot(mixer)
    raises.exactly("bad argument #1 to 'remove' (the node is the root of its graph)",
      function() graph:remove(mixer) end)
    raises.exactly("bad argument #2 to 'setInput' (a node can't be its own ancestor)",
      function() graph:setRoot(); mixer:setInput(1, mixer) end)
    mixer:removeInput(1)
    graph:remove(mixer)
    graph:setRoot(one)
    graph:update(0)
    near(1, x(graph))
    assert.matches("removed from its graph", raises.message(mixer.getWeight, mixer))
  end)

  it("what was described in a place goes with it", function()
    local graph = anim.newGraph(model())
    local mixer = graph:mixer({ inputs = { "one", { type = "mixer", inputs = { "two" } }, graph:clip("four") } })
    graph:setRoot(mixer)
    local inner, own = mixer:getInput(2), mixer:getInput(3)
    local leaf = inner:getInput(1)
    mixer:removeInput(2)
    assert.matches("removed", tostring(inner))
    assert.matches("removed", tostring(leaf))
    mixer:removeInput(2)
    assert.are.equal("anim.Node: clip", tostring(own))
    assert.are.equal(1, mixer:getInputCount())
    for _ = 1, 100 do mixer:setInput(1, "two") end
    assert.is_true(core.graph.countNodes(graph) < 8)
    graph:setRoot("one")
    assert.are.equal("anim.Node: mixer", tostring(mixer))
  end)

  it("what is not touched keeps its state", function()
    local graph = anim.newGraph(model())
    local walk = graph:clip({ clip = "walk", name = "w" })
    local mixer = graph:mixer({ inputs = { walk, "run" }, weights = { 1, 1 } })
    graph:setRoot(mixer)
    tiny.run(graph, 7, .1)
    local pose = { graph:getMatrix("tip") }
    mixer:addInput("four")
    graph:evaluate()
    assert.are.same(pose, { graph:getMatrix("tip") })
    mixer:addInput("one", 2)
    graph:update(0)
    near((.7 + 2 * (.1 / .6) + 2 * 1) / 4, x(graph), 1e-5)
    near(.7, walk:getTime())
    mixer:removeInput(3)
    mixer:removeInput(3)
    graph:evaluate()
    near((.7 + 2 * (.1 / .6)) / 2, x(graph), 1e-5)
  end)

  it("swaps clips, with or without their phase", function()
    local graph, node = tiny.player(tiny.clip("c", { to = 1 }))
    graph:update(.5)
    node:setClip(tiny.clip("d", { duration = 2, to = 10 }), true)
    near(1, node:getTime())
    graph:update(0)
    near(5, x(graph))
    node:setClip(tiny.clip("e", { to = 1 }))
    near(0, node:getTime())
    node:setLoop(false)
    tiny.run(graph, 11, .1)
    assert.is_true(node:isDone())
    node:setLoop("pingpong")
    assert.is_false(node:isDone())
    assert.are.equal("pingpong", node:getLoop())
  end)

  it("swapping clips does not leak, and keeps the data of events", function()
    local clips = {}
    for i = 1, 4 do clips[i] = tiny.clip("c" .. i, { events = tiny.events({ { .5, "e", data = { i } } }) }) end
    local graph, node = tiny.player(clips[1])
    local data
    graph:on("e", function(_, d) data = d end)
    local function rounds(n)
      for i = 1, n do node:setClip(clips[i % 4 + 1]) end
      collectgarbage()
      collectgarbage()
      return core.memory()
    end
    local blocks = rounds(100)
    assert.are.equal(blocks, rounds(3000))
    graph:update(.7)
    assert.are.same({ 1 }, data)
  end)

  it("setPose, in place where no clone shares the graph", function()
    local graph, pose = anim.newGraph(model()), anim.newPose(tiny.skeleton)
    pose:set("tip", 3, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    local node = graph:pose(pose)
    graph:setRoot(node)
    graph:update(0)
    near(3, x(graph))
    pose:set("tip", 4, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    graph:advance(.1)
    node:setPose(pose)
    graph:evaluate()
    near(4, x(graph))
    assert.is_false(node:isDone())
  end)

  it("110: points of blends can be added and removed", function()
    local graph = anim.newGraph(model(), { params = { x = 1 } })
    local blend = graph:blend1D({ param = "x", { 0, "one" }, { 4, "four" } })
    graph:setRoot(blend)
    graph:update(0)
    near(1.75, x(graph), 1e-5)
    assert.are.equal(2, blend:addInput(2, "two"))
    assert.are.equal(4, blend:addInput({ 5, "aim", speed = 2 }))
    graph:update(0)
    near(1.5, x(graph), 1e-5)
    raises.exactly("bad argument #1 to 'addInput' (threshold 2 is not below 2)",
      function() blend:addInput(2, "one") end)
    blend:removeInput(2)
    graph:update(0)
    near(1.75, x(graph), 1e-5)
  end)

  it("layers count from 1, their base is 0", function()
    local graph = anim.newGraph(model())
    local layers = graph:layers({ base = "one", { "two", weight = 0 } })
    graph:setRoot(layers)
    assert.are.equal(1, layers:getInputCount())
    assert.are.equal("one", layers:getInput(0):getClip():getName())
    assert.are.equal(2, layers:addInput("four", { weight = .25 }))
    graph:update(0)
    near(.25, layers:getInputWeight(2))
    layers:setWeight(2, 0)
    layers:setLayerWeight(1, 1, .2)
    graph:update(.1)
    near(.5, layers:getInputWeight(1))
    layers:setInput(0, "aim")
    layers:removeInput(2)
    tiny.run(graph, 2, .1)
    near(2, x(graph))
    layers:setLayerWeight(1, 0)
    graph:update(0)
    near(7, x(graph))
  end)

  it("random edits between updates never break anything", function()
    local r = check.random(4)
    local clips = { "idle", "walk", "run", "aim", "one", "two" }
    local graph = anim.newGraph(model(), { params = { p = 0, q = 0 } })
    graph:setRoot({ type = "mixer", inputs = { "idle" } })
    local function some(depth)
      local kind = depth > 2 and 1 or r.integer(1, 6)
      if kind <= 2 then return r.pick(clips) end
      if kind == 3 then return { type = "mixer", inputs = { some(depth + 1), some(depth + 1) },
        weights = { r.unit(), r.unit() }, sync = r.unit() < .5 } end
      if kind == 4 then return { type = "blend1D", param = "p", { 0, some(depth + 1) }, { 1, some(depth + 1) } } end
      if kind == 5 then return { type = "direct", { "q", some(depth + 1) } } end
      return { type = "layers", base = some(depth + 1), { some(depth + 1), weight = "q" } }
    end
    for step = 1, 1500 do
      local node = graph:getRoot()
      while node:getType() ~= "clip" and node:getInputCount() > 0 and r.unit() < .6 do
        node = node:getInput(r.integer(1, node:getInputCount()))
      end
      local kind, count = node:getType(), node:getType() ~= "clip" and node:getInputCount() or 0
      if kind == "clip" then
        node:setClip(model().clips[r.pick(clips)], r.unit() < .5)
      elseif r.unit() < .3 and count > 1 then
        node:removeInput(r.integer(1, count))
      elseif r.unit() < .5 and count > 0 then
        node:setInput(r.integer(1, count), some(0))
      elseif kind == "mixer" and count < 6 then
        node:addInput(some(0), r.unit())
        if r.unit() < .5 then node:fadeTo(r.integer(1, count), r.unit()) end
      elseif r.unit() < .1 then
        graph:setRoot({ type = "mixer", inputs = { some(0), some(0) }, weights = { .5, .5 } })
      end
      graph:set("p", r.number(-1, 2))
      graph:set("q", r.unit())
      if r.unit() < .3 then graph:evaluate() end
      graph:update(r.unit() * .3)
      local px = x(graph)
      assert(px == px and math.abs(px) < 100, "step " .. step .. ": " .. px)
      assert(core.graph.countNodes(graph) < 400)
    end
  end)
end)

describe("clones", function()
  it("share what is built and nothing that runs", function()
    local graph = anim.newGraph(model(), describeAll())
    local heard = 0
    graph:on("*", function() heard = heard + 1 end)
    graph:set("speed", 3)
    tiny.run(graph, 5, .13)
    local clone = graph:clone({ seed = 5 })
    assert.are.equal(0, clone:get("speed"))
    local before = heard
    tiny.run(clone, 20, .1)
    assert.are.equal(before, heard)
    local mix = graph:find("mix")
    assert.are.equal(clone:find("mix"), clone:find(mix))
    assert.are_not.equal(mix, clone:find(mix))
    assert.are.equal(clone, clone:find(mix):getGraph())
    clone:find("move"):addInput(9, "one")
    assert.are.equal(3, graph:find("move"):getInputCount())
    assert.are.equal(graph:describe().nodes.strafe.mode, clone:describe().nodes.strafe.mode)
    raises.exactly("bad argument #1 to 'find' (node of this graph or a clone of it expected)",
      function() anim.newGraph(model()):find(mix) end)
  end)

  it("are cheap", function()
    local graph, inputs = anim.newGraph(model()), {}
    for i = 1, 19 do inputs[i] = "walk" end
    graph:setRoot({ type = "mixer", inputs = inputs })
    local list = {}
    collectgarbage()
    local start = os.clock()
    for i = 1, 10000 do list[i] = graph:clone() end
    local seconds = os.clock() - start
    -- .2 s is the aim; a busy machine, sanitizers and valgrind are given room.
    assert.is_true(seconds < 3, ("10,000 clones took %.2f s"):format(seconds))
    list[5000]:update(.1)
    assert.are.equal(0, list[4999]:getRoot():getWeight())
  end)

  it("run scripts of their own node", function()
    local graph, nodes = anim.newGraph(model()), {}
    graph:setRoot(graph:script({ inputs = { "one" }, update = function(node) nodes[#nodes + 1] = node end }))
    local clone = graph:clone()
    graph:update(.1)
    clone:update(.1)
    assert.are.same({ graph:getRoot(), clone:getRoot() }, nodes)
  end)
end)

describe("snapshots", function()
  it("run on as if nothing had happened", function()
    local graph = anim.newGraph(model(), describeAll())
    local r = check.random(3)
    local function run()
      local hashes = {}
      local q = check.random(8)
      for i = 1, 30 do
        graph:set("speed", q.number(0, 5))
        graph:set("vx", q.number(-1, 1))
        graph:update(q.number(0, .2))
        hashes[i] = graph:hash()
      end
      return hashes
    end
    for _ = 1, 17 do graph:update(r.unit() * .1) end
    local saved = graph:save()
    local first = run()
    assert.is_true(graph:restore(saved))
    assert.are.same(first, run())
  end)

  it("of other graphs, cut or broken ones are refused", function()
    local graph = anim.newGraph(model(), describeAll())
    graph:update(.3)
    local saved, hash = graph:save(), graph:hash()
    local other = anim.newGraph(model())
    assert.are.same({ nil, "saved by a graph of another shape" }, { graph:restore(other:save()) })
    assert.are.same({ nil, "not a saved graph" }, { graph:restore("") })
    assert.is_nil((graph:restore(saved:sub(1, -2))))
    local r = check.random(77)
    for _ = 1, 300 do
      local bytes = { saved:byte(1, -1) }
      for _ = 1, r.integer(1, 8) do bytes[r.integer(1, #bytes)] = r.integer(0, 255) end
      if graph:restore(string.char(unpack(bytes))) then
        graph:update(.1)
        local px = x(graph)
        assert.is_true(px == px)
      end
      assert.is_true(graph:restore(saved))
    end
    graph:evaluate()
    assert.are.equal(hash, graph:hash())
    assert.are_not.equal(graph:hash(), graph:hash("state"))
  end)

  it("reset is as built", function()
    local graph = anim.newGraph(model(), describeAll())
    local hash = graph:hash()
    tiny.run(graph, 9, .1)
    assert.are_not.equal(hash, graph:hash())
    graph:reset()
    assert.are.equal(hash, graph:hash())
  end)
end)

describe("script nodes", function()
  it("set weights in the logic pass and joints in the pose pass", function()
    local graph, kept, steps = anim.newGraph(model(), { params = { p = 0 } }), nil, {}
    local node = graph:script({ inputs = { "one", "four" },
      update = function(node, dt)
        steps[#steps + 1] = dt
        node:setWeight(1, 1)
        node:setWeight(2, graph:get("p"))
      end,
      pose = function(self, pose, dt)
        kept = pose
        assert.are.equal(graph:getRoot(), self)
        assert.are.equal(.25, dt)
        local tx = pose:get("tip")
        pose:set("tip", tx * 2, 1, 0, 0, 0, 0, 1, 1, 1, 1)
      end })
    graph:setRoot(node)
    graph:set("p", 1)
    graph:update(.25)
    near(5, x(graph), 1e-5)
    assert.are.same({ .25 }, steps)
    assert.matches("released", raises.message(kept.get, kept, "tip"))
  end)

  it("raise from the call, which leaves the graph usable", function()
    local graph, broken = anim.newGraph(model()), { "broken" }
    local fail = "update"
    local node = graph:script({ inputs = { "one" },
      update = function() if fail == "update" then error(broken) end end,
      pose = function() if fail == "pose" then error(broken) end end })
    graph:setRoot(node)
    for _, name in ipairs({ "update", "pose" }) do
      fail = name
      local ran, got = pcall(graph.update, graph, .1)
      assert.is_false(ran)
      assert.are.equal(broken, got)
    end
    assert.is_false((pcall(graph.evaluate, graph)))
    fail = nil
    graph:update(.1)
    near(1, x(graph))
  end)

  it("can't edit, update or lose their graph while it runs", function()
    local graph = anim.newGraph(model())
    local try
    graph:setRoot(graph:script({ inputs = { "one" }, update = function() try() end, pose = function() try() end }))
    local function refuses(expected, call)
      try = call
      assert.matches(expected, raises.message(graph.update, graph, .1))
    end
    refuses("can't be changed while it is updated", function() graph:add({ type = "pose" }) end)
    refuses("is being updated", function() graph:update(.1) end)
    refuses("is being updated", function() graph:evaluate() end)
    refuses("is being updated", function() graph:reset() end)
    refuses("is being updated", function() graph:restore(graph:save()) end)
    local clone = graph:clone()
    try = function() if clone then clone:getRoot() end end
    graph:update(.1)
    try = function() graph:release() end
    graph:update(.1)
    assert.are.equal("anim.Graph: released", tostring(graph))
  end)
end)

describe("root motion", function()
  local function stride()
    local translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 2 } }
    return tiny.clip("stride", { tracks = { root = { translation = translation } } })
      :withRootMotion({ joint = "root", translation = "xz" })
  end

  it("is what a clip moved by in the last advance", function()
    local graph, node = tiny.player(stride())
    local z = 0
    for _ = 1, 25 do
      graph:update(.1)
      local _, _, dz, _, _, _, qw = graph:getRootMotion()
      near(.2, dz, 1e-6)
      near(1, qw)
      z = z + dz
    end
    near(5, z, 1e-5)
    node:setTime(.5)
    graph:update(0)
    near(0, select(3, graph:getRootMotion()))
    check.near({ 0, 1, 0 }, { graph:getPosition("tip") }, 1e-6)
  end)

  it("turns too", function()
    local clip = tiny.clip("turn", { tracks = { root = {
      translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 1 } },
      rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, unpack(tiny.about("y", 90)) } } } } })
      :withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
    local graph = tiny.player(clip)
    graph:update(1)
    local dx, dy, dz, qx, qy, qz, qw = graph:getRootMotion()
    check.near({ 0, 0, 1, 0, math.sqrt(.5), 0, math.sqrt(.5) }, { dx, dy, dz, qx, qy, qz, qw }, 1e-5)
  end)

  it("wants a joint and axes", function()
    local clip = tiny.clip("c")
    raises.exactly("bad argument #1 to 'withRootMotion' (translation or rotation expected)",
      function() clip:withRootMotion({ joint = "root" }) end)
    raises.exactly("bad argument #1 to 'withRootMotion' (translation: axes (such as \"xz\") expected, got string 'xx')",
      function() clip:withRootMotion({ joint = "root", translation = "xx" }) end)
    raises.exactly("bad argument #1 to 'withRootMotion' (joint: no joint 'rot'; did you mean 'root'?)",
      function() clip:withRootMotion({ joint = "rot", rotation = "y" }) end)
  end)
end)

describe("outputs", function()
  it("are rest before the first update", function()
    local graph = tiny.player(tiny.clip("c", { from = 5 }))
    check.near({ 0, 1, 0 }, { graph:getPosition("tip") }, 0)
    assert.are.equal(0, graph:getRoot():getWeight())
    assert.are.equal(0, graph:getCurve("nothing"))
    check.near({ 0, 0, 0, 0, 0, 0, 1 }, { graph:getRootMotion() }, 0)
    graph:update(0)
    check.near({ 5, 1, 0, 0, 0, 0, 1, 1, 1, 1 }, { graph:getJoint("tip") }, 1e-6)
    local pose = anim.newPose(tiny.skeleton)
    assert.are.equal(pose, graph:getPose(pose))
    check.near({ graph:getJoint("tip") }, { pose:get("tip") }, 0)
    check.near({ pose:getMatrix("tip") }, { graph:getMatrix("tip") }, 1e-6)
    check.near({ pose:get("tip") }, { graph:getPose():get("tip") }, 0)
  end)

  it("curves and properties", function()
    local graph = anim.newGraph(tiny.model({
      tiny.clip("a", { curves = { c = { times = { 0 }, values = { 2 } } },
        properties = { mouth = { times = { 0 }, values = { "open" } } } }),
      tiny.clip("b", { properties = { mouth = { times = { 0 }, values = { "shut" } } } }) }))
    local mixer = graph:mixer({ inputs = { "a", "b" }, weights = { .75, .25 } })
    graph:setRoot(mixer)
    graph:update(0)
    near(1.5, graph:getCurve("c"))
    assert.are.equal("open", graph:getProperty("mouth"))
    mixer:setWeight(2, 3)
    graph:update(0)
    assert.are.equal("shut", graph:getProperty("mouth"))
    assert.is_nil(graph:getProperty("nose"))
  end)

  it("morph weights", function()
    local m = tiny.model({ tiny.clip("smile", { curves = { ["face.smile"] = { times = { 0 }, values = { .8 } } } }),
      tiny.clip("plain") })
    m.morphs = { { name = "face", targets = { "smile", "blink" }, curves = { "face.smile", "face.blink" },
      weights = { .2, .4 } } }
    local graph = anim.newGraph(m)
    local mixer = graph:mixer({ inputs = { "smile", "plain" }, weights = { .5, .5 } })
    graph:setRoot(mixer)
    graph:update(0)
    near(.5, graph:getMorph(1, 1)) -- half the clip's, half the mesh's own
    near(.4, graph:getMorph("face", "blink"))
    raises.exactly("bad argument #2 to 'getMorph' (index from 1 to 2 or name of a target expected, got 3)",
      function() graph:getMorph(1, 3) end)
    raises.exactly("bad argument #1 to 'getMorph' (mesh with morph targets expected, got string 'leg')",
      function() graph:getMorph("leg", 1) end)
  end)

  it("palettes", function()
    local model2 = assert(anim.decode([[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},
      {"name":"tip","translation":[0,1,0]}],"skins":[{"joints":[0,1]}]}]], "m.gltf"))
    local skin, graph = model2.skins[1], anim.newGraph(model2)
    graph:update(0)
    local floats = check.floats(graph:getPaletteString(skin))
    assert.are.equal(32, #floats)
    check.near({ 0, 1, 0, 1 }, { unpack(floats, 29, 32) }, 0)
    local small = graph:getPalette(skin, "3x4")
    assert.are.equal(96, small:getSize())
    assert.are.equal(graph:getPaletteString(skin, "3x4"), small:getString())
    assert.are.equal(small, graph:getPalette(skin, "3x4"))
    assert.are.equal("userdata", type(small:getPointer()))
    local buffer = anim.newBuffer(160)
    graph:writePalette(skin, buffer, 32)
    assert.are.equal(("\0"):rep(32) .. graph:getPaletteString(skin), buffer:getString())
    raises.exactly("bad argument #2 to 'writePalette' (128 bytes expected behind offset 64, got 96)",
      function() graph:writePalette(skin, buffer, 64) end)
    raises.exactly("bad argument #3 to 'writePalette' (multiple of 4 (bytes) expected, got 2)",
      function() graph:writePalette(skin, buffer, 2) end)
    raises.exactly("bad argument #2 to 'writePalette' (LÖVE Data, FFI array or anim.Buffer expected, got table)",
      function() graph:writePalette(skin, {}) end)
    raises.exactly("bad argument #1 to 'newBuffer' (index from 1 to 2147483647 expected, got 0)",
      function() anim.newBuffer(0) end)
    local hasFfi, ffi = pcall(require, "ffi")
    if not hasFfi then return end
    local array = ffi.new("float[40]")
    graph:writePalette(skin, array, 32)
    assert.are.equal(graph:getPaletteString(skin), ffi.string(array + 8, 128))
    assert.is_false((pcall(graph.writePalette, graph, skin, ffi.new("float[31]"))))
    assert.is_false((pcall(graph.writePalette, graph, skin, ffi.cast("float*", array))))
  end)

  it("inspect tells what goes on", function()
    local graph = anim.newGraph(model(), describeAll())
    graph:set("speed", 1.5)
    graph:advance(.7)
    local report = graph:inspect()
    assert.are.equal("layers", report.nodes[1].type)
    assert.are.equal(1.5, report.params.speed)
    assert.are.equal(0, report.lost)
    local text = tostring(report)
    assert.matches("blend1D 'move'", text)
    assert.matches("param speed = 1.5", text)
  end)
end)

describe("lifetime", function()
  local function collect()
    for _ = 1, 4 do collectgarbage() end
  end

  it("a graph that only its own callbacks refer to is collected", function()
    local watch = setmetatable({}, { __mode = "k" })
    local function make()
      local graph, node = tiny.player(tiny.clip("c", { events = tiny.events({ { .5, "e", data = {} } }) }))
      graph:on("e", function() return graph, node end)
      node:on("done", function() return graph end)
      graph:setRoot(graph:script({ inputs = { node and "c" }, update = function() return graph end }))
      graph:update(.6)
      watch[graph] = true
      return node
    end
    make()
    collect()
    collect()
    assert.is_nil(next(watch))
  end)

  it("handles keep their graph, and know when it is released", function()
    local function make()
      local graph = anim.newGraph(model(), { params = { p = 1 } })
      graph:setRoot("one")
      return graph:getRoot(), graph:param("p")
    end
    local node, param = make()
    collect()
    node:getGraph():update(0)
    near(1, node:getWeight())
    local graph = node:getGraph()
    assert.are.equal(graph, param:getGraph())
    local subscription = graph:on("x", print)
    graph:release()
    graph:release()
    assert.matches("released", raises.message(node.getTime, node))
    assert.matches("released", raises.message(param.get, param))
    assert.is_false(subscription:isActive())
    subscription:cancel()
    for _, handle in ipairs({ graph, node, param, subscription }) do assert.is_string(tostring(handle)) end
  end)

  it("memory that runs out leaves the graph as it was", function()
    local graph = anim.newGraph(model())
    graph:setRoot("one")
    collect()
    local blocks = core.memory()
    for n = 1, 200 do
      core.failAllocation(n)
      local ran = pcall(function()
        local g = anim.newGraph(model(), describeAll())
        local c = g:clone()
        c:find("move"):addInput(9, "one")
        c:update(.1)
      end)
      core.failAllocation(0)
      if ran then break end
      assert(n < 200)
    end
    for n = 1, 60 do
      core.failAllocation(n)
      local ran = pcall(function() graph:setRoot({ type = "mixer", inputs = { "one", "two" } }) end)
      core.failAllocation(0)
      graph:update(.1)
      near(1, x(graph))
      if ran then break end
      assert(n < 60)
    end
    graph:setRoot("one")
    collect()
    collect()
    assert.is_true(core.memory() <= blocks + 4)
  end)

  it("strange arguments never crash it", function()
    local r = check.random(31)
    local graph = anim.newGraph(model(), describeAll())
    local objects = { graph, graph:getRoot(), graph:find("move"), graph:param("speed"), graph:on("*", function() end),
      anim.newBuffer(64), anim.newPose(tiny.skeleton), model().clips.one }
    local strange = { 0, -1, 1.5, 1e300, 0 / 0, 1 / 0, "", "text", "speed", "move", true, false, {}, { 1, 2 }, print,
      { type = "mixer" }, { type = "clip", clip = "one" }, unpack(objects) }
    for _, object in ipairs(objects) do
      local methods = debug.getmetatable(object).__index
      for name, method in pairs(methods) do
        if name ~= "release" then
          for _ = 1, 25 do
            local arguments = {}
            for i = 1, r.integer(0, 5) do arguments[i] = r.pick(strange) end
            pcall(method, object, unpack(arguments))
            pcall(method, unpack(arguments))
          end
        end
      end
    end
    graph:update(.1)
    assert.is_string(tostring(graph:inspect()))
  end)
end)
