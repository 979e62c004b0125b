// SPDX-License-Identifier: MIT
// The decoders of packed tracks; pose/pack_format.h says what lies where. Compiled once for every machine
// and once for AVX2 (ANIM_WIDE): the same operations in the same order, so the same bits.
#pragma once

#include "math/simd.h"
#include "pose/pack_fast_kernel.h"
#include "pose/pack_format.h"

// --- small form ------------------------------------------------------------------------------------

// The bit of a record at which the next lane begins.
#if defined(ANIM_WIDE)
typedef anim_i8 place; // eight times the same
#else
typedef uint32_t place;
#endif

// The four records that a time needs, and where in each the next lane begins.
typedef struct moment {
    const unsigned char *near,
        *far; // keys: the one next to the frame of even number, and the other
    const unsigned char* residuals[ANIM_PACK_MOST_LEVEL];
    place near_at, residual_at[ANIM_PACK_MOST_LEVEL]; // near and far have the same widths
    const uint32_t* widths;                           // of the residuals
    uint32_t level;
    int32_t halfway; // all ones where the even frame is the middle of two keys
    float even, odd; // weights of the frames
} moment;

static void find_records(const struct anim_pack* p, double time, moment* m)
{
    anim_pack_place at = anim_pack_find(p, time);
    uint32_t frame = at.frame, level = p->head.level, key = frame >> level;
    *m = (moment){.level = level};
    bool is_odd = level > 0 && (frame & 1);
    bool from_far = level == 2 ? (frame & 2) != 0 : is_odd;
    m->near = p->keys + (size_t)(key + from_far) * p->key_stride;
    m->far = p->keys + (size_t)(key + !from_far) * p->key_stride;
    m->even = is_odd ? at.u : 1 - at.u;
    m->odd = is_odd ? 1 - at.u : at.u;
    if (level == 0)
        return;
    m->halfway = level == 2 && (frame & 3) - 1 < 2 ? -1
                                                   : 0; // frames 1 and 2 of four: the even one is 2
    uint32_t shift = p->head.segment_shift;
    uint32_t which = shift == ANIM_PACK_ONE_SEGMENT ? 0 : frame >> shift;
    const anim_pack_segment* s = &p->segments[which];
    frame -= shift == ANIM_PACK_ONE_SEGMENT ? 0 : which << shift;
    m->widths = s->widths;
    for (uint32_t l = 0; l < level; l++)
        m->residuals[l] = s->records[l] + (size_t)(frame >> (level - l)) * s->strides[l];
}

// Eight lanes of whole numbers: x, y, z.
typedef struct triple {
    anim_i8 v[3];
} triple;

#if defined(ANIM_WIDE)

// How to take eight lanes out of a record: lane i begins in the byte at[i].
typedef struct recipe {
    _Alignas(32) uint32_t at[ANIM_LANES];
    __m256i low[3], high[3]; // left shifts of 64 bits, for lanes 0 1 4 5 and 2 3 6 7
    __m256i back[3];         // right shifts of what is then on top of 32 bits
} recipe;

static inline __m256i spread_widths(uint32_t nibbles, __m256i base)
{
    const __m256i places = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i width = _mm256_srlv_epi32(_mm256_set1_epi32((int32_t)nibbles), places);
    width = _mm256_and_si256(width, _mm256_set1_epi32(15));
    __m256i none = _mm256_cmpeq_epi32(width, _mm256_setzero_si256());
    return _mm256_add_epi32(width, _mm256_andnot_si256(none, base));
}

// Sums of the first lanes, each with itself.
static inline __m256i sum_lanes(__m256i v)
{
    const __m256i upper = _mm256_setr_epi32(0, 0, 0, 0, -1, -1, -1, -1);
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    __m256i half = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    return _mm256_add_epi32(v, _mm256_and_si256(half, upper));
}

