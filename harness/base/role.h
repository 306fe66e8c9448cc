/*
 * The role of a kernel is its purpose. The fact `role` states it, and so does the member `role` of
 * each kernel in run.json.
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

/* The roles as a fact names them, in the order of the enum. */
extern const char *const role_names[ROLE_COUNT];

struct role {
    enum role_kind kind;
    /* The workload of a limit, which is a part of the parsed text. It is "" for other roles. */
    const char *bounds;
};

/*
 * Reads a role. Returns false if the text is not a role. The function does not check whether such a
 * workload exists.
 */
bool role_parse(const char *text, struct role *out);

/*
 * Returns the role of a kernel whose run does not record the role (version 0.2.0 and earlier). The
 * rules of those versions derive it from the name and the workload of the kernel ("" or NULL if it
 * is not known). The result is a constant string.
 */
const char *role_of_older(const char *kernel, const char *workload);

#endif
