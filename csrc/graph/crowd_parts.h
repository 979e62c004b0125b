// SPDX-License-Identifier: MIT
// Inside a crowd: its members, and who may touch them when.
#pragma once

#include "base/jobs.h"
#include "graph/crowd.h"
#include "graph/execute.h"

// Poses of a graph with a rate.
typedef struct anim_crowd_rate {
    double seconds;
    double since; // the last pose was made so long ago
    double gap;   // and the one before so much earlier
    bool fresh;   // none was made yet
    anim_pose_group *before, *last;
} anim_crowd_rate;

typedef struct anim_crowd_member {
    anim_graph* graph;     // NULL: it has left
    anim_crowd_rate* rate; // NULL: in each update
    uint32_t shape;
    uint32_t rank;    // among those of its shape
    uint32_t faded;   // graph->faded, as it was told last
    uint8_t flags;    // of the host: anim_crowd_flags
    bool asks;        // something in it runs on the calling thread
    bool stirred;     // there is something to tell
    bool is_advanced; // and not evaluated yet
} anim_crowd_member;

// Graphs of the same skeleton share what they are computed in: one workspace a worker.
typedef struct anim_crowd_shape {
    anim_skeleton* skeleton; // retained; NULL: the place is free
    anim_workspace** lanes;
    uint32_t members;
} anim_crowd_shape;

struct anim_crowd {
    anim_jobs* jobs;
    uint32_t lanes;
    anim_crowd_member* members; // in the order of adding
    uint32_t count, room;       // places in use, also by those who left
    uint32_t present;           // members
    anim_crowd_shape* shapes;
    uint32_t shape_count;
    uint32_t turns; // rates set so far
    bool unranked;  // somebody left
    bool listens;
    bool updating;
};

static inline bool anim_crowd_is_apart(const anim_crowd_member* m)
{
    return m->asks || (m->flags & ANIM_CROWD_APART);
}

// crowd.c: the members' ranks, and no places of those who left but in an update; the shape of a skeleton's
// members, UINT32_MAX: there are none.
void anim_crowd_rank(anim_crowd* crowd);
uint32_t anim_crowd_find_shape(const anim_crowd* crowd, const anim_skeleton* skeleton);

// crowd_rate.c: in an update, after `seconds` more. Whether a pose is to be made; if not the mix is shown.
bool anim_crowd_rate_is_due(anim_crowd_member* member, double seconds);
void anim_crowd_rate_take(anim_crowd_member* member); // the pose that was made
void anim_crowd_rate_show(const anim_crowd_member* member);
