/*
 * The table of workloads, with one row per kind of work. A new kind needs a row here, and a file
 * next to reduce_check.c with its functions.
 */
#include "workloads/workload.h"

#include <string.h>

#include "spec/kernel.h"
#include "workloads/workloads.h"

enum { VECTOR_ALIGNMENT = 256 }; /* in bytes */

static const struct workload table[] = {
    {.name = "reduce",
     .meaning = "combines all n elements into one value with the operation",
     .reduces = true,
     .input_elements = reduce_input_elements,
     .min_bytes = reduce_min_bytes,
     .output_elements = reduce_output_elements,
     .output_size = reduce_output_size,
     .reference = reduce_reference,
     .reference_of = reduce_reference_of,
     .check = reduce_check},
    {.name = "rows",
     .meaning = "combines each row of row_length elements into a value of its own",
     .by_rows = true,
     .input_elements = reduce_input_elements,
     .min_bytes = reduce_min_bytes,
     .output_elements = rows_output_elements,
     .output_size = rows_output_size,
     .rows_reference = rows_reference,
     .check = rows_check},
    {.name = "axis",
     .meaning = "reduces an array (outer, row_length, inner) along its middle dimension; the "
                "elements that are combined are `inner` elements apart",
     .by_rows = true,
     .any_axis = true,
     .input_elements = reduce_input_elements,
     .min_bytes = reduce_min_bytes,
     .output_elements = rows_output_elements,
     .output_size = rows_output_size,
     .rows_reference = rows_reference,
     .check = rows_check},
    {.name = "rows_limit",
     .meaning = "reads n elements as a stream, and writes one result per row",
     .by_rows = true,
     .any_axis = true,
     .input_elements = limit_elements,
     .min_bytes = read_min_bytes,
     .output_elements = rows_output_elements,
     .output_size = rows_output_size,
     .check = rows_limit_check},
    {.name = "matrix_sum",
     .meaning = "adds two matrices of n elements each, stored one after the other in the input",
     .input_elements = matrix_input_elements,
     .min_bytes = matrix_min_bytes,
     .output_elements = matrix_output_elements,
     .row_elements = matrix_row_elements,
     .check = matrix_check},
    {.name = "alternate_threads",
     .meaning = "n threads write 100 and 200 alternately",
     .input_elements = no_input_elements,
     .min_bytes = no_min_bytes,
     .output_elements = alternate_output_elements,
     .row_elements = alternate_row_elements,
     .check = alternate_threads_check},
    {.name = "alternate_warps",
     .meaning = "n threads write 100 or 200, alternating from warp to warp",
     .input_elements = no_input_elements,
     .min_bytes = no_min_bytes,
     .output_elements = alternate_output_elements,
     .row_elements = alternate_row_elements,
     .check = alternate_warps_check},
    {.name = "hello_halving",
     .meaning =
         "each block of n threads launches a block of half as many threads; every thread writes "
         "its nesting depth and its number",
     .input_elements = no_input_elements,
     .min_bytes = no_min_bytes,
     .output_elements = hello_halving_elements,
     .check = hello_halving_check},
    {.name = "hello_doubling",
     .meaning =
         "each grid launches a grid with twice as many blocks, up to n threads; every thread "
         "writes its nesting depth and its number",
     .input_elements = no_input_elements,
     .min_bytes = no_min_bytes,
     .output_elements = hello_doubling_elements,
     .check = hello_doubling_check},
    {.name = "launch",
     .meaning = "does nothing, so that its time is the minimum time of a launch",
     .input_elements = limit_elements,
     .min_bytes = no_min_bytes,
     .output_elements = no_output_elements,
     .check = ran_check},
    {.name = "read",
     .meaning = "streaming read of n elements",
     .input_elements = limit_elements,
     .min_bytes = read_min_bytes,
     .output_elements = no_output_elements,
     .check = ran_check},
    {.name = "write",
     .meaning = "streaming write of n elements",
     .input_elements = limit_elements,
     .min_bytes = read_min_bytes,
     .output_elements = limit_output_elements,
     .check = write_check},
    {.name = "copy",
     .meaning = "streaming copy of n elements",
     .input_elements = limit_elements,
     .min_bytes = copy_min_bytes,
     .output_elements = limit_output_elements,
     .check = copy_check},
};

const struct workload *workload_table(int *count)
{
    *count = (int)(sizeof table / sizeof *table);
    return table;
}

const struct workload *workload_find(const char *name)
{
    int count;
    const struct workload *rows = workload_table(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

struct input workload_input(const struct workload *w, enum element_type type, enum operation op,
                            uint64_t n)
{
    struct input input = {.type = type, .op = op, .n = w->input_elements(n)};
    if ((w->reference || w->rows_reference) && operation_inputs(op) == 2) {
        size_t size = element_size(type), bytes = input.n * size;
        input.second = (bytes + VECTOR_ALIGNMENT - 1) / VECTOR_ALIGNMENT * VECTOR_ALIGNMENT / size;
        input.n += input.second;
    }
    return input;
}

size_t workload_output_size(const struct workload *w, const struct work *work)
{
    return w->output_size ? w->output_size(work) : element_size(work->input->type);
}

int work_tunable(const struct work *work, const char *name, int otherwise)
{
    for (int i = 0; work->kernel && i < work->kernel->tunable_count; i++)
        if (strcmp(work->kernel->tunables[i].name, name) == 0)
            return work->tunables[i];
    return otherwise;
}
