// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "pose/pack_encode.h"

#include <string.h>

// Runs twice: without bytes it only adds up.
typedef struct writer {
    const anim_packing* p;
    unsigned char* bytes;
    size_t size;
    const anim_packing_track** lanes; // padded with NULL
    uint32_t lane_count;
    uint32_t base;
} writer;

static void align(writer* w, size_t alignment)
{
    w->size = (w->size + alignment - 1) / alignment * alignment;
}

static void put(writer* w, const void* from, size_t size)
{
    if (w->bytes)
        memcpy(w->bytes + w->size, from, size);
    w->size += size;
}

static void put_u8(writer* w, int32_t value)
{
    unsigned char byte = (unsigned char)value;
    put(w, &byte, 1);
}

static void put_i16(writer* w, int32_t value)
{
    int16_t number = (int16_t)value;
    put(w, &number, sizeof number);
}

static void put_classes(writer* w)
{
    const anim_packing* p = w->p;
    size_t stride = (p->skeleton->joint_count + 3) / 4;
    for (uint32_t i = 0; i < p->keys->track_count && w->bytes; i++) {
        const anim_packing_track* t = &p->tracks[i];
        if (t->kind == ANIM_PACK_EXACT)
            continue;
        uint32_t joint = t->source->joint;
        w->bytes[w->size + t->source->channel * stride + joint / 4] |=
            (unsigned char)(t->kind << joint % 4 * 2);
    }
    w->size += 3 * stride;
}

// The next track after `from` of a channel and kind, as they lie in a pose.
static const anim_packing_track* next_track(const writer* w, const anim_packing_track* from,
                                            int channel, uint32_t kind)
{
    const anim_packing_track* t = from ? from + 1 : w->p->tracks;
    for (; t < w->p->tracks + w->p->keys->track_count; t++)
        if (t->source->channel == channel && t->kind == kind)
            return t;
    return NULL;
}

static void put_still_rotations(writer* w)
{
    const anim_packing_track* t;
    const int turn = ANIM_CHANNEL_ROTATION;
    align(w, 2);
    for (int c = 0; c < 3; c++)
        for (t = NULL; (t = next_track(w, t, turn, ANIM_PACK_STILL)) != NULL;)
            put_i16(w, t->fine ? (t->centre_code[c] & ~255) / 256 : t->centre_code[c]);
    uint32_t count = 0, byte = 0;
    for (t = NULL; (t = next_track(w, t, turn, ANIM_PACK_STILL)) != NULL;) {
        byte |= (uint32_t)t->fine << count % 8;
        if (++count % 8 == 0) {
            put_u8(w, (int32_t)byte);
            byte = 0;
        }
    }
    if (count % 8 != 0)
        put_u8(w, (int32_t)byte);
    for (int c = 0; c < 3; c++)
        for (t = NULL; (t = next_track(w, t, turn, ANIM_PACK_STILL)) != NULL;)
            if (t->fine)
                put_u8(w, t->centre_code[c] & 255);
}

static void put_still_vectors(writer* w)
{
    align(w, 4);
    for (int k = 1; k < 3; k++) {
        const anim_packing_track* t = NULL;
        while ((t = next_track(w, t, anim_pack_order[k], ANIM_PACK_STILL)) != NULL) {
            const float v[3] = {(float)t->centre[0], (float)t->centre[1], (float)t->centre[2]};
            put(w, v, sizeof v);
        }
    }
}

// --- small form ------------------------------------------------------------------------------------

static void put_tracks(writer* w)
{
    for (uint32_t i = 0; i < w->lane_count; i++)
        if (w->lanes[i])
            put_u8(w, w->lanes[i]->step);
    align(w, 2);
    for (int c = 0; c < 3; c++)
        for (uint32_t i = 0; i < w->lane_count; i++)
            if (w->lanes[i])
                put_i16(w, w->lanes[i]->centre_code[c]);
}

// Widths, and where they lie, of keys (segment < 0) or of residuals.
static uint32_t width_of(const writer* w, const anim_packing_track* t, int segment, uint32_t level,
                         int c)
{
    if (!t)
        return 0;
    if (segment >= 0)
        return t->widths[((uint32_t)segment * w->p->level + level) * 3 + (uint32_t)c];
    uint32_t width = t->key_width[c];
    if (t == w->lanes[0] && c == 0 && width == 0)
        width = 1; // a record has at least a bit
    return width == 0 ? 0 : width > w->base ? width : w->base + 1;
}

static void put_widths(writer* w, uint32_t group, int segment, uint32_t level, int c)
{
    uint32_t word = 0, base = segment < 0 ? w->base : 0;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        uint32_t width = width_of(w, w->lanes[group * ANIM_LANES + lane], segment, level, c);
        word |= (width ? width - base : 0) << 4 * lane;
    }
    put(w, &word, sizeof word);
}

