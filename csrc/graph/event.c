// SPDX-License-Identifier: MIT
#include "graph/event.h"

#include "base/mem.h"

#include <string.h>

static bool grow(anim_event_queue* q)
{
    uint32_t room = q->room == 0 ? 16 : q->room * 2;
    anim_happening* items = anim_mem_alloc(room * sizeof *items);
    if (!items)
        return false;
    if (q->count > 0)
        memcpy(items, q->items, q->count * sizeof *items);
    anim_mem_free(q->items);
    q->items = items;
    q->room = room;
    return true;
}

void anim_event_queue_take(anim_event_queue* queue, uint32_t index, anim_happening* out)
{
    *out = queue->items[index];
    queue->count--;
    queue->settled -= index < queue->settled;
    queue->offered -= out->offered;
    memmove(queue->items + index, queue->items + index + 1,
            (queue->count - index) * sizeof *queue->items);
}

void anim_event_queue_offer(anim_event_queue* queue, uint32_t index)
{
    queue->offered += !queue->items[index].offered;
    queue->items[index].offered = true;
}

static void drop(anim_event_queue* q, uint32_t index)
{
    anim_happening gone;
    anim_event_queue_take(q, index, &gone);
    anim_clip_release(gone.clip);
}

void anim_event_queue_push(anim_event_queue* queue, const anim_happening* item)
{
    bool full = queue->count == queue->room && (queue->room >= ANIM_MAX_EVENTS || !grow(queue));
    if (full)
        queue->lost++;
    if (full && queue->count == 0)
        return;
    if (full)
        drop(queue, 0);
    anim_happening* to = &queue->items[queue->count++];
    *to = *item;
    to->serial = queue->serial++;
    if (to->clip)
        anim_clip_retain(to->clip);
}

static bool is_before(const anim_happening* a, const anim_happening* b)
{
    if (a->offset != b->offset)
        return a->offset < b->offset;
    if (a->turn != b->turn)
        return a->turn < b->turn;
    if (a->order != b->order)
        return a->order < b->order;
    return a->serial < b->serial;
}

// Insertion: the nodes put their events in order already, so little has to move.
void anim_event_queue_sort(anim_event_queue* queue)
{
    for (uint32_t i = queue->settled; i < queue->count; i++) {
        anim_happening moving = queue->items[i];
        uint32_t at = i;
        while (at > 0 && is_before(&moving, &queue->items[at - 1])) {
            queue->items[at] = queue->items[at - 1];
            at--;
        }
        queue->items[at] = moving;
    }
}

// A backlog that nobody takes must not cost every step: what is settled is left alone.
void anim_event_queue_begin_step(anim_event_queue* queue)
{
    uint32_t kept = queue->offered > 0 ? 0 : queue->settled;
    for (uint32_t i = kept; i < queue->count; i++) {
        anim_happening* item = &queue->items[i];
        if (item->offered) {
            anim_clip_release(item->clip);
            continue;
        }
        item->offset = -1; // before the step; `serial` then keeps their order
        item->order = item->turn = 0;
        item->serial = kept;
        queue->items[kept++] = *item;
    }
    queue->count = queue->settled = kept;
    queue->serial = kept > 0 ? queue->items[kept - 1].serial + 1 : 0;
    queue->offered = 0;
}

void anim_event_queue_clear(anim_event_queue* queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        anim_clip_release(queue->items[i].clip);
    queue->count = queue->settled = queue->offered = 0;
    queue->serial = 0;
}

void anim_event_queue_free(anim_event_queue* queue)
{
    anim_event_queue_clear(queue);
    anim_mem_free(queue->items);
    *queue = (anim_event_queue){0};
}
