--- Descriptions that are read again when their file changes, and given to graphs that go on where they are.
local check = require("anim.love.check")
local fault = require("anim.graph.fault")

local Watcher = { __name = "anim.love.Watcher" }
Watcher.__index = Watcher

local function modified(path)
  local info = love.filesystem.getInfo(path, "file")
  return info and info.modtime or nil
end

-- The file is Lua that returns a description, or a function that makes one of `arguments`.
local function read(self)
  local chunk, message = love.filesystem.load(self.path)
  if not chunk then return nil, message end
  local ran, result = pcall(chunk)
  if ran and type(result) == "function" then ran, result = pcall(result, self.arguments) end
  if not ran then return nil, tostring(result) end
  if type(result) ~= "table" then return nil, ("%s: a table expected, got %s"):format(self.path, type(result)) end
  return result
end

local options = { arguments = check.any, changed = fault.callable, interval = fault.atLeast0 }

--- See anim.love.watch.
function Watcher.new(path, given)
  check.argument("watch", 1, check.text, path)
  given = check.options("watch", 2, given, options)
  local self = setmetatable({ path = path, graphs = {}, arguments = given.arguments, changed = given.changed,
    interval = given.interval or .5, since = 0, modtime = modified(path) }, Watcher)
  self.description, self.error = read(self)
  if not self.description then check.fail("%s", self.error) end
  return self
end

--- What the file says now.
function Watcher:get() return self.description end

--- A graph that follows the file from now on.
function Watcher:add(graph)
  self.graphs[#self.graphs + 1] = graph
  return self
end

-- Those that were released are followed no more.
local function tidy(self)
  for i = #self.graphs, 1, -1 do
    if not check.isAlive(self.graphs[i]) then table.remove(self.graphs, i) end
  end
end

-- All of the graphs, or none: those before one that refuses get back what they had.
local function apply(self, description)
  tidy(self)
  for i, graph in ipairs(self.graphs) do
    local ran, message = pcall(graph.reload, graph, description)
    if not ran then
      for k = 1, i - 1 do pcall(graph.reload, self.graphs[k], self.description) end
      return tostring(message)
    end
  end
end

--- Reads the file now. true, or nil and what is wrong: then the graphs go on as they were.
function Watcher:reload()
  local description, message = read(self)
  if description then message = apply(self, description) end
  self.error = message
  if message then return nil, message end
  self.description = description
  if self.changed then self.changed(description) end
  return true
end

--- Looks whether the file has changed, twice a second. true: it was read again; false and what is wrong with it; nil:
--- it is as it was.
function Watcher:update(dt)
  self.since = self.since + dt
  if self.since < self.interval then return nil end
  self.since = 0
  local now = modified(self.path)
  if not now or now == self.modtime then return nil end
  self.modtime = now
  local done, message = self:reload()
  return done or false, message
end

check.methods(Watcher, { get = {}, add = { check.graph }, reload = {}, update = { fault.atLeast0 } })

return Watcher
