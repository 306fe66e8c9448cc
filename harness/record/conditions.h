/*
 * What one session of a run measured under, besides its points: how fast the device moved memory
 * when the session began and ended, where the time went, and whether the harness's own checks
 * passed. One entry per session in run.json. A new member is a member here and one row in
 * conditions.c.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/vec.h"
#include "record/members.h"

/* What the device does at best, timed as points are; NaN: not measured. */
struct ceilings {
    double empty_us;   /* a kernel that does nothing */
    double read_gbs;   /* reading a buffer that fits no cache; 10^9 bytes a second */
    double copy_gbs;   /* copying one, reads and writes counted */
    double write_gbs;  /* filling one */
    int64_t bytes;     /* of that buffer; −1: none */
    char missing[256]; /* why they are missing; "" otherwise */
};

/* Of the contexts that a session's device processes chose; NaN: unknown. */
struct launch_seen {
    int64_t contexts;      /* how many each chose one from; −1: there are none */
    double step_us;        /* event resolution */
    double min_us, max_us; /* a tiny launch in the chosen ones: the shortest and the longest */
    double refused_us;     /* … and in the slowest of those that were not chosen */
};

/*
 * The queue slots of timed launches (docs/measuring.md), as the session's last device process saw
 * them. Missing where slots do not matter or were not examined.
 */
struct position_seen {
    int64_t period;             /* of launch times, in launches; 1: they have none */
    int64_t samples;            /* that decided it */
    double p_shorter, p_longer; /* of half the period, which was rejected, and of longer ones */
    double margin_us;           /* from the best position to the next that can be distinguished */
    double unseen_us;           /* upper bound of what a longer period could still change */
    int64_t profiles, located;  /* how often all that was measured, and found again */
    int64_t batches, repeated;  /* batches of launches timed; those discarded and timed again */
    int64_t unverified;         /* batches whose slot could not be verified */
    int64_t sentinels;          /* empty kernels among them that verified the slot */
};

/* Seconds of wall time; busy_s is the device's own. */
struct phase_times {
    double compile_s;   /* all variants, or finding them in the cache */
    double ceilings_s;  /* measuring ceilings and self-checks */
    double prepare_s;   /* loading code, memory, inputs */
    double reference_s; /* right results, by the CPU */
    double check_s;     /* first launches and what they wrote */
    double time_s;      /* timing: the device works most of it */
    double energy_s;    /* blocks of launches whose energy was measured */
    double count_s;     /* counters */
    double idle_s;      /* the device's process waited for its parent */
    double record_s;    /* writing rows; overlaps with the others but for what is idle */
    double measuring_s; /* from the first group to the last */
    double rows_s;      /* of it: requests up to their last rows, without what a stop threw away */
    double busy_s;      /* of time_s: what the device spent on trials and what prepares them */
};

/* Adds what a group took. */
void phase_times_add(struct phase_times *sum, const struct phase_times *group);

/* A measurement with a known result. */
struct self_check {
    char name[48];
    char meaning[160];
    double expected, found;
    double tolerance; /* relative; 0: exact */
    bool ok;
};

enum { SELF_CHECKS_MOST = 8 };

/*
 * What a search by transfer (docs/search.md) has to say of one problem at one n. It is there once
 * all rows of that search are.
 */
struct search_finding {
    char problem[96]; /* "int32 sum cold complete" */
    char first[17];   /* id of the first point of its group in the plan */
    int64_t n;
    int64_t points;      /* that could have been measured */
    int64_t measured;    /* that were */
    int64_t probes;      /* of these, chosen at random … */
    int64_t within;      /* … and by their own median within 1 % or a clock step of the winner */
    double better_share; /* of the points: so many may be faster than the winner, at most, with a
                            confidence of 95 %, as far as the random points tell */
    double time_us;      /* the winner's median */
    char *tops;          /* ids of the finalists, the best first; owned */
    char *progress;      /* "TIME ID TIME ID": when a batch ended after which another point was the
                            best so far, and when the final ended, as clock_utc_now() writes it;
                            owned */
};

/* Where a session's process runs; "" where it is unknown or does not apply. */
struct site {
    char host[65];
    char cpus[128]; /* those that it may use: "0-15,32-47" */
    char slurm_job[24], slurm_array_job[24], slurm_array_task[24], slurm_restarts[16];
    char slurm_node[65], slurm_partition[65];
};

struct conditions {
    char since[32];       /* when the session began; ISO 8601, UTC */
    int64_t number;       /* of this start or resume of the run, from 1; −1: not recorded */
    int64_t device_index; /* which of the run's devices, from 0; −1: there is one only */
    char uuid[48];        /* of that device; "": as provenance.device */
    char changes[512];    /* of a resumed run: what had changed since it began; "": nothing */
    struct ceilings start, end;
    struct card_state card, card_end; /* when the ceilings of start and end were measured */
    struct site site;
    struct ceilings together; /* measured while all devices of the run measured theirs */
    double drift_pct;         /* conditions_drift_pct(), once the end is measured */
    struct launch_seen launch;
    struct position_seen position;
    VEC(struct self_check) checks;
    VEC(struct search_finding) searches;
    struct phase_times phases;
};

/* One row per member of a session: see members.h. */
extern const struct member conditions_members[];

/* Everything missing; checks, which are owned, are freed by members_free(). */
void conditions_clear(struct conditions *c);

/*
 * Takes in what one device process found: a tiny launch's time in its context and in the slowest
 * of those it tried, and the clock's steps; 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/* From the start's reading ceiling to the end's, in percent of the start's; NaN when unknown. */
double conditions_drift_pct(const struct conditions *c);

#endif
