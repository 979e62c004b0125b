// SPDX-License-Identifier: MIT
#include "base/mem.h"
#include "import/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "HIERARCHY\nROOT hip\n{\nOFFSET 1 2 3\n"
#define POSITION "CHANNELS 3 Xposition Yposition Zposition\n"
#define ROTATION "CHANNELS 3 Zrotation Xrotation Yrotation\n"
#define FRAMES(n) "}\nMOTION\nFrames: " n "\nFrame Time: 0.5\n"

// --- helpers -------------------------------------------------------------------------------------

static anim_code import(const char* text, size_t size, anim_import_desc desc, anim_model** model,
                        anim_error* err)
{
    // The exact size on the heap: a byte too far is then seen by ASan and Valgrind.
    char* bytes = malloc(size ? size : 1);
    memcpy(bytes, text, size);
    desc.bytes = bytes;
    desc.size = size;
    anim_code code = anim_import(&desc, model, err);
    free(bytes);
    return code;
}

static anim_model* load_with(const char* text, anim_import_desc desc)
{
    anim_model* model;
    anim_error err;
    if (import(text, strlen(text), desc, &model, &err) != ANIM_OK)
        fail_msg("%s", err.message);
    return model;
}

static anim_model* load(const char* text)
{
    return load_with(text, (anim_import_desc){0});
}

static void expect_error(const char* text, anim_code code, const char* part)
{
    anim_model* model = NULL;
    anim_error err = {0};
    assert_int_equal(import(text, strlen(text), (anim_import_desc){0}, &model, &err), code);
    assert_null(model);
    if (!strstr(err.message, part))
        fail_msg("'%s' is not in '%s'", part, err.message);
}

static bool has_note(const anim_model* model, const char* part)
{
    for (const anim_note* note = model->notes.first; note; note = note->next)
        if (strstr(note->text, part))
            return true;
    return false;
}

static anim_xform sample(const anim_model* model, const char* joint, double time)
{
    anim_xform x;
    anim_pose* pose = anim_pose_create(model->skeleton);
    assert_non_null(pose);
    anim_clip_sample(model->clips[0], time, pose->groups);
    int32_t index = anim_skeleton_find(model->skeleton, joint);
    assert_true(index >= 0);
    anim_pose_get(pose->skeleton, pose->groups, (uint32_t)index, &x);
    anim_pose_destroy(pose);
    return x;
}

