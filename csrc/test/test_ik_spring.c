// SPDX-License-Identifier: MIT
// How the spring chain moves: against closed forms, against the same law integrated otherwise, at other frame
// rates, and without end.
#include "test/ik_spring_scene.h"

// Time between the first and the last passage of x through 0 upward, by their number.
static double period_of(scene* s, double seconds, double rate)
{
    double first = -1, last = -1, before = 1;
    int count = 0;
    for (int i = 1; i <= (int)(seconds * rate); i++) {
        scene_update(s, 1 / rate);
        double x = tip_of(s, 1).x - point_of(s, s->pose, 1, NULL).x;
        if (before < 0 && x >= 0) {
            last = (i - 1 + before / (before - x)) / rate;
            first = count++ > 0 ? first : last;
        }
        before = x;
    }
    assert_true(count > 3);
    return (last - first) / (count - 1);
}

// ---- closed forms

// 2 pi sqrt(L / g) / agm(1, cos(amplitude / 2)): Gauss.
static double pendulum_period(double length, double gravity, double amplitude)
{
    double a = 1, b = cos(amplitude / 2);
    for (int i = 0; i < 8; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * pi * sqrt(length / gravity) / a;
}

static void test_a_bone_is_a_pendulum(void** state)
{
    (void)state;
    const double lengths[] = {0.05, 0.1, 0.5}, amplitudes[] = {0.05, 0.8, 2};
    for (int l = 0; l < 3; l++)
        for (int a = 0; a < 3; a++) {
            double length = lengths[l], angle = amplitudes[a];
            scene s = bare_chain(1, length * sin(angle), -length * cos(angle), 0);
            set_gravity(&s, 0, -9.81, 0);
            double right = pendulum_period(length, 9.81, angle);
            double got = period_of(&s, 5 * right, 2400);
            print_message("pendulum of %.2f m from %.2f rad: %+.3f %%\n", length, angle,
                          (got / right - 1) * 100);
            assert_true(fabs(got / right - 1) < 0.01);
            scene_free(&s);
        }
}

// Held aside by a weight and let go: stiffness and damping of the formula, x(t) for x(0) = 1, x'(0) = 0.
static double oscillator(double frequency, double ratio, double t)
{
    double w = 2 * pi * frequency;
    if (ratio < 1) {
        double d = w * sqrt(1 - ratio * ratio);
        return exp(-ratio * w * t) * (cos(d * t) + ratio * w / d * sin(d * t));
    }
    if (ratio == 1)
        return exp(-w * t) * (1 + w * t);
    double r = w * sqrt(ratio * ratio - 1), p = -ratio * w + r, q = -ratio * w - r;
    return (p * exp(q * t) - q * exp(p * t)) / (p - q);
}

static void check_oscillator(double frequency, double ratio)
{
    scene s = bare_chain(1, 0, -0.2, 0);
    double push = pow(2 * pi * frequency, 2) * 0.004; // 4 mm to the side
    s.spring.stiffness = (float)frequency;
    s.spring.damping = 1;
    set_gravity(&s, push, 0, 0);
    scene_run(&s, 20, 60);
    double start = tip_of(&s, 1).x;
    assert_true(fabs(start / 0.004 - 1) < 0.02);
    s.spring.damping = (float)ratio;
    set_gravity(&s, 0, 0, 0);
    double worst = 0;
    for (int i = 1; i <= 144; i++) { // three swings
        double dt = 3 / frequency / 144;
        scene_update(&s, dt);
        // what sets in at once is felt half an inner step later
        double right = oscillator(frequency, ratio, fmax(i * dt - 1.0 / 480, 0));
        double off = fabs(tip_of(&s, 1).x / start - right);
        worst = fmax(worst, off);
    }
    print_message("%.1f Hz, damping %.2f: %.2f %% of the amplitude\n", frequency, ratio,
                  worst * 100);
    assert_true(worst < (frequency > 5 ? 0.04 : 0.01)); // the step's own damping shows
    if (ratio == 0) {
        double period = period_of(&s, 20 / frequency, 100 * frequency);
        assert_true(fabs(period * frequency - 1) < 0.01);
    }
    scene_free(&s);
}

static void test_stiffness_and_damping(void** state)
{
    (void)state;
    const double frequencies[] = {0.5, 2, 6}, ratios[] = {0, 0.25, 1, 3};
    for (int f = 0; f < 3; f++)
        for (int r = 0; r < 4; r++)
            check_oscillator(frequencies[f], ratios[r]);
}

// Hanging without stiffness, damping is a part of the pendulum's critical one.
static void test_damping_of_a_pendulum(void** state)
{
    (void)state;
    const double ratios[] = {0.1, 0.5, 1};
    for (int r = 0; r < 3; r++) {
        scene s = bare_chain(1, 0.2 * sin(0.05), -0.2 * cos(0.05), 0);
        s.spring.damping = (float)ratios[r];
        set_gravity(&s, 0, -9.81, 0);
        double frequency = sqrt(9.81 / 0.2) / (2 * pi), start = 0.2 * sin(0.05);
        for (int i = 1; i <= 120; i++) {
            scene_update(&s, 1.0 / 60);
            double x = (tip_of(&s, 1).x - start) / start;
            assert_true(fabs(x - oscillator(frequency, ratios[r], i / 60.0)) < 0.02);
        }
        scene_free(&s);
    }
}

static void test_drag_and_wind(void** state)
{
    (void)state;
    scene s = bare_chain(1, 0, -0.3, 0);
    s.spring.drag = 2;
    s.spring.wind[2] = 3;
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 20, 60);
    anim_dvec p = anim_dvec_sub(tip_of(&s, 1), point_of(&s, s.pose, 1, NULL));
    assert_true(fabs(p.z / -p.y - 2 * 3 / 9.81) < 1e-4); // the air's pull over gravity
    s.spring.wind[2] = 0;
    s.spring.drag = 0.5f;
    double start = fabs(p.z), peak = 0;
    int swings = (int)(5 / pendulum_period(0.3, 9.81, 0.3));
    double seconds = swings * pendulum_period(0.3, 9.81, 0.3);
    scene_run(&s, seconds - 0.2, 240);
    for (int i = 0; i < 96; i++) {
        scene_update(&s, 1.0 / 240);
        peak = fmax(peak, fabs(tip_of(&s, 1).z));
    }
    double right = exp(-0.5 / 2 * seconds); // amplitude of x'' = -drag x' - ...
    assert_true(fabs(peak / start / right - 1) < 0.05);
    scene_free(&s);
}

