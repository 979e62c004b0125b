-- Measuring: medians of many runs, with the spread, in one process pinned to one core by ./dev bench.
local support = {}

local clock = os.clock

-- Runs `body` until `seconds` have gone by (at least `least` times); returns median and best in seconds.
function support.measure(body, seconds, least)
  local times = {}
  local stop = clock() + (seconds or 1)
  repeat
    local start = clock()
    body()
    times[#times + 1] = clock() - start
  until clock() >= stop and #times >= (least or 11)
  table.sort(times)
  return times[math.ceil(#times / 2)], times[1], #times
end

function support.row(name, seconds, best, count, note)
  print(("%-44s %10.3f ms median %10.3f ms best %6d runs  %s")
    :format(name, seconds * 1e3, best * 1e3, count, note or ""))
end

-- The same for `calls` of body(i) at a time, for one of them.
function support.each(name, calls, body)
  local median, best, count = support.measure(function()
    for i = 1, calls do body(i) end
  end)
  print(("%-52s %8.0f ns median %8.0f ns best %6d runs of %d"):format(name, median / calls * 1e9, best / calls * 1e9,
    count, calls))
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
