// SPDX-License-Identifier: MIT
// Around the steps: what is kept between updates, and which part of the time they take.
#include "pose/ik_spring_parts.h"

#include "math/trig.h"

#include <string.h>

static const double step = 1.0 / 240, longest_step = 1.0 / 30;

// The memory: a head, the points, the colliders. No pointers, no holes.
typedef struct head {
    double late;              // seconds since the last inner step
    double dt;                // of the last update; 0: it says nothing of rates
    double place[3], turn[4]; // of the frame, in the world
    double place_rate[3], turn_rate[4];
    uint64_t live;
} head;

typedef struct kept {
    double x[3], at[3]; // at: as animated, in the frame
    float d[3], v[3], w[3], rate[3];
    float live, starts;
} kept;

typedef struct kept_body {
    float a[3], b[3];
    float radius;
    float live;
} kept_body;

_Static_assert(sizeof(head) == 136 && sizeof(kept) == 104 && sizeof(kept_body) == 32, "holes");

typedef struct size {
    uint32_t joints, points, chains;
} size;

// A joint continues the chain above it if it is the only child there.
static bool begins_chain(const anim_skeleton* skeleton, uint32_t root, uint32_t joint)
{
    return joint == root || skeleton->child_counts[skeleton->parents[joint]] != 1;
}

static size size_of(const anim_skeleton* skeleton, uint32_t root)
{
    size s = {0};
    for (uint32_t j = root; j < skeleton->joint_count; j++) {
        if (j > root && skeleton->parents[j] < (int32_t)root)
            break; // depth first: what is below the root lies in one piece
        s.joints++;
        s.chains += begins_chain(skeleton, root, j);
    }
    s.points = s.joints + s.chains;
    return s;
}

size_t anim_ik_spring_memory_size(const anim_skeleton* skeleton, const anim_spring* spring)
{
    size s = size_of(skeleton, spring->root);
    return sizeof(head) + s.points * sizeof(kept) + spring->collider_count * sizeof(kept_body);
}

static void* take(unsigned char* block, size_t* used, size_t count, size_t element)
{
    void* start = block ? block + *used : NULL;
    *used += (count * element + 7) & ~(size_t)7;
    return start;
}

static size_t lay_out(anim_spring_call* c, size s, uint32_t colliders, void* scratch)
{
    anim_spring_sim* sim = &c->sim;
    size_t used = 0;
    sim->points = take(scratch, &used, s.points, sizeof *sim->points);
    sim->chains = take(scratch, &used, s.chains, sizeof *sim->chains);
    sim->bodies = take(scratch, &used, colliders, sizeof *sim->bodies);
    sim->active = take(scratch, &used, s.joints, sizeof *sim->active);
    sim->near = take(scratch, &used, colliders, sizeof *sim->near);
    c->matrices = take(scratch, &used, s.joints, sizeof *c->matrices);
    c->tips = take(scratch, &used, s.joints, sizeof *c->tips);
    c->tip_points = take(scratch, &used, s.joints, sizeof *c->tip_points);
    return used;
}

size_t anim_ik_spring_scratch_size(const anim_skeleton* skeleton, const anim_spring* spring)
{
    anim_spring_call c;
    return lay_out(&c, size_of(skeleton, spring->root), spring->collider_count, NULL);
}

// ---- from and to the memory

static anim_dvec from_array(const double v[3])
{
    return (anim_dvec){v[0], v[1], v[2]};
}

