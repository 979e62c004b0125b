// SPDX-License-Identifier: MIT
#include "import/bvh.h"

#include "import/limit.h"

#include <math.h>
#include <string.h>

static const uint32_t frames_per_report = 2048;

// The keys of one joint; NULL where it has no such channels.
typedef struct joint_keys {
    const anim_bvh_joint* joint;
    float* positions; // 3 a frame
    float* rotations; // 4 a frame
} joint_keys;

typedef struct motion {
    anim_bvh* bvh;
    uint32_t announced, capacity, count; // frames: said, room for, read
    double frame_time;
    double* row; // the values of a frame
    joint_keys* joints;
} motion;

// --- "Frames: n" and "Frame Time: s" -------------------------------------------------------------

static anim_code read_frame_count(motion* m)
{
    anim_bvh_text* text = &m->bvh->text;
    double count;
    anim_bvh_take_char(text, ':');
    anim_code code = anim_bvh_take_number(text, "the number of frames", &count);
    if (code)
        return code;
    if (!(count >= 0 && count <= INT32_MAX) || count != floor(count))
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: %.17g frames; expected a whole number from 0 to %d", text->line,
                         count, INT32_MAX);
    m->announced = (uint32_t)count;
    return ANIM_OK;
}

static anim_code read_frame_time(motion* m)
{
    anim_bvh_take_char(&m->bvh->text, ':');
    return anim_bvh_take_number(&m->bvh->text, "the frame time in seconds", &m->frame_time);
}

static anim_code read_header(motion* m)
{
    anim_bvh_text* text = &m->bvh->text;
    bool has_count = false, has_time = false;
    anim_code code = ANIM_OK;
    while (!code && !(has_count && has_time)) {
        if (!has_count && anim_bvh_take(text, "Frames")) {
            code = read_frame_count(m);
            has_count = true;
        } else if (!has_time && anim_bvh_take(text, "Frame") && anim_bvh_take(text, "Time")) {
            code = read_frame_time(m);
            has_time = true;
        } else {
            code = anim_bvh_expected(text, has_count ? "'Frame Time:'" : "'Frames:'");
        }
    }
    // One frame needs no time, and programs write 0 there.
    if (!code && m->announced > 1 && !(m->frame_time > 0 && m->frame_time <= 1e9))
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: a frame time of %g; expected above 0, to 1e9 seconds",
                         text->line, m->frame_time);
    return code;
}

// --- frames --------------------------------------------------------------------------------------

static anim_code make_room(motion* m)
{
    anim_bvh* bvh = m->bvh;
    // A value takes two bytes at least, so a short file can't claim much memory.
    size_t left = (size_t)(bvh->text.end - bvh->text.at);
    size_t possible = left / (2 * (size_t)bvh->channel_count) + 1;
    m->capacity = m->announced < possible ? m->announced : (uint32_t)possible;
    m->row = anim_arena_alloc(&bvh->arena, bvh->channel_count, sizeof *m->row);
    m->joints = anim_arena_alloc(&bvh->arena, bvh->joint_count, sizeof *m->joints);
    if (!m->row || !m->joints)
        return anim_import_fail_memory(&bvh->arena, bvh->text.err);
    for (const anim_bvh_joint* joint = bvh->first; joint; joint = joint->next) {
        joint_keys* keys = &m->joints[joint->index];
        bool moves = false, turns = false;
        for (uint32_t i = 0; i < joint->channel_count; i++)
            *(joint->channels[i] < ANIM_BVH_ROTATION ? &moves : &turns) = true;
        size_t key = (moves ? 3 : 0) + (turns ? 4 : 0);
        float* values = anim_arena_alloc(&bvh->arena, m->capacity, key * sizeof *values);
        if (!values)
            return anim_import_fail_memory(&bvh->arena, bvh->text.err);
        keys->joint = joint;
        keys->positions = moves ? values : NULL;
        keys->rotations = turns ? values + (moves ? 3 * (size_t)m->capacity : 0) : NULL;
    }
    if (bvh->arena.used > bvh->arena.limit / 2) // the clip will be a second copy
        return anim_import_fail_limit(bvh->arena.limit, bvh->text.err);
    return ANIM_OK;
}