// ---- the same law by Runge and Kutta, with forces along the bones instead of projections

typedef struct law {
    int count;
    double length, stiffness, damping, drag, gravity[3], wind[3];
    double amplitude, frequency; // of the anchor, along x
    double direction[3];
} law;

typedef struct motion {
    double x[most_joints][3], v[most_joints][3];
} motion;

static void accelerate(const law* l, const motion* m, double t, double a[][3])
{
    double w = 2 * pi * l->frequency, phase = w * t;
    double anchor[3] = {l->amplitude * (1 - cos(phase)), 0, 0};
    double anchor_v[3] = {l->amplitude * w * sin(phase), 0, 0};
    double anchor_a[3] = {l->amplitude * w * w * cos(phase), 0, 0};
    double weight = sqrt(l->gravity[0] * l->gravity[0] + l->gravity[1] * l->gravity[1] +
                         l->gravity[2] * l->gravity[2]);
    double e[most_joints][3], diagonal[most_joints], side[most_joints], load[most_joints];
    for (int i = 0; i < l->count; i++) {
        double own = 2 * pi * l->stiffness * l->count / (i + 1), pull = own * own;
        double rub = 2 * l->damping * sqrt(pull + weight / (l->count * l->length));
        double speed2 = 0, apart = 0;
        for (int k = 0; k < 3; k++) {
            double goal = anchor[k] + l->direction[k] * l->length * (i + 1);
            a[i][k] = l->gravity[k] + pull * (goal - m->x[i][k]) +
                      rub * (anchor_v[k] - m->v[i][k]) + l->drag * (l->wind[k] - m->v[i][k]);
            e[i][k] = m->x[i][k] - (i > 0 ? m->x[i - 1][k] : anchor[k]);
            double de = m->v[i][k] - (i > 0 ? m->v[i - 1][k] : anchor_v[k]);
            speed2 += de * de;
            apart += e[i][k] * (a[i][k] - (i > 0 ? a[i - 1][k] : anchor_a[k]));
        }
        load[i] = apart + speed2; // e . (a_i - a_above) + |e'|^2 = 0 with the pulls
    }
    for (int i = 0; i < l->count; i++) {
        double own = 0, other = 0;
        for (int k = 0; k < 3; k++) {
            own += e[i][k] * e[i][k];
            other += i > 0 ? e[i][k] * e[i - 1][k] : 0;
        }
        diagonal[i] = own * (i > 0 ? 2 : 1);
        side[i] = -other;
        if (i > 0) {
            double k = side[i] / diagonal[i - 1];
            diagonal[i] -= k * side[i];
            load[i] -= k * load[i - 1];
        }
    }
    double pulls[most_joints + 1];
    pulls[l->count] = 0;
    for (int i = l->count - 1; i >= 0; i--)
        pulls[i] = (load[i] - (i + 1 < l->count ? side[i + 1] * pulls[i + 1] : 0)) / diagonal[i];
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < 3; k++)
            a[i][k] += (i + 1 < l->count ? pulls[i + 1] * e[i + 1][k] : 0) - pulls[i] * e[i][k];
}

