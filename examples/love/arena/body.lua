-- A body for the hero's skeleton, as a glTF file: tubes around its bones, a sword in the right hand.
local glb = require("glb")
local rig = require("hero.rig")
local shape = require("shape")
local space = require("hero.space")

local body = {}

-- Linear, as glTF has them.
local color = { skin = { .72, .42, .28 }, shirt = { .09, .2, .36 }, vest = { .33, .16, .07 }, cuff = { .42, .33, .2 },
  trousers = { .1, .09, .085 }, boots = { .12, .055, .025 }, belt = { .05, .028, .018 }, hair = { .055, .025, .012 },
  eye = { .012, .01, .01 }, white = { .75, .72, .68 }, gold = { .6, .38, .08 } }

local indexOf = {}
for i, joint in ipairs(rig.joints) do indexOf[joint.name] = i - 1 end

-- "chest", or two names and how far it is from the first to the second.
local function carried(a, b, part)
  if not b then return { { indexOf[a], 1 } } end
  return { { indexOf[a], 1 - part }, { indexOf[b], part } }
end

-- A ring that lies level, of half axes rx and rz.
local function level(y, rx, rz, z, ...)
  return { at = { 0, y, z }, u = { rx, 0, 0 }, v = { 0, 0, rz }, carried = carried(...) }
end

local function withColor(ring, name)
  ring.color = color[name]
  return ring
end

local function addTrunk(s)
  s:tube({ level(.845, .05, .05, -.01, "hips"), level(.875, .125, .095, -.012, "hips"),
    level(.92, .162, .12, -.012, "hips"), level(.985, .162, .12, -.01, "hips"),
    level(1.03, .15, .11, -.008, "hips", "spine", .4) }, { color = color.trousers, sides = 20 })
  s:tube({ level(.985, .167, .125, -.01, "hips"), level(1.0, .171, .128, -.01, "hips"),
    level(1.03, .169, .126, -.01, "hips", "spine", .2), level(1.045, .16, .118, -.01, "hips", "spine", .3) },
    { color = color.belt, sides = 20 })
  s:tube({ level(1.01, .155, .113, -.008, "hips", "spine", .2), level(1.08, .146, .107, -.008, "hips", "spine", .7),
    level(1.16, .15, .11, -.008, "spine", "chest", .5), level(1.25, .166, .122, -.01, "chest", "upper_chest", .4),
    level(1.33, .182, .128, -.015, "chest", "upper_chest", .9), level(1.39, .18, .118, -.02, "upper_chest"),
    level(1.435, .155, .095, -.024, "upper_chest"), level(1.468, .1, .075, -.028, "upper_chest"),
    level(1.488, .066, .064, -.028, "upper_chest", "neck", .4) }, { color = color.vest, sides = 20 })
  s:tube({ level(1.45, .06, .06, -.028, "upper_chest", "neck", .3), level(1.5, .056, .06, -.026, "neck"),
    level(1.545, .052, .058, -.018, "neck", "head", .5), level(1.58, .05, .055, -.008, "head") },
    { color = color.skin })
end

local function addHead(s)
  local function ring(y, rx, rz, z, name) return withColor(level(y, rx, rz, z, "head"), name or "skin") end
  s:tube({ ring(1.548, .03, .03, .04), ring(1.556, .047, .052, .034), ring(1.58, .062, .078, .015),
    ring(1.62, .073, .09, .006), ring(1.665, .077, .095, .002), ring(1.71, .074, .092, -.002),
    ring(1.745, .058, .072, -.006), ring(1.765, .03, .036, -.008) }, { color = color.skin, sides = 20 })
  -- Hair: a cap that leaves the face free, and a fringe.
  s:tube({ ring(1.6, .055, .045, -.062, "hair"), ring(1.64, .079, .062, -.043, "hair"),
    ring(1.685, .084, .08, -.024, "hair"), ring(1.722, .083, .094, -.01, "hair"),
    ring(1.752, .07, .085, -.006, "hair"), ring(1.78, .042, .052, -.01, "hair"),
    ring(1.787, .015, .02, -.012, "hair") }, { color = color.hair, sides = 20 })
  local function along(z, y, rx, ry) return { at = { 0, y, z }, u = { rx, 0, 0 }, v = { 0, ry, 0 },
    carried = carried("head") } end
  s:tube({ along(.085, 1.635, .011, .026), along(.1, 1.632, .012, .019), along(.113, 1.626, .009, .011) },
    { color = { .68, .37, .24 } })
  s:tube({ along(.08, 1.588, .022, .004), along(.092, 1.588, .02, .004) }, { color = { .45, .16, .12 } })
end

