/*
 * The order of groups: see agenda.h.
 */
#include "run/agenda.h"

bool agenda_next(struct agenda *a, uint32_t *group)
{
    if (a->next >= a->count)
        return false;
    *group = a->next++;
    return true;
}
