/*
 * The conditions of one session of a run on one device: how fast the device moved data at the
 * beginning and at the end, how long each phase took, and whether the harness's own checks passed.
 * Each session is an entry in run.json. To add a member, add it here and add a row in conditions.c.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/vec.h"
#include "record/members.h"

/* A device's ceilings, which are timed like points. A member is NaN if it was not measured. */
struct ceilings {
    double empty_us; /* the time of a kernel that does nothing */
    /* How fast a buffer that does not fit into any cache is read, in 10^9 bytes per second. */
    double read_gbs;
    /* how fast that buffer is copied; bytes read and bytes written both count */
    double copy_gbs;
    double write_gbs;  /* how fast that buffer is filled */
    int64_t bytes;     /* that buffer's size; −1 if there was none */
    char missing[256]; /* why the ceilings are missing, or "" */
};

/*
 * What a session's device processes observed about their contexts. A time is NaN if it is unknown.
 */
struct launch_seen {
    /* Each process chose one of this many contexts; −1 if the device has no contexts. */
    int64_t contexts;
    double step_us; /* the resolution of event times */
    /* The shortest and the longest time of a tiny launch in a chosen context. */
    double min_us, max_us;
    double refused_us; /* the longest time of a tiny launch in a rejected context */
};

/*
 * The queue slots of timed launches (docs/measuring.md), as the session's last device process
 * observed them. The members are missing if the slots do not affect times, or were not examined.
 */
struct position_seen {
    int64_t period;  /* after how many launches the times repeat; 1 if they do not */
    int64_t samples; /* how many samples the period was found from */
    /*
     * `p_shorter` is the p-value of the test that rejected half of this period, `p_longer` that of
     * the test of this period against all longer ones.
     */
    double p_shorter, p_longer;
    /* how much longer launches take at the next distinguishable position than at the best */
    double margin_us;
    double unseen_us; /* an upper bound on the effect of a longer period */
    /* How often the profile was measured, and how often the position in it was found again. */
    int64_t profiles, located;
    /* how many batches of launches were timed, and how many were timed again */
    int64_t batches, repeated;
    int64_t unverified; /* how many batches have an unverified slot */
    int64_t sentinels;  /* how many empty kernels were timed to verify the slot */
};

/* How long each phase took, as wall time in seconds. The device measures only busy_s. */
struct phase_times {
    double compile_s;   /* compiling all variants, or finding them in the cache */
    double ceilings_s;  /* measuring the ceilings and running the self-checks */
    double prepare_s;   /* loading code, allocating memory and making inputs */
    double reference_s; /* computing the correct results on the CPU */
    double check_s;     /* launching each point once and checking its result */
    double time_s;      /* taking samples; the device is busy for most of it */
    double energy_s;    /* measuring energy */
    double count_s;     /* reading counters */
    double idle_s;      /* the device's process waiting for its parent */
    double record_s;    /* writing rows, which overlaps with every phase except idle time */
    double measuring_s; /* from the first group to the last */
    /* The part of measuring_s that was spent on requests up to their last row. Excludes work that
     * was lost when the run was stopped. */
    double rows_s;
    double busy_s; /* the part of time_s in which the device prepared or ran trials */
};

/* Adds a group's times. */
void phase_times_add(struct phase_times *sum, const struct phase_times *group);

/* A measurement whose correct result is known in advance. */
struct self_check {
    char name[48];
    char meaning[160];
    double expected, found;
    double tolerance; /* the relative tolerance; 0 requires equality */
    bool ok;
};

enum { SELF_CHECKS_MOST = 8 };

/* The result of a transfer search (docs/search.md) for one problem at one n, recorded after all
 * rows of that search. */
struct search_finding {
    char problem[96]; /* the problem, such as "int32 sum cold complete" */
    char first[17];   /* the id of the first point in the problem's group */
    int64_t n;
    int64_t points;   /* how many points could have been measured */
    int64_t measured; /* how many points were measured */
    int64_t probes;   /* how many of the measured points were chosen at random */
    /* How many random points have a median within 1 % or one clock step of the winner's. */
    int64_t within;
    /* An upper bound, with 95 % confidence, on the share of points that may be faster than the
     * winner, computed from the random points. */
    double better_share;
    double time_us; /* the winner's median time */
    char *tops;     /* the finalists' ids, best first; owned */
    /*
     * Pairs "TIME ID TIME ID", one for each batch after which a new point was the best so far: when
     * the batch ended, and that point's id. The last pair is for the final. clock_utc_now() writes
     * the times. Owned.
     */
    char *progress;
};

/* The host of a session's process. A member is "" if it is unknown or does not apply. */
struct site {
    char host[65];
    char cpus[128]; /* which CPUs the process may use, such as "0-15,32-47" */
    char slurm_job[24], slurm_array_job[24], slurm_array_task[24], slurm_restarts[16];
    char slurm_node[65], slurm_partition[65];
};

struct conditions {
    char since[32]; /* when the session began, in ISO 8601 and UTC */
    /*
     * the session's number in the run, from 1 (each start or resume begins a session); −1: unknown
     */
    int64_t number;
    int64_t device_index; /* the device's index in the run, from 0; −1 if there is only one */
    char uuid[48];        /* the device's UUID; "" if provenance.device gives it */
    /* What had changed since the run began, if the run was resumed. "" if nothing had changed. */
    char changes[512];
    struct ceilings start, end;
    /* the card's state when the ceilings `start` and `end` were measured */
    struct card_state card, card_end;
    struct site site;
    /* ceilings measured while all of the run's devices measured theirs */
    struct ceilings together;
    double drift_pct; /* conditions_drift_pct() after `end` was measured */
    struct launch_seen launch;
    struct position_seen position;
    VEC(struct self_check) checks;
    VEC(struct search_finding) searches;
    struct phase_times phases;
};

/* One row per member of a session (members.h). */
extern const struct member conditions_members[];

/* Sets all members to missing. The conditions own their lists; members_free() frees them. */
void conditions_clear(struct conditions *c);

/*
 * Adds what one device process observed. `launch_us` is the time of a tiny launch in the context
 * that the process chose, `refused_us` in the slowest context that it tried. `step_us` is the
 * clock's resolution. A time of 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/*
 * Returns the change of the read ceiling from start to end, in percent of the start, or NaN if it
 * is unknown.
 */
double conditions_drift_pct(const struct conditions *c);

#endif
