--- The skeleton of a graph's pose with names of joints, and the targets of its solvers, as lines on the screen.
local core = require("anim.core").graph

local figure = {}

local boneColor, jointColor, nameColor = { 1, .85, .2, .9 }, { 1, 1, 1, .9 }, { 1, 1, 1, .75 }
local targetColor, poleColor = { .2, 1, .6, 1 }, { .4, .8, 1, 1 }

-- Screen places of all joints: x of joint j at 2j - 1, false where it is behind the camera.
local function place(self, graph, project)
  local points, count = self.points, self.count
  for j = 1, count do
    local x, y = project(graph:getPosition(j))
    points[2 * j - 1], points[2 * j] = x or false, y or false
  end
end

local function drawBones(self)
  local points, parents = self.points, self.parents
  love.graphics.setColor(boneColor)
  love.graphics.setLineWidth(2)
  for j = 1, self.count do
    local p = parents[j]
    if p and points[2 * j] and points[2 * p] then
      love.graphics.line(points[2 * p - 1], points[2 * p], points[2 * j - 1], points[2 * j])
    end
  end
  love.graphics.setColor(jointColor)
  for j = 1, self.count do
    if points[2 * j] then love.graphics.circle("fill", points[2 * j - 1], points[2 * j], 2.5, 8) end
  end
end

-- Names that would lie over one that is there already are left out.
local function drawNames(self, font)
  local taken, height = {}, font:getHeight()
  love.graphics.setColor(nameColor)
  for j = 1, self.count do
    local x, y = self.points[2 * j - 1], self.points[2 * j]
    if y then
      local cell = math.floor(x / 64) .. " " .. math.floor(y / height)
      if not taken[cell] then
        taken[cell] = true
        love.graphics.print(self.names[j], math.floor(x + 5), math.floor(y - height / 2))
      end
    end
  end
end

local function drawCross(x, y, color, name)
  love.graphics.setColor(color)
  love.graphics.setLineWidth(1.5)
  love.graphics.circle("line", x, y, 7, 16)
  love.graphics.line(x - 11, y, x + 11, y)
  love.graphics.line(x, y - 11, x, y + 11)
  if name then love.graphics.print(name, math.floor(x + 9), math.floor(y + 4)) end
end

local function drawTargets(self, graph, project)
  local places = self.places
  for node = 1, core.countNodes(graph) do
    local read = core.readNode(graph, node)
    local count, hasPole, weight = 0, false, 0
    if read and self.solvers[read.type] then count, hasPole, weight = core.readTargets(graph, node, places) end
    local step = read and read.type == "foot" and 6 or 3
    for at = 1, weight > 0 and count or 0, step do
      local x, y = project(places[at], places[at + 1], places[at + 2])
      local isPole = hasPole and at > count - 3
      local name = read.name ~= "" and read.name or read.type
      if x then drawCross(x, y, isPole and poleColor or targetColor, not isPole and name or nil) end
    end
  end
end

function figure.new(graph)
  local skeleton = graph:getSkeleton()
  local self = { points = {}, places = {}, parents = {}, names = {}, count = #skeleton,
    solvers = { twoBone = true, chain = true, aim = true, foot = true } }
  for j = 1, self.count do self.parents[j], self.names[j] = skeleton:getParent(j), skeleton:getName(j) end
  return self
end

--- `project(x, y, z)` brings a point of the character's model space to the screen, nil: it is not there.
function figure.draw(self, graph, project, font, names)
  place(self, graph, project)
  drawBones(self)
  if names then drawNames(self, font) end
  drawTargets(self, graph, project)
end

return figure
