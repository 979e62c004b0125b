// SPDX-License-Identifier: MIT
// Local to model space, and palettes. Compiled for each width: math/lanes.h.
#pragma once

#include "math/lanes.h"
#include "pose/kernels.h"

// No element of a model-space matrix is larger: what two of them multiplied give can still be told from
// infinity, so whatever a script or a file makes of scales down a chain, no matrix is ever not a number.
#define MOST ANIM_MODEL_MOST

// --- local matrices ----------------------------------------------------------------------------------

// The matrices of some lanes of a group, by element: m[4 * row + column].
static inline void local_planes(const anim_pose_group* g, uint32_t lane, lanes m[12])
{
    const lanes one = lanes_splat(1);
    lanes x = lanes_load(g->q[0] + lane), y = lanes_load(g->q[1] + lane);
    lanes z = lanes_load(g->q[2] + lane), w = lanes_load(g->q[3] + lane);
    lanes x2 = x + x, y2 = y + y, z2 = z + z;
    lanes xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    lanes wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = one - (yy + zz), m[1] = xy - wz, m[2] = xz + wy;
    m[4] = xy + wz, m[5] = one - (xx + zz), m[6] = yz - wx;
    m[8] = xz - wy, m[9] = yz + wx, m[10] = one - (xx + yy);
    for (int row = 0; row < 3; row++)
        m[4 * row + 3] = lanes_clamp(lanes_load(g->t[row] + lane), MOST);
    lanes sx = lanes_load(g->s[0] + lane), sy = lanes_load(g->s[1] + lane);
    lanes sz = lanes_load(g->s[2] + lane);
    if (!lanes_any(lanes_differ(sx, one) | lanes_differ(sy, one) | lanes_differ(sz, one)))
        return; // times 1 is the same number
    for (int row = 0; row < 3; row++) {
        m[4 * row] = lanes_clamp(m[4 * row] * sx, MOST);
        m[4 * row + 1] = lanes_clamp(m[4 * row + 1] * sy, MOST);
        m[4 * row + 2] = lanes_clamp(m[4 * row + 2] * sz, MOST);
    }
}

#if ANIM_WIDTH == 1

static inline void store_matrices(const lanes m[12], anim_mat34* out)
{
    memcpy(out, m, sizeof *out);
}

#else

// Four rows of four in each half become four columns.
static inline void turn(const lanes in[4], lanes out[4])
{
#if ANIM_WIDTH == 8
    __m256 a = _mm256_unpacklo_ps((__m256)in[0], (__m256)in[1]);
    __m256 b = _mm256_unpacklo_ps((__m256)in[2], (__m256)in[3]);
    __m256 c = _mm256_unpackhi_ps((__m256)in[0], (__m256)in[1]);
    __m256 d = _mm256_unpackhi_ps((__m256)in[2], (__m256)in[3]);
    out[0] = (lanes)_mm256_shuffle_ps(a, b, 0x44), out[1] = (lanes)_mm256_shuffle_ps(a, b, 0xee);
    out[2] = (lanes)_mm256_shuffle_ps(c, d, 0x44), out[3] = (lanes)_mm256_shuffle_ps(c, d, 0xee);
#else
    anim_f4 a = ANIM_SHUFFLE(in[0], in[1], 0, 4, 1, 5), b = ANIM_SHUFFLE(in[2], in[3], 0, 4, 1, 5);
    anim_f4 c = ANIM_SHUFFLE(in[0], in[1], 2, 6, 3, 7), d = ANIM_SHUFFLE(in[2], in[3], 2, 6, 3, 7);
    out[0] = ANIM_SHUFFLE(a, b, 0, 1, 4, 5), out[1] = ANIM_SHUFFLE(a, b, 2, 3, 6, 7);
    out[2] = ANIM_SHUFFLE(c, d, 0, 1, 4, 5), out[3] = ANIM_SHUFFLE(c, d, 2, 3, 6, 7);
#endif
}

// Rows of one matrix, or of two that lie in the halves of a vector.
static inline void store_rows(const lanes row[3], anim_mat34* a, anim_mat34* b)
{
#if ANIM_WIDTH == 8
    __m256 r0 = (__m256)row[0], r1 = (__m256)row[1], r2 = (__m256)row[2];
    _mm256_storeu_ps(a->m[0], _mm256_permute2f128_ps(r0, r1, 0x20));
    _mm_storeu_ps(a->m[2], _mm256_castps256_ps128(r2));
    _mm256_storeu_ps(b->m[0], _mm256_permute2f128_ps(r0, r1, 0x31));
    _mm_storeu_ps(b->m[2], _mm256_extractf128_ps(r2, 1));
#else
    (void)b;
    memcpy(a->m, row, sizeof a->m);
#endif
}

