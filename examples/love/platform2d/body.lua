-- How the character is moved: by keys and gravity. The graph only shows it.
local body = {}

local walk, run, jump, gravity = 85, 242, 430, 1150

function body.new(x, y) return { x = x, y = y, vx = 0, vy = 0, grounded = true, since = 0 } end

local function toward(value, goal, step)
  return value < goal and math.min(value + step, goal) or math.max(value - step, goal)
end

--- input: move -1 to 1, walk, jump (pressed just now). Tells whether it took off.
function body.step(self, input, level, dt)
  local goal = input.move * (input.walk and walk or run)
  self.vx = toward(self.vx, goal, (self.grounded and 1100 or 600) * dt)
  local x = math.max(level.left, math.min(level.right, self.x + self.vx * dt))
  if level.ground(x) < self.y - 30 and self.y > level.ground(x) then x, self.vx = self.x, 0 end -- a wall
  self.since = self.grounded and 0 or self.since + dt
  local took = input.jump and self.since < .08
  if took then self.vy, self.grounded, self.since = -jump, false, 1 end
  local ground = level.ground(x)
  if self.grounded and ground - self.y < 12 then -- goes along with slopes, and falls off edges
    self.y, self.vy = ground, 0
  else
    self.grounded = false
    self.vy = self.vy + gravity * dt
    self.y = self.y + self.vy * dt
    if self.y >= ground and self.vy >= 0 then self.y, self.vy, self.grounded = ground, 0, true end
  end
  self.x = x
  return took
end

return body
