/*
 * Implements sim_counts.h with a table of counters, one row per name.
 *
 * A counter's value is scale · (sum of the counts in `over`) / (sum of the counts in `under`), or
 * scale · (sum of the counts in `over`) if `under` is empty. Names are those of PerfWorks metrics.
 * They have the same meaning as on hardware, except that instructions and branches are those of the
 * PTX.
 */
#include "devices/sim/counts/sim_counts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIELD(f) (offsetof(struct counts, f) / sizeof(uint64_t) + 1)
#define GLOBAL(kind, f) FIELD(global[kind].f)
#define SHARED(kind, f) FIELD(shared[kind].f)
#define LOCAL(kind, f) FIELD(local[kind].f)

struct row {
    const char *name;
    double scale;
    uint16_t over[3], under[3]; /* positions of members in struct counts, counted from 1; 0: none */
};

#define ACCESS_ROWS(SPACE, WORD, OP, KIND)                                                         \
    {"l1tex__t_requests_pipe_lsu_mem_" WORD "_op_" OP ".sum", 1, {SPACE(KIND, requests)}, {0}},    \
        {"l1tex__t_sectors_pipe_lsu_mem_" WORD "_op_" OP ".sum", 1, {SPACE(KIND, sectors)}, {0}},  \
        {"l1tex__t_bytes_pipe_lsu_mem_" WORD "_op_" OP ".sum", 32, {SPACE(KIND, sectors)}, {0}},   \
        {"l1tex__t_set_accesses_pipe_lsu_mem_" WORD "_op_" OP ".sum",                              \
         1,                                                                                        \
         {SPACE(KIND, lines)},                                                                     \
         {0}},                                                                                     \
    {                                                                                              \
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_" WORD "_op_" OP ".ratio", 1,           \
            {SPACE(KIND, sectors)},                                                                \
        {                                                                                          \
            SPACE(KIND, requests)                                                                  \
        }                                                                                          \
    }

#define SASS_ROWS(SPACE, WORD, OP, KIND)                                                           \
    {"smsp__inst_executed_op_" WORD "_" OP ".sum", 1, {SPACE(KIND, requests)}, {0}},               \
        {"smsp__sass_inst_executed_op_" WORD "_" OP ".sum", 1, {SPACE(KIND, requests)}, {0}},      \
    {                                                                                              \
        "smsp__sass_data_bytes_mem_" WORD "_op_" OP ".sum", 1, {SPACE(KIND, bytes)},               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

#define EFFICIENCY_ROWS(SPACE, WORD, OP, KIND)                                                     \
    {"smsp__sass_average_data_bytes_per_sector_mem_" WORD "_op_" OP ".pct",                        \
     100.0 / 32,                                                                                   \
     {SPACE(KIND, bytes)},                                                                         \
     {SPACE(KIND, sectors)}},                                                                      \
    {                                                                                              \
        "smsp__sass_average_data_bytes_per_sector_mem_" WORD "_op_" OP ".ratio", 1,                \
            {SPACE(KIND, bytes)},                                                                  \
        {                                                                                          \
            SPACE(KIND, sectors)                                                                   \
        }                                                                                          \
    }

#define SHARED_ALL(f)                                                                              \
    {                                                                                              \
        SHARED(ACCESS_LOAD, f), SHARED(ACCESS_STORE, f), SHARED(ACCESS_ATOMIC, f)                  \
    }

static const struct row rows[] = {
    ACCESS_ROWS(GLOBAL, "global", "ld", ACCESS_LOAD),
    ACCESS_ROWS(GLOBAL, "global", "st", ACCESS_STORE),
    ACCESS_ROWS(GLOBAL, "global", "red", ACCESS_REDUCTION),
    ACCESS_ROWS(GLOBAL, "global", "atom", ACCESS_ATOMIC),
    ACCESS_ROWS(LOCAL, "local", "ld", ACCESS_LOAD),
    ACCESS_ROWS(LOCAL, "local", "st", ACCESS_STORE),
    SASS_ROWS(GLOBAL, "global", "ld", ACCESS_LOAD),
    SASS_ROWS(GLOBAL, "global", "st", ACCESS_STORE),
    SASS_ROWS(GLOBAL, "global", "red", ACCESS_REDUCTION),
    SASS_ROWS(GLOBAL, "global", "atom", ACCESS_ATOMIC),
    SASS_ROWS(LOCAL, "local", "ld", ACCESS_LOAD),
    SASS_ROWS(LOCAL, "local", "st", ACCESS_STORE),
    SASS_ROWS(SHARED, "shared", "ld", ACCESS_LOAD),
    SASS_ROWS(SHARED, "shared", "st", ACCESS_STORE),
    EFFICIENCY_ROWS(GLOBAL, "global", "ld", ACCESS_LOAD),
    EFFICIENCY_ROWS(GLOBAL, "global", "st", ACCESS_STORE),
    {"smsp__inst_executed_op_shared_atom.sum",
     1,
     {SHARED(ACCESS_ATOMIC, requests), SHARED(ACCESS_REDUCTION, requests)},
     {0}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     1,
     {SHARED(ACCESS_LOAD, wavefronts)},
     {0}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     1,
     {SHARED(ACCESS_STORE, wavefronts)},
     {0}},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     1,
     {SHARED(ACCESS_LOAD, conflicts)},
     {0}},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     1,
     {SHARED(ACCESS_STORE, conflicts)},
     {0}},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     1,
     {SHARED(ACCESS_LOAD, wavefronts)},
     {0}},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     1,
     {SHARED(ACCESS_STORE, wavefronts)},
     {0}},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", 100.0 / 128, SHARED_ALL(bytes),
     SHARED_ALL(wavefronts)},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.ratio", 1, SHARED_ALL(bytes),
     SHARED_ALL(wavefronts)},
    {"smsp__inst_executed.sum", 1, {FIELD(instructions)}, {0}},
    {"smsp__thread_inst_executed.sum", 1, {FIELD(thread_instructions)}, {0}},
    {"smsp__thread_inst_executed_pred_on.sum", 1, {FIELD(thread_on)}, {0}},
    {"smsp__average_inst_executed_per_warp.ratio", 1, {FIELD(instructions)}, {FIELD(warps)}},
    {"smsp__average_thread_inst_executed_per_inst_executed.pct",
     100.0 / 32,
     {FIELD(thread_instructions)},
     {FIELD(instructions)}},
    {"smsp__average_thread_inst_executed_per_inst_executed.ratio",
     1,
     {FIELD(thread_instructions)},
     {FIELD(instructions)}},
    {"smsp__average_thread_inst_executed_pred_on_per_inst_executed.pct",
     100.0 / 32,
     {FIELD(thread_on)},
     {FIELD(instructions)}},
    {"smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio",
     1,
     {FIELD(thread_on)},
     {FIELD(instructions)}},
    {"smsp__sass_average_branch_targets_threads_uniform.pct",
     100,
     {FIELD(uniform_branches)},
     {FIELD(branches)}},
    {"smsp__warps_launched.sum", 1, {FIELD(warps)}, {0}},
    {"smsp__threads_launched.sum", 1, {FIELD(threads)}, {0}},
    {"smsp__average_threads_launched_per_warp.ratio", 1, {FIELD(threads)}, {FIELD(warps)}},
    {"sm__ctas_launched.sum", 1, {FIELD(blocks)}, {0}},
};

