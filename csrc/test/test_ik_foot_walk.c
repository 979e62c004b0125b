// SPDX-License-Identifier: MIT
// Walking over stairs and slopes.
#include "test/ik_biped.h"

// --- walking ------------------------------------------------------------------------------------------

typedef enum terrain_kind {
    FLAT,
    UPHILL,
    DOWNHILL,
    ASLANT,
    UPSTAIRS,
    DOWNSTAIRS,
    BUMPY
} terrain_kind;

static const char* const names[] = {"flat",           "20 degrees up", "20 degrees down",
                                    "across a slope", "upstairs",      "downstairs",
                                    "bumpy"};

typedef struct world {
    terrain_kind kind;
    double shift; // of the terrain along z
    double at[3]; // of the character
    int asked;
} world;

static const double step_depth = 0.3, step_height = 0.17;

static double height_at(const world* w, double x, double z)
{
    z -= w->shift;
    double steps = fmin(fmax(floor(z / step_depth), 0), 14);
    switch (w->kind) {
    case FLAT: return 0;
    case UPHILL: return 0.36397 * fmax(z, 0);
    case DOWNHILL: return -0.36397 * fmax(z, 0);
    case ASLANT: return 0.25 * x + 0.1 * z;
    case UPSTAIRS: return step_height * steps;
    case DOWNSTAIRS: return -step_height * steps;
    case BUMPY: return 0.03 * sin(3 * z) + 0.02 * sin(5 * x + 2 * z);
    }
    return 0;
}

static void slope_at(const world* w, double x, double z, double* along_x, double* along_z)
{
    const double e = 1e-5;
    *along_x = (height_at(w, x + e, z) - height_at(w, x - e, z)) / (2 * e);
    *along_z = (height_at(w, x, z + e) - height_at(w, x, z - e)) / (2 * e);
    if (fabs(*along_z) > 10) // the edge of a step
        *along_z = 0;
}

static bool ask_world(void* user, uint32_t leg, const float point[3], float out_point[3],
                      float out_normal[3])
{
    world* w = user;
    double x = point[0] + w->at[0], z = point[2] + w->at[2], slope_x, slope_z;
    assert_true(leg < 2);
    slope_at(w, x, z, &slope_x, &slope_z);
    memcpy(out_point, (float[]){point[0], (float)(height_at(w, x, z) - w->at[1]), point[2]},
           3 * sizeof *out_point);
    memcpy(out_normal, (float[]){(float)-slope_x, 1, (float)-slope_z}, 3 * sizeof *out_normal);
    w->asked++;
    return true;
}

// The character goes up stairs as on a ramp, or is set from step to step.
static double character_height(const world* w, double z, bool is_set)
{
    if (is_set || (w->kind != UPSTAIRS && w->kind != DOWNSTAIRS))
        return height_at(w, 0, z);
    double rise = fmin(fmax(z - w->shift, 0), 14 * step_depth) * step_height / step_depth;
    return w->kind == UPSTAIRS ? rise : -rise;
}

typedef struct walker {
    stage s;
    world world;
    double speed; // of the character, times the walk's own
    bool is_set;
    biped_pose animated, pose;
    float residual;
} walker;

static void begin_walk(walker* w, terrain_kind kind, double shift)
{
    *w = (walker){.s = make_stage(), .world = {.kind = kind, .shift = shift}, .speed = 1};
    w->s.desc.smooth = 0.1f;
    w->s.desc.release = 0.15f;
    w->s.desc.ground = ask_world;
}

static bool is_planted(double u, uint32_t leg)
{
    u += leg * 0.5;
    return u - floor(u) < walk_swings;
}

static void walk_to(walker* w, double t, double dt)
{
    w->world.at[2] = (double)(float)(walk_speed * w->speed * t);
    w->world.at[1] = (double)(float)character_height(&w->world, w->world.at[2], w->is_set);
    w->s.desc.user = &w->world;
    for (int i = 0; i < 3; i++)
        w->s.desc.place.t[i] = (float)w->world.at[i];
    double u = t / walk_period;
    pose_walk(w->s.skeleton, u, w->animated);
    memcpy(w->pose, w->animated, sizeof w->pose);
    for (uint32_t leg = 0; leg < 2; leg++)
        w->s.inputs[leg].lock = is_planted(u, leg);
    w->residual = solve(&w->s, w->pose, dt);
}

static anim_dvec in_world(const walker* w, uint32_t joint)
{
    anim_dvec at = {w->world.at[0], w->world.at[1], w->world.at[2]};
    return anim_dvec_add(at, place_of(w->s.skeleton, w->pose, joint));
}

typedef struct contact {
    bool is_planted, has_heel, has_ball;
    anim_dvec came_down, heel,
        ball; // where the ball was when the foot was planted; where each came down
} contact;

