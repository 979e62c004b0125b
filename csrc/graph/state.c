// SPDX-License-Identifier: MIT
// Snapshots of the state block. One from outside is not trusted: what could hurt is checked before it is
// taken in.
#include "base/mem.h"
#include "graph/machine_internal.h"
#include "graph/shot.h"
#include "graph/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const float largest_of_joint = 1e18f; // of a translation, a scale, or how fast they change

static const void* in_block(const unsigned char* state, size_t offset)
{
    return state + offset;
}

static bool is_clip_place(const anim_node* node, const anim_node_state* s)
{
    double length = node->clip ? node->clip->duration : 0;
    return s->at.time >= 0 && s->at.time <= length;
}

// As large as a float: the smoothing's numbers then stay finite.
static bool is_param(double x)
{
    return fabs(x) <= FLT_MAX;
}

static bool is_unit(const float q[4])
{
    float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0.99f && square < 1.01f;
}

static bool is_motion(const anim_rigid* m)
{
    return anim_floats_are_within(m->t, 3, 1e30f) && is_unit(m->q);
}

static bool is_weight(float w)
{
    return w >= 0 && w <= 1e6f;
}

static bool is_effective_weight(float w) // a product of those on the way down
{
    return w >= 0 && w <= 1e30f;
}

static bool is_input(const anim_node* node, uint32_t input)
{
    return input == ANIM_NO_NODE || input < node->input_count;
}

static bool check_inputs(const anim_node* node, const anim_input_state* inputs)
{
    for (uint32_t i = 0; i < node->input_count; i++)
        if (!is_weight(inputs[i].share) || !isfinite(inputs[i].weight) ||
            !isfinite(inputs[i].fall) || !isfinite(inputs[i].goal) ||
            !(inputs[i].goal_time >= 0 && isfinite(inputs[i].goal_time)))
            return false;
    return true;
}

static bool is_state(const anim_node* node, uint32_t state)
{
    return state == ANIM_SOURCE_NONE || state < node->input_count;
}

// Numbers of joints whose squares and products are still numbers: more than clips can hold.
static bool are_poses(const anim_momentum* m, uint32_t groups)
{
    size_t floats = groups * sizeof(anim_pose_group) / sizeof(float);
    return anim_floats_are_within((const float*)(const void*)m->at, floats, largest_of_joint) &&
           anim_floats_are_within((const float*)(const void*)m->rate, floats, largest_of_joint);
}

// A pose that is shown, `turns`: or differences from one, whose rotations are vectors.
static bool is_shown(const anim_skeleton* skeleton, const anim_momentum* m, bool turns)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        anim_xform at;
        anim_pose_get(skeleton, m->at, j, &at);
        if (turns ? !anim_floats_are_within(at.q, 3, 3.2f) : !is_unit(at.q))
            return false;
    }
    return true;
}

// Where a fade comes from, and how far it is.
static bool check_fade(const anim_topology* t, const anim_node* node, const anim_machine_state* m)
{
    const anim_input* current = node->input_count > 0 ? &node->inputs[m->current] : NULL;
    bool has_copy = current && current->node != ANIM_NO_NODE &&
                    t->nodes[current->node].copy_shift > 0;
    if (!(m->duration > 0))
        return m->duration == 0 && m->elapsed == 0 && m->source == ANIM_SOURCE_NONE;
    if (!(m->elapsed >= 0 && m->elapsed <= m->duration) || m->source == m->current)
        return false;
    if (m->source == ANIM_SOURCE_COPY)
        return has_copy;
    if (m->source == ANIM_SOURCE_NONE) // removed by an edit
        return m->mode == ANIM_FADE_INERTIAL;
    return m->source == ANIM_SOURCE_MOMENTUM || m->source < node->input_count;
}

