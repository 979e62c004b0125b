// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void* need(void* memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

double bench_seconds(bool on_the_wall)
{
    struct timespec now;
    clock_gettime(on_the_wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bench_case* bench_add(bench_list* list, const char* group, const char* name, const char* what,
                      uint32_t count, void (*run)(void* user), void* user)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->cases = need(realloc(list->cases, list->room * sizeof *list->cases));
    }
    bench_case* c = &list->cases[list->count++];
    *c = (bench_case){.group = group, .count = count, .run = run, .user = user};
    snprintf(c->name, sizeof c->name, name, what ? what : "");
    return c;
}

void bench_keep(bench_list* list, const char* text)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; text && i < list->count; i++) {
        char full[128];
        snprintf(full, sizeof full, "%s %s", list->cases[i].group, list->cases[i].name);
        if (strstr(full, text))
            list->cases[kept++] = list->cases[i];
    }
    if (text)
        list->count = kept;
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void summarize(bench_case* c, uint32_t rounds)
{
    qsort(c->times, rounds, sizeof *c->times, by_size);
    c->median = c->times[rounds / 2] / c->count;
    c->tenth = c->times[rounds / 10] / c->count;
    c->best = c->times[0] / c->count;
}

void bench_run(bench_list* list, uint32_t rounds)
{
    const double is_short = 3e-3; // seconds: the caches are its own after one run
    list->rounds = rounds;
    for (uint32_t i = 0; i < list->count; i++)
        list->cases[i].times = need(calloc(rounds, sizeof(double)));
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < list->count; i++) {
            bench_case* c = &list->cases[i];
            if (round == 0 || c->times[round - 1] < is_short)
                c->run(c->user);
            double start = bench_seconds(c->is_wall);
            c->run(c->user);
            c->times[round] = bench_seconds(c->is_wall) - start;
        }
    for (uint32_t i = 0; i < list->count; i++)
        summarize(&list->cases[i], rounds);
}

const bench_case* bench_find(const bench_list* list, const char* group, const char* name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->cases[i].group, group) && !strcmp(list->cases[i].name, name))
            return &list->cases[i];
    return NULL;
}

void bench_print(const bench_list* list)
{
    printf("%-10s %-52s %10s %10s %10s\n", "", "nanoseconds each", "median", "p10", "best");
    for (uint32_t i = 0; i < list->count; i++) {
        const bench_case* c = &list->cases[i];
        printf("%-10s %-52s %10.1f %10.1f %10.1f%s\n", c->group, c->name, c->median * 1e9,
               c->tenth * 1e9, c->best * 1e9, c->is_wall ? "  on the wall" : "");
    }
}

void bench_write_csv(const bench_list* list, const char* path, const char* source)
{
    FILE* file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const bench_case* c = &list->cases[i];
        fprintf(file, "%s,%s,\"%s\",ns,%.1f,%.1f,%.1f,%u\n", source, c->group, c->name,
                c->median * 1e9, c->tenth * 1e9, c->best * 1e9, (unsigned)list->rounds);
    }
    fclose(file);
}

void bench_write_value(const char* path, const char* source, const char* group, const char* name,
                       const char* unit, double value)
{
    FILE* file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s,%s,\"%s\",%s,%.9g,,,\n", source, group, name, unit, value);
    fclose(file);
}
