/*
 * Compiling all variants of a sweep before anything is measured, by the first lane's worker.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/sweep_state.h"

/* A compiler that says nothing for so long hangs: the worker reports ten times a second. */
enum { COMPILE_SILENCE_MS = 120 * 1000 };
enum { COMPILE_REQUEST_MAX = 1 << 16 }; /* variants; keeps messages short */

/*
 * One message of compiling; `ended` becomes true with the last. `variants`: the numbers in the plan
 * of those asked for; `before`: how many were done earlier.
 */
static bool take_compile_message(struct sweep *s, const struct message *m, const uint32_t *variants,
                                 size_t before, bool *ended, struct error *e)
{
    if (m->type == MESSAGE_PROGRESS)
        progress_show(&s->progress, before + ((const struct progress_report *)m->payload)->done,
                      "");
    if (m->type == MESSAGE_UNCOMPILED) {
        const struct uncompiled *u = (const struct uncompiled *)m->payload;
        char **why = &s->uncompiled[variants[u->variant]];
        free(*why);
        *why = xstrdup(u->why);
    }
    *ended = m->type == MESSAGE_COMPILED;
    if (m->type != MESSAGE_REFUSED)
        return true;
    const struct refusal *r = (const struct refusal *)m->payload;
    return FAIL(e, r->kind, "%s", r->text);
}

/* Compiles these variants of the plan; false only where nothing can be compiled at all. */
static bool compile_some(struct sweep *s, const uint32_t *variants, uint32_t count, size_t before,
                         struct error *e)
{
    struct variant *request = xcalloc(count, sizeof *request);
    for (uint32_t i = 0; i < count; i++)
        request[i] = s->plan->variants[variants[i]];
    s->lanes[0].supervisor.asked = (struct asked){.count = count};
    supervisor_request(&s->lanes[0].supervisor, MESSAGE_COMPILE, request, count * sizeof *request);
    free(request);
    bool ended = false, ok = true;
    for (int silent = 0; ok && !ended && !sweep_stop_signal;) {
        struct message m;
        enum received received = supervisor_receive(&s->lanes[0].supervisor, SWEEP_SLICE_MS, &m);
        silent = received == RECEIVED_TIMEOUT ? silent + SWEEP_SLICE_MS : 0;
        if (received == RECEIVED_END || received == RECEIVED_MALFORMED ||
            silent >= COMPILE_SILENCE_MS) {
            supervisor_kill(&s->lanes[0].supervisor, NULL);
            break;
        }
        if (received != RECEIVED_MESSAGE)
            continue;
        ok = take_compile_message(s, &m, variants, before, &ended, e);
        message_free(&m);
    }
    return ok;
}

/* The variants of points that have no row yet, ascending; how many. The list is the caller's. */
static size_t wanted_variants(const struct sweep *s, uint32_t **list)
{
    const struct plan *plan = s->plan;
    bool *wanted = xcalloc(plan->variant_count, sizeof *wanted);
    size_t count = 0;
    for (uint32_t i = 0; i < plan->point_count; i++)
        if (!plan->points[i].skip && !rows_has(s, i))
            wanted[plan->points[i].variant] = true;
    *list = xcalloc(plan->variant_count, sizeof **list);
    for (uint32_t v = 0; v < plan->variant_count; v++)
        if (wanted[v])
            (*list)[count++] = v;
    free(wanted);
    return count;
}

/* Fills the compile cache. A worker that dies of it is not fatal: points compile again later. */
bool sweep_compile(struct sweep *s, struct error *e)
{
    uint32_t *variants;
    size_t count = wanted_variants(s, &variants);
    if (sweep_searches(s) || sweep_is_asked(s))
        count = 0; /* each batch compiles what it needs */
    s->uncompiled = xcalloc(s->plan->variant_count, sizeof *s->uncompiled);
    progress_start(&s->progress, "compiling", count, s->options->quiet);
    double since = clock_now_s();
    bool ok = true;
    for (size_t done = 0, some; ok && done < count; done += some) {
        some = count - done < COMPILE_REQUEST_MAX ? count - done : COMPILE_REQUEST_MAX;
        if (s->lanes[0].supervisor.worker == 0 || sweep_stop_signal)
            break;
        ok = compile_some(s, &variants[done], (uint32_t)some, done, e);
    }
    free(variants);
    s->conditions->phases.compile_s = clock_now_s() - since;
    progress_end(&s->progress);
    return ok;
}
