-- The character of a platform game: one state machine of thirteen states, written as data, played by a script of
-- inputs. Run it to see where the machine goes: ./dev lua examples/platformer.lua [FILE], FILE being a model that has
-- the clips that `clips` names; without it the person of hero.lua.
local source = debug.getinfo(1, "S").source
local here = source:match("^@(.*[/\\])") or ""

local platformer = {}

-- What each state plays: another character has other names for it.
platformer.clips = {
  idle = "idle", walk = "walk", run = "run", turn = "turn_left", takeoff = "jump_start", air = "jump_air",
  fall = "fall", land = "jump_land", attack = "attack", hit = "hit", death = "death", wave = "wave",
}

-- The Knight of KayKit's Adventurers.
platformer.knight = {
  idle = "Idle", walk = "Walking_A", run = "Running_A", turn = "Walking_B", takeoff = "Jump_Start", air = "Jump_Idle",
  fall = "Jump_Idle", land = "Jump_Land", attack = "1H_Melee_Attack_Chop", hit = "Hit_A", death = "Death_A",
  wave = "Cheer",
}

function platformer.describe(clips)
  local onFoot = { "idle", "walk", "run", "turn", "wave" }
  return {
    params = {
      speed = 0, vy = 0, impact = 0, health = 3, grounded = true,
      jump = { "trigger", life = .15 }, -- pressed a little too early is early enough
      attack = { "trigger", life = .25 }, hurt = "trigger", turn = { "trigger", life = 0 },
    },
    nodes = {
      body = {
        type = "machine", initial = "idle",
        states = {
          idle = clips.idle, walk = clips.walk, run = clips.run,
          turn = { clips.turn, speed = 2, loop = false },
          takeoff = { clips.takeoff, speed = 3, loop = false }, air = clips.air, fall = clips.fall,
          land = { clips.land, speed = 1.5, loop = false }, stumble = { clips.land, loop = false },
          attack = { clips.attack, loop = false }, hit = { clips.hit, loop = false },
          death = { clips.death, loop = false }, wave = { clips.wave, loop = false },
        },
        transitions = {
          -- whatever he does
          { from = "*", to = "death", when = "health <= 0", fade = .1, mode = "frozen" },
          { from = "*", to = "hit", when = "hurt and health > 0", fade = .08, mode = "inertial", self = true },
          -- off the ground
          { from = onFoot, to = "takeoff", when = "jump and grounded", fade = .05 },
          { from = { "land", "stumble" }, to = "takeoff", when = "jump and grounded", exit = .2, fade = .08 },
          { from = onFoot, to = "fall", when = "not grounded", fade = .25 },
          { from = "takeoff", to = "air", when = "done", fade = .1 },
          { from = "air", to = "fall", when = "vy < 0", fade = .2, curve = "smooth", sync = true },
          { from = { "air", "fall" }, to = "stumble", when = "grounded and impact > 8", fade = .05 },
          { from = { "air", "fall" }, to = "land", when = "grounded", fade = .05 },
          -- and back on his feet
          { from = "land", to = "run", when = "speed > 2.5", exit = .3, fade = .2 },
          { from = "land", to = "walk", when = "speed > 0.1", exit = .4, fade = .2 },
          { from = { "land", "stumble", "attack", "hit", "turn" }, to = "idle", when = "done", fade = .2 },
          -- on the ground
          { from = { "idle", "walk", "run" }, to = "attack", when = "attack", fade = .1 },
          { from = "attack", to = "attack", when = "attack", exit = .6, fade = .1, self = true },
          { from = { "walk", "run" }, to = "turn", when = "turn", fade = .1, interrupt = "none" },
          { from = { "idle", "wave" }, to = "walk", when = "speed > 0.1", fade = .2 },
          { from = "walk", to = "run", when = "speed > 2.5", fade = .3, sync = true, curve = "smooth" },
          { from = "run", to = "walk", when = "speed < 2.2", fade = .3, sync = true, curve = "smooth" },
          { from = "walk", to = "idle", when = "speed < 0.1", fade = .25 },
          { from = "idle", to = "wave", when = "time > 3", fade = .3 },
          { from = "wave", to = "idle", when = "done", fade = .3 },
        },
      },
    },
    root = "body",
  }
end

-- A round of it: stroll, run, jump, land hard, fight, be hit, jump again with the key pressed too early, die.
platformer.script = {
  { at = .5, set = "speed", to = 1.4 },
  { at = 1.5, set = "speed", to = 3.6 },
  { at = 2.5, fire = "jump" },
  { at = 2.6, set = "grounded", to = false }, { at = 2.6, set = "vy", to = 3 },
  { at = 2.95, set = "vy", to = -1 },
  { at = 3.3, set = "impact", to = 4 }, { at = 3.3, set = "grounded", to = true }, { at = 3.3, set = "vy", to = 0 },
  { at = 4, fire = "turn" },
  { at = 4.2, set = "speed", to = 0 },
  { at = 5.2, fire = "attack" }, { at = 5.7, fire = "attack" },
  { at = 7.5, fire = "hurt" }, { at = 7.7, fire = "hurt" },
  { at = 9, set = "grounded", to = false }, { at = 9, set = "vy", to = -6 },
  { at = 9.6, set = "impact", to = 12 }, { at = 9.6, set = "grounded", to = true }, { at = 9.6, set = "vy", to = 0 },
  { at = 9.7, fire = "jump" },
  { at = 9.95, set = "grounded", to = false }, { at = 9.95, set = "vy", to = 2 },
  { at = 10.4, set = "vy", to = -2 },
  { at = 10.7, set = "impact", to = 5 }, { at = 10.7, set = "grounded", to = true }, { at = 10.7, set = "vy", to = 0 },
  { at = 17, set = "health", to = 0 },
}
platformer.seconds = 20

function platformer.play(anim, model, clips)
  local graph = anim.newGraph(model, platformer.describe(clips or platformer.clips))
  return dofile(here .. "drive.lua")(graph, platformer.script, platformer.seconds), graph
end

if arg and source == "@" .. (arg[0] or "") then
  local anim = require("anim")
  local model = arg[1] and assert(anim.load(arg[1])) or dofile(here .. "hero.lua").build()
  local log = platformer.play(anim, model, arg[1] and platformer.knight)
  for _, event in ipairs(log) do
    local data = event.data ~= nil and " " .. tostring(event.data) or ""
    if event.name == "enter" then
      print(("%6.2f  %s"):format(event.time, event.data))
    elseif event.name ~= "exit" and event.name ~= "loop" and event.name ~= "done" then
      print(("%6.2f            %s%s"):format(event.time, event.name, data))
    end
  end
end

return platformer
