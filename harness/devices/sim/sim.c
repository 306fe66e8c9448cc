/*
 * The driver of the simulator, which executes PTX on the CPU and reports counts instead of times.
 *
 * The name of the device is "sim" or "sim:" with options separated by commas. Both 32-byte sectors
 * and 128-byte lines are counted. Metrics in transactions use sectors, as on GPUs since Maxwell, or
 * lines with the option "kepler", as on a Tesla K80. "sms=132" sets the number of multiprocessors.
 * Some kernels compute the size of their grid from this number, and all blocks of a cooperative
 * launch must fit on so many multiprocessors at once. "sample=64" executes only 64 blocks of
 * kernels whose blocks all do the same work, and generates only the part of the input that these
 * blocks read. "lanes=3" makes three simulators, like three GPUs in one host. They have the options
 * "card=0" to "card=2", which determine their UUIDs.
 *
 * The environment variable REDSWEEP_SIM_THREADS sets the number of host threads, which is one per
 * CPU by default. REDSWEEP_SIM_BUDGET sets how many warp instructions a launch may execute before
 * it is considered endless. Slow operations count as several instructions (charge() in machine.h).
 */
#include "base/host.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/sim/sim_device.h"
#include "devices/sim/program/sass.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* about five minutes on one core, at 60 million instructions per second */
#define DEFAULT_BUDGET 20000000000ull

/* Stores in *out the integer that an environment variable contains, or `missing` if the variable is
 * not set. Fails unless it is an integer from 1 to `max`. */
static bool environment(const char *name, uint64_t max, uint64_t missing, uint64_t *out,
                        struct error *e)
{
    const char *text = getenv(name);
    *out = missing;
    if (!text || !*text)
        return true;
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end || *text == '-' || value < 1 || value > max)
        return FAIL(e, ERROR_USAGE, "%s=%s is not valid; write an integer from 1 to %llu", name,
                    text, (unsigned long long)max);
    *out = value;
    return true;
}

/* The options after the colon of --device, such as "kepler,sms=13,sample=64". Their order does not
 * matter. */
struct sim_options {
    bool kepler;
    uint64_t multiprocessors, sample_blocks; /* 0: not given */
    uint64_t lanes;
    uint64_t card; /* the value of card=, plus 1; 0: not given */
};

enum { LANES_MAX = 64 };

/* Reads the number in an option such as "sms=132". `at` points to the option, which has `length`
 * characters and begins with `word` ("sms="). `argument` contains all options, for the error
 * message. */
static bool parse_number(const char *argument, const char *at, size_t length, const char *word,
                         uint64_t min, uint64_t max, uint64_t *out, struct error *e)
{
    char *end;
    const char *digits = at + strlen(word);
    unsigned long value = strtoul(digits, &end, 10);
    if (*digits < '0' || *digits > '9' || end != at + length || value < min || value > max)
        return FAIL(e, ERROR_USAGE,
                    "--device sim:%s: the value of %s must be an integer from %llu to %llu",
                    argument, word, (unsigned long long)min, (unsigned long long)max);
    *out = value;
    return true;
}

static bool parse_argument(const char *argument, struct sim_options *out, struct error *e)
{
    *out = (struct sim_options){0};
    for (const char *at = argument; *argument;) {
        size_t length = strcspn(at, ",");
        bool ok = true;
        if (length == 6 && strncmp(at, "kepler", 6) == 0 && !out->kepler)
            out->kepler = true;
        else if (strncmp(at, "sms=", 4) == 0 && !out->multiprocessors)
            ok = parse_number(argument, at, length, "sms=", 1, MAX_MULTIPROCESSORS,
                              &out->multiprocessors, e);
        else if (strncmp(at, "sample=", 7) == 0 && !out->sample_blocks)
            ok = parse_number(argument, at, length, "sample=", 1, MAX_SAMPLE_BLOCKS,
                              &out->sample_blocks, e);
        else if (strncmp(at, "lanes=", 6) == 0 && !out->lanes)
            ok = parse_number(argument, at, length, "lanes=", 1, LANES_MAX, &out->lanes, e);
        else if (strncmp(at, "card=", 5) == 0 && !out->card) {
            ok = parse_number(argument, at, length, "card=", 0, LANES_MAX - 1, &out->card, e);
            out->card++;
        } else
            ok = FAIL(e, ERROR_USAGE,
                      "--device sim:%s: '%.*s' is an unknown or duplicate simulator option; use "
                      "kepler (which counts 128-byte lines, as a Tesla K80 did, instead of 32-byte "
                      "sectors), sms=132 (the number of multiprocessors), sample=64 (how many "
                      "blocks of a uniform kernel are executed), lanes=3 (the number of "
                      "simulators), or several of these, separated by commas",
                      argument, (int)length, at);
        if (!ok)
            return false;
        if (!at[length])
            break;
        at += length + 1;
    }
    if (!out->multiprocessors)
        out->multiprocessors = DEFAULT_MULTIPROCESSORS;
    return true;
}

