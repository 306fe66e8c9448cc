/*
 * Summarizes a run in words, for the terminal, the report and a merge request.
 *
 * The conclusion covers each series (problems that differ only in n, see analyze/best.h) on the
 * run's own device. Series of kernels that are just for teaching are left out. The conclusion says
 * which kernel is the fastest, or tied with the fastest, and from which n on. For the largest n, it
 * gives the fastest kernel's setting, its bandwidth as a share of a streaming read's, and its
 * speedup over the first kernel of the ladder and over the fastest peer. The ladder consists of
 * kernels that each change one thing about an earlier one (analyze/steps.h). Finally, the
 * conclusion says which step of the ladder gained most at this n, and the count that explains the
 * gain.
 *
 * A run on a device without a clock, such as the simulator, has no winner. Instead, a table lists
 * its kernels in the ladder's order with the count that each step changed, next to times from a run
 * that was recorded on a GPU. The sentences of the conclusion then describe the recorded run and
 * say so.
 */
#ifndef REDSWEEP_ANALYZE_CONCLUSION_H
#define REDSWEEP_ANALYZE_CONCLUSION_H

#include "analyze/results.h"
#include "spec/kernel_index.h"
#include "table/view.h"

struct conclusion_sources {
    /* the kernels and steps of kernels/index.txt; empty if it cannot be read */
    struct kernel_index ladder;
    /* a run on a GPU, if the device of the summarized run has no clock */
    struct results recorded;
    bool has_recorded;
};

/*
 * Reads the kernel index and, if the device of `r` has no clock, the recorded run. `data_folder` is
 * the folder that contains kernels/ (find_data_folder()). Files that are missing or unreadable are
 * skipped. Free the result with conclusion_sources_free().
 */
void conclusion_sources_read(const char *data_folder, const struct results *r,
                             struct conclusion_sources *out);
void conclusion_sources_free(struct conclusion_sources *s);

/* Adds an introductory line and the conclusion. Returns false if there is nothing to say. */
bool conclusion_add(const struct results *r, const struct conclusion_sources *s, struct view *v);

/*
 * Appends the fastest kernel at the largest n of the first series, such as "redux at 2^20", or
 * nothing if the run has no winner.
 */
void conclusion_append_winner(const struct results *r, struct text *out);

/*
 * Adds the table "ladder" of a run without a clock. Returns false if no row has counts. `s` must
 * outlive the view.
 */
bool conclusion_add_ladder(const struct results *r, const struct conclusion_sources *s,
                           struct view *v);

#endif
