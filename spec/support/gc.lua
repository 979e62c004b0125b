-- Loaded by busted before the specs (.busted). With ANIM_GC_STRESS=1 the collector never rests, so that
-- whatever C code holds without anchoring it is gone by the next allocation.
if os.getenv("ANIM_GC_STRESS") == "1" then
  collectgarbage("setpause", 0)
  collectgarbage("setstepmul", 1000) -- the largest that every Lua takes
end
