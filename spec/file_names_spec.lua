-- Names of files are UTF-8 on every system.
local anim = require("anim")
local scratch = require("spec.support.scratch")

local function figure()
  return anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } } })
end

describe("file names", function()
  teardown(scratch.clear)

  -- Saved over once, too, which goes another way on Windows.
  local function roundTrip(path)
    for _ = 1, 2 do
      assert(anim.save({ skeleton = figure(), clips = {} }, path))
      local model = assert(anim.load(path))
      assert.are.equal(2, #model.skeleton)
    end
  end

  local names = {
    accents = "h\195\169ros \226\128\147 \195\159",
    kana = "\230\151\165\230\156\172",
    quotes = "a'b",
    dots = "a.b..c",
  }
  for name, text in pairs(names) do
    it("with " .. name .. " are taken", function() roundTrip(scratch.path(text .. ".anim")) end)
  end

  it("stand in messages as they were given", function()
    local path = scratch.path("h\195\169ros-that-is-not-there.anim")
    local model, problem = anim.load(path)
    assert.is_nil(model)
    assert.is_truthy(problem:find(path, 1, true), problem)
    assert.matches("[Nn]o such file", problem)
  end)

  it("of directories are refused", function()
    local model, problem = anim.load("spec")
    assert.is_nil(model)
    assert.matches("spec: is a directory", problem)
    local ok, why = anim.save({ skeleton = figure(), clips = {} }, "spec")
    assert.is_nil(ok)
    assert.matches("spec: is not a regular file", why)
  end)
end)
