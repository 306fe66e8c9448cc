/* The functions of math.h are built into the compiler; this header defines the macros. */
#ifndef REDSWEEP_HOST_MATH_H
#define REDSWEEP_HOST_MATH_H
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#define HUGE_VAL (__longlong_as_double(0x7ff0000000000000ll))
#define HUGE_VALF INFINITY
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_SQRT2 1.41421356237309504880
#endif
