/*
 * Prepares one chart for gnuplot or for a page. A picture consists of its data and of the variables
 * at the beginning of its script.
 *
 * Strings from other files enter a script only as data. They are quoted and stored in variables and
 * arrays.
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
    const char *script; /* the SCRIPT of plots/SCRIPT.gp, or NULL if it has the name of the chart */
    struct text head, data;
    /* These contain the variables and the data as JSON, for pages (picture_page()). */
    struct text values, blocks;
    bool lost; /* This is true if there was no memory for some of the data. */
};
void picture_free(struct picture *p);

/*
 * Each of these functions adds a variable. NaN becomes gnuplot's NaN, and control characters in
 * strings become "?".
 */
void picture_number(struct picture *p, const char *name, double number);
void picture_text(struct picture *p, const char *name, const char *text);
void picture_numbers(struct picture *p, const char *name, const double *numbers, size_t count);
void picture_texts(struct picture *p, const char *name, const char *const *texts, size_t count);

/*
 * Appends a table to the data, in the format of table_write_data(). Each appended table is a block,
 * which scripts select with gnuplot's `index` 0, 1, …
 */
void picture_block(struct picture *p, const struct table *t);
/*
 * These functions are the two halves of picture_block(). The first appends the table for gnuplot,
 * and the second appends it for pages. A chart calls both functions if its columns on pages differ
 * from those for gnuplot.
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
    const char *data; /* the folder that contains plots/ */
    const char *font; /* the name of a font family */
    /* This is a comma-separated list of one or more of svg, png and pdf. */
    const char *formats;
    const char *suffix;      /* the suffix of the files' names */
    int folder;              /* the open output folder */
    const char *folder_name; /* the name of this folder for messages */
};

/*
 * Makes the script, inserts the scripts that it loads from plots/, and runs gnuplot on it in a
 * temporary folder. Then it moves NAME.dat, NAME.gp and the pictures to the output folder, where
 * they replace existing files and links. It prints the names of the pictures and, if the script
 * wrote a caption, the caption. If the function fails, the error is ERROR_SYSTEM.
 */
bool picture_draw(const struct picture *p, const struct picture_output *to, struct error *e);

/*
 * Returns whether all `formats` are known and `font` can be the name of a font. If not, the error
 * is ERROR_USAGE.
 */
bool picture_check(const char *formats, const char *font, struct error *e);

#endif
