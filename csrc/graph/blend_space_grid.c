// SPDX-License-Identifier: MIT
// Mode `grid`: bilinear between the lines of a full grid.
#include "graph/blend_space_parts.h"

#include "base/order.h"

// Numbers that are as near each other as merged samples are one line; values[i] lies on lines[line_of[i]].
typedef struct axis {
    double* lines;
    uint32_t* line_of;
    uint32_t count;
} axis;

static double x_key(const void* list, uint32_t index)
{
    return ((const anim_blend_site*)list)[index].x;
}

static double y_key(const void* list, uint32_t index)
{
    return ((const anim_blend_site*)list)[index].y;
}

static bool find_lines(const anim_blend_space* draft, double (*key)(const void*, uint32_t),
                       anim_arena* arena, axis* out)
{
    uint32_t count = draft->site_count;
    const uint32_t* order = anim_order_by(arena, key, draft->sites, count);
    out->lines = anim_arena_alloc(arena, count, sizeof *out->lines);
    out->line_of = anim_arena_alloc(arena, count, sizeof *out->line_of);
    if (!order || !out->lines || !out->line_of)
        return false;
    double before = 0;
    for (uint32_t i = 0; i < count; i++) {
        double value = key(draft->sites, order[i]);
        if (i == 0 || value - before > 1e-6 * draft->extent)
            out->lines[out->count++] = value;
        out->line_of[order[i]] = out->count - 1;
        before = value;
    }
    return true;
}

enum { no_site = UINT32_MAX };

// Puts each site into its cell; then no cell may be empty.
static anim_code fill_cells(const anim_blend_space* draft, const axis* x, const axis* y,
                            uint32_t* cells, anim_error* err)
{
    for (uint32_t i = 0; i < x->count * y->count; i++)
        cells[i] = no_site;
    for (uint32_t i = 0; i < draft->site_count; i++) {
        uint32_t* cell = &cells[x->line_of[i] * y->count + y->line_of[i]];
        if (*cell != no_site)
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "samples %u and %u share a place in the grid but are not equal",
                             anim_blend_sample_number(draft, *cell),
                             anim_blend_sample_number(draft, i));
        *cell = i;
    }
    for (uint32_t i = 0; i < x->count * y->count; i++)
        if (cells[i] == no_site)
            return anim_fail(err, ANIM_ERR_ARGUMENT,
                             "the grid of %u by %u samples has none at (%g, %g)", x->count,
                             y->count, x->lines[i / y->count], y->lines[i % y->count]);
    return ANIM_OK;
}

anim_code anim_blend_prepare_grid(anim_blend_space* draft, anim_arena* arena, anim_error* err)
{
    axis x = {0}, y = {0};
    if (!find_lines(draft, x_key, arena, &x) || !find_lines(draft, y_key, arena, &y))
        return anim_fail_memory(err, "a blend space");
    uint32_t* cells = anim_arena_alloc(arena, (size_t)x.count * y.count, sizeof *cells);
    if (!cells)
        return anim_fail_memory(err, "a blend space");
    draft->column_count = x.count;
    draft->row_count = y.count;
    draft->columns = x.lines;
    draft->rows = y.lines;
    draft->cells = cells;
    return fill_cells(draft, &x, &y, cells, err);
}

typedef struct place {
    uint32_t low, high; // lines
    double share;       // of the high one
} place;

static place find_place(const double* lines, uint32_t count, double value)
{
    uint32_t high = 0;
    while (high < count && lines[high] <= value)
        high++;
    if (high == 0)
        return (place){0, 0, 0};
    if (high == count)
        return (place){count - 1, count - 1, 0};
    return (place){high - 1, high, (value - lines[high - 1]) / (lines[high] - lines[high - 1])};
}

void anim_blend_weigh_grid(const anim_blend_space* space, double x, double y, float* weights)
{
    place h = find_place(space->columns, space->column_count, x);
    place v = find_place(space->rows, space->row_count, y);
    const uint32_t* low = space->cells + h.low * space->row_count;
    const uint32_t* high = space->cells + h.high * space->row_count;
    *anim_blend_weight(space, low[v.low], weights) += (float)((1 - h.share) * (1 - v.share));
    *anim_blend_weight(space, low[v.high], weights) += (float)((1 - h.share) * v.share);
    *anim_blend_weight(space, high[v.low], weights) += (float)(h.share * (1 - v.share));
    *anim_blend_weight(space, high[v.high], weights) += (float)(h.share * v.share);
}
