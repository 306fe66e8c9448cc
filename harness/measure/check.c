/*
 * Launches each point for the first time and checks its result.
 *
 * The output is poisoned, that is, filled with a pattern, before the launch. This exposes a kernel
 * that writes nothing. Guards after the output, the input and the scratch memory expose a kernel
 * that writes past the end of a buffer. The guards are read back once for the whole group. If a
 * guard is broken, all points are checked again, with the guards read back after each launch.
 *
 * A kernel that claims to leave its input unchanged is launched a second time without a fresh input
 * and must give the same result. This costs a launch, so it is done only for small inputs. The
 * workspace is not zeroed before this launch for `standalone` kernels, which claim to leave it
 * zeroed, and for row-wise kernels, which the library of `redsweep tuned` may call.
 *
 * Kernels that leave their input unchanged share one input. If one of them is wrong, it or an
 * earlier kernel may have changed the input. The input is then regenerated and the kernel checked
 * again, so that no point is blamed for another one's error.
 */
#include "measure/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

enum { SECOND_LAUNCH_MAX = 1 << 16 };

/* Checks whether the guard after a buffer is intact. If it is not, writes the reason. */
static bool guard_holds(struct group_run *s, struct buffer b, uint64_t used, const char *what,
                        char why[256], bool *holds, struct error *e)
{
    unsigned char guard[BUFFER_GUARD_BYTES];
    const uint8_t poison = input_poison(s->input.type, s->input.op);
    *holds = true;
    if (b.bytes == 0)
        return true;
    if (!s->bench->driver->read(s->bench->device, b, b.bytes - sizeof guard, guard, sizeof guard,
                                e))
        return false;
    for (size_t i = 0; i < BUFFER_GUARD_BYTES; i++)
        if (guard[i] != poison) {
            *holds = false;
            snprintf(why, 256,
                     "the kernel wrote %zu bytes past the end of its %s (%" PRIu64 " bytes)", i + 1,
                     what, used);
            return s->bench->driver->fill(s->bench->device, b, poison, e);
        }
    return true;
}

static bool check_result(struct group_run *s, struct subject *subject, char why[256], bool *right,
                         struct error *e)
{
    struct bench *b = s->bench;
    struct outcome *o = &subject->outcome;
    /* The device may have executed fewer blocks than it was told to. */
    if (subject->sample.count)
        o->sampled_share = (double)subject->sample.count / (double)subject->shape.grid;
    if (subject->sample.count)
        return sampled_check(s, subject, why, right, e);
    size_t bytes = subject->result_elements * subject->result_size;
    void *host = xmalloc(bytes);
    bool ok = b->driver->read(b->device, subject->result, 0, host, bytes, e);
    struct work work = subject_work(s, subject);
    if (ok)
        *right = subject->kernel->workload->check(&work, &subject->reference, host,
                                                  subject->result_elements, o->result,
                                                  &o->rel_error, why);
    if (ok && *right && !subject->padded)
        subject_take_bits(subject, result_bits(host, bytes));
    free(host);
    return ok;
}

/* Launches a point once on a poisoned output and checks the result. Unless `counters` is NULL,
 * reads the counters of this launch. */
static bool launch_and_judge(struct group_run *s, struct subject *subject, const struct trial *t,
                             double *counters, char why[256], bool *right, struct error *e)
{
    struct bench *b = s->bench;
    uint8_t poison = input_poison(s->input.type, s->input.op);
    struct buffer output = subject->sample.count ? s->output[0] : subject->result;
    /* The guard is not poisoned again, so that earlier kernels' writes to it are still found. */
    output.bytes -= BUFFER_GUARD_BYTES;
    if (!b->driver->fill(b->device, output, poison, e))
        return false;
    bool ran = counters ? b->driver->count(b->device, t, 1, s->task->counters,
                                           s->task->counter_count, counters, e)
                        : b->driver->run(b->device, t, e);
    if (!ran || !check_result(s, subject, why, right, e))
        return false;
    /* The kernel read shared memory that nothing had written, so a correct result is a
     * coincidence. */
    if (t->unwritten && t->unwritten[0]) {
        *right = false;
        memcpy(why, t->unwritten, UNWRITTEN_TEXT);
    }
    if (!*right || !s->watch_guards)
        return true;
    uint64_t size = element_size(s->input.type);
    return guard_holds(s, s->output[0], s->output[0].bytes - BUFFER_GUARD_BYTES, "output", why,
                       right, e) &&
           (!*right || guard_holds(s, t->restore ? s->scratch[0] : s->pristine[0],
                                   s->input.n * size, "input", why, right, e)) &&
           (!*right ||
            guard_holds(s, s->workspace[0], subject->shape.workspace, "workspace", why, right, e));
}

/* Restores the shared input and its guard. */
static bool renew_input(struct group_run *s, struct error *e)
{
    struct bench *b = s->bench;
    return b->driver->fill(b->device, s->pristine[0], input_poison(s->input.type, s->input.op),
                           e) &&
           (s->input.n == 0 || b->driver->generate(b->device, s->pristine[0], &s->input, e));
}

