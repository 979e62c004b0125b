// SPDX-License-Identifier: MIT
// anim.save: a model table to an .anim file.
#include "lua/clip.h"
#include "lua/files.h"
#include "lua/objects.h"
#include "lua/table.h"

#include "base/mem.h"

#include <string.h>

typedef struct saving {
    lua_State* L;
    anim_arena* arena;
    int renamed; // stack index of a list that keeps clips made here
    const anim_skeleton* skeleton;
    anim_archive_desc desc;
} saving;

// --- clips --------------------------------------------------------------------------------------

typedef struct clip_list {
    anim_clip** clips;
    const char** names;
    uint32_t count;
} clip_list;

static bool is_in(const clip_list* list, const anim_clip* clip)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->clips[i] == clip)
            return true;
    return false;
}

// The same clip under the name that the model has for it.
static anim_clip* rename_clip(saving* s, anim_clip* clip, const char* name)
{
    lua_State* L = s->L;
    const anim_clip_variant variant = {.name = name, .loop = -1, .duration = -1};
    anim_clip* made = luax_derive_clip(L, clip, &variant);
    lua_rawseti(L, s->renamed, (int)lua_objlen(L, s->renamed) + 1);
    return made;
}

// The clip at the top, from the list or, only where it is not there, by name.
static void add_clip(saving* s, const luax_map_key* key, const luax_place* at, clip_list* list)
{
    lua_State* L = s->L;
    anim_clip* clip = luax_object(L, -1, at, LUAX_CLIP);
    if (!anim_skeleton_same(clip->keys->skeleton, s->skeleton))
        luax_fail(L, at, "clip of the model's skeleton expected, got one of another");
    if (key->name && is_in(list, clip))
        return;
    const char* name = key->name ? key->name : clip->name;
    if (strcmp(name, clip->name) != 0)
        clip = rename_clip(s, clip, name);
    list->clips[list->count] = clip;
    list->names[list->count++] = clip->name;
}

static void read_clips(saving* s, const luax_place* above)
{
    lua_State* L = s->L;
    int table = lua_gettop(L);
    uint32_t count;
    const luax_map_key* keys = luax_map(L, table, above, true, s->arena, &count);
    clip_list list = {.clips = luax_alloc(L, s->arena, count, sizeof *list.clips),
                      .names = luax_alloc(L, s->arena, count, sizeof *list.names)};
    for (uint32_t i = 0; i < count; i++) {
        luax_place at;
        luax_map_get(L, table, above, &keys[i], &at);
        add_clip(s, &keys[i], &at, &list);
        lua_pop(L, 1);
    }
    anim_names names = luax_index_names(L, s->arena, list.names, list.count);
    int32_t twice = anim_names_duplicate(&names);
    if (twice >= 0)
        luax_fail(L, above,
                  "two clips are named '%.64s' (a clip is in the list and by name: "
                  "replace both)",
                  list.names[twice]);
    s->desc.clips = list.clips;
    s->desc.clip_count = list.count;
}

// --- skins and morphs ---------------------------------------------------------------------------

static void read_skins(saving* s, const luax_place* above)
{
    lua_State* L = s->L;
    int list = lua_gettop(L);
    uint32_t count = luax_list(L, list, above);
    anim_skin** skins = luax_alloc(L, s->arena, count, sizeof *skins);
    for (uint32_t i = 0; i < count; i++) {
        luax_place at = luax_item(above, (int)i + 1);
        lua_rawgeti(L, list, (int)i + 1);
        skins[i] = luax_object(L, -1, &at, LUAX_SKIN);
        if (!anim_skeleton_same(skins[i]->skeleton, s->skeleton))
            luax_fail(L, &at, "skin of the model's skeleton expected, got one of another");
        lua_pop(L, 1);
    }
    s->desc.skins = skins;
    s->desc.skin_count = count;
}

