-- oneShot, random and queue: the nodes that play one thing and then another.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local shot = require("spec.support.reference.shot")
local stage = require("spec.support.stage")

local near, updates, turn = stage.near, stage.updates, stage.turn

local clips = {
  base = { length = 1, from = 0 }, hit = { length = 1, loop = false, from = 90 }, loops = { length = .5, from = 90 },
  A = { length = 1, loop = false }, B = { length = .5, loop = false }, C = { length = .25 },
  loud = { length = 1, loop = false, from = 90, events = { { time = .5, name = "e" } } },
}

local function oneShot(changes, dt)
  local description = { type = "oneShot", base = "base", fadeIn = .2, fadeOut = .2 }
  for key, value in pairs(changes or {}) do description[key] = value end
  local graph = stage.graph(clips, description)
  graph:update(dt or 0)
  return graph, graph:find("root")
end

describe("oneShot", function()
  it("has the weight of the reference, however often it is fired and stopped", function()
    for seed = 1, data.slow and 60 or 6 do
      local r = check.random(seed)
      local fadeIn, fadeOut = r.number(.05, .4), r.number(.05, .4)
      local graph, node = oneShot({ fadeIn = fadeIn, fadeOut = fadeOut })
      local expected = shot.new(fadeIn, fadeOut)
      for i = 1, 80 do
        local x = r.unit()
        if x < .06 then
          node:fire("hit")
          expected:fire(1)
        elseif x < .1 then
          local speed = r.number(.6, 1)
          node:fire("hit", { speed = speed })
          expected:fire(1 / speed)
        elseif x < .12 then
          local fade = r.number(.05, .3)
          node:stop(fade)
          expected:stop(fade)
        end
        local dt = r.number(.005, .08)
        graph:update(dt)
        expected:advance(dt)
        near(stage.between(0, 90, expected:weight()), turn(graph), .02, ("seed %d, update %d"):format(seed, i))
      end
    end
  end)

  it("plays what loops once", function()
    local graph, node = oneShot({ fadeIn = 0, fadeOut = 0 })
    node:fire("loops")
    graph:update(.4)
    near(90, turn(graph), .01)
    assert.is_true(node:isActive())
    graph:update(.2)
    near(0, turn(graph), .01)
    assert.is_false(node:isActive())
  end)

  it("plays one pass of a blend of what loops", function()
    local graph, node = oneShot({ fadeIn = 0 })
    local heard = stage.listen(graph, "exit")
    node:fire({ type = "mixer", inputs = { "loops" } })
    for _, w in ipairs({ 1, 1, 1, .5, 0, 0, 0, 0 }) do
      graph:update(.1)
      near(stage.between(0, 90, w), turn(graph), .01)
    end
    assert.is_false(node:isActive())
    assert.are.equal(1, #heard)
    assert.is_truthy(heard[1]:find("done$"))
  end)

  it("goes on until it is stopped where a machine's state loops, or a random node draws again", function()
    for _, what in ipairs({ { type = "machine", initial = "s", states = { s = "loops" } },
      { type = "random", inputs = { "loops" } } }) do
      local graph, node = oneShot({ fadeIn = 0 })
      node:fire(what)
      for _ = 1, 30 do
        graph:update(.1)
        near(90, turn(graph), .01, what.type)
      end
      node:stop()
      for _, w in ipairs({ .5, 0, 0 }) do
        graph:update(.1)
        near(stage.between(0, 90, w), turn(graph), .01, what.type)
      end
      assert.is_false(node:isActive())
    end
  end)

  it("tells events, done, enter and exit", function()
    local graph, node = oneShot()
    local heard = stage.listen(graph, "e", "done", "enter", "exit")
    node:fire("loud")
    updates(graph, 12, .1)
    assert.are.equal(4, #heard)
    assert.is_truthy(heard[1]:find("^enter"))
    assert.are.equal("e loud", heard[2])
    assert.are.equal("done loud", heard[3])
    assert.is_truthy(heard[4]:find("^exit .*done$"))
    node:fire("loud")
    updates(graph, 3, .1)
    node:stop(.1)
    updates(graph, 3, .1)
    assert.are.equal(6, #heard)
    assert.is_truthy(heard[6]:find("^exit .*interrupted$"))
  end)

  it("goes over the base only where its mask lets it", function()
    local graph, node = oneShot({ fadeIn = 0, mask = anim.newMask(stage.skeleton, { "leg" }) })
    node:fire("hit")
    graph:update(.1)
    near(0, turn(graph), .01)
  end)
end)

local function picks(count, changes, names)
  local description = { type = "random", inputs = names or { "C", "C", "C" }, seed = 7 }
  for key, value in pairs(changes or {}) do description[key] = value end
  local graph, out = stage.graph(clips, description), {}
  graph:on("enter", function(_, index) out[#out + 1] = index end)
  while #out < count do graph:update(.25) end
  return out
end

describe("random", function()
  it("draws as often as the weights say", function()
    local counts, n = { 0, 0, 0 }, data.slow and 4000 or 800
    for _, index in ipairs(picks(n, { weights = { 1, 2, 5 } })) do counts[index] = counts[index] + 1 end
    for i, p in ipairs({ 1 / 8, 2 / 8, 5 / 8 }) do
      local sigma = math.sqrt(n * p * (1 - p))
      assert.is_true(math.abs(counts[i] - n * p) < 4.5 * sigma, ("input %d: %d of %d"):format(i, counts[i], n))
    end
  end)

  it("depends on the seed alone", function()
    assert.are.same(picks(50), picks(50))
    assert.are_not.same(picks(50), picks(50, { seed = 8 }))
  end)

  it("takes none twice in a row with avoidRepeat, and none of weight 0", function()
    local before
    for _, index in ipairs(picks(300, { weights = { 1, 5, 1 }, avoidRepeat = true })) do
      assert.are_not.equal(before, index)
      before = index
    end
    for _, index in ipairs(picks(100, { weights = { 1, 0, 1 } })) do assert.are_not.equal(2, index) end
  end)

  it("keeps its draw over loops when it draws on entering", function()
    local graph = stage.graph(clips, { type = "random", inputs = { "C", "C", "C" }, seed = 3, every = "enter" })
    local heard = stage.listen(graph, "enter")
    updates(graph, 20, .25)
    assert.are.equal(1, #heard)
    for _ = 1, 30 do
      graph:find("root"):reset()
      graph:update(.25)
    end
    assert.are.equal(31, #heard)
  end)

  it("fades from one to the other, and takes what it is told", function()
    local graph = stage.graph(clips, { type = "random", inputs = { "base", "hit" }, weights = { 1, 0 }, fade = .2 })
    graph:update(.1)
    near(0, turn(graph), .01)
    graph:find("root"):pick(2)
    graph:update(.1)
    near(stage.between(0, 90, .5), turn(graph), .01)
    graph:update(.1)
    near(90, turn(graph), .01)
  end)

  it("draws the same after a restore", function()
    local graph = stage.graph(clips, { type = "random", inputs = { "C", "C", "C" }, seed = 5 })
    local function run()
      local out = {}
      local subscription = graph:on("enter", function(_, index) out[#out + 1] = index end)
      updates(graph, 40, .25)
      subscription:cancel()
      return out
    end
    run()
    local saved = graph:save()
    local first = run()
    assert(graph:restore(saved))
    assert.are.same(first, run())
  end)
end)

local function queue(inputs, changes)
  local description = { type = "queue", inputs = inputs }
  for key, value in pairs(changes or {}) do description[key] = value end
  local graph = stage.graph(clips, description)
  return graph, graph:find("root")
end

describe("queue", function()
  it("plays one after the other to the instant, at any step", function()
    for _, dt in ipairs({ .01, .1, .3, .7, 1.4 }) do
      local graph, node = queue({ "A", "B", "C" })
      local gone = 0
      while gone + dt < 1.75 do
        graph:update(dt)
        gone = gone + dt
        local index = gone < 1 and 1 or gone < 1.5 and 2 or 3
        if math.min(math.abs(gone - 1), math.abs(gone - 1.5)) > 1e-6 then
          assert.are.equal(index, node:getIndex())
          near(gone - ({ 0, 1, 1.5 })[index], node:getTime(), 1e-6)
        end
      end
      graph:update(1)
      assert.is_true(node:isDone())
    end
  end)

  it("in a state of a machine is done when nothing waits in it, at any step", function()
    for _, dt in ipairs({ .01, .1, .4, 1.2, 1.6, 3 }) do
      local all = { A = { length = 1, loop = false }, B = { length = .5, loop = false }, C = { length = 9 } }
      local graph, node = stage.machine(all, { "q", "C", q = { type = "queue", inputs = { "A", "B" } } },
        { { from = "q", to = "C", when = "done", fade = 0 } })
      local gone = 0
      while gone < 2 do
        graph:update(dt)
        gone = gone + dt
        if math.abs(gone - 1.5) > 1e-6 then assert.are.equal(gone > 1.5 and "C" or "q", node:getState()) end
      end
      near(gone - 1.5, stage.node(graph, "C"):getTime(), 1e-6)
    end
  end)

  it("gives what is left over to what is pushed when it ends", function()
    for _, dt in ipairs({ .03, .3, .7 }) do
      local graph, node = queue({ "A" })
      local left = 9
      graph:on("exit", function()
        if left > 0 then node:push("A") end
        left = left - 1
      end)
      for _ = 1, math.floor(5 / dt) do graph:update(dt) end
      local gone = math.floor(5 / dt) * dt
      near(gone % 1, node:getTime() % 1, 1e-5)
    end
  end)

  it("goes round with loop", function()
    local graph, node = queue({ "A", "B" }, { loop = true })
    graph:update(3.25)
    assert.are.equal(1, node:getIndex())
    near(.25, node:getTime(), 1e-9)
  end)

  it("tells enter and exit of every input", function()
    local graph = queue({ "A", "B" })
    local heard = stage.listen(graph, "enter", "exit")
    updates(graph, 4, .5)
    assert.are.same({ "enter 1", "exit 1 done", "enter 2", "exit 2 done" }, heard)
  end)

  it("takes more while it runs, skips and clears", function()
    local graph, node = queue({ "A" })
    graph:update(.25)
    node:push("B")
    node:push("C")
    node:skip()
    graph:update(.125)
    assert.are.equal(2, node:getIndex())
    near(.125, node:getTime(), 1e-9)
    node:clear()
    updates(graph, 8, .125)
    assert.is_true(node:isDone())
  end)

  it("fades where it is told to, the one that ended holding its last pose; no time is lost", function()
    local graph, node = queue({ "hit", "base" }, { fade = .2 })
    graph:update(1.1)
    assert.are.equal(2, node:getIndex())
    near(.1, node:getTime(), 1e-9)
    near(stage.between(90, 0, .5), turn(graph), .01)
  end)
end)

describe("nodes that play", function()
  it("tell all that came in a long step", function()
    local graph = queue({ "C" }, { loop = true })
    local heard = stage.listen(graph, "enter")
    graph:update(25.1)
    assert.are.equal(101, #heard)
  end)

  it("play all of a queue in a queue, to the instant", function()
    for _, dt in ipairs({ .0625, .3125, 2 }) do
      local graph, node = queue({ { type = "queue", inputs = { "B", "C" } }, "A" })
      for _ = 1, 2 / dt do graph:update(dt) end
      if dt < 2 then
        assert.are.equal(2, node:getIndex())
        near(math.min(math.floor(2 / dt) * dt - .75, 1), node:getTime(), 1e-6)
      end
      graph:update(2)
      assert.is_true(node:isDone())
    end
  end)

  it("keep a shot's second copy over an edit elsewhere", function()
    local graph, node = oneShot()
    node:fire("loud")
    updates(graph, 5, .1)
    node:fire()
    graph:update(.05)
    local before = turn(graph)
    graph:add({ type = "clip", clip = "A" })
    graph:update(0)
    near(before, turn(graph), 1e-6)
  end)

  it("can be restored when a shorter clip was just fired", function()
    local graph, node = oneShot()
    node:fire("hit")
    updates(graph, 9, .1)
    node:fire("loops")
    assert.is_true(graph:restore(graph:save()))
  end)
end)
