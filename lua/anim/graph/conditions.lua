--- Conditions of transitions: from `when` strings to trees, and from trees to the small postfix programs that the core
--- runs (csrc/graph/condition.h). Precedence as in Lua: or, and, comparisons, not.
---
--- A tree's nodes are { op =, [1] = operand, [2] = operand, first =, last = } with the columns they stand at; numbers
--- have `value`, parameters `name` and `index`, event and during `name`.
local core = require("anim.core").graph
local fault = require("anim.graph.fault")

local conditions = {}

local deepest = 50 -- parentheses and `not`s

local watched = { time = true, phase = true, remaining = true, done = true }
local ranges = { event = true, during = true }
local comparisons = { ["<"] = true, ["<="] = true, [">"] = true, [">="] = true, ["=="] = true, ["~="] = true }
local words = { ["and"] = "operator", ["or"] = "operator", ["not"] = "operator", ["true"] = "word", ["false"] = "word" }

local function complain(parser, column, message, ...)
  fault.raise(parser.path, "column %d: " .. message, column, ...)
end

-- Tokens ----------------------------------------------------------------------------------------------

local function readNumber(parser, at)
  local text = parser.text:match("^0[xX]%x+", at) or parser.text:match("^[%d.]+[eE][+-]?%d+", at)
    or parser.text:match("^[%d.]+", at)
  local after = parser.text:match("^[%w_.]+", at + #text)
  local value = tonumber(text)
  if after or not value then complain(parser, at, "malformed number '%s'", text .. (after or "")) end
  if value - value ~= 0 then complain(parser, at, "number '%s' is too large", text) end
  return { kind = "number", text = text, value = value, first = at, last = at + #text - 1 }
end

local function readString(parser, at)
  local quote = parser.text:sub(at, at)
  local close = parser.text:find(quote, at + 1, true)
  if not close then complain(parser, at, "text without an end") end
  local text = parser.text:sub(at + 1, close - 1)
  return { kind = "string", text = text, first = at, last = close }
end

local function readToken(parser, at)
  local text = parser.text
  if at > #text then return { kind = "end", text = "the end", first = at, last = at } end
  if text:find("^%.?%d", at) then return readNumber(parser, at) end
  if text:find("^[\"']", at) then return readString(parser, at) end
  local word = text:match("^[%a_\128-\255][%w_\128-\255]*", at)
  local token = word or text:match("^[<>=~]=", at) or text:match("^[<>()%-]", at)
  if not token then
    complain(parser, at, "'%s' is not expected here", text:match("^[=~!&|]+", at) or text:sub(at, at))
  end
  local kind = word and (words[word] or "name") or "operator"
  return { kind = kind, text = token, first = at, last = at + #token - 1 }
end

local function advance(parser)
  local token = parser.token
  parser.token = readToken(parser, parser.text:match("^%s*()", token and token.last + 1 or 1))
  return token
end

local function nextIs(parser, text)
  return parser.token.kind == "operator" and parser.token.text == text
end

local function unexpected(parser, wanted)
  local token = parser.token
  complain(parser, token.first, "%s expected, got %s", wanted,
    token.kind == "end" and "the end" or ("'%s'"):format(parser.text:sub(token.first, token.last)))
end

local function expect(parser, text)
  if not nextIs(parser, text) then unexpected(parser, ("'%s'"):format(text)) end
  return advance(parser)
end

-- Trees -----------------------------------------------------------------------------------------------

local parseOr

local function leaf(token, op) return { op = op, first = token.first, last = token.last } end

local function parseRange(parser)
  local word = advance(parser)
  expect(parser, "(")
  if parser.token.kind ~= "string" then
    unexpected(parser, ("name of an event, as in %s(\"hit\"),"):format(word.text))
  end
  local name = advance(parser)
  if name.text == "" or name.text:find("\0", 1, true) then complain(parser, name.first, "name of an event expected") end
  local node = leaf(word, word.text)
  node.name, node.last = name.text, expect(parser, ")").last
  return node
end

local function parseName(parser)
  local name = parser.token.text
  if ranges[name] then return parseRange(parser) end
  local node = leaf(advance(parser), name)
  if watched[name] then return node end
  node.op, node.name, node.index = "param", name, parser.params[name]
  if node.index then return node end
  local known = { "time", "phase", "remaining", "done", "event", "during" }
  for param in next, parser.params do known[#known + 1] = param end
  complain(parser, node.first, "unknown parameter '%s'%s", name, core.didYouMean(name, known))
end

local function parseNumber(parser)
  local minus = nextIs(parser, "-") and advance(parser)
  if parser.token.kind ~= "number" then unexpected(parser, "number") end
  local token = advance(parser)
  local node = leaf(token, "number")
  node.value = token.value
  if minus then node.first, node.value = minus.first, -node.value end
  return node
end

local function parseOperand(parser)
  local token = parser.token
  if token.kind == "name" then return parseName(parser) end
  if token.kind == "number" or nextIs(parser, "-") then return parseNumber(parser) end
  if token.kind == "word" then
    local node = leaf(advance(parser), "number")
    node.value = token.text == "true" and 1 or 0
    return node
  end
  if not nextIs(parser, "(") then unexpected(parser, "parameter, number or '('") end
  local open = advance(parser)
  local node = parseOr(parser)
  node.first, node.last = open.first, expect(parser, ")").last
  return node
end

local function parseNot(parser)
  if parser.depth >= deepest then complain(parser, parser.token.first, "nested more than %d deep", deepest) end
  parser.depth = parser.depth + 1
  local node
  if nextIs(parser, "not") then
    node = leaf(advance(parser), "not")
    node[1] = parseNot(parser)
    node.last = node[1].last
  else
    node = parseOperand(parser)
  end
  parser.depth = parser.depth - 1
  return node
end

local function join(op, left, right) return { op = op, left, right, first = left.first, last = right.last } end

local function parseComparison(parser)
  local node = parseNot(parser)
  if parser.token.kind ~= "operator" or not comparisons[parser.token.text] then return node end
  local op = advance(parser).text
  node = join(op, node, parseNot(parser))
  if parser.token.kind == "operator" and comparisons[parser.token.text] then
    complain(parser, parser.token.first, "comparisons can't be chained; write 'a %s b and b %s c'", op,
      parser.token.text)
  end
  return node
end

local function parseAnd(parser)
  local node = parseComparison(parser)
  while nextIs(parser, "and") do
    advance(parser)
    node = join("and", node, parseComparison(parser))
  end
  return node
end

function parseOr(parser)
  local node = parseAnd(parser)
  while nextIs(parser, "or") do
    advance(parser)
    node = join("or", node, parseAnd(parser))
  end
  return node
end

--- The tree of a condition. `params`: index of each parameter by name. Mistakes are raised with `path` and column.
function conditions.parse(text, params, path)
  local parser = { text = text, params = params, path = path, depth = 0 }
  advance(parser)
  local node = parseOr(parser)
  if parser.token.kind ~= "end" then unexpected(parser, "'and', 'or' or the end") end
  return node
end

-- Programs --------------------------------------------------------------------------------------------

local function emit(node, program)
  local steps = program.steps
  for _, operand in ipairs(node) do emit(operand, program) end
  steps[#steps + 1] = node.op
  if watched[node.op] or ranges[node.op] then program.timed = true end
  if node.op == "number" then steps[#steps + 1] = node.value end
  if node.op == "param" then steps[#steps + 1] = node.index end
  if ranges[node.op] then
    program.names[#program.names + 1] = node.name
    steps[#steps + 1] = #program.names
  end
end

--- What the core takes: steps (operations, operands behind them), names of events, timed.
function conditions.compile(tree)
  local program = { steps = {}, names = {}, timed = false }
  emit(tree, program)
  return program
end

-- Values ----------------------------------------------------------------------------------------------

local function bit(truth) return truth and 1 or 0 end

local operators = {
  ["<"] = function(a, b) return bit(a < b) end,
  ["<="] = function(a, b) return bit(a <= b) end,
  [">"] = function(a, b) return bit(a > b) end,
  [">="] = function(a, b) return bit(a >= b) end,
  ["=="] = function(a, b) return bit(a == b) end,
  ["~="] = function(a, b) return bit(a ~= b) end,
}

--- The value of a tree, nil where it hangs on something that `look` does not know. look(node): the number that a
--- parameter, time, done, an event and so on have, or nil.
function conditions.value(node, look)
  if node.op == "number" then return node.value end
  if not node[1] then return (look(node)) end
  local a = conditions.value(node[1], look)
  if node.op == "not" then return a and bit(a == 0) end
  local b = conditions.value(node[2], look)
  if node.op == "and" then
    if a == 0 or b == 0 then return 0 end
    return a and b and 1
  end
  if node.op == "or" then
    if (a and a ~= 0) or (b and b ~= 0) then return 1 end
    return a and b and 0
  end
  return a and b and operators[node.op](a, b)
end

--- Whether a condition can never be true of a state that is never done.
function conditions.needsDone(tree)
  local function never(node)
    if node.op == "done" then return 0 end
  end
  local function unknown() end
  return conditions.value(tree, never) == 0 and conditions.value(tree, unknown) ~= 0
end

-- Collects what keeps a tree from being true: the parts of an `and` that are false, or the whole.
local function collect(node, text, look, out)
  if conditions.value(node, look) ~= 0 then return end
  if node.op == "and" then
    collect(node[1], text, look, out)
    collect(node[2], text, look, out)
    return
  end
  out[#out + 1] = text:sub(node.first, node.last)
end

--- The parts of `text` that are false, as written.
function conditions.falseParts(tree, text, look)
  local out = {}
  collect(tree, text, look, out)
  return out
end

return conditions
