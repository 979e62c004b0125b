// SPDX-License-Identifier: MIT
// Many characters in one call, on several threads. What comes out is the same, bit for bit, for any number
// of threads, and the same as advance, events, evaluate for one graph after the other.
//
// Graphs of which something runs on the calling thread (script nodes, conditions that are functions, feet
// that ask for the ground, or what the host says) are moved there, each at its place in the order: what
// was added before them is done with, what was added after them has not begun. Between two of them the
// graphs are moved side by side: all advance, then the host tells their events in order, then all
// evaluate.
//
// Every call is for the thread that owns the graphs. Nothing is allocated by an update, but events that
// grow a queue.
#pragma once

#include "graph/graph.h"
#include "pose/skin.h"

typedef struct anim_crowd anim_crowd;

// `threads`: see anim_jobs_create (base/jobs.h); 0: as many as there are cores.
anim_code anim_crowd_create(uint32_t threads, anim_crowd** out, anim_error* err);
void anim_crowd_destroy(anim_crowd* crowd); // its graphs live on; NULL is fine
uint32_t anim_crowd_threads(const anim_crowd* crowd);

// A graph is in one crowd at most; a graph that is destroyed leaves its own. In an update: what is added
// takes part from the next one on, what is removed no more.
anim_code anim_crowd_add(anim_crowd* crowd, anim_graph* graph, anim_error* err);
void anim_crowd_remove(anim_graph* graph); // from the one it is in, if it is in one
uint32_t anim_crowd_count(const anim_crowd* crowd);

// The pose of a graph is made once `seconds` have passed since the last time, and shown `seconds` late:
// in between it is the mix of the last two (translation and scale linear, rotation normalised linear on
// the shorter arc) at the time of now less `seconds`, by the clock of the updates. All else (parameters,
// transitions, events, root motion, curves) is of each update. Graphs take turns: the first interval of
// each is shorter by a share that depends on how many rates were set before. 0: in each update again.
// What is shown is no part of a graph's saved state.
anim_code anim_crowd_set_rate(anim_graph* graph, double seconds, anim_error* err);
double anim_crowd_get_rate(const anim_graph* graph); // 0: in each update

// What a host says of a graph in a crowd.
enum anim_crowd_flags {
    ANIM_CROWD_APART = 1,   // it is moved on the calling thread, by `advance` and `evaluate` below
    ANIM_CROWD_LISTENS = 2, // its events, when there are any, are to be told before it evaluates
    ANIM_CROWD_OWES = 4     // `deliver` is to be called in the next update in any case
};

void anim_crowd_set_flags(anim_graph* graph, unsigned flags); // of a graph in no crowd: nothing
// Events of all graphs are to be told.
void anim_crowd_set_listens(anim_crowd* crowd, bool listens);

// What an update calls on the calling thread. Graphs may be changed, added and removed meanwhile, but not
// this crowd destroyed. False: the graph does not evaluate in this update. Each may be NULL: then the core
// does what is to be done, and events stay in the queues.
typedef struct anim_crowd_host {
    bool (*advance)(void* user, anim_graph* graph, double dt, bool mute); // and tells its events
    bool (*deliver)(void* user, anim_graph* graph);
    bool (*evaluate)(void* user, anim_graph* graph);
    void* user;
} anim_crowd_host;

// dt seconds (>= 0, finite; the caller checks). Fails where a graph is in the midst of something (it is
// left out then, the others are not) or where the crowd itself is. `host` may be NULL.
anim_code anim_crowd_update(anim_crowd* crowd, double dt, bool mute, const anim_crowd_host* host,
                            anim_error* err);
bool anim_crowd_is_updating(const anim_crowd* crowd);

// The palettes of all graphs with the skin's skeleton, one behind the other in the order of adding.
uint32_t anim_crowd_palette_count(anim_crowd* crowd, const anim_skin* skin);
void anim_crowd_palettes(anim_crowd* crowd, const anim_skin* skin, bool rows_3x4, void* out);
// Which of them is this graph's, from 0; UINT32_MAX: none.
uint32_t anim_crowd_palette_of(anim_crowd* crowd, const anim_graph* graph, const anim_skin* skin);

// Inside the graph layer: what a graph's edit needs, and that it is through.
anim_code anim_crowd_fit(anim_graph* graph, anim_error* err);
void anim_crowd_note_edit(anim_graph* graph);
