--- anim: character animation. What each function takes, gives and refuses is written in anim/types.lua.
local core = require("anim.core")
local newGraph = require("anim.graph")
local validate = require("anim.validate")

return {
  version = "0.1.0",

  newSkeleton = core.newSkeleton,
  newClip = core.newClip,
  newMask = core.newMask,
  newPose = core.newPose,
  newBuffer = core.newBuffer,
  newGraph = newGraph,

  load = core.load,
  decode = core.decode,
  save = core.save,
  validate = validate,
  record = function(...) return require("anim.record")(...) end,
  view = function(...) return require("anim.view")(...) end, -- the page's text is loaded only if wanted
}
