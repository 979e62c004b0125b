-- The ways the hero goes. Figures after D. Winter, The Biomechanics and Motor Control of Human Gait, and J. Perry,
-- Gait Analysis; degrees, metres, phases of a stride.
local curve = require("hero.curve")
local loop, alternate = curve.loop, curve.alternate

-- mean + size * cosine, at its largest at phase `at`, `times` in a stride.
local function wave(mean, size, at, times)
  return function(phase) return mean + size * math.cos(2 * math.pi * (phase - at) * (times or 1)) end
end

local styles = {}

styles.walk = {
  duration = 1.0, speed = 1.4, stance = .6, ahead = -.105, width = .075, out = 7,
  -- heel strike, flat, heel off at a third of the stride, toe off
  pitch = loop({
    { 0, -17 }, { .065, 0 }, { .33, 0 }, { .42, 4 }, { .5, 17 }, { .55, 37 }, { .6, 60 }, { .655, 69 }, { .8, 24 },
    { .93, -9 },
  }),
  grip = loop({ { 0, 1 }, { .6, 1 }, { .75, .2 }, { .95, .3 } }),
  swing = { { .15, .12, .206 }, { .61, .735, .135 } },
  middle = {
    hips = {
      y = wave(-.031, .0185, .268, 2), x = wave(0, .022, .29), z = wave(0, .004, .15, 2),
      yaw = wave(0, 5, .5), roll = alternate({ { 0, 0 }, { .13, 4.5 }, { .3, 1.5 } }), pitch = wave(4.5, 1, .1, 2),
    },
    chest = { yaw = wave(0, 4, .03), roll = wave(0, 2, .7), pitch = wave(2, 1, .1, 2) },
    head = { yaw = wave(0, 1, .1), pitch = wave(2, 1, .6, 2) },
  },
  side = {
    arm = {
      swing = wave(-3, 20, .53), abduct = wave(8, 2, .1), twist = wave(2, 7, .55), elbow = wave(24, 11, .58),
      pronate = wave(15, 8, .55), wrist = wave(5, 5, .1), shrug = 0,
    },
    hand = { curl = wave(28, 3, .6), thumb = 15, spread = 3 },
  },
}

styles.run = {
  duration = .7, speed = 3.6, stance = .34, ahead = -.113, width = .045, out = 5,
  pitch = loop({
    { 0, -13 }, { .05, 0 }, { .16, 0 }, { .22, 3 }, { .26, 11 }, { .3, 29 }, { .34, 57 }, { .4, 78 }, { .55, 92 },
    { .7, 54 }, { .86, -5 }, { .95, -15 },
  }),
  grip = loop({ { 0, 1 }, { .34, 1 }, { .46, .2 }, { .95, .3 } }),
  swing = { { .09, -.115, .26 }, { .33, .04, .405 }, { .66, .76, .21 }, { .93, 1.065, .13 } },
  middle = {
    hips = {
      y = wave(-.071, .03, .42, 2), x = wave(0, .012, .17), z = wave(0, .006, .0, 2),
      yaw = wave(0, 8, .53), roll = alternate({ { 0, -1 }, { .14, 5 }, { .32, -1 } }), pitch = wave(8, 2, .05, 2),
    },
    chest = { yaw = wave(0, 10, .02), roll = wave(0, 2, .7), pitch = wave(9, 1.5, .12, 2) },
    head = { yaw = wave(0, 2, .05), pitch = wave(4, 1.5, .6, 2) },
  },
  side = {
    arm = {
      swing = wave(-10, 38, .48), abduct = wave(15, 4, .0), twist = wave(20, 14, .52), elbow = wave(95, 12, .52),
      pronate = 5, wrist = wave(0, 6, .1), shrug = 3,
    },
    hand = { curl = wave(50, 4, .6), thumb = 25, spread = 0 },
  },
}

