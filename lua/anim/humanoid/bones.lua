--- Which joint of a skeleton is which bone of a humanoid: by names, then by how they hang together, and where the
-- names of the sides contradict the way the body looks, by its looks.
local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end -- LuaJIT 2.1's compiler makes another map of the same skeletons; this runs once

local core = require("anim.core")
local names = require("anim.humanoid.names")
local readName = require("anim.humanoid.words")

-- --- the tree ------------------------------------------------------------------------------------

local function ancestors(skeleton, joint)
  local out = {}
  while joint do
    out[#out + 1] = joint
    joint = skeleton:getParent(joint)
  end
  return out
end

local function isBelow(skeleton, joint, above)
  while joint and joint > above do joint = skeleton:getParent(joint) end
  return joint == above
end

-- The lowest joint that all of a list hang on, or nil.
local function common(skeleton, joints)
  local best
  for _, joint in pairs(joints) do
    best = best or joint
    while best and not isBelow(skeleton, joint, best) do best = skeleton:getParent(best) end
  end
  return best
end

-- Joints below `above` down to `joint`, both ends as told.
local function path(skeleton, above, joint)
  local out = {}
  for _, at in ipairs(ancestors(skeleton, joint)) do
    if at == above then break end
    table.insert(out, 1, at)
  end
  return out
end

-- --- names ---------------------------------------------------------------------------------------

-- Joints by key, those first that carry more: no helpers, nearest to the root.
local function sortByKey(skeleton, read)
  local byKey = { left = {}, right = {}, middle = {} }
  local rank = {}
  for j = 1, #skeleton do
    local word = read[j]
    rank[j] = #ancestors(skeleton, j) + (word.isHelper and 1e6 or 0) + (word.isEnd and 1e7 or 0)
    local group = byKey[word.side or "middle"]
    group[word.key] = group[word.key] or {}
    table.insert(group[word.key], j)
  end
  for _, group in pairs(byKey) do
    for _, list in pairs(group) do
      table.sort(list, function(a, b)
        if rank[a] ~= rank[b] then return rank[a] < rank[b] end
        return a < b
      end)
    end
  end
  return byKey
end

local function pick(group, entry, taken, accept)
  local best
  for _, key in ipairs(entry) do
    for _, joint in ipairs(group[key] or {}) do
      if not taken[joint] and accept(joint) then
        if not names.topmost[entry.role] then return joint end
        best = math.min(best or joint, joint)
      end
    end
  end
  return best
end

-- What must be above what; a foot may hang anywhere, as a target of IK does.
local above = { lowerArm = "upperArm", hand = "lowerArm", lowerLeg = "upperLeg", toes = "foot" }

local function findLimbs(skeleton, group, read)
  local limbs, taken = {}, {}
  for _, entry in ipairs(names.limbs) do
    local parent = limbs[above[entry.role]]
    local joint = pick(group, entry, taken, function(joint)
      if read[joint].isEnd then return false end
      if entry.role == "shoulder" and limbs.upperArm then return isBelow(skeleton, limbs.upperArm, joint) end
      return not parent or isBelow(skeleton, joint, parent)
    end)
    if joint then limbs[entry.role], taken[joint] = joint, true end
  end
  return limbs
end

-- --- fingers -------------------------------------------------------------------------------------

local function findFingers(skeleton, hand, read)
  local fingers = {}
  for j = hand + 1, #skeleton do
    if not isBelow(skeleton, j, hand) then break end
    local word = read[j]
    local finger = word.finger
    if word.words[#word.words] == "finger" and #word.numbers > 0 then
      local number = tonumber(word.numbers[1]:sub(1, 1))
      finger = names.counted[#word.numbers > 1 and number - 1 or number]
    end
    local isBone = finger and not word.isEnd and not word.isPalm and not word.isHelper
    if isBone then
      fingers[finger] = fingers[finger] or {}
      if #fingers[finger] < 3 then table.insert(fingers[finger], j) end
    end
  end
  return fingers
end

-- --- sides ---------------------------------------------------------------------------------------

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
local function scale(a, k) return { a[1] * k, a[2] * k, a[3] * k } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function length(a) return math.sqrt(dot(a, a)) end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

-- Where the knee is in front of, between hip and foot; and where the foot points.
local function legFront(skeleton, at, leg)
  if not (leg.upperLeg and leg.lowerLeg) then return { 0, 0, 0 } end
  local toe = leg.toes
  for j = (leg.foot or #skeleton) + 1, #skeleton do
    if toe or not isBelow(skeleton, j, leg.foot) then break end
    toe = j
  end
  if leg.foot and toe then return sub(at(toe), at(leg.foot)) end
  if not leg.foot then return { 0, 0, 0 } end
  return sub(at(leg.lowerLeg), scale(add(at(leg.upperLeg), at(leg.foot)), .5))
end

-- Whether left and right are the wrong way round for a body that looks where its feet and knees point. False where
-- the rest pose does not tell.
local function isCrossed(skeleton, left, right, top)
  if not (left.upperLeg and right.upperLeg and left.foot and right.foot and top) then return false end
  local pose = core.newPose(skeleton)
  local function at(joint) return { pose:getPosition(joint) } end
  local feet = scale(add(at(left.foot), at(right.foot)), .5)
  local up = sub(at(top), feet)
  local size = length(up)
  if size == 0 then return false end
  up = scale(up, 1 / size)
  local trunk = sub(at(top), at(left.upperLeg))
  if dot(trunk, up) < .7 * length(trunk) then return false end -- nobody stands like this
  local front = add(legFront(skeleton, at, left), legFront(skeleton, at, right))
  front = sub(front, scale(up, dot(front, up)))
  local across = sub(at(left.upperLeg), at(right.upperLeg))
  local shown = cross(up, front)
  if length(front) < .01 * size or length(across) == 0 then return false end
  return dot(shown, across) < -.7 * length(shown) * length(across)
end

-- --- trunk ---------------------------------------------------------------------------------------

local function existing(...)
  local out = {}
  for i = 1, select("#", ...) do
    local joint = select(i, ...)
    if joint then out[#out + 1] = joint end
  end
  return out
end

local function findMiddle(byKey, role, accept)
  for _, entry in ipairs(names.middle) do
    if entry.role == role then return pick(byKey.middle, entry, {}, accept) end
  end
end

local function heightAbove(pose, joint, low)
  return select(2, pose:getPosition(joint)) - select(2, pose:getPosition(low))
end

-- Where the legs hang. Legs that hang on a root at the floor belong to the first joint above it.
local function findHips(skeleton, byKey, bones, arms, head)
  local legs = existing(bones.left.upperLeg, bones.right.upperLeg)
  local upper = existing(arms[1], arms[2], head)
  if #legs == 0 then
    return findMiddle(byKey, "hips", function(j) return #upper == 0 or isBelow(skeleton, upper[1], j) end)
  end
  local hips = common(skeleton, { legs[1], legs[2] or legs[1], upper[1] or legs[1] })
  if hips == legs[1] then hips = skeleton:getParent(hips) end
  local feet = existing(bones.left.foot, bones.right.foot, bones.left.lowerLeg, bones.right.lowerLeg)
  if hips and #feet > 0 and upper[1] then
    local pose = core.newPose(skeleton)
    local leg = heightAbove(pose, legs[1], feet[1])
    if leg > 0 and heightAbove(pose, hips, feet[1]) < .3 * leg then
      return path(skeleton, hips, upper[1])[1] or hips
    end
  end
  return hips
end

-- Rigify's neck and head are called spine as well: the last of those above the arms.
local function findSpineHead(byKey, accept)
  local head
  for _, joint in ipairs(byKey.middle.spine or {}) do
    if accept(joint) then head = math.max(head or joint, joint) end
  end
  return head
end

local function findTrunk(skeleton, byKey, bones, read)
  local arms = existing(bones.left.shoulder or bones.left.upperArm, bones.right.shoulder or bones.right.upperArm)
  local shoulders = common(skeleton, arms)
  local function isUpper(j)
    return not read[j].isEnd and (not shoulders or j > shoulders and isBelow(skeleton, j, shoulders))
  end
  local head = findMiddle(byKey, "head", isUpper) or #arms > 0 and findSpineHead(byKey, isUpper) or nil
  local hips = findHips(skeleton, byKey, bones, arms, head)
  bones.head, bones.hips = head, hips
  if not hips then return end
  local function underHips(j) return j ~= hips and isBelow(skeleton, j, hips) end
  if head and not underHips(head) then
    head = nil
    bones.head = nil
  end
  local neck = findMiddle(byKey, "neck", underHips)
  local tops = existing(arms[1], arms[2], neck or head)
  local chest = #tops > 0 and common(skeleton, tops)
  if chest and not underHips(chest) and (neck or head) then chest = skeleton:getParent(neck or head) end
  if chest and (chest == neck or chest == head or chest == arms[1]) then chest = skeleton:getParent(chest) end
  bones.spine = chest and underHips(chest) and path(skeleton, hips, chest) or {}
  bones.neck = {}
  if head then
    local low = chest and isBelow(skeleton, head, chest) and chest or hips
    bones.neck = path(skeleton, low, head)
    bones.neck[#bones.neck] = nil
  elseif neck then
    bones.neck = { neck }
  end
  bones.jaw = findMiddle(byKey, "jaw", function(j) return head and isBelow(skeleton, j, head) end)
end

-- The joint right above the hips that stands for the whole character.
local function findRoot(skeleton, bones, read)
  local parent = bones.hips and skeleton:getParent(bones.hips)
  if not parent then return end
  for _, entry in ipairs(names.middle) do
    for _, key in ipairs(entry) do
      if entry.role == "root" and read[parent].key == key then return parent end
    end
  end
end

--- The bones: `hips`, `head`, `jaw`, `root` are joints; `spine` and `neck` lists of them, upward; `left` and `right`
--- hold the joints of limbs by role, and `fingers`, lists by name. What is not there is nil.
return function(skeleton)
  local read = {}
  for j = 1, #skeleton do read[j] = readName(skeleton:getName(j)) end
  local byKey = sortByKey(skeleton, read)
  local bones = { spine = {}, neck = {}, left = findLimbs(skeleton, byKey.left, read),
    right = findLimbs(skeleton, byKey.right, read) }
  findTrunk(skeleton, byKey, bones, read)
  bones.root = findRoot(skeleton, bones, read)
  if isCrossed(skeleton, bones.left, bones.right, bones.head or bones.spine[#bones.spine]) then
    bones.left, bones.right = bones.right, bones.left
  end
  for _, side in ipairs({ bones.left, bones.right }) do
    side.fingers = side.hand and findFingers(skeleton, side.hand, read) or {}
  end
  return bones
end
