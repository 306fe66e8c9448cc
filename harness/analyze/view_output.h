/* Writes a view to stdout and to the files that the options name. */
#ifndef REDSWEEP_ANALYZE_VIEW_OUTPUT_H
#define REDSWEEP_ANALYZE_VIEW_OUTPUT_H

#include "base/error.h"
#include "table/view.h"

/*
 * Where a view is written besides the terminal. The options --csv, --json, --html, --data,
 * --markdown and --junit name files; --table selects a table.
 */
struct view_output {
    const char *csv, *json, *html; /* path of a file, "-" for stdout, or NULL */
    const char *markdown, *junit;  /* like `csv` */
    const char *data;              /* like `csv` */
    const char *table;             /* the only table to write, or NULL for all tables */
};

/* Rows for a command's table of options. `output` is a member of the struct `type`. */
#define VIEW_OPTIONS(type, output, what)                                                           \
    {"--csv", NULL, field_argument, .offset = offsetof(type, output.csv),                          \
     HELP("FILE", "write " what " as CSV (- is stdout)")},                                         \
        {"--json", NULL, field_argument, .offset = offsetof(type, output.json),                    \
         HELP("FILE", "write everything as JSON")},                                                \
        {"--html", NULL, field_argument, .offset = offsetof(type, output.html),                    \
         HELP("FILE", "write everything as one HTML page")},                                       \
        {"--data", NULL, field_argument, .offset = offsetof(type, output.data),                    \
         HELP("FILE", "write the rows of --csv as a gnuplot data file, whose columns can be "      \
                      "chosen by name: using 'n':'time_us'")},                                     \
    {                                                                                              \
        "--table", NULL, field_argument, .offset = offsetof(type, output.table),                   \
                                         HELP("NAME", "print and write only this table")           \
    }

#define VIEW_MERGE_OPTIONS(type, output)                                                           \
    {"--markdown", NULL, field_argument, .offset = offsetof(type, output.markdown),                \
     HELP("FILE", "write a comment for a merge request")},                                         \
    {                                                                                              \
        "--junit", NULL, field_argument,                                                           \
            .offset = offsetof(type, output.junit),                                                \
            HELP("FILE", "write a JUnit report with a test case per kernel and finding")           \
    }

/*
 * Writes the files, and prints the view to stdout unless one of the files is "-". Fails with
 * ERROR_USAGE if the table is unknown, and with ERROR_SYSTEM and the path if a file cannot be
 * written.
 */
bool view_output(const struct view *v, const struct view_output *o, struct error *e);
bool view_write_files(const struct view *v, const struct view_output *o, struct error *e);
bool view_takes_stdout(const struct view_output *o); /* Returns whether one of the files is "-". */
bool view_has_files(const struct view_output *o);

#endif
