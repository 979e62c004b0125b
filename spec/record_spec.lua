-- anim.record: what it keeps is what the graph said at each update, and the graph does not notice.
local anim = require("anim")
local core = require("anim.core").graph
local data = require("spec.support.data")
local page = require("spec.support.page")
local quat = require("spec.support.reference").quat
local raises = require("spec.support.raises")
local recording = require("anim.record.recording")
local scratch = require("spec.support.scratch")
local tiny = require("spec.support.tiny")
local tracks = require("spec.support.tracks")

local function newModel()
  return tiny.model({
    tiny.clip("idle", { events = tiny.events({ { .2, "breath", data = 3 }, { .4, "blink", duration = .3 } }) }),
    tiny.clip("walk", { to = 1, events = tiny.events({ { 0, "step", data = "left" }, { .5, "step", data = { 1 } } }) }),
    tiny.clip("run", { duration = .6, angle = 40 }),
    tiny.clip("lean", { from = .2, angle = 70, axis = "z" }),
  })
end

local function newGraph()
  return anim.newGraph(newModel(), {
    params = { speed = { 0, smooth = .2 }, lean = 0, aiming = false, go = { "trigger", life = 0 } },
    nodes = { move = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.5, "walk" }, { 4, "run" } } },
    root = { type = "layers", base = "move", { "lean", weight = "lean" } },
  })
end

-- The same for every graph: steps of many lengths, parameters that go up and down.
local function drive(graph, steps, seen)
  for i = 1, steps do
    if i % 17 == 0 then graph:set("speed", i % 5) end
    graph:set("lean", i % 40 / 40)
    graph:set("aiming", i % 30 < 10)
    if i % 25 == 0 then graph:fire("go") end
    local dt = i % 13 == 0 and 0 or .004 * (i % 9 + 1)
    graph:update(dt)
    if seen then seen(i, dt) end
  end
end

