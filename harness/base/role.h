/*
 * A kernel's role is its purpose, which is stated by the fact `role` of the kernel and by `role` in
 * run.json.
 *
 *   reduction competes with the other reductions; may also reduce rows or axes peer is a reduction
 *   of another library, with which all other reductions are
 *                       compared
 *   limit of WORKLOAD does less than any kernel of this workload must do, so no such kernel can be
 *   faster harness belongs to redsweep, is measured only on request, and is compared with
 *                       nothing
 *   teaching is not a reduction, and competes with the other kernels of its workload
 */
#ifndef REDSWEEP_BASE_ROLE_H
#define REDSWEEP_BASE_ROLE_H

#include <stdbool.h>

enum role_kind { ROLE_REDUCTION, ROLE_PEER, ROLE_LIMIT, ROLE_HARNESS, ROLE_TEACHING, ROLE_COUNT };

/* The roles as spelled in facts, in the order of the enum. */
extern const char *const role_names[ROLE_COUNT];

struct role {
    enum role_kind kind;
    /* The workload of a limit, which points into the parsed text; "" for other roles. */
    const char *bounds;
};

/*
 * Reads a role. Returns false if the text is not a role. Does not check whether a limit's workload
 * exists.
 */
bool role_parse(const char *text, struct role *out);

/*
 * Returns the role of a kernel whose run does not record roles (redsweep 0.2.0 and earlier). Those
 * versions derived it from the kernel's name and its workload, which may be "" or NULL if unknown.
 * The result is a constant string.
 */
const char *role_of_older(const char *kernel, const char *workload);

#endif
