--- Where targets and poles of solvers are, frame by frame, moved by the root motion so far as poses are. Of a solver
--- that is not heard there is nothing.
local core = require("anim.core").graph
local Series = require("anim.record.series")
local solvers = require("anim.graph.solvers")
local take = require("anim.view.take")

local Targets = {}
Targets.__index = Targets

function Targets.new(skeleton, unit, path)
  return setmetatable({ skeleton = skeleton, unit = unit, path = path, places = {} }, Targets)
end

-- Joints -----------------------------------------------------------------------------------------------

local function indexOf(skeleton, joint)
  if type(joint) == "string" then return skeleton:find(joint) end
  return type(joint) == "number" and joint or nil
end

-- Of joints that share a turn the last one looks at the target.
local function deepest(skeleton, list)
  local found
  for _, item in ipairs(list) do
    local joint = indexOf(skeleton, type(item) == "table" and item[1] or item)
    if joint and joint > (found or 0) then found = joint end
  end
  return found
end

-- The joint of each target as described, and the one that the pole concerns; unknown ones are nil.
local function jointsOf(self, graph, place, kind)
  local spec, skeleton, joints = {}, self.skeleton, {}
  solvers.write(graph, place, spec, {})
  local list = spec.effectors or spec.legs
  if list then
    for i, effector in ipairs(list) do joints[i] = indexOf(skeleton, effector.joint) end
    return joints, nil, #list
  end
  local joint = indexOf(skeleton, spec.joint) or (spec.joints and deepest(skeleton, spec.joints))
  if kind ~= "twoBone" then return { joint }, joint, 1 end
  return { joint }, indexOf(skeleton, spec.mid) or (joint and skeleton:getParent(joint)), 1
end

-- Points -----------------------------------------------------------------------------------------------

-- `at`: where its x is in the list that the core fills.
local function addPoint(self, node, at, isPole, joint, frame)
  local point = { at = at, isPole = isPole, joint = joint, shown = Series.new(),
    writer = take.pointWriter(self.unit, frame) }
  node.points[#node.points + 1], node.open[#node.open + 1] = point, point
end

local function close(node, frame)
  for _, point in ipairs(node.open or {}) do
    if frame then point.shown:add(frame, 0) end
    point.blocks, point.writer = point.writer:finish(), nil
  end
  node.open = {}
end

-- The same node in the row, with as many points, goes on in those that it has.
local function open(self, graph, node, count, hasPole, frame)
  if node.openUid == node.uid and node.openCount == count and node.openPole == hasPole then return end
  close(node, frame)
  node.points = node.points or {}
  node.openUid, node.openCount, node.openPole = node.uid, count, hasPole
  local joints, poleJoint, described = jointsOf(self, graph, node.place, node.type)
  local step = node.type == "foot" and 6 or 3 -- a point of the ground, then its normal
  local targets = (hasPole and count - 3 or count) / step
  for i = 1, targets do -- where some are not given there is no telling which
    addPoint(self, node, step * i - step + 1, false, targets == described and joints[i] or nil, frame)
  end
  if hasPole then addPoint(self, node, count - 2, true, poleJoint, frame) end
end

local function readNode(self, graph, node, frame)
  local places, count, hasPole, weight = self.places, 0, nil, nil
  if node.seen == frame then count, hasPole, weight = core.readTargets(graph, node.place, places) end
  if weight and weight <= 0 then count = 0 end
  if count > 0 then open(self, graph, node, count, hasPole, frame) end
  for _, point in ipairs(node.open or {}) do
    local at = point.at
    if count > 0 then
      point.writer:add(self.path:carry(places[at], places[at + 1], places[at + 2]))
    else
      point.writer:add()
    end
    point.shown:add(frame, count > 0 and 1 or 0)
  end
end

--- `nodes`: the solvers among those of the tracks, which were read before.
function Targets:read(graph, frame, nodes)
  for _, node in ipairs(nodes) do readNode(self, graph, node, frame) end
end

function Targets.finish(nodes)
  for _, node in ipairs(nodes) do close(node) end
end

return Targets
