-- Loaded by busted before the specs (.busted). With ANIM_GC_STRESS=1 the collector never rests: what C code holds
-- without anchoring it is gone a few hundred allocations later.
if os.getenv("ANIM_GC_STRESS") == "1" then
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", 1, 200, 1) -- a pause of 0 would mean "as it was" here
  else
    collectgarbage("setpause", 0)
    collectgarbage("setstepmul", 1000)
  end
end
