// SPDX-License-Identifier: MIT
// The core without Lua: loads a character, builds a graph that goes from one clip to another with a
// parameter, moves it for two seconds and prints where its joints are.
//
//     core FILE [FROM TO [JOINT]]      FILE: .glb, .gltf (one that holds its buffers), .bvh or .anim
#include <anim.h>

#include <stdio.h>
#include <string.h>

enum { frames_a_second = 60 };

static void* read_file(const char* path, size_t* size)
{
    void* bytes = NULL;
    FILE* file = fopen(path, "rb");
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = anim_mem_alloc(*size);
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            anim_mem_free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static anim_model* load(const char* path, anim_error* err)
{
    anim_model* model = NULL;
    size_t size = 0;
    void* bytes = read_file(path, &size);
    if (!bytes) {
        anim_fail(err, ANIM_ERR_IO, "%s: can't be read", path);
        return NULL;
    }
    anim_import_desc desc = {.name = path, .bytes = bytes, .size = size};
    anim_import(&desc, &model, err);
    anim_mem_free(bytes); // the model has what it needs
    return model;
}

static anim_clip* find_clip(const anim_model* model, const char* name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i]->name, name) == 0)
            return model->clips[i];
    return NULL;
}

// A clip at `threshold` of a blend.
static anim_code add_point(anim_topology* topology, uint32_t blend, anim_clip* clip,
                           float threshold, anim_error* err)
{
    uint32_t node;
    anim_code code = anim_topology_add_node(topology, ANIM_KIND_CLIP, NULL, &node, err);
    if (code)
        return code;
    anim_topology_set_clip(topology, node, clip);
    anim_input input = {.node = node, .speed = 1, .x = threshold};
    uint32_t last = topology->nodes[blend].input_count;
    return anim_topology_insert_input(topology, blend, last, &input, err);
}

// What a script writes as { type = "blend1D", param = "way", { 0, from }, { 1, to } }.
static anim_code describe(anim_topology* topology, anim_clip* from, anim_clip* to, anim_error* err)
{
    uint32_t blend, way;
    anim_param param = {.name = "way", .kind = ANIM_PARAM_NUMBER, .life = -1};
    anim_code code = anim_topology_add_param(topology, &param, &way, err);
    if (!code)
        code = anim_topology_add_node(topology, ANIM_KIND_BLEND1D, "move", &blend, err);
    if (code)
        return code;
    topology->nodes[blend].x = (int32_t)way;
    topology->nodes[blend].sync = true; // walking and running feet keep step
    code = add_point(topology, blend, from, 0, err);
    if (!code)
        code = add_point(topology, blend, to, 1, err);
    topology->root = blend;
    return code;
}

static anim_code build(const anim_model* model, const char* from, const char* to, anim_graph** out,
                       anim_error* err)
{
    anim_clip *first = find_clip(model, from), *second = find_clip(model, to);
    if (!first || !second)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "no clip '%s'", first ? to : from);
    anim_code code = anim_graph_create(model->skeleton, out, err);
    if (code)
        return code;
    code = anim_graph_edit_begin(*out, err);
    if (code)
        return code;
    code = describe((*out)->topology, first, second, err);
    if (!code)
        return anim_graph_edit_end(*out, err);
    anim_graph_edit_cancel(*out);
    return code;
}

// Events of this frame, in order; whoever takes one owns its clip.
static void tell_events(anim_graph* graph)
{
    anim_happening event;
    while (graph->events.count > 0) {
        anim_event_queue_take(&graph->events, 0, &event);
        if (event.kind == ANIM_EVENT_CLIP)
            printf("%.2f s: event %s at %.2f s of %s\n", anim_graph_get_clock(graph),
                   anim_clip_event_name(event.clip, event.event), event.time, event.clip->name);
        if (event.clip)
            anim_clip_release(event.clip);
    }
}

static anim_code play(anim_graph* graph, uint32_t joint, anim_error* err)
{
    for (int frame = 0; frame <= 2 * frames_a_second; frame++) {
        anim_graph_set_number(graph, 0, frame / (2.0 * frames_a_second));
        anim_code code = anim_graph_advance(graph, 1.0 / frames_a_second, false, err);
        if (code)
            return code;
        tell_events(graph);
        code = anim_graph_evaluate(graph, err);
        if (code)
            return code;
        if (frame % 30 == 0) {
            const anim_mat34* at = &anim_graph_model(graph)[joint];
            printf("frame %3d: %s at %.4f %.4f %.4f\n", frame,
                   anim_skeleton_name(graph->topology->skeleton, joint), (double)at->m[0][3],
                   (double)at->m[1][3], (double)at->m[2][3]);
        }
    }
    return ANIM_OK;
}

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 4 && argc != 5) {
        fprintf(stderr, "usage: core FILE [FROM TO [JOINT]]\n");
        return 2;
    }
    const char* from = argc > 2 ? argv[2] : "walk";
    const char* to = argc > 3 ? argv[3] : "run";
    anim_error err = {0};
    anim_graph* graph = NULL;
    anim_model* model = load(argv[1], &err);
    if (!model)
        goto fail;
    printf("%s: %u joints, %u clips\n", argv[1], (unsigned)model->skeleton->joint_count,
           (unsigned)model->clip_count);
    int32_t joint = argc > 4 ? anim_skeleton_find(model->skeleton, argv[4])
                             : (int32_t)model->skeleton->joint_count - 1;
    if (joint < 0) {
        anim_fail(&err, ANIM_ERR_ARGUMENT, "no joint '%s'", argv[4]);
        goto fail;
    }
    if (build(model, from, to, &graph, &err) || play(graph, (uint32_t)joint, &err))
        goto fail;
    anim_graph_destroy(graph);
    anim_model_destroy(model);
    return anim_mem_get_counts().blocks == 0 ? 0 : 1;
fail:
    fprintf(stderr, "%s\n", err.message);
    anim_graph_destroy(graph);
    anim_model_destroy(model);
    return 1;
}
