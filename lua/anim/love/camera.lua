--- A camera: where one looks from, the light, and the passes that draw a scene: the sun's shadows, then the picture.
local check = require("anim.love.check")
local fault = require("anim.graph.fault")
local ffi = require("ffi")
local stage = require("anim.love.stage")

local Camera = { __name = "anim.love.Camera" }
Camera.__index = Camera

local function newMatrix()
  local data = love.data.newByteData(64)
  return { data = data, floats = ffi.cast("float*", data:getFFIPointer()) }
end

-- ---- matrices: four rows of four

local function normalize(x, y, z)
  local length = math.sqrt(x * x + y * y + z * z)
  if length < 1e-9 then return 0, 0, 1 end
  return x / length, y / length, z / length
end

-- Right, up and back of one who looks along f; looking straight up or down, up is -Z or +Z.
local function frame(fx, fy, fz)
  local rx, ry, rz = -fz, 0, fx -- f x (0, 1, 0)
  if rx * rx + rz * rz < 1e-8 then rx, ry, rz = 1, 0, 0 end
  rx, ry, rz = normalize(rx, ry, rz)
  return rx, ry, rz, ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx, -fx, -fy, -fz
end

local function setRow(m, i, scale, x, y, z, ex, ey, ez, offset)
  local at = 4 * i
  m[at], m[at + 1], m[at + 2] = scale * x, scale * y, scale * z
  m[at + 3] = offset - scale * (x * ex + y * ey + z * ez)
end

local function perspective(m, camera, flip)
  local near, far = camera.near, camera.far
  local f = 1 / math.tan(camera.fov / 2)
  local ex, ey, ez = camera.eye[1], camera.eye[2], camera.eye[3]
  local rx, ry, rz, ux, uy, uz, bx, by, bz = unpack(camera.axes)
  setRow(m, 0, f * camera.height / camera.width, rx, ry, rz, ex, ey, ez, 0)
  setRow(m, 1, flip * f, ux, uy, uz, ex, ey, ez, 0)
  setRow(m, 2, (far + near) / (near - far), bx, by, bz, ex, ey, ez, 2 * far * near / (near - far))
  setRow(m, 3, -1, bx, by, bz, ex, ey, ez, 0)
end

-- How far `at` is along x, y, z, in steps of a texel: else edges of shadows would swim while the camera moves.
local function snapped(x, y, z, at, step)
  return math.floor((x * at[1] + y * at[2] + z * at[3]) / step) * step
end

-- From the sun, straight, `radius` metres around what the camera looks at.
local function orthographic(m, camera)
  local light, reach = camera.light, camera.light.radius
  local sun, target = light.direction, camera.target
  local rx, ry, rz, ux, uy, uz, bx, by, bz = frame(-sun[1], -sun[2], -sun[3])
  local step = 2 * reach / light.resolution
  setRow(m, 0, 1 / reach, rx, ry, rz, 0, 0, 0, -snapped(rx, ry, rz, target, step) / reach)
  setRow(m, 1, 1 / reach, ux, uy, uz, 0, 0, 0, -snapped(ux, uy, uz, target, step) / reach)
  setRow(m, 2, -1 / (2 * reach), bx, by, bz, target[1], target[2], target[3], 0)
  m[12], m[13], m[14], m[15] = 0, 0, 0, 1
end

-- ---- where it looks

local largest = 16384 -- of pictures, a side; what a machine can do may be less, and LÖVE says so then
local color, side = check.numbers(3, 3), check.whole(1, largest)

local options = { near = check.above0, far = check.above0, msaa = check.whole(0, 64), width = side, height = side }

function options.fov(value, path)
  if fault.number(value, path) <= 0 or value >= math.pi then
    fault.expected(path, "number above 0 and below pi", value)
  end
  return value
end

