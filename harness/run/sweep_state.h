/*
 * The state of running sweeps, which the files in this folder share. A sweep measures the points of
 * a plan. Points with the same input form a group. A sweep has a lane for each of its devices. A
 * lane has a worker process, which uses the device, and measures one batch of points after another.
 * A source chooses the points of each batch. A side is a folder to which the rows are written.
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

/* The samples and metrics that the worker has reported so far for a point without an outcome. */
struct pending {
    VEC(double) samples;
    double *metrics; /* NULL: none were reported */
};

/*
 * A folder to which a sweep writes a run. An ordinary sweep has one side. A gate has two, one for
 * each version of its kernels.
 */
struct sweep_side {
    const char *name; /* "baseline" or "candidate"; "" without a gate */
    char folder[4200];
    struct plan plan;         /* for a gate: the side's points (plan_side()) */
    struct manifest manifest; /* all sides share the sessions, which the first side owns */
    struct record *record;
    int lock; /* the lock on the folder; −1: none */
};

/*
 * The parts of a request: the first launch of each point, which checks its result; the timed
 * launches; and the launches that read counters.
 */
enum request_part { PART_CHECK, PART_TIME, PART_COUNT, REQUEST_PARTS };
enum { REQUEST_STEPS = 16 };
enum { MARK_SIZE = 401 }; /* the size of sweep.mark, with its NUL */

/*
 * The progress of the current request. For each part, `count` is the number of points reported (for
 * PART_TIME, of samples), and `last_s` is when the last report came. `steps_s` contains the time at
 * which each sixteenth of the points was reported.
 */
struct request_reports {
    double count[REQUEST_PARTS], last_s[REQUEST_PARTS], steps_s[REQUEST_PARTS][REQUEST_STEPS];
    double last_row_s;
};

/*
 * How requests spend their time. `seconds` is the share of each part, `steps` is the share of a
 * part's time that had passed at each of the part's steps, and `samples` is the number of samples
 * per point.
 */
struct request_shares {
    double seconds[REQUEST_PARTS], steps[REQUEST_PARTS][REQUEST_STEPS], samples;
};

/* The number of consecutive failures of a kernel with the same status (give_up.c). */
struct streak {
    enum status status;
    int count;
    uint64_t passed; /* the id of the kernel's last point that passed the check; 0: none since the
                        last failure */
};

#define NO_GROUP UINT32_MAX
#define NO_KERNEL UINT32_MAX

/* The current job of a lane. */
enum lane_state {
    LANE_IDLE,      /* the lane has no job */
    LANE_OPENING,   /* a new worker is opening the device */
    LANE_ASKING,    /* the worker finds out whether the device has a counter */
    LANE_RESTING,   /* the device did not open; the lane will try again in a moment */
    LANE_WAITING,   /* the machine must first release a worker, or be able to start one */
    LANE_PROVING,   /* after too many lost workers, the worker shows whether the device still
                       works */
    LANE_COMPILING, /* the worker is compiling variants into the cache */
    LANE_CEILINGS,  /* the worker is measuring the achievable bandwidth */
    LANE_MEASURING, /* the worker is measuring points of the lane's batch */
    LANE_ENDED,     /* the lane's device no longer works */
    LANE_STATES
};

/* A device, the worker process that uses it, and the current job. */
struct lane {
    struct sweep *sweep;
    struct supervisor supervisor;
    struct run_setup setup;        /* the sweep's, with this lane's device */
    struct conditions *conditions; /* the conditions of this session on this device */
    size_t session;                /* the index of the session in the manifest */
    enum lane_state state;
    double began_s;     /* when the job began */
    double heard_cpu_s; /* the worker's CPU time at its last report on the current request */
    /*
     * the device was open before; if it cannot be opened again, this counts as a lost worker, and
     * the sweep continues
     */
    bool opened;
    double waiting_since_s; /* when the lane began to wait for the machine; 0: it is not waiting */
    int step;               /* how many jobs the lane has begun in this stage */

    struct batch batch;               /* the current batch; its source is NULL if there is none */
    struct pending *pending;          /* the reports so far on each point of the batch */
    bool *done;                       /* for each point of the batch, whether it has an outcome */
    uint32_t left, first;             /* the number of points without an outcome, and the index of
                                         the first one in the batch */
    bool solo;                        /* each request has only one point */
    uint64_t given_up_seen;           /* sweep->given_up_count when the batch was last examined */
    uint64_t by_status[STATUS_COUNT]; /* the number of the batch's rows with each status */

