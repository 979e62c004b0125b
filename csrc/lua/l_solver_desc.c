// SPDX-License-Identifier: MIT
// Descriptions of solvers: the keys of twoBone, chain and aim, and what all have in common.
#include "lua/objects.h"
#include "lua/solver_desc.h"
#include "lua/table.h"

#include <string.h>

// --- twoBone ------------------------------------------------------------------------------------------

static const char* const two_bone_keys[] = {"joint",    "mid",    "root", "target",
                                            "pole",     "weight", "soft", "stretch",
                                            "rotation", "space",  "mask", NULL};

static void read_rotation(const luax_reader* r, anim_two_bone* d)
{
    static const char* const choices[] = {"local", "model", NULL};
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, "rotation", &at);
    if (given && lua_istable(r->L, -1)) {
        float q[4];
        luax_vector(r->L, lua_gettop(r->L), &at, q, 4);
        if (!anim_quat_normalize(q, d->given))
            luax_fail(r->L, &at, "rotation expected, got a quaternion of length zero");
        d->rotation = ANIM_IK_ROTATION_GIVEN;
    } else if (given) {
        d->rotation = luax_choice(r->L, lua_gettop(r->L), &at, choices) == 1
                          ? ANIM_IK_ROTATION_MODEL
                          : ANIM_IK_ROTATION_LOCAL;
    }
    lua_pop(r->L, 1);
}

static void read_two_bone(const luax_reader* r)
{
    anim_two_bone* d = &r->out->as.two_bone;
    d->tip = luax_solver_need_joint(r, "joint");
    d->mid = luax_solver_read_joint_above(r, "mid", d->tip);
    d->root = luax_solver_read_joint_above(r, "root", d->mid);
    d->soft = luax_solver_read_number(r, "soft", 1, FROM_0_TO_1);
    d->stretch = luax_solver_read_number(r, "stretch", 1, AT_LEAST_1);
    read_rotation(r, d);
    luax_solver_read_target(r);
    luax_solver_read_point(r, "pole", &r->out->pole);
}

// --- aim ----------------------------------------------------------------------------------------------

static const char* const aim_keys[] = {"joint",  "joints", "axis",   "up",    "offset",
                                       "target", "pole",   "weight", "limit", "rate",
                                       "space",  "mask",   NULL};

static void read_aim(const luax_reader* r)
{
    anim_aim* d = &r->out->as.aim;
    anim_aim_joint* list = luax_solver_read_shares(r, "joints", &d->joint_count);
    if (list && luax_solver_has(r, "joint"))
        luax_fail(r->L, r->at, "joint or joints expected, got both");
    if (!list) {
        list = luax_alloc(r->L, r->arena, 1, sizeof *list);
        *list = (anim_aim_joint){luax_solver_need_joint(r, "joint"), 1};
        d->joint_count = 1;
    }
    d->joints = list;
    if (!luax_solver_read_axis(r, "axis", d->axis))
        d->axis[2] = 1;
    d->has_up = luax_solver_read_axis(r, "up", d->up);
    luax_solver_read_vector(r, "offset", d->offset);
    d->limit = luax_solver_read_number(r, "limit", -1, AT_LEAST_0);
    d->rate = luax_solver_read_number(r, "rate", -1, AT_LEAST_0);
    if (d->rate >= 0 && !r->holder)
        luax_fail(r->L, r->at,
                  "rate: a pose does not know what was before; aim with a node of a graph");
    luax_solver_read_target(r);
    if (luax_solver_read_point(r, "pole", &r->out->pole) && !d->has_up)
        luax_fail(r->L, r->at, "pole: without up there is nothing to turn toward it");
}

// --- chain --------------------------------------------------------------------------------------------

static const char* const chain_keys[] = {"joint",      "root",      "target", "effectors", "solver",
                                         "iterations", "tolerance", "limits", "weights",   "weight",
                                         "space",      "mask",      NULL};

