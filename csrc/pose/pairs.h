// SPDX-License-Identifier: MIT
// Where joints lie in a pose: two by two, so that both joints of a pair can go to model space at once.
#pragma once

#include "base/arena.h"
#include "math/xform.h"

#define ANIM_NO_JOINT 0xffffu

// Lanes l and l + 4 of a group, l = 0 to 3: pair n lies in lanes n % 4 and n % 4 + 4 of group n / 4. A
// parent lies in an earlier pair, or is the first joint of its own pair.
typedef struct anim_joint_pair {
    uint16_t joints[2];      // ANIM_NO_JOINT: there is no second one
    uint16_t parents[2];     // ANIM_NO_JOINT: a root, or no joint
    uint32_t to[2], from[2]; // bytes of their matrices in a list by joint, where the pair is plain
    bool is_plain;           // both joints are there, and have parents in earlier pairs
} anim_joint_pair;

static inline uint32_t anim_pair_count(uint32_t joint_count)
{
    return (joint_count + 1) / 2;
}

// Joints breadth first, two by two: those near the root move in most clips, so that what stands still
// comes to lie in whole groups of its own. `parents` come before children (-1: a root). Fills `slots`
// (by joint: lane slot % 8 of group slot / 8) and `pairs`. O(count). False: out of memory.
bool anim_pairs_make(anim_arena* arena, const int16_t* parents, uint32_t count, uint16_t* slots,
                     anim_joint_pair* pairs);

// Adds to the groups that are wanted (a flag each) those of all parents of joints in them, and lists them
// in order; gives their number.
uint32_t anim_pairs_close(const anim_joint_pair* pairs, const uint16_t* slots, uint32_t count,
                          bool* wanted, uint16_t* groups);
