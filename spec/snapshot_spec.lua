-- save, restore, hash and clone of random graphs: what runs on after restore is what ran on, bit for bit; whatever the
-- bytes, restore refuses them or takes a state that runs.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local random = require("spec.support.random_graph")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local function rounds(n) return data.slow and n or math.ceil(n / 10) end

-- Scripts keep what they know outside of the graph, so snapshots are of the other kinds.
local options = { depth = 4, kinds = { "mixer", "blend1D", "blend2D", "direct", "layers" } }

local function namesOf(c, test)
  local out = {}
  for _, node in ipairs(c.oracle.nodes) do
    if test(node) then out[#out + 1] = node.name end
  end
  return out
end

-- What a game does to a graph, as a list of calls that can be made again, on any graph of the same shape.
local function randomCalls(c, r, count)
  local mixers = namesOf(c, function(node) return node.kind == "mixer" and #node.inputs > 0 end)
  local all = namesOf(c, function() return true end)
  local inputs = {}
  for _, node in ipairs(c.oracle.nodes) do inputs[node.name] = #node.inputs end
  local function call()
    local kind, name = r.integer(1, 6), r.pick(all)
    if kind == 1 then
      local param, value = r.pick(c.paramNames), r.number(-1, 1.5)
      return function(graph) graph:set(param, value) end
    elseif kind == 2 and #mixers > 0 then
      local mixer = r.pick(mixers)
      local i, seconds, rewind = r.integer(1, inputs[mixer]), r.pick({ 0, .1, .4 }), r.unit() < .5
      return function(graph) graph:find(mixer):fadeTo(i, seconds, rewind) end
    elseif kind == 3 then
      local speed = r.pick({ 1, .5, -1, 0 })
      return function(graph) graph:find(name):setSpeed(speed) end
    elseif kind == 4 then
      local phase = r.number(-1, 2)
      return function(graph) graph:find(name):setPhase(phase) end
    elseif kind == 5 then
      if r.unit() < .5 then return function(graph) graph:find(name):pause() end end
      return function(graph) graph:find(name):play() end
    end
    return function() end
  end
  local out = {}
  for i = 1, count do
    local makes, dt = call(), r.unit() < .1 and r.number(0, 2) or r.number(0, .1)
    out[i] = function(graph)
      makes(graph)
      graph:update(dt)
    end
  end
  return out
end

-- The hashes after each call, and what was told.
local function run(graph, calls)
  local hashes, told = {}, {}
  local subscription = graph:on("*", function(name, payload, node, _, time, weight, edge)
    told[#told + 1] = table.concat({ name, tostring(payload), node:getName(), time, weight, tostring(edge) }, " ")
  end)
  for i, call in ipairs(calls) do
    call(graph)
    hashes[i] = graph:hash()
  end
  subscription:cancel()
  return hashes, told
end

local function finite(graph, n, where)
  for j = 1, n do
    for _, x in ipairs({ graph:getJoint(j) }) do assert(x - x == 0, where) end
  end
end

describe("a snapshot", function()
  it("taken at any step gives the same steps again, in the graph and in others of its shape", function()
    for seed = 1, rounds(120) do
      local c = random.graph(seed, options)
      local r = check.random(seed + 500)
      run(c.graph, randomCalls(c, r, r.integer(0, 20)))
      local saved = c.graph:save()
      local calls = randomCalls(c, r, 20)
      local hashes, told = run(c.graph, calls)
      local others = { c.graph, c.graph:clone(), random.again(c, c.root) }
      run(others[2], randomCalls(c, r, 5))
      for i, graph in ipairs(others) do
        local where = ("seed %d, graph %d"):format(seed, i)
        assert.is_true(graph:restore(saved))
        assert.are.equal(saved, graph:save(), where)
        local again, toldAgain = run(graph, calls)
        assert.are.same(hashes, again, where)
        assert.are.same(told, toldAgain, where)
      end
    end
  end)

  it("drops what was not told yet", function()
    local c = random.graph(11, { depth = 2, events = 1, kinds = { "mixer" } })
    c.graph:advance(0)
    local saved = c.graph:save()
    c.graph:advance(3)
    assert.is_true(c.graph:restore(saved))
    local count = 0
    for _ in c.graph:events() do count = count + 1 end
    assert.are.equal(0, count)
  end)

  it("before the first update is of a graph as built", function()
    local c = random.graph(12, options)
    local saved, hash = c.graph:save(), c.graph:hash()
    local calls = randomCalls(c, check.random(12), 10)
    local hashes = run(c.graph, calls)
    assert.is_true(c.graph:restore(saved))
    assert.are.equal(c.graph:hash("state"), random.again(c, c.root):hash("state"))
    assert.are.same(hashes, (run(c.graph, calls)))
    c.graph:reset()
    assert.are.equal(hash, c.graph:hash())
    assert.are.same(hashes, (run(c.graph, calls)))
  end)

  it("of another shape is refused", function()
    local c = random.graph(13, options)
    c.graph:update(.1)
    local hash = c.graph:hash()
    local function refused(saved)
      local fine, message = c.graph:restore(saved)
      assert.is_nil(fine)
      assert.is_string(message)
      assert.are.equal(hash, c.graph:hash())
    end
    for seed = 14, 20 do refused(random.graph(seed, options).graph:save()) end
    local edited = c.graph:clone()
    edited:add({ type = "mixer" })
    refused(edited:save())
    edited = c.graph:clone()
    edited:param("one more", 1)
    refused(edited:save())
    refused("")
    refused("anim")
    refused(("x"):rep(#c.graph:save()))
    assert.has_error(function() c.graph:restore() end)
    assert.has_error(function() c.graph:restore(12) end)
  end)
end)

describe("a damaged snapshot", function()
  -- What is left runs: weights and pose stay finite.
  local function survives(graph, n, where)
    graph:evaluate()
    for _ = 1, 3 do graph:update(.05) end
    finite(graph, n, where)
    for _ in graph:active() do end
  end

  local function damaged(seed, change, count)
    local c = random.graph(seed, options)
    local r = check.random(seed)
    run(c.graph, randomCalls(c, r, 8))
    local saved = c.graph:save()
    for i = 1, count do
      local hash = c.graph:hash("state")
      local bytes, what = change(saved, r, i)
      local where = ("seed %d: %s"):format(seed, what)
      local taken, message = c.graph:restore(bytes)
      if taken then
        survives(c.graph, #c.rig, where)
      else
        assert(type(message) == "string", where)
        assert.are.equal(hash, c.graph:hash("state"), where)
      end
      assert.is_true(c.graph:restore(saved))
    end
    c.graph:update(.1)
    local twin = random.again(c, c.root)
    assert.is_true(twin:restore(saved))
    twin:update(.1)
    assert.are.equal(twin:hash(), c.graph:hash(), "seed " .. seed)
  end

  local function replaced(saved, at, byte) return saved:sub(1, at - 1) .. string.char(byte) .. saved:sub(at + 1) end

  it("with one byte changed, at any place", function()
    for seed = 1, rounds(20) do
      damaged(seed, function(saved, r, i)
        local at, byte = (i * 37) % #saved + 1, r.integer(0, 255)
        return replaced(saved, at, byte), ("byte %d is %d"):format(at, byte)
      end, 400)
    end
  end)

  it("with numbers that are none, or too large", function()
    local patterns = { "\0\0\0\0\0\0\248\127", "\0\0\0\0\0\0\240\127", "\255\255\255\255\255\255\239\127",
      "\0\0\192\127", "\0\0\128\255", "\255\255\127\127", "\255\255\255\255", "\255\255\255\127",
      "\255\255\255\255\255\255\255\127", "\0\0\0\0\0\0\0\128", "\1\0\0\0\0\0\0\0" }
    for seed = 40, 40 + rounds(20) - 1 do
      damaged(seed, function(saved, r)
        local pattern, at = r.pick(patterns), 4 * r.integer(0, math.floor(#saved / 4) - 1) + 1
        return (saved:sub(1, at - 1) .. pattern .. saved:sub(at + #pattern)):sub(1, #saved),
          ("%d bytes at %d"):format(#pattern, at)
      end, 300)
    end
  end)

  it("cut or too long", function()
    damaged(31, function(saved, _, i) return saved:sub(1, #saved - i), "cut by " .. i end, 200)
    damaged(32, function(saved, _, i) return saved:sub(1, i - 1), "cut to " .. i - 1 end, 200)
    damaged(33, function(saved, _, i) return saved .. ("\0"):rep(i), "longer by " .. i end, 20)
  end)

  it("of noise", function()
    damaged(34, function(saved, r)
      local bytes = {}
      for i = 1, #saved do bytes[i] = string.char(r.integer(0, 255)) end
      local head = r.pick({ 0, 8, 16, 24 })
      return saved:sub(1, head) .. table.concat(bytes, "", head + 1), "noise after " .. head
    end, 20)
  end)
end)

-- Three joints, and clips that turn, scale and move them.
local function rig(r)
  local up = { 0, 1, 0 }
  local skeleton = anim.newSkeleton({ { name = "root" }, { name = "spine", parent = "root", translation = up },
    { name = "head", parent = "spine", translation = up } })
  local function turns()
    local values, closes = {}, r.rotation(1.2)
    for _, q in ipairs({ closes, r.rotation(1.2), closes }) do
      for _, x in ipairs(q) do values[#values + 1] = x end
    end
    return { times = { 0, .4, 1 }, values = values }
  end
  local function clip(name, loop)
    local own = anim.newClip({ name = name, skeleton = skeleton, duration = 1, loop = loop,
      events = { { time = .3, name = "hit" }, { time = .5, duration = .2, name = "window" } },
      tracks = { root = { rotation = turns(),
        translation = { times = { 0, 1 }, values = { 0, 0, 0, r.unit(), 0, 1 } } },
        spine = { rotation = turns(), scale = { times = { 0, 1 }, values = { 1, 1, 1, 1.5, .5, 1 } } },
        head = { rotation = turns() } } })
    return own:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  end
  return skeleton, { a = clip("a", true), b = clip("b", false), c = clip("c", "pingpong") }
end

local upper = { root = 1, spine = .5, head = 0 }

-- A machine in a fade; kinds go on to 4: alone, interrupted, turned back, into itself; above: with a profile.
local function fading(r, mode, kind)
  local skeleton, clips = rig(r)
  local profile = kind > 4 and "upper" or nil
  local graph = anim.newGraph(skeleton, { params = { p = .4 }, masks = { upper = upper }, nodes = { machine = {
    type = "machine", initial = "x", states = { x = "a", y = "b", z = "c" }, transitions = {
      { from = "x", to = "y", when = "p > .5", fade = .3, mode = mode, profile = profile },
      { from = "y", to = "z", when = "p < .3", fade = .3, mode = mode, profile = profile },
      { from = "y", to = "x", when = "p > .7", fade = .3 },
      { from = "x", to = "x", when = "p < .2", self = true, fade = .3, mode = mode, profile = profile },
      { from = "z", to = "x", when = "p > .5", fade = .2, mode = mode } } } }, root = "machine" }, { clips = clips })
  graph:update(.2)
  local values = ({ { .6 }, { .6, .25 }, { .6, .8 }, { .1 } })[(kind - 1) % 4 + 1]
  for i, p in ipairs(values) do
    graph:set("p", p)
    graph:update(.1 / i)
  end
  assert(graph:find("machine"):isFading())
  return graph
end

-- A character with everything that keeps poses, weights and fades in its state, somewhere in the middle of them.
local function busy(r)
  local skeleton, clips = rig(r)
  local function mode() return r.pick({ "crossfade", "inertial", "frozen" }) end
  local function node(name) return { type = "clip", clip = name } end
  local inner = { type = "machine", initial = "i", states = { i = "a", j = "b" }, transitions = {
    { from = "i", to = "j", when = "p > .5", fade = .4, mode = "inertial" },
    { from = "j", to = "i", when = "p < .5", fade = .3 } } }
  local machine = { type = "machine", initial = "x", states = { x = "a", y = "b", w = inner, alone = "c",
    z = { type = "blend1D", param = "q", sync = true, { 0, "a" }, { 1, "c" } } }, transitions = {
    { from = "x", to = "y", when = "p > 0", fade = .3, mode = mode(), interrupt = "both", profile = "upper" },
    { from = "y", to = "z", when = "p > .3", fade = .4, mode = mode() },
    { from = "z", to = "w", when = "p > .5", fade = .3, mode = mode() },
    { from = "w", to = "x", when = "p < .4", fade = .5, mode = mode() },
    { from = "y", to = "y", self = true, when = "p < .2", fade = .3 },
    { from = "*", to = "x", when = "p < .05", fade = .2, mode = "inertial" } } }
  local graph = anim.newGraph(skeleton, { params = { p = 0, q = { .5, smooth = .2 } },
    masks = { upper = upper },
    nodes = { machine = machine, shot = { type = "oneShot", base = "machine", fadeIn = .1, fadeOut = .2 },
      layers = { type = "layers", base = "shot",
        { { type = "queue", inputs = { node("b"), node("c") }, fade = .1, loop = true }, mask = "upper", weight = .5 },
        { { type = "random", inputs = { node("a"), node("b") }, fade = .1 }, mode = "additive", weight = .4 } },
      mixer = { type = "mixer", inputs = { "layers", node("c") }, weights = { 1, .5 } } }, root = "mixer" },
    { clips = clips })
  graph:find("shot"):fire("b")
  for _ = 1, r.integer(3, 14) do
    graph:set("p", r.unit())
    graph:set("q", r.unit())
    if r.unit() < .3 then graph:find("shot"):fire("b") end
    if r.unit() < .3 then graph:find("mixer"):fadeTo(r.integer(1, 2), .3) end
    graph:update(r.number(.01, .12))
  end
  return graph
end

describe("a snapshot of fades, shots and players", function()
  local function checkNumbers(where, ...)
    for _, x in ipairs({ ... }) do assert(x - x == 0, where) end
  end

  local function sane(graph, where, ...)
    for joint = 1, 3 do
      local _, _, _, x, y, z, w = graph:getJoint(joint)
      checkNumbers(where .. ": pose", graph:getJoint(joint))
      checkNumbers(where .. ": matrix", graph:getMatrix(joint))
      assert(math.abs(x * x + y * y + z * z + w * w - 1) < 1e-3, where .. ": rotation")
    end
    checkNumbers(where .. ": root motion", graph:getRootMotion())
    for _, name in ipairs({ ... }) do
      local node = graph:find(name)
      for _, x in ipairs({ node:getWeight(), node:getTime(), node:getPhase(), node:getRemaining() }) do
        assert(x >= 0 and x == x, where .. ": numbers of " .. name)
      end
    end
  end

  local function runs(graph, where, ...)
    graph:evaluate()
    sane(graph, where .. ", at once", ...)
    for _, dt in ipairs({ 0, 1 / 60, 1 / 60 }) do graph:update(dt) end
    sane(graph, where .. ", later", ...)
    if graph:find("shot") then
      graph:find("shot"):fire("b")
      graph:find("mixer"):fadeTo(1, .1)
    end
    for _, p in ipairs({ .9, .02, .1, .6 }) do
      graph:set("p", p)
      graph:update(.1)
      sane(graph, where .. ", with p = " .. p, ...)
    end
  end

  -- 3.4e38, 1e30, -1e30, 1e20, 1e5, -1, 0, 1, 3; 1e200, -1e200; small and special integers.
  local patterns = { "\255\255\127\127", "\202\242\73\113", "\202\242\73\241", "\236\120\173\96", "\0\80\195\71",
    "\0\0\128\191", "\0\0\0\0", "\0\0\128\63", "\0\0\64\64", "\90\98\215\215\24\231\116\105",
    "\90\98\215\215\24\231\116\233", "\2\0\0\0", "\253\255\255\255", "\254\255\255\255", "\255\255\255\255" }

  it("with any number in any place is refused, or shows finite poses of unit rotations", function()
    local taken = 0
    for seed = 1, rounds(10) do
      local r = check.random(seed)
      local graph = busy(r)
      local saved = graph:save()
      for _ = 1, 500 do
        local pattern, at = r.pick(patterns), 25 + 8 * r.integer(0, math.floor((#saved - 24) / 8) - 1)
        if #pattern == 4 and r.unit() < .5 then at = at + 4 end
        if graph:restore(saved:sub(1, at - 1) .. pattern .. saved:sub(at + #pattern)) then
          taken = taken + 1
          runs(graph, ("seed %d, %d bytes at %d"):format(seed, #pattern, at - 25), "machine", "shot", "layers", "mixer")
        end
      end
      assert(graph:restore(saved))
    end
    assert.is_true(taken > rounds(10) * 200)
  end)

  -- Small enough for every place: a fade of each mode, alone, and over what was interrupted, turned back, or itself.
  it("of a machine, with numbers in every place, likewise", function()
    for kind = 1, data.slow and 8 or 1 do
      local r = check.random(kind)
      local graph = fading(r, r.pick({ "crossfade", "inertial", "frozen" }), kind)
      local saved, taken = graph:save(), 0
      for at = 25, #saved - 7, 4 do
        for _ = 1, 5 do
          local pattern = r.pick(patterns)
          if graph:restore(saved:sub(1, at - 1) .. pattern .. saved:sub(at + #pattern)) then
            taken = taken + 1
            runs(graph, ("kind %d, %d bytes at %d"):format(kind, #pattern, at - 25), "machine")
          end
        end
      end
      assert(graph:restore(saved))
      assert.is_true(taken > 500)
    end
  end)

  it("is never refused where nobody tampered with it, in the middle of edits, too", function()
    for seed = 1, rounds(40) do
      local r = check.random(1000 + seed)
      local graph = busy(r)
      assert(graph:restore(graph:save()))
      graph:find("mixer"):fadeTo(1, 0)
      graph:set("p", .9)
      graph:find("machine"):play("alone", 0)
      graph:update(.05)
      graph:set("p", .02) -- an inertial fade from there
      graph:update(.05)
      assert.are.equal("alone", graph:find("machine"):getSource())
      graph:find("machine"):removeInput("alone")
      for _ = 1, 8 do
        assert(graph:restore(graph:save()))
        sane(graph, "seed " .. seed, "machine", "mixer")
        graph:update(.05)
      end
    end
  end)
end)

describe("a clone", function()
  it("is as built, and lives a life of its own", function()
    for seed = 1, rounds(40) do
      local c = random.graph(seed + 100, options)
      local r = check.random(seed)
      run(c.graph, randomCalls(c, r, 10))
      local clone, built = c.graph:clone(), random.again(c, c.root)
      assert.are.equal(built:hash(), clone:hash(), "seed " .. seed)
      local mine, its = randomCalls(c, r, 15), randomCalls(c, r, 15)
      local saved = c.graph:save()
      local alone, aloneIts = run(c.graph, mine), run(built, its)
      assert.is_true(c.graph:restore(saved))
      local together, both = {}, {}
      for i = 1, 15 do
        mine[i](c.graph)
        its[i](clone)
        together[i], both[i] = c.graph:hash(), clone:hash()
      end
      assert.are.same(alone, together, "the graph, seed " .. seed)
      assert.are.same(aloneIts, both, "its clone, seed " .. seed)
    end
  end)

  it("finds the node that corresponds, and hears nothing of the other's subscribers", function()
    local c = random.graph(7, { depth = 3, events = 1, kinds = { "mixer" } })
    local count = 0
    c.graph:on("*", function() count = count + 1 end)
    local clone = c.graph:clone()
    for _, node in ipairs(c.oracle.nodes) do
      local mine = c.graph:find(node.name)
      local its = clone:find(mine)
      assert.are.equal(node.name, its:getName())
      assert.are.equal(clone, its:getGraph())
      assert.are_not.equal(mine, its)
    end
    clone:update(2)
    assert.are.equal(0, count)
    c.graph:update(2)
    assert.is_true(count > 0)
  end)

  it("of a graph that was released still runs", function()
    local c = random.graph(9, options)
    local clone = c.graph:clone()
    c.graph:release()
    clone:update(.2)
    finite(clone, #c.rig, "clone")
    local other = anim.newGraph(c.skeleton)
    assert.is_nil((other:restore(clone:save())))
    assert.are.equal(10, select("#", unpack({ clone:getJoint(1) })))
  end)
end)
