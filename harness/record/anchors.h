/*
 * Compares cards of one model. At the beginning and at the end of a run or shard, each card
 * measures its ceilings (its best bandwidth, see conditions.h) and a few common points, the
 * anchors.
 *
 * Reports the ratios of the cards' speeds and names slow cards. Times are never corrected with
 * these ratios. In a test with two H200s and four anchors, 6 % of the points still had different
 * times after such a correction.
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
#define ANCHORED_COLUMN "anchored" /* the last column of that file; its values are anchor_times */

/* When an anchor is measured. */
enum anchor_time {
    ANCHOR_START,    /* before the points, while only this card was measuring */
    ANCHOR_TOGETHER, /* while all of the run's cards measured their anchors */
    ANCHOR_END,      /* after the points, while only this card was measuring */
    ANCHOR_TIMES
};
extern const char *const anchor_times[ANCHOR_TIMES]; /* the names, such as "start" */

enum { ANCHORS_MOST = 4 };

/* A card is slow if it is more than this percentage slower than the median of all cards. Healthy
 * cards of one model differ by up to 2 %. */
#define CARD_SLOW_PCT 3.0

/* What a card measured while no other card was measuring. */
struct card_speed {
    char name[120];               /* the card's UUID, or another name */
    VEC(double) read_gbs;         /* every measured read ceiling */
    VEC(double) us[ANCHORS_MOST]; /* every measured median time of each anchor */
    /* cards_compare() sets these ratios. A ratio is NaN if fewer than two cards have a value. */
    double reads; /* the card's median read ceiling divided by the median of all cards */
    /* For each anchor, the card's median time divided by the median of all cards. The median of
     * these ratios. */
    double takes;
};

struct cards {
    VEC(struct card_speed) list;    /* the cards in the order in which they were added */
    uint64_t anchors[ANCHORS_MOST]; /* the anchors' point ids */
    int anchor_count;
};

/* Returns the index of the card with this name, and adds the card if it is new. */
size_t cards_find(struct cards *c, const char *name);

/* Adds a card's read ceiling, or its median time for the anchor with this id. Ignores NaN, and all
 * anchors after the first ANCHORS_MOST. */
void cards_add_ceiling(struct cards *c, size_t card, double read_gbs);
void cards_add_anchor(struct cards *c, size_t card, uint64_t id, double us);

/*
 * Adds the rows of a folder's anchors.csv whose results are correct and that were not measured
 * together with other cards. Rows without a UUID belong to the card `unnamed`. Adds nothing if
 * there is no such file.
 */
bool cards_read_anchors(struct cards *c, const char *folder, const char *unnamed, struct error *e);

/* Sets `reads` and `takes` of every card. */
void cards_compare(struct cards *c);
void cards_free(struct cards *c);

/*
 * Writes why `card`, an index, is slow, for example "it reads 4.0 % more slowly than the median of
 * all 3 cards", or "" if it is at most CARD_SLOW_PCT slower than the median. Returns `why`.
 */
const char *card_slow(const struct cards *c, size_t card, char why[160]);

/*
 * Appends one line per card with its ratios, or, if there are many cards, one line for all of them.
 * Appends nothing if there are fewer than two cards.
 */
void cards_describe(const struct cards *c, struct text *out);

#endif
