/*
 * A sweep while it runs: shared by the files of this room only.
 *
 *   sweep.c           from the plan to the last row: signals, and what is done in which order
 *   sweep_compile.c   all variants, before anything is measured
 *   sweep_ceilings.c  achievable bandwidth and self-checks
 *   sweep_anchors.c   the few points that every card measures, and which cards are slow
 *   sweep_loop.c      all lanes at once, until nothing is left to measure
 *   agenda.c          which group is next
 *   lane.c            one lane: its worker's state, from request to request
 *   lane_group.c      its group: what is sent, and whom a loss is blamed on
 *   lane_rows.c       what is reported, as rows
 *   lane_search.c     a group that is searched: which of its points come next
 *   lane_asked.c      points that another program asks for, and their rows as answers
 *   give_up.c         kernels that fail the same way again and again
 *   sweep_sides.c     the folder that is written, or the two of a gate
 */
#ifndef REDSWEEP_RUN_SWEEP_STATE_H
#define REDSWEEP_RUN_SWEEP_STATE_H

#include <signal.h>

#include "base/awake.h"
#include "base/vec.h"
#include "record/anchors.h"
#include "record/writer.h"
#include "run/agenda.h"
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
};

#define NO_GROUP UINT32_MAX

enum lane_state {
    LANE_IDLE,      /* its worker, if there is one, has nothing to do */
    LANE_OPENING,   /* a new worker opens the device */
    LANE_RESTING,   /* the device did not open: a moment until the next try */
    LANE_PROVING,   /* after too many losses: does the device still work? */
    LANE_MEASURING, /* a request is being measured */
    LANE_ENDED      /* its device does not work any more */
};

/* A device, the worker that owns it, and what it is doing. */
struct lane {
    struct supervisor supervisor;
    struct run_setup setup;        /* the sweep's, with this lane's device */
    struct conditions *conditions; /* of this session, on this device … */
    size_t session;                /* … which is this one of the manifest's */
    enum lane_state state;
    double heard_s;          /* awake_now_s() when the worker last spoke, or the state began */
    uint32_t group;          /* the group at hand; NO_GROUP: none */
    struct pending *pending; /* by position in the group */
    bool *done;              /* likewise: the point has its row */
    bool solo;               /* its points are measured one per request */
    struct group_request *request; /* what is being measured; NULL: nothing */
    uint32_t begun;         /* the point that the worker is at; POINT_BATCH: none in particular */
    double stop_asked_s;    /* when it was asked to end the group; 0: it was not */
    uint64_t printed_by;    /* the number of the point whose kernel printed last, and 1 … */
    uint64_t printed_lines; /* … and how many lines of it */
    uint64_t by_status[STATUS_COUNT]; /* rows of the group in this session */
    int lost_in_a_row;
    struct lane_search *search; /* of the group: NULL: all of its points are measured */
    bool doubted;               /* too many: the device has to prove that it works */
    char lost_why[304];
    double anchor_us[ANCHOR_TIMES][ANCHORS_MOST]; /* medians; NaN: not measured */
    double measured_until_s;                      /* when its last request ended */
    struct streak *streaks;                       /* by kernel */
    uint32_t failing_kernel;                      /* to be given up; POINT_BATCH: none */
};

/* Points of one group that every card measures; they may be no points of this shard. */
struct anchor_group {
    struct input input;
    uint32_t count;
    struct task_point points[ANCHORS_MOST / 2];
};

struct sweep {
    const struct sweep_options *options;
    struct sweep_result *result;
    struct lane *lanes; /* the first one's device is the one that the plan is made for */
    int lane_count;
    struct agenda agenda;
    struct plan *plan;
    struct metric_plan metrics;
    struct sweep_side sides[2];
    int side_count;
    struct conditions *conditions; /* of this session on the first lane's device */
    struct row_times *rows;        /* by point, of its row; status STATUS_COUNT: it has none yet */
    uint64_t recorded_count;       /* rows that are there from earlier sessions */
    bool refused;      /* the rows of the run to be resumed are not those of its config */
    char **uncompiled; /* by variant: why it is not compiled again; NULL: it may be */
    const char *mark;  /* put before the reasons of all rows; "" for nothing */
    struct progress progress, phases;
    struct text counter_names; /* as requests carry them */
    enum status *given_up;     /* by kernel: what it failed with; 0: it is not given up */
    struct anchor_group anchors[2];
    int anchor_groups;          /* 0: no cards are to be compared */
    struct asked_points *asked; /* lane_asked.c; NULL: not begun, or no other program asks */
    char **answers;             /* by point: its row as a line; NULL where no other program asks */
    double search_since_s;      /* when a search began; 0: not yet */
    double waiting_since_s;     /* rows wait to be put on disk; 0: none does */
};

