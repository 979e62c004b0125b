// SPDX-License-Identifier: MIT
// Reference counts of assets: shared by characters, scripts and threads.
#pragma once

#include "base/config.h"

#if defined(__cplusplus)

typedef int anim_ref; // of the same size; only the core counts

#else

#include <stdatomic.h>

typedef atomic_int anim_ref;

static inline void anim_ref_init(anim_ref* ref)
{
    atomic_init(ref, 1);
}

static inline void anim_ref_retain(anim_ref* ref)
{
    atomic_fetch_add_explicit(ref, 1, memory_order_relaxed);
}

static inline bool anim_ref_is_shared(anim_ref* ref)
{
    return atomic_load_explicit(ref, memory_order_acquire) > 1;
}

// True when the last reference is gone and the object is the caller's to destroy.
static inline bool anim_ref_drop(anim_ref* ref)
{
    return atomic_fetch_sub_explicit(ref, 1, memory_order_acq_rel) == 1;
}

#endif
