/*
 * The chart `search` shows the progress of a search, with one line per n: how much slower the best
 * configuration found so far is than the best known one, against the seconds since the run began.
 *
 * Each row contains the time at which it was recorded. But some strategies record all rows of an n
 * at the end of its search, within a second or two. For these strategies, run.json lists when each
 * configuration became the best one so far. The chart uses the configuration's final time, which
 * may include samples that were taken later. In older runs, run.json has no such list. The line of
 * an n is then horizontal: it begins when the previous n on the same card was recorded, and ends
 * when this n was recorded.
 *
 * The best known configuration is the fastest one in the run that --truth names or, by default, the
 * fastest one that this run found in the end.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"

CHART(130, search, ONE, 0, "", make_search,
      "Progress of a search: how much slower the best point so far was than the fastest known "
      "point, against time. For runs that do not record the progress: what was found at each n.")

struct timed_row {
    double at; /* when the row was recorded, in seconds since 1970 */
    uint32_t row;
};
typedef VEC(struct timed_row) moment_list;

struct searched_size {
    double n, first, last; /* the size, and when its first and last row were recorded */
    double known;          /* the best known time in µs, or NaN */
    size_t rows;
    uint32_t any; /* any row of this size */
    /* in chronological order, without rows that the search dropped after a few samples */
    moment_list by_row;
    moment_list choices; /* the rows that became the best so far, as listed in run.json */
};

struct search_point {
    double seconds, loss;
    uint32_t row; /* the best row so far */
};

struct search {
    const struct chart_rows *rows;
    VEC(struct searched_size) sizes; /* ascending */
    struct numbering ids;
    row_list id_rows; /* the row of each id */
    double since, begin, end;
    size_t measured;
    bool followed; /* run.json lists when each configuration became the best so far */
    bool whole;    /* all rows of each n were recorded together, and run.json has no such list */
    double low, high;
};

/* ---- Reading --------------------------------------------------------------------------------- */

/*
 * Converts a time such as 2026-11-22T17:24:49Z to seconds since 1970. The seconds may have a
 * fraction. Returns NaN for any other string.
 */
static double epoch(const char *text)
{
    struct tm tm = {0};
    double seconds;
    char end;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%lf%c", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &seconds, &end) != 7 ||
        end != 'Z' || !(seconds >= 0 && seconds < 62))
        return NAN;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (double)timegm(&tm) + seconds;
}

static struct searched_size *size_of(struct search *s, double n)
{
    for (size_t i = 0; i < s->sizes.count; i++)
        if (s->sizes.items[i].n == n)
            return &s->sizes.items[i];
    return NULL;
}

static int compare_sizes(const void *a, const void *b)
{
    double x = ((const struct searched_size *)a)->n, y = ((const struct searched_size *)b)->n;
    return (x > y) - (x < y);
}

static int compare_moments(const void *a, const void *b)
{
    const struct timed_row *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool is_timed(const struct chart_rows *r, uint32_t row)
{
    return !isnan(chart_time(r, row)) && strcmp(column_text(r->backend, row), "cpu") != 0;
}

static void take_row(struct search *s, uint32_t row, double at)
{
    double n = column_number(s->rows->n, row);
    struct searched_size *size = size_of(s, n);
    if (!size) {
        vec_push(&s->sizes, (struct searched_size){.n = n, .first = at, .last = at, .known = NAN});
        size = &s->sizes.items[s->sizes.count - 1];
    }
    size->rows++;
    s->measured++;
    if (isnan(s->since) || at < s->since)
        s->since = at;
    if (results_raced(s->rows->run, row))
        return;
    if (!size->by_row.count)
        size->first = size->last = at;
    size->first = fmin(size->first, at);
    size->last = fmax(size->last, at);
    size->any = row;
    vec_push(&size->by_row, (struct timed_row){at, row});
}

/*
 * Reads the rows and sorts them by size and by the time at which they were recorded. Returns false
 * if a row does not contain that time.
 */
static bool read_rows(struct search *s)
{
    const struct chart_rows *r = s->rows;
    const struct column *at = table_find(&r->run->rows, "measured_at");
    const struct column *id = table_find(&r->run->rows, "id");
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (!is_timed(r, row))
            continue;
        double moment = epoch(column_text(at, row));
        if (isnan(moment))
            return false;
        size_t known = s->ids.texts.count;
        if (numbering_add(&s->ids, column_text(id, row)) == known)
            vec_push(&s->id_rows, row);
        take_row(s, row, moment);
    }
    if (s->sizes.count)
        qsort(s->sizes.items, s->sizes.count, sizeof *s->sizes.items, compare_sizes);
    for (size_t i = 0; i < s->sizes.count; i++) {
        moment_list *list = &s->sizes.items[i].by_row;
        if (list->count)
            qsort(list->items, list->count, sizeof *list->items, compare_moments);
    }
    return true;
}

