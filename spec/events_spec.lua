-- Events of graphs: the cases of kind E, T (and N 117) of the catalogue of faults, by number; delivery, order, errors,
-- re-entrancy.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-6) end

describe("faults of events", function()
  it("1: an event at 0 fires in every pass", function()
    local log = {}
    local graph = tiny.player(tiny.clip("c", { events = tiny.events({ { 0, "a" }, { .5, "b" } }) }))
    tiny.listen(graph, log)
    tiny.run(graph, 12, .25)
    -- Elapsed 0, 1, 2 and 3: landing on the end is 0 of the next pass.
    assert.are.equal(4, tiny.count(log, "a"))
    assert.are.equal(3, tiny.count(log, "b"))
  end)

  it("2: an event at 0 of a one-shot fires once", function()
    local log = {}
    local graph, node = tiny.player(tiny.clip("c", { loop = false, events = tiny.events({ { 0, "a" } }) }))
    tiny.listen(graph, log)
    tiny.run(graph, 10, .4)
    assert.are.same({ "a", "done" }, log)
    near(1, node:getTime())
  end)

  it("4: playing what plays, inside its own event, changes nothing", function()
    local clip, calls = tiny.clip("c", { events = tiny.events({ { .9, "e" } }) }), 0
    local graph = anim.newGraph(tiny.model({ clip }))
    graph:play("c")
    graph:on("e", function()
      calls = calls + 1
      graph:play("c")
    end)
    tiny.run(graph, 80, .05)
    assert.are.equal(4, calls)
  end)

  it("5: an event at the end of a one-shot fires once", function()
    local log = {}
    local graph = tiny.player(tiny.clip("c", { duration = .25, loop = false, events = tiny.events({ { .25, "e" } }) }))
    tiny.listen(graph, log)
    tiny.run(graph, 20, .1)
    assert.are.equal(1, tiny.count(log, "e"))
  end)

  it("6: an event on the last frame is not missed, whatever the steps", function()
    for _, dt in ipairs({ 1 / 24, 1 / 30, 1 / 60, 1 / 144, .07 }) do
      for _, duration in ipairs({ .25, .1, 1 / 3, .7 }) do
        local log = {}
        local clip = tiny.clip("c", { duration = duration, loop = false, events = tiny.events({ { duration, "e" } }) })
        local graph = tiny.player(clip)
        tiny.listen(graph, log)
        tiny.run(graph, math.ceil(duration / dt) + 2, dt)
        assert.are.equal(1, tiny.count(log, "e"))
        assert.are.equal(1, tiny.count(log, "done"))
      end
    end
  end)

  it("7: an event at 0 fires while its clip fades in, with the weight at the end of the step", function()
    local a, b = tiny.clip("a"), tiny.clip("b", { events = tiny.events({ { 0, "e" } }) })
    local graph, weights = anim.newGraph(tiny.model({ a, b })), {}
    graph:play("a")
    tiny.run(graph, 3, 1 / 60)
    graph:on("e", function(_, _, _, _, _, weight) weights[#weights + 1] = weight end)
    graph:play("b", .1)
    graph:update(1 / 60)
    check.near({ 1 / 6 }, weights, 1e-6)
  end)

  it("8: a seek runs nothing that lies before its target", function()
    local log = {}
    local graph, node = tiny.player(tiny.clip("c", { events = tiny.events({ { 0, "zero" }, { .6, "e" } }) }))
    graph:update(.9)
    tiny.listen(graph, log)
    node:setTime(.5)
    assert.are.same({}, log)
    graph:update(.2)
    assert.are.same({ "e" }, log)
  end)

  it("9: updating inside a callback is an error; playing is not", function()
    local a, b = tiny.clip("a", { loop = false, events = tiny.events({ { 1, "e" } }) }), tiny.clip("b")
    local graph, log = anim.newGraph(tiny.model({ a, b })), {}
    graph:play("a")
    tiny.listen(graph, log)
    local subscription = graph:on("done", function() graph:update(0) end)
    assert.matches("the graph is being updated", raises.message(graph.update, graph, 1.5))
    subscription:cancel()

    log = {}
    graph = anim.newGraph(tiny.model({ a, b }))
    tiny.listen(graph, log)
    graph:play("a", { onDone = function() graph:play("b") end })
    tiny.run(graph, 15, .1)
    assert.are.equal(1, tiny.count(log, "e"))
    assert.are.equal(1, tiny.count(log, "done"))
  end)

  it("10: events return with the weight", function()
    local clip, log = tiny.clip("c", { events = tiny.events({ { .5, "e" } }) }), {}
    local graph = anim.newGraph(tiny.model({ clip, tiny.clip("still") }))
    local mixer = graph:mixer({ inputs = { "c", "still" }, weights = { 1, 1 } })
    graph:setRoot(mixer)
    tiny.listen(graph:find(mixer):getInput(1), log)
    local counts = {}
    for i, weight in ipairs({ 1, 0, 1 }) do
      mixer:setWeight(1, weight)
      tiny.run(graph, 20, .1)
      counts[i] = tiny.count(log, "e")
    end
    assert.are.same({ 2, 2, 4 }, counts)
  end)

  it("11: what fades out fires as long as its minWeight allows", function()
    for minWeight, expected in pairs({ [1] = 0, [.25] = 1, [.9] = 0, [0] = 1 }) do
      local a = tiny.clip("a", { events = tiny.events({ { .5, "e" } }) })
      local graph, log = anim.newGraph(tiny.model({ a, tiny.clip("b") })), {}
      local mixer = graph:mixer({ inputs = { { type = "clip", clip = "a", minWeight = minWeight }, "b" } })
      graph:setRoot(mixer)
      graph:update(.4)
      local weight
      graph:on("e", function(_, _, _, _, _, w)
        log[#log + 1] = "e"
        weight = w
      end)
      mixer:fadeTo(2, .5)
      tiny.run(graph, 12, .1)
      assert.are.equal(expected, tiny.count(log, "e"))
      if expected == 1 then near(.8, weight) end
    end
  end)

  it("12: a clip of no length", function()
    local log = {}
    local graph, node = tiny.player(tiny.clip("c", { duration = 0, from = 3 }))
    tiny.listen(graph, log)
    tiny.run(graph, 5, .1)
    assert.are.same({}, log)
    check.near({ 3, 1, 0 }, { graph:getPosition("tip") }, 1e-6)
    assert.are.equal(0, node:getPhase())
    assert.is_false(node:isDone())

    graph, node = tiny.player(tiny.clip("c", { duration = 0, from = 3, loop = false }))
    tiny.listen(graph, log)
    graph:update(.1)
    assert.are.same({ "done" }, log)
    tiny.run(graph, 4, .1)
    assert.are.same({ "done" }, log)
    assert.is_true(node:isDone())
  end)

  it("13: what is interrupted is never done", function()
    local a, b, log = tiny.clip("a", { loop = false }), tiny.clip("b"), {}
    local graph = anim.newGraph(tiny.model({ a, b }))
    graph:play("a")
    graph:update(.95)
    tiny.listen(graph, log)
    graph:play("b")
    tiny.run(graph, 5, .1)
    assert.are.equal(0, tiny.count(log, "done"))
  end)

  it("16: paused and moved by hand", function()
    local log = {}
    local graph, node = tiny.player(tiny.clip("c", { events = tiny.events({ { .5, "e" } }) }))
    graph:update(.1)
    node:pause()
    tiny.listen(graph, log)
    local function step(time, fire)
      node:setTime(time, fire)
      graph:update(.1)
      local count = tiny.count(log, "e")
      for i = #log, 1, -1 do log[i] = nil end
      return count
    end
    assert.are.equal(0, step(.4))
    assert.are.equal(1, step(.6, true))
    assert.are.equal(1, step(.2, true))
    assert.are.equal(0, step(.6))
  end)

  it("17: a long step skips nothing, in order, and says what it did not run", function()
    local log = {}
    local graph = tiny.player(tiny.clip("c", { events = tiny.events({ { .2, "p" }, { .8, "q" } }) }))
    tiny.listen(graph, log, true)
    graph:update(2.5)
    assert.are.same({ "p@0.2", "q@0.8", "loop@1", "p@0.2", "q@0.8", "loop@1", "p@0.2" }, log)
    graph:reset()
    graph:update(100.5) -- the first and the last 32 passes fire
    assert.are.equal(101 - 64, graph:inspect().skipped)
  end)

  it("18: all events fire in every pass", function()
    local log = {}
    local graph = tiny.player(tiny.clip("c",
      { events = tiny.events({ { .1, "e" }, { .3, "e" }, { .5, "e" }, { .9, "e" } }) }))
    tiny.listen(graph, log)
    tiny.run(graph, 60, .05)
    assert.are.equal(12, tiny.count(log, "e"))
  end)

  it("19: done once; and a restart inside it takes up the time left over", function()
    local log = {}
    local graph = tiny.player(tiny.clip("c", { loop = false }))
    tiny.listen(graph, log)
    tiny.run(graph, 30, .1)
    assert.are.same({ "done" }, log)

    local node
    graph, node = tiny.player(tiny.clip("c", { loop = false }))
    local count = 0
    graph:on("done", function(_, _, ended)
      count = count + 1
      ended:play()
    end)
    tiny.run(graph, 61, .05)
    assert.are.equal(3, count)
    near(.05, node:getTime(), 1e-9)
    for _, dt in ipairs({ .3, .7, .11 }) do -- and for steps that overshoot
      graph, node = tiny.player(tiny.clip("c", { loop = false }))
      graph:on("done", function(_, _, ended) ended:play() end)
      local steps = 20
      tiny.run(graph, steps, dt)
      graph:update(0)
      near(0, (node:getTime() - steps * dt + .5) % 1 - .5, 1e-6)
    end
  end)

  it("20: each play is its own node, and ends once", function()
    local graph = anim.newGraph(tiny.model({ tiny.clip("idle", { loop = false }) }))
    local ended = {}
    local function note(node) ended[node] = (ended[node] or 0) + 1 end
    local function start(restart) return graph:play("idle", { restart = restart, fade = .1, onDone = note }) end
    local first = start()
    tiny.run(graph, 11, .1)
    assert.are.equal(1, ended[first])
    local second = start()
    assert.are_not.equal(first, second)
    tiny.run(graph, 3, .1)
    local third = start(true)
    assert.are_not.equal(second, third)
    tiny.run(graph, 20, .1)
    assert.is_nil(ended[second]) -- interrupted
    assert.are.equal(1, ended[third])
    assert.matches("removed", raises.message(first.getTime, first))
    assert.matches("removed", raises.message(second.getTime, second))
    assert.is_true(third:isDone())
  end)
end)

describe("faults of time", function()
  it("21: time does not grow, so nothing is lost in days", function()
    for _, elapsed in ipairs({ 262144, 524288 }) do
      local graph, node = tiny.player(tiny.clip("c"))
      local loops = 0
      graph:update(elapsed)
      graph:on("loop", function() loops = loops + 1 end)
      near(0, node:getPhase(), 1e-9)
      tiny.run(graph, 1000, .016)
      assert.are.equal(16, loops)
      near(0, (node:getPhase() + .5) % 1 - .5, 1e-3)
    end
  end)

  it("23: a blend of unlike lengths leaves the rates as they are", function()
    local graph = anim.newGraph(tiny.model({ tiny.clip("run"), tiny.clip("idle", { duration = 5.5 }) }))
    graph:param("x", 0)
    local blend = graph:blend1D({ param = "x", { 0, "run" }, { 1, "idle" } })
    graph:setRoot(blend)
    for i = 0, 10 do
      graph:set("x", i / 10)
      graph:update(.05)
    end
    graph:set("x", 0)
    local before = blend:getPhase()
    tiny.run(graph, 10, .1)
    near(before, blend:getPhase(), 1e-6)
    assert.are.equal(1, blend:getInput(1):getSpeed())
  end)

  it("24: once and backwards", function()
    local log = {}
    local graph, node = tiny.player(tiny.clip("c", { loop = false, from = 2, to = 5 }), { speed = -1 })
    tiny.listen(graph, log)
    near(1, node:getTime()) -- it begins at its end
    tiny.run(graph, 11, .1)
    near(0, node:getTime())
    check.near({ 2, 1, 0 }, { graph:getPosition("tip") }, 1e-6)
    assert.are.same({ "done" }, log)
  end)

  it("25: a long step backwards", function()
    local graph, node = tiny.player(tiny.clip("c"), { speed = -1, start = .2 })
    local passes = {}
    graph:on("loop", function(_, pass) passes[#passes + 1] = pass end)
    graph:update(2.5)
    near(.7, node:getTime(), 1e-9)
    assert.are.same({ -1, -2, -3 }, passes)
  end)

  it("29: every mode of looping starts where it is told", function()
    for _, loop in ipairs({ false, true, "pingpong" }) do
      for _, speed in ipairs({ 1, -1 }) do
        local graph, node = tiny.player(tiny.clip("c", { loop = loop }), { start = .5, speed = speed })
        graph:update(0)
        near(.5, node:getPhase())
      end
    end
  end)
end)

describe("faults of numbers", function()
  it("117: bad numbers are refused and change nothing", function()
    local graph = anim.newGraph(tiny.model({ tiny.clip("a"), tiny.clip("b") }))
    local mixer = graph:mixer({ inputs = { "a", "b" } })
    graph:param("p", 1)
    graph:setRoot(mixer)
    graph:update(.1)
    local hash = graph:hash()
    for _, dt in ipairs({ 0 / 0, 1 / 0, -1 / 0, -1 }) do
      assert.is_false((pcall(graph.update, graph, dt)))
      assert.is_false((pcall(graph.advance, graph, dt)))
      if dt ~= -1 then
        assert.is_false((pcall(graph.set, graph, "p", dt)))
        assert.is_false((pcall(mixer.setWeight, mixer, 1, dt)))
        assert.is_false((pcall(mixer.setTime, mixer, dt)))
      end
    end
    assert.are.equal(hash, graph:hash())
    raises.exactly("bad argument #1 to 'update' (finite number expected, got nan)",
      function() graph:update(0 / 0) end)
    mixer:fadeTo(2, .3)
    tiny.run(graph, 4, .1)
    near(1, mixer:getInputWeight(2))
  end)
end)

describe("delivery", function()
  local function eventful()
    return tiny.clip("c", { events = tiny.events({ { .25, "one", data = { 1 } }, { .5, "two", data = "text" },
      { .75, "three", data = 3 } }) })
  end

  it("gives name, data, node, clip, time, weight", function()
    local clip = eventful()
    local graph, node = tiny.player(clip)
    local got = {}
    for _, name in ipairs({ "one", "two", "three", "loop" }) do
      graph:on(name, function(...) got[#got + 1] = { ... } end)
    end
    graph:update(1)
    assert.are.equal(4, #got)
    assert.are.same({ "one", { 1 }, node, clip, .25, 1 }, got[1])
    assert.are.equal(clip:getEvents()[1].data, got[1][2])
    assert.are.same({ "two", "text", node, clip, .5, 1 }, got[2])
    assert.are.same({ "three", 3, node, clip, .75, 1 }, got[3])
    assert.are.same({ "loop", 1, node, clip, 1, 1 }, got[4])
  end)

  it("is in order of subscription, and ends with cancel", function()
    local graph, log = tiny.player(eventful()), {}
    local second
    graph:on("one", function()
      log[#log + 1] = "first"
      second:cancel()
    end)
    second = graph:on("one", function() log[#log + 1] = "second" end)
    local third = graph:on("*", function(name) log[#log + 1] = name end)
    assert.is_true(third:isActive())
    graph:update(.3)
    assert.are.same({ "first", "one" }, log)
    assert.is_false(second:isActive())
    third:cancel()
    third:cancel()
    graph:update(.3)
    assert.are.equal(2, #log)
  end)

  it("to a node's own subscribers, and to those of the nodes above it", function()
    local graph = anim.newGraph(tiny.model({ eventful(), tiny.clip("d") }))
    local a, b = graph:clip("c"), graph:clip("d")
    local inner = graph:mixer({ inputs = { a } })
    local root = graph:mixer({ inputs = { inner, b }, weights = { 1, 1 } })
    graph:setRoot(root)
    local log = {}
    for name, node in pairs({ a = a, b = b, inner = inner, root = root }) do
      node:on("one", function() log[name] = true end)
    end
    graph:update(.3)
    assert.are.same({ a = true, inner = true, root = true }, log)
  end)

  it("leaves what nobody heard for events(), until the next advance", function()
    local graph, log = tiny.player(eventful()), {}
    graph:on("two", function(name) log[#log + 1] = name end)
    graph:update(.9)
    for name, data, node, clip, time, weight, edge in graph:events() do
      log[#log + 1] = name
      assert.are.equal(graph:getRoot(), node)
      assert.are.equal("c", clip:getName())
      assert.is_truthy(data)
      assert.are.same({ name == "one" and .25 or .75, 1 }, { time, weight })
      assert.is_nil(edge)
    end
    assert.are.same({ "two", "one", "three" }, log)
    for _ in graph:events() do error("taken already") end
    graph:update(.4)
    graph:update(0)
    for _ in graph:events() do error("gone with the next advance") end
  end)

  it("waits after advance, for the next update", function()
    local graph, log = tiny.player(eventful()), {}
    tiny.listen(graph, log)
    graph:advance(.3)
    graph:advance(.3)
    assert.are.same({}, log)
    graph:update(.3)
    assert.are.same({ "one", "two", "three" }, log)
  end)

  it("of a muted step there is none", function()
    local graph, log = tiny.player(eventful()), {}
    tiny.listen(graph, log)
    graph:advance(.3, "mute")
    graph:update(.3, "mute")
    assert.are.same({}, log)
    graph:update(.3)
    assert.are.same({ "three" }, log)
    assert.matches('"mute" expected', raises.message(graph.update, graph, 1, "loud"))
  end)

  it("an error reaches the caller of update; what was not told comes with the next one", function()
    local graph, log = tiny.player(eventful()), {}
    local problem = { "an error that is a table" }
    graph:on("one", function() log[#log + 1] = "first" end)
    local bad = graph:on("one", function() error(problem) end)
    graph:on("one", function() log[#log + 1] = "third" end)
    graph:on("two", function() log[#log + 1] = "two" end)
    local ran, got = pcall(graph.update, graph, .6)
    assert.is_false(ran)
    assert.are.equal(problem, got)
    assert.are.same({ "first" }, log)
    bad:cancel()
    graph:update(0)
    assert.are.same({ "first", "third", "two" }, log)
  end)

  it("keeps the graph as it was when a callback changes it", function()
    local clip = eventful()
    local graph = anim.newGraph(tiny.model({ clip, tiny.clip("other", { from = 4 }) }))
    local mixer = graph:mixer({ inputs = { "c", "other" } })
    graph:setRoot(mixer)
    local nodes = {}
    graph:on("one", function()
      mixer:removeInput(1)
      collectgarbage()
    end)
    graph:on("two", function(_, data, node, from)
      nodes[1] = node == nil
      assert.are.equal("text", data)
      assert.are.equal("c", from:getName())
    end)
    graph:update(.6)
    assert.are.same({ true }, nodes)
    check.near({ 4, 1, 0 }, { graph:getPosition("tip") }, 1e-6)
    graph:update(.1)
    assert.are.equal(1, mixer:getInputCount())
  end)

  it("can subscribe, which counts from the next step on", function()
    local graph, log = tiny.player(eventful()), {}
    local once
    graph:on("one", function()
      if once then return end
      once = true
      graph:on("*", function(name) log[#log + 1] = name end)
    end)
    graph:update(.6)
    assert.are.same({}, log)
    graph:update(.2)
    assert.are.same({ "three" }, log)
  end)

  it("can release the graph", function()
    local graph = tiny.player(eventful())
    graph:on("one", function() graph:release() end)
    graph:on("two", function() error("not reached") end)
    graph:update(1)
    assert.are.equal("anim.Graph: released", tostring(graph))
    assert.matches("released", raises.message(graph.update, graph, 1))
  end)

  it("ranges have a begin and an end, and isDuring is true between them", function()
    local clip = tiny.clip("c", { events = tiny.events({ { .2, "swing", duration = .4 } }) })
    local graph, node = tiny.player(clip)
    local log = {}
    graph:on("swing", function(_, _, _, _, time, _, edge) log[#log + 1] = ("%s %.1f"):format(edge, time) end)
    graph:update(.1)
    assert.is_false(graph:isDuring("swing"))
    graph:update(.2)
    assert.is_true(graph:isDuring("swing"))
    graph:update(.4)
    assert.is_false(graph:isDuring("swing"))
    assert.are.same({ "begin 0.2", "end 0.6" }, log)
    node:setTime(.4)
    graph:update(0)
    assert.is_true(graph:isDuring("swing"))
  end)

  it("subscriptions want a name and a function", function()
    local graph, node = tiny.player(eventful())
    raises.exactly("bad argument #2 to 'on' (function expected, got no value)", function() graph:on("one") end)
    raises.exactly("bad argument #1 to 'on' (string expected, got number)", function() node:on(3, print) end)
    assert.matches("anim.Subscription: one", tostring(graph:on("one", print)))
  end)
end)

describe("active()", function()
  it("tells what is heard: clip, time, weight, node", function()
    local a, b = tiny.clip("a"), tiny.clip("b")
    local graph = anim.newGraph(tiny.model({ a, b }))
    local mixer = graph:mixer({ inputs = { "a", "b", "a" }, weights = { 1, 3, 0 } })
    graph:setRoot(mixer)
    graph:update(.25)
    local seen = {}
    for clip, time, weight, node in graph:active() do seen[#seen + 1] = { clip, time, weight, node } end
    assert.are.same({ { a, .25, .25, mixer:getInput(1) }, { b, .25, .75, mixer:getInput(2) } }, seen)
  end)
end)
