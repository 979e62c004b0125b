-- The arena: a court with a wall around it, a stage with steps on one side and a slope on another, and blocks.
local anim = require("anim")
local glb = require("glb")
local shape = require("shape")

local world = { half = 14 } -- metres from the middle to the wall

local stage = { x0 = -2.5, x1 = 2.5, z0 = -8, z1 = -4, height = .75 }
local steps = { count = 5, depth = .36 }       -- from the stage towards +Z
local slope = { length = 3.2 }                 -- from the stage towards +X
local blocks = { { -8, 4, 1.2, .45 }, { -6.6, 5.2, 1, .9 }, { 7, 6, 1.6, .3 }, { 9, -8, 1.4, 1.4 } }

local function stepsHeight(z)
  local n = math.floor((z - stage.z1) / steps.depth)
  return stage.height - (n + 1) * stage.height / (steps.count + 1)
end

local slopeY = 1 / math.sqrt(1 + (stage.height / slope.length) ^ 2)
local slopeX = slopeY * stage.height / slope.length

--- Height and normal of the ground at a place: what a `foot` node asks for.
function world.ground(x, _, z)
  if z >= stage.z0 and z <= stage.z1 then
    if x >= stage.x0 and x <= stage.x1 then return stage.height, 0, 1, 0 end
    local part = (x - stage.x1) / slope.length
    if part > 0 and part < 1 then return stage.height * (1 - part), slopeX, slopeY, 0 end
  elseif x >= stage.x0 and x <= stage.x1 and z > stage.z1 and z < stage.z1 + steps.count * steps.depth then
    return stepsHeight(z), 0, 1, 0
  end
  for i = 1, #blocks do
    local b = blocks[i]
    if math.abs(x - b[1]) <= b[3] / 2 and math.abs(z - b[2]) <= b[3] / 2 then return b[4], 0, 1, 0 end
  end
  return 0, 0, 1, 0
end

--- The ground without its edges: what a character is set to, so that it does not jump from step to step.
function world.level(x, z)
  local sum = 0
  for i = -3, 3 do
    sum = sum + world.ground(x + .07 * i, 0, z) + world.ground(x, 0, z + .07 * i)
  end
  return sum / 14
end

--- Whether one who stands at height `y` may be at x, z: no wall, nothing that is too high to step on.
function world.isFree(x, y, z)
  local most = world.half - .4
  return math.abs(x) < most and math.abs(z) < most and world.ground(x, 0, z) - y < .3
end

-- ---- what is seen of it

local stone, dark, wood, sand = { .3, .27, .23 }, { .2, .18, .16 }, { .27, .15, .07 }, { .36, .29, .2 }

local function newFloor()
  local s, half, size = shape.new(), world.half, 2
  for x = -half, half - size, size do
    for z = -half, half - size, size do
      local light = ((x + z) / size) % 2 == 0 and 1 or .88
      s:box(x, -.2, z, x + size, 0, z + size, { sand[1] * light, sand[2] * light, sand[3] * light })
    end
  end
  return s:smooth(true)
end

local function newStage()
  local s = shape.new()
  s:box(stage.x0, 0, stage.z0, stage.x1, stage.height, stage.z1, stone)
  for i = 1, steps.count do
    local z = stage.z1 + (i - 1) * steps.depth
    s:box(stage.x0, 0, z, stage.x1, stepsHeight(z + .01), z + steps.depth, i % 2 == 1 and dark or stone)
  end
  s:box(stage.x1, 0, stage.z0, stage.x1 + slope.length, stage.height, stage.z1, stone,
    function(x) return x == 1 and .004 - stage.height or 0 end)
  for _, corner in ipairs({ { stage.x0, stage.z0 }, { stage.x1 - .4, stage.z0 } }) do
    local x, z = corner[1], corner[2]
    s:box(x, stage.height, z, x + .4, stage.height + 2.2, z + .4, dark)
  end
  s:box(stage.x0 - .1, stage.height + 2.2, stage.z0 - .1, stage.x1 + .1, stage.height + 2.45, stage.z0 + .5, stone)
  return s:smooth(true)
end

local function newRest()
  local s, half = shape.new(), world.half
  for _, b in ipairs(blocks) do
    local reach = b[3] / 2
    s:box(b[1] - reach, 0, b[2] - reach, b[1] + reach, b[4], b[2] + reach, wood)
  end
  for side = -1, 1, 2 do
    s:box(side * half - .3, -.2, -half - .3, side * half + .3, 1.6, half + .3, stone)
    s:box(-half - .3, -.2, side * half - .3, half + .3, 1.6, side * half + .3, stone)
    for i = -2, 2 do
      s:box(side * half - .45, 0, 6 * i - .45, side * half + .45, 2.3, 6 * i + .45, dark)
      s:box(6 * i - .45, 0, side * half - .45, 6 * i + .45, 2.3, side * half + .45, dark)
    end
  end
  return s:smooth(true)
end

-- Fine grain, as a PNG.
local function grain()
  local size = 64
  local image, random = love.image.newImageData(size, size), love.math.newRandomGenerator(7)
  image:mapPixel(function(x, y)
    local edge = (x < 1 or y < 1) and .82 or 1
    local light = edge * (.9 + .1 * random:random())
    return light, light, light, 1
  end)
  return image:encode("png"):getString()
end

--- Something to draw; it is a glTF file like a character's, without joints that move.
function world.newModel()
  local file = glb.new()
  local look = file:addMaterial({ pbrMetallicRoughness = { baseColorTexture = { index = file:addTexture(grain()) } } })
  for name, s in pairs({ floor = newFloor(), stage = newStage(), rest = newRest() }) do
    file:addNode({ name = name, mesh = file:addMesh(name, { { s, look } }) }, true)
  end
  local source = assert(anim.decode(file:finish(), "arena.glb", { meshes = true }))
  return anim.love.newModel(source)
end

return world
