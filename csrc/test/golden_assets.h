// SPDX-License-Identifier: MIT
// A figure made of whole numbers: skeleton, clips of every form, masks and a skin, the same on every
// machine. For test_golden.c; no cmocka, so that it can be built for other machines.
#pragma once

#include "base/mem.h"
#include "pose/clip_edit.h"
#include "pose/mask.h"
#include "pose/pack.h"
#include "pose/root_motion.h"
#include "pose/skin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

static anim_error error;

static inline void ok(anim_code code)
{
    if (!code)
        return;
    printf("Bail out! %s\n", error.message);
    exit(1);
}

// --- numbers --------------------------------------------------------------------------------------------

// xorshift64* (S. Vigna 2016). Never 0.
typedef struct dice {
    uint64_t at;
} dice;

static inline uint32_t roll(dice* d, uint32_t sides)
{
    d->at ^= d->at >> 12;
    d->at ^= d->at << 25;
    d->at ^= d->at >> 27;
    return (uint32_t)((d->at * 0x2545f4914f6cdd1du) >> 33) % sides;
}

// From -1 to 1, in steps that floats hold exactly.
static inline double spread(dice* d)
{
    return ((double)roll(d, 4097) - 2048) / 2048;
}

// A wave of period 1 from -1 to 1 that begins at its lowest, without a library's sine.
static inline double wave(double u)
{
    u -= floor(u);
    double hump = 4 * u * (1 - u);
    return 2 * hump * hump - 1;
}

// The turn that brings x to where `turn` (three numbers, tangents of quarter angles) says.
static inline void quat_of(const double turn[3], float out[4])
{
    double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + 1);
    for (int i = 0; i < 3; i++)
        out[i] = (float)(turn[i] / length);
    out[3] = (float)(1 / length);
}

// --- the figure -----------------------------------------------------------------------------------------

typedef struct bone {
    const char *name, *parent;
    int16_t at[3]; // hundredths, from the parent
} bone;

static const bone bones[] = {
    {"root", NULL, {0, 0, 0}},
    {"pelvis", "root", {0, 96, 2}},
    {"spine1", "pelvis", {0, 12, -1}},
    {"spine2", "spine1", {0, 14, 1}},
    {"chest", "spine2", {0, 15, 0}},
    {"neck", "chest", {0, 18, -2}},
    {"head", "neck", {0, 9, 2}},
    {"jaw", "head", {0, 2, 6}},
    {"eye.L", "head", {3, 6, 8}},
    {"eye.R", "head", {-3, 6, 8}},
    {"hair1", "head", {0, 16, -7}},
    {"hair2", "hair1", {0, -2, -11}},
    {"hair3", "hair2", {0, -10, -3}},
    {"clavicle.L", "chest", {5, 14, 1}},
    {"upper.L", "clavicle.L", {14, 0, 0}},
    {"fore.L", "upper.L", {27, 0, -2}},
    {"hand.L", "fore.L", {25, 0, 1}},
    {"thumb.L", "hand.L", {4, -1, 4}},
    {"finger.L", "hand.L", {9, 0, 0}},
    {"clavicle.R", "chest", {-5, 14, 1}},
    {"upper.R", "clavicle.R", {-14, 0, 0}},
    {"fore.R", "upper.R", {-27, 0, -2}},
    {"hand.R", "fore.R", {-25, 0, 1}},
    {"thumb.R", "hand.R", {-4, -1, 4}},
    {"finger.R", "hand.R", {-9, 0, 0}},
    {"sword", "hand.R", {-8, -2, 3}},
    {"thigh.L", "pelvis", {9, -6, 0}},
    {"calf.L", "thigh.L", {1, -42, 1}},
    {"foot.L", "calf.L", {0, -40, -2}},
    {"toe.L", "foot.L", {0, -6, 14}},
    {"thigh.R", "pelvis", {-9, -6, 0}},
    {"calf.R", "thigh.R", {-1, -42, 1}},
    {"foot.R", "calf.R", {0, -40, -2}},
    {"toe.R", "foot.R", {0, -6, 14}},
    {"tail1", "pelvis", {0, 2, -12}},
    {"tail2", "tail1", {0, -2, -14}},
    {"tail3", "tail2", {0, -2, -13}},
    {"tail4", "tail3", {0, -3, -12}},
    {"tail5", "tail4", {0, -3, -10}},
    {"cape1", "chest", {2, 8, -12}},
    {"cape2", "cape1", {0, -20, -4}},
    {"cape3", "cape2", {0, -22, 0}},
    {"belt", "pelvis", {0, 6, 11}},
};

