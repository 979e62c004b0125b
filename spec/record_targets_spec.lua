-- anim.record: targets and poles of solvers are where they were set, moved as the pose is.
local anim = require("anim")
local data = require("spec.support.data")
local page = require("spec.support.page")
local quat = require("spec.support.reference").quat
local scratch = require("spec.support.scratch")
local tiny = require("spec.support.tiny")
local tracks = require("spec.support.tracks")

describe("record of solvers", function()
  teardown(scratch.clear)

  -- A hand follows `reach`, its elbow a pole; the head looks at the other hand. The body goes round in a circle.
  local function newReach(options)
    local model = page.walker()
    local ahead, about = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 2 } }, { times = { 0, 1 }, values = {} }
    for _, angle in ipairs({ 0, 90 }) do
      for _, x in ipairs(tiny.about("y", angle)) do about.values[#about.values + 1] = x end
    end
    local round = anim.newClip({ name = "round", skeleton = model.skeleton,
      tracks = { hips = { translation = ahead, rotation = about } } })
    round = round:withRootMotion({ joint = "hips", translation = "xz", rotation = "y" })
    local description = { params = { looks = 1 }, nodes = {
      reach = { type = "twoBone", input = "round", joint = "hand.L", target = { .3, 1, .4 }, pole = { .5, 1.25, -1 } },
      look = { type = "aim", input = "reach", joint = "head", target = "hand.R", weight = "looks" },
    }, root = "look" }
    for key, value in pairs(options or {}) do description[key] = value end
    local clips = { round = round, walk = model.clips[1], bow = model.clips[2] }
    return anim.newGraph(model, description, { clips = clips }), model
  end

  local function isAt(content, expected, got, told)
    for axis = 1, 3 do
      local away = math.abs(expected[axis] - got[axis]) / content.units.move
      assert.is_true(away < .55, ("%s: %g quanta"):format(told, away))
    end
  end

  it("keeps targets and poles where they were, root motion and all", function()
    local graph = newReach()
    local made, reach, targets, poles = anim.record(graph), graph:find("reach"), {}, {}
    local place, turn = { 0, 0, 0 }, { 0, 0, 0, 1 }
    local function inWorld(point)
      local moved = quat.rotate(turn, point)
      return { place[1] + moved[1], place[2] + moved[2], place[3] + moved[3] }
    end
    for i = 1, 700 do
      local target = { .3 * math.sin(i / 20), 1 + i / 4000, .4 }
      if i > 100 then reach:setTarget(target[1], target[2], target[3]) else target = { .3, 1, .4 } end
      if i == 300 then reach:setPole(0, 2, 0) end
      graph:update(1 / 60)
      local dx, dy, dz, qx, qy, qz, qw = graph:getRootMotion()
      place, turn = inWorld({ dx, dy, dz }), quat.normalize(quat.mul(turn, { qx, qy, qz, qw }))
      targets[i], poles[i] = inWorld(target), inWorld(i < 300 and { .5, 1.25, -1 } or { 0, 2, 0 })
    end
    made:stop()
    local content = page.data(made)
    local found = tracks.find(content.recording.targets, "reach")
    assert.are.equal(2, #found.points)
    local names = { content.names[found.points[1].joint + 1], content.names[found.points[2].joint + 1] }
    assert.are.same({ "hand.L", "lower_arm.L" }, names)
    assert.are.same({ false, true }, { found.points[1].pole, found.points[2].pole })
    local target, pole = tracks.placesOf(content, found.points[1]), tracks.placesOf(content, found.points[2])
    for i = 1, 700 do
      isAt(content, targets[i], target[i], "target " .. i)
      isAt(content, poles[i], pole[i], "pole " .. i)
    end
  end)

  it("keeps a joint that is a target where the pose has it", function()
    local graph = newReach({ root = { type = "aim", input = "walk", joints = { { "spine", .3 }, { "head", .7 } },
      target = "hand.R" } })
    local made, places = anim.record(graph), {}
    for i = 1, 60 do
      graph:update(.02)
      places[i] = { graph:getPosition("hand.R") }
    end
    made:stop()
    local content = page.data(made)
    local look = content.recording.targets[1]
    assert.are.equal("aim", look.label)
    assert.is_false(look.named)
    assert.are.equal("head", content.names[look.points[1].joint + 1])
    local hand = tracks.placesOf(content, look.points[1])
    for i = 1, 60 do isAt(content, places[i], hand[i], i) end
  end)

  it("keeps nothing of one that is not heard, not given a target or of no weight", function()
    local graph = newReach({ nodes = {
      heard = { type = "twoBone", input = "walk", joint = "hand.L", target = { 0, 1, 1 } },
      never = { type = "twoBone", input = "bow", joint = "hand.R", target = { 0, 1, 1 } },
      none = { type = "twoBone", input = "heard", joint = "foot.L" },
      silent = { type = "aim", input = "none", joint = "head", target = { 0, 1, 1 }, weight = "looks" },
      mix = { type = "mixer", inputs = { "silent", "bow" } },
    }, root = { type = "mixer", inputs = { "mix", "never" } } })
    local made = anim.record(graph)
    local mix, none = graph:find("mix"), graph:find("none")
    graph:set("looks", 0)
    for i = 1, 800 do
      if i == 601 then mix:setWeight(1, 0) mix:setWeight(2, 1) end
      if i == 611 then mix:setWeight(1, 1) mix:setWeight(2, 0) end
      if i >= 650 then none:setTarget(0, i / 700, 1) end
      if i == 700 then none:setWeight(0) end
      if i == 710 then none:setWeight(.01) end
      graph:update(.02)
    end
    made:stop()
    local content = page.data(made)
    local heard, late = tracks.find(content.recording.targets, "heard"), tracks.find(content.recording.targets, "none")
    assert.are.equal(2, #content.recording.targets)
    local places, after = tracks.placesOf(content, heard.points[1]), tracks.placesOf(content, late.points[1])
    assert.are.equal("", late.points[1].blocks[1])
    for i = 1, 800 do
      assert.are.equal(i <= 600 or i > 610, places[i] ~= false, i)
      assert.are.equal(i >= 650 and (i < 700 or i >= 710), after[i] ~= false, i)
      if after[i] then isAt(content, { 0, i / 700, 1 }, after[i], i) end
    end
  end)

  it("knows the joints of chains and feet, of clones too", function()
    local graph = newReach({ nodes = {
      hands = { type = "chain", input = "walk", root = "spine",
        effectors = { { joint = "hand.R", target = { 0, 1, 1 } }, { joint = "hand.L", target = { 0, 2, 1 } } } },
      feet = { type = "foot", input = "hands", legs = { { joint = "foot.L" }, { joint = "foot.R" } } },
    }, root = "feet" }):clone()
    local made = anim.record(graph)
    for leg = 1, 2 do graph:find("feet"):setGround(leg, leg, .1, 0, 0, 1, 0) end
    graph:update(.02)
    made:stop()
    local content, found = page.data(made), {}
    for _, node in ipairs(content.recording.targets) do
      for _, point in ipairs(node.points) do
        local place = tracks.placesOf(content, point)[1]
        found[#found + 1] = ("%s %.3g %.3g %.3g"):format(content.names[point.joint + 1], place[1], place[2], place[3])
      end
    end
    table.sort(found)
    assert.are.same({ "foot.L 1 0.1 0", "foot.R 2 0.1 0", "hand.L 0 2 1", "hand.R 0 1 1" }, found)
  end)

  it("follows edits", function()
    local graph, model = newReach({ root = { type = "mixer", inputs = { "look" } } })
    local made, mixer, look = anim.record(graph), graph:getRoot(), graph:find("look")
    tiny.run(graph, 10, .02)
    mixer:setInput(1, "walk")
    graph:remove(look)
    mixer:setInput(1, graph:find("reach"))
    tiny.run(graph, 10, .02)
    graph:find("reach"):setTarget(1, 1, 1)
    tiny.run(graph, 10, .02)
    graph:reload({ nodes = { reach = { type = "twoBone", input = "walk", joint = "hand.R", target = { 0, 1, 1 } } },
      root = "reach" })
    tiny.run(graph, 10, .02)
    graph:setRoot(graph:clip({ clip = model.clips[1] }))
    tiny.run(graph, 10, .02)
    made:stop()
    local content = page.data(made)
    local spans = {}
    for _, node in ipairs(content.recording.targets) do
      for _, point in ipairs(node.points) do
        local places, first, last = tracks.placesOf(content, point), nil, nil
        for i = 1, 50 do
          if places[i] then first, last = first or i, i end
        end
        spans[#spans + 1] = ("%s%s of %s %d-%d"):format(point.pole and "pole of " or "", node.label,
          content.names[point.joint + 1], first, last)
      end
    end
    table.sort(spans)
    assert.are.same({ "look of head 1-10", "pole of reach of lower_arm.L 1-30", "reach of hand.L 1-30",
      "reach of hand.R 31-41" }, spans) -- reload makes a pose, too
  end)

  it("a node that takes another's row has points of its own", function()
    local function reach(joint) return { type = "twoBone", input = "walk", joint = joint, target = { 0, 1, 1 } } end
    local graph = newReach({ root = { type = "mixer", inputs = { reach("hand.L") } } })
    local made = anim.record(graph)
    tiny.run(graph, 5, .02)
    graph:getRoot():setInput(1, "walk")
    tiny.run(graph, 5, .02)
    graph:getRoot():setInput(1, reach("foot.R"))
    tiny.run(graph, 5, .02)
    made:stop()
    local content = page.data(made)
    assert.are.equal(1, #content.recording.targets)
    local points = content.recording.targets[1].points
    assert.are.same({ "hand.L", "foot.R" },
      { content.names[points[1].joint + 1], content.names[points[2].joint + 1] })
    local hand, foot = tracks.placesOf(content, points[1]), tracks.placesOf(content, points[2])
    assert.is_true(hand[5] and not hand[6] and not foot[10] and foot[11] ~= false)
  end)

  it("stays small, and is not in pages without", function()
    local sizes = {}
    for i, root in ipairs({ "walk", "still", "moving" }) do
      local graph = newReach({ root = root, nodes = {
        still = { type = "twoBone", input = "walk", joint = "hand.L", target = { 0, 1, 1 }, pole = { 0, 0, -1 } },
        moving = { type = "twoBone", input = "walk", joint = "hand.L", target = { 0, 1, 1 }, pole = { 0, 0, -1 } },
      } })
      local made = anim.record(graph)
      for f = 1, 1800 do
        if root == "moving" then graph:find("moving"):setTarget(math.sin(f / 30), 1 + math.cos(f / 20) / 2, 1) end
        graph:update(1 / 60)
      end
      made:stop()
      local text = page.write(made)
      assert.are.equal(i > 1, text:find("targets", 1, true) ~= nil)
      local content = data.decode(page.dataText(text))
      for _, node in ipairs(content.recording.targets or {}) do
        sizes[root] = 0
        for _, point in ipairs(node.points) do sizes[root] = sizes[root] + #table.concat(point.blocks) end
      end
    end
    assert.is_true(sizes.still < 100, sizes.still)
    assert.is_true(sizes.moving < 4 * 1800, sizes.moving)
  end)

  it("takes targets that are far away", function()
    local graph = newReach()
    local made, reach = anim.record(graph), graph:find("reach")
    for _, x in ipairs({ 1e30, -1e30, 3e38, 1e-38, 0 }) do
      reach:setTarget(x, -x, x)
      reach:setPole(-x, x, 0)
      graph:update(.3)
    end
    made:stop()
    local content = page.data(made)
    for _, point in ipairs(tracks.find(content.recording.targets, "reach").points) do
      local places = tracks.placesOf(content, point)
      assert.are.equal(5, #places)
      for _, place in ipairs(places) do
        for axis = 1, 3 do assert.is_true(place[axis] == place[axis] and math.abs(place[axis]) < 1e30) end
      end
    end
  end)
end)
