// SPDX-License-Identifier: MIT
// Morph targets. Every mesh with targets becomes a morph whose targets are driven by curves of the
// clips; nodes that share a mesh share its morph as long as nothing sets them apart.
#include "import/gltf.h"

#include "base/hash.h"

#include <string.h>

typedef struct mesh {
    bool is_read;
    const char* name; // "" where it has none
    uint32_t target_count;
    anim_json_value target_names;
    const char** targets; // names; NULL: not made yet
    float* weights;       // at rest
    uint64_t weight_hash;
    bool has_morph;
} mesh;

typedef struct builder {
    anim_gltf* g;
    mesh* meshes;
    anim_morph* morphs; // to be copied into the model
    uint32_t count;
    uint32_t* slots; // hash of mesh and use -> morph + 1
    uint32_t slot_count;
    int32_t* morph_mesh;
    uint64_t* morph_hash;
    anim_unique names, curves;
} builder;

// --- meshes -------------------------------------------------------------------------------------

// Weights at rest; where they are absent or do not fit, *out stays as it is.
static bool read_weights(anim_gltf* g, anim_json_value at, uint32_t count, float** out,
                         uint64_t* hash)
{
    if (!at)
        return true;
    if (anim_json_get_count(&g->json, at) != count) {
        anim_gltf_warn(g, at, "%u weights for %u morph targets; ignored",
                       anim_json_get_count(&g->json, at), count);
        return true;
    }
    *out = anim_gltf_alloc(g, count, sizeof **out);
    if (!*out || !anim_gltf_get_floats(g, at, count, *out))
        return false;
    *hash = anim_hash(ANIM_HASH_START, *out, count * sizeof **out);
    return true;
}

static bool fill_mesh(anim_gltf* g, anim_json_value at, mesh* m)
{
    enum { extras, name, primitives, weights, count };
    static const char* const keys[count] = {"extras", "name", "primitives", "weights"};
    static const char* const target_keys[] = {"targets"};
    static const char* const name_keys[] = {"targetNames"};
    anim_json_value v[count], targets = 0;
    anim_gltf_list parts;
    if (!anim_gltf_pick(g, at, keys, count, v) || !anim_gltf_get_list(g, v[primitives], &parts) ||
        (parts.count > 0 && !anim_gltf_pick(g, parts.at[0], target_keys, 1, &targets)))
        return false;
    m->target_count = targets ? anim_json_get_count(&g->json, targets) : 0;
    if (m->target_count == 0)
        return true;
    // Extras are free in form: names are taken where they are as usual.
    if (v[extras])
        anim_json_pick(&g->json, v[extras], name_keys, 1, &m->target_names);
    m->name = anim_gltf_get_name(g, v[name], NULL, 0);
    m->weights = anim_gltf_alloc(g, m->target_count, sizeof *m->weights);
    if (!m->name || !m->weights)
        return false;
    m->weight_hash = anim_hash(ANIM_HASH_START, m->weights, m->target_count * sizeof *m->weights);
    return read_weights(g, v[weights], m->target_count, &m->weights, &m->weight_hash);
}

static bool read_mesh(builder* b, uint32_t index, mesh** out)
{
    mesh* m = &b->meshes[index];
    *out = m;
    if (m->is_read)
        return true;
    m->is_read = true;
    return fill_mesh(b->g, b->g->mesh_list.at[index], m);
}

static bool name_targets(builder* b, mesh* m)
{
    anim_gltf* g = b->g;
    anim_unique names = {.arena = &g->arena};
    uint32_t named = m->target_names ? anim_json_get_count(&g->json, m->target_names) : 0;
    anim_json_value at = anim_json_first(m->target_names);
    m->targets = anim_gltf_alloc(g, m->target_count, sizeof *m->targets);
    if (!m->targets)
        return false;
    for (uint32_t i = 0; i < m->target_count; i++) {
        bool has_name = i < named && anim_json_get_kind(&g->json, at) == ANIM_JSON_STRING;
        const char* name = anim_gltf_get_name(g, has_name ? at : 0, "", i + 1);
        name = name ? anim_gltf_make_unique(g, &names, name, m->target_names) : NULL;
        if (!name)
            return false;
        m->targets[i] = name;
        if (i < named)
            at = anim_json_next(&g->json, at);
    }
    return true;
}

// --- nodes --------------------------------------------------------------------------------------

// How clips treat the weights of each node, as a hash: equal where they treat two nodes alike.
static void hash_animations(anim_gltf* g)
{
    for (uint32_t a = 0; a < g->animation_list.count; a++)
        for (uint32_t i = 0; i < g->animations[a].channel_count; i++) {
            const anim_gltf_channel* c = &g->animations[a].channels[i];
            if (c->path < ANIM_GLTF_WEIGHTS)
                continue;
            const uint32_t use[] = {a, c->path, c->weight, c->interp, c->input, c->output};
            uint64_t* hash = &g->nodes[c->node].weight_hash;
            *hash = anim_hash(*hash, use, sizeof use);
        }
}

static const char* join(anim_gltf* g, const char* name, const char* target)
{
    enum { longest = ANIM_MAX_NAME / 2 - 8 };
    const char* curve = anim_arena_format(&g->arena, "%.*s.%.*s", longest, name, longest, target);
    if (!curve)
        anim_gltf_fail_alloc(g, strlen(name) + strlen(target) + 2);
    return curve;
}

