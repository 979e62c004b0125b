// SPDX-License-Identifier: MIT
// Packed clips: the bound; what stays exact; bytes that are no packed tracks; memory that does not suffice.
#include "test/pack_clips.h"

#include "base/hash.h"
#include "pose/clip_edit.h"
#include "pose/pack_format.h"
#include "test/pose_at.h"

static anim_clip* pack(const anim_clip* clip, const anim_pack_desc* desc, anim_pack_report* report)
{
    anim_clip* packed;
    ok(anim_clip_pack(clip, desc, &packed, report, &error));
    assert_true(anim_clip_is_packed(packed));
    assert_int_equal(anim_clip_form(packed), desc->form);
    return packed;
}

// --- the bound -------------------------------------------------------------------------------------

static const plan plans[] = {
    {.keys = 31, .rate = 30, .closes = true, .swing = 1.5},
    {.keys = 32, .rate = 30, .swing = 1},
    {.keys = 33, .rate = 30, .closes = true, .swing = 2},
    {.keys = 34, .rate = 24, .closes = true, .scales = true, .swing = 1},
    {.keys = 301, .rate = 60, .swing = 2.5},
    {.keys = 4, .rate = 10, .closes = true, .swing = 0.5},
    {.keys = 3, .rate = 30, .swing = 0.5},
    {.keys = 2, .rate = 1, .swing = 0.3},
    {.keys = 60, .rate = 30, .additive = true, .scales = true, .swing = 1},
    {.keys = 390, .rate = 30, .closes = true, .swing = 1},
};

