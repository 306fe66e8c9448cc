/* Implements image_code.h. */
#include "compile/image_code.h"

#include <ctype.h>
#include <string.h>

#include "base/code.h"
#include "base/cubin.h"
#include "base/text.h"

/* ---- Cubins ---------------------------------------------------------------------------------- */

/*
 * Returns the kind of a section, which is the beginning of its name, or NULL if the hash does not
 * include the section.
 */
static const char *kind_of_section(const struct cubin *f, const Elf64_Shdr *s)
{
    static const char *const kinds[] = {".text.",          ".rela.text.",       ".rel.text.",
                                        ".nv.constant",    ".rela.nv.constant", ".rel.nv.constant",
                                        ".rela.nv.global", ".rel.nv.global",    ".nv.global.init",
                                        ".nv.global",      ".nv.shared."};
    const char *name = cubin_name(f, &f->names, s->sh_name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
            return kinds[i];
    return NULL;
}

/*
 * Hashes symbol number `i` in a symbol table. If the file defines the symbol, hashes its location;
 * its number would not do, because numbers also depend on debugging symbols. If the symbol is
 * undefined, hashes its name.
 */
static uint64_t hash_symbol(const struct cubin *f, const Elf64_Shdr *symbols, uint64_t i,
                            uint64_t hash)
{
    Elf64_Sym symbol;
    Elf64_Shdr section, names;
    if (i >= symbols->sh_size / sizeof symbol || symbols->sh_type != SHT_SYMTAB)
        return hash;
    memcpy(&symbol, f->bytes + symbols->sh_offset + i * sizeof symbol, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF)
        return cubin_section(f, symbols->sh_link, &names)
                   ? hash_text(hash, cubin_name(f, &names, symbol.st_name))
                   : hash;
    const char *kind =
        cubin_section(f, symbol.st_shndx, &section) ? kind_of_section(f, &section) : NULL;
    uint64_t place[] = {symbol.st_value, symbol.st_size};
    return hash_bytes(hash_text(hash, kind ? kind : ""), place, sizeof place);
}

static uint64_t hash_relocations(const struct cubin *f, const Elf64_Shdr *s, uint64_t hash)
{
    Elf64_Shdr symbols = {0};
    if (!cubin_section(f, s->sh_link, &symbols))
        symbols = (Elf64_Shdr){0};
    size_t size = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (uint64_t at = 0; at + size <= s->sh_size; at += size) {
        Elf64_Rela r = {0};
        memcpy(&r, f->bytes + s->sh_offset + at, size);
        uint64_t parts[] = {r.r_offset, ELF64_R_TYPE(r.r_info), (uint64_t)r.r_addend};
        hash = hash_bytes(hash, parts, sizeof parts);
        hash = hash_symbol(f, &symbols, ELF64_R_SYM(r.r_info), hash);
    }
    return hash;
}

static bool hash_cubin(const struct image *image, uint64_t *hash)
{
    struct cubin f;
    bool has_instructions = false;
    if (!cubin_open(image->bytes, image->length, &f))
        return false;
    for (unsigned i = 0; i < f.header.e_shnum; i++) {
        Elf64_Shdr s;
        if (!cubin_section(&f, i, &s))
            return false;
        const char *kind = kind_of_section(&f, &s);
        if (!kind || s.sh_size == 0)
            continue;
        *hash = hash_text(*hash, kind);
        *hash = hash_bytes(*hash, &s.sh_size, sizeof s.sh_size);
        if (s.sh_type == SHT_REL || s.sh_type == SHT_RELA)
            *hash = hash_relocations(&f, &s, *hash);
        else if (s.sh_type != SHT_NOBITS)
            *hash = hash_bytes(*hash, f.bytes + s.sh_offset, s.sh_size);
        has_instructions = has_instructions || s.sh_flags & SHF_EXECINSTR;
    }
    return has_instructions;
}

/* ---- PTX ------------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/*
 * Copies the lines of PTX, except for the directives .file, .loc and .section, which contain source
 * files, line numbers and debugging information.
 */
static void keep_code(const char *ptx, struct text *out)
{
    while (*ptx) {
        const char *line = ptx + strspn(ptx, " \t");
        const char *end = line + strcspn(line, "\n");
        if (begins_with(line, ".section")) /* .section .debug_str { … } */
            end = line + strcspn(line, "}");
        else if (!begins_with(line, ".loc") && !begins_with(line, ".file"))
            text_append_bytes(out, line, (size_t)(end - line) + (*end == '\n'));
        ptx = end + (*end != '\0');
    }
}

/*
 * Returns the end of a name of the form NN_INTERNAL_… or NN_GLOBAL__N_…, where NN is the number of
 * characters that follow it. These contain the name of the source file and a hash of its text.
 * Returns `text` if no such name begins there.
 */
static const char *end_of_internal(const char *text)
{
    const char *c = text + strspn(text, "0123456789");
    if (c == text || (!begins_with(c, "_INTERNAL_") && !begins_with(c, "_GLOBAL__N_")))
        return text;
    size_t length = 0;
    for (const char *d = text; d < c && length < 1000; d++)
        length = 10 * length + (size_t)(*d - '0');
    return strnlen(c, length) == length ? c + length : text;
}

static bool hash_ptx(const struct image *image, uint64_t *hash)
{
    struct text kept = {0}, folded = {0};
    keep_code(image->bytes, &kept);
    code_fold(kept.bytes, kept.length, &folded, NULL);
    bool in_number = false;
    for (const char *c = text_shown(&folded); *c;) {
        const char *end = in_number ? c : end_of_internal(c);
        bool internal = end > c;
        *hash = internal ? hash_text(*hash, "_INTERNAL_") : hash_bytes(*hash, c, 1);
        in_number = !internal && isdigit((unsigned char)*c);
        c = internal ? end : c + 1;
    }
    bool found = folded.length > 0;
    text_free(&kept);
    text_free(&folded);
    return found;
}

bool image_code(const struct image *image, uint64_t *hash)
{
    *hash = HASH_START;
    return image->bytes && (image->kind == IMAGE_CUBIN ? hash_cubin(image, hash)
                            : image->kind == IMAGE_PTX ? hash_ptx(image, hash)
                                                       : false);
}
