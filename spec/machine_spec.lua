-- The truth table of docs/state_machine.md: a spec per row, by its number.
local anim = require("anim")
local stage = require("spec.support.stage")

local near, updates, turn = stage.near, stage.updates, stage.turn

local plain = { A = { length = 1, from = 0 }, B = { length = 1, from = 90 }, C = { length = 1, from = -60 } }
local once = { A = { length = 1, loop = false }, B = { length = 1, loop = false }, C = { length = 1, loop = false } }

local function weight(graph, state) return stage.node(graph, state):getWeight() end

-- A machine of A, B and C that was updated once by `dt`.
local function started(transitions, clips, dt, params)
  local graph, machine = stage.machine(clips or plain, { "A", "B", "C" }, transitions, params)
  graph:update(dt or 0)
  return graph, machine
end

local function fire(graph, name, ...)
  graph:fire(name)
  for _, dt in ipairs({ ... }) do graph:update(dt) end
end

describe("when a transition starts:", function()
  it("row 1: a condition on parameters starts it at the beginning of the step", function()
    local graph, machine = started({ { from = "A", to = "B", when = "n > 0.5", fade = .5 } })
    graph:set("n", .6)
    graph:update(.25)
    near(.5, weight(graph, "B"))
    near(.25, machine:getTime(), 1e-9)
    near(.25, stage.node(graph, "A"):getTime(), 1e-9)
  end)

  it("row 2: a condition on the state starts it at the instant; the rest goes to target and fade", function()
    for when, at in pairs({ ["done"] = 1, ["time > 0.75"] = .75, ["phase >= 0.5"] = .5, ["remaining < 0.25"] = .75,
      ["event('hit')"] = .625, ["during('swing')"] = .25, ["n < 1 and not (time < 0.5)"] = .5 }) do
      local graph, machine = started({ { from = "A", to = "B", when = when, fade = 2 } }, {
        A = { length = 1, loop = false,
          events = { { time = .25, duration = .25, name = "swing" }, { time = .625, name = "hit" } } },
        B = { length = 4 }, C = once.C })
      graph:update(1.5)
      assert.are.equal("B", machine:getState(), when)
      near(1.5 - at, machine:getTime(), 1e-6, when)
      near((1.5 - at) / 2, weight(graph, "B"), 1e-6, when)
    end
  end)

  it("row 3: of several on parameters the first in the list wins", function()
    local _, machine = started({ { from = "A", to = "C", when = "n > 5" }, { from = "A", to = "B", when = "n == 0" },
      { from = "A", to = "C" } })
    assert.are.equal("B", machine:getState())
  end)

  it("row 4: of several on the state the earliest wins, then the list", function()
    local graph, machine = started({ { from = "A", to = "B", when = "time > 0.75" },
      { from = "A", to = "C", when = "time > 0.5" } })
    graph:update(.9)
    assert.are.equal("C", machine:getState())
    graph, machine = started({ { from = "A", to = "B", exit = .5 }, { from = "A", to = "C", when = "time >= 0.5" } })
    graph:update(.9)
    assert.are.equal("B", machine:getState())
  end)

  it("row 5: parameters are judged before the state, wherever they stand in the list", function()
    local graph, machine = started({ { from = "A", to = "B", when = "time > 0.25" },
      { from = "A", to = "C", when = "go" } })
    fire(graph, "go", .5)
    assert.are.equal("C", machine:getState())
  end)

  it("row 6: one transition with a fade per update; the state that it enters stays", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = .1 },
      { from = "B", to = "C", when = "done", fade = .1 } }, once)
    fire(graph, "go", 1.5)
    assert.are.equal("B", machine:getState())
    graph:update(.05)
    assert.are.equal("C", machine:getState())
    near(.5, weight(graph, "C"))
  end)

  it("row 7: cuts follow one another in one update, eight at most", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 0 },
      { from = "B", to = "C", fade = 0 } })
    fire(graph, "go", .25)
    assert.are.equal("C", machine:getState())
    near(.25, machine:getTime(), 1e-9)
    graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", fade = 0 },
      { from = "B", to = "A", fade = 0 } })
    local heard = stage.listen(graph, "exit")
    graph:update(.25)
    assert.are.equal(8, #heard)
    assert.are.equal("A", machine:getState())
  end)

  it("row 8: a function is judged with the parameters, and gets the graph", function()
    local given
    local graph, machine = stage.machine(plain, { "A", "B" }, { { from = "A", to = "B", fade = .5, when = function(g)
      given = g
      return g:get("n") > 1
    end } })
    graph:update(.1)
    assert.are.equal("A", machine:getState())
    assert.are.equal(graph, given)
    graph:set("n", 2)
    graph:update(.125)
    near(.25, weight(graph, "B"))
  end)

  it("row 9: exit on a loop is a crossing, with `when` true in that update", function()
    local graph, machine = started({ { from = "A", to = "B", exit = .75, when = "c", fade = 0 } })
    graph:update(.8)
    graph:set("c", true)
    graph:update(.1)
    assert.are.equal("A", machine:getState())
    graph:update(.9)
    assert.are.equal("B", machine:getState())
    near(.05, machine:getTime(), 1e-6)
  end)

  it("row 10: exit on a one-shot is at or past", function()
    local graph, machine = started({ { from = "A", to = "B", exit = .75, when = "c", fade = 0 } }, once)
    graph:update(3)
    assert.are.equal("A", machine:getState())
    graph:set("c", true)
    graph:update(.25)
    assert.are.equal("B", machine:getState())
    near(.25, machine:getTime(), 1e-9)
  end)

  it("row 11: what is left over when a one-shot ends goes to what follows", function()
    local graph, machine = started({ { from = "A", to = "B", when = "done", fade = 0 },
      { from = "B", to = "C", when = "done", fade = 0 } }, once)
    updates(graph, 7, .35)
    assert.are.equal("C", machine:getState())
    near(.45, machine:getTime(), 1e-9)
  end)

  it("row 12: an event looked for fires before the states change: done, exit, enter", function()
    local graph = stage.machine(once, { "A", "B" }, { { from = "A", to = "B", when = "done", fade = .25 } })
    local heard = stage.listen(graph)
    graph:update(1.5)
    assert.are.same({ "enter A", "done A", "exit A done", "enter B" }, heard)
  end)
