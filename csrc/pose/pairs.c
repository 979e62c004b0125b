// SPDX-License-Identifier: MIT
#include "pose/pairs.h"

// Joints by depth, of equals the first joint first. `depths` and `first` have room for count + 1.
static void sort_by_depth(const int16_t* parents, uint32_t count, uint16_t* depths, uint32_t* first,
                          uint16_t* sorted)
{
    for (uint32_t j = 0; j < count; j++) {
        depths[j] = parents[j] < 0 ? 0 : (uint16_t)(depths[parents[j]] + 1);
        first[depths[j] + 1]++;
    }
    for (uint32_t d = 1; d <= count; d++)
        first[d] += first[d - 1];
    for (uint32_t j = 0; j < count; j++)
        sorted[first[depths[j]]++] = (uint16_t)j;
}

static void put(anim_joint_pair* pair, uint32_t which, uint16_t joint, int32_t parent)
{
    pair->joints[which] = joint;
    pair->to[which] = joint * (uint32_t)sizeof(anim_mat34);
    if (parent < 0)
        return;
    pair->parents[which] = (uint16_t)parent;
    pair->from[which] = (uint32_t)parent * (uint32_t)sizeof(anim_mat34);
    pair->is_plain = which == 1 && pair->parents[0] != ANIM_NO_JOINT && parent != pair->joints[0];
}

bool anim_pairs_make(anim_arena* arena, const int16_t* parents, uint32_t count, uint16_t* slots,
                     anim_joint_pair* pairs)
{
    uint16_t* depths = anim_arena_alloc(arena, count, sizeof *depths);
    uint32_t* first = anim_arena_alloc(arena, (size_t)count + 1, sizeof *first);
    uint16_t* sorted = anim_arena_alloc(arena, count, sizeof *sorted);
    if (!depths || !first || !sorted)
        return false;
    sort_by_depth(parents, count, depths, first, sorted);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = i / 2, second = i % 2;
        slots[sorted[i]] = (uint16_t)(n / 4 * ANIM_LANES + n % 4 + 4 * second);
        if (!second)
            pairs[n] = (anim_joint_pair){.joints = {ANIM_NO_JOINT, ANIM_NO_JOINT},
                                         .parents = {ANIM_NO_JOINT, ANIM_NO_JOINT}};
        put(&pairs[n], second, sorted[i], parents[sorted[i]]);
    }
    return true;
}

uint32_t anim_pairs_close(const anim_joint_pair* pairs, const uint16_t* slots, uint32_t count,
                          bool* wanted, uint16_t* groups)
{
    uint32_t found = 0;
    for (uint32_t n = anim_pair_count(count); n-- > 0;) // parents lie in no later group
        for (int i = 0; i < 2 && wanted[n / 4]; i++)
            if (pairs[n].parents[i] != ANIM_NO_JOINT)
                wanted[slots[pairs[n].parents[i]] / ANIM_LANES] = true;
    for (uint32_t g = 0; g < anim_group_count(count); g++)
        if (wanted[g])
            groups[found++] = (uint16_t)g;
    return found;
}
