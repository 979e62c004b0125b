-- The page of a recording in a browser: the figure and the time line show the same moment, whichever is moved.
local anim = require("anim")
local browser = require("spec.support.browser")
local page = require("spec.support.page")
local scratch = require("spec.support.scratch")

local browse, withScript, browserIt = browser.browse, browser.withScript, browser.it

-- The walker goes ahead by root motion, between two states; `name` turns a name into another.
local function record(name)
  name = name or function(text) return text end
  local model = page.walker(name("walker"))
  local hips = model.skeleton:find("hips")
  local tracks = { ["upper_leg.L"] = page.swing(.6, 0), ["upper_leg.R"] = page.swing(.6, math.pi),
    hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 1.5 } } } }
  local walk = anim.newClip({ name = name("walk"), skeleton = model.skeleton, tracks = tracks,
    events = { { time = .25, name = name("footstep"), data = "left" },
      { time = .75, name = name("footstep"), data = "right" } } })
  walk = walk:withRootMotion({ joint = hips, translation = "z" })
  local graph = anim.newGraph(model, { params = { [name("speed")] = { 0, smooth = .2 }, hurry = false },
    nodes = { [name("body")] = { type = "machine", initial = name("stand"),
      states = { [name("stand")] = { type = "clip", clip = model.clips[2] },
        [name("go")] = { type = "clip", clip = walk } },
      transitions = { { from = name("stand"), to = name("go"), when = "hurry", fade = .4 } } } }, root = name("body") })
  local made, places, pose, way = anim.record(graph), {}, anim.newPose(model.skeleton), 0
  for i = 1, 240 do
    if i == 61 then graph:set("hurry", true) end
    if i == 61 then graph:set(name("speed"), 2) end
    graph:update(1 / 60)
    graph:getPose(pose)
    local _, _, dz = graph:getRootMotion()
    way = way + dz
    local x, y, z = pose:getPosition("foot.L")
    places[i] = { x, y, z + way }
  end
  made:stop()
  local _, path = page.write(made)
  return path, places, made
end

-- Helpers for scripts in the page.
local helpers = [[
  HTMLElement.prototype.setPointerCapture = () => {};
  const el = id => document.getElementById(id), out = {}, now = () => JSON.parse(el("status").textContent);
  const box = el("timeline"), wait = () => new Promise(done => setTimeout(done, 150));
  const xOf = time => { const t = now().timeline; return box.getBoundingClientRect().left + t.gutter +
    (time - t.from) / (t.to - t.from) * (t.width - t.gutter - 10); };
  const at = (type, time, y, more) => box.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: "mouse",
    clientX: xOf(time), clientY: box.getBoundingClientRect().top + y, bubbles: true, ...more }));
  const rowOf = label => now().timeline.rows.find(row => row.label === label);
  const key = k => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
]]

-- Counts pixels of the figure's canvas, or of a part of it, by a colour of the page.
local counting = helpers .. [[
  const picture = () => {
    const copy = document.createElement("canvas");
    copy.width = el("view").width;
    copy.height = el("view").height;
    const g = copy.getContext("2d", { willReadFrequently: true });
    g.drawImage(el("view"), 0, 0);
    return g;
  };
  const countIn = (name, x, y, w, h) => {
    const p = picture().getImageData(x, y, w, h).data;
    const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
    const rgb = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
    let n = 0;
    for (let i = 0; i < p.length; i += 4) n += p[i + 3] > 0 && rgb.every((c, k) => Math.abs(p[i + k] - c) < 12);
    return n;
  };
  const countOf = name => countIn(name, 0, 0, el("view").width, el("view").height);
]]

local function near(a, b, most) return math.abs(a - b) <= most end

