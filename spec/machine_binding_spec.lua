-- Machines as the Lua API gives them: descriptions and what is wrong with them, methods, events, trace.
local anim = require("anim")
local interpreted = require("spec.support.interpreted")
local plainMachine = require("spec.support.plain_machine")
local stage = require("spec.support.stage")

local build, machine, params, plain = plainMachine.build, plainMachine.machine, plainMachine.params, plainMachine.clips

local function complaint(description)
  local built, message = pcall(build, description)
  assert.is_false(built, "it was taken")
  return (message:gsub("^.-%(nodes%.root[.:]? ?", "(")):gsub("^.-: %(", "(")
end

local function refuses(expected, description) assert.are.equal(expected, complaint(description)) end

local function refusesWhen(expected, when)
  refuses(("(transitions[1].when: %s)"):format(expected), machine({ { from = "A", to = "B", when = when } }))
end

describe("a machine's description is refused", function()
  it("without states, initial, from or to", function()
    refuses("(states expected)", { type = "machine", initial = "A" })
    refuses("(states: at least one state expected)", { type = "machine", initial = "A", states = {} })
    refuses("(initial expected: a state)", { type = "machine", states = { A = "A" } })
    refuses("(transitions[1]: from expected: a state, a list of states or \"*\")", machine({ { to = "A" } }))
    refuses("(transitions[1]: to expected: a state)", machine({ { from = "A" } }))
    refuses("(transitions[1].from: at least one state expected)", machine({ { from = {}, to = "A" } }))
  end)

  it("with names of states that there are none of, the nearest named", function()
    local idle = { idle = "A", jump = "B" }
    refuses("(initial: no state 'idel'; did you mean 'idle'?)", machine({}, idle, "idel"))
    refuses("(transitions[1].from: no state 'jmp'; did you mean 'jump'?)", machine({ { from = "jmp", to = "idle" } },
      idle, "idle"))
    refuses("(transitions[1].from[2]: no state 'jmp'; did you mean 'jump'?)",
      machine({ { from = { "idle", "jmp" }, to = "idle" } }, idle, "idle"))
    refuses("(transitions[1].to: name of a state expected, got 3)",
      machine({ { from = "idle", to = 3 } }, idle, "idle"))
    refuses("(states[\"*\"]: a state can't be named '*', which means any state)", machine({}, { ["*"] = "A" }, "*"))
  end)

  it("with unknown keys and values out of range", function()
    local function transition(key, value)
      local t = { from = "A", to = "B", when = "go" }
      t[key] = value
      return machine({ t })
    end
    refuses("(transitions[1]: unknown key 'wen'; did you mean 'when'?)", transition("wen", "go"))
    refuses("(unknown key 'sates'; did you mean 'states'?)", { type = "machine", sates = {} })
    refuses("(transitions[1].exit: phase from 0 to 1 expected, got 1.5)", transition("exit", 1.5))
    refuses("(transitions[1].exit: phase from 0 to 1 expected, got -1)", transition("exit", -1))
    refuses("(transitions[1].fade: number of 0 or more expected, got -1)", transition("fade", -1))
    refuses("(transitions[1].offset: finite number expected, got nan)", transition("offset", 0 / 0))
    refuses("(transitions[1].keep: true or false expected, got 1)", transition("keep", 1))
    refuses("(transitions[1].curve: \"linear\", \"smooth\", \"easeIn\", \"easeOut\" or {x1, y1, x2, y2} expected, got "
      .. "string 'soft')", transition("curve", "soft"))
    refuses("(transitions[1].curve[3]: number from 0 to 1 expected, got 2)", transition("curve", { 0, 0, 2, 1 }))
    refuses("(transitions[1].curve: {x1, y1, x2, y2} expected, got 2 values)", transition("curve", { 0, 1 }))
    refuses("(transitions[1].mode: \"crossfade\", \"inertial\", \"frozen\" expected, got string 'slow')",
      transition("mode", "slow"))
    refuses("(transitions[1].interrupt: \"target\", \"none\", \"source\", \"both\" expected, got string 'all')",
      transition("interrupt", "all"))
    refuses("(transitions[1].profile: no mask 'upper')", transition("profile", "upper"))
    refuses("(transitions[1].when: condition (a string or a function) expected, got true)", transition("when", true))
    refuses("(states.A: unknown key 'sped'; did you mean 'speed'?)", machine({}, { A = { "A", sped = 1 } }))
    refuses("(states.A.loop: true, false or \"pingpong\" expected, got string 'no')",
      machine({}, { A = { "A", loop = "no" } }))
    refuses("(states.A.loop: loop is for a clip that stands in this state; a mixer node has its own)",
      machine({}, { A = { { type = "mixer" }, loop = true } }))
  end)

  it("with a transition into itself that is not said to be one", function()
    refuses("(transitions[1]: a transition of 'A' into itself needs self = true)",
      machine({ { from = "A", to = "A", when = "go" } }))
    build(machine({ { from = "A", to = "A", when = "go", self = true }, { from = { "A", "B" }, to = "A", when = "go" },
      { from = "*", to = "A", when = "go" } }))
  end)

  it("where a transition waits for an end that never comes", function()
    local never = "this can never be: state '%s' loops, so it never comes to its end (%s)"
    local function waits(t, expected)
      if expected then refuses("(" .. expected .. ")", machine({ t })) else build(machine({ t })) end
    end
    waits({ from = "A", to = "B", when = "done" }, "transitions[1].when: " .. never:format("A", "done"))
    waits({ from = "A", to = "B", when = "go and (done and speed > 1)" },
      "transitions[1].when: " .. never:format("A", "done"))
    waits({ from = { "B", "A" }, to = "C", when = "done" }, "transitions[1].when: " .. never:format("A", "done"))
    waits({ from = "P", to = "B", when = "done" }, "transitions[1].when: " .. never:format("P", "done"))
    waits({ from = "A", to = "B", exit = 1 }, "transitions[1].exit: " .. never:format("A", "exit = 1"))
    waits({ from = "P", to = "B", exit = 1 })
    waits({ from = "B", to = "A", when = "done" })
    waits({ from = "*", to = "A", when = "done" })
    waits({ from = "A", to = "B", when = "go or done" })
    waits({ from = "A", to = "B", when = "not done" })
    refuses("(transitions[1].when: this can never be: all states loop, so none comes to its end (done))",
      machine({ { from = "*", to = "A", when = "done" } }, { A = "A", C = "C" }))
  end)
end)

