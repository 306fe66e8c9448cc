/*
 * The state of running sweeps, which the files in this folder share.
 *
 * Calls in this folder go in one direction: source → lane → supervisor → protocol. Each file in the
 * following list includes and calls only files below it (tests/setup/test_headers.sh checks this):
 *
 *   run_command.c        runs a config, for the commands run, resume and gate
 *   each.c               runs a sweep for each device (--each)
 *   summary.c            prints the summary of a run
 *   commands.h           the request of a command that runs a sweep
 *   sweep.c              begins, runs and ends the sweeps that run at the same time
 *   stages.c             takes the sweeps through their stages
 *   begin.c              decides whether a sweep may begin or continue when its devices are open
 *   sides.c              makes and closes the folders to which a sweep writes
 *   judge.c              judges whether a run can be trusted
 *   dry_run.c            prints the plan in numbers
 *   energy_plan.c        estimates what measuring energy takes
 *   sources.c            lists the sources, which choose the next points (source.h)
 *   source_race.c        the source of a race among all points
 *   source_all.c         the source of all points
 *   source_transfer.c    the source of a search
 *   source_asked.c       the source of points that another program requests
 *   source_anchors.c     the source of the points by which cards are compared
 *   points.c             reads points from lines of CSV
 *   agenda.c             puts the groups in order
 *   loop.c               the event loop of the lanes and of sources that wait for input
 *   lane.c               takes a lane and its worker from job to job
 *   job_open.c           opens a device, plans for it, and asks about its counters
 *   job_compile.c        compiles variants
 *   job_ceilings.c       measures achievable bandwidth
 *   lane_batch.c         measures a batch, and decides which point to blame for a loss
 *   request_time.c       estimates the progress of a request and the time left
 *   give_up.c            gives up kernels that keep failing in the same way
 *   live_page.c          writes the page of a run in progress
 *   rows.c               writes rows, and keeps them in memory for sources
 *   sweep_state.h        this file
 *   source.h             what a source is
 *   supervisor.c         the parent's side of a worker process
 *   sweep_options.h      the options of a sweep and its result
 *   device_names.c       finds the devices of a run
 *   folder.c             names the folder of a run
 *   earlier.c            compares the current state with an earlier session's
 *   provenance.c         collects the provenance of a run
 *   time_left.c          estimates how long the remaining points will take
 *   progress.c           shows the progress
 *   processes.c          handles signals
 *   worker.c             the worker, the one process that owns the device
 *   protocol.c           sends messages between the parent and the worker
 *
 * A lane calls its source through struct source_kind and does not depend on any particular source.
 */
#ifndef REDSWEEP_RUN_SWEEP_STATE_H
#define REDSWEEP_RUN_SWEEP_STATE_H

#include "base/vec.h"
#include "record/anchors.h"
#include "record/writer.h"
#include "run/processes.h"
#include "run/progress.h"
#include "run/source.h"
#include "run/supervisor.h"
#include "run/sweep_options.h"
#include "run/time_left.h"

/* The reports so far on a point without an outcome. */
struct pending {
    VEC(double) samples;
    double *metrics; /* NULL: none were reported */
};

/*
 * The folder of one run. A sweep has one side; a gate has two, one for each version of its kernels.
 */
struct sweep_side {
    const char *name; /* "baseline" or "candidate"; "" without a gate */
    char folder[4200];
    struct plan plan;         /* for a gate: the side's points (plan_side()) */
    struct manifest manifest; /* its sessions are owned by the first side */
    struct record *record;
    int lock; /* on the folder; −1: none */
};

/* The parts of a request: the first launch, the timed launches and the counted launches. */
enum request_part { PART_CHECK, PART_TIME, PART_COUNT, REQUEST_PARTS };
enum { REQUEST_STEPS = 16 };
enum { MARK_SIZE = 401 }; /* bytes for the mark before rows' reasons, with its NUL */

/*
 * The progress of the current request: for each part, the number of points (for PART_TIME, of
 * samples) reported, and when the last report came. `steps_s` is when each sixteenth of the points
 * was reported.
 */
struct request_reports {
    double count[REQUEST_PARTS], last_s[REQUEST_PARTS], steps_s[REQUEST_PARTS][REQUEST_STEPS];
    double last_row_s;
};

/*
 * How requests spend their time: each part's share of it, the share of a part's time that had
 * passed at each of its steps, and the number of samples per point.
 */
struct request_shares {
    double seconds[REQUEST_PARTS], steps[REQUEST_PARTS][REQUEST_STEPS], samples;
};

/* Counts how often in a row a kernel has failed with the same status (give_up.c). */
struct streak {
    enum status status;
    int count;
    uint64_t passed; /* the id of its last point that passed the check; 0: none since it failed */
};

#define NO_GROUP UINT32_MAX
#define NO_KERNEL UINT32_MAX

/* The current job of a lane. */
enum lane_state {
    LANE_IDLE,      /* the lane has no job */
    LANE_OPENING,   /* a new worker opens the device */
    LANE_ASKING,    /* the worker says whether the device has a counter */
    LANE_RESTING,   /* the device did not open; the lane will try again in a moment */
    LANE_WAITING,   /* for the machine to release a worker or to be able to start one */
    LANE_PROVING,   /* after too many losses, the worker shows whether the device still works */
    LANE_COMPILING, /* the worker compiles variants into the cache */
    LANE_CEILINGS,  /* the worker measures achievable bandwidth */
    LANE_MEASURING, /* the worker measures a request of the lane's batch */
    LANE_ENDED,     /* the lane's device no longer works */
    LANE_STATES
};

