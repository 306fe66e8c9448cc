/*
 * Writes the conclusion of a run in words, for the terminal, the report and a merge request.
 *
 * The conclusion covers each series (analyze/best.h) of the run's own device. It leaves out kernels
 * that serve only for teaching. It states which kernel is the fastest, or tied with the fastest,
 * and starting at which n. For the largest n, it states the kernel's setting, and the kernel's
 * bandwidth as a share of the bandwidth of a streaming read. It also states the speedup over the
 * first kernel of the ladder and over the fastest peer. Finally, it states which step of the ladder
 * gained most at this n, and the count that explains the gain (analyze/steps.h).
 *
 * A run without a clock has no winner. Instead, a table lists its kernels in the ladder's order,
 * with the counts that each step changed. The table also contains the times of a run that was
 * recorded on a GPU. The sentences then describe this recorded run and say so.
 */
#ifndef REDSWEEP_ANALYZE_CONCLUSION_H
#define REDSWEEP_ANALYZE_CONCLUSION_H

#include "analyze/results.h"
#include "spec/kernel_index.h"
#include "table/view.h"

struct conclusion_sources {
    struct kernel_index ladder; /* the ladder; if it is empty, there are no steps */
    struct results recorded;    /* a run on a GPU, for runs without a clock */
    bool has_recorded;
};

/*
 * Reads the index of the kernels from the folder that contains kernels/ (find_data_folder()). For a
 * run without a clock, it also reads the recorded run from there. Files that are missing or cannot
 * be read are left out. The caller must call conclusion_sources_free() on the result.
 */
void conclusion_sources_read(const char *data_folder, const struct results *r,
                             struct conclusion_sources *out);
void conclusion_sources_free(struct conclusion_sources *s);

/*
 * Adds an introductory line and the sentences of the conclusion. Returns false if there is nothing
 * to state.
 */
bool conclusion_add(const struct results *r, const struct conclusion_sources *s, struct view *v);

/*
 * Appends the name of the fastest kernel at the largest n of the first series, for example "redux
 * at 2^20". It appends nothing if there is no such kernel.
 */
void conclusion_append_winner(const struct results *r, struct text *out);

/*
 * Adds the table "ladder" for a run without a clock. Returns false if no row has counts. `s` must
 * outlive the view.
 */
bool conclusion_add_ladder(const struct results *r, const struct conclusion_sources *s,
                           struct view *v);

#endif
