--- What the page has to know of a figure, whatever it shows of it. Joints are counted from 0 there.
local core = require("anim.core")
local digits = require("anim.view.digits")
local Frame = require("anim.view.frame")
local take = require("anim.view.take")

local figure = {}

local function zeroBased(joints)
  local out = {}
  for i, j in ipairs(joints) do out[i] = j - 1 end
  return out
end

local function distance(pose, a, b)
  local ax, ay, az = pose:getPosition(a)
  local bx, by, bz = pose:getPosition(b)
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + (az - bz) ^ 2)
end

-- How the bone from its parent to each joint is drawn, a letter a joint: b as body, h faintly, n not at all. Bones
-- between roots that lie away from the hips, mostly on the ground, and what hangs on them are none of the body.
local function bones(map, size, pose)
  local out, isAbove = {}, {}
  local above, isFar = map.parent[map.hips], false
  while above do
    isFar = isFar or distance(pose, above, map.hips) > 0.2 * size
    isAbove[above] = isFar
    above = map.parent[above]
  end
  for j = 1, map.count do
    local parent = map.parent[j]
    local isBody = parent and map.body[j] and map.body[parent] and not isAbove[parent]
    out[j] = not parent and "n" or isBody and "b" or "h"
  end
  return table.concat(out)
end

local function describeJoints(skeleton, map)
  local names, parents, rest, sides = {}, {}, {}, {}
  for j = 1, #skeleton do
    names[j] = skeleton:getName(j)
    parents[j] = (map.parent[j] or 0) - 1
    for _, x in ipairs({ skeleton:getRest(j) }) do rest[#rest + 1] = x end
    sides[j] = map.side[j] or "C"
  end
  return names, parents, rest, table.concat(sides)
end

--- The box of a Frame as the page has it.
function figure.box(box) return box[1] <= box[4] and box or { 0, 0, 0, 0, 0, 0 } end

--- `map` is what parts.find gives, `pose` one that it takes: what hangs on the body is seen in it.
function figure.describe(skeleton, map, size, unit, pose)
  local rest = Frame.new(map)
  rest:add(core.newPose(skeleton))
  local names, parents, restValues, sides = describeJoints(skeleton, map)
  return {
    size = size, names = names, parents = parents, rest = restValues, sides = sides, bones = bones(map, size, pose),
    hips = map.hips - 1, head = (map.head or 0) - 1, feet = zeroBased(map.feet), hands = zeroBased(map.hands),
    box = figure.box(rest.box), near = figure.box(rest.near), across = rest.across,
    blockFrames = take.blockFrames, mostRate = take.rate,
    units = { turn = take.turnUnit, move = unit, scale = take.scaleUnit },
    digits = { alphabet = digits.alphabet, forms = digits.forms },
  }, rest
end

return figure
