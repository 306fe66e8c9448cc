/*
 * The charts of `redsweep plots`: a chart is a row CHART(…) in a file of this folder and a gnuplot script,
 * plots/NAME.gp, which reads columns by name from NAME.dat. The data that it draws is computed from the rows by a
 * function of the row's file. Pages draw the same variables and columns by plots/page_charts.js.
 *
 * Script and data are left in the folder of the charts, so that `gnuplot NAME.gp` draws the chart
 * again after an edit. redsweep runs only a script that it has just written, never one that already
 * exists.
 */
#ifndef REDSWEEP_CHARTS_CHARTS_H
#define REDSWEEP_CHARTS_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/results.h"
#include "base/error.h"
#include "charts/picture.h"
#include "charts/rows.h"

/* The options that a chart uses; SHOWS_ALL: it shows all slices (rows.h), not one; OF_A_SIZE: it
 * shows one n, and a page has one for each. */
enum {
    TAKES_X = 1,
    TAKES_Y = 2,
    TAKES_BY = 4,
    TAKES_LOG = 8,
    TAKES_RELATIVE = 16,
    TAKES_ANY = 31,
    SHOWS_ALL = 64,
    OF_A_SIZE = 128
};

/*
 * The row of a chart, at the head of the file that contains its function, which the row declares. The Makefile
 * collects the rows of all files, sorted by `place`, in build/charts.def, from which charts.c makes the table.
 *
 * `place` orders the charts for readers. `of` is ONE run or SEVERAL. `takes` combines TAKES_… and the others
 * above. `needs` is a column in which some row must have more than 0; "": none. `make` fills the picture that
 * plots/NAME.gp draws, or states why it cannot. The sentence is the chart's caption.
 */
#define CHART(place, name, of, takes, needs, make, sentence)                                       \
    bool make(const struct chart_rows *rows, struct picture *p, char why[256]);

struct chart {
    const char *name, *sentence;
    const char *needs; /* a column in which a row must have more than 0; "": none */
    bool several;      /* of several runs; else of one */
    unsigned takes;    /* TAKES_… */
    /* Fills the picture, or writes to `why` (256 bytes) why it cannot. */
    bool (*make)(const struct chart_rows *rows, struct picture *p, char why[256]);
};

/* By position; NULL after the last. */
const struct chart *chart_at(size_t i);
/* NULL if no chart of one run, or of several, has this name. */
const struct chart *chart_find(const char *name, bool several);

/* Fills an empty picture, which the caller frees in any case; returns false if it cannot be drawn, with the reason
 * in `why`. */
bool chart_make(const struct chart *chart, const struct chart_rows *rows, struct picture *p,
                char why[256]);

/*
 * Makes and draws a chart, as FOLDER/NAME.dat, .gp and a file for each format, whose names are
 * printed; `folder` is the open FOLDER. *drawn is false if it was left out, for the reason in `why`.
 * ERROR_SYSTEM.
 */
bool chart_draw(const struct chart *chart, const struct chart_rows *rows, int folder,
                const char *folder_name, bool *drawn, char why[256], struct error *e);

#endif
