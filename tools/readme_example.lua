-- Prints the first ```lua block of a Markdown file, so that the tests can run it: lua readme_example.lua README.md
local path = arg[1] or "README.md"
local file = assert(io.open(path, "rb"))
local text = file:read("*a"):gsub("\r\n", "\n")
file:close()
local block = ("\n" .. text):match("\n```lua[^\n]*\n(.-\n)```")
if not block then
  io.stderr:write(path, ": no ```lua block\n")
  os.exit(1)
end
io.write(block)
