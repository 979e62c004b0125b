-- A character made of whole numbers and a description with every kind of node, for golden_spec.lua. Nothing here calls
-- a function of the C library that computes but sqrt: the numbers are the same on every machine.
local anim = require("anim")
local check = require("spec.support.check")

local golden = {}

-- A wave of period 1, from -1 to 1.
local function wave(u)
  u = u - math.floor(u)
  local hump = 4 * u * (1 - u)
  return 2 * hump * hump - 1
end
golden.wave = wave

-- The rotation about an axis by four times the arc tangent of its length, about.
local function turn(x, y, z)
  local length = math.sqrt(x * x + y * y + z * z + 1)
  return { x / length, y / length, z / length, 1 / length }
end

local joints = {
  { "hips", nil, 0, 95, 0 }, { "spine", "hips", 0, 20, 1 }, { "chest", "spine", 0, 22, 0 },
  { "head", "chest", 0, 30, 2 }, { "jaw", "head", 0, 3, 8 }, { "hair1", "head", 0, 12, -9 },
  { "hair2", "hair1", 0, -8, -9 }, { "hair3", "hair2", 0, -9, 0 },
  { "thigh.L", "hips", 9, -5, 0 }, { "shin.L", "thigh.L", 1, -42, 2 }, { "foot.L", "shin.L", 0, -41, -3 },
  { "toe.L", "foot.L", 0, -5, 14 }, { "thigh.R", "hips", -9, -5, 0 }, { "shin.R", "thigh.R", -1, -42, 2 },
  { "foot.R", "shin.R", 0, -41, -3 }, { "toe.R", "foot.R", 0, -5, 14 },
  { "arm.L", "chest", 18, 18, 0 }, { "fore.L", "arm.L", 27, 0, -2 }, { "hand.L", "fore.L", 25, 0, 1 },
  { "arm.R", "chest", -18, 18, 0 }, { "fore.R", "arm.R", -27, 0, -2 }, { "hand.R", "fore.R", -25, 0, 1 },
  { "tail1", "hips", 0, 2, -12 }, { "tail2", "tail1", 0, -2, -14 }, { "tail3", "tail2", 0, -3, -13 },
}

local function newSkeleton()
  local list = {}
  for i, j in ipairs(joints) do
    list[i] = { name = j[1], parent = j[2], translation = { j[3] / 100, j[4] / 100, j[5] / 100 },
      rotation = turn(0, (i % 5 - 2) / 64, (i % 3 - 1) / 64) }
  end
  return anim.newSkeleton(list)
end

-- ---- clips

