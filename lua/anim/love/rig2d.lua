--- Characters for 2D games: joints, sprites and clips described in Lua become an ordinary skeleton and ordinary clips,
--- so graphs, machines, events, root motion and IK are those of `anim`. See docs/rig2d.md. Only `draw` needs LÖVE.
local anim = require("anim")
local check = require("anim.love.check")
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
  return check.argument("newRig", 1, build, description)
end

local function side(facing, path)
  if facing ~= 1 and facing ~= -1 then fault.expected(path, "1 or -1", facing) end
  return facing
end

local number = fault.number
local options = { graph = check.any, masks = check.any, clips = check.any, x = number, y = number, angle = number,
  scale = check.above0, facing = side }

local places = { [2] = "graph", [3] = "" } -- of newGraph's arguments in our options

-- A graph for this rig: of a description, or one that is there already.
local function graphOf(rig, given)
  local graph, tables = given.graph, { masks = given.masks, clips = given.clips }
  if core.kindOf(graph) == "Graph" then
    return check.argument("newCharacter", 1, check.fits, graph, "graph", rig.skeleton, "rig")
  end
  if graph ~= nil then graph = check.argument("newCharacter", 1, describe, graph, "graph", rig) end
  return check.through("newCharacter", 1, places, anim.newGraph, rig, graph, next(tables) and tables or nil)
end

--- A character with its own graph and place.
function Rig:newCharacter(given)
  given = check.options("newCharacter", 1, given, options)
  local character, scale = Character.new(self, graphOf(self, given)), given.scale
  character:setTransform(given.x or 0, given.y or 0, given.angle, scale, scale)
  character:setFacing(given.facing or 1)
  return character
end

--- What a graph's description in 2D means to anim: for graph:reload.
function Rig:describe(description) return check.argument("describe", 1, describe, description, "", self) end

check.methods(Rig, { newCharacter = {}, describe = {} })

--- The outline of a limb along x: a polygon for sprites.
function rig2d.limb(length, r1, r2, parts)
  check.argument("limb", 1, number, length)
  check.argument("limb", 2, fault.atLeast0, r1)
  check.argument("limb", 3, check.optional(fault.atLeast0), r2)
  check.argument("limb", 4, check.optional(check.whole(1, 1024)), parts)
  return shapes.limb(length, r1, r2 or r1, parts)
end

--- A `ground` for foot nodes from a function of the screen: ground(x, y) -> the ground's y at x, and its normal.
function rig2d.ground(ground, scale)
  check.argument("ground", 1, fault.callable, ground)
  scale = check.argument("ground", 2, check.optional(check.above0), scale) or 1
  return function(x, y)
    local height, nx, ny = ground(x * scale, -y * scale)
    if not height then return nil end
    return -height / scale, nx or 0, -(ny or -1), 0
  end
end

return rig2d
