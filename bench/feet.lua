-- Characters that walk over stairs and slopes with a `foot` node, and what their planted feet do meanwhile. A foot is
-- planted while its lock is full; `off` is how far the nearer of heel and ball is above or below the ground then,
-- `slide` how far that point moves along the ground in one step while it touches it (to a millimetre).
local feet = {}

local function flat() return 0, 0, 1, 0 end

-- A height that rises by `grade` a metre from z = 1 on.
local function slope(grade)
  local length = math.sqrt(1 + grade * grade)
  return function(_, _, z)
    if z < 1 then return 0, 0, 1, 0 end
    return (z - 1) * grade, 0, 1 / length, -grade / length
  end
end

-- Steps from z = 1 on, ten up and as many down again.
local function stairs(rise, depth)
  return function(_, _, z)
    local step = math.max(0, math.floor((z - 1) / depth) + 1)
    return rise * math.max(0, math.min(step, 20 - step)), 0, 1, 0
  end
end

-- Stairs are as high for the character as 15 cm are for a person, whose legs are 85 cm long.
local function grounds(leg)
  return { { "level", flat }, { "slope up, 15 degrees", slope(.268) }, { "slope down, 15 degrees", slope(-.268) },
    { "stairs, 10 up and 10 down", stairs(.15 * leg / .85, .3 * leg / .85) } }
end

-- From hip to ankle at rest.
local function legLength(anim, model, leg)
  local rest = anim.newPose(model.skeleton)
  local knee = model.skeleton:getParent(model.skeleton:find(leg.joint))
  local _, hip = rest:getPosition(model.skeleton:getParent(knee))
  local _, ankle = rest:getPosition(leg.joint)
  return hip - ankle
end

-- Height of the ground without its steps, for the character itself: what a capsule does that climbs them.
local function smoothed(ground, z)
  local sum, n = 0, 20
  for i = -n, n do sum = sum + (ground(0, 0, z + i / n * .4)) end
  return sum / (2 * n + 1)
end

-- What a foot stands on: the heel (or the point below the ankle) and the ball, in the space of a joint, and how high
-- each is when the foot stands flat.
local function pointsOf(skeleton, rest, leg)
  local _, heel = rest:getPosition(leg.heel or leg.joint)
  local _, ball = rest:getPosition(leg.toe)
  local points = { { joint = skeleton:find(leg.heel or leg.joint), height = heel, x = 0, y = 0, z = 0 },
    { joint = skeleton:find(leg.toe), height = ball, x = 0, y = 0, z = 0 } }
  if leg.heel then return points end
  local m = { rest:getMatrix(leg.joint) }
  local square = m[5] * m[5] + m[6] * m[6] + m[7] * m[7]
  points[1].x, points[1].y, points[1].z = -heel * m[2] / square, -heel * m[6] / square, -heel * m[10] / square
  points[1].height = 0
  return points
end

-- In the world, and how far above the ground along its normal.
local function whereIs(graph, point, place, ground)
  local m = { graph:getMatrix(point.joint) }
  local x = m[1] * point.x + m[5] * point.y + m[9] * point.z + m[13]
  local y = m[2] * point.x + m[6] * point.y + m[10] * point.z + m[14] + place.y
  local z = m[3] * point.x + m[7] * point.y + m[11] * point.z + m[15] + place.z
  local height, nx, ny, nz = ground(x, y, z)
  return { x, y, z }, (y - height) * ny - point.height, { nx, ny, nz }
end

-- Length of the way from a to b along the ground.
local function along(a, b, n)
  local x, y, z = b[1] - a[1], b[2] - a[2], b[3] - a[3]
  local up = x * n[1] + y * n[2] + z * n[3]
  return math.sqrt(math.max(0, x * x + y * y + z * z - up * up))
end

local function newWatch() return { steps = 0, slide = 0, worst = 0, off = 0, offs = 0, count = 0 } end

-- One update of a foot that may be planted.
local function watchFoot(watch, foot, graph, place, ground, locked)
  local nearest, slide
  for i, point in ipairs(foot.points) do
    local at, height, normal = whereIs(graph, point, place, ground)
    if not nearest or math.abs(height) < nearest then
      nearest, slide = math.abs(height), along(foot.last and foot.last[i] or at, at, normal)
    end
    foot.now[i] = at
  end
  if locked and foot.locked then
    if nearest < .001 then foot.slide = foot.slide + slide end
    watch.off = math.max(watch.off, nearest)
    watch.offs, watch.count = watch.offs + nearest, watch.count + 1
  elseif foot.locked and not locked then
    watch.steps, watch.slide = watch.steps + 1, watch.slide + foot.slide
    watch.worst = math.max(watch.worst, foot.slide)
  end
  if not locked then foot.slide = 0 end
  foot.locked, foot.last, foot.now = locked, foot.now, {}
end

