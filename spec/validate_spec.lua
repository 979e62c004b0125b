-- anim.validate: each kind of finding, and none where nothing is wrong.
local anim = require("anim")
local data = require("spec.support.data")
local raises = require("spec.support.raises")

local rig = anim.newSkeleton({ { name = "hips", translation = { 0, 1, 0 } },
  { name = "arm", parent = "hips", translation = { .3, .5, 0 } } })

local still = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, 0, 0, 1 } }
local moving = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 0 } }

local function newClip(name, tracks, extra)
  local description = { name = name, skeleton = rig, tracks = tracks }
  for key, value in pairs(extra or {}) do description[key] = value end
  return anim.newClip(description)
end

local walk = newClip("walk", { hips = { translation = moving }, arm = { rotation = still } })

local function modelOf(...) return { skeleton = rig, clips = { ... } } end

local function expect(expected, model)
  local got = {}
  for i, finding in ipairs(anim.validate(model)) do got[i] = tostring(finding) end
  assert.are.same(expected, got)
end

describe("validate", function()
  it("finds nothing in a good model", function()
    expect({}, modelOf(walk))
    expect({}, { skeleton = rig })
  end)

  it("a finding has a kind, a message and a place", function()
    local findings = anim.validate(modelOf(walk, newClip("empty")))
    assert.are.equal(1, #findings)
    assert.are.equal("empty", findings[1].kind)
    assert.are.equal("empty", findings[1].clip)
    assert.are.equal("has no keys", findings[1].message)
    assert.is_nil(findings[1].joint)
  end)

  it("clips without keys, also those that are only there by name", function()
    local model = modelOf(walk)
    model.clips.pause = newClip("pause", nil, { duration = 1 })
    model.clips.walk = walk
    expect({ "clip 'pause': has no keys" }, model)
  end)

  it("lengths that differ from the last key", function()
    expect({ "clip 'long': lasts 2 s, but its last key is at 1 s" },
      modelOf(newClip("long", { hips = { translation = moving }, arm = { rotation = still } }, { duration = 2 })))
  end)

  it("joints that the model lacks", function()
    local other = anim.newSkeleton({ { name = "hips" }, { name = "tail", parent = "hips" } })
    local wag = anim.newClip({ name = "wag", skeleton = other, tracks = { tail = { translation = moving } } })
    expect({ "clip 'wag', joint 'tail': is animated, but the model's skeleton has no such joint" }, modelOf(walk, wag))
    local loose = anim.newSkeleton({ { name = "hips" }, { name = "arm" } })
    local swing = anim.newClip({ name = "swing", skeleton = loose, tracks = { arm = { rotation = still } } })
    expect({ "clip 'swing', joint 'arm': has another parent in the model's skeleton" }, modelOf(walk, swing))
  end)

  it("loops that do not close", function()
    local open = { arm = { rotation = { times = { 0, 1 }, values = { 0, 0, 0, 1, 0, 0, 1, 0 } } } }
    expect({ "clip 'open', joint 'arm': does not end as it begins" }, modelOf(walk, newClip("open", open)))
    expect({}, modelOf(walk, newClip("once", open, { loop = false }), newClip("pingpong", open, { loop = "pingpong" })))
    expect({ "clip 'go': ends 2 from where it begins, so it jumps back when it repeats" },
      modelOf(walk, newClip("go", { hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 2, 1, 0 } } } })))
    local nearly = { hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, .001, 1, 0 } } } }
    expect({}, modelOf(walk, newClip("nearly", nearly)))
  end)

  it("scales that are zero or negative", function()
    local odd = anim.newSkeleton({ { name = "flat", scale = { 1, 0, 1 } }, { name = "mirrored",
      scale = { -1, 1, 1 } } })
    expect({ "joint 'flat': rests at a scale of 0", "joint 'mirrored': rests at a scale of -1" }, { skeleton = odd })
    local values = { -9, -9, -9, 1, 1, 1, -9, -9, -9, 0, 0, 0, 1, 1, 1, 0, 0, 0 }
    local grow = { arm = { scale = { times = { 0, 1 }, values = values, mode = "cubic" } } }
    expect({}, modelOf(walk, newClip("grow", grow)))
    values[5] = -.5
    expect({ "clip 'grow', joint 'arm': has a scale of -0.5" }, modelOf(walk, newClip("grow", grow, { loop = false })))
  end)

  it("rotations that were not unit, and the other warnings", function()
    local clip = newClip("long", { hips = { translation = moving },
      arm = { rotation = { times = { 1, 0 }, values = { 0, 0, 0, 2, 0, 0, 0, 1 } } } })
    for _, model in ipairs({ { skeleton = rig, warnings = clip:getWarnings() }, modelOf(clip) }) do
      local kinds = {}
      for _, finding in ipairs(anim.validate(model)) do kinds[finding.kind] = finding.message end
      assert.truthy(kinds.rotation:find("arm", 1, true))
      assert.truthy(kinds.warning:find("out of order", 1, true))
    end
  end)

  it("joints that nothing uses", function()
    local big = anim.newSkeleton({ { name = "root" }, { name = "hips", parent = "root" },
      { name = "hat", parent = "hips" } })
    local clip = anim.newClip({ name = "c", skeleton = big, tracks = { hips = { translation = moving } } })
    expect({ "joint 'hat': no clip moves it and no skin holds it" }, { skeleton = big, clips = { clip } })
  end)

  it("a table that is no model is an error", function()
    raises.exactly("bad argument #1 to 'validate' (table expected, got nil)", function() anim.validate(nil) end)
    raises.exactly("bad argument #1 to 'validate' (skeleton: anim.Skeleton expected, got nil)",
      function() anim.validate({}) end)
    raises.exactly("bad argument #1 to 'validate' (clips[1]: anim.Clip expected, got string)",
      function() anim.validate({ skeleton = rig, clips = { "walk" } }) end)
    local _, message = pcall(function() anim.validate({ skeleton = rig, skins = { 1 } }) end)
    assert.truthy(message:find("validate_spec.lua:", 1, true), message)
  end)

  local file = "khronos/Fox/glTF-Binary/Fox.glb"
  data.it(it, pending, file, "finds nothing in a good file", function()
    expect({}, assert(anim.load(data.path(file))))
  end)
end)
