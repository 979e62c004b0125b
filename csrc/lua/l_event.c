// SPDX-License-Identifier: MIT
// Events to Lua: subscriptions and their delivery, events(), active().
#include "lua/graph.h"
#include "lua/objects.h"

#include "base/mem.h"

#include <stdatomic.h>
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
    if (subscription->holder)
        luax_release_holder(subscription->holder);
    else
        luax_release_crowd(subscription->crowd);
    anim_mem_free(subscription);
}

static luax_subscription* subscription_at(lua_State* L, int index)
{
    return ((luax_box*)lua_touserdata(L, index))->object;
}

static bool is_alive(const luax_subscription* s)
{
    if (!s || !s->active)
        return false;
    if (!s->holder)
        return s->crowd->crowd && !s->crowd->doomed;
    const luax_graph* holder = s->holder;
    return holder->graph && !holder->doomed &&
           (s->uid == 0 || anim_topology_has(holder->graph->topology, s->place, s->uid));
}

// Takes out of the list at the top, `count` long, what is cancelled or of nodes that are gone. How long it
// is then.
static int compact(lua_State* L, int count)
{
    int kept = 0;
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        luax_subscription* s = subscription_at(L, -1);
        if (is_alive(s)) {
            lua_rawseti(L, -2, ++kept);
            continue;
        }
        if (s)
            s->active = false;
        lua_pop(L, 1);
    }
    for (int i = kept + 1; i <= count; i++) {
        lua_pushnil(L);
        lua_rawseti(L, -2, i);
    }
    return kept;
}

static void compact_own(lua_State* L, luax_graph* holder)
{
    holder->subscriptions = compact(L, holder->subscriptions);
    holder->stale = false;
}

void luax_compact_crowd(lua_State* L, luax_crowd* crowd, int list)
{
    if (!crowd->stale || crowd->tellers > 0)
        return;
    lua_pushvalue(L, list);
    crowd->subscriptions = compact(L, crowd->subscriptions);
    crowd->stale = false;
    lua_pop(L, 1);
}

// Pushes a new one, of nobody yet. Stack: the event's name at 2, then the function.
static luax_subscription* new_subscription(lua_State* L)
{
    // One count for all: a graph's and its crowd's hear in the order in which they subscribed.
    static atomic_uint_fast64_t serials;
    const char* name = luax_name(L, 2, LUAX_ARG(2));
    if (!lua_isfunction(L, 3))
        luax_expected_type(L, 3, LUAX_ARG(3), "function");
    luax_box* box = luax_new(L, LUAX_SUBSCRIPTION);
    luax_get_user(L, -1);
    lua_pushvalue(L, 3);
    lua_rawseti(L, -2, user_function);
    lua_pop(L, 1);
    luax_subscription* s = anim_mem_alloc(sizeof *s + strlen(name) + 1);
    if (!s)
        luaL_error(L, "not enough memory");
    *s = (luax_subscription){.serial = ++serials, .active = true};
    s->all = strcmp(name, "*") == 0;
    memcpy(s->name, name, strlen(name) + 1);
    box->object = s;
    return s;
}

// `graph`: index of the graph's userdata.
static int subscribe(lua_State* L, luax_graph* holder, int graph, const luax_node* node)
{
    luax_subscription* s = new_subscription(L);
    s->place = node ? node->place : 0;
    s->uid = node ? node->uid : 0;
    s->holder = holder;
    holder->refs++;
    luax_get_user(L, -1);
    lua_pushvalue(L, graph); // keeps what the handle needs
    lua_rawseti(L, -2, user_graph);
    lua_pop(L, 1);
    luax_graph_user(L, graph, LUAX_USER_SUBSCRIPTIONS);
    if (holder->stale && !holder->running && holder->graph->events.count == 0)
        compact_own(L, holder);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, holder->subscriptions + 1);
    holder->subscriptions++;
    lua_pop(L, 1);
    luax_note_in_crowd(holder);
    return 1;
}

int luax_subscribe_crowd(lua_State* L, luax_crowd* crowd, int list)
{
    luax_subscription* s = new_subscription(L);
    s->crowd = crowd;
    crowd->refs++;
    luax_compact_crowd(L, crowd, list);
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, crowd->subscriptions + 1);
    crowd->subscriptions++;
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
    *(s->holder ? &s->holder->stale : &s->crowd->stale) = true;
    luax_get_user(L, 1);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, user_function);
    return 0;
}

static int is_active(lua_State* L)
{
    lua_pushboolean(L, is_alive(luax_self(L, LUAX_SUBSCRIPTION)));
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
           (!s->holder || s->uid == 0 || is_of_node(holder->graph->topology, s, item));
}

// Where a delivery is: the graph's Subscriptions are the list at index 2, those of its crowd at 3.
typedef struct delivery {
    luax_graph* holder;
    luax_crowd* crowd; // NULL: it is in none, or nobody subscribed there
    uint64_t last[2];  // serials of the last subscriptions that take part, of each list
} delivery;

enum { own_list = 2, crowd_list };

