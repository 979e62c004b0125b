-- Editing graphs while they run; copies and snapshots of them.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local core = require("anim.core")

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-6) end
local function x(graph) return (graph:getPosition("tip")) end

describe("editing", function()
  it("a node has one parent", function()
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast())
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
    local graph, pose = anim.newGraph(tiny.cast()), anim.newPose(tiny.skeleton)
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
    local graph = anim.newGraph(tiny.cast(), { params = { x = 1 } })
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
    local graph = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast(), { params = { p = 0, q = 0 } })
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
        node:setClip(tiny.cast().clips[r.pick(clips)], r.unit() < .5)
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
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
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
      function() anim.newGraph(tiny.cast()):find(mix) end)
  end)

  it("are cheap", function()
    local graph, inputs = anim.newGraph(tiny.cast()), {}
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
    local graph, nodes = anim.newGraph(tiny.cast()), {}
    graph:setRoot(graph:script({ inputs = { "one" }, update = function(node) nodes[#nodes + 1] = node end }))
    local clone = graph:clone()
    graph:update(.1)
    clone:update(.1)
    assert.are.same({ graph:getRoot(), clone:getRoot() }, nodes)
  end)
end)

describe("snapshots", function()
  it("run on as if nothing had happened", function()
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
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
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
    graph:update(.3)
    local saved, hash = graph:save(), graph:hash()
    local other = anim.newGraph(tiny.cast())
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
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
    local hash = graph:hash()
    tiny.run(graph, 9, .1)
    assert.are_not.equal(hash, graph:hash())
    graph:reset()
    assert.are.equal(hash, graph:hash())
  end)
end)
