// SPDX-License-Identifier: MIT
// What a clip passed on its way (semantics 2): point and range events, the end of passes, its end.
#include "graph/execute.h"
#include "graph/walk.h"

#include <math.h>
#include <string.h>

typedef struct teller {
    anim_graph* graph;
    uint32_t node;
    const anim_node* info;
    const anim_clip* clip;
    const anim_sync_group* group;
    double offset; // of the step, in seconds of the graph
    double lasts;
    double rate; // clip seconds per second of the graph
    uint32_t turn;
    float weight;
    const anim_span* span;
} teller;

static const float hidden = 0;

// Among markers time does not run evenly: the way there is as long as the stretches make it.
static double offset_in_markers(const teller* t, double time)
{
    anim_marker_place place = anim_markers_find(t->info, time);
    place.cycle += t->span->pass;
    return t->offset +
           t->group->pace * anim_markers_seconds(t->graph, t->group->node, t->group->from, place);
}

static double offset_of(const teller* t, double time)
{
    if (t->span && t->group && t->group->by_markers && t->group->pace > 0)
        return offset_in_markers(t, time);
    double moved = t->span ? t->span->before + fabs(time - t->span->from) : 0;
    return t->offset + (t->rate > 0 ? moved / t->rate : 0);
}

// In a sync group an event that several members have is told once (semantics 2): by the leader, or,
// where its clip lacks the name, by the heaviest that has it. `name` NULL: what every clip has.
static bool speaks(const teller* t, const char* name)
{
    if (!t->group || t->info->followers)
        return true;
    uint32_t leader = t->group->leader;
    if (leader == t->node)
        return true;
    if (!name)
        return false;
    const anim_clip* leading = leader == ANIM_NO_NODE ? NULL
                                                      : t->graph->topology->nodes[leader].clip;
    if (leading && anim_names_find(&leading->event_names, name) >= 0)
        return false;
    return anim_sync_heaviest(t->graph, t->group->node, name) == t->node;
}

static void tell(const teller* t, anim_event_kind kind, uint32_t event, double time, anim_edge edge,
                 int64_t pass)
{
    const char* name = kind == ANIM_EVENT_CLIP ? anim_clip_event_name(t->clip, event) : NULL;
    if (!(t->weight > hidden) || t->weight < t->info->min_weight || !speaks(t, name))
        return;
    anim_happening h = {
        .offset = offset_of(t, time),
        .time = time,
        .clip = t->info->clip,
        .pass = pass,
        .node = t->node,
        .uid = t->info->uid,
        .order = t->info->order,
        .turn = t->turn,
        .event = event,
        .weight = t->weight,
        .kind = kind,
        .edge = edge,
    };
    anim_event_queue_push(&t->graph->events, &h);
}

static uint64_t range_bit(uint32_t event)
{
    return event < 64 ? (uint64_t)1 << event : 0;
}

// A range is entered at one of its ends and left at the other, whichever way time runs.
static void tell_range_end(const teller* t, uint32_t event, double time, bool enters)
{
    uint64_t* ranges = &anim_state_of_clip(t->graph, t->node)->ranges;
    uint64_t bit = range_bit(event);
    if (enters && !(*ranges & bit)) {
        *ranges |= bit;
        tell(t, ANIM_EVENT_CLIP, event, time, ANIM_EDGE_BEGIN, 0);
    } else if (!enters && (*ranges & bit)) {
        *ranges &= ~bit;
        tell(t, ANIM_EVENT_CLIP, event, time, ANIM_EDGE_END, 0);
    }
}

static void tell_range(const teller* t, uint32_t index)
{
    const anim_event* e = &t->clip->events[index];
    bool backward = t->span->from > t->span->to;
    double begin = e->time, end = e->time + e->duration;
    double first = backward ? end : begin, second = backward ? begin : end;
    if (anim_span_holds(t->span, first))
        tell_range_end(t, index, first, true);
    if (anim_span_holds(t->span, second))
        tell_range_end(t, index, second, false);
}

static void tell_span(teller* t, const anim_span* span)
{
    t->span = span;
    bool backward = span->from > span->to;
    for (uint32_t i = 0; i < t->clip->event_count; i++) {
        uint32_t index = backward ? t->clip->event_count - 1 - i : i;
        const anim_event* e = &t->clip->events[index];
        if (e->duration >= 0)
            tell_range(t, index);
        else if (anim_span_holds(span, e->time))
            tell(t, ANIM_EVENT_CLIP, index, e->time, ANIM_EDGE_NONE, 0);
    }
}