end)

describe("triggers:", function()
  it("row 13: stay set until a transition that names them is taken", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go and n > 0", fade = 0 } })
    fire(graph, "go", .1, .1)
    assert.is_true(graph:get("go"))
    graph:set("n", 1)
    graph:update(.1)
    assert.are.equal("B", machine:getState())
    assert.is_false(graph:get("go"))
  end)

  it("row 14: every machine sees one in the same update, each uses it once", function()
    local inner = { type = "machine", name = "inner", initial = "x", states = { x = "A", y = "B" }, transitions = {
      { from = "x", to = "y", when = "go", fade = 0 }, { from = "y", to = "x", when = "go", fade = 0 } } }
    local graph, machine = stage.machine(plain, { "N", "C", N = inner },
      { { from = "N", to = "C", when = "go", fade = 1 } })
    graph:update(0)
    fire(graph, "go", .1)
    assert.are.equal("C", machine:getState())
    assert.are.equal("y", graph:find("inner"):getState())
    assert.is_false(graph:get("go"))
  end)

  it("row 15: with a life they are forgotten after it; cancel forgets at once", function()
    local graph = started({ { from = "A", to = "B", when = "soon and c" } }, plain, 0,
      { c = false, soon = { "trigger", life = .3 }, now = { "trigger", life = 0 } })
    fire(graph, "soon", .2)
    assert.is_true(graph:get("soon"))
    graph:update(.2)
    assert.is_false(graph:get("soon"))
    fire(graph, "now", .001)
    assert.is_false(graph:get("now"))
    graph:fire("soon")
    graph:cancel("soon")
    assert.is_false(graph:get("soon"))
  end)
end)

