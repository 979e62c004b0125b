// SPDX-License-Identifier: MIT
// Events to Lua: subscriptions and their delivery, events(), active().
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"

#include <string.h>

// In the user value of a Subscription.
enum { user_function = 1, user_graph };

const char* luax_event_name(const anim_happening* item)
{
    switch (item->kind) {
    case ANIM_EVENT_LOOP: return "loop";
    case ANIM_EVENT_DONE: return "done";
    case ANIM_EVENT_ENTER: return "enter";
    case ANIM_EVENT_EXIT: return "exit";
    default: return anim_clip_event_name(item->clip, item->event);
    }
}

// --- subscriptions ----------------------------------------------------------------------------------

void luax_drop_subscription(void* object)
{
    luax_subscription* subscription = object;
    luax_release_holder(subscription->holder);
    anim_mem_free(subscription);
}

static luax_subscription* subscription_at(lua_State* L, int index)
{
    return ((luax_box*)lua_touserdata(L, index))->object;
}

static bool is_alive(const luax_graph* holder, const luax_subscription* s)
{
    return s && s->active &&
           (s->uid == 0 || anim_topology_has(holder->graph->topology, s->place, s->uid));
}

// Takes out of the list at the top what is cancelled or of nodes that are gone.
static void compact(lua_State* L, luax_graph* holder)
{
    int kept = 0;
    for (int i = 1; i <= holder->subscriptions; i++) {
        lua_rawgeti(L, -1, i);
        luax_subscription* s = subscription_at(L, -1);
        if (is_alive(holder, s)) {
            lua_rawseti(L, -2, ++kept);
            continue;
        }
        if (s)
            s->active = false;
        lua_pop(L, 1);
    }
    for (int i = kept + 1; i <= holder->subscriptions; i++) {
        lua_pushnil(L);
        lua_rawseti(L, -2, i);
    }
    holder->subscriptions = kept;
    holder->stale = false;
}

// Stack: the event's name at `argument`, then the function. `graph`: index of the graph's userdata.
static int subscribe(lua_State* L, luax_graph* holder, int graph, const luax_node* node)
{
    const char* name = luax_name(L, 2, LUAX_ARG(2));
    if (!lua_isfunction(L, 3))
        luax_expected_type(L, 3, LUAX_ARG(3), "function");
    luax_box* box = luax_new(L, LUAX_SUBSCRIPTION);
    luax_get_user(L, -1);
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, user_function);
    lua_pushvalue(L, graph); // keeps what the handle needs
    lua_rawseti(L, -2, user_graph);
    lua_pop(L, 1);
    luax_subscription* s = anim_mem_alloc(sizeof *s + strlen(name) + 1);
    if (!s)
        return luaL_error(L, "not enough memory");
    *s = (luax_subscription){.holder = holder, .serial = ++holder->serial, .active = true};
    s->place = node ? node->place : 0;
    s->uid = node ? node->uid : 0;
    s->all = strcmp(name, "*") == 0;
    memcpy(s->name, name, strlen(name) + 1);
    holder->refs++;
    luax_fill(L, LUAX_SUBSCRIPTION, box, s);
    luax_graph_user(L, graph, LUAX_USER_SUBSCRIPTIONS);
    if (holder->stale && !holder->running && holder->graph->events.count == 0)
        compact(L, holder);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, holder->subscriptions + 1);
    holder->subscriptions++;
    lua_pop(L, 1);
    return 1;
}

int luax_graph_on(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    luax_at_most(L, 3);
    return subscribe(L, holder, 1, NULL);
}

int luax_node_on(lua_State* L)
{
    luax_node* node = luax_node_at(L, 1);
    luax_at_most(L, 3);
    lua_settop(L, 3);
    luax_get_user(L, 1);
    lua_rawgeti(L, -1, 1);
    return subscribe(L, node->holder, lua_gettop(L), node);
}

static int cancel(lua_State* L)
{
    luax_subscription* s = luax_self(L, LUAX_SUBSCRIPTION);
    s->active = false;
    s->holder->stale = true;
    luax_get_user(L, 1);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, user_function);
    return 0;
}

static int is_active(lua_State* L)
{
    const luax_subscription* s = luax_self(L, LUAX_SUBSCRIPTION);
    const luax_graph* holder = s->holder;
    lua_pushboolean(L, holder->graph && !holder->doomed && is_alive(holder, s));
    return 1;
}

