// SPDX-License-Identifier: MIT
// Animation channels: which property of which node each drives, and with which sampler. A channel
// of no use to us is left out with a warning; an index that points nowhere fails the file.
#include "import/gltf.h"

#include <string.h>

static const char* const path_names[] = {"translation", "rotation", "scale", "weights"};

typedef struct sampler {
    const char* problem; // why it can't be used, or NULL
    anim_interp interp;
    int32_t input, output;
} sampler;

static bool read_sampler(anim_gltf* g, anim_json_value at, sampler* out)
{
    static const char* const keys[] = {"input", "output", "interpolation"};
    static const char* const modes[] = {"STEP", "LINEAR", "CUBICSPLINE"}; // as in anim_interp
    anim_json_value v[3];
    *out = (sampler){NULL, ANIM_INTERP_LINEAR, -1, -1};
    if (!anim_gltf_pick(g, at, keys, 3, v) ||
        !anim_gltf_get_index(g, v[0], g->accessor_list.count, &out->input) ||
        !anim_gltf_get_index(g, v[1], g->accessor_list.count, &out->output))
        return false;
    if (!v[0] || !v[1])
        out->problem = "its sampler lacks input or output";
    if (!v[2])
        return true;
    int mode = 0;
    while (mode < 3 && !anim_json_is_string(&g->json, v[2], modes[mode]))
        mode++;
    if (mode == 3)
        out->problem = "the interpolation of its sampler is not known";
    else
        out->interp = (anim_interp)mode;
    return true;
}

static const char* take_digits(const char* at, uint32_t* out)
{
    const char* from = at;
    *out = 0;
    for (; *at >= '0' && *at <= '9' && at - from < 9; at++)
        *out = *out * 10 + (uint32_t)(*at - '0');
    return at > from ? at : NULL;
}

// "/nodes/12/rotation" or "/nodes/12/weights/3". False: it points at something else.
static bool parse_pointer(const char* text, uint32_t* node, anim_gltf_channel* out)
{
    static const char start[] = "/nodes/";
    if (strncmp(text, start, sizeof start - 1) != 0)
        return false;
    text = take_digits(text + sizeof start - 1, node);
    if (!text || *text++ != '/')
        return false;
    for (int i = 0; i < 4; i++)
        if (strcmp(text, path_names[i]) == 0) {
            out->path = (anim_gltf_path)i;
            return true;
        }
    if (strncmp(text, "weights/", 8) != 0)
        return false;
    out->path = ANIM_GLTF_WEIGHT;
    text = take_digits(text + 8, &out->weight);
    return text && !*text;
}

// What a channel drives; *used is false where that is nothing of ours.
static bool read_pointer(anim_gltf* g, anim_json_value extensions, anim_gltf_channel* out,
                         bool* used)
{
    static const char* const extension[] = {"KHR_animation_pointer"};
    static const char* const keys[] = {"pointer"};
    anim_json_value v = 0;
    *used = false;
    if ((extensions && !anim_gltf_pick(g, extensions, extension, 1, &v)) ||
        (v && !anim_gltf_pick(g, v, keys, 1, &v)))
        return false;
    const char* text = anim_gltf_get_name(g, v, NULL, 0);
    if (!text)
        return false;
    if (!parse_pointer(text, &out->node, out)) {
        anim_gltf_warn(g, out->at,
                       "the pointer '%.120s' leads to nothing that is animated here; left out",
                       text);
        return true;
    }
    if (out->node >= g->node_list.count)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, v, "node %u is out of range: there are %u",
                              out->node, g->node_list.count);
    *used = true;
    return true;
}

static bool read_target(anim_gltf* g, anim_json_value at, anim_gltf_channel* out, bool* used)
{
    static const char* const keys[] = {"node", "path", "extensions"};
    anim_json_value v[3];
    int32_t node = -1;
    *used = false;
    if (!anim_gltf_pick(g, at, keys, 3, v))
        return false;
    if (v[1] && anim_json_is_string(&g->json, v[1], "pointer"))
        return read_pointer(g, v[2], out, used);
    if (!anim_gltf_get_index(g, v[0], g->node_list.count, &node))
        return false;
    if (node < 0) // "when undefined, the animated object may be defined by an extension"
        return true;
    out->node = (uint32_t)node;
    for (int i = 0; i < 4 && v[1]; i++)
        if (anim_json_is_string(&g->json, v[1], path_names[i])) {
            out->path = (anim_gltf_path)i;
            *used = true;
            return true;
        }
    anim_gltf_warn(g, at, "the path of the channel is not known; left out");
    return true;
}

static bool read_channel(anim_gltf* g, anim_json_value at, const sampler* samplers,
                         uint32_t sampler_count, anim_gltf_channel* out, bool* used)
{
    static const char* const keys[] = {"sampler", "target"};
    anim_json_value v[2];
    int32_t index = -1;
    *used = false;
    *out = (anim_gltf_channel){.at = at};
    if (!anim_gltf_pick(g, at, keys, 2, v) ||
        !anim_gltf_get_index(g, v[0], sampler_count, &index) ||
        (v[1] && !read_target(g, v[1], out, used)))
        return false;
    if (!v[0] || !v[1])
        anim_gltf_warn(g, at, "the channel lacks sampler or target; left out");
    *used = *used && v[0];
    if (!*used)
        return true;
    const sampler* s = &samplers[index];
    if (s->problem) {
        anim_gltf_warn(g, at, "%s; the channel is left out", s->problem);
        *used = false;
        return true;
    }
    out->interp = s->interp;
    out->input = (uint32_t)s->input;
    out->output = (uint32_t)s->output;
    return true;
}

static bool read_animation(anim_gltf* g, uint32_t index)
{
    static const char* const keys[] = {"channels", "name", "samplers"};
    anim_gltf_animation* animation = &g->animations[index];
    anim_json_value at = g->animation_list.at[index], v[3];
    anim_gltf_list channels, sources;
    if (!anim_gltf_pick(g, at, keys, 3, v) || !anim_gltf_get_list(g, v[0], &channels) ||
        !anim_gltf_get_list(g, v[2], &sources))
        return false;
    animation->name = v[1];
    animation->at = at;
    sampler* samplers = anim_gltf_alloc(g, sources.count, sizeof *samplers);
    if (!samplers)
        return false;
    animation->channels = anim_gltf_alloc(g, channels.count, sizeof *animation->channels);
    if (!animation->channels)
        return false;
    for (uint32_t i = 0; i < sources.count; i++)
        if (!read_sampler(g, sources.at[i], &samplers[i]))
            return false;
    for (uint32_t i = 0; i < channels.count; i++) {
        anim_gltf_channel* channel = &animation->channels[animation->channel_count];
        bool used;
        if (!read_channel(g, channels.at[i], samplers, sources.count, channel, &used))
            return false;
        if (!used)
            continue;
        anim_gltf_node* node = &g->nodes[channel->node];
        if (node->has_matrix && channel->path <= ANIM_GLTF_SCALE)
            anim_gltf_warn(g, channel->at,
                           "node %u has a matrix; animated as if it had its translation, rotation "
                           "and scale",
                           channel->node);
        node->is_animated = true;
        animation->channel_count++;
    }
    return true;
}

bool anim_gltf_read_animations(anim_gltf* g)
{
    g->animations = anim_gltf_alloc(g, g->animation_list.count, sizeof *g->animations);
    if (!g->animations)
        return false;
    for (uint32_t i = 0; i < g->animation_list.count; i++)
        if (!read_animation(g, i))
            return false;
    return true;
}
