-- 2D rigs: what descriptions become is compared with flat arithmetic of angles; IK stays in the plane. What is drawn:
-- spec/love_rig2d_game_spec.lua.
local anim = require("anim")
local flatRig = require("spec.support.flat_rig")
local garbage = require("spec.support.garbage")
local raises = require("spec.support.raises")
local rig2d = require("anim.love.rig2d")
local shapes = require("anim.love.rig2d.shapes")
local joints, newRig = flatRig.joints, flatRig.newRig

local pi = math.pi
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143

local function near(expected, got, tolerance, what)
  local message = ("%s: %.9g expected, got %.9g"):format(what or "", expected, got)
  assert.is_true(math.abs(expected - got) <= tolerance, message)
end

local function nearAngle(expected, got, tolerance, what)
  near(0, (got - expected + pi) % (2 * pi) - pi, tolerance, what)
end

-- Flat forward kinematics: joints by name with x, y, angle, scale s of their own; gives place, angle, scale.
local function place(list, name)
  local joint = list[name]
  if not joint.parent then return joint.x, joint.y, joint.angle, joint.s end
  local x, y, angle, s = place(list, joint.parent)
  local c, n = math.cos(angle) * s, math.sin(angle) * s
  return x + c * joint.x - n * joint.y, y + n * joint.x + c * joint.y, angle + joint.angle, s * joint.s
end

