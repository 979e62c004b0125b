// SPDX-License-Identifier: MIT
// A graph with every kind of node over the figure of golden_assets.h. What a new kind needs to be in it:
// a place in `build_all`; test_golden.c fails as long as a kind has none.
#pragma once

#include "graph/graph.h"
#include "test/golden_assets.h"

// Parameters, in the order of making.
enum { SPEED, SIDE, AHEAD, MOOD, JUMPS, ARMED, LOOK, WIND, PARAMS };

typedef struct builder {
    anim_topology* t;
    const figure* f;
    bool asks; // script nodes run, the ground and a condition are asked for
} builder;

static inline uint32_t add(const builder* b, anim_kind kind, const char* name)
{
    uint32_t node;
    ok(anim_topology_add_node(b->t, kind, name, &node, &error));
    return node;
}

static inline uint32_t clip(const builder* b, uint32_t which)
{
    uint32_t node = add(b, ANIM_KIND_CLIP, NULL);
    anim_topology_set_clip(b->t, node, b->f->clips[which]);
    return node;
}

static inline anim_source number(float value)
{
    return (anim_source){value, ANIM_NO_PARAM};
}

static inline anim_source follow(int32_t param)
{
    return (anim_source){0, param};
}

static inline anim_input* put(const builder* b, uint32_t node, uint32_t child)
{
    const anim_input input = {.node = child, .weight = number(1), .speed = 1};
    uint32_t at = b->t->nodes[node].input_count;
    ok(anim_topology_insert_input(b->t, node, at, &input, &error));
    return &b->t->nodes[node].inputs[at];
}

static inline void put_at(const builder* b, uint32_t node, uint32_t child, float x, float y)
{
    anim_input* input = put(b, node, child);
    input->x = x;
    input->y = y;
}

static inline void add_params(const builder* b)
{
    static const float bent[] = {-1, -1, 0, 0, 0.5f, 0.25f, 2, 2};
    const anim_param params[PARAMS] = {
        [SPEED] = {.name = "speed", .initial = 0.5, .smooth = 0.25, .life = -1},
        [SIDE] = {.name = "side", .dead_zone = 0.125, .life = -1},
        [AHEAD] = {.name = "ahead", .initial = 0.25, .curve = bent, .curve_count = 4, .life = -1},
        [MOOD] = {.name = "mood", .life = -1},
        [JUMPS] = {.name = "jumps", .kind = ANIM_PARAM_TRIGGER, .life = 0.3},
        [ARMED] = {.name = "armed", .kind = ANIM_PARAM_BOOLEAN, .life = -1},
        [LOOK] = {.name = "look", .initial = 1, .smooth = 0.125, .life = -1},
        [WIND] = {.name = "wind", .life = -1},
    };
    for (uint32_t i = 0; i < PARAMS; i++) {
        uint32_t index;
        ok(anim_topology_add_param(b->t, &params[i], &index, &error));
    }
}

// --- what moves the figure ------------------------------------------------------------------------------

static inline uint32_t add_move(const builder* b)
{
    uint32_t move = add(b, ANIM_KIND_BLEND1D, "move");
    put_at(b, move, clip(b, STAND), 0, 0);
    put_at(b, move, clip(b, WALK), 0.5f, 0);
    put_at(b, move, clip(b, JOG), 1, 0);
    put_at(b, move, clip(b, RUN), 2, 0);
    b->t->nodes[move].inputs[2].speed = 1.125f;
    b->t->nodes[move].x = SPEED;
    b->t->nodes[move].match_speed = true;
    return move;
}

