---@meta anim.graph.machine
--- State machines: what a description holds. Never run. See docs/state_machine.md for how they work.

---@alias anim.Curve "linear" | "smooth" | "easeIn" | "easeOut" | number[] or {x1, y1, x2, y2}: the inner points of a Bezier curve, x from 0 to 1

--- A condition: names of parameters, numbers, `true false`, `time phase remaining done`, `event("name")` and
--- `during("name")` of the state that the transition leaves, `< <= > >= == ~=`, `and or not ( )`; precedence as in
--- Lua, comparisons are not chained. Or a function, called on the updating thread.
---@alias anim.Condition string | fun(graph: anim.Graph): any

---@class anim.Transition Order in the list is priority.
---@field from string | string[] states; "*": any
---@field to string
---@field when? anim.Condition default: always
---@field exit? number waits for this phase of the source, 0 to 1: a crossing of it in loops, at or past it else
---@field fade? number seconds, default .2; 0 is a cut
---@field curve? anim.Curve default "linear"
---@field mode? "crossfade" | "inertial" | "frozen" default "crossfade". inertial: the source stops at once, what it was off by dies away; frozen: its time and events stop
---@field offset? number phase where the target starts; whole parts are dropped
---@field sync? boolean the target starts at the source's phase; default false
---@field keep? boolean the target goes on where it was left; default false
---@field interrupt? "target" | "none" | "source" | "both" whose transitions may take over while it fades; default "target". Those from "*" and `play` always may
---@field self? boolean allowed into its own state, as a fade with a second copy; default false
---@field profile? anim.Mask | string a joint of value v is done after fade x v

--- A state holds any node; `{ child, speed =, loop = }` plays it at another speed, a clip in another loop mode.
---
--- Errors: a transition that waits for the end of a state that has none (`done` or `exit = 1` of a loop).
---@class anim.MachineNode: anim.NodeDescription
---@field initial string
---@field states table<string, anim.Child | table>
---@field transitions? anim.Transition[]

---@class anim.TraceEntry
---@field time number seconds of the graph's clock
---@field from string
---@field to string
---@field when? string the condition, "function", "play" or "travel"; nil: there was none
---@field transition? integer number of the transition in the description
---@field exit? number that it waited for
---@field params table<string, number | boolean> what the condition read, the first eight
