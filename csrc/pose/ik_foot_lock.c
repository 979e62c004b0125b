// SPDX-License-Identifier: MIT
// A planted foot is held in the world.
#include "math/range.h"
#include "math/trig.h"
#include "pose/ik_foot_parts.h"

#include <string.h>

static const double most_spin = 0.78539816339744831; // pi/4
static const double shortest_dt = 1e-6;              // of which a speed can be told

static anim_dvec vec_of(const double v[3])
{
    return (anim_dvec){v[0], v[1], v[2]};
}

static void keep_vec(anim_dvec v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static anim_dvec level_part(anim_dvec v)
{
    return (anim_dvec){v.x, 0, v.z};
}

static anim_dquat about_up(double angle)
{
    float s, c;
    anim_sincos((float)(angle / 2), &s, &c);
    return anim_dquat_normalize((anim_dquat){0, (double)s, 0, (double)c});
}

// Of three unit vectors square to each other (M. Baker's form of Shepperd's method).
static anim_dquat rotation_of(anim_dvec x, anim_dvec y, anim_dvec z)
{
    double trace = x.x + y.y + z.z;
    anim_dquat q;
    if (trace > 0)
        q = (anim_dquat){y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (anim_dquat){1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = (anim_dquat){x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    else
        q = (anim_dquat){z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
    return anim_dquat_normalize(q);
}

static anim_dvec between(anim_dvec a, anim_dvec b, double part)
{
    return anim_dvec_add(a, anim_dvec_scale(anim_dvec_sub(b, a), part));
}

// How the animated foot stands in model space; scale dropped.
static anim_dquat foot_rotation(const anim_foot_work* work)
{
    const double(*m)[4] = (const double(*)[4])work->knee;
    anim_dvec x = anim_ik_direction(m, anim_dquat_rotate(work->ankle, (anim_dvec){1, 0, 0}));
    anim_dvec y = anim_ik_direction(m, anim_dquat_rotate(work->ankle, (anim_dvec){0, 1, 0}));
    x = anim_dvec_normalize(x, (anim_dvec){1, 0, 0});
    y = anim_dvec_sub(y, anim_dvec_scale(x, anim_dvec_dot(x, y)));
    y = anim_dvec_normalize(y, anim_dvec_square_to(x));
    return rotation_of(x, y, anim_dvec_cross(x, y));
}

// What the foot rolled over in this step: where it stood before or stands now, whichever is nearer to an
// end. A foot that comes down flat did so around its heel, one that leaves the ground does around its ball.
static double held_share(const anim_foot_work* work)
{
    double before = work->memory.share, now = work->ball_share;
    double from = fabs(before - 0.5), to = fabs(now - 0.5);
    if ((before - 0.5) * (now - 0.5) < 0)
        return 0.5 * (before + now);
    return from > to ? before : now;
}

static anim_dvec held_point(const anim_foot_work* work)
{
    return between(work->heel, work->ball, held_share(work));
}

// Where that point was.
static anim_dvec anchor_of(const anim_foot_frame* frame, const anim_foot_work* work)
{
    const anim_foot_leg_memory* m = &work->memory;
    anim_dvec anchor = between(vec_of(m->heel), vec_of(m->ball), held_share(work));
    return anim_foot_to_model(frame, anim_dvec_sub(anchor, frame->at));
}

bool anim_foot_lock_release(const anim_foot_frame* frame, double lock, anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    bool was_held = m->locked == 1;
    if (lock <= 0.5)
        m->locked = 0;
    if (m->locked == 1)
        return false;
    for (int i = 0; i < 3; i++)
        anim_foot_relax(&frame->release, frame->dt, &m->slide[i], &m->slide_speed[i]);
    anim_foot_relax(&frame->release, frame->dt, &m->spin, &m->spin_speed);
    return was_held;
}

anim_dvec anim_foot_lock_below(const anim_foot_frame* frame, const anim_foot_work* work)
{
    const anim_foot_leg_memory* m = &work->memory;
    if (m->locked == 1) {
        anim_dvec under = anim_dvec_sub(vec_of(m->under), frame->at);
        under = anim_foot_to_model(frame, under);
        return (anim_dvec){under.x, work->ball.y, under.z};
    }
    return anim_dvec_add(work->ball, level_part(anim_foot_to_model(frame, vec_of(m->slide))));
}

// The turn about +Y that takes the foot back to where it pointed when it was locked.
static double spin_back(const anim_foot_frame* frame, const anim_foot_work* work)
{
    const double* f = work->memory.facing;
    anim_dquat facing = anim_dquat_normalize((anim_dquat){f[0], f[1], f[2], f[3]});
    anim_dquat then = anim_dquat_mul(anim_dquat_conjugate(frame->turn), facing);
    anim_dquat since = anim_dquat_mul(foot_rotation(work), anim_dquat_conjugate(then));
    double sign = since.w < 0 ? -1 : 1;
    return -2 * anim_atan2_d(since.y * sign, since.w * sign);
}

void anim_foot_lock_place(const anim_foot* desc, const anim_foot_frame* frame, bool found,
                          anim_dquat tilt, anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    if (m->locked != 1) {
        work->turn = anim_dquat_mul(tilt, about_up(m->spin));
        return;
    }
    double spin = spin_back(frame, work);
    if (!found || fabs(spin) > most_spin)
        m->locked = 2;
    spin = anim_clamp(spin, -most_spin, most_spin);
    work->turn = anim_dquat_mul(tilt, about_up(spin));
    anim_dvec origin = anim_foot_origin(desc, work);
    anim_dvec by = anim_dquat_rotate(work->turn, anim_dvec_sub(held_point(work), origin));
    anim_dvec slide = anim_dvec_sub(anchor_of(frame, work), anim_dvec_add(origin, by));
    slide = level_part(slide);
    double far = anim_dvec_length(slide), reach = (double)desc->reach;
    if (far > reach) {
        m->locked = 2;
        slide = anim_dvec_scale(slide, reach / far);
    }
    slide = anim_dquat_rotate(frame->turn, slide);
    if (frame->dt >= shortest_dt) {
        anim_dvec moved = anim_dvec_sub(slide, vec_of(m->slide));
        keep_vec(anim_dvec_scale(moved, 1 / frame->dt), m->slide_speed);
        m->spin_speed = (spin - m->spin) / frame->dt;
    }
    keep_vec(slide, m->slide);
    m->spin = spin;
}

// A point of the animated foot, in the world where the foot now stands.
static anim_dvec standing(const anim_foot* desc, const anim_foot_frame* frame,
                          const anim_foot_work* work, anim_dvec point)
{
    anim_dvec from = anim_dvec_sub(point, anim_foot_origin(desc, work));
    anim_dvec by = anim_dquat_rotate(work->turn, from);
    return anim_foot_to_world(frame, anim_dvec_add(work->ground, by));
}

// What was left of the offsets of a swinging foot goes quickly from now on.
static void stand_firm(anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    m->swing[3] += m->clear;
    m->swing_speed[3] += m->clear_speed;
    m->clear = m->clear_speed = 0;
    for (int i = 0; i < 4; i++) {
        m->plant[i] += m->swing[i] * work->high;
        m->plant_speed[i] += m->swing_speed[i] * work->high;
        m->swing[i] = m->swing_speed[i] = 0;
    }
}

void anim_foot_lock_keep(const anim_foot* desc, const anim_foot_frame* frame, double lock,
                         anim_foot_work* work)
{
    anim_foot_leg_memory* m = &work->memory;
    if (m->locked == 0 && lock > 0.5 && m->found == 1) {
        anim_dquat facing = anim_dquat_mul(about_up(m->spin), foot_rotation(work));
        facing = anim_dquat_mul(frame->turn, facing);
        memcpy(m->facing, (double[]){facing.x, facing.y, facing.z, facing.w}, sizeof m->facing);
        memcpy(m->under, m->ground, sizeof m->under);
        stand_firm(work);
        m->locked = 1;
    }
    if (m->locked != 1)
        return;
    m->share = work->ball_share;
    keep_vec(standing(desc, frame, work, work->heel), m->heel);
    keep_vec(standing(desc, frame, work, work->ball), m->ball);
}
