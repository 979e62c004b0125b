// SPDX-License-Identifier: MIT
// Solvers on a pose of the walk. Each begins from the animated pose, so the copy of it is part of the time;
// it is measured alone, too.
#include "bench/scene.h"
#include "pose/ik_aim.h"
#include "pose/ik_chain.h"
#include "pose/ik_two_bone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 64 };

typedef struct solving {
    const anim_skeleton* skeleton;
    anim_pose_group *animated, *pose;
    anim_two_bone two_bone;
    anim_aim_joint aim_joints[4];
    anim_aim aim;
    anim_chain* chain;
    anim_chain_target target;
    void* scratch;
} solving;

static void restart(solving* s)
{
    memcpy(s->pose, s->animated, s->skeleton->group_count * sizeof *s->pose);
}

static void copy(void* user)
{
    for (int i = 0; i < CALLS; i++)
        restart(user);
}

static void two_bone(void* user)
{
    solving* s = user;
    for (int i = 0; i < CALLS; i++) {
        restart(s);
        anim_ik_two_bone(s->skeleton, s->pose, &s->two_bone, NULL, NULL);
    }
}

static void aim(void* user)
{
    solving* s = user;
    for (int i = 0; i < CALLS; i++) {
        restart(s);
        anim_ik_aim(s->skeleton, s->pose, &s->aim, NULL, NULL, 0);
    }
}

static void chain(void* user)
{
    solving* s = user;
    for (int i = 0; i < CALLS; i++) {
        restart(s);
        anim_ik_chain(s->chain, s->pose, &s->target, 1, s->scratch);
    }
}

static uint32_t joint(const anim_skeleton* skeleton, const char* name)
{
    int32_t found = anim_skeleton_find(skeleton, name);
    if (found >= 0)
        return (uint32_t)found;
    fprintf(stderr, "bench: no joint '%s'\n", name);
    exit(1);
}

// A point of the joint's surroundings: where it is, moved by (x, y, z).
static void point_near(const solving* s, uint32_t at, float x, float y, float z, float out[3])
{
    anim_mat34 m;
    anim_pose_joint_to_model(s->skeleton, s->animated, at, &m);
    out[0] = m.m[0][3] + x;
    out[1] = m.m[1][3] + y;
    out[2] = m.m[2][3] + z;
}

static solving* start(const bench_scene* scene)
{
    solving* s = bench_alloc(sizeof *s);
    size_t size = scene->skeleton->group_count * sizeof *s->pose;
    s->skeleton = scene->skeleton;
    s->animated = bench_alloc(size);
    s->pose = bench_alloc(size);
    anim_clip_sample(scene->clips[BENCH_EXACT][BENCH_WALK], 0.3, s->animated);
    return s;
}

static void add_chain(bench_list* list, const bench_scene* scene, anim_chain_solver solver)
{
    solving* s = start(scene);
    uint32_t tip = joint(s->skeleton, "Lefthand");
    const anim_chain_desc desc = {
        .root = joint(s->skeleton, "LeftShoulder"), .tips = &tip, .tip_count = 1, .solver = solver};
    anim_error err;
    bench_check(anim_chain_create(scene->skeleton, &desc, &s->chain, &err), &err);
    s->scratch = bench_alloc(anim_chain_scratch_size(s->chain));
    s->target.weight = 1;
    point_near(s, tip, 0.1f, 0.15f, 0.1f, s->target.at);
    bench_add(list, "solver", "chain of 4 joints, %s",
              solver == ANIM_CHAIN_FABRIK ? "FABRIK" : "CCD", CALLS, chain, s);
}

void bench_add_solvers(bench_list* list, bench_scene* scene)
{
    solving* s = start(scene);
    bench_add(list, "solver", "copy of the pose alone", NULL, CALLS, copy, s);
    uint32_t foot = joint(s->skeleton, "LeftFoot"), head = joint(s->skeleton, "Head");
    s->two_bone = (anim_two_bone){.root = joint(s->skeleton, "LeftUpLeg"),
                                  .mid = joint(s->skeleton, "LeftLeg"),
                                  .tip = foot,
                                  .has_pole = true,
                                  .weight = 1,
                                  .soft = 1,
                                  .stretch = 1};
    point_near(s, foot, 0, 0.1f, 0.05f, s->two_bone.target);
    point_near(s, s->two_bone.mid, 0, 0, 1, s->two_bone.pole);
    bench_add(list, "solver", "twoBone, a leg with a pole", NULL, CALLS, two_bone, s);
    s->aim_joints[0] = (anim_aim_joint){head, 1};
    s->aim = (anim_aim){.joints = s->aim_joints,
                        .joint_count = 1,
                        .axis = {0, 0, 1},
                        .weight = 1,
                        .limit = -1,
                        .rate = -1};
    point_near(s, head, 1, 0.3f, 2, s->aim.target);
    bench_add(list, "solver", "aim, the head", NULL, CALLS, aim, s);
    add_chain(list, scene, ANIM_CHAIN_FABRIK);
    add_chain(list, scene, ANIM_CHAIN_CCD);
}
