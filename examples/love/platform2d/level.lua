-- The ground: a line from point to point, hills and steps; what stands on it; and what is behind it.
local level = { left = 40, right = 3160 }

local points = { -400, 380, 300, 380, 420, 350, 540, 330, 640, 372, 760, 372, 761, 350, 840, 350, 841, 328, 920, 328,
  921, 306, 1060, 306, 1061, 380, 1300, 380, 1500, 300, 1640, 300, 1860, 385, 2050, 385, 2120, 360, 2190, 385,
  2260, 360, 2330, 385, 2500, 385, 2501, 335, 2700, 335, 2860, 380, 3600, 380 }

--- The ground's y at x, and its normal.
function level.ground(x)
  local i = 1
  while i < #points - 3 and points[i + 2] < x do i = i + 2 end
  local x0, y0, x1, y1 = points[i], points[i + 1], points[i + 2], points[i + 3]
  local s = math.max(0, math.min(1, (x - x0) / (x1 - x0)))
  local dx, dy = x1 - x0, y1 - y0
  local length = math.sqrt(dx * dx + dy * dy)
  if dx < 2 then return s < .5 and y0 or y1, 0, -1 end -- the side of a step
  return y0 + s * dy, dy / length, -dx / length
end

level.pumpkins = {}
for i, x in ipairs({ 240, 1150, 1560, 1960, 2600 }) do
  level.pumpkins[i] = { x = x, y = level.ground(x), hits = 0, age = 9 }
end

local function hills(graphics, camera, depth, base, height, r, g, b)
  graphics.setColor(r, g, b)
  for x = 0, 799, 2 do
    local at = x + camera * depth
    local y = base - height * (math.sin(at / 170) + .6 * math.sin(at / 67 + 2) + 1.2)
    graphics.rectangle("fill", x, y, 2, 480 - y)
  end
end

function level.drawBack(graphics, camera)
  for y = 0, 478, 2 do
    local s = y / 478
    graphics.setColor(.42 + .5 * s, .66 + .22 * s, .9 - .1 * s)
    graphics.rectangle("fill", 0, y, 800, 2)
  end
  graphics.setColor(1, .95, .75)
  graphics.circle("fill", 640 - camera * .03, 90, 34)
  hills(graphics, camera, .15, 330, 42, .58, .72, .8)
  hills(graphics, camera, .35, 380, 34, .44, .63, .6)
end

function level.draw(graphics)
  for i = 1, #points - 3, 2 do
    local x0, y0, x1, y1 = points[i], points[i + 1], points[i + 2], points[i + 3]
    graphics.setColor(.36, .27, .22)
    graphics.polygon("fill", x0, y0, x1, y1, x1, 600, x0, 600)
    graphics.setColor(.33, .55, .29)
    graphics.polygon("fill", x0, y0, x1, y1, x1, y1 + 9, x0, y0 + 9)
  end
  for _, one in ipairs(level.pumpkins) do
    graphics.push()
    graphics.translate(one.x, one.y)
    local shake = one.age < .6 and math.sin(one.age * 40) * .35 * (1 - one.age / .6) or 0
    graphics.rotate(shake)
    graphics.setColor(.3, .45, .2)
    graphics.rectangle("fill", -2, -32, 5, 9)
    local hot = math.max(0, 1 - one.age / .25)
    graphics.setColor(.93, .5 + .4 * hot, .13 + .6 * hot)
    graphics.ellipse("fill", 0, -13, 18, 14)
    graphics.setColor(.8, .38, .1)
    graphics.ellipse("line", 0, -13, 8, 14)
    graphics.pop()
  end
end

return level
