-- Shares of the inputs of composite nodes (semantics 4 and 5). Each gives a list of shares >= 0; where they sum to less
-- than 1 the rest pose fills up.
local blendSpace = require("spec.support.reference.blend_space")

local weigh = {}

local none = 1e-6

local function positive(list)
  local out, total = {}, 0
  for i, w in ipairs(list) do
    out[i] = math.max(w, 0)
    total = total + out[i]
  end
  return out, total
end

-- Weights to shares: a sum below 1e-6 falls back; without `normalize` a sum below 1 stays as it is.
function weigh.normalise(weights, normalize, fallback)
  local out, total = positive(weights)
  if total < none then
    for i = 1, #out do out[i] = 0 end
    if fallback == "first" and #out > 0 then out[1] = 1 end
  elseif normalize or total > 1 then
    for i = 1, #out do out[i] = out[i] / total end
  end
  return out
end

local function column(node, key)
  local out = {}
  for i, input in ipairs(node.inputs) do out[i] = input[key] end
  return out
end

-- What is left over by rounding holds no group and fires no events.
local function cut(weights)
  for i, w in ipairs(weights) do if w < 1e-7 then weights[i] = 0 end end
  return weights
end

local function pointsOf(node)
  local out = {}
  for i, input in ipairs(node.inputs) do out[i] = { input.x, input.y } end
  return out
end

-- An override layer has 1 at most; an additive one may add its delta more than once.
local function layerWeights(node, weights)
  local out = positive(weights)
  for i, input in ipairs(node.inputs) do
    if input.mode == "override" then out[i] = math.min(out[i], 1) end
  end
  return out
end

-- numberOf gives the value of a number or of a parameter's name.
function weigh.shares(node, numberOf)
  local kind = node.kind
  if kind == "blend1D" then return cut(blendSpace.weights1D(column(node, "x"), numberOf(node.param))) end
  if kind == "blend2D" then
    return cut(blendSpace.weights(node.mode, pointsOf(node), numberOf(node.x), numberOf(node.y), node))
  end
  local weights = {}
  for i, input in ipairs(node.inputs) do weights[i] = numberOf(input.weight) end
  if kind == "layers" then return layerWeights(node, weights) end
  if node.fade and node.fade.target then return node.fade.weights end
  return weigh.normalise(weights, node.normalize, node.fallback)
end

return weigh
