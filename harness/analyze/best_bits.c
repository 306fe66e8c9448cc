/* Implements the part of best.h that compares bits. */
#include "analyze/best.h"

#include <string.h>

static bool bits_are_known(const struct results *r, struct best_point *point, struct error *e)
{
    const char *id = column_text(r->known.id, point->row);
    point->bits = column_text(r->known.bits, point->row);
    if (!*point->bits)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the column bits of the point %s (%s) is empty; choose a point with a "
                    "value in this column, from a run that this version of redsweep measured",
                    r->path, id, column_text(r->known.status, point->row));
    if (strcmp(point->bits, RECORD_VARIES) == 0)
        return FAIL(e, ERROR_CONFIG,
                    "%s: launches of the point %s on the same input gave different bits; choose a "
                    "point whose value in the column bits is not '" RECORD_VARIES "'",
                    r->path, id);
    return true;
}

bool best_find_point(const struct results *runs, size_t run_count, const char *id,
                     struct best_point *out, struct error *e)
{
    const char *found = NULL;
    for (size_t i = run_count; i-- > 0;)
        for (size_t row = 0; *id && row < runs[i].rows.row_count; row++) {
            const char *here = column_text(runs[i].known.id, row);
            if (strncmp(here, id, strlen(id)) != 0 || (found && strcmp(found, here) == 0))
                continue;
            if (found)
                return FAIL(e, ERROR_USAGE,
                            "--same-bits-as %s: several ids, such as %s and %s, begin with these "
                            "digits; write more digits",
                            id, found, here);
            found = here;
            *out = (struct best_point){(uint32_t)i, (uint32_t)row, NULL};
        }
    if (!found)
        return FAIL(e, ERROR_USAGE,
                    "--same-bits-as %s: no point of %s has this id; redsweep show RUN --columns "
                    "id,kernel,block,unroll,n,bits lists the ids",
                    id, runs[run_count - 1].path);
    return bits_are_known(&runs[out->run], out, e);
}

bool best_same_bits(const struct results *runs, const struct best_point *point,
                    const struct results *r, size_t row)
{
    const struct results *asked = &runs[point->run];
    if (strcmp(column_text(r->known.bits, row), point->bits) != 0)
        return false;
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (!axis_is_configuration(i) && i != AXIS_cache &&
            strcmp(results_axis(asked, point->row, i), results_axis(r, row, i)) != 0)
            return false;
    return true;
}