/* The signal that asked the sweep to end; 0: none did. How many have come. */
extern volatile sig_atomic_t sweep_stop_signal, sweep_stop_count;

enum { SWEEP_SLICE_MS = AWAKE_STEP_MS }; /* how soon a signal is noticed, at the latest */
enum { SWEEP_CEILINGS_LIMIT_MS = 60 * 1000 };
#define SWEEP_FLUSH_AFTER_S 0.1 /* how long a row may wait for its place on disk */

/* ---- The sweep ------------------------------------------------------------------------------- */

/* Fills the compile cache. A worker that dies of it is not fatal: points compile again later. */
bool sweep_compile(struct sweep *s, struct error *e);

/*
 * Measures a lane's ceilings, and with_checks its self-checks, while it does nothing else. A run
 * continues without them: a worker that dies of it is replaced when the next group comes.
 */
void sweep_measure_ceilings(struct sweep *s, struct lane *l, struct ceilings *out,
                            bool with_checks);
/* All lanes' ceilings at once. A lane that is slower then than alone makes the run doubtful. */
void sweep_measure_together(struct sweep *s);
void sweep_judge_together(struct sweep *s, const struct lane *l);
void sweep_request_ceilings(struct sweep *s, struct lane *l, bool with_checks); /* does not wait */

/*
 * Chooses the anchors from the whole sweep's plan, so that all shards have the same: the first and
 * the last kernel of a small and of a larger group. None where one card measures all of it.
 */
void sweep_choose_anchors(struct sweep *s);

/*
 * Measures and records the anchors on `count` lanes at the same time. False where they cannot be
 * recorded; a worker that dies of them is replaced when the next group comes.
 */
bool sweep_measure_anchors(struct sweep *s, struct lane *lanes, int count, enum anchor_time when,
                           struct error *e);

/* Compares the lanes' cards; one that is slow makes the run doubtful. */
void sweep_judge_cards(struct sweep *s);

/*
 * By how many percent something takes longer together than alone, at the beginning or at the end; 0
 * where it does not, or by no more than the clock resolves. What is missing is NaN.
 */
double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us);

/*
 * Measures all groups of the agenda. False when nothing can be recorded any more; devices that keep
 * failing set result->stopped.
 */
bool sweep_run_groups(struct sweep *s, struct error *e);

/* Puts the rows that wait on disk; the second one those that have waited long enough. */
bool sweep_flush(struct sweep *s, struct error *e);
bool sweep_flush_late(struct sweep *s, struct error *e);

/* ---- Lanes ----------------------------------------------------------------------------------- */

/* Waits for the hello of a worker that is forked already, and notes what its context is like. */
bool lane_await_start(struct lane *l, struct error *e);

/* Gives a lane that is idle something to do; it stays idle where nothing is left. */
bool lane_advance(struct sweep *s, struct lane *l, struct error *e);

/* Takes what a busy lane's worker has sent, or notices that its time is over. Does not wait. */
bool lane_listen(struct sweep *s, struct lane *l, struct error *e);

bool lane_is_busy(const struct lane *l);
double lane_deadline_s(const struct sweep *s, const struct lane *l); /* as awake_now_s() */

/*
 * The lane's device does not work any more. Its group goes back to the agenda, without the rows
 * that it has so far: what is ranked together is measured by one device. Without another lane the
 * rows stay, and the run stops.
 */
bool lane_fail(struct sweep *s, struct lane *l, struct error *e);

/* After a request, unless the lane is doubted: gives kernels up, and puts all rows on disk. */
bool lane_settle(struct sweep *s, struct lane *l, struct error *e);

/* Its group: takes one, sends what is left of it, takes what came back, gives it up. */
void lane_begin_group(struct sweep *s, struct lane *l, uint32_t group);
bool lane_has_points(const struct sweep *s, const struct lane *l);
void lane_send_group(struct sweep *s, struct lane *l);
bool lane_hear_group(struct sweep *s, struct lane *l, enum received received, struct message *m,
                     struct error *e);