static void to_array(anim_dvec v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static anim_dquat scaled(anim_dquat q, double k)
{
    return (anim_dquat){q.x * k, q.y * k, q.z * k, q.w * k};
}

static anim_dquat minus(anim_dquat a, anim_dquat b)
{
    return (anim_dquat){a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}

// What is too small to mean anything becomes 0 before it gets denormal, and slow.
static float rounded(double x)
{
    return fabs(x) < 1e-20 ? 0 : (float)anim_clamp(x, -1e30, 1e30);
}

static void keep(anim_dvec v, float out[3])
{
    out[0] = rounded(v.x);
    out[1] = rounded(v.y);
    out[2] = rounded(v.z);
}

static anim_dvec as_kept(anim_dvec v) // what stands still must not seem to move by a rounding
{
    float out[3];
    keep(v, out);
    return anim_dvec_from(out);
}

// How much a path bends away from straight, for the squared lengths of its step and of the step that the
// last update would have made of it. None where the last update took a time unlike this one's, and where
// something starts or stops at once: then straight is right.
static double bend_of(const head* h, double dt, double step2, double before2)
{
    if (!(h->dt > 0 && dt > 0 && dt <= 2 * h->dt))
        return 0;
    return step2 > 1e-12 * before2 && before2 > 1e-12 * step2 ? dt / (h->dt + dt) : 0;
}

static anim_dvec bend_toward(const head* h, double dt, anim_dvec way, anim_dvec rate)
{
    anim_dvec before = anim_dvec_scale(rate, dt);
    double k = bend_of(h, dt, anim_dvec_dot(way, way), anim_dvec_dot(before, before));
    return anim_dvec_scale(anim_dvec_sub(way, before), k);
}

// From where it was (known: or not) to `now`.
static anim_spring_path path_to(const head* h, double dt, bool known, const kept* k, anim_dvec now)
{
    anim_spring_path path = {now, {0, 0, 0}, {0, 0, 0}};
    if (!known)
        return path;
    path.from = from_array(k->at);
    path.step = anim_dvec_sub(now, path.from);
    path.bend = bend_toward(h, dt, path.step, anim_dvec_from(k->rate));
    return path;
}

static anim_dvec end_of(const anim_spring_path* path)
{
    return anim_dvec_add(path->from, path->step);
}

// ---- what is animated

static anim_dvec model_point(const anim_spring_call* c, uint32_t k, anim_dvec point)
{
    return anim_spring_into_frame(c, anim_ik_point((const double(*)[4])c->matrices[k], point));
}

static void make_point(anim_spring_call* c, const head* h, double dt, uint32_t at, const kept* k,
                       anim_dvec now)
{
    anim_spring_point* p = &c->sim.points[at];
    *p = (anim_spring_point){.live = h->live && k->live != 0, .turn = ANIM_DQUAT_IDENTITY};
    p->now = now;
    p->path = path_to(h, dt, p->live, k, now);
    if (!p->live)
        return;
    p->x = from_array(k->x);
    p->d = anim_dvec_from(k->d);
    p->v = anim_dvec_from(k->v);
    p->w = anim_dvec_from(k->w);
    p->starts = k->starts != 0;
}

static void make_points(anim_spring_call* c, const head* h, double dt, const kept* before)
{
    anim_spring_sim* sim = &c->sim;
    uint32_t root = sim->spring->root;
    anim_spring_chain* chain = NULL;
    for (uint32_t k = 0; k < c->joint_count; k++) {
        if (begins_chain(c->skeleton, root, root + k)) {
            chain = &sim->chains[sim->chain_count++];
            *chain = (anim_spring_chain){.anchor = sim->point_count, .hung_on = -1};
            if (k > 0) {
                uint32_t parent = (uint32_t)c->skeleton->parents[root + k] - root;
                chain->hung_on = (int32_t)c->tip_points[parent];
            }
            make_point(c, h, dt, sim->point_count, &before[sim->point_count],
                       model_point(c, k, (anim_dvec){0, 0, 0}));
            sim->point_count++;
        }
        make_point(c, h, dt, sim->point_count, &before[sim->point_count],
                   model_point(c, k, c->tips[k]));
        c->tip_points[k] = sim->point_count++;
        chain->count++;
        chain->turns = c->skeleton->child_counts[root + k] > 1;
    }
}

// A chain with a bone that was not simulated before starts as it is animated now.
static void begin_chain(anim_spring_sim* sim, const anim_spring_chain* chain)
{
    for (uint32_t i = 0; i <= chain->count; i++) {
        anim_spring_point* p = &sim->points[chain->anchor + i];
        p->live = false;
        p->path = (anim_spring_path){p->now, {0, 0, 0}, {0, 0, 0}};
        p->length += p->length_step;
        p->length_step = 0;
    }
}

// Lengths of the bones, which of them are none, and how far the tree goes.
static void measure(anim_spring_call* c)
{
    anim_spring_sim* sim = &c->sim;
    anim_dvec start = sim->points[0].now;
    for (uint32_t i = 1; i < sim->point_count; i++) {
        anim_dvec off = anim_dvec_sub(sim->points[i].now, start);
        c->reach = anim_max(c->reach, anim_dvec_length(off));
    }
    uint32_t active = 0;
    for (uint32_t n = 0; n < sim->chain_count; n++) {
        anim_spring_chain* chain = &sim->chains[n];
        const anim_spring_point* above = &sim->points[chain->anchor];
        bool fresh = !above->live;
        chain->active = active;
        for (uint32_t i = 1; i <= chain->count; i++) {
            anim_spring_point* p = &sim->points[chain->anchor + i];
            double length = anim_dvec_length(anim_dvec_sub(p->now, above->now));
            p->rigid = !(length > 1e-6 * c->reach) || !(length > 1e-30);
            if (p->rigid)
                continue;
            anim_dvec from = anim_dvec_sub(p->path.from, above->path.from);
            p->length = anim_dvec_length(from);
            p->length_step = length - p->length;
            sim->active[active++] = chain->anchor + i;
            fresh |= !p->live;
            above = p;
        }
        chain->active_count = active - chain->active;
        if (fresh)
            begin_chain(sim, chain);
    }
}

static void find_forces(anim_spring_sim* sim)
{
    const anim_spring* spring = sim->spring;
    sim->gravity = anim_dvec_from(spring->gravity);
    sim->wind = anim_dvec_from(spring->wind);
    sim->drag = anim_max((double)spring->drag, 0);
    double swings = anim_clamp((double)spring->stiffness, 0, 1e12) * 6.283185307179586;
    double damping = anim_max((double)spring->damping, 0);
    double weight = anim_dvec_length(sim->gravity);
    for (uint32_t n = 0; n < sim->chain_count; n++) {
        const anim_spring_chain* chain = &sim->chains[n];
        const uint32_t* active = &sim->active[chain->active];
        double whole = 0, so_far = 0;
        for (uint32_t i = 0; i < chain->active_count; i++)
            whole += sim->points[active[i]].length + sim->points[active[i]].length_step;
        for (uint32_t i = 0; i < chain->active_count; i++) {
            anim_spring_point* p = &sim->points[active[i]];
            so_far += p->length + p->length_step;
            double w = swings * (whole / so_far), turn = anim_min(w * step, 1);
            w += w * turn * turn / 3; // the formula swings slower by that much
            p->pull = w * w;
            p->rub = 2 * damping * sqrt(p->pull + weight / whole);
        }
    }
}

static void make_bodies(anim_spring_call* c, const head* h, const kept_body* before)
{
    const anim_spring* spring = c->sim.spring;
    for (uint32_t i = 0; i < spring->collider_count; i++) {
        const anim_collider* from = &spring->colliders[i];
        anim_spring_body* body = &c->sim.bodies[i];
        anim_ik_space space;
        anim_ik_space_of(c->skeleton, c->pose, from->joint, &space);
        const double(*m)[4] = (const double(*)[4])space.to_model;
        double scale = 0;
        for (int column = 0; column < 3; column++) {
            anim_dvec axis = {m[0][column], m[1][column], m[2][column]};
            scale = anim_max(scale, anim_dvec_length(axis));
        }
        anim_dvec a = anim_dvec_from(from->a);
        anim_dvec b = from->kind == ANIM_COLLIDER_CAPSULE ? anim_dvec_from(from->b) : a;
        a = anim_spring_into_frame(c, anim_spring_bounded(anim_ik_point(m, a)));
        b = anim_spring_into_frame(c, anim_spring_bounded(anim_ik_point(m, b)));
        double radius = (double)rounded(anim_clamp(scale * (double)from->radius, 0, 1e18));
        bool known = h->live && before[i].live != 0;
        *body = (anim_spring_body){{as_kept(a), {0, 0, 0}, {0, 0, 0}},
                                   {as_kept(b), {0, 0, 0}, {0, 0, 0}},
                                   .radius = radius};
        if (!known)
            continue;
        a = anim_dvec_from(before[i].a);
        b = anim_dvec_from(before[i].b);
        body->a = (anim_spring_path){a, anim_dvec_sub(body->a.from, a), {0, 0, 0}};
        body->b = (anim_spring_path){b, anim_dvec_sub(body->b.from, b), {0, 0, 0}};
        body->radius = (double)before[i].radius;
        body->radius_step = radius - body->radius;
    }
}

// ---- the frame

static void make_frame(anim_spring_call* c, const head* h, double dt)
{
    anim_spring_sim* sim = &c->sim;
    anim_dvec place = anim_dquat_rotate(c->world_turn, c->frame_place);
    place = anim_spring_bounded(anim_dvec_add(c->world_place, place));
    anim_dquat turn = anim_dquat_mul(c->world_turn, c->frame_turn);
    turn = anim_dquat_normalize(turn);
    const anim_dvec zero = {0, 0, 0};
    const anim_dquat none = {0, 0, 0, 0};
    sim->per_second = dt > 0 ? 1 / anim_max(dt, 1e-9) : 0;
    sim->place = (anim_spring_path){place, zero, zero};
    sim->place_now = place;
    sim->turn_now = turn;
    sim->turn_from = turn;
    sim->turn_step = sim->turn_bend = none;
    if (!h->live)
        return;
    anim_dquat from = {h->turn[0], h->turn[1], h->turn[2], h->turn[3]};
    anim_dquat rate = {h->turn_rate[0], h->turn_rate[1], h->turn_rate[2], h->turn_rate[3]};
    if (anim_dquat_dot(from, turn) < 0)
        sim->turn_now = turn = scaled(turn, -1);
    rate = scaled(rate, dt);
    sim->turn_from = from;
    sim->turn_step = minus(turn, from);
    double bend = bend_of(h, dt, anim_dquat_dot(sim->turn_step, sim->turn_step),
                          anim_dquat_dot(rate, rate));
    sim->turn_bend = scaled(minus(sim->turn_step, rate), bend);
    sim->place.from = from_array(h->place);
    sim->place.step = anim_dvec_sub(place, sim->place.from);
    sim->place.bend = bend_toward(h, dt, sim->place.step, from_array(h->place_rate));
}

static void carry(anim_spring_point* p, anim_dvec from, anim_dquat turn, anim_dvec to)
{
    p->x = anim_dvec_add(to, anim_dquat_rotate(turn, anim_dvec_sub(p->x, from)));
    p->d = anim_dquat_rotate(turn, p->d);
    p->v = anim_dquat_rotate(turn, p->v);
    p->w = anim_dquat_rotate(turn, p->w);
}

// Where the root moved too far the chain is taken along, and the frame is thought to have come on as it
// went before: a runner who passes a gate keeps running.
static void guard_teleport(anim_spring_call* c, head* h, double dt)
{
    anim_spring_sim* sim = &c->sim;
    double most = (double)sim->spring->teleport;
    if (!(most > 0))
        most = 10 * c->reach;
    anim_dquat to = sim->turn_now;
    const anim_spring_point* root = &sim->points[0];
    anim_dvec here = anim_dquat_rotate(to, root->now);
    anim_dvec moved = anim_dvec_sub(here, anim_dquat_rotate(sim->turn_from, root->path.from));
    if (!h->live || !(anim_dvec_length(anim_dvec_add(moved, sim->place.step)) > most))
        return;
    anim_dquat turn = anim_dquat_mul(to, anim_dquat_conjugate(sim->turn_from));
    turn = anim_dquat_normalize(turn);
    anim_dvec rate = anim_dquat_rotate(turn, from_array(h->place_rate));
    anim_dvec old = sim->place.from;
    sim->place.step = anim_spring_bounded(anim_dvec_scale(rate, dt));
    sim->place.from = anim_dvec_sub(sim->place_now, sim->place.step);
    sim->place.bend = (anim_dvec){0, 0, 0};
    sim->turn_from = to;
    sim->turn_step = sim->turn_bend = (anim_dquat){0, 0, 0, 0};
    for (uint32_t i = 0; i < sim->point_count; i++)
        carry(&sim->points[i], old, turn, sim->place.from);
}

// ---- time

// Chains that begin lie where they are animated, and rest or go along with the frame.
static void place_points(anim_spring_sim* sim, bool rest)
{
    const anim_dvec zero = {0, 0, 0};
    anim_spring_frame_at(sim, 0);
    for (uint32_t n = 0; n < sim->chain_count; n++) {
        const anim_spring_chain* chain = &sim->chains[n];
        anim_spring_aim(sim, chain, 0);
        const anim_spring_point* above = &sim->points[chain->anchor];
        for (uint32_t i = 1; i <= chain->count; i++) {
            anim_spring_point* p = &sim->points[chain->anchor + i];
            if (p->rigid || !p->live) {
                p->x = p->rigid ? above->x : p->goal;
                p->v = p->w = rest ? zero : above->v;
                p->d = anim_dvec_scale(p->v, step);
                p->starts = true;
            }
            p->n = anim_dvec_normalize(anim_dvec_sub(p->x, above->x), (anim_dvec){0, -1, 0});
            above = p;
        }
    }
}

static void change_step(anim_spring_sim* sim, double seconds)
{
    for (uint32_t i = 0; i < sim->point_count; i++) {
        anim_spring_point* p = &sim->points[i];
        p->d = anim_dvec_scale(p->v, seconds);
        p->w = p->v;
        p->starts = true;
    }
}

// Over a time that is not simulated: the chain goes along with the frame, and moves no more than it.
static void skip(anim_spring_sim* sim, double u)
{
    anim_dvec from = sim->origin, axes[3] = {sim->axes[0], sim->axes[1], sim->axes[2]};
    anim_spring_frame_at(sim, u);
    for (uint32_t i = 0; i < sim->point_count; i++) {
        anim_spring_point* p = &sim->points[i];
        anim_dvec arm = anim_dvec_sub(p->x, from);
        arm = (anim_dvec){anim_dvec_dot(axes[0], arm), anim_dvec_dot(axes[1], arm),
                          anim_dvec_dot(axes[2], arm)};
        arm = anim_spring_out(sim, arm);
        p->x = anim_dvec_add(sim->origin, arm);
        p->v = anim_dvec_add(sim->origin_rate, anim_dvec_cross(sim->spin, arm));
    }
}

static double pass_long_time(anim_spring_sim* sim, double dt)
{
    double seconds = anim_min(dt / ANIM_SPRING_MAX_STEPS, longest_step);
    double start = dt - seconds * ANIM_SPRING_MAX_STEPS;
    if (start > 0)
        skip(sim, start / dt);
    change_step(sim, seconds);
    for (uint32_t i = ANIM_SPRING_MAX_STEPS; i-- > 0;)
        anim_spring_step(sim, anim_clamp(1 - i * seconds / dt, 0, 1), seconds);
    change_step(sim, step);
    return 0;
}

// Inner steps lie on one grid of time, whatever the updates: those that fall into this one. The rest is
// returned.
static double pass_time(anim_spring_sim* sim, double late, double dt)
{
    double steps = (late + dt) / step;
    if (!(steps < ANIM_SPRING_MAX_STEPS + 1))
        return pass_long_time(sim, dt);
    uint32_t count = (uint32_t)steps;
    for (uint32_t i = 1; i <= count; i++)
        anim_spring_step(sim, anim_clamp((i * step - late) / dt, 0, 1), step);
    return anim_max(late + dt - count * step, 0);
}

// ---- all of it

static void write_points(const anim_spring_sim* sim, kept* out)
{
    for (uint32_t i = 0; i < sim->point_count; i++) {
        const anim_spring_point* p = &sim->points[i];
        kept k = {.live = !p->rigid, .starts = p->starts};
        to_array(p->x, k.x);
        keep(p->d, k.d);
        keep(p->v, k.v);
        keep(p->w, k.w);
        to_array(p->now, k.at);
        keep(anim_dvec_scale(p->path.step, sim->per_second), k.rate);
        out[i] = k;
    }
}

static void write_memory(const anim_spring_sim* sim, double late, double dt, void* after)
{
    head* h = after;
    *h = (head){.late = late, .dt = dt, .live = 1};
    to_array(sim->place_now, h->place);
    to_array(anim_dvec_scale(sim->place.step, sim->per_second), h->place_rate);
    anim_dquat rate = scaled(sim->turn_step, sim->per_second);
    memcpy(h->turn, &sim->turn_now, sizeof h->turn);
    memcpy(h->turn_rate, &rate, sizeof h->turn_rate);
    kept* points = (kept*)(h + 1);
    write_points(sim, points);
    kept_body* bodies = (kept_body*)(points + sim->point_count);
    for (uint32_t i = 0; i < sim->spring->collider_count; i++) {
        const anim_spring_body* b = &sim->bodies[i];
        kept_body k = {.radius = rounded(b->radius + b->radius_step), .live = 1};
        keep(end_of(&b->a), k.a);
        keep(end_of(&b->b), k.b);
        bodies[i] = k;
    }
}

void anim_ik_spring(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_spring* spring,
                    const anim_spring_place* place, const void* before, void* after, double dt,
                    void* scratch)
{
    size s = size_of(skeleton, spring->root);
    anim_spring_call c = {.skeleton = skeleton, .pose = pose, .joint_count = s.joints};
    anim_spring_sim* sim = &c.sim;
    lay_out(&c, s, spring->collider_count, scratch);
    sim->spring = spring;
    sim->limited = spring->limit >= 0 && spring->limit < 3.1415926f;
    sim->limit_cosine = sim->limited ? (double)anim_cos(spring->limit) : -1;
    sim->limit_sine = sqrt(1 - sim->limit_cosine * sim->limit_cosine);

    head h = *(const head*)before;
    const kept* points = (const kept*)((const head*)before + 1);
    if (place && place->reset)
        h = (head){0};
    bool fresh = !h.live;
    anim_spring_read_pose(&c, place);
    make_frame(&c, &h, dt);
    make_points(&c, &h, dt, points);
    measure(&c);
    find_forces(sim);
    make_bodies(&c, &h, (const kept_body*)(points + s.points));
    guard_teleport(&c, &h, dt);
    place_points(sim, fresh);
    double late = dt > 0 ? pass_time(sim, h.late, dt) : h.late;
    if (dt > 0 || fresh)
        write_memory(sim, late, fresh ? 0 : dt, after);
    else if (after != before)
        memcpy(after, before, anim_ik_spring_memory_size(skeleton, spring));
    if (!(spring->weight > 0))
        return;
    anim_spring_show(sim, late, step);
    anim_spring_write_pose(&c);
}

// --- memory from outside --------------------------------------------------------------------------------

static bool are_within(const double* numbers, size_t count, double most)
{
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++)
        fine = fabs(numbers[i]) <= most;
    return fine;
}

static bool is_fine_head(const head* h)
{
    double turn = h->turn[0] * h->turn[0] + h->turn[1] * h->turn[1] + h->turn[2] * h->turn[2] +
                  h->turn[3] * h->turn[3];
    return h->late >= 0 && h->late <= 1 && h->dt >= 0 && h->dt <= 1e30 && h->live <= 1 &&
           are_within(h->place, 3, 1e30) && are_within(h->place_rate, 3, 1e30) &&
           are_within(h->turn_rate, 4, 1e30) && (!h->live || fabs(turn - 1) < 1e-3);
}

bool anim_ik_spring_memory_is_fine(const anim_skeleton* skeleton, const anim_spring* spring,
                                   const void* memory)
{
    const head* h = memory;
    const kept* points = (const kept*)(const void*)(h + 1);
    const size s = size_of(skeleton, spring->root);
    const kept_body* bodies = (const kept_body*)(const void*)(points + s.points);
    bool fine = is_fine_head(h);
    for (uint32_t i = 0; i < s.points && fine; i++)
        fine = are_within(points[i].x, 3, 1e30) && are_within(points[i].at, 3, 1e30) &&
               anim_floats_are_within(points[i].d, 14, 1e30f);
    for (uint32_t i = 0; i < spring->collider_count && fine; i++)
        fine = anim_floats_are_within(bodies[i].a, 8, 1e30f) && bodies[i].radius >= 0;
    return fine;
}
