-- examples/demo.lua as a user runs it: what it prints of the scene, and the page it writes.
local data = require("spec.support.data")
local page = require("spec.support.page")
local scratch = require("spec.support.scratch")

-- What the demo prints, and the data of its page; `file` may be nil.
local function run(file)
  local interpreter = 0
  while arg and arg[interpreter - 1] do interpreter = interpreter - 1 end
  local path = scratch.path(".html")
  local pipe = io.popen(("%s examples/demo.lua %s -o %s 2>&1; echo \"outcome $?\""):format(
    arg and arg[interpreter] or "lua", file or "", path))
  local text = pipe:read("*a")
  pipe:close()
  assert.is_truthy(text:find("outcome 0", 1, true), text)
  assert.is_truthy(text:find(path .. " shows it", 1, true))
  return text, data.decode(page.dataText(scratch.read(path)))
end

local function textsOf(list, at)
  local out = {}
  for i, item in ipairs(list) do out[i] = item[at] end
  return table.concat(out, " ")
end

describe("the demo", function()
  teardown(scratch.clear)

  it("plays a scene with the hero and records it", function()
    local text, content = run()
    local scene = dofile("examples/demo/scene.lua")
    for _, change in ipairs(scene.script) do
      assert.is_truthy(text:find(("%7.2f s  %s\n"):format(change[1], change[2]), 1, true), change[2])
    end
    assert.is_truthy(text:find(" L %d+%.%d%d R %d+%.%d%d L %d+%.%d%d"))
    assert.are.equal(scene.seconds, content.takes[1].seconds)
    assert.are.equal(scene.seconds * 60, content.takes[1].frames)
    local recorded = content.recording
    assert.are.equal("move strafe move turn move jump move", "move " .. textsOf(recorded.machines[1].transitions, 3))
    local ways = {}
    for _, event in ipairs(recorded.events) do ways[event[2]] = (ways[event[2]] or 0) + 1 end
    assert.is_true(ways.footstep > 30)
    assert.are.equal(1, ways.takeoff)
    -- He walks and runs ahead, strafes to both sides, turns: the root motion moves him.
    local path = content.takes[1].path
    assert.is_true(path[6] - path[3] > 15 and path[4] - path[1] > 2)
  end)

  local knight = "humanoid/kaykit_adventurers/Knight.glb"
  if data.has(knight) then
    it("plays all clips of a file", function()
      local text, content = run("'" .. data.path(knight) .. "'")
      assert.is_truthy(text:find("how far they go", 1, true))
      assert.is_nil(content.recording)
      assert.is_true(#content.takes > 10)
    end)
  else
    pending("plays all clips of a file (skipped: no " .. data.path(knight) .. ")")
  end
end)
