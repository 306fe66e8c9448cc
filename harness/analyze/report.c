/* Implements report.h. */
#include "analyze/report.h"

#include <math.h>

#include "analyze/best.h"
#include "table/numbering.h"
#include "analyze/results_columns.h"
#include "base/memory.h"

struct report_fact {
    char *name, *value;
};

/* The data to which the view's tables refer. */
struct report {
    const struct results *r;
    struct best best; /* without problems if no row has a time */
    VEC(struct report_fact) facts, kernels;
};

static void add_head(const struct results *r, struct view *v)
{
    const struct provenance *made = &r->manifest.provenance;
    const char *started = made->started, *status = r->manifest.status;
    view_title(v, "%s", *made->run ? made->run : r->path);
    view_line(v, "%s (%s)%s%s, %zu point%s%s%s", results_device(r), results_backend(r),
              *started ? ", " : "", started, r->rows.row_count, r->rows.row_count == 1 ? "" : "s",
              *status ? ", " : "", status);
    view_html(v, &(struct text){0}); /* reserved for the links that add_navigation() adds */
}

/*
 * Adds links to the sections of the page. They are in the item that add_head() reserved, but their
 * text contains the number of warnings, which is known only later.
 */
static void add_navigation(struct view *v, size_t place, size_t warnings)
{
    struct text nav = {0};
    text_append(&nav, "<nav aria-label=\"sections\"><a href=\"#conclusion\">Conclusion</a>"
                      "<a href=\"#best\">Best</a>");
    text_append(&nav,
                warnings ? "<a class=\"warn\" href=\"#warnings\">Warnings: %zu</a>"
                         : "<a href=\"#warnings\">Warnings</a>",
                warnings);
    text_append(&nav, "<a href=\"#charts\">Charts</a><a href=\"#rows\">Rows</a>"
                      "<a href=\"#made\">Made with</a></nav>\n");
    free(v->items.items[place]->text);
    v->items.items[place]->text = nav.bytes;
}

static bool is_skipped(const struct results *r, size_t row)
{
    return strcmp(column_text(r->known.status, row), status_name(STATUS_SKIPPED)) == 0;
}

/*
 * Adds a warning for each status that means a failure, with the number of rows that have this
 * status, and the reason of the first one.
 */
static void warn_of_statuses(const struct results *r, struct view *v)
{
    struct numbering seen = {0};
    for (size_t i = 0; i < r->rows.row_count; i++) {
        const char *status = column_text(r->known.status, i),
                   *reason = column_text(r->known.reason, i);
        if (results_good(r, i) || is_skipped(r, i) ||
            numbering_find(&seen, status) != NUMBERING_NONE)
            continue;
        numbering_add(&seen, status);
        size_t rows = 0;
        for (size_t j = i; j < r->rows.row_count; j++)
            rows += strcmp(column_text(r->known.status, j), status) == 0;
        char *choice = view_choice("status", status);
        view_bullet_where(v, choice, "%zu %s %s%s%s at n = %s%s%s", rows,
                          rows == 1 ? "row is" : "rows are", status,
                          rows == 1 ? ": " : "; the first is ", results_axis(r, i, AXIS_kernel),
                          results_axis(r, i, AXIS_n), *reason ? ": " : "", reason);
        free(choice);
    }
    numbering_free(&seen);
}

static void warn_of_columns(const struct results *r, struct view *v)
{
    for (size_t i = 0; i < r->rows.columns.count; i++)
        if (*r->columns[i].missing)
            view_bullet(v, "no row has a value of %s: %s", r->rows.columns.items[i]->name,
                        r->columns[i].missing);
}

static void warn_of_races(const struct results *r, struct view *v)
{
    for (size_t i = 0; i < r->manifest.provenance.kernels.count; i++) {
        const struct manifest_kernel *k = &r->manifest.provenance.kernels.items[i];
        if (!*k->racy)
            continue;
        char *choice = view_choice(axis_table[AXIS_kernel].name, k->name);
        view_bullet_where(v, choice, "%s is racy: %s", k->name, k->racy);
        free(choice);
    }
}

