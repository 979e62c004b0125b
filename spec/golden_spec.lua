-- The same bits everywhere, from Lua: the hash of a graph with every kind of node over 1,000 updates, with scripts,
-- conditions and ground that are functions, is one number on every Lua and machine. What a program in C sees is
-- csrc/test/test_golden.c; a change of what the core computes changes both numbers, which then go in anew.
local anim = require("anim")
local check = require("spec.support.check")
local golden = require("spec.support.golden")
local kinds = require("anim.graph.kinds")

local expected = "16ad3f8e9593f4d7"
local updates = 1000

-- Of strings, in whole numbers below 2^53.
local function newSum()
  local sum = { 1, 2 }
  local function add(text)
    for i = 1, #text do
      sum[1] = (sum[1] * 1000003 + text:byte(i)) % 2147483647
      sum[2] = (sum[2] * 257 + text:byte(i) + sum[1] % 4096) % 4294967291
    end
  end
  return add, function() return ("%08x%08x"):format(sum[1], sum[2]) end
end

-- Every number that a float can be, as text; "%.17g" of one is not the same on every Lua.
local function exact(...)
  local out = {}
  for i = 1, select("#", ...) do out[i] = ("%.0f"):format(math.floor((select(i, ...)) * 2 ^ 40)) end
  return table.concat(out, " ")
end

local function steer(graph, r, i)
  local function nowAndThen(n) return r.integer(1, n) == 1 end
  if nowAndThen(24) then graph:set("speed", r.pick({ 0, .25, .75, 1.5, 2 })) end
  if nowAndThen(16) then graph:set("side", r.integer(-20, 20) / 16) end
  if nowAndThen(16) then graph:set("ahead", r.integer(-20, 20) / 16) end
  if nowAndThen(32) then graph:set("mood", r.integer(-16, 16) / 16) end
  if nowAndThen(48) then graph:set("armed", r.integer(0, 4) / 4) end
  if nowAndThen(48) then graph:set("look", r.integer(0, 6) / 4) end
  if nowAndThen(160) then graph:fire("jumps") end
  if nowAndThen(90) then graph:find("shot"):fire("hit", { fadeIn = .125 }) end
  if nowAndThen(200) then graph:find("shot"):stop(.0625) end
  if nowAndThen(200) then graph:find("machine"):play(r.pick({ "idle", "move", "spaces", "dances" }), .25) end
  if nowAndThen(60) then graph:find("idle"):pick(r.integer(1, 3)) end
  if nowAndThen(240) then graph:find("machine"):travel("dances") end
  if nowAndThen(100) then graph:find("layers"):setLayerWeight(1, r.integer(0, 4) / 4, .25) end
  if nowAndThen(100) then graph:setSpeed(r.integer(1, 6) / 4) end
  if nowAndThen(250) then graph:warp({ position = { .5, 0, 1.5 }, seconds = .75 }) end
  if nowAndThen(300) then graph:find("hair"):teleport() end
  local u = i / 128
  graph:find("hand"):setTarget(.3 + .2 * golden.wave(u), 1.2 + .5 * golden.wave(2 * u), .25)
  graph:find("gaze"):setTarget(3 * golden.wave(u), 1.5, 2 * golden.wave(u / 3))
  graph:setTransform(golden.wave(u / 2), 0, u, 0, .6, 0, .8)
end

local function stepOf(i)
  return i % 100 == 50 and 0 or i % 64 == 20 and .25 or i % 7 == 3 and 1 / 144 or 1 / 60
end

-- What a run comes to; `update` moves the graph by a time.
local function run(graph, update)
  local add, sum = newSum()
  local r = check.random(2024)
  graph:on("*", function(name, _, node, _, time, weight, edge)
    add(("%s %s %s %s"):format(name, node:getType(), exact(time, weight), tostring(edge)))
    if name == "step" and graph:get("mood") > .875 then graph:find("layers"):setLayerWeight(1, 1, .25) end
  end)
  for i = 1, updates do
    steer(graph, r, i)
    update(stepOf(i))
    add(graph:hash())
    add(exact(graph:getRootMotion()))
    add(exact(graph:getPosition("hair3")))
  end
  return sum()
end

-- Notes each kind of node that has weight.
local function look(node, seen)
  if not node then return end
  if node:getWeight() > 0 then seen[node:getType()] = true end
  for i = 1, node:getInputCount() do look(node:getInput(i), seen) end
end

describe("a graph of every kind", function()
  it("comes to the same number on every Lua", function()
    local graph, seen = golden.new(), {}
    local sum = run(graph, function(dt)
      graph:update(dt)
      look(graph:getRoot(), seen)
      for _, name in ipairs({ "layers", "script" }) do look(graph:find(name), seen) end -- a base is no input
    end)
    for _, kind in ipairs(kinds) do assert.is_true(seen[kind], "it has no " .. kind .. " that is heard") end
    assert.are.equal(expected, sum)
  end)

  it("comes to it in a crowd, too", function()
    local graph, skeleton = golden.new()
    local crowd, others = anim.newCrowd({ threads = 3 }), {}
    for i = 1, 24 do
      others[i] = anim.newGraph(skeleton)
      if i == 11 then crowd:add(graph) end
      crowd:add(others[i])
    end
    assert.are.equal(expected, run(graph, function(dt) crowd:update(dt) end))
  end)
end)
