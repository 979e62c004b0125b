-- Measuring: medians of many runs, with the spread, in one process pinned to one core by ./dev bench. Each figure also
-- goes as a row to the file that ANIM_BENCH_CSV names: source, group, name, unit, median, p10, best, runs.
local support = {}

local clock = os.clock

-- Adds a row; the source is the script and the interpreter.
function support.record(group, name, unit, median, tenth, best, count)
  local path = os.getenv("ANIM_BENCH_CSV")
  local file = path and io.open(path, "a")
  if not file then return end
  local jit = rawget(_G, "jit")
  local source = ("%s (%s)"):format(arg[0]:match("([^/]*)%.lua$"), jit and "LuaJIT" or _VERSION)
  file:write(("%s,%s,%q,%s,%.6g,%.6g,%.6g,%d\n"):format(source, group, name, unit, median, tenth or median,
    best or median, count or 1))
  file:close()
end

-- Runs `body` until `seconds` have gone by (at least `least` times); returns median and best in seconds, how many
-- runs, and the tenth percentile.
function support.measure(body, seconds, least)
  local times = {}
  local stop = clock() + (seconds or 1)
  repeat
    local start = clock()
    body()
    times[#times + 1] = clock() - start
  until clock() >= stop and #times >= (least or 11)
  table.sort(times)
  return times[math.ceil(#times / 2)], times[1], #times, times[math.ceil(#times / 10)]
end

function support.row(name, seconds, best, count, note)
  print(("%-44s %10.3f ms median %10.3f ms best %6d runs  %s")
    :format(name, seconds * 1e3, best * 1e3, count, note or ""))
  support.record("", name, "ms", seconds * 1e3, nil, best * 1e3, count)
end

-- The same for `calls` of body(i) at a time, for one of them. Returns the median in nanoseconds.
function support.each(name, calls, body)
  local median, best, count, tenth = support.measure(function()
    for i = 1, calls do body(i) end
  end)
  local unit = 1e9 / calls
  print(("%-52s %8.0f ns median %8.0f ns best %6d runs of %d"):format(name, median * unit, best * unit, count, calls))
  support.record("", name, "ns", median * unit, tenth * unit, best * unit, count)
  return median * unit
end

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

-- Several at once, in turns, so that what disturbs the machine disturbs all alike: bodies(calls) that return seconds.
-- Returns a function: get(k) is the median of body k for one call, in nanoseconds, get(k, a, b) that of how much more
-- it takes in each turn than the mean of bodies a and b.
function support.turns(bodies, calls, rounds)
  local times = {}
  for k = 1, #bodies do times[k] = {} end
  for round = 1, rounds do
    for k, body in ipairs(bodies) do times[k][round] = body(calls) / calls * 1e9 end
  end
  return function(k, a, b)
    local list = {}
    for round = 1, rounds do
      list[round] = times[k][round] - (a and (times[a][round] + times[b or a][round]) / 2 or 0)
    end
    return median(list)
  end
end

-- Bytes of the Lua heap that `body` leaves as garbage. Without LuaJIT's compiler, which keeps its traces there.
function support.garbage(body)
  local jit = rawget(_G, "jit")
  if jit then
    jit.off()
    jit.flush()
  end
  body()
  collectgarbage()
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  body()
  local bytes = (collectgarbage("count") - before) * 1024
  collectgarbage("restart")
  if jit then jit.on() end
  return bytes
end

function support.data()
  return os.getenv("ANIM_DATA") or "../shared/data"
end

function support.read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("*a")
  file:close()
  return bytes
end

return support
