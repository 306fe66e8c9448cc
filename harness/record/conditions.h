/*
 * The conditions of one session of a run, besides its points: how fast the device moved memory at
 * its beginning and end, how long each phase took, and whether the harness's own checks passed. One
 * entry per session in run.json. A new member is a member here and one row in conditions.c.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/vec.h"
#include "record/members.h"

/* The device's best performance, timed like points; NaN: not measured. */
struct ceilings {
    double empty_us;   /* a kernel that does nothing */
    double read_gbs;   /* reading a buffer that fits no cache; 10^9 bytes a second */
    double copy_gbs;   /* copying a buffer; reads and writes both count */
    double write_gbs;  /* filling one */
    int64_t bytes;     /* size of that buffer; −1: none */
    char missing[256]; /* why they are missing; "" otherwise */
};

/* The contexts that a session's device processes chose; NaN: unknown. */
struct launch_seen {
    int64_t contexts;      /* from how many each chose one; −1: there are none */
    double step_us;        /* event resolution */
    double min_us, max_us; /* shortest and longest tiny launch in the chosen ones */
    double refused_us;     /* … and in the slowest of those that were not chosen */
};

/*
 * The queue slots of timed launches (docs/measuring.md), as the session's last device process saw
 * them. Missing where slots do not matter or were not examined.
 */
struct position_seen {
    int64_t period;             /* period of launch times, in launches; 1: none */
    int64_t samples;            /* that decided it */
    double p_shorter, p_longer; /* of half the period, which was rejected, and of longer ones */
    double margin_us;           /* from the best position to the next that can be distinguished */
    double unseen_us;           /* upper bound of the effect of a longer period */
    int64_t profiles, located;  /* how often the whole profile was measured, and located again */
    int64_t batches, repeated;  /* batches of launches timed; those discarded and timed again */
    int64_t unverified;         /* batches whose slot could not be verified */
    int64_t sentinels;          /* empty kernels among them that verified the slot */
};

/* Seconds of wall time; busy_s is the device's own. */
struct phase_times {
    double compile_s;   /* compiling all variants, or finding them in the cache */
    double ceilings_s;  /* measuring ceilings and self-checks */
    double prepare_s;   /* loading code, memory, inputs */
    double reference_s; /* right results, by the CPU */
    double check_s;     /* first launches and their results */
    double time_s;      /* timing: the device works for most of it */
    double energy_s;    /* blocks of launches whose energy was measured */
    double count_s;     /* counters */
    double idle_s;      /* the device's process waited for its parent */
    double record_s;    /* writing rows; overlaps with all others but idle time */
    double measuring_s; /* from the first group to the last */
    double rows_s;      /* the part in requests that delivered rows; without work lost at a stop */
    double busy_s;      /* of time_s: what the device spent on trials and what prepares them */
};

/* Adds the times of a group. */
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
 * The finding of a search by transfer (docs/search.md) for one problem at one n. It is present once
 * all rows of that search are.
 */
struct search_finding {
    char problem[96]; /* "int32 sum cold complete" */
    char first[17];   /* id of the first point of its group in the plan */
    int64_t n;
    int64_t points;      /* points that could have been measured */
    int64_t measured;    /* that were */
    int64_t probes;      /* points of these that were chosen at random … */
    int64_t within;      /* … and whose own median is within 1 % or a clock step of the winner */
    double better_share; /* upper bound, with a confidence of 95 %, of the share of points that may
                            be faster than the winner, from the random points */
    double time_us;      /* the winner's median */
    char *tops;          /* ids of the finalists, the best first; owned */
    char *progress;      /* "TIME ID TIME ID": the end of each batch after which another point was
                            the best so far, and the end of the final, as written by
                            clock_utc_now(); owned */
};

/* The host of a session's process; "" if unknown or not applicable. */
struct site {
    char host[65];
    char cpus[128]; /* CPUs that it may use: "0-15,32-47" */
    char slurm_job[24], slurm_array_job[24], slurm_array_task[24], slurm_restarts[16];
    char slurm_node[65], slurm_partition[65];
};

struct conditions {
    char since[32];       /* when the session began; ISO 8601, UTC */
    int64_t number;       /* of this start or resume of the run, from 1; −1: not recorded */
    int64_t device_index; /* its number among the run's devices, from 0; −1: there is only one */
    char uuid[48];        /* of that device; "": as provenance.device */
    char changes[512];    /* for a resumed run: what had changed since it began; "": nothing */
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

/* Makes all members missing; checks, which are owned, are freed by members_free(). */
void conditions_clear(struct conditions *c);

/*
 * Includes the findings of one device process: a tiny launch's time in its context and in the
 * slowest of those it tried, and the clock's steps; 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/* The change of the read ceiling from start to end, in percent of the start's; NaN if unknown. */
double conditions_drift_pct(const struct conditions *c);

#endif
