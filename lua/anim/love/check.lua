--- Arguments of anim.love: checked before anything is kept, and told at the line of the game that gave them. Needs no
--- LÖVE.
local core = require("anim.core").graph
local fault = require("anim.graph.fault")

local check = {}

-- Where ------------------------------------------------------------------------------------------------

local home = debug.getinfo(1, "S").source:match("^(.*[/\\])love[/\\]check%.lua$") -- the directory of anim

-- The innermost line that is not of anim, as error() puts it before a message.
local function where()
  local level = 3
  local info = debug.getinfo(level, "Sl")
  while info do
    local isOurs = info.currentline < 0 or home and info.source:sub(1, #home) == home
    if not isOurs then return ("%s:%d: "):format(info.short_src, info.currentline) end
    level = level + 1
    info = debug.getinfo(level, "Sl")
  end
  return ""
end

--- Raises a message, told at the line of the game.
function check.fail(message, ...)
  if select("#", ...) > 0 then message = message:format(...) end
  error(where() .. message, 0)
end

-- What a protected call about an argument of `name` raised; what is no fault of arguments goes on as it is.
local function retell(result, name, argument)
  local _, message = pcall(fault.rethrow, result, name, argument, -1)
  error(message == result and result or where() .. message, 0)
end

-- Kinds: functions of a value and its path that raise faults, and give the value -------------------------

local largest = 3.4028234663852886e38 -- of single precision, as fault.number has it

--- Whether fault.number takes it; where paths would be made in vain.
function check.isNumber(value) return type(value) == "number" and value >= -largest and value <= largest end

function check.any(value) return value end

function check.text(value, path)
  if type(value) ~= "string" then fault.expected(path, "string", value) end
  return value
end

function check.above0(value, path)
  if fault.number(value, path) <= 0 then fault.expected(path, "number above 0", value) end
  return value
end

function check.optional(kind)
  return function(value, path)
    if value ~= nil then return kind(value, path) end
  end
end

function check.whole(least, most)
  local what = ("whole number from %d to %d"):format(least, most)
  return function(value, path)
    if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
      fault.expected(path, what, value)
    end
    return value
  end
end

--- A list of `least` to `most` numbers.
function check.numbers(least, most)
  local what = least == most and ("%d numbers"):format(least) or ("%d to %d numbers"):format(least, most)
  return function(value, path)
    if type(value) ~= "table" then fault.expected(path, what, value) end
    local count = fault.length(value)
    if count < least or count > most then fault.raise(path, "%s expected, got %d", what, count) end
    for i = 1, count do
      if not check.isNumber(value[i]) then fault.number(value[i], fault.join(path, i)) end
    end
    return value
  end
end

--- What has a `__name`, such as "anim.love.Camera".
function check.object(name)
  return function(value, path)
    if type(value) ~= "table" or value.__name ~= name then fault.expected(path, name, value) end
    return value
  end
end

--- An end for a message about a name that is not there: the one that was meant, or all that there are.
function check.hint(name, names)
  table.sort(names)
  local near = type(name) == "string" and core.didYouMean(name, names) or ""
  if near ~= "" then return near end
  local shown = table.concat(names, "', '", 1, math.min(#names, 20))
  if #names == 0 then return "; there are none" end
  return ("; there are '%s'%s"):format(shown, #names > 20 and (" and %d more"):format(#names - 20) or "")
end

-- Graphs -----------------------------------------------------------------------------------------------

--- Whether a graph can still be used. Makes no garbage.
function check.isAlive(graph) return (pcall(core.isUpdating, graph)) end

--- A graph that was not released.
function check.graph(graph, path)
  fault.object(graph, "Graph", path)
  if not check.isAlive(graph) then fault.raise(path, "anim.Graph expected, got one that was released") end
  return graph
end

local function isSame(a, b)
  if a == b then return true end
  if #a ~= #b then return false end
  for i = 1, #a do
    if a:getName(i) ~= b:getName(i) or a:getParent(i) ~= b:getParent(i) then return false end
  end
  return true
end

--- A graph whose skeleton has the joints of `skeleton`; `what` it has to fit.
function check.fits(graph, path, skeleton, what)
  if not isSame(check.graph(graph, path):getSkeleton(), skeleton) then
    fault.raise(path, "a graph of this %s expected, got one of another skeleton", what)
  end
  return graph
end

-- Checking ---------------------------------------------------------------------------------------------

--- One argument; gives what its kind gives.
function check.argument(name, argument, kind, value, path, ...)
  local done, result = pcall(kind, value, path or "", ...)
  if not done then retell(result, name, argument) end
  return result
end

local function readOptions(options, kinds)
  local out, known = {}, {}
  for key in pairs(kinds) do known[#known + 1] = key end
  for _, key in ipairs(fault.names(options, "")) do
    if not kinds[key] then fault.raise("", "unknown key '%s'%s", key, check.hint(key, known)) end
    out[key] = kinds[key](rawget(options, key), key)
  end
  return out
end

--- A table of options: a copy, each value of its kind. nil: none.
function check.options(name, argument, options, kinds)
  if options == nil then return {} end
  return check.argument(name, argument, readOptions, options, kinds)
end

--- Fields that the game may set, read by `read(self)`, whose faults have the fields' names as paths.
function check.fields(self, read)
  local done, why = pcall(read, self)
  if done then return end
  if type(why) ~= "table" then error(why, 0) end
  check.fail("the field '%s': %s", why.path, why.message)
end

local function badSelf(class, name)
  check.fail("bad self: call %s:%s(...)", class.__name:match("(%a+)%w*$"):lower(), name)
end

--- Has methods of `class` check whom they are called on, and their first arguments by their kinds.
function check.methods(class, signatures)
  for name, kinds in pairs(signatures) do
    local method, count = class[name], #kinds
    class[name] = function(self, ...)
      if type(self) ~= "table" or self.__name ~= class.__name then badSelf(class, name) end
      for i = 1, count do
        local done, result = pcall(kinds[i], (select(i, ...)), "")
        if not done then retell(result, name, i) end
      end
      return method(self, ...)
    end
  end
end

-- Calls of anim ----------------------------------------------------------------------------------------

local complaint = "^bad argument #(%d+) to '[%w_]+' %((.*)%)$"

-- What a call of anim said, raised again at the line of the game; `translate` makes the message ours. Errors of the
-- game's own functions, which have their line, go on as they are.
local function raise(message, translate, ...)
  if type(message) ~= "string" then error(message, 0) end
  message = message:gsub("^[^\n]-anim[/\\]love[/\\][%w_/\\]+%.lua:%d+: ", "")
  if message:match("^[^\n]-:%d+: ") then error(message, 0) end
  local number, why = message:match(complaint)
  error(where() .. (number and translate(message, tonumber(number), why, ...) or message), 0)
end

--- Raises again what a protected call raised: at the line of the game if anim said it.
function check.rethrow(message) raise(message, function(same) return same end) end

-- "bad argument #2 to 'newGraph' (root: ...)" as "bad argument #1 to 'newCharacter' (graph.root: ...)".
local function asArgument(message, number, why, name, argument, paths)
  local path = paths[number]
  if not path then return message end
  if path ~= "" then
    local isInside = why:match("^[%a_%[][%w_%.%[%]\"]*: ")
    why = path .. (isInside and (why:sub(1, 1) == "[" and "" or ".") or ": ") .. why
  end
  return ("bad argument #%d to '%s' (%s)"):format(argument, name, why)
end

local function passCall(name, argument, paths, ran, ...)
  if ran then return ... end
  raise((...), asArgument, name, argument, paths)
end

--- Calls a function of anim. What it says about its argument number n is said about paths[n], "" for all of it, in
--- argument number `argument` of `name`.
function check.through(name, argument, paths, call, ...)
  return passCall(name, argument, paths, pcall(call, ...))
end

-- Functions of C that are called without a name count themselves.
local function asMethod(_, number, why, name, call)
  if debug.getinfo(call, "S").what == "C" then number = number - 1 end
  return ("bad argument #%d to '%s' (%s)"):format(number, name, why)
end

local function passMethod(name, call, ran, ...)
  if ran then return ... end
  raise((...), asMethod, name, call)
end

--- Calls a method of an object of anim for one of the same name and arguments.
function check.method(object, name, ...)
  local call = object[name]
  return passMethod(name, call, pcall(call, object, ...))
end

return check