local function addFace(s, side, x)
  local function along(joint, z, y, rx, ry) return { at = { x * .032, y, z }, u = { rx, 0, 0 }, v = { 0, ry, 0 },
    carried = carried(joint) } end
  local eye = "eye" .. side
  s:tube({ along(eye, .07, 1.655, .014, .011), along(eye, .089, 1.655, .013, .0095),
    along(eye, .0915, 1.655, .006, .005) }, { color = color.white, sides = 10 })
  s:tube({ along(eye, .088, 1.655, .0062, .0075), along(eye, .0935, 1.655, .0052, .0062) },
    { color = color.eye, sides = 10 })
  s:tube({ along("head", .08, 1.679, .018, .0035), along("head", .0955, 1.679, .016, .003) },
    { color = color.hair, sides = 8 })
  s:tube({ { at = { x * .07, 1.645, -.005 }, u = { 0, .018, 0 }, v = { 0, 0, .011 }, carried = carried("head") },
    { at = { x * .083, 1.648, -.009 }, u = { 0, .024, 0 }, v = { 0, 0, .014 }, carried = carried("head") },
    { at = { x * .088, 1.648, -.011 }, u = { 0, .017, 0 }, v = { 0, 0, .009 }, carried = carried("head") } },
    { color = color.skin, sides = 10 })
end

-- A ring about the arm, which runs along x.
local function across(x, side, y, z, ry, rz, ...)
  return { at = { x * side, y, z }, u = { 0, ry, 0 }, v = { 0, 0, rz }, carried = carried(...) }
end

local function addArm(s, tag, x)
  local upper, lower, twist, hand = "upper_arm" .. tag, "lower_arm" .. tag, "lower_arm_twist" .. tag, "hand" .. tag
  local function ring(at, y, z, ry, rz, ...) return across(at, x, y, z, ry, rz, ...) end
  s:tube({ ring(.1, 1.415, -.02, .06, .06, "upper_chest"),
    ring(.135, 1.425, -.02, .067, .066, "upper_chest", upper, .35),
    ring(.18, 1.428, -.021, .067, .067, "upper_chest", upper, .8), ring(.23, 1.428, -.022, .06, .061, upper),
    ring(.33, 1.429, -.024, .052, .053, upper), ring(.43, 1.43, -.027, .046, .047, upper, lower, .15),
    ring(.475, 1.43, -.028, .044, .046, upper, lower, .5), ring(.52, 1.43, -.027, .045, .046, upper, lower, .85),
    ring(.58, 1.43, -.026, .044, .044, lower) }, { color = color.shirt })
  s:tube({ ring(.565, 1.43, -.026, .047, .047, lower), ring(.58, 1.43, -.026, .048, .048, lower, twist, .2),
    ring(.66, 1.43, -.023, .041, .041, twist), ring(.71, 1.43, -.021, .034, .036, twist),
    ring(.722, 1.43, -.021, .03, .031, twist, hand, .3) }, { color = color.cuff })
  s:tube({ ring(.7, 1.43, -.021, .024, .029, twist), ring(.735, 1.43, -.02, .022, .03, twist, hand, .7),
    ring(.765, 1.43, -.02, .021, .038, hand), ring(.8, 1.43, -.02, .02, .046, hand),
    ring(.83, 1.43, -.02, .017, .048, hand), ring(.84, 1.43, -.02, .008, .04, hand) },
    { color = color.skin, power = .75 })
end

local function addFingers(s, tag, x)
  for _, finger in ipairs({ "thumb", "index", "middle", "ring", "little" }) do
    local rings, thick = {}, finger == "thumb" and .0115 or finger == "little" and .0085 or .0098
    local joints = {}
    for i = 1, 3 do joints[i] = rig.joint[("%s.0%d%s"):format(finger, i, tag)] end
    local last = space.add(joints[3].place, space.scale(space.sub(joints[3].place, joints[2].place), .8))
    local places = { joints[1].place, joints[2].place, joints[3].place, last }
    local along = space.unit(space.sub(last, places[1]))
    local u = space.unit(space.cross(along, { 0, 1, 0 }))
    local v = space.cross(u, along)
    local function ring(i, at, scale, ...)
      rings[i] = { at = at, u = space.scale(u, thick * scale), v = space.scale(v, thick * scale),
        carried = carried(...) }
    end
    local first = finger == "thumb" and "hand" .. tag or joints[1].name
    ring(1, space.mix(places[1], places[2], -.35), 1, "hand" .. tag)
    ring(2, places[1], 1.05, first, joints[1].name, .7)
    ring(3, places[2], 1, joints[1].name, joints[2].name, .5)
    ring(4, places[3], .92, joints[2].name, joints[3].name, .5)
    ring(5, space.mix(places[3], last, .8), .82, joints[3].name)
    ring(6, last, .35, joints[3].name)
    s:tube(rings, { color = color.skin, sides = 8 })
  end
  return x
end

