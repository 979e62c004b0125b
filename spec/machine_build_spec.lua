-- What is wrong in the description of a machine is said when it is built, with the place.
local raises = require("spec.support.raises")
local stage = require("spec.support.stage")

local clips = { idle = { length = 1 }, walk = { length = 1 }, hit = { length = 1, loop = false } }
local params = { speed = 0, jump = "trigger", grounded = true }

local function message(changes, transition)
  local t = { from = "idle", to = "walk", when = "speed > 0.1" }
  for key, value in pairs(transition or {}) do
    if value == "nothing" then t[key] = nil else t[key] = value end
  end
  local description = { type = "machine", initial = "idle", states = { idle = "idle", walk = "walk", hit = "hit" },
    transitions = { t } }
  for key, value in pairs(changes) do
    if value == "nothing" then description[key] = nil else description[key] = value end
  end
  return raises.message(stage.graph, clips, description, params)
end

local function says(text, ...)
  for _, part in ipairs({ ... }) do
    if not text:find(part, 1, true) then error(("%q does not say %q"):format(text, part), 2) end
  end
end

describe("a machine that cannot be built", function()
  it("says which name in a condition is no parameter, its column, and the nearest", function()
    says(message({}, { when = "grounded and sped > 0.1" }), "transitions[1]", "column 14", "sped", "speed")
    says(message({}, { when = "spead" }), "column 1", "speed")
  end)

  it("says where a condition cannot be read", function()
    for when, column in pairs({ ["speed >"] = 8, ["speed $ 1"] = 7, ["(speed > 1"] = 11, ["1 < 2 < 3"] = 7,
      ["event(hit)"] = 7, ["speed jump"] = 7, [""] = 1, ["speed = 1"] = 7, ["speed > 1 and"] = 14 }) do
      says(message({}, { when = when }), "transitions[1]", "column " .. column)
    end
  end)

  it("says which state does not exist, and the nearest", function()
    says(message({}, { to = "wlak" }), "transitions[1]", "wlak", "walk")
    says(message({}, { from = "idel" }), "transitions[1]", "idel", "idle")
    says(message({}, { from = { "idle", "hitt" } }), "transitions[1]", "hitt", "hit")
    says(message({ initial = "idl" }), "initial", "idl", "idle")
  end)

  it("says what is required", function()
    says(message({ initial = "nothing" }), "initial")
    says(message({}, { from = "nothing" }), "from")
    says(message({}, { to = "nothing" }), "to")
    says(message({ states = "nothing" }), "states")
  end)

  it("says which key it does not know, and the nearest", function()
    says(message({}, { fad = .2 }), "transitions[1]", "fad", "fade")
    says(message({}, { intterupt = "none" }), "intterupt", "interrupt")
    says(message({ intial = "idle" }), "intial", "initial")
    says(message({ states = { idle = { "idle", sped = 2 }, walk = "walk", hit = "hit" } }), "sped", "speed")
  end)

  it("says that a transition can never be", function()
    for _, t in ipairs({ { when = "done" }, { exit = 1, when = "nothing" }, { when = "done and speed > 1" } }) do
      says(message({}, t), "transitions[1]", "never")
    end
    says(message({}, { exit = 1.5, from = "hit" }), "transitions[1].exit", "1.5")
    says(message({}, { from = "hit", to = "hit" }), "transitions[1]", "self")
    stage.graph(clips, { type = "machine", initial = "idle", states = { idle = "idle", hit = "hit" }, transitions = {
      { from = "idle", to = "hit", when = "done or jump" }, { from = "hit", to = "idle", when = "done" },
      { from = "hit", to = "idle", exit = 1 }, { from = "*", to = "idle", when = "done" } } }, params)
  end)

  it("refuses values of another type or out of range", function()
    for key, values in pairs({ fade = { -1, 0 / 0, "long" }, curve = { "round", { 1, 2 }, { 2, 0, .5, 1 } },
      mode = { "blend" }, interrupt = { "all" }, exit = { -1, "end" }, offset = { 0 / 0 }, when = { 5, true } }) do
      for _, value in ipairs(values) do says(message({}, { [key] = value }), "transitions[1]", key) end
    end
  end)

  it("says that a state is unknown when it is called for", function()
    local _, machine = stage.machine(clips, { "idle", "walk" }, {})
    says(raises.message(machine.play, machine, "wlak"), "wlak", "walk")
    says(raises.message(machine.play, machine, "walk", -1), "play", "-1")
    says(raises.message(machine.travel, machine, "wlak"), "wlak", "walk")
  end)
end)
