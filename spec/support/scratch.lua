-- Files that specs make: names for them, their bytes, and their end.
local scratch = {}

local made = {}

-- A name that nothing else has, with an ending.
function scratch.path(ending)
  local path = os.tmpname()
  made[#made + 1] = path
  made[#made + 1] = path .. ending
  return path .. ending
end

function scratch.read(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("*a")
  file:close()
  return bytes
end

function scratch.write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  file:close()
  return path
end

-- Removes all that had a name; for teardown.
function scratch.clear()
  for _, path in ipairs(made) do os.remove(path) end
  made = {}
end

return scratch
