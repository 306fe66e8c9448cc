/*
 * Implements sass.h.
 */
#include "devices/sim/program/sass.h"

#include <stdlib.h>
#include <string.h>

#include "base/cubin.h"
#include "base/memory.h"
#include "base/vec.h"

enum { BYTES = 16, ALWAYS = 7 /* the predicate PT */, MOST_SECTIONS = 4096, ARCHITECTURE = 90 };

/* Opcodes, which are in bits 0 to 8 of an instruction. An atomic on a generic address is never a
 * RED: it returns the old value even if nothing uses it. */
static const struct opcode {
    uint16_t bits;
    uint8_t kind, space;
} opcodes[] = {{0x180, SASS_LOAD, SPACE_GENERIC},
               {0x181, SASS_LOAD, SPACE_GLOBAL},
               {0x183, SASS_LOAD, SPACE_LOCAL},
               {0x184, SASS_LOAD, SPACE_SHARED},
               {0x185, SASS_STORE, SPACE_GENERIC},
               {0x186, SASS_STORE, SPACE_GLOBAL},
               {0x187, SASS_STORE, SPACE_LOCAL},
               {0x188, SASS_STORE, SPACE_SHARED},
               {0x18a, SASS_ATOMIC, SPACE_GENERIC}, /* ATOM */
               {0x18b, SASS_ATOMIC, SPACE_GENERIC}, /* ATOM.CAS */
               {0x1a2, SASS_ATOMIC, SPACE_GENERIC}, /* ATOM of floats */
               {0x18c, SASS_ATOMIC, SPACE_SHARED},  /* ATOMS */
               {0x18d, SASS_ATOMIC, SPACE_SHARED},  /* ATOMS.CAS, .CAST.SPIN */
               {0x1a8, SASS_ATOMIC, SPACE_GLOBAL},  /* ATOMG */
               {0x1a9, SASS_ATOMIC, SPACE_GLOBAL},  /* ATOMG.CAS */
               {0x1a3, SASS_ATOMIC, SPACE_GLOBAL},  /* ATOMG of floats */
               {0x18e, SASS_ATOMIC, SPACE_GLOBAL},  /* REDG */
               {0x1a6, SASS_ATOMIC, SPACE_GLOBAL},  /* REDG of floats */
               /* FLO, which finds the elected lane in the result of a VOTE */
               {0x100, SASS_ELECTION, 0},
               {0x0bd, SASS_ELECTION, 0}, /* UFLO */
               {0x006, SASS_MEETING, 0},
               {0x11d, SASS_MEETING, 0},
               {0x189, SASS_MEETING, 0},
               {0x147, SASS_BRANCH, 0}};

enum {
    OP_RED = 0x18e,
    OP_RED_FLOAT = 0x1a6,
    OP_BRANCH = 0x147,
    OP_EXIT = 0x14d,
    OP_RETURN = 0x150,
    OP_CALL = 0x143,
    OP_CALL_NEAR = 0x144
};
/* branches to addresses in registers: BRX, JMP, JMX … */
static const uint16_t indirect[] = {0x149, 0x14a, 0x14b, 0x14c};

struct word {
    uint64_t low, high;
};

/* A section of the cubin that contains code. In code.words, its instructions are at first … first +
 * count - 1. */
struct code_section {
    unsigned number; /* the section's number in the file */
    int first, count;
};

struct code {
    struct cubin file;
    VEC(struct code_section) sections;
    struct word *words;
    int *lines;
    int count;
};

/* Returns the architecture of the code, such as 90. Since CUDA 13 (ABI version 8), it is in the
 * second byte of the ELF header's flags. Before, it was in the first byte. */
static unsigned architecture(const struct cubin *f)
{
    return f->header.e_flags >> (f->header.e_ident[EI_ABIVERSION] >= 8 ? 8 : 0) & 0xff;
}

static unsigned opcode_of(const struct word *w)
{
    return w->low & 0x1ff;
}

static unsigned guard_of(const struct word *w)
{
    return w->low >> 12 & 7;
}

/*
 * ---- The file ---------------------------------------------------------------------------------
 */

static void read_code(struct code *c)
{
    for (unsigned i = 0; i < c->file.header.e_shnum && c->sections.count < MOST_SECTIONS; i++) {
        Elf64_Shdr s;
        if (!cubin_section(&c->file, i, &s) || s.sh_type != SHT_PROGBITS ||
            !(s.sh_flags & SHF_EXECINSTR))
            continue;
        int count = (int)(s.sh_size / BYTES);
        vec_push(&c->sections, ((struct code_section){i, c->count, count}));
        c->words = xrealloc(c->words, ((size_t)c->count + (size_t)count + 1) * sizeof *c->words);
        memcpy(c->words + c->count, c->file.bytes + s.sh_offset, (size_t)count * BYTES);
        c->count += count;
    }
    c->lines = xcalloc((size_t)c->count + 1, sizeof *c->lines);
}

