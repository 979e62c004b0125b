// SPDX-License-Identifier: MIT
// anim.Crowd: many graphs in one call. The threads of the core never see Lua: what runs there is called
// on the calling thread, between their passes.
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/jobs.h"
#include "base/mem.h"
#include "lua/table.h"

#include <math.h>

// In the user value of a Crowd.
enum {
    user_graphs = 1,    // by seat; they are kept alive
    user_subscriptions, // in order
    user_palettes,      // userdata of a skin -> Buffer, 4x4
    user_palettes_3x4,
    user_layouts, // userdata of a skin -> whether its palettes were 3x4 last
    user_link     // what its graphs hold: { the list of Subscriptions }, weak
};

// --- life -------------------------------------------------------------------------------------------

void luax_release_crowd(luax_crowd* crowd)
{
    if (crowd && --crowd->refs == 0)
        anim_mem_free(crowd);
}

static void destroy(luax_crowd* crowd)
{
    anim_crowd_destroy(crowd->crowd);
    crowd->crowd = NULL;
    luax_release_crowd(crowd);
}

void luax_drop_crowd(void* object)
{
    luax_crowd* crowd = object;
    crowd->doomed = true;
    if (!crowd->running)
        destroy(crowd);
}

static void make_lists(lua_State* L)
{
    luax_get_user(L, -1);
    for (int i = user_graphs; i <= user_layouts; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, i);
    }
    lua_createtable(L, 1, 0);
    lua_createtable(L, 0, 1);
    luax_put_string(L, "__mode", "v");
    lua_setmetatable(L, -2);
    lua_rawgeti(L, -2, user_subscriptions);
    lua_rawseti(L, -2, 1);
    lua_rawseti(L, -2, user_link);
    lua_pop(L, 1);
}

int luax_new_crowd(lua_State* L)
{
    static const char* const keys[] = {"threads", NULL};
    uint32_t threads = 0;
    luax_at_most(L, 1);
    lua_settop(L, 1);
    luax_place at;
    if (luax_is_given(L, 1)) {
        luax_record(L, 1, LUAX_ARG(1), keys, 0);
        if (luax_field(L, 1, LUAX_ARG(1), "threads", &at))
            threads = (uint32_t)luax_index(L, -1, &at, ANIM_MAX_WORKERS);
    }
    luax_box* box = luax_new(L, LUAX_CROWD);
    make_lists(L);
    luax_crowd* crowd = anim_mem_alloc(sizeof *crowd);
    if (!crowd)
        return luaL_error(L, "not enough memory");
    crowd->refs = 1;
    luax_fill(L, LUAX_CROWD, box, crowd);
    anim_error err;
    if (anim_crowd_create(threads, &crowd->crowd, &err))
        luax_fail_core(L, NULL, &err);
    return 1;
}

static luax_crowd* self(lua_State* L)
{
    luax_crowd* crowd = luax_self(L, LUAX_CROWD);
    if (crowd->doomed)
        luaL_error(L, "attempt to use a released anim.Crowd");
    return crowd;
}

// Pushes a list of the crowd at index 1.
static void push_list(lua_State* L, int which)
{
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, which);
    lua_remove(L, -2);
}

static int to_string(lua_State* L)
{
    const luax_crowd* crowd = luax_self_or_released(L, LUAX_CROWD);
    if (crowd)
        lua_pushfstring(L, "anim.Crowd: %d graphs, %d threads", (int)anim_crowd_count(crowd->crowd),
                        (int)anim_crowd_threads(crowd->crowd));
    return 1;
}

static int count(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)anim_crowd_count(self(L)->crowd));
    return 1;
}

static int get_threads(lua_State* L)
{
    lua_pushinteger(L, (lua_Integer)anim_crowd_threads(self(L)->crowd));
    return 1;
}

// --- who is in it -----------------------------------------------------------------------------------

luax_crowd* luax_crowd_of(const luax_graph* holder)
{
    return holder->crowd && holder->graph && holder->graph->crowd ? holder->crowd : NULL;
}

void luax_note_in_crowd(const luax_graph* holder)
{
    unsigned flags = 0;
    if (holder->links > 0 || holder->recorded)
        flags |= ANIM_CROWD_APART;
    if (holder->subscriptions > 0 || holder->sweeps)
        flags |= ANIM_CROWD_LISTENS;
    if (holder->telling)
        flags |= ANIM_CROWD_OWES;
    anim_crowd_set_flags(holder->graph, flags);
}

void luax_leave_crowd(luax_graph* holder)
{
    luax_crowd* crowd = holder->crowd;
    if (crowd)
        crowd->untidy = true;
    holder->crowd = NULL;
    luax_release_crowd(crowd);
}

