// SPDX-License-Identifier: MIT
// What anim.load and anim.loadAsync share (l_model.c).
#pragma once

#include "import/import.h"
#include "lua/luax.h"

extern const uint64_t luax_largest_file;

typedef struct luax_load_options {
    anim_import_desc desc;
    int read; // stack index of the function, 0: none
    int loop; // stack index of the value, 0: none
    bool packs;
    anim_pack_desc pack;
} luax_load_options;

// Options at stack index `table`; what is needed later stays on the stack.
luax_load_options luax_read_load_options(lua_State* L, int table);

// Sets desc.read and desc.user: other files come from the function at stack index `read`. What lies on the
// stack then must stay there while it is used.
void luax_read_with_script(lua_State* L, luax_load_options* options);

// Other files lie beside the one whose path is `user`; or there are none.
anim_code luax_read_beside(void* user, const char* uri, anim_blob* out, anim_error* err);
anim_code luax_read_nothing(void* user, const char* uri, anim_blob* out, anim_error* err);

// Pushes the table that scripts are given. `options`: the number of the argument with the options, for
// messages; `loop`: stack index of that option, 0: none.
void luax_push_model(lua_State* L, const anim_model* model, const char* name, int options,
                     int loop);

// Sets meshes, meshUses, materials and images in the table at the top (l_geometry.c).
void luax_put_geometry(lua_State* L, const anim_geometry* geometry);
