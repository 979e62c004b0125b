// SPDX-License-Identifier: MIT
// Crowds: the same for any number of threads as one graph after the other. Meant for ThreadSanitizer, too
// (-DANIM_SANITIZE=thread).
#include "base/hash.h"
#include "base/jobs.h"
#include "base/thread.h"
#include "graph/crowd.h"
#include "test/graph_figure.h"

#include <stdatomic.h>

enum { GRAPHS = 40, UPDATES = 150 };

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

// --- jobs -----------------------------------------------------------------------------------------------

enum { MOST_JOBS = 1000 };

typedef struct tally {
    uint32_t times[MOST_JOBS]; // of each job; no two jobs share one
    atomic_uint all;
} tally;

static void count_job(void* user, uint32_t i)
{
    tally* t = user;
    t->times[i]++;
    atomic_fetch_add(&t->all, 1);
}

static void check_jobs(anim_jobs* jobs)
{
    static tally t;
    t = (tally){{0}, 0};
    for (uint32_t round = 1; round <= 200; round++) {
        uint32_t count = round * 7 % MOST_JOBS;
        uint32_t before = atomic_load(&t.all);
        anim_jobs_run(jobs, count, count_job, &t);
        assert_int_equal(atomic_load(&t.all) - before, count);
    }
    for (uint32_t i = 0; i + 1 < MOST_JOBS; i++)
        assert_true(t.times[i] >= t.times[i + 1] && t.times[i] <= 200);
}

static void test_jobs(void** state)
{
    (void)state;
    for (uint32_t workers = 1; workers <= 9; workers++) {
        anim_jobs* jobs = anim_jobs_create(workers);
        assert_int_equal(anim_jobs_workers(jobs), workers);
        check_jobs(jobs);
        int64_t total = anim_mem_get_counts().total;
        check_jobs(jobs);
        assert_int_equal(anim_mem_get_counts().total, total);
        anim_jobs_destroy(jobs);
    }
    anim_jobs* jobs = anim_jobs_create(0);
    assert_int_equal(anim_jobs_workers(jobs), anim_thread_cores());
    anim_jobs_destroy(jobs);
    anim_jobs_destroy(NULL);
}

static void test_jobs_without_memory(void** state)
{
    (void)state;
    anim_mem_counts before = anim_mem_get_counts();
    anim_jobs* jobs = NULL;
    for (int64_t n = 1; n < 100; n++) {
        anim_mem_fail_nth(n);
        jobs = anim_jobs_create(3);
        anim_mem_fail_nth(0);
        if (jobs && anim_jobs_workers(jobs) == 3)
            break;
        if (jobs) // with fewer threads
            check_jobs(jobs);
        anim_jobs_destroy(jobs);
        assert_int_equal(anim_mem_get_counts().blocks, before.blocks);
    }
    check_jobs(jobs);
    anim_jobs_destroy(jobs);
}

// A host's own: the jobs backwards, on a thread for each of two halves.
typedef struct half {
    uint32_t first, last;
    void (*job)(void* user, uint32_t i);
    void* user;
} half;

static void run_half(void* user)
{
    half* h = user;
    for (uint32_t i = h->last; i > h->first; i--)
        h->job(h->user, i - 1);
}

static void run_on_host(void* host, uint32_t count, void (*job)(void* user, uint32_t i), void* user)
{
    ++*(int*)host;
    half halves[2] = {{0, count / 2, job, user}, {count / 2, count, job, user}};
    anim_thread* thread = anim_thread_start(run_half, &halves[0]);
    run_half(&halves[1]);
    anim_thread_join(thread);
}

static void test_host_jobs(void** state)
{
    (void)state;
    int runs = 0;
    const anim_job_system system = {run_on_host, &runs, 5};
    anim_jobs_set_system(&system);
    anim_jobs *all = anim_jobs_create(0), *few = anim_jobs_create(3), *one = anim_jobs_create(1);
    anim_jobs_set_system(NULL);
    assert_int_equal(anim_jobs_workers(all), 5);
    assert_int_equal(anim_jobs_workers(few), 3);
    check_jobs(all);
    check_jobs(few);
    assert_true(runs > 300);
    runs = 0;
    check_jobs(one);
    assert_int_equal(runs, 0);
    anim_jobs_destroy(all);
    anim_jobs_destroy(few);
    anim_jobs_destroy(one);
}

// --- crowds ---------------------------------------------------------------------------------------------

// Clones of two graphs, one of them edited, and graphs of another skeleton.
typedef struct cast {
    anim_graph* graphs[GRAPHS];
} cast;

