-- Retargeting between real rigs: how far the directions of arms and legs in model space are from the source's (worst
-- and mean over the clip, 200 times, also between keys), without and with feet kept, how near the feet are to the
-- floor, and how long it takes.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. here .. "/../?.lua;" .. package.path
local anim = require("anim")
local bones = require("anim.humanoid.bones")
local limbs = require("spec.support.limbs")
local support = require("support")

local function load(name)
  local bytes = support.read(support.data() .. "/" .. name)
  return bytes and assert(anim.decode(bytes, name))
end

local function columns(rows)
  local out = {}
  for _, bone in ipairs(limbs.bones) do
    local row = rows[bone[1]]
    out[#out + 1] = row and ("%5.1f %4.1f"):format(row.worst, row.mean) or "    -    -"
  end
  return table.concat(out, "  ")
end

local function run(case)
  local title = ("%s %s -> %s"):format(case[1]:match("([^/]*)%.%w+$"), case[2], case[3]:match("([^/]*)%.%w+$"))
  local source, target = load(case[1]), load(case[3])
  if not (source and target) then return print(title .. ": skipped, the test data are not there") end
  local clip = source.clips[case[2]]
  local map = anim.guessMap(clip:getSkeleton(), target.skeleton)
  for _, options in ipairs({ {}, { feet = true } }) do
    local made
    local ran, message = pcall(function()
      local seconds = support.measure(function() made = clip:retarget(target.skeleton, map, options) end, .05, 3)
      local low, high = limbs.floor(made, bones, 200)
      print(("%-52s %s  feet %5.1f to %5.1f %%  %6.2f ms"):format(options.feet and "  with feet kept" or title,
        columns(limbs.angles(clip, made, map, bones, case[4], 200)), low * 100, high * 100, seconds * 1e3))
    end)
    if not ran then print("  with feet kept: " .. message) end
  end
end

print(("%-52s %s"):format("degrees, worst and mean", "upper arm   forearm     thigh       shin"))
for _, case in ipairs(limbs.cases) do run(case) end
