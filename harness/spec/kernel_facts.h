/*
 * Facts into struct kernel. Private to this room: kernel.c calls it.
 */
#ifndef REDSWEEP_SPEC_KERNEL_FACTS_H
#define REDSWEEP_SPEC_KERNEL_FACTS_H

#include "spec/facts.h"
#include "spec/kernel.h"

/*
 * Reads all facts into a zeroed kernel, with defaults for absent ones, and checks the names in
 * their expressions. ERROR_CONFIG for a fact that is unknown, invalid, missing or duplicate.
 */
bool kernel_read_facts(struct kernel *k, const char *path, const struct fact_list *list,
                       struct error *e);

/*
 * The hash of a kernel: its code without comments and white space (base/code.h), and the facts that
 * decide how it is compiled, launched and checked, in any order and spacing. The files that it
 * includes are not part of it.
 */
uint64_t kernel_hash(const char *code, size_t length, const struct fact_list *list);

#endif
