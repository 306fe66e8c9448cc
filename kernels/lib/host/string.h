/* memcpy() and memset() are built into the compiler. */
#ifndef REDSWEEP_HOST_STRING_H
#define REDSWEEP_HOST_STRING_H
#include <stddef.h>
#endif
