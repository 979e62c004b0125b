// SPDX-License-Identifier: MIT
#define ANIM_WIDTH 4
#include "pose/kernel_blend.h"
#include "pose/kernel_model.h"

const anim_kernels anim_kernels_baseline = ANIM_KERNELS;
