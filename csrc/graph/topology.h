// SPDX-License-Identifier: MIT
// What a graph is made of: nodes, links and parameters. Shared by all clones of a character and copied
// when one of them edits it; characters keep what changes by itself in graph/instance.h.
#pragma once

#include "base/error.h"
#include "base/ref.h"
#include "graph/blend_space.h"
#include "graph/machine.h"
#include "pose/clip.h"
#include "pose/mask.h"

typedef enum anim_kind {
    ANIM_KIND_CLIP,
    ANIM_KIND_POSE,
    ANIM_KIND_MIXER,
    ANIM_KIND_BLEND1D,
    ANIM_KIND_BLEND2D,
    ANIM_KIND_DIRECT,
    ANIM_KIND_LAYERS,
    ANIM_KIND_SCRIPT,
    ANIM_KIND_MACHINE,
    ANIM_KIND_ONE_SHOT,
    ANIM_KIND_RANDOM,
    ANIM_KIND_QUEUE,
    ANIM_KIND_TWO_BONE, // from here on: solvers (graph/solver.h)
    ANIM_KIND_CHAIN,
    ANIM_KIND_AIM,
    ANIM_KIND_FOOT,
    ANIM_KIND_SPRING,
    ANIM_KIND_STRIDE,
    ANIM_KIND_ORIENT,
    ANIM_KIND_COUNT
} anim_kind;

#define ANIM_NO_NODE UINT32_MAX
#define ANIM_NO_PARAM -1
#define ANIM_MAX_MARKERS 256u // that the members of a sync group share
#define ANIM_MAX_DEPTH 200u   // of a tree of nodes; deeper ones are refused when linked

// --- parameters -----------------------------------------------------------------------------------

typedef enum anim_param_kind {
    ANIM_PARAM_NUMBER,
    ANIM_PARAM_BOOLEAN,
    ANIM_PARAM_TRIGGER
} anim_param_kind;

typedef struct anim_param {
    const char* name;
    anim_param_kind kind;
    double initial;
    double smooth;        // seconds of the critically damped spring; 0: at once
    double dead_zone;     // 0 to below 1
    double life;          // trigger: seconds until it is forgotten; < 0: never
    uint32_t curve_count; // mapping curve: piecewise linear through (x, y), clamped
    const float* curve;
} anim_param;

// A number that is fixed or follows a parameter.
typedef struct anim_source {
    float value;
    int32_t param; // ANIM_NO_PARAM: `value`
} anim_source;

// --- nodes ------------------------------------------------------------------------------------------

typedef enum anim_layer_mode { ANIM_LAYER_OVERRIDE, ANIM_LAYER_ADDITIVE } anim_layer_mode;
typedef enum anim_fallback { ANIM_FALLBACK_FIRST, ANIM_FALLBACK_REST } anim_fallback;

// A link to a child. Which fields count depends on the kind of the parent.
typedef struct anim_input {
    uint32_t node;      // index in the topology; ANIM_NO_NODE: nothing there
    anim_source weight; // mixer, script, layers; direct: its parameter
    float speed;        // blend spaces, machines: rate of this entry
    const char* name;   // machines: the state's; owned by the topology
    float x, y;         // blend spaces: threshold or point
    float fade;         // mixer: default time of fadeTo
    anim_mask* mask;    // layers; retained; NULL: everything
    anim_layer_mode mode;
    bool model_space;     // layers
    bool sparse;          // layers: joints that the layer does not key are left alone
    anim_clip* reference; // layers, additive: retained; NULL: each clip's own first key
    float reference_time;
    bool is_member; // made when compiled: a sync group reaches members through it
} anim_input;

typedef struct anim_node {
    uint32_t uid; // never used again; a handle is a place and a uid. 0: the place is free
    anim_kind kind;
    uint32_t parent; // ANIM_NO_NODE: none
    uint32_t input_count;
    anim_input* inputs;
    const char* name; // "": none
    bool inlined;     // described in its parent's place: it goes when it loses that place
    anim_source speed;
    bool sync;      // blends, mixer: inputs share one phase
    bool normalize; // mixer, direct, script
    anim_fallback fallback;
    bool match_speed;        // blend1D
    int32_t x, y;            // blends: parameters
    anim_blend_space* space; // blend2D, made when compiled; retained
    float* thresholds;       // blend1D, made when compiled: one an input
    anim_blend_mode mode;
    float power;
    bool manhattan;
    // clip
    anim_clip* clip;  // retained
    anim_clip* delta; // retained; what is sampled inside an additive layer, unless there is:
    // Made when compiled, for a packed clip inside an additive layer: its samples become deltas against this pose, in
    // the channels (by lane) that it keys.
    struct anim_pose_group* against;
    const uint8_t* against_channels; // in the same block
    int32_t loop;                    // anim_loop, -1: the clip's
    double start;                    // seconds; < 0: 0, or the end where it plays backwards once
    float min_weight;
    bool followers;
    // sync markers, made when compiled: in a group, how many all members share; in a member, their
    // times in the group's order
    uint32_t marker_count;
    double* marker_times;
    anim_loop group_loop; // made when compiled; of synchronised nodes
    // pose: a copy, joint groups of the skeleton
    struct anim_pose_group* pose;
    struct anim_pose_group* pose_delta; // made when compiled, inside an additive layer
    // script
    bool has_update, has_pose;
    // oneShot (input 0: the base, 1: the shot), random, queue
    float fade, fade_out; // seconds; oneShot: in and out
    uint64_t seed;
    bool avoid_repeat, every_enter, queue_loop;
    // twoBone and the other solvers: what is described; retained
    struct anim_solver* solver;
    // machine: the inputs are its states
    uint32_t initial;
    anim_transition* transitions; // owned; in order of priority
    uint32_t transition_count;
    // made when compiled
    uint32_t order;        // place in the depth-first order; UINT32_MAX: not under the root
    uint32_t state_offset; // in the state block
    uint32_t state_size;
    uint32_t
        copy_shift;   // a state that may fade into itself: bytes of its tree, and from there to the
                      // second copy of it, which lies behind; 0: there is none
    bool plays_once;  // in a queue or as a shot: one pass, whatever the clip's loop
    bool in_additive; // inside an additive layer
    bool changes;     // it, or something below it, changes by itself: a machine, random, queue
} anim_node;

