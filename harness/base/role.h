/*
 * A kernel's role is its purpose. The fact `role` states it, as does `role` for each kernel in
 * run.json.
 *
 *   reduction           competes with the other reductions (of rows and of axes, too)
 *   peer                is a reduction of another library, with which all other reductions are
 *                       compared
 *   limit of WORKLOAD   does less than any kernel of that workload must, so none can be faster
 *   harness             belongs to redsweep, is measured only on request, and is compared with
 *                       nothing
 *   teaching            is not a reduction, and competes with the kernels of its workload
 */
#ifndef REDSWEEP_BASE_ROLE_H
#define REDSWEEP_BASE_ROLE_H

#include <stdbool.h>

enum role_kind { ROLE_REDUCTION, ROLE_PEER, ROLE_LIMIT, ROLE_HARNESS, ROLE_TEACHING, ROLE_COUNT };

/* The roles as spelled in facts, in the order of the enum. */
extern const char *const role_names[ROLE_COUNT];

struct role {
    enum role_kind kind;
    /* A limit's workload, which is a part of the parsed text; "" for other roles. */
    const char *bounds;
};

/*
 * Reads a role. Returns false if the text is not a role. Does not check that the workload exists.
 */
bool role_parse(const char *text, struct role *out);

/*
 * Returns the role of a kernel from a run that does not record it (version 0.2.0 and earlier), by
 * the rules of those versions, from the kernel's name and workload ("" or NULL if unknown). The
 * result is a constant string.
 */
const char *role_of_older(const char *kernel, const char *workload);

#endif
