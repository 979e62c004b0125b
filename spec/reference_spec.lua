-- The reference values of data/ref: an independent double-precision evaluator's local transforms and model-space
-- matrices of every joint, five times per clip.
local anim = require("anim")
local check = require("spec.support.check")
local data = require("spec.support.data")
local oracle = require("spec.support.reference")

local exact, quantised = 1e-5, 2e-5

-- Files whose keys are normalised integers.
local function toleranceOf(file)
  if file:find("nasty/gltfpack/", 1, true) or file:find("glTF-Quantized", 1, true) then return quantised end
  return exact
end

local function assetOf(reference) return (reference.file:gsub("^open/", "")) end

-- The names that api.md gives: joints of skins take theirs first, unnamed nodes are node<n>.
local function jointName(reference, i)
  return data.value(reference.joint_names[i]) or ("node%d"):format(reference.joint_nodes[i])
end

local function jointsOf(reference, skeleton)
  local joints = {}
  for i = 1, #reference.joint_nodes do
    local name = jointName(reference, i)
    joints[i] = skeleton:find(name) or error("no joint " .. name)
  end
  return joints
end

local function nameTaken(model, name, before)
  for i = 1, before do
    if model.clips[i]:getName() == name then return true end
  end
  return false
end

-- What the five samples of all clips and the rest pose span: errors are relative to the size of the rig.
local function sizeOf(reference)
  local size = { length = 0, growth = 1, place = 0, basis = 1 }
  local function widen(pose)
    for i, m in ipairs(pose.global) do
      local trs = data.value(pose.local_trs[i]) or { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 }
      size.length = math.max(size.length, math.abs(trs[1]), math.abs(trs[2]), math.abs(trs[3]))
      size.growth = math.max(size.growth, math.abs(trs[8]), math.abs(trs[9]), math.abs(trs[10]))
      size.place = math.max(size.place, math.abs(m[13]), math.abs(m[14]), math.abs(m[15]))
      size.basis = math.max(size.basis, check.extent({ m }, 1, 11))
    end
  end
  widen(reference.rest)
  for _, clip in ipairs(reference.clips) do
    for _, sample in ipairs(clip.samples) do widen(sample) end
  end
  if size.length == 0 then size.length = 1 end
  if size.place == 0 then size.place = 1 end
  return size
end

