// SPDX-License-Identifier: MIT
// How far joints move what lies below them.
#include "pose/pack_encode.h"

double anim_packing_duration(const anim_packing* p, double* start)
{
    double first = INFINITY, last = 0;
    for (uint32_t i = 0; i < p->keys->track_count; i++) {
        const anim_times* times = &p->keys->times[p->keys->tracks[i].times];
        first = fmin(first, anim_times_at(times, 0));
        last = fmax(last, anim_times_at(times, times->count - 1));
    }
    *start = first < last ? first : 0;
    return first < last ? last - first : 0;
}

enum { most_poses = 64 };
static const size_t most_levers = (size_t)1 << 23;

static double distance(const anim_packing* p, uint32_t a, uint32_t b)
{
    const anim_pack_model* m = &p->model;
    double most = 0;
    for (uint32_t i = 0; i < m->pairs; i++) {
        const anim_d2* x = m->wanted[(size_t)a * m->pairs + i].m;
        const anim_d2* y = m->wanted[(size_t)b * m->pairs + i].m;
        anim_d2 square = (x[3] - y[3]) * (x[3] - y[3]) + (x[7] - y[7]) * (x[7] - y[7]) +
                         (x[11] - y[11]) * (x[11] - y[11]);
        most = fmax(most, fmax(square[0], square[1]));
    }
    return sqrt(most) + p->model.radii[b];
}

// The largest axis of the parent in model space.
static double measure_carry(const anim_packing* p, uint32_t joint)
{
    const anim_pack_model* m = &p->model;
    int32_t parent = p->skeleton->parents[joint];
    double most = 0;
    for (uint32_t i = 0; i < m->pairs && parent >= 0; i++) {
        const anim_d2* x = m->wanted[(size_t)parent * m->pairs + i].m;
        for (int axis = 0; axis < 3; axis++) {
            anim_d2 square = x[axis] * x[axis] + x[4 + axis] * x[4 + axis] +
                             x[8 + axis] * x[8 + axis];
            most = fmax(most, fmax(square[0], square[1]));
        }
    }
    return parent >= 0 ? sqrt(most) : 1;
}

static bool measure_levers(anim_packing* p)
{
    uint32_t joints = p->skeleton->joint_count;
    size_t total = 0;
    size_t* first = anim_arena_alloc(p->arena, joints, sizeof *first);
    for (uint32_t j = 0; j < joints && first; j++) {
        first[j] = total;
        total += p->model.end[j] - j;
    }
    bool keeps = total <= most_levers;
    double* list = keeps ? anim_arena_alloc(p->arena, total, sizeof *list) : NULL;
    p->reach = anim_arena_alloc(p->arena, joints, sizeof *p->reach);
    p->carry = anim_arena_alloc(p->arena, joints, sizeof *p->carry);
    if (!first || !p->reach || !p->carry || (keeps && !list))
        return false;
    for (uint32_t j = 0; j < joints; j++) {
        p->carry[j] = measure_carry(p, j);
        for (uint32_t below = j; below < p->model.end[j]; below++) {
            double far = distance(p, j, below);
            p->reach[j] = fmax(p->reach[j], far);
            if (list)
                list[first[j] + below - j] = far;
        }
    }
    p->lever_first = first;
    p->lever_list = list;
    return true;
}

bool anim_packing_measure(anim_packing* p)
{
    double start, duration = anim_packing_duration(p, &start);
    uint32_t count = duration > 0 ? most_poses : 2;
    anim_pose_group* pose = anim_arena_alloc(p->arena, p->skeleton->group_count, sizeof *pose);
    if (!pose || !anim_pack_model_init(&p->model, p->arena, p->skeleton, p->keys->additive, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        anim_clip_sample(p->clip, start + duration * i / (count - 1), pose);
        anim_pack_model_set_pose(&p->model, i, pose);
    }
    anim_pack_model_want(&p->model);
    return measure_levers(p);
}
