// SPDX-License-Identifier: MIT
// How a crowd is moved, and its palettes are made.
#include "graph/crowd_parts.h"

#include "base/cache.h"

#include <stdatomic.h>

typedef enum pass_kind { WHOLE, ADVANCE, EVALUATE, PALETTES } pass_kind;

// What the lanes take members from, some at a time.
typedef struct run {
    anim_crowd* crowd;
    pass_kind phase;
    uint32_t last, chunk; // members from `next` to `last`
    atomic_uint next;
    atomic_bool refused; // a graph was in the midst of something
    double dt;
    bool mute;
    bool far; // more matrices than caches hold: they go past them
    const anim_skin* skin;
    uint32_t shape;
    bool rows_3x4;
    unsigned char* out;
} run;

// What an update is, on the calling thread.
typedef struct update {
    anim_crowd* crowd;
    double dt;
    bool mute;
    const anim_crowd_host* host; // NULL: none
    bool refused;                // a graph was in the midst of something
} update;

// --- on any thread ------------------------------------------------------------------------------------

static bool is_at_rest(const anim_graph* graph)
{
    return !graph->locked && !graph->delivering && !graph->edited_from;
}

// Nobody is told: it was offered.
static void offer_all(anim_event_queue* queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        anim_event_queue_offer(queue, i);
}

static void advance(run* r, anim_crowd_member* m)
{
    anim_graph* graph = m->graph;
    m->is_advanced = is_at_rest(graph) && !anim_graph_advance(graph, r->dt, r->mute, NULL);
    if (!m->is_advanced) {
        atomic_store_explicit(&r->refused, true, memory_order_relaxed);
        return;
    }
    m->stirred = graph->events.count > 0 || graph->faded != m->faded;
    m->faded = graph->faded;
    if (!r->crowd->listens && !m->flags)
        offer_all(&graph->events);
}

static anim_code make_pose(const anim_crowd_member* m, bool far)
{
    bool to_model = m->graph->model_wanted && !m->rate; // a rate needs poses to go between
    return to_model ? anim_graph_evaluate_to_model(m->graph, far, NULL)
                    : anim_graph_evaluate(m->graph, NULL);
}

static void evaluate(anim_crowd_member* m, double dt, bool far)
{
    if (!m->is_advanced)
        return;
    m->is_advanced = false;
    if (!anim_crowd_rate_is_due(m, dt))
        anim_crowd_rate_show(m);
    else if (is_at_rest(m->graph) && !make_pose(m, far))
        anim_crowd_rate_take(m);
    anim_graph_expect_model(m->graph);
}

// Matrices that nobody has asked for do not go through the memory of all members.
static void write_palette(const run* r, const anim_crowd_member* m, uint32_t lane)
{
    size_t size = r->skin->joint_count * (r->rows_3x4 ? 12 : 16) * sizeof(float);
    float* out = (float*)(void*)(r->out + m->rank * size);
    const anim_mat34* model = m->graph->model;
    if (!m->graph->model_valid) {
        anim_mat34* made = anim_workspace_matrices(r->crowd->shapes[m->shape].lanes[lane]);
        anim_skin_to_model(r->skin, anim_graph_pose(m->graph), made);
        model = made;
    }
    (r->rows_3x4 ? anim_skin_palette_3x4 : anim_skin_palette_4x4)(r->skin, model, out);
}

// With the lane's workspace in place of its own, which clones share.
static void run_member(run* r, anim_crowd_member* m, uint32_t lane)
{
    anim_graph* graph = m->graph;
    anim_workspace* own = graph->workspace;
    graph->workspace = r->crowd->shapes[m->shape].lanes[lane];
    if (r->phase == WHOLE || r->phase == ADVANCE)
        advance(r, m);
    if (r->phase == WHOLE || r->phase == EVALUATE)
        evaluate(m, r->dt, r->far);
    graph->workspace = own;
}

