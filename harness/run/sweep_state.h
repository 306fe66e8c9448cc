/*
 * Sweeps while they run: the state shared by the files of this room.
 *
 * Dependencies have one direction in this room: source → lane → supervisor → protocol. Its files,
 * from the top down; each includes and calls only those below it (tests/setup/test_headers.sh
 * checks it):
 *
 *   run_command.c        run, resume and gate: from a config to the folder of a run
 *   each.c               --each: a sweep for each device
 *   summary.c            what a person is told about a run in the end
 *   commands.h           what those who run a sweep ask for
 *   sweep.c              the life of sweeps that run at the same time
 *   stages.c             what they do one after another: open, compile, ceilings, points, ceilings
 *   begin.c              whether a sweep may begin or go on, once its devices are open
 *   sides.c              the folders that it writes
 *   judge.c              whether its run can be trusted
 *   dry_run.c            its plan in numbers
 *   energy_plan.c        what measuring energy takes
 *   sources.c            who chooses the next points (source.h), by name
 *   source_race.c        a race among all points
 *   source_all.c         all points
 *   source_transfer.c    a search
 *   source_asked.c       the points that another program asks for
 *   source_anchors.c     those by which cards are compared
 *   points.c             points as lines of CSV
 *   agenda.c             the order of groups
 *   loop.c               the one event loop: lanes, and input that a source waits for
 *   lane.c               a lane and its worker, from job to job
 *   job_open.c           the job of opening a device, planning for it, and asking what it counts
 *   job_compile.c        the job of compiling
 *   job_ceilings.c       the job of measuring achievable bandwidth
 *   lane_batch.c         the job of measuring a batch: what is sent, and whom a loss is blamed on
 *   request_time.c       how far a request is, and the time that is left
 *   give_up.c            kernels that fail the same way again and again
 *   live_page.c          the page of a run that goes on
 *   rows.c               rows: written, and kept in memory for sources
 *   sweep_state.h        this file
 *   source.h             what a source is
 *   supervisor.c         the parent's side of a worker process
 *   sweep_options.h      what a sweep is asked to do, and what came of it
 *   device_names.c       the devices of a run
 *   folder.c             the name of its folder
 *   earlier.c            what an earlier session was made with
 *   provenance.c         what this one is made with
 *   time_left.c          how long the points that are left will take
 *   progress.c           the line that shows it
 *   processes.c          signals
 *   worker.c             the worker: the one process that owns the device
 *   protocol.c           messages between the two
 *
 * A lane calls its source through struct source_kind and knows none by name.
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

/* The reports on a point that has no outcome yet. */
struct pending {
    VEC(double) samples;
    double *metrics; /* NULL: none came */
};

/* One run's folder. A sweep has one side, a gate has two: the rows of its kernels. */
struct sweep_side {
    const char *name; /* "baseline"; "" of a sweep */
    char folder[4200];
    struct plan plan;         /* for a gate: its points (plan_side) */
    struct manifest manifest; /* the sessions of all but the first are borrowed from the first */
    struct record *record;
    int lock; /* −1: not locked */
};

/* The parts of a request that its points go through: the first launch, timed ones, counted ones. */
enum request_part { PART_CHECK, PART_TIME, PART_COUNT, REQUEST_PARTS };
enum { REQUEST_STEPS = 16 };
enum { MARK_SIZE = 401 }; /* of a mark before the reasons of rows, with its end */

/* The reports on the current request: points, and for PART_TIME samples; the time of the last one; and
 * the times at which each sixteenth of the points was reported. */
struct request_reports {
    double count[REQUEST_PARTS], last_s[REQUEST_PARTS], steps_s[REQUEST_PARTS][REQUEST_STEPS];
    double last_row_s;
};

/* How the time of requests was divided into parts, and within a part into steps, from its beginning
 * to the step; and how many samples a point had. */
struct request_shares {
    double seconds[REQUEST_PARTS], steps[REQUEST_PARTS][REQUEST_STEPS], samples;
};

/* How often in a row a kernel has failed the same way: see give_up.c. */
struct streak {
    enum status status;
    int count;
    uint64_t passed; /* id of its last point that passed the check; 0: none since it failed */
};

#define NO_GROUP UINT32_MAX
#define NO_KERNEL UINT32_MAX

/* The job that a lane is at. */
enum lane_state {
    LANE_IDLE,      /* its worker, if there is one, has nothing to do */
    LANE_OPENING,   /* a new worker opens the device */
    LANE_ASKING,    /* says which counters the device has */
    LANE_RESTING,   /* the device did not open: a moment until the next try */
    LANE_WAITING,   /* waits for the machine to release a worker or to start one */
    LANE_PROVING,   /* after too many losses: checks whether the device still works */
    LANE_COMPILING, /* fills the compile cache */
    LANE_CEILINGS,  /* measures achievable bandwidth */
    LANE_MEASURING, /* a request of its batch is being measured */
    LANE_ENDED,     /* its device no longer works */
    LANE_STATES
};