describe("a rig", function()
  it("lies as flat arithmetic says, children at their parents' ends", function()
    local seed = 1
    local function random(low, high)
      seed = (seed * 16807) % 2147483647
      return low + (high - low) * seed / 2147483647
    end
    for _ = 1, 50 do
      local list, flat = {}, {}
      for i = 1, 12 do
        local name, parent = "j" .. i, i > 1 and "j" .. math.floor(random(1, i)) or nil
        local own = { x = random(0, 1) < .5 and random(-40, 40) or nil, y = random(-40, 40), angle = random(-4, 4),
          length = random(0, 50), s = random(.5, 1.5) }
        list[i] = { name = name, parent = parent, x = own.x, y = own.y, angle = own.angle, length = own.length,
          sx = own.s, sy = own.s }
        own.parent, own.x = parent, own.x or (parent and flat[parent].length or 0)
        flat[name] = own
      end
      local character = rig2d.newRig({ joints = list }):newCharacter()
      for name in pairs(flat) do
        local x, y, angle, s = place(flat, name)
        local gx, gy, ga, gsx, gsy = character:getJoint(name)
        near(x, gx, 1e-3, name)
        near(y, gy, 1e-3, name)
        nearAngle(angle, ga, 1e-4, name)
        near(s, gsx, 1e-4, name)
        near(s, gsy, 1e-4, name)
      end
    end
  end)

  it("is a model, with its clips in byte order", function()
    local rig = newRig({ clips = { b = { duration = 1 }, a = { duration = 2 } } })
    assert.are.equal("a", rig.clips[1]:getName())
    assert.are.equal(1, rig.clips.b:getDuration())
    assert.are.equal(#joints(), #rig.skeleton)
    local graph = anim.newGraph(rig)
    graph:play("b")
    graph:update(.1)
    assert.are.equal("anim.love.Rig2D: 9 joints, 0 sprites, 2 clips", tostring(rig))
  end)
end)

describe("a clip", function()
  -- The angle of the hand's parent after `time`, in a character that plays `keys` of the arm.
  local function angleAt(keys, time, options)
    local clip = { joints = { arm = { angle = keys } } }
    for key, value in pairs(options or {}) do clip[key] = value end
    local rig = newRig({ clips = { move = clip } })
    local pose = anim.newPose(rig.skeleton)
    rig.clips.move:sample(time, pose)
    local _, _, _, _, _, z, w = pose:get("arm")
    return -2 * atan2(z, w) - (pi - .1)
  end

  local eases = {
    linear = function(s) return s end, smooth = function(s) return s * s * (3 - 2 * s) end,
    easeIn = function(s) return s * s end, easeOut = function(s) return 1 - (1 - s) ^ 2 end,
  }

  it("goes from key to key as its ease says", function()
    for name, ease in pairs(eases) do
      for i = 0, 20 do
        local s = i / 20
        nearAngle(.3 + 1.4 * ease(s), angleAt({ { 0, .3, name }, { .5, 1.7 } }, s / 2), .006, name .. s)
        nearAngle(.3 + 1.4 * ease(s), angleAt({ { 0, .3 }, { .5, 1.7 } }, s / 2, { ease = name }), .006, name)
        nearAngle(.3 + 1.4 * ease(s), angleAt({ ease = name, { 0, .3 }, { .5, 1.7 } }, s / 2), .006, name)
      end
    end
  end)

  it("takes four numbers as a curve, and a number alone as all of it", function()
    for i = 0, 10 do
      nearAngle(i / 10, angleAt({ { 0, 0, { 1 / 3, 1 / 3, 2 / 3, 2 / 3 } }, { 1, 1 } }, i / 10), 1e-4)
    end
    nearAngle(.5, angleAt({ { 0, 0, { .9, 0, .1, 1 } }, { 1, 1 } }, .5), 1e-4)
    nearAngle(.7, angleAt(.7, .3, { duration = 1 }), 1e-6)
  end)

  it("steps where it is told to, also among keys that do not", function()
    nearAngle(1, angleAt({ { 0, 1, "step" }, { .5, 2 }, { 1, 0 } }, .49), 1e-6)
    nearAngle(2, angleAt({ { 0, 1, "step" }, { .5, 2 }, { 1, 0 } }, .5), 1e-6)
    nearAngle(1, angleAt({ { 0, 1, "step" }, { .5, 2 }, { 1, 0 } }, .75), 1e-4)
    nearAngle(1, angleAt({ ease = "step", { 0, 1 }, { .5, 2 } }, .49999), 1e-6)
  end)

  it("follows a spline through its keys without a corner, over the end of a loop, too", function()
    local keys = { ease = "spline", { 0, 0 }, { .25, 1 }, { .5, .8 }, { .75, -.2 } } -- comes back at 1 s
    for _, pair in ipairs({ { 0, 0 }, { .25, 1 }, { .5, .8 }, { .75, -.2 } }) do
      nearAngle(pair[2], angleAt(keys, pair[1], { duration = 1 }), 1e-5)
    end
    local h = 1e-3
    local before = (angleAt(keys, 1, { duration = 1 }) - angleAt(keys, 1 - h, { duration = 1 })) / h
    local after = (angleAt(keys, h, { duration = 1 }) - angleAt(keys, 0, { duration = 1 })) / h
    near(2.4, before, .5) -- (1 - -.2) / .5 s
    near(2.4, after, .5)
  end)

  it("that repeats comes back to its first key; one that plays once holds its last", function()
    nearAngle(.5, angleAt({ { 0, 0 }, { .5, 1 } }, .75, { duration = 1 }), 1e-4)
    nearAngle(1, angleAt({ { 0, 0 }, { .5, 1 } }, .75, { duration = 1, loop = false }), 1e-4)
  end)

  it("turns all the way round", function()
    for i = 0, 20 do
      nearAngle(-4 * pi * i / 20, angleAt({ { 0, 0 }, { 1, -4 * pi } }, i / 20, { loop = false }), 1e-3, i)
    end
  end)

  it("adds to places and multiplies scales", function()
    local rig = newRig({ clips = { move = { duration = 1, joints = {
      arm = { x = 3, y = { { 0, 0 }, { 1, 8 } }, scaleX = 2 }, head = { scale = .5 } } } } })
    local pose = anim.newPose(rig.skeleton)
    rig.clips.move:sample(.5, pose)
    local x, y, _, _, _, _, _, sx, sy, sz = pose:get("arm")
    assert.are.same({ 28, -6, 2, 1, 1 }, { x, y, sx, sy, sz })
    assert.are.same({ .5, .5, 1 }, { select(8, pose:get("head")) })
  end)

  it("has events, markers, curves and root motion", function()
    local rig = newRig({ clips = { move = { duration = 1, joints = { root = { x = { { 0, 0 }, { 1, 60 } } } },
      events = { { .2, "step", 7 }, { time = .5, name = "hit", duration = .3 } }, markers = { { .1, "L" } },
      curves = { glow = { { 0, 0 }, { 1, 10 } } }, root = { joint = "root", translation = "x" } } } })
    local events = rig.clips.move:getEvents()
    assert.are.equal("step", events[1].name)
    assert.are.equal(7, events[1].data)
    near(.3, events[2].duration, 1e-6)
    assert.are.equal("L", rig.clips.move:getMarkers()[1].name)
    near(5, rig.clips.move:getCurve("glow", .5), 1e-3)
    local character = rig:newCharacter({ graph = { root = "move" }, scale = 2, facing = -1, angle = .5 })
    character:update(.25)
    local dx, dy, turn = character:getRootMotion()
    near(-30 * math.cos(.5), dx, 1e-3)
    near(-30 * math.sin(.5), dy, 1e-3)
    near(0, turn, 1e-6)
  end)

  it("gives turns of its root as they are seen", function()
    local rig = newRig({ clips = { roll = { duration = 2, joints = { root = { angle = { { 0, 0 }, { 2, 1 } } } },
      root = { joint = "root", rotation = true } } } })
    for _, facing in ipairs({ 1, -1 }) do
      local character = rig:newCharacter({ graph = { root = "roll" }, facing = facing })
      character:update(.5)
      near(facing * .25, select(3, character:getRootMotion()), 1e-5)
      nearAngle(facing > 0 and 0 or pi, select(3, character:getJoint("root")), 1e-5) -- it plays in place
    end
  end)

  it("changes sprites, which a character can overrule", function()
    local shape = { polygon = { 0, 0, 4, 0, 0, 4 } }
    local rig = newRig({ sprites = { { name = "face", joint = "head", choice = "calm",
      choices = { calm = shape, glad = shape, sad = shape } }, { name = "dot", joint = "head", polygon = shape.polygon,
      visible = false } }, clips = { move = { duration = 1, sprites = {
      face = { { .2, "glad" }, { .4, false }, { .6, true } }, dot = { { 0, false }, { .5, true } } } }, rest = {
      duration = 1 } } })
    local character = rig:newCharacter()
    assert.are.equal("calm", character:getSprite("face"))
    assert.is_false(character:getSprite("dot"))
    character.graph:play("move")
    local seen = {}
    for i = 1, 4 do
      character:update(i == 1 and .25 or .2)
      seen[i] = { character:getSprite("face"), character:getSprite("dot") }
    end
    assert.are.same({ { "glad", false }, { false, false }, { "calm", "" }, { "calm", "" } }, seen)
    character:setSprite("face", "sad")
    assert.are.equal("sad", character:getSprite("face"))
    character:setSprite("face", nil)
    assert.are.equal("calm", character:getSprite("face"))
  end)
end)

describe("a character", function()
  it("finds its way between the rig and the screen", function()
    local character = newRig():newCharacter({ x = 100, y = 50, angle = .7, scale = 3, facing = -1 })
    local x, y = character:toWorld(10, 4)
    near(100 + math.cos(.7) * -30 - math.sin(.7) * 12, x, 1e-9)
    near(50 + math.sin(.7) * -30 + math.cos(.7) * 12, y, 1e-9)
    local bx, by = character:toRig(x, y)
    near(10, bx, 1e-9)
    near(4, by, 1e-9)
    local px, py = character:getPosition("head")
    local hx, hy = character:toRig(px, py)
    near(0, hx, 1e-4)
    near(-80, hy, 1e-4)
    local _, _, _, sx, sy = character:getJoint("head")
    near(3, sx, 1e-4)
    near(-3, sy, 1e-4) -- mirrored
  end)

  it("reaches for points of the screen, whichever way it looks", function()
    local character = newRig():newCharacter({ x = 300, y = 200, scale = 2, graph = { root = { type = "twoBone",
      name = "reach", input = { type = "pose" }, joint = "hand" } } })
    local leg = newRig():newCharacter({ x = 300, y = 200, scale = 2, angle = .2, graph = { root = { type = "twoBone",
      name = "step", input = { type = "pose" }, joint = "foot" } } })
    for _, facing in ipairs({ 1, -1 }) do
      leg:setFacing(facing)
      leg:setTarget("step", 300 + 20 * facing, 190)
      leg:update(1 / 60)
      local x, y = leg:getPosition("foot")
      near(300 + 20 * facing, x, 1e-2)
      near(190, y, 1e-2)
      character:setFacing(facing)
      character:setTarget("reach", 300 + 60 * facing, 60)
      character:update(1 / 60)
      x, y = character:getPosition("hand")
      near(300 + 60 * facing, x, 1e-2)
      near(60, y, 1e-2)
    end
  end)

  it("is told to anim's world as it is seen, turned and mirrored", function()
    local character = newRig():newCharacter({ x = 300, y = 200, scale = 2, graph = { root = { type = "twoBone",
      name = "step", input = { type = "pose" }, joint = "foot", space = "world" } } })
    for _, facing in ipairs({ 1, -1 }) do
      character:setTransform(300, 200, .4, 2)
      character:setFacing(facing)
      local x, y = character:toWorld(6, -8)
      character.graph:find("step"):setTarget(x / 2, -y / 2, 0)
      character:update(1 / 60)
      local gx, gy = character:getPosition("foot")
      near(x, gx, 1e-2)
      near(y, gy, 1e-2)
    end
  end)

  it("looks at points", function()
    local character = newRig():newCharacter({ graph = { root = { type = "aim", name = "look", input = { type = "pose" },
      joint = "head", axis = { 0, 1 } } } }) -- the head's x goes up, its y to the front
    for _, facing in ipairs({ 1, -1 }) do
      character:setFacing(facing)
      character:setTarget("look", 200 * facing, 20)
      character:update(1 / 60)
      local x, y, angle = character:getJoint("head")
      nearAngle(atan2(20 - y, 200 * facing - x), angle + facing * pi / 2, 1e-4)
    end
  end)

  it("stands on slopes with a foot node, ground and scarf in the plane", function()
    local list = joints()
    list[#list + 1] = { name = "toe", parent = "foot", x = 9, y = 3 }
    for i = 1, 3 do
      list[#list + 1] = { name = "tail" .. i, parent = i == 1 and "hips" or "tail" .. i - 1, angle = i == 1 and pi or 0,
        length = 10 }
    end
    local function ground(x) return 20 * math.sin(x / 40), -math.cos(x / 40) / 2, -1 end
    local character = rig2d.newRig({ joints = list }):newCharacter({ graph = { root = { type = "spring",
      joint = "tail1", gravity = { 0, 300 }, input = { type = "foot", pelvis = "hips", smooth = 0, ahead = 0,
        ground = rig2d.ground(ground), input = { type = "pose" }, legs = { { joint = "foot", toe = "toe" } } } } } })
    local worst, off = 0, 0
    for i = 1, 400 do
      local x = i * 1.5
      character:setTransform(x, (ground(x)))
      character:setFacing(i % 100 < 50 and 1 or -1)
      character:update(1 / 60)
      local tx, ty = character:getPosition("toe")
      if i > 50 then off = math.max(off, math.abs(ground(tx) - ty)) end
      for j = 1, #list do
        local _, _, a, _, _, _, b, _, c, d, _, _, _, _, z = character.graph:getMatrix(j)
        worst = math.max(worst, math.abs(a), math.abs(b), math.abs(c), math.abs(d), math.abs(z))
      end
    end
    assert.is_true(worst < 1e-4, "out of the plane by " .. worst)
    assert.is_true(off < 1.5, "off the ground by " .. off)
  end)

  it("stays in the plane wherever the target is", function()
    local rig = newRig()
    local rest = anim.newPose(rig.skeleton)
    local seed = 7
    local function random(low, high)
      seed = (seed * 16807) % 2147483647
      return low + (high - low) * seed / 2147483647
    end
    for i = 1, 3000 do
      rest:toRest()
      for _, name in ipairs({ "thigh", "shin", "arm" }) do
        local x, y = rest:get(name)
        local half = random(-1.5, 1.5)
        rest:set(name, x, y, 0, 0, 0, math.sin(half), math.cos(half), 1, 1, 1)
      end
      local x, y = random(-120, 120), random(-20, 140)
      if i % 5 == 0 then -- straight behind the limb
        local hx, hy = rest:getPosition("hips")
        local fx, fy = rest:getPosition("foot")
        x, y = hx - (fx - hx) * .7, hy - (fy - hy) * .7
      end
      rest:twoBone({ joint = "foot", target = { x, y, 0 } })
      rest:chain({ root = "spine", joint = "hand", target = { y, x, 0 } })
      for j = 1, #rig.skeleton do
        local _, _, a, _, _, _, b, _, c, d, e, _, _, _, z = rest:getMatrix(j)
        local off = math.abs(a) + math.abs(b) + math.abs(c) + math.abs(d) + math.abs(e - 1) + math.abs(z)
        assert.is_true(off < 1e-6, off)
      end
    end
  end)

  it("looks straight behind in the plane", function()
    local character = newRig():newCharacter({ graph = { root = { type = "aim", name = "look",
      input = { type = "pose" }, joint = "head", axis = { 0, 1 } } } })
    for i = -40, 40 do
      character.graph:reset()
      character:setTarget("look", -100, -80 + i / 2) -- the head is at 0, -80
      character:update(1 / 60)
      local _, _, a, _, _, _, b, _, c, d, e = character.graph:getMatrix("head")
      assert.is_true(math.abs(a) + math.abs(b) + math.abs(c) + math.abs(d) + math.abs(e - 1) < 1e-6, i)
    end
  end)

  it("leaves no garbage", function()
    local shape = { polygon = { 0, 0, 4, 0, 0, 4 } }
    local rig = newRig({ sprites = { { name = "face", joint = "head", choice = "a", choices = { a = shape } } },
      clips = { move = { duration = 1, joints = { arm = { angle = { { 0, 0 }, { .5, 1 } } } },
        sprites = { face = { { 0, "a" } } } } } })
    local character = rig:newCharacter({ graph = { root = { type = "aim", name = "look", input = "move",
      joint = "head" } } })
    local bytes, allocations = garbage(function(i)
      character:setTransform(i, 2)
      character:setTarget("look", i, 50)
      character:update(1 / 60)
      character:getJoint("hand")
      character:getPosition("head")
      character:getSprite("face")
      character:getRootMotion()
    end, 1000)
    assert.are.equal(0, bytes)
    assert.are.equal(0, allocations)
  end)

  it("has copies, and takes another graph while it runs", function()
    local rig = newRig({ clips = { a = { duration = 1 }, b = { duration = 1 } } })
    local first = rig:newCharacter({ graph = { root = "a" }, x = 5, y = 6, facing = -1 })
    local second = first:clone()
    assert.are.same({ 5, 6, 0, 1, 1 }, { second:getTransform() })
    assert.are.equal(-1, second:getFacing())
    assert.are_not.equal(first:getGraph(), second.graph)
    assert.are.equal(rig, second:getRig())
    first:reload({ root = { type = "aim", input = "b", joint = "head", target = { 3, 4 } } })
    assert.are.same({ 3, -4, 0 }, first.graph:describe().root.target)
    assert.are.same({ 1, 0, 0 }, first.graph:describe().root.axis)
  end)

  it("draws with LÖVE only", function()
    if rawget(_G, "love") then return end
    raises.exactly("drawing needs LÖVE with a window (love.graphics)", function() newRig():newCharacter():draw() end)
  end)
end)

describe("shapes", function()
  local function areaOf(points)
    local sum = 0
    for i = 1, #points, 2 do
      local k = i + 2 > #points and 1 or i + 2
      sum = sum + points[i] * points[k + 1] - points[k] * points[i + 1]
    end
    return math.abs(sum) / 2
  end

  local function covered(points, triangles)
    local sum = 0
    for i = 1, #triangles, 3 do
      local corner = {}
      for k = 0, 2 do
        corner[2 * k + 1], corner[2 * k + 2] = points[2 * triangles[i + k] - 1], points[2 * triangles[i + k]]
      end
      sum = sum + areaOf(corner)
    end
    return sum
  end

  it("are cut into triangles that cover them once", function()
    local star, comb = {}, {}
    for i = 0, 9 do
      local r = i % 2 == 0 and 10 or 4
      star[#star + 1], star[#star + 2] = r * math.cos(i * pi / 5), r * math.sin(i * pi / 5)
    end
    for i = 0, 6 do comb[#comb + 1], comb[#comb + 2] = i * 3, i % 2 * 20 end
    comb[#comb + 1], comb[#comb + 2], comb[#comb + 3], comb[#comb + 4] = 18, 25, 0, 25
    local back = {}
    for i = #star - 1, 1, -2 do back[#back + 1], back[#back + 2] = star[i], star[i + 1] end
    for _, points in ipairs({ star, comb, back, rig2d.limb(20, 6, 3), { 0, 0, 5, 0, 10, 0, 10, 10, 0, 10 } }) do
      local triangles = shapes.triangulate(points)
      near(areaOf(points), covered(points, triangles), 1e-9)
    end
    assert.is_nil(shapes.triangulate({ 0, 0, 1, 0, 2, 0 }))
  end)

  it("of limbs are what both circles span", function()
    for _, limb in ipairs({ { 20, 6, 3 }, { 20, 3, 6 }, { 0, 4, 4 } }) do
      local points = rig2d.limb(limb[1], limb[2], limb[3], 64)
      for k = 0, 63 do -- how far it goes in a direction
        local c, n, far = math.cos(k * pi / 32), math.sin(k * pi / 32), -1e9
        for i = 1, #points, 2 do far = math.max(far, c * points[i] + n * points[i + 1]) end
        near(math.max(limb[2], c * limb[1] + limb[3]), far, .01, k)
      end
      local triangles = shapes.triangulate(points)
      near(areaOf(points), covered(points, triangles), 1e-9)
    end
  end)

  it("hang on the bones that they are near", function()
    local rig = newRig()
    local thigh, shin = rig.joints.thigh, rig.joints.shin
    local function weigh(x, y) return shapes.weigh({ thigh, shin }, x, y, 1) end
    assert.is_true(weigh(thigh.world[5], thigh.world[6])[1] > .99)
    local middle = weigh(shin.world[5], shin.world[6])
    near(.5, middle[1], 1e-9)
    near(1, middle[1] + middle[2], 1e-12)
  end)
end)
