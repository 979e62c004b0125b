// SPDX-License-Identifier: MIT
// How much of each joint a layer reaches: one weight from 0 to 1 a joint.
#pragma once

#include "pose/skeleton.h"

typedef struct anim_mask {
    anim_ref ref;
    anim_skeleton* skeleton; // retained
    const float* weights;    // one a lane of a pose; 0 where there is no joint
    const uint8_t* groups;   // one a group: whether any of its joints has weight
} anim_mask;

typedef struct anim_mask_entry {
    uint32_t joint;
    float weight; // 0 to 1
    bool only;    // this joint alone, not those below it
} anim_mask_entry;

// Entries act from the root to the leaves, whatever their order: the one nearer a joint wins.
// Joints without an entry above them have weight 0.
anim_code anim_mask_create(anim_skeleton* skeleton, const anim_mask_entry* entries, uint32_t count,
                           anim_mask** out, anim_error* err);
anim_mask* anim_mask_retain(anim_mask* mask);
void anim_mask_release(anim_mask* mask);

static inline float anim_mask_weight(const anim_mask* mask, uint32_t joint)
{
    return mask->weights[mask->skeleton->slots[joint]];
}
