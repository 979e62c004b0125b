-- Random rigs and clips, and comparison with the oracle. All random numbers come from a seed, so that a failure can be
-- run again: the seed is in the message.
local reference = require("spec.support.reference")
local vec, quat = reference.vec, reference.quat

local check = {}

-- Where ANIM_PACK has loaded clips packed: how far a joint may be off (metres) and its axes (1e-4 m at 3 cm).
check.isPacked = (os.getenv("ANIM_PACK") or "") ~= ""
check.packedPlace = check.isPacked and 1e-4 or 0
check.packedTurn = check.isPacked and 4e-3 or 0

-- Park and Miller's generator: exact in doubles, so every Lua draws the same numbers.
function check.random(seed)
  local state = seed % 2147483646 + 1
  local r = { seed = seed }
  function r.unit()
    state = state * 16807 % 2147483647
    return (state - 1) / 2147483646
  end
  function r.number(a, b) return a + (b - a) * r.unit() end
  function r.integer(a, b) return math.floor(r.number(a, b + 1 - 1e-9)) end
  function r.pick(list) return list[r.integer(1, #list)] end
  function r.vector(size) return { r.number(-size, size), r.number(-size, size), r.number(-size, size) } end
  function r.rotation(angle)
    return quat.fromAxisAngle(vec.add(r.vector(1), { 0, 0, 1.01 }), r.number(-angle, angle))
  end
  function r.shuffle(list)
    for i = #list, 2, -1 do
      local k = r.integer(1, i)
      list[i], list[k] = list[k], list[i]
    end
    return list
  end
  for _ = 1, 8 do r.unit() end
  return r
end

-- A description for anim.newSkeleton of n joints, parents in any order.
function check.randomSkeleton(r, n)
  local list = {}
  for i = 1, n do
    list[i] = { name = "j" .. i, parent = i > 1 and "j" .. r.integer(math.max(1, i - 6), i - 1) or nil,
      translation = r.vector(0.4), rotation = r.rotation(3), scale = { r.number(.8, 1.2), r.number(.8, 1.2), 1 } }
  end
  return r.shuffle(list)
end

-- Like randomSkeleton, with names of both sides and a pose that is nearly but not quite symmetric.
function check.sidedSkeleton(r)
  local list = { { name = "hips", translation = { 0, 1, 0 }, rotation = r.rotation(.3) },
    { name = "spine", parent = "hips", translation = { 0, .3, .02 }, rotation = r.rotation(.3) } }
  for _, side in ipairs({ "L", "R" }) do
    for i, limb in ipairs({ "arm", "hand", "leg" }) do
      local parent = ({ "spine", "arm." .. side, "hips" })[i]
      local x = side == "L" and .3 or -.3
      list[#list + 1] = { name = limb .. "." .. side, parent = parent, translation = { x, r.number(-.2, .2), 0 },
        rotation = r.rotation(2), scale = { 1, r.number(.8, 1.2), r.number(.8, 1.2) } }
    end
  end
  return list
end

-- The oracle's rig of an anim Skeleton.
function check.rig(skeleton)
  local rig = {}
  for j = 1, #skeleton do
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = skeleton:getRest(j)
    rig[j] = { name = skeleton:getName(j), parent = skeleton:getParent(j),
      rest = reference.pose.joint({ tx, ty, tz }, { qx, qy, qz, qw }, { sx, sy, sz }) }
  end
  return rig
end

-- Key times are multiples of 1/64: exact in single precision, so that "on a key" means the same on both sides.
local function randomTimes(r, count)
  local times, t = {}, r.integer(0, 16)
  for i = 1, count do
    times[i] = t / 64
    t = t + r.integer(1, 24)
  end
  return times
end

-- Neighbouring keys stay well below 180 degrees apart; any of them may be stored with the other sign.
local function randomRotations(r, count, step)
  local list, q = {}, r.rotation(3)
  for i = 1, count do
    list[i] = r.unit() < .3 and quat.scale(q, -1) or q
    q = quat.mul(q, r.rotation(step))
  end
  return list
end

local function randomValues(r, path, count, step)
  if path == "rotation" then return randomRotations(r, count, step) end
  local list = {}
  for i = 1, count do
    list[i] = r.vector(.5)
    if path == "scale" then list[i] = vec.add({ 1, 1, 1 }, list[i]) end
    if path == "curve" then list[i] = { list[i][1] } end
  end
  return list
end

local function tangent(r, n)
  local out = {}
  for i = 1, n do out[i] = r.number(-.5, .5) end
  return out
end

local function flat(r, values, mode)
  local out = {}
  local function append(list)
    for _, x in ipairs(list) do out[#out + 1] = x end
  end
  for _, value in ipairs(values) do
    if mode == "cubic" then append(tangent(r, #value)) end
    append(value)
    if mode == "cubic" then append(tangent(r, #value)) end
  end
  return out
end

function check.randomChannel(r, path, mode)
  local times = randomTimes(r, r.integer(1, 9))
  local values = randomValues(r, path, #times, mode == "cubic" and 1.5 or 2.6)
  return { times = times, values = flat(r, values, mode), mode = mode }
end

-- A description for anim.newClip: some joints without tracks, some channels missing, all modes.
function check.randomClip(r, skeleton, name)
  local description = { name = name or "random", skeleton = skeleton, tracks = {} }
  for j = 1, #skeleton do
    local tracks = {}
    for _, path in ipairs({ "translation", "rotation", "scale" }) do
      if r.unit() < .7 then tracks[path] = check.randomChannel(r, path, r.pick({ "step", "linear", "cubic" })) end
    end
    if next(tracks) and r.unit() < .9 then description.tracks[skeleton:getName(j)] = tracks end
  end
  return description
end

-- Times before, on, between and after the keys of a clip of length `duration`.
function check.times(r, duration, count)
  local times = { -1, 0, duration, duration + 1 }
  for _ = 1, count do
    times[#times + 1] = r.unit() < .5 and r.number(0, duration) or r.integer(0, math.floor(duration * 64)) / 64
  end
  return times
end

-- What a pose holds, as the oracle's table.
function check.read(pose, n)
  local out = {}
  for j = 1, n do
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(j)
    out[j] = reference.pose.joint({ tx, ty, tz }, { qx, qy, qz, qw }, { sx, sy, sz })
  end
  return out
end

function check.write(pose, joints)
  for j, v in ipairs(joints) do
    pose:set(j, v.t[1], v.t[2], v.t[3], v.q[1], v.q[2], v.q[3], v.q[4], v.s[1], v.s[2], v.s[3])
  end
  return pose
end

function check.randomPose(r, rig)
  return reference.pose.map(#rig, function()
    return reference.pose.joint(r.vector(1), r.rotation(3.1), { r.number(.5, 2), r.number(.5, 2), r.number(.5, 2) })
  end)
end

-- The largest absolute number of a list of lists, never 0: what an error is measured against.
function check.extent(list, first, last)
  local most = 0
  for _, item in ipairs(list) do
    for i = first or 1, last or #item do most = math.max(most, math.abs(item[i])) end
  end
  return most > 0 and most or 1
end

local function difference(a, b)
  local most = 0
  for i = 1, #a do
    local d = math.abs(a[i] - b[i])
    if d ~= d then return d end
    most = math.max(most, d)
  end
  return most
end

local function show(list)
  local out = {}
  for i, x in ipairs(list) do out[i] = string.format("%.8g", x) end
  return table.concat(out, " ")
end

-- Fails unless the numbers of `got` are within `tolerance` of those of `expected`.
function check.near(expected, got, tolerance, what)
  if #expected == #got and difference(expected, got) <= tolerance then return end
  error(string.format("%s\n  expected %s\n  got      %s\n  differ by %.3g, allowed %.3g", what or "numbers differ",
    show(expected), show(got), difference(expected, got), tolerance), 2)
end

-- Rotations are compared whatever their sign; a negative dot product of the same rotation is the same rotation.
function check.sameRotation(expected, got, tolerance, what)
  check.near(expected, quat.towards(got, expected), tolerance, what)
end

-- Poses: translations relative to the largest translation, scales to the largest scale.
function check.samePose(expected, got, tolerance, what)
  local t, s = {}, {}
  for j, joint in ipairs(expected) do t[j], s[j] = joint.t, joint.s end
  local length, growth = check.extent(t), math.max(1, check.extent(s))
  for j, joint in ipairs(expected) do
    local place = (what or "pose") .. ", joint " .. j
    check.near(joint.t, got[j].t, tolerance * length, place .. " translation")
    check.sameRotation(joint.q, got[j].q, tolerance, place .. " rotation")
    check.near(joint.s, got[j].s, tolerance * growth, place .. " scale")
  end
end

-- Bit for bit.
function check.identical(expected, got, what)
  for j, joint in ipairs(expected) do
    for field, list in pairs(joint) do
      for i, x in ipairs(list) do
        if x ~= got[j][field][i] then
          error(string.format("%s, joint %d %s[%d]: %.17g is not %.17g", what or "pose", j, field, i, got[j][field][i],
            x), 2)
        end
      end
    end
  end
end

-- Single precision, little-endian, for buffers of small glTF files; Lua 5.1 has no string.pack.
local function float32(x)
  if string.pack then return string.pack("<f", x) end
  if x == 0 then return "\0\0\0\0" end
  if x ~= x then return "\0\0\192\127" end
  if x - x ~= 0 then return x > 0 and "\0\0\128\127" or "\0\0\128\255" end
  local mantissa, exponent = math.frexp(math.abs(x))
  local bits = (exponent + 126) * 8388608 + math.floor((mantissa * 2 - 1) * 8388608 + .5)
  return string.char(bits % 256, math.floor(bits / 256) % 256, math.floor(bits / 65536) % 256,
    math.floor(bits / 16777216) + (x < 0 and 128 or 0))
end

-- The single-precision numbers that `bytes` hold (finite ones).
function check.floats(bytes)
  local out = {}
  for i = 1, #bytes, 4 do
    local a, b, c, d = bytes:byte(i, i + 3)
    local exponent = d % 128 * 2 + math.floor(c / 128)
    local mantissa = (c % 128 * 65536 + b * 256 + a) / 8388608
    local x = exponent == 0 and mantissa * 2 ^ -126 or (1 + mantissa) * 2 ^ (exponent - 127)
    out[#out + 1] = d < 128 and x or -x
  end
  return out
end

local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(bytes)
  local out = {}
  for i = 1, #bytes, 3 do
    local a, b, c = bytes:byte(i, i + 2)
    local n = a * 65536 + (b or 0) * 256 + (c or 0)
    for k = 18, 0, -6 do
      local digit = math.floor(n / 2 ^ k) % 64 + 1
      out[#out + 1] = alphabet:sub(digit, digit)
    end
    if not b then out[#out - 1] = "=" end
    if not c then out[#out] = "=" end
  end
  return table.concat(out)
end

-- A glTF buffer that holds these numbers as floats.
function check.buffer(numbers)
  local out = {}
  for i, x in ipairs(numbers) do out[i] = float32(x) end
  return string.format('{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}', #numbers * 4,
    base64(table.concat(out)))
end

return check
