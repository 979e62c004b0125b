-- The example character: what makes it look like a person, in numbers.
local anim = require("anim")
local gc = require("spec.support.gc")
local hero = dofile("examples/hero.lua")
local rig = require("hero.rig")

local slow = os.getenv("ANIM_SLOW") ~= "0"
local STEPS = slow and 200 or 20 -- times looked at in each clip
local atan2 = math.atan2 or math.atan -- luacheck: compat
local model = gc.rest(hero.build)
local skeleton = model.skeleton
local pose = anim.newPose(skeleton)

-- Calls visit(time) with the clip's pose at `steps` times over its whole length, both ends included.
local function over(clip, visit, steps)
  steps = steps or STEPS
  for i = 0, steps do
    local t = clip:getDuration() * i / steps
    clip:sample(t, pose)
    visit(t)
  end
end

local function place(joint)
  local x, y, z = pose:getPosition(joint)
  return { x, y, z }
end

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function length(a) return math.sqrt(dot(a, a)) end

local function eachClip(text, check)
  for _, clip in ipairs(model.clips) do
    it(clip:getName() .. ": " .. text, function() check(clip, hero.motions[clip:getName()]) end)
  end
end

-- ---- angles between bones

-- The turn of a joint from its rest pose, as degrees about its own +X and the degrees that are left about other axes.
local function bend(joint)
  local i = skeleton:find(joint)
  local _, _, _, x, y, z, w = pose:get(i)
  local _, _, _, rx, ry, rz, rw = skeleton:getRest(i)
  rx, ry, rz = -rx, -ry, -rz -- of the inverse
  local dx, dw = rw * x + rx * w + ry * z - rz * y, rw * w - rx * x - ry * y - rz * z
  local dy, dz = rw * y - rx * z + ry * w + rz * x, rw * z + rx * y - ry * x + rz * w
  if dw < 0 then dx, dy, dz, dw = -dx, -dy, -dz, -dw end
  return math.deg(2 * atan2(dx, dw)), math.deg(2 * math.asin(math.min(1, math.sqrt(dy * dy + dz * dz))))
end

-- The whole angle by which a joint is turned from its rest pose.
local function turned(joint)
  local i = skeleton:find(joint)
  local _, _, _, x, y, z, w = pose:get(i)
  local _, _, _, rx, ry, rz, rw = skeleton:getRest(i)
  return math.deg(2 * math.acos(math.min(1, math.abs(x * rx + y * ry + z * rz + w * rw))))
end

-- Degrees the foot is bent up from square to the shin.
local function dorsiflexion(side)
  local shin = sub(place("lower_leg" .. side), place("foot" .. side))
  local sole = sub(place("toe" .. side), place("heel" .. side))
  local flat = math.deg(math.asin(.02 / math.sqrt(.02 ^ 2 + .185 ^ 2))) -- the ball's joint lies above the sole
  return 90 - math.deg(math.acos(dot(shin, sole) / length(shin) / length(sole))) - flat
end

local HINGES = { -- { joint, least, most, other axes }, in degrees; at rest knees are bent by 3.8, elbows by 3.3
  { "lower_leg", -1.8, 150, 1 }, { "lower_arm", -1.9, 150, 1 },
  { "index.01", -10, 95, 20 }, { "index.02", -5, 115, 1 }, { "middle.01", -10, 95, 20 }, { "middle.02", -5, 115, 1 },
  { "ring.01", -10, 95, 20 }, { "ring.02", -5, 115, 1 }, { "little.01", -10, 95, 25 }, { "little.02", -5, 115, 1 },
  { "toe", -65, 5, 1 },
}
local LIMITS = { -- joint, most degrees from rest
  spine = 30, chest = 30, upper_chest = 30, neck = 40, head = 45, jaw = 25,
  ["shoulder.L"] = 45, ["shoulder.R"] = 45, ["upper_leg.L"] = 130, ["upper_leg.R"] = 130,
  ["hand.L"] = 110, ["hand.R"] = 110, ["eye.L"] = 30, ["eye.R"] = 30,
}

