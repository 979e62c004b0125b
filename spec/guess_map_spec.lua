-- anim.guessMap: humanoids by the names that the world gives them, by how they hang together, by how they look.
local anim = require("anim")
local data = require("spec.support.data")
local figure = require("spec.support.figure")
local raises = require("spec.support.raises")

-- "upperArm.L" of the figure -> "upperArm", "Left"/"left"/"L"/"l" or nil.
local function parts(name)
  local bone, side = name:match("^(%a+)%.([LR])$")
  if not bone then return name end
  return bone, side
end

local function convention(middle, limbs, format)
  return function(name)
    local bone, side = parts(name)
    if not side then return middle[bone] end
    return (format:gsub("%%(%w+)", { bone = limbs[bone] or bone, Left = side == "L" and "Left" or "Right",
      left = side == "L" and "left" or "right", L = side, l = side:lower() }))
  end
end

local mixamo = { shoulder = "Shoulder", upperArm = "Arm", lowerArm = "ForeArm", hand = "Hand", upperLeg = "UpLeg",
  lowerLeg = "Leg", foot = "Foot", toes = "ToeBase" }
local unity = { shoulder = "Shoulder", upperArm = "UpperArm", lowerArm = "LowerArm", hand = "Hand",
  upperLeg = "UpperLeg", lowerLeg = "LowerLeg", foot = "Foot", toes = "Toes" }
local joints = { shoulder = "Collar", upperArm = "Shoulder", lowerArm = "Elbow", hand = "Wrist", upperLeg = "Hip",
  lowerLeg = "Knee", foot = "Ankle", toes = "Toe" }
local biped = { shoulder = "Clavicle", upperArm = "UpperArm", lowerArm = "Forearm", hand = "Hand",
  upperLeg = "Thigh", lowerLeg = "Calf", foot = "Foot", toes = "Toe0" }

local conventions = {
  ["Mixamo"] = convention({ hips = "mixamorig:Hips", spine = "mixamorig:Spine", chest = "mixamorig:Spine2",
    neck = "mixamorig:Neck", head = "mixamorig:Head" }, mixamo, "mixamorig:%Left%bone"),
  ["BVH of MotionBuilder"] = convention({ hips = "Hips", spine = "Spine", chest = "Spine1", neck = "Neck",
    head = "Head" }, mixamo, "%Left%bone"),
  ["VRM, Unity"] = convention({ hips = "hips", spine = "spine", chest = "upperChest", neck = "neck", head = "head" },
    unity, "%left%bone"),
  ["VRoid"] = convention({ hips = "J_Bip_C_Hips", spine = "J_Bip_C_Spine", chest = "J_Bip_C_UpperChest",
    neck = "J_Bip_C_Neck", head = "J_Bip_C_Head" }, unity, "J_Bip_%L_%bone"),
  ["Rigify"] = convention({ hips = "DEF-spine", spine = "DEF-spine.001", chest = "DEF-spine.003",
    neck = "DEF-spine.004", head = "DEF-spine.006" }, { shoulder = "shoulder", upperArm = "upper_arm",
    lowerArm = "forearm", hand = "hand", upperLeg = "thigh", lowerLeg = "shin", foot = "foot", toes = "toe" },
    "DEF-%bone.%L"),
  ["KayKit"] = convention({ hips = "hips", spine = "spine", chest = "chest", neck = "neck", head = "head" },
    { shoulder = "shoulder", upperArm = "upperarm", lowerArm = "lowerarm", hand = "wrist", upperLeg = "upperleg",
      lowerLeg = "lowerleg", foot = "foot", toes = "toes" }, "%bone.%l"),
  ["Unreal"] = convention({ hips = "pelvis", spine = "spine_01", chest = "spine_03", neck = "neck_01",
    head = "head" }, { shoulder = "clavicle", upperArm = "upperarm", lowerArm = "lowerarm", hand = "hand",
    upperLeg = "thigh", lowerLeg = "calf", foot = "foot", toes = "ball" }, "%bone_%l"),
  ["Quaternius"] = convention({ hips = "Body", spine = "Abdomen", chest = "Torso", neck = "Neck", head = "Head" },
    unity, "%bone.%L"),
  ["Biped"] = convention({ hips = "Bip01 Pelvis", spine = "Bip01 Spine", chest = "Bip01 Spine1",
    neck = "Bip01 Neck", head = "Bip01 Head" }, biped, "Bip01 %L %bone"),
  ["Character Creator"] = convention({ hips = "CC_Base_Hip", spine = "CC_Base_Waist", chest = "CC_Base_Spine02",
    neck = "CC_Base_NeckTwist01", head = "CC_Base_Head" }, { shoulder = "Clavicle", upperArm = "Upperarm",
    lowerArm = "Forearm", hand = "Hand", upperLeg = "Thigh", lowerLeg = "Calf", foot = "Foot", toes = "ToeBase" },
    "CC_Base_%L_%bone"),
  ["Poser"] = convention({ hips = "hip", spine = "abdomen", chest = "chest", neck = "neck", head = "head" },
    { shoulder = "Collar", upperArm = "Shldr", lowerArm = "ForeArm", hand = "Hand", upperLeg = "Thigh",
      lowerLeg = "Shin", foot = "Foot", toes = "Toe" }, "%l%bone"),
  ["CMU's ASF"] = convention({ hips = "root", spine = "lowerback", chest = "thorax", neck = "lowerneck",
    head = "head" }, { shoulder = "clavicle", upperArm = "humerus", lowerArm = "radius", hand = "hand",
    upperLeg = "femur", lowerLeg = "tibia", foot = "foot", toes = "toes" }, "%l%bone"),
  ["Names of joints"] = convention({ hips = "Hips", spine = "Chest", chest = "Chest2", neck = "Neck",
    head = "Head" }, joints, "%Left%bone"),
  ["MakeHuman"] = convention({ hips = "Root", spine = "Spine1", chest = "Spine3", neck = "Neck", head = "Head" },
    { shoulder = "Clavicle", upperArm = "UpArm", lowerArm = "LoArm", hand = "Hand", upperLeg = "UpLeg",
      lowerLeg = "LoLeg", foot = "Foot", toes = "Toe" }, "%bone_%L"),
}

