// SPDX-License-Identifier: MIT
// One number for all machines: the hash of state, pose, matrices, palettes, root motion and events over
// 1,000 updates of a graph with every kind of node. It has to come out the same for each compiler, level of
// optimisation, kernel (ANIM_SIMD) and number of threads. Reads nothing, uses no function of the C library
// that computes but sqrt and floor, and does without cmocka, so that it can be built for any machine.
//
//   test_golden          checks, as TAP, with all kernels that the machine has. ANIM_SIMD=scalar, baseline or
//                        avx2: with those only. ANIM_SLOW=0: with 8 threads instead of 1 to 8
//   test_golden trace    prints a hash for each update and character: where two builds begin to differ
//
// A change of what the core computes changes the number: then it is to be told why, and what is printed goes
// in here.
#include "base/hash.h"
#include "base/simd_pick.h"
#include "graph/crowd.h"
#include "graph/machine_internal.h"
#include "test/golden_solvers.h"

static const uint64_t golden = 0x2bf11050ecf77f7du;

enum {
    UPDATES = 1000,
    HEROES = 4,  // the last one has callbacks, which keep it on the calling thread
    EXTRAS = 60, // cheap ones between them: a lane is opened for every eight
    PALETTE = JOINTS * 12
};

typedef struct hero {
    anim_graph* graph;
    dice dice;
    uint64_t hash;
} hero;

typedef struct cast {
    const figure* f;
    hero heroes[HEROES];
    anim_graph* extras[EXTRAS];
    anim_crowd* crowd; // NULL: one after the other
    float* palettes;   // of the crowd
} cast;

static int failures, checks;

static void check(bool fine, const char* what)
{
    failures += !fine;
    printf("%sok %d - %s\n", fine ? "" : "not ", ++checks, what);
}

// --- what the host does ---------------------------------------------------------------------------------

static void script_update(void* user, anim_graph* graph, uint32_t node, double dt)
{
    (void)user;
    float share = (float)(1 + wave(anim_graph_get_clock(graph) / 2)) / 2;
    anim_node_set_weight(graph, node, 1, share, dt > 0.01 ? 0.125f : 0);
}

static void script_pose(void* user, anim_graph* graph, uint32_t node, anim_pose_group* pose,
                        double dt)
{
    (void)user;
    (void)node;
    const anim_skeleton* skeleton = graph->topology->skeleton;
    uint32_t jaw = joint_of(skeleton, "jaw");
    const double turn[3] = {0.25 * wave(anim_graph_get_clock(graph)), dt, 0};
    anim_xform x;
    anim_pose_get(skeleton, pose, jaw, &x);
    quat_of(turn, x.q);
    anim_pose_set(skeleton, pose, jaw, &x);
}

static bool condition(void* user, anim_graph* graph, uint32_t function)
{
    (void)user;
    return function == 1 && anim_graph_get_number(graph, SIDE) > 0.75;
}

static double height_at(const float at[3])
{
    double x = (double)at[0] / 3, z = (double)at[2] / 5;
    return (wave(x) + wave(z)) / 16 + (z - floor(z) < 0.5 ? 0 : 0.125); // hills, and a step
}

static bool ground(void* user, anim_graph* graph, uint32_t node, const float at[3], float* height,
                   float normal[3])
{
    (void)user;
    (void)graph;
    (void)node;
    *height = (float)height_at(at);
    normal[0] = at[2] > 2 ? 0.125f : 0;
    normal[1] = normal[0] > 0 ? 1 : 0;
    return at[0] < 20;
}

// --- what the script of the game does -------------------------------------------------------------------

static void walk_on(hero* h)
{
    anim_rigid motion, place, next;
    anim_graph_get_motion(h->graph, &motion);
    anim_graph_get_place(h->graph, &place);
    anim_rigid_mul(&place, &motion, &next);
    anim_quat_normalize(next.q, next.q);
    for (int i = 0; i < 3; i++)
        next.t[i] = fabsf(next.t[i]) > 30 ? 0 : next.t[i];
    anim_graph_set_place(h->graph, &next);
}

