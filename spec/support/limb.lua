-- A small character for specs about IK: hips with two legs and an arm, and clips that move it.
local anim = require("anim")

local limb = {}

limb.skeleton = anim.newSkeleton({
  { name = "hips", translation = { 0, 2, 0 } },
  { name = "thigh.L", parent = "hips", translation = { .2, 0, 0 } },
  { name = "shin.L", parent = "thigh.L", translation = { 0, -1, 0 } },
  { name = "foot.L", parent = "shin.L", translation = { 0, -1, 0 } },
  { name = "toe.L", parent = "foot.L", translation = { 0, 0, .2 } },
  { name = "thigh.R", parent = "hips", translation = { -.2, 0, 0 } },
  { name = "shin.R", parent = "thigh.R", translation = { 0, -1, 0 } },
  { name = "foot.R", parent = "shin.R", translation = { 0, -1, 0 } },
  { name = "toe.R", parent = "foot.R", translation = { 0, 0, .2 } },
  { name = "spine", parent = "hips", translation = { 0, .5, 0 } },
  { name = "head", parent = "spine", translation = { 0, .5, 0 } },
})

local function still(q) return { rotation = { times = { 0 }, values = q } } end

-- A clip that turns joints: name -> quaternion, all the time.
function limb.clip(name, turns, options)
  options = options or {}
  local tracks = {}
  for joint, q in pairs(turns or {}) do tracks[joint] = still(q) end
  tracks.hips = options.hips or tracks.hips
  return anim.newClip({ name = name, skeleton = limb.skeleton, duration = options.duration or 1, loop = options.loop,
    tracks = tracks, events = options.events, curves = options.curves })
end

function limb.about(axis, degrees)
  local q, half = { 0, 0, 0, math.cos(math.rad(degrees) / 2) }, math.rad(degrees) / 2
  q[({ x = 1, y = 2, z = 3 })[axis]] = math.sin(half)
  return q
end

-- stand: straight; bent: the left knee bent forward; sway: the hips move from side to side.
function limb.model()
  local about = limb.about
  local model = { skeleton = limb.skeleton, clips = {}, skins = {}, morphs = {} }
  for i, clip in ipairs({
    limb.clip("stand"),
    limb.clip("bent", { ["thigh.L"] = about("x", -30), ["shin.L"] = about("x", 60) }),
    limb.clip("sway", {}, { duration = 1, hips = { translation = { times = { 0, .5, 1 },
      values = { 0, 2, 0, .3, 1.9, 0, 0, 2, 0 } } } }),
  }) do
    model.clips[i], model.clips[clip:getName()] = clip, clip
  end
  return model
end

-- A twoBone for the left leg; more keys may be given.
function limb.leg(options)
  local description = { type = "twoBone", input = "bent", joint = "foot.L" }
  for key, value in pairs(options or {}) do description[key] = value end
  return description
end

function limb.distance(ax, ay, az, bx, by, bz)
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + (az - bz) ^ 2)
end

return limb