static void expect_vector(const float* got, float x, float y, float z)
{
    const float expected[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        assert_float_equal(got[i], expected[i], 1e-6);
}

static void expect_rotation(const float* got, float x, float y, float z, float w)
{
    expect_vector(got, x, y, z);
    assert_float_equal(got[3], w, 1e-6);
}

// --- what frames mean ----------------------------------------------------------------------------

static void rotations_are_composed_in_the_listed_order(void** state)
{
    (void)state;
    const float h = 0.70710678f;
    anim_model* model = load(HEAD ROTATION FRAMES("1") "90 90 0\n");
    expect_rotation(sample(model, "hip", 0).q, 0.5f, 0.5f, 0.5f, 0.5f); // Rz Rx
    anim_model_destroy(model);
    model = load(HEAD "CHANNELS 2 Xrotation Zrotation\n" FRAMES("1") "90 90\n");
    expect_rotation(sample(model, "hip", 0).q, 0.5f, -0.5f, 0.5f, 0.5f); // Rx Rz
    anim_model_destroy(model);
    model = load(HEAD "CHANNELS 3 Zrotation Yrotation Zrotation\n" FRAMES("1") "30 0 60\n");
    expect_rotation(sample(model, "hip", 0).q, 0, 0, h, h);
    anim_model_destroy(model);
    model = load(HEAD "CHANNELS 1 Yrotation\n" FRAMES("1") "36090\n");
    expect_rotation(sample(model, "hip", 0).q, 0, h, 0, h);
    anim_model_destroy(model);
}

static void positions_replace_or_add_to_the_offset(void** state)
{
    (void)state;
    const char* text = HEAD POSITION FRAMES("1") "10 20 30\n";
    anim_model* model = load(text);
    expect_vector(sample(model, "hip", 0).t, 10, 20, 30);
    assert_null(model->notes.first);
    anim_model_destroy(model);
    model = load_with(text, (anim_import_desc){.bvh_relative = true});
    expect_vector(sample(model, "hip", 0).t, 11, 22, 33);
    anim_model_destroy(model);
    model = load_with(text, (anim_import_desc){.bvh_relative = true, .bvh_scale = 0.5});
    expect_vector(sample(model, "hip", 0).t, 5.5f, 11, 16.5f);
    expect_vector(model->skeleton->rest_xforms[0].t, 0.5f, 1, 1.5f);
    anim_model_destroy(model);
    text = HEAD "CHANNELS 1 Yposition\n" FRAMES("1") "20\n";
    model = load(text);
    expect_vector(sample(model, "hip", 0).t, 1, 20, 3);
    anim_model_destroy(model);
    model = load_with(text, (anim_import_desc){.bvh_relative = true});
    expect_vector(sample(model, "hip", 0).t, 1, 22, 3);
    anim_model_destroy(model);
    model = load(HEAD ROTATION "JOINT a { OFFSET 5 0 0 CHANNELS 4 Zposition Xrotation Xposition "
                               "Yrotation }\n" FRAMES("1") "0 0 0 9 0 8 0\n");
    expect_vector(sample(model, "a", 0).t, 8, 0, 9);
    anim_model_destroy(model);
}

static void times_and_duration_are_exact(void** state)
{
    (void)state;
    anim_model* model = load(HEAD POSITION FRAMES("3") "1 0 0\n2 0 0\n4 0 0\n");
    assert_true(model->clips[0]->duration == 1.0);
    assert_int_equal(model->clips[0]->loop, ANIM_LOOP_REPEAT);
    expect_vector(sample(model, "hip", 0.25).t, 1.5f, 0, 0);
    expect_vector(sample(model, "hip", 0.75).t, 3, 0, 0);
    const anim_times* times = &model->clips[0]->keys->times[0];
    assert_null(times->at);
    assert_true(times->count == 3 && times->start == 0 && times->step == 0.5);
    anim_model_destroy(model);
}

static void what_stands_still_takes_no_room(void** state)
{
    (void)state;
    anim_model* model = load(HEAD
                             "CHANNELS 4 Xposition Yposition Zposition Xrotation\n"
                             "JOINT a { OFFSET 0 0 0 " POSITION " }\n"
                             "JOINT b { OFFSET 0 0 0 " ROTATION
                             " }\n" FRAMES("3") "1 2 3 7  5 5 5  0 0 0\n1 2 3 8  5 5 5  0 0 0\n"
                                                "1 2 3 9  5 5 5  0 0 0\n");
    const anim_clip* clip = model->clips[0];
    assert_true(clip->duration == 1.0);
    assert_int_equal(clip->keys->track_count, 2); // hip at rest and b at rest: no tracks
    assert_int_equal(clip->keys->tracks[0].joint, 1);
    assert_int_equal(clip->keys->times[clip->keys->tracks[0].times].count, 1);
    assert_int_equal(clip->keys->times[clip->keys->tracks[1].times].count, 3);
    expect_vector(sample(model, "a", 1).t, 5, 5, 5);
    expect_vector(sample(model, "hip", 1).t, 1, 2, 3);
    anim_model_destroy(model);
    model = load(HEAD POSITION FRAMES("2") "1 2 3\n1 2 3\n");
    assert_int_equal(model->clips[0]->keys->track_count, 0);
    assert_true(model->clips[0]->duration == 0.5);
    anim_model_destroy(model);
}

static void rotation_keys_never_change_sides(void** state)
{
    (void)state;
    enum { frames = 200 };
    char text[8192];
    int length = snprintf(text, sizeof text, HEAD ROTATION FRAMES("%d"), frames);
    for (int i = 0; i < frames; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%d %d %d\n", i * 17 % 360,
                           i * 29 % 360 - 180, i * 11 % 720);
    anim_model* model = load(text);
    assert_null(model->notes.first);
    const float* q = model->clips[0]->keys->tracks[0].values;
    assert_true(q[3] >= 0);
    for (int i = 1; i < frames; i++)
        assert_true(q[4 * i] * q[4 * i - 4] + q[4 * i + 1] * q[4 * i - 3] +
                        q[4 * i + 2] * q[4 * i - 2] + q[4 * i + 3] * q[4 * i - 1] >=
                    0);
    anim_model_destroy(model);
}

// --- how the text may look -----------------------------------------------------------------------

static const char plain[] = "HIERARCHY\n"
                            "ROOT Hips\n"
                            "{\n"
                            "\tOFFSET 0.00 10.5 -0.25\n"
                            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
                            "Yrotation\n"
                            "\tJOINT left arm: upper\n"
                            "\t{\n"
                            "\t\tOFFSET 1 2 3\n"
                            "\t\tCHANNELS 3 Yrotation Xrotation Zrotation\n"
                            "\t\tEnd Site\n"
                            "\t\t{\n"
                            "\t\t\tOFFSET 0 1000 0\n"
                            "\t\t}\n"
                            "\t}\n"
                            "}\n"
                            "MOTION\n"
                            "Frames: 2\n"
                            "Frame Time: 0.033333\n"
                            "1 2 3 10 20 30 40 50 60\n"
                            "4 5 6 11 21 31 41 51 61\n";

static const char odd[] = "\xef\xbb\xbf\n \thierarchy\n\n"
                          "Root   Hips\t \n\n"
                          "  { offset\t0.00\n 1.05e1   -.25 channels 6 XPOSITION yposition "
                          "Zposition Zrotation Xrotation Yrotation\n"
                          "joint left arm: upper { OFFSET +1 0x2 3. CHANNELS 3 Yrotation "
                          "Xrotation Zrotation END site whatever { offset 0 1e3 0}}\v}\f\n"
                          "Motion\n"
                          "\n Frame  Time :.033333\n"
                          "FRAMES:2\n"
                          "\n"
                          "  1\t2 3   10 20 30 40 50 60   \n\n"
                          "4 5 6 11\n21 31 41 51 0x3d  \n\n\n";

static void expect_like_plain(const char* text)
{
    anim_model *a = load(plain), *b = load(text);
    assert_null(b->notes.first);
    assert_true(anim_skeleton_same(a->skeleton, b->skeleton));
    assert_string_equal(anim_skeleton_name(b->skeleton, 1), "left arm: upper");
    assert_string_equal(anim_skeleton_name(b->skeleton, 2), "left arm: upper_End");
    assert_true(a->clips[0]->duration == b->clips[0]->duration);
    for (uint32_t j = 0; j < a->skeleton->joint_count; j++) {
        const char* name = anim_skeleton_name(a->skeleton, j);
        anim_xform x = sample(a, name, 0.02), y = sample(b, name, 0.02);
        assert_memory_equal(&x, &y, sizeof x);
    }
    anim_model_destroy(a);
    anim_model_destroy(b);
}

// `text` with `ending` for every line feed.
static void replace_line_ends(const char* text, const char* ending, char* out)
{
    for (; *text; text++) {
        if (*text == '\n') {
            strcpy(out, ending);
            out += strlen(ending);
        } else {
            *out++ = *text;
        }
    }
    *out = '\0';
}

static void white_space_case_and_notation_do_not_matter(void** state)
{
    (void)state;
    char text[2 * sizeof odd];
    expect_like_plain(odd);
    replace_line_ends(plain, "\r\n", text);
    expect_like_plain(text);
    replace_line_ends(odd, "\r\n", text);
    expect_like_plain(text);
    replace_line_ends(odd, "\r", text);
    expect_like_plain(text);
}

static void errors_tell_the_line_for_every_line_end(void** state)
{
    (void)state;
    char text[512];
    const char* broken = "HIERARCHY\n\nROOT a\n{\n  OFFSET 1 2 x\n}\n";
    expect_error(broken, ANIM_ERR_FORMAT,
                 "line 5, column 14: expected three numbers for OFFSET, got 'x'");
    replace_line_ends(broken, "\r\n", text);
    expect_error(text, ANIM_ERR_FORMAT, "line 5, column 14:");
    replace_line_ends(broken, "\r", text);
    expect_error(text, ANIM_ERR_FORMAT, "line 5, column 14:");
}

static void names_become_unique(void** state)
{
    (void)state;
    anim_model* model = load("HIERARCHY\nROOT a { OFFSET 0 0 0\n"
                             "JOINT a { OFFSET 0 0 0 End Site { OFFSET 1 0 0 } }\n"
                             "JOINT a_End { OFFSET 0 0 0 }\n"
                             "End Site { OFFSET 1 0 0 } End Site { OFFSET 2 0 0 }\n"
                             "JOINT { OFFSET 0 0 0 } }\n"
                             "ROOT a { OFFSET 0 0 0 }\n");
    static const char* const names[] = {"a",       "a#2",     "a#2_End", "a_End",
                                        "a_End#2", "a_End#3", "joint7",  "a#3"};
    assert_int_equal(model->skeleton->joint_count, 8);
    for (uint32_t j = 0; j < 8; j++)
        assert_string_equal(anim_skeleton_name(model->skeleton, j), names[j]);
    assert_int_equal(model->skeleton->parents[2], 1);
    assert_int_equal(model->skeleton->parents[7], -1);
    assert_true(has_note(model, "line 3: a second joint 'a'; it is called 'a#2'"));
    assert_true(has_note(model, "line 7: a second joint 'a'; it is called 'a#3'"));
    assert_true(has_note(model, "it is called 'joint7'"));
    assert_int_equal(model->notes.count, 4); // and: no MOTION
    anim_model_destroy(model);
}

static void the_clip_has_the_name_of_the_file(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"mocap/walk.v2.bvh", "walk.v2"},
        {"c:\\mocap\\run.BVH", "run"},
        {"jump", "jump"},
        {"dir.x/.bvh", "clip0"},
        {"dir/", "clip0"},
        {NULL, "clip0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        anim_model* model = load_with(plain, (anim_import_desc){.name = cases[i][0]});
        assert_string_equal(model->clips[0]->name, cases[i][1]);
        anim_model_destroy(model);
    }
}

