// SPDX-License-Identifier: MIT
// Root motion of the graph: blended like the pose (semantics 8), from what each clip moved by.
#include "graph/machine_internal.h"
#include "graph/shot.h"
#include "math/trig.h"
#include "pose/root_motion.h"

#include <math.h>
#include <string.h>

void anim_walk_clip_motion(anim_walk* walk, uint32_t at, const anim_step* step)
{
    const anim_node* node = &walk->topology->nodes[at];
    if (!node->clip->keys->motion)
        return;
    anim_motion_of_step(node->clip->keys->motion, step,
                        &anim_state_of_clip(walk->graph, at)->motion);
}

// A mean that grows term by term; rotations on the side of the first (heaviest) one.
typedef struct mean {
    anim_rigid sum;
    float reference[4];
    bool has_reference;
} mean;

static void mean_add(mean* m, const anim_rigid* x, float weight)
{
    if (!m->has_reference)
        memcpy(m->reference, x->q, sizeof m->reference);
    m->has_reference = true;
    float dot = 0;
    for (int i = 0; i < 4; i++)
        dot += x->q[i] * m->reference[i];
    for (int i = 0; i < 4; i++)
        m->sum.q[i] += (dot < 0 ? -weight : weight) * x->q[i];
    for (int i = 0; i < 3; i++)
        m->sum.t[i] += weight * x->t[i];
}

static anim_rigid motion_of(const anim_graph* graph, uint32_t at);

static anim_rigid motion_of_input(const anim_graph* graph, const anim_input* input)
{
    return input->node == ANIM_NO_NODE ? ANIM_RIGID_IDENTITY : motion_of(graph, input->node);
}

static anim_rigid mix_inputs(const anim_graph* graph, uint32_t at, const anim_node* node)
{
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    const anim_rigid still = ANIM_RIGID_IDENTITY;
    uint32_t heaviest = 0;
    float sum = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        sum += inputs[i].share;
        if (inputs[i].share > inputs[heaviest].share)
            heaviest = i;
    }
    mean m = {{{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0, 1}, false};
    bool rest_first = node->input_count == 0 || 1 - sum > inputs[heaviest].share;
    if (rest_first)
        mean_add(&m, &still, 1 - sum);
    for (uint32_t k = 0; k < node->input_count; k++) {
        uint32_t i = k == 0 ? heaviest : k <= heaviest ? k - 1 : k;
        if (inputs[i].share > 0) {
            anim_rigid moved = motion_of_input(graph, &node->inputs[i]);
            mean_add(&m, &moved, inputs[i].share);
        }
    }
    if (sum < 1 && !rest_first)
        mean_add(&m, &still, 1 - sum);
    anim_quat_normalize(m.sum.q, m.sum.q);
    return m.sum;
}

// The joint that root motion below `at` was taken from; -1: nothing there moves the character.
static int32_t moving_joint(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = at == ANIM_NO_NODE ? NULL : &graph->topology->nodes[at];
    if (!node || !anim_node_is_composite(node)) {
        const anim_clip* clip = node ? node->clip : NULL;
        return clip && clip->keys->motion ? (int32_t)clip->keys->motion->joint : -1;
    }
    const anim_input_state* states = anim_state_of_inputs(graph, at);
    for (uint32_t i = 0; i < node->input_count; i++) {
        const anim_input* input = &node->inputs[i];
        bool adds = anim_node_has_base(node) && i > 0 && input->mode == ANIM_LAYER_ADDITIVE;
        int32_t joint = states[i].share > 0 && !adds ? moving_joint(graph, input->node) : -1;
        if (joint >= 0)
            return joint;
    }
    return -1;
}

