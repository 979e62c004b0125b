-- Numbers as bytes and back, little-endian, on every Lua.
local bytes = {}

local ldexp = math.ldexp or function(m, e) return m * 2 ^ e end -- luacheck: ignore 143
local frexp = math.frexp or function(x) -- luacheck: ignore 143
  if x == 0 then return 0, 0 end
  local e = math.floor(math.log(math.abs(x)) / math.log(2)) + 1
  local m = x / 2 ^ e
  if math.abs(m) >= 1 then return m / 2, e + 1 end
  return m, e
end

function bytes.unsigned(size, ...)
  local out = {}
  for _, n in ipairs({ ... }) do
    for _ = 1, size do
      out[#out + 1] = string.char(n % 256)
      n = math.floor(n / 256)
    end
  end
  return table.concat(out)
end

-- 32-bit floats; only normal numbers and 0.
function bytes.floats(...)
  local out = {}
  for i, x in ipairs({ ... }) do
    local m, e = frexp(math.abs(x))
    local bits = x == 0 and 0 or (e + 126) * 2 ^ 23 + math.floor((m * 2 - 1) * 2 ^ 23 + .5)
    out[i] = bytes.unsigned(4, bits + (x < 0 and 2 ^ 31 or 0))
  end
  return table.concat(out)
end

-- The number of `size` bytes at `at` (from 0).
function bytes.readUnsigned(text, at, size)
  local n = 0
  for i = size, 1, -1 do n = n * 256 + text:byte(at + i) end
  return n
end

function bytes.readFloat(text, at)
  local bits = bytes.readUnsigned(text, at, 4)
  local sign = bits >= 2 ^ 31 and -1 or 1
  bits = bits % 2 ^ 31
  local e, m = math.floor(bits / 2 ^ 23), bits % 2 ^ 23
  if e == 0 then return sign * ldexp(m, -149) end
  return sign * ldexp(m + 2 ^ 23, e - 150)
end

return bytes
