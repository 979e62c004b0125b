// SPDX-License-Identifier: MIT
#include "import/import.h"

// The same keys as those of an earlier clip, packed once.
static anim_code share_keys(const anim_clip* clip, const anim_clip* packed, anim_clip** out,
                            anim_error* err)
{
    anim_arena arena = {0};
    const anim_clip_variant variant = {
        .name = clip->name,
        .loop = (int)clip->loop,
        .duration = clip->duration,
        .events = anim_clip_describe_events(clip, &arena),
        .event_count = clip->event_count,
        .markers = anim_clip_describe_markers(clip, &arena),
        .marker_count = clip->marker_count,
    };
    anim_code code = variant.events && variant.markers
                         ? anim_clip_derive(packed, &variant, out, err)
                         : anim_fail_memory(err, "a clip");
    anim_arena_free(&arena);
    return code;
}

static anim_code pack_clip(const anim_model* model, anim_keys* const* before, uint32_t i,
                           const anim_pack_desc* desc, anim_clip** out, anim_error* err)
{
    const anim_clip* clip = model->clips[i];
    if (anim_clip_is_packed(clip) && anim_clip_form(clip) == desc->form) {
        *out = anim_clip_retain(model->clips[i]);
        return ANIM_OK;
    }
    for (uint32_t k = 0; k < i; k++)
        if (before[k] == clip->keys)
            return share_keys(clip, model->clips[k], out, err);
    return anim_clip_pack(clip, desc, out, NULL, err);
}

static size_t bytes_of_keys(const anim_model* model, uint32_t count)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += model->clips[i]->keys->size;
    return bytes;
}

anim_code anim_model_pack(anim_model* model, const anim_pack_desc* desc,
                          bool (*progress)(void* user, float done), void* user, anim_error* err)
{
    size_t all = bytes_of_keys(model, model->clip_count), done = 0;
    anim_arena arena = {0};
    anim_code code = ANIM_OK;
    anim_clip** old = anim_arena_alloc(&arena, model->clip_count, sizeof *old);
    anim_keys** before = anim_arena_alloc(&arena, model->clip_count, sizeof *before);
    if (!old || !before)
        code = anim_fail_memory(err, "packed clips");
    for (uint32_t i = 0; i < model->clip_count && !code; i++) {
        anim_clip* packed;
        before[i] = model->clips[i]->keys;
        done += before[i]->size;
        code = pack_clip(model, before, i, desc, &packed, err);
        if (!code) {
            old[i] = model->clips[i]; // its keys' address must not be used again meanwhile
            model->clips[i] = packed;
        }
        if (!code && progress && !progress(user, (float)done / (float)all))
            code = anim_fail(err, ANIM_ERR_IO, "cancelled");
    }
    for (uint32_t i = 0; i < model->clip_count && old; i++)
        anim_clip_release(old[i]);
    anim_arena_free(&arena);
    return code;
}
