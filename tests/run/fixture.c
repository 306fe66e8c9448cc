/* Runs a sweep on the fault device (see fixture.h). */
#include "fixture.h"

#include "run/earlier.h"
#include "../table/cells.h"
#include "../texts/expected.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

static struct kernel *make_kernel(const char *name, const char *facts)
{
    char path[128], code[2048];
    struct error e = {0};
    struct kernel *k;
    snprintf(path, sizeof path, "kernels/%s.cu", name);
    int length =
        snprintf(code, sizeof code,
                 "// kernel: %s\n// idea: none\n// source: a test\n// uniform: yes\n%s"
                 "extern \"C\" __global__ void %s(element *input, element *output)\n{\n}\n",
                 name, facts, name);
    if (!kernel_parse(path, code, (size_t)length, &k, &e))
        fail_msg("%s", e.text);
    return k;
}

void bed_open(struct bed *b, const char *config_text)
{
    memset(b, 0, sizeof *b);
    /* The tests need no compiler. Without these paths, each worker would spend time looking for
     * one. */
    setenv("REDSWEEP_NVRTC", "/nonexistent", 1);
    setenv("REDSWEEP_NVJITLINK", "/nonexistent", 1);
    bool memory = access("/dev/shm", W_OK) == 0; /* where syncing takes no time */
    snprintf(b->base, sizeof b->base, "%s/redsweep test XXXXXX", memory ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(b->base));
    texts_rename(b->base, "$work");
    snprintf(b->out, sizeof b->out, "%s/out", b->base);
    snprintf(b->config_file, sizeof b->config_file, "%s/c.json", b->base);
    FILE *file = fopen(b->config_file, "w");
    assert_non_null(file);
    fputs(config_text, file);
    fclose(file);
    if (!config_read(b->config_file, &b->config, &b->e))
        fail_msg("%s", b->e.text);
    b->kernels.kernels = calloc(4, sizeof *b->kernels.kernels);
    assert_non_null(b->kernels.kernels);
    static const char *const facts[][2] = {
        {"alpha", "// result: partial\n// input: untouched\n// covers: BLOCK * UNROLL\n"
                  "// blocks: multiple of 32\n// unroll: 1 2 4\n"},
        {"beta",
         "// result: complete\n// input: untouched\n// covers: BLOCK\n// blocks: power of two\n"},
        {"gamma",
         "// result: partial\n// input: in place\n// covers: BLOCK * 2\n// blocks: power of two\n"},
        {"hungry",
         "// result: partial\n// input: untouched\n// covers: BLOCK\n// blocks: power of two\n"
         "// workspace: 2^20\n"},
    };
    for (int i = 0; i < 4; i++)
        b->kernels.kernels[b->kernels.count++] = make_kernel(facts[i][0], facts[i][1]);
    const char *support = "kernels/support";
    if (!catalogue_read(&support, 1, &b->support, &b->e))
        fail_msg("%s", b->e.text);
    fault_catalogue = b->kernels; /* A copied bed shares the kernels. */
    fault_device_forget();
}

void bed_close(struct bed *b)
{
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", b->base, b->base);
    assert_int_equal(system(command), 0);
    config_free(b->config);
    catalogue_free(&b->kernels);
    catalogue_free(&b->support);
}

/* Splits "fault:a|fault:b" into device names, which point into `copy`. Returns how many there
 * are. */
static int split_devices(char *copy, const char *devices[8])
{
    int count = 0;
    for (char *rest = copy, *device; count < 8 && (device = strsep(&rest, "|"));)
        devices[count++] = device;
    return count;
}

static struct sweep_options options_of(struct bed *b, const char *device)
{
    struct sweep_options o = {
        .setup = {.config = b->config,
                  .catalogue = &b->kernels,
                  .support = &b->support,
                  .device_name = device,
                  .kernel_folder = "kernels",
                  .threads = 1},
        .gate = b->gate,
        .out = b->out,
        .command = "a test",
    };
    memcpy(o.retry, b->retry, sizeof o.retry);
    return o;
}

/* Calls sweeps_run() with stderr hidden. */
static void run_hidden(const struct sweep_options *options, struct sweep_result *results, int count)
{
    fflush(NULL);
    int shown = dup(STDERR_FILENO), hidden = open("/dev/null", O_WRONLY);
    if (!getenv("SHOW"))
        dup2(hidden, STDERR_FILENO);
    sweeps_run(options, results, count);
    dup2(shown, STDERR_FILENO);
    close(shown);
    close(hidden);
}

static bool run(struct bed *b, const char *device, struct manifest *earlier, bool anyway)
{
    char copy[512];
    const char *devices[8];
    snprintf(copy, sizeof copy, "%s", device);
    struct sweep_options o = options_of(b, device);
    o.devices = devices;
    o.device_count = split_devices(copy, devices);
    o.earlier = earlier;
    o.anyway = anyway;
    run_hidden(&o, &b->result, 1);
    b->e = b->result.error;
    return b->e.kind == ERROR_NONE;
}

void bed_run_each(struct bed *b, const char *devices, struct sweep_result *results)
{
    char copy[512];
    const char *names[8];
    struct sweep_options options[8];
    snprintf(copy, sizeof copy, "%s", devices);
    int count = split_devices(copy, names);
    for (int i = 0; i < count; i++) {
        options[i] = options_of(b, names[i]);
        options[i].each = b->out;
        options[i].each_index = i;
    }
    assert_int_equal(mkdir(b->out, 0777), 0);
    run_hidden(options, results, count);
}

bool bed_run(struct bed *b, const char *device)
{
    return run(b, device, NULL, false);
}

