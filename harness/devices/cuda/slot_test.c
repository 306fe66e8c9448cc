/*
 * Implements slot_test.h, which explains the methods and cites their sources.
 */
#include "devices/cuda/slot_test.h"

#include <math.h>
#include <string.h>

#include "base/statistics.h"

/* the standard deviation divided by the median absolute deviation, for a normal distribution */
#define MAD_SCALE 1.4826022185056018

enum { T_FREEDOM = 3 };

/* ---- The period ------------------------------------------------------------------------------ */

/* Returns twice the difference between the rank of us[i] among `count` values and the mean rank.
 * Twice the difference is an integer even if some values are equal. */
static int centred_rank(const double *us, int count, int i)
{
    int below = 0, above = 0;
    for (int j = 0; j < count; j++) {
        below += us[j] < us[i];
        above += us[j] > us[i];
    }
    return below - above;
}

/*
 * Returns the p-value of the hypothesis that times depend only on the slot modulo `period`. For
 * each position, a Friedman test compares the slots with that position. The p-value is that of the
 * sum of these tests' statistics.
 */
static double cyclic_p_value(const double (*rounds)[SLOTS], int count, unsigned period)
{
    int slots = (int)(SLOTS / period);
    double statistic = 0;
    for (unsigned position = 0; position < period; position++) {
        double sums[SLOTS] = {0}, squares = 0, between = 0;
        for (int r = 0; r < count; r++) {
            double block[SLOTS];
            for (int j = 0; j < slots; j++)
                block[j] = rounds[r][position + (unsigned)j * period];
            for (int j = 0; j < slots; j++) {
                double rank = centred_rank(block, slots, j);
                sums[j] += rank;
                squares += rank * rank;
            }
        }
        for (int j = 0; j < slots; j++)
            between += sums[j] * sums[j];
        if (squares > 0) /* 0 if all values are equal */
            statistic += (slots - 1) * between / squares;
    }
    return chi_squared_tail(statistic, (int)(SLOTS - period));
}

/* ---- Intervals ------------------------------------------------------------------------------- */

/* Returns the rank, among `count` sorted values, of the lower end of the median's confidence
 * interval, which fails to contain the median with a probability of at most `error`. Returns 0 if
 * there are too few values for such an interval. */
static int interval_rank(int count, double error)
{
    double term = pow(0.5, count), tail = term;
    int rank = 0;
    while (rank < count / 2 && 2 * tail <= error) {
        rank++;
        term *= (double)(count - rank + 1) / rank;
        tail += term;
    }
    return rank;
}

static void median_bounds(double *differences, int count, double error, double *low, double *high)
{
    int rank = interval_rank(count, error);
    sort_numbers(differences, (size_t)count);
    *low = rank > 0 ? differences[rank - 1] : -INFINITY;
    *high = rank > 0 ? differences[count - rank] : INFINITY;
}

/* Returns the median time of the slots with this position in one round, leaving out the slot
 * `without`. */
static double level(const double *round, unsigned position, unsigned period, unsigned without)
{
    double us[SLOTS];
    size_t count = 0;
    for (unsigned s = position; s < SLOTS; s += period)
        if (s != without)
            us[count++] = round[s];
    return median_in_place(us, count);
}

/* Returns an upper bound on how much the time in any slot differs from the times in the other slots
 * with the same position. */
static double unseen_effect(const double (*rounds)[SLOTS], int count, unsigned period)
{
    double differences[SLOT_ROUNDS_MAX], low, high, most = 0;
    if (period == SLOTS)
        return 0;
    for (unsigned s = 0; s < SLOTS; s++) {
        for (int r = 0; r < count; r++)
            differences[r] = rounds[r][s] - level(rounds[r], s % period, period, s);
        median_bounds(differences, count, SLOT_ERROR / SLOTS, &low, &high);
        most = fmax(most, fmax(-low, high));
    }
    return most;
}

/* Returns whether the time in some slot certainly differs by more than a clock step from the times
 * in the other slots with the same position. */
