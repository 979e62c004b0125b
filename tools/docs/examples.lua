--- The examples of the reference: docs/reference/*.lua. What stands before the first "-- ## Class:name ..." is the
--- beginning of all of a file; each part after it is an example for the functions that its line names.
local examples = {}

local function trim(lines)
  while lines[1] and lines[1]:match("^%s*$") do table.remove(lines, 1) end
  while #lines > 0 and lines[#lines]:match("^%s*$") do lines[#lines] = nil end
  return table.concat(lines, "\n")
end

--- { path, setup, parts = { { names, text, line } }, of = { [name] = part } }
function examples.read(path)
  local file, lines, part = { path = path, parts = {}, of = {} }, {}, nil
  local function close()
    if part then part.text = trim(lines) else file.setup = trim(lines) end
    lines = {}
  end
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    local names = line:match("^%-%- ## (.+)$")
    if names then
      close()
      part = { names = {}, line = number, file = file }
      file.parts[#file.parts + 1] = part
      for name in names:gmatch("%S+") do
        part.names[#part.names + 1] = name
        file.of[name] = part
      end
    else
      lines[#lines + 1] = line
    end
  end
  close()
  return file
end

--- The files of the reference, by name.
function examples.files()
  local list = {}
  for name in require("lfs").dir("docs/reference") do
    if name:match("%.lua$") then list[#list + 1] = "docs/reference/" .. name end
  end
  table.sort(list)
  return list
end

return examples
