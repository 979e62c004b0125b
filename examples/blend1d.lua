-- Idle, walk and run by one number, in step: the feet of all three come down together, whatever the blend.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model)
local speed = hero:param("speed", 0, { smooth = .3 })
local move = hero:blend1D({ param = speed, { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } })
hero:setRoot(move)

local steps = 0
hero:on("footstep", function() steps = steps + 1 end)

print("  set  speed   idle   walk    run   phase  steps")
for _, wanted in ipairs({ 0, 1.4, 2.5, 3.6, 1.4 }) do
  speed:set(wanted)
  for _ = 1, 60 do hero:update(1 / 60) end
  print(("%5.2f  %5.2f  %5.2f  %5.2f  %5.2f   %5.2f  %5d"):format(wanted, speed:get(), move:getInputWeight(1),
    move:getInputWeight(2), move:getInputWeight(3), move:getPhase(), steps))
end
