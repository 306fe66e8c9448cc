/* Functions for all files of the parser, which move from token to token and look up names in
 * scope. */
#include "devices/sim/ptx/ptx_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const space_names[SPACE_COUNT] = {"generic", "global", "const",          "shared",
                                              "local",   "param",  "shared::cluster"};

const char *const special_names[SPECIAL_COUNT] = {
    "tid.x",
    "tid.y",
    "tid.z",
    "ntid.x",
    "ntid.y",
    "ntid.z",
    "ctaid.x",
    "ctaid.y",
    "ctaid.z",
    "nctaid.x",
    "nctaid.y",
    "nctaid.z",
    "laneid",
    "warpid",
    "nwarpid",
    "WARP_SZ",
    "smid",
    "nsmid",
    "gridid",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "dynamic_smem_size",
    "total_smem_size",
    "envreg1",
    "envreg2",
    "cluster_ctarank",
    "cluster_nctarank",
    "clusterid.x",
    "nclusterid.x",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "globaltimer",
};

void ptx_advance(struct ptx_parser *p)
{
    p->token = lex_next(&p->lexer);
}

bool ptx_at(const struct ptx_parser *p, const char *text)
{
    return p->token.kind != TOKEN_STRING && slice_is(p->token.text, text);
}

bool ptx_accept(struct ptx_parser *p, const char *text)
{
    if (!ptx_at(p, text))
        return false;
    ptx_advance(p);
    return true;
}

bool ptx_fail(struct ptx_parser *p, const char *what)
{
    int length = p->token.text.length < 60 ? p->token.text.length : 60;
    return FAIL(p->e, ERROR_CONFIG, "PTX line %d: %s, at '%.*s'", p->token.line, what, length,
                p->token.text.at ? p->token.text.at : "");
}

bool ptx_expect(struct ptx_parser *p, const char *text)
{
    if (ptx_accept(p, text))
        return true;
    char what[80];
    snprintf(what, sizeof what, "expected '%s'", text);
    return ptx_fail(p, what);
}

bool ptx_integer(struct ptx_parser *p, uint64_t *out)
{
    bool minus = ptx_accept(p, "-");
    if (p->token.kind != TOKEN_INTEGER)
        return ptx_fail(p, "expected an integer");
    *out = minus ? 0 - p->token.bits : p->token.bits;
    ptx_advance(p);
    return true;
}

void ptx_name_add(struct ptx_parser *p, bool is_register, int index)
{
    array_push(p->names, p->name_count, (struct ptx_name){is_register, index});
}

int ptx_find_variable(const struct ptx_parser *p, struct slice name)
{
    for (int i = p->name_count - 1; i >= 0; i--) {
        const struct ptx_name *n = &p->names[i];
        if (!n->is_register && slice_equal(p->m->variables[n->index].name, name))
            return n->index;
    }
    return -1;
}

bool ptx_space_word(struct slice word, enum space *space)
{
    for (int s = SPACE_GLOBAL; s < SPACE_CLUSTER; s++) {
        if (word.length > 1 &&
            slice_is((struct slice){word.at + 1, word.length - 1}, space_names[s])) {
            *space = (enum space)s;
            return word.at[0] == '.';
        }
    }
    return false;
}

bool ptx_type_bytes(struct slice type, unsigned *bytes)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } types[] = {{".pred", 0}, {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2},  {".u16", 2},
                 {".s16", 2},  {".f16", 2}, {".b32", 4}, {".u32", 4}, {".s32", 4},  {".f32", 4},
                 {".b64", 8},  {".u64", 8}, {".s64", 8}, {".f64", 8}, {".b128", 16}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (slice_is(type, types[i].name)) {
            *bytes = types[i].bytes;
            return true;
        }
    }
    return false;
}
