// SPDX-License-Identifier: MIT
// What scripts cannot see of graphs: out of memory at every allocation, leaks, allocations in a frame.
#include "test/graph_figure.h"

static int setup(void** state)
{
    static figure f;
    make_figure(&f);
    *state = &f;
    return 0;
}

static int teardown(void** state)
{
    free_figure(*state);
    anim_mem_counts counts = anim_mem_get_counts();
    assert_int_equal(counts.blocks, 0);
    assert_int_equal(counts.bytes, 0);
    return 0;
}

static void assert_alive(anim_mem_counts before)
{
    anim_mem_counts now = anim_mem_get_counts();
    assert_int_equal(now.blocks, before.blocks);
    assert_int_equal(now.bytes, before.bytes);
}

static void test_building_without_memory(void** state)
{
    const figure* f = *state;
    anim_mem_counts before = anim_mem_get_counts();
    anim_graph* graph;
    int64_t n = 1;
    for (;; n++) {
        anim_mem_fail_nth(n);
        anim_code code = build_graph(f, &graph);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
        assert_null(graph);
        assert_alive(before);
    }
    assert_true(n > 50);
    run(graph, 10);
    anim_graph_destroy(graph);
    assert_alive(before);
}

static void test_cloning_without_memory(void** state)
{
    anim_graph *graph, *clone;
    ok(build_graph(*state, &graph));
    run(graph, 10);
    anim_mem_counts before = anim_mem_get_counts();
    uint64_t hash = anim_graph_hash(graph, true);
    int64_t n = 1;
    for (;; n++) {
        anim_mem_fail_nth(n);
        anim_code code = anim_graph_clone(graph, &clone, &error);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
        assert_null(clone);
        assert_alive(before);
        assert_true(hash == anim_graph_hash(graph, true));
    }
    assert_true(n > 1);
    run(clone, 10);
    assert_true(hash == anim_graph_hash(clone, true));
    anim_graph_destroy(clone);
    assert_alive(before);
    run(graph, 10);
    anim_graph_destroy(graph);
}

// --- edits, each one a function of the topology ------------------------------------------------------

typedef void edit(builder* b, const figure* f);

static void edit_nothing(builder* b, const figure* f)
{
    (void)b;
    (void)f;
}

static void edit_add(builder* b, const figure* f)
{
    uint32_t move = anim_topology_find(b->t, "move");
    add_input(b, move, input_of(add_clip(b, f->wave), 1, 2, 0));
    add_param(b, "more", 0);
}

static void edit_clip(builder* b, const figure* f)
{
    uint32_t move = anim_topology_find(b->t, "move");
    anim_topology_set_clip(b->t, b->t->nodes[move].inputs[1].node, f->wave);
}

static void edit_remove(builder* b, const figure* f)
{
    (void)f;
    uint32_t mixer = anim_topology_find(b->t, "mixer");
    uint32_t child = b->t->nodes[mixer].inputs[1].node;
    anim_topology_remove_input(b->t, mixer, 1);
    anim_topology_remove_node(b->t, child);
}

static void edit_swap(builder* b, const figure* f)
{
    uint32_t mixer = anim_topology_find(b->t, "mixer");
    uint32_t child = add_clip(b, f->run);
    if (!b->code)
        b->code = anim_topology_set_child(b->t, mixer, 0, child, &b->err);
}

static void edit_mask(builder* b, const figure* f)
{
    uint32_t root = anim_topology_find(b->t, "root");
    anim_topology_set_mask(b->t, root, 1, NULL);
    anim_topology_set_mask(b->t, root, 3, f->mask);
    anim_topology_set_reference(b->t, root, 2, f->wave, 0.25f);
    if (!b->code)
        b->code = anim_topology_set_name(b->t, root, "trunk", &b->err);
}

static void edit_root(builder* b, const figure* f)
{
    (void)f;
    uint32_t root = anim_topology_find(b->t, "root");
    anim_topology_set_child(b->t, root, 0, ANIM_NO_NODE, &b->err);
    b->t->root = anim_topology_find(b->t, "mixer");
}

