/*
 * One chart on its way to gnuplot or to a page: the variables at the beginning of its script, and its
 * data.
 *
 * A script contains only data from outside: names that are set to numbers and to texts in quotes,
 * and arrays of either.
 */
#ifndef REDSWEEP_CHARTS_PICTURE_H
#define REDSWEEP_CHARTS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table.h"

struct picture {
    const char *name;   /* name of the chart and of its files */
    const char *script; /* plots/SCRIPT.gp; by default the chart's name */
    struct text head, data;
    struct text values, blocks; /* the same for a page: see picture_page() */
    bool lost;                  /* there was no memory for some of the data */
};
void picture_free(struct picture *p);

/* NaN is gnuplot's NaN. Control characters of texts become "?". */
void picture_number(struct picture *p, const char *name, double number);
void picture_text(struct picture *p, const char *name, const char *text);
void picture_numbers(struct picture *p, const char *name, const double *numbers, size_t count);
void picture_texts(struct picture *p, const char *name, const char *const *texts, size_t count);

/*
 * Appends a table to the data, as table_write_data() writes it. Tables that are appended one after
 * another are blocks, gnuplot's `index` 0, 1, …
 */
void picture_block(struct picture *p, const struct table *t);
/* The two halves of picture_block(), for gnuplot and for a page, if the page gets other columns. */
void picture_data(struct picture *p, const struct table *t);
void picture_page_block(struct picture *p, const struct table *t);

/*
 * Appends the picture as an object of JSON: {"name": …, "draws": the script's name, "values": {variables},
 * "blocks": [{"columns": [names], "rows": [[cells], …]}, …]}, which plots/page_charts.js draws. NaN is null.
 */
void picture_page(const struct picture *p, struct text *out);

struct picture_output {
    const char *data;        /* the folder that holds plots/ */
    const char *font;        /* a family */
    const char *formats;     /* of svg, png and pdf, with commas between them */
    const char *suffix;      /* suffix of the files' names */
    int folder;              /* open */
    const char *folder_name; /* for messages */
};

/*
 * Makes the script, including everything that it loads from plots/, draws it with gnuplot in a
 * folder of its own, and places NAME.dat, NAME.gp and the pictures in the folder, where they
 * replace existing files and links. Prints the names of the pictures, and the caption if the script
 * made one. ERROR_SYSTEM.
 */
bool picture_draw(const struct picture *p, const struct picture_output *to, struct error *e);

/* Whether `formats` are known, and `font` is a name; else ERROR_USAGE. */
bool picture_check(const char *formats, const char *font, struct error *e);

#endif
