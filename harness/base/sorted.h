/* Sorted lists of unsigned numbers, such as point ids. */
#ifndef REDSWEEP_BASE_SORTED_H
#define REDSWEEP_BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts a list in ascending order. */
void sorted_make(uint64_t *list, size_t count);

/*
 * Returns a number's position in a list that sorted_make() has sorted, or `count` if it is not in
 * the list.
 */
size_t sorted_find(const uint64_t *list, size_t count, uint64_t number);

/* Returns whether a list that sorted_make() has sorted contains the number. */
bool sorted_has(const uint64_t *list, size_t count, uint64_t number);

/*
 * Returns whether a sorted list contains any number twice, and sets *number to the smallest such
 * number.
 */
bool sorted_duplicate(const uint64_t *list, size_t count, uint64_t *number);

#endif
