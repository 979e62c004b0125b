-- A stick in a plane of clips: walking any way while looking ahead.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model, {
  params = { x = { 0, smooth = .15, deadZone = .2 }, y = { 0, smooth = .15, deadZone = .2 } },
  root = { type = "blend2D", x = "x", y = "y", mode = "simple",
    { 0, 0, "idle" }, { 0, 1, "walk" }, { 0, -1, "walk_back" }, { 1, 0, "strafe_left" }, { -1, 0, "strafe_right" } },
})
local names = { "idle", "walk", "walk_back", "strafe_left", "strafe_right" }

local function show(what)
  local root, parts = hero:getRoot(), {}
  for i, name in ipairs(names) do
    local weight = root:getInputWeight(i)
    if weight > .005 then parts[#parts + 1] = ("%s %.2f"):format(name, weight) end
  end
  print(("%-28s %s"):format(what, table.concat(parts, ", ")))
end

for _, stick in ipairs({ { 0, 0 }, { .1, .1 }, { 0, 1 }, { .7, .7 }, { 1, 0 }, { 0, -1 }, { -.6, -.6 } }) do
  hero:set("x", stick[1])
  hero:set("y", stick[2])
  for _ = 1, 90 do hero:update(1 / 60) end
  show(("stick at %4.1f %4.1f"):format(stick[1], stick[2]))
end