// Each mode has the samples that it likes, and other clips in them; every second has fast ones only, which
// are mixed as they are unpacked.
static inline uint32_t add_space(const builder* b, anim_blend_mode mode)
{
    static const uint32_t moving[] = {WALK, JOG, RUN, MIRRORED, STAND, SWAY, DANCE};
    static const uint32_t fast[] = {RUN, MARCH, MIRRORED};
    static const float star[][2] = {{0, 0}, {0, 1}, {1, 0.25f}, {-1, 0}, {0.125f, -1}};
    static const float grid[][2] = {{-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    bool is_grid = mode == ANIM_BLEND_GRID;
    uint32_t count = is_grid ? COUNT(grid) : COUNT(star);
    uint32_t space = add(b, ANIM_KIND_BLEND2D, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const float* at = is_grid ? grid[i] : star[i];
        uint32_t which = mode % 2 ? fast[i % COUNT(fast)] : moving[(i + mode) % COUNT(moving)];
        put_at(b, space, clip(b, which), at[0], at[1]);
    }
    anim_node* node = &b->t->nodes[space];
    node->mode = mode;
    node->x = SIDE;
    node->y = AHEAD;
    node->power = mode == ANIM_BLEND_IDW ? 1.5f : 2;
    node->manhattan = mode == ANIM_BLEND_IDW;
    node->sync = mode != ANIM_BLEND_GRID;
    return space;
}

static inline uint32_t add_spaces(const builder* b)
{
    uint32_t mixer = add(b, ANIM_KIND_MIXER, "spaces");
    for (int mode = 0; mode < ANIM_BLEND_MODE_COUNT; mode++)
        put(b, mixer, add_space(b, (anim_blend_mode)mode))->fade = 0.125f * (float)mode;
    for (uint32_t i = 1; i < b->t->nodes[mixer].input_count; i++)
        b->t->nodes[mixer].inputs[i].weight = number(i < 3 ? 0.5f : 0);
    return mixer;
}

static inline uint32_t add_idle(const builder* b)
{
    uint32_t idle = add(b, ANIM_KIND_RANDOM, "idle");
    put(b, idle, clip(b, STAND));
    put(b, idle, clip(b, SWAY))->weight = number(2);
    put(b, idle, clip(b, STRETCH));
    anim_pose* pose = anim_pose_create(b->f->skeleton);
    anim_clip_sample(b->f->clips[DANCE], 0.375, pose->groups);
    uint32_t still = add(b, ANIM_KIND_POSE, NULL);
    ok(anim_topology_set_pose(b->t, still, pose->groups, &error));
    anim_pose_destroy(pose);
    uint32_t held = add(b, ANIM_KIND_MIXER, NULL); // lets a pose and a clip end together
    put(b, held, still)->weight = number(0.25f);
    put(b, held, clip(b, WAVE))->weight = number(0.75f);
    b->t->nodes[held].sync = true;
    put(b, idle, held);
    anim_node* node = &b->t->nodes[idle];
    node->seed = 12345;
    node->fade = 0.1875f;
    node->avoid_repeat = true;
    return idle;
}

static inline uint32_t add_dance(const builder* b)
{
    uint32_t queue = add(b, ANIM_KIND_QUEUE, "dance");
    put(b, queue, clip(b, DANCE));
    put(b, queue, clip(b, WAVE));
    put(b, queue, clip(b, MIRRORED));
    put(b, queue, clip(b, STRETCH));
    b->t->nodes[queue].queue_loop = true;
    b->t->nodes[queue].fade = 0.125f;
    return queue;
}

// --- the machine ----------------------------------------------------------------------------------------

enum { IDLE, MOVE, SPACES, DANCES, LEAP, STATES };

typedef struct rule {
    anim_transition as;
    anim_condition_op left, compare; // ANIM_COND_NUMBER as `compare`: nothing is compared
    uint32_t index;
    double value;
    const char* event;
} rule;

static const rule rules[] = {
    {{.from = IDLE,
      .to = MOVE,
      .fade = 0.25,
      .exit = -1,
      .offset = -1,
      .curve = {.kind = ANIM_EASE_SMOOTH},
      .interrupt = ANIM_INTERRUPT_BOTH},
     ANIM_COND_PARAM,
     ANIM_COND_GREATER,
     SPEED,
     0.5,
     NULL},
    {{.from = MOVE,
      .to = IDLE,
      .fade = 0.375,
      .exit = -1,
      .offset = 0.25,
      .mode = ANIM_FADE_INERTIAL,
      .curve = {ANIM_EASE_BEZIER, {0.25f, 0.125f, 0.5f, 1.25f}}},
     ANIM_COND_PARAM,
     ANIM_COND_LESS,
     SPEED,
     0.25,
     NULL},
    {{.from = MOVE,
      .to = SPACES,
      .fade = 0.3125,
      .exit = -1,
      .offset = -1,
      .sync = true,
      .mode = ANIM_FADE_FROZEN,
      .curve = {.kind = ANIM_EASE_IN}},
     ANIM_COND_PARAM,
     ANIM_COND_GREATER_EQUAL,
     SIDE,
     0.5,
     NULL},
    {{.from = SPACES,
      .to = MOVE,
      .fade = 0.25,
      .exit = -1,
      .offset = -1,
      .keep = true,
      .interrupt = ANIM_INTERRUPT_SOURCE,
      .curve = {.kind = ANIM_EASE_OUT}},
     ANIM_COND_PARAM,
     ANIM_COND_LESS,
     SIDE,
     0.25,
     NULL},
    {{.from = IDLE, .to = DANCES, .fade = 0.25, .exit = -1, .offset = -1},
     ANIM_COND_TIME,
     ANIM_COND_GREATER,
     0,
     0.75,
     NULL},
    {{.from = DANCES,
      .to = IDLE,
      .fade = 0.125,
      .exit = 0.875,
      .offset = -1,
      .interrupt = ANIM_INTERRUPT_NONE},
     ANIM_COND_PARAM,
     ANIM_COND_LESS,
     MOOD,
     0,
     NULL},
    {{.from = MOVE, .to = DANCES, .fade = 0.125, .exit = -1, .offset = -1},
     ANIM_COND_EVENT,
     ANIM_COND_NUMBER,
     0,
     0,
     "end"},
    {{.from = SPACES,
      .to = IDLE,
      .fade = 0.1875,
      .exit = -1,
      .offset = -1,
      .mode = ANIM_FADE_INERTIAL},
     ANIM_COND_PHASE,
     ANIM_COND_GREATER,
     0,
     0.9375,
     NULL},
    {{.from = ANIM_ANY_STATE, .to = LEAP, .fade = 0.125, .exit = -1, .offset = -1, .self = true},
     ANIM_COND_PARAM,
     ANIM_COND_NUMBER,
     JUMPS,
     0,
     NULL},
    {{.from = LEAP, .to = MOVE, .fade = 0.1875, .exit = -1, .offset = -1},
     ANIM_COND_DONE,
     ANIM_COND_NUMBER,
     0,
     0,
     NULL},
    {{.from = DANCES, .to = MOVE, .fade = 0.25, .exit = -1, .offset = -1},
     ANIM_COND_DURING,
     ANIM_COND_NUMBER,
     0,
     0,
     "swing"},
};

// Some rules hold at half of all times only, lest they shut out the others.
static inline uint32_t write_steps(const rule* r, anim_condition_step* steps)
{
    uint32_t count = 0;
    steps[count++] = (anim_condition_step){r->left, r->index, 0};
    if (r->compare != ANIM_COND_NUMBER) {
        steps[count++] = (anim_condition_step){ANIM_COND_NUMBER, 0, r->value};
        steps[count++] = (anim_condition_step){r->compare, 0, 0};
    }
    if (r->left != ANIM_COND_EVENT && r->left != ANIM_COND_DURING && r->left != ANIM_COND_TIME)
        return count;
    steps[count++] = (anim_condition_step){ANIM_COND_PARAM, MOOD, 0};
    steps[count++] = (anim_condition_step){ANIM_COND_NUMBER, 0, 0.25};
    steps[count++] = (anim_condition_step){ANIM_COND_GREATER, 0, 0};
    steps[count++] = (anim_condition_step){ANIM_COND_AND, 0, 0};
    return count;
}

static inline void add_transitions(const builder* b, uint32_t machine)
{
    anim_transition list[COUNT(rules) + 1];
    anim_condition conditions[COUNT(rules) + 1];
    anim_condition_step steps[COUNT(rules)][8];
    uint32_t count = 0;
    for (; count < COUNT(rules); count++) {
        const rule* r = &rules[count];
        bool timed = r->left >= ANIM_COND_TIME && r->left <= ANIM_COND_DURING;
        conditions[count] = (anim_condition){.steps = steps[count],
                                             .step_count = write_steps(r, steps[count]),
                                             .names = &r->event,
                                             .name_count = r->event ? 1 : 0,
                                             .timed = timed};
        list[count] = r->as;
        list[count].condition = &conditions[count];
        list[count].profile = count % 3 == 1 ? b->f->soft : NULL;
    }
    if (b->asks) { // the host decides
        conditions[count] = (anim_condition){.function = 1};
        list[count] = list[0];
        list[count].from = DANCES;
        list[count].to = SPACES;
        list[count].condition = &conditions[count];
        count++;
    }
    ok(anim_topology_set_transitions(b->t, machine, list, count, &error));
}

static inline uint32_t add_machine(const builder* b)
{
    static const char* const names[STATES] = {"idle", "move", "spaces", "dances", "leap"};
    uint32_t machine = add(b, ANIM_KIND_MACHINE, "machine");
    const uint32_t states[STATES] = {add_idle(b), add_move(b), add_spaces(b), add_dance(b),
                                     clip(b, JUMP)};
    for (uint32_t i = 0; i < STATES; i++) {
        put(b, machine, states[i])->speed = i == LEAP ? 1.25f : 1;
        ok(anim_topology_set_state_name(b->t, machine, i, names[i], &error));
    }
    add_transitions(b, machine);
    return machine;
}

// --- what lies over it ----------------------------------------------------------------------------------

static inline uint32_t add_deltas(const builder* b)
{
    uint32_t direct = add(b, ANIM_KIND_DIRECT, "direct");
    put(b, direct, clip(b, BREATH))->weight = follow(LOOK);
    put(b, direct, clip(b, LEAN))->weight = follow(MOOD);
    put(b, direct, clip(b, SWAY))->weight = follow(AHEAD); // made a delta when it is compiled
    return direct;
}

static inline uint32_t add_script(const builder* b, uint32_t below)
{
    uint32_t script = add(b, ANIM_KIND_SCRIPT, "script");
    put(b, script, below)->weight = number(0.75f);
    put(b, script, clip(b, MIRRORED))->weight = number(0.25f);
    b->t->nodes[script].has_update = b->t->nodes[script].has_pose = b->asks;
    return script;
}

static inline uint32_t add_layers(const builder* b, uint32_t base)
{
    uint32_t layers = add(b, ANIM_KIND_LAYERS, "layers");
    put(b, layers, base);
    anim_input* layer = put(b, layers, clip(b, WAVE));
    layer->weight = number(0.75f);
    layer->sparse = true;
    layer = put(b, layers, add_deltas(b));
    layer->mode = ANIM_LAYER_ADDITIVE;
    layer->weight = number(1.25f);
    layer->reference = anim_clip_retain(b->f->clips[STAND]);
    layer->reference_time = 0.25f;
    uint32_t run = clip(b, RUN);
    b->t->nodes[run].speed = number(-0.75f); // backwards
    layer = put(b, layers, run);
    layer->weight = follow(ARMED);
    layer->model_space = true;
    put(b, layers, clip(b, MARCH))->weight = follow(LOOK);
    uint32_t nods = add(b, ANIM_KIND_MIXER, NULL);
    put(b, nods, clip(b, NOD));
    put(b, nods, clip(b, TURN));
    put(b, layers, nods)->mode = ANIM_LAYER_ADDITIVE;
    anim_topology_set_mask(b->t, layers, 1, b->f->upper);
    anim_topology_set_mask(b->t, layers, 2, b->f->soft);
    anim_topology_set_mask(b->t, layers, 3, b->f->upper);
    anim_topology_set_mask(b->t, layers, 4, b->f->legs);
    return layers;
}

static inline uint32_t add_shot(const builder* b, uint32_t base)
{
    uint32_t shot = add(b, ANIM_KIND_ONE_SHOT, "shot");
    put(b, shot, base);
    put(b, shot, clip(b, HIT));
    anim_topology_set_mask(b->t, shot, 1, b->f->upper);
    return shot;
}
