-- How time moves in a clip (semantics 1 and 2). The oracle unrolls all passes on one line: place u = pass * D + what
-- is gone of the pass, so a step is two numbers, and what happens in it lies between them. (Doubles are long enough
-- for a test, not for days, which is why the real thing counts passes.)
local timeline = {}

-- Marks at one place come in this order: what ends a pass, `loop`, what begins the next.
local lastOfPass, between, inside = 0, 1, 2

function timeline.passOf(u, length, loop)
  if loop == false or length == 0 then return 0 end
  return math.floor(u / length)
end

-- The place in the clip: loops wrap, ping-pong comes back on odd passes, once is clamped.
function timeline.timeAt(u, length, loop)
  if length == 0 then return 0 end
  if loop == false then return math.max(0, math.min(u, length)) end
  local pass = math.floor(u / length)
  if u < pass * length then pass = pass - 1 end -- rounded up
  local gone = u - pass * length
  if loop == "pingpong" and pass % 2 == 1 then return length - gone end
  return gone
end

-- Seeks wrap on loops (ping-pong: to the way back, since a seek sets the pass to floor(t / D)) and clamp otherwise.
function timeline.seek(time, length, loop)
  if loop and length > 0 then return time end
  return math.max(0, math.min(time, length))
end

-- Where a node stands when it starts: once and backwards at the end, everything else at 0, unless `start` is given. A
-- rate of -0 (0 times something negative) goes backwards, too.
function timeline.startOf(length, loop, rate, start)
  if start then return timeline.seek(start, length, loop) end
  return loop == false and (rate < 0 or 1 / rate < 0) and length or 0
end

-- A step of `seconds` of clip time. `closed`: the window holds its start. Once: `ended` where it came to its end;
-- standing there without moving is an end only for a clip without length.
function timeline.step(u, length, loop, seconds, closed)
  local step = { from = u, to = u + seconds, length = length, loop = loop, closed = closed, backward = seconds < 0 }
  if length == 0 then step.to = u end
  if loop == false then
    step.to = math.max(0, math.min(step.to, length))
    step.ended = length == 0 or seconds ~= 0 and step.to == (step.backward and 0 or length)
  end
  return step
end

local function holds(step, u, rank)
  if step.closed and u == step.from and rank == inside then return true end
  if step.backward then
    return (u < step.from or u == step.from and rank < inside) and (u > step.to or u == step.to and rank == inside)
  end
  return u > step.from and u <= step.to
end

-- Where `time` of the clip lies in pass `pass`, and the rank of a mark there.
local function placeOf(step, pass, time)
  local length = step.length
  if step.loop == false or length == 0 then return time, inside end
  local gone = time
  if step.loop == "pingpong" and pass % 2 == 1 then gone = length - time end
  return pass * length + gone, gone == length and lastOfPass or inside
end

-- The two ends of a range in the order in which a pass meets them.
local function endsOf(step, pass, event)
  local from, to = event.time, math.min(event.time + (event.duration or 0), step.length)
  if step.loop == "pingpong" and pass % 2 == 1 then from, to = to, from end
  if step.backward then from, to = to, from end
  return from, to
end

local function passes(step)
  if step.loop == false or step.length == 0 then return 0, 0 end
  local low, high = math.min(step.from, step.to), math.max(step.from, step.to)
  return math.floor(low / step.length) - 1, math.floor(high / step.length) + 1
end

-- Past 64 passes in a step what happens in the middle ones is not told.
local function isTold(step, pass)
  if step.loop == false or step.length == 0 then return true end
  local from, to = math.floor(step.from / step.length), math.floor(step.to / step.length)
  local count, index = math.abs(to - from) + 1, math.abs(pass - from)
  return count <= 64 or index < 32 or index >= count - 32
end

-- Everything that the step passes, in order: { u =, time =, event =, edge =, begins or ends a range }, and
-- { u =, time =, loop = true, pass = the pass that begins }.
function timeline.marks(step, events)
  local out = {}
  local function put(pass, u, rank, mark)
    if not holds(step, u, rank) or not isTold(step, pass) then return end
    mark.u, mark.rank, mark.index = u, rank, #out
    out[#out + 1] = mark
  end
  local function putEvent(pass, event, time, edge)
    local u, rank = placeOf(step, pass, time)
    put(pass, u, rank, { event = event, time = time, edge = edge })
  end
  local first, last = passes(step)
  for pass = first, last do
    for _, event in ipairs(events) do
      if event.duration then
        local begin, finish = endsOf(step, pass, event)
        putEvent(pass, event, begin, "begin")
        putEvent(pass, event, finish, "end")
      else
        putEvent(pass, event, event.time)
      end
    end
    if step.loop ~= false and step.length > 0 then
      local atEnd = not step.backward
      if step.loop == "pingpong" then atEnd = pass % 2 == 0 end
      put(step.backward and pass + 1 or pass, (pass + 1) * step.length, between, { loop = true,
        pass = step.backward and pass or pass + 1, time = atEnd and step.length or 0 })
    end
  end
  local way = step.backward and -1 or 1
  table.sort(out, function(a, b)
    if a.u ~= b.u then return a.u * way < b.u * way end
    if a.rank ~= b.rank then return a.rank * way < b.rank * way end
    return a.index < b.index
  end)
  return out
end

-- Whether the place u lies inside a range event, neither at its begin nor at its end.
function timeline.isInside(u, length, loop, event)
  local time = timeline.timeAt(u, length, loop)
  return event.duration and time > event.time and time < event.time + event.duration
end

return timeline
