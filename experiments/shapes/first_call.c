/*
 * Measures how long a library from `redsweep tuned RUN… --out DIR` takes to choose along rows, and
 * prints what it chooses. Needs no GPU.
 *
 *   gcc -O2 -DTABLE=rows_sum_f32 -DELEMENT=4 -I. -IDIR -I$CUDA/include experiments/shapes/first_call.c -o first_call \
 *       $CUDA/lib64/libcudart_static.a -lm -lpthread -ldl -lrt
 *   first_call                 prints the mean times of a first and of a repeated call (the shortest of 30 rounds)
 *   first_call ROWSxCOLUMNS…   prints the choice for each shape and its expected time, as redsweep best --at does
 */
#include "tuned/redsweep_tuned.c"

#include <stdio.h>
#include <time.h>

enum { ROUNDS = 30, PLACES = 2000, REPEATED = 1000000, MULTIPROCESSORS = 132 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static struct place place_at(double rows, double columns)
{
    return (struct place){rows * columns, columns, 1, 0, MULTIPROCESSORS};
}

static struct search search_at(const struct place *at)
{
    return (struct search){.table = ROWS,
                           .at = at,
                           .aligned = true,
                           .packs = (uint64_t)at->row_length * ELEMENT % PACK_BYTES == 0};
}

/* Draws shapes of 2^12 to 2^28 elements with log-uniform rows and columns. */
static void draw(struct place places[PLACES])
{
    uint64_t state = 7;
    for (int i = 0; i < PLACES;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double rows = floor(exp2((double)(state >> 33) / 0x1p31 * 24)),
               columns = floor(exp2((double)(state >> 20 & 0xfffff) / 0x1p20 * 27));
        if (rows * columns >= 0x1p12 && rows * columns <= 0x1p28)
            places[i++] = place_at(rows, columns);
    }
}

static void measure(void)
{
    static struct place places[PLACES];
    double first = INFINITY;
    struct shape shape;
    int code;
    draw(places);
    for (int round = 0; round < ROUNDS; round++) {
        memset(choices, 0, sizeof choices); /* the same shape may be drawn twice */
        const double before = now_us();
        for (int i = 0; i < PLACES; i++) {
            const struct search s = search_at(&places[i]);
            (void)find_entry(&s, &shape, &code);
        }
        first = fmin(first, (now_us() - before) / PLACES);
    }
    const struct search s = search_at(&places[0]);
    const double before = now_us();
    for (int i = 0; i < REPEATED; i++)
        (void)find_entry(&s, &shape, &code);
    printf("%zu configurations of %zu shapes: first call %.3f us, repeated %.1f ns\n",
           ROWS->entry_count, ROWS->site_count, first, (now_us() - before) / REPEATED * 1e3);
}

int main(int count, char **shapes)
{
    for (int i = 1; i < count; i++) {
        double rows, columns;
        struct shape shape;
        int code;
        if (sscanf(shapes[i], "%lfx%lf", &rows, &columns) != 2) {
            fprintf(stderr, "first_call: '%s': expected ROWSxCOLUMNS\n", shapes[i]);
            return 2;
        }
        const struct place at = place_at(rows, columns);
        const struct search s = search_at(&at);
        const struct entry *entry = find_entry(&s, &shape, &code);
        printf("%s,%zd,%s,%u,%.6g\n", shapes[i], entry ? entry - ROWS->entries : -1,
               entry ? entry->kernel : "", entry ? entry->block : 0, shape.us);
    }
    if (count == 1)
        measure();
    return 0;
}
