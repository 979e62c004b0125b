-- The model check: random machines under random play, against the reference machine at every update.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local interpreted = require("spec.support.interpreted")
local machines = require("spec.support.machines")
local twin = require("spec.support.twin")

local full = data.slow and 1 or .05
local perMachine = 250

-- Runs `updates` updates in machines of their own; a failure names the seed and the step.
local function runAll(firstSeed, updates, options, depth, longest)
  for seed = firstSeed, firstSeed + math.ceil(updates * full / perMachine) - 1 do
    local r = check.random(seed)
    local clips = machines.clips(r, options.clipCount)
    local description = machines.machine(r, clips, depth, options)
    local pair, names = twin.new(clips, description), machines.names(description)
    for i = 1, perMachine do
      local step = machines.step(r, names, longest)
      local ran, message = pcall(function()
        for _, call in ipairs(step) do pair:call(call[1], call[2], call[3]) end
        pair:update(step.dt)
        pair:compare()
      end)
      if not ran then error(("seed %d, update %d: %s"):format(seed, i, tostring(message))) end
    end
  end
end

local function with(changes)
  local out = {}
  for k, v in pairs(machines.usual) do out[k] = v end
  for k, v in pairs(changes) do out[k] = v end
  return out
end

describe("machines are as the reference:", function()
  it("flat ones, all options, 60,000 updates", function() runAll(1, 60000, machines.usual, 0) end)

  it("small and crowded ones, where every fade is interrupted, 20,000 updates", function()
    runAll(100001, 20000, with({ states = 3, transitions = 12, fade = { .2, 1 }, cuts = .1 }), 0)
  end)

  it("nested ones, 30,000 updates", function()
    runAll(200001, 30000, with({ states = 4, transitions = 8 }), 1)
  end)

  it("machines in machines in machines, 5,000 updates", function()
    runAll(250001, 5000, with({ states = 4, transitions = 8 }), 2)
  end)

  it("long steps over chains of cuts, 10,000 updates", function()
    runAll(300001, 10000, with({ cuts = .9, states = 4 }), 0, 4)
  end)
end)

-- How far the joint is turned, as an angle about its one axis.
local function angleOf(graph)
  local _, _, _, _, y, _, w = graph:getJoint("joint")
  return 2 * (math.atan2 or math.atan)(y, w)
end

-- All angles lie within 1.4 radians, and clips go through them in half a length of at least 1, at speeds up to 2; a
-- fade moves the output by that times the part of the fade that a step is, 2.2 being the steepest of the curves and of
-- the decay of an offset; what a snapshot or an offset brings with it is what it moved by before.
local spread, steepest, shortest, least = 1.4, 2.2, .3, 1

local function mostTurn(dt) return (spread / (least / 2) * 2 + steepest * spread / shortest * 2) * dt end

local function snaps(seed)
  local r = check.random(seed)
  local clips = machines.clips(r, machines.usual.clipCount, least)
  local description = machines.machine(r, clips, 0, with({ cuts = 0, fade = { shortest, .8 } }))
  for _, t in ipairs(description.transitions) do
    if type(t.curve) == "table" then t.curve = "smooth" end
  end
  local pair, names = twin.new(clips, description), machines.names(description)
  pair.graph:update(0)
  local before = angleOf(pair.graph)
  for i = 1, 200 do
    local dt = r.number(.001, .008)
    for _, call in ipairs(machines.step(r, names)) do
      if call[1] == "set" or call[1] == "fire" then pair:call(call[1], call[2], call[3]) end
      if call[1] == "play" then pair:call("play", call[2], r.number(shortest, .8)) end
    end
    pair.graph:update(dt)
    local now = angleOf(pair.graph)
    local turn = math.abs(now - before)
    turn = math.min(turn, 2 * math.pi - turn)
    local bounded = turn <= mostTurn(dt) + 1e-5
    assert.is_true(bounded, ("seed %d, update %d: a turn of %.4f in %.4f s, at most %.4f is due"):format(seed, i, turn,
      dt, mostTurn(dt)))
    before = now
  end
