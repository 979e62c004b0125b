-- Layers: aiming with the upper body over a walk, and an idle's breathing added on top of both.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model, {
  params = { aiming = { 0, smooth = .2 } },
  masks = { upper = { spine = .5, chest = 1, ["lower_arm.L"] = { 1, only = true } } },
  root = { type = "layers", base = "walk",
    { "aim", mask = "upper", weight = "aiming", space = "model" }, -- the aim does not sway with the hips
    { "idle", mode = "additive", weight = .5 } },
})

local function show(what)
  local x, y, z = hero:getPosition("hand.R")
  local fx, fy, fz = hero:getPosition("foot.R")
  print(("%-22s hand %5.2f %5.2f %5.2f   foot %5.2f %5.2f %5.2f"):format(what, x, y, z, fx, fy, fz))
end

for i = 1, 4 do
  hero:update(.25)
  show(("walking %.2f s"):format(i / 4))
end
hero:set("aiming", 1)
for _ = 1, 4 do
  hero:update(.25)
  show(("aiming %.2f"):format(hero:get("aiming")))
end
