/*
 * Compares cards of one model. Each card of a run or shard measures its ceilings and a few common
 * points, the anchors, at the beginning and at the end.
 *
 * Reports the ratios of the cards' speeds and names slow cards. Times are never corrected with
 * these ratios: after a correction with four common points, 6 % of two H200s' points still had
 * different times.
 */
#ifndef REDSWEEP_RECORD_ANCHORS_H
#define REDSWEEP_RECORD_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

#define ANCHORS_FILE "anchors.csv"
#define ANCHORED_COLUMN "anchored" /* the file's last column; its values are anchor_times */

/* When an anchor is measured. */
enum anchor_time {
    ANCHOR_START,    /* before the points, while only this card was measuring */
    ANCHOR_TOGETHER, /* while all of the run's cards measured their anchors */
    ANCHOR_END,      /* after the points, while only this card was measuring */
    ANCHOR_TIMES
};
extern const char *const anchor_times[ANCHOR_TIMES]; /* the names, such as "start" */

enum { ANCHORS_MOST = 4 };

#define CARD_SLOW_PCT 3.0 /* the limit in percent; healthy cards of one model differ by up to 2 % */

/* What a card measured while no other card was measuring. */
struct card_speed {
    char name[120];               /* the card's UUID, or another name */
    VEC(double) read_gbs;         /* the read ceilings */
    VEC(double) us[ANCHORS_MOST]; /* each anchor's medians */
    /* cards_compare() divides the card's values by the median of all cards. A ratio is NaN if fewer
     * than two cards have a value. */
    double reads; /* the ratio of the median read ceiling */
    double takes; /* the median ratio of the anchors' times */
};

struct cards {
    VEC(struct card_speed) list;    /* the cards in the order in which they were added */
    uint64_t anchors[ANCHORS_MOST]; /* the anchors' point ids */
    int anchor_count;
};

/* Returns the index of the card with this name, and adds the card if it is new. */
size_t cards_find(struct cards *c, const char *name);

/* Adds a read ceiling or an anchor's median time. Both ignore NaN and any anchors after the first
 * ANCHORS_MOST. */
void cards_add_ceiling(struct cards *c, size_t card, double read_gbs);
void cards_add_anchor(struct cards *c, size_t card, uint64_t id, double us);

/*
 * Adds the rows of a folder's anchors.csv whose results are correct and that were not measured
 * together with other cards. Rows without a UUID belong to the card `unnamed`. Adds nothing if
 * there is no such file.
 */
bool cards_read_anchors(struct cards *c, const char *folder, const char *unnamed, struct error *e);

void cards_compare(struct cards *c);
void cards_free(struct cards *c);

/*
 * Writes why a card is slow, for example "it reads 4.0 % below the median of all 3 cards", or "" if
 * it is at most CARD_SLOW_PCT slower than the median. Returns `why`.
 */
const char *card_slow(const struct cards *c, size_t card, char why[160]);

/*
 * Appends a line with each card's ratios, or one line for all cards if there are many. Appends
 * nothing if there are fewer than two cards to compare.
 */
void cards_describe(const struct cards *c, struct text *out);

#endif
