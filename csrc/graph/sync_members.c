// SPDX-License-Identifier: MIT
// Who belongs to a sync group, and what is true of all members together (semantics 6).
#include "graph/walk.h"
#include "pose/root_motion.h"

#include <math.h>

uint32_t anim_sync_group_of(const anim_topology* t, uint32_t at)
{
    uint32_t group = t->nodes[at].sync ? at : ANIM_NO_NODE;
    if (!anim_sync_carries_members(&t->nodes[at]))
        return ANIM_NO_NODE;
    for (uint32_t above = t->nodes[at].parent; above != ANIM_NO_NODE;
         at = above, above = t->nodes[above].parent) {
        const anim_node* node = &t->nodes[above];
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].node == at && !anim_sync_leads_on(node, i))
                return group;
        group = node->sync ? above : group;
    }
    return group;
}

// --- means --------------------------------------------------------------------------------------------

typedef struct total {
    double sum, weight;
} total;

static double divided(double seconds, double speed)
{
    if (speed == 1) // as nearly all
        return seconds;
    if (speed != 0)
        return seconds / fabs(speed);
    return seconds > 0 ? HUGE_VAL : 0;
}

static total total_of(const anim_graph* graph, uint32_t at, anim_sync_measure measure,
                      uint32_t segment);

static total total_below(const anim_graph* graph, uint32_t at, const anim_node* node,
                         anim_sync_measure measure, uint32_t segment)
{
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    total all = {0, 0};
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!(inputs[i].share > 0) || !node->inputs[i].is_member)
            continue;
        total below = total_of(graph, node->inputs[i].node, measure, segment);
        double entry = measure != ANIM_SYNC_LENGTH ? anim_input_speed(node, i) : 1;
        all.sum += inputs[i].share * divided(below.sum, entry);
        all.weight += inputs[i].share * below.weight;
    }
    return all;
}

static total total_of(const anim_graph* graph, uint32_t at, anim_sync_measure measure,
                      uint32_t segment)
{
    const anim_node* node = &graph->topology->nodes[at];
    double speed = measure != ANIM_SYNC_LENGTH ? anim_node_speed(graph, at) : 1;
    total all = {0, 1};
    if (node->kind != ANIM_KIND_CLIP)
        all = total_below(graph, at, node, measure, segment);
    else
        all.sum = measure == ANIM_SYNC_SEGMENT ? anim_markers_stretch(node, segment)
                                               : node->clip->duration;
    all.sum = divided(all.sum, speed);
    return all;
}

double anim_sync_mean(const anim_graph* graph, uint32_t at, anim_sync_measure measure,
                      uint32_t segment)
{
    total all = total_of(graph, at, measure, segment);
    return all.weight > 0 ? all.sum / all.weight : 0;
}

// Whether a child runs against its parent: a speed of 0 keeps the way of what it is multiplied with.
static bool turns_round(const anim_graph* graph, const anim_node* node, uint32_t input)
{
    double own = anim_node_speed(graph, node->inputs[input].node);
    return (anim_input_speed(node, input) < 0) != (own < 0);
}

// Adds what root motion moves by in a pass, by share; gives the weight of the members.
static double add_travel(const anim_graph* graph, uint32_t at, double share, bool backward,
                         double out[3])
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        anim_rigid pass = ANIM_RIGID_IDENTITY;
        if (node->clip->keys->motion)
            anim_motion_at(node->clip->keys->motion, node->clip->duration, &pass);
        for (int i = 0; i < 3; i++)
            out[i] += (backward ? -share : share) * (double)pass.t[i];
        return share;
    }
    const anim_input_state* inputs = anim_state_of_inputs(graph, at);
    double weight = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!(inputs[i].share > 0) || !node->inputs[i].is_member)
            continue;
        uint32_t child = node->inputs[i].node;
        bool turns = turns_round(graph, node, i);
        weight += add_travel(graph, child, share * inputs[i].share, backward != turns, out);
    }
    return weight;
}

double anim_sync_distance(const anim_graph* graph, uint32_t at)
{
    double sum[3] = {0, 0, 0};
    double weight = add_travel(graph, at, 1, false, sum);
    double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    return weight > 0 ? size / weight : 0;
}

