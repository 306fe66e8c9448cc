/*
 * The purpose of a kernel: its fact `role`, the `role` of a kernel in run.json.
 *
 *   reduction           competes with the other reductions (of rows and of axes, too)
 *   peer                is a library's reduction, by which the others are judged
 *   limit of WORKLOAD   does less than any kernel of that workload must, so none can be faster
 *   harness             belongs to redsweep, is measured on request and compared with nothing
 *   teaching            is no reduction, and competes with the kernels of its workload
 */
#ifndef REDSWEEP_BASE_ROLE_H
#define REDSWEEP_BASE_ROLE_H

#include <stdbool.h>

enum role_kind { ROLE_REDUCTION, ROLE_PEER, ROLE_LIMIT, ROLE_HARNESS, ROLE_TEACHING, ROLE_COUNT };

/* The roles as a fact names them, in the order of the enum. */
extern const char *const role_names[ROLE_COUNT];

struct role {
    enum role_kind kind;
    const char *bounds; /* for a limit: its workload, a part of the parsed text; else "" */
};

/* Returns false if the text is not a role. It does not check whether such a workload exists. */
bool role_parse(const char *text, struct role *out);

/*
 * The role of a kernel whose run does not record it (0.2.0 and before), derived from its name and
 * its workload ("" or NULL: not known) by the rules of those versions. Returns a constant string.
 */
const char *role_of_older(const char *kernel, const char *workload);

#endif
