// SPDX-License-Identifier: MIT
// Mirroring. With S the reflection, R model-space rest rotations, L local rotations and p(j) the
// partner of j: L'_j = C_parent^-1 (S L_p(j) S) C_j, C_j = (S R_p(j) S)^-1 R_j. The C are constant, so
// keys (and the tangents of cubic ones) are mapped one by one and interpolate to the same motion.
#include "math/glm.h"
#include "pose/clip_edit.h"
#include "pose/draft.h"
#include "pose/keys.h"
#include "pose/pack.h"

typedef struct mirror {
    const anim_skeleton* skeleton;
    int axis;
    int32_t* pair; // -1: alone below a joint that changes places; it keeps its place in its parent
    versor* fix;   // C of every joint with a partner
} mirror;

// S q S: a rotation seen in the mirror keeps its part along the axis, the others change sign.
static void reflect_rotation(const float q[4], int axis, float out[4])
{
    for (int i = 0; i < 3; i++)
        out[i] = i == axis ? q[i] : -q[i];
    out[3] = q[3];
}

static bool make_fixes(mirror* m, anim_arena* arena)
{
    uint32_t count = m->skeleton->joint_count;
    versor* rest = anim_arena_alloc(arena, count, sizeof *rest); // in model space
    m->fix = anim_arena_alloc(arena, count, sizeof *m->fix);
    if (!rest || !m->fix)
        return false;
    for (uint32_t j = 0; j < count; j++) {
        versor local;
        memcpy(local, m->skeleton->rest_xforms[j].q, sizeof local);
        int16_t parent = m->skeleton->parents[j];
        if (parent < 0)
            memcpy(rest[j], local, sizeof local);
        else
            glm_quat_mul(rest[parent], local, rest[j]);
    }
    for (uint32_t j = 0; j < count; j++) {
        versor seen;
        if (m->pair[j] < 0)
            continue;
        reflect_rotation(rest[m->pair[j]], m->axis, seen);
        seen[0] = -seen[0], seen[1] = -seen[1], seen[2] = -seen[2];
        glm_quat_mul(seen, rest[j], m->fix[j]);
    }
    return true;
}

// The inverse of C of j's parent; the identity for a root.
static void parent_unfix(const mirror* m, uint32_t j, versor out)
{
    int16_t parent = m->skeleton->parents[j];
    glm_quat_identity(out);
    if (parent >= 0)
        glm_quat_conjugate(m->fix[parent], out);
}

// A delta qref^-1 q stands between two rotations of the joint itself, so C is on both its sides.
static void map_rotation(const mirror* m, uint32_t to, float* value, bool is_delta)
{
    versor before, seen, turned;
    if (is_delta)
        glm_quat_conjugate(m->fix[to], before);
    else
        parent_unfix(m, to, before);
    reflect_rotation(value, m->axis, seen);
    glm_quat_mul(before, seen, turned);
    glm_quat_mul(turned, m->fix[to], value);
}

// `is_value`: tangents are differences already, values become differences from rest first.
static void map_translation(const mirror* m, uint32_t to, float* value, bool is_value)
{
    const float* rest_from = m->skeleton->rest_xforms[m->pair[to]].t;
    const float* rest_to = m->skeleton->rest_xforms[to].t;
    vec3 d;
    versor before;
    for (int i = 0; i < 3; i++)
        d[i] = (is_value ? value[i] - rest_from[i] : value[i]) * (i == m->axis ? -1.0f : 1.0f);
    parent_unfix(m, to, before);
    glm_quat_rotatev(before, d, d);
    for (int i = 0; i < 3; i++)
        value[i] = is_value ? rest_to[i] + d[i] : d[i];
}

static void map_scale(const mirror* m, uint32_t to, float* value)
{
    const float* rest_from = m->skeleton->rest_xforms[m->pair[to]].s;
    const float* rest_to = m->skeleton->rest_xforms[to].s;
    for (int i = 0; i < 3; i++)
        value[i] = rest_from[i] != 0 ? value[i] * (rest_to[i] / rest_from[i]) : rest_to[i];
}

static bool map_track(const mirror* m, anim_draft* d, anim_track_desc* track)
{
    bool additive = d->desc.additive; // deltas have no rest to be measured from
    if (m->pair[track->joint] < 0)
        return true;
    uint32_t to = (uint32_t)m->pair[track->joint], width = anim_channel_width(track->channel);
    uint32_t parts = anim_key_stride(track->interp, 1); // 1, or 3 with tangents
    float* values = anim_draft_own_values(d, track);
    if (!values)
        return false;
    for (size_t i = 0; i < (size_t)track->times.count * parts; i++, values += width) {
        bool is_value = parts == 1 || i % 3 == 1;
        if (track->channel == ANIM_CHANNEL_ROTATION)
            map_rotation(m, to, values, additive);
        else if (track->channel == ANIM_CHANNEL_TRANSLATION)
            map_translation(m, to, values, is_value && !additive);
        else if (!additive)
            map_scale(m, to, values);
    }
    track->joint = to;
    return true;
}