static void advance_law(const law* l, motion* m, double t, double h)
{
    static double a[4][most_joints][3];
    static motion at[4];
    const double part[] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        at[s] = *m;
        for (int i = 0; s > 0 && i < l->count; i++)
            for (int k = 0; k < 3; k++) {
                at[s].x[i][k] += h * part[s] * at[s - 1].v[i][k];
                at[s].v[i][k] += h * part[s] * a[s - 1][i][k];
            }
        accelerate(l, &at[s], t + part[s] * h, a[s]);
    }
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < 3; k++) {
            m->x[i][k] += h / 6 *
                          (at[0].v[i][k] + 2 * at[1].v[i][k] + 2 * at[2].v[i][k] + at[3].v[i][k]);
            m->v[i][k] += h / 6 * (a[0][i][k] + 2 * a[1][i][k] + 2 * a[2][i][k] + a[3][i][k]);
        }
}

static void check_law(const law* l, double seconds, double most)
{
    scene s = bare_chain((uint32_t)l->count, l->direction[0] * l->length,
                         l->direction[1] * l->length, l->direction[2] * l->length);
    s.spring.stiffness = (float)l->stiffness;
    s.spring.damping = (float)l->damping;
    s.spring.drag = (float)l->drag;
    set_gravity(&s, l->gravity[0], l->gravity[1], l->gravity[2]);
    for (int k = 0; k < 3; k++)
        s.spring.wind[k] = (float)l->wind[k];
    motion m = {0};
    double at[3] = {0, 0, 0};
    for (int i = 0; i < l->count; i++)
        for (int k = 0; k < 3; k++)
            m.x[i][k] = l->direction[k] * l->length * (i + 1);
    anim_dvec start = point_of(&s, s.animated, 1, NULL);
    scene_update(&s, 0);
    double worst = 0, reach = 0;
    const int frames = 60, fine = 40;
    for (int f = 1; f <= (int)(seconds * frames); f++) {
        for (int i = 0; i < fine; i++)
            advance_law(l, &m, ((f - 1) + (double)i / fine) / frames, 1.0 / frames / fine);
        at[0] = l->amplitude * (1 - cos(2 * pi * l->frequency * f / frames));
        s.place.position[0] = at[0];
        scene_update(&s, 1.0 / frames);
        for (int i = 0; i < l->count; i++) {
            anim_dvec p = anim_dvec_sub(tip_of(&s, (uint32_t)i + 1), start);
            anim_dvec right = {m.x[i][0] - at[0], m.x[i][1], m.x[i][2]};
            anim_dvec goal = {l->direction[0] * l->length * (i + 1),
                              l->direction[1] * l->length * (i + 1),
                              l->direction[2] * l->length * (i + 1)};
            worst = fmax(worst, distance(p, right));
            reach = fmax(reach, distance(right, goal));
        }
    }
    print_message("%d bones for %.0f s: off by %.2f %% of a motion of %.3f m\n", l->count, seconds,
                  worst / reach * 100, reach);
    assert_true(worst / reach < most);
    scene_free(&s);
}

