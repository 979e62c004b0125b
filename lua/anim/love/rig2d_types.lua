---@meta anim.love.rig2d
--- Characters for 2D games: `require("anim.love.rig2d")`, or `anim.love.rig2d`. Never run. See docs/rig2d.md for how it
--- works.
---
--- Places and lengths are in pixels of the rig, x to the right and y down, angles in radians and clockwise, as in LÖVE.
--- To anim itself, in graphs and clips, y is up: places of two numbers in descriptions are turned for you, those of three
--- numbers are anim's own. Everything but drawing works without LÖVE, on every Lua.
---
--- A mistake in a description or an argument is an error at the line of the game, with its path, such as `bad argument
--- #1 to 'newRig' (joints[4].parent: no joint 'hisp'; did you mean 'hips'?)`.

---@class anim.love.rig2d
local rig2d = {}

-- Descriptions ----------------------------------------------------------------------------------------

---@class anim.love.Joint2D
---@field name string
---@field parent? string in any order; none: a root
---@field x? number along the parent's x axis; default: the parent's length, its end
---@field y? number default 0
---@field angle? number at rest, against the parent; default 0
---@field length? number of the bone along x: where children begin, and how polygons hang on it; default 0
---@field sx? number default 1
---@field sy? number default 1

--- What is drawn: an image, or a polygon, or vertices with triangles.
---@class anim.love.Look2D
---@field image? string | love.Image a name is looked for in the rig's `images`, else it is a file of the game
---@field quad? number[] | love.Quad { x, y, width, height } in pixels of the image
---@field ox? number the point of the image that lies on the joint; default: its middle
---@field oy? number
---@field x? number place on the joint, in its space; default 0
---@field y? number default 0
---@field angle? number default 0
---@field sx? number default 1
---@field sy? number default 1
---@field color? number[] { r, g, b [, a] }; multiplies the color that is set when the character is drawn
---@field polygon? number[] x, y, x, y, ... an outline that does not cross itself
---@field outline? number[] color of a line around a polygon
---@field outlineWidth? number default 1
---@field vertices? number[] x, y, x, y, ... of a mesh
---@field triangles? integer[] three indices of vertices for each
---@field uvs? number[] u, v of each point, 0 to 1, where there is an image
---@field joints? string[] the mesh bends with these joints, at most 32; its points are then those of the whole rig at rest
---@field weights? table<string, number>[] of each point: its joints; default: by the distance to their bones
---@field soft? number pixels, above 0, within which bones count as equally near; default 1

--- A thing that is drawn. All fields of a look may stand in it, or several looks in `choices`.
---@class anim.love.Sprite2D: anim.love.Look2D
---@field name string
---@field joint? string needed, except for a mesh with `joints`
---@field order? number lower ones are drawn first; equal ones in the order of the list; default 0
---@field choices? table<string, anim.love.Look2D> one of which is shown at a time
---@field choice? string which one, as long as no clip says otherwise
---@field visible? boolean false: nothing, as long as no clip says otherwise

---@alias anim.love.Ease2D "linear" | "step" | "smooth" | "easeIn" | "easeOut" | "spline" | number[] the way to the next key; four numbers: a curve as transitions have it
---@alias anim.love.Keys2D number | table one value, or { { time, value [, ease] }, ..., ease = }

--- Of a joint in a clip, against its rest pose: angles and places are added, scales multiplied.
---@class anim.love.Moves2D
---@field angle? anim.love.Keys2D at most 1000 turns from key to key
---@field x? anim.love.Keys2D
---@field y? anim.love.Keys2D
---@field scale? anim.love.Keys2D of both axes
---@field scaleX? anim.love.Keys2D
---@field scaleY? anim.love.Keys2D

---@class anim.love.Clip2D
---@field duration? number seconds; default: its last key, event or marker
---@field loop? anim.LoopMode default true. What repeats comes back to its first key by itself
---@field ease? anim.love.Ease2D of keys that name none; default "linear"
---@field joints? table<string, anim.love.Moves2D>
---@field sprites? table<string, table> { { time, choice }, ... }: a name, true (what is shown without a clip), false (nothing)
---@field curves? table<string, anim.love.Keys2D>
---@field events? table[] { time, name [, data] } or { time =, name =, data =, duration = }
---@field markers? table[] { time, name }
---@field root? { joint: string, translation: "x" | "y" | "xy" | nil, rotation: boolean? } takes root motion out of a joint

---@class anim.love.RigDescription2D
---@field joints anim.love.Joint2D[]
---@field sprites? anim.love.Sprite2D[] from behind to front
---@field clips? table<string, anim.love.Clip2D>
---@field images? table<string, love.Image> | fun(name: string): love.Image?

---@class anim.love.CharacterOptions2D
---@field graph? anim.GraphDescription | anim.Graph default: an empty one, for `graph:play`
---@field clips? table<string, anim.Clip> more than the rig's
---@field masks? table<string, anim.Mask | table>
---@field x? number
---@field y? number
---@field angle? number
---@field scale? number above 0, default 1
---@field facing? 1 | -1

--- Makes a rig of its description. It can be shared by any number of characters.
---@param description anim.love.RigDescription2D
---@return anim.love.Rig2D
function rig2d.newRig(description) end

