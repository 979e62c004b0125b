// SPDX-License-Identifier: MIT
#include "import/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Digits past most_digits can only break a tie, so one bit for all of them ("sticky") is enough.
enum { most_digits = 800, most_limbs = 128, most_small = 19 };

static const int64_t most_exponent = 10000000000; // sums of exponents stay far from overflow

// --- rounding ------------------------------------------------------------------------------------

// top * 2^exponent to the nearest double, ties to even; `sticky`: the value is a little above.
static double round_binary(uint64_t top, bool sticky, int64_t exponent)
{
    if (top == 0)
        return 0;
    for (; !(top >> 63); exponent--)
        top <<= 1;
    if (exponent > DBL_MAX_EXP)
        return HUGE_VAL;
    // No bit of a double is worth less than 2^-1074: small numbers keep fewer than 53.
    int64_t drop = exponent + 11 < -1074 ? -1074 - exponent : 11;
    if (drop > 64)
        return 0;
    uint64_t kept = drop < 64 ? top >> drop : 0;
    uint64_t half = (uint64_t)1 << (drop - 1);
    uint64_t rest = top & (half | (half - 1));
    if (rest > half || (rest == half && (sticky || (kept & 1))))
        kept++;
    return ldexp((double)kept, (int)(exponent + drop));
}

// --- whole numbers of any length -----------------------------------------------------------------

typedef struct big {
    int count;
    uint32_t limb[most_limbs]; // least first, the last is not 0
} big;

static void big_mul_add(big* b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->count++] = (uint32_t)carry;
}

static uint32_t big_div(big* b, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = b->count; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (b->count > 0 && b->limb[b->count - 1] == 0)
        b->count--;
    return (uint32_t)rest;
}

static void big_shift(big* b, int limbs)
{
    memmove(b->limb + limbs, b->limb, (size_t)b->count * sizeof *b->limb);
    memset(b->limb, 0, (size_t)limbs * sizeof *b->limb);
    b->count += limbs;
}

// b * 2^exponent; `b` is not 0.
static double big_round(big* b, bool sticky, int64_t exponent)
{
    if (b->count < 3) {
        exponent -= 32 * (3 - b->count);
        big_shift(b, 3 - b->count);
    }
    const uint32_t* last = b->limb + b->count - 3;
    uint64_t top = (uint64_t)last[2] << 32 | last[1];
    uint64_t below = (uint64_t)last[0] << 32;
    int shift = 0;
    while (!(top << shift >> 63))
        shift++;
    if (shift > 0)
        top = top << shift | below >> (64 - shift);
    sticky = sticky || below << shift != 0;
    for (int i = 0; i < b->count - 3; i++)
        sticky = sticky || b->limb[i] != 0;
    return round_binary(top, sticky, exponent + 32 * (b->count - 2) - shift);
}

// --- decimal -------------------------------------------------------------------------------------

// What the text says: the digits between `first` and `last` (a point may stand among them) as one
// whole number, times 10^exponent. Zeros in front are left out.
typedef struct decimal {
    const char *first, *last;
    int64_t digits; // how many
    int64_t exponent;
    uint64_t small; // their value where there are at most most_small
} decimal;

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// At `at`: e or E, a sign perhaps, digits. Returns the end, or `at` where it is no exponent.
static const char* scan_exponent(const char* at, const char* end, int64_t* exponent)
{
    const char* c = at + 1;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    if (c >= end || !is_digit(*c))
        return at;
    int64_t value = 0;
    for (; c < end && is_digit(*c); c++)
        if (value < most_exponent)
            value = value * 10 + (*c - '0');
    *exponent += negative ? -value : value;
    return c;
}

static const char* scan_decimal(const char* at, const char* end, decimal* d)
{
    const char *c = at, *point = NULL;
    bool any = false;
    *d = (decimal){NULL, NULL, 0, 0, 0};
    for (; c < end; c++) {
        if (*c == '.' && !point) {
            point = c;
            continue;
        }
        if (!is_digit(*c))
            break;
        any = true;
        d->exponent -= point != NULL;
        if (d->digits == 0 && *c == '0')
            continue;
        if (d->digits++ == 0)
            d->first = c;
        if (d->digits <= most_small)
            d->small = d->small * 10 + (uint64_t)(*c - '0');
    }
    d->last = c;
    if (!any)
        return NULL;
    if (c < end && (*c == 'e' || *c == 'E'))
        c = scan_exponent(c, end, &d->exponent);
    return c;
}

