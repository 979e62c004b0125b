--- Lua values as JSON that may stand inside a <script> element, whatever bytes the strings hold.

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["<"] = "\\u003c", [">"] = "\\u003e", ["&"] = "\\u0026" }
for code = 0, 31 do escapes[string.char(code)] = ("\\u%04x"):format(code) end
escapes["\127"] = "\\u007f"

-- Byte length of a UTF-8 sequence by its first byte, and what its second byte may be (RFC 3629).
local function sequence(first)
  if first < 0xC2 then return nil
  elseif first < 0xE0 then return 2, 0x80, 0xBF
  elseif first < 0xF0 then return 3, first == 0xE0 and 0xA0 or 0x80, first == 0xED and 0x9F or 0xBF
  elseif first < 0xF5 then return 4, first == 0xF0 and 0x90 or 0x80, first == 0xF4 and 0x8F or 0xBF
  end
end

local function isContinued(text, i, length)
  for k = i + 2, i + length - 1 do
    local byte = text:byte(k)
    if not byte or byte < 0x80 or byte > 0xBF then return false end
  end
  return true
end

--- The text as UTF-8: bytes that are none become U+FFFD.
local function utf8Text(text)
  if not text:find("[\128-\255]") then return text end
  local out, i = {}, 1
  while i <= #text do
    local first = text:byte(i)
    local length, low, high = 1, nil, nil
    if first >= 0x80 then length, low, high = sequence(first) end
    local second = low and text:byte(i + 1)
    if length == 1 or (second and second >= low and second <= high and isContinued(text, i, length)) then
      out[#out + 1] = text:sub(i, i + length - 1)
      i = i + length
    else
      out[#out + 1] = "\239\191\189"
      i = i + 1
    end
  end
  return table.concat(out)
end

local function quoted(text) return '"' .. utf8Text(text):gsub('[%c"\\<>&\127]', escapes) .. '"' end

local encode

local function encodeObject(value)
  local keys, out = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do out[i] = quoted(key) .. ":" .. encode(value[key]) end
  return "{" .. table.concat(out, ",") .. "}"
end

--- Tables with string keys become objects, all others (the empty one too) arrays. Whole numbers keep all
--- digits, others eight: as much as a float.
function encode(value)
  local kind = type(value)
  if kind == "string" then return quoted(value) end
  if kind == "number" then
    if value ~= value or value - value ~= 0 then return "null" end
    return (("%.14g"):format(value):find("^%-?%d+$")) and ("%.14g"):format(value) or ("%.8g"):format(value)
  end
  if kind ~= "table" then return tostring(value) end
  if type(next(value)) == "string" then return encodeObject(value) end
  local out = {}
  for i = 1, #value do out[i] = encode(value[i]) end
  return "[" .. table.concat(out, ",") .. "]"
end

--- Data of an event as short text: "" for what is no text, number or boolean.
local function plain(value)
  local kind = type(value)
  if kind == "string" then return value:sub(1, 80) end
  return (kind == "number" or kind == "boolean") and tostring(value) or ""
end

return { encode = encode, utf8 = utf8Text, plain = plain }
