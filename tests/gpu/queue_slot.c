/*
 * Checks queue slots and the self-check of events on a real GPU. Prints what
 * harness/devices/cuda/queue_slot.c finds on this GPU, whether the harness notices slips that the
 * program causes on purpose, and how long the search takes. It is not part of `make test`, which
 * needs no GPU, and takes less than a minute:
 *
 *   make stage && build/tests/gpu/queue_slot [GPU NUMBER]
 *
 * The last line is the verdict. The exit code is 0 if all checks pass, 1 if one fails, and 77 if
 * this machine has no GPU.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compile/compile.h"
#include "base/statistics.h"
#include "devices/cuda/cuda_device.h"
#include "measure/ceilings.h"
#include "measure/buffer_pool.h"
#include "spec/folders.h"

extern const struct device_driver cuda_driver;

enum { EXIT_SKIPPED = 77 };
enum { OPENINGS = 6, ROUNDS = 32, BATCHES = 500, TRIALS = 44, SLIP_EVERY = 10, CHECKS = 200 };

static struct catalogue kernels, support;
static struct compiler *compiler;
static int complaints;

static void must(bool ok, const struct error *e)
{
    if (ok)
        return;
    printf("queue_slot: %s\n", e->text);
    exit(e->kind == ERROR_DEVICE ? EXIT_SKIPPED : 1);
}

static void complain(const char *what)
{
    printf("  ** %s\n", what);
    complaints++;
}

static struct device *open_gpu(const char *number, int contexts)
{
    struct device_setup setup = {.compiler = compiler, .support = &support, .contexts = contexts};
    struct device *d;
    struct error e = {0};
    must(cuda_driver.open(number, &setup, &d, &e), &e);
    return d;
}

static void print_profile(const struct slot_profile *p)
{
    printf("period %u, best %u, margin %.3f us, unseen < %.3f us, p %.2g rejected, %.2g not, scale "
           "%.3f us, %d rounds, %d closing cycles; medians",
           p->period, p->best, p->margin_us, p->unseen_us, p->p_shorter, p->p_longer, p->scale_us,
           p->rounds, slot_cycles(p));
    for (unsigned q = 0; q < p->period; q++)
        printf(" %.3f%s", p->median_us[q], p->serves[q] ? "*" : "");
    printf("\n");
}

/* Makes a trial that launches an empty kernel, with a cold cache unless the caller changes that. */
static struct trial empty_trial(struct device *d, struct launch *l)
{
    struct error e = {0};
    must(cuda_timing_open(d, &e), &e);
    *l = cuda_empty_launch(d);
    return (struct trial){
        .input = d->flush_clean, .cache = CACHE_COLD, .launches = l, .launch_count = 1};
}

/* ---- Profiles -------------------------------------------------------------------------------- */

/* Checks that launches in the best position take the same time in every context, to within half
 * of the margin between the best and the second-best position. Two contexts may have different
 * periods if the longer one changes times by less than this margin. Returns the first context's
 * period. */
static unsigned profiles(const char *number)
{
    unsigned period = 0;
    double best_us = 0;
    printf("Profiles of %d contexts:\n", (int)OPENINGS);
    for (int i = 0; i < OPENINGS; i++) {
        struct device *d = open_gpu(number, 1);
        struct launch l;
        struct trial t = empty_trial(d, &l);
        struct error e = {0};
        double us, since = clock_now_s(), busy = cuda_busy_s(d);
        must(cuda_time(d, &t, 1, &us, &e), &e);
        printf("  %.0f ms, device %.0f ms: ", 1e3 * (clock_now_s() - since),
               1e3 * (cuda_busy_s(d) - busy));
        print_profile(&d->slot.profile);
        const struct slot_profile *p = &d->slot.profile;
        if (i == 0) {
            period = p->period;
            best_us = p->median_us[p->best];
        }
        if ((period > 1) != (p->period > 1))
            complain("a period in one context, none in another");
        if (p->period != period)
            printf("    (another period than in the first context)\n");
        if (p->period > 1 && fabs(p->median_us[p->best] - best_us) > p->margin_us / 2)
            complain("the shortest position takes another time than in the first context");
        cuda_driver.close(d);
    }
    return period;
}