static bool find_section(const struct cubin *f, const char *name, unsigned *number, Elf64_Shdr *out)
{
    for (*number = 0; *number < f->header.e_shnum; ++*number)
        if (cubin_section(f, *number, out) && out->sh_type != SHT_NOBITS &&
            strcmp(cubin_name(f, &f->names, out->sh_name), name) == 0)
            return true;
    return false;
}

/* Finds out which code an address in the line table refers to. The address is at `offset` of
 * section number `table`. Sets *section to the number of the code's section, and *at to an offset
 * in that section. */
static bool relocated(const struct cubin *f, unsigned table, uint64_t offset, unsigned *section,
                      uint64_t *at)
{
    for (unsigned i = 0; i < f->header.e_shnum; i++) {
        Elf64_Shdr s, symbols;
        if (!cubin_section(f, i, &s) || s.sh_info != table ||
            (s.sh_type != SHT_RELA && s.sh_type != SHT_REL) ||
            !cubin_section(f, s.sh_link, &symbols) || symbols.sh_type != SHT_SYMTAB)
            continue;
        size_t size = s.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (uint64_t k = 0; k + size <= s.sh_size; k += size) {
            Elf64_Rela r = {0};
            Elf64_Sym symbol;
            memcpy(&r, f->bytes + s.sh_offset + k, size);
            uint64_t number = ELF64_R_SYM(r.r_info);
            if (r.r_offset != offset || number >= symbols.sh_size / sizeof symbol)
                continue;
            memcpy(&symbol, f->bytes + symbols.sh_offset + number * sizeof symbol, sizeof symbol);
            *section = symbol.st_shndx;
            *at = symbol.st_value + (uint64_t)r.r_addend;
            return true;
        }
    }
    return false;
}

/*
 * ---- Lines ------------------------------------------------------------------------------------
 */

/* A position in the line table. take() returns 0 past the end of the table. */
struct reader {
    const uint8_t *at, *end, *start;
};

static uint64_t take(struct reader *r, unsigned bytes)
{
    uint64_t value = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->at = r->end;
        return 0;
    }
    memcpy(&value, r->at, bytes); /* little-endian */
    r->at += bytes;
    return value;
}

static int64_t take_leb(struct reader *r, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0, byte = 0x80;
    while (byte & 0x80 && r->at < r->end) {
        byte = *r->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    }
    if (is_signed && shift < 64 && byte & 0x40)
        value |= UINT64_MAX << shift;
    return (int64_t)value;
}

/* The state of DWARF's line-number machine, which runs the programs in the line table, and the
 * previous row that it produced. */
struct lines {
    struct code *code;
    unsigned table;
    const struct code_section *section; /* NULL: unknown */
    uint64_t address, row_address;
    int64_t line, row_line;
    bool has_row;
};

/* Adds a row to the table: assigns the line of the previous row to all instructions from that row's
 * address up to the current address, and makes the current state the previous row. */
static void add_row(struct lines *l)
{
    for (uint64_t at = l->row_address / BYTES;
         l->has_row && l->section && at < l->address / BYTES && at < (uint64_t)l->section->count;
         at++)
        l->code->lines[l->section->first + (int)at] = (int)l->row_line;
    l->row_address = l->address;
    l->row_line = l->line;
    l->has_row = true;
}

static void extended(struct lines *l, struct reader *r)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
    uint64_t length = (uint64_t)take_leb(r, false);
    const uint8_t *next = length < (uint64_t)(r->end - r->at) ? r->at + length : r->end;
    unsigned operation = (unsigned)take(r, 1), section = 0;
    if (operation == END_SEQUENCE) {
        add_row(l);
        l->has_row = false;
        l->section = NULL;
        l->address = 0;
        l->line = 1;
    } else if (operation == SET_ADDRESS) {
        uint64_t offset = (uint64_t)(r->at - r->start), address = take(r, 8);
        if (relocated(&l->code->file, l->table, offset, &section, &address))
            for (size_t i = 0; i < l->code->sections.count; i++)
                if (l->code->sections.items[i].number == section)
                    l->section = &l->code->sections.items[i];
        l->address = address;
        l->has_row = false;
    }
    r->at = next;
}

