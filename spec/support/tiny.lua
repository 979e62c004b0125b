-- Small models for specs about graphs: a root and a tip one metre above it, and clips that move or turn the tip.
local anim = require("anim")

local atan2 = math.atan2 or math.atan -- luacheck: ignore 143

local tiny = {}

tiny.skeleton = anim.newSkeleton({ { name = "root" }, { name = "tip", parent = "root", translation = { 0, 1, 0 } } })

local function about(axis, degrees)
  local half, q = math.rad(degrees) / 2, { 0, 0, 0, math.cos(math.rad(degrees) / 2) }
  q[({ x = 1, y = 2, z = 3 })[axis]] = math.sin(half)
  return q
end
tiny.about = about

-- A clip: duration (default 1), loop (default true), events, markers; the tip moves from x = `from` to x = `to`, or
-- is turned by `angle` degrees about `axis` (default y) all the time.
function tiny.clip(name, options)
  options = options or {}
  local duration, tracks = options.duration or 1, options.tracks
  if options.angle then
    tracks = { tip = { rotation = { times = { 0 }, values = about(options.axis or "y", options.angle) } } }
  elseif not tracks then
    local from, to = options.from or 0, options.to or options.from or 0
    local times, values = { 0, duration }, { from, 1, 0, to, 1, 0 }
    if duration == 0 then times, values = { 0 }, { from, 1, 0 } end
    tracks = { tip = { translation = { times = times, values = values } } }
  end
  return anim.newClip({ name = name, skeleton = tiny.skeleton, duration = duration, loop = options.loop,
    tracks = tracks, events = options.events, markers = options.markers, curves = options.curves,
    properties = options.properties })
end

-- { at, name } or { at, name, ... } -> events
function tiny.events(list)
  local out = {}
  for i, e in ipairs(list) do out[i] = { time = e[1], name = e[2], data = e.data, duration = e.duration } end
  return out
end

-- A model as anim.load gives it.
function tiny.model(clips)
  local model = { skeleton = tiny.skeleton, clips = {}, skins = {}, morphs = {} }
  for i, clip in ipairs(clips) do
    model.clips[i] = clip
    model.clips[clip:getName()] = clip
  end
  return model
end

-- A graph whose root plays one clip, and that node.
function tiny.player(clip, options)
  local graph = anim.newGraph(tiny.model({ clip }))
  local description = { clip = clip }
  for key, value in pairs(options or {}) do description[key] = value end
  local node = graph:clip(description)
  graph:setRoot(node)
  return graph, node
end

-- Appends the names of what is told to a list: "name", or "name@time" where `times`.
function tiny.listen(target, list, times)
  return target:on("*", function(name, _, _, _, time)
    list[#list + 1] = times and ("%s@%.3g"):format(name, time) or name
  end)
end

function tiny.count(list, name)
  local n = 0
  for _, item in ipairs(list) do n = n + (item == name and 1 or 0) end
  return n
end

-- Degrees that the tip is turned about y.
function tiny.turned(graph)
  local _, _, _, _, y, _, w = graph:getJoint("tip")
  return math.deg(2 * (w < 0 and atan2(-y, -w) or atan2(y, w)))
end

function tiny.run(graph, steps, dt)
  for _ = 1, steps do graph:update(dt) end
end

-- Eight clips for graphs of all kinds.
function tiny.cast()
  return tiny.model({
    tiny.clip("idle"), tiny.clip("walk", { to = 1, events = tiny.events({ { .5, "step", data = { "left" } } }) }),
    tiny.clip("run", { to = 2, duration = .6 }), tiny.clip("aim", { from = 7 }), tiny.clip("lean", { to = 3 }),
    tiny.clip("one", { from = 1 }), tiny.clip("two", { from = 2 }), tiny.clip("four", { from = 4 }),
  })
end

-- A description with every kind of node that needs no function, for tiny.cast().
function tiny.everything()
  return {
    params = { speed = 0, aiming = 0, jump = "trigger", dodge = { "trigger", life = .3 }, armed = true,
      vx = { 0, smooth = .1, deadZone = .15, curve = { 0, 0, .5, .1, 1, 1 } }, vy = 0 },
    masks = { upper = { "tip" }, half = { tip = .5 } },
    nodes = {
      move = { type = "blend1D", param = "speed", matchSpeed = true, { 0, "idle" }, { 1.5, "walk" },
        { 4, "run", speed = 1.5 } },
      strafe = { type = "blend2D", x = "vx", y = "vy", mode = "cartesian", sync = false, { 0, 0, "idle" },
        { 1, 0, "walk" }, { 0, 1, { type = "clip", clip = "run", loop = "pingpong", start = .25, minWeight = .5,
          followers = true, speed = "speed" } } },
      weights = { type = "direct", normalize = true, { "aiming", "aim" }, { "speed", "lean" } },
      mix = { type = "mixer", sync = true, inputs = { "move", "strafe" }, weights = { .25, "aiming" },
        fades = { .5, 1 }, fallback = "rest", normalize = false, speed = -.5 },
    },
    root = { type = "layers", base = "mix", { "aim", mask = "upper", weight = "aiming", space = "model" },
      { "lean", mode = "additive", reference = { "idle", .5 }, mask = "half" }, { "weights", sparse = false } },
  }
end

return tiny