static inline void store_matrices(const lanes m[12], anim_mat34* out)
{
    lanes r[3][4];
    for (int row = 0; row < 3; row++)
        turn(m + 4 * row, r[row]);
    for (int l = 0; l < 4; l++) {
        const lanes rows[3] = {r[0][l], r[1][l], r[2][l]};
        store_rows(rows, &out[l], &out[l + ANIM_WIDTH - 4]);
    }
}

#endif

// Local matrices of a group. `count` joints have room in `out`.
static inline void write_locals(const anim_pose_group* groups, uint32_t which, uint32_t count,
                                anim_mat34* out)
{
    uint32_t first = which * ANIM_LANES;
    anim_mat34 spare[ANIM_LANES];
    anim_mat34* to = first + ANIM_LANES <= count ? out + first : spare;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane += ANIM_WIDTH) {
        lanes m[12];
        local_planes(&groups[which], lane, m);
        store_matrices(m, to + lane);
    }
    if (to == spare)
        memcpy(out + first, spare, (count - first) * sizeof *out);
}

// --- products ----------------------------------------------------------------------------------------

// Each row of a * b: (a0 b0 + a1 b1) + (a2 b2 + 0 0 0 a3).

#if ANIM_WIDTH == 8

// Two rows in one vector and the third in half a one: spreading a's elements then needs no row of a twice.
static inline __m256 two_rows(__m256 a, const __m256 b[3])
{
    __m256 moved = _mm256_blend_ps(_mm256_setzero_ps(), a, 0x88);
    return _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(_mm256_permute_ps(a, 0x00), b[0]),
                                       _mm256_mul_ps(_mm256_permute_ps(a, 0x55), b[1])),
                         _mm256_add_ps(_mm256_mul_ps(_mm256_permute_ps(a, 0xaa), b[2]), moved));
}

static inline __m128 one_row(__m128 a, const __m128 b[3])
{
    __m128 moved = _mm_blend_ps(_mm_setzero_ps(), a, 8);
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_permute_ps(a, 0x00), b[0]),
                                 _mm_mul_ps(_mm_permute_ps(a, 0x55), b[1])),
                      _mm_add_ps(_mm_mul_ps(_mm_permute_ps(a, 0xaa), b[2]), moved));
}

typedef struct product {
    __m256 upper;
    __m128 lower;
} product;

static inline product multiply(const anim_mat34* a, const anim_mat34* b)
{
    __m256 twice[3];
    __m128 once[3];
    for (int i = 0; i < 3; i++) {
        twice[i] = _mm256_broadcast_ps((const __m128*)(const void*)b->m[i]);
        once[i] = _mm256_castps256_ps128(twice[i]);
    }
    return (product){two_rows(_mm256_loadu_ps(a->m[0]), twice),
                     one_row(_mm_loadu_ps(a->m[2]), once)};
}

static inline void clamp(product* p) // as lanes_clamp does
{
    __m256 high = _mm256_set1_ps(MOST), low = _mm256_set1_ps(-MOST);
    p->upper = _mm256_min_ps(_mm256_max_ps(p->upper, low), high);
    p->lower = _mm_min_ps(_mm_max_ps(p->lower, _mm256_castps256_ps128(low)),
                          _mm256_castps256_ps128(high));
}

static inline void store_product(const product* p, float* out)
{
    _mm256_storeu_ps(out, p->upper);
    _mm_storeu_ps(out + 8, p->lower);
}

// As four columns of four, the last row 0 0 0 1.
static inline void store_columns(const product* p, float* out)
{
    const __m256 last = _mm256_setr_ps(0, 0, 0, 0, 0, 0, 0, 1);
    __m256 lower = _mm256_blend_ps(_mm256_castps128_ps256(p->lower), last, 0xf0);
    __m256 a = _mm256_permutevar8x32_ps(p->upper, _mm256_setr_epi32(0, 4, 0, 0, 1, 5, 0, 0));
    __m256 b = _mm256_permutevar8x32_ps(p->upper, _mm256_setr_epi32(2, 6, 0, 0, 3, 7, 0, 0));
    __m256 c = _mm256_permutevar8x32_ps(lower, _mm256_setr_epi32(0, 0, 0, 4, 0, 0, 1, 4));
    __m256 d = _mm256_permutevar8x32_ps(lower, _mm256_setr_epi32(0, 0, 2, 4, 0, 0, 3, 7));
    _mm256_storeu_ps(out, _mm256_blend_ps(a, c, 0xcc));
    _mm256_storeu_ps(out + 8, _mm256_blend_ps(b, d, 0xcc));
}