bool bed_resume(struct bed *b, const char *device, bool anyway)
{
    struct manifest earlier;
    bool ok = earlier_read(b->out, &earlier, &b->e);
    if (ok) {
        config_free(b->config);
        b->config = NULL;
        ok = config_parse(earlier.provenance.config_path, earlier.provenance.config_text,
                          &b->config, &b->e) &&
             run(b, device, &earlier, anyway);
    }
    manifest_free(&earlier);
    return ok;
}

static void read_table(const char *folder, const char *name, struct table *t)
{
    char path[256];
    struct error e = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!table_read(path, t, &e))
        fail_msg("%s", e.text);
}

void bed_table(struct bed *b, struct table *t)
{
    read_table(b->out, "results.csv", t);
}

const char *cell(const struct table *t, size_t row, const char *column)
{
    int at = table_column(t, column);
    if (at < 0)
        fail_msg("there is no column %s", column);
    return table_cell(t, row, at);
}

void bed_check_files(struct bed *b)
{
    struct table rows, samples;
    read_table(b->out, "results.csv", &rows);
    read_table(b->out, "samples.csv", &samples);
    assert_false(rows.torn || samples.torn);
    size_t counted = 0;
    for (size_t i = 0; i < rows.row_count; i++) {
        const char *id = table_cell(&rows, i, 0);
        for (size_t j = 0; j < i; j++)
            if (strcmp(table_cell(&rows, j, 0), id) == 0)
                fail_msg("point %s has two rows", id);
        double wanted = table_number(&rows, i, table_column(&rows, "samples"));
        double found = 0;
        for (size_t j = 0; j < samples.row_count; j++)
            if (strcmp(table_cell(&samples, j, 0), id) == 0)
                assert_true(table_number(&samples, j, 1) == found++);
        assert_true(found == (isnan(wanted) ? 0 : wanted));
        counted += (size_t)found;
    }
    assert_int_equal(counted, samples.row_count);
    table_free(&rows);
    table_free(&samples);
}

static enum fault fault_of_row(const struct fault_options *o, const struct table *t, size_t row,
                               enum fault_phase phase)
{
    uint64_t n = strtoull(cell(t, row, "n"), NULL, 10);
    unsigned block = (unsigned)strtoul(cell(t, row, "block"), NULL, 10);
    unsigned unroll = (unsigned)strtoul(cell(t, row, "unroll"), NULL, 10);
    const char *kernel = cell(t, row, "kernel");
    /* A crashed point's row has no grid, so this computes it from the facts in bed_open(). */
    unsigned covers = strcmp(kernel, "gamma") == 0 ? block * 2 : block * unroll;
    return fault_of(o, kernel, n, block, (unsigned)((n + covers - 1) / covers), phase);
}

static enum status status_of_fault(enum fault f, enum fault_phase phase)
{
    switch (f) {
    case CRASH:
        return STATUS_CRASHED;
    case HANG:
        return STATUS_TIMEOUT;
    case LIE:
        return phase == PHASE_CHECK ? STATUS_WRONG : STATUS_OK;
    case OOM:
        return phase == PHASE_COUNT ? STATUS_OK : STATUS_OOM;
    case STARVE:
        return STATUS_OOM;
    case LAUNCH_FAILS:
    case LOST:
        return phase == PHASE_COUNT ? STATUS_OK : STATUS_LAUNCH_ERROR;
    default:
        return STATUS_OK;
    }
}

enum status expected_status(const struct fault_options *o, const struct table *t, size_t row,
                            bool timed, bool counted, bool *loses_worker)
{
    const bool used[PHASES] = {true, timed, counted};
    *loses_worker = false;
    if (strcmp(cell(t, row, "status"), "skipped") == 0)
        return STATUS_SKIPPED;
    for (int phase = 0; phase < PHASES; phase++) {
        enum fault f = used[phase] ? fault_of_row(o, t, row, (enum fault_phase)phase) : NO_FAULT;
        enum status s = status_of_fault(f, (enum fault_phase)phase);
        *loses_worker |= f == CRASH || f == HANG || f == LOST || f == STARVE;
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static bool is_timing(const char *column)
{
    return strncmp(column, "time_us", 7) == 0 || strcmp(column, "outliers") == 0 ||
           strcmp(column, "bandwidth_gbs") == 0 || strcmp(column, "peak_pct") == 0 ||
           strcmp(column, "ceiling_pct") == 0 || strcmp(column, "sm_clock_mhz") == 0 ||
           strcmp(column, "temperature_c") == 0 || strcmp(column, "samples") == 0 ||
           strcmp(column, "stopped_by") == 0 || strcmp(column, "run") == 0 ||
           strcmp(column, "compile_ms") == 0 || strcmp(column, "measured_at") == 0 ||
           strcmp(column, "session") == 0 || strcmp(column, "device_index") == 0 ||
           strcmp(column, "device_uuid") == 0;
}

void same_rows(const struct table *expected, const struct table *actual)
{
    assert_int_equal(expected->row_count, actual->row_count);
    assert_int_equal(expected->columns.count, actual->columns.count);
    for (size_t i = 0; i < expected->row_count; i++) {
        size_t j = 0;
        while (j < actual->row_count &&
               strcmp(table_cell(actual, j, 0), table_cell(expected, i, 0)) != 0)
            j++;
        if (j == actual->row_count)
            fail_msg("point %s is missing", table_cell(expected, i, 0));
        for (int c = 0; c < (int)expected->columns.count; c++)
            if (!is_timing(expected->columns.items[c]->name) &&
                strcmp(table_cell(expected, i, c), table_cell(actual, j, c)) != 0)
                fail_msg("point %s: %s is '%s' rather than '%s'", table_cell(expected, i, 0),
                         expected->columns.items[c]->name, table_cell(actual, j, c),
                         table_cell(expected, i, c));
    }
}
