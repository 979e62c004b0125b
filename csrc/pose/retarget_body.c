// SPDX-License-Identifier: MIT
// What the pairs are: limbs are chains of like length on both sides of a trunk, whatever they are called.
#include "pose/retarget.h"

static double longer(double a, double b)
{
    return a > b ? a : b;
}

static double distance(const anim_retarget* r, int32_t a, int32_t b, int side)
{
    const anim_placed* placed = r->rig[side].reference;
    return anim_dvec_length(
        anim_dvec_sub(anim_pair_at(r, a, side, placed), anim_pair_at(r, b, side, placed)));
}

// Length of a chain that begins at `pair`, with the bone that leads to it.
static double reach(const anim_retarget* r, int32_t pair, int side)
{
    const anim_pair* p = &r->pairs[pair];
    return p->length[side] + (p->parent < 0 ? 0 : distance(r, pair, p->parent, side));
}

// --- twins ----------------------------------------------------------------------------------------

typedef struct twins {
    int32_t node, limb[2];
    double length; // mean, in parts of the whole tree
} twins;

enum { most_children = 16, most_twins = 16 };

// How unlike two chains are: 0 the same, 1 too much.
static double unlikeness(const anim_retarget* r, int32_t a, int32_t b)
{
    double count_a = r->pairs[a].count, count_b = r->pairs[b].count;
    double sum = fabs(count_a - count_b) / (count_a + count_b);
    for (int side = 0; side < 2; side++) {
        double x = reach(r, a, side), y = reach(r, b, side);
        double ratio = x > y ? x / y - 1 : y / x - 1;
        sum += ratio >= 0 && ratio < 1 ? ratio : 1;
    }
    return sum / .5;
}

// The longest children of a node that aren't taken.
static uint32_t list_children(const anim_retarget* r, int32_t node, double least,
                              const twins* taken, int32_t out[most_children])
{
    uint32_t count = 0;
    for (int32_t c = r->pairs[node].child; c >= 0; c = r->pairs[c].next) {
        bool is_taken = taken && (c == taken->limb[0] || c == taken->limb[1]);
        if (is_taken || r->pairs[c].child < 0 || !(reach(r, c, 1) >= least))
            continue;
        uint32_t at = count < most_children ? count++ : most_children;
        for (; at > 0 && reach(r, out[at - 1], 1) < reach(r, c, 1); at--)
            if (at < most_children)
                out[at] = out[at - 1];
        if (at < most_children)
            out[at] = c;
    }
    return count;
}

static bool find_twins(const anim_retarget* r, int32_t node, double size, const twins* taken,
                       twins* out)
{
    int32_t children[most_children];
    uint32_t count = list_children(r, node, .12 * size, taken, children);
    double best = 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            double cost = unlikeness(r, children[i], children[k]);
            if (cost >= best)
                continue;
            best = cost;
            bool in_order = children[i] < children[k];
            *out = (twins){node, {children[in_order ? i : k], children[in_order ? k : i]}, 0};
            out->length = (reach(r, children[i], 1) + reach(r, children[k], 1)) / (2 * size);
        }
    return best < 1;
}

static uint32_t list_twins(const anim_retarget* r, twins out[most_twins])
{
    double size = r->whole[1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->pair_count && count + 1 < most_twins && size > 0; i++) {
        int32_t node = (int32_t)r->order[i];
        if (!find_twins(r, node, size, NULL, &out[count]))
            continue;
        count++;
        if (find_twins(r, node, size, &out[count - 1], &out[count]))
            count++;
    }
    return count;
}

static bool is_below(const anim_retarget* r, int32_t pair, int32_t above)
{
    while (pair >= 0 && r->pairs[pair].depth > r->pairs[above].depth)
        pair = r->pairs[pair].parent;
    return pair == above;
}

static int32_t tip_of(const anim_retarget* r, int32_t pair)
{
    for (;;) {
        int32_t next = -1;
        for (int32_t c = r->pairs[pair].child; c >= 0; c = r->pairs[c].next)
            if (next < 0 || reach(r, c, 1) > reach(r, next, 1))
                next = c;
        if (next < 0)
            return pair;
        pair = next;
    }
}

