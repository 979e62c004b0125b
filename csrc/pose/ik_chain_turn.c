// SPDX-License-Identifier: MIT
// How one joint turns toward what is wished of it.
#include "pose/ik_chain_parts.h"

void anim_chain_wish(anim_chain_wishes* wishes, anim_dvec point, anim_dvec goal, double weight)
{
    double rows[3] = {goal.x * weight, goal.y * weight, goal.z * weight};
    for (int row = 0; row < 3; row++) {
        wishes->sums[row][0] += rows[row] * point.x;
        wishes->sums[row][1] += rows[row] * point.y;
        wishes->sums[row][2] += rows[row] * point.z;
    }
    wishes->point = point;
    wishes->goal = goal;
    wishes->count++;
}

anim_dquat anim_chain_mirrored(anim_dquat q, anim_dvec mirror)
{
    return (anim_dquat){q.x * (mirror.y * mirror.z), q.y * (mirror.x * mirror.z),
                        q.z * (mirror.x * mirror.y), q.w};
}

static anim_dquat least_turn(anim_dquat q, anim_dvec point, anim_dvec goal)
{
    static const anim_dvec none = {0, 0, 0};
    anim_dvec from = anim_dvec_normalize(anim_dquat_rotate(q, point), none);
    anim_dvec to = anim_dvec_normalize(goal, none);
    if (anim_dvec_dot(from, from) == 0 || anim_dvec_dot(to, to) == 0)
        return q;
    bool is_half = anim_dvec_dot(from, to) < -0.5; // only half a turn needs an axis
    anim_dquat turn = anim_dquat_between(from, to, is_half ? anim_dvec_square_to(from) : none);
    return anim_dquat_normalize(anim_dquat_mul(turn, q));
}

// The half turn about x, y or z that makes the trace of m largest; the identity where none does.
static anim_dquat best_half(const double m[3][3])
{
    double trace = m[0][0] + m[1][1] + m[2][2], best = trace + 1e-9 * fabs(trace);
    anim_dquat q = ANIM_DQUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        double turned = 2 * m[i][i] - trace;
        if (turned <= best)
            continue;
        best = turned;
        q = (anim_dquat){i == 0, i == 1, i == 2, 0};
    }
    return q;
}

// The rotation that brings several points nearest to their goals, in steps from q: with m the sum of weight
// * goal * (turned point) transposed, its trace is to become largest. Each step turns about the axis of
// steepest ascent, that of the summed cross products, as far as it is good to turn about it: by the angle
// that has the tangent |crosses| / (trace - axis m axis).
static anim_dquat best_turn(anim_dquat q, const double sums[3][3])
{
    for (int i = 0; i < 12; i++) {
        double m[3][3], size = 0;
        for (int r = 0; r < 3; r++) {
            anim_dvec row = {sums[r][0], sums[r][1], sums[r][2]};
            size += anim_dvec_length(row);
            row = anim_dquat_rotate(q, row);
            m[r][0] = row.x;
            m[r][1] = row.y;
            m[r][2] = row.z;
        }
        anim_dvec cross = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
        double length = anim_dvec_length(cross);
        anim_dquat turn;
        if (length > 1e-12 * size) {
            anim_dvec n = anim_dvec_scale(cross, 1 / length);
            double along = n.x * (n.x * m[0][0] + n.y * m[0][1] + n.z * m[0][2]) +
                           n.y * (n.x * m[1][0] + n.y * m[1][1] + n.z * m[1][2]) +
                           n.z * (n.x * m[2][0] + n.y * m[2][1] + n.z * m[2][2]);
            double c = m[0][0] + m[1][1] + m[2][2] - along;
            turn = (anim_dquat){cross.x, cross.y, cross.z, c + sqrt(c * c + length * length)};
        } else {
            turn = best_half((const double(*)[3])m);
            if (turn.w == 1)
                break;
        }
        q = anim_dquat_normalize(anim_dquat_mul(anim_dquat_normalize(turn), q));
    }
    return q;
}

static anim_dquat hinge_turn(const anim_chain_joint* joint, const anim_chain_wishes* wishes)
{
    const double mirror[3] = {joint->mirror.x, joint->mirror.y, joint->mirror.z};
    double sums[3][3];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            sums[row][column] = wishes->sums[row][column] * (mirror[row] * mirror[column]);
    anim_dquat q = anim_chain_mirrored(joint->turn, joint->mirror);
    q = anim_limit_hinge_toward(joint->limit, q, (const double(*)[3])sums, joint->weight);
    return anim_chain_mirrored(q, joint->mirror);
}

// At most 45 degrees at a time: cut from further away a turn may come out at the other end of its range.
static anim_dquat shortened(anim_dquat from, anim_dquat to)
{
    const double cosine = 0.92387953251128674, sine = 0.38268343236508978; // of 22.5 degrees
    anim_dquat turn = anim_dquat_mul(to, anim_dquat_conjugate(from));
    if (fabs(turn.w) >= cosine)
        return to;
    double length = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double k = (turn.w < 0 ? -sine : sine) / length;
    turn = (anim_dquat){turn.x * k, turn.y * k, turn.z * k, cosine};
    return anim_dquat_normalize(anim_dquat_mul(turn, from));
}

static anim_dquat free_turn(anim_dquat q, const anim_chain_wishes* wishes)
{
    if (wishes->count == 1)
        return least_turn(q, wishes->point, wishes->goal);
    return best_turn(q, (const double(*)[3])wishes->sums);
}

static anim_dquat cone_turn(const anim_chain_joint* joint, const anim_chain_wishes* wishes)
{
    anim_dquat q = shortened(joint->turn, free_turn(joint->turn, wishes));
    if (joint->weight < 1)
        q = anim_dquat_nlerp(joint->turn, q, joint->weight);
    q = anim_limit_clamp(joint->limit, anim_chain_mirrored(q, joint->mirror));
    return anim_chain_mirrored(q, joint->mirror);
}

void anim_chain_turn(anim_chain_joint* joint, const anim_chain_wishes* wishes)
{
    if (wishes->count == 0 || joint->weight == 0)
        return;
    if (joint->limit) {
        bool is_hinge = joint->limit->kind == ANIM_LIMIT_HINGE;
        joint->turn = is_hinge ? hinge_turn(joint, wishes) : cone_turn(joint, wishes);
        return;
    }
    anim_dquat q = free_turn(joint->turn, wishes);
    joint->turn = joint->weight < 1 ? anim_dquat_nlerp(joint->turn, q, joint->weight) : q;
}