static void steer_params(hero* h)
{
    static const double speeds[] = {0, 0.25, 0.75, 1.5, 2};
    anim_graph* g = h->graph;
    if (roll(&h->dice, 24) == 0)
        anim_graph_set_number(g, SPEED, speeds[roll(&h->dice, COUNT(speeds))]);
    if (roll(&h->dice, 16) == 0)
        anim_graph_set_number(g, SIDE, spread(&h->dice) * 1.25);
    if (roll(&h->dice, 16) == 0)
        anim_graph_set_number(g, AHEAD, spread(&h->dice) * 1.25);
    if (roll(&h->dice, 32) == 0)
        anim_graph_set_number(g, MOOD, spread(&h->dice));
    if (roll(&h->dice, 160) == 0)
        anim_graph_set_number(g, JUMPS, 1);
    if (roll(&h->dice, 64) == 0)
        anim_graph_set_number(g, ARMED, anim_graph_get_target(g, ARMED) > 0 ? 0 : 1);
    if (roll(&h->dice, 48) == 0)
        anim_graph_set_number(g, LOOK, (double)roll(&h->dice, 7) / 4);
    anim_graph_set_number(g, WIND, 8 * spread(&h->dice));
}

static void steer_solvers(hero* h, int update)
{
    anim_graph* g = h->graph;
    const anim_topology* t = g->topology;
    double u = (double)update / 128;
    const float hand[3] = {(float)(0.3 + 0.2 * wave(u)), (float)(1.2 + 0.5 * wave(2 * u)), 0.25f};
    const float look[3] = {(float)(3 * wave(u)), 1.5f, (float)(2 * wave(u / 3 + 0.25))};
    anim_solver_set_target(g, anim_topology_find(t, "hand"), 0, hand, update % 200 > 150);
    anim_solver_set_target(g, anim_topology_find(t, "gaze"), 0, look, true);
    if (update % 50 == 25)
        anim_solver_set_joint(g, anim_topology_find(t, "reach"), 0,
                              joint_of(t->skeleton, "thumb.L"));
    if (update % 50 == 40)
        anim_solver_set_target(g, anim_topology_find(t, "reach"), 0, hand, false);
    anim_solver_set_target(g, anim_topology_find(t, "hand"), ANIM_POLE, look, false);
    if (update % 333 == 332)
        anim_solver_teleport(g, anim_topology_find(t, "cape"));
    anim_rigid place;
    anim_graph_get_place(g, &place);
    for (uint32_t leg = 0; leg < 2 && !g->host.ground; leg++) {
        const float point[3] = {place.t[0], (float)height_at(place.t), place.t[2]};
        const float normal[3] = {update % 80 < 40 ? 0 : 0.0625f, 1, 0};
        anim_solver_set_ground(g, anim_topology_find(t, "foot"), leg,
                               update % 160 < 120 ? point : NULL, normal);
    }
}

static void steer_nodes(hero* h, int update)
{
    anim_graph* g = h->graph;
    const anim_topology* t = g->topology;
    uint32_t machine = anim_topology_find(t, "machine"), shot = anim_topology_find(t, "shot");
    uint32_t spaces = anim_topology_find(t, "spaces"), idle = anim_topology_find(t, "idle");
    if (update % 40 == 10)
        anim_mixer_fade_to(g, spaces, roll(&h->dice, ANIM_BLEND_MODE_COUNT), 0.25f,
                           update % 80 == 10);
    if (roll(&h->dice, 90) == 0)
        anim_shot_fire(g, shot, 1, 0.125f, 0.1875f);
    if (roll(&h->dice, 200) == 0)
        anim_shot_stop(g, shot, 0.0625f);
    if (roll(&h->dice, 240) == 0)
        anim_machine_play(g, machine, roll(&h->dice, STATES), 0.25);
    if (roll(&h->dice, 240) == 0)
        anim_machine_travel(g, machine, roll(&h->dice, STATES));
    if (roll(&h->dice, 120) == 0)
        anim_player_pick(g, idle, roll(&h->dice, 3) ? roll(&h->dice, 4) : ANIM_NO_NODE);
    if (roll(&h->dice, 30) == 0)
        anim_player_skip(g, anim_topology_find(t, "dance"));
    if (roll(&h->dice, 100) == 0)
        anim_node_set_weight(g, anim_topology_find(t, "layers"), 1, (float)roll(&h->dice, 5) / 4,
                             0.25f);
    if (roll(&h->dice, 150) == 0)
        anim_node_set_phase(g, anim_topology_find(t, "move"), (double)roll(&h->dice, 16) / 16,
                            true);
    if (roll(&h->dice, 100) == 0)
        anim_graph_set_speed(g, (double)(1 + roll(&h->dice, 6)) / 4);
    const anim_warp_desc warp = {.target = {{0.5f, 0, 1.5f}, {0, 0.6f, 0, 0.8f}},
                                 .has_position = true,
                                 .has_rotation = update % 2 == 0,
                                 .seconds = 0.75};
    if (roll(&h->dice, 250) == 0)
        anim_graph_warp(g, &warp);
}

