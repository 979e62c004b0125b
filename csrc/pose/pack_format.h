// SPDX-License-Identifier: MIT
// Inside the pose layer: how packed tracks lie in memory and in .anim files.
//
// Little-endian; each part begins at a multiple of its numbers' size, gaps are zero. Nothing in it is
// an offset: all places follow from counts and widths, so there is none to be wrong.
//
//   header    anim_pack_header
//   classes   per channel: 2 bits a joint, the first joint lowest: unkeyed, at rest, still, moving
//   still     rotations: i16 x[], y[], z[]; a bit each for "fine"; u8 of the fine ones x[], y[], z[]
//             (u = x + fine / 256 units of ANIM_PACK_STILL_UNIT); then f32 translation[][3], scale[][3]
// Of each channel the tracks are in the order of a pose (pose/pairs.h), which the skeleton alone decides.
// Small form, tracks in lanes: rotations padded to whole groups of eight, then translations, scales:
//   tracks    u8 step code[], i16 centre x[], y[], z[] (not padded)
//   widths    of keys: per group u32 x, y, z: a nibble a lane; 0, or width - base width
//   keys      a record every 2^level frames, the last one at or past the last frame
//   segments  of 2^segment_shift frames (31: one segment): widths of residuals per group u32 x, y, z
//             for each level, nibbles that are the width; then the records of level 1, those of level 2
// A record has x, y, z of all lanes as two's complement of these widths, lowest bit first, and ends at
// a whole byte. Fast form, tracks in the groups of the pose (no still part: it is in the tables):
//   tables    per channel (rotation, translation, scale) and group that has still or moving joints:
//             f32 bias[4 or 3][8], where one is moving f32 scale[4 or 3][8]
//   frames    at multiples of 64 bytes, each: i16 [4 or 3][8] of each group with moving joints (rotations
//             in the order x, z, y, w)
//
// A rotation is ref * d(u): ref by its modified Rodrigues parameters centre / 32767, d(u) = (2 u
// sqrt(1 - |u|^2), 1 - 2 |u|^2), so u = axis sin(angle / 4). Translation and scale are rest (0 and 1 in
// additive clips) + centre * unit + u. u = step * x, the frames x from keys and residuals:
//   middle of two keys a, b: m = (a + b) / 2 + r1;  middle of a key and m: (a + m) / 2 + r1 / 4 + r2.
// In the fast form a value is bias + scale * i; rotations keep to one side from frame to frame, so frames
// are mixed as numbers and then normalised.
#pragma once

#include "base/layout.h"
#include "pose/pack.h"

#include <string.h>

#define ANIM_PACK_CENTRE 32767
#define ANIM_PACK_STILL_UNIT (0.7072f / 32767.0f)

enum {
    ANIM_PACK_UNKEYED,
    ANIM_PACK_AT_REST,
    ANIM_PACK_STILL,
    ANIM_PACK_MOVING,
    ANIM_PACK_ONE_SEGMENT = 31,
    ANIM_PACK_MOST_LEVEL = 2,
    ANIM_PACK_MOST_BASE = 5, // of key widths: 20 bits at most
    ANIM_PACK_TABLE = 8 * ANIM_LANES,
    ANIM_PACK_MOST_BITS = 57, // of one lane in a record: one 64-bit load holds them
    // Of four lanes in a record, where one load of 16 bytes is to hold them, from whatever bit on.
    ANIM_PACK_MOST_NARROW = 121,
    ANIM_PACK_PADDING = 32 // readable bytes behind the block
};

typedef struct anim_pack_header {
    uint32_t size; // of all parts
    uint8_t form, level, segment_shift, base_width;
    uint32_t frames;
    float unit[2];      // of centres: translation, scale
    uint32_t reserved;  // 0
    double start, step; // frame i is at start + i * step seconds
    double last_key;    // of the source: time of its last key
} anim_pack_header;

_Static_assert(sizeof(anim_pack_header) == 48, "stored as it lies in memory");

// The tracks of one channel.
typedef struct anim_pack_stream {
    uint32_t moving, still;
    uint32_t lane;  // first lane, a multiple of eight
    uint32_t track; // first place in codes and centres
} anim_pack_stream;

typedef struct anim_pack_segment {
    const uint32_t* widths;
    const unsigned char* records[ANIM_PACK_MOST_LEVEL];
    uint32_t strides[ANIM_PACK_MOST_LEVEL];
} anim_pack_segment;