/* ---- What a probe needs ---------------------------------------------------------------------- */

/* Measures the times in all slots after one kind of preparation, at a fixed distance from the
 * previous launch. */
static void probe_variant(struct device *d, const struct trial *t, unsigned spacing,
                          const char *name)
{
    static double rounds[ROUNDS][SLOTS];
    struct timed_job jobs[ROUNDS * SLOTS];
    double us[ROUNDS * SLOTS];
    struct slot_profile p;
    struct error e = {0};
    /* The step is odd, so this visits all slots, but out of order. */
    for (int i = 0; i < ROUNDS * SLOTS; i++)
        jobs[i] = (struct timed_job){t, SLOTS, (unsigned)(i * 7 + i / SLOTS) % SLOTS, spacing};
    double busy = cuda_busy_s(d);
    must(cuda_time_jobs(d, jobs, ROUNDS * SLOTS, us, &e), &e);
    busy = cuda_busy_s(d) - busy;
    for (int i = 0; i < ROUNDS * SLOTS; i++)
        rounds[i / SLOTS][jobs[i].slot] = us[i];
    (void)slot_fit((const double(*)[SLOTS])rounds, ROUNDS, 0.032, &p);
    printf("  %-34s %6.1f us each: ", name, 1e6 * busy / (ROUNDS * SLOTS));
    print_profile(&p);
}

static void variants(struct device *d)
{
    char name[64];
    struct launch l;
    struct trial t = empty_trial(d, &l);
    uint64_t l2 = (uint64_t)d->info.l2_bytes;
    printf("Probes by what comes before them (a smaller sweep would be cheaper):\n");
    probe_variant(d, &t, 16, "full flush, 16 launches apart");
    probe_variant(d, &t, 0, "full flush, as trials are");
    t.cache = CACHE_WARM;
    for (unsigned quarters = 16; quarters >= 1; quarters /= 2) {
        t.input.bytes = l2 * quarters / 4 & ~(size_t)0xfff;
        if (t.input.bytes > d->flush_clean.bytes)
            continue;
        snprintf(name, sizeof name, "reading %.2f of the L2, 16 apart", quarters / 4.0);
        probe_variant(d, &t, 16, name);
    }
    t.input.bytes = 64 << 10;
    probe_variant(d, &t, 16, "warm, 64 KiB");
}

/* ---- Slips ----------------------------------------------------------------------------------- */

static struct device *slipping; /* the device whose stream launch_some() uses */
static bool slip_now;

/* Stands in for host code that makes one launch. If slip_now is true, it makes two. */
static int launch_some(int type, int op, const void *input, void *output, uint64_t n,
                       void *workspace, size_t workspace_bytes, void *stream)
{
    (void)type, (void)op, (void)input, (void)output, (void)n, (void)workspace;
    (void)workspace_bytes, (void)stream;
    struct launch l = cuda_empty_launch(slipping);
    struct error e = {0};
    for (int i = 0; i < 1 + slip_now; i++) {
        must(cuda_enqueue(slipping, &l, &e), &e);
        slipping->launches--; /* the caller counts one launch itself */
    }
    slip_now = false;
    return 0;
}

