// SPDX-License-Identifier: MIT
// Mixing while unpacking: the same as samples that are summed, and the same bits for all kernels.
#include "test/pack_clips.h"

#include "base/hash.h"
#include "base/simd_pick.h"
#include "pose/pack_format.h"

enum { CLIPS = 6 };

// Near and far from the rest pose, calm and wild, with scales and without, some joints without keys.
static const plan plans[CLIPS] = {
    {.keys = 31, .rate = 30, .closes = true, .swing = 0.3},
    {.keys = 33, .rate = 60, .closes = true, .swing = 1},
    {.keys = 34, .rate = 24, .closes = true, .scales = true, .swing = 0.5},
    {.keys = 61, .rate = 60, .swing = 2.5},
    {.keys = 12, .rate = 10, .swing = 3},
    {.keys = 2, .rate = 1, .swing = 0.02},
};

typedef struct cast {
    anim_skeleton* skeleton;
    anim_clip* clips[CLIPS];
    anim_pose *mixed, *sum, *first, *sample;
} cast;

static void make_cast(cast* c, bool additive)
{
    seed = 17;
    c->skeleton = make_skeleton();
    for (uint32_t i = 0; i < CLIPS; i++) {
        plan p = plans[i];
        p.additive = additive;
        anim_clip* clip = make_clip(c->skeleton, &p);
        ok(anim_clip_pack(clip, &(anim_pack_desc){.form = ANIM_PACK_FAST, .error = 1e-3},
                          &c->clips[i], NULL, &error));
        assert_true(anim_clip_can_mix(c->clips[i], c->skeleton));
        anim_clip_release(clip);
    }
    anim_pose** poses[] = {&c->mixed, &c->sum, &c->first, &c->sample};
    for (uint32_t i = 0; i < 4; i++)
        *poses[i] = anim_pose_create(c->skeleton);
}

static void free_cast(cast* c)
{
    for (uint32_t i = 0; i < CLIPS; i++)
        anim_clip_release(c->clips[i]);
    anim_pose_destroy(c->mixed);
    anim_pose_destroy(c->sum);
    anim_pose_destroy(c->first);
    anim_pose_destroy(c->sample);
    anim_skeleton_release(c->skeleton);
}

// The heaviest first; the weights sum to 1.
static uint32_t make_terms(const cast* c, uint32_t round, anim_term* terms)
{
    uint32_t count = 1 + round % ANIM_MOST_TERMS, heaviest = 0;
    float sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const anim_clip* clip = c->clips[(round + i * 5) % CLIPS];
        double time = (uniform(0, 1) * 1.2 - 0.1) * clip->duration;
        terms[i] = (anim_term){clip, time, (float)uniform(0, 1) + 0.01f};
        sum += terms[i].weight;
        heaviest = terms[i].weight > terms[heaviest].weight ? i : heaviest;
    }
    for (uint32_t i = 0; i < count; i++)
        terms[i].weight /= sum;
    anim_term first = terms[heaviest];
    terms[heaviest] = terms[0];
    terms[0] = first;
    return count;
}

static void sum_up(const cast* c, const anim_term* terms, uint32_t count)
{
    anim_clip_sample(terms[0].clip, terms[0].time, c->first->groups);
    if (count == 1) {
        memcpy(c->sum->groups, c->first->groups, c->skeleton->group_count * sizeof *c->sum->groups);
        return;
    }
    anim_pose_sum_begin(c->skeleton, c->sum->groups, c->first->groups, terms[0].weight);
    for (uint32_t i = 1; i < count; i++) {
        anim_clip_sample(terms[i].clip, terms[i].time, c->sample->groups);
        anim_pose_sum_add(c->skeleton, c->sum->groups, c->first->groups, c->sample->groups,
                          terms[i].weight);
    }
    anim_pose_sum_end(c->skeleton, c->sum->groups);
}

