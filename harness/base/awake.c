/* Implements the clock for time limits. */
#include "base/awake.h"

#include "base/clock.h"

double awake_now_s(void)
{
    static _Thread_local double seen_s, awake_s;
    const double most_s = AWAKE_STEP_MS * 1e-3;
    double now = clock_now_s();
    awake_s += now - seen_s < most_s ? now - seen_s : most_s;
    seen_s = now;
    return awake_s;
}
