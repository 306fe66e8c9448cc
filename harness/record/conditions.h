/*
 * What a run was measured under, besides its points: how fast the device moved memory when the run
 * began and ended, where the time went, and whether the harness found itself telling the truth.
 * Goes into results.json as "conditions", one entry a session.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What the device does at best, timed as points are; NaN: not measured. */
struct ceilings {
    double empty_us;   /* a kernel that does nothing */
    double read_gbs;   /* reading a buffer that fits no cache; 10^9 bytes a second */
    double copy_gbs;   /* copying one, reads and writes counted */
    double write_gbs;  /* filling one */
    uint64_t bytes;    /* of that buffer */
    char missing[256]; /* why they are missing; "" otherwise */
};

/* Of the contexts that a session's device processes chose; NaN: unknown. */
struct launch_seen {
    int contexts;            /* how many each chose one from; 0: there are none */
    double step_us;          /* by which times are told apart */
    double least_us, most_us; /* a tiny launch in the chosen ones: the shortest and the longest */
    double refused_us;       /* … and in the slowest of those that were not chosen */
};

/* Seconds of wall time; busy_s is the device's own. */
struct phase_times {
    double compile_s;   /* all variants, or finding them in the cache */
    double ceilings_s;  /* measuring ceilings and self-checks */
    double prepare_s;   /* loading code, memory, inputs */
    double reference_s; /* right results, by the CPU */
    double check_s;     /* first launches and what they wrote */
    double time_s;      /* timing: the device works most of it */
    double count_s;     /* counters */
    double idle_s;      /* the device's process waited for its parent */
    double record_s;    /* writing rows; overlaps with the others but for what is idle */
    double measuring_s; /* from the first group to the last */
    double busy_s;      /* of time_s: what the device spent on trials and what prepares them */
};

/* One thing that must come out as it is known beforehand. */
struct self_check {
    char name[48];
    char meaning[160];
    double expected, found;
    double tolerance; /* relative; 0: exact */
    bool ok;
};

enum { SELF_CHECKS_MOST = 8 };

struct conditions {
    struct ceilings start, end;
    struct launch_seen launch;
    struct phase_times phases;
    struct self_check checks[SELF_CHECKS_MOST];
    int check_count;
    const char *earlier; /* the same of the sessions before, as JSON objects with commas between
                            them; NULL: this is the first session */
};

/* Everything missing. */
void conditions_clear(struct conditions *c);

/*
 * Takes in what one device process found: a tiny launch's time in its context and in the slowest
 * of those it tried, and the clock's steps; 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/* From the start's reading ceiling to the end's, in percent of the start's; NaN when unknown. */
double conditions_drift_pct(const struct conditions *c);

/* Whether all self-checks passed; true when there were none. */
bool conditions_hold(const struct conditions *c);

#endif