describe("fades:", function()
  it("row 16: the current state is the target from the moment the fade begins", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = .5 } })
    assert.is_nil(machine:getSource())
    fire(graph, "go", .125)
    assert.are.equal("B", machine:getState())
    assert.are.equal("A", machine:getSource())
    assert.is_true(machine:isFading())
    near(.25, machine:getProgress(), 1e-6)
    graph:update(.375)
    assert.is_nil(machine:getSource())
    assert.is_false(machine:isFading())
  end)

  it("row 17: exit and enter fire when the fade begins; the edge says done or interrupted", function()
    local graph = started({ { from = "A", to = "B", when = "go", fade = .5 }, { from = "B", to = "C", when = "done" } },
      once)
    local heard = stage.listen(graph, "enter", "exit")
    fire(graph, "go", .25)
    assert.are.same({ "exit A interrupted", "enter B" }, heard)
    updates(graph, 4, .25)
    assert.are.same({ "exit A interrupted", "enter B", "exit B done", "enter C" }, heard)
  end)

  it("row 18: weight is curve(elapsed / fade)", function()
    for curve, expected in pairs({ linear = .25, smooth = .15625, easeIn = .0625, easeOut = .4375 }) do
      local graph = started({ { from = "A", to = "B", when = "go", fade = 1, curve = curve } })
      fire(graph, "go", .25)
      near(expected, weight(graph, "B"), 1e-6, curve)
      near(1 - expected, weight(graph, "A"), 1e-6, curve)
    end
    local graph = started({ { from = "A", to = "B", when = "go", fade = 1, curve = { .42, 0, .58, 1 } } })
    fire(graph, "go", .5)
    near(.5, weight(graph, "B"), 1e-5)
  end)

  it("row 19: exactly 1 at the end; .2 s if not given; 0 is a cut", function()
    local graph = started({ { from = "A", to = "B", when = "go" }, { from = "B", to = "C", when = "back", fade = 0 } })
    fire(graph, "go", .1)
    near(.5, weight(graph, "B"), 1e-6)
    graph:update(.1000001)
    assert.are.equal(1, weight(graph, "B"))
    fire(graph, "back", 0)
    assert.are.equal(1, weight(graph, "C"))
  end)

  it("row 20: both run; what has ended tells no done while it fades out", function()
    local graph = started({ { from = "A", to = "B", when = "go", fade = 1 } }, once, .5)
    local heard = stage.listen(graph, "done")
    fire(graph, "go", .25)
    near(.75, stage.node(graph, "A"):getTime(), 1e-9)
    graph:update(.5)
    near(1, stage.node(graph, "A"):getTime(), 1e-9)
    assert.are.same({}, heard)
  end)

  it("row 21: entering begins at the beginning, unless keep", function()
    for _, keep in ipairs({ false, true }) do
      local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 0, keep = keep or nil },
        { from = "B", to = "A", when = "back", fade = 0 } })
      fire(graph, "go", .3)
      fire(graph, "back", .1)
      fire(graph, "go", .25)
      near(keep and .55 or .25, machine:getTime(), 1e-9)
    end
  end)

  it("row 22: the target starts at offset, or at the source's phase with sync", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", offset = 2.5 } }, nil, .125)
    fire(graph, "go", .125)
    near(.625, machine:getPhase(), 1e-9)
    graph, machine = started({ { from = "A", to = "B", when = "go", sync = true } },
      { A = { length = 2 }, B = { length = 1 }, C = { length = 1 } }, .5)
    fire(graph, "go", .125)
    near(.375, machine:getPhase(), 1e-9)
  end)

  it("row 23: fades run in the clock of the machine, not of the state", function()
    local graph = stage.machine(plain, { "A", "B", A = { "A", speed = 4 }, B = { type = "clip", clip = "B", speed = 3,
      name = "state B" } }, { { from = "A", to = "B", when = "go", fade = 1 } })
    graph:update(0)
    fire(graph, "go", .25)
    near(.25, weight(graph, "B"), 1e-6)
    near(.75, stage.node(graph, "B"):getTime(), 1e-9)
    graph:setSpeed(2)
    graph:update(.25)
    near(.75, weight(graph, "B"), 1e-6)
  end)

  it("row 24: frozen: the source's time and events stop, its pose is crossfaded", function()
    local graph = started({ { from = "A", to = "B", when = "go", fade = 1, mode = "frozen" } },
      { A = { length = 1, from = 0, to = 40, loop = false, events = { { time = .6, name = "e" } } }, B = plain.B,
        C = plain.C }, .5)
    local heard = stage.listen(graph, "e")
    fire(graph, "go", .25, .25)
    near(.5, stage.node(graph, "A"):getTime(), 1e-9)
    near(stage.between(20, 90, .5), turn(graph), .01)
    assert.are.same({}, heard)
  end)

  it("row 25: inertial: only the target plays; the offset decays, the short way about one axis", function()
    local graph = started({ { from = "A", to = "B", when = "go", fade = .5, mode = "inertial" } }, nil, .25)
    graph:fire("go")
    graph:update(0)
    near(0, turn(graph), .01)
    graph:update(.25)
    near(1, weight(graph, "B"), 1e-6)
    near(.25, stage.node(graph, "A"):getTime(), 1e-9)
    near(90 - 90 * .5 ^ 4 * 3, turn(graph), .05) -- x0 = -90, v0 = 0, half of .5 s: (1 - s)^4 (1 + 4 s)
    graph:update(.25)
    near(90, turn(graph), .001)
  end)

  it("row 26: a profile lets joints be done after fade x value", function()
    local mask = anim.newMask(stage.skeleton, { leg = .5, joint = 0 })
    local function faded(joint)
      local graph = anim.newGraph(stage.skeleton, { params = { go = "trigger" }, root = { type = "machine",
        initial = "A", states = { A = "A", B = "B" },
        transitions = { { from = "A", to = "B", when = "go", fade = 1, profile = mask } } } },
        { clips = stage.clips({ A = { length = 1, from = 0, joint = joint },
          B = { length = 1, from = 90, joint = joint } }) })
      graph:update(0)
      fire(graph, "go", .25)
      return graph
    end
    near(90, turn(faded("joint"), "joint"), .01) -- 0: at once
    local both = faded("leg")
    near(stage.between(0, 90, .5), turn(both, "leg"), .01) -- half the fade
    both:update(.25)
    near(90, turn(both, "leg"), .01)
  end)