static edit* const edits[] = {edit_nothing, edit_add,  edit_clip, edit_remove,
                              edit_swap,    edit_mask, edit_root};

static anim_code apply(anim_graph* graph, const figure* f, edit* how)
{
    anim_code code = anim_graph_edit_begin(graph, &error);
    if (code)
        return code;
    builder b = {.t = graph->topology};
    how(&b, f);
    if (!b.code)
        return anim_graph_edit_end(graph, &error);
    anim_graph_edit_cancel(graph);
    return b.code;
}

// A failed edit leaves no trace: the graph goes on like its twin, which nobody edited.
static void assert_untouched(anim_graph* graph, anim_graph* twin, const anim_topology* topology)
{
    assert_ptr_equal(graph->topology, topology);
    assert_null(graph->edited_from);
    run(graph, 1);
    run(twin, 1);
    assert_true(anim_graph_hash(graph, true) == anim_graph_hash(twin, true));
}

static void fail_everywhere(const figure* f, edit* how)
{
    anim_graph *graph, *twin;
    ok(build_graph(f, &graph));
    ok(build_graph(f, &twin));
    run(graph, 60); // the queue of events has its room now
    run(twin, 60);
    const anim_topology* topology = graph->topology;
    for (int64_t n = 1;; n++) {
        anim_mem_counts before = anim_mem_get_counts();
        anim_mem_fail_nth(n);
        anim_code code = apply(graph, f, how);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
        assert_int_equal(anim_mem_get_counts().blocks, before.blocks);
        assert_untouched(graph, twin, topology);
    }
    run(graph, 10);
    anim_graph_destroy(graph);
    anim_graph_destroy(twin);
}

static void test_editing_without_memory(void** state)
{
    for (uint32_t i = 0; i < COUNT(edits); i++)
        fail_everywhere(*state, edits[i]);
}

// A clone that is edited leaves the other as it is, and both live on alone.
static void test_editing_clones(void** state)
{
    anim_graph *graph, *twin;
    ok(build_graph(*state, &graph));
    ok(build_graph(*state, &twin));
    for (uint32_t i = 0; i < COUNT(edits); i++) {
        anim_graph* clone;
        ok(anim_graph_clone(graph, &clone, &error));
        assert_ptr_equal(clone->topology, graph->topology);
        ok(apply(clone, *state, edits[i]));
        assert_ptr_not_equal(clone->topology, graph->topology);
        run(clone, 5);
        run(graph, 5);
        run(twin, 5);
        assert_true(anim_graph_hash(graph, true) == anim_graph_hash(twin, true));
        anim_graph_destroy(clone);
    }
    anim_graph_destroy(graph);
    anim_graph_destroy(twin);
}

static void test_restoring_without_memory(void** state)
{
    anim_graph* graph;
    unsigned char bytes[16384];
    ok(build_graph(*state, &graph));
    run(graph, 7);
    size_t size = anim_graph_save_size(graph);
    assert_true(size <= sizeof bytes);
    anim_graph_save(graph, bytes);
    run(graph, 7);
    uint64_t hash = anim_graph_hash(graph, false);
    anim_mem_counts before = anim_mem_get_counts();
    for (int64_t n = 1;; n++) {
        anim_mem_fail_nth(n);
        anim_code code = anim_graph_restore(graph, bytes, size, &error);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
        assert_true(hash == anim_graph_hash(graph, false));
        assert_alive(before);
    }
    run(graph, 7);
    assert_true(hash == anim_graph_hash(graph, false));
    anim_graph_destroy(graph);
}

