// SPDX-License-Identifier: MIT
#include "pose/mask.h"

#include "base/layout.h"
#include "base/mem.h"

// -1 where no entry names the joint itself.
static void apply_entries(const uint16_t* slots, float* weights, const anim_mask_entry* entries,
                          uint32_t count, bool only)
{
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].only == only)
            weights[slots[entries[i].joint]] = entries[i].weight;
}

typedef struct parts {
    anim_mask* mask;
    float* weights;
    uint8_t* groups;
} parts;

static parts lay_out(anim_layout* layout, const anim_skeleton* skeleton)
{
    parts p;
    p.mask = anim_layout_take(layout, 1, sizeof *p.mask);
    p.weights = anim_layout_take(layout, skeleton->group_count * ANIM_LANES, sizeof *p.weights);
    p.groups = anim_layout_take(layout, skeleton->group_count, sizeof *p.groups);
    return p;
}

anim_code anim_mask_create(anim_skeleton* skeleton, const anim_mask_entry* entries, uint32_t count,
                           anim_mask** out, anim_error* err)
{
    *out = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].joint >= skeleton->joint_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "mask: there is no joint %u",
                             entries[i].joint + 1);
        if (!(entries[i].weight >= 0 && entries[i].weight <= 1))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "mask: '%s' has weight %g, not 0 to 1",
                             anim_skeleton_name(skeleton, entries[i].joint),
                             (double)entries[i].weight);
    }
    anim_layout layout = {0};
    lay_out(&layout, skeleton);
    layout = (anim_layout){anim_mem_alloc(layout.size), 0};
    if (!layout.block)
        return anim_fail_memory(err, "a mask");
    parts p = lay_out(&layout, skeleton);
    anim_mask* mask = p.mask;
    float* weights = p.weights;
    const uint16_t* slots = skeleton->slots;
    uint32_t joints = skeleton->joint_count;
    for (uint32_t j = 0; j < joints; j++)
        weights[slots[j]] = -1;
    apply_entries(slots, weights, entries, count, false);
    for (uint32_t j = 0; j < joints; j++) { // parents come first
        int32_t parent = skeleton->parents[j];
        if (weights[slots[j]] < 0)
            weights[slots[j]] = parent < 0 ? 0 : weights[slots[parent]];
    }
    apply_entries(slots, weights, entries, count, true);
    for (uint32_t j = 0; j < joints; j++)
        p.groups[slots[j] / ANIM_LANES] |= weights[slots[j]] > 0;

    anim_ref_init(&mask->ref);
    mask->skeleton = anim_skeleton_retain(skeleton);
    mask->weights = weights;
    mask->groups = p.groups;
    *out = mask;
    return ANIM_OK;
}

anim_mask* anim_mask_retain(anim_mask* mask)
{
    anim_ref_retain(&mask->ref);
    return mask;
}

void anim_mask_release(anim_mask* mask)
{
    if (mask && anim_ref_drop(&mask->ref)) {
        anim_skeleton_release(mask->skeleton);
        anim_mem_free(mask);
    }
}