/* A device, the worker that owns it, and its current job. */
struct lane {
    struct sweep *sweep;
    struct supervisor supervisor;
    struct run_setup setup;        /* the sweep's, with this lane's device */
    struct conditions *conditions; /* of this session, on this device … */
    size_t session;                /* … which is this one of the manifest's */
    enum lane_state state;
    double began_s;         /* start of the job */
    double heard_cpu_s;     /* the worker's CPU time at its last report on the current request */
    bool opened;            /* its device did open: that it does not again is a loss, no error */
    double waiting_since_s; /* … for the machine; 0: it does not */
    int step;               /* number of jobs that it was given in this stage */

    struct batch batch;      /* current batch; source NULL: none. Indexed by place in it: */
    struct pending *pending; /* received reports */
    bool *done;              /* the point has its outcome */
    uint32_t left, first;    /* points that have none: how many, and the first one's place */
    bool solo;               /* its points are measured one per request */
    uint64_t given_up_seen;  /* sweep->given_up_count when its points were last examined */
    uint64_t by_status[STATUS_COUNT]; /* rows of the batch by status */

    struct group_request *request; /* the request being measured; NULL: none */
    struct request_reports reports;
    uint32_t begun;          /* the worker's current place; POINT_BATCH: none in particular */
    double stop_asked_s;     /* time at which it was asked to end the group; 0: it was not */
    double measured_until_s; /* end of its last request */
    uint64_t printed_by;     /* the id of the point whose kernel printed last … */
    uint64_t printed_lines;  /* … and the number of its lines */

    int lost_in_a_row;
    bool doubted; /* too many losses: the device has to prove that it works */
    bool failed;  /* … or is given up */
    char lost_why[304];
    struct streak *streaks;  /* by kernel */
    uint32_t failing_kernel; /* the kernel to be given up; NO_KERNEL: none */

    uint32_t *variants; /* to be compiled; NULL: not begun */
    size_t variant_count, variants_done, variants_sent;
    struct ceilings *ceilings;                    /* destination of the ceilings being measured */
    uint32_t anchor_groups;                       /* number that it was given at this time */
    double anchor_us[ANCHOR_TIMES][ANCHORS_MOST]; /* medians; NaN: not measured */
};

/* Answers of the first lane's device about counters. */
struct counters {
    VEC(struct counter_answer {
        char *name;
        struct answer answer;
    })
    known;
    char *asked;  /* the counter whose answer is awaited; NULL: none, or the passes */
    bool settled; /* the metrics are chosen */
    int passes;   /* of a dry run: passes for counting; −1: unknown yet */
    int losses;   /* workers that ended while they were asked */
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    bool over;           /* it takes part in no further stages */
    const char *on_disk; /* the folder of its run (of a gate, the candidate's), once there is one */
    struct text resume_word; /* on_disk, quoted for a shell: prepared before memory runs out */
    double stage_since_s;
    int device_count;   /* number that work at the same time, in all sweeps */
    struct lane *lanes; /* the plan is made for the first one's device */
    int lane_count;
    struct source *source;  /* of its points */
    struct source *anchors; /* NULL: no cards are compared */
    struct plan *plan;
    struct device_limits planned_for;
    struct text no_device; /* for a dry run: why there is none; "" */
    struct counters counters;
    struct metric_plan metrics;
    struct sweep_side *sides;
    int side_count;
    struct conditions *conditions; /* of this session, on the first lane's device */
    struct row_times *rows;        /* by point: its row; status STATUS_COUNT: none yet */
    uint64_t recorded_count;       /* rows from earlier sessions */
    bool refused;      /* the rows of the run to be resumed do not belong to its config */
    char **uncompiled; /* by variant: why it is not compiled again; NULL: it may be */
    bool *told;        /* by variant: its compiler error was printed */
    const char *mark;  /* prefix of the reasons of all rows, at most MARK_SIZE; "" for none */
    struct progress progress, phases;
    struct time_left time_left[2]; /* for points of the device, and for functions of the CPU */
    struct request_shares shares;  /* from earlier requests, mostly the last ones */
    struct text counter_names;     /* as requests carry them */
    enum status *given_up;         /* by kernel: what it failed with; 0: it is not given up */
    uint64_t given_up_count;
    struct {
        pid_t process;         /* the process that writes it now; 0: none */
        double began_s, due_s; /* start of that, and earliest start of the next one */
        uint64_t rows;         /* number of rows in the last one */
        bool failed;           /* no further attempt is made */
    } page;
    double waiting_since_s; /* since then rows have waited for the disk; 0: none does */
};

/* Sweeps that run at the same time: one, or with --each one for each device. */
struct sweeps {
    struct sweep *items;
    int count;
};

#define SWEEP_FLUSH_AFTER_S 0.1 /* longest wait of a row for the disk */

#endif