static void assert_near(const cast* c, float most)
{
    const float *a = (const float*)(void*)c->mixed->groups,
                *b = (const float*)(void*)c->sum->groups;
    size_t count = c->skeleton->group_count * sizeof *c->mixed->groups / sizeof *a;
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= most * (1 + fabsf(b[i]))))
            fail_msg("number %zu is %g, not %g", i, (double)a[i], (double)b[i]);
}

static void check_sums(bool additive)
{
    cast c;
    make_cast(&c, additive);
    for (uint32_t round = 0; round < 2000; round++) {
        anim_term terms[ANIM_MOST_TERMS];
        uint32_t count = make_terms(&c, round, terms);
        sum_up(&c, terms, count);
        anim_clip_mix(terms, count, NULL, c.mixed->groups);
        assert_near(&c, count == 1 ? 0 : 2e-6f);
    }
    free_cast(&c);
}

static void test_sums(void** state)
{
    (void)state;
    check_sums(false);
    check_sums(true);
}

// Where all clips of a mix agree their sum is to the bit what they say.
static void test_agreement(void** state)
{
    (void)state;
    cast c;
    make_cast(&c, false);
    const anim_term one = {c.clips[0], 0.3, 1};
    anim_clip_mix(&one, 1, NULL, c.sum->groups);
    for (uint32_t i = 1; i < 100; i++) {
        float weight = 0.5f + (float)i / 200;
        const anim_term both[] = {{c.clips[0], 0.3, weight}, {c.clips[0], 0.3, 1 - weight}};
        anim_clip_mix(both, 2, NULL, c.mixed->groups);
        for (uint32_t g = 0; g < c.skeleton->group_count; g++) {
            assert_memory_equal(c.mixed->groups[g].t, c.sum->groups[g].t, sizeof c.sum->groups->t);
            assert_memory_equal(c.mixed->groups[g].s, c.sum->groups[g].s, sizeof c.sum->groups->s);
        }
        assert_near(&c, 2e-7f);
    }
    free_cast(&c);
}

static uint64_t hash_all(const cast* c)
{
    uint64_t hash = ANIM_HASH_START;
    seed = 99;
    for (uint32_t round = 0; round < 300; round++) {
        anim_term terms[ANIM_MOST_TERMS];
        uint32_t count = make_terms(c, round, terms);
        anim_clip_mix(terms, count, NULL, c->mixed->groups);
        hash = anim_hash(hash, c->mixed->groups,
                         c->skeleton->group_count * sizeof *c->mixed->groups);
    }
    return hash;
}

static void test_kernels_agree(void** state)
{
    (void)state;
    cast c;
    make_cast(&c, false);
    anim_simd chosen = anim_simd_chosen;
    uint64_t hash = hash_all(&c);
    for (uint32_t set = 0; set < ANIM_SIMD_COUNT; set++)
        if (anim_simd_force((anim_simd)set))
            assert_int_equal(hash_all(&c), hash);
    anim_simd_force(chosen);
    free_cast(&c);
}

// Groups that are not wanted keep what is in them; others are made as without the list.
static void test_wanted(void** state)
{
    (void)state;
    cast c;
    make_cast(&c, false);
    anim_pack_term terms[2] = {{c.clips[1]->keys->pack, 0.2, 0.6f},
                               {c.clips[3]->keys->pack, 0.5, 0.4f}};
    uint32_t groups = c.skeleton->group_count;
    uint8_t wanted[64] = {0};
    anim_pack_mix(terms, 2, NULL, groups, NULL, c.sum->groups);
    for (uint32_t g = 0; g < groups; g++)
        wanted[g] = g % 2;
    memset(c.mixed->groups, 0x11, groups * sizeof *c.mixed->groups);
    memset(c.first->groups, 0x11, groups * sizeof *c.first->groups);
    anim_pack_mix(terms, 2, NULL, groups, wanted, c.mixed->groups);
    for (uint32_t g = 0; g < groups; g++)
        assert_memory_equal(&c.mixed->groups[g], g % 2 ? &c.sum->groups[g] : &c.first->groups[g],
                            sizeof *c.mixed->groups);
    free_cast(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_wanted),
    };
    return cmocka_run_group_tests_name("mixing", tests, NULL, NULL);
}