static void check_plan(const plan* p, const anim_pack_desc* desc)
{
    anim_skeleton* skeleton = make_skeleton();
    anim_clip* clip = make_clip(skeleton, p);
    anim_pack_report report;
    anim_clip* packed = pack(clip, desc, &report);
    double bound = desc->error > 0 ? desc->error : 1e-4;
    double measured = measure(clip, packed, 0.125 / (report.rate > 0 ? report.rate : p->rate));
    assert_true(report.max_error <= bound);
    assert_true(measured <= bound * 1.001);
    assert_true(fabs(measured - report.max_error) <= 0.02 * bound);
    assert_true(report.mean_error <= report.max_error);
    assert_true(packed->duration == clip->duration && packed->loop == clip->loop);
    assert_memory_equal(packed->keys->channels, clip->keys->channels, joints);
    assert_true(packed->keys->last_key == clip->keys->last_key);
    if (p->keys > 30 && desc->form == ANIM_PACK_SMALL) {
        assert_int_equal(report.exact_count, 0);
        assert_int_equal(report.frames, p->keys);
        assert_true(report.bytes < report.source_bytes / (bound < 1e-4 ? 2 : 3));
    }
    anim_clip_release(packed);
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

static void test_bound(void** state)
{
    (void)state;
    static const double errors[] = {0, 1e-3, 1e-5};
    for (uint32_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (uint32_t e = 0; e < 6; e++) {
            seed = 7 * i + e / 2;
            check_plan(&plans[i], &(anim_pack_desc){.error = errors[e / 2], .form = e % 2});
        }
}

// A measure that can't tell 0.1 mm would let anything pass: half the error asked must be seen.
static void test_measure_sees_errors(void** state)
{
    (void)state;
    seed = 3;
    anim_skeleton* skeleton = make_skeleton();
    anim_clip* clip = make_clip(skeleton, &plans[0]);
    anim_pack_report report;
    anim_clip* packed = pack(clip, &(anim_pack_desc){.error = 1e-2}, &report);
    assert_true(measure(clip, packed, 1.0 / 240) > 5e-3);
    anim_clip_release(packed);
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

static void test_impossible_bound(void** state)
{
    (void)state;
    seed = 5;
    anim_skeleton* skeleton = make_skeleton();
    anim_clip* clip = make_clip(skeleton, &plans[0]);
    anim_pack_report report;
    anim_clip* packed = pack(clip, &(anim_pack_desc){.error = 1e-9}, &report);
    assert_true(report.max_error <= 1e-9);
    assert_true(report.exact_count > 0);
    assert_true(measure(clip, packed, 1.0 / 240) <= 1e-9);
    anim_clip_release(packed);
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

// --- what is exact ---------------------------------------------------------------------------------

// The bits of a clip's pose.
static uint64_t pose_hash(const anim_clip* clip, double time)
{
    anim_pose* pose = anim_pose_create(clip->keys->skeleton);
    anim_clip_sample(clip, time, pose->groups);
    uint64_t hash = hash_pose(ANIM_HASH_START, pose->skeleton, pose->groups);
    anim_pose_destroy(pose);
    return hash;
}

static void test_loops_close(void** state)
{
    (void)state;
    for (uint32_t keys = 6; keys < 40; keys++)
        for (uint32_t form = 0; form < 2; form++) {
            seed = keys;
            const plan p = {.keys = keys, .rate = 30, .closes = true, .scales = true, .swing = 1.5};
            anim_skeleton* skeleton = make_skeleton();
            anim_clip* clip = make_clip(skeleton, &p);
            anim_pack_report report;
            anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
            assert_true(pose_hash(clip, 0) == pose_hash(clip, clip->duration));
            assert_true(pose_hash(packed, 0) == pose_hash(packed, packed->duration));
            assert_true(pose_hash(packed, -1) == pose_hash(packed, 1e9));
            anim_clip_release(packed);
            anim_clip_release(clip);
            anim_skeleton_release(skeleton);
        }
}

static void test_steps_are_exact(void** state)
{
    (void)state;
    static const float uneven[] = {0, 0.26f, 0.31f, 1};
    static const float places[] = {0, 0, 0, 3e-5f, 0, 0, 0, 5e-5f, 0, 0, 0, 4e-5f};
    static const float scales[] = {1, 1, 1, 2, 2, 2, 1, 1, 1, 0.5f, 1, 1};
    static float turns[31 * 4];
    seed = 11;
    anim_skeleton* skeleton = make_skeleton();
    for (int k = 0; k < 31; k++) {
        turns[4 * k + 1] = sinf(0.05f * (float)k);
        turns[4 * k + 3] = cosf(0.05f * (float)k);
    }
    const anim_track_desc tracks[] = {
        {2, ANIM_CHANNEL_TRANSLATION, ANIM_INTERP_STEP, {4, uneven, 0, 0}, places},
        {0, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, {31, NULL, 0, 1.0 / 30}, turns},
        {2, ANIM_CHANNEL_SCALE, ANIM_INTERP_STEP, {4, uneven, 0, 0}, scales},
    };
    const anim_clip_desc desc = {
        .skeleton = skeleton, .duration = -1, .tracks = tracks, .track_count = 3};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    for (uint32_t form = 0; form < 2; form++) {
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        assert_int_equal(report.exact_count, 2);
        anim_pose *a = anim_pose_create(skeleton), *b = anim_pose_create(skeleton);
        for (double time = 0; time <= 1.1; time += 1.0 / 512) {
            anim_xform x, y;
            anim_clip_sample(clip, time, a->groups);
            anim_clip_sample(packed, time, b->groups);
            anim_pose_get(a->skeleton, a->groups, 2, &x);
            anim_pose_get(b->skeleton, b->groups, 2, &y);
            assert_memory_equal(x.t, y.t, sizeof x.t);
            assert_memory_equal(x.s, y.s, sizeof x.s);
        }
        assert_true(measure(clip, packed, 1.0 / 512) <= 1e-4);
        anim_pose_destroy(a);
        anim_pose_destroy(b);
        anim_clip_release(packed);
    }
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

// Three whole turns about an axis leave what quarter vectors hold.
static void test_many_turns(void** state)
{
    (void)state;
    static float turns[91 * 4];
    seed = 13;
    anim_skeleton* skeleton = make_skeleton();
    for (int k = 0; k < 91; k++) {
        double half = 3 * 3.14159265358979 * k / 90;
        turns[4 * k + 2] = (float)sin(half);
        turns[4 * k + 3] = (float)cos(half);
    }
    const anim_track_desc track = {
        0, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, {91, NULL, 0, 1.0 / 30}, turns};
    const anim_clip_desc desc = {
        .skeleton = skeleton, .duration = -1, .tracks = &track, .track_count = 1};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    for (uint32_t form = 0; form < 2; form++) {
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        assert_true(measure(clip, packed, 1.0 / 240) <= 1e-4);
        if (form == ANIM_PACK_SMALL)
            assert_int_equal(report.exact_count, 1);
        anim_clip_release(packed);
    }
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

// Values far out, where floats are coarse; every result is a number and within the bound.
static void test_far_values(void** state)
{
    (void)state;
    static const float sizes[] = {1e3f, 1e6f, 1e12f, 1e15f};
    seed = 17;
    anim_skeleton* skeleton = make_skeleton();
    for (int i = 0; i < 8; i++) {
        float places[10 * 3];
        for (int k = 0; k < 30; k++)
            places[k] = (float)uniform(-1, 1) * sizes[i % 4];
        const anim_track_desc track = {1,
                                       i < 4 ? ANIM_CHANNEL_TRANSLATION : ANIM_CHANNEL_SCALE,
                                       ANIM_INTERP_LINEAR,
                                       {10, NULL, 0, 0.1},
                                       places};
        const anim_clip_desc desc = {
            .skeleton = skeleton, .duration = -1, .tracks = &track, .track_count = 1};
        anim_clip* clip;
        ok(anim_clip_create(&desc, NULL, &clip, &error));
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = i & 1}, &report);
        assert_true(report.max_error <= 1e-4);
        anim_clip_release(packed);
        anim_clip_release(clip);
    }
    anim_skeleton_release(skeleton);
}

// --- other skeletons, and back to keys ---------------------------------------------------------------

static anim_skeleton* with_other_rest(const anim_skeleton* s)
{
    anim_joint_desc list[joints];
    anim_skeleton* out;
    for (uint32_t j = 0; j < joints; j++) {
        list[j] = (anim_joint_desc){anim_skeleton_name(s, j), s->parents[j], s->rest_xforms[j]};
        list[j].rest.t[0] += 1;
        random_turn(2, list[j].rest.q);
        list[j].rest.s[2] = 3;
    }
    ok(anim_skeleton_create(list, joints, NULL, &out, &error));
    return out;
}

static void test_on_another_rest_pose(void** state)
{
    (void)state;
    seed = 19;
    anim_skeleton* skeleton = make_skeleton();
    anim_skeleton* other = with_other_rest(skeleton);
    anim_clip* clip = make_clip(skeleton, &plans[3]);
    for (uint32_t form = 0; form < 2; form++) {
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        anim_pose *a = anim_pose_create(other), *b = anim_pose_create(other);
        for (double time = 0; time < 1; time += 0.03) {
            anim_clip_sample_on(clip, other, time, a->groups);
            anim_clip_sample_on(packed, other, time, b->groups);
            for (uint32_t j = 0; j < joints; j++) {
                anim_xform x, y;
                anim_pose_get(a->skeleton, a->groups, j, &x);
                anim_pose_get(b->skeleton, b->groups, j, &y);
                double dot = 0;
                for (int i = 0; i < 4; i++)
                    dot += (double)x.q[i] * (double)y.q[i];
                assert_true(fabs(dot) > 1 - 1e-5);
                for (int i = 0; i < 3; i++) {
                    assert_true(fabsf(x.t[i] - y.t[i]) < 1e-3f);
                    assert_true(fabsf(x.s[i] - y.s[i]) < 1e-2f);
                }
            }
        }
        anim_pose_destroy(a);
        anim_pose_destroy(b);
        anim_clip_release(packed);
    }
    anim_clip_release(clip);
    anim_skeleton_release(other);
    anim_skeleton_release(skeleton);
}

static void test_unpack(void** state)
{
    (void)state;
    for (uint32_t form = 0; form < 2; form++)
        for (uint32_t i = 0; i < sizeof plans / sizeof *plans; i++) {
            seed = 23 + i;
            anim_skeleton* skeleton = make_skeleton();
            anim_clip *clip = make_clip(skeleton, &plans[i]), *keyed, *part;
            anim_pack_report report;
            anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
            ok(anim_clip_unpack(packed, &keyed, &error));
            assert_false(anim_clip_is_packed(keyed));
            assert_memory_equal(keyed->keys->channels, clip->keys->channels, joints);
            double most = form == ANIM_PACK_FAST ? 1e-4 : 5e-6; // keys are mixed along the arc
            assert_true(measure(packed, keyed, 0.125 / plans[i].rate) <= most);
            ok(anim_clip_slice(packed, 0, packed->duration, &part, &error));
            assert_true(measure(packed, part, 0.125 / plans[i].rate) <= most);
            anim_clip_release(part);
            ok(anim_clip_reverse(packed, &part, &error));
            assert_true(part->keys->track_count >= clip->keys->track_count);
            anim_clip_release(part);
            anim_clip_release(keyed);
            anim_clip_release(packed);
            anim_clip_release(clip);
            anim_skeleton_release(skeleton);
        }
}

// --- the same bits everywhere ------------------------------------------------------------------------

static void test_same_bits(void** state)
{
    (void)state;
    static const uint64_t expected[2] = {0x26c432bbaf588e07u, 0x9a40f6638dd6389du};
    for (uint32_t form = 0; form < 2; form++) {
        uint64_t hash = ANIM_HASH_START;
        seed = 29;
        anim_skeleton* skeleton = make_skeleton();
        anim_clip* clip = make_clip(skeleton, &plans[4]);
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        for (double time = -0.1; time < 6; time += 0.0137) {
            uint64_t one = pose_hash(packed, time);
            hash = anim_hash(hash, &one, sizeof one);
        }
        assert_int_equal(hash, expected[form]);
        anim_clip_release(packed);
        anim_clip_release(clip);
        anim_skeleton_release(skeleton);
    }
}

// --- hostile bytes, no memory --------------------------------------------------------------------------

static void sample_all(const anim_clip* clip)
{
    anim_pose* pose = anim_pose_create(clip->keys->skeleton);
    for (int i = 0; i < 16; i++) {
        anim_clip_sample(clip, clip->keys->last_key * i / 15, pose->groups);
        assert_true(anim_floats_are_finite(&pose->groups->t[0][0],
                                           pose->skeleton->group_count * sizeof *pose->groups / 4));
    }
    anim_pose_destroy(pose);
}

static void test_hostile_bytes(void** state)
{
    (void)state;
    uint32_t taken = 0;
    for (uint32_t form = 0; form < 2; form++)
        for (uint32_t i = 0; i < 5; i++) {
            seed = 31 + i;
            anim_skeleton* skeleton = make_skeleton();
            anim_clip* clip = make_clip(skeleton, &plans[i]);
            anim_pack_report report;
            anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
            const struct anim_pack* from = packed->keys->pack;
            size_t size = from->head.size;
            unsigned char* bytes = anim_mem_alloc(size);
            for (int round = 0; round < 2000; round++) {
                memcpy(bytes, from->bytes, size);
                int changes = 1 + (int)uniform(0, 4);
                for (int k = 0; k < changes; k++)
                    bytes[(size_t)uniform(0, round % 2 ? 200 : (double)size)] =
                        (unsigned char)uniform(0, 256);
                size_t given = round % 7 ? size : (size_t)uniform(0, (double)size);
                const anim_clip_desc desc = {
                    .skeleton = skeleton, .duration = -1, .packed = bytes, .packed_size = given};
                anim_clip* made;
                if (anim_clip_create(&desc, NULL, &made, &error) == ANIM_OK) {
                    sample_all(made);
                    taken++;
                }
                anim_clip_release(made);
            }
            anim_mem_free(bytes);
            anim_clip_release(packed);
            anim_clip_release(clip);
            anim_skeleton_release(skeleton);
        }
    assert_true(taken > 1000); // the checks let something through to be sampled
}

// One frame where there must be two to mix.
static void test_one_frame_is_refused(void** state)
{
    (void)state;
    for (uint32_t form = 0; form < 2; form++) {
        seed = 43;
        anim_skeleton* skeleton = make_skeleton();
        anim_clip *clip = make_clip(skeleton, &plans[0]), *made;
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        const struct anim_pack* from = packed->keys->pack;
        anim_pack_header head = from->head;
        unsigned char* bytes = anim_mem_alloc(head.size);
        memcpy(bytes, from->bytes, head.size);
        head.frames = 1;
        if (form == ANIM_PACK_FAST)
            head.size = (uint32_t)(from->frames - from->bytes) + from->frame_stride;
        memcpy(bytes, &head, sizeof head);
        const anim_clip_desc desc = {
            .skeleton = skeleton, .duration = -1, .packed = bytes, .packed_size = head.size};
        assert_int_equal(anim_clip_create(&desc, NULL, &made, &error), ANIM_ERR_FORMAT);
        anim_mem_free(bytes);
        anim_clip_release(packed);
        anim_clip_release(clip);
        anim_skeleton_release(skeleton);
    }
}

// Rigs of centimetres below a node that makes them metres: a leaf is held at 3 cm in model space.
static void test_small_units(void** state)
{
    (void)state;
    const anim_joint_desc list[] = {{"root", -1, {{0, 0, 0}, {0, 0, 0, 1}, {0.01f, 0.01f, 0.01f}}},
                                    {"leaf", 0, {{0, 100, 0}, {0, 0, 0, 1}, {1, 1, 1}}}};
    static float turns[31 * 4];
    anim_skeleton* skeleton;
    ok(anim_skeleton_create(list, 2, NULL, &skeleton, &error));
    for (int k = 0; k < 31; k++) {
        turns[4 * k] = anim_sin(0.02f * (float)k);
        turns[4 * k + 3] = anim_cos(0.02f * (float)k);
    }
    const anim_track_desc track = {
        1, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, {31, NULL, 0, 1.0 / 30}, turns};
    const anim_clip_desc desc = {
        .skeleton = skeleton, .duration = -1, .tracks = &track, .track_count = 1};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    for (uint32_t form = 0; form < 2; form++) {
        anim_pack_report report;
        anim_clip* packed = pack(clip, &(anim_pack_desc){.form = form}, &report);
        anim_pose *a = anim_pose_create(skeleton), *b = anim_pose_create(skeleton);
        for (int i = 0; i <= 240; i++) {
            anim_xform x, y;
            anim_clip_sample(clip, i / 240.0, a->groups);
            anim_clip_sample(packed, i / 240.0, b->groups);
            anim_pose_get(a->skeleton, a->groups, 1, &x);
            anim_pose_get(b->skeleton, b->groups, 1, &y);
            double dot = (double)x.q[0] * (double)y.q[0] + (double)x.q[3] * (double)y.q[3];
            assert_true(fabs(dot) > 1 - 2e-6); // half of 1e-4 / 0.03 radians, squared, by two
        }
        anim_pose_destroy(a);
        anim_pose_destroy(b);
        anim_clip_release(packed);
    }
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

static void test_without_memory(void** state)
{
    (void)state;
    seed = 37;
    anim_skeleton* skeleton = make_skeleton();
    anim_clip* clip = make_clip(skeleton, &plans[0]);
    for (uint32_t form = 0; form < 2; form++) {
        const int64_t blocks = anim_mem_get_counts().blocks;
        anim_code code = ANIM_ERR_MEMORY;
        int64_t n = 0;
        while (code == ANIM_ERR_MEMORY && n < 100000) {
            anim_clip* packed;
            anim_mem_fail_nth(++n);
            code = anim_clip_pack(clip, &(anim_pack_desc){.form = form}, &packed, NULL, &error);
            anim_mem_fail_nth(0);
            assert_true((code == ANIM_OK) == (packed != NULL));
            anim_clip_release(packed);
            assert_int_equal(anim_mem_get_counts().blocks, blocks);
        }
        assert_int_equal(code, ANIM_OK);
        assert_true(n > 10);
    }
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

static void test_wrong_options(void** state)
{
    (void)state;
    seed = 41;
    anim_skeleton* skeleton = make_skeleton();
    anim_clip *clip = make_clip(skeleton, &plans[0]), *packed;
    static const anim_pack_desc wrong[] = {
        {.error = -1}, {.error = NAN}, {.error = INFINITY}, {.rate = -1}, {.rate = NAN}};
    for (int i = 0; i < 5; i++)
        assert_int_equal(anim_clip_pack(clip, &wrong[i], &packed, NULL, &error), ANIM_ERR_ARGUMENT);
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_measure_sees_errors),
        cmocka_unit_test(test_impossible_bound),
        cmocka_unit_test(test_loops_close),
        cmocka_unit_test(test_steps_are_exact),
        cmocka_unit_test(test_many_turns),
        cmocka_unit_test(test_far_values),
        cmocka_unit_test(test_on_another_rest_pose),
        cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_hostile_bytes),
        cmocka_unit_test(test_one_frame_is_refused),
        cmocka_unit_test(test_small_units),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
