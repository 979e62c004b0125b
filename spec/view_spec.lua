-- anim.view: the page holds what the clips hold, is one whole and safe file, and plays in a browser.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local scratch = require("spec.support.scratch")
local digits = require("anim.view.digits")
local parts = require("anim.view.parts")

-- A browser is slow to start: not where every other thing is slow too, nor under a preloaded sanitizer, and under one
-- Lua only, as the pages are the same.
local function findBrowser()
  if _VERSION ~= "Lua 5.4" then return nil, "Lua 5.4 runs it" end
  if not data.slow then return nil, "ANIM_SLOW=0" end
  if os.getenv("LD_PRELOAD") then return nil, "LD_PRELOAD" end
  local pipe = io.popen("command -v chromium || command -v chromium-browser || command -v google-chrome")
  local path = pipe:read("*l")
  pipe:close()
  return path, "no chromium"
end
local browser, whyNot = findBrowser()

-- Rigs ---------------------------------------------------------------------------------------------------

-- A body of sticks, named in one of the usual ways; `lay(x, y, z)` turns its axes.
local function body(lay)
  lay = lay or function(x, y, z) return { x, y, z } end
  local joints = { { name = "hips", translation = lay(0, 1, 0) },
    { name = "spine", parent = "hips", translation = lay(0, .25, 0) },
    { name = "head", parent = "spine", translation = lay(0, .3, 0) } }
  local function add(name, parent, x, y, z)
    joints[#joints + 1] = { name = name, parent = parent, translation = lay(x, y, z) }
  end
  for side, x in pairs({ L = 1, R = -1 }) do
    add("upper_arm." .. side, "spine", .2 * x, .2, 0)
    add("lower_arm." .. side, "upper_arm." .. side, .05 * x, -.28, 0)
    add("hand." .. side, "lower_arm." .. side, 0, -.26, .05)
    add("upper_leg." .. side, "hips", .1 * x, -.05, 0)
    add("lower_leg." .. side, "upper_leg." .. side, 0, -.45, .02)
    add("foot." .. side, "lower_leg." .. side, 0, -.43, -.02)
    add("toe." .. side, "foot." .. side, 0, -.05, .15)
  end
  return anim.newSkeleton(joints)
end

local function turnX(angle) return { math.sin(angle / 2), 0, 0, math.cos(angle / 2) } end

local function swing(amount, phase)
  local times, values = {}, {}
  for i = 0, 8 do
    times[#times + 1] = i / 8
    for _, x in ipairs(turnX(amount * math.sin(2 * math.pi * i / 8 + phase))) do values[#values + 1] = x end
  end
  return { rotation = { times = times, values = values } }
end

-- The body swings legs and arms against each other.
local function walker(name)
  local skeleton = body()
  local walk = anim.newClip({ name = "walk", skeleton = skeleton,
    tracks = { ["upper_leg.L"] = swing(.6, 0), ["upper_leg.R"] = swing(.6, math.pi),
      ["upper_arm.L"] = swing(.5, math.pi), ["upper_arm.R"] = swing(.5, 0) },
    events = { { time = .25, name = "footstep", data = "left" }, { time = .75, name = "footstep" } },
    markers = { { time = 0, name = "L" } } })
  local bow = anim.newClip({ name = "bow", skeleton = skeleton, duration = 2, loop = false,
    tracks = { spine = swing(.8, 0) } })
  return { name = name or "walker", skeleton = skeleton, clips = { walk, bow } }
end

-- Pages --------------------------------------------------------------------------------------------------

-- The page of a model: its text and path.
local function pageOf(model)
  local path = scratch.path(".html")
  assert.is_true(anim.view(model, path))
  return scratch.read(path), path
end

local function dataText(page) return page:match('<script type="application/json" id="data">(.-)</script>') end

local function dataOf(model) return data.decode(dataText((pageOf(model)))) end

-- The text of a take read back, as view/take.lua describes it.
local function reader(text)
  local at, digitOf = 0, {}
  for i = 1, #digits.alphabet do digitOf[digits.alphabet:byte(i)] = i - 1 end
  local base, one, two, three = #digits.alphabet, digits.forms[1], digits.forms[2], digits.forms[3]
  local function digit()
    at = at + 1
    return digitOf[text:byte(at)]
  end
  local function more(n, count)
    for _ = 1, count do n = n * base + digit() end
    return n
  end
  local function natural()
    local first = digit()
    if first < one then return first end
    if first < one + two then return one + more(first - one, 1) end
    if first < one + two + three then return one + two * base + more(first - one - two, 2) end
    return one + two * base + three * base * base + more(0, 5)
  end
  return function()
    local n = natural()
    return n % 2 == 1 and -(n + 1) / 2 or n / 2
  end, function() return at == #text end
end

local function readStream(next, frames)
  local order, values, last, step = next(), {}, 0, 0
  for f = 1, frames do
    if order > 0 then
      step = next() + (order == 2 and step or 0)
      last = last + step
    end
    values[f] = last
  end
  return values
end

local function readChannel(next, kind, frames)
  if kind == 0 then return nil end
  local channel = { base = { next(), next(), next() } }
  for axis = 1, 3 do
    channel[axis] = kind == 2 and readStream(next, frames) or {}
  end
  return channel
end

local function unturn(i, j, k, unit)
  local x, y, z = i * unit, j * unit, k * unit
  local square = x * x + y * y + z * z
  local double = 2 * math.sqrt(1 - square)
  return { x * double, y * double, z * double, 1 - 2 * square }
end

local function vectorAt(channel, f, unit, rest)
  if not channel then return rest end
  local out = {}
  for axis = 1, 3 do out[axis] = (channel.base[axis] + (channel[axis][f] or 0)) * unit end
  return out
end

local function turnAt(channel, f, unit, rest)
  if not channel then return rest end
  local b = channel.base
  local first = unturn(b[1], b[2], b[3], unit)
  local delta = unturn(channel[1][f] or 0, channel[2][f] or 0, channel[3][f] or 0, unit)
  local vec = require("spec.support.reference").quat
  return vec.mul(first, delta)
end

-- Calls visit(frame from 1, joint, translation, rotation, scale) for all of a take.
local function eachPose(page, take, visit)
  local first = 0
  for _, text in ipairs(take.blocks) do
    local frames = math.min(page.blockFrames, take.frames - first)
    local next, isRead = reader(text)
    for j = 1, #page.names do
      local kinds = next()
      local move = readChannel(next, kinds % 3, frames)
      local turn = readChannel(next, math.floor(kinds / 3) % 3, frames)
      local scale = readChannel(next, math.floor(kinds / 9), frames)
      local rest = {}
      for i = 1, 10 do rest[i] = page.rest[(j - 1) * 10 + i] end
      for f = 1, frames do
        visit(first + f, j, vectorAt(move, f, page.units.move, { rest[1], rest[2], rest[3] }),
          turnAt(turn, f, page.units.turn, { rest[4], rest[5], rest[6], rest[7] }),
          vectorAt(scale, f, page.units.scale, { rest[8], rest[9], rest[10] }))
      end
    end
    assert.is_true(isRead(), "text is left")
    first = first + frames
  end
end

-- Largest differences between a take of a page and its clip: translation and scale in their units, rotation in radians.
local function compare(page, take, clip)
  local pose = anim.newPose(clip:getSkeleton())
  local most = { move = 0, turn = 0, scale = 0 }
  local sampled
  eachPose(page, take, function(f, j, move, turn, scale)
    if sampled ~= f then
      clip:sample(take.frames > 1 and clip:getDuration() * (f - 1) / (take.frames - 1) or 0, pose)
      sampled = f
    end
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(j)
    for i, x in ipairs({ tx, ty, tz }) do
      most.move = math.max(most.move, math.abs(x - move[i]) / page.units.move)
    end
    for i, x in ipairs({ sx, sy, sz }) do
      most.scale = math.max(most.scale, math.abs(x - scale[i]) / page.units.scale)
    end
    local x, y, z = qx - turn[1], qy - turn[2], qz - turn[3]
    local a = math.sqrt(x * x + y * y + z * z + (qw - turn[4]) ^ 2)
    x, y, z = qx + turn[1], qy + turn[2], qz + turn[3]
    local b = math.sqrt(x * x + y * y + z * z + (qw + turn[4]) ^ 2)
    most.turn = math.max(most.turn, 2 * math.min(a, b))
  end)
  return most
end

-- The browser --------------------------------------------------------------------------------------------

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Runs tools/screenshot.sh: whether its console stayed silent, its document, what it said.
local function browse(path, link, width, height, clock)
  local said = scratch.path(".txt")
  local command = ("tools/screenshot.sh %s - %d %d %s 2>%s; echo \"outcome $?\""):format(
    quoted(path .. (link or "")), width or 1280, height or 800, clock or "", quoted(said))
  local pipe = io.popen(command)
  local document = pipe:read("*a")
  pipe:close()
  assert.are.equal("0", document:match("outcome (%d+)"), scratch.read(said))
  local status = document:match('<pre id="result"[^>]*>(.-)</pre>') or
    document:match('<pre id="status"[^>]*>(.-)</pre>')
  local text = status:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&amp;", "&")
  return data.decode(text), document
end

-- A copy of a page with a script that runs after its own and gives result(object); frames come by the timer, as no
-- picture is drawn.
local function withScript(path, script)
  local text = scratch.read(path)
  local timer = "<script>window.requestAnimationFrame = f => setTimeout(() => f(performance.now()), 16);" ..
    "const result = object => { const pre = document.createElement('pre'); pre.id = 'result'; " ..
    "pre.textContent = JSON.stringify(object); document.body.append(pre); }</script>"
  text = text:gsub("<title>", function() return timer .. "<title>" end, 1)
  text = text:gsub("</body>", function() return "<script>" .. script .. "</script></body>" end, 1)
  return scratch.write(scratch.path(".html"), text)
end

local function browserIt(title, test)
  if browser then return it(title, test) end
  return pending(title .. " (skipped: " .. whyNot .. ")", test)
end

-- Specs ----------------------------------------------------------------------------------------------------

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
      local next, isRead = reader(table.concat(text))
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
        local page = dataOf({ skeleton = skeleton, clips = { clip } })
        local most = compare(page, page.takes[1], clip)
        local told = ("seed %d: %g %g %g"):format(seed, most.move, most.turn, most.scale)
        assert.is_true(most.move < .51 and most.turn < 3e-4 and most.scale < .51, told)
      end
    end)

    it("hold turns of many rounds and more frames than a block", function()
      local skeleton = anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } } })
      local times, values = {}, {}
      for i = 0, 400 do
        times[#times + 1] = i / 10
        for _, x in ipairs(turnX(i * .5)) do values[#values + 1] = x end
      end
      local clip = anim.newClip({ skeleton = skeleton, tracks = { a = { rotation = { times = times, values = values },
        translation = { times = { 0, 40 }, values = { 0, 0, 0, 5000, 0, -3 } } } } })
      local page = dataOf({ skeleton = skeleton, clips = { clip } })
      assert.are.equal(1201, page.takes[1].frames)
      assert.are.equal(3, #page.takes[1].blocks)
      local most = compare(page, page.takes[1], clip)
      assert.is_true(most.move < .51 and most.turn < 3e-4)
    end)

    it("show additive clips on the rest pose", function()
      local model = walker()
      model.clips = { model.clips[1]:toAdditive() }
      local page = dataOf(model)
      assert.is_true(page.takes[1].additive)
      local most = compare(page, page.takes[1], walker().clips[1])
      assert.is_true(most.move < .51 and most.turn < 1e-3)
    end)

    it("hold clips of length 0, models without clips, and clips that are there by name only", function()
      local model = walker()
      local still = anim.newClip({ name = "still", skeleton = model.skeleton, duration = 0,
        tracks = { head = { rotation = { times = { 0 }, values = { 0, 1, 0, 0 } } } } })
      local page = dataOf({ skeleton = model.skeleton, clips = { still, other = model.clips[1] } })
      assert.are.equal(1, page.takes[1].frames)
      assert.are.equal("other", page.takes[2].name)
      assert.is_true(compare(page, page.takes[1], still).turn < 3e-4)
      assert.are.same({}, dataOf({ skeleton = model.skeleton }).takes)
    end)

    it("tell loops, events and markers", function()
      local page = dataOf(walker())
      local walk, bow = page.takes[1], page.takes[2]
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
      local hips, head, feet, hands = names({ skeleton = body() })
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
      assert.are.equal("y", dataOf({ skeleton = body() }).up)
      local flat = body(function(x, y, z) return { x, -z, y } end)
      assert.are.equal("z", dataOf({ skeleton = flat }).up)
      assert.are.equal("y", dataOf({ skeleton = flat, name = "lying.glb" }).up)
    end)

    it("which bones are none of the body", function()
      local skeleton = anim.newSkeleton({ { name = "armature" }, { name = "hips", parent = "armature",
        translation = { 0, 1, 0 } }, { name = "spine", parent = "hips", translation = { 0, .5, 0 } },
        { name = "kneeIK.L", parent = "armature", translation = { 0, 1, 3 } } })
      assert.are.equal("nhbh", dataOf({ skeleton = skeleton }).bones)
    end)
  end)

  describe("page", function()
    it("is one whole file that asks for nothing", function()
      local page = pageOf(walker())
      assert.are.equal("<!DOCTYPE html>", page:sub(1, 15))
      assert.is_truthy(page:find("</html>%s*$"))
      for _, tag in ipairs({ "html", "head", "body", "main", "aside", "footer", "style" }) do
        local _, opened = page:gsub("<" .. tag .. "[%s>]", "")
        local _, closed = page:gsub("</" .. tag .. ">", "")
        assert.are.equal(1, opened, tag)
        assert.are.equal(1, closed, tag)
      end
      assert.is_nil(page:lower():find("http:", 1, true) or page:lower():find("https:", 1, true))
      assert.is_nil(page:find("src=", 1, true) or page:find("@import", 1, true) or page:find("url(", 1, true))
      assert.is_nil(page:find("{{%a+}}"))
      assert.is_truthy(page:find("default-src 'none'", 1, true))
    end)

    local hostile = {
      "</script><script>document.title='owned'</script>", "<!-- <script>", "quote \" ' \\ ` ${1}",
      "line\nbreak\ttab\r", "bad \255\254 \192\175 \237\160\128 utf-8", "\226\128\168 \226\128\169",
      "<img src=x onerror=alert(1)>", "{{title}}", "&lt;&amp;", "ends in \240\159\146", "\1\127",
    }

    local function hostileModel()
      local joints, clips = {}, {}
      for i, name in ipairs(hostile) do
        joints[i] = { name = name, parent = i > 1 and 1 or nil, translation = { i, i, 0 } }
      end
      local skeleton = anim.newSkeleton(joints)
      for i, name in ipairs(hostile) do
        clips[i] = anim.newClip({ name = name, skeleton = skeleton, duration = 1,
          events = { { time = .5, name = name, data = name } }, markers = { { time = 0, name = name } } })
      end
      return { name = hostile[1], skeleton = skeleton, clips = clips, warnings = hostile }
    end

    it("is safe from the names in a file", function()
      local page = pageOf(hostileModel())
      local _, scripts = page:lower():gsub("<script", "")
      assert.are.equal(2, scripts)
      local decoded = data.decode(dataText(page))
      for i, name in ipairs(hostile) do
        if not name:find("[\128-\255]") then
          assert.are.equal(name, decoded.names[i])
          assert.are.equal(name, decoded.takes[i].name)
        end
      end
      assert.are.equal("bad \239\191\189\239\191\189 \239\191\189\239\191\189 " .. ("\239\191\189"):rep(3) .. " utf-8",
        decoded.names[5])
      assert.are.equal(hostile[6], decoded.names[6])
      assert.are.equal("ends in " .. ("\239\191\189"):rep(3), decoded.names[10])
    end)

    browserIt("shows such names as they are", function()
      local _, path = pageOf(hostileModel())
      local status, document = browse(withScript(path,
        "document.getElementById('names').click();" ..
        "result({ title: document.title, clips: " ..
        "[...document.querySelectorAll('#clips .name')].map(e => e.textContent) });"), nil, 800, 600)
      for i, name in ipairs(hostile) do
        if not name:find("[\128-\255]") then assert.are.equal(name, status.clips[i]) end
      end
      assert.are.equal(hostile[1], status.title)
      assert.is_nil(document:find("<img", 1, true))
    end)
  end)

  describe("errors", function()
    local model = walker()

    it("of the script are raised and name the argument", function()
      for message, arguments in pairs({
        ["bad argument #1 to 'view' (model expected, got nil)"] = { nil, "x.html" },
        ["bad argument #1 to 'view' (model expected, got anim.Skeleton)"] = { model.skeleton, "x.html" },
        ["bad argument #1 to 'view' (skeleton: anim.Skeleton expected, got nil)"] = { {}, "x.html" },
        ["bad argument #1 to 'view' (clips: table expected, got number)"] =
          { { skeleton = model.skeleton, clips = 1 }, "x.html" },
        ["bad argument #1 to 'view' (clips[1]: anim.Clip expected, got string)"] =
          { { skeleton = model.skeleton, clips = { "walk" } }, "x.html" },
        ["bad argument #1 to 'view' (clips.go: clip of the model's skeleton expected, got one of another)"] =
          { { skeleton = anim.newSkeleton({ { name = "a" } }), clips = { go = model.clips[1] } }, "x.html" },
        ["bad argument #2 to 'view' (string expected, got nil)"] = { model },
        ["bad argument #3 to 'view' (unknown key 'speed': there is only 'progress')"] = { model, "x", { speed = 1 } },
        ["bad argument #3 to 'view' (progress: function expected, got number)"] = { model, "x", { progress = 1 } },
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
    local player = #pageOf({ skeleton = anim.newSkeleton({ { name = "a" } }) })

    it("of the player", function() assert.is_true(player < 64000, tostring(player)) end)

    for _, name in ipairs({ "humanoid/kaykit_adventurers/Knight.glb", "humanoid/robot_expressive/RobotExpressive.glb",
      "creature/mesh2motion/spider-animations.glb", "bvh/cmu/01_01.bvh", "bvh/accad/Male1_C17_RunTurnAround.bvh" }) do
      data.it(it, pending, name, name .. ": less than half of its .anim, without the player", function()
        local model = assert(anim.load(data.path(name)))
        local path = scratch.path(".anim")
        assert(anim.save(model, path))
        local page, packed = #pageOf(model), #scratch.read(path)
        assert.is_true(page - player < .5 * packed, ("%d of %d"):format(page - player, packed))
      end)
    end
  end)

  -- Ten minutes at 120 keys a second, like motion capture.
  local function longClip()
    local skeleton, tracks = body(), {}
    for j = 1, #skeleton do
      local times, values = {}, {}
      for i = 0, 72000 do
        times[i + 1] = i / 120
        local angle = .5 * math.sin(i * .01 * (1 + j % 5)) + .3 * math.sin(i * .043 + j)
        values[4 * i + 1], values[4 * i + 2] = math.sin(angle / 2), 0
        values[4 * i + 3], values[4 * i + 4] = 0, math.cos(angle / 2)
      end
      tracks[skeleton:getName(j)] = { rotation = { times = times, values = values } }
    end
    return { name = "long", skeleton = skeleton, clips = { anim.newClip({ name = "long", skeleton = skeleton,
      tracks = tracks }) } }
  end

  describe("in the browser", function()
    browserIt("the figure is there, upright, and moves", function()
      local _, path = pageOf(walker())
      local first = browse(path, "#clip=walk&t=0&view=side&paused")
      local later = browse(path, "#clip=walk&t=0.25&view=side&paused")
      assert.are.equal("walk", later.clip)
      assert.are.equal(.25, later.time)
      for _, foot in ipairs({ "foot.L", "foot.R" }) do
        assert.is_true(math.abs(first.joints[foot][1] - later.joints[foot][1]) > 20, foot)
      end
      assert.is_true(later.joints["foot.L"][1] * later.joints["foot.R"][1] > 0)
      -- Legs apart by more than a shoulder's width, head above hips above feet, hips in the middle.
      assert.is_true(math.abs(later.joints["foot.L"][1] - later.joints["foot.R"][1]) > 60)
      assert.is_true(later.joints.head[2] < later.joints.hips[2] - 30)
      assert.is_true(later.joints.hips[2] < later.joints["foot.L"][2] - 60)
      assert.is_true(math.abs(later.joints.hips[1] - later.width / 2) < 40)
      local box = later.box
      assert.is_true(box[1] > 0 and box[2] > 0 and box[3] < later.width and box[4] < later.height)
      assert.is_true(box[4] - box[2] > .4 * later.height)
    end)

    -- The whole way: resampled, quantised, written, read, interpolated, placed.
    local function assertPlaces(model, clip, time)
      local _, path = pageOf(model)
      local status = browse(path, ("#clip=%s&t=%.4f&paused"):format(clip:getName(), time))
      local pose = anim.newPose(model.skeleton)
      clip:sample(time, pose)
      local count, size = 0, 0
      for _, place in pairs(status.places) do size = math.max(size, math.abs(place[2])) end
      for name, place in pairs(status.places) do
        count = count + 1
        for i, x in ipairs({ pose:getPosition(name) }) do
          assert.is_true(math.abs(x - place[i]) < .004 * size, ("%s: %g, expected %g"):format(name, place[i], x))
        end
      end
      assert.is_true(count >= 6)
    end

    browserIt("joints are where they are in the clip, also between frames and in later blocks", function()
      local model = walker()
      assertPlaces(model, model.clips[1], .4217)
      local tracks = { spine = swing(.9, 1), ["upper_leg.L"] = swing(1.2, 2) }
      for _, keys in pairs(tracks) do
        for i = 1, #keys.rotation.times do keys.rotation.times[i] = keys.rotation.times[i] * 90 end
      end
      tracks.hips = { translation = { times = { 0, 90 }, values = { 0, 1, 0, 3, 1, 40 } },
        scale = { times = { 0, 90 }, values = { 1, 1, 1, 1.5, 1.5, 1.5 } } }
      model.clips[3] = anim.newClip({ name = "slow", skeleton = model.skeleton, tracks = tracks })
      assertPlaces(model, model.clips[3], 61.23)
    end)

    for _, case in ipairs({ { "humanoid/kaykit_adventurers/Knight.glb", "Walking_A", .55 },
      { "bvh/cmu/01_01.bvh", "01_01", 21.5 } }) do
      local name = "joints of " .. case[1] .. " are where they are in the clip"
      if data.has(case[1]) then
        browserIt(name, function()
          local model = assert(anim.load(data.path(case[1])))
          assertPlaces(model, model.clips[case[2]], case[3])
        end)
      else
        pending(name .. " (skipped: no " .. data.path(case[1]) .. ")")
      end
    end

    browserIt("a phone shows it too, in both colours of both sides", function()
      local _, path = pageOf(walker())
      local count = [[
        const g = document.getElementById("view").getContext("2d"), c = g.canvas;
        const p = g.getImageData(0, 0, c.width, c.height).data, n = { left: 0, right: 0 };
        for (let i = 0; i < p.length; i += 4) if (p[i + 3] > 200) {
          if (p[i] > p[i + 2] + 60) n.right++;
          if (p[i + 2] > p[i] + 60) n.left++;
        }
        n.wide = document.documentElement.scrollWidth;
        result(n);]]
      for _, theme in ipairs({ "light", "dark" }) do
        local status = browse(withScript(path, count), "#clip=walk&t=0.2&paused&theme=" .. theme, 390, 844)
        assert.is_true(status.left > 1500 and status.right > 1500, status.left .. " " .. status.right)
        assert.is_true(status.wide <= 500) -- as narrow as headless Chromium can be
      end
    end)

    browserIt("plays, stops at the end, goes backwards", function()
      local _, path = pageOf(walker())
      local script = [[
        const status = () => JSON.parse(document.getElementById("status").textContent), out = {};
        setTimeout(() => { out.first = status().time; }, 300);
        setTimeout(() => { out.second = status().time; }, 900);
        setTimeout(() => result({ ...out, ...status() }), 6000);]]
      local on = browse(withScript(path, script), "#clip=bow&loop=0&speed=0.5", 800, 600, 7000)
      assert.is_true(on.first > 0 and on.second > on.first)
      assert.are.equal(2, on.time)
      local back = browse(withScript(path, script), "#clip=bow&loop=0&t=1.5&speed=-0.5", 800, 600, 7000)
      assert.is_true(back.second < back.first)
      assert.are.equal(0, back.time)
    end)

    browserIt("obeys keys, buttons, search and pointer", function()
      local _, path = pageOf(walker())
      local status = browse(withScript(path, [[
        HTMLElement.prototype.setPointerCapture = () => {};
        const el = id => document.getElementById(id), out = {}, now = () => JSON.parse(el("status").textContent);
        const key = k => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
        const at = (type, x, y, more) => el("view").dispatchEvent(new PointerEvent(type,
          { pointerId: 1, clientX: x, clientY: y, button: 0, ...more }));
        const wait = () => new Promise(done => setTimeout(done, 150));
        (async () => {
          await wait(); out.start = now();
          key("ArrowRight"); await wait(); out.step = now().time;
          key("ArrowDown"); await wait(); out.next = now().clip;
          key("2"); await wait(); out.side = now();
          at("pointerdown", 500, 300); at("pointermove", 600, 300); at("pointerup", 600, 300);
          await wait(); out.turned = now();
          el("view").dispatchEvent(new WheelEvent("wheel", { deltaY: -400, cancelable: true }));
          await wait(); out.near = now();
          el("up").click(); await wait(); out.up = now().up;
          el("search").value = "WA"; el("search").dispatchEvent(new Event("input"));
          out.found = [...document.querySelectorAll("#clips li:not([hidden]) .name")].map(e => e.textContent);
          location.hash = "#clip=walk&t=0.5&paused"; await wait(); out.linked = now();
          result(out);
        })();]]), "#paused", 1000, 700, 9000)
      assert.are.equal("walk", status.start.clip)
      assert.is_true(math.abs(status.step - 1 / 30) < 1e-3)
      assert.are.equal("bow", status.next)
      assert.is_true(math.abs(status.turned.joints["hand.L"][1] - status.side.joints["hand.L"][1]) > 20)
      assert.is_true(status.near.box[4] - status.near.box[2] > 1.3 * (status.turned.box[4] - status.turned.box[2]))
      assert.are.equal("z", status.up)
      assert.are.same({ "walk" }, status.found)
      assert.are.equal(.5, status.linked.time)
      assert.are.equal("y", status.linked.up)
    end)

    browserIt("draws contact sheets", function()
      local _, path = pageOf(walker())
      local picture = scratch.path(".png")
      local pipe = io.popen(("tools/screenshot.sh %s %s 900 400; echo $?"):format(
        quoted(path .. "#sheet=8&clip=*"), quoted(picture)))
      assert.are.equal("0", pipe:read("*a"):match("(%d+)%s*$"))
      pipe:close()
      assert.are.equal("\137PNG", scratch.read(picture):sub(1, 4))
      local status, document = browse(path, "#sheet=8&clip=*")
      assert.are.same({ "walk", "bow" }, status.clips)
      local _, strips = document:match('<div id="sheet">(.-)</div>'):gsub("<canvas", "")
      assert.are.equal(2, strips)
    end)

    browserIt("models without clips, with one joint, and huge or broken positions open", function()
      local one = anim.newSkeleton({ { name = "only" } })
      local spin = anim.newClip({ name = "spin", skeleton = one, tracks = { only = swing(3, 0) } })
      local _, path = pageOf({ skeleton = one, clips = { spin } })
      assert.are.equal("spin", browse(path, "#paused").clip)
      _, path = pageOf({ skeleton = body() })
      assert.is_true(browse(path).bones > 10)
      local far = anim.newSkeleton({ { name = "a", translation = { 3e38, 0, 0 }, scale = { 1e30, 1e30, 1e30 } },
        { name = "b", parent = "a", translation = { 3e38, 1, 0 } }, { name = "c", parent = "b", scale = { 0, 0, 0 } } })
      _, path = pageOf({ skeleton = far })
      browse(path)
    end)

    browserIt("ten minutes of capture and a hundred clips open in less than 3 s", function()
      local model = longClip()
      local _, path = pageOf(model)
      local status = browse(path, "#t=300&paused")
      assert.are.equal(300, status.time)
      assert.is_true(status.opened < 3000, status.opened .. " ms")
      local many = walker()
      for i = 1, 100 do
        many.clips["clip" .. i] = many.clips[1]:addEvent(.5, "e" .. i)
      end
      _, path = pageOf(many)
      status = browse(path, "#clip=clip99&paused")
      assert.are.equal("clip99", status.clip)
      assert.is_true(status.opened < 3000, status.opened .. " ms")
    end)
  end)
end)