// Goes ahead and comes back: what is restored is what was saved.
static void look_ahead(hero* h)
{
    size_t size = anim_graph_save_size(h->graph);
    void* saved = malloc(size);
    if (!saved)
        exit(1);
    anim_graph_save(h->graph, saved);
    for (int i = 0; i < 3; i++) {
        ok(anim_graph_advance(h->graph, 0.03125, true, &error));
        ok(anim_graph_evaluate(h->graph, &error));
    }
    ok(anim_graph_restore(h->graph, saved, size, &error));
    free(saved);
}

static double step_of(int update)
{
    return update % 100 == 50  ? 0
           : update % 64 == 20 ? 0.25
           : update % 7 == 3   ? 1.0 / 144
                               : 1.0 / 60;
}

static void steer(hero* h, int update)
{
    if (update > 0)
        walk_on(h);
    steer_params(h);
    steer_solvers(h, update);
    steer_nodes(h, update);
    if (update % 250 == 249)
        look_ahead(h);
    if (update == 700)
        anim_node_reset(h->graph, anim_topology_find(h->graph->topology, "machine"));
    anim_event_queue_clear(&h->graph->events);
}

// --- what came of it ------------------------------------------------------------------------------------

static uint64_t hash_events(uint64_t hash, const anim_event_queue* queue)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        const anim_happening* e = &queue->items[i];
        const double moments[] = {e->offset, e->time, (double)e->weight, (double)e->pass};
        const uint32_t about[] = {e->node, e->order,          e->event,
                                  e->turn, (uint32_t)e->kind, (uint32_t)e->edge};
        hash = anim_hash(hash, moments, sizeof moments);
        hash = anim_hash(hash, about, sizeof about);
    }
    return hash;
}

// The matrices of all joints only now and then: what looks at the palette alone need not make them.
static void observe(hero* h, int update, const float* palette)
{
    const uint64_t now = anim_graph_hash(h->graph, true);
    anim_rigid motion;
    anim_graph_get_motion(h->graph, &motion);
    const float smile = anim_graph_get_curve(h->graph, "smile", 0);
    h->hash = anim_hash(h->hash, &now, sizeof now);
    h->hash = anim_hash(h->hash, &motion, sizeof motion);
    h->hash = anim_hash(h->hash, &smile, sizeof smile);
    if (update % 4 == 1)
        h->hash = anim_hash(h->hash, anim_graph_model(h->graph), JOINTS * sizeof(anim_mat34));
    h->hash = anim_hash(h->hash, palette, sizeof(float) * PALETTE);
    h->hash = hash_events(h->hash, &h->graph->events);
}

// --- running --------------------------------------------------------------------------------------------

static anim_graph* make_extra(const figure* f)
{
    anim_graph* graph;
    ok(anim_graph_create(f->skeleton, &graph, &error));
    ok(anim_graph_edit_begin(graph, &error));
    const builder b = {graph->topology, f, false};
    graph->topology->root = clip(&b, RUN);
    ok(anim_graph_edit_end(graph, &error));
    return graph;
}

