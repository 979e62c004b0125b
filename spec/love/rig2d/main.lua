-- What 2D characters draw, looked at pixel by pixel. Prints "ok NAME" or "not ok NAME: why" for each check.
local rig2d = require("anim.love.rig2d")

local size = 200
local canvas

-- Colours at places: what `paint` draws, 0 to 255 each.
local function picture(paint)
  canvas = canvas or love.graphics.newCanvas(size, size)
  love.graphics.reset()
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0, 0, 0, 1)
  paint()
  love.graphics.setCanvas()
  local data = canvas:newImageData()
  return function(x, y)
    local r, g, b = data:getPixel(math.floor(x), math.floor(y))
    return ("%02x%02x%02x"):format(r * 255 + .5, g * 255 + .5, b * 255 + .5)
  end
end

local function expect(want, got, what)
  if want ~= got then error(("%s: %s expected, got %s"):format(what, want, got), 2) end
end

-- Four squares of 10: red, green over blue, white.
local function newImage()
  local data = love.image.newImageData(20, 20)
  data:mapPixel(function(x, y)
    if y < 10 then
      if x < 10 then return 1, 0, 0, 1 end
      return 0, 1, 0, 1
    end
    if x < 10 then return 0, 0, 1, 1 end
    return 1, 1, 1, 1
  end)
  local image = love.graphics.newImage(data)
  image:setFilter("nearest", "nearest")
  return image
end

local function newRig(sprites, images, clips)
  return rig2d.newRig({ joints = { { name = "root" }, { name = "bone", parent = "root", y = -20, length = 40 },
    { name = "tip", parent = "bone", length = 40 } }, sprites = sprites, images = images, clips = clips })
end

local checks = {}

-- `draw` has to fail at its own line, with `message`.
local function fails(message, draw)
  local line, depth = debug.getinfo(draw, "S").linedefined, love.graphics.getStackDepth()
  for _ = 1, 3 do
    local ran, why = pcall(draw)
    expect(false, ran, "drawing")
    expect(("main.lua:%d: %s"):format(line, message), (tostring(why):gsub("Could not open.*", "Could not open")), "why")
    expect(depth, love.graphics.getStackDepth(), "depth of the stack")
  end
end

function checks.what_cannot_be_drawn_is_told_and_leaves_the_stack_as_it_was()
  local function character(images, image)
    return newRig({ { name = "s", joint = "root", image = image or "squares" } }, images):newCharacter()
  end
  local lost = character()
  fails("sprite 's': no image 'squares' in the rig's images, and no file: Could not open",
    function() lost:draw() end)
  local wrong = character({ squares = 5 })
  fails("sprite 's': images has 5 for 'squares', an Image expected", function() wrong:draw(1, 2) end)
  local gone = newImage()
  local holder = character({ squares = gone })
  gone:release()
  fails("Cannot use object after it has been released.", function() holder:draw() end)
  local graphless = character({ squares = newImage() })
  graphless.graph:release()
  fails("attempt to use a released anim.Graph", function() graphless:draw() end)
  fails("attempt to use a released anim.Graph", function() graphless:drawSkeleton() end)
end

function checks.an_image_lies_with_its_middle_on_the_joint()
  local rig = newRig({ { name = "s", joint = "root", image = "squares" } }, { squares = newImage() })
  local character = rig:newCharacter({ x = 100, y = 100 })
  local at = picture(function() character:draw() end)
  expect("ff0000", at(95, 95), "upper left")
  expect("00ff00", at(105, 95), "upper right")
  expect("0000ff", at(95, 105), "lower left")
  expect("000000", at(89, 100), "beside it")
  at = picture(function()
    character:setFacing(-1)
    character:draw()
  end)
  expect("ff0000", at(105, 95), "mirrored")
end

function checks.quads_origins_turns_and_tints_count()
  local asked
  local rig = newRig({ { name = "s", joint = "bone", image = "squares", quad = { 10, 0, 10, 10 }, ox = 0, oy = 0,
    x = 4, angle = math.pi / 2, color = { 1, .4, 1 } } }, function(name)
    asked = name
    return newImage()
  end)
  local character = rig:newCharacter()
  local at = picture(function()
    love.graphics.setColor(1, 1, 1, 1)
    character:draw(50, 100, 0, 2)
  end)
  expect("squares", asked, "the image") -- its corner at (50 + 2 * 4, 100 - 40), turned to the left and down
  expect("006600", at(56, 62), "inside")
  expect("006600", at(40, 78), "inside")
  expect("000000", at(60, 62), "right of it")
  expect("000000", at(37, 62), "left of it")
end

