-- The skeleton: 64 joints of a person of 1.75 m who stands in a T pose, faces +Z and has the left hand at +X.
--
-- Written down are places in the world, as one would measure them on a person. In a limb a joint's own +Y runs along
-- its bone and +X is the axis it bends about, so that a bend is the same number left and right; the joints of the
-- trunk stand upright, with +X to the left. The right side is the mirror image of the left.
local space = require("hero.space")

-- { name, parent, place, the bone points at this joint or place, axis of bending }
local BACK, DOWN, LEFT = { 0, 0, -1 }, { 0, -1, 0 }, { 1, 0, 0 }
local THUMB = { .4, .69, -.15 }

local middle = {
  { "root", nil, { 0, 0, 0 } },
  { "hips", "root", { 0, .97, -.005 } },
  { "spine", "hips", { 0, 1.07, -.012 } },
  { "chest", "spine", { 0, 1.195, -.018 } },
  { "upper_chest", "chest", { 0, 1.32, -.026 } },
  { "neck", "upper_chest", { 0, 1.475, -.03 } },
  { "head", "neck", { 0, 1.565, -.01 } },
  { "jaw", "head", { 0, 1.59, .015 } },
}

local left = {
  { "eye", "head", { .032, 1.655, .075 } },

  { "shoulder", "upper_chest", { .025, 1.43, .01 }, "upper_arm", DOWN },
  { "upper_arm", "shoulder", { .185, 1.43, -.02 }, "lower_arm", DOWN },
  { "lower_arm", "upper_arm", { .475, 1.43, -.028 }, "hand", DOWN },
  { "lower_arm_twist", "lower_arm", { .605, 1.43, -.024 }, "hand", DOWN },
  { "hand", "lower_arm", { .735, 1.43, -.02 }, "middle.01", BACK },
  { "grip", "hand", { .815, 1.405, 0 }, { .815, 1.405, 1 }, DOWN }, -- what the hand holds points along +Y

  { "thumb.01", "hand", { .755, 1.415, .012 }, "thumb.02", THUMB },
  { "thumb.02", "thumb.01", { .784, 1.406, .047 }, "thumb.03", THUMB },
  { "thumb.03", "thumb.02", { .807, 1.4, .07 }, { .828, 1.396, .088 }, THUMB },
  { "index.01", "hand", { .825, 1.43, .006 }, "index.02", BACK },
  { "index.02", "index.01", { .868, 1.43, .008 }, "index.03", BACK },
  { "index.03", "index.02", { .893, 1.43, .009 }, { .915, 1.43, .01 }, BACK },
  { "middle.01", "hand", { .83, 1.432, -.016 }, "middle.02", BACK },
  { "middle.02", "middle.01", { .876, 1.432, -.016 }, "middle.03", BACK },
  { "middle.03", "middle.02", { .904, 1.432, -.016 }, { .927, 1.432, -.016 }, BACK },
  { "ring.01", "hand", { .825, 1.43, -.037 }, "ring.02", BACK },
  { "ring.02", "ring.01", { .867, 1.43, -.039 }, "ring.03", BACK },
  { "ring.03", "ring.02", { .893, 1.43, -.04 }, { .915, 1.43, -.041 }, BACK },
  { "little.01", "hand", { .815, 1.425, -.055 }, "little.02", BACK },
  { "little.02", "little.01", { .848, 1.425, -.058 }, "little.03", BACK },
  { "little.03", "little.02", { .868, 1.425, -.06 }, { .887, 1.425, -.062 }, BACK },

  { "upper_leg", "hips", { .09, .925, 0 }, "lower_leg", LEFT },
  { "lower_leg", "upper_leg", { .09, .5, .008 }, "foot", LEFT },
  { "foot", "lower_leg", { .09, .085, -.012 }, "toe", LEFT },
  { "heel", "foot", { .09, 0, -.07 }, { .09, 0, 1 }, LEFT },
  { "toe", "foot", { .09, .02, .115 }, { .09, .02, 1 }, LEFT },
  { "toe_tip", "toe", { .09, .01, .185 }, { .09, .01, 1 }, LEFT },
}

-- 0 - x and not -x: of the zeros that some Lua has, none is negative.
local function mirrored(rotation) return { rotation[1], 0 - rotation[2], 0 - rotation[3], rotation[4] } end

local placeOf = {}
for _, list in ipairs({ middle, left }) do
  for _, row in ipairs(list) do placeOf[row[1]] = row[3] end
end

local rig = {
  joints = {}, -- in the order above: { name =, parent =, place =, frame = in the world, translation =, rotation = }
  joint = {}, -- by name
}

local function add(name, parent, place, frame)
  local above = rig.joint[parent]
  local joint = { name = name, parent = parent, place = place, frame = frame, translation = place, rotation = frame }
  if above then
    local back = space.inverse(above.frame)
    joint.translation = space.rotate(back, space.sub(place, above.place))
    joint.rotation = space.mul(back, frame)
  end
  rig.joints[#rig.joints + 1], rig.joint[name] = joint, joint
end

for _, row in ipairs(middle) do add(row[1], row[2], row[3], space.IDENTITY) end

for _, side in ipairs({ "L", "R" }) do
  for _, row in ipairs(left) do
    local name, parent, place, tip, hinge = row[1], row[2], row[3], row[4], row[5]
    local frame = space.IDENTITY
    if tip then frame = space.frame(space.sub(placeOf[tip] or tip, place), hinge) end
    if side == "R" then
      place, frame = { 0 - place[1], place[2], place[3] }, mirrored(frame)
    end
    add(name .. "." .. side, rig.joint[parent] and parent or parent .. "." .. side, place, frame)
  end
end

local function distance(a, b) return space.length(space.sub(placeOf[a], placeOf[b])) end

rig.thigh = distance("upper_leg", "lower_leg")
rig.shin = distance("lower_leg", "foot")
rig.upperArm = distance("upper_arm", "lower_arm")
rig.foreArm = distance("lower_arm", "hand")

-- How high the ankle is, and what the foot rolls over, from there, when it stands flat.
local function fromAnkle(name)
  local way = space.sub(placeOf[name], placeOf.foot)
  return { ahead = way[3], up = way[2] }
end

rig.ankle = placeOf.foot[2]
rig.heel = fromAnkle("heel")
rig.ball = fromAnkle("toe")

-- Where the weight is: share of the body's mass, at which part of the way between two joints (after D. Winter,
-- Biomechanics and Motor Control of Human Movement, table 4.1).
rig.masses = {
  { .142, "hips", "spine", .1 }, { .139, "spine", "chest", .5 }, { .216, "chest", "neck", .55 },
  { .081, "neck", "head", 1.4 },
}
for _, side in ipairs({ ".L", ".R" }) do
  for _, row in ipairs({
    { .028, "upper_arm", "lower_arm", .44 }, { .016, "lower_arm", "hand", .43 }, { .006, "hand", "middle.01", .8 },
    { .1, "upper_leg", "lower_leg", .43 }, { .0465, "lower_leg", "foot", .43 }, { .0145, "foot", "toe", .5 },
  }) do
    rig.masses[#rig.masses + 1] = { row[1], row[2] .. side, row[3] .. side, row[4] }
  end
end

-- What anim.newSkeleton takes.
function rig.describe()
  local list = {}
  for i, joint in ipairs(rig.joints) do
    list[i] = { name = joint.name, parent = joint.parent, translation = joint.translation, rotation = joint.rotation }
  end
  return list
end

return rig