// A frame is a line. Some programs break long lines, others put several frames on one; but a frame
// that goes over the end of a line and stops inside the next tells of a value lost or too many.
static anim_code check_lines(const motion* m, bool starts_line, uint32_t first_line)
{
    anim_bvh_text* text = &m->bvh->text;
    uint32_t last_line = text->line;
    if (first_line == last_line)
        return ANIM_OK;
    bool ends_line = !anim_bvh_skip_space(text) || text->line != last_line;
    if (starts_line && ends_line)
        return ANIM_OK;
    return anim_fail(text->err, ANIM_ERR_FORMAT,
                     "line %u: frame %u ends inside the line; expected %u values a frame",
                     last_line, m->count + 1, m->bvh->channel_count);
}

// The next frame into m->row. `*complete` is false where the file ends before it does.
static anim_code read_row(motion* m, bool* complete)
{
    anim_bvh_text* text = &m->bvh->text;
    uint32_t line_before = text->line, first_line = 0;
    *complete = false;
    for (uint32_t i = 0; i < m->bvh->channel_count; i++) {
        if (!anim_bvh_skip_space(text)) {
            if (i > 0)
                anim_notes_add(&m->bvh->model->notes,
                               "line %u: the last frame has only %u of %u values; it is left out",
                               text->line, i, m->bvh->channel_count);
            return ANIM_OK;
        }
        if (i == 0)
            first_line = text->line;
        anim_code code = anim_bvh_take_number(text, "a number", &m->row[i]);
        if (code)
            return code;
    }
    *complete = true;
    return check_lines(m, m->count == 0 || first_line != line_before, first_line);
}

// q * turn about the axis.
static void turn(double q[4], int axis, double degrees)
{
    const double half_radian = 0.00872664625997164788; // pi / 360
    if (fabs(degrees) > 720)
        degrees = fmod(degrees, 720);
    double s = sin(degrees * half_radian), c = cos(degrees * half_radian);
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    double qa = q[axis], qb = q[b], qd = q[d], qw = q[3];
    q[axis] = qa * c + qw * s;
    q[b] = qb * c + qd * s;
    q[d] = qd * c - qb * s;
    q[3] = qw * c - qa * s;
}

// Of the two quaternions of a rotation the one nearer the key before, at first the one with w >= 0.
static void store_rotation(const double q[4], float* out, bool first)
{
    double nearness = q[3];
    if (!first)
        nearness = q[0] * out[-4] + q[1] * out[-3] + q[2] * out[-2] + q[3] * out[-1];
    double sign = nearness < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        out[i] = (float)(sign * q[i]);
}

static anim_code store_frame(motion* m)
{
    const anim_bvh* bvh = m->bvh;
    const double* value = m->row;
    for (uint32_t j = 0; j < bvh->joint_count; j++) {
        const joint_keys* keys = &m->joints[j];
        const double* offset = keys->joint->offset;
        double position[3] = {offset[0], offset[1], offset[2]};
        double q[4] = {0, 0, 0, 1};
        for (uint32_t i = 0; i < keys->joint->channel_count; i++, value++) {
            int kind = keys->joint->channels[i];
            if (kind >= ANIM_BVH_ROTATION)
                turn(q, kind - ANIM_BVH_ROTATION, *value);
            else
                position[kind] = *value + (bvh->desc->bvh_relative ? offset[kind] : 0);
        }
        if (keys->rotations)
            store_rotation(q, keys->rotations + 4 * (size_t)m->count, m->count == 0);
        for (int i = 0; keys->positions && i < 3; i++) {
            float scaled = (float)(position[i] * bvh->scale);
            if (isinf(scaled))
                return anim_fail(bvh->text.err, ANIM_ERR_FORMAT,
                                 "line %u: a position of '%s' is too large", bvh->text.line,
                                 keys->joint->name);
            keys->positions[3 * (size_t)m->count + (size_t)i] = scaled;
        }
    }
    m->count++;
    return ANIM_OK;
}

static anim_code report_progress(const motion* m)
{
    const anim_import_desc* desc = m->bvh->desc;
    if (!desc->progress || m->count % frames_per_report != 0)
        return ANIM_OK;
    size_t done = desc->size - (size_t)(m->bvh->text.end - m->bvh->text.at);
    if (desc->progress(desc->user, (float)done / (float)desc->size))
        return ANIM_OK;
    return anim_fail(m->bvh->text.err, ANIM_ERR_IO, "cancelled");
}

