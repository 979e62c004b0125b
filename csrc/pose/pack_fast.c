// SPDX-License-Identifier: MIT
// The fast form: whole groups of joints as sixteen-bit frames; pose/pack_format.h says what lies where.
#include "math/simd.h"
#include "pose/pack_format.h"

#include <float.h>

enum { line = 64 };

// --- checks ----------------------------------------------------------------------------------------

typedef struct walk {
    const unsigned char* bytes;
    size_t at, size;
} walk;

static const float* take_table(walk* w, uint32_t rows)
{
    size_t bytes = rows * ANIM_LANES * sizeof(float), start = (w->at + 3) / 4 * 4;
    if (start > w->size || w->size - start < bytes)
        return NULL;
    w->at = start + bytes;
    return (const float*)(const void*)(w->bytes + start);
}

// What a mixed value can't leave: rotations are normalised, so their squares must be numbers.
static bool is_table_fine(const float* table, uint32_t rows)
{
    return anim_floats_are_within(table, rows * ANIM_LANES, rows == 4 ? 4.0f : 1e22f);
}

static bool open_group(struct anim_pack* p, walk* w, uint32_t channel, uint32_t group,
                       anim_pack_group* out)
{
    uint32_t rows = anim_pack_rows(channel), moving = 0, still = 0;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        uint32_t kind = anim_pack_class_at(p, channel, group * ANIM_LANES + lane);
        moving += kind == ANIM_PACK_MOVING;
        still += kind == ANIM_PACK_STILL;
        out->mask[lane] = kind == ANIM_PACK_MOVING || kind == ANIM_PACK_STILL ? -1 : 0;
    }
    out->group = group;
    out->at = p->frame_stride;
    out->bias = out->scale = out->table = NULL;
    if (moving + still == 0)
        return true;
    out->bias = take_table(w, rows);
    if (!out->bias || !is_table_fine(out->bias, rows))
        return false;
    if (moving == 0)
        return true;
    p->frame_stride += rows * ANIM_LANES * (uint32_t)sizeof(int16_t);
    out->scale = take_table(w, rows);
    return out->scale && is_table_fine(out->scale, rows);
}

// --- what the kernel wants -------------------------------------------------------------------------

// Numbers of the kernel's order: rotations of joints 0-3 (x | z), (y | w), of joints 4-7 the same; others row by row.
static uint32_t place_in_table(uint32_t rows, uint32_t r, uint32_t lane)
{
    return rows == 3 ? r * ANIM_LANES + lane
                     : (lane / 4 * 2 + r % 2) * ANIM_LANES + r / 2 * 4 + lane % 4;
}

static void rest_of(const struct anim_pack* p, uint32_t channel, uint32_t slot, float out[4])
{
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    uint32_t joint = p->skeleton->joints[slot];
    bool is_joint = joint != ANIM_NO_JOINT && !p->additive;
    const anim_xform* rest = is_joint ? &p->skeleton->rest_xforms[joint] : &identity;
    const float* from = channel == ANIM_CHANNEL_TRANSLATION ? rest->t
                        : channel == ANIM_CHANNEL_ROTATION  ? rest->q
                                                            : rest->s;
    memcpy(out, from, anim_pack_rows(channel) * sizeof *out);
}

// A frame's rotation of one joint, or that which it keeps; not normalised.
static void rotation_at(const struct anim_pack* p, const anim_pack_group* g, uint32_t lane,
                        uint32_t frame, float q[4])
{
    const unsigned char* at = g->scale ? p->frames + (size_t)frame * p->frame_stride + g->at : NULL;
    for (uint32_t r = 0; r < 4; r++) {
        int16_t code;
        q[r] = g->bias[r * ANIM_LANES + lane];
        if (!at)
            continue;
        memcpy(&code, at + (anim_pack_row(4, r) * ANIM_LANES + lane) * sizeof code, sizeof code);
        q[r] += g->scale[r * ANIM_LANES + lane] * code;
    }
}

static float dot4(const float a[4], const float b[4])
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static bool is_near_unit(const float q[4])
{
    const float off = 0.02f; // what is left of the series is then 4e-8
    return fabsf(dot4(q, q) - 1) < off;
}

// Takes from a group's bits what its joint is not: frames that follow each other closely, near its rest pose.
static void describe_lane(const struct anim_pack* p, const anim_pack_group* g, uint32_t lane,
                          anim_pack_bits* bits)
{
    const float near = 0.7072f; // cosine of 45 degrees: of 90 for the rotation
    float rest[4], q[4], before[4];
    bool is_near = true, is_smooth = true;
    rest_of(p, ANIM_CHANNEL_ROTATION, g->group * ANIM_LANES + lane, rest);
    for (uint32_t f = 0; f < (g->scale ? p->head.frames : 1); f++) {
        rotation_at(p, g, lane, f, q);
        if (f == 0)
            memcpy(before, q, sizeof before);
        const float middle[4] = {(q[0] + before[0]) * 0.5f, (q[1] + before[1]) * 0.5f,
                                 (q[2] + before[2]) * 0.5f, (q[3] + before[3]) * 0.5f};
        is_near = is_near && dot4(q, rest) > near;
        is_smooth = is_smooth && is_near_unit(q) && is_near_unit(middle);
        memcpy(before, q, sizeof before);
    }
    uint64_t bit = UINT64_C(1) << g->group % 64;
    bits->near &= is_near ? ~UINT64_C(0) : ~bit;
    bits->smooth &= is_smooth ? ~UINT64_C(0) : ~bit;
}