// Seats of those who left are given up; index `list`: the graphs.
static void tidy(lua_State* L, luax_crowd* crowd, int list)
{
    int kept = 0;
    for (int i = 1; i <= crowd->seats; i++) {
        lua_rawgeti(L, list, i);
        const luax_box* box = lua_touserdata(L, -1); // NULL for false
        luax_graph* holder = box ? box->object : NULL;
        if (holder && holder->crowd == crowd) {
            holder->seat = ++kept;
            lua_rawseti(L, list, kept);
        } else {
            lua_pop(L, 1);
        }
    }
    for (int i = kept + 1; i <= crowd->seats; i++) {
        lua_pushnil(L);
        lua_rawseti(L, list, i);
    }
    crowd->seats = kept;
    crowd->untidy = false;
}

// Index 2: a graph.
static int add(lua_State* L)
{
    luax_crowd* crowd = self(L);
    luax_graph* holder = luax_graph_at(L, 2);
    luax_at_most(L, 2);
    if (holder->doomed)
        luaL_error(L, "attempt to use a released anim.Graph");
    if (holder->graph->crowd)
        luax_fail(L, LUAX_ARG(2), "graph of no crowd expected, got one of %s",
                  holder->crowd == crowd ? "this one" : "another");
    push_list(L, user_graphs);
    if (!crowd->running && crowd->seats > 2 * (int)anim_crowd_count(crowd->crowd) + 64)
        tidy(L, crowd, 3);
    lua_pushvalue(L, 2);
    lua_rawseti(L, 3, crowd->seats + 1); // before what cannot be taken back
    luax_get_user(L, 2);
    push_list(L, user_link);
    lua_rawseti(L, -2, LUAX_USER_CROWD);
    anim_error err;
    if (anim_crowd_add(crowd->crowd, holder->graph, &err))
        luax_fail_core(L, NULL, &err);
    luax_leave_crowd(holder); // one that is gone
    holder->crowd = crowd;
    holder->seat = ++crowd->seats;
    crowd->refs++;
    luax_note_in_crowd(holder);
    lua_settop(L, 2);
    return 1;
}

static luax_graph* member_at(lua_State* L, const luax_crowd* crowd, int index)
{
    luax_graph* holder = luax_holder_at(L, index);
    if (holder->graph->crowd != crowd->crowd)
        luax_fail(L, LUAX_ARG(index), "graph of this crowd expected, got one of %s",
                  holder->graph->crowd ? "another" : "none");
    return holder;
}

static int remove_graph(lua_State* L)
{
    luax_crowd* crowd = self(L);
    luax_graph* holder = member_at(L, crowd, 2);
    luax_at_most(L, 2);
    push_list(L, user_graphs);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, holder->seat);
    anim_crowd_remove(holder->graph);
    bool untidy = crowd->untidy; // its seat is given up already
    luax_leave_crowd(holder);
    crowd->untidy = untidy;
    return 0;
}

static int set_rate(lua_State* L)
{
    luax_crowd* crowd = self(L);
    luax_graph* holder = member_at(L, crowd, 2);
    double seconds = luax_number(L, 3, LUAX_ARG(3));
    if (seconds < 0)
        luax_expected(L, 3, LUAX_ARG(3), "number of 0 or more");
    luax_at_most(L, 3);
    anim_error err;
    if (anim_crowd_set_rate(holder->graph, seconds, &err))
        luax_fail_core(L, NULL, &err);
    return 0;
}

static int get_rate(lua_State* L)
{
    lua_pushnumber(L, anim_crowd_get_rate(member_at(L, self(L), 2)->graph));
    return 1;
}

static int on(lua_State* L)
{
    luax_crowd* crowd = self(L);
    luax_at_most(L, 3);
    lua_settop(L, 3);
    push_list(L, user_subscriptions);
    luax_subscribe_crowd(L, crowd, 4);
    anim_crowd_set_listens(crowd->crowd, true);
    return 1;
}

// --- running ----------------------------------------------------------------------------------------

// An update. Stack: the crowd, the list of its graphs, what was raised first.
typedef struct call {
    lua_State* L;
    bool raised;
} call;

enum { list_index = 2, error_index };

// Runs a part of a graph's update protected; false: it raised.
static bool run(call* c, anim_graph* graph, int passes, double dt, bool mute)
{
    lua_State* L = c->L;
    luax_graph* holder = graph->host.user;
    lua_rawgeti(L, list_index, holder->seat);
    luaL_getmetafield(L, -1, "__run");
    lua_insert(L, -2);
    lua_pushinteger(L, passes);
    lua_pushnumber(L, dt);
    lua_pushboolean(L, mute);
    holder->refs++; // it may be released there
    bool fine = lua_pcall(L, 4, 0, 0) == 0;
    if (holder->graph)
        luax_note_in_crowd(holder);
    luax_release_holder(holder);
    if (!fine && !c->raised)
        lua_replace(L, error_index);
    c->raised |= !fine;
    lua_settop(L, error_index);
    return fine;
}

// After an error nobody is told anything more: it waits for the next update.
static bool advance(void* user, anim_graph* graph, double dt, bool mute)
{
    call* c = user;
    return run(c, graph, LUAX_ADVANCE | (c->raised ? 0 : LUAX_DELIVER), dt, mute);
}

