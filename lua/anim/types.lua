---@meta anim
--- The functions of `anim`, for editors and readers: what each takes, gives and refuses. Never run.
---
--- Seconds, radians, metres as the file has them; right-handed, Y up; quaternions x, y, z, w; 4x4 matrices
--- column-major. Joints are given by 1-based index or by name. Times, weights and other numbers must be
--- finite.
---
--- A mistake in the script raises an error that names the argument, or the path of a key in a table:
--- `bad argument #1 to 'newClip' (tracks.hand.rotation.times[3]: finite number expected, got nan)`. A fault
--- of a file gives `nil, message` and never raises.
---
--- Skeleton, Clip, Mask and Skin never change once built: share them between characters as you like.

local anim = {}

--- Of this library, as "major.minor.patch".
anim.version = "0.1.0"

---@alias anim.Joint integer | string index (1 to #skeleton) or name
---@alias anim.LoopMode boolean | "pingpong" repeat, play once, or there and back
---@alias anim.Mode "linear" | "step" | "cubic"
---@alias anim.Channel "translation" | "rotation" | "scale"
---@alias anim.Value boolean | number | string

-- Skeletons -------------------------------------------------------------------------------------------

---@class anim.JointDescription
---@field name string unique, 1 to 1,024 bytes
---@field parent? string | integer name, or place in the same list; none: a root. In any order
---@field translation? number[] three, default 0 0 0
---@field rotation? number[] four, default 0 0 0 1; normalised, zero length is an error
---@field scale? number[] three, default 1 1 1

--- Builds a skeleton. The joints of the skeleton are in depth-first order, parents before children and
--- siblings as given, so their indices may differ from the places in the list.
---
--- Errors: no joint, a name that stands twice, a parent that is not there, parents in a circle.
---@param joints anim.JointDescription[]
---@return anim.Skeleton
function anim.newSkeleton(joints) end

---@class anim.Skeleton
---@operator len: integer
local Skeleton = {}

--- Index of a joint, or nil where there is none of that name.
---@param name string
---@return integer?
function Skeleton:find(name) end

---@param joint anim.Joint
---@return string
function Skeleton:getName(joint) end

--- Index of the joint above; nil for a root.
---@param joint anim.Joint
---@return integer?
function Skeleton:getParent(joint) end

--- Indices of the joints right below, in order.
---@param joint anim.Joint
---@return integer[]
function Skeleton:getChildren(joint) end

--- The rest pose of a joint, relative to its parent.
---@param joint anim.Joint
---@return number tx, number ty, number tz, number qx, number qy, number qz, number qw, number sx, number sy, number sz
function Skeleton:getRest(joint) end

--- Bytes it takes.
---@return integer
function Skeleton:getSize() end

--- Lets go of it now instead of when it is collected. Any further use of this handle is an error; what
--- was made from the skeleton lives on.
function Skeleton:release() end

-- Clips -----------------------------------------------------------------------------------------------

---@class anim.Keys
---@field times number[] seconds, 0 or more. Keys out of order or twice at one time are repaired (the later wins) with a warning
---@field values number[] flat: 3 numbers a key for translation and scale, 4 for rotation, 1 for a curve; cubic: in-tangent, value, out-tangent a key
---@field mode? anim.Mode default "linear"

---@class anim.JointTracks
---@field translation? anim.Keys
---@field rotation? anim.Keys not unit: normalised with a warning; of length zero: an error
---@field scale? anim.Keys

---@class anim.PropertyKeys
---@field times number[]
---@field values anim.Value[] one a key; never mixed

---@class anim.Event
---@field time number seconds, 0 to the clip's duration
---@field name string
---@field data? any any Lua value; it lives as long as the clip or one made from it
---@field duration? number seconds; makes it a range event. It must end within the clip

---@class anim.Marker
---@field time number seconds, 0 to the clip's duration
---@field name string

---@class anim.ClipDescription
---@field name? string default "clip"
---@field skeleton anim.Skeleton
---@field duration? number seconds; default: the time of the last key
---@field loop? anim.LoopMode default true
---@field tracks? table<anim.Joint, anim.JointTracks> what is not in it rests
---@field curves? table<string, anim.Keys> numbers that are blended like the pose
---@field properties? table<string, anim.PropertyKeys>
---@field events? anim.Event[]
---@field markers? anim.Marker[] sync markers

--- Builds a clip. Unknown keys, wrong numbers of values and numbers that are not finite are errors that
--- name the place. What was repaired is told by `clip:getWarnings()`.
---@param description anim.ClipDescription
---@return anim.Clip
function anim.newClip(description) end

---@class anim.Clip
local Clip = {}

---@return string
function Clip:getName() end

--- Seconds.
---@return number
function Clip:getDuration() end

--- Seconds to the last key of any track; 0 without keys.
---@return number
function Clip:getLastKey() end

---@return anim.LoopMode
function Clip:getLoop() end

---@return anim.Skeleton
function Clip:getSkeleton() end

--- By time. Integral numbers come back as integers where Lua has them.
---@return anim.Event[]
function Clip:getEvents() end

--- By time.
---@return anim.Marker[]
function Clip:getMarkers() end

--- What newClip repaired in its description; clips made from the clip say the same. Clips of a file: see
--- the model's warnings.
---@return string[]
function Clip:getWarnings() end

--- Bytes of the clip and its keys. Clips made by addEvent and withLoop share the keys.
---@return integer
function Clip:getSize() end

--- Whether it holds deltas (toAdditive).
---@return boolean
function Clip:isAdditive() end

--- The channels of a joint that have keys: none to three values.
---@param joint anim.Joint
---@return anim.Channel? first, anim.Channel? second, anim.Channel? third
function Clip:getChannels(joint) end

--- The keys of one channel as newClip takes them; nil where there are none. A copy: for tools. Of a packed track: a key
--- a frame.
---@param joint anim.Joint
---@param channel anim.Channel
---@return anim.Keys?
function Clip:getTrack(joint, channel) end

--- Names of the scalar curves, in byte order.
---@return string[]
function Clip:getCurves() end

--- Value of a curve at a time, clamped to its keys; nil where the clip has no such curve.
---@param name string
---@param time number seconds
---@return number?
function Clip:getCurve(name, time) end

--- Names of the properties, in byte order.
---@return string[]
function Clip:getProperties() end

--- Value of a property at a time: that of the key at or before; nil where the clip has no such property.
---@param name string
---@param time number seconds
---@return anim.Value?
function Clip:getProperty(name, time) end

--- Writes the pose at a time into `pose`: clamped at both ends, never wrapped. Joints and channels without
--- keys are at rest. An additive clip writes deltas; then `pose:isAdditive()`. Allocates nothing.
---
--- Errors: a pose of another skeleton (names or parents differ).
---@param time number seconds
---@param pose anim.Pose
function Clip:sample(time, pose) end

--- A new clip with one event more, which shares the keys.
---@param time number seconds, 0 to the duration
---@param name string
---@param data? any
---@return anim.Clip
function Clip:addEvent(time, name, data) end

--- A new clip with another loop mode, which shares the keys.
---@param mode anim.LoopMode
---@return anim.Clip
function Clip:withLoop(mode) end

--- The part from t0 to t1, moved to 0; 0 <= t0 < t1 <= duration. Events and markers inside stay, ranges
--- are cut.
---@param t0 number seconds
---@param t1 number seconds
---@return anim.Clip
function Clip:slice(t0, t1) end

--- Played backwards; markers and events with it.
---@return anim.Clip
function Clip:reverse() end

--- Mirrored through the plane square to an axis of model space: "x" exchanges left and right of a
--- character that looks along z. The rest pose stays the rest pose.
---
--- `pairs` says which names change sides, each pair once: `{ ["arm.L"] = "arm.R" }` or
--- `{ { "arm.L", "arm.R" } }`; other joints stay on their side. Without it, joints whose names differ in
--- one of the words left/right or L/R are pairs ("arm.L", "LeftArm", "Bip01 R Hand"). Names of events,
--- markers, curves and properties change sides in the same way.
---
--- Errors: a name that nothing has, a name in two pairs.
---@param axis "x" | "y" | "z"
---@param pairs? table<string, string> | string[][]
---@return anim.Clip
function Clip:mirror(axis, pairs) end

---@class anim.RetargetOptions
---@field feet? boolean | [anim.Joint, anim.Joint] legs are bent so that the feet keep their height above the floor and stay where the clip's stay; which joints of `skeleton` are feet is found, or told
---@field root? anim.Joint | false the joint of the clip that carries the body, which is in the map; false: no joint takes its place from the clip. Default: where the legs hang
---@field pose? anim.Pose of the clip's skeleton, in which it stands like the other at rest. Default: its rest pose, or the clip's first where nobody could stand in that
---@field targetPose? anim.Pose of `skeleton`, in the place of its rest pose
---@field copy? boolean keys are copied as they are, as without a map

--- For another skeleton. The second value lists the joints that the clip moves but that nothing was bound to.
---
--- Without map and options, for skeletons with the same joints of other size: joints are bound by name, their keys
--- kept; translations are scaled by the ratio of the bones' lengths, except for roots.
---
--- With a map (the clip's joint to the skeleton's, or to false for none; the rest by name; see `anim.guessMap`), for
--- skeletons whose joints have other axes, rest poses and sizes: arms, legs and fingers point where the clip's do, in
--- model space, all else turns away from rest as the clip's does. Up becomes up, front becomes front. The hips' place
--- is scaled by the length of the legs; other joints keep their places unless they come loose. Joints between those of
--- the map keep their rest rotation, all keep their rest scale. There are keys at the times of the clip's, and between
--- them where they lie far apart.
---
--- Errors: joints in the map that are not there, two for one; with a map, an additive clip (retarget what it was made
--- of); `feet` where the map has no legs of three joints.
---@param skeleton anim.Skeleton
---@param map? table<anim.Joint, anim.Joint | false>
---@param options? anim.RetargetOptions
---@return anim.Clip clip, string[] unbound
function Clip:retarget(skeleton, map, options) end

--- The clip as deltas against a reference, for additive layers and `pose:add`: a pose, another clip at
--- `time` (default 0), or (nothing, or nil and a time) the clip itself at its first key or at `time`.
---
--- Errors: a clip or reference that is additive already, a reference of another skeleton.
---@param reference? anim.Clip | anim.Pose
---@param time? number seconds
---@return anim.Clip
function Clip:toAdditive(reference, time) end

--- Takes what moves the character out of a joint: the clip then plays in place, and a graph gives what was taken
--- as `graph:getRootMotion()`. Both applied together give the clip back.
---
--- Errors: neither axes; a joint that is not there; a clip that has root motion already, or is additive.
---@param what { joint: anim.Joint, translation: string?, rotation: "x" | "y" | "z"? } axes of translation such as "xz"; axis of the turn
---@return anim.Clip
function Clip:withRootMotion(what) end

---@class anim.PackOptions
---@field error? number metres, above 0: how far joints may be off in model space, with points 3 cm around each of them; default 1e-4
---@field form? "small" | "fast" default small: the fewest bytes; fast: several times larger, sampled in a third of the time
---@field rate? number frames a second, above 0; default: what the keys need

---@class anim.PackReport
---@field form "small" | "fast"
---@field bytes integer of the joints' tracks, packed and as keys
---@field ratio number how many times smaller that is than before
---@field maxError number metres, measured with the decoder at frames, halves and eighths over all joints
---@field meanError number metres
---@field worstJoint string
---@field worstTime number seconds
---@field seconds number of processor time that packing took
---@field frames integer
---@field rate number frames a second
---@field exact { joint: string, channel: anim.Channel }[] tracks that stayed keys

--- The clip with its tracks packed into frames; it is used like any other. Steps stay exact keys, and so does what
--- cannot be kept within the error. A loop that closes still closes, to the bit. Clips made from a packed one by
--- addEvent and withLoop stay packed, those by slice, reverse, mirror, retarget, toAdditive and withRootMotion hold
--- keys. Packing what is packed unpacks it first; the error is then counted against that.
---@param options? anim.PackOptions
---@return anim.Clip clip, anim.PackReport report
function Clip:pack(options) end

--- How the clip is packed; nil: it is not.
---@return "small" | "fast" | nil
function Clip:getForm() end

--- See Skeleton:release.
function Clip:release() end

-- Masks -----------------------------------------------------------------------------------------------

--- How much of each joint a layer reaches. A list of joints: these and all below them, fully. A table of
--- weights, 0 to 1: each for the joint and all below it, the nearest above a joint wins; with
--- `{ weight, only = true }` for that joint alone. Both may be in one table. Other joints: 0.
---
--- Errors: joints that are not there or stand twice, weights outside 0 to 1.
---@param skeleton anim.Skeleton
---@param joints table<integer, anim.Joint> | table<string, number | { [1]: number, only: boolean? }>
---@return anim.Mask
function anim.newMask(skeleton, joints) end

---@class anim.Mask
local Mask = {}

--- 0 to 1.
---@param joint anim.Joint
---@return number
function Mask:getWeight(joint) end

---@return anim.Skeleton
function Mask:getSkeleton() end

--- See Skeleton:release.
function Mask:release() end

-- Poses -----------------------------------------------------------------------------------------------

--- A pose at rest: a local transform for each joint. Its methods allocate nothing on the Lua heap, but
--- for getPaletteString. Use it from one thread at a time.
---@param skeleton anim.Skeleton
---@return anim.Pose
function anim.newPose(skeleton) end

---@class anim.Pose
local Pose = {}

--- The local transform of a joint.
---@param joint anim.Joint
---@return number tx, number ty, number tz, number qx, number qy, number qz, number qw, number sx, number sy, number sz
function Pose:get(joint) end

--- Sets the local transform of a joint. The rotation is normalised; one of length zero is an error.
---@param joint anim.Joint
---@param tx number
---@param ty number
---@param tz number
---@param qx number
---@param qy number
---@param qz number
---@param qw number
---@param sx number
---@param sy number
---@param sz number
function Pose:set(joint, tx, ty, tz, qx, qy, qz, qw, sx, sy, sz) end

--- All joints to the skeleton's rest pose.
function Pose:toRest() end

--- Becomes a copy of another pose of the same skeleton.
---@param other anim.Pose
function Pose:copy(other) end

--- Override layer: towards `other` by weight times mask, rotations the shorter way. Weights below 0 count
--- as 0, above 1 as 1; at 0 every bit stays.
---
--- Errors: poses or a mask of another skeleton, additive poses.
---@param other anim.Pose
---@param weight number
---@param mask? anim.Mask
function Pose:blend(other, weight, mask) end

--- Additive layer: adds deltas, weight times mask. Weights below 0 count as 0; above 1 the delta is
--- applied more than once.
---
--- Errors: `additive` was not sampled from an additive clip (Clip:toAdditive), or this pose was.
---@param additive anim.Pose
---@param weight number
---@param mask? anim.Mask
function Pose:add(additive, weight, mask) end

--- The model-space matrix of a joint: sixteen numbers, column-major.
---
--- Errors: an additive pose has no model space; the same for the next three.
---@param joint anim.Joint
---@return number ... sixteen
function Pose:getMatrix(joint) end

--- The model-space position of a joint.
---@param joint anim.Joint
---@return number x, number y, number z
function Pose:getPosition(joint) end

--- Places a joint in model space; its local transform follows, those of other joints stay. Shear is
--- dropped.
---
--- Errors: a last row that is not 0 0 0 1; a scale of zero above the joint.
---@param joint anim.Joint
---@param ... number sixteen, column-major
function Pose:setMatrix(joint, ...) end

--- The palette of a skin: model matrix times inverse bind matrix of each of its joints, as floats.
---@param skin anim.Skin
---@param layout? "3x4" | "4x4" three rows of four (default), or four columns of four
---@return string bytes 48 or 64 a joint
function Pose:getPaletteString(skin, layout) end

---@return anim.Skeleton
function Pose:getSkeleton() end

--- Whether it holds deltas: the last thing sampled into it was an additive clip.
---@return boolean
function Pose:isAdditive() end

--- See Skeleton:release.
function Pose:release() end

-- Skins -----------------------------------------------------------------------------------------------

--- What a mesh is bound to. The length is the number of its joints.
---@class anim.Skin
---@operator len: integer
local Skin = {}

--- "" where the file has none.
---@return string
function Skin:getName() end

---@return anim.Skeleton
function Skin:getSkeleton() end

--- The joint of the skeleton that a joint of the skin is.
---@param i integer 1 to #skin
---@return integer
function Skin:getJoint(i) end

--- From model space in the bind pose to the joint: sixteen numbers, column-major.
---@param i integer 1 to #skin
---@return number ... sixteen
function Skin:getInverseBind(i) end

--- Bytes it takes.
---@return integer
function Skin:getSize() end

--- See Skeleton:release.
function Skin:release() end

-- Models and files ------------------------------------------------------------------------------------

---@class anim.Morph
---@field name string of the mesh
---@field targets string[]
---@field curves string[] the clips' curve that drives each target
---@field weights number[] at rest

--- A plain table, yours to change.
---@class anim.Model
---@field name string the file's name, without directories
---@field skeleton anim.Skeleton
---@field clips anim.Clip[] | table<string, anim.Clip> in file order, and by name
---@field skins anim.Skin[]
---@field morphs anim.Morph[]
---@field warnings string[] what the file had that was ignored or repaired

---@class anim.LoadOptions
---@field nodes? "skin" | "all" glTF: joints of skins and what moves or holds them (default), or every node. A file without skins keeps all
---@field scene? integer glTF: which scene, from 1; default: the file's own choice
---@field trim? boolean move the first key of each clip to 0; default false
---@field loop? anim.LoopMode | string[] | fun(name: string): anim.LoopMode? for all clips; names of those that repeat, the others play once; or a function (nil: once). Default: as the file says, else true
---@field pack? boolean | { error: number?, form: "small" | "fast" | nil } packs the clips (Clip:pack) but those that are in that form already; default false
---@field rate? number frames a second of packed clips; default: what the keys need. Concerns packing only
---@field scale? number BVH: lengths times this, above 0
---@field positions? "absolute" | "relative" BVH: position channels replace the offset (default) or add to it
---@field read? fun(uri: string): string?, string? bytes of another file that this one names, or nil and why not. It may not yield. Default for load: the file beside it; absolute paths and schemes are refused

--- Loads glTF 2.0 (.gltf, .glb), BVH or .anim, by content, not by the name's ending.
---
--- nil and a message where the file cannot be read or is not right: path, place in the file, what was
--- expected. What `read` raises becomes the message too; what `loop` raises is raised.
---@param path string
---@param options? anim.LoadOptions
---@return anim.Model? model, string? message
function anim.load(path, options) end

--- The same from bytes: from love.filesystem, an archive, a download.
---@param bytes string
---@param name? string what messages call it; default "data"
---@param options? anim.LoadOptions other files come from `read` only
---@return anim.Model? model, string? message
function anim.decode(bytes, name, options) end

--- Writes an .anim file: it loads without parsing and gives the same model back. Takes any table with
--- `skeleton`, `clips`, `skins` and `morphs` as anim.Model has them; clips that are there only by name are
--- saved under that name, after those of the list. Event data must be booleans, numbers or strings.
---
--- It is written beside the target and renamed, so a failure leaves what was there. nil and a message
--- where it cannot be written; an error where the table is not right (a clip of another skeleton, two
--- clips of one name).
---@param model anim.Model
---@param path string
---@return true? saved, string? message
function anim.save(model, path) end

---@class anim.Finding
---@field kind "warning" | "rotation" | "empty" | "length" | "joint" | "scale" | "loop" | "travel" | "unused"
---@field message string
---@field clip? string name
---@field joint? string name

--- What is likely wrong with a model although it loads; `tostring` of a finding is a sentence. Kinds:
--- "warning" (the model's warnings and its clips'), "rotation" (those about rotations that are not unit), "empty" (a clip
--- without keys), "length" (longer or shorter than its keys), "joint" (a clip moves a joint that the model
--- lacks or has elsewhere), "scale" (zero or negative), "loop" (a clip that repeats ends in another pose than it begins),
--- "travel" (its root does not come back), "unused" (a joint that no clip moves and no skin holds).
---@param model anim.Model
---@return anim.Finding[]
function anim.validate(model) end

--- The map that `clip:retarget` takes from clips of `a` to `b`, and the names of the joints of `a` without a partner.
--- Humanoids are known by what Mixamo, VRM, Unity, Rigify, Unreal, KayKit, Quaternius, Character Creator, Biped, Poser,
--- MakeHuman and BVH files call their joints, by how these hang together, and where the names of left and right
--- contradict the way the feet and knees point, by that. Spines, necks and fingers of other length are spread. What
--- hangs on partners and has the same name goes with them (tails, what is held); false stands for a namesake that is
--- something else.
---@param a anim.Skeleton
---@param b anim.Skeleton
---@return table<string, string | false> map, string[] missing
function anim.guessMap(a, b) end

-- Looking at it ---------------------------------------------------------------------------------------

--- Keeps what a graph does, update by update, until `stop`: times, poses, root motion, weights of the nodes that are
--- heard, targets and poles of IK, parameters, events, states of machines and why they changed. The graph does not
--- notice: events, their order, errors and `hash` stay the same. Once stopped, or never begun, it costs nothing.
---
--- An update counts as a frame when its pose is made: of several `advance` before one `evaluate`, times, events and root
--- motion add up. A Recording that is forgotten without `stop` ends by itself.
---
--- Errors: a graph that is being recorded already.
---@param graph anim.Graph
---@return anim.Recording
function anim.record(graph) end

---@class anim.Recording
local Recording = {}

--- Ends it. What was recorded stays; of the graph nothing is held any more. Also at the end of a `<close>` variable's
--- scope. The second time it does nothing.
function Recording:stop() end

---@return boolean
function Recording:isRecording() end

--- Seconds recorded.
---@return number
function Recording:getDuration() end

--- Updates recorded.
---@return integer
function Recording:getFrameCount() end

---@class anim.ViewOptions
---@field progress? fun(done: integer, total: integer) called once a frame of a model's clips
---@field lines? number[][] lines of the scene { x1, y1, z1, x2, y2, z2 }, where the figure moves: stairs, walls. They are drawn below the figure, and the camera goes up and down with it

--- Writes one HTML page that needs no network and no other file. A model: all its clips, to choose from. A Recording,
--- which must be stopped: the figure as it moved, with the targets and poles of IK, and under it a time line of states,
--- events, weights and parameters.
---
--- nil and a message where the file cannot be written.
---@param shown anim.Model | anim.Recording a model may lack all but `skeleton`
---@param path string
---@param options? anim.ViewOptions
---@return true? written, string? message
function anim.view(shown, path, options) end

return anim
