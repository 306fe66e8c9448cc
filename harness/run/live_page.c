/*
 * The page of a run that goes on: see live_page.h.
 */
#include "run/live_page.h"

#include <math.h>

#include "base/clock.h"
#include "run/rows.h"

enum { EVERY_S = 5, TIMES_AS_LONG = 50, MOST_POINTS = 20000 };

void live_page_write(struct sweep *s)
{
    const struct sweep_options *o = s->options;
    double now = clock_now_s();
    if (!o->page || s->side_count > 1 || !s->sides[0].record || !s->source ||
        s->plan->point_count > MOST_POINTS || s->result->rows == s->page_rows ||
        now < s->page_due_s)
        return;
    s->page_rows = s->result->rows;
    o->page(s->result->folder);
    double after = clock_now_s();
    s->page_due_s = after + fmax(EVERY_S, TIMES_AS_LONG * (after - now));
}