static bool deliver(void* user, anim_graph* graph)
{
    call* c = user;
    return c->raised || run(c, graph, LUAX_DELIVER | LUAX_SWEEP, 0, false);
}

static bool evaluate(void* user, anim_graph* graph)
{
    return run(user, graph, LUAX_SWEEP | LUAX_EVALUATE, 0, false);
}

static void end_update(lua_State* L, luax_crowd* crowd)
{
    crowd->running = NULL;
    if (crowd->doomed) {
        destroy(crowd);
        return;
    }
    push_list(L, user_subscriptions);
    luax_compact_crowd(L, crowd, lua_gettop(L));
    anim_crowd_set_listens(crowd->crowd, crowd->subscriptions > 0);
}

static int update(lua_State* L)
{
    luax_crowd* crowd = self(L);
    bool mute;
    double dt = luax_step(L, &mute);
    luax_at_most(L, 3);
    if (crowd->running)
        return luaL_error(L, "the crowd is being updated");
    lua_settop(L, 1);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    push_list(L, user_graphs);
    lua_pushnil(L);
    if (crowd->untidy)
        tidy(L, crowd, list_index);
    push_list(L, user_subscriptions);
    crowd->newest = luax_newest_of_crowd(L, crowd, lua_gettop(L));
    lua_settop(L, error_index);
    call c = {L, false};
    const anim_crowd_host host = {advance, deliver, evaluate, &c};
    anim_error err;
    crowd->running = L;
    anim_code code = anim_crowd_update(crowd->crowd, dt, mute, &host, &err);
    end_update(L, crowd);
    if (c.raised) {
        lua_pushvalue(L, error_index);
        return lua_error(L);
    }
    if (code)
        luax_fail_core(L, NULL, &err);
    return 0;
}

// --- palettes ---------------------------------------------------------------------------------------

static const anim_skin* skin_at(lua_State* L, int index)
{
    return luax_object(L, index, LUAX_ARG(index), LUAX_SKIN);
}

static size_t palette_size(const anim_skin* skin, bool small)
{
    return (size_t)skin->joint_count * (small ? 12 : 16) * sizeof(float);
}

// list[skin at index 2] = value at the top, which is popped.
static void note_of_skin(lua_State* L, int which)
{
    push_list(L, which);
    lua_insert(L, -2);
    lua_pushvalue(L, 2);
    lua_insert(L, -2);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

static int get_palettes(lua_State* L)
{
    luax_crowd* crowd = self(L);
    const anim_skin* skin = skin_at(L, 2);
    luax_at_most(L, 3);
    bool small = luax_is_3x4(L, 3);
    lua_settop(L, 2);
    int which = small ? user_palettes_3x4 : user_palettes;
    size_t size = anim_crowd_palette_count(crowd->crowd, skin) * palette_size(skin, small);
    push_list(L, which);
    lua_pushvalue(L, 2);
    lua_rawget(L, 3);
    luax_box* box = lua_isnil(L, 4) ? NULL : lua_touserdata(L, 4);
    luax_buffer* buffer = box ? box->object : NULL;
    if (buffer) {
        luax_resize_buffer(L, buffer, size);
    } else {
        buffer = luax_push_buffer(L, size);
        lua_replace(L, 4);
        lua_pushvalue(L, 4);
        note_of_skin(L, which);
    }
    lua_pushboolean(L, small);
    note_of_skin(L, user_layouts);
    anim_crowd_palettes(crowd->crowd, skin, small, buffer->bytes);
    lua_settop(L, 4);
    return 1;
}

// Without a layout: that of the last getPalettes of this skin.
static int get_offset(lua_State* L)
{
    luax_crowd* crowd = self(L);
    const luax_graph* holder = member_at(L, crowd, 2);
    const anim_skin* skin = skin_at(L, 3);
    luax_at_most(L, 4);
    bool small = luax_is_3x4(L, 4);
    if (!luax_is_given(L, 4)) {
        push_list(L, user_layouts);
        lua_pushvalue(L, 3);
        lua_rawget(L, -2);
        small = lua_toboolean(L, -1);
    }
    uint32_t at = anim_crowd_palette_of(crowd->crowd, holder->graph, skin);
    if (at == UINT32_MAX)
        luax_fail(L, LUAX_ARG(3), "skin of the graph's skeleton expected, got one of another");
    lua_pushinteger(L, (lua_Integer)(at * palette_size(skin, small)));
    return 1;
}

const luaL_Reg luax_crowd_methods[] = {
    {"add", add},
    {"remove", remove_graph},
    {"update", update},
    {"on", on},
    {"setRate", set_rate},
    {"getRate", get_rate},
    {"getPalettes", get_palettes},
    {"getOffset", get_offset},
    {"getThreads", get_threads},
    {"__len", count},
    {"__tostring", to_string},
    {NULL, NULL},
};
