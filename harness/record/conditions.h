/*
 * Describes the conditions of one session of a run on one device. The conditions say how fast the
 * device moved data at the beginning and at the end, how long each phase took, and whether the
 * harness's own checks passed. Each session is an entry of run.json. To add a member, add it here
 * and add one row in conditions.c.
 */
#ifndef REDSWEEP_RECORD_CONDITIONS_H
#define REDSWEEP_RECORD_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/health.h"
#include "base/vec.h"
#include "record/members.h"

/* The ceilings of a device, which are timed like points. A member is NaN if it was not measured. */
struct ceilings {
    double empty_us; /* the time of a kernel that does nothing */
    /* The rate of reading a buffer that does not fit into any cache, in 10^9 bytes per second. */
    double read_gbs;
    /* the rate of copying that buffer; both the bytes read and the bytes written are counted */
    double copy_gbs;
    double write_gbs;  /* the rate of filling that buffer */
    int64_t bytes;     /* the size of that buffer; −1 if there was none */
    char missing[256]; /* why the ceilings are missing, or "" */
};

/*
 * Contains what the device processes of a session observed about their contexts. A time is NaN if
 * it is unknown.
 */
struct launch_seen {
    /*
     * Each process chose one of this many contexts. The value −1 means that the device has no
     * contexts.
     */
    int64_t contexts;
    double step_us; /* the resolution of event times */
    /* The shortest and the longest time of a tiny launch in the chosen contexts. */
    double min_us, max_us;
    double refused_us; /* the longest time of a tiny launch in a context that was not chosen */
};

/*
 * Describes the queue slots of timed launches (docs/measuring.md), as the last device process of
 * the session observed them. The members are missing if the slots do not affect times, or if they
 * were not examined.
 */
struct position_seen {
    int64_t period;  /* the period of launch times in launches; 1 if there is none */
    int64_t samples; /* the number of samples from which the period was found */
    /*
     * `p_shorter` is the p-value of the test that rejected half of this period. `p_longer` is the
     * p-value of the test of this period against all longer periods.
     */
    double p_shorter, p_longer;
    double margin_us; /* how much longer launches take at the next distinguishable position than at
                         the best one */
    double unseen_us; /* the upper bound on the effect of a longer period */
    /*
     * These members count how often the profile was measured, and how often the position in it was
     * found again.
     */
    int64_t profiles, located;
    /* the number of batches of launches that were timed, and the number that were timed again */
    int64_t batches, repeated;
    int64_t unverified; /* the number of batches whose slot could not be verified */
    int64_t sentinels;  /* the number of empty kernels that were timed to verify the slot */
};

/* Each member is the duration of a phase, as wall time in seconds. Only busy_s is measured by the
 * device. */
struct phase_times {
    double compile_s;   /* the time to compile all variants, or to find them in the cache */
    double ceilings_s;  /* the time to measure the ceilings and run the self-checks */
    double prepare_s;   /* the time to load code, allocate memory and make inputs */
    double reference_s; /* the time to compute the right results on the CPU */
    double check_s;     /* the time to launch each point once and check its result */
    double time_s;      /* the time to take samples; the device is busy for most of it */
    double energy_s;    /* the time to measure energy */
    double count_s;     /* the time to read counters */
    double idle_s;      /* the time that the device's process waited for its parent */
    double record_s; /* the time to write rows, which overlaps with all phases except idle time */
    double measuring_s; /* the time from the first group to the last */
    /* The part of measuring_s that was spent on requests up to their last row. It excludes work
     * that was lost when the run was stopped. */
    double rows_s;
    double busy_s; /* the part of time_s in which the device ran trials or prepared them */
};

/* Adds the times of a group. */
void phase_times_add(struct phase_times *sum, const struct phase_times *group);

/* Describes a measurement whose correct result is known in advance. */
struct self_check {
    char name[48];
    char meaning[160];
    double expected, found;
    double tolerance; /* the relative tolerance; 0 requires equality */
    bool ok;
};

enum { SELF_CHECKS_MOST = 8 };

/* The result of a transfer search (docs/search.md) for one problem at one n. It is recorded after
 * all rows of that search. */
struct search_finding {
    char problem[96]; /* the problem, such as "int32 sum cold complete" */
    char first[17];   /* the id of the first point of the problem's group */
    int64_t n;
    int64_t points;   /* the number of points that could have been measured */
    int64_t measured; /* the number of points that were measured */
    int64_t probes;   /* the number of measured points that were chosen at random */
    /*
     * The number of random points whose median differs from the winner's median by at most 1 % or
     * one clock step.
     */
    int64_t within;
    /* An upper bound, with 95 % confidence, on the share of points that may be faster than the
     * winner. It is computed from the random points. */
    double better_share;
    double time_us; /* the median time of the winner */
    char *tops;     /* the ids of the finalists, best first; owned */
    /*
     * The string contains pairs of a time and an id, "TIME ID TIME ID". There is a pair for each
     * batch after which a new point was the best so far: the time at which the batch ended, and the
     * id of that point. The last pair is for the final. clock_utc_now() writes the times. The
     * struct owns the string.
     */
    char *progress;
};

/* Describes the host of a session's process. A member is "" if it is unknown or does not apply. */
struct site {
    char host[65];
    char cpus[128]; /* the CPUs that the process may use, such as "0-15,32-47" */
    char slurm_job[24], slurm_array_job[24], slurm_array_task[24], slurm_restarts[16];
    char slurm_node[65], slurm_partition[65];
};

struct conditions {
    char since[32]; /* the time when the session began, in ISO 8601 and UTC */
    /*
     * the number of this session of the run, from 1 (each start or resume begins a session); −1:
     * unknown
     */
    int64_t number;
    int64_t device_index; /* the index of the device in the run, from 0; −1 if there is only one */
    char uuid[48];        /* the UUID of that device; "" if provenance.device gives it */
    /* If the run was resumed, this lists what had changed since the run began. It is "" if nothing
     * had changed. */
    char changes[512];
    struct ceilings start, end;
    /* the states of the card when the ceilings `start` and `end` were measured */
    struct card_state card, card_end;
    struct site site;
    /* the ceilings that were measured while all devices of the run measured their ceilings */
    struct ceilings together;
    double drift_pct; /* the result of conditions_drift_pct() once `end` was measured */
    struct launch_seen launch;
    struct position_seen position;
    VEC(struct self_check) checks;
    VEC(struct search_finding) searches;
    struct phase_times phases;
};

/* One row per member of a session (members.h). */
extern const struct member conditions_members[];

/* Sets all members to missing. members_free() frees the lists, which the conditions own. */
void conditions_clear(struct conditions *c);

/*
 * Adds the observations of one device process. `launch_us` is the time of a tiny launch in the
 * context that the process chose. `refused_us` is the time of a tiny launch in the slowest context
 * that the process tried. `step_us` is the step of the clock. A time of 0 or less is unknown.
 */
void conditions_launch(struct conditions *c, int contexts, double step_us, double launch_us,
                       double refused_us);

/*
 * Returns the change of the read ceiling from the start to the end, in percent of its value at the
 * start, or NaN if it is unknown.
 */
double conditions_drift_pct(const struct conditions *c);

#endif
