-- The real assets beside the project: ANIM_DATA, else ../shared/data. They are not part of it; specs that need them
-- are skipped where they are absent.
local data = {}

local given = os.getenv("ANIM_DATA")
data.root = given and given ~= "" and given or "../shared/data"

-- Under Valgrind and the collector's stress run (ANIM_SLOW=0) specs take smaller files and fewer rounds.
data.slow = os.getenv("ANIM_SLOW") ~= "0"

local function lines(command)
  local pipe = assert(io.popen(command))
  local out = {}
  for line in pipe:lines() do out[#out + 1] = line end
  pipe:close()
  return out
end

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

function data.size(name)
  local file = assert(io.open(data.root .. "/" .. name, "rb"))
  local size = file:seek("end")
  file:close()
  return size
end

data.present = exists(data.root .. "/INDEX.md")

function data.path(name) return data.root .. "/" .. name end
function data.has(name) return exists(data.path(name)) end

function data.bytes(name)
  local file = assert(io.open(data.path(name), "rb"))
  local bytes = file:read("*a")
  file:close()
  return bytes
end

-- Names of all files under the data directory with one of these endings, relative to it, in byte order.
function data.files(endings)
  local out = {}
  for _, path in ipairs(lines("cd " .. quoted(data.root) .. " && find . -type f | LC_ALL=C sort")) do
    local ending = path:match("%.([^./]+)$")
    for _, wanted in ipairs(endings) do
      if ending == wanted then out[#out + 1] = path:sub(3) end
    end
  end
  return out
end

local function cjson()
  local found, library = pcall(require, "cjson")
  if not found then error("these specs read JSON with lua-cjson (Debian package lua-cjson), which is not here") end
  return library
end

-- JSON text as Lua tables; null is data.null, which indexes as nothing.
function data.decode(text)
  local library = cjson()
  data.null = library.null
  return library.decode(text)
end

function data.json(name) return data.decode(data.bytes(name)) end

-- nil where the JSON says null.
function data.value(x)
  if x == data.null then return nil end
  return x
end

-- `it` where `name` is there, else a pending test that says so.
function data.it(it, pending, name, title, body)
  if data.has(name) then return it(title, body) end
  return pending(title .. " (skipped: no " .. data.path(name) .. ")", body)
end

return data