static bool check_machine(const anim_topology* t, const anim_node* node,
                          const anim_machine_state* m)
{
    const anim_skeleton* skeleton = t->skeleton;
    anim_pose_group* at = (anim_pose_group*)(void*)(m + 1);
    const anim_momentum momentum = {at, at + skeleton->group_count};
    bool offsets = m->duration > 0 && m->mode == ANIM_FADE_INERTIAL;
    bool shown = offsets || m->source == ANIM_SOURCE_MOMENTUM;
    return m->duration <= 1e15 && m->since >= 0 && isfinite(m->since) && m->reach >= 0 &&
           m->reach <= 0.2 && m->stepped >= 0 && isfinite(m->stepped) && m->pending_fade >= 0 &&
           isfinite(m->pending_fade) && m->base >= 0 && m->base <= 1 &&
           (m->current < node->input_count || node->input_count == 0) && is_state(node, m->left) &&
           is_state(node, m->goal) && is_state(node, m->pending) && m->mode <= ANIM_FADE_FROZEN &&
           check_fade(t, node, m) && anim_floats_are_within(m->drift_t, 3, 1e30f) &&
           anim_floats_are_within(m->drift_r, 3, largest_of_joint) && is_motion(&m->motion) &&
           are_poses(&momentum, skeleton->group_count) &&
           (!shown || is_shown(skeleton, &momentum, offsets));
}

static bool check_player(const anim_player_state* p)
{
    return p->stage <= ANIM_PLAYER_ENDED && is_motion(&p->motion) && p->left >= 0 &&
           isfinite(p->left);
}

static bool check_shot_copies(const anim_topology* t, const anim_node* node,
                              const anim_shot_state* s)
{
    anim_pose_group* at = (anim_pose_group*)(void*)(s + 1);
    const anim_momentum held = {at, at + t->skeleton->group_count};
    uint32_t child = node->input_count > 1 ? node->inputs[1].node : ANIM_NO_NODE;
    if (!are_poses(&held, t->skeleton->group_count) || (s->active && child == ANIM_NO_NODE))
        return false;
    if (s->older == ANIM_SHOT_COPY)
        return child != ANIM_NO_NODE && t->nodes[child].copy_shift > 0;
    return s->older == ANIM_SHOT_ALONE || is_shown(t->skeleton, &held, false);
}

static bool is_part(float w)
{
    return w >= 0 && w <= 1;
}

static bool check_shot(const anim_topology* t, const anim_node* node, const anim_shot_state* s)
{
    return s->gone >= 0 && isfinite(s->gone) && s->stopped >= 0 && isfinite(s->stopped) &&
           (!s->stopping || s->stopped <= s->gone) && is_part(s->floor) &&
           is_part(s->stop_weight) && s->stop_fade >= 0 && isfinite(s->stop_fade) &&
           s->fade_in >= 0 && isfinite(s->fade_in) && s->fade_out >= 0 && isfinite(s->fade_out) &&
           is_part(s->held) && isfinite(s->next_speed) && s->next_in >= 0 && isfinite(s->next_in) &&
           s->next_out >= 0 && isfinite(s->next_out) && s->active <= 1 &&
           s->older <= ANIM_SHOT_HELD && s->lost <= 1 && (!s->lost || s->older == ANIM_SHOT_HELD) &&
           check_shot_copies(t, node, s);
}

// What a kind keeps behind its inputs.
static bool check_behind(const anim_topology* t, const anim_node* node,
                         const anim_input_state* inputs)
{
    const void* behind = inputs + node->input_count;
    if (anim_node_is_solver(node))
        return anim_solver_state_is_fine(node->solver, behind, t->skeleton->joint_count);
    switch (node->kind) {
    case ANIM_KIND_MACHINE: return check_machine(t, node, behind);
    case ANIM_KIND_ONE_SHOT: return check_shot(t, node, behind);
    case ANIM_KIND_RANDOM:
    case ANIM_KIND_QUEUE: return check_player(behind);
    default: return true;
    }
}

static bool check_node(const anim_topology* t, const anim_node* node, const anim_node_state* s)
{
    if (s->at.pass != anim_pass_after(s->at.pass, 0) || !isfinite(s->carry) ||
        !(s->place >= 0 && s->place <= ANIM_MAX_MARKERS) || !isfinite(s->rate) ||
        !isfinite(s->speed) || !is_effective_weight(s->weight) ||
        !is_effective_weight(s->weight_before) ||
        (s->leader != ANIM_NO_NODE && s->leader >= t->node_count))
        return false;
    if (node->kind != ANIM_KIND_CLIP)
        return s->at.time >= 0 && s->at.time <= 1 && is_input(node, s->target) &&
               is_input(node, s->current) && check_inputs(node, (const void*)(s + 1)) &&
               check_behind(t, node, (const anim_input_state*)(const void*)(s + 1));
    const anim_clip_state* c = (const anim_clip_state*)(const void*)(s + 1);
    return is_clip_place(node, s) && is_motion(&c->motion);
}

