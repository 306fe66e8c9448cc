/*
 * What a run says, in words: for the terminal, the report and a merge request alike.
 *
 * Of each series (analyze/best.h) of the run's own device, but for kernels that only teach: which kernel is fastest, or tied with the
 * fastest, from which n on; at the largest n its setting, how close its bandwidth comes to that of
 * reading, and how many times as fast as the first kernel of the ladder there and as the fastest peer it is; and the
 * step of the ladder that gained most there, with the count that it is put down to (analyze/steps.h).
 *
 * A run without a clock has no winner. Its kernels follow in the ladder's order with what each step
 * changed in the counts, beside the times of a run that was recorded on a GPU; the sentences are about
 * that run then, and say so.
 */
#ifndef REDSWEEP_ANALYZE_CONCLUSION_H
#define REDSWEEP_ANALYZE_CONCLUSION_H

#include "analyze/results.h"
#include "spec/kernel_index.h"
#include "table/view.h"

struct conclusion_sources {
    struct kernel_index ladder; /* empty: there are no steps */
    struct results recorded;    /* a run on a GPU, for runs without a clock */
    bool has_recorded;
};

/*
 * Reads the index of the shipped kernels and, for a run without a clock, the recorded run, from the
 * folder that holds kernels/ (find_data_folder()). What is missing there, or cannot be read, is left
 * out. The caller frees it with conclusion_sources_free().
 */
void conclusion_sources_read(const char *data_folder, const struct results *r,
                             struct conclusion_sources *out);
void conclusion_sources_free(struct conclusion_sources *s);

/* Adds the sentences, under a line that says what they are about. False: there is nothing to say. */
bool conclusion_add(const struct results *r, const struct conclusion_sources *s, struct view *v);

/* Appends the kernel that is fastest at the largest n of the first series: "redux at 2^20"; nothing without one. */
void conclusion_append_winner(const struct results *r, struct text *out);

/* Of a run without a clock: adds the table "ladder". False: no row has counts. The view needs `s`. */
bool conclusion_add_ladder(const struct results *r, const struct conclusion_sources *s,
                           struct view *v);

#endif
