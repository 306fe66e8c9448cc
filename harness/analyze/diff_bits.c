/*
 * Finds for each point whether the results of two runs are bitwise equal. The table of points shows
 * this in its column `bits`.
 */
#include "analyze/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/outcome.h"

const char *bits_verdict_name(enum bits_verdict v)
{
    static const char *const names[BITS_VERDICTS] = {"", "equal", "differ", "vary"};
    return names[v];
}

enum bits_verdict diff_bits(const struct diff *d, size_t pair)
{
    const struct pair *rows = &d->match.pairs.items[pair];
    const char *a = column_text(d->a->known.bits, rows->a),
               *b = column_text(d->b->known.bits, rows->b);
    if (!*a || !*b || !results_good(d->a, rows->a) || !results_good(d->b, rows->b))
        return BITS_UNKNOWN;
    if (strcmp(a, b) != 0)
        return BITS_DIFFER;
    return strcmp(a, RECORD_VARIES) == 0 ? BITS_VARY : BITS_EQUAL;
}

void diff_count_bits(struct diff *d)
{
    memset(d->findings.bits, 0, sizeof d->findings.bits);
    for (size_t i = 0; i < d->match.pairs.count; i++)
        d->findings.bits[diff_bits(d, i)]++;
}

void diff_view_bits(const struct diff *d, struct view *v)
{
    const size_t *bits = d->findings.bits;
    struct numbering kernels = {0};
    size_t *counts = xcalloc(d->match.pairs.count + 1, sizeof *counts);
    struct text line = {0};
    if (bits[BITS_EQUAL] + bits[BITS_DIFFER] + bits[BITS_VARY] == 0)
        goto done;
    text_append(&line, "  bits: %zu equal, %zu differ", bits[BITS_EQUAL], bits[BITS_DIFFER]);
    if (bits[BITS_VARY])
        text_append(&line, ", %zu vary from launch to launch in both runs", bits[BITS_VARY]);
    for (size_t i = 0; i < d->match.pairs.count; i++)
        if (diff_bits(d, i) == BITS_DIFFER)
            counts[numbering_add(&kernels,
                                 results_axis(d->a, d->match.pairs.items[i].a, AXIS_kernel))]++;
    for (size_t i = 0; i < kernels.texts.count; i++)
        text_append(&line, "%s %s (%zu)", i ? "," : "; differ:", kernels.texts.items[i], counts[i]);
    view_line(v, "%s", line.bytes);
done:
    text_free(&line);
    free(counts);
    numbering_free(&kernels);
}