void counts_add_times(struct counts *to, const struct counts *from, uint64_t times)
{
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;
    for (size_t k = 0; k < sizeof *to / sizeof *a; k++)
        a[k] += b[k] * times;
}

void counts_add(struct counts *to, const struct counts *from)
{
    counts_add_times(to, from, 1);
}

void counts_subtract(const struct counts *a, const struct counts *b, struct counts *out)
{
    *out = *a;
    counts_add_times(out, b, UINT64_MAX); /* this factor is −1 modulo 2^64 */
}

void counts_finish(struct counts *c)
{
    c->uniform_branches = c->branches - c->divergent_branches;
}

static const struct row *find(const char *counter)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].name, counter) == 0)
            return &rows[k];
    return NULL;
}

static double sum(const struct counts *c, const uint16_t fields[3])
{
    const uint64_t *values = (const uint64_t *)c;
    double result = 0;
    for (int k = 0; k < 3; k++)
        if (fields[k])
            result += (double)values[fields[k] - 1];
    return result;
}

/* Returns whether `field` is one of the members of a struct access_counts whose first member is
 * `first`. */
static bool is_of(uint16_t field, uint16_t first)
{
    return field >= first && field < first + sizeof(struct access_counts) / sizeof(uint64_t);
}

/*
 * Returns whether the simulator knows how the hardware counts `field` for the accesses in c. There
 * are three cases in which it does not:
 *
 *   - An atomic has several lanes in one sector. An H200 then counts more sectors and lines, by an
 *     unknown rule: often twice as many, or one per lane.
 *   - A cp.async bypasses L1. The number of its sectors depends on timing.
 *   - An access is counted in `unknown`, because the assembler may have changed it.
 */
