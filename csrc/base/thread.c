// SPDX-License-Identifier: MIT
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0600 // condition variables
#else
#define _GNU_SOURCE // sched_getaffinity; POSIX
#endif

#include "base/thread.h"

#include "base/mem.h"

#if defined(_WIN32)

#include <process.h>
#include <windows.h>

struct anim_thread {
    HANDLE handle;
    void (*run)(void* user);
    void* user;
};

struct anim_mutex {
    SRWLOCK lock;
};

struct anim_signal {
    CONDITION_VARIABLE variable;
};

uint32_t anim_thread_cores(void)
{
    DWORD_PTR own = 0, all = 0;
    uint32_t count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all))
        for (; own != 0; own &= own - 1)
            count++;
    if (count == 0) { // more than 64: the mask cannot tell
        SYSTEM_INFO info;
        GetSystemInfo(&info);
        count = info.dwNumberOfProcessors;
    }
    return count > 0 ? count : 1;
}

static unsigned __stdcall begin(void* object)
{
    anim_thread* thread = object;
    thread->run(thread->user);
    return 0;
}

anim_thread* anim_thread_start(void (*run)(void* user), void* user)
{
    anim_thread* thread = anim_mem_alloc(sizeof *thread);
    if (!thread)
        return NULL;
    thread->run = run;
    thread->user = user;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, begin, thread, 0, NULL);
    if (thread->handle)
        return thread;
    anim_mem_free(thread);
    return NULL;
}

void anim_thread_join(anim_thread* thread)
{
    if (!thread)
        return;
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    anim_mem_free(thread);
}

anim_mutex* anim_mutex_create(void)
{
    anim_mutex* mutex = anim_mem_alloc(sizeof *mutex);
    if (mutex)
        InitializeSRWLock(&mutex->lock);
    return mutex;
}

void anim_mutex_destroy(anim_mutex* mutex)
{
    anim_mem_free(mutex);
}

void anim_mutex_lock(anim_mutex* mutex)
{
    AcquireSRWLockExclusive(&mutex->lock);
}

void anim_mutex_unlock(anim_mutex* mutex)
{
    ReleaseSRWLockExclusive(&mutex->lock);
}

anim_signal* anim_signal_create(void)
{
    anim_signal* signal = anim_mem_alloc(sizeof *signal);
    if (signal)
        InitializeConditionVariable(&signal->variable);
    return signal;
}

void anim_signal_destroy(anim_signal* signal)
{
    anim_mem_free(signal);
}

void anim_signal_wait(anim_signal* signal, anim_mutex* mutex)
{
    SleepConditionVariableSRW(&signal->variable, &mutex->lock, INFINITE, 0);
}

void anim_signal_wake_all(anim_signal* signal)
{
    WakeAllConditionVariable(&signal->variable);
}

#else

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

struct anim_thread {
    pthread_t handle;
    pid_t process; // that it is a thread of: it is not there after a fork
    void (*run)(void* user);
    void* user;
};

struct anim_mutex {
    pthread_mutex_t lock;
};

struct anim_signal {
    pthread_cond_t variable;
};

uint32_t anim_thread_cores(void)
{
#if defined(CPU_COUNT) && !defined(__EMSCRIPTEN__) // which declares what it does not have
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

static void* begin(void* object)
{
    anim_thread* thread = object;
    thread->run(thread->user);
    return NULL;
}

// A new thread inherits the mask of blocked signals: the host's handlers stay on the host's threads.
anim_thread* anim_thread_start(void (*run)(void* user), void* user)
{
    anim_thread* thread = anim_mem_alloc(sizeof *thread);
    if (!thread)
        return NULL;
    thread->run = run;
    thread->user = user;
    thread->process = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread->handle, NULL, begin, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        return thread;
    anim_mem_free(thread);
    return NULL;
}

void anim_thread_join(anim_thread* thread)
{
    if (!thread)
        return;
    if (thread->process == getpid())
        pthread_join(thread->handle, NULL);
    anim_mem_free(thread);
}

anim_mutex* anim_mutex_create(void)
{
    anim_mutex* mutex = anim_mem_alloc(sizeof *mutex);
    if (mutex && pthread_mutex_init(&mutex->lock, NULL) != 0) {
        anim_mem_free(mutex);
        mutex = NULL;
    }
    return mutex;
}

void anim_mutex_destroy(anim_mutex* mutex)
{
    if (mutex)
        pthread_mutex_destroy(&mutex->lock);
    anim_mem_free(mutex);
}

void anim_mutex_lock(anim_mutex* mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void anim_mutex_unlock(anim_mutex* mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

anim_signal* anim_signal_create(void)
{
    anim_signal* signal = anim_mem_alloc(sizeof *signal);
    if (signal && pthread_cond_init(&signal->variable, NULL) != 0) {
        anim_mem_free(signal);
        signal = NULL;
    }
    return signal;
}

void anim_signal_destroy(anim_signal* signal)
{
    if (signal)
        pthread_cond_destroy(&signal->variable);
    anim_mem_free(signal);
}

void anim_signal_wait(anim_signal* signal, anim_mutex* mutex)
{
    pthread_cond_wait(&signal->variable, &mutex->lock);
}

void anim_signal_wake_all(anim_signal* signal)
{
    pthread_cond_broadcast(&signal->variable);
}

#endif
