// SPDX-License-Identifier: MIT
// Sync markers (semantics 6): members meet at markers of the same name, however unlike the stretches
// between them are.
#include "base/arena.h"
#include "base/mem.h"
#include "graph/walk.h"

#include <math.h>
#include <string.h>

// --- when compiled ------------------------------------------------------------------------------------

typedef struct members {
    uint32_t* list;
    uint32_t count;
    bool all_repeat;
} members;

static void collect(const anim_topology* t, uint32_t at, members* m)
{
    const anim_node* node = &t->nodes[at];
    if (node->kind == ANIM_KIND_CLIP) {
        m->list[m->count++] = at;
        m->all_repeat &= anim_node_loop(node) == ANIM_LOOP_REPEAT && node->clip->duration > 0;
        return;
    }
    for (uint32_t i = 0; i < node->input_count; i++)
        if (anim_sync_is_member_input(t, node, i))
            collect(t, node->inputs[i].node, m);
}

static bool all_have(const anim_topology* t, const members* m, const char* name)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (anim_names_find(&t->nodes[m->list[i]].clip->marker_names, name) < 0)
            return false;
    return true;
}

// The markers of a clip whose names all members have, in order of time.
static uint32_t shared_markers(const anim_topology* t, const members* m, const anim_clip* clip,
                               uint32_t* out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->marker_count && count < ANIM_MAX_MARKERS; i++)
        if (clip->markers[i].time < clip->duration &&
            all_have(t, m, anim_clip_marker_name(clip, i)))
            out[count++] = i;
    return count;
}

static bool is_rotation(const anim_clip* a, const uint32_t* of_a, const anim_clip* b,
                        const uint32_t* of_b, uint32_t count, uint32_t shift)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(anim_clip_marker_name(a, of_a[i]),
                   anim_clip_marker_name(b, of_b[(i + shift) % count])) != 0)
            return false;
    return true;
}

static double* times_in_order(const anim_clip* clip, const uint32_t* markers, uint32_t count,
                              uint32_t shift)
{
    double* times = anim_mem_alloc(count * sizeof *times);
    for (uint32_t i = 0; i < count && times; i++)
        times[i] = clip->markers[markers[(i + shift) % count]].time;
    return times;
}

static void drop_markers(anim_topology* t, const members* m, uint32_t group)
{
    t->nodes[group].marker_count = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        anim_node* node = &t->nodes[m->list[i]];
        anim_mem_free(node->marker_times);
        node->marker_times = NULL;
        node->marker_count = 0;
    }
}

static anim_code line_up(anim_topology* t, const members* m, uint32_t group, anim_error* err)
{
    uint32_t first_markers[ANIM_MAX_MARKERS], markers[ANIM_MAX_MARKERS];
    const anim_clip* first = t->nodes[m->list[0]].clip;
    uint32_t count = shared_markers(t, m, first, first_markers);
    for (uint32_t i = 0; i < m->count && count > 0; i++) {
        anim_node* node = &t->nodes[m->list[i]];
        uint32_t shift = 0;
        bool fits = shared_markers(t, m, node->clip, markers) == count;
        while (fits && shift < count &&
               !is_rotation(first, first_markers, node->clip, markers, count, shift))
            shift++;
        if (!fits || shift == count) // another order: they can't meet, so they share the phase
            return ANIM_OK;
        node->marker_times = times_in_order(node->clip, markers, count, shift);
        node->marker_count = count;
        if (!node->marker_times)
            return anim_fail_memory(err, "sync markers");
    }
    t->nodes[group].marker_count = count;
    return ANIM_OK;
}

anim_code anim_sync_prepare(anim_topology* topology, uint32_t group, anim_error* err)
{
    if (anim_sync_group_of(topology, group) != group) {
        topology->nodes[group].marker_count = 0;
        return ANIM_OK;
    }
    anim_arena arena = {0};
    members m = {.list = anim_arena_alloc(&arena, topology->node_count, sizeof *m.list),
                 .all_repeat = true};
    anim_code code = m.list ? ANIM_OK : anim_fail_memory(err, "sync markers");
    if (!code) {
        collect(topology, group, &m);
        drop_markers(topology, &m, group);
    }
    if (!code && m.count > 0 && m.all_repeat)
        code = line_up(topology, &m, group, err);
    if (m.list && topology->nodes[group].marker_count == 0)
        drop_markers(topology, &m, group);
    anim_arena_free(&arena);
    return code;
}