local function checkTogether(given)
  if given.width and not given.height then fault.raise("height", "wanted together with width") end
  if given.height and not given.width then fault.raise("width", "wanted together with height") end
  if given.far <= given.near then fault.expected("far", "number above near", given.far) end
end

--- See anim.love.newCamera.
function Camera.new(given)
  given = check.options("newCamera", 1, given, options)
  given.near, given.far = given.near or .1, given.far or math.max(200, 2 * (given.near or 0))
  check.argument("newCamera", 1, checkTogether, given)
  local camera = setmetatable({
    fov = given.fov or math.rad(50), near = given.near, far = given.far, msaa = given.msaa or 4,
    eye = { 0, 1.6, 4 }, target = { 0, 1, 0 }, axes = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, x = 0, y = 0,
    fixedSize = given.width and { given.width, given.height },
    view = newMatrix(), sunView = newMatrix(), plain = newMatrix(),
    light = {
      direction = { normalize(.45, .8, .4) }, color = { 1.05, .98, .86 }, sky = { .42, .5, .62 },
      ground = { .24, .22, .2 }, shadow = .75, radius = 10, resolution = 1024,
    },
    sky = { top = { .32, .52, .8 }, bottom = { .78, .85, .9 }, fog = 120 },
  }, Camera)
  camera:lookAt(0, 1.6, 4, 0, 1, 0)
  return camera
end

--- Look from e to t.
function Camera:lookAt(ex, ey, ez, tx, ty, tz)
  local eye, target, axes = self.eye, self.target, self.axes
  eye[1], eye[2], eye[3], target[1], target[2], target[3] = ex, ey, ez, tx, ty, tz
  axes[1], axes[2], axes[3], axes[4], axes[5], axes[6], axes[7], axes[8], axes[9] =
    frame(normalize(tx - ex, ty - ey, tz - ez))
end

local function direction(value, path)
  local x, y, z = unpack(color(value, path))
  if x == 0 and y == 0 and z == 0 then fault.raise(path, "a direction expected, got 0, 0, 0") end
  return { normalize(x, y, z) }
end

local function shade(value, path)
  if type(value) ~= "number" or not (value >= 0 and value <= 1) then
    fault.expected(path, "number from 0 to 1", value)
  end
  return value
end

local function copied(value, path) return { unpack(color(value, path)) } end

local lightOptions = { direction = direction, color = copied, sky = copied, ground = copied, shadow = shade,
  radius = check.above0, resolution = side }

--- Sets some of the light: direction (towards the sun), color, sky, ground (from above and below), shadow (how dark, 0:
--- none), radius (metres around the target that shadows reach), resolution (of the shadow map).
function Camera:setLight(values)
  values = check.options("setLight", 1, values, lightOptions)
  for key, value in pairs(values) do self.light[key] = value end
  if values.resolution then self.shadowMap = nil end
end

--- Colours of the sky above and at the horizon, and the distance where half of the latter is before what is seen.
function Camera:setSky(top, bottom, fog)
  self.sky = { top = { unpack(top) }, bottom = { unpack(bottom) }, fog = fog or self.sky.fog }
  self.backdrop = nil
end

--- Where a point of the world is on the screen, and how far ahead; nil where it is behind.
function Camera:project(x, y, z)
  local m = self.plain.floats
  local w = m[12] * x + m[13] * y + m[14] * z + m[15]
  if w <= self.near then return nil end
  local sx = (m[0] * x + m[1] * y + m[2] * z + m[3]) / w
  local sy = (m[4] * x + m[5] * y + m[6] * z + m[7]) / w
  return self.x + (.5 + .5 * sx) * self.width, self.y + (.5 - .5 * sy) * self.height, w
end

--- Direction of the camera on the ground, for controls: where "ahead" and "right" are.
function Camera:getAhead()
  local axes = self.axes
  local x, z = -axes[7], -axes[9]
  local length = math.sqrt(x * x + z * z)
  if length < 1e-6 then return 0, -1 end
  return x / length, z / length
