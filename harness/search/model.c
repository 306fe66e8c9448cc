/* Predicts times from measurements; see model.h. */
#include "search/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

/*
 * The model uses at most this many points at each n, the fastest ones. Its work grows with the cube
 * of this number.
 */
enum { POINTS_MAX = 300 };
enum { COMBINATIONS_MAX = 256 }; /* maximum number of combinations in an aspect */

static const double RANGE = 0.3, DISTANCE_MAX = 2, OTHER_KERNEL = 1;
/* The covariance of two points at successive n is multiplied by this. */
static const double OTHER_N = 0.5;
/*
 * The largest logarithm of a point's time relative to the fastest point that the model uses. How
 * much slower a point is says nothing about fast points.
 */
static const double SLOWEST = 0.35;
/* The variance of a median divided by that of a mean. */
static const double MEDIAN = 1.57;
/* The standard deviation, relative to the time, that the similarity of points does not explain. */
static const double UNEXPLAINED = 3e-3;
static const double SCATTER_MIN = 2e-3;

enum { KERNEL, BLOCK, UNROLL, TUNABLES };
static const int32_t ABSENT = -1;

/*
 * Returns, for each kernel in the catalogue, the index of this dimension's tunable in the kernel's
 * points, or ABSENT if the kernel lacks it. The caller frees the list.
 */
static int *find_slots(const struct plan *plan, int which)
{
    int *out = xcalloc((size_t)plan->catalogue->count + 1, sizeof *out);
    for (int k = 0; k < plan->catalogue->count; k++) {
        const struct kernel *kernel = plan->catalogue->kernels[k];
        out[k] = ABSENT;
        for (int i = 0; which >= TUNABLES && i < kernel->tunable_count; i++)
            if (strcasecmp(kernel->tunables[i].name, plan->tunable_names[which - TUNABLES]) == 0)
                out[k] = i;
    }
    return out;
}

static int32_t value_of(const struct point *p, int which, const int *slots)
{
    if (which < TUNABLES)
        return which == KERNEL ? (int32_t)p->kernel : which == BLOCK ? p->block : p->unroll;
    return slots[p->kernel] == ABSENT ? ABSENT : p->tunables[slots[p->kernel]];
}

static double distance_of(int dimension, int32_t a, int32_t b)
{
    if (a == b)
        return 0;
    if (dimension == KERNEL)
        return OTHER_KERNEL;
    return a == ABSENT || b == ABSENT ? DISTANCE_MAX
                                      : fmin(sqrt(fabs(log2((a + 1.0) / (b + 1.0)))), DISTANCE_MAX);
}

static uint16_t number_value(struct dimension *d, int32_t value)
{
    size_t at = 0;
    while (at < d->values.count && d->values.items[at] != value)
        at++;
    if (at == d->values.count)
        vec_push(&d->values, value);
    return (uint16_t)at;
}

static void number_values(const struct model *m, int which, struct dimension *d)
{
    const size_t before = m->before.list.count;
    const struct point *points = m->plan->points;
    int *slots = find_slots(m->plan, which);
    d->of_point = xcalloc((size_t)m->group.count + 1, sizeof *d->of_point);
    d->of_before = xcalloc(before + 1, sizeof *d->of_before);
    for (uint32_t i = 0; i < m->group.count; i++)
        d->of_point[i] = number_value(d, value_of(&points[m->group.first + i], which, slots));
    for (size_t i = 0; i < before; i++)
        d->of_before[i] =
            number_value(d, value_of(&points[m->before.list.items[i].point], which, slots));
    free(slots);
    const size_t count = d->values.count;
    d->distances = xcalloc(count * count + 1, sizeof *d->distances);
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            d->distances[a * count + b] =
                (float)distance_of(which, d->values.items[a], d->values.items[b]);
}

static void free_dimension(struct dimension *d)
{
    vec_free(&d->values);
    free(d->of_point);
    free(d->of_before);
    free(d->distances);
}

