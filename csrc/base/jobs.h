// SPDX-License-Identifier: MIT
// Work that may be done side by side: a pool of threads, or the host's own job system.
#pragma once

#include "base/config.h"

// What an engine gives instead of threads of ours. `run` calls job(user, i) for each i below `count`, in
// any order, on any threads, also several at a time, and returns when all have returned. It allocates
// nothing that grows with `count`; what was written before `run` is seen by the jobs, and what they wrote
// by whoever called it.
typedef struct anim_job_system {
    void (*run)(void* host, uint32_t count, void (*job)(void* user, uint32_t i), void* user);
    void* host;
    uint32_t workers; // so many jobs at most are worth giving at a time; 0 counts as 1
} anim_job_system;

// For all pools made from now on; NULL: threads of their own again. Set it once, before the first other
// call, like the allocator (base/mem.h).
void anim_jobs_set_system(const anim_job_system* system);

typedef struct anim_jobs anim_jobs;

enum { ANIM_MAX_WORKERS = 256 };

// `workers`: threads that work, the calling one among them; 0: as many as there are cores. Fewer where
// the system gives no more. With a job system of the host's, `workers` is its number at most. The threads
// have the floating-point modes of the one that makes the pool. NULL: out of memory.
anim_jobs* anim_jobs_create(uint32_t workers);
void anim_jobs_destroy(anim_jobs* jobs); // not while it runs; NULL is fine

uint32_t anim_jobs_workers(const anim_jobs* jobs); // that may run at a time, 1 or more

// job(user, i) for each i below `count`, on the workers and the calling thread; returns when all are done.
// By one caller at a time. Allocates nothing.
void anim_jobs_run(anim_jobs* jobs, uint32_t count, void (*job)(void* user, uint32_t i),
                   void* user);