// The digits as a whole number; those past most_digits go to `sticky` and the exponent.
static void read_digits(decimal* d, big* b, bool* sticky)
{
    b->count = 0;
    uint32_t chunk = 0, scale = 1;
    int64_t taken = 0;
    for (const char* c = d->first; c < d->last; c++) {
        if (*c == '.')
            continue;
        if (taken == most_digits) {
            *sticky = *sticky || *c != '0';
            continue;
        }
        taken++;
        chunk = chunk * 10 + (uint32_t)(*c - '0');
        scale *= 10;
        if (scale == 1000000000) {
            big_mul_add(b, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    big_mul_add(b, scale, chunk);
    d->exponent += d->digits - taken;
    d->digits = taken;
}

static double decimal_exact(decimal* d)
{
    enum { power = 13 };                         // 5^13 is the largest that fits a limb
    int64_t magnitude = d->digits + d->exponent; // below 10^magnitude, at least a tenth of it
    if (magnitude > 309)
        return HUGE_VAL;
    if (magnitude < -323)
        return 0;
    big b;
    bool sticky = false;
    read_digits(d, &b, &sticky);
    int steps = (int)(d->exponent < 0 ? -d->exponent : d->exponent);
    int64_t exponent = d->exponent; // 10^n = 5^n 2^n
    if (d->exponent < 0) {
        // 5^n has at most 2.33 n bits; 66 more leave a quotient that fills 64.
        int limbs = (steps * 233 / 100 + 66) / 32 + 2 - b.count;
        if (limbs > 0) {
            big_shift(&b, limbs);
            exponent -= 32 * (int64_t)limbs;
        }
    }
    for (int n; steps > 0; steps -= n) {
        n = steps < power ? steps : power;
        uint32_t five = 1;
        for (int i = 0; i < n; i++)
            five *= 5;
        if (d->exponent > 0)
            big_mul_add(&b, five, 0);
        else
            sticky = big_div(&b, five) != 0 || sticky;
    }
    return big_round(&b, sticky, exponent);
}

static double decimal_value(decimal* d)
{
    if (d->digits == 0)
        return 0;
#if FLT_EVAL_METHOD == 0 // where doubles are not computed wider, which would round twice
    static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    // Both factors are exact, so one operation rounds correctly (Clinger 1990).
    if (d->digits <= 15 && d->exponent <= 22 && d->exponent >= -22)
        return d->exponent < 0 ? (double)d->small / ten_to[-d->exponent]
                               : (double)d->small * ten_to[d->exponent];
#endif
    return decimal_exact(d);
}

// --- the other notations -------------------------------------------------------------------------

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// After "0x". NULL where no digit follows: then the number is the 0 before the x.
static const char* scan_hex(const char* at, const char* end, double* out)
{
    const char *c = at, *point = NULL;
    bool any = false, sticky = false;
    uint64_t top = 0;
    int64_t exponent = 0, binary = 0;
    for (; c < end; c++) {
        if (*c == '.' && !point) {
            point = c;
            continue;
        }
        int digit = hex_digit(*c);
        if (digit < 0)
            break;
        any = true;
        exponent -= point ? 4 : 0;
        if (top >> 60) {
            sticky = sticky || digit != 0;
            exponent += 4;
        } else {
            top = top << 4 | (uint64_t)digit;
        }
    }
    if (!any)
        return NULL;
    if (c < end && (*c == 'p' || *c == 'P'))
        c = scan_exponent(c, end, &binary);
    *out = round_binary(top, sticky, exponent + binary);
    return c;
}

static bool starts_with(const char* at, const char* end, const char* word)
{
    for (; *word; word++, at++)
        if (at >= end || (*at | 0x20) != *word)
            return false;
    return true;
}

static const char* scan_word(const char* at, const char* end, double* out)
{
    *out = HUGE_VAL;
    if (starts_with(at, end, "infinity"))
        return at + 8;
    if (starts_with(at, end, "inf"))
        return at + 3;
    *out = NAN;
    return starts_with(at, end, "nan") ? at + 3 : NULL;
}

const char* anim_number_parse(const char* at, const char* end, double* out)
{
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char* after = NULL;
    double value = 0;
    if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
        after = scan_hex(at + 2, end, &value);
    if (!after) {
        decimal d;
        after = scan_decimal(at, end, &d);
        value = after ? decimal_value(&d) : 0;
    }
    if (!after)
        after = scan_word(at, end, &value);
    if (after)
        *out = negative ? -value : value;
    return after;
}
