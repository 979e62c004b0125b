// SPDX-License-Identifier: MIT
// Text to double, whatever the locale: strtod reads "0,5" in half of Europe and needs a NUL.
#pragma once

#include "base/config.h"

// Reads one number of C's notations that starts exactly at `at`: sign, "1", "1.", ".5", "1e-3",
// hexadecimal "0x1.8p3", "inf", "infinity", "nan" in any case. Correctly rounded; what is too large
// becomes an infinity, so a caller that wants finite numbers has one thing to check. Returns the
// first byte after the number, or NULL where none starts. Never reads at or past `end`.
const char* anim_number_parse(const char* at, const char* end, double* out);
