/* Finds whether the times of two runs come from one card; see diff_cards.c. */
#ifndef REDSWEEP_ANALYZE_DIFF_CARDS_H
#define REDSWEEP_ANALYZE_DIFF_CARDS_H

#include <stdbool.h>

#include "analyze/results.h"
#include "base/error.h"

struct diff_cards {
    /* The runs are from two cards. Unknown cards count as the same. */
    bool other;
    bool several; /* At least one run used several cards. */
    /* the largest difference within a run, as a share, or NaN if the anchors were not compared */
    double anchors_apart;
};

/* Compares the cards. Their anchors may differ by the share `minimum_effect`. */
bool diff_cards(const struct results *a, const struct results *b, double minimum_effect,
                struct diff_cards *out, struct error *e);

#endif
