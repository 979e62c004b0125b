// SPDX-License-Identifier: MIT
// Shapes that are known without iterating, and the way out of a straight line.
#include "pose/ik_chain_parts.h"

void anim_chain_place(anim_chain_solve* s)
{
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        if (i == 0) {
            joint->frame = joint->turn;
            joint->place = joint->offset;
            continue;
        }
        const anim_chain_joint* parent = &s->joints[joint->parent];
        anim_dvec offset = anim_dvec_mul(parent->scale, joint->offset);
        joint->frame = anim_dquat_mul(parent->frame, joint->turn);
        joint->place = anim_dvec_add(parent->place, anim_dquat_rotate(parent->frame, offset));
    }
}

double anim_chain_distance(const anim_chain_solve* s, anim_dvec a, anim_dvec b)
{
    const double(*to_model)[4] = (const double(*)[4])s->space.to_model;
    return anim_dvec_length(anim_ik_direction(to_model, anim_dvec_sub(a, b)));
}

double anim_chain_miss(const anim_chain_solve* s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->tip_count; i++) {
        const anim_chain_tip* tip = &s->tips[i];
        double distance = anim_chain_distance(s, s->joints[tip->joint].place, tip->target);
        most = distance > most ? distance : most;
    }
    return most;
}

// ---- turning toward places

static const anim_dvec zero = {0, 0, 0};
static const double apart = 1e-50; // shorter bones have no direction: their ends are one place

// Joints at one place are turned by what hangs on the last of them: `aim` is the first joint from each on
// that lies apart from its parent, `ahead` its place in the space that the first one's offset is in.
static void find_aims(anim_chain_solve* s)
{
    for (uint32_t i = s->joint_count; i-- > 0;) {
        anim_chain_joint* joint = &s->joints[i];
        joint->aim = i;
        joint->ahead = joint->offset;
        if (joint->length > apart || joint->child_count != 1)
            continue;
        const anim_chain_joint* child = &s->joints[joint->child];
        joint->aim = child->aim;
        joint->ahead = anim_dvec_add(joint->offset, anim_dquat_rotate(joint->turn, child->ahead));
    }
}

static void turn_to_children(anim_chain_solve* s, anim_chain_joint* joint, anim_dquat frame)
{
    anim_dquat back = anim_dquat_conjugate(frame);
    anim_chain_wishes wishes = {0};
    for (uint32_t i = joint->child; i != ANIM_CHAIN_NONE; i = s->joints[i].sibling) {
        const anim_chain_joint* aim = &s->joints[s->joints[i].aim];
        anim_dvec goal = anim_dquat_rotate(back, anim_dvec_sub(aim->wish, joint->place));
        if (aim->length > apart)
            anim_chain_wish(&wishes, s->joints[i].ahead, goal, aim->pull);
    }
    anim_chain_turn(joint, &wishes);
}

void anim_chain_follow(anim_chain_solve* s)
{
    find_aims(s);
    anim_dquat frame = ANIM_DQUAT_IDENTITY;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        anim_chain_joint* joint = &s->joints[i];
        joint->place = joint->offset;
        if (i > 0) {
            const anim_chain_joint* parent = &s->joints[joint->parent];
            frame = parent->frame;
            joint->place = anim_dvec_add(parent->place, anim_dquat_rotate(frame, joint->offset));
        }
        if (joint->child_count > 0)
            turn_to_children(s, joint, frame);
        joint->frame = anim_dquat_mul(frame, joint->turn);
    }
}

// ---- out of reach

bool anim_chain_strain(anim_chain_solve* s)
{
    anim_chain_joint* joints = s->joints;
    uint32_t last = s->joint_count - 1, longest = 1;
    double length = 0;
    for (uint32_t i = 1; i <= last; i++) {
        length += joints[i].length;
        longest = joints[i].length > joints[longest].length ? i : longest;
    }
    anim_dvec way = anim_dvec_sub(s->tips[0].target, joints[0].place);
    double distance = anim_dvec_length(way);
    bool is_near = distance <= 2 * joints[longest].length - length;
    if (!is_near && distance < length)
        return false;
    anim_dvec bone = anim_dvec_sub(joints[longest].place, joints[longest - 1].place);
    anim_dvec toward = anim_dvec_normalize(way, anim_dvec_normalize(bone, zero));
    joints[0].wish = joints[0].place;
    for (uint32_t i = 1; i <= last; i++) {
        double step = is_near && i != longest ? -joints[i].length : joints[i].length;
        joints[i].wish = anim_dvec_add(joints[i - 1].wish, anim_dvec_scale(toward, step));
    }
    anim_chain_follow(s);
    return true;
}

// ---- the last step of a loose chain

