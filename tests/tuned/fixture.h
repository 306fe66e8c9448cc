/* Invented runs and kernels for the tests that choose and write a library.
 *
 * A library may contain the kernels `even`, `odd` (from n = 4096) and `narrow` (up to n = 100
 * 000), but not `bound`. `wavering` varies its order of operations, so a library may use it only
 * for operations whose result does not depend on the order. `twin` has a second vector. `flat`
 * accepts only rows of whole 16-byte packs. `ragged`, `steady` and `rows_scalar` take any rows.
 * Only `steady` is invariant, and only `precise` is exact. `axial` and `axis_thread` reduce over
 * an axis. All of this code just has to compile, because no test runs it. */
#ifndef REDSWEEP_TESTS_TUNED_FIXTURE_H
#define REDSWEEP_TESTS_TUNED_FIXTURE_H

#include "../analyze/fixture.h"

#include <inttypes.h>
#include <math.h>

#include "base/statistics.h"
#include "base/text.h"
#include "tuned/tuned.h"

static inline void put_kernel(const char *name, const char *facts)
{
    char file[64], text[2048];
    snprintf(file, sizeof file, "%s.cu", name);
    snprintf(text, sizeof text,
             "// kernel:    %s\n"
             "// idea:      invented\n"
             "// source:    nobody\n"
             "// result:    complete\n"
             "// input:     untouched\n"
             "// covers:    BLOCK * LOADS\n"
             "// workspace: 16 * GRID\n"
             "// blocks:    multiple of 32\n"
             "// constant:  BLOCK\n"
             "// tunable:   LOADS 1 2 4\n"
             "// uniform:   no\n"
             "%s"
             "#include \"common.cuh\"\n"
             "extern \"C\" __global__ void %s(element *input, element *output, index_t n)\n"
             "{\n"
             "    index_t i = (index_t)blockIdx.x * BLOCK * LOADS + threadIdx.x;\n"
             "    if (i < n)\n"
             "        output[0] = combine(input[i], (element)LOADS);\n"
             "}\n",
             name, facts, name);
    put("kernels", file, text);
}

static inline void put_rows_kernel(const char *name, const char *workload, const char *facts)
{
    char file[64], text[2048];
    snprintf(file, sizeof file, "%s.cu", name);
    snprintf(text, sizeof text,
             "// kernel:    %s\n"
             "// idea:      invented\n"
             "// source:    nobody\n"
             "// workload:  %s\n"
             "// covers:    BLOCK * ROW_LENGTH\n"
             "// workspace: ACCUMULATOR * GRID\n"
             "// blocks:    multiple of 32\n"
             "// constant:  BLOCK\n"
             "// types:     all\n"
             "// ops:       all\n"
             "%s"
             "#include \"common.cuh\"\n"
             "extern \"C\" __global__ void %s(element *input, void *output, size_t rows)\n"
             "{\n"
             "    if (rows > BLOCK)\n"
             "        ((char *)output)[threadIdx.x] = ((char *)input)[LOADS];\n"
             "}\n",
             name, workload, facts, name);
    put("kernels", file, text);
}