/* Adds warnings about the measurement itself: failed self-checks, and drift above 1 %. */
static void warn_of_conditions(const struct results *r, struct view *v)
{
    for (size_t i = 0; i < r->manifest.sessions.count; i++) {
        const struct conditions *session = &r->manifest.sessions.items[i];
        if (fabs(session->drift_pct) > 1)
            view_bullet(v, "the achievable read bandwidth drifted by %+.1f %% during the run",
                        session->drift_pct);
        for (size_t j = 0; j < session->checks.count; j++) {
            const struct self_check *check = &session->checks.items[j];
            if (!check->ok)
                view_bullet(v, "a self-check failed: %s should be %.6g, but was %.6g",
                            check->meaning, check->expected, check->found);
        }
    }
}

static void warn_of_throttling(const struct results *r, struct view *v)
{
    size_t rows = 0, first = 0;
    for (size_t i = 0; i < r->rows.row_count; i++)
        if (*column_text(r->known.throttle, i) && !rows++)
            first = i;
    char *choice = view_choice("throttle", NULL);
    if (rows)
        view_bullet_where(v, choice, "%zu %s measured while the clock was throttled (%sby %s)",
                          rows, rows == 1 ? "row was" : "rows were", rows == 1 ? "" : "the first ",
                          column_text(r->known.throttle, first));
    free(choice);
}

/* Adds the section of warnings and returns their number. */
static size_t add_warnings(const struct results *r, struct view *v)
{
    const char *status = r->manifest.status;
    const char *why = r->manifest.provenance.device.counters_missing;
    view_heading(v, "warnings", "Warnings");
    size_t before = v->items.count;
    if (!r->has_manifest)
        view_bullet(v, "" MANIFEST_FILE " is missing, so the run's provenance is unknown");
    if (*status && strcmp(status, "complete") != 0)
        view_bullet(v, "the run is %s, not complete", status);
    if (r->rows.torn)
        view_bullet(v, "the last row of results.csv is truncated and was ignored");
    if (*why)
        view_bullet(v, "%s", why);
    warn_of_conditions(r, v);
    warn_of_throttling(r, v);
    warn_of_statuses(r, v);
    warn_of_races(r, v);
    warn_of_columns(r, v);
    size_t warnings = v->items.count - before;
    if (!warnings)
        view_line(v, "None.");
    return warnings;
}

/* Sorts the rows: winners of problems, other measured rows, skipped rows. */
static void order_rows(const struct report *w, uint32_t *order)
{
    const struct results *r = w->r;
    bool *wins = xcalloc(r->rows.row_count + 1, sizeof *wins);
    size_t count = 0;
    for (size_t i = 0; i < w->best.problem_count; i++)
        wins[w->best.problems[i].candidates[0].row] = true;
    for (int part = 0; part < 3; part++)
        for (size_t i = 0; i < r->rows.row_count; i++)
            if (part == (wins[i] ? 0 : is_skipped(r, i) ? 2 : 1))
                order[count++] = (uint32_t)i;
    free(wins);
}

/*
 * Returns the rank of a column. If the run's device has no clock, counts get the rank of times, and
 * times get none, even though CPU functions in the run have times.
 */
static enum column_rank rank_in(const struct results *r, size_t column)
{
    enum column_rank rank = r->rows.columns.items[column]->rank;
    bool counts = r->has_manifest && !r->manifest.provenance.device.can_time;
    if (counts && r->columns[column].role == ROLE_METRIC)
        return RANK_TIME;
    return counts && (rank == RANK_TIME || rank == RANK_SHARE) ? RANK_OTHER : rank;
}

struct skip_reason {
    const char *reason;
    size_t rows;
    struct text kernels;
};

/*
 * Adds a list of the reasons why rows were skipped, with the number of rows and the kernels. The
 * list is collapsed, because a point that cannot run is not a fault.
 */
