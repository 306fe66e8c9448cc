/*
 * The chart `roofline` (Williams, Waterman and Patterson, CACM 52, 2009) plots operations per
 * second against operations per byte of DRAM traffic, for each kernel's fastest setting at the
 * largest n. The chart is left out if all kernels move about the same number of bytes, because it
 * would then show the same differences as the chart `bandwidth`.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "charts/charts.h"
#include "charts/layout.h"
#include "charts/names.h"

CHART(170, roofline, ONE, OF_A_SIZE, "", make_roofline,
      "Roofline: operations per second against operations per byte.")

/*
 * How many additions a multiprocessor can start per clock cycle (0 if unknown), from compute
 * capability `from` / 10 on up to the next row. The numbers are from the CUDA C++ Programming
 * Guide, "Throughput of Native Arithmetic Instructions". A 64-bit integer addition is counted as
 * two 32-bit ones. For other types, the chart has no arithmetic roof.
 */
struct rate {
    int from, additions;
};
static const struct rate float32_rates[] = {{30, 192}, {50, 128}, {60, 64}, {61, 128},
                                            {70, 64},  {86, 128}, {0, 0}};
static const struct rate int32_rates[] = {{30, 160}, {50, 128},  {60, 64}, {61, 128},
                                          {70, 64},  {120, 128}, {0, 0}};
static const struct rate float64_rates[] = {{30, 8}, {35, 64}, {50, 4},  {60, 32},
                                            {61, 4}, {70, 32}, {75, 2},  {80, 32},
                                            {86, 2}, {90, 64}, {120, 2}, {0, 0}};

static double additions_per_clock(const char *type, double capability)
{
    bool whole = strstr(type, "int32") || strstr(type, "int64");
    const struct rate *rates = strcmp(type, "float32") == 0   ? float32_rates
                               : strcmp(type, "float64") == 0 ? float64_rates
                               : whole                        ? int32_rates
                                                              : NULL;
    double additions = 0;
    for (; rates && rates->from && capability * 10 > rates->from - 0.5; rates++)
        additions = rates->additions;
    return whole && strstr(type, "64") ? additions / 2 : additions;
}

struct roofline {
    const struct chart_rows *rows;
    const struct column *read_bytes, *write_bytes, *read_sectors, *write_sectors;
    double n, roof, reached;
    bool counted;
    double least, most; /* in operations per byte */
    double x0, x1, y0, y1;
};

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

/*
 * Returns how many bytes a row moved to and from DRAM, according to its counts. If it has no such
 * counts, returns the minimum number of bytes, which is the same for all kernels.
 */
static double bytes_of(struct roofline *r, uint32_t row)
{
    enum element_type type = TYPE_INT32;
    double bytes = column_number(r->read_bytes, row), sectors = column_number(r->read_sectors, row);
    (void)element_type_find(results_axis(r->rows->run, row, AXIS_type), &type);
    r->counted = r->counted || bytes > 0 || sectors > 0;
    if (bytes > 0)
        return bytes + or_zero(column_number(r->write_bytes, row));
    if (sectors > 0)
        return 32 * (sectors + or_zero(column_number(r->write_sectors, row)));
    return r->n * (double)element_size(type);
}

static void write_kernel(struct roofline *r, const char *kernel, uint32_t row, double *x, double *y,
                         struct picture *p)
{
    struct table t = {.row_count = 1};
    *x = (r->n - 1) / bytes_of(r, row);
    *y = (r->n - 1) / chart_time(r->rows, row) / 1e3;
    r->least = fmin(r->least, *x);
    r->most = fmax(r->most, *x);
    r->x0 = fmin(r->x0, *x);
    r->x1 = fmax(r->x1, *x);
    r->y0 = fmin(r->y0, *y);
    r->y1 = fmax(r->y1, *y);
    if (!fastest_is_cpu(r->rows, row))
        r->reached = fmax(r->reached, *y / *x);
    table_add_texts(&t, i, kernel, "kernel");
    table_add_numbers(&t, i, *x, "operations_per_byte", .kind = COLUMN_NUMBER);
    table_add_numbers(&t, i, *y, "giga_operations_per_second", .kind = COLUMN_NUMBER);
    picture_block(p, &t);
    table_free(&t);
}

/*
 * If the run has no counts of DRAM traffic, sets the memory roof to the highest bandwidth of any
 * kernel that reads its whole input at this n.
 */
