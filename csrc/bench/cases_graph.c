// SPDX-License-Identifier: MIT
// Characters alone and in crowds, from the graph to model space.
#include "bench/scene.h"

#include <stdio.h>

static const double frame = 1.0 / 60;

// --- building -------------------------------------------------------------------------------------------

static anim_topology* begin(const bench_scene* scene, anim_graph** graph)
{
    anim_error err;
    bench_check(anim_graph_create(scene->skeleton, graph, &err), &err);
    bench_check(anim_graph_edit_begin(*graph, &err), &err);
    return (*graph)->topology;
}

static anim_graph* end(anim_graph* graph, uint32_t root)
{
    anim_error err;
    graph->topology->root = root;
    bench_check(anim_graph_edit_end(graph, &err), &err);
    return graph;
}

static uint32_t add_node(anim_topology* t, anim_kind kind)
{
    uint32_t node;
    anim_error err;
    bench_check(anim_topology_add_node(t, kind, NULL, &node, &err), &err);
    return node;
}

static void add_input(anim_topology* t, uint32_t node, anim_input input)
{
    anim_error err;
    bench_check(anim_topology_insert_input(t, node, t->nodes[node].input_count, &input, &err),
                &err);
}

static uint32_t add_clip(anim_topology* t, anim_clip* clip)
{
    uint32_t node = add_node(t, ANIM_KIND_CLIP);
    anim_topology_set_clip(t, node, clip);
    return node;
}

static anim_input input_of(uint32_t child, float weight, float x)
{
    return (anim_input){.node = child, .weight = {weight, ANIM_NO_PARAM}, .speed = 1, .x = x};
}

static uint32_t add_locomotion(anim_topology* t, const bench_scene* scene, int form, bool as_blend)
{
    static const float shares[] = {0.2f, 0.5f, 0.3f};
    uint32_t node = add_node(t, as_blend ? ANIM_KIND_BLEND1D : ANIM_KIND_MIXER);
    for (int clip = BENCH_WALK; clip <= BENCH_RUN; clip++)
        add_input(
            t, node,
            input_of(add_clip(t, scene->clips[form][clip]), shares[clip], 2.0f * (float)clip));
    t->nodes[node].sync = true;
    if (as_blend) {
        const anim_param speed = {.name = "speed", .initial = 1.1, .life = -1};
        uint32_t param;
        anim_error err;
        bench_check(anim_topology_add_param(t, &speed, &param, &err), &err);
        t->nodes[node].x = (int32_t)param;
    }
    return node;
}

anim_graph* bench_mix(const bench_scene* scene, int form, bool as_blend)
{
    anim_graph* graph;
    anim_topology* t = begin(scene, &graph);
    return end(graph, add_locomotion(t, scene, form, as_blend));
}

// layers(mixer of three, one by a mask, one additive)
static anim_graph* make_layers(const bench_scene* scene, int form)
{
    anim_graph* graph;
    anim_topology* t = begin(scene, &graph);
    int32_t spine = anim_skeleton_find(scene->skeleton, "Spine1");
    const anim_mask_entry upper = {(uint32_t)(spine < 0 ? 0 : spine), 1, false};
    anim_mask* mask;
    anim_error err;
    bench_check(anim_mask_create(scene->skeleton, &upper, 1, &mask, &err), &err);
    uint32_t node = add_node(t, ANIM_KIND_LAYERS);
    add_input(t, node, input_of(add_locomotion(t, scene, form, false), 1, 0));
    anim_input over = input_of(add_clip(t, scene->clips[form][BENCH_JOG]), 0.75f, 0);
    over.mask = mask;
    add_input(t, node, over);
    anim_input plus = input_of(add_clip(t, scene->clips[form][BENCH_RUN]), 0.2f, 0);
    plus.mode = ANIM_LAYER_ADDITIVE;
    add_input(t, node, plus);
    return end(graph, node);
}

// --- one ------------------------------------------------------------------------------------------------

enum { UPDATES = 64 };

static void advance_one(anim_graph* graph)
{
    anim_event_queue_clear(&graph->events);
    anim_graph_advance(graph, frame, false, NULL);
}

static void update_alone(void* user)
{
    anim_graph* graph = user;
    for (int i = 0; i < UPDATES; i++) {
        advance_one(graph);
        anim_graph_evaluate(graph, NULL);
        anim_graph_model(graph);
    }
}

static void advance_alone(void* user)
{
    for (int i = 0; i < UPDATES; i++)
        advance_one(user);
}

// --- many -----------------------------------------------------------------------------------------------

typedef struct many {
    anim_crowd* crowd;
    anim_graph** graphs;
    uint32_t count;
    const anim_skin* skin;
    float* palettes;
} many;

static void update_crowd(void* user)
{
    const many* m = user;
    anim_crowd_update(m->crowd, frame, false, NULL, NULL);
}

static void update_crowd_to_model(void* user)
{
    const many* m = user;
    anim_crowd_update(m->crowd, frame, false, NULL, NULL);
    for (uint32_t i = 0; i < m->count; i++)
        anim_graph_model(m->graphs[i]);
}

static void logic_pass(void* user)
{
    const many* m = user;
    for (uint32_t i = 0; i < m->count; i++)
        advance_one(m->graphs[i]);
}