// A crowd is larger than any cache: the memory of member `next` is on its way while the one before is at
// work, and where it lies was fetched before that. From `end` on members are another thread's.
static ANIM_ALWAYS_INLINE void fetch_ahead(const run* r, uint32_t next, uint32_t end)
{
    const anim_crowd_member* members = r->crowd->members;
    if (next + 1 < end && members[next + 1].graph)
        anim_fetch(members[next + 1].graph, sizeof(anim_graph));
    const anim_graph* graph = next < end ? members[next].graph : NULL;
    if (graph && r->phase != PALETTES)
        anim_fetch(graph->state, graph->topology->state_size);
    if (graph && r->phase != ADVANCE && !graph->model_wanted)
        anim_fetch(graph->pose, graph->topology->skeleton->group_count * sizeof *graph->pose);
}

static void run_lane(void* user, uint32_t lane)
{
    run* r = user;
    for (;;) {
        uint32_t first = atomic_fetch_add_explicit(&r->next, r->chunk, memory_order_relaxed);
        if (first >= r->last)
            break;
        uint32_t end = r->last - first < r->chunk ? r->last : first + r->chunk;
        for (uint32_t i = first; i < end; i++) {
            anim_crowd_member* m = &r->crowd->members[i];
            fetch_ahead(r, i + 1, end);
            if (m->graph && r->phase == PALETTES && m->shape == r->shape)
                write_palette(r, m, lane);
            else if (m->graph && r->phase != PALETTES && !anim_crowd_is_apart(m))
                run_member(r, m, lane);
        }
    }
    if (r->far)
        anim_stream_end();
}

// --- on the calling thread ----------------------------------------------------------------------------

// Few at a time keep the lanes evenly busy, many keep them off each other's way. To wake a thread costs as
// much as some characters do.
static void run_all(run* r, uint32_t first, uint32_t last)
{
    enum { fewest = 8, most = 16 };
    anim_crowd* crowd = r->crowd;
    uint32_t count = last - first, lanes = count / fewest + 1;
    lanes = lanes < crowd->lanes ? lanes : crowd->lanes;
    uint32_t chunk = count / (8 * lanes) + 1;
    r->chunk = chunk < most ? chunk : most;
    r->last = last;
    atomic_store_explicit(&r->next, first, memory_order_relaxed);
    anim_jobs_run(crowd->jobs, lanes, run_lane, r);
}

// Whether the matrices of all are more than a cache keeps until they are read.
static bool has_far_matrices(const anim_crowd* crowd)
{
    const size_t cached = (size_t)8 << 20;
    size_t bytes = 0;
    for (uint32_t i = 0; i < crowd->shape_count; i++)
        if (crowd->shapes[i].members > 0)
            bytes += (size_t)crowd->shapes[i].members * crowd->shapes[i].skeleton->joint_count *
                     sizeof(anim_mat34);
    return bytes > cached;
}

static void run_phase(update* u, pass_kind phase, uint32_t first, uint32_t last)
{
    run r = {.crowd = u->crowd,
             .phase = phase,
             .dt = u->dt,
             .mute = u->mute,
             .far = has_far_matrices(u->crowd)};
    run_all(&r, first, last);
    u->refused |= atomic_load_explicit(&r.refused, memory_order_relaxed);
}

// Whether somebody may act between the advance and the evaluate of one of these.
static bool has_listeners(const anim_crowd* crowd, uint32_t first, uint32_t last)
{
    bool found = crowd->listens;
    for (uint32_t i = first; i < last && !found; i++)
        found = crowd->members[i].flags != 0;
    return found;
}

// The host may add members (the list is another then) and remove them.
static void deliver(update* u, uint32_t first, uint32_t last)
{
    anim_crowd* crowd = u->crowd;
    for (uint32_t i = first; i < last; i++) {
        const anim_crowd_member* m = &crowd->members[i];
        bool heard = m->stirred && (crowd->listens || (m->flags & ANIM_CROWD_LISTENS));
        if (!m->graph || !m->is_advanced || !(heard || (m->flags & ANIM_CROWD_OWES)) || !u->host ||
            !u->host->deliver)
            continue;
        anim_graph* graph = m->graph;
        bool goes_on = u->host->deliver(u->host->user, graph);
        if (!goes_on && crowd->members[i].graph == graph)
            crowd->members[i].is_advanced = false;
    }
}

