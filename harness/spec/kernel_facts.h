/* Stores facts in a struct kernel. Private to this folder, for kernel.c. */
#ifndef REDSWEEP_SPEC_KERNEL_FACTS_H
#define REDSWEEP_SPEC_KERNEL_FACTS_H

#include "spec/facts.h"
#include "spec/kernel.h"

/* Stores all facts of `list` in a zeroed kernel, sets defaults for absent facts, and checks the
 * names in expressions. Returns ERROR_CONFIG for unknown, invalid, missing and duplicate facts. */
bool kernel_read_facts(struct kernel *k, const char *path, const struct fact_list *list,
                       struct error *e);

/*
 * Returns a kernel's hash: of its code without comments and white space (base/code.h), and of the
 * facts that decide how the kernel is compiled, launched and checked. The order and spacing of
 * facts do not matter. Included files are not hashed.
 */
uint64_t kernel_hash(const char *code, size_t length, const struct fact_list *list);

#endif
