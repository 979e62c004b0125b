// SPDX-License-Identifier: MIT
// One call of the pose layer at a time.
#include "bench/scene.h"

#include <stdio.h>
#include <string.h>

typedef struct sampling {
    const anim_clip* clip;
    anim_pose_group* out;
    double times[BENCH_TIMES];
} sampling;

static void sample(void* user)
{
    sampling* s = user;
    for (int i = 0; i < BENCH_TIMES; i++)
        anim_clip_sample(s->clip, s->times[i], s->out);
}

static void add_sampling(bench_list* list, const bench_scene* scene, int form, int clip,
                         anim_pose_group* out, bool in_order)
{
    sampling* s = bench_alloc(sizeof *s);
    s->clip = scene->clips[form][clip];
    s->out = out;
    uint32_t seed = 7;
    for (int i = 0; i < BENCH_TIMES; i++)
        s->times[i] = s->clip->duration *
                      (in_order ? (double)i / BENCH_TIMES : bench_random(&seed));
    char what[40];
    snprintf(what, sizeof what, "%s, %s", bench_clip_names[clip], bench_form_names[form]);
    bench_add(list, "sample", in_order ? "%s, times in order" : "%s, random times", what,
              BENCH_TIMES, sample, s);
}

// --- poses ----------------------------------------------------------------------------------------------

enum { CALLS = 128 };

typedef struct poses {
    const bench_scene* scene;
    anim_pose_group *a, *b, *c, *delta, *sum;
    float* mask;
    anim_mat34* model;
    float* palette;
    float (*turns)[4];
} poses;

static void blend(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_pose_blend(p->scene->skeleton, p->sum, i & 1 ? p->a : p->b, 0.5f, NULL);
}

static void blend_masked(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_pose_blend(p->scene->skeleton, p->sum, i & 1 ? p->a : p->b, 0.5f, p->mask);
}

static void blend_model(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_pose_blend_model(p->scene->skeleton, p->sum, i & 1 ? p->a : p->b, 0.5f, p->mask, NULL,
                              p->turns);
}

static void sum_of_three(void* user)
{
    poses* p = user;
    const anim_skeleton* skeleton = p->scene->skeleton;
    for (int i = 0; i < CALLS; i++) {
        anim_pose_sum_begin(skeleton, p->sum, p->a, 0.5f);
        anim_pose_sum_add(skeleton, p->sum, p->a, p->b, 0.3f);
        anim_pose_sum_add(skeleton, p->sum, p->a, p->c, 0.2f);
        anim_pose_sum_end(skeleton, p->sum);
    }
}

static void add_delta(void* user) // of the same pose each time, which is part of it
{
    poses* p = user;
    const anim_skeleton* skeleton = p->scene->skeleton;
    for (int i = 0; i < CALLS; i++) {
        memcpy(p->sum, p->a, skeleton->group_count * sizeof *p->a);
        anim_pose_add(skeleton, p->sum, p->delta, 0.5f, NULL);
    }
}

static void to_model(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_pose_to_model(p->scene->skeleton, i & 1 ? p->a : p->b, p->model);
}

static void palette_3x4(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_skin_palette_3x4(p->scene->skin, p->model, p->palette);
}

static void palette_4x4(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++)
        anim_skin_palette_4x4(p->scene->skin, p->model, p->palette);
}

static void to_palette_3x4(void* user)
{
    poses* p = user;
    for (int i = 0; i < CALLS; i++) {
        anim_pose_to_model(p->scene->skeleton, i & 1 ? p->a : p->b, p->model);
        anim_skin_palette_3x4(p->scene->skin, p->model, p->palette);
    }
}

static void add_poses(bench_list* list, bench_scene* scene)
{
    const anim_skeleton* skeleton = scene->skeleton;
    size_t size = skeleton->group_count * sizeof(anim_pose_group);
    poses* p = bench_alloc(sizeof *p);
    anim_pose_group** all[] = {&p->a, &p->b, &p->c, &p->delta, &p->sum};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bench_alloc(size);
    p->scene = scene;
    p->mask = bench_alloc(skeleton->group_count * ANIM_LANES * sizeof(float));
    for (uint32_t i = 0; i < skeleton->joint_count; i++)
        p->mask[i] = (float)(i % 3) * 0.5f;
    p->model = bench_alloc(skeleton->joint_count * sizeof *p->model);
    p->palette = bench_alloc((size_t)scene->skin->joint_count * 16 * sizeof(float));
    p->turns = bench_alloc(skeleton->joint_count * 2 * sizeof *p->turns);
    anim_clip_sample(scene->clips[BENCH_EXACT][BENCH_WALK], 0.3, p->a);
    anim_clip_sample(scene->clips[BENCH_EXACT][BENCH_JOG], 0.3, p->b);
    anim_clip_sample(scene->clips[BENCH_EXACT][BENCH_RUN], 0.3, p->c);
    anim_clip_sample(scene->clips[BENCH_EXACT][BENCH_RUN], 0.5, p->delta);
    anim_pose_to_delta(skeleton, p->delta, p->c, NULL);
    memcpy(p->sum, p->a, size);
    anim_pose_to_model(skeleton, p->a, p->model);
    bench_add(list, "blend", "two poses", NULL, CALLS, blend, p);
    bench_add(list, "blend", "two poses by a mask", NULL, CALLS, blend_masked, p);
    bench_add(list, "blend", "the same, rotations of model space", NULL, CALLS, blend_model, p);
    bench_add(list, "blend", "three poses, weighted sum", NULL, CALLS, sum_of_three, p);
    bench_add(list, "blend", "additive", NULL, CALLS, add_delta, p);
    bench_add(list, "model", "local to model, 3x4", NULL, CALLS, to_model, p);
    bench_add(list, "model", "palette 3x4 of model space", NULL, CALLS, palette_3x4, p);
    bench_add(list, "model", "palette 4x4 of model space", NULL, CALLS, palette_4x4, p);
    bench_add(list, "model", "local to model and palette 3x4", NULL, CALLS, to_palette_3x4, p);
}

void bench_add_pose(bench_list* list, bench_scene* scene)
{
    anim_pose_group* out = bench_alloc(scene->skeleton->group_count * sizeof *out);
    for (int form = 0; form < BENCH_FORMS; form++)
        for (int clip = 0; clip < BENCH_CLIPS; clip++) {
            add_sampling(list, scene, form, clip, out, true);
            add_sampling(list, scene, form, clip, out, false);
        }
    add_poses(list, scene);
}