static void rename_mixer(anim_graph* graph)
{
    ok(anim_graph_edit_begin(graph, &error));
    builder b = {.t = graph->topology};
    uint32_t mixer = anim_topology_find(b.t, "mixer");
    add_input(&b, mixer, input_of(add_pose(&b), 0.25f, 0, 0));
    ok(b.code);
    ok(anim_graph_edit_end(graph, &error));
}

static void make_cast(const figure* f, const figure* other, cast* c)
{
    for (uint32_t i = 0; i < GRAPHS; i++) {
        if (i < 2)
            ok(build_graph(f, &c->graphs[i]));
        else if (i == 2)
            ok(build_graph(other, &c->graphs[i]));
        else
            ok(anim_graph_clone(c->graphs[i % 3], &c->graphs[i], &error));
        if (i % 11 == 10)
            rename_mixer(c->graphs[i]);
    }
}

static void free_cast(cast* c)
{
    for (uint32_t i = 0; i < GRAPHS; i++)
        anim_graph_destroy(c->graphs[i]);
}

static void steer(const cast* c, int update)
{
    for (uint32_t i = 0; i < GRAPHS; i++) {
        anim_graph* graph = c->graphs[i];
        anim_graph_set_number(graph, 0, (int)(i * 13 + (uint32_t)update * 7) % 100 * 0.02 - 0.5);
        anim_graph_set_number(graph, 1, (int)(i * 5 + (uint32_t)update * 3) % 77 * 0.02);
        if ((i + (uint32_t)update) % 40 == 0)
            anim_mixer_fade_to(graph, anim_topology_find(graph->topology, "mixer"), i % 3, 0.3f,
                               true);
    }
}

// What is told, in order.
typedef struct story {
    uint64_t hash;
    uint32_t told;
    uint32_t apart; // graphs moved on the calling thread
} story;

static bool tell(void* user, anim_graph* graph)
{
    story* s = user;
    anim_happening item;
    while (graph->events.count > 0) {
        anim_event_queue_take(&graph->events, 0, &item);
        s->hash = anim_hash(s->hash, &item.offset, sizeof item.offset);
        s->hash = anim_hash(s->hash, &item.node, sizeof item.node);
        s->hash = anim_hash(s->hash, &item.weight, sizeof item.weight);
        s->hash = anim_hash(s->hash, &item.time, sizeof item.time);
        s->told++;
        anim_clip_release(item.clip);
    }
    return true;
}

static bool advance_apart(void* user, anim_graph* graph, double dt, bool mute)
{
    ((story*)user)->apart++;
    ok(anim_graph_advance(graph, dt, mute, &error));
    return tell(user, graph);
}

static bool evaluate_apart(void* user, anim_graph* graph)
{
    (void)user;
    ok(anim_graph_evaluate(graph, &error));
    return true;
}

static anim_crowd_host host_of(story* s)
{
    return (anim_crowd_host){advance_apart, tell, evaluate_apart, s};
}

static uint64_t hash_all(const cast* c, uint64_t hash)
{
    for (uint32_t i = 0; i < GRAPHS; i++) {
        uint64_t own = anim_graph_hash(c->graphs[i], true);
        anim_rigid motion;
        anim_graph_get_motion(c->graphs[i], &motion);
        hash = anim_hash(anim_hash(hash, &own, sizeof own), &motion, sizeof motion);
    }
    return hash;
}

static story one_by_one(const figure* f, const figure* other)
{
    cast c;
    make_cast(f, other, &c);
    story s = {ANIM_HASH_START, 0, 0};
    for (int u = 0; u < UPDATES; u++) {
        steer(&c, u);
        for (uint32_t i = 0; i < GRAPHS; i++) {
            ok(anim_graph_advance(c.graphs[i], 1.0 / 60, false, &error));
            tell(&s, c.graphs[i]);
            ok(anim_graph_evaluate(c.graphs[i], &error));
        }
        s.hash = hash_all(&c, s.hash);
    }
    free_cast(&c);
    return s;
}

