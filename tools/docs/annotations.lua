--- Reads LuaCATS annotation files: what classes, functions and aliases they declare, with all that is said about them.
---
---   local api = annotations.read({ "lua/anim/types.lua", ... })
---   api.classes["anim.Clip"]    { name, parent, doc, fields, methods, operators }, and in order: api.classes[1]
---   api.functions               those of the module: { name, doc, params, returns, overloads, path, line }
---   api.aliases                 { name, type, doc }
---   api.faults                  what is not annotated as it should be, as text
local annotations = {}

-- Types -----------------------------------------------------------------------------------------------

local closing = { ["{"] = "}", ["("] = ")", ["<"] = ">", ["["] = "]" }

-- The place behind the bracket that closes the one at `at`.
local function behindBracket(text, at)
  local stack = { closing[text:sub(at, at)] }
  while #stack > 0 do
    at = at + 1
    local c = text:sub(at, at)
    if c == "" then return #text + 1 end
    if c == '"' then at = text:find('"', at + 1, true) or #text
    elseif closing[c] then stack[#stack + 1] = closing[c]
    elseif c == stack[#stack] then stack[#stack] = nil end
  end
  return at + 1
end

local behindType

-- What a function type gives: types, or names and types.
local function behindResults(text, at)
  repeat
    local named = text:match("^%s*[%a_][%w_]*%s*:%s*()", at)
    at = behindType(text, named or text:match("^%s*()", at))
    local more = text:match("^%s*,%s*()", at)
    at = more or at
  until not more
  return at
end

local function behindPart(text, at)
  local c = text:sub(at, at)
  if c == '"' then
    at = (text:find('"', at + 1, true) or #text) + 1
  elseif closing[c] then
    at = behindBracket(text, at)
  else
    local name, after = text:match("^([%w_%.]+)()", at)
    if not name then return at end
    at = after
    if name == "fun" and text:sub(at, at) == "(" then
      at = behindBracket(text, at)
      local results = text:match("^%s*:%s*()", at)
      if results then return behindResults(text, results) end
    end
  end
  while true do
    local c2 = text:sub(at, at)
    if c2 == "?" then at = at + 1
    elseif c2 == "[" or c2 == "<" then at = behindBracket(text, at)
    else return at end
  end
end

--- The place behind the type that begins at `at`.
function behindType(text, at)
  at = behindPart(text, at)
  while true do
    local more = text:match("^%s*|%s*()", at)
    if not more then return at end
    at = behindPart(text, more)
  end
end

-- "type the rest" -> type, rest
local function splitType(text)
  local behind = behindType(text, 1)
  return text:sub(1, behind - 1), (text:sub(behind):gsub("^%s+", ""))
end

-- Lines -----------------------------------------------------------------------------------------------

local function readReturns(text, into)
  while text ~= "" do
    local kind, rest = splitType(text)
    if kind == "" then break end
    local name, after = rest:match("^([%a_][%w_]*)(.*)$")
    if not name then name, after = rest:match("^(%.%.%.)(.*)$") end
    local result = { type = kind, name = name }
    into[#into + 1] = result
    rest = after or rest
    local more = rest:match("^%s*,%s*(.*)$")
    if not more then
      result.doc = rest:gsub("^%s+", "")
      break
    end
    text = more
  end
end

local readers = {}

function readers.param(block, text)
  local name, optional, rest = text:match("^([%w_%.]+)(%??)%s+(.*)$")
  local kind, doc = splitType(rest or "")
  block.params[#block.params + 1] = { name = name or text, optional = optional == "?", type = kind, doc = doc }
end

readers["return"] = function(block, text) readReturns(text, block.returns) end

function readers.overload(block, text) block.overloads[#block.overloads + 1] = text end

function readers.field(block, text)
  local name, optional, rest = text:match("^([%w_%.]+)(%??)%s+(.*)$")
  local kind, doc = splitType(rest or "")
  block.fields[#block.fields + 1] = { name = name or text, optional = optional == "?", type = kind, doc = doc }
end

function readers.class(block, text)
  local name, parent, doc = text:match("^([%w_%.]+)%s*:%s*([%w_%.]+)%s*(.*)$")
  if not name then name, doc = text:match("^([%w_%.]+)%s*(.*)$") end
  block.class, block.parent, block.classDoc = name, parent, doc
end

function readers.operator(block, text) block.operators[#block.operators + 1] = text:match("^%w+") end

function readers.alias(block, text)
  local name, rest = text:match("^([%w_%.]+)%s+(.*)$")
  local kind, doc = splitType(rest)
  block.alias = { name = name, type = kind, doc = doc }
end

local function newBlock()
  return { doc = {}, params = {}, returns = {}, overloads = {}, fields = {}, operators = {} }
end

-- Files -----------------------------------------------------------------------------------------------

local function join(block)
  local text = table.concat(block.doc, "\n")
  if block.alias then return block.alias.doc end
  local first = block.classDoc or ""
  return first .. (first ~= "" and text ~= "" and "\n" or "") .. text
end

local function closeBlock(state, block)
  if block.alias then
    block.alias.doc = join(block)
    local aliases = state.api.aliases
    aliases[#aliases + 1], aliases[block.alias.name] = block.alias, block.alias
  end
  if not block.class then return nil end
  local classes = state.api.classes
  local class = classes[block.class]
  if not class then
    class = { name = block.class, doc = "", fields = {}, methods = {}, operators = {}, path = state.path }
    classes[#classes + 1], classes[block.class] = class, class
  end
  class.parent = block.parent or class.parent
  local doc = join(block)
  if doc ~= "" then class.doc = doc end
  for _, field in ipairs(block.fields) do
    class.fields[#class.fields + 1], class.fields[field.name] = field, field
  end
  for _, operator in ipairs(block.operators) do class.operators[operator] = true end
  return class
end

local function addFunction(state, block, owner, separator, name, list)
  local class = state.locals[owner]
  if class and separator == "." then class.isModule = true end
  local fn = { name = name, owner = owner, doc = join(block), params = block.params, returns = block.returns,
    overloads = block.overloads, signature = {}, path = state.path, line = state.line, class = class and class.name }
  for parameter in list:gmatch("[%w_%.]+") do fn.signature[#fn.signature + 1] = parameter end
  local into = class and class.methods or state.api.functions
  if not class and owner ~= state.module then
    state.fault(("'%s' is no class"):format(owner))
    return
  end
  if into[name] then state.fault(("'%s' stands twice"):format(name)) end
  into[#into + 1], into[name] = fn, fn
end

local function readFile(api, path)
  local state = { api = api, path = path, line = 0, locals = {}, module = "anim" }
  function state.fault(text) api.faults[#api.faults + 1] = ("%s:%d: %s"):format(path, state.line, text) end
  local block = newBlock()
  for line in io.lines(path) do
    line = line:gsub("\r$", "")
    state.line = state.line + 1
    local tag, text = line:match("^%-%-%-%s?@(%w+)%s*(.*)$")
    local doc = not tag and line:match("^%-%-%-%s?(.*)$")
    if tag then
      if block.alias or (tag == "class" and block.class) then -- one right behind the other
        closeBlock(state, block)
        block = newBlock()
      end
      if readers[tag] then readers[tag](block, text)
      elseif tag ~= "meta" then state.fault("unknown tag @" .. tag) end
      if tag == "meta" then block.meta = true end
    elseif doc then
      block.doc[#block.doc + 1] = doc
    else
      local class = closeBlock(state, block)
      local variable = line:match("^local ([%a_][%w_]*) = {}")
      if class and variable then state.locals[variable] = class end
      local owner, separator, name, list = line:match("^function ([%a_][%w_]*)([%.:])([%a_][%w_]*)%((.-)%) end")
      if owner then addFunction(state, block, owner, separator, name, list) end
      local field = line:match("^anim%.([%a_][%w_]*) = ")
      if field then api.values[#api.values + 1], api.values[field] = field, { name = field, doc = join(block) } end
      if line:match("^function") and not owner then state.fault("not understood: " .. line) end
      if block.meta then api.head[path] = join(block) end
      block = newBlock()
    end
  end
  closeBlock(state, block)
end

-- What an editor shows of a function: a sentence, each parameter as in the signature.
local function check(api, fn, full)
  local function fault(text) api.faults[#api.faults + 1] = ("%s:%d: %s: %s"):format(fn.path, fn.line, full, text) end
  if fn.doc == "" then fault("no sentence says what it does") end
  for i = 1, math.max(#fn.signature, #fn.params) do
    local there, told = fn.signature[i], fn.params[i]
    if not told then fault(("@param %s is missing"):format(there))
    elseif told.name ~= there then fault(("@param %s where the signature has %s"):format(told.name, tostring(there)))
    elseif told.type == "" then fault(("@param %s has no type"):format(there)) end
  end
  for _, field in ipairs(fn.returns) do
    if field.type == "" then fault("@return without a type") end
  end
end

--- The name of a method as people say it: "Graph:update", "love.Rig2D:describe"; of a module in a module:
--- "love.rig2d.newRig".
function annotations.fullName(class, fn)
  return class.name:gsub("^anim%.", "") .. (class.isModule and "." or ":") .. fn.name
end

--- Every function, in order: calls visit(fn, name), the name "anim.name" or as above.
function annotations.each(api, visit)
  for _, fn in ipairs(api.functions) do visit(fn, "anim." .. fn.name) end
  for _, class in ipairs(api.classes) do
    for _, fn in ipairs(class.methods) do visit(fn, annotations.fullName(class, fn)) end
  end
end

function annotations.read(paths)
  local api = { classes = {}, functions = {}, aliases = {}, values = {}, faults = {}, head = {} }
  for _, path in ipairs(paths) do readFile(api, path) end
  annotations.each(api, function(fn, full) check(api, fn, full) end)
  for _, class in ipairs(api.classes) do
    for _, field in ipairs(class.fields) do
      if field.type == "" then api.faults[#api.faults + 1] = class.name .. "." .. field.name .. " has no type" end
    end
  end
  return api
end

--- The annotation files of the library below `root` (default: here), types.lua first.
function annotations.files(root)
  local prefix, list = root and root .. "/" or "", {}
  local lfs = require("lfs")
  local function look(dir)
    local names = {}
    for name in lfs.dir(prefix .. dir) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      local path = dir .. "/" .. name
      if name:match("types%.lua$") then list[#list + 1] = prefix .. path
      elseif name:sub(1, 1) ~= "." and lfs.attributes(prefix .. path, "mode") == "directory" then look(path) end
    end
  end
  look("lua/anim")
  -- upper directories first, in each types.lua
  local function rank(path)
    local _, depth = path:gsub("/", "")
    return ("%03d %s%s"):format(depth, path:match("^.*/"), path:match("/types%.lua$") and "" or path:match("[^/]*$"))
  end
  table.sort(list, function(a, b) return rank(a) < rank(b) end)
  return list
end

return annotations