enum { CLIPS = 16, JOINTS = sizeof bones / sizeof *bones };

typedef struct figure {
    anim_skeleton* skeleton;
    anim_clip* clips[CLIPS];
    anim_mask *upper, *soft, *legs;
    anim_skin* skin;
} figure;

enum { // forms and kinds of keys go through the list
    // (Where the seed is even it has steps: then a fast clip is not mixed as it is unpacked.)
    WALK,     // exact, at times that are not even, linear
    JOG,      // small
    RUN,      // fast
    STAND,    // exact, cubic
    SWAY,     // small
    DANCE,    // fast; and there and back
    WAVE,     // exact, some joints only, with steps; there and back
    HIT,      // small, once
    JUMP,     // fast, once, moves the root
    MIRRORED, // fast; of a mirrored clip
    BREATH,   // deltas, exact
    LEAN,     // deltas, small
    NOD,      // deltas, fast
    TURN,     // likewise
    STRETCH,  // fast; scales, uneven and mirrored ones
    MARCH,    // fast
};

static inline uint32_t joint_of(const anim_skeleton* skeleton, const char* name)
{
    int32_t joint = anim_skeleton_find(skeleton, name);
    if (joint < 0) {
        printf("Bail out! no joint '%s'\n", name);
        exit(1);
    }
    return (uint32_t)joint;
}

static inline anim_skeleton* make_skeleton(void)
{
    dice d = {4711};
    anim_joint_desc joints[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++) {
        joints[i] = (anim_joint_desc){bones[i].name, -1, ANIM_XFORM_IDENTITY};
        for (uint32_t k = 0; k < i && bones[i].parent; k++)
            if (strcmp(bones[k].name, bones[i].parent) == 0)
                joints[i].parent = (int32_t)k;
        for (int k = 0; k < 3; k++)
            joints[i].rest.t[k] = (float)bones[i].at[k] / 100;
        const double turn[3] = {spread(&d) / 32, spread(&d) / 32, spread(&d) / 32};
        if (i > 1)
            quat_of(turn, joints[i].rest.q);
    }
    joints[JOINTS - 1].rest.s[1] = 1.25f;
    anim_skeleton* skeleton;
    ok(anim_skeleton_create(joints, JOINTS, NULL, &skeleton, &error));
    return skeleton;
}

// --- clips ----------------------------------------------------------------------------------------------

typedef struct plan {
    const char* name;
    double seconds, swing, travel; // tangents of quarter angles; metres in a pass
    uint32_t keys, part;           // of the joints, in eighths
    anim_interp interp;
    anim_loop loop;
    bool uneven, scales;
    uint64_t seed;
} plan;

enum { MOST_KEYS = 40 };

typedef struct tracks {
    anim_track_desc list[3 * JOINTS];
    float values[3 * JOINTS][MOST_KEYS * 12];
    float times[MOST_KEYS];
    uint32_t count;
} tracks;

// Width: 3 or 4 numbers a key; `tell` gives them at a place from 0 to 1.
typedef struct movement {
    double amount[3], phase[3], shift;
    const float* rest; // of the channel
} movement;

