-- Graphs that are edited between updates: nothing breaks, weights and pose stay finite, and what an edit does not touch
-- goes on to the bit, as in a twin that nobody edits.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local random = require("spec.support.random_graph")

local function rounds(n) return data.slow and n or math.ceil(n / 10) end

-- A graph whose base is a random tree that stays, under a layer for one joint that is edited; and its twin.
local function newCase(seed)
  local c = random.graph(seed, { depth = 3, kinds = { "mixer", "blend1D", "blend2D", "direct", "layers" } })
  local r, edge = c.r, c.rig[#c.rig].name
  c.params.p3 = .4 -- nothing is smoothed: under another root parameters go on and the kept branch does not
  c.masks.edge = { [edge] = { 1, only = true } }
  local edited = { type = "mixer", name = "edited", inputs = { "clip1", "clip2" }, weights = { .5, .5 } }
  c.graph = random.again(c, { type = "layers", name = "top", base = c.root, { edited, mask = "edge" } })
  c.twin = random.again(c, { type = "layers", name = "top", base = c.root })
  c.edge, c.kept = c.skeleton:find(edge), c.oracle.nodes
  function c.clip() return r.pick(c.names) end
  return c
end

-- ---- what is added

local trees = {}

local function tree(c, depth)
  if depth == 0 or c.r.unit() < .4 then
    return c.r.unit() < .5 and c.clip() or { type = "clip", clip = c.clip(), speed = c.r.pick({ 1, -1, .5 }) }
  end
  return c.r.pick(trees)(c, depth - 1)
end

trees[1] = function(c, depth)
  return { type = "mixer", inputs = { tree(c, depth), tree(c, depth) }, weights = { c.r.unit(), c.r.unit() },
    sync = c.r.unit() < .5 }
end

trees[2] = function(c, depth)
  return { type = "blend1D", param = "p1", { -1, tree(c, depth) }, { c.r.unit(), tree(c, depth), speed = 2 } }
end

trees[3] = function(c, depth)
  return { type = "blend2D", x = "p1", y = "p2", mode = c.r.pick({ "cartesian", "triangulated", "idw" }),
    { c.r.unit(), 0, tree(c, depth) }, { -1, c.r.unit(), tree(c, depth) } }
end

trees[4] = function(c, depth) return { type = "direct", { "p3", tree(c, depth) }, { "p2", tree(c, depth) } } end

trees[5] = function(c, depth)
  return { type = "layers", base = tree(c, depth), { tree(c, depth), weight = c.r.unit(), mask = "upper",
    mode = c.r.pick({ "additive", "override" }) } }
end

trees[6] = function(c, depth)
  return { type = "script", inputs = { tree(c, depth), tree(c, depth) },
    update = function(node) if node:getInputCount() > 0 then node:setWeight(1, .7) end end }
end

-- ---- edits

-- All nodes below `node`, itself first.
local function below(node, out)
  out = out or {}
  out[#out + 1] = node
  local kind = node:getType()
  if kind == "clip" or kind == "pose" then return out end
  for i = kind == "layers" and 0 or 1, node:getInputCount() do
    local child = node:getInput(i)
    if child then below(child, out) end
  end
  return out
end

local entries = {}
function entries.mixer(c, child) return child, c.r.unit() end
function entries.script(_, child) return child end
function entries.blend1D(c, child) return { c.r.number(2, 9), child } end
function entries.blend2D(c, child) return { c.r.number(-3, 3), c.r.number(-3, 3), child } end
function entries.direct(c, child) return { c.r.pick(c.paramNames), child } end
function entries.layers(c, child) return child, { weight = c.r.unit(), mask = "some" } end

local edits = {}

function edits.add(c, node)
  if node:getInputCount() < 4 then node:addInput(entries[node:getType()](c, tree(c, 2))) end
end

function edits.remove(c, node)
  if node:getInputCount() > 0 then node:removeInput(c.r.integer(1, node:getInputCount())) end
end

function edits.set(c, node)
  local low = node:getType() == "layers" and 0 or 1
  if node:getInputCount() >= low then node:setInput(c.r.integer(low, node:getInputCount()), tree(c, 1)) end
end

-- A layer's clip must not be measured by what only additive layers know; `clip` nodes alone have clips.
function edits.clip(c, _, all)
  for _, node in ipairs(c.r.shuffle(all)) do
    if node:getType() == "clip" then
      local keep, phase = c.r.unit() < .5, node:getPhase()
      node:setClip(c.objects[c.clip()], keep)
      local once = node:getClip():getLoop() ~= true
      if keep and not once then check.near({ phase % 1 }, { node:getPhase() % 1 }, 1e-9, "phase") end
      return
    end
  end
end

function edits.weights(c, node)
  local kind, count = node:getType(), node:getInputCount()
  if kind == "mixer" and count > 0 then
    if c.r.unit() < .5 then
      node:fadeTo(c.r.integer(1, count), c.r.pick({ 0, .2 }), c.r.unit() < .5)
    else
      node:setWeight(c.r.integer(1, count), c.r.unit())
    end
  elseif kind == "layers" and count > 0 then
    node:setLayerWeight(c.r.integer(1, count), c.r.unit(), c.r.pick({ 0, .1 }))
  end
end

function edits.time(c, _, all)
  local node = c.r.pick(all)
  local way = c.r.integer(1, 4)
  if way == 1 then node:setPhase(c.r.number(-1, 2)) end
  if way == 2 then node:setSpeed(c.r.pick({ 1, 0, -1, 2 })) end
  if way == 3 then node:pause() end
  if way == 4 then node:play() end
end

function edits.param(c)
  if c.made and c.made >= 20 then return end
  c.made = (c.made or 0) + 1
  c.graph:param("more" .. c.made, c.made)
end

-- Nodes that are nobody's input come and go.
function edits.loose(c)
  local node = c.graph:add({ type = "mixer", inputs = { tree(c, 2), c.clip() }, weights = { 1, 1 } })
  c.graph:update(0)
  c.twin:update(0)
  c.graph:remove(node)
  assert.has_error(function() node:getWeight() end)
end

-- Under another root the kept branch stands still; then it goes on.
function edits.root(c)
  local top = c.graph:find("top")
  c.graph:setRoot(c.graph:add({ type = "mixer", name = "other", inputs = { c.clip() }, weights = { 1 } }))
  c.graph:update(.1)
  c.graph:setRoot(top)
  c.graph:remove(c.graph:find("other"))
end

-- Whatever is done to a clone is the clone's affair.
function edits.clone(c)
  local mine, clone = c.graph, c.graph:clone()
  c.graph = clone
  for _ = 1, 3 do
    local root = clone:find("edited")
    edits[c.r.pick({ "add", "remove", "set", "clip", "weights" })](c, root, below(root))
    clone:update(.1)
  end
  c.graph = mine
end

-- What must not be done is refused and changes nothing.
function edits.wrong(c, node, all)
  local graph, hash = c.graph, c.graph:hash()
  for _, attempt in ipairs({
    function() graph:remove(graph:find("edited")) end,
    function() graph:remove(graph:find("top")) end,
    function() graph:setRoot(node) end,
    function() node:addInput(entries[node:getType()](c, graph:find("top"))) end,
    function() node:addInput(entries[node:getType()](c, c.r.pick(all))) end,
    function() node:addInput(entries[node:getType()](c, { type = "clip", clip = "nobody" })) end,
    function()
      node:addInput(entries[node:getType()](c, { type = "mixer", inputs = { "clip1", { type = "bad" } } }))
    end,
    function() node:setInput(99, c.clip()) end,
    function() node:removeInput(0) end,
    function() node:addInput(entries[node:getType()](c, c.twin:find("top"))) end,
    function() graph:param("p1", true) end,
  }) do assert.has_error(attempt) end
  assert.are.equal(hash, graph:hash())
end

local names = { "add", "add", "remove", "set", "set", "clip", "weights", "time", "param", "loose", "root", "clone",
  "wrong" }

local function edit(c)
  local all = below(c.graph:find("edited"))
  local composites = {}
  for _, node in ipairs(all) do
    if node:getType() ~= "clip" and node:getType() ~= "pose" then composites[#composites + 1] = node end
  end
  local name = c.r.pick(#all > 40 and { "remove" } or names)
  edits[name](c, c.r.pick(composites), all)
  return name
end

-- ---- comparison with the twin

local function checkFinite(c, where)
  for _, node in ipairs(below(c.graph:find("edited"))) do
    local weight = node:getWeight()
    assert(weight >= 0 and weight <= 1 + 1e-5, where)
  end
  for _, x in ipairs({ c.graph:getJoint(c.edge) }) do assert(x - x == 0, where) end
end

local function checkTwin(c, where)
  for _, node in ipairs(c.kept) do
    local a, b = c.graph:find(node.name), c.twin:find(node.name)
    if a:getTime() ~= b:getTime() or a:getWeight() ~= b:getWeight() then
      error(("%s: %s %s: time %.17g, in its twin %.17g; weight %.9g, %.9g"):format(where, node.kind, node.name,
        a:getTime(), b:getTime(), a:getWeight(), b:getWeight()), 0)
    end
  end
  for j = 1, #c.rig do
    if j ~= c.edge then
      local a, b = { c.graph:getJoint(j) }, { c.twin:getJoint(j) }
      for i = 1, 10 do assert(a[i] == b[i], where .. ": joint " .. j) end
    end
  end
end

describe("edits", function()
  -- 40 times 250 edits.
  for part = 1, 4 do
    it(("between updates, seeds %d to %d"):format(part * 100 + 1, part * 100 + rounds(10)), function()
      for seed = part * 100 + 1, part * 100 + rounds(10) do
        local c = newCase(seed)
        for step = 1, 250 do
          local name = edit(c)
          if c.r.unit() < .3 then
            local param, value = c.r.pick(c.paramNames), c.r.number(-1, 1.5)
            c.graph:set(param, value)
            c.twin:set(param, value)
          end
          local dt = c.r.number(0, .1)
          c.graph:update(dt)
          c.twin:update(dt)
          local where = ("seed %d, step %d, after %s"):format(seed, step, name)
          checkFinite(c, where)
          checkTwin(c, where)
        end
      end
    end)
  end

  it("inputs that move up keep their place, weight and fade", function()
    local c = random.graph(5, { loops = { true }, markers = 0 })
    local graph = anim.newGraph(c.skeleton, nil, { clips = c.objects })
    local mixer = graph:mixer({ inputs = { "clip1", "clip2", "clip3" }, weights = { 0, 1, 0 } })
    graph:setRoot(mixer)
    graph:update(.1)
    mixer:fadeTo(3, 1)
    graph:update(.25)
    local second, third = mixer:getInput(2), mixer:getInput(3)
    local time = second:getTime()
    mixer:removeInput(1)
    assert.are.equal(2, mixer:getInputCount())
    assert.are.equal(second, mixer:getInput(1))
    assert.are.equal(third, mixer:getInput(2))
    assert.are.equal(2, mixer:getTarget())
    assert.are.equal(time, second:getTime())
    check.near({ .75, .25 }, { mixer:getInputWeight(1), mixer:getInputWeight(2) }, 1e-6)
    graph:update(.25)
    check.near({ .5, .5 }, { mixer:getInputWeight(1), mixer:getInputWeight(2) }, 1e-6)
    mixer:addInput("clip4")
    graph:update(.5)
    check.near({ 0, 1, 0 }, { mixer:getInputWeight(1), mixer:getInputWeight(2), mixer:getInputWeight(3) }, 1e-6)
  end)
end)
