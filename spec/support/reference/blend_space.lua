-- Weights of the samples of a blend space, after design/semantics.md 5 and R. S. Johansen, "Automated Semi-Procedural
-- Animation for Character Locomotion" (2009), 6.3 (gradient bands). Slow and by the definition: every pair, every
-- triangle. Points are { {x, y}, ... }.
local blendSpace = {}

local pi, huge = math.pi, math.huge
local atan2 = math.atan2 or math.atan
local equal = 1e-6 -- of the extent

local function dot(ax, ay, bx, by) return ax * bx + ay * by end
local function cross(ax, ay, bx, by) return ax * by - ay * bx end
local function length(x, y) return math.sqrt(x * x + y * y) end
local function clamp(v, low, high) return math.max(low, math.min(high, v)) end

local function filled(n, value)
  local list = {}
  for i = 1, n do list[i] = value end
  return list
end

local function total(list)
  local sum = 0
  for i = 1, #list do sum = sum + list[i] end
  return sum
end

local function normalized(list)
  local sum, out = total(list), {}
  for i = 1, #list do out[i] = list[i] / sum end
  return out
end

-- The longer side of the bounding box.
function blendSpace.extent(points)
  local extent = 0
  for i = 1, #points do
    for j = 1, #points do
      extent = math.max(extent, points[i][1] - points[j][1], points[i][2] - points[j][2])
    end
  end
  return extent
end

