/* Implements peers.h. */
#include "charts/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/results.h"
#include "base/memory.h"

static const char *keep(struct peers *p, const char *text)
{
    /* this may move the array of strings, so the next line must read its address again */
    size_t at = numbering_add(&p->names, text);
    return p->names.texts.items[at];
}

static void take(struct peers *p, const char *const names[5], const double numbers[4])
{
    if (!(numbers[1] > 0) || !(numbers[2] > 0))
        return;
    struct peer_row row = {keep(p, names[0]), keep(p, names[1]), keep(p, names[2]),
                           keep(p, names[3]), keep(p, names[4]), numbers[0],
                           numbers[1],        numbers[2],        numbers[3]};
    vec_push(&p->rows, row);
}

static bool read_run(const char *path, struct peers *out, struct error *e)
{
    struct results run;
    if (!results_read(path, &run, e))
        return false;
    bool has = results_has_axis(&run, AXIS_row_length) ||
               FAIL(e, ERROR_CONFIG,
                    "%s lacks the column row_length; name a run of kernels that reduce rows", path);
    for (uint32_t row = 0; has && row < run.rows.row_count; row++) {
        const char *names[] = {results_axis(&run, row, AXIS_kernel),
                               results_axis(&run, row, AXIS_type), results_axis(&run, row, AXIS_op),
                               results_axis(&run, row, AXIS_cache),
                               results_axis(&run, row, AXIS_scope)};
        const double numbers[] = {column_number(run.known.axes[AXIS_n], row),
                                  column_number(run.known.axes[AXIS_row_length], row),
                                  column_number(run.known.time_us_median, row),
                                  column_number(run.known.bandwidth_gbs, row)};
        if (results_ok(&run, row) && results_kernel(&run, row)->role.kind == ROLE_PEER)
            take(out, names, numbers);
    }
    results_free(&run);
    return has;
}

static const char *const peer_numbers[] = {"n", "row_length", "time_us_median", "gbs"};

static bool describe(void *path, struct table *t, struct error *e)
{
    static const char *const needed[] = {"type", "op", "n", "row_length", "time_us_median"};
    for (size_t i = 0; i < sizeof peer_numbers / sizeof *peer_numbers; i++) {
        struct column *c = table_find(t, peer_numbers[i]);
        if (c) {
            c->kind = COLUMN_NUMBER;
            c->range = CELL_POSITIVE;
        }
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!table_find(t, needed[i]))
            return FAIL(e, ERROR_CONFIG, "%s lacks the column %s; name the results of a run",
                        (const char *)path, needed[i]);
    return true;
}

static void take_own(const struct table *t, struct peers *out)
{
    const struct column *columns[4];
    for (size_t i = 0; i < 4; i++)
        columns[i] = table_find(t, peer_numbers[i]);
    const struct column *peer = table_find(t, "peer"), *type = table_find(t, "type"),
                        *op = table_find(t, "op");
    for (size_t row = 0; row < t->row_count; row++) {
        const char *names[] = {column_text(peer, row), column_text(type, row), column_text(op, row),
                               "cold", "complete"};
        const double numbers[] = {column_number(columns[0], row), column_number(columns[1], row),
                                  column_number(columns[2], row), column_number(columns[3], row)};
        take(out, names, numbers);
    }
}

/* Returns whether the file is a peers.csv, which is recognized by its first column `peer`. */
static bool is_own(const char *path)
{
    char start[8] = "";
    FILE *f = fopen(path, "r");
    bool own = f && fread(start, 1, 5, f) == 5 && strcmp(start, "peer,") == 0;
    if (f)
        fclose(f);
    return own;
}

bool peers_read(const char *path, struct peers *out, struct error *e)
{
    struct stat st;
    struct table t = {0};
    bool own = stat(path, &st) == 0 && S_ISREG(st.st_mode) && is_own(path);
    *out = (struct peers){0};
    bool ok = own ? table_read_as(path, describe, (void *)path, &t, e) : read_run(path, out, e);
    if (ok && own) {
        take_own(&t, out);
        table_free(&t);
    }
    if (ok && !out->rows.count)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s contains no row of a peer kernel that has both a row length and a time; "
                  "name a run with peers",
                  path);
    if (!ok) {
        error_prefix(e, "--peers");
        peers_free(out);
    }
    return ok;
}

void peers_free(struct peers *p)
{
    vec_free(&p->rows);
    numbering_free(&p->names);
}
