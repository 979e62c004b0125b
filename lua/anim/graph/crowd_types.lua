---@meta anim.graph.crowds
--- Crowds: many graphs in one call, on several threads. Never run. See docs/crowd.md for how they work.

local anim = {}

---@class anim.CrowdDescription
---@field threads? integer 1 to 256: so many work, the calling one among them; default: the cores that the process may use

--- Makes a crowd: many graphs in one call, on several threads. These wait until there is work; they end with the crowd.
---@param description? anim.CrowdDescription
---@return anim.Crowd
function anim.newCrowd(description) end

--- What comes of an update is the same, bit for bit, for any number of threads, and the same as `graph:update` for one
--- graph after the other in the order of adding, events and root motion included.
---
--- Graphs with script nodes, conditions that are functions, a `ground` function or targets in other graphs, and those
--- that are recorded, are moved on the calling thread: when all that was added before them is done with, and nothing
--- that was added after them has begun. Add them one after the other: between two of them there is little to share out.
---
--- Between two such graphs all advance, then events are told, graph by graph in the order of adding, then all evaluate.
--- So what a callback does to another graph of the crowd finds it advanced, and not yet evaluated.
---@class anim.Crowd
---@operator len: integer
local Crowd = {}

--- Adds a graph, and keeps it alive. It is still yours: parameters, targets, edits, `clone`, `update` by hand. An error
--- where it is in a crowd already. While an update runs: it takes part from the next one on.
---@param graph anim.Graph
---@return anim.Graph graph
function Crowd:add(graph) end

--- Takes a graph out. Released graphs leave by themselves.
---@param graph anim.Graph of this crowd
function Crowd:remove(graph) end

--- Advances all graphs, delivers events, evaluates.
---
--- When a callback raises, nobody is told anything more: the error reaches the caller when all graphs have moved, what
--- was not delivered comes with the next update, and the graph that was told keeps its last pose. Errors of scripts
--- likewise; of several the first counts.
---@param dt number seconds, 0 or more
---@param mode? "mute" queues no events
function Crowd:update(dt, mode) end

--- Hears events of all its graphs, in `update` and when one is updated by hand. Subscriptions of a crowd, its graphs
--- and their nodes hear an event in the order in which they were made; a new one of the crowd hears from the next
--- update on. `node:getGraph()` tells whose it is.
---@param name string name of an event, "*" for all, "loop", "done", "enter", "exit"
---@param fn fun(name: string, data: any, node: anim.Node, clip: anim.Clip?, time: number, weight: number, edge: string?)
---@return anim.Subscription
function Crowd:on(name, fn) end

--- Makes the pose of a graph less often: when so many seconds of updates have gone by since it was made last. What is
--- shown in between is the mix of its last two poses at the time of now less `seconds`, so it is late by that much:
--- joint by joint, translation and scale linear, rotation on the shorter arc (normalised linear). Parameters,
--- transitions, events, curves and root motion are those of each update. Graphs take turns, so that not all evaluate in
--- the same update. `save` and `hash("state")` know nothing of it.
---@param graph anim.Graph of this crowd
---@param seconds number 0: in each update again
function Crowd:setRate(graph, seconds) end

--- As setRate set it; 0 at first.
---@param graph anim.Graph of this crowd
---@return number seconds
function Crowd:getRate(graph) end

--- The palettes of all graphs with the skin's skeleton, one behind the other in the order of adding, made by all
--- threads. The same Buffer each time; what it holds is valid until the next call.
---@param skin anim.Skin
---@param layout? "3x4" | "4x4" default "4x4"
---@return anim.Buffer
function Crowd:getPalettes(skin, layout) end

--- Where a graph's palette begins in there. It changes when graphs that were added before it leave.
---@param graph anim.Graph of this crowd
---@param skin anim.Skin of its skeleton
---@param layout? "3x4" | "4x4" default: that of the last getPalettes of this skin, or "4x4"
---@return integer bytes
function Crowd:getOffset(graph, skin, layout) end

--- Threads that work, the calling one among them.
---@return integer
function Crowd:getThreads() end

--- Ends it and its threads now; its graphs leave it and live on. Inside an update it takes effect after it.
function Crowd:release() end