// --- files that are not as they should be --------------------------------------------------------

static void frames_that_are_missing_or_too_many_are_noted(void** state)
{
    (void)state;
    anim_model* model = load(HEAD POSITION FRAMES("9") "1 0 0\n2 0 0\n3 0 0\n");
    assert_true(model->clips[0]->duration == 1.0);
    assert_true(has_note(model, "9 frames are announced, 3 are there"));
    anim_model_destroy(model);
    model = load(HEAD POSITION FRAMES("9") "1 0 0\n2 0 0\n3 0");
    assert_true(model->clips[0]->duration == 0.5);
    assert_true(has_note(model, "line 12: the last frame has only 2 of 3 values; it is left out"));
    anim_model_destroy(model);
    model = load(HEAD POSITION FRAMES("1") "1 0 0\n2 0 0\n");
    assert_true(model->clips[0]->duration == 0.0);
    assert_true(has_note(model, "line 11: what follows the 1 frames"));
    anim_model_destroy(model);
    model = load(HEAD POSITION FRAMES("2") "1 0 0 2 0 0\n"); // two frames on a line
    assert_true(model->clips[0]->duration == 0.5);
    assert_null(model->notes.first);
    anim_model_destroy(model);
}

static void a_skeleton_may_come_alone(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {HEAD "}\n", "no MOTION"},
        {HEAD ROTATION FRAMES("0"), "no frames"},
        {HEAD FRAMES("3"), "no channels"},
        {HEAD "CHANNELS 0\n" FRAMES("2147483647") "\n\n\n", "no channels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        anim_model* model = load(cases[i][0]);
        assert_int_equal(model->clip_count, 0);
        assert_int_equal(model->skeleton->joint_count, 1);
        assert_true(has_note(model, cases[i][1]));
        anim_model_destroy(model);
    }
    // A frame alone needs no frame time.
    anim_model* model = load(HEAD ROTATION "}\nMOTION\nFrames: 1\nFrame Time: 0\n1 2 3\n");
    assert_true(model->clips[0]->duration == 0.0);
    anim_model_destroy(model);
}

