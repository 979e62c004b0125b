// SPDX-License-Identifier: MIT
// The joints of a character: names, parents, rest pose. Immutable, shared, one block of memory.
#pragma once

#include "base/error.h"
#include "base/names.h"
#include "base/ref.h"
#include "math/xform.h"
#include "pose/pairs.h"

struct anim_pose_group;

// Joints are in depth-first order: parents before children, siblings in the order they were given.
// Read the fields, never write them.
typedef struct anim_skeleton {
    anim_ref ref;
    uint32_t joint_count;
    uint32_t group_count;               // groups of eight lanes
    size_t size;                        // bytes of the block
    uint64_t signature;                 // hash of names and parents
    anim_names names;                   // unique
    const int16_t* parents;             // -1: a root
    const struct anim_pose_group* rest; // local rest pose
    const anim_xform* rest_xforms;      // the same, one by one
    const uint16_t* child_counts;
    const uint16_t* slots;        // by joint: it is lane slot % 8 of group slot / 8 in a pose
    const uint16_t* joints;       // by slot; ANIM_NO_JOINT: nothing lies there
    const anim_joint_pair* pairs; // the order that leads from local to model space
    const uint16_t* groups;       // all of them: 0, 1, ...
} anim_skeleton;

typedef struct anim_joint_desc {
    const char* name; // must be unique, 1 to ANIM_MAX_NAME bytes
    int32_t parent;   // index into the same list (any order), -1: a root
    anim_xform rest;  // finite; the rotation is normalised
} anim_joint_desc;

// Builds a skeleton of `count` >= 1 joints. `order` (count entries, may be NULL) receives for each
// description the joint it became. Fails (ANIM_ERR_ARGUMENT) on a name that stands twice, a parent
// out of range, a cycle, a rotation of length zero; ANIM_ERR_LIMIT above ANIM_MAX_JOINTS.
anim_code anim_skeleton_create(const anim_joint_desc* joints, uint32_t count, uint32_t* order,
                               anim_skeleton** out, anim_error* err);
anim_skeleton* anim_skeleton_retain(anim_skeleton* skeleton);
void anim_skeleton_release(anim_skeleton* skeleton); // NULL is fine

static inline int32_t anim_skeleton_find(const anim_skeleton* skeleton, const char* name)
{
    return anim_names_find(&skeleton->names, name); // -1: no such joint
}

static inline const char* anim_skeleton_name(const anim_skeleton* skeleton, uint32_t joint)
{
    return anim_names_get(&skeleton->names, joint);
}

// True where names and parents agree: clips of one can play on the other as they are.
bool anim_skeleton_same(const anim_skeleton* a, const anim_skeleton* b);

// True where `joint` is `ancestor` or below it.
bool anim_skeleton_is_below(const anim_skeleton* skeleton, uint32_t joint, uint32_t ancestor);
