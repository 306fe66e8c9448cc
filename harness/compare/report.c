/*
 * One page about one run: see report.h.
 */
#include "compare/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "compare/grid.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,'DejaVu Sans',sans-serif;color:#222;background:#fff;"
    "max-width:1400px;margin:0 auto;padding:1.5rem}\n"
    "h1{font-size:1.7rem;margin:0 0 .2rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem;"
    "border-bottom:1px solid #ccc}\n"
    "nav a{margin-right:1.2rem}a{color:#0072B2}code{background:#f3f3f3;padding:0 .2em}\n"
    "table{border-collapse:collapse;font-size:.86rem}th,td{padding:.22rem .6rem;text-align:left;"
    "vertical-align:top;border-bottom:1px solid #e4e4e4}\n"
    "th{background:#f3f3f3;position:sticky;top:0;white-space:nowrap}.s th{cursor:pointer}"
    "th.up::after{content:' ▲'}th.down::after{content:' ▼'}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "tr.bad td{background:#fdf0e6}\n"
    ".wide{overflow-x:auto}.rows{max-height:80vh;overflow:auto;border:1px solid #ddd}\n"
    "figure{margin:1.2rem 0 2rem}figure svg{max-width:100%;height:auto;display:block}"
    "figcaption{color:#555;font-size:.9rem}\n"
    ".warnings li{margin:.2rem 0}.facts td:first-child{color:#555;white-space:nowrap}\n"
    "input{font:inherit;padding:.25rem .5rem;width:22rem;max-width:100%;margin:.3rem 0 .6rem}\n"
    "@media print{.rows{max-height:none}nav,input{display:none}figure{break-inside:avoid}}\n";

/* Sorting by a click on a heading (numbers by value, missing ones last), and the rows' filter. */
static const char script[] =
    "document.querySelectorAll('table').forEach(t=>{if(!t.tHead)return;t.classList.add('s');"
    "const h=[...t.tHead.rows[0].cells];"
    "h.forEach((c,i)=>c.onclick=()=>{const d=c.classList.contains('up')?-1:1;"
    "h.forEach(x=>x.classList.remove('up','down'));c.classList.add(d>0?'up':'down');"
    "const v=r=>{const x=r.cells[i];return x.dataset.v!==undefined?+x.dataset.v:x.textContent};"
    "const b=t.tBodies[0];[...b.rows].sort((p,q)=>{const x=v(p),y=v(q);"
    "if(x===''||y==='')return (x==='')-(y==='');"
    "return d*(typeof x==='number'&&typeof y==='number'?x-y:(''+x).localeCompare(''+y))})"
    ".forEach(r=>b.append(r))})});\n"
    "const f=document.getElementById('filter');if(f)f.oninput=()=>{"
    "const w=f.value.toLowerCase().split(/\\s+/);"
    "document.querySelectorAll('#rows-table tbody tr').forEach(r=>{"
    "const t=r.textContent.toLowerCase();r.hidden=!w.every(x=>t.includes(x))})};\n";

static void append_head(const struct results *r, struct text *page)
{
    char name[160], started[64], status[32];
    results_told(r, "provenance.run", name, sizeof name);
    results_told(r, "provenance.started", started, sizeof started);
    results_told(r, "status", status, sizeof status);
    text_append(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>redsweep: ");
    report_text(page, *name ? name : r->path);
    text_append(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    report_text(page, *name ? name : r->path);
    text_append(page, "</h1>\n<p>");
    report_text(page, results_device(r));
    text_append(page, " (%s)%s%s, %zu points%s%s</p>\n", results_backend(r), *started ? ", " : "",
                started, r->rows.row_count, *status ? ", " : "", status);
    text_append(page, "<nav><a href=\"#warnings\">Warnings</a><a href=\"#best\">Best</a>"
                      "<a href=\"#charts\">Charts</a><a href=\"#rows\">Rows</a>"
                      "<a href=\"#made\">Made with</a></nav>\n");
}

static void warn(struct text *page, size_t *count, const char *text)
{
    text_append(page, "%s<li>", (*count)++ ? "" : "<ul class=\"warnings\">\n");
    report_text(page, text);
    text_append(page, "</li>\n");
}

/* One warning for each status that is not ok, with the number of its rows and a first reason. */
static void warn_of_statuses(const struct results *r, struct text *page, size_t *count)
{
    struct lookup seen = {0};
    for (size_t i = 0; i < r->rows.row_count; i++) {
        const char *status = results_text(r, i, "status");
        if (strcmp(status, "ok") == 0 || lookup_find(&seen, status) != LOOKUP_NONE)
            continue;
        size_t rows = 0;
        for (size_t j = i; j < r->rows.row_count; j++)
            rows += strcmp(results_text(r, j, "status"), status) == 0;
        struct text t = {0};
        text_append(&t, "%zu rows are %s; the first is %s at n = %s", rows, status,
                    results_text(r, i, "kernel"), results_text(r, i, "n"));
        if (*results_text(r, i, "reason"))
            text_append(&t, ": %s", results_text(r, i, "reason"));
        if (t.bytes)
            warn(page, count, t.bytes);
        text_free(&t);
        if (!lookup_add(&seen, status, i))
            page->failed = true;
    }
    lookup_free(&seen);
}

static void warn_of_columns(const struct results *r, struct text *page, size_t *count)
{
    for (size_t i = 0; i < r->rows.column_count; i++) {
        if (!*r->columns[i].missing)
            continue;
        struct text t = {0};
        text_append(&t, "%s is missing everywhere: %s", r->rows.columns[i], r->columns[i].missing);
        if (t.bytes)
            warn(page, count, t.bytes);
        text_free(&t);
    }
}

static void warn_of_races(const struct results *r, struct text *page, size_t *count)
{
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(r->document, "provenance"), *kernel;
    cJSON_ArrayForEach(kernel, cJSON_GetObjectItemCaseSensitive(made, "kernels"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "name"));
        const char *racy = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "racy"));
        struct text t = {0};
        if (name && racy)
            text_append(&t, "%s may be wrong although it passed: %s", name, racy);
        if (t.bytes)
            warn(page, count, t.bytes);
        text_free(&t);
    }
}

