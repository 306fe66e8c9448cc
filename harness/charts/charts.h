/*
 * The charts of `redsweep plots`: a chart is a row CHART(…) in a file of this folder and a gnuplot script,
 * plots/NAME.gp, which reads columns by name from NAME.dat. What it draws is what a function of the row's file computes
 * from the rows. Pages draw the same variables and columns by plots/page_charts.js.
 *
 * Script and data are left in the folder of the charts, so that `gnuplot NAME.gp` draws the chart
 * again after an edit. Only a script that was just written is run, never one that lies there.
 */
#ifndef REDSWEEP_CHARTS_CHARTS_H
#define REDSWEEP_CHARTS_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/results.h"
#include "base/error.h"
#include "charts/picture.h"
#include "charts/rows.h"

/* Which of the options a chart has a use for; SHOWS_ALL: it shows all slices (rows.h), not one;
 * OF_A_SIZE: it shows one n, and a page has one for each. */
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
 * A chart's row, at the head of the file that has its function, which it declares. The Makefile gathers the rows of
 * all files, sorted by `place`, into build/charts.def, of which charts.c makes the table.
 *
 * `place` orders the charts as a reader wants them. `of` is ONE run or SEVERAL. `takes` are TAKES_… and the others
 * above. `needs` is a column in which some row must have more than 0; "": none. `make` fills the picture that
 * plots/NAME.gp draws, or says why it cannot. The sentence is the chart's caption.
 */
#define CHART(place, name, of, takes, needs, make, sentence)                                       \
    bool make(const struct chart_rows *rows, struct picture *p, char why[256]);

struct chart {
    const char *name, *sentence;
    const char *needs; /* a column in which a row must have more than 0; "": none */
    bool several;      /* of several runs; else of one */
    unsigned takes;    /* TAKES_… */
    /* Fills the picture, or says in `why` (256 bytes) why it cannot. */
    bool (*make)(const struct chart_rows *rows, struct picture *p, char why[256]);
};

/* By position; NULL behind the last. */
const struct chart *chart_at(size_t i);
/* NULL: no chart of one run, or of several, has this name. */
const struct chart *chart_find(const char *name, bool several);

/* Fills an empty picture, which the caller frees in any case; false: it cannot be drawn, for the reason in `why`. */
bool chart_make(const struct chart *chart, const struct chart_rows *rows, struct picture *p,
                char why[256]);

/*
 * Makes and draws a chart, as FOLDER/NAME.dat, .gp and a file for each format,
 * whose names are printed; FOLDER is open as `folder`. *drawn is false where it was left out, for the
 * reason in `why`. ERROR_SYSTEM.
 */
bool chart_draw(const struct chart *chart, const struct chart_rows *rows, int folder,
                const char *folder_name, bool *drawn, char why[256], struct error *e);

#endif
