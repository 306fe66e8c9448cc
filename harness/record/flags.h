/*
 * Flags are facts about a row in addition to its status. The column `flags` of results.csv stores
 * them as words separated by spaces. The column `reason` explains them to people. No code parses
 * `reason` except flags_of_older(), for runs that have no column `flags`.
 */
#ifndef REDSWEEP_RECORD_FLAGS_H
#define REDSWEEP_RECORD_FLAGS_H

#include "record/outcome.h"

enum row_flag {
    /* the clock cannot resolve the point's time, so readers leave the time out */
    FLAG_UNRESOLVED = 1,
    /*
     * a search dropped the point as too slow after few samples, so its median is only approximate
     */
    FLAG_RACED = 2,
    /* it is unknown whether the point's launches were at the fastest position in the driver's queue
     * (docs/measuring.md), so its times may be too long */
    FLAG_UNPLACED = 4,
    /* the point was timed again, because something slowed the device down at first */
    FLAG_RETIMED = 8,
    /* the times come from another run, and nothing was measured */
    FLAG_RECALLED = 16,
    /* the point was measured after the run was resumed under other conditions */
    FLAG_RESUMED = 32,
    /* only a sample of the point's blocks was executed, as the status `sampled` says */
    FLAG_SAMPLED = 64,
    FLAG_COUNTS_VARY = 128, /* the point's counts differ between launches (the fact `counts`) */
    /*
     * the point was skipped, because three of its kernel's points in a row had failed with this
     * status; --retry with the status measures the skipped points, too
     */
    FLAG_GIVEN_UP_LAUNCH_ERROR = 256,
    FLAG_GIVEN_UP_TIMEOUT = 512,
    FLAG_GIVEN_UP_CRASHED = 1024,
    FLAGS_END = 2048
};

enum { FLAGS_TEXT = 160 };

/* Writes the flags' names separated by spaces, such as "unresolved raced", or "" if there are none.
 * Returns `text`. */
const char *flags_text(unsigned flags, char text[FLAGS_TEXT]);

/* Parses a cell of the column `flags`. Returns false if a word in it is not a flag. */
bool flags_parse(const char *cell, unsigned *out);

/* Derives a row's flags from its other cells, for runs without the column `flags`. */
unsigned flags_of_older(const char *backend, const char *status, const char *reason,
                        const char *stopped_by);

/*
 * A run gives up on a kernel after several failures with the same status, and skips the kernel's
 * other points. flags_given_up() returns this status for the flags of a skipped point, or
 * STATUS_COUNT for other flags. flag_of_given_up() returns the flag for this status, or 0 for other
 * statuses.
 */
enum status flags_given_up(unsigned flags);
unsigned flag_of_given_up(enum status status);

#endif
