-- Root motion: clips that travel are played in place, and what they would have moved moves the character.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build({ travel = true })

local clips = {}
for _, name in ipairs({ "walk", "run", "turn_left" }) do
  clips[name] = model.clips[name]:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
end
local hero = anim.newGraph(model, nil, { clips = clips })

-- The character's place in the world, and which way it looks.
local x, z, heading = 0, 0, 0

local function update(dt)
  hero:update(dt)
  local dx, _, dz, _, qy, _, qw = hero:getRootMotion() -- in its own frame before the step
  local s, c = math.sin(heading), math.cos(heading)
  x, z = x + c * dx + s * dz, z - s * dx + c * dz
  heading = heading + 2 * (math.atan2 or math.atan)(qy, qw)
end

for _, name in ipairs({ "walk", "turn_left", "run" }) do
  hero:play(name, .2)
  for _ = 1, 120 do update(1 / 60) end
  print(("two seconds of %-10s at %6.2f %6.2f, heading %4.0f degrees"):format(name, x, z, math.deg(heading)))
end
