// SPDX-License-Identifier: MIT
// The public C API: what an engine needs to use the core without Lua. For C11, and for C++11 and later as
// gcc and clang take it.
#pragma once

#define ANIM_HOST 1 // who includes this is not the core

#if defined(__cplusplus)
#include <cstdbool>
#include <cstddef>
#include <cstdint>
#include <math.h> // before extern "C", which is no place for it
extern "C" {
#endif

#include "base/error.h"
#include "base/jobs.h"
#include "base/mem.h"
#include "graph/crowd.h"
#include "import/import.h"
#include "import/loader.h"
#include "pose/clip.h"
#include "pose/clip_edit.h"
#include "pose/mask.h"
#include "pose/pack.h"
#include "pose/pose.h"
#include "pose/skeleton.h"
#include "pose/skin.h"

#if defined(__cplusplus)
}
#endif