// A range that the node is inside of begins when the node starts or is first heard...
static void begin_ranges(teller* t, double time)
{
    for (uint32_t i = 0; i < t->clip->event_count; i++) {
        const anim_event* e = &t->clip->events[i];
        if (e->duration >= 0 && time > e->time && time < e->time + e->duration)
            tell_range_end(t, i, time, true);
    }
}

// ... and ends, too, when it stops being heard.
static void end_ranges(teller* t, double time)
{
    uint64_t* ranges = &anim_state_of_clip(t->graph, t->node)->ranges;
    t->span = NULL;
    t->offset += t->lasts;
    for (uint32_t i = 0; i < t->clip->event_count && *ranges; i++)
        if (*ranges & range_bit(i))
            tell_range_end(t, i, time, false);
}

static teller make_teller(anim_graph* graph, uint32_t node)
{
    const anim_node* info = &graph->topology->nodes[node];
    return (teller){.graph = graph, .node = node, .info = info, .clip = info->clip};
}

static teller teller_of(anim_graph* graph, const anim_move* move)
{
    teller t = make_teller(graph, move->node);
    t.group = move->in_group ? &move->group : NULL;
    t.weight = anim_play_weight(graph, move);
    t.rate = move->rate;
    t.offset = move->offset;
    t.lasts = move->lasts;
    t.turn = move->turn;
    return t;
}

// Below an input that is faded out: its end is nobody's news any more.
static bool is_fading_out(const anim_walk* walk, uint32_t at)
{
    const anim_topology* topology = walk->topology;
    for (uint32_t above = topology->nodes[at].parent; above != ANIM_NO_NODE;
         at = above, above = topology->nodes[above].parent) {
        const anim_node* node = &topology->nodes[above];
        const anim_input_state* inputs = anim_state_of_inputs(walk->graph, above);
        for (uint32_t i = 0; i < node->input_count && !anim_node_is_player(node); i++)
            if (node->inputs[i].node == at &&
                (inputs[i].fall != 0 || (inputs[i].goal_time > 0 && !(inputs[i].goal > 0))))
                return true;
    }
    return false;
}

static void tell_move(anim_walk* walk, anim_move* move)
{
    if (anim_step_is_silent(walk->topology->nodes[move->node].clip, &move->step))
        return;
    teller t = teller_of(walk->graph, move);
    bool first = !(anim_play_weight_before(walk->graph, move) > hidden);
    anim_span span;
    if ((first || move->step.closed_start || move->joins) && t.weight > hidden)
        begin_ranges(&t, move->step.from.time);
    while (anim_step_next(&move->step, &span)) {
        if (t.weight > hidden && t.clip->event_count > 0)
            tell_span(&t, &span);
        t.span = &span;
        if (span.ends_pass)
            tell(&t, ANIM_EVENT_LOOP, 0, span.to, ANIM_EDGE_NONE,
                 span.pass + (move->step.backward ? -1 : 1));
    }
    if (move->step.ended && !move->leaving && !is_fading_out(walk, move->node))
        tell(&t, ANIM_EVENT_DONE, 0, move->step.to.time, ANIM_EDGE_NONE, 0);
    walk->graph->events.skipped += (uint64_t)move->step.skipped;
}

// What is not heard any more is inside of nothing.
static void tell_ranges_end(anim_walk* walk, const anim_move* move)
{
    teller t = teller_of(walk->graph, move);
    end_ranges(&t, move->step.to.time);
}

static bool has_ranges(const anim_clip* clip)
{
    for (uint32_t i = 0; clip && i < clip->event_count; i++)
        if (clip->events[i].duration >= 0)
            return true;
    return false;
}

// Where the next movement is noted. More than there is room for is lost, and counted: NULL.
static anim_move* push_note(const anim_walk* walk)
{
    anim_move* move = anim_workspace_push_move(walk->graph->workspace);
    if (!move)
        walk->graph->events.lost++;
    return move;
}

void anim_walk_note_ranges(anim_walk* walk, uint32_t at)
{
    const anim_node* node = &walk->topology->nodes[at];
    bool is_told = node->kind == ANIM_KIND_CLIP && has_ranges(node->clip) && !walk->quiet;
    anim_move* move = is_told ? push_note(walk) : NULL;
    if (move) {
        *move = (anim_move){.offset = walk->offset,
                            .node = at,
                            .turn = walk->turn,
                            .shift = walk->shift,
                            .heard = -1,
                            .stands = true,
                            .step.to = anim_state_of_node(walk->graph, at)->at};
    }
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t child = node->inputs[i].node;
        if (child == ANIM_NO_NODE)
            continue;
        anim_walk_note_ranges(walk, child);
        if (!anim_copy_plays(walk->graph, at, i))
            continue;
        anim_copy_begin(walk, child);
        anim_walk_note_ranges(walk, child);
        anim_copy_end(walk, child);
    }
}