describe("a condition is refused", function()
  it("with the column of what is wrong", function()
    refusesWhen("column 9: unknown parameter 'sped'; did you mean 'speed'?", "go and  sped > 1")
    refusesWhen("column 1: parameter, number or '(' expected, got the end", "")
    refusesWhen("column 8: parameter, number or '(' expected, got the end", "go and ")
    refusesWhen("column 4: 'and', 'or' or the end expected, got 'speed'", "go speed > 1")
    refusesWhen("column 7: '=' is not expected here", "speed = 1")
    refusesWhen("column 7: '!' is not expected here", "speed ! 1")
    refusesWhen("column 7: '!=' is not expected here", "speed != 1")
    refusesWhen("column 4: '&&' is not expected here", "go && go")
    refusesWhen("column 9: malformed number '1.2.3'", "speed > 1.2.3")
    refusesWhen("column 9: malformed number '1x'", "speed > 1x")
    refusesWhen("column 9: number '1e999' is too large", "speed > 1e999")
    refusesWhen("column 11: comparisons can't be chained; write 'a < b and b <= c'", "speed < 1 <= 2")
    refusesWhen("column 4: ')' expected, got the end", "(go")
    refusesWhen("column 3: 'and', 'or' or the end expected, got ')'", "go)")
    refusesWhen("column 7: name of an event, as in event(\"hit\"), expected, got 'hit'", "event(hit)")
    refusesWhen("column 6: '(' expected, got the end", "event")
    refusesWhen("column 7: text without an end", "event('hit)")
    refusesWhen("column 7: 'and', 'or' or the end expected, got '-'", "speed -go") -- there is no difference
    refusesWhen("column 10: number expected, got 'go'", "speed > -go")
    refusesWhen("column 51: nested more than 50 deep", ("("):rep(60) .. "go" .. (")"):rep(60))
  end)

  it("where it holds more values at once than there is room for", function()
    local deep = "go"
    for _ = 1, 40 do deep = "speed == (" .. deep .. ")" end
    assert.matches("nested too deep", complaint(machine({ { from = "A", to = "B", when = deep } })))
  end)
end)

