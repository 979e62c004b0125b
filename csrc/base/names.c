// SPDX-License-Identifier: MIT
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static void sift_down(const anim_names* names, uint32_t* heap, uint32_t start, uint32_t count)
{
    for (uint32_t root = start, child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count &&
            strcmp(anim_names_get(names, heap[child]), anim_names_get(names, heap[child + 1])) < 0)
            child++;
        if (strcmp(anim_names_get(names, heap[root]), anim_names_get(names, heap[child])) >= 0)
            return;
        uint32_t swap = heap[root];
        heap[root] = heap[child];
        heap[child] = swap;
    }
}

// Heap sort: no memory, no worst case; qsort would need the names in a global.
static void sort_by_name(const anim_names* names, uint32_t* sorted)
{
    for (uint32_t i = names->count / 2; i-- > 0;)
        sift_down(names, sorted, i, names->count);
    for (uint32_t last = names->count; last-- > 1;) {
        uint32_t swap = sorted[0];
        sorted[0] = sorted[last];
        sorted[last] = swap;
        sift_down(names, sorted, 0, last);
    }
}

void anim_names_build(anim_names* names, anim_layout* layout, const char* const* texts,
                      uint32_t count)
{
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size += strlen(texts[i] ? texts[i] : "") + 1;
    uint32_t* offsets = anim_layout_take(layout, count, sizeof *offsets);
    uint32_t* sorted = anim_layout_take(layout, count, sizeof *sorted);
    char* text = anim_layout_take(layout, size, 1);
    if (!layout->block)
        return;
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i] ? texts[i] : "") + 1;
        memcpy(text + at, texts[i] ? texts[i] : "", length);
        offsets[i] = (uint32_t)at;
        sorted[i] = i;
        at += length;
    }
    *names = (anim_names){count, offsets, sorted, text, size};
    sort_by_name(names, sorted);
}

int32_t anim_names_find(const anim_names* names, const char* name)
{
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(anim_names_get(names, names->sorted[middle]), name);
        if (order == 0)
            return (int32_t)names->sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int32_t anim_names_duplicate(const anim_names* names)
{
    for (uint32_t i = 1; i < names->count; i++) {
        uint32_t a = names->sorted[i - 1], b = names->sorted[i];
        if (strcmp(anim_names_get(names, a), anim_names_get(names, b)) == 0)
            return (int32_t)(a > b ? a : b);
    }
    return -1;
}

// Levenshtein distance of short names; longer ones are not worth a guess.
static uint32_t distance(const char* a, const char* b)
{
    enum { longest = 63 };
    size_t m = strlen(a), n = strlen(b);
    if (m > longest || n > longest)
        return UINT32_MAX;
    uint32_t row[longest + 1];
    for (uint32_t j = 0; j <= n; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= m; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            uint32_t insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < insert ? change : insert;
        }
    }
    return row[n];
}

const char* anim_names_nearest(const anim_names* names, const char* name)
{
    const char* best = NULL;
    uint32_t best_distance = (uint32_t)strlen(name) / 3 + 1;
    for (uint32_t i = 0; i < names->count; i++) {
        const char* candidate = anim_names_get(names, i);
        uint32_t d = distance(candidate, name);
        if (d < best_distance || (d == best_distance && !best)) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}