static void test_no_allocation_in_a_frame(void** state)
{
    anim_graph* graph;
    ok(build_graph(*state, &graph));
    run(graph, 120); // two seconds: the queue of events has its room
    int64_t total = anim_mem_get_counts().total;
    for (int i = 0; i < 10000; i++) {
        anim_graph_set_number(graph, 0, (i % 100) * 0.02 - 0.5);
        anim_graph_set_number(graph, 1, (i % 77) * 0.02);
        if (i % 150 == 0)
            anim_mixer_fade_to(graph, anim_topology_find(graph->topology, "mixer"),
                               (uint32_t)i / 150 % 3, 0.3f, i % 4 == 0);
        run(graph, 1);
        anim_graph_model(graph);
    }
    assert_int_equal(anim_mem_get_counts().total, total);
    anim_graph_destroy(graph);
}

// Without memory for the queue an event is lost and counted; the graph goes on.
static void test_events_without_memory(void** state)
{
    anim_graph *graph, *twin;
    ok(build_graph(*state, &graph));
    ok(build_graph(*state, &twin));
    for (int i = 0; i < 120; i++) {
        run(twin, 1);
        anim_mem_fail_nth(1);
        run(graph, 1);
        anim_mem_fail_nth(0);
        assert_true(anim_graph_hash(graph, true) == anim_graph_hash(twin, true));
    }
    assert_true(graph->events.lost > 0);
    assert_int_equal(twin->events.lost, 0);
    anim_graph_destroy(graph);
    anim_graph_destroy(twin);
}

static anim_skin* make_skin(const figure* f, uint16_t first, uint16_t count)
{
    uint16_t joints[JOINTS];
    anim_mat34 bind[JOINTS];
    for (uint16_t i = 0; i < count; i++) {
        joints[i] = first + i;
        bind[i] = ANIM_MAT34_IDENTITY;
        bind[i].m[i % 3][3] = 0.25f;
    }
    anim_skin_desc desc = {NULL, f->skeleton, joints, bind, count};
    anim_skin* skin;
    ok(anim_skin_create(&desc, &skin, &error));
    return skin;
}

// The palette of a skin that needs only some of the joints, and of a second one, are those of all joints'
// matrices; and what asks for all the matrices after that gets all.
static void check_palettes(anim_graph* graph, anim_skin* const skins[2], bool rows_3x4)
{
    static anim_mat34 model[JOINTS];
    static float right[JOINTS * 16], got[JOINTS * 16];
    anim_pose_to_model(graph->topology->skeleton, anim_graph_pose(graph), model);
    for (int i = 0; i < 3; i++) {
        const anim_skin* skin = skins[i % 2];
        (rows_3x4 ? anim_skin_palette_3x4 : anim_skin_palette_4x4)(skin, model, right);
        anim_graph_palette(graph, skin, rows_3x4, got);
        assert_memory_equal(right, got, skin->joint_count * (rows_3x4 ? 48u : 64u));
        if ((uint32_t)i == graph->evaluated % 3)
            assert_memory_equal(anim_graph_model(graph), model, sizeof model);
    }
}

static void test_palettes(void** state)
{
    const figure* f = *state;
    anim_graph* graph;
    ok(build_graph(f, &graph));
    anim_skin* skins[2] = {make_skin(f, 1, 1), make_skin(f, JOINTS - 2, 2)};
    assert_true(skins[0]->group_count < f->skeleton->group_count);
    check_palettes(graph, skins, true); // before the first update
    for (int i = 0; i < 60; i++) {
        run(graph, 1);
        check_palettes(graph, skins, i % 2);
    }
    anim_graph_reset(graph);
    check_palettes(graph, skins, true);
    anim_skin_release(skins[0]);
    anim_skin_release(skins[1]);
    anim_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_building_without_memory),
        cmocka_unit_test(test_cloning_without_memory),
        cmocka_unit_test(test_editing_without_memory),
        cmocka_unit_test(test_editing_clones),
        cmocka_unit_test(test_restoring_without_memory),
        cmocka_unit_test(test_no_allocation_in_a_frame),
        cmocka_unit_test(test_events_without_memory),
        cmocka_unit_test(test_palettes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
