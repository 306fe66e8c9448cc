/*
 * What `redsweep diff` shares with `redsweep gate`: the options, and the functions that turn a
 * comparison into output and an exit code.
 */
#ifndef REDSWEEP_ANALYZE_DIFF_ARGUMENTS_H
#define REDSWEEP_ANALYZE_DIFF_ARGUMENTS_H

#include "analyze/diff.h"
#include "analyze/view_output.h"
#include "base/options.h"

enum { DIFF_FINDINGS = 5 };
extern const char *const diff_finding_names[DIFF_FINDINGS];

struct diff_arguments {
    /* values of the options --min-effect and --error-rate; `minimum_effect` is NaN if not given */
    double minimum_effect, error_rate;
    bool fail_on[DIFF_FINDINGS];
    struct view_output output;
    bool strict, bits;
    /*
     * Makes the charts of a page that shows both runs, as the JSON for view_html_charts(), or
     * returns NULL. The caller frees the JSON. This is a pointer because the code in analyze/ must
     * not depend on that in charts/.
     */
    char *(*charts)(const struct results *runs, size_t count);
};

/*
 * The rows of a table of options. `at` is the member of the struct `type` that stores the options'
 * values. It must be a struct diff_arguments.
 */
#define DIFF_OPTIONS(type, at)                                                                     \
    {"--min-effect",                                                                               \
     NULL,                                                                                         \
     field_share,                                                                                  \
     .offset = offsetof(type, at.minimum_effect),                                                  \
     RANGE(0, 1000),                                                                               \
     .was = "--least-effect",                                                                      \
     HELP("PERCENT", "the minimum effect: smaller changes do not matter (default: 1)")},           \
        {"--error-rate",                                                                           \
         "5",                                                                                      \
         field_share,                                                                              \
         .offset = offsetof(type, at.error_rate),                                                  \
         RANGE(0, 50),                                                                             \
         .was = "--rate",                                                                          \
         HELP("PERCENT", "the family-wise error rate for points, for kernels "                     \
                         "at one problem, and for kernels as a whole")},                           \
        {"--fail-on",                                                                              \
         NULL,                                                                                     \
         field_choices,                                                                            \
         .offset = offsetof(type, at.fail_on),                                                     \
         WORDS(diff_finding_names, DIFF_FINDINGS),                                                 \
         .flags = FIELD_LIST,                                                                      \
         HELP("LIST", "the findings that make the exit code 1: slow, wrong, missing, counts, or "  \
                      "none (default: slow,wrong,missing, and counts if no time is judged; none "  \
                      "if A and B are from two device models)")},                                  \
        {"--strict", NULL, field_switch, .offset = offsetof(type, at.strict),                      \
         HELP(NULL, "exit with code 3 if at least one point is UNKNOWN and none of the findings "  \
                    "in --fail-on occurred")},                                                     \
        {"--bits", NULL, field_switch, .offset = offsetof(type, at.bits),                          \
         HELP(NULL, "also fail if a point's results differ in any bit (docs/bits.md)")},           \
        VIEW_OPTIONS(type, at.output, "every point of both runs"),                                 \
        VIEW_MERGE_OPTIONS(type, at.output)

/* Runs the command `redsweep diff`. For `charts`, see struct diff_arguments. */
int diff_command(int count, char **arguments,
                 char *(*charts)(const struct results *runs, size_t count), struct error *e);

struct diff_options diff_read_options(const struct diff_arguments *a);

/* Prints the comparison, writes the files that the options name, and returns the exit code. */
int diff_show(const struct diff *d, const struct diff_arguments *a, struct error *e);

#endif