static bool differs_by_a_step(const double (*rounds)[SLOTS], int count, unsigned period,
                              double step_us)
{
    double differences[SLOT_ROUNDS_MAX], low, high;
    for (unsigned s = 0; s < SLOTS; s++) {
        for (int r = 0; r < count; r++)
            differences[r] = rounds[r][s] - level(rounds[r], s % period, period, s);
        median_bounds(differences, count, SLOT_ERROR / SLOT_LOOKS / SLOTS, &low, &high);
        if (low > step_us || high < -step_us)
            return true;
    }
    return false;
}

/* ---- The profile ----------------------------------------------------------------------------- */

static void describe_positions(const double (*rounds)[SLOTS], int count, double step_us,
                               struct slot_profile *p)
{
    double us[SLOTS * SLOT_ROUNDS_MAX], deviations[SLOTS * SLOT_ROUNDS_MAX];
    size_t all = 0;
    p->best = 0;
    for (unsigned q = 0; q < p->period; q++) {
        size_t used = 0;
        for (int r = 0; r < count; r++)
            for (unsigned s = q; s < SLOTS; s += p->period)
                us[used++] = rounds[r][s];
        p->median_us[q] = median_in_place(us, used);
        for (size_t i = 0; i < used; i++)
            deviations[all++] = fabs(us[i] - p->median_us[q]);
        if (p->median_us[q] < p->median_us[p->best])
            p->best = q;
    }
    /* The clock's rounding alone leads to a standard deviation of step_us / sqrt(12). The scale
     * must be positive even if there is no noise and no clock step. */
    p->scale_us = fmax(MAD_SCALE * median_in_place(deviations, all), step_us / sqrt(12.0));
    p->scale_us = fmax(p->scale_us, 1e-6);
}

/* Determines which positions are slower than the best one. Returns false if this is undecided for
 * any position. */
static bool compare_positions(const double (*rounds)[SLOTS], int count, double step_us,
                              struct slot_profile *p)
{
    bool decided = true;
    double differences[SLOT_ROUNDS_MAX], low, high;
    memset(p->serves, 0, sizeof p->serves);
    p->serves[p->best] = true;
    p->margin_us = INFINITY;
    for (unsigned q = 0; q < p->period; q++) {
        if (q == p->best)
            continue;
        for (int r = 0; r < count; r++)
            differences[r] =
                level(rounds[r], q, p->period, SLOTS) - level(rounds[r], p->best, p->period, SLOTS);
        median_bounds(differences, count, SLOT_ERROR / SLOT_LOOKS / (p->period - 1), &low, &high);
        p->serves[q] = low <= 0;
        if (p->serves[q])
            decided = decided && high <= step_us;
        else
            p->margin_us = fmin(p->margin_us, p->median_us[q] - p->median_us[p->best]);
    }
    return decided;
}

bool slot_fit(const double (*rounds)[SLOTS], int count, double step_us, struct slot_profile *out)
{
    const double level_of_one = SLOT_ERROR / SLOT_LOOKS;
    *out = (struct slot_profile){.period = 1, .p_shorter = NAN, .p_longer = NAN, .rounds = count};
    while (out->period < SLOTS) {
        double p = cyclic_p_value(rounds, count, out->period);
        if (p > level_of_one || !differs_by_a_step(rounds, count, out->period, step_us)) {
            out->p_longer = p;
            break;
        }
        out->p_shorter = p;
        out->period *= 2;
    }
    describe_positions(rounds, count, step_us, out);
    out->unseen_us = unseen_effect(rounds, count, out->period);
    bool compared = compare_positions(rounds, count, step_us, out);
    return compared && out->unseen_us <= step_us;
}

/* ---- The current rotation -------------------------------------------------------------------- */

static double log_likelihood(const struct slot_profile *p, unsigned position, double us)
{
    double z = (us - p->median_us[position % p->period]) / p->scale_us;
    return -(T_FREEDOM + 1) / 2.0 * log1p(z * z / T_FREEDOM);
}

/* Returns whether launches would be at a slow position if they were placed for `rotation` but the
 * actual rotation were `other`. */