-- Whether a condition is true of state A at once.
local function holds(when, values)
  local graph = build(machine({ { from = "A", to = "C", when = when, fade = 0 } }))
  for name, value in pairs(values or {}) do
    if value == "fire" then graph:fire(name) else graph:set(name, value) end
  end
  graph:update(0)
  return graph:find("root"):getState() == "C"
end

describe("a condition", function()
  it("is read as Lua reads it", function()
    assert.is_true(holds("true or false and false"))
    assert.is_false(holds("(true or false) and false"))
    assert.is_true(holds("not false == true")) -- (not false) == true
    assert.is_false(holds("not (grounded == true)"))
    assert.is_true(holds("speed >= -1.5e0 and speed <= .0"))
    assert.is_true(holds("speed ~= 0x10"))
    assert.is_true(holds("(1 < 2) == true"))
  end)

  it("takes numbers, switches and triggers as numbers", function()
    assert.is_false(holds("speed"))
    assert.is_true(holds("speed", { speed = -2 }))
    assert.is_true(holds("grounded == 1"))
    assert.is_true(holds("go and grounded", { go = "fire" }))
    assert.is_false(holds("go and not grounded", { go = "fire" }))
    assert.is_true(holds("speed > grounded", { speed = 1.5 }))
  end)

  it("without anything is always true", function() assert.is_true(holds(nil)) end)

  it("may be a function, which is given the graph", function()
    local given
    assert.is_true(holds(function(graph)
      given = graph
      return graph:get("speed") > 1
    end, { speed = 2 }))
    assert.are.equal("userdata", type(given))
    assert.is_false(holds(function() return nil end))
  end)
end)

describe("a condition that is a function", function()
  it("that raises: the error reaches the caller, the graph goes on", function()
    local fault = {}
    local graph = build(machine({ { from = "A", to = "C", when = function(g)
      if g:get("speed") == 1 then error(fault) end
      return g:get("speed") == 2
    end, fade = 0 } }))
    graph:update(.1)
    graph:set("speed", 1)
    local ran, raised = pcall(graph.update, graph, .1)
    assert.is_false(ran)
    assert.are.equal(fault, raised)
    assert.are.equal("A", graph:find("root"):getState())
    graph:set("speed", 2)
    graph:update(.1)
    assert.are.equal("C", graph:find("root"):getState())
  end)

  it("may not update, edit or release its graph's update away", function()
    local messages = {}
    local graph = build(machine({ { from = "A", to = "C", when = function(g)
      messages[1] = select(2, pcall(g.update, g, .1))
      messages[2] = select(2, pcall(g.add, g, { type = "pose" }))
      messages[3] = select(2, pcall(g.reset, g))
      return false
    end } }))
    graph:update(.1)
    assert.matches("being updated", messages[1])
    assert.matches("while it is updated", messages[2])
    assert.matches("being updated", messages[3])
  end)

  it("beside an exit is asked once an update", function()
    local asked = 0
    local graph = build(machine({ { from = "A", to = "C", exit = .5, fade = 0, when = function()
      asked = asked + 1
      return asked > 6
    end } }))
    stage.updates(graph, 10, .1)
    assert.are.equal(10, asked)
    assert.are.equal("A", graph:find("root"):getState()) -- at .5 it said no
    stage.updates(graph, 6, .1)
    assert.are.equal("C", graph:find("root"):getState())
  end)

  it("is shared by clones, and let go with the machine", function()
    local held = setmetatable({}, { __mode = "v" })
    local graph
    do
      local token = {}
      held[1] = token
      graph = anim.newGraph(stage.skeleton, nil, { clips = stage.clips(plain) })
      graph:param("speed", 0)
      graph:add({ name = "m", type = "machine", initial = "A", states = { A = "A", C = "C" },
        transitions = { { from = "A", to = "C", fade = 0, when = function() return token ~= nil end } } })
      graph:setRoot("m")
    end
    local clone = graph:clone()
    clone:update(.1)
    assert.are.equal("C", clone:find("m"):getState())
    for _, g in ipairs({ graph, clone }) do
      local node = g:find("m")
      g:setRoot(nil)
      g:remove(node)
      node = nil -- luacheck: ignore
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(held[1])
  end)
end)

