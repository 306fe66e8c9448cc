/*
 * Kernels that fail again and again: a kernel that does not end costs its time limit at each of its
 * points, and one that crashes a new process. After three points in a row with the same status
 * (launch_error, timeout, crashed) the others are skipped with that reason.
 *
 * "In a row" is among the kernel's own points: any other outcome between them begins the count
 * anew, and so does another point that passes its check, since the rows of points that are right
 * come at their group's end. In a resumed run a kernel stays given up, unless --retry with its
 * status has taken the rows out that say so (record/recorded.c).
 */
#include <stdio.h>
#include <string.h>

#include "run/sweep_state.h"

enum { SAME_FAILURES_MAX = 3 };

void give_up_begin(struct sweep *s)
{
    int count = s->plan->catalogue->count;
    s->streaks = xcalloc((size_t)count + 1, sizeof *s->streaks);
    for (int k = 0; k < count; k++)
        s->streaks[k].passed = POINT_BATCH;
    s->failing_kernel = POINT_BATCH;
}

void give_up_again(struct sweep *s, const char *kernel, enum status status)
{
    for (int k = 0; k < s->plan->catalogue->count; k++)
        if (strcmp(s->plan->catalogue->kernels[k]->name, kernel) == 0)
            s->streaks[k] = (struct streak){status, 0, POINT_BATCH, true};
}

static bool counts(enum status status)
{
    return status == STATUS_LAUNCH_ERROR || status == STATUS_TIMEOUT || status == STATUS_CRASHED;
}

static struct streak *streak_of(const struct sweep *s, uint32_t point)
{
    return &s->streaks[s->plan->points[point].kernel];
}

void give_up_passed(struct sweep *s, uint32_t point)
{
    streak_of(s, point)->passed = point;
}

void give_up_note(struct sweep *s, uint32_t point, enum status status)
{
    struct streak *k = streak_of(s, point);
    if (status == STATUS_SKIPPED)
        return;
    bool others_passed = k->passed != POINT_BATCH && k->passed != point;
    if (!counts(status))
        k->count = 0;
    else
        k->count = k->status == status && !others_passed ? k->count + 1 : 1;
    k->status = status;
    k->passed = POINT_BATCH;
    if (k->count >= SAME_FAILURES_MAX && !k->given_up)
        s->failing_kernel = s->plan->points[point].kernel;
}

void give_up_settle(struct sweep *s)
{
    if (s->failing_kernel == POINT_BATCH)
        return;
    struct streak *k = &s->streaks[s->failing_kernel];
    k->given_up = true;
    progress_clear(&s->progress);
    fprintf(stderr,
            "kernel %s is given up: %s at %d points in a row; its other points are skipped "
            "(resume --retry %s measures them again)\n",
            s->plan->catalogue->kernels[s->failing_kernel]->name, status_name(k->status),
            SAME_FAILURES_MAX, status_name(k->status));
    s->failing_kernel = POINT_BATCH;
}

const char *give_up_reason(const struct sweep *s, uint32_t point)
{
    static const char *const reasons[STATUS_COUNT] = {[STATUS_LAUNCH_ERROR] =
                                                          RECORD_GIVEN_UP "launch_error",
                                                      [STATUS_TIMEOUT] = RECORD_GIVEN_UP "timeout",
                                                      [STATUS_CRASHED] = RECORD_GIVEN_UP "crashed"};
    const struct streak *k = streak_of(s, point);
    return k->given_up ? reasons[k->status] : NULL;
}
