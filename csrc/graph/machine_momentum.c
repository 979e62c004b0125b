// SPDX-License-Identifier: MIT
// What a machine shows at one instant, and how fast it changes: both made from node times, so that a
// character that is advanced without being evaluated comes to the same.
#include "graph/execute.h"
#include "graph/machine_internal.h"

#include <string.h>

static const double earlier = 1.0 / 120;

static void move_state(anim_walk* walk, uint32_t at, uint32_t state, double seconds)
{
    const anim_node* node = &walk->topology->nodes[at];
    uint32_t child = anim_machine_child(walk->graph, at, state);
    if (child != ANIM_NO_NODE)
        anim_walk_step(walk, child, seconds * walk->direction * node->inputs[state].speed);
}

void anim_machine_move(anim_walk* walk, uint32_t at, double seconds)
{
    const anim_machine_state* m = anim_state_of_machine(walk->graph, at);
    uint32_t child = anim_machine_child(walk->graph, at, m->current);
    bool moves = anim_machine_is_fading(m) && m->mode == ANIM_FADE_CROSSFADE;
    bool leaving = walk->leaving, goes_on = walk->goes_on;
    walk->leaving = true;
    walk->goes_on = goes_on && seconds < anim_fade_left(m); // where it ends nothing comes after it
    if (moves && m->source < ANIM_SOURCE_COPY)
        move_state(walk, at, m->source, seconds);
    if (moves && m->source == ANIM_SOURCE_COPY && child != ANIM_NO_NODE) {
        anim_copy_begin(walk, child);
        move_state(walk, at, m->current, seconds);
        anim_copy_end(walk, child);
    }
    walk->leaving = leaving;
    walk->goes_on = goes_on;
    move_state(walk, at, m->current, seconds);
}

// The pose a little earlier: the whole state goes back and comes again.
static void pose_earlier(anim_walk* walk, uint32_t at, anim_pose_group* out)
{
    anim_graph* graph = walk->graph;
    unsigned char* saved = anim_workspace_state(graph->workspace);
    memcpy(saved, graph->state, graph->topology->state_size);
    anim_machine_state* m = anim_state_of_machine(graph, at);
    bool quiet = walk->quiet;
    walk->quiet = true; // nothing is noted
    double direction = walk->direction;
    walk->direction = direction * -1;
    anim_machine_move(walk, at, earlier);
    walk->direction = direction;
    walk->quiet = quiet;
    m->elapsed = m->elapsed > earlier ? m->elapsed - earlier : 0;
    m->since = m->since > earlier ? m->since - earlier : 0;
    anim_graph_pose_of(graph, at, out);
    memcpy(graph->state, saved, graph->topology->state_size);
}

void anim_machine_take_momentum(anim_walk* walk, uint32_t at)
{
    anim_graph* graph = walk->graph;
    const anim_skeleton* skeleton = graph->topology->skeleton;
    anim_pose_group* poses = anim_workspace_poses(graph->workspace); // two
    anim_graph_pose_of(graph, at, poses);
    pose_earlier(walk, at, poses + skeleton->group_count);
    anim_machine_take_drift(graph, at);
    anim_momentum momentum = anim_machine_momentum(graph, at);
    anim_momentum_capture(skeleton, poses, poses + skeleton->group_count, (float)earlier,
                          &momentum);
}

void anim_machine_take_offsets(anim_walk* walk, uint32_t at)
{
    anim_graph* graph = walk->graph;
    const anim_skeleton* skeleton = graph->topology->skeleton;
    anim_pose_group* target = anim_workspace_poses(graph->workspace);
    uint32_t child = anim_machine_child(graph, at, anim_state_of_machine(graph, at)->current);
    anim_momentum momentum = anim_machine_momentum(graph, at);
    if (child == ANIM_NO_NODE)
        anim_pose_to_rest(skeleton, target);
    else
        anim_graph_pose_of(graph, child, target);
    anim_momentum_to_offsets(skeleton, &momentum, target);
}
