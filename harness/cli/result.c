/* Shows the results at the end of a run; see result.h. */
#include "cli/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/best.h"
#include "analyze/conclusion.h"
#include "analyze/report.h"
#include "analyze/view_output.h"
#include "base/memory.h"
#include "base/program.h"
#include "charts/page.h"
#include "charts/runs.h"
#include "spec/folders.h"

/*
 * Prints the fastest configurations of a run or, if its device has no clock, the table "ladder".
 * Then prints the conclusion and commands to try next.
 */
static void print_found(const struct results *r, const struct conclusion_sources *s)
{
    const struct best_options how = {.metric = "time_us_median"};
    struct view v = {0};
    struct best b;
    struct error none = {0};
    bool timed = r->manifest.provenance.device.can_time;
    bool found = timed && best_find(r, 1, &how, &b, &none);
    bool any = found ? best_add_brief(&b, &v) : !timed && conclusion_add_ladder(r, s, &v);
    if (any) {
        view_line(&v, "%s", "");
        conclusion_add(r, s, &v);
        printf("\n");
        view_write_text(&v, NULL, stdout);
        struct text folder = {0};
        shell_word(&folder, r->folder);
        print_safely(stdout,
                     "\nnext: %s %s %s    %s\n"
                     "      %s plots %s    charts\n",
                     program_name, timed ? "best" : "show", folder.bytes,
                     timed ? "prints winners and ties" : "every row", program_name, folder.bytes);
        /* A wheel does not install the course, so print its path only if it exists. */
        bool course = !timed && access("docs/what-the-kernels-teach.md", R_OK) == 0;
        printf("%s\n",
               course ? "      docs/what-the-kernels-teach.md    a course on counts\n" : "");
        text_free(&folder);
    }
    view_free(&v);
    if (found)
        best_free(&b);
}

void conclusion_sources_find(const struct results *r, struct conclusion_sources *out)
{
    struct error none = {0};
    char data[4096];
    *out = (struct conclusion_sources){0};
    if (find_data_folder(data, sizeof data, &none))
        conclusion_sources_read(data, r, out);
}

void show_result(const char *folder)
{
    struct results results;
    struct conclusion_sources sources;
    /*
     * If the run cannot be read, ignore the error: the run is recorded, and commands that read it
     * later report the error.
     */
    struct error unreadable = {0};
    if (!results_read(folder, &results, &unreadable))
        return;
    conclusion_sources_find(&results, &sources);
    print_found(&results, &sources);
    conclusion_sources_free(&sources);
    results_free(&results);
}

/* ---- The page -------------------------------------------------------------------------------- */

enum { REFRESH_S = 5 };

static bool to_be_opened;

void open_page(void)
{
    to_be_opened = true;
}

void browse(const char *page)
{
    /* The browser must neither keep the terminal open nor get the sweep's signals. */
    static const char start[] = "command -v \"$1\" >/dev/null 2>&1 || exit 1; "
                                "setsid \"$@\" </dev/null >/dev/null 2>&1 &";
    const char *browser = getenv("BROWSER");
    const char *const command[] = {
        "sh", "-c", start, "sh", browser && *browser ? browser : "xdg-open", page, NULL};
    struct error why = {0};
    struct text printed = {0};
    if (!program_run(command, &printed, &why))
        print_safely(stderr,
                     "note: no browser can be started ($BROWSER or xdg-open); open %s yourself\n",
                     page);
    text_free(&printed);
}

char *page_charts(const struct results *r, bool several)
{
    /* With more rows than this, the charts take longer than the rest of the page. */
    enum { MOST_ROWS = 200000 };
    struct error none = {0};
    struct text charts = {0};
    char data[4096];
    if (r->rows.row_count > MOST_ROWS)
        return NULL;
    if (find_data_folder(data, sizeof data, &none) &&
        charts_page(r, data, several, &charts, &none) && strstr(charts.bytes, "\"chart\""))
        return charts.bytes;
    text_free(&charts);
    return NULL;
}

char *page_charts_of_runs(const struct results *runs, size_t count)
{
    struct results all;
    char **names = runs_names(runs, count);
    runs_join(runs, count, names, &all);
    char *charts = page_charts(&all, true);
    results_free(&all);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return charts;
}

static bool put_page(const struct results *r, const char *path, struct error *e)
{
    struct conclusion_sources sources;
    struct view v = {0};
    const struct view_output files = {.html = path};
    conclusion_sources_find(r, &sources);
    char *charts = page_charts(r, false);
    struct report *w = report_view(r, &sources, charts, &v, e);
    if (strcmp(r->manifest.status, "running") == 0)
        v.refresh_s = REFRESH_S;
    bool ok = w && view_write_files(&v, &files, e);
    view_free(&v);
    report_free(w);
    free(charts);
    conclusion_sources_free(&sources);
    return ok;
}

/*
 * Writes the page and returns its path, which the caller frees. Returns NULL if the page could not
 * be written.
 */
static char *make_page(const char *folder, bool first)
{
    struct results r;
    struct error why = {0};
    char *path = xasprintf("%s/report.html", folder);
    bool read = results_read(folder, &r, &why), ok = read && put_page(&r, path, &why);
    if (read)
        results_free(&r);
    if (!ok)
        print_safely(stderr, "note: the page was not written: %s\n", why.text);
    if (ok && first && to_be_opened)
        browse(path);
    if (ok)
        return path;
    free(path);
    return NULL;
}

bool write_page(const char *folder, bool first)
{
    char *path = make_page(folder, first);
    free(path);
    return path != NULL;
}

void end_page(const char *folder, bool first)
{
    char *path = make_page(folder, first);
    if (path)
        print_safely(stdout, "%s\n", path);
    free(path);
}
