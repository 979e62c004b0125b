// SPDX-License-Identifier: MIT
// The target at a time: rotations and places of pairs in model space become local ones, joint by joint.
#include "pose/retarget.h"

static const double cosine_30 = 0.86602540378443865;

// Whether its place is told by the parent pair rather than by the joint above.
static bool is_told(const anim_retarget* r, const anim_pair* p)
{
    return !p->is_carried && p->parent >= 0 &&
           (p->is_loose || r->rig[1].pair_above[p->joint[1]] != p->parent);
}

// Joints that matter: those of pairs and all above them.
static bool* mark_needed(const anim_retarget* r)
{
    const anim_rig* rig = &r->rig[1];
    bool* needed = anim_arena_alloc(r->arena, rig->skeleton->joint_count, sizeof *needed);
    for (uint32_t j = rig->skeleton->joint_count; j-- > 0 && needed;) {
        if (rig->pair_of[j] >= 0)
            needed[j] = true;
        if (needed[j] && rig->skeleton->parents[j] >= 0)
            needed[rig->skeleton->parents[j]] = true;
    }
    return needed;
}

static bool is_ready(const anim_target* t, uint32_t joint, const bool* done)
{
    const anim_rig* rig = &t->r->rig[1];
    int32_t parent = rig->skeleton->parents[joint], pair = rig->pair_of[joint];
    if (parent >= 0 && !done[parent])
        return false;
    return pair < 0 || !t->is_attached[pair] ||
           done[t->r->pairs[t->r->pairs[pair].parent].joint[1]];
}

// Parents first, and those first that others are attached to. Where these go round in a circle, one is let go.
static bool find_sequence(anim_target* t)
{
    const anim_rig* rig = &t->r->rig[1];
    uint32_t joints = rig->skeleton->joint_count, missing = 0;
    bool* needed = mark_needed(t->r);
    bool* done = anim_arena_alloc(t->r->arena, joints, sizeof *done);
    t->sequence = anim_arena_alloc(t->r->arena, joints, sizeof *t->sequence);
    if (!needed || !done || !t->sequence)
        return false;
    for (uint32_t j = 0; j < joints; j++)
        missing += needed[j];
    while (missing > 0) {
        uint32_t before = missing;
        int32_t waiting = -1;
        for (uint32_t j = 0; j < joints; j++) {
            if (!needed[j] || done[j])
                continue;
            if (is_ready(t, j, done)) {
                done[j] = true;
                t->sequence[t->count++] = j;
                missing--;
            } else if (waiting < 0 && rig->pair_of[j] >= 0 && t->is_attached[rig->pair_of[j]]) {
                waiting = rig->pair_of[j];
            }
        }
        if (missing == before)
            t->is_attached[waiting] = false;
    }
    return true;
}

bool anim_target_init(anim_target* t, anim_retarget* r)
{
    *t = (anim_target){.r = r};
    uint32_t n = r->pair_count;
    t->is_attached = anim_arena_alloc(r->arena, n, sizeof *t->is_attached);
    t->rotations = anim_arena_alloc(r->arena, n, sizeof *t->rotations);
    t->places = anim_arena_alloc(r->arena, n, sizeof *t->places);
    t->locals = anim_arena_alloc(r->arena, n, sizeof *t->locals);
    t->placed = anim_arena_alloc(r->arena, r->rig[1].skeleton->joint_count, sizeof *t->placed);
    if (!t->is_attached || !t->rotations || !t->places || !t->locals || !t->placed)
        return false;
    for (uint32_t i = 0; i < n; i++)
        t->is_attached[i] = is_told(r, &r->pairs[i]);
    return find_sequence(t);
}

// Where the reference pose has the pair, seen from the parent pair that it is attached to.
static anim_dvec attached_at(const anim_target* t, const anim_pair* p)
{
    const anim_rig* rig = &t->r->rig[1];
    uint32_t joint = t->r->pairs[p->parent].joint[1];
    const anim_placed* parent = &rig->reference[joint];
    anim_dvec away = anim_dvec_sub(anim_placed_at(&rig->reference[p->joint[1]]),
                                   anim_placed_at(parent));
    anim_dquat turn = anim_dquat_mul(t->rotations[p->parent], anim_dquat_conjugate(parent->q));
    anim_dvec at = anim_dvec_add(anim_placed_at(&t->placed[joint]), anim_dquat_rotate(turn, away));
    return p->is_loose ? anim_dvec_add(at, t->places[p - t->r->pairs]) : at;
}

void anim_target_place(anim_target* t)
{
    const anim_rig* rig = &t->r->rig[1];
    const anim_placed origin = ANIM_PLACED_ORIGIN;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t joint = t->sequence[i];
        int32_t above = rig->skeleton->parents[joint], pair = rig->pair_of[joint];
        const anim_placed* parent = above < 0 ? &origin : &t->placed[above];
        anim_ik_local local = anim_ik_local_of(rig->skeleton, rig->skeleton->rest, joint);
        if (pair >= 0) {
            const anim_pair* p = &t->r->pairs[pair];
            anim_dquat q = anim_dquat_mul(anim_dquat_conjugate(parent->q), t->rotations[pair]);
            local.q = anim_dquat_normalize(anim_dquat_flip(q, parent->flip));
            if (p->is_carried)
                anim_placed_inside(parent, t->places[pair], &local.t);
            else if (t->is_attached[pair])
                anim_placed_inside(parent, attached_at(t, p), &local.t);
            t->locals[pair] = local;
        }
        anim_placed_below(parent, &local, &t->placed[joint]);
    }
}

