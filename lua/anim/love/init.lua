--- anim in LÖVE 11: models that can be drawn, a camera, crowds, an overlay for finding faults, files that are read
--- again when they change. What each function takes and gives is written in anim/love/types.lua.
local anim = require("anim")
local fault = require("anim.graph.fault")

if not (love and love.graphics and love.filesystem) then
  error("anim.love needs LÖVE 11 with its modules graphics and filesystem", 0)
end

local Camera = require("anim.love.camera")
local Crowd = require("anim.love.crowd")
local Model = require("anim.love.model")
local check = require("anim.love.check")

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

local function readOptions(options, path)
  if options == nil then return {} end
  if rawget(fault.table(options, path), "meshes") == false then fault.raise("meshes", "always read here") end
  return options
end

-- The options of anim.load with those of a LÖVE game: other files lie beside this one.
local function withDefaults(name, path, options)
  local out = {}
  for key, value in next, check.argument(name, 2, readOptions, options) do out[key] = value end
  out.meshes = true
  out.read = out.read or function(uri) return love.filesystem.read(beside(path, uri)) end
  return out
end

function module.load(path, options)
  options = withDefaults("load", check.argument("load", 1, check.text, path), options)
  local bytes, message = love.filesystem.read(path)
  if not bytes then return nil, ("%s: %s"):format(path, tostring(message)) end
  local source
  source, message = check.through("load", 2, { [3] = "" }, anim.decode, bytes, path, options)
  if not source then return nil, message end
  return Model.new(source)
end

function module.loadAsync(path, options)
  options = withDefaults("loadAsync", check.argument("loadAsync", 1, check.text, path), options)
  local bytes, message = love.filesystem.read(path)
  if not bytes then return nil, ("%s: %s"):format(path, tostring(message)) end
  return check.through("loadAsync", 2, { [2] = "" }, anim.loadAsync, { bytes = bytes, name = path }, options)
end

function module.newModel(source, message)
  if source == nil and type(message) == "string" then return nil, message end -- what loading:get() gives
  return Model.new(source)
end

function module.newCamera(options) return Camera.new(options) end

function module.newCrowd(model, options)
  return Crowd.new(check.argument("newCrowd", 1, check.object("anim.love.Model"), model), options)
end

function module.newOverlay(target, options) return require("anim.love.overlay").new(target, options) end

function module.watch(path, options) return require("anim.love.watch").new(path, options) end

anim.love = module

return setmetatable(module, {
  __index = function(self, key)
    if key ~= "rig2d" then return nil end
    self.rig2d = require("anim.love.rig2d") -- loaded only if wanted
    return self.rig2d
  end,
})
