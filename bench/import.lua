-- How long files take to become models: parsed, checked, clips built. Bytes are in memory before the clock starts.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local anim = require("anim")
local support = require("support")

local files = {
  { "Knight.glb (76 clips)", "humanoid/kaykit_adventurers/Knight.glb" },
  { "robot.glb (14 clips)", "humanoid/raylib_robot/robot.glb" },
  { "CesiumMan.glb (1 clip)", "khronos/CesiumMan/glTF-Binary/CesiumMan.glb" },
  { "01_01.bvh (2,752 frames, 31 joints)", "bvh/cmu/01_01.bvh" },
}

local function bench(name, path)
  local bytes = support.read(support.data() .. "/" .. path)
  if not bytes then
    print(name .. ": skipped, the test data are not there")
    return
  end
  local model
  local median, best, count = support.measure(function()
    model = assert(anim.decode(bytes, path))
  end)
  support.row("import " .. name, median, best, count, ("%.1f MB"):format(#bytes / 1e6))

  local cooked = os.tmpname()
  assert(anim.save(model, cooked))
  local archive = support.read(cooked)
  os.remove(cooked)
  median, best, count = support.measure(function()
    assert(anim.decode(archive, "cooked.anim"))
  end)
  support.row("  the .anim of it", median, best, count, ("%.1f MB"):format(#archive / 1e6))
end

for _, file in ipairs(files) do bench(file[1], file[2]) end