// As anim_quat8_normalize does it.
static void normalize_lane(float q[4])
{
    float length2 = dot4(q, q);
    if (!(length2 > 1e-30f))
        return;
    float scale = 1.0f / sqrtf(length2);
    for (uint32_t r = 0; r < 4; r++)
        q[r] *= scale;
}

// Scale and bias of a joint, unit where it is a rotation that does not move; its rest pose where it has no keys.
static void fill_lane(const struct anim_pack* p, const anim_pack_group* g, uint32_t channel,
                      uint32_t lane, float* table)
{
    uint32_t rows = anim_pack_rows(channel);
    float bias[4];
    rest_of(p, channel, g->group * ANIM_LANES + lane, bias);
    for (uint32_t r = 0; r < rows && g->mask[lane]; r++)
        bias[r] = g->bias[r * ANIM_LANES + lane];
    if (rows == 4 && g->mask[lane] && !g->scale)
        normalize_lane(bias);
    if (rows == 4)
        anim_quat_clear_tiny(bias);
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t at = place_in_table(rows, r, lane);
        bool moves = g->scale && g->mask[lane];
        table[at] = moves ? g->scale[r * ANIM_LANES + lane] * (1.0f / ANIM_PACK_CENTRE) : 0;
        table[4 * ANIM_LANES + at] = bias[r];
    }
}

static void prepare_group(struct anim_pack* p, uint32_t channel, anim_pack_group* g, float* table,
                          anim_pack_bits* bits)
{
    uint64_t bit = UINT64_C(1) << g->group % 64;
    bits->turned |= channel == ANIM_CHANNEL_ROTATION ? bit : 0;
    bits->translated |= channel == ANIM_CHANNEL_TRANSLATION ? bit : 0;
    bits->scaled |= channel == ANIM_CHANNEL_SCALE ? bit : 0;
    bits->smooth |= channel == ANIM_CHANNEL_ROTATION ? bit : 0;
    bits->near |= channel == ANIM_CHANNEL_ROTATION ? bit : 0;
    bits->moving |= channel == ANIM_CHANNEL_ROTATION && g->scale ? bit : 0;
    g->table = table;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        fill_lane(p, g, channel, lane, table);
        if (channel == ANIM_CHANNEL_ROTATION && g->mask[lane])
            describe_lane(p, g, lane, bits);
    }
}

void anim_pack_prepare_fast(const struct anim_pack* measured, anim_layout* layout,
                            struct anim_pack* pack, anim_pack_group* groups)
{
    uint32_t count = measured->skeleton->group_count, words = (count + 63) / 64;
    float* tables = anim_layout_take(layout, anim_pack_keyed_groups(measured) * ANIM_PACK_TABLE,
                                     sizeof *tables);
    const anim_pack_group** places = anim_layout_take(layout, 3 * (size_t)count, sizeof *places);
    anim_pack_bits* bits = anim_layout_take(layout, words, sizeof *bits);
    if (!layout->block)
        return;
    for (uint32_t i = 0; i < 3 * count; i++)
        places[i] = NULL;
    memset(bits, 0, words * sizeof *bits);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t channel = anim_pack_order[k];
        for (uint32_t i = 0; i < pack->counts[channel]; i++, groups++) {
            places[channel * count + groups->group] = groups;
            prepare_group(pack, channel, groups, tables, &bits[groups->group / 64]);
            tables += ANIM_PACK_TABLE;
        }
    }
    pack->places = places;
    pack->bits = bits;
}

bool anim_pack_open_fast(struct anim_pack* pack, const unsigned char* bytes, size_t from,
                         size_t size, anim_pack_group* groups)
{
    walk w = {bytes, from, size};
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t g = 0; g < pack->skeleton->group_count; g++) {
            anim_pack_group group;
            if (!open_group(pack, &w, anim_pack_order[k], g, &group))
                return false;
            if (!group.bias)
                continue;
            if (groups)
                *groups++ = group;
            pack->counts[anim_pack_order[k]]++;
        }
    pack->frame_stride = (pack->frame_stride + line - 1) / line * line;
    pack->frames = bytes; // where nothing moves
    if (pack->frame_stride == 0)
        return w.at == size;
    size_t start = (w.at + line - 1) / line * line;
    pack->frames = bytes + start;
    return pack->head.frames >= 2 && start <= size &&
           (size - start) / pack->frame_stride == pack->head.frames &&
           (size - start) % pack->frame_stride == 0;
}
