// SPDX-License-Identifier: MIT
#include "math/trig.h"

#include "math/range.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double pi = 3.1415926535897932;
static const double half_pi = 1.5707963267948966;

// ---- sine and cosine

// 2 / pi as a binary fraction, after 64 zeros for the windows that begin before its first bit.
static const uint64_t two_over_pi[] = {0, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u,
                                       0xdb6295993c439041u, 0xfe5163abdebbc561u};

static uint64_t window(unsigned bit)
{
    const uint64_t* word = &two_over_pi[bit / 64];
    unsigned shift = bit % 64;
    return shift ? word[0] << shift | word[1] >> (64 - shift) : word[0];
}

// x = quadrant * pi/2 + rest for |x| >= 2^20 (M. Payne, R. Hanek 1983). x is m * 2^s with an integer m,
// so bits of 2/pi that stand for multiples of 4 quadrants, once multiplied by 2^s, don't matter, nor
// those far behind the point: 96 bits are enough.
static int reduce_large(float x, double* rest)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t m = (bits & 0x7fffff) | 0x800000;
    unsigned start = 64 + (bits >> 23 & 0xff) - 152;
    uint64_t turn = m * window(start) +
                    (m * (window(start + 64) >> 32) >> 32); // of 2^64, modulo it
    uint64_t quadrant = (turn + (UINT64_C(1) << 61)) >> 62;
    *rest = (double)(int64_t)(turn - (quadrant << 62)) * 0x1.921fb54442d18p-62; // pi/2 / 2^62
    if (x > 0)
        return (int)quadrant;
    *rest = -*rest;
    return -(int)quadrant;
}

// The first part of pi/2 has 33 bits, so that its products with 20-bit integers are exact (W. Cody,
// W. Waite 1980).
static int reduce(float x, double* rest)
{
    if (!(fabsf(x) < 0x1p20f))
        return reduce_large(x, rest);
    int quadrant = (int)(x * 0.63661977236758138 + (x < 0 ? -0.5 : 0.5));
    *rest = (x - quadrant * 1.5707963267341256) - quadrant * 6.0771005065061922e-11;
    return quadrant;
}

// Taylor series for |x| <= pi/4, errors below 3e-14.
static double sine(double x)
{
    double z = x * x;
    double p = 1.0 / 6227020800;
    p = p * z - 1.0 / 39916800;
    p = p * z + 1.0 / 362880;
    p = p * z - 1.0 / 5040;
    p = p * z + 1.0 / 120;
    p = p * z - 1.0 / 6;
    return x * (p * z + 1);
}

static double cosine(double x)
{
    double z = x * x;
    double p = -1.0 / 87178291200;
    p = p * z + 1.0 / 479001600;
    p = p * z - 1.0 / 3628800;
    p = p * z + 1.0 / 40320;
    p = p * z - 1.0 / 720;
    p = p * z + 1.0 / 24;
    p = p * z - 1.0 / 2;
    return p * z + 1;
}

// Sine of quadrant * pi/2 + rest.
static float turned_sine(int quadrant, double rest)
{
    double value = quadrant & 1 ? cosine(rest) : sine(rest);
    return (float)(quadrant & 2 ? -value : value);
}

float anim_sin(float x)
{
    double rest;
    int quadrant = reduce(x, &rest);
    return turned_sine(quadrant, rest);
}

float anim_cos(float x)
{
    double rest;
    int quadrant = reduce(x, &rest);
    return turned_sine(quadrant + 1, rest);
}

void anim_sincos(float x, float* sine_out, float* cosine_out)
{
    double rest;
    int quadrant = reduce(x, &rest);
    *sine_out = turned_sine(quadrant, rest);
    *cosine_out = turned_sine(quadrant + 1, rest);
}

// ---- arcs

// Taylor series for |t| <= 1/8, error below 3e-17.
static double short_arc(double t)
{
    double z = t * t;
    double p = -1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z - 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z - 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z - 1.0 / 3;
    return t + t * (p * z);
}

// With q the nearest quarter: atan(t) = atan(q) + atan((t - q) / (1 + q t)).
double anim_atan2_d(double y, double x)
{
    static const double arc_of_quarter[] = {0, 0.24497866312686415, 0.46364760900080612,
                                            0.64350110879328439, 0.78539816339744831};
    double width = fabs(x), height = fabs(y);
    double large = width > height ? width : height;
    double small = width > height ? height : width;
    double angle = 0;
    if (large > 0) {
        int quarter = (int)(small / large * 4 + 0.5);
        double q = quarter * 0.25;
        angle = arc_of_quarter[quarter] + short_arc((small - q * large) / (large + q * small));
    }
    if (height > width)
        angle = half_pi - angle;
    if (signbit(x))
        angle = pi - angle;
    return copysign(angle, y);
}

float anim_atan2(float y, float x)
{
    return (float)anim_atan2_d(y, x);
}

// The tangent of half the angle keeps small angles exact.
float anim_acos(float x)
{
    double c = anim_clamp(x, -1, 1);
    return (float)(2 * anim_atan2_d(sqrt(1 - c), sqrt(1 + c)));
}

// ---- powers

// 2^k for a normal result.
static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// x = k ln 2 + r, Taylor series of e^r for |r| <= ln 2 / 2, error below 5e-18. ln 2 is split so that k
// times its first part is exact; 2^k is multiplied in two steps since it may lie outside the doubles.
double anim_exp_d(double x)
{
    if (!(x < 709.782712893384))
        return DBL_MAX;
    if (x < -745.2)
        return 0;
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * 0.69314718036912382) - k * 1.9082149292705877e-10;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 1.0 / 2;
    return (1 + (r + r * r * p)) * power_of_two(k / 2) * power_of_two(k - k / 2);
}

// Natural logarithm of a normal double: x = m 2^k, log m = 2 artanh((m - 1) / (m + 1)) with m from
// sqrt(1/2) to sqrt(2), error below 5e-17 of the result.
static double logarithm(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | UINT64_C(1023) << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k++;
    }
    double s = (m - 1) / (m + 1), z = s * s;
    double p = 1.0 / 19;
    p = p * z + 1.0 / 17;
    p = p * z + 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    return k * 0.69314718055994531 + 2 * (s + s * (p * z));
}

static float to_float(double x)
{
    return x < FLT_MAX ? (float)x : FLT_MAX;
}

float anim_exp(float x)
{
    return to_float(anim_exp_d(x));
}

float anim_pow(float x, float y)
{
    if (y == 0)
        return 1;
    if (!(x > 0))
        return y > 0 ? 0 : FLT_MAX;
    return to_float(anim_exp_d(y * logarithm(x)));
}