describe("record in the browser", function()
  teardown(scratch.clear)

  browserIt("the figure is where the graph had it, root motion and all", function()
    local path, places = record()
    for _, frame in ipairs({ 30, 75, 180, 240 }) do
      local status = browse(path, ("#t=%.6f&paused"):format(frame / 60))
      for axis = 1, 3 do
        local told = ("frame %d, axis %d: %g, expected %g"):format(frame, axis, status.places["foot.L"][axis],
          places[frame][axis])
        assert.is_true(near(status.places["foot.L"][axis], places[frame][axis], 2e-3), told)
      end
    end
  end)

  browserIt("lanes of states, events, weights and parameters are there with their values", function()
    local status = browse(record(), "#t=3&paused")
    local kinds, rows = {}, {}
    for _, row in ipairs(status.timeline.rows) do
      kinds[row.kind] = (kinds[row.kind] or 0) + 1
      rows[row.label] = row
    end
    assert.are.equal(1, kinds.machine)
    assert.are.equal(2, kinds.weight)
    assert.are.equal(2, kinds.param)
    assert.are.equal(6, rows.footstep.count)
    assert.are.equal(1, rows.walk.value)
    assert.are.equal(0, rows.bow.value)
    assert.are.equal(1, rows.hurry.value)
    assert.is_true(near(rows.speed.value, 2, .01))
    assert.are.equal(3, rows.body.count)
  end)

  browserIt("scrubbing the time line moves the figure; playing and keys move the time line", function()
    local status = browse(withScript(record(), helpers .. [[
      (async () => {
        await wait(); out.first = now();
        at("pointerdown", 1.5, 60); await wait(); out.down = now();
        at("pointermove", 3, 60); at("pointerup", 3, 60); await wait(); out.moved = now();
        at("pointermove", 2, 60); await wait(); out.hovered = now();
        key("ArrowRight"); await wait(); out.step = now();
        key("ArrowUp"); await wait(); out.before = now();
        document.querySelectorAll("#clips li")[1].click(); await wait(); out.chosen = now();
        el("play").click(); await wait(); await wait(); el("play").click(); await wait(); out.played = now();
        result(out);
      })();]]), "#t=0.5&paused", 1000, 800, 12000)
    assert.is_true(near(status.down.time, 1.5, .02))
    assert.is_true(near(status.moved.time, 3, .02))
    assert.are.equal(status.moved.time, status.hovered.time)
    assert.is_true(near(status.step.time, status.moved.time + 1 / 60, .02))
    assert.is_true(status.before.time < status.step.time)
    local function ahead(moment) return moment.places.hips[3] end
    assert.is_true(ahead(status.moved) > ahead(status.down) + 1.5)
    local last = -1
    for _, moment in ipairs({ "first", "down", "moved" }) do
      local t = status[moment].timeline
      assert.is_true(t.x > last)
      assert.is_true(near(t.x, t.gutter + status[moment].time / 4 * (t.width - t.gutter - 10), .5))
      last = t.x
    end
    assert.is_true(status.chosen.time > .9 and status.chosen.time < 1.1) -- the second thing that happened: it goes
    assert.is_true(status.played.time > status.chosen.time)
    assert.is_true(status.played.timeline.x > status.chosen.timeline.x)
  end)

  browserIt("zooms by wheel, keys, buttons and two fingers, and follows the time", function()
    local status = browse(withScript(record(), helpers .. [[
      (async () => {
        await wait();
        box.dispatchEvent(new WheelEvent("wheel", { deltaY: -150, clientX: xOf(1), clientY: 700, cancelable: true }));
        await wait(); out.wheel = now().timeline;
        key("+"); await wait(); out.key = now().timeline;
        el("whole").click(); await wait(); out.whole = now().timeline;
        const touch = { pointerType: "touch" };
        at("pointerdown", 1, 60, { ...touch, pointerId: 2 }); at("pointerdown", 2, 60, { ...touch, pointerId: 3 });
        const far = xOf(3);
        box.dispatchEvent(new PointerEvent("pointermove", { pointerId: 3, pointerType: "touch", clientX: far,
          clientY: 500, bubbles: true }));
        at("pointerup", 1, 60, { ...touch, pointerId: 2 }); at("pointerup", 2, 60, { ...touch, pointerId: 3 });
        await wait(); out.pinch = now().timeline;
        location.hash = "#t=2&span=1.9,2.1&paused"; await wait(); out.link = now().timeline;
        el("play").click(); for (let i = 0; i < 4; i++) await wait();
        el("play").click(); await wait(); out.played = now();
        result(out);
      })();]]), "#t=1&paused", 1000, 800, 12000)
    local function wide(span) return span.to - span.from end
    assert.is_true(near(wide(status.wheel), 4 * math.exp(-.3), .01))
    assert.is_true(near((1 - status.wheel.from) / wide(status.wheel), .25, .01)) -- what is under the pointer stays
    assert.is_true(near(wide(status.key), wide(status.wheel) / 2, .01))
    assert.are.equal(4, wide(status.whole))
    assert.is_true(near(wide(status.pinch), 2, .1))
    assert.is_true(near(wide(status.link), .2, 1e-6))
    local played = status.played
    assert.is_true(played.time > 2.1)
    assert.is_true(played.timeline.from <= played.time and played.time <= played.timeline.to)
  end)

  browserIt("says why a machine went where it is, what an event was and what a curve is worth", function()
    local status = browse(withScript(record(), helpers .. [[
      (async () => {
        await wait();
        const tip = () => el("tip").hidden ? "" : el("tip").textContent;
        const touch = { pointerType: "touch", pointerId: 4 }, y = label => rowOf(label).top + 10;
        at("pointermove", 1, y("body")); out.machine = tip();
        at("pointermove", 2.5, y("body")); out.state = tip();
        at("pointermove", 1.25, y("footstep")); out.event = tip();
        at("pointermove", 3, y("speed")); out.param = tip();
        at("pointerleave", 3, 60); out.none = tip();
        at("pointerdown", 1, y("body"), touch); at("pointerup", 1, y("body"), touch); await wait();
        out.tapped = tip(); out.time = now().time;
        result(out);
      })();]]), "#t=2&paused", 1000, 800, 6000)
    assert.is_truthy(status.machine:find("stand → go · 1.00 s · hurry (hurry = true)", 1, true))
    assert.is_truthy(status.state:find("go · ", 1, true))
    assert.is_truthy(status.state:find("because hurry", 1, true))
    assert.is_truthy(status.event:find("footstep left · 1.25 s · of walk", 1, true))
    assert.is_truthy(status.param:find("speed = 2.00", 1, true))
    assert.are.equal("", status.none)
    assert.are.equal(status.machine, status.tapped)
    assert.is_true(near(status.time, 1, .02))
  end)

  browserIt("shows hostile names as they are", function()
    local names = {}
    for i, name in ipairs(page.hostile) do
      if not name:find("[\128-\255%c]") then names[#names + 1] = { name, i } end
    end
    local function hostile(text) return names[1][1] .. text .. "<img src=x onerror=alert(1)>{{data}}" end
    local path = record(hostile)
    local status, document = browse(withScript(path, helpers .. [[
      (async () => { await wait(); result({ title: document.title, rows: now().timeline.rows.map(row => row.label),
        list: [...document.querySelectorAll("#clips .name")].map(e => e.textContent) }); })();]]),
      "#t=2&paused", 900, 700, 3000)
    assert.are.equal(hostile("walker"), status.title)
    local rows = table.concat(status.rows, "\n")
    for _, text in ipairs({ "body", "footstep", "speed" }) do
      assert.is_truthy(rows:find(hostile(text), 1, true), text)
    end
    assert.are.equal("→ " .. hostile("stand"):sub(1, 80), status.list[1]) -- data are cut
    assert.is_nil(document:find("<img", 1, true))
  end)

  browserIt("a phone has room for figure, time line and buttons, light and dark", function()
    local path = record()
    for _, theme in ipairs({ "light", "dark" }) do
      local status = browse(withScript(path, helpers .. [[
        (async () => { await wait();
          const g = el("lanes").getContext("2d"), p = g.getImageData(0, 0, g.canvas.width, g.canvas.height).data;
          let painted = 0;
          for (let i = 3; i < p.length; i += 4) painted += p[i] > 60;
          result({ ...now(), wide: document.documentElement.scrollWidth, painted,
            lanes: el("rows").clientHeight, bar: el("bar").getBoundingClientRect().bottom }); })();]]),
        "#t=2&paused&theme=" .. theme, 390, 844, 3000)
      assert.is_true(status.wide <= 500) -- as narrow as headless Chromium can be
      assert.is_true(status.height > 250 and status.lanes > 150, status.height .. " " .. status.lanes)
      assert.is_true(status.bar <= 844)
      assert.is_true(status.painted > 5000, status.painted)
      assert.is_true(status.box[2] > 0 and status.box[4] < status.height)
    end
  end)

  describe("targets", function()
    -- A hand goes after a target in a circle, with a pole; root motion leads ahead.
    local function reach()
      local model = page.walker("reacher")
      local go = anim.newClip({ name = "go", skeleton = model.skeleton,
        tracks = { hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 1 } } } } })
      go = go:withRootMotion({ joint = "hips", translation = "z" })
      local graph = anim.newGraph(model, { params = { grip = 1 }, nodes = {
        grab = { type = "twoBone", input = "go", joint = "hand.L", target = { 0, 0, 0 }, pole = { .6, 1.2, -.6 },
          weight = "grip" } }, root = "grab" }, { clips = { go = go } })
      local made, places, way = anim.record(graph), {}, 0
      for i = 1, 120 do
        if i == 91 then graph:set("grip", 0) end
        local target = { .3 + .2 * math.sin(i / 9), 1.3 + .2 * math.cos(i / 9), .3 }
        graph:find("grab"):setTarget(target[1], target[2], target[3])
        graph:update(1 / 60)
        local _, _, dz = graph:getRootMotion()
        way = way + dz
        places[i] = { target[1], target[2], target[3] + way }
      end
      made:stop()
      local _, path = page.write(made)
      return path, places
    end

    local looking = counting .. [[
      const look = () => ({ targets: now().targets, target: countOf("target"), pole: countOf("pole"),
        pressed: el("targets").getAttribute("aria-pressed"), legend: el("legend").innerText, hash: location.hash });
    ]]

    local function isNear(expected, got, told)
      for axis = 1, 3 do assert.is_true(near(expected[axis], got[axis], 2e-3), told) end
    end

    browserIt("are where the graph had them, between frames too, while they count", function()
      local path, places = reach()
      for _, frame in ipairs({ 20, 60.5, 90 }) do
        local status = browse(path, ("#t=%.6f&paused"):format(frame / 60))
        local a, b = places[math.floor(frame)], places[math.ceil(frame)]
        local target, pole = status.targets[1], status.targets[2]
        isNear({ (a[1] + b[1]) / 2, (a[2] + b[2]) / 2, (a[3] + b[3]) / 2 }, target.place, "frame " .. frame)
        isNear({ .6, 1.2, -.6 + (a[3] + b[3]) / 2 - .3 }, pole.place, "pole at frame " .. frame)
        assert.are.same({ "grab", false, true }, { target.label, target.pole, pole.pole })
      end
      assert.are.same({}, browse(path, "#t=1.6&paused").targets)
    end)

    browserIt("are drawn in colours of their own, light and dark, and go by button, key and link", function()
      for _, theme in ipairs({ "light", "dark" }) do
        local status = browse(withScript(reach(), looking .. [[
          (async () => {
            await wait(); out.first = look();
            key("i"); await wait(); out.key = look();
            el("targets").click(); await wait(); out.button = look();
            location.hash = "#t=0.5&targets=0&paused"; await wait(); out.link = look();
            out.help = el("help").textContent;
            result(out);
          })();]]), "#t=0.5&paused&theme=" .. theme, theme == "dark" and 500 or 1000, 800, 6000)
        for _, moment in ipairs({ "first", "button" }) do
          local seen = status[moment]
          assert.is_true(seen.target > 30 and seen.pole > 15, theme .. " " .. seen.target .. " " .. seen.pole)
          assert.are.equal("true", seen.pressed)
          assert.are.equal(2, #seen.targets)
          assert.is_truthy(seen.legend:find("target", 1, true) and seen.legend:find("pole", 1, true))
        end
        for _, moment in ipairs({ "key", "link" }) do
          local seen = status[moment]
          assert.are.same({ 0, 0 }, { seen.target, seen.pole })
          assert.are.equal("false", seen.pressed)
          assert.are.same({}, seen.targets)
          assert.is_nil(seen.legend:find("target", 1, true))
        end
        assert.is_truthy(status.help:find("targets and poles", 1, true))
      end
    end)

    browserIt("are named when joints are, and where one points", function()
      local status = browse(withScript(reach(), helpers .. [[
        (async () => {
          const texts = [], fill = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
            if (this.canvas.id === "view") texts.push(text);
            fill.call(this, text, ...at);
          };
          await wait(); out.without = texts.slice(); texts.length = 0;
          key("n"); await wait(); out.with = texts.slice();
          const [x, y] = now().targets[1].spot;
          const event = new PointerEvent("pointermove", { clientX: el("view").getBoundingClientRect().left + x,
            clientY: el("view").getBoundingClientRect().top + y, bubbles: true });
          el("view").dispatchEvent(event);
          out.tip = el("tip").hidden ? "" : el("tip").textContent;
          result(out);
        })();]]), "#t=0.5&paused", 1000, 800, 6000)
      local function has(list, text) return table.concat(list, "\n"):find(text, 1, true) ~= nil end
      assert.is_false(has(status.without, "grab"))
      assert.is_true(has(status.with, "grab") and has(status.with, "pole"))
      assert.is_truthy(status.tip:find("pole of grab", 1, true), status.tip)
    end)

    browserIt("have no button where there are none", function()
      local path = record()
      local status = browse(withScript(path, helpers .. [[
        (async () => { await wait(); key("i"); await wait();
          result({ button: !!el("targets"), help: el("help").textContent, has: "targets" in now() }); })();]]),
        "#t=1&paused", 1000, 800, 3000)
      assert.is_false(status.button)
      assert.is_false(status.has)
      assert.is_nil(status.help:find("targets", 1, true))
    end)
  end)

  describe("lines of the scene", function()
    -- Half a metre ahead and half a metre up in a second, over a flight of steps, or with lines of one's own.
    local function climb(lines)
      local model = page.walker("climber")
      local graph = anim.newGraph(model, { root = { type = "clip", clip = model.clips[1] } })
      local made = anim.record(graph)
      for i = 1, 240 do
        graph:setTransform(0, i / 120, i / 120)
        graph:update(1 / 60)
      end
      made:stop()
      local path = scratch.path(".html")
      assert(anim.view(made, path, { lines = lines }))
      return path
    end

    local function steps()
      local lines = {}
      for i = 0, 7 do
        lines[#lines + 1] = { -.6, i / 4, i / 4, .6, i / 4, i / 4 }
        lines[#lines + 1] = { .6, i / 4, i / 4, .6, i / 4 + .25, i / 4 }
      end
      return lines
    end

    browserIt("are drawn in a colour of their own, and the camera goes up with the figure", function()
      local path = climb(steps())
      for _, theme in ipairs({ "light", "dark" }) do
        local tall = {}
        for i, time in ipairs({ .5, 3.5 }) do
          local status = browse(withScript(path, counting .. [[
            (async () => { await wait(); result({ ...now(), scene: countOf("scene") }); })();]]),
            ("#t=%g&paused&view=side&theme=%s"):format(time, theme), theme == "dark" and 500 or 1000, 800, 3000)
          local box = status.box
          assert.is_true(status.scene > 40, theme .. " " .. status.scene)
          assert.is_true(box[2] > 0 and box[4] < status.height)
          tall[i] = (box[4] - box[2]) / status.height
        end
        assert.is_true(tall[1] > .5 and near(tall[1], tall[2], .05), tall[1] .. " " .. tall[2])
      end
    end)

    browserIt("lie below the figure, and what passes by the camera is drawn up to there", function()
      local function look(lines)
        return browse(withScript(climb(lines), counting .. [[
          (async () => {
            await wait();
            const [x, y] = now().joints.hips.map(Math.round);
            result({ hips: countIn("scene", x - 2, y - 3, 5, 7), left: countIn("scene", x - 62, y - 3, 5, 7),
              right: countIn("scene", x + 58, y - 3, 5, 7), scene: countOf("scene") });
          })();]]), "#t=1&paused&view=front", 1000, 800, 3000)
      end
      -- The hips are 1 m high at rest; in a second they go half a metre up and ahead.
      local across = look({ { -1, 1.5, .5, 1, 1.5, .5 } })
      assert.are.equal(0, across.hips)
      assert.is_true(across.left >= 5 and across.right >= 5, across.left .. " " .. across.right)
      assert.is_true(look({ { .4, .5, -1e3, .4, .5, 1e3 } }).scene > 50)
    end)
  end)

  browserIt("an empty recording opens, and ten minutes in less than 3 s", function()
    local model = page.walker()
    local graph = anim.newGraph(model, { root = { type = "clip", clip = model.clips[1] } })
    local made = anim.record(graph)
    made:stop()
    local _, path = page.write(made)
    assert.are.equal(0, #browse(path).timeline.rows)
    made = anim.record(graph)
    for _ = 1, 36000 do graph:update(1 / 60) end
    made:stop()
    _, path = page.write(made)
    local status = browse(path, "#t=300&paused")
    assert.are.equal(300, status.time)
    assert.is_true(status.opened < 3000, status.opened .. " ms")
  end)
end)
