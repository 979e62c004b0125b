// SPDX-License-Identifier: MIT
// How coarse each track may be: the fewest bits whose error in model space stays within the bound.
//
// First a dual ascent. A step s costs log2(1 / s) bits a coded number, and moves the points below its
// joint by s times their lever; for prices mu of the points' squared errors the best steps are
// s^2 = cost / sum(mu lever^2). Prices rise where the error is over the bound and fall elsewhere. Then
// single tracks get coarser while the joints below them stay within the bound.
#include "pose/pack_encode.h"

#include <stdlib.h>
#include <string.h>

enum { most_moments = 1024, rounds = 14, passes = 4 };
static const uint64_t search_budget = 32u << 20; // moments of joints

// --- from steps to errors --------------------------------------------------------------------------

static void set_track(anim_packing* p, const anim_packing_track* t, uint32_t moment,
                      const double* value)
{
    anim_pack_model_set(&p->model, t->source->joint, (anim_channel)t->source->channel, moment,
                        value);
}

static void apply(anim_packing* p, anim_packing_track* t)
{
    anim_packing_quantize(p, t);
    for (uint32_t m = 0; m < p->model.moments; m++) {
        const double* u = p->decoded + 3 * (size_t)p->moments[m];
        double value[4];
        if (anim_packing_is_rotation(t)) {
            anim_packing_open(u, value);
            anim_packing_multiply(t->centre, value, value);
        } else {
            for (int i = 0; i < 3; i++)
                value[i] = t->centre[i] + u[i];
        }
        set_track(p, t, m, value);
    }
}

static double update_all(anim_packing* p)
{
    return anim_pack_model_update(&p->model, 0, p->skeleton->joint_count, INFINITY);
}

static double update_below(anim_packing* p, uint32_t joint, double bound)
{
    return anim_pack_model_update(&p->model, joint, p->model.end[joint], bound);
}

// Every frame of a short clip; of a long one some, of even and odd places alike.
static bool begin_model(anim_packing* p)
{
    uint32_t apart = (p->frames + most_moments - 1) / most_moments;
    apart += apart > 1 && apart % 2 == 0;
    uint32_t count = (p->frames + apart - 1) / apart;
    uint32_t* moments = anim_arena_alloc(p->arena, count, sizeof *moments);
    anim_pose_group* pose = anim_arena_alloc(p->arena, p->skeleton->group_count, sizeof *pose);
    if (!moments || !pose ||
        !anim_pack_model_init(&p->model, p->arena, p->skeleton, p->keys->additive, count))
        return false;
    p->moments = moments;
    for (uint32_t m = 0; m < count; m++) {
        moments[m] = m * apart;
        anim_clip_sample(p->clip, anim_packing_time(p, moments[m]), pose);
        anim_pack_model_set_pose(&p->model, m, pose);
    }
    anim_pack_model_want(&p->model);
    for (uint32_t i = 0; i < p->keys->track_count; i++) {
        const anim_packing_track* t = &p->tracks[i];
        bool one = t->kind == ANIM_PACK_AT_REST || t->kind == ANIM_PACK_STILL;
        for (uint32_t m = 0; m < count && one; m++)
            set_track(p, t, m, t->centre);
    }
    p->budget = search_budget;
    return true;
}

// --- dual ascent -----------------------------------------------------------------------------------

static anim_packing_track* moving(const anim_packing* p, uint32_t i)
{
    return &p->tracks[p->moving[i]];
}

static double total_bits(const anim_packing* p)
{
    double bits = 0;
    for (uint32_t i = 0; i < p->moving_count; i++)
        bits += moving(p, i)->bits;
    return bits;
}

// Metres of the joint below for a unit of a track's numbers.
static double leverage(const anim_packing* p, const anim_packing_track* t, uint32_t below)
{
    if (t->source->channel == ANIM_CHANNEL_TRANSLATION)
        return p->carry[t->source->joint];
    double lever = anim_packing_lever(p, t->source->joint, below);
    return anim_packing_is_rotation(t) ? 4 * lever : lever;
}

