--- anim.view: a model or a recording as one HTML page that plays it, needs no network and no other file.
local checkLines = require("anim.view.lines")
local checkModel = require("anim.view.model")
local describeModel = require("anim.view.data")
local describeRecording = require("anim.view.recording")
local fault = require("anim.graph.fault")
local page = require("anim.view.page")
local recording = require("anim.record.recording")

local keys = { lines = true, progress = true }

-- { progress =, lines = the numbers of all in one list, nil where there are none }
local function readOptions(options)
  if options == nil then return {} end
  fault.record(options, keys, 0, "")
  if options.progress ~= nil then fault.callable(options.progress, "progress") end
  local lines = options.lines ~= nil and checkLines(options.lines, "lines") or {}
  return { progress = options.progress, lines = #lines > 0 and lines or nil }
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
--- called once a frame; `options.lines` are drawn below the figure.
return function(model, path, options)
  if type(path) ~= "string" then
    error(("bad argument #2 to 'view' (string expected, got %s)"):format(type(path)), 2)
  end
  local isFine, read = pcall(readOptions, options)
  if not isFine then fault.rethrow(read, "view", 3, 2) end
  local recorder = recording.of(model)
  if recorder then
    if not recording.isStopped(model) then
      error("bad argument #1 to 'view' (this recording is going on: stop() it first)", 2)
    end
    return write(path, page(describeRecording(recorder), read.lines))
  end
  local isModel, checked = pcall(checkModel, model)
  if not isModel then error(checked, 2) end
  return write(path, page(describeModel(checked, read.progress), read.lines))
end