static bool check_subject(struct group_run *s, struct subject *subject, double *counters,
                          char why[256], bool *right, struct error *e)
{
    struct trial t = subject_trial(s, subject, TRIAL_UNTIMED, 0);
    char unwritten[UNWRITTEN_TEXT] = "";
    t.cache = CACHE_WARM; /* not timed, so there is no need to flush the cache */
    t.unwritten = s->bench->count_wrong ? unwritten : NULL;
    if (s->bench->info.no_contents) {
        *right = s->bench->driver->run(s->bench->device, &t, e);
        return *right;
    }
    if (!launch_and_judge(s, subject, &t, counters, why, right, e))
        return false;
    if (!*right && !t.restore &&
        (!renew_input(s, e) || !launch_and_judge(s, subject, &t, counters, why, right, e) ||
         (!*right && !renew_input(s, e))))
        return false;
    if (!*right || t.restore || s->input.n > SECOND_LAUNCH_MAX)
        return true;
    /* A standalone kernel claims to leave its workspace zeroed. A library may call a row-wise
     * kernel even without that claim. */
    if (subject->kernel->standalone || subject->kernel->workload->by_rows)
        t.zero.bytes = 0;
    if (!launch_and_judge(s, subject, &t, NULL, why, right, e))
        return false;
    if (!*right && !renew_input(s, e))
        return false;
    if (!*right) {
        char first[256];
        memcpy(first, why, sizeof first);
        snprintf(why, 256,
                 "the first result is right, but a second launch on the same input gave a wrong "
                 "one: %.170s",
                 first);
    }
    return true;
}

/*
 * Finishes a point whose result is wrong. A wrong kernel's counts can still be compared, so they
 * are collected if the config asks for it (count_wrong). If counting changes the shared input,
 * checking the next point renews it.
 */
static bool finish_wrong(struct group_run *s, uint32_t i, const char *wrong, struct error *why,
                         struct error *e)
{
    struct subject *subject = &s->subjects[i];
    char reason[1024];
    subject->wrong = wrong;
    if (s->bench->count_wrong && !group_count_one(s, i, why, e))
        return false;
    snprintf(reason, sizeof reason, "%.255s%s%.700s", wrong, subject->outcome.reason[0] ? "; " : "",
             subject->outcome.reason);
    return subject_finish(s, subject, STATUS_WRONG, reason, e);
}

/* Reports a point's counts. If counts are missing, the row's reason includes the device's
 * explanation, if there is one. */
static bool report_counts(struct group_run *s, struct subject *subject, const double *counters,
                          struct error *e)
{
    bool missing = false;
    for (int k = 0; k < s->task->counter_count; k++)
        missing = missing || isnan(counters[k]);
    if (missing && subject->module_info.uncounted[0])
        outcome_add_reason(&subject->outcome, "%s", subject->module_info.uncounted);
    return report_values(s, REPORT_COUNTS, subject->index, counters, (size_t)s->task->counter_count,
                         e);
}

/* Checks every active point once. */
static bool check_all(struct group_run *s, double *counters, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        if (!subject->active)
            continue;
        struct error why = {0};
        char wrong[256] = "";
        bool right = false;
        if (!report_event(s, REPORT_BEGIN, subject->index, e))
            return false;
        bool ok;
        if (!check_subject(s, subject, counters, wrong, &right, &why))
            ok = subject_finish(s, subject, status_of_error(&why), why.text, e);
        else if (counters && !report_counts(s, subject, counters, e))
            ok = false;
        else if (!right)
            ok = finish_wrong(s, i, wrong, &why, e);
        else
            ok = report_event(s, REPORT_CHECKED, subject->index, e);
        if (ok && why.device_lost)
            *e = why;
        if (!ok || why.device_lost)
            return false;
    }
    return true;
}

/* Checks whether all guards are intact, and no kernel wrote past the end of a buffer. */
static bool guards_hold(struct group_run *s, bool *hold, struct error *e)
{
    const struct buffer guarded[] = {s->output[0], s->pristine[0], s->scratch[0], s->workspace[0]};
    char why[256];
    *hold = true;
    if (s->bench->info.no_contents)
        return true;
    if (!report_event(s, REPORT_BEGIN, POINT_BATCH, e))
        return false;
    for (size_t i = 0; *hold && i < sizeof guarded / sizeof guarded[0]; i++)
        if (!guard_holds(s, guarded[i], 0, "", why, hold, e))
            return false;
    return true;
}

/* Restores all buffers to their state before the first launch. */
static bool renew_all(struct group_run *s, struct error *e)
{
    struct bench *b = s->bench;
    const struct buffer guarded[] = {s->output[0], s->scratch[0], s->workspace[0]};
    for (size_t i = 0; i < sizeof guarded / sizeof guarded[0]; i++)
        if (guarded[i].bytes &&
            !b->driver->fill(b->device, guarded[i], input_poison(s->input.type, s->input.op), e))
            return false;
    return !s->pristine[0].address || renew_input(s, e);
}

bool group_check(struct group_run *s, struct error *e)
{
    struct bench *b = s->bench;
    bool count_now = b->info.count_is_run && b->driver->count && s->task->counter_count > 0;
    double *counters = xcalloc((size_t)s->task->counter_count, sizeof *counters);
    double *counted = count_now ? counters : NULL;
    bool hold = true, ok = check_all(s, counted, e) && guards_hold(s, &hold, e);
    /* Checks the points again one at a time, to find the kernel that wrote past the end. */
    if (ok && !hold) {
        s->watch_guards = true;
        ok = renew_all(s, e) && check_all(s, counted, e);
    }
    free(counters);
    return ok;
}