function checks.polygons_and_outlines_are_drawn_in_order()
  local square = { -10, -10, 10, -10, 10, 10, -10, 10 }
  local rig = newRig({ { name = "front", joint = "root", polygon = square, color = { 1, 0, 0 }, order = 1 },
    { name = "back", joint = "root", polygon = square, color = { 0, 1, 0 }, x = 10, outline = { 0, 0, 1 },
      outlineWidth = 4 } })
  local at = picture(function() rig:newCharacter({ x = 100, y = 100 }):draw() end)
  expect("ff0000", at(105, 100), "in front")
  expect("00ff00", at(115, 100), "behind")
  expect("0000ff", at(120, 100), "the line")
end

function checks.a_mesh_bends_as_its_weights_say()
  local points, weights = { 0, -25, 40, -25, 80, -25, 80, -15, 40, -15, 0, -15 }, {}
  for i, share in ipairs({ 0, .5, 1, 1, .5, 0 }) do weights[i] = { bone = 1 - share, tip = share } end
  local rig = newRig({ { name = "arm", joints = { "bone", "tip" }, polygon = points, weights = weights,
    color = { 1, 1, 0 } } }, nil, { fold = { duration = 1, joints = { tip = { angle = math.pi / 2 } } } })
  local character = rig:newCharacter({ x = 40, y = 60, graph = { root = "fold" } })
  local at = picture(function() character:draw() end) -- before the first update: at rest
  expect("ffff00", at(115, 40), "the end at rest")
  character:update(.1)
  at = picture(function() character:draw() end)
  expect("ffff00", at(60, 40), "the upper part stays")
  expect("ffff00", at(80, 76), "the lower part hangs down")
  expect("000000", at(115, 40), "where it was")
  expect("000000", at(80, 84), "below it")
  at = picture(function() -- the shader goes with transforms, scale and mirror
    character:setFacing(-1)
    character:draw(160, 100, 0, 1.5)
  end)
  expect("ffff00", at(160 - 1.5 * 20, 100 - 30), "mirrored")
  expect("ffff00", at(160 - 1.5 * 40, 100 + 1.5 * 16), "mirrored, hanging")
end

function checks.a_mesh_has_a_texture()
  local rig = newRig({ { name = "cloth", joints = { "bone", "tip" }, vertices = { 0, -30, 80, -30, 80, -10, 0, -10 },
    triangles = { 1, 2, 3, 1, 3, 4 }, uvs = { 0, 0, 1, 0, 1, 1, 0, 1 }, image = newImage() } })
  local at = picture(function() rig:newCharacter({ x = 40, y = 60 }):draw() end)
  expect("ff0000", at(60, 35), "upper left")
  expect("00ff00", at(100, 35), "upper right")
  expect("ffffff", at(100, 45), "lower right")
end

function checks.what_is_hidden_is_not_drawn_and_choices_are_shown()
  local square = { -10, -10, 10, -10, 10, 10, -10, 10 }
  local rig = newRig({ { name = "s", joint = "root", choice = "a", choices = {
    a = { polygon = square, color = { 1, 0, 0 } }, b = { polygon = square, color = { 0, 0, 1 } } } } })
  local character = rig:newCharacter({ x = 100, y = 100 })
  local function color() return picture(function() character:draw() end)(100, 100) end
  expect("ff0000", color(), "by itself")
  character:setSprite("s", "b")
  expect("0000ff", color(), "set")
  character:setSprite("s", false)
  expect("000000", color(), "hidden")
end

function checks.the_state_of_the_screen_stays()
  local rig = newRig({ { name = "arm", joints = { "bone" }, polygon = { 0, -25, 40, -25, 40, -15, 0, -15 },
    color = { 1, 0, 0 } }, { name = "s", joint = "root", polygon = { 0, 0, 9, 0, 9, 9 }, outline = { 1, 1, 1 } } })
  local character = rig:newCharacter({ x = 40, y = 60 })
  local shader = love.graphics.newShader("vec4 effect(vec4 c, Image i, vec2 t, vec2 s) { return c; }")
  picture(function()
    love.graphics.setColor(.25, .5, .75, 1)
    love.graphics.setLineWidth(3)
    love.graphics.setShader(shader)
    love.graphics.translate(5, 5)
    character:draw()
    character:drawSkeleton()
    local r, g, b = love.graphics.getColor()
    expect("0.25 0.5 0.75", ("%g %g %g"):format(r, g, b), "color")
    expect(3, love.graphics.getLineWidth(), "line width")
    expect(true, love.graphics.getShader() == shader, "shader")
    local x, y = love.graphics.transformPoint(1, 1)
    expect("6 6", ("%g %g"):format(x, y), "transform")
    love.graphics.setShader()
  end)
end

function love.errorhandler(message) print("not ok error: " .. debug.traceback(message, 2)) end -- and ends

function love.load()
  local names = {}
  for name in pairs(checks) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local fine, message = pcall(checks[name])
    local text = name:gsub("_", " ")
    print(fine and "ok " .. text or ("not ok %s: %s"):format(text, message))
  end
  love.event.quit()
end