// The child of the legs' node that leads to the rest of the body.
static int32_t find_trunk(const anim_retarget* r, const twins* legs, const twins* arms)
{
    int32_t best = -1;
    for (int32_t c = r->pairs[legs->node].child; c >= 0; c = r->pairs[c].next) {
        bool is_limb = c == legs->limb[0] || c == legs->limb[1] ||
                       (arms && (c == arms->limb[0] || c == arms->limb[1]));
        if (is_limb)
            continue;
        if (arms && arms->node != legs->node && is_below(r, arms->node, c))
            return c;
        if (best < 0 || reach(r, c, 1) > reach(r, best, 1))
            best = c;
    }
    return best;
}

// Whether chains end near the lowest joint of a skeleton that looks as if it stood on a floor (y is up).
static bool end_low(const anim_retarget* r, const twins* t, int side)
{
    const anim_rig* rig = &r->rig[side];
    double low = 1e300, high = -1e300;
    for (uint32_t j = 0; j < rig->skeleton->joint_count; j++) {
        double y = anim_placed_at(&rig->reference[j]).y;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    double tip = 0;
    for (int i = 0; i < 2; i++)
        tip += anim_pair_at(r, tip_of(r, t->limb[i]), side, rig->reference).y / 2;
    return tip - low < .15 * (high - low);
}

static bool is_in_limb(const anim_retarget* r, const twins* t, const twins* other)
{
    return is_below(r, t->node, other->limb[0]) || is_below(r, t->node, other->limb[1]);
}

// Leaves those that are in no limb of others and hang below the first, and takes feet away that hang on a root
// themselves: they are shorter than the legs.
static uint32_t sift_twins(const anim_retarget* r, twins* list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_top = is_below(r, list[i].node, list[0].node);
        for (uint32_t k = 0; k < kept; k++)
            is_top = is_top && !is_in_limb(r, &list[i], &list[k]);
        if (is_top)
            list[kept++] = list[i];
    }
    bool is_foot = kept > 2 &&
                   r->pairs[list[0].limb[0]].length[1] < r->pairs[list[1].limb[0]].length[1];
    for (uint32_t i = 1; i < kept && is_foot; i++)
        list[i - 1] = list[i];
    return kept - is_foot;
}

// Which of the twins are legs and which are arms (forelegs): the legs hang nearest to the root.
static void choose_twins(const anim_retarget* r, twins* list, uint32_t count, twins** legs,
                         twins** arms)
{
    *legs = *arms = NULL;
    count = sift_twins(r, list, count);
    if (count == 0)
        return;
    *legs = &list[0];
    double longest = 0;
    for (uint32_t i = 1; i < count; i++)
        longest = longer(longest, list[i].length);
    for (uint32_t i = 1; i < count && !*arms; i++)
        if (list[i].length >= .5 * longest) // arms rather than breasts, or ears further up
            *arms = &list[i];
    if (!*arms) {
        if (end_low(r, *legs, 0) || end_low(r, *legs, 1))
            return;
        *arms = *legs;
        *legs = NULL;
    } else if ((*arms)->node == (*legs)->node) {
        int32_t trunk = find_trunk(r, *legs, *arms);
        int32_t top = trunk < 0 ? (*legs)->node : tip_of(r, trunk);
        if (distance(r, (*legs)->limb[0], top, 1) < distance(r, (*arms)->limb[0], top, 1)) {
            twins* swap = *legs;
            *legs = *arms;
            *arms = swap;
        }
    }
}

// --- joints that hang elsewhere -------------------------------------------------------------------

static void hang_on(anim_retarget* r, int32_t pair, int32_t parent)
{
    r->pairs[pair].parent = parent;
}

// Legs that hang on a root at the floor, in both skeletons, belong to the hips above it.
static bool lift_legs(anim_retarget* r, twins* legs, int32_t trunk)
{
    if (trunk < 0)
        return false;
    for (int side = 0; side < 2; side++) {
        double root = distance(r, legs->node, legs->limb[0], side);
        double above = distance(r, trunk, legs->limb[0], side);
        if (root < 3 * above || root < .5 * r->pairs[legs->limb[0]].length[side])
            return false;
    }
    hang_on(r, legs->limb[0], trunk);
    hang_on(r, legs->limb[1], trunk);
    legs->node = trunk;
    return true;
}

// The chain's tip that is nearest to a joint, in both skeletons; -1: none, or too far away.
static int32_t nearest_tip(const anim_retarget* r, int32_t pair, const int32_t tips[],
                           uint32_t count)
{
    int32_t nearest[2] = {-1, -1};
    for (int side = 0; side < 2; side++) {
        double best = 1e300;
        for (uint32_t i = 0; i < count; i++) {
            double d = distance(r, pair, tips[i], side);
            double most = 2 * distance(r, tips[i], r->pairs[tips[i]].parent, side);
            if (d < best && d < most) {
                best = d;
                nearest[side] = tips[i];
            }
        }
    }
    return nearest[0] == nearest[1] ? nearest[0] : -1;
}

