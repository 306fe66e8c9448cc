/*
 * Chooses the configuration of a call. A whole array uses the configuration of its range of n. For
 * rows or an axis, the configurations that were measured at the same shape come first: the first
 * one in the table that can run is used. Whether it can run depends on what its kernel requires of
 * the shape and of the offset, and on the size of its grid. For other shapes, the configuration
 * whose time is expected to be the shortest is used, by the fit to its measured times. If none can
 * run, a kernel that runs everywhere is used. In an invariant table (redsweep tuned --invariant),
 * only the row length decides.
 *
 * This file is a part of redsweep_tuned.c, and its functions are called with the mutex held.
 */
#ifndef REDSWEEP_TUNED_FIND_H
#define REDSWEEP_TUNED_FIND_H

/* Returns whether the entry runs at a place, and stores its shape and its code. */
static bool entry_runs(const struct entry *entry, const struct place *at, const int codes_of[2],
                       bool aligned, struct shape *shape, int *code)
{
    *code = codes_of[!aligned];
    return *code != NONE && entry->shape(at, shape) && shape->grid >= 1 && shape->grid <= GRID_MOST;
}

/* Row-wise kernels count the elements of a row in 32 bits. Fallbacks do not. */
#define ROW_MOST 4294967296.0

/* These are the conditions of a search for the entry of a place. */
struct search {
    const struct table *table;
    const struct place *at;
    bool empty, wide, ptx, aligned;
    bool packs; /* This is true if each row begins and ends at a multiple of 16 bytes. */
};

static const struct entry *try_entry(const struct search *s, size_t i, struct shape *shape,
                                     int *code)
{
    const struct entry *entry = &s->table->entries[i];
    return entry_runs(entry, s->at, entry->codes[s->wide][s->ptx], s->aligned, shape, code) ? entry
                                                                                            : NULL;
}

/* Finds the entry that was the fastest when this shape was measured. */
static const struct entry *find_measured(const struct search *s, struct shape *shape, int *code)
{
    const uint64_t n = (uint64_t)s->at->n, row_length = (uint64_t)s->at->row_length,
                   inner = (uint64_t)s->at->inner;
    const struct entry *entry = NULL;
    for (size_t i = 0; !entry && i < s->table->site_count; i++) {
        const struct site *site = &s->table->sites[i];
        if (site->n == n && site->row_length == row_length && site->inner == inner)
            entry = try_entry(s, site->entry, shape, code);
    }
    return entry;
}

/*
 * Returns whether most multiprocessors would be idle. This is the case for few rows that are much
 * longer than any at which the entry was measured, if each row has at most one block.
 */
static bool leaves_idle(const struct entry *entry, const struct place *at,
                        const struct shape *shape)
{
    return at->row_length > entry->longest * FAR && shape->grid <= at->n / at->row_length &&
           shape->grid < at->multiprocessors;
}

/* This is a place on the plane of rows and row lengths, as logarithms to base 2. */
struct logs {
    double rows, length;
};

/* Compilers generate no branches for this function. */
static inline double within(double x, double most)
{
    const double positive = x > 0 ? x : 0;
    return positive < most ? positive : most;
}

/* Returns the factor by which a fitted time is wrong. It is interpolated between four places, as in
 * expected_us() of the harness. */
static double off_by(const struct entry *entry, const struct logs *at, bool packs)
{
    if (!entry->off)
        return 1;
    const double row = within(at->rows / OFF_ROWS_STEP, OFF_ROWS - 1),
                 length =
                     within((at->length - entry->off_first) / entry->off_step, OFF_LENGTHS - 1);
    const int i = (int)within(row, OFF_ROWS - 2), k = (int)within(length, OFF_LENGTHS - 2);
    const signed char *here = entry->off + ((packs ? OFF_ROWS : 0) + i) * OFF_LENGTHS + k;
    const double first = here[0] + (length - k) * (here[1] - here[0]),
                 second =
                     here[OFF_LENGTHS] + (length - k) * (here[OFF_LENGTHS + 1] - here[OFF_LENGTHS]);
    const double off = (first + (row - i) * (second - first)) * OFF_UNIT;
    return 1 + off + off * off / 2;
}

/* Returns whether the entry was measured at rows that are at most `near` times as long or as short.
 * Fallbacks were not measured. */
static inline bool is_near(const struct entry *entry, double row_length, double near)
{
    return !entry->fallback & (row_length * near >= entry->shortest) &
           (row_length <= entry->longest * near);
}

/*
 * Finds the entry with the shortest expected time among those that were measured at rows at most
 * `near` times as long or as short. In an exact table, entries that leave multiprocessors idle are
 * not skipped, because no other entry handles few long rows. The function uses two shapes: the best
 * one so far, and one that it overwrites. Clearing or copying a shape for each entry would take
 * longer than evaluating it.
 */
static const struct entry *find_expected(const struct search *s, double near, struct shape *shape,
                                         int *code)
{
    const struct logs logs = {log2(s->at->n / s->at->row_length), log2(s->at->row_length)};
    const struct entry *best = NULL;
    struct shape shapes[2] = {{0}};
    int here = 0, its_code;
    for (size_t i = 0; i < s->table->entry_count; i++) {
        const struct entry *entry = &s->table->entries[i];
        if (!is_near(entry, s->at->row_length, near))
            continue;
        shapes[here].us = 0;
        if (!try_entry(s, i, &shapes[here], &its_code) ||
            (!s->table->exact && leaves_idle(entry, s->at, &shapes[here])))
            continue;
        shapes[here].us *= off_by(entry, &logs, s->packs);
        if (best && shapes[here].us >= shapes[!here].us)
            continue;
        best = entry;
        *code = its_code;
        here = !here;
    }
    if (best)
        *shape = shapes[!here];
    return best;
}