// After the mesh, else the node, else the mesh's number; a mesh's second morph after the node.
static bool name_morph(builder* b, const anim_gltf_node* node, const mesh* m, anim_morph* morph)
{
    anim_gltf* g = b->g;
    const char* name = m->name;
    if (m->has_morph)
        name = anim_gltf_get_name(g, node->name, "node", (uint32_t)(node - g->nodes));
    else if (!*name)
        name = anim_gltf_get_name(g, node->name, NULL, 0);
    if (name && !*name)
        name = anim_gltf_get_name(g, 0, "mesh", (uint32_t)node->mesh);
    name = name ? anim_gltf_make_unique(g, &b->names, name, g->mesh_list.at[node->mesh]) : NULL;
    morph->name = name ? anim_gltf_keep_text(g, name) : NULL;
    return morph->name != NULL;
}

static bool build_morph(builder* b, const anim_gltf_node* node, mesh* m, const float* weights,
                        anim_morph* morph)
{
    anim_gltf* g = b->g;
    uint32_t count = m->target_count;
    if ((!m->targets && !name_targets(b, m)) || !name_morph(b, node, m, morph))
        return false;
    const char** targets = anim_gltf_alloc_kept(g, count, sizeof *targets);
    const char** curves = targets ? anim_gltf_alloc_kept(g, count, sizeof *curves) : NULL;
    float* rest = curves ? anim_gltf_alloc_kept(g, count, sizeof *rest) : NULL;
    if (!rest)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char* curve = join(g, morph->name, m->targets[i]);
        curve = curve ? anim_gltf_make_unique(g, &b->curves, curve, m->target_names) : NULL;
        targets[i] = anim_gltf_keep_text(g, m->targets[i]);
        curves[i] = curve && targets[i] ? anim_gltf_keep_text(g, curve) : NULL;
        if (!curves[i])
            return false;
    }
    memcpy(rest, weights, count * sizeof *rest);
    morph->target_count = count;
    morph->targets = targets;
    morph->curves = curves;
    morph->weights = rest;
    m->has_morph = true;
    return true;
}

// Gives the node its morph: that of a node with the same mesh, weights and animation, or a new one.
static bool assign_morph(builder* b, anim_gltf_node* node)
{
    mesh* m;
    if (!read_mesh(b, (uint32_t)node->mesh, &m))
        return false;
    if (m->target_count == 0)
        return true;
    float* weights = m->weights;
    uint64_t weight_hash = m->weight_hash;
    if (!read_weights(b->g, node->weights, m->target_count, &weights, &weight_hash))
        return false;
    const uint64_t key[] = {(uint64_t)node->mesh, weight_hash, node->weight_hash};
    uint64_t hash = anim_hash(ANIM_HASH_START, key, sizeof key);
    uint32_t slot = (uint32_t)(hash >> 32) & (b->slot_count - 1);
    for (; b->slots[slot]; slot = (slot + 1) & (b->slot_count - 1)) {
        uint32_t found = b->slots[slot] - 1;
        if (b->morph_hash[found] == hash && b->morph_mesh[found] == node->mesh) {
            node->morph = (int32_t)found;
            return true;
        }
    }
    if (!build_morph(b, node, m, weights, &b->morphs[b->count]))
        return false;
    b->morph_hash[b->count] = hash;
    b->morph_mesh[b->count] = node->mesh;
    node->morph = (int32_t)b->count++;
    b->slots[slot] = b->count;
    return true;
}

static bool has_mesh(const anim_gltf_node* node, bool drawn)
{
    return node->mesh >= 0 && (node->is_kept || node->has_skin || (drawn && node->in_scene));
}

static bool init(builder* b, uint32_t most)
{
    anim_gltf* g = b->g;
    for (b->slot_count = 16; b->slot_count / 2 < most;)
        b->slot_count *= 2;
    b->names.arena = b->curves.arena = &g->arena;
    b->meshes = anim_gltf_alloc(g, g->mesh_list.count, sizeof *b->meshes);
    b->morphs = b->meshes ? anim_gltf_alloc(g, most, sizeof *b->morphs) : NULL;
    b->slots = b->morphs ? anim_gltf_alloc(g, b->slot_count, sizeof *b->slots) : NULL;
    b->morph_mesh = b->slots ? anim_gltf_alloc(g, most, sizeof *b->morph_mesh) : NULL;
    b->morph_hash = b->morph_mesh ? anim_gltf_alloc(g, most, sizeof *b->morph_hash) : NULL;
    return b->morph_hash != NULL;
}

bool anim_gltf_build_morphs(anim_gltf* g)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < g->node_list.count; i++)
        most += has_mesh(&g->nodes[i], g->desc->geometry);
    builder b = {.g = g};
    if (most == 0)
        return true;
    if (!init(&b, most))
        return false;
    hash_animations(g);
    for (uint32_t i = 0; i < g->node_list.count; i++)
        if (has_mesh(&g->nodes[i], g->desc->geometry) && !assign_morph(&b, &g->nodes[i]))
            return false;
    anim_morph* morphs = anim_gltf_alloc_kept(g, b.count, sizeof *morphs);
    if (!morphs)
        return false;
    memcpy(morphs, b.morphs, b.count * sizeof *morphs);
    g->model->morphs = morphs;
    g->model->morph_count = b.count;
    return true;
}