// Feet that hang on the root in both skeletons, as targets of IK do, go with the legs that end there.
static void hang_feet(anim_retarget* r, const int32_t tips[], uint32_t count, int32_t hips)
{
    int32_t taken[ANIM_MAX_LIMBS];
    double least[ANIM_MAX_LIMBS];
    for (uint32_t i = 0; i < count; i++)
        taken[i] = -1;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        int32_t pair = (int32_t)i, above = r->pairs[i].parent;
        bool is_free = pair != hips && !is_below(r, hips, pair) &&
                       (above < 0 || (above != hips && is_below(r, hips, above)));
        int32_t tip = is_free ? nearest_tip(r, pair, tips, count) : -1;
        for (uint32_t k = 0; k < count && tip >= 0; k++) {
            double d = distance(r, pair, tip, 1);
            if (tips[k] == tip && (taken[k] < 0 || d < least[k])) {
                taken[k] = pair;
                least[k] = d;
            }
        }
    }
    for (uint32_t k = 0; k < count; k++)
        if (taken[k] >= 0)
            hang_on(r, taken[k], tips[k]);
}

// --- limbs ----------------------------------------------------------------------------------------

// Of a leaf: how far the joints below it reach that are in no pair; 0: there are none.
static double reach_of_rest(const anim_retarget* r, int32_t pair, int side)
{
    const anim_skeleton* skeleton = r->rig[side].skeleton;
    uint32_t joint = r->pairs[pair].joint[side];
    const anim_placed* placed = r->rig[side].reference;
    double most = 0;
    for (uint32_t j = joint + 1;
         j < skeleton->joint_count && skeleton->parents[j] >= (int32_t)joint; j++)
        most = longer(most, anim_dvec_length(anim_dvec_sub(anim_placed_at(&placed[j]),
                                                           anim_placed_at(&placed[joint]))));
    return most;
}

enum { most_chain = 12 };

static uint32_t list_chain(const anim_retarget* r, int32_t first, int32_t out[most_chain])
{
    uint32_t count = 0;
    for (int32_t at = first; at >= 0 && count < most_chain;) {
        out[count++] = at;
        int32_t next = -1;
        for (int32_t c = r->pairs[at].child; c >= 0; c = r->pairs[c].next)
            if (next < 0 || reach(r, c, 1) > reach(r, next, 1))
                next = c;
        at = next;
    }
    return count;
}

// Length of a bone of the chain, in parts of the whole, of both skeletons.
static double part_of_chain(const anim_retarget* r, const int32_t* chain, uint32_t count,
                            uint32_t bone)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        double whole = r->pairs[chain[0]].length[side], length = 0;
        if (bone + 1 < count)
            length = distance(r, chain[bone], chain[bone + 1], side);
        else
            length = reach_of_rest(r, chain[bone], side);
        if (length == 0 && bone > 0 && bone + 1 == count)
            length = .5 * distance(r, chain[bone - 1], chain[bone], side);
        sum += whole > 0 ? length / whole : 0;
    }
    return sum;
}

// The two longest bones that follow each other are those of arm or leg.
static void make_limb(anim_retarget* r, int32_t first, bool is_leg)
{
    int32_t chain[most_chain];
    uint32_t count = list_chain(r, first, chain), upper = 0;
    double best = -1;
    for (uint32_t i = 0; i + 1 < count; i++) {
        double two = part_of_chain(r, chain, count, i) + part_of_chain(r, chain, count, i + 1);
        if (two > best) {
            best = two;
            upper = i;
        }
    }
    r->limbs[r->limb_count++] = (anim_limb){
        .first = first,
        .upper = chain[upper],
        .lower = upper + 1 < count ? chain[upper + 1] : -1,
        .end = upper + 2 < count ? chain[upper + 2] : -1,
        .tip = chain[count - 1],
        .is_leg = is_leg,
    };
    for (uint32_t i = 0; i < count; i++) {
        anim_pair* p = &r->pairs[chain[i]];
        p->part = i < upper        ? ANIM_PART_GIRDLE
                  : i < upper + 2  ? ANIM_PART_BONE
                  : i == upper + 2 ? ANIM_PART_END
                                   : ANIM_PART_DIGIT;
        p->along = i + 1 < count ? chain[i + 1] : -1;
    }
}

