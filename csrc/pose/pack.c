// SPDX-License-Identifier: MIT
#include "pose/pack.h"

#include "base/mem.h"
#include "pose/draft.h"
#include "pose/pack_encode.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const double default_error = 1e-4;

static anim_code fail_memory(anim_error* err)
{
    return anim_fail_memory(err, "a packed clip");
}

// --- the clip --------------------------------------------------------------------------------------

static anim_code build(const anim_packing* p, anim_clip** out, anim_error* err)
{
    void* bytes = NULL;
    anim_draft d;
    bool whole = anim_draft_init(&d, p->clip);
    anim_code code = whole ? anim_packing_write(p, &bytes, &d.desc.packed_size, err) : ANIM_OK;
    d.desc.packed = bytes;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->keys->track_count && whole; i++)
        if (p->tracks[i].kind == ANIM_PACK_EXACT)
            d.tracks[kept++] = d.tracks[i];
    d.desc.track_count = kept;
    if (code) {
        anim_arena_free(&d.arena);
        return code;
    }
    code = anim_draft_finish(&d, whole, out, err);
    anim_mem_free(bytes);
    return code;
}

static bool compare(anim_packing* p, const anim_clip* packed, anim_pack_report* report)
{
    enum { parts = 8 };
    uint32_t count = parts * (p->frames - 1) + 1;
    return anim_clip_compare(p->clip, packed, p->start, p->step / parts, count, report,
                             p->joint_errors);
}

// --- one attempt -----------------------------------------------------------------------------------

static bool is_met(const anim_packing* p, const anim_pack_report* report)
{
    return report->max_error <= p->error;
}

// A few finer steps where the clip is a little too far off: between frames and in single precision errors
// are not quite what the search saw. *out stays NULL where the format has no room for them.
static anim_code refine(anim_packing* p, anim_clip** out, anim_pack_report* report, anim_error* err)
{
    enum { most_refinements = 16 };
    for (int i = 0; anim_packing_fits(p); i++) {
        anim_clip_release(*out);
        *out = NULL;
        anim_code code = build(p, out, err);
        if (code)
            return code;
        if (!compare(p, *out, report))
            return fail_memory(err);
        if (is_met(p, report) || i == most_refinements || !anim_packing_refine(p, p->joint_errors))
            return ANIM_OK;
    }
    anim_clip_release(*out);
    *out = NULL;
    return ANIM_OK;
}

// The clip and how far it is off. Residuals that are too wide for the format want a lower level.
static anim_code attempt(anim_packing* p, double share, anim_clip** out, anim_pack_report* report,
                         anim_error* err)
{
    int level = p->frames > 4 ? 2 : p->frames > 2 ? 1 : 0;
    anim_code code = anim_packing_classify(p, share) ? ANIM_OK : fail_memory(err);
    if (p->form == ANIM_PACK_FAST) {
        p->segment_shift = ANIM_PACK_ONE_SEGMENT;
        code = code ? code : build(p, out, err);
        return code || compare(p, *out, report) ? code : fail_memory(err);
    }
    for (; level >= 0 && !code && !*out; level--)
        code = anim_packing_set_level(p, (uint32_t)level) && anim_packing_search(p)
                   ? refine(p, out, report, err)
                   : fail_memory(err);
    return code;
}

// --- what can't be met -----------------------------------------------------------------------------

static double difference(const anim_skeleton* skeleton, const anim_pose_group* a,
                         const anim_pose_group* b, const anim_track* t)
{
    anim_xform x, y;
    double square = 0, other = 0;
    anim_pose_get(skeleton, a, t->joint, &x);
    anim_pose_get(skeleton, b, t->joint, &y);
    if (t->channel == ANIM_CHANNEL_ROTATION) {
        for (int i = 0; i < 4; i++) {
            double d = (double)x.q[i] - (double)y.q[i], s = (double)x.q[i] + (double)y.q[i];
            square += d * d;
            other += s * s;
        }
        return 2 * sqrt(fmin(square, other));
    }
    for (int i = 0; i < 3; i++) {
        double d = t->channel == ANIM_CHANNEL_SCALE ? (double)x.s[i] - (double)y.s[i]
                                                    : (double)x.t[i] - (double)y.t[i];
        square += d * d;
    }
    return sqrt(square);
}

