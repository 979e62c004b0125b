-- A machine of four clips: what specs of the binding build and edit.
local stage = require("spec.support.stage")

local plainMachine = {
  clips = { A = { length = 1 }, B = { length = 1, loop = false }, C = { length = 2 },
    P = { length = 1, loop = "pingpong" } },
  params = { go = "trigger", jump = { "trigger", life = .3 }, speed = 0, grounded = true },
}

function plainMachine.machine(transitions, states, initial)
  return { type = "machine", initial = initial or "A", states = states or { A = "A", B = "B", C = "C", P = "P" },
    transitions = transitions }
end

function plainMachine.build(description, params)
  return stage.graph(plainMachine.clips, description, params or plainMachine.params)
end

return plainMachine
