/* The device that fails on demand (see fault_device.h). */
#include "fault_device.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../faults/skipping_clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "workloads/workloads.h"
#include "spec/kernel.h"

enum { MOST_BUFFERS = 64, SLOW_US = 3000, HELD_US = 500 };
#define STARVE_BYTES ((size_t)1 << 62)

struct catalogue fault_catalogue;
static int *open_count; /* shared between the parent and its workers */

struct device {
    struct fault_options options;
    uint64_t used;
    int asked;    /* number of health queries so far */
    int failures; /* decides which kind of crash is next */
    struct memory {
        struct buffer buffer;
        struct input input; /* what generate() wrote */
        bool generated;
    } memory[MOST_BUFFERS];
};

struct module {
    char name[64];
    bool complete;
};

static const char *const fault_words[FAULT_COUNT] = {"",      "crash", "hang", "lie",    "oom",
                                                     "error", "lost",  "slow", "starve", "stop"};
static const char *const phase_words[PHASES] = {"check", "time", "count"};

static bool take_word(const char *word, const char *value, struct fault_options *o)
{
    if (strcmp(word, "seed") == 0)
        o->seed = strtoull(value, NULL, 10);
    else if (strcmp(word, "memory") == 0)
        o->memory = strtoull(value, NULL, 10);
    else if (strcmp(word, "kernel") == 0)
        snprintf(o->kernel, sizeof o->kernel, "%s", value);
    else if (strcmp(word, "slowed") == 0)
        o->slowed = atoi(value);
    else if (strcmp(word, "took") == 0)
        o->took_us = strtod(value, NULL);
    else if (strcmp(word, "driver") == 0)
        o->driver = atoi(value);
    else if (strcmp(word, "sms") == 0)
        o->sms = atoi(value);
    else if (strcmp(word, "early") == 0)
        o->early = atoi(value);
    else if (strcmp(word, "uuid") == 0)
        snprintf(o->uuid, sizeof o->uuid, "%s", value);
    else if (strcmp(word, "held") == 0)
        snprintf(o->held, sizeof o->held, "%s", value);
    else if (strcmp(word, "reopen") == 0)
        o->no_reopen = true;
    else if (strcmp(word, "nocount") == 0)
        o->no_count = true;
    else if (strcmp(word, "notime") == 0)
        o->no_time = true;
    else if (strcmp(word, "only") == 0) {
        for (o->only = PHASES - 1; o->only >= 0; o->only--)
            if (strcmp(phase_words[o->only], value) == 0)
                return true;
        return false;
    } else {
        int f = FAULT_COUNT - 1;
        while (f > 0 && strcmp(fault_words[f], word) != 0)
            f--;
        o->percent[f] = atoi(value);
        return f > 0;
    }
    return true;
}

bool fault_options_parse(const char *argument, struct fault_options *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->only = -1;
    char copy[512], *rest = copy;
    snprintf(copy, sizeof copy, "%s", argument);
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        if (*word && !take_word(word, value ? value : "", out))
            return FAIL(e, ERROR_USAGE, "the fault device does not know '%s'", word);
    }
    return true;
}

enum fault fault_of(const struct fault_options *o, const char *kernel, uint64_t n, unsigned block,
                    unsigned grid, enum fault_phase phase)
{
    if ((o->only >= 0 && o->only != (int)phase) || (o->kernel[0] && strcmp(o->kernel, kernel) != 0))
        return NO_FAULT;
    uint64_t key[] = {o->seed, n, block, grid, (uint64_t)phase};
    uint64_t hash = hash_bytes(hash_text(HASH_START, kernel), key, sizeof key);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ull;
    int drawn = (int)((hash >> 33) % 100);
    for (int f = 1; f < FAULT_COUNT; f++)
        if ((drawn -= o->percent[f]) < 0)
            return (enum fault)f;
    return NO_FAULT;
}

