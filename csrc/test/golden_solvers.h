// SPDX-License-Identifier: MIT
// The solvers of the graph in golden_graph.h, and the graph as a whole.
#pragma once

#include "graph/solver.h"
#include "test/golden_graph.h"

// A solver under description: its lists lie in the arena.
typedef struct sketch {
    const builder* b;
    anim_solver desc;
    anim_arena arena;
} sketch;

static inline void* list(sketch* s, uint32_t count, size_t element)
{
    void* memory = anim_arena_alloc(&s->arena, count, element);
    if (!memory)
        exit(1);
    return memory;
}

static inline sketch begin(const builder* b, anim_kind kind, uint32_t targets)
{
    sketch s = {.b = b, .desc = {.kind = kind, .weight = number(1), .target_count = targets}};
    for (int i = 0; i < ANIM_SOLVER_VALUES; i++)
        s.desc.values[i] = number(0);
    s.desc.targets = list(&s, targets, sizeof *s.desc.targets);
    return s;
}

static inline uint32_t joint(const sketch* s, const char* name)
{
    return joint_of(s->b->f->skeleton, name);
}

static inline uint32_t end(sketch* s, const char* name, uint32_t input)
{
    uint32_t node = add(s->b, s->desc.kind, name);
    anim_solver* solver;
    ok(anim_solver_create(&s->desc, &s->arena, s->b->f->skeleton, &solver, &error));
    anim_topology_set_solver(s->b->t, node, solver);
    anim_solver_release(solver);
    put(s->b, node, input);
    return node;
}

static inline anim_ik_leg leg_of(const sketch* s, int side)
{
    return (anim_ik_leg){joint(s, side ? "thigh.R" : "thigh.L"),
                         joint(s, side ? "calf.R" : "calf.L"),
                         joint(s, side ? "foot.R" : "foot.L")};
}

static inline anim_point fixed(float x, float y, float z)
{
    return (anim_point){ANIM_POINT_FIXED, {number(x), number(y), number(z)}, 0};
}

static inline uint32_t add_orient(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_ORIENT, 0);
    anim_orient* d = &s.desc.as.orient;
    uint32_t* spine = list(&s, 2, sizeof *spine);
    float* shares = list(&s, 2, sizeof *shares);
    spine[0] = joint(&s, "spine1");
    spine[1] = joint(&s, "chest");
    shares[0] = 1;
    shares[1] = 2;
    *d = (anim_orient){
        .pelvis = joint(&s, "pelvis"), .spine = spine, .shares = shares, .spine_count = 2};
    s.desc.values[0] = follow(SIDE);
    return end(&s, "orient", input);
}

static inline uint32_t add_stride(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_STRIDE, 0);
    anim_ik_leg* legs = list(&s, 2, sizeof *legs);
    for (int i = 0; i < 2; i++)
        legs[i] = leg_of(&s, i);
    s.desc.as.stride = (anim_stride){.pelvis = joint(&s, "pelvis"), .legs = legs, .leg_count = 2};
    s.desc.values[0] = follow(LOOK); // the factor
    s.desc.values[1] = follow(SIDE);
    s.desc.values[3] = number(1);
    s.desc.weight = number(0.75f);
    return end(&s, "stride", input);
}

static inline uint32_t add_foot(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_FOOT, 4);
    anim_solver_foot* f = &s.desc.as.foot;
    f->legs = list(&s, 2, sizeof *f->legs);
    f->locks = list(&s, 2, sizeof *f->locks);
    for (int i = 0; i < 2; i++) {
        f->legs[i] = (anim_foot_leg){.joints = leg_of(&s, i), .heel = -1};
        f->legs[i].toe = (int32_t)joint(&s, i ? "toe.R" : "toe.L");
    }
    f->locks[0] = "lock.L";
    f->locks[1] = "swing"; // a range event
    f->asks = b->asks;
    f->desc = (anim_foot){.leg_count = 2,
                          .pelvis = (int32_t)joint(&s, "pelvis"),
                          .reach = -1,
                          .smooth = 0.125f,
                          .ahead = 0.1f,
                          .release = 0.15f,
                          .tilt = ANIM_FOOT_TILT};
    return end(&s, "foot", input);
}

static inline uint32_t add_hand(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_TWO_BONE, 1);
    s.desc.as.two_bone = (anim_two_bone){.root = joint(&s, "upper.L"),
                                         .mid = joint(&s, "fore.L"),
                                         .tip = joint(&s, "hand.L"),
                                         .soft = 0.875f,
                                         .stretch = 1.125f,
                                         .rotation = ANIM_IK_ROTATION_MODEL};
    s.desc.targets[0] = fixed(0.25f, 1.25f, 0.375f);
    s.desc.pole = fixed(0.5f, 0.75f, -0.5f);
    s.desc.weight = follow(ARMED);
    return end(&s, "hand", input);
}

