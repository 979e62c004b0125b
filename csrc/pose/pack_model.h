// SPDX-License-Identifier: MIT
// Inside the pose layer: how far the joints of two poses lie apart in model space, in double, for many
// moments at once. What the encoder of packed clips measures with.
//
// The distance of a joint is the largest one between three points tied to it, along its x, y and z axis:
// 3 cm from it in its own units or, where the rest pose makes these smaller, in model space.
#pragma once

#include "base/arena.h"
#include "pose/pose.h"

#define ANIM_PACK_SHELL 0.03 // metres

typedef double anim_d2 __attribute__((vector_size(16))); // two moments side by side

typedef struct anim_pack_locals {
    anim_d2 t[3], q[4], s[3];
} anim_pack_locals;

typedef struct anim_pack_matrices {
    anim_d2 m[12]; // three rows of four
} anim_pack_matrices;

// Moment p is lane p % 2 of pair p / 2; a joint has `pairs` of everything, one after the other.
typedef struct anim_pack_model {
    const anim_skeleton* skeleton;
    bool additive; // transforms are deltas: they are measured on top of the rest pose
    uint32_t moments, pairs;
    anim_pack_locals* locals;
    anim_pack_matrices *wanted, *made;
    double* worst;       // per joint, metres: of the last update
    double* shells;      // per joint: how far the points are from it, in its own units
    double* radii;       // the same in model space, at rest
    const uint32_t* end; // per joint: one past the last joint below it
    uint64_t work;       // moments of joints computed so far
} anim_pack_model;

// In the arena, locals at rest. False: out of memory.
bool anim_pack_model_init(anim_pack_model* m, anim_arena* arena, const anim_skeleton* skeleton,
                          bool additive, uint32_t moments);

// One channel of a joint at one moment, as a clip holds it.
void anim_pack_model_set(anim_pack_model* m, uint32_t joint, anim_channel channel, uint32_t moment,
                         const double* value);
void anim_pack_model_set_pose(anim_pack_model* m, uint32_t moment, const anim_pose_group* pose);

// Takes the locals as what is wanted.
void anim_pack_model_want(anim_pack_model* m);

// Computes `made` and `worst` of the joints from `first` to before `end` (a whole sub-tree, or all) from
// their locals and their parents; stops after the first joint that is over `bound`. Returns the largest
// distance met; infinity where it is no number.
double anim_pack_model_update(anim_pack_model* m, uint32_t first, uint32_t end, double bound);

// The distance of one joint at one moment of the last update.
double anim_pack_model_error(const anim_pack_model* m, uint32_t joint, uint32_t moment);
