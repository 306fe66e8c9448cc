/*
 * Facts about a row besides its status: the column `flags` of results.csv, words separated by
 * blanks. Its `reason` says the same, and more, in words for people; only flags_of_older() parses
 * it, for runs older than the column.
 */
#ifndef REDSWEEP_RECORD_FLAGS_H
#define REDSWEEP_RECORD_FLAGS_H

#include "record/outcome.h"

enum row_flag {
    FLAG_UNRESOLVED = 1, /* the clock hardly resolves its time, which readers leave out */
    FLAG_RACED = 2,      /* it lost a race when it had few samples: its median is no verdict */
    FLAG_UNPLACED = 4,   /* queue slots were not verified: its times may be too long */
    FLAG_RETIMED = 8,    /* its first samples were taken while the device was slowed down */
    FLAG_RECALLED = 16,  /* its times come from another run, and nothing was measured */
    FLAG_RESUMED = 32,   /* a resume under other conditions than the run's first measured it */
    FLAG_SAMPLED = 64,   /* a sample of its blocks was executed (the status of such a row, too) */
    FLAG_COUNTS_VARY = 128, /* its counts differ from launch to launch (the fact `counts`) */
    /* It was skipped because its kernel had failed this way at three points in a row; --retry with
     * that status measures it as well. */
    FLAG_GIVEN_UP_LAUNCH_ERROR = 256,
    FLAG_GIVEN_UP_TIMEOUT = 512,
    FLAG_GIVEN_UP_CRASHED = 1024,
    FLAGS_END = 2048
};

enum { FLAGS_TEXT = 160 };

/* "unresolved raced"; "" for none. Returns `text`. */
const char *flags_text(unsigned flags, char text[FLAGS_TEXT]);

/* Parses a cell of the column; returns false if a word in it is not a flag. */
bool flags_parse(const char *cell, unsigned *out);

/* The flags of a row in a run without that column, from its other cells. */
unsigned flags_of_older(const char *backend, const char *status, const char *reason,
                        const char *stopped_by);

/* The status with which the row's kernel was given up, and its flag; STATUS_COUNT and 0: it was not
 * given up, or not with this status. */
enum status flags_given_up(unsigned flags);
unsigned flag_of_given_up(enum status status);

#endif
