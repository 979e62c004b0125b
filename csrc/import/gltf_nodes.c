// SPDX-License-Identifier: MIT
// The tree of nodes, and the skeleton that those of them make that animation needs.
#include "import/gltf.h"

#include <math.h>
#include <string.h>

// --- one node -----------------------------------------------------------------------------------

static bool read_matrix(anim_gltf* g, anim_json_value at, anim_xform* out)
{
    float m[16];
    anim_mat34 matrix;
    if (!anim_gltf_get_floats(g, at, 16, m))
        return false;
    if (fabsf(m[3]) + fabsf(m[7]) + fabsf(m[11]) + fabsf(m[15] - 1) > 1e-5f)
        anim_gltf_warn(g, at, "the last row is not 0 0 0 1; taken as if it were");
    anim_mat34_from_columns(m, &matrix);
    if (!anim_mat34_decompose(&matrix, out))
        anim_gltf_warn(g, at, "the matrix has shear, which is dropped");
    return true;
}

static bool read_rotation(anim_gltf* g, anim_json_value at, float q[4])
{
    float raw[4];
    if (!at)
        return true;
    if (!anim_gltf_get_floats(g, at, 4, raw))
        return false;
    if (!anim_quat_normalize(raw, q))
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, at, "a rotation of length zero");
    float length = raw[0] * q[0] + raw[1] * q[1] + raw[2] * q[2] + raw[3] * q[3];
    if (fabsf(length - 1) > 1e-3f)
        anim_gltf_warn(g, at, "the rotation has length %.4g; normalised", (double)length);
    return true;
}

static bool read_node(anim_gltf* g, uint32_t index)
{
    enum { children, matrix, mesh, name, rotation, scale, skin, translation, weights, count };
    static const char* const keys[count] = {"children", "matrix",      "mesh",
                                            "name",     "rotation",    "scale",
                                            "skin",     "translation", "weights"};
    anim_gltf_node* node = &g->nodes[index];
    anim_json_value at = g->node_list.at[index], v[count];
    *node = (anim_gltf_node){.at = at,
                             .parent = -1,
                             .first_child = -1,
                             .last_child = -1,
                             .next_sibling = -1,
                             .mesh = -1,
                             .skin = -1,
                             .joint = -1,
                             .morph = -1,
                             .rest = ANIM_XFORM_IDENTITY};
    if (!anim_gltf_pick(g, at, keys, count, v) ||
        !anim_gltf_get_floats(g, v[translation], 3, node->rest.t) ||
        !read_rotation(g, v[rotation], node->rest.q) ||
        !anim_gltf_get_floats(g, v[scale], 3, node->rest.s) ||
        (v[matrix] && !read_matrix(g, v[matrix], &node->rest)) ||
        !anim_gltf_get_index(g, v[mesh], g->mesh_list.count, &node->mesh) ||
        !anim_gltf_get_index(g, v[skin], g->skin_list.count, &node->skin))
        return false;
    if (v[matrix] && (v[translation] || v[rotation] || v[scale]))
        anim_gltf_warn(g, at, "a matrix beside translation, rotation or scale; the matrix counts");
    node->has_matrix = v[matrix] != 0;
    node->has_skin = node->skin >= 0;
    node->children = v[children];
    node->name = v[name];
    node->weights = v[weights];
    return true;
}

// --- the tree -----------------------------------------------------------------------------------

static bool link_children(anim_gltf* g, uint32_t index)
{
    anim_gltf_list list;
    anim_gltf_node* parent = &g->nodes[index];
    if (!anim_gltf_get_list(g, parent->children, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        int32_t child = -1;
        if (!anim_gltf_get_index(g, list.at[i], g->node_list.count, &child))
            return false;
        anim_gltf_node* node = &g->nodes[child];
        if (node->parent >= 0)
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, list.at[i],
                                  "node %d is already a child of node %d", (int)child,
                                  (int)node->parent);
        node->parent = (int32_t)index;
        if (parent->last_child < 0)
            parent->first_child = child;
        else
            g->nodes[parent->last_child].next_sibling = child;
        parent->last_child = child;
    }
    return true;
}

// Puts a root and all below it in order. Nothing is met twice, for no node has two parents.
static void walk(anim_gltf* g, int32_t root, bool in_scene, uint32_t* reached)
{
    int32_t at = root;
    while (at >= 0) {
        anim_gltf_node* node = &g->nodes[at];
        g->order[(*reached)++] = (uint32_t)at;
        node->reached = true;
        node->in_scene = in_scene;
        int32_t next = node->first_child;
        while (next < 0 && at != root) {
            next = g->nodes[at].next_sibling;
            at = g->nodes[at].parent;
        }
        at = next;
    }
}

// The scene that was asked for, else the file's own, else the first; -1: there is none.
static bool choose_scene(anim_gltf* g, int32_t* out)
{
    uint32_t count = g->scene_list.count;
    *out = count > 0 ? 0 : -1;
    if (!anim_gltf_get_index(g, g->default_scene, count, out))
        return false;
    if (g->desc->scene == 0)
        return true;
    *out = (int32_t)(g->desc->scene - 1);
    return g->desc->scene <= count ||
           anim_gltf_fail(g, ANIM_ERR_ARGUMENT, 0, "scene %u was asked for; the file has %u",
                          g->desc->scene, count);
}