static void make_dimensions(struct model *m)
{
    const int all = TUNABLES + m->plan->tunable_name_count;
    m->dimensions = xcalloc((size_t)all, sizeof *m->dimensions);
    for (int which = 0; which < all; which++) {
        struct dimension d = {0};
        number_values(m, which, &d);
        if (d.values.count > 1)
            m->dimensions[m->dimension_count++] = d;
        else
            free_dimension(&d);
    }
}

/*
 * Makes an aspect that begins with dimension `first` and has as many dimensions as possible without
 * exceeding COMBINATIONS_MAX, but at least one.
 */
static struct aspect next_aspect(const struct model *m, int first)
{
    struct aspect a = {.first = first, .end = first, .combinations = 1};
    a.of_point = xcalloc((size_t)m->group.count + 1, sizeof *a.of_point);
    while (a.end < m->dimension_count &&
           (a.end == first ||
            a.combinations * m->dimensions[a.end].values.count <= COMBINATIONS_MAX)) {
        const struct dimension *d = &m->dimensions[a.end++];
        a.combinations *= d->values.count;
        for (uint32_t i = 0; i < m->group.count; i++)
            a.of_point[i] = (uint16_t)(a.of_point[i] * d->values.count + d->of_point[i]);
    }
    return a;
}

static void make_aspects(struct model *m)
{
    m->aspects = xcalloc((size_t)m->dimension_count + 1, sizeof *m->aspects);
    for (int d = 0; d < m->dimension_count; d = m->aspects[m->aspect_count++].end)
        m->aspects[m->aspect_count] = next_aspect(m, d);
}

/*
 * Computes exp(-0.3 d) between a point's values (one per dimension) and each combination of values
 * of an aspect.
 */
static void tabulate(const struct model *m, const struct aspect *a, const uint16_t *values,
                     float *out)
{
    size_t filled = 1;
    out[0] = 0;
    for (int i = a->first; i < a->end; i++) {
        const struct dimension *d = &m->dimensions[i];
        const size_t count = d->values.count;
        const float *distances = &d->distances[values[i] * count];
        for (size_t c = filled; c-- > 0;)
            for (size_t v = count; v-- > 0;)
                out[c * count + v] = out[c] + distances[v];
        filled *= count;
    }
    for (size_t c = 0; c < filled; c++)
        out[c] = expf(-(float)RANGE * out[c]);
}

/* Computes exp(-0.3 d) between a point's values (one per dimension) and each point of the group. */
static float *likeness(const struct model *m, const uint16_t *values)
{
    float *out = xcalloc((size_t)m->group.count + 1, sizeof *out);
    for (uint32_t i = 0; i < m->group.count; i++)
        out[i] = 1;
    for (int k = 0; k < m->aspect_count; k++) {
        const struct aspect *a = &m->aspects[k];
        float *table = xcalloc(a->combinations, sizeof *table);
        tabulate(m, a, values, table);
        for (uint32_t i = 0; i < m->group.count; i++)
            out[i] *= table[a->of_point[i]];
        free(table);
    }
    return out;
}

/* Computes exp(-0.3 d) between a point and each point of the group. `which` is the point's number
 * in `before` if `before` is true, and in the group otherwise. */
static float *likeness_of(const struct model *m, bool before, size_t which)
{
    uint16_t *values = xcalloc((size_t)m->dimension_count + 1, sizeof *values);
    for (int d = 0; d < m->dimension_count; d++)
        values[d] = (before ? m->dimensions[d].of_before : m->dimensions[d].of_point)[which];
    float *out = likeness(m, values);
    free(values);
    return out;
}

/* Returns the distance d between two points of the previous n. */
static double distance_before(const struct model *m, size_t a, size_t b)
{
    double sum = 0;
    for (int i = 0; i < m->dimension_count; i++) {
        const struct dimension *d = &m->dimensions[i];
        sum += (double)d->distances[d->of_before[a] * d->values.count + d->of_before[b]];
    }
    return sum;
}