/* A device, the worker that owns it, and its job. */
struct lane {
    struct sweep *sweep;
    struct supervisor supervisor;
    struct run_setup setup;        /* the sweep's, with this lane's device */
    struct conditions *conditions; /* of this session on this device */
    size_t session;                /* its place in the manifest */
    enum lane_state state;
    double began_s;     /* when the job began */
    double heard_cpu_s; /* the worker's CPU time at its last report on the current request */
    /* the device was open before; failing to open it again is a loss, not an error */
    bool opened;
    double waiting_since_s; /* when the lane began to wait for the machine; 0: it does not */
    int step;               /* how many jobs the lane was given in this stage */

    struct batch batch;               /* source NULL: there is none */
    struct pending *pending;          /* reports so far, for each place in the batch */
    bool *done;                       /* whether the point at each place has an outcome */
    uint32_t left, first;             /* points without an outcome, and the place of the first */
    bool solo;                        /* one point per request */
    uint64_t given_up_seen;           /* sweep->given_up_count when the batch was last examined */
    uint64_t by_status[STATUS_COUNT]; /* the batch's rows with each status */

    struct group_request *request; /* being measured; NULL: none */
    struct request_reports reports;
    uint32_t begun;          /* the place of the point being measured; POINT_BATCH: several at
                                once */
    double stop_asked_s;     /* when the worker was asked to end the group; 0: not */
    double measured_until_s; /* when the last request ended */
    uint64_t printed_by;     /* the id of the point whose kernel printed last */
    uint64_t printed_lines;  /* how many lines this point has printed */

    int lost_in_a_row;
    bool doubted; /* after too many losses, the device has to prove that it works */
    bool failed;  /* the device is given up */
    char lost_why[304];
    struct streak *streaks;  /* each kernel's failures in a row */
    uint32_t failing_kernel; /* the kernel that will be given up; NO_KERNEL: none */

    uint32_t *variants; /* the variants to compile; NULL until compiling begins */
    size_t variant_count, variants_done, variants_sent;
    /* where to store the ceilings */
    struct ceilings *ceilings;
    uint32_t anchor_groups; /* how many groups of anchors the lane got this time */
    /* medians of the anchors' times; NaN: not measured */
    double anchor_us[ANCHOR_TIMES][ANCHORS_MOST];
};

/* The answers of the first lane's device about counters. */
struct counters {
    VEC(struct counter_answer {
        char *name;
        struct answer answer;
    })
    known;
    /* the counter that an answer is awaited for; NULL: none, or the answer is about passes */
    char *asked;
    bool settled; /* the metrics were chosen */
    int passes;   /* for a dry run: counting passes; −1: not known yet */
    int losses;   /* workers that ended while being asked */
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    bool over;           /* the sweep takes part in no further stages */
    const char *on_disk; /* the folder of the run (for a gate: the candidate's); NULL: none yet */
    /* on_disk, quoted for a shell; prepared in advance, because memory may run out */
    struct text resume_word;
    double stage_since_s;
    int device_count;   /* devices working at the same time, in all sweeps */
    struct lane *lanes; /* the plan is made for the first lane's device */
    int lane_count;
    struct source *source;  /* of the sweep's points */
    struct source *anchors; /* NULL: no cards are compared */
    struct plan *plan;
    struct device_limits planned_for;
    struct text no_device; /* for a dry run: why no device was opened, or "" */
    struct counters counters;
    struct metric_plan metrics;
    struct sweep_side *sides;
    int side_count;
    struct conditions *conditions; /* of this session on the first lane's device */
    struct row_times *rows;        /* of each point; status STATUS_COUNT: none yet */
    uint64_t recorded_count;       /* rows from earlier sessions */
    bool refused;                  /* the resumed run's rows do not belong to its config */
    char **uncompiled;             /* why each variant is not compiled again; NULL: it may be */
    bool *told;                    /* whether each variant's compiler error was printed */
    /* a prefix for the reasons in all rows, up to MARK_SIZE bytes; "": none */
    const char *mark;
    struct progress progress, phases;
    struct time_left time_left[2]; /* one for points on the device, and one for CPU functions */
    /* a mean over earlier requests, weighted towards the latest */
    struct request_shares shares;
    struct text counter_names; /* as in requests */
    enum status *given_up;     /* the status with which each kernel was given up; 0: it was not */
    uint64_t given_up_count;
    struct {
        pid_t process;         /* writing the page now; 0: none */
        double began_s, due_s; /* when that process began, and when the next one may begin */
        uint64_t rows;         /* in the last page */
        bool failed;           /* writing failed; do not try again */
    } page;
    double waiting_since_s; /* since when a row waits for the disk; 0: none */
};

/* The sweeps that run at the same time: one, or with --each one for each device. */
struct sweeps {
    struct sweep *items;
    int count;
};

#define SWEEP_FLUSH_AFTER_S 0.1 /* the longest that a row waits for the disk */

#endif