// The serial of the first in a list, behind place *at, that is for this event and after `serial`; UINT64_MAX:
// there is none. The list is not compacted meanwhile, so places stay.
static uint64_t look_for(lua_State* L, const delivery* d, const anim_happening* item,
                         uint64_t serial, int list, int* at)
{
    int count = list == own_list ? d->holder->subscriptions
                : d->crowd       ? d->crowd->subscriptions
                                 : 0;
    for (int i = *at + 1; i <= count; i++) {
        lua_rawgeti(L, list, i);
        const luax_subscription* s = subscription_at(L, -1);
        lua_pop(L, 1);
        if (s && s->serial > serial && s->serial <= d->last[list - own_list] &&
            is_for(d->holder, s, item)) {
            *at = i - 1; // it is found again until it has been told
            return s->serial;
        }
    }
    *at = count;
    return UINT64_MAX;
}

// Pushes the next subscription after `serial` that is for this event; 0: none, else its serial. `at`: how
// far the two lists were looked through.
static uint64_t next_subscription(lua_State* L, const delivery* d, const anim_happening* item,
                                  uint64_t serial, int at[2])
{
    uint64_t own = look_for(L, d, item, serial, own_list, &at[0]);
    uint64_t other = look_for(L, d, item, serial, crowd_list, &at[1]);
    if (own == UINT64_MAX && other == UINT64_MAX)
        return 0;
    bool is_own = own < other;
    lua_rawgeti(L, is_own ? own_list : crowd_list, at[!is_own] + 1);
    return is_own ? own : other;
}

void luax_forget_told(luax_graph* holder)
{
    if (holder->telling)
        anim_clip_release(holder->told.clip);
    holder->telling = false;
}

static void tell(lua_State* L, const delivery* d)
{
    luax_graph* holder = d->holder;
    int at[2] = {0, 0};
    uint64_t serial;
    while (!holder->doomed &&
           (serial = next_subscription(L, d, &holder->told, holder->told_to, at)) != 0) {
        holder->told_to = serial;
        luax_get_user(L, -1);
        lua_rawgeti(L, -1, user_function);
        lua_call(L, luax_push_happening(L, holder, &holder->told), 0);
        lua_settop(L, crowd_list);
    }
    luax_forget_told(holder);
}

// The newest serial in a list; released ones at its end are passed over.
static uint64_t newest_of(lua_State* L, int list, int count)
{
    const luax_subscription* s = NULL;
    for (int i = count; i >= 1 && !s; i--) {
        lua_rawgeti(L, list, i);
        s = subscription_at(L, -1);
        lua_pop(L, 1);
    }
    return s ? s->serial : 0;
}

uint64_t luax_newest_of_crowd(lua_State* L, const luax_crowd* crowd, int list)
{
    return newest_of(L, list, crowd->subscriptions);
}

// Runs protected (luax_deliver). What a callback queues or subscribes to waits for the next update.
int luax_graph_deliver(lua_State* L)
{
    delivery d = {.holder = luax_holder_at(L, 1)};
    luax_graph* holder = d.holder;
    d.crowd = luax_crowd_of(holder);
    anim_event_queue* queue = &holder->graph->events;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    luax_graph_user(L, 1, LUAX_USER_SUBSCRIPTIONS);
    luax_graph_user(L, 1, LUAX_USER_CROWD);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
    d.last[0] = newest_of(L, own_list, holder->subscriptions);
    if (d.crowd)
        d.last[1] = d.crowd->running ? d.crowd->newest
                                     : luax_newest_of_crowd(L, d.crowd, crowd_list);
    uint32_t left = queue->count, index = 0;
    if (holder->telling)
        tell(L, &d);
    for (; left > 0 && index < queue->count && !holder->doomed; left--) {
        int at[2] = {0, 0};
        if (!next_subscription(L, &d, &queue->items[index], 0, at)) {
            anim_event_queue_offer(queue, index++);
            continue;
        }
        lua_settop(L, crowd_list);
        anim_event_queue_take(queue, index, &holder->told);
        holder->told_to = 0;
        holder->telling = true;
        tell(L, &d);
    }
    lua_settop(L, own_list);
    if (holder->stale && !holder->doomed)
        compact_own(L, holder);
    return 0;
}

bool luax_deliver(lua_State* L, luax_graph* holder)
{
    anim_event_queue* queue = &holder->graph->events;
    luax_crowd* crowd = luax_crowd_of(holder);
    bool has_others = crowd && crowd->subscriptions > 0;
    bool is_needed = (holder->subscriptions > 0 && (queue->count > 0 || holder->stale)) ||
                     (has_others && queue->count > 0);
    if (!is_needed && !holder->telling) {
        for (uint32_t i = 0; i < queue->count; i++)
            anim_event_queue_offer(queue, i);
        return true;
    }
    luaL_getmetafield(L, 1, "__deliver");
    lua_pushvalue(L, 1);
    holder->graph->delivering = true;
    if (crowd) { // a callback may take the graph out of it, or release it
        crowd->refs++;
        crowd->tellers++;
    }
    bool fine = lua_pcall(L, 1, 0, 0) == 0;
    if (crowd) {
        crowd->tellers--;
        luax_release_crowd(crowd);
    }
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
