-- The main job: load a character, say what it is, play it, write a page that shows that.
--
--   demo.lua [FILE] [-o PAGE]
--
-- FILE is glTF (.gltf, .glb), BVH or .anim: all its clips are played. Without it the person of hero.lua plays the scene
-- of demo/scene.lua, which is recorded. PAGE is build/demo.html beside the examples if not given.
local anim = require("anim")
local parts = require("anim.view.parts") -- finds hips, feet and hands by the names that rigs use

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""

local function fail(message)
  io.stderr:write("demo: ", message, "\n")
  os.exit(1)
end

local function readArguments(words)
  local file, page
  local i = 1
  while words[i] do
    if words[i] == "-o" then
      page, i = words[i + 1] or fail("-o needs the name of a page"), i + 1
    elseif words[i]:sub(1, 1) == "-" or file then
      fail("usage: demo.lua [FILE] [-o PAGE]")
    else
      file = words[i]
    end
    i = i + 1
  end
  return file, page
end

local function getModel(file)
  if not file then
    local model = dofile(here .. "hero.lua").build({ travel = true })
    model.name = "hero"
    return model
  end
  local model, message = anim.load(file)
  return model or fail(message)
end

-- Events by name and number: "2 footstep, 1 swing".
local function countEvents(clip)
  local names, counts = {}, {}
  for _, event in ipairs(clip:getEvents()) do
    if not counts[event.name] then names[#names + 1] = event.name end
    counts[event.name] = (counts[event.name] or 0) + 1
  end
  for i, name in ipairs(names) do names[i] = counts[name] .. " " .. name end
  return table.concat(names, ", ")
end

local loopWords = { [true] = "loops", [false] = "once", pingpong = "to and fro" }

local function describe(model)
  local function counted(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end
  print(("%s: %s, %s, %s"):format(model.name, counted(#model.skeleton, "joint"), counted(#(model.skins or {}), "skin"),
    counted(#model.clips, "clip")))
  for _, clip in ipairs(model.clips) do
    local events = countEvents(clip)
    print(("  %-28s %7.2f s  %-10s  %s"):format(clip:getName(), clip:getDuration(), loopWords[clip:getLoop()], events))
  end
  local warnings = model.warnings or {}
  print(counted(#warnings, "warning"))
  for _, text in ipairs(warnings) do print("  " .. text) end
end

-- Length of the way that each joint goes in a clip, sixty poses a second.
local function play(clip, pose, joints)
  local ways, last = {}, {}
  local steps = math.max(1, math.ceil(clip:getDuration() * 60))
  for step = 0, steps do
    clip:sample(clip:getDuration() * step / steps, pose)
    for i, joint in ipairs(joints) do
      local x, y, z = pose:getPosition(joint)
      local before = last[i] or { x, y, z }
      ways[i] = (ways[i] or 0) + math.sqrt((x - before[1]) ^ 2 + (y - before[2]) ^ 2 + (z - before[3]) ^ 2)
      last[i] = { x, y, z }
    end
  end
  return ways
end

-- The joints to follow and what to call them: "hips", "foot L", "hand R".
local function findLimbs(model)
  local map = parts.find(model)
  local limbs = { { label = "hips", joint = map.hips } }
  for _, kind in ipairs({ "foot", "hand" }) do
    local list = kind == "foot" and map.feet or map.hands
    for i = 1, math.min(4, #list) do
      limbs[#limbs + 1] = { label = (kind .. " " .. (map.side[list[i]] or "")):gsub(" $", ""), joint = list[i] }
    end
  end
  return limbs
end

local function playAll(model)
  local limbs, joints, heads, names = findLimbs(model), {}, {}, {}
  for i, limb in ipairs(limbs) do
    joints[i] = limb.joint
    heads[i] = ("%10s"):format(limb.label)
    names[i] = ("%s = %s"):format(limb.label, model.skeleton:getName(limb.joint))
  end
  print("\nhow far they go, in the file's unit (" .. table.concat(names, ", ") .. ")")
  print("  " .. (" "):rep(28) .. table.concat(heads, " "))
  local pose = anim.newPose(model.skeleton)
  for _, clip in ipairs(model.clips) do
    if not clip:isAdditive() then
      local ways = play(clip, pose, joints)
      for i, way in ipairs(ways) do ways[i] = ("%10.2f"):format(way) end
      print(("  %-28s%s"):format(clip:getName(), table.concat(ways, " ")))
    end
  end
end

-- The page of the name given; without one in build/, or here where there is no such directory.
local function writePage(shown, options, given)
  local message
  for _, page in ipairs(given and { given } or { here .. "../build/demo.html", "demo.html" }) do
    local written
    written, message = anim.view(shown, page, options)
    if written then return (page:gsub("[^/\\]+[/\\]%.%.[/\\]", "")) end
  end
  fail(message)
end

local file, page = readArguments(arg)
local model = getModel(file)
describe(model)
local shown, options = model, nil
if file then
  playAll(model)
else
  package.path = here .. "?.lua;" .. package.path
  print("\na scene, with the footsteps (L, R) as they come")
  shown, options = require("demo.perform")(anim, model), { lines = require("demo.course").lines() }
  print(tostring(shown))
end
print(("\n%s shows it: open it in a browser"):format(writePage(shown, options, page)))
