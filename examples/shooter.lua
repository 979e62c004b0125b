-- The character of a shooter: legs and upper body are two machines that share triggers; the upper one lies over the
-- other from the spine up. Reloading can be broken off by a shot until the magazine is out, and by a run always.
-- Run it to see where both go: ./dev lua examples/shooter.lua
local source = debug.getinfo(1, "S").source
local here = source:match("^@(.*[/\\])") or ""

local shooter = {}

shooter.description = {
  params = {
    forward = 0, side = 0, armed = false,
    shoot = { "trigger", life = .2 }, reload = { "trigger", life = .2 }, hurt = "trigger",
  },
  masks = { upper = { "spine" } },
  nodes = {
    legs = {
      type = "machine", initial = "idle",
      states = {
        idle = "idle", walk = "walk", run = "run", back = "walk_back", left = "strafe_left", right = "strafe_right",
        hit = { "hit", loop = false },
      },
      transitions = {
        { from = "*", to = "hit", when = "hurt", fade = .08, mode = "inertial", self = true },
        { from = "hit", to = "idle", when = "done", fade = .2 },
        { from = { "idle", "walk", "back", "left", "right" }, to = "run", when = "forward > 2.5", fade = .2,
          sync = true },
        { from = "*", to = "walk", when = "forward > 0.1 and forward < 2.2 and side == 0", fade = .2, sync = true },
        { from = "*", to = "back", when = "forward < -0.1", fade = .2, sync = true },
        { from = { "idle", "walk", "run", "back", "right" }, to = "left", when = "side > 0 and forward < 2.2",
          fade = .2, sync = true },
        { from = { "idle", "walk", "run", "back", "left" }, to = "right", when = "side < 0 and forward < 2.2",
          fade = .2, sync = true },
        { from = { "walk", "run", "back", "left", "right" }, to = "idle",
          when = "forward < 0.1 and forward > -0.1 and side == 0", fade = .25 },
      },
    },
    arms = {
      type = "machine", initial = "relaxed",
      states = {
        relaxed = "idle", aim = "aim", shoot = { "shoot", loop = false }, reload = { "reload", loop = false },
        flinch = { "hit", loop = false },
      },
      transitions = {
        { from = "*", to = "flinch", when = "hurt", fade = .08, mode = "inertial", self = true },
        { from = "flinch", to = "aim", when = "done", fade = .2 },
        { from = { "aim", "shoot", "reload" }, to = "relaxed", when = "forward > 2.5 or not armed", fade = .25 },
        { from = "relaxed", to = "aim", when = "armed and forward < 2.2", fade = .25, curve = "smooth" },
        { from = "aim", to = "shoot", when = "shoot", fade = .05 },
        { from = "shoot", to = "shoot", when = "shoot", exit = .5, fade = .05, self = true },
        { from = "shoot", to = "aim", when = "done", fade = .1 },
        { from = { "aim", "shoot" }, to = "reload", when = "reload", fade = .15 },
        { from = "reload", to = "shoot", when = "shoot and time < 0.6", fade = .1, mode = "inertial" },
        { from = "reload", to = "aim", when = "done", fade = .15 },
      },
    },
  },
  root = { type = "layers", base = "legs", { "arms", mask = "upper", weight = 1 } },
}

-- Step out, aim, two shots, reload, broken off by a shot; reload again on the move; be hit; run, arms relaxed.
shooter.script = {
  { at = .3, set = "armed", to = true },
  { at = .8, set = "forward", to = 1.4 },
  { at = 1.2, fire = "shoot" }, { at = 1.35, fire = "shoot" },
  { at = 2.2, fire = "reload" },
  { at = 2.6, fire = "shoot" },
  { at = 3.3, set = "forward", to = 0 }, { at = 3.3, set = "side", to = 1 },
  { at = 3.5, fire = "reload" },
  { at = 4.3, fire = "shoot" }, -- too late: the magazine is out, and the trigger is forgotten
  { at = 4.6, set = "side", to = -1 },
  { at = 5.6, fire = "hurt" },
  { at = 7, set = "side", to = 0 }, { at = 7, set = "forward", to = -1 },
  { at = 7.6, set = "forward", to = 3.6 },
  { at = 8.6, set = "forward", to = 0 },
}
shooter.seconds = 9.5

function shooter.play(anim, model)
  local graph = anim.newGraph(model, shooter.description)
  return dofile(here .. "drive.lua")(graph, shooter.script, shooter.seconds), graph
end

if arg and source == "@" .. (arg[0] or "") then
  local anim = require("anim")
  for _, event in ipairs((shooter.play(anim, dofile(here .. "hero.lua").build()))) do
    local data = event.data ~= nil and " " .. tostring(event.data) or ""
    if event.name == "enter" then
      print(("%6.2f  %s: %s"):format(event.time, event.node, event.data))
    elseif event.name == "shot" or event.name == "magazine" then
      print(("%6.2f            %s%s"):format(event.time, event.name, data))
    end
  end
end

return shooter