static void set_steps(anim_packing* p, const double* price)
{
    for (uint32_t i = 0; i < p->moving_count; i++) {
        anim_packing_track* t = moving(p, i);
        double sum = 0;
        for (uint32_t j = t->source->joint; j < p->model.end[t->source->joint]; j++) {
            double lever = leverage(p, t, j);
            sum += price[j] * lever * lever;
        }
        double cost = t->step < 0 ? 1 : t->coded / (3.0 * p->frames);
        int step = anim_packing_step_code(sqrt((cost > 0.05 ? cost : 0.05) / sum));
        t->step = step > t->least_step ? step : t->least_step;
        apply(p, t);
    }
}

// x^1.5 and x^.75, by square roots alone.
static double power(double x, bool first)
{
    return first ? x * sqrt(x) : sqrt(x) * sqrt(sqrt(x));
}

static void set_prices(const anim_packing* p, double* price, int round, double most)
{
    uint32_t joints = p->skeleton->joint_count;
    double over = most / p->error;
    if (!(over > 1e-6))
        over = 1e-6;
    if (over > 1e6)
        over = 1e6;
    for (uint32_t j = 0; j < joints; j++) {
        double error = p->model.worst[j];
        if (round == 0) {
            double share = error / most;
            price[j] *= over * over * power(share > 1e-3 ? share : 1e-3, true);
        } else {
            double share = error / (0.98 * p->error);
            share = share > 0.05 ? share < 1e3 ? share : 1e3 : 0.05;
            price[j] *= power(share, round < rounds * 2 / 3) * (over > 1 ? sqrt(over) : 1);
        }
    }
}

// Leaves the best steps that meet the bound; false: none did, and the last ones are left.
static bool ascend(anim_packing* p, double* price, int* best)
{
    double least = INFINITY;
    for (uint32_t j = 0; j < p->skeleton->joint_count; j++)
        price[j] = 1 / (p->error * p->error);
    for (int round = 0; round < rounds; round++) {
        set_steps(p, price);
        double most = update_all(p), bits = total_bits(p);
        if (most <= p->error && bits < least) {
            least = bits;
            for (uint32_t i = 0; i < p->moving_count; i++)
                best[i] = moving(p, i)->step;
        }
        set_prices(p, price, round, most);
    }
    for (uint32_t i = 0; i < p->moving_count && least < INFINITY; i++) {
        moving(p, i)->step = best[i];
        apply(p, moving(p, i));
    }
    return least < INFINITY;
}

static bool is_above(const anim_packing* p, const anim_packing_track* t, uint32_t joint)
{
    return joint >= t->source->joint && joint < p->model.end[t->source->joint];
}

// One step finer for all tracks above a joint that is over the bound. False: none can be.
static bool refine(anim_packing* p, const double* errors)
{
    bool any = false;
    for (uint32_t i = 0; i < p->moving_count; i++) {
        anim_packing_track* t = moving(p, i);
        bool over = false;
        for (uint32_t j = t->source->joint; j < p->model.end[t->source->joint] && !over; j++)
            over = !(errors[j] <= p->error);
        if (over && t->step > t->least_step) {
            t->step--;
            apply(p, t);
            any = true;
        }
    }
    return any;
}

static void refine_to_bound(anim_packing* p)
{
    enum { most_rounds = 60 };
    for (int i = 0; i < most_rounds && !(update_all(p) <= p->error); i++)
        if (!refine(p, p->model.worst))
            return;
}

// --- track by track --------------------------------------------------------------------------------

static bool is_spent(const anim_packing* p)
{
    return p->model.work > p->budget;
}

static void set_step(anim_packing* p, anim_packing_track* t, int step)
{
    t->step = step;
    apply(p, t);
}

// Finer steps that cost nothing, as widths are whole bits.
static void refine_freely(anim_packing* p)
{
    for (uint32_t i = 0; i < p->moving_count; i++) {
        anim_packing_track* t = moving(p, i);
        int best = t->step;
        double bits = t->bits;
        for (int tries = 0; tries < 3 && t->step > t->least_step; tries++) {
            t->step--;
            anim_packing_quantize(p, t);
            if (t->bits > bits)
                break;
            best = t->step;
        }
        set_step(p, t, best);
    }
    update_all(p);
}

typedef struct ordered {
    uint32_t track, below;
} ordered;