static void batches(struct device *d)
{
    struct module host = {.host = launch_some, .host_launches = 1, .host_n = 1};
    struct launch l, some = {.module = &host};
    struct trial trials[TRIALS];
    double us[TRIALS], kept[BATCHES], slipped[BATCHES];
    int kept_count = 0, slipped_count = 0, alarms = 0, missed = 0;
    struct error e = {0};
    for (int i = 0; i < 5; i++)
        add_argument(&some, i == 2, 8);
    slipping = d;
    for (int i = 0; i < TRIALS; i++)
        trials[i] = empty_trial(d, &l);
    trials[TRIALS / 2].launches = &some;
    must(cuda_time(d, trials, TRIALS, us, &e), &e);
    struct launch_position before = d->info.position;
    double busy = cuda_busy_s(d), since = clock_now_s();
    for (int b = 0; b < BATCHES; b++) {
        uint64_t repeated = d->info.position.repeated;
        slip_now = b % SLIP_EVERY == SLIP_EVERY - 1;
        bool slips = slip_now;
        must(cuda_time(d, trials, TRIALS, us, &e), &e);
        bool again = d->info.position.repeated > repeated;
        double median = median_in_place(us, TRIALS);
        if (slips)
            slipped[slipped_count++] = median;
        else
            kept[kept_count++] = median;
        missed += slips && !again;
        alarms += !slips && again;
    }
    busy = cuda_busy_s(d) - busy;
    since = clock_now_s() - since;
    struct launch_position *after = &d->info.position;
    double usual = median_in_place(kept, (size_t)kept_count);
    double after_slip = median_in_place(slipped, (size_t)slipped_count);
    printf("%d batches of %d cold empty kernels: %.1f s, device %.1f s; %.1f sentinels a batch; "
           "located %u times, profiles %u\n",
           (int)BATCHES, (int)TRIALS, since, busy,
           (double)(after->sentinels - before.sentinels) / BATCHES, after->located - before.located,
           after->profiles - before.profiles);
    printf("  of %d without a slip %d repeated, of %d with one %d not; medians of what was handed "
           "on: %.3f and %.3f us, furthest %.3f\n",
           kept_count, alarms, slipped_count, missed, usual, after_slip, kept[kept_count - 1]);
    if (d->slot.profile.period > 1) {
        if (missed > 1)
            complain("slips were missed");
        if (alarms > BATCHES / 50)
            complain("too many false alarms");
        if (fabs(usual - after_slip) > d->slot.profile.margin_us / 2)
            complain("what was handed on after a slip stands elsewhere");
    }
}

/* ---- The self-check of events ---------------------------------------------------------------- */

static void self_checks(struct device *d)
{
    struct bench bench = {.driver = &cuda_driver,
                          .device = d,
                          .compiler = compiler,
                          .support = &support,
                          .threads = 1};
    struct ceilings none = {.bytes = 0}; /* without a buffer, the self-check counts nothing */
    struct self_check checks[SELF_CHECKS_MOST];
    double lowest = INFINITY, highest = -INFINITY, tolerance = 0, since = clock_now_s();
    int failed = 0, left_out = 0;
    cuda_driver.describe(d, &bench.info);
    for (int i = 0; i < CHECKS; i++) {
        struct error e = {0};
        int count;
        self_check(&bench, &none, checks, &count, &e);
        must(e.kind == ERROR_NONE, &e);
        left_out += count == 0;
        if (count == 0)
            continue;
        double ratio = checks[0].found / checks[0].expected;
        failed += !checks[0].ok;
        lowest = fmin(lowest, ratio);
        highest = fmax(highest, ratio);
        tolerance = fmax(tolerance, checks[0].tolerance);
    }
    printf("%d self-checks of events in %.1f s: %d failed, %d left out; found / expected %.5f to "
           "%.5f, tolerance up to %.5f\n",
           (int)CHECKS, clock_now_s() - since, failed, left_out, lowest, highest, tolerance);
    if (failed > 0)
        complain("false alarms");
    if (left_out > 0)
        complain("checks that said nothing");
    pool_free(&bench, false);
}

int main(int argc, char **argv)
{
    const char *number = argc > 1 ? argv[1] : "";
    char folder[4096];
    struct error e = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    must(find_kernel_folder(folder, sizeof folder, &e) &&
             read_catalogues(folder, NULL, 0, &kernels, &support, &e) &&
             compiler_open(NULL, folder, &compiler, &e),
         &e);
    unsigned period = profiles(number);
    struct device *d = open_gpu(number, 4);
    printf("%s, %d contexts, events in steps of %.3f us, tiny launch %.3f us (slowest context "
           "%.3f)\n",
           d->info.name, d->info.contexts, d->info.time_step_us, d->info.launch_us,
           d->info.launch_max_us);
    variants(d);
    batches(d);
    self_checks(d);
    cuda_driver.close(d);
    catalogue_free(&kernels);
    catalogue_free(&support);
    compiler_close(compiler);
    printf("queue_slot: %s: period %u, %d complaint%s\n", complaints ? "FAILED" : "passed", period,
           complaints, complaints == 1 ? "" : "s");
    return complaints ? 1 : 0;
}