/* Turns "lanes=3,sms=13" into three arguments: "card=0,sms=13" and so on. */
static bool sim_list(const char *argument, struct text *arguments, struct error *e)
{
    struct sim_options options;
    struct text rest = {0};
    if (!parse_argument(argument, &options, e))
        return false;
    if (!options.lanes) {
        text_append_bytes(arguments, argument, strlen(argument) + 1);
        return true;
    }
    for (const char *at = argument; *at;
         at += at[strcspn(at, ",")] ? strcspn(at, ",") + 1 : strcspn(at, ","))
        if (strncmp(at, "lanes=", 6) != 0)
            text_append(&rest, ",%.*s", (int)strcspn(at, ","), at);
    for (uint64_t i = 0; i < options.lanes; i++) {
        text_append(arguments, "card=%" PRIu64 "%s", i, text_shown(&rest));
        text_append_bytes(arguments, "", 1);
    }
    text_free(&rest);
    return true;
}

static bool sim_open(const char *argument, const struct device_setup *setup, struct device **out,
                     struct error *e)
{
    struct sim_options options;
    if (!parse_argument(argument, &options, e))
        return false;
    if (options.lanes)
        return FAIL(e, ERROR_USAGE,
                    "--device sim:%s: lanes=… names several devices, but this command uses one; "
                    "leave lanes out",
                    argument);
    uint64_t threads, budget;
    if (!environment("REDSWEEP_SIM_THREADS", 256, (uint64_t)host_processors(256), &threads, e) ||
        !environment("REDSWEEP_SIM_BUDGET", UINT64_MAX, DEFAULT_BUDGET, &budget, e))
        return false;
    struct device *d = xcalloc(1, sizeof *d);
    d->kepler = options.kepler;
    d->multiprocessors = (int)options.multiprocessors;
    d->sample_blocks = options.sample_blocks;
    d->card = (int)options.card;
    d->memory.lazy = options.sample_blocks > 0;
    d->threads = (int)threads;
    d->budget = budget;
    d->instruction_limit =
        setup && setup->instruction_limit ? setup->instruction_limit : UINT64_MAX;
    if (setup)
        d->printer = (struct printer){setup->print, setup->print_context};
    *out = d;
    return true;
}

static void sim_close(struct device *d)
{
    if (!d)
        return;
    memory_free_all(&d->memory);
    free(d);
}

void sim_set_threads(struct device *d, int threads)
{
    d->threads = threads < 1 ? 1 : threads;
}

void sim_set_budget(struct device *d, uint64_t warp_instructions)
{
    d->budget = warp_instructions;
}

void sim_set_instruction_limit(struct device *d, uint64_t instructions)
{
    d->instruction_limit = instructions;
}

void sim_set_printer(struct device *d, void (*print)(void *context, const char *line),
                     void *context)
{
    d->printer = (struct printer){print, context};
}

void sim_counts(const struct device *d, struct counts *out)
{
    *out = d->counts;
    counts_finish(out);
}