static const struct entry *find_for_shape(const struct search *s, struct shape *shape, int *code)
{
    const struct entry *entry = find_measured(s, shape, code);
    if (!entry)
        entry = find_expected(s, NEAR, shape, code);
    return entry ? entry : find_expected(s, INFINITY, shape, code);
}

/*
 * Returns the sum of the logarithms of an entry's expected times for batches of rows of this
 * length. The sum is infinite if the entry cannot run, needs aligned rows, or would leave
 * multiprocessors idle.
 */
static double log_time(const struct entry *entry, const struct table *table, double row_length)
{
    double sum = 0;
    for (int log2 = BATCH_FIRST; log2 <= BATCH_LAST; log2 += BATCH_STEP) {
        const double rows = (double)(int64_t)((double)((int64_t)1 << log2) / row_length);
        const struct place at = {.n = (rows > 1 ? rows : 1) * row_length,
                                 .row_length = row_length,
                                 .inner = 1,
                                 .offset = 1,
                                 .multiprocessors = table->invariant};
        struct shape shape = {0};
        if (!entry->shape(&at, &shape) || shape.us <= 0 || leaves_idle(entry, &at, &shape))
            return INFINITY;
        sum += log(shape.us);
    }
    return sum;
}

/*
 * Finds the entry for rows of this length. It is the same in every batch, wherever the batch begins
 * and on every GPU. If it cannot run because there are too many rows for one grid, no entry is
 * used, because another one would give other bits.
 */
static const struct entry *find_invariant(const struct search *s, struct shape *shape, int *code)
{
    size_t best = s->table->entry_count;
    double least = INFINITY;
    for (int all = 0; all < 2 && best == s->table->entry_count; all++)
        for (size_t i = 0; i < s->table->entry_count; i++) {
            const struct entry *entry = &s->table->entries[i];
            if (entry->fallback || (!all && (s->at->row_length * NEAR < entry->shortest ||
                                             s->at->row_length > entry->longest * NEAR)))
                continue;
            double time = log_time(entry, s->table, s->at->row_length);
            if (time < least) {
                least = time;
                best = i;
            }
        }
    return best < s->table->entry_count ? try_entry(s, best, shape, code) : NULL;
}

/* Finds the entry for the range that contains n. If it cannot run on this number of
 * multiprocessors, the entry of a neighboring range is used. */
static const struct entry *find_for_array(const struct search *s, struct shape *shape, int *code)
{
    const struct table *t = s->table;
    size_t first = 0;
    while (first < t->site_count && t->sites[first].n < s->at->n)
        first++;
    const struct entry *entry = NULL;
    for (size_t i = first; !entry && i < t->site_count; i++)
        entry = try_entry(s, t->sites[i].entry, shape, code);
    for (size_t i = first; !entry && i-- > 0;)
        entry = try_entry(s, t->sites[i].entry, shape, code);
    return entry;
}

static const struct entry *look_for_entry(const struct search *s, struct shape *shape, int *code)
{
    const struct entry *entry = NULL;
    if (s->table->invariant && !s->empty)
        return s->at->row_length < ROW_MOST ? find_invariant(s, shape, code) : NULL;
    if (!s->empty && !(s->table->by_shape && s->at->row_length >= ROW_MOST))
        entry = (s->table->by_shape ? find_for_shape : find_for_array)(s, shape, code);
    if (s->table->exact && !s->empty)
        return entry;
    for (size_t i = 0; !entry && i < s->table->entry_count; i++)
        if (s->table->entries[i].fallback)
            entry = try_entry(s, i, shape, code);
    return entry;
}

/* This is an earlier result, so that only the first call at a shape compares configurations. */
struct choice {
    const struct table *table; /* This is NULL before the first result. */
    struct place at;
    bool empty, wide, ptx, aligned;
    const struct entry *entry; /* This is NULL if nothing runs there. */
    struct shape shape;
    int code;
};
enum { CHOICES = 256 }; /* a power of two */
static struct choice choices[CHOICES];

static struct choice *choice_of(const struct search *s)
{
    uint64_t hash = (uint64_t)(uintptr_t)s->table ^ (uint64_t)s->at->n * 0x9e3779b97f4a7c15u ^
                    (uint64_t)s->at->row_length * 0xc2b2ae3d27d4eb4fu ^
                    (uint64_t)s->at->inner * 0x27d4eb2f165667c5u ^
                    (uint64_t)s->at->offset * 0x165667b19e3779f9u;
    return &choices[(hash ^ hash >> 32) * 0x9e3779b97f4a7c15u >> 32 & (CHOICES - 1)];
}

static bool is_choice(const struct choice *c, const struct search *s)
{
    return c->table == s->table && c->at.n == s->at->n && c->at.row_length == s->at->row_length &&
           c->at.inner == s->at->inner && c->at.offset == s->at->offset &&
           c->at.multiprocessors == s->at->multiprocessors && c->empty == s->empty &&
           c->wide == s->wide && c->ptx == s->ptx && c->aligned == s->aligned;
}

static const struct entry *find_entry(const struct search *s, struct shape *shape, int *code)
{
    struct choice *c = choice_of(s);
    if (!is_choice(c, s)) {
        *c = (struct choice){.table = s->table,
                             .at = *s->at,
                             .empty = s->empty,
                             .wide = s->wide,
                             .ptx = s->ptx,
                             .aligned = s->aligned};
        c->entry = look_for_entry(s, &c->shape, &c->code);
    }
    *shape = c->shape;
    *code = c->code;
    return c->entry;
}

#endif
