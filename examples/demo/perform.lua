-- Plays the scene: sixty updates a second, recorded, with a line for each change and the footsteps as they come.
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

local function apply(graph, change)
  for name, value in pairs(change) do
    if type(name) == "string" then
      if name == "waving" and value == 1 then graph:find("wave"):reset() end
      graph:set(name, value)
    end
  end
end

-- Adds the root motion of an update to the way so far.
local function move(way, dx, _, dz, _, qy, _, qw)
  local s, c = math.sin(way.heading), math.cos(way.heading)
  way.x, way.z = way.x + c * dx + s * dz, way.z - s * dx + c * dz
  way.heading = way.heading + 2 * atan2(qy, qw)
  way.length = way.length + math.sqrt(dx * dx + dz * dz)
end

local function listen(graph, out, now)
  local state = "move"
  graph:on("footstep", function(_, foot, _, _, _, weight)
    if weight > .2 then out.word(("%s %.2f"):format(foot, now())) end
  end)
  graph:on("enter", function(_, entered)
    if entered ~= state then out.line(now(), ("%s -> %s"):format(state, entered)) end
    state = entered
  end)
end

--- The recording of it.
return function(anim, model)
  local graph, out = scene.newGraph(anim, model), newPrinter()
  local way, time, next = { x = 0, z = 0, heading = 0, length = 0 }, 0, 1
  local recording = anim.record(graph)
  listen(graph, out, function() return time end)
  out.line(0, "stands")
  for update = 1, scene.seconds * rate do
    local change = scene.script[next]
    if change and change[1] <= time then
      out.line(time, change[2])
      apply(graph, change)
      next = next + 1
    end
    time = update / rate
    graph:update(1 / rate)
    move(way, graph:getRootMotion())
  end
  recording:stop()
  out.line(time, ("%.1f m gone, now at %.1f m to the left and %.1f m ahead, turned by %.0f degrees"):format(way.length,
    way.x, way.z, math.deg(way.heading)))
  return recording
end
