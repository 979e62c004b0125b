-- Faults of the catalogue about IK, by number. 98, 101 and 105 stand in ik_oracle_spec.lua; 102 and 103 in
-- pose_spec.lua.
local anim = require("anim")
local reference = require("spec.support.reference")
local quat, vec = reference.quat, reference.vec

-- A row of joints along y, one metre apart, the first at the origin.
local function row(count)
  local list = {}
  for i = 1, count do
    list[i] = { name = "j" .. i, parent = i > 1 and "j" .. i - 1 or nil, translation = { 0, i > 1 and 1 or 0, 0 } }
  end
  return anim.newSkeleton(list)
end

local function turned(ax, ay, az, aw, bx, by, bz, bw)
  return quat.angle({ ax, ay, az, aw }, { bx, by, bz, bw })
end

local function rotation(graph, joint)
  local _, _, _, x, y, z, w = graph:getJoint(joint)
  return x, y, z, w
end

describe("faults of IK", function()
  it("94: the elbow goes on evenly as the target passes the pole", function()
    local graph = anim.newGraph(row(3), { root = { type = "twoBone", input = { type = "pose" }, joint = "j3",
      pole = { 0, 3, 0 } } })
    local last
    for half = -60, 60 do -- degrees from the pole, twice
      local a = math.rad(half / 2)
      graph:getRoot():setTarget(1.5 * math.sin(a), 1.5 * math.cos(a), 0)
      graph:update(1 / 60)
      local x, y, z = graph:getPosition("j2")
      assert.is_true(x == x and y == y and z == z)
      if last and math.abs(half) > 10 then
        local step = math.deg(math.acos(math.min(1, vec.dot(last, { x, y, z }))))
        assert.is_true(step <= 5, ("%g degrees from the pole: a step of %g"):format(half / 2, step))
      end
      assert.is_true(graph:getRoot():getResidual() < 1e-5)
      last = { x, y, z }
    end
  end)

  it("95: the first joint stays where it is", function()
    for _, solver in ipairs({ "fabrik", "ccd" }) do
      local list = { { name = "above", translation = { 3, 2, 1 }, rotation = { 0, .6, 0, .8 } } }
      for i = 1, 4 do
        list[i + 1] = { name = "j" .. i, parent = i > 1 and "j" .. i - 1 or "above", translation = { .5, .5, 0 } }
      end
      local pose = anim.newPose(anim.newSkeleton(list))
      local x, y, z = pose:getPosition("j1")
      for _, target in ipairs({ { 4, 3, 2 }, { 3.5, 2.5, 1 }, { 100, 0, 0 }, { 3, 2, 1 } }) do
        pose:chain({ joint = "j4", root = "j1", target = target, solver = solver })
        assert.are.same({ x, y, z }, { pose:getPosition("j1") })
        pose:twoBone({ joint = "j3", target = target })
        assert.are.same({ x, y, z }, { pose:getPosition("j1") })
      end
    end
  end)

  it("96: bones keep their lengths", function()
    for _, solver in ipairs({ "fabrik", "ccd" }) do
      local pose = anim.newPose(row(8))
      for i = 1, 200 do
        local a = i * .37
        pose:chain({ joint = "j8", root = "j1", solver = solver, iterations = i % 50 + 1,
          target = { 6 * math.sin(a), 4 * math.cos(a * 1.3), 5 * math.sin(a * .7) } })
        for j = 2, 8 do
          local ax, ay, az = pose:getPosition("j" .. j - 1)
          local bx, by, bz = pose:getPosition("j" .. j)
          assert.is_true(math.abs(vec.length({ bx - ax, by - ay, bz - az }) - 1) < 1e-5)
        end
      end
    end
  end)

  it("97: two joints in one place count as one, an axis of zeros is refused", function()
    local function solve(list, tip)
      local pose = anim.newPose(anim.newSkeleton(list))
      local residual = pose:chain({ joint = tip, root = "a", target = { 1, 1.2, .3 } })
      return residual, { pose:getPosition(tip) }
    end
    local once, at = solve({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } },
      { name = "c", parent = "b", translation = { .2, 1, 0 } } }, "c")
    local twice, there = solve({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } },
      { name = "b2", parent = "b" }, { name = "c", parent = "b2", translation = { .2, 1, 0 } } }, "c")
    assert.is_true(once < 1e-3 and twice < 1e-3)
    assert.is_true(vec.length(vec.sub(at, there)) < 2e-3)
    local pose = anim.newPose(row(2))
    assert.has_error(function() pose:aim({ joint = "j1", axis = { 0, 0, 0 }, target = { 1, 0, 0 } }) end)
    pose:aim({ joint = "j1", axis = { 0, 1e-30, 0 }, target = { 5, 0, 0 } })
    assert.is_true(math.abs((pose:getPosition("j2")) - 1) < 1e-6)
  end)

  it("99: a look-at past the limit stays at it, changes by its rate, and changes sides once", function()
    local limit, rate, dt = math.rad(70), 5, 1 / 60
    local graph = anim.newGraph(row(2), { root = { type = "aim", input = { type = "pose" }, joint = "j1",
      axis = { 0, 0, 1 }, limit = limit, rate = rate } })
    local function yaw()
      local x, y, z, w = rotation(graph, "j1")
      local f = quat.rotate({ x, y, z, w }, { 0, 0, 1 })
      assert.is_true(math.abs(f[2]) < 1e-3, "it leaves the level")
      return (math.atan2 or math.atan)(f[1], f[3]) -- luacheck: ignore 143
    end
    local angles = {}
    for a = 0, 180 do angles[#angles + 1] = a end
    for a = 179, -180, -1 do angles[#angles + 1] = a end
    for a = -179, 0 do angles[#angles + 1] = a end
    local last, sides, side = 0, 0, 0
    for _, a in ipairs(angles) do
      graph:getRoot():setTarget(10 * math.sin(math.rad(a)), 0, 10 * math.cos(math.rad(a)))
      graph:update(dt)
      local now = yaw()
      assert.is_true(math.abs(now) <= limit + 1e-4, ("at %d: %g"):format(a, math.deg(now)))
      assert.is_true(math.abs(now - last) <= rate * dt + 1e-4, ("at %d: from %g to %g"):format(a, last, now))
      local newSide = now > .02 and 1 or now < -.02 and -1 or side
      if newSide ~= side and side ~= 0 then sides = sides + 1 end
      side, last = newSide, now
    end
    assert.are.equal(1, sides)
  end)

  it("100: an aim counts with its parent's turn", function()
    local skeleton = anim.newSkeleton({ { name = "body", rotation = { 0, math.sqrt(.5), 0, math.sqrt(.5) } },
      { name = "head", parent = "body", translation = { 0, 1, 0 } } })
    local pose = anim.newPose(skeleton)
    local residual = pose:aim({ joint = "head", axis = { 0, 0, 1 }, target = { 5, 1, 0 } }) -- +Z of the head is +X
    local _, _, _, x, y, z, w = pose:get("head")
    assert.is_true(residual < 1e-6 and turned(x, y, z, w, 0, 0, 0, 1) < 1e-6)
  end)
end)
