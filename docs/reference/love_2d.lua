local rig2d = require("anim.love.rig2d")
local rig = rig2d.newRig({
  joints = { { name = "body", y = -30 }, { name = "arm", parent = "body", length = 25 } },
  sprites = { { name = "trunk", joint = "body", polygon = { -10, -20, 10, -20, 10, 20, -10, 20 } },
    { name = "arm", joint = "arm", polygon = rig2d.limb(25, 5, 4) } },
})
local hero = rig:newCharacter({ x = 100, y = 200 })
local canvas = love.graphics.newCanvas(320, 240)
local function countDrawn(draw) -- pixels that are drawn
  canvas:renderTo(draw)
  local count, image = 0, canvas:newImageData()
  image:mapPixel(function(_, _, r, g, b, a)
    if a > 0 then count = count + 1 end
    return r, g, b, a
  end)
  return count
end

-- ## love.Character2D:draw
hero:update(1 / 60)
print(countDrawn(function() hero:draw() end) > 600) --> true
print(countDrawn(function() hero:draw(160, 120, 0, 2) end) > 2400) --> true

-- ## love.Character2D:drawSkeleton
hero:update(1 / 60)
local lines = countDrawn(function() hero:drawSkeleton() end)
print(lines > 10, lines < 600) --> true true
