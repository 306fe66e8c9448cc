/*
 * Declares the charts of `redsweep plots`. A chart consists of a CHART(…) row in a file of this
 * folder and a gnuplot script, plots/NAME.gp. A function in the same file computes the data from
 * the rows of the run and writes them to NAME.dat. The script reads the columns of this file by
 * name. On pages, plots/page_charts.js draws the chart from the same variables and columns.
 *
 * redsweep leaves the script and the data in the folder of the charts, so that `gnuplot NAME.gp`
 * draws the chart again after an edit. redsweep runs only a script that it has just written, never
 * one that already exists.
 */
#ifndef REDSWEEP_CHARTS_CHARTS_H
#define REDSWEEP_CHARTS_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/results.h"
#include "base/error.h"
#include "charts/picture.h"
#include "charts/rows.h"

/*
 * The TAKES_… values are the options that a chart uses. SHOWS_ALL means that the chart shows all
 * slices (rows.h) instead of one. OF_A_SIZE means that the chart shows one n, so that a page
 * contains one such chart for each n.
 */
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
 * CHART() is the row of a chart in the table of charts. It is at the top of the file that contains
 * the function `make`, and it declares this function. The Makefile collects the rows of all files,
 * sorted by `place`, in build/charts.def, from which charts.c makes the table.
 *
 * Charts are shown to readers in the order of `place`. `of` is ONE for a chart of one run and
 * SEVERAL for a chart of several runs. `takes` combines values of the enum above. `needs` is a
 * column in which at least one row must exceed 0, or "". `make` fills the picture that
 * plots/NAME.gp draws, or states why it cannot fill it. `sentence` is the caption of the chart.
 */
#define CHART(place, name, of, takes, needs, make, sentence)                                       \
    bool make(const struct chart_rows *rows, struct picture *p, char why[256]);

struct chart {
    const char *name, *sentence;
    const char *needs; /* a column in which at least one row must exceed 0, or "" */
    bool several;      /* This is true for a chart of several runs, false for a chart of one run. */
    unsigned takes;    /* a combination of TAKES_…, SHOWS_ALL and OF_A_SIZE */
    /*
     * Fills the picture. If the chart cannot be drawn, the function returns false and writes the
     * reason to `why` (256 bytes).
     */
    bool (*make)(const struct chart_rows *rows, struct picture *p, char why[256]);
};

/* Returns the chart at position i, or NULL after the last one. */
const struct chart *chart_at(size_t i);
/*
 * Returns the chart with this name, or NULL if there is none. `several` selects the charts of
 * several runs.
 */
const struct chart *chart_find(const char *name, bool several);

/*
 * Fills an empty picture, which the caller must free in any case. If the chart cannot be drawn, the
 * function returns false and writes the reason to `why`.
 */
bool chart_make(const struct chart *chart, const struct chart_rows *rows, struct picture *p,
                char why[256]);

/*
 * Makes and draws a chart. It writes FOLDER/NAME.dat, FOLDER/NAME.gp and one picture per format,
 * and it prints the names of the pictures. `folder` is the descriptor of FOLDER. If the chart was
 * left out, *drawn is false and `why` contains the reason. If the function fails, the error is
 * ERROR_SYSTEM.
 */
bool chart_draw(const struct chart *chart, const struct chart_rows *rows, int folder,
                const char *folder_name, bool *drawn, char why[256], struct error *e);

#endif
