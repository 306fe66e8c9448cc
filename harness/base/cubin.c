/* Implements cubin.h. */
#include "base/cubin.h"

#include <stdint.h>
#include <string.h>

static bool is_inside(const struct cubin *f, uint64_t offset, uint64_t length)
{
    return offset <= f->length && length <= f->length - offset;
}

bool cubin_section(const struct cubin *f, unsigned i, Elf64_Shdr *out)
{
    uint64_t at = f->header.e_shoff + (uint64_t)i * sizeof *out;
    if (i >= f->header.e_shnum || !is_inside(f, at, sizeof *out))
        return false;
    memcpy(out, f->bytes + at, sizeof *out);
    return out->sh_type == SHT_NOBITS || is_inside(f, out->sh_offset, out->sh_size);
}

bool cubin_open(const char *bytes, size_t length, struct cubin *out)
{
    *out = (struct cubin){.bytes = bytes, .length = length};
    if (length < sizeof out->header || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&out->header, bytes, sizeof out->header);
    return out->header.e_ident[EI_CLASS] == ELFCLASS64 &&
           out->header.e_shentsize == sizeof(Elf64_Shdr) && out->header.e_shoff < length &&
           cubin_section(out, out->header.e_shstrndx, &out->names);
}

const char *cubin_name(const struct cubin *f, const Elf64_Shdr *names, uint64_t at)
{
    const char *bytes = f->bytes + names->sh_offset;
    bool ends =
        names->sh_type == SHT_STRTAB && names->sh_size > 0 && bytes[names->sh_size - 1] == '\0';
    return ends && at < names->sh_size ? bytes + at : "";
}
