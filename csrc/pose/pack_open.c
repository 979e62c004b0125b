// SPDX-License-Identifier: MIT

#include "pose/pack_format.h"

#include <math.h>

// Takes the parts one after the other out of the block.
typedef struct cursor {
    const unsigned char* bytes;
    size_t at, size;
    bool over; // more was asked for than there is
} cursor;

static const void* take(cursor* c, uint64_t count, size_t element, size_t alignment)
{
    size_t start = (c->at + alignment - 1) / alignment * alignment;
    if (c->over || start > c->size || count > (c->size - start) / element) {
        c->over = true;
        return NULL;
    }
    for (; c->at < start; c->at++)
        c->over = c->over || c->bytes[c->at] != 0;
    c->at = start + (size_t)count * element;
    return c->bytes + start;
}

static bool is_number(double x, double least, double most)
{
    return x >= least && x <= most;
}

static bool is_header_fine(const anim_pack_header* h, size_t size)
{
    const double latest = 1e9, largest = 1e12;
    return h->size == size && h->form <= ANIM_PACK_FAST && h->level <= ANIM_PACK_MOST_LEVEL &&
           h->base_width <= ANIM_PACK_MOST_BASE && h->frames > 0 && h->reserved == 0 &&
           (h->segment_shift == ANIM_PACK_ONE_SEGMENT ||
            (h->segment_shift >= 3 && h->segment_shift <= 16)) &&
           is_number((double)h->unit[0], 0, largest) && is_number((double)h->unit[1], 0, largest) &&
           is_number(h->start, 0, latest) && is_number(h->step, 1e-9, latest) &&
           is_number(h->last_key, 0, latest) && h->start + h->step * (h->frames - 1.0) <= latest;
}

static void count_classes(struct anim_pack* p)
{
    uint32_t lane = 0, track = 0;
    for (int k = 0; k < 3; k++) {
        anim_pack_stream* s = &p->streams[anim_pack_order[k]];
        for (uint32_t j = 0; j < p->skeleton->joint_count; j++) {
            uint32_t kind = anim_pack_class(p, anim_pack_order[k], j);
            s->moving += kind == ANIM_PACK_MOVING;
            s->still += kind == ANIM_PACK_STILL;
        }
        s->lane = lane;
        s->track = track;
        lane += anim_group_count(s->moving) * ANIM_LANES;
        track += s->moving;
    }
    p->group_count = lane / ANIM_LANES;
    p->track_count = track;
}

static void open_still(struct anim_pack* p, cursor* c)
{
    uint32_t turns = p->streams[ANIM_CHANNEL_ROTATION].still;
    p->still_rotations = take(c, turns, 3 * sizeof(int16_t), 2);
    p->still_fine = take(c, (turns + 7) / 8, 1, 1);
    for (uint32_t i = 0; i < turns && !c->over; i++)
        p->fine_count += p->still_fine[i / 8] >> i % 8 & 1;
    p->still_low = take(c, p->fine_count, 3, 1);
    uint32_t count = p->streams[ANIM_CHANNEL_TRANSLATION].still +
                     p->streams[ANIM_CHANNEL_SCALE].still;
    p->still_values = take(c, count, 3 * sizeof(float), 4);
    if (p->still_values && !anim_floats_are_within(p->still_values, 3 * (size_t)count, 1e27f))
        c->over = true;
}

// --- small form ------------------------------------------------------------------------------------

// Bytes of a record whose widths are at `widths`, `apart` words from group to group; 0: not allowed.
static uint32_t record_bytes(const uint32_t* widths, uint32_t groups, uint32_t apart, uint32_t next,
                             uint32_t base, bool* fine)
{
    uint64_t bits = 0;
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < 3; i++)
                sum += anim_pack_width(widths[g * apart + i * next], lane, base);
            *fine = *fine && sum <= ANIM_PACK_MOST_BITS;
            bits += sum;
        }
    return (uint32_t)((bits + 7) / 8);
}

static void open_segments(struct anim_pack* p, cursor* c, anim_pack_segment* segments)
{
    uint32_t level = p->head.level, groups = p->group_count;
    uint32_t frames = (p->key_count - 1) << level, shift = p->head.segment_shift;
    for (uint32_t s = 0; s < p->segment_count && !c->over; s++) {
        uint32_t first = shift == ANIM_PACK_ONE_SEGMENT ? 0 : s << shift;
        uint32_t count = s + 1 < p->segment_count ? 1u << shift : frames - first;
        anim_pack_segment segment = {.widths = take(c, (uint64_t)groups * level, 12, 4)};
        for (uint32_t l = 0; l < level && !c->over; l++) {
            bool fine = true;
            segment.strides[l] = record_bytes(segment.widths + l, groups, 3 * level, level, 0,
                                              &fine);
            segment.records[l] = take(c, (uint64_t)(count >> (level - l)) * segment.strides[l], 1,
                                      1);
            c->over = c->over || !fine;
        }
        if (segments && !c->over)
            segments[s] = segment;
    }
}