static void test_the_law(void** state)
{
    (void)state;
    check_law(&(law){.count = 1,
                     .length = 0.2,
                     .stiffness = 2,
                     .damping = 0.25,
                     .drag = 0.5,
                     .gravity = {0, -9.81, 0},
                     .wind = {1, 0, 2},
                     .amplitude = 0.05,
                     .frequency = 1,
                     .direction = {1, 0, 0}},
              4, 0.01);
    check_law(
        &(law){.count = 3, .length = 0.1, .gravity = {0, -9.81, 0}, .direction = {0.6, -0.8, 0}},
        1.5, 0.02);
    check_law(&(law){.count = 5,
                     .length = 0.1,
                     .stiffness = 1,
                     .damping = 0.2,
                     .drag = 0.3,
                     .gravity = {0, -9.81, 0},
                     .wind = {0, 0, 3},
                     .amplitude = 0.1,
                     .frequency = 0.8,
                     .direction = {0.8, 0, -0.6}},
              4, 0.01);
    check_law(&(law){.count = 8,
                     .length = 0.05,
                     .damping = 0.1,
                     .gravity = {0, -9.81, 0},
                     .amplitude = 0.03,
                     .frequency = 1.5,
                     .direction = {0, -1, 0}},
              4, 0.01);
}

// Weight bends a tail like a rod: each point by gravity / w^2, the tip by gravity / (2 pi stiffness)^2.
static void test_sag(void** state)
{
    (void)state;
    scene s = bare_chain(8, 0.1, 0, 0);
    s.spring.stiffness = 3;
    s.spring.damping = 1;
    set_gravity(&s, 0, -9.81, 0);
    scene_run(&s, 10, 60);
    double right = 9.81 / pow(2 * pi * 3, 2);
    anim_dvec tip = tip_of(&s, 8), middle = tip_of(&s, 4);
    assert_true(fabs(tip.y / -right - 1) < 0.02);
    assert_true(fabs(middle.y / (-right / 4) - 1) < 0.02);
    scene_free(&s);
}

// ---- frame rates

enum { looks = 24 }; // at 1/6 s, which all rates share

static void run_at(int rate, uint32_t bones, int how, anim_dvec out[looks], double* most)
{
    scene s = bare_chain(bones, 0.08, -0.06, 0);
    s.spring = ANIM_SPRING_DEFAULTS;
    s.spring.root = 1;
    s.spring.tip[0] = 0.08f;
    s.spring.tip[1] = -0.06f;
    set_gravity(&s, 0, -9.81, 0);
    scene_update(&s, 0);
    anim_dvec goal = tip_of(&s, bones);
    for (int i = 1; i <= looks * rate / 6; i++) {
        double t = (double)i / rate, turn = 0.25 * sin(2 * pi * 2 * t);
        if (how == 1)
            s.place.position[0] = 0.05 * sin(2 * pi * 2 * t);
        if (how == 2) {
            s.place.rotation[1] = (float)sin(turn);
            s.place.rotation[3] = (float)cos(turn);
        }
        if (how == 3)
            s.place.position[2] = t < 0.5 ? 0 : t < 1.5 ? t - 0.5 : 1;
        if (how == 4) {
            POSE_AT(s.skeleton, s.animated, q, 2, 1) = (float)sin(turn);
            POSE_AT(s.skeleton, s.animated, q, 3, 1) = (float)cos(turn);
        }
        scene_update(&s, 1.0 / rate);
        if (i % (rate / 6) == 0) {
            out[i / (rate / 6) - 1] = tip_of(&s, bones);
            *most = fmax(*most, distance(tip_of(&s, bones), goal));
        }
    }
    scene_free(&s);
}

