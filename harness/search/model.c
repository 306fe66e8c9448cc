/*
 * A prediction from what was measured: see model.h.
 */
#include "search/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

/* Of each n the fastest so many: the work grows with their third power. */
enum { POINTS_MAX = 300 };

static const double RANGE = 0.3, DISTANCE_MAX = 2, OTHER_KERNEL = 1;
static const double OTHER_N = 0.5;      /* covariance between one n and the next */
static const double SLOWEST = 0.35;     /* how slow a slow point is says nothing of the fast ones */
static const double MEDIAN = 1.57;      /* variance of a median over that of a mean */
static const double UNEXPLAINED = 3e-3; /* relative: what a point has for itself */
static const double SCATTER_MIN = 2e-3;

enum { KERNEL, BLOCK, UNROLL, TUNABLES };
static const int32_t ABSENT = -1;

static int32_t value_of(const struct plan *plan, const struct point *p, int dimension)
{
    const struct kernel *k = plan_kernel(plan, p);
    if (dimension < TUNABLES)
        return dimension == KERNEL ? (int32_t)p->kernel : dimension == BLOCK ? p->block : p->unroll;
    for (int i = 0; i < k->tunable_count; i++)
        if (strcasecmp(k->tunables[i].name, plan->tunable_names[dimension - TUNABLES]) == 0)
            return p->tunables[i];
    return ABSENT;
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

static double distance(const struct model *m, const struct point *a, const struct point *b)
{
    double sum = 0;
    for (int d = 0; d < m->dimension_count; d++)
        sum += distance_of(d, value_of(m->plan, a, d), value_of(m->plan, b, d));
    return sum;
}

/* The values of each dimension in the group, and which of them each point has. */
static void number_values(struct model *m)
{
    m->dimension_count = TUNABLES + m->plan->tunable_name_count;
    m->dimensions = xcalloc((size_t)m->dimension_count, sizeof *m->dimensions);
    for (int d = 0; d < m->dimension_count; d++) {
        struct dimension *to = &m->dimensions[d];
        to->of_point = xcalloc((size_t)m->group.count + 1, sizeof *to->of_point);
        for (uint32_t i = 0; i < m->group.count; i++) {
            int32_t value = value_of(m->plan, &m->plan->points[m->group.first + i], d);
            uint32_t at = 0;
            while (at < to->values.count && to->values.items[at] != value)
                at++;
            if (at == to->values.count)
                vec_push(&to->values, value);
            to->of_point[i] = at;
        }
    }
}

/* Of a point, of any n, to each point of the group. */
static float *likeness(const struct model *m, const struct point *p)
{
    float *out = xcalloc((size_t)m->group.count + 1, sizeof *out);
    for (int d = 0; d < m->dimension_count; d++) {
        const struct dimension *to = &m->dimensions[d];
        float *distances = xcalloc(to->values.count + 1, sizeof *distances);
        for (size_t v = 0; v < to->values.count; v++)
            distances[v] = (float)distance_of(d, value_of(m->plan, p, d), to->values.items[v]);
        for (uint32_t i = 0; i < m->group.count; i++)
            out[i] += distances[to->of_point[i]];
        free(distances);
    }
    for (uint32_t i = 0; i < m->group.count; i++)
        out[i] = expf(-(float)RANGE * out[i]);
    return out;
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
    number_values(m);
    m->alike_before = xcalloc(m->before.list.count + 1, sizeof *m->alike_before);
    m->alike = xcalloc((size_t)group.count + 1, sizeof *m->alike);
    size_t count = m->before.list.count;
    m->among_before = xcalloc(count * count + 1, sizeof *m->among_before);
    for (size_t i = 0; i < count; i++) {
        const struct point *a = &plan->points[m->before.list.items[i].point];
        m->alike_before[i] = likeness(m, a);
        for (size_t j = 0; j <= i; j++) {
            const struct point *b = &plan->points[m->before.list.items[j].point];
            m->among_before[i * count + j] = exp(-RANGE * distance(m, a, b));
        }
    }
}

void model_end(struct model *m)
{
    for (size_t i = 0; m->alike_before && i < m->before.list.count; i++)
        free(m->alike_before[i]);
    for (uint32_t i = 0; m->alike && i < m->group.count; i++)
        free(m->alike[i]);
    for (int d = 0; d < m->dimension_count; d++) {
        vec_free(&m->dimensions[d].values);
        free(m->dimensions[d].of_point);
    }
    free(m->dimensions);
    free(m->alike_before);
    free(m->among_before);
    free(m->alike);
    vec_free(&m->before.list);
    memset(m, 0, sizeof *m);
}

/* The points that a prediction is made from; times are logarithms with a mean of 0 at each n. */
struct system {
    size_t count, before; /* of them all; of those of the n before, which come first */
    const struct observed **points;
    float **alike; /* borrowed from the model */
    double *times, *noise, *matrix;
};

/* Appends points of one n, sorted by time. */
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

/* exp(-0.3 d) of two points of the system, j <= i. */
static double alike_of(const struct model *m, const struct system *s, size_t i, size_t j)
{
    return i < s->before ? m->among_before[i * s->before + j]
                         : (double)s->alike[j][s->points[i]->point - m->group.first];
}

/* Turns the matrix into its Cholesky factor and `times` into the weights of the points. */
static void solve(struct system *s)
{
    size_t n = s->count;
    double *a = s->matrix, *x = s->times;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            /* Positive but for rounding: the noise is on the diagonal. */
            a[i * n + j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / a[j * n + j];
        }
        for (size_t k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
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
            m->alike[at] = likeness(m, &m->plan->points[point]);
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
    memset(out, 0, m->group.count * sizeof *out);
    for (size_t j = 0; j < s.count; j++)
        for (uint32_t i = 0; i < m->group.count; i++)
            out[i] += s.times[j] * variance * (j < s.before ? OTHER_N : 1) * (double)s.alike[j][i];
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
