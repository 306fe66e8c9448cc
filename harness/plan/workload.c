/*
 * The table of workloads: one row a kind of work. A further kind is one row here and one file
 * beside reduce_reference.c that defines its functions.
 */
#include "plan/workload.h"

#include <string.h>

#include "plan/workloads.h"

static const struct workload table[] = {
    {.name = "reduce",
     .meaning = "combines all n elements into one value with the operation",
     .reduces = true,
     .least_bytes = reduce_least_bytes,
     .output_elements = reduce_output_elements,
     .reference = reduce_reference,
     .check = reduce_check},
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
