// SPDX-License-Identifier: MIT
// What models hold to be drawn, as plain tables; vertices, indices and images are strings of bytes.
#include "lua/model.h"

_Static_assert(sizeof(anim_vertex) == 60, "what lua/anim/geometry_types.lua says");
_Static_assert(sizeof(anim_vertex_offset) == 24, "what lua/anim/geometry_types.lua says");

static void put_bytes(lua_State* L, const char* key, const void* bytes, size_t size)
{
    lua_pushlstring(L, bytes, size);
    lua_setfield(L, -2, key);
}

static void put_count(lua_State* L, const char* key, uint32_t count)
{
    lua_pushinteger(L, (lua_Integer)count);
    lua_setfield(L, -2, key);
}

// A place in a list, counted from 1; nothing for -1.
static void put_index(lua_State* L, const char* key, int32_t index)
{
    if (index >= 0)
        put_count(L, key, (uint32_t)index + 1);
}

static void put_floats(lua_State* L, const char* key, const float* values, int count)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, (lua_Number)values[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

static void push_part(lua_State* L, const anim_mesh_part* part, uint32_t target_count)
{
    lua_createtable(L, 0, 8);
    put_index(L, "material", part->material);
    put_count(L, "vertexCount", part->vertex_count);
    put_bytes(L, "vertices", part->vertices, part->vertex_count * sizeof *part->vertices);
    put_count(L, "indexCount", part->index_count);
    put_bytes(L, "indices", part->indices, part->index_count * sizeof *part->indices);
    luax_put_boolean(L, "hasNormals", part->has_normals);
    luax_put_boolean(L, "hasJoints", part->has_joints);
    if (part->targets)
        put_bytes(L, "targets", part->targets,
                  (size_t)part->vertex_count * target_count * sizeof *part->targets);
}

static void push_mesh(lua_State* L, const anim_mesh* mesh)
{
    lua_createtable(L, 0, 3);
    luax_put_string(L, "name", mesh->name);
    put_count(L, "targetCount", mesh->target_count);
    lua_createtable(L, (int)mesh->part_count, 0);
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        push_part(L, &mesh->parts[i], mesh->target_count);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "parts");
}

static void push_use(lua_State* L, const anim_mesh_use* use)
{
    float columns[16];
    lua_createtable(L, 0, 6);
    luax_put_string(L, "name", use->name);
    put_index(L, "mesh", (int32_t)use->mesh);
    put_index(L, "skin", use->skin);
    put_index(L, "joint", use->joint);
    put_index(L, "morph", use->morph);
    anim_mat34_to_columns(&use->matrix, columns);
    put_floats(L, "matrix", columns, 16);
}

static void push_material(lua_State* L, const anim_material* material)
{
    static const char* const modes[] = {"opaque", "mask", "blend"};
    static const char* const wraps[] = {"repeat", "mirroredrepeat", "clamp"};
    lua_createtable(L, 0, 10);
    luax_put_string(L, "name", material->name);
    put_floats(L, "baseColor", material->base_color, 4);
    put_floats(L, "emissive", material->emissive, 3);
    put_index(L, "image", material->image);
    luax_put_string(L, "wrapS", wraps[material->wrap[0]]);
    luax_put_string(L, "wrapT", wraps[material->wrap[1]]);
    luax_put_string(L, "filter", material->nearest ? "nearest" : "linear");
    luax_put_string(L, "alphaMode", modes[material->alpha_mode]);
    luax_put_number(L, "alphaCutoff", (double)material->alpha_cutoff);
    luax_put_boolean(L, "doubleSided", material->double_sided);
    luax_put_boolean(L, "unlit", material->unlit);
}

static void push_image(lua_State* L, const anim_image* image)
{
    lua_createtable(L, 0, 3);
    luax_put_string(L, "name", image->name);
    luax_put_string(L, "mime", image->mime);
    if (image->bytes)
        put_bytes(L, "bytes", image->bytes, image->size);
}

void luax_put_geometry(lua_State* L, const anim_geometry* g)
{
    lua_createtable(L, (int)g->mesh_count, 0);
    for (uint32_t i = 0; i < g->mesh_count; i++) {
        push_mesh(L, &g->meshes[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "meshes");
    lua_createtable(L, (int)g->use_count, 0);
    for (uint32_t i = 0; i < g->use_count; i++) {
        push_use(L, &g->uses[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "meshUses");
    lua_createtable(L, (int)g->material_count, 0);
    for (uint32_t i = 0; i < g->material_count; i++) {
        push_material(L, &g->materials[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "materials");
    lua_createtable(L, (int)g->image_count, 0);
    for (uint32_t i = 0; i < g->image_count; i++) {
        push_image(L, &g->images[i]);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_setfield(L, -2, "images");
}
