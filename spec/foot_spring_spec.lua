-- foot, spring, stride and orient as nodes: what the graph adds to the solvers, which have C tests of their own
-- (csrc/test/test_ik_*.c). Feet on stairs are measured by bench/feet.lua.
local anim = require("anim")
local garbage = require("spec.support.garbage")
local limb = require("spec.support.limb")
local raises = require("spec.support.raises")
local reference = require("spec.support.reference")
local spring = require("spec.support.reference.ik_spring")
local vec = reference.vec

local function near(graph, joint, x, y, z, most)
  local px, py, pz = graph:getPosition(joint)
  local gap = limb.distance(px, py, pz, x, y, z)
  assert.is_true(gap <= (most or 1e-4), ("%s is at %g %g %g, expected %g %g %g"):format(joint, px, py, pz, x, y, z))
end

local function feet(options)
  local description = { type = "foot", input = "bent", pelvis = "hips",
    legs = { { joint = "foot.L", toe = "toe.L" }, { joint = "foot.R", toe = "toe.R" } } }
  for key, value in pairs(options or {}) do description[key] = value end
  return anim.newGraph(limb.model(), { params = { w = 1 }, root = description })
end

describe("foot", function()
  it("asks for the ground below each foot, in world space", function()
    local asked = {}
    local graph = feet({ input = "stand", ground = function(x, y, z)
      asked[#asked + 1] = { x, y, z }
      return .3
    end })
    graph:setTransform(10, .3, 5)
    graph:update(1 / 60)
    assert.are.equal(2, #asked)
    assert.is_true(math.abs(asked[1][1] - 10.2) < 1e-4 and math.abs(asked[2][1] - 9.8) < 1e-4)
    near(graph, "foot.L", .2, 0, 0)
    graph:evaluate() -- made again: asked again, the same
    assert.are.equal(4, #asked)
    near(graph, "foot.L", .2, 0, 0)
  end)

  it("puts a foot on higher ground and lowers the pelvis to lower ground", function()
    local graph = feet({ input = "bent", smooth = 0, ground = function(x) return x > 0 and .2 or -.1 end })
    for _ = 1, 10 do graph:update(1 / 60) end
    local _, left = graph:getPosition("foot.L")
    local _, right = graph:getPosition("foot.R")
    local _, hips = graph:getPosition("hips")
    local plain = anim.newGraph(limb.model(), { root = "bent" })
    plain:update(0)
    local _, before = plain:getPosition("foot.L")
    assert.is_true(math.abs(left - before - .2) < .05, ("left by %g"):format(left - before))
    assert.is_true(math.abs(right + .1) < 2e-2, ("right at %g"):format(right))
    assert.is_true(hips < 1.95 and hips > 1.85, ("hips at %g"):format(hips))
  end)

  it("lets feet be where there is no ground, and without anybody to ask", function()
    local plain = anim.newGraph(limb.model(), { root = "bent" })
    plain:update(.1)
    for _, graph in ipairs({ feet({ ground = function() return nil end }), feet() }) do
      graph:update(.1)
      local x, y, z = plain:getPosition("foot.L")
      near(graph, "foot.L", x, y, z)
    end
  end)

  it("takes the ground from setGround instead", function()
    local graph = feet({ input = "stand", smooth = 0, ground = function() return 0 end })
    local node = graph:getRoot()
    node:setGround(1, 0, .25, 0)
    for _ = 1, 5 do graph:update(1 / 60) end
    local _, left = graph:getPosition("foot.L")
    assert.is_true(math.abs(left - .25) < 1e-3, left)
    node:setGround(1)
    for _ = 1, 120 do graph:update(1 / 60) end
    near(graph, "foot.L", .2, 0, 0, 2e-3)
    assert.has_error(function() node:setGround(3, 0, 0, 0) end)
    assert.has_error(function() node:setGround(1, 0, 0) end)
    assert.has_error(function() node:setGround(1, 0, 0, 0, 0, 1) end)
  end)

  it("holds a planted foot where it stands in the world, while a curve or a range event says so", function()
    local model = limb.model()
    model.clips.planted = limb.clip("planted", { ["thigh.L"] = limb.about("x", -20), ["shin.L"] = limb.about("x", 30) },
      { duration = 2, curves = { hold = { times = { 0, 1, 1.001, 2 }, values = { 1, 1, 0, 0 } } } })
    model.clips.ranged = limb.clip("ranged", { ["thigh.L"] = limb.about("x", -20), ["shin.L"] = limb.about("x", 30) },
      { duration = 2, events = { { time = 0, name = "hold", duration = 1 } } })
    for _, clip in ipairs({ "planted", "ranged" }) do
      local graph = anim.newGraph(model, { root = { type = "foot", input = clip, lock = "hold", pelvis = "hips",
        ground = function() return 0 end, legs = { { joint = "foot.L", toe = "toe.L" } } } })
      local z, stood, moved = 0, nil, 0
      for update = 1, 110 do
        z = z + .2 / 60
        graph:setTransform(0, 0, z)
        graph:update(1 / 60)
        local _, _, ball = graph:getPosition("toe.L")
        ball = ball + z
        if update == 10 then stood = ball end
        if update > 10 and update < 58 then moved = math.max(moved, math.abs(ball - stood)) end
      end
      assert.is_true(moved < 2e-3, ("%s: slid by %g"):format(clip, moved))
      local _, _, ball = graph:getPosition("toe.L")
      assert.is_true(ball + z - stood > .2, "it is let go")
    end
  end)

  it("tells what `ground` raises, and what it gives that is no ground", function()
    local graph = feet({ ground = function() error("no map here", 0) end })
    assert.are.equal("no map here", raises.message(function() graph:update(.1) end))
    graph = feet({ ground = function() return "high" end })
    assert.is_truthy(raises.message(function() graph:update(.1) end):find("as numbers, or nil; got string", 1, true))
    graph = feet({ ground = function() return 0 / 0 end })
    assert.has_error(function() graph:update(.1) end)
    graph = feet({ ground = function() return 0, math.huge, 0, 0 end })
    assert.has_error(function() graph:update(.1) end)
    local self
    self = feet({ ground = function()
      self:release()
      return 0
    end })
    pcall(self.update, self, .1) -- gone in the middle: nothing breaks
  end)

  it("is the same after a snapshot, and its look at another time asks nobody", function()
    local calls = 0
    local graph = anim.newGraph(limb.model(), { params = { go = false }, root = { type = "machine", initial = "stand",
      states = { stand = { type = "foot", input = "sway", pelvis = "hips", legs = { { joint = "foot.L" } },
        ground = function()
          calls = calls + 1
          return .1
        end }, bent = "bent" },
      transitions = { { from = "stand", to = "bent", when = "go", fade = .5, mode = "inertial" } } } })
    for _ = 1, 20 do graph:update(1 / 30) end
    assert.are.equal(20, calls)
    local saved, expected = graph:save(), {}
    for i = 1, 10 do
      graph:update(1 / 30)
      expected[i] = graph:hash()
    end
    assert.is_true(graph:restore(saved))
    for i = 1, 10 do
      graph:update(1 / 30)
      assert.are.equal(expected[i], graph:hash())
    end
    local before = calls
    graph:set("go", true)
    local _, y = graph:getPosition("foot.L")
    graph:update(1 / 1000)
    local _, after = graph:getPosition("foot.L")
    assert.are.equal(before, calls)
    assert.is_true(math.abs(after - y) < 1e-2, ("the fade begins with a jump of %g"):format(after - y))
  end)

  it("makes no garbage", function()
    local graph = feet({ ground = function(_, _, z) return z * .1, 0, 1, -.1 end })
    local bytes, allocations = garbage(function() graph:update(1 / 60) end, 1000)
    if os.getenv("ANIM_GC_STRESS") == "1" then return end -- the collector never rests: nothing is counted
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("refuses what it can't be", function()
    local function expect(text, options)
      assert.are.equal("bad argument #2 to 'newGraph' (" .. text .. ")", raises.message(feet, options))
    end
    expect("root.legs: 1 to 16 legs expected, got 0", { legs = {} })
    expect("root.legs[1]: joint (a joint) expected", { legs = { {} } })
    expect("root.legs[1]: 'toe.R' is not below 'foot.L'", { legs = { { joint = "foot.L", toe = "toe.R" } } })
    expect("root: leg 1: 'thigh.L' is not below the pelvis 'spine'", { pelvis = "spine" })
    expect("root.ground: function expected, got 3", { ground = 3 })
    expect("root.lock: 2 names expected, one a leg", { lock = { "a" } })
  end)
end)

-- A rope of one bone of .25 m that hangs from the hips.
local function rope(options)
  local skeleton = anim.newSkeleton({ { name = "hand", translation = { 0, 2, 0 } },
    { name = "rope", parent = "hand" }, { name = "end", parent = "rope", translation = { 0, -.25, 0 } } })
  local description = { type = "spring", input = { type = "pose" }, joint = "rope", stiffness = 0, damping = 0,
    drag = 0, gravity = 9.81 }
  for key, value in pairs(options or {}) do description[key] = value end
  return anim.newGraph(skeleton, { params = { wind = 0, w = 1 }, root = description })
end

describe("spring", function()
  it("swings as a pendulum does, at any frame rate", function()
    for _, fps in ipairs({ 30, 60, 144 }) do
      local skeleton = anim.newSkeleton({ { name = "hand" }, { name = "bone", parent = "hand" } })
      local graph = anim.newGraph(skeleton, { root = { type = "spring", input = { type = "pose" }, joint = "bone",
        tip = { 0, -.25, 0 }, stiffness = 0, damping = 0, drag = 0, gravity = { 0, -9.81, 0 } } })
      graph:setTransform(0, 0, 0, 0, 0, math.sin(.15), math.cos(.15)) -- the character lies aside, so does its rope
      graph:update(0)
      local crossings, last, time = {}, nil, 0
      while #crossings < 5 and time < 10 do
        graph:update(1 / fps)
        time = time + 1 / fps
        local _, _, _, _, x, y = graph:getMatrix("bone") -- its +Y
        local angle = math.cos(.3) * x - math.sin(.3) * y -- how far aside in the world
        if last and (last < 0) ~= (angle < 0) then
          crossings[#crossings + 1] = time - 1 / fps * angle / (angle - last)
        end
        last = angle
      end
      local period = (crossings[5] - crossings[1]) / 2
      local expected = spring.pendulumPeriod(.25, 9.81, .3)
      assert.is_true(math.abs(period / expected - 1) < .02, ("%d: %g, expected %g"):format(fps, period, expected))
    end
  end)

  it("follows the wind of a parameter, keeps out of colliders that are added, and goes back when told", function()
    local graph = rope({ wind = { "wind", 0, 0 }, drag = 5, damping = .3 })
    graph:update(0)
    near(graph, "end", 0, 1.75, 0)
    graph:set("wind", 3)
    for _ = 1, 300 do graph:update(1 / 60) end
    local x = graph:getPosition("end")
    assert.is_true(x > .1, x)
    graph:set("wind", 0)
    graph:getRoot():addCollider({ joint = "hand", center = { .1, -.25, 0 }, radius = .15 })
    for _ = 1, 600 do graph:update(1 / 60) end
    local px, py, pz = graph:getPosition("end")
    assert.is_true(limb.distance(px, py, pz, .1, 1.75, 0) > .149)
    assert.are.equal(1, #graph:describe().root.colliders)
    graph:getRoot():teleport()
    graph:update(0)
    near(graph, "end", 0, 1.75, 0, .06)
    assert.are.equal("bad argument #1 to 'addCollider' (radius (a number of 0 or more) expected)",
      raises.message(function() graph:getRoot():addCollider({}) end))
    assert.are.equal("bad argument #1 to 'addCollider' (unknown key 'size')",
      raises.message(function() graph:getRoot():addCollider({ radius = 1, size = 2 }) end))
  end)

  it("goes on where it was when a collider is added", function()
    local a, b = rope(), rope()
    for _, graph in ipairs({ a, b }) do
      graph:update(0)
      graph:setTransform(.2, 0, 0)
    end
    for i = 1, 60 do
      if i == 20 then a:getRoot():addCollider({ center = { 9, 9, 9 }, radius = .1 }) end
      a:update(1 / 60)
      b:update(1 / 60)
      local ax, ay, az = a:getPosition("end")
      local bx, by, bz = b:getPosition("end")
      assert.is_true(limb.distance(ax, ay, az, bx, by, bz) < 1e-6)
    end
  end)

  it("is forgotten at weight 0", function()
    local graph = rope({ weight = "w" })
    graph:update(0)
    graph:setTransform(.5, 0, 0)
    for _ = 1, 10 do graph:update(1 / 60) end
    assert.is_true(math.abs((graph:getPosition("end"))) > .01)
    graph:set("w", 0)
    graph:update(1 / 60)
    near(graph, "end", 0, 1.75, 0, 0)
    graph:set("w", 1)
    graph:update(1 / 60)
    near(graph, "end", 0, 1.75, 0, 2e-3)
  end)
end)

describe("stride and orient", function()
  local function walker(root) return anim.newGraph(limb.model(), { params = { f = 1, a = 0 }, root = root }) end

  it("lengthen the step along the way", function()
    local model = limb.model()
    model.clips.step = limb.clip("step", { ["thigh.L"] = limb.about("x", -25), ["thigh.R"] = limb.about("x", 25),
      ["shin.L"] = limb.about("x", 10), ["shin.R"] = limb.about("x", 10) })
    local graph = anim.newGraph(model, { params = { f = 1 }, root = { type = "stride", input = "step", pelvis = "hips",
      factor = "f", legs = { { joint = "foot.L" }, { joint = "foot.R" } } } })
    graph:update(0)
    local _, _, left = graph:getPosition("foot.L")
    local _, _, right = graph:getPosition("foot.R")
    local hash = graph:hash()
    graph:evaluate()
    assert.are.equal(hash, graph:hash())
    graph:set("f", 1.2)
    graph:update(0)
    local _, _, longLeft = graph:getPosition("foot.L")
    local _, _, longRight = graph:getPosition("foot.R")
    assert.is_true(math.abs((longLeft - longRight) / (left - right) - 1.2) < .01)
    graph:set("f", .5)
    graph:update(0)
    local _, _, shortLeft = graph:getPosition("foot.L")
    assert.is_true(math.abs(shortLeft / left - .5) < .01)
  end)

  it("turn the hips and not the head", function()
    local graph = walker({ type = "orient", input = "bent", pelvis = "hips", spine = { { "spine", 1 } }, angle = "a" })
    graph:update(0)
    local head = { graph:getMatrix("head") }
    local x, y, z = graph:getPosition("foot.R")
    graph:set("a", .6)
    graph:update(0)
    local turned = { graph:getMatrix("head") }
    for i = 1, 12 do assert.is_true(math.abs(head[i] - turned[i]) < 1e-5) end
    local expected = reference.quat.rotate(reference.quat.fromAxisAngle({ 0, 1, 0 }, .6), { x, y, z })
    near(graph, "foot.R", expected[1], expected[2], expected[3])
    assert.is_true(vec.length(expected) > 0)
  end)
end)
