/*
 * The end of a run: see result.h.
 */
#include "cli/result.h"

#include <stdio.h>

#include "analyze/summary.h"
#include "base/program.h"

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
        bool timed = results.manifest.provenance.device.can_time;
        printf("\nnext: %s %s %s    %s\n"
               "      %s plots %s    charts\n"
               "      %s report %s    one HTML page\n\n",
               program_name, timed ? "best" : "show", folder,
               timed ? "winners and what is tied with them" : "every row", program_name, folder,
               program_name, folder);
    }
    view_free(&v);
    summary_free(s);
    results_free(&results);
}