describe("a machine", function()
  local graph, node

  before_each(function()
    graph = build(machine({ { from = "A", to = "B", when = "speed > 0.1 and go", fade = .4 },
      { from = { "B", "P" }, to = "C", exit = 1, fade = .2 }, { from = "C", to = "P", when = "go", exit = .25 } }))
    node = graph:find("root")
  end)

  it("tells its state, source, progress and whether it fades", function()
    assert.are.equal("A", node:getState())
    assert.is_nil(node:getSource())
    assert.are.equal(1, node:getProgress())
    assert.is_false(node:isFading())
    node:play("C", .4)
    assert.are.equal("A", node:getState())
    graph:update(.1)
    assert.are.equal("C", node:getState())
    assert.are.equal("A", node:getSource())
    stage.near(.25, node:getProgress(), 1e-12)
    assert.is_true(node:isFading())
    graph:update(.4)
    assert.is_false(node:isFading())
    assert.is_nil(node:getSource())
  end)

  it("has states as inputs, in byte order and by name", function()
    assert.are.equal(4, node:getInputCount())
    assert.are.equal(node:getInput(1), node:getInput("A"))
    assert.are.equal("P", node:getInput("P"):getClip():getName())
    graph:update(0)
    assert.are.equal(1, node:getInputWeight("A"))
    assert.has_error(function() node:getInput("X") end)
    assert.matches("no state 'Pp'; did you mean 'P'?", select(2, pcall(node.getInput, node, "Pp")), 1, true)
  end)

  it("plays in .2 s unless told, and starts again without a state", function()
    node:play("B")
    graph:update(.1)
    stage.near(.5, node:getProgress(), 1e-12)
    graph:update(1)
    assert.is_true(node:isDone() or node:getState() == "C")
    assert.matches("no state 'D'", select(2, pcall(node.play, node, "D")))
    assert.matches("number of 0 or more expected, got %-1", select(2, pcall(node.play, node, "B", -1)))
    assert.matches("finite number expected", select(2, pcall(node.play, node, "B", 0 / 0)))
    node:play()
  end)

  it("travels over its transitions, or says that none lead there", function()
    graph:update(0)
    node:travel("P")
    local seen = {}
    for _ = 1, 12 do
      graph:update(.1)
      seen[#seen + 1] = node:getState()
    end
    assert.are.equal("B B B B C C P P P P P P", table.concat(seen, " "))
    local lonely = build(machine({}))
    assert.matches("no transitions lead from 'A' to 'B'", select(2, pcall(lonely.find(lonely, "root").travel,
      lonely:find("root"), "B")))
  end)

  it("gives these methods to machines alone", function()
    local clip = node:getInput("A")
    for _, name in ipairs({ "getState", "getSource", "getProgress", "getTrace" }) do
      assert.matches("it belongs to machine nodes", select(2, pcall(clip[name], clip)))
    end
    assert.matches("it belongs to machine nodes", select(2, pcall(clip.travel, clip, "A")))
  end)

  it("traces why it went where", function()
    assert.are.same({}, node:getTrace())
    graph:update(.5)
    graph:set("speed", 2)
    graph:fire("go")
    graph:update(.5)
    node:play("A", 0)
    graph:update(.25)
    local trace = node:getTrace()
    assert.are.equal(2, #trace)
    assert.are.same({ time = 1, from = "B", to = "A", when = "play", params = {} }, trace[1])
    assert.are.same({ time = .5, from = "A", to = "B", when = "speed > 0.1 and go", transition = 1,
      params = { speed = 2, go = true } }, trace[2])
    assert.are.equal(1, #node:getTrace(1))
    assert.are.same({}, node:getTrace(0))
    graph:reset()
    assert.are.same({}, node:getTrace())
  end)

  it("traces the last 32, and goes back with a restore", function()
    for i = 1, 40 do
      node:play(i % 2 == 1 and "B" or "A", 0)
      graph:update(.01)
    end
    local trace = node:getTrace()
    assert.are.equal(32, #trace)
    stage.near(.39, trace[1].time, 1e-9)
    stage.near(.08, trace[32].time, 1e-9)
    local saved = graph:save()
    node:play("C", 0)
    graph:update(.01)
    assert.are.equal("C", node:getTrace(1)[1].to)
    assert(graph:restore(saved))
    assert.are.equal("A", node:getTrace(1)[1].to)
  end)

  it("tells enter and exit: state, machine, no clip, time 0", function()
    local events = {}
    graph:on("*", function(name, data, of, clip, time, weight, edge)
      if name ~= "enter" and name ~= "exit" then return end
      events[#events + 1] = { name, data, of, clip or false, time, weight, edge }
    end)
    graph:update(.1)
    node:play("B", 0)
    graph:update(.1)
    assert.are.same({ "enter", "A", node, false, 0, 1 }, events[1])
    assert.are.same({ "exit", "A", node, false, 0, 1, "interrupted" }, events[2])
    assert.are.same({ "enter", "B", node, false, 0, 1 }, events[3])
    graph:update(1) -- B is done at once
    assert.are.same({ "exit", "B", node, false, 0, 1, "done" }, events[4])
  end)

  it("tells them to events() and to subscriptions of the node alike", function()
    local heard = 0
    node:on("enter", function() heard = heard + 1 end)
    graph:advance(.1)
    local names = {}
    for name, data in graph:events() do names[#names + 1] = name .. " " .. data end
    assert.are.same({ "enter A" }, names)
    node:play("C", 0)
    graph:update(.1)
    assert.are.equal(1, heard)
  end)

  it("is inspected with what its transitions still lack", function()
    graph:update(.1)
    local report = graph:inspect()
    local seen = report.nodes[1].machine
    assert.are.equal("A", seen.state)
    assert.are.same({ "speed > 0.1", "go" }, seen.transitions[1].missing)
    graph:set("speed", 1)
    assert.are.same({ "go" }, graph:inspect().nodes[1].machine.transitions[1].missing)
    assert.matches("to 'B': not yet: go", tostring(graph:inspect()))
    node:play("C", 0)
    graph:update(.1)
    assert.are.same({ "exit = 0.25", "go" }, graph:inspect().nodes[1].machine.transitions[1].missing)
  end)

  it("counts chains that were cut off", function()
    local endless = build(machine({ { from = "A", to = "B", fade = 0 }, { from = "B", to = "A", fade = 0 } }))
    stage.updates(endless, 3, .1)
    assert.are.equal(3, endless:inspect().nodes[1].machine.capped)
    assert.matches("3 chains of transitions cut off", tostring(endless:inspect()))
  end)

  it("is drawn by Graphviz", function()
    graph:update(.1)
    local dot = graph:toDot()
    assert.matches("^digraph anim {.*}\n$", dot)
    assert.matches('%[label="A 1%.00"%]', dot)
    assert.matches('style=dashed, constraint=false, label="speed > 0%.1 and go"', dot)
    assert.matches('label="go, exit 0%.25"', dot)
  end)

  it("makes no garbage while it runs", function()
    graph:on("enter", function() end)
    local function run(n)
      for i = 1, n do
        if i % 5 == 0 then graph:fire("go") end
        node:play(i % 7 < 4 and "A" or "C", .1)
        graph:update(1 / 60)
        node:getState()
        node:getSource()
      end
    end
    local grown = interpreted(function()
      run(200)
      collectgarbage()
      collectgarbage("stop")
      run(10) -- what the collection shrank has grown again
      local before = collectgarbage("count")
      run(500)
      local after = collectgarbage("count")
      collectgarbage("restart")
      return after - before
    end)
    assert.is_true(grown < .1, ("%.3f KB"):format(grown))
  end)
end)

describe("a description of a machine", function()
  it("comes back as it was", function()
    local decide = function() return false end
    local description = { params = params, masks = { upper = { "joint" } }, nodes = {
      inner = machine({ { from = "A", to = "B", when = "go" } }, { A = "A", B = "B" }),
      root = machine({
        { from = { "A", "B" }, to = "C", when = "speed > .5", curve = { .1, .2, .3, .4 }, fade = .1,
          mode = "inertial" },
        { from = "*", to = "A", when = decide, interrupt = "both", profile = "upper" },
        { from = "A", to = "A", exit = .25, offset = .5, self = true, curve = "smooth" },
        { from = "C", to = "B", keep = true, sync = true, fade = 0, interrupt = "none", mode = "frozen" },
      }, { A = "A", B = { "B", speed = 1.5 }, C = "inner", D = { type = "clip", clip = "C", loop = false } }) },
      root = "root" }
    local function clipsOf() return { clips = stage.clips(plain) } end
    local first = anim.newGraph(stage.skeleton, description, clipsOf()):describe()
    assert.are.same(description.nodes.root.transitions, first.nodes.root.transitions)
    assert.are.same(description.nodes.root.states, first.nodes.root.states)
    assert.are.same(first, anim.newGraph(stage.skeleton, first, clipsOf()):describe())
  end)
end)
