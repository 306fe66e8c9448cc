/*
 * The chart `shapes` shows the speed of row-wise reductions at each shape, with a panel for each
 * combination of type, operation and library. The run's own kernels are treated as one library;
 * other libraries are, for example, CUB, PyTorch and cuBLAS. A panel shows the fastest kernel of
 * its library at each shape. Times of other libraries are those of kernels with the role `peer` in
 * the run, or come from the run or file that --peers names. Panels of one type and operation are
 * side by side; panels of one library are below each other.
 *
 * Values are percentages of the speed of a kernel that only reads the input and writes the results
 * (role `limit of rows`), in the same run and for the same type and shape. Such a kernel is called
 * the limit. If there are several, the one is used that moves as many bytes as the run's kernels
 * for the operation. With --y bandwidth_gbs, or if the run has no limit, values are in GB/s. All
 * panels have the same cache state, scope and other axes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/peers.h"

CHART(90, shapes, ONE, TAKES_Y | SHOWS_ALL, "", make_shapes,
      "Speed of the fastest kernel and of its peers at each shape: columns on the x axis, n on the "
      "y axis.")

enum { MOST_PANELS = 24, MOST_NARROW = 6 };

struct shape_row {
    const char *kernel, *type, *op;
    double n, length, time, gbs;
    bool peer, limit;
    uint32_t row; /* ROW_NONE for a row of --peers */
};

struct panel {
    char *key; /* the sort key: type, operation and library */
    const char *type, *op, *kernel;
    char *library;     /* "" for the run itself; owned */
    bool mixed;        /* whether several kernels of the library appear */
    VEC(size_t) cells; /* for each shape, the index in `list` of the fastest row */
};

struct shapes {
    const struct chart_rows *rows;
    char *slice;
    VEC(struct shape_row) list;
    /*
     * For each key in `limit_keys`, `limits` has the shortest time of a limit. Each limit has two
     * keys: its type and shape, and these with the number of bytes that it moves.
     */
    struct numbering limit_keys, own_keys;
    VEC(double) limits;
    /* for each type, shape and operation in `own_keys`, how many bytes the run's kernels move */
    VEC(char *) own_bytes;
    VEC(struct panel) panels;
    VEC(double) across, up; /* ascending */
    bool share, by_rows;
    size_t unlimited; /* the number of cells that are left out because their shape has no limit */
    double high;
};

/* ---- The choice of rows ---------------------------------------------------------------------- */

static char *rest_of(const struct results *run, uint32_t row)
{
    struct text t = {0};
    text_append(&t, "%s, scope %s", results_axis(run, row, AXIS_cache),
                results_axis(run, row, AXIS_scope));
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        if (axis_is_run_time(i) && results_has_axis(run, i) && i != AXIS_row_length)
            text_append(&t, ", %s %s", axis_table[i].name, results_axis(run, row, i));
    return t.bytes;
}

static double length_of(const struct results *run, uint32_t row)
{
    return strtod(results_axis(run, row, AXIS_row_length), NULL);
}

static bool has_shape(const struct chart_rows *r, const bool *asked, uint32_t row)
{
    return asked[row] && length_of(r->run, row) > 0 && !isnan(chart_time(r, row)) &&
           !results_raced(r->run, row) && strcmp(column_text(r->backend, row), "cpu") != 0;
}

static bool is_limit(const struct chart_rows *r, uint32_t row)
{
    const struct role role = results_kernel(r->run, row)->role;
    return role.kind == ROLE_LIMIT && strcmp(role.bounds, "rows") == 0;
}

static bool is_own(const struct chart_rows *r, uint32_t row)
{
    enum role_kind kind = results_kernel(r->run, row)->role.kind;
    return kind == ROLE_REDUCTION || kind == ROLE_PEER;
}

/*
 * Chooses the cache state, the scope and the other axes that all panels have in common: the
 * combination with the most rows.
 */
