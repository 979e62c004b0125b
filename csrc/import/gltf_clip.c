// SPDX-License-Identifier: MIT
// Animations to clips. Key times stay where they lie: tracks of one accessor hand the clip builder
// the same pointer, so it checks and stores them once.
#include "import/gltf.h"

#include "pose/keys.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

typedef struct builder {
    anim_gltf* g;
    uint32_t serial;        // of the clip, from 1: what the stamps hold
    uint32_t* track_stamp;  // per joint and channel: the last clip that has it
    uint32_t** curve_stamp; // per morph and target
    uint32_t* curve_node;   // per morph: whose channel gave the curves
    anim_unique names;
    anim_track_desc* tracks;
    anim_curve_desc* curves;
    uint32_t *track_input, *curve_input; // accessors of their times
    uint32_t track_count, curve_count;
    size_t most_curves; // each target at most once
    size_t size;        // bytes the clip will have
} builder;

// The keys of one channel, found fit for use.
typedef struct keys {
    const float *times, *values;
    uint32_t count;
} keys;

// --- channels -----------------------------------------------------------------------------------

// What is wrong with the accessors of a channel of `width` numbers a value, `values` values a key.
static const char* find_problem(const anim_gltf_accessor* input, const anim_gltf_accessor* output,
                                uint32_t width, uint64_t values)
{
    if (input->width != 1 || !input->component.is_float)
        return "its key times are not scalar 32-bit floats";
    if (input->count == 0)
        return "it has no keys";
    if (output->width != width)
        return "its values are of the wrong type";
    if (output->count < values * input->count)
        return "it has fewer values than its keys need";
    return NULL;
}

// Times and values of a channel; keys->count is 0 where they are of no use.
static bool read_keys(builder* b, const anim_gltf_channel* c, uint32_t width, uint64_t values,
                      keys* out)
{
    anim_gltf* g = b->g;
    anim_gltf_accessor *input, *output;
    *out = (keys){0};
    if (!anim_gltf_open_accessor(g, c->input, &input) ||
        !anim_gltf_open_accessor(g, c->output, &output))
        return false;
    values *= c->interp == ANIM_INTERP_CUBIC ? 3 : 1;
    const char* problem = find_problem(input, output, width, values);
    if (problem) {
        anim_gltf_warn(g, c->at, "%s; the channel is left out", problem);
        return true;
    }
    if (output->count > values * input->count)
        anim_gltf_warn(g, c->at, "it has more values than its keys need; the rest is ignored");
    if (!anim_gltf_get_numbers(g, c->input, &out->times) ||
        !anim_gltf_get_numbers(g, c->output, &out->values))
        return false;
    out->count = input->count;
    b->size += (size_t)input->count * (1 + (size_t)values * width) * sizeof(float);
    return true;
}

static bool add_track(builder* b, const anim_gltf_channel* c)
{
    anim_gltf* g = b->g;
    uint32_t joint = (uint32_t)g->nodes[c->node].joint;
    anim_channel channel = (anim_channel)c->path;
    uint32_t* stamp = &b->track_stamp[3 * joint + channel];
    if (*stamp == b->serial) {
        anim_gltf_warn(g, c->at, "a second channel for the %s of node %u; left out",
                       anim_channel_name(channel), c->node);
        return true;
    }
    keys k;
    if (!read_keys(b, c, anim_channel_width(channel), 1, &k))
        return false;
    if (k.count == 0)
        return true;
    *stamp = b->serial;
    b->track_input[b->track_count] = c->input;
    b->tracks[b->track_count++] = (anim_track_desc){
        joint, channel, c->interp, {k.count, k.times, 0, 0}, k.values};
    b->size += sizeof(anim_track);
    return true;
}

// The values of all targets lie side by side, key by key; a curve has one after the other.
static const float* split(anim_gltf* g, const float* from, size_t rows, uint32_t columns)
{
    if (columns == 1)
        return from;
    float* to = anim_gltf_alloc(g, rows * columns, sizeof *to);
    for (size_t row = 0; to && row < rows; row++)
        for (uint32_t column = 0; column < columns; column++)
            to[column * rows + row] = *from++;
    return to;
}

