/* Makes the labels and rows of candidates for all tables of `redsweep best`. */
#include "analyze/best.h"
#include "analyze/results_columns.h"

void best_name(const struct best *b, const struct candidate *c, struct text *out)
{
    results_configuration(&b->runs[c->run], c->row, out);
}

struct run_row best_row(const struct best *b, const struct candidate *c)
{
    return (struct run_row){.run = &b->runs[c->run], .row = (uint32_t)c->row};
}

void best_add_device(struct table *t, const struct run_row *rows, enum audience audience)
{
    results_add(t, rows, "backend", (struct column){.name = "backend", .audience = audience});
    results_add(t, rows, "device", (struct column){.name = "device", .audience = audience});
}
