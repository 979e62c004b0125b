---@meta anim.graph.players
--- Nodes that play one thing and then another. Never run. See docs/graph.md for how they work.

---@class anim.Graph
local Graph = {}
---@class anim.Node
local Node = {}

---@class anim.OneShotNode: anim.NodeDescription Plays something short over its base when it is fired.
---@field base anim.Child
---@field mask? anim.Mask | string
---@field fadeIn? number seconds of the node's clock, default .2; both are shortened alike where the shot is shorter
---@field fadeOut? number it begins this long before the end of the shot; default .2
---@field mode? "override" | "additive" default "override"

---@class anim.RandomNode: anim.NodeDescription Draws an input, plays it once, draws again.
---@field inputs? anim.Child[]
---@field weights? number[] chances, one an input; default 1 each
---@field seed? number the draws depend on it alone; default 0
---@field fade? number seconds, default 0
---@field avoidRepeat? boolean not the same twice in a row; default false
---@field every? "loop" | "enter" after each pass (default), or only when it starts or is reset

---@class anim.QueueNode: anim.NodeDescription Plays its inputs one after the other, each once.
---@field inputs? anim.Child[]
---@field loop? boolean begins again after the last; default false
---@field fade? number seconds, default 0

--- Adds a node that plays something once over its base when it is fired.
---@param description anim.OneShotNode
---@return anim.Node
function Graph:oneShot(description) end

--- Adds a node that draws one of its inputs, plays it, and draws again.
---@param description anim.RandomNode
---@return anim.Node
function Graph:random(description) end

--- Adds a node that plays its inputs one after the other.
---@param description anim.QueueNode
---@return anim.Node
function Graph:queue(description) end

--- oneShot: plays it from its start with the next update, once whatever its loop mode is; a blend for one pass. A machine
--- whose state loops, and a random node, go on until `stop`. While a shot is active, the new one fades in over it. `speed`
--- is a factor of the node's speed and leaves the fades alone.
---@param what? anim.Child default: what was fired last
---@param options? { speed: number?, fadeIn: number?, fadeOut: number? }
function Node:fire(what, options) end

--- oneShot: fades the shot out.
---@param fade? number seconds, default: the node's fadeOut
function Node:stop(fade) end

--- oneShot: fired, and not faded out yet.
---@return boolean
function Node:isActive() end

--- random: goes to an input with the next update; without one it draws.
---@param index? integer
function Node:pick(index) end

--- queue: puts something at the end. One that had ended goes on with it.
---@param child anim.Child
function Node:push(child) end

--- queue: goes to the next input with the next update, if there is one.
function Node:skip() end

--- queue: forgets what was played and what waits; what plays goes on, as the first.
function Node:clear() end

--- queue: which input plays; nil before the first update.
---@return integer?
function Node:getIndex() end
