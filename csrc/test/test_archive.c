// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "test/archive_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static anim_blob save(const anim_archive_desc* desc)
{
    anim_blob blob;
    ok(anim_archive_write(desc, &blob, &error));
    return blob;
}

static anim_blob save_assets(void)
{
    assets a;
    make_assets(&a);
    anim_blob blob = save(&a.desc);
    free_assets(&a);
    return blob;
}

static anim_archive_desc describe(const anim_model* m)
{
    return (anim_archive_desc){m->skeleton,   m->clips,  m->clip_count, m->skins,
                               m->skin_count, m->morphs, m->morph_count};
}

static anim_code import(const void* bytes, size_t size, anim_model** model)
{
    const anim_import_desc desc = {.name = "test.anim", .bytes = bytes, .size = size};
    error.message[0] = '\0';
    return anim_import(&desc, model, &error);
}

static anim_model* load(const void* bytes, size_t size)
{
    anim_model* model;
    ok(import(bytes, size, &model));
    return model;
}

// --- the same comes back -------------------------------------------------------------------------

static void expect_same_values(const anim_value* a, const anim_value* b)
{
    assert_int_equal(a->kind, b->kind);
    if (a->kind == ANIM_VALUE_BOOLEAN)
        assert_true(a->as.boolean == b->as.boolean);
    if (a->kind == ANIM_VALUE_NUMBER)
        assert_true(a->as.number == b->as.number);
    if (a->kind == ANIM_VALUE_STRING) {
        assert_int_equal(a->as.string.size, b->as.string.size);
        assert_memory_equal(a->as.string.bytes, b->as.string.bytes, a->as.string.size);
    }
}

static void expect_same_clips(const anim_clip* a, const anim_clip* b)
{
    assert_string_equal(a->name, b->name);
    assert_true(a->duration == b->duration && a->loop == b->loop);
    assert_true(a->keys->additive == b->keys->additive && a->keys->size == b->keys->size);
    assert_int_equal(a->event_count, b->event_count);
    for (uint32_t i = 0; i < a->event_count; i++) {
        assert_string_equal(anim_clip_event_name(a, i), anim_clip_event_name(b, i));
        assert_true(a->events[i].time == b->events[i].time &&
                    a->events[i].duration == b->events[i].duration);
        expect_same_values(&a->events[i].data, &b->events[i].data);
    }
    assert_int_equal(a->marker_count, b->marker_count);
    for (uint32_t i = 0; i < a->marker_count; i++) {
        assert_string_equal(anim_clip_marker_name(a, i), anim_clip_marker_name(b, i));
        assert_true(a->markers[i].time == b->markers[i].time);
    }
}

static void expect_same_motions(const anim_motion* a, const anim_motion* b)
{
    assert_true(!a == !b);
    if (!a)
        return;
    assert_true(a->joint == b->joint && a->times.step == b->times.step);
    assert_int_equal(a->times.count, b->times.count);
    assert_memory_equal(a->times.at, b->times.at, a->times.count * sizeof *a->times.at);
    assert_memory_equal(a->values, b->values, a->times.count * sizeof *a->values);
}

static void expect_same_samples(const anim_clip* a, const anim_clip* b)
{
    anim_pose *pose_a = anim_pose_create(a->keys->skeleton),
              *pose_b = anim_pose_create(b->keys->skeleton);
    const anim_keys *x = a->keys, *y = b->keys;
    assert_int_equal(x->curve_count, y->curve_count);
    assert_int_equal(x->property_count, y->property_count);
    for (double t = 0; t <= 1.25; t += 0.0625) {
        anim_clip_sample(a, t, pose_a->groups);
        anim_clip_sample(b, t, pose_b->groups);
        assert_memory_equal(pose_a->groups, pose_b->groups,
                            a->keys->skeleton->group_count * sizeof *pose_a->groups);
        for (uint32_t i = 0; i < x->curve_count; i++) {
            assert_string_equal(anim_names_get(&x->curve_names, i),
                                anim_names_get(&y->curve_names, i));
            assert_true(anim_curve_sample(x, &x->curves[i], t) ==
                        anim_curve_sample(y, &y->curves[i], t));
        }
        for (uint32_t i = 0; i < x->property_count; i++)
            expect_same_values(anim_property_sample(x, &x->properties[i], t),
                               anim_property_sample(y, &y->properties[i], t));
    }
    anim_pose_destroy(pose_a);
    anim_pose_destroy(pose_b);
}