/* What the harness found out about itself: self-checks that failed, and drift above 1 %. */
static void warn_of_conditions(const struct results *r, struct text *page, size_t *count)
{
    const cJSON *session, *check;
    cJSON_ArrayForEach(session, cJSON_GetObjectItemCaseSensitive(r->document, "conditions"))
    {
        const cJSON *drift = cJSON_GetObjectItemCaseSensitive(session, "drift_pct");
        struct text t = {0};
        if (cJSON_IsNumber(drift) && fabs(drift->valuedouble) > 1)
            text_append(&t, "the reading ceiling drifted by %+.1f %% while the run went on",
                        drift->valuedouble);
        if (t.bytes)
            warn(page, count, t.bytes);
        text_free(&t);
        cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(session, "self_checks"))
        {
            const char *meaning =
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(check, "meaning"));
            const cJSON *expected = cJSON_GetObjectItemCaseSensitive(check, "expected");
            const cJSON *found = cJSON_GetObjectItemCaseSensitive(check, "found");
            if (!cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(check, "ok")))
                continue;
            text_append(&t, "a self-check failed: %s (expected %.6g, found %.6g)",
                        meaning ? meaning : "", cJSON_GetNumberValue(expected),
                        cJSON_GetNumberValue(found));
            if (t.bytes)
                warn(page, count, t.bytes);
            text_free(&t);
        }
    }
}

