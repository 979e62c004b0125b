// SPDX-License-Identifier: MIT
// What a mesh is bound to: some joints of a skeleton, each with its inverse bind matrix.
#pragma once

#include "pose/pose.h"

typedef struct anim_skin {
    anim_ref ref;
    anim_skeleton* skeleton; // retained
    const char* name;        // "" where it has none
    uint32_t joint_count;
    const uint16_t* joints;         // skin joint -> joint of the skeleton
    const anim_mat34* inverse_bind; // model space of the bind pose -> joint space
    size_t size;
    // Those of a pose that hold the joints of the skin and what is above them.
    const uint16_t* groups;
    uint32_t group_count;
} anim_skin;

typedef struct anim_skin_desc {
    const char* name;
    anim_skeleton* skeleton;
    const uint16_t* joints;
    const anim_mat34* inverse_bind; // NULL: identities, as in glTF; held within ANIM_MODEL_MOST
    uint32_t joint_count;           // >= 1
} anim_skin_desc;

anim_code anim_skin_create(const anim_skin_desc* desc, anim_skin** out, anim_error* err);
anim_skin* anim_skin_retain(anim_skin* skin);
void anim_skin_release(anim_skin* skin);

// The palette: model matrix * inverse bind for each joint of the skin, from the model-space matrices
// of all joints of the skeleton. 3x4: twelve floats, three rows of four. 4x4: sixteen, column-major.
// No alignment is asked of `out`.
void anim_skin_palette_3x4(const anim_skin* skin, const anim_mat34* model, float* out);
void anim_skin_palette_4x4(const anim_skin* skin, const anim_mat34* model, float* out);

// The model-space matrices (one for each joint of the skeleton, aligned to 4 bytes) of at least those joints
// that a palette of the skin needs; others may keep what they were.
void anim_skin_to_model(const anim_skin* skin, const anim_pose_group* groups, anim_mat34* out);
