-- Hit, the knees give way, he sits down and falls on his back.
local body = require("hero.body")
local keyed = require("hero.keyed")
local rig = require("hero.rig")
local space = require("hero.space")

-- Where the balance of `stand` has put the hips: from here on nobody keeps it.
local standing = keyed.motion({ duration = 1, keys = {} }).pose(0)
local start = space.sub(body.figure(standing).hips.place, rig.joint.hips.place)

local death = keyed.motion({
  duration = 2, loop = false, rate = 60, falling = true,
  delay = { head = .05, ["hand.L"] = .06, ["hand.R"] = .06 },
  keys = {
    { 0, { hips = { x = start[1], y = start[2], z = start[3] } } },
    { .12, { -- the blow
      hips = { y = -.04, z = -.05, pitch = 2, yaw = 8 }, chest = { pitch = -12, yaw = 18 },
      head = { pitch = -16, yaw = 8 }, face = { jaw = 12 }, hand = { curl = 12, spread = 9 },
      ["arm.L"] = { swing = 10, abduct = 26, elbow = 48, shrug = 6 },
      ["arm.R"] = { swing = 26, abduct = 24, elbow = 58, shrug = 6 },
    } },
    { .45, { -- the knees
      hips = { y = -.22, z = -.1, pitch = 8, yaw = 4 }, chest = { pitch = 18, yaw = 6, roll = -5 },
      head = { pitch = 34, roll = -6 }, arm = { swing = 4, abduct = 14, elbow = 24, shrug = 0 }, foot = { knee = 8 },
      ["foot.L"] = { z = .01, pitch = 0 }, ["foot.R"] = { z = -.015, pitch = 0 },
    } },
    { .78, { -- on the seat
      hips = { y = -.7, z = -.31, pitch = -14, yaw = 0 }, chest = { pitch = 2, roll = -6 }, head = { pitch = 26 },
      ["arm.L"] = { swing = 18, abduct = 24, elbow = 30 }, ["arm.R"] = { swing = 6, abduct = 30, elbow = 34 },
      ["foot.L"] = { z = .05, pitch = -6 }, ["foot.R"] = { z = .05, pitch = -10 }, foot = { knee = 16 },
    } },
    { .9, { hips = { y = -.845, z = -.36, pitch = -34 }, chest = { pitch = -30 }, head = { pitch = 4 } } },
    { 1.12, { -- the back
      hips = { y = -.862, z = -.38, pitch = -80 }, chest = { pitch = -82, roll = -2, yaw = 0 }, head = { pitch = -60 },
      ["arm.L"] = { swing = 2, abduct = 66, elbow = 26, twist = -74 },
      ["arm.R"] = { swing = 0, abduct = 48, elbow = 46, twist = 66 },
      ["foot.L"] = { z = .3, pitch = -38 }, ["foot.R"] = { z = .08, pitch = -10 },
    } },
    { 1.22, { -- the head, and all bounces a little
      chest = { pitch = -84 }, head = { pitch = -88, roll = 6, yaw = 0 },
      ["arm.L"] = { swing = 6 }, ["arm.R"] = { swing = 5 },
    } },
    { 1.5, {
      hips = { pitch = -86, y = -.86 }, head = { pitch = -82, roll = 14, yaw = 12 }, face = { jaw = 8 },
      ["arm.L"] = { swing = -4, abduct = 70, elbow = 30, twist = -84 },
      ["arm.R"] = { swing = -4, abduct = 44, elbow = 50, twist = 80 },
      ["foot.L"] = { z = .54, pitch = -64, yaw = 24 }, ["foot.R"] = { z = .14, pitch = -6, yaw = 20 },
      foot = { knee = 26 },
    } },
    { 2, {
      hips = { pitch = -87 }, chest = { pitch = -85 }, head = { pitch = -80, roll = 16, yaw = 18 },
      hand = { curl = 32, thumb = 20, spread = 2 }, ["foot.L"] = { z = .555, pitch = -66, yaw = 34, knee = 20 },
      ["foot.R"] = { z = .18, pitch = -4, yaw = 24, knee = 44 },
    } },
  },
  events = { { time = .84, name = "fall" }, { time = 1.16, name = "fall" } },
})

return { death = death }
