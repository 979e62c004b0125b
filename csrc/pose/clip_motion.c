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
#include "pose/root_motion.h"

#include <string.h>

enum { parts_between_keys = 4 }; // where motion is curved between keys

typedef struct extraction {
    anim_draft* draft;
    const anim_clip* clip;
    const anim_motion_desc* desc;
    anim_pose_group* groups; // of one sampled pose
    anim_rigid start;        // the joint in model space at 0
    float* at;               // key times of motion and in-place tracks
    uint32_t count;
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

// --- times ------------------------------------------------------------------------------------------

static double float_key(const void* list, uint32_t index)
{
    return ((const float*)list)[index];
}

static bool moves_joint(const anim_skeleton* s, const anim_track* track, uint32_t joint)
{
    return anim_skeleton_is_below(s, joint, track->joint);
}

// Straight between keys: nothing but the joint's own translation moves it, and linearly.
static bool is_straight(const extraction* x)
{
    const anim_keys* keys = x->clip->keys;
    if (x->desc->turn >= 0)
        return false;
    for (uint32_t i = 0; i < keys->track_count; i++) {
        const anim_track* t = &keys->tracks[i];
        bool own = t->joint == x->desc->joint;
        if (!moves_joint(keys->skeleton, t, x->desc->joint))
            continue;
        if (!own || (t->channel == ANIM_CHANNEL_TRANSLATION && t->interp != ANIM_INTERP_LINEAR))
            return false;
    }
    return true;
}

static bool gather_times(extraction* x, anim_arena* arena)
{
    const anim_keys* keys = x->clip->keys;
    size_t most = 1;
    for (uint32_t i = 0; i < keys->track_count; i++)
        if (moves_joint(keys->skeleton, &keys->tracks[i], x->desc->joint))
            most += keys->times[keys->tracks[i].times].count;
    uint32_t parts = is_straight(x) ? 1 : parts_between_keys, count = 0;
    float* all = anim_arena_alloc(arena, most, sizeof *all);
    x->at = anim_arena_alloc(arena, most * parts, sizeof *x->at);
    if (!all || !x->at || most > UINT32_MAX / parts_between_keys)
        return false;
    all[count++] = 0;
    for (uint32_t i = 0; i < keys->track_count; i++)
        if (moves_joint(keys->skeleton, &keys->tracks[i], x->desc->joint)) {
            const anim_times* times = &keys->times[keys->tracks[i].times];
            for (uint32_t k = 0; k < times->count; k++)
                all[count++] = (float)anim_times_at(times, k);
        }
    const uint32_t* order = anim_order_by(arena, float_key, all, count);
    for (uint32_t i = 0; i < count && order; i++) {
        float time = all[order[i]], before = x->count > 0 ? x->at[x->count - 1] : -1;
        for (uint32_t part = 1; part <= parts && time > before; part++) {
            float u = (float)part / (float)parts;
            float at = x->count == 0 || part == parts ? time : before + (time - before) * u;
            if (x->count == 0 || at > x->at[x->count - 1])
                x->at[x->count++] = at;
        }
    }
    return order != NULL;
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
    anim_xform undo = {
        {back.t[0], back.t[1], back.t[2]}, {back.q[0], back.q[1], back.q[2], back.q[3]}, {1, 1, 1}};
    anim_mat34_from_xform(&undo, &back_matrix);
    anim_mat34_mul(&back_matrix, &joint, &joint);
    anim_pose_joint_from_model(x->clip->keys->skeleton, x->groups, x->desc->joint, &joint);
    anim_pose_get(x->groups, x->desc->joint, out);
}

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

anim_code anim_clip_with_root_motion(const anim_clip* clip, const anim_motion_desc* desc,
                                     anim_clip** out, anim_error* err)
{
    *out = NULL;
    if (clip->keys->additive || clip->keys->motion)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "clip '%s' %s", clip->name,
                         clip->keys->additive ? "holds deltas; they move nobody"
                                              : "has root motion already");
    anim_draft d;
    bool whole = anim_draft_init(&d, clip);
    extraction x = {.draft = &d, .clip = clip, .desc = desc};
    x.groups = anim_arena_alloc(&d.arena, clip->keys->skeleton->group_count, sizeof *x.groups);
    whole = whole && x.groups && gather_times(&x, &d.arena);
    if (whole) {
        anim_mat34 start;
        place_of(&x, 0, &start);
        x.start = rigid_of(&start);
        whole = anim_draft_set_motion(&d, desc->joint, x.at, x.count, motion_at, &x) &&
                replace_tracks(&x);
    }
    return anim_draft_finish(&d, whole, out, err);
}
