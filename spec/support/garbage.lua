-- What `steps` calls of step(i) leave behind once they are warm: bytes of Lua, allocations of the core.
local core = require("anim.core")
local interpreted = require("spec.support.interpreted")

return function(step, steps)
  return interpreted(function()
    for i = 1, 500 do step(i) end
    collectgarbage()
    collectgarbage()
    collectgarbage("stop")
    for i = 1, 100 do step(i) end -- what a collection shrank (stacks, the table of strings) has grown again
    local _, _, before = core.memory()
    local kilobytes = collectgarbage("count")
    for i = 1, steps do step(i) end
    kilobytes = collectgarbage("count") - kilobytes
    local _, _, after = core.memory()
    collectgarbage("restart")
    return kilobytes * 1024, after - before
  end)
end