describe("hero: the body", function()
  it("has 64 joints and stands 1.75 m tall on the ground, left at +X, facing +Z", function()
    assert.equal(64, #skeleton)
    pose:toRest()
    assert.is_true(math.abs(place("eye.L")[2] - 1.655) < 1e-3) -- eyes are 0.945 of the height
    assert.is_true(math.abs(place("heel.R")[2]) < 1e-6)
    assert.is_true(place("hand.L")[1] > .7 and place("hand.R")[1] < -.7)
    assert.is_true(place("toe.L")[3] > place("heel.L")[3] and place("eye.L")[3] > place("head")[3])
  end)

  eachClip("every number is finite and every joint within its limits", function(clip)
    over(clip, function(t)
      for joint = 1, #skeleton do
        local x, y, z = pose:getPosition(joint)
        assert.is_true(x - x == 0 and y - y == 0 and z - z == 0)
      end
      for joint, most in pairs(LIMITS) do
        local angle = turned(joint)
        assert.is_true(angle <= most, ("%s is turned by %.1f at %.3f"):format(joint, angle, t))
      end
      for _, side in ipairs({ ".L", ".R" }) do
        for _, row in ipairs(HINGES) do
          local angle, other = bend(row[1] .. side)
          local text = ("%s%s is bent by %.1f, %.1f at %.3f"):format(row[1], side, angle, other, t)
          assert.is_true(angle >= row[2] and angle <= row[3] and other <= row[4], text)
        end
        local ankle = dorsiflexion(side)
        assert.is_true(ankle > -55 and ankle < 40, ("ankle%s at %.1f at %.3f"):format(side, ankle, t))
      end
    end)
  end)

  it("is found sound by anim.validate", function()
    assert.same({}, anim.validate(model))
  end)

  it("is built alike every time", function()
    if not slow then return end
    local again = hero.build()
    local other = anim.newPose(again.skeleton)
    for i, clip in ipairs(model.clips) do
      clip:sample(.3, pose)
      again.clips[i]:sample(.3, other)
      for joint = 1, #skeleton do assert.same({ pose:get(joint) }, { other:get(joint) }) end
    end
  end)
end)

-- ---- feet

local SOLE = { heel = 0, toe = .02, toe_tip = .01 } -- how high the joints are above the ground when they stand on it

local function aboveGround(side)
  local lowest = math.huge
  for point, height in pairs(SOLE) do lowest = math.min(lowest, place(point .. side)[2] - height) end
  return lowest
end

describe("hero: feet", function()
  eachClip("do not pass the ground", function(clip)
    over(clip, function(t)
      for _, side in ipairs({ ".L", ".R" }) do
        local above = aboveGround(side)
        assert.is_true(above > -.01, ("foot%s is at %.4f at %.3f"):format(side, above, t))
      end
    end)
  end)

  -- The place on the ground that is under a point now, as the ground was at time 0: it moves and turns under a gait.
  local function onGround(motion, p, t)
    local turn = math.rad((motion.turn or 0) * t / motion.duration)
    local way, heading = (motion.speed or 0) * t, math.rad(motion.heading or 0)
    local x, z = p[1] * math.cos(turn) + p[3] * math.sin(turn), p[3] * math.cos(turn) - p[1] * math.sin(turn)
    return { x + way * math.sin(heading), 0, z + way * math.cos(heading) }
  end

  -- How far each point of the sole slides while it touches the ground and the foot is locked.
  local function worstSlide(clip, motion, still)
    local worst, first = 0, {}
    over(clip, function(t)
      for _, side in ipairs({ ".L", ".R" }) do
        local lock = motion.curves["foot_lock" .. side](t)
        for point, height in pairs(SOLE) do
          local p, key = place(point .. side), point .. side
          if lock > .5 and p[2] - height < .003 then
            local now = onGround(still and { duration = 1 } or motion, p, t)
            first[key] = first[key] or now
            worst = math.max(worst, length(sub(now, first[key])))
          else
            first[key] = nil
          end
        end
      end
    end, 5 * STEPS)
    return worst
  end

  eachClip("locked feet are on the ground and stay where they are", function(clip, motion)
    if not (motion.curves and motion.curves["foot_lock.L"]) then return end -- death
    local slide = worstSlide(clip, motion)
    assert.is_true(slide < .01, ("slides %.4f m"):format(slide))
    over(clip, function(t)
      for _, side in ipairs({ ".L", ".R" }) do
        local above = aboveGround(side)
        local isLocked = motion.curves["foot_lock" .. side](t) > .5
        assert.is_true(above < .005 or not isLocked, ("foot%s is at %.4f at %.3f"):format(side, above, t))
      end
    end)
  end)

  it("stay where they are when the root travels", function()
    local travelling = gc.rest(hero.build, { travel = true })
    for name, speed in pairs(hero.speeds) do
      local slide = worstSlide(travelling.clips[name], hero.motions[name], true)
      assert.is_true(slide < .01, ("%s slides %.4f m"):format(name, slide))
      local way = length(place("root"))
      assert.is_true(math.abs(way - speed * hero.motions[name].duration) < 1e-4)
    end
  end)

  eachClip("footstep events come at touch-down", function(clip, motion)
    for _, event in ipairs(motion.events or {}) do
      local function height(t)
        clip:sample(t % clip:getDuration(), pose)
        return aboveGround("." .. event.data)
      end
      if event.name == "footstep" then
        assert.is_true(math.abs(height(event.time)) < .004 and math.abs(height(event.time + .03)) < .004, event.time)
        assert.is_true(height(event.time - .04) > .001 or not motion.loop and event.time == 0, event.time)
      end
    end
  end)
end)

-- ---- motion

-- Places of all joints at each key: frames[0] to frames[last].
local function keyFrames(clip)
  local last = math.floor(clip:getDuration() * (hero.motions[clip:getName()].rate or 30) + .5)
  local frames = {}
  for i = 0, last do
    clip:sample(clip:getDuration() * i / last, pose)
    frames[i] = {}
    for joint = 1, #skeleton do frames[i][joint] = place(joint) end
  end
  return frames, last
end

describe("hero: loops", function()
  eachClip("a loop closes in pose and velocity", function(clip)
    if clip:getLoop() ~= true then return end
    local frames, last = keyFrames(clip)
    for joint = 1, #skeleton do
      -- By how much the way from key to key changes at key b.
      local function jolt(a, b, c)
        a, b, c = frames[a][joint], frames[b][joint], frames[c][joint]
        return length(sub(sub(c, b), sub(b, a)))
      end
      local seam, usual = jolt(last - 1, 0, 1), 0
      for i = 1, last - 1 do usual = math.max(usual, jolt(i - 1, i, i + 1)) end
      assert.is_true(length(sub(frames[0][joint], frames[last][joint])) < 1e-4, skeleton:getName(joint))
      local text = ("%s: %.5f and %.5f m"):format(skeleton:getName(joint), seam, usual)
      assert.is_true(seam <= usual * 1.5 + 1e-4, text)
    end
  end)
end)

local function correlation(a, b)
  local n, ma, mb = #a, 0, 0
  for i = 1, n do
    ma, mb = ma + a[i] / n, mb + b[i] / n
  end
  local ab, aa, bb = 0, 0, 0
  for i = 1, n do
    ab, aa, bb = ab + (a[i] - ma) * (b[i] - mb), aa + (a[i] - ma) ^ 2, bb + (b[i] - mb) ^ 2
  end
  return ab / math.sqrt(aa * bb)
end

local function centreOfMass()
  local sum = { 0, 0, 0 }
  for _, row in ipairs(rig.masses) do
    local a, b = place(row[2]), place(row[3])
    for k = 1, 3 do sum[k] = sum[k] + row[1] * (a[k] + (b[k] - a[k]) * row[4]) end
  end
  return sum
end

-- How far the point lies inside the area between the heels and toes on the ground (below 0: outside).
local function insideSupport(p)
  local points = {}
  for _, side in ipairs({ ".L", ".R" }) do
    for _, joint in ipairs({ "heel", "toe_tip" }) do points[#points + 1] = place(joint .. side) end
  end
  local least = math.huge
  for _, a in ipairs(points) do
    for _, b in ipairs(points) do
      local ex, ez = b[1] - a[1], b[3] - a[3]
      local size = math.sqrt(ex * ex + ez * ez)
      local isEdge = size > 1e-9
      for _, c in ipairs(points) do
        if (c[1] - a[1]) * ez - (c[3] - a[3]) * ex < -1e-9 then isEdge = false end
      end
      if isEdge then least = math.min(least, ((p[1] - a[1]) * ez - (p[3] - a[3]) * ex) / size) end
    end
  end
  return least
end

describe("hero: motion", function()
  it("the arms swing against the legs", function()
    for _, name in ipairs({ "walk", "run", "walk_back" }) do
      local hands, feet = {}, {}
      over(model.clips[name], function()
        hands[#hands + 1] = place("hand.L")[3] - place("hand.R")[3]
        feet[#feet + 1] = place("foot.L")[3] - place("foot.R")[3]
      end)
      local r = correlation(hands, feet)
      assert.is_true(r < -.85, ("%s: %.3f"):format(name, r))
    end
  end)

  it("shoulders turn against the hips, and the head turns less than both", function()
    local function yaw(a, b)
      local d = sub(place(a), place(b))
      return math.deg(atan2(-d[3], d[1]))
    end
    for _, name in ipairs({ "walk", "run" }) do
      local hips, chest, head, body = {}, {}, 0, 0
      over(model.clips[name], function()
        hips[#hips + 1], chest[#chest + 1] = yaw("upper_leg.L", "upper_leg.R"), yaw("upper_arm.L", "upper_arm.R")
        head = math.max(head, math.abs(yaw("eye.L", "eye.R")))
        body = math.max(body, math.min(math.abs(hips[#hips]), math.abs(chest[#chest])))
      end)
      assert.is_true(correlation(hips, chest) < -.8, name)
      assert.is_true(head < body / 2, name)
    end
  end)

  local function airborne(clip, visit)
    local time, steps = 0, 200
    over(clip, function(t)
      local low = math.min(aboveGround(".L"), aboveGround(".R"))
      if low > .005 then time = time + clip:getDuration() / steps end
      if visit then visit(t, low) end
    end, steps)
    return time
  end

  it("a foot is always down in walking, and in running none is for a while", function()
    for name, motion in pairs(hero.motions) do
      if motion.speed and name ~= "run" then assert.is_true(airborne(model.clips[name]) == 0, name) end
    end
    local flight = airborne(model.clips.run)
    assert.is_true(flight > .1 and flight < .3, flight)
  end)

  it("the body is highest in mid-stance when walking and in flight when running", function()
    local function highest(clip)
      local best, at = -1, nil
      over(clip, function(t)
        local y = centreOfMass()[2]
        if t <= clip:getDuration() / 2 and y > best then best, at = y, t / clip:getDuration() end
      end)
      return at
    end
    local walk, run = highest(model.clips.walk), highest(model.clips.run)
    assert.is_true(walk > .2 and walk < .38, walk)
    assert.is_true(run > .36 and run < .5, run)
  end)

  it("the weight is over the feet", function()
    for _, name in ipairs({ "idle", "wave", "aim", "shoot", "reload" }) do
      over(model.clips[name], function(t)
        local margin = insideSupport(centreOfMass())
        assert.is_true(margin > .03, ("%s: %.3f at %.3f"):format(name, margin, t))
      end)
    end
    for _, name in ipairs({ "hit", "attack", "jump_start", "jump_land", "turn_left" }) do
      over(model.clips[name], function(t)
        local margin = insideSupport(centreOfMass())
        assert.is_true(margin > -.08, ("%s: %.3f at %.3f"):format(name, margin, t))
      end)
    end
    local mean = { 0, 0 } -- of a walk: between the feet, and no further to the side than they are
    over(model.clips.walk, function()
      local com, l, r = centreOfMass(), place("foot.L"), place("foot.R")
      assert.is_true(com[1] < l[1] + .03 and com[1] > r[1] - .03)
      mean[1], mean[2] = mean[1] + com[1], mean[2] + com[3] - (l[3] + r[3]) / 2
    end)
    assert.is_true(math.abs(mean[1] / STEPS) < .01 and math.abs(mean[2] / STEPS) < .08)
  end)

  it("a jump flies as a thrown body does", function()
    local clip, heights = model.clips.jump, {}
    airborne(clip, function(t, low) heights[#heights + 1] = { t, centreOfMass()[2], low } end)
    local flown = 0
    for i = 3, #heights - 2 do
      local a, b, c = heights[i - 2], heights[i], heights[i + 2]
      if a[3] > .02 and c[3] > .02 then
        flown = flown + 1
        local g = (a[2] - 2 * b[2] + c[2]) / ((c[1] - a[1]) / 2) ^ 2
        assert.is_true(math.abs(g + 9.81) < 2.5, g)
      end
    end
    assert.is_true(flown > 30)
  end)

  it("clip:mirror makes the right strafe of the left one, half a stride later", function()
    local mirrored, right = model.clips.strafe_left:mirror("x"), model.clips.strafe_right
    local other = anim.newPose(skeleton)
    for i = 0, 20 do
      local t = right:getDuration() * i / 20
      right:sample(t, pose)
      mirrored:sample((t + right:getDuration() / 2) % right:getDuration(), other)
      for joint = 1, #skeleton do
        local x, y, z = other:getPosition(joint)
        assert.is_true(length(sub(place(joint), { x, y, z })) < 1e-3, skeleton:getName(joint))
      end
    end
  end)
end)
