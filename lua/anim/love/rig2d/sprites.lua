--- What is drawn on the joints of a 2D rig, checked, and worked out as far as it can be without a screen.
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local joints = require("anim.love.rig2d.joints")
local shapes = require("anim.love.rig2d.shapes")

local sprites = {}

sprites.mostJoints = 32 -- of a mesh: two vec4 each, within what every card has room for

local lookKeys = { image = true, quad = true, x = true, y = true, angle = true, sx = true, sy = true, ox = true,
  oy = true, color = true, polygon = true, outline = true, outlineWidth = true, joints = true, soft = true,
  vertices = true, triangles = true, uvs = true, weights = true }
local spriteKeys = { name = true, joint = true, order = true, choices = true, choice = true, visible = true }
for key in pairs(lookKeys) do spriteKeys[key] = true end
local choiceKeys = { name = true, joint = true, order = true, choices = true, choice = true, visible = true }

local function refuse(record, keys, why, path)
  for _, key in ipairs(keys) do
    if rawget(record, key) ~= nil then fault.raise(fault.join(path, key), why) end
  end
end

local function numbers(list, path, count)
  local n = fault.list(list, path)
  if count and n ~= count then fault.raise(path, "%d numbers expected, got %d", count, n) end
  for i = 1, n do fault.number(list[i], fault.join(path, i)) end
  return list
end

local function color(value, path)
  if value == nil then return nil end
  local n = fault.list(value, path)
  if n ~= 3 and n ~= 4 then fault.raise(path, "color { r, g, b } or { r, g, b, a } expected") end
  numbers(value, path)
  return { value[1], value[2], value[3], value[4] or 1 }
end

