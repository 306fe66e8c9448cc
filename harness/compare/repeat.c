/*
 * What the number of launches between two events may change in a time: see repeat.h.
 */
#include "compare/repeat.h"

#include <math.h>

#include <cjson/cJSON.h>

double repeat_of(const struct results *r, size_t row)
{
    double repeat = results_number(r, row, "repeat");
    return repeat >= 1 ? repeat : 1;
}

/* The longest time of an empty kernel that the run's sessions have seen; NaN: not measured. */
static double empty_us(const struct results *r)
{
    static const char *const when[] = {"ceilings_start", "ceilings_end"};
    double longest = NAN;
    const cJSON *session;
    cJSON_ArrayForEach(session, cJSON_GetObjectItemCaseSensitive(r->document, "conditions"))
    {
        for (int i = 0; i < 2; i++) {
            const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session, when[i]);
            const cJSON *empty = cJSON_GetObjectItemCaseSensitive(ceilings, "empty_us");
            if (cJSON_IsNumber(empty))
                longest = fmax(longest, empty->valuedouble); /* fmax passes over NaN */
        }
    }
    return longest;
}

double repeat_excess_us(const struct results *a, size_t row_a, const struct results *b,
                        size_t row_b)
{
    double mine = repeat_of(a, row_a), other = repeat_of(b, row_b);
    return mine < other ? empty_us(a) * (1 / mine - 1 / other) : 0;
}
