// SPDX-License-Identifier: MIT
// Which joints take their place from the source: hips and what is above them, what hangs on nothing, what comes
// loose.
#include "pose/keys.h"
#include "pose/retarget.h"

// Joints of the source that have translation keys which differ.
static bool* find_wanderers(const anim_retarget* r)
{
    const anim_keys* keys = r->clip->keys;
    bool* out = anim_arena_alloc(r->arena, keys->skeleton->joint_count, sizeof *out);
    for (uint32_t i = 0; i < keys->track_count && out; i++) {
        const anim_track* t = &keys->tracks[i];
        size_t stride = anim_key_stride((anim_interp)t->interp, 3);
        if (t->channel != ANIM_CHANNEL_TRANSLATION)
            continue;
        for (size_t k = stride; k < keys->times[t->times].count * stride && !out[t->joint]; k++)
            out[t->joint] = t->values[k] != t->values[k - stride];
    }
    return out;
}

static int32_t find_root(const anim_retarget* r, const bool* wanders)
{
    if (r->desc->root != -1)
        return r->desc->root < 0 ? -1 : r->rig[0].pair_of[r->desc->root];
    if (r->hips >= 0)
        return r->hips;
    for (uint32_t i = 0; i < r->pair_count; i++)
        if (wanders[r->pairs[i].joint[0]])
            return (int32_t)i;
    return -1;
}

// On the floor as it was at rest, as high as in the reference pose.
static anim_dvec base_of(const anim_retarget* r, int32_t pair, const anim_placed* rest)
{
    const anim_rig* rig = &r->rig[0];
    anim_dvec at = anim_pair_at(r, pair, 0, rest);
    double height = anim_dvec_dot(anim_pair_at(r, pair, 0, rig->reference), rig->up) - rig->ground +
                    r->floor;
    return anim_dvec_add(at, anim_dvec_scale(r->up, height - anim_dvec_dot(at, r->up)));
}

anim_dvec anim_pair_slack(const anim_retarget* r, int32_t pair, const anim_placed* placed)
{
    int32_t parent = r->pairs[pair].parent;
    if (parent < 0)
        return (anim_dvec){0, 0, 0};
    const anim_placed* reference = r->rig[0].reference;
    uint32_t joint = r->pairs[parent].joint[0];
    anim_dvec bone = anim_dvec_sub(anim_pair_at(r, pair, 0, reference),
                                   anim_pair_at(r, parent, 0, reference));
    anim_dquat turn = anim_dquat_mul(placed[joint].q, anim_dquat_conjugate(reference[joint].q));
    anim_dvec there = anim_dvec_add(anim_placed_at(&placed[joint]), anim_dquat_rotate(turn, bone));
    return anim_dvec_sub(anim_pair_at(r, pair, 0, placed), there);
}

// A head that flies off, a tongue that is put out: more than what capture and scales do to bones.
static void find_loose(anim_retarget* r)
{
    for (uint32_t look = 0; look < anim_retarget_look_count(r); look++) {
        anim_retarget_look(r, look);
        for (uint32_t i = 0; i < r->pair_count; i++) {
            anim_pair* p = &r->pairs[i];
            if (!p->is_carried &&
                anim_dvec_length(anim_pair_slack(r, (int32_t)i, r->placed)) > .05 * r->whole[0])
                p->is_loose = true;
        }
    }
}

bool anim_retarget_carry(anim_retarget* r)
{
    anim_placed* rest = anim_arena_alloc(r->arena, r->rig[0].skeleton->joint_count, sizeof *rest);
    bool* wanders = find_wanderers(r);
    if (!rest || !wanders)
        return false;
    anim_placed_all(r->rig[0].skeleton, r->rig[0].skeleton->rest, rest);
    r->root = find_root(r, wanders);
    for (int32_t at = r->root; at >= 0; at = r->pairs[at].parent)
        r->pairs[at].is_carried = true;
    for (uint32_t i = 0; i < r->pair_count && r->root >= 0; i++) {
        anim_pair* p = &r->pairs[i];
        bool is_free = p->parent < 0 || r->pairs[p->parent].part == ANIM_PART_BASE;
        if (is_free && !p->is_carried)
            p->is_carried = wanders[p->joint[0]];
        if (!p->is_carried)
            continue;
        p->base = base_of(r, (int32_t)i, rest);
        p->at = anim_pair_at(r, (int32_t)i, 1, r->rig[1].reference);
    }
    if (r->root >= 0)
        find_loose(r);
    return true;
}