static void put_record(writer* w, int segment, uint32_t level, uint32_t frame)
{
    uint64_t bits = 0;
    uint32_t held = 0;
    for (uint32_t i = 0; i < w->lane_count; i++)
        for (int c = 0; c < 3 && w->lanes[i]; c++) {
            uint32_t width = width_of(w, w->lanes[i], segment, level, c);
            uint64_t code = (uint32_t)w->lanes[i]->codes[3 * (size_t)frame + (size_t)c];
            bits |= (code & (((uint64_t)1 << width) - 1)) << held;
            held += width;
            for (; held >= 8; held -= 8, bits >>= 8)
                put_u8(w, (int32_t)(bits & 255));
        }
    if (held > 0)
        put_u8(w, (int32_t)(bits & 255));
}

static void put_segments(writer* w)
{
    const anim_packing* p = w->p;
    for (uint32_t s = 0; s < p->segment_count; s++) {
        align(w, 4);
        for (uint32_t g = 0; g < w->lane_count / ANIM_LANES; g++)
            for (int c = 0; c < 3; c++)
                for (uint32_t l = 0; l < p->level; l++)
                    put_widths(w, g, (int)s, l, c);
        uint32_t first = p->segment_shift == ANIM_PACK_ONE_SEGMENT ? 0 : s << p->segment_shift;
        uint32_t end = s + 1 < p->segment_count ? first + (1u << p->segment_shift) : p->slots - 1;
        for (uint32_t l = 0; l < p->level; l++) {
            uint32_t apart = 1u << (p->level - l);
            for (uint32_t f = first + apart / 2; f < end; f += apart)
                put_record(w, (int)s, l, f);
        }
    }
}

static void put_small(writer* w)
{
    const anim_packing* p = w->p;
    put_tracks(w);
    align(w, 4);
    for (uint32_t g = 0; g < w->lane_count / ANIM_LANES; g++)
        for (int c = 0; c < 3; c++)
            put_widths(w, g, -1, 0, c);
    for (uint32_t k = 0; k < p->key_count; k++)
        put_record(w, -1, 0, k << p->level);
    put_segments(w);
}

static bool list_lanes(writer* w)
{
    const anim_packing* p = w->p;
    w->lanes = anim_arena_alloc(p->arena, p->moving_count + 3 * (size_t)ANIM_LANES,
                                sizeof(const anim_packing_track*));
    if (!w->lanes)
        return false;
    for (int k = 0; k < 3; k++) {
        const anim_packing_track* t = NULL;
        while ((t = next_track(w, t, anim_pack_order[k], ANIM_PACK_MOVING)) != NULL) {
            w->lanes[w->lane_count++] = t;
            for (int c = 0; c < 3; c++)
                if (t->key_width[c] > w->base + 15)
                    w->base = t->key_width[c] - 15u;
        }
        w->lane_count = anim_group_count(w->lane_count) * ANIM_LANES;
    }
    return true;
}

static bool put_all(writer* w)
{
    const anim_packing* p = w->p;
    anim_pack_header header = {
        .size = (uint32_t)w->size,
        .form = (uint8_t)p->form,
        .level = (uint8_t)(p->moving_count > 0 ? p->level : 0),
        .segment_shift = (uint8_t)(p->moving_count > 0 ? p->segment_shift : ANIM_PACK_ONE_SEGMENT),
        .base_width = (uint8_t)w->base,
        .frames = p->moving_count > 0 ? p->frames : 1,
        .unit = {(float)p->unit[0], (float)p->unit[1]},
        .start = p->start,
        .step = p->step,
        .last_key = p->keys->last_key,
    };
    w->size = 0;
    put(w, &header, sizeof header);
    put_classes(w);
    if (p->form == ANIM_PACK_FAST)
        return anim_packing_put_fast(p, w->bytes, &w->size);
    put_still_rotations(w);
    put_still_vectors(w);
    if (p->moving_count > 0)
        put_small(w);
    return true;
}

anim_code anim_packing_write(const anim_packing* p, void** bytes, size_t* size, anim_error* err)
{
    writer w = {.p = p};
    if (!list_lanes(&w) || !put_all(&w))
        return anim_fail_memory(err, "a packed clip");
    if (w.size > UINT32_MAX)
        return anim_fail(err, ANIM_ERR_LIMIT, "a packed clip of more than 4 GiB");
    w.bytes = anim_mem_alloc(w.size);
    if (!w.bytes || !put_all(&w)) {
        anim_mem_free(w.bytes);
        return anim_fail_memory(err, "a packed clip");
    }
    *bytes = w.bytes;
    *size = w.size;
    return ANIM_OK;
}
