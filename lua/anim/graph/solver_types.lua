---@meta anim.graph.solvers
--- Nodes that work on the pose of their one input: IK, springs, warping. Never run. See docs/ik.md for how they work.
---
--- Lengths are metres as the file has them, angles radians. Points are in model space unless `space` is "world".

---@class anim.Graph
local Graph = {}
---@class anim.Node
local Node = {}
---@class anim.Pose
local Pose = {}

---@alias anim.Point anim.Source[] | anim.Joint x, y, z; or a joint of the character, as the pose comes in

---@class anim.SolverNode: anim.NodeDescription What all of them have.
---@field input anim.Child
---@field weight? anim.Source 0 to 1, default 1. At 0 the pose stays to the bit, and what the node remembers is gone
---@field mask? anim.Mask | string how much each joint takes part

---@class anim.TwoBoneNode: anim.SolverNode A limb of two bones: its tip goes to the target.
---@field joint anim.Joint the tip: a hand, a foot
---@field mid? anim.Joint default: its parent. Joints in between move along
---@field root? anim.Joint default: the parent of `mid`
---@field target? anim.Point without one the pose stays
---@field pole? anim.Point what the middle joint bends toward; default: as it is bent in the animation
---@field soft? number 0 to 1, default 1 (off): part of the length from which on the tip lags behind, so that it never snaps straight
---@field stretch? number 1 or more, default 1 (off): how much longer the bones may get to reach farther
---@field rotation? "local" | "model" | number[] what the tip's own rotation does: stays as it is in its parent (default), stays as it is in model space, or becomes this quaternion in model space
---@field space? "model" | "world"

---@class anim.Effector
---@field joint anim.Joint
---@field target? anim.Point
---@field weight? number 0 to 1, default 1: how much it pulls at joints that others move, too

---@class anim.JointLimit angles from the rest rotation; either a hinge (axis, min, max) or a cone (axis, cone, twist)
---@field axis number[] in the joint's space
---@field min? number hinge, about the axis
---@field max? number
---@field cone? number the largest swing of the axis, 0 to pi
---@field twist? number[] least and largest turn about the axis

---@class anim.ChainNode: anim.SolverNode A chain of any length, or a tree with several tips.
---@field joint? anim.Joint the tip; or `effectors`
---@field root anim.Joint the first joint that turns
---@field target? anim.Point
---@field effectors? anim.Effector[]
---@field solver? "fabrik" | "ccd" default "fabrik"
---@field iterations? integer at most; default 30 (fabrik), 100 (ccd)
---@field tolerance? number metres above 0, as near as it need come; default 1e-4 of the length
---@field limits? table<anim.Joint, anim.JointLimit>
---@field weights? table<anim.Joint, number> 0 to 1: how much of each turn a joint takes part in; default 1
---@field space? "model" | "world"

---@class anim.AimNode: anim.SolverNode Turns a joint so that an axis of it points at the target.
---@field joint? anim.Joint
---@field joints? (anim.Joint | table)[] joints or { joint, share }, from the body outward; the last one aims
---@field axis? number[] of the last joint, in its space; default { 0, 0, 1 }
---@field up? number[] of the last joint: turned toward the pole as far as the aim allows; default: no roll
---@field offset? number[] where the axis begins, in the last joint's space; default its origin
---@field target? anim.Point
---@field pole? anim.Point what `up` turns toward; default: +Y
---@field limit? number largest angle from the animated direction
---@field rate? number largest turn a second
---@field space? "model" | "world"

---@class anim.Leg
---@field joint anim.Joint the ankle
---@field mid? anim.Joint default: its parent
---@field root? anim.Joint default: the parent of `mid`

---@class anim.FootLeg: anim.Leg
---@field heel? anim.Joint
---@field toe? anim.Joint below the ankle

---@class anim.FootNode: anim.SolverNode Puts feet on the ground.
---@field legs anim.FootLeg[]
---@field pelvis? anim.Joint goes down with the lower foot; default: it stays
---@field ground? fun(x: number, y: number, z: number): height: number?, nx: number?, ny: number?, nz: number? world space; nil: no ground there. Called for each leg in each evaluate, on the calling thread; it may not yield
---@field reach? number metres that a foot is moved up or down at most; default: half of the first leg's length
---@field smooth? number seconds, default .1
---@field ahead? number seconds that a swinging foot looks ahead, which asks `ground` a second time; default .1, 0: not
---@field release? number seconds of a foot that is let go, above 0; default .15
---@field lock? string | string[] a curve (above .5) or range event of the clips below the node, while which a foot is held where it stands; one for all legs or one each
---@field tilt? number largest turn of a sole, default pi/4; 0: soles are not turned
---@field level? number height of the animation's own ground; default 0

---@class anim.Collider a sphere (center, radius) or a capsule (from, to, radius)
---@field radius number
---@field joint? anim.Joint it moves with; default: model space
---@field center? number[] default { 0, 0, 0 }
---@field from? number[]
---@field to? number[]

