-- The reference machine against cases worked out by hand from semantics.md 7: what the fast one is compared with must
-- be right itself.
local animator = require("spec.support.reference.animator")
local check = require("spec.support.check")
local condition = require("spec.support.reference.condition")
local curve = require("spec.support.reference.curve")
local data = require("spec.support.data")
local inertia = require("spec.support.reference.inertia")
local machines = require("spec.support.machines")

local full = data.slow and 1 or .1

local function near(expected, got)
  assert.is_true(math.abs(expected - got) < 1e-9, expected .. " is not " .. tostring(got))
end

local function two(transitions, clips, params)
  return animator.new({ params = params or { go = "trigger", back = "trigger" },
    clips = clips or { A = { length = 1 }, B = { length = 1 }, C = { length = 1 } } },
    { initial = "A", states = { A = "A", B = "B", C = "C" }, transitions = transitions })
end

local function told(a, names)
  local out = {}
  for _, event in ipairs(a.events) do
    if not names or names[event.name] then
      local edge = event.edge and " " .. event.edge or ""
      out[#out + 1] = event.name .. " " .. tostring(event.data or event.node.name) .. edge
    end
  end
  return table.concat(out, ", ")
end

describe("the reference machine", function()
  it("reads conditions", function()
    local context = { time = .3, done = false,
      param = function(name) return ({ speed = .5, jump = true, n = 0 })[name] end,
      event = function(name) return name == "hit" end, during = function() return false end }
    local function truth(text) return condition.isTrue(condition.parse(text), context) end
    for _, text in ipairs({ "speed > 0.1", "jump and speed<=.5", "not n", "n or jump", "(n or jump) and not done",
      "event('hit')", "not during(\"x\") and time <= 3e-1", "speed ~= 1",
      "-speed < 0", "not n == 1", "true", "jump == true" }) do
      assert.is_true(truth(text), text)
    end
    for _, text in ipairs({ "speed > 0.5", "n", "false", "during('hit')", "n and jump or done", "not jump" }) do
      assert.is_false(truth(text), text)
    end
    for text, column in pairs({ ["speed >"] = 8, ["speed $ 1"] = 7, ["(speed"] = 7, ["1 < 2 < 3"] = 7,
      ["event(hit)"] = 7, ["a b"] = 3, ["and"] = 1 }) do
      local ran, fault = pcall(condition.parse, text)
      assert.is_false(ran)
      assert.are.equal(column, fault.column, text)
    end
  end)

  it("fades by .233 .467 .7 .933 1 and lets the source go in the fifth step (48)", function()
    local a = two({ { from = "A", to = "B", when = "go", fade = .3 } })
    a:update(0)
    a:fire("go")
    for i, w in ipairs({ .07 / .3, .14 / .3, .7, .28 / .3, 1 }) do
      a:update(.07)
      near(w, a:weight("B"))
      near(1 - w, a:weight("A"))
      assert.are.equal(i < 5, a:isFading())
      assert.is_false(a:isSet("go"))
    end
    assert.are.equal(1, a:weight("B"))
    assert.is_nil(a:source())
  end)

  it("has the curves of api.md", function()
    for kind, expected in pairs({ linear = .25, smooth = .15625, easeIn = .0625, easeOut = .4375 }) do
      near(expected, curve.at(kind, .25))
    end
    near(.25, curve.at({ 1 / 3, 1 / 3, 2 / 3, 2 / 3 }, .25)) -- this Bezier curve is the straight line
    near(.5, curve.at({ .42, 0, .58, 1 }, .5))
  end)

  it("lets an offset decay: .57344 at .1, .125 at .25", function()
    near(.57344, inertia.at(1, -4, .5, .1))
    near(.125, inertia.at(1, -4, .5, .25))
    assert.are.equal(0, inertia.at(1, -4, .5, .5))
    near(inertia.at(1, 0, .5, .2), inertia.at(1, 3, .5, .2)) -- going away counts as standing still
    assert.are.equal(0, inertia.at(1, -20, .5, .25))         -- too fast: done after 5 / 20
  end)

  it("carries what is left over a done", function()
    local a = two({ { from = "A", to = "B", when = "done", fade = .5 } },
      { A = { length = 1, loop = false }, B = { length = 1, events = { { time = 0, name = "zero" } } },
        C = { length = 1 } })
    a:update(.9)
    a:update(.2)
    near(.2, a:weight("B"))
    assert.are.equal("done A, exit A done, enter B, zero B", told(a))
    near(1, a.events[4].at + .9)
  end)

  it("takes an exit where it is crossed, in any pass (31)", function()
    local function at(phase, dt)
      local a = two({ { from = "A", to = "B", exit = .95, fade = 0 } })
      a:update(phase)
      a:update(dt)
      return a:state()
    end
    assert.are.equal("B", at(.9, .2))
    assert.are.equal("B", at(.2, 3))
    local a = two({ { from = "A", to = "B", exit = .95, when = "go", fade = 0 } })
    a:update(.96)
    a:fire("go")
    a:update(.02)
    assert.are.equal("A", a:state())
    assert.is_true(a:isSet("go"))
  end)

  it("gives all of a chain of cuts in one step, with the time in each (32)", function()
    local a = two(
      { { from = "A", to = "B", when = "done", fade = 0 }, { from = "B", to = "A", when = "done", fade = 0 } },
      { A = { length = 1, loop = false }, B = { length = 1, loop = false }, C = { length = 1 } })
    a:update(6.5)
    assert.are.equal("A", a:state())
    near(.5, a:newest("A").u)
    assert.are.equal(1, a:weight("A"))
    assert.are.equal(6, a.root.taken)
  end)

  it("stops after eight transitions in one update (43)", function()
    local a = two({ { from = "A", to = "B", fade = 0 }, { from = "B", to = "A", fade = 0 } })
    a:update(.1)
    assert.are.equal(8, a.root.taken)
    assert.is_true(a.root.capped)
  end)

  it("exchanges the roles on the way back (39)", function()
    local a = two({ { from = "A", to = "B", when = "go", fade = 1 },
      { from = "B", to = "A", when = "back", fade = 1 } })
    a:fire("go")
    a:update(.4)
    near(.4, a:weight("B"))
    a:fire("back")
    a:update(.01)
    near(.6 + .4 * .01 / .4, a:weight("A")) -- .4 of way are left of a fade of 1
    assert.are.equal("exit B interrupted, enter A", told(a))
    a:update(.39)
    assert.are.equal(1, a:weight("A"))
    near(.8, a:newest("A").u)
  end)

  it("makes a snapshot when a third state comes", function()
    local a = two({ { from = "A", to = "B", when = "go", fade = 1 },
      { from = "B", to = "C", when = "back", fade = .5 } })
    a:fire("go")
    a:update(.4)
    a:fire("back")
    a:update(.1)
    assert.are.equal("C", a:state())
    assert.are.equal("B", a:source())
    near(.2, a:weight("C"))
    assert.are.equal(0, a:weight("A") + a:weight("B"))
  end)

  it("is interrupted as the running transition allows", function()
    for allowed, expected in pairs({ none = "B", source = "C", target = "B", both = "C" }) do
      local a = two({ { from = "A", to = "B", when = "go", fade = 1, interrupt = allowed },
        { from = "A", to = "C", when = "back", fade = .5 } })
      a:fire("go")
      a:update(.25)
      a:fire("back")
      a:update(.25)
      assert.are.equal(expected, a:state(), allowed)
    end
    local a = two({ { from = "A", to = "B", when = "go", fade = 1, interrupt = "none" },
      { from = "*", to = "C", when = "back", fade = .5 } })
    a:fire("go")
    a:update(.25)
    a:fire("back")
    a:update(.25)
    assert.are.equal("C", a:state())
  end)

  it("plays a second copy of a state that goes into itself", function()
    local a = two({ { from = "A", to = "A", when = "go", fade = .5, self = true },
      { from = "*", to = "A", when = "back" } })
    a:update(.25)
    a:fire("go")
    a:fire("back")
    a:update(.125)
    near(1, a:weight("A"))
    near(.375, a.root.source.play.u)
    near(.125, a.root.current.play.u)
    assert.is_true(a:isSet("back")) -- refused without `self`, and kept
  end)

  it("starts at offset, at the source's phase, or where it was left", function()
    local a = two({ { from = "A", to = "B", when = "go", fade = 0, offset = 1.25 },
      { from = "B", to = "C", when = "back", fade = 0, sync = true },
      { from = "C", to = "B", when = "go", keep = true, fade = 0 } })
    a:fire("go")
    a:update(.125)
    near(.375, a:newest("B").u)
    a:fire("back")
    a:update(.125)
    near(.5, a:newest("C").u)
    a:fire("go")
    a:update(.125)
    near(.5, a:newest("B").u)
  end)

  it("resets a nested machine that is entered (41), and holds the last pose of one that ended (40)", function()
    local a = animator.new({ params = { into = "trigger", out = "trigger" },
      clips = { A = { length = 1 }, once = { length = .5, loop = false } } }, { initial = "A",
      states = { A = "A", N = { type = "machine", initial = "s1", states = { s1 = "once", s2 = "once" },
        transitions = { { from = "s1", to = "s2", when = "done", fade = 0 } } } },
      transitions = { { from = "A", to = "N", when = "into", fade = 0 },
        { from = "N", to = "A", when = "out", fade = .3 },
        { from = "N", to = "A", when = "done", fade = .2 } } })
    a:fire("into")
    a:update(.75)
    assert.are.equal("s2", a:newest("N").current.state)
    a:update(.3)
    near(.25, a:weight("A")) -- N was done at 1
    a:update(.3)
    a:fire("into")
    a:update(.125)
    assert.are.equal("s1", a:newest("N").current.state)
    near(.125, a:newest("N", "s1").u)
  end)

  it("travels by the shortest way, each step as soon as the fade before is over", function()
    local a = two({ { from = "A", to = "B", when = "false", fade = .25 },
      { from = "B", to = "C", when = "false", fade = .25 },
      { from = "C", to = "A", fade = 0, when = "false" } })
    a:travel("C")
    local states = {}
    for i = 1, 5 do
      a:update(.125)
      states[i] = a:state()
    end
    assert.are.equal("B B C C C", table.concat(states, " "))
    assert.is_false(a:isFading())
  end)

  it("shows a trigger to every machine once and forgets it", function()
    local nested = { type = "machine", initial = "x", states = { x = "A", y = "A" },
      transitions = { { from = "x", to = "y", when = "go", fade = 0 },
        { from = "y", to = "x", when = "go", fade = 0 } } }
    local params = { go = "trigger", soon = { "trigger", life = .25 } }
    local a = animator.new({ params = params, clips = { A = { length = 1 } } }, { initial = "N",
      states = { N = nested, M = "A" }, transitions = { { from = "N", to = "M", when = "go", fade = .5 } } })
    a:fire("go")
    a:fire("soon")
    a:update(.125)
    assert.are.equal("M", a:state())
    assert.are.equal("y", a:newest("N").current.state)
    assert.is_false(a:isSet("go"))
    assert.is_true(a:isSet("soon"))
    a:update(.125)
    assert.is_false(a:isSet("soon"))
  end)

  -- The first that the machine at the root leaves a state in steps of dt: when, which; and whether tiny steps did
  -- before what one step of `long` seconds may not: decide at the beginning of an update inside of it, take a second
  -- transition after one with a fade, or a ninth.
  local function firstLeft(seed, dt, long)
    local r = check.random(seed)
    local clips = machines.clips(r, 6)
    local description = machines.machine(r, clips, seed % 2, machines.usual)
    local a, gone = animator.new({ params = machines.params, clips = machines.forReference(clips) }, description), 0
    local differs, taken, faded = false, {}, {}
    local function count(event)
      local def = event.inst.def
      differs = differs or event.at < 1e-9 and gone % long ~= 0 or faded[def] or (taken[def] or 0) >= 8
      taken[def], faded[def] = (taken[def] or 0) + 1, event.inst.faded
    end
    a:set("n", seed % 10 / 10)
    a:update(0)
    while gone < 2 do
      if gone % long == 0 then taken, faded = {}, {} end
      a:update(dt)
      for _, event in ipairs(a.events) do
        if event.name == "exit" then
          count(event)
          if event.inst == a.root then return gone + event.at, event.data, differs end
        end
      end
      gone = gone + dt
    end
    return nil, nil, differs
  end

  -- Steps of 1/1024 s need no looking ahead to speak of: an event or a crossing lies in this step or in another.
  it("finds the first transition of a long step at the instant at which tiny steps find it", function()
    local found, other, count = 0, 0, 240 * full
    for seed = 1, count do
      local expected, alsoFrom, differs = firstLeft(seed, 1 / 1024, .25)
      if differs then
        other = other + 1
      else
        local at, from = firstLeft(seed, .25, .25)
        assert.are.equal(alsoFrom, from, "seed " .. seed)
        local isNear = not at or math.abs(at - expected) <= 1 / 1024 + 1e-9
        assert.is_true(isNear, ("seed %d: %.6f, %.6f"):format(seed, at or 0, expected or 0))
        found = found + (at and 1 or 0)
      end
    end
    assert.is_true(found > count / 2 and other < count / 10, ("%d found, %d differ"):format(found, other))
  end)

  it("has weights that sum to 1 at every update of random play", function()
    local function sums(inst)
      local total, fade = 0, inst.fade
      for _, entry in ipairs(inst.plays) do
        local play = entry.play
        assert.is_true(play.weight >= 0 and play.weight <= 1)
        total = total + play.weight
        if play.plays then sums(play) end
      end
      local snapshot = fade and fade.mode ~= "inertial" and not inst.source.play
      if not snapshot then near(inst.weight, total) else assert.is_true(total <= inst.weight + 1e-9) end
    end
    for seed = 1, 40 * full do
      local r = check.random(seed)
      local clips = machines.clips(r, 6)
      local description = machines.machine(r, clips, 1, machines.usual)
      local a = animator.new({ params = machines.params, clips = machines.forReference(clips) }, description)
      for _ = 1, 100 do
        local step = machines.step(r, machines.names(description))
        for _, call in ipairs(step) do
          if call[1] ~= "travel" then a[call[1]](a, call[2], call[3]) end
        end
        a:update(step.dt)
        sums(a.root)
      end
    end
  end)
end)
