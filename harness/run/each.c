/*
 * Makes a run on each device; see each.h. All sweeps share one event loop and begin each stage
 * together. Therefore, no device measures while another measures its ceilings (its achievable
 * bandwidth).
 */
#include "run/each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "run/folder.h"
#include "run/summary.h"
#include "spec/config.h"

/*
 * Runs the sweep at the same time on `count` devices, starting with device `first` in the list.
 * Returns the highest exit code of the runs.
 */
static int run_some(const struct sweep_options *common, const struct sweep_request *request,
                    const struct device_names *devices, int first, int count,
                    struct sweep_result *results)
{
    struct sweep_options *options = xcalloc((size_t)count, sizeof *options);
    int code = EXIT_FINE;
    for (int i = 0; i < count; i++) {
        options[i] = *common;
        options[i].each_index = first + i;
        options[i].device_option = devices->items.items[first + i];
        options[i].setup.device_name = devices->items.items[first + i];
    }
    sweeps_run(options, results + first, count);
    for (int i = first; i < first + count; i++) {
        int its = summary_print(&options[i - first], request, &results[i]);
        if (results[i].error.kind != ERROR_NONE)
            fprintf(stderr, "redsweep: %s: %s\n", (char *)devices->items.items[i],
                    results[i].error.text);
        code = its > code ? its : code;
    }
    free(options);
    return code;
}

static int by_folder(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int run_each(const struct sweep_options *common, const struct sweep_request *request,
             const struct device_names *devices, struct error *e)
{
    char folder[4096];
    int count = (int)devices->items.count, code = EXIT_FINE, found = 0;
    int most = request->lanes && request->lanes < count ? request->lanes : count;
    if (!run_folder_make(request->out, common->setup.config->name, "each", folder, sizeof folder,
                         e))
        return EXIT_REFUSED;
    struct sweep_options options = *common;
    struct sweep_request quiet = *request;
    options.each = folder;
    options.quiet = quiet.quiet = true;
    struct sweep_result *results = xcalloc((size_t)count, sizeof *results);
    const char **runs = xcalloc((size_t)count, sizeof *runs);
    for (int first = 0; first < count && code < EXIT_REFUSED; first += most) {
        int some = count - first < most ? count - first : most;
        int its = run_some(&options, &quiet, devices, first, some, results);
        code = its > code ? its : code;
    }
    for (int i = 0; i < count; i++)
        if (results[i].recorded)
            runs[found++] = results[i].folder;
    qsort(runs, (size_t)found, sizeof *runs, by_folder);
    if (code < EXIT_REFUSED && found > 1)
        request->compare(runs, found);
    if (found == 0)
        (void)rmdir(folder);
    free(runs);
    free(results);
    return code;
}