/* Reads these kernels. The caller frees the catalogue with catalogue_free(). */
static inline struct catalogue make_catalogue(void)
{
    put_kernel("even", "// standalone: yes\n");
    put_kernel("odd", "// standalone: yes\n// requires:  N >= 4096\n");
    put_kernel("narrow", "// standalone: yes\n// requires:  N <= 100000\n");
    put_kernel("wavering", "// standalone: yes\n// varies:    yes\n");
    put_kernel("bound", "");
    put_kernel("twin", "// standalone: yes\n// parameters: input second output n workspace\n");
    put_rows_kernel("flat", "rows",
                    "// tunable:   LOADS 1 2 4\n// requires:  ROW_LENGTH * SIZEOF % 16 = 0\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("steady", "rows",
                    "// tunable:   LOADS 1 2 4 8\n// invariant: yes\n"
                    "// requires:  LOADS < 8 or OFFSET % 2 = 0\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("precise", "rows",
                    "// tunable:   LOADS 1 2\n// exact:     yes\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("ragged", "rows",
                    "// tunable:   LOADS 1 2\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("rows_scalar", "rows",
                    "// tunable:   LOADS 0 8\n// tunable:   SPAN 3 5\n// default:   SPAN 5\n"
                    "// requires:  LOADS = 0 or ROW_LENGTH < 64\n// fallback:  yes\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("axial", "axis",
                    "// tunable:   LOADS 1 2 4\n// requires:  INNER * SIZEOF % 16 = 0\n"
                    "// cost:      N / (ROW_LENGTH * INNER)\n"
                    "// parameters: input output size_t(N / ROW_LENGTH)\n");
    put_rows_kernel("axis_thread", "axis",
                    "// tunable:   LOADS 1 2\n// fallback:  yes\n"
                    "// parameters: input output size_t(INNER)\n");
    char folder[256];
    snprintf(folder, sizeof folder, "%s/kernels", scratch);
    const char *folders[] = {folder};
    struct catalogue c;
    static struct error e;
    if (!catalogue_read(folders, 1, &c, &e))
        fail_msg("%s", e.text);
    return c;
}

/* Writes run.json. `hash` is the hash of the source of `even`. */
static inline void put_told(const char *folder, const char *device, const char *capability,
                            uint64_t hash)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\n\"schema\": 2,\n\"provenance\": {\"run\": \"invented\", \"started\": "
             "\"2026-01-02T03:04:05Z\", \"device\": {\"backend\": \"cuda\", \"name\": \"%s\", "
             "\"compute_capability\": \"%s\", \"multiprocessors\": 10}, \"kernels\": [{\"name\": "
             "\"even\", \"source_hash\": \"%016" PRIx64 "\"}]}}\n",
             device, capability, hash);
    put(folder, "run.json", text);
}

/* Writes and reads a run. `rows` has rows of the form "kernel type op n loads scope time width".
 * Each gets 50 samples, evenly spaced from time · (1 − width) to time · (1 + width). `scope` is
 * "complete@64" for rows of 64 elements, and "complete@64x3" for 64 elements that are 3 apart.
 * run.json must exist. */
static inline struct results make_run(const char *folder, const char *device, const char *rows)
{
    struct text csv = {0}, samples = {0};
    text_append(&csv, "id,backend,device,kernel,type,op,n,block,unroll,loads,grid,cache,scope,"
                      "row_length,inner,status,time_us_median,time_us_ci95_lo,time_us_ci95_hi\n");
    text_append(&samples, "id,sample,time_us\n");
    char kernel[32], type[16], op[16], loads[8], scope[32];
    int n, used, id = 0;
    double time, width;
    for (; sscanf(rows, " %31s %15s %15s %d %7s %31s %lf %lf%n", kernel, type, op, &n, loads, scope,
                  &time, &width, &used) == 8;
         rows += used, id++) {
        double list[50];
        struct summary s;
        char *row_length = strchr(scope, '@'), *inner = strchr(scope, 'x');
        if (row_length)
            *row_length++ = '\0';
        if (inner)
            *inner++ = '\0';
        for (int i = 0; i < 50; i++) {
            list[i] = time * (1 + width * (2.0 * i / 49 - 1));
            text_append(&samples, "%d,%d,%.17g\n", id, i, list[i]);
        }
        assert_true(summarize(list, 50, &s));
        text_append(&csv, "%d,cuda,%s,%s,%s,%s,%d,128,1,%s,1,cold,%s,%s,%s,ok,%.17g,%.17g,%.17g\n",
                    id, device, kernel, type, op, n, strcmp(loads, "-") == 0 ? "" : loads, scope,
                    row_length ? row_length : "0", inner ? inner : "1", s.median, s.ci95_lo,
                    s.ci95_hi);
    }
    /* all of the text was read */
    assert_true(rows[strspn(rows, " \n")] == '\0');
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

#endif