static void warn_of_throttling(const struct results *r, struct text *page, size_t *count)
{
    size_t rows = 0, first = 0;
    for (size_t i = 0; i < r->rows.row_count; i++)
        if (*results_text(r, i, "throttle") && !rows++)
            first = i;
    struct text t = {0};
    if (rows)
        text_append(&t, "%zu rows were measured while the clock was held down (the first by %s)",
                    rows, results_text(r, first, "throttle"));
    if (t.bytes)
        warn(page, count, t.bytes);
    text_free(&t);
}

/* Texts that the run itself left as warnings, wherever in the provenance they are listed. */
static void warn_of_notes(const struct results *r, struct text *page, size_t *count)
{
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(r->document, "provenance"), *note;
    const cJSON *lists[] = {cJSON_GetObjectItemCaseSensitive(r->document, "warnings"),
                            cJSON_GetObjectItemCaseSensitive(made, "warnings")};
    for (int i = 0; i < 2; i++)
        cJSON_ArrayForEach(note, lists[i])
        {
            if (cJSON_IsString(note))
                warn(page, count, note->valuestring);
        }
}

static void append_warnings(const struct results *r, struct text *page)
{
    size_t count = 0;
    char status[32], why[512];
    results_told(r, "status", status, sizeof status);
    results_told(r, "provenance.device.counters_missing", why, sizeof why);
    text_append(page, "<h2 id=\"warnings\">Warnings</h2>\n");
    if (!r->document)
        warn(page, &count, "there is no results.json: what the run was made with is not known");
    if (*status && strcmp(status, "complete") != 0) {
        struct text t = {0};
        text_append(&t, "the run is %s, not complete", status);
        if (t.bytes)
            warn(page, &count, t.bytes);
        text_free(&t);
    }
    if (r->rows.torn)
        warn(page, &count, "the last row of results.csv was torn and is left out");
    if (*why)
        warn(page, &count, why);
    warn_of_notes(r, page, &count);
    warn_of_conditions(r, page, &count);
    warn_of_throttling(r, page, &count);
    warn_of_statuses(r, page, &count);
    warn_of_races(r, page, &count);
    warn_of_columns(r, page, &count);
    text_append(page, count ? "</ul>\n" : "<p>None.</p>\n");
}

/* Which columns the table of rows has: not those that say the same of every row, or nothing. */
static bool worth_showing(const struct results *r, size_t column)
{
    static const char *const never[] = {"id", "result", "rel_error", "backend", "device"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strcmp(r->rows.columns[column], never[i]) == 0)
            return false;
    for (size_t i = 0; i < r->rows.row_count; i++)
        if (*table_cell(&r->rows, i, (int)column))
            return true;
    return false;
}

static void append_cell(const struct results *r, size_t row, size_t column, struct text *page)
{
    const char *cell = table_cell(&r->rows, row, (int)column);
    double number = table_number(&r->rows, row, (int)column);
    if (r->columns[column].kind == CELL_TEXT || isnan(number)) {
        text_append(page, "<td>");
        report_text(page, cell);
        text_append(page, "</td>");
        return;
    }
    char shown[40];
    number_format(number, 5, shown);
    text_append(page, "<td class=\"n\" data-v=\"%s\">%s</td>", cell,
                r->columns[column].kind == CELL_COUNT ? cell : shown);
}

