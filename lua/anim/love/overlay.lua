--- What a graph does, over any game: skeleton, targets, states, weights, and parameters that can be dragged.
local figure = require("anim.love.overlay.figure")
local panel = require("anim.love.overlay.panel")

local Overlay = {}
Overlay.__index = Overlay

local optionKeys = { key = true, camera = true, project = true, names = true, x = true, y = true, width = true,
  on = true, rate = true }

local function isGraph(value)
  local meta = type(value) == "userdata" and getmetatable(value)
  return type(meta) == "table" and meta.__name == "anim.Graph"
end

--- See anim.love.newOverlay.
function Overlay.new(target, options)
  options = options or {}
  for key in pairs(options) do
    if not optionKeys[key] then
      error(("bad argument #2 to 'newOverlay' (unknown key '%s')"):format(tostring(key)), 3)
    end
  end
  local self = setmetatable({ key = options.key or "f1", camera = options.camera, projectPoint = options.project,
    names = options.names or false, x = options.x or 10, y = options.y or 10, width = options.width or 330,
    isOn = options.on or false, interval = 1 / (options.rate or 10), last = -math.huge, rows = {} }, Overlay)
  self:setTarget(target)
  return self
end

--- Another graph or character.
function Overlay:setTarget(target)
  local graph = isGraph(target) and target or type(target) == "table" and target.graph
  if not isGraph(graph) then error("bad argument #1 to 'setTarget' (graph or character expected)", 2) end
  self.target, self.graph = target, graph
  self.pins = type(target) == "table" and target.pins or {}
  self.ranges, self.triggers = panel.study(graph)
  self.figure, self.last, self.held = figure.new(graph), -math.huge, nil
end

-- From the character's model space to the screen: by the function that was given, or by the camera.
local function projector(self)
  if self.projectPoint then return self.projectPoint end
  local camera, target = self.camera, self.target
  if not camera or not camera.width then return nil end
  if not target.x then return function(x, y, z) return camera:project(x, y, z) end end
  local s, c, k = math.sin(target.heading), math.cos(target.heading), target.scale or 1
  return function(x, y, z)
    return camera:project(target.x + k * (c * x + s * z), target.y + k * y, target.z + k * (c * z - s * x))
  end
end

local font

--- Draws it where it is on: after the game, on the screen.
function Overlay:draw()
  if not self.isOn then return end
  font = font or love.graphics.newFont(12)
  self.line = font:getHeight() + 2
  love.graphics.push("all")
  love.graphics.reset()
  love.graphics.setFont(font)
  local project = projector(self)
  if project then figure.draw(self.figure, self.graph, project, font, self.names) end
  local now = love.timer.getTime()
  if now - self.last >= self.interval or self.held then
    self.rows, self.last = panel.rows(self), now
  end
  panel.draw(self, self.rows)
  love.graphics.pop()
end

--- The panel's lines as they are drawn now.
function Overlay:getText()
  local out = {}
  for i, row in ipairs(panel.rows(self)) do out[i] = row.text end
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
  if not row then return true end
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
  if not self.held then return false end
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

return Overlay
