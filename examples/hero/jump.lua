-- Off the ground and down again. While the hero is in the air the centre of mass flies as any thrown body does; the
-- postures around it are keys.
local body = require("hero.body")
local curve = require("hero.curve")
local keyed = require("hero.keyed")

local over, motion = keyed.over, keyed.motion
local jump = {}

-- ---- the way of the centre of mass, up and down

local G, SPEED = 9.81, 2.5 -- metres a second at take-off
local LOW, OFF, AIR = 20 / 60, 35 / 60, 33 / 60 -- when the crouch is deepest, when the toes leave, for how long
local DOWN = OFF + AIR
local DEEP, UP = DOWN + 13 / 60, DOWN + 48 / 60 -- when the knees have taken up the fall, when he stands again
local HEIGHT = body.centreOfMass(body.figure(motion({ duration = 1, keys = {} }).pose(0)))[2]
local CROUCH, TIPTOE = HEIGHT - .22, HEIGHT + .118

local function flight(t) return TIPTOE + SPEED * (t - OFF) - G / 2 * (t - OFF) ^ 2 end

local LANDING = flight(DOWN)
local push = curve.path({ { LOW, CROUCH }, { OFF, TIPTOE } }, 0, SPEED)
local brake = curve.path({ { DOWN, LANDING }, { DEEP, CROUCH } }, SPEED - G * AIR, 0)
local sink = curve.keys({ { 0, HEIGHT }, { LOW, CROUCH } })
local rise = curve.keys({ { DEEP, CROUCH }, { UP, HEIGHT } })

local function height(t)
  if t < LOW then return sink(t) end
  if t < OFF then return push(t) end
  if t < DOWN then return flight(t) end
  if t < DEEP then return brake(t) end
  return rise(t)
end

-- The feet leave and meet the ground with the body, drawn up a little in between.
local tuck = curve.keys({ { OFF, 0 }, { OFF + AIR / 2, .11 }, { DOWN, TIPTOE - LANDING } })

local function lift(t)
  if t <= OFF or t >= DOWN then return 0 end
  return math.max(0, flight(t) - TIPTOE + tuck(t))
end

-- ---- the postures around it

local CROUCHED = {
  hips = { pitch = 30 }, chest = { pitch = 42 }, head = { pitch = 8 }, weight = { z = .05 },
  arm = { swing = -52, abduct = 14, elbow = 24, twist = 8 }, hand = { curl = 30 }, foot = { knee = 6 },
}
local TAKE_OFF = {
  hips = { pitch = 3 }, chest = { pitch = -3 }, head = { pitch = -8 }, weight = { z = .085 },
  arm = { swing = 128, abduct = 14, elbow = 34, twist = 0 }, hand = { curl = 14, spread = 8 },
  foot = { pitch = 52, toe = 52, knee = 0 },
}
local TOP = {
  hips = { pitch = 10 }, chest = { pitch = 10 }, head = { pitch = 6 }, weight = { z = .075 },
  arm = { swing = 78, abduct = 36, elbow = 38, twist = 0 }, hand = { curl = 16, spread = 8 },
  foot = { pitch = 36, toe = 8, knee = 3 },
}
local TOUCH = {
  hips = { pitch = 14 }, chest = { pitch = 22 }, head = { pitch = 14 }, weight = { z = .065 },
  arm = { swing = 36, abduct = 32, elbow = 36, twist = 0 }, foot = { pitch = 22, toe = 22 },
}
local ABSORBED = {
  hips = { pitch = 30 }, chest = { pitch = 42 }, head = { pitch = 12 }, weight = { z = .05 },
  arm = { swing = -6, abduct = 24, elbow = 40, twist = 6 }, hand = { curl = 28, spread = 4 }, foot = { knee = 7 },
}
local FLAT = { foot = { pitch = 0 } }

