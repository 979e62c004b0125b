--- What a graph does, over any game: skeleton, targets, states, weights, and parameters that can be dragged.
local check = require("anim.love.check")
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local figure = require("anim.love.overlay.figure")
local panel = require("anim.love.overlay.panel")
local stage = require("anim.love.stage")

local Overlay = { __name = "anim.love.Overlay" }
Overlay.__index = Overlay

local number = fault.number

local options = { key = check.text, camera = check.object("anim.love.Camera"), project = fault.callable,
  names = fault.boolean, x = number, y = number, width = check.above0, on = fault.boolean, rate = check.above0 }

local function isGraph(value) return core.kindOf(value) == "Graph" end

local function graphOf(target) return isGraph(target) and target or type(target) == "table" and target.graph end

-- A kind, see anim.love.check.
local function readTarget(target, path)
  if not isGraph(graphOf(target)) then fault.expected(path, "graph or character", target) end
  check.graph(graphOf(target), path)
  return target
end

local function lookAt(self, target)
  local graph = graphOf(target)
  self.target, self.graph = target, graph
  self.pins = type(target) == "table" and target.pins or {}
  self.ranges, self.triggers = panel.study(graph)
  self.figure, self.last, self.held = figure.new(graph), -math.huge, nil
end

--- See anim.love.newOverlay.
function Overlay.new(target, given)
  check.argument("newOverlay", 1, readTarget, target)
  given = check.options("newOverlay", 2, given, options)
  local self = setmetatable({ key = given.key or "f1", camera = given.camera, projectPoint = given.project,
    names = given.names or false, x = given.x or 10, y = given.y or 10, width = given.width or 330,
    isOn = given.on or false, interval = 1 / (given.rate or 10), last = -math.huge, rows = {} }, Overlay)
  lookAt(self, target)
  return self
end

--- Another graph or character.
function Overlay:setTarget(target) lookAt(self, target) end

-- Whether there is a graph to be shown: not one that was released, and the one that the character has now.
local function isThere(self)
  local graph = graphOf(self.target)
  if check.isAlive(graph) then
    if graph ~= self.graph then lookAt(self, self.target) end
    return true
  end
  self.graph, self.held, self.last = nil, nil, -math.huge
  return false
end

-- From the character's model space to the screen: by the function that was given, or by the camera.
local function projector(self)
  if self.projectPoint then return self.projectPoint end
  local camera, target = self.camera, self.target
  if not camera or not camera.width then return nil end
  local stands = type(target) == "table" and target.x and target.z and target.heading
  if not stands then return function(x, y, z) return camera:project(x, y, z) end end
  local s, c, k = math.sin(target.heading), math.cos(target.heading), target.scale or 1
  return function(x, y, z)
    return camera:project(target.x + k * (c * x + s * z), target.y + k * y, target.z + k * (c * z - s * x))
  end
end

local font

local function drawAll(self)
  love.graphics.reset()
  love.graphics.setFont(font)
  local isAlive, now = isThere(self), love.timer.getTime()
  local project = isAlive and projector(self)
  if project then figure.draw(self.figure, self.graph, project, font, self.names) end
  if now - self.last >= self.interval or self.held then
    self.rows, self.last = isAlive and panel.rows(self) or panel.none(), now
  end
  panel.draw(self, self.rows)
end

--- Draws it where it is on: after the game, on the screen.
function Overlay:draw()
  if not self.isOn then return end
  font = font or love.graphics.newFont(12)
  self.line = font:getHeight() + 2
  local depth = love.graphics.getStackDepth()
  love.graphics.push("all")
  local ran, why = pcall(drawAll, self)
  stage.leave(depth)
  if not ran then error(why, 0) end
end

--- The panel's lines as they are drawn now.
function Overlay:getText()
  local out = {}
  for i, row in ipairs(isThere(self) and panel.rows(self) or panel.none()) do out[i] = row.text end
  return table.concat(out, "\n")
end

--- A line of its own in the panel: what a watcher found, say; nil takes it away.
function Overlay:setMessage(text) self.message = text end

-- ---- input; all of them say whether it was for the overlay

--- Its key switches it; while it is on, "n" shows the names of joints.
function Overlay:keypressed(key)
  if key == self.key then
    self.isOn = not self.isOn
    return true
  end
  if self.isOn and key == "n" then
    self.names = not self.names
    return true
  end
  return false
end

-- A parameter of a character stays where it was dragged to, whatever the game sets, until it is let go.
local function pin(self, name, value)
  self.graph:set(name, value)
  if not isGraph(self.target) then
    self.pins[name] = value
    self.target.pins = self.pins
  end
end

local function drag(self, part)
  local row = self.held
  local range = row.range
  pin(self, row.name, range[1] + part * (range[2] - range[1]))
end

--- Left: sliders are dragged, switches switched, triggers fired; right: a parameter is the game's again.
function Overlay:mousepressed(x, y, button)
  if not self.isOn or not self.line or not panel.contains(self, self.rows, x, y) then return false end
  local row, isOnSlider = panel.hit(self, self.rows, x, y)
  if not row or not isThere(self) then return true end
  if button == 2 then
    self.pins[row.name] = nil
  elseif button == 1 and row.isTrigger then
    self.graph:fire(row.name)
  elseif button == 1 and type(row.value) == "boolean" then
    pin(self, row.name, not self.graph:get(row.name))
  elseif button == 1 and isOnSlider then
    self.held = row
    drag(self, panel.part(self, x))
  end
  self.last = -math.huge
  return true
end

function Overlay:mousemoved(x)
  if not self.held or not isThere(self) then return false end
  drag(self, panel.part(self, x))
  return true
end

function Overlay:mousereleased()
  local held = self.held ~= nil
  self.held = nil
  return held
end

--- Puts it into LÖVE's callbacks as they are now: call it once, at the end of love.load. What is for the overlay does
--- not reach the game.
function Overlay:hook()
  local function before(name, method)
    local old = love[name]
    love[name] = function(...)
      if self[method](self, ...) then return end
      if old then return old(...) end
    end
  end
  for _, name in ipairs({ "keypressed", "mousepressed", "mousemoved", "mousereleased" }) do before(name, name) end
  local draw = love.draw
  love.draw = function()
    if draw then draw() end
    self:draw()
  end
  return self
end

check.methods(Overlay, { setTarget = { readTarget }, hook = {}, draw = {}, keypressed = { check.text },
  mousepressed = { number, number, number }, mousemoved = { number, number }, mousereleased = {}, getText = {},
  setMessage = { check.optional(check.text) } })

return Overlay
