// SPDX-License-Identifier: MIT
#include "base/jobs.h"

#include "base/mem.h"
#include "base/thread.h"

#include <stdatomic.h>

struct anim_jobs {
    anim_job_system system; // the host's; run NULL: the threads below
    uint32_t workers;
    anim_mutex* mutex;
    anim_signal *begun, *left;
    anim_thread** threads;
    uint32_t thread_count;
    // guarded by the mutex
    uint64_t number; // of the run
    bool open;       // it may still be joined
    bool ends;       // the threads are to return
    uint32_t inside; // threads at work in it
    // of the run; written while nobody is inside
    void (*job)(void* user, uint32_t i);
    void* user;
    uint32_t count;
    atomic_uint next;
};

static anim_job_system host_system;

void anim_jobs_set_system(const anim_job_system* system)
{
    host_system = system ? *system : (anim_job_system){0};
}

static void work(anim_jobs* jobs)
{
    uint32_t i;
    while ((i = atomic_fetch_add_explicit(&jobs->next, 1, memory_order_relaxed)) < jobs->count)
        jobs->job(jobs->user, i);
}

// A thread that wakes too late for a run finds it closed, and waits for the next.
static void serve(void* user)
{
    anim_jobs* jobs = user;
    uint64_t seen = 0;
    anim_mutex_lock(jobs->mutex);
    for (;;) {
        while (!jobs->ends && !(jobs->open && jobs->number != seen))
            anim_signal_wait(jobs->begun, jobs->mutex);
        if (jobs->ends)
            break;
        seen = jobs->number;
        jobs->inside++;
        anim_mutex_unlock(jobs->mutex);
        work(jobs);
        anim_mutex_lock(jobs->mutex);
        if (--jobs->inside == 0)
            anim_signal_wake_all(jobs->left);
    }
    anim_mutex_unlock(jobs->mutex);
}

static uint32_t clamp_workers(uint32_t workers)
{
    return workers < 1 ? 1 : workers > ANIM_MAX_WORKERS ? ANIM_MAX_WORKERS : workers;
}

static bool start_threads(anim_jobs* jobs)
{
    jobs->mutex = anim_mutex_create();
    jobs->begun = anim_signal_create();
    jobs->left = anim_signal_create();
    jobs->threads = anim_mem_alloc(jobs->workers * sizeof(anim_thread*));
    if (!jobs->mutex || !jobs->begun || !jobs->left || !jobs->threads)
        return false;
    for (uint32_t i = 1; i < jobs->workers; i++) {
        anim_thread* thread = anim_thread_start(serve, jobs);
        if (!thread)
            break;
        jobs->threads[jobs->thread_count++] = thread;
    }
    jobs->workers = jobs->thread_count + 1;
    return true;
}

anim_jobs* anim_jobs_create(uint32_t workers)
{
    anim_jobs* jobs = anim_mem_alloc(sizeof *jobs);
    if (!jobs)
        return NULL;
    jobs->system = host_system;
    jobs->workers = clamp_workers(workers > 0 ? workers : anim_thread_cores());
    if (jobs->system.run) {
        uint32_t most = clamp_workers(jobs->system.workers);
        jobs->workers = workers > 0 && jobs->workers < most ? jobs->workers : most;
        return jobs;
    }
    if (jobs->workers > 1 && !start_threads(jobs)) {
        anim_jobs_destroy(jobs);
        return NULL;
    }
    return jobs;
}

void anim_jobs_destroy(anim_jobs* jobs)
{
    if (!jobs)
        return;
    if (jobs->thread_count > 0) {
        anim_mutex_lock(jobs->mutex);
        jobs->ends = true;
        anim_signal_wake_all(jobs->begun);
        anim_mutex_unlock(jobs->mutex);
    }
    for (uint32_t i = 0; i < jobs->thread_count; i++)
        anim_thread_join(jobs->threads[i]);
    anim_mem_free(jobs->threads);
    anim_signal_destroy(jobs->begun);
    anim_signal_destroy(jobs->left);
    anim_mutex_destroy(jobs->mutex);
    anim_mem_free(jobs);
}

uint32_t anim_jobs_workers(const anim_jobs* jobs)
{
    return jobs->workers;
}

void anim_jobs_run(anim_jobs* jobs, uint32_t count, void (*job)(void* user, uint32_t i), void* user)
{
    if (jobs->workers > 1 && count > 1 && jobs->system.run) {
        jobs->system.run(jobs->system.host, count, job, user);
        return;
    }
    if (jobs->thread_count == 0 || count < 2) {
        for (uint32_t i = 0; i < count; i++)
            job(user, i);
        return;
    }
    jobs->job = job;
    jobs->user = user;
    jobs->count = count;
    atomic_store_explicit(&jobs->next, 0, memory_order_relaxed);
    anim_mutex_lock(jobs->mutex);
    jobs->number++;
    jobs->open = true;
    anim_signal_wake_all(jobs->begun);
    anim_mutex_unlock(jobs->mutex);
    work(jobs);
    anim_mutex_lock(jobs->mutex);
    jobs->open = false;
    while (jobs->inside > 0)
        anim_signal_wait(jobs->left, jobs->mutex);
    anim_mutex_unlock(jobs->mutex);
}
