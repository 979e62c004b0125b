-- What the hero does where he stands, written as keys.
local keyed = require("hero.keyed")

local over, motion, rest = keyed.over, keyed.motion, keyed.rest
local actions = {}

-- Curves of who stands still and shuts the eyes for a moment at each of the times.
local function standing(...)
  local times = { ... }
  local function blink(t)
    local shut = 0
    for _, at in ipairs(times) do shut = math.max(shut, 1 - math.abs(t - at) / .1) end
    return shut
  end
  return { blink = blink, ["foot_lock.L"] = keyed.lock({}), ["foot_lock.R"] = keyed.lock({}) }
end

-- ---- idle: two breaths of four seconds; the weight goes from one leg to the other and back

local IN = { chest = { pitch = -1.5 }, head = { pitch = .5 }, arm = { shrug = 2, abduct = 8.8 } }
local OUT = { chest = { pitch = .6 }, head = { pitch = 1 }, arm = { shrug = 0, abduct = 8 } }
local ON_LEFT = { hips = { roll = 2.6, yaw = -2 }, weight = { x = .034, z = .03 }, chest = { roll = -1.2, yaw = 1 } }
local ON_RIGHT = { hips = { roll = -2.2, yaw = 2 }, weight = { x = -.03, z = .036 }, chest = { roll = 1, yaw = -1 } }

actions.idle = motion({
  duration = 8, loop = true,
  delay = { ["hand.L"] = .15, ["hand.R"] = .2 },
  keys = {
    { 0, over(OUT, ON_LEFT, { head = { yaw = 3, roll = -1 }, face = { look = 0 } }) },
    { .7, { head = { yaw = 4 }, face = { look = 0 } } },
    { 1.5, over(IN, { face = { look = -8 }, hand = { curl = 29 } }) },
    { 1.9, { head = { yaw = -5 }, face = { look = 0 } } },
    { 2.6, ON_LEFT },
    { 4, over(OUT, { hand = { curl = 25 } }) },
    { 4.3, over(ON_RIGHT, { head = { roll = 1 } }) },
    { 4.9, { head = { yaw = -4 }, face = { look = 0 } } },
    { 5.5, over(IN, { face = { look = 6 } }) },
    { 5.9, { head = { yaw = 3 }, face = { look = 0 }, hand = { curl = 28 } } },
    { 6.8, over(ON_RIGHT, { head = { roll = 1 } }) },
  },
  curves = standing(1.45, 5.1, 5.45),
})

-- ---- wave

local RAISED = {
  ["arm.R"] = { swing = 12, abduct = 74, twist = -78, pronate = 8, wrist = -8, elbow = 74, deviate = 0 },
  ["hand.R"] = { curl = 8, thumb = 4, spread = 10 },
  hips = { roll = 1.5 }, chest = { roll = -2.5, yaw = -3, pitch = -1 }, head = { roll = 3, yaw = -4, pitch = -2 },
  weight = { x = .022 },
}
local OUTWARD = { ["arm.R"] = { elbow = 56, deviate = 10 } }
local INWARD = { ["arm.R"] = { elbow = 98, deviate = -8 } }

actions.wave = motion({
  duration = 2.4, loop = false,
  delay = { ["hand.R"] = .04, head = .05 },
  keys = {
    { .24, { ["arm.R"] = { swing = 16, elbow = 66, abduct = 30, twist = -22 }, weight = { x = .008 } } },
    { .5, RAISED }, { .68, INWARD }, { .89, OUTWARD }, { 1.1, INWARD }, { 1.31, OUTWARD }, { 1.5, INWARD },
    { 1.68, RAISED },
    { 2, { ["arm.R"] = { swing = 8, elbow = 46, abduct = 22, twist = -14 } } },
    { 2.4, rest },
  },
  curves = standing(.3),
})

-- ---- hit: a blow to the left side of the chest; the head follows, the arms fly up, the knees give

