--- anim in LÖVE 11: models that can be drawn, a camera, crowds, an overlay for finding faults, files that are read
--- again when they change. What each function takes and gives is written in anim/love/types.lua.
local anim = require("anim")

if not (love and love.graphics and love.filesystem) then
  error("anim.love needs LÖVE 11 with its modules graphics and filesystem", 0)
end

local Camera = require("anim.love.camera")
local Crowd = require("anim.love.crowd")
local Model = require("anim.love.model")

local module = {}

-- Where a file lies that `path` names; love.filesystem knows no "..".
local function beside(path, uri)
  local parts = {}
  for part in ((path:match("^(.*/)[^/]*$") or "") .. uri):gmatch("[^/]+") do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

-- The options of anim.load with those of a LÖVE game: other files lie beside this one.
local function withDefaults(path, options)
  local out = {}
  for key, value in pairs(options or {}) do out[key] = value end
  out.meshes = true
  out.read = out.read or function(uri) return love.filesystem.read(beside(path, uri)) end
  return out
end

function module.load(path, options)
  if type(path) ~= "string" then
    error(("bad argument #1 to 'load' (string expected, got %s)"):format(type(path)), 2)
  end
  local bytes, message = love.filesystem.read(path)
  if not bytes then return nil, ("%s: %s"):format(path, tostring(message)) end
  local source
  source, message = anim.decode(bytes, path, withDefaults(path, options))
  if not source then return nil, message end
  return Model.new(source)
end

function module.loadAsync(path, options)
  local bytes, message = love.filesystem.read(path)
  if not bytes then return nil, ("%s: %s"):format(path, tostring(message)) end
  return anim.loadAsync({ bytes = bytes, name = path }, withDefaults(path, options))
end

function module.newModel(source) return Model.new(source) end

function module.newCamera(options) return Camera.new(options) end

function module.newCrowd(model, options) return Crowd.new(model, options) end

function module.newOverlay(...) return require("anim.love.overlay").new(...) end

function module.watch(...) return require("anim.love.watch").new(...) end

anim.love = module

return setmetatable(module, {
  __index = function(self, key)
    if key ~= "rig2d" then return nil end
    self.rig2d = require("anim.love.rig2d") -- loaded only if wanted
    return self.rig2d
  end,
})
