// SPDX-License-Identifier: MIT
// A small figure with a graph that has every kind of node, for the tests of graphs.
#pragma once

#include "base/mem.h"
#include "graph/graph.h"
#include "pose/root_motion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof *(list)))

enum { JOINTS = 11 };

typedef struct figure {
    anim_skeleton* skeleton;
    anim_clip *walk, *run, *wave; // walk and run share markers and move the root
    anim_mask* mask;
} figure;

static anim_error error;

static inline void ok(anim_code code)
{
    if (code)
        fail_msg("%s", error.message);
}

static inline anim_clip* make_stride(anim_skeleton* skeleton, const char* name, float seconds)
{
    const float times[] = {0, seconds};
    const float moves[] = {0, 1, 0, 0, 1, 2};
    const float turns[] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f};
    const anim_times_desc at = {2, times, 0, 0};
    const anim_track_desc tracks[] = {{0, ANIM_CHANNEL_TRANSLATION, ANIM_INTERP_LINEAR, at, moves},
                                      {2, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, at, turns}};
    const anim_event_desc events[] = {{0.25 * seconds, -1, "step", {0}},
                                      {0.5 * seconds, 0.25 * seconds, "swing", {0}}};
    const anim_marker_desc markers[] = {{0.1 * seconds, "L"}, {0.6 * seconds, "R"}};
    anim_clip_desc desc = {.name = name,
                           .skeleton = skeleton,
                           .duration = -1,
                           .loop = ANIM_LOOP_REPEAT,
                           .tracks = tracks,
                           .events = events,
                           .markers = markers,
                           .track_count = COUNT(tracks),
                           .event_count = COUNT(events),
                           .marker_count = COUNT(markers)};
    anim_clip *clip, *moving;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    anim_motion_desc motion = {.joint = 0, .x = true, .z = true, .turn = 1};
    ok(anim_clip_with_root_motion(clip, &motion, &moving, &error));
    anim_clip_release(clip);
    return moving;
}

static inline anim_clip* make_wave(anim_skeleton* skeleton)
{
    static const float times[] = {0, 0.5f, 0.75f};
    static const float turns[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0.6f, 0.8f};
    const anim_track_desc tracks[] = {
        {5, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, {3, times, 0, 0}, turns}};
    const anim_event_desc events[] = {{0.5, -1, "hello", {0}}};
    anim_clip_desc desc = {.name = "wave",
                           .skeleton = skeleton,
                           .duration = -1,
                           .loop = ANIM_LOOP_PINGPONG,
                           .tracks = tracks,
                           .events = events,
                           .track_count = COUNT(tracks),
                           .event_count = COUNT(events)};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    return clip;
}

