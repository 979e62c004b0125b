// SPDX-License-Identifier: MIT
// anim_bench [--csv FILE] [--rounds N] [--only TEXT] [threads]: measures all cases on one thread, or those whose name
// contains the text; or those on two threads.
#define _POSIX_C_SOURCE 200809L
#include "bench/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_machine(void)
{
    char line[256] = "", name[256] = "?";
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %255[^\n]", name) == 1)
            break;
    if (file)
        fclose(file);
    const char* simd = getenv("ANIM_SIMD");
#if defined(__clang__)
    printf("%s, clang %s", name, __clang_version__);
#else
    printf("%s, gcc %s", name, __VERSION__);
#endif
    printf(", ANIM_SIMD=%s\n", simd && *simd ? simd : "(best)");
}

static void print_sizes(const bench_scene* scene, const char* csv)
{
    printf("\n%-10s %-28s %10s %8s %12s %12s %9s\n", "", "packed, bound 0.1 mm", "bytes", "ratio",
           "largest, mm", "mean, mm", "seconds");
    for (int form = BENCH_SMALL; form < BENCH_FORMS; form++) {
        double total = 0;
        for (int clip = 0; clip < BENCH_CLIPS; clip++) {
            const anim_pack_report* r = &scene->reports[form][clip];
            char name[64];
            snprintf(name, sizeof name, "%s, %s", bench_clip_names[clip], bench_form_names[form]);
            printf("%-10s %-28s %10zu %8.1f %12.4f %12.5f %9.3f\n", "size", name, r->bytes,
                   (double)r->source_bytes / (double)r->bytes, r->max_error * 1e3,
                   r->mean_error * 1e3, r->seconds);
            bench_write_value(csv, "bench", "size", name, "B", (double)r->bytes);
            bench_write_value(csv, "bench", "error", name, "m", r->max_error);
            bench_write_value(csv, "bench", "packing", name, "s", r->seconds);
            total += (double)r->bytes;
        }
        printf("%-10s all four, %-18s %10.0f\n", "size", bench_form_names[form], total);
    }
}

static void measure_one_thread(bench_scene* scene, uint32_t rounds, const char* only,
                               const char* csv)
{
    bench_list list = {0};
    bench_add_pose(&list, scene);
    bench_add_solvers(&list, scene);
    bench_add_graphs(&list, scene);
    bench_keep(&list, only);
    printf("%u joints; processor time of one thread; %u rounds, each case once a round\n\n",
           (unsigned)scene->skeleton->joint_count, (unsigned)rounds);
    bench_run(&list, rounds);
    bench_print(&list);
    bench_write_csv(&list, csv, "bench");
    if (!only)
        print_sizes(scene, csv);
}

// --- two threads against two processes ------------------------------------------------------------------

static double updates_a_second(anim_crowd* crowd, double seconds)
{
    double start = bench_seconds(true), now = start;
    uint32_t count = 0;
    for (; now < start + seconds; now = bench_seconds(true), count++)
        anim_crowd_update(crowd, 1.0 / 60, false, NULL, NULL);
    return count / (now - start);
}

// What two processes with one thread each do together at the same time: a child has this thread alone.
static double two_processes(anim_crowd* crowd, double seconds)
{
    double rates[2] = {0, 0};
    int ends[2];
    if (pipe(ends))
        return 0;
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            double rate = updates_a_second(crowd, seconds);
            _exit(write(ends[1], &rate, sizeof rate) != sizeof rate);
        }
    for (int i = 0; i < 2; i++)
        if (read(ends[0], &rates[i], sizeof rates[i]) != sizeof rates[i])
            rates[i] = 0;
    while (wait(NULL) > 0) {
    }
    close(ends[0]);
    close(ends[1]);
    return rates[0] + rates[1];
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure_threads(bench_scene* scene, uint32_t rounds, const char* csv)
{
    enum { TURNS = 7, COUNT = 10000 };
    double processes[TURNS], threads[TURNS], shares[TURNS];
    anim_crowd* one = bench_crowd(scene, COUNT, 1);
    anim_crowd* two = bench_crowd(scene, COUNT, 2);
    for (int i = 0; i < TURNS; i++) {
        processes[i] = two_processes(one, 1.5);
        threads[i] = updates_a_second(two, 1.5);
        shares[i] = threads[i] / processes[i];
    }
    qsort(processes, TURNS, sizeof *processes, by_size);
    qsort(threads, TURNS, sizeof *threads, by_size);
    qsort(shares, TURNS, sizeof *shares, by_size);
    printf("%d characters, %d turns of 1.5 s each, medians: two processes %.1f updates a second, "
           "two threads %.1f, share %.3f\n\n",
           COUNT, TURNS, processes[TURNS / 2], threads[TURNS / 2], shares[TURNS / 2]);
    bench_write_value(csv, "bench", "threads", "two threads against two processes", "share",
                      shares[TURNS / 2]);
    bench_list list = {0};
    bench_add_threads(&list, scene);
    bench_run(&list, rounds);
    bench_print(&list);
    bench_write_csv(&list, csv, "bench");
}

int main(int count, char** arguments)
{
    const char *csv = NULL, *only = NULL, *data = getenv("ANIM_DATA");
    uint32_t rounds = 101;
    bool threads = false;
    for (int i = 1; i < count; i++)
        if (!strcmp(arguments[i], "--csv") && i + 1 < count)
            csv = arguments[++i];
        else if (!strcmp(arguments[i], "--rounds") && i + 1 < count)
            rounds = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (!strcmp(arguments[i], "--only") && i + 1 < count)
            only = arguments[++i];
        else if (!strcmp(arguments[i], "threads"))
            threads = true;
        else {
            fprintf(stderr,
                    "usage: anim_bench [--csv FILE] [--rounds N] [--only TEXT] [threads]\n");
            return 2;
        }
    bench_scene scene;
    print_machine();
    bench_scene_load(&scene, data && *data ? data : "../shared/data");
    rounds = rounds < 1 ? 1 : rounds;
    if (threads)
        measure_threads(&scene, rounds, csv);
    else
        measure_one_thread(&scene, rounds, only, csv);
    return 0;
}
