// SPDX-License-Identifier: MIT
// clip:withRootMotion (semantics 8): the travel of a joint becomes the motion of the character.
//
// With P(t), R(t) the joint in model space and M = (m, q): q is the twist of R(t) R(0)^-1 about the
// axis, and m is such that the joint without M stays over its first place on the axes taken out:
// P(t) = q P'(t) + m, with P' = P(0) on those axes and P(t) on the others.
#include "base/order.h"
#include "math/glm.h"
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"
#include "pose/root_motion.h"

#include <math.h>
#include <string.h>

// Motion and in-place tracks are straight between their keys. Where the joint's way is not, keys are added
// until the two together give it back to this part of its reach.
static const float closeness = 1e-5f;
enum { most_halvings = 8 }; // between two keys of the clip

typedef struct extraction {
    anim_draft* draft;
    const anim_clip* clip;
    const anim_motion_desc* desc;
    anim_pose_group* groups; // of one sampled pose
    anim_rigid start;        // the joint in model space at 0
    float reach;             // how far it goes
    float* at;               // key times of motion and in-place tracks
    uint32_t count, room;
} extraction;

static void place_of(const extraction* x, double time, anim_mat34* out)
{
    anim_clip_sample(x->clip, time, x->groups);
    anim_pose_joint_to_model(x->clip->keys->skeleton, x->groups, x->desc->joint, out);
}

static anim_rigid rigid_of(const anim_mat34* m)
{
    anim_xform local;
    anim_rigid out;
    anim_mat34_decompose(m, &local);
    memcpy(out.t, local.t, sizeof out.t);
    memcpy(out.q, local.q, sizeof out.q);
    return out;
}

static void matrix_of(const anim_rigid* m, anim_mat34* out)
{
    anim_xform x = {.s = {1, 1, 1}};
    memcpy(x.t, m->t, sizeof x.t);
    memcpy(x.q, m->q, sizeof x.q);
    anim_mat34_from_xform(&x, out);
}

static void motion_at(const void* user, double time, anim_rigid* out)
{
    const extraction* x = user;
    anim_mat34 m;
    place_of(x, time, &m);
    anim_rigid now = rigid_of(&m);
    *out = ANIM_RIGID_IDENTITY;
    if (x->desc->turn >= 0) {
        versor before, change;
        vec3 axis = {0, 0, 0};
        axis[x->desc->turn] = 1;
        memcpy(before, x->start.q, sizeof before);
        before[0] = -before[0], before[1] = -before[1], before[2] = -before[2];
        glm_quat_mul(now.q, before, change);
        anim_quat_twist(change, axis, out->q);
    }
    const bool taken[3] = {x->desc->x, x->desc->y, x->desc->z};
    if (!taken[0] && !taken[1] && !taken[2])
        return;
    vec3 in_place, turned;
    for (int i = 0; i < 3; i++)
        in_place[i] = taken[i] ? x->start.t[i] : now.t[i];
    glm_quat_rotatev(out->q, in_place, turned);
    glm_vec3_sub(now.t, turned, out->t);
}

// --- the joint in place -------------------------------------------------------------------------------

// Local transform of the joint once M is taken from it: parent^-1 M^-1 (joint in model space).
static void local_in_place(const extraction* x, double time, const anim_rigid* moved,
                           anim_xform* out)
{
    anim_mat34 joint, back_matrix;
    place_of(x, time, &joint);
    anim_rigid back;
    anim_rigid_inverse(moved, &back);
    matrix_of(&back, &back_matrix);
    anim_mat34_mul(&back_matrix, &joint, &joint);
    anim_pose_joint_from_model(x->clip->keys->skeleton, x->groups, x->desc->joint, &joint);
    anim_pose_get(x->clip->keys->skeleton, x->groups, x->desc->joint, out);
}

// --- times ------------------------------------------------------------------------------------------

// The joint at a key: its motion, and what is left of it.
typedef struct stand {
    anim_rigid motion;
    anim_xform local;
} stand;

static stand stand_at(const extraction* x, double time)
{
    stand out;
    motion_at(x, time, &out.motion);
    local_in_place(x, time, &out.motion, &out.local);
    return out;
}

static void between(const float* a, const float* b, float u, float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * (1 - u) + b[i] * u;
}

