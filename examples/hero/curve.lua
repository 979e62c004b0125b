-- Curves through knots { t, value }: cubic Hermite pieces that differ in how the slopes at the knots are chosen.
local curve = {}

local function hermite(knots, slopes)
  local n = #knots
  return function(t)
    local i = 1
    while i < n - 1 and t >= knots[i + 1][1] do i = i + 1 end
    local a, b = knots[i], knots[i + 1]
    local h = b[1] - a[1]
    local u = (t - a[1]) / h
    local v = 1 - u
    return a[2] * v * v * (1 + 2 * u) + b[2] * u * u * (3 - 2 * u) + h * u * v * (slopes[i] * v - slopes[i + 1] * u)
  end
end

local function steps(knots)
  local length, rise = {}, {}
  for i = 1, #knots - 1 do
    length[i] = knots[i + 1][1] - knots[i][1]
    rise[i] = (knots[i + 1][2] - knots[i][2]) / length[i]
  end
  return length, rise
end

-- Never overshoots: flat at a turning point, else the harmonic mean of the slopes to both sides (F. Fritsch and
-- J. Butland, 1984).
local function calmSlope(h0, r0, h1, r1)
  if r0 * r1 <= 0 then return 0 end
  return 3 * (h0 + h1) / ((2 * h1 + h0) / r0 + (h1 + 2 * h0) / r1)
end

-- Through the knots once, calm, at rest at both ends; before and after them constant.
function curve.keys(knots)
  local first, last = knots[1], knots[#knots]
  if #knots == 1 then return function() return first[2] end end
  local length, rise = steps(knots)
  local slopes = { 0 }
  for i = 2, #knots - 1 do slopes[i] = calmSlope(length[i - 1], rise[i - 1], length[i], rise[i]) end
  slopes[#knots] = 0
  local inside = hermite(knots, slopes)
  return function(t)
    if t <= first[1] then return first[2] end
    if t >= last[1] then return last[2] end
    return inside(t)
  end
end

-- Calm and periodic; the first knot is at 0 and comes again at `period` (1 if not given).
function curve.loop(knots, period)
  period = period or 1
  local closed = {}
  for i, knot in ipairs(knots) do closed[i] = knot end
  closed[#closed + 1] = { period, knots[1][2] }
  local length, rise = steps(closed)
  local n = #length
  local slopes = {}
  for i = 1, n do
    local before = (i - 2) % n + 1
    slopes[i] = calmSlope(length[before], rise[before], length[i], rise[i])
  end
  slopes[n + 1] = slopes[1]
  local inside = hermite(closed, slopes)
  return function(t) return inside(t % period) end
end

-- Periodic with period 1, and in its second half the negative of the first: what goes left, then right.
function curve.alternate(half)
  local knots = {}
  for i, knot in ipairs(half) do
    knots[i] = knot
    knots[#half + i] = { knot[1] + .5, -knot[2] }
  end
  table.sort(knots, function(a, b) return a[1] < b[1] end)
  return curve.loop(knots)
end

-- The smoothest way (continuous curvature) from the first to the last knot with given slopes there.
function curve.path(knots, startSlope, endSlope)
  local length, rise = steps(knots)
  local slopes = { startSlope }
  for i = 2, #knots do slopes[i] = endSlope end
  for _ = 1, 30 do -- the equations of the inner slopes, by Gauss-Seidel: each round is four times as near
    for i = 2, #knots - 1 do
      local a, b = length[i - 1], length[i]
      slopes[i] = (3 * (b * rise[i - 1] + a * rise[i]) - b * slopes[i - 1] - a * slopes[i + 1]) / (2 * (a + b))
    end
  end
  return hermite(knots, slopes)
end

return curve
