-- Sync groups (semantics 6). A group is a node with `sync` together with the clips below it: through blends and mixers
-- that have `sync` themselves, and through the base of layers. All of them share one place p: passes, or, where all
-- members have the same markers in the same cyclic order, markers passed. mapOf gives a member's own unrolled place.
local timeline = require("spec.support.reference.timeline")

local sync = {}

-- A speed of 0 keeps the way of what it is multiplied with: -0 goes backwards.
local function isBackward(x) return x < 0 or 1 / x < 0 end

-- Whether a member shows its clip backwards.
local function runsBack(member) return isBackward(member.speed) end

local function joins(node)
  return node.sync or node.kind == "layers"
end

-- Members { node =, weight =, speed = } and what runs on its own below the group { node =, speed = }. Weights are
-- those within the group; speed multiplies from the group down, without the group's own. A clip without length has no
-- place to share.
function sync.collect(group, numberOf)
  local members, free = {}, {}
  local function visit(node, weight, speed)
    if node.kind == "clip" and node.length > 0 then
      members[#members + 1] = { node = node, weight = weight, speed = speed * numberOf(node.speed) }
      return
    end
    if not joins(node) then
      free[#free + 1] = { node = node, speed = speed }
      return
    end
    if node ~= group then speed = speed * numberOf(node.speed) end
    for _, input in ipairs(node.inputs) do
      if input.node and (node.kind ~= "layers" or input.isBase) then
        visit(input.node, node.kind == "layers" and weight or weight * (input.share or 0), speed * (input.speed or 1))
      elseif input.node then
        free[#free + 1] = { node = input.node, speed = speed }
      end
    end
  end
  visit(group, 1, 1.0)
  return members, free
end

-- Tells the nodes below a group that they are in it.
function sync.mark(group, above)
  above = above or group
  for _, input in ipairs(above.inputs) do
    local node = input.node
    local member = node and (node.kind == "clip" and node.length > 0 or joins(node))
    if member and (above.kind ~= "layers" or input.isBase) then
      node.inGroup = group
      sync.mark(group, node)
    end
  end
end

-- Names that all members have, counted: a set.
local function commonNames(members)
  local count = {}
  for _, member in ipairs(members) do
    local seen = {}
    for _, marker in ipairs(member.node.clip.markers) do
      if not seen[marker.name] then seen[marker.name], count[marker.name] = true, (count[marker.name] or 0) + 1 end
    end
  end
  for name, n in pairs(count) do if n < #members then count[name] = nil end end
  return count
end

local function filtered(markers, names)
  local out = {}
  for _, marker in ipairs(markers) do if names[marker.name] then out[#out + 1] = marker end end
  return out
end

-- By how much `list` must be turned to read like `model`, or nil.
local function turnOf(list, model)
  if #list ~= #model then return nil end
  for turn = 0, #list - 1 do
    local same = true
    for i = 1, #list do same = same and list[(i - 1 + turn) % #list + 1].name == model[i].name end
    if same then return turn end
  end
end

-- marks[i](k): the unrolled time of the k-th marker (from 0, any integer) in member i; nil where there are none.
local function markersOf(members)
  local names, model, marks = commonNames(members), nil, {}
  if not next(names) then return nil end
  for i, member in ipairs(members) do
    local list, length = filtered(member.node.clip.markers, names), member.node.length
    if member.node.loop ~= true or runsBack(member) then return nil end
    model = model or list
    local turn = turnOf(list, model)
    if not turn then return nil end
    marks[i] = function(k)
      k = k + turn
      return list[k % #list + 1].time + math.floor(k / #list) * length
    end
  end
  return marks, #model
end

-- Functions for place -> unrolled time of member i, and back. A member that plays backwards shows its clip from the
-- end.
local function mapOf(members, marks, loop)
  if not marks then
    local function from(i) return loop == false and runsBack(members[i]) and members[i].node.length or 0 end
    local function length(i) return members[i].node.length * (runsBack(members[i]) and -1 or 1) end
    return function(i, p) return from(i) + p * length(i) end, function(i, u) return (u - from(i)) / length(i) end
  end
  local function toTime(i, p)
    local k = math.floor(p)
    local a, b = marks[i](k), marks[i](k + 1)
    local u, length = a + (b - a) * (p - k), members[i].node.length
    local whole = math.floor(u / length + .5) * length
    return math.abs(u - whole) < 1e-12 * length and whole or u -- rounding must not move a pass
  end
  local function toPlace(i, u)
    local k = 0
    while marks[i](k + 1) <= u do k = k + 1 end
    while marks[i](k) > u do k = k - 1 end
    local a, b = marks[i](k), marks[i](k + 1)
    return k + (u - a) / (b - a)
  end
  return toTime, toPlace
end

-- Places a second, at place p on the way `way`: 1 / sum(w_i d_i) over the members with weight, d_i = length / speed
-- (with markers: of the segment). Members of speed 0 hold the group.
local function rateAt(members, marks, p, way)
  local total, seconds = 0, 0
  for i, member in ipairs(members) do
    if member.weight > 0 then
      if member.speed == 0 then return 0 end
      local length = member.node.length
      if marks then
        local k = way < 0 and math.ceil(p) - 1 or math.floor(p)
        length = marks[i](k + 1) - marks[i](k)
      end
      total, seconds = total + member.weight, seconds + member.weight * length / math.abs(member.speed)
    end
  end
  return seconds > 0 and total / seconds or 0
end

local function leaderOf(members, before)
  local best, current = members[1], nil
  for _, member in ipairs(members) do
    if member.weight > best.weight then best = member end
    if member.node == before then current = member end
  end
  if current and current.weight > 0 and best.weight < current.weight + .1 then return current end
  return best
end

-- The way the group moves by dt seconds: pieces { from =, to =, at =, lasts = }, places and seconds in the step.
local function travel(members, marks, p, dt, scale, loops, way)
  local pieces, at, left = {}, 0, math.abs(dt)
  while left > 0 do
    local rate = rateAt(members, marks, p, way) * scale
    if rate == 0 then break end
    local to = p + way * rate * left
    if marks then
      local stop = way < 0 and math.ceil(p) - 1 or math.floor(p) + 1
      if (stop - to) * way < 0 then to = stop end
    elseif not loops then
      to = math.max(0, math.min(to, 1))
    end
    local lasts = math.abs(to - p) / rate
    if lasts == 0 then break end
    pieces[#pieces + 1] = { from = p, to = to, at = at, lasts = lasts }
    at, left, p = at + lasts, left - lasts, to
    if not marks then break end
  end
  return pieces, p
end

-- When in the step place p is passed.
local function offsetOf(pieces, p)
  for _, piece in ipairs(pieces) do
    local low, high = math.min(piece.from, piece.to), math.max(piece.from, piece.to)
    if p >= low - 1e-12 and p <= high + 1e-12 and high > low then
      return piece.at + piece.lasts * math.abs(p - piece.from) / (high - low)
    end
  end
  return 0
end

-- A group loops if any member loops; it goes there and back where none only repeats.
local function loopOf(members)
  local loop = false
  for _, member in ipairs(members) do
    if member.node.loop == true then return true end
    loop = loop or member.node.loop
  end
  return loop
end

-- Only the leader tells an event that several have; where it lacks the name, the heaviest that has it does.
local function speakerOf(members, leader, name)
  local best
  for _, member in ipairs(members) do
    local has = false
    for _, event in ipairs(member.node.clip.events) do has = has or event.name == name end
    if has and member.node == leader then return member.node end
    if has and (not best or member.weight > best.weight) then best = member end
  end
  return best and best.node
end

-- A group is put somewhere: silent, the ranges that members are then inside of are entered without events.
function sync.seek(group, members, phase)
  local loop = loopOf(members)
  local toTime = mapOf(members, nil, loop)
  if loop == false then phase = math.max(0, math.min(phase, 1)) end
  group.place, group.sought, group.done = nil, phase, false
  for i, member in ipairs(members) do
    local node = member.node
    node.u, node.its, node.done = toTime(i, phase), node.loop == false and loop or node.loop, false
    sync.enterSilently(node)
  end
end

-- Where a group that started, was sought, or did not meet at markers so far stands: among markers its leader's phase
-- tells.
local function placeOf(group, members, marks, loop, way, toPlace)
  local phase = group.place or group.sought or (loop == false and way < 0 and 1 or 0)
  if not marks then return phase end
  for i, member in ipairs(members) do
    if member.node == group.leader then return toPlace(i, phase * member.node.length) end
  end
end

-- Where the group is as a step begins. What starts, or meets at markers again, is put where its leader's phase says;
-- what does not meet any more goes on from where its leader is.
local function settle(group, members, marks, loop, way, toTime, toPlace)
  local place = group.place
  if place == nil or marks and group.byPhase then
    local silent = place ~= nil or group.sought
    place = placeOf(group, members, marks, loop, way, toPlace)
    for i, member in ipairs(members) do
      member.node.u = toTime(i, place)
      if silent and marks then sync.enterSilently(member.node) end
    end
  elseif not marks and group.byPhase == false then
    for i, member in ipairs(members) do
      if member.node == group.leader then place = toPlace(i, member.node.u) end
    end
  end
  if group.place then group.place = place end -- held, too
  group.byPhase = not marks
  return place
end

-- Moves the group by dt seconds of its own clock; `held`: something above is paused, and a start is still to come.
-- Calls back for each member: moved(node, step, offsetOf, speaks).
function sync.advance(group, members, dt, held, scaleOf, moved)
  if #members == 0 then return end
  local way = isBackward(dt) and -1 or 1
  group.leader = leaderOf(members, group.leader).node
  local marks, loop = markersOf(members), loopOf(members)
  local toTime, toPlace = mapOf(members, marks, loop)
  local closed = group.place == nil and not held
  local place = settle(group, members, marks, loop, way, toTime, toPlace)
  local scale = scaleOf(members, rateAt(members, nil, place, way))
  local pieces, to = travel(members, marks, place, held and 0 or dt, scale, loop, way)
  local moves = not held and dt ~= 0 and rateAt(members, nil, place, way) ~= 0
  local ended = loop == false and moves and to == (way < 0 and 0 or 1)
  for i, member in ipairs(members) do
    local node = member.node
    local from, goal = toTime(i, place), toTime(i, to)
    -- A clip that plays once follows its group also where that loops.
    local its = node.loop == false and loop or node.loop
    local step = timeline.step(from, node.length, its, goal - from, closed)
    step.to, step.ended = goal, ended
    moved(node, step, function(u) return offsetOf(pieces, toPlace(i, u)) end,
      function(name)
        if node.followers or node == group.leader then return true end
        return name and speakerOf(members, group.leader, name) == node
      end)
  end
  if held then return end
  group.place, group.sought = to, nil
  group.done = ended or group.done and to == place
end

-- Silent: a range that the clip is now inside of is entered, one that it left is left, without events.
function sync.enterSilently(node)
  node.active = {}
  for _, event in ipairs(node.clip.events) do
    if timeline.isInside(node.u, node.length, node.its or node.loop, event) then node.active[event] = true end
  end
end

-- The phase that a group shows: with markers its leader's.
function sync.phaseOf(group, members)
  local loop, marks = loopOf(members), markersOf(members)
  local place = group.place or group.sought or 0
  if not marks then return timeline.timeAt(place, 1, loop) end
  local leader = group.leader
  return leader and timeline.timeAt(leader.u or 0, leader.length, true) / leader.length or 0
end

return sync