static void pose_pass(void* user)
{
    const many* m = user;
    for (uint32_t i = 0; i < m->count; i++) {
        anim_graph_evaluate_to_model(m->graphs[i], false, NULL);
        anim_graph_model(m->graphs[i]);
    }
}

static void update_crowd_to_palettes(void* user)
{
    const many* m = user;
    anim_crowd_update(m->crowd, frame, false, NULL, NULL);
    anim_crowd_palettes(m->crowd, m->skin, true, m->palettes);
}

static many* make_many(const bench_scene* scene, anim_graph* const* kinds, uint32_t kind_count,
                       uint32_t count, uint32_t threads)
{
    many* m = bench_alloc(sizeof *m);
    anim_error err;
    bench_check(anim_crowd_create(threads, &m->crowd, &err), &err);
    m->graphs = bench_alloc(count * sizeof *m->graphs);
    m->count = count;
    m->skin = scene->skin;
    m->palettes = bench_alloc((size_t)count * scene->skin->joint_count * 12 * sizeof(float));
    uint32_t seed = 3;
    for (uint32_t i = 0; i < count; i++) {
        bench_check(anim_graph_clone(kinds[i % kind_count], &m->graphs[i], &err), &err);
        anim_graph_advance(m->graphs[i], bench_random(&seed) * 5, true, NULL);
        bench_check(anim_crowd_add(m->crowd, m->graphs[i], &err), &err);
    }
    return m;
}

static void add_many(bench_list* list, const char* what, many* m)
{
    char name[64];
    snprintf(name, sizeof name, "%u: %s", (unsigned)m->count, what);
    bench_add(list, "crowd", "%s", name, m->count, update_crowd_to_model, m);
}

void bench_add_graphs(bench_list* list, bench_scene* scene)
{
    anim_graph *mixes[BENCH_FORMS], *blends[BENCH_FORMS];
    for (int form = 0; form < BENCH_FORMS; form++) {
        mixes[form] = bench_mix(scene, form, false);
        blends[form] = bench_mix(scene, form, true);
        bench_add(list, "alone", "mix of three clips, %s", bench_form_names[form], UPDATES,
                  update_alone, mixes[form]);
        bench_add(list, "alone", "blend1D, two of three heard, %s", bench_form_names[form], UPDATES,
                  update_alone, blends[form]);
    }
    anim_graph* layers = make_layers(scene, BENCH_FAST);
    bench_add(list, "alone", "layers over a mix, 5 clips, fast", NULL, UPDATES, update_alone,
              layers);
    bench_add(list, "alone", "mix of three clips, advance only", NULL, UPDATES, advance_alone,
              mixes[BENCH_FAST]);
    for (uint32_t count = 1000; count <= 10000; count *= 10) {
        many* mix = make_many(scene, &mixes[BENCH_FAST], 1, count, 1);
        add_many(list, "mix of three clips, fast", mix);
        if (count == 1000) {
            many* other = make_many(scene, &mixes[BENCH_FAST], 1, count, 1);
            bench_add(list, "crowd", "1000: the same, logic pass", NULL, count, logic_pass, other);
            bench_add(list, "crowd", "1000: the same, pose pass", NULL, count, pose_pass, other);
            bench_add(list, "crowd", "1000: the same, no model space", NULL, count, update_crowd,
                      make_many(scene, &mixes[BENCH_FAST], 1, count, 1));
        }
        bench_add(list, "crowd",
                  count == 1000 ? "1000: %s" : "10000: %s", // its own: crowds learn what is read
                  "mix of three clips, fast, to palettes", count, update_crowd_to_palettes,
                  make_many(scene, &mixes[BENCH_FAST], 1, count, 1));
        add_many(list, "blend1D, two of three heard, fast",
                 make_many(scene, &blends[BENCH_FAST], 1, count, 1));
        anim_graph* const kinds[] = {mixes[BENCH_FAST], blends[BENCH_FAST], layers};
        add_many(list, "mixed graphs, fast", make_many(scene, kinds, 3, count, 1));
    }
    add_many(list, "mix of three clips, small", make_many(scene, &mixes[BENCH_SMALL], 1, 1000, 1));
}

// --- threads ----------------------------------------------------------------------------------------------

anim_crowd* bench_crowd(const bench_scene* scene, uint32_t count, uint32_t threads)
{
    anim_graph* const kinds[] = {bench_mix(scene, BENCH_FAST, false),
                                 bench_mix(scene, BENCH_FAST, true),
                                 make_layers(scene, BENCH_FAST)};
    return make_many(scene, kinds, 3, count, threads)->crowd;
}

static void update_plain(void* user)
{
    anim_crowd_update(user, frame, false, NULL, NULL);
}

void bench_add_threads(bench_list* list, bench_scene* scene)
{
    for (uint32_t count = 1000; count <= 10000; count *= 10)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            bench_case* c = bench_add(list, "threads", "%s", "", count, update_plain,
                                      bench_crowd(scene, count, threads));
            snprintf(c->name, sizeof c->name, "%u of mixed graphs on %u", (unsigned)count,
                     (unsigned)threads);
            c->is_wall = true;
        }
}