static void all_assets_come_back(void** state)
{
    (void)state;
    assets a;
    make_assets(&a);
    anim_blob blob = save(&a.desc);
    anim_model* model = load(blob.bytes, blob.size);
    assert_true(anim_skeleton_same(a.skeleton, model->skeleton));
    assert_memory_equal(a.skeleton->rest_xforms, model->skeleton->rest_xforms,
                        4 * sizeof(anim_xform));
    assert_int_equal(model->clip_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        expect_same_clips(a.clips[i], model->clips[i]);
        expect_same_samples(a.clips[i], model->clips[i]);
        expect_same_motions(a.clips[i]->keys->motion, model->clips[i]->keys->motion);
    }
    assert_non_null(model->clips[0]->keys->motion);
    assert_ptr_equal(model->clips[0]->keys, model->clips[1]->keys);
    assert_ptr_not_equal(model->clips[0]->keys, model->clips[2]->keys);

    assert_int_equal(model->skin_count, 1);
    assert_string_equal(model->skins[0]->name, "body");
    assert_int_equal(model->skins[0]->joint_count, 2);
    assert_memory_equal(model->skins[0]->joints, a.skin->joints, 2 * sizeof(uint16_t));
    assert_memory_equal(model->skins[0]->inverse_bind, a.skin->inverse_bind,
                        2 * sizeof(anim_mat34));
    assert_int_equal(model->morph_count, 1);
    assert_string_equal(model->morphs[0].name, "face");
    assert_int_equal(model->morphs[0].target_count, 2);
    assert_string_equal(model->morphs[0].targets[1], "2");
    assert_string_equal(model->morphs[0].curves[0], "face.smile");
    assert_true(model->morphs[0].weights[0] == 0.5f);
    assert_null(model->notes.first);

    anim_archive_desc again = describe(model);
    anim_blob second = save(&again);
    assert_int_equal(second.size, blob.size);
    assert_memory_equal(second.bytes, blob.bytes, blob.size);
    anim_mem_free(second.bytes);
    anim_model_destroy(model);
    anim_mem_free(blob.bytes);
    free_assets(&a);
}

static void saving_is_deterministic(void** state)
{
    (void)state;
    anim_blob a = save_assets(), b = save_assets();
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    anim_mem_free(a.bytes);
    anim_mem_free(b.bytes);
}

// A file that people have must stay readable: change these bytes only together with the version.
static const unsigned char golden[] = {
    0x41, 0x4e, 0x49, 0x4d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x74, 0x0d, 0xb3, 0xd7, 0xb8, 0x64, 0x27, 0xd6, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x80, 0x3f,
    0x00, 0x00, 0x80, 0x3f, 0x04, 0x00, 0x00, 0x00, 0x72, 0x6f, 0x6f, 0x74, 0x00, 0x00, 0x00, 0x00,
    0x04, 0x00, 0x00, 0x00, 0x6a, 0x75, 0x6d, 0x70, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xd0, 0x3f,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0xbf, 0x03, 0x00, 0x00, 0x00, 0x68, 0x6f, 0x70, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x21};

static anim_blob save_golden(void)
{
    const anim_joint_desc joint = {"root", -1, ANIM_XFORM_IDENTITY};
    anim_skeleton* skeleton;
    ok(anim_skeleton_create(&joint, 1, NULL, &skeleton, &error));
    const float values[] = {0, 1, 0, 0, 2, 0};
    const anim_track_desc track = {
        0, ANIM_CHANNEL_TRANSLATION, ANIM_INTERP_LINEAR, {2, NULL, 0, 0.5}, values};
    const anim_event_desc event = {0.25, -1, "hop", TEXT("!")};
    const anim_clip_desc desc = {.name = "jump",
                                 .skeleton = skeleton,
                                 .duration = -1,
                                 .loop = ANIM_LOOP_REPEAT,
                                 .tracks = &track,
                                 .track_count = 1,
                                 .events = &event,
                                 .event_count = 1};
    anim_clip* clip;
    ok(anim_clip_create(&desc, NULL, &clip, &error));
    anim_blob blob = save(
        &(anim_archive_desc){.skeleton = skeleton, .clips = &clip, .clip_count = 1});
    anim_clip_release(clip);
    anim_skeleton_release(skeleton);
    return blob;
}

