/*
 * redsweep report: a run as one page.
 */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/report.h"

static void fill_options(const char **out, struct option_row rows[2])
{
    const struct option_row filled[2] = {
        {"out", "FILE", "where to write the page (default: report.html in the run's folder)", out,
         NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    memcpy(rows, filled, sizeof filled);
}

void help_report(void)
{
    const char *out;
    struct option_row rows[2];
    fill_options(&out, rows);
    printf("Writes a run (default: results/latest) as one HTML page that needs no other file:\n"
           "warnings, the best configurations, charts, all rows, and what it was made with.\n"
           "Charts are those that `make plots` has drawn; `make report` does both.\n\n");
    options_print(rows);
}

static bool write_page(const char *path, const struct text *page, struct error *e)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
    bool ok = fwrite(page->bytes, 1, page->length, f) == page->length;
    ok = fclose(f) == 0 && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot write: %s", path, strerror(errno));
}

int command_report(int count, char **arguments, struct error *e)
{
    const char *out = NULL, *rest[1] = {"results/latest"};
    struct option_row rows[2];
    int rest_count;
    fill_options(&out, rows);
    if (!options_take(rows, count, arguments, rest, 1, &rest_count, e))
        return EXIT_REFUSED;
    struct results r;
    if (!results_read(rest[0], &r, e))
        return EXIT_REFUSED;
    struct text page = {0};
    char *path = NULL;
    bool ok = (out ? asprintf(&path, "%s", out) : asprintf(&path, "%s/report.html", r.folder)) >= 0
                  ? report_page(&r, &page, e) && write_page(path, &page, e)
                  : FAIL(e, ERROR_MEMORY, "out of memory");
    if (ok)
        printf("%s\n", path);
    free(path);
    text_free(&page);
    results_free(&r);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
