-- graph:deliver: advance, deliver, evaluate are together what update is.
local tiny = require("spec.support.tiny")

local function new()
  local clip = tiny.clip("walk", { to = 1, events = tiny.events({ { .25, "step" }, { .75, "step" } }) })
  local graph, told = tiny.player(clip), {}
  tiny.listen(graph, told, true)
  return graph, told
end

describe("deliver", function()
  it("tells what advance has queued, once", function()
    local graph, told = new()
    graph:advance(.5)
    assert.are.same({}, told)
    graph:deliver()
    assert.are.same({ "step@0.25" }, told)
    graph:deliver()
    graph:evaluate()
    assert.are.same({ "step@0.25" }, told)
    graph:advance(.5, "mute")
    graph:deliver()
    assert.are.same({ "step@0.25" }, told)
  end)

  it("between the other two does what update does", function()
    local one, toldOne = new()
    local other, toldOther = new()
    for _ = 1, 40 do
      one:update(.09)
      other:advance(.09)
      other:deliver()
      other:evaluate()
      assert.are.equal(one:hash(), other:hash())
    end
    assert.are.same(toldOne, toldOther)
    assert.is_true(#toldOne > 5)
  end)

  it("leaves the pose to evaluate: what is set in between acts in it", function()
    local graph = new()
    graph:update(0)
    graph:on("step", function() graph:setTransform(5, 0, 0, 0, 0, 0, 1) end)
    graph:advance(.5)
    graph:deliver()
    assert.is_near(0, (graph:getJoint("tip")), 1e-6)
    graph:evaluate()
    assert.is_near(.5, (graph:getJoint("tip")), 1e-6)
  end)

  it("raises what a subscriber raises, and goes on with the others next time", function()
    local graph = new()
    local seen = 0
    graph:on("step", function()
      seen = seen + 1
      if seen == 1 then error("stumbled") end
    end)
    graph:advance(.9)
    assert.has_error(function() graph:deliver() end)
    graph:deliver()
    assert.are.equal(2, seen)
  end)

  it("cannot run inside of an update, nor with arguments", function()
    local graph = new()
    local why
    graph:on("step", function() why = select(2, pcall(graph.deliver, graph)) end)
    graph:update(.5)
    assert.matches("being updated", why)
    assert.has_error(function() graph:deliver(1) end)
  end)
end)
