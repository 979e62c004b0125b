// SPDX-License-Identifier: MIT
// Nodes that work on the pose of their one input: IK, springs, warping. What is described is here, and what
// a character keeps for it; the solvers themselves are in pose/ik_*.h. One row for each kind.
//
// A solver runs in the pose pass. What it remembers lies twice in the state block: as it was before the last
// advance and after it, so that a pose made again is the same, and targets set in between count.
#pragma once

#include "base/arena.h"
#include "base/ref.h"
#include "graph/state.h"
#include "pose/ik_aim.h"
#include "pose/ik_chain.h"
#include "pose/ik_foot.h"
#include "pose/ik_orient.h"
#include "pose/ik_spring.h"
#include "pose/ik_stride.h"
#include "pose/ik_two_bone.h"

#include <math.h>

// A point as described: none, three numbers or parameters, or a joint of the pose as it comes in.
typedef enum anim_point_kind {
    ANIM_POINT_NONE,
    ANIM_POINT_FIXED,
    ANIM_POINT_JOINT
} anim_point_kind;

typedef struct anim_point {
    anim_point_kind kind;
    anim_source at[3];
    uint32_t joint;
} anim_point;

enum { ANIM_SOLVER_VALUES = 4 }; // numbers of a kind that may follow parameters

// pulls: the weight of each target.
typedef struct anim_solver_chain {
    anim_chain_desc desc;
    const float* pulls;
    anim_chain* chain;
} anim_solver_chain;

// legs: what desc.legs points to. locks: a curve or range event for each, NULL: none. asks: the host is
// asked for the ground.
typedef struct anim_solver_foot {
    anim_foot desc;
    anim_foot_leg* legs;
    const char** locks;
    bool asks;
} anim_solver_foot;

typedef struct anim_solver {
    anim_ref ref;
    anim_kind kind;
    anim_arena arena; // of the lists below
    anim_source weight;
    anim_mask* mask; // how much each joint takes part; retained; NULL: all
    bool in_world;   // points are given in world space (anim_graph_set_place)
    anim_point pole;
    anim_point* targets;
    uint32_t target_count;
    anim_source values[ANIM_SOLVER_VALUES];
    union {
        anim_two_bone two_bone;
        anim_aim aim;
        anim_solver_chain chain;
        anim_solver_foot foot;
        anim_spring spring;
        anim_stride stride;
        anim_orient orient;
    } as;       // targets, pole, weight and values are filled in when it runs
    bool waits; // without a target it lets the pose be
    // made by anim_solver_create
    anim_skeleton* skeleton; // retained
    size_t memory_size;      // of one of the two memories; a multiple of 8
    size_t scratch_size;     // for a run
    size_t pose_size;        // where there is a mask
} anim_solver;

// Takes over the arena that the lists of `desc` lie in (it is left empty), also where it fails.
anim_code anim_solver_create(const anim_solver* desc, anim_arena* arena, anim_skeleton* skeleton,
                             anim_solver** out, anim_error* err);
// Bytes that a run needs at `scratch`.
size_t anim_solver_room(const anim_solver* solver);
anim_solver* anim_solver_retain(anim_solver* solver);
void anim_solver_release(anim_solver* solver);

// --- state --------------------------------------------------------------------------------------------

// Where a point comes from: a joint of the pose as it comes in (>= 0), or one of these.
enum {
    ANIM_POINT_AS_DESCRIBED = -1,
    ANIM_POINT_SET = -2,          // by the script, in the node's space
    ANIM_POINT_SET_IN_WORLD = -3, // likewise, in world space
    ANIM_POINT_DIRECTION = -4,    // likewise; it is a direction
};

typedef struct anim_point_state {
    float at[3];
    int32_t source;
} anim_point_state;

// Behind the input states; then a point for each target, the memory before, the memory after.
typedef struct anim_solver_state {
    double clock;        // seconds of the node's own clock
    double before, last; // where it stood at the last two runs
    uint32_t run;   // number of the graph's advance that the last run was for, + 1; 0: none yet
    float weight;   // as set by script
    float residual; // of the last run
    uint32_t reset; // 1: the next run puts a spring to its animated pose, 2: the last one did
    anim_point_state pole;
} anim_solver_state;

