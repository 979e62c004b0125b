// SPDX-License-Identifier: MIT
// Shared by the tests of blend spaces.
#pragma once

#include "graph/blend_space.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct samples {
    uint32_t count;
    float x[ANIM_BLEND_MAX_SAMPLES], y[ANIM_BLEND_MAX_SAMPLES];
} samples;

static inline anim_blend_space* create(anim_blend_mode mode, const samples* s)
{
    anim_blend_space_desc desc = {.mode = mode, .count = s->count, .x = s->x, .y = s->y};
    anim_blend_space* space;
    anim_error err = {0};
    if (anim_blend_space_create(&desc, &space, &err))
        fail_msg("%s", err.message);
    return space;
}

static inline void swap(samples* s, uint32_t i, uint32_t j)
{
    float x = s->x[i], y = s->y[i];
    s->x[i] = s->x[j];
    s->y[i] = s->y[j];
    s->x[j] = x;
    s->y[j] = y;
}
