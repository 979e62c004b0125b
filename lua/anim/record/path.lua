--- The way that root motion has led, and poses moved along it.
local Path = {}
Path.__index = Path

local function rotate(q, x, y, z)
  local a, b, c, w = q[1], q[2], q[3], q[4]
  local tx, ty, tz = 2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)
  return x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx
end

local function multiply(q, x, y, z, w)
  local a, b, c, d = q[1], q[2], q[3], q[4]
  return d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z
end

function Path.new(skeleton)
  local self = setmetatable({ place = { 0, 0, 0 }, turn = { 0, 0, 0, 1 }, moved = false, roots = {} }, Path)
  for j = 1, #skeleton do
    if not skeleton:getParent(j) then self.roots[#self.roots + 1] = j end
  end
  return self
end

--- What getRootMotion gave: in the character's own frame.
function Path:move(dx, dy, dz, qx, qy, qz, qw)
  if dx == 0 and dy == 0 and dz == 0 and qx == 0 and qy == 0 and qz == 0 then return end
  local place, turn = self.place, self.turn
  local x, y, z = rotate(turn, dx, dy, dz)
  place[1], place[2], place[3] = place[1] + x, place[2] + y, place[3] + z
  local a, b, c, d = multiply(turn, qx, qy, qz, qw)
  local length = math.sqrt(a * a + b * b + c * c + d * d)
  turn[1], turn[2], turn[3], turn[4] = a / length, b / length, c / length, d / length
  self.moved = true
end

--- Where setTransform put the character: from then on that counts instead of root motion.
function Path:stand(x, y, z, qx, qy, qz, qw)
  local place, turn = self.place, self.turn
  place[1], place[2], place[3] = x, y, z
  turn[1], turn[2], turn[3], turn[4] = qx, qy, qz, qw
  self.moved = true
end

--- Where a point of model space is.
function Path:carry(x, y, z)
  if not self.moved then return x, y, z end
  local place = self.place
  x, y, z = rotate(self.turn, x, y, z)
  return place[1] + x, place[2] + y, place[3] + z
end

--- Moves a pose to where the character is. What is too far away to be set stays: recording must not raise.
function Path:apply(pose)
  if not self.moved then return end
  local place, turn = self.place, self.turn
  for _, j in ipairs(self.roots) do
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get(j)
    local x, y, z = rotate(turn, tx, ty, tz)
    local a, b, c, d = multiply(turn, qx, qy, qz, qw)
    pcall(pose.set, pose, j, place[1] + x, place[2] + y, place[3] + z, a, b, c, d, sx, sy, sz)
  end
end

return Path
