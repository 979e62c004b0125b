-- The character: joints and what is drawn on them, all of it polygons. It looks to the right, its feet at 0, 0.
local rig2d = require("anim.love.rig2d")

local pi = math.pi

local skin, dark = { .96, .78, .62 }, { .16, .15, .24 }
local shirt, shade = { .86, .27, .29 }, { .66, .19, .24 }
local trousers, back = { .27, .32, .52 }, { .2, .24, .4 }

local function arm(side)
  return { name = "arm" .. side, parent = "spine", x = 22, angle = pi - .1, length = 15 },
    { name = "hand" .. side, parent = "arm" .. side, angle = -.4, length = 15 }
end

-- Knees and elbows are bent a little at rest: that is the side to which IK bends them, too.
local function leg(side)
  return { name = "thigh" .. side, parent = "hips", angle = pi / 2 - .15, length = 24 },
    { name = "shin" .. side, parent = "thigh" .. side, angle = .3, length = 24 },
    { name = "foot" .. side, parent = "shin" .. side, angle = -pi / 2 - .15 },
    { name = "toe" .. side, parent = "foot" .. side, x = 9, y = 3 },
    { name = "heel" .. side, parent = "foot" .. side, x = -4, y = 4 }
end

local joints = { { name = "root" }, { name = "hips", parent = "root", y = -52 },
  { name = "spine", parent = "hips", angle = -pi / 2, length = 27 }, { name = "head", parent = "spine", length = 24 },
  { name = "sword", parent = "handF", angle = -pi / 2, length = 40 } }

local function add(...)
  for _, joint in ipairs({ ... }) do joints[#joints + 1] = joint end
end
for _, side in ipairs({ "B", "F" }) do
  add(arm(side))
  add(leg(side))
end
for i = 1, 4 do -- a scarf that a spring moves
  add({ name = "scarf" .. i, parent = i == 1 and "spine" or "scarf" .. i - 1, x = i == 1 and 25 or nil,
    y = i == 1 and -5 or 0, angle = i == 1 and -2 or 0, length = 11 })
end

-- Along the scarf, in the rig: its direction is that of spine and joint together.
local function scarf()
  local along, x, y = -pi / 2 - 2, -5, -52 - 25
  local ux, uy = math.cos(along), math.sin(along)
  local points, n = {}, 0
  for i = 0, 8 do
    n = n + 2
    points[n - 1], points[n] = x + ux * i * 5.5 - uy * (3 + i * .25), y + uy * i * 5.5 + ux * (3 + i * .25)
  end
  for i = 8, 0, -1 do
    n = n + 2
    points[n - 1], points[n] = x + ux * i * 5.5 + uy * (3 + i * .25), y + uy * i * 5.5 - ux * (3 + i * .25)
  end
  return points
end

-- A leg is one polygon that bends at the knee.
local function trouser(side, color)
  local lean = .15
  local function at(y, half) -- the knee lies before hip and ankle
    local x = (24 - math.abs(y - 24)) * math.tan(lean)
    return x - half, -52 + y, x + half, -52 + y
  end
  local rows = { { 0, 7 }, { 8, 7 }, { 16, 6.4 }, { 21, 6 }, { 24, 6 }, { 27, 5.6 }, { 33, 5.2 }, { 43, 4.6 } }
  local points = {}
  for i = 1, #rows do
    local x, y = at(rows[i][1], rows[i][2])
    points[#points + 1], points[#points + 2] = x, y
  end
  for i = #rows, 1, -1 do
    local _, _, x, y = at(rows[i][1], rows[i][2])
    points[#points + 1], points[#points + 2] = x, y
  end
  return { name = "leg" .. side, joints = { "hips", "thigh" .. side, "shin" .. side }, polygon = points, color = color,
    soft = 3 }
end

local function boot(side, color)
  return { name = "boot" .. side, joint = "foot" .. side, color = color,
    polygon = { -5, -6, 4, -6, 6, -2, 13, 0, 15, 3, 14, 5, -5, 5 } }
end

local function sleeve(side, color)
  return { name = "sleeve" .. side, joint = "arm" .. side, polygon = rig2d.limb(15, 5.5, 4.4), color = color },
    { name = "fore" .. side, joint = "hand" .. side, polygon = rig2d.limb(12, 4.2, 3.6), color = skin }
end

local function shift(points, x, y)
  local out = {}
  for i = 1, #points, 2 do out[i], out[i + 1] = points[i] + x, points[i + 1] + y end
  return out
end

local function disc(r, x, y) return shift(rig2d.limb(0, r, r), x, y) end

local sprites = { { name = "scarf", joints = { "spine", "scarf1", "scarf2", "scarf3", "scarf4" }, polygon = scarf(),
  color = { .98, .78, .3 }, soft = 2 } }
local function draw(...)
  for _, sprite in ipairs({ ... }) do sprites[#sprites + 1] = sprite end
end
draw(sleeve("B", shade))
draw(boot("B", { .13, .12, .2 }), trouser("B", back), trouser("F", trousers), boot("F", dark))
draw({ name = "body", joint = "spine", polygon = rig2d.limb(22, 9, 10.5), color = shirt, x = 2 })
draw({ name = "belt", joint = "hips", polygon = { -8, -5, 8, -5, 8, 1, -8, 1 }, color = dark })
draw({ name = "knot", joint = "spine", polygon = rig2d.limb(8, 5, 5), color = { .98, .78, .3 }, x = 26, y = -4,
  angle = pi / 2 })
-- In the head's own space x goes up and y goes to the front.
draw({ name = "skull", joint = "head", polygon = disc(13, 13, 1), color = skin })
draw({ name = "hair", joint = "head", color = { .35, .2, .16 },
  polygon = { 5, -11, 10, -14.5, 18, -14, 25, -9, 29, -2, 27, 8, 23, 12.5, 20, 4, 18, -4, 12, -7 } })
local function eye(r, y) return { polygon = disc(r, 13, y), color = dark } end
draw({ name = "eye", joint = "head", choices = { open = eye(2, 8.5),
  shut = { polygon = { 12.4, 6, 13.6, 6, 13.6, 11, 12.4, 11 }, color = dark } }, choice = "open" })
draw({ name = "mouth", joint = "head", choice = "calm", choices = {
  calm = { polygon = { 6, 6, 7.2, 6, 7.2, 11, 6, 11 }, color = { .6, .25, .25 } },
  shout = { polygon = disc(2.6, 6, 9), color = { .45, .12, .14 } } } })
draw({ name = "blade", joint = "sword", color = { .85, .9, .95 },
  polygon = { 2, -2.6, 36, -2.2, 41, 0, 36, 2.2, 2, 2.6 } })
draw({ name = "hilt", joint = "sword", color = { .7, .5, .2 },
  polygon = { -4, -1.8, 1, -1.8, 1, -6, 4, -6, 4, 6, 1, 6, 1, 1.8, -4, 1.8 } })
draw(sleeve("F", shirt))

return { joints = joints, sprites = sprites }