bool anim_sync_runs_back(const anim_graph* graph, uint32_t group, uint32_t member)
{
    bool backward = false;
    for (uint32_t at = member; at != group; at = graph->topology->nodes[at].parent) {
        const anim_node* above = &graph->topology->nodes[graph->topology->nodes[at].parent];
        for (uint32_t i = 0; i < above->input_count; i++)
            if (above->inputs[i].node == at && anim_input_speed(above, i) < 0)
                backward = !backward;
        if (anim_node_speed(graph, at) < 0)
            backward = !backward;
    }
    return backward;
}

bool anim_sync_some_run_back(const anim_graph* graph, uint32_t at, bool backward)
{
    const anim_node* node = &graph->topology->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return backward;
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (!node->inputs[i].is_member)
            continue;
        uint32_t child = node->inputs[i].node;
        bool turns = turns_round(graph, node, i);
        if (anim_sync_some_run_back(graph, child, backward != turns))
            return true;
    }
    return false;
}

// --- the leader ---------------------------------------------------------------------------------------

// What a member has of its group's weight. In a group without weight the shares tell it.
static float member_weight(const anim_graph* graph, uint32_t group, uint32_t at)
{
    float share = 1;
    float whole = anim_state_of_node(graph, group)->weight;
    if (whole > 0)
        return anim_state_of_node(graph, at)->weight / whole;
    while (at != group) {
        uint32_t above = graph->topology->nodes[at].parent;
        const anim_node* node = &graph->topology->nodes[above];
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].node == at)
                share *= anim_state_of_inputs(graph, above)[i].share;
        at = above;
    }
    return share;
}

typedef struct search {
    const anim_graph* graph;
    const char* event; // NULL: any
    uint32_t group, heaviest;
    float weight;
} search;

static void find_heaviest(search* s, uint32_t at)
{
    const anim_node* node = &s->graph->topology->nodes[at];
    if (node->kind != ANIM_KIND_CLIP) {
        for (uint32_t i = 0; i < node->input_count; i++)
            if (node->inputs[i].is_member)
                find_heaviest(s, node->inputs[i].node);
        return;
    }
    if (s->event && anim_names_find(&node->clip->event_names, s->event) < 0)
        return;
    float weight = member_weight(s->graph, s->group, at);
    if (s->heaviest != ANIM_NO_NODE && !(weight > s->weight))
        return;
    s->heaviest = at;
    s->weight = weight;
}

uint32_t anim_sync_heaviest(const anim_graph* graph, uint32_t group, const char* event)
{
    search s = {graph, event, group, ANIM_NO_NODE, 0};
    find_heaviest(&s, group);
    return s.heaviest;
}

// The heaviest leads; a change needs a lead of .1, so that equal weights don't make it flicker.
uint32_t anim_sync_choose_leader(anim_graph* graph, uint32_t group)
{
    anim_node_state* s = anim_state_of_node(graph, group);
    uint32_t heaviest = anim_sync_heaviest(graph, group, NULL);
    if (heaviest == ANIM_NO_NODE || s->leader == heaviest)
        return s->leader = heaviest;
    bool known = s->leader < graph->topology->node_count &&
                 graph->topology->nodes[s->leader].kind == ANIM_KIND_CLIP &&
                 anim_sync_group_of(graph->topology, s->leader) == group;
    float old = known ? member_weight(graph, group, s->leader) : 0;
    float new = member_weight(graph, group, heaviest);
    if (!known || !(old > 0) || new >= old + 0.1f)
        s->leader = heaviest;
    return s->leader;
}

// --- loops --------------------------------------------------------------------------------------------

static bool some_loop(const anim_topology* t, uint32_t at, anim_loop loop)
{
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP)
        return anim_node_loop(node) == loop;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (anim_sync_is_member_input(t, node, i) && some_loop(t, node->inputs[i].node, loop))
            return true;
    return false;
}

// A group loops if any member does; it goes there and back where none only repeats.
anim_loop anim_sync_loop(const anim_topology* t, uint32_t at)
{
    return some_loop(t, at, ANIM_LOOP_REPEAT)     ? ANIM_LOOP_REPEAT
           : some_loop(t, at, ANIM_LOOP_PINGPONG) ? ANIM_LOOP_PINGPONG
                                                  : ANIM_LOOP_ONCE;
}