static int subscription_to_string(lua_State* L)
{
    const luax_subscription* s = luax_self_or_released(L, LUAX_SUBSCRIPTION);
    if (s)
        lua_pushfstring(L, "anim.Subscription: %s%s", s->name, s->active ? "" : " (cancelled)");
    return 1;
}

const luaL_Reg luax_subscription_methods[] = {
    {"cancel", cancel},
    {"isActive", is_active},
    {"__tostring", subscription_to_string},
    {NULL, NULL},
};

// --- what a callback is given -----------------------------------------------------------------------

static void push_literal(lua_State* L, const char* text)
{
    luax_push_known(L, 1, text, strlen(text));
}

static void push_edge(lua_State* L, anim_edge edge)
{
    static const char* const edges[] = {NULL, "begin", "end", "done", "interrupted"};
    if (edge == ANIM_EDGE_NONE)
        lua_pushnil(L);
    else
        push_literal(L, edges[edge]);
}

// Pushes what is known of a clip in use (LUAX_USER_CLIPS).
static void push_clip_entry(lua_State* L, const anim_clip* clip)
{
    luax_graph_user(L, 1, LUAX_USER_CLIPS);
    lua_pushnumber(L, (lua_Number)clip->serial);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (lua_istable(L, -1))
        return;
    lua_pop(L, 1);
    lua_newtable(L); // an edit had no memory for it
}

// The same of a machine's `enter` or `exit`: data is the state.
static int push_change(lua_State* L, luax_graph* holder, const anim_happening* item)
{
    const anim_topology* topology = holder->graph->topology;
    bool is_there = anim_topology_has(topology, item->node, item->uid);
    push_literal(L, luax_event_name(item));
    const anim_node* node = is_there ? &topology->nodes[item->node] : NULL;
    if (node && node->kind == ANIM_KIND_MACHINE)
        luax_push_state(L, 1, node, item->event);
    else if (node) // a oneShot's base is its input 0
        lua_pushinteger(L, (lua_Integer)item->event + (node->kind != ANIM_KIND_ONE_SHOT));
    else
        lua_pushnil(L);
    luax_push_node(L, 1, holder, is_there ? item->node : ANIM_NO_NODE);
    lua_pushnil(L);
    lua_pushnumber(L, 0);
    lua_pushnumber(L, (lua_Number)item->weight);
    push_edge(L, item->edge);
    return 7;
}

int luax_push_happening(lua_State* L, luax_graph* holder, const anim_happening* item)
{
    const anim_topology* topology = holder->graph->topology;
    if (!item->clip)
        return push_change(L, holder, item);
    push_clip_entry(L, item->clip);
    int entry = lua_gettop(L);
    if (item->kind == ANIM_EVENT_CLIP) {
        lua_rawgeti(L, entry, 2 + 2 * (int)item->event);
        lua_rawgeti(L, entry, 3 + 2 * (int)item->event);
    } else {
        push_literal(L, luax_event_name(item));
        if (item->kind == ANIM_EVENT_LOOP)
            lua_pushinteger(L, (lua_Integer)item->pass);
        else
            lua_pushnil(L);
    }
    bool is_there = anim_topology_has(topology, item->node, item->uid);
    luax_push_node(L, 1, holder, is_there ? item->node : ANIM_NO_NODE);
    lua_rawgeti(L, entry, 1);
    lua_pushnumber(L, item->time);
    lua_pushnumber(L, (lua_Number)item->weight);
    push_edge(L, item->edge);
    lua_remove(L, entry);
    return 7;
}

// --- delivery ---------------------------------------------------------------------------------------

// Whether `above` is the node of the event, or holds it.
static bool is_of_node(const anim_topology* t, const luax_subscription* s, const anim_happening* e)
{
    if (s->place == e->node && s->uid == e->uid)
        return true;
    if (!anim_topology_has(t, e->node, e->uid))
        return false;
    uint32_t above = t->nodes[e->node].parent;
    while (above != ANIM_NO_NODE && above != s->place)
        above = t->nodes[above].parent;
    return above != ANIM_NO_NODE && t->nodes[above].uid == s->uid;
}

static bool is_for(const luax_graph* holder, const luax_subscription* s, const anim_happening* item)
{
    return s && s->active && (s->all || strcmp(s->name, luax_event_name(item)) == 0) &&
           (s->uid == 0 || is_of_node(holder->graph->topology, s, item));
}

