-- The scene of the demo: what the hero can do, as a graph, and what he does, as a list of changes.
local scene = { seconds = 28 }

-- Clips that travel play in place; what they would have moved comes out of graph:getRootMotion().
local travelling = { "walk", "run", "walk_back", "strafe_left", "strafe_right", "turn_left" }

function scene.newGraph(anim, model)
  local clips = { breathing = model.clips.idle:toAdditive() }
  for _, name in ipairs(travelling) do
    clips[name] = model.clips[name]:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  end
  return anim.newGraph(model, {
    params = {
      speed = { 0, smooth = .5 },                               -- metres a second, ahead
      x = { 0, smooth = .2 }, y = { 0, smooth = .2 }, strafing = false, -- the same to the left and ahead
      waving = { 0, smooth = .25 }, breath = { .4, smooth = .6 }, pace = { .8, smooth = .8 },
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
      breathing = { type = "clip", clip = "breathing", speed = "pace" },
    },
    root = { type = "layers", base = "body",
      { "wave", mask = "upper", weight = "waving" },
      { "breathing", mode = "additive", mask = "trunk", weight = "breath" } },
  }, { clips = clips })
end

-- At a time: what it is called, and parameters that are set or triggers that are fired.
scene.script = {
  { 1, "walks", speed = 1.4 },
  { 3, "waves while walking", waving = 1 },
  { 5.2, "stops waving", waving = 0 },
  { 6, "runs", speed = 3.6, breath = 1, pace = 2.5 },
  { 9, "slows down", speed = 1.4 },
  { 10.5, "stands, out of breath", speed = 0, breath = 1.5, pace = 3 },
  { 12.5, "strafes to the left", strafing = true, x = 1.4 },
  { 14.5, "strafes to the right", x = -1.4 },
  { 16.5, "goes backwards", x = 0, y = -1.2, breath = .6, pace = 1.2 },
  { 18.5, "stands", y = 0 },
  { 19.2, "looks ahead", strafing = false },
  { 20, "turns", turn = true },
  { 22, "jumps", jump = true },
  { 24.4, "waves good-bye", waving = 1 },
  { 26.7, "is done", waving = 0 },
}

return scene
