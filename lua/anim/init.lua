--- anim: character animation. What each function takes, gives and refuses is written in anim/types.lua.
local core = require("anim.core")
local guessMap = require("anim.humanoid")
local newGraph = require("anim.graph")
local validate = require("anim.validate")

return {
  version = "0.1.0",

  newSkeleton = core.newSkeleton,
  newClip = core.newClip,
  newMask = core.newMask,
  newPose = core.newPose,
  newBuffer = core.newBuffer,
  newCrowd = core.newCrowd,
  newGraph = newGraph,

  load = core.load,
  loadAsync = core.loadAsync,
  decode = core.decode,
  save = core.save,
  validate = validate,
  guessMap = guessMap,
  record = function(...) return require("anim.record")(...) end,
  view = function(...) return require("anim.view")(...) end, -- the page's text is loaded only if wanted
}