local around = motion({
  duration = UP,
  delay = { head = .02, ["hand.L"] = .03, ["hand.R"] = .03 },
  keys = {
    { LOW, CROUCHED }, { LOW + .1, over(FLAT, { hips = { pitch = 26 } }) }, { OFF, TAKE_OFF }, { OFF + AIR / 2, TOP },
    { DOWN, TOUCH }, { DOWN + .07, FLAT }, { DEEP + .02, ABSORBED }, { UP, over(keyed.rest, { foot = { knee = 0 } }) },
  },
})

local function pose(t)
  local posture = around.pose(t)
  posture.weight.y = height(t)
  for _, foot in ipairs({ posture["foot.L"], posture["foot.R"] }) do
    foot.y = lift(t)
    if t <= OFF or t >= DOWN then foot.toe = nil end -- flat on the ground
  end
  return posture
end

local lock = keyed.lock({ { OFF, DOWN } })

-- The jump from t0 to t1, with those of its events that fall into that time.
local function part(t0, t1)
  local events = {}
  for _, event in ipairs({
    { time = OFF, name = "takeoff" }, { time = DOWN, name = "land" },
    { time = DOWN, name = "footstep", data = "L" }, { time = DOWN, name = "footstep", data = "R" },
  }) do
    if event.time >= t0 and event.time <= t1 then
      events[#events + 1] = { time = event.time - t0, name = event.name, data = event.data }
    end
  end
  local function locked(t) return lock(t0 + t) end
  return {
    duration = t1 - t0, loop = false, rate = 60, pose = function(t) return pose(t0 + t) end, events = events,
    curves = { ["foot_lock.L"] = locked, ["foot_lock.R"] = locked },
  }
end

jump.jump = part(0, UP)
jump.jump_start = part(0, OFF)
jump.jump_land = part(DOWN, UP)

-- ---- in the air, for as long as it takes: the game moves the root

local function unlocked() return 0 end

local ALOFT = { ["foot_lock.L"] = unlocked, ["foot_lock.R"] = unlocked }

jump.jump_air = motion({
  duration = .8, loop = true, curves = ALOFT,
  keys = {
    { 0, over(TOP, {
      hips = { y = .06 }, ["foot.L"] = { y = .1, z = .06, pitch = 30 }, ["foot.R"] = { y = .13, z = -.06, pitch = 44 },
    }) },
    { .4, {
      chest = { roll = 1.5, pitch = 12 }, head = { pitch = 7 }, ["arm.L"] = { swing = 70, abduct = 42 },
      ["arm.R"] = { swing = 82, abduct = 39 }, ["foot.L"] = { y = .115, z = .05 }, ["foot.R"] = { y = .115, z = -.05 },
    } },
  },
})

local FORE = { swing = 55, abduct = 62, elbow = 40, twist = -30 }
local BACK = { swing = 25, abduct = 84, elbow = 52, twist = -40 }

jump.fall = motion({
  duration = .9, loop = true, curves = ALOFT,
  delay = { ["hand.L"] = .04, ["hand.R"] = .04 },
  keys = {
    { 0, {
      hips = { y = .06, pitch = 14, yaw = 3 }, chest = { pitch = 16, yaw = -5, roll = 2 }, head = { pitch = 20 },
      weight = { x = 0, z = .06 }, ["arm.L"] = FORE, ["arm.R"] = BACK, hand = { curl = 14, spread = 9 },
      ["foot.L"] = { y = .14, z = .14, pitch = 22 }, ["foot.R"] = { y = .22, z = -.16, pitch = 56 },
      foot = { toe = 10 },
    } },
    { .45, {
      hips = { yaw = -3 }, chest = { yaw = 5, roll = -2 }, ["arm.L"] = BACK, ["arm.R"] = FORE,
      ["foot.L"] = { y = .22, z = -.14, pitch = 52 }, ["foot.R"] = { y = .14, z = .12, pitch = 22 },
    } },
  },
})

return jump