static void test_frame_rates(void** state)
{
    (void)state;
    const int rates[] = {30, 60, 144, 240};
    for (uint32_t bones = 1; bones <= 8; bones += 7)
        for (int how = 0; how <= 4; how++) {
            anim_dvec right[looks], got[looks];
            double most = 0, worst = 0;
            run_at(1200, bones, how, right, &most);
            for (int r = 0; r < 4; r++) {
                run_at(rates[r], bones, how, got, &most);
                for (int i = 0; i < looks; i++)
                    worst = fmax(worst, distance(got[i], right[i]));
            }
            print_message("%u bones, motion %d: rates differ by %.3f %%\n", bones, how,
                          worst / most * 100);
            assert_true(worst / most < 0.01);
        }
}

// ---- energy

// Of points of mass 1 at the tips, by differences over two frames of 1/240 s.
static double energy_of(const anim_dvec before[], const anim_dvec at[], const anim_dvec after[],
                        uint32_t bones, double gravity)
{
    double sum = 0;
    for (uint32_t i = 0; i < bones; i++) {
        double speed = distance(after[i], before[i]) * 120;
        sum += speed * speed / 2 + gravity * at[i].y;
    }
    return sum;
}

static void check_energy(uint32_t bones, double length, double seconds)
{
    scene s = bare_chain(bones, length, 0, 0);
    set_gravity(&s, 0, -9.81, 0);
    anim_dvec at[3][most_joints];
    const int pieces = 10, frames = (int)(seconds * 240) / pieces;
    double most[10], whole = 9.81 * length * bones * (bones + 1) / 2;
    for (int piece = 0, f = 0; piece < pieces; piece++) {
        most[piece] = -1e30;
        for (int i = 0; i < frames; i++, f++) {
            scene_update(&s, 1.0 / 240);
            for (uint32_t b = 0; b < bones; b++)
                at[f % 3][b] = tip_of(&s, b + 1);
            if (f >= 2)
                most[piece] = fmax(most[piece], energy_of(at[(f + 1) % 3], at[(f + 2) % 3],
                                                          at[f % 3], bones, 9.81));
        }
        assert_true(most[piece] < 1e-3 * whole); // it began at 0
        assert_true(piece == 0 || most[piece] <= most[piece - 1] + 1e-3 * whole);
    }
    print_message(
        "%u bones of %.3f m, %.0f s undamped: energy %.3f of the whole at first, %.3f at last\n",
        bones, length, seconds, 1 + most[0] / whole, 1 + most[pieces - 1] / whole);
    if (bones == 1)
        assert_true(most[pieces - 1] > -0.3 * whole); // and does not die either
    scene_free(&s);
}

static void test_energy_does_not_grow(void** state)
{
    (void)state;
    double seconds = is_slow() ? 600 : 30;
    check_energy(1, 0.3, seconds);
    check_energy(2, 0.2, seconds);
    check_energy(8, 0.1, seconds);
    check_energy(30, 0.01, seconds / 10);
    check_energy(8, 0.001, seconds / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bone_is_a_pendulum),
        cmocka_unit_test(test_stiffness_and_damping),
        cmocka_unit_test(test_damping_of_a_pendulum),
        cmocka_unit_test(test_drag_and_wind),
        cmocka_unit_test(test_the_law),
        cmocka_unit_test(test_sag),
        cmocka_unit_test(test_frame_rates),
        cmocka_unit_test(test_energy_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
