/*
 * A sweep while it runs: shared by the files of this room only.
 *
 *   sweep.c        from the plan to the last row: signals, compiling, the loop over groups
 *   sweep_group.c  one group: what is sent, what comes back, whom a loss is blamed on
 *   give_up.c      kernels that fail the same way again and again
 *   sweep_sides.c  the folder that is written, or the two of a gate
 */
#ifndef REDSWEEP_RUN_SWEEP_STATE_H
#define REDSWEEP_RUN_SWEEP_STATE_H

#include <signal.h>

#include "base/vec.h"
#include "record/writer.h"
#include "run/progress.h"
#include "run/sweep.h"

/* What has come in for a point that is not recorded yet. */
struct pending {
    VEC(double) samples;
    double *metrics; /* NULL: none came */
};

/* One run's folder. A sweep has one; of a gate's two, each has the rows of its kernels. */
struct sweep_side {
    char folder[4200];
    struct plan plan;         /* in a gate: its points (plan_side) */
    struct manifest manifest; /* the sessions of the second are borrowed from the first */
    struct record *record;
    int lock; /* −1: not locked */
};

/* How often in a row a kernel has failed the same way: see give_up.c. */
struct streak {
    enum status status;
    int count;
    uint32_t passed; /* its last point that passed the check; POINT_BATCH: none since it failed */
    bool given_up;
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    struct supervisor supervisor;
    struct plan *plan;
    struct metric_plan metrics;
    struct sweep_side sides[2];
    int side_count;
    struct conditions *conditions; /* of this session: the manifests' last */
    bool *recorded; /* by point: its row is there from an earlier session; NULL: no row is */
    uint64_t recorded_count;
    bool refused;      /* the rows of the run to be resumed are not those of its config */
    char **uncompiled; /* by variant: why it is not compiled again; NULL: it may be */
    const char *mark;  /* put before the reasons of all rows; "" for nothing */
    struct progress progress;
    struct text counter_names; /* as requests carry them */
    struct pending *pending;   /* of the group at hand, by position in the group */
    bool *done;                /* likewise: the point has its row */
    uint32_t group;
    uint32_t begun;         /* the point that the worker is at; POINT_BATCH: none in particular */
    uint64_t printed_by;    /* the number of the point whose kernel printed last, and 1 … */
    uint64_t printed_lines; /* … and how many lines of it */
    int lost_in_a_row;
    struct streak *streaks;  /* by kernel */
    uint32_t failing_kernel; /* to be given up; POINT_BATCH: none */
    double waiting_since_s;  /* rows wait to be put on disk; 0: none does */
};

/* The signal that asked the sweep to end; 0: none did. How many have come. */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

enum { SWEEP_SLICE_MS = 200 }; /* how soon a signal is noticed, at the latest */

/*
 * Runs the points of group `s->group` that have no row yet. False when nothing can be recorded any
 * more; a device that keeps failing sets result->stopped.
 */
bool sweep_run_group(struct sweep *s, struct error *e);

/*
 * A kernel that fails the same way at three points in a row is given up: give_up_note() and
 * give_up_passed() are told what became of its points; give_up_settle() decides, prints so once,
 * and from then on give_up_reason() is why its other points are skipped (NULL: they are not).
 */
void give_up_begin(struct sweep *s); /* with the plan known; s->streaks is the caller's: free() */
void give_up_again(struct sweep *s, const char *kernel, enum status status); /* when resumed */
void give_up_note(struct sweep *s, uint32_t point, enum status status);
void give_up_passed(struct sweep *s, uint32_t point);
void give_up_settle(struct sweep *s);
const char *give_up_reason(const struct sweep *s, uint32_t point);

/* Whether the device still does what it did at the run's beginning; starts a worker for that. */
bool sweep_device_works(struct sweep *s);

/* Starts a worker (supervisor.h) and notes what its device's context is like. */
bool sweep_start_worker(struct sweep *s, struct error *e);

/* Puts the rows that wait on disk. */
bool sweep_flush(struct sweep *s, struct error *e);

/* The manifests with the sessions of the run so far, and one that begins now. */
void sweep_begin_session(struct sweep *s);

/* Fills in what the run is made with, once the device and the plan are known. */
bool sweep_describe(struct sweep *s, struct error *e);

/* Makes and locks the folders and their files. */
bool sweep_create(struct sweep *s, struct error *e);

/* Replaces the manifests on disk by what they are now. */
bool sweep_update(struct sweep *s, struct error *e);

/* The side that a point belongs to; "baseline", "candidate" of a gate, "" of a sweep. */
struct sweep_side *sweep_side_of(struct sweep *s, uint32_t point);
const char *sweep_side_name(const struct sweep *s, const struct sweep_side *side);

/* From here on no two versions of a point are known to be measured by one process. */
void sweep_forget_process(struct sweep *s);

/* Ends the folders' runs; `ok`: nothing went wrong so far. Frees what belongs to the sides. */
bool sweep_close(struct sweep *s, bool ok, struct error *e);

#endif
