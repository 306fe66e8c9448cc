/* Finds whether two runs were timed on the same card or cards; see diff_cards.c. */
#ifndef REDSWEEP_ANALYZE_DIFF_CARDS_H
#define REDSWEEP_ANALYZE_DIFF_CARDS_H

#include <stdbool.h>

#include "analyze/results.h"
#include "base/error.h"

struct diff_cards {
    /* The runs are from different cards. Unknown cards count as the same card. */
    bool other;
    bool several; /* At least one run used several cards. */
    /*
     * the largest difference between the anchors of two cards in one run, as a share, or NaN if the
     * anchors were not compared
     */
    double anchors_apart;
};

/*
 * Compares the cards of two runs by their UUIDs and by their anchors, the points that every card
 * measures. Anchors agree if they differ by at most the share `minimum_effect`.
 */
bool diff_cards(const struct results *a, const struct results *b, double minimum_effect,
                struct diff_cards *out, struct error *e);

#endif