static int compare_observed(const void *a, const void *b)
{
    const struct observed *x = a, *y = b;
    if (x->us != y->us)
        return x->us < y->us ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static void copy_fastest(const struct observations *from, struct observations *to)
{
    vec_reserve(&to->list, from->list.count);
    if (from->list.count > 0)
        memcpy(to->list.items, from->list.items, from->list.count * sizeof *to->list.items);
    to->list.count = from->list.count;
    if (to->list.count > 0)
        qsort(to->list.items, to->list.count, sizeof *to->list.items, compare_observed);
    if (to->list.count > POINTS_MAX)
        to->list.count = POINTS_MAX;
}

void model_begin(struct model *m, const struct plan *plan, struct group group,
                 const struct observations *before)
{
    *m = (struct model){.plan = plan, .group = group};
    copy_fastest(before, &m->before);
    make_dimensions(m);
    make_aspects(m);
    m->alike_before = xcalloc(m->before.list.count + 1, sizeof *m->alike_before);
    m->alike = xcalloc((size_t)group.count + 1, sizeof *m->alike);
    size_t count = m->before.list.count;
    m->among_before = xcalloc(count * count + 1, sizeof *m->among_before);
    for (size_t i = 0; i < count; i++) {
        m->alike_before[i] = likeness_of(m, true, i);
        for (size_t j = 0; j <= i; j++)
            m->among_before[i * count + j] = exp(-RANGE * distance_before(m, i, j));
    }
}

void model_end(struct model *m)
{
    for (size_t i = 0; m->alike_before && i < m->before.list.count; i++)
        free(m->alike_before[i]);
    for (uint32_t i = 0; m->alike && i < m->group.count; i++)
        free(m->alike[i]);
    for (int d = 0; d < m->dimension_count; d++)
        free_dimension(&m->dimensions[d]);
    for (int a = 0; a < m->aspect_count; a++)
        free(m->aspects[a].of_point);
    free(m->dimensions);
    free(m->aspects);
    free(m->alike_before);
    free(m->among_before);
    free(m->alike);
    vec_free(&m->before.list);
    memset(m, 0, sizeof *m);
}

/*
 * The linear system that a prediction solves. `times` are logarithms of times, with mean 0 at each
 * n.
 */
struct system {
    size_t count, before; /* points in all, and points at the previous n, which come first */
    const struct observed **points;
    float **alike; /* each point's similarity to all points of the group, borrowed */
    double *times, *noise, *matrix;
};

/* Appends the points of one n to the system. `o` is sorted by time. */
static void append(struct system *s, const struct observations *o, float *const *alike)
{
    double squares = 0, mean = 0;
    size_t known = 0, from = s->count;
    for (size_t i = 0; i < o->list.count; i++) {
        const struct observed *p = &o->list.items[i];
        double relative = p->scatter / p->us;
        if (p->samples > 2 && !isnan(relative)) {
            squares += relative * relative;
            known++;
        }
        s->points[s->count] = p;
        s->alike[s->count] = alike[i];
        s->times[s->count] = fmin(log(p->us / o->list.items[0].us), SLOWEST);
        mean += s->times[s->count++] / (double)o->list.count;
    }
    double scatter = known ? fmax(squares / (double)known, SCATTER_MIN * SCATTER_MIN) : 0;
    for (size_t i = from; i < s->count; i++) {
        s->times[i] -= mean;
        s->noise[i] = UNEXPLAINED * UNEXPLAINED + MEDIAN * scatter / (double)s->points[i]->samples;
    }
}

/* Returns exp(-0.3 d) between points i and j of the system. Requires j <= i. */
static double alike_of(const struct model *m, const struct system *s, size_t i, size_t j)
{
    return i < s->before ? m->among_before[i * s->before + j]
                         : (double)s->alike[j][s->points[i]->point - m->group.first];
}

/*
 * Returns the dot product of two vectors, with four independent sums for instruction-level
 * parallelism.
 */
static double dot(const double *a, const double *b, size_t count)
{
    double sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sums[0] += a[i] * b[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/*
 * Solves the system: replaces the matrix with its Cholesky factor, and `times` with the weights of
 * the points.
 */
static void solve(struct system *s)
{
    size_t n = s->count;
    double *a = s->matrix, *x = s->times;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j] - dot(&a[i * n], &a[j * n], j);
            /*
             * A diagonal element's sum is positive except for rounding errors, because the noise
             * was added to it.
             */
            a[i * n + j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / a[j * n + j];
        }
        x[i] = (x[i] - dot(&a[i * n], x, i)) / a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

static void fill_matrix(const struct model *m, struct system *s, double variance)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j <= i; j++) {
            bool other_n = (i < s->before) != (j < s->before);
            s->matrix[i * s->count + j] =
                variance * (other_n ? OTHER_N : 1) * alike_of(m, s, i, j) +
                (i == j ? s->noise[i] : 0);
        }
}

/*
 * Adds to `out`, for each of the `count` points of the group, the sum of the weights of the
 * system's points times their similarity to this point. Handles four points of the system at a
 * time, because loading and storing `out` takes longer than adding.
 */
static void add_weighted(const struct system *s, uint32_t count, double *out)
{
    size_t j = 0;
    for (; j + 4 <= s->count; j += 4) {
        const double *w = &s->times[j];
        float *const *a = &s->alike[j];
        for (uint32_t i = 0; i < count; i++)
            out[i] += (w[0] * (double)a[0][i] + w[1] * (double)a[1][i]) +
                      (w[2] * (double)a[2][i] + w[3] * (double)a[3][i]);
    }
    for (; j < s->count; j++)
        for (uint32_t i = 0; i < count; i++)
            out[i] += s->times[j] * (double)s->alike[j][i];
}

void model_predict(struct model *m, const struct observations *now, double *out)
{
    struct observations fastest = {0};
    copy_fastest(now, &fastest);
    size_t most = m->before.list.count + fastest.list.count + 1;
    struct system s = {.points = xcalloc(most, sizeof *s.points),
                       .alike = xcalloc(most, sizeof *s.alike),
                       .times = xcalloc(most, sizeof *s.times),
                       .noise = xcalloc(most, sizeof *s.noise),
                       .matrix = xcalloc(most * most, sizeof *s.matrix)};
    float **alike = xcalloc(most, sizeof *alike);
    for (size_t i = 0; i < fastest.list.count; i++) {
        uint32_t point = fastest.list.items[i].point, at = point - m->group.first;
        if (!m->alike[at])
            m->alike[at] = likeness_of(m, false, at);
        alike[i] = m->alike[at];
    }
    append(&s, &m->before, m->alike_before);
    s.before = s.count;
    append(&s, &fastest, alike);
    double variance = 1e-5;
    for (size_t i = 0; i < s.count; i++)
        variance += s.times[i] * s.times[i] / (double)s.count;
    fill_matrix(m, &s, variance);
    solve(&s);
    for (size_t j = 0; j < s.count; j++)
        s.times[j] *= variance * (j < s.before ? OTHER_N : 1);
    memset(out, 0, m->group.count * sizeof *out);
    add_weighted(&s, m->group.count, out);
    free(alike);
    free(s.points);
    free(s.alike);
    free(s.times);
    free(s.noise);
    free(s.matrix);
    vec_free(&fastest.list);
}

bool points_are_alike(const struct point *a, const struct point *b)
{
    return a->kernel == b->kernel && a->block == b->block && a->unroll == b->unroll &&
           a->scope == b->scope && memcmp(a->tunables, b->tunables, sizeof a->tunables) == 0;
}