--- The outline of a limb along x, a polygon for sprites: a circle at each end and what lies between.
---@param length number
---@param r1 number radius at 0, 0 or more
---@param r2? number radius at `length`; default r1
---@param parts? integer of each half circle, 1 to 1024; default 8
---@return number[] polygon
function rig2d.limb(length, r1, r2, parts) end

--- The `ground` of foot nodes from a function of the screen: `ground(x, y)` gives the ground's y there, and its normal if
--- it is not level; nil where there is none.
---@param ground fun(x: number, y: number): number?, number?, number?
---@param scale? number of the characters, above 0; default 1
---@return fun(x: number, y: number, z: number): number?, number?, number?, number?
function rig2d.ground(ground, scale) end

-- Rigs ------------------------------------------------------------------------------------------------

--- A model as well: `anim.newGraph`, `anim.view` and `anim.validate` take it.
---@class anim.love.Rig2D
---@field skeleton anim.Skeleton
---@field clips anim.Clip[] | table<string, anim.Clip> in byte order of the names, and by name
local Rig2D = {}

--- A character with a graph and a place of its own. Errors in the graph's description begin with "graph.".
---@param options? anim.love.CharacterOptions2D
---@return anim.love.Character2D
function Rig2D:newCharacter(options) end

--- A description as anim takes it: points of two numbers turned, `aim` and `stride` along x where they say nothing else.
--- For `anim.newGraph(rig, rig:describe(d))`.
---
--- Errors: limbs of `twoBone`, `foot` and `stride` that are straight at rest and have no pole; they would leave the plane.
---@param description anim.GraphDescription
---@return anim.GraphDescription
function Rig2D:describe(description) end

-- Characters ------------------------------------------------------------------------------------------

---@class anim.love.Character2D
---@field graph anim.Graph
local Character2D = {}

--- Its graph: parameters, events, nodes.
---@return anim.Graph
function Character2D:getGraph() end

--- The rig that it was made of.
---@return anim.love.Rig2D
function Character2D:getRig() end

--- Where it stands, as love.graphics.draw takes it; where an argument is wrong, as before. What is in world space in the graph (feet, springs) knows it from
--- then on.
---@param x number
---@param y number
---@param angle? number default 0
---@param sx? number default 1
---@param sy? number default sx
function Character2D:setTransform(x, y, angle, sx, sy) end

--- The place alone; turn and scale stay.
---@param x number
---@param y number
function Character2D:setPosition(x, y) end

--- As it was set.
---@return number x, number y, number angle, number sx, number sy
function Character2D:getTransform() end

--- 1: as the rig is described, -1: mirrored. Springs come to rest when it changes.
---@param facing 1 | -1
function Character2D:setFacing(facing) end

--- 1 or -1.
---@return 1 | -1
function Character2D:getFacing() end

--- From the rig's coordinates to the screen's.
---@param x number
---@param y number
---@return number x, number y
function Character2D:toWorld(x, y) end

--- From the screen's coordinates to the rig's.
---@param x number
---@param y number
---@return number x, number y
function Character2D:toRig(x, y) end

--- graph:update: time, events, pose.
---@param dt number seconds, 0 or more
---@param mute? "mute"
function Character2D:update(dt, mute) end

--- graph:advance.
---@param dt number seconds, 0 or more
---@param mute? "mute"
function Character2D:advance(dt, mute) end

--- graph:evaluate.
function Character2D:evaluate() end

--- What it moved by in the last update, on the screen and as it is turned, scaled and mirrored there. Add it to its place,
--- or give it to the physics.
---@return number dx, number dy, number angle clockwise
function Character2D:getRootMotion() end

--- Place of a joint on the screen.
---@param joint anim.Joint
---@return number x, number y
function Character2D:getPosition(joint) end

--- Place, direction of the x axis and scale of a joint on the screen, for what is drawn on it: love.graphics.draw(image,
--- character:getJoint("hand")).
---@param joint anim.Joint
---@return number x, number y, number angle, number sx, number sy below 0 where mirrored
function Character2D:getJoint(joint) end

--- The target of an IK node in model space (its default): a point of the screen. It counts in the next update.
---@param node anim.Node | string
---@param x number
---@param y number
---@param effector? integer of a chain, default 1
function Character2D:setTarget(node, x, y, effector) end

--- The pole of an IK node in model space, likewise.
---@param node anim.Node | string
---@param x number
---@param y number
function Character2D:setPole(node, x, y) end

--- What a sprite shows, whatever clips say: the name of a choice, true, false for nothing; nil: clips say it again.
---@param name string
---@param choice? string | boolean
function Character2D:setSprite(name, choice) end

--- The choice that is shown: its name, "" of a sprite that has only one look, or false.
---@param name string
---@return string | false
function Character2D:getSprite(name) end

--- Draws it with the color that is set. With arguments setTransform comes first: what is in world space counts with it
--- from the next update on.
---
--- Errors: no LÖVE, or no window; a sprite's image that is not there. LÖVE's stacks are then as before.
---@param x? number
---@param y? number
---@param angle? number
---@param sx? number
---@param sy? number
function Character2D:draw(x, y, angle, sx, sy) end

--- Draws its joints and bones as lines, with the color that is set.
function Character2D:drawSkeleton() end

--- graph:reload with a description in 2D: another graph while it runs.
---@param description anim.GraphDescription
function Character2D:reload(description) end

--- Another one in the same place, with the same graph and a state of its own.
---@param options? { seed: number? }
---@return anim.love.Character2D
function Character2D:clone(options) end

return rig2d
