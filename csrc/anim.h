// SPDX-License-Identifier: MIT
// The public C API: what an engine needs to use the core without Lua.
#pragma once

#include "base/error.h"
#include "base/jobs.h"
#include "base/mem.h"
#include "graph/crowd.h"
#include "import/import.h"
#include "pose/clip.h"
#include "pose/clip_edit.h"
#include "pose/mask.h"
#include "pose/pack.h"
#include "pose/pose.h"
#include "pose/skeleton.h"
#include "pose/skin.h"
