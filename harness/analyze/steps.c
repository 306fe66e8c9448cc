/* Implements steps.h, which states the rule. */
#include "analyze/steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/metrics.h"

static const double SHARE_OF_GAIN = 0.5;    /* of the gain's logarithm */
static const double WORTH_A_WORD = 0.00995; /* one percent, as a logarithm */

size_t step_rung(const struct kernel_index *ladder, const char *kernel)
{
    int at = kernel_index_find(ladder, kernel);
    return at >= 0 && ladder->places.items[at].color ? (size_t)at : ladder->places.count;
}

const struct kernel_step *step_to(const struct kernel_index *ladder, const char *kernel,
                                  bool (*has)(const void *context, const char *kernel),
                                  const void *context)
{
    for (size_t i = 0; i < ladder->steps.count; i++)
        if (strcmp(ladder->steps.items[i].kernel, kernel) == 0 &&
            has(context, ladder->steps.items[i].from))
            return &ladder->steps.items[i];
    return NULL;
}

double step_count(const struct results *r, size_t row, const char *count)
{
    if (strcmp(count, "grid") != 0 && results_counts_vary(r, row))
        return NAN;
    if (strcmp(count, "instructions") != 0)
        return column_number(table_find(&r->rows, count), row);
    return column_number(table_find(&r->rows, "inst_per_warp"), row) *
           column_number(r->known.grid, row) *
           ceil(column_number(r->known.axes[AXIS_block], row) / 32);
}

static bool is_share(const char *count)
{
    const struct metric *m = metric_find(count);
    return m && strcmp(m->unit, "%") == 0;
}

/*
 * Returns the logarithm of the factor by which a count improved. It is infinite if only one of the
 * two values is 0, and NaN if a value is unknown.
 */
static double improvement(const struct step_change *c)
{
    double change = c->from == c->to ? 0 : log(c->from) - log(c->to);
    return is_share(c->count) ? -change : change;
}

static struct step_change change_by(const struct results *r, const struct kernel_step *step,
                                    size_t from, size_t to)
{
    const char *count = step->count;
    return (struct step_change){count, count ? step_count(r, from, count) : NAN,
                                count ? step_count(r, to, count) : NAN};
}

struct step_change step_change_of(const struct results *r, const struct kernel_step *step,
                                  size_t from, size_t to)
{
    struct step_change c = change_by(r, step, from, to);
    return c.count && fabs(improvement(&c)) >= WORTH_A_WORD ? c : (struct step_change){0};
}

struct step_change step_cause(const struct results *r, const struct kernel_step *step, size_t from,
                              size_t to, double gain)
{
    struct step_change c = change_by(r, step, from, to);
    return c.count && gain > 1 && improvement(&c) >= SHARE_OF_GAIN * log(gain)
               ? c
               : (struct step_change){0};
}

const char *step_count_name(const char *count)
{
    return strcmp(count, "grid") == 0           ? "blocks of the grid"
           : strcmp(count, "instructions") == 0 ? "instructions of all warps"
                                                : count;
}

/*
 * Appends the factor by which a count changed, such as "÷ 3.84". If one of the values is 0, appends
 * nothing and returns false.
 */
static bool append_ratio(const struct step_change *c, struct text *out)
{
    char ratio[SHOWN_SIZE];
    if (!(c->from > 0 && c->to > 0))
        return false;
    show_number(c->from > c->to ? c->from / c->to : c->to / c->from, 3, ratio);
    text_append(out, "%s %s", c->from > c->to ? "÷" : "×", ratio);
    return true;
}

void step_append(const struct step_change *c, struct text *out)
{
    char from[SHOWN_SIZE], to[SHOWN_SIZE];
    if (!c->count)
        return;
    text_append(out, "%s ", step_count_name(c->count));
    if (append_ratio(c, out))
        return;
    show_number(c->from, 3, from);
    show_number(c->to, 3, to);
    text_append(out, "%s → %s", from, to);
}

/* Appends a count. A count with six or more digits is given in thousands (k) or millions (M). */
static void append_short(double count, struct text *out)
{
    char number[SHOWN_SIZE];
    const double unit = count >= 999500 ? 1e6 : count >= 1e5 ? 1e3 : 1;
    if (unit == 1)
        show_number(count, 4, number);
    else
        snprintf(number, sizeof number, "%.3g%c", count / unit, unit == 1e6 ? 'M' : 'k');
    text_append(out, "%s", number);
}

void step_append_values(const struct step_change *c, struct text *out)
{
    if (!c->count)
        return;
    text_append(out, "%s ", step_count_name(c->count));
    append_short(c->from, out);
    text_append(out, " → ");
    append_short(c->to, out);
    if (c->from > 0 && c->to > 0) {
        text_append(out, ", ");
        append_ratio(c, out);
    }
}
