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
--                 roll, toe (up, from the sole; left out: flat on the ground), knee (outward)
--   weight        x y z: where the centre of mass is to be; the hips move until it is there
local ik = require("hero.ik")
local rig = require("hero.rig")
local space = require("hero.space")
local aboutX, aboutY, aboutZ, mul = space.aboutX, space.aboutY, space.aboutZ, space.mul

local body = {}

-- ---- feet

-- Where the ankle is, from the point of the ground under it: { up, ahead }. The foot rolls over heel or ball.
function body.ankleOf(pitch)
  local pivot = pitch > 0 and rig.ball or rig.heel
  local a = math.rad(pitch)
  local ahead, up = -pivot[1], -pivot[2]
  return rig.ankle + pivot[2] - ahead * math.sin(a) + up * math.cos(a),
    pivot[1] + ahead * math.cos(a) + up * math.sin(a)
end

local function outward(side, foot) return side * (foot.yaw or 0) end

local function footAttitude(side, foot)
  return space.attitude({ yaw = outward(side, foot), pitch = foot.pitch or 0, roll = side * (foot.roll or 0) })
end

function body.anklePlace(side, foot)
  local up, ahead = body.ankleOf(foot.pitch or 0)
  local yaw = math.rad(outward(side, foot))
  return { foot.x + math.sin(yaw) * ahead, (foot.y or 0) + up, foot.z + math.cos(yaw) * ahead }
end

-- ---- the joints, parents first

local function place(figure, name, rotation)
  local joint = rig.joint[name]
  local parent = figure[joint.parent]
  figure[name] = {
    place = space.add(parent.place, space.rotate(parent.rotation, joint.translation)),
    rotation = rotation or mul(parent.rotation, joint.rotation),
  }
  return figure[name]
end

local function turn(figure, name, by)
  local joint = rig.joint[name]
  return place(figure, name, mul(figure[joint.parent].rotation, joint.rotation, by))
end

local NONE = setmetatable({}, { __index = function() return 0 end })

local function group(posture, name)
  local g = posture[name]
  return g and setmetatable(g, getmetatable(NONE)) or NONE
end

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

-- How the bones of the four fingers share a curl, and how far they are spread at spread = 1.
local FINGERS = { index = 1, middle = .2, ring = -.6, little = -1.4 }
local CURLS = { .8, 1.1, .7 }

local function poseHand(figure, s, side, hand)
  for finger, spread in pairs(FINGERS) do
    local curl = hand.curl + (finger == "index" and hand.index or 0)
    for i, share in ipairs(CURLS) do
      local sideways = i == 1 and aboutZ(side * spread * hand.spread) or space.IDENTITY
      turn(figure, finger .. ".0" .. i .. s, mul(sideways, aboutX(curl * share)))
    end
  end
  for i, share in ipairs({ .3, .8, 1 }) do turn(figure, "thumb.0" .. i .. s, aboutX(hand.thumb * share)) end
end

local HANGING = aboutZ(180) -- an arm that hangs: bone down, elbow bends forward, palm to the thigh
local SHOULDERS = { 0, .11, 0 } -- the middle between them, from the joint of the upper chest

-- The shoulder blade goes along with the arm: up from 30 degrees on, and with the swing.
local function poseShoulder(figure, s, side, arm, direction)
  local down = space.rotate(direction, { 0, -1, 0 })
  local raised = math.deg(math.acos(math.max(-1, math.min(1, -down[2]))))
  local up = arm.shrug + .3 * math.max(0, raised - 30)
  local ahead = .12 * math.max(-40, math.min(90, arm.swing))
  local blade = mul(aboutZ(side * up), aboutY(-side * ahead))
  place(figure, "shoulder" .. s, mul(figure.upper_chest.rotation, blade, rig.joint["shoulder" .. s].rotation))
end

-- Half of the hand's turn about the forearm, taken from the hand's rotation by leaving only what is about +Y.
local function twisted(figure, s)
  local lower = figure["lower_arm" .. s].rotation
  local rest = rig.joint["hand" .. s].rotation
  local turned = mul(space.inverse(lower), figure["hand" .. s].rotation, space.inverse(rest))
  local size = math.sqrt(turned[2] ^ 2 + turned[4] ^ 2)
  if size < 1e-6 then return lower end
  local twist = { 0, turned[2] / size, 0, turned[4] / size }
  return mul(lower, space.slerp(space.IDENTITY, twist, .5))