// How high a planted foot stands above the ground's plane below the ball where it came down.
static double height_of(const walker* w, contact* c, uint32_t leg)
{
    anim_dvec ball = in_world(w, TOE_L + leg * LEG), heel = in_world(w, HEEL_L + leg * LEG);
    if (!c->is_planted)
        c->came_down = ball;
    c->is_planted = true;
    anim_dvec at = c->came_down;
    double slope_x, slope_z, ground = height_at(&w->world, at.x, at.z);
    slope_at(&w->world, at.x, at.z, &slope_x, &slope_z);
    double k = 1 / sqrt(1 + slope_x * slope_x + slope_z * slope_z);
    double below_heel = ground + slope_x * (heel.x - at.x) + slope_z * (heel.z - at.z);
    double below_ball = ground + slope_x * (ball.x - at.x) + slope_z * (ball.z - at.z);
    return fmin((ball.y - below_ball) * k - 0.03, (heel.y - below_heel) * k);
}

typedef struct findings {
    double slide, height, ankle_speed, pelvis_speed, residual;
} findings;

// The heel is on the ground until the foot rolls over, the ball from when the foot is flat.
static double slide_of(const walker* w, contact* c, double u, uint32_t leg)
{
    double slide = 0;
    u += leg * 0.5;
    u -= floor(u);
    anim_dvec ball = in_world(w, TOE_L + leg * LEG), heel = in_world(w, HEEL_L + leg * LEG);
    if (u >= walk_swings) {
        *c = (contact){0};
        return 0;
    }
    if (u >= walk_flat) {
        c->ball = c->has_ball ? c->ball : ball;
        c->has_ball = true;
        slide = distance(ball, c->ball);
    }
    if (u <= walk_rolls && (c->has_heel || u < walk_flat)) {
        c->heel = c->has_heel ? c->heel : heel;
        c->has_heel = true;
        slide = fmax(slide, distance(heel, c->heel));
    }
    return slide;
}

static findings walk(walker* w, double rate)
{
    findings f = {0};
    contact contacts[2] = {{0}};
    anim_dvec last[3];
    int count = (int)(4 * rate);
    for (int i = 0; i <= count; i++) {
        double t = i / rate;
        walk_to(w, t, 1 / rate);
        assert_sound(w->s.skeleton, w->pose);
        f.residual = fmax(f.residual, w->residual);
        for (uint32_t leg = 0; leg < 2; leg++) {
            f.slide = fmax(f.slide, slide_of(w, &contacts[leg], t / walk_period, leg));
            if (is_planted(t / walk_period, leg))
                f.height = fmax(f.height, fabs(height_of(w, &contacts[leg], leg)));
        }
        anim_dvec now[3] = {in_world(w, ANKLE_L), in_world(w, ANKLE_R), in_world(w, PELVIS)};
        for (int k = 0; i > 0 && k < 2; k++)
            f.ankle_speed = fmax(f.ankle_speed, distance(now[k], last[k]) * rate);
        if (i > 0)
            f.pelvis_speed = fmax(f.pelvis_speed, fabs(now[2].y - last[2].y) * rate);
        memcpy(last, now, sizeof last);
    }
    return f;
}

static void add_findings(findings* all, const findings* f)
{
    all->slide = fmax(all->slide, f->slide);
    all->height = fmax(all->height, f->height);
    all->ankle_speed = fmax(all->ankle_speed, f->ankle_speed);
    all->pelvis_speed = fmax(all->pelvis_speed, f->pelvis_speed);
    all->residual = fmax(all->residual, f->residual);
}

static void print_findings(const char* name, const findings* f)
{
    print_message("%-15s: slide %.2f mm, height %.2f mm, reach %.1g m, ankle %.1f m/s, "
                  "pelvis %.1f m/s\n",
                  name, 1e3 * f->slide, 1e3 * f->height, f->residual, f->ankle_speed,
                  f->pelvis_speed);
}

// Planted feet slide less than 2 mm a step and stay within 5 mm of the ground, at any rate and wherever the
// steps come, whether the character is faster than its feet or is set from step to step.
static void test_walk(void** state)
{
    (void)state;
    static const double rates[] = {30, 60, 144}, speeds[] = {1, 0.85, 1.15};
    int places = rounds(8) > 1 ? 8 : 1;
    for (terrain_kind kind = FLAT; kind <= BUMPY; kind++) {
        findings all = {0}, blind = {0};
        for (int i = 0; i < 2 * 3 * 3 * 2 * places; i++) {
            walker w;
            begin_walk(&w, kind, 0.6 + step_depth * (i / 36) / places);
            w.speed = speeds[i / 6 % 3];
            w.is_set = i / 18 % 2;
            w.s.desc.ahead = i % 2 ? 0.1f : 0;
            findings f = walk(&w, rates[i / 2 % 3]);
            add_findings(i % 2 ? &all : &blind, &f);
            free_stage(&w.s);
        }
        print_findings(names[kind], &all);
        print_findings("  without ahead", &blind);
        add_findings(&all, &blind);
        assert_true(all.slide < 0.0016 && all.height < 0.005); // 2 and 5 mm were asked for
        assert_true(all.residual < 1e-4);
        assert_true(all.slide > 0 && all.height > 0);
    }
}

