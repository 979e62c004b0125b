-- Weight of a oneShot (semantics 7): in over fadeIn, out over the last fadeOut seconds of the node's own clock; fired
-- again while it is active, a second copy fades in over what is there: w2 + (1 - w2) w1.
local shot = {}
shot.__index = shot

function shot.new(fadeIn, fadeOut) return setmetatable({ fadeIn = fadeIn, fadeOut = fadeOut, floor = 0 }, shot) end

-- length: seconds that the shot takes at its speed.
function shot:fire(length)
  self.floor = self.length and self:weight() or 0
  self.length, self.gone, self.stopped = length, 0, nil
end

function shot:stop(fade)
  if self.length then self.stopped = { weight = self:weight(), at = self.gone, fade = fade or self.fadeOut } end
end

local function part(gone, whole) return whole > 0 and math.min(gone / whole, 1) or 1 end

function shot:rising(gone)
  local w = part(gone, self.fadeIn)
  return w + (1 - w) * self.floor
end

function shot:weight()
  if not self.length then return 0 end
  local stop = self.stopped
  if stop then return stop.weight * (1 - part(self.gone - stop.at, stop.fade)) end
  local out = self.length - self.fadeOut
  if self.gone <= out then return self:rising(self.gone) end
  return self:rising(out) * (1 - part(self.gone - out, self.fadeOut))
end

function shot:advance(dt)
  if not self.length then return end
  self.gone = self.gone + dt
  local stop = self.stopped
  local ends = stop and stop.at + stop.fade or self.length
  if self.gone >= ends - 1e-9 then self.length, self.floor = nil, 0 end
end

return shot
