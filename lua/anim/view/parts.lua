--- Which joint is what, by the names that rigs use: sides, head, hips, hands, feet, and what is no part of the body.
local parts = {}

local function set(words)
  local out = {}
  for word in words:gmatch("%S+") do out[word] = true end
  return out
end

local helperWords = set("ik pole target ctrl control controller camera light")
local endWords = set("end nub tip site")
local hipWords = set("hip hips pelvis")

--- The words of a name in lower case: "mixamorig:LeftUpLeg" is mixamorig left up leg, "LHipJoint" l hip joint.
function parts.words(name)
  local spaced = name:gsub("(%u)(%u%l)", "%1 %2"):gsub("(%l)(%u)", "%1 %2"):gsub("(%a)(%d)", "%1 %2")
    :gsub("(%d)(%a)", "%1 %2"):gsub("%W+", " "):gsub("_", " "):lower()
  local words = {}
  for word in spaced:gmatch("%S+") do
    local side, rest = word:match("^(left)(%a+)$")
    if not side then side, rest = word:match("^(right)(%a+)$") end
    if side then words[#words + 1] = side end
    words[#words + 1] = rest or word
  end
  return words
end

local function has(words, wanted)
  for _, word in ipairs(words) do
    if wanted[word] then return true end
  end
  return false
end

-- The same for a word that others are joined to: forearm, upperarm, lowerleg.
local function hasEnding(words, ending)
  for _, word in ipairs(words) do
    if word:sub(-#ending) == ending then return true end
  end
  return false
end

local function sideOf(words)
  for _, word in ipairs(words) do
    if word == "l" or word == "left" then return "L" end
    if word == "r" or word == "right" then return "R" end
  end
end

-- Joints of skins, and the ends of their chains, which skins leave out. Without skins every joint.
local function inSkins(model, skeleton, words)
  local inside, skins = {}, model.skins or {}
  for j = 1, #skeleton do inside[j] = #skins == 0 end
  for _, skin in ipairs(skins) do
    for i = 1, #skin do inside[skin:getJoint(i)] = true end
  end
  for j = 1, #skeleton do
    local parent = skeleton:getParent(j)
    if parent and inside[parent] and has(words[j], endWords) then inside[j] = true end
  end
  return inside
end

-- Joints that have names of controls, and nothing but such below them.
local function findHelpers(map)
  local helpers, holds = {}, {}
  for j = map.count, 1, -1 do
    helpers[j] = has(map.words[j], helperWords) and not holds[j]
    local parent = map.parent[j]
    if parent and not helpers[j] then holds[parent] = true end
  end
  return helpers
end

-- Of the body joints that `matches` accepts, the first of each chain.
local function topmost(map, matches)
  local out, above = {}, {}
  for j = 1, map.count do
    local parent = map.parent[j]
    local fits = map.body[j] and matches(map.words[j])
    above[j] = fits or (parent and above[parent]) or false
    if fits and not (parent and above[parent]) then out[#out + 1] = j end
  end
  return out
end

-- The same, the last of each chain.
local function lowest(map, matches)
  local out, below = {}, {}
  for j = map.count, 1, -1 do
    local parent = map.parent[j]
    local fits = map.body[j] and matches(map.words[j])
    if fits and not below[j] then table.insert(out, 1, j) end
    if parent and (fits or below[j]) then below[parent] = true end
  end
  return out
end

-- One joint of those of a side that have a common parent: three palms are one hand.
local function withoutSiblings(map, joints)
  local out, seen = {}, {}
  for _, j in ipairs(joints) do
    local key = (map.parent[j] or 0) .. (map.side[j] or "")
    if not seen[key] then out[#out + 1], seen[key] = j, true end
  end
  return out
end

local function firstOf(map, ranks)
  for _, rank in ipairs(ranks) do
    local found = withoutSiblings(map, rank.search(map, rank.matches))
    if #found > 0 then return found end
  end
  return {}
end

local function word(list)
  local wanted = set(list)
  return { search = topmost, matches = function(words) return has(words, wanted) end }
end

local function ending(text)
  return { search = lowest, matches = function(words) return hasEnding(words, text) end }
end

-- Hips by name, else the first joint of the body that branches, else its first.
local function findHips(map)
  local hips = topmost(map, function(words) return has(words, hipWords) and not sideOf(words) end)[1]
  if hips then return hips end
  local children, first = {}, nil
  for j = 1, map.count do
    local parent = map.parent[j]
    if map.body[j] and parent then children[parent] = (children[parent] or 0) + 1 end
    first = first or (map.body[j] and j)
  end
  for j = 1, map.count do
    if map.body[j] and (children[j] or 0) > 1 then return j end
  end
  return first or 1
end

-- Pairs of joints of the two sides, at the hips, then at the shoulders: square to them the body looks ahead.
local function findAcross(map)
  local pairsFound = {}
  for _, rank in ipairs({ word("thigh upleg upperleg leg femur hip"), ending("leg"),
    word("shoulder clavicle collar arm"), ending("arm") }) do
    local sides = {}
    for _, j in ipairs(topmost(map, rank.matches)) do
      local side = map.side[j]
      if side then sides[side] = sides[side] or j end
    end
    if sides.L and sides.R then pairsFound[#pairsFound + 1] = { sides.L, sides.R } end
  end
  return pairsFound
end

--- What the joints of a model are: `words`, `side` ("L", "R" or nothing) and `body` per joint, the joints `hips` and
--- `head`, the lists `feet` and `hands`, and the pairs `across`.
function parts.find(model)
  local skeleton = model.skeleton
  local map = { count = #skeleton, words = {}, side = {}, body = {}, parent = {} }
  for j = 1, #skeleton do map.words[j], map.parent[j] = parts.words(skeleton:getName(j)), skeleton:getParent(j) end
  local inside, helpers = inSkins(model, skeleton, map.words), findHelpers(map)
  for j = 1, #skeleton do
    local parent = map.parent[j]
    map.body[j] = inside[j] and not helpers[j]
    map.side[j] = sideOf(map.words[j]) or (parent and map.side[parent])
  end
  map.hips = findHips(map)
  map.head = firstOf(map, { word("head"), { search = lowest, matches = word("neck").matches } })[1]
  map.feet = firstOf(map, { word("foot feet paw hoof"), word("ankle"), word("toe toes"), ending("leg"),
    ending("calf") })
  map.hands = firstOf(map, { word("hand"), word("wrist"), word("palm"), ending("arm") })
  map.across = findAcross(map)
  return map
end

return parts