static void evaluate_apart(update* u, uint32_t at)
{
    anim_crowd_member* m = &u->crowd->members[at];
    const anim_crowd_host* host = u->host;
    if (!host || !host->evaluate) {
        evaluate(m, u->dt, false);
        return;
    }
    m->is_advanced = false;
    if (!anim_crowd_rate_is_due(m, u->dt)) {
        anim_crowd_rate_show(m);
        return;
    }
    anim_graph* graph = m->graph;
    bool made = host->evaluate(host->user, graph);
    m = &u->crowd->members[at];
    if (made && m->graph == graph)
        anim_crowd_rate_take(m);
}

static void update_apart(update* u, uint32_t at)
{
    anim_graph* graph = u->crowd->members[at].graph;
    const anim_crowd_host* host = u->host;
    if (!is_at_rest(graph)) {
        u->refused = true;
        return;
    }
    bool goes_on = host && host->advance ? host->advance(host->user, graph, u->dt, u->mute)
                                         : !anim_graph_advance(graph, u->dt, u->mute, NULL);
    anim_crowd_member* m = &u->crowd->members[at];
    if (m->graph != graph)
        return;
    m->faded = graph->faded;
    m->is_advanced = goes_on;
    if (goes_on)
        evaluate_apart(u, at);
}

static void update_side_by_side(update* u, uint32_t first, uint32_t last)
{
    anim_crowd* crowd = u->crowd;
    if (!has_listeners(crowd, first, last)) {
        run_phase(u, WHOLE, first, last);
        return;
    }
    run_phase(u, ADVANCE, first, last);
    deliver(u, first, last);
    run_phase(u, EVALUATE, first, last);
    for (uint32_t i = first; i < last; i++) // what a callback made them
        if (crowd->members[i].graph && crowd->members[i].is_advanced)
            evaluate_apart(u, i);
}

anim_code anim_crowd_update(anim_crowd* crowd, double dt, bool mute, const anim_crowd_host* host,
                            anim_error* err)
{
    if (crowd->updating)
        return anim_fail(err, ANIM_ERR_ARGUMENT, "the crowd is being updated");
    anim_crowd_rank(crowd);
    crowd->updating = true;
    update u = {.crowd = crowd, .dt = dt, .mute = mute, .host = host};
    uint32_t count = crowd->count;
    for (uint32_t i = 0; i < count;) {
        uint32_t first = i;
        while (i < count && !anim_crowd_is_apart(&crowd->members[i]))
            i++;
        if (i > first)
            update_side_by_side(&u, first, i);
        else if (crowd->members[i++].graph)
            update_apart(&u, first);
    }
    crowd->updating = false;
    return u.refused ? anim_fail(err, ANIM_ERR_ARGUMENT, "a graph of the crowd is being updated")
                     : ANIM_OK;
}

// --- palettes -------------------------------------------------------------------------------------------

uint32_t anim_crowd_palette_count(anim_crowd* crowd, const anim_skin* skin)
{
    anim_crowd_rank(crowd);
    uint32_t shape = anim_crowd_find_shape(crowd, skin->skeleton);
    return shape == UINT32_MAX ? 0 : crowd->shapes[shape].members;
}

void anim_crowd_palettes(anim_crowd* crowd, const anim_skin* skin, bool rows_3x4, void* out)
{
    anim_crowd_rank(crowd);
    run r = {.crowd = crowd,
             .phase = PALETTES,
             .skin = skin,
             .shape = anim_crowd_find_shape(crowd, skin->skeleton),
             .rows_3x4 = rows_3x4,
             .out = out};
    if (r.shape != UINT32_MAX)
        run_all(&r, 0, crowd->count);
}

uint32_t anim_crowd_palette_of(anim_crowd* crowd, const anim_graph* graph, const anim_skin* skin)
{
    if (graph->crowd != crowd)
        return UINT32_MAX;
    anim_crowd_rank(crowd);
    const anim_crowd_member* m = &crowd->members[graph->crowd_place];
    return m->shape == anim_crowd_find_shape(crowd, skin->skeleton) ? m->rank : UINT32_MAX;
}