#elif ANIM_WIDTH == 4

#define SPREAD(v, i) ANIM_SHUFFLE(v, v, i, i, i, i)

typedef struct product {
    anim_f4 rows[3];
} product;

static inline product multiply(const anim_mat34* a, const anim_mat34* b)
{
    const anim_i4 last = {0, 0, 0, -1};
    anim_f4 rows[3];
    product out;
    memcpy(rows, b->m, sizeof rows);
    for (int i = 0; i < 3; i++) {
        anim_f4 r = lanes_load(a->m[i]), moved = (anim_f4)((anim_i4)r & last);
        out.rows[i] = (SPREAD(r, 0) * rows[0] + SPREAD(r, 1) * rows[1]) +
                      (SPREAD(r, 2) * rows[2] + moved);
    }
    return out;
}

static inline void clamp(product* p)
{
    for (int i = 0; i < 3; i++)
        p->rows[i] = lanes_clamp(p->rows[i], MOST);
}

static inline void store_product(const product* p, float* out)
{
    memcpy(out, p, sizeof *p);
}

static inline void store_columns(const product* p, float* out)
{
    const anim_f4 last = {0, 0, 0, 1}, *r = p->rows;
    anim_f4 a = ANIM_SHUFFLE(r[0], r[1], 0, 4, 1, 5), b = ANIM_SHUFFLE(r[2], last, 0, 4, 1, 5);
    anim_f4 c = ANIM_SHUFFLE(r[0], r[1], 2, 6, 3, 7), d = ANIM_SHUFFLE(r[2], last, 2, 6, 3, 7);
    const anim_f4 columns[4] = {ANIM_SHUFFLE(a, b, 0, 1, 4, 5), ANIM_SHUFFLE(a, b, 2, 3, 6, 7),
                                ANIM_SHUFFLE(c, d, 0, 1, 4, 5), ANIM_SHUFFLE(c, d, 2, 3, 6, 7)};
    memcpy(out, columns, sizeof columns);
}

#else

typedef anim_mat34 product;

static inline product multiply(const anim_mat34* a, const anim_mat34* b)
{
    product out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            float moved = j == 3 ? a->m[i][3] : 0.0f;
            out.m[i][j] = (a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) +
                          (a->m[i][2] * b->m[2][j] + moved);
        }
    return out;
}

static inline void clamp(product* p)
{
    for (int i = 0; i < 12; i++)
        p->m[i / 4][i % 4] = lanes_clamp(p->m[i / 4][i % 4], MOST);
}

static inline void store_product(const product* p, float* out)
{
    memcpy(out, p, sizeof *p);
}

static inline void store_columns(const product* p, float* out)
{
    anim_mat34_to_columns(p, out);
}

#endif

// --- down the hierarchy ------------------------------------------------------------------------------

// Local matrices first, which a step then replaces.
static void to_model(const anim_model_plan* plan, const anim_pose_group* groups, uint32_t count,
                     anim_mat34* out)
{
    const uint16_t* group = plan->groups;
    const anim_model_step* step = plan->steps;
    const anim_model_run* run = plan->runs;
    for (const anim_model_run* end = run + plan->run_count; run < end; run++) {
        for (const uint16_t* last = group + run->groups; group < last; group++)
            write_locals(groups, *group, count, out);
        for (const anim_model_step* last = step + run->steps; step < last; step++) {
            product p = multiply(&out[step->parent], &out[step->joint]);
            clamp(&p);
            store_product(&p, out[step->joint].m[0]);
        }
    }
    lanes_leave();
}

// No element of either is beyond 1e18, so that every one of the product is finite.
static void palette(const anim_mat34* model, const uint16_t* joints, const anim_mat34* inverse_bind,
                    uint32_t count, bool rows_3x4, float* out)
{
    if (rows_3x4)
        for (uint32_t i = 0; i < count; i++) {
            product p = multiply(&model[joints[i]], &inverse_bind[i]);
            store_product(&p, out + (size_t)i * 12);
        }
    else
        for (uint32_t i = 0; i < count; i++) {
            product p = multiply(&model[joints[i]], &inverse_bind[i]);
            store_columns(&p, out + (size_t)i * 16);
        }
    lanes_leave();
}
