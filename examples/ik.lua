-- Inverse kinematics: feet on a hill, eyes on a ball, and the hand that goes for it while it is near.
--   ik.lua [PAGE]        with a name it writes a page that shows the targets: open it in a browser
local anim = require("anim")

local here = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local model = dofile(here .. "hero.lua").build({ travel = true })
local clips = { walk = model.clips.walk:withRootMotion({ joint = "root", translation = "xz" }) }

-- The hill: a height and a normal for any place in the world.
local function ground(_, _, z)
  local height, grade = .2 * (1 - math.cos(z)), .2 * math.sin(z)
  local length = math.sqrt(1 + grade * grade)
  return height, 0, 1 / length, -grade / length
end

-- Each node works on the pose of the one below it. The curves say when a foot of the clip stands.
local hero = anim.newGraph(model, {
  params = { near = { 0, smooth = .2 } },
  nodes = {
    feet = { type = "foot", input = "walk", pelvis = "hips", ground = ground, lock = { "foot_lock.L", "foot_lock.R" },
      legs = { { joint = "foot.L", heel = "heel.L", toe = "toe.L" },
        { joint = "foot.R", heel = "heel.R", toe = "toe.R" } } },
    look = { type = "aim", input = "feet", space = "world", axis = { 0, 0, 1 }, limit = 1.3, rate = 4,
      joints = { { "chest", .2 }, { "neck", .5 }, "head" } },
    reach = { type = "twoBone", input = "look", space = "world", joint = "hand.L", weight = "near", soft = .97 },
  },
  root = "reach",
}, { clips = clips })

local recording, way = anim.record(hero), 0
for frame = 1, 240 do
  -- First time moves, then what the pose depends on is set, then the pose is made.
  hero:advance(1 / 60)
  local _, _, dz = hero:getRootMotion()
  way = way + dz
  local height = ground(0, 0, way)
  hero:setTransform(0, height, way)
  local x, y, z = .2 - .6 * math.cos(frame / 38), height + 1.35, way + .38 -- the ball
  hero:find("look"):setTarget(x, y, z)
  hero:find("reach"):setTarget(x, y, z)
  hero:set("near", x > .1 and x < .6 and 1 or 0)
  hero:evaluate()

  if frame % 20 == 0 then
    local m = { hero:getMatrix("head") } -- the third column is where the face points
    local _, fy, fz = hero:getPosition("heel.L")
    local hand = hero:get("near") > .1 and ("%.0f cm from it"):format(hero:find("reach"):getResidual() * 100) or "free"
    print(("%.2f s  ball %5.2f m to the left, face %3.0f degrees, hand %s; left heel %4.1f cm over the hill"):format(
      frame / 60, x, math.deg((math.atan2 or math.atan)(m[9], m[11])), hand,
      (fy + height - ground(0, 0, fz + way)) * 100))
  end
end
recording:stop()
local lines = {} -- the hill
for z = -.5, way + 1, .25 do
  local a, b = ground(0, 0, z), ground(0, 0, z + .25)
  lines[#lines + 1] = { -.6, a, z, .6, a, z }
  for _, x in ipairs({ -.6, .6 }) do lines[#lines + 1] = { x, a, z, x, b, z + .25 } end
end
if arg[1] then assert(anim.view(recording, arg[1], { lines = lines })) end
