std = "max" -- Lua 5.1 to 5.4 and LuaJIT together: what one of them lacks is asked for at run time
max_line_length = 120
codes = true
cache = false
exclude_files = { "lua/anim/types.lua", "lua/anim/graph/types.lua",
  "lua/anim/graph/machine_types.lua", "lua/anim/graph/player_types.lua",
  "lua/anim/graph/solver_types.lua", "lua/anim/graph/crowd_types.lua",
  "lua/anim/loading_types.lua" } -- annotations for editors, never run

files["spec"].std = "max+busted"
files["lua/anim/love.lua"].std = "max+love"
files["examples/love"].std = "max+love"
