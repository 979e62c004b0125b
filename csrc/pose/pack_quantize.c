// SPDX-License-Identifier: MIT
// Tracks to whole numbers, in a closed loop: what is predicted is predicted from decoded values.
#include "pose/pack_encode.h"

#include <string.h>

bool anim_packing_set_level(anim_packing* p, uint32_t level)
{
    uint32_t last = p->frames - 1, step = 1u << level;
    p->level = level;
    p->key_count = (last + step - 1) / step + 1;
    p->slots = (p->key_count - 1) * step + 1;
    size_t most_segments = p->slots / 8 + 1;
    p->decoded = anim_arena_alloc(p->arena, p->slots, 3 * sizeof *p->decoded);
    bool whole = p->decoded != NULL;
    for (uint32_t i = 0; i < p->moving_count && whole; i++) {
        anim_packing_track* t = &p->tracks[p->moving[i]];
        t->codes = anim_arena_alloc(p->arena, p->slots, 3 * sizeof *t->codes);
        t->widths = anim_arena_alloc(p->arena, most_segments, 3 * ANIM_PACK_MOST_LEVEL);
        whole = t->codes && t->widths;
    }
    return whole;
}

void anim_packing_set_segments(anim_packing* p, uint32_t shift)
{
    p->segment_shift = shift;
    p->segment_count = p->level == 0                    ? 0
                       : shift == ANIM_PACK_ONE_SEGMENT ? 1
                                                        : ((p->slots - 2) >> shift) + 1;
}

int anim_packing_step_code(double step)
{
    int code = 0;
    while (code < 255 && (double)anim_pack_step((uint32_t)code + 1) <= step)
        code++;
    return code;
}

// What has no place in a lane is cut: it is then found to be off, and stays exact.
static double whole(double x)
{
    const double most = 1 << 28;
    x = floor(x + 0.5);
    return x > most ? most : x < -most ? -most : x;
}

// One component of one track.
typedef struct component {
    const double* u; // 3 apart
    int32_t* codes;
    double* x; // decoded, in steps
    double inverse;
    uint32_t frames, level;
} component;

static double wanted(const component* c, uint32_t frame)
{
    return c->u[3 * (size_t)frame] * c->inverse;
}

static double fill(const component* c, uint32_t frame, double predicted)
{
    double residual = frame < c->frames ? whole(wanted(c, frame) - predicted) : 0;
    c->codes[3 * (size_t)frame] = (int32_t)residual;
    c->x[3 * (size_t)frame] = predicted + residual;
    return residual;
}

static void fill_between_keys(const component* c, uint32_t first)
{
    const double* x = c->x + 3 * (size_t)first;
    if (c->level == 1)
        fill(c, first + 1, 0.5 * (x[0] + x[6]));
    if (c->level == 2) {
        double bend = fill(c, first + 2, 0.5 * (x[0] + x[12]));
        fill(c, first + 1, 0.5 * (x[0] + x[6]) + 0.25 * bend);
        fill(c, first + 3, 0.5 * (x[6] + x[12]) + 0.25 * bend);
    }
}

// The key past the end is free: one near the way that the last frames take, such that the last frame comes
// out as a whole number. Then a clip that ends as it began still does.
static void choose_last_key(const component* c, uint32_t first, int32_t most)
{
    uint32_t last = c->frames - 1, key = first + (1u << c->level);
    double slope = last > 0 ? wanted(c, last) - wanted(c, last - 1) : 0;
    double ahead = whole(wanted(c, last) + slope * (key - last));
    ahead = ahead > most ? most : ahead < -most ? -most : ahead;
    for (int tries = 0; tries < 9; tries++) {
        double x = ahead > 0 ? ahead - tries : ahead + tries;
        c->codes[3 * (size_t)key] = (int32_t)x;
        c->x[3 * (size_t)key] = x;
        fill_between_keys(c, first);
        if (c->x[3 * (size_t)last] == whole(wanted(c, last)))
            return;
    }
}

static void quantize_component(const component* c, uint32_t key_count)
{
    uint32_t step = 1u << c->level;
    int32_t most = 0;
    for (uint32_t k = 0; k < key_count && k << c->level < c->frames; k++) {
        size_t at = 3 * ((size_t)k << c->level);
        double x = whole(wanted(c, k << c->level));
        c->codes[at] = (int32_t)x;
        c->x[at] = x;
        int32_t size = x < 0 ? -(int32_t)x : (int32_t)x;
        most = size > most ? size : most;
    }
    for (uint32_t k = 0; k + 1 < key_count; k++) {
        if ((k + 1) << c->level < c->frames)
            fill_between_keys(c, k << c->level);
        else
            choose_last_key(c, k * step, most);
    }
}