static bool rule_holds(const struct counts *c, uint16_t field)
{
    static const enum access_kind kinds[] = {ACCESS_REDUCTION, ACCESS_ATOMIC};
    for (int k = 0; k < ACCESS_KINDS; k++)
        if ((c->global[k].unknown && is_of(field, GLOBAL(k, requests))) ||
            (c->local[k].unknown && is_of(field, LOCAL(k, requests))) ||
            (c->shared[k].unknown && is_of(field, SHARED(k, requests))))
            return false;
    if (field == GLOBAL(ACCESS_LOAD, sectors) && c->global[ACCESS_LOAD].collisions)
        return false;
    for (int k = 0; k < 2; k++)
        if ((field == GLOBAL(kinds[k], sectors) || field == GLOBAL(kinds[k], lines)) &&
            c->global[kinds[k]].collisions)
            return false;
    return true;
}

double counts_value(const struct counts *c, const char *counter)
{
    const struct row *r = find(counter);
    if (!r)
        return NAN;
    for (int k = 0; k < 3; k++)
        if (!rule_holds(c, r->over[k]) || !rule_holds(c, r->under[k]))
            return NAN;
    double value = r->scale * sum(c, r->over);
    if (!r->under[0])
        return value;
    double divisor = sum(c, r->under);
    return divisor > 0 ? value / divisor : NAN;
}

bool counts_known(const char *counter, char why[256])
{
    static const struct {
        const char *part, *reason;
    } reasons[] = {
        {"per_second", "it needs times, but the simulator has no clock"},
        {"duration", "it needs times, but the simulator has no clock"},
        {"cycles", "it needs times, but the simulator has no clock"},
        {"elapsed", "it needs times, but the simulator has no clock"},
        {"warps_active", "it needs times, but the simulator has no clock"},
        {"warps_eligible", "it needs times, but the simulator has no clock"},
        {"per_cycle", "it needs times, but the simulator has no clock"},
        {"stalled", "it needs times, but the simulator has no clock"},
        {"issue", "the simulator does not model the hardware that issues instructions"},
        {"dram", "the simulator has no caches, so it cannot tell which accesses reach DRAM"},
        {"fbpa", "the simulator has no caches, so it cannot tell which accesses reach DRAM"},
        {"hit_rate", "the simulator has no caches"},
        {"lookup", "the simulator has no caches"},
        {"lts__", "the simulator has no L2 cache"},
    };
    if (find(counter))
        return true;
    const char *reason = "the simulator does not count this";
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
        if (strstr(counter, reasons[k].part)) {
            reason = reasons[k].reason;
            break;
        }
    }
    snprintf(why, 256, "%s", reason);
    return false;
}

const char *counts_name(int index)
{
    return index >= 0 && (size_t)index < sizeof rows / sizeof *rows ? rows[index].name : NULL;
}
