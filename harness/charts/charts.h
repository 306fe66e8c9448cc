/*
 * The charts of `redsweep plots`. A chart is a CHART(…) row in a file of this folder, a function in
 * the same file that computes the data for NAME.dat from the rows of the run, and a gnuplot script,
 * plots/NAME.gp, that reads the columns of NAME.dat by name. In HTML reports, plots/page_charts.js
 * draws the chart from the same variables and columns.
 *
 * The script and the data are kept next to the pictures, so you can edit the script and run
 * `gnuplot NAME.gp` again. redsweep itself runs only scripts that it has just written.
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
 * TAKES_… say which options a chart uses. A chart with SHOWS_ALL shows all slices (rows.h) instead
 * of one. A chart with OF_A_SIZE shows one n, so a report contains it once for each n.
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
 * CHART() is a row in the table of charts. It is at the top of the file that defines the function
 * `make`, and declares that function. The Makefile collects the rows of all files, sorted by
 * `place`, in build/charts.def, from which charts.c makes the table.
 *
 * `place` is a number by which charts are sorted when they are listed or shown. `of` is ONE for a
 * chart of one run and SEVERAL for a chart of several runs. `takes` combines values of the enum
 * above. `needs` is a column that must have a value above 0 in at least one row, or "" for a chart
 * that needs no such column. `make` fills the picture that plots/NAME.gp draws. If it cannot, it
 * returns false and writes the reason to `why`. `sentence` is the caption.
 */
#define CHART(place, name, of, takes, needs, make, sentence)                                       \
    bool make(const struct chart_rows *rows, struct picture *p, char why[256]);

struct chart {
    const char *name, *sentence;
    const char *needs; /* a column that must have a value above 0 in some row, or "" */
    bool several;      /* whether the chart is of several runs */
    unsigned takes;    /* a combination of TAKES_…, SHOWS_ALL and OF_A_SIZE */
    /* Fills the picture. Returns false with a reason in `why` if the chart cannot be drawn. */
    bool (*make)(const struct chart_rows *rows, struct picture *p, char why[256]);
};

/* Returns the chart at position i, or NULL after the last one. */
const struct chart *chart_at(size_t i);
/*
 * Returns the chart with this name, or NULL. If `several` is true, searches the charts of several
 * runs, otherwise those of one run.
 */
const struct chart *chart_find(const char *name, bool several);

/*
 * Fills an empty picture, which the caller must free in any case. Returns false with a reason in
 * `why` if the chart cannot be drawn.
 */
bool chart_make(const struct chart *chart, const struct chart_rows *rows, struct picture *p,
                char why[256]);

/*
 * Makes and draws a chart: writes FOLDER/NAME.dat, FOLDER/NAME.gp and one picture per format, and
 * prints the names of the pictures. `folder` is the descriptor of FOLDER. If the rows do not allow
 * the chart, sets *drawn to false and `why` to the reason, and returns true. Fails with
 * ERROR_SYSTEM.
 */
bool chart_draw(const struct chart *chart, const struct chart_rows *rows, int folder,
                const char *folder_name, bool *drawn, char why[256], struct error *e);

#endif
