// SPDX-License-Identifier: MIT
// What the files of the spring chain share: its working state, which lives in the scratch.
#pragma once

#include "math/range.h"
#include "pose/ik_spring.h"

// From one update to the next as a parabola: from + step u + bend u (u - 1), u from 0 to 1.
typedef struct anim_spring_path {
    anim_dvec from, step, bend;
} anim_spring_path;

typedef struct anim_spring_matrix { // symmetric
    double xx, xy, xz, yy, yz, zz;
} anim_spring_matrix;

// Where a bone ends (its tip), or where a chain begins (its anchor).
typedef struct anim_spring_point {
    anim_spring_path path; // as animated, in the frame
    anim_dvec now;         // its end
    double length, length_step;
    double pull, rub;     // w^2 and c of the formula
    anim_dvec x, d, v, w; // place, last step, velocity, velocity a step earlier
    bool rigid;           // no bone to speak of: it lies where the point before it lies
    bool starts;          // there is no step before that could tell of the next one
    bool live;            // it was simulated before
    bool held;            // by a collider or the limit, in this step
    // made in a step: as animated in the world; carried by the joint that the chain hangs on
    anim_dvec raw, goal, flow;
    anim_dvec base, wish; // x of the last two steps; where it would go without bones
    double inertia, per_way, long_now;
    anim_dvec n, aim; // direction of the bone; as animated
    // made while the directions are found
    anim_dvec slope, side[2], k[2], turn_by, old_n, best;
    double ratio, one_by[2], along[2];
    anim_spring_matrix wall; // of colliders
    anim_dvec back;          // square to n, toward `aim`: what the limit adds
    double back_k, back_by, start_excess;
    anim_dquat turn; // from the animated to the simulated joint, in the world
} anim_spring_point;

// Points of joints that have one child each: an anchor and `count` tips behind it.
typedef struct anim_spring_chain {
    uint32_t anchor, count;
    uint32_t active, active_count; // tips that are not rigid, in sim->active
    int32_t hung_on;               // tip of the joint with several children above it; -1: none
    bool turns;                    // `turn` of its points is needed
} anim_spring_chain;

typedef struct anim_spring_body { // a collider
    anim_spring_path a, b;
    double radius, radius_step;
    anim_dvec at, to, at_rate, to_rate; // in the world, at the moment
    double reach;                       // with the radius of the points
} anim_spring_body;

typedef struct anim_spring_sim {
    const anim_spring* spring;
    anim_spring_point* points;
    anim_spring_chain* chains;
    anim_spring_body* bodies;
    uint32_t *active, *near;
    uint32_t near_count; // colliders that the chain can reach
    uint32_t point_count, chain_count;
    // the frame: what stands above the root joint, in the world
    anim_spring_path place;
    anim_dvec place_now;
    anim_dquat turn_from, turn_step, turn_bend, turn_now;
    double per_second; // 1 / dt
    // at the moment
    anim_dvec origin, origin_rate, spin, axes[3];
    anim_dvec gravity, wind;
    double drag, limit_cosine, limit_sine;
    bool limited;
} anim_spring_sim;

// Kept to what products of can still be told from infinity, like the matrices of poses.
static inline anim_dvec anim_spring_bounded(anim_dvec v)
{
    const double most = 1e18;
    return (anim_dvec){anim_clamp(v.x, -most, most), anim_clamp(v.y, -most, most),
                       anim_clamp(v.z, -most, most)};
}

// What one call works on. `matrices` and `tips` are the joints', from the root on: the animated model-space
// matrix (later the simulated one) and the end of the bone in the joint's space.
typedef struct anim_spring_call {
    const anim_skeleton* skeleton;
    anim_pose_group* pose;
    uint32_t joint_count;
    double (*matrices)[3][4];
    anim_dvec* tips;
    uint32_t* tip_points; // of each joint
    anim_ik_space above;  // the parent of the root
    anim_dvec frame_place, world_place;
    anim_dquat frame_turn, world_turn;
    double reach; // how far the tree goes
    anim_spring_sim sim;
} anim_spring_call;

static inline anim_dvec anim_spring_along(anim_dvec start, anim_dvec direction, double length)
{
    return anim_dvec_add(start, anim_dvec_scale(direction, length));
}

static inline anim_dvec anim_spring_times(const anim_spring_matrix* m, anim_dvec v)
{
    return (anim_dvec){m->xx * v.x + m->xy * v.y + m->xz * v.z,
                       m->xy * v.x + m->yy * v.y + m->yz * v.z,
                       m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

static inline void anim_spring_add_square(anim_spring_matrix* m, anim_dvec v, double k)
{
    anim_dvec w = anim_dvec_scale(v, k);
    m->xx += w.x * v.x;
    m->xy += w.x * v.y;
    m->xz += w.x * v.z;
    m->yy += w.y * v.y;
    m->yz += w.y * v.z;
    m->zz += w.z * v.z;
}

static inline anim_dvec anim_spring_path_at(const anim_spring_path* p, double u)
{
    double k = u * (u - 1);
    return (anim_dvec){p->from.x + p->step.x * u + p->bend.x * k,
                       p->from.y + p->step.y * u + p->bend.y * k,
                       p->from.z + p->step.z * u + p->bend.z * k};
}

static inline anim_dvec anim_spring_path_rate(const anim_spring_path* p, double u,
                                              double per_second)
{
    return anim_dvec_scale(anim_dvec_add(p->step, anim_dvec_scale(p->bend, 2 * u - 1)), per_second);
}

static inline anim_dvec anim_spring_out(const anim_spring_sim* sim, anim_dvec v) // of the frame
{
    const anim_dvec* a = sim->axes;
    return (anim_dvec){a[0].x * v.x + a[1].x * v.y + a[2].x * v.z,
                       a[0].y * v.x + a[1].y * v.y + a[2].y * v.z,
                       a[0].z * v.x + a[1].z * v.y + a[2].z * v.z};
}

// ik_spring_pose.c: frame, matrices and tips of the animated pose; and the joints turned to the points.
void anim_spring_read_pose(anim_spring_call* call, const anim_spring_place* place);
anim_dvec anim_spring_into_frame(const anim_spring_call* call, anim_dvec model_point);
void anim_spring_write_pose(anim_spring_call* call);

// ik_spring_step.c
void anim_spring_frame_at(anim_spring_sim* sim, double u);
void anim_spring_aim(anim_spring_sim* sim, const anim_spring_chain* chain, double u);
void anim_spring_step(anim_spring_sim* sim, double u, double h);
// The points `late` seconds after the last step of h seconds, at the end of the update.
void anim_spring_show(anim_spring_sim* sim, double late, double h);

// ik_spring_solve.c: the directions of the bones.
void anim_spring_solve(anim_spring_sim* sim, const anim_spring_chain* chain, double h);

// ik_spring_contact.c. The colliders that the chain can reach at the moment.
void anim_spring_find_walls(anim_spring_sim* sim, const anim_spring_chain* chain);
// What colliders add to slope and wall of a point at x, and the limit to its bone; their
// energy. Only what the step itself leads in counts.
double anim_spring_add_walls(const anim_spring_sim* sim, anim_spring_point* p, anim_dvec x);
void anim_spring_start_limit(const anim_spring_sim* sim, anim_spring_point* p);
double anim_spring_add_limit(const anim_spring_sim* sim, anim_spring_point* p);
// From the anchor to the last tip, points go out of colliders and back within the limit. With h > 0 their
// velocities follow.
void anim_spring_settle(anim_spring_sim* sim, const anim_spring_chain* chain, double h);
