-- Retargeting between real rigs, and between anything.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local figure = require("spec.support.figure")
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local sampled = figure.sampled

describe("real rigs", function()
  local limbs, bones = require("spec.support.limbs"), require("anim.humanoid.bones")
  for _, case in ipairs(limbs.cases) do
    local title = ("%s %s to %s"):format(case[1]:match("[^/]*$"), case[2], case[3]:match("[^/]*$"))
    local function body()
      local source, target = assert(anim.load(data.path(case[1]))), assert(anim.load(data.path(case[3])))
      local clip = source.clips[case[2]]
      local map = anim.guessMap(clip:getSkeleton(), target.skeleton)
      local made = clip:retarget(target.skeleton, map)
      local rows = limbs.angles(clip, made, map, bones, case[4], data.slow and 100 or 10)
      assert.truthy(rows.upperArm and rows.upperLeg)
      for bone, row in pairs(rows) do
        assert.is_true(row.worst < 10, ("%s: %.1f degrees off"):format(bone, row.worst))
      end
      if not bones(target.skeleton).left.foot or not bones(source.skeleton).left.foot then return end
      local low, high = limbs.floor(clip:retarget(target.skeleton, map, { feet = true }), bones, 100)
      assert.is_true(low > -.02, "a foot sinks in: " .. low)
      assert.is_true(low < .05, "no foot comes down: " .. low)
      assert.is_true(high < .8, "both feet fly: " .. high)
    end
    if data.has(case[1]) and data.has(case[3]) then
      it(title, body)
    else
      pending(title .. " (skipped: no " .. data.path(case[1]) .. ")")
    end
  end

  data.it(it, pending, "humanoid/kaykit_adventurers/Knight.glb", "a rig to itself: every joint where it was", function()
    local model = assert(anim.load(data.path("humanoid/kaykit_adventurers/Knight.glb")))
    local map = anim.guessMap(model.skeleton, model.skeleton)
    local a, b = anim.newPose(model.skeleton), anim.newPose(model.skeleton)
    for _, clip in ipairs(model.clips) do
      local made = clip:retarget(model.skeleton, map)
      for i = 0, 10 do
        clip:sample(clip:getDuration() * i / 10, a)
        made:sample(clip:getDuration() * i / 10, b)
        for name, to in pairs(map) do
          -- Joints that move less than a twentieth of the figure away from their parents are held.
          local off = to and vec.length(vec.sub({ a:getPosition(name) }, { b:getPosition(name) })) or 0
          assert.is_true(off < .15, clip:getName() .. " " .. name .. " " .. off)
        end
      end
    end
  end)
end)

describe("anything", function()
  local function finite(clip)
    local skeleton = clip:getSkeleton()
    for _, time in ipairs({ 0, clip:getDuration() / 3, clip:getDuration() }) do
      local pose = sampled(clip, time)
      for j = 1, #skeleton do
        local values = { pose:get(j) }
        for i = 1, 10 do
          if values[i] ~= values[i] or math.abs(values[i]) == math.huge then return false end
        end
        local q = { values[4], values[5], values[6], values[7] }
        if math.abs(quat.dot(q, q) - 1) > 1e-5 then return false end
      end
    end
    return true
  end

  local wild = { 0, 1e-30, 1e14, -1, 1e-3, 1, 1, 1 }
  local function wildSkeleton(r)
    local list = check.randomSkeleton(r, r.integer(1, 20))
    for _, joint in ipairs(list) do
      if r.unit() < .3 then joint.translation = { r.pick(wild), r.pick(wild), r.pick(wild) } end
      if r.unit() < .2 then joint.scale = { r.pick(wild), r.pick(wild), r.pick(wild) } end
    end
    return anim.newSkeleton(list)
  end

  it("that is random is retargeted, to finite keys", function()
    for seed = 1, data.slow and 400 or 40 do
      local r = check.random(seed)
      local a, b = wildSkeleton(r), wildSkeleton(r)
      local clip = anim.newClip(check.randomClip(r, a))
      local map, used = {}, {}
      for j = 1, #a do
        local to = r.integer(1, #b)
        if r.unit() < .8 and not used[to] then map[j], used[to] = to, true end
      end
      local made = clip:retarget(b, map, { root = r.unit() < .2 and false or nil })
      assert.is_true(finite(made), "seed " .. seed)
      local ran, message = pcall(clip.retarget, clip, b, map, { feet = true })
      assert.is_true(ran and finite(message) or tostring(message):find("feet", 1, true) ~= nil, "seed " .. seed)
    end
  end)

  it("of the figure with joints torn away and scales of nothing", function()
    for seed = 1, data.slow and 200 or 20 do
      local r = check.random(seed)
      local from, to = figure.rig({ axes = r }), figure.rig({ axes = r })
      local list = figure.describe(to)
      for _, joint in ipairs(list) do
        if r.unit() < .15 then joint.translation = { r.pick(wild), r.pick(wild), r.pick(wild) } end
        if r.unit() < .15 then joint.scale = { r.pick(wild), r.pick(wild), r.pick(wild) } end
      end
      local skeleton = anim.newSkeleton(list)
      local clip = figure.clip(from, figure.randomMotion(r, 4))
      assert.is_true(finite(clip:retarget(skeleton, figure.map(from, to))), "seed " .. seed)
      local ran, made = pcall(clip.retarget, clip, skeleton, figure.map(from, to), { feet = true })
      assert.is_true(ran and finite(made) or tostring(made):find("feet", 1, true) ~= nil, "seed " .. seed)
    end
  end)
end)