void lane_end_group(struct sweep *s, struct lane *l);
double lane_silence_limit_s(const struct sweep *s, const struct lane *l);
bool lane_count_loss(struct sweep *s, struct lane *l, const char *why, struct error *e);

/* A point's position in the lane's group. */
uint32_t lane_place(const struct sweep *s, const struct lane *l, uint32_t point);

void pending_clear(struct pending *p);

/* ---- Searching ------------------------------------------------------------------------------- */

/* Whether some of the points are chosen while others are measured (SEARCH_TRANSFER). */
bool sweep_searches(const struct sweep *s);

/* The first group of the chain that this one is of: what an agenda is given to search the chain. */
uint32_t sweep_chain_begin(const struct sweep *s, uint32_t group);

/* Takes out the rows of groups whose search was not finished. */
bool sweep_drop_unfinished(struct sweep *s, struct error *e);

/* What all searches of the run found, in a sentence; nothing when there were none. */
void sweep_summarize_search(const struct sweep *s, char *out, size_t size);

/*
 * In place of lane_begin_group(): begins with the first group of the chain that `group` begins that
 * is not finished. Begins nothing where there is none, or where `group` does not begin a chain.
 */
void lane_search_begin(struct sweep *s, struct lane *l, uint32_t group);

/* All points of the batch are done: chooses the next ones,
 * or ends the group and begins the next. */
bool lane_search_step(struct sweep *s, struct lane *l, struct error *e);

/* Takes a point's outcome, samples and (owned) metrics. */
void lane_search_keep(struct lane *l, uint32_t place, const struct outcome *o,
                      const struct pending *p);
const struct sampling *lane_search_sampling(const struct lane *l);
void lane_search_free(struct lane *l);

/* Whether another program asks for points (`run --points -`), which is answered by one lane. */
bool sweep_is_asked(const struct sweep *s);

/* In place of lane_begin_group(): waits for lines, and begins with the points that they ask for;
 * *taken is false when there are no more. */
bool lane_asked_begin(struct sweep *s, struct lane *l, bool *taken, struct error *e);

/* All of these points have rows: answers, and ends the group. */
bool lane_asked_answer(struct sweep *s, struct lane *l, struct error *e);
void sweep_asked_free(struct sweep *s);

/* ---- Rows ------------------------------------------------------------------------------------ */

/* No point has a row; then: those have one that an earlier session has left. */
void rows_begin(struct sweep *s);
void rows_take_earlier(struct sweep *s, const struct recorded *found);
bool rows_has(const struct sweep *s, uint32_t point);

/* A row; it waits a little for others that go to disk with it. */
bool lane_write_row(struct sweep *s, struct lane *l, uint32_t point, struct outcome *o,
                    struct error *e);

/* A row for a point that the worker could not report on, with the samples that it had sent. */
bool lane_record_failure(struct sweep *s, struct lane *l, uint32_t point, enum status status,
                         const char *reason, struct error *e);

/*
 * The rows of points of the group that are not measured: skipped ones, those without code, and
 * those of kernels that were given up.
 */
bool lane_record_unmeasured(struct sweep *s, struct lane *l, struct error *e);

bool lane_take_report(struct sweep *s, struct lane *l, const struct report *r, struct error *e);
void lane_show_printed(struct sweep *s, struct lane *l, const char *line);

/*
 * A kernel that fails the same way at three points in a row is given up: give_up_note() and
 * give_up_passed() are told what became of its points; give_up_settle() decides, prints so once,
 * and from then on give_up_reason() is why its other points are skipped (NULL: they are not).
 */
void give_up_begin(struct sweep *s); /* with the plan and the lanes known */
void give_up_again(struct sweep *s, const char *kernel, enum status status); /* when resumed */
void give_up_note(const struct sweep *s, struct lane *l, uint32_t point, enum status status);
void give_up_passed(const struct sweep *s, struct lane *l, uint32_t point);
void give_up_settle(struct sweep *s, struct lane *l);
const char *give_up_reason(const struct sweep *s, uint32_t point);

/* ---- Folders --------------------------------------------------------------------------------- */

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
