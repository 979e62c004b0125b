local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local hero = anim.newGraph(model, { root = "walk" })
local steps = 0
local subscription = hero:on("footstep", function() steps = steps + 1 end)

-- ## Subscription:cancel
for _ = 1, 120 do
  hero:update(1 / 60)
  if steps == 2 then subscription:cancel() end
end
print(steps) --> 2

-- ## Subscription:isActive
print(subscription:isActive()) --> true
hero:release()
print(subscription:isActive()) --> false

-- ## Subscription:release
subscription:release()
hero:update(1)
print(steps) --> 0
