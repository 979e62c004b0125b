-- 2D rigs in LÖVE on a virtual screen: what is drawn, pixel by pixel, and the game in examples/love/platform2d, which
-- plays by itself and looks at its pictures.
local love = require("spec.support.love")
local scratch = require("spec.support.scratch")

describe("drawing", function()
  if love.whyNot() then
    pending("needs LÖVE: " .. love.whyNot())
    return
  end

  it("puts pixels where they belong (spec/love/rig2d)", function()
    local text = love.run("spec/love/rig2d")
    assert.is_nil(text:find("not ok"), text)
    local _, count = text:gsub("ok [^\n]+", "")
    assert.are.equal(8, count, text)
  end)
end)

describe("the 2D game", function()
  if love.whyNot() then
    pending("needs LÖVE: " .. love.whyNot())
    return
  end

  it("plays by itself: states, figure, feet, garbage", function()
    local folder = scratch.path(".pictures")
    os.execute("mkdir -p '" .. folder .. "'")
    local text = love.run("examples/love/platform2d", "--script", folder)
    assert.is_nil(text:find("error"), text)
    local states, pictures, shows = {}, {}, {}
    for state in text:gmatch("state [%d%.]+ (%w+)") do states[#states + 1] = state end
    assert.are.same({ "ground", "jump", "fall", "ground", "fall", "ground" }, states, text)
    for name, x, y, facing, count, cx, cy, top, bottom in text:gmatch(
      "picture ([%w_]+) x (%S+) y (%S+) facing (%S+) pixels (%d+) at (%S+) (%S+) from (%d+) to (%d+)") do
      local at = {}
      for key, value in pairs({ x = x, y = y, facing = facing, count = count, cx = cx, cy = cy, top = top,
        bottom = bottom }) do at[key] = tonumber(value) end
      pictures[name] = at
      assert.is_true(at.count > 2000 and at.count < 5000, name .. text) -- a figure is there,
      assert.is_true(math.abs(at.cx - at.x) < 20, name .. text)         -- over the place where it stands,
      assert.is_true(at.cy < at.y - 70 and at.cy > at.y - 110, name .. text)
      assert.is_true(at.bottom < at.y + 4 and at.top > at.y - 170, name .. text) -- the right way up
      assert(io.open(folder .. "/" .. name .. ".png", "rb")):close()
      os.remove(folder .. "/" .. name .. ".png")
    end
    for name, head, mouth, eye in text:gmatch("shows ([%w_]+) head (%S+) mouth (%w+) eye (%w+)") do
      shows[name] = { head = tonumber(head), mouth = mouth, eye = eye }
    end
    os.remove(folder)
    scratch.clear()
    assert.is_true(pictures.walk.x > pictures.idle.x + 30)
    assert.is_true(pictures.jump.y < pictures.slope.y - 30)
    assert.are.equal(-1, pictures.look_back.facing)
    assert.is_true(shows.look_up.head < -110 and shows.idle.head > -100) -- looks up; -90 is straight ahead
    assert.are.equal("shout", shows.strike.mouth)
    assert.are.equal("calm", shows.walk.mouth)
    assert.is_truthy(text:match("overlay graph at .*body: ground"), text)
    assert.is_true(tonumber(text:match("hits (%d+)")) >= 1)
    assert.is_true(tonumber(text:match("sunk (%S+)")) < 2, text) -- pixels
    assert.are.equal("0", text:match("garbage (%S+)"))
  end)
end)
