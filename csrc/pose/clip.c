// SPDX-License-Identifier: MIT
#include "pose/clip.h"

#include "base/mem.h"
#include "base/order.h"
#include "pose/keys.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_fast64_t last_serial;

// Everything a clip adds to its keys.
typedef struct header {
    anim_keys* keys; // borrowed
    const char* name;
    double duration;
    anim_loop loop;
    const anim_event_desc* events;
    uint32_t event_count;
    const anim_marker_desc* markers;
    uint32_t marker_count;
} header;

typedef struct parts {
    anim_clip* clip;
    char* name;
    anim_event* events;
    anim_marker* markers;
    anim_names event_names, marker_names;
} parts;

// Names and order of events and markers by time; equal times keep the order they were given in.
typedef struct ordered {
    uint32_t *events, *markers;
    const char **event_names, **marker_names;
} ordered;

static void lay_out(anim_layout* layout, const header* h, const ordered* o, parts* p)
{
    p->clip = anim_layout_take(layout, 1, sizeof *p->clip);
    p->events = anim_layout_take(layout, h->event_count, sizeof *p->events);
    p->markers = anim_layout_take(layout, h->marker_count, sizeof *p->markers);
    p->name = anim_layout_take(layout, strlen(h->name) + 1, 1);
    anim_names_build(&p->event_names, layout, o->event_names, h->event_count);
    anim_names_build(&p->marker_names, layout, o->marker_names, h->marker_count);
    if (layout->block)
        memcpy(p->name, h->name, strlen(h->name) + 1);
    for (uint32_t i = 0; i < h->event_count; i++) {
        const anim_event_desc* from = &h->events[o->events[i]];
        anim_value data = anim_value_copy(&from->data, layout);
        if (layout->block)
            p->events[i] = (anim_event){from->time, from->duration, i, data};
    }
    for (uint32_t i = 0; i < h->marker_count && layout->block; i++)
        p->markers[i] = (anim_marker){h->markers[o->markers[i]].time, i};
}

static anim_code check_events(const header* h, anim_error* err)
{
    for (uint32_t i = 0; i < h->event_count; i++) {
        const anim_event_desc* e = &h->events[i];
        double end = e->duration <= 0 ? e->time : e->time + e->duration; // nan stays nan
        if (!(e->time >= 0 && e->time <= h->duration))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "event '%s': time %g is not within 0 to %g",
                             e->name, e->time, h->duration);
        if (!(end <= h->duration + 1e-9 * h->duration))
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "event '%s': it ends at %g, past the end at %g", e->name, end,
                             h->duration);
    }
    for (uint32_t i = 0; i < h->marker_count; i++)
        if (!(h->markers[i].time >= 0 && h->markers[i].time <= h->duration))
            return anim_fail(err, ANIM_ERR_ARGUMENT, "marker '%s': time %g is not within 0 to %g",
                             h->markers[i].name, h->markers[i].time, h->duration);
    return ANIM_OK;
}

static double event_time(const void* list, uint32_t index)
{
    return ((const anim_event_desc*)list)[index].time;
}

static double marker_time(const void* list, uint32_t index)
{
    return ((const anim_marker_desc*)list)[index].time;
}

static bool put_in_order(anim_arena* arena, const header* h, ordered* o)
{
    o->events = anim_order_by(arena, event_time, h->events, h->event_count);
    o->markers = anim_order_by(arena, marker_time, h->markers, h->marker_count);
    o->event_names = anim_arena_alloc(arena, h->event_count, sizeof *o->event_names);
    o->marker_names = anim_arena_alloc(arena, h->marker_count, sizeof *o->marker_names);
    if (!o->events || !o->markers || !o->event_names || !o->marker_names)
        return false;
    for (uint32_t i = 0; i < h->event_count; i++)
        o->event_names[i] = h->events[o->events[i]].name;
    for (uint32_t i = 0; i < h->marker_count; i++)
        o->marker_names[i] = h->markers[o->markers[i]].name;
    return true;
}

