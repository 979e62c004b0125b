--- How the row of a model's characters is laid out (anim.love.shader), and how it is filled from a graph.
local check = require("anim.love.check")

local Row = {}
Row.__index = Row

local placeTexels, jointTexels = 4, 3 -- a texel is four floats: place and tint; the matrix of a joint

-- Where a use of a mesh finds its joints: the palette of its skin, or one matrix. Equal ones share their texels.
local function find(row, known, list, key, value, count)
  if not known[key] then
    known[key] = row.texels
    list[#list + 1] = { value, at = row.texels }
    row.texels = row.texels + jointTexels * count
  end
  return known[key]
end

--- `drawn`: skeleton, skins, and uses of meshes; `bases[i]` is where the joints of use i begin.
function Row.new(drawn)
  local row = setmetatable({ texels = placeTexels, skins = {}, joints = {}, fixed = {}, bases = {} }, Row)
  local known = {}
  for i, use in ipairs(drawn.uses) do
    if use.carriedByAll then
      row.bases[i] = row.texels
      for j = 1, #drawn.skeleton do find(row, {}, row.joints, j, j, 1) end
    elseif use.skin then
      local skin = drawn.skins[use.skin]
      row.bases[i] = find(row, known, row.skins, skin, skin, #skin)
    elseif use.joint then
      row.bases[i] = find(row, known, row.joints, use.joint, use.joint, 1)
    else
      row.bases[i] = find(row, known, row.fixed, use, use.matrix, 1)
    end
  end
  return row
end

-- Three rows of four from sixteen numbers, column after column.
local function put(floats, i, a, b, c, _, d, e, f, _, g, h, j, _, x, y, z)
  floats[i], floats[i + 1], floats[i + 2], floats[i + 3] = a, d, g, x
  floats[i + 4], floats[i + 5], floats[i + 6], floats[i + 7] = b, e, h, y
  floats[i + 8], floats[i + 9], floats[i + 10], floats[i + 11] = c, f, j, z
end
Row.put = put

--- How many rows a texture has room for; raises where not even one fits.
function Row:most()
  local limit = love.graphics.getSystemLimits().texturesize
  if self.texels > limit then
    check.fail("anim.love: the model needs %d numbers in a row; textures have %d", self.texels, limit)
  end
  return limit
end

--- What no update changes.
function Row:init(floats, first)
  for _, fixed in ipairs(self.fixed) do put(floats, first + 4 * fixed.at, unpack(fixed[1])) end
end

--- Joints of a graph into `data`, whose floats are `floats`; the row begins at float `first` (from 0).
function Row:write(graph, data, floats, first)
  for i = 1, #self.skins do
    local skin = self.skins[i]
    graph:writePalette(skin[1], data, 4 * first + 16 * skin.at, "3x4")
  end
  for i = 1, #self.joints do
    local joint = self.joints[i]
    put(floats, first + 4 * joint.at, graph:getMatrix(joint[1]))
  end
end

--- Where it stands: at x, y, z, turned by `heading` about the vertical (radians, from +Z to +X), and how large.
function Row.place(floats, first, x, y, z, heading, scale)
  local s, c = scale * math.sin(heading), scale * math.cos(heading)
  put(floats, first, c, 0, -s, 0, 0, scale, 0, 0, s, 0, c, 0, x, y, z)
end

function Row.tint(floats, first, color)
  first = first + 12
  floats[first], floats[first + 1], floats[first + 2] = color[1], color[2], color[3]
  floats[first + 3] = color[4] or 1
end

return Row
