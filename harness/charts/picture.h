/*
 * Prepares a chart for gnuplot or for a page. A picture is its data and the variables at the top of
 * its script.
 *
 * Strings from other files enter a script only as data: quoted, in variables and arrays.
 */
#ifndef REDSWEEP_CHARTS_PICTURE_H
#define REDSWEEP_CHARTS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table.h"

struct picture {
    const char *name;   /* of the chart and of its files */
    const char *script; /* plots/SCRIPT.gp, or NULL for the chart's name */
    struct text head, data;
    /* variables and data as JSON, for pages (picture_page()) */
    struct text values, blocks;
    bool lost; /* some of the data is missing: out of memory */
};
void picture_free(struct picture *p);

/* Add a variable. NaN becomes gnuplot's NaN, and control characters in strings become "?". */
void picture_number(struct picture *p, const char *name, double number);
void picture_text(struct picture *p, const char *name, const char *text);
void picture_numbers(struct picture *p, const char *name, const double *numbers, size_t count);
void picture_texts(struct picture *p, const char *name, const char *const *texts, size_t count);

/*
 * Appends a table to the data, in the format of table_write_data(), as the next block that scripts
 * select with gnuplot's `index` 0, 1, …
 */
void picture_block(struct picture *p, const struct table *t);
/*
 * The two halves of picture_block(): the first appends the table for gnuplot, the second for pages.
 * For charts whose columns differ between the two.
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
    const char *suffix;      /* of the files' names */
    int folder;              /* the open output folder */
    const char *folder_name; /* for messages */
};

/*
 * Makes the script, inlines the scripts that it loads from plots/, and runs gnuplot on it in a
 * temporary folder. Then moves NAME.dat, NAME.gp and the pictures to the output folder, where they
 * replace existing files and links. Prints the names of the pictures, and the caption if the script
 * wrote one. Fails with ERROR_SYSTEM.
 */
bool picture_draw(const struct picture *p, const struct picture_output *to, struct error *e);

/*
 * Checks that all `formats` are known and that `font` can be the name of a font. Fails with
 * ERROR_USAGE.
 */
bool picture_check(const char *formats, const char *font, struct error *e);

#endif
