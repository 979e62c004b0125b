// SPDX-License-Identifier: MIT
// Meshes as triangles, one vertex layout for all (geometry.h), and where the scene has them (glTF 2.0, 3.7).
#include "import/gltf.h"

#include <math.h>
#include <string.h>

typedef enum mode { TRIANGLES = 4, STRIP, FAN } mode;

enum { POSITION, NORMAL, COLOR, JOINTS, WEIGHTS, JOINTS_2, WEIGHTS_2, TEXCOORD, ATTRIBUTES };

enum { most_vertices = 1 << 24 }; // indices are read as floats, which are exact up to there

typedef struct part_reader {
    anim_gltf* g;
    anim_json_value at; // the primitive
    anim_json_value attribute[ATTRIBUTES];
    const float* numbers[ATTRIBUTES]; // NULL: the file has none
    uint8_t width[ATTRIBUTES];
    anim_mesh_part* part;
    anim_vertex* vertices;
    uint32_t largest_joint;
    bool lost_influences;
} part_reader;

// --- attributes ---------------------------------------------------------------------------------

// The numbers of an attribute: `count` elements of `least` to `most` numbers.
static bool read_attribute(part_reader* r, int which, uint8_t least, uint8_t most)
{
    anim_gltf* g = r->g;
    int32_t index = -1;
    anim_gltf_accessor* accessor;
    if (!r->attribute[which])
        return true;
    if (!anim_gltf_get_index(g, r->attribute[which], g->accessor_list.count, &index) ||
        !anim_gltf_open_accessor(g, (uint32_t)index, &accessor))
        return false;
    if (accessor->width < least || accessor->width > most)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, r->attribute[which],
                              "the accessor's type does not fit this attribute");
    if (which == POSITION)
        r->part->vertex_count = accessor->count;
    if (accessor->count != r->part->vertex_count)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, r->attribute[which],
                              "%u elements for %u vertices", accessor->count,
                              r->part->vertex_count);
    r->width[which] = accessor->width;
    return anim_gltf_get_numbers(g, (uint32_t)index, &r->numbers[which]);
}

static bool pick_attributes(part_reader* r, anim_json_value attributes)
{
    static const char* const keys[TEXCOORD] = {"POSITION",  "NORMAL",   "COLOR_0",  "JOINTS_0",
                                               "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"};
    anim_gltf* g = r->g;
    int32_t material = r->part->material;
    uint32_t set = material >= 0 ? g->textures[material].texcoord : 0;
    char name[24] = "TEXCOORD_";
    const char* const texcoord[] = {name};
    name[9] = (char)('0' + set % 10);
    if (!anim_gltf_pick(g, attributes, keys, TEXCOORD, r->attribute))
        return false;
    return set > 9 || anim_gltf_pick(g, attributes, texcoord, 1, &r->attribute[TEXCOORD]);
}

static bool read_attributes(part_reader* r)
{
    static const uint8_t least[ATTRIBUTES] = {3, 3, 3, 4, 4, 4, 4, 2};
    static const uint8_t most[ATTRIBUTES] = {3, 3, 4, 4, 4, 4, 4, 2};
    for (int i = 0; i < ATTRIBUTES; i++)
        if (!read_attribute(r, i, least[i], most[i]))
            return false;
    if (!r->numbers[JOINTS] || !r->numbers[WEIGHTS])
        r->numbers[JOINTS] = r->numbers[WEIGHTS] = NULL;
    if (!r->numbers[JOINTS] || !r->numbers[JOINTS_2] || !r->numbers[WEIGHTS_2])
        r->numbers[JOINTS_2] = r->numbers[WEIGHTS_2] = NULL;
    return true;
}

// --- vertices -----------------------------------------------------------------------------------

static uint8_t to_byte(float x)
{
    return (uint8_t)((x < 0 ? 0 : x > 1 ? 1 : x) * 255 + .5f);
}

static void take_normal(const float* from, float* out)
{
    float square = from[0] * from[0] + from[1] * from[1] + from[2] * from[2];
    float scale = square > 0 && square <= 1e30f ? 1 / sqrtf(square) : 0;
    for (int k = 0; k < 3; k++)
        out[k] = from[k] * scale;
}

