--- anim.Recording: what anim.record gives. What it holds is for lua/anim/view.
local Recording = { __name = "anim.Recording" }
local methods = {}
Recording.__index = methods

-- Recording -> { recorder =, stop = function until it is stopped }
local parts = setmetatable({}, { __mode = "k" })

local function partsOf(self, name)
  local found = parts[self]
  if not found then
    error(("calling '%s' on bad self (anim.Recording expected, got %s)"):format(name, type(self)), 3)
  end
  return found
end

--- Ends it. What was recorded stays; of the graph nothing is held any more.
function methods:stop()
  local own = partsOf(self, "stop")
  local stop = own.stop
  if not stop then return end
  own.stop = nil
  stop()
  own.recorder:finish()
end

function methods:isRecording() return partsOf(self, "isRecording").stop ~= nil end
function methods:getDuration() return partsOf(self, "getDuration").recorder.time end
function methods:getFrameCount() return #partsOf(self, "getFrameCount").recorder.times end

Recording.__close = methods.stop

function Recording:__tostring()
  local own = partsOf(self, "tostring")
  return ("anim.Recording: %d frames, %.2f s%s"):format(#own.recorder.times, own.recorder.time,
    own.stop and ", going on" or "")
end

local recording = {}

function recording.new(recorder, stop)
  local self = setmetatable({}, Recording)
  parts[self] = { recorder = recorder, stop = stop }
  return self
end

--- The recorder of a Recording; nil for anything else.
function recording.of(value)
  local own = value ~= nil and parts[value]
  return own and own.recorder or nil
end

function recording.isStopped(self) return parts[self].stop == nil end

return recording
