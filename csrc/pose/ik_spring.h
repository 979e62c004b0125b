// SPDX-License-Identifier: MIT
// Secondary motion (semantics 9): tails, hair, strips of cloth. A chain is a row of points of equal mass on
// bones that keep their length. They are moved in world space, so walking and turning move the chain by
// inertia, and drawn back to where the animation has them:
//
//     x'' = gravity + w^2 (goal - x) + c (flow - x') + drag (wind - x') + what the bones pull
//
// w = 2 pi stiffness (length of the chain / length from its root to the point): a tail bends like a rod
// held at one end. The tip sags by gravity / (2 pi stiffness)^2 and swings `stiffness` times a second,
// whatever the number and size of the bones; what is nearer to the root comes back faster.
// c = 2 damping sqrt(w^2 + |gravity| / length of the chain), against the motion that the point would have
// if it were fixed to the character (flow).
//
// Steps of 1/240 s on a fixed grid of time, by the two-step backward formula (C. F. Curtiss, J. O.
// Hirschfelder 1952; for constraints E. Hairer, G. Wanner, "Solving ODEs II", VII.3): of second order, stable
// at any stiffness, and losing rather than gaining energy. What moves the chain is interpolated
// between updates, and what is shown lies between the steps: the frame rate does not matter.
#pragma once

#include "pose/ik.h"

// Most inner steps in an update: 0.27 s. A longer update takes as many longer steps, of at most 1/30 s; of
// one longer than 2.1 s the last 2.1 s are simulated, from a chain at rest.
#define ANIM_SPRING_MAX_STEPS 64u

typedef enum anim_collider_kind { ANIM_COLLIDER_SPHERE, ANIM_COLLIDER_CAPSULE } anim_collider_kind;

// What the points are kept out of. It moves with a joint as the animation has it.
typedef struct anim_collider {
    anim_collider_kind kind;
    int32_t joint; // -1: model space
    float a[3];    // centre, in the joint's space
    float b[3];    // a capsule's other end
    float radius;  // >= 0, in the joint's space: its largest scale counts
} anim_collider;

// All numbers finite. ANIM_SPRING_DEFAULTS has what stands in brackets, and 0 elsewhere.
typedef struct anim_spring {
    uint32_t root; // the chain is this joint and everything below it
    // Swings per second of the tip, >= 0 [2]; 0: hangs freely.
    float stiffness;
    // Part of critical damping, >= 0 [0.25]; 0: swings for ever, 1: comes back without overshoot.
    float damping;
    // Resistance of the air, 1/s, >= 0 [0.5]: what falls reaches gravity / drag in the end.
    float drag;
    float gravity[3]; // m/s^2, world space; an animated pose hangs already, hence 0
    float wind[3];    // m/s, world space; acts through drag
    // Radians that a bone may lean from its animated direction; < 0: any [-1].
    float limit;
    float radius; // of the points, m, >= 0; for colliders
    // Where the bone of a joint without children ends, in its space. Zero: it goes on like the bone above
    // it in the rest pose.
    float tip[3];
    // Metres that the root may move in an update; beyond, the chain is carried along as it is, with its
    // speed. <= 0: ten times the extent of the chain.
    float teleport;
    float weight; // 0 to 1 [1]; the chain moves on at 0, too
    const anim_collider* colliders;
    uint32_t collider_count;
} anim_spring;

#define ANIM_SPRING_DEFAULTS                                                                       \
    ((anim_spring){.stiffness = 2, .damping = 0.25f, .drag = 0.5f, .limit = -1, .weight = 1})

// Where the character stands in the world: world = position + rotation * model.
typedef struct anim_spring_place {
    double position[3];
    float rotation[4]; // unit
    bool reset;        // the chain is put to its animated pose, at rest, before dt passes
} anim_spring_place;

// Bytes of the memory and of the scratch; both aligned to 8. They depend on skeleton, root and
// collider_count alone. The colliders' part of the memory is its end: a memory that is lengthened by zeros, or
// cut, is one for more or fewer colliders.
size_t anim_ik_spring_memory_size(const anim_skeleton* skeleton, const anim_spring* spring);
size_t anim_ik_spring_scratch_size(const anim_skeleton* skeleton, const anim_spring* spring);

// Moves the chain from `before` (zeros: it starts at rest on the animated pose) on by dt >= 0 seconds into `after`
// (which may be `before`), and turns the joints of `pose`, the animated pose, to it. Each turns by the
// least rotation, its twist and all translations and scales stay. place NULL: model space is the world.
// dt = 0 shows the same state again and keeps it.
//
// A joint turns toward its child; one with several children toward the mean of their places, the children's
// chains hang on it and don't pull back. Bones shorter than 1e-6 of the tree, and joints below a scale that
// can't be inverted, keep their animated rotation. Lengths are those of the animated pose in the world; under uneven
// scale they depend on the direction, then joints take the direction of the points, not their distance. A bone
// that can't get out of a collider, its joint being so deep inside, does not see it. `limit` goes before
// colliders. Where a bone comes to lie opposite to its animated direction the turn has no plane: there it
// may jump.
void anim_ik_spring(const anim_skeleton* skeleton, anim_pose_group* pose, const anim_spring* spring,
                    const anim_spring_place* place, const void* before, void* after, double dt,
                    void* scratch);

// Of memory from outside: false where a number in it could do harm.
bool anim_ik_spring_memory_is_fine(const anim_skeleton* skeleton, const anim_spring* spring,
                                   const void* memory);
