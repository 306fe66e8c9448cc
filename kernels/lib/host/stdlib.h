/* malloc(), free() and abs() are built into the compiler. */
#ifndef REDSWEEP_HOST_STDLIB_H
#define REDSWEEP_HOST_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#endif
