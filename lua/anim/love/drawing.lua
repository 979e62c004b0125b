--- Sends a model's parts to the graphics card.
local check = require("anim.love.check")
local fault = require("anim.graph.fault")
local shader = require("anim.love.shader")
local stage = require("anim.love.stage")

local drawing = { mostMorphs = 16 } -- targets of one mesh at once: as many as the shader has room for

local function raiseUnknown(model, name, path)
  local names, seen = {}, {}
  for _, item in ipairs(model.items) do
    for k = 1, 2 do
      local known = item.names[k] or ""
      if known ~= "" and not seen[known] then names[#names + 1], seen[known] = known, true end
    end
  end
  fault.raise(path, "the model has no mesh '%s'%s", name, check.hint(name, names))
end

local function hide(name, path, model, set, is)
  local found = false
  for _, item in ipairs(model.items) do
    if item.names[1] == check.text(name, path) or item.names[2] == name then
      set[item], found = is or nil, true
    end
  end
  if not found then raiseUnknown(model, name, path) end
end

local function hideAll(names, path, model)
  local out = {}
  for i = 1, names ~= nil and fault.list(names, path) or 0 do
    hide(names[i], fault.join(path, i), model, out, true)
  end
  return out
end

--- What is not drawn, as a set, of the option `hide` in argument number `argument` of `caller`.
function drawing.hidden(caller, argument, model, names)
  return check.argument(caller, argument, hideAll, names, "hide", model)
end

--- `name`: of a mesh or of the node that has it; the first argument of `caller`.
function drawing.hide(caller, model, set, name, is) check.argument(caller, 1, hide, name, "", model, set, is) end

-- ---- drawing

-- The heaviest targets that have a weight now; how many.
local function sendMorphs(model, variant, item, graph)
  local floats, count = model.morphFloats, 0
  local morph = model.morphs[item.morph]
  for i = 1, #morph.targets do
    local weight = morph.weights[i]
    if graph then weight = graph:getMorph(item.morph, i) end
    if math.abs(weight) > 1e-4 and count < drawing.mostMorphs then
      floats[2 * count], floats[2 * count + 1] = i - 1, weight
      count = count + 1
    end
  end
  if count > 0 then
    shader.send(variant, "morphs", model.morphData)
    shader.send(variant, "targets", item.part.targets)
    shader.send(variant, "vertexCount", item.part.vertexCount)
  end
  return count
end

local function drawItem(model, variant, item, graph, count)
  local part, look, send = item.part, item.part.look, shader.send
  send(variant, "base", item.base)
  send(variant, "factor", look.factor)
  send(variant, "emissive", look.emissive)
  send(variant, "cutoff", look.cutoff)
  send(variant, "lit", look.lit)
  send(variant, "morphCount", item.morph and sendMorphs(model, variant, item, graph) or 0)
  love.graphics.setMeshCullMode(stage.pass == "shadow" and "none" or look.cull)
  love.graphics.setDepthMode("lequal", not look.blends)
  if count then
    love.graphics.drawInstanced(part.mesh, count)
  else
    love.graphics.draw(part.mesh)
  end
end

--- Draws the parts that are not hidden, `count` times (nil: once), with the morph weights of `graph` (nil: at rest).
function drawing.submit(model, variant, hidden, graph, count)
  local items, shadow = model.items, stage.pass == "shadow"
  for i = 1, #items do
    local item = items[i]
    if not hidden[item] and not (shadow and item.part.look.blends) then drawItem(model, variant, item, graph, count) end
  end
  love.graphics.setMeshCullMode("none")
  love.graphics.setDepthMode("lequal", true)
end

return drawing