static bool add_curves(builder* b, const anim_gltf_channel* c)
{
    anim_gltf* g = b->g;
    int32_t index = g->nodes[c->node].morph;
    const anim_morph* morph = index < 0 ? NULL : &g->model->morphs[index];
    bool one = c->path == ANIM_GLTF_WEIGHT;
    if (!morph || (one && c->weight >= morph->target_count)) {
        anim_gltf_warn(g, c->at, "weights of node %u, which has no such morph target; left out",
                       c->node);
        return true;
    }
    uint32_t first = one ? c->weight : 0, count = one ? 1 : morph->target_count;
    keys k;
    if (!read_keys(b, c, 1, count, &k))
        return false;
    if (k.count == 0)
        return true;
    size_t rows = (size_t)k.count * (c->interp == ANIM_INTERP_CUBIC ? 3 : 1);
    const float* values = split(g, k.values, rows, count);
    if (!values)
        return false;
    bool repeated = false;
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t* stamp = &b->curve_stamp[index][i];
        if (*stamp == b->serial) {
            repeated = true;
            continue;
        }
        *stamp = b->serial;
        b->curve_node[index] = c->node;
        b->curve_input[b->curve_count] = c->input;
        b->curves[b->curve_count++] = (anim_curve_desc){
            morph->curves[i], c->interp, {k.count, k.times, 0, 0}, values + (i - first) * rows};
        b->size += sizeof(anim_curve) + 2 * sizeof(uint32_t) + strlen(morph->curves[i]) + 1;
    }
    if (repeated && b->curve_node[index] == c->node) // another node may well share the morph
        anim_gltf_warn(g, c->at, "a second channel for weights of '%.80s'; left out", morph->name);
    return true;
}

// --- trimming -----------------------------------------------------------------------------------

static float first_key(float first, const anim_times_desc* times)
{
    for (uint32_t i = 0; i < times->count; i++)
        first = times->at[i] < first ? times->at[i] : first;
    return first;
}

// The same times, `shift` earlier. One copy an accessor: equal tables must stay equal pointers.
static bool shift_times(anim_gltf* g, uint32_t input, float shift, anim_times_desc* times)
{
    anim_gltf_accessor* accessor = &g->accessors[input];
    if (!accessor->shifted || accessor->shift != shift) {
        float* at = anim_gltf_alloc(g, times->count, sizeof *at);
        if (!at)
            return false;
        for (uint32_t i = 0; i < times->count; i++)
            at[i] = times->at[i] - shift;
        accessor->shifted = at;
        accessor->shift = shift;
    }
    times->at = accessor->shifted;
    return true;
}

static bool trim(builder* b)
{
    float first = FLT_MAX;
    for (uint32_t i = 0; i < b->track_count; i++)
        first = first_key(first, &b->tracks[i].times);
    for (uint32_t i = 0; i < b->curve_count; i++)
        first = first_key(first, &b->curves[i].times);
    if (first == 0)
        return true;
    for (uint32_t i = 0; i < b->track_count; i++)
        if (!shift_times(b->g, b->track_input[i], first, &b->tracks[i].times))
            return false;
    for (uint32_t i = 0; i < b->curve_count; i++)
        if (!shift_times(b->g, b->curve_input[i], first, &b->curves[i].times))
            return false;
    return true;
}

// --- clips --------------------------------------------------------------------------------------