/*
 * Reads the progress of a session from run.json: "TIME ID TIME ID …", where each point ID became
 * the best so far at TIME.
 */
static void read_progress(struct search *s, const char *progress)
{
    char *copy = xstrdup(progress), *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        double at = epoch(word);
        const char *id = strtok_r(NULL, " ", &rest);
        size_t i = id ? numbering_find(&s->ids, id) : NUMBERING_NONE;
        if (i == NUMBERING_NONE || isnan(at))
            continue;
        uint32_t row = s->id_rows.items[i];
        struct searched_size *size = size_of(s, column_number(s->rows->n, row));
        vec_push(&size->choices, (struct timed_row){at, row});
    }
    free(copy);
}

static void read_moments(struct search *s)
{
    const struct manifest *m = &s->rows->run->manifest;
    for (size_t i = 0; i < m->sessions.count; i++)
        for (size_t k = 0; k < m->sessions.items[i].searches.count; k++)
            if (m->sessions.items[i].searches.items[k].progress)
                read_progress(s, m->sessions.items[i].searches.items[k].progress);
    s->followed = s->sizes.count > 0;
    s->whole = true;
    for (size_t i = 0; i < s->sizes.count; i++) {
        const struct searched_size *size = &s->sizes.items[i];
        s->followed = s->followed && size->choices.count > 0;
        s->whole = s->whole && size->last - size->first <= 1;
    }
    s->whole = s->whole && !s->followed;
}

/* ---- The best known -------------------------------------------------------------------------- */

static void take_best(struct search *s, const struct chart_rows *from)
{
    for (size_t i = 0; i < from->shown.count; i++) {
        uint32_t row = from->shown.items[i];
        struct searched_size *size = size_of(s, column_number(from->n, row));
        if (size && is_timed(from, row) && !results_raced(from->run, row))
            size->known = fmin(isnan(size->known) ? INFINITY : size->known, chart_time(from, row));
    }
}

/*
 * Finds the best known times. With --truth, they are those of the rows that --where selects in that
 * run. Their slice (rows.h) must be the slice of this run.
 */