static inline void set_shifts(recipe* r, int i, __m256i width, __m256i shift)
{
    const __m256i zero = _mm256_setzero_si256(), all = _mm256_set1_epi32(64);
    shift = _mm256_blendv_epi8(shift, all, _mm256_cmpeq_epi32(width, zero));
    r->low[i] = _mm256_unpacklo_epi32(shift, zero);
    r->high[i] = _mm256_unpackhi_epi32(shift, zero);
    r->back[i] = _mm256_sub_epi32(_mm256_set1_epi32(32), width);
}

static inline place plan_group(const uint32_t* widths, uint32_t apart, uint32_t base, place at,
                               recipe* r)
{
    __m256i more = _mm256_set1_epi32((int32_t)base);
    __m256i x = spread_widths(widths[0], more), y = spread_widths(widths[apart], more),
            z = spread_widths(widths[2 * apart], more);
    __m256i xy = _mm256_add_epi32(x, y), whole = _mm256_add_epi32(xy, z), sums = sum_lanes(whole);
    __m256i start = _mm256_add_epi32(_mm256_sub_epi32(sums, whole), (__m256i)at);
    _mm256_store_si256((__m256i*)(void*)r->at, _mm256_srli_epi32(start, 3));
    __m256i room = _mm256_sub_epi32(_mm256_set1_epi32(64),
                                    _mm256_and_si256(start, _mm256_set1_epi32(7)));
    set_shifts(r, 0, x, _mm256_sub_epi32(room, x));
    set_shifts(r, 1, y, _mm256_sub_epi32(room, xy));
    set_shifts(r, 2, z, _mm256_sub_epi32(room, whole));
    return at + (anim_i8)_mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(7));
}

static inline __m128i load_two(const unsigned char* a, const unsigned char* b)
{
    __m128i low = _mm_loadl_epi64((const __m128i*)(const void*)a);
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(low), (const __m64*)(const void*)b));
}

static inline void follow(const unsigned char* record, const recipe* r, triple* out)
{
    const uint32_t* at = r->at;
    __m256i a = _mm256_inserti128_si256(
        _mm256_castsi128_si256(load_two(record + at[0], record + at[1])),
        load_two(record + at[4], record + at[5]), 1);
    __m256i b = _mm256_inserti128_si256(
        _mm256_castsi128_si256(load_two(record + at[2], record + at[3])),
        load_two(record + at[6], record + at[7]), 1);
    for (int i = 0; i < 3; i++) {
        __m256 low = _mm256_castsi256_ps(_mm256_sllv_epi64(a, r->low[i]));
        __m256 high = _mm256_castsi256_ps(_mm256_sllv_epi64(b, r->high[i]));
        __m256i top = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd));
        out->v[i] = (anim_i8)_mm256_srav_epi32(top, r->back[i]);
    }
}

// Eight lanes of one record, or of two whose widths are the same (`other` may be NULL). Returns where the
// next lanes begin.
static inline place take_group(const unsigned char* record, const unsigned char* other, place at,
                               const uint32_t* widths, uint32_t apart, uint32_t base, triple* out,
                               triple* other_out)
{
    recipe r;
    at = plan_group(widths, apart, base, at, &r);
    follow(record, &r, out);
    if (other)
        follow(other, &r, other_out);
    return at;
}

#else

static inline int32_t take_field(uint64_t* bits, uint32_t width)
{
    int64_t top = (int64_t)1 << width >> 1;
    int64_t value = (int64_t)(*bits & (((uint64_t)1 << width) - 1));
    *bits >>= width;
    return (int32_t)((value ^ top) - top);
}

static inline uint32_t width_of(uint32_t nibbles, uint32_t lane, uint32_t base)
{
    uint32_t width = nibbles >> 4 * lane & 15;
    return width ? width + base : 0;
}

static inline void take_lane(const unsigned char* record, uint32_t at, const uint32_t width[3],
                             uint32_t lane, int32_t out[3][ANIM_LANES])
{
    uint64_t bits;
    memcpy(&bits, record + at / 8, sizeof bits);
    bits >>= at % 8;
    for (int i = 0; i < 3; i++)
        out[i][lane] = take_field(&bits, width[i]);
}