// Of the tracks that move the worst joint the one that is off farthest, as keys.
static bool give_up_worst(anim_packing* p, const anim_clip* packed, uint32_t joint)
{
    enum { most_moments = 512 };
    anim_arena arena = {0};
    uint32_t tracks = p->keys->track_count, count = 8 * (p->frames - 1) + 1;
    anim_pose_group* poses = anim_arena_alloc(&arena, 2 * (size_t)p->skeleton->group_count,
                                              sizeof *poses);
    double* off = anim_arena_alloc(&arena, tracks, sizeof *off);
    bool whole = poses && off;
    anim_pose_group* other = poses + p->skeleton->group_count;
    for (uint32_t i = 0; i < count && whole; i += count / most_moments + 1) {
        double time = p->start + p->step * i / 8;
        anim_clip_sample(p->clip, time, poses);
        anim_clip_sample(packed, time, other);
        for (uint32_t k = 0; k < tracks; k++) {
            const anim_track* t = &p->keys->tracks[k];
            if (p->tracks[k].kind == ANIM_PACK_EXACT ||
                !anim_skeleton_is_below(p->skeleton, joint, t->joint))
                continue;
            double lever = t->channel == ANIM_CHANNEL_TRANSLATION
                               ? p->carry[t->joint]
                               : anim_packing_lever(p, t->joint, joint);
            double error = difference(p->skeleton, poses, other, t) * lever;
            if (!(error <= off[k]))
                off[k] = error;
        }
    }
    uint32_t worst = UINT32_MAX;
    for (uint32_t k = 0; k < tracks && whole; k++)
        if (p->tracks[k].kind != ANIM_PACK_EXACT &&
            anim_skeleton_is_below(p->skeleton, joint, p->keys->tracks[k].joint) &&
            (worst == UINT32_MAX || !(off[k] <= off[worst])))
            worst = k;
    if (worst != UINT32_MAX)
        p->kinds[worst] = ANIM_PACK_EXACT;
    anim_arena_free(&arena);
    return whole;
}

static void give_up_above(anim_packing* p)
{
    for (uint32_t j = 0; j < p->skeleton->joint_count; j++)
        for (uint32_t k = 0; k < p->keys->track_count && !(p->joint_errors[j] <= p->error); k++)
            if (anim_skeleton_is_below(p->skeleton, j, p->keys->tracks[k].joint))
                p->kinds[k] = ANIM_PACK_EXACT;
}

// No level has room for the widest values: they stay keys, or if none is wider than others, all.
static void give_up_widest(anim_packing* p)
{
    const double much = 1e5;
    bool any = false;
    for (uint32_t k = 0; k < p->keys->track_count; k++) {
        const anim_track* t = &p->keys->tracks[k];
        uint32_t width = anim_channel_width((anim_channel)t->channel);
        size_t count = p->keys->times[t->times].count *
                       anim_key_stride((anim_interp)t->interp, width);
        double most = 0;
        for (size_t i = width; i < count; i++)
            most = fmax(most, fabs((double)t->values[i] - (double)t->values[i % width]));
        if (p->kinds[k] != ANIM_PACK_EXACT && most > much * p->error) {
            p->kinds[k] = ANIM_PACK_EXACT;
            any = true;
        }
    }
    if (!any)
        memset(p->kinds, ANIM_PACK_EXACT, p->keys->track_count);
}

// Keys so close together that no frame or eighth of one is sure to see what lies between them stay keys.
static void give_up_crowded(anim_packing* p)
{
    for (uint32_t k = 0; k < p->keys->track_count; k++) {
        const anim_track* t = &p->keys->tracks[k];
        const anim_times* times = &p->keys->times[t->times];
        uint32_t width = anim_channel_width((anim_channel)t->channel);
        size_t stride = anim_key_stride((anim_interp)t->interp, width);
        for (uint32_t i = 1; i < times->count && p->kinds[k] != ANIM_PACK_EXACT; i++) {
            double gap = anim_times_at(times, i) - anim_times_at(times, i - 1);
            const float *a = t->values + (i - 1) * stride, *b = a + stride;
            double change = 0;
            for (uint32_t c = 0; c < stride; c++) {
                double here = fabs((double)b[c] - (double)a[c]);
                change = here > change ? here : change; // gcc 12 for ARM64 dies of an fmax here
            }
            bool is_single = p->frames < 2;
            if ((is_single || gap < p->step / 4) && change > 0.25 * p->error)
                p->kinds[k] = ANIM_PACK_EXACT;
        }
    }
}

// --- what does not pay -----------------------------------------------------------------------------

static size_t track_bytes(const anim_keys* keys, const anim_track* t)
{
    size_t width = anim_channel_width((anim_channel)t->channel);
    return keys->times[t->times].count * anim_key_stride((anim_interp)t->interp, (uint32_t)width) *
           sizeof *t->values;
}

static bool give_up_large(anim_packing* p)
{
    if (p->form == ANIM_PACK_FAST) // packed for speed, not for size
        return false;
    const double head = 7; // step and centre
    bool any = false;
    for (uint32_t i = 0; i < p->moving_count; i++) {
        const anim_packing_track* t = &p->tracks[p->moving[i]];
        if (t->bits / 8 + head > (double)track_bytes(p->keys, t->source)) {
            p->kinds[p->moving[i]] = ANIM_PACK_EXACT;
            any = true;
        }
    }
    return any;
}

// --- all -------------------------------------------------------------------------------------------