end

-- ---- drawing

local function srgb(c) return love.math.linearToGamma(c[1], c[2], c[3]) end

-- The sky as a gradient over the picture.
local function newBackdrop(camera)
  local top, bottom = camera.sky.top, camera.sky.bottom
  local r0, g0, b0 = srgb(top)
  local r1, g1, b1 = srgb(bottom)
  if love.graphics.isGammaCorrect() then -- LÖVE turns colours of vertices itself
    r0, g0, b0, r1, g1, b1 = top[1], top[2], top[3], bottom[1], bottom[2], bottom[3]
  end
  local w, h, horizon = camera.width, camera.height, .55 * camera.height
  local function point(x, y, r, g, b) return { x, y, 0, 0, r, g, b } end
  return love.graphics.newMesh({ point(0, 0, r0, g0, b0), point(w, 0, r0, g0, b0), point(0, horizon, r1, g1, b1),
    point(w, horizon, r1, g1, b1), point(0, h, r1, g1, b1), point(w, h, r1, g1, b1) }, "strip", "static")
end

local function prepare(camera)
  local w, h = love.graphics.getDimensions()
  if camera.fixedSize then w, h = camera.fixedSize[1], camera.fixedSize[2] end
  if not camera.target2D or camera.width ~= w or camera.height ~= h then
    camera.width, camera.height = w, h
    camera.canvas = love.graphics.newCanvas(w, h, { msaa = camera.msaa })
    camera.target2D = { camera.canvas, depth = true }
    camera.backdrop = nil
  end
  local light = camera.light
  if light.shadow > 0 and not camera.shadowMap then
    local size = light.resolution
    camera.shadowMap = love.graphics.newCanvas(size, size, { format = "depth24", readable = true })
    camera.shadowMap:setFilter("nearest", "nearest")
    camera.shadowTarget = { depthstencil = camera.shadowMap }
  end
  camera.backdrop = camera.backdrop or newBackdrop(camera)
  perspective(camera.view.floats, camera, -1) -- canvases are upside down
  perspective(camera.plain.floats, camera, 1)
  orthographic(camera.sunView.floats, camera)
end

local function runPass(camera, pass, target, scene)
  stage.pass, stage.frame = pass, stage.frame + 1
  love.graphics.setCanvas(target)
  if pass == "shadow" then
    love.graphics.clear(false, false, 1)
  else
    love.graphics.clear(0, 0, 0, 1, false, 1)
    love.graphics.setDepthMode()
    love.graphics.draw(camera.backdrop)
  end
  love.graphics.setDepthMode("lequal", true)
  scene()
  love.graphics.setShader()
end

local function readFields(camera)
  fault.number(camera.x, "x")
  fault.number(camera.y, "y")
end

--- Draws what `scene` draws, called once for the shadows and once for the picture, and puts it onto the screen.
function Camera:render(scene)
  if stage.camera then check.fail("camera:render inside of camera:render") end
  check.fields(self, readFields)
  prepare(self)
  local depth = love.graphics.getStackDepth()
  love.graphics.push("all")
  love.graphics.reset()
  stage.camera = self
  local ran, why = true, nil
  if self.light.shadow > 0 then ran, why = pcall(runPass, self, "shadow", self.shadowTarget, scene) end
  if ran then ran, why = pcall(runPass, self, "color", self.target2D, scene) end
  stage.camera, stage.pass = nil, nil
  stage.leave(depth)
  if not ran then error(why, 0) end
  love.graphics.push("all")
  love.graphics.setBlendMode("replace", "premultiplied")
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(self.canvas, self.x, self.y)
  love.graphics.pop()
end

local number = fault.number
check.methods(Camera, { lookAt = { number, number, number, number, number, number }, setLight = { fault.table },
  setSky = { color, color, check.optional(check.above0) }, project = { number, number, number }, getAhead = {},
  render = { fault.callable } })

return Camera
