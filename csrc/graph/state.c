// SPDX-License-Identifier: MIT
// A snapshot from outside is not trusted: what could hurt is checked before it is taken in.
#include "graph/state.h"

#include <math.h>

static const void* in_block(const unsigned char* state, size_t offset)
{
    return state + offset;
}

static bool is_clip_place(const anim_node* node, const anim_node_state* s)
{
    double length = node->clip ? node->clip->duration : 0;
    return s->at.time >= 0 && s->at.time <= length;
}

static bool is_weight(float w)
{
    return w >= 0 && w <= 1e6f;
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
            !isfinite(inputs[i].goal_time))
            return false;
    return true;
}

static bool is_state(const anim_node* node, uint32_t state)
{
    return state == ANIM_SOURCE_NONE || state < node->input_count;
}

static bool check_machine(const anim_node* node, const anim_machine_state* m, uint32_t groups)
{
    const float* poses = (const float*)(const void*)(m + 1);
    return isfinite(m->elapsed) && isfinite(m->duration) && isfinite(m->since) &&
           isfinite(m->reach) && isfinite(m->stepped) && isfinite(m->pending_fade) &&
           m->base >= 0 && m->base <= 1 &&
           (m->current < node->input_count || node->input_count == 0) &&
           (m->source >= ANIM_SOURCE_COPY || m->source < node->input_count) &&
           is_state(node, m->left) && is_state(node, m->goal) && is_state(node, m->pending) &&
           m->mode <= ANIM_FADE_FROZEN && anim_floats_are_finite(m->drift_t, 3) &&
           anim_floats_are_finite(m->drift_r, 3) &&
           anim_floats_are_finite(poses, 2 * (size_t)groups * sizeof(anim_pose_group) / 4);
}

static bool check_node(const anim_topology* t, const anim_node* node, const anim_node_state* s)
{
    if (s->at.pass != anim_pass_after(s->at.pass, 0) || !isfinite(s->carry) ||
        !(s->place >= 0 && s->place <= ANIM_MAX_MARKERS) || !isfinite(s->rate) ||
        !isfinite(s->speed) || !is_weight(s->weight) || !is_weight(s->weight_before) ||
        (s->leader != ANIM_NO_NODE && s->leader >= t->node_count))
        return false;
    if (node->kind != ANIM_KIND_CLIP)
        return s->at.time >= 0 && s->at.time <= 1 && is_input(node, s->target) &&
               is_input(node, s->current) &&
               check_inputs(node, (const anim_input_state*)(const void*)(s + 1)) &&
               (node->kind != ANIM_KIND_MACHINE ||
                check_machine(
                    node,
                    (const anim_machine_state*)(const void*)((const anim_input_state*)(const void*)(s +
                                                                                                    1) +
                                                             node->input_count),
                    t->skeleton->group_count));
    const anim_clip_state* c = (const anim_clip_state*)(const void*)(s + 1);
    return is_clip_place(node, s) && anim_floats_are_finite(c->motion_t, 3) &&
           anim_floats_are_finite(c->motion_q, 4);
}

anim_code anim_state_check(const anim_graph* graph, const unsigned char* state, anim_error* err)
{
    const anim_topology* t = graph->topology;
    const anim_graph_state* g = in_block(state, 0);
    bool fine = isfinite(g->speed) && isfinite(g->clock) &&
                anim_floats_are_finite(g->motion_t, 3) && anim_floats_are_finite(g->motion_q, 4);
    for (uint32_t i = 0; i < t->param_count && fine; i++) {
        const anim_param_state* p = in_block(state, sizeof *g + i * sizeof *p);
        fine = isfinite(p->target) && isfinite(p->value) && isfinite(p->velocity) &&
               isfinite(p->age);
    }
    for (uint32_t i = 0; i < t->node_count && fine; i++)
        if (t->nodes[i].uid)
            fine = check_node(t, &t->nodes[i], in_block(state, t->nodes[i].state_offset));
    return fine ? ANIM_OK : anim_fail(err, ANIM_ERR_FORMAT, "a saved graph that is damaged");
}
