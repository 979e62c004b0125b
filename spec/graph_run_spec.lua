-- What graphs run and give: script nodes, root motion, outputs; and how long they and their handles live.
local anim = require("anim")
local check = require("spec.support.check")
local raises = require("spec.support.raises")
local tiny = require("spec.support.tiny")
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local core = require("anim.core")

local function near(expected, got, tolerance) check.near({ expected }, { got }, tolerance or 1e-6) end
local function x(graph) return (graph:getPosition("tip")) end

describe("script nodes", function()
  it("set weights in the logic pass and joints in the pose pass", function()
    local graph, kept, steps = anim.newGraph(tiny.cast(), { params = { p = 0 } }), nil, {}
    local node = graph:script({ inputs = { "one", "four" },
      update = function(node, dt)
        steps[#steps + 1] = dt
        node:setWeight(1, 1)
        node:setWeight(2, graph:get("p"))
      end,
      pose = function(self, pose, dt)
        kept = pose
        assert.are.equal(graph:getRoot(), self)
        assert.are.equal(.25, dt)
        local tx = pose:get("tip")
        pose:set("tip", tx * 2, 1, 0, 0, 0, 0, 1, 1, 1, 1)
      end })
    graph:setRoot(node)
    graph:set("p", 1)
    graph:update(.25)
    near(5, x(graph), 1e-5)
    assert.are.same({ .25 }, steps)
    assert.matches("released", raises.message(kept.get, kept, "tip"))
  end)

  it("raise from the call, which leaves the graph usable", function()
    local graph, broken = anim.newGraph(tiny.cast()), { "broken" }
    local fail = "update"
    local node = graph:script({ inputs = { "one" },
      update = function() if fail == "update" then error(broken) end end,
      pose = function() if fail == "pose" then error(broken) end end })
    graph:setRoot(node)
    for _, name in ipairs({ "update", "pose" }) do
      fail = name
      local ran, got = pcall(graph.update, graph, .1)
      assert.is_false(ran)
      assert.are.equal(broken, got)
    end
    assert.is_false((pcall(graph.evaluate, graph)))
    fail = nil
    graph:update(.1)
    near(1, x(graph))
  end)

  it("can't edit, update or lose their graph while it runs", function()
    local graph = anim.newGraph(tiny.cast())
    local try
    graph:setRoot(graph:script({ inputs = { "one" }, update = function() try() end, pose = function() try() end }))
    local function refuses(expected, call)
      try = call
      assert.matches(expected, raises.message(graph.update, graph, .1))
    end
    refuses("can't be changed while it is updated", function() graph:add({ type = "pose" }) end)
    refuses("is being updated", function() graph:update(.1) end)
    refuses("is being updated", function() graph:evaluate() end)
    refuses("is being updated", function() graph:reset() end)
    refuses("is being updated", function() graph:restore(graph:save()) end)
    local clone = graph:clone()
    try = function() if clone then clone:getRoot() end end
    graph:update(.1)
    try = function() graph:release() end
    graph:update(.1)
    assert.are.equal("anim.Graph: released", tostring(graph))
  end)
end)

describe("root motion", function()
  local function stride()
    local translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 2 } }
    return tiny.clip("stride", { tracks = { root = { translation = translation } } })
      :withRootMotion({ joint = "root", translation = "xz" })
  end

  it("is what a clip moved by in the last advance", function()
    local graph, node = tiny.player(stride())
    local z = 0
    for _ = 1, 25 do
      graph:update(.1)
      local _, _, dz, _, _, _, qw = graph:getRootMotion()
      near(.2, dz, 1e-6)
      near(1, qw)
      z = z + dz
    end
    near(5, z, 1e-5)
    node:setTime(.5)
    graph:update(0)
    near(0, select(3, graph:getRootMotion()))
    check.near({ 0, 1, 0 }, { graph:getPosition("tip") }, 1e-6)
  end)

  it("turns too", function()
    local clip = tiny.clip("turn", { tracks = { root = {
      translation = { times = { 0, 1 }, values = { 0, 0, 0, 0, 0, 1 } },
      rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, unpack(tiny.about("y", 90)) } } } } })
      :withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
    local graph = tiny.player(clip)
    graph:update(1)
    local dx, dy, dz, qx, qy, qz, qw = graph:getRootMotion()
    check.near({ 0, 0, 1, 0, math.sqrt(.5), 0, math.sqrt(.5) }, { dx, dy, dz, qx, qy, qz, qw }, 1e-5)
  end)

  it("wants a joint and axes", function()
    local clip = tiny.clip("c")
    raises.exactly("bad argument #1 to 'withRootMotion' (translation or rotation expected)",
      function() clip:withRootMotion({ joint = "root" }) end)
    raises.exactly("bad argument #1 to 'withRootMotion' (translation: axes (such as \"xz\") expected, got string 'xx')",
      function() clip:withRootMotion({ joint = "root", translation = "xx" }) end)
    raises.exactly("bad argument #1 to 'withRootMotion' (joint: no joint 'rot'; did you mean 'root'?)",
      function() clip:withRootMotion({ joint = "rot", rotation = "y" }) end)
  end)