local function slice(list, first, last)
  local out = {}
  for i = first, last do out[#out + 1] = list[i] end
  return out
end

local function compareLocal(trs, got, size, tolerance, where)
  local place, turn = check.packedPlace * (1 + size.length), check.packedTurn
  check.near(slice(trs, 1, 3), slice(got, 1, 3), tolerance * size.length + place, where .. " translation")
  check.sameRotation(slice(trs, 4, 7), slice(got, 4, 7), tolerance + turn, where .. " rotation")
  check.near(slice(trs, 8, 10), slice(got, 8, 10), (tolerance + turn) * size.growth, where .. " scale")
end

local function compareMatrix(expected, got, size, tolerance, where)
  local place = tolerance * size.place + check.packedPlace
  check.near(slice(expected, 13, 15), slice(got, 13, 15), place, where .. " position")
  local basis, gotBasis = slice(expected, 1, 12), slice(got, 1, 12)
  check.near(basis, gotBasis, (tolerance + check.packedTurn) * size.basis, where .. " matrix")
  check.near({ 1 }, { got[16] }, 0, where .. " matrix")
end

local function comparePose(reference, sample, pose, joints, size, where)
  local tolerance = toleranceOf(reference.file)
  for i, j in ipairs(joints) do
    local place = where .. ", joint " .. jointName(reference, i)
    local trs = data.value(sample.local_trs[i]) -- null: a matrix that the evaluator did not take apart
    if trs then compareLocal(trs, { pose:get(j) }, size, tolerance, place) end
    compareMatrix(sample.global[i], { pose:getMatrix(j) }, size, tolerance, place)
  end
end

-- The palette at a sample: the reference's model matrices times its inverse bind matrices.
local function comparePalette(reference, sample, pose, skin, inverse, nodes, size, where)
  local place, joints = {}, {}
  for i, node in ipairs(reference.joint_nodes) do place[node] = i end
  for i, node in ipairs(nodes) do joints[i] = place[node] end
  local got = check.floats(pose:getPaletteString(skin, "4x4"))
  local reach = check.extent(inverse) * math.max(size.place, size.basis)
  for i, matrix in ipairs(oracle.pose.palette(sample.global, joints, inverse)) do
    local tolerance = (toleranceOf(reference.file) + check.packedTurn) * reach + check.packedPlace
    check.near(matrix, slice(got, 16 * i - 15, 16 * i), tolerance, where .. " palette " .. i)
  end
end

-- glTF: identities where the skin gives no matrices.
local function inverseBind(given)
  return data.value(given.inverse_bind) or oracle.pose.map(#given.joints, function() return oracle.mat.identity end)
end

local function compareSkins(reference, model, joints, size)
  local pose = anim.newPose(model.skeleton)
  local first = reference.clips[1]
  if first then model.clips[first.index + 1]:sample(first.samples[3].time, pose) end
  assert.are.equal(#reference.skins, #model.skins)
  for k, given in ipairs(reference.skins) do
    local skin, place, inverse = model.skins[k], {}, inverseBind(given)
    for i, node in ipairs(reference.joint_nodes) do place[node] = joints[i] end
    assert.are.equal(#given.joints, #skin)
    for i, node in ipairs(given.joints) do
      assert.are.equal(place[node], skin:getJoint(i))
      check.near(inverse[i], { skin:getInverseBind(i) }, 1e-6 * check.extent(inverse))
    end
    local sample = first and first.samples[3] or reference.rest
    comparePalette(reference, sample, pose, skin, inverse, given.joints, size, "skin " .. k)
  end
end

-- Morph weights are curves; all reference files have one mesh with targets at most.
local function compareWeights(sample, clip, model)
  for _, weights in pairs(sample.weights or {}) do
    assert.are.equal(1, #model.morphs)
    for i, curve in ipairs(model.morphs[1].curves) do
      check.near({ weights[i] }, { clip:getCurve(curve, sample.time) or model.morphs[1].weights[i] }, quantised, curve)
    end
  end
end

local function compareClip(reference, clip, model, joints, size)
  local ours = model.clips[clip.index + 1]
  local name = data.value(clip.name) or ("clip%d"):format(clip.index)
  if not nameTaken(model, name, clip.index) then assert.are.equal(name, ours:getName()) end
  check.near({ clip.duration }, { ours:getDuration() }, 1e-6, name .. " duration")
  local pose = anim.newPose(model.skeleton)
  for _, sample in ipairs(clip.samples) do
    ours:sample(sample.time, pose)
    compareWeights(sample, ours, model)
    comparePose(reference, sample, pose, joints, size, ("%s at %g %%"):format(name, sample.frac * 100))
  end
end

local function compareModel(reference, options)
  local model = assert(anim.load(data.path(assetOf(reference)), options))
  local joints, size = jointsOf(reference, model.skeleton), sizeOf(reference)
  assert.are.equal(#reference.clips, #model.clips)
  compareSkins(reference, model, joints, size)
  comparePose(reference, reference.rest, anim.newPose(model.skeleton), joints, size, "rest")
  for _, clip in ipairs(reference.clips) do compareClip(reference, clip, model, joints, size) end
end

-- BVH: joints and End Sites in the order of the file are depth first, as ours are.
local function compareBvhPlaces(reference, model, reading)
  local pose, clip = anim.newPose(model.skeleton), model.clips[1]
  for _, sample in ipairs(reference.samples) do
    clip:sample(sample.time, pose)
    local tolerance = exact * check.extent(sample[reading]) + check.packedPlace
    for j, place in ipairs(sample[reading]) do
      local where = ("frame %d, joint %s"):format(sample.frame, reference.joints[j].name)
      check.near(place, { pose:getPosition(j) }, tolerance, where)
      local m, rows = { pose:getMatrix(j) }, sample.world_rotation_rows[j]
      check.near(rows, { m[1], m[5], m[9], m[2], m[6], m[10], m[3], m[7], m[11] }, exact + check.packedTurn,
        where .. " rotation")
    end
  end
end

local function compareBvh(reference, positions, reading)
  local model = assert(anim.load(data.path(assetOf(reference)), { positions = positions }))
  assert.are.equal(#reference.joints, #model.skeleton)
  for j, joint in ipairs(reference.joints) do
    local parent = joint.parent >= 0 and joint.parent + 1 or nil
    assert.are.equal(parent, model.skeleton:getParent(j))
    if not joint.end_site and not model.skeleton:getName(j):find("#", 1, true) then
      assert.are.equal(joint.name, model.skeleton:getName(j))
    end
  end
  local duration = (reference.frames - 1) * reference.frame_time
  check.near({ duration }, { model.clips[1]:getDuration() }, 1e-6 * math.max(1, duration), "duration")
  compareBvhPlaces(reference, model, reading)
end

describe("reference values", function()
  if not data.present then
    pending("skipped: no reference data in " .. data.root)
    return
  end

  for _, file in ipairs(data.files({ "json" })) do
    local name = file:match("^ref/(.*)%.json$")
    if name and not data.slow and data.size(file) > 300000 then name = nil end
    if name and name:find("%.bvh$") then
      it(name .. ", position channels replace OFFSET", function()
        compareBvh(data.json(file), nil, "world_replace")
        compareBvh(data.json(file), "absolute", "world_replace")
      end)
      it(name .. ", position channels add to OFFSET", function()
        compareBvh(data.json(file), "relative", "world_add")
      end)
    elseif name then
      it(name .. ", nodes that skins and clips need", function() compareModel(data.json(file), nil) end)
      it(name .. ", all nodes", function() compareModel(data.json(file), { nodes = "all" }) end)
    end
  end

  it("Knight.glb: 41 joints in its skin, 76 clips by name", function()
    local model = assert(anim.load(data.path("humanoid/kaykit_adventurers/Knight.glb")))
    local reference = data.json("ref/Knight.glb.json")
    assert.are.equal(76, #model.clips)
    for i, clip in ipairs(reference.clips) do
      assert.are.equal(model.clips[i], model.clips[clip.name])
      assert.are.equal(clip.name, model.clips[i]:getName())
    end
    assert.are.equal(41, #reference.skins[1].joints)
    assert.are.equal(41, #model.skins[1])
  end)
end)
