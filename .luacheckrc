std = "max" -- Lua 5.1 to 5.4 and LuaJIT together: what one of them lacks is asked for at run time
max_line_length = 120
codes = true
cache = false
exclude_files = { "lua/anim/**/*types.lua" } -- annotations for editors, never run

files["spec"].std = "max+busted"
files["spec/love"].std = "max+love"
files["lua/anim/love"].std = "max+love"
files["examples/love"].std = "max+love"
files["docs/reference"].ignore = { "41.", "42.", "43." } -- each example stands for itself
files["docs/reference/love*.lua"].std = "max+love"
files["docs/reference/love*.lua"].read_globals = { "model" }
