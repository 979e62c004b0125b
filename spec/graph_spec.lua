-- Building graphs as code and as data, describing them again, errors with their paths, parameters.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")

local core = require("anim.core")

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-6) end
local function x(graph) return (graph:getPosition("tip")) end

describe("a description", function()
  it("builds what code builds", function()
    local data = anim.newGraph(tiny.cast(), { params = { speed = 0 },
      nodes = { move = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.5, "walk" }, { 4, "run" } } },
      root = "move" })
    local code = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
    local description = graph:describe()
    local again = anim.newGraph(tiny.cast(), description)
    assert.are.same(tiny.everything().params.vx, description.params.vx)
    assert.are.same(tiny.everything().masks, description.masks)
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
    local graph = anim.newGraph(tiny.cast(), { nodes = { a = { type = "mixer", inputs = { "b" } },
      b = { type = "clip", clip = "one" } }, root = "a" })
    assert.are.equal("b", graph:getRoot():getInput(1):getName())
    assert.matches("nodes.b.inputs%[1%]: node 'a' would hold itself", raises.message(anim.newGraph, tiny.cast(),
      { nodes = { a = { type = "mixer", inputs = { "b" } }, b = { type = "mixer", inputs = { "a" } } } }))
    local circle = { type = "mixer", inputs = {} }
    circle.inputs[1] = circle
    assert.matches("nested more than 200 deep", raises.message(anim.newGraph, tiny.cast(), { root = circle }))
  end)
end)

describe("mistakes in a description", function()
  local function fails(expected, description, tables)
    raises.exactly(("bad argument #2 to 'newGraph' (%s)"):format(expected),
      function() anim.newGraph(tiny.cast(), description, tables) end)
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
    local delta = tiny.cast().clips.lean:toAdditive()
    raises.exactly("bad argument #2 to 'newGraph' (root.inputs[1]: clip 'lean' holds deltas; it belongs into an "
      .. "additive layer)", function()
      anim.newGraph(tiny.skeleton, { root = { type = "mixer", inputs = { delta } } })
    end)
  end)

  it("leave a graph as it was", function()
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast())
    raises.exactly("bad argument #1 to 'clip' (clip: clip 'c' belongs to another skeleton; clip:retarget makes one for "
      .. "this)", function() graph:clip(anim.newClip({ name = "c", skeleton = skeleton })) end)
    assert.matches("pose of the graph's skeleton", raises.message(graph.pose, graph, anim.newPose(skeleton)))
  end)

  it("in arguments", function()
    local graph = anim.newGraph(tiny.cast())
    raises.exactly("bad argument #1 to 'newGraph' (model or anim.Skeleton expected, got table)",
      function() anim.newGraph({}) end)
    raises.exactly("bad argument #3 to 'newGraph' (unknown key 'clip'; did you mean 'clips'?)",
      function() anim.newGraph(tiny.cast(), {}, { clip = {} }) end)
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
      function() anim.newGraph(tiny.cast()):mixer({ inputs = { node } }) end)
  end)
end)

describe("parameters", function()
  it("keep their value when named again", function()
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast(), { params = { go = "trigger", soon = { "trigger", life = .25 },
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