static void choose_slice(struct shapes *s, const bool *asked)
{
    const struct chart_rows *r = s->rows;
    struct numbering names = {0};
    VEC(size_t) counts = {0};
    size_t most = 0;
    for (uint32_t row = 0; row < r->run->rows.row_count; row++) {
        if (!has_shape(r, asked, row) || (!is_own(r, row) && !is_limit(r, row)))
            continue;
        char *rest = rest_of(r->run, row);
        size_t at = numbering_add(&names, rest);
        free(rest);
        if (at == counts.count)
            vec_push(&counts, 0);
        most = ++counts.items[at] > counts.items[most] ? at : most;
    }
    s->slice = xstrdup(names.texts.count ? names.texts.items[most] : "");
    vec_free(&counts);
    numbering_free(&names);
}

static void take_run(struct shapes *s, const bool *asked)
{
    const struct chart_rows *r = s->rows;
    for (uint32_t row = 0; row < r->run->rows.row_count; row++) {
        bool limit = is_limit(r, row), own = is_own(r, row);
        if (!has_shape(r, asked, row) || (!own && !limit))
            continue;
        bool peer = results_kernel(r->run, row)->role.kind == ROLE_PEER;
        char *rest = rest_of(r->run, row);
        /* --kernels does not apply to limits and peers */
        if (strcmp(rest, s->slice) == 0 && (limit || peer || r->asked_rows[row]))
            vec_push(&s->list, (struct shape_row){column_text(r->kernel, row),
                                                  results_axis(r->run, row, AXIS_type),
                                                  results_axis(r->run, row, AXIS_op),
                                                  column_number(r->n, row), length_of(r->run, row),
                                                  chart_time(r, row), column_number(r->gbs, row),
                                                  peer, limit, row});
        free(rest);
    }
}

/*
 * Adds those rows from the run or file that --peers names that have the chart's cache state and
 * scope. Their other axes are unknown.
 */