end

-- Rotations of upper arm, forearm and hand from the chest, by angles and by where the hand is to be.
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

local function poseArm(figure, s, side, arm, hand)
  local chest = figure.upper_chest
  local direction = mul(aboutX(-arm.swing), aboutZ(side * arm.abduct))
  poseShoulder(figure, s, side, arm, direction)
  local upper, lower, palm = swungArm(side, arm, direction)
  if arm.reach > 0 then
    local shoulder = place(figure, "upper_arm" .. s).place
    local from = space.rotate(space.inverse(chest.rotation), space.sub(shoulder, chest.place))
    local upper2, lower2, palm2 = reachingArm(side, arm, from)
    upper, lower = space.slerp(upper, upper2, arm.reach), space.slerp(lower, lower2, arm.reach)
    palm = space.slerp(palm, palm2, arm.reach)
  end
  place(figure, "upper_arm" .. s, mul(chest.rotation, upper))
  place(figure, "lower_arm" .. s, mul(chest.rotation, lower))
  place(figure, "hand" .. s, mul(chest.rotation, palm))
  place(figure, "lower_arm_twist" .. s, twisted(figure, s))
  place(figure, "grip" .. s)
  poseHand(figure, s, side, hand)
end

local function poseLeg(figure, s, side, foot)
  local attitude = footAttitude(side, foot)
  local hip = place(figure, "upper_leg" .. s).place
  local ankle = body.anklePlace(side, foot)
  -- The knee points between where the hips and where the foot look.
  local hips = figure.hips.rotation
  local pole = space.add(space.rotate(hips, { math.tan(math.rad(side * (foot.knee or 0))), 0, 1 }),
    space.rotate(aboutY(outward(side, foot)), { 0, 0, 1 }))
  local thigh, shin, missing = ik.twoBone(hip, ankle, rig.thigh, rig.shin, pole)
  place(figure, "upper_leg" .. s, thigh)
  place(figure, "lower_leg" .. s, shin)
  place(figure, "foot" .. s, mul(attitude, rig.joint["foot" .. s].frame))
  place(figure, "heel" .. s)
  turn(figure, "toe" .. s, aboutX(-(foot.toe or math.max(0, foot.pitch or 0))))
  place(figure, "toe_tip" .. s)
  return missing
end

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
  local figure = { root = { place = { 0, 0, 0 }, rotation = space.IDENTITY } }
  figure.root.place = space.add({ hips.x, hips.y, hips.z }, shift) -- for the hips to find, and put back below
  poseTrunk(figure, posture)
  figure.root.place = { 0, 0, 0 }
  figure.missing = 0
  for s, side in pairs({ [".L"] = 1, [".R"] = -1 }) do
    poseArm(figure, s, side, group(posture, "arm" .. s), group(posture, "hand" .. s))
    figure.missing = math.max(figure.missing, poseLeg(figure, s, side, posture["foot" .. s]))
  end
  return figure
end

-- The figure of a posture: by joint name its `place` and `rotation` in the world; `missing` is how far a foot was
-- out of reach.
function body.figure(posture)
  local weight = posture.weight
  local shift = { 0, 0, 0 }
  local figure = pose(posture, shift)
  if not weight then return figure end
  for _ = 1, 3 do -- the hips carry most of the mass along: each round leaves a quarter of the distance or less
    local now = body.centreOfMass(figure)
    for axis, name in ipairs({ "x", "y", "z" }) do
      if weight[name] then shift[axis] = shift[axis] + 1.25 * (weight[name] - now[axis]) end
    end
    figure = pose(posture, shift)
  end
  return figure
end

local FLIPPED = { x = true, yaw = true, roll = true, look = true }

-- The posture as a mirror shows it. What is said of a left or right limb is said from its own side already.
function body.mirror(posture)
  local mirrored = {}
  for name, from in pairs(posture) do
    local base, side = name:match("^(.*)%.([LR])$")
    local to = {}
    for channel, value in pairs(from) do
      local flip = FLIPPED[channel] and (not side or base == "foot" and channel == "x")
      to[channel] = flip and -value or value
    end
    mirrored[side and base .. (side == "L" and ".R" or ".L") or name] = to
  end
  return mirrored
end

return body
