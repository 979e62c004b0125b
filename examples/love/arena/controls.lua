-- Keyboard and gamepad as one: where to, where to look, and what was pressed.
local controls = { x = 0, y = 0, run = false, strafe = false, turn = 0, tilt = 0 }

local function isDown(...) return love.keyboard.isDown(...) end

local function readPad(pad)
  local function axis(name)
    local value = pad:getGamepadAxis(name)
    return math.abs(value) < .2 and 0 or value
  end
  controls.x, controls.y = controls.x + axis("leftx"), controls.y - axis("lefty")
  controls.turn, controls.tilt = controls.turn + axis("rightx"), controls.tilt + axis("righty")
  controls.run = controls.run or axis("triggerright") > .5 or pad:isGamepadDown("leftstick")
  controls.strafe = controls.strafe or axis("triggerleft") > .5
end

function controls.read()
  controls.x = (isDown("d", "right") and 1 or 0) - (isDown("a", "left") and 1 or 0)
  controls.y = (isDown("w", "up") and 1 or 0) - (isDown("s", "down") and 1 or 0)
  controls.run, controls.strafe = isDown("lshift", "rshift"), isDown("lctrl", "rctrl", "q")
  controls.turn, controls.tilt = (isDown("l") and 1 or 0) - (isDown("j") and 1 or 0), 0
  for _, joystick in ipairs(love.joystick.getJoysticks()) do
    if joystick:isGamepad() then readPad(joystick) end
  end
  local length = math.sqrt(controls.x ^ 2 + controls.y ^ 2)
  if length > 1 then controls.x, controls.y = controls.x / length, controls.y / length end
  return controls
end

local keys = { space = "jump", e = "attack", ["return"] = "attack", f = "greet" }
local buttons = { a = "jump", x = "attack", y = "greet", back = "overlay" }

--- What a key or a button of a gamepad stands for.
function controls.actionOf(key) return keys[key] end
function controls.actionOfButton(button) return buttons[button] end

return controls
