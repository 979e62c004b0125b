-- Parameters (semantics 5, end): dead zone, mapping curve, then the critically damped spring.
local params = {}

-- |v| <= r gives 0, above it (|v| - r) / (1 - r) along v.
function params.deadZone(v, r)
  if math.abs(v) <= r then return 0 end
  return (math.abs(v) - r) / (1 - r) * (v < 0 and -1 or 1)
end

-- Piecewise linear through { {x, y}, ... }, held outside.
function params.curve(points, x)
  if x <= points[1][1] then return points[1][2] end
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    if x <= b[1] then return a[2] + (b[2] - a[2]) * (x - a[1]) / (b[1] - a[1]) end
  end
  return points[#points][2]
end

-- The exact solution of x'' = -2 w x' - w^2 (x - target), w = 2 / smooth, after t seconds.
function params.spring(x, v, target, smooth, t)
  if smooth == 0 then return target, 0 end
  local w, c = 2 / smooth, x - target
  local k = v + w * c
  local e = math.exp(-w * t)
  return target + (c + k * t) * e, (v - w * k * t) * e
end

local function shaped(param, x)
  if param.deadZone then x = params.deadZone(x, param.deadZone) end
  if param.curve then x = params.curve(param.curve, x) end
  return x
end

-- A parameter of a graph description: a number, a boolean, "trigger", or { initial, smooth =, deadZone =, curve = }.
function params.new(description)
  local given = type(description) == "table" and description or { description }
  local param = { smooth = given.smooth or 0, deadZone = given.deadZone, curve = given.curve, velocity = 0,
    life = given.life, age = 0 }
  param.target = given[1] == true and 1 or tonumber(given[1]) or 0
  param.value = shaped(param, param.target)
  return param
end

-- `now`: nothing is smoothed before the first update.
function params.set(param, value, now)
  param.target, param.age = value == true and 1 or value or 0, 0
  if now or param.smooth == 0 then param.value = shaped(param, param.target) end
end

function params.advance(param, dt)
  local target = shaped(param, param.target)
  param.value, param.velocity = params.spring(param.value, param.velocity, target, param.smooth, dt)
end

return params
