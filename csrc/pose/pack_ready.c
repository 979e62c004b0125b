// SPDX-License-Identifier: MIT
// The small form: what is made once, when a pack is opened, so that samples need not make it again.
#include "pose/pack_small.h"

// Where in a pose the tracks go, which are stored in that order.
static void list_slots(const struct anim_pack* p, uint16_t* lanes, uint16_t* still)
{
    for (uint32_t k = 0; k < 3; k++) {
        uint16_t* lane = lanes + p->streams[anim_pack_order[k]].lane;
        for (uint32_t slot = 0; slot < p->skeleton->group_count * ANIM_LANES; slot++) {
            uint32_t kind = anim_pack_class_at(p, anim_pack_order[k], slot);
            if (kind == ANIM_PACK_MOVING)
                *lane++ = (uint16_t)slot;
            if (kind == ANIM_PACK_STILL)
                *still++ = (uint16_t)slot;
        }
    }
}

// --- tracks that stand still ---------------------------------------------------------------------

static anim_f8 load_i16(const int16_t* from)
{
    return (anim_f8){from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
}

// The low bytes of one component: those of the fine lanes, in order.
static anim_f8 take_low(const unsigned char* from, uint32_t fine)
{
    anim_f8 low = anim_f8_splat(0);
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++)
        if (fine >> lane & 1)
            low[lane] = *from++;
    return low * (1.0f / 256);
}

// The place of a slot in the first row of a channel; the next row is ANIM_LANES further. The row is the pack's own.
static float* find_lane(const anim_pack_base* base, uint32_t slot, anim_channel channel)
{
    const anim_pack_base* group = &base[slot / ANIM_LANES];
    const float* rows = channel == ANIM_CHANNEL_TRANSLATION ? group->t
                        : channel == ANIM_CHANNEL_ROTATION  ? group->q
                                                            : group->s;
    return (float*)(uintptr_t)rows + slot % ANIM_LANES;
}

static void put_rotations(const uint16_t* slots, uint32_t count, const anim_quat8* q,
                          const anim_pack_base* base)
{
    for (uint32_t lane = 0; lane < count; lane++) {
        float* to = find_lane(base, slots[lane], ANIM_CHANNEL_ROTATION);
        to[0] = q->x[lane];
        to[ANIM_LANES] = q->y[lane];
        to[2 * ANIM_LANES] = q->z[lane];
        to[3 * ANIM_LANES] = q->w[lane];
    }
}

static void put_still_rotations(const struct anim_pack* p, const anim_pack_base* base)
{
    uint32_t still = p->streams[ANIM_CHANNEL_ROTATION].still;
    const unsigned char* low = p->still_low;
    for (uint32_t i = 0; i < still; i += ANIM_LANES) {
        uint32_t count = anim_pack_lanes_left(still, i);
        uint32_t fine = p->still_fine[i / 8] & ((1u << count) - 1);
        anim_f8 u[3];
        for (uint32_t c = 0; c < 3; c++) {
            u[c] = load_i16(p->still_rotations + c * (size_t)still + i);
            if (fine)
                u[c] += take_low(low + c * (size_t)p->fine_count, fine);
            u[c] *= ANIM_PACK_STILL_UNIT;
        }
        for (; fine; fine &= fine - 1)
            low++;
        anim_quat8 q = anim_pack_open_quarter(u[0], u[1], u[2]);
        put_rotations(p->still_slots + i, count, &q, base);
    }
}

static void put_still_vectors(const struct anim_pack* p, const anim_pack_base* base)
{
    static const anim_channel order[] = {ANIM_CHANNEL_TRANSLATION, ANIM_CHANNEL_SCALE};
    const uint16_t* slot = p->still_slots + p->streams[ANIM_CHANNEL_ROTATION].still;
    const float* from = p->still_values;
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < p->streams[order[k]].still; i++, from += 3, slot++)
            for (int c = 0; c < 3; c++)
                find_lane(base, *slot, order[k])[c * ANIM_LANES] = from[c];
}

// Whether something of a group stands still.
static bool has_still(const struct anim_pack* p, uint32_t group, anim_channel channel)
{
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++)
        if (anim_pack_class_at(p, channel, group * ANIM_LANES + lane) == ANIM_PACK_STILL)
            return true;
    return false;
}

// Of groups in which something stands still.
static size_t count_own_rows(const struct anim_pack* p)
{
    size_t count = 0;
    for (uint32_t g = 0; g < p->skeleton->group_count; g++)
        for (uint32_t channel = 0; channel < 3; channel++)
            if (has_still(p, g, (anim_channel)channel))
                count += anim_pack_rows(channel);
    return count;
}

