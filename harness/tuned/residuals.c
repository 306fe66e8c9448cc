/* Computes smoothed means of the errors of fitted times (residuals.h). */
#include "tuned/residuals.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/*
 * A time measured at another number of rows or another row length has a weight according to a
 * normal curve. IN_ROWS and IN_LENGTH are the curve's standard deviations, in powers of two. The
 * weight is multiplied by OTHER_PACKS if only one of the two shapes has rows of whole packs, and by
 * OTHER_SETTING for each setting that differs between the two configurations. SAME_KERNEL is the
 * smallest factor for different configurations of the same kernel. PULL and OWN_PULL are the
 * weights of an assumed error of 0, which pulls the means towards 0.
 * results/reference/shapes-plane/README.md shows the errors with other values.
 */
static const double IN_ROWS = 1.5, IN_LENGTH = 0.6, OTHER_PACKS = 0.4, OTHER_SETTING = 0.6,
                    SAME_KERNEL = 0.1, PULL = 1, OWN_PULL = 0.7;
static const double FAR = 3; /* beyond this many standard deviations, a time has no weight */
/* The limit of errors, which are logarithms. Larger errors come from a missing term and are not
 * similar at nearby shapes. */
static const double MOST_OFF = 0.3;

struct sums {
    double off[2][RESIDUAL_ROWS][RESIDUAL_LENGTHS], weight[2][RESIDUAL_ROWS][RESIDUAL_LENGTHS];
};

static double alike(const struct tuned_range *a, const struct tuned_range *b)
{
    int others = a->variant.block != b->variant.block;
    for (int i = 0; i < a->kernel->tunable_count; i++)
        others += a->variant.tunables[i] != b->variant.tunables[i];
    return SAME_KERNEL + (1 - SAME_KERNEL) * pow(OTHER_SETTING, others);
}

/*
 * Computes the weights that a sample at `at` has at the `count` places `first` + i * `step`.
 * Returns the index of the first place with a nonzero weight, and stores the number of such places
 * in *used.
 */
static int weights_along(double at, double first, double step, int count, double deviation,
                         double weights[], int *used)
{
    double least = (at - FAR * deviation - first) / step,
           most = (at + FAR * deviation - first) / step;
    int from = (int)fmax(0, ceil(least)), to = (int)fmin(count - 1, floor(most));
    for (int i = from; i <= to; i++) {
        double d = (first + i * step - at) / deviation;
        weights[i - from] = exp(-d * d / 2);
    }
    *used = to < from ? 0 : to - from + 1;
    return from;
}

static void add_sample(const struct residuals *grid, const struct residual_sample *s, double weight,
                       struct sums *sums)
{
    double rows[RESIDUAL_ROWS] = {0}, lengths[RESIDUAL_LENGTHS] = {0};
    int row_count, length_count;
    int row = weights_along(s->place.log_rows, 0, RESIDUAL_ROWS_STEP, RESIDUAL_ROWS, IN_ROWS, rows,
                            &row_count);
    int length = weights_along(s->place.log_length, grid->first, grid->step, RESIDUAL_LENGTHS,
                               IN_LENGTH, lengths, &length_count);
    for (int packs = 0; packs < 2; packs++) {
        double here = weight * s->weight * (packs == s->place.packs ? 1 : OTHER_PACKS);
        for (int i = 0; i < row_count; i++)
            for (int k = 0; k < length_count; k++) {
                double w = here * rows[i] * lengths[k];
                sums->off[packs][row + i][length + k] += w * s->off;
                sums->weight[packs][row + i][length + k] += w;
            }
    }
}

struct residual_sample residual_sample_of(const struct tuned_range *range,
                                          const struct model_sample *sample,
                                          struct residual_place place)
{
    const struct model_form form = model_form_of(range->kernel);
    const double us = model_time(&form, sample->terms, range->model);
    return (struct residual_sample){
        .range = range,
        .place = place,
        .off = us > 0 ? fmax(-MOST_OFF, fmin(MOST_OFF, log(sample->us / us))) : 0,
        .weight = sample->weight};
}

void residuals_fit(struct tuned_range *range, const struct residual_sample *samples, size_t count)
{
    if (range->shortest == 0)
        return; /* the range has no times */
    struct sums *all = xcalloc(1, sizeof *all), *own = xcalloc(1, sizeof *own);
    struct residuals *grid = &range->residuals;
    grid->first = log2((double)range->shortest) - IN_LENGTH;
    grid->step = (log2((double)range->longest) + IN_LENGTH - grid->first) / (RESIDUAL_LENGTHS - 1);
    for (size_t i = 0; i < count; i++) {
        add_sample(grid, &samples[i], alike(range, samples[i].range), all);
        if (samples[i].range == range)
            add_sample(grid, &samples[i], 1, own);
    }
    for (int packs = 0; packs < 2; packs++)
        for (int i = 0; i < RESIDUAL_ROWS; i++)
            for (int k = 0; k < RESIDUAL_LENGTHS; k++) {
                double common = all->off[packs][i][k] / (PULL + all->weight[packs][i][k]);
                double rest = own->off[packs][i][k] - own->weight[packs][i][k] * common;
                double off = common + rest / (OWN_PULL + own->weight[packs][i][k]);
                off = fmax(-RESIDUAL_MOST, fmin(RESIDUAL_MOST, round(off / RESIDUAL_UNIT)));
                grid->off[packs][i][k] = (signed char)off;
            }
    free(all);
    free(own);
}

/* Interpolates between the four nearest places in the grid, like off_by() in tuned/find.h. */
static double residual_at(const struct residuals *grid, const struct residual_place *at)
{
    const double row = fmax(0, fmin(at->log_rows / RESIDUAL_ROWS_STEP, RESIDUAL_ROWS - 1)),
                 length = fmax(
                     0, fmin((at->log_length - grid->first) / grid->step, RESIDUAL_LENGTHS - 1));
    const int i = (int)fmin(row, RESIDUAL_ROWS - 2), k = (int)fmin(length, RESIDUAL_LENGTHS - 2);
    const signed char *here = &grid->off[at->packs][i][k], *next = &grid->off[at->packs][i + 1][k];
    const double first = here[0] + (length - k) * (here[1] - here[0]),
                 second = next[0] + (length - k) * (next[1] - next[0]);
    return (first + (row - i) * (second - first)) * RESIDUAL_UNIT;
}

struct residual_place residual_place_of(const struct tuned_range *range,
                                        const struct config_shape *at)
{
    enum { PACK_BYTES = 16 };
    return (struct residual_place){
        .log_rows = log2((double)at->n / (double)at->row_length),
        .log_length = log2((double)at->row_length),
        .packs =
            at->row_length * element_size((enum element_type)range->variant.type) % PACK_BYTES ==
            0};
}

double expected_us(const struct tuned_range *range, int sms, const struct config_shape *at)
{
    const double us = model_us(range, sms, at);
    if (!(range->residuals.step > 0))
        return us;
    const struct residual_place place = residual_place_of(range, at);
    const double off = residual_at(&range->residuals, &place);
    return us * (1 + off + off * off / 2);
}