static void find_limit(struct roofline *r)
{
    for (size_t i = 0; !r->counted && i < r->rows->limits.count; i++) {
        uint32_t row = r->rows->limits.items[i];
        if (column_number(r->rows->n, row) == r->n && !isnan(chart_time(r->rows, row)))
            r->reached = fmax(r->reached, column_number(r->rows->gbs, row));
    }
}

static void write_frame(struct roofline *r, const char *type, struct picture *p)
{
    const struct manifest_device *d = &r->rows->run->manifest.provenance.device;
    char n[48];
    double peak = r->rows->peak, sms = (double)d->multiprocessors;
    r->roof = additions_per_clock(type, strtod(d->compute_capability, NULL)) * fmax(sms, 0) *
              fmax((double)d->sm_clock_khz, 0) / 1e6;
    r->x0 = fmin(r->x0 / 2, 0.02);
    r->x1 = fmax(r->x1 * 2, r->roof > 0 ? 4 * r->roof / peak : 2);
    r->y1 = fmax(r->y1, r->roof > 0 ? r->roof : peak * r->x1) * 1.5;
    r->y0 /= 2;
    layout_size(r->n, n);
    picture_text(p, "ROOF_N", n);
    picture_text(p, "ROOF_OF", type);
    picture_number(p, "ROOF", r->roof);
    picture_number(p, "ROOF_COUNTED", r->counted);
    picture_number(p, "REACHED", r->reached);
    picture_number(p, "PEAK", peak);
    picture_number(p, "F_X0", r->x0);
    picture_number(p, "F_X1", r->x1);
    picture_number(p, "F_Y0", r->y0);
    picture_number(p, "F_Y1", r->y1);
}

static void make(struct roofline *r, const struct fastest *f, struct picture *p)
{
    size_t count = f->kernels.count;
    struct named *names = names_of_kernels(r->rows, f);
    double *x = xcalloc(3 * count + 1, sizeof *x), *y = x + count, *at = y + count;
    const char *type = "";
    struct text drawn = {0};
    for (size_t i = 0; i < count; i++) {
        const struct fastest_kernel *k = &f->kernels.items[names[i].index];
        uint32_t row = k->rows[f->sizes.count - 1];
        x[i] = y[i] = NAN;
        if (row == ROW_NONE)
            continue;
        type = results_axis(r->rows->run, row, AXIS_type);
        write_kernel(r, k->name, row, &x[i], &y[i], p);
        text_append(&drawn, "%s%zu", drawn.length ? " " : "", i + 1);
    }
    find_limit(r);
    write_frame(r, type, p);
    for (size_t i = 0; i < count; i++)
        at[i] = (log(y[i]) - log(r->y0)) / (log(r->y1) - log(r->y0));
    picture_text(p, "DRAWN", drawn.bytes);
    picture_number(p, "LINES_H", names_height(r->rows, names, count));
    names_write(r->rows, names, count, p);
    names_place(r->rows, names, count, x, y, at, p);
    text_free(&drawn);
    free(names);
    free(x);
}

bool make_roofline(const struct chart_rows *rows, struct picture *p, char why[256])
{
    const struct table *t = &rows->run->rows;
    struct fastest f;
    fastest_find(rows, &f);
    bool ok = f.kernels.count > 0 && rows->peak > 0;
    if (!f.kernels.count)
        snprintf(why, 256, "%s", chart_no_times(rows));
    else if (!ok)
        snprintf(why, 256, "the device's peak bandwidth is not known");
    else {
        struct roofline r = {.rows = rows,
                             .read_bytes = table_find(t, "dram_read_bytes"),
                             .write_bytes = table_find(t, "dram_write_bytes"),
                             .read_sectors = table_find(t, "dram_read_transactions"),
                             .write_sectors = table_find(t, "dram_write_transactions"),
                             .n = f.sizes.items[f.sizes.count - 1],
                             .least = INFINITY,
                             .x0 = INFINITY,
                             .y0 = INFINITY};
        make(&r, &f, p);
        ok = r.most > 1.5 * r.least;
        if (!ok)
            snprintf(why, 256,
                     "all kernels execute %.3g operations per byte, so the chart `bandwidth` shows "
                     "the same differences",
                     r.most);
    }
    fastest_free(&f);
    return ok;
}
