// SPDX-License-Identifier: MIT
// What the two halves of the BVH importer share: bvh.c reads the joints, bvh_motion.c the frames.
//
// The format: Biovision's, as M. Meredith and S. Maddock write it down in "Motion Capture File
// Formats Explained" (2001). Rotations of a joint are composed in the order of its channels,
// R = R_c1 R_c2 R_c3 on column vectors, in degrees.
#pragma once

#include "import/bvh_text.h"
#include "import/import.h"

// Channels: what (position, rotation) * 3 + axis.
enum { ANIM_BVH_POSITION = 0, ANIM_BVH_ROTATION = 3, ANIM_BVH_CHANNEL_KINDS = 6 };

typedef struct anim_bvh_joint {
    struct anim_bvh_joint *parent, *next; // next: in the order of the file
    const char* name;                     // NULL: an End Site
    uint32_t index, line;
    double offset[3]; // as the file has it
    bool has_offset, has_channels;
    uint32_t channel_count;
    const uint8_t* channels;
} anim_bvh_joint;

typedef struct anim_bvh {
    const anim_import_desc* desc;
    anim_model* model;
    anim_arena arena; // freed after the import
    anim_bvh_text text;
    double scale;
    anim_bvh_joint *first, *last;
    uint32_t joint_count, channel_count; // channel_count: columns of a frame
    uint32_t* order;                     // joint of the file -> joint of the skeleton
} anim_bvh;

// After "MOTION": makes the clip. A file without frames or channels gives none, with a note.
anim_code anim_bvh_read_motion(anim_bvh* bvh);