---@class anim.SpringNode: anim.SolverNode Secondary motion: tails, hair, strips of cloth.
---@field joint anim.Joint the chain is this joint and everything below it
---@field stiffness? number swings a second of the tip, default 2; 0: hangs freely
---@field damping? number part of critical damping, default .25; 0: swings for ever, 1: does not overshoot
---@field gravity? number | number[] m/s^2 downward, or a vector in world space; default 0: an animated pose hangs already
---@field drag? number of the air, 1/s; default .5
---@field wind? anim.Source[] m/s, world space; it acts through drag
---@field limit? number largest turn of a joint from its animated rotation
---@field radius? number of the chain, for colliders; default 0
---@field tip? number[] where the bone of a joint without children ends, in its space
---@field colliders? anim.Collider[]
---@field teleport? number metres above 0 that the character may move in an update without the chain being carried along as it is; default: ten lengths of the chain

---@class anim.StrideNode: anim.SolverNode Longer or shorter steps: one walk for a range of speeds.
---@field pelvis anim.Joint
---@field legs anim.Leg[]
---@field factor? anim.Source speed of the character / speed the clip was made for; default 1
---@field direction? anim.Source[] of travel, model space; default { 0, 0, 1 }

---@class anim.OrientNode: anim.SolverNode Turns the lower body to the direction of travel and the spine back.
---@field pelvis anim.Joint
---@field spine? (anim.Joint | table)[] joints or { joint, share }, from the pelvis upward
---@field angle? anim.Source about +Y, to the left; default 0

--- Adds a node that brings the tip of a limb of two bones to a target.
---@param description anim.TwoBoneNode
---@return anim.Node
function Graph:twoBone(description) end

--- Adds a node that brings the tip of a chain, or the tips of a tree, to their targets.
---@param description anim.ChainNode
---@return anim.Node
function Graph:chain(description) end

--- Adds a node that turns joints so that an axis points at a target.
---@param description anim.AimNode
---@return anim.Node
function Graph:aim(description) end

--- Adds a node that puts feet on the ground, and holds them where they stand.
---@param description anim.FootNode
---@return anim.Node
function Graph:foot(description) end

--- Adds a node that lets a chain of joints swing.
---@param description anim.SpringNode
---@return anim.Node
function Graph:spring(description) end

--- Adds a node that makes steps longer or shorter.
---@param description anim.StrideNode
---@return anim.Node
function Graph:stride(description) end

--- Adds a node that turns the lower body to where it goes, and the spine back.
---@param description anim.OrientNode
---@return anim.Node
function Graph:orient(description) end

--- Says where the character stands in the world. Targets in world space, the ground, springs and `warp` count with it.
--- Set it before `evaluate`. |x| <= 1e15.
---@param x number
---@param y number
---@param z number
---@param qx? number rotation; default: none
---@param qy? number
---@param qz? number
---@param qw? number
function Graph:setTransform(x, y, z, qx, qy, qz, qw) end

---@class anim.Warp
---@field position? number[] where the character shall be
---@field facing? number its rotation about +Y, or
---@field rotation? number[] a quaternion
---@field seconds number above 0, of the graph's time
---@field space? "model" | "world" model (default): seen from the character as it stands now; world: needs setTransform

--- Bends root motion so that the character is at a place, or faces it, exactly when so many seconds have passed; what
--- is not given stays as the clips have it. Without an argument the warp that runs ends.
---@param options? anim.Warp
function Graph:warp(options) end

--- Whether a warp runs.
---@return boolean
function Graph:isWarping() end

--- twoBone, chain, aim: a point in the node's space, or a joint of a graph: its own character's as the pose comes in,
--- or another's, whose pose is made first. `effector`: which one of a chain, default 1.
---@param x number
---@param y number
---@param z number
---@param effector? integer
---@overload fun(self: anim.Node, graph: anim.Graph, joint: anim.Joint, effector: integer?)
function Node:setTarget(x, y, z, effector) end

--- twoBone, aim: sets the pole as setTarget does the target.
---@param x number
---@param y number
---@param z number
---@overload fun(self: anim.Node, graph: anim.Graph, joint: anim.Joint)
function Node:setPole(x, y, z) end

--- twoBone, chain, aim, foot, stride: metres between what should be somewhere and where it is after the last evaluate,
--- the largest of several; 0 where the node has no weight.
---@return number
function Node:getResidual() end

--- foot: the ground below a leg in world space, instead of asking `ground`. Without a point: it is asked again.
---@param leg integer
---@param x? number
---@param y? number
---@param z? number
---@param nx? number normal; default: up
---@param ny? number
---@param nz? number
function Node:setGround(leg, x, y, z, nx, ny, nz) end

--- spring: something the chain is kept out of, from now on. The chain goes on as it moves.
---@param collider anim.Collider
function Node:addCollider(collider) end

--- spring: the chain is at its animated pose with the next evaluate, at rest. For cuts and respawns.
function Node:teleport() end

--- Solves at once, without a graph: the keys of the node of that name but `input`, numbers instead of parameters.
--- What needs a memory (`rate`, foot, spring) is for graphs.
---@param description anim.TwoBoneNode
---@return number residual metres
function Pose:twoBone(description) end

--- Brings the tip of a chain, or several tips, to their targets: see twoBone.
---@param description anim.ChainNode
---@return number residual metres; the largest
function Pose:chain(description) end

--- Turns joints so that an axis points at the target: see twoBone.
---@param description anim.AimNode
---@return number residual metres
function Pose:aim(description) end

--- Makes the step longer or shorter: see twoBone.
---@param description anim.StrideNode
---@return number residual metres; the largest
function Pose:stride(description) end

--- Turns the lower body to where it goes, and the spine back: see twoBone.
---@param description anim.OrientNode
function Pose:orient(description) end