static void add_skipped(const struct results *r, struct view *v)
{
    VEC(struct skip_reason) reasons = {0};
    struct numbering seen = {0}, pairs = {0};
    size_t rows = 0;
    for (size_t i = 0; i < r->rows.row_count; i++) {
        if (!is_skipped(r, i))
            continue;
        const char *reason = column_text(r->known.reason, i);
        const char *kernel = results_axis(r, i, AXIS_kernel);
        size_t at = numbering_add(&seen, reason);
        if (at == reasons.count)
            vec_push(&reasons, (struct skip_reason){.reason = reason});
        struct skip_reason *of = at < reasons.count ? &reasons.items[at] : NULL;
        if (!of)
            continue;
        of->rows++;
        rows++;
        char *pair = xasprintf("%zu %s", at, kernel);
        size_t known = pairs.texts.count;
        if (numbering_add(&pairs, pair) == known)
            text_append(&of->kernels, "%s%s", of->kernels.length ? ", " : "", kernel);
        free(pair);
    }
    struct text html = {0};
    text_append(&html, "<details><summary>%zu %s skipped, for %zu reason%s</summary>\n<ul>\n", rows,
                rows == 1 ? "row was" : "rows were", reasons.count, reasons.count == 1 ? "" : "s");
    for (size_t i = 0; i < reasons.count; i++) {
        text_append(&html, "<li>%zu: ", reasons.items[i].rows);
        view_html_text(&html, reasons.items[i].reason);
        text_append(&html, " (");
        view_html_text(&html, text_shown(&reasons.items[i].kernels));
        text_append(&html, ")</li>\n");
        text_free(&reasons.items[i].kernels);
    }
    char *choice = view_choice("status", status_name(STATUS_SKIPPED));
    text_append(&html, "</ul>\n<p>");
    view_html_link(&html, choice, "Show the rows");
    text_append(&html, "</p>\n</details>\n");
    free(choice);
    if (rows)
        view_html(v, &html);
    text_free(&html);
    vec_free(&reasons);
    numbering_free(&seen);
    numbering_free(&pairs);
}

static void add_rows(struct report *w, struct view *v)
{
    const struct results *r = w->r;
    view_html_heading(v, "rows", "Rows");
    struct text note = {0};
    text_append(&note,
                "<p>All rows (%zu) are in <a href=\"results.csv\">results.csv</a>. Click a heading "
                "to sort. The winners of the problems are bold and come first. You can filter the "
                "rows by values of columns and by text; <code>redsweep show --where</code> accepts "
                "expressions.</p>\n",
                r->rows.row_count);
    view_html(v, &note);
    add_skipped(r, v);
    struct view_table *t = view_add_table(v, "rows", FOR_PAGES, r->rows.row_count);
    uint32_t *order = xmalloc((r->rows.row_count + 1) * sizeof *order);
    order_rows(w, order);
    table_keep(&t->cells, order);
    t->searchable = true;
    t->bad = view_marks(t);
    t->best = view_marks(t);
    for (size_t i = 0; i < r->rows.row_count; i++)
        t->bad[i] = !results_good(r, order[i]);
    for (size_t i = 0; i < r->rows.row_count && i < w->best.problem_count; i++)
        t->best[i] = true; /* The winners come first, and each problem has another one. */
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        struct column like = *r->rows.columns.items[i];
        like.optional = true;
        like.as_printed = false;
        like.rank = rank_in(r, i);
        table_show(&t->cells, like, r->rows.columns.items[i], order);
    }
}

/*
 * Adds a member of the manifest to the report's facts, unless the page omits the member or shows it
 * elsewhere.
 */
static void collect_fact(void *context, const char *name, const char *value)
{
    static const char *const elsewhere[] = {
        "schema",  "status", "provenance.config", "provenance.config_text", "provenance.kernels.",
        "columns."};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        size_t length = strlen(elsewhere[i]);
        bool list = elsewhere[i][length - 1] == '.';
        if (list ? strncmp(name, elsewhere[i], length) == 0 : strcmp(name, elsewhere[i]) == 0)
            return;
    }
    if (strstr(name, ".self_checks."))
        return; /* shown as warnings */
    struct report *w = context;
    struct text shown = {0};
    name += strncmp(name, "provenance.", 11) == 0 ? 11 : 0;
    for (const char *dot; (dot = strchr(name, '.')); name = dot + 1)
        text_append(&shown, "%.*s, ", (int)(dot - name), name);
    text_append(&shown, "%s", name);
    vec_push(&w->facts, (struct report_fact){shown.bytes, xstrdup(value)});
}

