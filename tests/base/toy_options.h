/* A table with an option of each kind, for tests. */
#ifndef REDSWEEP_TESTS_BASE_TOY_OPTIONS_H
#define REDSWEEP_TESTS_BASE_TOY_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/options.h"

enum toy_colour { RED, GREEN, BLUE, COLOURS };
static const char *const toy_colours[COLOURS] = {"red", "green", "blue"};

struct toy_arguments {
    const char *out;
    int count;
    uint64_t rows;
    double width, share;
    enum toy_colour colour;
    bool strict, shades[COLOURS];
    int *sizes, size_count;
};

#define AT(member) .offset = offsetof(struct toy_arguments, member)

static const struct field toy_options[] = {
    {"--out", NULL, field_argument, AT(out), HELP("DIR", "where")},
    {"--count", "7", field_int, AT(count), RANGE(-3, 9), HELP("N", "how many")},
    {"--rows", NULL, field_uint64, AT(rows), RANGE(1, 1099511627776.0), HELP("ROWS", "rows")},
    {"--width", "0.5", field_double, AT(width), RANGE(0, 1), HELP("WIDTH", "how wide")},
    {"--share", "5", field_share, AT(share), RANGE(0, 50), HELP("PERCENT", "how much")},
    {"--colour", "green", field_choice, AT(colour), WORDS(toy_colours, COLOURS),
     HELP("C", "which")},
    {"--shades", NULL, field_choices, AT(shades), WORDS(toy_colours, COLOURS), .flags = FIELD_LIST,
     HELP("LIST", "which ones")},
    {"--sizes", NULL, field_ints, AT(sizes),
     .count_offset = offsetof(struct toy_arguments, size_count), RANGE(1, 1024),
     .flags = FIELD_LIST, HELP("LIST", "sizes")},
    {"--strict", NULL, field_switch, AT(strict), HELP(NULL, "be strict")},
    {0}};

#undef AT

#endif
