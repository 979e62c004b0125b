--- Names of joints, taken apart.
local jit = rawget(_G, "jit")
if jit then jit.off(true, true) end -- LuaJIT 2.1's compiler makes another map of the same skeletons; this runs once

local names = require("anim.humanoid.names")

local sides = { left = "left", l = "left", right = "right", r = "right" }
local known = {}
for _, list in ipairs({ names.limbs, names.middle }) do
  for _, entry in ipairs(list) do
    for _, word in ipairs(entry) do known[word] = true end
  end
end
for word in pairs(names.fingers) do known[word] = true end

-- "LeftUpLeg_01" -> left, up, leg, 01: at signs, before capitals, between letters and digits.
local function split(name)
  local words = {}
  for part in name:gmatch("[%w\128-\255]+") do
    part = part:gsub("(%l)(%u)", "%1 %2"):gsub("(%u)(%u%l)", "%1 %2")
    part = part:gsub("(%a)(%d)", "%1 %2"):gsub("(%d)(%a)", "%1 %2")
    for word in part:gmatch("%S+") do words[#words + 1] = word:lower() end
  end
  return words
end

-- "lhumerus" -> left, humerus.
local function unglue(word)
  local side, rest = sides[word:sub(1, 1)], word:sub(2)
  if side and not known[word] and known[rest] then return side, rest end
end

--- What a name says: `side` "left", "right" or nil, `key` its words run together, `finger` the one it names, `numbers`
--- behind its last word as they are written, `isHelper`, `isEnd` (carries nothing), `isPalm` (a bone inside the hand).
return function(name)
  local bare = name:gsub("#%d+$", ""):match("([^:|]*)$")
  local out = { words = {}, numbers = {}, isHelper = name:sub(1, 2) == "__" }
  for _, word in ipairs(split(bare)) do
    local side, rest = unglue(word)
    if side then word = rest end
    side = side or sides[word]
    if word:find("^%d+$") then
      table.insert(out.numbers, word)
    elseif sides[word] then
      out.side = out.side or side
    elseif names.ends[word] then
      out.isEnd = true
    elseif names.segments[word] then
      out.segment = word
    else
      local last = out.words[#out.words]
      if names.helpers[word] or last == "hip" and word == "joint" then out.isHelper = true end
      if names.fingers[last] and word == "base" then out.isPalm = true end
      out.side = out.side or side
      if not names.idle[word] then
        out.words[#out.words + 1] = word
        out.numbers = {}
      end
    end
  end
  out.key = table.concat(out.words)
  out.finger = names.fingers[out.words[#out.words]]
  if out.segment == "metacarpal" and out.finger ~= "thumb" or out.words[1] == "in" then out.isPalm = true end
  return out
end
