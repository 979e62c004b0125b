-- Random graphs against the oracle (spec/support/reference/graph.lua): weights, times, events, pose, root motion,
-- curves and properties after every update. A failure names the seed, the update and what differs.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local pair = require("spec.support.pair")
local random = require("spec.support.random_graph")

local function rounds(n) return data.slow and n or math.ceil(n / 10) end

-- Mostly frames; now and then none at all, or a long one.
local function step(r)
  local kind = r.unit()
  if kind < .05 then return 0 end
  if kind < .1 then return r.number(.5, 2) end
  return r.number(0, .12)
end

local function run(c, updates, calls, often)
  for i = 1, updates do
    local called = c.r.unit() < (often or .3) and pair.call(c, calls) or "no call"
    pair.update(c, step(c.r))
    pair.compare(c, ("seed %d, update %d after %s"):format(c.r.seed, i, called))
  end
end

local function all(first, count, options, calls, often)
  for seed = first, first + rounds(count) - 1 do run(random.graph(seed, options), 30, calls, often) end
end

describe("random graphs are as the oracle says", function()
  it("of all kinds, five deep", function() all(1, 30, {}, { "param" }) end)

  for i, kind in ipairs({ "mixer", "blend1D", "blend2D", "direct", "layers", "script" }) do
    it("of " .. kind .. " alone", function() all(1000 * i, 10, { kinds = { kind }, depth = 4 }, { "param" }) end)
  end

  it("with turns of up to 84 degrees from rest", function()
    all(8000, 12, { angle = 1.47, kinds = { "mixer", "blend1D", "blend2D", "direct" } }, { "param" })
  end)

  it("while speeds change, nodes are paused, played and sought, mixers fade", function()
    local calls = { "param", "graphSpeed", "speed", "pause", "play", "play", "seek", "seekGroup", "fade", "fade" }
    all(9000, 35, { depth = 3 }, calls)
  end)

  it("while mixers fade before the last fade is over", function()
    all(10000, 60, { depth = 2, kinds = { "mixer" } }, { "fade" }, .6)
  end)
end)

-- Inputs of a mix stay less than 170 degrees apart here: 84 from rest at most.
describe("the order of inputs", function()
  local options = { angle = 1.47, depth = 4, kinds = { "mixer", "blend2D", "direct" }, markers = 0, fallback = "rest" }

  it("changes nothing", function()
    for seed = 1, rounds(40) do
      local c = random.graph(seed, options)
      local other = random.again(c, random.reorder(c, c.root))
      for i = 1, 20 do
        if c.r.unit() < .3 then
          local name, value = c.r.pick(c.paramNames), c.r.number(-1, 1.5)
          c.graph:set(name, value)
          other:set(name, value)
        end
        local dt, where = step(c.r), ("seed %d, update %d"):format(seed, i)
        c.graph:update(dt)
        other:update(dt)
        local n = #c.rig
        check.samePose(check.read(c.graph:getPose(), n), check.read(other:getPose(), n), 2e-5, where)
        check.near({ c.graph:getRootMotion() }, { other:getRootMotion() }, 2e-5, where)
      end
    end
  end)

  it("changes nothing for two inputs of any size of turn", function()
    local r = check.random(170)
    local skeleton = anim.newSkeleton({ { name = "joint" } })
    local function clip(q)
      return anim.newClip({ name = "c", skeleton = skeleton, tracks = { joint = { rotation = { times = { 0 },
        values = q } } } })
    end
    for _ = 1, rounds(200) do
      local a, b, w = clip(r.rotation(3.1)), clip(r.rotation(3.1)), r.unit()
      local function turned(first, second, weights)
        local root = { type = "mixer", inputs = { first, second }, weights = weights }
        local graph = anim.newGraph(skeleton, { root = root })
        graph:update(.1)
        local _, _, _, x, y, z, q = graph:getJoint(1)
        return { x, y, z, q }
      end
      check.sameRotation(turned(a, b, { w, 1 - w }), turned(b, a, { 1 - w, w }), 2e-5)
    end
  end)
end)
