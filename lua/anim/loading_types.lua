---@meta anim.loading
--- Loading in the background. Never run.

local anim = {}

---@class anim.FileBytes
---@field bytes string
---@field name? string what messages call it; default "data"
---@field read? fun(uri: string): string?, string? as in the options

--- Loads a model in the background: a thread reads, parses and packs while the script goes on. Up to four files at a
--- time; the others wait for their turn.
---
--- No script runs there. When another file is asked of `read`, the Loading waits: its next `isDone`, `getProgress` or
--- `get` calls it and lets the work go on. The option `loop` is asked when the model is first taken. Without `read` the
--- files beside a path are read there, too.
---@param path string | anim.FileBytes
---@param options? anim.LoadOptions
---@return anim.Loading
function anim.loadAsync(path, options) end

--- A file on its way. When nobody holds it any more it is given up; so it is with `release`.
---@class anim.Loading
local Loading = {}

--- Whether `get` gives an answer at once.
---@return boolean
function Loading:isDone() end

--- From 0 to 1, and never back; 1 when it is done. Bytes of what is read count little, packing the most.
---@return number
function Loading:getProgress() end

--- What `anim.load` would have given: the model, the same table each time, or nil and a message. Waits where it is not
--- done yet. What the option `loop` raises is raised, and may be tried again.
---@return anim.Model? model, string? message
function Loading:get() end

--- Gives the file up, done or not.
function Loading:release() end