// --- widths ----------------------------------------------------------------------------------------

// Bits of two's complement for numbers from `low` to `high`; 0 where both are 0.
static uint8_t width_of(int32_t low, int32_t high)
{
    uint8_t width = 1;
    if (low == 0 && high == 0)
        return 0;
    while (width < 32 && (low < -(1 << (width - 1)) || high > (1 << (width - 1)) - 1))
        width++;
    return width;
}

static uint8_t width_between(const int32_t* codes, uint32_t first, uint32_t end, uint32_t apart)
{
    int32_t low = 0, high = 0;
    for (uint32_t f = first; f < end; f += apart) {
        int32_t x = codes[3 * (size_t)f];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return width_of(low, high);
}

static void find_widths(const anim_packing* p, anim_packing_track* t, uint32_t i)
{
    uint32_t level = p->level;
    t->key_width[i] = width_between(t->codes + i, 0, p->slots, 1u << level);
    t->bits += (double)t->key_width[i] * p->key_count;
    t->coded += t->key_width[i] ? p->key_count : 0;
    for (uint32_t s = 0; s < p->segment_count; s++) {
        bool is_last = s + 1 == p->segment_count;
        uint32_t first = p->segment_shift == ANIM_PACK_ONE_SEGMENT ? 0 : s << p->segment_shift;
        uint32_t end = is_last ? p->slots - 1 : first + (1u << p->segment_shift);
        for (uint32_t l = 0; l < level; l++) {
            uint32_t apart = 1u << (level - l), count = (end - first) / apart;
            uint8_t width = width_between(t->codes + i, first + apart / 2, end, apart);
            t->widths[(s * level + l) * 3 + i] = width;
            t->bits += (double)width * count;
            t->coded += width ? count : 0;
        }
    }
}

void anim_packing_quantize(anim_packing* p, anim_packing_track* t)
{
    double step = (double)anim_pack_step((uint32_t)t->step);
    t->bits = t->coded = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const component c = {t->u + i, t->codes + i, p->decoded + i, 1 / step, p->frames, p->level};
        quantize_component(&c, p->key_count);
        find_widths(p, t, i);
    }
    for (size_t i = 0; i < 3 * (size_t)p->frames; i++)
        p->decoded[i] *= step;
}

bool anim_packing_fits(const anim_packing* p)
{
    for (uint32_t i = 0; i < p->moving_count; i++) {
        const anim_packing_track* t = &p->tracks[p->moving[i]];
        uint32_t sum = 0;
        for (int c = 0; c < 3; c++) {
            sum += t->key_width[c];
            if (t->key_width[c] > 15 + ANIM_PACK_MOST_BASE)
                return false;
        }
        for (uint32_t s = 0; s < 3 * p->segment_count * p->level; s++)
            if (t->widths[s] > 15)
                return false;
        if (sum > ANIM_PACK_MOST_BITS)
            return false;
    }
    return true;
}

double anim_packing_bits(const anim_packing* p)
{
    double bits = 0;
    uint32_t counts[3] = {0};
    for (uint32_t i = 0; i < p->moving_count; i++) {
        bits += p->tracks[p->moving[i]].bits;
        counts[p->tracks[p->moving[i]].source->channel]++;
    }
    uint32_t groups = 0;
    for (int i = 0; i < 3; i++)
        groups += anim_group_count(counts[i]);
    return bits + 96.0 * groups * p->level * p->segment_count;
}

void anim_packing_choose_segments(anim_packing* p)
{
    static const uint32_t shifts[] = {ANIM_PACK_ONE_SEGMENT, 7, 6, 5, 4, 3};
    uint32_t best = shifts[0];
    double least = 0;
    for (uint32_t i = 0; i < sizeof shifts / sizeof *shifts && p->level > 0; i++) {
        if (i > 0 && 1u << shifts[i] >= p->slots)
            continue;
        anim_packing_set_segments(p, shifts[i]);
        for (uint32_t k = 0; k < p->moving_count; k++) {
            anim_packing_track* t = &p->tracks[p->moving[k]];
            t->bits = t->coded = 0;
            for (uint32_t c = 0; c < 3; c++)
                find_widths(p, t, c);
        }
        double bits = anim_packing_bits(p);
        if (i == 0 || bits < least) {
            least = bits;
            best = shifts[i];
        }
    }
    anim_packing_set_segments(p, best);
    for (uint32_t k = 0; k < p->moving_count; k++)
        anim_packing_quantize(p, &p->tracks[p->moving[k]]);
}
