// SPDX-License-Identifier: MIT
// What is measured on: a person of 67 joints with three clips of a walk, a jog and a run, and a long one.
#pragma once

#include "anim.h"
#include "bench/bench.h"

enum { BENCH_WALK, BENCH_JOG, BENCH_RUN, BENCH_ATLAS, BENCH_CLIPS };
enum { BENCH_EXACT, BENCH_SMALL, BENCH_FAST, BENCH_FORMS };
enum { BENCH_TIMES = 128 }; // a run samples so often

typedef struct bench_scene {
    anim_model *person, *atlas;
    anim_skeleton* skeleton;
    anim_skin* skin;
    anim_clip* clips[BENCH_FORMS][BENCH_CLIPS];
    anim_pack_report reports[BENCH_FORMS][BENCH_CLIPS]; // of the packed forms
} bench_scene;

extern const char* const bench_clip_names[BENCH_CLIPS];
extern const char* const bench_form_names[BENCH_FORMS];

// From DIRECTORY/bench; ends the program where it can't be had.
void bench_scene_load(bench_scene* scene, const char* directory);
anim_model* bench_load(const char* directory, const char* path); // NULL: no such file

// Ends the program with a message where `code` is a failure; calloc that does.
void bench_check(anim_code code, const anim_error* err);
void* bench_alloc(size_t size); // aligned to 64, zero; never freed

double bench_random(uint32_t* seed); // 0 to below 1

// The mean of three: each heard, in one phase. Or a blend1D at a speed between the first two.
anim_graph* bench_mix(const bench_scene* scene, int form, bool as_blend);

// The cases. Graphs and poses live until the program ends.
void bench_add_pose(bench_list* list, bench_scene* scene);
void bench_add_solvers(bench_list* list, bench_scene* scene);
void bench_add_graphs(bench_list* list, bench_scene* scene);
// With their own threads: on the wall.
void bench_add_threads(bench_list* list, bench_scene* scene);
anim_crowd* bench_crowd(const bench_scene* scene, uint32_t count,
                        uint32_t threads); // of mixed graphs
