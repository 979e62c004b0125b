-- From a posture to joints.
--
-- A posture says in human terms how somebody stands: where the hips are, which way chest and head look, where the
-- feet are, how the arms hang. It is a table of groups of numbers (metres, degrees); what is not given is 0:
--   hips          x y z (from where they are at rest), yaw pitch roll
--   chest, head   yaw pitch roll: in the world, not from the hips, so a steady head is a constant
--   face          jaw, look (eyes to the left), lower (eyes down)
--   arm.L, arm.R  swing (forward), abduct (away from the body), twist (inward), elbow, pronate (palm to the back),
--                 wrist (to the palm), deviate (to the little finger), shrug; or, as far as `reach` is 1 and not 0,
--                 the wrist's x (outward) y z from between the shoulders, the hand's yaw (outward) pitch roll from
--                 thumb up and fingers ahead, and the elbow's lift (from below the arm, outward)
--   hand.L .R     curl, index, thumb, spread
--   foot.L .R     x z (of the ankle above the ground, from the root), y (how high above it), yaw (outward),
--                 pitch (above 0 the heel is up and the foot stands on the ball, below 0 it stands on the heel),
--                 toe (up, from the sole; left out: flat on the ground), knee (outward)
--   weight        x y z: where the centre of mass is to be; the hips move until it is there
local ik = require("hero.ik")
local rig = require("hero.rig")
local space = require("hero.space")
local aboutX, aboutY, aboutZ, mul = space.aboutX, space.aboutY, space.aboutZ, space.mul

local body = {}

-- ---- figures: by joint name its place and rotation in the world

local function place(figure, name, rotation)
  local joint = rig.joint[name]
  local parent = figure[joint.parent]
  figure[name] = {
    place = space.add(parent.place, space.rotate(parent.rotation, joint.translation)),
    rotation = rotation or mul(parent.rotation, joint.rotation),
  }
  return figure[name]
end

-- Turned by as much from its rest rotation.
local function turn(figure, name, by)
  local joint = rig.joint[name]
  return place(figure, name, mul(figure[joint.parent].rotation, joint.rotation, by))
end

local ZERO = { __index = function() return 0 end }

local function group(posture, name) return setmetatable(posture[name] or {}, ZERO) end

-- ---- trunk and head

local function poseTrunk(figure, posture)
  local hips = space.attitude(group(posture, "hips"))
  local chest = space.attitude(group(posture, "chest"))
  local head = space.attitude(group(posture, "head"))
  local face = group(posture, "face")
  place(figure, "hips", hips)
  place(figure, "spine", space.slerp(hips, chest, .3))
  place(figure, "chest", space.slerp(hips, chest, .65))
  place(figure, "upper_chest", chest)
  place(figure, "neck", space.slerp(chest, head, .45))
  place(figure, "head", head)
  turn(figure, "jaw", aboutX(face.jaw))
  local eyes = mul(aboutY(face.look), aboutX(face.lower))
  turn(figure, "eye.L", eyes)
  turn(figure, "eye.R", eyes)
end

-- ---- arms

-- How far a finger is spread at spread = 1, and how its bones share a curl.
local FINGERS = { index = 1, middle = .2, ring = -.6, little = -1.4 }
local CURLS = { .8, 1.1, .7 }
local THUMB_CURLS = { .3, .8, 1 }

local function poseHand(figure, s, side, hand)
  for finger, spread in pairs(FINGERS) do
    local curl = hand.curl + (finger == "index" and hand.index or 0)
    for i, share in ipairs(CURLS) do
      local sideways = i == 1 and aboutZ(side * spread * hand.spread) or space.IDENTITY
      turn(figure, finger .. ".0" .. i .. s, mul(sideways, aboutX(curl * share)))
    end
  end
  for i, share in ipairs(THUMB_CURLS) do turn(figure, "thumb.0" .. i .. s, aboutX(hand.thumb * share)) end
end

local HANGING = aboutZ(180) -- an arm that hangs: bone down, elbow bends forward, palm to the thigh
local SHOULDERS = { 0, .11, 0 } -- the middle between them, from the joint of the upper chest

local function clamp(x, least, most) return math.max(least, math.min(most, x)) end

-- The shoulder blade goes along with the arm: up from 30 degrees on, and with the swing.
local function poseShoulder(figure, s, side, arm, direction)
  local down = space.rotate(direction, { 0, -1, 0 })
  local raised = math.deg(math.acos(clamp(-down[2], -1, 1)))
  local up = arm.shrug + .3 * math.max(0, raised - 30)
  local blade = mul(aboutZ(side * up), aboutY(-side * .12 * clamp(arm.swing, -40, 90)))
  place(figure, "shoulder" .. s, mul(figure.upper_chest.rotation, blade, rig.joint["shoulder" .. s].rotation))
end

-- Rotations of upper arm, forearm and hand from the chest: by angles, and by where the hand is to be.

local function swungArm(side, arm, direction)
  local upper = mul(direction, HANGING, aboutY(side * arm.twist))
  local lower = mul(upper, aboutX(arm.elbow))
  return upper, lower, mul(lower, aboutY(side * (90 + arm.pronate)), aboutX(arm.wrist), aboutZ(side * arm.deviate))
end

local function reachingArm(side, arm, shoulder)
  local wrist = space.add(SHOULDERS, { side * arm.x, arm.y, arm.z })
  local lift = math.rad(arm.lift)
  local pole = { side * math.sin(lift), -math.cos(lift), -.3 }
  local upper, lower = ik.twoBone(shoulder, wrist, rig.upperArm, rig.foreArm, pole)
  local hand = space.attitude({ yaw = side * arm.yaw, pitch = arm.pitch, roll = side * arm.roll })
  return upper, lower, mul(hand, space.frame({ 0, 0, 1 }, { 0, -side, 0 }))