// The four heaviest of up to eight influences, with a sum of 1; all on the first where there are none.
static void take_influences(part_reader* r, uint32_t i, anim_vertex* out)
{
    float joints[8] = {0}, weights[8] = {0}, sum = 0;
    int count = r->numbers[JOINTS_2] ? 8 : 4;
    for (int k = 0; k < count; k++) {
        int set = k < 4 ? 0 : JOINTS_2 - JOINTS;
        joints[k] = r->numbers[JOINTS + set][(size_t)i * 4 + k % 4];
        float weight = r->numbers[WEIGHTS + set][(size_t)i * 4 + k % 4];
        weights[k] = weight > 0 && weight <= 1e6f ? weight : 0;
    }
    for (int k = 0; k < 4; k++) {
        int best = k;
        for (int n = k + 1; n < count; n++)
            if (weights[n] > weights[best])
                best = n;
        float joint = joints[k], weight = weights[k];
        joints[k] = joints[best], weights[k] = weights[best];
        joints[best] = joint, weights[best] = weight;
        sum += weights[k];
    }
    for (int k = 4; k < count; k++)
        r->lost_influences = r->lost_influences || weights[k] > 0;
    for (int k = 0; k < 4; k++) {
        bool used = sum > 0 && weights[k] > 0;
        float joint = joints[k] >= 0 && joints[k] <= 65535 ? joints[k] : 65535;
        out->joints[k] = used || (k == 0 && sum <= 0) ? (uint16_t)joint : 0;
        out->weights[k] = used ? weights[k] / sum : k == 0 && sum <= 0 ? 1 : 0;
        if (out->joints[k] > r->largest_joint)
            r->largest_joint = out->joints[k];
    }
}

static void fill_vertex(part_reader* r, uint32_t i, anim_vertex* out)
{
    memcpy(out->position, r->numbers[POSITION] + (size_t)i * 3, sizeof out->position);
    if (r->numbers[NORMAL])
        take_normal(r->numbers[NORMAL] + (size_t)i * 3, out->normal);
    if (r->numbers[TEXCOORD]) {
        static const float same[6] = {1, 0, 0, 0, 1, 0};
        const float* uv = r->numbers[TEXCOORD] + (size_t)i * 2;
        const float* m = r->part->material >= 0 ? r->g->textures[r->part->material].transform
                                                : same;
        out->texcoord[0] = m[0] * uv[0] + m[1] * uv[1] + m[2];
        out->texcoord[1] = m[3] * uv[0] + m[4] * uv[1] + m[5];
    }
    memset(out->color, 255, sizeof out->color);
    for (int k = 0; r->numbers[COLOR] && k < r->width[COLOR]; k++)
        out->color[k] = to_byte(r->numbers[COLOR][(size_t)i * r->width[COLOR] + (size_t)k]);
    if (r->numbers[JOINTS])
        take_influences(r, i, out);
    else
        out->weights[0] = 1;
}

static bool build_vertices(part_reader* r)
{
    uint32_t count = r->part->vertex_count;
    if (count > most_vertices)
        return anim_gltf_fail(r->g, ANIM_ERR_UNSUPPORTED, r->at,
                              "%u vertices; at most %d can be read", count, most_vertices);
    r->vertices = anim_gltf_alloc_kept(r->g, count, sizeof *r->vertices);
    if (!r->vertices)
        return false;
    for (uint32_t i = 0; i < count; i++)
        fill_vertex(r, i, &r->vertices[i]);
    r->part->vertices = r->vertices;
    r->part->has_normals = r->numbers[NORMAL] != NULL;
    r->part->has_joints = r->numbers[JOINTS] != NULL;
    if (r->lost_influences)
        anim_gltf_warn(r->g, r->at,
                       "vertices with more than four joints; the lightest are left out");
    return true;
}

// --- triangles ----------------------------------------------------------------------------------

// The vertex at place `i` of the primitive's list.
static uint32_t vertex_at(const float* numbers, uint32_t i)
{
    return numbers ? (uint32_t)numbers[i] : i;
}

static void fill_triangles(const float* numbers, uint32_t triangles, mode m, uint32_t* out)
{
    for (uint32_t i = 0; i < triangles; i++, out += 3) {
        uint32_t first = m == TRIANGLES ? 3 * i : i, odd = m == STRIP && i % 2;
        out[0] = vertex_at(numbers, m == FAN ? 0 : first);
        out[1] = vertex_at(numbers, first + 1 + odd);
        out[2] = vertex_at(numbers, first + 2 - odd);
    }
}

static bool read_indices(part_reader* r, anim_json_value at, const float** numbers, uint32_t* count)
{
    anim_gltf* g = r->g;
    anim_gltf_accessor* accessor;
    int32_t index = -1;
    *numbers = NULL;
    *count = r->part->vertex_count;
    if (!at)
        return true;
    if (!anim_gltf_get_index(g, at, g->accessor_list.count, &index) ||
        !anim_gltf_open_accessor(g, (uint32_t)index, &accessor))
        return false;
    if (accessor->width != 1 || accessor->component.is_float || accessor->component.is_signed ||
        accessor->component.normalized)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "indices must be unsigned integers");
    if (!anim_gltf_get_numbers(g, (uint32_t)index, numbers))
        return false;
    *count = accessor->count;
    for (uint32_t i = 0; i < *count; i++)
        if (!((*numbers)[i] < (float)r->part->vertex_count))
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "index %.0f is out of range: %u vertices",
                                  (double)(*numbers)[i], r->part->vertex_count);
    return true;
}

