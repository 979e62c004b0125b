-- Nothing is allocated in the frame loop: neither on the Lua heap nor by the core.
local anim = require("anim")
local cost = require("spec.support.garbage")
local tiny = require("spec.support.tiny")

local long = ("a string that no Lua keeps among its short ones; "):rep(3)

local function newModel()
  return tiny.model({
    tiny.clip("idle", { events = tiny.events({ { .2, "breath", data = long }, { .4, "blink", duration = .3 } }) }),
    tiny.clip("walk", { to = 1, events = tiny.events({ { 0, "step", data = "left" }, { .5, "step", data = { 1 } },
      { .25, "sound", data = long }, { .75, "number", data = 1.5 } }),
      curves = { c = { times = { 0 }, values = { 1 } } },
      properties = { mouth = { times = { 0, .5 }, values = { "open", "shut" } } } }),
    tiny.clip("run", { duration = .6, to = 2 }),
    tiny.clip("lean", { to = .2 }),
  })
end

local function newGraph()
  local graph = anim.newGraph(newModel(), {
    params = { speed = { 0, smooth = .2 }, aiming = false, lean = 0 },
    nodes = { move = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.5, "walk" }, { 4, "run" } },
      script = { type = "script", inputs = { "move" }, update = function(node, dt) node:setWeight(1, 1 + dt) end,
        pose = function(_, pose) pose:set("root", 0, 0, 1, 0, 0, 0, 1, 1, 1, 1) end } },
    root = { type = "layers", base = "script", { "lean", mode = "additive", weight = "lean" } },
  })
  return graph
end

describe("garbage", function()
  if os.getenv("ANIM_GC_STRESS") == "1" then
    pending("is not counted while the collector never rests")
    return
  end
  it("there is none in 10,000 updates with parameters, events, matrices, curves", function()
    local graph = newGraph()
    local speed, heard, node = graph:param("speed"), 0, graph:find("move")
    local pose = anim.newPose(tiny.skeleton)
    graph:on("step", function(_, data) heard = heard + (data and 1 or 0) end)
    graph:on("*", function(_, _, _, _, _, weight) heard = heard + weight end)
    node:on("loop", function(_, pass) heard = heard + pass end)
    local function step(i)
      graph:set("speed", i % 400 / 100)
      graph:set("lean", i % 10 / 10)
      speed:set(i % 400 / 100)
      graph:set("aiming", i % 2 == 0)
      graph:update(1 / 60)
      local m = graph:getMatrix("tip")
      local px = graph:getPosition(2)
      local tx = graph:getJoint("tip")
      graph:getPose(pose)
      graph:getRootMotion()
      graph:getCurve("c")
      graph:getProperty("mouth")
      graph:isDuring("blink")
      graph:get("speed")
      speed:getTarget()
      node:getPhase()
      node:getInput(2):getWeight()
      return m, px, tx
    end
    local bytes, allocations = cost(step, 10000)
    assert.is_true(heard > 1000)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("none in iteration of events and of what is heard", function()
    local graph, count = newGraph(), 0
    graph:set("speed", 1.5)
    local function step()
      graph:advance(1 / 60)
      for name, data in graph:events() do count = count + #name + (data and 1 or 0) end
      for _, time in graph:active() do count = count + time end
      graph:evaluate()
    end
    local bytes, allocations = cost(step, 3000)
    assert.is_true(count > 100)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("none in palettes", function()
    local gltf = [[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},{"name":"tip",
      "translation":[0,1,0]}],"skins":[{"joints":[0,1]}]}]]
    local model = assert(anim.decode(gltf, "model.gltf"))
    local graph = anim.newGraph(model.skeleton)
    local buffer = anim.newBuffer(256)
    local function step()
      graph:update(1 / 60)
      graph:getPalette(model.skins[1])
      graph:getPalette(model.skins[1], "3x4")
      graph:writePalette(model.skins[1], buffer, 64)
    end
    local bytes, allocations = cost(step, 1000)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("none in playing what plays", function()
    local graph = anim.newGraph(newModel())
    local bytes, allocations = cost(function()
      graph:play("walk", .3)
      graph:play("walk")
      graph:update(1 / 60)
    end, 1000)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("none in poses that are set every frame", function()
    local graph, pose = anim.newGraph(tiny.skeleton), anim.newPose(tiny.skeleton)
    local node = graph:pose(pose)
    graph:setRoot(node)
    local bytes, allocations = cost(function(i)
      pose:set("tip", i, 0, 0, 0, 0, 0, 1, 1, 1, 1)
      node:setPose(pose)
      graph:update(.01)
      assert(graph:getPosition("tip") == i)
    end, 1000)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)
end)
