// SPDX-License-Identifier: MIT
// Where a foot goes: the ground below it, smoothed, and the foot upon it.
#include "math/range.h"
#include "pose/ik_foot_parts.h"

#include <string.h>

static const anim_dvec up = {0, 1, 0};
static const double steepest = 0.17364817766693033; // cosine of 80 degrees
static const double tilted_below = 0.2;             // lift / length of the leg
static const double settled = 0.1;  // seconds until a foot begins to stand; twice that: stands
static const double slow = 0.12;    // lengths of the leg in a second: a foot that hardly moves
static const double deepest = 0.05; // likewise: as far as a foot is lifted out of the ground

typedef struct plane {
    anim_dvec point, normal;
    bool found;
} plane;

static double height_at(const plane* p, double x, double z)
{
    anim_dvec n = p->normal;
    return p->point.y - (n.x * (x - p->point.x) + n.z * (z - p->point.z)) / n.y;
}

static plane find_ground(const anim_foot* desc, uint32_t leg, anim_dvec at)
{
    const plane none = {{at.x, (double)desc->level, at.z}, up, false};
    const anim_foot_input* input = desc->inputs ? &desc->inputs[leg] : NULL;
    float point[3] = {0, 0, 0}, normal[3] = {0, 1, 0}, below[3];
    if (input && input->has_ground) {
        memcpy(point, input->point, sizeof point);
        memcpy(normal, input->normal, sizeof normal);
    } else {
        anim_ik_to_floats(at, below);
        if (!desc->ground || !desc->ground(desc->user, leg, below, point, normal))
            return none;
    }
    plane p = {anim_dvec_from(point), anim_dvec_normalize(anim_dvec_from(normal), up), true};
    if (p.normal.y < steepest)
        p.normal = up;
    if (fabs(height_at(&p, at.x, at.z) - (double)desc->level) > (double)desc->reach)
        return none;
    return p;
}

void anim_foot_relax(const anim_foot_spring* spring, double dt, double* x, double* v)
{
    if (spring->decay == 0) { // dt may be so long that k dt is no number any more
        *x = *v = 0;
        return;
    }
    double k = *v + spring->rate * *x;
    *x = anim_clamp((*x + k * dt) * spring->decay, -1e30, 1e30);
    *v = anim_clamp((*v - spring->rate * k * dt) * spring->decay, -1e30, 1e30);
}

// How much of a change of the ground counts as a jump: none below a foot that hardly moves, since then
// the ground itself does.
static double jump_share(const anim_foot_frame* frame, const anim_foot_work* work, anim_dvec at)
{
    const anim_foot_leg_memory* m = &work->memory;
    if (m->locked == 1)
        return 0;
    anim_dvec then = {m->ground[0], m->ground[1], m->ground[2]};
    anim_dvec by = anim_dvec_sub(anim_foot_to_world(frame, at), then);
    by = anim_dvec_sub(by, anim_dvec_scale(frame->up, anim_dvec_dot(frame->up, by)));
    double moved = anim_dvec_length(by), still = slow * work->length * frame->dt;
    return moved >= still ? 1 : moved / still;
}

// The ground went up by `jump`: the offset takes it back.
static void absorb(anim_foot_work* work, int i, double jump)
{
    anim_foot_leg_memory* m = &work->memory;
    double stands = work->lift > m->lift ? 1 : anim_clamp(m->stood / settled - 1, 0, 1);
    m->swing[i] -= jump * work->high;
    m->plant[i] -= jump * (1 - work->high * work->high) * stands;
}

static double offset(const anim_foot_frame* frame, anim_foot_work* work, int i)
{
    anim_foot_leg_memory* m = &work->memory;
    anim_foot_relax(&frame->smooth, frame->dt, &m->swing[i], &m->swing_speed[i]);
    anim_foot_relax(&frame->quick, frame->dt, &m->plant[i], &m->plant_speed[i]);
    return m->swing[i] * work->high + m->plant[i];
}