static bool build_triangles(part_reader* r, anim_json_value at, mode m)
{
    const float* numbers;
    uint32_t count;
    if (!read_indices(r, at, &numbers, &count))
        return false;
    uint32_t triangles = m == TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
    if (m == TRIANGLES && count % 3 != 0)
        anim_gltf_warn(r->g, r->at, "%u corners are no whole triangles; the rest is left out",
                       count);
    uint32_t* indices = anim_gltf_alloc_kept(r->g, triangles, 3 * sizeof *indices);
    if (!indices)
        return false;
    fill_triangles(numbers, triangles, m, indices);
    r->part->indices = indices;
    r->part->index_count = 3 * triangles;
    return true;
}

// --- morph targets ------------------------------------------------------------------------------

static bool add_target(part_reader* r, anim_json_value at, anim_vertex_offset* out)
{
    static const char* const keys[] = {"POSITION", "NORMAL"};
    anim_json_value v[2];
    if (!anim_gltf_pick(r->g, at, keys, 2, v))
        return false;
    uint32_t count = r->part->vertex_count;
    for (int k = 0; k < 2; k++) {
        part_reader part = {.g = r->g, .at = at, .attribute = {[NORMAL] = v[k]}, .part = r->part};
        if (!read_attribute(&part, NORMAL, 3, 3))
            return false;
        for (uint32_t i = 0; part.numbers[NORMAL] && i < count; i++)
            memcpy(k ? out[i].normal : out[i].position, part.numbers[NORMAL] + (size_t)i * 3,
                   3 * sizeof(float));
    }
    return true;
}

static bool build_targets(part_reader* r, anim_json_value at, uint32_t count)
{
    anim_gltf_list list;
    if (!anim_gltf_get_list(r->g, at, &list))
        return false;
    if (list.count != count)
        return anim_gltf_fail(r->g, ANIM_ERR_FORMAT, r->at,
                              "%u morph targets, but the mesh's first primitive has %u", list.count,
                              count);
    if (count == 0)
        return true;
    size_t size = r->part->vertex_count;
    if (size > SIZE_MAX / sizeof(anim_vertex_offset) / count)
        return anim_gltf_fail(r->g, ANIM_ERR_LIMIT, r->at, "too many morph targets");
    anim_vertex_offset* targets = anim_gltf_alloc_kept(r->g, size * count, sizeof *targets);
    if (!targets)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!add_target(r, list.at[i], targets + size * i))
            return false;
    r->part->targets = targets;
    return true;
}

// --- meshes -------------------------------------------------------------------------------------

typedef struct builder {
    anim_gltf* g;
    anim_mesh* meshes;
    uint32_t* largest_joint; // of each mesh; UINT32_MAX: it has no joints
} builder;

static bool is_draco(anim_gltf* g, anim_json_value extensions, bool* out)
{
    static const char* const keys[] = {"KHR_draco_mesh_compression"};
    anim_json_value found = 0;
    if (extensions && !anim_gltf_pick(g, extensions, keys, 1, &found))
        return false;
    *out = found != 0;
    return true;
}

// Leaves *kept false, with a warning, where there is nothing that could be drawn.
static bool build_part(builder* b, anim_json_value at, anim_mesh* mesh, uint32_t index,
                       anim_mesh_part* out, bool* kept)
{
    enum { attributes, indices, material, how, targets, extensions, count };
    static const char* const keys[count] = {"attributes", "indices", "material",
                                            "mode",       "targets", "extensions"};
    anim_gltf* g = b->g;
    part_reader r = {.g = g, .at = at, .part = out};
    anim_json_value v[count];
    uint32_t m = TRIANGLES;
    bool draco;
    *out = (anim_mesh_part){.material = -1};
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_require(g, at, v[attributes], keys[attributes]) ||
        !anim_gltf_get_count(g, v[how], &m) || !is_draco(g, v[extensions], &draco) ||
        !anim_gltf_get_index(g, v[material], g->model->geometry.material_count, &out->material) ||
        !pick_attributes(&r, v[attributes]))
        return false;
    *kept = !draco && m >= TRIANGLES && m <= FAN && r.attribute[POSITION];
    if (!*kept) {
        anim_gltf_warn(g, at, "%s; it is not drawn",
                       draco                   ? "compressed with Draco, which cannot be read"
                       : r.attribute[POSITION] ? "points or lines"
                                               : "it has no positions");
        return true;
    }
    if (!read_attributes(&r) || !build_vertices(&r) || !build_triangles(&r, v[indices], (mode)m) ||
        !build_targets(&r, v[targets], mesh->target_count))
        return false;
    uint32_t* largest = &b->largest_joint[index];
    if (out->has_joints && (*largest == UINT32_MAX || r.largest_joint > *largest))
        *largest = r.largest_joint;
    return true;
}