local function sorted(list)
  local out = {}
  for key in pairs(list) do out[#out + 1] = key end
  table.sort(out)
  return out
end

describe("guessMap knows the names of", function()
  local rigs = {}
  for name, rename in pairs(conventions) do rigs[name] = figure.rig({ rename = rename }) end
  for _, name in ipairs(sorted(conventions)) do
    it(name, function()
      for _, other in ipairs(sorted(conventions)) do
        local map, missing = anim.guessMap(rigs[name].skeleton, rigs[other].skeleton)
        for _, joint in ipairs(figure.joints) do
          if not rigs[name].without[joint.name] then
            assert.are.equal(conventions[other](joint.name), map[conventions[name](joint.name)],
              name .. " to " .. other .. ": " .. joint.name)
          end
        end
        for _, joint in ipairs(missing) do assert.are.equal("Armature", joint) end
      end
    end)
  end
end)

-- A skeleton of names, indented by their depth; places by name, else one above the other.
local function skeleton(text, places)
  local list, stack, count = {}, {}, 0
  for line in text:gmatch("[^\n]+") do
    local indent, name = line:match("^( *)(.-) *$")
    if name ~= "" then
      local depth = #indent / 2
      count = count + 1
      local at = places and places[name] or { 0, count * .01, 0 }
      local above = stack[depth]
      local from = above and above.at or { 0, 0, 0 }
      list[#list + 1] = { name = name, parent = above and above.name,
        translation = { at[1] - from[1], at[2] - from[2], at[3] - from[3] } }
      stack[depth + 1] = { name = name, at = at }
    end
  end
  return anim.newSkeleton(list)
end

describe("guessMap", function()
  it("spreads spines: the chest is where the arms hang, the rest as far along", function()
    local short = skeleton([[
hips
  spine
    chest
      neck
        head
      upperarm.l
        lowerarm.l
      upperarm.r
        lowerarm.r
  upperleg.l
    lowerleg.l
  upperleg.r
    lowerleg.r]])
    local long = skeleton([[
pelvis
  spine_01
    spine_02
      spine_03
        spine_04
          neck_01
            neck_02
              head
          upperarm_l
            lowerarm_l
          upperarm_r
            lowerarm_r
  thigh_l
    calf_l
  thigh_r
    calf_r]])
    local map, missing = anim.guessMap(short, long)
    assert.are.equal("spine_04", map.chest)
    assert.are.equal("spine_02", map.spine)
    assert.are.equal("neck_01", map.neck)
    assert.are.equal("head", map.head)
    assert.are.same({}, missing)
    map, missing = anim.guessMap(long, short)
    assert.are.equal("chest", map.spine_04)
    assert.are.same({ "spine_01", "spine_03", "neck_02" }, missing)
  end)

  it("knows fingers by name and order, also counted ones", function()
    local function hand(root, names)
      local text = { "hips", "  chest", "    " .. root[1], "      " .. root[2], "        " .. root[3] }
      for _, name in ipairs(names) do text[#text + 1] = "          " .. name end
      return skeleton(table.concat(text, "\n"))
    end
    local mixamoHand = hand({ "LeftArm", "LeftForeArm", "LeftHand" }, { "LeftHandThumb1", "  LeftHandThumb2",
      "    LeftHandThumb3", "      LeftHandThumb4", "LeftHandIndex1", "  LeftHandIndex2", "    LeftHandIndex3",
      "LeftHandPinky1" })
    local vrm = hand({ "leftUpperArm", "leftLowerArm", "leftHand" }, { "leftThumbMetacarpal", "  leftThumbProximal",
      "    leftThumbDistal", "leftIndexMetacarpal", "  leftIndexProximal", "    leftIndexIntermediate",
      "      leftIndexDistal", "leftLittleProximal" })
    local counted = hand({ "Bip01 L UpperArm", "Bip01 L Forearm", "Bip01 L Hand" }, { "Bip01 L Finger0",
      "  Bip01 L Finger01", "    Bip01 L Finger02", "Bip01 L Finger1", "  Bip01 L Finger11", "    Bip01 L Finger12",
      "Bip01 L Finger4" })
    local map = anim.guessMap(mixamoHand, vrm)
    assert.are.equal("leftThumbMetacarpal", map.LeftHandThumb1)
    assert.are.equal("leftThumbDistal", map.LeftHandThumb3)
    assert.is_nil(map.LeftHandThumb4)
    assert.are.equal("leftIndexProximal", map.LeftHandIndex1)
    assert.are.equal("leftIndexDistal", map.LeftHandIndex3)
    assert.are.equal("leftLittleProximal", map.LeftHandPinky1)
    map = anim.guessMap(mixamoHand, counted)
    assert.are.equal("Bip01 L Finger02", map.LeftHandThumb3)
    assert.are.equal("Bip01 L Finger11", map.LeftHandIndex2)
    assert.are.equal("Bip01 L Finger4", map.LeftHandPinky1)
  end)

  it("takes no helpers, twists and ends where there is the bone itself", function()
    local rig = skeleton([[
root
  hips
    spine
      head
      ORG-upper_arm.L
        upper_arm_twist.L
        DEF-upper_arm.L
          forearm.L
            hand.L
              hand_end.L
      upper_arm.R
        forearm.R
    thigh.L
      shin.L
        foot.L
    thigh.R
      shin.R
  IK-foot.L
  foot_ik.L]])
    local map = anim.guessMap(rig, rig)
    assert.are.equal("DEF-upper_arm.L", map["DEF-upper_arm.L"])
    assert.are.equal("foot.L", map["foot.L"])
    local target = skeleton([[
hips
  spine
    head
    leftUpperArm
      leftLowerArm
        leftHand
    rightUpperArm
      rightLowerArm
  leftUpperLeg
    leftLowerLeg
      leftFoot
  rightUpperLeg
    rightLowerLeg]])
    local found, missing = anim.guessMap(rig, target)
    assert.are.equal("leftUpperArm", found["DEF-upper_arm.L"])
    assert.are.equal("leftFoot", found["foot.L"])
    assert.are.same({ "root", "ORG-upper_arm.L", "upper_arm_twist.L", "hand_end.L", "IK-foot.L", "foot_ik.L" },
      missing)
  end)

  it("goes by how the body looks where the names of the sides contradict it", function()
    local right = figure.rig()
    local crossed = figure.rig({ rename = function(name)
      return (name:gsub("%.([LR])$", function(side) return side == "L" and ".R" or ".L" end))
    end })
    local map = anim.guessMap(right.skeleton, crossed.skeleton)
    assert.are.equal("upperArm.R", map["upperArm.L"])
    assert.are.equal("toes.L", map["toes.R"])
    -- A rest pose that does not tell leaves the names as they are.
    local flat = skeleton(table.concat({ "hips", "  spine", "    head", "    upperArm.L", "      lowerArm.L",
      "    upperArm.R", "      lowerArm.R", "  upperLeg.L", "    lowerLeg.L", "      foot.L", "  upperLeg.R",
      "    lowerLeg.R", "      foot.R" }, "\n"))
    map = anim.guessMap(right.skeleton, flat)
    assert.are.equal("upperArm.L", map["upperArm.L"])
  end)

  it("also takes what has the same name on partners: tails, what is held", function()
    local a = skeleton([[
hips
  tail.001
    tail.002
  spine
    head
      hat]])
    local b = skeleton([[
Hips
  tail.001
    tail.002
  spine
    head
      hat
cape]])
    local map, missing = anim.guessMap(a, b)
    assert.are.same({ hips = "Hips", ["tail.001"] = "tail.001", ["tail.002"] = "tail.002", spine = "spine",
      head = "head", hat = "hat" }, map)
    assert.are.same({}, missing)
  end)

  it("says no to a namesake that is something else, which retarget would bind", function()
    local a = skeleton([[
Body
  Hips
    Spine
      Head
    Arm.L
      ForeArm.L
    Arm.R
      ForeArm.R
  UpLeg.L
    Leg.L
  UpLeg.R
    Leg.R]])
    local b = skeleton([[
Hips
  Body
  Spine
    Head
    Arm.L
      ForeArm.L
    Arm.R
      ForeArm.R
  UpLeg.L
    Leg.L
  UpLeg.R
    Leg.R]])
    local map = anim.guessMap(a, b)
    assert.are.equal("Hips", map.Body)
    local bound = {}
    for from, to in pairs(map) do
      if to then
        assert.is_nil(bound[to], from)
        bound[to] = from
      end
    end
    local clip = anim.newClip({ name = "c", skeleton = a, tracks = { Hips = { rotation = { times = { 0 },
      values = { 0, 0, 0, 1 } } } } })
    assert.is_true(pcall(clip.retarget, clip, b, map))
  end)

  it("of animals and of nothing", function()
    local a, b = anim.newSkeleton({ { name = "x" } }), anim.newSkeleton({ { name = "y" } })
    local map, missing = anim.guessMap(a, b)
    assert.are.same({}, map)
    assert.are.same({ "x" }, missing)
    assert.are.same({ x = "x" }, (anim.guessMap(a, a)))
  end)

  it("refuses what is no skeleton", function()
    local a = anim.newSkeleton({ { name = "x" } })
    raises.exactly("bad argument #1 to 'guessMap' (anim.Skeleton expected, got nil)", anim.guessMap, nil, a)
    raises.exactly("bad argument #2 to 'guessMap' (anim.Skeleton expected, got table)", anim.guessMap, a, {})
  end)

  it("any names, in any order, give a map that retarget takes", function()
    local check = require("spec.support.check")
    local words = { "left", "right", "L", "r", "arm", "Arm", "upper", "lower", "leg", "hip", "hips", "spine", "neck",
      "head", "hand", "finger", "index", "1", "02", "_", ".", " ", ":", "DEF-", "toe", "foot", "twist", "\195\164" }
    for seed = 1, data.slow and 300 or 30 do
      local r = check.random(seed)
      local function rig()
        local list, used = {}, {}
        for i = 1, r.integer(1, 30) do
          local name = ""
          for _ = 1, r.integer(1, 5) do name = name .. r.pick(words) end
          if used[name] then name = name .. "#" .. i end
          used[name] = true
          list[i] = { name = name, parent = i > 1 and list[r.integer(1, i - 1)].name or nil,
            translation = r.vector(1) }
        end
        return anim.newSkeleton(list)
      end
      local a, b = rig(), rig()
      local map, missing = anim.guessMap(a, b)
      local count = 0
      for _, to in pairs(map) do count = count + (to and 1 or 0) end
      assert.are.equal(#a, count + #missing)
      local clip = anim.newClip(check.randomClip(r, a))
      assert.is_true(pcall(clip.retarget, clip, b, map), "seed " .. seed)
    end
  end)
end)

describe("guessMap between real rigs", function()
  -- What some joints of the one are in the other.
  local cases = {
    { "humanoid/kaykit_adventurers/Knight.glb", "humanoid/mesh2motion/rig-human.glb", {
      root = "root", hips = "pelvis", chest = "spine_03", head = "head", ["upperarm.l"] = "upperarm_l",
      ["lowerarm.r"] = "lowerarm_r", ["wrist.l"] = "hand_l", ["upperleg.l"] = "thigh_l", ["lowerleg.r"] = "calf_r",
      ["foot.l"] = "foot_l", ["toes.r"] = "ball_r" } },
    { "humanoid/quaternius_knight/KnightCharacter.glb", "humanoid/kaykit_adventurers/Knight.glb", {
      Body = "hips", Torso = "chest", Head = "head", ["UpperArm.L"] = "upperarm.l", ["Palm.R"] = "wrist.r",
      ["LowerLeg.L"] = "lowerleg.l", ["Foot.R"] = "foot.r" } },
    { "humanoid/godot_platformer/player.glb", "humanoid/mesh2motion/rig-human.glb", {
      MASTER = "root", hip = "pelvis", chest = "spine_03", neck = "neck_01", head = "head",
      ["r-arm"] = "upperarm_l", -- its right is where the left is
      ["l-forearm"] = "lowerarm_r", ["r-foot"] = "foot_l", ["l-leg"] = "calf_r" } },
    { "humanoid/sketchbook_boxman/boxman.glb", "humanoid/kaykit_adventurers/Knight.glb", {
      body_IK = "hips", body_upper = "chest", head = "head", ["arm_lower.R"] = "lowerarm.r",
      ["leg_upper.L"] = "upperleg.l" } },
    { "humanoid/bevy_anim_graph/character_rigged.glb", "humanoid/mesh2motion/rig-human.glb", {
      spine = "pelvis", ["spine.003"] = "spine_03", ["spine.006"] = "head", ["shoulder.L"] = "clavicle_l",
      ["shin.R"] = "calf_r", ["toe.L"] = "ball_l" } },
    { "humanoid/robot_expressive/RobotExpressive.glb", "humanoid/raylib_robot/robot.glb", {
      Body = "Body", ["Foot.L"] = "Foot.L", ["Palm2.R"] = "Palm2.R", ["Middle1.L"] = "Middle1.L" } },
    { "bvh/cmu/01_01.bvh", "humanoid/mesh2motion/rig-human.glb", {
      Hips = "pelvis", Spine1 = "spine_03", Neck = "neck_01", Head = "head", LeftShoulder = "clavicle_l",
      LeftArm = "upperarm_l", RightUpLeg = "thigh_r", LeftToeBase = "ball_l", RThumb = "thumb_01_r" } },
    { "bvh/cmu/jumping_jacks.bvh", "humanoid/mesh2motion/rig-human.glb", {
      LeftCollar = "clavicle_l", LeftShoulder = "upperarm_l", LeftElbow = "lowerarm_l", RightWrist = "hand_r",
      LeftHip = "thigh_l", RightKnee = "calf_r", LeftAnkle = "foot_l" } },
    { "bvh/cmu/10_03_poser.bvh", "humanoid/mesh2motion/rig-human.glb", {
      hip = "pelvis", chest = "spine_03", rShldr = "upperarm_r", lShin = "calf_l", lMid1 = "middle_01_l" } },
    { "bvh/accad/Male1_B3_Walk.bvh", "humanoid/quaternius_knight/KnightCharacter.glb", {
      Hips = "Body", Spine1 = "Torso", LeftForeArm = "LowerArm.L", RightFoot = "Foot.R" } },
    { "bvh/cmu_iclone/002_01.bvh", "humanoid/mesh2motion/rig-human.glb", {
      CC_Base_Hip = "pelvis", CC_Base_L_Thigh = "thigh_l", CC_Base_R_Forearm = "lowerarm_r",
      CC_Base_L_ToeBase = "ball_l", CC_Base_L_Index2 = "index_02_l" } },
    { "bvh/makehuman/walk1.bvh", "humanoid/mesh2motion/rig-human.glb", {
      Root = "pelvis", Spine3 = "spine_03", UpArm_L = "upperarm_l", UpLeg_R = "thigh_r", Index2_L = "index_02_l" } },
    { "bvh/rokoko/jesse_dance.bvh", "humanoid/mesh2motion/rig-human.glb", {
      Hips = "pelvis", Spine2 = "spine_03", LeftHandIndex3 = "index_03_l", RightToeBase = "ball_r" } },
    { "humanoid/godot_xr_hands/LeftHandHumanoid.gltf", "humanoid/mesh2motion/rig-human.glb", {
      LeftHand = "hand_l", LeftThumbMetacarpal = "thumb_01_l", LeftIndexProximal = "index_01_l",
      LeftLittleDistal = "pinky_03_l" } },
  }
  for _, case in ipairs(cases) do
    local title = case[1]:match("[^/]*$") .. " to " .. case[2]:match("[^/]*$")
    if data.has(case[1]) and data.has(case[2]) then
      it(title, function()
        local map = anim.guessMap(assert(anim.load(data.path(case[1]))).skeleton,
          assert(anim.load(data.path(case[2]))).skeleton)
        for from, to in pairs(case[3]) do assert.are.equal(to, map[from], from) end
      end)
    else
      pending(title .. " (skipped: no " .. data.path(case[1]) .. ")")
    end
  end
end)
