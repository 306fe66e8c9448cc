/*
 * The worker process: opens the device and serves the parent's requests. protocol.h describes the
 * messages.
 */
#include "run/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "measure/ceilings.h"
#include "measure/group.h"
#include "measure/buffer_pool.h"
#include "measure/modules.h"
#include "run/protocol.h"

struct worker {
    const struct run_setup *setup;
    int in, out;
    struct bench bench;
    struct bench host; /* runs the functions of kernels/cpu; its driver is NULL if there are none or
                          if `bench` runs them */
    struct compiler *compiler;
    double idle_s; /* time spent waiting for the current group */
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

/* A list of the names in a message, each of which ends with a NUL. */
struct name_texts {
    VEC(const char *) names; /* point into the message */
};

static void names_read(const char *bytes, const char *end, struct name_texts *out)
{
    for (const char *name = bytes; name < end; name += strlen(name) + 1)
        vec_push(&out->names, name);
}

static bool answer_counter(struct worker *w, const struct message *m, struct error *e)
{
    const struct bench *b = &w->bench;
    struct answer a;
    memset(&a, 0, sizeof a);
    if (b->driver->has_counter && b->info.can_count)
        a.value = b->driver->has_counter(b->device, m->payload, a.why);
    else
        snprintf(a.why, sizeof a.why, "%.255s",
                 b->info.counters_missing[0] ? b->info.counters_missing
                                             : "this device has no counters");
    return message_send(w->out, MESSAGE_ANSWER, &a, sizeof a, e);
}

static bool answer_passes(struct worker *w, const struct message *m, struct error *e)
{
    struct answer a;
    struct name_texts counters = {0};
    memset(&a, 0, sizeof a);
    names_read(m->payload, m->payload + m->length, &counters);
    if (w->bench.driver->passes && counters.names.count)
        a.value = w->bench.driver->passes(w->bench.device, counters.names.items,
                                          (int)counters.names.count);
    vec_free(&counters.names);
    return message_send(w->out, MESSAGE_ANSWER, &a, sizeof a, e);
}

static void report_progress(void *context, uint32_t done, uint32_t total)
{
    struct worker *w = context;
    struct progress_report p = {done, total};
    (void)message_send(w->out, MESSAGE_PROGRESS, &p, sizeof p, NULL);
}

static bool send_uncompiled(struct worker *w, uint32_t variant, const char *why, struct error *e)
{
    struct uncompiled u;
    memset(&u, 0, sizeof u);
    u.variant = variant;
    snprintf(u.why, sizeof u.why, "%.1023s", why);
    return message_send(w->out, MESSAGE_UNCOMPILED, &u, sizeof u, e);
}

/*
 * Compiles variants into the cache. If a variant exceeds a limit or does not compile, the worker
 * reports it now, so that it is not compiled again for each of its points. Other errors are
 * reported when a point of the variant is measured. If the machine cannot start a process that
 * compiles, the worker ends, and no point is blamed.
 */
static bool compile_all(struct worker *w, const struct message *m, struct error *e)
{
    const struct variant *variants = (const struct variant *)m->payload;
    uint32_t count = m->length / sizeof *variants;
    struct compiled *compiled = xcalloc(count, sizeof *compiled);
    if (w->bench.info.target.kind != IMAGE_NONE)
        compile_many(w->compiler, w->setup->catalogue, variants, count, &w->bench.info.target,
                     w->setup->threads, report_progress, w, compiled);
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct error *why = compiled[i].error;
        bool final = compiled[i].exceeded || (why && why->kind == ERROR_COMPILE);
        if (ok && why && why->kind == ERROR_PROCESS) {
            *e = *why;
            ok = false;
        }
        ok = ok && (!final || send_uncompiled(w, i, why->text, e));
        compiled_free(&compiled[i]);
    }
    free(compiled);
    return ok && message_send(w->out, MESSAGE_COMPILED, NULL, 0, e);
}

/* Sends how long the phases of the group took, and how long the worker had waited for the group. */
static bool send_phases(struct worker *w, struct error *e)
{
    struct phase_times sum = w->bench.phases;
    phase_times_add(&sum, &w->host.phases);
    sum.idle_s = w->idle_s;
    memset(&w->bench.phases, 0, sizeof w->bench.phases);
    memset(&w->host.phases, 0, sizeof w->host.phases);
    w->idle_s = 0;
    return message_send(w->out, MESSAGE_PHASES, &sum, sizeof sum, e);
}