// The rows that are wanted: those of the rest pose, or a copy of them in `own`, which goes on.
static const float* choose_rows(const struct anim_pack* p, uint32_t group, anim_channel channel,
                                const float (*rest)[ANIM_LANES], float** own)
{
    if (!has_still(p, group, channel))
        return rest[0];
    size_t count = (size_t)anim_pack_rows(channel) * ANIM_LANES;
    float* rows = *own;
    memcpy(rows, rest, count * sizeof *rows);
    *own += count;
    return rows;
}

static void make_base(const struct anim_pack* p, anim_pack_base* base, float* own)
{
    for (uint32_t g = 0; g < p->skeleton->group_count; g++) {
        const anim_pose_group* rest = p->additive ? &anim_pose_identity : &p->skeleton->rest[g];
        base[g].t = choose_rows(p, g, ANIM_CHANNEL_TRANSLATION, rest->t, &own);
        base[g].q = choose_rows(p, g, ANIM_CHANNEL_ROTATION, rest->q, &own);
        base[g].s = choose_rows(p, g, ANIM_CHANNEL_SCALE, rest->s, &own);
    }
    put_still_rotations(p, base);
    put_still_vectors(p, base);
}

// --- tracks that move --------------------------------------------------------------------------

static void make_turns(const struct anim_pack* p, anim_pack_turns* turns)
{
    const float k = ANIM_PACK_CENTRE;
    const anim_pack_stream* s = &p->streams[ANIM_CHANNEL_ROTATION];
    for (uint32_t i = 0; i < anim_group_count(s->moving) * ANIM_LANES; i++) {
        anim_pack_turns* to = &turns[i / ANIM_LANES];
        uint32_t track = i < s->moving ? i : 0, lane = i % ANIM_LANES;
        const int16_t* centre = p->centres + track;
        float x = centre[0], y = centre[p->track_count], z = centre[2 * (size_t)p->track_count];
        to->step[lane] = anim_pack_step(p->codes[track]) / (float)(1u << p->head.level);
        to->ref[0][lane] = x * (2 * k);
        to->ref[1][lane] = y * (2 * k);
        to->ref[2][lane] = z * (2 * k);
        to->ref[3][lane] = k * k - ((x * x + y * y) + z * z);
    }
}

static void make_shifts(const struct anim_pack* p, anim_channel channel, anim_pack_shifts* shifts)
{
    const anim_pack_stream* s = &p->streams[channel];
    bool is_scale = channel == ANIM_CHANNEL_SCALE;
    for (uint32_t i = 0; i < s->moving; i++) {
        anim_pack_shifts* to = &shifts[i / ANIM_LANES];
        uint32_t lane = i % ANIM_LANES, slot = p->lane_slots[s->lane + i];
        const int16_t* centre = p->centres + s->track + i;
        const anim_pack_base* base = &p->base[slot / ANIM_LANES];
        const float* rest = (is_scale ? base->s : base->t) + slot % ANIM_LANES;
        to->step[lane] = anim_pack_step(p->codes[s->track + i]) / (float)(1u << p->head.level);
        for (uint32_t c = 0; c < 3; c++) {
            to->centre[c][lane] = centre[c * (size_t)p->track_count] * p->head.unit[is_scale];
            to->rest[c][lane] = rest[c * ANIM_LANES];
        }
    }
}

// --- where the bits are --------------------------------------------------------------------------

// Bits of `count` lanes from `lane` on.
static uint32_t sum_widths(const uint32_t* widths, uint32_t apart, uint32_t base, uint32_t lane,
                           uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = lane; i < lane + count; i++)
        for (uint32_t c = 0; c < 3; c++)
            sum += anim_pack_width(widths[c * apart], i, base);
    return sum;
}

// One group of a record; `at`: the bit where it begins. Gives the bit where the next begins.
static uint64_t make_recipe(const uint32_t* widths, uint32_t apart, uint32_t base, uint64_t at,
                            anim_pack_recipe* out)
{
    out->narrow = sum_widths(widths, apart, base, 0, 4) <= ANIM_PACK_MOST_NARROW &&
                  sum_widths(widths, apart, base, 4, 4) <= ANIM_PACK_MOST_NARROW;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        uint32_t* first = &out->at[lane / 2];
        if (lane % 2 == 0)
            *first = out->narrow && lane % 4 == 2 ? first[-1] : (uint32_t)(at / 8);
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t width = anim_pack_width(widths[c * apart], lane, base);
            uint32_t right = width ? 32 - width : 31;
            for (uint32_t i = 0; i < 4; i++)
                out->bytes[c][lane][i] = (uint8_t)(at / 8 - *first + i);
            out->left[c][lane] = (uint8_t)(width ? right - at % 8 : 32);
            out->right[c][lane] = (uint8_t)right;
            at += width;
        }
    }
    return at;
}

