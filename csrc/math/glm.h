// SPDX-License-Identifier: MIT
// cglm without its SIMD back ends, which round differently on different machines: the scalar forms
// give the same bits everywhere. Include this, never <cglm/...> itself.
#pragma once

#include "base/config.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#pragma push_macro("__SSE__")
#pragma push_macro("__SSE2__")
#pragma push_macro("__SSE3__")
#pragma push_macro("__SSE4_1__")
#pragma push_macro("__SSE4_2__")
#pragma push_macro("__AVX__")
#pragma push_macro("__FMA__")
#pragma push_macro("__ARM_NEON")
#pragma push_macro("__ARM_NEON__")
#pragma push_macro("__wasm__")
#pragma push_macro("__wasm_simd128__")
#pragma push_macro("_M_ARM64")
#undef __SSE__
#undef __SSE2__
#undef __SSE3__
#undef __SSE4_1__
#undef __SSE4_2__
#undef __AVX__
#undef __FMA__
#undef __ARM_NEON
#undef __ARM_NEON__
#undef __wasm__
#undef __wasm_simd128__
#undef _M_ARM64
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#define CGLM_ALL_UNALIGNED // a versor may lie anywhere
#include <cglm/affine.h>
#include <cglm/euler.h>
#include <cglm/mat3.h>
#include <cglm/mat4.h>
#include <cglm/quat.h>
#include <cglm/vec3.h>
#include <cglm/vec4.h>

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma pop_macro("__SSE__")
#pragma pop_macro("__SSE2__")
#pragma pop_macro("__SSE3__")
#pragma pop_macro("__SSE4_1__")
#pragma pop_macro("__SSE4_2__")
#pragma pop_macro("__AVX__")
#pragma pop_macro("__FMA__")
#pragma pop_macro("__ARM_NEON")
#pragma pop_macro("__ARM_NEON__")
#pragma pop_macro("__wasm__")
#pragma pop_macro("__wasm_simd128__")
#pragma pop_macro("_M_ARM64")
#endif
