/*
 * Serving the parent's requests with the device: see protocol.h for the conversation.
 *
 * The worker builds its own plan and metric plan from the same config, catalogue and device, by
 * the same functions as the parent: both come to the same points and counters.
 */
#include "run/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "measure/ceilings.h"
#include "measure/group.h"
#include "measure/kept.h"
#include "measure/modules.h"
#include "run/protocol.h"

struct worker {
    const struct run_setup *setup;
    int in, out;
    struct bench bench;
    struct bench cpu; /* for the CPU's functions; no driver: the catalogue has none, or `bench` is
                         the CPU itself */
    struct compiler *compiler;
    struct plan *plan;
    struct metric_plan metrics;
    bool planned;
    double idle_s; /* waited for a group since the last one */
};

static bool send_error(struct worker *w, enum message_type type, const struct error *why,
                       struct error *e)
{
    struct refusal r;
    memset(&r, 0, sizeof r);
    r.kind = why->kind;
    r.device_lost = why->device_lost;
    memcpy(r.text, why->text, sizeof r.text);
    return message_send(w->out, type, &r, sizeof r, e);
}

static bool on_begin(void *context, uint32_t point, struct error *e)
{
    struct worker *w = context;
    struct point_values v = {.point = point};
    return message_send(w->out, MESSAGE_BEGIN, &v, sizeof v, e);
}

static bool on_checked(void *context, uint32_t point, struct error *e)
{
    struct worker *w = context;
    struct point_values v = {.point = point};
    return message_send(w->out, MESSAGE_CHECKED, &v, sizeof v, e);
}

static bool send_values(struct worker *w, enum message_type type, uint32_t point,
                        const double *values, size_t count, struct error *e)
{
    size_t length = sizeof(struct point_values) + count * sizeof *values;
    struct point_values *v = malloc(length);
    if (!v)
        return FAIL(e, ERROR_MEMORY, "out of memory for a message of %zu values", count);
    v->point = point;
    v->count = (uint32_t)count;
    if (count)
        memcpy(v->values, values, count * sizeof *values);
    bool ok = message_send(w->out, type, v, (uint32_t)length, e);
    free(v);
    return ok;
}

static bool on_samples(void *context, uint32_t point, const double *us, size_t count,
                       struct error *e)
{
    return send_values(context, MESSAGE_SAMPLES, point, us, count, e);
}

static bool on_metrics(void *context, uint32_t point, const double *values, struct error *e)
{
    struct worker *w = context;
    return send_values(w, MESSAGE_METRICS, point, values, (size_t)w->metrics.count, e);
}

static bool on_done(void *context, uint32_t point, const struct outcome *outcome, struct error *e)
{
    struct worker *w = context;
    struct point_done d;
    memset(&d, 0, sizeof d);
    d.point = point;
    d.outcome = *outcome;
    return message_send(w->out, MESSAGE_DONE, &d, sizeof d, e);
}

static bool has_counter(void *context, const char *counter, char why[256])
{
    struct worker *w = context;
    if (!w->bench.driver->has_counter || !w->bench.info.can_count) {
        snprintf(why, 256, "%.255s",
                 w->bench.info.counters_missing[0] ? w->bench.info.counters_missing
                                                   : "this device has no counters");
        return false;
    }
    return w->bench.driver->has_counter(w->bench.device, counter, why);
}

static bool make_plan(struct worker *w, struct error *e)
{
    if (w->planned)
        return true;
    const struct config *c = w->setup->config;
    if (!plan_build(c, w->setup->catalogue, &w->bench.info.limits, &w->plan, e) ||
        !metrics_resolve((const char *const *)c->metrics.names, c->metrics.count,
                         w->bench.info.chip, has_counter, w, NULL, &w->metrics, e))
        return false;
    w->bench.plan = w->cpu.plan = w->plan;
    w->bench.metrics = w->cpu.metrics = &w->metrics;
    w->planned = true;
    return true;
}

static bool answer_counter(struct worker *w, const struct message *m, struct error *e)
{
    struct answer a;
    memset(&a, 0, sizeof a);
    a.value = has_counter(w, m->payload, a.why);
    return message_send(w->out, MESSAGE_ANSWER, &a, sizeof a, e);
}

