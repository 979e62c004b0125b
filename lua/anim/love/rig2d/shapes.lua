--- Geometry of polygons: triangles of an outline, weights of points to joints, outlines of limbs.
local shapes = {}

-- Twice the area, above 0 where a, b, c turn clockwise on the screen.
local function area(points, a, b, c)
  local ax, ay = points[2 * a - 1], points[2 * a]
  return (points[2 * b - 1] - ax) * (points[2 * c] - ay) - (points[2 * b] - ay) * (points[2 * c - 1] - ax)
end

local function isInside(points, p, a, b, c, side)
  return area(points, a, b, p) * side >= 0 and area(points, b, c, p) * side >= 0 and area(points, c, a, p) * side >= 0
end

local function isSame(points, a, b)
  return points[2 * a - 1] == points[2 * b - 1] and points[2 * a] == points[2 * b]
end

local function isEar(points, ring, i, side)
  local n = #ring
  local a, b, c = ring[(i - 2) % n + 1], ring[i], ring[i % n + 1]
  if area(points, a, b, c) * side <= 0 then return false end
  for _, p in ipairs(ring) do
    local corner = isSame(points, p, a) or isSame(points, p, b) or isSame(points, p, c)
    if not corner and isInside(points, p, a, b, c, side) then return false end
  end
  return true
end

--- Indices of the triangles of a polygon x, y, x, y, ... without crossings, three by three; nil where it has none. Ears
--- are cut off one after the other (G. Meisters, "Polygons have ears", 1975).
function shapes.triangulate(points)
  local ring, whole = {}, 0
  for i = 1, #points / 2 do
    ring[i] = i
    if i > 2 then whole = whole + area(points, 1, i - 1, i) end
  end
  if whole == 0 then return nil end
  local side, triangles = whole > 0 and 1 or -1, {}
  while #ring > 2 do
    local ear
    for i = 1, #ring do
      if isEar(points, ring, i, side) then
        ear = i
        break
      end
    end
    if not ear then -- what is left has no area, or the outline crosses itself
      local left = 0
      for i = 2, #ring - 1 do left = left + math.abs(area(points, ring[1], ring[i], ring[i + 1])) end
      return left < 1e-9 * math.abs(whole) and triangles or nil
    end
    local n = #ring
    for _, k in ipairs({ ring[(ear - 2) % n + 1], ring[ear], ring[ear % n + 1] }) do triangles[#triangles + 1] = k end
    table.remove(ring, ear)
  end
  return triangles
end

-- Of a point to the segment from a joint along its bone.
local function distance(joint, x, y)
  local m = joint.world
  local ux, uy, px, py = m[1] * joint.length, m[2] * joint.length, x - m[5], y - m[6]
  local square = ux * ux + uy * uy
  local s = square > 0 and math.max(0, math.min(1, (px * ux + py * uy) / square)) or 0
  return math.sqrt((px - s * ux) ^ 2 + (py - s * uy) ^ 2)
end

--- How much a point of the rig at rest hangs on each of some joints: 1 / distance^4 to their bones, of sum 1.
function shapes.weigh(list, x, y, soft)
  local weights, sum = {}, 0
  for i, joint in ipairs(list) do
    weights[i] = 1 / (distance(joint, x, y) ^ 2 + soft * soft) ^ 2
    sum = sum + weights[i]
  end
  for i in ipairs(weights) do weights[i] = weights[i] / sum end
  return weights
end

--- A limb along x from 0 to `length`: a circle of radius `r1` at its beginning, one of `r2` at its end. As points.
function shapes.limb(length, r1, r2, parts)
  parts = parts or 8
  local lean = math.abs(length) > math.abs(r1 - r2) and math.asin((r1 - r2) / length) or 0
  local points = {}
  local function arc(x, r, from, to)
    for i = 0, parts do
      local a = from + (to - from) * i / parts
      points[#points + 1] = x + r * math.cos(a)
      points[#points + 1] = r * math.sin(a)
    end
  end
  local quarter = math.pi / 2
  arc(length, r2, -quarter + lean, quarter - lean)
  arc(0, r1, quarter - lean, 3 * quarter + lean)
  return points
end

return shapes
