/* Implements role.h. */
#include "base/role.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

const char *const role_names[ROLE_COUNT] = {"reduction", "peer", "limit of WORKLOAD", "harness",
                                            "teaching"};

bool role_parse(const char *text, struct role *out)
{
    static const char limit[] = "limit of ";
    *out = (struct role){.bounds = ""};
    if (strncmp(text, limit, strlen(limit)) == 0) {
        out->kind = ROLE_LIMIT;
        out->bounds = text + strlen(limit);
        return *out->bounds && !strpbrk(out->bounds, " \t");
    }
    int kind = 0;
    while (kind < ROLE_COUNT && (kind == ROLE_LIMIT || strcmp(role_names[kind], text) != 0))
        kind++;
    out->kind = (enum role_kind)kind;
    return kind < ROLE_COUNT;
}

const char *role_of_older(const char *kernel, const char *workload)
{
    static const struct {
        const char *names, *role;
    } named[] = {{"cub*", "peer"},
                 {"torch_*", "peer"},
                 {"compiled_*", "peer"},
                 {"sweep_read", "limit of reduce"},
                 {"empty", "limit of reduce"},
                 {"rows_limit", "limit of rows"},
                 {"sweep_*", "harness"}};
    static const char *const reductions[] = {"", "reduce", "rows", "axis"};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (text_glob_match(named[i].names, kernel))
            return named[i].role;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (!workload || strcmp(workload, reductions[i]) == 0)
            return "reduction";
    return "teaching";
}
