-- A small stage for specs of graphs: one joint "joint", clips that turn it about Y at an even rate, and what was heard.
local anim = require("anim")

local stage = {}

stage.skeleton = anim.newSkeleton({ { name = "joint" }, { name = "leg" } })

local function turned(degrees)
  local half = math.rad(degrees) / 2
  return 0, math.sin(half), 0, math.cos(half)
end

-- { length =, loop =, from = degrees, to = degrees (from), events =, joint = }: a clip; nothing turned: no track.
function stage.clip(name, description)
  local length, tracks = description.length, {}
  if description.from then
    local values = { turned(description.from) }
    local times = length > 0 and { 0, length } or { 0 }
    if length > 0 then
      for i, x in ipairs({ turned(description.to or description.from) }) do values[4 + i] = x end
    end
    tracks[description.joint or "joint"] = { rotation = { times = times, values = values } }
  end
  return anim.newClip({ name = name, skeleton = stage.skeleton, duration = length, loop = description.loop,
    tracks = tracks, events = description.events })
end

function stage.clips(descriptions)
  local out = {}
  for name, description in pairs(descriptions) do out[name] = stage.clip(name, description) end
  return out
end

-- A graph of `root`, with parameters and clips (stage.clip's descriptions, by name).
function stage.graph(clips, root, params)
  return anim.newGraph(stage.skeleton, { params = params, nodes = { root = root }, root = "root" },
    { clips = stage.clips(clips) })
end

-- A graph with a machine; gives graph and machine. states: a list of names, the first being the initial state, of clips
-- unless the same table says by name what they play.
function stage.machine(clips, states, transitions, params)
  local all = {}
  for _, name in ipairs(states) do all[name] = { type = "clip", clip = name, name = "state " .. name } end
  for name, state in pairs(states) do
    if type(name) == "string" then all[name] = state end
  end
  local graph = stage.graph(clips, { type = "machine", initial = states[1], states = all, transitions = transitions },
    params or { go = "trigger", back = "trigger", c = false, n = 0 })
  return graph, graph:find("root")
end

-- The clip node of a state that stage.machine was given by name only.
function stage.node(graph, state) return graph:find("state " .. state) end

-- Degrees about Y.
function stage.turn(graph, joint)
  local _, _, _, _, y, _, w = graph:getJoint(joint or "joint")
  return math.deg(2 * (math.atan2 or math.atan)(y, w))
end

-- All that is told from now on, as "name data edge"; `names`: only these ("" or nil: all).
function stage.listen(graph, ...)
  local heard, wanted = {}, {}
  for _, name in ipairs({ ... }) do wanted[name] = true end
  graph:on("*", function(name, data, _, clip, _, _, edge)
    if next(wanted) and not wanted[name] then return end
    local subject = type(data) == "string" and data or clip and clip:getName() or tostring(data)
    heard[#heard + 1] = name .. " " .. subject .. (edge and " " .. edge or "")
  end)
  return heard
end

-- Where between two turns, in degrees, a blend of weight w lies (nlerp about one axis).
function stage.between(a, b, w)
  local x, y = math.rad(a) / 2, math.rad(b) / 2
  local atan2 = math.atan2 or math.atan
  return math.deg(2 * atan2((1 - w) * math.sin(x) + w * math.sin(y), (1 - w) * math.cos(x) + w * math.cos(y)))
end

function stage.updates(graph, count, dt)
  for _ = 1, count do graph:update(dt) end
end

function stage.near(expected, got, tolerance, what)
  if math.abs(expected - got) <= (tolerance or 1e-5) then return end
  error(("%s: expected %.9g, got %.9g"):format(what or "number", expected, got), 2)
end

return stage
