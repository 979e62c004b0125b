--- graph:reload(description): another description for a character that is alive. Parameters keep their values, machines
--- their state, clips their place, solvers the targets that were set, where the new description has them too; over the
--- rest the pose fades.
local core = require("anim.core").graph
local build = require("anim.graph.build")

local fadeTime = .2

local solvers = {}
for kind in ("twoBone chain aim foot spring stride orient"):gmatch("%a+") do solvers[kind] = true end

-- Calls visit(place, key) for all nodes: those with a name under it, others by their way from there or from the root.
local function walk(graph, visit)
  local function go(place, key)
    local read = core.readNode(graph, place)
    if read.name ~= "" then key = "node " .. read.name end
    visit(place, key, read)
    local states = read.type == "machine" and core.readMachine(graph, place).states
    for i, input in ipairs(read.inputs) do
      if input.node then go(input.node, ("%s / %s"):format(key, states and states[i] or i)) end
    end
  end
  for place = 1, core.countNodes(graph) do
    local read = core.readNode(graph, place)
    if read and not read.parent then go(place, "root") end
  end
end

local function remember(graph)
  local known = {}
  walk(graph, function(place, key, read)
    local node = core.nodeAt(graph, place)
    known[key] = { type = read.type, clip = read.clip and read.clip:getName(), sync = read.sync,
      phase = node:getPhase(), playing = node:isPlaying(), state = read.type == "machine" and node:getState() or nil,
      points = solvers[read.type] and core.readPoints(graph, place) }
  end)
  return known
end

local function restore(graph, known)
  walk(graph, function(place, key, read)
    local was, node = known[key], core.nodeAt(graph, place)
    if not was or was.type ~= read.type then return end
    if not was.playing then node:pause() end
    if was.state then core.placeState(graph, place, was.state) end
    if read.type == "clip" and was.clip == read.clip:getName() then core.refit(graph, place, was.phase) end
    if read.sync and was.sync then node:setPhase(was.phase) end
    if was.points then core.writePoints(graph, place, was.points) end
  end)
end

local function clear(b)
  core.setRoot(b.graph, nil)
  for place = 1, core.countNodes(b.graph) do
    if core.readNode(b.graph, place) then core.removeNode(b.graph, place) end
  end
end

local function replace(b, description)
  local masks, specs = b.user.masks, b.user.maskSpecs
  b.user.masks, b.user.maskSpecs = {}, {}
  for name, mask in pairs(masks) do
    if specs[name] == nil then b.user.masks[name] = mask end -- given beside the description
  end
  local ran, result = pcall(function()
    clear(b)
    build.graph(b, description)
  end)
  if ran then return end
  b.user.masks, b.user.maskSpecs = masks, specs
  error(result, 0)
end

return function(graph, description, edit)
  local known, advanced = remember(graph), core.readClock(graph)
  if advanced then
    core.showGraph(graph, false) -- as it is now
    core.coverPose(graph)
  end
  edit(graph, "reload", 1, 3, replace, description)
  core.user(graph).play = nil
  restore(graph, known)
  if not advanced then return end
  core.showGraph(graph, true)
  core.fadeFromCover(graph, fadeTime)
end
