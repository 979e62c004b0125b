-- What comes out of a graph: pose, root motion, curves and properties, blended as semantics 4 and 8 say.
local algebra = require("spec.support.reference.vec")
local motion = require("spec.support.reference.motion")
local pose = require("spec.support.reference.pose")
local timeline = require("spec.support.reference.timeline")
local tree = require("spec.support.reference.tree")
local vec, quat = algebra.vec, algebra.quat

local output = {}

local little = 1e-6

local function timeOf(node) return timeline.timeAt(node.u, node.length, node.its or node.loop) end

-- In additive layers a sub-tree gives deltas, each clip against its reference; nothing keyed is no change.
local function neutral(g, additive)
  if additive then return pose.map(#g.rig, function() return pose.identity() end) end
  return pose.rest(g.rig)
end

local function keyedNothing(g)
  return pose.map(#g.rig, function() return {} end)
end

-- Adds what `more` keys to `keyed`, for joints where the mask lets it through.
local function alsoKeyed(keyed, more, mask)
  for j, channels in ipairs(more) do
    if not mask or mask[j] > 0 then
      for field in pairs(channels) do keyed[j][field] = true end
    end
  end
end

local kinds = {}

function kinds.clip(g, node, additive)
  local time, keyed = timeOf(node), keyedNothing(g)
  alsoKeyed(keyed, node.clip.keyed)
  if not additive then return node.clip.pose(time), keyed end
  return node.clip.delta(time, additive.reference), keyed
end

-- A pose node keys everything; in additive layers it is a delta from the reference, else from the rest pose.
function kinds.pose(g, node, additive)
  local keyed = pose.map(#g.rig, function() return { t = true, q = true, s = true } end)
  if not additive then return node.pose, keyed end
  return pose.delta(node.pose, additive.reference or pose.rest(g.rig)), keyed
end

-- Inputs with weight, and rest where they do not sum to 1.
local function mixed(g, node, additive)
  local poses, weights, rest, keyed = {}, {}, 1, keyedNothing(g)
  for _, input in ipairs(node.inputs) do
    if input.node and input.share > 0 then
      local p, its = output.poseOf(g, input.node, additive)
      poses[#poses + 1], weights[#weights + 1] = p, input.share
      rest = rest - input.share
      alsoKeyed(keyed, its)
    end
  end
  if rest > little then poses[#poses + 1], weights[#weights + 1] = neutral(g, additive), rest end
  if #poses == 1 then return poses[1], keyed end
  return pose.mix(poses, weights), keyed
end

-- A layer in model space: its joints keep the model rotation of the layer's own pose. With P the model rotation of the
-- parent in the result, that is P^-1 * the layer's in local terms.
local function inModelSpace(g, below, layer, amountOf)
  local own, result, out = pose.modelRotations(g.rig, layer), {}, {}
  for j = 1, #g.rig do
    local parent = g.rig[j].parent
    local above = parent and result[parent] or quat.identity
    local wanted = pose.joint(layer[j].t, quat.mul(quat.conjugate(above), own[j]), layer[j].s)
    out[j] = amountOf(j, below[j], wanted)
    result[j] = quat.mul(above, out[j].q)
  end
  return out
end

-- lerp(below, layer, weight * mask); channels that a sparse layer does not key are left alone.
local function override(g, input, below, layer, keyed)
  local function joint(j, a, b)
    local w = input.share * (input.mask and input.mask[j] or 1)
    local out = pose.joint(a.t, a.q, a.s)
    if w == 0 then return out end
    local all = not input.sparse
    if all or keyed[j].t then out.t = vec.lerp(a.t, b.t, w) end
    if all or keyed[j].q then out.q = quat.nlerp(a.q, b.q, w) end
    if all or keyed[j].s then out.s = vec.lerp(a.s, b.s, w) end
    return out
  end
  if input.space == "model" then return inModelSpace(g, below, layer, joint) end
  return pose.map(#g.rig, function(j) return joint(j, below[j], layer[j]) end)
end

function kinds.layers(g, node, additive)
  local out, keyed
  for _, input in ipairs(node.inputs) do
    if input.isBase then
      out, keyed = output.poseOf(g, input.node, additive)
    elseif input.share > 0 and input.mode == "additive" then
      local reference = input.reference and input.reference.pose(0)
      local delta, its = output.poseOf(g, input.node, { reference = reference })
      out = pose.add(out, delta, input.share, input.mask)
      alsoKeyed(keyed, its, input.mask)
    elseif input.share > 0 then
      local layer, its = output.poseOf(g, input.node, additive)
      out = override(g, input, out, layer, its)
      alsoKeyed(keyed, its, input.mask)
    end
  end
  return out, keyed
end

-- additive: nil, or { reference = pose or nil } inside an additive layer. Gives the pose and what is keyed in it.
function output.poseOf(g, node, additive)
  local p, keyed = (kinds[node.kind] or mixed)(g, node, additive)
  if node.write then
    p = pose.map(#p, function(j) return pose.joint(p[j].t, p[j].q, p[j].s) end)
    for j in pairs(node.write(g, node, p)) do keyed[j] = { t = true, q = true, s = true } end
  end
  return p, keyed
end

function output.pose(g, node) return (output.poseOf(g, node, nil)) end

-- Root motion of the last step, nil where nothing below moves the character. An override layer that has some takes over
-- by weight * mask of the joint that it was taken from; additive layers add none.
function output.motion(node)
  if node.kind == "clip" then return node.motion, node.clip.motionJoint end
  if node.kind == "pose" then return nil end
  if node.kind == "layers" then
    local out, joint
    for _, input in ipairs(node.inputs) do
      if input.isBase then
        out, joint = output.motion(input.node)
      elseif input.share > 0 and input.mode == "override" then
        local m, its = output.motion(input.node)
        if m then
          local w = input.share * (input.mask and input.mask[its] or 1)
          out, joint = motion.mix({ out or motion.identity, m }, { 1 - w, w }), joint or its
        end
      end
    end
    return out, joint
  end
  local list, weights, joint = {}, {}, nil
  for _, input in ipairs(node.inputs) do
    if input.node and input.share > 0 then
      local m, its = output.motion(input.node)
      joint = joint or its
      list[#list + 1], weights[#weights + 1] = m or motion.identity, input.share
    end
  end
  if not joint then return nil end
  return motion.mix(list, weights), joint
end

-- A scalar curve: the weighted mean, `missing` where a clip has none; override layers that have it (or are not sparse)
-- are laid over by weight, additive ones add what it is above its first key.
function output.curve(node, name, missing, additive)
  if node.kind == "clip" then
    local value = tree.curveAt(node.clip, name, timeOf(node))
    if value and additive then value = value - tree.curveAt(node.clip, name, -math.huge) end
    return value
  end
  local rest = additive and 0 or missing
  if node.kind == "layers" then
    local out = output.curve(node.inputs[1].node, name, missing, additive)
    for i = 2, #node.inputs do
      local input = node.inputs[i]
      local adds = input.mode == "additive"
      local value = input.share > 0 and output.curve(input.node, name, missing, additive or adds)
      if value == nil and not adds and not input.sparse then value = rest end
      if value then
        local below = out or rest
        out = adds and below + input.share * value or below + (value - below) * input.share
      end
    end
    return out
  end
  local sum, left, found = 0, 1, false
  for _, input in ipairs(node.inputs) do
    if input.node and input.share > 0 then
      local value = output.curve(input.node, name, missing, additive)
      found = found or value ~= nil
      sum, left = sum + input.share * (value or rest), left - input.share
    end
  end
  return found and sum + left * rest or nil
end

-- Discrete values, with the weight that they have in the pose: the heaviest wins, ties go to the first. An override
-- layer takes weight from what is below.
local function candidate(node, name)
  if node.kind == "clip" then
    return tree.propertyAt(node.clip, name, timeOf(node)), 1
  end
  local best, value = 0, nil
  for _, input in ipairs(node.inputs) do
    if input.node and input.share > 0 then
      local its, weight = candidate(input.node, name)
      if node.kind == "layers" and not input.isBase and input.mode == "override" and its ~= nil then
        best = best * (1 - input.share)
      end
      if its ~= nil and weight * input.share > best then best, value = weight * input.share, its end
    end
  end
  return value, best
end

function output.property(g, name) return (candidate(g.root, name)) end

return output
