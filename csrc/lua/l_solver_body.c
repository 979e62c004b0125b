// SPDX-License-Identifier: MIT
// Descriptions of foot, spring, stride and orient.
#include "lua/objects.h"
#include "lua/solver_desc.h"
#include "lua/table.h"

#include <string.h>

// --- legs ---------------------------------------------------------------------------------------------

// The joint alone (an ankle), or a table with the keys of a leg at `table`.
static anim_ik_leg read_leg(const luax_reader* r)
{
    anim_ik_leg leg;
    leg.tip = luax_solver_need_joint(r, "joint");
    leg.mid = luax_solver_read_joint_above(r, "mid", leg.tip);
    leg.root = luax_solver_read_joint_above(r, "root", leg.mid);
    return leg;
}

// Pushes the list of legs; its length, and its place.
static uint32_t open_legs(const luax_reader* r, luax_place* at)
{
    if (!luax_field(r->L, r->table, r->at, "legs", at))
        luax_fail(r->L, r->at, "legs (a list) expected");
    uint32_t count = luax_list(r->L, lua_gettop(r->L), at);
    if (count < 1 || count > ANIM_IK_LEGS)
        luax_fail(r->L, at, "1 to %d legs expected, got %u", ANIM_IK_LEGS, (unsigned)count);
    return count;
}

// --- foot ---------------------------------------------------------------------------------------------

static const char* const foot_keys[] = {"legs",   "pelvis", "ground",  "reach", "smooth",
                                        "lock",   "ahead",  "release", "tilt",  "level",
                                        "weight", "mask",   NULL};

static const char* pop_text(const luax_reader* r, const luax_place* at)
{
    const char* text = luax_name(r->L, lua_gettop(r->L), at);
    const char* copy = anim_arena_copy_text(r->arena, text, strlen(text));
    if (!copy)
        luaL_error(r->L, "not enough memory");
    lua_pop(r->L, 1);
    return copy;
}

// A name for all legs, or a list of names.
static void read_locks(const luax_reader* r, anim_solver_foot* f)
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, "lock", &at);
    int table = lua_gettop(r->L);
    if (given && lua_istable(r->L, table)) {
        if (luax_list(r->L, table, &at) != f->desc.leg_count)
            luax_fail(r->L, &at, "%u names expected, one a leg", (unsigned)f->desc.leg_count);
        for (uint32_t i = 0; i < f->desc.leg_count; i++) {
            luax_place item = luax_item(&at, (int)i + 1);
            lua_rawgeti(r->L, table, (int)i + 1);
            f->locks[i] = pop_text(r, &item);
        }
    } else if (given) {
        f->locks[0] = pop_text(r, &at);
        for (uint32_t i = 1; i < f->desc.leg_count; i++)
            f->locks[i] = f->locks[0];
    }
    lua_settop(r->L, table - 1);
}

static void expect_below(const luax_reader* r, const luax_place* at, uint32_t joint, uint32_t above)
{
    if (joint == above || !anim_skeleton_is_below(r->skeleton, joint, above))
        luax_fail(r->L, at, "'%.64s' is not below '%.64s'", anim_skeleton_name(r->skeleton, joint),
                  anim_skeleton_name(r->skeleton, above));
}

static void read_foot_legs(const luax_reader* r, anim_solver_foot* f)
{
    static const char* const keys[] = {"joint", "mid", "root", "heel", "toe", NULL};
    luax_place at;
    uint32_t count = open_legs(r, &at);
    int table = lua_gettop(r->L);
    f->legs = luax_alloc(r->L, r->arena, count, sizeof *f->legs);
    f->locks = luax_alloc(r->L, r->arena, count, sizeof *f->locks);
    f->desc.leg_count = count;
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        lua_rawgeti(r->L, table, (int)i + 1);
        luax_record(r->L, table + 1, &item, keys, 0);
        const luax_reader inner = luax_solver_inside(r, table + 1, &item);
        uint32_t toe, heel;
        f->legs[i].joints = read_leg(&inner);
        f->legs[i].toe = luax_solver_read_joint(&inner, "toe", &toe) ? (int32_t)toe : -1;
        f->legs[i].heel = luax_solver_read_joint(&inner, "heel", &heel) ? (int32_t)heel : -1;
        if (f->legs[i].toe >= 0)
            expect_below(r, &item, toe, f->legs[i].joints.tip);
        if (f->legs[i].heel >= 0)
            expect_below(r, &item, heel, f->legs[i].joints.root);
        for (uint32_t k = 0; k < i; k++)
            if (f->legs[k].joints.tip == f->legs[i].joints.tip)
                luax_fail(r->L, &item, "the leg stands in the list already");
        lua_settop(r->L, table);
    }
    lua_settop(r->L, table - 1);
}