static inline uint32_t add_tail(const builder* b, uint32_t input, anim_chain_solver solver)
{
    bool ccd = solver == ANIM_CHAIN_CCD;
    uint32_t tip_count = ccd ? 2 : 1;
    sketch s = begin(b, ANIM_KIND_CHAIN, tip_count);
    anim_solver_chain* c = &s.desc.as.chain;
    uint32_t* tips = list(&s, tip_count, sizeof *tips);
    float* pulls = list(&s, tip_count, sizeof *pulls);
    anim_joint_limit* limits = list(&s, 2, sizeof *limits);
    anim_chain_weight* weights = list(&s, 1, sizeof *weights);
    limits[0] = (anim_joint_limit){joint(&s, ccd ? "spine2" : "tail3"),
                                   ANIM_LIMIT_HINGE,
                                   {1, 0.25f, 0},
                                   -0.75f,
                                   0.5f,
                                   0,
                                   0,
                                   0};
    limits[1] = (anim_joint_limit){joint(&s, ccd ? "upper.R" : "tail2"),
                                   ANIM_LIMIT_CONE,
                                   {0, 0, 1},
                                   0,
                                   0,
                                   0.875f,
                                   -0.5f,
                                   0.5f};
    weights[0] = (anim_chain_weight){joint(&s, ccd ? "chest" : "tail4"), 0.5f};
    tips[0] = joint(&s, ccd ? "finger.R" : "tail5");
    pulls[0] = 1;
    if (ccd) {
        tips[1] = joint(&s, "head");
        pulls[1] = 0.5f;
    }
    c->pulls = pulls;
    c->desc = (anim_chain_desc){.root = joint(&s, ccd ? "spine1" : "tail1"),
                                .tips = tips,
                                .tip_count = tip_count,
                                .solver = solver,
                                .iterations = 8,
                                .limits = limits,
                                .limit_count = 2,
                                .weights = weights,
                                .weight_count = 1};
    s.desc.targets[0] = fixed(-0.25f, 1, ccd ? 0.5f : -0.5f);
    if (ccd)
        s.desc.targets[1] = fixed(0.125f, 1.5f, 0.125f);
    s.desc.mask = ccd ? b->f->upper : NULL;
    s.desc.weight = number(0.625f);
    return end(&s, ccd ? "reach" : "tail", input);
}

static inline uint32_t add_gaze(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_AIM, 1);
    anim_aim_joint* joints = list(&s, 3, sizeof *joints);
    joints[0] = (anim_aim_joint){joint(&s, "chest"), 0.5f};
    joints[1] = (anim_aim_joint){joint(&s, "neck"), 1};
    joints[2] = (anim_aim_joint){joint(&s, "head"), 2};
    s.desc.as.aim = (anim_aim){.joints = joints,
                               .joint_count = 3,
                               .axis = {0, 0, 1},
                               .up = {0, 1, 0},
                               .has_up = true,
                               .offset = {0, 0.06f, 0.08f},
                               .limit = 1.25f,
                               .rate = 3};
    s.desc.targets[0] = fixed(0.5f, 1.75f, 2);
    s.desc.in_world = true;
    return end(&s, "gaze", input);
}

static inline uint32_t add_cape(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_SPRING, 0);
    anim_collider* colliders = list(&s, 2, sizeof *colliders);
    colliders[0] = (anim_collider){
        ANIM_COLLIDER_SPHERE, (int32_t)joint(&s, "pelvis"), {0, 0, 0}, {0, 0, 0}, 0.15f};
    colliders[1] = (anim_collider){
        ANIM_COLLIDER_CAPSULE, (int32_t)joint(&s, "chest"), {0, -0.2f, 0}, {0, 0.1f, 0}, 0.11f};
    anim_spring* d = &s.desc.as.spring;
    *d = ANIM_SPRING_DEFAULTS;
    d->root = joint(&s, "cape1");
    d->gravity[1] = -4;
    d->limit = 1.25f;
    d->radius = 0.02f;
    d->colliders = colliders;
    d->collider_count = 2;
    s.desc.values[0] = follow(WIND);
    s.desc.values[2] = number(0.5f);
    return end(&s, "cape", input);
}

static inline uint32_t add_hair(const builder* b, uint32_t input)
{
    sketch s = begin(b, ANIM_KIND_SPRING, 0);
    anim_spring* d = &s.desc.as.spring;
    *d = ANIM_SPRING_DEFAULTS;
    d->root = joint(&s, "hair1");
    d->stiffness = 4;
    s.desc.weight = number(0.75f);
    return end(&s, "hair", input);
}

// --- the whole graph ------------------------------------------------------------------------------------

static inline uint32_t build_all(const builder* b)
{
    add_params(b);
    uint32_t at = add_shot(b, add_layers(b, add_script(b, add_machine(b))));
    at = add_foot(b, add_stride(b, add_orient(b, at)));
    at = add_tail(b, add_tail(b, at, ANIM_CHAIN_FABRIK), ANIM_CHAIN_CCD);
    return add_hair(b, add_cape(b, add_gaze(b, add_hand(b, at))));
}

static inline anim_graph* build_graph(const figure* f, bool asks)
{
    anim_graph* graph;
    ok(anim_graph_create(f->skeleton, &graph, &error));
    ok(anim_graph_edit_begin(graph, &error));
    const builder b = {graph->topology, f, asks};
    graph->topology->root = build_all(&b);
    ok(anim_graph_edit_end(graph, &error));
    return graph;
}