-- Piecewise linear between strictly rising thresholds, clamped.
function blendSpace.weights1D(thresholds, x)
  local weights = filled(#thresholds, 0)
  local last = #thresholds
  if last == 0 then return weights end
  x = clamp(x, thresholds[1], thresholds[last])
  for i = 1, last do
    local low, here, high = thresholds[i - 1], thresholds[i], thresholds[i + 1]
    if x == here then weights[i] = 1 end
    if low and x > low and x < here then weights[i] = (x - low) / (here - low) end
    if high and x > here and x < high then weights[i] = (high - x) / (high - here) end
  end
  return weights
end

local modes = {}

-- ---- simple

local function isOrigin(p, space) return length(p[1], p[2]) <= equal * space.extent end

-- Counter-clockwise from a to b, above 0 and at most a full turn.
local function turnBetween(a, b)
  local turn = atan2(cross(a[1], a[2], b[1], b[2]), dot(a[1], a[2], b[1], b[2]))
  return turn > 1e-9 and turn or turn + 2 * pi
end

-- The samples beside p, on its right and on its left.
local function enclosing(points, space, x, y)
  local right, left, least, most
  for i, p in ipairs(points) do
    if not isOrigin(p, space) then
      local turn = (atan2(y, x) - atan2(p[2], p[1])) % (2 * pi)
      if not least or turn < least then least, right = turn, i end
      if not most or turn > most then most, left = turn, i end
    end
  end
  return right, left
end

function modes.simple(points, x, y, space)
  local weights = filled(#points, 0)
  local right, left = enclosing(points, space, x, y)
  local a, b = points[right], points[left]
  if turnBetween(a, b) > pi - 1e-6 then
    weights[right] = math.max(0, dot(x, y, a[1], a[2]) / dot(a[1], a[2], a[1], a[2]))
    weights[left] = math.max(0, dot(x, y, b[1], b[2]) / dot(b[1], b[2], b[1], b[2]))
  else -- Cramer's rule
    local area = cross(a[1], a[2], b[1], b[2])
    weights[right] = math.max(0, cross(x, y, b[1], b[2]) / area)
    weights[left] = math.max(0, cross(a[1], a[2], x, y) / area)
  end
  if total(weights) > 1 then return normalized(weights) end
  local rest = 1 - total(weights)
  for i, p in ipairs(points) do
    if isOrigin(p, space) then
      weights[i] = rest
      return weights
    end
  end
  for i = 1, #points do weights[i] = weights[i] + rest / #points end
  return weights
end

-- ---- gradient bands

-- 1 at sample i, 0 at sample j, in the coordinates that `vectors` gives: from i to j, from i to p.
local function influence(vectors, points, i, x, y, space)
  local least = 1
  for j = 1, #points do
    if j ~= i then
      local jx, jy, px, py = vectors(points[i], points[j], x, y, space)
      least = math.min(least, 1 - dot(px, py, jx, jy) / dot(jx, jy, jx, jy))
    end
  end
  return math.max(0, least)
end

local function nearest(points, x, y, distance)
  local best, least = 1, huge
  for i, p in ipairs(points) do
    local d = distance(x - p[1], y - p[2])
    if d < least then best, least = i, d end
  end
  return best, least
end

local function only(n, i)
  local weights = filled(n, 0)
  weights[i] = 1
  return weights
end

-- Where the samples rule each other out, the nearest counts (semantics.md is silent: polar coordinates only).
local function band(vectors, points, x, y, space)
  local weights = {}
  for i = 1, #points do weights[i] = influence(vectors, points, i, x, y, space) end
  if total(weights) == 0 then return only(#points, (nearest(points, x, y, length))) end
  return normalized(weights)
end

local function cartesianVectors(a, b, x, y)
  return b[1] - a[1], b[2] - a[2], x - a[1], y - a[2]
end

-- Signed, the shorter way round.
local function angle(ax, ay, bx, by) return atan2(cross(ax, ay, bx, by), dot(ax, ay, bx, by)) end

local function polarVectors(a, b, x, y, space)
  local la, lb, lp = length(a[1], a[2]), length(b[1], b[2]), length(x, y)
  local mean = (la + lb) / 2
  if isOrigin(a, space) or isOrigin(b, space) then return (lb - la) / mean, 0, (lp - la) / mean, 0 end
  local toB = angle(a[1], a[2], b[1], b[2])
  local toP = lp > 0 and angle(a[1], a[2], x, y) or 0
  -- Half a turn goes either way: round the side of p, else the two sides would differ for no reason.
  if math.abs(toB) > pi - 1e-6 then toB = toP < 0 and -math.abs(toB) or math.abs(toB) end
  return (lb - la) / mean, toB, (lp - la) / mean, toP
end

function modes.cartesian(points, x, y, space) return band(cartesianVectors, points, x, y, space) end
function modes.directional(points, x, y, space) return band(polarVectors, points, x, y, space) end

-- ---- triangulated

local function sideOf(a, b, c) return cross(b[1] - a[1], b[2] - a[2], c[1] - a[1], c[2] - a[2]) end

-- Nearest place to (x, y) on the segment: distance, and how far along it is.
local function nearestOnSegment(a, b, x, y)
  local dx, dy = b[1] - a[1], b[2] - a[2]
  local t = clamp(dot(x - a[1], y - a[2], dx, dy) / dot(dx, dy, dx, dy), 0, 1)
  return length(x - a[1] - t * dx, y - a[2] - t * dy), t
end

local function isBetween(a, b, c, slack)
  local distance, t = nearestOnSegment(a, b, c[1], c[2])
  return distance <= slack and t > 0 and t < 1
end

-- Parts of the hull: all points on one side of the line, and none on the segment between the two.
local function isHullEdge(points, i, j, slack)
  local a, b = points[i], points[j]
  for k, c in ipairs(points) do
    if k ~= i and k ~= j then
      if sideOf(a, b, c) < -slack * length(b[1] - a[1], b[2] - a[2]) then return false end
      if isBetween(a, b, c, slack) then return false end
    end
  end
  return true
end

local function atNearestOfHull(points, x, y, slack)
  local weights, least = nil, huge
  for i, a in ipairs(points) do
    for j, b in ipairs(points) do
      if i ~= j and isHullEdge(points, i, j, slack) then
        local distance, t = nearestOnSegment(a, b, x, y)
        if distance < least then
          least = distance
          weights = filled(#points, 0)
          weights[i], weights[j] = 1 - t, t
        end
      end
    end
  end
  return weights
end

local function circle(a, b, c)
  local bx, by, cx, cy = b[1] - a[1], b[2] - a[2], c[1] - a[1], c[2] - a[2]
  local d = 2 * cross(bx, by, cx, cy)
  local bb, cc = dot(bx, by, bx, by), dot(cx, cy, cx, cy)
  local ux, uy = (cy * bb - by * cc) / d, (bx * cc - cx * bb) / d
  return a[1] + ux, a[2] + uy, length(ux, uy)
end

local function isBefore(p, q) return p[1] < q[1] or (p[1] == q[1] and p[2] < q[2]) end

-- Delaunay: no point inside the circle. Of more than three points on one, the first by x, then y, is a corner of all
-- triangles, and no point lies on its circle beyond the side facing it.
local function isTriangle(points, i, j, k, slack)
  local a, b, c = points[i], points[j], points[k]
  if sideOf(a, b, c) <= slack * length(b[1] - a[1], b[2] - a[2]) then return false end
  local ux, uy, radius = circle(a, b, c)
  for n, p in ipairs(points) do
    if n ~= i and n ~= j and n ~= k then
      local distance = length(p[1] - ux, p[2] - uy)
      if distance < radius - slack then return false end
      if distance < radius + slack and (isBefore(p, a) or sideOf(b, c, p) < 0) then return false end
    end
  end
  return isBefore(a, b) and isBefore(a, c)
end

local function inTriangle(points, i, j, k, x, y)
  local a, b, c, p = points[i], points[j], points[k], { x, y }
  local area = sideOf(a, b, c)
  local weights = filled(#points, 0)
  weights[i], weights[j], weights[k] = sideOf(b, c, p) / area, sideOf(c, a, p) / area, sideOf(a, b, p) / area
  return weights[i] >= 0 and weights[j] >= 0 and weights[k] >= 0 and weights or nil
end

function modes.triangulated(points, x, y, space)
  local slack, n = equal * space.extent, #points
  for i = 1, n do
    for j = 1, n do
      for k = 1, n do
        if i ~= j and j ~= k and k ~= i and isTriangle(points, i, j, k, slack) then
          local weights = inTriangle(points, i, j, k, x, y)
          if weights then return weights end
        end
      end
    end
  end
  return atNearestOfHull(points, x, y, slack)
end

-- ---- grid and inverse distances

-- The different values of one coordinate, in order.
local function lines(points, coordinate, space)
  local values, out = {}, {}
  for i, p in ipairs(points) do values[i] = p[coordinate] end
  table.sort(values)
  for _, value in ipairs(values) do
    if #out == 0 or value - out[#out] > equal * space.extent then out[#out + 1] = value end
  end
  return out
end

local function lineOf(values, value, space)
  for i = 1, #values do
    if math.abs(values[i] - value) <= equal * space.extent then return i end
  end
end

function modes.grid(points, x, y, space)
  local columns, rows = lines(points, 1, space), lines(points, 2, space)
  local across, up = blendSpace.weights1D(columns, x), blendSpace.weights1D(rows, y)
  local weights = {}
  for i, p in ipairs(points) do
    weights[i] = across[lineOf(columns, p[1], space)] * up[lineOf(rows, p[2], space)]
  end
  return weights
end

local function manhattan(dx, dy) return math.abs(dx) + math.abs(dy) end

function modes.idw(points, x, y, space)
  local distance = space.metric == "manhattan" and manhattan or length
  local best, least = nearest(points, x, y, distance)
  if least < 1e-5 then return only(#points, best) end
  local weights = {}
  for i, p in ipairs(points) do weights[i] = (least / distance(x - p[1], y - p[2])) ^ space.power end
  return normalized(weights)
end

-- ---- all modes

-- Groups of points that are equal, also by way of others: groups[i] is the least index of those that i is equal to.
local function groupsOf(points, most)
  local groups = {}
  for i = 1, #points do groups[i] = i end
  for _ = 1, #points do
    for i, p in ipairs(points) do
      for j, q in ipairs(points) do
        if math.abs(p[1] - q[1]) <= most and math.abs(p[2] - q[2]) <= most then
          groups[i] = math.min(groups[i], groups[j])
        end
      end
    end
  end
  return groups
end

local function standsOn(points, x, y)
  for i, p in ipairs(points) do
    if p[1] == x and p[2] == y then return i end
  end
end

-- One point for each group, by way of `site`: point -> index into it.
local function merge(points, space)
  local groups = groupsOf(points, equal * space.extent)
  local merged, site, sharing = {}, {}, {}
  for i = 1, #points do
    if groups[i] == i then
      merged[#merged + 1] = points[i]
      site[i] = #merged
      sharing[#merged] = 0
    end
    site[i] = site[groups[i]]
    sharing[site[i]] = sharing[site[i]] + 1
  end
  return merged, site, sharing
end

-- `mode` as in api.md; opts: power (2), metric ("euclidean"). One weight for each point.
function blendSpace.weights(mode, points, x, y, opts)
  local space = { extent = blendSpace.extent(points), power = opts and opts.power or 2, metric = opts and opts.metric }
  local merged, site, sharing = merge(points, space)
  local on = standsOn(points, x, y)
  local weights
  if #merged <= 1 or on then
    weights = only(#merged, on and site[on] or 1)
  else
    weights = modes[mode](merged, x, y, space)
  end
  local out = {}
  for i = 1, #points do out[i] = weights[site[i]] / sharing[site[i]] end
  return out
end

return blendSpace
