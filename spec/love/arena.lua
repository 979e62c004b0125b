-- What spec/love_spec.lua has the arena do: keys at set frames, and lines about what is then the case and to be seen.
-- With ANIM_SHOTS set, pictures go into that directory.
local shots, saved = os.getenv("ANIM_SHOTS"), 0

local function say(name, format, ...) print(("%s = " .. format):format(name, ...)) end

local function tell(name)
  return function(game)
    local hero = game.player.character
    say(name, "state %s, speed %.2f, at %.2f %.2f %.2f, %s, %d hits, %d steps", hero.graph:find("body"):getState(),
      hero.graph:get("speed"), hero.x, hero.y, hero.z, game.player.isAirborne and "in the air" or "on the ground",
      game.player.hits, game.player.steps or 0)
  end
end

local function keep(image)
  saved = saved + 1
  if not shots then return end
  local file = assert(io.open(("%s/arena%d.png"):format(shots, saved), "wb"))
  file:write(image:encode("png"):getString())
  file:close()
end

local function pixel(image, x, y)
  local w, h = image:getDimensions()
  return image:getPixel(math.max(0, math.min(w - 1, math.floor(x))), math.max(0, math.min(h - 1, math.floor(y))))
end

-- The colour where a joint of the hero is; and of the sky.
local function see(name, joint)
  return function(image, game)
    keep(image)
    local hero = game.player.character
    local sx, sy = game.camera:project(hero:getPosition(joint))
    local r, g, b = pixel(image, sx, sy)
    local _, feet = game.camera:project(hero:getPosition("foot.L"))
    local skyR, _, skyB = pixel(image, image:getWidth() / 2, 4)
    say(name, "%s, feet %s, sky %s", r > 1.25 * b and g > b and "vest" or ("%.2f %.2f %.2f"):format(r, g, b),
      feet > sy + 20 and "below" or "elsewhere", skyB > skyR and "blue above" or "elsewhere")
  end
end

-- How bright the place of the panel is, and what it says.
local function panel(name)
  return function(image, game)
    keep(image)
    local sum, count = 0, 0
    for y = 30, 150, 4 do
      for x = 250, 330, 4 do
        local r, g, b = pixel(image, x, y)
        sum, count = sum + (r + g + b) / 3, count + 1
      end
    end
    say(name, "%s; %s", sum / count < .33 and "dark" or "bright",
      game.overlay.isOn and game.overlay:getText():match("body: [^\n]*") or "off")
  end
end

local function place(x, z, heading)
  return function(game)
    local hero = game.player.character
    hero.x, hero.z, hero.heading, game.player.lastX, game.player.lastZ = x, z, heading, x, z
  end
end

-- One of the others in front of the hero.
local function bring(game)
  local hero, member = game.player.character, game.companions.list[1].member
  member.x, member.z = hero.x + math.sin(hero.heading), hero.z + math.cos(hero.heading)
end

local function other(name)
  return function(game)
    local graph = game.companions.list[1].member.graph
    for _, node in ipairs(graph:inspect().nodes) do
      if node.machine then say(name, "%s", node.machine.state) end
    end
  end
end

-- How far heel or ball of each foot, whichever is nearer, are from the ground below them, at most.
local function soles(name)
  return function(game)
    local hero, worst = game.player.character, 0
    local world = require("world")
    local function above(joint, rest)
      local x, y, z = hero:getPosition(joint)
      return math.abs(y - rest - world.ground(x, 0, z))
    end
    for _, side in ipairs({ ".L", ".R" }) do
      worst = math.max(worst, math.min(above("heel" .. side, 0), above("toe" .. side, .02)))
    end
    say(name, "%s", worst < .03 and "on the steps" or ("%.3f off"):format(worst))
  end
end

local function figures(game)
  say("animation", "%.3f ms a frame", 1e3 * game.animation / game.updates)
end

return {
  { 3, "call", place(0, 9, math.pi) }, { 5, "look", see("stands", "chest") }, { 5, "call", tell("standing") },
  { 6, "down", "w" }, { 66, "call", tell("walking") }, { 66, "look", see("walks", "chest") },
  { 67, "down", "lshift" }, { 110, "call", tell("running") }, { 111, "tap", "space" },
  { 140, "call", tell("jumping") }, { 140, "look", see("jumps", "chest") }, { 200, "call", tell("landed") },
  { 201, "up", "lshift" }, { 201, "up", "w" }, { 203, "call", place(6, 0, 0) }, { 260, "call", bring },
  { 262, "tap", "e" }, { 272, "call", tell("striking") }, { 275, "call", bring }, { 290, "call", tell("struck") },
  { 291, "call", other("other") }, { 291, "look", keep },
  { 330, "tap", "f1" }, { 331, "look", panel("overlay") }, { 340, "tap", "space" },
  { 346, "look", panel("overlay jumps") }, { 420, "tap", "f1" }, { 421, "look", panel("overlay off") },
  { 422, "down", "lctrl" }, { 422, "down", "a" }, { 480, "call", tell("strafing") }, { 481, "look", keep },
  { 482, "up", "lctrl" }, { 482, "up", "a" }, { 483, "call", place(1, -2.9, math.pi) },
  { 640, "call", tell("on steps") },
  { 640, "call", soles("soles") }, { 640, "look", keep }, { 641, "tap", "f" }, { 700, "look", keep },
  { 700, "call", figures }, { 701, "call", place(-6, 0, 0) }, { 702, "stick", 1, 0 },
  { 760, "call", tell("stick") }, { 761, "button", "a" }, { 790, "call", tell("button") }, { 791, "quit" },
}
