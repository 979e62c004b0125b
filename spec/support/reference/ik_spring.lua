-- Spring chains (semantics 9): closed forms for one bone, and the law of the chain integrated by Runge and Kutta with
-- the forces along the bones worked out at every moment. Slow; steps of 1/2400 s are exact to some 1e-6.
local vec = require("spec.support.reference.vec").vec

local spring = {}

-- C. F. Gauss: 2 pi sqrt(L / g) / agm(1, cos(amplitude / 2)), for a point on a rod let go at `amplitude` (radians).
function spring.pendulumPeriod(length, gravity, amplitude)
  local a, b = 1, math.cos(amplitude / 2)
  for _ = 1, 8 do a, b = (a + b) / 2, math.sqrt(a * b) end
  return 2 * math.pi * math.sqrt(length / gravity) / a
end

-- Where something is after t seconds that swings `frequency` times a second and was let go at 1, with `damping` as part
-- of the critical one.
function spring.oscillator(frequency, damping, t)
  local w = 2 * math.pi * frequency
  if damping < 1 then
    local d = w * math.sqrt(1 - damping * damping)
    return math.exp(-damping * w * t) * (math.cos(d * t) + damping * w / d * math.sin(d * t))
  end
  if damping == 1 then return math.exp(-w * t) * (1 + w * t) end
  local r = w * math.sqrt(damping * damping - 1)
  local p, q = -damping * w + r, -damping * w - r
  return (p * math.exp(q * t) - q * math.exp(p * t)) / (p - q)
end

local function zero() return { 0, 0, 0 } end

-- How the point i of a chain of the given lengths is pulled to its goal, per second squared, and rubbed, per second.
local function factors(chain)
  local whole, soFar, pull, rub = 0, 0, {}, {}
  for _, length in ipairs(chain.lengths) do whole = whole + length end
  for i, length in ipairs(chain.lengths) do
    soFar = soFar + length
    local w = 2 * math.pi * (chain.stiffness or 0) * whole / soFar
    pull[i] = w * w
    rub[i] = 2 * (chain.damping or 0) * math.sqrt(w * w + vec.length(chain.gravity or zero()) / whole)
  end
  return pull, rub
end

-- Accelerations of the points. The pulls f[i] along the bones e[i] keep their lengths: e . e'' + |e'|^2 = 0 for each
-- bone, a symmetric tridiagonal system.
local function accelerations(chain, pull, rub, x, v, t)
  local start, startV, startA = chain.anchor(t)
  local a, e, diagonal, side, load, f = {}, {}, {}, {}, {}, {}
  local goal = start
  for i, length in ipairs(chain.lengths) do
    goal = vec.add(goal, vec.scale(chain.direction, length))
    a[i] = vec.add(chain.gravity or zero(), vec.scale(vec.sub(goal, x[i]), pull[i]))
    a[i] = vec.add(a[i], vec.scale(vec.sub(startV, v[i]), rub[i]))
    a[i] = vec.add(a[i], vec.scale(vec.sub(chain.wind or zero(), v[i]), chain.drag or 0))
    e[i] = vec.sub(x[i], x[i - 1] or start)
    local change = vec.sub(v[i], v[i - 1] or startV)
    diagonal[i] = vec.dot(e[i], e[i]) * (i > 1 and 2 or 1)
    side[i] = i > 1 and -vec.dot(e[i], e[i - 1]) or 0
    load[i] = vec.dot(e[i], vec.sub(a[i], a[i - 1] or startA)) + vec.dot(change, change)
    -- a[i - 1] is without pulls, as it must be: they come in by the system
    if i > 1 then
      local k = side[i] / diagonal[i - 1]
      diagonal[i], load[i] = diagonal[i] - k * side[i], load[i] - k * load[i - 1]
    end
  end
  local count = #chain.lengths
  for i = count, 1, -1 do f[i] = (load[i] - (i < count and side[i + 1] * f[i + 1] or 0)) / diagonal[i] end
  for i = 1, count do
    a[i] = vec.sub(a[i], vec.scale(e[i], f[i]))
    if i < count then a[i] = vec.add(a[i], vec.scale(e[i + 1], f[i + 1])) end
  end
  return a
end

local function moved(list, by, h)
  local out = {}
  for i, v in ipairs(list) do out[i] = vec.add(v, vec.scale(by[i], h)) end
  return out
end

local function weighed(k1, k2, k3, k4)
  local out = {}
  for i in ipairs(k1) do
    local middle = vec.scale(vec.add(k2[i], k3[i]), 2)
    out[i] = vec.scale(vec.add(vec.add(k1[i], k4[i]), middle), 1 / 6)
  end
  return out
end

-- A straight chain that starts at rest where it is animated: lengths = {...}, direction = unit vector (as animated, the
-- same all the time), stiffness, damping, drag, gravity, wind as in the node, in the world; anchor(t) -> place,
-- velocity, acceleration of its root. look(t, points) is called `frames` times a second with the ends of the bones.
function spring.run(chain, seconds, frames, look)
  local pull, rub = factors(chain)
  local x, v = {}, {}
  local at = chain.anchor(0)
  for i, length in ipairs(chain.lengths) do
    at = vec.add(at, vec.scale(chain.direction, length))
    x[i], v[i] = at, zero()
  end
  local fine = math.ceil(2400 / frames)
  local h = 1 / frames / fine
  for frame = 1, math.floor(seconds * frames + .5) do
    for i = 0, fine - 1 do
      local t = (frame - 1) / frames + i * h
      local a1 = accelerations(chain, pull, rub, x, v, t)
      local v2, x2 = moved(v, a1, h / 2), moved(x, v, h / 2)
      local a2 = accelerations(chain, pull, rub, x2, v2, t + h / 2)
      local v3, x3 = moved(v, a2, h / 2), moved(x, v2, h / 2)
      local a3 = accelerations(chain, pull, rub, x3, v3, t + h / 2)
      local v4, x4 = moved(v, a3, h), moved(x, v3, h)
      local a4 = accelerations(chain, pull, rub, x4, v4, t + h)
      x, v = moved(x, weighed(v, v2, v3, v4), h), moved(v, weighed(a1, a2, a3, a4), h)
    end
    look(frame / frames, x)
  end
end

-- Kinetic and potential energy of points of mass 1, from their places at three moments `dt` apart.
function spring.energy(before, now, after, dt, gravity)
  local sum = 0
  for i in ipairs(now) do
    local speed = vec.length(vec.sub(after[i], before[i])) / (2 * dt)
    sum = sum + speed * speed / 2 - vec.dot(gravity, now[i])
  end
  return sum
end

return spring