static anim_clip* build(anim_arena* arena, const header* h)
{
    ordered o;
    if (!put_in_order(arena, h, &o))
        return NULL;
    anim_layout layout = {0};
    parts p = {0};
    lay_out(&layout, h, &o, &p);
    size_t size = layout.size;
    layout = (anim_layout){anim_mem_alloc(size), 0};
    if (!layout.block)
        return NULL;
    lay_out(&layout, h, &o, &p);
    anim_clip* clip = p.clip;
    anim_ref_init(&clip->ref);
    clip->serial = atomic_fetch_add(&last_serial, 1) + 1;
    clip->keys = anim_keys_retain(h->keys);
    clip->name = p.name;
    clip->duration = h->duration;
    clip->loop = h->loop;
    clip->event_count = h->event_count;
    clip->marker_count = h->marker_count;
    clip->events = p.events;
    clip->markers = p.markers;
    clip->event_names = p.event_names;
    clip->marker_names = p.marker_names;
    clip->size = size;
    return clip;
}

static anim_code create(const header* h, anim_clip** out, anim_error* err)
{
    anim_code code = check_events(h, err);
    if (code)
        return code;
    anim_arena arena = {0};
    *out = build(&arena, h);
    anim_arena_free(&arena);
    return *out ? ANIM_OK : anim_fail_memory(err, "a clip");
}

anim_code anim_clip_create(const anim_clip_desc* desc, anim_notes* notes, anim_clip** out,
                           anim_error* err)
{
    *out = NULL;
    anim_keys* keys = NULL;
    anim_code code = anim_keys_create(desc, notes, &keys, err);
    if (code)
        return code;
    header h = {
        .keys = keys,
        .name = desc->name ? desc->name : "",
        .duration = desc->duration < 0 ? keys->last_key : desc->duration,
        .loop = desc->loop,
        .events = desc->events,
        .event_count = desc->event_count,
        .markers = desc->markers,
        .marker_count = desc->marker_count,
    };
    if (!(h.duration <= 1e9))
        code = anim_fail(err, ANIM_ERR_ARGUMENT, "duration %g; 0 to 1e9 seconds expected",
                         h.duration);
    else
        code = create(&h, out, err);
    anim_keys_release(keys);
    return code;
}

anim_code anim_clip_derive(const anim_clip* clip, const anim_clip_variant* variant, anim_clip** out,
                           anim_error* err)
{
    *out = NULL;
    anim_arena arena = {0};
    header h = {
        .keys = clip->keys,
        .name = variant->name ? variant->name : clip->name,
        .duration = variant->duration < 0 ? clip->duration : variant->duration,
        .loop = variant->loop < 0 ? clip->loop : (anim_loop)variant->loop,
        .events = variant->events,
        .event_count = variant->event_count,
        .markers = variant->markers,
        .marker_count = variant->marker_count,
    };
    anim_code code = ANIM_OK;
    if (!h.events) {
        h.events = anim_clip_describe_events(clip, &arena);
        h.event_count = clip->event_count;
    }
    if (!h.markers) {
        h.markers = anim_clip_describe_markers(clip, &arena);
        h.marker_count = clip->marker_count;
    }
    if (!h.events || !h.markers)
        code = anim_fail_memory(err, "a clip");
    else
        code = create(&h, out, err);
    anim_arena_free(&arena);
    return code;
}

anim_event_desc* anim_clip_describe_events(const anim_clip* clip, anim_arena* arena)
{
    anim_event_desc* events = anim_arena_alloc(arena, clip->event_count, sizeof *events);
    for (uint32_t i = 0; events && i < clip->event_count; i++)
        events[i] = (anim_event_desc){clip->events[i].time, clip->events[i].duration,
                                      anim_clip_event_name(clip, i), clip->events[i].data};
    return events;
}

anim_marker_desc* anim_clip_describe_markers(const anim_clip* clip, anim_arena* arena)
{
    anim_marker_desc* markers = anim_arena_alloc(arena, clip->marker_count, sizeof *markers);
    for (uint32_t i = 0; markers && i < clip->marker_count; i++)
        markers[i] = (anim_marker_desc){clip->markers[i].time, anim_clip_marker_name(clip, i)};
    return markers;
}

anim_clip* anim_clip_retain(anim_clip* clip)
{
    anim_ref_retain(&clip->ref);
    return clip;
}

void anim_clip_release(anim_clip* clip)
{
    if (clip && anim_ref_drop(&clip->ref)) {
        anim_keys_release(clip->keys);
        anim_mem_free(clip);
    }
}