local function addLeg(s, tag, x)
  local upper, lower, foot, toe = "upper_leg" .. tag, "lower_leg" .. tag, "foot" .. tag, "toe" .. tag
  local function ring(y, rx, rz, z, ...)
    local out = level(y, rx, rz, z, ...)
    out.at[1] = x * .09
    return out
  end
  s:tube({ ring(.955, .06, .085, -.012, "hips"), ring(.9, .083, .1, -.012, "hips", upper, .5),
    ring(.84, .086, .097, -.008, "hips", upper, .88), ring(.74, .079, .086, -.003, upper),
    ring(.62, .066, .07, .003, upper),
    ring(.545, .058, .061, .007, upper, lower, .2), ring(.5, .056, .06, .009, upper, lower, .5),
    ring(.455, .055, .058, .006, upper, lower, .85), ring(.38, .056, .06, -.008, lower),
    ring(.3, .05, .054, -.01, lower) }, { color = color.trousers, sides = 16 })
  s:tube({ ring(.37, .062, .068, -.008, lower), ring(.36, .066, .072, -.008, lower),
    ring(.33, .064, .069, -.009, lower), ring(.25, .055, .06, -.011, lower), ring(.16, .045, .05, -.012, lower),
    ring(.105, .044, .052, -.01, lower, foot, .5),
    ring(.07, .045, .055, -.005, foot), ring(.04, .042, .055, 0, foot) }, { color = color.boots, sides = 16 })
  local function sole(z, rx, top, ...)
    return { at = { x * .09, top / 2, z }, u = { rx, 0, 0 }, v = { 0, top / 2, 0 }, carried = carried(...) }
  end
  s:tube({ sole(-.078, .026, .05, foot), sole(-.068, .038, .075, foot), sole(-.03, .043, .088, foot),
    sole(.03, .043, .086, foot), sole(.08, .047, .068, foot), sole(.115, .049, .056, foot, toe, .5),
    sole(.15, .045, .046, toe), sole(.178, .034, .036, toe), sole(.19, .02, .022, toe) },
    { color = color.boots, sides = 16, power = .65 })
end

-- Along +Y of the joint "grip.R".
local function newSword()
  local s = shape.new()
  local steel, leather = { .5, .53, .56 }, { .08, .04, .02 }
  local function ring(y, rx, rz) return { at = { 0, y, 0 }, u = { rx, 0, 0 }, v = { 0, 0, rz } } end
  s:tube({ ring(-.1, .013, .016), ring(-.09, .018, .02), ring(-.075, .013, .016) }, { color = color.gold, sides = 10 })
  s:tube({ ring(-.08, .011, .014), ring(.06, .0115, .015) }, { color = leather, sides = 10 })
  s:tube({ ring(.055, .017, .085), ring(.07, .02, .09), ring(.08, .014, .05) }, { color = color.gold, sides = 12 })
  s:tube({ ring(.075, .006, .026), ring(.4, .0055, .024), ring(.7, .0048, .02), ring(.79, .002, .004) },
    { color = steel, sides = 4 })
  return s:smooth()
end

local function newFigure()
  local s = shape.new()
  addTrunk(s)
  addHead(s)
  for tag, x in pairs({ [".L"] = 1, [".R"] = -1 }) do
    addFace(s, tag, x)
    addArm(s, tag, x)
    addFingers(s, tag, x)
    addLeg(s, tag, x)
  end
  return s:smooth()
end

-- Column after column: from the world of the rest pose into the joint.
local function inverseBind(joint)
  local back = space.inverse(joint.frame)
  local m = {}
  for _, axis in ipairs({ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }) do
    local c = space.rotate(back, axis)
    for k = 1, 3 do m[#m + 1] = c[k] end
    m[#m + 1] = 0
  end
  local t = space.rotate(back, space.scale(joint.place, -1))
  for k = 1, 3 do m[#m + 1] = t[k] end
  m[#m + 1] = 1
  return m
end

-- Cloth: threads that lie over each other, as a PNG.
local function weave()
  local size = 32
  local image = love.image.newImageData(size, size)
  image:mapPixel(function(x, y)
    local thread = math.floor(x / 4) + math.floor(y / 4)
    local along = thread % 2 == 0 and x % 4 or y % 4
    local light = .9 + .1 * math.sin((along + .5) / 4 * math.pi)
    return light, light, light, 1
  end)
  return image:encode("png"):getString()
end

-- Bytes of the file, with these clips (a list; nil: none).
function body.write(clips)
  local file = glb.new()
  local cloth = file:addMaterial({ name = "cloth", pbrMetallicRoughness = {
    baseColorTexture = { index = file:addTexture(weave()) }, baseColorFactor = { 1, 1, 1, 1 } } })
  local steel = file:addMaterial({ name = "steel", pbrMetallicRoughness = { baseColorFactor = { .95, 1, 1, 1 } } })
  local sword = file:addMesh("sword", { { newSword(), steel } })
  local nodes, numbers, binds, joints = {}, {}, {}, {}
  for i, joint in ipairs(rig.joints) do
    nodes[joint.name] = { name = joint.name, translation = joint.translation, rotation = joint.rotation }
    if joint.name == "grip.R" then nodes[joint.name].mesh = sword end
    if joint.parent then
      local above = nodes[joint.parent]
      above.children = above.children or {}
      table.insert(above.children, i - 1)
    end
    joints[i] = file:addNode(nodes[joint.name], not joint.parent)
    numbers[joint.name] = joints[i]
    for _, x in ipairs(inverseBind(joint)) do binds[#binds + 1] = x end
  end
  local skin = file:addSkin(joints, binds)
  file:addNode({ name = "body", mesh = file:addMesh("body", { { newFigure(), cloth } }), skin = skin }, true)
  for _, clip in ipairs(clips or {}) do file:addClip(clip, numbers) end
  return file:finish()
end

return body
