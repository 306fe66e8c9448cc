/* Measures blocks of launches between two steps of the energy counter. */
#include "measure/energy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/phase.h"

enum { NO_TRIAL = UINT32_MAX };
/* The time in seconds between two calls of tell(): half of the smallest timing.point_limit_s. */
#define TELL_EVERY_S 0.05

/* What a block measures: a trial, or the preparation of at least one trial. */
struct work_item {
    struct trial trial;
    uint32_t index;    /* the trial's index; NO_TRIAL for a preparation */
    uint32_t prepared; /* for a trial: the index of its preparation */
    double uj;         /* energy per trial in the latest block */
    bool failed;
};

struct metering {
    const struct bench *bench;
    struct work_item *items; /* preparations first */
    uint32_t count, preparations;
    double block_s;
    energy_tell *tell;
    void *context;
    struct energy *out;
    uint64_t counter_mj; /* the counter's latest reading in any block */
    bool counter_failed;
    bool read; /* whether the counter has been read */
};

enum block_state {
    SETTLING, /* the block's work runs, and the device is settling */
    BEGINNING,
    RUNNING, /* the block has begun at a step; the counter is not read */
    ENDING   /* the block is long enough and ends at the next step */
};

/* An observed step of the counter. */
struct step {
    uint64_t mj, trials;
    double seconds;
};

struct block {
    struct metering *metering;
    const struct work_item *item;
    enum block_state state;
    struct step begin, end;
    uint64_t mj;      /* the latest reading while waiting for a step */
    double since_s;   /* when the wait for a step began, on the device's clock */
    bool awaited;     /* the counter has been read during this wait */
    double read_s;    /* when the counter was last read, on the device's clock */
    double told_s;    /* when tell() was last called, on the host's clock */
    struct error *e;  /* what ended the block, if set */
    bool ended, lost; /* ended: the block ended at a step; lost: the block was abandoned */
};

static bool block_fails(struct block *b)
{
    b->lost = true;
    return false;
}

/* Reads the counter once. If it went down, it was reset, and the energy since the previous reading
 * is unknown. */
static bool read_counter(struct block *b, uint64_t *mj)
{
    struct metering *m = b->metering;
    m->counter_failed = true; /* unless the reading succeeds */
    if (!m->bench->driver->energy(m->bench->device, mj, b->e))
        return false;
    if (m->read && *mj < m->counter_mj)
        return FAIL(b->e, ERROR_DEVICE,
                    "the energy counter decreased from %" PRIu64 " to %" PRIu64
                    " mJ, so it was reset or wrapped around",
                    m->counter_mj, *mj);
    m->counter_mj = *mj;
    m->read = true;
    m->counter_failed = false;
    return true;
}

/* Starts waiting for a step of the counter. */
static void await_step(struct block *b, enum block_state state, double seconds)
{
    b->state = state;
    b->awaited = false;
    b->since_s = seconds;
    b->read_s = seconds - ENERGY_LOOK_S;
}

/* Reads the counter if enough time has passed. Sets *stepped to true if its value differs from the
 * previous reading. */
static bool look_for_step(struct block *b, double seconds, bool *stepped)
{
    uint64_t mj;
    *stepped = false;
    if (seconds - b->read_s < ENERGY_LOOK_S)
        return true;
    if (!read_counter(b, &mj))
        return false;
    *stepped = b->awaited && mj != b->mj;
    if (!*stepped && seconds - b->since_s > ENERGY_STUCK_S) {
        b->metering->counter_failed = true;
        return FAIL(b->e, ERROR_DEVICE,
                    "the energy counter stayed at %" PRIu64 " mJ for %g s of work", mj,
                    ENERGY_STUCK_S);
    }
    b->mj = mj;
    b->awaited = true;
    b->read_s = seconds;
    return true;
}

/* Calls tell() at regular intervals, so that the supervisor does not assume that the device has
 * hung. Also checks whether the run was asked to stop. */
static bool tell_again(struct block *b)
{
    struct metering *m = b->metering;
    double now = clock_now_s();
    if (m->bench->stop && *m->bench->stop)
        return FAIL(b->e, ERROR_SYSTEM, "the run was stopped while the energy was measured");
    if (now - b->told_s < TELL_EVERY_S)
        return true;
    b->told_s = now;
    return m->tell(m->context, b->item->index, b->e);
}

