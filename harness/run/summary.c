/* Prints the summary of a run for the person who started it. */
#include "run/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/program.h"
#include "base/text.h"
#include "spec/config.h"

#define DRIFT_WORTH_A_WORD 2.0 /* in percent */

/*
 * Returns whether the run has points and all of them were skipped. Returns false for a run without
 * points, such as an empty shard.
 */
static bool nothing_measured(const struct sweep_result *r)
{
    return r->rows > 0 && r->by_status[STATUS_SKIPPED] == r->rows;
}

static void print_statuses(const struct sweep_result *r)
{
    fprintf(stderr, "%" PRIu64 " point%s:", r->rows, r->rows == 1 ? "" : "s");
    for (int s = 0; s < STATUS_COUNT; s++)
        if (r->by_status[s])
            fprintf(stderr, " %" PRIu64 " %s", r->by_status[s], status_name((enum status)s));
    fprintf(stderr, "%s%s\n", r->search[0] ? "\n" : "", r->search);
}

static void print_notes(const struct sweep_result *r)
{
    text_print_notes(r->missing_metrics, stderr);
    if (fabs(r->drift_pct) >= DRIFT_WORTH_A_WORD)
        fprintf(stderr, "note: the achievable read bandwidth drifted by %+.1f %% during the run\n",
                r->drift_pct);
    if (nothing_measured(r))
        print_safely(stderr, "warning: nothing was measured, because every point was skipped%s%s\n",
                     *r->skipped ? ": " : "",
                     *r->skipped ? r->skipped : "; the column reason of results.csv says why");
    if (r->doubt[0])
        print_safely(stderr, "warning: do not trust this run: %s\n", r->doubt);
    if (r->stopped)
        fprintf(stderr, "the run was stopped before the end: %s\n", r->stopped_why);
}

static int exit_code(const struct sweep_result *r, bool require_metrics)
{
    if (r->stopped)
        return EXIT_STOPPED;
    if (require_metrics && r->missing_metrics[0])
        return EXIT_POINTS_FAILED;
    if (nothing_measured(r) || r->doubt[0])
        return EXIT_POINTS_FAILED;
    uint64_t good = r->by_status[STATUS_OK] + r->by_status[STATUS_SAMPLED];
    return r->rows == good + r->by_status[STATUS_SKIPPED] ? EXIT_FINE : EXIT_POINTS_FAILED;
}

static void print_command(const char *command, const char *folder, const char *rest, FILE *to)
{
    struct text word = {0};
    shell_quote(&word, folder);
    fputs(command, to);
    print_safely(to, "%s", word.bytes);
    fputs(rest, to);
    text_free(&word);
}

/*
 * Returns whether a resumed run has no new rows. Such a run does not show its rows again, because
 * the earlier session showed them, and reading 10^6 rows takes seconds.
 */
static bool nothing_new(const struct sweep_request *request, const struct sweep_result *r)
{
    return request->earlier && r->rows == r->earlier_rows;
}

int summary_print(const struct sweep_options *options, const struct sweep_request *request,
                  const struct sweep_result *r)
{
    bool ok = r->error.kind == ERROR_NONE;
    /* `run --points -` writes answers to standard output. */
    bool asked = options->setup.config->points.asked;
    if (!r->recorded)
        return ok ? EXIT_FINE : r->stopped ? EXIT_STOPPED : EXIT_REFUSED;
    if (!request->quiet)
        print_statuses(r);
    print_notes(r);
    if (request->show && !request->quiet && !asked) {
        if (nothing_new(request, r))
            print_command("this run has no new rows; redsweep show ", r->folder,
                          " prints the recorded ones\n", stdout);
        else
            request->show(r->folder);
    }
    if (!request->gate)
        print_safely(asked ? stderr : stdout, "%s/results.csv\n", r->folder);
    if (request->end && !asked && !nothing_new(request, r)) {
        if (request->quiet)
            /* write the page, but do not print its path */
            (void)request->page(r->folder, !r->page_written);
        else
            request->end(r->folder, !r->page_written);
    }
    if (request->result)
        *request->result = *r;
    bool early = !request->gate && (!ok || r->stopped) && access(r->folder, F_OK) == 0;
    if (early && asked)
        fputs("this run cannot be resumed, because another program chooses its points; start that "
              "program again. The rows recorded so far are kept\n",
              stderr);
    else if (early)
        print_command("to resume: redsweep resume ", r->folder, "\n", stderr);
    return ok ? exit_code(r, request->require_metrics) : EXIT_STOPPED;
}
