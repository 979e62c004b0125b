-- How it moves. Angles are added to those of the rig, clockwise: below 0 a limb that hangs down goes to the front.
local clips = {}

-- Keys at even distances over `seconds`, begun `shift` places later: what the other leg does.
local function cycle(seconds, values, shift)
  local keys, n = {}, #values
  for i = 0, n do keys[i + 1] = { seconds * i / n, values[(i + (shift or 0)) % n + 1] } end
  return keys
end

-- Legs and arms of a gait: eight values each, from where the front foot comes down.
local function gait(seconds, way, thigh, shin, arm, bounce, lean)
  local foot = {}
  for i = 1, 8 do -- flat while it stands, then hanging down
    foot[i] = i <= 4 and -(thigh[i] + shin[i]) or .35 - (thigh[i] + shin[i]) * .55
  end
  local elbow = {}
  for i = 1, 8 do elbow[i] = -.5 - .5 * math.abs(lean) * 8 / 2 + arm[i] * .4 end
  return {
    ease = "spline", duration = seconds,
    joints = {
      root = { x = { { 0, 0, "linear" }, { seconds, way } } },
      hips = { y = cycle(seconds, bounce) },
      spine = { angle = lean }, head = { angle = -lean * .7 },
      thighF = { angle = cycle(seconds, thigh) }, thighB = { angle = cycle(seconds, thigh, 4) },
      shinF = { angle = cycle(seconds, shin) }, shinB = { angle = cycle(seconds, shin, 4) },
      footF = { angle = cycle(seconds, foot) }, footB = { angle = cycle(seconds, foot, 4) },
      armB = { angle = cycle(seconds, arm) }, armF = { angle = cycle(seconds, arm, 4) },
      handB = { angle = cycle(seconds, elbow) }, handF = { angle = cycle(seconds, elbow, 4) },
    },
    events = { { .02, "footstep", "front" }, { seconds / 2 + .02, "footstep", "back" } },
    markers = { { 0, "front" }, { seconds / 2, "back" } },
    root = { joint = "root", translation = "x" }, -- the graph knows how fast the gait is
  }
end

clips.walk = gait(.9, 76, { -.45, -.18, .12, .36, .36, -.1, -.5, -.6 }, { -.05, .12, .02, .1, .6, .95, .6, .1 },
  { -.4, -.2, .1, .35, .45, .3, 0, -.25 }, { 2.5, 2, .3, .5, 2.5, 2, .3, .5 }, .05)
clips.run = gait(.62, 150, { -.6, -.3, .2, .75, .75, .1, -.75, -1.05 }, { .1, .35, .25, .3, 1.1, 1.7, 1.3, .45 },
  { -.9, -.5, .2, .8, 1, .6, 0, -.6 }, { 3, 4.5, 1, -2.5, 3, 4.5, 1, -2.5 }, .22)

clips.idle = { ease = "smooth", joints = {
    hips = { y = { { 0, 0 }, { 1.1, 1.4 }, { 2.2, 0 } } },
    spine = { angle = { { 0, 0 }, { 1.1, .03 } } },
    armF = { angle = { { 0, .12 }, { 1.2, .2 } } }, armB = { angle = { { 0, -.1 }, { 1, -.16 } } },
    handF = { angle = -.3 },
  },
  sprites = { eye = { { 0, "open" }, { 1.5, "shut" }, { 1.62, "open" } } } }

clips.jump = { loop = false, duration = .35, ease = "easeOut", joints = {
    hips = { y = { { 0, 6 }, { .12, 0 } } }, spine = { angle = { { 0, .3 }, { .2, .05 } } },
    thighF = { angle = { { 0, -.6 }, { .3, -1.1 } } }, shinF = { angle = { { 0, .9 }, { .3, 1.3 } } },
    thighB = { angle = { { 0, -.5 }, { .2, .35 } } }, shinB = { angle = { { 0, .9 }, { .2, .35 } } },
    footF = { angle = .5 }, footB = { angle = .7 },
    armF = { angle = { { 0, .5 }, { .25, -1.6 } } }, armB = { angle = { { 0, .7 }, { .25, 1.2 } } },
    handF = { angle = -.6 }, handB = { angle = -.4 },
  },
  sprites = { mouth = { { 0, "shout" }, { .25, "calm" } } } }

clips.fall = { duration = .5, ease = "smooth", joints = {
    spine = { angle = { { 0, .08 }, { .25, .12 } } }, head = { angle = .1 },
    thighF = { angle = -.55 }, shinF = { angle = .6 },
    thighB = { angle = { { 0, .1 }, { .25, .2 } } }, shinB = { angle = .5 },
    footF = { angle = .3 }, footB = { angle = .5 },
    armF = { angle = { { 0, -1.9 }, { .25, -2.1 } } }, armB = { angle = { { 0, 1.7 }, { .25, 1.95 } } },
    handF = { angle = -.3 }, handB = { angle = -.3 },
  } }

clips.land = { loop = false, duration = .3, ease = "smooth", joints = {
    hips = { y = { { 0, 4 }, { .07, 13 }, { .3, 0 } } },
    spine = { angle = { { 0, .2 }, { .07, .5 }, { .3, 0 } } },
    thighF = { angle = { { 0, -.5 }, { .07, -.85 }, { .3, 0 } } },
    shinF = { angle = { { 0, .6 }, { .07, 1.2 }, { .3, 0 } } },
    thighB = { angle = { { 0, -.2 }, { .07, -.55 }, { .3, 0 } } },
    shinB = { angle = { { 0, .7 }, { .07, 1.25 }, { .3, 0 } } },
    footF = { angle = { { 0, -.1 }, { .07, -.35 }, { .3, 0 } } },
    footB = { angle = { { 0, -.5 }, { .07, -.7 }, { .3, 0 } } },
    armF = { angle = { { 0, -.8 }, { .3, .1 } } }, armB = { angle = { { 0, .9 }, { .3, 0 } } },
  },
  events = { { 0, "thud" } } }

-- The blow lasts a sixth of a second: what the blade meets in that time is hit.
clips.attack = { loop = false, duration = .42, joints = {
    spine = { angle = { { 0, 0, "easeOut" }, { .14, -.3, "easeIn" }, { .22, .35, "smooth" }, { .42, 0 } } },
    armF = { angle = { { 0, .1, "easeOut" }, { .14, -2.6, "easeIn" }, { .24, -.6, "smooth" }, { .42, .1 } } },
    handF = { angle = { { 0, -.3, "easeOut" }, { .14, -1, "easeIn" }, { .24, .1, "smooth" }, { .42, -.3 } } },
    sword = { angle = { { 0, 0, "easeOut" }, { .14, -.4, "easeIn" }, { .24, 1, "smooth" }, { .42, 0 } } },
    armB = { angle = { { 0, 0 }, { .16, .8 }, { .42, 0 } } }, head = { angle = { { 0, 0 }, { .2, .1 }, { .42, 0 } } },
  },
  sprites = { mouth = { { 0, "calm" }, { .1, "shout" }, { .3, "calm" } } },
  events = { { .14, "swing" }, { time = .15, name = "hit", duration = .16 } } }

return clips
