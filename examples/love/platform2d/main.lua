-- A 2D platform character. Arrows or A, D run (with shift: walk), up, W or space jumps, X, J or the mouse strikes; the
-- eyes follow the mouse. Gamepad: left stick, A, X; the right stick looks. F1 shows what the graph does, F2 the bones.
--   ./dev love examples/love/platform2d
--   love examples/love/platform2d --script DIR     plays by itself, writes pictures to DIR and says what it did
if arg[#arg - 1] == "--script" then
  function love.errorhandler(message) print("error " .. debug.traceback(message, 2)) end -- and ends
end

local animLove = require("anim.love")
local rig2d = animLove.rig2d

local body, level, sounds = require("body"), require("level"), require("sounds")

local hero, place, graph, overlay, script
local view, showBones, pad = { x = 0, y = 150, zoom = 1.6 }, false, nil
local input = { move = 0, walk = false, jump = false, strike = false, lookX = nil, lookY = nil }

local function newHero()
  local description = require("rig")
  description.clips = require("clips")
  local rig = rig2d.newRig(description)
  local character = rig:newCharacter({ graph = require("graph")(level.ground), x = 120, y = (level.ground(120)) })
  return character
end

local function strikeAt(x, y)
  for _, one in ipairs(level.pumpkins) do
    if one.age > .3 and math.abs(one.x - x) < 26 and math.abs(one.y - 14 - y) < 40 then
      one.age, one.hits = 0, one.hits + 1
      sounds.play("hit")
    end
  end
end

function love.load(arguments)
  hero = newHero()
  graph, place = hero.graph, body.new(hero.x, hero.y)
  graph:on("footstep", function() sounds.play("step") end)
  graph:on("thud", function() sounds.play("thud") end)
  graph:on("swing", function() sounds.play("swing") end)
  sounds.load()
  overlay = animLove.newOverlay(hero, { key = "f1", project = function(x, y)
    x, y = hero:toWorld(x, -y) -- from anim's space, in which y is up
    return (x - view.x) * view.zoom, (y - view.y) * view.zoom
  end })
  overlay:hook() -- sees keys and mouse before the game, and draws after it
  if arguments[1] == "--script" then
    script = require("script").new(arguments[2] or ".", hero, place, level, overlay)
  end
end

-- Input -----------------------------------------------------------------------------------------------

local function down(...) return love.keyboard.isDown(...) end

local function readKeys()
  input.move = (down("right", "d") and 1 or 0) - (down("left", "a") and 1 or 0)
  input.walk = down("lshift", "rshift")
  input.lookX, input.lookY = love.mouse.getX() / view.zoom + view.x, love.mouse.getY() / view.zoom + view.y
  if not pad or not pad:isConnected() then return end
  local x = pad:getGamepadAxis("leftx")
  if math.abs(x) > .25 then
    input.move, input.walk = x > 0 and 1 or -1, math.abs(x) < .7
  end
  local lookX, lookY = pad:getGamepadAxis("rightx"), pad:getGamepadAxis("righty")
  if lookX * lookX + lookY * lookY > .1 then
    input.lookX, input.lookY = place.x + 300 * lookX, place.y - 90 + 300 * lookY
  end
end

function love.keypressed(key)
  if key == "up" or key == "w" or key == "space" then input.jump = true end
  if key == "x" or key == "j" then input.strike = true end
  if key == "f2" then showBones = not showBones end
  if key == "escape" then love.event.quit() end
end

function love.mousepressed() input.strike = true end

function love.gamepadpressed(joystick, button)
  pad = joystick
  if button == "a" then input.jump = true end
  if button == "x" then input.strike = true end
  if button == "back" then overlay:keypressed("f1") end
end

function love.gamepadaxis(joystick) pad = joystick end

-- A frame ---------------------------------------------------------------------------------------------

-- What the graph is told, and the pose it makes of it.
local function animate(dt)
  graph:set("speed", math.abs(place.vx))
  graph:set("vy", place.vy)
  graph:set("grounded", place.grounded)
  graph:set("feet", place.grounded and 1 or 0)
  if input.strike then graph:find("act"):fire("attack") end
  hero:setTransform(place.x, place.y)
  hero:setTarget("look", input.lookX, input.lookY)
  hero:update(dt)
end

local function step(dt)
  if body.step(place, input, level, dt) then
    graph:fire("jump")
    sounds.play("jump")
  end
  local ahead = input.lookX - place.x
  if input.move ~= 0 then -- looks where he runs, and to the mouse where he stands
    hero:setFacing(input.move > 0 and 1 or -1)
  elseif math.abs(ahead) > 30 then
    hero:setFacing(ahead > 0 and 1 or -1)
  end
  animate(dt)
  if graph:isDuring("hit") then
    local x, y, angle = hero:getJoint("sword")
    strikeAt(x + 30 * math.cos(angle), y + 30 * math.sin(angle))
  end
  for _, one in ipairs(level.pumpkins) do one.age = one.age + dt end
  input.jump, input.strike = false, false
  local goal = math.max(0, math.min(level.right - 460, place.x - 250 + 50 * hero:getFacing()))
  local share = 1 - math.exp(-4 * dt)
  view.x, view.y = view.x + (goal - view.x) * share, view.y + (place.y - 225 - view.y) * share
end

function love.update(dt)
  if script then
    script:input(input)
    dt = 1 / 60
  else
    readKeys()
    dt = math.min(dt, 1 / 20)
  end
  step(dt)
end

function love.draw()
  level.drawBack(love.graphics, view.x)
  love.graphics.push()
  love.graphics.scale(view.zoom)
  love.graphics.translate(-view.x, -view.y)
  level.draw(love.graphics)
  love.graphics.setColor(0, 0, 0, .22)
  local ground = level.ground(place.x)
  love.graphics.ellipse("fill", place.x, ground + 2, 20, 4)
  love.graphics.setColor(1, 1, 1)
  hero:draw()
  if showBones or script and script.bones then
    love.graphics.setColor(.05, .05, .1)
    hero:drawSkeleton()
  end
  love.graphics.pop()
  love.graphics.setColor(.93, .9, .85)
  love.graphics.print("arrows run   shift walks   space jumps   X strikes   F1 graph   F2 bones", 14, 456)
  if script then script:frame(view) end
end