// The ground's normal as the foot follows it; `normal` is in world space.
static anim_dvec follow_normal(const anim_foot_frame* frame, anim_foot_work* work, anim_dvec normal,
                               double share)
{
    const double* was = work->memory.normal;
    absorb(work, 0, (normal.x - was[0]) * share);
    absorb(work, 1, (normal.y - was[1]) * share);
    absorb(work, 2, (normal.z - was[2]) * share);
    normal.x += offset(frame, work, 0);
    normal.y += offset(frame, work, 1);
    normal.z += offset(frame, work, 2);
    return anim_dvec_normalize(anim_foot_to_model(frame, normal), up);
}

// How far below (or above) its place the foot stays for now. The plane that was goes on to where the
// foot is now; half of each slope, so that ground that bends evenly is no jump.
static double follow_height(const anim_foot_frame* frame, anim_foot_work* work, anim_dvec ground,
                            anim_dvec normal, double share)
{
    const anim_foot_leg_memory* m = &work->memory;
    anim_dvec then = {m->ground[0], m->ground[1], m->ground[2]};
    anim_dvec both = {normal.x + m->normal[0], normal.y + m->normal[1], normal.z + m->normal[2]};
    double rise = anim_dvec_dot(both, frame->up);
    if (rise > steepest)
        absorb(work, 3, share * anim_dvec_dot(anim_dvec_sub(ground, then), both) / rise);
    return offset(frame, work, 3);
}

// The normal that the sole turns to: the nearer the foot the more, within the limit.
static anim_dvec sole_normal(const anim_foot_frame* frame, const anim_foot_work* work)
{
    double near = 1 - anim_foot_step(work->lift / (tilted_below * work->length));
    anim_dvec n = anim_dvec_add(anim_dvec_scale(work->normal, near), anim_dvec_scale(up, 1 - near));
    n = anim_dvec_normalize(n, up);
    if (n.y >= frame->least_cosine)
        return n;
    anim_dvec side = anim_dvec_normalize((anim_dvec){n.x, 0, n.z}, (anim_dvec){0, 0, 0});
    return anim_dvec_add(anim_dvec_scale(side, frame->most_sine),
                         anim_dvec_scale(up, frame->least_cosine));
}

// How high any foot is lifted out of the ground, and a locked one brought onto it whatever the clip does.
// What that is more or less when the lock begins and ends goes by the spring.
static double settle(const anim_foot_frame* frame, anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    double out = anim_clamp(-work->lift, 0, deepest * work->length), rest = -work->lift - out;
    bool is_held = m->locked == 1;
    if (is_held && m->settled == 0) {
        m->settle -= rest;
        if (frame->dt >= 1e-6) { // goes on at the clip's speed, but not into the ground
            double speed = (work->lift - m->lift) / frame->dt;
            double fastest = -frame->quick.rate * anim_max(m->settle, 0);
            m->settle_speed = anim_clamp(speed, fastest, 0);
        }
    } else if (!is_held && m->settled == 1) {
        m->settle += rest;
    }
    m->settled = is_held;
    anim_foot_relax(&frame->quick, frame->dt, &m->settle, &m->settle_speed);
    return out + m->settle + (is_held ? rest : 0);
}

static bool is_fresh(const anim_foot_leg_memory* m)
{
    return m->normal[0] == 0 && m->normal[1] == 0 && m->normal[2] == 0;
}

// How much higher than below the foot the ground is where a foot that swings will soon be.
static double rise_ahead(const anim_foot* desc, const anim_foot_frame* frame, uint32_t leg,
                         const anim_foot_work* work, anim_dvec at, const plane* below)
{
    const anim_foot_leg_memory* m = &work->memory;
    double ahead = (double)desc->ahead;
    if (!(ahead > 0 && work->high > 0 && frame->dt >= 1e-6 && below->found && !is_fresh(m)))
        return 0;
    anim_dvec then = {m->ground[0], m->ground[1], m->ground[2]};
    anim_dvec by = anim_foot_to_model(frame, anim_dvec_sub(anim_foot_to_world(frame, at), then));
    by = anim_dvec_scale((anim_dvec){by.x, 0, by.z}, ahead / frame->dt);
    double far = anim_dvec_length(by);
    if (far > work->length)
        by = anim_dvec_scale(by, work->length / far);
    at = anim_dvec_add(at, by);
    plane p = find_ground(desc, leg, at);
    return p.found ? height_at(&p, at.x, at.z) - height_at(below, at.x, at.z) : 0;
}