void fault_device_forget(void)
{
    if (!open_count)
        open_count = mmap(NULL, sizeof *open_count, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *open_count = 0;
}

static void fault_close(struct device *d)
{
    for (int i = 0; i < MOST_BUFFERS; i++)
        free((void *)(uintptr_t)d->memory[i].buffer.address);
    free(d);
}

static void fault_describe(struct device *d, struct device_info *out)
{
    *out = (struct device_info){
        .backend = "fault",
        .name = "fault device",
        .slug = "fault",
        .limits = {.cc = 90,
                   .sms = d->options.sms ? d->options.sms : 4,
                   .max_block = 1024,
                   .max_dynamic_smem = 200 << 10,
                   .max_grid_x = 0x7fffffff,
                   .device_runtime = true,
                   .cooperative = true,
                   .cluster = true},
        .warp_size = 32,
        .free_bytes = d->options.memory,
        .driver_version = d->options.driver,
        .can_time = !d->options.no_time,
        .time_step_us = FAULT_STEP_US,
        .can_count = !d->options.no_count,
    };
    snprintf(out->uuid, sizeof out->uuid, "%s", d->options.uuid);
}

static bool fault_open(const char *argument, const struct device_setup *setup, struct device **out,
                       struct error *e)
{
    struct device *d = calloc(1, sizeof *d);
    if (!d)
        return FAIL(e, ERROR_MEMORY, "out of memory");
    if (!fault_options_parse(argument, &d->options, e)) {
        free(d);
        return false;
    }
    if (open_count)
        ++*open_count;
    if (d->options.no_reopen && open_count && *open_count > 1) {
        free(d);
        return FAIL(e, ERROR_DEVICE, "the device has fallen off the bus");
    }
    d->failures = open_count ? *open_count : 0;
    if (d->options.early) {
        struct device_info info;
        fault_describe(d, &info);
        info.limits.max_block = d->options.early;
        setup->limits(setup->limits_context, &info.limits);
    }
    *out = d;
    return true;
}

static bool fault_load(struct device *d, const struct image *image, struct module **out,
                       struct module_info *info, struct error *e)
{
    (void)d;
    struct module *m = calloc(1, sizeof *m);
    if (!m)
        return FAIL(e, ERROR_MEMORY, "out of memory");
    snprintf(m->name, sizeof m->name, "%.63s", image->entry);
    const struct kernel *k = catalogue_find(&fault_catalogue, m->name);
    m->complete = k ? k->complete : strcmp(m->name, "second_pass") == 0;
    if (info)
        *info = (struct module_info){-1, -1, -1, 1024, 0, 0, ""};
    *out = m;
    return true;
}

static void fault_unload(struct device *d, struct module *m)
{
    (void)d;
    free(m);
}

static bool fault_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    int at = 0;
    while (at < MOST_BUFFERS && d->memory[at].buffer.address)
        at++;
    if (at == MOST_BUFFERS || (d->options.memory && d->used + bytes > d->options.memory))
        return FAIL(e, ERROR_MEMORY, "the fault device has no %zu bytes left", bytes);
    void *memory = malloc(bytes);
    if (!memory)
        return FAIL(e, ERROR_MEMORY, "out of memory for %zu bytes", bytes);
    d->used += bytes;
    *out = (struct buffer){(uint64_t)(uintptr_t)memory, bytes};
    d->memory[at] = (struct memory){.buffer = *out};
    return true;
}

static struct memory *find_memory(struct device *d, uint64_t address)
{
    for (int i = 0; i < MOST_BUFFERS; i++)
        if (d->memory[i].buffer.address && address >= d->memory[i].buffer.address &&
            address < d->memory[i].buffer.address + d->memory[i].buffer.bytes)
            return &d->memory[i];
    return NULL;
}

static void fault_free(struct device *d, struct buffer b)
{
    struct memory *m = find_memory(d, b.address);
    if (!m)
        abort(); /* not a buffer of this device */
    d->used -= m->buffer.bytes;
    free((void *)(uintptr_t)b.address);
    *m = (struct memory){0};
}

