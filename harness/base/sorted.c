/* Implements sorted.h. */
#include "base/sorted.h"

#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void sorted_make(uint64_t *list, size_t count)
{
    if (count) /* an empty list may have no array */
        qsort(list, count, sizeof *list, compare_numbers);
}

size_t sorted_find(const uint64_t *list, size_t count, uint64_t number)
{
    const uint64_t *found =
        count ? bsearch(&number, list, count, sizeof *list, compare_numbers) : NULL;
    return found ? (size_t)(found - list) : count;
}

bool sorted_has(const uint64_t *list, size_t count, uint64_t number)
{
    return sorted_find(list, count, number) < count;
}

bool sorted_duplicate(const uint64_t *list, size_t count, uint64_t *number)
{
    for (size_t i = 1; i < count; i++)
        if (list[i] == list[i - 1]) {
            *number = list[i];
            return true;
        }
    return false;
}
