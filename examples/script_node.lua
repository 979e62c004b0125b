-- A node of your own: `update` steers its inputs in the logic pass, `pose` writes joints in the pose pass.
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build()
local hero = anim.newGraph(model, { params = { tired = 0 } })
local clock = 0

local node = hero:script({
  inputs = { "idle", "walk" },
  -- Walks and rests by turns; the more tired, the longer the rests.
  update = function(self, dt)
    clock = (clock + dt) % 4
    local walks = clock < 4 - 3 * hero:get("tired")
    self:setWeight(1, walks and 0 or 1, .3)
    self:setWeight(2, walks and 1 or 0, .3)
  end,
  -- Hangs the head: turns it about x by up to 40 degrees.
  pose = function(_, pose)
    local angle = math.rad(40) * hero:get("tired") / 2
    local tx, ty, tz, qx, qy, qz, qw, sx, sy, sz = pose:get("head")
    local s, c = math.sin(angle), math.cos(angle)
    pose:set("head", tx, ty, tz, qx * c + qw * s, qy * c + qz * s, qz * c - qy * s, qw * c - qx * s, sx, sy, sz)
  end,
})
hero:setRoot(node)

for second = 1, 8 do
  if second == 5 then hero:set("tired", .75) end
  for _ = 1, 60 do hero:update(1 / 60) end
  local m = { hero:getMatrix("head") } -- the third column is where the face points
  print(("%d s  tired %.2f  walk %.2f  the face looks %.2f up"):format(second, hero:get("tired"),
    node:getInputWeight(2), m[10]))
end
