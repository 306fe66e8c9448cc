/*
 * Sorted lists of unsigned numbers, such as the ids of points.
 */
#ifndef REDSWEEP_BASE_SORTED_H
#define REDSWEEP_BASE_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts a list, ascending. */
void sorted_make(uint64_t *list, size_t count);

/* The position of a number in a list that sorted_make() has sorted; `count` if it is not in the
 * list. */
size_t sorted_find(const uint64_t *list, size_t count, uint64_t number);

/* Whether such a list has the number. */
bool sorted_has(const uint64_t *list, size_t count, uint64_t number);

/* Whether a sorted list has a number twice; *number is then the smallest such number. */
bool sorted_duplicate(const uint64_t *list, size_t count, uint64_t *number);

#endif
