-- Every example runs and prints something.
local gc = require("spec.support.gc")

local examples = { "play", "blend1d", "strafe", "layers", "events", "script_node", "root_motion", "save_restore", "ik" }

-- The person is built once for each way of building it, since that takes longer than all the rest.
local built = {}

local function dofileOnce(path)
  local result = dofile(path)
  if not path:match("hero%.lua$") then return result end
  local hero = setmetatable({}, { __index = result })
  function hero.build(options)
    local key = options and options.travel or false
    built[key] = built[key] or gc.rest(result.build, options)
    return built[key]
  end
  return hero
end

-- What a script prints, run in this state with its own globals.
local function outputOf(path)
  local lines = {}
  local env = setmetatable({ arg = { [0] = "spec" }, dofile = dofileOnce, print = function(...)
    local words = { ... }
    for i = 1, select("#", ...) do words[i] = tostring(words[i]) end
    lines[#lines + 1] = table.concat(words, "\t")
  end }, { __index = _G })
  local chunk
  if setfenv then -- luacheck: ignore 113 143
    chunk = assert(loadfile(path))
    setfenv(chunk, env) -- luacheck: ignore 113
  else
    chunk = assert(loadfile(path, "t", env))
  end
  chunk()
  return table.concat(lines, "\n")
end

describe("the example", function()
  for _, name in ipairs(examples) do
    it(name .. " runs, and in at most 60 lines", function()
      local path = "examples/" .. name .. ".lua"
      local count = 0
      for _ in io.lines(path) do count = count + 1 end
      assert.is_true(count <= 60)
      local text = outputOf(path)
      assert.is_true(#text > 100, text)
      assert.is_nil(text:find("nan") or text:find("NOT"))
    end)
  end
end)
