// SPDX-License-Identifier: MIT
#include "pose/skin.h"

#include "base/layout.h"
#include "base/mem.h"

#include <string.h>

typedef struct parts {
    anim_skin* skin;
    anim_mat34* inverse_bind;
    uint16_t* joints;
    char* name;
} parts;

static parts lay_out(anim_layout* layout, const anim_skin_desc* desc)
{
    parts p;
    p.skin = anim_layout_take(layout, 1, sizeof *p.skin);
    p.inverse_bind = anim_layout_take(layout, desc->joint_count, sizeof *p.inverse_bind);
    p.joints = anim_layout_take(layout, desc->joint_count, sizeof *p.joints);
    p.name = anim_layout_take(layout, strlen(desc->name ? desc->name : "") + 1, 1);
    return p;
}

anim_code anim_skin_create(const anim_skin_desc* desc, anim_skin** out, anim_error* err)
{
    *out = NULL;
    const char* name = desc->name ? desc->name : "";
    if (desc->joint_count == 0)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s' has no joints", name);
    for (uint32_t i = 0; i < desc->joint_count; i++)
        if (desc->joints[i] >= desc->skeleton->joint_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "skin '%s': joint %u is out of range", name,
                             i + 1);
    anim_layout layout = {0};
    lay_out(&layout, desc);
    size_t size = layout.size;
    layout = (anim_layout){anim_mem_alloc(size), 0};
    if (!layout.block)
        return anim_fail_memory(err, "a skin");
    parts p = lay_out(&layout, desc);
    for (uint32_t i = 0; i < desc->joint_count; i++)
        p.inverse_bind[i] = desc->inverse_bind ? desc->inverse_bind[i] : ANIM_MAT34_IDENTITY;
    memcpy(p.joints, desc->joints, desc->joint_count * sizeof *p.joints);
    memcpy(p.name, name, strlen(name) + 1);

    anim_ref_init(&p.skin->ref);
    p.skin->skeleton = anim_skeleton_retain(desc->skeleton);
    p.skin->name = p.name;
    p.skin->joint_count = desc->joint_count;
    p.skin->joints = p.joints;
    p.skin->inverse_bind = p.inverse_bind;
    p.skin->size = size;
    *out = p.skin;
    return ANIM_OK;
}

anim_skin* anim_skin_retain(anim_skin* skin)
{
    anim_ref_retain(&skin->ref);
    return skin;
}

void anim_skin_release(anim_skin* skin)
{
    if (skin && anim_ref_drop(&skin->ref)) {
        anim_skeleton_release(skin->skeleton);
        anim_mem_free(skin);
    }
}

void anim_skin_palette_3x4(const anim_skin* skin, const anim_mat34* model, float* out)
{
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        anim_mat34 m;
        anim_mat34_mul(&model[skin->joints[i]], &skin->inverse_bind[i], &m);
        memcpy(out + (size_t)i * 12, m.m, sizeof m.m);
    }
}

void anim_skin_palette_4x4(const anim_skin* skin, const anim_mat34* model, float* out)
{
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        anim_mat34 m;
        anim_mat34_mul(&model[skin->joints[i]], &skin->inverse_bind[i], &m);
        anim_mat34_to_columns(&m, out + (size_t)i * 16);
    }
}
