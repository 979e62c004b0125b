// SPDX-License-Identifier: MIT
// Local to model space, and palettes. Compiled for each width: math/lanes.h.
#pragma once

#include "math/lanes.h"
#include "pose/kernels.h"

// No element of a model-space matrix is larger: what two of them multiplied give can still be told from
// infinity, so whatever a script or a file makes of scales down a chain, no matrix is ever not a number.
#define MOST ANIM_MODEL_MOST

// --- local matrices ----------------------------------------------------------------------------------

// Where no joint is farther from its parent or larger than this (they are tame) no element can grow beyond MOST
// in any hierarchy, and products need not be held within it.
#define FAR 1e12f
#define LARGE 1.0001f

static inline lanes largest_of(const float (*rows)[ANIM_LANES], uint32_t lane)
{
    lanes x = lanes_size(lanes_load(rows[0] + lane)), y = lanes_size(lanes_load(rows[1] + lane));
    return lanes_max(lanes_max(x, y), lanes_size(lanes_load(rows[2] + lane)));
}

// Whether no joint in some lanes of a group is far or large.
static inline bool are_tame(const anim_pose_group* g, uint32_t lane)
{
    return lanes_all(lanes_greater(lanes_splat(FAR), largest_of(g->t, lane)) &
                     lanes_greater(lanes_splat(LARGE), largest_of(g->s, lane)));
}

// The matrices of some lanes of a group, by element: m[4 * row + column]. False: they had to be held within MOST.
static inline bool local_planes(const anim_pose_group* g, uint32_t lane, lanes m[12])
{
    const lanes one = lanes_splat(1);
    bool is_tame = are_tame(g, lane);
    lanes x = lanes_load(g->q[0] + lane), y = lanes_load(g->q[1] + lane);
    lanes z = lanes_load(g->q[2] + lane), w = lanes_load(g->q[3] + lane);
    lanes x2 = x + x, y2 = y + y, z2 = z + z;
    lanes xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    lanes wx = w * x2, wy = w * y2, wz = w * z2;
    m[0] = one - (yy + zz), m[1] = xy - wz, m[2] = xz + wy;
    m[4] = xy + wz, m[5] = one - (xx + zz), m[6] = yz - wx;
    m[8] = xz - wy, m[9] = yz + wx, m[10] = one - (xx + yy);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m[4 * row + column] *= lanes_load(g->s[column] + lane);
        m[4 * row + 3] = lanes_load(g->t[row] + lane);
    }
    for (int i = 0; i < 12 && !is_tame; i++)
        m[i] = lanes_clamp(m[i], MOST);
    return is_tame;
}

#if ANIM_WIDTH > 1

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

#endif

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

static const anim_mat34 above_roots = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static inline const anim_mat34* parent_of(const anim_joint_pair* pair, int which,
                                          const anim_mat34* out)
{
    uint32_t parent = pair->parents[which];
    return parent == ANIM_NO_JOINT ? &above_roots : &out[parent];
}

#if ANIM_WIDTH == 8

// Both joints of a pair at once: row by row, in the halves of a vector.
typedef struct locals {
    lanes rows[3][4]; // row, pair
} locals;

static inline bool make_locals(const anim_pose_group* g, locals* out)
{
    lanes m[12];
    bool is_tame = local_planes(g, 0, m);
    for (int row = 0; row < 3; row++)
        turn(m + 4 * row, out->rows[row]);
    return is_tame;
}

static inline __m256 row_of_two(const float* a, const float* b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}

static ANIM_ALWAYS_INLINE void load_two(const anim_mat34* a, const anim_mat34* b, __m256 rows[3])
{
    for (int i = 0; i < 3; i++)
        rows[i] = row_of_two(a->m[i], b->m[i]);
}

// The parents' rows become those of the pair.
static ANIM_ALWAYS_INLINE void multiply_two(const locals* l, uint32_t n, bool held, __m256 rows[3])
{
    const __m256 local[3] = {(__m256)l->rows[0][n], (__m256)l->rows[1][n], (__m256)l->rows[2][n]};
    for (int i = 0; i < 3; i++) {
        rows[i] = two_rows(rows[i], local);
        if (held)
            rows[i] = (__m256)lanes_clamp((lanes)rows[i], MOST);
    }
}

// Row by row: wider stores would reach over the ends of cache lines, and reading them again would wait.
static ANIM_ALWAYS_INLINE void store_two(const __m256 rows[3], anim_mat34* first,
                                         anim_mat34* second)
{
    for (int i = 0; i < 3; i++) {
        _mm_storeu_ps(first->m[i], _mm256_castps256_ps128(rows[i]));
        _mm_storeu_ps(second->m[i], _mm256_extractf128_ps(rows[i], 1));
    }
}

