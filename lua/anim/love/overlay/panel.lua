--- The panel of the overlay: what a graph does, as rows of text and bars, and its parameters as sliders.
local panel = {}

local colors = {
  back = { .06, .07, .09, .82 }, title = { 1, .85, .2 }, text = { .93, .94, .96 }, dim = { .62, .66, .7 },
  bar = { .25, .55, .85, .75 }, state = { .25, .75, .45, .8 }, track = { 1, 1, 1, .16 }, handle = { 1, 1, 1 },
  pinned = { 1, .6, .2 },
}

-- ---- ranges of parameters: as far as the description has thresholds, and as far as values were seen

local function widen(ranges, name, value)
  if type(name) ~= "string" or type(value) ~= "number" then return end
  local range = ranges[name] or { math.min(0, value), math.max(0, value) }
  range[1], range[2] = math.min(range[1], value), math.max(range[2], value)
  ranges[name] = range
end

local function scan(ranges, node)
  if type(node) ~= "table" then return end
  for _, entry in ipairs(node) do
    if type(entry) == "table" then
      if node.type == "blend1D" then widen(ranges, node.param, entry[1]) end
      if node.type == "blend2D" then
        widen(ranges, node.x, entry[1])
        widen(ranges, node.y, entry[2])
      end
    end
  end
  for _, value in pairs(node) do scan(ranges, value) end
end

--- { name = { least, most } } for numbers that blend nodes look at; { name = true } for triggers.
function panel.study(graph)
  local ranges, triggers, ran, description = {}, {}, pcall(graph.describe, graph)
  if not ran then return ranges, triggers end -- functions in it, say, have no description
  scan(ranges, description)
  for name, param in pairs(description.params or {}) do
    triggers[name] = param == "trigger" or (type(param) == "table" and param[1] == "trigger") or nil
  end
  return ranges, triggers
end

local function rangeOf(ranges, name, value)
  local range = ranges[name] or { 0, 1 }
  ranges[name] = range
  range[1], range[2] = math.min(range[1], value), math.max(range[2], value)
  return range
end

-- ---- rows

