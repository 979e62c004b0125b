-- A person to animate: 64 joints and 20 clips, all made by the code in hero/.
--
--   local hero = dofile("examples/hero.lua")
--   local model = hero.build()                  -- { skeleton =, clips = } as anim.load gives it
--   local model = hero.build({ travel = true }) -- gaits move the joint "root" instead of staying on the spot
--   hero.speeds.walk                            -- metres a second; hero.turns.turn_left: degrees a second
--
-- Run as a script it saves the model: hero.lua [FILE], FILE being hero.anim if not given.
local source = debug.getinfo(1, "S").source
local here = source:match("^@(.*[/\\])") or ""
if not package.path:find(here .. "?.lua", 1, true) then package.path = here .. "?.lua;" .. package.path end

local anim = require("anim")
local bake = require("hero.bake")
local gait = require("hero.gait")
local rig = require("hero.rig")
local styles = require("hero.styles")

local hero = {
  -- In the order of the clips in the model.
  names = {
    "idle", "walk", "run", "walk_back", "strafe_left", "strafe_right", "turn_left", "turn_right",
    "jump", "jump_start", "jump_air", "jump_land", "fall",
    "wave", "hit", "attack", "aim", "shoot", "reload", "death",
  },
  motions = {}, -- by name: what hero/bake.lua makes clips of
  speeds = {},  -- of the gaits, metres a second; `headings`: where to, in degrees to the left from ahead
  headings = {},
  turns = {},   -- degrees a second to the left
}

for name, style in pairs(styles) do hero.motions[name] = gait.new(style) end
hero.motions.strafe_right = gait.mirror(hero.motions.strafe_left)
hero.motions.turn_right = gait.mirror(hero.motions.turn_left)
for name, motion in pairs(hero.motions) do
  if motion.speed > 0 then
    hero.speeds[name], hero.headings[name] = motion.speed, motion.heading
  else
    hero.turns[name] = motion.turn / motion.duration
  end
end
for _, part in ipairs({ "actions", "jump", "death" }) do
  for name, motion in pairs(require("hero." .. part)) do hero.motions[name] = motion end
end

function hero.build(options)
  local skeleton = anim.newSkeleton(rig.describe())
  local clips = {}
  for i, name in ipairs(hero.names) do
    clips[i] = bake(anim, skeleton, name, hero.motions[name], options or {})
    clips[name] = clips[i]
  end
  return { skeleton = skeleton, clips = clips }
end

if arg and source == "@" .. (arg[0] or "") then
  local path = arg[1] or "hero.anim"
  local ok, err = anim.save(hero.build(), path)
  if not ok then
    io.stderr:write(err, "\n")
    os.exit(1)
  end
  print(("%s: %d joints, %d clips"):format(path, #rig.joints, #hero.names))
end

return hero
