-- Sync groups (semantics 6). A group is a node with `sync` together with the clips below it: through blends and mixers
-- that have `sync` themselves, and through the base of layers. All of them share one place p: passes, or, where all
-- members have the same markers in the same cyclic order, markers passed. mapOf gives a member's own unrolled place.
local timeline = require("spec.support.reference.timeline")

local sync = {}

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
        visit(input.node, node.kind == "layers" and weight or weight * input.share, speed * (input.speed or 1))
      elseif input.node then
        free[#free + 1] = { node = input.node, speed = speed }
      end
    end
  end
  visit(group, 1, 1)
  return members, free
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
    if member.node.loop ~= true or member.speed < 0 then return nil end
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

-- Functions for place -> unrolled time of member i, and back. A member that plays backwards shows its clip from the end.
local function mapOf(members, marks, loop)
  if not marks then
    local function from(i) return loop == false and members[i].speed < 0 and members[i].node.length or 0 end
    local function length(i) return members[i].node.length * (members[i].speed < 0 and -1 or 1) end
    return function(i, p) return from(i) + p * length(i) end, function(i, u) return (u - from(i)) / length(i) end
  end
  local function toTime(i, p)
    local k = math.floor(p)
    local a, b = marks[i](k), marks[i](k + 1)
    return a + (b - a) * (p - k)
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

-- Moves the group by dt seconds of its own clock. Calls back for each member: moved(node, step, offsetOf, speaks).
function sync.advance(group, members, dt, scaleOf, moved)
  if #members == 0 then return end
  local way = dt < 0 and -1 or 1
  group.leader = leaderOf(members, group.leader).node
  local marks, loop = markersOf(members), loopOf(members)
  local toTime, toPlace = mapOf(members, marks, loop)
  local closed = group.place == nil
  if closed then group.place = loop == false and way < 0 and 1 or 0 end
  if closed and marks then
    for i, member in ipairs(members) do if member.node == group.leader then group.place = toPlace(i, 0) end end
  end
  local scale = scaleOf(members, rateAt(members, nil, group.place, way))
  local pieces, to = travel(members, marks, group.place, dt, scale, loop, way)
  for i, member in ipairs(members) do
    local node = member.node
    local from, goal = toTime(i, group.place), toTime(i, to)
    if closed and marks and node == group.leader then from = 0 end -- there and back is not exact
    -- A clip that plays once follows its group also where that loops.
    local its = node.loop == false and loop or node.loop
    local step = timeline.step(from, node.length, its, goal - from, closed)
    step.to = goal
    moved(node, step, function(u) return offsetOf(pieces, toPlace(i, u)) end,
      function(name)
        if node.followers or node == group.leader then return true end
        return name and speakerOf(members, group.leader, name) == node
      end)
  end
  group.place = to
end

return sync
