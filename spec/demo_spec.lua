-- examples/demo.lua as a user runs it: what it prints of the scene, and the page it writes.
package.path = "examples/?.lua;" .. package.path
local anim = require("anim")
local course = require("demo.course")
local data = require("spec.support.data")
local page = require("spec.support.page")
local scratch = require("spec.support.scratch")
local tracks = require("spec.support.tracks")

-- What the demo prints, and the data of its page; `file` may be nil.
local function run(file)
  local interpreter = 0
  while arg and arg[interpreter - 1] do interpreter = interpreter - 1 end
  local path = scratch.path(".html")
  local pipe = io.popen(("%s examples/demo.lua %s -o %s 2>&1; echo \"outcome $?\""):format(
    arg and arg[interpreter] or "lua", file or "", path))
  local text = pipe:read("*a")
  pipe:close()
  assert.is_truthy(text:find("outcome 0", 1, true), text)
  assert.is_truthy(text:find(path .. " shows it", 1, true))
  return text, data.decode(page.dataText(scratch.read(path)))
end

local function textsOf(list, at)
  local out = {}
  for i, item in ipairs(list) do out[i] = item[at] end
  return table.concat(out, " ")
end

-- The poses in a page, each frame's as the ten numbers of all joints; and one of them as a Pose.
local function readPoses(content)
  local frames, joints = {}, {}
  page.eachPose(content, content.takes[1], function(f, j, move, turn, scale)
    frames[f] = frames[f] or {}
    frames[f][j] = { move[1], move[2], move[3], turn[1], turn[2], turn[3], turn[4], scale[1], scale[2], scale[3] }
  end)
  for j, name in ipairs(content.names) do
    joints[j] = { name = name, parent = content.names[content.parents[j] + 1] }
  end
  local pose = anim.newPose(anim.newSkeleton(joints))
  return function(f)
    for j, name in ipairs(content.names) do
      local x = frames[f][j]
      pose:set(name, x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10])
    end
    return pose
  end
end

local function distance(a, b)
  return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
end

-- How high a point that rests at `height` is above the ground of the scene.
local function above(at, height)
  local ground, _, up = course.ground(at[1], at[2], at[3])
  return (at[2] - ground) * up - height
end

describe("the demo", function()
  local text, content, poseOf, scene

  setup(function()
    text, content = run()
    poseOf, scene = readPoses(content), dofile("examples/demo/scene.lua")
  end)
  teardown(scratch.clear)

  it("plays a scene with the hero and records it", function()
    for _, change in ipairs(scene.script) do
      assert.is_truthy(text:find(("%7.2f s  %s\n"):format(change[1], change[2]), 1, true), change[2])
    end
    assert.is_truthy(text:find(" L %d+%.%d%d R %d+%.%d%d L %d+%.%d%d"))
    assert.are.equal(scene.seconds, content.takes[1].seconds)
    assert.are.equal(scene.seconds * 60, content.takes[1].frames)
    local recorded = content.recording
    assert.are.equal("move strafe move turn move jump move", "move " .. textsOf(recorded.machines[1].transitions, 3))
    local ways = {}
    for _, event in ipairs(recorded.events) do ways[event[2]] = (ways[event[2]] or 0) + 1 end
    assert.is_true(ways.footstep > 30)
    assert.are.equal(1, ways.takeoff)
    -- He walks and runs ahead, strafes to both sides, turns and goes on to the left, up and down again.
    local path = content.takes[1].path
    assert.is_true(path[6] - path[3] > 15 and path[4] - path[1] > 8)
    assert.is_truthy(text:find("turned by 90 degrees", 1, true))
  end)

  it("has him walk over steps and a slope: feet that stand are on the ground, and stay where they are", function()
    local heights, stood, sloped, last = {}, 0, 0, {}
    for f = 24 * 60, math.floor(30.8 * 60) do
      local pose = poseOf(f)
      for _, side in ipairs({ "L", "R" }) do
        local heel, ball = { pose:getPosition("heel." .. side) }, { pose:getPosition("toe." .. side) }
        local before = last[side]
        if before and distance(heel, before[1]) < 1e-3 and distance(ball, before[2]) < 1e-3 then
          local told = ("frame %d, foot %s: heel %.4f, ball %.4f"):format(f, side, above(heel, 0), above(ball, .02))
          assert.is_true(math.abs(above(heel, 0)) < .005 and math.abs(above(ball, .02)) < .005, told)
          local height, ahead = course.ground(ball[1], 0, ball[3])
          if ahead == 0 then heights[math.floor(height * 100 + .5)] = true else sloped = sloped + 1 end
          stood = stood + 1
        end
        last[side] = { heel, ball }
      end
    end
    for step = 1, 5 do assert.is_true(heights[step * 15], "step " .. step) end
    assert.is_true(stood > 150 and sloped > 30, stood .. " " .. sloped)
  end)

  it("has him look at the firefly, and lay a hand on the rail", function()
    local function pointsOf(label)
      return tracks.placesOf(content, tracks.find(content.recording.targets, label).points[1])
    end
    local firefly, rail, looked, held = pointsOf("look"), pointsOf("hold"), 0, 0
    for f = 1, content.takes[1].frames, 5 do
      local pose = (firefly[f] or rail[f]) and poseOf(f)
      if firefly[f] and f / 60 > 22.5 and f / 60 < 32 then
        local m = { pose:getMatrix("head") }
        local eyes = { m[13] + .09 * m[5] + .09 * m[9], m[14] + .09 * m[6] + .09 * m[10],
          m[15] + .09 * m[7] + .09 * m[11] }
        local way = distance(firefly[f], eyes)
        local along = 0
        for i = 1, 3 do along = along + m[8 + i] * (firefly[f][i] - eyes[i]) / way end
        assert.is_true(along > math.cos(.02), ("%.2f s: %.3f radians off"):format(f / 60, math.acos(along)))
        looked = looked + 1
      end
      if rail[f] and f / 60 > 24.6 and f / 60 < 26.8 then
        local away = distance(rail[f], { pose:getPosition("hand.L") })
        assert.is_true(away < .01, ("%.2f s: %.3f m off"):format(f / 60, away))
        held = held + 1
      end
    end
    assert.is_true(looked > 80 and held > 20, looked .. " " .. held)
    assert.is_true(not firefly[20 * 60] and not rail[20 * 60] and not rail[30 * 60])
  end)

  it("draws the steps", function()
    local lines = course.lines()
    assert.is_true(#lines > 20)
    assert.are.equal(6 * #lines, #content.lines)
  end)

  local knight = "humanoid/kaykit_adventurers/Knight.glb"
  if data.has(knight) then
    it("plays all clips of a file", function()
      local said, shown = run("'" .. data.path(knight) .. "'")
      assert.is_truthy(said:find("how far they go", 1, true))
      assert.is_nil(shown.recording or shown.lines)
      assert.is_true(#shown.takes > 10)
    end)
  else
    pending("plays all clips of a file (skipped: no " .. data.path(knight) .. ")")
  end
end)