// Eight joints of one channel in the fast form.
typedef struct anim_pack_group {
    _Alignas(32) int32_t mask[ANIM_LANES]; // all ones where the joint is still or moving
    uint32_t group;                        // of the pose
    uint32_t at;                           // bytes from a frame's start to its numbers
    const float* bias;
    const float* scale; // NULL: none moves
    // ANIM_PACK_TABLE numbers for pose/pack_fast_kernel.h: scale, bias.
    const float* table;
} anim_pack_group;

// What there is for each of 64 groups of a pose.
typedef struct anim_pack_bits {
    // Rotations, whose frames follow each other so closely that a short series gives unit length.
    uint64_t smooth;
    // Rotations near their rest pose: no two of such groups are in opposite hemispheres.
    uint64_t near;
    uint64_t moving;                     // rotations, of at least one joint
    uint64_t turned, translated, scaled; // those that have keys at all
} anim_pack_bits;

// Rows of eight lanes: those of the skeleton's rest pose (additive: of the identity), or of the pack where some lane
// stands still.
typedef struct anim_pack_base {
    const float *t, *q, *s;
} anim_pack_base;

struct anim_pack {
    anim_pack_header head;
    const anim_skeleton* skeleton; // of the keys that hold this
    bool additive;
    const unsigned char* bytes; // ANIM_PACK_PADDING readable ones follow
    double end, rate;
    anim_pack_stream streams[3]; // by anim_channel
    const unsigned char* classes;
    uint32_t class_stride;       // bytes a channel
    const uint16_t* still_slots; // rotations, translations, scales
    const int16_t* still_rotations;
    const unsigned char *still_fine, *still_low;
    const float* still_values; // translations, scales
    uint32_t fine_count;
    // Small form.
    const uint16_t* lane_slots;
    uint32_t group_count, track_count;
    const unsigned char* codes;
    const int16_t* centres;
    const uint32_t* key_widths;
    const unsigned char* keys;
    uint32_t key_stride, key_count;
    const anim_pack_segment* segments;
    uint32_t segment_count;
    const anim_pack_base* base;             // by group of the pose
    const struct anim_pack_recipe* recipes; // by group of lanes, as are the next; pose/pack_small.h
    const struct anim_pack_turns* turns;
    const struct anim_pack_shifts* shifts; // translations, scales
    const struct anim_pack_put* puts;
    // Fast form.
    const anim_pack_group* groups;        // rotations, translations, scales
    uint32_t counts[3];                   // of them, by anim_channel
    const anim_pack_group* const* places; // by channel and group of the pose; NULL: all at rest
    const anim_pack_bits* bits;           // one for each 64 groups of the pose
    const unsigned char* frames;
    uint32_t frame_stride;
};

// The channels in the order in which they are stored.
static const uint8_t anim_pack_order[3] = {ANIM_CHANNEL_ROTATION, ANIM_CHANNEL_TRANSLATION,
                                           ANIM_CHANNEL_SCALE};

// The fast form's part of anim_pack_open: all from byte `from` on. Groups go to `groups` unless that is
// NULL. False: something is wrong. pose/pack_fast.c.
bool anim_pack_open_fast(struct anim_pack* pack, const unsigned char* bytes, size_t from,
                         size_t size, anim_pack_group* groups);

// Then, what is made once so that samples need not: takes room for it and, where there is a block, fills it and sets
// `pack`, which is as `measured`. Groups get their tables. pose/pack_fast.c, pose/pack_ready.c.
void anim_pack_prepare_fast(const struct anim_pack* measured, anim_layout* layout,
                            struct anim_pack* pack, anim_pack_group* groups);
void anim_pack_prepare_small(const struct anim_pack* measured, anim_layout* layout,
                             struct anim_pack* pack);

// What lies at `bytes` (aligned to 8), checked and copied into the layout; run it twice, as layouts are.
// `pack` stays NULL while measuring. ANIM_ERR_FORMAT where it is not what it should be.
anim_code anim_pack_open(const void* bytes, size_t size, const anim_skeleton* skeleton,
                         bool additive, anim_layout* layout, struct anim_pack** pack,
                         anim_error* err);

// Fast form: groups that have keys, in all channels.
static inline size_t anim_pack_keyed_groups(const struct anim_pack* pack)
{
    return pack->counts[0] + (size_t)pack->counts[1] + pack->counts[2];
}

static inline uint32_t anim_pack_rows(uint32_t channel)
{
    return channel == ANIM_CHANNEL_ROTATION ? 4 : 3;
}

// Where the numbers of component `r` lie in a frame of the fast form.
static inline uint32_t anim_pack_row(uint32_t rows, uint32_t r)
{
    return rows == 4 && (r == 1 || r == 2) ? 3 - r : r;
}

static inline uint32_t anim_pack_class(const struct anim_pack* pack, uint32_t channel,
                                       uint32_t joint)
{
    return pack->classes[channel * pack->class_stride + joint / 4] >> (joint % 4 * 2) & 3;
}