// Like its joint a layer's motion lies over what is below by weight and mask: one for the arms does not
// stop the legs' walking, and a sparse one without motion leaves it alone.
static anim_rigid motion_of_layers(const anim_graph* graph, uint32_t at, const anim_node* node)
{
    const anim_input_state* states = anim_state_of_inputs(graph, at);
    anim_rigid below = ANIM_RIGID_IDENTITY;
    int32_t joint = -1;
    if (node->input_count > 0) {
        below = motion_of_input(graph, &node->inputs[0]);
        joint = moving_joint(graph, node->inputs[0].node);
    }
    for (uint32_t i = 1; i < node->input_count; i++) {
        const anim_input* layer = &node->inputs[i];
        if (layer->mode == ANIM_LAYER_ADDITIVE || layer->node == ANIM_NO_NODE)
            continue;
        int32_t own = moving_joint(graph, layer->node);
        if (own < 0 && (layer->sparse || joint < 0))
            continue;
        joint = own >= 0 ? own : joint;
        float share = states[i].share *
                      (layer->mask ? anim_mask_weight(layer->mask, (uint32_t)joint) : 1);
        if (!(share > 0))
            continue;
        anim_rigid above = motion_of(graph, layer->node);
        mean m = {{{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0, 1}, false};
        mean_add(&m, share > 0.5f ? &above : &below, share > 0.5f ? share : 1 - share);
        mean_add(&m, share > 0.5f ? &below : &above, share > 0.5f ? 1 - share : share);
        anim_quat_normalize(m.sum.q, m.sum.q);
        below = m.sum;
    }
    return below;
}

static void turn_of(const float vector[3], float scale, float out[4])
{
    float size = 0;
    for (int i = 0; i < 3; i++)
        size += vector[i] * vector[i];
    size = sqrtf(size);
    float angle = size * scale, part = size > 1e-12f ? anim_sin(angle * 0.5f) / size : 0;
    for (int i = 0; i < 3; i++)
        out[i] = vector[i] * part;
    out[3] = anim_cos(angle * 0.5f);
}

// The momentum of an interrupted fade carries the character on as it carries the pose.
static anim_rigid motion_of_momentum(const anim_machine_state* m)
{
    anim_rigid out;
    float now = anim_momentum_reach((float)m->since, (float)m->reach);
    float before = anim_momentum_reach((float)fmax(m->since - m->stepped, 0), (float)m->reach);
    for (int i = 0; i < 3; i++)
        out.t[i] = m->drift_t[i] * (now - before);
    turn_of(m->drift_r, now - before, out.q);
    return out;
}

// What the present source of a fade moved by in the last part of a step.
static anim_rigid motion_of_source(anim_graph* graph, uint32_t at, const anim_node* node)
{
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    anim_rigid from = ANIM_RIGID_IDENTITY;
    uint32_t child = node->inputs[m->current].node;
    if (m->source == ANIM_SOURCE_MOMENTUM)
        return motion_of_momentum(m);
    if (m->mode == ANIM_FADE_FROZEN)
        return from;
    if (m->source < node->input_count)
        return motion_of_input(graph, &node->inputs[m->source]);
    if (m->source != ANIM_SOURCE_COPY || child == ANIM_NO_NODE)
        return from;
    anim_copy_swap(graph, child);
    from = motion_of(graph, child);
    anim_copy_swap(graph, child);
    return from;
}

// Of a part of a step in which the machine did not change its state.
static anim_rigid motion_of_part(anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    const anim_machine_state* m = anim_state_of_machine(graph, at);
    if (m->current >= node->input_count)
        return ANIM_RIGID_IDENTITY;
    anim_rigid to = motion_of_input(graph, &node->inputs[m->current]);
    bool inertial = anim_machine_is_fading(m) && m->mode == ANIM_FADE_INERTIAL;
    float weight = inertial ? 1 : anim_machine_weight(graph, at);
    if (weight >= 1)
        return to;
    anim_rigid from = motion_of_source(graph, at, node);
    mean mixed = {{{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0, 1}, false};
    mean_add(&mixed, weight > 0.5f ? &to : &from, weight > 0.5f ? weight : 1 - weight);
    mean_add(&mixed, weight > 0.5f ? &from : &to, weight > 0.5f ? 1 - weight : weight);
    anim_quat_normalize(mixed.sum.q, mixed.sum.q);
    return mixed.sum;
}

void anim_machine_add_motion(anim_graph* graph, uint32_t at)
{
    if (!graph->topology->has_motion)
        return;
    anim_rigid* sum = &anim_state_of_machine(graph, at)->motion;
    const anim_rigid moved = motion_of_part(graph, at);
    anim_rigid_mul(sum, &moved, sum);
}

void anim_player_add_motion(anim_graph* graph, uint32_t at)
{
    if (!graph->topology->has_motion)
        return;
    anim_rigid* sum = &anim_state_of_player(graph, at)->motion;
    const anim_rigid moved = mix_inputs(graph, at, &graph->topology->nodes[at]);
    anim_rigid_mul(sum, &moved, sum);
}

void anim_machine_take_drift(anim_graph* graph, uint32_t at)
{
    anim_machine_state* m = anim_state_of_machine(graph, at);
    anim_rigid moved = motion_of_part(graph, at);
    float seconds = (float)m->stepped, sign = moved.q[3] < 0 ? -1.0f : 1.0f;
    float sine = sqrtf(moved.q[0] * moved.q[0] + moved.q[1] * moved.q[1] + moved.q[2] * moved.q[2]);
    float angle = 2 * anim_atan2(sine, moved.q[3] * sign);
    for (int i = 0; i < 3; i++) {
        m->drift_t[i] = seconds > 0 ? moved.t[i] / seconds : 0;
        m->drift_r[i] = seconds > 0 && sine > 1e-12f ? sign * moved.q[i] * angle / sine / seconds
                                                     : 0;
    }
}

static anim_rigid motion_of(const anim_graph* graph, uint32_t at)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP && node->clip && node->clip->keys->motion)
        return anim_state_of_clip(graph, at)->motion;
    if (!anim_node_is_composite(node))
        return ANIM_RIGID_IDENTITY;
    if (anim_node_has_base(node))
        return motion_of_layers(graph, at, node);
    if (node->kind == ANIM_KIND_MACHINE)
        return anim_state_of_machine(graph, at)->motion;
    if (anim_node_is_player(node))
        return anim_state_of_player(graph, at)->motion;
    return mix_inputs(graph, at, node);
}

void anim_walk_motion(anim_walk* walk)
{
    anim_rigid* moved = &anim_state_of_graph(walk->graph)->motion;
    if (!walk->topology->has_motion || walk->topology->root == ANIM_NO_NODE) {
        *moved = ANIM_RIGID_IDENTITY;
        return;
    }
    *moved = motion_of(walk->graph, walk->topology->root);
    float sign = moved->q[3] < 0 ? -1.0f : 1.0f;
    for (int i = 0; i < 4; i++)
        moved->q[i] *= sign;
}