static anim_code attempts(anim_packing* p, anim_clip** out, anim_pack_report* report,
                          anim_error* err)
{
    enum { most_single = 6 };
    double share = 0.1; // of the error, for what is taken to stand still
    bool pays = false;
    for (int tries = 0;; tries++) {
        anim_arena arena = {0};
        p->arena = &arena;
        anim_code code = attempt(p, share, out, report, err);
        bool built = !code && *out, met = built && is_met(p, report);
        if (met && (pays || !give_up_large(p))) {
            anim_arena_free(&arena);
            return ANIM_OK;
        }
        if (!code && !built)
            give_up_widest(p);
        else if (met)
            pays = true;
        else if (!code && tries == 0)
            share *= 0.25;
        else if (!code && tries < most_single && !give_up_worst(p, *out, report->worst_joint))
            code = fail_memory(err);
        else if (!code && tries >= most_single)
            give_up_above(p);
        anim_arena_free(&arena);
        anim_clip_release(*out);
        *out = NULL;
        if (code)
            return code;
    }
}

// Frames of the fast form are mixed straight: where that is too far from the arc, more of them. True: done.
static bool try_parts(anim_packing* p, double rate, uint32_t parts, anim_clip** out,
                      anim_pack_report* report, anim_error* err, anim_code* code)
{
    const double still_share = 0.1;
    anim_arena arena = {0};
    anim_packing_choose_frames(p, rate, parts);
    memset(p->kinds, 0, p->keys->track_count); // whether all are followed is measured
    give_up_crowded(p);
    p->arena = &arena;
    *code = attempt(p, still_share, out, report, err);
    anim_arena_free(&arena);
    if (!*code && *out && is_met(p, report))
        return true;
    anim_clip_release(*out);
    *out = NULL;
    return *code != ANIM_OK;
}

static anim_code encode(anim_packing* p, double rate, anim_clip** out, anim_pack_report* report,
                        anim_error* err)
{
    enum { most_parts = 4 };
    uint32_t parts = 1;
    anim_code code = ANIM_OK;
    if (p->form == ANIM_PACK_FAST && !(rate > 0)) {
        for (; parts < most_parts; parts *= 2)
            if (try_parts(p, rate, parts, out, report, err, &code))
                return code;
    }
    anim_packing_choose_frames(p, rate, parts);
    give_up_crowded(p);
    return attempts(p, out, report, err);
}

static size_t source_bytes(const anim_keys* keys, anim_arena* arena)
{
    bool* seen = anim_arena_alloc(arena, keys->times_count, sizeof *seen);
    size_t bytes = keys->pack ? keys->pack->head.size : 0;
    for (uint32_t i = 0; i < keys->track_count && seen; i++) {
        const anim_track* t = &keys->tracks[i];
        bytes += track_bytes(keys, t);
        if (!seen[t->times] && keys->times[t->times].at)
            bytes += keys->times[t->times].count * sizeof(float);
        seen[t->times] = true;
    }
    return bytes;
}

static anim_code pack(const anim_clip* clip, const anim_pack_desc* desc, anim_arena* arena,
                      anim_clip** out, anim_pack_report* report, anim_error* err)
{
    uint32_t joints = clip->keys->skeleton->joint_count;
    anim_packing p = {
        .arena = arena,
        .clip = clip,
        .keys = clip->keys,
        .skeleton = clip->keys->skeleton,
        .error = desc->error > 0 ? desc->error : default_error,
        .form = desc->form,
    };
    p.tracks = anim_arena_alloc(arena, p.keys->track_count, sizeof *p.tracks);
    p.moving = anim_arena_alloc(arena, p.keys->track_count, sizeof *p.moving);
    p.kinds = anim_arena_alloc(arena, p.keys->track_count, 1);
    p.joint_errors = anim_arena_alloc(arena, joints, sizeof *p.joint_errors);
    if (!p.tracks || !p.moving || !p.kinds || !p.joint_errors || !anim_packing_measure(&p))
        return fail_memory(err);
    anim_code code = encode(&p, desc->rate, out, report, err);
    if (code)
        return code;
    report->source_bytes = source_bytes(clip->keys, arena);
    report->bytes = source_bytes((*out)->keys, arena);
    report->frames = p.frames;
    report->rate = p.frames > 1 ? 1 / p.step : 0;
    report->exact_count = (*out)->keys->track_count;
    return ANIM_OK;
}

anim_code anim_clip_pack(const anim_clip* clip, const anim_pack_desc* desc, anim_clip** out,
                         anim_pack_report* report, anim_error* err)
{
    *out = NULL;
    anim_pack_report unused;
    report = report ? report : &unused;
    *report = (anim_pack_report){0};
    if (!(desc->error >= 0 && desc->error <= 1e9) || !(desc->rate >= 0 && desc->rate <= 1e6))
        return anim_fail(err, ANIM_ERR_ARGUMENT,
                         "error %g and rate %g: numbers above 0 expected, up to 1e9 and 1e6",
                         desc->error, desc->rate);
    clock_t start = clock();
    anim_clip* exact;
    anim_code code = anim_clip_unpack(clip, &exact, err);
    if (code)
        return code;
    anim_arena arena = {0};
    code = pack(exact, desc, &arena, out, report, err);
    anim_arena_free(&arena);
    anim_clip_release(exact);
    report->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    return code;
}
