-- The same as examples/c/core, in Lua: host walk.lua FILE [FROM TO [JOINT]]
local anim = require("anim")

local path, from, to, joint = arg[1], arg[2] or "walk", arg[3] or "run", arg[4]
local model = assert(anim.load(path))
print(("%s: %d joints, %d clips"):format(path, #model.skeleton, #model.clips))
joint = joint or model.skeleton:getName(#model.skeleton)

local graph = anim.newGraph(model, {
  params = { way = 0 },
  root = { type = "blend1D", param = "way", { 0, from }, { 1, to } },
})
local clock = 0
graph:on("*", function(name, _, _, clip, time)
  if name == "loop" then return end -- not of the clip's own
  print(("%.2f s: event %s at %.2f s of %s"):format(clock, name, time, clip:getName()))
end)
for frame = 0, 120 do
  graph:set("way", frame / 120)
  clock = clock + 1 / 60
  graph:update(1 / 60)
  if frame % 30 == 0 then
    print(("frame %3d: %s at %.4f %.4f %.4f"):format(frame, joint, graph:getPosition(joint)))
  end
end