--- Walks a character for so many seconds; what its planted feet did. `character`: model, root (of the graph, without
--- the feet), legs, pelvis, locks, speed (metres a second; nil: root motion).
function feet.walk(anim, character, ground, seconds, off)
  local graph = anim.newGraph(character.model, { params = { locked = off and 0 or 1 }, root = { type = "foot",
    input = character.root, legs = character.legs, pelvis = character.pelvis, lock = character.locks, ground = ground,
    weight = "locked", smooth = .06 } }, { clips = character.clips })
  local skeleton, rest = character.model.skeleton, anim.newPose(character.model.skeleton)
  local place, watch, legs = { y = smoothed(ground, 0), z = 0 }, newWatch(), {}
  for i, leg in ipairs(character.legs) do
    legs[i] = { points = pointsOf(skeleton, rest, leg), now = {}, slide = 0 }
  end
  for update = 1, seconds * 60 do
    graph:advance(1 / 60)
    local _, _, dz = graph:getRootMotion()
    place.z = place.z + (character.speed and character.speed / 60 or dz)
    place.y = smoothed(ground, place.z)
    graph:setTransform(0, place.y, place.z)
    graph:evaluate()
    for i, foot in ipairs(legs) do
      local locked = update > 60 and graph:getCurve(character.locks[i]) > .95
      watchFoot(watch, foot, graph, place, ground, locked)
    end
  end
  return watch
end

-- A clip that walks on the spot, with a curve for each foot that says when it is planted, and its speed.
local function analysed(anim, model, clip, legs, locks)
  local rate, pose = 60, anim.newPose(model.skeleton)
  local count = math.floor(clip:getDuration() * rate + .5)
  local times, tracks, ways = {}, {}, {}
  for j = 1, #model.skeleton do
    tracks[j] = { translation = { values = {} }, rotation = { values = {} } }
  end
  for i, leg in ipairs(legs) do
    local _, rest = pose:getPosition(leg.toe)
    ways[i] = { y = {}, z = {}, joint = leg.toe, rest = rest }
  end
  for key = 0, count do
    times[key + 1] = clip:getDuration() * key / count
    clip:sample(times[key + 1], pose)
    for j = 1, #model.skeleton do
      local tx, ty, tz, qx, qy, qz, qw = pose:get(j)
      for i, x in ipairs({ tx, ty, tz }) do tracks[j].translation.values[key * 3 + i] = x end
      for i, x in ipairs({ qx, qy, qz, qw }) do tracks[j].rotation.values[key * 4 + i] = x end
    end
    for _, way in ipairs(ways) do
      local _, y, z = pose:getPosition(way.joint)
      way.y[key + 1], way.z[key + 1] = y, z
    end
  end
  for _, track in ipairs(tracks) do track.translation.times, track.rotation.times = times, times end
  local curves, sum, steps = {}, 0, 0
  for i, way in ipairs(ways) do
    local values = {}
    for key = 1, count + 1 do
      local back = way.z[(key - 2) % count + 1] - way.z[key]
      values[key] = way.y[key] < way.rest + .004 and back > 0 and 1 or 0
      if values[key] == 1 then sum, steps = sum + back * rate, steps + 1 end
    end
    curves[locks[i]] = { times = times, values = values }
  end
  return anim.newClip({ name = clip:getName(), skeleton = model.skeleton, duration = clip:getDuration(),
    tracks = tracks, curves = curves }), sum / steps
end

function feet.hero(model)
  local clips = {}
  for _, name in ipairs({ "walk", "run" }) do
    clips[name] = model.clips[name]:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  end
  return { name = "hero, walk and run at half each", model = model, clips = clips, pelvis = "hips",
    root = { type = "mixer", inputs = { "walk", "run" }, weights = { .5, .5 }, sync = true },
    locks = { "foot_lock.L", "foot_lock.R" },
    legs = { { joint = "foot.L", toe = "toe.L", heel = "heel.L" },
      { joint = "foot.R", toe = "toe.R", heel = "heel.R" } } }
end

function feet.knight(anim, data)
  local model = anim.load(data .. "/humanoid/kaykit_adventurers/Knight.glb")
  if not model then return nil end
  local legs = { { joint = "foot.l", toe = "toes.l" }, { joint = "foot.r", toe = "toes.r" } }
  local locks, clips, speed = { "plant.l", "plant.r" }, {}, 0
  for _, name in ipairs({ "Walking_A", "Walking_B" }) do
    local own
    clips[name], own = analysed(anim, model, model.clips[name], legs, locks)
    speed = speed + own / 2
  end
  return { name = ("Knight, Walking_A and Walking_B at half each, %.2f m/s"):format(speed),
    model = model, clips = clips,
    root = { type = "mixer", inputs = { "Walking_A", "Walking_B" }, weights = { .5, .5 }, sync = true },
    pelvis = "hips", locks = locks, legs = legs, speed = speed }
end

--- Lines that say what came of it.
function feet.all(anim, hero, data)
  local lines = {}
  for _, character in ipairs({ feet.hero(hero), feet.knight(anim, data) }) do
    lines[#lines + 1] = character.name
    local leg = legLength(anim, character.model, character.legs[1])
    for _, row in ipairs(grounds(leg)) do
      local with, without = feet.walk(anim, character, row[2], 8), feet.walk(anim, character, row[2], 8, true)
      lines[#lines + 1] = ("  %-28s %2d steps: slide %.2f mm (worst %.2f), off the ground %.2f mm (worst %.2f, " ..
        "without the node %.1f)"):format(row[1], with.steps, with.slide / with.steps * 1e3, with.worst * 1e3,
        with.offs / with.count * 1e3, with.off * 1e3, without.off * 1e3)
    end
  end
  return lines
end

return feet
