-- Ten others who walk about, look busy, and are thrown back when they are hit. All of one crowd.
local anim = require("anim")
local world = require("world")

local companions = { list = {} }

local description = {
  params = { speed = { 0, smooth = .3 }, hit = "trigger", greet = "trigger" },
  masks = { upper = { spine = .3, chest = .7, neck = .5, ["shoulder.R"] = 1 } },
  nodes = {
    move = { type = "blend1D", param = "speed", sync = false, { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } },
    body = { type = "machine", initial = "move",
      states = { move = "move", hit = { "hit", loop = false } },
      transitions = {
        { from = "*", to = "hit", when = "hit", fade = .06, mode = "inertial", self = true },
        { from = "hit", to = "move", when = "time > 0.6", fade = .25 },
      } },
    greet = { type = "oneShot", base = "body", mask = "upper", fadeIn = .25, fadeOut = .3 },
  },
  root = "greet",
}

local tints = { { 1, .72, .6 }, { .7, 1, .7 }, { .75, .8, 1.25 }, { 1.15, 1.1, .6 }, { .65, .65, .7 } }

function companions.load(model, count)
  local random = love.math.newRandomGenerator(3)
  companions.random, companions.crowd = random, anim.love.newCrowd(model, { hide = { "sword" } })
  local first = anim.newGraph(model, description)
  for i = 1, count do
    local angle = 2 * math.pi * i / count
    local member = companions.crowd:add({ graph = i == 1 and first or first:clone({ seed = i }), rootMotion = true,
      x = 6 * math.sin(angle), z = 6 * math.cos(angle), heading = angle + math.pi, scale = .94 + .12 * random:random(),
      tint = tints[i % #tints + 1] })
    companions.list[i] = { member = member, goal = { member.x, member.z }, rest = 2 * random:random(), speed = 0,
      push = 0, pushX = 0, pushZ = 0, lastX = member.x, lastZ = member.z }
  end
end

local function choose(one)
  local random = companions.random
  one.rest, one.walk = 1 + 4 * random:random(), 6
  one.speed = random:random() < .25 and 3.2 or 1.4
  repeat
    one.goal[1], one.goal[2] = 22 * (random:random() - .5), 22 * (random:random() - .5)
  until world.ground(one.goal[1], 0, one.goal[2]) == 0
end

local function turnTo(member, x, z, dt)
  local by = math.atan2(x - member.x, z - member.z) - member.heading
  by = (by + math.pi) % (2 * math.pi) - math.pi
  member.heading = member.heading + math.max(-3 * dt, math.min(3 * dt, by))
end

-- Nobody walks through another.
local function keepApart(member, x, z, reach)
  local dx, dz = member.x - x, member.z - z
  local distance = math.sqrt(dx * dx + dz * dz)
  if distance > 1e-4 and distance < reach then
    member.x, member.z = x + dx * reach / distance, z + dz * reach / distance
  end
end

local function step(one, hero, dt)
  local member = one.member
  local dx, dz = one.goal[1] - member.x, one.goal[2] - member.z
  local isThere = dx * dx + dz * dz < .5
  one.rest = one.rest - dt
  if one.rest <= 0 and isThere then choose(one) end
  local isWalking = not isThere and one.push <= 0
  if isWalking then turnTo(member, one.goal[1], one.goal[2], dt) end
  if not isWalking and one.push <= 0 then turnTo(member, hero.x, hero.z, dt) end
  member.graph:set("speed", isWalking and one.speed or 0)
  one.push = one.push - dt
  if one.push > 0 then
    member.x, member.z = member.x + one.pushX * one.push * dt, member.z + one.pushZ * one.push * dt
  end
  for _, other in ipairs(companions.list) do
    if other ~= one then keepApart(member, other.member.x, other.member.z, .7) end
  end
  keepApart(member, hero.x, hero.z, .7)
  local most = world.half - .8
  member.x, member.z = math.max(-most, math.min(most, member.x)), math.max(-most, math.min(most, member.z))
  local height = world.level(member.x, member.z)
  if height > .35 and member.y < .1 then -- something in the way: elsewhere then
    choose(one)
    member.x, member.z = one.lastX, one.lastZ
    height = world.level(member.x, member.z)
  end
  one.lastX, one.lastZ, member.y = member.x, member.z, height
end

function companions.update(hero, dt)
  for _, one in ipairs(companions.list) do step(one, hero, dt) end
  companions.crowd:update(dt)
end

--- Whom a stroke reaches: within `reach` of a place and not yet in `struck`. Their count.
function companions.strike(x, z, fromX, fromZ, reach, struck)
  local count = 0
  for _, one in ipairs(companions.list) do
    local member = one.member
    local dx, dz = member.x - x, member.z - z
    if dx * dx + dz * dz < reach * reach and not struck[one] then
      struck[one], count = true, count + 1
      local ax, az = member.x - fromX, member.z - fromZ
      local length = math.max(.01, math.sqrt(ax * ax + az * az))
      one.push, one.pushX, one.pushZ = .6, 6 * ax / length, 6 * az / length
      member.heading = math.atan2(-ax, -az)
      member.graph:fire("hit")
    end
  end
  return count
end

--- The nearest, for the hero to look at, and how far that is.
function companions.nearest(x, z)
  local best, least = nil, math.huge
  for _, one in ipairs(companions.list) do
    local dx, dz = one.member.x - x, one.member.z - z
    local distance = math.sqrt(dx * dx + dz * dz)
    if distance < least then best, least = one.member, distance end
  end
  return best, least
end

return companions
