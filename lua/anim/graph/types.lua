---@meta anim.graph
--- Graphs: what each function takes, gives and refuses. Never run. See docs/graph.md for how they work.
---
--- A node is described by a table with a `type`. Its children are nodes, nested descriptions, names of nodes, clips or
--- names of clips (a node's name comes first); parameters and masks are objects or names. A node has one parent.
---
--- A mistake in a description is an error with its path: `bad argument #2 to 'newGraph' (nodes.move[3]: threshold 1.5
--- is not above 1.5)`; the graph is then as it was.

local anim = {}

---@alias anim.Child anim.Node | anim.Clip | anim.Pose | string | anim.NodeDescription
---@alias anim.Source number | string | anim.Param a number, or a parameter to follow

---@class anim.NodeDescription
---@field type "clip" | "pose" | "mixer" | "blend1D" | "blend2D" | "direct" | "layers" | "script" | "machine" | "oneShot" | "random" | "queue" | "twoBone" | "chain" | "aim" | "foot" | "spring" | "stride" | "orient"
---@field name? string unique in the graph
---@field speed? anim.Source default 1; negative plays backwards

---@class anim.ClipNode: anim.NodeDescription
---@field clip anim.Clip | string
---@field loop? anim.LoopMode default: the clip's
---@field start? number seconds; default 0, or the end where it plays backwards once
---@field minWeight? number events below this weight don't fire; default 0
---@field followers? boolean in a synchronised group, its events fire though another member leads

---@class anim.PoseNode: anim.NodeDescription
---@field pose? anim.Pose copied; without one the rest pose

---@class anim.MixerNode: anim.NodeDescription
---@field inputs? anim.Child[]
---@field weights? anim.Source[] one an input; without them the first input has 1 and the others 0
---@field normalize? boolean default true; false: a sum below 1 is filled up with rest
---@field fallback? "first" | "rest" where all weights are 0; default "first"
---@field sync? boolean the inputs share one phase; default false
---@field fades? number[] seconds, one an input: what fadeTo takes if not told; default .2

---@class anim.Blend1DNode: anim.NodeDescription entries { threshold, child, speed = }, thresholds rising
---@field param string | anim.Param
---@field sync? boolean default true
---@field matchSpeed? boolean scales the rate (0.5 to 2) so that root motion is as fast as the parameter says

---@class anim.Blend2DNode: anim.NodeDescription entries { x, y, child, speed = }
---@field x string | anim.Param
---@field y string | anim.Param
---@field mode? "simple" | "directional" | "cartesian" | "triangulated" | "grid" | "idw" default "simple"
---@field power? number idw; default 2
---@field metric? "euclidean" | "manhattan" idw; default "euclidean"
---@field sync? boolean default true

---@class anim.DirectNode: anim.NodeDescription entries { parameter, child }
---@field normalize? boolean default false
---@field fallback? "first" | "rest" default "rest"

---@class anim.LayerEntry the first item is the child
---@field mask? anim.Mask | string
---@field weight? anim.Source default 1
---@field mode? "override" | "additive"
---@field space? "local" | "model" model: joints keep the model-space rotation of the layer's own pose
---@field sparse? boolean joints that the layer has no keys for are left alone; default true
---@field reference? anim.Clip | string | anim.Pose | table additive: what deltas are measured against, or { clip, time }; default: each clip's first key

---@class anim.LayersNode: anim.NodeDescription entries { child, mask =, weight =, ... } lie over the base in order
---@field base anim.Child

---@class anim.ScriptNode: anim.NodeDescription
---@field inputs? anim.Child[]
---@field weights? anim.Source[]
---@field update? fun(node: anim.Node, dt: number) in the logic pass: may set weights, times, parameters
---@field pose? fun(node: anim.Node, pose: anim.Pose, dt: number) in the pose pass; the Pose is valid inside only

---@class anim.GraphDescription
---@field params? table<string, number | boolean | "trigger" | table> { value, smooth =, deadZone =, curve = } or { "trigger", life = }
---@field masks? table<string, table> as anim.newMask takes them
---@field nodes? table<string, anim.NodeDescription>
---@field root? anim.Child

--- Makes a character: a graph of nodes, empty without a description. Clips by name come from `tables.clips`, else from
--- the model.
---@param model anim.Model | anim.Skeleton
---@param description? anim.GraphDescription
---@param tables? { clips: table<string, anim.Clip>?, masks: table<string, anim.Mask | table>? }
---@return anim.Graph
function anim.newGraph(model, description, tables) end

-- Graph -----------------------------------------------------------------------------------------------

---@class anim.Graph
local Graph = {}

--- Adds a node that has no parent yet. The functions below are `add` with their own type.
---@param description anim.NodeDescription
---@return anim.Node
function Graph:add(description) end

--- Adds a node that plays a clip.
---@param clip anim.Clip | string | anim.ClipNode
---@return anim.Node
function Graph:clip(clip) end

--- Adds a node that gives a pose.
---@param pose anim.Pose | anim.PoseNode
---@return anim.Node
function Graph:pose(pose) end

--- Adds a node that mixes its inputs by weights, and fades between them.
---@param description anim.MixerNode
---@return anim.Node
function Graph:mixer(description) end

--- Adds a node that blends the two entries around a parameter.
---@param description anim.Blend1DNode
---@return anim.Node
function Graph:blend1D(description) end

--- Adds a node that blends the entries around a point of two parameters.
---@param description anim.Blend2DNode
---@return anim.Node
function Graph:blend2D(description) end

--- Adds a node whose entries each have a parameter for a weight.
---@param description anim.DirectNode
---@return anim.Node
function Graph:direct(description) end

--- Adds a node that lays or adds layers over its base.
---@param description anim.LayersNode
---@return anim.Node
function Graph:layers(description) end

--- Adds a node that does what your functions do.
---@param description anim.ScriptNode
---@return anim.Node
function Graph:script(description) end

--- Adds a state machine.
---@param description anim.MachineNode
---@return anim.Node
function Graph:machine(description) end

--- Removes a node, with what was described in its place. Errors: it is the root, or an input of another.
---@param node anim.Node
function Graph:remove(node) end

--- Says which node is evaluated; nil for none. Times stay; what is not under the root stands still.
---@param root? anim.Child
function Graph:setRoot(root) end

--- The node that is evaluated; nil: none.
---@return anim.Node?
function Graph:getRoot() end

--- A node by its name, or the node of this graph that corresponds to one of a clone. nil where there is none.
---@param node string | anim.Node
---@return anim.Node?
function Graph:find(node) end

--- What it was made for.
---@return anim.Skeleton
function Graph:getSkeleton() end

--- Makes a parameter, or finds the one of this name, which keeps its value.
---
--- Errors: another kind; a word that conditions use (time phase remaining done true false and or not event during).
---@param name string
---@param value? number | boolean | "trigger" may be left out for one that is there
---@param options? { smooth: number?, deadZone: number?, curve: table?, life: number? }
---@return anim.Param
function Graph:param(name, value, options) end

--- All parameters, in order and by name.
---@return table<integer | string, anim.Param>
function Graph:getParams() end

--- Sets a parameter. Errors: a name that is not there, a value of another kind.
---@param name string
---@param value number | boolean
function Graph:set(name, value) end

--- Value of a parameter as the graph uses it: after dead zone, curve and smoothing.
---@param name string
---@return number | boolean
function Graph:get(name) end

--- Sets a trigger.
---@param name string
function Graph:fire(name) end

--- Takes a trigger back.
---@param name string
function Graph:cancel(name) end

--- Moves time and parameters, and queues events; calls nobody but script nodes. Past 64 passes of a clip in one step
--- the events of the passes in the middle are skipped.
---@param dt number seconds, 0 or more
---@param mute? "mute" queues no events
function Graph:advance(dt, mute) end

--- Tells the queued events to subscribers: what `update` does between the other two. With it a game can move the
--- character by what `advance` found before the pose is made.
function Graph:deliver() end

--- Makes the pose.
function Graph:evaluate() end

--- advance, then the queued events are told to subscribers, then evaluate. An error of a subscriber or script is
--- raised from here: the graph stays consistent, and events not yet told come with the next update.
---@param dt number seconds, 0 or more
---@param mute? "mute"
function Graph:update(dt, mute) end

--- Puts everything back as built: parameters, times, weights, pose.
function Graph:reset() end

--- Scales time, 1 at first; negative runs backwards.
---@param speed number
function Graph:setSpeed(speed) end

--- As setSpeed set it.
---@return number
function Graph:getSpeed() end

--- Plays a clip, crossfading from what plays now on its layer; the first one of all is there at once. The node that
--- stands for this play is removed when it has faded out. For what already plays and is neither finished nor fading
--- out nothing happens, and its node is returned.
---
--- Layer 0 is the whole body, 1 to 8 lie above it; a mask or `additive` means layer 1 if no layer is given. A layer
--- keeps its last mask. `onDone(node)` is called when the clip came to its end, not when it was interrupted.
---
--- Errors: a graph with a root of its own.
---@param clip anim.Clip | string
---@param options? number | { fade: number?, speed: number?, loop: anim.LoopMode?, restart: boolean?, start: number?, onDone: fun(node: anim.Node)?, layer: integer?, mask: anim.Mask | string?, additive: boolean? } a number is the fade; default .2
---@return anim.Node
function Graph:play(clip, options) end

--- Layer 0 fades to rest, others fade out. Without a layer: all.
---@param fade? number seconds; default .2
---@param layer? integer 0 to 8
function Graph:stop(fade, layer) end

--- Calls `fn` for each event of this name: the clips' own, "loop" (data: the pass that ended), "done", "*" for all. It
--- may change the graph, subscribe and cancel; that counts from the next advance on. Updating this graph in it is an
--- error. `time` is the event's in its clip, `edge` is "begin" or "end" for events that last. `node` is nil where it
--- was removed meanwhile.
---@param name string
---@param fn fun(name: string, data: any, node: anim.Node?, clip: anim.Clip, time: number, weight: number, edge: "begin" | "end" | nil)
---@return anim.Subscription
function Graph:on(name, fn) end

--- Iterates the queued events, and takes them out: after advance all, after update those nobody subscribed to.
---@return fun(): string?, any, anim.Node?, anim.Clip, number, number, string? name, data, node, clip, time, weight, edge
function Graph:events() end

--- Iterates what is heard: for audio and other things that follow the graph. One iteration at a time.
---@return fun(): anim.Clip?, number, number, anim.Node clip, time, weight, node
function Graph:active() end

--- Whether a clip with weight is inside an event of this name that lasts.
---@param name string
---@return boolean
function Graph:isDuring(name) end

--- Local transform of a joint, at rest before the first update.
---@param joint anim.Joint
---@return number tx, number ty, number tz, number qx, number qy, number qz, number qw, number sx, number sy, number sz
function Graph:getJoint(joint) end

--- Model-space matrix of a joint, column-major.
---@param joint anim.Joint
---@return number ... sixteen
function Graph:getMatrix(joint) end

--- Model-space position of a joint.
---@param joint anim.Joint
---@return number x, number y, number z
function Graph:getPosition(joint) end

--- Copies the pose.
---@param pose? anim.Pose default: a new one
---@return anim.Pose
function Graph:getPose(pose) end

--- What the character moved by in the last advance, in its own frame before it. Needs clips with root motion.
---@return number dx, number dy, number dz, number qx, number qy, number qz, number qw
function Graph:getRootMotion() end

--- A scalar curve, blended like the pose. A clip without it counts as `missing`, and so does silence.
---@param name string
---@param missing? number default 0
---@return number
function Graph:getCurve(name, missing) end

--- A property of the heaviest clip that has it; nil where none does.
---@param name string
---@return anim.Value?
function Graph:getProperty(name) end

--- Weight of a morph target of the model: its curve blended like the pose, the mesh's own weight where no clip has it.
---@param mesh integer | string index or name in model.morphs
---@param target integer | string
---@return number
function Graph:getMorph(mesh, target) end

--- Writes the palette of a skin (model matrix times inverse bind of each joint) as floats.
---
--- Errors: too little room behind the offset; memory whose size is not known, such as a bare FFI pointer.
---@param skin anim.Skin
---@param target any LÖVE Data, FFI array or anim.Buffer
---@param offset? integer bytes, a multiple of 4
---@param layout? "4x4" | "3x4" columns of four (default), or three rows of four
function Graph:writePalette(skin, target, offset, layout) end

--- The palette in a Buffer that is this graph's: the next call for the same skin and layout writes it again.
---@param skin anim.Skin
---@param layout? "4x4" | "3x4"
---@return anim.Buffer
function Graph:getPalette(skin, layout) end

--- The palette as a new string.
---@param skin anim.Skin
---@param layout? "4x4" | "3x4"
---@return string bytes
function Graph:getPaletteString(skin, layout) end

--- Makes another character with the same nodes and a state of its own, as built. What is built is shared until one of
--- them is edited; subscriptions are not copied.
---@param options? { seed: number? }
---@return anim.Graph
function Graph:clone(options) end

--- Gives the whole run-time state; not what is built, nor events not yet told.
---@return string
function Graph:save() end

--- Goes back to a saved state, of this graph, a clone or one built alike.
---@param bytes string
---@return true? restored, string? problem
function Graph:restore(bytes) end

--- A hash of state and pose: equal where both are to the bit.
---@param what? "state" without the pose
---@return string
function Graph:hash(what) end

--- Gives a description that builds an equal graph; clips and masks by name where the model or the tables have them.
---@return anim.GraphDescription
function Graph:describe() end

--- What the graph is doing; `tostring` of it is a text. Nodes with weight in depth-first order, parameters, queued
--- events, events lost because nobody took them, passes skipped in long steps. A machine's entry has `machine`: its
--- state, and each transition out of it with the parts of the condition that are false (`missing`).
---@return { time: number, nodes: table[], params: table<string, number | boolean>, events: table[], lost: integer, skipped: integer }
function Graph:inspect() end

--- Takes another description for a character that is alive (hot reload). Parameters keep their values, machines their
--- state by name, clips their phase, solvers the targets and weights that were set, where the new description has them
--- too; what the pose jumped by fades away in .2 s. No time passes and no transition is taken. In a callback, too. Nodes
--- are new: find them again by name. On an error the graph stays as it was.
---@param description anim.GraphDescription
function Graph:reload(description) end

--- Graphviz text of the nodes and machines, with the weights they have now.
---@return string
function Graph:toDot() end

--- Lets go of everything now; handles to its nodes then raise when used. Inside an update it takes effect after it.
function Graph:release() end

-- Subscription, Buffer --------------------------------------------------------------------------------

--- Collecting it does not cancel it.
---@class anim.Subscription
local Subscription = {}

--- Its function hears nothing any more.
function Subscription:cancel() end

--- False when cancelled, or its node or graph is gone.
---@return boolean
function Subscription:isActive() end

--- Cancels it, and lets go of the handle.
function Subscription:release() end

--- Makes memory for palettes.
---@param size integer bytes
---@return anim.Buffer
function anim.newBuffer(size) end

---@class anim.Buffer
local Buffer = {}

--- What it was made with.
---@return integer bytes
function Buffer:getSize() end

--- For FFI and C: a light userdata.
---@return lightuserdata
function Buffer:getPointer() end

--- A copy of what is in it.
---@return string
function Buffer:getString() end

--- See Skeleton:release.
function Buffer:release() end
