--- Which camera draws now, and in which pass; what it looks like to the shaders.
local check = require("anim.love.check")
local mesh = require("anim.love.mesh")
local shader = require("anim.love.shader")

local stage = { camera = nil, pass = nil, frame = 0 } -- without a camera nothing can be drawn; a frame is one pass

local fog, nothing = { 1, 0 }, { 0, 0, 0 }

local function sendAll(camera, variant)
  local light, send = camera.light, shader.send
  send(variant, "view", (stage.pass == "shadow" and camera.sunView or camera.view).data)
  send(variant, "sunView", camera.sunView.data)
  send(variant, "sun", light.direction)
  send(variant, "sunColor", light.color)
  send(variant, "skyColor", light.sky)
  send(variant, "groundColor", light.ground)
  send(variant, "eye", camera.eye)
  send(variant, "shadow", light.shadow)
  send(variant, "shadowMap", light.shadow > 0 and camera.shadowMap or mesh.white())
  send(variant, "fogColor", camera.sky.bottom)
  fog[1], fog[2] = camera.sky.fog, 1
  send(variant, "fog", fog)
  send(variant, "emissive", nothing)
end

--- The shader of this pass, set and told of the camera; raises where no camera draws.
function stage.use(rows)
  local camera = stage.camera
  if not camera then check.fail("draw in three dimensions only inside of camera:render(function() ... end)") end
  local variant = shader.get(rows, stage.pass)
  if variant.frame ~= stage.frame then
    variant.frame = stage.frame
    sendAll(camera, variant)
  end
  love.graphics.setShader(variant.program)
  return variant
end

--- Pops what was pushed since the stack of love.graphics was `depth` high, by what failed, too.
function stage.leave(depth)
  for _ = depth + 1, love.graphics.getStackDepth() do love.graphics.pop() end
end

return stage
