/*
 * Fits the times of configurations (model.h).
 *
 * Each round solves a least-squares problem with nonnegative coefficients, because each term is
 * work that takes time. For this, the model is linearized around the previous round's coefficients
 * (Gauss-Newton). Minimizing along one coefficient after another converges to the problem's only
 * minimum.
 */
#include "tuned/model.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "tuned/choosing.h"

enum { ROUNDS = 40, DESCENTS = 2000 };
static const double USUAL = 0.05; /* up to this relative error, a sample has its full weight */

/* A time has three parts: added work, reading, and work that overlaps with reading. */
enum part { PART_ADDED, PART_READING, PART_OVERLAPPING, PARTS };

static enum part part_of(const struct model_form *form, int term)
{
    if (term == 1 || term == 2)
        return PART_READING;
    return form->overlaps[term] ? PART_OVERLAPPING : PART_ADDED;
}

struct model_form model_form_of(const struct kernel *k)
{
    struct model_form form = {.terms = MODEL_COMMON + (k ? k->cost_count : 0)};
    for (int i = MODEL_COMMON; i < form.terms; i++)
        form.overlaps[i] = k->costs[i - MODEL_COMMON].overlaps;
    return form;
}

int model_terms(const struct tuned_range *range, int sms, const struct config_shape *at,
                double terms[MODEL_TERMS])
{
    const struct point point = shape_point(at);
    const struct combination here = range_combination(range, &point, sms, at->n);
    struct error e = {0};
    terms[0] = 1;
    terms[1] = (double)at->n * (double)element_size(here.type);
    terms[2] = (double)at->n / (double)at->row_length;
    if (shape_costs(&here, terms + MODEL_COMMON, &e))
        return MODEL_COMMON + range->kernel->cost_count;
    error_clear(&e);
    return 0;
}

static double fourth_power(double x)
{
    return x * x * x * x;
}

static void parts_of(const struct model_form *form, const double terms[MODEL_TERMS],
                     const double us[MODEL_TERMS], double parts[PARTS])
{
    memset(parts, 0, PARTS * sizeof *parts);
    for (int i = 0; i < form->terms; i++)
        parts[part_of(form, i)] += terms[i] * us[i];
}

static double together(const double parts[PARTS])
{
    return sqrt(sqrt(fourth_power(parts[PART_READING]) + fourth_power(parts[PART_OVERLAPPING])));
}

double model_time(const struct model_form *form, const double terms[MODEL_TERMS],
                  const double us[MODEL_TERMS])
{
    double parts[PARTS];
    parts_of(form, terms, us, parts);
    return parts[PART_ADDED] + together(parts);
}

/*
 * Computes the slope of the time with respect to each part. A part that hardly affects the time
 * keeps a small slope, so that its coefficients can grow again in a later round.
 */
static void slopes_of(const double parts[PARTS], double slopes[PARTS])
{
    const double least = 0.03, both = together(parts);
    for (int i = 0; i < PARTS; i++) {
        double share = both > 0 ? fmax(parts[i] / both, least) : 1;
        slopes[i] = i == PART_ADDED ? 1 : share * share * share;
    }
}

/* The normal equations of the least-squares problem: sums, over all samples, of products of two
 * terms, and of products of a term and the time. Terms are scaled to at most 1. */
struct equations {
    double products[MODEL_TERMS][MODEL_TERMS], times[MODEL_TERMS];
};

struct fit {
    const struct model_form *form;
    const struct model_sample *samples;
    size_t count;
    double scale[MODEL_TERMS];
};

static void add_sample(const struct fit *fit, const struct model_sample *s, const double *us,
                       struct equations *out)
{
    double weight = s->weight / (s->us * s->us), parts[PARTS], slopes[PARTS] = {1, 1, 1};
    if (us) {
        weight /= fmax(1, fabs(model_time(fit->form, s->terms, us) / s->us - 1) / USUAL);
        parts_of(fit->form, s->terms, us, parts);
        slopes_of(parts, slopes);
    }
    double terms[MODEL_TERMS];
    for (int i = 0; i < fit->form->terms; i++)
        terms[i] = s->terms[i] / fit->scale[i] * slopes[part_of(fit->form, i)];
    for (int i = 0; i < fit->form->terms; i++) {
        out->times[i] += terms[i] * weight * s->us;
        for (int j = 0; j < fit->form->terms; j++)
            out->products[i][j] += terms[i] * weight * terms[j];
    }
}