local function addParams(self, rows, graph)
  local pins, ranges = self.pins, self.ranges
  for _, param in ipairs(graph:getParams()) do
    local name = param:getName()
    local value = graph:get(name)
    local row = { kind = "param", name = name, value = value, pinned = pins[name] ~= nil }
    if type(value) == "number" then
      row.range, row.text = rangeOf(ranges, name, param:getTarget()), ("%s = %.2f"):format(name, value)
      row.target = param:getTarget()
    else
      row.isTrigger = self.triggers[name] or false
      row.text = row.isTrigger and name or ("%s = %s"):format(name, tostring(value))
    end
    rows[#rows + 1] = row
  end
end

local function addMachine(rows, node)
  local machine, name = node.machine, node.name or "machine"
  local text = ("%s: %s"):format(name, machine.state)
  if machine.source then text = ("%s (from %s, %d%%)"):format(text, machine.source, machine.progress * 100) end
  rows[#rows + 1] = { kind = "state", text = text, part = machine.source and machine.progress or 1 }
  for _, t in ipairs(machine.transitions) do
    local missing = #t.missing > 0 and table.concat(t.missing, "; ") or t.when or "at once"
    rows[#rows + 1] = { kind = "dim", text = ("   to %s: %s"):format(t.to, missing) }
  end
end

local function addNode(rows, node)
  local label = ("  "):rep(node.depth) .. (node.name and node.name .. " " or "") .. node.type
  if node.clip then label = label .. " " .. node.clip end
  rows[#rows + 1] = { kind = "node", text = label, part = node.weight,
    right = node.duration > 0 and ("%.2f  %.2f / %.2f"):format(node.weight, node.time, node.duration)
      or ("%.2f"):format(node.weight) }
  if node.machine then addMachine(rows, node) end
end

--- What is shown of the overlay's graph now.
function panel.rows(self)
  local report, rows = self.graph:inspect(), {}
  rows[1] = { kind = "title", text = ("graph at %.2f s"):format(report.time) }
  if self.message then rows[2] = { kind = "pinned", text = self.message } end
  addParams(self, rows, self.graph)
  for _, node in ipairs(report.nodes) do addNode(rows, node) end
  return rows
end

--- Where there is no graph any more.
function panel.none() return { { kind = "title", text = "the graph was released" } } end

-- ---- drawing

local function drawBar(x, y, w, h, part, color)
  love.graphics.setColor(color)
  love.graphics.rectangle("fill", x, y, w * math.max(0, math.min(1, part)), h)
end

local function sliderOf(self, y) return self.x + self.width * .56, y, self.width * .42, self.line end

local function drawParam(self, row, y)
  local x, _, w, h = sliderOf(self, y)
  local middle = math.floor(y + h / 2)
  love.graphics.setColor(row.pinned and colors.pinned or colors.text)
  love.graphics.print(row.text, self.x + 6, y)
  if row.range then
    local least, most = row.range[1], row.range[2]
    local part = most > least and (row.target - least) / (most - least) or 0
    love.graphics.setColor(colors.track)
    love.graphics.rectangle("fill", x, middle - 2, w, 4, 2)
    love.graphics.setColor(row.pinned and colors.pinned or colors.handle)
    love.graphics.circle("fill", x + w * part, middle, 5, 12)
  else
    love.graphics.setColor(colors.track)
    love.graphics.rectangle(row.isTrigger and "fill" or "line", x, y + 2, h * 1.6, h - 4, 3)
    if row.value then drawBar(x + 2, y + 4, h * 1.6 - 4, h - 8, 1, colors.state) end
    love.graphics.setColor(colors.dim)
    if row.isTrigger then love.graphics.print("fire", x + 2, y) end
  end
end

local function drawRow(self, row, y)
  if row.kind == "param" then return drawParam(self, row, y) end
  if row.kind == "node" then drawBar(self.x, y + 1, self.width, self.line - 2, row.part, colors.bar) end
  if row.kind == "state" then drawBar(self.x, y + 1, self.width, self.line - 2, row.part, colors.state) end
  local isBar = row.kind == "node" or row.kind == "state"
  love.graphics.setColor(isBar and colors.text or colors[row.kind] or colors.text)
  love.graphics.print(row.text, self.x + 6, y)
  if row.right then
    love.graphics.printf(row.right, self.x, y, self.width - 6, "right")
  end
end

--- Draws rows that fit above the lower edge of the screen; the last line counts the others.
function panel.draw(self, rows)
  local most = math.max(2, math.floor((love.graphics.getHeight() - self.y - 10) / self.line))
  local shown = math.min(#rows, most)
  love.graphics.setColor(colors.back)
  love.graphics.rectangle("fill", self.x, self.y, self.width, shown * self.line + 8, 5)
  for i = 1, shown do
    local y = self.y + 4 + (i - 1) * self.line
    if i == most and #rows > most then
      drawRow(self, { kind = "dim", text = ("and %d more"):format(#rows - most + 1) }, y)
    else
      drawRow(self, rows[i], y)
    end
  end
end

--- Which part of a slider is at x.
function panel.part(self, x)
  local from, _, width = sliderOf(self, 0)
  return math.max(0, math.min(1, (x - from) / width))
end

--- The parameter's row at a place of the screen, and whether that is on what changes it.
function panel.hit(self, rows, x, y)
  local row = rows[math.floor((y - self.y - 4) / self.line) + 1]
  if x < self.x or x > self.x + self.width or not row or row.kind ~= "param" then return nil end
  return row, x >= sliderOf(self, y) - 8
end

function panel.contains(self, rows, x, y)
  return x >= self.x and x <= self.x + self.width and y >= self.y and y <= self.y + #rows * self.line + 8
end

return panel
