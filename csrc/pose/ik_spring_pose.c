// SPDX-License-Identifier: MIT
// What the spring chain takes from the animated pose, and how it turns the joints.
#include "pose/ik_spring_parts.h"

static void set_column(double m[3][4], int column, anim_dvec v)
{
    v = anim_spring_bounded(v);
    m[0][column] = v.x;
    m[1][column] = v.y;
    m[2][column] = v.z;
}

static anim_dvec column_of(const double m[3][4], int column)
{
    return (anim_dvec){m[0][column], m[1][column], m[2][column]};
}

static void put_under(const double parent[3][4], const anim_ik_local* local, double out[3][4])
{
    anim_dvec x = anim_dquat_rotate(local->q, (anim_dvec){local->s.x, 0, 0});
    anim_dvec y = anim_dquat_rotate(local->q, (anim_dvec){0, local->s.y, 0});
    anim_dvec z = anim_dquat_rotate(local->q, (anim_dvec){0, 0, local->s.z});
    set_column(out, 0, anim_ik_direction(parent, x));
    set_column(out, 1, anim_ik_direction(parent, y));
    set_column(out, 2, anim_ik_direction(parent, z));
    set_column(out, 3, anim_ik_point(parent, local->t));
}

// Of joint `k` from the root on: the matrix of what stands above it.
static const double (*above_of(const anim_spring_call* c, uint32_t k))[4]
{
    uint32_t root = c->sim.spring->root;
    if (k == 0)
        return (const double(*)[4])c->above.to_model;
    return (const double(*)[4])c->matrices[(uint32_t)c->skeleton->parents[root + k] - root];
}

// ---- the frame