// --- running ----------------------------------------------------------------------------------------

// Seconds from the first marker to marker `index` (0 to count), around the end of the clip.
static double since_first(const anim_node* member, uint32_t index)
{
    double length = member->clip->duration;
    if (index >= member->marker_count)
        return length;
    double time = member->marker_times[index] - member->marker_times[0];
    return time < 0 ? time + length : time;
}

double anim_markers_stretch(const anim_node* member, uint32_t segment)
{
    return since_first(member, segment + 1) - since_first(member, segment);
}

anim_marker_place anim_markers_find(const anim_node* member, double time)
{
    double length = member->clip->duration;
    double since = time - member->marker_times[0];
    anim_marker_place out = {0, 0};
    if (since < 0) {
        since += length;
        out.cycle = -1;
    }
    uint32_t segment = 0;
    while (segment + 1 < member->marker_count && since >= since_first(member, segment + 1))
        segment++;
    double stretch = anim_markers_stretch(member, segment);
    double fraction = stretch > 0 ? (since - since_first(member, segment)) / stretch : 0;
    out.place = segment + (fraction < 1 ? fraction : 0);
    return out;
}

anim_playhead anim_markers_in_clip(const anim_node* member, anim_marker_place at)
{
    double length = member->clip->duration;
    uint32_t segment = (uint32_t)at.place;
    double time = member->marker_times[0] + since_first(member, segment) +
                  (at.place - segment) * anim_markers_stretch(member, segment);
    double passes = floor(time / length);
    time -= passes * length;
    if (length - time <= length * 1e-12) { // the end but for rounding
        time = 0;
        passes += 1;
    }
    return (anim_playhead){time < length * 1e-12 ? 0 : time, anim_pass_after(at.cycle, passes)};
}

anim_marker_place anim_markers_move(const anim_graph* graph, uint32_t group, anim_marker_place from,
                                    double dt)
{
    if (dt == 0)
        return from;
    uint32_t count = graph->topology->nodes[group].marker_count;
    double speed = fabs(anim_node_speed(graph, group)); // is in dt already
    double period = anim_sync_mean(graph, group, ANIM_SYNC_PERIOD, 0) * speed;
    double cycles = floor(fabs(dt) / period);
    double left = fabs(dt) - cycles * period;
    bool backward = dt < 0;
    anim_marker_place at = {from.place, anim_pass_after(from.cycle, backward ? -cycles : cycles)};
    uint32_t segment = (uint32_t)at.place;
    double fraction = at.place - segment;
    for (uint32_t guard = 0; guard <= 2 * count && left > 0; guard++) {
        double stretch = anim_sync_mean(graph, group, ANIM_SYNC_SEGMENT, segment) * speed;
        double room = stretch * (backward ? fraction : 1 - fraction);
        if (left < room) {
            fraction += (backward ? -left : left) / stretch;
            break;
        }
        left -= room;
        if (backward) {
            at.cycle -= segment == 0;
            segment = segment == 0 ? count - 1 : segment - 1;
            fraction = 1;
        } else {
            segment = segment + 1 == count ? 0 : segment + 1;
            at.cycle += segment == 0;
            fraction = 0;
        }
    }
    at.place = segment + (fraction < 0 ? 0 : fraction);
    if (fraction >= 1) { // the start of the next stretch, said in one way only
        at.place = segment + 1 == count ? 0 : segment + 1;
        at.cycle += segment + 1 == count;
    }
    return at;
}

// Since the first marker of cycle 0.
static double seconds_at(const anim_graph* graph, uint32_t group, anim_marker_place at)
{
    double speed = fabs(anim_node_speed(graph, group));
    double sum = (double)at.cycle * anim_sync_mean(graph, group, ANIM_SYNC_PERIOD, 0);
    uint32_t segment = (uint32_t)at.place;
    for (uint32_t i = 0; i < segment; i++)
        sum += anim_sync_mean(graph, group, ANIM_SYNC_SEGMENT, i);
    sum += (at.place - segment) * anim_sync_mean(graph, group, ANIM_SYNC_SEGMENT, segment);
    return sum * speed;
}

double anim_markers_seconds(const anim_graph* graph, uint32_t group, anim_marker_place from,
                            anim_marker_place to)
{
    return fabs(seconds_at(graph, group, to) - seconds_at(graph, group, from));
}
