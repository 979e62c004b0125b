--- anim.record: keeps what a graph does, update by update, until it is stopped. The core tells the function `record` of
--- the graph's Lua table where its update is (csrc/lua/l_record.c).
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local newRecorder = require("anim.record.recorder")
local recording = require("anim.record.recording")

local before, advanced = 1, 2 -- the stages; the third: the pose is made

local weak = { __mode = "v" }

-- The graph knows its recording weakly: one that is forgotten without stop() ends by itself.
local function listen(graph, user, made)
  local known = setmetatable({ made }, weak)
  user.recording = known
  user.record = function(running, stage, dt)
    local recorder = known[1] and recording.of(known[1])
    if not recorder then
      core.setRecorded(running, false)
      user.record = nil
    elseif stage == before then
      recorder:begin(running, dt)
    elseif stage == advanced then
      recorder:advance(running, dt)
    else
      recorder:commit(running)
    end
  end
  core.setRecorded(graph, true)
end

local function isRecorded(user)
  local made = user.record and user.recording[1]
  return made ~= nil and not recording.isStopped(made)
end

return function(graph)
  if core.kindOf(graph) ~= "Graph" then
    error(("bad argument #1 to 'record' (anim.Graph expected, got %s)"):format(fault.describe(graph)), 2)
  end
  local isThere, user = pcall(core.user, graph)
  if not isThere then error(user, 2) end
  if isRecorded(user) then error("the graph is being recorded already; stop that recording first", 2) end
  local recorder = newRecorder(graph, user.model)
  local made = recording.new(recorder, function()
    user.record, user.recording = nil, nil
    pcall(core.setRecorded, graph, false) -- it may be released by now
    graph, user = nil, nil
  end)
  listen(graph, user, made)
  return made
end
