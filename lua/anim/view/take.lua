--- Poses as the page plays them: quantised, and written as the differences from frame to frame. Clips are resampled.
---
--- Blocks of frames follow each other. In each, every joint has one number that says what it does (kind of
--- translation + 3 * rotation + 9 * scale), then per channel that is not at rest its first value, and per channel that
--- moves three streams (x, y, z): a number that says which differences follow, and one difference a frame.
--- Rotations are axis * sin(angle / 4), relative to the block's first: small, and without a seam below half a turn.
--- A point by itself is written like one translation; a block without it is "".
local digits = require("anim.view.digits")

local take = {}

take.rate = 30             -- frames a second, at most
take.mostValues = 2000000  -- joints times frames of one clip; above it the rate is lower
take.blockFrames = 600
take.turnUnit = 1 / 16384  -- of axis * sin(angle / 4)
take.scaleUnit = 1 / 4096

local atRest, held, moving = 0, 1, 2
local floor, sqrt, abs = math.floor, math.sqrt, math.abs
local text = digits.text

local function whole(x)
  if x ~= x then return 0 end
  x = floor(x + 0.5)
  if x > digits.most then return digits.most end
  if x < -digits.most then return -digits.most end
  return x
end

-- axis * sin(angle / 4) of a quaternion, as whole units.
local function turn(x, y, z, w)
  if w < 0 then x, y, z, w = -x, -y, -z, -w end
  if x + y + z + w ~= x + y + z + w then return 0, 0, 0 end
  local scale = 1 / (sqrt(2 * (1 + w)) * take.turnUnit)
  return floor(x * scale + 0.5), floor(y * scale + 0.5), floor(z * scale + 0.5)
end

-- The quaternion that the page makes of it.
local function unturn(i, j, k)
  local x, y, z = i * take.turnUnit, j * take.turnUnit, k * take.turnUnit
  local square = x * x + y * y + z * z
  local double = 2 * sqrt(1 - square)
  return x * double, y * double, z * double, 1 - 2 * square
end

-- 0: the value never changes; 1: differences; 2: differences of differences, which are small where motion is smooth.
local function order(values, count)
  local first, second = 0, 0
  local last, lastStep = 0, 0
  for f = 1, count do
    local step = values[f] - last
    first = first + abs(step)
    second = second + abs(step - lastStep)
    last, lastStep = values[f], step
  end
  if first == 0 then return 0 end
  return second < first and 2 or 1
end

-- Values begin at or near 0.
local function addStream(out, values, count)
  local kind = order(values, count)
  local n = #out + 1
  out[n] = text[kind]
  if kind == 0 then return end
  local last, step = 0, 0
  for f = 1, count do
    local value = values[f]
    if kind == 1 then
      out[n + f] = text[value - last]
    else
      out[n + f] = text[value - last - step]
      step = value - last
    end
    last = value
  end
end

