-- A small arena. Keys: WASD or arrows walk, shift runs, ctrl strafes, space jumps, E strikes, F waves, J and L or the
-- mouse turn the camera, F1 shows what the hero's graph does (N: names of joints). A gamepad does all that, too.
-- ./dev love examples/love/arena [--crowd N] [--size WIDTH HEIGHT] [--msaa SAMPLES] [--drive FILE]
-- ./dev love examples/love/arena --export FILE   writes the hero with his clips as binary glTF
local here = love.filesystem.getSource()
package.path = here .. "/../../?.lua;" .. package.path

local anim = require("anim")
require("anim.love")
local companions = require("companions")
local controls = require("controls")
local drive = require("drive")
local player = require("player")
local sounds = require("sounds")
local world = require("world")

local game = { player = player, companions = companions, yaw = 0, pitch = .28, distance = 4.6, seconds = 0, updates = 0,
  animation = 0 }

local function options(list)
  local out = { crowd = 10, msaa = 4 }
  for i, word in ipairs(list) do
    if word == "--crowd" then out.crowd = tonumber(list[i + 1]) end
    if word == "--export" then out.export = list[i + 1] end
    if word == "--drive" then out.drive = list[i + 1] end
    if word == "--msaa" then out.msaa = tonumber(list[i + 1]) end
    if word == "--size" then love.window.setMode(tonumber(list[i + 1]), tonumber(list[i + 2])) end
  end
  return out
end

-- The body comes from a file like any other; it is written here, as the hero's clips are made by code, too.
local function loadHero()
  local hero = dofile(here .. "/../../hero.lua")
  love.filesystem.write("hero.glb", require("body").write())
  local model = assert(anim.love.load("hero.glb"))
  model.clips = hero.build({ travel = true }).clips
  for name, clip in pairs(model.clips) do
    if hero.speeds[name] then
      model.clips[name] = clip:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
    end
  end
  return model
end

local function export(path)
  local bytes = require("body").write(dofile(here .. "/../../hero.lua").build().clips)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  print(("%s: %d bytes"):format(path, #bytes))
  love.event.quit()
end

function love.load(list)
  local chosen = options(list)
  if chosen.export then
    love.update, love.draw = nil, nil
    return export(chosen.export)
  end
  sounds.load()
  game.arena = world.newModel():newCharacter()
  game.model = loadHero()
  game.watcher = anim.love.watch("hero_graph.lua", { arguments = world, changed = function() player.listen() end })
  companions.load(game.model, chosen.crowd)
  player.load(game.model, game.watcher:get())
  game.watcher:add(player.character.graph)
  game.camera = anim.love.newCamera({ fov = math.rad(48), msaa = chosen.msaa })
  game.camera:setSky({ .2, .42, .75 }, { .7, .78, .84 }, 90)
  game.overlay = anim.love.newOverlay(player.character, { key = "f1", camera = game.camera })
  game.overlay:hook()
  if chosen.drive then drive.load(chosen.drive, game) end
end

-- Behind the hero and above him, not in the ground and not through the wall.
local function placeCamera(dt)
  game.yaw, game.pitch = game.yaw + 2.4 * controls.turn * dt, game.pitch + 1.5 * controls.tilt * dt
  game.pitch = math.max(-.1, math.min(1.2, game.pitch))
  local hero = player.character
  local x, y, z = hero.x, hero.y + 1.25, hero.z
  local level = game.distance * math.cos(game.pitch)
  local ex, ez = x + level * math.sin(game.yaw), z + level * math.cos(game.yaw)
  local most = world.half - .5
  ex, ez = math.max(-most, math.min(most, ex)), math.max(-most, math.min(most, ez))
  local ey = math.max(world.ground(ex, 0, ez) + .3, y + game.distance * math.sin(game.pitch))
  game.camera:lookAt(ex, ey, ez, x, y, z)
end

local function update(dt)
  controls.read()
  local changed, message = game.watcher:update(dt)
  if changed ~= nil then game.overlay:setMessage(message or "hero_graph.lua was read again") end
  local start = love.timer.getTime()
  companions.update(player.character, dt)
  player.update(controls, game.camera, dt)
  game.animation = game.animation + love.timer.getTime() - start
  game.seconds, game.updates = game.seconds + dt, game.updates + 1
  placeCamera(dt)
end

function love.update(dt)
  if drive.list then
    drive.run(update)
  else
    update(math.min(dt, 1 / 20))
  end
end

local function scene()
  game.arena:draw()
  companions.crowd:draw()
  player.character:draw()
end

function love.draw()
  game.camera:render(scene)
  local w, h = love.graphics.getDimensions()
  love.graphics.setColor(0, 0, 0, .45)
  love.graphics.rectangle("fill", 0, h - 24, w, 24)
  love.graphics.setColor(1, 1, 1)
  if w > 800 then
    love.graphics.print("WASD walk   shift run   ctrl strafe   space jump   E strike   F wave   mouse, J, L camera"
      .. "   F1 overlay", 10, h - 20)
  end
  love.graphics.printf(("%d hits   %.2f ms animation   %d fps"):format(player.hits,
    1e3 * game.animation / math.max(1, game.updates), love.timer.getFPS()), 0, h - 20, w - 10, "right")
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  local action = controls.actionOf(key)
  if action then player.act(action) end
end

function love.gamepadpressed(_, button)
  local action = controls.actionOfButton(button)
  if action == "overlay" then
    game.overlay:keypressed(game.overlay.key)
  elseif action then
    player.act(action)
  end
end

function love.mousemoved(_, _, dx, dy)
  if love.mouse.isDown(1) then game.yaw, game.pitch = game.yaw - .006 * dx, game.pitch + .004 * dy end
end

function love.wheelmoved(_, y) game.distance = math.max(2, math.min(9, game.distance * (1 - .1 * y))) end
