-- Runs specs where busted itself cannot be had, since the C modules that it needs are not there: on Windows, on other
-- processors, under Node. One file a run; the output is TAP. Needs luassert and say, which are Lua.
--   lua plain_busted.lua SPEC [PATH]     PATH: where Lua files are, too
if arg[2] then package.path = package.path .. ";" .. arg[2] end
local assert = require("luassert")

local PENDING = {} -- raised by pending() inside a test
local root = { name = nil, children = {} }
local current, running = root, false
local globals = {}

local function add(item)
  item.parent = current
  current.children[#current.children + 1] = item
end

function globals.describe(name, body)
  local block = { name = name, children = {} }
  add(block)
  current = block
  body()
  current = block.parent
end

function globals.it(name, body) add({ name = name, body = body }) end

function globals.pending(name)
  if running then error(setmetatable({ reason = name }, PENDING), 0) end
  add({ name = name, skipped = true })
end

-- setup and teardown: once a block; the others: around each test in it.
for _, kind in ipairs({ "setup", "teardown", "before_each", "after_each" }) do
  globals[kind] = function(body)
    current[kind] = current[kind] or {}
    table.insert(current[kind], body)
  end
end

local count, failures = 0, 0

local function title(item)
  local words = {}
  while item.name do
    table.insert(words, 1, item.name)
    item = item.parent
  end
  return (table.concat(words, " "):gsub("[#\n]", " "))
end

local function report(item, ok, problem)
  count = count + 1
  if item.skipped or (not ok and getmetatable(problem) == PENDING) then
    print(("ok %d - %s # SKIP"):format(count, title(item)))
  elseif ok then
    print(("ok %d - %s"):format(count, title(item)))
  else
    failures = failures + 1
    print(("not ok %d - %s"):format(count, title(item)))
    print("# " .. tostring(problem):gsub("\n", "\n# "))
  end
  io.stdout:flush()
end

local function describe_error(problem)
  if type(problem) == "table" and getmetatable(problem) == PENDING then return problem end
  if type(problem) == "table" and problem.message then problem = problem.message end -- luassert's
  return debug.traceback(tostring(problem), 2)
end

local function each(block, kind, call)
  if not block then return end
  if kind == "before_each" then each(block.parent, kind, call) end
  for _, body in ipairs(block[kind] or {}) do call(body) end
  if kind == "after_each" then each(block.parent, kind, call) end
end

local function run_test(item)
  running = true
  local function attempt(body) return xpcall(body, describe_error) end
  local ok, problem = attempt(function()
    each(item.parent, "before_each", function(body) body() end)
    item.body()
  end)
  each(item.parent, "after_each", function(body)
    local done, why = attempt(body)
    if ok and not done then ok, problem = done, why end
  end)
  running = false
  report(item, ok, problem)
end

local function run(block)
  for _, body in ipairs(block.setup or {}) do body() end
  for _, item in ipairs(block.children) do
    if item.children then
      run(item)
    elseif item.skipped then
      report(item)
    else
      run_test(item)
    end
  end
  for _, body in ipairs(block.teardown or {}) do body() end
end

for name, value in pairs(globals) do _G[name] = value end
_G.assert = assert
local path = arg[1] or error("usage: lua plain_busted.lua SPEC [PATH]")
local ok, problem = xpcall(function()
  dofile(path)
  run(root)
end, describe_error)
if not ok then
  report({ name = path, parent = {} }, false, problem)
end
print("1.." .. count)
os.exit(failures == 0 and 0 or 1, true)
