// SPDX-License-Identifier: MIT
// What each track needs: nothing (it is at rest), one value, or frames around a centre.
#include "pose/pack_encode.h"

#include <string.h>

static void rest_of(const anim_packing* p, const anim_track* t, double out[4])
{
    const anim_xform identity = ANIM_XFORM_IDENTITY;
    const anim_xform* rest = p->keys->additive ? &identity : &p->skeleton->rest_xforms[t->joint];
    const float* from = t->channel == ANIM_CHANNEL_TRANSLATION ? rest->t
                        : t->channel == ANIM_CHANNEL_ROTATION  ? rest->q
                                                               : rest->s;
    for (uint32_t i = 0; i < anim_channel_width((anim_channel)t->channel); i++)
        out[i] = (double)from[i];
}

static void normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

// --- rotations -------------------------------------------------------------------------------------

// Unit, each on the side of the one before.
static void sample_rotations(const anim_packing* p, const anim_track* t, uint32_t frames,
                             double* out)
{
    for (uint32_t f = 0; f < frames; f++, out += 4) {
        float q[4];
        anim_track_sample(p->keys, t, anim_packing_time(p, f), q);
        double dot = 0;
        for (int i = 0; i < 4; i++) {
            out[i] = (double)q[i];
            dot += f > 0 ? out[i] * out[i - 4] : 0;
        }
        normalize(out);
        for (int i = 0; i < 4 && dot < 0; i++)
            out[i] = -out[i];
    }
}

// Quarter vectors of conj(centre) q, the middle frame on the centre's side. Returns the smallest w.
static double quarters(const double* q, uint32_t frames, const double centre[4], double* u)
{
    const double inverse[4] = {-centre[0], -centre[1], -centre[2], centre[3]};
    double d[4], least = 1;
    anim_packing_multiply(inverse, q + 4 * (size_t)(frames / 2), d);
    double sign = d[3] < 0 ? -1 : 1;
    for (uint32_t f = 0; f < frames; f++) {
        anim_packing_multiply(inverse, q + 4 * (size_t)f, d);
        for (int i = 0; i < 4; i++)
            d[i] *= sign;
        least = fmin(least, d[3]);
        anim_packing_close(d, u + 3 * (size_t)f);
    }
    return least;
}

// Moves the centre to that of the box of the values. Returns half the diagonal of the box.
static double recentre(const double* u, uint32_t frames, double centre[4])
{
    double low[3] = {9, 9, 9}, high[3] = {-9, -9, -9}, middle[3], square = 0, turn[4];
    for (uint32_t f = 0; f < frames; f++, u += 3)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], u[i]);
            high[i] = fmax(high[i], u[i]);
        }
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * (low[i] + high[i]);
        square += (high[i] - low[i]) * (high[i] - low[i]) * 0.25;
    }
    anim_packing_open(middle, turn);
    anim_packing_multiply(centre, turn, centre);
    return sqrt(square);
}

static void first_centre(const double* q, uint32_t frames, double centre[4])
{
    double sum[4] = {0}, square = 0;
    for (uint32_t f = 0; f < frames; f++)
        for (int i = 0; i < 4; i++)
            sum[i] += q[4 * (size_t)f + i];
    for (int i = 0; i < 4; i++)
        square += sum[i] * sum[i];
    const double least = 1e-6;
    memcpy(centre, square > least ? sum : q + 4 * (size_t)(frames / 2), 4 * sizeof *centre);
    normalize(centre);
}

static void set_still_rotation(const anim_packing* p, anim_packing_track* t)
{
    const double far = 1200; // errors: beyond this reach sixteen bits show
    double u[3];
    t->fine = t->reach > far * p->error;
    double unit = (double)ANIM_PACK_STILL_UNIT / (t->fine ? 256 : 1);
    anim_packing_close(t->centre, u);
    for (int i = 0; i < 3; i++) {
        t->centre_code[i] = (int32_t)floor(u[i] / unit + 0.5);
        u[i] = t->centre_code[i] * unit;
    }
    anim_packing_open(u, t->centre);
}

static void set_centre_rotation(anim_packing_track* t)
{
    const double k = ANIM_PACK_CENTRE;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        t->centre_code[i] = (int32_t)floor(t->centre[i] / (1 + t->centre[3]) * k + 0.5);
        t->centre[i] = 2 * k * t->centre_code[i];
        square += (double)t->centre_code[i] * t->centre_code[i];
    }
    t->centre[3] = k * k - square;
    normalize(t->centre);
}

static void classify_rotation(const anim_packing* p, anim_packing_track* t, uint32_t frames,
                              double* q, double share)
{
    const double least_w = -0.9; // beyond, quarter vectors end; the fast form has none
    double half = 0, w = 1, rest[4], dot = 0;
    sample_rotations(p, t->source, frames, q);
    first_centre(q, frames, t->centre);
    for (int i = 0; i < 3; i++) {
        w = quarters(q, frames, t->centre, t->u);
        half = recentre(t->u, frames, t->centre);
    }
    normalize(t->centre);
    rest_of(p, t->source, rest);
    for (int i = 0; i < 4; i++)
        dot += rest[i] * t->centre[i];
    double turn = 2 * sqrt(fmax(0, 2 - 2 * fabs(dot))), bound = share * p->error;
    for (int i = 0; i < 4 && t->centre[3] < 0; i++)
        t->centre[i] = -t->centre[i];
    if ((4 * half + turn) * t->reach < bound) {
        t->kind = ANIM_PACK_AT_REST;
        memcpy(t->centre, rest, sizeof rest);
    } else if (4 * half * t->reach < bound) {
        t->kind = ANIM_PACK_STILL;
        set_still_rotation(p, t);
    } else if (w < least_w && p->form == ANIM_PACK_SMALL) {
        t->kind = ANIM_PACK_EXACT;
    } else {
        t->kind = ANIM_PACK_MOVING;
        set_centre_rotation(t);
        quarters(q, frames, t->centre, t->u);
    }
}