// --- reference poses ------------------------------------------------------------------------------

static double height(const anim_retarget* r, int32_t pair, int side, const anim_placed* placed)
{
    return anim_dvec_dot(anim_pair_at(r, pair, side, placed), r->rig[side].up);
}

// The leg that the source stands on: its end is lowest.
static const anim_limb* find_support(const anim_retarget* r)
{
    const anim_limb* best = NULL;
    for (uint32_t i = 0; i < r->limb_count; i++) {
        const anim_limb* limb = &r->limbs[i];
        bool is_lower = limb->is_leg && limb->end >= 0 &&
                        (!best || height(r, limb->end, 0, r->rig[0].reference) <
                                      height(r, best->end, 0, r->rig[0].reference));
        if (is_lower)
            best = limb;
    }
    return best;
}

void anim_target_stand(anim_target* t, anim_retarget* r)
{
    for (uint32_t i = 0; i < r->pair_count; i++) {
        const anim_pair* p = &r->pairs[i];
        t->rotations[i] = anim_dquat_mul(p->align, r->rig[1].reference[p->joint[1]].q);
        t->places[i] = p->is_carried ? p->at : (anim_dvec){0, 0, 0};
    }
    anim_target_place(t);
    const anim_limb* leg = r->hips < 0 || !r->pairs[r->hips].is_carried ? NULL : find_support(r);
    if (!leg)
        return;
    // Its foot is as high as it stands at rest, or as the source's is above that.
    double rise = height(r, leg->end, 1, r->rig[1].reference) - height(r, leg->end, 1, t->placed);
    if (r->is_seen)
        rise += r->scale * (height(r, leg->end, 0, r->rig[0].reference) - r->ankle);
    r->tall[1] += rise;
    anim_pair* hips = &r->pairs[r->hips];
    hips->at = anim_dvec_add(hips->at, anim_dvec_scale(r->rig[1].up, rise));
    t->places[r->hips] = hips->at;
    anim_target_place(t);
}

// --- a time ---------------------------------------------------------------------------------------

// Heights of the source above the floor (1: standing) to those of the target: the same at the floor and when
// standing, and near that as the legs' lengths have it, so that feet stay where they are when knees bend.
static double scale_height(const anim_retarget* r, double moved)
{
    if (!(r->tall[0] > 0) || !(r->tall[1] > 0))
        return moved * r->scale;
    double slope = r->scale * r->tall[0] / r->tall[1], u = 1 + moved / r->tall[0];
    slope = slope < .2 ? .2 : slope > 1.8 ? 1.8 : slope;
    double f = u > 1 ? slope * (u - 1) : (u - 1) * (1 + (slope - 1) * u);
    return r->tall[1] * (u < 0 ? (2 - slope) * u - 1 : f);
}

static anim_dvec carried_at(const anim_retarget* r, const anim_pair* p, anim_dvec place)
{
    anim_dvec up = r->rig[1].up;
    anim_dvec moved = anim_dquat_rotate(r->turn, anim_dvec_sub(place, p->base));
    double rise = anim_dvec_dot(moved, up);
    anim_dvec level = anim_dvec_sub(moved, anim_dvec_scale(up, rise));
    moved = anim_dvec_add(anim_dvec_scale(level, r->scale),
                          anim_dvec_scale(up, scale_height(r, rise)));
    return anim_dvec_add(p->at, moved);
}

// A shin whose foot hangs on the root reaches for it, but need not get there: what is seen is where the foot is.
// Not farther than 30 degrees: then the two have come apart.
static void point(anim_target* t, int32_t pair, const anim_placed* source)
{
    const anim_retarget* r = t->r;
    const anim_pair* p = &r->pairs[pair];
    anim_dquat rest = anim_dquat_mul(p->align, r->rig[1].reference[p->joint[1]].q);
    anim_dquat turn = anim_dquat_mul(t->rotations[pair], anim_dquat_conjugate(rest));
    anim_dvec own = anim_dvec_normalize(anim_dquat_rotate(turn, p->bone), p->bone);
    anim_dvec to = anim_dvec_sub(anim_pair_at(r, p->along, 0, source),
                                 anim_pair_at(r, pair, 0, source));
    to = anim_dvec_normalize(anim_dquat_rotate(r->turn, to), own);
    if (anim_dvec_dot(own, to) < cosine_30)
        return;
    anim_dquat swing = anim_dquat_between(own, to, anim_dvec_square_to(own));
    t->rotations[pair] = anim_dquat_normalize(anim_dquat_mul(swing, t->rotations[pair]));
}

void anim_target_at(anim_target* t, const anim_placed* source)
{
    const anim_retarget* r = t->r;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        const anim_pair* p = &r->pairs[i];
        anim_dquat q = anim_dquat_mul(r->turn, source[p->joint[0]].q);
        t->rotations[i] = anim_dquat_normalize(anim_dquat_mul(q, p->after));
        if (p->is_pointing)
            point(t, (int32_t)i, source);
        if (p->is_carried)
            t->places[i] = carried_at(r, p, anim_placed_at(&source[p->joint[0]]));
        else if (p->is_loose)
            t->places[i] = anim_dvec_scale(
                anim_dquat_rotate(r->turn, anim_pair_slack(r, (int32_t)i, source)), r->scale);
    }
    anim_target_place(t);
}
