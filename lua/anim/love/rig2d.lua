--- Characters for 2D games: joints, sprites and clips described in Lua become an ordinary skeleton and ordinary clips,
--- so graphs, machines, events, root motion and IK are those of `anim`. See docs/rig2d.md. Only `draw` needs LÖVE.
local anim = require("anim")
local Character = require("anim.love.rig2d.character")
local clips = require("anim.love.rig2d.clips")
local core = require("anim.core").graph
local describe = require("anim.love.rig2d.describe")
local fault = require("anim.graph.fault")
local joints = require("anim.love.rig2d.joints")
local shapes = require("anim.love.rig2d.shapes")
local sprites = require("anim.love.rig2d.sprites")

local rig2d = {}

local Rig = {}
Rig.__index = Rig
Rig.__name = "anim.love.Rig2D"
Rig.__tostring = function(rig)
  return ("anim.love.Rig2D: %d joints, %d sprites, %d clips"):format(#rig.joints, #rig.sprites, #rig.clips)
end

local rigKeys = { joints = true, sprites = true, clips = true, images = true }

local function build(description)
  fault.record(description, rigKeys, 0, "")
  local rig = setmetatable({}, Rig)
  rig.joints, rig.skeleton = joints.build(fault.table(rawget(description, "joints"), "joints"))
  rig.sprites = sprites.build(fault.table(rawget(description, "sprites") or {}, "sprites"), rig.joints)
  local moves = fault.table(rawget(description, "clips") or {}, "clips")
  rig.clips = clips.build(moves, rig.joints, rig.skeleton, rig.sprites)
  rig.images = rawget(description, "images")
  if rig.images ~= nil and type(rig.images) ~= "table" and type(rig.images) ~= "function" then
    fault.expected("images", "table of Images by name, or a function", rig.images)
  end
  return rig
end

--- A rig from its description. It is a model, too: `anim.newGraph(rig)` and `anim.view(rig, path)` take it.
function rig2d.newRig(description)
  local done, result = pcall(build, description)
  if not done then fault.rethrow(result, "newRig", 1, 2) end
  return result
end

-- A graph for this rig: of a description, or one that is there already.
local function graphOf(rig, graph, tables)
  if core.kindOf(graph) ~= "Graph" then
    return anim.newGraph(rig, graph ~= nil and describe(rig, graph) or nil, tables)
  end
  local own = graph:getSkeleton()
  local same = #own == #rig.skeleton
  for i = 1, same and #own or 0 do
    same = same and own:getName(i) == rig.skeleton:getName(i) and own:getParent(i) == rig.skeleton:getParent(i)
  end
  if not same then fault.raise("graph", "a graph of this rig expected, got one of another skeleton") end
  return graph
end

local characterKeys = { graph = true, masks = true, clips = true, x = true, y = true, angle = true, scale = true,
  facing = true }

local function newCharacter(rig, options)
  fault.record(options, characterKeys, 0, "")
  local function number(key, default) return joints.optional(options, key, default, "") end
  local tables = { masks = rawget(options, "masks"), clips = rawget(options, "clips") }
  local graph = graphOf(rig, rawget(options, "graph"), next(tables) and tables or nil)
  local facing, scale = rawget(options, "facing"), number("scale", 1)
  if facing ~= nil and facing ~= 1 and facing ~= -1 then fault.expected("facing", "1 or -1", facing) end
  if scale <= 0 then fault.expected("scale", "number above 0", scale) end
  local character = Character.new(rig, graph)
  character:setTransform(number("x", 0), number("y", 0), number("angle", 0), scale, scale)
  character:setFacing(facing or 1)
  return character
end

--- A character with its own graph and place.
function Rig:newCharacter(options)
  if getmetatable(self) ~= Rig then error("bad self: call rig:newCharacter(...)", 2) end
  local done, result = pcall(newCharacter, self, options or {})
  if done then return result end
  if type(result) == "string" then -- of newGraph
    result = result:gsub("^[^:]+:%d+: ", "")
    result = result:gsub("^bad argument #2 to 'newGraph' %(", "bad argument #1 to 'newCharacter' (graph.")
    error(result, 2)
  end
  fault.rethrow(result, "newCharacter", 1, 2)
end

--- What a graph's description in 2D means to anim: for graph:reload.
function Rig:describe(description)
  local done, result = pcall(describe, self, description)
  if not done then fault.rethrow(result, "describe", 1, 2) end
  return result
end

--- The outline of a limb along x: a polygon for sprites.
function rig2d.limb(length, r1, r2, parts) return shapes.limb(length, r1, r2 or r1, parts) end

--- A `ground` for foot nodes from a function of the screen: ground(x, y) -> the ground's y at x, and its normal.
function rig2d.ground(ground, scale)
  if type(ground) ~= "function" then
    error(("bad argument #1 to 'ground' (function expected, got %s)"):format(fault.describe(ground)), 2)
  end
  scale = scale or 1
  return function(x, y)
    local height, nx, ny = ground(x * scale, -y * scale)
    if not height then return nil end
    return -height / scale, nx or 0, -(ny or -1), 0
  end
end

return rig2d
