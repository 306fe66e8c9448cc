/*
 * Stores facts in a struct kernel. This header is private to the folder; kernel.c uses it.
 */
#ifndef REDSWEEP_SPEC_KERNEL_FACTS_H
#define REDSWEEP_SPEC_KERNEL_FACTS_H

#include "spec/facts.h"
#include "spec/kernel.h"

/* Reads all facts into a zeroed kernel, sets the defaults of absent facts, and checks the names in
 * the expressions. Returns ERROR_CONFIG for an unknown, invalid, missing or duplicate fact. */
bool kernel_read_facts(struct kernel *k, const char *path, const struct fact_list *list,
                       struct error *e);

/*
 * Returns the hash of a kernel. It covers the code without comments and white space (base/code.h),
 * and the facts that decide how the kernel is compiled, launched and checked. The order and the
 * spacing of the facts do not matter. Included files are not part of the hash.
 */
uint64_t kernel_hash(const char *code, size_t length, const struct fact_list *list);

#endif
