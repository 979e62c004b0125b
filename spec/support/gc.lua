-- Loaded by busted before the specs (.busted). With ANIM_GC_STRESS=1 the collector never rests: what C code holds
-- without anchoring it is gone a few hundred allocations later.
local gc = {}

local function stress()
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", 1, 200, 1) -- a pause of 0 would mean "as it was" here
  else
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 1000)
  end
end

local isStressed = os.getenv("ANIM_GC_STRESS") == "1"
if isStressed then stress() end

-- Calls `body` with a collector that does rest: for much arithmetic in Lua before a spec begins.
function gc.rest(body, ...)
  if not isStressed then return body(...) end
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", 200, 100, 13)
  else
    collectgarbage("setpause", 200)
    collectgarbage("setstepmul", 200)
  end
  local result = body(...)
  stress()
  return result
end

return gc
