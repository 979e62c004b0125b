-- Crowds: many graphs in one call, on any number of threads, the same as one after the other.
local anim = require("anim")
local core = require("anim.core")
local cast = require("spec.support.cast")
local interpreted = require("spec.support.interpreted")
local raises = require("spec.support.raises")

local slow = os.getenv("ANIM_SLOW") ~= "0"
local updates = slow and 1000 or 200

local function oneByOne(withScripts, watched)
  local list, told, hash = cast.new(24, withScripts), {}, 7
  if watched then
    for i, graph in ipairs(list) do cast.listen(graph, told, tostring(i)) end
  end
  for step = 1, updates do
    cast.steer(list, step)
    for _, graph in ipairs(list) do graph:update(1 / 60) end
    if step % 10 == 0 then hash = cast.fold(hash, list) end
  end
  return hash, told
end

local function together(threads, withScripts, watched)
  local list, told, hash = cast.new(24, withScripts), {}, 7
  local crowd = cast.crowd(list, threads)
  if watched then
    local places = {}
    for i, graph in ipairs(list) do places[graph] = i end
    crowd:on("*", function(name, data, node, clip, time, weight, edge)
      told[#told + 1] = ("%d %s %s %s %s %.9g %.9g %s"):format(places[node:getGraph()], name, tostring(data),
        node:getType(), clip and clip:getName() or "", time, weight, tostring(edge))
    end)
  end
  for step = 1, updates do
    cast.steer(list, step)
    crowd:update(1 / 60)
    if step % 10 == 0 then hash = cast.fold(hash, list) end
  end
  return hash, told
end