end)

describe("interruption:", function()
  local function interrupted(interrupt, from)
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 1, interrupt = interrupt },
      { from = from, to = "C", when = "back", fade = 1 } })
    fire(graph, "go", .25)
    fire(graph, "back", .25)
    return machine:getState()
  end

  it("row 27: by the target's transitions", function()
    assert.are.equal("C", interrupted(nil, "B"))
    assert.are.equal("B", interrupted(nil, "A"))
  end)

  it("row 28: none, source, both", function()
    assert.are.equal("B", interrupted("none", "B"))
    assert.are.equal("B", interrupted("source", "B"))
    assert.are.equal("C", interrupted("source", "A"))
    assert.are.equal("C", interrupted("both", "A"))
    assert.are.equal("C", interrupted("both", "B"))
  end)

  it("row 29: from any state and play always", function()
    assert.are.equal("C", interrupted("none", "*"))
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 1, interrupt = "none" } })
    fire(graph, "go", .25)
    machine:play("C")
    graph:update(.125)
    assert.are.equal("C", machine:getState())
  end)

  it("row 30: the target crossfades over the machine's own output, which comes to rest", function()
    -- Both sources are in step and turn by 40 degrees a second, so the output does whatever the weights are.
    local moving = { length = 4, loop = false, from = -40, to = 120 }
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 1, sync = true },
      { from = "B", to = "C", when = "back", fade = .5 } }, { A = moving, B = moving, C = { length = 1, from = 0 } })
    graph:update(.5)
    fire(graph, "go", .5)
    local x0 = turn(graph)
    fire(graph, "back", .1)
    assert.are.equal("C", machine:getState())
    assert.are.equal("B", machine:getSource())
    near(.2, weight(graph, "C"), 1e-6)
    near(0, weight(graph, "A") + weight(graph, "B"))
    local T = .2
    near(stage.between(x0 + 40 * .1 * (1 - .1 / (2 * T)), 0, .2), turn(graph), .5)
    graph:update(.2)
    near(stage.between(x0 + 40 * T / 2, 0, .6), turn(graph), .5)
    graph:update(.2)
    near(0, turn(graph), .001)
  end)

  it("row 31: back to the state being left the roles are exchanged", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = 1 },
      { from = "B", to = "A", when = "back", fade = .5 } })
    fire(graph, "go", .25)
    fire(graph, "back", .0625) -- A has .75, so the way back takes .125
    assert.are.equal("A", machine:getState())
    assert.are.equal("B", machine:getSource())
    near(.875, weight(graph, "A"), 1e-6)
    near(.3125, machine:getTime(), 1e-9)
    graph:update(.0625)
    assert.are.equal(1, weight(graph, "A"))
  end)

  it("row 32: a chain of interruptions never jumps and costs no more than two sources", function()
    local graph, machine = started({})
    local before = turn(graph)
    for i = 1, 60 do
      machine:play(({ "B", "C", "A" })[i % 3 + 1], .3)
      for _ = 1, 4 do
        graph:update(.005)
        assert.is_true(math.abs(turn(graph) - before) < 150 * .005 / .3 * 2 + .01)
        before = turn(graph)
      end
    end
  end)