static void sim_describe(struct device *d, struct device_info *out)
{
    long pages = sysconf(_SC_PHYS_PAGES), free_pages = sysconf(_SC_AVPHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    *out = (struct device_info){
        .backend = "sim",
        .target = {IMAGE_PTX_AND_CUBIN, 90},
        .limits = {.backend = "sim",
                   .cc = 90,
                   .sms = d->multiprocessors,
                   .max_block = 1024,
                   .max_dynamic_smem = MAX_SHARED,
                   .max_grid_x = 2147483647,
                   .device_runtime = true,
                   .cluster = true,
                   .cooperative = true},
        .warp_size = LANES,
        .memory_bytes = (uint64_t)pages * (uint64_t)page,
        .free_bytes = (uint64_t)free_pages * (uint64_t)page,
        /* One thread reads between 0.06 GB/s (kernel `neighbored`) and 1.3 GB/s (`smem_unroll`). */
        .estimate_gbs = 0.3 * d->threads,
        .counter_library = "redsweep simulator",
        .can_count = true,
        .count_is_run = true,
        .exact_counts = true,
        .sample_blocks = d->sample_blocks,
        .bounded = true,
    };
    char sms[24] = "", slug[24] = "";
    if (d->multiprocessors != DEFAULT_MULTIPROCESSORS) {
        snprintf(sms, sizeof sms, ", %d SMs", d->multiprocessors);
        snprintf(slug, sizeof slug, "-%dsms", d->multiprocessors);
    }
    snprintf(out->name, sizeof out->name, "simulator (%s%s)",
             d->kepler ? "128-byte lines" : "32-byte sectors", sms);
    if (d->card)
        snprintf(out->uuid, sizeof out->uuid, "SIM-%d", d->card - 1);
    strcpy(out->chip, d->kepler ? "kepler" : "sim");
    snprintf(out->slug, sizeof out->slug, "sim%s%s", d->kepler ? "-kepler" : "", slug);
}

/* Writes the initial values of the module's variables to memory, where the variables begin at
 * `address`. */
static bool load_variables(struct device *d, const struct ptx_module *p, uint64_t address)
{
    for (int k = 0; k < p->variable_count; k++) {
        const struct ptx_variable *v = &p->variables[k];
        if ((v->space != SPACE_GLOBAL && v->space != SPACE_CONST) || !v->initial_count)
            continue;
        uint8_t *host = memory_host(&d->memory, address + v->offset, v->initial_count);
        if (!host)
            return false;
        memcpy(host, p->initial + v->initial, v->initial_count);
    }
    return true;
}

static void sim_unload(struct device *d, struct module *m)
{
    if (!m)
        return;
    if (m->globals)
        memory_free(&d->memory, m->globals);
    for (int k = 0; k < m->entry_count; k++)
        program_free(m->entries[k]);
    free(m->entries);
    program_free(m->program);
    free(m);
}

/* Loads all kernels of the module, because a kernel may launch any of them. For each of them, the
 * PTX is parsed again, because a program owns its ptx_module. */
static bool load_entries(struct module *m, const struct image *image, const struct sass *sass,
                         struct error *e)
{
    const struct ptx_module *all = m->program->module;
    m->entries = xcalloc((size_t)all->function_count + 1, sizeof(struct program *));
    for (; m->entry_count < all->function_count; m->entry_count++) {
        const struct ptx_function *f = &all->functions[m->entry_count];
        struct ptx_module *ptx;
        char name[64];
        if (!f->entry || !f->defined)
            continue;
        snprintf(name, sizeof name, "%.*s", f->name.length < 63 ? f->name.length : 63, f->name.at);
        if (!ptx_parse(image->bytes, image->length, &ptx, e) ||
            !program_build(ptx, name, m->globals, lanes_best(), sass, &m->entries[m->entry_count],
                           e))
            return false;
    }
    return true;
}

static bool load_code(struct device *d, const struct image *image, const struct sass *sass,
                      struct module **out, struct module_info *info, struct error *e)
{
    struct ptx_module *ptx;
    if (image->kind != IMAGE_PTX)
        return FAIL(e, ERROR_INTERNAL, "the simulator can load only PTX");
    if (!ptx_parse(image->bytes, image->length, &ptx, e))
        return false;
    struct module *m = xcalloc(1, sizeof *m);
    if (ptx->global_bytes && !memory_alloc(&d->memory, ptx->global_bytes, &m->globals, e)) {
        free(m);
        ptx_free(ptx);
        return error_prefix(e, "the variables of kernel %s", image->entry);
    }
    bool loaded = load_variables(d, ptx, m->globals);
    if (!program_build(ptx, image->entry, m->globals, lanes_best(), sass, &m->program, e) ||
        !loaded) {
        sim_unload(d, m);
        return loaded ? error_prefix(e, "kernel %s", image->entry)
                      : FAIL(e, ERROR_INTERNAL, "a variable of %s is outside its module",
                             image->entry);
    }
    if (image->device_runtime && !load_entries(m, image, sass, e)) {
        sim_unload(d, m);
        return error_prefix(e, "kernel %s", image->entry);
    }
    if (info)
        *info = (struct module_info){
            .registers = -1, /* PTX does not say how many registers the machine code uses */
            .static_smem_bytes = (int)m->program->shared_bytes,
            .local_bytes = (int)m->program->local_bytes,
            .max_block = m->program->max_threads ? m->program->max_threads : 1024,
        };
    if (info)
        snprintf(info->uncounted, sizeof info->uncounted, "%s", m->program->departures);
    *out = m;
    return true;
}

static bool sim_load(struct device *d, const struct image *image, struct module **out,
                     struct module_info *info, struct error *e)
{
    struct sass sass = {0};
    bool known = image->cubin && sass_read(image->cubin, image->cubin_length, &sass);
    bool ok = load_code(d, image, known ? &sass : NULL, out, info, e);
    if (ok && info && !known)
        snprintf(
            info->uncounted, sizeof info->uncounted,
            "accesses are counted from the PTX and were not compared with machine code, because %s",
            image->cubin ? sass.why : "there is none");
    sass_free(&sass);
    return ok;
}

static bool sim_alloc(struct device *d, size_t bytes, struct buffer *out, struct error *e)
{
    if (!memory_alloc_buffer(&d->memory, bytes, &out->address, e))
        return false;
    out->bytes = bytes;
    return true;
}

static void sim_free(struct device *d, struct buffer b)
{
    memory_free(&d->memory, b.address);
}

static bool outside(struct buffer b, size_t offset, size_t bytes, struct error *e)
{
    return FAIL(e, ERROR_INTERNAL, "%zu bytes at offset %zu are outside a buffer of %zu bytes",
                bytes, offset, b.bytes);
}

/* Returns the host memory of `bytes` bytes of a buffer, beginning at `offset`. */
static void *part(struct device *d, struct buffer b, size_t offset, size_t bytes, struct error *e)
{
    void *host = memory_host(&d->memory, b.address + offset, bytes);
    if (!host)
        outside(b, offset, bytes, e);
    return host;
}

static bool sim_fill(struct device *d, struct buffer b, uint8_t byte, struct error *e)
{
    return memory_fill(&d->memory, b.address, b.bytes, byte) || outside(b, 0, b.bytes, e);
}

static bool sim_read(struct device *d, struct buffer b, size_t offset, void *host, size_t bytes,
                     struct error *e)
{
    const void *from = part(d, b, offset, bytes, e);
    if (!from)
        return false;
    memcpy(host, from, bytes);
    return true;
}

bool sim_write(struct device *d, struct buffer b, size_t offset, const void *host, size_t bytes,
               struct error *e)
{
    void *to = part(d, b, offset, bytes, e);
    if (!to)
        return false;
    memcpy(to, host, bytes);
    return true;
}

/* the part of an input that one thread generates */
struct generation {
    const struct input *input;
    uint64_t first, count;
    uint8_t *out;
};

static void *generate_share(void *argument)
{
    const struct generation *g = argument;
    input_generate(g->input, g->first, g->count, g->out);
    return NULL;
}

static bool sim_generate(struct device *d, struct buffer b, const struct input *input,
                         struct error *e)
{
    enum { MAX = 256, MIN_SHARE = 1 << 18 };
    size_t size = element_size(input->type);
    if (memory_generate_lazily(&d->memory, b.address, input))
        return true;
    uint8_t *host = part(d, b, 0, input->n * size, e);
    if (!host)
        return false;
    struct generation shares[MAX];
    pthread_t ids[MAX];
    bool started[MAX] = {false};
    uint64_t threads = input->n / MIN_SHARE + 1;
    if (threads > (uint64_t)d->threads)
        threads = (uint64_t)d->threads;
    for (uint64_t k = 0; k < threads; k++) {
        uint64_t first = input->n / threads * k;
        uint64_t end = k + 1 == threads ? input->n : input->n / threads * (k + 1);
        shares[k] = (struct generation){input, first, end - first, host + first * size};
        started[k] = k > 0 && pthread_create(&ids[k], NULL, generate_share, &shares[k]) == 0;
        if (!started[k] && k > 0)
            generate_share(&shares[k]);
    }
    generate_share(&shares[0]);
    for (uint64_t k = 1; k < threads; k++)
        if (started[k])
            pthread_join(ids[k], NULL);
    return true;
}

static bool run_trial(struct device *d, const struct trial *t, struct race_report *races,
                      struct counts *counts, struct error *e)
{
    if (t->restore && !sim_generate(d, t->input, t->restore, e))
        return false;
    if ((t->zero.bytes && !sim_fill(d, t->zero, 0, e)) ||
        (t->zero_output.bytes && !sim_fill(d, t->zero_output, 0, e)))
        return false;
    d->unwritten = t->unwritten;
    if (d->unwritten)
        d->unwritten[0] = '\0';
    bool ok = true;
    for (int j = 0; ok && j < t->launch_count; j++)
        ok = sim_launch(d, &t->launches[j], races, counts, e);
    d->unwritten = NULL;
    if (ok)
        counts_add(&d->counts, counts);
    return ok;
}

static bool sim_run(struct device *d, const struct trial *t, struct error *e)
{
    struct counts counts = {0};
    return run_trial(d, t, NULL, &counts, e);
}

bool sim_check_races(struct device *d, const struct trial *t, struct race_report *out,
                     struct error *e)
{
    struct counts counts = {0};
    memset(out, 0, sizeof *out);
    return run_trial(d, t, out, &counts, e);
}

static bool sim_count(struct device *d, const struct trial *trials, int count,
                      const char *const *counters, int counter_count, double *values,
                      struct error *e)
{
    for (int k = 0; k < count; k++) {
        struct counts counts = {0};
        if (!run_trial(d, &trials[k], NULL, &counts, e))
            return false;
        counts_finish(&counts);
        for (int j = 0; j < counter_count; j++)
            values[k * counter_count + j] = counts_value(&counts, counters[j]);
    }
    return true;
}

static bool sim_has_counter(struct device *d, const char *counter, char why[256])
{
    (void)d;
    return counts_known(counter, why);
}

static int sim_passes(struct device *d, const char *const *counters, int counter_count)
{
    (void)d;
    (void)counters;
    return counter_count > 0 ? 1 : 0;
}

extern const struct counter_tables sim_counter_tables;

const struct device_driver sim_driver = {
    .version = DEVICE_VERSION,
    .name = "sim",
    .help = "the simulator, which runs the kernels' PTX on the CPU and provides results and exact "
            "counts, but no times; sim:kepler counts 128-byte lines, as a Tesla K80 did; "
            "sim:sms=132 has 132 multiprocessors; sim:sample=64 executes 64 blocks of a uniform "
            "kernel; sim:lanes=3 uses three simulators at the same time",
    .open = sim_open,
    .list = sim_list,
    .close = sim_close,
    .describe = sim_describe,
    .load = sim_load,
    .unload = sim_unload,
    .alloc = sim_alloc,
    .free = sim_free,
    .fill = sim_fill,
    .read = sim_read,
    .generate = sim_generate,
    .run = sim_run,
    .count = sim_count,
    .has_counter = sim_has_counter,
    .passes = sim_passes,
    .check = sim_check_races,
    .tables = &sim_counter_tables,
};