end

describe("no snap:", function()
  it("a joint never turns further than its sources and the fade make it", function()
    for seed = 1, 200 * full do snaps(seed) end
  end)
end)

describe("a run of a machine", function()
  it("goes on to the bit after a restore in the middle of every kind of fade", function()
    for seed = 1, 100 * full do
      local r = check.random(400000 + seed)
      local clips = machines.clips(r, 6)
      local description = machines.machine(r, clips, 1, machines.usual)
      local graph, names = twin.new(clips, description).graph, machines.names(description)
      local machine = graph:find("machine")
      local function play(steps)
        local hashes = {}
        for i, step in ipairs(steps) do
          for _, call in ipairs(step) do
            if call[1] == "play" then machine:play(call[2], call[3]) end
            if call[1] == "set" or call[1] == "fire" then graph[call[1]](graph, call[2], call[3]) end
          end
          graph:update(step.dt)
          hashes[i] = graph:hash()
        end
        return hashes
      end
      local function steps(n)
        local out = {}
        for i = 1, n do out[i] = machines.step(r, names) end
        return out
      end
      play(steps(30))
      local saved, ahead = graph:save(), steps(40)
      local first = play(ahead)
      assert(graph:restore(saved))
      assert.are.same(first, play(ahead), "seed " .. seed)
    end
  end)

  it("takes 1,000,000 updates with random triggers without growing", function()
    local r = check.random(17)
    local clips = machines.clips(r, 6)
    local graph = twin.new(clips, machines.machine(r, clips, 1, machines.usual)).graph
    local function run(updates)
      for i = 1, updates do
        if i % 7 == 0 then graph:fire("go") end
        if i % 11 == 0 then graph:fire("back") end
        graph:set("n", i % 13 / 13)
        graph:advance(1 / 60)
      end
      collectgarbage()
      collectgarbage()
      return collectgarbage("count")
    end
    local grown = interpreted(function()
      local before = run(1000)
      return run(1000000 * full) - before
    end)
    assert.is_true(grown < 4, ("%.1f KB"):format(grown))
  end)

  it("is the same for a clone and for a graph with 1,000 states", function()
    local states, transitions, count = {}, {}, data.slow and 1000 or 100
    for i = 1, count do
      states["s" .. i] = { "once" }
      transitions[i] = { from = "s" .. i, to = "s" .. (i % count + 1), when = "done", fade = 0 }
    end
    local skeleton = anim.newSkeleton(machines.skeleton)
    local once = anim.newClip({ name = "once", skeleton = skeleton, duration = .125, loop = false, tracks = {} })
    local graph = anim.newGraph(skeleton, { nodes = { m = { type = "machine", initial = "s1", states = states,
      transitions = transitions } }, root = "m" }, { clips = { once = once } })
    local clone = graph:clone()
    for _ = 1, 1.5 * count do
      graph:update(.125)
      clone:update(.125)
    end
    local state = ("s%d"):format(count / 2 + 1)
    assert.are.equal(state, graph:find("m"):getState())
    assert.are.equal(state, clone:find("m"):getState())
  end)

  it("works 64 machines deep", function()
    local skeleton = anim.newSkeleton(machines.skeleton)
    local once = anim.newClip({ name = "once", skeleton = skeleton, duration = .5, loop = false, tracks = {} })
    local node, depth = "once", data.slow and 64 or 16
    for i = 1, depth do
      node = { type = "machine", name = "m" .. i, initial = "a", states = { a = node, b = "once" },
        transitions = { { from = "a", to = "b", when = "done", fade = 0 } } }
    end
    local graph = anim.newGraph(skeleton, { root = node }, { clips = { once = once } })
    graph:update(.25)
    local top = graph:find("m" .. depth)
    assert.are.equal("a", top:getState())
    graph:update(.5)
    assert.are.equal("b", graph:find("m1"):getState())
    for _ = 1, depth do graph:update(.5) end -- each goes to its second state when the one within is done with its own
    assert.are.equal("b", top:getState())
    assert.is_true(top:isDone())
  end)
end)
