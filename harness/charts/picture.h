/*
 * A picture is a chart that is ready to be drawn, by gnuplot or in an HTML report: its data, and
 * the variables at the top of its script.
 *
 * Strings from the run's files get into the script only as quoted values of variables and arrays.
 */
#ifndef REDSWEEP_CHARTS_PICTURE_H
#define REDSWEEP_CHARTS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table.h"

struct picture {
    const char *name;   /* the name of the chart and of its files */
    const char *script; /* plots/SCRIPT.gp draws the picture; NULL if SCRIPT is the chart's name */
    struct text head, data;
    /* the variables and the data as JSON, for reports (picture_page()) */
    struct text values, blocks;
    bool lost; /* some of the data is missing because memory ran out */
};
void picture_free(struct picture *p);

/* Add a variable. NaN becomes gnuplot's NaN, and control characters in strings become "?". */
void picture_number(struct picture *p, const char *name, double number);
void picture_text(struct picture *p, const char *name, const char *text);
void picture_numbers(struct picture *p, const char *name, const double *numbers, size_t count);
void picture_texts(struct picture *p, const char *name, const char *const *texts, size_t count);

/*
 * Appends a table to the data, in the format of table_write_data(). It becomes a block, and scripts
 * select a block by its number: gnuplot's `index` 0, 1, …
 */
void picture_block(struct picture *p, const struct table *t);
/*
 * The two halves of picture_block(), for charts whose columns are different in reports: the first
 * appends a table for gnuplot, and the second a table for reports.
 */
void picture_data(struct picture *p, const struct table *t);
void picture_page_block(struct picture *p, const struct table *t);

/*
 * Appends the picture as a JSON object: {"name": …, "draws": the script's name, "values":
 * {variables}, "blocks": [{"columns": [names], "rows": [[cells], …]}, …]}. plots/page_charts.js
 * draws it. NaN becomes null.
 */
void picture_page(const struct picture *p, struct text *out);

struct picture_output {
    const char *data; /* the folder with plots/ */
    const char *font; /* a font family */
    /* one or more of svg, png and pdf, separated by commas */
    const char *formats;
    const char *suffix;      /* added to the files' names */
    int folder;              /* the open output folder */
    const char *folder_name; /* the name of `folder`, for messages */
};

/*
 * Makes the script, replaces each `load` in it by the loaded script from plots/, and runs gnuplot
 * in a temporary folder. Then moves NAME.dat, NAME.gp and the pictures to the output folder, where
 * they replace existing files and links. Prints the names of the pictures and, if the script wrote
 * a caption to a file, the caption. Fails with ERROR_SYSTEM.
 */
bool picture_draw(const struct picture *p, const struct picture_output *to, struct error *e);

/*
 * Checks that all `formats` are known and that `font` can be the name of a font. Fails with
 * ERROR_USAGE.
 */
bool picture_check(const char *formats, const char *font, struct error *e);

#endif