static bool append_rows(const struct results *r, struct text *page)
{
    size_t rows = r->rows.row_count < REPORT_MOST_ROWS ? r->rows.row_count : REPORT_MOST_ROWS;
    bool *shown = calloc(r->rows.column_count, sizeof *shown);
    if (!shown)
        return false;
    text_append(page,
                "<h2 id=\"rows\">Rows</h2>\n<p>%zu of %zu rows; all are in "
                "<a href=\"results.csv\">results.csv</a>. A click on a heading sorts.</p>\n",
                rows, r->rows.row_count);
    text_append(page, "<input id=\"filter\" placeholder=\"filter: words that a row must hold\" "
                      "aria-label=\"filter rows\">\n<div class=\"rows\"><table id=\"rows-table\">"
                      "<thead><tr>");
    for (size_t c = 0; c < r->rows.column_count; c++) {
        if (!(shown[c] = worth_showing(r, c)))
            continue;
        text_append(page, "<th title=\"");
        report_text(page, r->columns[c].meaning);
        text_append(page, "\">");
        report_text(page, r->rows.columns[c]);
        if (*r->columns[c].unit) {
            text_append(page, " (");
            report_text(page, r->columns[c].unit);
            text_append(page, ")");
        }
        text_append(page, "</th>");
    }
    text_append(page, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < rows; i++) {
        text_append(page, "<tr%s>", results_ok(r, i) ? "" : " class=\"bad\"");
        for (size_t c = 0; c < r->rows.column_count; c++)
            if (shown[c])
                append_cell(r, i, c, page);
        text_append(page, "</tr>\n");
    }
    text_append(page, "</tbody></table></div>\n");
    free(shown);
    return true;
}

/* Every fact of an object that is a text, a number or a truth, with the names of those around it.
 */
static void append_facts(const cJSON *object, const char *prefix, struct text *page)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        char name[200];
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? ", " : "", item->string);
        if (cJSON_IsObject(item) && strcmp(item->string, "config") != 0) {
            append_facts(item, name, page);
            continue;
        }
        bool shown = (cJSON_IsString(item) && strcmp(item->string, "config_text") != 0) ||
                     cJSON_IsNumber(item) || cJSON_IsBool(item);
        if (!shown)
            continue;
        text_append(page, "<tr><td>");
        report_text(page, name);
        text_append(page, "</td><td>");
        if (cJSON_IsString(item))
            report_text(page, item->valuestring);
        else if (cJSON_IsNumber(item))
            text_append(page, "%.15g", item->valuedouble);
        else
            text_append(page, "%s", cJSON_IsTrue(item) ? "yes" : "no");
        text_append(page, "</td></tr>\n");
    }
}

static void append_kernels(const cJSON *made, struct text *page)
{
    const cJSON *kernel;
    text_append(page, "<details><summary>Kernels and the hashes of their sources</summary>"
                      "<table><tbody>\n");
    cJSON_ArrayForEach(kernel, cJSON_GetObjectItemCaseSensitive(made, "kernels"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "name"));
        const char *hash =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(kernel, "source_hash"));
        text_append(page, "<tr><td>");
        report_text(page, name ? name : "");
        text_append(page, "</td><td><code>");
        report_text(page, hash ? hash : "");
        text_append(page, "</code></td></tr>\n");
    }
    text_append(page, "</tbody></table></details>\n");
}

static void append_provenance(const struct results *r, struct text *page)
{
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(r->document, "provenance");
    text_append(page, "<h2 id=\"made\">Made with</h2>\n");
    if (!made) {
        text_append(page, "<p>Not known: there is no results.json.</p>\n");
        return;
    }
    text_append(page, "<table class=\"facts\"><tbody>\n");
    append_facts(made, "", page);
    const cJSON *session;
    cJSON_ArrayForEach(session, cJSON_GetObjectItemCaseSensitive(r->document, "conditions"))
    {
        append_facts(session, "conditions", page);
    }
    text_append(page, "</tbody></table>\n");
    append_kernels(made, page);
    const char *config =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(made, "config_text"));
    if (config) {
        text_append(page, "<details><summary>Config</summary><pre>");
        report_text(page, config);
        text_append(page, "</pre></details>\n");
    }
}

bool report_page(const struct results *r, struct text *page, struct error *e)
{
    append_head(r, page);
    append_warnings(r, page);
    if (!report_best(r, page, e) || !report_charts(r, page, e))
        return false;
    bool ok = append_rows(r, page);
    append_provenance(r, page);
    text_append(page, "<script>\n%s</script>\n</body>\n</html>\n", script);
    return (ok && !page->failed) || FAIL(e, ERROR_MEMORY, "out of memory for the page");
}