static bool count_targets(anim_gltf* g, const anim_gltf_list* parts, uint32_t* out)
{
    static const char* const keys[] = {"targets"};
    anim_json_value targets = 0;
    if (parts->count > 0 && !anim_gltf_pick(g, parts->at[0], keys, 1, &targets))
        return false;
    *out = targets ? anim_json_get_count(&g->json, targets) : 0;
    return true;
}

static bool build_mesh(builder* b, uint32_t index)
{
    static const char* const keys[] = {"name", "primitives"};
    anim_gltf* g = b->g;
    anim_mesh* mesh = &b->meshes[index];
    anim_json_value v[2];
    anim_gltf_list list;
    if (!anim_gltf_pick(g, g->mesh_list.at[index], keys, 2, v) ||
        !anim_gltf_get_list(g, v[1], &list) || !count_targets(g, &list, &mesh->target_count))
        return false;
    const char* name = anim_gltf_get_name(g, v[0], "mesh", index);
    mesh->name = name ? anim_gltf_keep_text(g, name) : NULL;
    anim_mesh_part* parts = mesh->name ? anim_gltf_alloc_kept(g, list.count, sizeof *parts) : NULL;
    if (!parts)
        return false;
    b->largest_joint[index] = UINT32_MAX;
    for (uint32_t i = 0; i < list.count; i++) {
        bool kept;
        if (!build_part(b, list.at[i], mesh, index, &parts[mesh->part_count], &kept))
            return false;
        mesh->part_count += kept;
    }
    mesh->parts = parts;
    return true;
}

// --- places -------------------------------------------------------------------------------------

// Of all nodes, in model space and at rest: parents come first in the order.
static anim_mat34* find_places(anim_gltf* g)
{
    uint32_t count = g->node_list.count;
    anim_mat34* places = anim_gltf_alloc(g, count, sizeof *places);
    for (uint32_t i = 0; places && i < count; i++) {
        const anim_gltf_node* node = &g->nodes[g->order[i]];
        anim_mat34* place = &places[g->order[i]];
        anim_mat34_from_xform(&node->rest, place);
        if (node->parent >= 0)
            anim_mat34_mul(&places[node->parent], place, place);
    }
    return places;
}

static bool add_use(builder* b, uint32_t index, const anim_mat34* place, anim_mesh_use* out)
{
    anim_gltf* g = b->g;
    const anim_gltf_node* node = &g->nodes[index];
    uint32_t largest = b->largest_joint[node->mesh];
    const char* name = anim_gltf_get_name(g, node->name, "node", index);
    name = name ? anim_gltf_keep_text(g, name) : NULL;
    if (!name)
        return false;
    *out = (anim_mesh_use){.name = name,
                           .mesh = (uint32_t)node->mesh,
                           .skin = largest == UINT32_MAX ? -1 : node->skin,
                           .joint = node->joint,
                           .morph = node->morph,
                           .matrix = *place};
    if (!anim_floats_are_finite(place->m[0], 12))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, node->at, "its place is beyond all numbers");
    return out->skin < 0 || largest < g->skins[out->skin].count ||
           anim_gltf_fail(g, ANIM_ERR_FORMAT, node->at,
                          "its mesh uses joint %u of the skin, which has %u", largest,
                          g->skins[out->skin].count);
}

static bool is_drawn(const anim_gltf_node* node)
{
    return node->in_scene && node->mesh >= 0;
}

bool anim_gltf_build_meshes(anim_gltf* g)
{
    anim_geometry* geometry = &g->model->geometry;
    uint32_t count = g->mesh_list.count, uses = 0;
    builder b = {.g = g};
    b.meshes = anim_gltf_alloc_kept(g, count, sizeof *b.meshes);
    b.largest_joint = b.meshes ? anim_gltf_alloc(g, count, sizeof *b.largest_joint) : NULL;
    if (!b.largest_joint)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!build_mesh(&b, i))
            return false;
    for (uint32_t i = 0; i < g->node_list.count; i++)
        uses += is_drawn(&g->nodes[i]);
    anim_mesh_use* list = anim_gltf_alloc_kept(g, uses, sizeof *list);
    anim_mat34* places = list ? find_places(g) : NULL;
    if (!places)
        return false;
    for (uint32_t i = 0; i < g->node_list.count; i++)
        if (is_drawn(&g->nodes[i]) && !add_use(&b, i, &places[i], &list[geometry->use_count++]))
            return false;
    geometry->meshes = b.meshes;
    geometry->mesh_count = count;
    geometry->uses = list;
    return true;
}