static int compare_below(const void* a, const void* b)
{
    const ordered *x = a, *y = b;
    if (x->below != y->below)
        return x->below < y->below ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

// Coarser where that saves bits and the joints below stay within the bound.
static bool coarsen(anim_packing* p, const ordered* order, int most_tries)
{
    bool any = false;
    for (uint32_t i = 0; i < p->moving_count && !is_spent(p); i++) {
        anim_packing_track* t = moving(p, order[i].track);
        int before = t->step, step = before + most_tries;
        double bits = t->bits;
        for (; step > before; step--) {
            if (step > 255)
                continue;
            set_step(p, t, step);
            if (t->bits < bits && update_below(p, t->source->joint, p->error) <= p->error)
                break;
        }
        if (step == before) {
            set_step(p, t, before);
            update_below(p, t->source->joint, INFINITY);
        }
        any = any || step > before;
    }
    return any;
}

// Brings the worst joint down by the track above it that gains most for a bit.
static bool repair_once(anim_packing* p, double most)
{
    uint32_t worst = 0, best = UINT32_MAX;
    double best_gain = 0;
    for (uint32_t j = 0; j < p->skeleton->joint_count; j++)
        if (p->model.worst[j] > p->model.worst[worst])
            worst = j;
    for (uint32_t i = 0; i < p->moving_count; i++) {
        anim_packing_track* t = moving(p, i);
        if (!is_above(p, t, worst) || t->step <= t->least_step)
            continue;
        double bits = t->bits;
        set_step(p, t, t->step - 1);
        update_below(p, t->source->joint, INFINITY);
        double cost = t->bits - bits;
        double gain = (most - p->model.worst[worst]) / (cost > 1 ? cost : 1);
        if (gain > best_gain) {
            best_gain = gain;
            best = i;
        }
        set_step(p, t, t->step + 1);
        update_below(p, t->source->joint, INFINITY);
    }
    if (best == UINT32_MAX)
        return refine(p, p->model.worst);
    set_step(p, moving(p, best), moving(p, best)->step - 1);
    return true;
}

static void repair(anim_packing* p)
{
    for (double most = update_all(p); !(most <= p->error); most = update_all(p)) {
        if (is_spent(p)) {
            refine_to_bound(p);
            return;
        }
        if (!repair_once(p, most))
            return;
    }
}

static bool improve(anim_packing* p)
{
    ordered* order = anim_arena_alloc(p->arena, p->moving_count, sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 0; i < p->moving_count; i++) {
        uint32_t joint = moving(p, i)->source->joint;
        order[i] = (ordered){i, p->model.end[joint] - joint};
    }
    qsort(order, p->moving_count, sizeof *order, compare_below);
    refine_freely(p);
    repair(p);
    for (int pass = 0; pass < passes && !is_spent(p); pass++)
        if (!coarsen(p, order, pass == 0 ? 1 : 4) && pass > 0)
            break;
    repair(p);
    return true;
}

// --- all -------------------------------------------------------------------------------------------

static void limit_steps(anim_packing* p)
{
    const double most_code = 262000; // 19 bits
    for (uint32_t i = 0; i < p->moving_count; i++) {
        anim_packing_track* t = moving(p, i);
        double most = 0;
        for (size_t k = 0; k < 3 * (size_t)p->frames; k++)
            most = fmax(most, fabs(t->u[k]));
        t->step = -1;
        t->least_step = 0;
        while (t->least_step < 255 &&
               (double)anim_pack_step((uint32_t)t->least_step) * most_code < most)
            t->least_step++;
    }
}

bool anim_packing_search(anim_packing* p)
{
    double* price = anim_arena_alloc(p->arena, p->skeleton->joint_count, sizeof *price);
    int* best = anim_arena_alloc(p->arena, p->moving_count, sizeof *best);
    if (!price || !best || !begin_model(p))
        return false;
    limit_steps(p);
    anim_packing_set_segments(p, p->frames >= 96 ? 5 : ANIM_PACK_ONE_SEGMENT);
    if (!ascend(p, price, best))
        refine_to_bound(p);
    if (!improve(p))
        return false;
    anim_packing_choose_segments(p);
    return true;
}

bool anim_packing_refine(anim_packing* p, const double* errors)
{
    return refine(p, errors);
}
