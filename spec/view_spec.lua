-- anim.view: the page holds what the clips hold, and is one whole and safe file.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local digits = require("anim.view.digits")
local page = require("spec.support.page")
local parts = require("anim.view.parts")
local scratch = require("spec.support.scratch")

describe("view", function()
  teardown(scratch.clear)

  describe("numbers", function()
    it("come back from their text", function()
      local list = {}
      for _, n in ipairs({ 0, 27, 28, 1272, 1273, 1274, 21000, 21076, 21077, 2 ^ 20, 2 ^ 28, 2 ^ 30 }) do
        list[#list + 1] = n
        list[#list + 1] = -n
      end
      for n = -1500, 1500 do list[#list + 1] = n end
      local text = {}
      for i, n in ipairs(list) do text[i] = digits.text[n] end
      local next, isRead = page.reader(table.concat(text))
      for _, n in ipairs(list) do assert.are.equal(n, next()) end
      assert.is_true(isRead())
    end)

    it("need no escape in HTML or JSON", function()
      assert.is_nil(digits.alphabet:find('[<&"\\%c]'))
      assert.are.equal(89, #digits.alphabet)
    end)
  end)

  describe("data", function()
    it("hold the poses of random clips, to a unit and 0.0003 radians", function()
      for seed = 1, data.slow and 30 or 3 do
        local r = check.random(seed)
        local skeleton = anim.newSkeleton(check.randomSkeleton(r, r.integer(1, 20)))
        local clip = anim.newClip(check.randomClip(r, skeleton, "random"))
        local content = page.data({ skeleton = skeleton, clips = { clip } })
        local most = page.compare(content, content.takes[1], clip)
        local told = ("seed %d: %g %g %g"):format(seed, most.move, most.turn, most.scale)
        assert.is_true(most.move < .51 and most.turn < 3e-4 and most.scale < .51, told)
      end
    end)

    it("hold turns of many rounds and more frames than a block", function()
      local skeleton = anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } } })
      local times, values = {}, {}
      for i = 0, 400 do
        times[#times + 1] = i / 10
        for _, x in ipairs(page.turnX(i * .5)) do values[#values + 1] = x end
      end
      local clip = anim.newClip({ skeleton = skeleton, tracks = { a = { rotation = { times = times, values = values },
        translation = { times = { 0, 40 }, values = { 0, 0, 0, 5000, 0, -3 } } } } })
      local content = page.data({ skeleton = skeleton, clips = { clip } })
      assert.are.equal(1201, content.takes[1].frames)
      assert.are.equal(3, #content.takes[1].blocks)
      local most = page.compare(content, content.takes[1], clip)
      assert.is_true(most.move < .51 and most.turn < 3e-4)
    end)

    it("show additive clips on the rest pose", function()
      local model = page.walker()
      model.clips = { model.clips[1]:toAdditive() }
      local content = page.data(model)
      assert.is_true(content.takes[1].additive)
      local most = page.compare(content, content.takes[1], page.walker().clips[1])
      assert.is_true(most.move < .51 and most.turn < 1e-3)
    end)

    it("hold clips of length 0, models without clips, and clips that are there by name only", function()
      local model = page.walker()
      local still = anim.newClip({ name = "still", skeleton = model.skeleton, duration = 0,
        tracks = { head = { rotation = { times = { 0 }, values = { 0, 1, 0, 0 } } } } })
      local content = page.data({ skeleton = model.skeleton, clips = { still, other = model.clips[1] } })
      assert.are.equal(1, content.takes[1].frames)
      assert.are.equal("other", content.takes[2].name)
      assert.is_true(page.compare(content, content.takes[1], still).turn < 3e-4)
      assert.are.same({}, page.data({ skeleton = model.skeleton }).takes)
    end)

    it("tell loops, events and markers", function()
      local content = page.data(page.walker())
      local walk, bow = content.takes[1], content.takes[2]
      assert.is_true(walk.loop)
      assert.is_false(bow.loop)
      assert.are.same({ { .25, -1, "footstep", "left" }, { .75, -1, "footstep", "" } }, walk.events)
      assert.are.same({ { 0, "L" } }, walk.markers)
    end)

    it("lower the rate of very long clips", function()
      local take = require("anim.view.take")
      assert.are.equal(18001, take.frames(600, 100))
      assert.are.equal(20001, take.frames(36000, 100))
      assert.are.equal(2, take.frames(1e-3, 100))
      assert.are.equal(1, take.frames(0, 100))
    end)
  end)

  it("lines of the scene are in the page as they were given, and without any nothing is", function()
    local model = page.walker()
    local path = scratch.path(".html")
    assert(anim.view(model, path, { lines = { { 0, 0, 0, 1, 0, 0 }, { 1, .16, -1.5, 1, .16, 1e6 } } }))
    local text = scratch.read(path)
    assert.are.same({ 0, 0, 0, 1, 0, 0, 1, .16, -1.5, 1, .16, 1e6 }, data.decode(page.dataText(text)).lines)
    assert.is_truthy(text:find("drawScene", 1, true))
    local without = page.write(model)
    assert(anim.view(model, path, { lines = {} }))
    assert.are.equal(without, scratch.read(path))
    for _, word in ipairs({ "drawScene", "levelOf", "--scene", '"lines"', "/*" }) do
      assert.is_nil(without:find(word, 1, true), word)
    end
  end)

  describe("what joints are", function()
    local function names(model)
      local map = parts.find(model)
      local function list(joints)
        local out = {}
        for i, j in ipairs(joints) do out[i] = model.skeleton:getName(j) .. ":" .. (map.side[j] or "C") end
        return table.concat(out, " ")
      end
      return list({ map.hips }), map.head and list({ map.head }) or "", list(map.feet), list(map.hands)
    end

    local function chain(list)
      local joints = {}
      for i, name in ipairs(list) do joints[i] = { name = name, parent = i > 1 and list[i - 1] or nil } end
      return { skeleton = anim.newSkeleton(joints) }
    end

    it("words of names", function()
      for name, words in pairs({ ["mixamorig:LeftUpLeg"] = "mixamorig left up leg", LHipJoint = "l hip joint",
        ["upperarm.l"] = "upperarm l", lThigh = "l thigh", ["Bip01 R Hand"] = "bip 01 r hand", kneeIK = "knee ik",
        leftfoot = "left foot", CC_Base_L_Foot = "cc base l foot", b_LeftFoot01_017 = "b left foot 01 017" }) do
        assert.are.equal(words, table.concat(parts.words(name), " "))
      end
    end)

    it("hips, head, feet and hands with their sides", function()
      local hips, head, feet, hands = names({ skeleton = page.body() })
      assert.are.equal("hips:C", hips)
      assert.are.equal("head:C", head)
      assert.are.equal("foot.L:L foot.R:R", feet == "foot.R:R foot.L:L" and "foot.L:L foot.R:R" or feet)
      assert.are.equal(17, #hands)
    end)

    it("the first of a chain, no controls, fallbacks", function()
      local _, _, _, hands = names(chain({ "root", "LeftHand", "LeftHandIndex1" }))
      assert.are.equal("LeftHand:L", hands)
      local _, _, feet = names(chain({ "root", "leg_R_1", "leg_R_2" }))
      assert.are.equal("leg_R_2:R", feet)
      _, _, feet = names(chain({ "root", "IK-foot.l", "IK-toe.l" }))
      assert.are.equal("", feet)
      _, _, feet = names(chain({ "root", "body_IK", "Foot.l.001" }))
      assert.are.equal("Foot.l.001:L", feet)
    end)

    it("the axis that points up", function()
      assert.are.equal("y", page.data({ skeleton = page.body() }).up)
      local flat = page.body(function(x, y, z) return { x, -z, y } end)
      assert.are.equal("z", page.data({ skeleton = flat }).up)
      assert.are.equal("y", page.data({ skeleton = flat, name = "lying.glb" }).up)
    end)

    it("which bones are none of the body", function()
      local skeleton = anim.newSkeleton({ { name = "armature" }, { name = "hips", parent = "armature",
        translation = { 0, 1, 0 } }, { name = "spine", parent = "hips", translation = { 0, .5, 0 } },
        { name = "kneeIK.L", parent = "armature", translation = { 0, 1, 3 } } })
      assert.are.equal("nhbh", page.data({ skeleton = skeleton }).bones)
    end)
  end)

  describe("page", function()
    it("is one whole file that asks for nothing", function()
      local text = page.write(page.walker())
      assert.are.equal("<!DOCTYPE html>", text:sub(1, 15))
      assert.is_truthy(text:find("</html>%s*$"))
      for _, tag in ipairs({ "html", "head", "body", "main", "aside", "footer", "style" }) do
        local _, opened = text:gsub("<" .. tag .. "[%s>]", "")
        local _, closed = text:gsub("</" .. tag .. ">", "")
        assert.are.equal(1, opened, tag)
        assert.are.equal(1, closed, tag)
      end
      assert.is_nil(text:lower():find("http:", 1, true) or text:lower():find("https:", 1, true))
      assert.is_nil(text:find("src=", 1, true) or text:find("@import", 1, true) or text:find("url(", 1, true))
      assert.is_nil(text:find("{{%a+}}"))
      assert.is_truthy(text:find("default-src 'none'", 1, true))
    end)

    it("is safe from the names in a file", function()
      local text = page.write(page.hostileModel())
      local _, scripts = text:lower():gsub("<script", "")
      assert.are.equal(2, scripts)
      local decoded = data.decode(page.dataText(text))
      for i, name in ipairs(page.hostile) do
        if not name:find("[\128-\255]") then
          assert.are.equal(name, decoded.names[i])
          assert.are.equal(name, decoded.takes[i].name)
        end
      end
      assert.are.equal("bad \239\191\189\239\191\189 \239\191\189\239\191\189 " .. ("\239\191\189"):rep(3) .. " utf-8",
        decoded.names[5])
      assert.are.equal(page.hostile[6], decoded.names[6])
      assert.are.equal("ends in " .. ("\239\191\189"):rep(3), decoded.names[10])
    end)
  end)

  describe("errors", function()
    local model = page.walker()

    it("of the script are raised and name the argument", function()
      for message, arguments in pairs({
        ["bad argument #1 to 'view' (model or recording expected, got nil)"] = { nil, "x.html" },
        ["bad argument #1 to 'view' (model or recording expected, got anim.Skeleton)"] = { model.skeleton, "x.html" },
        ["bad argument #1 to 'view' (skeleton: anim.Skeleton expected, got nil)"] = { {}, "x.html" },
        ["bad argument #1 to 'view' (clips: table expected, got number)"] =
          { { skeleton = model.skeleton, clips = 1 }, "x.html" },
        ["bad argument #1 to 'view' (clips[1]: anim.Clip expected, got string)"] =
          { { skeleton = model.skeleton, clips = { "walk" } }, "x.html" },
        ["bad argument #1 to 'view' (clips.go: clip of the model's skeleton expected, got one of another)"] =
          { { skeleton = anim.newSkeleton({ { name = "a" } }), clips = { go = model.clips[1] } }, "x.html" },
        ["bad argument #2 to 'view' (string expected, got nil)"] = { model },
        ["bad argument #3 to 'view' (table expected, got 1)"] = { model, "x", 1 },
        ["bad argument #3 to 'view' (unknown key 'line'; did you mean 'lines'?)"] = { model, "x", { line = {} } },
        ["bad argument #3 to 'view' (progress: function expected, got 1)"] = { model, "x", { progress = 1 } },
        ["bad argument #3 to 'view' (lines: table expected, got 1)"] = { model, "x", { lines = 1 } },
        ["bad argument #3 to 'view' (lines: unknown key 'left')"] = { model, "x", { lines = { left = {} } } },
        ["bad argument #3 to 'view' (lines[1]: table expected, got 0)"] = { model, "x", { lines = { 0 } } },
        ["bad argument #3 to 'view' (lines[2]: 6 numbers (x, y, z of both ends) expected, got 3)"] =
          { model, "x", { lines = { { 0, 0, 0, 1, 1, 1 }, { 0, 0, 0 } } } },
        ["bad argument #3 to 'view' (lines[1][5]: finite number expected, got nan)"] =
          { model, "x", { lines = { { 0, 0, 0, 1, 0 / 0, 1 } } } },
        ["bad argument #3 to 'view' (lines[1][6]: finite number expected, got string 'top')"] =
          { model, "x", { lines = { { 0, 0, 0, 1, 0, "top" } } } },
      }) do
        local raised, text = pcall(anim.view, arguments[1], arguments[2], arguments[3])
        assert.is_false(raised)
        assert.is_truthy(text:find(message, 1, true), text)
      end
    end)

    it("of writing are returned", function()
      local written, message = anim.view(model, "/nowhere/at/all.html")
      assert.is_nil(written)
      assert.is_truthy(message:find("/nowhere/at/all.html", 1, true))
    end)

    it("progress is told to the end", function()
      local last, all = 0, nil
      anim.view(model, scratch.path(".html"), { progress = function(done, total)
        assert.are.equal(last + 1, done)
        last, all = done, total
      end })
      assert.are.equal(31 + 61, last)
      assert.are.equal(all, last)
    end)
  end)

  -- The page's text is some 60 KB; beside it the data stay small.
  describe("size", function()
    local player = #page.write({ skeleton = anim.newSkeleton({ { name = "a" } }) })

    it("of the player", function() assert.is_true(player < 64000, tostring(player)) end)

    for _, name in ipairs({ "humanoid/kaykit_adventurers/Knight.glb", "humanoid/robot_expressive/RobotExpressive.glb",
      "creature/mesh2motion/spider-animations.glb", "bvh/cmu/01_01.bvh", "bvh/accad/Male1_C17_RunTurnAround.bvh" }) do
      data.it(it, pending, name, name .. ": less than half of its .anim, without the player", function()
        local model = assert(anim.load(data.path(name)))
        local path = scratch.path(".anim")
        assert(anim.save(model, path))
        local rest, packed = #page.write(model) - player, #scratch.read(path)
        assert.is_true(check.isPacked or rest < .5 * packed, ("%d of %d"):format(rest, packed))
      end)
    end
  end)
end)
