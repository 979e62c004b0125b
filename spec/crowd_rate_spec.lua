-- Graphs of a crowd that evaluate less often, and what is shown in between.
local anim = require("anim")
local cast = require("spec.support.cast")
local raises = require("spec.support.raises")

describe("a rate", function()
  -- A character whose head is where it is by a parameter, at once.
  local function character()
    return (anim.newGraph(cast.model(), { params = { x = 0 },
      root = { type = "blend1D", param = "x", sync = false, { 0, "stand" }, { 1, "sway" } } }))
  end

  it("shows the mix of the last two poses, so many seconds late", function()
    local graph, exact, crowd = character(), character(), anim.newCrowd({ threads = 2 })
    crowd:add(graph)
    crowd:setRate(graph, 1 / 10)
    assert.are.equal(1 / 10, crowd:getRate(graph))
    local poses, now, last = {}, 0, nil
    for step = 1, 60 do
      local dt = step % 3 == 0 and .02 or .03
      for _, g in ipairs({ graph, exact }) do g:set("x", step % 7 / 7) end
      crowd:update(dt)
      exact:update(dt)
      now = now + dt
      assert.are.equal(exact:hash("state"), graph:hash("state")) -- all but the pose is of this update
      if not last or now - last >= .1 - 1e-9 then -- by the book: made when .1 s have passed
        last = now
        poses[#poses + 1] = { at = now, x = exact:getJoint("hips") }
      end
      local a, b = poses[#poses - 1], poses[#poses]
      if a then
        local u = math.min(math.max((now - .1 - a.at) / (b.at - a.at), 0), 1)
        local x = graph:getJoint("hips")
        assert.is_true(math.abs(x - (a.x + (b.x - a.x) * u)) < 1e-6, ("step %d: %g"):format(step, x))
        local m = select(13, graph:getMatrix("hips"))
        assert.is_true(math.abs(x - m) < 1e-6)
      end
    end
    assert.is_true(#poses > 12 and #poses < 22)
    crowd:setRate(graph, 0)
    crowd:update(.01)
    exact:update(.01)
    assert.are.equal(exact:hash(), graph:hash())
  end)

  it("of 1/15 is every fourth update of 1/60, and graphs take turns", function()
    local count = 0
    local crowd, list = anim.newCrowd({ threads = 1 }), {}
    local evaluated = {}
    for i = 1, 40 do
      list[i] = anim.newGraph(cast.model(), { root = { type = "script", inputs = { "walk" },
        pose = function() count = count + 1 end } })
      crowd:add(list[i])
      crowd:setRate(list[i], 1 / 15)
    end
    crowd:update(1 / 60)
    assert.are.equal(40, count) -- nothing to come from
    for step = 1, 40 do
      local before = count
      crowd:update(1 / 60)
      evaluated[step] = count - before
    end
    local sum = 0
    for step = 5, 40 do
      assert.is_true(evaluated[step] >= 5 and evaluated[step] <= 15, evaluated[step])
      sum = sum + evaluated[step]
    end
    assert.are.equal(9 * 40, sum)
  end)

  it("is kept whatever its parts add up to", function()
    local count, crowd = 0, anim.newCrowd({ threads = 1 })
    local graph = crowd:add(anim.newGraph(cast.model(), { root = { type = "script", inputs = { "walk" },
      pose = function() count = count + 1 end } }))
    crowd:update(0)
    crowd:setRate(graph, 1)
    for _ = 1, 12 do crowd:update(.1) end
    count = 0
    for _ = 1, 100 do crowd:update(.1) end -- ten times .1 is less than 1 in floating point
    assert.are.equal(10, count)
  end)

  it("is the same for any number of threads, with springs and events", function()
    local function run(threads)
      local list, told, hash = cast.new(24, true), {}, 7
      local crowd = cast.crowd(list, threads)
      cast.listen(crowd, told)
      for i, graph in ipairs(list) do
        if i % 2 == 0 then crowd:setRate(graph, i / 100) end
      end
      for step = 1, 120 do
        cast.steer(list, step)
        crowd:update(1 / 60)
        hash = cast.fold(hash, list)
      end
      return hash, table.concat(told, "\n")
    end
    local hash, story = run(1)
    for _, threads in ipairs({ 2, 3, 8 }) do
      local other, told = run(threads)
      assert.are.equal(hash, other)
      assert.are.equal(story, told)
    end
  end)

  it("is of a graph of the crowd, and a number", function()
    local crowd, graph = anim.newCrowd({ threads = 1 }), character()
    raises.exactly("bad argument #1 to 'setRate' (graph of this crowd expected, got one of none)",
      function() crowd:setRate(graph, 1) end)
    crowd:add(graph)
    raises.exactly("bad argument #2 to 'setRate' (number of 0 or more expected, got -1)",
      function() crowd:setRate(graph, -1) end)
    raises.exactly("bad argument #2 to 'setRate' (finite number expected, got inf)",
      function() crowd:setRate(graph, 1 / 0) end)
    assert.are.equal(0, crowd:getRate(graph))
  end)
end)