/* Reads a unit of the line table, which is a header and a program, and runs the program. */
static void read_unit(struct lines *l, struct reader *r)
{
    enum {
        COPY = 1,
        ADVANCE_PC,
        ADVANCE_LINE,
        SET_FILE,
        SET_COLUMN,
        NEGATE,
        BLOCK,
        CONST_ADD,
        FIXED
    };
    uint8_t lengths[256] = {0};
    take(r, 2); /* version */
    uint64_t header = take(r, 4);
    const uint8_t *program = header < (uint64_t)(r->end - r->at) ? r->at + header : r->end;
    unsigned minimum = (unsigned)take(r, 1);
    take(r, 1);
    int8_t base = (int8_t)take(r, 1);
    unsigned range = (unsigned)take(r, 1), opcode_base = (unsigned)take(r, 1);
    for (unsigned k = 1; k < opcode_base; k++)
        lengths[k] = (uint8_t)take(r, 1);
    l->line = 1;
    for (r->at = program; r->at < r->end && range > 0;) {
        unsigned op = (unsigned)take(r, 1);
        if (op >= opcode_base) {
            l->address += (op - opcode_base) / range * minimum;
            l->line += base + (int)((op - opcode_base) % range);
            add_row(l);
        } else if (op == 0) {
            extended(l, r);
        } else if (op == COPY) {
            add_row(l);
        } else if (op == ADVANCE_PC) {
            l->address += (uint64_t)take_leb(r, false) * minimum;
        } else if (op == ADVANCE_LINE) {
            l->line += take_leb(r, true);
        } else if (op == CONST_ADD) {
            l->address += (255 - opcode_base) / range * minimum;
        } else if (op == FIXED) {
            l->address += take(r, 2);
        } else {
            for (unsigned k = 0; k < lengths[op]; k++)
                take_leb(r, false);
        }
    }
}

static bool read_lines(struct code *c)
{
    Elf64_Shdr s;
    struct lines l = {.code = c};
    if (!find_section(&c->file, ".nv_debug_line_sass", &l.table, &s))
        return false;
    const uint8_t *start = (const uint8_t *)c->file.bytes + s.sh_offset;
    struct reader all = {start, start + s.sh_size, start};
    while (all.at < all.end) {
        uint64_t length = take(&all, 4);
        uint64_t left = (uint64_t)(all.end - all.at);
        struct reader unit = {all.at, all.at + (length < left ? length : left), start};
        all.at = unit.end;
        read_unit(&l, &unit);
    }
    return true;
}

/*
 * ---- Control flow -----------------------------------------------------------------------------
 */

/*
 * Returns whether an instruction is a branch that is only taken in rare cases, when lanes differ in
 * a value that is usually the same for all of them. On sm_90, for example, there is such a branch
 * before a shuffle that waits for other lanes. The branch leads to code that does the same in
 * another way and then returns. It therefore does not end a basic block here.
 */
static bool is_detour(const struct word *w)
{
    return opcode_of(w) == OP_BRANCH && (w->high >> 27 & 1);
}

static bool has_predicate(const struct word *w)
{
    return (w->high >> 23 & 7) != ALWAYS;
}

/* Returns the index of the instruction to which the branch or call `w` jumps, or -1 if it is
 * outside the section s. `at` is the index of w itself. */
static int target_of(const struct word *w, const struct code_section *s, int at)
{
    int64_t distance = (int64_t)((w->low >> 34 | w->high << 30) << 16) >> 16; /* 48 bits */
    distance = (int64_t)((uint64_t)distance << 8 | (w->low >> 16 & 0xff)) * 4;
    int64_t to = (at - s->first + 1) + distance / BYTES;
    return to >= 0 && to < s->count ? s->first + (int)to : -1;
}

static bool ends_block(const struct word *w)
{
    unsigned op = opcode_of(w);
    return (op == OP_BRANCH && !is_detour(w)) || op == OP_EXIT || op == OP_RETURN;
}

static bool mark_leaders(const struct code *c, bool *leader, bool *root)
{
    for (size_t k = 0; k < c->sections.count; k++) {
        const struct code_section *s = &c->sections.items[k];
        leader[s->first] = root[s->first] = true;
        for (int i = s->first; i < s->first + s->count; i++) {
            const struct word *w = &c->words[i];
            unsigned op = opcode_of(w);
            for (size_t j = 0; j < sizeof indirect / sizeof *indirect; j++)
                if (op == indirect[j])
                    return false;
            int to = target_of(w, s, i);
            if (op == OP_CALL_NEAR || op == OP_CALL) {
                if (to >= 0)
                    leader[to] = root[to] = true;
            } else if (ends_block(w)) {
                leader[i + 1] = true;
                if (op == OP_BRANCH && to < 0)
                    return false;
                if (op == OP_BRANCH)
                    leader[to] = true;
            }
        }
    }
    return true;
}

