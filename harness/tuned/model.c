/*
 * Fitting times of configurations: see model.h.
 *
 * The fit is a least-squares problem with coefficients that are not negative, as each term is work that takes
 * time. It is solved by descending along one coefficient after another, which ends at its only minimum.
 */
#include "tuned/model.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/shape.h"

enum { ROUNDS = 4, DESCENTS = 2000 };

int model_terms(const struct tuned_range *range, int sms, uint64_t n, uint64_t row_length,
                double terms[MODEL_TERMS])
{
    const struct variant *v = &range->variant;
    const struct point point = {.row_length = row_length, .inner = 1};
    const struct combination at = {.kernel = range->kernel,
                                   .type = (enum element_type)v->type,
                                   .op = (enum operation)v->op,
                                   .n = n,
                                   .block = v->block,
                                   .unroll = v->unroll,
                                   .tunables = v->tunables,
                                   .point = &point,
                                   .sms = sms};
    struct error e = {0};
    terms[0] = 1;
    terms[1] = (double)n * (double)element_size((enum element_type)v->type);
    terms[2] = (double)n / (double)row_length;
    if (shape_costs(&at, terms + MODEL_COMMON, &e))
        return MODEL_COMMON + range->kernel->cost_count;
    error_clear(&e);
    return 0;
}

/* Sums over the samples, of the terms scaled to at most 1: of products of terms, and of terms and times. */
struct equations {
    double products[MODEL_TERMS][MODEL_TERMS], times[MODEL_TERMS];
};

static double time_of(const struct model_sample *s, int terms, const double us[MODEL_TERMS])
{
    double sum = 0;
    for (int i = 0; i < terms; i++)
        sum += s->terms[i] * us[i];
    return sum;
}

/* Relative errors: each sample counts by its weight over the square of its time; by less where it is far off. */
static void add_up(const struct model_sample *samples, size_t count, int terms,
                   const double scale[MODEL_TERMS], const double us[MODEL_TERMS], bool first,
                   struct equations *out)
{
    const double usual = 0.05; /* relative error up to which a sample counts fully */
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < count; k++) {
        const struct model_sample *s = &samples[k];
        double error = first ? 0 : fabs(time_of(s, terms, us) / s->us - 1);
        double weight = s->weight / (s->us * s->us) / fmax(1, error / usual);
        for (int i = 0; i < terms; i++) {
            double term = s->terms[i] / scale[i] * weight;
            out->times[i] += term * s->us;
            for (int j = 0; j < terms; j++)
                out->products[i][j] += term * s->terms[j] / scale[j];
        }
    }
}

/* The minimum along each coefficient in turn, until none moves. */
static void descend(const struct equations *q, int terms, double scaled[MODEL_TERMS])
{
    bool moves = true;
    for (int round = 0; moves && round < DESCENTS; round++) {
        moves = false;
        for (int i = 0; i < terms; i++) {
            double rest = q->times[i];
            for (int j = 0; j < terms; j++)
                rest -= j == i ? 0 : q->products[i][j] * scaled[j];
            double best = q->products[i][i] > 0 ? fmax(0, rest / q->products[i][i]) : 0;
            moves = moves || fabs(best - scaled[i]) > 1e-9 * (1 + scaled[i]);
            scaled[i] = best;
        }
    }
}

void model_fit(const struct model_sample *samples, size_t count, int terms, double us[MODEL_TERMS])
{
    double scale[MODEL_TERMS], scaled[MODEL_TERMS] = {0};
    struct equations *q = xcalloc(1, sizeof *q);
    memset(us, 0, MODEL_TERMS * sizeof *us);
    for (int i = 0; i < terms; i++) {
        scale[i] = 0;
        for (size_t k = 0; k < count; k++)
            scale[i] = fmax(scale[i], fabs(samples[k].terms[i]));
        scale[i] = scale[i] > 0 ? scale[i] : 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        add_up(samples, count, terms, scale, us, round == 0, q);
        descend(q, terms, scaled);
        for (int i = 0; i < terms; i++)
            us[i] = scaled[i] / scale[i];
    }
    free(q);
}

double model_us(const struct tuned_range *range, int sms, uint64_t n, uint64_t row_length)
{
    double terms[MODEL_TERMS], us = 0;
    int count = model_terms(range, sms, n, row_length, terms);
    for (int i = 0; i < count; i++)
        us += terms[i] * range->model[i];
    return count ? us : NAN;
}