actions.hit = motion({
  duration = .8, loop = false, rate = 60,
  delay = { head = .04, ["hand.L"] = .05, ["hand.R"] = .05, ["arm.L"] = .02, ["arm.R"] = .02 },
  keys = {
    { .09, {
      hips = { y = -.03, pitch = 1, yaw = 7 }, weight = { x = -.015, z = -.055 },
      chest = { pitch = -9, yaw = 20, roll = -5 }, head = { pitch = -12, yaw = 14, roll = -4 }, face = { jaw = 10 },
      ["arm.L"] = { swing = -14, abduct = 24, elbow = 42, shrug = 6 },
      ["arm.R"] = { swing = 20, abduct = 20, elbow = 52, shrug = 6 }, hand = { curl = 12, spread = 9 },
    } },
    { .3, {
      hips = { y = -.06, pitch = 8, yaw = 3 }, weight = { x = -.01, z = .055 },
      chest = { pitch = 15, yaw = 7, roll = -2 }, head = { pitch = 14, yaw = 3, roll = 0 }, face = { jaw = 6 },
      ["arm.L"] = { swing = 12, abduct = 15, elbow = 48, shrug = 3 },
      ["arm.R"] = { swing = 16, abduct = 13, elbow = 46, shrug = 3 }, hand = { curl = 42, spread = 3 },
    } },
    { .58, { hips = { y = -.012 }, chest = { pitch = -1 }, head = { pitch = 0 }, weight = { z = .03 } } },
    { .8, rest },
  },
  curves = standing(.12),
})

-- ---- attack: wind up, step in with the left foot, cut from the right shoulder to the left hip, step back

local UP, DOWN = { .08, .27 }, { .64, .84 } -- the two steps of the left foot

actions.attack = motion({
  duration = 1, loop = false, rate = 60,
  delay = { ["hand.R"] = .015 },
  keys = {
    { UP[1], { ["foot.L"] = { z = .01, y = 0 } } },
    { .17, {
      ["foot.L"] = { y = .07 }, weight = { x = -.05, z = .04 },
      hips = { y = -.03, yaw = -16, pitch = 4 }, chest = { yaw = -34, pitch = -6, roll = -6 },
      head = { yaw = 0, pitch = 3 }, ["arm.L"] = { swing = 46, abduct = 12, twist = 10, elbow = 44 },
      ["arm.R"] = { swing = 62, abduct = 88, twist = -68, elbow = 112, pronate = 0, wrist = -18, shrug = 6 },
      ["hand.R"] = { curl = 62, thumb = 32, spread = 0 },
    } },
    { UP[2], {
      ["foot.L"] = { z = .36, y = 0 }, ["foot.R"] = { pitch = 8 }, weight = { x = -.01, z = .13 },
      hips = { y = -.1, yaw = -10 }, chest = { yaw = -26, pitch = 0, roll = -3 },
      ["arm.R"] = { swing = 76, abduct = 84, twist = -60, elbow = 104 },
    } },
    { .36, {
      weight = { x = .02, z = .19 }, hips = { y = -.14, yaw = 16, pitch = 12 }, ["foot.R"] = { pitch = 32 },
      chest = { yaw = 22, pitch = 20, roll = 4 }, head = { yaw = 2, pitch = 6, roll = 0 }, face = { jaw = 8 },
      ["arm.R"] = { swing = 74, abduct = -4, twist = 8, elbow = 22, wrist = 6, shrug = 0 },
      ["arm.L"] = { swing = -8, abduct = 22, twist = 0, elbow = 62 },
    } },
    { .46, {
      weight = { x = .025, z = .2 }, hips = { y = -.145, yaw = 20, pitch = 14 }, ["foot.R"] = { pitch = 36 },
      chest = { yaw = 36, pitch = 26, roll = 6 }, head = { yaw = 4, pitch = 4 },
      ["arm.R"] = { swing = 40, abduct = -24, twist = 30, elbow = 34, wrist = 10 },
      ["arm.L"] = { swing = -26, abduct = 26, elbow = 66 },
    } },
    { DOWN[1], {
      ["foot.L"] = { z = .36, y = 0, pitch = 0 }, ["foot.R"] = { pitch = 10 }, weight = { x = -.02, z = .1 },
      hips = { y = -.1, yaw = 12 }, chest = { yaw = 20, pitch = 16 }, face = { jaw = 0 },
      ["arm.R"] = { swing = 26, abduct = -6, twist = 24, elbow = 44, wrist = 6 },
    } },
    { .74, { ["foot.L"] = { y = .045, pitch = 8 }, ["foot.R"] = { pitch = 0 }, weight = { x = -.045, z = .03 } } },
    { DOWN[2], { ["foot.L"] = { z = .01, y = 0, pitch = 0 } } },
    { 1, rest },
  },
  events = {
    { time = UP[2], name = "footstep", data = "L" }, { time = .29, duration = .15, name = "hit_window" },
    { time = DOWN[2], name = "footstep", data = "L" },
  },
  curves = { ["foot_lock.L"] = keyed.lock({ UP, DOWN }), ["foot_lock.R"] = keyed.lock({}) },
})

