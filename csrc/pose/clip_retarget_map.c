// SPDX-License-Identifier: MIT
// Retargeting between unlike skeletons: the clip is taken apart, its keys made anew, and built again.
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"
#include "pose/retarget.h"

// Keys of all pairs, in the making.
typedef struct product {
    anim_retarget* r;
    anim_target* target;
    float (**rotations)[4]; // per pair, a key each
    float (**places)[3];    // NULL: keeps its place
} product;

static bool is_moved(const product* made, uint32_t pair)
{
    return made->r->pairs[pair].is_carried || made->target->is_attached[pair];
}

static bool make_room(product* made)
{
    anim_retarget* r = made->r;
    made->rotations = anim_arena_alloc(r->arena, r->pair_count, sizeof *made->rotations);
    made->places = anim_arena_alloc(r->arena, r->pair_count, sizeof *made->places);
    if (!made->rotations || !made->places)
        return false;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        made->rotations[i] = anim_arena_alloc(r->arena, r->time_count, sizeof **made->rotations);
        if (!made->rotations[i])
            return false;
        if (!is_moved(made, i))
            continue;
        made->places[i] = anim_arena_alloc(r->arena, r->time_count, sizeof **made->places);
        if (!made->places[i])
            return false;
    }
    return true;
}

// Neighbouring keys lie on the same side, so that they mix the shorter way.
static void store(product* made, uint32_t key)
{
    for (uint32_t i = 0; i < made->r->pair_count; i++) {
        const anim_ik_local* local = &made->target->locals[i];
        float* q = made->rotations[i][key];
        double sign = 1;
        if (key > 0)
            sign = anim_dquat_dot(anim_dquat_from(made->rotations[i][key - 1]), local->q) < 0 ? -1
                                                                                              : 1;
        q[0] = (float)(sign * local->q.x);
        q[1] = (float)(sign * local->q.y);
        q[2] = (float)(sign * local->q.z);
        q[3] = (float)(sign * local->q.w);
        if (!made->places[i])
            continue;
        float* t = made->places[i][key];
        t[0] = anim_dvec_number(local->t.x);
        t[1] = anim_dvec_number(local->t.y);
        t[2] = anim_dvec_number(local->t.z);
    }
}

static void make_keys(product* made)
{
    anim_retarget* r = made->r;
    for (uint32_t key = 0; key < r->time_count; key++) {
        anim_retarget_sample(r, (double)r->times[key]);
        anim_target_at(made->target, r->placed);
        anim_target_keep_feet(made->target, r->placed);
        store(made, key);
    }
}

// --- tracks ---------------------------------------------------------------------------------------

// Whether all keys are within `tolerance` of `value`.
static bool stays_at(const float* keys, uint32_t count, uint32_t width, const float* value,
                     double tolerance)
{
    for (size_t i = 0; i < (size_t)count * width; i++)
        if (!(fabs((double)keys[i] - (double)value[i % width]) <= tolerance))
            return false;
    return true;
}

static bool rests(const float q[4], const float rest[4])
{
    double dot = fabs(anim_dquat_dot(anim_dquat_from(q), anim_dquat_from(rest)));
    return dot > 1 - 1e-10;
}

// One key where nothing moves; no track where the joint only rests and the clip doesn't say more.
static void add_track(anim_draft* d, const anim_retarget* r, const anim_track_desc* track,
                      bool is_still, bool is_needless)
{
    if (is_still && is_needless)
        return;
    anim_track_desc* to = &d->tracks[d->desc.track_count++];
    *to = *track;
    to->times = (anim_times_desc){is_still ? 1 : r->time_count, r->times, 0, 1};
}

static void add_tracks(anim_draft* d, const product* made, uint32_t pair)
{
    const anim_retarget* r = made->r;
    const anim_pair* p = &r->pairs[pair];
    const anim_xform* rest = &r->rig[1].skeleton->rest_xforms[p->joint[1]];
    bool has_keys = r->clip->keys->channels[p->joint[0]] != 0 && p->part != ANIM_PART_BASE;
    anim_track_desc track = {.joint = p->joint[1], .interp = ANIM_INTERP_LINEAR};
    if (made->places[pair]) {
        const float* first = made->places[pair][0];
        double size = anim_dvec_length(anim_dvec_from(first)) +
                      anim_dvec_length(anim_dvec_from(rest->t));
        track.channel = ANIM_CHANNEL_TRANSLATION;
        track.values = first;
        bool is_still = stays_at(first, r->time_count, 3, first, 1e-6 * size);
        add_track(d, r, &track, is_still,
                  pair != (uint32_t)r->root && stays_at(first, 1, 3, rest->t, 1e-5 * size));
    }
    const float* first = made->rotations[pair][0];
    track.channel = ANIM_CHANNEL_ROTATION;
    track.values = first;
    add_track(d, r, &track, stays_at(first, r->time_count, 4, first, 1e-6),
              !has_keys && rests(first, rest->q));
}