local function addChannel(out, channel, count)
  for axis = 1, 3 do out[#out + 1] = text[channel.base[axis]] end
  if channel.kind == moving then
    for axis = 1, 3 do addStream(out, channel[axis], count) end
  end
end

--- The text of a list of whole numbers, the first at or near 0: it says which differences follow, then one a number.
function take.stream(values)
  local out = {}
  addStream(out, values, #values)
  return table.concat(out)
end

local function isStill(values, count)
  for f = 1, count do
    if values[f] ~= 0 then return false end
  end
  return true
end

local function isMoving(channel, count)
  return not channel.isHeld and
    not (isStill(channel[1], count) and isStill(channel[2], count) and isStill(channel[3], count))
end

-- What a channel does in a block, from its values and those it has at rest.
local function classify(channel, count)
  if isMoving(channel, count) then return moving end
  local base, rest = channel.base, channel.rest
  return base[1] == rest[1] and base[2] == rest[2] and base[3] == rest[3] and atRest or held
end

local function newChannel(i, j, k)
  return { {}, {}, {}, base = { 0, 0, 0 }, rest = { i, j, k }, isHeld = true, x = 0, y = 0, z = 0, w = 0 }
end

local function newReader(skeleton, unit, j, ...)
  local reader = { joint = j }
  local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = skeleton:getRest(j)
  local scaleUnit = take.scaleUnit
  for _, channel in ipairs({ ... }) do
    if channel == "translation" then
      reader.translation = newChannel(whole(tx / unit), whole(ty / unit), whole(tz / unit))
    elseif channel == "rotation" then
      reader.rotation = newChannel(turn(qx, qy, qz, qw))
    else
      reader.scale = newChannel(whole(sx / scaleUnit), whole(sy / scaleUnit), whole(sz / scaleUnit))
    end
  end
  return reader
end

-- Whether a channel is still at its first value of the block. Most are all the time: nothing is kept of those.
local function isHeld(channel, f, x, y, z, w)
  if f == 1 then
    channel.isHeld, channel.x, channel.y, channel.z, channel.w = true, x, y, z, w
  elseif not channel.isHeld then
    return false
  elseif x == channel.x and y == channel.y and z == channel.z and w == channel.w then
    return true
  else
    channel.isHeld = false
    for axis = 1, 3 do
      for before = 1, f - 1 do channel[axis][before] = 0 end
    end
  end
  return f == 1
end

local function readVector(channel, f, x, y, z, unit)
  local base = channel.base
  if f == 1 then base[1], base[2], base[3] = whole(x / unit), whole(y / unit), whole(z / unit) end
  if isHeld(channel, f, x, y, z, 0) then return end
  channel[1][f], channel[2][f], channel[3][f] =
    whole(x / unit) - base[1], whole(y / unit) - base[2], whole(z / unit) - base[3]
end

local function readTurn(channel, f, x, y, z, w)
  local base = channel.base
  if f == 1 then
    base[1], base[2], base[3] = turn(x, y, z, w)
    base.x, base.y, base.z, base.w = unturn(base[1], base[2], base[3])
  end
  if isHeld(channel, f, x, y, z, w) then return end
  local a, b, c, d = -base.x, -base.y, -base.z, base.w
  channel[1][f], channel[2][f], channel[3][f] = turn(
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z)
end

local function readFrame(readers, pose, unit, f)
  for i = 1, #readers do
    local reader = readers[i]
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(reader.joint)
    if reader.rotation then readTurn(reader.rotation, f, qx, qy, qz, qw) end
    if reader.translation then readVector(reader.translation, f, tx, ty, tz, unit) end
    if reader.scale then readVector(reader.scale, f, sx, sy, sz, take.scaleUnit) end
  end
end

local function writeBlock(out, readers, joints, count)
  local byJoint = {}
  for _, reader in ipairs(readers) do byJoint[reader.joint] = reader end
  for j = 1, joints do
    local reader, kinds = byJoint[j] or {}, 0
    for _, name in ipairs({ "scale", "rotation", "translation" }) do
      local channel = reader[name]
      if channel then channel.kind = classify(channel, count) end
      kinds = kinds * 3 + (channel and channel.kind or atRest)
    end
    out[#out + 1] = text[kinds]
    for _, name in ipairs({ "translation", "rotation", "scale" }) do
      local channel = reader[name]
      if channel and channel.kind ~= atRest then addChannel(out, channel, count) end
    end
  end
end

--- Number of frames for a clip of some length; they lie evenly from 0 to its end.
function take.frames(duration, joints)
  local rate = math.min(take.rate, take.mostValues / joints / math.max(duration, 1e-9))
  return duration > 0 and math.max(1, floor(duration * rate + 0.5)) + 1 or 1
end

local Writer = {}
Writer.__index = Writer

--- What takes poses one by one. Translations are in steps of `unit`; of `clip` only the channels that it has are looked
--- at, without one all.
function take.writer(skeleton, unit, clip)
  local readers = {}
  for j = 1, #skeleton do
    if not clip then
      readers[j] = newReader(skeleton, unit, j, "translation", "rotation", "scale")
    elseif clip:getChannels(j) then
      readers[#readers + 1] = newReader(skeleton, unit, j, clip:getChannels(j))
    end
  end
  return setmetatable({ readers = readers, joints = #skeleton, unit = unit, count = 0, blocks = {} }, Writer)
end

local function closeBlock(writer)
  local out = {}
  writeBlock(out, writer.readers, writer.joints, writer.count)
  writer.blocks[#writer.blocks + 1] = table.concat(out)
  writer.count = 0
end

function Writer:add(pose)
  self.count = self.count + 1
  readFrame(self.readers, pose, self.unit, self.count)
  if self.count == take.blockFrames then closeBlock(self) end
end

--- The text of each block.
function Writer:finish()
  if self.count > 0 then closeBlock(self) end
  return self.blocks
end

-- Points ------------------------------------------------------------------------------------------------

local PointWriter = {}
PointWriter.__index = PointWriter

--- What takes the places of a point one by one, from frame `first` on.
function take.pointWriter(unit, first)
  local self = setmetatable({ channel = newChannel(0, 0, 0), unit = unit, count = (first - 1) % take.blockFrames,
    isThere = false, x = 0, y = 0, z = 0, blocks = {} }, PointWriter)
  for b = 1, floor((first - 1) / take.blockFrames) do self.blocks[b] = "" end
  return self
end

local function closePointBlock(writer)
  local out, channel = {}, writer.channel
  if writer.isThere then
    channel.kind = isMoving(channel, writer.count) and moving or held
    out[1] = text[channel.kind]
    addChannel(out, channel, writer.count)
  end
  writer.blocks[#writer.blocks + 1] = table.concat(out)
  writer.count, writer.isThere = 0, false
end

--- nil: in this frame it is nowhere.
function PointWriter:add(x, y, z)
  self.count = self.count + 1
  if x then self.x, self.y, self.z = x, y, z end
  if x or self.isThere then
    readVector(self.channel, self.isThere and self.count or 1, self.x, self.y, self.z, self.unit)
    self.isThere = true
  end
  if self.count == take.blockFrames then closePointBlock(self) end
end

--- The text of each block up to the last frame added.
function PointWriter:finish()
  if self.count > 0 then closePointBlock(self) end
  return self.blocks
end

-- Clips -------------------------------------------------------------------------------------------------

--- The text of a clip. `sample(time)` gives its pose; `seen(pose, f)` is told each frame.
function take.write(clip, frames, unit, sample, seen)
  local writer, duration = take.writer(clip:getSkeleton(), unit, clip), clip:getDuration()
  for f = 1, frames do
    local pose = sample(frames > 1 and duration * (f - 1) / (frames - 1) or 0)
    writer:add(pose)
    seen(pose, f)
  end
  return writer:finish()
end

return take