static void add_prior(const struct fit *fit, const struct model_prior *prior, struct equations *out)
{
    for (int i = 0; i < fit->form->terms; i++) {
        double weight = prior->weight[i] / (fit->scale[i] * fit->scale[i]);
        out->products[i][i] += weight;
        out->times[i] += weight * prior->us[i] * fit->scale[i];
    }
}

/* Minimizes along one coefficient after another, until no coefficient changes. */
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

static void find_scale(struct fit *fit)
{
    for (int i = 0; i < fit->form->terms; i++) {
        double most = 0;
        for (size_t k = 0; k < fit->count; k++)
            most = fmax(most, fabs(fit->samples[k].terms[i]));
        fit->scale[i] = most > 0 ? most : 1;
    }
}

/*
 * Returns what the fit minimizes: the sum of the errors of all times, weighted as in add_sample()
 * and add_prior().
 */
static double loss_of(const struct fit *fit, const struct model_prior *prior, const double *us)
{
    double sum = 0;
    for (size_t k = 0; k < fit->count; k++) {
        const struct model_sample *s = &fit->samples[k];
        double off = fabs(model_time(fit->form, s->terms, us) / s->us - 1);
        sum += s->weight * (off < USUAL ? off * off : USUAL * (2 * off - USUAL));
    }
    for (int i = 0; prior && i < fit->form->terms; i++)
        sum += prior->weight[i] * (us[i] - prior->us[i]) * (us[i] - prior->us[i]);
    return sum;
}

/*
 * Moves the coefficients `us` to the result of a round, `scaled`, or only a part of the way. The
 * step is halved until it reduces the errors, because for a part that hardly affects the time, the
 * result may lie far beyond the value at which the part begins to matter. Returns false if no step
 * reduces the errors.
 */
static bool go_towards(const struct fit *fit, const struct model_prior *prior, const double *scaled,
                       double *us, bool whole)
{
    enum { HALVES = 12 };
    const double before = loss_of(fit, prior, us);
    double step = 1, there[MODEL_TERMS] = {0};
    for (int half = 0; half <= HALVES; half++, step /= 2) {
        for (int i = 0; i < fit->form->terms; i++)
            there[i] = us[i] + step * (scaled[i] / fit->scale[i] - us[i]);
        if (whole || loss_of(fit, prior, there) < before) {
            memcpy(us, there, sizeof there);
            return true;
        }
    }
    return false;
}

void model_fit(const struct model_form *form, const struct model_sample *samples, size_t count,
               const struct model_prior *prior, double us[MODEL_TERMS])
{
    struct fit fit = {.form = form, .samples = samples, .count = count};
    struct equations *q = xmalloc(sizeof *q);
    double scaled[MODEL_TERMS] = {0};
    find_scale(&fit);
    memset(us, 0, MODEL_TERMS * sizeof *us);
    if (prior)
        memcpy(us, prior->us, sizeof prior->us);
    bool better = true;
    for (int round = 0; better && round < ROUNDS; round++) {
        bool first = round == 0 && !prior;
        memset(q, 0, sizeof *q);
        for (size_t k = 0; k < count; k++)
            add_sample(&fit, &samples[k], first ? NULL : us, q);
        if (prior)
            add_prior(&fit, prior, q);
        descend(q, form->terms, scaled);
        better = go_towards(&fit, prior, scaled, us, first);
    }
    free(q);
}

void model_pool(const struct model_form *form, const struct model_sample *samples, size_t count,
                double strength, struct model_prior *out)
{
    memset(out, 0, sizeof *out);
    model_fit(form, samples, count, NULL, out->us);
    for (int i = 0; i < form->terms; i++) {
        for (size_t k = 0; k < count; k++)
            out->weight[i] += pow(samples[k].terms[i] / samples[k].us, 2);
        out->weight[i] *= count ? strength / (double)count : 0;
    }
}

double model_us(const struct tuned_range *range, int sms, const struct config_shape *at)
{
    double terms[MODEL_TERMS];
    const struct model_form form = model_form_of(range->kernel);
    return model_terms(range, sms, at, terms) ? model_time(&form, terms, range->model) : NAN;
}