static inline void make_figure(figure* f)
{
    static const char* const names[JOINTS] = {"root", "hips", "spine", "neck",  "head", "arm.L",
                                              "hand", "leg",  "foot",  "arm.R", "tail"};
    static const int32_t parents[JOINTS] = {-1, 0, 1, 2, 3, 2, 5, 1, 7, 2, 1};
    anim_joint_desc joints[JOINTS];
    for (uint32_t i = 0; i < JOINTS; i++)
        joints[i] = (anim_joint_desc){
            names[i], parents[i], {{0, (float)i * 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    ok(anim_skeleton_create(joints, JOINTS, NULL, &f->skeleton, &error));
    f->walk = make_stride(f->skeleton, "walk", 1);
    f->run = make_stride(f->skeleton, "run", 0.625f);
    f->wave = make_wave(f->skeleton);
    const anim_mask_entry entries[] = {{2, 1, false}, {4, 0.5f, true}};
    ok(anim_mask_create(f->skeleton, entries, COUNT(entries), &f->mask, &error));
}

static inline void free_figure(figure* f)
{
    anim_mask_release(f->mask);
    anim_clip_release(f->wave);
    anim_clip_release(f->run);
    anim_clip_release(f->walk);
    anim_skeleton_release(f->skeleton);
}

// Building in one chain: after the first failure nothing more is done, and `code` stays.
typedef struct builder {
    anim_topology* t;
    anim_code code;
    anim_error err;
} builder;

static inline uint32_t add_node(builder* b, anim_kind kind, const char* name)
{
    uint32_t node = ANIM_NO_NODE;
    if (!b->code)
        b->code = anim_topology_add_node(b->t, kind, name, &node, &b->err);
    return node;
}

static inline uint32_t add_clip(builder* b, anim_clip* clip)
{
    uint32_t node = add_node(b, ANIM_KIND_CLIP, NULL);
    if (!b->code)
        anim_topology_set_clip(b->t, node, clip);
    return node;
}

static inline uint32_t add_pose(builder* b)
{
    uint32_t node = add_node(b, ANIM_KIND_POSE, NULL);
    if (!b->code)
        b->code = anim_topology_set_pose(b->t, node, b->t->skeleton->rest, &b->err);
    return node;
}

static inline void add_input(builder* b, uint32_t node, anim_input input)
{
    if (!b->code)
        b->code = anim_topology_insert_input(b->t, node, b->t->nodes[node].input_count, &input,
                                             &b->err);
}

// An input of `child` with this weight, and this place in a blend.
static inline anim_input input_of(uint32_t child, float weight, float x, float y)
{
    return (anim_input){
        .node = child, .weight = {weight, ANIM_NO_PARAM}, .speed = 1, .x = x, .y = y};
}

static inline int32_t add_param(builder* b, const char* name, float smooth)
{
    const float curve[] = {0, 0, 1, 1};
    const anim_param param = {.name = name,
                              .kind = ANIM_PARAM_NUMBER,
                              .initial = 0.5,
                              .smooth = smooth,
                              .curve = curve,
                              .curve_count = 2,
                              .life = -1};
    uint32_t index = 0;
    if (!b->code)
        b->code = anim_topology_add_param(b->t, &param, &index, &b->err);
    return (int32_t)index;
}

static inline uint32_t add_move(builder* b, const figure* f, int32_t speed)
{
    uint32_t move = add_node(b, ANIM_KIND_BLEND1D, "move");
    add_input(b, move, input_of(add_pose(b), 1, -1, 0));
    add_input(b, move, input_of(add_clip(b, f->walk), 1, 0, 0));
    add_input(b, move, input_of(add_clip(b, f->run), 1, 1, 0));
    if (!b->code)
        b->t->nodes[move].x = speed;
    return move;
}

static inline uint32_t add_strafe(builder* b, const figure* f, int32_t x, int32_t y)
{
    uint32_t strafe = add_node(b, ANIM_KIND_BLEND2D, "strafe");
    add_input(b, strafe, input_of(add_clip(b, f->walk), 1, 0, 0));
    add_input(b, strafe, input_of(add_clip(b, f->run), 1, 1, 0));
    add_input(b, strafe, input_of(add_clip(b, f->wave), 1, 0, 1));
    if (!b->code) {
        b->t->nodes[strafe].mode = ANIM_BLEND_TRIANGULATED;
        b->t->nodes[strafe].x = x;
        b->t->nodes[strafe].y = y;
    }
    return strafe;
}

// layers(mixer(move, strafe, direct), masked wave, additive script(wave, wave), model-space pose)
static inline void add_everything(builder* b, const figure* f)
{
    int32_t speed = add_param(b, "speed", 0.25f), side = add_param(b, "side", 0);
    uint32_t mixer = add_node(b, ANIM_KIND_MIXER, "mixer"), root;
    add_input(b, mixer, input_of(add_move(b, f, speed), 0.5f, 0, 0));
    add_input(b, mixer, input_of(add_strafe(b, f, side, speed), 0.25f, 0, 0));
    uint32_t direct = add_node(b, ANIM_KIND_DIRECT, "direct");
    anim_input by_param = input_of(add_clip(b, f->wave), 0, 0, 0);
    by_param.weight.param = side;
    add_input(b, direct, by_param);
    add_input(b, mixer, input_of(direct, 0.25f, 0, 0));
    uint32_t script = add_node(b, ANIM_KIND_SCRIPT, "script");
    add_input(b, script, input_of(add_clip(b, f->wave), 1, 0, 0));
    add_input(b, script, input_of(add_clip(b, f->run), 1, 0, 0));
    root = add_node(b, ANIM_KIND_LAYERS, "root");
    add_input(b, root, input_of(mixer, 1, 0, 0));
    anim_input layer = input_of(add_clip(b, f->wave), 0.75f, 0, 0);
    layer.mask = f->mask;
    layer.sparse = true;
    add_input(b, root, layer);
    layer = input_of(script, 1.5f, 0, 0);
    layer.mode = ANIM_LAYER_ADDITIVE;
    layer.reference = f->walk;
    add_input(b, root, layer);
    layer = input_of(add_pose(b), 0.25f, 0, 0);
    layer.model_space = true;
    add_input(b, root, layer);
    if (!b->code)
        b->t->root = root;
}

static inline anim_code build_graph(const figure* f, anim_graph** out)
{
    anim_code code = anim_graph_create(f->skeleton, out, &error);
    if (code)
        return code;
    code = anim_graph_edit_begin(*out, &error);
    if (!code) {
        builder b = {.t = (*out)->topology};
        add_everything(&b, f);
        code = b.code;
        error = b.err;
        if (code)
            anim_graph_edit_cancel(*out);
        else
            code = anim_graph_edit_end(*out, &error);
    }
    if (code) {
        anim_graph_destroy(*out);
        *out = NULL;
    }
    return code;
}

// Updates of 1/60 s; what happened in one is taken before the next, as a script would do.
static inline void run(anim_graph* graph, int updates)
{
    for (int i = 0; i < updates; i++) {
        anim_event_queue_clear(&graph->events);
        ok(anim_graph_advance(graph, 1.0 / 60, false, &error));
        ok(anim_graph_evaluate(graph, &error));
    }
}