static bool walk_scene(anim_gltf* g, int32_t scene, uint32_t* reached)
{
    static const char* const keys[] = {"nodes"};
    anim_json_value nodes;
    anim_gltf_list list;
    if (!anim_gltf_pick(g, g->scene_list.at[scene], keys, 1, &nodes) ||
        !anim_gltf_get_list(g, nodes, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        int32_t root = -1;
        if (!anim_gltf_get_index(g, list.at[i], g->node_list.count, &root))
            return false;
        if (g->nodes[root].parent >= 0)
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, list.at[i],
                                  "node %d is not a root: it is a child of node %d", (int)root,
                                  (int)g->nodes[root].parent);
        if (!g->nodes[root].reached)
            walk(g, root, true, reached);
    }
    return true;
}

static bool put_in_order(anim_gltf* g)
{
    uint32_t count = g->node_list.count, reached = 0;
    int32_t scene;
    g->order = anim_gltf_alloc(g, count, sizeof *g->order);
    if (!g->order || !choose_scene(g, &scene) || (scene >= 0 && !walk_scene(g, scene, &reached)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (g->nodes[i].parent < 0 && !g->nodes[i].reached)
            walk(g, (int32_t)i, scene < 0, &reached);
    for (uint32_t i = 0; i < count; i++)
        if (!g->nodes[i].reached)
            return anim_gltf_fail(g, ANIM_ERR_FORMAT, g->nodes[i].at,
                                  "its parents run in a circle");
    return true;
}

bool anim_gltf_read_nodes(anim_gltf* g)
{
    uint32_t count = g->node_list.count;
    if (count == 0)
        return anim_gltf_fail(g, ANIM_ERR_FORMAT, 0, "the file has no nodes: nothing to animate");
    g->nodes = anim_gltf_alloc(g, count, sizeof *g->nodes);
    if (!g->nodes)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_node(g, i))
            return false;
    for (uint32_t i = 0; i < count; i++)
        if (!link_children(g, i))
            return false;
    return put_in_order(g);
}

// --- the skeleton -------------------------------------------------------------------------------

// Which nodes become joints: those that skins and clips need, with all above them and what hangs on
// a joint; without skins, or where all are wanted, those of the scene too. Returns how many.
static uint32_t choose_nodes(anim_gltf* g)
{
    bool all = g->desc->all_nodes || g->skin_list.count == 0;
    uint32_t count = g->node_list.count, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        anim_gltf_node* node = &g->nodes[g->order[i]];
        node->is_below_joint = node->is_joint ||
                               (node->parent >= 0 && g->nodes[node->parent].is_below_joint);
        node->is_kept = node->is_below_joint || node->is_animated || (all && node->in_scene);
    }
    for (uint32_t i = count; i-- > 0;) {
        const anim_gltf_node* node = &g->nodes[g->order[i]];
        kept += node->is_kept;
        if (node->is_kept && node->parent >= 0)
            g->nodes[node->parent].is_kept = true;
    }
    return kept;
}

// Joints of skins take their names first, then the others, each in file order.
static bool name_joints(anim_gltf* g, anim_joint_desc* joints)
{
    anim_unique names = {.arena = &g->arena};
    for (int others = 0; others < 2; others++)
        for (uint32_t i = 0; i < g->node_list.count; i++) {
            const anim_gltf_node* node = &g->nodes[i];
            if (!node->is_kept || node->is_joint == (bool)others)
                continue;
            const char* name = anim_gltf_get_name(g, node->name, "node", i);
            name = name ? anim_gltf_make_unique(g, &names, name, node->at) : NULL;
            if (!name)
                return false;
            joints[node->joint].name = name;
        }
    return true;
}

bool anim_gltf_build_skeleton(anim_gltf* g)
{
    uint32_t all = g->node_list.count, kept = choose_nodes(g), count = 0;
    if (kept == 0) {
        anim_gltf_warn(g, 0, "neither scene nor skins nor clips use a node: all are taken");
        for (uint32_t i = 0; i < all; i++)
            g->nodes[i].is_kept = true;
        kept = all;
    }
    anim_joint_desc* joints = anim_gltf_alloc(g, kept, sizeof *joints);
    uint32_t* order = anim_gltf_alloc(g, kept, sizeof *order);
    if (!joints || !order)
        return false;
    for (uint32_t i = 0; i < all; i++) {
        anim_gltf_node* node = &g->nodes[g->order[i]];
        if (!node->is_kept)
            continue;
        int32_t parent = node->parent < 0 ? -1 : g->nodes[node->parent].joint;
        joints[count] = (anim_joint_desc){NULL, parent, node->rest};
        node->joint = (int32_t)count++;
    }
    if (!name_joints(g, joints))
        return false;
    g->code = anim_skeleton_create(joints, count, order, &g->model->skeleton, g->err);
    if (g->code)
        return false;
    for (uint32_t i = 0; i < all; i++)
        if (g->nodes[i].is_kept)
            g->nodes[i].joint = (int32_t)order[g->nodes[i].joint];
    return true;
}
