-- Crowds whose matrices are read make them at once and put no pose down: nobody may tell the difference.
local anim = require("anim")
local cast = require("spec.support.cast")
local check = require("spec.support.check")
local limb = require("spec.support.limb")

local function model()
  local source, packed = cast.model(), {}
  for _, clip in ipairs(source.clips) do packed[clip:getName()] = clip:pack({ form = "fast" }) end
  return { skeleton = source.skeleton, clips = packed }
end

local assets = model()

-- Plain sums of clips, one clip, and what is more than that.
local roots = {
  { type = "blend1D", param = "speed", sync = true, { 0, "breathe" }, { 1, "walk" }, { 3, "run" } },
  "walk",
  { type = "layers", base = "walk", { "wave", weight = .5 } },
}

local function newGraph(which, from)
  return anim.newGraph(from or assets, { params = { speed = 1.5 }, root = roots[which] })
end

local joints = { "hips", "spine", "foot.L", "foot.R" }

local readers = {
  pose = function(graph) return check.read(graph:getPose(), #limb.skeleton) end,
  joint = function(graph) return { graph:getJoint("spine") } end,
  matrix = function(graph) return { graph:getMatrix("foot.L") } end,
  position = function(graph) return { graph:getPosition("hips") } end,
  hash = function(graph) return graph:hash() end,
}
local names = { "hash", "joint", "matrix", "pose", "position" }

local function readMatrices(graph)
  local out = {}
  for i, joint in ipairs(joints) do out[i] = { graph:getMatrix(joint) } end
  return out
end

local function pairOf(which, from)
  local crowd = anim.newCrowd({ threads = 2 })
  local together, alone = newGraph(which, from), newGraph(which)
  crowd:add(together)
  return crowd, together, alone
end

local function update(crowd, alone)
  crowd:update(1 / 60)
  alone:update(1 / 60)
end

describe("a crowd whose matrices are read", function()
  for which = 1, #roots do
    it("shows the same to every reader, graph " .. which, function()
      local crowd, together, alone = pairOf(which)
      local r = check.random(which)
      for _ = 1, 300 do
        together:set("speed", r.number(0, 3))
        alone:set("speed", together:get("speed"))
        update(crowd, alone)
        assert.same(readMatrices(alone), readMatrices(together))
        for _ = 1, math.floor(r.number(0, 3.99)) do
          local name = names[1 + math.floor(r.number(0, 4.99))]
          assert.same(readers[name](alone), readers[name](together), name)
        end
      end
    end)

    it("keeps the last pose while the logic goes on, is saved, restored and reset, graph " .. which, function()
      local crowd, together, alone = pairOf(which)
      for step = 1, 40 do
        update(crowd, alone)
        readMatrices(together)
        update(crowd, alone)
        local both = { together, alone }
        local saved
        for _, graph in ipairs(both) do
          if step % 4 == 0 then graph:advance(.1) end
          if step % 4 == 1 then saved = graph:save() end
          if step % 4 == 2 then graph:getRoot():setTime(.2) end
          if step % 8 == 3 then graph:reset() end
          if saved then assert(graph:restore(saved)) end
        end
        assert.same(readers.pose(alone), readers.pose(together), "step " .. step)
        assert.same(readers.hash(alone), readers.hash(together))
      end
    end)

    it("and that is edited, given a rate or taken out then, graph " .. which, function()
      local crowd, together, alone = pairOf(which, model())
      for _ = 1, 3 do update(crowd, alone); readMatrices(together) end
      local before = readers.pose(alone)
      for _, graph in ipairs({ together, alone }) do graph:setRoot(graph:pose(anim.newPose(limb.skeleton))) end
      collectgarbage()
      collectgarbage()
      assert.same(before, readers.pose(together)) -- of clips that may be gone
      for _ = 1, 3 do update(crowd, alone); readMatrices(together) end
      crowd:setRate(together, 1 / 30)
      for _ = 1, 5 do
        crowd:update(1 / 60)
        readMatrices(together)
        local pose = anim.newPose(limb.skeleton)
        check.near({ together:getPose(pose):getMatrix("foot.R") }, { together:getMatrix("foot.R") }, 1e-6)
      end
      crowd:remove(together)
      check.near({ together:getPose():getMatrix("foot.R") }, { together:getMatrix("foot.R") }, 1e-6)
    end)
  end

  it("passes on the joints that others follow", function()
    local crowd, together, alone = pairOf(1)
    local follower = anim.newGraph(assets, { root = { type = "aim", joint = "spine", input = "walk" } })
    local other = anim.newGraph(assets, { root = { type = "aim", joint = "spine", input = "walk" } })
    follower:getRoot():setTarget(together, "foot.L")
    other:getRoot():setTarget(alone, "foot.L")
    crowd:add(follower)
    for _ = 1, 60 do
      crowd:update(1 / 60)
      alone:update(1 / 60)
      other:update(1 / 60)
      assert.same(readers.pose(other), readers.pose(follower))
    end
  end)
end)
