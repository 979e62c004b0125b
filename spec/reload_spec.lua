-- graph:reload where it is easily half done: inside of a callback, between advance and evaluate, and with what a script
-- has told solvers. What it keeps of machines is in machine_edit_spec.lua.
local anim = require("anim")
local stage = require("spec.support.stage")

local clips = { A = { length = 1, from = 10, events = { { time = 0, name = "start" } } },
  B = { length = 2, from = 70, events = { { time = .5, name = "half" } } }, C = { length = 1, from = 30 } }

local function machine(states, transitions)
  return { params = { go = "trigger", speed = 0 }, nodes = { root = { type = "machine", initial = "A", states = states,
    transitions = transitions } }, root = "root" }
end

local function started()
  local description = machine({ A = "A", B = "B" }, { { from = "A", to = "B", when = "go", fade = 0 } })
  return anim.newGraph(stage.skeleton, description, { clips = stage.clips(clips) })
end

describe("a reload in a callback", function()
  it("keeps state and phase, and the pose goes on without a jump", function()
    local graph, reloaded = started(), 0
    graph:update(.25)
    graph:on("enter", function(node, state)
      assert.are.equal("enter", node)
      if state ~= "B" then return end
      reloaded = reloaded + 1
      graph:reload(machine({ A = "A", C = "C", B = "B" }, { { from = "B", to = "C", when = "speed > 1", fade = 0 } }))
      assert.are.equal("B", graph:find("root"):getState())
      assert.are.equal(1, graph:find("root"):getWeight())
    end)
    graph:fire("go")
    graph:update(.125)
    assert.are.equal(1, reloaded)
    stage.near(70, stage.turn(graph), .01)
    stage.near(.125, graph:find("root"):getTime(), 1e-9)
    graph:set("speed", 2)
    graph:update(.25)
    assert.are.equal("C", graph:find("root"):getState())
  end)

  it("fades over what is not there any more", function()
    local graph, done = started(), false
    graph:fire("go")
    graph:update(.25)
    graph:on("half", function()
      graph:reload(machine({ A = "A", C = "C" }, {}))
      done = true
    end)
    graph:update(.25)
    assert.is_true(done)
    local before = stage.turn(graph)
    stage.near(70, before, .01)
    for _ = 1, 25 do
      graph:update(.01)
      local now = stage.turn(graph)
      assert.is_true(now <= before + 1e-3 and before - now < 12, ("%g after %g"):format(now, before))
      before = now
    end
    stage.near(10, before, .01)
  end)

  it("of the very first update does not begin at rest", function()
    local graph = started()
    graph:on("start", function() graph:reload(machine({ A = "C" }, {})) end)
    graph:update(.1)
    stage.near(30, stage.turn(graph), .01)
  end)

  it("runs scripts, and tells what they raise", function()
    local graph = started()
    graph:update(.1)
    local function with(update)
      return { nodes = { root = { type = "script", inputs = { "A", "B" }, update = update } }, root = "root" }
    end
    local weights = {}
    local subscription = graph:on("enter", function()
      graph:reload(with(function(node, dt)
        weights[#weights + 1] = dt
        node:setWeight(1, 0)
        node:setWeight(2, 1)
      end))
    end)
    graph:fire("go")
    graph:update(.1)
    subscription:cancel()
    assert.are.same({ 0 }, weights)
    assert.are.equal(0, graph:find("root"):getInput(1):getWeight())
    local message = select(2, pcall(graph.reload, graph, with(function() error("no luck") end)))
    assert.matches("no luck", tostring(message))
  end)
end)

describe("a reload", function()
  it("between advance and evaluate goes on from the pose of that advance", function()
    local graph = started()
    graph:update(.25)
    graph:fire("go")
    graph:advance(.25)
    graph:reload(machine({ A = "A", C = "C" }, {}))
    stage.near(70, stage.turn(graph), .01)
  end)

  it("takes no time and no transition: those are told in the next update", function()
    local graph = started()
    graph:update(.25)
    local heard = stage.listen(graph, "enter", "exit", "start")
    graph:reload(machine({ A = "A", C = "C" }, { { from = "A", to = "C", fade = 0 } }))
    assert.are.equal("A", graph:find("root"):getState())
    stage.near(.25, graph:find("root"):getTime(), 1e-9)
    graph:update(.1)
    assert.are.same({ "exit A interrupted", "enter C" }, heard)
  end)
end)

describe("what a script told solvers", function()
  local arm = anim.newSkeleton({ { name = "upper" }, { name = "lower", parent = "upper", translation = { 0, 1, 0 } },
    { name = "hand", parent = "lower", translation = { 0, 1, 0 } } })
  local still = anim.newClip({ name = "still", skeleton = arm, duration = 1,
    tracks = { lower = { rotation = { times = { 0 }, values = { math.sin(.2), 0, 0, math.cos(.2) } } } } })

  local function described(more)
    local reach = { type = "twoBone", joint = "hand", input = "still", target = { 0, 1.5, .5 }, pole = { 0, 0, 5 } }
    for key, value in pairs(more or {}) do reach[key] = value end
    return { nodes = { reach = reach }, root = "reach" }
  end

  local function place(graph, joint)
    local m = { graph:getMatrix(joint) }
    return { m[13], m[14], m[15] }
  end

  local function near(expected, got)
    for i = 1, 3 do stage.near(expected[i], got[i], 1e-4) end
  end

  local function build(more) return anim.newGraph(arm, described(more), { clips = { still = still } }) end

  it("stays: targets, poles and weights", function()
    local graph, twin = build(), build()
    for _, each in ipairs({ graph, twin }) do
      each:find("reach"):setTarget(.6, 1.1, 0)
      each:find("reach"):setPole(5, 0, 0)
      each:find("reach"):setWeight(.75)
      each:update(.1)
    end
    graph:reload(described({ soft = 1 }))
    near(place(twin, "hand"), place(graph, "hand"))
    graph:update(.5)
    near(place(twin, "hand"), place(graph, "hand"))
    near(place(twin, "lower"), place(graph, "lower"))
  end)

  it("gives way to nothing that was only described: a new target counts at once", function()
    local graph = build()
    graph:update(.1)
    graph:reload(described({ target = { .5, 1, .5 } }))
    graph:update(.5)
    near({ .5, 1, .5 }, place(graph, "hand"))
  end)

  it("stays where it is a joint of another graph", function()
    local graph, other = build(), build()
    other:find("reach"):setTarget(.3, 1.2, .4)
    other:update(.1)
    graph:find("reach"):setTarget(other, "hand")
    graph:update(.1)
    near({ .3, 1.2, .4 }, place(graph, "hand"))
    graph:reload(described())
    other:find("reach"):setTarget(-.3, 1.2, .4)
    other:update(.1)
    graph:update(.5)
    near({ -.3, 1.2, .4 }, place(graph, "hand"))
  end)

  it("goes where the node takes its points in another space: the numbers would be other places", function()
    local graph = build({ space = "model" })
    graph:setTransform(10, 0, 0)
    graph:find("reach"):setTarget(.6, 1.1, 0)
    graph:update(.1)
    graph:reload(described({ space = "world", target = { 10, 1.5, .5 } }))
    graph:update(.5)
    near({ 0, 1.5, .5 }, place(graph, "hand"))
  end)

  it("goes where the node has as many targets no longer", function()
    local effectors = { { joint = "hand", target = { 0, 1, 1 } }, { joint = "lower", target = { 0, 1, 0 } } }
    local function chain(count)
      local list = { effectors[1], count > 1 and effectors[2] or nil }
      local reach = { type = "chain", root = "upper", input = "still", effectors = list }
      return { nodes = { reach = reach }, root = "reach" }
    end
    local graph = anim.newGraph(arm, chain(1), { clips = { still = still } })
    graph:find("reach"):setTarget(.7, 1.3, 0)
    graph:update(.1)
    graph:reload(chain(1))
    graph:update(.5)
    near({ .7, 1.3, 0 }, place(graph, "hand"))
    graph:reload(described())
    graph:update(.5)
    near({ 0, 1.5, .5 }, place(graph, "hand"))
  end)
end)