describe("record", function()
  teardown(scratch.clear)

  it("keeps times, weights and parameters as they were", function()
    local graph = newGraph()
    local made = anim.record(graph)
    local move, time, times, weights, speeds, aiming, fired = graph:find("move"), 0, {}, {}, {}, {}, {}
    drive(graph, 200, function(i, dt)
      time = time + dt
      times[i], weights[i], speeds[i] = time, move:getInput(2):getWeight(), graph:get("speed")
      aiming[i], fired[i] = graph:get("aiming") and 1 or 0, i % 25 == 0 and 1 or 0
    end)
    made:stop()
    assert.are.equal(200, made:getFrameCount())
    assert.are.equal(time, made:getDuration())
    local content = page.data(made)
    local take, kept = content.takes[1], content.recording
    assert.are.equal(200, take.frames)
    local next, last, step = page.reader(take.times), 0, 0
    local order = next()
    local function valuesOf(list, label) return tracks.valuesOf(tracks.find(list, label), 200) end
    local walk, speed = valuesOf(kept.nodes, "walk"), valuesOf(kept.params, "speed")
    local aims, goes = valuesOf(kept.params, "aiming"), valuesOf(kept.params, "go")
    for i = 1, 200 do
      step = next() + (order == 2 and step or 0)
      last = last + step
      assert.is_true(math.abs(last * take.timeUnit - times[i]) <= take.timeUnit)
      assert.is_true(math.abs(walk[i] - weights[i]) < 1.3e-4, i .. ": " .. walk[i] .. " " .. weights[i])
      assert.is_true(math.abs(speed[i] - speeds[i]) < 6e-4)
      assert.are.equal(aiming[i], aims[i])
      assert.are.equal(fired[i], goes[i])
    end
  end)

  it("keeps the poses, in more than one block", function()
    local graph = newGraph()
    local made, poses = anim.record(graph), {}
    drive(graph, 700, function(i) poses[i] = { graph:getJoint("tip") } end)
    made:stop()
    local content = page.data(made)
    assert.are.equal(2, #content.takes[1].blocks)
    local unit, seen = content.units.move, 0
    page.eachPose(content, content.takes[1], function(f, j, move, turn)
      if j ~= 2 then return end
      seen = seen + 1
      for axis = 1, 3 do assert.is_true(math.abs(move[axis] - poses[f][axis]) < .51 * unit) end
      local sign = turn[4] * poses[f][7] < 0 and -1 or 1
      for axis = 1, 4 do assert.is_true(math.abs(sign * turn[axis] - poses[f][3 + axis]) < 2e-4) end
    end)
    assert.are.equal(700, seen)
  end)

  it("moves the figure by the root motion", function()
    local ahead, about = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 2 } }, { times = { 0, 1 }, values = {} }
    for _, angle in ipairs({ 0, 90 }) do
      for _, x in ipairs(tiny.about("y", angle)) do about.values[#about.values + 1] = x end
    end
    local clip = tiny.clip("circle", { tracks = { root = { translation = ahead, rotation = about } } })
    local graph = tiny.player(clip:withRootMotion({ joint = "root", translation = "xz", rotation = "y" }))
    local made, places = anim.record(graph), {}
    local place, turn = { 0, 0, 0 }, { 0, 0, 0, 1 }
    for i = 1, 150 do
      graph:update(1 / 60)
      local dx, dy, dz, qx, qy, qz, qw = graph:getRootMotion()
      local way = quat.rotate(turn, { dx, dy, dz })
      for axis = 1, 3 do place[axis] = place[axis] + way[axis] end
      turn = quat.mul(turn, { qx, qy, qz, qw })
      places[i] = { place[1], place[2], place[3], turn[2] }
    end
    made:stop()
    local content = page.data(made)
    page.eachPose(content, content.takes[1], function(f, j, move, turned)
      if j ~= 1 then return end
      for axis = 1, 3 do assert.is_true(math.abs(move[axis] - places[f][axis]) < 1e-3) end
      assert.is_true(math.abs(math.abs(turned[2]) - math.abs(places[f][4])) < 1e-3)
    end)
    assert.is_true(places[150][1] ^ 2 + places[150][3] ^ 2 > 1)
  end)

  it("keeps all events in order, and leaves them to those who listen", function()
    local graph, twin = newGraph(), newGraph()
    local made, heard, other = anim.record(graph), {}, {}
    graph:on("*", function(name, value, _, clip, time, weight, edge)
      heard[#heard + 1] = { name, type(value) == "table" and "" or value == nil and "" or tostring(value),
        clip:getName(), time, weight, edge or "" }
    end)
    twin:on("*", function(name) other[#other + 1] = name end)
    drive(graph, 300)
    drive(twin, 300)
    made:stop()
    local kept = recording.of(made).events
    assert.is_true(#heard > 20)
    assert.are.equal(#heard, #kept)
    local last = 0
    for i, event in ipairs(kept) do
      assert.are.same(heard[i], { event.name, event.data, event.clip, event.at, event.weight, event.edge or "" })
      assert.are.equal(other[i], event.name)
      assert.is_true(event.time >= last and event.time <= made:getDuration())
      last = event.time
    end
  end)

  it("knows when within an update an event was", function()
    local graph = tiny.player(tiny.clip("walk", { events = tiny.events({ { .3, "step" } }) }))
    graph:setSpeed(2)
    local made = anim.record(graph)
    for _ = 1, 2 do graph:update(.1) end
    made:stop()
    local step = recording.of(made).events[1]
    assert.is_true(math.abs(step.time - .15) < 1e-9)
    assert.are.equal(2, step.frame)
  end)

  it("keeps events once that come again, and those that events() iterates", function()
    local graph = tiny.player(tiny.clip("walk", { events = tiny.events({ { .1, "a" }, { .2, "b" }, { .3, "c" } }) }))
    local made, names = anim.record(graph), {}
    local subscription = graph:on("a", function() error("broken") end)
    assert.is_false(pcall(graph.update, graph, .25))
    subscription:cancel()
    graph:update(.25)
    graph:advance(.65)
    for _ in graph:events() do names[1] = nil end
    graph:evaluate()
    graph:update(.6, "mute")
    made:stop()
    for i, event in ipairs(recording.of(made).events) do names[i] = event.name end
    assert.are.equal("a b c loop a", table.concat(names, " "))
    assert.are.equal(3, made:getFrameCount()) -- the broken one made no pose
  end)

  it("the graph does not notice", function()
    local with, without = newGraph(), newGraph()
    local made
    for round = 1, 4 do
      if round == 2 then made = anim.record(with) end
      if round == 4 then made:stop() end
      drive(with, 50)
      drive(without, 50)
      assert.are.equal(without:hash(), with:hash())
      assert.are.equal(without:save(), with:save())
    end
  end)

  it("costs nothing when it is over", function()
    if os.getenv("ANIM_GC_STRESS") == "1" then return end
    local graph = newGraph()
    anim.record(graph):stop()
    local function step(i)
      graph:set("speed", i % 400 / 100)
      graph:update(1 / 60)
    end
    for i = 1, 500 do step(i) end
    collectgarbage()
    collectgarbage("stop")
    for i = 1, 100 do step(i) end
    local before = collectgarbage("count")
    for i = 1, 2000 do step(i) end
    local bytes = (collectgarbage("count") - before) * 1024
    collectgarbage("restart")
    assert.is_true(bytes < (rawget(_G, "jit") and 1e5 or 1), bytes) -- traces take memory of their own
  end)

  describe("of machines", function()
    local function newMachine()
      return anim.newGraph(newModel(), { params = { speed = 0, go = "trigger" },
        nodes = { body = { type = "machine", initial = "rest", states = { rest = "idle", move = "walk", hurry = "run" },
          transitions = { { from = "rest", to = "move", when = "speed > 1", fade = .2 },
            { from = "move", to = "hurry", when = "go", fade = 0 },
            { from = "hurry", to = "rest", exit = .5, fade = .1 } },
        } }, root = "body" })
    end

    it("keeps states, fades and reasons", function()
      local graph = newMachine()
      local made, node, said = anim.record(graph), graph:find("body"), {}
      for i = 1, 90 do
        if i == 11 then graph:set("speed", 2) end
        if i == 41 then graph:fire("go") end
        if i == 45 then graph:set("speed", 0) end
        graph:update(.02)
        said[i] = { node:getState(), node:getSource() or "", node:getProgress() }
      end
      made:stop()
      local machine = page.data(made).recording.machines[1]
      local progress, at = tracks.valuesOf(machine.progress, 90), 1
      for i = 1, 90 do
        if machine.spans[at + 1] and machine.spans[at + 1][1] == i - 1 then at = at + 1 end
        assert.are.equal(said[i][1], machine.spans[at][2])
        assert.are.equal(said[i][2], machine.spans[at][3])
        assert.is_true(math.abs(progress[i] - said[i][3]) < 2e-4)
      end
      local lines = {}
      for i, t in ipairs(machine.transitions) do lines[i] = ("%s>%s %s"):format(t[2], t[3], t[4]) end
      assert.are.same({ "rest>move speed > 1 (speed = 2)", "move>hurry go (go = true)", "hurry>rest exit 0.5" }, lines)
      assert.is_true(math.abs(machine.transitions[1][1] - .2) < 1e-9)
    end)
  end)

  it("follows edits; what play starts again goes on in its row", function()
    local graph = anim.newGraph(newModel())
    local made = anim.record(graph)
    for round = 1, 6 do
      graph:play(round % 2 == 0 and "walk" or "run", .1)
      tiny.run(graph, 30, .02)
    end
    graph:param("late", 7)
    graph:update(.02)
    made:stop()
    local nodes, params = page.data(made).recording.nodes, page.data(made).recording.params
    local clips = {}
    for _, node in ipairs(nodes) do
      if node.type == "clip" then clips[#clips + 1] = node.clip end
    end
    table.sort(clips)
    assert.are.same({ "run", "walk" }, clips)
    assert.are.equal(0, tracks.valuesOf(params[1], 181)[180])
    assert.are.equal(7, tracks.valuesOf(params[1], 181)[181])
  end)

  it("one at a time; clones are not recorded; callbacks may begin and end it", function()
    local graph = newGraph()
    local made = anim.record(graph)
    raises.exactly("the graph is being recorded already; stop that recording first", anim.record, graph)
    local clone = graph:clone()
    clone:update(.1)
    local second = anim.record(clone)
    clone:update(.1)
    graph:update(.1)
    assert.are.equal(1, made:getFrameCount())
    assert.are.equal(1, second:getFrameCount())
    second:stop()
    second:stop()
    assert.is_false(second:isRecording())
    local within
    graph:on("breath", function()
      made:stop()
      within = anim.record(graph)
    end)
    graph:update(.2)
    graph:update(.2)
    assert.are.equal(1, made:getFrameCount())
    assert.are.equal(2, within:getFrameCount())
    assert.are.equal(.2, within:getDuration())
    within:stop()
  end)

  it("says what it is", function()
    local graph = newGraph()
    local made = anim.record(graph)
    graph:update(.25)
    assert.are.equal("anim.Recording: 1 frames, 0.25 s, going on", tostring(made))
    raises.exactly("bad argument #1 to 'view' (this recording is going on: stop() it first)", anim.view, made, "x.html")
    made:stop()
    assert.are.equal("anim.Recording: 1 frames, 0.25 s", tostring(made))
    raises.exactly("calling 'stop' on bad self (anim.Recording expected, got number)", made.stop, 1)
    raises.exactly("bad argument #1 to 'record' (anim.Graph expected, got anim.Skeleton)", anim.record, tiny.skeleton)
    raises.exactly("bad argument #1 to 'record' (anim.Graph expected, got no value)", anim.record)
  end)

  it("an empty one can be shown", function()
    local made = anim.record(newGraph())
    made:stop()
    assert.are.same({}, page.data(made).takes)
  end)

  it("holds nothing of the graph when it is over, and ends when it is forgotten or the graph released", function()
    local graph = newGraph()
    local weak = setmetatable({ graph }, { __mode = "v" })
    local made = anim.record(graph)
    graph:update(.1)
    graph:update(.1)
    graph = nil -- luacheck: ignore
    collectgarbage()
    assert.is_not_nil(weak[1])
    made:stop()
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.are.equal(2, made:getFrameCount())

    graph = newGraph()
    anim.record(graph)
    collectgarbage()
    collectgarbage()
    graph:update(.1)
    assert.is_nil(core.user(graph).record)
    anim.record(graph):stop()

    made = anim.record(graph)
    graph:update(.1)
    graph:release()
    made:stop()
    assert.are.equal(1, made:getFrameCount())
    assert.is_false(pcall(anim.record, graph))
  end)

  it("of long scenes stays small", function()
    local graph = newGraph()
    local made = anim.record(graph)
    for i = 1, data.slow and 6000 or 600 do
      if i % 200 == 0 then graph:set("speed", i % 5) end
      graph:update(1 / 60)
    end
    made:stop()
    local size = #page.write(made) - 75000 -- the page itself
    assert.is_true(size < 40 * made:getFrameCount() + 5000, size)
  end)
end)