// Eight lanes of one record, or of two whose widths are the same (`other` may be NULL). Returns where the
// next lanes begin.
static inline place take_group(const unsigned char* record, const unsigned char* other, place at,
                               const uint32_t* widths, uint32_t apart, uint32_t base, triple* out,
                               triple* other_out)
{
    int32_t values[3][ANIM_LANES], others[3][ANIM_LANES];
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++) {
        const uint32_t width[3] = {width_of(widths[0], lane, base),
                                   width_of(widths[apart], lane, base),
                                   width_of(widths[2 * apart], lane, base)};
        take_lane(record, at, width, lane, values);
        if (other)
            take_lane(other, at, width, lane, others);
        at += width[0] + width[1] + width[2];
    }
    memcpy(out, values, sizeof values);
    if (other)
        memcpy(other_out, others, sizeof others);
    return at;
}

#endif

// The even and the odd frame in units of step / 2^level.
typedef struct frames {
    anim_i8 even[3], odd[3];
} frames;

static inline void take_frames(const struct anim_pack* p, uint32_t group, moment* m, frames* out)
{
    triple near = {0}, far = {0}, r1 = {0}, r2 = {0};
    m->near_at = take_group(m->near, m->far, m->near_at, p->key_widths + (size_t)group * 3, 1,
                            p->head.base_width, &near, &far);
    const uint32_t* widths = m->level > 0 ? m->widths + (size_t)group * 3 * m->level : NULL;
    if (m->level > 0)
        m->residual_at[0] = take_group(m->residuals[0], NULL, m->residual_at[0], widths, m->level,
                                       0, &r1, NULL);
    if (m->level > 1)
        m->residual_at[1] = take_group(m->residuals[1], NULL, m->residual_at[1], widths + 1, 2, 0,
                                       &r2, NULL);
    for (int i = 0; i < 3; i++) {
        anim_i8 a = near.v[i], b = far.v[i];
        if (m->level == 0) {
            out->even[i] = a;
            out->odd[i] = b;
        } else if (m->level == 1) {
            out->even[i] = a + a;
            out->odd[i] = (a + b) + (r1.v[i] + r1.v[i]);
        } else {
            anim_i8 across = (b - a) + (r1.v[i] + r1.v[i]), four = a << 2;
            out->even[i] = four + ((across + across) & m->halfway);
            out->odd[i] = (four + across) + (r1.v[i] + (r2.v[i] << 2));
        }
    }
}

static anim_f8 scaled(anim_i8 values, anim_f8 step)
{
    return anim_i8_to_f8(values) * step;
}

static inline anim_f8 load_i16(const int16_t* from)
{
#if defined(ANIM_WIDE)
    __m128i v = _mm_loadu_si128((const __m128i*)(const void*)from);
    return (anim_f8)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(v));
#else
    return (anim_f8){from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
#endif
}

static inline anim_i8 load_u8(const unsigned char* from)
{
#if defined(ANIM_WIDE)
    return (anim_i8)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)(const void*)from));
#else
    return (anim_i8){from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]};
#endif
}

static inline anim_f8 steps_of(const unsigned char* codes, uint32_t level)
{
    return (anim_f8)((load_u8(codes) << 20) + (int32_t)((97 - level) << 23));
}

// (2 u sqrt(1 - |u|^2), 1 - 2 |u|^2): of axis sin(angle / 4) the whole quaternion; unit for every u.
static anim_quat8 open_quarter(anim_f8 x, anim_f8 y, anim_f8 z)
{
    anim_f8 one = anim_f8_splat(1);
    anim_f8 square = (x * x + y * y) + z * z;
    square = anim_f8_select(anim_f8_greater(one, square), square, one); // hostile files have more
    anim_f8 w = anim_f8_sqrt(1.0f - square);
    w += w;
    return (anim_quat8){x * w, y * w, z * w, 1.0f - (square + square)};
}

