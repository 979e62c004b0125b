-- Triangles: tubes through rings, boxes, with colours and, for skins, the joints that carry each ring.
local shape = {}
local Shape = {}
Shape.__index = Shape

function shape.new()
  return setmetatable({ positions = {}, normals = {}, texcoords = {}, colors = {}, joints = {}, weights = {},
    indices = {}, count = 0 }, Shape)
end

local function put(list, ...)
  for i = 1, select("#", ...) do list[#list + 1] = (select(i, ...)) end
end

local function byte(x) return math.floor(255 * x + .5) end

-- `carried`: { { joint, weight }... }, joints from 0; nil without a skin.
function Shape:vertex(x, y, z, u, v, color, carried)
  put(self.positions, x, y, z)
  put(self.normals, 0, 0, 0)
  put(self.texcoords, u, v)
  put(self.colors, byte(color[1]), byte(color[2]), byte(color[3]), 255)
  if carried then
    for i = 1, 4 do
      put(self.joints, carried[i] and carried[i][1] or 0)
      put(self.weights, carried[i] and carried[i][2] or 0)
    end
  end
  self.count = self.count + 1
  return self.count - 1
end

function Shape:triangle(a, b, c) put(self.indices, a, b, c) end

local function point(self, i) return self.positions[3 * i + 1], self.positions[3 * i + 2], self.positions[3 * i + 3] end

-- Six times the volume that the triangles from `first` on enclose: below 0 they look inward.
local function volume(self, first)
  local sum = 0
  for i = first, #self.indices, 3 do
    local ax, ay, az = point(self, self.indices[i])
    local bx, by, bz = point(self, self.indices[i + 1])
    local cx, cy, cz = point(self, self.indices[i + 2])
    sum = sum + ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  end
  return sum
end

local function ringPoint(ring, angle, power)
  local c, s = math.cos(angle), math.sin(angle)
  if power then -- towards a box
    c = (c < 0 and -1 or 1) * math.abs(c) ^ power
    s = (s < 0 and -1 or 1) * math.abs(s) ^ power
  end
  local at, u, v = ring.at, ring.u, ring.v
  return at[1] + c * u[1] + s * v[1], at[2] + c * u[2] + s * v[2], at[3] + c * u[3] + s * v[3]
end

-- A tube: rings { at =, u =, v = (half axes), carried = }, closed at both ends. Options: color, sides, power (1: round,
-- less: boxy).
function Shape:tube(rings, options)
  local sides, first, start = options.sides or 14, #self.indices + 1, {}
  for i, ring in ipairs(rings) do
    for k = 0, sides do
      local x, y, z = ringPoint(ring, 2 * math.pi * k / sides, options.power)
      local index = self:vertex(x, y, z, 2 * k / sides, i / 2, ring.color or options.color, ring.carried)
      start[i] = start[i] or index
    end
  end
  for i = 1, #rings - 1 do
    for k = 0, sides - 1 do
      local a, b = start[i] + k, start[i + 1] + k
      self:triangle(a, a + 1, b + 1)
      self:triangle(a, b + 1, b)
    end
  end
  for _, i in ipairs({ 1, #rings }) do
    local ring = rings[i]
    local middle = self:vertex(ring.at[1], ring.at[2], ring.at[3], 0, i / 2, ring.color or options.color, ring.carried)
    for k = 0, sides - 1 do
      local a = start[i] + k
      if i == 1 then self:triangle(middle, a + 1, a) else self:triangle(middle, a, a + 1) end
    end
  end
  if volume(self, first) < 0 then
    for i = first, #self.indices, 3 do
      self.indices[i], self.indices[i + 1] = self.indices[i + 1], self.indices[i]
    end
  end
  return self
end

-- Six faces with corners of their own; `lift(x, z)` adds to the height of those above, for slopes.
function Shape:box(x0, y0, z0, x1, y1, z1, color, lift)
  local function face(corners, width, height)
    local first = self.count
    for i, c in ipairs(corners) do
      local x, y, z = c[1] == 1 and x1 or x0, c[2] == 1 and y1 or y0, c[3] == 1 and z1 or z0
      if c[2] == 1 and lift then y = y + lift(c[1], c[3]) end
      self:vertex(x, y, z, (i == 2 or i == 3) and width or 0, i > 2 and height or 0, color)
    end
    self:triangle(first, first + 1, first + 2)
    self:triangle(first, first + 2, first + 3)
  end
  local w, h, d = x1 - x0, y1 - y0, z1 - z0
  face({ { 0, 1, 1 }, { 1, 1, 1 }, { 1, 1, 0 }, { 0, 1, 0 } }, w, d)
  face({ { 0, 0, 0 }, { 1, 0, 0 }, { 1, 0, 1 }, { 0, 0, 1 } }, w, d)
  face({ { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } }, w, h)
  face({ { 1, 0, 0 }, { 0, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } }, w, h)
  face({ { 1, 0, 1 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 } }, d, h)
  face({ { 0, 0, 0 }, { 0, 0, 1 }, { 0, 1, 1 }, { 0, 1, 0 } }, d, h)
  return self
end

-- Normals from the faces, shared by vertices at one place; `split`: only by those of one vertex, for boxes.
function Shape:smooth(split)
  local sums, keys = {}, {}
  for i = 0, self.count - 1 do
    local x, y, z = point(self, i)
    keys[i] = split and i or ("%.4f %.4f %.4f"):format(x, y, z)
    sums[keys[i]] = sums[keys[i]] or { 0, 0, 0 }
  end
  for t = 1, #self.indices, 3 do
    local ax, ay, az = point(self, self.indices[t])
    local bx, by, bz = point(self, self.indices[t + 1])
    local cx, cy, cz = point(self, self.indices[t + 2])
    local ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    local nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    for k = 0, 2 do
      local sum = sums[keys[self.indices[t + k]]]
      sum[1], sum[2], sum[3] = sum[1] + nx, sum[2] + ny, sum[3] + nz
    end
  end
  for i = 0, self.count - 1 do
    local n = sums[keys[i]]
    local length = math.max(1e-12, math.sqrt(n[1] ^ 2 + n[2] ^ 2 + n[3] ^ 2))
    for k = 1, 3 do self.normals[3 * i + k] = n[k] / length end
  end
  return self
end

return shape
