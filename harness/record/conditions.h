/*
 * The conditions of one session of a run on one device: how fast the device moved data at the
 * beginning and at the end, how long each phase took, and whether the self-checks passed. Each
 * start or resumption of a run is a session, and each session is an entry in run.json. To add a
 * member, add it here and add a row in conditions.c.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/vec.h"
#include "record/members.h"

/* A device's ceilings, the best times and bandwidths that it achieves, timed like points. A member
 * is NaN if it was not measured. */
struct ceilings {
    double empty_us; /* the time of a kernel that does nothing */
    /* How fast a buffer that does not fit into any cache is read, in 10^9 bytes per second. */
    double read_gbs;
    /* How fast such a buffer is copied. Both the bytes read and the bytes written are counted. */
    double copy_gbs;
    double write_gbs;  /* how fast such a buffer is filled */
    int64_t bytes;     /* the size of this buffer; −1 if there was none */
    char missing[256]; /* why the ceilings are missing, or "" */
};

/*
 * What a session's device processes observed about launches. Each process tries several CUDA
 * contexts and uses the one with the fastest launches. A time is NaN if it is unknown.
 */
struct launch_seen {
    /* How many contexts each process tried; −1 if the device has no contexts. */
    int64_t contexts;
    double step_us; /* the resolution of event times */
    /* The shortest and the longest time that a tiny launch took in a context that was used. */
    double min_us, max_us;
    double refused_us; /* the longest time that a tiny launch took in a context that was tried */
};

/*
 * How the time of a launch depends on its position in the driver's queue (docs/measuring.md), as
 * the session's last device process observed it. The queue has `period` positions, or slots, which
 * launches take in turn. The members are missing if positions do not affect times, or were not
 * examined.
 */
struct position_seen {
    int64_t period;  /* after how many launches the pattern of times repeats; 1: no pattern */
    int64_t samples; /* from how many samples the period was determined */
    /*
     * `p_shorter` is the p-value with which a period half as long was rejected. `p_longer` is the
     * p-value of the test of this period against all longer ones.
     */
    double p_shorter, p_longer;
    /* How much longer a launch takes at the second-best position than at the best one. Positions
     * whose times cannot be distinguished count as one. */
    double margin_us;
    double unseen_us; /* an upper bound on the effect of a longer period */
    /* How often the times at all positions were measured, and how often the current position was
     * determined again from these times. */
    int64_t profiles, located;
    /* how many batches of launches were timed, and how many were timed again */
    int64_t batches, repeated;
    int64_t unverified; /* how many batches were at a position that could not be verified */
    int64_t sentinels;  /* how many empty kernels were timed to verify positions */
};

/*
 * How long each phase took, in seconds of wall time. Only busy_s is measured by the device's clock.
 */
struct phase_times {
    double compile_s;   /* compiling all variants, or finding them in the cache */
    double ceilings_s;  /* measuring the ceilings and running the self-checks */
    double prepare_s;   /* loading code, allocating memory and making inputs */
    double reference_s; /* computing the correct results on the CPU */
    double check_s;     /* launching each point once and checking its result */
    double time_s;      /* taking samples; the device is busy for most of it */
    double energy_s;    /* measuring energy */
    double count_s;     /* reading counters */
    double idle_s;      /* how long the device's process waited for its parent */
    double record_s;    /* writing rows, at the same time as any phase except idle_s */
    double measuring_s; /* from the start of the first group to the end of the last */
    /* From the start of each request to its last row, added over all requests. Work that was lost
     * when the run was stopped is in measuring_s, but not here. */
    double rows_s;
    double busy_s; /* the part of time_s in which the device prepared or ran trials */
};

/* Adds the times of one group to `sum`. */
void phase_times_add(struct phase_times *sum, const struct phase_times *group);

/* A measurement whose correct result is known in advance. */
struct self_check {
    char name[48];
    char meaning[160];
    double expected, found;
    double tolerance; /* the relative tolerance; 0: `found` must equal `expected` */
    bool ok;
};

enum { SELF_CHECKS_MOST = 8 };

/* The result of a transfer search (docs/search.md) for one problem at one n, recorded after all
 * rows of that search. */
struct search_finding {
    char problem[96]; /* the problem, such as "int32 sum cold complete" */
    char first[17];   /* the id of the first point in the problem's group */
    int64_t n;
    int64_t points;   /* how many points the problem has at this n */
    int64_t measured; /* how many points were measured */
    int64_t probes;   /* how many of the measured points were chosen at random */
    /* How many of the random points have a median time within 1 %, or within one step of the clock,
     * of the winner's. */
    int64_t within;
    /* With 95 % confidence, at most this share of all points is faster than the winner. Computed
     * from the random points. */
    double better_share;
    double time_us; /* the winner's median time */
    char *tops;     /* the ids of the finalists (the best points), fastest first; owned */
    /*
     * How the winner was found: "TIME ID TIME ID …", with one pair for each batch that found a
     * point faster than all earlier ones. TIME is when the batch ended (clock_utc_now()), and ID is
     * the point's id. The last pair is for the comparison of the finalists. Owned.
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
    char since[32];       /* when the session began, in ISO 8601 and UTC */
    int64_t number;       /* the session's number in the run, from 1; −1: unknown */
    int64_t device_index; /* the device's index in the run, from 0; −1 if there is only one */
    char uuid[48];        /* the device's UUID; "" if provenance.device gives it */
    /* What had changed since the run began, for a session that resumed it. "" if nothing had
     * changed. */
    char changes[512];
    struct ceilings start, end;
    /* The card's state when `start` and `end` were measured. */
    struct card_state card, card_end;
    struct site site;
    /* The device's ceilings while all other devices of the run were measuring theirs. */
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

/* Sets all members to missing. Lists are owned; members_free() frees them. */
void conditions_clear(struct conditions *c);

/*
 * Adds what one device process observed to `c->launch`. `launch_us` is the time of a tiny launch in
 * the context that the process uses, `refused_us` its time in the slowest context that the process
 * tried. `step_us` is the resolution of the clock. A time of 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/*
 * Returns the change of the read ceiling from start to end, in percent of the start, or NaN if it
 * is unknown.
 */
double conditions_drift_pct(const struct conditions *c);

#endif
