-- Plays the scene: sixty updates a second, recorded, with a line for each change and the footsteps as they come.
local course = require("demo.course")
local scene = require("demo.scene")

local rate, widest = 60, 100
local atan2 = math.atan2 or math.atan -- luacheck: ignore 143

-- Footsteps go on in the line that is open.
local function newPrinter()
  local column, out = 0, {}
  function out.line(time, text)
    if column > 0 then print() end
    column = 0
    print(("%7.2f s  %s"):format(time, text))
  end
  function out.word(text)
    if column + #text > widest then
      print()
      column = 0
    end
    if column == 0 then
      io.write((" "):rep(11))
      column = 11
    end
    io.write(" ", text)
    column = column + #text + 1
  end
  return out
end

-- Weights of solvers go straight to 0, which costs nothing, rather than nearer and nearer.
local function weigh(graph, goals)
  for name, goal in pairs(goals) do
    local step = 1 / rate / scene.rising
    goal.part = goal.part + math.max(-step, math.min(step, goal.to - goal.part))
    graph:set(name, goal.part ^ 2 * (3 - 2 * goal.part))
  end
end

local function apply(graph, change, goals)
  for name, value in pairs(change) do
    if name == "warp" then
      graph:warp(value)
    elseif goals[name] then
      goals[name].to = value
    elseif type(name) == "string" then
      if name == "waving" and value == 1 then graph:find("wave"):reset() end
      graph:set(name, value)
    end
  end
end

-- Adds the root motion of an advance to the way so far; steps that are `stride` times as long lead so far only.
local function move(way, stride, dx, _, dz, _, qy, _, qw)
  local s, c = stride * math.sin(way.heading), stride * math.cos(way.heading)
  way.x, way.z = way.x + c * dx + s * dz, way.z - s * dx + c * dz
  way.heading = way.heading + 2 * atan2(qy, qw)
  way.length = way.length + stride * math.sqrt(dx * dx + dz * dz)
end

-- After time moved and before the pose is made: where he stands, what he looks at, where the rail is beside him.
local function place(graph, way, time)
  way.y = course.level(way.x, way.z)
  graph:setTransform(way.x, way.y, way.z, 0, math.sin(way.heading / 2), 0, math.cos(way.heading / 2))
  graph:find("look"):setTarget(scene.firefly(time, way.x, way.y))
  graph:find("hold"):setTarget(course.railAt(way.x + .25))
end

local function tell(graph, out, now, state)
  for name, data, _, _, _, weight in graph:events() do
    if name == "footstep" and weight > .2 then out.word(("%s %.2f"):format(data, now)) end
    if name == "enter" and data ~= state then
      out.line(now, ("%s -> %s"):format(state, data))
      state = data
    end
  end
  return state
end

--- The recording of it.
return function(anim, model)
  local graph, out = scene.newGraph(anim, model), newPrinter()
  local way, time, next, state = { x = 0, z = 0, heading = 0, length = 0 }, 0, 1, "move"
  local goals = {}
  for _, name in ipairs(scene.weights) do goals[name] = { part = 0, to = 0 } end
  local recording = anim.record(graph)
  out.line(0, "stands")
  for update = 1, scene.seconds * rate do
    local change = scene.script[next]
    if change and change[1] <= time then
      out.line(time, change[2])
      apply(graph, change, goals)
      next = next + 1
    end
    weigh(graph, goals)
    time = update / rate
    graph:advance(1 / rate)
    move(way, graph:get("stride"), graph:getRootMotion())
    place(graph, way, time)
    graph:evaluate()
    state = tell(graph, out, time, state)
  end
  recording:stop()
  out.line(time, ("%.1f m gone, now at %.1f m to the left and %.1f m ahead, turned by %.0f degrees"):format(way.length,
    way.x, way.z, math.deg(way.heading)))
  return recording
end