-- Toes first, then the heel comes down; the trunk stays over the feet and the arms do little.
styles.walk_back = {
  duration = 1.0, speed = 1.2, heading = 180, stance = .6, ahead = .05, width = .085, out = 8,
  pitch = loop({ { 0, 26 }, { .15, 0 }, { .48, 0 }, { .6, -8 }, { .7, 8 }, { .85, 34 }, { .94, 32 } }),
  grip = loop({ { 0, 1 }, { .6, 1 }, { .7, .3 }, { .9, .6 } }),
  swing = { { .35, .25, .135 }, { .78, .84, .2 } },
  middle = {
    hips = {
      y = wave(-.043, .014, .29, 2), x = wave(0, .022, .29), z = wave(-.01, .004, .65, 2),
      yaw = wave(0, 4, 0), roll = alternate({ { 0, 0 }, { .14, 3 }, { .32, 1 } }), pitch = 5,
    },
    chest = { yaw = wave(0, 3, .5), roll = wave(0, 1.2, .72), pitch = wave(5, 1, .1, 2) },
    head = { yaw = wave(0, 1, .6), pitch = 1 },
  },
  side = {
    arm = {
      swing = wave(-2, 10, .06), abduct = wave(11, 1.5, .6), twist = 4, elbow = wave(26, 6, .1),
      pronate = 15, wrist = wave(5, 4, .2), shrug = 0,
    },
    hand = { curl = 28, thumb = 15, spread = 4 },
  },
}

-- The hips turn half into the travel, the chest hardly, the face not at all; the right leg passes in front.
styles.strafe_left = {
  duration = .9, speed = 1.4, heading = 90, facing = 50, stance = .58, ahead = -.07, width = .115, lead = .05, out = 4,
  pitch = loop({ { 0, -8 }, { .08, 0 }, { .33, 0 }, { .5, 20 }, { .58, 42 }, { .66, 48 }, { .82, 15 }, { .94, -5 } }),
  grip = loop({ { 0, 1 }, { .58, 1 }, { .72, .2 }, { .95, .3 } }),
  swing = { { .2, .14, .19 }, { .62, .73, .145 } },
  middle = {
    hips = {
      y = wave(-.042, .016, .28, 2), x = wave(0, .006, .1, 2), z = wave(0, .02, .79),
      yaw = wave(0, 6, .5), roll = alternate({ { 0, 0 }, { .13, 3.5 }, { .3, 1.5 } }), pitch = 4,
    },
    chest = { yaw = wave(14, 3, .03), roll = wave(-2, 1, .7), pitch = wave(4, 1, .1, 2) },
    head = { yaw = wave(2, 1, .1), pitch = 1, roll = 0 },
  },
  side = {
    arm = {
      swing = wave(2, 11, .53), abduct = 13, twist = 8, elbow = wave(38, 8, .56),
      pronate = 20, wrist = wave(5, 4, .1), shrug = 0,
    },
    hand = { curl = 32, thumb = 18, spread = 4 },
  },
}

-- On the spot: short steps, the look goes ahead of the turn.
styles.turn_left = {
  duration = 1.1, speed = 0, turn = 90, stance = .64, ahead = 0, width = .098, out = 8,
  pitch = loop({ { 0, 6 }, { .07, 0 }, { .46, 0 }, { .58, 14 }, { .64, 26 }, { .7, 30 }, { .88, 8 } }),
  grip = loop({ { 0, 1 }, { .64, 1 }, { .8, .5 } }),
  swing = { { .28, .14, .152 }, { .66, .74, .132 } },
  middle = {
    hips = {
      y = wave(-.017, .006, .3, 2), x = wave(0, .03, .3), yaw = wave(3, 4, .05, 2),
      roll = alternate({ { 0, 0 }, { .14, 2.5 }, { .32, 1 } }), pitch = 3,
    },
    chest = { yaw = wave(9, 4, .1, 2), roll = wave(-1, 1, .72), pitch = 3 },
    head = { yaw = wave(20, 5, .15, 2), pitch = 2, roll = -2 },
  },
  side = {
    arm = {
      swing = wave(0, 5, .55), abduct = wave(9, 1, .6), twist = 4, elbow = wave(22, 4, .6), pronate = 15,
      wrist = 5, shrug = 0,
    },
    hand = { curl = 28, thumb = 15, spread = 4 },
  },
}

return styles