// On even slopes all is the same at any rate; where steps are passed, nearly.
static void test_rates(void** state)
{
    (void)state;
    for (terrain_kind kind = UPHILL; kind <= UPSTAIRS; kind++) {
        walker slow, fast;
        begin_walk(&slow, kind, 0.6);
        begin_walk(&fast, kind, 0.6);
        double worst = 0, sum = 0;
        for (int i = 0; i <= 120; i++) {
            walk_to(&slow, i / 30.0, 1 / 30.0);
            for (int k = 0; k < (i ? 8 : 1); k++)
                walk_to(&fast, i ? (8 * (i - 1) + k + 1) / 240.0 : 0, 1 / 240.0);
            for (uint32_t j = PELVIS; i > 30 && j <= ANKLE_R; j++) {
                double off = distance(in_world(&slow, j), in_world(&fast, j));
                worst = fmax(worst, off);
                sum += off / (90 * ANKLE_R);
            }
        }
        print_message("%-15s: 30 and 240 Hz differ by %.1f mm at most, %.2f on average\n",
                      names[kind], 1e3 * worst, 1e3 * sum);
        assert_true(sum < (kind == UPSTAIRS ? 0.02 : 0.005) &&
                    worst < (kind == UPSTAIRS ? 0.12 : 0.03));
        free_stage(&slow.s);
        free_stage(&fast.s);
    }
}

// Toes hardly touch the steps that a foot looks ahead for, and the pelvis goes down in time.
static void test_ahead(void** state)
{
    (void)state;
    double deep[2] = {0, 0}, fastest[2] = {0, 0};
    int asked[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        for (terrain_kind kind = UPSTAIRS; kind <= DOWNSTAIRS; kind++) {
            walker w;
            begin_walk(&w, kind, 0.6);
            w.s.desc.ahead = i ? 0.1f : 0;
            double last = 0;
            for (int k = 0; k <= 480; k++) {
                walk_to(&w, k / 120.0, 1 / 120.0);
                anim_dvec tip = in_world(&w, TIP_L), pelvis = in_world(&w, PELVIS);
                deep[i] += fmax(height_at(&w.world, tip.x, tip.z) - tip.y - 0.005, 0) / 120;
                if (k > 0)
                    fastest[i] = fmax(fastest[i], fabs(pelvis.y - last) * 120);
                last = pelvis.y;
            }
            asked[i] += w.world.asked;
            free_stage(&w.s);
        }
    print_message("toes in the steps: %.4f m s, ahead %.4f; pelvis %.1f and %.1f m/s; asked %d, %d "
                  "times\n",
                  deep[0], deep[1], fastest[0], fastest[1], asked[0], asked[1]);
    assert_true(deep[1] < deep[0] / 4 && fastest[1] < fastest[0] * 0.7);
    assert_int_equal(asked[0], 2 * 2 * 481); // once a leg
    assert_true(asked[1] < asked[0] * 1.5);
}

// --- memory -------------------------------------------------------------------------------------------

// Two memories, one that is before and after at once, none: the same where it must be, and to the bit.
static void test_memory(void** state)
{
    (void)state;
    size_t size = anim_ik_foot_memory_size(2);
    assert_true(size % sizeof(double) == 0);
    walker w;
    begin_walk(&w, UPSTAIRS, 0.6);
    w.s.desc.ahead = 0.1f;
    anim_foot_memory *before = calloc(1, size), *after = calloc(1, size);
    for (int i = 0; i < 240; i++) {
        memcpy(before, w.s.memory, size);
        walk_to(&w, i / 60.0, 1 / 60.0); // one memory
        for (int again = 0; again < 2; again++) {
            biped_pose pose;
            memcpy(pose, w.animated, sizeof pose);
            anim_ik_foot(w.s.skeleton, pose, &w.s.desc, before, after, 1 / 60.0);
            assert_memory_equal(pose, w.pose, sizeof pose);
            assert_memory_equal(after, w.s.memory, size);
        }
        assert_true(anim_ik_foot_memory_is_fine(2, after));
    }
    biped_pose fresh, none;
    memset(before, 0, size);
    memcpy(fresh, w.animated, sizeof fresh);
    memcpy(none, w.animated, sizeof none);
    anim_ik_foot(w.s.skeleton, fresh, &w.s.desc, before, NULL, 1 / 60.0);
    anim_ik_foot(w.s.skeleton, none, &w.s.desc, NULL, after, 1 / 60.0);
    assert_memory_equal(fresh, none, sizeof none);

    after->legs[1].swing[3] = INFINITY;
    assert_false(anim_ik_foot_memory_is_fine(2, after));
    assert_true(anim_ik_foot_memory_is_fine(1, after));
    after->legs[1].swing[3] = 0;
    after->legs[0].share = 1.5;
    assert_false(anim_ik_foot_memory_is_fine(2, after));
    after->legs[0].share = 0.5;
    after->pelvis = NAN;
    assert_false(anim_ik_foot_memory_is_fine(2, after));
    free(before);
    free(after);
    free_stage(&w.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