static anim_code read_frames(motion* m)
{
    anim_bvh_text* text = &m->bvh->text;
    anim_notes* notes = &m->bvh->model->notes;
    bool complete = true;
    anim_code code = ANIM_OK;
    while (!code && m->count < m->capacity) {
        code = read_row(m, &complete);
        if (!complete)
            break;
        if (!code)
            code = store_frame(m);
        if (!code)
            code = report_progress(m);
    }
    if (code)
        return code;
    if (m->count == 0)
        return anim_fail(text->err, ANIM_ERR_FORMAT,
                         "line %u: the file ends before the first of %u frames", text->line,
                         m->announced);
    if (m->count < m->announced)
        anim_notes_add(notes, "%u frames are announced, %u are there", m->announced, m->count);
    else if (anim_bvh_skip_space(text))
        anim_notes_add(notes, "line %u: what follows the %u frames that are announced is ignored",
                       text->line, m->announced);
    return ANIM_OK;
}

// --- clip ----------------------------------------------------------------------------------------

static bool is_constant(const float* values, size_t width, uint32_t count)
{
    for (size_t i = width; i < width * count; i++)
        if (values[i] != values[i - width])
            return false;
    return true;
}

// A channel that stands still is one key, and none where it stands at rest.
static void add_track(const motion* m, anim_clip_desc* clip, anim_track_desc* tracks,
                      const anim_track_desc* whole, const float* rest)
{
    size_t width = whole->channel == ANIM_CHANNEL_ROTATION ? 4 : 3;
    anim_track_desc* track = &tracks[clip->track_count];
    *track = *whole;
    if (is_constant(whole->values, width, m->count)) {
        bool at_rest = true;
        for (size_t i = 0; i < width; i++)
            at_rest = at_rest && whole->values[i] == rest[i];
        if (at_rest)
            return;
        track->times = (anim_times_desc){.count = 1};
    }
    clip->track_count++;
}

static void add_tracks(const motion* m, anim_clip_desc* clip, anim_track_desc* tracks)
{
    const anim_times_desc times = {m->count, NULL, 0, m->frame_time};
    for (uint32_t j = 0; j < m->bvh->joint_count; j++) {
        uint32_t joint = m->bvh->order[j];
        const anim_xform* rest = &clip->skeleton->rest_xforms[joint];
        anim_track_desc track = {joint, ANIM_CHANNEL_TRANSLATION, ANIM_INTERP_LINEAR, times,
                                 m->joints[j].positions};
        if (track.values)
            add_track(m, clip, tracks, &track, rest->t);
        track.channel = ANIM_CHANNEL_ROTATION;
        track.values = m->joints[j].rotations;
        if (track.values)
            add_track(m, clip, tracks, &track, rest->q);
    }
    clip->tracks = tracks;
}

// The file's name without directories and extension.
static char* clip_name(const anim_bvh* bvh)
{
    const char* name = bvh->desc->name ? bvh->desc->name : "";
    for (const char* c = name; *c; c++)
        if (*c == '/' || *c == '\\')
            name = c + 1;
    const char* dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name);
    if (length == 0)
        name = "clip0";
    return anim_arena_copy_text(&bvh->model->arena, name, length ? length : strlen(name));
}

static anim_code make_clip(const motion* m)
{
    anim_bvh* bvh = m->bvh;
    anim_model* model = bvh->model;
    anim_track_desc* tracks = anim_arena_alloc(&bvh->arena, bvh->joint_count, 2 * sizeof *tracks);
    const char* name = clip_name(bvh);
    model->clips = anim_arena_alloc(&model->arena, 1, sizeof *model->clips);
    if (!tracks || !name || !model->clips)
        return anim_import_fail_memory(&bvh->arena, bvh->text.err);
    anim_clip_desc clip = {.name = name,
                           .skeleton = model->skeleton,
                           .duration = m->count > 1 ? (m->count - 1) * m->frame_time : 0,
                           .loop = ANIM_LOOP_REPEAT};
    add_tracks(m, &clip, tracks);
    anim_code code = anim_clip_create(&clip, &model->notes, &model->clips[0], bvh->text.err);
    if (!code)
        model->clip_count = 1;
    return code;
}

anim_code anim_bvh_read_motion(anim_bvh* bvh)
{
    motion m = {.bvh = bvh};
    anim_code code = read_header(&m);
    if (code)
        return code;
    if (m.announced == 0 || bvh->channel_count == 0) {
        anim_notes_add(&bvh->model->notes, "no %s: a skeleton without a clip",
                       m.announced == 0 ? "frames" : "channels");
        return ANIM_OK;
    }
    code = make_room(&m);
    if (!code)
        code = read_frames(&m);
    if (!code)
        code = make_clip(&m);
    return code;
}
