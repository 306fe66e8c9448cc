/*
 * Chooses the configuration for a call. A whole array uses the configuration for its range of n.
 * Reductions along rows or an axis use the first table entry that was measured at the same shape
 * and can run, which depends on the kernel's requirements on shape and offset and on the grid size.
 * Other shapes use the configuration with the shortest expected time, from a fit to the measured
 * times. If none can run, a fallback kernel is used that runs everywhere. In an invariant table
 * (redsweep tuned --invariant), only the row length matters.
 *
 * Included by redsweep_tuned.c; its functions are called with the mutex held.
 */
#ifndef REDSWEEP_TUNED_FIND_H
#define REDSWEEP_TUNED_FIND_H

/* Returns whether the entry can run at a place, and stores its launch shape and code. */
static bool entry_runs(const struct entry *entry, const struct place *at, const int codes_of[2],
                       bool aligned, struct shape *shape, int *code)
{
    *code = codes_of[!aligned];
    return *code != NONE && entry->shape(at, shape) && shape->grid >= 1 && shape->grid <= GRID_MOST;
}

/* Row-wise kernels count the elements of a row in 32 bits. Fallbacks do not. */
#define ROW_MOST 4294967296.0

/* What to search for: the place and its conditions. */
struct search {
    const struct table *table;
    const struct place *at;
    bool empty, wide, ptx, aligned;
    bool packs; /* whether each row begins and ends at a multiple of 16 bytes */
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
 * Returns whether most multiprocessors would be idle: with at most one block per row, and few rows
 * that are much longer than any that the entry was measured at.
 */
static bool leaves_idle(const struct entry *entry, const struct place *at,
                        const struct shape *shape)
{
    return at->row_length > entry->longest * FAR && shape->grid <= at->n / at->row_length &&
           shape->grid < at->multiprocessors;
}

/* A point in the plane of rows and row lengths, as base-2 logarithms. */
struct logs {
    double rows, length;
};

/* Compiles without branches. */
static inline double within(double x, double most)
{
    const double positive = x > 0 ? x : 0;
    return positive < most ? positive : most;
}

/*
 * Returns the factor by which a fitted time is off, interpolated between four places like
 * expected_us() in the harness.
 */
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

/*
 * Returns whether the entry was measured at row lengths within a factor of `near`. Fallbacks were
 * not measured.
 */
static inline bool is_near(const struct entry *entry, double row_length, double near)
{
    return !entry->fallback & (row_length * near >= entry->shortest) &
           (row_length <= entry->longest * near);
}

/*
 * Finds the entry with the shortest expected time among those measured at row lengths within a
 * factor of `near`. In an exact table, entries that leave multiprocessors idle are not skipped,
 * because no other entry handles a few long rows. Two shapes are used, the best one so far and a
 * scratch one, because clearing or copying a shape for each entry would take longer than evaluating
 * it.
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
 * Returns the sum of the logarithms of an entry's expected times over batches of rows of this
 * length, or infinity if the entry cannot run, needs aligned rows, or would leave multiprocessors
 * idle.
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
 * Finds the entry for rows of this length: the same one for every batch, offset and GPU. If it
 * cannot run because there are too many rows for one grid, there is no entry, because another one
 * would produce different bits.
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

/*
 * Finds the entry for the range that contains n, or a neighboring range's if that one cannot run on
 * this number of multiprocessors.
 */
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

/* A cached result, so that only the first call at a shape compares configurations. */
struct choice {
    const struct table *table; /* NULL if unused */
    struct place at;
    bool empty, wide, ptx, aligned;
    const struct entry *entry; /* NULL if nothing can run */
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