// --- parts ----------------------------------------------------------------------------------------

// What hangs below a part, where it is nothing of its own.
static anim_part part_below(anim_part above)
{
    switch (above) {
    case ANIM_PART_HIPS:
    case ANIM_PART_TRUNK: return ANIM_PART_TRUNK;
    case ANIM_PART_END:
    case ANIM_PART_DIGIT: return ANIM_PART_DIGIT;
    default: return ANIM_PART_OTHER;
    }
}

static void name_parts(anim_retarget* r)
{
    for (int32_t up = r->hips < 0 ? -1 : r->pairs[r->hips].parent; up >= 0;
         up = r->pairs[up].parent)
        r->pairs[up].part = ANIM_PART_BASE;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        anim_pair* p = &r->pairs[r->order[i]];
        const anim_pair* above = p->parent < 0 ? NULL : &r->pairs[p->parent];
        if ((int32_t)r->order[i] == r->hips)
            p->part = ANIM_PART_HIPS;
        else if (p->part == ANIM_PART_OTHER && above)
            p->part = part_below(above->part);
        else if (p->part == ANIM_PART_OTHER && r->hips < 0 &&
                 is_below(r, r->chest, (int32_t)r->order[i]))
            p->part = ANIM_PART_TRUNK; // a body without legs
        for (uint32_t k = 0; k < r->limb_count; k++)
            if (r->limbs[k].first == (int32_t)r->order[i])
                p->limb = (int32_t)k;
        if (p->limb < 0 && above)
            p->limb = above->limb;
    }
}

// The child a bone points to: that of the chain, of the spine, else the only one.
static void point_bones(anim_retarget* r)
{
    for (int32_t at = r->chest; at >= 0 && at != r->hips; at = r->pairs[at].parent)
        if (r->pairs[at].parent >= 0)
            r->pairs[r->pairs[at].parent].along = at;
    for (uint32_t i = 0; i < r->pair_count; i++) {
        anim_pair* p = &r->pairs[i];
        if (p->along < 0 && p->child >= 0 && r->pairs[p->child].next < 0)
            p->along = p->child;
    }
}

static void mark_low(anim_retarget* r)
{
    for (uint32_t i = 0; i < r->pair_count; i++) {
        const anim_pair* p = &r->pairs[i];
        if (p->limb >= 0 && r->limbs[p->limb].is_leg)
            r->rig[0].is_low[p->joint[0]] = r->rig[1].is_low[p->joint[1]] = true;
    }
    for (int side = 0; side < 2; side++) {
        anim_rig* rig = &r->rig[side];
        for (uint32_t j = 0; j < rig->skeleton->joint_count; j++) {
            int32_t parent = rig->skeleton->parents[j];
            if (parent >= 0 && rig->is_low[parent] && rig->pair_of[j] < 0)
                rig->is_low[j] = true;
        }
    }
}

static bool hang_rest(anim_retarget* r, twins* legs, const twins* arms)
{
    int32_t tips[ANIM_MAX_LIMBS];
    uint32_t count = 0;
    for (int i = 0; i < 2 && legs; i++)
        tips[count++] = tip_of(r, legs->limb[i]);
    for (int i = 0; i < 2 && arms; i++)
        tips[count++] = tip_of(r, arms->limb[i]);
    if (legs)
        lift_legs(r, legs, find_trunk(r, legs, arms));
    hang_feet(r, tips, count, legs ? legs->node : arms->node);
    return anim_retarget_link(r);
}

bool anim_retarget_find_body(anim_retarget* r)
{
    twins list[most_twins], *legs, *arms;
    uint32_t count = list_twins(r, list);
    r->hips = r->chest = -1;
    choose_twins(r, list, count, &legs, &arms);
    if ((legs || arms) && !hang_rest(r, legs, arms))
        return false;
    bool both_low = arms && legs && end_low(r, arms, 0) && end_low(r, arms, 1);
    for (int i = 0; i < 2 && legs; i++)
        make_limb(r, legs->limb[i], true);
    for (int i = 0; i < 2 && arms; i++)
        make_limb(r, arms->limb[i], both_low);
    if (legs)
        r->hips = legs->node;
    if (arms)
        r->chest = arms->node;
    if (legs || arms)
        name_parts(r);
    point_bones(r);
    mark_low(r);
    return true;
}
