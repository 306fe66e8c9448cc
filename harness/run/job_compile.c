/* Compiles the variants of a sweep; see job_compile.h. */
#include "run/job_compile.h"

#include <stdlib.h>

#include "base/memory.h"
#include "run/rows.h"

/* The largest number of variants in one request, so that messages stay short. */
enum { COMPILE_REQUEST_MAX = 1 << 16 };

/*
 * Lists the variants of the points that have no row yet, in ascending order. The list is empty if
 * the source measures only some points, because the variants that it needs are not known yet.
 */
static void find_variants(struct lane *l)
{
    const struct sweep *s = l->sweep;
    const struct plan *plan = s->plan;
    bool *wanted = xcalloc((size_t)plan->variant_count + 1, sizeof *wanted);
    for (uint32_t i = 0; i < plan->point_count; i++)
        if (!plan->points[i].skip && !rows_has(s, i))
            wanted[plan->points[i].variant] = true;
    l->variants = xcalloc((size_t)plan->variant_count + 1, sizeof *l->variants);
    for (uint32_t v = 0; v < plan->variant_count && !s->source->kind->some; v++)
        if (wanted[v])
            l->variants[l->variant_count++] = v;
    free(wanted);
}

bool compile_next(struct lane *l, struct error *e)
{
    struct sweep *s = l->sweep;
    (void)e;
    if (l != &s->lanes[0])
        return true;
    if (!l->variants) {
        find_variants(l);
        progress_start(&s->progress, "compiling", l->variant_count, s->options->quiet);
    }
    size_t count = l->variant_count - l->variants_done;
    if (count > COMPILE_REQUEST_MAX)
        count = COMPILE_REQUEST_MAX;
    if (count == 0 || l->supervisor.worker == 0)
        return true;
    struct variant *request = xcalloc(count, sizeof *request);
    for (size_t i = 0; i < count; i++)
        request[i] = s->plan->variants[l->variants[l->variants_done + i]];
    l->variants_sent = count;
    l->state = LANE_COMPILING;
    l->supervisor.asked = (struct asked){.count = (uint32_t)count};
    supervisor_request(&l->supervisor, MESSAGE_COMPILE, request, count * sizeof *request);
    free(request);
    return true;
}

/* Handles a message from the worker that compiles. Sets *ended if the request is finished. */
static bool take_message(struct lane *l, const struct message *m, bool *ended, struct error *e)
{
    struct sweep *s = l->sweep;
    if (m->type == MESSAGE_PROGRESS)
        progress_show(&s->progress,
                      l->variants_done + ((const struct progress_report *)m->payload)->done, "");
    if (m->type == MESSAGE_UNCOMPILED) {
        const struct uncompiled *u = (const struct uncompiled *)m->payload;
        char **why = &s->uncompiled[l->variants[l->variants_done + u->variant]];
        free(*why);
        *why = xstrdup(u->why);
    }
    *ended = m->type == MESSAGE_COMPILED;
    if (m->type != MESSAGE_REFUSED)
        return true;
    const struct refusal *r = (const struct refusal *)m->payload;
    return FAIL_LINES(e, r->kind, "%s", r->text);
}

bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e)
{
    bool ended = false, ok = true;
    if (received == RECEIVED_MESSAGE) {
        ok = take_message(l, m, &ended, e);
        if (ended)
            l->variants_done += l->variants_sent;
    } else {
        supervisor_kill(&l->supervisor);
        ended = true;
    }
    if (ended)
        l->state = LANE_IDLE;
    return ok;
}
