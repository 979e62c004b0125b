---@meta anim.graph.node
--- Nodes and parameters: what one can ask of them and change while the graph runs. Never run. See docs/graph.md.

-- Node ------------------------------------------------------------------------------------------------

--- A handle: it keeps its graph, and raises when used after its node was removed.
---
--- Without time of their own, blends and mixers that are not synchronised show their heaviest input's, layers their
--- base's.
---@class anim.Node
local Node = {}

--- Seconds in the clip, or in a pass of a synchronised group.
---@return number
function Node:getTime() end

--- A seek: wraps in loops, else is clamped. With `fire` the events between are told with the next update.
---@param time number seconds
---@param fire? boolean
function Node:setTime(time, fire) end

--- How far through the clip or pass it is, 0 to 1.
---@return number
function Node:getPhase() end

--- A seek like setTime, to a part of the duration.
---@param phase number
---@param fire? boolean
function Node:setPhase(phase, fire) end

--- Rate of the node in its parent: 1 is as made.
---@return number
function Node:getSpeed() end

--- Sets the rate; negative plays backwards. Errors: a speed that follows a parameter.
---@param speed number
function Node:setSpeed(speed) end

--- Length of a pass at speed 1.
---@return number seconds
function Node:getDuration() end

--- Seconds to the end at the present speed.
---@return number
function Node:getRemaining() end

--- Goes on; what came to its end starts again. A machine with a state: goes there with the next advance, whatever it
--- fades now; nothing happens if it is the current one.
---@param state? string
---@param fade? number seconds, default .2
function Node:play(state, fade) end

--- Its time stops, until `play`.
function Node:pause() end

--- False while it is paused; what came to its end still counts as playing.
---@return boolean
function Node:isPlaying() end

--- Whether it came to its end; loops never do.
---@return boolean
function Node:isDone() end

--- Its share of the whole pose in the last update; the root has 1, what is not reached 0.
---@return number
function Node:getWeight() end

--- Its kind, as in the description: "clip", "blend1D", ...
---@return string
function Node:getType() end

--- As described; nil: it has none.
---@return string?
function Node:getName() end

--- The graph that it is in.
---@return anim.Graph
function Node:getGraph() end

--- Puts it back as built, with all below it.
function Node:reset() end

--- Like Graph:on, for events of this node and of those below it.
---@param name string
---@param fn function
---@return anim.Subscription
function Node:on(name, fn) end

--- The node in a place; nil: nothing is there. Layers are inputs from 1; 0 is their base.
---@param index integer
---@return anim.Node?
function Node:getInput(index) end

--- How many inputs it has; layers: without the base.
---@return integer
function Node:getInputCount() end

--- Its part of the node's weight in the last update.
---@param index integer
---@return number
function Node:getInputWeight(index) end

--- Puts another child in a place. The one before is free again, or gone if it was described in that place.
---@param index integer
---@param child anim.Child
function Node:setInput(index, child) end

--- Adds what an entry of the description is: a table, or its values one after the other. A mixer takes `addInput(child
--- [, weight [, fade]])`, a machine `addInput(name, state)`. Gives its index: blend1D keeps thresholds in order,
--- machines the names of their states. Of a machine only states can be removed that no transition names.
---@param ... any
---@return integer
function Node:addInput(...) end

--- Takes an input out. Later indices move down. See setInput for the child.
---@param index integer
function Node:removeInput(index) end

--- mixer, script, layers: sets a weight, at once or in some seconds. Below 0 counts as 0.
---@param index integer
---@param weight number
---@param seconds? number
function Node:setWeight(index, weight, seconds) end

--- layers: sets a weight, at once or in some seconds.
---@param index integer
---@param weight number
---@param seconds? number default 0
function Node:setLayerWeight(index, weight, seconds) end

--- mixer: fades to one input; the weights always sum to 1. What reached 0 is paused and rewound, unless `rewind` is
--- false: then it goes on later where it stopped. In a sync group an input stays where the group is instead.
---@param index integer
---@param seconds? number default: the input's `fades`, .2 without them
---@param rewind? boolean default true
function Node:fadeTo(index, seconds, rewind) end

--- mixer, machine: whether a fade is going on.
---@return boolean
function Node:isFading() end

--- machine: the current state; while one fades in, that one.
---@return string
function Node:getState() end

--- machine: the state that fades out; after an interruption the one that was left last; nil where nothing fades.
---@return string?
function Node:getSource() end

--- machine: how much of the fade's time is over, 0 to 1; 1 where nothing fades.
---@return number
function Node:getProgress() end

--- machine: goes there over the shortest way of transitions, conditions ignored, each as soon as the fade before is
--- over. Errors: there is no way.
---@param state string
function Node:travel(state) end

--- machine: its last transitions, newest first; a graph keeps 32.
---@param most? integer
---@return anim.TraceEntry[]
function Node:getTrace(most) end

--- mixer: the input that fadeTo went to last; nil before.
---@return integer?
function Node:getTarget() end

--- clip: another clip, from its start or at the phase of the old one.
---@param clip anim.Clip | string
---@param keepPhase? boolean
function Node:setClip(clip, keepPhase) end

--- clip: the clip that it plays.
---@return anim.Clip
function Node:getClip() end

--- clip: another loop mode; it stays at its phase.
---@param loop anim.LoopMode
function Node:setLoop(loop) end

--- clip: its loop mode.
---@return anim.LoopMode
function Node:getLoop() end

--- pose: another pose. It is copied, and shown by the next evaluate.
---@param pose anim.Pose
function Node:setPose(pose) end

--- Lets go of this handle; the node stays in its graph.
function Node:release() end

-- Param -----------------------------------------------------------------------------------------------

---@class anim.Param
local Param = {}

--- Sets it. A trigger takes true and false.
---@param value number | boolean
function Param:set(value) end

--- Its value after dead zone, curve and smoothing.
---@return number | boolean
function Param:get() end

--- Its value as it was set, before dead zone, curve and smoothing.
---@return number | boolean
function Param:getTarget() end

--- Sets a trigger.
function Param:fire() end

--- Takes a trigger back.
function Param:cancel() end

--- Follows what is set as a critically damped spring: the same for any frame rate. 0: at once. So does what is set
--- before the first update.
---@param seconds number
---@return anim.Param self
function Param:smooth(seconds) end

--- Lets small values count as none: |v| <= radius gives 0; above it (|v| - radius) / (1 - radius) along v.
---@param radius number 0 to below 1
---@return anim.Param self
function Param:deadZone(radius) end

--- Maps the value through points {x, y} with rising x, linear between them and clamped outside.
---@param points number[][] | number[] { {x, y}, ... } or { x, y, x, y, ... }
---@return anim.Param self
function Param:curve(points) end

--- Its name.
---@return string
function Param:getName() end

--- The graph that it is in.
---@return anim.Graph
function Param:getGraph() end

--- Lets go of this handle; the parameter stays.
function Param:release() end
