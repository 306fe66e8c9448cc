/* printf() is built into the compiler; other input and output functions are for the host. */
#ifndef REDSWEEP_HOST_STDIO_H
#define REDSWEEP_HOST_STDIO_H
#include <stddef.h>
#endif