static bool fault_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    (void)d;
    (void)e;
    memset((void *)(uintptr_t)b.address, byte, b.bytes);
    return true;
}

static bool fault_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                       struct error *e)
{
    (void)d;
    if (offset + bytes > b.bytes)
        return FAIL(e, ERROR_LAUNCH, "a read past the end of a buffer");
    memcpy(host, (const char *)(uintptr_t)b.address + offset, bytes);
    return true;
}

static bool fault_generate(struct device *d, struct buffer b, const struct input *input,
                           struct error *e)
{
    (void)e;
    struct memory *m = find_memory(d, b.address);
    if (!m)
        abort();
    input_generate(input, 0, input->n, (void *)(uintptr_t)b.address);
    m->input = *input;
    m->generated = true;
    return true;
}

static double float_at(enum element_type type, const void *from, uint64_t i)
{
    return type == TYPE_FLOAT32 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

static double combine_floats(enum operation op, double a, double b)
{
    return op == OP_SUM ? a + b : op == OP_PROD ? a * b : op == OP_MAX ? fmax(a, b) : fmin(a, b);
}

static uint64_t integer_at(enum element_type type, const void *from, uint64_t i)
{
    return type == TYPE_INT32    ? (uint64_t)(int64_t)((const int32_t *)from)[i]
           : type == TYPE_UINT32 ? ((const uint32_t *)from)[i]
                                 : ((const uint64_t *)from)[i];
}

/* Combines elements [first, end), of which there is at least one, into out[at]. */
static void reduce_range(const struct input *input, const void *from, uint64_t first, uint64_t end,
                         void *out, uint64_t at)
{
    enum element_type type = input->type;
    if (type == TYPE_FLOAT32 || type == TYPE_FLOAT64) {
        double value = float_at(type, from, first);
        for (uint64_t i = first + 1; i < end; i++)
            value = combine_floats(input->op, value, float_at(type, from, i));
        if (type == TYPE_FLOAT32)
            ((float *)out)[at] = (float)value;
        else
            ((double *)out)[at] = value;
        return;
    }
    uint64_t value = integer_at(type, from, first);
    for (uint64_t i = first + 1; i < end; i++)
        value = reduce_combine(type, input->op, value, integer_at(type, from, i));
    if (element_size(type) == 4)
        ((uint32_t *)out)[at] = (uint32_t)value;
    else
        ((uint64_t *)out)[at] = value;
}

static uint64_t elements_of(const struct launch *l)
{
    return l->arguments[2].size == 4 ? (uint32_t)l->arguments[2].bits : l->arguments[2].bits;
}

/* Writes the result of a launch. In a partial kernel, each block reduces an equal part of the
 * input, which is not empty. */
static void run_launch(const struct input *input, const struct launch *l)
{
    const void *from = (const void *)(uintptr_t)l->arguments[0].bits;
    void *to = (void *)(uintptr_t)l->arguments[1].bits;
    uint64_t n = elements_of(l), blocks = l->module->complete ? 1 : l->grid[0];
    for (uint64_t b = 0; b < blocks; b++)
        reduce_range(input, from, n * b / blocks, n * (b + 1) / blocks, to, b);
}

static void end_process(int turn)
{
    static const int ways[] = {SIGABRT, SIGSEGV, SIGKILL};
    signal(SIGABRT, SIG_DFL); /* disables the handlers of sanitizers and cmocka */
    signal(SIGSEGV, SIG_DFL);
    if (turn % 5 < 3)
        raise(ways[turn % 5]);
    _exit(turn % 5 == 3 ? 3 : 0);
}

/* Causes the fault that this trial has in `phase`, if any. Returns whether the launch may go on. */
static bool meet_fault(struct device *d, const struct trial *t, enum fault_phase phase, bool *lie,
                       struct error *e)
{
    const struct launch *l = &t->launches[0];
    enum fault f =
        fault_of(&d->options, l->module->name, elements_of(l), l->block[0], l->grid[0], phase);
    *lie = f == LIE && phase == PHASE_CHECK;
    while (d->options.held[0] && access(d->options.held, F_OK) == 0)
        usleep(HELD_US);
    switch (f) {
    case CRASH:
        end_process(d->failures++);
        return false;
    case HANG:
        clock_hang();
        for (;;) /* The parent has read everything and kills this process. */
            pause();
    case STOP:
        clock_stop();
        return true;
    case OOM:
        return FAIL(e, ERROR_MEMORY, "the fault device ran out of memory");
    case LAUNCH_FAILS:
        return FAIL(e, ERROR_LAUNCH, "the fault device refused the launch");
    case LOST:
        FAIL(e, ERROR_LAUNCH, "an illegal memory access was encountered");
        e->device_lost = true;
        return false;
    case SLOW:
        usleep(SLOW_US);
        return true;
    case STARVE:
        xmalloc(STARVE_BYTES); /* No machine has that much memory, so this never returns. */
        return true;
    default:
        return true;
    }
}

static bool run_trial(struct device *d, const struct trial *t, enum fault_phase phase,
                      struct error *e)
{
    bool lie;
    if (t->restore && !fault_generate(d, t->input, t->restore, e))
        return false;
    if (t->zero.bytes && !fault_fill(d, t->zero, 0, e))
        return false;
    if (!meet_fault(d, t, phase, &lie, e))
        return false;
    const struct memory *m = find_memory(d, t->input.address);
    if (!m || !m->generated)
        abort(); /* nobody has generated the input */
    for (int i = 0; i < t->launch_count; i++)
        run_launch(&m->input, &t->launches[i]);
    if (lie)
        ((unsigned char *)(uintptr_t)t->launches[t->launch_count - 1].arguments[1].bits)[2] ^= 0x40;
    return true;
}

static bool fault_run(struct device *d, const struct trial *t, struct error *e)
{
    return run_trial(d, t, PHASE_CHECK, e);
}

static bool fault_time(struct device *d, const struct trial *trials, int count, double *us,
                       struct error *e)
{
    for (int i = 0; i < count; i++) {
        const struct trial *t = &trials[i];
        if (!run_trial(d, t, PHASE_TIME, e))
            return false;
        us[i] = d->options.took_us > 0 ? d->options.took_us : 1 + (double)(i % 7);
    }
    return true;
}

static void fault_health(struct device *d, struct device_health *out)
{
    *out = (struct device_health){.known = true,
                                  .sm_clock_mhz = 1000 + d->asked,
                                  .memory_clock_mhz = 2000,
                                  .power_w = NAN,
                                  .temperature_c = 90 - d->asked};
    out->throttle = THROTTLE_POWER_CAP;
    if (d->asked++ < d->options.slowed)
        out->throttle |= THROTTLE_HARDWARE_THERMAL;
}

static bool fault_count(struct device *d, const struct trial *trials, int count,
                        const char *const *counters, int counter_count, double *values,
                        struct error *e)
{
    (void)counters;
    for (int i = 0; i < count; i++) {
        if (!run_trial(d, &trials[i], PHASE_COUNT, e))
            return false;
        for (int j = 0; j < counter_count; j++)
            values[i * counter_count + j] = (double)elements_of(&trials[i].launches[0]);
    }
    return true;
}

static bool fault_has_counter(struct device *d, const char *counter, char why[256])
{
    (void)d;
    (void)counter;
    why[0] = '\0';
    return true;
}

static const struct device_driver fault_driver = {
    .version = DEVICE_VERSION,
    .name = "fault",
    .help = "misbehaves on command",
    .open = fault_open,
    .close = fault_close,
    .describe = fault_describe,
    .load = fault_load,
    .unload = fault_unload,
    .alloc = fault_alloc,
    .free = fault_free,
    .fill = fault_fill,
    .read = fault_read,
    .generate = fault_generate,
    .run = fault_run,
    .time = fault_time,
    .health = fault_health,
    .count = fault_count,
    .has_counter = fault_has_counter,
};

const struct device_driver *const device_drivers[] = {&fault_driver, NULL};