static void version_1_has_these_bytes(void** state)
{
    (void)state;
    anim_blob blob = save_golden();
    if (blob.size != sizeof golden || memcmp(blob.bytes, golden, sizeof golden) != 0) {
        for (size_t i = 0; i < blob.size; i++)
            printf("0x%02x,%s", ((unsigned char*)blob.bytes)[i], i % 16 == 15 ? "\n" : " ");
        fail_msg("%zu other bytes (above)", blob.size);
    }
    anim_model* model = load(golden, sizeof golden);
    assert_string_equal(model->clips[0]->name, "jump");
    assert_true(model->clips[0]->duration == 0.5);
    anim_model_destroy(model);
    anim_mem_free(blob.bytes);
}

static void bytes_may_lie_anywhere(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    char* bytes = malloc(blob.size + 8);
    for (size_t shift = 1; shift < 8; shift++) {
        memcpy(bytes + shift, blob.bytes, blob.size);
        anim_model_destroy(load(bytes + shift, blob.size));
    }
    free(bytes);
    anim_mem_free(blob.bytes);
}

// --- what can't be saved -------------------------------------------------------------------------

static void expect_refusal(const anim_archive_desc* desc, const char* message)
{
    anim_blob blob;
    assert_int_equal(anim_archive_write(desc, &blob, &error), ANIM_ERR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(blob.bytes);
}

static void what_a_file_cannot_hold_is_refused(void** state)
{
    (void)state;
    assets a;
    make_assets(&a);
    anim_event_desc event = {0.5, -1, "cry", {.kind = ANIM_VALUE_HOST, .as.host = 7}};
    anim_clip_variant variant = {.loop = -1, .duration = -1, .events = &event, .event_count = 1};
    anim_clip* clip;
    ok(anim_clip_derive(a.clips[0], &variant, &clip, &error));
    anim_archive_desc desc = {.skeleton = a.skeleton, .clips = &clip, .clip_count = 1};
    expect_refusal(&desc, "clip 'walk', event 'cry' at 0.5: only nil, booleans, numbers and "
                          "strings can be saved");
    anim_clip_release(clip);
    event.data = (anim_value){.kind = ANIM_VALUE_NUMBER, .as.number = NAN};
    ok(anim_clip_derive(a.clips[0], &variant, &clip, &error));
    expect_refusal(&desc, "clip 'walk', event 'cry' at 0.5: it is not a number (nan)");
    anim_clip_release(clip);

    const anim_value thing = {.kind = ANIM_VALUE_HOST};
    const anim_property_desc property = {"mouth", {.count = 1}, &thing};
    const anim_clip_desc talk = {
        .name = "talk", .skeleton = a.skeleton, .properties = &property, .property_count = 1};
    ok(anim_clip_create(&talk, NULL, &clip, &error));
    expect_refusal(&desc, "clip 'talk', property 'mouth', key 1: only nil, booleans, numbers and "
                          "strings can be saved");
    anim_clip_release(clip);

    anim_clip* twice[] = {a.clips[0], a.clips[0]};
    desc = (anim_archive_desc){.skeleton = a.skeleton, .clips = twice, .clip_count = 2};
    expect_refusal(&desc, "two clips are named 'walk'");
    const anim_morph morphs[] = {a.morph, a.morph};
    desc = (anim_archive_desc){.skeleton = a.skeleton, .morphs = morphs, .morph_count = 2};
    expect_refusal(&desc, "two meshes are named 'face'");

    const anim_joint_desc joint = {"other", -1, ANIM_XFORM_IDENTITY};
    anim_skeleton* other;
    ok(anim_skeleton_create(&joint, 1, NULL, &other, &error));
    desc = (anim_archive_desc){.skeleton = other, .clips = a.clips, .clip_count = 1};
    expect_refusal(&desc, "clip 'walk' is of another skeleton");
    desc = (anim_archive_desc){.skeleton = other, .skins = &a.skin, .skin_count = 1};
    expect_refusal(&desc, "skin 'body' is of another skeleton");
    anim_skeleton_release(other);

    anim_mat34 bind = ANIM_MAT34_IDENTITY;
    bind.m[1][1] = INFINITY;
    const uint16_t first = 0;
    anim_skin* skin;
    ok(anim_skin_create(&(anim_skin_desc){"bad", a.skeleton, &first, &bind, 1}, &skin, &error));
    desc = (anim_archive_desc){.skeleton = a.skeleton, .skins = &skin, .skin_count = 1};
    expect_refusal(&desc, "skin 'bad': an inverse bind matrix is not finite");
    anim_skin_release(skin);
    free_assets(&a);
}

// --- files that are not what they should be ------------------------------------------------------

// Size and checksum as they must be, so that what is behind them is looked at.
static void seal(unsigned char* bytes, size_t size)
{
    anim_archive_header header;
    memcpy(&header, bytes, sizeof header);
    header.size = size;
    header.hash = anim_archive_hash(bytes, size);
    memcpy(bytes, &header, sizeof header);
}

static void expect_fault(const void* bytes, size_t size, anim_code code, const char* part)
{
    anim_model* model = NULL;
    assert_int_equal(import(bytes, size, &model), code);
    assert_null(model);
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in '%s'", part, error.message);
}

static void other_versions_and_changed_files_are_told(void** state)
{
    (void)state;
    unsigned char bytes[sizeof golden];
    memcpy(bytes, golden, sizeof golden);
    bytes[4] = 4;
    expect_fault(bytes, sizeof bytes, ANIM_ERR_UNSUPPORTED,
                 ".anim version 4; this library reads versions 1 to 3");
    bytes[4] = 1;
    bytes[60] ^= 1;
    expect_fault(bytes, sizeof bytes, ANIM_ERR_FORMAT, "the checksum differs");
    char part[64];
    snprintf(part, sizeof part, "the header says %zu bytes, the file has %zu", sizeof bytes,
             sizeof bytes - 1);
    expect_fault(bytes, sizeof bytes - 1, ANIM_ERR_FORMAT, part);
}

// Every place of `from` in the file becomes `to`; the file is then refused for this reason.
static void expect_patch_refused(const anim_blob* blob, const void* from, const void* to,
                                 size_t size, const char* part)
{
    unsigned char* bytes = malloc(blob->size);
    memcpy(bytes, blob->bytes, blob->size);
    int found = 0;
    for (size_t i = sizeof(anim_archive_header); i + size <= blob->size; i++)
        if (memcmp(bytes + i, from, size) == 0) {
            memcpy(bytes + i, to, size);
            found++;
        }
    assert_true(found > 0);
    seal(bytes, blob->size);
    expect_fault(bytes, blob->size, ANIM_ERR_FORMAT, part);
    free(bytes);
}

static void faults_behind_the_checksum_are_told(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    const float quaternion[] = {0.6f, 0, 0, 0.8f}, zero[] = {0, 0, 0, 0},
                not_numbers[] = {NAN, NAN, NAN, NAN};
    expect_patch_refused(&blob, quaternion, zero, sizeof zero, "rest rotation is not unit");
    expect_patch_refused(&blob, quaternion, not_numbers, sizeof zero, "rest rotation is not unit");
    const float times[] = {0, 0.25f, 1}, same[] = {0, 0.25f, 0.25f}, negative[] = {-1, 0, 1},
                late[] = {0, 1, INFINITY}, nan_times[] = {0, NAN, 1};
    expect_patch_refused(&blob, times, same, sizeof same, "not rising between");
    expect_patch_refused(&blob, times, negative, sizeof same, "not rising between");
    expect_patch_refused(&blob, times, late, sizeof same, "not rising between");
    expect_patch_refused(&blob, times, nan_times, sizeof same, "not rising between");
    const double step = 1.0 / 3, backwards = -1, number = 0.1, nothing = NAN, duration = 1.25,
                 brief = 0.5;
    expect_patch_refused(&blob, &step, &backwards, sizeof step, "3 key times from 0.125 by -1");
    expect_patch_refused(&blob, &number, &nothing, sizeof number, "nan");
    expect_patch_refused(&blob, &duration, &brief, sizeof brief,
                         "a clip: event 'slide': it ends at 0.75");
    expect_patch_refused(&blob, &duration, &nothing, sizeof brief, "clip 'walk' lasts nan seconds");
    const float values[] = {1, 2, 3}, infinite[] = {1, INFINITY, 3};
    expect_patch_refused(&blob, values, infinite, sizeof values, "is not between");
    const float bind = -1.5f, curve[] = {0, 0.5f, -1}, bad_curve[] = {0, 0.5f, NAN};
    expect_patch_refused(&blob, &bind, &infinite[1], sizeof bind, "skin 'body': an inverse bind");
    expect_patch_refused(&blob, curve, bad_curve, sizeof curve, "curve 'smile'");
    const float turn[] = {0, 0.28f, 0, 0.96f}, move[] = {7, 0, 9}, far[] = {7, INFINITY, 9},
                steps[] = {0, 1.125f}, back[] = {0, -1.125f};
    const uint32_t joint_3_of[] = {3, 2}, joint_5_of[] = {5, 2};
    expect_patch_refused(&blob, turn, zero, sizeof turn, "key 1 of root motion");
    expect_patch_refused(&blob, move, far, sizeof move, "key 1 of root motion");
    expect_patch_refused(&blob, steps, back, sizeof steps, "2 times of root motion");
    expect_patch_refused(&blob, joint_3_of, joint_5_of, sizeof steps, "a joint, or 0 is 5");
    expect_patch_refused(&blob, "spine", "hips\0", 5, "a text of 5 bytes does not end");
    expect_patch_refused(&blob, "\4\0\0\0hips", "\5\0\0\0hips", 8, "a text of 5 bytes");
    expect_patch_refused(&blob, "\3\0\0\0arm", "\3\0\0\0leg", 7, "two joints are named 'leg'");
    expect_patch_refused(&blob, "\5\0\0\0smile\0", "\5\0\0\0blink\0", 10, "curve 'blink'");
    const int16_t parents[] = {-1, 0, 1, 0}, circle[] = {-1, 2, 1, 0}, outside[] = {-1, 0, 9, 0},
                  mixed[] = {-1, 0, 0, 1};
    expect_patch_refused(&blob, parents, circle, sizeof parents, "run in a circle");
    expect_patch_refused(&blob, parents, outside, sizeof parents, "out of range");
    expect_patch_refused(&blob, parents, mixed, sizeof parents, "is not in depth-first order");
    const anim_archive_track track = {3, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, 2},
                             joint = {4, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, 2},
                             channel = {3, 3, ANIM_INTERP_LINEAR, 2},
                             interp = {3, ANIM_CHANNEL_ROTATION, 3, 2},
                             table = {3, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, 3},
                             twice = {0, ANIM_CHANNEL_ROTATION, ANIM_INTERP_LINEAR, 2};
    expect_patch_refused(&blob, &track, &joint, sizeof track, "joint 4, channel 1");
    expect_patch_refused(&blob, &track, &channel, sizeof track, "channel 3");
    expect_patch_refused(&blob, &track, &interp, sizeof track, "interpolation 3");
    expect_patch_refused(&blob, &track, &table, sizeof track, "time table 3 of 3");
    expect_patch_refused(&blob, &track, &twice, sizeof track, "two tracks of rotation");
    anim_mem_free(blob.bytes);
}

static void memory_is_bounded(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    bool fits = false;
    for (size_t limit = 100; limit < 20000; limit += 100) {
        const anim_import_desc desc = {
            .bytes = blob.bytes, .size = blob.size, .memory_limit = limit};
        anim_model* model = NULL;
        anim_code code = anim_import(&desc, &model, &error);
        if (!fits && code != ANIM_OK)
            assert_int_equal(code, ANIM_ERR_LIMIT);
        else
            assert_int_equal(code, ANIM_OK);
        assert_true(limit > 1000 || code != ANIM_OK);
        fits = code == ANIM_OK;
        anim_model_destroy(model);
    }
    assert_true(fits);
    anim_mem_free(blob.bytes);
}

// --- memory, cancelling, hostile bytes -----------------------------------------------------------

static bool stop_at_once(void* user, float done)
{
    assert_true(done > 0 && done <= 1);
    ++*(int*)user;
    return false;
}

static void a_load_can_be_cancelled(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    int calls = 0;
    const anim_import_desc desc = {
        .bytes = blob.bytes, .size = blob.size, .progress = stop_at_once, .user = &calls};
    anim_model* model = NULL;
    assert_int_equal(anim_import(&desc, &model, &error), ANIM_ERR_IO);
    assert_non_null(strstr(error.message, "cancelled"));
    assert_int_equal(calls, 1);
    anim_mem_free(blob.bytes);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    assets a;
    make_assets(&a);
    const int64_t before = anim_mem_get_counts().blocks;
    anim_blob blob = {0};
    anim_code code = ANIM_ERR_MEMORY;
    for (int n = 1; code != ANIM_OK; n++) {
        anim_mem_fail_nth(n);
        code = anim_archive_write(&a.desc, &blob, &error);
        anim_mem_fail_nth(0);
        assert_true(code == ANIM_OK || code == ANIM_ERR_MEMORY);
        assert_int_equal(anim_mem_get_counts().blocks, before + (code == ANIM_OK));
    }
    code = ANIM_ERR_MEMORY;
    int n = 1;
    for (; code != ANIM_OK; n++) {
        anim_model* model = NULL;
        anim_mem_fail_nth(n);
        code = import(blob.bytes, blob.size, &model);
        anim_mem_fail_nth(0);
        assert_true(code == ANIM_OK || code == ANIM_ERR_MEMORY);
        anim_model_destroy(model);
        assert_int_equal(anim_mem_get_counts().blocks, before + 1);
    }
    assert_true(n > 10);
    anim_mem_free(blob.bytes);
    free_assets(&a);
}

// A model or an error, for whatever bytes; a model can be used.
static bool try_bytes(const void* bytes, size_t size)
{
    anim_model* model = NULL;
    anim_code code = import(bytes, size, &model);
    assert_true((code == ANIM_OK) == (model != NULL));
    assert_true(code == ANIM_OK || error.message[0]);
    for (uint32_t i = 0; model && i < model->clip_count; i++) {
        anim_pose* pose = anim_pose_create(model->skeleton);
        anim_clip_sample(model->clips[i], 0.3, pose->groups);
        anim_pose_destroy(pose);
    }
    anim_model_destroy(model);
    return code == ANIM_OK;
}

static void a_file_cut_anywhere_is_an_error(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    const int64_t before = anim_mem_get_counts().blocks;
    for (size_t size = 0; size < blob.size; size++) {
        // The exact size on the heap: a byte too far is then seen by ASan and Valgrind.
        unsigned char* bytes = malloc(size ? size : 1);
        memcpy(bytes, blob.bytes, size);
        assert_false(try_bytes(bytes, size));
        if (size >= sizeof(anim_archive_header)) {
            seal(bytes, size);
            assert_false(try_bytes(bytes, size));
        }
        free(bytes);
    }
    assert_int_equal(anim_mem_get_counts().blocks, before);
    anim_mem_free(blob.bytes);
}

static void a_changed_byte_does_no_harm(void** state)
{
    (void)state;
    anim_blob blob = save_assets();
    const int64_t before = anim_mem_get_counts().blocks;
    unsigned char* bytes = malloc(blob.size);
    for (size_t i = 0; i < blob.size; i++)
        for (unsigned bit = 0; bit <= 8; bit++) {
            memcpy(bytes, blob.bytes, blob.size);
            bytes[i] ^= (unsigned char)(bit < 8 ? 1u << bit : 0xff);
            assert_false(try_bytes(bytes, blob.size));
            seal(bytes, blob.size);
            try_bytes(bytes, blob.size);
        }
    free(bytes);
    assert_int_equal(anim_mem_get_counts().blocks, before);
    anim_mem_free(blob.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_assets_come_back),
        cmocka_unit_test(saving_is_deterministic),
        cmocka_unit_test(version_1_has_these_bytes),
        cmocka_unit_test(bytes_may_lie_anywhere),
        cmocka_unit_test(what_a_file_cannot_hold_is_refused),
        cmocka_unit_test(other_versions_and_changed_files_are_told),
        cmocka_unit_test(faults_behind_the_checksum_are_told),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(a_load_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_file_cut_anywhere_is_an_error),
        cmocka_unit_test(a_changed_byte_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