-- ---- a pistol in both hands: aim, shoot, reload; made to be laid over the legs of another clip

local HOLD = {
  hips = { y = -.02, yaw = -8, pitch = 3 }, weight = { x = 0, z = .045 },
  chest = { yaw = -10, pitch = 3, roll = 0 }, head = { yaw = -2, pitch = 1, roll = -3 },
  ["foot.L"] = { x = .11, z = .11, yaw = 4 }, ["foot.R"] = { x = -.12, z = -.13, yaw = 26 }, arm = { shrug = 0 },
  ["arm.R"] = { reach = 1, x = 0, y = -.01, z = .46, yaw = -2, pitch = -2, roll = 0, lift = 38 },
  ["arm.L"] = { reach = 1, x = .058, y = -.055, z = .43, yaw = -22, pitch = -14, roll = 10, lift = 34 },
  ["hand.R"] = { curl = 58, index = -28, thumb = 26, spread = 0 }, ["hand.L"] = { curl = 54, thumb = 22, spread = 0 },
}

actions.aim = motion({
  duration = 4, loop = true,
  keys = {
    { 0, HOLD },
    { 1.7, { chest = { pitch = 1.6 }, arm = { shrug = 1.5 }, ["arm.R"] = { y = -.006 }, ["arm.L"] = { y = -.051 } } },
  },
  curves = standing(2.6),
})

actions.shoot = motion({
  duration = .4, loop = false, rate = 60,
  keys = {
    { 0, HOLD },
    { .05, {
      chest = { pitch = 0, yaw = -13 }, head = { pitch = -1 }, arm = { shrug = 3 },
      ["arm.R"] = { y = .03, z = .415, pitch = -14 }, ["arm.L"] = { y = -.012, z = .387, pitch = -24 },
    } },
    { .4, HOLD },
  },
  events = { { time = 0, name = "shot" } },
  curves = standing(),
})

local TILTED = { x = .04, y = -.1, z = .33, roll = -38, yaw = -10 } -- where the right hand holds the pistol meanwhile

actions.reload = motion({
  duration = 1.7, loop = false,
  delay = { head = .05, ["hand.L"] = .03 },
  keys = {
    { 0, HOLD },
    { .22, { ["arm.R"] = TILTED, head = { pitch = 12, yaw = -3 }, chest = { yaw = -2 } } },
    { .5, {
      ["arm.L"] = { x = .2, y = -.5, z = .02, yaw = 4, pitch = 66, roll = 0, lift = 24 }, ["hand.L"] = { curl = 30 },
    } },
    { .62, { ["arm.L"] = { x = .2, y = -.51, z = .01 }, ["hand.L"] = { curl = 60 }, chest = { yaw = 2, roll = 2 } } },
    { .95, { ["arm.L"] = { x = .045, y = -.22, z = .32, yaw = -30, pitch = -38, roll = 12, lift = 30 } } },
    { 1.04, { ["arm.L"] = { x = .045, y = -.165, z = .325 }, ["arm.R"] = { y = -.085 }, head = { pitch = 11 } } },
    { 1.12, { ["arm.L"] = { x = .05, y = -.18 }, ["arm.R"] = TILTED } },
    { 1.7, HOLD },
  },
  events = { { time = .6, name = "magazine", data = "out" }, { time = 1.04, name = "magazine", data = "in" } },
  curves = standing(.7),
})

return actions
