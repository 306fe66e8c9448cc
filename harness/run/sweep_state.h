/*
 * Sweeps while they run: what the files of this room share.
 *
 * The room has one direction: source → lane → supervisor → protocol. Its files, from the top down;
 * each includes and calls only those that are below it (tests/setup/test_headers.sh holds them to
 * it):
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

/* What has come in for a point that has no outcome yet. */
struct pending {
    VEC(double) samples;
    double *metrics; /* NULL: none came */
};

/* One run's folder. A sweep has one, a gate one for each side: the rows of its kernels. */
struct sweep_side {
    const char *name; /* "baseline"; "" of a sweep */
    char folder[4200];
    struct plan plan;         /* in a gate: its points (plan_side) */
    struct manifest manifest; /* the sessions of all but the first are borrowed from the first */
    struct record *record;
    int lock; /* −1: not locked */
};

/* What a request's points go through one after another: the first launch, timed ones, counted ones. */
enum request_part { PART_CHECK, PART_TIME, PART_COUNT, REQUEST_PARTS };
enum { REQUEST_STEPS = 16 };

/* What was reported of the request at hand: points, of PART_TIME samples; when it was last; and when so
 * many sixteenths of the points were. */
struct request_reports {
    double count[REQUEST_PARTS], last_s[REQUEST_PARTS], steps_s[REQUEST_PARTS][REQUEST_STEPS];
    double last_row_s;
};

/* How the time of requests was divided, and, within a part, that of its steps, from its beginning to
 * the step; how many samples a point had. */
struct request_shares {
    double seconds[REQUEST_PARTS], steps[REQUEST_PARTS][REQUEST_STEPS], samples;
};

/* How often in a row a kernel has failed the same way: see give_up.c. */
struct streak {
    enum status status;
    int count;
    uint64_t passed; /* the id of its last point that passed the check; 0: none since it failed */
};

#define NO_GROUP UINT32_MAX
#define NO_KERNEL UINT32_MAX

/* The job that a lane is at. */
enum lane_state {
    LANE_IDLE,      /* its worker, if there is one, has nothing to do */
    LANE_OPENING,   /* a new worker opens the device */
    LANE_ASKING,    /* says which counters the device has */
    LANE_RESTING,   /* the device did not open: a moment until the next try */
    LANE_WAITING,   /* for the machine, to let a worker go or to start one */
    LANE_PROVING,   /* after too many losses: does the device still work? */
    LANE_COMPILING, /* fills the compile cache */
    LANE_CEILINGS,  /* measures achievable bandwidth */
    LANE_MEASURING, /* a request of its batch is being measured */
    LANE_ENDED,     /* its device does not work any more */
    LANE_STATES
};

/* A device, the worker that owns it, and what it is doing. */
struct lane {
    struct sweep *sweep;
    struct supervisor supervisor;
    struct run_setup setup;        /* the sweep's, with this lane's device */
    struct conditions *conditions; /* of this session, on this device … */
    size_t session;                /* … which is this one of the manifest's */
    enum lane_state state;
    double began_s;         /* when the job began */
    double heard_cpu_s;     /* the worker's CPU time when it last spoke of the request at hand */
    bool opened;            /* its device did open: that it does not again is a loss, no error */
    double waiting_since_s; /* … for the machine; 0: it does not */
    int step;               /* jobs that it was given in this stage */

    struct batch batch;      /* at hand; source NULL: none. By place in it: */
    struct pending *pending; /* what has come in */
    bool *done;              /* the point has its outcome */
    uint32_t left, first;    /* points that have none: how many, and the first one's place */
    bool solo;               /* its points are measured one per request */
    uint64_t given_up_seen;  /* sweep->given_up_count when its points were last looked through */
    uint64_t by_status[STATUS_COUNT]; /* rows of the batch */

    struct group_request *request; /* what is being measured; NULL: nothing */
    struct request_reports reports;
    uint32_t begun;          /* the place that the worker is at; POINT_BATCH: none in particular */
    double stop_asked_s;     /* when it was asked to end the group; 0: it was not */
    double measured_until_s; /* when its last request ended */
    uint64_t printed_by;     /* the id of the point whose kernel printed last … */
    uint64_t printed_lines;  /* … and how many lines of it */

    int lost_in_a_row;
    bool doubted; /* too many: the device has to prove that it works */
    bool failed;  /* … or is given up */
    char lost_why[304];
    struct streak *streaks;  /* by kernel */
    uint32_t failing_kernel; /* to be given up; NO_KERNEL: none */

    uint32_t *variants; /* to be compiled; NULL: not begun */
    size_t variant_count, variants_done, variants_sent;
    struct ceilings *ceilings;                    /* where the ceilings that are measured go */
    uint32_t anchor_groups;                       /* that it was given at this time */
    double anchor_us[ANCHOR_TIMES][ANCHORS_MOST]; /* medians; NaN: not measured */
};

/* What the first lane's device has said of counters. */
struct counters {
    VEC(struct counter_answer {
        char *name;
        struct answer answer;
    })
    known;
    char *asked;  /* the one that an answer is waited for; NULL: none, or the passes */
    bool settled; /* the metrics are chosen */
    int passes;   /* of a dry run: that counting takes; −1: not known yet */
    int losses;   /* workers that ended while they were asked */
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    bool over;           /* it takes part in no more stages */
    const char *on_disk; /* the folder of its run (of a gate, the candidate's), once there is one */
    struct text resume_word; /* on_disk, quoted for a shell: made before memory runs out */
    double stage_since_s;
    int device_count;   /* that work at the same time, of all sweeps */
    struct lane *lanes; /* the first one's device is the one that the plan is made for */
    int lane_count;
    struct source *source;  /* of its points */
    struct source *anchors; /* NULL: no cards are to be compared */
    struct plan *plan;
    struct device_limits planned_for;
    struct text no_device; /* of a dry run: why there is none; "" */
    struct counters counters;
    struct metric_plan metrics;
    struct sweep_side *sides;
    int side_count;
    struct conditions *conditions; /* of this session on the first lane's device */
    struct row_times *rows;        /* by point, of its row; status STATUS_COUNT: it has none yet */
    uint64_t recorded_count;       /* rows that are there from earlier sessions */
    bool refused;      /* the rows of the run to be resumed are not those of its config */
    char **uncompiled; /* by variant: why it is not compiled again; NULL: it may be */
    bool *told;        /* by variant: its compiler error was printed */
    const char *mark;  /* put before the reasons of all rows; "" for nothing */
    struct progress progress, phases;
    struct time_left time_left[2]; /* of points of the device, of functions of the CPU */
    struct request_shares shares;  /* of the requests before, the last ones mostly */
    struct text counter_names;     /* as requests carry them */
    enum status *given_up;         /* by kernel: what it failed with; 0: it is not given up */
    uint64_t given_up_count;
    struct {
        pid_t process;         /* that writes it now; 0: none does */
        double began_s, due_s; /* when that began, and when the next one does, at the earliest */
        uint64_t rows;         /* that the last one has */
        bool failed;           /* no other one is tried */
    } page;
    double waiting_since_s; /* rows wait to be put on disk; 0: none does */
};

/* Those that run at the same time: one, or with --each one for each device. */
struct sweeps {
    struct sweep *items;
    int count;
};

#define SWEEP_FLUSH_AFTER_S 0.1 /* how long a row may wait for its place on disk */

#endif
