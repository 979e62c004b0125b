local anim = require("anim")
local model = dofile("examples/hero.lua").build()
local hero = anim.newGraph(model, { root = "walk" })
local recording = anim.record(hero)

-- ## Recording:stop
hero:update(1 / 60)
recording:stop()
hero:update(1 / 60) -- is not in it
print(recording:getFrameCount()) --> 1

-- ## Recording:isRecording
print(recording:isRecording()) --> true

-- ## Recording:getDuration Recording:getFrameCount
for _ = 1, 30 do hero:update(1 / 60) end
print(("%.1f s, %d updates"):format(recording:getDuration(), recording:getFrameCount())) --> 0.5 s, 30 updates
