// SPDX-License-Identifier: MIT
// Skins: which nodes are their joints (needed before the skeleton), then the skins themselves.
#include "import/gltf.h"

#include <math.h>

static bool read_skin(anim_gltf* g, uint32_t index)
{
    enum { inverse_bind, joints, name, skeleton, count };
    static const char* const keys[count] = {"inverseBindMatrices", "joints", "name", "skeleton"};
    anim_gltf_skin* skin = &g->skins[index];
    anim_json_value at = g->skin_list.at[index], v[count];
    anim_gltf_list list;
    int32_t root = -1;
    skin->at = at;
    skin->inverse_bind = -1;
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_require(g, at, v[joints], keys[joints]) ||
        !anim_gltf_get_index(g, v[inverse_bind], g->accessor_list.count, &skin->inverse_bind) ||
        !anim_gltf_get_index(g, v[skeleton], g->node_list.count, &root) ||
        !anim_gltf_get_list(g, v[joints], &list))
        return false;
    if (list.count == 0)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, v[joints], "at least one joint expected");
    skin->name = v[name];
    skin->count = list.count;
    skin->nodes = anim_gltf_alloc(g, list.count, sizeof *skin->nodes);
    if (!skin->nodes)
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        int32_t node = -1;
        if (!anim_gltf_get_index(g, list.at[i], g->node_list.count, &node))
            return false;
        skin->nodes[i] = (uint32_t)node;
        g->nodes[node].is_joint = true;
    }
    return true;
}

bool anim_gltf_read_skins(anim_gltf* g)
{
    g->skins = anim_gltf_alloc(g, g->skin_list.count, sizeof *g->skins);
    if (!g->skins)
        return false;
    for (uint32_t i = 0; i < g->skin_list.count; i++)
        if (!read_skin(g, i))
            return false;
    return true;
}

// *out is NULL where the file gives none: identities.
static bool read_inverse_bind(anim_gltf* g, const anim_gltf_skin* skin, anim_mat34** out)
{
    *out = NULL;
    if (skin->inverse_bind < 0)
        return true;
    uint32_t index = (uint32_t)skin->inverse_bind;
    anim_json_value at = g->accessor_list.at[index];
    anim_gltf_accessor* accessor;
    const float* numbers;
    if (!anim_gltf_open_accessor(g, index, &accessor))
        return false;
    if (accessor->width != 16 || !accessor->component.is_float)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at,
                              "inverse bind matrices must be MAT4 of 32-bit floats");
    if (accessor->count < skin->count)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "%u inverse bind matrices for %u joints",
                              accessor->count, skin->count);
    anim_mat34* matrices = anim_gltf_alloc(g, skin->count, sizeof *matrices);
    if (!matrices || !anim_gltf_get_numbers(g, index, &numbers))
        return false;
    float off = 0; // from a last row of 0 0 0 1
    for (uint32_t i = 0; i < skin->count; i++) {
        const float* m = numbers + (size_t)i * 16;
        anim_mat34_from_columns(m, &matrices[i]);
        off = fmaxf(off, fabsf(m[3]) + fabsf(m[7]) + fabsf(m[11]) + fabsf(m[15] - 1));
    }
    if (off > 1e-5f)
        anim_gltf_warn(g, skin->at,
                       "inverse bind matrices whose last row is not 0 0 0 1; taken as if it were");
    *out = matrices;
    return true;
}

static bool build_skin(anim_gltf* g, uint32_t index, anim_skin** out)
{
    const anim_gltf_skin* skin = &g->skins[index];
    anim_mat34* inverse_bind;
    const char* name = anim_gltf_get_name(g, skin->name, "skin", index);
    uint16_t* joints = anim_gltf_alloc(g, skin->count, sizeof *joints);
    if (!name || !joints || !read_inverse_bind(g, skin, &inverse_bind) ||
        !anim_gltf_hold(g, skin->count * (sizeof(anim_mat34) + sizeof *joints)))
        return false;
    for (uint32_t i = 0; i < skin->count; i++)
        joints[i] = (uint16_t)g->nodes[skin->nodes[i]].joint;
    const anim_skin_desc desc = {name, g->model->skeleton, joints, inverse_bind, skin->count};
    g->code = anim_skin_create(&desc, out, g->err);
    return g->code == ANIM_OK;
}

bool anim_gltf_build_skins(anim_gltf* g)
{
    anim_model* model = g->model;
    model->skins = anim_gltf_alloc_kept(g, g->skin_list.count, sizeof *model->skins);
    if (!model->skins)
        return false;
    for (; model->skin_count < g->skin_list.count; model->skin_count++)
        if (!build_skin(g, model->skin_count, &model->skins[model->skin_count]))
            return false;
    return true;
}