static void read_foot(const luax_reader* r)
{
    anim_solver_foot* f = &r->out->as.foot;
    anim_foot* d = &f->desc;
    luax_place at;
    uint32_t pelvis;
    read_foot_legs(r, f);
    read_locks(r, f);
    d->pelvis = luax_solver_read_joint(r, "pelvis", &pelvis) ? (int32_t)pelvis : -1;
    d->reach = luax_solver_read_number(r, "reach", -1, AT_LEAST_0);
    d->smooth = luax_solver_read_number(r, "smooth", 0.1f, AT_LEAST_0);
    d->ahead = luax_solver_read_number(r, "ahead", 0.1f, AT_LEAST_0);
    d->release = luax_solver_read_number(r, "release", 0.15f, ABOVE_0);
    d->tilt = luax_solver_read_number(r, "tilt", ANIM_FOOT_TILT,
                                      (luax_range){0, 1.5f, "angle from 0 to 1.5"});
    d->level = luax_solver_read_number(r, "level", 0, ANY_NUMBER);
    f->asks = luax_field(r->L, r->table, r->at, "ground", &at);
    if (f->asks && !lua_isfunction(r->L, -1))
        luax_expected(r->L, lua_gettop(r->L), &at, "function");
    lua_pop(r->L, 1);
    r->out->target_count = 2 * d->leg_count;
    r->out->targets = luax_alloc(r->L, r->arena, r->out->target_count, sizeof *r->out->targets);
}

// --- spring -------------------------------------------------------------------------------------------

static const char* const spring_keys[] = {
    "joint",  "stiffness", "damping",   "gravity",  "drag",   "wind", "limit",
    "radius", "tip",       "colliders", "teleport", "weight", "mask", NULL};

// { radius =, joint =, center = } or { radius =, joint =, from =, to = }; at the top, popped.
static anim_collider pop_collider(const luax_reader* outer, const luax_place* at)
{
    static const char* const keys[] = {"radius", "joint", "center", "from", "to", NULL};
    int table = lua_gettop(outer->L);
    luax_record(outer->L, table, at, keys, 0);
    const luax_reader inner = luax_solver_inside(outer, table, at);
    anim_collider c = {.joint = -1};
    uint32_t joint;
    if (luax_solver_read_joint(&inner, "joint", &joint))
        c.joint = (int32_t)joint;
    c.radius = luax_solver_read_number(&inner, "radius", -1, AT_LEAST_0);
    if (c.radius < 0)
        luax_fail(outer->L, at, "radius (a number of 0 or more) expected");
    bool from = luax_solver_read_vector(&inner, "from", c.a),
         to = luax_solver_read_vector(&inner, "to", c.b);
    if (from != to)
        luax_fail(outer->L, at, "a capsule needs both ends, from and to");
    c.kind = from ? ANIM_COLLIDER_CAPSULE : ANIM_COLLIDER_SPHERE;
    if (luax_solver_read_vector(&inner, "center", c.a) && from)
        luax_fail(outer->L, at, "center (of a sphere), or from and to (of a capsule) expected");
    lua_settop(outer->L, table - 1);
    return c;
}

static void read_colliders(const luax_reader* r, anim_spring* d)
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, "colliders", &at);
    int table = lua_gettop(r->L);
    uint32_t count = given ? luax_list(r->L, table, &at) : 0;
    anim_collider* list = luax_alloc(r->L, r->arena, count, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        lua_rawgeti(r->L, table, (int)i + 1);
        list[i] = pop_collider(r, &item);
    }
    d->colliders = list;
    d->collider_count = count;
    lua_settop(r->L, table - 1);
}

// A number is the acceleration downward.
static void read_gravity(const luax_reader* r, float out[3])
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, "gravity", &at);
    if (given && lua_istable(r->L, -1))
        luax_vector(r->L, lua_gettop(r->L), &at, out, 3);
    else if (given)
        out[1] = -luax_float(r->L, lua_gettop(r->L), &at);
    lua_pop(r->L, 1);
}

