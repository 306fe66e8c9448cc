/*
 * Gives up kernels that keep failing, because failures take long: a kernel that hangs uses up the
 * time limit of each of its points, and after each crash, a new process must be started. If three
 * consecutive points of a kernel have the same status (launch_error, timeout or crashed), the
 * kernel's remaining points are skipped, and their rows give this reason.
 *
 * "Consecutive" refers to the kernel's own points on one device; points of other kernels in between
 * do not matter. A point with any other outcome restarts the count. A point whose results are right
 * also restarts it at once, although the point's row is written only at the end of its group. In a
 * resumed run, a kernel stays given up, unless --retry removed the rows that record it
 * (record/recorded.c).
 */
#include <stdio.h>
#include <string.h>

#include "run/give_up.h"

enum { SAME_FAILURES_MAX = 3 };

void give_up_begin(struct sweep *s)
{
    int count = s->plan->catalogue->count;
    s->given_up = xcalloc((size_t)count + 1, sizeof *s->given_up);
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        l->streaks = xcalloc((size_t)count + 1, sizeof *l->streaks);
        l->failing_kernel = NO_KERNEL;
    }
}

void give_up_again(struct sweep *s, const char *kernel, enum status status)
{
    for (int k = 0; k < s->plan->catalogue->count; k++)
        if (strcmp(s->plan->catalogue->kernels[k]->name, kernel) == 0)
            s->given_up[k] = status;
}

static bool counts(enum status status)
{
    return status == STATUS_LAUNCH_ERROR || status == STATUS_TIMEOUT || status == STATUS_CRASHED;
}

void give_up_passed(struct lane *l, const struct point *point)
{
    l->streaks[point->kernel].passed = point->id;
}

void give_up_note(struct lane *l, const struct point *point, enum status status)
{
    const struct sweep *s = l->sweep;
    struct streak *k = &l->streaks[point->kernel];
    if (status == STATUS_SKIPPED)
        return;
    bool others_passed = k->passed != 0 && k->passed != point->id;
    if (!counts(status))
        k->count = 0;
    else
        k->count = k->status == status && !others_passed ? k->count + 1 : 1;
    k->status = status;
    k->passed = 0;
    if (k->count >= SAME_FAILURES_MAX && !give_up_reason(s, point->kernel))
        l->failing_kernel = point->kernel;
}

void give_up_settle(struct lane *l)
{
    struct sweep *s = l->sweep;
    uint32_t kernel = l->failing_kernel;
    l->failing_kernel = NO_KERNEL;
    if (kernel == NO_KERNEL || s->given_up[kernel])
        return;
    s->given_up[kernel] = l->streaks[kernel].status;
    s->given_up_count++;
    progress_clear(&s->progress);
    fprintf(stderr,
            "giving up on the kernel %s, because its status was %s at %d points in a row; its "
            "other points are skipped (use redsweep resume --retry %s to measure them)\n",
            s->plan->catalogue->kernels[kernel]->name, status_name(s->given_up[kernel]),
            SAME_FAILURES_MAX, status_name(s->given_up[kernel]));
}

const char *give_up_reason(const struct sweep *s, uint32_t kernel)
{
#define GIVEN_UP "the kernel was given up, because its status at three points in a row was "
    static const char *const reasons[STATUS_COUNT] = {[STATUS_LAUNCH_ERROR] =
                                                          GIVEN_UP "launch_error",
                                                      [STATUS_TIMEOUT] = GIVEN_UP "timeout",
                                                      [STATUS_CRASHED] = GIVEN_UP "crashed"};
#undef GIVEN_UP
    return reasons[s->given_up[kernel]];
}
