-- twoBone, aim and chain against the oracle, on random rigs, through poses and nodes.
local aim = require("spec.support.reference.ik_aim")
local chain = require("spec.support.reference.ik_chain")
local data = require("spec.support.data")
local randomRig = require("spec.support.random_rig")
local reference = require("spec.support.reference")
local twoBone = require("spec.support.reference.ik_two_bone")
local mat, quat, vec = reference.mat, reference.quat, reference.vec

local rounds = data.slow and 2000 or 60

local function place(rig, pose, j) return mat.position(reference.pose.toModel(rig, pose)[j]) end

describe("two bones", function()
  it("are as the oracle has them", function()
    local random, worst = randomRig.new(7), 0
    for round = 1, rounds do
      local rig, _, _, pose = randomRig.chain(random, 3)
      local before = randomRig.read(rig, pose)
      local options = { root = 3, mid = 4, tip = 5, soft = random.unit() < .5 and 1 or random.between(.5, 1),
        stretch = random.unit() < .5 and 1 or random.between(1, 1.5),
        weight = random.unit() < .5 and 1 or random.unit(),
        target = vec.add(place(rig, before, 3), random.vector(2)),
        pole = random.unit() < .5 and random.vector(3) or nil,
        rotation = ({ "local", "model", random.rotation() })[math.floor(random.unit() * 3) + 1] }
      local expected, residual = twoBone.solve(rig, before, options)
      local got = pose:twoBone({ joint = "j5", mid = "j4", root = "j3", target = options.target, pole = options.pole,
        soft = options.soft, stretch = options.stretch, weight = options.weight, rotation = options.rotation })
      local gap = randomRig.gap(expected, randomRig.read(rig, pose))
      assert.is_true(gap < 2e-3, ("round %d: %g"):format(round, gap))
      assert.is_true(math.abs(got - residual) < 1e-4, ("round %d: %g left, expected %g"):format(round, got, residual))
      worst = math.max(worst, gap)
    end
    print(("# two bones: %d poses, largest difference %.2g"):format(rounds, worst))
  end)

  it("of length 1 bend to (.6, .8) at a distance of 1.2", function()
    local rig = { { name = "a", rest = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
      { name = "b", parent = 1, rest = { t = { 1, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
      { name = "c", parent = 2, rest = { t = { 1, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } } }
    local _, pose = randomRig.build(rig, reference.pose.rest(rig))
    pose:twoBone({ joint = "c", target = { 1.2, 0, 0 }, pole = { 0, 5, 0 } })
    local x, y = pose:getPosition("b")
    assert.is_true(math.abs(x - .6) < 1e-6 and math.abs(y - .8) < 1e-6)
  end)

  it("stretch only if asked to, and no further than told (fault 98)", function()
    local function reach(stretch)
      local rig = { { name = "a", rest = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
        { name = "b", parent = 1, rest = { t = { 1, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } },
        { name = "c", parent = 2, rest = { t = { 1, 0, 0 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } } }
      local _, pose = randomRig.build(rig, reference.pose.rest(rig))
      pose:twoBone({ joint = "c", target = { 3, 0, 0 }, stretch = stretch })
      local length = (pose:get("b"))
      local _, _, _, _, _, _, _, scale = pose:get("b")
      assert.are.equal(1, scale)
      return (pose:getPosition("c")), length
    end
    assert.are.equal(2, (reach(nil)))
    local x, length = reach(2)
    assert.is_true(math.abs(x - 3) < 1e-6 and math.abs(length - 1.5) < 1e-6)
    assert.is_true(math.abs((reach(1.2)) - 2.4) < 1e-6)
  end)

  it("reach below a mirrored parent, with the mirror image of what they do without (fault 105)", function()
    local function solve(mirror)
      local q = { 0, 0, math.sin(.2), math.cos(.2) }
      local rig = { { name = "above", rest = { t = { 0, 0, 0 }, q = { 0, 0, 0, 1 }, s = { mirror, 1, 1 } } },
        { name = "a", parent = 1, rest = { t = { .1, 1, 0 }, q = q, s = { 1, 1, 1 } } },
        { name = "b", parent = 2, rest = { t = { 1, 0, 0 }, q = q, s = { 1, 1, 1 } } },
        { name = "c", parent = 3, rest = { t = { 1, 0, 0 }, q = q, s = { 1, 1, 1 } } } }
      local _, pose = randomRig.build(rig, reference.pose.rest(rig))
      local residual = pose:twoBone({ joint = "c", target = { mirror * 1.1, 1.5, .3 }, pole = { mirror * .5, 3, 1 } })
      assert.is_true(residual < 1e-6)
      return { pose:getPosition("b") }
    end
    local plain, mirrored = solve(1), solve(-1)
    assert.is_true(vec.length(vec.sub(plain, { -mirrored[1], mirrored[2], mirrored[3] })) < 1e-6)
  end)
end)

describe("aim", function()
  it("is as the oracle has it", function()
    local random, worst = randomRig.new(11), 0
    for round = 1, rounds do
      local count = 1 + math.floor(random.unit() * 4)
      local rig, _, _, pose = randomRig.chain(random, count, round % 3 > 0)
      local before = randomRig.read(rig, pose)
      local joints, named = {}, {}
      for i = 1, count do
        joints[i] = { 2 + i, random.between(.1, 1) }
        named[i] = { "j" .. 2 + i, joints[i][2] }
      end
      local options = { joints = joints, axis = random.direction(),
        up = random.unit() < .5 and random.direction() or nil,
        offset = random.unit() < .5 and random.vector(.2) or nil, target = random.vector(3),
        weight = random.unit() < .5 and 1 or random.unit(),
        limit = random.unit() < .5 and random.between(.2, 2) or nil }
      if options.up and random.unit() < .5 then options.pole = random.vector(3) end
      local expected, residual = aim.solve(rig, before, options)
      local got = pose:aim({ joints = named, axis = options.axis, up = options.up, offset = options.offset,
        target = options.target, pole = options.pole, weight = options.weight, limit = options.limit })
      local gap = randomRig.gap(expected, randomRig.read(rig, pose))
      assert.is_true(gap < 2e-3, ("round %d: %g"):format(round, gap))
      assert.is_true(math.abs(got - residual) < 1e-3, ("round %d: %g left, expected %g"):format(round, got, residual))
      worst = math.max(worst, gap)
    end
    print(("# aim: %d poses, largest difference %.2g"):format(rounds, worst))
  end)
end)

describe("chain", function()
  local function randomLimit(random)
    if random.unit() < .5 then
      local low = random.between(-2, 0)
      return { axis = random.direction(), min = low, max = low + random.between(.1, 2) }
    end
    local low = random.between(-1, 0)
    return { axis = random.direction(), cone = random.between(.1, 1.5), twist = { low, low + random.between(.1, 2) } }
  end

  for _, solver in ipairs({ "fabrik", "ccd" }) do
    it(("(%s) reaches what is in reach, keeps lengths, moves nothing else"):format(solver), function()
      local random, reached, tried = randomRig.new(13), 0, 0
      for _ = 1, math.ceil(rounds / 4) do
        local count = 3 + math.floor(random.unit() * 14)
        local rig, _, _, pose = randomRig.chain(random, count, true)
        local before = randomRig.read(rig, pose)
        local tip = count + 2
        local points, lengths = chain.along(chain.positions(rig, before), chain.path(rig, 3, tip))
        local near, far = chain.reach(lengths)
        local distance = random.between(near, .95 * far)
        local target = vec.add(points[1], vec.scale(random.direction(), distance))
        local residual = pose:chain({ joint = "j" .. tip, root = "j3", target = target, solver = solver,
          iterations = solver == "ccd" and 300 or 30, tolerance = 1e-3 * far })
        tried, reached = tried + 1, reached + (residual <= 1e-3 * far and 1 or 0)
        local after = randomRig.read(rig, pose)
        assert.is_true(math.abs(residual - vec.length(vec.sub(place(rig, after, tip), target))) < 1e-5 * far)
        for j = 1, #rig do
          assert.is_true(vec.length(vec.sub(before[j].t, after[j].t)) == 0)
          if j < 3 or j >= tip then assert.are.same(before[j].q, after[j].q) end
        end
      end
      print(("# chain, %s: %d of %d targets reached"):format(solver, reached, tried))
      assert.is_true(reached >= (solver == "ccd" and .9 or .995) * tried)
    end)

    it(("(%s) never leaves its limits"):format(solver), function()
      local random = randomRig.new(17)
      for round = 1, math.ceil(rounds / 4) do
        local count = 2 + math.floor(random.unit() * 8)
        local rig, _, _, pose = randomRig.chain(random, count, true)
        local limits, named = {}, {}
        for i = 3, count + 1 do
          if random.unit() < .7 then
            limits[i] = randomLimit(random)
            named["j" .. i] = limits[i]
          end
        end
        pose:chain({ joint = "j" .. count + 2, root = "j3", target = random.vector(2), solver = solver,
          limits = named })
        local after = randomRig.read(rig, pose)
        for j, limit in pairs(limits) do
          local excess = chain.excess(limit, rig[j].rest.q, after[j].q)
          assert.is_true(excess < 1e-4, ("round %d, joint %d: %g beyond"):format(round, j, excess))
        end
      end
    end)
  end

  it("gives the same again, also after a wild target (fault 101)", function()
    local random = randomRig.new(19)
    local rig, _, _, pose = randomRig.chain(random, 6, true)
    local start = randomRig.read(rig, pose)
    local function solve(target)
      local _, fresh = randomRig.build(rig, start)
      fresh:chain({ joint = "j8", root = "j3", target = target })
      return randomRig.read(rig, fresh)
    end
    local once = solve({ .3, .4, .5 })
    solve({ 1e20, -1e20, 1e-20 })
    assert.are.same(once, solve({ .3, .4, .5 }))
  end)

  it("takes two hands to two places from one spine", function()
    local function bone(name, parent, t)
      return { name = name, parent = parent, rest = { t = t, q = quat.identity, s = { 1, 1, 1 } } }
    end
    local rig = { bone("hips", nil, { 0, 1, 0 }), bone("spine", 1, { 0, .2, 0 }), bone("chest", 2, { 0, .2, 0 }),
      bone("arm.L", 3, { .2, .1, 0 }), bone("fore.L", 4, { .3, 0, .02 }), bone("hand.L", 5, { .3, 0, 0 }),
      bone("arm.R", 3, { -.2, .1, 0 }), bone("fore.R", 7, { -.3, 0, .02 }), bone("hand.R", 8, { -.3, 0, 0 }) }
    local _, pose = randomRig.build(rig, reference.pose.rest(rig))
    local residual = pose:chain({ root = "spine", effectors = { { joint = "hand.L", target = { .3, 1.3, .6 } },
      { joint = "hand.R", target = { .1, 1.2, .6 } } } })
    assert.is_true(residual < 1e-3)
    local x, y, z = pose:getPosition("hand.R")
    assert.is_true(vec.length(vec.sub({ x, y, z }, { .1, 1.2, .6 })) < 1e-3)
  end)
end)
