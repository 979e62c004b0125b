--- A value over the frames of a recording: the frames where it changes, and to what. Before the first it is 0.
local Series = {}
Series.__index = Series

function Series.new() return setmetatable({ frames = {}, values = {}, last = nil }, Series) end

function Series:add(frame, value)
  if value == self.last then return end
  local n = #self.frames
  if self.frames[n] == frame then n = n - 1 end
  self.frames[n + 1], self.values[n + 1], self.last = frame, value, value
end

--- Least and most of its values, 0 among them where it does not begin at once.
function Series:range()
  local low, high = self.values[1] or 0, self.values[1] or 0
  if self.frames[1] ~= 1 then low, high = math.min(low, 0), math.max(high, 0) end
  for _, value in ipairs(self.values) do low, high = math.min(low, value), math.max(high, value) end
  return low, high
end

return Series