void anim_walk_push_move(anim_walk* walk, uint32_t node, const anim_step* step, double rate,
                         bool joins, const anim_sync_group* group)
{
    anim_move* move = push_note(walk);
    if (!move)
        return;
    *move = (anim_move){.step = *step,
                        .offset = walk->offset,
                        .lasts = walk->covers,
                        .rate = rate,
                        .node = node,
                        .turn = walk->turn,
                        .shift = walk->shift,
                        .heard = -1,
                        .leaving = walk->leaving,
                        .joins = joins,
                        .in_group = group != NULL};
    if (group)
        move->group = *group;
}

void anim_walk_note_change(const anim_walk* walk, uint32_t node, anim_event_kind kind,
                           uint32_t input, anim_edge edge)
{
    anim_move* move = push_note(walk);
    if (!move)
        return;
    *move = (anim_move){.offset = walk->offset,
                        .node = node,
                        .turn = walk->turn,
                        .shift = walk->shift,
                        .heard = -1,
                        .kind = kind,
                        .edge = edge,
                        .state = input};
}

// `enter` and `exit`.
static void tell_change(const anim_walk* walk, const anim_move* move)
{
    const anim_node* node = &walk->topology->nodes[move->node];
    float weight = anim_play_weight(walk->graph, move);
    if (walk->mute || !(weight > hidden))
        return;
    anim_happening h = {
        .offset = move->offset,
        .node = move->node,
        .uid = node->uid,
        .order = node->order,
        .turn = move->turn,
        .event = move->state,
        .weight = weight,
        .kind = move->kind,
        .edge = move->edge,
    };
    anim_event_queue_push(&walk->graph->events, &h);
}

static void tell_noted(anim_walk* walk, anim_move* move)
{
    if (move->kind != ANIM_EVENT_CLIP)
        tell_change(walk, move);
    else if (walk->mute)
        anim_clip_ranges_at(walk->graph, move->node);
    else if (move->stands)
        tell_ranges_end(walk, move);
    else
        tell_move(walk, move);
}

static void tell_silence(anim_walk* walk, anim_move* move)
{
    bool silent = !(anim_state_of_node(walk->graph, move->node)->weight > hidden);
    if (silent && move->kind == ANIM_EVENT_CLIP && !walk->mute)
        tell_ranges_end(walk, move);
}

static void with_its_copy(anim_walk* walk, anim_move* move,
                          void (*tell_it)(anim_walk* walk, anim_move* move))
{
    uint32_t shown[8], copies = anim_copy_show(walk->graph, move->node, move->shift, shown);
    tell_it(walk, move);
    anim_copy_hide(walk->graph, shown, copies);
}

void anim_walk_tell_moves(anim_walk* walk)
{
    uint32_t count;
    anim_move* moves = anim_workspace_moves(walk->graph->workspace, &count);
    for (uint32_t i = 0; i < count; i++)
        with_its_copy(walk, &moves[i], tell_noted);
    for (uint32_t i = count; i > 0; i--)
        with_its_copy(walk, &moves[i - 1], tell_silence);
}

void anim_walk_tell_seek(anim_graph* graph, uint32_t node, anim_playhead to)
{
    teller t = make_teller(graph, node);
    const anim_node_state* s = anim_state_of_node(graph, node);
    t.weight = s->weight > 0 ? s->weight : s->weight_before;
    if (!anim_state_of_graph(graph)->advanced)
        t.weight = 1; // no update has said otherwise yet
    anim_playhead from = {s->at.time, 0}, end = {to.time, 0};
    anim_step step;
    anim_step_to(from, end, t.clip->duration, ANIM_LOOP_ONCE, end.time < from.time,
                 s->flags & ANIM_NODE_FRESH, &step);
    anim_span span;
    while (anim_step_next(&step, &span))
        tell_span(&t, &span);
}

void anim_clip_ranges_at(anim_graph* graph, uint32_t node)
{
    const anim_clip* clip = graph->topology->nodes[node].clip;
    double time = anim_state_of_node(graph, node)->at.time;
    uint64_t ranges = 0;
    for (uint32_t i = 0; i < clip->event_count; i++) {
        const anim_event* e = &clip->events[i];
        // At its very start it has not begun: the next window is closed there and tells it.
        if (e->duration >= 0 && time > e->time && time < e->time + e->duration)
            ranges |= range_bit(i);
    }
    anim_state_of_clip(graph, node)->ranges = ranges;
}
