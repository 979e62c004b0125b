-- A flat figure, for specs of anim.love.rig2d.
local rig2d = require("anim.love.rig2d")

local flat = {}

local pi = math.pi

function flat.joints()
  return {
    { name = "foot", parent = "shin", angle = -pi / 2 - .15, length = 12 },
    { name = "root" }, { name = "hips", parent = "root", y = -50 },
    { name = "spine", parent = "hips", angle = -pi / 2, length = 30 },
    { name = "head", parent = "spine", angle = .2, length = 14 },
    { name = "arm", parent = "spine", x = 25, y = 2, angle = pi - .1, length = 16 },
    { name = "hand", parent = "arm", angle = -.4, length = 15 },
    { name = "thigh", parent = "hips", angle = pi / 2 - .15, length = 25 },
    { name = "shin", parent = "thigh", angle = .3, length = 25 },
  }
end

function flat.newRig(more)
  local description = { joints = flat.joints() }
  for key, value in pairs(more or {}) do description[key] = value end
  return rig2d.newRig(description)
end

return flat
