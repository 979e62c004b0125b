// SPDX-License-Identifier: MIT
// The .anim file, version 3: what archive_write.c writes and archive_read.c checks and loads.
//
// Little-endian. Numbers and arrays stand at multiples of their size, counted from the start of the
// file; the gaps are zero. Arrays lie as the assets hold them, so loading is copying.
//
//   file      "ANIM", u32 version, u64 size of the file, u64 hash of all that follows,
//             u32 joints, u32 clips, u32 skins, u32 morphs, skeleton, clip*, skin*, morph*
//   skeleton  i16 parent[joints] (depth first, -1: a root), f32 rest[joints][10], text name*
//   clip      text name, u32 loop, f64 duration, u32 owner, keys where owner is this clip's number
//             (from 0), else those of that earlier clip; u32 events, u32 markers, event*, marker*
//   keys      u32 additive, u32 times, u32 tracks, u32 curves, u32 properties, times*,
//             track[tracks] (by channel, then as they lie in a pose), f32 values* of each track, curve*, property*,
//             motion, packed
//   times     u32 count, u32 uniform, then f32 at[count], or f64 start, f64 step where uniform is 1
//   track     u16 joint, u8 channel, u8 interpolation, u32 times
//   curve     text name, u32 times, u32 interpolation, f32 values*
//   property  text name, u32 times, value*
//   motion    u32 joint + 1, or 0 for none; then u32 count, f32 at[count], f32 value[count][7]
//   packed    u32 size, or 0 for none; then, at a multiple of 8, the block of pose/pack_format.h
//   event     f64 time, f64 duration, text name, value;   marker  f64 time, text name
//   skin      text name, u32 joints, u16 joint[joints], f32 inverse bind[joints][12]
//   morph     text name, u32 targets, f32 weight[targets], (text target, text curve)*
//   text      u32 length, bytes, a zero;   value  u32 kind, nothing | u32 | f64 | u64 size, bytes
//
// Version 1 is the same without `packed`; files without packed clips are written so, for older readers.
// Version 2 had packed tracks in the order of joints, not of a pose; they are not read any more.
#pragma once

#include "import/import.h"

enum { ANIM_ARCHIVE_UNPACKED = 1, ANIM_ARCHIVE_VERSION = 3 };

typedef struct anim_archive_header {
    char magic[4];
    uint32_t version;
    uint64_t size, hash;
} anim_archive_header;

typedef struct anim_archive_track {
    uint16_t joint;
    uint8_t channel, interp;
    uint32_t times;
} anim_archive_track;

_Static_assert(sizeof(anim_archive_header) == 24 && sizeof(anim_archive_track) == 8 &&
                   sizeof(anim_xform) == 40 && sizeof(anim_mat34) == 48,
               "these are stored as they lie in memory");

// Hash of the file's bytes after the header.
uint64_t anim_archive_hash(const void* file, size_t size);
