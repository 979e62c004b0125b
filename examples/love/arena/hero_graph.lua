-- What the hero can do. Change and save this file while the game runs: it goes on with what is new.
return function(world)
  return {
    params = {
      speed = { 0, smooth = .18 },                        -- metres a second, ahead
      side = { 0, smooth = .15 }, ahead = { 0, smooth = .15 }, strafing = false,
      jump = { "trigger", life = .2 }, attack = { "trigger", life = .3 }, wave = "trigger",
      looking = { 0, smooth = .2 }, grounded = { 1, smooth = .08 },
    },
    masks = { upper = { spine = .3, chest = .7, neck = .5, ["shoulder.R"] = 1 } },
    nodes = {
      gait = { type = "blend1D", param = "speed", { 1.4, "walk" }, { 3.6, "run" } },
      -- Standing has no steps that walking could be in step with.
      move = { type = "blend1D", param = "speed", sync = false, { 0, "idle" }, { 1.2, "gait" } },
      strafe = { type = "blend2D", x = "side", y = "ahead", mode = "directional", { 0, 0, "idle" },
        { 1.4, 0, "strafe_left" }, { -1.4, 0, "strafe_right" }, { 0, 1.4, "walk" }, { 0, -1.2, "walk_back" } },
      body = { type = "machine", initial = "move",
        states = { move = "move", strafe = "strafe", attack = { "attack", loop = false },
          jump = { "jump_start", speed = 2.2, loop = false }, air = "jump_air", land = { "jump_land", loop = false } },
        transitions = {
          { from = { "move", "strafe" }, to = "jump", when = "jump", fade = .08 },
          { from = "jump", to = "air", when = "done", fade = .12 },
          { from = "air", to = "land", when = "grounded > 0.5 and time > 0.1", fade = .06 },
          { from = "land", to = "move", when = "speed > 0.8 and time > 0.1", fade = .25 },
          { from = "land", to = "move", when = "time > 0.5", fade = .3 },
          { from = { "move", "strafe" }, to = "attack", when = "attack", fade = .1 },
          -- A second stroke may follow when the first has hit or missed.
          { from = "attack", to = "attack", when = "attack and time > 0.6", fade = .15, self = true },
          { from = "attack", to = "move", when = "time > 0.75", fade = .25 },
          { from = "move", to = "strafe", when = "strafing", fade = .25, curve = "smooth" },
          { from = "strafe", to = "move", when = "not strafing", fade = .25, curve = "smooth" },
        } },
      greet = { type = "oneShot", base = "body", mask = "upper", fadeIn = .25, fadeOut = .3 },
      feet = { type = "foot", input = "greet", weight = "grounded", pelvis = "hips", ground = world.ground,
        legs = { { joint = "foot.L", heel = "heel.L", toe = "toe.L" },
          { joint = "foot.R", heel = "heel.R", toe = "toe.R" } },
        lock = { "foot_lock.L", "foot_lock.R" } },
      look = { type = "aim", input = "feet", weight = "looking", space = "world", limit = 1.2, rate = 4,
        joints = { { "upper_chest", .2 }, { "neck", .5 }, "head" }, axis = { 0, 0, 1 }, up = { 0, 1, 0 },
        offset = { 0, .09, .09 } },
    },
    root = "look",
  }
end