static struct launch_position position_now(const struct worker *w)
{
    struct device_info now;
    w->bench.driver->describe(w->bench.device, &now);
    return now.position;
}

static bool serve_ceilings(struct worker *w, const struct message *m, struct error *e)
{
    const struct ceilings_request *request = (const struct ceilings_request *)m->payload;
    struct ceilings_report report;
    memset(&report, 0, sizeof report);
    struct error why = {0};
    ceilings_measure(&w->bench, &report.ceilings, &why);
    report.position = position_now(w);
    card_state_clear(&report.card);
    if (w->bench.driver->card)
        w->bench.driver->card(w->bench.device, &report.card);
    /* Without the ceilings' results, the checks do not use counters. */
    const struct ceilings none = {.bytes = 0};
    if (request->with_checks && !why.device_lost)
        self_check(&w->bench, request->with_counts ? &report.ceilings : &none, report.checks,
                   &report.check_count, &why);
    if (!message_send(w->out, MESSAGE_CEILINGS, &report, sizeof report, e))
        return false;
    if (why.device_lost)
        *e = why;
    return !why.device_lost;
}

static bool serve_group(struct worker *w, const struct message *m, struct error *e)
{
    const struct group_request *r = (const struct group_request *)m->payload;
    struct name_texts counters = {0};
    names_read((const char *)(r->points + r->count), m->payload + m->length, &counters);
    struct group_task task = {.points = r->points,
                              .count = r->count,
                              .input = r->input,
                              .counters = counters.names.items,
                              .counter_count = (int)counters.names.count,
                              .solo = r->solo,
                              .sampling = r->sampling,
                              .energy = r->energy,
                              .compile = r->compile};
    /* All points of a group have the same backend. */
    uint32_t kernel = r->points[0].point.kernel;
    bool host = w->host.driver && w->setup->catalogue->kernels[kernel]->backend == BACKEND_CPU;
    struct error why = {0};
    (void)measure_group(host ? &w->host : &w->bench, &task, message_send_report, &w->out, &why);
    vec_free(&counters.names);
    return send_phases(w, e) && send_error(w, MESSAGE_GROUP_END, &why, e) && !why.device_lost;
}

static bool serve(struct worker *w, const struct message *m, struct error *e)
{
    switch (m->type) {
    case MESSAGE_ASK_COUNTER:
        return answer_counter(w, m, e);
    case MESSAGE_ASK_PASSES:
        return answer_passes(w, m, e);
    case MESSAGE_COMPILE:
        return compile_all(w, m, e);
    case MESSAGE_CEILINGS:
        return serve_ceilings(w, m, e);
    case MESSAGE_GROUP:
        return serve_group(w, m, e);
    default:
        return FAIL(e, ERROR_INTERNAL, "the device's process received a message of unknown type %d",
                    (int)m->type);
    }
}

/*
 * Sends a line that a kernel printed. While a kernel runs, the worker waits for the device and
 * sends no other message.
 */
static void send_printed(void *context, const char *line)
{
    struct worker *w = context;
    (void)message_send(w->out, MESSAGE_PRINTED, line, (uint32_t)strlen(line), NULL);
}

/*
 * Sends the device's limits as soon as they are known. Opening the device then takes seconds more,
 * in which the parent makes the plan.
 */
static void tell_limits(void *context, const struct device_limits *limits)
{
    const struct worker *w = context;
    (void)message_send(w->out, MESSAGE_LIMITS, limits, sizeof *limits, NULL);
}

/*
 * Opens a second device for the functions of kernels/cpu, if the catalogue has any and the first
 * device does not run them.
 */
static bool open_host(struct worker *w, const struct device_setup *setup, struct error *e)
{
    bool wanted = false;
    for (int i = 0; i < w->setup->catalogue->count; i++)
        wanted = wanted || w->setup->catalogue->kernels[i]->backend == BACKEND_CPU;
    if (!wanted || w->bench.driver->host_functions)
        return true;
    w->host = w->bench;
    if (device_open_host(setup, &w->host.driver, &w->host.device, e)) {
        w->host.driver->describe(w->host.device, &w->host.info);
        return true;
    }
    w->host.driver = NULL;
    return false;
}

