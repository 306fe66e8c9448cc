/* `redsweep report` writes a run as an HTML page; see analyze/report.h. */
#include "analyze/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/view_output.h"
#include "base/memory.h"
#include "base/options.h"
#include "cli/changed.h"
#include "cli/commands.h"
#include "cli/result.h"

struct report_arguments {
    struct view_output output;
    bool open;
};

static const struct field options[] = {
    {"--out", NULL, field_argument, .offset = offsetof(struct report_arguments, output.html),
     HELP("FILE", "the file for the page (default: report.html in the run's folder)")},
    {"--open", NULL, field_switch, .offset = offsetof(struct report_arguments, open),
     HELP(NULL, "open the page in a browser")},
    VIEW_OPTIONS(struct report_arguments, output, "the rows"),
    {"--markdown", NULL, field_argument,
     .offset = offsetof(struct report_arguments, output.markdown),
     HELP("FILE",
          "write the conclusion, the winners and the warnings as Markdown for a merge request")},
    {0}};

void help_report(void)
{
    printf("Writes a run (default: results/latest) as one HTML page that needs no other file. The\n"
           "page contains the conclusion, the best configurations, the warnings, the charts, all\n"
           "rows, and the provenance. The page draws most charts itself. It contains the others\n"
           "only if `redsweep plots` has drawn them before.\n"
           "\n");
    options_print(options);
}

/*
 * Writes the report to the files that the options name, and prints the path of its HTML page. The
 * page is complete even if --table selects a single table for the other files.
 */
static bool write_report(const struct results *r, const struct view *v, struct report_arguments *a,
                         struct error *e)
{
    struct view_output *o = &a->output;
    char *path = o->html ? xstrdup(o->html) : xasprintf("%s/report.html", r->folder);
    const struct view_output page = {.html = path};
    o->html = NULL;
    bool ok = view_write_files(v, &page, e) && view_write_files(v, o, e);
    if (ok && !view_takes_stdout(o) && !view_takes_stdout(&page))
        print_safely(stdout, "%s\n", path);
    if (ok && a->open)
        browse(path);
    free(path);
    return ok;
}

int command_report(int count, char **arguments, struct error *e)
{
    struct report_arguments a = {0};
    const char *run = "results/latest";
    struct operands operands = {.items = &run, .max = 1};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    struct results r;
    if (!results_read(run, &r, e))
        return EXIT_REFUSED;
    struct view v = {0};
    struct conclusion_sources sources;
    conclusion_sources_find(&r, &sources);
    changed_find(&r, 1);
    char *charts = page_charts(&r, false);
    struct report *w = report_view(&r, &sources, charts, &v, e);
    bool ok = w && write_report(&r, &v, &a, e);
    view_free(&v);
    report_free(w);
    free(charts);
    conclusion_sources_free(&sources);
    results_free(&r);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