    struct group_request *request; /* the request that the worker is measuring; NULL: none */
    struct request_reports reports;
    uint32_t begun;          /* the index of the point being measured; POINT_BATCH: several at
                                once */
    double stop_asked_s;     /* when the worker was asked to end the group early; 0: it was not */
    double measured_until_s; /* when the last request ended */
    uint64_t printed_by;     /* the id of the point whose kernel printed last */
    uint64_t printed_lines;  /* how many lines this point has printed */

    int lost_in_a_row;
    bool doubted; /* too many workers were lost, so the device must prove that it still works */
    bool failed;  /* the device is given up */
    char lost_why[304];
    struct streak *streaks;  /* each kernel's failures in a row */
    uint32_t failing_kernel; /* the kernel that will be given up; NO_KERNEL: none */

    uint32_t *variants; /* indices of the variants to compile; NULL until compiling begins */
    size_t variant_count, variants_done, variants_sent;
    /* where to store the ceilings that are being measured */
    struct ceilings *ceilings;
    uint32_t anchor_groups; /* how many groups of anchors the lane has begun in this stage */
    /* the median time of each anchor in each stage; NaN: not measured */
    double anchor_us[ANCHOR_TIMES][ANCHORS_MOST];
};

/* Which counters the first lane's device has, as far as it was asked. */
struct counters {
    VEC(struct counter_answer {
        char *name;
        struct answer answer;
    })
    known;
    /* the counter that the device was asked for last; NULL: none, or it was asked about passes */
    char *asked;
    bool settled; /* the metrics were chosen */
    int passes;   /* for a dry run: how many passes counting needs; −1: not known yet */
    int losses;   /* how many workers ended while they were asked */
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    bool over;           /* the sweep has ended and skips all further stages */
    const char *on_disk; /* the folder of the run (for a gate: the candidate's); NULL: none yet */
    /* on_disk, quoted for a shell; prepared in advance, because memory may run out */
    struct text resume_word;
    double stage_since_s;
    int device_count;   /* how many devices work at the same time, in all sweeps */
    struct lane *lanes; /* the plan is made for the first lane's device */
    int lane_count;
    struct source *source;  /* chooses the sweep's points */
    struct source *anchors; /* chooses the anchors; NULL: no cards are compared */
    struct plan *plan;
    struct device_limits planned_for;
    struct text no_device; /* for a dry run: why no device could be opened, or "" */
    struct counters counters;
    struct metric_plan metrics;
    struct sweep_side *sides;
    int side_count;
    struct conditions *conditions; /* the conditions of this session on the first lane's device */
    struct row_times *rows;        /* the row of each point; status STATUS_COUNT: the point has no
                                      row yet */
    uint64_t recorded_count;       /* rows from earlier sessions */
    bool refused;                  /* the run cannot be resumed, because its rows are not points of
                                      its config */
    char **uncompiled;             /* for each variant, why it does not compile; NULL: it may
                                      compile */
    bool *told;                    /* whether each variant's compiler error was printed */
    /*
     * what had changed when the run was resumed, in up to MARK_SIZE bytes, written before the
     * reason in each new row; "": nothing
     */
    const char *mark;
    struct progress progress, phases;
    struct time_left time_left[2]; /* the time left for points on the device, and for CPU
                                      functions */
    /* a mean over all requests so far, in which later ones weigh more */
    struct request_shares shares;
    struct text counter_names; /* the names of all counters, each with a NUL, as requests contain
                                  them */
    enum status *given_up;     /* the status because of which each kernel was given up; 0: it was
                                  not */
    uint64_t given_up_count;
    struct {
        pid_t process;         /* the process that is writing the page; 0: none */
        double began_s, due_s; /* when that process began, and when the next one may begin */
        uint64_t rows;         /* the number of rows in the last page */
        bool failed;           /* writing failed; do not try again */
    } page;
    double waiting_since_s; /* when the first row that is not on disk was collected; 0: all are on
                               disk */
};

/* The sweeps that run at the same time: one, or with --each one for each device. */
struct sweeps {
    struct sweep *items;
    int count;
};

#define SWEEP_FLUSH_AFTER_S 0.1 /* the longest time until a row is written to disk */

#endif
