--- anim.guessMap: which joint of one skeleton is which of another.
local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end -- LuaJIT 2.1's compiler makes another map of the same skeletons; this runs once

local core = require("anim.core")
local findBones = require("anim.humanoid.bones")

local roles = { "shoulder", "upperArm", "lowerArm", "hand", "upperLeg", "lowerLeg", "foot", "toes", "eye" }
local fingers = { "thumb", "index", "middle", "ring", "pinky", "fingers" }

local function kindOf(value)
  local meta = type(value) == "userdata" and getmetatable(value)
  return meta and meta.__name or type(value)
end

local function expectSkeleton(value, index)
  if kindOf(value) ~= "anim.Skeleton" then
    error(("bad argument #%d to 'guessMap' (anim.Skeleton expected, got %s)"):format(index, kindOf(value)), 3)
  end
end

-- How far along the way from `first` each joint of a chain is, 0 to 1; lengths of bones do not depend on the pose.
local function fractions(skeleton, first, chain)
  local pose, sum, out = core.newPose(skeleton), 0, {}
  local x, y, z = pose:getPosition(first)
  for i, joint in ipairs(chain) do
    local a, b, c = pose:getPosition(joint)
    sum = sum + math.sqrt((a - x) ^ 2 + (b - y) ^ 2 + (c - z) ^ 2)
    x, y, z, out[i] = a, b, c, sum
  end
  for i in ipairs(out) do out[i] = sum > 0 and out[i] / sum or i / #out end
  return out
end

local function reversed(list)
  local out = {}
  for i = #list, 1, -1 do out[#out + 1] = list[i] end
  return out
end

-- Joints of the shorter chain with those of the longer: the first with the first, the others where they are nearest
-- to as far along, in order. `pairUp(short, long)`.
local function spread(pairUp, short, long, alongShort, alongLong)
  local at = 0
  for i = 1, #short do
    local best = at + 1
    for k = best + 1, i == 1 and 1 or #long - (#short - i) do
      if math.abs(alongLong[k] - alongShort[i]) < math.abs(alongLong[best] - alongShort[i]) then best = k end
    end
    at = best
    pairUp(short[i], long[at])
  end
end

-- Chains of any length, from `firstA` and `firstB` upward. `isFromTop`: their ends belong together, else their
-- beginnings.
local function pairChains(pairUp, a, b, firstA, firstB, chainA, chainB, isFromTop)
  local alongA, alongB = fractions(a, firstA, chainA), fractions(b, firstB, chainB)
  if isFromTop then
    chainA, chainB, alongA, alongB = reversed(chainA), reversed(chainB), reversed(alongA), reversed(alongB)
  end
  if #chainA <= #chainB then
    spread(pairUp, chainA, chainB, alongA, alongB)
  else
    spread(function(short, long) pairUp(long, short) end, chainB, chainA, alongB, alongA)
  end
end

local function pairSides(pairUp, a, b)
  for _, role in ipairs(roles) do pairUp(a[role], b[role]) end
  for _, finger in ipairs(fingers) do
    for i, joint in ipairs(a.fingers[finger] or {}) do pairUp(joint, (b.fingers[finger] or {})[i]) end
  end
end

-- "mixamorig:Hips" without what stands before the colon.
local function bare(name) return name:match("([^:|]*)$") end

local function nearest(skeleton, joint, partner)
  local parent = skeleton:getParent(joint)
  while parent and not partner[parent] do parent = skeleton:getParent(parent) end
  return parent
end

-- Joints of the same name that hang on partners: tails, ears, what is held. What hangs beside a body's hips are targets
-- and controls of the program that it was made with.
local function pairByName(pairUp, a, b, partnerOfA, partnerOfB, hips)
  local byName, isIn = {}, {}
  for j = #b, 1, -1 do byName[bare(b:getName(j))] = j end
  for j = 1, #a do
    isIn[j] = not hips or j == hips or isIn[a:getParent(j)] or false
    local other = b:find(a:getName(j)) or byName[bare(a:getName(j))]
    if isIn[j] and other and not partnerOfA[j] and not partnerOfB[other] then
      local above, otherAbove = nearest(a, j, partnerOfA), nearest(b, other, partnerOfB)
      if (above and partnerOfA[above]) == otherAbove then pairUp(j, other) end
    end
  end
end

--- The map for `clip:retarget` from clips of `a` to `b`, and the names of the joints of `a` that are not in it.
local function guessMap(a, b)
  expectSkeleton(a, 1)
  expectSkeleton(b, 2)
  local partnerOfA, partnerOfB = {}, {}
  local function pairUp(joint, other)
    if joint and other and not partnerOfA[joint] and not partnerOfB[other] then
      partnerOfA[joint], partnerOfB[other] = other, joint
    end
  end
  local from, to = findBones(a), findBones(b)
  pairUp(from.root, to.root)
  pairUp(from.hips, to.hips)
  if from.hips and to.hips then
    pairChains(pairUp, a, b, from.hips, to.hips, from.spine, to.spine, true)
    local chestA, chestB = from.spine[#from.spine] or from.hips, to.spine[#to.spine] or to.hips
    pairChains(pairUp, a, b, chestA, chestB, from.neck, to.neck, false)
  end
  pairUp(from.head, to.head)
  pairUp(from.jaw, to.jaw)
  pairSides(pairUp, from.left, to.left)
  pairSides(pairUp, from.right, to.right)
  pairByName(pairUp, a, b, partnerOfA, partnerOfB, to.hips and from.hips)

  local map, missing = {}, {}
  for j = 1, #a do
    local name, other = a:getName(j), partnerOfA[j]
    if other then
      map[name] = b:getName(other)
    else
      missing[#missing + 1] = name
      local namesake = b:find(name)
      if namesake and not partnerOfB[namesake] then map[name] = false end -- or retarget would bind it by name
    end
  end
  return map, missing
end

return guessMap
