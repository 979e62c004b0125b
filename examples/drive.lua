-- Plays a script of inputs on a graph, sixty updates a second, and keeps what happened: what a game does, without one.
--   drive(graph, script, seconds) -> { { time =, name =, data =, node =, edge = }, ... }
-- script: { { at = 0.5, set = "speed", to = 1.4 }, { at = 2, fire = "jump" }, ... }, in order of time.
return function(graph, script, seconds)
  local log, time = {}, 0
  local subscription = graph:on("*", function(name, data, node, _, _, _, edge)
    log[#log + 1] = { time = time, name = name, data = data, node = node:getName(), edge = edge }
  end)
  local next = 1
  for frame = 0, math.floor(seconds * 60 + .5) - 1 do
    while script[next] and script[next].at <= frame / 60 + 1e-9 do
      local input = script[next]
      if input.fire then graph:fire(input.fire) else graph:set(input.set, input.to) end
      next = next + 1
    end
    time = (frame + 1) / 60
    graph:update(1 / 60)
  end
  subscription:cancel()
  return log
end
