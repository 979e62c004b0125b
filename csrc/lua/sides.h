// SPDX-License-Identifier: MIT
// Left and right in names: "arm.L", "LeftArm", "Bip01 R Hand".
#pragma once

#include "base/arena.h"

// The name of the other side: each word "left", "right", "L" or "R" (any case, kept) is exchanged.
// Words end at what is no letter and where a capital begins the next. NULL in `out`: `name` has no
// side. False: out of memory.
bool luax_other_side(anim_arena* arena, const char* name, const char** out);
