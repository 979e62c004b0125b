-- Curves of fades (api.md): linear, smooth s^2 (3 - 2 s), easeIn s^2, easeOut 1 - (1 - s)^2, or the two inner points
-- { x1, y1, x2, y2 } of a cubic Bezier curve from (0, 0) to (1, 1).
local curve = {}

local named = {
  linear = function(s) return s end,
  smooth = function(s) return s * s * (3 - 2 * s) end,
  easeIn = function(s) return s * s end,
  easeOut = function(s) return 1 - (1 - s) * (1 - s) end,
}

local function along(a, b, t) return 3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t end

-- x rises with t while x1 and x2 lie in 0 to 1, so halving finds it.
local function bezier(points, s)
  local low, high = 0, 1
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if along(points[1], points[3], middle) < s then low = middle else high = middle end
  end
  return math.max(0, math.min(1, along(points[2], points[4], (low + high) / 2)))
end

-- The weight at s, the part of the fade that is gone; exactly 0 and 1 at the ends.
function curve.at(kind, s)
  if s <= 0 then return 0 end
  if s >= 1 then return 1 end
  if type(kind) == "table" then return bezier(kind, s) end
  return named[kind](s)
end

return curve
