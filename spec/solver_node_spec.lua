-- Solvers as nodes of a graph: how they are described, given targets, and what becomes of them when a graph is saved,
-- edited, copied. What they compute is compared with the oracle in the specs of each (twobone_spec, chain_spec, ...).
local anim = require("anim")
local garbage = require("spec.support.garbage")
local limb = require("spec.support.limb")
local raises = require("spec.support.raises")

local function graphOf(root, params) return anim.newGraph(limb.model(), { params = params, root = root }) end

local function near(graph, joint, x, y, z, most)
  local px, py, pz = graph:getPosition(joint)
  local gap = limb.distance(px, py, pz, x, y, z)
  assert.is_true(gap <= (most or 1e-5), ("%s is at %g %g %g, expected %g %g %g"):format(joint, px, py, pz, x, y, z))
end

describe("a solver node", function()
  it("reaches a target that is described, and leaves the rest alone", function()
    local graph = graphOf(limb.leg({ target = { .3, .4, .5 } }))
    graph:update(.1)
    near(graph, "foot.L", .3, .4, .5)
    near(graph, "foot.R", -.2, 0, 0)
    assert.is_true(graph:getRoot():getResidual() < 1e-5)
  end)

  it("does nothing without a target", function()
    local graph, plain = graphOf(limb.leg()), graphOf("bent")
    graph:update(.1)
    plain:update(.1)
    assert.are.same({ plain:getMatrix("foot.L") }, { graph:getMatrix("foot.L") })
  end)

  it("follows parameters in weight and target", function()
    local graph = graphOf(limb.leg({ target = { "x", .4, "z" }, weight = "w" }), { x = .1, z = .2, w = 1 })
    graph:update(.1)
    near(graph, "foot.L", .1, .4, .2)
    graph:set("x", -.3)
    graph:update(.1)
    near(graph, "foot.L", -.3, .4, .2)
    graph:set("w", 0)
    graph:update(.1)
    local plain = graphOf("bent")
    plain:update(.1)
    assert.are.same({ plain:getMatrix("foot.L") }, { graph:getMatrix("foot.L") })
    assert.are.equal("this weight follows parameter 'w'", raises.message(function() graph:getRoot():setWeight(.5) end))
  end)

  it("takes targets between advance and evaluate", function()
    local graph = graphOf(limb.leg())
    local leg = graph:getRoot()
    graph:advance(.1)
    leg:setTarget(.2, .5, .4)
    graph:evaluate()
    near(graph, "foot.L", .2, .5, .4)
    leg:setTarget(.1, .6, .4)
    graph:evaluate()
    near(graph, "foot.L", .1, .6, .4)
  end)

  it("takes joints of its own character as the pose comes in", function()
    local graph = graphOf(limb.leg({ input = "stand", target = "foot.R" }))
    graph:update(.1)
    near(graph, "foot.L", -.2, 0, 0, 5e-2) -- straight: a little out of reach
    graph:getRoot():setTarget(graph, "toe.R")
    graph:update(.1)
    near(graph, "foot.L", -.2, 0, .2, 6e-2)
  end)

  it("takes joints of another graph, whose pose is made first", function()
    local horse = graphOf("sway")
    local rider = graphOf(limb.leg({ input = "stand" }))
    local leg = rider:getRoot()
    horse:setTransform(0, -1.2, .5)
    leg:setTarget(horse, "hips")
    for i = 1, 10 do
      horse:advance(.05)
      rider:update(.05)
      local x, y, z = horse:getPosition("hips")
      near(rider, "foot.L", x, y - 1.2, z + .5)
      assert.is_true(i == 1 or x > 0)
    end
    -- Both stand somewhere in the world, turned.
    rider:setTransform(3, 0, 1, 0, math.sin(.5), 0, math.cos(.5))
    horse:setTransform(3, -1.1, 1.4)
    rider:update(.05)
    assert.is_true(leg:getResidual() < 1e-4)
    leg:setTarget(.3, .4, .5) -- no more of it
    horse:setTransform(50, 0, 0)
    rider:update(.05)
    near(rider, "foot.L", .3, .4, .5)
  end)

  it("uses the last pose where two graphs follow each other", function()
    local a, b = graphOf(limb.leg()), graphOf(limb.leg())
    a:getRoot():setTarget(b, "shin.L")
    b:getRoot():setTarget(a, "shin.L")
    for _ = 1, 5 do
      a:update(.1)
      b:update(.1)
    end
    assert.is_true(a:getRoot():getResidual() < 1)
  end)

  it("keeps the other graph alive, and lets it go", function()
    local rider = graphOf(limb.leg())
    local seen = setmetatable({}, { __mode = "k" })
    local function tie()
      local horse = graphOf("sway")
      seen[horse] = true
      rider:getRoot():setTarget(horse, "hips")
    end
    tie()
    collectgarbage()
    collectgarbage()
    assert.is_not_nil(next(seen))
    rider:update(.1)
    rider:getRoot():setTarget(0, 0, 0)
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
    local other = graphOf("sway")
    rider:getRoot():setTarget(other, "hips")
    other:release()
    rider:update(.1) -- what it followed is gone: the last place stays
    rider:update(.1)
  end)

  it("tells what the other graph's script raises", function()
    local horse = anim.newGraph(limb.model(), { root = { type = "script", inputs = { "stand" },
      pose = function() error("no pose today", 0) end } })
    local rider = graphOf(limb.leg())
    rider:getRoot():setTarget(horse, "hips")
    horse:advance(.1)
    assert.are.equal("no pose today", raises.message(function() rider:update(.1) end))
    rider:getRoot():setTarget(.2, .5, .4)
    rider:update(.1)
    near(rider, "foot.L", .2, .5, .4)
  end)

  it("may lose what it follows while that is evaluated", function()
    local rider
    local horse = anim.newGraph(limb.model(), { root = { type = "script", inputs = { "stand" }, pose = function()
      for effector = 1, 3 do rider:getRoot():setTarget(0, 0, 0, effector) end
    end } })
    rider = graphOf({ type = "chain", input = "stand", root = "hips",
      effectors = { { joint = "foot.L" }, { joint = "foot.R" }, { joint = "head" } } })
    for effector = 1, 3 do rider:getRoot():setTarget(horse, "hips", effector) end
    horse:advance(.1)
    rider:update(.1)
    rider:update(.1)
    assert.is_true(rider:getRoot():getResidual() < 3)
  end)

  it("tells what its mask and its weight leave", function()
    local target, mask = { .3, .4, .5 }, anim.newMask(limb.skeleton, { ["thigh.L"] = { .5, only = true } })
    for _, root in ipairs({ limb.leg({ target = target, mask = mask }), { type = "chain", input = "bent",
      root = "thigh.L", joint = "foot.L", target = target, mask = mask } }) do
      local graph = graphOf(root)
      graph:update(.1)
      local x, y, z = graph:getPosition("foot.L")
      local gap = limb.distance(x, y, z, .3, .4, .5)
      assert.is_true(gap > .1 and math.abs(graph:getRoot():getResidual() - gap) < 1e-5)
      graph:getRoot():setWeight(0)
      graph:update(.1)
      assert.are.equal(0, graph:getRoot():getResidual())
    end
  end)

  it("makes no garbage when it follows another joint each frame", function()
    local horse, rider = graphOf("sway"), graphOf(limb.leg())
    local leg = rider:getRoot()
    local bytes, allocations = garbage(function()
      horse:advance(.01)
      leg:setTarget(horse, "hips")
      rider:update(.01)
    end, 1000)
    if os.getenv("ANIM_GC_STRESS") == "1" then return end -- the collector never rests: nothing is counted
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("stands in the world", function()
    local graph = graphOf(limb.leg({ target = { 10, .5, 3 }, space = "world" }))
    graph:setTransform(10, .1, 2.7, 0, math.sqrt(.5), 0, math.sqrt(.5)) -- a quarter turn to the left
    graph:update(.1)
    near(graph, "foot.L", -.3, .4, 0)
    graph:getRoot():setTarget(10.1, .5, 2.9) -- in the node's space
    graph:update(.1)
    near(graph, "foot.L", -.2, .4, .1)
    assert.has_error(function() graph:setTransform(0, 0) end)
    assert.has_error(function() graph:setTransform(0, 0, 0, 0, 0, 0, 0) end)
    assert.has_error(function() graph:setTransform(1e16, 0, 0) end)
  end)

  it("is masked joint by joint", function()
    local half = anim.newMask(limb.skeleton, { ["thigh.L"] = { .5, only = true }, ["shin.L"] = { 0, only = true } })
    local whole, part = graphOf(limb.leg({ target = { .3, .4, .5 } })),
      graphOf(limb.leg({ target = { .3, .4, .5 }, mask = half }))
    local plain = graphOf("bent")
    for _, graph in ipairs({ whole, part, plain }) do graph:update(.1) end
    assert.are.same({ plain:getJoint("shin.L") }, { part:getJoint("shin.L") })
    local expected = plain:getPose()
    expected:blend(whole:getPose(), .5)
    local _, _, _, x, y, z, w = expected:get("thigh.L")
    local _, _, _, px, py, pz, pw = part:getJoint("thigh.L")
    assert.is_true(math.abs(x * px + y * py + z * pz + w * pw) > 1 - 1e-6)
  end)

  it("counts as keyed what it moves, in sparse layers", function()
    local graph = anim.newGraph(limb.model(), { root = { type = "layers", base = "bent",
      { limb.leg({ input = "stand", joint = "foot.R", target = { -.2, .5, .3 } }) } } })
    graph:update(.1)
    near(graph, "foot.R", -.2, .5, .3)
    local plain = graphOf("bent")
    plain:update(.1)
    assert.are.same({ plain:getMatrix("foot.L") }, { graph:getMatrix("foot.L") })
  end)

  it("shares the phase of a synchronised group with its input", function()
    local root = { type = "blend1D", param = "speed", { 0, "sway" },
      { 1, limb.leg({ input = { type = "clip", clip = "sway", name = "inner", speed = 2 } }) } }
    local graph = graphOf(root, { speed = .5 })
    for _ = 1, 7 do
      graph:update(.13)
      assert.are.equal(graph:getRoot():getInput(1):getPhase(), graph:find("inner"):getPhase())
    end
  end)

  it("works in a machine's state that fades into itself: each copy has its own", function()
    local graph = anim.newGraph(limb.model(), { params = { again = "trigger" }, root = { type = "machine",
      initial = "reach", states = { reach = { type = "aim", input = "sway", joint = "head", axis = { 0, 1, 0 },
        target = { 1, 3, 0 }, rate = 1 } }, transitions = { { from = "reach", to = "reach", self = true,
        when = "again", fade = .5 } } } })
    local aimed = function()
      local _, _, _, _, _, z, w = graph:getJoint("head")
      return math.abs(2 * math.atan(z / w))
    end
    for _ = 1, 9 do graph:update(.1) end
    local before = aimed()
    assert.is_true(before > .7)
    graph:fire("again")
    graph:update(.05)
    assert.is_true(aimed() > .8 * before, "the copy that goes keeps its turn") -- a tenth of a fade
    for _ = 1, 3 do graph:update(.1) end
    assert.is_true(aimed() < .9 * before, "the one that comes begins anew")
    for _ = 1, 20 do graph:update(.1) end
    assert.is_true(aimed() > before)
  end)

  it("gives the same pose when it is made twice, and moves on once an advance", function()
    local graph = graphOf({ type = "aim", input = "stand", joint = "head", axis = { 0, 1, 0 }, target = { 5, 3, 0 },
      rate = .5 })
    graph:update(.1)
    local once = { graph:getMatrix("head") }
    for _ = 1, 5 do graph:evaluate() end
    assert.are.same(once, { graph:getMatrix("head") })
    local twin = graph:clone()
    for _ = 1, 10 do
      graph:advance(.05)
      graph:advance(.05)
      graph:evaluate()
    end
    twin:update(.1)
    for _ = 1, 10 do twin:update(.1) end
    local a, b = { graph:getMatrix("head") }, { twin:getMatrix("head") }
    for i = 1, 16 do assert.is_true(math.abs(a[i] - b[i]) < 1e-6) end
  end)

  it("is saved, restored, hashed and reset", function()
    local function build()
      return graphOf({ type = "aim", name = "look", joint = "head", axis = { 0, 1, 0 }, rate = .5,
        input = limb.leg({ name = "leg", input = "sway" }) })
    end
    local graph = build()
    graph:find("leg"):setTarget(.2, .4, .3)
    graph:find("look"):setTarget(4, 3, 1)
    for _ = 1, 7 do graph:update(.1) end
    local saved, hash = graph:save(), graph:hash()
    local expected = {}
    for i = 1, 20 do
      graph:update(.05)
      expected[i] = graph:hash()
    end
    assert.is_true(graph:restore(saved))
    for i = 1, 20 do
      graph:update(.05)
      assert.are.equal(expected[i], graph:hash())
    end
    local other = build()
    assert.is_true(other:restore(saved))
    other:evaluate()
    assert.are.equal(hash, other:hash())
    graph:reset()
    local fresh = build()
    for _ = 1, 3 do
      graph:update(.1)
      fresh:update(.1)
      assert.are.equal(fresh:hash(), graph:hash())
    end
  end)

  it("refuses damaged snapshots", function()
    local graph = graphOf({ type = "aim", joint = "head", axis = { 0, 1, 0 }, rate = .5, target = { 1, 2, 3 },
      input = limb.leg({ input = "sway", target = { .2, .4, .3 } }) })
    for _ = 1, 3 do graph:update(.1) end
    local saved = graph:save()
    local state = 7
    for _ = 1, 2000 do
      state = (state * 1103515245 + 12345) % 2147483648
      local at = 25 + state % (#saved - 24)
      local damaged = saved:sub(1, at - 1) .. string.char(math.floor(state / 4096) % 256) .. saved:sub(at + 1)
      if graph:restore(damaged) then
        graph:update(.1)
        for _, joint in ipairs({ "head", "foot.L" }) do
          for _, x in ipairs({ graph:getMatrix(joint) }) do assert.is_true(x == x and math.abs(x) < math.huge) end
        end
      end
    end
  end)

  it("keeps what it remembers when another part of the graph is edited", function()
    local graph = graphOf({ type = "mixer", inputs = { { type = "aim", input = "stand", joint = "head",
      axis = { 0, 1, 0 }, target = { 5, 3, 0 }, rate = .5 } } })
    local twin = graph:clone()
    for i = 1, 10 do
      if i == 5 then graph:getRoot():addInput("sway", 0) end
      graph:update(.1)
      twin:update(.1)
      assert.are.same({ twin:getMatrix("head") }, { graph:getMatrix("head") })
    end
  end)

  it("gives its description back", function()
    local mask = { spine = .5 }
    local description = { params = { x = .25, w = .5 }, masks = { upper = mask }, nodes = {
      look = { type = "aim", input = "leg", joints = { { "spine", .3 }, "head" }, axis = { 0, 0, 1 }, up = { 0, 1, 0 },
        offset = { 0, .1, 0 }, target = "foot.R", pole = { 0, 5, 0 }, limit = 1.2, rate = 3, weight = "w",
        space = "world", mask = "upper" },
      leg = { type = "twoBone", input = "bent", joint = "foot.L", mid = "shin.L", root = "thigh.L",
        target = { "x", 0, 0 }, pole = "toe.R", soft = .9, stretch = 1.25, rotation = { 0, 0, 0, 1 }, weight = .75 },
      arms = { type = "chain", input = "look", root = "hips", solver = "ccd", iterations = 12, tolerance = .01,
        effectors = { { joint = "foot.L", target = { 0, 0, 0 } }, { joint = "head", weight = .5 } },
        limits = { ["shin.L"] = { axis = { 1, 0, 0 }, min = 0, max = 2 },
          spine = { cone = .5, axis = { 0, 1, 0 }, twist = { -.25, .25 } } },
        weights = { spine = .5 } },
    }, root = "arms" }
    local graph = anim.newGraph(limb.model(), description)
    local described = graph:describe()
    assert.are.same(description, described)
    graph:update(.1)
    local again = anim.newGraph(limb.model(), described)
    again:update(.1)
    assert.are.equal(graph:hash(), again:hash())
    assert.are.same(described, graph:clone():describe())
  end)

  it("can be built with Params as objects", function()
    local graph = anim.newGraph(limb.model())
    local x = graph:param("x", .1)
    local leg = graph:twoBone({ input = "bent", joint = "foot.L", target = { x, .4, .2 },
      weight = graph:param("w", 1) })
    graph:setRoot(leg)
    graph:update(.1)
    near(graph, "foot.L", .1, .4, .2)
    assert.are.same({ "x", .4, .2 }, graph:describe().root.target)
    local other = anim.newGraph(limb.model())
    assert.are.equal("bad argument #1 to 'twoBone' (target[1]: parameter of this graph expected, got one of another)",
      raises.message(function() other:twoBone({ input = "bent", joint = "foot.L", target = { x, 0, 0 } }) end))
  end)

  it("has one input, which can be exchanged", function()
    local graph = graphOf(limb.leg({ target = { .3, .4, .5 } }))
    local leg = graph:getRoot()
    assert.are.equal(1, leg:getInputCount())
    leg:setInput(1, "sway")
    graph:update(.1)
    near(graph, "foot.L", .3, .4, .5)
    assert.are.equal("bad argument #1 to 'addInput' (the inputs of a twoBone node are fixed: it has one)",
      raises.message(leg.addInput, leg, "bent"))
    assert.has_error(function() leg:removeInput(1) end)
  end)

  it("refuses what it can't be", function()
    local function message(root, params)
      return raises.message(anim.newGraph, limb.model(), { params = params, root = root })
    end
    local function expect(text, root)
      assert.are.equal("bad argument #2 to 'newGraph' (" .. text .. ")", message(root))
    end
    expect("root: input (a node) expected", { type = "twoBone", joint = "foot.L" })
    expect("root: joint (a joint) expected", { type = "twoBone", input = "bent" })
    expect("root.joint: no joint 'foot.X'; did you mean 'foot.L'?", limb.leg({ joint = "foot.X" }))
    expect("root.target: point {x, y, z} expected", limb.leg({ target = { 1, 2 } }))
    expect("root.target[2]: finite number or parameter expected, got true", limb.leg({ target = { 1, true, 2 } }))
    expect("root.target: point {x, y, z} or joint expected, got true", limb.leg({ target = true }))
    expect("root.weight: no parameter 'v'", limb.leg({ weight = "v" }))
    expect("root.soft: number from 0 to 1 expected, got 1.5", limb.leg({ soft = 1.5 }))
    expect("root.stretch: number of 1 or more expected, got 0.5", limb.leg({ stretch = .5 }))
    expect("root.rotation: rotation expected, got a quaternion of length zero", limb.leg({ rotation = { 0, 0, 0, 0 } }))
    expect("root: unknown key 'softt'; did you mean 'soft'?", limb.leg({ softt = 1 }))
    expect("root: 'hips', 'shin.R' and 'foot.L' are not above one another in the skeleton",
      limb.leg({ mid = "shin.R", root = "hips" }))
    expect("root.axis: direction expected, got three zeros",
      { type = "aim", input = "bent", joint = "head", axis = { 0, 0, 0 } })
    expect("root.joints: at least one joint expected", { type = "aim", input = "bent", joints = {} })
    expect("root: 'spine' is not below 'head', which stands before it",
      { type = "aim", input = "bent", joints = { "head", "spine" } })
    expect("root.limits.spine: axis (a direction {x, y, z}) expected",
      { type = "chain", input = "bent", joint = "head", root = "hips", limits = { spine = { cone = 1 } } })
    expect("root[1][1]: it works on poses, not on the deltas of an additive layer",
      { type = "layers", base = "bent", { limb.leg({ name = "leg" }), mode = "additive" } })
    expect("root: joint or joints expected, got both",
      { type = "aim", input = "bent", joint = "head", joints = { "head" } })
    expect("root.pole: without up there is nothing to turn toward it",
      { type = "aim", input = "bent", joint = "head", pole = { 0, 1, 0 } })
    expect("root: joint and target, or effectors expected, got both",
      { type = "chain", input = "bent", root = "hips", joint = "head", effectors = { { joint = "head" } } })
    expect("root.limits.spine: a hinge (min and max) or a cone (cone, twist) expected",
      { type = "chain", input = "bent", joint = "head", root = "hips", limits = { spine = { axis = { 0, 1, 0 } } } })
    expect("root.weight: number from 0 to 1 expected, got 2", limb.leg({ weight = 2 }))
    expect("root.iterations: whole number from 1 to 10000 expected",
      { type = "chain", input = "bent", joint = "head", root = "hips", iterations = 0 })
    local axis = {}
    axis[1] = axis
    assert.is_truthy(message({ type = "aim", input = "bent", joint = "head", axis = axis }):find("too deep", 1, true))
    local graph = graphOf("bent")
    assert.are.equal("clip nodes have no such method; it belongs to twoBone, chain, aim and the like",
      raises.message(function() graph:getRoot():setTarget(0, 0, 0) end))
    local leg = graphOf(limb.leg()):getRoot()
    assert.has_error(function() leg:setTarget(0 / 0, 0, 0) end)
    assert.has_error(function() leg:setTarget(1, 2) end)
    assert.has_error(function() leg:setTarget(1, 2, 3, 2) end)
    assert.has_error(function() leg:setWeight(2) end)
    assert.has_error(function() leg:setPole("nothing") end)
  end)

  it("works on a pose without a graph", function()
    local pose = anim.newPose(limb.skeleton)
    local residual = pose:twoBone({ joint = "foot.L", target = { .3, .4, .5 }, pole = { 0, 1, 5 } })
    local x, y, z = pose:getPosition("foot.L")
    assert.is_true(residual < 1e-5 and limb.distance(x, y, z, .3, .4, .5) < 1e-5)
    local _, _, kneeZ = pose:getPosition("shin.L")
    assert.is_true(kneeZ > .1)
    assert.is_true(pose:aim({ joint = "head", axis = { 0, 1, 0 }, target = { 1, 3, 0 } }) < 1e-5)
    assert.is_true(pose:chain({ joint = "foot.R", root = "hips", target = { -.3, .4, .5 } }) < 1e-2)
    assert.are.equal("bad argument #1 to 'twoBone' (target (a point or a joint) expected)",
      raises.message(function() pose:twoBone({ joint = "foot.L" }) end))
    assert.are.equal("bad argument #1 to 'twoBone' (unknown key 'input')",
      raises.message(function() pose:twoBone({ joint = "foot.L", input = "bent" }) end))
    assert.are.equal("bad argument #1 to 'aim' (weight: finite number expected, got string 'w')",
      raises.message(function() pose:aim({ joint = "head", target = { 0, 0, 0 }, weight = "w" }) end))
  end)

  it("survives an allocation that fails, at any place", function()
    local core = require("anim.core")
    for n = 1, 60 do
      core.failAllocation(n)
      local built, result = pcall(graphOf, limb.leg({ target = { 0, 0, 0 } }))
      core.failAllocation(0)
      assert.is_true(built or tostring(result):find("memory") ~= nil, tostring(result))
    end
  end)
end)
