-- Random graphs, once for anim.newGraph and once for the oracle, from one seed.
local anim = require("anim")
local check = require("spec.support.check")
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local random = {}

-- ---- clips

local function shuffled(r, n)
  local list = {}
  for i = 1, n do list[i] = i end
  return r.shuffle(list)
end

-- Exact in single precision, so that both sides have the same keys.
local function exact(time) return math.floor(time * 65536) / 65536 end

-- Times that no step lands on by chance: not multiples of anything.
local function timesOf(r, count, length)
  local times = {}
  for i = 1, count do times[i] = math.floor(r.unit() * 1e6) / 1e6 * length end
  table.sort(times)
  return times
end

-- Keys from 0 to the end, of values near `base`: rotations within `angle` of it, so that the inputs of a mix are never
-- as far apart as half a turn.
local function keysOf(r, length, valueOf)
  local times, values = { 0 }, {}
  for k = 1, r.integer(1, 3) do times[k + 1] = exact(length * (k + r.number(-.3, .3)) / 4) end
  times[#times + 1] = length
  for _ = 1, #times do
    for _, x in ipairs(valueOf()) do values[#values + 1] = x end
  end
  return { times = times, values = values, mode = r.pick({ "linear", "linear", "linear", "step" }) }
end

local function tracksOf(r, rig, length, angle)
  local tracks = {}
  for j = 1, #rig do
    local rest, own = rig[j].rest, {}
    if r.unit() < .75 then
      own.rotation = keysOf(r, length, function() return quat.mul(rest.q, r.rotation(angle)) end)
    end
    if r.unit() < .5 then
      own.translation = keysOf(r, length, function() return vec.add(rest.t, r.vector(.2)) end)
    end
    if r.unit() < .3 then
      own.scale = keysOf(r, length, function() return vec.add(rest.s, r.vector(.1)) end)
    end
    if next(own) then tracks[rig[j].name] = own end
  end
  return tracks
end

-- The root walks and turns about y, straight between its keys, so that M between keys is what a key track of it gives.
local function walkOf(r, rig, length, turns)
  local rest = rig[1].rest
  local times, moves, rotations = { 0, length / 2, length }, {}, {}
  local yaw, x, z = 0, 0, 0
  for _ = 1, 3 do
    for _, v in ipairs({ x, rest.t[2] + r.number(-.1, .1), z }) do moves[#moves + 1] = v end
    for _, v in ipairs(quat.mul(quat.fromAxisAngle({ 0, 1, 0 }, yaw), rest.q)) do rotations[#rotations + 1] = v end
    x, z, yaw = x + r.number(-.3, .3), z + r.number(.2, .8), yaw + (turns and r.number(-1, 1) or 0)
  end
  return { translation = { times = times, values = moves }, rotation = { times = times, values = rotations } }
end

local function eventsOf(r, length)
  local events = {}
  for _, time in ipairs(timesOf(r, r.integer(0, 4), length)) do
    local range = r.unit() < .25
    events[#events + 1] = { time = time, name = r.pick({ "a", "b", "c", "d" }), data = r.integer(1, 99),
      duration = range and r.number(0, length - time) or nil }
  end
  return events
end

local function markersOf(r, length)
  local times = timesOf(r, 3, length)
  for i = 1, 3 do times[i] = (times[i] + length * i) / 4 end -- well apart
  local names = { { "L", "R", "X" }, { "R", "X", "L" }, { "L", "R", "Y" } }
  local list = {}
  for i, name in ipairs(r.pick(names)) do list[i] = { time = times[i], name = name } end
  return list
end

-- options: angle, loops (list to pick from), turns (root motion turns), events, markers, motion: chances.
function random.clip(r, rig, name, options)
  local length = r.integer(16, 96) / 64
  local clip = { name = name, duration = length, loop = r.pick(options.loops),
    tracks = tracksOf(r, rig, length, options.angle) }
  if r.unit() < options.events then clip.events = eventsOf(r, length) end
  if r.unit() < options.markers then clip.markers = markersOf(r, length) end
  if r.unit() < options.motion then
    clip.tracks[rig[1].name] = walkOf(r, rig, length, options.turns)
    clip.rootMotion = { joint = 1, translation = "xz", rotation = "y" }
  end
  if r.unit() < .5 then
    clip.curves = { blink = { times = { 0, length }, values = { r.number(-1, 1), r.number(-1, 1) } } }
  end
  if r.unit() < .5 then
    clip.properties = { mouth = { times = { 0, length / 2 }, values = { name .. "1", name .. "2" } } }
  end
  return clip
end

-- An anim Clip of a description that may ask for root motion.
function random.newClip(skeleton, description)
  local given = {}
  for key, value in pairs(description) do given[key] = value end
  given.skeleton, given.rootMotion = skeleton, nil
  local clip, taken = anim.newClip(given), description.rootMotion
  if not taken then return clip end
  return clip:withRootMotion({ joint = skeleton:getName(taken.joint), translation = taken.translation,
    rotation = taken.rotation })
end

-- ---- nodes

local makers = {}

-- A tree of at most `depth` levels. Inside additive layers some things are left out (`inside`).
local function tree(c, depth, inside)
  local r = c.r
  if depth <= 1 or r.unit() < .1 then
    return makers[r.unit() < .9 and "clip" or "pose"](c, depth, inside)
  end
  return makers[r.pick(c.kinds)](c, depth - 1, inside)
end

local function fallbackOf(c) return c.fallback or c.r.pick({ "first", "rest" }) end
local function speedOf(c) return c.r.pick(c.speeds) end
local function rateOf(c) return c.r.pick(c.rates) end

function makers.clip(c)
  local r = c.r
  local name = r.pick(c.names)
  return { type = "clip", clip = name, speed = speedOf(c), minWeight = r.pick({ 0, 0, .3 }),
    start = r.unit() < .2 and r.unit() * c.clips[name].duration or nil, followers = r.unit() < .2 or nil }
end

function makers.pose(c)
  return { type = "pose", pose = reference.pose.map(#c.rig, function(j)
    local rest = c.rig[j].rest
    return reference.pose.joint(vec.add(rest.t, c.r.vector(.2)), quat.mul(rest.q, c.r.rotation(c.angle)),
      { 1, 1, 1 })
  end) }
end

local function weightsOf(r, n)
  local out, zero = {}, r.unit() < .1
  for i = 1, n do out[i] = zero and 0 or r.unit() < .2 and 0 or r.number(.05, 1) end
  return out
end

local function inputsOf(c, depth, inside, n)
  local out = {}
  for i = 1, n do out[i] = tree(c, depth, inside) end
  return out
end

function makers.mixer(c, depth, inside)
  local r, sync = c.r, c.r.unit() < .3
  local n = r.integer(1, 3)
  return { type = "mixer", sync = sync, normalize = r.unit() < .7, fallback = fallbackOf(c),
    inputs = inputsOf(c, depth, inside, n), weights = weightsOf(r, n),
    speed = speedOf(c) }
end

function makers.script(c, depth, inside)
  local n = c.r.integer(1, 3)
  return { type = "script", inputs = inputsOf(c, depth, inside, n), speed = speedOf(c),
    seed = c.r.integer(1, 1e6), turns = not inside.additive and c.r.unit() < .5 and c.r.integer(1, #c.rig) or nil }
end

local function paramOf(c) return c.r.pick(c.paramNames) end

function makers.blend1D(c, depth, inside)
  local r, sync = c.r, c.r.unit() < .7
  local d = { type = "blend1D", param = paramOf(c), sync = sync, speed = speedOf(c),
    matchSpeed = sync and r.unit() < .3 or nil }
  local at = -1
  for i = 1, r.integer(1, 4) do
    d[i] = { at, tree(c, depth, inside), speed = rateOf(c) }
    at = at + r.number(.2, 1)
  end
  return d
end

local modes = { "directional", "cartesian", "triangulated", "grid", "idw", "simple" }

local function pointsOf(r, mode)
  local out = {}
  if mode == "grid" then
    for i = 0, 1 do for k = 0, 1 do out[#out + 1] = { i - .5, k - .3 } end end
    return out
  end
  local n, turn = r.integer(2, 4), r.number(0, 1)
  for i = 1, n do
    local angle, size = turn + 2 * math.pi * i / n, r.number(.5, 1)
    out[i] = { size * math.cos(angle), size * math.sin(angle) }
  end
  if r.unit() < .5 then out[#out + 1] = { 0, 0 } end
  return out
end

function makers.blend2D(c, depth, inside)
  local r, sync = c.r, c.r.unit() < .7
  local mode = r.pick(modes)
  local d = { type = "blend2D", x = paramOf(c), y = paramOf(c), mode = mode, sync = sync, speed = speedOf(c),
    power = mode == "idw" and r.pick({ 1, 2, 3 }) or nil,
    metric = mode == "idw" and r.pick({ "euclidean", "manhattan" }) or nil }
  for i, point in ipairs(pointsOf(r, mode)) do
    d[i] = { point[1], point[2], tree(c, depth, inside),
      speed = rateOf(c) }
  end
  return d
end

function makers.direct(c, depth, inside)
  local r = c.r
  local d = { type = "direct", normalize = r.unit() < .3, fallback = fallbackOf(c),
    speed = speedOf(c) }
  for i = 1, r.integer(1, 3) do d[i] = { paramOf(c), tree(c, depth, inside) } end
  return d
end

function makers.layers(c, depth, inside)
  local r = c.r
  local d = { type = "layers", base = tree(c, depth, inside), speed = speedOf(c) }
  for i = 1, r.integer(1, 2) do
    local additive = r.unit() < .4
    local weight = r.unit() < .3 and paramOf(c) or r.pick({ 0, 1, r.unit(), r.unit() })
    if additive and r.unit() < .2 then weight = 1.3 end
    d[i] = { tree(c, depth, { additive = additive or inside.additive }), weight = weight,
      mode = additive and "additive" or "override", mask = r.unit() < .5 and r.pick({ "upper", "some" }) or nil,
      space = not additive and not inside.additive and r.unit() < .2 and "model" or nil,
      sparse = not additive and r.unit() < .3 and false or nil,
      reference = additive and r.unit() < .3 and r.pick(c.names) or nil }
  end
  return d
end

-- ---- the two sides

-- What a script does: weights that depend on how often it was called, and on nothing else.
local function scriptOf(seed, inputs)
  local r = check.random(seed)
  return function(setWeight)
    for i = 1, inputs do setWeight(i, r.unit() < .2 and 0 or r.unit()) end
  end
end

local function copy(value, change)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, item in pairs(value) do
    if key == "pose" and value.type == "pose" then
      out[key] = item
    else
      out[key] = copy(item, change)
    end
  end
  return change(out) or out
end

local function turnOf(time) return quat.fromAxisAngle({ 1, 2, 3 }, time) end

local function forOracle(d)
  if d.type ~= "script" then return end
  local script, turns = scriptOf(d.seed, #d.inputs), d.turns
  d.update = function(_, node) script(function(i, w) node.inputs[i].weight = w end) end
  d.pose = turns and function(_, _, p)
    p[turns].q = quat.mul(p[turns].q, turnOf(.3))
    return { [turns] = true }
  end
  d.seed, d.turns = nil, nil
end

local function forAnim(skeleton)
  return function(d)
    if d.type == "pose" then
      d.pose = check.write(anim.newPose(skeleton), d.pose)
    elseif d.type == "script" then
      local script, turns = scriptOf(d.seed, #d.inputs), d.turns
      d.update = function(node) script(function(i, w) node:setWeight(i, w) end) end
      d.pose = turns and function(_, pose)
        local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(turns)
        local q = quat.mul({ qx, qy, qz, qw }, turnOf(.3))
        pose:set(turns, tx, ty, tz, q[1], q[2], q[3], q[4], sx, sy, sz)
      end
      d.seed, d.turns = nil, nil
    end
  end
end

-- Every node gets a name, so that the two sides can be compared node by node.
local function name(d, counter)
  if type(d) ~= "table" then return end
  if d.type then
    counter.n = counter.n + 1
    d.name = "n" .. counter.n
  end
  for _, key in ipairs({ "root", "base", "inputs" }) do name(d[key], counter) end
  for _, item in ipairs(d) do name(item, counter) end
end

local everything = { "mixer", "blend1D", "blend2D", "direct", "layers", "script" }

local defaults = { depth = 5, angle = .35, kinds = everything, speeds = { 1, 1, 1, 1, .5, 1.5, 2, -1, 0 },
  rates = { 1, 1, 1, .5, 2, -1 },
  loops = { true, true, true, false, "pingpong" }, events = .7, markers = .4, motion = .4, turns = true }

-- A rig with clips: { r, rig, skeleton, clips = descriptions by name, names, objects = Clips by name }.
function random.cast(seed, options)
  local c = { r = check.random(seed), objects = {}, clips = {}, names = {} }
  for key, value in pairs(defaults) do c[key] = value end
  for key, value in pairs(options or {}) do c[key] = value end
  local r = c.r
  c.skeleton = anim.newSkeleton(check.randomSkeleton(r, r.integer(4, 8)))
  c.rig = check.rig(c.skeleton)
  for i = 1, 6 do
    local clip = random.clip(r, c.rig, "clip" .. i, c)
    c.names[i], c.clips[clip.name] = clip.name, clip
    c.objects[clip.name] = random.newClip(c.skeleton, clip)
  end
  c.masks = { upper = { [c.rig[2].name] = 1 },
    some = { [c.rig[1].name] = { .7, only = true }, [c.rig[#c.rig].name] = .4 } }
  c.params = { p1 = r.number(-1, 1), p2 = r.number(0, 1), p3 = { r.number(0, 1), smooth = .2 },
    p4 = { r.number(-1, 1), deadZone = .2 } }
  c.paramNames = { "p1", "p2", "p3", "p4" }
  return c
end

-- The graph and its oracle of a description.
local function both(c, description)
  description.params, description.masks = c.params, c.masks
  name(description, { n = 0 })
  local options = { clips = c.objects }
  c.description = description
  c.graph = anim.newGraph(c.skeleton, copy(description, forAnim(c.skeleton)), options)
  c.oracle = reference.graph.new(c.rig, copy(description, forOracle), { clips = c.clips })
  return c
end

-- A random graph: `graph` and `oracle`, with the cast, and `root`, its description for random.again.
function random.graph(seed, options)
  local c = random.cast(seed, options)
  c.root = tree(c, c.depth, {})
  while c.root.type == "clip" do c.root = tree(c, c.depth, {}) end
  return both(c, { root = c.root })
end

-- Another graph of the same cast.
function random.again(c, root)
  local description = { root = root, params = c.params, masks = c.masks }
  return anim.newGraph(c.skeleton, copy(description, forAnim(c.skeleton)), { clips = c.objects })
end

-- The description with the inputs of mixers, 2D blends and direct nodes in another order.
function random.reorder(c, d)
  if type(d) ~= "table" then return d end
  local out = {}
  for key, value in pairs(d) do
    out[key] = random.reorder(c, value)
  end
  if d.type == "mixer" then
    local order = shuffled(c.r, #d.inputs)
    out.inputs, out.weights = {}, {}
    for i, from in ipairs(order) do
      out.inputs[i], out.weights[i] = random.reorder(c, d.inputs[from]), d.weights[from]
    end
  elseif d.type == "blend2D" or d.type == "direct" then
    for i, from in ipairs(shuffled(c.r, #d)) do out[i] = random.reorder(c, d[from]) end
  end
  return out
end

return random
