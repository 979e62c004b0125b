--- What the joints of humanoids are called: Mixamo, VRM and Unity, Rigify, Unreal, KayKit, Quaternius, Character
-- Creator, Biped, Poser, CMU's ASF names and BVH as MotionBuilder and others write it. Names are compared as words
-- without sides, numbers and signs, run together: "mixamorig:LeftUpLeg", "thigh_l" and "DEF-thigh.L" are "upleg",
-- "thigh" and "thigh". The spine needs no names: it is what leads from the legs to the arms.
local names = {}

--- Words that say nothing: prefixes of rigs, and what joints of all kinds are called.
names.idle = { mixamorig = true, def = true, cc = true, base = true, bip = true, biped = true, valve = true, j = true,
  c = true, b = true, jnt = true, joint = true, bone = true, sk = true, bind = true, f = true }

--- Joints that only help others: taken where there is no other of that name.
names.helpers = { org = true, mch = true, ctrl = true, ik = true, fk = true, roll = true, twist = true, share = true }

--- What ends a chain and carries nothing.
names.ends = { ["end"] = true, tip = true, leaf = true, nub = true, site = true }

--- Per joint of a limb, the likelier name first: a "shoulder" is an upper arm only where nothing else is.
names.limbs = {
  { role = "upperArm", "upperarm", "armupper", "uparm", "humerus", "shldr", "arm", "bicep", "shoulder" },
  { role = "shoulder", "clavicle", "collar", "collarbone", "shoulder" },
  { role = "lowerArm", "lowerarm", "armlower", "loarm", "lowarm", "forearm", "radius", "elbow" },
  { role = "hand", "wrist", "hand", "palm", "fist" },
  { role = "upperLeg", "upperleg", "legupper", "upleg", "thigh", "femur", "hip", "leg" },
  { role = "lowerLeg", "lowerleg", "leglower", "loleg", "lowleg", "calf", "shin", "tibia", "knee", "leg" },
  { role = "foot", "foot", "ankle" },
  { role = "toes", "toes", "toe", "toebase", "ball" },
  { role = "eye", "eye", "eyeball" },
}

--- Of two joints with these names the one nearer to the root is taken: a palm after a wrist is part of the hand.
names.topmost = { hand = true, toes = true }

names.middle = {
  { role = "hips", "hips", "hip", "pelvis" },
  { role = "head", "head" },
  { role = "neck", "neck", "lowerneck", "necktwist", "upperneck" },
  { role = "jaw", "jaw", "jawroot" },
  { role = "root", "root", "master", "reference", "trajectory", "motion" },
}

names.fingers = { thumb = "thumb", index = "index", middle = "middle", mid = "middle", ring = "ring", pinky = "pinky",
  little = "pinky", fingers = "fingers", finger = "fingers" }

--- Fingers that are counted from the thumb: Biped's Finger0, Finger01 (the thumb's second), Finger1; MakeHuman's
--- finger1-1, finger1-2, finger2-1, one higher.
names.counted = { [0] = "thumb", "index", "middle", "ring", "pinky" }

--- Bones of a finger, which may follow its name. Those inside the palm have no partner elsewhere.
names.segments = { metacarpal = true, proximal = true, intermediate = true, distal = true, medial = true }

return names