static void faults_are_told(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        {"HIERARCHY", "line 1: expected ROOT, but the file ends here"},
        {"HIERARCHY\nMOTION\n", "line 2, column 1: expected ROOT, got 'MOTION'"},
        {"HIERARCHY\nROOT a", "line 2: expected '{', but the file ends"},
        {"HIERARCHY\nROOT a\nOFFSET 0 0 0\n", "line 3, column 1: expected '{', got 'OFFSET'"},
        {HEAD, "line 5: the file ends inside 'hip' of line 2; expected '}'"},
        {HEAD "}}\n", "expected ROOT or MOTION, got '}'"},
        {HEAD "ROT 1\n",
         "line 5, column 1: expected OFFSET, CHANNELS, JOINT, End Site or '}', got"},
        {HEAD "CHANNELS 2 Xrotation Wrotation\n", "got 'Wrotation'"},
        {HEAD "CHANNELS 3 Xrotation\n}\n", "expected a channel (Xposition ... Zrotation), got '}'"},
        {HEAD "CHANNELS 2 Xposition Xposition\n", "line 5: 'hip' has Xposition twice"},
        {HEAD "CHANNELS 1.5 Xrotation\n", "1.5 channels"},
        {HEAD "CHANNELS -1\n", "-1 channels"},
        {HEAD "CHANNELS 4294967297\n", "channels; expected a whole number"},
        {HEAD ROTATION ROTATION, "line 6: a second CHANNELS of 'hip'"},
        {HEAD ROTATION FRAMES("1") "1 2 nan\n", "line 10, column 5: expected a number, got 'nan'"},
        {HEAD ROTATION FRAMES("1") "1 -inf 2\n", "got '-inf'"},
        {HEAD ROTATION FRAMES("1") "1 2 1e39\n", "got '1e39'"},
        {HEAD ROTATION FRAMES("1") "1 2 1.#QNAN\n", "got '1.#QNAN'"},
        {HEAD ROTATION FRAMES("1") "1 2 0,5\n", "got '0,5'"},
        {HEAD ROTATION FRAMES("1"), "line 10: the file ends before the first of 1 frames"},
        {HEAD ROTATION FRAMES("2147483647") "1 2", "before the first of 2147483647 frames"},
        {HEAD ROTATION FRAMES("2147483648") "1 2 3\n",
         "2147483648 frames; expected a whole number"},
        {HEAD ROTATION FRAMES("-1"), "-1 frames"},
        {HEAD ROTATION "}\nMOTION\nFrame Time: 1\n1 2 3\n", "expected 'Frames:', got '1'"},
        {HEAD ROTATION "}\nMOTION\nFrames: 2\n1 2 3\n", "expected 'Frame Time:', got '1'"},
        {HEAD ROTATION "}\nMOTION\nFrames: 2\nFrame Time: 0\n1 2 3\n4 5 6\n", "a frame time of 0"},
        {HEAD ROTATION "}\nMOTION\nFrames: 2\nFrame Time: -1\n1 2 3\n4 5 6\n",
         "a frame time of -1"},
        // A value too few, one too many: nothing after it would be where it belongs.
        {HEAD ROTATION FRAMES("3") "1 2 3\n4 5\n7 8 9\n", "line 12: frame 2 ends inside the line"},
        {HEAD ROTATION FRAMES("3") "1 2 3 4\n4 5 6\n7 8 9\n", "line 11: frame 2 ends inside"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_error(cases[i][0], ANIM_ERR_FORMAT, cases[i][1]);
    anim_model* model = NULL;
    anim_error err;
    const anim_import_desc backwards = {.bvh_scale = -1};
    assert_int_equal(import(plain, strlen(plain), backwards, &model, &err), ANIM_ERR_ARGUMENT);
    const anim_import_desc huge = {.bvh_scale = 1e38};
    assert_int_equal(import(plain, strlen(plain), huge, &model, &err), ANIM_ERR_FORMAT);
    assert_non_null(strstr(err.message, "too large"));
    static const char zero[] = "HIERARCHY\nROOT a\0b\n{\nOFFSET 0 0 0\n}\n";
    assert_int_equal(import(zero, sizeof zero - 1, (anim_import_desc){0}, &model, &err),
                     ANIM_ERR_FORMAT);
    assert_non_null(strstr(err.message, "line 2: a joint's name has a zero byte"));
}

static char* repeat(const char* start, const char* middle, int times, const char* end)
{
    size_t length = strlen(middle);
    char* text = malloc(strlen(start) + length * (size_t)times + strlen(end) + 1);
    char* at = text + sprintf(text, "%s", start);
    for (int i = 0; i < times; i++, at += length)
        memcpy(at, middle, length);
    strcpy(at, end);
    return text;
}

static void depth_and_number_of_joints_are_bounded(void** state)
{
    (void)state;
    const char* root = "HIERARCHY\nROOT a { OFFSET 0 0 0\n";
    char* text = repeat(root, "JOINT a { OFFSET 0 1 0\n", 20000, "");
    expect_error(text, ANIM_ERR_FORMAT, "the file ends inside");
    free(text);
    text = repeat(root, "JOINT a { OFFSET 0 1 0\n", ANIM_MAX_JOINTS, "");
    expect_error(text, ANIM_ERR_LIMIT, "line 32769: more than 32767 joints");
    free(text);
    text = repeat(root, "JOINT a { OFFSET 0 1 0 }\n", ANIM_MAX_JOINTS - 1, "}\n");
    anim_model* model = load(text);
    assert_int_equal(model->skeleton->joint_count, ANIM_MAX_JOINTS);
    assert_true(anim_skeleton_find(model->skeleton, "a#32767") == 32766);
    anim_model_destroy(model);
    free(text);
}

static void memory_is_bounded(void** state)
{
    (void)state;
    char* text = repeat(HEAD ROTATION FRAMES("20000"), "1 2 3\n", 20000, "");
    anim_model* model = NULL;
    anim_error err;
    const anim_import_desc small = {.memory_limit = 400000};
    assert_int_equal(import(text, strlen(text), small, &model, &err), ANIM_ERR_LIMIT);
    assert_non_null(strstr(err.message, "400000 bytes"));
    model = load_with(text, (anim_import_desc){.memory_limit = 800000});
    anim_model_destroy(model);
    free(text);
}

// --- memory, cancelling, hostile bytes -----------------------------------------------------------

static bool count_down(void* user, float done)
{
    assert_true(done > 0 && done <= 1);
    return --*(int*)user > 0;
}

static void an_import_can_be_cancelled(void** state)
{
    (void)state;
    char* text = repeat(HEAD ROTATION FRAMES("20000"), "1 2 3\n", 20000, "");
    anim_model* model = NULL;
    anim_error err;
    int left = 3;
    const anim_import_desc desc = {.progress = count_down, .user = &left};
    assert_int_equal(import(text, strlen(text), desc, &model, &err), ANIM_ERR_IO);
    assert_non_null(strstr(err.message, "cancelled"));
    assert_int_equal(left, 0);
    left = 1000;
    anim_model_destroy(load_with(text, desc));
    assert_true(left < 1000);
    free(text);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    const int64_t before = anim_mem_get_counts().blocks;
    anim_code code = ANIM_ERR_MEMORY;
    int n = 1;
    for (; code != ANIM_OK; n++) {
        anim_model* model = NULL;
        anim_error err;
        anim_mem_fail_nth(n);
        code = import(odd, strlen(odd), (anim_import_desc){0}, &model, &err);
        anim_mem_fail_nth(0);
        assert_true(code == ANIM_OK ? model != NULL : code == ANIM_ERR_MEMORY);
        anim_model_destroy(model);
        assert_int_equal(anim_mem_get_counts().blocks, before);
    }
    assert_true(n > 5);
}

// A model or an error, for whatever bytes; a model can be used.
static void try_bytes(const char* bytes, size_t size)
{
    anim_model* model = NULL;
    anim_error err = {0};
    anim_code code = import(bytes, size, (anim_import_desc){0}, &model, &err);
    assert_true((code == ANIM_OK) == (model != NULL));
    assert_true(code == ANIM_OK || err.message[0]);
    if (model && model->clip_count) {
        anim_xform x = sample(model, anim_skeleton_name(model->skeleton, 0), 0.02);
        assert_true(anim_xform_is_finite(&x));
    }
    anim_model_destroy(model);
}

static void broken_bytes_do_no_harm(void** state)
{
    (void)state;
    const int64_t before = anim_mem_get_counts().blocks;
    char text[sizeof odd];
    memcpy(text, odd, sizeof odd);
    for (size_t i = 0; i + 1 < sizeof odd; i++) {
        try_bytes(odd, i);
        static const char others[] = {0, ' ', '\n', '{', '}', '9', '-', '.', (char)0xff};
        for (size_t k = 0; k < sizeof others; k++) {
            text[i] = others[k];
            try_bytes(text, sizeof odd - 1);
        }
        text[i] = odd[i];
    }
    assert_int_equal(anim_mem_get_counts().blocks, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_composed_in_the_listed_order),
        cmocka_unit_test(positions_replace_or_add_to_the_offset),
        cmocka_unit_test(times_and_duration_are_exact),
        cmocka_unit_test(what_stands_still_takes_no_room),
        cmocka_unit_test(rotation_keys_never_change_sides),
        cmocka_unit_test(white_space_case_and_notation_do_not_matter),
        cmocka_unit_test(errors_tell_the_line_for_every_line_end),
        cmocka_unit_test(names_become_unique),
        cmocka_unit_test(the_clip_has_the_name_of_the_file),
        cmocka_unit_test(frames_that_are_missing_or_too_many_are_noted),
        cmocka_unit_test(a_skeleton_may_come_alone),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(depth_and_number_of_joints_are_bounded),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(an_import_can_be_cancelled),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(broken_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