// { cone =, axis =, twist = {min, max} } or { axis =, min =, max = }; at the top, popped.
static anim_joint_limit pop_limit(const luax_reader* outer, const luax_place* at, uint32_t joint)
{
    static const char* const keys[] = {"axis", "min", "max", "cone", "twist", NULL};
    const float turn = 6.2831855f;
    const luax_range angle = {-turn, turn, "angle from -2 pi to 2 pi"};
    lua_State* L = outer->L;
    int table = lua_gettop(L);
    luax_record(L, table, at, keys, 0);
    const luax_reader inner = luax_solver_inside(outer, table, at), *r = &inner;
    anim_joint_limit d = {.joint = joint, .twist_min = -turn, .twist_max = turn};
    if (!luax_solver_read_axis(r, "axis", d.axis))
        luax_fail(L, at, "axis (a direction {x, y, z}) expected");
    bool is_cone = luax_solver_has(r, "cone");
    bool is_hinge = luax_solver_has(r, "min") && luax_solver_has(r, "max");
    if (is_cone ? luax_solver_has(r, "min") || luax_solver_has(r, "max")
                : !is_hinge || luax_solver_has(r, "twist"))
        luax_fail(L, at, "a hinge (min and max) or a cone (cone, twist) expected");
    d.cone = luax_solver_read_number(r, "cone", -1,
                                     (luax_range){0, 3.1415927f, "angle from 0 to pi"});
    d.kind = d.cone >= 0 ? ANIM_LIMIT_CONE : ANIM_LIMIT_HINGE;
    d.min = luax_solver_read_number(r, "min", -turn, angle);
    d.max = luax_solver_read_number(r, "max", turn, angle);
    luax_place twist;
    if (luax_field(L, table, at, "twist", &twist)) {
        float ends[2];
        luax_vector(L, lua_gettop(L), &twist, ends, 2);
        d.twist_min = ends[0];
        d.twist_max = ends[1];
    }
    anim_error err;
    if (anim_joint_limit_check(&d, &err))
        luax_fail_core(L, at, &err);
    lua_settop(L, table - 1);
    return d;
}

// A table by joints: its entries in order, each joint once. `key`: where it is in the description.
static const luax_map_key* read_joints(const luax_reader* r, const char* key, luax_place* at,
                                       uint32_t* count)
{
    *count = 0;
    if (!luax_field(r->L, r->table, r->at, key, at))
        return NULL; // the nil is popped by the caller
    return luax_map(r->L, lua_gettop(r->L), at, true, r->arena, count);
}

static void read_limits(const luax_reader* r, anim_chain_desc* d)
{
    luax_place at, entry;
    const luax_map_key* keys = read_joints(r, "limits", &at, &d->limit_count);
    int table = lua_gettop(r->L);
    anim_joint_limit* limits = luax_alloc(r->L, r->arena, d->limit_count, sizeof *limits);
    for (uint32_t i = 0; i < d->limit_count; i++) {
        luax_map_get(r->L, table, &at, &keys[i], &entry);
        limits[i] = pop_limit(r, &entry, luax_map_joint(r->L, &keys[i], &entry, r->skeleton));
    }
    d->limits = limits;
    lua_settop(r->L, table - 1);
}

static void read_weights(const luax_reader* r, anim_chain_desc* d)
{
    luax_place at, entry;
    const luax_map_key* keys = read_joints(r, "weights", &at, &d->weight_count);
    int table = lua_gettop(r->L);
    anim_chain_weight* weights = luax_alloc(r->L, r->arena, d->weight_count, sizeof *weights);
    for (uint32_t i = 0; i < d->weight_count; i++) {
        luax_map_get(r->L, table, &at, &keys[i], &entry);
        weights[i].joint = luax_map_joint(r->L, &keys[i], &entry, r->skeleton);
        weights[i].weight = luax_solver_pop_number(r, &entry, FROM_0_TO_1);
    }
    d->weights = weights;
    lua_settop(r->L, table - 1);
}