static void collect_kernels(const struct provenance *made, struct report *w)
{
    for (size_t i = 0; i < made->kernels.count; i++)
        vec_push(&w->kernels, (struct report_fact){xstrdup(made->kernels.items[i].name),
                                                   xstrdup(made->kernels.items[i].source_hash)});
}

static void add_facts(struct view *v, const char *table, const char *name, const char *value,
                      const struct report_fact *facts, size_t count)
{
    struct table *t = &view_add_table(v, table, FOR_PAGES, count)->cells;
    table_add_texts(t, i, facts[i].name, name);
    table_add_texts(t, i, facts[i].value, value);
}

static void add_html(struct view *v, const char *html)
{
    struct text t = {0};
    text_append(&t, "%s", html);
    view_html(v, &t);
}

static void add_provenance(struct report *w, struct view *v)
{
    const struct provenance *made = &w->r->manifest.provenance;
    view_html_heading(v, "made", "Made with");
    if (!w->r->has_manifest) {
        view_line(v, "Unknown: " MANIFEST_FILE " is missing.");
        return;
    }
    manifest_each(&w->r->manifest, collect_fact, w);
    collect_kernels(made, w);
    add_facts(v, "facts", "fact", "value", w->facts.items, w->facts.count);
    add_html(v, "<details><summary>Kernels and the hashes of their sources</summary>\n");
    add_facts(v, "kernels", "kernel", "source_hash", w->kernels.items, w->kernels.count);
    add_html(v, "</details>\n");
    if (!*made->config_text)
        return;
    struct text t = {0};
    text_append(&t, "<details><summary>Config</summary><pre>");
    view_html_text(&t, made->config_text);
    text_append(&t, "</pre></details>\n");
    view_html(v, &t);
}

static void add_best(struct report *w, struct view *v)
{
    const struct best_options options = {.metric = "time_us_median"};
    struct error none = {0};
    view_heading(v, "best", "Best");
    if (w->r->has_manifest && !w->r->manifest.provenance.device.can_time &&
        strcmp(results_backend(w->r), "sim") == 0) {
        w->best = (struct best){0};
        view_line(v, "The simulator has no clock, so its kernels have counts, but no winner.");
        return;
    }
    if (table_column(&w->r->rows, options.metric) < 0 ||
        !best_find(w->r, 1, &options, &w->best, &none)) {
        w->best = (struct best){0};
        view_line(v, "No correct row has a time.");
        return;
    }
    view_line(
        v, "The fastest correct configuration of each problem, and how many other configurations "
           "are statistically indistinguishable from it (rank test, false discovery rate 5 %%).");
    best_add_winners(&w->best, v);
    best_add_choices(&w->best, v);
    best_add_excluded(&w->best, v);
}

static void add_conclusion(const struct results *r, const struct conclusion_sources *s,
                           struct view *v)
{
    view_heading(v, "conclusion", "Conclusion");
    bool timed = r->has_manifest ? r->manifest.provenance.device.can_time : true;
    bool any = s && conclusion_add(r, s, v);
    any = (s && !timed && conclusion_add_ladder(r, s, v)) || any;
    if (!any)
        view_line(v, "There is none, because no row has a time or a count.");
}

struct report *report_view(const struct results *r, const struct conclusion_sources *sources,
                           const char *charts, struct view *v, struct error *e)
{
    struct report *w = xcalloc(1, sizeof *w);
    w->r = r;
    v->main_table = "rows";
    add_head(r, v);
    size_t navigation = v->items.count - 1;
    add_conclusion(r, sources, v);
    add_best(w, v);
    add_navigation(v, navigation, add_warnings(r, v));
    if (!report_charts(r, charts, v, e)) {
        report_free(w);
        return NULL;
    }
    add_rows(w, v);
    add_provenance(w, v);
    return w;
}

void report_free(struct report *w)
{
    for (size_t i = 0; w && i < w->facts.count; i++) {
        free(w->facts.items[i].name);
        free(w->facts.items[i].value);
    }
    for (size_t i = 0; w && i < w->kernels.count; i++) {
        free(w->kernels.items[i].name);
        free(w->kernels.items[i].value);
    }
    if (w) {
        vec_free(&w->facts);
        vec_free(&w->kernels);
        best_free(&w->best);
    }
    free(w);
}
