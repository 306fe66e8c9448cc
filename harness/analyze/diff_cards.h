/*
 * Whether the times of two runs are from one card: see diff_cards.c.
 */
#ifndef REDSWEEP_ANALYZE_DIFF_CARDS_H
#define REDSWEEP_ANALYZE_DIFF_CARDS_H

#include <stdbool.h>

#include "analyze/results.h"
#include "base/error.h"

struct diff_cards {
    bool other;           /* two cards; unknown cards count as the same */
    bool several;         /* a run is on several cards */
    double anchors_apart; /* largest difference within one run, a share; NaN: not compared */
};

/* Compares the cards; `minimum_effect` is the share by which the anchors of one device may differ. */
bool diff_cards(const struct results *a, const struct results *b, double minimum_effect,
                struct diff_cards *out, struct error *e);

#endif
