--- Bones as triangles, for models that have nothing else to be drawn: BVH files, skeletons without meshes.
local ffi = require("ffi")

-- As anim.MeshPart has it. Without normals faces are flat.
ffi.cdef([[
typedef struct {
  float position[3], normal[3], texcoord[2];
  uint8_t color[4];
  uint16_t joints[4];
  float weights[4];
} anim_love_vertex;
]])

local bones = {}

local facets = { { 0, 2, 1 }, { 0, 3, 2 }, { 0, 4, 3 }, { 0, 1, 4 },
  { 5, 1, 2 }, { 5, 2, 3 }, { 5, 3, 4 }, { 5, 4, 1 } }

local function length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

-- Two axes square to x, y, z, of length `r`.
local function across(x, y, z, r)
  local ux, uy, uz = -y, x, 0
  if math.abs(z) > .7 * length(x, y, z) then ux, uy, uz = 0, -z, y end
  local scale = r / length(ux, uy, uz)
  ux, uy, uz = scale * ux, scale * uy, scale * uz
  local l = length(x, y, z)
  return ux, uy, uz, (y * uz - z * uy) / l, (z * ux - x * uz) / l, (x * uy - y * ux) / l
end

-- From the joint to x, y, z in its space: six corners.
local function corners(x, y, z)
  local ux, uy, uz, vx, vy, vz = across(x, y, z, .09 * length(x, y, z))
  local mx, my, mz = .18 * x, .18 * y, .18 * z
  return { { 0, 0, 0 }, { mx + ux, my + uy, mz + uz }, { mx + vx, my + vy, mz + vz },
    { mx - ux, my - uy, mz - uz }, { mx - vx, my - vy, mz - vz }, { x, y, z } }
end

-- A bone for each joint that lies away from its parent: whose it is, and where its end is in that one's space.
local function list(skeleton)
  local out = {}
  for j = 1, #skeleton do
    local parent, x, y, z = skeleton:getParent(j), skeleton:getRest(j)
    if parent and length(x, y, z) > 1e-6 then out[#out + 1] = { parent, x, y, z } end
  end
  return out
end

local function newPart(skeleton)
  local found = list(skeleton)
  local vertices = ffi.new("anim_love_vertex[?]", math.max(1, 6 * #found))
  local indices = ffi.new("uint32_t[?]", math.max(1, 24 * #found))
  for i, bone in ipairs(found) do
    for k, at in ipairs(corners(bone[2], bone[3], bone[4])) do
      local v = vertices[6 * (i - 1) + k - 1]
      v.position[0], v.position[1], v.position[2] = at[1], at[2], at[3]
      v.color[0], v.color[1], v.color[2], v.color[3] = 190, 180, 160, 255
      v.joints[0], v.weights[0] = bone[1] - 1, 1
    end
    for f, facet in ipairs(facets) do
      for c = 1, 3 do indices[24 * (i - 1) + 3 * (f - 1) + c - 1] = 6 * (i - 1) + facet[c] end
    end
  end
  return { vertexCount = 6 * #found, vertices = ffi.string(vertices, 6 * #found * 60), indexCount = 24 * #found,
    indices = ffi.string(indices, 24 * #found * 4), hasNormals = false, hasJoints = true }
end

--- What a model without meshes has in their place: one mesh that all joints carry.
function bones.describe(skeleton)
  return { { name = "bones", targetCount = 0, parts = { newPart(skeleton) } } },
    { { name = "bones", mesh = 1, carriedByAll = true } }
end

return bones
