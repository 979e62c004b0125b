// SPDX-License-Identifier: MIT
// Frames of the fast form: sixteen bits over the range that a number of a joint has in the clip.
#include "pose/pack_encode.h"

#include <string.h>

// One number of one joint, frame by frame.
typedef struct component {
    const double* values; // 4 apart
    uint32_t frames;
    double bias, scale;
} component;

static void find_range(component* c)
{
    const double most = 32767;
    double low = c->values[0], high = low;
    for (uint32_t f = 1; f < c->frames; f++) {
        low = fmin(low, c->values[4 * (size_t)f]);
        high = fmax(high, c->values[4 * (size_t)f]);
    }
    c->bias = (double)(float)(0.5 * (low + high));
    double reach = fmax(high - c->bias, c->bias - low);
    c->scale = (double)(float)(reach / most);
    if (c->scale * most < reach)
        c->scale = (double)(float)(reach / most * (1 + 1e-6));
}

static int32_t code_of(const component* c, uint32_t frame)
{
    if (!(c->scale > 0))
        return 0;
    double code = floor((c->values[4 * (size_t)frame] - c->bias) / c->scale + 0.5);
    return (int32_t)fmax(-32767, fmin(32767, code));
}

// Values of a moving track, 4 a frame; rotations on one side, most of them that of the rest pose.
static void sample_track(const anim_packing* p, const anim_packing_track* t, double* out)
{
    double side = 0;
    const float* rest = p->skeleton->rest_xforms[t->source->joint].q;
    for (uint32_t f = 0; f < p->frames; f++, out += 4) {
        float v[4] = {0};
        double dot = 0;
        anim_track_sample(p->keys, t->source, anim_packing_time(p, f), v);
        for (int i = 0; i < 4; i++) {
            out[i] = (double)v[i];
            dot += f > 0 ? out[i] * out[i - 4] : 0;
        }
        for (int i = 0; i < 4 && anim_packing_is_rotation(t); i++) {
            out[i] = dot < 0 ? -out[i] : out[i];
            side += out[i] * (p->keys->additive ? (double)(i == 3) : (double)rest[i]);
        }
    }
    out -= 4 * (size_t)p->frames;
    for (size_t i = 0; i < 4 * (size_t)p->frames && side < 0; i++)
        out[i] = -out[i];
}

typedef struct writer {
    const anim_packing* p;
    unsigned char* bytes; // NULL: only adds up
    size_t size;
    const anim_packing_track** lanes; // of all channels and groups; NULL: nothing there
    double* values;                   // of one track
    size_t frames_at;
    uint32_t frame_stride, frame_at;
} writer;

static float* take_table(writer* w, uint32_t rows)
{
    size_t start = (w->size + 3) / 4 * 4;
    w->size = start + rows * ANIM_LANES * sizeof(float);
    return w->bytes ? (float*)(void*)(w->bytes + start) : NULL;
}

static void put_lane(writer* w, const anim_packing_track* t, uint32_t lane, uint32_t rows,
                     float* bias, float* scale)
{
    const anim_packing* p = w->p;
    bool moves = t->kind == ANIM_PACK_MOVING;
    if (moves)
        sample_track(p, t, w->values);
    for (uint32_t r = 0; r < rows; r++) {
        component c = {w->values + r, p->frames, t->centre[r], 0};
        if (moves)
            find_range(&c);
        bias[r * ANIM_LANES + lane] = (float)c.bias;
        if (!moves)
            continue;
        scale[r * ANIM_LANES + lane] = (float)c.scale;
        for (uint32_t f = 0; f < p->frames; f++) {
            int16_t code = (int16_t)code_of(&c, f);
            memcpy(w->bytes + w->frames_at + (size_t)f * w->frame_stride + w->frame_at +
                       (anim_pack_row(rows, r) * ANIM_LANES + lane) * sizeof code,
                   &code, sizeof code);
        }
    }
}

static void put_group(writer* w, const anim_packing_track* const* lanes, uint32_t rows)
{
    bool any = false, moves = false;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        any = any || lanes[lane];
        moves = moves || (lanes[lane] && lanes[lane]->kind == ANIM_PACK_MOVING);
    }
    if (!any)
        return;
    float *bias = take_table(w, rows), *scale = moves ? take_table(w, rows) : NULL;
    for (uint32_t lane = 0; lane < ANIM_LANES && w->bytes; lane++) {
        if (rows == 4) // lanes that stand for nothing are identities
            bias[3 * ANIM_LANES + lane] = 1;
        if (lanes[lane])
            put_lane(w, lanes[lane], lane, rows, bias, scale);
    }
    w->frame_at += moves ? rows * ANIM_LANES * (uint32_t)sizeof(int16_t) : 0;
}

static bool list_lanes(writer* w)
{
    const anim_packing* p = w->p;
    size_t lanes = p->skeleton->group_count * (size_t)ANIM_LANES;
    w->lanes = anim_arena_alloc(p->arena, 3 * lanes, sizeof(const anim_packing_track*));
    w->values = anim_arena_alloc(p->arena, p->frames, 4 * sizeof *w->values);
    for (uint32_t i = 0; i < p->keys->track_count && w->lanes; i++) {
        const anim_packing_track* t = &p->tracks[i];
        if (t->kind == ANIM_PACK_STILL || t->kind == ANIM_PACK_MOVING)
            w->lanes[t->source->channel * lanes + p->skeleton->slots[t->source->joint]] = t;
    }
    return w->lanes && w->values;
}

static void put_all(writer* w, size_t from)
{
    const size_t line = 64;
    uint32_t groups = w->p->skeleton->group_count;
    w->size = from;
    w->frame_at = 0;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t g = 0; g < groups; g++)
            put_group(w, w->lanes + (anim_pack_order[k] * groups + g) * (size_t)ANIM_LANES,
                      anim_pack_rows(anim_pack_order[k]));
    if (w->frame_at == 0)
        return;
    w->frame_stride = (w->frame_at + (uint32_t)line - 1) / (uint32_t)line * (uint32_t)line;
    w->frames_at = (w->size + line - 1) / line * line;
    w->size = w->frames_at + (size_t)w->frame_stride * w->p->frames;
}

bool anim_packing_put_fast(const anim_packing* p, unsigned char* bytes, size_t* size)
{
    writer w = {.p = p};
    if (!list_lanes(&w))
        return false;
    put_all(&w, *size);
    size_t from = *size;
    *size = w.size;
    w.bytes = bytes;
    if (bytes)
        put_all(&w, from);
    return true;
}
