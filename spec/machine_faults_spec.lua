-- Faults seen in other systems, of the kinds that need machines or the nodes that play: the numbers are those of the
-- list of faults. Where a case leaves a choice, the title says what ours is.
local anim = require("anim")
local stage = require("spec.support.stage")

local near, updates, turn = stage.near, stage.updates, stage.turn

local function weightOf(graph, state) return stage.node(graph, state):getWeight() end

local plain = { A = { length = 1 }, B = { length = 1 }, C = { length = 1 } }
local once = { A = { length = 1, loop = false }, B = { length = 1, loop = false }, C = { length = 1 } }

describe("events of machines", function()
  it("7: an event at 0 is heard while its clip fades in", function()
    local graph = stage.machine({ A = { length = 1 }, B = { length = 1, events = { { time = 0, name = "e" } } } },
      { "A", "B" }, { { from = "A", to = "B", when = "go", fade = .1 } })
    local weights = {}
    graph:on("e", function(_, _, _, _, _, weight) weights[#weights + 1] = weight end)
    graph:update(.5)
    graph:fire("go")
    updates(graph, 3, 1 / 60)
    assert.are.equal(1, #weights)
    near(1 / 6, weights[1])
  end)

  it("11: what is fading out fires down to its minWeight", function()
    for minWeight, expected in pairs({ [1] = 0, [.25] = 1, [.9] = 0 }) do
      local graph = stage.machine({ A = { length = 1, events = { { time = .5, name = "e" } } }, B = { length = 1 } },
        { "A", "B", A = { type = "clip", clip = "A", minWeight = minWeight } },
        { { from = "A", to = "B", when = "go", fade = .5 } })
      local heard = stage.listen(graph, "e")
      graph:update(.4)
      graph:fire("go")
      updates(graph, 6, .1)
      assert.are.equal(expected, #heard, "minWeight " .. minWeight)
    end
  end)

  it("13: a clip that is left tells no done, and exit comes before enter", function()
    local graph, machine = stage.machine(once, { "A", "B" }, {})
    graph:update(.95)
    local heard = stage.listen(graph)
    machine:play("B")
    graph:update(.1)
    assert.are.same({ "exit A interrupted", "enter B" }, heard)
  end)

  it("15: a queue that was empty announces what is pushed, once", function()
    local graph = stage.graph(once, { type = "queue", inputs = {} })
    local heard = stage.listen(graph, "enter")
    graph:update(.1)
    graph:find("root"):push("A")
    graph:update(0)
    graph:update(.1)
    assert.are.equal(1, #heard)
  end)

  it("19: a one-shot that starts itself again tells done once per pass and loses no time", function()
    local quiet = stage.machine(once, { "A" }, {})
    local heard = stage.listen(quiet, "done")
    updates(quiet, 30, .1)
    assert.are.equal(1, #heard)
    local graph, machine = stage.machine(once, { "A" },
      { { from = "A", to = "A", when = "done", self = true, fade = 0 } })
    heard = stage.listen(graph, "done")
    updates(graph, 30, .1)
    graph:update(.05)
    assert.are.equal(3, #heard)
    near(.05, machine:getTime(), 1e-9)
  end)

  it("20: every play of a state has one enter and one exit, done or interrupted", function()
    local graph, machine = stage.machine(once, { "A", "B" },
      { { from = "A", to = "A", when = "done", self = true, fade = .125 },
        { from = "A", to = "B", when = "go", fade = 0 } })
    local heard = stage.listen(graph, "enter", "exit")
    updates(graph, 11, .125)
    graph:fire("go")
    graph:update(.125)
    assert.are.same({ "enter A", "exit A done", "enter A", "exit A interrupted", "enter B" }, heard)
    assert.are.equal("B", machine:getState())
  end)
end)

describe("time in machines", function()
  it("23: a fade in step does not leave the rate of a clip altered", function()
    local graph, machine = stage.machine({ run = { length = 1 }, idle = { length = 5.5 } }, { "run", "idle" },
      { { from = "run", to = "idle", when = "go", fade = .5, sync = true },
        { from = "idle", to = "run", when = "back", fade = .5, sync = true } })
    graph:update(.25)
    graph:fire("go")
    updates(graph, 8, .125)
    graph:fire("back")
    updates(graph, 8, .125)
    assert.are.equal("run", machine:getState())
    local phase = machine:getPhase()
    updates(graph, 8, .125)
    near(phase, machine:getPhase(), 1e-9)
    near(1, stage.node(graph, "run"):getSpeed())
  end)

  it("26: time left over goes to what follows, in machines and queues", function()
    local graph, machine = stage.machine(once, { "A", "B" }, { { from = "A", to = "B", when = "done", fade = 0 } })
    updates(graph, 4, .3)
    assert.are.equal("B", machine:getState())
    near(.2, machine:getTime(), 1e-9)

    local queue = stage.graph(once, { type = "queue", inputs = { "A", "B" } })
    updates(queue, 4, .3)
    assert.are.equal(2, queue:find("root"):getIndex())
    near(.2, queue:find("root"):getTime(), 1e-9)
  end)

  it("26: 100 clips of .1 s last 10 s at any dt", function()
    for _, dt in ipairs({ .03, .016, .1, .37, 2.5 }) do
      local inputs = {}
      for i = 1, 100 do inputs[i] = "short" end
      local graph = stage.graph({ short = { length = .1, loop = false } }, { type = "queue", inputs = inputs })
      local gone, queue = 0, graph:find("root")
      repeat
        graph:update(dt)
        gone = gone + dt
      until queue:isDone() or gone > 20
      assert.is_true(gone >= 10 - 1e-6 and gone < 10 + dt + 1e-6, ("%g s at steps of %g"):format(gone, dt))
    end
  end)

  it("27: an exit counts the state's own time", function()
    local graph, machine = stage.machine(plain, { "A", "B", A = { "A", speed = 2 } },
      { { from = "A", to = "B", exit = .5, fade = .5 } })
    graph:update(.24)
    assert.are.equal("A", machine:getState())
    graph:update(.02)
    assert.are.equal("B", machine:getState())
    near(.01, machine:getTime(), 1e-9) -- what was left over
  end)

  it("28: a one-shot at twice the speed fades out in its own seconds", function()
    for _, dt in ipairs({ .05, 1 / 60 }) do
      local graph = stage.graph({ base = { length = 1, from = 0 }, shot = { length = 1, from = 90, loop = false } },
        { type = "oneShot", base = "base", fadeIn = 0, fadeOut = .3 })
      graph:update(0)
      graph:find("root"):fire("shot", { speed = 2 })
      local steps = math.floor(.6 / dt + .5)
      for i = 1, steps do
        graph:update(dt)
        local gone = i * dt
        local w = gone >= .5 - 1e-9 and 0 or gone <= .2 and 1 or (.5 - gone) / .3
        near(stage.between(0, 90, w), turn(graph), .1, ("at %g"):format(gone))
      end
    end
  end)

  it("29: a start offset is honoured by every way to play", function()
    for _, loop in ipairs({ "once", "loop", "pingpong" }) do
      for _, speed in ipairs({ 1, -1 }) do
        local mode = loop == "loop" or loop == "pingpong" and loop or false
        local graph, machine = stage.machine(plain, { "A", "B", B = { "B", speed = speed, loop = mode } },
          { { from = "A", to = "B", when = "go", fade = .5, offset = .5 } })
        graph:fire("go")
        graph:update(0)
        near(.5, machine:getPhase(), 1e-9, loop)
      end
    end
  end)

  it("115: a one-shot that ended while nobody looked stands at its end, told once", function()
    local clips = { A = { length = 1, loop = false, from = 0, to = 60, events = { { time = .5, name = "e" } } } }
    local graph = stage.machine(clips, { "A" }, {})
    local heard = stage.listen(graph, "e", "done")
    graph:update(5)
    near(60, turn(graph), .01)
    graph:update(0)
    near(60, turn(graph), .01)
    assert.are.same({ "e A", "done A" }, heard)
    graph = stage.machine(clips, { "A" }, {})
    for _ = 1, 50 do graph:advance(.1) end
    graph:update(0)
    near(60, turn(graph), .01)
  end)
end)

describe("transitions", function()
  it("31: an exit is crossed in any pass, also over the wrap and in one long step", function()
    local function state(...)
      local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", exit = .95, fade = 0 } })
      for _, dt in ipairs({ ... }) do
        graph:update(dt)
        if machine:getState() == "B" then return "B" end
      end
      return "A"
    end
    assert.are.equal("B", state(.9, .2))
    assert.are.equal("B", state(.2, 3))
    assert.are.equal("A", state(.9))
    -- at .96 a step of .02: put there by a seek, which is no crossing
    local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", exit = .95, fade = 0 } })
    stage.node(graph, "A"):setTime(.96)
    graph:update(.02)
    assert.are.equal("A", machine:getState())
    graph:update(.97)
    assert.are.equal("B", machine:getState())
  end)

  it("32: an entry without length is left at once; cuts do not stick in the second round", function()
    for _, dt in ipairs({ 6.5, .1 }) do
      local graph, machine = stage.machine({ entry = { length = 0, loop = false, from = 0 }, A = once.A, B = once.B },
        { "entry", "A", "B" }, { { from = "entry", to = "A", exit = 1, fade = 0 },
          { from = "A", to = "B", exit = 1, fade = 0 }, { from = "B", to = "A", exit = 1, fade = 0 } })
      local heard = stage.listen(graph, "enter")
      for _ = 1, math.floor(6.5 / dt + .5) do
        graph:update(dt)
        assert.are.equal(1, weightOf(graph, machine:getState()))
      end
      assert.are.equal("enter entry, enter A, enter B, enter A, enter B, enter A, enter B, enter A",
        table.concat(heard, ", "))
      near(.5, machine:getTime(), 1e-6)
    end
  end)

  it("33: from any state into the same one only with `self`; a refused trigger waits as long as it lives", function()
    local function any(self, life)
      local graph, machine = stage.machine(plain, { "A" },
        { { from = "*", to = "A", when = "t", fade = 0, self = self } },
        { t = life and { "trigger", life = life } or "trigger" })
      graph:update(.5)
      graph:fire("t")
      graph:update(.25)
      return machine:getTime(), graph:get("t")
    end
    local time, set = any(true)
    near(.25, time)
    assert.is_false(set)
    time, set = any(nil)
    near(.75, time)
    assert.is_true(set)
    time, set = any(nil, 0)
    near(.75, time)
    assert.is_false(set)
  end)

  it("34: a fade takes its time", function()
    local graph = stage.machine({ A = { length = 1, from = 0 }, B = { length = 1, from = 90 } }, { "A", "B" },
      { { from = "A", to = "B", when = "go", fade = 1 } })
    graph:fire("go")
    for i = 1, 4 do
      graph:update(.25)
      near(22.5 * i, turn(graph), 1)
    end
    near(90, turn(graph), .001)
  end)

  it("36: an exit of the target is measured with the target's time", function()
    local graph, machine = stage.machine(plain, { "A", "B", "C" }, { { from = "A", to = "B", when = "go", fade = 2 },
      { from = "B", to = "C", exit = .8, fade = .1 } })
    graph:update(.6)
    graph:fire("go")
    for _, step in ipairs({ { .3, "B" }, { .4, "B" }, { .05, "B" }, { .1, "C" } }) do
      graph:update(step[1])
      assert.are.equal(step[2], machine:getState())
    end
  end)

  it("37: requests in quick succession leave two live sources and settle", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, {})
    graph:update(0)
    for i = 1, 20 do
      machine:play(i % 2 == 1 and "B" or "A", .8)
      graph:update(.05)
      near(1, weightOf(graph, "A") + weightOf(graph, "B"))
    end
    for _ = 1, 20 do
      graph:update(.05)
      near(1, weightOf(graph, "A") + weightOf(graph, "B"))
    end
    assert.are.equal(1, weightOf(graph, "A"))
    assert.is_false(machine:isFading())
    assert.is_nil(machine:getSource())
  end)

  it("39: going back before the fade is done does not snap", function()
    local graph = stage.machine({ A = { length = 1, from = 0 }, B = { length = 1, from = 90 } }, { "A", "B" },
      { { from = "A", to = "B", when = "go", fade = 1 }, { from = "B", to = "A", when = "back", fade = 1 } })
    graph:fire("go")
    updates(graph, 4, .1)
    near(stage.between(0, 90, .4), turn(graph), .01)
    graph:fire("back")
    graph:update(.01)
    near(36, turn(graph), 1.5)
    local before = turn(graph)
    for _ = 1, 40 do
      graph:update(.01)
      assert.is_true(turn(graph) <= before + 1e-4)
      before = turn(graph)
    end
    near(0, turn(graph), .001)
  end)

  local nested = { type = "machine", initial = "s1", states = { s1 = "short", s2 = "short" },
    transitions = { { from = "s1", to = "s2", when = "done", fade = 0 } } }

  it("40: a nested machine that ended holds its last pose while its parent fades", function()
    local graph, machine = stage.machine(
      { short = { length = .3, loop = false, from = 60 }, B = { length = 1, from = 60 } }, { "N", "B", N = nested },
      { { from = "N", to = "B", exit = .9, fade = .2 } })
    for _ = 1, 60 do
      graph:update(1 / 50)
      near(60, turn(graph), .001)
    end
    assert.are.equal("B", machine:getState())
  end)

  it("41: a nested machine that is entered again is at its beginning in the first step", function()
    local graph, machine = stage.machine({ short = { length = .5, loop = false }, A = { length = 1 } },
      { "A", N = { type = "machine", name = "inner", initial = "s1", states = nested.states,
        transitions = nested.transitions } },
      { { from = "A", to = "N", when = "go", fade = .1 }, { from = "N", to = "A", when = "back", fade = .3 } })
    local inner = graph:find("inner")
    graph:fire("go")
    updates(graph, 6, .125)
    assert.are.equal("s2", inner:getState())
    graph:fire("back")
    updates(graph, 8, .125)
    graph:fire("go")
    graph:update(0)
    assert.are.equal("N", machine:getState())
    assert.are.equal("s1", inner:getState())
    assert.are.equal(0, inner:getPhase())
  end)

  it("42: a machine tells how long it still takes, so a one-shot around it fades out in time", function()
    local clips = { base = { length = 1, from = 0 }, D = { length = 1, loop = false, from = 90 } }
    local function shot(stopAt)
      local graph = stage.graph(clips, { type = "oneShot", base = "base", fadeIn = 0, fadeOut = .2 })
      graph:add({ type = "machine", name = "inner", initial = "D", states = { D = "D" }, transitions = {} })
      local node, out = graph:find("root"), {}
      graph:update(0)
      node:fire("inner")
      for i = 1, 11 do
        if i - 1 == stopAt then node:stop(.2) end
        graph:update(.1)
        out[i] = turn(graph)
      end
      return out
    end
    for i, w in ipairs({ 1, 1, 1, 1, 1, 1, 1, 1, .5, 0, 0 }) do near(stage.between(0, 90, w), shot()[i], .01) end
    for i, w in ipairs({ 1, 1, 1, .5, 0, 0, 0, 0, 0, 0, 0 }) do near(stage.between(0, 90, w), shot(3)[i], .01) end
  end)

  it("43: a condition that stays true enters a one-shot again each time; a trigger once", function()
    local function casts(when, prepare)
      local graph = stage.machine({ stand = { length = 1 }, cast = { length = 1, loop = false } }, { "stand", "cast" },
        { { from = "stand", to = "cast", when = when, fade = 0 }, { from = "cast", to = "stand", exit = 1, fade = 0 } })
      local count = 0
      graph:on("enter", function(_, state) if state == "cast" then count = count + 1 end end)
      prepare(graph)
      updates(graph, 49, .1) -- 4.9 s: the fifth cast is not over yet
      return count
    end
    assert.are.equal(5, casts("c", function(graph) graph:set("c", true) end))
    assert.are.equal(1, casts("go", function(graph) graph:fire("go") end))
  end)

  it("43: at most eight transitions in one update", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", fade = 0 },
      { from = "B", to = "A", fade = 0 } })
    local heard = stage.listen(graph, "exit")
    graph:update(.1)
    assert.are.equal(8, #heard)
    assert.are.equal("A", machine:getState())
    near(.1, machine:getTime())
  end)

  it("45: a one-shot fired again while it fades out rises again, from the weight it has", function()
    local graph = stage.graph({ base = { length = 1, from = 0 }, shot = { length = 1, loop = false, from = 90 } },
      { type = "oneShot", base = "base", fadeIn = .2, fadeOut = .2 })
    local node = graph:find("root")
    graph:update(0)
    node:fire("shot")
    updates(graph, 9, .1)
    near(stage.between(0, 90, .5), turn(graph), .01)
    node:fire("shot")
    for _, w in ipairs({ .625, .75, .875, 1, 1 }) do
      graph:update(.05)
      near(stage.between(0, 90, w), turn(graph), .01)
    end
    updates(graph, 14, .05)
    assert.is_true(node:isActive()) -- .95 s after the second shot
    updates(graph, 2, .05)
    assert.is_false(node:isActive())
  end)

  it("46: the tail of what fades out goes on when the new clip has ended", function()
    local graph = stage.machine({ A = { length = 2 }, B = { length = .2, loop = false } }, { "A", "B" },
      { { from = "A", to = "B", when = "go", fade = .5 } })
    graph:update(.5)
    graph:fire("go")
    updates(graph, 3, .1)
    near(.4, weightOf(graph, "A"))
    near(.8, stage.node(graph, "A"):getTime(), 1e-9)
    near(.2, stage.node(graph, "B"):getTime(), 1e-9)
    graph:update(.1)
    near(.9, stage.node(graph, "A"):getTime(), 1e-9)
  end)

  it("47: ours is fixed speed: a fade from weight .5 takes half its time", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, {})
    graph:update(0)
    machine:play("B", .25)
    graph:update(.125)
    machine:play("A", .25)
    graph:update(.0625)
    near(.75, weightOf(graph, "A"))
    graph:update(.0625)
    assert.are.equal(1, weightOf(graph, "A"))
    local layered = stage.graph(plain, { type = "layers", base = "A",
      { { type = "clip", clip = "B", name = "layer" }, weight = .5 } })
    layered:update(0)
    layered:find("root"):setLayerWeight(1, .6, .25)
    updates(layered, 2, .125)
    near(.6, layered:find("layer"):getWeight(), 1e-6)
  end)

  it("48: a fade arrives at exactly 1", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", when = "go", fade = .3 } })
    graph:fire("go")
    for i, w in ipairs({ .07 / .3, .14 / .3, .7, .28 / .3, 1 }) do
      graph:update(.07)
      near(w, weightOf(graph, "B"), 1e-6)
      assert.are.equal(i < 5, machine:isFading())
    end
    assert.are.equal(1, weightOf(graph, "B"))
    assert.are.equal(0, weightOf(graph, "A"))
  end)

  it("49: an offset is a phase; its whole part is dropped", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", when = "go", offset = 1.25 } })
    graph:fire("go")
    graph:update(.125)
    near(.375, machine:getPhase(), 1e-9)
  end)

  it("113: cuts back and forth for a thousand rounds stay one state of weight 1", function()
    local graph, machine = stage.machine(plain, { "A", "B" }, {})
    local function rounds(count)
      for i = 1, count do
        machine:play(i % 2 == 1 and "B" or "A", 0)
        graph:update(.3)
        assert.are.equal(1, weightOf(graph, machine:getState()))
        assert.is_false(machine:isFading())
      end
      collectgarbage()
      collectgarbage()
      return collectgarbage("count")
    end
    local before = rounds(1000)
    assert.is_true(rounds(1000) - before < 4)
  end)

  -- Machines in each other, each of one state that fades into itself when `go` and its depth fires; 1 is the innermost.
  local function stack(depths, profile)
    local root, params = "A", {}
    for depth = 1, depths do
      params["go" .. depth] = "trigger"
      root = { type = "machine", initial = "s", states = { s = root },
        transitions = { { from = "s", to = "s", self = true, when = "go" .. depth, fade = 1, profile = profile } } }
    end
    return stage.graph({ A = { length = 1, from = 0, to = 90, loop = false } }, root, params)
  end

  it("machines in each other fade into themselves, however deep, and stay among what their plays show", function()
    for _, profile in ipairs({ false, anim.newMask(stage.skeleton, { "joint" }) }) do
      local graph = stack(6, profile or nil)
      for step = 1, 40 do
        for depth = 1, 6 do
          if step % depth == 0 then graph:fire("go" .. depth) end
        end
        graph:update(.1)
        local angle = turn(graph)
        assert.is_true(angle > -1e-3 and angle < 90 + 1e-3, "at step " .. step .. ": " .. angle)
      end
    end
  end)

  it("a fade that was interrupted goes on in a play that is left", function()
    local alone, both = stack(1), stack(2)
    for step = 1, 8 do
      if step == 3 or step == 4 then
        alone:fire("go1")
        both:fire("go1")
      end
      if step == 4 then both:fire("go2") end
      alone:update(.1)
      both:update(.1)
      local new = 9 * math.max(step - 3, 0) -- of the play that began in step 4
      near(stage.between(turn(alone), new, math.max(step - 3, 0) / 10), turn(both), 1e-3)
    end
  end)

  it("what has just begun comes from nowhere: a fade from its momentum starts at rest", function()
    local graph = stack(5) -- the innermost has no copy of its own
    graph:fire("go1")
    local before = 0
    for _ = 1, 10 do
      graph:update(.1)
      local angle = turn(graph)
      assert.is_true(angle > before and angle <= 90 + 1e-3, angle .. " after " .. before)
      before = angle
    end
  end)
end)
