/*
 * Facts into struct kernel. Private to this room: kernel.c calls it.
 */
#ifndef REDSWEEP_SPEC_KERNEL_FACTS_H
#define REDSWEEP_SPEC_KERNEL_FACTS_H

#include "spec/facts.h"
#include "spec/kernel.h"

/*
 * Reads all facts into a zeroed kernel, with defaults for those that are absent, and checks the
 * names in their expressions. ERROR_CONFIG for a fact that is unknown, invalid, missing or
 * duplicate.
 */
bool kernel_read_facts(struct kernel *k, const char *path, const struct fact_list *list,
                       struct error *e);

#endif
