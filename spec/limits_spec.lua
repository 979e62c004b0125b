-- docs/limits.md says what is in the code: each row names a file and a word in it, and the number stands behind that.
local function read(path)
  local file = assert(io.open(path, "rb"), path)
  local text = file:read("*a")
  file:close()
  return text
end

local function escape(text) return (text:gsub("%p", "%%%0")) end

-- The number behind a word, as it is defined: `#define WORD 32u`, `WORD = 4`, `word <= 1e9`.
local function numberBehind(text, word)
  for number in text:gmatch("%f[%w]" .. escape(word) .. "[%s=(]+([%d%.]+e?%d*)") do
    if tonumber(number) then return tonumber(number) end
  end
end

describe("docs/limits.md", function()
  local rows = 0
  for line in io.lines("docs/limits.md") do
    local what, most, path, word = line:match("^| ([^|]+) | ([%d%.e]+) | [^|]+ | `([^`]+)` `([^`]+)` |$")
    if what then
      rows = rows + 1
      it("is right about " .. what, function() assert.are.equal(tonumber(most), numberBehind(read(path), word)) end)
    elseif line:match("^|") and not line:match("^| what") and not line:match("^| %-%-%-") then
      it("names what the code has: " .. line, function()
        path, word = line:match("`([%w_/%.]+%.%w+)` `([^`]+)` |$")
        assert.is_truthy(read(path):find(word, 1, true))
      end)
    end
  end

  it("has rows", function() assert.is_true(rows >= 25, rows) end)

  it("would be found out", function()
    assert.are.equal(32767, numberBehind("#define ANIM_MAX_JOINTS 32767u", "ANIM_MAX_JOINTS"))
    assert.are.equal(8, numberBehind("enum { A = 8 };", "A"))
    assert.is_nil(numberBehind("A_LONGER 8", "A"))
  end)
end)