// `apart`: every so many is moved on the calling thread.
static story in_crowd(const figure* f, const figure* other, uint32_t threads, uint32_t apart)
{
    cast c;
    make_cast(f, other, &c);
    anim_crowd* crowd;
    ok(anim_crowd_create(threads, &crowd, &error));
    assert_int_equal(anim_crowd_threads(crowd), threads);
    anim_crowd_set_listens(crowd, true);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        ok(anim_crowd_add(crowd, c.graphs[i], &error));
        if (apart > 0 && i % apart == 0)
            anim_crowd_set_flags(c.graphs[i], ANIM_CROWD_APART);
    }
    story s = {ANIM_HASH_START, 0, 0};
    anim_crowd_host host = host_of(&s);
    for (int u = 0; u < UPDATES; u++) {
        steer(&c, u);
        ok(anim_crowd_update(crowd, 1.0 / 60, false, &host, &error));
        s.hash = hash_all(&c, s.hash);
    }
    anim_crowd_destroy(crowd);
    free_cast(&c);
    return s;
}

// Of more joints than the first figure: clips and mask are its own.
static void make_other(figure* other)
{
    enum { more = 19 };
    static char names[more][16];
    anim_joint_desc joints[more];
    for (uint32_t i = 0; i < more; i++) {
        names[i][0] = (char)('a' + i);
        joints[i] = (anim_joint_desc){
            names[i], (int32_t)i - 1 - (i > 4), {{0, (float)i * 0.1f, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    }
    ok(anim_skeleton_create(joints, more, NULL, &other->skeleton, &error));
    other->walk = make_stride(other->skeleton, "walk", 1);
    other->run = make_stride(other->skeleton, "run", 0.625f);
    other->wave = make_wave(other->skeleton);
    const anim_mask_entry entries[] = {{2, 1, false}, {4, 0.5f, true}};
    ok(anim_mask_create(other->skeleton, entries, COUNT(entries), &other->mask, &error));
}

static void test_any_number_of_threads(void** state)
{
    figure other;
    make_other(&other);
    story expected = one_by_one(*state, &other);
    assert_true(expected.told > 1000);
    static const uint32_t threads[] = {1, 2, 3, 8};
    for (uint32_t i = 0; i < COUNT(threads); i++)
        for (uint32_t apart = 0; apart <= 7; apart += 7) {
            story s = in_crowd(*state, &other, threads[i], apart);
            assert_true(s.hash == expected.hash);
            assert_int_equal(s.told, expected.told);
            assert_int_equal(s.apart, apart ? (GRAPHS + apart - 1) / apart * UPDATES : 0);
        }
    free_figure(&other);
}

// Nobody listens: one pass, and events are offered, so that they do not pile up.
static void test_without_listeners(void** state)
{
    anim_graph *graph, *twin;
    ok(build_graph(*state, &graph));
    ok(build_graph(*state, &twin));
    anim_crowd* crowd;
    ok(anim_crowd_create(2, &crowd, &error));
    ok(anim_crowd_add(crowd, graph, &error));
    for (int i = 0; i < 300; i++) {
        run(twin, 1);
        ok(anim_crowd_update(crowd, 1.0 / 60, false, NULL, &error));
        assert_true(anim_graph_hash(graph, true) == anim_graph_hash(twin, true));
        assert_int_equal(graph->events.count, twin->events.count);
    }
    anim_graph_destroy(graph); // leaves
    assert_int_equal(anim_crowd_count(crowd), 0);
    anim_crowd_destroy(crowd);
    anim_graph_destroy(twin);
}

static void test_membership(void** state)
{
    anim_graph *a, *b, *c;
    ok(build_graph(*state, &a));
    ok(anim_graph_clone(a, &b, &error));
    ok(anim_graph_clone(a, &c, &error));
    anim_crowd *one, *two;
    ok(anim_crowd_create(2, &one, &error));
    ok(anim_crowd_create(2, &two, &error));
    ok(anim_crowd_add(one, a, &error));
    ok(anim_crowd_add(one, b, &error));
    ok(anim_crowd_add(one, c, &error));
    assert_int_equal(anim_crowd_add(two, a, &error), ANIM_ERR_ARGUMENT);
    assert_string_equal(error.message, "the graph is in another crowd already");
    assert_int_equal(anim_crowd_add(one, a, &error), ANIM_ERR_ARGUMENT);
    assert_string_equal(error.message, "the graph is in this crowd already");
    assert_int_equal(anim_crowd_count(one), 3);
    anim_crowd_remove(a);
    anim_crowd_remove(a);
    assert_int_equal(anim_crowd_count(one), 2);
    ok(anim_crowd_add(two, a, &error));
    ok(anim_crowd_update(one, 0.1, false, NULL, &error));
    assert_false(anim_graph_has_advanced(a));
    assert_true(anim_graph_has_advanced(c));
    anim_crowd_destroy(one); // they live on
    ok(anim_crowd_add(two, b, &error));
    ok(anim_crowd_update(two, 0.1, false, NULL, &error));
    assert_true(anim_graph_has_advanced(a));
    anim_crowd_destroy(two);
    anim_graph_destroy(a);
    anim_graph_destroy(b);
    anim_graph_destroy(c);
}

static void test_without_memory(void** state)
{
    anim_mem_counts before = anim_mem_get_counts();
    anim_graph* graph;
    ok(build_graph(*state, &graph));
    anim_mem_counts built = anim_mem_get_counts();
    anim_crowd* crowd = NULL;
    int64_t n = 1;
    for (; n < 1000; n++) {
        anim_mem_fail_nth(n);
        anim_code code = anim_crowd_create(1, &crowd, &error);
        if (!code)
            code = anim_crowd_add(crowd, graph, &error);
        if (!code)
            code = anim_crowd_set_rate(graph, 0.1, &error);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_int_equal(code, ANIM_ERR_MEMORY);
        anim_crowd_destroy(crowd);
        assert_null(graph->crowd);
        assert_int_equal(anim_mem_get_counts().blocks, built.blocks);
    }
    assert_true(n > 10);
    uint64_t hash = anim_graph_hash(graph, true);
    for (n = 1; n < 1000; n++) { // an edit is all or nothing with the crowd's room, too
        anim_code code = anim_graph_edit_begin(graph, &error);
        assert_int_equal(code, ANIM_OK);
        builder b = {.t = graph->topology};
        uint32_t mixer = anim_topology_find(b.t, "mixer");
        for (int i = 0; i < 9; i++)
            add_input(&b, mixer, input_of(add_pose(&b), 0, 0, 0));
        anim_mem_fail_nth(n);
        code = anim_graph_edit_end(graph, &error);
        anim_mem_fail_nth(0);
        if (!code)
            break;
        assert_true(anim_graph_hash(graph, true) == hash);
    }
    assert_true(n > 5);
    ok(anim_crowd_update(crowd, 0.1, false, NULL, &error));
    anim_graph_destroy(graph);
    anim_crowd_destroy(crowd);
    assert_int_equal(anim_mem_get_counts().blocks, before.blocks);
}

static void test_no_allocation_in_a_frame(void** state)
{
    figure other;
    make_other(&other);
    cast c;
    make_cast(*state, &other, &c);
    anim_crowd* crowd;
    ok(anim_crowd_create(3, &crowd, &error));
    for (uint32_t i = 0; i < GRAPHS; i++) {
        ok(anim_crowd_add(crowd, c.graphs[i], &error));
        if (i % 3 == 0)
            ok(anim_crowd_set_rate(c.graphs[i], 1.0 / 15, &error));
    }
    int64_t total = 0;
    for (int u = 0; u < 400; u++) {
        if (u == 200)
            total = anim_mem_get_counts().total;
        steer(&c, u % 40);
        ok(anim_crowd_update(crowd, 1.0 / 60, false, NULL, &error));
    }
    assert_int_equal(anim_mem_get_counts().total, total);
    anim_crowd_destroy(crowd);
    free_cast(&c);
    free_figure(&other);
}

// --- changes while it runs ------------------------------------------------------------------------------

typedef struct meddler {
    anim_crowd* crowd;
    cast* cast;
    uint32_t calls;
    anim_graph* added;
} meddler;

// The first that is told takes itself out, removes, destroys and edits others, adds many and grows lists.
static bool meddle(void* user, anim_graph* graph)
{
    meddler* m = user;
    anim_event_queue_clear(&graph->events);
    if (m->calls++ > 0)
        return true;
    anim_crowd_remove(graph);
    anim_graph_destroy(m->cast->graphs[20]);
    m->cast->graphs[20] = NULL;
    anim_crowd_remove(m->cast->graphs[GRAPHS - 1]);
    rename_mixer(m->cast->graphs[10]);
    anim_crowd_set_flags(m->cast->graphs[12], ANIM_CROWD_APART);
    for (int i = 0; i < 100; i++) {
        anim_graph* clone;
        ok(anim_graph_clone(m->cast->graphs[11], &clone, &error));
        ok(anim_crowd_add(m->crowd, clone, &error));
        if (i < 99)
            anim_graph_destroy(clone);
        else
            m->added = clone;
    }
    assert_int_equal(anim_crowd_update(m->crowd, 0.1, false, NULL, &error), ANIM_ERR_ARGUMENT);
    return true;
}

static void test_changes_in_an_update(void** state)
{
    cast c;
    make_cast(*state, *state, &c);
    anim_crowd* crowd;
    ok(anim_crowd_create(2, &crowd, &error));
    anim_crowd_set_listens(crowd, true);
    for (uint32_t i = 0; i < GRAPHS; i++)
        ok(anim_crowd_add(crowd, c.graphs[i], &error));
    meddler m = {crowd, &c, 0, NULL};
    const anim_crowd_host host = {NULL, meddle, NULL, &m};
    for (int u = 0; m.calls == 0; u++)
        ok(anim_crowd_update(crowd, 1.0 / 60, false, &host, &error));
    assert_int_equal(anim_crowd_count(crowd), GRAPHS - 3 + 1);
    assert_false(anim_graph_has_advanced(m.added));
    assert_true(anim_graph_is_evaluated(c.graphs[12]));
    assert_true(anim_graph_is_evaluated(c.graphs[10]));
    for (int u = 0; u < 100; u++)
        ok(anim_crowd_update(crowd, 1.0 / 60, false, &host, &error));
    assert_true(anim_graph_has_advanced(m.added));
    anim_graph_destroy(m.added);
    anim_crowd_destroy(crowd);
    free_cast(&c);
}

// A graph in the midst of something is left out, and that is said.
static void test_busy_graphs(void** state)
{
    anim_graph *graph, *other;
    ok(build_graph(*state, &graph));
    ok(anim_graph_clone(graph, &other, &error));
    anim_crowd* crowd;
    ok(anim_crowd_create(2, &crowd, &error));
    ok(anim_crowd_add(crowd, graph, &error));
    ok(anim_crowd_add(crowd, other, &error));
    ok(anim_graph_edit_begin(graph, &error));
    assert_int_equal(anim_crowd_update(crowd, 0.1, false, NULL, &error), ANIM_ERR_ARGUMENT);
    anim_graph_edit_cancel(graph);
    assert_false(anim_graph_has_advanced(graph));
    assert_true(anim_graph_has_advanced(other));
    anim_crowd_set_flags(graph, ANIM_CROWD_APART);
    graph->delivering = true;
    assert_int_equal(anim_crowd_update(crowd, 0.1, false, NULL, &error), ANIM_ERR_ARGUMENT);
    graph->delivering = false;
    ok(anim_crowd_update(crowd, 0.1, false, NULL, &error));
    anim_graph_destroy(graph);
    anim_graph_destroy(other);
    anim_crowd_destroy(crowd);
}

// --- palettes -------------------------------------------------------------------------------------------

static void test_palettes(void** state)
{
    const figure* f = *state;
    static const uint16_t joints[] = {3, 1, 10};
    const anim_skin_desc desc = {"skin", f->skeleton, joints, NULL, COUNT(joints)};
    anim_skin* skin;
    ok(anim_skin_create(&desc, &skin, &error));
    cast c;
    make_cast(f, f, &c);
    anim_crowd* crowd;
    ok(anim_crowd_create(3, &crowd, &error));
    assert_int_equal(anim_crowd_palette_count(crowd, skin), 0);
    for (uint32_t i = 0; i < GRAPHS; i++)
        ok(anim_crowd_add(crowd, c.graphs[i], &error));
    steer(&c, 1);
    ok(anim_crowd_update(crowd, 0.3, false, NULL, &error));
    anim_crowd_remove(c.graphs[5]);
    uint32_t count = anim_crowd_palette_count(crowd, skin);
    assert_int_equal(count, GRAPHS - 1);
    static float all[GRAPHS][3 * 16];
    anim_crowd_palettes(crowd, skin, false, all);
    assert_int_equal(anim_crowd_palette_of(crowd, c.graphs[5], skin), UINT32_MAX);
    for (uint32_t i = 0; i < GRAPHS; i++) {
        float own[3 * 16];
        uint32_t at = anim_crowd_palette_of(crowd, c.graphs[i], skin);
        anim_skin_palette_4x4(skin, anim_graph_model(c.graphs[i]), own);
        if (i != 5)
            assert_int_equal(at, i - (i > 5));
        if (i != 5)
            assert_memory_equal(own, all[at], sizeof own);
    }
    anim_crowd_destroy(crowd);
    free_cast(&c);
    anim_skin_release(skin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_jobs_without_memory),
        cmocka_unit_test(test_host_jobs),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_without_listeners),
        cmocka_unit_test(test_membership),
        cmocka_unit_test(test_without_memory),
        cmocka_unit_test(test_no_allocation_in_a_frame),
        cmocka_unit_test(test_changes_in_an_update),
        cmocka_unit_test(test_busy_graphs),
        cmocka_unit_test(test_palettes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