/* Adds the edges of block `b`, whose last instruction has the index `last`. */
static void add_edges(const struct code *c, const struct code_section *s, struct graph *g, int last,
                      int b)
{
    const struct word *w = &c->words[last];
    unsigned op = opcode_of(w);
    bool always = guard_of(w) == ALWAYS && (op != OP_BRANCH || !has_predicate(w));
    g->blocks[b].first_successor = g->edge_count;
    if (op == OP_BRANCH && !is_detour(w))
        array_push(g->edges, g->edge_count, g->block_of[target_of(w, s, last)]);
    else if (ends_block(w))
        array_push(g->edges, g->edge_count, g->count);
    if (!ends_block(w) || !always)
        array_push(g->edges, g->edge_count, last + 1 < s->first + s->count ? b + 1 : g->count);
    g->blocks[b].successors = g->edge_count - g->blocks[b].first_successor;
}

static bool find_flow(const struct code *c, struct graph *g, struct flow *out)
{
    bool *leader = xcalloc((size_t)c->count + 2, sizeof *leader),
         *root = xcalloc((size_t)c->count + 2, sizeof *root);
    bool ok = mark_leaders(c, leader, root);
    *g = (struct graph){.block_of = xcalloc((size_t)c->count + 1, sizeof *g->block_of),
                        .blocks = xcalloc((size_t)c->count + 1, sizeof *g->blocks),
                        .statements = c->count};
    for (int i = 0; i < c->count; i++) {
        if (leader[i] || i == 0) {
            root[g->count] = root[i];
            g->blocks[g->count++].first = i;
        }
        g->blocks[g->count - 1].count++;
        g->block_of[i] = g->count - 1;
    }
    for (size_t k = 0; ok && k < c->sections.count; k++) {
        const struct code_section *s = &c->sections.items[k];
        for (int i = s->first; i < s->first + s->count; i++)
            if (i + 1 == s->first + s->count || leader[i + 1])
                add_edges(c, s, g, i, g->block_of[i]);
    }
    if (ok) {
        graph_post_dominators(g);
        flow_find(g, root, out);
    }
    free(leader);
    free(root);
    return ok;
}

/*
 * ---- What is kept -----------------------------------------------------------------------------
 */

static bool describe(const struct word *w, struct sass_instruction *out)
{
    static const uint8_t widths[8] = {1, 1, 2, 2, 4, 8, 16, 0};
    for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++) {
        if (opcodes[k].bits != opcode_of(w))
            continue;
        out->kind = opcodes[k].kind;
        out->space = opcodes[k].space;
        out->reduces = opcode_of(w) == OP_RED || opcode_of(w) == OP_RED_FLOAT;
        out->bytes = widths[w->high >> 9 & 7];
        out->guarded = guard_of(w) != ALWAYS && (out->kind != SASS_BRANCH || has_predicate(w));
        return !is_detour(w);
    }
    return false;
}

static int by_line(const void *a, const void *b)
{
    const struct sass_instruction *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

bool sass_read(const char *cubin, size_t length, struct sass *out)
{
    struct code c = {0};
    struct graph g = {0};
    *out = (struct sass){0};
    bool ok = false;
    if (!cubin_open(cubin, length, &c.file) || architecture(&c.file) != ARCHITECTURE) {
        out->why = "it is not for sm_90";
    } else {
        read_code(&c);
        ok = c.count > 0 && read_lines(&c);
        out->why = "it has no line numbers";
    }
    if (ok) {
        out->has_flow = find_flow(&c, &g, &out->flow);
        out->items = xcalloc((size_t)c.count + 1, sizeof *out->items);
    }
    for (int i = 0; ok && i < c.count; i++) {
        struct sass_instruction x = {.line = c.lines[i], .block = g.block_of[i]};
        if (describe(&c.words[i], &x) && (!out->has_flow || out->flow.reached[x.block]))
            out->items[out->count++] = x;
    }
    if (ok)
        qsort(out->items, (size_t)out->count, sizeof *out->items, by_line);
    out->taken = xcalloc((size_t)out->count + 1, sizeof *out->taken);
    free(c.words);
    free(c.lines);
    vec_free(&c.sections);
    graph_free(&g);
    return ok;
}

void sass_free(struct sass *s)
{
    free(s->items);
    free(s->taken);
    flow_free(&s->flow);
    *s = (struct sass){0};
}

int sass_at(const struct sass *s, int line, const struct sass_instruction **first)
{
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->items[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    int end = low;
    while (end < s->count && s->items[end].line == line)
        end++;
    *first = &s->items[low];
    return end - low;
}