static bool matters(const struct slot_profile *p, unsigned rotation, unsigned other)
{
    return !p->serves[(p->best + other + p->period - rotation) % p->period];
}

void slot_observe(unsigned slot, double us, struct slot_evidence *v)
{
    if (v->count == SLOT_EVIDENCE_MAX)
        return;
    v->slots[v->count] = slot;
    v->us[v->count++] = us;
}

/* Returns the log-likelihood of all observations in v if the rotation is `rotation`. Sets *shift_us
 * to the common delay that is then the most likely. */
static double rotation_likelihood(const struct slot_profile *p, const struct slot_evidence *v,
                                  unsigned rotation, double *shift_us)
{
    double distances[SLOT_EVIDENCE_MAX], sum = 0;
    for (int i = 0; i < v->count; i++)
        distances[i] = v->us[i] - p->median_us[(v->slots[i] + rotation) % p->period];
    *shift_us = v->count > 0 ? median_in_place(distances, (size_t)v->count) : 0;
    for (int i = 0; i < v->count; i++)
        sum += log_likelihood(p, v->slots[i] + rotation, v->us[i] - *shift_us);
    return sum;
}

bool slot_located(const struct slot_profile *p, struct slot_evidence *v, unsigned *rotation)
{
    double likelihood[SLOTS] = {0}, shift_us[SLOTS] = {0};
    unsigned best = 0;
    for (unsigned r = 0; r < p->period; r++) {
        likelihood[r] = rotation_likelihood(p, v, r, &shift_us[r]);
        if (likelihood[r] > likelihood[best])
            best = r;
    }
    *rotation = best;
    v->shift_us = shift_us[best];
    for (unsigned r = 0; r < p->period; r++)
        if (r != best && matters(p, best, r) &&
            likelihood[best] - likelihood[r] < log((p->period - 1) / SLOT_ERROR))
            return false;
    return true;
}

void slot_watch_add(const struct slot_profile *p, unsigned rotation, unsigned slot, double us,
                    bool closing, struct slot_watch *w)
{
    double here = log_likelihood(p, slot + rotation, us), elsewhere = 0;
    int others = 0;
    w->seen++;
    for (unsigned r = 0; r < p->period; r++) {
        if (!matters(p, rotation, r))
            continue;
        double kept = here - log_likelihood(p, slot + r, us);
        w->for_kept[r] += closing ? kept : 0;
        w->for_lost[r] = fmax(0, w->for_lost[r] - kept);
        w->most_lost = fmax(w->most_lost, w->for_lost[r]);
        elsewhere += exp(-kept);
        others++;
    }
    if (others > 0)
        w->for_anywhere = fmax(0, w->for_anywhere + log(elsewhere / others));
    w->most_lost = fmax(w->most_lost, w->for_anywhere);
}

enum slot_verdict slot_watch_verdict(const struct slot_profile *p, unsigned rotation,
                                     const struct slot_watch *w)
{
    /* The limit depends on the number of possibilities. Other launches may have come before any of
     * the w->seen observations, and may have moved our launches to any other position, or to a
     * different one each time. */
    if (w->most_lost >= log((double)w->seen * p->period / SLOT_FALSE_ALARM))
        return SLOT_LOST;
    for (unsigned r = 0; r < p->period; r++)
        if (matters(p, rotation, r) && w->for_kept[r] < log(1 / SLOT_ERROR))
            return SLOT_UNDECIDED;
    return SLOT_KEPT;
}

int slot_cycles(const struct slot_profile *p)
{
    double least = INFINITY;
    for (unsigned r = 0; r < p->period; r++) {
        double cycle = 0;
        for (unsigned q = 0; q < p->period; q++)
            cycle +=
                log_likelihood(p, q, p->median_us[q]) - log_likelihood(p, q + r, p->median_us[q]);
        if (matters(p, 0, r))
            least = fmin(least, cycle);
    }
    return least < INFINITY ? (int)fmin(4, 1 + floor(log(1 / SLOT_ERROR) / least)) : 0;
}