local function points(list, path)
  numbers(list, path)
  if #list < 6 or #list % 2 == 1 then
    fault.raise(path, "x, y of three points or more expected, got %d numbers", #list)
  end
  return list
end

local function pairsOf(list, path, count)
  numbers(list, path)
  if #list ~= 2 * count then fault.raise(path, "%d numbers expected, got %d", 2 * count, #list) end
  return list
end

-- Meshes that bend ------------------------------------------------------------------------------------

local function jointsOf(look, list, path)
  local out, slots = {}, {}
  local count = fault.list(look, path)
  if count < 1 or count > sprites.mostJoints then
    fault.raise(path, "1 to %d joints expected, got %d", sprites.mostJoints, count)
  end
  for i = 1, count do
    local place = fault.join(path, i)
    out[i] = joints.find(list, look[i], place)
    if slots[look[i]] then fault.raise(place, "joint '%s' stands twice", look[i]) end
    slots[look[i]] = i
  end
  return out, slots
end

-- The four heaviest of a vertex: their places and weights, of sum 1.
local function heaviest(weights)
  local order, sum = {}, 0
  for i, weight in pairs(weights) do
    if weight > 0 then order[#order + 1] = i end
  end
  table.sort(order, function(a, b)
    if weights[a] ~= weights[b] then return weights[a] > weights[b] end
    return a < b
  end)
  for i = 1, math.min(4, #order) do sum = sum + weights[order[i]] end
  local slots, shares = { 0, 0, 0, 0 }, { 0, 0, 0, 0 }
  for i = 1, math.min(4, #order) do slots[i], shares[i] = order[i] - 1, weights[order[i]] / sum end
  return slots, shares
end

local function given(entry, slots, path)
  local weights, sum = {}, 0
  for _, name in ipairs(fault.names(entry, path)) do
    local place = fault.join(path, name)
    local slot = slots[name]
    if not slot then
      local names = {}
      for known in pairs(slots) do names[#names + 1] = known end
      fault.raise(place, "joint '%s' is not in the list 'joints'%s", name, core.didYouMean(name, names))
    end
    weights[slot] = fault.atLeast0(entry[name], place)
    sum = sum + weights[slot]
  end
  if sum <= 0 then fault.raise(path, "a joint with weight expected") end
  return weights
end

local function bind(out, look, list, path)
  local bound, slots = jointsOf(rawget(look, "joints"), list, path .. ".joints")
  out.joints, out.slots, out.shares = bound, {}, {}
  local soft = joints.optional(look, "soft", 1, path)
  if soft <= 0 then fault.expected(path .. ".soft", "number above 0", soft) end
  local weights = rawget(look, "weights")
  if weights ~= nil and fault.list(weights, path .. ".weights") ~= #out.points / 2 then
    fault.raise(path .. ".weights", "%d entries expected, one a point, got %d", #out.points / 2, #weights)
  end
  for i = 1, #out.points / 2 do
    local own = weights and given(fault.table(weights[i], fault.join(path .. ".weights", i)), slots,
      fault.join(path .. ".weights", i)) or shapes.weigh(bound, out.points[2 * i - 1], out.points[2 * i], soft)
    out.slots[i], out.shares[i] = heaviest(own)
  end
end

local function triangles(look, path, count)
  local list = rawget(look, "triangles")
  local n = fault.list(list, path .. ".triangles")
  if n < 3 or n % 3 ~= 0 then fault.raise(path .. ".triangles", "three indices a triangle expected, got %d", n) end
  for i = 1, n do
    local value = list[i]
    if type(value) ~= "number" or value % 1 ~= 0 or value < 1 or value > count then
      fault.expected(fault.join(path .. ".triangles", i), ("index from 1 to %d"):format(count), value)
    end
  end
  return list
end

local function readMesh(out, look, list, path)
  local key = rawget(look, "vertices") ~= nil and "vertices" or "polygon"
  if key == "vertices" and rawget(look, "polygon") ~= nil then fault.raise(path, "either polygon or vertices") end
  out.points = points(rawget(look, key), fault.join(path, key))
  if key == "vertices" then
    out.triangles = triangles(look, path, #out.points / 2)
  else
    refuse(look, { "triangles" }, "belongs to vertices", path)
    out.triangles = shapes.triangulate(out.points)
    if not out.triangles then fault.raise(path .. ".polygon", "outline without area, or one that crosses itself") end
  end
  local uvs = rawget(look, "uvs")
  if (uvs ~= nil) ~= (out.image ~= nil) then fault.raise(path .. ".uvs", "an image and uvs go together") end
  if uvs ~= nil then out.uvs = pairsOf(uvs, path .. ".uvs", #out.points / 2) end
  out.outline = color(rawget(look, "outline"), path .. ".outline")
  out.outlineWidth = joints.optional(look, "outlineWidth", 1, path)
  if rawget(look, "joints") == nil then
    refuse(look, { "weights", "soft" }, "belongs to a mesh with a list 'joints'", path)
    return
  end
  if out.outline then fault.raise(path .. ".outline", "a mesh that bends has no outline") end
  refuse(look, { "x", "y", "angle", "sx", "sy" }, "a mesh that bends lies in the rig, not on a joint", path)
  bind(out, look, list, path)
end

-- Looks and sprites -----------------------------------------------------------------------------------

local function readImage(out, look, path)
  out.image, out.quad = rawget(look, "image"), rawget(look, "quad")
  local kind = type(out.image)
  if out.image ~= nil and kind ~= "string" and kind ~= "userdata" then
    fault.expected(path .. ".image", "name or Image", out.image)
  end
  if type(out.quad) == "table" then
    numbers(out.quad, path .. ".quad", 4)
  elseif out.quad ~= nil and type(out.quad) ~= "userdata" then
    fault.expected(path .. ".quad", "Quad or { x, y, width, height }", out.quad)
  end
  if out.quad ~= nil and out.image == nil then fault.raise(path .. ".quad", "a quad needs an image") end
end

local function readLook(look, list, keys, path)
  fault.record(look, keys, 0, path)
  local out = { color = color(rawget(look, "color"), path .. ".color") }
  local function number(key, default) return joints.optional(look, key, default, path) end
  readImage(out, look, path)
  out.ox, out.oy = number("ox", nil), number("oy", nil) -- nil: the middle of the image
  out.place = { joints.matrix(number("x", 0), number("y", 0), number("angle", 0), number("sx", 1), number("sy", 1)) }
  if rawget(look, "polygon") ~= nil or rawget(look, "vertices") ~= nil then
    readMesh(out, look, list, path)
    refuse(look, { "quad", "ox", "oy" }, "belongs to an image alone; points have uvs", path)
    return out
  end
  refuse(look, { "joints", "weights", "soft", "triangles", "uvs", "outline", "outlineWidth" },
    "belongs to a polygon or vertices", path)
  if out.image == nil then fault.raise(path, "an image, a polygon or vertices expected") end
  return out
end

local function readSprite(given_, list, path)
  fault.record(given_, rawget(given_, "choices") ~= nil and choiceKeys or spriteKeys, 0, path)
  local sprite = { name = fault.name(rawget(given_, "name"), path .. ".name"),
    order = joints.optional(given_, "order", 0, path), choices = {}, choice = "" }
  local joint, needed = rawget(given_, "joint"), rawget(given_, "joints") == nil
  if joint ~= nil or needed then sprite.joint = joints.find(list, joint, path .. ".joint") end
  local choices = rawget(given_, "choices")
  if choices == nil then
    if rawget(given_, "choice") ~= nil then fault.raise(path .. ".choice", "belongs to 'choices'") end
    sprite.choices[""] = readLook(given_, list, spriteKeys, path)
  else
    for _, name in ipairs(fault.names(choices, path .. ".choices")) do
      sprite.choices[name] = readLook(choices[name], list, lookKeys, fault.join(path .. ".choices", name))
    end
    sprite.choice = rawget(given_, "choice")
    if type(sprite.choice) ~= "string" or not sprite.choices[sprite.choice] then
      fault.expected(path .. ".choice", "name of one of the choices", sprite.choice)
    end
  end
  sprite.main = sprite.choice
  if rawget(given_, "visible") ~= nil and not fault.boolean(rawget(given_, "visible"), path .. ".visible") then
    sprite.choice = false
  end
  return sprite
end

--- All sprites in the order of drawing, and by name. A sprite has `choices` by name, "" where it has only one;
--- `choice`: what it shows unless told otherwise, false for nothing; and `main`: what true means.
function sprites.build(description, list)
  local out = {}
  for i = 1, fault.list(description, "sprites") do
    local sprite = readSprite(fault.table(description[i], fault.join("sprites", i)), list, ("sprites[%d]"):format(i))
    if out[sprite.name] then
      fault.raise(("sprites[%d].name"):format(i), "there is a sprite '%s' already", sprite.name)
    end
    out[i], out[sprite.name], sprite.at = sprite, sprite, i
  end
  table.sort(out, function(a, b)
    if a.order ~= b.order then return a.order < b.order end
    return a.at < b.at
  end)
  return out
end

return sprites
