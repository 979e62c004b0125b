-- What it does when: a machine for the body, a blow laid over it, then feet, eyes and the scarf.
local rig2d = require("anim.love.rig2d")

return function(ground)
  return {
    params = { speed = { 0, smooth = .12 }, vy = 0, grounded = true, feet = { 1, smooth = .08 }, jump = "trigger" },
    masks = { upper = { "spine" } },
    nodes = {
      gait = { type = "blend1D", param = "speed", matchSpeed = true, { 0, "idle" }, { 85, "walk" }, { 242, "run" } },
      body = {
        type = "machine", initial = "ground",
        states = { ground = "gait", jump = "jump", fall = "fall", land = "land" },
        transitions = {
          { from = { "ground", "land" }, to = "jump", when = "jump", fade = .05 },
          { from = { "ground", "land" }, to = "fall", when = "not grounded", fade = .15 },
          { from = "jump", to = "fall", when = "vy > 0", fade = .2, curve = "smooth" },
          { from = { "jump", "fall" }, to = "land", when = "grounded and time > 0.1 and speed < 120", fade = .04 },
          { from = { "jump", "fall" }, to = "ground", when = "grounded and time > 0.1", fade = .12 },
          { from = "land", to = "ground", when = "done", fade = .12 },
          { from = "land", to = "ground", when = "speed > 60", exit = .4, fade = .15 },
        },
      },
      act = { type = "oneShot", base = "body", mask = "upper", fadeIn = .04, fadeOut = .12 },
      -- on the ground that is there, y down as on the screen
      feet = { type = "foot", input = "act", pelvis = "hips", weight = "feet", ground = rig2d.ground(ground),
        legs = { { joint = "footF", toe = "toeF", heel = "heelF" },
          { joint = "footB", toe = "toeB", heel = "heelB" } } },
      look = { type = "aim", input = "feet", joints = { { "spine", .15 }, "head" }, axis = { 0, 1 }, offset = { 13, 8 },
        limit = .8, rate = 6 },
      scarf = { type = "spring", input = "look", joint = "scarf1", stiffness = 1.1, damping = .3,
        gravity = { 0, 500 }, drag = 2, limit = 1.6 },
    },
    root = "scarf",
  }
end