// The motion between two keys and the joint in model space, as the new tracks give them.
static void made_between(const extraction* x, const stand* a, const stand* b, float u,
                         anim_mat34* moved, anim_mat34* joint)
{
    anim_xform local;
    anim_rigid motion;
    anim_pose_get(x->clip->keys->skeleton, x->groups, x->desc->joint, &local);
    between(a->local.t, b->local.t, u, local.t);
    if (x->desc->turn >= 0)
        anim_quat_slerp(a->local.q, b->local.q, u, local.q);
    anim_pose_set(x->clip->keys->skeleton, x->groups, x->desc->joint, &local);
    anim_pose_joint_to_model(x->clip->keys->skeleton, x->groups, x->desc->joint, joint);
    between(a->motion.t, b->motion.t, u, motion.t);
    anim_quat_slerp(a->motion.q, b->motion.q, u, motion.q);
    matrix_of(&motion, moved);
    anim_mat34_mul(moved, joint, joint);
}

static bool is_close(const extraction* x, const anim_mat34* a, const anim_mat34* b)
{
    float size = 0;
    for (int i = 0; i < 12; i++)
        size = i % 4 < 3 ? fmaxf(size, fabsf(a->m[i / 4][i % 4])) : size;
    for (int i = 0; i < 12; i++) {
        float most = closeness * (i % 4 < 3 ? size : x->reach);
        if (!(fabsf(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]) <= most))
            return false;
    }
    return true;
}

static bool is_straight(const extraction* x, float from, float to)
{
    stand a = stand_at(x, from), b = stand_at(x, to);
    for (int i = 1; i < 4; i++) {
        anim_mat34 joint, moved, made_joint, made_moved;
        anim_rigid motion;
        float u = 0.25f * (float)i;
        double time = from + ((double)to - from) * u;
        motion_at(x, time, &motion);
        matrix_of(&motion, &moved);
        place_of(x, time, &joint);
        made_between(x, &a, &b, u, &made_moved, &made_joint);
        if (!is_close(x, &moved, &made_moved) || !is_close(x, &joint, &made_joint))
            return false;
    }
    return true;
}

static bool add_key(extraction* x, float time)
{
    if (x->count == x->room) {
        uint32_t room = x->room < 64 ? 64 : x->room * 2;
        float* at = room > x->room ? anim_arena_alloc(&x->draft->arena, room, sizeof *at) : NULL;
        if (!at)
            return false;
        if (x->count > 0)
            memcpy(at, x->at, x->count * sizeof *at);
        x->at = at;
        x->room = room;
    }
    x->at[x->count++] = time;
    return true;
}

static bool add_between(extraction* x, float from, float to, int halvings)
{
    float middle = from + (to - from) * 0.5f;
    if (halvings == 0 || middle <= from || middle >= to || is_straight(x, from, to))
        return true;
    return add_between(x, from, middle, halvings - 1) && add_key(x, middle) &&
           add_between(x, middle, to, halvings - 1);
}

static double float_key(const void* list, uint32_t index)
{
    return ((const float*)list)[index];
}

static bool moves_joint(const extraction* x, const anim_track* track)
{
    return anim_skeleton_is_below(x->clip->keys->skeleton, x->desc->joint, track->joint);
}

// Times of all keys that move the joint, and those just before a value jumps; `all` has room for two a
// key and one more.
static uint32_t clip_times(const extraction* x, float* all)
{
    const anim_keys* keys = x->clip->keys;
    uint32_t count = 0;
    all[count++] = 0;
    for (uint32_t i = 0; i < keys->track_count; i++) {
        const anim_track* t = &keys->tracks[i];
        for (uint32_t k = 0; k < keys->times[t->times].count && moves_joint(x, t); k++) {
            float time = (float)anim_times_at(&keys->times[t->times], k);
            all[count++] = time;
            if (t->interp == ANIM_INTERP_STEP && time > 0)
                all[count++] = nextafterf(time, 0);
        }
    }
    return count;
}

static float distance_from_start(const extraction* x, double time)
{
    anim_mat34 m;
    place_of(x, time, &m);
    float far = 0;
    for (int i = 0; i < 3; i++)
        far = fmaxf(far, fabsf(m.m[i][3] - x->start.t[i]) + fabsf(x->start.t[i]));
    return far;
}

