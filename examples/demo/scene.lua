-- The scene of the demo: what the hero can do, as a graph, and what he does, as a list of changes.
local course = require("demo.course")

local scene = {
  seconds = 36.5,
  -- Parameters that IK is weighed by, and the seconds that they take from 0 to 1. At 0 a solver costs nothing: feet
  -- need none on level ground.
  weights = { "climbing", "looking", "holding" }, rising = .5,
}

-- Clips that travel play in place; what they would have moved comes out of graph:getRootMotion().
local travelling = { "walk", "run", "walk_back", "strafe_left", "strafe_right", "turn_left" }

-- Each works on the pose of the one before: steps as long as wanted, feet on the ground that is there, the look at the
-- firefly, a hand on the rail. Targets are set while it runs (demo/perform.lua).
local function addSolvers(nodes)
  nodes.steps = { type = "stride", input = "acting", pelvis = "hips", factor = "stride",
    legs = { { joint = "foot.L" }, { joint = "foot.R" } } }
  nodes.feet = { type = "foot", input = "steps", weight = "climbing", pelvis = "hips", ground = course.ground,
    legs = { { joint = "foot.L", heel = "heel.L", toe = "toe.L" },
      { joint = "foot.R", heel = "heel.R", toe = "toe.R" } },
    lock = { "foot_lock.L", "foot_lock.R" } } -- curves of the clips: when a foot stands
  nodes.look = { type = "aim", input = "feet", weight = "looking", space = "world", limit = 1.3, rate = 3,
    joints = { { "spine", .1 }, { "chest", .15 }, { "upper_chest", .2 }, { "neck", .5 }, "head" },
    axis = { 0, 0, 1 }, offset = { 0, .09, .09 } } -- from between the eyes, ahead
  nodes.hold = { type = "twoBone", input = "look", weight = "holding", space = "world", joint = "hand.L", soft = .97,
    rotation = { .6, 0, 0, .8 } } -- palm down, fingers ahead
end

function scene.newGraph(anim, model)
  local clips = {}
  for _, name in ipairs(travelling) do
    clips[name] = model.clips[name]:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  end
  local description = {
    params = {
      speed = { 0, smooth = .5 },                               -- metres a second, ahead
      x = { 0, smooth = .2 }, y = { 0, smooth = .2 }, strafing = false, -- the same to the left and ahead
      waving = { 0, smooth = .25 }, breath = { .4, smooth = .6 }, pace = { .8, smooth = .8 },
      stride = { 1, smooth = .4 }, climbing = 0, looking = 0, holding = 0,
      jump = "trigger", turn = "trigger",
    },
    masks = {
      upper = { spine = .3, chest = .7, ["shoulder.R"] = 1, neck = .5 },
      trunk = { spine = 1 },
    },
    nodes = {
      gait = { type = "blend1D", param = "speed", { 1.4, "walk" }, { 3.6, "run" } },
      -- Standing has no steps that walking could be in step with.
      move = { type = "blend1D", param = "speed", sync = false, { 0, "idle" }, { 1.2, "gait" } },
      strafe = { type = "blend2D", x = "x", y = "y", mode = "directional", { 0, 0, "idle" }, { 1.4, 0, "strafe_left" },
        { -1.4, 0, "strafe_right" }, { 0, 1.4, "walk" }, { 0, -1.2, "walk_back" } },
      body = { type = "machine", initial = "move",
        states = { move = "move", strafe = "strafe", turn = { "turn_left", loop = false },
          jump = { "jump", loop = false } },
        transitions = {
          { from = "move", to = "jump", when = "jump", fade = .15 },
          { from = "move", to = "turn", when = "turn", fade = .2 },
          { from = "move", to = "strafe", when = "strafing", fade = .3, curve = "smooth" },
          { from = "strafe", to = "move", when = "not strafing", fade = .3, curve = "smooth" },
          { from = { "jump", "turn" }, to = "move", when = "done", fade = .25 },
        } },
      wave = { type = "clip", clip = "wave" },
      breathing = { type = "clip", clip = "idle", speed = "pace" },
      acting = { type = "layers", base = "body",
        { "wave", mask = "upper", weight = "waving" },
        { "breathing", mode = "additive", mask = "trunk", weight = "breath" } },
    },
    root = "hold",
  }
  addSolvers(description.nodes)
  return anim.newGraph(model, description, { clips = clips })
end

-- Where the firefly is when the hero is at x, y on his way over the course: it flies about ahead of him.
function scene.firefly(time, x, y)
  return x + 1.5 + .4 * math.sin(1.3 * time), y + 1.6 + .4 * math.sin(1.1 * time), course.z + 1.7 * math.cos(.8 * time)
end

-- At a time: what it is called, and parameters that are set or triggers that are fired; `warp` is for graph:warp, which
-- brings him to where the course begins, whatever came before.
scene.script = {
  { 1, "walks", speed = 1.4 },
  { 3, "waves while walking", waving = 1 },
  { 5.2, "stops waving", waving = 0 },
  { 6, "runs", speed = 3.6, breath = 1, pace = 2.5 },
  { 8.5, "slows down", speed = 1.4 },
  { 9.8, "stands, out of breath", speed = 0, breath = 1.5, pace = 3 },
  { 11.5, "strafes to the right", strafing = true, x = -1.4 },
  { 13.2, "strafes to the left", x = 1.4 },
  { 14.9, "goes backwards", x = 0, y = -1.2, breath = .6, pace = 1.2 },
  { 16.6, "stands", y = 0 },
  { 17.2, "looks ahead", strafing = false },
  { 18, "turns", turn = true,
    warp = { position = { 0, 0, course.z }, facing = math.pi / 2, seconds = 1.5, space = "world" } },
  { 19.6, "jumps", jump = true },
  { 21.6, "sees a firefly", looking = 1, climbing = 1 },
  { 22.6, "walks to the steps", speed = 1.4, stride = .5714 }, -- as long as the steps are deep
  { 24, "takes the rail", holding = 1 },
  { 26.8, "lets it go", holding = 0 },
  { 27.8, "goes down the slope", stride = .9 },
  { 30.8, "stands", speed = 0, stride = 1, climbing = 0 },
  { 32, "looks ahead", looking = 0 },
  { 32.5, "waves good-bye", waving = 1 },
  { 34.8, "is done", waving = 0 },
}

return scene