static void make_recipes(const struct anim_pack* p, anim_pack_recipe* recipes)
{
    uint32_t level = p->head.level, each = anim_pack_recipe_count(p);
    uint64_t at[1 + ANIM_PACK_MOST_LEVEL] = {0};
    for (uint32_t g = 0; g < p->group_count; g++) {
        at[0] = make_recipe(p->key_widths + 3 * (size_t)g, 1, p->head.base_width, at[0], recipes++);
        for (uint32_t l = 0; l + 1 < each; l++)
            at[1 + l] = make_recipe(p->segments->widths + 3 * (size_t)g * level + l, level, 0,
                                    at[1 + l], recipes++);
    }
}

// --- where they go -------------------------------------------------------------------------------

static void make_puts(const struct anim_pack* p, anim_pack_put* puts)
{
    uint32_t count = 0;
    for (int k = 0; k < 3; k++) {
        const anim_pack_stream* s = &p->streams[anim_pack_order[k]];
        for (uint32_t i = 0; i < s->moving; i++) {
            const uint16_t* slot = p->lane_slots + s->lane + i;
            bool is_first = i % ANIM_LANES == 0;
            if (is_first || slot[-1] / ANIM_LANES != slot[0] / ANIM_LANES) {
                if (!is_first)
                    puts[count - 1].is_last = false;
                puts[count] = (anim_pack_put){.group = slot[0] / ANIM_LANES, .is_last = true};
                memset(puts[count++].from, 0xff, sizeof puts->from);
            }
            anim_pack_put* put = &puts[count - 1];
            put->from[slot[0] % ANIM_LANES] = (int8_t)(i % ANIM_LANES);
            put->is_whole = slot[0] % ANIM_LANES == ANIM_LANES - 1 &&
                            i % ANIM_LANES == ANIM_LANES - 1 && put->from[0] == 0;
        }
    }
}

// --- all -------------------------------------------------------------------------------------------

static size_t most_puts(const struct anim_pack* p)
{
    size_t most = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t moving = p->streams[k].moving;
        size_t both = (size_t)anim_group_count(moving) + p->skeleton->group_count;
        most += moving < both ? moving : both;
    }
    return most;
}

void anim_pack_prepare_small(const struct anim_pack* measured, anim_layout* layout,
                             struct anim_pack* p)
{
    const anim_pack_stream* streams = measured->streams;
    uint32_t groups = measured->group_count, still = 0;
    uint32_t turn_count = anim_group_count(streams[ANIM_CHANNEL_ROTATION].moving);
    for (int i = 0; i < 3; i++)
        still += streams[i].still;
    uint16_t* lanes = anim_layout_take(layout, groups * (size_t)ANIM_LANES, sizeof *lanes);
    uint16_t* still_slots = anim_layout_take(layout, still, sizeof *still_slots);
    anim_pack_base* base = anim_layout_take(layout, measured->skeleton->group_count, sizeof *base);
    float* own = anim_layout_take(layout, count_own_rows(measured), ANIM_LANES * sizeof *own);
    anim_pack_turns* turns = anim_layout_take(layout, turn_count, sizeof *turns);
    anim_pack_shifts* shifts = anim_layout_take(layout, groups - turn_count, sizeof *shifts);
    anim_pack_recipe* recipes = anim_layout_take(
        layout, (size_t)groups * anim_pack_recipe_count(measured), sizeof *recipes);
    anim_pack_put* puts = anim_layout_take(layout, most_puts(measured), sizeof *puts);
    if (!layout->block)
        return;
    p->lane_slots = lanes;
    p->still_slots = still_slots;
    p->base = base;
    p->turns = turns;
    p->shifts = shifts;
    p->recipes = recipes;
    p->puts = puts;
    list_slots(p, lanes, still_slots);
    make_base(p, base, own);
    make_turns(p, turns);
    memset(shifts, 0, (groups - turn_count) * sizeof *shifts);
    uint32_t first = anim_group_count(streams[ANIM_CHANNEL_TRANSLATION].moving);
    make_shifts(p, ANIM_CHANNEL_TRANSLATION, shifts);
    make_shifts(p, ANIM_CHANNEL_SCALE, shifts + first);
    make_recipes(p, recipes);
    make_puts(p, puts);
}