static bool gather_times(extraction* x)
{
    const anim_keys* keys = x->clip->keys;
    size_t most = 1;
    for (uint32_t i = 0; i < keys->track_count; i++)
        if (moves_joint(x, &keys->tracks[i]))
            most += 2 * (size_t)keys->times[keys->tracks[i].times].count;
    float* all = anim_arena_alloc(&x->draft->arena, most, sizeof *all);
    if (!all || most > UINT32_MAX)
        return false;
    uint32_t count = clip_times(x, all);
    const uint32_t* order = anim_order_by(&x->draft->arena, float_key, all, count);
    bool whole = order != NULL;
    for (uint32_t i = 0; i < count && whole; i++)
        x->reach = fmaxf(x->reach, distance_from_start(x, all[i]));
    for (uint32_t i = 0; i < count && whole; i++) {
        float time = all[order[i]], before = i > 0 ? all[order[i - 1]] : -1;
        if (time > before)
            whole = (i == 0 || add_between(x, before, time, most_halvings)) && add_key(x, time);
    }
    return whole;
}

// --- the new clip -------------------------------------------------------------------------------------

static anim_track_desc* find_track(anim_draft* d, uint32_t joint, anim_channel channel)
{
    for (uint32_t i = 0; i < d->desc.track_count; i++)
        if (d->tracks[i].joint == joint && d->tracks[i].channel == channel)
            return &d->tracks[i];
    anim_track_desc* made = &d->tracks[d->desc.track_count++];
    *made = (anim_track_desc){.joint = joint, .channel = channel};
    return made;
}

static bool replace_tracks(extraction* x)
{
    anim_draft* d = x->draft;
    float* places = anim_arena_alloc(&d->arena, (size_t)x->count * 3, sizeof *places);
    float* turns = anim_arena_alloc(&d->arena, (size_t)x->count * 4, sizeof *turns);
    anim_track_desc* tracks = anim_arena_alloc(&d->arena, d->desc.track_count + (size_t)2,
                                               sizeof *tracks);
    if (!places || !turns || !tracks)
        return false;
    memcpy(tracks, d->tracks, d->desc.track_count * sizeof *tracks);
    d->tracks = tracks;
    d->desc.tracks = tracks;
    for (uint32_t i = 0; i < x->count; i++) {
        anim_xform local;
        local_in_place(x, x->at[i], &d->desc.motion->values[i], &local);
        memcpy(places + (size_t)i * 3, local.t, sizeof local.t);
        memcpy(turns + (size_t)i * 4, local.q, sizeof local.q);
    }
    const anim_times_desc times = {.count = x->count, .at = x->at};
    anim_track_desc* track = find_track(d, x->desc->joint, ANIM_CHANNEL_TRANSLATION);
    track->interp = ANIM_INTERP_LINEAR;
    track->times = times;
    track->values = places;
    if (x->desc->turn < 0)
        return true;
    track = find_track(d, x->desc->joint, ANIM_CHANNEL_ROTATION);
    track->interp = ANIM_INTERP_LINEAR;
    track->times = times;
    track->values = turns;
    return true;
}

static anim_code extract(const anim_clip* clip, const anim_motion_desc* desc, anim_clip** out,
                         anim_error* err)
{
    anim_draft d;
    bool whole = anim_draft_init(&d, clip);
    extraction x = {.draft = &d, .clip = clip, .desc = desc};
    x.groups = anim_arena_alloc(&d.arena, clip->keys->skeleton->group_count, sizeof *x.groups);
    if (whole && x.groups) {
        anim_mat34 start;
        place_of(&x, 0, &start);
        x.start = rigid_of(&start);
        whole = gather_times(&x) &&
                anim_draft_set_motion(&d, desc->joint, x.at, x.count, motion_at, &x) &&
                replace_tracks(&x);
    }
    return anim_draft_finish(&d, whole && x.groups, out, err);
}

anim_code anim_clip_with_root_motion(const anim_clip* clip, const anim_motion_desc* desc,
                                     anim_clip** out, anim_error* err)
{
    *out = NULL;
    if (clip->keys->additive || clip->keys->motion)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s' %s", clip->name,
                         clip->keys->additive ? "holds deltas; they move nobody"
                                              : "has root motion already");
    anim_clip* keyed;
    anim_code code = anim_clip_unpack(clip, &keyed, err);
    if (!code)
        code = extract(keyed, desc, out, err);
    anim_clip_release(keyed);
    return code;
}
