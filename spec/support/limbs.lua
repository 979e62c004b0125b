-- How well arms and legs of a retargeted clip follow the clip it was made from: directions of upper arm, forearm, thigh
-- and shin in model space, from joint to joint, and heights of the feet.
local anim = require("anim")

local limbs = {}

limbs.bones = { { "upperArm", "lowerArm" }, { "lowerArm", "hand" }, { "upperLeg", "lowerLeg" },
  { "lowerLeg", "foot" } }

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function angle(a, b)
  local cosine = dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))
  return math.deg(math.acos(math.max(-1, math.min(1, cosine))))
end

local function place(pose, name, turn)
  local x, y, z = pose:getPosition(name)
  return turn and turn(x, y, z) or { x, y, z }
end

--- Angles in degrees, { worst =, mean = } by bone, at `count` times all over the clip. `bones(skeleton)` gives the
--- joints (lua/anim/humanoid/bones.lua); `turn(x, y, z)` turns the source's model space into the target's (or nil).
function limbs.angles(clip, made, map, bones, turn, count)
  local from, to = clip:getSkeleton(), made:getSkeleton()
  local a, b, own = anim.newPose(from), anim.newPose(to), bones(from)
  local out = {}
  for i = 0, count do
    local time = clip:getDuration() * i / count
    clip:sample(time, a)
    made:sample(time, b)
    for _, side in ipairs({ own.left, own.right }) do
      for _, bone in ipairs(limbs.bones) do
        local upper = side[bone[1]] and from:getName(side[bone[1]])
        local lower = side[bone[2]] and from:getName(side[bone[2]])
        if upper and lower and map[upper] and map[lower] then
          local off = angle(sub(place(a, lower, turn), place(a, upper, turn)),
            sub(place(b, map[lower]), place(b, map[upper])))
          local row = out[bone[1]] or { worst = 0, sum = 0, count = 0 }
          row.worst, row.sum, row.count = math.max(row.worst, off), row.sum + off, row.count + 1
          row.mean = row.sum / row.count
          out[bone[1]] = row
        end
      end
    end
  end
  return out
end

--- How far the lower of a foot's joints is above where it is at rest, over both feet: lowest and highest over the clip,
--- in parts of the legs' height.
function limbs.floor(made, bones, count)
  local skeleton = made:getSkeleton()
  local pose, own, rest = anim.newPose(skeleton), bones(skeleton), {}
  local joints, leg = {}, 0
  for _, side in ipairs({ own.left, own.right }) do
    for _, role in ipairs({ "foot", "toes" }) do joints[#joints + 1] = side[role] end
    if side.upperLeg then leg = math.max(leg, select(2, pose:getPosition(side.upperLeg))) end
  end
  for _, joint in ipairs(joints) do rest[joint] = select(2, pose:getPosition(joint)) end
  local low, high = math.huge, -math.huge
  for i = 0, count do
    made:sample(made:getDuration() * i / count, pose)
    local lowest = math.huge
    for _, joint in ipairs(joints) do
      lowest = math.min(lowest, (select(2, pose:getPosition(joint)) - rest[joint]) / leg)
    end
    low, high = math.min(low, lowest), math.max(high, lowest)
  end
  return low, high
end

--- Pairs of the data directory: file, clip, target, what turns the source upright.
local function zUp(x, y, z) return { x, z, -y } end
limbs.cases = {
  { "humanoid/kaykit_adventurers/Knight.glb", "Walking_A", "humanoid/mesh2motion/rig-human.glb" },
  { "humanoid/kaykit_adventurers/Knight.glb", "Running_A", "humanoid/quaternius_knight/KnightCharacter.glb" },
  { "humanoid/quaternius_knight/KnightCharacter.glb", "HumanArmature|Walking",
    "humanoid/kaykit_adventurers/Knight.glb" },
  { "humanoid/robot_expressive/RobotExpressive.glb", "Walking", "humanoid/mesh2motion/rig-human.glb" },
  { "humanoid/raylib_robot/robot.glb", "Robot_Running", "humanoid/bevy_anim_graph/character_rigged.glb" },
  { "humanoid/bevy_anim_graph/character_rigged.glb", "Walk", "humanoid/raylib_robot/robot.glb" },
  { "humanoid/godot_platformer/player.glb", "walk", "humanoid/mesh2motion/rig-human.glb" },
  { "humanoid/kaykit_adventurers/Knight.glb", "Walking_A", "humanoid/godot_platformer/player.glb" },
  { "humanoid/quaternius_platformer/Character.gltf", "Walk", "humanoid/mesh2motion/rig-human.glb" },
  { "humanoid/sketchbook_boxman/boxman.glb", "run", "humanoid/kaykit_adventurers/Knight.glb" },
  { "bvh/cmu/01_01.bvh", 1, "humanoid/mesh2motion/rig-human.glb" },
  { "bvh/cmu/10_03_poser.bvh", 1, "humanoid/mesh2motion/rig-human.glb" },
  { "bvh/cmu/jumping_jacks.bvh", 1, "humanoid/raylib_robot/robot.glb" },
  { "bvh/accad/Male1_B3_Walk.bvh", 1, "humanoid/mesh2motion/rig-human.glb" },
  { "bvh/accad/Male1_C03_Run.bvh", 1, "humanoid/quaternius_knight/KnightCharacter.glb" },
  { "bvh/cmu_iclone/002_01.bvh", 1, "humanoid/bevy_anim_graph/character_rigged.glb" },
  { "bvh/fair/jumping.bvh", 1, "humanoid/mesh2motion/rig-human.glb", zUp },
  { "bvh/makehuman/walk1.bvh", 1, "humanoid/mesh2motion/rig-human.glb", zUp },
  { "bvh/rokoko/jesse_dance.bvh", 1, "humanoid/mesh2motion/rig-human.glb" },
}

return limbs
