--- anim.view: a model or a recording as one HTML page that plays it, needs no network and no other file.
local checkModel = require("anim.view.model")
local describeModel = require("anim.view.data")
local describeRecording = require("anim.view.recording")
local page = require("anim.view.page")
local recording = require("anim.record.recording")

local function checkOptions(options)
  if options == nil then return {} end
  if type(options) ~= "table" then
    error(("bad argument #3 to 'view' (table expected, got %s)"):format(type(options)), 3)
  end
  for key, value in pairs(options) do
    if key ~= "progress" then
      error(("bad argument #3 to 'view' (unknown key '%s': there is only 'progress')"):format(tostring(key)), 3)
    elseif type(value) ~= "function" then
      error(("bad argument #3 to 'view' (progress: function expected, got %s)"):format(type(value)), 3)
    end
  end
  return options
end

local function write(path, text)
  local file, message = io.open(path, "wb")
  if not file then return nil, message end
  local written, failure = file:write(text)
  local closed, late = file:close()
  if written and closed then return true end
  return nil, path .. ": " .. tostring(failure or late)
end

--- Writes the page; true, or nil and a message where the file cannot be written. `options.progress(done, total)` is
--- called once a frame.
return function(model, path, options)
  if type(path) ~= "string" then
    error(("bad argument #2 to 'view' (string expected, got %s)"):format(type(path)), 2)
  end
  options = checkOptions(options)
  local recorder = recording.of(model)
  if recorder then
    if not recording.isStopped(model) then
      error("bad argument #1 to 'view' (this recording is going on: stop() it first)", 2)
    end
    return write(path, page(describeRecording(recorder)))
  end
  local isModel, checked = pcall(checkModel, model)
  if not isModel then error(checked, 2) end
  return write(path, page(describeModel(checked, options.progress)))
end