static anim_quat8 mix_along_arc(const anim_quat8* a, const anim_quat8* b, float u, const float k[4])
{
    anim_f8 x = b->x - a->x, y = b->y - a->y, z = b->z - a->z, w = b->w - a->w;
    anim_f8 square = ((x * x + y * y) + (z * z + w * w)) * 0.25f;
    anim_f8 v = u + square * (k[0] + square * (k[1] + square * (k[2] + square * k[3])));
    return (anim_quat8){a->x + x * v, a->y + y * v, a->z + z * v, a->w + w * v};
}

// The place of a slot in the first row of a channel; the next row is ANIM_LANES further.
static inline float* find_lane(anim_pose_group* out, uint32_t slot, anim_channel channel)
{
    static const size_t first[] = {0, 3 * ANIM_LANES, 7 * ANIM_LANES};
    return (float*)(void*)&out[slot / ANIM_LANES] + first[channel] + slot % ANIM_LANES;
}

_Static_assert(sizeof(anim_pose_group) == 10 * ANIM_LANES * sizeof(float),
               "rows lie as find_lane says");

static inline void put_rotations(const uint16_t* slots, uint32_t count, const anim_quat8* q,
                                 anim_pose_group* out)
{
    float rows[4][ANIM_LANES];
    anim_f8_store(rows[0], q->x);
    anim_f8_store(rows[1], q->y);
    anim_f8_store(rows[2], q->z);
    anim_f8_store(rows[3], q->w);
    for (uint32_t lane = 0; lane < count; lane++) {
        float* to = find_lane(out, slots[lane], ANIM_CHANNEL_ROTATION);
        to[0] = rows[0][lane];
        to[ANIM_LANES] = rows[1][lane];
        to[2 * ANIM_LANES] = rows[2][lane];
        to[3 * ANIM_LANES] = rows[3][lane];
    }
}

static inline void add_vectors(const uint16_t* slots, uint32_t count, anim_channel channel,
                               const anim_f8* values, anim_pose_group* out)
{
    float rows[3][ANIM_LANES];
    for (uint32_t r = 0; r < 3; r++)
        anim_f8_store(rows[r], values[r]);
    for (uint32_t lane = 0; lane < count; lane++) {
        float* to = find_lane(out, slots[lane], channel);
        to[0] += rows[0][lane];
        to[ANIM_LANES] += rows[1][lane];
        to[2 * ANIM_LANES] += rows[2][lane];
    }
}

static uint32_t lanes_left(uint32_t count, uint32_t from)
{
    return count - from < ANIM_LANES ? count - from : ANIM_LANES;
}

static void sample_rotations(const struct anim_pack* p, moment* m, anim_pose_group* out)
{
    const float k = ANIM_PACK_CENTRE;
    const anim_pack_stream* s = &p->streams[ANIM_CHANNEL_ROTATION];
    float arc[4];
    anim_pack_arc(m->even < m->odd ? m->even : m->odd, arc);
    for (uint32_t i = 0; i < s->moving; i += ANIM_LANES) {
        frames f;
        take_frames(p, i / ANIM_LANES, m, &f);
        anim_f8 step = steps_of(p->codes + i, m->level);
        anim_quat8 even = open_quarter(scaled(f.even[0], step), scaled(f.even[1], step),
                                       scaled(f.even[2], step));
        anim_quat8 odd = open_quarter(scaled(f.odd[0], step), scaled(f.odd[1], step),
                                      scaled(f.odd[2], step));
        anim_quat8 d = m->even < m->odd ? mix_along_arc(&odd, &even, m->even, arc)
                                        : mix_along_arc(&even, &odd, m->odd, arc);
        const int16_t* centre = p->centres + i;
        anim_f8 x = load_i16(centre), y = load_i16(centre + p->track_count),
                z = load_i16(centre + 2 * (size_t)p->track_count);
        anim_quat8 ref = {x * (2 * k), y * (2 * k), z * (2 * k), k * k - ((x * x + y * y) + z * z)};
        anim_quat8 q = anim_quat8_mul(&ref, &d);
        q = anim_quat8_normalize(&q);
        put_rotations(p->lane_slots + i, lanes_left(s->moving, i), &q, out);
    }
}

