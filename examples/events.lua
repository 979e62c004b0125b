-- Events: callbacks with data, ranges, and what a callback may do.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local walk = model.clips.walk:addEvent(.25, "swish", { sound = "cloth.ogg", volume = .3 })
local hero = anim.newGraph(model)
hero:play(walk)

local now, steps = 0, 0
hero:on("footstep", function(_, _, _, clip, time, weight)
  steps = steps + 1
  print(("%.2f s  footstep %d (%s at %.2f s, weight %.2f)"):format(now, steps, clip:getName(), time, weight))
  if steps == 3 then hero:play("attack", .1) end -- a callback may change the graph
end)
hero:on("swish", function(_, data) print(("%.2f s  %s at volume %.1f"):format(now, data.sound, data.volume)) end)
hero:on("hit_window", function(_, _, _, _, _, _, edge) print(("%.2f s  the blade is sharp: %s"):format(now, edge)) end)
local once
once = hero:on("done", function(_, _, _, clip)
  print(("%.2f s  %s is over"):format(now, clip:getName()))
  once:cancel()
  hero:play("idle")
end)

while now < 2.5 do
  now = now + 1 / 60
  hero:update(1 / 60)
end

print("without callbacks:")
hero:play("walk", 0)
hero:advance(.6)
for name, _, _, clip, time in hero:events() do print(("  %s of %s at %.2f s"):format(name, clip:getName(), time)) end
hero:evaluate()