// Three numbers or parameters into the first of the solver's values.
static void read_sources(const luax_reader* r, const char* key, anim_source* out)
{
    luax_place at;
    bool given = luax_field(r->L, r->table, r->at, key, &at);
    int table = lua_gettop(r->L);
    if (given && luax_list(r->L, table, &at) != 3)
        luax_fail(r->L, &at, "three numbers {x, y, z} expected");
    for (int i = 0; i < 3 && given; i++) {
        luax_place item = luax_item(&at, i + 1);
        lua_rawgeti(r->L, table, i + 1);
        out[i] = luax_solver_pop_source(r, &item);
    }
    lua_settop(r->L, table - 1);
}

static void read_spring(const luax_reader* r)
{
    anim_spring* d = &r->out->as.spring;
    *d = ANIM_SPRING_DEFAULTS;
    d->root = luax_solver_need_joint(r, "joint");
    d->stiffness = luax_solver_read_number(r, "stiffness", d->stiffness, AT_LEAST_0);
    d->damping = luax_solver_read_number(r, "damping", d->damping, AT_LEAST_0);
    d->drag = luax_solver_read_number(r, "drag", d->drag, AT_LEAST_0);
    d->limit = luax_solver_read_number(r, "limit", d->limit, AT_LEAST_0);
    d->radius = luax_solver_read_number(r, "radius", d->radius, AT_LEAST_0);
    d->teleport = luax_solver_read_number(r, "teleport", d->teleport, ABOVE_0);
    read_gravity(r, d->gravity);
    read_sources(r, "wind", r->out->values);
    luax_solver_read_vector(r, "tip", d->tip);
    read_colliders(r, d);
}

// --- stride, orient -----------------------------------------------------------------------------------

static const char* const stride_keys[] = {"pelvis", "legs", "factor", "direction",
                                          "weight", "mask", NULL};

static void read_stride(const luax_reader* r)
{
    static const char* const keys[] = {"joint", "mid", "root", NULL};
    anim_stride* d = &r->out->as.stride;
    luax_place at;
    d->pelvis = luax_solver_need_joint(r, "pelvis");
    d->leg_count = open_legs(r, &at);
    int table = lua_gettop(r->L);
    anim_ik_leg* legs = luax_alloc(r->L, r->arena, d->leg_count, sizeof *legs);
    for (uint32_t i = 0; i < d->leg_count; i++) {
        luax_place item = luax_item(&at, (int)i + 1);
        lua_rawgeti(r->L, table, (int)i + 1);
        luax_record(r->L, table + 1, &item, keys, 0);
        const luax_reader inner = luax_solver_inside(r, table + 1, &item);
        legs[i] = read_leg(&inner);
        lua_settop(r->L, table);
    }
    lua_settop(r->L, table - 1);
    d->legs = legs;
    r->out->values[0] = luax_solver_read_source(r, "factor", 1, AT_LEAST_0);
    r->out->values[3].value = 1; // forward
    read_sources(r, "direction", r->out->values + 1);
}

static const char* const orient_keys[] = {"pelvis", "spine", "angle", "weight", "mask", NULL};

static void read_orient(const luax_reader* r)
{
    anim_orient* d = &r->out->as.orient;
    d->pelvis = luax_solver_need_joint(r, "pelvis");
    const anim_aim_joint* list = luax_solver_read_shares(r, "spine", &d->spine_count);
    uint32_t* spine = luax_alloc(r->L, r->arena, d->spine_count, sizeof *spine);
    float* shares = luax_alloc(r->L, r->arena, d->spine_count, sizeof *shares);
    for (uint32_t i = 0; i < d->spine_count; i++) {
        spine[i] = list[i].joint;
        shares[i] = list[i].share;
    }
    d->spine = spine;
    d->shares = shares;
    r->out->values[0] = luax_solver_read_source(r, "angle", 0, ANY_NUMBER);
}

const luax_solver_kind luax_foot = {foot_keys, read_foot};
const luax_solver_kind luax_spring = {spring_keys, read_spring};
const luax_solver_kind luax_stride = {stride_keys, read_stride};
const luax_solver_kind luax_orient = {orient_keys, read_orient};