static void sample_vectors(const struct anim_pack* p, anim_channel channel, moment* m,
                           anim_pose_group* out)
{
    const anim_pack_stream* s = &p->streams[channel];
    float unit = p->head.unit[channel == ANIM_CHANNEL_SCALE];
    for (uint32_t i = 0; i < s->moving; i += ANIM_LANES) {
        frames f;
        take_frames(p, (s->lane + i) / ANIM_LANES, m, &f);
        anim_f8 step = steps_of(p->codes + s->track + i, m->level), rows[3];
        const int16_t* centre = p->centres + s->track + i;
        for (int c = 0; c < 3; c++)
            rows[c] = (scaled(f.even[c], step) * m->even + scaled(f.odd[c], step) * m->odd) +
                      load_i16(centre + (size_t)c * p->track_count) * unit;
        add_vectors(p->lane_slots + s->lane + i, lanes_left(s->moving, i), channel, rows, out);
    }
}

// The low bytes of one component: those of the fine lanes, in order.
static anim_f8 take_low(const unsigned char* from, uint32_t fine)
{
    int32_t low[ANIM_LANES] = {0};
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++)
        if (fine >> lane & 1)
            low[lane] = *from++;
    anim_i8 whole;
    memcpy(&whole, low, sizeof whole);
    return anim_i8_to_f8(whole) * (1.0f / 256);
}

static void sample_still_rotations(const struct anim_pack* p, anim_pose_group* out)
{
    uint32_t still = p->streams[ANIM_CHANNEL_ROTATION].still;
    const unsigned char* low = p->still_low;
    for (uint32_t i = 0; i < still; i += ANIM_LANES) {
        uint32_t count = lanes_left(still, i);
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
        anim_quat8 q = open_quarter(u[0], u[1], u[2]);
        put_rotations(p->still_slots + i, count, &q, out);
    }
}

static void put_still_vectors(const struct anim_pack* p, anim_pose_group* out)
{
    const uint16_t* slot = p->still_slots + p->streams[ANIM_CHANNEL_ROTATION].still;
    const float* from = p->still_values;
    for (uint32_t i = 0; i < p->streams[ANIM_CHANNEL_TRANSLATION].still; i++, from += 3, slot++)
        for (int c = 0; c < 3; c++)
            out[*slot / ANIM_LANES].t[c][*slot % ANIM_LANES] = from[c];
    for (uint32_t i = 0; i < p->streams[ANIM_CHANNEL_SCALE].still; i++, from += 3, slot++)
        for (int c = 0; c < 3; c++)
            out[*slot / ANIM_LANES].s[c][*slot % ANIM_LANES] = from[c];
}

static void sample_small(const struct anim_pack* pack, double time, anim_pose_group* out)
{
    sample_still_rotations(pack, out);
    put_still_vectors(pack, out);
    if (pack->track_count == 0)
        return;
    moment m;
    find_records(pack, time, &m);
    sample_rotations(pack, &m, out);
    sample_vectors(pack, ANIM_CHANNEL_TRANSLATION, &m, out);
    sample_vectors(pack, ANIM_CHANNEL_SCALE, &m, out);
}

// --- both ------------------------------------------------------------------------------------------

static void sample_packed(const struct anim_pack* pack, double time, anim_pose_group* out)
{
    const anim_pack_term alone = {pack, time, 1};
    if (pack->head.form == ANIM_PACK_FAST)
        mix_fast(&alone, 1, out, pack->skeleton->group_count, NULL, out);
    else
        sample_small(pack, time, out);
}