static inline void tell(const movement* m, anim_channel channel, double u, float* out)
{
    double turn[3];
    for (int i = 0; i < 3; i++)
        turn[i] = m->amount[i] * wave(u + m->phase[i]);
    if (channel == ANIM_CHANNEL_ROTATION) {
        float q[4];
        quat_of(turn, q);
        anim_xform a = ANIM_XFORM_IDENTITY, b = ANIM_XFORM_IDENTITY;
        memcpy(a.q, m->rest, sizeof a.q);
        memcpy(b.q, q, sizeof b.q);
        out[0] = a.q[3] * q[0] + a.q[0] * q[3] + a.q[1] * q[2] - a.q[2] * q[1];
        out[1] = a.q[3] * q[1] - a.q[0] * q[2] + a.q[1] * q[3] + a.q[2] * q[0];
        out[2] = a.q[3] * q[2] + a.q[0] * q[1] - a.q[1] * q[0] + a.q[2] * q[3];
        out[3] = a.q[3] * q[3] - a.q[0] * q[0] - a.q[1] * q[1] - a.q[2] * q[2];
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = (float)((double)m->rest[i] + turn[i] + (i == 2 ? m->shift * u : 0));
}

static inline void add_track(tracks* t, const plan* p, uint32_t joint, anim_channel channel,
                             anim_interp interp, const movement* m)
{
    uint32_t width = channel == ANIM_CHANNEL_ROTATION ? 4 : 3, stride = width;
    float* at = t->values[t->count];
    if (interp == ANIM_INTERP_CUBIC)
        stride = 3 * width;
    for (uint32_t k = 0; k < p->keys; k++) {
        double u = (double)t->times[k] / p->seconds;
        float* key = at + k * stride + (stride > width ? width : 0);
        tell(m, channel, k + 1 == p->keys && p->loop == ANIM_LOOP_REPEAT && m->shift == 0 ? 0 : u,
             key);
        for (uint32_t i = 0; i < width && stride > width; i++) {
            float tangent = (float)((int)((k + i) % 5) - 2) / 64; // flat on average
            key[(int)i - (int)width] = key[i + width] = tangent;
        }
    }
    t->list[t->count++] = (anim_track_desc){joint, channel, interp, {p->keys, t->times, 0, 0}, at};
}

static inline double amount_of(const char* name, const plan* p)
{
    if (strncmp(name, "thigh", 5) == 0 || strncmp(name, "calf", 4) == 0)
        return p->travel > 0 ? 1.5 * p->swing : p->swing / 8;
    return strncmp(name, "foot", 4) == 0 || strncmp(name, "toe", 3) == 0 ? p->swing / 4 : p->swing;
}

static inline void make_tracks(anim_skeleton* s, const plan* p, tracks* t)
{
    dice d = {p->seed};
    for (uint32_t k = 0; k < p->keys; k++) {
        double u = (double)k / (p->keys - 1);
        double bent = p->uneven && k > 0 && k + 1 < p->keys ? (double)roll(&d, 512) / 65536 : 0;
        t->times[k] = (float)((u + bent) * p->seconds);
    }
    for (uint32_t j = 0; j < s->joint_count; j++) {
        const anim_xform* rest = &s->rest_xforms[j];
        double amount = amount_of(anim_skeleton_name(s, j), p);
        double phase = strstr(anim_skeleton_name(s, j), ".R") ? 0.5 : 0;
        movement m = {.rest = rest->q};
        for (int i = 0; i < 3; i++) {
            m.amount[i] = amount * spread(&d) / (i == 0 ? 1 : 3);
            m.phase[i] = phase + (double)roll(&d, 256) / 1024;
        }
        bool moves = roll(&d, 8) < p->part;
        anim_interp interp = moves && j % 11 == 7 && p->seed % 2 == 0 && !p->uneven
                                 ? ANIM_INTERP_STEP
                                 : p->interp;
        if (moves && j > 0)
            add_track(t, p, j, ANIM_CHANNEL_ROTATION, interp, &m);
        movement place = {.amount = {0.02 * spread(&d), 0.02 * spread(&d), 0.02 * spread(&d)},
                          .shift = j == 0 ? p->travel : 0,
                          .rest = rest->t};
        if (j <= 1 || (moves && roll(&d, 6) == 0))
            add_track(t, p, j, ANIM_CHANNEL_TRANSLATION, p->interp, &place);
        movement size = {.amount = {0.3, 0.2, 0.1}, .phase = {phase, 0.1, 0.2}, .rest = rest->s};
        if (p->scales && (j % 7 == 5 || j + 1 == s->joint_count)) {
            size.amount[0] = j + 1 == s->joint_count ? 1.5 : 0.3; // one goes through zero
            add_track(t, p, j, ANIM_CHANNEL_SCALE, p->interp, &size);
        }
    }
}

static inline anim_clip* make_clip(anim_skeleton* s, const plan* p)
{
    tracks* t = calloc(1, sizeof *t);
    if (!t)
        exit(1);
    make_tracks(s, p, t);
    static const float times[] = {0, 0.125f, 0.25f, 0.5f};
    static const float left[] = {1, 1, 0, 0}, right[] = {0, 0, 0.25f, 1}, smile[] = {0, 2, 1, 0.5f};
    const anim_times_desc at = {COUNT(times), times, 0, 0};
    const anim_curve_desc curves[] = {{"lock.L", ANIM_INTERP_LINEAR, at, left},
                                      {"lock.R", ANIM_INTERP_LINEAR, at, right},
                                      {"smile", ANIM_INTERP_STEP, at, smile}};
    const anim_event_desc events[] = {{0.25 * p->seconds, -1, "step", {0}},
                                      {0.375 * p->seconds, 0.25 * p->seconds, "swing", {0}},
                                      {p->seconds, -1, "end", {0}}};
    const anim_marker_desc markers[] = {{0.0625 * p->seconds, "L"}, {0.5625 * p->seconds, "R"}};
    const anim_clip_desc desc = {.name = p->name,
                                 .skeleton = s,
                                 .duration = p->seconds,
                                 .loop = p->loop,
                                 .tracks = t->list,
                                 .track_count = t->count,
                                 .curves = curves,
                                 .curve_count = COUNT(curves),
                                 .events = events,
                                 .event_count = COUNT(events),
                                 .markers = markers,
                                 .marker_count = p->travel > 0 ? COUNT(markers) : 0};
    anim_clip *clip, *moving = NULL;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    free(t);
    if (p->travel > 0) {
        const anim_motion_desc motion = {.joint = 0, .x = true, .z = true, .turn = 1};
        ok(anim_clip_with_root_motion(clip, &motion, &moving, &error));
        anim_clip_release(clip);
    }
    return moving ? moving : clip;
}

// --- all ------------------------------------------------------------------------------------------------

static inline void become(anim_clip** clip, anim_clip* now)
{
    anim_clip_release(*clip);
    *clip = now;
}

static inline void pack(anim_clip** clip, anim_pack_form form)
{
    const anim_pack_desc desc = {.form = form};
    anim_clip* packed;
    ok(anim_clip_pack(*clip, &desc, &packed, NULL, &error));
    become(clip, packed);
}

static inline void make_clips(figure* f)
{
    static const plan plans[CLIPS] = {
        [WALK] = {"walk", 1, 0.15, 1.5, 25, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, true, false,
                  11},
        [JOG] = {"jog", 0.75, 0.25, 2, 24, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                 22},
        [RUN] = {"run", 0.625, 0.4, 3, 20, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                 33},
        [STAND] = {"stand", 1.5, 0.05, 0, 9, 8, ANIM_INTERP_CUBIC, ANIM_LOOP_REPEAT, true, false,
                   44},
        [SWAY] = {"sway", 1.25, 0.1, 0, 30, 7, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                  55},
        [DANCE] = {"dance", 1, 0.6, 0, 33, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_PINGPONG, false, false,
                   66},
        [WAVE] = {"wave", 0.875, 0.5, 0, 12, 3, ANIM_INTERP_LINEAR, ANIM_LOOP_PINGPONG, true, false,
                  77},
        [HIT] = {"hit", 0.5, 0.5, 0, 16, 5, ANIM_INTERP_LINEAR, ANIM_LOOP_ONCE, false, false, 88},
        [JUMP] = {"jump", 0.8125, 0.3, 1, 27, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_ONCE, false, false,
                  99},
        [MIRRORED] = {"step", 0.6875, 0.2, 1, 18, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false,
                      false, 111},
        [BREATH] = {"breath", 1.125, 0.05, 0, 14, 6, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false,
                    false, 122},
        [LEAN] = {"lean", 0.9375, 0.1, 0, 30, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                  133},
        [NOD] = {"nod", 0.875, 0.1, 0, 28, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                 155},
        [TURN] = {"turn", 1.1875, 0.1, 0, 38, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false, false,
                  177},
        [MARCH] = {"march", 0.875, 0.2, 1.25, 28, 8, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false,
                   false, 199},
        [STRETCH] = {"stretch", 1.0625, 0.1, 0, 33, 7, ANIM_INTERP_LINEAR, ANIM_LOOP_REPEAT, false,
                     true, 144},
    };
    for (uint32_t i = 0; i < CLIPS; i++)
        f->clips[i] = make_clip(f->skeleton, &plans[i]);
    anim_clip* made;
    uint16_t pair[JOINTS];
    for (uint32_t j = 0; j < JOINTS; j++) {
        char name[32];
        snprintf(name, sizeof name, "%s", anim_skeleton_name(f->skeleton, j));
        char* side = strstr(name, ".L") ? strstr(name, ".L") : strstr(name, ".R");
        if (side)
            side[1] = side[1] == 'L' ? 'R' : 'L';
        pair[j] = (uint16_t)joint_of(f->skeleton, name);
    }
    ok(anim_clip_mirror(f->clips[MIRRORED], 0, pair, NULL, NULL, &made, &error));
    become(&f->clips[MIRRORED], made);
    for (uint32_t i = BREATH; i <= TURN; i++) {
        ok(anim_clip_to_additive(f->clips[i], f->skeleton->rest, &made, &error));
        become(&f->clips[i], made);
    }
    static const uint32_t small[] = {JOG, SWAY, HIT, LEAN},
                          fast[] = {RUN, DANCE, JUMP, STRETCH, MIRRORED, NOD, TURN, MARCH};
    for (uint32_t i = 0; i < COUNT(small); i++)
        pack(&f->clips[small[i]], ANIM_PACK_SMALL);
    for (uint32_t i = 0; i < COUNT(fast); i++)
        pack(&f->clips[fast[i]], ANIM_PACK_FAST);
}

static inline void make_masks(figure* f)
{
    anim_skeleton* s = f->skeleton;
    const anim_mask_entry upper[] = {{joint_of(s, "spine2"), 1, false},
                                     {joint_of(s, "clavicle.R"), 0.5f, false}};
    const anim_mask_entry legs[] = {{joint_of(s, "thigh.L"), 1, false},
                                    {joint_of(s, "thigh.R"), 1, false}};
    const anim_mask_entry soft[] = {
        {0, 0.75f, false}, {joint_of(s, "head"), 0.25f, true}, {joint_of(s, "tail1"), 0, false}};
    ok(anim_mask_create(s, upper, COUNT(upper), &f->upper, &error));
    ok(anim_mask_create(s, legs, COUNT(legs), &f->legs, &error));
    ok(anim_mask_create(s, soft, COUNT(soft), &f->soft, &error));
}

static inline void make_skin(figure* f)
{
    uint16_t joints[JOINTS];
    anim_mat34 inverse[JOINTS], model[JOINTS];
    uint32_t count = 0;
    anim_pose_to_model(f->skeleton, f->skeleton->rest, model);
    for (uint32_t j = JOINTS; j-- > 0;)
        if (j % 5 != 3) {
            anim_mat34_invert(&model[j], &inverse[count]);
            joints[count++] = (uint16_t)j;
        }
    const anim_skin_desc desc = {"body", f->skeleton, joints, inverse, count};
    ok(anim_skin_create(&desc, &f->skin, &error));
}

static inline void make_figure(figure* f)
{
    *f = (figure){.skeleton = make_skeleton()};
    make_clips(f);
    make_masks(f);
    make_skin(f);
}

static inline void free_figure(figure* f)
{
    anim_skin_release(f->skin);
    anim_mask_release(f->upper);
    anim_mask_release(f->soft);
    anim_mask_release(f->legs);
    for (uint32_t i = 0; i < CLIPS; i++)
        anim_clip_release(f->clips[i]);
    anim_skeleton_release(f->skeleton);
}
