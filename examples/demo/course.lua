-- The ground of the demo: level but for a flight of steps with a rail and a slope behind it. The way over them leads
-- to the hero's left, that is along x.
local course = { z = 17, half = .9, rail = .42 } -- the middle of the way; from there to its edges, and to the rail

local steps = { from = 1.78, count = 5, rise = .15, depth = .4 }
local top = { from = steps.from + steps.count * steps.depth, height = steps.count * steps.rise, length = 1.5 }
local slope = { from = top.from + top.length, length = 2.6 }
slope.to, slope.grade = slope.from + slope.length, top.height / slope.length
local rail = { from = steps.from - .1, to = top.from + .5 }

--- Height and normal at a place of the world: what a `foot` node asks for.
function course.ground(x, _, z)
  if math.abs(z - course.z) > course.half or x < steps.from or x > slope.to then return 0, 0, 1, 0 end
  if x < top.from then return (math.floor((x - steps.from) / steps.depth) + 1) * steps.rise, 0, 1, 0 end
  if x < slope.from then return top.height, 0, 1, 0 end
  local length = math.sqrt(1 + slope.grade ^ 2)
  return (slope.to - x) * slope.grade, slope.grade / length, 1 / length, 0
end

-- The steps as a slope; what comes after is one.
local function ramp(x)
  local part = (x - steps.from + steps.depth / 2) / (steps.count * steps.depth)
  return top.height * math.max(0, math.min(1, part, (slope.to - x) / slope.length))
end

--- The height that the hero himself is set to: the ground without its edges, evened out over a step.
function course.level(x, z)
  if math.abs(z - course.z) > course.half then return 0 end
  local sum, n = 0, 10
  for i = -n, n do sum = sum + ramp(x + .4 * i / n) end
  return sum / (2 * n + 1)
end

-- Along the noses of the steps, level above the top.
local function railHeight(x)
  return .8 + math.min(top.height, math.max(steps.rise, (x - steps.from + steps.depth) * steps.rise / steps.depth))
end

--- Where the wrist of a hand on the rail is, at x as far as the rail goes.
function course.railAt(x)
  x = math.max(rail.from, math.min(rail.to, x))
  return x, railHeight(x) + .05, course.z - course.rail
end

--- What anim.view draws of it.
function course.lines()
  local lines, z0, z1 = {}, course.z - course.half, course.z + course.half
  local function line(...) lines[#lines + 1] = { ... } end
  local function across(x, y) line(x, y, z0, x, y, z1) end
  local function along(x0, y0, x1, y1)
    line(x0, y0, z0, x1, y1, z0)
    line(x0, y0, z1, x1, y1, z1)
  end
  for i = 1, steps.count do
    local x, y = steps.from + (i - 1) * steps.depth, i * steps.rise
    along(x, y - steps.rise, x, y)
    along(x, y, i < steps.count and x + steps.depth or slope.from, y)
    across(x, y - steps.rise)
    across(x, y)
  end
  along(slope.from, top.height, slope.to, 0)
  for i = 0, 6 do across(slope.from + slope.length * i / 6, top.height * (1 - i / 6)) end
  along(steps.from, 0, slope.to, 0)
  for _, x in ipairs({ top.from, slope.from }) do along(x, 0, x, top.height) end

  local z, bends = course.z - course.rail, { rail.from, steps.from, top.from - steps.depth, rail.to }
  for i = 2, #bends do line(bends[i - 1], railHeight(bends[i - 1]), z, bends[i], railHeight(bends[i]), z) end
  for _, x in ipairs({ rail.from, (steps.from + top.from) / 2, rail.to }) do
    line(x, (course.ground(x, 0, z)), z, x, railHeight(x), z)
  end
  return lines
end

return course