end)

describe("calls and copies:", function()
  it("row 33: into itself only with `self`, as a real fade with a second copy", function()
    local graph, machine = started({ { from = "A", to = "A", when = "go", fade = .5, self = true },
      { from = "*", to = "A", when = "back" } }, { A = { length = 1, from = 0, to = 80, loop = false }, B = plain.B,
        C = plain.C }, .5)
    fire(graph, "back", 0)
    assert.is_true(graph:get("back"))
    near(40, turn(graph), .01)
    fire(graph, "go", .125)
    near(.125, machine:getTime(), 1e-9)
    near(stage.between(50, 10, .25), turn(graph), .01)
    near(1, weight(graph, "A"), 1e-6)
  end)

  it("row 34: play acts in the next update; of the current state it is a no-op; the last call wins", function()
    local graph, machine = started({}, nil, .25)
    machine:play("A")
    graph:update(.25)
    near(.5, machine:getTime(), 1e-9)
    assert.is_false(machine:isFading())
    machine:play("B")
    machine:play("C", 0)
    graph:update(.125)
    assert.are.equal("C", machine:getState())
    near(.125, machine:getTime(), 1e-9)
  end)

  it("row 35: travel takes the shortest way, each step as soon as the fade before is over", function()
    local graph, machine = started({ { from = "A", to = "B", when = "c", fade = .25 },
      { from = "B", to = "C", when = "c", fade = .25 } })
    local heard = stage.listen(graph, "enter")
    machine:travel("C")
    updates(graph, 2, .125)
    assert.are.same({ "enter B" }, heard)
    updates(graph, 2, .125)
    assert.are.same({ "enter B", "enter C" }, heard)
    assert.is_false(machine:isFading())
    local ran, message = pcall(machine.travel, machine, "A")
    assert.is_false(ran)
    assert.is_truthy(message:find("A", 1, true) and message:find("C", 1, true), message)
  end)

  it("row 36: a machine's time and done are those of its state; a nested one begins anew", function()
    local graph, machine = stage.machine({ A = { length = 1 }, B = once.B }, { "A", N = { type = "machine",
      initial = "x", states = { x = "B" }, transitions = {} } }, { { from = "A", to = "N", when = "go", fade = 0 },
      { from = "N", to = "A", when = "done", fade = 0 } })
    fire(graph, "go", .25)
    near(.25, machine:getTime(), 1e-9)
    near(.75, machine:getRemaining(), 1e-9)
    graph:update(1)
    assert.are.equal("A", machine:getState())
    fire(graph, "go", .125)
    near(.125, machine:getTime(), 1e-9)
  end)

  it("row 37: reset goes back to the initial state", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = .5 } })
    fire(graph, "go", .25)
    machine:reset()
    graph:update(.125)
    assert.are.equal("A", machine:getState())
    assert.is_false(machine:isFading())
    near(.125, machine:getTime(), 1e-9)
    assert.are.equal(1, weight(graph, "A"))
  end)

  it("row 38: the first update tells enter of the initial state", function()
    local graph = stage.machine(plain, { "A" }, {})
    local heard = stage.listen(graph, "enter")
    updates(graph, 3, .1)
    assert.are.same({ "enter A" }, heard)
  end)

  it("row 39: update(0) is a full update", function()
    local graph, machine = started({ { from = "A", to = "B", when = "go", fade = .5 } },
      { A = plain.A, B = { length = 1, events = { { time = 0, name = "e" } } }, C = plain.C })
    local heard = stage.listen(graph, "e", "enter")
    fire(graph, "go", 0)
    assert.are.equal("B", machine:getState())
    graph:update(.1)
    assert.are.same({ "enter B", "e B" }, heard)
  end)

  it("row 40: the trace says where it went, when and why", function()
    local graph, machine = started({ { from = "A", to = "B", when = "n > 1 and not c", fade = 0 } }, nil, .5)
    assert.are.equal(0, #machine:getTrace())
    graph:set("n", 2)
    graph:update(.25)
    local last = machine:getTrace(1)[1]
    assert.are.equal("A", last.from)
    assert.are.equal("B", last.to)
    assert.is_number(last.time)
  end)
end)
