// SPDX-License-Identifier: MIT
// New clips out of old ones. All of them keep keys as keys, nothing is resampled, unless they say so.
// A packed clip (pose/pack.h) is unpacked to keys first, so the new one is not packed.
#pragma once

#include "pose/clip.h"

// The part from t0 to t1 (0 <= t0 < t1 <= duration), moved to 0. Keys are added where the cuts fall
// between two; events and markers inside stay, ranges are cut.
anim_code anim_clip_slice(const anim_clip* clip, double t0, double t1, anim_clip** out,
                          anim_error* err);

anim_code anim_clip_reverse(const anim_clip* clip, anim_clip** out, anim_error* err);

// Through the plane square to `axis` (0 x, 1 y, 2 z) in model space. `pair[j]` is the joint that
// takes the place of j (j itself on the middle line). The rest pose mirrors to the rest pose exactly:
// with C_j = (S R_pair(j) S)^-1 R_j of the model-space rest rotations, the new local rotation is
// C_parent^-1 (S L_pair(j) S) C_j; translations are mirrored as differences from rest.
// Partners whose parents are not partners are taken as none; a joint that is then alone below one that
// changes places (a sword in the left hand) keeps its keys.
// `rename` (may be NULL) gives the new name of an event or marker, or NULL to keep it.
typedef const char* (*anim_rename)(void* user, const char* name);
anim_code anim_clip_mirror(const anim_clip* clip, int axis, const uint16_t* pair,
                           anim_rename rename, void* user, anim_clip** out, anim_error* err);

// On another skeleton: joint j of the clip's skeleton drives `map[j]` (-1: nothing). Translations are
// scaled by the ratio of the rest lengths of the joints, except for roots.
anim_code anim_clip_retarget(const anim_clip* clip, anim_skeleton* target, const int32_t* map,
                             anim_clip** out, anim_error* err);

// The same between skeletons whose joints have other axes, rest poses and sizes. Mapped joints turn in
// model space as the clip's do, away from poses in which both stand alike: how is told in pose/retarget.h.
// The place of the hips (found, or `root`) and of what is above them follows the clip's: level scaled by
// the length of the legs, upright so that standing and lying stay what they are. Other joints keep their
// places in their parents, unless the clip moves one by more than a twentieth of the figure. Scale keys are
// left out. Exact at the clip's key times; where those lie more than 1/20 s apart (cubic keys, feet: 1/60)
// keys are added.
typedef struct anim_retarget_desc {
    const int32_t* map;            // as above; no joint twice
    const anim_pose_group* source; // of the clip's skeleton, standing like `target`; NULL: at rest
    const anim_pose_group* target; // NULL: at rest
    int32_t root;    // joint of the clip's skeleton whose place is carried over, in the
                     // map; -1: found, -2: none
    bool feet;       // legs are solved so that the feet keep their height above the floor
    int32_t foot[2]; // joints of the target, in the map; both -1: found
} anim_retarget_desc;

// Fails (ANIM_ERR_ARGUMENT) on additive clips, a joint that two drive, feet without legs.
anim_code anim_clip_retarget_map(const anim_clip* clip, anim_skeleton* target,
                                 const anim_retarget_desc* desc, anim_clip** out, anim_error* err);

// Deltas against `reference` (a local pose of the same skeleton): semantics 4.
anim_code anim_clip_to_additive(const anim_clip* clip, const anim_pose_group* reference,
                                anim_clip** out, anim_error* err);