// { joint =, target =, weight = } each, or one of them in the description itself.
static void read_effectors(const luax_reader* r, anim_solver_chain* c)
{
    static const char* const keys[] = {"joint", "target", "weight", NULL};
    lua_State* L = r->L;
    luax_place at;
    bool listed = luax_field(L, r->table, r->at, "effectors", &at);
    int table = lua_gettop(L);
    uint32_t count = listed ? luax_list(L, table, &at) : 1;
    if (listed && (luax_solver_has(r, "joint") || luax_solver_has(r, "target")))
        luax_fail(L, r->at, "joint and target, or effectors expected, got both");
    if (count == 0)
        luax_fail(L, &at, "at least one effector expected");
    uint32_t* tips = luax_alloc(L, r->arena, count, sizeof *tips);
    float* pulls = luax_alloc(L, r->arena, count, sizeof *pulls);
    r->out->targets = luax_alloc(L, r->arena, count, sizeof *r->out->targets);
    r->out->target_count = count;
    r->out->waits = true;
    c->desc.tips = tips;
    c->desc.tip_count = count;
    c->pulls = pulls;
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        if (listed) {
            lua_rawgeti(L, table, (int)i + 1);
            luax_record(L, table + 1, &item, keys, 0);
        }
        const luax_reader inner = listed ? luax_solver_inside(r, table + 1, &item) : *r;
        tips[i] = luax_solver_need_joint(&inner, "joint");
        pulls[i] = listed ? luax_solver_read_number(&inner, "weight", 1, FROM_0_TO_1) : 1;
        if (!luax_solver_read_point(&inner, "target", &r->out->targets[i]) && !r->holder)
            luax_fail(L, inner.at, "target (a point or a joint) expected");
        lua_settop(L, table);
    }
    lua_settop(L, table - 1);
}

static void read_chain(const luax_reader* r)
{
    static const char* const solvers[] = {"fabrik", "ccd", NULL};
    anim_chain_desc* d = &r->out->as.chain.desc;
    luax_place at;
    read_effectors(r, &r->out->as.chain);
    d->root = luax_solver_need_joint(r, "root");
    if (luax_field(r->L, r->table, r->at, "solver", &at))
        d->solver = (anim_chain_solver)luax_choice(r->L, lua_gettop(r->L), &at, solvers);
    lua_pop(r->L, 1);
    if (luax_field(r->L, r->table, r->at, "iterations", &at))
        d->iterations = (uint32_t)luax_solver_whole(r, &at, 10000);
    lua_pop(r->L, 1);
    d->tolerance = luax_solver_read_number(r, "tolerance", 0, ABOVE_0);
    read_limits(r, d);
    read_weights(r, d);
}

// --- all ----------------------------------------------------------------------------------------------

static const luax_solver_kind two_bone = {two_bone_keys, read_two_bone};
static const luax_solver_kind chain = {chain_keys, read_chain};
static const luax_solver_kind aim = {aim_keys, read_aim};

static const luax_solver_kind* const kinds[ANIM_KIND_COUNT] = {
    [ANIM_KIND_TWO_BONE] = &two_bone,
    [ANIM_KIND_CHAIN] = &chain,
    [ANIM_KIND_AIM] = &aim,
    [ANIM_KIND_FOOT] = &luax_foot,
    [ANIM_KIND_SPRING] = &luax_spring,
    [ANIM_KIND_STRIDE] = &luax_stride,
    [ANIM_KIND_ORIENT] = &luax_orient,
};

const char* const* luax_solver_keys(anim_kind kind)
{
    return kinds[kind] ? kinds[kind]->keys : NULL;
}

static void read_space(const luax_reader* r)
{
    static const char* const spaces[] = {"model", "world", NULL};
    luax_place at;
    if (luax_field(r->L, r->table, r->at, "space", &at))
        r->out->in_world = luax_choice(r->L, lua_gettop(r->L), &at, spaces) == 1;
    lua_pop(r->L, 1);
}

static void read_mask(const luax_reader* r)
{
    luax_place at;
    if (luax_field(r->L, r->table, r->at, "mask", &at)) {
        anim_mask* mask = luax_object(r->L, lua_gettop(r->L), &at, LUAX_MASK);
        if (!anim_skeleton_same(mask->skeleton, r->skeleton))
            luax_fail(r->L, &at, "mask of the same skeleton expected, got one of another");
        r->out->mask = mask;
    }
    lua_pop(r->L, 1);
}

void luax_read_solver(lua_State* L, int index, const luax_place* at, anim_kind kind,
                      const anim_skeleton* skeleton, luax_graph* holder, anim_arena* arena,
                      anim_solver* out)
{
    const luax_reader r = {L, index, at, skeleton, holder, arena, out};
    *out = (anim_solver){.kind = kind};
    for (int i = 0; i < ANIM_SOLVER_VALUES; i++)
        out->values[i].param = ANIM_NO_PARAM;
    if (!holder)
        luax_record(L, index, at, kinds[kind]->keys, 0);
    out->weight = luax_solver_read_source(&r, "weight", 1, FROM_0_TO_1);
    read_space(&r);
    read_mask(&r);
    kinds[kind]->read(&r);
}
