-- Faults of the catalogue that need a graph and stand nowhere else, by number. Faults of weights, additive layers,
-- blend spaces, synchronisation and root motion: blend_faults_spec.lua; 91: root_motion_spec.lua; 110:
-- graph_edit_spec.lua. Fault 92 is about the repair of loops that do not close, which is not offered.
local anim = require("anim")
local check = require("spec.support.check")
local reference = require("spec.support.reference")
local quat = reference.quat

local joint = anim.newSkeleton({ { name = "joint" } })

local function turn(x, y, z, degrees) return quat.fromAxisAngle({ x, y, z }, math.rad(degrees)) end

local function rotations(list, duration)
  local times, values = {}, {}
  for i, q in ipairs(list) do
    times[i] = #list > 1 and duration * (i - 1) / (#list - 1) or 0
    for _, x in ipairs(q) do values[#values + 1] = x end
  end
  return { joint = { rotation = { times = times, values = values } } }
end

local function rotationOf(graph)
  local _, _, _, x, y, z, w = graph:getJoint("joint")
  return { x, y, z, w }
end

describe("faults", function()
  -- Deltas are quaternions: there is no pole, and no jump from 180 to -180 degrees.
  it("60: an additive layer near a pole turns evenly", function()
    local keys = {}
    for i = 0, 16 do
      local there = 1 - math.abs(i - 8) / 8
      keys[i + 1] = quat.mul(turn(1, 0, 0, 10 * there), turn(0, 0, 1, 20 * there))
    end
    for _, pole in ipairs({ turn(1, 0, 0, 90), turn(0, 1, 0, 90), turn(1, 0, 0, 180) }) do
      local clips = { base = anim.newClip({ name = "base", skeleton = joint, tracks = rotations({ pole }, 1) }),
        delta = anim.newClip({ name = "delta", skeleton = joint, tracks = rotations(keys, 2) }) }
      local graph = anim.newGraph(joint, { root = { type = "layers", base = "base", { "delta", mode = "additive" } } },
        { clips = clips })
      graph:update(0)
      local before, total, most, n = rotationOf(graph), 0, 0, 200
      for _ = 1, n do
        graph:update(2 / n)
        local now = rotationOf(graph)
        local angle = quat.angle(before, now)
        before, total, most = now, total + angle, math.max(most, angle)
      end
      assert.is_true(most <= 2 * total / n, ("%g degrees in a step, %g in the mean"):format(math.deg(most),
        math.deg(total / n)))
    end
  end)

  -- There is no search for the nearest marker of a name: members of a group are between the same two markers, so a name
  -- that comes twice cannot be mistaken. IDs L R R L, forward and backward, over the end of the clip.
  it("82: markers whose names come twice meet in their order", function()
    local function clip(name, duration, times)
      local markers = {}
      for i, id in ipairs({ "L", "R", "R", "L" }) do markers[i] = { time = times[i], name = id } end
      return anim.newClip({ name = name, skeleton = joint, duration = duration, markers = markers })
    end
    local times = { { .125, .25, .5, .75 }, { .25, 1, 1.125, 1.25 } }
    local clips = { a = clip("a", 1, times[1]), b = clip("b", 1.5, times[2]) }
    for _, speed in ipairs({ 1, -1 }) do
      local graph = anim.newGraph(joint, { root = { type = "mixer", sync = true, speed = speed, weights = { .6, .4 },
        inputs = { { type = "clip", clip = "a", name = "a" }, { type = "clip", clip = "b", name = "b" } } } },
        { clips = clips })
      -- How many markers are passed, with the fraction of the way to the next.
      local function placeOf(time, list, length)
        for i = 1, 4 do
          local from, to = list[i], i < 4 and list[i + 1] or list[1] + length
          for _, t in ipairs({ time, time + length }) do
            if t >= from and t < to then return i + (t - from) / (to - from) end
          end
        end
      end
      for _ = 1, 200 do
        graph:update(.037)
        local a, b = placeOf(graph:find("a"):getTime(), times[1], 1), placeOf(graph:find("b"):getTime(), times[2], 1.5)
        local apart = math.abs(a - b)
        check.near({ 0 }, { math.min(apart, 4 - apart) }, 1e-5)
      end
    end
  end)

  -- A negative speed in a blend shows that clip backwards, in step with the others.
  it("79, backwards: a member of negative speed runs from its end while the phase is shared", function()
    local function clip(name, duration)
      return anim.newClip({ name = name, skeleton = joint, duration = duration })
    end
    local graph = anim.newGraph(joint, { params = { speed = 0 }, root = { type = "blend1D", param = "speed",
      { -1, { type = "clip", clip = "walk", name = "back" }, speed = -1 }, { 0, "idle" },
      { 1, { type = "clip", clip = "walk", name = "walk" } } } },
      { clips = { walk = clip("walk", 1), idle = clip("idle", 2) } })
    local back, walk, phase = graph:find("back"), graph:find("walk"), 0
    for i = 0, 40 do
      local x = i / 20 - 1
      graph:set("speed", x)
      graph:update(.05)
      phase = (phase + .05 / (math.abs(x) + 2 * (1 - math.abs(x)))) % 1
      check.near({ phase }, { walk:getPhase() }, 1e-5)
      check.near({ (1 - phase) % 1 }, { back:getPhase() }, 1e-5)
    end
  end)
end)
