-- Retargeting: clips whose rest pose says nothing, and feet that are kept on the floor.
local anim = require("anim")
local check = require("spec.support.check")
local figure = require("spec.support.figure")
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local X, Y, Z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }
local function turn(axis, degrees) return quat.fromAxisAngle(axis, math.rad(degrees)) end
local sampled, assertMotion, other = figure.sampled, figure.assertMotion, figure.other

describe("rest poses in which nobody stands", function()
  -- Motion capture: all offsets along x, all the pose is in the first frame.
  local function flat(rig)
    local list = figure.describe(rig)
    for j = 2, #list do
      local t = list[j].translation
      if list[j].parent ~= "Armature" then
        list[j].translation = { vec.length(t), 0, 0 }
        list[j].rotation = quat.identity
      end
    end
    return list
  end

  local r = check.random(50)
  local rig, to = figure.rig(), figure.rig({ axes = r, armsDown = 45, rename = other, size = 3 })
  -- Joints of `rig` turned so that their bone lies along x: what a flat rest pose needs to become the figure.
  local bone = { hips = "spine", spine = "chest", chest = "neck", neck = "head" }
  for _, side in ipairs({ ".L", ".R" }) do
    for a, b in pairs({ shoulder = "upperArm", upperArm = "lowerArm", lowerArm = "hand", upperLeg = "lowerLeg",
      lowerLeg = "foot", foot = "toes" }) do bone[a .. side] = b .. side end
  end
  for a, b in pairs(bone) do
    local v = vec.sub(rig.at[b], rig.at[a])
    v = vec.scale(v, 1 / vec.length(v))
    local axis = vec.cross(X, v)
    local angle = math.acos(math.max(-1, math.min(1, v[1])))
    rig.frames[a] = vec.length(axis) < 1e-9 and (v[1] > 0 and quat.identity or turn(Y, 180)) or
      quat.fromAxisAngle(axis, angle)
  end
  rig.skeleton = anim.newSkeleton(flat(rig))
  local motion = figure.randomMotion(r, 8)
  local turns = motion.turn
  -- At first it stands with knees bent.
  function motion.turn(i, name)
    if i > 1 then return turns(i, name) end
    return name:find("upperLeg") and turn(X, -40) or name:find("lowerLeg") and turn(X, 40) or quat.identity
  end
  local hips = motion.hips
  function motion.hips(i) return i == 1 and { 0, 1, 0 } or hips(i) end

  -- Children that do not lie along their parent's bone are elsewhere, so only rotations are compared.
  it("the first pose is taken instead", function()
    local made = figure.clip(rig, motion):retarget(to.skeleton, figure.map(rig, to))
    assertMotion(made, to, motion, 3e-5)
  end)

  local function lowest(clip, time, rename)
    local pose = sampled(clip, time)
    local _, a = pose:getPosition(rename("foot.L"))
    local _, b = pose:getPosition(rename("foot.R"))
    return math.min(a, b)
  end

  it("at the first pose it stands as high as the source does, of what it comes down to", function()
    local clip = figure.clip(rig, motion)
    local first, low = lowest(clip, 0, rig.rename), math.huge
    for _, time in ipairs(motion.times) do low = math.min(low, lowest(clip, time, rig.rename)) end
    assert.is_true(first - low > .02, "a case that says something: " .. first - low)
    local expected = to.at["foot.L"][2] + (first - low) * 3
    local map = figure.map(rig, to)
    check.near({ expected }, { lowest(clip:retarget(to.skeleton, map), 0, other) }, 1e-4)
    local kept = lowest(clip:retarget(to.skeleton, map, { feet = true }), 0, other)
    assert.is_true(kept > to.at["foot.L"][2] + (first - low), "feet off the floor stay off it: " .. kept)
  end)

  it("its feet stand where they come lowest", function()
    local made = figure.clip(rig, motion):retarget(to.skeleton, figure.map(rig, to), { feet = true })
    local low = math.huge
    for _, time in ipairs(motion.times) do
      local pose = sampled(made, time)
      for _, name in ipairs({ "foot.L", "toes.L", "foot.R", "toes.R" }) do
        local _, y = pose:getPosition(other(name))
        low = math.min(low, y - to.at[name][2])
      end
    end
    check.near({ 0 }, { low }, 2e-3)
  end)

  it("or the one that is told", function()
    local late = { times = motion.times, hips = motion.hips }
    function late.turn(i, name) return motion.turn(#motion.times + 1 - i, name) end
    local clip = figure.clip(rig, late)
    local pose = sampled(clip, motion.times[#motion.times])
    local made = clip:retarget(to.skeleton, figure.map(rig, to), { pose = pose })
    assertMotion(made, to, late, 3e-5)
  end)

  it("the target's may be told as well", function()
    local pose = anim.newPose(rig.skeleton)
    figure.clip(rig, motion):sample(0, pose)
    local made = figure.clip(to, motion):retarget(rig.skeleton, figure.map(to, rig), { targetPose = pose })
    assertMotion(made, rig, motion, 3e-5)
  end)
end)

describe("feet", function()
  -- Feet that stand on the floor while the hips sway, by the law of cosines; then a step.
  local function swaying(count)
    local motion = { times = {} }
    local hips, turns = {}, {}
    for i = 1, count do
      local a = (i - 1) / (count - 1) * 2 * math.pi
      motion.times[i] = (i - 1) / 30
      hips[i] = { .06 * math.sin(a), .93 + .03 * math.cos(2 * a), .08 * math.sin(2 * a) }
      turns[i] = {}
      for _, side in ipairs({ ".L", ".R" }) do
        local x = side == ".L" and .1 or -.1
        local hip = vec.add(hips[i], { x, -.05, 0 })
        local ankle = { x, .1, 0 }
        local upper, lower = math.sqrt(.45 ^ 2 + .02 ^ 2), math.sqrt(.4 ^ 2 + .02 ^ 2)
        local way = vec.sub(ankle, hip)
        local d = vec.length(way)
        local dir = vec.scale(way, 1 / d)
        local along = (upper * upper - lower * lower + d * d) / (2 * d)
        local front = vec.sub(Z, vec.scale(dir, vec.dot(Z, dir)))
        front = vec.scale(front, math.sqrt(math.max(0, upper * upper - along * along)) / vec.length(front))
        local knee = vec.add(hip, vec.add(vec.scale(dir, along), front))
        turns[i]["upperLeg" .. side] = figure.least({ 0, -.45, .02 }, vec.sub(knee, hip))
        turns[i]["lowerLeg" .. side] = figure.least({ 0, -.4, -.02 }, vec.sub(ankle, knee))
      end
    end
    function motion.turn(i, name) return turns[i][name] or quat.identity end
    function motion.hips(i) return hips[i] end
    return motion
  end

  local motion = swaying(31)
  local from = figure.rig({ axes = check.random(60) })

  local function slide(clip, rig)
    local most, high, low = 0, -1, 1
    for _, side in ipairs({ ".L", ".R" }) do
      for _, name in ipairs({ "foot" .. side, "toes" .. side }) do
        local first
        for _, time in ipairs(motion.times) do
          local x, y, z = sampled(clip, time):getPosition(name)
          first = first or { x, z }
          most = math.max(most, math.abs(x - first[1]), math.abs(z - first[2]))
          high, low = math.max(high, y - rig.at[name][2]), math.min(low, y - rig.at[name][2])
        end
      end
    end
    return most, high, low
  end

  it("of the source stand", function()
    local most, high, low = slide(figure.clip(from, motion), from)
    assert.is_true(most < 1e-5 and high < 1e-5 and low > -1e-5)
  end)

  for _, legs in ipairs({ .6, .8, 1.3 }) do
    it("stay on the floor where the source's do, legs " .. legs .. " times as long", function()
      local to = figure.rig({ axes = check.random(61), legs = legs, shins = 1.2, armsDown = 40 })
      local map = figure.map(from, to)
      local clip = figure.clip(from, motion)
      local most, high, low = slide(clip:retarget(to.skeleton, map, { feet = true }), to)
      assert.is_true(most < 1e-3 and high < 1e-3 and low > -1e-3, ("%g %g %g"):format(most, high, low))
      -- Named, it is the same.
      local named = slide(clip:retarget(to.skeleton, map, { feet = { "foot.L", "foot.R" } }), to)
      check.near({ most }, { named }, 0)
    end)
  end

  it("and a toe that is lower in the target does not sink in", function()
    local to = figure.rig({ legs = .7, size = 1.2 })
    local r = check.random(63)
    local wild = figure.randomMotion(r, 20)
    local made = figure.clip(from, wild):retarget(to.skeleton, figure.map(from, to), { feet = true })
    local plain = figure.clip(from, wild):retarget(to.skeleton, figure.map(from, to))
    local lowest, before = 1, 1
    for _, time in ipairs(wild.times) do
      for _, name in ipairs({ "foot.L", "toes.L", "foot.R", "toes.R" }) do
        local _, y = sampled(made, time):getPosition(name)
        local _, was = sampled(plain, time):getPosition(name)
        lowest, before = math.min(lowest, y - to.at[name][2]), math.min(before, was - to.at[name][2])
      end
    end
    assert.is_true(before < -.01, "a case that says something: " .. before)
    assert.is_true(lowest > -1e-3, "lowest: " .. lowest)
  end)
end)