static bool set_tracks(anim_draft* d, const product* made)
{
    uint32_t count = made->r->pair_count;
    d->tracks = anim_arena_alloc(&d->arena, 2 * (size_t)count, sizeof *d->tracks);
    d->desc.tracks = d->tracks;
    d->desc.track_count = 0;
    d->desc.packed = NULL;
    for (uint32_t i = 0; i < count && d->tracks; i++)
        add_tracks(d, made, i);
    return d->tracks != NULL;
}

// --- root motion ----------------------------------------------------------------------------------

// M becomes C M C^-1, where C(x) = scale * S x + c is what happens to places.
static void moved_at(const void* user, double time, anim_rigid* out)
{
    const anim_retarget* r = user;
    const anim_pair* p = &r->pairs[r->root];
    anim_rigid m;
    anim_motion_at(r->clip->keys->motion, time, &m);
    anim_dvec base = anim_dvec_scale(anim_dquat_rotate(r->turn, p->base), r->scale);
    anim_dvec c = anim_dvec_sub(p->at, base);
    anim_dquat q = anim_dquat_normalize(anim_dquat_mul(
        anim_dquat_mul(r->turn, anim_dquat_from(m.q)), anim_dquat_conjugate(r->turn)));
    anim_dvec t = anim_dvec_scale(anim_dquat_rotate(r->turn, anim_dvec_from(m.t)), r->scale);
    t = anim_dvec_sub(anim_dvec_add(t, c), anim_dquat_rotate(q, c));
    *out = (anim_rigid){{anim_dvec_number(t.x), anim_dvec_number(t.y), anim_dvec_number(t.z)},
                        {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
}

static bool set_motion(anim_draft* d, const anim_retarget* r)
{
    const anim_motion* motion = r->clip->keys->motion;
    d->desc.motion = NULL;
    if (!motion || r->root < 0)
        return true;
    int32_t pair = r->rig[0].pair_of[motion->joint];
    uint32_t joint = r->pairs[pair >= 0 ? pair : r->root].joint[1];
    return anim_draft_set_motion(d, joint, motion->times.at, motion->times.count, moved_at, r);
}

// --- all ------------------------------------------------------------------------------------------

static anim_code check(const anim_clip* clip, const anim_skeleton* target,
                       const anim_retarget_desc* desc, anim_arena* arena, anim_error* err)
{
    if (clip->keys->additive)
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "'%s' is additive: retarget what it was made of, then call toAdditive",
                         clip->name);
    const anim_skeleton* from = clip->keys->skeleton;
    bool* used = anim_arena_alloc(arena, target->joint_count, sizeof *used);
    if (!used)
        return anim_fail_memory(err, "a clip");
    for (uint32_t j = 0; j < from->joint_count; j++) {
        int32_t to = desc->map[j];
        if (to >= (int32_t)target->joint_count)
            return anim_fail(err, ANIM_ERR_ARGUMENT, "retarget: '%s' has no joint to go to",
                             anim_skeleton_name(from, j));
        if (to >= 0 && used[to])
            return anim_fail(err, ANIM_ERR_ARGUMENT, "retarget: two joints drive '%s'",
                             anim_skeleton_name(target, (uint32_t)to));
        if (to >= 0)
            used[to] = true;
    }
    return ANIM_OK;
}

static anim_code make(anim_draft* d, anim_retarget* r, bool* whole, anim_error* err)
{
    anim_target target;
    product made = {.r = r, .target = &target};
    *whole = anim_retarget_pair(r, r->desc->map) && anim_retarget_find_body(r) &&
             anim_retarget_find_times(r) && anim_retarget_fit(r) && anim_retarget_carry(r);
    if (!*whole)
        return ANIM_OK;
    anim_retarget_align(r);
    *whole = anim_target_init(&target, r) && make_room(&made);
    if (!*whole)
        return ANIM_OK;
    anim_target_stand(&target, r);
    anim_code code = anim_target_find_legs(&target, r, err);
    if (!code) {
        make_keys(&made);
        *whole = set_tracks(d, &made) && set_motion(d, r);
    }
    for (uint32_t i = 0; i < target.leg_count; i++)
        anim_skeleton_release(target.legs[i].rig);
    return code;
}

anim_code anim_clip_retarget_map(const anim_clip* clip, anim_skeleton* target,
                                 const anim_retarget_desc* desc, anim_clip** out, anim_error* err)
{
    *out = NULL;
    anim_clip* plain;
    anim_code code = anim_clip_unpack(clip, &plain, err);
    if (code)
        return code;
    anim_draft d;
    bool whole = anim_draft_init(&d, plain);
    anim_retarget r = {.arena = &d.arena, .clip = plain, .desc = desc};
    r.rig[0].skeleton = plain->keys->skeleton;
    r.rig[0].pose = r.rig[0].skeleton->rest;
    r.rig[1].skeleton = target;
    r.rig[1].pose = desc->target ? desc->target : target->rest;
    if (whole)
        code = check(plain, target, desc, &d.arena, err);
    if (whole && !code)
        code = make(&d, &r, &whole, err);
    d.desc.skeleton = target;
    if (code)
        anim_arena_free(&d.arena);
    else
        code = anim_draft_finish(&d, whole, out, err);
    anim_clip_release(plain);
    return code;
}