static void remember(anim_foot_work* work, anim_dvec ground, anim_dvec normal, bool found)
{
    anim_foot_leg_memory* m = &work->memory;
    memcpy(m->ground, (double[]){ground.x, ground.y, ground.z}, sizeof m->ground);
    memcpy(m->normal, (double[]){normal.x, normal.y, normal.z}, sizeof m->normal);
    m->found = found;
    m->lift = work->lift;
}

// Lifts a swinging foot over what is before it.
static void clear(const anim_foot_frame* frame, anim_foot_work* work, double rise)
{
    anim_foot_leg_memory* m = &work->memory;
    double over = anim_max(rise, 0), x = m->clear - over;
    anim_foot_relax(&frame->soon, frame->dt, &x, &m->clear_speed);
    m->clear = over + x;
    work->ground.y += m->clear * work->high;
    work->later = anim_min(rise, 0) - (m->clear + m->swing[3]) * work->high;
}

// How the sole lies; sets normal, turn and slide.
static void lay_down(const anim_foot* desc, const anim_foot_frame* frame, bool found,
                     anim_dvec normal, double share, anim_foot_work* work)
{
    work->normal = follow_normal(frame, work, normal, share);
    anim_dvec sole = sole_normal(frame, work);
    anim_dquat tilt = anim_dquat_between(up, sole, (anim_dvec){1, 0, 0});
    anim_foot_lock_place(desc, frame, found, tilt, work);
}

void anim_foot_place(const anim_foot* desc, const anim_foot_frame* frame, uint32_t leg,
                     anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    double lock = desc->inputs ? (double)desc->inputs[leg].lock : 0, level = (double)desc->level;
    bool stands = work->lift < ANIM_FOOT_STANDS * work->length;
    m->stood = !stands ? 0 : is_fresh(m) ? 1 : anim_min(m->stood + frame->dt, 1);
    bool is_released = anim_foot_lock_release(frame, lock, work);
    if (m->locked == 1)
        work->high = 0;
    anim_dvec at = anim_foot_lock_below(frame, work);
    plane ground = find_ground(desc, leg, at);
    double rise = rise_ahead(desc, frame, leg, work, at, &ground);
    anim_dvec normal = anim_dquat_rotate(frame->turn, ground.normal);
    bool is_changed = is_released || ground.found != (m->found == 1);
    double share = is_fresh(m) ? 0 : is_changed ? 1 : jump_share(frame, work, at);
    lay_down(desc, frame, ground.found, normal, share, work);

    anim_dvec origin = anim_foot_origin(desc, work);
    anim_dvec slide = anim_foot_to_model(frame, (anim_dvec){m->slide[0], m->slide[1], m->slide[2]});
    double x = origin.x + slide.x, z = origin.z + slide.z, reach = (double)desc->reach;
    double height = anim_clamp(height_at(&ground, x, z), level - reach, level + reach);
    work->ground = (anim_dvec){x, height, z};
    anim_dvec there = anim_foot_to_world(frame, work->ground);
    work->ground.y += follow_height(frame, work, there, normal, share);
    work->ground.y += settle(frame, work);
    remember(work, there, normal, ground.found);
    clear(frame, work, rise);

    anim_dvec from = anim_dvec_sub(work->limb.tip, origin);
    work->target = anim_dvec_add(work->ground, anim_dquat_rotate(work->turn, from));
    m->own = work->target.y - work->limb.tip.y;
    anim_foot_lock_keep(desc, frame, lock, work);
}