// The same of a slot of a pose, which may be no joint's.
static inline uint32_t anim_pack_class_at(const struct anim_pack* pack, uint32_t channel,
                                          uint32_t slot)
{
    uint32_t joint = pack->skeleton->joints[slot];
    return joint != ANIM_NO_JOINT ? anim_pack_class(pack, channel, joint) : ANIM_PACK_UNKEYED;
}

// The width of a lane's field in a record.
static inline uint32_t anim_pack_width(uint32_t nibbles, uint32_t lane, uint32_t base)
{
    uint32_t width = nibbles >> 4 * lane & 15;
    return width ? width + base : 0;
}

// Of `count` tracks, in the eight lanes whose first is track `from`.
static inline uint32_t anim_pack_lanes_left(uint32_t count, uint32_t from)
{
    return count - from < ANIM_LANES ? count - from : ANIM_LANES;
}

// Eight steps an octave, from 2^-30.
static inline float anim_pack_step(uint32_t code)
{
    uint32_t bits = (code << 20) + (97u << 23);
    float step;
    memcpy(&step, &bits, sizeof step);
    return step;
}

// Frames at or before a time: `frame` (at most the last but one) and how far to the next, 0 to 1.
typedef struct anim_pack_place {
    uint32_t frame;
    float u;
} anim_pack_place;

static inline anim_pack_place anim_pack_find(const struct anim_pack* pack, double time)
{
    uint32_t last = pack->head.frames - 1;
    if (last == 0 || !(time > pack->head.start))
        return (anim_pack_place){0, 0};
    if (time >= pack->end)
        return (anim_pack_place){last - 1, 1};
    double x = (time - pack->head.start) * pack->rate;
    uint32_t frame = (uint32_t)(int64_t)x;
    frame = frame < last ? frame : last - 1;
    float u = (float)(x - frame);
    return (anim_pack_place){frame, u < 1 ? u : 1};
}

// Between two unit quaternions a and b the arc is followed evenly by a + v (b - a), normalised, with
//   v = u + y (k0 + y (k1 + y (k2 + y k3))),  y = |b - a|^2 / 4:
// the series in y of v = 1/2 + tan(s f) / (2 tan(f / 2)), s = u - 1/2, f the angle between a and b. Off by
// 2e-8 rad for a turn of 60 degrees, 2e-6 for 90 degrees.
static inline void anim_pack_arc(float u, float k[4])
{
    float n = 2 * u - 1, m = n * n, c = 2 * n * (u * (1 - u)); // n (1 - n^2) / 2
    k[0] = c * (-1.0f / 3);
    k[1] = c * (-2.0f / 15) * (1 + m);
    k[2] = c * (-1.0f / 315) * (24 + m * (31 + m * 17));
    k[3] = c * (-1.0f / 2835) * (144 + m * (206 + m * (164 + m * 62)));
}

// The pose of a time; joints without keys are at rest (additive: at the identity). pose/pack_decode.c.
// Where `keep` is set they are as in `out`, and `out` holds what keyed tracks have that do not move: the rest pose
// of the pack's skeleton, or `base` of a pack of the small form.
void anim_pack_sample(const struct anim_pack* pack, double time, bool keep, anim_pose_group* out);

// A pack of the fast form in a mix.
typedef struct anim_pack_term {
    const struct anim_pack* pack;
    double time;
    float weight;
} anim_pack_term;

// The weighted sum (semantics 4) of packs of one skeleton, from 1 to ANIM_MOST_TERMS, the heaviest first; the
// weights sum to 1. Joints without keys are at rest (additive: at the identity), or as in `rest` where that is not
// NULL; it may be `out`. Groups whose `wanted` is 0 are left as they are (NULL: all are made).
// pose/pack_decode.c.
void anim_pack_mix(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                   uint32_t group_count, const uint8_t* wanted, anim_pose_group* out);

// The same by no instruction of any machine in particular. pose/pack_decode_scalar.c.
void anim_pack_sample_scalar(const struct anim_pack* pack, double time, bool keep,
                             anim_pose_group* out);
void anim_pack_mix_scalar(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                          uint32_t group_count, const uint8_t* wanted, anim_pose_group* out);

// The same by instructions that not every machine has. pose/pack_decode_avx2.c.
void anim_pack_sample_avx2(const struct anim_pack* pack, double time, bool keep,
                           anim_pose_group* out);
void anim_pack_mix_avx2(const anim_pack_term* terms, uint32_t count, const anim_pose_group* rest,
                        uint32_t group_count, const uint8_t* wanted, anim_pose_group* out);