local function rotations(r, times, length, size)
  local phase, values = r.integer(0, 63) / 64, {}
  local ax, ay, az = size * r.integer(-32, 32) / 32, size * r.integer(-16, 16) / 32, size * r.integer(-8, 8) / 32
  for _, time in ipairs(times) do
    local u = time / length
    for _, x in ipairs(turn(ax * wave(u + phase), ay * wave(u + phase / 2), az * wave(2 * u))) do
      values[#values + 1] = x
    end
  end
  return { times = times, values = values, mode = r.integer(1, 8) == 1 and "step" or "linear" }
end

local function newClip(skeleton, seed, name, options)
  local r, times, tracks = check.random(seed), {}, {}
  for i = 0, 16 do times[i + 1] = i * options.length / 16 end
  for j = 1, #skeleton do
    local joint = skeleton:getName(j)
    local size = options.travel and joint:match("^[ts]hi") and .3 or options.size
    if r.integer(1, 8) <= (options.part or 7) then
      tracks[joint] = { rotation = rotations(r, times, options.length, joint:match("^foot") and size / 4 or size) }
    end
    if options.scale and j % 6 == 5 then
      tracks[joint] = tracks[joint] or {}
      tracks[joint].scale = { times = { 0, options.length / 2, options.length },
        values = { 1, 1, 1, 1.25, .75, -.5, 1, 1, 1 } }
    end
  end
  if options.travel then
    tracks.hips = { translation = { times = { 0, options.length / 2, options.length },
      values = { 0, .95, 0, .125, .9375, options.travel / 2, 0, .95, options.travel } } }
  end
  local length = options.length
  return anim.newClip({ name = name, skeleton = skeleton, duration = length, loop = options.loop, tracks = tracks,
    curves = { lock = { times = { 0, length / 4, length / 2 }, values = { 1, 1, 0 } } },
    events = { { time = length / 4, name = "step", data = seed }, { time = length / 2, name = "swing",
      duration = length / 4 } },
    markers = options.travel and { { time = length / 16, name = "L" }, { time = length * 9 / 16, name = "R" } } })
end

local function newClips(skeleton)
  local function clip(seed, name, options) return newClip(skeleton, seed, name, options) end
  local motion = { joint = "hips", translation = "xz", rotation = "y" }
  local clips = {
    walk = clip(1, "walk", { length = 1, size = .1, travel = 1.5 }):withRootMotion(motion),
    jog = clip(2, "jog", { length = .75, size = .125, travel = 2 }):withRootMotion(motion),
    run = clip(3, "run", { length = .625, size = .25, travel = 3 }):withRootMotion(motion),
    stand = clip(4, "stand", { length = 1.5, size = .05 }),
    sway = clip(5, "sway", { length = 1.25, size = .125, scale = true }),
    dance = clip(6, "dance", { length = 1, size = .5, loop = "pingpong" }),
    wave = clip(7, "wave", { length = .875, size = .5, part = 3, loop = "pingpong" }),
    hit = clip(8, "hit", { length = .5, size = .5, part = 5, loop = false }),
    jump = clip(9, "jump", { length = .8125, size = .25, travel = 1, loop = false }):withRootMotion(motion),
    breath = clip(10, "breath", { length = 1.125, size = .05 }):toAdditive(),
  }
  for name, form in pairs({ jog = "small", sway = "small", hit = "small", run = "fast", dance = "fast", jump = "fast",
    breath = "fast" }) do
    clips[name] = clips[name]:pack({ form = form })
  end
  clips.turned = clips.dance:mirror("x", { { "thigh.L", "thigh.R" }, { "shin.L", "shin.R" }, { "foot.L", "foot.R" },
    { "toe.L", "toe.R" }, { "arm.L", "arm.R" }, { "fore.L", "fore.R" }, { "hand.L", "hand.R" } })
  return clips
end

-- ---- the graph

local function space(mode, clips)
  local grid = mode == "grid"
  local points = grid and { { -1, 0 }, { 0, 0 }, { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } } or
    { { 0, 0 }, { 0, 1 }, { 1, .25 }, { -1, 0 }, { .125, -1 } }
  local node = { type = "blend2D", x = "side", y = "ahead", mode = mode }
  for i, at in ipairs(points) do node[i] = { at[1], at[2], clips[(i - 1) % #clips + 1] } end
  return node
end

local function machine()
  return { type = "machine", initial = "idle",
    states = {
      idle = { type = "random", name = "idle", inputs = { "stand", "sway", { type = "pose", pose = golden.pose } },
        seed = 7, fade = .125, avoidRepeat = true },
      move = { type = "blend1D", param = "speed", matchSpeed = true, { 0, "stand" }, { .5, "walk" }, { 1, "jog" },
        { 2, "run" } },
      spaces = { type = "mixer", sync = true, weights = { 1, .5, .25, .5, .25, .5 },
        fades = { .125, .25, .25, .5, .5, 0 }, inputs = {
        space("simple", { "walk", "jog" }), space("directional", { "jog", "run", "sway" }),
        space("cartesian", { "stand", "walk", "dance" }), space("triangulated", { "walk", "run", "turned" }),
        space("grid", { "jog", "stand" }), space("idw", { "run", "sway", "walk", "dance" }) } },
      dances = { type = "queue", loop = true, fade = .125, inputs = { "dance", "turned", "wave" } },
      leap = { "jump", speed = 1.25 },
    },
    transitions = {
      { from = "idle", to = "move", when = "speed > 0.5", fade = .25, curve = "smooth", interrupt = "both" },
      { from = "move", to = "idle", when = "speed < 0.25", fade = .375, mode = "inertial",
        curve = { .25, .125, .5, 1.25 }, profile = "soft" },
      { from = "move", to = "spaces", when = "side >= 0.5", fade = .3125, mode = "frozen", sync = true },
      { from = "spaces", to = "move", when = "side < 0.25 or phase > 0.9375", fade = .25, keep = true,
        interrupt = "source" },
      { from = "idle", to = "dances", when = "time > 0.75 and mood > 0", fade = .25 },
      { from = "dances", to = "idle", when = "mood < 0", exit = .875, fade = .125, interrupt = "none" },
      { from = "dances", to = "spaces", when = function(graph) return graph:get("side") > .75 end, fade = .125 },
      { from = "dances", to = "move", when = 'during("swing") and mood > 0.5', fade = .25 },
      { from = "move", to = "dances", when = 'event("step") and mood > 0.25', fade = .1875, offset = .25 },
      { from = "*", to = "leap", when = "jumps", fade = .125, self = true },
      { from = "leap", to = "move", when = "done", fade = .1875 },
    } }
end

local function body()
  local script = { type = "script", name = "script", weights = { .75, .25 }, inputs = { "machine", "turned" },
    update = function(node, dt)
      node:setWeight(2, (1 + wave(node:getTime() + dt)) / 2, .125)
      node:getGraph():set("wind", 4 * wave(dt * 7))
    end,
    pose = function(_, pose, dt)
      local q = turn(.25 * wave(dt * 3), 0, dt)
      local tx, ty, tz = pose:get("jaw")
      pose:set("jaw", tx, ty, tz, q[1], q[2], q[3], q[4], 1, 1, 1)
    end }
  local deltas = { type = "direct", { "look", "breath" }, { "mood", "sway" } }
  local layers = { type = "layers", name = "layers", base = script, { "wave", mask = "upper", weight = .75 },
    { deltas, mode = "additive", weight = 1.25, mask = "soft", reference = "stand" },
    { { type = "clip", clip = "run", speed = -.75 }, weight = "armed", mask = "upper", space = "model" } }
  return { type = "oneShot", name = "shot", base = layers, mask = "upper" }
end

local function solvers(input)
  local legs = { { joint = "foot.L", toe = "toe.L" }, { joint = "foot.R", toe = "toe.R" } }
  input = { type = "orient", input = input, pelvis = "hips", angle = "side",
    spine = { { "spine", 1 }, { "chest", 2 } } }
  input = { type = "stride", input = input, pelvis = "hips", legs = { { joint = "foot.L" }, { joint = "foot.R" } },
    factor = "look" }
  input = { type = "foot", name = "foot", input = input, pelvis = "hips", legs = legs, lock = { "lock", "swing" },
    ground = function(x, _, z) return (wave(x / 3) + wave(z / 5)) / 16, z > 2 and .125 or 0, 1, 0 end }
  input = { type = "twoBone", name = "hand", input = input, joint = "hand.L", target = { .25, 1.25, .375 },
    pole = { .5, .75, -.5 }, soft = .875, stretch = 1.125, rotation = "model", weight = "armed" }
  input = { type = "chain", name = "tail", input = input, root = "tail1", joint = "tail3", target = { -.25, 1, -.5 },
    iterations = 8, limits = { tail2 = { cone = .875, axis = { 0, 0, 1 }, twist = { -.5, .5 } } }, weight = .625 }
  input = { type = "chain", name = "reach", input = input, root = "spine", solver = "ccd", mask = "upper", weight = .75,
    effectors = { { joint = "hand.R", target = { -.25, 1, .5 } }, { joint = "head", target = { 0, 1.5, .125 },
      weight = .5 } }, iterations = 8 }
  input = { type = "aim", name = "gaze", input = input, joints = { { "chest", .5 }, { "head", 2 } }, axis = { 0, 0, 1 },
    up = { 0, 1, 0 }, offset = { 0, .06, .08 }, limit = 1.25, rate = 3, target = { .5, 1.75, 2 }, space = "world" }
  return { type = "spring", name = "hair", input = input, joint = "hair1", stiffness = 3, gravity = 4, limit = 1.25,
    wind = { "wind", 0, .5 }, radius = .02, colliders = { { joint = "head", radius = .1, center = { 0, .02, 0 } } } }
end

-- The graph, made anew, and its skeleton.
function golden.new()
  local skeleton = newSkeleton()
  local clips = newClips(skeleton)
  golden.pose = anim.newPose(skeleton)
  clips.dance:sample(.375, golden.pose)
  return anim.newGraph(skeleton, {
    params = { speed = { .5, smooth = .25 }, side = { 0, deadZone = .125 }, ahead = .25, mood = 0, armed = 0,
      look = { 1, smooth = .125 }, wind = 0, jumps = { "trigger", life = .3 } },
    masks = { upper = { spine = 1, ["arm.R"] = .5 }, soft = { hips = .75, head = { .25, only = true }, tail1 = 0 } },
    nodes = { machine = machine() },
    root = solvers(body()),
  }, { clips = clips }), skeleton
end

return golden
