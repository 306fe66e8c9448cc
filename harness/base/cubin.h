/*
 * Finds the sections of a cubin, which is an ELF file. The bytes may come from an untrusted source,
 * so every number is checked before it is used as an offset.
 */
#ifndef REDSWEEP_BASE_CUBIN_H
#define REDSWEEP_BASE_CUBIN_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct cubin {
    const char *bytes; /* the file's bytes, which the caller owns */
    size_t length;
    Elf64_Ehdr header;
    Elf64_Shdr names; /* holds the sections' names */
};

/* Opens a cubin. Returns false if the bytes are not a cubin. */
bool cubin_open(const char *bytes, size_t length, struct cubin *out);
/*
 * Finds section `i`. Returns false if there is no such section, or if it extends beyond the file.
 */
bool cubin_section(const struct cubin *f, unsigned i, Elf64_Shdr *out);
/*
 * Returns the name at offset `at` of the section `names`, or "" if the offset or the section is
 * invalid.
 */
const char *cubin_name(const struct cubin *f, const Elf64_Shdr *names, uint64_t at);

#endif
