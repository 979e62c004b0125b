-- The page of anim.view in a browser: it opens without a word on the console, shows the figure, plays and obeys.
local anim = require("anim")
local browser = require("spec.support.browser")
local data = require("spec.support.data")
local page = require("spec.support.page")
local scratch = require("spec.support.scratch")

local browse, withScript, browserIt = browser.browse, browser.withScript, browser.it

-- Ten minutes at 120 keys a second, like motion capture.
local function longClip()
  local skeleton, tracks = page.body(), {}
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

describe("view in the browser", function()
  teardown(scratch.clear)

  browserIt("shows such names as they are", function()
    local _, path = page.write(page.hostileModel())
    local status, document = browse(withScript(path,
      "document.getElementById('names').click();" ..
      "result({ title: document.title, clips: " ..
      "[...document.querySelectorAll('#clips .name')].map(e => e.textContent) });"), nil, 800, 600)
    for i, name in ipairs(page.hostile) do
      if not name:find("[\128-\255]") then assert.are.equal(name, status.clips[i]) end
    end
    assert.are.equal(page.hostile[1], status.title)
    assert.is_nil(document:find("<img", 1, true))
  end)

  browserIt("the figure is there, upright, and moves", function()
    local _, path = page.write(page.walker())
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
    local _, path = page.write(model)
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
    local model = page.walker()
    assertPlaces(model, model.clips[1], .4217)
    local tracks = { spine = page.swing(.9, 1), ["upper_leg.L"] = page.swing(1.2, 2) }
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
    local _, path = page.write(page.walker())
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
    local _, path = page.write(page.walker())
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
    local _, path = page.write(page.walker())
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
    local _, path = page.write(page.walker())
    local picture = scratch.path(".png")
    local pipe = io.popen(("tools/screenshot.sh %s %s 900 400; echo $?"):format(
      browser.quoted(path .. "#sheet=8&clip=*"), browser.quoted(picture)))
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
    local spin = anim.newClip({ name = "spin", skeleton = one, tracks = { only = page.swing(3, 0) } })
    local _, path = page.write({ skeleton = one, clips = { spin } })
    assert.are.equal("spin", browse(path, "#paused").clip)
    _, path = page.write({ skeleton = page.body() })
    assert.is_true(browse(path).bones > 10)
    local far = anim.newSkeleton({ { name = "a", translation = { 9e14, 0, 0 }, scale = { 1e14, 1e14, 1e14 } },
      { name = "b", parent = "a", translation = { 9e14, 1, 0 } }, { name = "c", parent = "b", scale = { 0, 0, 0 } } })
    _, path = page.write({ skeleton = far })
    browse(path)
  end)

  browserIt("ten minutes of capture and a hundred clips open in less than 3 s", function()
    local model = longClip()
    local _, path = page.write(model)
    local status = browse(path, "#t=300&paused")
    assert.are.equal(300, status.time)
    assert.is_true(status.opened < 3000, status.opened .. " ms")
    local many = page.walker()
    for i = 1, 100 do
      many.clips["clip" .. i] = many.clips[1]:addEvent(.5, "e" .. i)
    end
    _, path = page.write(many)
    status = browse(path, "#clip=clip99&paused")
    assert.are.equal("clip99", status.clip)
    assert.is_true(status.opened < 3000, status.opened .. " ms")
  end)
end)