static bool answer_passes(struct worker *w, struct error *e)
{
    struct answer a;
    memset(&a, 0, sizeof a);
    if (!make_plan(w, e))
        return false;
    if (w->bench.driver->passes && w->metrics.counter_count)
        a.value =
            w->bench.driver->passes(w->bench.device, w->metrics.counters, w->metrics.counter_count);
    return message_send(w->out, MESSAGE_ANSWER, &a, sizeof a, e);
}

static void on_compiled(void *context, uint32_t done, uint32_t total)
{
    struct worker *w = context;
    struct progress_report p = {done, total};
    (void)message_send(w->out, MESSAGE_PROGRESS, &p, sizeof p, NULL);
}

/* Fills the cache; what does not compile is reported when its point comes. */
static bool compile_all(struct worker *w, struct error *e)
{
    if (!make_plan(w, e))
        return false;
    uint32_t count = w->plan->variant_count;
    struct compiled *compiled = calloc((size_t)count + 1, sizeof *compiled);
    if (!compiled)
        return FAIL(e, ERROR_MEMORY, "out of memory for %u variants", count);
    bool ok = w->bench.info.target.kind == IMAGE_NONE ||
              compile_many(w->compiler, w->setup->catalogue, w->plan->variants, count,
                           &w->bench.info.target, w->setup->threads, on_compiled, w, compiled, e);
    for (uint32_t i = 0; i < count; i++)
        compiled_free(&compiled[i]);
    free(compiled);
    return ok && message_send(w->out, MESSAGE_COMPILED, NULL, 0, e);
}

/* The points of a group have one backend. */
static struct bench *bench_of(struct worker *w, const struct group_request *request)
{
    const struct point *point = &w->plan->points[request->points[0]];
    bool host = w->cpu.driver && plan_kernel(w->plan, point)->backend == BACKEND_CPU;
    return host ? &w->cpu : &w->bench;
}

/* What the group took, and the wait before it. */
static bool send_phases(struct worker *w, struct error *e)
{
    struct phase_times *p = &w->bench.phases;
    const struct phase_times *cpu = &w->cpu.phases;
    p->prepare_s += cpu->prepare_s;
    p->reference_s += cpu->reference_s;
    p->check_s += cpu->check_s;
    p->time_s += cpu->time_s;
    p->count_s += cpu->count_s;
    p->busy_s += cpu->busy_s;
    p->idle_s = w->idle_s;
    bool ok = message_send(w->out, MESSAGE_PHASES, p, sizeof *p, e);
    memset(p, 0, sizeof *p);
    memset(&w->cpu.phases, 0, sizeof w->cpu.phases);
    w->idle_s = 0;
    return ok;
}

static bool serve_ceilings(struct worker *w, const struct message *m, struct error *e)
{
    const struct ceilings_request *request = (const struct ceilings_request *)m->payload;
    struct ceilings_report report;
    memset(&report, 0, sizeof report);
    struct error why = {0};
    ceilings_measure(&w->bench, &report.ceilings, &why);
    if (request->with_checks && !why.device_lost)
        self_check(&w->bench, &report.ceilings, report.checks, &report.check_count, &why);
    if (!message_send(w->out, MESSAGE_CEILINGS, &report, sizeof report, e))
        return false;
    if (why.device_lost)
        *e = why;
    return !why.device_lost;
}

static bool serve_group(struct worker *w, const struct message *m, struct error *e)
{
    const struct group_request *request = (const struct group_request *)m->payload;
    static const struct sink calls = {NULL, on_begin, on_checked, on_samples, on_metrics, on_done};
    struct sink sink = calls;
    sink.context = w;
    struct error why = {0};
    if (make_plan(w, &why))
        (void)measure_group(bench_of(w, request), request->points, request->count, request->solo,
                            &sink, &why);
    return send_phases(w, e) && send_error(w, MESSAGE_GROUP_END, &why, e) && !why.device_lost;
}

