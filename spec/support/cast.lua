-- Characters of all kinds for specs about crowds: the same ones each time they are asked for.
local anim = require("anim")
local limb = require("spec.support.limb")

local cast = {}

local about = limb.about

local function turning(joint, axis, degrees, duration)
  local from, to = about(axis, -degrees), about(axis, degrees)
  local values = {}
  for _, q in ipairs({ from, to, from }) do
    for i = 1, 4 do values[#values + 1] = q[i] end
  end
  return { [joint] = { rotation = { times = { 0, duration / 2, duration }, values = values } } }
end

local function gait(name, duration, stride, degrees)
  local tracks = turning("thigh.L", "x", degrees, duration)
  tracks["thigh.R"] = turning("thigh.R", "x", -degrees, duration)["thigh.R"]
  tracks.hips = { translation = { times = { 0, duration }, values = { 0, 2, 0, 0, 2, stride } } }
  return anim.newClip({ name = name, skeleton = limb.skeleton, duration = duration, tracks = tracks,
    events = { { time = .2 * duration, name = "step", data = "L" }, { time = .7 * duration, name = "step", data = "R" },
      { time = .3 * duration, name = "swing", duration = .2 * duration } },
    markers = { { time = .2 * duration, name = "L" }, { time = .7 * duration, name = "R" } } })
    :withRootMotion({ joint = "hips", translation = "xz", rotation = "y" })
end

local function gesture(name, duration, loop)
  return anim.newClip({ name = name, skeleton = limb.skeleton, duration = duration, loop = loop,
    tracks = turning("spine", "z", 25, duration), events = { { time = .5 * duration, name = name } } })
end

local model
function cast.model()
  if model then return model end
  model = limb.model()
  for _, clip in ipairs({ gait("walk", 1, 1.2, 20), gait("run", .64, 2.1, 35), gesture("wave", .8),
    gesture("hit", .5, false), gesture("breathe", 2.2, "pingpong") }) do
    model.clips[#model.clips + 1], model.clips[clip:getName()] = clip, clip
  end
  return model
end

local function move() return { type = "blend1D", param = "speed", { 0, "stand" }, { 1, "walk" }, { 3, "run" } } end

local function transitions(when)
  return { { from = "rest", to = "go", when = when or "speed > .6", fade = .2 },
    { from = "go", to = "rest", when = "speed < .4", fade = .3, curve = "smooth" },
    { from = "*", to = "hit", when = "hurt", fade = .1, mode = "inertial" },
    { from = "hit", to = "rest", when = "done", fade = .15, interrupt = "both" } }
end

local function machine(when)
  return { type = "machine", name = "machine", initial = "rest", transitions = transitions(when),
    states = { rest = "breathe", go = move(), hit = { "hit", loop = false } } }
end

local feet = { { joint = "foot.L", toe = "toe.L" }, { joint = "foot.R", toe = "toe.R" } }
local legs = { { joint = "foot.L" }, { joint = "foot.R" } }

-- What runs on any thread.
local roots = {
  move,
  machine,
  function()
    return { type = "layers", base = { type = "oneShot", name = "shot", base = move(), fadeIn = .1, fadeOut = .2 },
      { "breathe", mode = "additive", weight = "lean" } }
  end,
  function()
    return { type = "spring", joint = "spine", stiffness = 3, gravity = 4, wind = { "lean", 0, 1 }, input =
      { type = "aim", joint = "spine", target = { "aimX", 2.5, 4 }, limit = 1, rate = 2, input = machine() } }
  end,
  function()
    return { type = "random", name = "random", seed = 5, fade = .2, every = "loop",
      inputs = { "wave", "walk", "breathe" } }
  end,
  function()
    return { type = "queue", name = "queue", inputs = { "wave", "hit" }, loop = true, fade = .1 }
  end,
  function()
    return { type = "chain", joint = "foot.L", root = "thigh.L", target = { "aimX", .4, .3 }, input =
      { type = "foot", legs = feet, pelvis = "hips", lock = "swing", input =
        { type = "blend2D", x = "lean", y = "speed", { 0, 0, "stand" }, { 1, 0, "wave" }, { 0, 3, "run" } } } }
  end,
  function()
    return { type = "twoBone", joint = "foot.R", target = { "aimX", .5, .2 }, soft = .9, input =
      { type = "stride", pelvis = "hips", legs = legs, factor = "speed", input =
        { type = "mixer", name = "mixer", inputs = { "walk", "run", "sway" }, sync = true } } }
  end,
  function() return { type = "direct", { "lean", "wave" }, { "speed", "walk" }, fallback = "first" } end,
}

-- What asks the calling thread for something.
local scripted = {
  function()
    return { type = "script", inputs = { "walk", "run" }, update = function(node, dt)
      local graph = node:getGraph()
      node:setWeight(1, 1 + dt)
      node:setWeight(2, graph:get("speed"))
    end, pose = function(_, pose) pose:set("head", 0, .5, 0, 0, .6, 0, .8, 1, 1, 1) end }
  end,
  function() return machine(function(graph) return graph:get("speed") > .6 end) end,
  function()
    return { type = "foot", legs = feet, pelvis = "hips", input = move(),
      ground = function(x, _, z) return .05 * x + .02 * z, 0, 1, 0 end }
  end,
}

local function params()
  return { speed = { 0, smooth = .15 }, lean = 0, aimX = 0, hurt = "trigger" }
end

--- `count` characters, two clones of each; `withScripts`: some of them need the calling thread.
function cast.new(count, withScripts)
  local list, bases = {}, {}
  for i = 1, count do
    local kinds = #roots + (withScripts and #scripted or 0)
    local kind = (i - 1) % kinds + 1
    local base = bases[kind]
    if base then
      list[i] = base:clone({ seed = i })
    else
      list[i] = anim.newGraph(cast.model(), { params = params(), root = (roots[kind] or scripted[kind - #roots])() })
      bases[kind] = list[i]
    end
  end
  return list
end

--- What a game does to them before update number `step`.
function cast.steer(list, step)
  for i, graph in ipairs(list) do
    local seen = (i * 37 + step) % 211
    graph:set("speed", seen / 70)
    graph:set("lean", (i + step) % 50 / 50)
    graph:set("aimX", (i * 3 + step) % 90 / 45 - 1)
    if seen == 100 then graph:fire("hurt") end
    if (i + step) % 97 == 0 then
      local shot, mixer = graph:find("shot"), graph:find("mixer")
      if shot then shot:fire("hit") end
      if mixer then mixer:fadeTo(step % 3 + 1, .2) end
    end
    graph:setTransform(i, 0, step / 100, 0, .6, 0, .8)
  end
end

--- Appends what happened to a list of strings.
function cast.listen(target, told, tag)
  return target:on("*", function(name, data, node, clip, time, weight, edge)
    told[#told + 1] = ("%s %s %s %s %s %.9g %.9g %s"):format(tag or "", name, tostring(data), node:getType(),
      clip and clip:getName() or "", time, weight, tostring(edge))
  end)
end

--- A crowd of these.
function cast.crowd(list, threads)
  local crowd = anim.newCrowd({ threads = threads })
  for _, graph in ipairs(list) do crowd:add(graph) end
  return crowd
end

--- A number for all that can be seen of the characters, folded over the updates.
function cast.fold(hash, list)
  for _, graph in ipairs(list) do
    local x, _, z, _, qy = graph:getRootMotion()
    local text = graph:hash() .. ("%.17g %.17g %.17g"):format(x, z, qy)
    -- Below 2^48, so that no product is rounded: LuaJIT on ARM64 fuses what it compiles.
    for i = 1, #text do hash = (hash * 31 + text:byte(i)) % 281474976710597 end
  end
  return hash
end

return cast