end

-- The middle of the forearm takes half of the hand's turn about it.
local function poseTwist(figure, s)
  local lower = figure["lower_arm" .. s].rotation
  local palm = mul(figure["hand" .. s].rotation, space.inverse(rig.joint["hand" .. s].rotation))
  turn(figure, "lower_arm_twist" .. s, space.slerp(space.IDENTITY, space.aboutYOf(mul(space.inverse(lower), palm)), .5))
end

local function poseArm(figure, s, side, arm, hand)
  local chest = figure.upper_chest
  local direction = mul(aboutX(-arm.swing), aboutZ(side * arm.abduct))
  poseShoulder(figure, s, side, arm, direction)
  local upper, lower, palm = swungArm(side, arm, direction)
  if arm.reach > 0 then
    local shoulder = space.sub(place(figure, "upper_arm" .. s).place, chest.place)
    local upper2, lower2, palm2 = reachingArm(side, arm, space.rotate(space.inverse(chest.rotation), shoulder))
    upper, lower = space.slerp(upper, upper2, arm.reach), space.slerp(lower, lower2, arm.reach)
    palm = space.slerp(palm, palm2, arm.reach)
  end
  place(figure, "upper_arm" .. s, mul(chest.rotation, upper))
  place(figure, "lower_arm" .. s, mul(chest.rotation, lower))
  place(figure, "hand" .. s, mul(chest.rotation, palm))
  place(figure, "grip" .. s)
  poseTwist(figure, s)
  poseHand(figure, s, side, hand)
end

-- ---- legs

-- Where the ankle is above the ground and ahead of its point there: the foot rolls over heel or ball.
local function rolled(pitch)
  local pivot = pitch > 0 and rig.ball or rig.heel
  local s, c = math.sin(math.rad(pitch)), math.cos(math.rad(pitch))
  return rig.ankle + pivot.up + pivot.ahead * s - pivot.up * c, pivot.ahead - pivot.ahead * c - pivot.up * s
end

function body.anklePlace(side, foot)
  local up, ahead = rolled(foot.pitch or 0)
  local yaw = math.rad(side * (foot.yaw or 0))
  return { foot.x + math.sin(yaw) * ahead, (foot.y or 0) + up, foot.z + math.cos(yaw) * ahead }
end

local function poseLeg(figure, s, side, foot)
  local yaw, pitch = side * (foot.yaw or 0), foot.pitch or 0
  local hip = place(figure, "upper_leg" .. s).place
  -- The knee points between where the hips and where the foot look.
  local ahead = { math.tan(math.rad(side * (foot.knee or 0))), 0, 1 }
  local pole = space.add(space.rotate(figure.hips.rotation, ahead), space.rotate(aboutY(yaw), { 0, 0, 1 }))
  local thigh, shin = ik.twoBone(hip, body.anklePlace(side, foot), rig.thigh, rig.shin, pole)
  place(figure, "upper_leg" .. s, thigh)
  place(figure, "lower_leg" .. s, shin)
  place(figure, "foot" .. s, mul(aboutY(yaw), aboutX(pitch), rig.joint["foot" .. s].frame))
  place(figure, "heel" .. s)
  turn(figure, "toe" .. s, aboutX(-(foot.toe or math.max(0, pitch))))
  place(figure, "toe_tip" .. s)
end

-- ---- the whole

function body.centreOfMass(figure)
  local sum = { 0, 0, 0 }
  for _, row in ipairs(rig.masses) do
    local point = space.mix(figure[row[2]].place, figure[row[3]].place, row[4])
    sum = space.add(sum, space.scale(point, row[1]))
  end
  return sum
end

local function pose(posture, shift)
  local hips = group(posture, "hips")
  local figure = { root = { place = space.add({ hips.x, hips.y, hips.z }, shift), rotation = space.IDENTITY } }
  poseTrunk(figure, posture)
  figure.root.place = { 0, 0, 0 } -- it was moved to have the hips where they are to be
  for s, side in pairs({ [".L"] = 1, [".R"] = -1 }) do
    poseArm(figure, s, side, group(posture, "arm" .. s), group(posture, "hand" .. s))
    poseLeg(figure, s, side, posture["foot" .. s])
  end
  return figure
end

-- By joint name its `place` and `rotation` in the world.
function body.figure(posture)
  local weight, shift = posture.weight, { 0, 0, 0 }
  local figure = pose(posture, shift)
  for _ = 1, weight and 3 or 0 do -- the hips carry most of the mass along: a round leaves a quarter of the way or less
    local now = body.centreOfMass(figure)
    for axis, name in ipairs({ "x", "y", "z" }) do
      if weight[name] then shift[axis] = shift[axis] + 1.25 * (weight[name] - now[axis]) end
    end
    figure = pose(posture, shift)
  end
  return figure
end

local FLIPPED = { x = true, yaw = true, roll = true, look = true }

-- The posture as a mirror shows it. What is said of a limb is said from its own side already, but for a foot's x.
function body.mirror(posture)
  local mirrored = {}
  for name, from in pairs(posture) do
    local limb, side = name:match("^(.*)%.([LR])$")
    local to = {}
    for channel, value in pairs(from) do
      local flip = FLIPPED[channel] and (not side or limb == "foot" and channel == "x")
      to[channel] = flip and -value or value
    end
    mirrored[side and limb .. (side == "L" and ".R" or ".L") or name] = to
  end
  return mirrored
end

return body