typedef struct anim_topology {
    anim_ref ref;
    anim_skeleton* skeleton; // retained
    anim_node* nodes;        // a node keeps its place for life, in copies too
    uint32_t node_count, node_room;
    anim_param* params;
    uint32_t param_count, param_room;
    uint32_t root; // ANIM_NO_NODE: none
    uint32_t next_uid;
    // made by anim_topology_compile
    uint32_t* walk; // nodes under the root, depth first
    uint32_t walk_count;
    uint32_t depth; // of the deepest node, 1 for a lone root
    uint32_t machine_count;
    uint32_t busy;     // what machines may note in an advance, beside the one movement of each node
    uint32_t widest;   // most inputs of a node
    size_t state_size; // bytes of a character's state block
    bool has_motion;   // a clip with root motion is in it
    bool has_sparse;   // a layer asks which joints are keyed
    bool has_script;   // a script node is under the root
    size_t solver_room; // bytes that a solver needs while it runs, at most
    uint32_t failed;    // the node that compile refused; ANIM_NO_NODE: none in particular
    uint64_t signature; // of everything that the layout of the state depends on
} anim_topology;

// Input 0 is a base, the others lie over it.
static inline bool anim_node_has_base(const anim_node* node)
{
    return node->kind == ANIM_KIND_LAYERS || node->kind == ANIM_KIND_ONE_SHOT;
}

// Plays one input after the other.
static inline bool anim_node_is_player(const anim_node* node)
{
    return node->kind == ANIM_KIND_RANDOM || node->kind == ANIM_KIND_QUEUE;
}

// The same, or plays something once over its base.
static inline bool anim_node_is_shot_or_player(const anim_node* node)
{
    return node->kind == ANIM_KIND_ONE_SHOT || anim_node_is_player(node);
}

// Works on the pose of its one input: IK, springs, warping.
static inline bool anim_node_is_solver(const anim_node* node)
{
    return node->kind >= ANIM_KIND_TWO_BONE;
}

anim_code anim_topology_create(anim_skeleton* skeleton, anim_topology** out, anim_error* err);
anim_code anim_topology_copy(const anim_topology* topology, anim_topology** out, anim_error* err);
anim_topology* anim_topology_retain(anim_topology* topology);
void anim_topology_release(anim_topology* topology);

// All of these change a topology that nobody else shares; compile before it is used again.
// A new node of `kind` with the defaults of the contract and no inputs.
anim_code anim_topology_add_node(anim_topology* topology, anim_kind kind, const char* name,
                                 uint32_t* out, anim_error* err);
// Frees it; its children lose their parent, a parent's input becomes empty.
void anim_topology_remove_node(anim_topology* topology, uint32_t node);
// Inputs. A child has one parent: a second use, a circle, or too deep a tree is an error. Of a machine
// only states are removed that no transition names and that are not the initial one.
anim_code anim_topology_insert_input(anim_topology* topology, uint32_t node, uint32_t at,
                                     const anim_input* input, anim_error* err);
anim_code anim_topology_set_child(anim_topology* topology, uint32_t node, uint32_t at,
                                  uint32_t child, anim_error* err); // frees the one before
void anim_topology_remove_input(anim_topology* topology, uint32_t node, uint32_t at);
void anim_topology_set_clip(anim_topology* topology, uint32_t node, anim_clip* clip); // retains
// Machines: the name of a state, and the transitions (conditions and profiles are copied and retained).
anim_code anim_topology_set_state_name(anim_topology* topology, uint32_t node, uint32_t state,
                                       const char* name, anim_error* err);
anim_code anim_topology_set_transitions(anim_topology* topology, uint32_t node,
                                        const anim_transition* transitions, uint32_t count,
                                        anim_error* err);
void anim_topology_set_mask(anim_topology* topology, uint32_t node, uint32_t at, anim_mask* mask);
void anim_topology_set_reference(anim_topology* topology, uint32_t node, uint32_t at,
                                 anim_clip* reference, float time);
anim_code anim_topology_set_pose(anim_topology* topology, uint32_t node,
                                 const struct anim_pose_group* groups, anim_error* err);
void anim_topology_set_solver(anim_topology* topology, uint32_t node, struct anim_solver* solver);
anim_code anim_topology_set_name(anim_topology* topology, uint32_t node, const char* name,
                                 anim_error* err);
anim_code anim_topology_add_param(anim_topology* topology, const anim_param* param, uint32_t* out,
                                  anim_error* err);

// `count` points (x, y), x strictly rising; 0: none.
anim_code anim_param_set_curve(anim_param* param, const float* points, uint32_t count,
                               anim_error* err);

uint32_t anim_topology_find(const anim_topology* topology, const char* name); // ANIM_NO_NODE
static inline bool anim_topology_has(const anim_topology* topology, uint32_t node, uint32_t uid)
{
    return node < topology->node_count && uid != 0 && topology->nodes[node].uid == uid;
}
int32_t anim_topology_find_param(const anim_topology* topology, const char* name);

// Orders the nodes, makes blend spaces and delta clips, lays out the state block.
anim_code anim_topology_compile(anim_topology* topology, anim_error* err);
