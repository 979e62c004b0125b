-- Pages of anim.view for specs: models to show, and the data of a page read back.
local anim = require("anim")
local data = require("spec.support.data")
local digits = require("anim.view.digits")
local quat = require("spec.support.reference").quat
local scratch = require("spec.support.scratch")

local page = {}

-- A body of sticks, named in one of the usual ways; `lay(x, y, z)` turns its axes.
function page.body(lay)
  lay = lay or function(x, y, z) return { x, y, z } end
  local joints = { { name = "hips", translation = lay(0, 1, 0) },
    { name = "spine", parent = "hips", translation = lay(0, .25, 0) },
    { name = "head", parent = "spine", translation = lay(0, .3, 0) } }
  local function add(name, parent, x, y, z)
    joints[#joints + 1] = { name = name, parent = parent, translation = lay(x, y, z) }
  end
  for side, x in pairs({ L = 1, R = -1 }) do
    add("upper_arm." .. side, "spine", .2 * x, .2, 0)
    add("lower_arm." .. side, "upper_arm." .. side, .05 * x, -.28, 0)
    add("hand." .. side, "lower_arm." .. side, 0, -.26, .05)
    add("upper_leg." .. side, "hips", .1 * x, -.05, 0)
    add("lower_leg." .. side, "upper_leg." .. side, 0, -.45, .02)
    add("foot." .. side, "lower_leg." .. side, 0, -.43, -.02)
    add("toe." .. side, "foot." .. side, 0, -.05, .15)
  end
  return anim.newSkeleton(joints)
end

function page.turnX(angle) return { math.sin(angle / 2), 0, 0, math.cos(angle / 2) } end

function page.swing(amount, phase)
  local times, values = {}, {}
  for i = 0, 8 do
    times[#times + 1] = i / 8
    for _, x in ipairs(page.turnX(amount * math.sin(2 * math.pi * i / 8 + phase))) do values[#values + 1] = x end
  end
  return { rotation = { times = times, values = values } }
end

-- The body swings legs and arms against each other.
function page.walker(name)
  local skeleton = page.body()
  local walk = anim.newClip({ name = "walk", skeleton = skeleton,
    tracks = { ["upper_leg.L"] = page.swing(.6, 0), ["upper_leg.R"] = page.swing(.6, math.pi),
      ["upper_arm.L"] = page.swing(.5, math.pi), ["upper_arm.R"] = page.swing(.5, 0) },
    events = { { time = .25, name = "footstep", data = "left" }, { time = .75, name = "footstep" } },
    markers = { { time = 0, name = "L" } } })
  local bow = anim.newClip({ name = "bow", skeleton = skeleton, duration = 2, loop = false,
    tracks = { spine = page.swing(.8, 0) } })
  return { name = name or "walker", skeleton = skeleton, clips = { walk, bow } }
end

-- Pages --------------------------------------------------------------------------------------------------

-- The page of a model: its text and path.
function page.write(model)
  local path = scratch.path(".html")
  assert(anim.view(model, path))
  return scratch.read(path), path
end

function page.dataText(text) return text:match('<script type="application/json" id="data">(.-)</script>') end

function page.data(model) return data.decode(page.dataText((page.write(model)))) end

-- The text of a take read back, as view/take.lua describes it.
function page.reader(text)
  local at, digitOf = 0, {}
  for i = 1, #digits.alphabet do digitOf[digits.alphabet:byte(i)] = i - 1 end
  local base, one, two, three = #digits.alphabet, digits.forms[1], digits.forms[2], digits.forms[3]
  local function digit()
    at = at + 1
    return digitOf[text:byte(at)]
  end
  local function more(n, count)
    for _ = 1, count do n = n * base + digit() end
    return n
  end
  local function natural()
    local first = digit()
    if first < one then return first end
    if first < one + two then return one + more(first - one, 1) end
    if first < one + two + three then return one + two * base + more(first - one - two, 2) end
    return one + two * base + three * base * base + more(0, 5)
  end
  return function()
    local n = natural()
    return n % 2 == 1 and -(n + 1) / 2 or n / 2
  end, function() return at == #text end
end

local function readStream(next, frames)
  local order, values, last, step = next(), {}, 0, 0
  for f = 1, frames do
    if order > 0 then
      step = next() + (order == 2 and step or 0)
      last = last + step
    end
    values[f] = last
  end
  return values
end

local function readChannel(next, kind, frames)
  if kind == 0 then return nil end
  local channel = { base = { next(), next(), next() } }
  for axis = 1, 3 do
    channel[axis] = kind == 2 and readStream(next, frames) or {}
  end
  return channel
end

local function unturn(i, j, k, unit)
  local x, y, z = i * unit, j * unit, k * unit
  local square = x * x + y * y + z * z
  local double = 2 * math.sqrt(1 - square)
  return { x * double, y * double, z * double, 1 - 2 * square }
end

local function vectorAt(channel, f, unit, rest)
  if not channel then return rest end
  local out = {}
  for axis = 1, 3 do out[axis] = (channel.base[axis] + (channel[axis][f] or 0)) * unit end
  return out
end

local function turnAt(channel, f, unit, rest)
  if not channel then return rest end
  local b = channel.base
  local first = unturn(b[1], b[2], b[3], unit)
  local delta = unturn(channel[1][f] or 0, channel[2][f] or 0, channel[3][f] or 0, unit)
  return quat.mul(first, delta)
end

-- Calls visit(frame from 1, joint, translation, rotation, scale) for all of a take.
function page.eachPose(content, take, visit)
  local first = 0
  for _, text in ipairs(take.blocks) do
    local frames = math.min(content.blockFrames, take.frames - first)
    local next, isRead = page.reader(text)
    for j = 1, #content.names do
      local kinds = next()
      local move = readChannel(next, kinds % 3, frames)
      local turn = readChannel(next, math.floor(kinds / 3) % 3, frames)
      local scale = readChannel(next, math.floor(kinds / 9), frames)
      local rest = {}
      for i = 1, 10 do rest[i] = content.rest[(j - 1) * 10 + i] end
      for f = 1, frames do
        visit(first + f, j, vectorAt(move, f, content.units.move, { rest[1], rest[2], rest[3] }),
          turnAt(turn, f, content.units.turn, { rest[4], rest[5], rest[6], rest[7] }),
          vectorAt(scale, f, content.units.scale, { rest[8], rest[9], rest[10] }))
      end
    end
    assert(isRead(), "text is left")
    first = first + frames
  end
end

-- Largest differences between a take of a page and its clip: translation and scale in their units, rotation in radians.
function page.compare(content, take, clip)
  local pose = anim.newPose(clip:getSkeleton())
  local most = { move = 0, turn = 0, scale = 0 }
  local sampled
  page.eachPose(content, take, function(f, j, move, turn, scale)
    if sampled ~= f then
      clip:sample(take.frames > 1 and clip:getDuration() * (f - 1) / (take.frames - 1) or 0, pose)
      sampled = f
    end
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(j)
    for i, x in ipairs({ tx, ty, tz }) do
      most.move = math.max(most.move, math.abs(x - move[i]) / content.units.move)
    end
    for i, x in ipairs({ sx, sy, sz }) do
      most.scale = math.max(most.scale, math.abs(x - scale[i]) / content.units.scale)
    end
    local x, y, z = qx - turn[1], qy - turn[2], qz - turn[3]
    local a = math.sqrt(x * x + y * y + z * z + (qw - turn[4]) ^ 2)
    x, y, z = qx + turn[1], qy + turn[2], qz + turn[3]
    local b = math.sqrt(x * x + y * y + z * z + (qw + turn[4]) ^ 2)
    most.turn = math.max(most.turn, 2 * math.min(a, b))
  end)
  return most
end

-- Names that a file can have.
page.hostile = {
  "</script><script>document.title='owned'</script>", "<!-- <script>", "quote \" ' \\ ` ${1}",
  "line\nbreak\ttab\r", "bad \255\254 \192\175 \237\160\128 utf-8", "\226\128\168 \226\128\169",
  "<img src=x onerror=alert(1)>", "{{title}}", "&lt;&amp;", "ends in \240\159\146", "\1\127",
}

function page.hostileModel()
  local joints, clips = {}, {}
  for i, name in ipairs(page.hostile) do
    joints[i] = { name = name, parent = i > 1 and 1 or nil, translation = { i, i, 0 } }
  end
  local skeleton = anim.newSkeleton(joints)
  for i, name in ipairs(page.hostile) do
    clips[i] = anim.newClip({ name = name, skeleton = skeleton, duration = 1,
      events = { { time = .5, name = name, data = name } }, markers = { { time = 0, name = name } } })
  end
  return { name = page.hostile[1], skeleton = skeleton, clips = clips, warnings = page.hostile }
end

return page