// A line that the bones go to.
typedef struct line {
    anim_dvec toward;
    bool is_folded; // each bone turned to keep the sum small; else all one way
    uint32_t longest;
    bool is_long; // the longest bone is longer than the others together: they all turn against it
} line;

static line line_of(const anim_chain_solve* s)
{
    const anim_chain_joint* joints = s->joints;
    line l = {.longest = 1};
    double length = 0;
    for (uint32_t i = 1; i < s->joint_count; i++) {
        length += joints[i].length;
        l.longest = joints[i].length > joints[l.longest].length ? i : l.longest;
    }
    l.is_long = 2 * joints[l.longest].length > length;
    anim_dvec way = anim_dvec_sub(s->tips[0].target, joints[0].place);
    anim_dvec tip = anim_dvec_sub(joints[s->joint_count - 1].place, joints[0].place);
    l.toward = anim_dvec_normalize(way, anim_dvec_normalize(tip, (anim_dvec){1, 0, 0}));
    l.is_folded = anim_dvec_length(tip) > anim_dvec_length(way);
    return l;
}

// In `wish`: the places of the joints when their bones have gone `part` of the way. Returns how far the tip
// is from the root.
static double go_to_line(anim_chain_solve* s, const line* l, double part)
{
    anim_chain_joint* joints = s->joints;
    anim_dvec at = joints[0].place;
    double sum = 0;
    joints[0].wish = at;
    for (uint32_t i = 1; i < s->joint_count; i++) {
        double length = joints[i].length, step = length;
        if (l->is_folded && (l->is_long ? i != l->longest : sum > 0))
            step = -length;
        sum += step;
        anim_dvec bone = anim_dvec_sub(joints[i].place, joints[i - 1].place);
        bone = anim_dvec_add(anim_dvec_scale(bone, 1 - part),
                             anim_dvec_scale(l->toward, step * part));
        bone = anim_dvec_normalize(bone, l->toward);
        at = anim_dvec_add(at, anim_dvec_scale(bone, length));
        joints[i].wish = at;
    }
    return anim_dvec_length(anim_dvec_sub(at, joints[0].place));
}

// How far the bones have to go for the tip to be `distance` from the root: false position, with the end that
// stays taken for half as far off (the "Illinois" rule). All the way where there is no such part.
static void find_part(anim_chain_solve* s, const line* l, double distance)
{
    double low = 0, high = 1, near = 1e-12 * distance;
    double low_off = go_to_line(s, l, low) - distance;
    double high_off = go_to_line(s, l, high) - distance;
    bool was_low = false, was_high = false;
    if ((low_off < 0) == (high_off < 0))
        return;
    for (int i = 0; i < 30; i++) {
        double part = (low * high_off - high * low_off) / (high_off - low_off);
        double off = go_to_line(s, l, part) - distance;
        if (fabs(off) <= near)
            return;
        bool is_low = (off < 0) == (low_off < 0);
        if (is_low) {
            low = part;
            low_off = off;
            high_off *= was_low ? 0.5 : 1;
        } else {
            high = part;
            high_off = off;
            low_off *= was_high ? 0.5 : 1;
        }
        was_low = is_low;
        was_high = !is_low;
    }
}

// Bones go part of the way to the line, then the whole turns to the target.
static void close_in(anim_chain_solve* s)
{
    anim_chain_joint* joints = s->joints;
    uint32_t last = s->joint_count - 1;
    line l = line_of(s);
    anim_dvec root = joints[0].place;
    find_part(s, &l, anim_dvec_length(anim_dvec_sub(s->tips[0].target, root)));
    anim_dvec tip = anim_dvec_normalize(anim_dvec_sub(joints[last].wish, root), l.toward);
    anim_dquat turn = anim_dquat_between(tip, l.toward, anim_dvec_square_to(tip));
    for (uint32_t i = 1; i <= last; i++) {
        anim_dvec arm = anim_dvec_sub(joints[i].wish, root);
        joints[i].wish = anim_dvec_add(root, anim_dquat_rotate(turn, arm));
    }
}

void anim_chain_settle(anim_chain_solve* s)
{
    anim_chain_joint* joints = s->joints;
    uint32_t last = s->joint_count - 1;
    double miss = anim_chain_miss(s);
    bool is_nearer = false;
    if (miss > s->chain->tolerance) {
        close_in(s);
        is_nearer = anim_chain_distance(s, joints[last].wish, s->tips[0].target) < miss;
    }
    for (uint32_t i = 0; i <= last; i++) {
        if (!is_nearer)
            joints[i].wish = joints[i].place;
        joints[i].turn = joints[i].before;
    }
    anim_chain_follow(s);
}
