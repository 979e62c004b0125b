-- The two games of examples/, played by their scripts: where the machines go is written down here, and is where the
-- reference machine goes with clips of the same lengths and events.
local anim = require("anim")
local animator = require("spec.support.reference.animator")
local data = require("spec.support.data")
local gc = require("spec.support.gc")

local platformer, shooter = dofile("examples/platformer.lua"), dofile("examples/shooter.lua")
local drive = dofile("examples/drive.lua")
local hero = gc.rest(dofile("examples/hero.lua").build)

-- "enter" of one machine as a list of states; the clips' events that are named as "name data".
local function states(log, node)
  local out = {}
  for _, event in ipairs(log) do
    if event.name == "enter" and (not node or event.node == node) then out[#out + 1] = event.data end
  end
  return table.concat(out, " ")
end

local function events(log, ...)
  local wanted, out = {}, {}
  for _, name in ipairs({ ... }) do wanted[name] = true end
  for _, event in ipairs(log) do
    if wanted[event.name] then
      local what = event.data or event.edge
      out[#out + 1] = event.name .. (what and " " .. tostring(what) or "")
    end
  end
  return table.concat(out, ", ")
end

-- The reference machine as something that examples/drive.lua can play.
local function referenceOf(model, params, machine)
  local clips = {}
  for _, clip in ipairs(model.clips) do
    clips[clip:getName()] = { length = clip:getDuration(), loop = clip:getLoop(), events = clip:getEvents() }
  end
  local a, tell = animator.new({ params = params, clips = clips }, machine), nil
  local played = {}
  function played.set(_, name, value) a:set(name, value) end
  function played.fire(_, name) a:fire(name) end
  function played.on(_, _, body)
    tell = body
    return { cancel = function() end }
  end
  function played.update(_, dt)
    a:update(dt)
    for _, event in ipairs(a.events) do
      local node = { getName = function() return event.node.name end }
      tell(event.name, event.data, node, nil, nil, event.weight, event.edge)
    end
  end
  return played
end

local function changes(log, node)
  local out = {}
  for _, event in ipairs(log) do
    local isChange = event.name == "enter" or event.name == "exit"
    if isChange and (not node or event.node == node) then out[#out + 1] = event end
  end
  return out
end

-- The same states for the same reasons; an instant on the border of two frames may count for either, since sixtieths
-- are rounded.
local function sameWay(expected, got)
  for i, event in ipairs(expected) do
    local other = got[i] or {}
    assert.are.equal(("%s %s %s"):format(event.name, event.data, event.edge or ""),
      ("%s %s %s"):format(other.name, other.data, other.edge or ""), ("change %d, at %.4f"):format(i, event.time))
    assert.is_true(math.abs(event.time - other.time) < 1.5 / 60, ("change %d, at %.4f"):format(i, event.time))
  end
  assert.are.equal(#expected, #got)
end

describe("the platform game", function()
  it("has a character of twelve states or more, from data alone", function()
    local count = 0
    for _ in pairs(platformer.describe(platformer.clips).nodes.body.states) do count = count + 1 end
    assert.is_true(count >= 12)
  end)

  it("goes through its states and events", function()
    local log = platformer.play(anim, hero)
    assert.are.equal("idle walk run takeoff air fall land run turn idle attack attack idle hit hit idle fall stumble "
      .. "takeoff air fall land idle wave idle death", states(log))
    assert.are.equal("takeoff, land, hit_window begin, hit_window end, hit_window begin, hit_window end, land, "
      .. "takeoff, land, fall, fall", events(log, "takeoff", "land", "hit_window", "fall"))
  end)

  it("goes as the reference machine does, at every frame", function()
    local description = platformer.describe(platformer.clips)
    local expected = drive(referenceOf(hero, description.params, description.nodes.body), platformer.script,
      platformer.seconds)
    sameWay(changes(expected), changes((platformer.play(anim, hero))))
  end)

  data.it(it, pending, "humanoid/kaykit_adventurers/Knight.glb", "is played by the Knight too", function()
    local model = assert(anim.load(data.path("humanoid/kaykit_adventurers/Knight.glb")))
    local log = platformer.play(anim, model, platformer.knight)
    local description = platformer.describe(platformer.knight)
    local expected = drive(referenceOf(model, description.params, description.nodes.body), platformer.script,
      platformer.seconds)
    sameWay(changes(expected), changes(log))
    assert.is_truthy(states(log):find("takeoff air fall land .*hit hit idle .*death$"))
  end)
end)

describe("the shooter", function()
  local log = nil

  before_each(function() log = log or shooter.play(anim, hero) end)

  it("moves legs and arms on their own", function()
    assert.are.equal("idle walk left right hit idle right back run idle", states(log, "legs"))
    assert.are.equal("relaxed aim shoot shoot aim reload shoot aim reload aim flinch aim relaxed aim",
      states(log, "arms"))
  end)

  it("breaks a reload off with a shot, until the magazine is out", function()
    assert.are.equal("shot, shot, shot, magazine out, magazine in", events(log, "shot", "magazine"))
  end)

  it("goes as the reference machines do, at every frame", function()
    for _, name in ipairs({ "legs", "arms" }) do
      local expected = drive(referenceOf(hero, shooter.description.params, shooter.description.nodes[name]),
        shooter.script, shooter.seconds)
      sameWay(changes(expected), changes(log, name))
    end
  end)
end)