// `threads` 0: no crowd.
static void open_cast(cast* c, const figure* f, uint32_t threads)
{
    *c = (cast){.f = f};
    for (uint32_t i = 0; i < HEROES; i++) {
        hero* h = &c->heroes[i];
        if (i == 1)
            ok(anim_graph_clone(c->heroes[0].graph, &h->graph, &error));
        else
            h->graph = build_graph(f, i + 1 == HEROES);
        if (i > 0)
            anim_graph_set_seed(h->graph, i);
        h->dice.at = 1 + i;
        h->hash = ANIM_HASH_START;
    }
    c->heroes[HEROES - 1].graph->host = (anim_host){script_update, script_pose, condition, ground,
                                                    NULL};
    if (threads == 0)
        return;
    ok(anim_crowd_create(threads, &c->crowd, &error));
    c->palettes = calloc((HEROES + EXTRAS) * PALETTE, sizeof(float));
    for (uint32_t i = 0; i < EXTRAS && c->palettes; i++) {
        if (i == 0)
            c->extras[i] = make_extra(f);
        else
            ok(anim_graph_clone(c->extras[0], &c->extras[i], &error));
        if (i % 16 == 5)
            ok(anim_crowd_add(c->crowd, c->heroes[i / 16].graph, &error));
        ok(anim_crowd_add(c->crowd, c->extras[i], &error));
    }
}

static void close_cast(cast* c)
{
    for (uint32_t i = 0; i < HEROES; i++)
        anim_graph_destroy(c->heroes[i].graph);
    for (uint32_t i = 0; i < EXTRAS; i++)
        anim_graph_destroy(c->extras[i]);
    anim_crowd_destroy(c->crowd);
    free(c->palettes);
}

static void move_alone(cast* c, double dt)
{
    for (uint32_t i = 0; i < HEROES; i++) {
        ok(anim_graph_advance(c->heroes[i].graph, dt, false, &error));
        ok(anim_graph_evaluate(c->heroes[i].graph, &error));
    }
}

static void move_crowd(cast* c, double dt)
{
    ok(anim_crowd_update(c->crowd, dt, false, NULL, &error));
    anim_crowd_palettes(c->crowd, c->f->skin, true, c->palettes);
}

// One update of all; what each came to is in its hash.
static void update_cast(cast* c, int update)
{
    for (uint32_t i = 0; i < HEROES; i++)
        steer(&c->heroes[i], update);
    (c->crowd ? move_crowd : move_alone)(c, step_of(update));
    for (uint32_t i = 0; i < HEROES; i++) {
        hero* h = &c->heroes[i];
        float own[PALETTE] = {0}, *palette = own;
        size_t size = c->f->skin->joint_count * 12;
        if (c->crowd)
            memcpy(own, c->palettes + size * anim_crowd_palette_of(c->crowd, h->graph, c->f->skin),
                   size * sizeof(float));
        else
            anim_skin_palette_3x4(c->f->skin, anim_graph_model(h->graph), palette);
        observe(h, update, palette);
    }
}

static uint64_t hash_of(const cast* c)
{
    uint64_t hash = ANIM_HASH_START;
    for (uint32_t i = 0; i < HEROES; i++)
        hash = anim_hash(hash, &c->heroes[i].hash, sizeof hash);
    return hash;
}

static uint64_t run_crowd(const figure* f, uint32_t threads)
{
    cast c;
    open_cast(&c, f, threads);
    for (int update = 0; update < UPDATES; update++)
        update_cast(&c, update);
    uint64_t hash = hash_of(&c);
    close_cast(&c);
    return hash;
}

// --- is it worth anything -------------------------------------------------------------------------------

enum { MOST_NODES = 256 };

typedef struct heard {
    uint32_t updates[MOST_NODES]; // that each node had weight in
    uint32_t modes[3];            // of machines' fades
    uint32_t broken;              // updates with a number that is not finite
} heard;

static void listen(const cast* c, heard* all)
{
    for (uint32_t i = 0; i < HEROES; i++) {
        anim_graph* graph = c->heroes[i].graph;
        const float* model = &anim_graph_model(graph)->m[0][0];
        all->broken += !anim_floats_are_finite(model, JOINTS * 12);
        for (uint32_t node = 0; node < graph->topology->node_count && node < MOST_NODES; node++)
            all->updates[node] += anim_node_get_weight(graph, node) > 0;
        uint32_t machine = anim_topology_find(graph->topology, "machine");
        if (anim_machine_is_in_fade(graph, machine))
            all->modes[anim_state_of_machine(graph, machine)->mode]++;
    }
}