_Static_assert(sizeof(anim_solver_state) == 56, "the block is hashed: no padding");

static inline anim_solver_state* anim_state_of_solver(const anim_graph* graph, uint32_t node)
{
    return (anim_solver_state*)(void*)(anim_state_of_inputs(graph, node) +
                                       graph->topology->nodes[node].input_count);
}

static inline anim_point_state* anim_solver_points(const anim_solver_state* state)
{
    return (anim_point_state*)(uintptr_t)(state + 1);
}

static inline unsigned char* anim_solver_memory(const anim_solver* solver,
                                                const anim_solver_state* state)
{
    return (unsigned char*)(anim_solver_points(state) + solver->target_count);
}

// Seconds of the node's clock go by.
static inline void anim_solver_tick(anim_graph* graph, uint32_t node, double seconds)
{
    if (anim_node_is_solver(&graph->topology->nodes[node]))
        anim_state_of_solver(graph, node)->clock += fabs(seconds);
}

void anim_solver_state_init(const anim_solver* solver, anim_solver_state* state);
void anim_solver_forget(const anim_solver* solver, anim_solver_state* state); // its memory
// After an edit: what of a node's state goes on, described anew or not.
void anim_solver_carry(const anim_solver* solver, anim_solver_state* state,
                       const anim_solver* before, const anim_solver_state* old);
bool anim_solver_state_is_fine(const anim_solver* solver, const anim_solver_state* state,
                               uint32_t joint_count);

// --- running ------------------------------------------------------------------------------------------

// What a run works with. Points are in model space.
typedef struct anim_solver_call {
    const anim_solver* solver;
    const anim_skeleton* skeleton;
    anim_pose_group* pose;
    anim_graph* graph; // NULL: a pose by itself
    uint32_t node;
    float weight;
    const float (*targets)[3];
    const bool* given; // which of them there are; one at least
    const float* pole; // NULL: none
    const float* values;
    anim_rigid place;   // of the character in the world
    const void* before; // memories; NULL: a pose by itself
    void* after;
    double dt;
    bool resets; // a spring goes to its animated pose
    bool looks;  // at another time: nothing is remembered, nobody asked
    void* scratch;
} anim_solver_call;

// One for each kind, in graph/solve_<kind>.c.
typedef struct anim_solver_row {
    // From what is described: fixed numbers of the kind's own struct, memory_size, scratch_size.
    anim_code (*prepare)(anim_solver* solver, anim_skeleton* skeleton, anim_error* err);
    void (*free)(anim_solver* solver);          // what prepare made; NULL: nothing
    float (*run)(const anim_solver_call* call); // gives the residual
    // The residual of the pose as it is, for masks; NULL: there is none.
    float (*miss)(const anim_solver_call* call);
    bool (*is_fine)(const anim_solver* solver, const void* memory); // of a snapshot; NULL: all is
    // Bytes of its memory that a node described anew goes on with; NULL: none.
    size_t (*carries)(const anim_solver* solver, const anim_solver* before);
} anim_solver_row;

const anim_solver_row* anim_solver_row_of(anim_kind kind);
extern const anim_solver_row anim_solve_two_bone, anim_solve_chain, anim_solve_aim, anim_solve_foot,
    anim_solve_spring, anim_solve_stride, anim_solve_orient;

// That legs hang below the pelvis (-1: no matter), each joint below the one before.
anim_code anim_solver_check_legs(const anim_skeleton* skeleton, const anim_ik_leg* legs,
                                 uint32_t count, int32_t pelvis, anim_error* err);

// In the pose pass: the node's solver on `pose`; its state lies `shift` bytes behind its place. Where
// `keep` is false nothing is remembered (a look at another time).
void anim_graph_solve(anim_graph* graph, uint32_t node, uint32_t shift, anim_pose_group* pose,
                      void* scratch, bool keep);

// Distance of a joint from a point in model space.
float anim_solver_gap(const anim_solver_call* call, uint32_t joint, const float target[3]);

// On a pose by itself, at once and without a memory; gives the residual.
float anim_pose_solve(const anim_solver* solver, const anim_skeleton* skeleton,
                      anim_pose_group* pose, void* scratch);
