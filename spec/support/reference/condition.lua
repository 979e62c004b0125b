-- The `when` of transitions (api.md): parsed by recursive descent, evaluated as numbers, true being 1 and false 0.
--   condition.parse("speed > 0.1 and not event('hit')") -> tree, or raises { column =, message = }
local condition = {}

local ofState = { time = true, phase = true, remaining = true, done = true }
local comparisons = {
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
  ["=="] = function(a, b) return a == b end,
  ["~="] = function(a, b) return a ~= b end,
}

local function fail(column, message) error({ column = column, message = message }, 0) end

local patterns = {
  { "name", "^[%a_][%w_]*" }, { "number", "^%d+%.?%d*[eE][+-]?%d+" }, { "number", "^%.%d+[eE][+-]?%d+" },
  { "number", "^%d+%.?%d*" }, { "number", "^%.%d+" }, { "string", "^\"[^\"]*\"" }, { "string", "^'[^']*'" },
  { "sign", "^[<>=~]=" }, { "sign", "^[<>()%-]" },
}

local function tokens(text)
  local out, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then break end
    local kind, word
    for _, pattern in ipairs(patterns) do
      local found = text:match(pattern[2], at)
      if found then
        kind, word = pattern[1], found
        break
      end
    end
    if not kind then fail(at, "unexpected " .. text:sub(at, at)) end
    out[#out + 1] = { kind = kind, word = word, column = at }
    at = at + #word
  end
  out[#out + 1] = { kind = "end", word = "end", column = #text + 1 }
  return out
end

local parser = {}
parser.__index = parser

function parser:peek() return self.list[self.at] end

function parser:take(word)
  local token = self:peek()
  if word and token.word ~= word then return nil end
  self.at = self.at + 1
  return token
end

function parser:expect(word)
  if not self:take(word) then fail(self:peek().column, word .. " expected") end
end

function parser:call(name)
  self:expect("(")
  local token = self:take()
  if token.kind ~= "string" then fail(token.column, "a name in quotes expected") end
  self:expect(")")
  return { kind = name, name = token.word:sub(2, -2) }
end

function parser:primary()
  local token = self:take()
  if token.word == "-" then return { kind = "minus", self:primary() } end
  if token.word == "(" then
    local inner = self:disjunction()
    self:expect(")")
    return inner
  end
  if token.kind == "number" then return { kind = "number", value = tonumber(token.word) } end
  if token.kind ~= "name" or token.word == "and" or token.word == "or" or token.word == "not" then
    fail(token.column, "unexpected " .. token.word)
  end
  if token.word == "true" or token.word == "false" then
    return { kind = "number", value = token.word == "true" and 1 or 0 }
  end
  if token.word == "event" or token.word == "during" then return self:call(token.word) end
  if ofState[token.word] then return { kind = "state", name = token.word } end
  return { kind = "param", name = token.word, column = token.column }
end

function parser:unary()
  if self:take("not") then return { kind = "not", self:unary() } end
  return self:primary()
end

function parser:comparison()
  local left = self:unary()
  local sign = self:peek().word
  if not comparisons[sign] then return left end
  self:take()
  local out = { kind = "compare", sign = sign, left, self:unary() }
  if comparisons[self:peek().word] then fail(self:peek().column, "a comparison of a comparison") end
  return out
end

function parser:conjunction()
  local left = self:comparison()
  while self:take("and") do left = { kind = "and", left, self:comparison() } end
  return left
end

function parser:disjunction()
  local left = self:conjunction()
  while self:take("or") do left = { kind = "or", left, self:conjunction() } end
  return left
end

function condition.parse(text)
  local p = setmetatable({ list = tokens(text), at = 1 }, parser)
  local tree = p:disjunction()
  if p:peek().kind ~= "end" then fail(p:peek().column, "unexpected " .. p:peek().word) end
  return tree
end

function condition.walk(tree, visit)
  visit(tree)
  for _, child in ipairs(tree) do condition.walk(child, visit) end
end

-- The names of the parameters that it reads, as a set.
function condition.params(tree)
  local out = {}
  condition.walk(tree, function(node) if node.kind == "param" then out[node.name] = true end end)
  return out
end

-- The names of the events that it looks for, as a set.
function condition.names(tree)
  local out = {}
  condition.walk(tree, function(node)
    if node.kind == "event" or node.kind == "during" then out[node.name] = true end
  end)
  return out
end

-- Whether it looks at the state that the transition leaves, so that it can become true in the middle of a step.
function condition.isTimed(tree)
  local timed = false
  condition.walk(tree, function(node)
    timed = timed or node.kind == "state" or node.kind == "event" or node.kind == "during"
  end)
  return timed
end

local function number(x)
  if x == true then return 1 end
  return x or 0
end

local evaluate = {}
local function value(tree, context) return evaluate[tree.kind](tree, context) end

function evaluate.number(tree) return tree.value end
function evaluate.minus(tree, context) return -value(tree[1], context) end
function evaluate.param(tree, context) return number(context.param(tree.name)) end
function evaluate.state(tree, context) return number(context[tree.name]) end
function evaluate.event(tree, context) return number(context.event(tree.name)) end
function evaluate.during(tree, context) return number(context.during(tree.name)) end
evaluate["not"] = function(tree, context) return number(value(tree[1], context) == 0) end
evaluate["and"] = function(tree, context)
  return number(value(tree[1], context) ~= 0 and value(tree[2], context) ~= 0)
end
evaluate["or"] = function(tree, context)
  return number(value(tree[1], context) ~= 0 or value(tree[2], context) ~= 0)
end
function evaluate.compare(tree, context)
  return number(comparisons[tree.sign](value(tree[1], context), value(tree[2], context)))
end

-- context: param(name), event(name), during(name), time, phase, remaining, done.
function condition.isTrue(tree, context) return value(tree, context) ~= 0 end

-- Pairs of comparisons with a number of the state on one side: { name =, value = } at which their truth can change.
function condition.thresholds(tree, context)
  local out = {}
  condition.walk(tree, function(node)
    if node.kind ~= "compare" then return end
    for i = 1, 2 do
      local side, other = node[i], node[3 - i]
      if side.kind == "state" and other.kind ~= "state" then
        out[#out + 1] = { name = side.name, value = value(other, context) }
      end
    end
  end)
  return out
end

return condition
