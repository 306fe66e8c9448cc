/* Implements ladder.h. */
#include "charts/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/steps.h"
#include "base/memory.h"
#include "charts/layout.h"

static const struct kernel_place *place_of(const struct kernel_index *ladder, const char *kernel)
{
    int i = kernel_index_find(ladder, kernel);
    return i >= 0 && ladder->places.items[i].color ? &ladder->places.items[i] : NULL;
}

const char *ladder_family(const struct kernel_index *ladder, const char *kernel)
{
    const struct kernel_place *p = place_of(ladder, kernel);
    return p ? p->family : "other kernels";
}

/*
 * Families with the colors 1 to 6 have the same colors as lines (layout_rgb()). Color 7 is purple.
 * Color 8 is black, for kernels with which others are compared.
 */
int ladder_rgb(const struct kernel_index *ladder, const char *kernel)
{
    const struct kernel_place *p = place_of(ladder, kernel);
    int color = p ? p->color : 0;
    return color == 7 ? 0x5A32B4 : color == 8 ? 0 : layout_rgb(color);
}

struct place {
    const char *kernel;
    size_t rung;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->rung != y->rung)
        return x->rung < y->rung ? -1 : 1;
    return strcmp(x->kernel, y->kernel);
}

void ladder_sort(const struct kernel_index *ladder, const char **kernels, size_t count)
{
    struct place *places = xcalloc(count + 1, sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i] = (struct place){kernels[i], step_rung(ladder, kernels[i])};
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++)
        kernels[i] = places[i].kernel;
    free(places);
}
