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
        uint32_t joint = group * ANIM_LANES + lane;
        uint32_t kind = joint < p->skeleton->joint_count ? anim_pack_class(p, channel, joint)
                                                         : ANIM_PACK_UNKEYED;
        moving += kind == ANIM_PACK_MOVING;
        still += kind == ANIM_PACK_STILL;
        out->mask[lane] = kind == ANIM_PACK_MOVING || kind == ANIM_PACK_STILL ? -1 : 0;
    }
    out->group = group;
    out->at = p->frame_stride;
    out->bias = out->scale = NULL;
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
    if (pack->frame_stride == 0)
        return w.at == size;
    size_t start = (w.at + line - 1) / line * line;
    pack->frames = bytes + start;
    return pack->head.frames >= 2 && start <= size &&
           (size - start) / pack->frame_stride == pack->head.frames &&
           (size - start) % pack->frame_stride == 0;
}
