// SPDX-License-Identifier: MIT
// What is to be measured, in one list, run in turns: what disturbs the machine disturbs all of it alike.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_case {
    const char* group; // "sample", "crowd", ...
    char name[80];
    uint32_t count; // a run does so many of what is measured; times are for one
    bool is_wall;   // on several threads: time on the wall, not the processor time of this thread
    void (*run)(void* user);
    void* user;
    double *times, median, tenth, best; // seconds a run; sorted, p50, p10, least; of one thing
} bench_case;

typedef struct bench_list {
    bench_case* cases;
    uint32_t count, room, rounds;
} bench_list;

// `name` may hold one %s for `what`. Returns the case, valid until the next is added.
bench_case* bench_add(bench_list* list, const char* group, const char* name, const char* what,
                      uint32_t count, void (*run)(void* user), void* user);

// Drops the cases whose "group name" does not contain the text; NULL: none.
void bench_keep(bench_list* list, const char* text);

// Each case once a round, after a run that is not counted where it is a short one.
void bench_run(bench_list* list, uint32_t rounds);
const bench_case* bench_find(const bench_list* list, const char* group, const char* name);
void bench_print(const bench_list* list);

double bench_seconds(bool on_the_wall);

// Rows "source,group,name,unit,median,p10,best,rounds" at the end of a file; NULL: nowhere.
void bench_write_csv(const bench_list* list, const char* path, const char* source);
void bench_write_value(const char* path, const char* source, const char* group, const char* name,
                       const char* unit, double value);

#ifdef __cplusplus
}
#endif
