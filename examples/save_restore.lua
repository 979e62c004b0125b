-- Snapshots: the whole run-time state as a string. Restored and run again, every bit comes out the same.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model, {
  params = { speed = { 0, smooth = .2 } },
  root = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } },
})

-- What the player did, frame by frame, as rollback keeps it.
local input = {}
for frame = 1, 120 do input[frame] = frame < 40 and 0 or frame < 80 and 2 or 3.6 end

local function run(from, to)
  for frame = from, to do
    hero:set("speed", input[frame])
    hero:update(1 / 60)
  end
  return hero:hash()
end

run(1, 60)
local snapshot = hero:save()
print(("frame 60:  %d bytes saved"):format(#snapshot))
local first = run(61, 120)
print("frame 120: " .. first)

assert(hero:restore(snapshot))
local second = run(61, 120)
print("again:     " .. second .. (first == second and " (the same)" or " (NOT the same)"))

input[70] = 0 -- late news from the network: the frames since then are run again
assert(hero:restore(snapshot))
print("corrected: " .. run(61, 120))
print("refused:   " .. select(2, hero:restore(snapshot:sub(1, -2))))
