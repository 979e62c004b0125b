// SPDX-License-Identifier: MIT
// A snapshot from outside is not trusted: what could hurt is checked before it is taken in.
#include "graph/shot.h"
#include "graph/solver.h"

#include <float.h>
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

// As large as a float: the smoothing's numbers then stay finite.
static bool is_param(double x)
{
    return fabs(x) <= FLT_MAX;
}

static bool is_finite_motion(const anim_rigid* m)
{
    return anim_floats_are_finite(m->t, 3) && anim_floats_are_finite(m->q, 4);
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
           anim_floats_are_finite(m->drift_r, 3) && is_finite_motion(&m->motion) &&
           anim_floats_are_finite(poses, 2 * (size_t)groups * sizeof(anim_pose_group) / 4);
}

static bool check_player(const anim_player_state* p)
{
    return p->stage <= ANIM_PLAYER_ENDED && is_finite_motion(&p->motion) && p->left >= 0 &&
           isfinite(p->left);
}

static bool check_shot(const anim_node* node, const anim_shot_state* s, uint32_t groups)
{
    return isfinite(s->gone) && isfinite(s->stopped) && is_weight(s->floor) &&
           is_weight(s->stop_weight) && s->stop_fade >= 0 && isfinite(s->stop_fade) &&
           s->fade_in >= 0 && isfinite(s->fade_in) && s->fade_out >= 0 && isfinite(s->fade_out) &&
           is_weight(s->held) && isfinite(s->next_speed) && s->next_in >= 0 &&
           isfinite(s->next_in) && s->next_out >= 0 && isfinite(s->next_out) && s->active <= 1 &&
           s->older <= ANIM_SHOT_HELD && s->lost <= 1 && (!s->lost || s->older == ANIM_SHOT_HELD) &&
           (!s->active || (node->input_count > 1 && node->inputs[1].node != ANIM_NO_NODE)) &&
           anim_floats_are_finite((const float*)(const void*)(s + 1),
                                  2 * (size_t)groups * sizeof(anim_pose_group) / sizeof(float));
}

// What a kind keeps behind its inputs.
static bool check_behind(const anim_node* node, const anim_input_state* inputs,
                         const anim_skeleton* skeleton)
{
    const void* behind = inputs + node->input_count;
    uint32_t groups = skeleton->group_count;
    if (anim_node_is_solver(node))
        return anim_solver_state_is_fine(node->solver, behind, skeleton->joint_count);
    switch (node->kind) {
    case ANIM_KIND_MACHINE: return check_machine(node, behind, groups);
    case ANIM_KIND_ONE_SHOT: return check_shot(node, behind, groups);
    case ANIM_KIND_RANDOM:
    case ANIM_KIND_QUEUE: return check_player(behind);
    default: return true;
    }
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
               is_input(node, s->current) && check_inputs(node, (const void*)(s + 1)) &&
               check_behind(node, (const anim_input_state*)(const void*)(s + 1), t->skeleton);
    const anim_clip_state* c = (const anim_clip_state*)(const void*)(s + 1);
    return is_clip_place(node, s) && is_finite_motion(&c->motion);
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

static bool is_unit(const float q[4])
{
    float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0.99f && square < 1.01f;
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

anim_code anim_state_check(const anim_graph* graph, const unsigned char* state, anim_error* err)
{
    const anim_topology* t = graph->topology;
    const anim_graph_state* g = in_block(state, 0);
    bool fine = isfinite(g->speed) && isfinite(g->clock) && is_finite_motion(&g->motion) &&
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
