-- The hero in the hands of the player.
local companions = require("companions")
local sounds = require("sounds")
local world = require("world")

local player = { struck = {}, vertical = 0, isAirborne = false, speedX = 0, speedZ = 0, hits = 0 }

local gravity, takeOff, turnRate = 9.81, 4.1, 9

local function towards(from, to, most)
  local by = (to - from + math.pi) % (2 * math.pi) - math.pi
  return from + math.max(-most, math.min(most, by))
end

-- Where he may not go he slides along.
local function walkTo(character, x, z, y)
  if world.isFree(x, y, z) then
    character.x, character.z = x, z
  elseif world.isFree(x, y, character.z) then
    character.x = x
  elseif world.isFree(character.x, y, z) then
    character.z = z
  end
end

-- Who is near and not behind him is looked at.
local function lookAtNearest(character)
  local near, distance = companions.nearest(character.x, character.z)
  if not near then return end
  local angle = towards(0, math.atan2(near.x - character.x, near.z - character.z) - character.heading, math.pi)
  character.graph:set("looking", distance < 4 and math.abs(angle) < 1.4 and 1 or 0)
  player.look:setTarget(near.x, near.y + 1.6 * near.scale, near.z)
end

-- Between time and pose: root motion has moved him, now the world has its say.
local function moved(character, dt)
  local x, z = character.x, character.z
  character.x, character.z = player.lastX, player.lastZ
  if player.isAirborne then
    x, z = player.lastX + player.speedX * dt, player.lastZ + player.speedZ * dt
    player.vertical = player.vertical - gravity * dt
    character.y = character.y + player.vertical * dt
  end
  walkTo(character, x, z, player.isAirborne and character.y or world.ground(player.lastX, 0, player.lastZ))
  local floor = world.level(character.x, character.z)
  if player.isAirborne and player.vertical < 0 and character.y <= floor then
    player.isAirborne = false
    character.graph:set("grounded", 1)
    sounds.play("step", .9, .7)
  elseif not player.isAirborne then
    -- Off an edge he falls, else he follows the ground.
    if character.y - floor > .5 then
      player.isAirborne, player.vertical = true, 0
    else
      character.y = character.y + (floor - character.y) * math.min(1, 12 * dt)
    end
  end
  if not player.isAirborne and character.y < floor then character.y = floor end
  player.lastX, player.lastZ = character.x, character.z
  lookAtNearest(character)
end

function player.load(model, description)
  local character = model:newCharacter({ graph = description, rootMotion = true, x = 0, z = 4, heading = math.pi,
    moved = moved })
  player.character, player.lastX, player.lastZ = character, character.x, character.z
  player.listen()
end

-- Once more after the description was read again: nodes are new then.
function player.listen()
  local character = player.character
  local graph = character.graph
  player.look = graph:find("look")
  for _, subscription in ipairs(player.subscriptions or {}) do subscription:cancel() end
  player.subscriptions = {
    graph:on("footstep", function(_, _, _, _, _, weight)
      if weight > .2 and not player.isAirborne then
        sounds.play("step", .25 + .35 * weight, .9 + .2 * love.math.random())
        player.steps = (player.steps or 0) + 1
      end
    end),
    graph:on("takeoff", function()
      player.isAirborne, player.vertical = true, takeOff
      graph:set("grounded", 0)
      local ahead, side = graph:get("speed") + graph:get("ahead"), graph:get("side")
      local s, c = math.sin(character.heading), math.cos(character.heading)
      player.speedX, player.speedZ = s * ahead + c * side, c * ahead - s * side
    end),
    graph:on("hit_window", function(_, _, _, _, _, _, edge)
      if edge == "begin" then
        player.struck = {}
        sounds.play("stroke", .6)
      end
    end),
  }
end

function player.act(name)
  local graph = player.character.graph
  if name == "jump" or name == "attack" then graph:fire(name) end
  if name == "greet" then graph:find("greet"):fire("wave") end
end

-- While the blade can hit (a range event of the clip), whoever is before him is hit once.
local function strike()
  local character = player.character
  if not character.graph:isDuring("hit_window") then return end
  local s, c = math.sin(character.heading), math.cos(character.heading)
  local x, z = character.x, character.z
  local hit = companions.strike(x + .9 * s, z + .9 * c, x, z, 1.1, player.struck)
  if hit > 0 then
    player.hits = player.hits + hit
    sounds.play("blow", .9)
  end
end

function player.update(controls, camera, dt)
  local character, graph = player.character, player.character.graph
  local aheadX, aheadZ = camera:getAhead()
  local x, z = controls.y * aheadX - controls.x * aheadZ, controls.y * aheadZ + controls.x * aheadX
  local length = math.sqrt(x * x + z * z)
  graph:set("strafing", controls.strafe)
  if controls.strafe then
    character.heading = towards(character.heading, math.atan2(aheadX, aheadZ), turnRate * dt)
    graph:set("side", -1.4 * controls.x)
    graph:set("ahead", controls.y > 0 and 1.4 * controls.y or 1.2 * controls.y)
    graph:set("speed", 0)
  else
    if length > .1 and not player.isAirborne then
      character.heading = towards(character.heading, math.atan2(x, z), turnRate * dt)
    end
    graph:set("speed", length > .1 and length * (controls.run and 3.6 or 1.4) or 0)
  end
  character:update(dt)
  strike()
end

return player