static void check_kinds(const anim_topology* t, const heard* all)
{
    uint32_t least[ANIM_KIND_COUNT], silent = 0;
    for (uint32_t k = 0; k < ANIM_KIND_COUNT; k++)
        least[k] = 0;
    for (uint32_t i = 0; i < t->walk_count; i++) {
        uint32_t node = t->walk[i];
        if (all->updates[node] == 0)
            printf("# node %u (kind %d, '%s') was never heard\n", node, (int)t->nodes[node].kind,
                   t->nodes[node].name);
        silent += all->updates[node] == 0;
        least[t->nodes[node].kind] += all->updates[node] > 0;
    }
    uint32_t missing = 0;
    for (uint32_t k = 0; k < ANIM_KIND_COUNT; k++) {
        if (least[k] == 0)
            printf("# no node of kind %u was heard: it needs a place in golden_graph.h\n", k);
        missing += least[k] == 0;
    }
    check(t->node_count <= MOST_NODES && missing == 0, "every kind of node is in the graph");
    check(silent == 0, "every node of it is heard");
    check(all->broken == 0, "everything is finite");
    check(all->modes[0] > 0 && all->modes[1] > 0 && all->modes[2] > 0,
          "machines fade in every mode");
}

static void trace(const cast* c, int update)
{
    printf("%4d", update);
    for (uint32_t i = 0; i < HEROES; i++)
        printf(" %016llx", (unsigned long long)c->heroes[i].hash);
    printf("\n");
}

static void check_golden(uint64_t hash, const char* what)
{
    if (hash != golden)
        printf("# it is 0x%016llx\n", (unsigned long long)hash);
    check(hash == golden, what);
}

static void check_alone(const figure* f, const char* set, bool first)
{
    static heard all;
    char what[64];
    cast c;
    open_cast(&c, f, 0);
    for (int update = 0; update < UPDATES; update++) {
        update_cast(&c, update);
        listen(&c, &all);
    }
    snprintf(what, sizeof what, "%s: the golden value", set);
    check_golden(hash_of(&c), what);
    if (first)
        check_kinds(c.heroes[HEROES - 1].graph->topology, &all);
    close_cast(&c);
}

static void check_threads(const figure* f, const char* set, uint32_t fewest)
{
    for (uint32_t threads = fewest; threads <= 8; threads++) {
        char what[64];
        snprintf(what, sizeof what, "%s: a crowd on %u threads: the golden value", set, threads);
        check_golden(run_crowd(f, threads), what);
    }
}

// With all kernels that the machine has, or those that ANIM_SIMD names.
static void check_sets(void)
{
    const char *slow = getenv("ANIM_SLOW"), *wanted = getenv("ANIM_SIMD");
    const anim_simd chosen = anim_simd_chosen;
    const uint32_t fewest = slow && strcmp(slow, "0") == 0 ? 8 : 1;
    const bool is_named = wanted && wanted[0];
    if (is_named && strcmp(wanted, "avx2") == 0 && anim_simd_best() < ANIM_SIMD_AVX2)
        printf("# this machine has no %s\n", wanted);
    else if (is_named)
        check(strcmp(wanted, anim_simd_name(chosen)) == 0, "ANIM_SIMD is obeyed");
    for (int set = is_named ? (int)chosen : 0; set <= (int)chosen; set++) {
        figure f;
        anim_simd_force((anim_simd)set);
        make_figure(&f); // packing looks at what it decodes, too
        check_alone(&f, anim_simd_name((anim_simd)set), set == (int)chosen);
        if (set == (int)chosen)
            check_threads(&f, anim_simd_name((anim_simd)set), fewest);
        free_figure(&f);
    }
    printf("1..%d\n", checks);
}

static void trace_all(void)
{
    figure f;
    cast c;
    make_figure(&f);
    open_cast(&c, &f, 0);
    for (int update = 0; update < UPDATES; update++) {
        update_cast(&c, update);
        trace(&c, update);
    }
    close_cast(&c);
    free_figure(&f);
}

int main(int count, char** arguments)
{
    if (count > 1 && strcmp(arguments[1], "trace") == 0)
        trace_all();
    else
        check_sets();
    return failures > 0;
}
