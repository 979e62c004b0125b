---@meta anim.clips
--- Clips: keys of joints over time, with curves, events and markers. Never run.

local anim = {}

---@alias anim.LoopMode boolean | "pingpong" repeat, play once, or there and back
---@alias anim.Mode "linear" | "step" | "cubic"
---@alias anim.Channel "translation" | "rotation" | "scale"
---@alias anim.Value boolean | number | string

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

--- Its name.
---@return string
function Clip:getName() end

--- Length in seconds.
---@return number
function Clip:getDuration() end

--- Seconds to the last key of any track; 0 without keys.
---@return number
function Clip:getLastKey() end

--- What it does at its end.
---@return anim.LoopMode
function Clip:getLoop() end

--- What it was made for.
---@return anim.Skeleton
function Clip:getSkeleton() end

--- Its events, by time. Integral numbers come back as integers where Lua has them.
---@return anim.Event[]
function Clip:getEvents() end

--- Its sync markers, by time.
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

--- A new clip: the part from t0 to t1, moved to 0; 0 <= t0 < t1 <= duration. Events and markers inside stay, ranges
--- are cut.
---@param t0 number seconds
---@param t1 number seconds
---@return anim.Clip
function Clip:slice(t0, t1) end

--- A new clip: played backwards; markers and events with it.
---@return anim.Clip
function Clip:reverse() end

--- A new clip: mirrored through the plane square to an axis of model space: "x" exchanges left and right of a
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

--- A new clip, for another skeleton. The second value lists the joints that the clip moves but that nothing was bound
--- to.
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

--- A new clip: deltas against a reference, for additive layers and `pose:add`: a pose, another clip at
--- `time` (default 0), or (nothing, or nil and a time) the clip itself at its first key or at `time`.
---
--- Errors: a clip or reference that is additive already, a reference of another skeleton.
---@param reference? anim.Clip | anim.Pose
---@param time? number seconds
---@return anim.Clip
function Clip:toAdditive(reference, time) end

--- A new clip: takes what moves the character out of a joint: the clip then plays in place, and a graph gives what was
--- taken as `graph:getRootMotion()`. Both applied together give the clip back.
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

--- A new clip with its tracks packed into frames; it is used like any other. Steps stay exact keys, and so does what
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
