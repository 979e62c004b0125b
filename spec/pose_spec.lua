-- Poses: local transforms, override and additive layers, masks, model space (semantics 4), against the oracle and by
-- hand.
local anim = require("anim")
local check = require("spec.support.check")
local reference = require("spec.support.reference")
local mat, quat, vec = reference.mat, reference.quat, reference.vec
local oracle = reference.pose
local unpack = table.unpack or unpack

local X, Y, Z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }

local function turn(axis, degrees) return quat.fromAxisAngle(axis, math.rad(degrees)) end

local arm = anim.newSkeleton({
  { name = "hips", translation = { 0, 1, 0 } },
  { name = "spine", parent = "hips", translation = { 0, .3, 0 } },
  { name = "arm.L", parent = "spine", translation = { .3, 0, 0 } },
  { name = "hand.L", parent = "arm.L", translation = { .3, 0, 0 } },
  { name = "finger.L", parent = "hand.L", translation = { .1, 0, 0 } },
  { name = "leg.L", parent = "hips", translation = { .1, -.5, 0 } },
})

-- A random rig with two random poses, in the oracle's form and as poses.
local function randomCase(seed)
  local r = check.random(seed)
  local skeleton = anim.newSkeleton(check.randomSkeleton(r, r.integer(1, 30)))
  local case = { r = r, skeleton = skeleton, rig = check.rig(skeleton) }
  case.a, case.b = check.randomPose(r, case.rig), check.randomPose(r, case.rig)
  function case.pose(joints) return check.write(anim.newPose(skeleton), joints) end
  function case.read(pose) return check.read(pose, #case.rig) end
  return case
end

-- A random description for newMask, and the mask.
local function randomMask(case)
  local description = {}
  for _, joint in ipairs(case.rig) do
    if case.r.unit() < .3 then
      local value = case.r.pick({ 0, .25, .5, 1 })
      description[joint.name] = case.r.unit() < .3 and { value, only = true } or value
    end
  end
  return anim.newMask(case.skeleton, description), oracle.mask(case.rig, description)
end

local function bent(degrees, negative)
  local pose = anim.newPose(arm)
  for j = 1, #arm do
    local q = turn(Y, degrees)
    if negative then q = quat.scale(q, -1) end
    local tx, ty, tz = pose:get(j)
    pose:set(j, tx, ty, tz, q[1], q[2], q[3], q[4], 1, 1, 1)
  end
  return pose
end

local function rotationOf(pose, joint)
  local _, _, _, x, y, z, w = pose:get(joint)
  return { x, y, z, w }
end

describe("a pose", function()
  it("is at rest when new, and again after toRest", function()
    local case = randomCase(1)
    local pose = anim.newPose(case.skeleton)
    check.samePose(oracle.rest(case.rig), case.read(pose), 0)
    check.write(pose, case.a):toRest()
    check.identical(case.read(anim.newPose(case.skeleton)), case.read(pose))
  end)

  it("gives back what was set, by index and by name", function()
    local case = randomCase(2)
    local pose = case.pose(case.a)
    check.samePose(case.a, case.read(pose), 1e-6)
    for j, joint in ipairs(case.rig) do
      check.near({ pose:get(j) }, { pose:get(joint.name) }, 0)
    end
    pose:set("j1", 1, 2, 3, 0, 0, 0, 1, 4, 5, 6)
    check.near({ 1, 2, 3, 0, 0, 0, 1, 4, 5, 6 }, { pose:get("j1") }, 0)
  end)

  it("normalises rotations that are set; a zero one is an error", function()
    local pose = anim.newPose(arm)
    pose:set(1, 0, 0, 0, 0, 3, 0, 4, 1, 1, 1)
    check.near({ 0, .6, 0, .8 }, rotationOf(pose, 1), 1e-6)
    assert.has_error(function() pose:set(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1) end)
    check.near({ 0, .6, 0, .8 }, rotationOf(pose, 1), 1e-6)
  end)

  it("has finite matrices, however large its scales", function()
    local two = anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a" } })
    local pose = anim.newPose(two)
    for j = 1, 2 do pose:set(j, 1e30, 0, 0, 0, 0, 0, 1, 1e30, -1e30, 1e30) end
    for _, x in ipairs({ pose:getMatrix("b") }) do assert.is_true(math.abs(x) <= 1.1e18) end
  end)

  it("never lets in NaN or an infinity, and stays as it was", function()
    local case = randomCase(3)
    local pose = case.pose(case.a)
    local before = case.read(pose)
    for at = 1, 10 do
      for _, bad in ipairs({ 0 / 0, 1 / 0, -1 / 0 }) do
        local numbers = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
        numbers[at] = bad
        assert.has_error(function() pose:set(1, unpack(numbers)) end)
      end
    end
    for at = 1, 16 do
      local m = { unpack(mat.identity) }
      m[at] = 0 / 0
      assert.has_error(function() pose:setMatrix(1, unpack(m)) end)
    end
    assert.has_error(function() pose:blend(pose, 0 / 0) end)
    assert.has_error(function() pose:add(pose, 1 / 0) end)
    check.identical(before, case.read(pose))
  end)

  it("refuses joints that are not there", function()
    local pose = anim.newPose(arm)
    for _, joint in ipairs({ 0, -1, 7, 1.5, 1e10, "arm", 0 / 0 }) do
      assert.has_error(function() pose:get(joint) end)
      assert.has_error(function() pose:getMatrix(joint) end)
      assert.has_error(function() pose:getPosition(joint) end)
      assert.has_error(function() pose:set(joint, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1) end)
    end
    assert.has_error(function() pose:get(nil) end)
    assert.has_error(function() pose:get() end)
  end)

  it("copies every bit of another", function()
    local case = randomCase(4)
    local pose = case.pose(case.a)
    pose:copy(case.pose(case.b))
    check.identical(case.read(case.pose(case.b)), case.read(pose))
    pose:copy(pose)
    check.identical(case.read(case.pose(case.b)), case.read(pose))
  end)

  it("takes no pose of another skeleton", function()
    local pose, other = anim.newPose(arm), anim.newPose(anim.newSkeleton({ { name = "x" } }))
    assert.has_error(function() pose:copy(other) end)
    assert.has_error(function() pose:blend(other, .5) end)
    assert.has_error(function() pose:blend(anim.newPose(arm), .5, anim.newMask(other:getSkeleton(), { "x" })) end)
  end)
end)

describe("model space", function()
  for seed = 1, 20 do
    it("parent * local down the hierarchy, seed " .. seed, function()
      local case = randomCase(seed)
      local pose, model = case.pose(case.a), oracle.toModel(case.rig, case.a)
      local tolerance = 1e-5 * check.extent(model)
      for j = 1, #case.rig do
        check.near(model[j], { pose:getMatrix(j) }, tolerance, "joint " .. j)
        check.near(mat.position(model[j]), { pose:getPosition(j) }, tolerance, "joint " .. j)
      end
    end)
  end

  it("setMatrix places a joint and leaves all other locals as they are", function()
    for seed = 1, 20 do
      local case = randomCase(seed)
      local uniform = oracle.map(#case.rig, function(j) return oracle.joint(case.a[j].t, case.a[j].q, { 1, 1, 1 }) end)
      local pose = case.pose(uniform)
      local j = case.r.integer(1, #case.rig)
      local target = mat.compose(case.r.vector(2), case.r.rotation(3), { 2, .5, 1 })
      local before = case.read(pose)
      pose:setMatrix(j, unpack(target))
      check.near(target, { pose:getMatrix(j) }, 2e-5, "seed " .. seed)
      local after = case.read(pose)
      before[j], after[j] = nil, nil
      for i, joint in pairs(before) do check.identical({ joint }, { after[i] }, "joint " .. i) end
    end
  end)

  it("setMatrix under a parent of scale 0 is an error or leaves finite numbers", function()
    local pose = anim.newPose(arm)
    pose:set("hips", 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    pcall(pose.setMatrix, pose, "spine", unpack(mat.compose({ 1, 2, 3 }, turn(X, 20), { 1, 1, 1 })))
    for _, x in ipairs({ pose:get("spine") }) do assert.is_true(x - x == 0) end
  end)

  it("fault 102: a joint's scale acts along its own axes", function()
    local pose = anim.newPose(anim.newSkeleton({ { name = "joint", rotation = turn(Z, 90), scale = { 1, 2, 1 } } }))
    check.near({ -2, 0, 0 }, mat.point({ pose:getMatrix(1) }, { 0, 1, 0 }), 1e-6)
  end)

  it("fault 103: scale 1, 0, 1: the third pose is the first, bit for bit", function()
    local clip = anim.newClip({ name = "blink", skeleton = arm, tracks = { ["arm.L"] = {
      scale = { times = { 0, 1, 2 }, values = { 1, 1, 1, 0, 0, 0, 1, 1, 1 } },
      rotation = { times = { 0 }, values = turn(Y, 30) } } } })
    local pose, below = anim.newPose(arm), anim.newPose(arm)
    local function sampleAndBlend(time)
      clip:sample(time, pose)
      below:blend(pose, 1)
      return check.read(below, #arm), { pose:getMatrix("finger.L") }
    end
    local first, firstMatrix = sampleAndBlend(0)
    local _, flat = sampleAndBlend(1)
    for _, x in ipairs(flat) do assert.is_true(x - x == 0) end
    local last, lastMatrix = sampleAndBlend(2)
    check.identical(first, last)
    check.near(firstMatrix, lastMatrix, 0)
  end)

  it("negative scale stays as it is", function()
    local pose = anim.newPose(arm)
    pose:set("arm.L", 0, 0, 0, 0, 0, 0, 1, -1, 1, 1)
    local x = pose:getPosition("hand.L")
    check.near({ -.3 }, { x }, 1e-6)
  end)
end)

describe("palette", function()
  -- Three joints in a row, one metre each, a plain node between the first two; the skin lists them tip, root, mid.
  local function rowFile()
    local numbers = {}
    for _, height in ipairs({ 3, 0, 2 }) do
      for i, x in ipairs(mat.identity) do numbers[#numbers + 1] = i == 14 and -height or x end
    end
    return ([[{"asset":{"version":"2.0"},"nodes":[{"name":"tip","translation":[0,1,0]},{"name":"root","children":[3]},
      {"name":"mid","translation":[0,1,0],"children":[0]},{"name":"plain","translation":[0,1,0],"children":[2]}],
      "buffers":[%s],"bufferViews":[{"buffer":0,"byteLength":192}],"accessors":[{"bufferView":0,"componentType":5126,
      "count":3,"type":"MAT4"}],"skins":[{"joints":[0,1,2],"inverseBindMatrices":0}]}]]):format(check.buffer(numbers))
  end

  it("fault 119: joints in any order, a plain node between: identities at rest", function()
    local model = assert(anim.decode(rowFile(), "row.gltf"))
    local palette = check.floats(anim.newPose(model.skeleton):getPaletteString(model.skins[1], "4x4"))
    for i = 0, 2 do
      check.near(mat.identity, { unpack(palette, 16 * i + 1, 16 * i + 16) }, 1e-5, "joint " .. i + 1)
    end
  end)

  it("against the oracle, in both layouts", function()
    local model = assert(anim.decode(rowFile(), "row.gltf"))
    local rig, skin, r = check.rig(model.skeleton), model.skins[1], check.random(119)
    local joints, inverse = {}, {}
    for i = 1, #skin do joints[i], inverse[i] = skin:getJoint(i), { skin:getInverseBind(i) } end
    for _ = 1, 10 do
      local local_ = check.randomPose(r, rig)
      local pose = check.write(anim.newPose(model.skeleton), local_)
      local expected = oracle.palette(oracle.toModel(rig, local_), joints, inverse)
      local wide, rows = check.floats(pose:getPaletteString(skin, "4x4")), check.floats(pose:getPaletteString(skin))
      for i, m in ipairs(expected) do
        check.near(m, { unpack(wide, 16 * i - 15, 16 * i) }, 1e-4)
        check.near({ m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14], m[3], m[7], m[11], m[15] },
          { unpack(rows, 12 * i - 11, 12 * i) }, 1e-4)
      end
    end
  end)
end)

describe("override layers", function()
  for seed = 1, 20 do
    it("against the oracle, seed " .. seed, function()
      local case = randomCase(seed)
      local mask, weights = randomMask(case)
      for _, w in ipairs({ 0, .1, .5, .9, 1, case.r.unit() }) do
        local pose = case.pose(case.a)
        pose:blend(case.pose(case.b), w)
        check.samePose(oracle.blend(case.a, case.b, w), case.read(pose), 1e-5, "weight " .. w)
        pose = case.pose(case.a)
        pose:blend(case.pose(case.b), w, mask)
        check.samePose(oracle.blend(case.a, case.b, w, weights), case.read(pose), 1e-5, "masked, weight " .. w)
      end
    end)
  end

  it("weight 0 leaves every bit, whatever the layer and the mask", function()
    local case = randomCase(5)
    local pose = case.pose(case.a)
    local before = case.read(pose)
    pose:blend(case.pose(case.b), 0)
    pose:blend(case.pose(case.b), 1, anim.newMask(case.skeleton, {}))
    check.identical(before, case.read(pose))
  end)

  it("with itself changes nothing but rounding", function()
    local case = randomCase(6)
    local pose = case.pose(case.a)
    pose:blend(pose, .3)
    check.samePose(case.a, case.read(pose), 1e-6)
  end)

  it("weights are 0 to 1: outside they are an error or clamped", function()
    local case = randomCase(7)
    local pose = case.pose(case.a)
    if pcall(pose.blend, pose, case.pose(case.b), 1.5) then check.samePose(case.b, case.read(pose), 1e-5) end
    pose = case.pose(case.a)
    if pcall(pose.blend, pose, case.pose(case.b), -1) then check.samePose(case.a, case.read(pose), 1e-6) end
  end)

  it("fault 50: a masked arm: 1 gives 90 degrees, .5 gives 45, 0 none; legs keep every bit", function()
    local mask = anim.newMask(arm, { "arm.L" })
    for _, negative in ipairs({ false, true }) do
      for _, case in ipairs({ { 1, 90 }, { .5, 45 }, { 0, 0 } }) do
        local pose = anim.newPose(arm)
        local leg = { pose:get("leg.L") }
        pose:blend(bent(90, negative), case[1], mask)
        check.sameRotation(turn(Y, case[2]), rotationOf(pose, "arm.L"), 1e-6, "weight " .. case[1])
        check.near(leg, { pose:get("leg.L") }, 0)
      end
    end
  end)
end)

describe("masks", function()
  -- What a mask holds shows in the blend of two translations 0 and 1.
  local function weightsOf(skeleton, mask)
    local pose, layer, weights = anim.newPose(skeleton), anim.newPose(skeleton), {}
    for j = 1, #skeleton do
      pose:set(j, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
      layer:set(j, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    end
    pose:blend(layer, 1, mask)
    for j = 1, #skeleton do weights[j] = (pose:get(j)) end
    return weights
  end

  it("a list: these joints and all below them", function()
    check.near({ 0, 1, 1, 1, 1, 0 }, weightsOf(arm, anim.newMask(arm, { "spine" })), 0)
    check.near({ 0, 0, 0, 1, 1, 1 }, weightsOf(arm, anim.newMask(arm, { "hand.L", "leg.L" })), 0)
    check.near({ 1, 1, 1, 1, 1, 1 }, weightsOf(arm, anim.newMask(arm, { "hips" })), 0)
    check.near({ 0, 0, 0, 0, 0, 0 }, weightsOf(arm, anim.newMask(arm, {})), 0)
  end)

  it("weights: nearer the leaf wins; `only` stays with its joint", function()
    local mask = anim.newMask(arm, { spine = 1, ["arm.L"] = .5, ["hand.L"] = { 0, only = true } })
    check.near({ 0, 1, .5, 0, .5, 0 }, weightsOf(arm, mask), 0)
  end)

  it("random rigs against the oracle", function()
    for seed = 1, 30 do
      local case = randomCase(seed)
      local mask, weights = randomMask(case)
      check.near(weights, weightsOf(case.skeleton, mask), 1e-7, "seed " .. seed)
    end
  end)

  it("mistakes are errors", function()
    for _, bad in ipairs({ { "nobody" }, { nobody = 1 }, { spine = "x" }, { spine = 0 / 0 }, { spine = {} }, { 99 },
      { spine = { 1, onyl = true } }, { true } }) do
      assert.has_error(function() anim.newMask(arm, bad) end)
    end
    assert.has_error(function() anim.newMask(arm) end)
    assert.has_error(function() anim.newMask(nil, {}) end)
  end)
end)

describe("additive layers", function()
  -- A clip without motion in the oracle's pose, and as a delta against the pose `against`.
  local function deltaPose(case, joints, against)
    local tracks = {}
    for j, joint in ipairs(joints) do
      tracks[case.rig[j].name] = { translation = { times = { 0 }, values = joint.t },
        rotation = { times = { 0 }, values = joint.q }, scale = { times = { 0 }, values = joint.s } }
    end
    local clip = anim.newClip({ name = "still", skeleton = case.skeleton, tracks = tracks })
    local pose = anim.newPose(case.skeleton)
    clip:toAdditive(against):sample(0, pose)
    return pose
  end

  for seed = 1, 20 do
    it("against the oracle, seed " .. seed, function()
      local case = randomCase(seed)
      local reference_ = check.randomPose(case.r, case.rig)
      local delta = oracle.delta(case.b, reference_)
      local sampled = deltaPose(case, case.b, case.pose(reference_))
      check.samePose(delta, case.read(sampled), 1e-5, "delta")
      local mask, weights = randomMask(case)
      for _, w in ipairs({ 0, .25, .5, 1, 1.25, 2, 2.75, 4 }) do
        local pose = case.pose(case.a)
        pose:add(sampled, w)
        check.samePose(oracle.add(case.a, delta, w), case.read(pose), 2e-5, "weight " .. w)
        pose = case.pose(case.a)
        pose:add(sampled, w, mask)
        check.samePose(oracle.add(case.a, delta, w, weights), case.read(pose), 2e-5, "masked, weight " .. w)
      end
    end)
  end

  it("base = reference and weight 1 gives the clip back", function()
    local case = randomCase(8)
    local pose = case.pose(case.a)
    pose:add(deltaPose(case, case.b, case.pose(case.a)), 1)
    check.samePose(case.b, case.read(pose), 1e-5)
  end)

  it("weight 0 leaves every bit", function()
    local case = randomCase(9)
    local pose = case.pose(case.a)
    local before = case.read(pose)
    local delta = deltaPose(case, case.b, case.pose(case.a))
    pose:add(delta, 0)
    pose:add(delta, 1, anim.newMask(case.skeleton, {}))
    check.identical(before, case.read(pose))
  end)

  local one = anim.newSkeleton({ { name = "joint" } })

  local function still(q, s)
    local rotation = { times = { 0 }, values = q or { 0, 0, 0, 1 } }
    local scale = { times = { 0 }, values = s or { 1, 1, 1 } }
    return anim.newClip({ name = "still", skeleton = one, tracks = { joint = { rotation = rotation, scale = scale } } })
  end

  local function poseOf(q)
    local pose = anim.newPose(one)
    pose:set(1, 0, 0, 0, q[1], q[2], q[3], q[4], 1, 1, 1)
    return pose
  end

  local function added(base, clip, w)
    local delta, pose = anim.newPose(one), poseOf(base)
    clip:sample(0, delta)
    pose:add(delta, w)
    return pose
  end

  it("fault 57: reference X90, clip X90 Y90, base X90, weight 1: the clip", function()
    local both = quat.mul(turn(X, 90), turn(Y, 90))
    local delta = still(both):toAdditive(poseOf(turn(X, 90)))
    check.sameRotation(both, rotationOf(added(turn(X, 90), delta, 1), 1), 1e-6)
    check.sameRotation(both, rotationOf(added(turn(X, 90), still(both):toAdditive(still(turn(X, 90))), 1), 1), 1e-6)
  end)

  it("fault 58: scale 1 on scale 1 stays 1 at weights 0, .5 and 1; a full pose is no delta", function()
    local delta = still():toAdditive(anim.newPose(one))
    for _, w in ipairs({ 0, .5, 1 }) do
      local sx, sy, sz = select(8, added({ 0, 0, 0, 1 }, delta, w):get(1))
      check.near({ 1, 1, 1 }, { sx, sy, sz }, 1e-7)
    end
    local full = anim.newPose(one)
    still():sample(0, full)
    assert.has_error(function() anim.newPose(one):add(full, 1) end)
  end)

  it("fault 61: against the first key a still clip adds nothing; against rest it adds itself", function()
    local base = turn(Y, 40)
    local x30 = still(turn(X, 30))
    check.sameRotation(base, rotationOf(added(base, x30:toAdditive(), 1), 1), 1e-6)
    check.sameRotation(quat.mul(base, turn(X, 30)),
      rotationOf(added(base, x30:toAdditive(anim.newPose(one)), 1), 1), 1e-6)
  end)

  it("a reference scale of 0 gives a scale of 1", function()
    local delta = still(nil, { 2, 2, 2 }):toAdditive(still(nil, { 0, 1, 2 }))
    local sx, sy, sz = select(8, added({ 0, 0, 0, 1 }, delta, 1):get(1))
    check.near({ 1, 2, 1 }, { sx, sy, sz }, 1e-6)
  end)

  it("a weight above 1 repeats the delta", function()
    local delta = still(turn(X, 30)):toAdditive(anim.newPose(one))
    check.sameRotation(turn(X, 75), rotationOf(added({ 0, 0, 0, 1 }, delta, 2.5), 1), 1e-6)
    check.sameRotation(turn(X, 90), rotationOf(added({ 0, 0, 0, 1 }, delta, 3), 1), 1e-6)
  end)

  it("negative weights count as 0 or are an error", function()
    local delta, pose = anim.newPose(one), poseOf(turn(Y, 40))
    still(turn(X, 30)):toAdditive(anim.newPose(one)):sample(0, delta)
    pcall(pose.add, pose, delta, -1)
    check.sameRotation(turn(Y, 40), rotationOf(pose, 1), 1e-6)
  end)
end)

describe("the oracle's own blend", function()
  it("of N poses does not depend on their order", function()
    for seed = 1, 20 do
      local r = check.random(seed)
      local rig = check.rig(anim.newSkeleton(check.randomSkeleton(r, 5)))
      local base, poses, weights = check.randomPose(r, rig), {}, {}
      for i = 1, 4 do
        weights[i] = r.number(.1, 1)
        poses[i] = oracle.map(5, function(j)
          return oracle.joint(r.vector(1), quat.mul(base[j].q, r.rotation(.8)), { 1, 1, 1 })
        end)
      end
      local turned = { poses[3], poses[1], poses[4], poses[2] }
      local one = oracle.mix(poses, weights)
      local other = oracle.mix(turned, { weights[3], weights[1], weights[4], weights[2] })
      check.samePose(one, other, 1e-14, "seed " .. seed)
    end
  end)

  it("of two is the override layer, and the palette of the bind pose the identity", function()
    local case = randomCase(10)
    check.samePose(oracle.blend(case.a, case.b, .3), oracle.mix({ case.a, case.b }, { .7, .3 }), 1e-14)
    local model = oracle.toModel(case.rig, oracle.rest(case.rig))
    check.near(mat.position(model[1]), case.rig[1].rest.t, 0)
    check.near({ vec.length(vec.cross(X, Y)) }, { 1 }, 0)
  end)
end)
