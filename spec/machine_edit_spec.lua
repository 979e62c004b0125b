-- Machines that change: edits, reload, snapshots, and large ones.
local anim = require("anim")
local core = require("anim.core")
local data = require("spec.support.data")
local plainMachine = require("spec.support.plain_machine")
local stage = require("spec.support.stage")

local build, machine, params = plainMachine.build, plainMachine.machine, plainMachine.params

describe("editing a graph with a machine", function()
  local function started()
    local graph = build(machine({ { from = "A", to = "B", when = "go", fade = .4 } }))
    graph:update(.1)
    graph:fire("go")
    graph:update(.1)
    return graph, graph:find("root")
  end

  it("goes on in state and fade", function()
    local graph, node = started()
    local other, twin = started()
    graph:add({ type = "pose" })
    graph:param("fresh", 1)
    stage.updates(graph, 5, .05)
    stage.updates(other, 5, .05)
    assert.are.equal(twin:getState(), node:getState())
    assert.are.equal(twin:getProgress(), node:getProgress())
    assert.are.equal(stage.turn(other), stage.turn(graph))
  end)

  it("goes on in the fade of a state into itself", function()
    local function begun()
      local graph = stage.graph({ A = { length = 1, from = 0, to = 90, loop = false } },
        { type = "machine", initial = "s", states = { s = "A" },
          transitions = { { from = "s", to = "s", self = true, when = "go", fade = 1 } } }, { go = "trigger" })
      graph:update(.4)
      graph:fire("go")
      graph:update(.1)
      return graph
    end
    local graph, other = begun(), begun()
    graph:add({ type = "pose" })
    stage.updates(graph, 3, .1)
    stage.updates(other, 3, .1)
    assert.are.equal(stage.turn(other), stage.turn(graph))
    stage.near(stage.between(72, 36, .4), stage.turn(graph), 1e-3)
  end)

  it("adds states in byte order, and transitions still mean the same", function()
    local graph, node = started()
    assert.are.equal(2, node:addInput("AA", { "C", speed = 2 }))
    assert.are.equal("B", node:getState())
    assert.are.equal("A", node:getSource())
    assert.are.equal("B", node:getTrace(1)[1].to)
    assert.are.equal("A", graph:describe().nodes.root.transitions[1].from)
    assert.are.equal("B", graph:describe().nodes.root.transitions[1].to)
    node:play("AA", 0)
    graph:update(.25)
    assert.are.equal("AA", node:getState())
    stage.near(.5, node:getTime(), 1e-9)
    assert.matches("there is a state 'AA' already", select(2, pcall(node.addInput, node, "AA", "C")))
  end)

  it("removes states that nothing names, others not", function()
    local graph, node = started()
    node:removeInput("C")
    assert.are.equal(3, node:getInputCount())
    assert.are.equal("B", node:getState())
    assert.matches("state 'A' is the initial one", select(2, pcall(node.removeInput, node, "A")))
    assert.matches("state 'B' is used by a transition", select(2, pcall(node.removeInput, node, "B")))
    assert.matches("no state 'X'", select(2, pcall(node.removeInput, node, "X")))
    graph:update(.1)
  end)

  it("gives a state another node", function()
    local graph, node = started()
    node:setInput("P", { type = "pose" })
    node:setInput(2, "C")
    assert.are.equal("C", node:getInput("B"):getClip():getName())
    graph:update(.1)
    assert.are.equal("B", node:getState())
  end)

  it("in a callback: what is queued is told with the right names", function()
    local graph, node = started()
    local heard = {}
    graph:on("exit", function() node:addInput("AB", "C") end)
    graph:on("enter", function(_, state) heard[#heard + 1] = state end)
    node:play("P", 0)
    graph:update(.1)
    assert.are.same({ "P" }, heard)
  end)

  it("fails as a whole when memory runs out, and leaks nothing", function()
    local description = machine({ { from = { "A", "B" }, to = "C", when = "speed > 1 and event('x')" },
      { from = "C", to = "C", self = true, when = function() return true end } })
    collectgarbage()
    collectgarbage()
    local n, built = 0, false
    while not built and n < 3000 do
      n = n + 7
      core.failAllocation(n)
      local ran, result = pcall(build, description)
      core.failAllocation(0)
      built = ran
      if ran then result:release() else assert.matches("memory", tostring(result)) end
    end
    assert.is_true(built)
  end)
end)

describe("reload", function()
  local clips = { A = { length = 1, from = 10 }, B = { length = 2, from = 70 }, C = { length = 1, from = 30 } }

  local function described(states, transitions, more)
    return { params = more or { go = "trigger", speed = 0 }, nodes = { root = machine(transitions, states) },
      root = "root" }
  end

  local function started()
    local graph = anim.newGraph(stage.skeleton,
      described({ A = "A", B = "B" }, { { from = "A", to = "B", when = "go" } }), { clips = stage.clips(clips) })
    graph:update(.3)
    graph:set("speed", 3)
    graph:find("root"):play("B", 0)
    graph:update(.5)
    return graph
  end

  it("keeps parameters, states and phases where they still exist", function()
    local graph = started()
    graph:reload(described({ A = "A", B = "B", C = "C" }, { { from = "B", to = "C", when = "more", fade = 0 } },
      { go = "trigger", speed = 0, more = false }))
    local node = graph:find("root")
    assert.are.equal(3, graph:get("speed"))
    assert.are.equal("B", node:getState())
    stage.near(.5, node:getTime(), 1e-9)
    stage.near(70, stage.turn(graph), .01)
    graph:set("more", true)
    graph:update(.1)
    assert.are.equal("C", node:getState())
  end)

  it("fades over what is not there any more", function()
    local graph = started()
    graph:reload(described({ A = "A", C = "C" }, {}))
    assert.are.equal("A", graph:find("root"):getState())
    stage.near(70, stage.turn(graph), .01)
    local before = 70
    for _ = 1, 25 do
      graph:update(.01)
      local now = stage.turn(graph)
      assert.is_true(now <= before + 1e-3 and before - now < 12, ("%g after %g"):format(now, before))
      before = now
    end
    stage.near(10, before, .01)
  end)

  it("leaves the graph as it was where the description is wrong", function()
    local graph = started()
    local ran, message = pcall(graph.reload, graph, described({ A = "A", B = "B" }, { { from = "A", to = "X" } }))
    assert.is_false(ran)
    assert.matches("bad argument #1 to 'reload' %(nodes.root.transitions%[1%].to: no state 'X'", message)
    assert.are.equal("B", graph:find("root"):getState())
    stage.near(.5, graph:find("root"):getTime(), 1e-9)
    graph:update(.1)
  end)
end)

describe("a machine's snapshot", function()
  it("goes on to the bit in the middle of every kind of fade", function()
    local clips = { A = { length = 1, from = 0, to = 60 }, B = { length = 1, loop = false, from = 90, to = 20 },
      C = { length = 2, from = -40, to = 10 } }
    for _, mode in ipairs({ "crossfade", "inertial", "frozen" }) do
      for _, second in ipairs({ "B", "C", "A" }) do -- into itself, an interruption, back again
        local graph = stage.graph(clips, machine({ { from = "A", to = "B", when = "go", fade = .5, mode = mode },
          { from = "*", to = second, when = "jump", fade = .5, mode = mode, self = true, curve = "smooth" } },
          { A = "A", B = "B", C = "C" }), params)
        graph:update(.3)
        graph:fire("go")
        graph:update(.1)
        graph:fire("jump")
        graph:update(.1)
        local saved, hashes = graph:save(), {}
        for i = 1, 20 do
          graph:update(.05)
          hashes[i] = graph:hash()
        end
        assert(graph:restore(saved))
        for i = 1, 20 do
          graph:update(.05)
          assert.are.equal(hashes[i], graph:hash(), mode .. " to " .. second)
        end
      end
    end
  end)

  it("that was tampered with is refused or harmless", function()
    local graph = build(machine({ { from = "A", to = "A", when = "go", self = true },
      { from = "A", to = "B", when = "go" } },
      { A = machine({ { from = "A", to = "C", when = "go", fade = .3 } }), B = "B" }))
    graph:update(.1)
    graph:fire("go")
    graph:update(.1)
    local saved = graph:save()
    for at = 25, #saved, 4 do
      for _, bytes in ipairs({ "\255\255\255\255", "\0\0\0\128", "\77\1\0\0", "\0\0\192\127" }) do
        local bad = saved:sub(1, at - 1) .. bytes .. saved:sub(at + 4)
        if #bad == #saved and graph:restore(bad) then
          graph:update(.05)
          graph:find("root"):getState()
          graph:find("root"):getSource()
        end
      end
    end
    assert(graph:restore(saved))
  end)
end)

describe("a machine in a machine", function()
  it("that changes in an update(0) is looked at when it has taken its first step", function()
    local inner = machine({ { from = "A", to = "B", when = "time > speed", fade = 0, offset = .8 } },
      { A = "A", B = "B" })
    local graph = build(machine({ { from = "A", to = "B", when = "time > .7", fade = 0 } },
      { A = inner, B = "C" }))
    graph:set("speed", 10)
    graph:update(.5)
    graph:set("speed", .3)
    graph:update(0)
    assert.are.equal("A", graph:find("root"):getState())
    graph:update(.01)
    assert.are.equal("B", graph:find("root"):getState())
  end)
end)

describe("large machines", function()
  local states, depth = data.slow and 1000 or 100, data.slow and 64 or 16

  it("of 1,000 states are built, described and run", function()
    local list, transitions = {}, {}
    for i = 1, states do
      list["s" .. i] = { "B", speed = 4 }
      transitions[i] = { from = "s" .. i, to = "s" .. (i % states + 1), when = "done", fade = .01 }
    end
    local graph = build({ type = "machine", initial = "s1", states = list, transitions = transitions })
    stage.updates(graph, 40, .25)
    assert.are.equal("s41", graph:find("root"):getState())
    assert.are.equal(states, #graph:describe().nodes.root.transitions)
    local node = graph:find("root")
    assert.matches("did you mean 's" .. states .. "'", select(2, pcall(node.play, node, "s" .. states .. "0")))
  end)

  it("64 deep change at every level in one step", function()
    local description = "B"
    for _ = 1, depth do
      description = machine({ { from = "A", to = "B", when = "done", fade = 0 } }, { A = description, B = "B" })
    end
    local graph = build(description)
    graph:update(depth - .5)
    assert.are.equal("A", graph:find("root"):getState())
    graph:update(1)
    assert.are.equal("B", graph:find("root"):getState())
    stage.near(.5, graph:find("root"):getTime(), 1e-6)
  end)
end)