static void take_peers(struct shapes *s)
{
    const struct peers *peers = s->rows->options->peers;
    for (size_t i = 0; peers && i < peers->rows.count; i++) {
        const struct peer_row *p = &peers->rows.items[i];
        char *rest = xasprintf("%s, scope %s", p->cache, p->scope);
        if (strncmp(s->slice, rest, strlen(rest)) == 0)
            vec_push(&s->list, (struct shape_row){p->kernel, p->type, p->op, p->n, p->row_length,
                                                  p->time, p->gbs, true, false, ROW_NONE});
        free(rest);
    }
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/*
 * Returns how many bytes a row reads and writes, as text with five digits, because it is computed
 * from a rounded bandwidth and a rounded time.
 */
static char *bytes_of(const struct shape_row *row)
{
    return xasprintf("%.5g", row->gbs * row->time);
}

static char *shape_of(const struct shape_row *row, const char *more)
{
    return xasprintf("%s %.0f %.0f %s", row->type, row->n, row->length, more);
}

static void take_limit(struct shapes *s, const struct shape_row *row, const char *bytes)
{
    char *key = shape_of(row, bytes);
    size_t at = numbering_add(&s->limit_keys, key);
    free(key);
    if (at == s->limits.count)
        vec_push(&s->limits, INFINITY);
    s->limits.items[at] = fmin(s->limits.items[at], row->time);
}

static void find_limits(struct shapes *s)
{
    for (size_t i = 0; i < s->list.count; i++) {
        const struct shape_row *row = &s->list.items[i];
        char *bytes = bytes_of(row), *key = shape_of(row, row->op);
        if (row->limit) {
            take_limit(s, row, "");
            take_limit(s, row, bytes);
        } else if (!row->peer) {
            size_t at = numbering_add(&s->own_keys, key);
            if (at == s->own_bytes.count)
                vec_push(&s->own_bytes, NULL);
            free(s->own_bytes.items[at]);
            s->own_bytes.items[at] = xstrdup(bytes);
        }
        free(bytes);
        free(key);
    }
}

static double limit_named(const struct shapes *s, const struct shape_row *row, const char *bytes)
{
    char *key = shape_of(row, bytes);
    size_t at = numbering_find(&s->limit_keys, key);
    free(key);
    return at == NUMBERING_NONE ? NAN : s->limits.items[at];
}

/*
 * Returns the time of the limit for a row's type and shape, or NaN if there is none. Because some
 * operations have larger results than others, prefers a limit that moves as many bytes as the run's
 * kernels do for the row's operation.
 */
static double limit_of(const struct shapes *s, const struct shape_row *row)
{
    char *key = shape_of(row, row->op);
    size_t own = numbering_find(&s->own_keys, key);
    free(key);
    double same = own == NUMBERING_NONE ? NAN : limit_named(s, row, s->own_bytes.items[own]);
    return isnan(same) ? limit_named(s, row, "") : same;
}

static double value_of(const struct shapes *s, const struct shape_row *row)
{
    return s->share ? 100 * limit_of(s, row) / row->time : row->gbs;
}

/* ---- Panels ---------------------------------------------------------------------------------- */

static int compare_panels(const void *a, const void *b)
{
    return strcmp(((const struct panel *)a)->key, ((const struct panel *)b)->key);
}

/*
 * Returns the panel to which a row belongs. The name of a peer begins with its library: cub, torch
 * or compiled.
 */
static struct panel *panel_of(struct shapes *s, const struct shape_row *row)
{
    char *library = row->peer ? xstrndup(row->kernel, strcspn(row->kernel, "_")) : xstrdup("");
    char *key = xasprintf("%s %s %s", row->type, row->op, library);
    size_t i = 0;
    while (i < s->panels.count && strcmp(s->panels.items[i].key, key) != 0)
        i++;
    if (i == s->panels.count) {
        vec_push(&s->panels, (struct panel){.key = key,
                                            .type = row->type,
                                            .op = row->op,
                                            .kernel = row->kernel,
                                            .library = library});
    } else {
        free(key);
        free(library);
    }
    return &s->panels.items[i];
}

static void take_cell(struct shapes *s, size_t i)
{
    const struct shape_row *row = &s->list.items[i];
    struct panel *p = panel_of(s, row);
    p->mixed = p->mixed || strcmp(p->kernel, row->kernel) != 0;
    for (size_t k = 0; k < p->cells.count; k++) {
        const struct shape_row *other = &s->list.items[p->cells.items[k]];
        if (other->n != row->n || other->length != row->length)
            continue;
        if (row->time < other->time)
            p->cells.items[k] = i;
        return;
    }
    vec_push(&p->cells, i);
}

static double up_of(const struct shapes *s, const struct shape_row *row)
{
    return s->by_rows ? row->n / row->length : row->n;
}

/*
 * Removes cells without a value. Then removes panels without cells, because gnuplot cannot read an
 * empty data block.
 */
static void drop_empty(struct shapes *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->panels.count; i++) {
        struct panel *p = &s->panels.items[i];
        size_t cells = 0;
        for (size_t k = 0; k < p->cells.count; k++) {
            const struct shape_row *row = &s->list.items[p->cells.items[k]];
            if (isnan(value_of(s, row))) {
                s->unlimited += s->share;
                continue;
            }
            p->cells.items[cells++] = p->cells.items[k];
        }
        p->cells.count = cells;
        if (cells) {
            s->panels.items[kept++] = *p;
            continue;
        }
        free(p->key);
        free(p->library);
        vec_free(&p->cells);
    }
    s->panels.count = kept;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t place_of(const double *list, size_t count, double x)
{
    size_t i = 0;
    while (i < count && list[i] != x)
        i++;
    return i;
}

/* Finds the values on each of the two axes at which any panel has a cell. */
static void find_axes(struct shapes *s)
{
    for (size_t i = 0; i < s->panels.count; i++)
        for (size_t k = 0; k < s->panels.items[i].cells.count; k++) {
            const struct shape_row *row = &s->list.items[s->panels.items[i].cells.items[k]];
            if (place_of(s->across.items, s->across.count, row->length) == s->across.count)
                vec_push(&s->across, row->length);
            if (place_of(s->up.items, s->up.count, up_of(s, row)) == s->up.count)
                vec_push(&s->up, up_of(s, row));
        }
    if (s->across.count) {
        qsort(s->across.items, s->across.count, sizeof(double), compare_numbers);
        qsort(s->up.items, s->up.count, sizeof(double), compare_numbers);
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

static char *title_of(const struct panel *p)
{
    return xasprintf("%s %s: %s", p->type, p->op,
                     !*p->library ? "the run's fastest"
                     : p->mixed   ? p->library
                                  : p->kernel);
}

static void write_panel(struct shapes *s, const struct panel *p, struct picture *picture)
{
    char *title = title_of(p);
    struct table t = {.row_count = p->cells.count};
#define ROW(i) (&s->list.items[p->cells.items[i]])
    table_add_texts(&t, i, title, "panel");
    table_add_texts(&t, i, ROW(i)->kernel, "kernel");
    table_add_numbers(&t, i, ROW(i)->n, "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, ROW(i)->length, "row_length", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)place_of(s->across.items, s->across.count, ROW(i)->length) + 1,
                      "across", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, (double)place_of(s->up.items, s->up.count, up_of(s, ROW(i))) + 1, "up",
                      .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, value_of(s, ROW(i)), "value", .kind = COLUMN_NUMBER);
    struct column *texts = table_add(&t, (struct column){.name = "text"});
    for (size_t i = 0; i < t.row_count; i++) {
        char text[48];
        double value = value_of(s, ROW(i));
        snprintf(text, sizeof text, value >= 9.95 ? "%.0f" : "%.2g", value);
        column_set_text(texts, i, text);
        s->high = fmax(s->high, value);
    }
    struct column *settings = table_add(&t, (struct column){.name = "setting"});
    for (size_t i = 0; i < t.row_count; i++) {
        struct text setting = {0};
        if (ROW(i)->row != ROW_NONE)
            chart_setting(s->rows, ROW(i)->row, &setting);
        column_set_text(settings, i, text_shown(&setting));
        text_free(&setting);
    }
#undef ROW
    picture_block(picture, &t);
    table_free(&t);
    free(title);
}

/*
 * Writes the names of the places on an axis. Powers of two are written as powers, also the small
 * ones that layout_size() would write as numbers.
 */
static void write_places(const char *name, const double *list, size_t count, struct picture *p)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char **names = xcalloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        char size[48];
        int exponent;
        bool power = frexp(list[i], &exponent) == 0.5 && exponent >= 1 && exponent <= 10;
        layout_size(list[i], size);
        names[i] = power ? xasprintf("2%s", raised[exponent - 1]) : xstrdup(size);
    }
    picture_texts(p, name, (const char *const *)names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/*
 * Stores the names of the libraries in alphabetical order, and returns how many there are. The
 * run's own kernels come first, because the name of their library is "".
 */
static size_t find_libraries(const struct shapes *s, struct numbering *names)
{
    VEC(const char *) list = {0};
    for (size_t i = 0; i < s->panels.count; i++)
        vec_push(&list, s->panels.items[i].library);
    for (const char *last = NULL;;) {
        const char *next = NULL;
        for (size_t i = 0; i < list.count; i++)
            if ((!last || strcmp(list.items[i], last) > 0) &&
                (!next || strcmp(list.items[i], next) < 0))
                next = list.items[i];
        if (!next)
            break;
        numbering_add(names, next);
        last = next;
    }
    vec_free(&list);
    return names->texts.count;
}

/*
 * Arranges the panels in lines, one for each type and operation. Returns how many panels are drawn.
 * If there are more panels than a picture may have, the last ones are left out.
 */
static size_t place_panels(const struct shapes *s, double *lines, double *columns, size_t *left_out)
{
    bool narrow = s->rows->options->width == CANVAS_COLUMN;
    struct numbering libraries = {0};
    find_libraries(s, &libraries);
    size_t drawn = 0, line = 0, most = narrow ? MOST_NARROW : MOST_PANELS;
    for (size_t i = 0; i < s->panels.count && drawn < most; i++) {
        const struct panel *p = &s->panels.items[i], *before = i > 0 ? p - 1 : NULL;
        bool same = before && strcmp(before->type, p->type) == 0 && strcmp(before->op, p->op) == 0;
        line += before && !same;
        lines[drawn] = (double)line;
        columns[drawn++] = (double)numbering_find(&libraries, p->library);
    }
    *left_out = s->panels.count - drawn;
    numbering_free(&libraries);
    return drawn;
}

static void write_words(const struct shapes *s, size_t more, struct picture *p)
{
    struct text shown = {0};
    text_append(&shown, "%s; %s", s->slice,
                s->share
                    ? "percent of the speed of a kernel that just reads the input and writes the "
                      "results (others may be faster)"
                    : "GB/s");
    if (!s->by_rows)
        text_append(&shown, "; rows: n / columns");
    if (more)
        text_append(&shown, "; %zu more panels are not shown (--where chooses the rows)", more);
    if (s->unlimited)
        text_append(&shown, "; %zu shapes without such a kernel", s->unlimited);
    picture_text(p, "HEADING", "Speed by shape");
    picture_text(p, "SHOWN", shown.bytes);
    picture_text(p, "SHAPE_VALUE", s->share ? "% of reading" : "GB/s");
    picture_text(p, "SHAPE_Y", s->by_rows ? "rows" : "n");
    text_free(&shown);
}

static void write_picture(struct shapes *s, struct picture *p)
{
    size_t count = s->panels.count, more, lines = 0, columns = 0;
    double *places = xcalloc(2 * count + 1, sizeof *places);
    char **titles = xcalloc(count + 1, sizeof *titles);
    size_t drawn = place_panels(s, places, places + count, &more);
    for (size_t i = 0; i < drawn; i++) {
        titles[i] = title_of(&s->panels.items[i]);
        lines = fmax((double)lines, places[i] + 1);
        columns = fmax((double)columns, places[count + i] + 1);
        write_panel(s, &s->panels.items[i], p);
    }
    write_words(s, more, p);
    picture_number(p, "SHAPES", (double)drawn);
    picture_number(p, "SHAPE_SHARE", s->share);
    picture_number(p, "SHAPE_HIGH", s->share ? fmax(s->high, 100) : s->high);
    picture_number(p, "SHAPE_LINES", (double)lines);
    picture_number(p, "SHAPE_LIBRARIES", (double)columns);
    picture_numbers(p, "SHAPE_LINE", places, drawn);
    picture_numbers(p, "SHAPE_LIBRARY", places + count, drawn);
    picture_texts(p, "SHAPE_TITLE", (const char *const *)titles, drawn);
    picture_number(p, "SHAPE_COLUMNS", (double)s->across.count);
    picture_number(p, "SHAPE_ROWS", (double)s->up.count);
    write_places("SHAPE_ACROSS", s->across.items, s->across.count, p);
    write_places("SHAPE_UP", s->up.items, s->up.count, p);
    for (size_t i = 0; i < drawn; i++)
        free(titles[i]);
    free(titles);
    free(places);
}

static void free_shapes(struct shapes *s)
{
    for (size_t i = 0; i < s->panels.count; i++) {
        free(s->panels.items[i].key);
        free(s->panels.items[i].library);
        vec_free(&s->panels.items[i].cells);
    }
    for (size_t i = 0; i < s->own_bytes.count; i++)
        free(s->own_bytes.items[i]);
    numbering_free(&s->limit_keys);
    numbering_free(&s->own_keys);
    vec_free(&s->limits);
    vec_free(&s->own_bytes);
    vec_free(&s->panels);
    vec_free(&s->list);
    vec_free(&s->across);
    vec_free(&s->up);
    free(s->slice);
}

static bool find_panels(struct shapes *s, char why[256])
{
    const struct chart_options where = {.where = s->rows->options->where};
    bool *asked = NULL;
    struct error e = {0};
    if (!chart_rows_asked(s->rows->run, &where, &asked, &e)) {
        snprintf(why, 256, "%.200s", e.text);
        error_clear(&e);
        return false;
    }
    choose_slice(s, asked);
    take_run(s, asked);
    free(asked);
    take_peers(s);
    find_limits(s);
    s->by_rows = text_list_has(s->rows->options->y, "rows");
    s->share = s->limits.count > 0 && !text_list_has(s->rows->options->y, "bandwidth_gbs");
    for (size_t i = 0; i < s->list.count; i++)
        if (!s->list.items[i].limit)
            take_cell(s, i);
    bool any = s->panels.count > 0;
    find_axes(s);
    drop_empty(s);
    if (s->panels.count)
        qsort(s->panels.items, s->panels.count, sizeof *s->panels.items, compare_panels);
    if (!any)
        snprintf(why, 256, "no timed row has a row length");
    else if (!s->panels.count)
        snprintf(why, 256, "the run has no bandwidths");
    return s->panels.count > 0;
}

bool make_shapes(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct shapes s = {.rows = r};
    bool ok = results_has_axis(r->run, AXIS_row_length);
    if (!ok)
        snprintf(why, 256, "the run has no axis row_length");
    else if ((ok = find_panels(&s, why)))
        write_picture(&s, p);
    free_shapes(&s);
    return ok;
}