typedef struct motion_mirror {
    const anim_motion* motion;
    int axis;
} motion_mirror;

static void reflect_motion(const void* user, double time, anim_rigid* out)
{
    const motion_mirror* m = user;
    anim_rigid moved;
    anim_motion_at(m->motion, time, &moved);
    reflect_rotation(moved.q, m->axis, out->q);
    for (int i = 0; i < 3; i++)
        out->t[i] = i == m->axis ? -moved.t[i] : moved.t[i];
}

static bool map_motion(const mirror* m, anim_draft* d)
{
    const anim_motion* motion = d->clip->keys->motion;
    if (!motion)
        return true;
    motion_mirror from = {motion, m->axis};
    uint32_t joint = m->pair[motion->joint] < 0 ? motion->joint : (uint32_t)m->pair[motion->joint];
    return anim_draft_set_motion(d, joint, motion->times.at, motion->times.count, reflect_motion,
                                 &from);
}

static void rename_all(anim_draft* d, anim_rename rename, void* user)
{
    for (uint32_t i = 0; i < d->desc.event_count; i++) {
        const char* name = rename(user, d->events[i].name);
        d->events[i].name = name ? name : d->events[i].name;
    }
    for (uint32_t i = 0; i < d->desc.marker_count; i++) {
        const char* name = rename(user, d->markers[i].name);
        d->markers[i].name = name ? name : d->markers[i].name;
    }
    for (uint32_t i = 0; i < d->desc.curve_count; i++) {
        const char* name = rename(user, d->curves[i].name);
        d->curves[i].name = name ? name : d->curves[i].name;
    }
    for (uint32_t i = 0; i < d->desc.property_count; i++) {
        const char* name = rename(user, d->properties[i].name);
        d->properties[i].name = name ? name : d->properties[i].name;
    }
}

static bool hangs_together(const mirror* m, uint32_t j)
{
    int16_t parent = m->skeleton->parents[j];
    return m->skeleton->parents[m->pair[j]] == (parent < 0 ? -1 : m->pair[parent]);
}

// Partners whose parents are not partners are none, and what is then alone below a joint that changes
// places (a sword in the left hand) stays as it is. Parents come first, so one pass settles it.
static bool settle_pairs(mirror* m, anim_arena* arena, const uint16_t* pair)
{
    uint32_t count = m->skeleton->joint_count;
    m->pair = anim_arena_alloc(arena, count, sizeof *m->pair);
    if (!m->pair)
        return false;
    for (uint32_t j = 0; j < count; j++)
        m->pair[j] = pair[j];
    for (uint32_t j = 0; j < count; j++) {
        if (m->pair[j] >= 0 && !hangs_together(m, j)) {
            m->pair[m->pair[j]] = m->pair[j];
            m->pair[j] = (int32_t)j;
        }
        if (m->pair[j] >= 0 && !hangs_together(m, j))
            m->pair[j] = -1;
    }
    return true;
}

static anim_code check_pairs(const anim_skeleton* s, const uint16_t* pair, anim_error* err)
{
    for (uint32_t j = 0; j < s->joint_count; j++)
        if (pair[j] >= s->joint_count || pair[pair[j]] != j)
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "mirror: the partner of '%s' has another partner",
                             anim_skeleton_name(s, j));
    return ANIM_OK;
}

static anim_code mirror_keyed(const anim_clip* clip, int axis, const uint16_t* pair,
                              anim_rename rename, void* user, anim_clip** out, anim_error* err)
{
    anim_draft d;
    mirror m = {.skeleton = clip->keys->skeleton, .axis = axis};
    bool whole = anim_draft_init(&d, clip) && settle_pairs(&m, &d.arena, pair) &&
                 make_fixes(&m, &d.arena);
    for (uint32_t i = 0; i < d.desc.track_count && whole; i++)
        whole = map_track(&m, &d, &d.tracks[i]);
    whole = whole && map_motion(&m, &d);
    if (whole && rename)
        rename_all(&d, rename, user);
    return anim_draft_finish(&d, whole, out, err);
}

anim_code anim_clip_mirror(const anim_clip* clip, int axis, const uint16_t* pair,
                           anim_rename rename, void* user, anim_clip** out, anim_error* err)
{
    *out = NULL;
    anim_clip* keyed = NULL;
    anim_code code = check_pairs(clip->keys->skeleton, pair, err);
    if (!code)
        code = anim_clip_unpack(clip, &keyed, err);
    if (!code)
        code = mirror_keyed(keyed, axis, pair, rename, user, out, err);
    anim_clip_release(keyed);
    return code;
}
