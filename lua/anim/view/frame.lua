--- Where a figure is and how it stands, over the poses of a clip: what the page frames the picture by.
local Frame = {}
Frame.__index = Frame

local huge, max, min, abs, sqrt = math.huge, math.max, math.min, math.abs, math.sqrt

local function newBox() return { huge, huge, huge, -huge, -huge, -huge } end

local function grow(box, x, y, z)
  box[1], box[2], box[3] = min(box[1], x), min(box[2], y), min(box[3], z)
  box[4], box[5], box[6] = max(box[4], x), max(box[5], y), max(box[6], z)
end

local function isFinite(x, y, z) return x - x == 0 and y - y == 0 and z - z == 0 end

--- `map` is what parts.find gives.
function Frame.new(map)
  return setmetatable({
    map = map,
    box = newBox(),  -- of the body, least x y z and most x y z
    near = newBox(), -- the same, relative to the hips
    path = newBox(), -- of the hips
    across = { 0, 0, 0 }, -- mean of the way from right to left
    up = { 0, 0, 0 }, -- mean of the way from the feet to the head
    count = 0,
  }, Frame)
end

local function addDirection(sum, x, y, z)
  local length = sqrt(x * x + y * y + z * z)
  if length > 0 and length < huge then
    sum[1], sum[2], sum[3] = sum[1] + x / length, sum[2] + y / length, sum[3] + z / length
  end
end

-- The first pair whose joints are apart: some rigs have both hips in one place.
local function addAcross(frame, pose)
  for _, pair in ipairs(frame.map.across) do
    local lx, ly, lz = pose:getPosition(pair[1])
    local rx, ry, rz = pose:getPosition(pair[2])
    local size = frame.box[4] - frame.box[1] + frame.box[5] - frame.box[2] + frame.box[6] - frame.box[3]
    if abs(lx - rx) + abs(ly - ry) + abs(lz - rz) > 0.01 * size then
      return addDirection(frame.across, lx - rx, ly - ry, lz - rz)
    end
  end
end

local function addUp(frame, pose)
  local feet, head = frame.map.feet, frame.map.head
  if not head or #feet == 0 then return end
  local hx, hy, hz = pose:getPosition(head)
  for _, foot in ipairs(feet) do
    local x, y, z = pose:getPosition(foot)
    addDirection(frame.up, hx - x, hy - y, hz - z)
  end
end

function Frame:add(pose)
  local map = self.map
  local hx, hy, hz = pose:getPosition(map.hips)
  for j = 1, map.count do
    if map.body[j] then
      local x, y, z = pose:getPosition(j)
      if isFinite(x, y, z) then
        grow(self.box, x, y, z)
        if isFinite(hx, hy, hz) then grow(self.near, x - hx, y - hy, z - hz) end
      end
    end
  end
  if not isFinite(hx, hy, hz) then return end
  grow(self.path, hx, hy, hz)
  addAcross(self, pose)
  addUp(self, pose)
  self.count = self.count + 1
end

--- Largest extent of the body in one place.
function Frame:size()
  local near = self.near
  return self.count > 0 and max(near[4] - near[1], near[5] - near[2], near[6] - near[3]) or 0
end

--- The axis that points up: "z" where head and feet clearly say so in all these frames together, else "y".
function Frame.upAxis(frames)
  local x, y, z = 0, 0, 0
  for _, frame in ipairs(frames) do x, y, z = x + frame.up[1], y + frame.up[2], z + frame.up[3] end
  return z > 3 * abs(y) and z > 3 * abs(x) and "z" or "y"
end

return Frame