static bool serve(struct worker *w, const struct message *m, struct error *e)
{
    switch (m->type) {
    case MESSAGE_ASK_COUNTER:
        return answer_counter(w, m, e);
    case MESSAGE_ASK_PASSES:
        return answer_passes(w, e);
    case MESSAGE_COMPILE:
        return compile_all(w, e);
    case MESSAGE_CEILINGS:
        return serve_ceilings(w, m, e);
    case MESSAGE_GROUP:
        return serve_group(w, m, e);
    default:
        return FAIL(e, ERROR_INTERNAL, "the worker got a message of type %d", (int)m->type);
    }
}

/* The second device, which every run has: the CPU, when there are functions for it. */
static bool open_cpu(struct worker *w, const struct device_setup *setup, struct error *e)
{
    bool wanted = false;
    for (int i = 0; i < w->setup->catalogue->count; i++)
        wanted = wanted || w->setup->catalogue->kernels[i]->backend == BACKEND_CPU;
    if (!wanted || strcmp(w->bench.info.backend, "cpu") == 0)
        return true;
    w->cpu = w->bench;
    if (device_open("cpu", setup, &w->cpu.driver, &w->cpu.device, e)) {
        w->cpu.driver->describe(w->cpu.device, &w->cpu.info);
        return true;
    }
    w->cpu.driver = NULL;
    return false;
}

/* A cache that cannot be had costs compilations, not the run. */
static bool open_compiler(struct worker *w, struct error *e)
{
    struct error why = {0};
    const char *cache = w->setup->cache_folder;
    if (compiler_open(cache, w->setup->kernel_folder, &w->compiler, &why))
        return true;
    if (cache)
        fprintf(stderr, "note: %s; kernels are compiled each time\n", why.text);
    return compiler_open(NULL, w->setup->kernel_folder, &w->compiler, e);
}

static bool open_worker(struct worker *w, struct error *e)
{
    struct bench *b = &w->bench;
    if (!open_compiler(w, e))
        return false;
    const struct config_timing *timing = &w->setup->config->timing;
    struct device_setup device_setup = {w->compiler, w->setup->support,
                                        timing->max_samples > 0 ? timing->contexts : 1};
    if (!device_open(w->setup->device_name, &device_setup, &b->driver, &b->device, e))
        return false;
    b->driver->describe(b->device, &b->info);
    b->compiler = w->compiler;
    b->support = w->setup->support;
    b->threads = w->setup->threads;
    if (!open_cpu(w, &device_setup, e))
        return false;
    struct hello hello;
    memset(&hello, 0, sizeof hello);
    hello.info = b->info;
    if (w->cpu.driver)
        hello.cpu = w->cpu.info;
    snprintf(hello.compiler, sizeof hello.compiler, "%s", compiler_version(w->compiler));
    return message_send(w->out, MESSAGE_HELLO, &hello, sizeof hello, e);
}

_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent)
{
    /* The terminal's Ctrl-C reaches the whole process group; only the parent decides what it
     * means. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);

    struct worker w = {.setup = setup, .in = from_parent, .out = to_parent};
    struct error e = {0};
    bool ok = open_worker(&w, &e);
    if (!ok)
        (void)send_error(&w, MESSAGE_REFUSED, &e, NULL);
    while (ok) {
        struct message m;
        double since = clock_now_s();
        if (message_receive(w.in, -1, &m) != RECEIVED_MESSAGE)
            break;
        if (m.type == MESSAGE_GROUP)
            w.idle_s += clock_now_s() - since;
        bool quit = m.type == MESSAGE_QUIT;
        if (!quit) {
            ok = serve(&w, &m, &e);
            if (!ok && !e.device_lost)
                (void)send_error(&w, MESSAGE_REFUSED, &e, NULL);
        }
        message_free(&m);
        if (quit)
            break;
    }
    modules_free(&w.bench, !ok);
    modules_free(&w.cpu, !ok);
    kept_free(&w.bench, !ok);
    kept_free(&w.cpu, !ok);
    if (ok && w.bench.driver)
        w.bench.driver->close(w.bench.device);
    if (ok && w.cpu.driver)
        w.cpu.driver->close(w.cpu.device);
    metric_plan_free(&w.metrics);
    plan_free(w.plan);
    compiler_close(w.compiler);
    _exit(ok ? 0 : 1);
}