// --- translations and scales -----------------------------------------------------------------------

// Leaves the values themselves in u; the centre is their middle.
static void classify_vector(anim_packing* p, anim_packing_track* t, uint32_t frames, double share)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double rest[4], off = 0, range = 0, far = 0;
    rest_of(p, t->source, rest);
    for (uint32_t f = 0; f < frames; f++) {
        float v[4];
        anim_track_sample(p->keys, t->source, anim_packing_time(p, f), v);
        for (int i = 0; i < 3; i++) {
            double x = t->u[3 * (size_t)f + i] = (double)v[i];
            low[i] = fmin(low[i], x);
            high[i] = fmax(high[i], x);
        }
    }
    for (int i = 0; i < 3; i++) {
        range += (high[i] - low[i]) * (high[i] - low[i]);
        double most = fmax(fabs(high[i] - rest[i]), fabs(low[i] - rest[i]));
        off += most * most;
        far = fmax(far, most);
        t->centre[i] = 0.5 * (low[i] + high[i]);
    }
    bool is_scale = t->source->channel == ANIM_CHANNEL_SCALE;
    double bound = share * p->error;
    if (sqrt(off) * t->reach < bound) {
        t->kind = ANIM_PACK_AT_REST;
        memcpy(t->centre, rest, sizeof rest);
    } else if (0.5 * sqrt(range) * t->reach < bound) {
        t->kind = ANIM_PACK_STILL;
        for (int i = 0; i < 3; i++)
            t->centre[i] = (double)(float)t->centre[i];
    } else {
        const double most_unit = 1e11;
        t->kind = ANIM_PACK_MOVING;
        while (far > 32000 * p->unit[is_scale] && p->unit[is_scale] < most_unit)
            p->unit[is_scale] *= 2;
        if (far > 32000 * p->unit[is_scale])
            t->kind = ANIM_PACK_EXACT;
    }
}

static void set_centre_vector(const anim_packing* p, anim_packing_track* t)
{
    double rest[4], unit = p->unit[t->source->channel == ANIM_CHANNEL_SCALE];
    rest_of(p, t->source, rest);
    for (int i = 0; i < 3; i++) {
        t->centre_code[i] = (int32_t)floor((t->centre[i] - rest[i]) / unit + 0.5);
        t->centre[i] = rest[i] + t->centre_code[i] * unit;
        for (uint32_t f = 0; f < p->frames; f++)
            t->u[3 * (size_t)f + i] -= t->centre[i];
    }
}

// --- all ---------------------------------------------------------------------------------------------

// Steps that change nothing but the last digits are none.
static bool is_one_value(const anim_packing* p, const anim_track* t)
{
    const double noise = 0.02; // of the error
    uint32_t count = p->keys->times[t->times].count;
    size_t width = anim_channel_width((anim_channel)t->channel);
    for (uint32_t k = 1; k < count && t->interp == ANIM_INTERP_STEP; k++) {
        double square = 0;
        for (size_t i = 0; i < width; i++) {
            double d = (double)t->values[k * width + i] - (double)t->values[i];
            square += d * d;
        }
        if (!(2 * sqrt(square) * anim_packing_reach(p, t) < noise * p->error))
            return false;
    }
    return t->interp == ANIM_INTERP_STEP || count == 1;
}

bool anim_packing_classify(anim_packing* p, double share)
{
    double* q = anim_arena_alloc(p->arena, p->frames, 4 * sizeof *q);
    double* u = NULL; // for the next track; those that move keep theirs
    p->moving_count = 0;
    p->unit[0] = p->unit[1] = 1.0 / 4096;
    for (uint32_t i = 0; i < p->keys->track_count && q; i++) {
        const anim_track* source = &p->keys->tracks[i];
        anim_packing_track* t = &p->tracks[i];
        *t = (anim_packing_track){.source = source, .kind = ANIM_PACK_EXACT};
        t->reach = anim_packing_reach(p, source);
        bool one = is_one_value(p, source);
        if (p->kinds[i] == ANIM_PACK_EXACT || (source->interp == ANIM_INTERP_STEP && !one))
            continue;
        t->u = u ? u : anim_arena_alloc(p->arena, p->frames, 3 * sizeof *u);
        u = NULL;
        if (!t->u)
            return false;
        if (anim_packing_is_rotation(t))
            classify_rotation(p, t, one ? 1 : p->frames, q, share);
        else
            classify_vector(p, t, one ? 1 : p->frames, share);
        if (t->kind == ANIM_PACK_MOVING) {
            p->moving[p->moving_count++] = i;
        } else {
            u = t->u;
            t->u = NULL;
        }
    }
    for (uint32_t i = 0; i < p->moving_count; i++)
        if (!anim_packing_is_rotation(&p->tracks[p->moving[i]]))
            set_centre_vector(p, &p->tracks[p->moving[i]]);
    return q != NULL;
}
