// SPDX-License-Identifier: MIT
// Inside the pose layer: the parts of the encoder of packed clips.
#pragma once

#include "pose/keys.h"
#include "pose/pack_format.h"
#include "pose/pack_model.h"

#include <math.h>

enum { ANIM_PACK_EXACT = 4 }; // a class besides those of the format: the track stays keys

// A track on the way to its packed form.
typedef struct anim_packing_track {
    const anim_track* source;
    uint8_t kind; // ANIM_PACK_AT_REST, ...
    bool fine;    // still rotations: eight more bits
    double reach; // metres in model space that a unit of its values moves things at most
    // Still, and the centre of what moves. A rotation or translation, and as it is stored.
    double centre[4];
    int32_t centre_code[3];
    // Moving.
    double* u;            // 3 a frame
    int32_t* codes;       // key or residual, 3 a slot
    uint8_t key_width[3]; // bits
    uint8_t* widths;      // of residuals: [segment][level][3]
    int step, least_step; // step codes
    double bits;          // of all frames
    double coded;         // numbers that cost a bit more where the step is halved
} anim_packing_track;

typedef struct anim_packing {
    anim_arena* arena;
    const anim_clip* clip;
    const anim_keys* keys;
    const anim_skeleton* skeleton;
    double error;
    anim_pack_form form;
    // Frames.
    uint32_t frames;
    double start, step;
    // Levels.
    uint32_t level, key_count, slots; // slots: frames up to the last key
    uint32_t segment_shift, segment_count;
    double unit[2];
    anim_packing_track* tracks; // one for each of keys->tracks
    uint32_t* moving;           // indices of tracks, in order of joints
    uint32_t moving_count;
    uint8_t* kinds; // of each track as the last attempts left them
    // Measuring.
    const double*
        lever_list; // metres: joint below from joint, [lever_first[j] + below - j]; or NULL
    const size_t* lever_first;
    double* reach; // per joint
    double* carry; // per joint: how much larger a move of it is in model space
    anim_pack_model model;
    const uint32_t* moments; // frames that the search looks at
    double* joint_errors;    // of the last comparison
    uint64_t budget;         // moments of joints that the search may still compute
    double* decoded;         // 3 a slot: of the track quantised last
} anim_packing;

static inline double anim_packing_time(const anim_packing* p, uint32_t frame)
{
    return p->start + p->step * frame;
}

static inline bool anim_packing_is_rotation(const anim_packing_track* t)
{
    return t->source->channel == ANIM_CHANNEL_ROTATION;
}

static inline void anim_packing_multiply(const double a[4], const double b[4], double out[4])
{
    double x = a[3] * b[0] + a[0] * b[3] + (a[1] * b[2] - a[2] * b[1]);
    double y = a[3] * b[1] - a[0] * b[2] + (a[1] * b[3] + a[2] * b[0]);
    double z = a[3] * b[2] + a[0] * b[1] + (a[2] * b[3] - a[1] * b[0]);
    double w = a[3] * b[3] - a[0] * b[0] - (a[1] * b[1] + a[2] * b[2]);
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

// Quarter vector u = axis sin(angle / 4) to quaternion and back (w > -1).
static inline void anim_packing_open(const double u[3], double q[4])
{
    double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    double w = square < 1 ? 2 * sqrt(1 - square) : 0;
    q[0] = u[0] * w, q[1] = u[1] * w, q[2] = u[2] * w, q[3] = 1 - 2 * square;
}

static inline void anim_packing_close(const double q[4], double u[3])
{
    double d = 2 * (1 + q[3]), scale = 1 / sqrt(d > 1e-9 ? d : 1e-9);
    u[0] = q[0] * scale, u[1] = q[1] * scale, u[2] = q[2] * scale;
}

// How far a point below (or at) a joint lies from it.
static inline double anim_packing_lever(const anim_packing* p, uint32_t joint, uint32_t below)
{
    return p->lever_list ? p->lever_list[p->lever_first[joint] + below - joint] : p->reach[joint];
}

// The farthest that a unit of a channel's values moves anything.
static inline double anim_packing_reach(const anim_packing* p, const anim_track* t)
{
    return t->channel == ANIM_CHANNEL_TRANSLATION ? p->carry[t->joint] : p->reach[t->joint];
}

// Reach, carry and levers. pose/pack_reach.c. False: out of memory, here and below.
bool anim_packing_measure(anim_packing* p);
double anim_packing_duration(const anim_packing* p,
                             double* start); // from the first to the last key
// Chooses frames (`rate` a second; 0: by the keys), each in so many parts. What they can't follow becomes
// ANIM_PACK_EXACT; then the result is false. pose/pack_grid.c.
bool anim_packing_choose_frames(anim_packing* p, double rate, uint32_t parts);

// Values, centres, and what is at rest or still within `share` of the error. pose/pack_classify.c.
bool anim_packing_classify(anim_packing* p, double share);

// Sets levels, and segments of 2^shift frames. pose/pack_quantize.c.
bool anim_packing_set_level(anim_packing* p, uint32_t level);
void anim_packing_set_segments(anim_packing* p, uint32_t shift);
void anim_packing_quantize(anim_packing* p, anim_packing_track* t);
bool anim_packing_fits(const anim_packing* p); // no record is too wide for the format
double anim_packing_bits(const anim_packing* p);
void anim_packing_choose_segments(anim_packing* p);
int anim_packing_step_code(double step); // the largest code of a step at most this large

// Chooses the steps. pose/pack_search.c.
bool anim_packing_search(anim_packing* p);
// A step finer for all that moves a joint whose error is over the bound. False: nothing can be.
bool anim_packing_refine(anim_packing* p, const double* errors);

// The part of the fast form, from byte *size on, zeros before; without `bytes` it only adds to *size.
// pose/pack_write_fast.c.
bool anim_packing_put_fast(const anim_packing* p, unsigned char* bytes, size_t* size);

// The block of pose/pack_format.h; memory of anim_mem_alloc. pose/pack_write.c.
anim_code anim_packing_write(const anim_packing* p, void** bytes, size_t* size, anim_error* err);