describe("a crowd's outcome", function()
  it("is that of graph:update one by one, for any number of threads", function()
    local expected = oneByOne(false, false)
    for _, threads in ipairs({ 1, 2, 3, 8 }) do
      assert.are.equal(expected, (together(threads, false, false)), threads .. " threads")
    end
  end)

  it("is the same with events told, and their order", function()
    local expected, story = oneByOne(false, true)
    assert.is_true(#story > updates)
    for _, threads in ipairs({ 1, 2, 3, 8 }) do
      local hash, told = together(threads, false, true)
      assert.are.equal(expected, hash, threads .. " threads")
      assert.are.equal(table.concat(story, "\n"), table.concat(told, "\n"))
    end
  end)

  it("is the same with scripts, conditions that are functions and ground that is asked for", function()
    local expected, story = oneByOne(true, true)
    for _, threads in ipairs({ 1, 2, 8 }) do
      local hash, told = together(threads, true, true)
      assert.are.equal(expected, hash, threads .. " threads")
      assert.are.equal(table.concat(story, "\n"), table.concat(told, "\n"))
    end
  end)

  it("is the same where targets are joints of other graphs", function()
    local function run(threads)
      local list = cast.new(20)
      for i = 1, 20, 5 do -- before and after whom it follows
        local arm = anim.newGraph(cast.model(), { root = { type = "aim", joint = "head", input = "walk" } })
        table.insert(list, i, arm)
        arm:getRoot():setTarget(list[i + 1], "foot.L")
      end
      local last = anim.newGraph(cast.model(), { root = { type = "aim", joint = "head", input = "walk" } })
      list[#list + 1] = last
      last:getRoot():setTarget(list[3], "head")
      list[1]:getRoot():setPole(last, "head")
      local crowd, hash = threads and cast.crowd(list, threads), 7
      for _ = 1, 60 do
        if crowd then
          crowd:update(1 / 60)
        else
          for _, graph in ipairs(list) do graph:update(1 / 60) end
        end
        hash = cast.fold(hash, list)
      end
      return hash
    end
    local expected = run()
    for _, threads in ipairs({ 1, 2, 8 }) do assert.are.equal(expected, run(threads), threads .. " threads") end
  end)

  it("is the same for graphs that play and stop, and what faded out is removed", function()
    local function run(threads)
      local list = {}
      for i = 1, 12 do list[i] = anim.newGraph(cast.model()) end
      local crowd, hash = threads and cast.crowd(list, threads), 7
      for step = 1, 120 do
        for i, graph in ipairs(list) do
          if (i + step) % 30 == 0 then graph:play(({ "walk", "run", "wave" })[(i + step) / 30 % 3 + 1], .1) end
          if (i + step) % 70 == 0 then graph:stop(.2) end
        end
        if crowd then
          crowd:update(1 / 60)
        else
          for _, graph in ipairs(list) do graph:update(1 / 60) end
        end
        hash = cast.fold(hash, list)
      end
      return hash
    end
    local expected = run()
    for _, threads in ipairs({ 1, 3 }) do assert.are.equal(expected, run(threads), threads .. " threads") end
  end)

  it("is the same for clones that are edited while they are in it", function()
    local function run(threads)
      local list = cast.new(30)
      local crowd, hash = threads and cast.crowd(list, threads), 7
      for step = 1, 60 do
        cast.steer(list, step)
        if step % 7 == 0 then
          local graph = list[step % 30 + 1]
          graph:setRoot(graph:layers({ base = "walk", { "wave", mask = anim.newMask(graph:getSkeleton(), { "spine" }) },
            { graph:layers({ base = "walk", { "run", weight = .5 } }), weight = .25 } }))
        end
        if crowd then
          crowd:update(1 / 60)
        else
          for _, graph in ipairs(list) do graph:update(1 / 60) end
        end
        hash = cast.fold(hash, list)
      end
      return hash
    end
    local expected = run()
    for _, threads in ipairs({ 1, 2, 8 }) do assert.are.equal(expected, run(threads), threads .. " threads") end
  end)

  it("is muted like a graph's", function()
    local list, told = cast.new(9), {}
    local crowd = cast.crowd(list, 2)
    cast.listen(crowd, told)
    for _ = 1, 100 do crowd:update(1 / 60, "mute") end
    assert.are.equal(0, #told)
    crowd:update(1)
    assert.is_true(#told > 0)
  end)
end)

describe("membership", function()
  it("is of one crowd at most (fault 116)", function()
    local graph, one, two = cast.new(1)[1], anim.newCrowd({ threads = 1 }), anim.newCrowd({ threads = 1 })
    assert.are.equal(graph, one:add(graph))
    raises.exactly("bad argument #1 to 'add' (graph of no crowd expected, got one of another)",
      function() two:add(graph) end)
    raises.exactly("bad argument #1 to 'add' (graph of no crowd expected, got one of this one)",
      function() one:add(graph) end)
    assert.are.equal(1, #one)
    assert.are.equal(0, #two)
    one:remove(graph)
    raises.exactly("bad argument #1 to 'remove' (graph of this crowd expected, got one of none)",
      function() one:remove(graph) end)
    two:add(graph)
    raises.exactly("bad argument #1 to 'remove' (graph of this crowd expected, got one of another)",
      function() one:remove(graph) end)
    one:update(.1)
    assert.are.equal(0, graph:getRoot():getTime())
    two:update(.1)
    assert.is_true(graph:getRoot():getPhase() > 0)
    two:release() -- its graphs are in none then
    one:add(graph)
    assert.are.equal(1, #one)
  end)

  it("ends with the graph", function()
    local list = cast.new(5)
    local crowd = cast.crowd(list, 2)
    crowd:update(.1)
    list[2]:release()
    assert.are.equal(4, #crowd)
    crowd:update(.1)
    crowd:remove(list[3])
    crowd:add(list[3])
    assert.are.equal(4, #crowd)
    crowd:update(.1)
    assert.is_true(list[5]:getRoot():getPhase() > 0)
  end)

  it("keeps graphs alive, and lets them go", function()
    local crowd, told = anim.newCrowd({ threads = 2 }), 0
    local weak = setmetatable({}, { __mode = "k" })
    for _, graph in ipairs(cast.new(4)) do
      crowd:add(graph)
      weak[graph] = true
    end
    crowd:on("step", function() told = told + 1 end)
    collectgarbage()
    collectgarbage()
    assert.are.equal(4, #crowd)
    for _ = 1, 10 do crowd:update(.1) end
    crowd:remove((next(weak)))
    collectgarbage()
    collectgarbage()
    local left = 0
    for _ in pairs(weak) do left = left + 1 end
    assert.are.equal(3, left)
    crowd = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)

  it("of a graph does not keep the crowd alive, nor who subscribed to it", function()
    local graph = cast.new(1)[1]
    local weak = setmetatable({}, { __mode = "kv" })
    local crowd = anim.newCrowd({ threads = 2 })
    weak.crowd, weak.callback = crowd, function() return crowd end
    crowd:add(graph)
    crowd:on("*", weak.callback)
    crowd:update(.5)
    crowd = nil -- luacheck: ignore 311
    for _ = 1, 4 do collectgarbage() end
    assert.is_nil(next(weak))
    graph:update(.5)
    anim.newCrowd({ threads = 1 }):add(graph)
  end)

  it("costs no more than a list when many come and go", function()
    local crowd, graphs = anim.newCrowd({ threads = 1 }), cast.new(200)
    for round = 1, 50 do
      for i = 1, 200 do
        if (i + round) % 3 == 0 then crowd:add(graphs[i]) end
      end
      crowd:update(.01)
      for i = 1, 200 do
        if (i + round) % 3 == 0 then crowd:remove(graphs[i]) end
      end
      assert.are.equal(0, #crowd)
    end
    for _, graph in ipairs(graphs) do crowd:add(graph) end
    for i = 1, 200, 2 do graphs[i]:release() end
    crowd:update(.01)
    assert.are.equal(100, #crowd)
  end)

  it("is refused to what is no graph", function()
    local crowd = anim.newCrowd({ threads = 1 })
    raises.exactly("bad argument #1 to 'add' (anim.Graph expected, got number)", function() crowd:add(1) end)
    raises.exactly("bad argument #1 to 'newCrowd' (threads: index from 1 to 256 expected, got 0)",
      function() anim.newCrowd({ threads = 0 }) end)
    assert.matches("thread", raises.message(function() anim.newCrowd({ thread = 1 }) end))
    raises.exactly("bad argument #1 to 'update' (finite number expected, got nan)", function() crowd:update(0 / 0) end)
    raises.exactly("bad argument #1 to 'update' (number of 0 or more expected, got -1)",
      function() crowd:update(-1) end)
    crowd:release()
    raises.exactly("attempt to use a released anim.Crowd", function() crowd:update(1) end)
    assert.are.equal("anim.Crowd: released", tostring(crowd))
    assert.are.equal("anim.Crowd: 0 graphs, 3 threads", tostring(anim.newCrowd({ threads = 3 })))
    assert.is_true(anim.newCrowd():getThreads() >= 1)
  end)
end)

describe("callbacks of a crowd", function()
  it("hear in the order in which they subscribed, a graph's and a crowd's alike", function()
    local graph, crowd, told = cast.new(1)[1], anim.newCrowd({ threads = 2 }), {}
    crowd:add(graph)
    graph:set("speed", 1)
    local function note(word) return function() told[#told + 1] = word end end
    graph:on("step", note("graph 1"))
    crowd:on("step", note("crowd 1"))
    graph:on("*", note("graph 2"))
    local gone = crowd:on("step", note("never"))
    crowd:on("step", note("crowd 2"))
    gone:cancel()
    assert.is_false(gone:isActive())
    crowd:update(.25)
    assert.are.equal("graph 1 crowd 1 graph 2 crowd 2", table.concat(told, " "))
    told = {}
    graph:update(.5) -- by hand: the crowd hears, too
    assert.are.equal("graph 2 graph 2 graph 1 crowd 1 graph 2 crowd 2", table.concat(told, " "))
  end)

  it("may add, remove, release, edit and subscribe", function()
    local list = cast.new(18)
    for _, graph in ipairs(list) do graph:set("speed", 1) end
    local crowd, seen, extra = cast.crowd(list, 2), 0, nil
    local subscription
    subscription = crowd:on("step", function(_, _, node)
      seen = seen + 1
      subscription:cancel()
      crowd:remove(node:getGraph())
      list[18]:release()
      list[10]:setRoot("walk")
      extra = crowd:add(cast.new(1)[1])
      crowd:on("step", function() seen = seen + 1 end)
      raises.exactly("the crowd is being updated", function() crowd:update(.1) end)
      raises.exactly("the graph is being updated", function() node:getGraph():update(.1) end)
    end)
    crowd:update(.25)
    assert.are.equal(1, seen)
    assert.are.equal(17, #crowd)
    assert.are.equal(0, extra:getRoot():getPhase())
    for _ = 1, 50 do crowd:update(.05) end
    assert.is_true(seen > 10)
    assert.is_true(extra:getRoot():getPhase() > 0)
  end)

  it("may release the crowd, and a graph that is told", function()
    local list = cast.new(4)
    list[1]:set("speed", 1)
    local crowd = cast.crowd(list, 2)
    crowd:on("step", function(_, _, node)
      node:getGraph():release()
      crowd:release()
    end)
    crowd:update(.25)
    assert.are.equal("anim.Crowd: released", tostring(crowd))
    assert.are.equal("anim.Graph: released", tostring(list[1]))
    list[2]:update(.1)
  end)

  it("that raise stop what is told, not the crowd: it is told in the next update", function()
    local list, told = cast.new(9), {}
    for i = 1, 9 do list[i] = list[1]:clone() end
    for _, graph in ipairs(list) do graph:set("speed", 1) end
    local crowd, places, fails = cast.crowd(list, 3), {}, true
    for i, graph in ipairs(list) do places[graph] = i end
    crowd:on("step", function(_, data, node)
      local place = places[node:getGraph()]
      if place == 3 and fails then
        fails = false
        error({ place })
      end
      told[#told + 1] = place .. data
    end)
    local ran, what = pcall(crowd.update, crowd, .3)
    assert.is_false(ran)
    assert.are.same({ 3 }, what)
    assert.are.same({ "1L", "2L" }, told)
    for i, graph in ipairs(list) do -- all have moved; only the one that raised has no new pose
      assert.is_true(graph:getRoot():getPhase() > 0)
      assert.are.equal(i ~= 3, select(4, graph:getJoint("thigh.L")) ~= 0, i)
    end
    crowd:update(0)
    assert.are.same({ "1L", "2L", "4L", "5L", "6L", "7L", "8L", "9L" }, told)
    crowd:update(.5)
    assert.are.equal("1R 2R 3R 4R 5R 6R 7R 8R 9R", table.concat(told, " ", 9))
  end)

  it("and scripts that raise reach the caller; the others go on", function()
    local list, fails = cast.new(6), false
    local bad = anim.newGraph(cast.model(), { root = { type = "script", inputs = { "walk" },
      update = function() if fails then error("no", 0) end end } })
    table.insert(list, 3, bad)
    local crowd, twins = cast.crowd(list, 2), cast.new(6)
    for step = 1, 20 do
      fails = step % 5 == 0
      local ran, message = pcall(crowd.update, crowd, .05)
      assert.are.equal(not fails, ran)
      if fails then assert.are.equal("no", message) end
      for _, graph in ipairs(twins) do graph:update(.05) end
    end
    table.remove(list, 3)
    assert.are.equal(cast.fold(1, twins), cast.fold(1, list))
  end)

  it("a second one after an error hears what is left of the same event", function()
    local graph, crowd, told, fails = cast.new(1)[1], anim.newCrowd({ threads = 1 }), {}, true
    crowd:add(graph)
    graph:set("speed", 1)
    crowd:on("step", function(_, data)
      if fails then error("first") end
      told[#told + 1] = "first " .. data
    end)
    graph:on("step", function(_, data) told[#told + 1] = "second " .. data end)
    assert.is_false(pcall(crowd.update, crowd, .25))
    fails = false
    crowd:update(0)
    assert.are.same({ "second L" }, told)
    crowd:update(.5)
    assert.are.same({ "second L", "first R", "second R" }, told)
  end)
end)

describe("palettes of a crowd", function()
  local gltf = [[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1,2]},{"name":"tip",
    "translation":[0,1,0]},{"name":"tail"}],"skins":[{"joints":[0,1,2]}]}]]

  local function graphOf(model, x)
    local pose = anim.newPose(model.skeleton)
    pose:set("tip", x, 1, 0, 0, 0, 0, 1, 1, 1, 1)
    local graph = anim.newGraph(model.skeleton)
    graph:setRoot(graph:pose(pose))
    return graph
  end

  it("lie one behind the other in the order of adding", function()
    local model = assert(anim.decode(gltf, "model.gltf"))
    local skin, crowd, list = model.skins[1], anim.newCrowd({ threads = 2 }), {}
    for i = 1, 25 do
      list[i] = graphOf(model, i)
      crowd:add(list[i])
      if i % 5 == 0 then crowd:add(cast.new(1)[1]) end -- of another skeleton: not among them
    end
    crowd:update(.1)
    for _, layout in ipairs({ "4x4", "3x4" }) do
      local size = layout == "4x4" and 3 * 64 or 3 * 48
      local buffer = crowd:getPalettes(skin, layout)
      assert.are.equal(25 * size, buffer:getSize())
      local bytes = buffer:getString()
      for i, graph in ipairs(list) do
        local at = crowd:getOffset(graph, skin, layout)
        assert.are.equal((i - 1) * size, at)
        assert.are.equal(at, crowd:getOffset(graph, skin)) -- of the layout asked for last
        assert.are.equal(graph:getPaletteString(skin, layout), bytes:sub(at + 1, at + size))
      end
      assert.are.equal(buffer, crowd:getPalettes(skin, layout))
    end
    crowd:remove(list[1])
    list[3]:release()
    local buffer = crowd:getPalettes(skin)
    assert.are.equal(23 * 3 * 64, buffer:getSize())
    assert.are.equal(0, crowd:getOffset(list[2], skin))
    assert.are.equal(3 * 64, crowd:getOffset(list[4], skin))
    assert.are.equal(list[25]:getPaletteString(skin), buffer:getString():sub(-3 * 64))
    assert.are.equal(0, anim.newCrowd({ threads = 1 }):getPalettes(skin):getSize())
  end)

  it("need a skin of the skeleton", function()
    local model = assert(anim.decode(gltf, "model.gltf"))
    local crowd, graph = anim.newCrowd({ threads = 1 }), cast.new(1)[1]
    crowd:add(graph)
    raises.exactly("bad argument #2 to 'getOffset' (skin of the graph's skeleton expected, got one of another)",
      function() crowd:getOffset(graph, model.skins[1]) end)
    raises.exactly("bad argument #1 to 'getPalettes' (anim.Skin expected, got no value)",
      function() crowd:getPalettes() end)
    raises.exactly("bad argument #2 to 'getPalettes' (\"4x4\" or \"3x4\" expected, got string '2x2')",
      function() crowd:getPalettes(model.skins[1], "2x2") end)
  end)
end)

describe("a crowd's frame", function()
  if os.getenv("ANIM_GC_STRESS") == "1" then
    pending("garbage is not counted while the collector never rests")
    return
  end
  it("makes no garbage, on the Lua heap or in the core", function()
    local list, heard = cast.new(24, true), 0
    local crowd = cast.crowd(list, 2)
    for i, graph in ipairs(list) do
      if i % 3 == 0 then crowd:setRate(graph, .05) end
    end
    crowd:on("step", function(_, data) heard = heard + (data and 1 or 0) end)
    local model = assert(anim.decode([[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},
      {"name":"tip"}],"skins":[{"joints":[0,1]}]}]], "model.gltf"))
    local one = anim.newGraph(model.skeleton)
    crowd:add(one)
    local function step(i)
      for k = 1, #list do list[k]:set("speed", (i + k) % 200 / 70) end
      crowd:update(1 / 60)
      crowd:getPalettes(model.skins[1], "3x4")
      crowd:getOffset(one, model.skins[1])
      return #crowd
    end
    interpreted(function()
      for i = 1, 500 do step(i) end
      collectgarbage()
      collectgarbage()
      collectgarbage("stop")
      for i = 1, 200 do step(i) end
      local _, _, before = core.memory()
      local kilobytes = collectgarbage("count")
      for i = 1, 1000 do step(i) end
      kilobytes = collectgarbage("count") - kilobytes
      local _, _, after = core.memory()
      collectgarbage("restart")
      assert.is_true(heard > 1000)
      assert.are.equal(0, kilobytes)
      assert.are.equal(0, after - before)
    end)
  end)
end)