// The list of names in a field of the table at the top; NULL where there is none.
static const char** read_names(saving* s, const luax_place* above, const char* key, uint32_t* count)
{
    lua_State* L = s->L;
    luax_place at;
    const char** names = NULL;
    if (luax_field(L, lua_gettop(L), above, key, &at)) {
        int list = lua_gettop(L);
        *count = luax_list(L, list, &at);
        names = luax_alloc(L, s->arena, *count, sizeof *names);
        for (uint32_t i = 0; i < *count; i++) {
            luax_place item = luax_item(&at, (int)i + 1);
            lua_rawgeti(L, list, (int)i + 1);
            names[i] = luax_name(L, -1, &item);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return names;
}

static const char* const* default_curves(saving* s, const anim_morph* morph)
{
    const char** curves = luax_alloc(s->L, s->arena, morph->target_count, sizeof *curves);
    for (uint32_t i = 0; i < morph->target_count; i++) {
        curves[i] = anim_arena_format(s->arena, "%s.%s", morph->name, morph->targets[i]);
        if (!curves[i])
            luaL_error(s->L, "not enough memory");
    }
    return curves;
}

// The table of one morph at the top.
static anim_morph read_morph(saving* s, const luax_place* above)
{
    static const char* const fields[] = {"name", "targets", "curves", "weights", NULL};
    lua_State* L = s->L;
    int table = lua_gettop(L);
    luax_place at;
    anim_morph morph = {0};
    luax_record(L, table, above, fields, 0);
    luax_field(L, table, above, "name", &at);
    morph.name = luax_name(L, -1, &at);
    lua_pop(L, 1);
    morph.targets = read_names(s, above, "targets", &morph.target_count);
    if (!morph.targets)
        luax_fail(L, above, "targets, a list of names, expected");
    uint32_t curve_count = morph.target_count;
    morph.curves = read_names(s, above, "curves", &curve_count);
    if (curve_count != morph.target_count)
        luax_fail(L, above, "%u curves for %u targets", (unsigned)curve_count,
                  (unsigned)morph.target_count);
    if (!morph.curves)
        morph.curves = default_curves(s, &morph);
    float* weights = luax_alloc(L, s->arena, morph.target_count, sizeof *weights);
    if (luax_field(L, table, above, "weights", &at))
        luax_vector(L, lua_gettop(L), &at, weights, morph.target_count);
    lua_pop(L, 1);
    morph.weights = weights;
    return morph;
}

static void read_morphs(saving* s, const luax_place* above)
{
    lua_State* L = s->L;
    int list = lua_gettop(L);
    uint32_t count = luax_list(L, list, above);
    anim_morph* morphs = luax_alloc(L, s->arena, count, sizeof *morphs);
    for (uint32_t i = 0; i < count; i++) {
        luax_place item = luax_item(above, (int)i + 1);
        lua_rawgeti(L, list, (int)i + 1);
        morphs[i] = read_morph(s, &item);
        lua_pop(L, 1);
    }
    s->desc.morphs = morphs;
    s->desc.morph_count = count;
}

// --- the whole ----------------------------------------------------------------------------------

static void read_part(saving* s, const char* key, void (*read)(saving*, const luax_place*))
{
    luax_place at;
    if (luax_field(s->L, 1, LUAX_ARG(1), key, &at))
        read(s, &at);
    lua_pop(s->L, 1);
}

static void read_skeleton(saving* s)
{
    luax_place at;
    luax_field(s->L, 1, LUAX_ARG(1), "skeleton", &at);
    s->skeleton = luax_object(s->L, -1, &at, LUAX_SKELETON);
    lua_pop(s->L, 1);
    s->desc.skeleton = s->skeleton;
}

int luax_save(lua_State* L)
{
    enum { renamed = 3 };
    if (!lua_istable(L, 1))
        luax_expected_type(L, 1, LUAX_ARG(1), "table of a model");
    const char* path = luax_text(L, 2, LUAX_ARG(2));
    luax_at_most(L, 2);
    luaL_checkstack(L, 40, NULL);
    lua_newtable(L);
    luax_scratch scratch = luax_new_scratch(L);
    saving s = {.L = L, .arena = scratch.arena, .renamed = renamed};
    read_skeleton(&s);
    read_part(&s, "clips", read_clips);
    read_part(&s, "skins", read_skins);
    read_part(&s, "morphs", read_morphs);

    anim_blob blob = {0};
    anim_error err;
    anim_code code = anim_archive_write(&s.desc, &blob, &err);
    if (!code)
        code = luax_write_file(path, &blob, &err);
    anim_mem_free(blob.bytes);
    if (code)
        return luax_return_error(L, &err);
    lua_pushboolean(L, true);
    luax_empty(LUAX_SCRATCH, scratch.box);
    return 1;
}
