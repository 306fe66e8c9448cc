/*
 * The end of a run: see result.h.
 */
#include "cli/result.h"

#include <stdio.h>

#include "analyze/summary.h"

void show_result(const char *folder)
{
    struct results results;
    struct error unreadable = {0}; /* the run is recorded all the same; its readers will say */
    if (!results_read(folder, &results, &unreadable))
        return;
    struct view v = {0};
    struct summary *s = summary_make(&results, &v);
    if (v.items.count) {
        printf("\n");
        view_write_text(&v, NULL, stdout);
        printf("\nnext: redsweep best %s    winners and what is tied with them\n"
               "      make plots RUN=%s\n"
               "      redsweep report %s    one HTML page\n\n",
               folder, folder, folder);
    }
    view_free(&v);
    summary_free(s);
    results_free(&results);
}