static anim_dquat from_axes(anim_dvec x, anim_dvec y, anim_dvec z)
{
    double trace = x.x + y.y + z.z;
    anim_dquat q;
    if (trace > 0)
        q = (anim_dquat){y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (anim_dquat){1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = (anim_dquat){x.y + y.x, 1 - x.x + y.y - z.z, y.z + z.y, z.x - x.z};
    else
        q = (anim_dquat){z.x + x.z, y.z + z.y, 1 - x.x - y.y + z.z, x.y - y.x};
    return anim_dquat_normalize(q);
}

// A rotation that goes along with the matrix: two of its axes, squared. Of a mirrored one it is not the
// rotation, but it turns by the same from update to update, which is all that matters.
static anim_dquat turn_of(const double m[3][4])
{
    const anim_dvec zero = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        anim_dvec a = anim_dvec_normalize(column_of(m, i), zero);
        anim_dvec b = anim_dvec_normalize(column_of(m, j), zero);
        b = anim_dvec_sub(b, anim_dvec_scale(a, anim_dvec_dot(a, b)));
        if (!(anim_dvec_dot(a, a) > 0) || !(anim_dvec_dot(b, b) > 1e-12))
            continue;
        anim_dvec axes[3];
        axes[i] = a;
        axes[j] = anim_dvec_normalize(b, zero);
        axes[3 - i - j] = anim_dvec_cross(a, axes[j]);
        return from_axes(axes[0], axes[1], axes[2]);
    }
    return ANIM_DQUAT_IDENTITY;
}

anim_dvec anim_spring_into_frame(const anim_spring_call* c, anim_dvec model_point)
{
    anim_dvec arm = anim_dvec_sub(model_point, c->frame_place);
    return anim_dquat_rotate(anim_dquat_conjugate(c->frame_turn), arm);
}

static void read_frame(anim_spring_call* c, const anim_spring_place* place)
{
    int32_t parent = c->skeleton->parents[c->sim.spring->root];
    anim_ik_space_of(c->skeleton, c->pose, parent, &c->above);
    const double(*m)[4] = (const double(*)[4])c->above.to_model;
    c->frame_place = column_of(m, 3);
    c->frame_turn = turn_of(m);
    c->world_turn = ANIM_DQUAT_IDENTITY;
    c->world_place = (anim_dvec){0, 0, 0};
    if (place) {
        const double* p = place->position;
        c->world_turn = anim_dquat_normalize(anim_dquat_from(place->rotation));
        c->world_place = anim_spring_bounded((anim_dvec){p[0], p[1], p[2]});
    }
}

// ---- joints

// Of a joint without children: given, or as the bone above it goes on in the rest pose.
static anim_dvec last_tip(const anim_spring_call* c, uint32_t joint)
{
    anim_dvec tip = anim_dvec_from(c->sim.spring->tip);
    if (anim_dvec_dot(tip, tip) > 0)
        return tip;
    const anim_xform* rest = &c->skeleton->rest_xforms[joint];
    anim_dvec scale = anim_dvec_from(rest->s);
    tip = anim_dquat_rotate(anim_dquat_conjugate(anim_dquat_from(rest->q)),
                            anim_dvec_from(rest->t));
    tip.x = scale.x != 0 ? tip.x / scale.x : 0;
    tip.y = scale.y != 0 ? tip.y / scale.y : 0;
    tip.z = scale.z != 0 ? tip.z / scale.z : 0;
    return anim_spring_bounded(tip);
}

void anim_spring_read_pose(anim_spring_call* c, const anim_spring_place* place)
{
    read_frame(c, place);
    uint32_t root = c->sim.spring->root;
    const uint16_t* children = &c->skeleton->child_counts[root];
    for (uint32_t k = 0; k < c->joint_count; k++)
        c->tips[k] = children[k] ? (anim_dvec){0, 0, 0} : last_tip(c, root + k);
    for (uint32_t k = 0; k < c->joint_count; k++) {
        anim_ik_local local = anim_ik_local_of(c->skeleton, c->pose, root + k);
        put_under(above_of(c, k), &local, c->matrices[k]);
        if (k == 0)
            continue;
        uint32_t parent = (uint32_t)c->skeleton->parents[root + k] - root;
        anim_dvec share = anim_dvec_scale(local.t, 1.0 / children[parent]);
        c->tips[parent] = anim_dvec_add(c->tips[parent], share);
    }
}

// The direction v, in the space of the parent whose matrix it is. False where that can't be inverted.
static bool direction_under(const double m[3][4], anim_dvec v, anim_dvec* out)
{
    anim_dvec x = column_of(m, 0), y = column_of(m, 1), z = column_of(m, 2);
    anim_dvec yz = anim_dvec_cross(y, z);
    double volume = anim_dvec_dot(x, yz);
    double edges = anim_dvec_length(x) * anim_dvec_length(y) * anim_dvec_length(z);
    if (!(fabs(volume) > 1e-12 * edges) || !(fabs(volume) > 1e-60))
        return false;
    anim_dvec d = {anim_dvec_dot(yz, v), anim_dvec_dot(anim_dvec_cross(z, x), v),
                   anim_dvec_dot(anim_dvec_cross(x, y), v)};
    *out = anim_dvec_normalize(anim_dvec_scale(d, 1 / volume), (anim_dvec){0, 0, 0});
    return anim_dvec_dot(*out, *out) > 0;
}

// The local rotation that turns the bone of joint k into the direction of its point.
static bool find_turn(const anim_spring_call* c, uint32_t k, anim_ik_local* local)
{
    const anim_spring_point* p = &c->sim.points[c->tip_points[k]];
    anim_dvec to, from = anim_dquat_rotate(local->q, anim_dvec_mul(local->s, c->tips[k]));
    from = anim_dvec_normalize(from, (anim_dvec){0, 0, 0});
    anim_dvec n = anim_dquat_rotate(anim_dquat_conjugate(c->world_turn), p->n);
    if (p->rigid || !(anim_dvec_dot(from, from) > 0) || !direction_under(above_of(c, k), n, &to))
        return false;
    anim_dvec turned = anim_dvec_cross(from, to);
    if (anim_dvec_dot(turned, turned) < 1e-18 && anim_dvec_dot(from, to) > 0)
        return false; // less than a float can hold
    anim_dquat turn = anim_dquat_between(from, to, anim_dvec_square_to(from));
    local->q = anim_dquat_normalize(anim_dquat_mul(turn, local->q));
    return true;
}

void anim_spring_write_pose(anim_spring_call* c)
{
    uint32_t root = c->sim.spring->root;
    for (uint32_t k = 0; k < c->joint_count; k++) {
        anim_ik_local local = anim_ik_local_of(c->skeleton, c->pose, root + k);
        if (find_turn(c, k, &local))
            anim_ik_turn(c->skeleton, c->pose, root + k, local.q, (double)c->sim.spring->weight);
        put_under(above_of(c, k), &local, c->matrices[k]);
    }
}
