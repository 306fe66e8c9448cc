/*
 * Declares what `redsweep diff` shares with commands that end like it (`redsweep gate`): the options,
 * and the way from a comparison to output and an exit code.
 */
#ifndef REDSWEEP_ANALYZE_DIFF_ARGUMENTS_H
#define REDSWEEP_ANALYZE_DIFF_ARGUMENTS_H

#include "analyze/diff.h"
#include "analyze/view_output.h"
#include "base/options.h"

enum { DIFF_FINDINGS = 5 };
extern const char *const diff_finding_names[DIFF_FINDINGS];

struct diff_arguments {
    double minimum_effect, error_rate; /* shares; the first starts as NaN: not given */
    bool fail_on[DIFF_FINDINGS];
    struct view_output output;
    bool strict, bits;
    /* Makes the charts of a page that shows both runs, for view_html_charts(); the caller frees them.
     * NULL: there are none. It is a pointer because analyze/ does not depend on charts/. */
    char *(*charts)(const struct results *runs, size_t count);
};

/* Rows for the member `at` of `type`, a struct diff_arguments. */
#define DIFF_OPTIONS(type, at)                                                                     \
    {"--min-effect",                                                                               \
     NULL,                                                                                         \
     field_share,                                                                                  \
     .offset = offsetof(type, at.minimum_effect),                                                  \
     RANGE(0, 1000),                                                                               \
     .was = "--least-effect",                                                                      \
     HELP("PERCENT", "the minimum effect, below which a change does not matter (default: 1)")},    \
        {"--error-rate",                                                                           \
         "5",                                                                                      \
         field_share,                                                                              \
         .offset = offsetof(type, at.error_rate),                                                  \
         RANGE(0, 50),                                                                             \
         .was = "--rate",                                                                          \
         HELP("PERCENT", "the family-wise error rate for points, for cells (a kernel in one "      \
                         "problem) and for kernels")},                                             \
        {"--fail-on",                                                                              \
         NULL,                                                                                     \
         field_choices,                                                                            \
         .offset = offsetof(type, at.fail_on),                                                     \
         WORDS(diff_finding_names, DIFF_FINDINGS),                                                 \
         .flags = FIELD_LIST,                                                                      \
         HELP("LIST", "the findings that make the exit code 1: slow, wrong, missing, counts, or "  \
                      "none (default: slow,wrong,missing, and counts if no time is judged; none "  \
                      "between two models)")},                                                     \
        {"--strict", NULL, field_switch, .offset = offsetof(type, at.strict),                      \
         HELP(NULL, "exit with code 3 if nothing fails but a point is UNKNOWN")},                  \
        {"--bits", NULL, field_switch, .offset = offsetof(type, at.bits),                          \
         HELP(NULL, "also fail if the results of a point differ in their bits (docs/bits.md)")},   \
        VIEW_OPTIONS(type, at.output, "every point of both runs"),                                 \
        VIEW_MERGE_OPTIONS(type, at.output)

/* The command diff; for `charts` see struct diff_arguments. */
int diff_command(int count, char **arguments,
                 char *(*charts)(const struct results *runs, size_t count), struct error *e);

struct diff_options diff_read_options(const struct diff_arguments *a);

/* Prints the comparison, writes the files that were asked for, and returns the exit code. */
int diff_show(const struct diff *d, const struct diff_arguments *a, struct error *e);

#endif
