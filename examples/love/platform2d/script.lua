-- Plays the game by itself, frame by frame, for pictures and for the spec: what is pressed when, and pictures of it.
-- Each prints a line: where the character is on the picture, how many pixels of his colours are around there and where,
-- what his graph does.
local script = {}
script.__index = script

-- Seconds: what begins then. Keys hold until they change.
local steps = {
  { 0, move = 0, lookX = 300, lookY = -30 },
  { .8, move = 1, walk = true }, { 1.5, strike = true }, { 2.2, walk = false }, { 3.4, jump = true },
  { 5.2, move = 0, lookX = -400, lookY = -200 }, { 6, lookX = 400, lookY = -260 },
  { 6.6, move = 1 }, { 7.35, strike = true }, { 8.1, move = 0 },
  { 8.8, move = -1, walk = true, lookX = -300, lookY = 60 }, { 10, key = "f1" }, { 11, key = "f1", move = 0 },
}

local pictures = { { .7, "idle" }, { 1.2, "walk" }, { 1.68, "blow" }, { 2.9, "slope" }, { 3.6, "jump" },
  { 4.05, "fall" }, { 4.7, "run" }, { 5.9, "look_back" }, { 6.5, "look_up" }, { 7.53, "strike" }, { 9.4, "left" },
  { 9.75, "bones" }, { 10.5, "overlay" } }

function script.new(folder, hero, place, level, overlay)
  jit.off() -- what is counted below is what a frame leaves behind, not what the compiler does
  return setmetatable({ folder = folder, hero = hero, place = place, level = level, overlay = overlay, time = 0,
    step = 1, picture = 1, sunk = 0, held = {} }, script)
end

function script:input(input)
  while steps[self.step] and self.time >= steps[self.step][1] do
    for key, value in pairs(steps[self.step]) do
      if key == "key" then
        love.keypressed(value)
      elseif key == "jump" or key == "strike" then
        input[key] = value
      elseif key ~= 1 then
        self.held[key] = value
      end
    end
    self.step = self.step + 1
  end
  input.move, input.walk = self.held.move or 0, self.held.walk or false
  input.lookX, input.lookY = self.place.x + self.held.lookX, self.place.y - 80 + self.held.lookY
  self.time = self.time + 1 / 60
end

-- Bytes that 200 frames of the character leave behind.
local function measure(hero)
  for _ = 1, 60 do
    hero:update(0)
    hero:draw()
  end
  collectgarbage()
  collectgarbage("stop")
  hero:update(0)
  hero:draw() -- a collection makes the stack of Lua short; it grows once
  local least = math.huge -- and so may other things, in one of three turns
  for _ = 1, 3 do
    local before = collectgarbage("count")
    for _ = 1, 200 do
      hero:update(1 / 60)
      hero:draw()
    end
    least = math.min(least, (collectgarbage("count") - before) * 1024)
  end
  collectgarbage("restart")
  return least
end

local function isHero(r, g, b)
  local function near(x, y, z) return math.abs(r - x) + math.abs(g - y) + math.abs(b - z) < .06 end
  return near(.86, .27, .29) or near(.96, .78, .62) or near(.27, .32, .52)
end

-- Pixels of shirt, skin and trousers around a point between the feet.
local function look(data, x, y)
  local count, sumX, sumY, top, bottom = 0, 0, 0, 1e9, -1e9
  local width, height = data:getDimensions()
  for py = math.max(0, math.floor(y - 160)), math.min(height - 1, math.floor(y + 50)) do
    for px = math.max(0, math.floor(x - 110)), math.min(width - 1, math.floor(x + 110)) do
      if isHero(data:getPixel(px, py)) then
        count, sumX, sumY = count + 1, sumX + px, sumY + py
        top, bottom = math.min(top, py), math.max(bottom, py)
      end
    end
  end
  return count, count > 0 and sumX / count or 0, count > 0 and sumY / count or 0, top, bottom
end

local function write(path, data)
  local file = assert(io.open(path, "wb"))
  file:write(data:encode("png"):getString())
  file:close()
end

-- How far toes and heels are in the ground.
local function feet(self)
  local worst = 0
  for _, name in ipairs({ "toeF", "heelF", "toeB", "heelB" }) do
    local x, y = self.hero:getPosition(name)
    worst = math.max(worst, y - self.level.ground(x))
  end
  return worst
end

function script:frame(view)
  local state = self.hero.graph:find("body"):getState()
  if state ~= self.state then
    print(("state %.2f %s"):format(self.time, state))
    self.state = state
  end
  if self.place.grounded and self.hero.graph:get("feet") > .99 then self.sunk = math.max(self.sunk, feet(self)) end
  local due = pictures[self.picture]
  if due and self.time >= due[1] then
    self.picture, self.bones = self.picture + 1, pictures[self.picture + 1] and pictures[self.picture + 1][2] == "bones"
    local x, y = (self.place.x - view.x) * view.zoom, (self.place.y - view.y) * view.zoom
    local facing = self.hero:getFacing()
    local _, _, turn = self.hero:getJoint("head")
    if due[2] == "overlay" then print("overlay " .. self.overlay:getText():gsub("%s+", " ")) end
    local mouth, eye = self.hero:getSprite("mouth"), self.hero:getSprite("eye")
    love.graphics.captureScreenshot(function(data)
      local count, cx, cy, top, bottom = look(data, x, y)
      print(("picture %s x %.0f y %.0f facing %d pixels %d at %.1f %.1f from %d to %d"):format(due[2], x, y, facing,
        count, cx, cy, top, bottom))
      print(("shows %s head %.0f mouth %s eye %s"):format(due[2], math.deg(turn), mouth, eye))
      write(self.folder .. "/" .. due[2] .. ".png", data)
    end)
  end
  if self.time > 11.2 then
    local hits = 0
    for _, one in ipairs(self.level.pumpkins) do hits = hits + one.hits end
    print(("hits %d"):format(hits))
    print(("sunk %.2f"):format(self.sunk))
    print(("garbage %d"):format(measure(self.hero)))
    love.event.quit()
  end
end

return script
