-- What Lua costs: the same calls on the same objects from a script and from C, in turns; parameters by name and by
-- handle; palettes; garbage. Run by ./dev bench with a module that has the loops in C built in.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local support = require("support")

local path = package.searchpath and package.searchpath("anim.core", package.cpath)
local open = path and package.loadlib(path, "luaopen_anim_bench")
if not open then
  print("skipped, the module has no loops in C: ./dev bench share builds one")
  return
end
local native = open()
local clock = native.clock

local model = anim.load(support.data() .. "/bench/pab_locomotion.glb", { pack = { form = "fast" } })
if not model then
  print("skipped, the test data are not there")
  return
end
local skin, dt, rounds = model.skins[1], 1 / 60, 101

local function walker()
  return anim.newGraph(model, { params = { speed = 1.1, side = 0 },
    root = { type = "blend1D", param = "speed", { 0, "walk" }, { 2, "jog" }, { 4, "run" } } })
end

-- The loop is the script's own; its cost is part of what is reported.
local function timed(body)
  return function(calls)
    local start = clock()
    body(calls)
    return clock() - start
  end
end

local function show(name, ns)
  print(("%-60s %9.1f ns"):format(name, ns))
  support.record("share", name, "ns", ns, nil, nil, rounds)
end

local function compare(name, calls, script, core)
  local get = support.turns({ core, timed(script), core }, calls, rounds) -- before and after: order costs something
  show(name .. ", from the script", get(2))
  show(name .. ", from C", get(3))
  show(name .. ", what Lua costs", get(2, 1, 3))
end

print(("%d joints, fast clips, %s; medians of %d turns, processor time"):format(#model.skeleton,
  rawget(_G, "jit") and "LuaJIT" or _VERSION, rounds))

local graph = walker()
compare("graph:update, blend1D", 500, function(calls)
  for _ = 1, calls do graph:update(dt) end
end, function(calls) return native.update(graph, calls, dt) end)

-- The same on a graph that has next to nothing to do: less noise in the difference.
local still = anim.newGraph(model, { root = { type = "pose", pose = anim.newPose(model.skeleton) } })
compare("graph:update, one fixed pose", 2000, function(calls)
  for _ = 1, calls do still:update(dt) end
end, function(calls) return native.update(still, calls, dt) end)

local crowd, members = anim.newCrowd({ threads = 1 }), {}
for i = 1, 1000 do
  members[i] = graph:clone()
  members[i]:set("speed", i % 37 / 10)
  members[i]:advance(i % 97 / 97)
  crowd:add(members[i])
end
compare("crowd:update of 1,000, in all", 2, function(calls)
  for _ = 1, calls do crowd:update(dt) end
end, function(calls) return native.crowd(crowd, calls, dt) end)

local speed, index = graph:param("speed"), 0
local get = support.turns({
  timed(function(calls) for i = 1, calls do graph:set("speed", i % 4) end end),
  timed(function(calls) for i = 1, calls do speed:set(i % 4) end end),
  function(calls) return native.set(graph, calls, index) end,
  timed(function(calls) for _ = 1, calls do speed:get() end end),
  timed(function(calls) for i = 1, calls do index = i * 0 end end),
}, 10000, rounds)
show("graph:set(name, x)", get(1))
show("param:set(x), a handle", get(2))
show("anim_graph_set_number in C", get(3))
show("param:get()", get(4))
show("an empty loop", get(5))

-- Palettes: of a pose that is new each time, less the update and model space themselves.
local function updated(read)
  return timed(function(calls)
    for _ = 1, calls do
      graph:update(dt)
      graph:getPosition(#model.skeleton) -- makes model space
      if read then read() end
    end
  end)
end
local bytes = #skin * 16 * 4
local buffer = graph:getPalette(skin, "3x4")
local ffi = rawget(_G, "jit") and require("ffi")
local target = ffi and ffi.new("float[?]", bytes / 4) or buffer
local names, readers = {}, { updated() }
local function reader(name, body)
  names[#names + 1] = name
  readers[#readers + 1] = updated(body)
end
reader("getPalette(skin, '3x4') into a Buffer", function() graph:getPalette(skin, "3x4") end)
reader("getPalette(skin, '4x4') into a Buffer", function() graph:getPalette(skin, "4x4") end)
if ffi then
  reader("writePalette(skin, cdata, 0, '3x4')", function() graph:writePalette(skin, target, 0, "3x4") end)
end
reader("getPaletteString(skin, '3x4')", function() graph:getPaletteString(skin, "3x4") end)
reader("getMatrix of every joint", function() for j = 1, #model.skeleton do graph:getMatrix(j) end end)
get = support.turns(readers, 200, rounds)
for i, name in ipairs(names) do show(name, get(i + 1, 1)) end
get = support.turns({ timed(function(calls)
  for _ = 1, calls do crowd:getPalettes(skin, "3x4") end
end) }, 2, rounds)
show("crowd:getPalettes(skin, '3x4') of 1,000, a character", get(1) / 1000)

local garbage = support.garbage(function()
  for i = 1, 10000 do
    graph:set("speed", i % 4)
    speed:set(i % 3)
    graph:update(dt)
    graph:getMatrix(7)
    graph:getPalette(skin, "3x4")
  end
  for _ = 1, 10 do crowd:update(dt) end
end)
print(("garbage of 10,000 rounds of set, update, getMatrix, getPalette and 10 of a crowd: %d bytes"):format(garbage))
support.record("share", "garbage of 10,000 rounds", "B", garbage)
