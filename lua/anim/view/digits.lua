--- Whole numbers as text for the page: small ones take one character. The page reads them in view/js_takes.lua.
local digits = {}

-- 89 printable characters that neither HTML nor JSON has to escape.
digits.alphabet = "#$%'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"

-- How many first characters stand for numbers of one, two and three characters; the last one announces five more.
digits.forms = { 55, 28, 5 }
digits.most = 2 ^ 28 -- what values are clamped to: second differences of them still fit five characters

local floor = math.floor
local base = #digits.alphabet
local one, two, three = digits.forms[1], digits.forms[2], digits.forms[3]

local character = {}
for i = 1, base do character[i - 1] = digits.alphabet:sub(i, i) end

local function word(n, length)
  local text = ""
  for _ = 1, length do
    text = character[n % base] .. text
    n = floor(n / base)
  end
  return text
end

-- n >= 0
local function natural(n)
  if n < one then return character[n] end
  n = n - one
  if n < two * base then return character[one + floor(n / base)] .. character[n % base] end
  n = n - two * base
  if n < three * base * base then return character[one + two + floor(n / base / base)] .. word(n % (base * base), 2) end
  return character[base - 1] .. word(n - three * base * base, 5)
end

--- The text of a whole number: 0, -1, 1, -2, 2, ... are numbered through. A table that fills itself, as this is asked
--- for every component of every frame.
digits.text = setmetatable({}, {
  __index = function(cache, n)
    local text = natural(n < 0 and -2 * n - 1 or 2 * n)
    if n > -4096 and n < 4096 then cache[n] = text end
    return text
  end,
})

return digits
