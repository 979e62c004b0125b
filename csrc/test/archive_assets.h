// SPDX-License-Identifier: MIT
// A small model with everything that a .anim file can hold.
#pragma once

#include "import/archive.h"
#include "pose/root_motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))
#define TEXT(s)                                                                                    \
    {                                                                                              \
        .kind = ANIM_VALUE_STRING, .as.string = { s, sizeof(s) - 1 }                               \
    }

typedef struct assets {
    anim_skeleton* skeleton;
    anim_clip* clips[3]; // all kinds of keys; the same keys, another loop mode and event; additive
    anim_skin* skin;
    anim_morph morph;
    anim_archive_desc desc;
} assets;

static anim_error error;

static void ok(anim_code code)
{
    if (code)
        fail_msg("%s", error.message);
}

static void make_skeleton(assets* a)
{
    const anim_joint_desc joints[] = {
        {"hips", -1, {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}},
        {"spine", 0, {{0, 0.5f, 0}, {0.3f, -0.5f, 0.7f, 0.2f}, {1, 1, -2}}},
        {"arm", 1, {{0.25f, 0, 0}, {0.1f, 0.9f, 0.3f, 0.4f}, {1, 1, 1}}},
        {"leg", 0, {{-0.25f, 0, 0}, {0.6f, 0, 0, 0.8f}, {1, 1, 1}}},
    };
    ok(anim_skeleton_create(joints, COUNT(joints), NULL, &a->skeleton, &error));
}

static void make_walk(assets* a)
{
    static const float uneven[] = {0, 0.25f, 1};
    static const float moves[] = {0, 0, 0, 1, 2, 3, 4, 5, 6};
    static const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 0.1f, 0.2f, 0.3f, 0.4f};
    static const float cubic[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0,
                                  0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    static const float curve[] = {0, 0.5f, -1};
    static const anim_value words[] = {
        TEXT("open"), {.kind = ANIM_VALUE_NIL}, {.kind = ANIM_VALUE_NUMBER, .as.number = INFINITY}};
    const anim_times_desc even = {3, NULL, 0.125, 1.0 / 3}, at = {3, uneven, 0, 0};
    const anim_times_desc copy = {2, uneven, 0, 0};
    const anim_track_desc tracks[] = {
        {3, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, at, turns},
        {0, ANIM_CHANNEL_ROTATION, ANIM_INTERP_CUBIC, copy, cubic},
        {0, ANIM_CHANNEL_TRANSLATION, ANIM_INTERP_LINEAR, even, moves},
        {2, ANIM_CHANNEL_SCALE, ANIM_INTERP_STEP, at, moves},
    };
    const anim_curve_desc curves[] = {{"smile", ANIM_INTERP_LINEAR, at, curve},
                                      {"blink", ANIM_INTERP_STEP, even, curve}};
    const anim_property_desc properties[] = {{"mouth", at, words}};
    const anim_event_desc events[] = {
        {0.75, -1, "step", TEXT("le\0ft")},
        {0.25, 0.5, "slide", {.kind = ANIM_VALUE_NUMBER, .as.number = 0.1}},
        {0.25, -1, "step", {.kind = ANIM_VALUE_BOOLEAN, .as.boolean = true}},
        {1, -1, "end", {.kind = ANIM_VALUE_NIL}},
    };
    const anim_marker_desc markers[] = {{0.1, "L"}, {0.6, "R"}};
    static const float steps[] = {0, 1.125f};
    static const anim_rigid moves_by[] = {{{0, 0, 0}, {0, 0, 0, 1}},
                                          {{7, 0, 9}, {0, 0.28f, 0, 0.96f}}};
    const anim_motion motion = {2, {2, steps, 0, 1.125}, moves_by};
    const anim_clip_desc walk = {.name = "walk",
                                 .skeleton = a->skeleton,
                                 .duration = 1.25,
                                 .loop = ANIM_LOOP_REPEAT,
                                 .tracks = tracks,
                                 .track_count = COUNT(tracks),
                                 .curves = curves,
                                 .curve_count = COUNT(curves),
                                 .properties = properties,
                                 .property_count = COUNT(properties),
                                 .events = events,
                                 .event_count = COUNT(events),
                                 .motion = &motion,
                                 .markers = markers,
                                 .marker_count = COUNT(markers)};
    ok(anim_clip_create(&walk, NULL, &a->clips[0], &error));
    const anim_event_desc other[] = {{0.5, -1, "turn", TEXT("")}};
    const anim_clip_variant variant = {.name = "walk once",
                                       .loop = ANIM_LOOP_ONCE,
                                       .duration = 2,
                                       .events = other,
                                       .event_count = COUNT(other)};
    ok(anim_clip_derive(a->clips[0], &variant, &a->clips[1], &error));
}

static void make_lean(assets* a)
{
    static const float turn[] = {0.6f, 0, 0, 0.8f};
    const anim_track_desc track = {
        1, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, {.count = 1}, turn};
    const anim_clip_desc lean = {.name = "lean",
                                 .skeleton = a->skeleton,
                                 .duration = -1,
                                 .loop = ANIM_LOOP_PINGPONG,
                                 .additive = true,
                                 .tracks = &track,
                                 .track_count = 1};
    ok(anim_clip_create(&lean, NULL, &a->clips[2], &error));
}

static void make_assets(assets* a)
{
    static const char* const targets[] = {"smile", "2"};
    static const char* const curves[] = {"face.smile", "face.2"};
    static const float weights[] = {0.5f, 0};
    *a = (assets){0};
    make_skeleton(a);
    make_walk(a);
    make_lean(a);
    const uint16_t joints[] = {2, 0};
    anim_mat34 bind[] = {ANIM_MAT34_IDENTITY, ANIM_MAT34_IDENTITY};
    bind[1].m[2][3] = -1.5f;
    const anim_skin_desc skin = {"body", a->skeleton, joints, bind, COUNT(joints)};
    ok(anim_skin_create(&skin, &a->skin, &error));
    a->morph = (anim_morph){"face", COUNT(targets), targets, curves, weights};
    a->desc = (anim_archive_desc){a->skeleton, a->clips, COUNT(a->clips), &a->skin, 1,
                                  &a->morph,   1};
}

static void free_assets(assets* a)
{
    for (uint32_t i = 0; i < COUNT(a->clips); i++)
        anim_clip_release(a->clips[i]);
    anim_skin_release(a->skin);
    anim_skeleton_release(a->skeleton);
}
