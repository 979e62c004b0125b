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

--- The version of this library, as "major.minor.patch".
anim.version = "0.1.0"

---@alias anim.Joint integer | string index (1 to #skeleton) or name

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

--- Name of a joint.
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

-- Masks -----------------------------------------------------------------------------------------------

--- Makes a mask: how much of each joint a layer reaches. A list of joints: these and all below them, fully. A table of
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

--- How much of a joint is reached, 0 to 1.
---@param joint anim.Joint
---@return number
function Mask:getWeight(joint) end

--- What it was made for.
---@return anim.Skeleton
function Mask:getSkeleton() end

--- See Skeleton:release.
function Mask:release() end

-- Poses -----------------------------------------------------------------------------------------------

--- Makes a pose, at rest: a local transform for each joint. Its methods allocate nothing on the Lua heap, but
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

--- Puts all joints to the skeleton's rest pose.
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

--- What it was made for.
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

--- Name in the file; "" where it has none.
---@return string
function Skin:getName() end

--- That of its joints.
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

--- Loads a model from bytes: from love.filesystem, an archive, a download.
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

--- Finds what is likely wrong with a model although it loads; `tostring` of a finding is a sentence. Kinds: "warning"
--- (the model's warnings and its clips'), "rotation" (those about rotations that are not unit), "empty" (a clip without
--- keys), "length" (longer or shorter than its keys), "joint" (a clip moves a joint that the model lacks or has
--- elsewhere), "scale" (zero or negative), "loop" (a clip that repeats ends in another pose than it begins), "travel"
--- (its root does not come back), "unused" (a joint that no clip moves and no skin holds).
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
--- An update counts as a frame when its pose is made: of several `advance` before one `evaluate`, times, events and
--- root motion add up. A Recording that is forgotten without `stop` ends by itself.
---
--- Errors: a graph that is being recorded already.
---@param graph anim.Graph
---@return anim.Recording
function anim.record(graph) end

---@class anim.Recording
local Recording = {}

--- Ends the recording. What was recorded stays; of the graph nothing is held any more. Also at the end of a `<close>`
--- variable's scope. The second time it does nothing.
function Recording:stop() end

--- Whether it goes on.
---@return boolean
function Recording:isRecording() end

--- Seconds recorded.
---@return number
function Recording:getDuration() end

--- Number of updates recorded.
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