static void open_small(struct anim_pack* p, cursor* c)
{
    bool fine = true;
    p->codes = take(c, p->track_count, 1, 1);
    p->centres = take(c, p->track_count, 3 * sizeof(int16_t), 2);
    p->key_widths = take(c, p->group_count, 3 * sizeof(uint32_t), 4);
    if (c->over)
        return;
    p->key_stride = record_bytes(p->key_widths, p->group_count, 3, 1, p->head.base_width, &fine);
    if (!fine || p->key_stride == 0 || p->head.frames < 2) {
        c->over = true;
        return;
    }
    uint32_t last = p->head.frames - 1, level = p->head.level;
    p->key_count = (last >> level) + ((last & ((1u << level) - 1)) != 0) + 1;
    p->keys = take(c, p->key_count, p->key_stride, 1);
    uint32_t frames = (p->key_count - 1) << level;
    if (level > 0)
        p->segment_count = p->head.segment_shift == ANIM_PACK_ONE_SEGMENT
                               ? 1
                               : ((frames - 1) >> p->head.segment_shift) + 1;
}

// --- all ---------------------------------------------------------------------------------------------

static anim_code open(struct anim_pack* p, cursor* c, anim_pack_segment* segments,
                      anim_pack_group* groups)
{
    const anim_pack_header* h = take(c, 1, sizeof *h, 8);
    if (!h || !is_header_fine(h, c->size))
        return ANIM_ERR_FORMAT;
    p->head = *h;
    p->end = h->start + h->step * (h->frames - 1.0);
    p->rate = 1 / h->step;
    p->class_stride = (p->skeleton->joint_count + 3) / 4;
    p->classes = take(c, 3 * (uint64_t)p->class_stride, 1, 1);
    if (c->over)
        return ANIM_ERR_FORMAT;
    count_classes(p);
    if (h->form == ANIM_PACK_FAST)
        return anim_pack_open_fast(p, c->bytes, c->at, c->size, groups) ? ANIM_OK : ANIM_ERR_FORMAT;
    open_still(p, c);
    if (p->track_count > 0 && !c->over) {
        open_small(p, c);
        open_segments(p, c, segments);
    }
    return c->over || c->at != c->size ? ANIM_ERR_FORMAT : ANIM_OK;
}

// A copy; that of the fast form begins with a cache line.
static unsigned char* copy_bytes(anim_layout* layout, const void* bytes, size_t size, bool is_fast)
{
    const size_t line = is_fast ? 64 : 8;
    unsigned char* room = anim_layout_take(layout, size + ANIM_PACK_PADDING + line, 1);
    if (!room)
        return NULL;
    unsigned char* copy = room + (line - (uintptr_t)room % line) % line;
    memcpy(copy, bytes, size);
    return copy;
}

anim_code anim_pack_open(const void* bytes, size_t size, const anim_skeleton* skeleton,
                         bool additive, anim_layout* layout, struct anim_pack** pack,
                         anim_error* err)
{
    struct anim_pack measured = {.skeleton = skeleton, .additive = additive};
    cursor c = {.bytes = bytes, .size = size};
    if (open(&measured, &c, NULL, NULL))
        return anim_fail(err, ANIM_ERR_FORMAT, "packed tracks are not what they should be");
    bool is_fast = measured.head.form == ANIM_PACK_FAST;
    struct anim_pack* p = anim_layout_take(layout, 1, sizeof *p);
    anim_pack_segment* segments = anim_layout_take(layout, measured.segment_count,
                                                   sizeof *segments);
    anim_pack_group* groups = anim_layout_take(layout, anim_pack_keyed_groups(&measured),
                                               sizeof *groups);
    const unsigned char* copy = copy_bytes(layout, bytes, size, is_fast);
    if (layout->block) {
        *p = (struct anim_pack){.skeleton = skeleton, .additive = additive, .bytes = copy};
        c = (cursor){.bytes = copy, .size = size};
        open(p, &c, segments, groups);
        p->segments = segments;
        p->groups = groups;
        *pack = p;
    }
    if (is_fast)
        anim_pack_prepare_fast(&measured, layout, p, groups);
    else
        anim_pack_prepare_small(&measured, layout, p);
    return ANIM_OK;
}

anim_pack_form anim_clip_form(const anim_clip* clip)
{
    return (anim_pack_form)clip->keys->pack->head.form;
}