// A tree and the second copies in it; `shift`: of the copy that it is in itself.
static bool check_tree(const anim_topology* t, uint32_t at, const unsigned char* state,
                       size_t shift)
{
    const anim_node* node = &t->nodes[at];
    bool fine = check_node(t, node, in_block(state, node->state_offset + shift));
    for (uint32_t i = 0; i < node->input_count && fine; i++) {
        uint32_t child = node->inputs[i].node;
        uint32_t copy = child == ANIM_NO_NODE ? 0 : t->nodes[child].copy_shift;
        fine = child == ANIM_NO_NODE || (check_tree(t, child, state, shift) &&
                                         (copy == 0 || check_tree(t, child, state, shift + copy)));
    }
    return fine;
}

static bool is_fine_warp(const anim_warp_state* w)
{
    const double numbers[] = {w->place.x, w->place.y, w->place.z, w->turn.x,
                              w->turn.y,  w->turn.z,  w->turn.w,  (double)w->warp.scale};
    bool fine = w->left >= 0 && w->left <= 1e15 && anim_floats_are_within(w->warp.axis, 3, 1.1f) &&
                w->what <= 7;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && fine; i++)
        fine = fabs(numbers[i]) <= (i < 3 ? 1e16 : 2.1);
    return fine;
}

static anim_code check_state(const anim_graph* graph, const unsigned char* state, anim_error* err)
{
    const anim_topology* t = graph->topology;
    const anim_graph_state* g = in_block(state, 0);
    bool fine = isfinite(g->speed) && isfinite(g->clock) && is_motion(&g->motion) &&
                anim_floats_are_within(g->place.t, 3, 1e15f) && is_unit(g->place.q) &&
                is_fine_warp(&g->warp);
    for (uint32_t i = 0; i < t->param_count && fine; i++) {
        const anim_param_state* p = in_block(state, sizeof *g + i * sizeof *p);
        fine = is_param(p->target) && is_param(p->value) && is_param(p->velocity * 1e-60) &&
               isfinite(p->age);
    }
    for (uint32_t i = 0; i < t->node_count && fine; i++)
        if (t->nodes[i].uid && t->nodes[i].parent == ANIM_NO_NODE)
            fine = check_tree(t, i, state, 0);
    return fine ? ANIM_OK : anim_fail(err, ANIM_ERR_FORMAT, "a saved graph that is damaged");
}

// --- snapshots ----------------------------------------------------------------------------------------

typedef struct snapshot_header {
    char magic[8];
    uint64_t signature, size;
} snapshot_header;

static const char snapshot_magic[8] = "anim-s1";

size_t anim_graph_save_size(const anim_graph* graph)
{
    return sizeof(snapshot_header) + graph->topology->state_size;
}

void anim_graph_save(const anim_graph* graph, void* out)
{
    snapshot_header header = {.signature = graph->topology->signature,
                              .size = graph->topology->state_size};
    memcpy(header.magic, snapshot_magic, sizeof header.magic);
    memcpy(out, &header, sizeof header);
    memcpy((char*)out + sizeof header, graph->state, graph->topology->state_size);
}

anim_code anim_graph_restore(anim_graph* graph, const void* bytes, size_t size, anim_error* err)
{
    snapshot_header header;
    if (size < sizeof header)
        return anim_fail(err, ANIM_ERR_FORMAT, "not a saved graph");
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.magic, snapshot_magic, sizeof header.magic) != 0)
        return anim_fail(err, ANIM_ERR_FORMAT, "not a saved graph, or one of another version");
    if (header.signature != graph->topology->signature || header.size != size - sizeof header ||
        header.size != graph->topology->state_size)
        return anim_fail(err, ANIM_ERR_FORMAT, "saved by a graph of another shape");
    unsigned char* state = anim_mem_alloc(header.size); // aligned, which `bytes` need not be
    if (!state)
        return anim_fail_memory(err, "a saved graph");
    memcpy(state, (const unsigned char*)bytes + sizeof header, header.size);
    anim_code code = check_state(graph, state, err);
    if (!code) {
        memcpy(graph->state, state, header.size);
        anim_event_queue_clear(&graph->events);
        if (graph->trace)
            anim_trace_rewind(graph->trace, anim_state_of_graph(graph)->advanced);
    }
    anim_mem_free(state);
    return code;
}
