/*
 * A guest of a party waits for the others: see party.h.
 */
#include <errno.h>
#include <unistd.h>

#include "run/party.h"
#include "run/processes.h"

void party_meet(const struct party *p, enum party_stage stage)
{
    char byte = (char)stage;
    if (!p || write(p->to_host, &byte, 1) != 1)
        return;
    while (read(p->from_host, &byte, 1) < 0 && errno == EINTR && !sweep_stop_signal)
        continue;
}