// A second joint that hangs on the first is made once more, when that is there.
static void place_special(const locals* l, uint32_t n, const anim_joint_pair* pair, bool held,
                          anim_mat34* out)
{
    bool is_alone = pair->joints[1] == ANIM_NO_JOINT, hangs = pair->parents[1] == pair->joints[0];
    const anim_mat34* above = parent_of(pair, 0, out);
    anim_mat34 spare;
    __m256 parents[3], rows[3];
    load_two(above, hangs ? above : parent_of(pair, 1, out), parents);
    memcpy(rows, parents, sizeof rows);
    multiply_two(l, n, held, rows);
    if (hangs) {
        for (int i = 0; i < 3; i++)
            rows[i] = _mm256_insertf128_ps(parents[i], _mm256_castps256_ps128(rows[i]), 1);
        multiply_two(l, n, held, rows);
    }
    store_two(rows, &out[pair->joints[0]], is_alone ? &spare : &out[pair->joints[1]]);
}

static ANIM_ALWAYS_INLINE void place_pair(const locals* l, uint32_t n, const anim_joint_pair* pair,
                                          bool held, anim_mat34* out)
{
    char* base = (char*)out;
    __m256 rows[3];
    if (!pair->is_plain) {
        place_special(l, n, pair, held, out);
        return;
    }
    load_two((const anim_mat34*)(const void*)(base + pair->from[0]),
             (const anim_mat34*)(const void*)(base + pair->from[1]), rows);
    multiply_two(l, n, held, rows);
    store_two(rows, (anim_mat34*)(void*)(base + pair->to[0]),
              (anim_mat34*)(void*)(base + pair->to[1]));
}

#else

#if ANIM_WIDTH == 4

typedef struct locals {
    lanes rows[3][ANIM_LANES]; // row, lane
} locals;

static inline bool make_locals(const anim_pose_group* g, locals* out)
{
    bool is_tame = true;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane += 4) {
        lanes m[12];
        is_tame = local_planes(g, lane, m) && is_tame;
        for (int row = 0; row < 3; row++)
            turn(m + 4 * row, out->rows[row] + lane);
    }
    return is_tame;
}

static inline anim_mat34 local_of(const locals* l, uint32_t lane)
{
    const lanes rows[3] = {l->rows[0][lane], l->rows[1][lane], l->rows[2][lane]};
    anim_mat34 out;
    memcpy(&out, rows, sizeof out);
    return out;
}

#else

typedef struct locals {
    anim_mat34 of[ANIM_LANES];
} locals;

static inline bool make_locals(const anim_pose_group* g, locals* out)
{
    bool is_tame = true;
    for (uint32_t lane = 0; lane < ANIM_LANES; lane++)
        is_tame = local_planes(g, lane, (float*)(void*)&out->of[lane]) && is_tame;
    return is_tame;
}

static inline anim_mat34 local_of(const locals* l, uint32_t lane)
{
    return l->of[lane];
}

#endif

static ANIM_ALWAYS_INLINE void place_pair(const locals* l, uint32_t n, const anim_joint_pair* pair,
                                          bool held, anim_mat34* out)
{
    for (uint32_t i = 0; i < (pair->joints[1] == ANIM_NO_JOINT ? 1 : 2); i++) {
        const anim_mat34 local = local_of(l, n + 4 * i);
        product p = multiply(parent_of(pair, (int)i, out), &local);
        if (held)
            clamp(&p);
        store_product(&p, out[pair->joints[i]].m[0]);
    }
}

#endif

static ANIM_ALWAYS_INLINE void place_pairs(const locals* l, const anim_joint_pair* pairs,
                                           uint32_t count, bool held, anim_mat34* out)
{
    for (uint32_t n = 0; n < count; n++)
        place_pair(l, n, &pairs[n], held, out);
}

static void to_model(const anim_joint_pair* pairs, uint32_t joint_count, const uint16_t* listed,
                     uint32_t listed_count, const anim_pose_group* groups, anim_mat34* out)
{
    bool held = false;
    for (const uint16_t *g = listed, *end = listed + listed_count; g < end; g++) {
        const anim_joint_pair* own = pairs + 4 * (size_t)*g;
        uint32_t left = anim_pair_count(joint_count) - 4 * (uint32_t)*g;
        uint32_t count = left < 4 ? left : 4;
        locals l;
        held = !make_locals(&groups[*g], &l) || held;
        if (held)
            place_pairs(&l, own, count, true, out);
        else
            place_pairs(&l, own, count, false, out);
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
