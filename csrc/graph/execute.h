// SPDX-License-Identifier: MIT
// The pose pass: a flat list of operations on pose slots, made from the state and then run.
#pragma once

#include "graph/graph.h"
#include "pose/inertia.h"
#include "pose/pack.h"

typedef enum anim_op_kind {
    ANIM_OP_REST,      // slot = rest, or the identity where deltas are mixed
    ANIM_OP_SAMPLE,    // slot = clip at time
    ANIM_OP_DELTA,     // slot, just sampled, becomes the delta against `pose`
    ANIM_OP_POSE,      // slot = fixed pose
    ANIM_OP_MIX_BEGIN, // a sum in slot; the heaviest follows first: it is the reference
    ANIM_OP_MIX_ADD,   // slot += weight * slot + 1
    ANIM_OP_MIX_END,   // slot = the sum, rotations normalised
    ANIM_OP_LAYER,     // slot = slot + 1 laid over slot
    ANIM_OP_LAYER_MODEL,
    ANIM_OP_ADD,      // slot + 1 holds deltas
    ANIM_OP_MOMENTUM, // slot = the momentum after `time`
    ANIM_OP_OFFSETS,  // what is left of an inertial fade's offsets is added to slot
    ANIM_OP_SCRIPT,
    ANIM_OP_SOLVE, // a solver works on slot
    ANIM_OP_END
} anim_op_kind;

// Beside kind and slot only what its kind has is set.
typedef struct anim_op {
    anim_op_kind kind;
    uint32_t slot;
    float weight;          // a sum's term, layers
    bool delta;            // rest: the identity instead
    bool sparse;           // layers: only what is keyed
    const anim_clip* clip; // sample
    double time;           // sample, momentum, offsets
    float duration;        // of the fade; of a momentum: until it stands still
    uint32_t node;         // script, solve
    uint32_t shift; // of a solver in a second copy: bytes that its state lies behind its place
    const anim_pose_group* pose;
    const uint8_t* channels; // delta: those that are keyed, by lane
    const float* mask;       // layers, offsets: one a joint, or NULL
    const uint8_t* groups;   // layers: of the mask, where it has weight; NULL: anywhere
    anim_momentum momentum;
} anim_op;

#define ANIM_MOST_KEPT 8u

// A pose that was not put down: the sum of these clips (pose/pack.h), which the topology holds; 0: it was.
typedef struct anim_recipe {
    uint32_t count;
    anim_term terms[ANIM_MOST_KEPT];
} anim_recipe;

typedef struct anim_move anim_move; // graph/walk.h

// Scratch of the pose pass, shared by a character's clones: slots and the list. Fitted to a topology
// when it is compiled, so that running allocates nothing.
typedef struct anim_workspace anim_workspace;

anim_code anim_workspace_create(const anim_skeleton* skeleton, anim_workspace** out,
                                anim_error* err);
anim_workspace* anim_workspace_retain(anim_workspace* workspace);
void anim_workspace_release(anim_workspace* workspace);
anim_code anim_workspace_fit(anim_workspace* workspace, const anim_topology* topology,
                             anim_error* err);

// The clips' movements in one advance (graph/walk.h); machines move their clips in parts.
// push: a place for one more, to be filled; NULL: there is no room.
anim_move* anim_workspace_push_move(anim_workspace* workspace);
anim_move* anim_workspace_moves(anim_workspace* workspace, uint32_t* count);
void anim_workspace_clear_moves(anim_workspace* workspace);

// Three floats an input of the widest node, for a moment's use.
float* anim_workspace_floats(anim_workspace* workspace);
uint32_t* anim_workspace_counts(anim_workspace* workspace); // likewise; the same memory

// For machines, valid for a moment: a state block, two poses; and the next of the profiles that a list
// may use, one float a joint, padded.
unsigned char* anim_workspace_state(anim_workspace* workspace);
anim_pose_group* anim_workspace_poses(anim_workspace* workspace);
anim_mat34*
anim_workspace_matrices(anim_workspace* workspace); // one for each joint, between evaluations
float* anim_workspace_profile(anim_workspace* workspace);

// The pose of one node's tree as its state stands, scripts left out. In the logic pass only.
void anim_graph_pose_of(anim_graph* graph, uint32_t node, anim_pose_group* out);
// Likewise what a oneShot lays over its base, all copies together.
void anim_graph_pose_of_shot(anim_graph* graph, uint32_t node, anim_pose_group* out);

// While the list of one of them runs: nothing may be fitted then.
bool anim_workspace_is_busy(const anim_workspace* workspace);

anim_op* anim_workspace_ops(anim_workspace* workspace); // room for all that a topology can need

// The list for the present state of `graph`, with an end (graph/emit.c).
void anim_graph_emit(anim_graph* graph, anim_workspace* workspace, uint32_t root);
void anim_graph_emit_shot(anim_graph* graph, anim_workspace* workspace, uint32_t node);
