-- With constant parameters a span of time gives the same events, the same root motion and the same pose however it is
-- cut into steps (semantics 1).
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local random = require("spec.support.random_graph")
local reference = require("spec.support.reference")
local motion = require("spec.support.reference.motion")

local function rounds(n) return data.slow and n or math.ceil(n / 10) end

-- A cast whose clips all loop alike. Root motion does not turn: what turns cannot be blended step by step and give the
-- same as in one go.
local function castOf(seed, loop, markers, turns)
  return random.cast(seed, { loops = { loop }, markers = markers and 1 or 0, events = 1, motion = .6,
    turns = turns or false, kinds = { "mixer" }, angle = .6 })
end

-- ---- what a graph did

local function takeEvents(graph, out)
  for name, payload, node, _, time, weight, edge in graph:events() do
    out[#out + 1] = { name = name, data = payload, node = node:getName(), time = time, weight = weight, edge = edge }
  end
end

local function step(graph, dt, did)
  graph:advance(dt)
  takeEvents(graph, did.events)
  local x, y, z, qx, qy, qz, qw = graph:getRootMotion()
  did.way = did.way + reference.vec.length({ x, y, z })
  did.moved = motion.mul(did.moved, { t = { x, y, z }, q = { qx, qy, qz, qw } })
end

local function run(c, root, speed, steps)
  local graph, did = random.again(c, root), { events = {}, moved = motion.identity, way = 0 }
  graph:setSpeed(speed)
  for _, dt in ipairs(steps) do step(graph, dt, did) end
  graph:evaluate()
  did.pose = check.read(graph:getPose(), #c.rig)
  return did
end

-- Each node's own events in order; those of two nodes at one instant may change places.
local function byNode(events)
  local out = {}
  for _, e in ipairs(events) do
    out[e.node] = out[e.node] or {}
    table.insert(out[e.node], ("%s %s %s"):format(e.name, tostring(e.edge), tostring(e.data)))
  end
  for node, list in pairs(out) do out[node] = table.concat(list, "\n") end
  return out
end

local function placesOf(events)
  local out = {}
  for _, e in ipairs(events) do
    local key = e.node .. e.name .. tostring(e.edge) .. tostring(e.data)
    out[key] = out[key] or {}
    table.insert(out[key], e.time)
  end
  return out
end

local function compare(one, other, where)
  assert.are.same(byNode(one.events), byNode(other.events), where)
  local places, others = placesOf(one.events), placesOf(other.events)
  for key, list in pairs(places) do check.near(list, others[key], 1e-6, where .. ": " .. key) end
  -- Single precision in the heading: what counts is the way that was gone.
  check.near(one.moved.t, other.moved.t, 1e-5 * math.max(1, other.way), where .. ": root motion")
  check.sameRotation(one.moved.q, other.moved.q, 1e-5, where .. ": root motion")
  check.samePose(one.pose, other.pose, 1e-5, where)
end

-- Multiples of 1/64 s, which land on ends exactly.
local function evenCut(r, span)
  local left, steps = math.floor(span * 64), {}
  while left > 0 do
    local part = math.min(left, r.integer(0, r.pick({ 2, 40 })))
    steps[#steps + 1], left = part / 64, left - part
  end
  return steps
end

-- Up to 40 parts of any length.
local function anyCut(r, span)
  local marks, steps = { 0, span }, {}
  for _ = 1, r.integer(1, 39) do marks[#marks + 1] = r.unit() * span end
  table.sort(marks)
  for i = 2, #marks do steps[i - 1] = marks[i] - marks[i - 1] end
  return steps
end

-- ---- trees

local function clipNode(c, name)
  return { type = "clip", clip = name, name = name, speed = c.r.pick({ 1, .5, 1.25 }) }
end

local trees = {}

function trees.clip(c) return clipNode(c, c.names[1]) end

function trees.mixer(c)
  local root = { type = "mixer", inputs = {}, weights = {} }
  for i = 1, 3 do root.inputs[i], root.weights[i] = clipNode(c, c.names[i]), c.r.number(0, 1) end
  return root
end

function trees.group(c)
  local root = trees.mixer(c)
  root.sync = true
  root.inputs[4], root.weights[4] = trees.mixer({ r = c.r, names = { c.names[4], c.names[5], c.names[6] } }), .7
  root.inputs[4].sync = true
  return root
end

function trees.blend(c)
  return { type = "blend1D", param = "p1", { -1, clipNode(c, c.names[1]) }, { 0, clipNode(c, c.names[2]), speed = 2 },
    { 1.5, { type = "layers", base = clipNode(c, c.names[3]), { clipNode(c, c.names[4]), weight = .6 } } } }
end

local function invariant(seed, loop, markers, tree, turns)
  local c = castOf(seed, loop, markers, turns)
  local root, r = trees[tree](c), c.r
  for _, speed in ipairs({ 1, -1 }) do
    for _, cut in ipairs({ evenCut, anyCut }) do
      local span = r.number(.5, 12)
      if cut == evenCut then span = math.floor(span * 64) / 64 end
      local whole = run(c, root, speed, { span })
      for i = 1, 3 do
        local where = ("seed %d, %s, %s, speed %d, %g s, cut %d"):format(seed, tree, tostring(loop), speed, span, i)
        compare(whole, run(c, root, speed, cut(r, span)), where)
      end
    end
  end
end

describe("a span cut into any steps", function()
  for _, loop in ipairs({ true, false, "pingpong" }) do
    local name = loop == true and "loop" or loop == false and "once" or loop
    for _, tree in ipairs({ "mixer", "group", "blend" }) do
      it(("is the same, forward and back: %s, %s"):format(name, tree), function()
        for seed = 1, rounds(15) do invariant(seed, loop, false, tree) end
      end)
    end
    it("is the same with root motion that turns: " .. name, function()
      for seed = 1, rounds(15) do invariant(seed, loop, false, "clip", true) end
    end)
  end

  it("is the same where members meet at markers", function()
    for seed = 1, rounds(15) do
      invariant(seed, true, true, "group")
      invariant(seed, true, true, "blend")
    end
  end)

  it("is the same for random trees", function()
    for seed = 1, rounds(30) do
      local c = random.graph(seed, { depth = 3, events = 1, turns = false,
        kinds = { "mixer", "blend1D", "blend2D", "direct", "layers" } })
      local span = c.r.number(.5, 3) -- below 64 passes of anything
      local whole = run(c, c.root, 1, { span })
      for i = 1, 5 do compare(whole, run(c, c.root, 1, anyCut(c.r, span)), ("seed %d, cut %d"):format(seed, i)) end
    end
  end)
end)

describe("time", function()
  local skeleton = anim.newSkeleton({ { name = "joint" } })

  local function play(loop, speed, options)
    options = options or {}
    local clip = anim.newClip({ name = "c", skeleton = skeleton, duration = options.duration or 1, loop = loop,
      events = options.events, tracks = { joint = { translation = { times = { 0 }, values = { 1, 2, 3 } } } } })
    local root = { type = "clip", clip = "c", name = "c", speed = speed, start = options.start }
    local graph = anim.newGraph(skeleton, { root = root }, { clips = { c = clip } })
    return graph, graph:find("c")
  end

  local function heard(graph, dt)
    local out = {}
    graph:advance(dt)
    for name, payload in graph:events() do out[#out + 1] = payload and name .. payload or name end
    return table.concat(out, " ")
  end

  local ends = { events = { { time = 0, name = "zero" }, { time = .5, name = "half" }, { time = 1, name = "one" } } }

  it("landing on the end of a loop is the beginning of the next pass, told once", function()
    local graph, node = play(true, 1, ends)
    assert.are.equal("zero half one loop1 zero", heard(graph, 1))
    assert.are.equal(0, node:getTime())
    assert.are.equal("", heard(graph, 0))
    assert.are.equal("half one loop2 zero half", heard(graph, 1.5))
  end)

  it("backwards it is the same, mirrored", function()
    local graph, node = play(true, -1, ends)
    assert.are.equal("zero loop-1 one half", heard(graph, .5))
    assert.are.equal("zero", heard(graph, .5))
    assert.are.equal(0, node:getTime())
    assert.are.equal("loop-2 one", heard(graph, .25))
  end)

  it("turning round tells nothing twice", function()
    local graph, node = play(true, 1, ends)
    assert.are.equal("zero half", heard(graph, .75))
    node:setSpeed(-1)
    assert.are.equal("half", heard(graph, .5))
    node:setSpeed(1)
    assert.are.equal("half", heard(graph, .25))
  end)

  it("ping-pong closes each pass at both ends", function()
    local graph, node = play("pingpong", 1, ends)
    assert.are.equal("zero half one loop1 one", heard(graph, 1.25))
    assert.are.equal(.75, node:getTime())
    assert.are.equal("half zero loop2 zero half", heard(graph, 1.25))
    assert.are.equal(.5, node:getTime())
    node:setSpeed(-1)
    assert.are.equal("zero loop1 zero half one", heard(graph, 1.5))
  end)

  it("once holds its end, and goes back when its speed turns", function()
    local graph, node = play(false, 1, ends)
    assert.are.equal("zero half one done", heard(graph, 3))
    assert.are.equal("", heard(graph, 1))
    assert.is_true(node:isDone())
    node:setSpeed(-1)
    assert.are.equal("half", heard(graph, .5))
    assert.is_false(node:isDone())
    assert.are.equal("zero done", heard(graph, 1))
    assert.are.equal(0, node:getTime())
  end)

  it("what is gone beyond the end does not hold back a clip that turns", function()
    local graph, node = play(false, 1, ends)
    assert.are.equal("zero half one done", heard(graph, 3))
    node:setSpeed(-1)
    assert.are.equal("half", heard(graph, .5))
    assert.are.equal(.5, node:getTime())
  end)

  it("a clip that starts inside a range begins it, each time", function()
    local graph, node = play(false, 1, { start = .25, events = { { time = .125, duration = .5, name = "range" } } })
    local function edges(dt)
      local out = {}
      graph:advance(dt)
      for name, _, _, _, time, _, edge in graph:events() do out[#out + 1] = name .. (edge or "") .. time end
      return table.concat(out, " ")
    end
    for _ = 1, 2 do
      assert.are.equal("rangebegin0.25", edges(.125))
      assert.is_true(graph:isDuring("range"))
      assert.are.equal("rangeend0.625 done1" .. (math.type and ".0" or ""), edges(1))
      assert.is_false(graph:isDuring("range"))
      node:play()
    end
  end)

  it("once starts at its end when it is first seen to go backwards, whatever makes it", function()
    for _, case in ipairs({ { 1, -1 }, { -1, 1 } }) do
      local graph, node = play(false, case[1], ends)
      graph:setSpeed(case[2])
      assert.are.equal("one", heard(graph, 0))
      assert.are.equal(1, node:getTime())
      assert.are.equal("half zero done", heard(graph, 2))
    end
    local graph, node = play(false, -1, ends)
    graph:setSpeed(-1)
    assert.are.equal("zero", heard(graph, 0))
    assert.are.equal(0, node:getTime())
    graph, node = play(false, 1, { events = ends.events, start = .75 })
    node:setSpeed(-1)
    assert.are.equal("half", heard(graph, .5))
  end)

  it("a node that is paused keeps its start for later", function()
    local graph, node = play(true, 1, ends)
    node:pause()
    assert.are.equal("", heard(graph, 1))
    assert.are.equal(0, node:getTime())
    node:play()
    assert.are.equal("zero", heard(graph, .25))
  end)

  it("a long step of many passes is exact, and tells the first and last", function()
    local graph, node = play(true, 1, { events = { { time = .5, name = "half" } } })
    graph:advance(1000.25)
    local count, first, last = 0, nil, nil
    for name, payload in graph:events() do
      if name == "half" then count = count + 1 end
      if name == "loop" then first, last = first or payload, payload end
    end
    assert.are.equal(.25, node:getTime())
    assert.is_true(count >= 62 and count <= 64, "events " .. count)
    assert.are.equal(1, first)
    assert.are.equal(1000, last)
  end)

  it("a clip without length: one pose, phase 0, done once or never", function()
    for _, loop in ipairs({ true, false, "pingpong" }) do
      local graph, node = play(loop, 1, { duration = 0, events = { { time = 0, name = "zero" } } })
      assert.are.equal(loop == false and "zero done" or "zero", heard(graph, .1))
      assert.are.equal("", heard(graph, .1))
      assert.are.equal(0, node:getPhase())
      graph:evaluate()
      check.near({ 1, 2, 3 }, { graph:getPosition(1) }, 0)
    end
  end)
end)

describe("the oracle of time", function()
  local timeline = reference.timeline

  it("knows its own rules", function()
    assert.are.equal(.25, timeline.timeAt(2.25, 1, true))
    assert.are.equal(.75, timeline.timeAt(-.25, 1, true))
    assert.are.equal(.75, timeline.timeAt(1.25, 1, "pingpong"))
    assert.are.equal(.25, timeline.timeAt(-.25, 1, "pingpong"))
    assert.are.equal(1, timeline.timeAt(7, 1, false))
  end)
end)