static bool alloc_lists(builder* b, const anim_gltf_animation* animation)
{
    anim_gltf* g = b->g;
    size_t tracks = 0, curves = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const anim_gltf_channel* c = &animation->channels[i];
        int32_t morph = g->nodes[c->node].morph;
        tracks += c->path < ANIM_GLTF_WEIGHTS;
        if (c->path >= ANIM_GLTF_WEIGHTS && morph >= 0)
            curves += c->path == ANIM_GLTF_WEIGHT ? 1 : g->model->morphs[morph].target_count;
    }
    if (curves > b->most_curves)
        curves = b->most_curves;
    b->track_count = b->curve_count = 0;
    b->tracks = anim_gltf_alloc(g, tracks, sizeof *b->tracks);
    b->track_input = b->tracks ? anim_gltf_alloc(g, tracks, sizeof *b->track_input) : NULL;
    b->curves = b->track_input ? anim_gltf_alloc(g, curves, sizeof *b->curves) : NULL;
    b->curve_input = b->curves ? anim_gltf_alloc(g, curves, sizeof *b->curve_input) : NULL;
    return b->curve_input != NULL;
}

static bool create(builder* b, const char* name, anim_clip** out)
{
    anim_gltf* g = b->g;
    const anim_clip_desc desc = {.name = name,
                                 .skeleton = g->model->skeleton,
                                 .duration = -1,
                                 .loop = ANIM_LOOP_REPEAT,
                                 .tracks = b->tracks,
                                 .curves = b->curves,
                                 .track_count = b->track_count,
                                 .curve_count = b->curve_count};
    char context[96];
    snprintf(context, sizeof context, "clip '%.80s'", name);
    g->model->notes.context = context;
    g->code = anim_clip_create(&desc, &g->model->notes, out, g->err);
    g->model->notes.context = NULL;
    if (g->code)
        anim_error_prefix(g->err, "%s: ", context);
    return g->code == ANIM_OK;
}

static bool build_clip(builder* b, uint32_t index, anim_clip** out)
{
    anim_gltf* g = b->g;
    const anim_gltf_animation* animation = &g->animations[index];
    const char* name = anim_gltf_get_name(g, animation->name, "clip", index);
    name = name ? anim_gltf_make_unique(g, &b->names, name, animation->at) : NULL;
    if (!name || !alloc_lists(b, animation))
        return false;
    b->serial = index + 1;
    // The clip builder has a table of all channels of all joints too.
    size_t each_joint = 1 + 3 * sizeof(int32_t);
    b->size = sizeof(anim_clip) + sizeof(anim_keys) + strlen(name) +
              each_joint * g->model->skeleton->joint_count;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const anim_gltf_channel* c = &animation->channels[i];
        if (!(c->path < ANIM_GLTF_WEIGHTS ? add_track(b, c) : add_curves(b, c)))
            return false;
    }
    return (!g->desc->trim || trim(b)) && anim_gltf_hold(g, b->size) && create(b, name, out);
}

static bool init(builder* b)
{
    anim_gltf* g = b->g;
    const anim_model* model = g->model;
    b->names.arena = &g->arena;
    b->track_stamp = anim_gltf_alloc(g, 3 * (size_t)model->skeleton->joint_count,
                                     sizeof *b->track_stamp);
    if (!b->track_stamp)
        return false;
    b->curve_node = anim_gltf_alloc(g, model->morph_count, sizeof *b->curve_node);
    if (!b->curve_node)
        return false;
    b->curve_stamp = anim_gltf_alloc(g, model->morph_count, sizeof *b->curve_stamp);
    for (uint32_t i = 0; b->curve_stamp && i < model->morph_count; i++) {
        b->curve_stamp[i] = anim_gltf_alloc(g, model->morphs[i].target_count, sizeof(uint32_t));
        if (!b->curve_stamp[i])
            return false;
        b->most_curves += model->morphs[i].target_count;
    }
    return b->curve_stamp != NULL;
}

bool anim_gltf_build_clips(anim_gltf* g)
{
    builder b = {.g = g};
    anim_model* model = g->model;
    const anim_import_desc* desc = g->desc;
    uint32_t count = g->animation_list.count;
    model->clips = anim_gltf_alloc_kept(g, count, sizeof *model->clips);
    if (!model->clips || !init(&b))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!build_clip(&b, i, &model->clips[i]))
            return false;
        model->clip_count++;
        if (desc->progress && !desc->progress(desc->user, (float)(i + 1) / (float)count))
            return anim_gltf_fail(g, ANIM_ERR_IO, 0, "cancelled");
    }
    return true;
}
