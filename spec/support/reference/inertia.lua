-- Offsets that decay (semantics 7, after D. Bollo, "Inertialization", GDC 2018), and the way on of a snapshot.
local inertia = {}

-- The offset that is left at t of one that is x0 and changes by v0 a second, gone after t1 seconds:
-- (1 - s)^4 (x0 + (4 x0 + v0 t1) s), s = t / t1; v0 only toward 0, t1 at most -5 x0 / v0.
function inertia.at(x0, v0, t1, t)
  if x0 < 0 then return -inertia.at(-x0, -v0, t1, t) end
  if x0 == 0 then return 0 end
  v0 = math.min(v0, 0)
  if v0 < 0 then t1 = math.min(t1, -5 * x0 / v0) end
  if t >= t1 then return 0 end
  local s = t / t1
  return (1 - s) ^ 4 * (x0 + (4 * x0 + v0 * t1) * s)
end

-- What a snapshot x0, moving by v a second when it was made, is after t seconds of a fade: still from T on.
function inertia.snapshot(x0, v, fade, t)
  local T = math.min(fade, .2)
  if T == 0 then return x0 end
  t = math.min(t, T)
  return x0 + v * t * (1 - t / (2 * T))
end

return inertia