/* The signal with which the parent asked the worker to end the current group early, or 0. */
static volatile sig_atomic_t asked_to_stop;

static void on_stop(int number)
{
    asked_to_stop = number;
}

/*
 * Opens the compiler. If the folder of the cache has disappeared, opens it without a cache.
 * Variants are then compiled again, but the results are the same.
 */
static bool open_compiler(struct worker *w, struct error *e)
{
    const struct run_setup *setup = w->setup;
    return (setup->cache_folder &&
            compiler_open(setup->cache_folder, setup->kernel_folder, &w->compiler, NULL)) ||
           compiler_open(NULL, setup->kernel_folder, &w->compiler, e);
}

static bool open_worker(struct worker *w, struct error *e)
{
    const struct run_setup *setup = w->setup;
    struct bench *b = &w->bench;
    if (!open_compiler(w, e))
        return false;
    *b = (struct bench){.compiler = w->compiler,
                        .timing = &setup->config->timing,
                        .count_wrong = setup->config->count_wrong,
                        .catalogue = setup->catalogue,
                        .support = setup->support,
                        .threads = setup->lanes > 1 && setup->threads > setup->lanes
                                       ? setup->threads / setup->lanes
                                   : setup->lanes > 1 ? 1
                                                      : setup->threads,
                        .stop = &asked_to_stop};
    compiler_limit(w->compiler, b->timing->compile_limit_s, b->timing->compile_memory_mib);
    compiler_start(w->compiler, b->threads);
    struct device_setup device_setup = {.compiler = w->compiler,
                                        .support = setup->support,
                                        .contexts =
                                            b->timing->max_samples > 0 ? b->timing->contexts : 1,
                                        .print = send_printed,
                                        .print_context = w,
                                        .limits = tell_limits,
                                        .limits_context = w,
                                        .instruction_limit = b->timing->instruction_limit};
    struct text passed_over = {0};
    if (!device_open(setup->device_name, &device_setup, &b->driver, &b->device, &passed_over, e))
        return false;
    b->driver->describe(b->device, &b->info);
    if (!open_host(w, &device_setup, e))
        return false;
    if (b->info.bounded)
        memory_limit((uint64_t)b->timing->memory_limit_mib << 20);
    struct hello hello;
    memset(&hello, 0, sizeof hello);
    hello.info = b->info;
    snprintf(hello.passed_over, sizeof hello.passed_over, "%.1023s", text_shown(&passed_over));
    text_free(&passed_over);
    if (w->host.driver)
        hello.cpu = w->host.info;
    snprintf(hello.compiler, sizeof hello.compiler, "%s", compiler_version(w->compiler));
    return message_send(w->out, MESSAGE_HELLO, &hello, sizeof hello, e);
}

static void close_bench(struct bench *b, bool device_lost)
{
    modules_free(b, device_lost);
    pool_free(b, device_lost);
    if (b->driver && !device_lost)
        b->driver->close(b->device);
}

static void set_signals(void)
{
    struct sigaction stop;
    memset(&stop, 0, sizeof stop);
    stop.sa_handler = on_stop;
    stop.sa_flags = SA_RESTART;
    sigaction(WORKER_STOP_SIGNAL, &stop, NULL);
    /* Ctrl-C signals the whole process group, but only the parent decides what it means. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN); /* batch systems send SIGTERM to every process of a job */
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static uint64_t *parents_number;

static void tell_bytes(size_t bytes)
{
    if (parents_number)
        *parents_number = bytes;
}

_Noreturn void worker_main(const struct run_setup *setup, int from_parent, int to_parent,
                           struct worker_shared *shared)
{
    set_signals();
    parents_number = shared ? &shared->wanted_bytes : NULL;
    phase_watch(NULL, NULL);
    phase_share(shared ? &shared->phase : NULL);
    memory_set_hook(tell_bytes);
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
    close_bench(&w.bench, !ok);
    close_bench(&w.host, !ok);
    compiler_close(w.compiler);
    _exit(ok ? 0 : 1);
}