// The place in the list, at index 2, of the next subscription after `serial`, up to `last`, that is for
// this event; its userdata is pushed. 0: none.
static int next_subscription(lua_State* L, const luax_graph* holder, const anim_happening* item,
                             uint64_t serial, uint64_t last, int from)
{
    for (int i = from; i <= holder->subscriptions; i++) {
        lua_rawgeti(L, 2, i);
        const luax_subscription* s = subscription_at(L, -1);
        if (s && s->serial > serial && s->serial <= last && is_for(holder, s, item))
            return i;
        lua_pop(L, 1);
    }
    return 0;
}

void luax_forget_told(luax_graph* holder)
{
    if (holder->telling)
        anim_clip_release(holder->told.clip);
    holder->telling = false;
}

// The list is not compacted meanwhile, so places stay; new subscriptions come after `last`.
static void tell(lua_State* L, luax_graph* holder, uint64_t last)
{
    int at = 0;
    while (!holder->doomed &&
           (at = next_subscription(L, holder, &holder->told, holder->told_to, last, at + 1)) != 0) {
        holder->told_to = subscription_at(L, -1)->serial;
        luax_get_user(L, -1);
        lua_rawgeti(L, -1, user_function);
        lua_call(L, luax_push_happening(L, holder, &holder->told), 0);
        lua_settop(L, 2);
    }
    luax_forget_told(holder);
}

// Runs protected (luax_deliver). What a callback queues or subscribes to waits for the next update.
int luax_graph_deliver(lua_State* L)
{
    luax_graph* holder = luax_holder_at(L, 1);
    anim_event_queue* queue = &holder->graph->events;
    uint64_t last = holder->serial;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    luax_graph_user(L, 1, LUAX_USER_SUBSCRIPTIONS);
    uint32_t left = queue->count, index = 0;
    if (holder->telling)
        tell(L, holder, last);
    for (; left > 0 && index < queue->count && !holder->doomed; left--) {
        if (!next_subscription(L, holder, &queue->items[index], 0, last, 1)) {
            anim_event_queue_offer(queue, index++);
            continue;
        }
        lua_settop(L, 2);
        anim_event_queue_take(queue, index, &holder->told);
        holder->told_to = 0;
        holder->telling = true;
        tell(L, holder, last);
    }
    if (holder->stale && !holder->doomed)
        compact(L, holder);
    return 0;
}

bool luax_deliver(lua_State* L, luax_graph* holder)
{
    anim_event_queue* queue = &holder->graph->events;
    bool is_needed = holder->subscriptions > 0 && (queue->count > 0 || holder->stale);
    if (!is_needed && !holder->telling) {
        for (uint32_t i = 0; i < queue->count; i++)
            anim_event_queue_offer(queue, i);
        return true;
    }
    luaL_getmetafield(L, 1, "__deliver");
    lua_pushvalue(L, 1);
    holder->graph->delivering = true;
    bool fine = lua_pcall(L, 1, 0, 0) == 0;
    holder->graph->delivering = false;
    return fine;
}

// --- iteration --------------------------------------------------------------------------------------

// Each event that is yielded is taken out of the queue.
int luax_graph_next_event(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    lua_settop(L, 1);
    if (holder->graph->events.count == 0) {
        lua_pushnil(L);
        return 1;
    }
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    int count = luax_push_happening(L, holder, &holder->graph->events.items[0]);
    anim_happening item;
    anim_event_queue_take(&holder->graph->events, 0, &item);
    anim_clip_release(item.clip);
    return count;
}

static int iterate(lua_State* L, const char* next)
{
    luaL_getmetafield(L, 1, next);
    lua_pushvalue(L, 1);
    return 2;
}

int luax_graph_events(lua_State* L)
{
    luax_graph_at(L, 1);
    return iterate(L, "__nextEvent");
}

int luax_graph_next_active(lua_State* L)
{
    luax_graph* holder = luax_graph_at(L, 1);
    const anim_topology* topology = holder->graph->topology;
    lua_settop(L, 1);
    while (holder->active < topology->walk_count) {
        uint32_t place = topology->walk[holder->active++];
        float weight = anim_node_get_weight(holder->graph, place);
        if (topology->nodes[place].kind != ANIM_KIND_CLIP || !(weight > 0))
            continue;
        push_clip_entry(L, topology->nodes[place].clip);
        lua_rawgeti(L, -1, 1);
        lua_pushnumber(L, anim_node_get_time(holder->graph, place));
        lua_pushnumber(L, (lua_Number)weight);
        luax_push_node(L, 1, holder, place);
        return 4;
    }
    lua_pushnil(L);
    return 1;
}

int luax_graph_active(lua_State* L)
{
    luax_graph_at(L, 1)->active = 0;
    return iterate(L, "__nextActive");
}
