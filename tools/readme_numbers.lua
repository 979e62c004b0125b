-- Writes the figures of docs/performance.md into the table "Numbers" of README.md: lua tools/readme_numbers.lua
-- With --check it only says what differs.
local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local performance = read("docs/performance.md")

-- A cell of the row that begins with `label`; 1 is the cell behind it.
local function cell(label, column)
  for line in performance:gmatch("\n|([^\n]+)|") do
    local cells = {}
    for text in (line .. "|"):gmatch("%s*(.-)%s*|") do cells[#cells + 1] = text end
    if cells[1] == label then return cells[column + 1] end
  end
  error("docs/performance.md has no row '" .. label .. "'", 0)
end

local toModel, to3x4 = "1,000 characters, three clips, model space: ozz", ": three clips, to palettes: ozz"
local garbage = "garbage of Lua over 10,000 updates"
local rows = {
  { "one clip to a pose, at random: fast / exact keys", cell("walk, fast", 2) .. " / " .. cell("walk, exact", 2),
    cell("sample of walk at random, fast: ozz", 2) },
  { "a character of 1,000: three clips mixed, to model space", cell(toModel, 1), cell(toModel, 2) },
  { "the same to palettes", cell("1,000" .. to3x4, 1), cell("1,000" .. to3x4, 2) },
  { "a character of 10,000: the same to palettes", cell("10,000" .. to3x4, 1), cell("10,000" .. to3x4, 2) },
  { "`graph:update` from Lua 5.4, on top of the same in C",
    cell("`graph:update` over the C call, a `blend1D`", 1), "" },
  { "import of a GLB with 76 clips and 51 joints", cell("import of a GLB with 76 clips and 51 joints", 1), "" },
  { garbage, cell(garbage .. " (`spec/garbage_spec.lua`)", 1), "" },
}

local lines = { "| what | here | ozz-animation 0.16 |", "| --- | --- | --- |" }
for _, row in ipairs(rows) do
  lines[#lines + 1] = ("| %s | %s |%s |"):format(row[1], row[2], row[3] == "" and "" or " " .. row[3])
end
local wanted = table.concat(lines, "\n")

local readme = read("README.md")
local first, last = readme:find("| what | here | ozz%-animation 0%.16 |\n.-\n\n")
assert(first, "README.md has no table of numbers")
local there = readme:sub(first, last - 2)
if there == wanted then return end
if arg[1] == "--check" then
  io.stderr:write("README.md is not what docs/performance.md says: run lua tools/readme_numbers.lua\n", wanted, "\n")
  os.exit(1)
end
local file = assert(io.open("README.md", "wb"))
file:write(readme:sub(1, first - 1), wanted, readme:sub(last - 1))
file:close()
