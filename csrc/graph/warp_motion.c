// SPDX-License-Identifier: MIT
// graph:warp: root motion bent so that a window of time ends at a target (pose/warp.h). What the clips will
// do until then is told from the heaviest one: it need not be right, since each step makes good what the
// ones before it got wrong.
#include "graph/execute.h"
#include "graph/walk.h"
#include "pose/warp.h"

#include <math.h>
#include <string.h>

// The character moves: the target as it is seen then.
static void move_on(anim_warp_state* w, const anim_rigid* moved)
{
    anim_dquat back = anim_dquat_conjugate(anim_dquat_normalize(anim_dquat_from(moved->q)));
    w->place = anim_dquat_rotate(back, anim_dvec_sub(w->place, anim_dvec_from(moved->t)));
    w->turn = anim_dquat_normalize(anim_dquat_mul(back, w->turn));
}

void anim_graph_warp(anim_graph* graph, const anim_warp_desc* desc)
{
    anim_warp_state* w = &anim_state_of_graph(graph)->warp;
    *w = (anim_warp_state){.what = 0};
    if (!desc || !(desc->seconds > 0))
        return;
    w->place = anim_dvec_from(desc->target.t);
    w->turn = anim_dquat_from(desc->target.q);
    if (desc->in_world)
        move_on(w, &anim_state_of_graph(graph)->place);
    w->left = desc->seconds;
    w->what = ANIM_WARP_BEGINS | (desc->has_position ? ANIM_WARP_POSITION : 0) |
              (desc->has_rotation ? ANIM_WARP_ROTATION : 0);
}

bool anim_graph_is_warping(const anim_graph* graph)
{
    return anim_state_of_graph(graph)->warp.left > 0;
}

// The last movement of the heaviest clip that moves the character; NULL: there is none.
static const anim_move* heaviest_move(const anim_walk* walk)
{
    uint32_t count;
    const anim_move* moves = anim_workspace_moves(walk->graph->workspace, &count);
    const anim_move* found = NULL;
    float most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const anim_node* node = &walk->topology->nodes[moves[i].node];
        if (node->kind != ANIM_KIND_CLIP || moves[i].kind != ANIM_EVENT_CLIP || moves[i].stands ||
            moves[i].shift != 0 || !node->clip || !node->clip->keys->motion)
            continue;
        float weight = anim_state_of_node(walk->graph, moves[i].node)->weight;
        if (weight > 0 && weight >= most) {
            most = weight;
            found = &moves[i];
        }
    }
    return found;
}

// What the clip will move the character by in so many seconds from where it is.
static anim_rigid predict(const anim_walk* walk, double seconds)
{
    anim_rigid out = ANIM_RIGID_IDENTITY;
    const anim_move* move = heaviest_move(walk);
    if (!move || !(seconds > 0))
        return out;
    const anim_node* node = &walk->topology->nodes[move->node];
    double by = anim_bounded_seconds(seconds * move->rate);
    anim_step step;
    anim_step_by(move->step.to, node->clip->duration, move->step.loop,
                 move->step.backward ? -by : by, false, &step);
    anim_motion_of_step(node->clip->keys->motion, &step, &out);
    return out;
}

// The first `part` (0 to 1) of a movement.
static anim_rigid part_of(const anim_rigid* moved, float part)
{
    static const float none[4] = {0, 0, 0, 1};
    anim_rigid out;
    for (int i = 0; i < 3; i++)
        out.t[i] = moved->t[i] * part;
    anim_quat_slerp(none, moved->q, part, out.q);
    return out;
}

// What is not asked for stays as the clips have it.
static anim_rigid whole_target(const anim_warp_state* w, const anim_rigid* remaining)
{
    anim_rigid target = *remaining;
    if (w->what & ANIM_WARP_POSITION)
        memcpy(target.t, (float[3]){(float)w->place.x, (float)w->place.y, (float)w->place.z},
               sizeof target.t);
    if (w->what & ANIM_WARP_ROTATION)
        memcpy(target.q,
               (float[4]){(float)w->turn.x, (float)w->turn.y, (float)w->turn.z, (float)w->turn.w},
               sizeof target.q);
    return target;
}

void anim_walk_warp(anim_walk* walk)
{
    anim_graph_state* s = anim_state_of_graph(walk->graph);
    anim_warp_state* w = &s->warp;
    double dt = fabs(walk->dt), left = w->left;
    if (!(left > 0) || !(dt > 0))
        return;
    bool ends = dt >= left;
    anim_rigid own = ends ? part_of(&s->motion, (float)(left / dt)) : s->motion;
    anim_rigid after = ends ? ANIM_RIGID_IDENTITY : predict(walk, left - dt), remaining, inverse;
    anim_rigid_mul(&own, &after, &remaining);
    anim_rigid target = whole_target(w, &remaining), warped;
    if (w->what & ANIM_WARP_BEGINS)
        anim_warp_begin(&remaining, &target, &w->warp);
    w->what &= ~(uint32_t)ANIM_WARP_BEGINS;
    anim_warp_step(&w->warp, &remaining, &target, &own, left, ends ? left : dt, &warped);
    move_on(w, &warped);
    w->left = ends ? 0 : left - dt;
    if (ends) { // the rest of the step is the clips' own
        anim_rigid rest;
        anim_rigid_inverse(&own, &inverse);
        anim_rigid_mul(&inverse, &s->motion, &rest);
        anim_rigid_mul(&warped, &rest, &warped);
    }
    float sign = warped.q[3] < 0 ? -1.0f : 1.0f;
    for (int i = 0; i < 4; i++)
        warped.q[i] *= sign;
    s->motion = warped;
}
