--- Mistakes in descriptions and arguments: found deep inside, told with their path at the call the user made.
local core = require("anim.core").graph

local fault = {}

local Fault = {} -- metatable of what is thrown until `fault.rethrow` makes a message of it

function fault.new(path, message) return setmetatable({ path = path, message = message }, Fault) end

function fault.raise(path, message, ...)
  if select("#", ...) > 0 then message = message:format(...) end
  error(fault.new(path, message), 0)
end

--- path.key, path["some key"], path[3]
function fault.join(path, key)
  if type(key) == "number" then return ("%s[%d]"):format(path, key) end
  if not key:match("^[%a_][%w_]*$") then return ("%s[%q]"):format(path, key) end
  return path == "" and key or path .. "." .. key
end

local function describe(value)
  if type(value) == "number" then return value ~= value and "nan" or ("%.14g"):format(value) end
  if type(value) == "string" then return ("string '%s'"):format(#value > 40 and value:sub(1, 40) .. "..." or value) end
  if type(value) == "boolean" then return tostring(value) end
  local kind = core.kindOf(value)
  return kind and "anim." .. kind or value == nil and "no value" or type(value)
end
fault.describe = describe

function fault.expected(path, what, value) fault.raise(path, "%s expected, got %s", what, describe(value)) end

--- Raises what a protected call of `name` gave: a Fault about argument number `argument`, or anything else as it is.
function fault.rethrow(result, name, argument, level)
  if getmetatable(result) ~= Fault then error(result, 0) end
  local where = result.path == "" and "" or result.path .. ": "
  error(("bad argument #%d to '%s' (%s%s)"):format(argument, name, where, result.message), level + 1)
end

--- Calls a function that reads a table itself; its complaint about the argument is told with the path where it stands.
function fault.within(path, read, ...)
  local done, result = pcall(read, ...)
  if done then return result end
  local where = tostring(result):match("%((.*)%)$") or tostring(result)
  local key, message = where:match("^([%a_%[][%w_%.%[%]\"]*): (.*)$")
  if not key then fault.raise(path, "%s", where) end
  fault.raise((path == "" or key:sub(1, 1) == "[") and path .. key or path .. "." .. key, "%s", message)
end

-- Values ----------------------------------------------------------------------------------------------

local largest = 3.4028234663852886e38 -- of single precision

function fault.number(value, path)
  if type(value) ~= "number" or value ~= value or value > largest or value < -largest then
    fault.expected(path, "finite number", value)
  end
  return value
end

function fault.atLeast0(value, path)
  if fault.number(value, path) < 0 then fault.expected(path, "number of 0 or more", value) end
  return value
end

function fault.boolean(value, path)
  if type(value) ~= "boolean" then fault.expected(path, "true or false", value) end
  return value
end

--- A function, or something that can be called as one is no function: user values run by C are functions.
function fault.callable(value, path)
  if type(value) ~= "function" then fault.expected(path, "function", value) end
  return value
end

function fault.table(value, path)
  if type(value) ~= "table" then fault.expected(path, "table", value) end
  return value
end

function fault.name(value, path)
  if type(value) ~= "string" then fault.expected(path, "name", value) end
  if value == "" or #value > 1024 or value:find("\0", 1, true) then
    fault.raise(path, "name of 1 to 1024 bytes without zeros expected")
  end
  return value
end

function fault.object(value, kind, path)
  if core.kindOf(value) ~= kind then fault.expected(path, "anim." .. kind, value) end
  return value
end

function fault.choice(value, choices, path)
  for _, choice in ipairs(choices) do
    if choice == value then return value end
  end
  fault.expected(path, '"' .. table.concat(choices, '", "') .. '"', value)
end

function fault.loop(value, path)
  if type(value) ~= "boolean" and value ~= "pingpong" then fault.expected(path, 'true, false or "pingpong"', value) end
  return value
end

-- Tables ----------------------------------------------------------------------------------------------

local length = rawlen or function(list) return #list end -- luacheck: ignore 143
fault.length = length

local function keysOf(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  return list
end

--- All keys must be in the set `keys`, or 1 to `items`.
function fault.record(record, keys, items, path)
  fault.table(record, path)
  for key in next, record do
    local isItem = type(key) == "number" and key >= 1 and key <= items and key % 1 == 0
    if not isItem and not (type(key) == "string" and keys[key]) then
      if type(key) ~= "string" then fault.expected(path, "name as key", key) end
      fault.raise(path, "unknown key '%s'%s", key, core.didYouMean(key, keysOf(keys)))
    end
  end
  return record
end

--- Number of items of a list without gaps and other keys.
function fault.list(list, path)
  local count = length(fault.table(list, path))
  fault.record(list, {}, count, path)
  for i = 1, count do
    if rawget(list, i) == nil then fault.raise(path, "list without gaps expected") end
  end
  return count
end

--- Keys of a table in byte order; all must be names.
function fault.names(map, path)
  for key in next, fault.table(map, path) do fault.name(key, path) end
  return core.names(map)
end

return fault