static bool find_known(struct search *s, char why[256])
{
    const struct chart_options *o = s->rows->options;
    if (!o->truth) {
        take_best(s, s->rows);
        return true;
    }
    struct chart_options options = {.where = o->where, .data = o->data};
    struct chart_rows truth;
    struct error e = {0};
    if (!chart_rows_choose(o->truth, &options, false, &truth, &e)) {
        snprintf(why, 256, "--truth: %.200s", e.text);
        error_clear(&e);
        return false;
    }
    bool same = strcmp(truth.slice, s->rows->slice) == 0;
    if (same)
        take_best(s, &truth);
    else if (truth.shown.count == 0)
        snprintf(why, 256, "--truth %.150s: %s", o->truth->path, chart_no_times(&truth));
    else
        snprintf(why, 256,
                 "the run that --truth names has a different type, operation, cache state or "
                 "scope: %.150s",
                 truth.slice);
    chart_rows_free(&truth);
    return same;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

typedef VEC(struct search_point) point_list;

static void add_point(struct search *s, const struct searched_size *size, double at, uint32_t row,
                      point_list *out)
{
    double loss = 100 * (chart_time(s->rows, row) / size->known - 1);
    s->low = fmin(s->low, loss);
    s->high = fmax(s->high, loss);
    s->begin = fmin(s->begin, at - s->since);
    s->end = fmax(s->end, at - s->since);
    vec_push(out, (struct search_point){at - s->since, loss, row});
}

static void follow_choices(struct search *s, const struct searched_size *size, point_list *out)
{
    const struct timed_row *last = NULL;
    for (size_t i = 0; i < size->choices.count; i++) {
        last = &size->choices.items[i];
        add_point(s, size, last->at, last->row, out);
    }
    /*
     * The times of rows are whole seconds, so the last row may seem to be earlier than the last
     * choice.
     */
    if (last)
        add_point(s, size, fmax(size->last, last->at), last->row, out);
}

/*
 * Returns when the last row of the previous n on the same card was recorded, or, for the first n,
 * when the run began.
 */
static double began(const struct search *s, const struct searched_size *size)
{
    double at = s->since;
    for (size_t i = 0; i < s->sizes.count; i++) {
        const struct searched_size *other = &s->sizes.items[i];
        if (other->by_row.count && other->last < size->last &&
            column_same(s->rows->card, other->any, size->any))
            at = fmax(at, other->last);
    }
    return at;
}

/*
 * Adds the points of an n's line, computed from the times at which its rows were recorded. If
 * several rows that were recorded in the same second are better than all before them, only the last
 * of these becomes a point. The line continues to `end`.
 */
static void follow_rows(struct search *s, const struct searched_size *size, double end,
                        point_list *out)
{
    double best = INFINITY;
    uint32_t row = size->any; /* the best row so far */
    for (size_t i = 0; i < size->by_row.count; i++) {
        const struct timed_row *at = &size->by_row.items[i];
        bool better = chart_time(s->rows, at->row) < best;
        best = fmin(best, chart_time(s->rows, at->row));
        row = better ? at->row : row;
        size_t same = i + 1;
        while (same < size->by_row.count && at[same - i].at == at->at)
            same++;
        bool later = false;
        for (size_t k = i + 1; k < same; k++)
            later = later || chart_time(s->rows, size->by_row.items[k].row) < best;
        if (better && !later && !s->whole)
            add_point(s, size, at->at, row, out);
    }
    if (s->whole)
        add_point(s, size, began(s, size), row, out);
    add_point(s, size, s->whole ? size->last : end, row, out);
}

static void write_line(const struct chart_rows *r, const struct searched_size *size,
                       const point_list *points, const char *name, struct picture *p)
{
    struct table t = {.row_count = points->count};
    uint32_t *rows = xcalloc(points->count + 1, sizeof *rows);
    for (size_t i = 0; i < points->count; i++)
        rows[i] = points->items[i].row;
    table_add_numbers(&t, i, size->n, "n", .kind = COLUMN_COUNT);
    table_add_numbers(&t, i, points->items[i].seconds, "seconds", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, points->items[i].loss, "loss_pct", .kind = COLUMN_NUMBER);
    table_add_texts(&t, i, column_text(r->kernel, rows[i]), "kernel");
    chart_add_settings(r, rows, &t);
    table_add_texts(&t, i, i + 1 < points->count ? "" : name, "text");
    picture_block(p, &t);
    free(rows);
    table_free(&t);
}

/* Writes the lines and returns their number. */
static size_t write_lines(struct search *s, struct picture *p)
{
    struct layout_key *keys = xcalloc(s->sizes.count + 1, sizeof *keys);
    char **names = xcalloc(s->sizes.count + 1, sizeof *names);
    size_t lines = 0;
    double end = 0;
    for (size_t i = 0; i < s->sizes.count; i++)
        if (s->sizes.items[i].by_row.count)
            end = fmax(end, s->sizes.items[i].last);
    s->end = s->begin = end - s->since;
    for (size_t i = 0; i < s->sizes.count; i++) {
        const struct searched_size *size = &s->sizes.items[i];
        point_list points = {0};
        char n[48];
        if (!size->by_row.count || isnan(size->known))
            continue;
        if (s->followed)
            follow_choices(s, size, &points);
        else
            follow_rows(s, size, end, &points);
        layout_size(size->n, n);
        write_line(s->rows, size, &points, n, p);
        names[lines] = s->whole ? xasprintf("n = %s: %zu", n, size->rows) : xasprintf("n = %s", n);
        int color = (int)lines + 1;
        keys[lines] = (struct layout_key){names[lines], layout_rgb(color), layout_mark(color)};
        lines++;
        vec_free(&points);
    }
    layout_keys(p, keys, lines, s->rows->options->width - 32);
    for (size_t i = 0; i < lines; i++)
        free(names[i]);
    free(names);
    free(keys);
    return lines;
}

static void write_words(const struct search *s, struct picture *p)
{
    struct text shown = {0};
    const struct results *truth = s->rows->options->truth;
    const char *slash = truth ? strrchr(truth->folder, '/') : NULL;
    text_append(&shown, "%s; %zu rows; compared with the fastest %s%s", s->rows->slice, s->measured,
                truth ? "of " : "that this run found",
                !truth  ? ""
                : slash ? slash + 1
                        : truth->folder);
    if (s->followed)
        text_append(&shown, "; at each point, another configuration became the best so far; a line "
                            "may rise, because the first decisions rest on few samples");
    if (s->whole)
        text_append(&shown,
                    "; each line shows how long the search at one n took; the number beside the "
                    "n is the number of rows, which were recorded when this search ended");
    picture_text(p, "HEADING",
                 s->whole ? "What the search found at each n" : "Progress of the search");
    picture_text(p, "SHOWN", shown.bytes);
    picture_text(p, "UPWARDS",
                 s->whole ? "slowdown of the best point found at each n (%)"
                          : "slowdown of the best point so far (%)");
    picture_number(p, "SEARCH_WHOLE", s->whole);
    picture_number(p, "SEARCH_NAMED", s->whole || s->followed);
    /*
     * The axis begins at 0 unless compilation before the first row would take up more than a
     * quarter of it.
     */
    picture_number(p, "SEARCH_X0", s->begin > 0.25 * s->end ? floor(s->begin) : 0);
    picture_number(p, "SEARCH_X1", fmax(s->end, 1));
    picture_number(p, "SEARCH_Y0", fmin(s->low * 1.1, 0));
    picture_number(p, "SEARCH_Y1", fmax(s->high * 1.1, 1));
    text_free(&shown);
}

static bool make(struct search *s, struct picture *p, char why[256])
{
    const struct manifest *m = &s->rows->run->manifest;
    s->since = epoch(m->sessions.count ? m->sessions.items[0].since : m->provenance.started);
    if (!read_rows(s)) {
        snprintf(why, 256, "the rows do not say when they were recorded (measured_at)");
        return false;
    }
    read_moments(s);
    if (!s->measured)
        snprintf(why, 256, "%s", chart_no_times(s->rows));
    else if (!s->rows->options->truth && s->whole)
        snprintf(
            why, 256,
            "all rows of each n were recorded at once, so there is no progress to show; name a run "
            "with the best times in --truth");
    else if (find_known(s, why)) {
        if (write_lines(s, p) > 0)
            write_words(s, p);
        else
            snprintf(why, 256, "the run that --truth names has none of this run's sizes");
    }
    return !*why;
}

bool make_search(const struct chart_rows *r, struct picture *p, char why[256])
{
    struct search s = {.rows = r};
    bool ok = make(&s, p, why);
    for (size_t i = 0; i < s.sizes.count; i++) {
        vec_free(&s.sizes.items[i].by_row);
        vec_free(&s.sizes.items[i].choices);
    }
    vec_free(&s.sizes);
    vec_free(&s.id_rows);
    numbering_free(&s.ids);
    return ok;
}
