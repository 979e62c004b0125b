// SPDX-License-Identifier: MIT
// Threads, and what they wait with: POSIX threads, on Windows its own behind the same calls.
#pragma once

#include "base/config.h"

typedef struct anim_thread anim_thread;
typedef struct anim_mutex anim_mutex;
typedef struct anim_signal anim_signal; // a condition variable

uint32_t anim_thread_cores(void); // that this process may run on; 1 or more

// Runs run(user) on a thread of its own. No signal of the process is delivered there. NULL: there is
// none to be had.
anim_thread* anim_thread_start(void (*run)(void* user), void* user);
void anim_thread_join(anim_thread* thread); // waits for its end and frees it; NULL is fine

anim_mutex* anim_mutex_create(void); // NULL: out of memory
void anim_mutex_destroy(anim_mutex* mutex);
void anim_mutex_lock(anim_mutex* mutex);
void anim_mutex_unlock(anim_mutex* mutex);

anim_signal* anim_signal_create(void); // NULL: out of memory
void anim_signal_destroy(anim_signal* signal);
// Lets go of the mutex, which the caller holds, until it is woken; it may wake for no reason.
void anim_signal_wait(anim_signal* signal, anim_mutex* mutex);
void anim_signal_wake_all(anim_signal* signal);
