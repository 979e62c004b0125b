-- What solvers cost: a graph whose root is the solver, less the same graph without it. And what feet do on stairs and
-- slopes: how far a planted foot slides and how far it is from the ground.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local support = require("support")
local walk = require("feet")

local hero = dofile(here .. "/../examples/hero.lua").build({ travel = true })

local function evaluating(description)
  local graph = anim.newGraph(hero, { params = { x = 0 }, root = description })
  graph:update(0)
  return graph
end

-- evaluate() with the solver, less evaluate() without it: medians of the same run.
local function cost(name, description, move)
  local with, without = evaluating(description), evaluating(description.input)
  local calls, node = 2000, with:getRoot()
  local function run(graph, solver)
    for i = 1, calls do
      if move and solver then move(solver, i) end
      graph:evaluate()
    end
  end
  local base = support.measure(function() run(without) end, .5)
  local full, _, count = support.measure(function() run(with, node) end, .5)
  print(("%-52s %8.0f ns (of %.0f ns an evaluate, %d runs of %d)"):format(name, (full - base) / calls * 1e9,
    full / calls * 1e9, count, calls))
  support.record("solver", name, "ns", (full - base) / calls * 1e9, nil, nil, count)
end

-- A moment of the walk as a fixed pose: nothing is sampled, and limbs are bent as they are in clips.
local moment = anim.newPose(hero.skeleton)
hero.clips.walk:sample(.3, moment)
local still = { type = "pose", pose = moment }

print(("hero: %d joints, %s"):format(#hero.skeleton, _VERSION))
cost("twoBone, arm, fixed target", { type = "twoBone", input = still, joint = "hand.L", target = { .4, 1.2, .3 } })
cost("twoBone, leg, with a pole", { type = "twoBone", input = still, joint = "foot.L", target = { .1, .3, .2 },
  pole = { .1, .5, 2 } })
cost("twoBone, target set each time", { type = "twoBone", input = still, joint = "hand.L" },
  function(node, i) node:setTarget(.4, 1.2, .3 + i % 10 / 100) end)
cost("aim, head", { type = "aim", input = still, joint = "head", axis = { 0, 0, 1 }, target = { 1, 1.8, 2 } })
cost("aim, spine to head, 4 joints", { type = "aim", input = still, axis = { 0, 0, 1 }, target = { 1, 1.8, 2 },
  joints = { { "spine", .2 }, { "chest", .3 }, { "neck", .5 }, "head" } })
cost("chain, fabrik, 4 joints", { type = "chain", input = still, joint = "hand.L", root = "shoulder.L",
  target = { .4, 1.2, .3 } })
cost("chain, ccd, 4 joints", { type = "chain", input = still, joint = "hand.L", root = "shoulder.L",
  target = { .4, 1.2, .3 }, solver = "ccd" })
cost("spring, 3 joints", { type = "spring", input = still, joint = "index.01.L" })
cost("foot, two legs", { type = "foot", input = still, pelvis = "hips",
  legs = { { joint = "foot.L", toe = "toe.L" }, { joint = "foot.R", toe = "toe.R" } } })
cost("stride, two legs", { type = "stride", input = still, pelvis = "hips", factor = 1.3,
  legs = { { joint = "foot.L" }, { joint = "foot.R" } } })
cost("orient", { type = "orient", input = still, pelvis = "hips", angle = .7, spine = { "spine", "chest" } })

print("\nfeet, a blend of two clips over stairs and slopes, 60 updates a second")
for _, result in ipairs(walk.all(anim, hero, support.data())) do print(result) end
