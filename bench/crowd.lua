-- Crowds of 1,000 and 10,000 characters of mixed graphs, on one thread and on two; palettes; what a character holds.
-- Wall time: the work is on several threads. `lua bench/crowd.lua alone 10000` prints updates a second of one process
-- with one thread; `./dev bench threads` compares two such processes with one on two threads.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local core = require("anim.core")
local support = require("support")

local model = anim.load(support.data() .. "/bench/pab_locomotion.glb", { pack = { form = "fast" } })
if not model then
  print("skipped, the test data are not there")
  return
end

local kinds = {
  { "blend of three clips", function()
    return { type = "blend1D", param = "speed", { 0, "walk" }, { 2, "jog" }, { 4, "run" } }
  end },
  { "machine", function()
    return { type = "machine", initial = "slow", states = { slow = "walk", quick = { type = "blend1D", param = "speed",
      { 2, "jog" }, { 4, "run" } } }, transitions = { { from = "slow", to = "quick", when = "speed > 2", fade = .3 },
      { from = "quick", to = "slow", when = "speed < 1.8", fade = .3 } } }
  end },
  { "layers", function()
    return { type = "layers", base = { type = "blend1D", param = "speed", { 0, "walk" }, { 4, "run" } },
      { "jog", weight = .5, mask = "upper" }, { "walk", mode = "additive", weight = .2 } }
  end },
}

-- The crowd, bytes of the core for each of `count` characters, and those of them that are state.
local function crowdOf(count, threads, kind)
  local crowd, bases, list = anim.newCrowd({ threads = threads }), {}, {}
  local top = model.skeleton:getName(math.floor(#model.skeleton / 2))
  for i = 1, #kinds do
    bases[i] = anim.newGraph(model, { params = { speed = 2 }, masks = { upper = { top } }, root = kinds[i][2]() })
  end
  collectgarbage()
  local _, before = core.memory()
  for i = 1, count do
    list[i] = bases[kind or (i - 1) % #kinds + 1]:clone()
    list[i]:set("speed", i % 37 / 9)
    crowd:add(list[i])
  end
  local _, after = core.memory()
  local state = 0
  for i = 1, math.min(count, #kinds) do state = state + #list[i]:save() / math.min(count, #kinds) end
  return crowd, (after - before) / count, state
end

-- Updates in `seconds` on the wall, from one tick of os.time to another: Lua has no finer clock, and os.clock sums
-- over threads. Also the seconds of processor time of all of them.
local function perSecond(crowd, seconds)
  local tick = os.time()
  while os.time() == tick do crowd:update(1 / 60) end
  tick = os.time()
  local count, cpu = 0, os.clock()
  while os.time() < tick + seconds do
    crowd:update(1 / 60)
    count = count + 1
  end
  return count / seconds, (os.clock() - cpu) / count
end

local function row(name, count, threads, seconds, kind)
  local crowd, bytes, state = crowdOf(count, threads, kind)
  for _ = 1, math.ceil(20000 / count) do crowd:update(1 / 60) end
  local rates, costs = {}, {}
  for i = 1, 3 do rates[i], costs[i] = perSecond(crowd, seconds) end
  table.sort(rates)
  table.sort(costs)
  print(("%-22s %6d on %d %8.3f us each on the wall, %6.3f us of processor time; %6.0f bytes, %5.0f of state")
    :format(name, count, threads, 1e6 / (rates[2] * count), costs[2] / count * 1e6, bytes, state))
  local title = ("%d %s on %d"):format(count, name, threads)
  support.record("crowd", title .. ", on the wall", "ns", 1e9 / (rates[2] * count), nil, nil, 3)
  support.record("crowd", title .. ", processor time", "ns", costs[2] / count * 1e9, nil, nil, 3)
  support.record("crowd", title .. ", memory of a character", "B", bytes)
  return crowd, rates[2]
end

if arg[1] == "alone" then
  local crowd = crowdOf(tonumber(arg[2]) or 10000, tonumber(arg[3]) or 1)
  for _ = 1, 3 do crowd:update(1 / 60) end
  print(("%.3f updates a second, %.6f s of processor time each"):format(perSecond(crowd, tonumber(arg[4]) or 5)))
  return
end

print(("%d joints, fast clips, %s; medians of 3"):format(#model.skeleton, _VERSION))
for kind, what in ipairs(kinds) do row(what[1], 1000, 1, 1, kind) end
for _, count in ipairs({ 1000, 10000 }) do
  for threads = 1, 2 do
    local crowd = row("mixed", count, threads, count > 1000 and 2 or 1)
    local skin = model.skins[1]
    if skin and threads == 1 then
      local median = support.measure(function() crowd:getPalettes(skin, "3x4") end, 1, 5)
      print(("%-22s %6d on %d %8.3f us each"):format("palettes, 3x4", count, threads, median / count * 1e6))
    end
  end
end
