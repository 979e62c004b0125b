-- Input from a script and pictures at set times, for tests: love examples/love/arena --drive FILE. The file is Lua and
-- returns a list of { frame, what, ... }; every frame lasts a sixtieth of a second. Only frames of which a picture is
-- wanted are drawn.
local drive = { frame = 0, down = {} }

local perform = {
  down = function(key)
    drive.down[key] = true
    love.keypressed(key, key, false)
  end,
  up = function(key) drive.down[key] = nil end,
  tap = function(key) love.keypressed(key, key, false) end,
  button = function(name) love.gamepadpressed(nil, name) end,
  stick = function(x, y) drive.stick = { leftx = x, lefty = y } end,
  press = function(x, y, button) love.mousepressed(x, y, button or 1, false, 1) end,
  drag = function(x, y) love.mousemoved(x, y, 0, 0, false) end,
  release = function(x, y) love.mousereleased(x, y, 1, false, 1) end,
  shot = function(path)
    drive.isShot = true
    love.graphics.captureScreenshot(function(image)
      local file = assert(io.open(path, "wb"))
      file:write(image:encode("png"):getString())
      file:close()
    end)
  end,
  look = function(fn) -- fn(image, game)
    drive.isShot = true
    love.graphics.captureScreenshot(function(image) fn(image, drive.game) end)
  end,
  draw = function() drive.isShot = true end,
  call = function(fn) fn(drive.game) end,
  quit = function()
    drive.isShot = true
    love.event.quit()
  end,
}

function drive.load(path, game)
  drive.list, drive.next, drive.game = assert(loadfile(path))(), 1, game
  local isDown = love.keyboard.isDown
  love.keyboard.isDown = function(...) -- luacheck: ignore 122
    for i = 1, select("#", ...) do
      if drive.down[(select(i, ...))] then return true end
    end
    return isDown(...)
  end
  local pad = { isGamepad = function() return true end, isGamepadDown = function() return false end,
    getGamepadAxis = function(_, axis) return drive.stick and drive.stick[axis] or 0 end }
  love.joystick.getJoysticks = function() return { pad } end -- luacheck: ignore 122
end

local function performDue()
  local item = drive.list[drive.next]
  while item and item[1] <= drive.frame do
    drive.next = drive.next + 1
    perform[item[2]](unpack(item, 3))
    item = drive.list[drive.next]
  end
end

--- Frames up to the next that is drawn. What is to be done in one is done after its update.
function drive.run(update)
  drive.isShot = false
  repeat
    drive.frame = drive.frame + 1
    update(1 / 60)
    performDue()
  until drive.isShot or drive.frame % 120 == 0
end

return drive
