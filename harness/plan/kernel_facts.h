/*
 * Reading a kernel's facts one by one. Private to this room: kernel.c calls it.
 *
 * Each fact is read by its key's function into struct kernel. What needs all facts (names in
 * expressions, the entry function) is checked afterwards, by kernel.c.
 */
#ifndef REDSWEEP_PLAN_KERNEL_FACTS_H
#define REDSWEEP_PLAN_KERNEL_FACTS_H

#include "plan/facts.h"
#include "plan/kernel.h"

enum {
    LEAST_CC = 75, /* what NVRTC 13 compiles for: sm_75 … sm_121 */
    GREATEST_CC = 121,
    EXPRESSIONS_MOST = 5 + 2 * KERNEL_DIMENSIONS + KERNEL_MAX_REQUIRES
};

/* Which names besides N, BLOCK, UNROLL, SIZEOF, SMS and the tunables an expression may use. */
enum names_allowed { NAMES_BASIC, NAMES_WITH_COVERS, NAMES_WITH_GRID };

struct fact_reading {
    struct kernel *kernel;
    const char *path;
    const struct fact *fact; /* the one that is being read */
    struct {
        const struct expr *expression;
        const struct fact *fact;
        enum names_allowed allowed;
    } expressions[EXPRESSIONS_MOST];
    int expression_count;
    struct error *e;
};

/*
 * Reads all facts; the expressions that were met are listed in `r`. False after ERROR_CONFIG, for a
 * fact that is unknown, wrong, missing or there twice, or ERROR_MEMORY.
 */
bool read_facts(struct fact_reading *r, const struct fact_list *list);

/* "file:line: key: value: what is wrong and what is allowed", of r->fact. Returns false. */
bool refuse_fact(const struct fact_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
