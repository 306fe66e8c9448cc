/*
 * The end of a run: see result.h.
 */
#include "cli/result.h"

#include <stdio.h>

#include "analyze/best.h"
#include "analyze/conclusion.h"
#include "base/program.h"
#include "spec/folders.h"

/* The winners on the run's device, or the ladder where it has no clock, and what that says in words. */
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
                     "      %s plots %s    charts\n"
                     "      %s report %s    one HTML page\n\n",
                     program_name, timed ? "best" : "show", folder.bytes,
                     timed ? "winners and what is tied with them" : "every row", program_name,
                     folder.bytes, program_name, folder.bytes);
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
    struct error unreadable = {0}; /* the run is recorded all the same; its readers will say */
    if (!results_read(folder, &results, &unreadable))
        return;
    conclusion_sources_find(&results, &sources);
    print_found(&results, &sources);
    conclusion_sources_free(&sources);
    results_free(&results);
}
