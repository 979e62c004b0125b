-- The two-line way: play, which crossfades from what plays now, and layers above the whole body.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model)

local function run(seconds)
  for _ = 1, seconds * 60 do hero:update(1 / 60) end
  local x, y, z = hero:getPosition("hand.R")
  print(("right hand at %5.2f %5.2f %5.2f"):format(x, y, z))
  for clip, time, weight in hero:active() do
    print(("  %-6s %.2f s, weight %.2f"):format(clip:getName(), time, weight))
  end
end

hero:play("idle")
run(1)

print("-- walks off; after a tenth of a second both are heard")
hero:play("walk", .3)
run(.1)
run(1)

print("-- waves with the upper body while it walks")
local upper = anim.newMask(model.skeleton, { "spine" })
hero:play("wave", { mask = upper, onDone = function()
  print("-- done waving: the layer is faded out")
  hero:stop(.2, 1)
end })
run(1)
run(2)
