-- Retargeting between unlike skeletons, against a figure whose motion is known without any of them.
local anim = require("anim")
local check = require("spec.support.check")
local core = require("anim.core")
local figure = require("spec.support.figure")
local raises = require("spec.support.raises")
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local X, Y = { 1, 0, 0 }, { 0, 1, 0 }
local function turn(axis, degrees) return quat.fromAxisAngle(axis, math.rad(degrees)) end
local sampled, assertMotion, scaled, other = figure.sampled, figure.assertMotion, figure.scaled, figure.other
local wherever = figure.wherever

describe("a map between skeletons", function()
  -- Each case: the source's options, the target's.
  local cases = {
    { "of the same axes", {}, {} },
    { "of other axes", { axes = true }, { axes = true } },
    { "at rest in T and A", { axes = true }, { axes = true, armsDown = 50, legsApart = 8 } },
    { "at rest in A and T", { axes = true, armsDown = 60 }, { axes = true } },
    { "of other size", { axes = true, size = 2.5 }, { axes = true, size = .4 } },
    { "below a root of scale 100, turned", { axes = true },
      { axes = true, root = { rotation = turn(X, -90), scale = 100 } } },
    { "from below such a root", { root = { rotation = turn(X, -90), scale = 100 }, size = 170 }, { armsDown = 45 } },
    { "where z is up", { axes = true, space = turn(X, 90) }, { axes = true } },
    { "to where z is up", { axes = true }, { axes = true, space = turn(X, 90), size = 100 } },
    { "that looks the other way", { axes = true }, { axes = true, space = turn(Y, 180) } },
    { "that looks along x", { axes = true, space = turn(Y, 90) }, { axes = true, armsDown = 30 } },
  }
  for seed, case in ipairs(cases) do
    it(case[1], function()
      local r = check.random(seed)
      local function options(o)
        local out = {}
        for key, value in pairs(o) do out[key] = value end
        out.axes = o.axes and r
        return out
      end
      local from, to = figure.rig(options(case[2])), figure.rig(options(case[3]))
      local motion = figure.randomMotion(r, 12)
      local made, unbound = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
      assert.are.same({}, unbound)
      assert.are.equal(to.skeleton, made:getSkeleton())
      assertMotion(made, to, motion, 2e-5, scaled(motion, to.size))
    end)
  end

  it("and a map of indices is the same", function()
    local r = check.random(3)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, armsDown = 40, rename = other })
    local motion = figure.randomMotion(r, 3)
    local map, indices = figure.map(from, to), {}
    for a, b in pairs(map) do indices[from.skeleton:find(a)] = to.skeleton:find(b) end
    local one, two = figure.clip(from, motion):retarget(to.skeleton, map),
      figure.clip(from, motion):retarget(to.skeleton, indices)
    assertMotion(one, to, motion, 2e-5, scaled(motion, 1))
    check.identical(check.read(sampled(one, .05), #to.skeleton), check.read(sampled(two, .05), #to.skeleton))
  end)

  it("of a spine of other length: what is not mapped rests", function()
    local r = check.random(9)
    local short = figure.rig({ axes = r, without = { spine = true } })
    local long = figure.rig({ axes = r, rename = other })
    local motion = figure.randomMotion(r, 6)
    assertMotion(figure.clip(long, motion):retarget(short.skeleton, figure.map(long, short)), short, motion, 2e-5,
      nil)
    local made = figure.clip(short, motion):retarget(long.skeleton, figure.map(short, long))
    local _, _, _, qx, qy, qz, qw = sampled(made, 3 / 32):get(other("spine"))
    check.sameRotation({ select(4, long.skeleton:getRest(other("spine"))) }, { qx, qy, qz, qw, 1, 1, 1 }, 0)
    local rotations = reference.pose.modelRotations(check.rig(long.skeleton),
      check.read(sampled(made, 3 / 32), #long.skeleton))
    local expected = quat.mul(motion.turn(4, "chest"), long.frames.chest)
    check.sameRotation(expected, rotations[long.skeleton:find(other("chest"))], 2e-5)
  end)

  it("with legs of other length: the same directions, steps as long as the legs", function()
    local r = check.random(12)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, legs = 1.5, armsDown = 50 })
    local motion = figure.randomMotion(r, 8)
    local made = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
    assertMotion(made, to, motion, 2e-5)
    for i, time in ipairs(motion.times) do
      local x, y, z = sampled(made, time):getPosition("hips")
      local at = motion.hips(i)
      check.near({ at[1] * 1.5, at[3] * 1.5 }, { x, z }, 1e-5)
      -- Near standing a leg that is bent takes off what 1.5 times its length does; on the floor nothing is left.
      local tall, u = .95 + .85 * .5, at[2] - 1
      local slope = 1.5 * .95 / tall
      local part = u / .95
      local expected = to.at.hips[2] + tall * (part > 0 and slope * part or part * (1 + (slope - 1) * (1 + part)))
      check.near({ expected }, { y }, 1e-5)
    end
  end)

  for _, case in ipairs({ { "the target's", {}, { ["foot.L"] = true, ["foot.R"] = true } },
    { "the source's", { ["foot.L"] = true, ["foot.R"] = true }, {} },
    { "both", { ["foot.L"] = true, ["foot.R"] = true }, { ["foot.L"] = true, ["foot.R"] = true } } }) do
    it("feet that hang on the root in " .. case[1] .. " go with the legs", function()
      local r = check.random(20)
      local from = figure.rig({ axes = r, free = case[2] })
      local to = figure.rig({ axes = r, free = case[3], size = 2, armsDown = 30 })
      local motion = figure.randomMotion(r, 8)
      local made = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
      assertMotion(made, to, motion, 3e-5, scaled(motion, 2))
    end)
  end

  it("feet that hang on the root in both, legs of other length: they go with the legs", function()
    local r = check.random(21)
    local free = { ["foot.L"] = true, ["foot.R"] = true }
    local from = figure.rig({ axes = r, free = free })
    local to = figure.rig({ axes = r, free = free, legs = 1.4, shins = .8 })
    local motion = figure.randomMotion(r, 8)
    assertMotion(figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to)), to, motion, 3e-5, wherever)
  end)

  it("a shin whose foot hangs on the root points where the foot is", function()
    local r = check.random(22)
    local from, to = figure.rig({ axes = r, free = { ["foot.L"] = true } }), figure.rig({ axes = r, armsDown = 20 })
    local clip = figure.clip(from, figure.randomMotion(r, 2))
    local tracks = {}
    for j = 1, #from.skeleton do
      tracks[from.skeleton:getName(j)] = { rotation = clip:getTrack(j, "rotation"),
        translation = clip:getTrack(j, "translation") }
    end
    local values = tracks["foot.L"].translation.values
    for i = 1, #values do values[i] = values[i] + .05 end
    local apart = anim.newClip({ name = "apart", skeleton = from.skeleton, tracks = tracks })
    local made = apart:retarget(to.skeleton, figure.map(from, to))
    for _, time in ipairs({ 0, 1 / 32 }) do
      local function shin(c)
        local pose = sampled(c, time)
        local v = vec.sub({ pose:getPosition("foot.L") }, { pose:getPosition("lowerLeg.L") })
        return vec.scale(v, 1 / vec.length(v))
      end
      check.near(shin(apart), shin(made), 1e-5)
      assert.is_true(vec.length(vec.sub(shin(apart), shin(clip))) > .05)
    end
  end)

  it("shape is not pose: collar bones, feet, necks and hips that are placed otherwise turn as they are", function()
    local r = check.random(23)
    local moved = { neck = { 0, 0, .06 }, head = { 0, 0, .02 }, hips = { 0, 0, -.04 } }
    for _, side in ipairs({ ".L", ".R" }) do
      moved["shoulder" .. side] = { side == ".L" and -.03 or .03, -.03, .06 }
      moved["toes" .. side] = { 0, -.01, -.06 }
    end
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, moved = moved })
    local motion = figure.randomMotion(r, 6)
    assertMotion(figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to)), to, motion, 2e-5, wherever)
    assertMotion(figure.clip(to, motion):retarget(from.skeleton, figure.map(to, from)), from, motion, 2e-5, wherever)
  end)

  it("joints that all but share a place have no direction", function()
    local r = check.random(26)
    local from = figure.rig({ axes = r, moved = { head = { 0, -.1, -.031 } } })
    local to = figure.rig({ axes = r })
    local motion = figure.randomMotion(r, 6)
    assertMotion(figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to)), to, motion, 2e-5, wherever)
  end)

  it("sides need not come in the same order in arms and legs", function()
    local r = check.random(27)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, armsDown = 45, space = turn(Y, 90) })
    local list, legs = {}, {}
    for _, joint in ipairs(figure.describe(from)) do
      local isLeft = joint.name:match("^%a+%.L$") and (joint.name:find("Leg") or joint.name:find("foot") or
        joint.name:find("toes"))
      table.insert(isLeft and legs or list, joint)
    end
    for _, joint in ipairs(legs) do table.insert(list, joint) end
    from.skeleton = anim.newSkeleton(list)
    local motion = figure.randomMotion(r, 6)
    local made = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
    assertMotion(made, to, motion, 2e-5, scaled(motion, 1))
  end)

  it("palms that look elsewhere at rest: by the fingers", function()
    local r = check.random(24)
    local from = figure.rig({ axes = r, fingers = true })
    local to = figure.rig({ axes = r, fingers = true, palms = 80, armsDown = 45 })
    local motion = figure.randomMotion(r, 6)
    assertMotion(figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to)), to, motion, 3e-5, wherever)
  end)

  it("neighbouring keys lie on the same side", function()
    local r = check.random(25)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r })
    local made = figure.clip(from, figure.randomMotion(r, 40)):retarget(to.skeleton, figure.map(from, to))
    for j = 1, #to.skeleton do
      local track = made:getTrack(j, "rotation")
      for i = 5, track and #track.values or 0, 4 do
        local v = track.values
        assert.is_true(v[i] * v[i - 4] + v[i + 1] * v[i - 3] + v[i + 2] * v[i - 2] + v[i + 3] * v[i - 1] >= 0)
      end
    end
  end)

  it("joints below mirrored ones turn as they look", function()
    -- The same figure, written below a root that mirrors: all it holds is mirrored once more.
    local r = check.random(31)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r })
    local list = figure.describe(to)
    list[1].scale = { -1, 1, 1 }
    for j = 2, #list do
      local t, q = list[j].translation, list[j].rotation
      if list[j].parent == "Armature" then
        list[j].translation = { -t[1], t[2], t[3] }
        list[j].rotation = { q[1], -q[2], -q[3], q[4] }
      end
    end
    -- Below the mirror each joint's own axes are mirrored, too.
    for j = 2, #list do
      if list[j].parent ~= "Armature" then
        local t, q = list[j].translation, list[j].rotation
        list[j].translation, list[j].rotation = { -t[1], t[2], t[3] }, { q[1], -q[2], -q[3], q[4] }
      end
    end
    local skeleton = anim.newSkeleton(list)
    local motion = figure.randomMotion(r, 5)
    local made = figure.clip(from, motion):retarget(skeleton, figure.map(from, to))
    for i, time in ipairs(motion.times) do
      local places = figure.place(to, function(name) return motion.turn(i, name) end, motion.hips(i))
      local pose = sampled(made, time)
      for name, place in pairs(places) do
        if not to.without[name] then check.near(place, { pose:getPosition(name) }, 2e-5, name) end
      end
    end
  end)

  it("where a clip steps it steps, where it is cubic keys lie close", function()
    local r = check.random(4)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, armsDown = 45, rename = other })
    local motion = figure.randomMotion(r, 2)
    motion.times = { 0, 1 }
    local clip = figure.clip(from, motion)
    local function with(mode)
      local tracks = {}
      for j = 1, #from.skeleton do
        local track = clip:getTrack(j, "rotation")
        if track then
          local values = {}
          for i = 1, #track.values, 4 do
            local nothing = mode == "cubic" and { 0, 0, 0, 0 } or {}
            for _, x in ipairs(nothing) do values[#values + 1] = x end
            for k = i, i + 3 do values[#values + 1] = track.values[k] end
            for _, x in ipairs(nothing) do values[#values + 1] = x end
          end
          tracks[from.skeleton:getName(j)] = { rotation = { times = { 0, 1 }, values = values, mode = mode } }
        end
      end
      return anim.newClip({ name = mode, skeleton = from.skeleton, tracks = tracks })
    end
    local stepped = with("step"):retarget(to.skeleton, figure.map(from, to))
    local function at(time) return check.read(sampled(stepped, time), #to.skeleton) end
    check.samePose(at(0), at(.9999), 1e-6)
    assert.is_false(pcall(check.samePose, at(0), at(1), 1e-2))
    local source = with("cubic")
    local made = source:retarget(to.skeleton, figure.map(from, to))
    for t = 0, 50 do
      local a, b = sampled(source, t / 50), sampled(made, t / 50)
      for _, bone in ipairs({ { "upperArm.L", "lowerArm.L" }, { "lowerLeg.R", "foot.R" } }) do
        local function along(pose, rename)
          local u, v = { pose:getPosition(rename(bone[1])) }, { pose:getPosition(rename(bone[2])) }
          return vec.scale(vec.sub(v, u), 1 / vec.length(vec.sub(v, u)))
        end
        check.near(along(a, function(name) return name end), along(b, other), 2e-3)
      end
    end
  end)

  it("still joints have one key, those that only rest none", function()
    local from, to = figure.rig(), figure.rig({ rename = other })
    local clip = anim.newClip({ name = "wave", skeleton = from.skeleton, tracks = {
      ["upperArm.L"] = { rotation = { times = { 0, .02, .04 }, values = { 0, 0, 0, 1, .6, 0, 0, .8, 0, 0, 0, 1 } } },
      head = { rotation = { times = { 0, .04 }, values = { 0, .6, 0, .8, 0, .6, 0, .8 } } } } })
    local made = clip:retarget(to.skeleton, figure.map(from, to))
    assert.are.equal(3, #made:getTrack(other("upperArm.L"), "rotation").times)
    assert.are.equal(1, #made:getTrack(other("head"), "rotation").times)
    assert.is_nil(made:getTrack(other("lowerLeg.L"), "rotation"))
    assert.is_nil(made:getTrack("Armature", "rotation"))
  end)
end)

describe("a joint that comes loose", function()
  it("does so in the target", function()
    local r = check.random(70)
    local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, size = 3, armsDown = 30, rename = other })
    local motion = figure.randomMotion(r, 4)
    local function with(far)
      local clip = figure.clip(from, motion)
      local tracks = {}
      for j = 1, #from.skeleton do
        local name = from.skeleton:getName(j)
        tracks[name] = { rotation = clip:getTrack(j, "rotation"), translation = clip:getTrack(j, "translation") }
      end
      local x, y, z = from.skeleton:getRest("head")
      tracks.head.translation = { times = { 0, 3 / 32 }, values = { x, y, z, x + far, y, z - far } }
      return anim.newClip({ name = "loose", skeleton = from.skeleton, tracks = tracks })
    end
    local map = figure.map(from, to)
    local clip = with(.4)
    local made = clip:retarget(to.skeleton, map)
    for i = 0, 3 do
      local a, b = sampled(clip, i / 32), sampled(made, i / 32)
      local expected = vec.sub({ a:getPosition("head") }, { a:getPosition("neck") })
      local got = vec.sub({ b:getPosition(other("head")) }, { b:getPosition(other("neck")) })
      check.near(vec.scale(expected, 3), got, 1e-4)
    end
    -- Little of it is what capture does to bones.
    assert.is_nil(with(.01):retarget(to.skeleton, map):getTrack(other("head"), "translation"))
  end)
end)

describe("standing", function()
  -- Where the feet are when the source stands in its T-pose, its hips at `hips`.
  local function heights(from, to, hips)
    local motion = { times = { 0, 1 / 32 }, turn = figure.still.turn, hips = function() return hips end }
    local made = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
    local _, y = sampled(made, 0):getPosition("foot.L")
    local _, h = sampled(made, 0):getPosition("hips")
    return y, h
  end

  it("is standing, however far legs are apart at rest", function()
    local apart, straight = figure.rig({ legsApart = 25 }), figure.rig({ size = 2 })
    check.near({ .2, 2 }, { heights(apart, straight, { 0, 1, 0 }) }, 1e-5)
    check.near({ .1, 1 }, { heights(straight, apart, { 0, 1, 0 }) }, 1e-5)
  end)

  it("is at rest where the source's rest pose is at the origin, and its motion anywhere", function()
    local to = figure.rig({ size = 3, armsDown = 40 })
    local from = figure.rig({ stand = { 0, 0, 0 } })
    for _, hips in ipairs({ { 0, 1, 0 }, { 0, 1.06, 0 }, { .5, -5, 2 } }) do
      local y, h = heights(from, to, hips)
      check.near({ to.at["foot.L"][2], to.at.hips[2] }, { y, h }, 1e-4, "hips at " .. hips[2])
    end
  end)

  it("comes out of the ground where it does", function()
    local from, to = figure.rig(), figure.rig({ size = 2 })
    local motion = { times = { 0, 1 }, turn = figure.still.turn,
      hips = function(i) return { 0, i == 1 and -.5 or 1, 0 } end }
    local made = figure.clip(from, motion):retarget(to.skeleton, figure.map(from, to))
    local _, low = sampled(made, 0):getPosition("hips")
    local _, high = sampled(made, 1):getPosition("hips")
    check.near({ 2 }, { high }, 1e-5)
    check.near({ -1 }, { low }, 1e-5)
  end)
end)

describe("the place of the hips", function()
  local r = check.random(40)
  local from, to = figure.rig({ axes = r }), figure.rig({ axes = r, size = 2 })
  local motion = figure.randomMotion(r, 6)
  local map = figure.map(from, to)

  it("may be told, or left out", function()
    local clip = figure.clip(from, motion)
    assertMotion(clip:retarget(to.skeleton, map, { root = "hips" }), to, motion, 2e-5, scaled(motion, 2))
    local still = clip:retarget(to.skeleton, map, { root = false })
    assertMotion(still, to, motion, 2e-5, function() return to.at.hips end)
    assert.is_nil(still:getTrack("hips", "translation"))
  end)

  it("is in root motion as it is in the clip", function()
    local clip = figure.clip(from, motion)
    local travel = clip:withRootMotion({ joint = "hips", translation = "xz", rotation = "y" })
    local turned = figure.rig({ axes = r, size = 2, space = turn(Y, 180), rename = other,
      moved = { hips = { 0, 0, .2 } } })
    for _, target in ipairs({ to, turned }) do
      local m = figure.map(from, target)
      local whole, inPlace = clip:retarget(target.skeleton, m), travel:retarget(target.skeleton, m)
      local graph = anim.newGraph(target.skeleton)
      graph:setRoot(graph:clip(inPlace))
      graph:update(0)
      for i = 2, 4 do
        graph:update(1 / 32)
        local dx, _, dz = graph:getRootMotion()
        local a, b = sampled(whole, (i - 2) / 32), sampled(whole, (i - 1) / 32)
        local ax, _, az = a:getPosition(target.rename("hips"))
        local bx, _, bz = b:getPosition(target.rename("hips"))
        local moved = math.sqrt(dx * dx + dz * dz)
        assert.is_true(moved > 0)
        -- In the character's frame before the step: turned, but as long, seen from the hips.
        local x0, _, z0 = sampled(inPlace, (i - 2) / 32):getPosition(target.rename("hips"))
        local x1, _, z1 = sampled(inPlace, (i - 1) / 32):getPosition(target.rename("hips"))
        local _, _, _, qx, qy, qz, qw = graph:getRootMotion()
        local there = vec.add(quat.rotate({ qx, qy, qz, qw }, { x1, 0, z1 }), { dx, 0, dz })
        local step = vec.length(vec.sub(there, { x0, 0, z0 }))
        check.near({ math.sqrt((bx - ax) ^ 2 + (bz - az) ^ 2) }, { step }, 1e-4)
      end
    end
  end)
end)

describe("what retarget refuses", function()
  local from, to = figure.rig(), figure.rig({ rename = other })
  local clip = figure.clip(from, figure.randomMotion(check.random(1), 2))
  local map = figure.map(from, to)
  local function with(options, target, m)
    return function() clip:retarget(target or to.skeleton, m or map, options) end
  end
  local cases = {
    { "bad argument #3 to 'retarget' (root: no joint 'hip'; did you mean 'hips'?)", with({ root = "hip" }) },
    { "bad argument #3 to 'retarget' (root: 'Armature' is not in the map)", with({ root = "Armature" },
      anim.newSkeleton({ { name = "x" } }), { hips = "x" }) },
    { "bad argument #3 to 'retarget' (unknown key 'feets'; did you mean 'feet'?)", with({ feets = true }) },
    { "bad argument #3 to 'retarget' (feet[2]: no joint 'b:FOOT.X'; did you mean 'b:FOOT.L'?)",
      with({ feet = { "b:FOOT.L", "b:FOOT.X" } }) },
    { "bad argument #3 to 'retarget' (feet: true or two joints expected, got 1)", with({ feet = { "b:FOOT.L" } }) },
    { "bad argument #3 to 'retarget' (feet: two joints expected, got one twice)",
      with({ feet = { "b:FOOT.L", "b:FOOT.L" } }) },
    { "bad argument #3 to 'retarget' (feet: true or false expected, got string 'yes')", with({ feet = "yes" }) },
    { "bad argument #3 to 'retarget' (feet: 'b:HIPS' needs two joints above it that are in the map)",
      with({ feet = { "b:HIPS", "b:FOOT.R" } }) },
    { "bad argument #3 to 'retarget' (feet: no joint carries the body (see 'root'))",
      with({ feet = true, root = false }) },
    { "bad argument #3 to 'retarget' (feet: the map has no two legs of three joints (name the feet's joints))",
      with({ feet = true }, nil, { hips = "b:HIPS" }) },
    { "bad argument #3 to 'retarget' (pose: the pose belongs to another skeleton)",
      with({ pose = anim.newPose(to.skeleton) }) },
    { "bad argument #3 to 'retarget' (targetPose: anim.Pose expected, got anim.Clip)", with({ targetPose = clip }) },
    { "bad argument #3 to 'retarget' (copy: copied keys go with no other option)",
      with({ copy = true, root = "hips" }) },
    { "bad argument #2 to 'retarget' (lowerLeg: no joint 'lowerLeg'; did you mean 'lowerLeg.L'?)",
      with(nil, nil, { lowerLeg = "b:FOOT.L" }) },
    { "bad argument #2 to 'retarget' (hips: no joint 'b:HIP'; did you mean 'b:HIPS'?)",
      with(nil, nil, { hips = "b:HIP" }) },
  }
  for _, case in ipairs(cases) do
    it(case[1]:match("%((.*)%)$"), function() raises.exactly(case[1], case[2]) end)
  end

  it("deltas with a map", function()
    local message = raises.message(function() clip:toAdditive():retarget(to.skeleton, map) end)
    assert.truthy(message:find("'motion' is additive: retarget what it was made of, then call toAdditive", 1, true))
  end)

  it("copied keys are those of the clip", function()
    local made = clip:retarget(to.skeleton, map, { copy = true })
    for name, to_ in pairs(map) do
      assert.are.same(clip:getTrack(name, "rotation").values, made:getTrack(to_, "rotation").values)
    end
  end)

  it("nothing when memory runs out", function()
    collectgarbage()
    collectgarbage()
    local blocks = core.memory()
    for n = 1, 2000 do
      core.failAllocation(n)
      local ran, message = pcall(with({ feet = true }))
      core.failAllocation(0)
      if ran then
        assert.is_true(n > 5)
        break
      end
      assert.truthy(message:find("memory", 1, true), message)
    end
    collectgarbage()
    collectgarbage()
    assert.are.equal(blocks, (core.memory()))
  end)
end)