static bool look(void *context, uint64_t trials, double seconds)
{
    struct block *b = context;
    bool stepped = false;
    if (!tell_again(b))
        return block_fails(b);
    if (b->state == SETTLING && seconds >= ENERGY_SETTLE_S)
        await_step(b, BEGINNING, seconds);
    else if (b->state == RUNNING && seconds - b->begin.seconds >= b->metering->block_s)
        await_step(b, ENDING, seconds);
    if ((b->state == BEGINNING || b->state == ENDING) && !look_for_step(b, seconds, &stepped))
        return block_fails(b);
    struct step here = {b->mj, trials, seconds};
    if (stepped && b->state == BEGINNING) {
        b->begin = here;
        b->state = RUNNING;
    } else if (stepped) {
        b->end = here;
        b->ended = true;
    }
    return !b->ended;
}

/* Measures one block. A trial that fails is not measured again. Returns false if no other block can
 * be measured either. */
static bool run_block(struct metering *m, struct work_item *item, struct error *e)
{
    const struct bench *b = m->bench;
    struct error why = {0};
    struct block block = {.metering = m, .item = item, .e = &why, .told_s = clock_now_s()};
    if (!m->tell(m->context, item->index, e))
        return false;
    bool ran = b->driver->repeat(b->device, &item->trial, look, &block, &why);
    if (ran && block.ended) {
        double mj = (double)(block.end.mj - block.begin.mj);
        item->uj = mj * 1e3 / (double)(block.end.trials - block.begin.trials);
        return true;
    }
    if (!block.lost && item->index != NO_TRIAL && !why.device_lost) {
        item->failed = true;
        m->out[item->index].failed = true;
        m->out[item->index].why = why;
        return true;
    }
    *e = why;
    return false;
}

static bool run_pass(struct metering *m, int pass, struct error *e)
{
    for (uint32_t i = 0; i < m->count; i++) {
        struct work_item *item = &m->items[pass % 2 ? m->count - 1 - i : i];
        if (!item->failed && !run_block(m, item, e))
            return false;
        phase_add(1);
    }
    for (uint32_t i = m->preparations; i < m->count; i++) {
        const struct work_item *item = &m->items[i];
        m->out[item->index].uj[pass] = item->uj - m->items[item->prepared].uj;
    }
    return true;
}

static bool same_buffer(struct buffer a, struct buffer b)
{
    return a.bytes == b.bytes && (a.bytes == 0 || a.address == b.address);
}

static bool same_preparation(const struct trial *a, const struct trial *b)
{
    return a->restore == b->restore && a->cache == b->cache && same_buffer(a->input, b->input) &&
           same_buffer(a->zero, b->zero) && same_buffer(a->zero_output, b->zero_output);
}

/* Lists the work: each distinct preparation, then the trials. */
static void list_work(struct metering *m, const struct trial *trials, uint32_t count)
{
    m->items = xcalloc(2 * (size_t)count, sizeof *m->items);
    uint32_t *prepared = xcalloc(count, sizeof *prepared);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < m->preparations && !same_preparation(&m->items[k].trial, &trials[i]))
            k++;
        if (k == m->preparations) {
            m->items[m->preparations++] = (struct work_item){.trial = trials[i], .index = NO_TRIAL};
            m->items[k].trial.launch_count = 0;
        }
        prepared[i] = k;
    }
    m->count = m->preparations;
    for (uint32_t i = 0; i < count; i++)
        m->items[m->count++] =
            (struct work_item){.trial = trials[i], .index = i, .prepared = prepared[i]};
    free(prepared);
}

bool energy_measure(const struct bench *b, const struct trial *trials, uint32_t count,
                    double block_s, energy_tell *tell, void *context, struct energy *out,
                    bool *counter_failed, struct error *e)
{
    struct metering m = {
        .bench = b, .block_s = block_s, .tell = tell, .context = context, .out = out};
    memset(out, 0, count * sizeof *out);
    list_work(&m, trials, count);
    phase_begin(PHASE_ENERGY, (uint64_t)m.count * ENERGY_PASSES);
    bool ok = true;
    for (int pass = 0; ok && pass < ENERGY_PASSES; pass++)
        ok = run_pass(&m, pass, e);
    phase_end();
    free(m.items);
    *counter_failed = !ok && m.counter_failed && !e->device_lost;
    return ok;
}

const char *energy_missing(const struct device_info *info)
{
    return info->energy_missing[0] ? info->energy_missing : "this device has no energy counter";
}

double energy_estimate_s(uint64_t trials, uint64_t preparations, double block_s)
{
    /* At each end of a block, half a step of the slowest counters. */
    double ends = 0.1;
    return ENERGY_PASSES * (double)(trials + preparations) * (ENERGY_SETTLE_S + block_s + ends);
}
