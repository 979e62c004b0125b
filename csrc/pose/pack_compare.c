// SPDX-License-Identifier: MIT
#include "pose/pack_model.h"

#include "pose/pack.h"

#include <math.h>

enum { batch = 64 }; // moments at once

typedef struct comparison {
    const anim_clip *a, *b;
    anim_pack_model model;
    anim_pose_group* pose;
    anim_pack_report* report;
    double* per_joint;
    double sum;
    uint64_t count;
} comparison;

static void note(comparison* c, uint32_t joint, double error, double time)
{
    c->sum += error;
    c->count++;
    if (c->per_joint && !(error <= c->per_joint[joint]))
        c->per_joint[joint] = error;
    if (!(error <= c->report->max_error)) {
        c->report->max_error = error;
        c->report->worst_joint = joint;
        c->report->worst_time = time;
    }
}

static void compare_batch(comparison* c, double from, double step, uint32_t first, uint32_t count)
{
    const anim_skeleton* skeleton = c->a->keys->skeleton;
    for (uint32_t i = 0; i < batch; i++) { // a short batch repeats its last moment
        double time = from + step * (first + (i < count ? i : count - 1));
        anim_clip_sample(c->a, time, c->pose);
        anim_pack_model_set_pose(&c->model, i, c->pose);
    }
    anim_pack_model_want(&c->model);
    for (uint32_t i = 0; i < batch; i++) {
        double time = from + step * (first + (i < count ? i : count - 1));
        anim_clip_sample_on(c->b, skeleton, time, c->pose);
        anim_pack_model_set_pose(&c->model, i, c->pose);
    }
    anim_pack_model_update(&c->model, 0, skeleton->joint_count, INFINITY);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < skeleton->joint_count; j++)
            note(c, j, anim_pack_model_error(&c->model, j, i), from + step * (first + i));
}

bool anim_clip_compare(const anim_clip* a, const anim_clip* b, double from, double step,
                       uint32_t count, anim_pack_report* report, double* per_joint)
{
    anim_arena arena = {0};
    const anim_skeleton* skeleton = a->keys->skeleton;
    comparison c = {.a = a, .b = b, .report = report, .per_joint = per_joint};
    report->max_error = report->mean_error = report->worst_time = 0;
    report->worst_joint = 0;
    for (uint32_t j = 0; j < skeleton->joint_count && per_joint; j++)
        per_joint[j] = 0;
    c.pose = anim_arena_alloc(&arena, skeleton->group_count, sizeof *c.pose);
    bool whole = c.pose &&
                 anim_pack_model_init(&c.model, &arena, skeleton, a->keys->additive, batch);
    for (uint32_t i = 0; i < count && whole; i += batch)
        compare_batch(&c, from, step, i, count - i < batch ? count - i : batch);
    report->mean_error = c.count > 0 ? c.sum / (double)c.count : 0;
    anim_arena_free(&arena);
    return whole;
}