end)

describe("outputs", function()
  it("are rest before the first update", function()
    local graph = tiny.player(tiny.clip("c", { from = 5 }))
    check.near({ 0, 1, 0 }, { graph:getPosition("tip") }, 0)
    assert.are.equal(0, graph:getRoot():getWeight())
    assert.are.equal(0, graph:getCurve("nothing"))
    check.near({ 0, 0, 0, 0, 0, 0, 1 }, { graph:getRootMotion() }, 0)
    graph:update(0)
    check.near({ 5, 1, 0, 0, 0, 0, 1, 1, 1, 1 }, { graph:getJoint("tip") }, 1e-6)
    local pose = anim.newPose(tiny.skeleton)
    assert.are.equal(pose, graph:getPose(pose))
    check.near({ graph:getJoint("tip") }, { pose:get("tip") }, 0)
    check.near({ pose:getMatrix("tip") }, { graph:getMatrix("tip") }, 1e-6)
    check.near({ pose:get("tip") }, { graph:getPose():get("tip") }, 0)
  end)

  it("curves and properties", function()
    local graph = anim.newGraph(tiny.model({
      tiny.clip("a", { curves = { c = { times = { 0 }, values = { 2 } } },
        properties = { mouth = { times = { 0 }, values = { "open" } } } }),
      tiny.clip("b", { properties = { mouth = { times = { 0 }, values = { "shut" } } } }) }))
    local mixer = graph:mixer({ inputs = { "a", "b" }, weights = { .75, .25 } })
    graph:setRoot(mixer)
    graph:update(0)
    near(1.5, graph:getCurve("c"))
    assert.are.equal("open", graph:getProperty("mouth"))
    mixer:setWeight(2, 3)
    graph:update(0)
    assert.are.equal("shut", graph:getProperty("mouth"))
    assert.is_nil(graph:getProperty("nose"))
  end)

  it("morph weights", function()
    local m = tiny.model({ tiny.clip("smile", { curves = { ["face.smile"] = { times = { 0 }, values = { .8 } } } }),
      tiny.clip("plain") })
    m.morphs = { { name = "face", targets = { "smile", "blink" }, curves = { "face.smile", "face.blink" },
      weights = { .2, .4 } } }
    local graph = anim.newGraph(m)
    local mixer = graph:mixer({ inputs = { "smile", "plain" }, weights = { .5, .5 } })
    graph:setRoot(mixer)
    graph:update(0)
    near(.5, graph:getMorph(1, 1)) -- half the clip's, half the mesh's own
    near(.4, graph:getMorph("face", "blink"))
    raises.exactly("bad argument #2 to 'getMorph' (index from 1 to 2 or name of a target expected, got 3)",
      function() graph:getMorph(1, 3) end)
    raises.exactly("bad argument #1 to 'getMorph' (mesh with morph targets expected, got string 'leg')",
      function() graph:getMorph("leg", 1) end)
  end)

  it("palettes", function()
    local model2 = assert(anim.decode([[{"asset":{"version":"2.0"},"nodes":[{"name":"root","children":[1]},
      {"name":"tip","translation":[0,1,0]}],"skins":[{"joints":[0,1]}]}]], "m.gltf"))
    local skin, graph = model2.skins[1], anim.newGraph(model2)
    graph:update(0)
    local floats = check.floats(graph:getPaletteString(skin))
    assert.are.equal(32, #floats)
    check.near({ 0, 1, 0, 1 }, { unpack(floats, 29, 32) }, 0)
    local small = graph:getPalette(skin, "3x4")
    assert.are.equal(96, small:getSize())
    assert.are.equal(graph:getPaletteString(skin, "3x4"), small:getString())
    assert.are.equal(small, graph:getPalette(skin, "3x4"))
    assert.are.equal("userdata", type(small:getPointer()))
    local buffer = anim.newBuffer(160)
    graph:writePalette(skin, buffer, 32)
    assert.are.equal(("\0"):rep(32) .. graph:getPaletteString(skin), buffer:getString())
    raises.exactly("bad argument #2 to 'writePalette' (128 bytes expected behind offset 64, got 96)",
      function() graph:writePalette(skin, buffer, 64) end)
    raises.exactly("bad argument #3 to 'writePalette' (multiple of 4 (bytes) expected, got 2)",
      function() graph:writePalette(skin, buffer, 2) end)
    raises.exactly("bad argument #2 to 'writePalette' (LÖVE Data, FFI array or anim.Buffer expected, got table)",
      function() graph:writePalette(skin, {}) end)
    raises.exactly("bad argument #1 to 'newBuffer' (index from 1 to 2147483647 expected, got 0)",
      function() anim.newBuffer(0) end)
    local hasFfi, ffi = pcall(require, "ffi")
    if not hasFfi then return end
    local array = ffi.new("float[40]")
    graph:writePalette(skin, array, 32)
    assert.are.equal(graph:getPaletteString(skin), ffi.string(array + 8, 128))
    assert.is_false((pcall(graph.writePalette, graph, skin, ffi.new("float[31]"))))
    assert.is_false((pcall(graph.writePalette, graph, skin, ffi.cast("float*", array))))
  end)

  it("inspect tells what goes on", function()
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
    graph:set("speed", 1.5)
    graph:advance(.7)
    local report = graph:inspect()
    assert.are.equal("layers", report.nodes[1].type)
    assert.are.equal(1.5, report.params.speed)
    assert.are.equal(0, report.lost)
    local text = tostring(report)
    assert.matches("blend1D 'move'", text)
    assert.matches("param speed = 1.5", text)
  end)
end)

describe("lifetime", function()
  local function collect()
    for _ = 1, 4 do collectgarbage() end
  end

  it("a graph that only its own callbacks refer to is collected", function()
    local watch = setmetatable({}, { __mode = "k" })
    local function make()
      local graph, node = tiny.player(tiny.clip("c", { events = tiny.events({ { .5, "e", data = {} } }) }))
      graph:on("e", function() return graph, node end)
      node:on("done", function() return graph end)
      graph:setRoot(graph:script({ inputs = { node and "c" }, update = function() return graph end }))
      graph:update(.6)
      watch[graph] = true
      return node
    end
    make()
    collect()
    collect()
    assert.is_nil(next(watch))
  end)

  it("handles keep their graph, and know when it is released", function()
    local function make()
      local graph = anim.newGraph(tiny.cast(), { params = { p = 1 } })
      graph:setRoot("one")
      return graph:getRoot(), graph:param("p")
    end
    local node, param = make()
    collect()
    node:getGraph():update(0)
    near(1, node:getWeight())
    local graph = node:getGraph()
    assert.are.equal(graph, param:getGraph())
    local subscription = graph:on("x", print)
    graph:release()
    graph:release()
    assert.matches("released", raises.message(node.getTime, node))
    assert.matches("released", raises.message(param.get, param))
    assert.is_false(subscription:isActive())
    subscription:cancel()
    for _, handle in ipairs({ graph, node, param, subscription }) do assert.is_string(tostring(handle)) end
  end)

  it("memory that runs out leaves the graph as it was", function()
    local graph = anim.newGraph(tiny.cast())
    graph:setRoot("one")
    collect()
    local blocks = core.memory()
    for n = 1, 200 do
      core.failAllocation(n)
      local ran = pcall(function()
        local g = anim.newGraph(tiny.cast(), tiny.everything())
        local c = g:clone()
        c:find("move"):addInput(9, "one")
        c:update(.1)
      end)
      core.failAllocation(0)
      if ran then break end
      assert(n < 200)
    end
    for n = 1, 60 do
      core.failAllocation(n)
      local ran = pcall(function() graph:setRoot({ type = "mixer", inputs = { "one", "two" } }) end)
      core.failAllocation(0)
      graph:update(.1)
      near(1, x(graph))
      if ran then break end
      assert(n < 60)
    end
    graph:setRoot("one")
    collect()
    collect()
    assert.is_true(core.memory() <= blocks + 4)
  end)

  it("strange arguments never crash it", function()
    local r = check.random(31)
    local graph = anim.newGraph(tiny.cast(), tiny.everything())
    local objects = { graph, graph:getRoot(), graph:find("move"), graph:param("speed"), graph:on("*", function() end),
      anim.newBuffer(64), anim.newPose(tiny.skeleton), tiny.cast().clips.one }
    local strange = { 0, -1, 1.5, 1e300, 0 / 0, 1 / 0, "", "text", "speed", "move", true, false, {}, { 1, 2 }, print,
      { type = "mixer" }, { type = "clip", clip = "one" }, unpack(objects) }
    for _, object in ipairs(objects) do
      local methods = debug.getmetatable(object).__index
      for name, method in pairs(methods) do
        if name ~= "release" then
          for _ = 1, 25 do
            local arguments = {}
            for i = 1, r.integer(0, 5) do arguments[i] = r.pick(strange) end
            pcall(method, object, unpack(arguments))
            pcall(method, unpack(arguments))
          end
        end
      end
    end
    graph:update(.1)
    assert.is_string(tostring(graph:inspect()))
  end)
end)

describe("weights as large as a float", function()
  local largest = 3.4e38

  it("are shared out like any others, moving there or not", function()
    for _, seconds in ipairs({ 0, .5 }) do
      local graph = anim.newGraph(tiny.cast(), { nodes = { mixer = { type = "mixer", inputs = { "one", "four" },
        weights = { 0, 0 } } }, root = "mixer" })
      local node = graph:find("mixer")
      for i = 1, 2 do node:setWeight(i, i == 1 and -largest or largest) end
      graph:update(0)
      for i = 1, 2 do node:setWeight(i, largest, seconds) end
      graph:update(0)
      graph:update(.25)
      graph:update(1)
      near(.5, node:getInput(1):getWeight())
      near(.5, node:getInput(2):getWeight())
      node:fadeTo(1, .5)
      graph:update(.25)
      near(1, node:getInput(1):getWeight() + node:getInput(2):getWeight())
      assert.is_true(x(graph) - x(graph) == 0)
    end
  end)

  it("do not make numbers of additive layers that are none", function()
    local inner = { type = "layers", name = "inner", base = "four", { "four", mode = "additive" } }
    local graph = anim.newGraph(tiny.cast(), { nodes = { layers = { type = "layers", base = "one",
      { "four", mode = "additive" }, { inner, mode = "additive" } } }, root = "layers" })
    for i = 1, 2 do graph:find("layers"):setLayerWeight(i, largest) end
    graph:find("inner"):setLayerWeight(1, largest)
    for _ = 1, 3 do
      graph:update(.125)
      for joint = 1, 2 do
        for _, number in ipairs({ graph:getMatrix(joint) }) do assert.is_true(number - number == 0) end
      end
    end
    assert(graph:restore(graph:save()))
  end)
end)
